//! The last elements by the loop over whole chunks. They go from rows of scratch and to rows of scratch, one for each
//! operand.
//!
//! So there is one copy of the body less. Under a mask one instruction moves all elements of an operand: with AVX2 in a
//! run those of four or eight bytes; others are copied one by one.

use super::super::assembler::{Gpr, JumpCondition, Masking, Memory, RAX, RCX, RDI, RDX, RSI, Rm, Writes};
use super::super::registers::{AllocatedBody, PlacedInstruction};
use super::super::rows;
use super::super::steps::{Allocation, InstructionForm};
use super::transfer::{LAST, LAST_HIGH};
use super::{ChunkKind, DISTANCE, Emitter, SLOT, at};
use crate::exec::stepping::Loop;

/// Rows of scratch that the last elements of a loop need if a round has `round` elements. Among them are the rows in
/// which addresses are kept meanwhile.
pub(in super::super) fn scratch(code: &Loop, round: usize) -> usize {
    kept(code) + operands(code) * rows_of(round)
}

/// Rows of an operand: elements of eight bytes have room, and a vector that begins at the last of them.
fn rows_of(round: usize) -> usize {
    (round * 8).div_ceil(SLOT) + 1
}

fn operands(code: &Loop) -> usize {
    code.inputs.len() + code.outputs.len()
}

fn kept(code: &Loop) -> usize {
    (operands(code) * DISTANCE as usize).div_ceil(SLOT)
}

/// Lanes of a mask register.
const MASK: usize = 64;

/// An operand that the index moves.
struct MovingOperand {
    operand: usize,
    address: Gpr,
    /// Bytes of an element.
    size: usize,
    /// The first step that loads or stores it.
    step: PlacedInstruction,
}

/// Which way the last elements of an operand go.
#[derive(Clone, Copy)]
enum RowCopy {
    /// From memory to the row of scratch.
    In,
    /// From the row of scratch to memory.
    Out,
}

