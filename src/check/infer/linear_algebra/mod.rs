//! Calls on matrices. They say the axes, and mean products, solutions and decompositions.
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
