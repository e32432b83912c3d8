//! `arr`: a small typed array-expression language.

pub mod diagnostic;
pub mod source;
pub mod syntax;
