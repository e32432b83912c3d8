//! Loops that are compiled as a whole, whatever their number of steps.
//!
//! Where a step computes numbers, puts some of them in states, and has loops that do the same, all of it is one
//! function ([`scalar`]). Where a step has nothing but operations on elements, each element goes through all steps by
//! itself: [`elementwise`] finds such loops, [`operands`] has the arrays that their steps read and write, and
//! [`lanes`] runs them: lane by lane, or on vectors with the states in registers, or [`wide`] with the states in
//! scratch. Where nothing is compiled, `absent.rs` stands in the place of this file.

mod elementwise;
mod lanes;
mod operands;
mod scalar;
mod wide;

use crate::array::Array;
use crate::exec::jit;
use crate::exec::memory::Meter;
use crate::exec::options::{Options, RunError};
use crate::ir::loops::ProgramLoop;

/// Whether the states of a loop stay in registers.
pub(super) fn is_elementwise(of: &ProgramLoop) -> bool {
    elementwise::Elementwise::of(of).is_some()
}

/// Whether a loop computes numbers one by one.
pub(super) fn is_of_numbers(of: &ProgramLoop) -> bool {
    jit::scalar::takes(of)
}

/// Runs a loop, if it is one that is worth compiling.
pub(super) fn run(
    of: &ProgramLoop,
    args: &[Array],
    meter: &mut Meter,
    options: &Options,
) -> Result<Option<Vec<Array>>, RunError> {
    if let Some(results) = lanes::run(of, args, meter, options)? {
        return Ok(Some(results));
    }
    scalar::run(of, args, meter, options)
}
