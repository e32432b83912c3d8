//! The function around the body of a fold, whose accumulators stay in registers.
//!
//! ```text
//! fn(scratch, operands, start, len, _, _):
//!   every accumulator holds what leaves each value as it is
//!   for each 32 elements:
//!     the body, of one chunk after the other: an accumulator and a term become the accumulator
//!   accumulators go to memory
//! ```
//!
//! The body's last input and its output are accumulators; elements come in multiples of 32. A vector of accumulators is
//! copied to the register that the body reads, and back, unless one instruction at the end of the body combines them.
//!
//! Such a body is that of whole folds too, of any number of elements up to a block, and of row after row. Without
//! masks, accumulators are in scratch while the elements that are left join them, a chunk at a time.
//!
//! ```text
//! fn(scratch, operands, start, len, rows, to_next):
//!   for each row:
//!     every accumulator holds what leaves each value as it is
//!     for each 32 elements, as long as there are so many: the body, of one chunk after the other
//!     of the elements that are left: the body, whose results go to some lanes of accumulators
//!     the upper half of the accumulators joins the lower until there is one, which goes to memory
//!     operands move on
//! ```

use super::super::assembler::{
    Assembler, Gpr, Immediate, JumpCondition, Masking, Memory, RAX, RCX, RDX, RSI, RSP, Rm, VectorBits, Writes,
};
use super::super::registers::{AllocatedBody, PlacedInstruction};
use super::super::rows;
use super::super::steps::{Allocation, InstructionBody, InstructionForm};
use super::function::ADDRESSES;
use super::transfer::LAST;
use super::{ChunkKind, Emitter, OperandPlaces, SLOT, at, slot_memory};
use crate::exec::stepping::{Loop, LoopInput, Step};

/// Terms that are accumulated side by side.
pub(in super::super) const ACCUMULATORS: usize = 32;

/// The instruction at the end of a body that combines accumulators with terms.
#[derive(Clone, Copy)]
pub(super) struct Combining {
    /// Its number among the steps, and that of the load of accumulators.
    last: usize,
    load: usize,
    step: PlacedInstruction,
    /// The register that the accumulators are loaded to.
    loaded: u8,
}

impl Combining {
    pub(super) fn of(code: &Loop, steps: &[PlacedInstruction]) -> Option<Combining> {
        let accumulators = |step: &PlacedInstruction| matches!(step.form, InstructionForm::Load { input, .. } if input + 1 == code.inputs.len());
        let load = steps.iter().position(accumulators)?;
        let [.., step, store] = steps else { return None };
        let (last, loaded) = (steps.len() - 2, steps[load].result);
        let is_stored = matches!(store.form, InstructionForm::Store { .. });
        let plain = step.form == InstructionForm::Plain && step.mask.is_none() && step.immediate.is_none();
        let reads = |step: &PlacedInstruction| [step.first.map(Allocation::Register), Some(step.last)];
        let is_loaded = |home: &Option<Allocation>| *home == Some(Allocation::Register(loaded));
        // Of both operands one is the accumulators, which nothing else reads or overwrites.
        let once = reads(step).iter().filter(|home| is_loaded(home)).count() == 1 && load < last;
        let others = steps.get(load + 1..last)?;
        let alone = others.iter().all(|other| other.result != loaded && !reads(other).iter().any(is_loaded));
        let result = store.last == Allocation::Register(step.result);
        (is_stored && plain && once && alone && result && step.first.is_some()).then_some(Combining {
            last,
            load,
            step: *step,
            loaded,
        })
    }

    /// Of a whole vector of accumulators.
    pub(super) fn length(&self) -> VectorBits {
        self.step.length
    }

    /// The instruction with other accumulators, which it overwrites.
    fn with(&self, accumulators: u8) -> PlacedInstruction {
        let mut step = PlacedInstruction { result: accumulators, ..self.step };
        if step.first == Some(self.loaded) {
            step.first = Some(accumulators);
        } else {
            step.last = Allocation::Register(accumulators);
        }
        step
    }

    /// The instruction of accumulators and others.
    fn of_both(&self, accumulators: u8, others: u8, length: VectorBits) -> PlacedInstruction {
        let (first, last) = (Some(accumulators), Allocation::Register(others));
        PlacedInstruction { result: accumulators, first, last, length, ..self.step }
    }
}

