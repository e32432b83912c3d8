//! Running programs.

pub mod vmath;
