//! The loops of a step with the addresses that they run over.

use super::memory::RunMemory;
use crate::exec::plan::{LoopNest, Loops};
use crate::exec::space::PerOperand;
use crate::exec::stepping::LoopOperand;
use std::ops::Deref;

/// Loops with the address of each operand.
pub(super) struct BoundLoops<'b> {
    pub(super) nest: &'b LoopNest,
    pub(super) addresses: PerOperand<usize>,
    /// Where what is read by position begins.
    pub(super) tables: PerOperand<usize>,
}

impl Deref for BoundLoops<'_> {
    type Target = Loops;

    fn deref(&self) -> &Loops {
        &self.nest.loops
    }
}

impl<'b> BoundLoops<'b> {
    pub(super) fn new(nest: &'b LoopNest, memory: &RunMemory) -> BoundLoops<'b> {
        BoundLoops {
            nest,
            addresses: nest.origins.iter().map(|&origin| memory.origin(origin)).collect(),
            tables: memory.tables(nest),
        }
    }

    /// Places the operands at some distance from their beginning.
    pub(super) fn place(&self, operands: &mut PerOperand<LoopOperand>, offsets: &[&[isize]]) {
        operands.clear();
        for (operand, (&address, &stride)) in self.addresses.iter().zip(&self.nest.nest.moves).enumerate() {
            let distance = offsets.iter().fold(0isize, |sum, offsets| sum.wrapping_add(offsets[operand]));
            operands.push(LoopOperand { address: address.wrapping_add_signed(distance), stride });
        }
    }
}
