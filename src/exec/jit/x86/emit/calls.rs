//! Calls of functions of a chunk's elements, slow paths out of line among them.
//!
//! What must survive a call goes to the stack, vectors in rows by their number; so operands lie in memory as they are.
//! All slow paths have one function that saves registers and one that restores them.
//!
//! ```text
//! how many rows, how far operands move | masks | general registers | vectors | a row for the result
//! ```

use super::super::assembler::{
    CodeLabel, Gpr, Immediate, JumpCondition, Masking, Memory, R8, RAX, RCX, RDI, RDX, RSI, RSP, Rm, Writes,
};
use super::super::registers::{PlacedInstruction, RegisterSet};
use super::super::rows;
use super::super::steps::Allocation;
use super::function::{ADDRESSES, CALLER_SAVED};
use super::{COUNTS, ChunkKind, DISTANCE, Emitter, SLOT, at, slot_memory};
use crate::exec::vmath::block_fn_for;

/// What a callee may change beside `RAX` and addresses: the end, the index, and what is at hand.
const GENERAL: [Gpr; 4] = [RCX, RDX, RSI, RDI];
/// Mask registers.
const MASKS: usize = 8;
/// Bytes of all masks and general registers. From the first vector on, short distances lead to them.
const WORD_BYTES: i32 = (MASKS + GENERAL.len() + CALLER_SAVED) as i32 * DISTANCE;
/// The mask registers of the last elements, a bit each.
const LAST_MASKS: u8 = 0b1110;

/// A call that is written behind the loop.
pub(super) struct SlowPath {
    step: PlacedInstruction,
    number: usize,
    kind: ChunkKind,
    begin: CodeLabel,
    back: CodeLabel,
}

/// Which way registers go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StackMove {
    Save,
    Restore,
}

