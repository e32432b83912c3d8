//! Arrays that are new: written element by element, counted, filled or drawn.
//!
//! | file | job |
//! | --- | --- |
//! | `elements` | array literals: `[1, x]`, `[[a, b], [c, d]]` |
//! | `make` | arrays made from sizes and numbers: `zeros`, `ones_like`, `full`, `eye` |
//! | `random` | random numbers: the key, the shape and the dtype, and what is drawn |
//! | `range` | numbers in a row: `arange` and `linspace` |
//! | `shuffle` | random orders and choices |

pub(in crate::check) mod elements;
mod make;
mod random;
mod range;
mod shuffle;
