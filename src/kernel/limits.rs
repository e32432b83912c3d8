//! The limits of a kernel's length.
//!
//! A body of more than [`MAX_INSTS`] instructions is cut: its lower part is stored, and the next kernel reads it again.

/// The most instructions of one body: compile time is quadratic in it.
pub const MAX_INSTS: usize = 256;

/// The most values that one kernel stores or reduces.
pub(super) const MAX_SINKS: usize = 64;