impl Emitter<'_> {
    /// Bytes of the stack that calls need below the `saved` registers that were saved. With them, a callee finds the
    /// stack at a multiple of 16.
    pub(super) fn frame(&self, saved: usize) -> i32 {
        if self.body.calls.is_empty() {
            return 0;
        }
        let bytes = self.row_of(self.body.target.vectors() + 1) - COUNTS;
        // What is there already: where to return to, and what was saved.
        let above = (saved as i32 + 1) * DISTANCE + COUNTS;
        (above + bytes + 15) / 16 * 16 - above
    }

    fn row_of(&self, vector: usize) -> i32 {
        COUNTS + WORD_BYTES + (vector * SLOT) as i32
    }

    /// A place for a vector.
    fn vector_row(&self, vector: u8) -> Memory {
        at(RSP, self.row_of(vector.into()))
    }

    fn result_row(&self) -> Memory {
        at(RSP, self.row_of(self.body.target.vectors()))
    }

    /// A call here, or a branch to one.
    pub(super) fn call_or_branch(&mut self, step: &PlacedInstruction, number: usize, kind: ChunkKind) {
        let Some((mask, _)) = step.mask else { return self.call(step, number, kind) };
        match self.body.target.has_masks() {
            true => self.a.mask(step.row, mask, None, mask, None),
            false => {
                let operands = (Writes::Register, mask, None, Rm::Register(mask));
                self.vector(&PlacedInstruction { mask: None, ..*step }, operands);
            }
        }
        let [begin, back] = [(); 2].map(|()| self.a.label());
        self.a.jump(JumpCondition::Differs, begin);
        self.a.place(back);
        self.slow_paths.push(SlowPath { step: *step, number, kind, begin, back });
    }

    /// Writes the slow paths behind everything else.
    pub(super) fn slow_paths(&mut self) {
        let paths = std::mem::take(&mut self.slow_paths);
        let [save, restore] = [(); 2].map(|()| self.a.label());
        let (mut all, mut read) = (RegisterSet::default(), 0);
        for SlowPath { step, number, kind, begin, back } in &paths {
            let live = self.live(step, *kind);
            (all.vectors, all.masks) = (all.vectors | live.vectors, all.masks | live.masks);
            read |= read_by(step);
            self.a.place(*begin);
            self.a.call_label(save);
            let from = self.called(step, *number);
            self.a.call_label(restore);
            self.take_result(step, from, self.body.calls[*number].result.size());
            self.a.jump(JumpCondition::Always, *back);
        }
        let constants = self.pool.constants;
        if !paths.is_empty() {
            let fetched = if constants.is_some() { self.constant_registers() } else { 0 };
            // Callees read their operands where they are saved. Where to return to lies below everything else.
            let saved = RegisterSet { vectors: all.vectors & (read | !fetched), ..all };
            let restored = RegisterSet { vectors: all.vectors & !fetched, ..all };
            self.a.place(save);
            self.move_live(saved, StackMove::Save, DISTANCE);
            self.a.end();
            self.a.place(restore);
            self.move_live(restored, StackMove::Restore, DISTANCE);
        }
        if let Some(constants) = constants {
            self.a.place(constants);
            self.fetch_constants();
        }
        if constants.is_some() || !paths.is_empty() {
            self.a.end();
        }
    }

    fn call(&mut self, step: &PlacedInstruction, number: usize, kind: ChunkKind) {
        let live = self.live(step, kind);
        self.move_live(live, StackMove::Save, 0);
        let from = self.called(step, number);
        self.move_live(live, StackMove::Restore, 0);
        self.take_result(step, from, self.body.calls[number].result.size());
    }

    /// Calls a function when what must survive is saved. Returns where the result is.
    fn called(&mut self, step: &PlacedInstruction, number: usize) -> Rm {
        let called = &self.body.calls[number];
        let (count, arity) = (called.chunk as i32, called.operands.len());
        // `RDI` leads to some of them.
        let first = step.first.map(Allocation::Register);
        let third = (arity == 3).then_some(Allocation::Register(step.result));
        let operands = [first, Some(step.last), third].into_iter().flatten();
        for (to, home) in [RSI, RDX, RCX].into_iter().zip(operands) {
            let place = match home {
                Allocation::Register(number) => self.vector_row(number),
                Allocation::Slot(slot) => slot_memory(slot),
                Allocation::Pool(number) => Memory::Pool(self.pool.fixed[number]),
            };
            self.a.address(to, place);
        }
        let result = self.result_row();
        self.a.address(RDI, result);
        self.a.set(R8, count);
        let level = self.body.target.level();
        self.a.call(number, || {
            let function = block_fn_for(level, called.prim, &called.operands, called.result);
            function.expect("a verified prim has a block function") as usize
        });
        Rm::Memory(result)
    }

    /// What must survive a call, operands and all.
    fn live(&self, step: &PlacedInstruction, kind: ChunkKind) -> RegisterSet {
        let has_masks = self.body.target.has_masks();
        let mut live = step.live;
        live.vectors |= read_by(step);
        if let Some((mask, _)) = step.mask {
            if has_masks { live.masks |= 1 << mask } else { live.vectors |= 1 << mask }
        }
        if kind == ChunkKind::Last && has_masks {
            live.masks |= LAST_MASKS;
        }
        live
    }

    /// Saves the live registers on the stack, or restores them. Their places begin `below` bytes above where they are
    /// otherwise.
    fn move_live(&mut self, live: RegisterSet, how: StackMove, below: i32) {
        let restores = how == StackMove::Restore;
        let Memory::At { base, index, offset } = self.vector_row(0) else { unreachable!("rows are on the stack") };
        self.a.address(RAX, Memory::At { base, index, offset: offset + below });
        let word = |number: usize| at(RAX, number as i32 * DISTANCE - WORD_BYTES);
        let general: Vec<Gpr> = GENERAL.into_iter().chain(ADDRESSES[..CALLER_SAVED].iter().copied()).collect();
        for (number, register) in general.into_iter().enumerate() {
            let place = word(MASKS + number);
            if restores { self.a.load(register, place) } else { self.a.store(register, place) }
        }
        for mask in (0..MASKS as u8).filter(|mask| live.masks >> mask & 1 != 0) {
            self.a.mask_in_memory(if restores { rows::KLOAD } else { rows::KSTORE }, mask, word(mask.into()));
        }
        let target = self.body.target;
        for vector in (0..target.vectors() as u8).filter(|vector| live.vectors >> vector & 1 != 0) {
            let place = Rm::Memory(at(RAX, (usize::from(vector) * SLOT) as i32));
            match restores {
                true => self.whole_vector(target.moving(8), (Writes::Register, vector, None, place)),
                false => self.whole_vector(target.storing(8), (Writes::Last, vector, None, place)),
            }
        }
    }

    /// The result of a call: where the mask says so, if there is one.
    fn take_result(&mut self, step: &PlacedInstruction, from: Rm, bytes: usize) {
        let (target, result) = (self.body.target, step.result);
        let length = target.whole();
        match step.mask {
            None => self.whole_vector(target.moving(8), (Writes::Register, result, None, from)),
            Some((register, _)) if target.has_masks() => {
                let mask = Some(Masking { register, zeroing: false });
                self.a.evex(target.moving(bytes), length, (Writes::Register, result, None, from), mask, None);
            }
            Some((mask, _)) => {
                let row = rows::of(rows::avx2::BLEND, bytes);
                let operands = (Writes::Register, result, Some(result), from);
                self.a.vector(row, length, operands, Some(Immediate::Register(mask)));
            }
        }
    }
}

/// The vector registers that a call reads or writes, a bit each.
fn read_by(step: &PlacedInstruction) -> u32 {
    let last = if let Allocation::Register(number) = step.last { Some(number) } else { None };
    [step.first, last, Some(step.result)].into_iter().flatten().fold(0, |registers, number| registers | 1 << number)
}
