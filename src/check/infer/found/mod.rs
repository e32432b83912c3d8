//! The yield of the walk beside the program. It has findings for the user, facts for the passes of
//! [`crate::check::lint`], and the typed tree.
//!
//! | file | job |
//! | --- | --- |
//! | `f64_origins` | where an f64 that nobody asked for was decided |
//! | `facts` | what was inferred, fact by fact |
//! | `findings` | what was found, each finding with the calls that led to it |
//! | `record` | the typed tree: what every expression is, and how operands met |
//! | `suppress` | which findings the comments of the scripts silence |
//! | `unreported` | errors that nobody reported, which never end in success |
//! | `verify` | what holds in every typed tree |
//! | `walk_cause` | what led to a walk of a function or of a file |

pub(in crate::check) mod f64_origins;
pub(in crate::check) mod facts;
pub(in crate::check) mod findings;
pub mod record;
mod suppress;
pub(in crate::check) mod unreported;
mod verify;
pub(in crate::check) mod walk_cause;
