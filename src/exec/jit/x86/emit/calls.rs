//! Calls of functions of a chunk's elements, slow paths out of line among them.
//!
//! What must survive a call goes to the stack, vectors in rows by their number; so operands lie in memory as they are.
//! All slow paths have one function that saves registers and one that restores them.
//!
//! ```text
//! how many rows, how far operands move | vectors | a row for the result | masks | general registers
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
        let registers = (MASKS + GENERAL.len() + CALLER_SAVED) as i32 * DISTANCE;
        let bytes = self.row_of(self.body.target.vectors() + 1) - COUNTS + registers;
        // What is there already: where to return to, and what was saved.
        let above = (saved as i32 + 1) * DISTANCE + COUNTS;
        (above + bytes + 15) / 16 * 16 - above
    }

    fn row_of(&self, vector: usize) -> i32 {
        COUNTS + (vector * SLOT) as i32
    }

    /// A place for a vector.
    fn vector_row(&self, vector: u8) -> Memory {
        at(RSP, self.row_of(vector.into()))
    }

    fn result_row(&self) -> Memory {
        at(RSP, self.row_of(self.body.target.vectors()))
    }

    /// A place for a mask, or for a general register behind those.
    fn word(&self, number: usize) -> Memory {
        at(RSP, self.row_of(self.body.target.vectors() + 1) + number as i32 * DISTANCE)
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
        let mut all = RegisterSet::default();
        for SlowPath { step, number, kind, begin, back } in &paths {
            let live = self.live(step, *kind);
            (all.vectors, all.masks) = (all.vectors | live.vectors, all.masks | live.masks);
            self.a.place(*begin);
            self.a.call_label(save);
            let from = self.called(step, *number);
            self.a.call_label(restore);
            self.take_result(step, from, self.body.calls[*number].result.size());
            self.a.jump(JumpCondition::Always, *back);
        }
        if paths.is_empty() {
            return;
        }
        for (label, how) in [(save, StackMove::Save), (restore, StackMove::Restore)] {
            self.a.place(label);
            // Where to return to lies below everything else.
            self.move_live(all, how, DISTANCE);
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
        let from = if let Allocation::Register(number) = step.last { Some(number) } else { None };
        for number in [step.first, from, Some(step.result)].into_iter().flatten() {
            live.vectors |= 1 << number;
        }
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
        let moved = |place: Memory| match place {
            Memory::At { base, index, offset } => Memory::At { base, index, offset: offset + below },
            other @ (Memory::Pool(_) | Memory::Part(..) | Memory::Lane(_)) => other,
        };
        let general: Vec<Gpr> = GENERAL.into_iter().chain(ADDRESSES[..CALLER_SAVED].iter().copied()).collect();
        for (number, register) in general.into_iter().enumerate() {
            let place = moved(self.word(MASKS + number));
            if restores { self.a.load(register, place) } else { self.a.store(register, place) }
        }
        for mask in (0..MASKS as u8).filter(|mask| live.masks >> mask & 1 != 0) {
            let place = moved(self.word(mask.into()));
            self.a.mask_in_memory(if restores { rows::KLOAD } else { rows::KSTORE }, mask, place);
        }
        let target = self.body.target;
        // From the first row on distances are short.
        self.a.address(RAX, moved(self.vector_row(0)));
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
