//! The loops of a step with the addresses that they run over.

use crate::exec::plan::{LoopNest, Loops, Origin, PositionReader, Storage};
use crate::exec::plan_with_code::StepCode;
use crate::exec::space::PerOperand;
use crate::exec::stepping::LoopOperand;
use std::ops::Deref;

/// Loops with the address of each operand.
pub(super) struct BoundLoops<'b> {
    pub(super) nest: &'b LoopNest,
    /// The code of the innermost loop.
    pub(super) code: &'b StepCode,
    pub(super) addresses: PerOperand<usize>,
    /// Where what is read by position begins.
    pub(super) tables: PerOperand<usize>,
}

/// The address at which an operand begins, or the first value of one that counts.
pub(super) fn first(origin: Origin, address: impl Fn(Storage) -> usize) -> usize {
    match origin {
        Origin::Count(first) => first as usize,
        Origin::At { storage, offset } => address(storage).wrapping_add_signed(offset),
    }
}

/// Where what loops read by position begins.
pub(super) fn tables(nest: &LoopNest, address: impl Fn(Storage) -> usize) -> PerOperand<usize> {
    let table = |reader: &PositionReader| address(reader.storage).wrapping_add_signed(reader.offset);
    nest.readers.iter().map(table).collect()
}

impl Deref for BoundLoops<'_> {
    type Target = Loops;

    fn deref(&self) -> &Loops {
        &self.nest.loops
    }
}

impl<'b> BoundLoops<'b> {
    /// Loops over storage whose addresses are these.
    pub(super) fn new(nest: &'b LoopNest, code: &'b StepCode, address: impl Fn(Storage) -> usize) -> BoundLoops<'b> {
        BoundLoops {
            nest,
            code,
            addresses: nest.origins.iter().map(|&origin| first(origin, &address)).collect(),
            tables: tables(nest, &address),
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
