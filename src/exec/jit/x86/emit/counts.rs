//! Counting inputs. Their next values are the first one, with the distances that the lanes add to it.
//!
//! Each count has two rows of scratch behind the body's own: what the lanes add, and the value and its distance.

use super::super::assembler::{Gpr, Memory, RAX, RDI, RDX, Rm, Writes};
use super::super::registers::PlacedInstruction;
use super::super::rows;
use super::function::description;
use super::{Emitter, OPERAND, SLOT, at, slot_memory};
use crate::exec::stepping::{Loop, LoopInput};

/// Rows of scratch for the counts of a loop.
pub(in super::super) fn scratch(code: &Loop) -> usize {
    2 * code.inputs.iter().filter(|input| **input == LoopInput::Count).count()
}

impl Emitter<'_> {
    pub(super) fn is_count(&self, operand: usize) -> bool {
        matches!(self.code.inputs.get(operand), Some(LoopInput::Count))
    }

    /// The row of what a count's lanes add, and those of its first value and its distance.
    fn count_rows(&self, operand: usize) -> [Memory; 3] {
        let before = self.code.inputs[..operand].iter().filter(|input| **input == LoopInput::Count).count();
        let row = self.places.last_row + 1 + 2 * before;
        let distance = at(RDI, ((row + 1) * SLOT + 8) as i32);
        [slot_memory(row), slot_memory(row + 1), distance]
    }

    /// Moves a count's value to the start; keeps its distance.
    pub(super) fn find_count(&mut self, operand: usize, register: Gpr) {
        let [Memory::At { base, index, offset }, Memory::At { base: scratch, offset: row, .. }] =
            [description(operand), self.count_rows(operand)[0]]
        else {
            unreachable!("both are in memory")
        };
        self.a.load(RAX, Memory::At { base, index, offset: offset + OPERAND / 2 });
        let [_, _, distance] = self.count_rows(operand);
        self.a.store(RAX, distance);
        self.a.push(RDX);
        self.a.clear(RDX);
        for lane in 0..SLOT / 8 {
            self.a.store(RDX, at(scratch, row + 8 * lane as i32));
            self.a.address(RDX, Memory::At { base: RDX, index: Some((RAX, 1)), offset: 0 });
        }
        self.a.pop(RDX);
        self.a.multiply(RAX, RDX);
        self.a.address(register, Memory::At { base: register, index: Some((RAX, 1)), offset: 0 });
    }

    /// Makes the values of a count for the chunk that is `copy` chunks after the index.
    pub(super) fn count(&mut self, step: &PlacedInstruction, operand: usize, copy: usize) {
        let [lanes, first, distance] = self.count_rows(operand);
        let base = self.places.addresses[operand].expect("operands that move have an address");
        self.a.address(RAX, at(RDX, (copy * self.body.chunk) as i32));
        self.a.multiply_from(RAX, distance);
        self.a.address(RAX, Memory::At { base, index: Some((RAX, 1)), offset: 0 });
        self.a.store(RAX, first);
        let register = step.result;
        let repeating = self.body.target.repeating(8);
        self.whole_vector(repeating, (Writes::Register, register, None, Rm::Memory(first)));
        let operands = (Writes::Register, register, Some(register), Rm::Memory(lanes));
        self.whole_vector(rows::of(rows::ADD, 8), operands);
    }
}
