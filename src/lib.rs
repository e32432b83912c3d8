//! `arr`: a small typed array-expression language.

pub mod array;
pub mod diagnostic;
pub mod exec;
pub mod ir;
pub mod kernel;
pub mod scalar;
pub mod source;
pub mod syntax;
pub mod types;
