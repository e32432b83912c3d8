//! Calls, with attributes. A call means a row of [`crate::ops`] or a function, and gives it arguments. What a row
//! computes is in the folder of its kind.
//!
//! | file | job |
//! | --- | --- |
//! | `arguments` | makes of arguments what the roles of parameters say, and hands them to the folder of the row |
//! | `attribute` | attributes: what an array says of itself, and views that are written as one |
//! | `call` | which function is meant, and which argument belongs to which parameter |
//! | `elsewhere` | names that mean something elsewhere, and the code to write for them |
//! | `list` | arguments that are lists |
//! | `question` | questions about dtypes and shapes |

pub(in crate::check) mod arguments;
mod attribute;
mod call;
pub(in crate::check) mod elsewhere;
mod list;
mod question;
