//! `arr`: a small typed array-expression language.

pub mod array;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diagnostic;
pub mod exec;
pub mod io;
pub mod ir;
pub mod kernel;
pub mod ops;
pub mod promotion;
pub mod scalar;
pub mod session;
pub mod source;
pub mod syntax;
pub mod types;
