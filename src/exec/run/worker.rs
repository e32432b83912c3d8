//! The own state of a thread while it runs loops.

use super::bound::BoundLoops;
use crate::array::bytes::AlignedBytes;
use crate::exec::options::{RunError, Watch};
use crate::exec::plan::Nest;
use crate::exec::runnable_loop::Runner;
use crate::exec::space::{Odometer, PerOperand};
use crate::exec::stepping::LoopOperand;

/// The innermost loop, where it is, and scratch for what is not stored at once.
pub(super) struct Worker<'r> {
    pub(super) bound: &'r BoundLoops<'r>,
    /// The innermost loop, if it has something to compute.
    pub(super) runner: Option<Runner<'r>>,
    /// Among the loops around.
    pub(super) position: Odometer<'r>,
    /// Among the loops over terms.
    pub(super) row: Odometer<'r>,
    pub(super) operands: PerOperand<LoopOperand>,
    scratch: Vec<AlignedBytes>,
    since_poll: usize,
    pub(super) watch: Watch<'r>,
}

impl<'r> Worker<'r> {
    /// With scratch for `room` elements of each of some operands.
    pub(super) fn new(
        bound: &'r BoundLoops<'r>,
        scratched: impl Iterator<Item = usize>,
        room: usize,
        watch: Watch<'r>,
    ) -> Result<Worker<'r>, RunError> {
        let nest = &bound.nest.nest;
        let scratch = scratched.map(|operand| AlignedBytes::zeroed(room * bound.dtypes[operand].size()));
        Ok(Worker {
            bound,
            runner: bound.code.get().map(|ready| ready.runner(watch)).transpose()?,
            position: Odometer::new(&nest.outer, bound.dtypes.len()),
            row: Odometer::new(&nest.between, bound.dtypes.len()),
            operands: PerOperand::new(),
            scratch: scratch.collect::<Result<_, _>>().map_err(|_| watch.out_of_memory())?,
            since_poll: 0,
            watch,
        })
    }

    pub(super) fn nest(&self) -> &'r Nest {
        &self.bound.nest.nest
    }

    /// Where the scratch with a number begins.
    pub(super) fn scratch(&self, number: usize) -> usize {
        self.scratch[number].as_ptr() as usize
    }

    /// Places the operands where the loops are.
    pub(super) fn place(&mut self) {
        self.bound.place(&mut self.operands, &[self.position.offsets(), self.row.offsets()]);
    }

    /// Lets an operand lie so that its element `index` is at an address, where elements are dense.
    pub(super) fn lay(&mut self, operand: usize, index: usize, at: usize) {
        let size = self.bound.dtypes[operand].size();
        self.operands[operand].address = at.wrapping_sub(index * size);
    }

    /// Counts `elements` more elements as done, and looks at the interrupt flag if enough are done since the last look.
    pub(super) fn poll(&mut self, elements: usize) -> Result<(), RunError> {
        self.since_poll += elements;
        if self.since_poll >= self.nest().poll {
            self.watch.poll()?;
            self.since_poll = 0;
        }
        Ok(())
    }
}
