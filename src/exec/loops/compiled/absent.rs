//! Compiled loops in an `arr` without a compiler: there are none.

use crate::array::Array;
use crate::exec::memory::Meter;
use crate::exec::options::{Options, RunError};
use crate::ir::loops::ProgramLoop;

pub(super) fn is_elementwise(_: &ProgramLoop) -> bool {
    false
}

pub(super) fn is_of_numbers(_: &ProgramLoop) -> bool {
    false
}

pub(super) fn run(_: &ProgramLoop, _: &[Array], _: &mut Meter, _: &Options) -> Result<Option<Vec<Array>>, RunError> {
    Ok(None)
}
