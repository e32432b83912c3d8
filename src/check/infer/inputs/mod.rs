//! The inputs of a script from outside. They are data, literals and files, and a declaration says of each what it is.
//!
//! | file | job |
//! | --- | --- |
//! | `input` | declared types meet the data or the literal that is given for them |
//! | `input_sizes` | the lengths that names of dimensions have by the arrays that are given |
//! | `load` | `load("raw.npy")`: arrays of files, which were read before |
//! | `ranges` | the ranges that inputs declare |
//! | `unused` | values that no input takes |

mod input;
mod input_sizes;
pub mod load;
mod ranges;
mod unused;
