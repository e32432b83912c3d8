//! The compiler of loops in an `arr` without one. Nothing is compiled, and every loop is interpreted.

use crate::array::bytes::OutOfMemory;
use crate::exec::stepping::Loop;
use std::time::Duration;

/// What would run a compiled loop.
pub(crate) use crate::exec::block::Interpreter as Instance;
/// There is no compiled loop.
pub(crate) use std::convert::Infallible as PreparedLoop;

/// Whether loops are compiled.
pub(crate) const IS_BUILT: bool = false;

pub(crate) fn prepare(_: &Loop, _: bool) -> Result<PreparedLoop, String> {
    Err("this build of arr has no compiler".to_owned())
}

pub(crate) fn instance(prepared: &PreparedLoop) -> Result<Instance<'_>, OutOfMemory> {
    match *prepared {}
}

pub(crate) fn take_compile_time() -> Duration {
    Duration::ZERO
}