/// Writes the function; `None` when it has too many operands. With `ends`, accumulators become one total.
pub(in super::super) fn emit_fold(
    code: &Loop,
    body: &InstructionBody,
    allocated: &AllocatedBody,
    (neutral, ends): ([u8; 64], bool),
    a: &mut Assembler,
) -> Option<()> {
    let combining = Combining::of(code, &allocated.steps);
    let backwards = |input: &LoopInput| matches!(input, LoopInput::Array(_, Step::Back));
    let is_whole = body.target.has_masks() || matches!(code.dtype(code.outputs[0].value).size(), 4 | 8);
    if ends && (combining.is_none() || !is_whole || code.inputs.iter().any(backwards)) {
        return None;
    }
    let mut emitter = begun(code, body, allocated, a);
    let mut used = emitter.choose_addresses()?;
    // Where the next vector of accumulators in scratch is.
    let partial = *ADDRESSES.get(used).filter(|_| ends).unwrap_or(&RAX);
    if ends && !body.target.has_masks() {
        used = if partial == RAX { return None } else { used + 1 };
    }
    // As loops over rows have it; nobody reads how many there are.
    let frame = emitter.enter(used);
    emitter.find_operands();
    emitter.first_table();
    emitter.constants();
    match combining.filter(|_| ends) {
        Some(combining) => emitter.whole_folds(neutral, combining, partial)?,
        None => {
            emitter.bring_repeated();
            emitter.fold(neutral, combining);
        }
    }
    emitter.leave(frame);
    Some(())
}

/// A function in the making. The accumulators that the body reads have no address.
pub(super) fn begun<'e>(
    code: &'e Loop,
    body: &'e InstructionBody,
    allocated: &'e AllocatedBody,
    a: &'e mut Assembler,
) -> Emitter<'e> {
    let in_scratch = (1..=code.inputs.len()).map(|count| (count == code.inputs.len()).then_some(0)).collect();
    let places = OperandPlaces { in_scratch, last_row: allocated.slots, ..OperandPlaces::default() };
    Emitter { places, ..Emitter::new(code, body, allocated, a) }
}