impl Emitter<'_> {
    /// Whether a chunk of each operand has room in a row.
    pub(super) fn takes_last_as_chunk(&self) -> bool {
        let fits = |operand: usize| {
            let bytes = self.operand_dtype(operand).size();
            bytes <= 8 && bytes * self.body.chunk <= SLOT && !self.is_alternate(operand) && !self.is_back(operand)
        };
        // A run has no need of little code.
        let moving = self.moving(self.allocated);
        let under_masks = self.body.target.has_masks() || moving.iter().all(|it| self.is_chosen(it.operand));
        (self.a.is_linked() || !under_masks) && moving.iter().all(|it| fits(it.operand))
    }

    fn moving(&self, allocated: &AllocatedBody) -> Vec<MovingOperand> {
        let operands = 0..self.places.addresses.len();
        let moves = |operand: &usize| !self.is_repeated(*operand) && !self.is_count(*operand);
        let one = |operand: usize| {
            let count = self.code.inputs.len();
            let is_it = |step: &&PlacedInstruction| {
                matches!(step.form, InstructionForm::Load { input, .. } if input == operand)
                    || matches!(step.form, InstructionForm::Store { output, .. } if count + output == operand)
            };
            let step = *allocated.steps.iter().find(is_it)?;
            Some(MovingOperand {
                operand,
                address: self.places.addresses[operand]?,
                size: self.operand_dtype(operand).size(),
                step,
            })
        };
        operands.filter(moves).filter_map(one).collect()
    }

    fn first_row(&self) -> usize {
        self.places.last_row + 1 + super::count_scratch(self.code)
    }

    fn kept_address(&self, operand: usize) -> Memory {
        at(RDI, (self.first_row() * SLOT) as i32 + operand as i32 * DISTANCE)
    }

    /// How far the elements of an operand are in scratch.
    fn row_of_last(&self, operand: usize, round: usize) -> i32 {
        ((self.first_row() + kept(self.code) + operand * rows_of(round)) * SLOT) as i32
    }

    /// Whether the last elements can go as a round of `chunks` chunks: one mask has room for all of its lanes.
    pub(super) fn takes_last_as_round(&self, chunks: usize) -> bool {
        self.a.is_linked() && chunks * self.body.chunk <= MASK && self.takes_last_as_chunk()
    }

    /// Writes whole rounds of `chunks` chunks, then the last elements, by one copy of the steps.
    pub(super) fn whole_and_last(&mut self, chunks: usize, allocated: &AllocatedBody, aligned: bool) {
        let [again, rest, left, done] = [(); 4].map(|()| self.a.label());
        let round = chunks * self.body.chunk;
        self.a.copy(RSI, RCX);
        self.a.add(RSI, -(round as i32));
        self.a.compare(RDX, RSI);
        self.a.jump(JumpCondition::More, rest);
        if aligned {
            self.a.align();
        }
        self.a.place(again);
        self.chunk(allocated, 0, ChunkKind::Whole);
        self.a.add(RDX, round as i32);
        self.a.compare(RDX, RSI);
        self.a.jump(JumpCondition::AtMost, again);
        self.a.place(rest);
        self.a.compare(RDX, RCX);
        self.a.jump(JumpCondition::Equal, done);
        // What is done goes beyond the end only when the last elements are done.
        self.a.jump(JumpCondition::AtMost, left);
        self.end_last(round, allocated);
        self.a.jump(JumpCondition::Always, done);
        self.a.place(left);
        self.begin_last(round, allocated);
        self.a.jump(JumpCondition::Always, again);
        self.a.place(done);
    }

    /// Operands lead to rows of scratch, where the last elements of inputs are. What is behind them is computed for
    /// nobody.
    fn begin_last(&mut self, round: usize, allocated: &AllocatedBody) {
        self.last_masks();
        for it in self.moving(allocated) {
            let row = self.row_of_last(it.operand, round);
            self.a.store(it.address, self.kept_address(it.operand));
            if it.operand < self.code.inputs.len() {
                self.copy_last(&it, round, allocated, RowCopy::In);
            }
            // The index is that of the first of them.
            self.a.copy(RAX, RDX);
            self.a.negate(RAX);
            self.a.address(it.address, Memory::At { base: RDI, index: Some((RAX, it.size as u8)), offset: row });
        }
        // Behind them there is no whole round.
        self.a.copy(RSI, RDX);
    }

    /// Operands lead to where they did; the last elements of outputs go there.
    fn end_last(&mut self, round: usize, allocated: &AllocatedBody) {
        self.a.add(RDX, -(round as i32));
        self.last_masks();
        for it in self.moving(allocated) {
            self.a.load(it.address, self.kept_address(it.operand));
            if it.operand < self.code.inputs.len() {
                continue;
            }
            self.copy_last(&it, round, allocated, RowCopy::Out);
        }
    }

    /// Copies the last elements of an operand, to its row or from there.
    fn copy_last(&mut self, it: &MovingOperand, round: usize, allocated: &AllocatedBody, way: RowCopy) {
        if self.body.target.has_masks() {
            return self.copy_masked(it, round, way);
        }
        let register = self.moved_by(it);
        let mask = allocated.without_fixed(self.body.target.vectors(), register);
        // The vector that masks are read from would make what is linked larger.
        let under_mask = !self.a.is_linked() && matches!(it.size, 4 | 8) && round * it.size <= SLOT;
        match mask.filter(|_| under_mask) {
            Some(mask) => self.copy_chosen(it, round, (register, mask), way),
            None => {
                self.copy_each(it, round, way);
                self.a.load(it.address, self.kept_address(it.operand));
            }
        }
    }

    /// The register that an operand is loaded to or stored from: nothing else is in it between two turns.
    fn moved_by(&self, it: &MovingOperand) -> u8 {
        match (it.step.form, it.step.last) {
            (InstructionForm::Store { .. }, Allocation::Register(from)) => from,
            _ => it.step.result,
        }
    }

    /// Copies the last elements under masks that are vectors.
    fn copy_chosen(&mut self, it: &MovingOperand, round: usize, (register, mask): (u8, u8), way: RowCopy) {
        let (target, wide) = (self.body.target, it.size / 8);
        for begin in (0..round).step_by(target.bytes() / it.size) {
            let offset = (begin * it.size) as i32;
            self.choose_last(mask, it.size, offset);
            let memory = Rm::Memory(Memory::At { base: it.address, index: Some((RDX, it.size as u8)), offset });
            let row = Rm::Memory(at(RDI, self.row_of_last(it.operand, round) + offset));
            match way {
                RowCopy::In => {
                    self.whole_vector(rows::avx2::LOAD_CHOSEN[wide], (Writes::Register, register, Some(mask), memory));
                    self.whole_vector(target.storing(8), (Writes::Last, register, None, row));
                }
                RowCopy::Out => {
                    self.whole_vector(target.moving(8), (Writes::Register, register, None, row));
                    self.whole_vector(rows::avx2::STORE_CHOSEN[wide], (Writes::Last, register, Some(mask), memory));
                }
            }
        }
    }

    /// Copies the last elements under masks.
    fn copy_masked(&mut self, it: &MovingOperand, round: usize, way: RowCopy) {
        let register = self.moved_by(it);
        let length = self.body.target.whole();
        let lanes = length.bytes() / it.size;
        let (load, store) = (rows::of(rows::MOVE, it.size), rows::of(rows::STORE, it.size));
        for begin in (0..round).step_by(lanes) {
            let mask = if begin == 0 { LAST } else { LAST_HIGH };
            if begin > 0 {
                self.a.mask(rows::KSHIFT_RIGHT, mask, None, LAST, Some(begin as u8));
            }
            let offset = (begin * it.size) as i32;
            let memory = Memory::At { base: it.address, index: Some((RDX, it.size as u8)), offset };
            let row = at(RDI, self.row_of_last(it.operand, round) + offset);
            let under = |zeroing| Some(Masking { register: mask, zeroing });
            let operands = |writes, place| (writes, register, None, Rm::Memory(place));
            let (from, to, chosen) = match way {
                RowCopy::In => (memory, row, None),
                RowCopy::Out => (row, memory, under(false)),
            };
            self.a.evex(load, length, operands(Writes::Register, from), under(true), None);
            self.a.evex(store, length, operands(Writes::Last, to), chosen, None);
        }
    }

    /// Copies the last elements one by one. The address moves on.
    fn copy_each(&mut self, it: &MovingOperand, round: usize, way: RowCopy) {
        let MovingOperand { address, size, .. } = *it;
        let again = self.a.label();
        let behind = |base: Gpr, offset: i32| Memory::At { base, index: Some((RAX, size as u8)), offset };
        self.a.address(address, Memory::At { base: address, index: Some((RDX, size as u8)), offset: 0 });
        self.a.copy(RAX, RCX);
        self.a.subtract(RAX, RDX);
        let first = -(size as i32);
        let (memory, row) = (behind(address, first), behind(RDI, self.row_of_last(it.operand, round) + first));
        let (from, to) = match way {
            RowCopy::In => (memory, row),
            RowCopy::Out => (row, memory),
        };
        self.a.place(again);
        self.a.load_element(size, RSI, from);
        self.a.store_element(size, RSI, to);
        self.a.count_down(RAX);
        self.a.jump(JumpCondition::Differs, again);
    }
}
