//! Calls of functions that are written in the language. Those are functions of a script, of a file that it uses, and of
//! `arr` itself.
//!
//! | file | job |
//! | --- | --- |
//! | `bundled_functions` | calls of functions that came with the language and are written in it |
//! | `closure` | functions as values: a definition with the values of the names that it does not bind |
//! | `free` | the names that a function or a script uses and does not bind |
//! | `function` | walks the body of a function with the values of a call |
//! | `library` | `use "lib.arr"`: functions and constants of another file |
//! | `memo` | calls that were made before and are not walked again |
//! | `unit` | the functions of a script, which may use each other in any order |

pub(in crate::check) mod bundled_functions;
pub mod closure;
pub(in crate::check) mod free;
pub(in crate::check) mod function;
pub mod library;
pub(super) mod memo;
pub(in crate::check) mod unit;
