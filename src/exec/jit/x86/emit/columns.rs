//! The function around the body of folds of many rows, whose columns are results.
//!
//! ```text
//! fn(scratch, operands, _, len, rows, to_eighth):
//!   for each strip of columns, the last of which may begin before the one before ends:
//!     for each of the first eight rows:
//!       four accumulators hold what leaves each value as it is
//!       of every eighth row from there on: the body, with one accumulator after the other
//!       the four become one, which goes to scratch
//!     the eight become one, which goes to memory
//! ```
//!
//! So accumulators of a strip stay in registers, as in the loops of a run. There are at least 32 rows and as many
//! columns as a strip has. The strides of operands are the bytes from row to row; what they have for the eighth row
//! after one is `to_eighth`. Scratch has the eight results, addresses of the next first row, where columns begin, and
//! those distances.

use super::super::assembler::{
    Assembler, Gpr, JumpCondition, Memory, R8, R9, RAX, RCX, RDI, RDX, RSI, RSP, Rm, Writes,
};
use super::super::registers::AllocatedBody;
use super::super::steps::InstructionBody;
use super::folds::{Combining, begun};
use super::function::{ADDRESSES, callee_saved, description};
use super::{ChunkKind, DISTANCE, Emitter, OPERAND, SLOT, at};
use crate::exec::stepping::{Loop, LoopInput, Step};

/// Chunks of a strip.
const CHUNKS: usize = 2;
/// Rows of an accumulator, and first rows.
const LANES: usize = 4;
const FIRST: usize = 8;
/// Registers for accumulators.
pub(in super::super) const RESERVED: usize = LANES * CHUNKS;
/// Bodies of more steps than this are not folded in this way: the code holds many copies of a body.
pub(in super::super) const MAX_COLUMN_STEPS: usize = 24;

/// Rows of scratch: the eight results, and one for each operand.
pub(in super::super) fn scratch(code: &Loop) -> usize {
    FIRST * CHUNKS + code.inputs.len() + code.outputs.len()
}

/// Writes the function, and says how many columns a strip has; `None` where this way cannot.
pub(in super::super) fn emit_columns(
    code: &Loop,
    body: &InstructionBody,
    allocated: &AllocatedBody,
    neutral: [u8; 64],
    a: &mut Assembler,
) -> Option<usize> {
    let combining = Combining::of(code, &allocated.steps)?;
    let moves = |input: &LoopInput| matches!(input, LoopInput::Array(dtype, Step::Dense) if dtype.size() <= 8);
    let is_short = combining.length().bytes() != body.chunk * code.dtype(code.outputs[0].value).size();
    if !code.inputs.iter().all(moves) || is_short || !body.calls.is_empty() || !body.tables.is_empty() {
        return None;
    }
    let mut emitter = begun(code, body, allocated, a);
    let used = emitter.choose_addresses()?;
    // Where the next result of eight goes.
    let partial = *ADDRESSES.get(used)?;
    if emitter.operands().any(|operand| emitter.places.addresses[operand].is_none()) {
        return None;
    }
    let saved = callee_saved(used + 1);
    saved.iter().for_each(|&register| emitter.a.push(register));
    emitter.a.push(R8);
    emitter.constants();
    emitter.keep_operands();
    emitter.strips(neutral, combining, partial);
    emitter.a.pop(R8);
    saved.iter().rev().for_each(|&register| emitter.a.pop(register));
    emitter.a.leave();
    Some(CHUNKS * body.chunk)
}

/// Words of an operand's row of scratch: where its columns begin, and how far the eighth row after one is.
fn begin_of(operand: usize) -> Memory {
    at(RDI, ((FIRST * CHUNKS + operand) * SLOT) as i32)
}

fn eighth_of(operand: usize) -> Memory {
    at(RDI, ((FIRST * CHUNKS + operand) * SLOT) as i32 + DISTANCE)
}

/// A word of scratch that counts rows: the last operand, the result, has no other.
fn left_of(output: usize) -> Memory {
    at(RDI, ((FIRST * CHUNKS + output) * SLOT) as i32 + 2 * DISTANCE)
}

fn stride_of(operand: usize) -> Memory {
    at(RSI, operand as i32 * OPERAND + DISTANCE)
}