impl Emitter<'_> {
    fn begin_fold(&mut self, neutral: [u8; 64]) -> usize {
        let chunks = ACCUMULATORS / self.body.chunk;
        self.neutral(neutral, chunks);
        self.a.clear(RDX);
        chunks
    }

    /// Fills the first `count` vectors of accumulators with `neutral`, which leaves each value as it is.
    pub(super) fn neutral(&mut self, neutral: [u8; 64], count: usize) {
        let bytes = self.operand_dtype(self.code.inputs.len()).size();
        let pooled = self.a.add_to_pool(neutral);
        let (row, neutral) = match bytes {
            4 | 8 => (self.body.target.repeating(bytes), Memory::Part(pooled, bytes)),
            _ => (self.body.target.moving(8), Memory::Pool(pooled)),
        };
        for accumulator in 0..count as u8 {
            self.whole_vector(row, (Writes::Register, accumulator, None, Rm::Memory(neutral)));
        }
    }

    /// Accumulators join others.
    pub(super) fn join(&mut self, combining: Combining, (to, from): (u8, u8), length: VectorBits) {
        let step = combining.of_both(to, from, length);
        self.vector(&step, (Writes::Register, to, step.first, Rm::Register(from)));
    }

    fn fold(&mut self, neutral: [u8; 64], combining: Option<Combining>) {
        let chunks = self.begin_fold(neutral);
        let again = self.a.label();
        self.a.align();
        self.a.place(again);
        (0..chunks).for_each(|chunk| self.accumulate(chunk, chunk, combining, ChunkKind::Whole));
        self.a.add(RDX, ACCUMULATORS as i32);
        self.a.compare(RDX, RCX);
        self.a.jump(JumpCondition::Differs, again);
        self.a.clear(RDX);
        let stores = self.allocated.steps.iter().filter(|step| matches!(step.form, InstructionForm::Store { .. }));
        for store in stores {
            for chunk in 0..chunks {
                self.transfer(store, chunk as u8, self.code.inputs.len(), (chunk, 0), ChunkKind::Whole);
            }
        }
    }

    /// Folds of whole rows; `None` where an operand has no register for its address.
    fn whole_folds(&mut self, neutral: [u8; 64], combining: Combining, partial: Gpr) -> Option<()> {
        let inputs = self.code.inputs.len();
        let moving = |operand: &usize| *operand + 1 != inputs;
        if (0..self.places.addresses.len()).filter(moving).any(|operand| self.places.addresses[operand].is_none()) {
            return None;
        }
        let [next_row, done] = [(); 2].map(|()| self.a.label());
        self.a.place(next_row);
        self.bring_repeated();
        let chunks = self.begin_fold(neutral);
        let [again, rest, end] = [(); 3].map(|()| self.a.label());
        // The last index at which `ACCUMULATORS` elements are left; perhaps negative.
        self.a.copy(RSI, RCX);
        self.a.add(RSI, -(ACCUMULATORS as i32));
        self.a.compare(RDX, RSI);
        self.a.jump(JumpCondition::More, rest);
        self.a.align();
        self.a.place(again);
        (0..chunks).for_each(|chunk| self.accumulate(chunk, chunk, Some(combining), ChunkKind::Whole));
        self.a.add(RDX, ACCUMULATORS as i32);
        self.a.compare(RDX, RSI);
        self.a.jump(JumpCondition::AtMost, again);
        self.a.place(rest);
        if self.body.target.has_masks() {
            for chunk in 0..chunks {
                self.a.compare(RDX, RCX);
                self.a.jump(JumpCondition::NotLess, end);
                self.last_masks();
                self.accumulate(0, chunk, Some(combining), ChunkKind::Last);
                self.a.add(RDX, self.body.chunk as i32);
            }
        } else {
            self.a.compare(RDX, RCX);
            self.a.jump(JumpCondition::NotLess, end);
            self.left_in_scratch(chunks, combining, partial);
        }
        self.a.place(end);
        self.total(chunks, combining);
        self.a.decrement(at(RSP, 0));
        self.a.jump(JumpCondition::Equal, done);
        self.a.load(RAX, at(RSP, super::DISTANCE));
        for operand in (0..self.places.addresses.len()).filter(moving) {
            let register = self.places.addresses[operand].expect("every other operand has one");
            self.a.add_from(register, at(RAX, operand as i32 * super::DISTANCE));
        }
        self.a.jump(JumpCondition::Always, next_row);
        self.a.place(done);
        Some(())
    }

    /// The elements that are left join accumulators in scratch: whole chunks, then the lanes that there are elements
    /// of.
    fn left_in_scratch(&mut self, chunks: usize, combining: Combining, partial: Gpr) {
        const { assert!(SLOT == 64) };
        let chunk = self.body.chunk as i32;
        let first = self.places.last_row + 1 + super::count_scratch(self.code);
        let (moving, storing) = (self.body.target.moving(8), self.body.target.storing(8));
        let row = |number: usize| Rm::Memory(slot_memory(first + number));
        for number in 0..chunks {
            self.whole_vector(storing, (Writes::Last, number as u8, None, row(number)));
        }
        let [whole, last, done] = [(); 3].map(|()| self.a.label());
        let here = Rm::Memory(at(partial, 0));
        self.a.address(partial, slot_memory(first));
        self.a.place(whole);
        self.a.address(RSI, at(RDX, chunk));
        self.a.compare(RSI, RCX);
        self.a.jump(JumpCondition::More, last);
        self.whole_vector(moving, (Writes::Register, 0, None, here));
        self.accumulate(0, 0, Some(combining), ChunkKind::Whole);
        self.whole_vector(storing, (Writes::Last, 0, None, here));
        self.a.add(partial, SLOT as i32);
        self.a.add(RDX, chunk);
        self.a.jump(JumpCondition::Always, whole);
        self.a.place(last);
        self.a.compare(RDX, RCX);
        self.a.jump(JumpCondition::NotLess, done);
        self.whole_vector(moving, (Writes::Register, 0, None, here));
        self.accumulate(0, 0, Some(combining), ChunkKind::Last);
        // Ones in the bytes of the elements that are left, and zeros behind them.
        let bytes = self.operand_dtype(self.code.inputs.len()).size();
        let ones = self.a.add_to_pool(std::array::from_fn(|byte| if byte < 32 { 0xff } else { 0 }));
        self.a.address(RAX, Memory::Pool(ones));
        self.a.copy(RSI, RDX);
        self.a.subtract(RSI, RCX);
        let lanes = Memory::At { base: RAX, index: Some((RSI, bytes as u8)), offset: 32 };
        self.whole_vector(moving, (Writes::Register, 2, None, Rm::Memory(lanes)));
        self.whole_vector(moving, (Writes::Register, 1, None, here));
        let operands = (Writes::Register, 0, Some(1), Rm::Register(0));
        self.a.vector(rows::of(rows::avx2::BLEND, 1), VectorBits::Ymm, operands, Some(Immediate::Register(2)));
        self.whole_vector(storing, (Writes::Last, 0, None, here));
        self.a.place(done);
        for number in 0..chunks {
            self.whole_vector(moving, (Writes::Register, number as u8, None, row(number)));
        }
    }

    /// The upper half of the accumulators joins the lower until there is one, which goes to memory.
    fn total(&mut self, mut chunks: usize, combining: Combining) {
        let output = self.code.inputs.len();
        let bytes = self.operand_dtype(output).size();
        let mut length = combining.step.length;
        while chunks > 1 {
            chunks /= 2;
            (0..chunks as u8).for_each(|lower| self.join(combining, (lower, lower + chunks as u8), length));
        }
        // Nobody needs this register between two bodies.
        let upper = combining.loaded;
        for (from, row, half) in [
            (VectorBits::Zmm, rows::UPPER_HALF[1], VectorBits::Ymm),
            (VectorBits::Ymm, rows::UPPER_HALF[0], VectorBits::Xmm),
        ] {
            if length == from {
                let operands = (Writes::Last, 0, None, Rm::Register(upper));
                match self.body.target.has_masks() {
                    true => self.a.evex(row, from, operands, None, Some(1)),
                    false => self.a.vector(rows::avx2::EXTRACT, from, operands, Some(Immediate::Byte(1))),
                }
                self.join(combining, (0, upper), half);
                length = half;
            }
        }
        let mut apart = (self.body.chunk * bytes / 2).min(8);
        while apart >= bytes {
            let operands = (Writes::First, 3, Some(upper), Rm::Register(0));
            match self.body.target.has_masks() {
                true => self.a.evex(rows::SHIFT_BYTES_RIGHT, VectorBits::Xmm, operands, None, Some(apart as u8)),
                false => {
                    let bytes = Some(Immediate::Byte(apart as u8));
                    self.a.vector(rows::SHIFT_BYTES_RIGHT, VectorBits::Xmm, operands, bytes);
                }
            }
            self.join(combining, (0, upper), VectorBits::Xmm);
            apart /= 2;
        }
        let register = self.places.addresses[output].expect("an output has an address");
        let place = Rm::Memory(at(register, 0));
        if !self.body.target.has_masks() {
            let row = if bytes == 4 { rows::avx2::STORE_WORD } else { rows::STORE_QUAD };
            return self.a.vector(row, VectorBits::Xmm, (Writes::Last, 0, None, place), None);
        }
        self.a.set(RAX, 1);
        self.a.mask_of(LAST, RAX);
        let mask = Masking { register: LAST, zeroing: false };
        let row = self.body.target.storing(bytes);
        self.a.evex(row, VectorBits::Xmm, (Writes::Last, 0, None, place), Some(mask), None);
    }

    /// Writes the body for the chunk that is `chunk` chunks after the index, and for the vector of accumulators with
    /// the number `accumulator`.
    pub(super) fn accumulate(
        &mut self,
        chunk: usize,
        accumulator: usize,
        combining: Option<Combining>,
        kind: ChunkKind,
    ) {
        let accumulator = accumulator as u8;
        let allocated = self.allocated;
        for (number, step) in allocated.steps.iter().enumerate() {
            match (combining, step.form) {
                (Some(combining), _) if number == combining.load || number > combining.last => {}
                (Some(combining), _) if number == combining.last => {
                    let mask = (kind == ChunkKind::Last && self.body.target.has_masks()).then_some((LAST, false));
                    let step = PlacedInstruction { mask, ..combining.with(accumulator) };
                    let rm = self.rm(&step);
                    self.vector(&step, (Writes::Register, step.result, step.first, rm));
                }
                (_, InstructionForm::Load { input, .. }) if input + 1 == self.code.inputs.len() => {
                    self.move_vector(step.result, accumulator);
                }
                (_, InstructionForm::Store { .. }) => {
                    let Allocation::Register(from) = step.last else { unreachable!("stored from registers") };
                    self.move_vector(accumulator, from);
                }
                _ => self.step(allocated, step, chunk, kind),
            }
        }
    }

    fn move_vector(&mut self, to: u8, from: u8) {
        self.whole_vector(self.body.target.moving(8), (Writes::Register, to, None, Rm::Register(from)));
    }
}
