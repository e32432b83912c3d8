//! The state of the walk, but for its findings. It says where the walk is, what names stand for there, and what values
//! are made of.
//!
//! | file | job |
//! | --- | --- |
//! | `env` | names in scope, and the values that a session keeps between inputs |
//! | `frame` | the script that is walked, and what names stand for in it; a function has a frame of its own |
//! | `graph` | the nodes of the program, what is known of them, and the sizes that are equal |
//! | `single_axes` | the axes that went because their length is 1, where lengths have names |
//! | `uses` | what the expressions of a script are used for |

pub mod env;
pub(in crate::check) mod frame;
pub(in crate::check) mod graph;
pub(in crate::check) mod single_axes;
mod uses;