impl Emitter<'_> {
    /// All operands that have addresses.
    fn operands(&self) -> impl Iterator<Item = usize> + use<> {
        let accumulators = self.code.inputs.len() - 1;
        (0..self.places.addresses.len()).filter(move |operand| *operand != accumulators)
    }

    fn address_of(&self, operand: usize) -> Gpr {
        self.places.addresses[operand].expect("every operand has an address")
    }

    /// What the caller says goes to scratch.
    fn keep_operands(&mut self) {
        for operand in self.operands() {
            self.a.load(RAX, description(operand));
            self.a.store(RAX, begin_of(operand));
            self.a.load(RAX, at(R9, operand as i32 * DISTANCE));
            self.a.store(RAX, eighth_of(operand));
        }
    }

    fn strips(&mut self, neutral: [u8; 64], combining: Combining, partial: Gpr) {
        let output = self.code.inputs.len();
        let width = (CHUNKS * self.body.chunk) as i32;
        let [strip, done] = [(); 2].map(|()| self.a.label());
        self.a.clear(RDX);
        self.a.place(strip);
        for operand in self.operands() {
            self.a.load(RAX, begin_of(operand));
            self.a.store(RAX, description(operand));
        }
        self.a.load(RAX, at(RSP, 0));
        self.a.store(RAX, left_of(output));
        self.a.copy(partial, RDI);
        self.first_rows(neutral, combining, partial);
        self.eight(combining);
        self.a.add(RDX, width);
        self.a.compare(RDX, RCX);
        self.a.jump(JumpCondition::NotLess, done);
        self.a.address(RAX, at(RDX, width));
        self.a.compare(RAX, RCX);
        self.a.jump(JumpCondition::AtMost, strip);
        self.a.address(RDX, at(RCX, -width));
        self.a.jump(JumpCondition::Always, strip);
        self.a.place(done);
    }

    /// Every eighth row, from each of the first eight on.
    fn first_rows(&mut self, neutral: [u8; 64], combining: Combining, partial: Gpr) {
        let output = self.code.inputs.len();
        let inputs = 0..output - 1;
        let [first, again, done] = [(); 3].map(|()| self.a.label());
        self.a.place(first);
        for operand in inputs.clone() {
            let register = self.address_of(operand);
            self.a.load(register, description(operand));
            self.a.load(RAX, stride_of(operand));
            self.a.add_from(RAX, description(operand));
            self.a.store(RAX, description(operand));
        }
        self.neutral(neutral, RESERVED);
        self.a.load(RAX, left_of(output));
        self.a.align();
        self.a.place(again);
        for lane in 0..LANES {
            for chunk in 0..CHUNKS {
                self.accumulate(chunk, lane * CHUNKS + chunk, Some(combining), ChunkKind::Whole);
            }
            for operand in inputs.clone() {
                let register = self.address_of(operand);
                self.a.add_from(register, eighth_of(operand));
            }
            self.a.add(RAX, -(FIRST as i32));
            match lane + 1 {
                LANES => self.a.jump(JumpCondition::More, again),
                _ => self.a.jump(JumpCondition::AtMost, done),
            }
        }
        self.a.place(done);
        let length = combining.length();
        for chunk in 0..CHUNKS as u8 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|lane| lane * CHUNKS as u8 + chunk);
            [(a, c), (b, d), (a, b)].into_iter().for_each(|(to, from)| self.join(combining, (to, from), length));
            let place = Rm::Memory(at(partial, (usize::from(chunk) * SLOT) as i32));
            self.whole_vector(self.body.target.storing(8), (Writes::Last, a, None, place));
        }
        self.a.decrement(left_of(output));
        self.a.add(partial, (CHUNKS * SLOT) as i32);
        self.a.address(RAX, at(RDI, (FIRST * CHUNKS * SLOT) as i32));
        self.a.compare(partial, RAX);
        self.a.jump(JumpCondition::Differs, first);
    }

    /// Eight results become one.
    fn eight(&mut self, combining: Combining) {
        let output = self.code.inputs.len();
        let (register, bytes) = (self.address_of(output), self.operand_dtype(output).size());
        self.a.load(register, begin_of(output));
        for chunk in 0..CHUNKS {
            for number in 0..FIRST {
                let place = Rm::Memory(at(RDI, ((number * CHUNKS + chunk) * SLOT) as i32));
                self.whole_vector(self.body.target.moving(8), (Writes::Register, number as u8, None, place));
            }
            for half in [4, 2, 1] {
                (0..half).for_each(|lower| self.join(combining, (lower, lower + half), combining.length()));
            }
            let offset = (chunk * self.body.chunk * bytes) as i32;
            let place = Memory::At { base: register, index: Some((RDX, bytes as u8)), offset };
            let length = combining.length();
            let row = self.body.target.storing(bytes);
            let operands = (Writes::Last, 0, None, Rm::Memory(place));
            match self.body.target.has_masks() {
                true => self.a.evex(row, length, operands, None, None),
                false => self.a.vector(row, length, operands, None),
            }
        }
    }
}
