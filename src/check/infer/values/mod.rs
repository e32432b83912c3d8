//! The values of expressions, as the checker knows them: the ground that all other folders stand on.
//!
//! | file | job |
//! | --- | --- |
//! | `agree` | compares values of compile time: equal, different, or equal if some dimensions are |
//! | `annotate` | reads types as written, and says whether a value agrees with them |
//! | `annotation` | what a type annotation says |
//! | `dimension` | sizes as values: numbers, or forms over names |
//! | `literal` | literals, and exact arithmetic on them |
//! | `operand` | an operand: any value that is an array, seen the same way |
//! | `operands` | makes operands of values, and nodes of operands |
//! | `value` | a value: a constant, a node of the program, or something of compile time only |
//! | `words` | words, dates and times, and words whose dictionaries differ |

pub(super) mod agree;
mod annotate;
pub(in crate::check) mod annotation;
mod dimension;
pub(in crate::check) mod literal;
pub(in crate::check) mod operand;
mod operands;
pub mod value;
mod words;
