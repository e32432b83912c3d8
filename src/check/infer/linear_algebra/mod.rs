//! Matrices: which axes they lie along, their products, and what is solved or decomposed.
//!
//! | file | job |
//! | --- | --- |
//! | `diagonals` | diagonals and triangles of matrices |
//! | `linear` | matrices as operands: which axes they lie along, and which sides go together |
//! | `matrices` | what a call says of axes as labels, and the products that follow |
//! | `subscripts` | the subscripts of `einsum` as labels of axes |

mod diagonals;
mod linear;
mod matrices;
mod subscripts;
