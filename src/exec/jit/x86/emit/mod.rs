//! The function around a body.
//!
//! ```text
//! fn(scratch, operands, start, len, rows, to_next):
//!   constants go to registers
//!   for each row:
//!     addresses of operands at `start`; elements that repeat go to registers or scratch
//!     while a whole round fits:  the body, some chunks of it; or the second half of a round and the first of the next
//!     while a whole chunk fits:  the body
//!     if elements are left:      the body once more, loads and stores under a mask, or by way of scratch
//!     operands move on
//! slow paths: functions of chunks that need them
//! ```

mod calls;
#[cfg(feature = "object")]
mod columns;
mod counts;
#[cfg(feature = "object")]
mod folds;
mod function;
mod last;
mod preloads;
mod transfer;
mod turns;

use super::assembler::{
    Assembler, CodeLabel, Gpr, Immediate, InstructionRow, JumpCondition, Masking, Memory, RAX, RCX, RDI, RDX, RSI, RSP,
    Rm, VectorBits, Writes,
};
use super::registers::{AllocatedBody, PlacedInstruction};
use super::rows;
use super::steps::{Allocation, InstructionBody, InstructionForm, PipelineHalf};
use crate::exec::stepping::Loop;
use calls::SlowPath;
#[cfg(feature = "object")]
pub(super) use columns::{MAX_COLUMN_STEPS, RESERVED as RESERVED_COLUMNS, emit_columns, scratch as column_scratch};
pub(super) use counts::scratch as count_scratch;
#[cfg(feature = "object")]
pub(super) use folds::{ACCUMULATORS, emit_fold};
pub(super) use last::scratch as last_scratch;
pub(super) use turns::{LaneMemory, emit_turns};

/// Bytes of an operand's description.
const OPERAND: i32 = 16;
/// Bytes of a distance, or of a register.
const DISTANCE: i32 = 8;
/// Bytes at the end of the stack: how many rows there are, and how far operands move.
const COUNTS: i32 = 2 * DISTANCE;
/// Bytes of a row of scratch.
pub(super) const SLOT: usize = 64;

/// The code of a loop while it is written.
struct Emitter<'e> {
    code: &'e Loop,
    body: &'e InstructionBody,
    /// The body with its registers.
    allocated: &'e AllocatedBody,
    rounds: Rounds<'e>,
    a: &'e mut Assembler,
    pool: PoolPlaces,
    tables: TableRegisters,
    places: OperandPlaces,
    /// The slow paths that are not written yet.
    slow_paths: Vec<SlowPath>,
}

/// Where vectors lie in the pool.
struct PoolPlaces {
    /// The vector of each fixed value that lies there.
    fixed: Vec<usize>,
    /// The first vector of each table.
    tables: Vec<usize>,
    /// The first vector of those that masks are read from, once one is.
    choices: Option<usize>,
    /// The function that brings constants to registers, if slow paths share it.
    constants: Option<CodeLabel>,
}

/// The registers that rows of tables are read by.
struct TableRegisters {
    /// The address of the first table.
    base: Gpr,
    /// How far a second row is from there.
    second: Gpr,
    /// The operands and the word that say how far the rows of the last step are, if that read a table.
    distances: Option<([u8; 2], u8)>,
}

/// Where operands are.
#[derive(Default)]
struct OperandPlaces {
    /// The address register of each operand that needs one, inputs first.
    addresses: Vec<Option<Gpr>>,
    /// Where operands of a recurrence are in scratch, if they are there.
    in_scratch: Vec<Option<usize>>,
    /// The row of scratch that the last elements go through, where there are no masks.
    last_row: usize,
}

/// Which elements of a chunk take part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChunkKind {
    Whole,
    /// Only the last elements, which are fewer than a chunk has.
    Last,
}

/// What whole rounds are, before single chunks.
#[derive(Clone, Copy)]
pub(super) enum Rounds<'e> {
    /// There are no rounds: chunks go one by one.
    Plain,
    /// A round is this many chunks at once.
    Together(usize, &'e AllocatedBody),
    /// A round is this many chunks at once. The second half of a round runs beside the first half of the next: see
    /// [`pipelining`](super::pipelining).
    Pipelined(usize, &'e AllocatedBody),
}

/// Writes the function, and says whether it goes from row to row; `None` when it has too many operands.
/// `slots` rows of scratch are taken.
pub(super) fn emit(
    code: &Loop,
    body: &InstructionBody,
    allocated: &AllocatedBody,
    (rounds, slots): (Rounds, usize),
    a: &mut Assembler,
) -> Option<bool> {
    let places = OperandPlaces { last_row: slots, ..OperandPlaces::default() };
    let mut emitter = Emitter { rounds, places, ..Emitter::new(code, body, allocated, a) };
    let used = emitter.choose_addresses()?;
    let frame = emitter.enter(used);
    emitter.find_operands();
    emitter.first_table();
    emitter.constants();
    let has_rows = emitter.has_rows();
    if has_rows {
        emitter.rows();
    } else {
        emitter.row();
    }
    emitter.leave(frame);
    Some(has_rows)
}

impl Emitter<'_> {
    /// One row after the other.
    fn rows(&mut self) {
        let [rows, to_next] = [0, 8].map(|offset| at(RSP, offset));
        let [again, done] = [(); 2].map(|()| self.a.label());
        self.a.place(again);
        self.row();
        self.a.decrement(rows);
        self.a.jump(JumpCondition::Equal, done);
        self.a.load(RAX, to_next);
        for (operand, register) in self.places.addresses.iter().enumerate() {
            let register = register.expect("rows have the addresses of all operands");
            self.a.add_from(register, at(RAX, operand as i32 * DISTANCE));
        }
        self.a.jump(JumpCondition::Always, again);
        self.a.place(done);
    }

    fn first_table(&mut self) {
        if let Some(&first) = self.pool.tables.first() {
            self.a.address(self.tables.base, Memory::Pool(first));
        }
    }

    /// Where an operand of a recurrence is in scratch.
    fn scratch_place(&self, operand: usize) -> Option<usize> {
        self.places.in_scratch.get(operand).copied().flatten()
    }

    fn row(&mut self) {
        self.bring_repeated();
        self.rounds();
    }

    /// Whether there are registers for the addresses of all operands.
    fn has_rows(&self) -> bool {
        self.places.addresses.iter().all(Option::is_some)
    }

    /// Chunks of a round: more when there is little to do with each.
    fn unroll(&self) -> usize {
        match self.allocated.steps.len() {
            0..=8 => 4,
            9..=20 => 2,
            _ => 1,
        }
    }

    fn rounds(&mut self) {
        let [again, done] = [(); 2].map(|()| self.a.label());
        self.a.clear(RDX);
        if let Rounds::Together(chunks, allocated) = self.rounds
            && self.takes_last_as_round(chunks)
        {
            return self.whole_and_last(chunks, allocated, true);
        }
        let unroll = self.unroll();
        let has_rounds = match self.rounds {
            Rounds::Together(chunks, allocated) => self.whole(chunks, 1, allocated, true),
            Rounds::Pipelined(chunks, allocated) => self.pipelined(chunks, allocated),
            Rounds::Plain if unroll > 1 => self.whole(unroll, unroll, self.allocated, true),
            Rounds::Plain => false,
        };
        let one_by_one = has_rounds && self.a.is_linked() && self.takes_chunks_as_last();
        if !one_by_one && self.takes_last_as_chunk() {
            return self.whole_and_last(1, self.allocated, !has_rounds);
        }
        if !one_by_one {
            self.whole(1, 1, self.allocated, !has_rounds);
        }
        self.a.place(again);
        self.a.compare(RDX, RCX);
        self.a.jump(JumpCondition::NotLess, done);
        self.last_masks();
        self.chunk(self.allocated, 0, ChunkKind::Last);
        if one_by_one {
            self.a.add(RDX, self.body.chunk as i32);
            self.a.jump(JumpCondition::Always, again);
        }
        self.a.place(done);
    }

    /// Whether what the masks of the last elements say holds of more elements than a chunk has, so that the code of the
    /// last elements does for whole chunks. In an object it does: so there is one copy of the body less.
    fn takes_chunks_as_last(&self) -> bool {
        let is_simple = |operand: usize| {
            !self.is_alternate(operand) && !self.is_back(operand) && self.operand_dtype(operand).size() <= 8
        };
        self.body.target.has_masks() && (0..self.places.addresses.len()).all(is_simple)
    }

    /// Writes rounds of `chunks` chunks, as `copies` copies of the steps. They run as long as a whole round fits.
    /// Returns true: the rounds were written.
    fn whole(&mut self, chunks: usize, copies: usize, allocated: &AllocatedBody, aligned: bool) -> bool {
        let round = (self.body.chunk * chunks) as i32;
        let [again, done] = [(); 2].map(|()| self.a.label());
        // The last index at which a round fits; perhaps negative.
        self.a.copy(RSI, RCX);
        self.a.add(RSI, -round);
        self.a.compare(RDX, RSI);
        self.a.jump(JumpCondition::More, done);
        if aligned {
            self.a.align();
        }
        self.a.place(again);
        (0..copies).for_each(|copy| self.chunk(allocated, copy, ChunkKind::Whole));
        self.a.add(RDX, round);
        self.a.compare(RDX, RSI);
        self.a.jump(JumpCondition::AtMost, again);
        self.a.place(done);
        true
    }

    /// Writes rounds of `chunks` chunks that overlap. They run as long as a whole round fits. Returns true: the rounds
    /// were written.
    fn pipelined(&mut self, chunks: usize, both: &AllocatedBody) -> bool {
        let round = (self.body.chunk * chunks) as i32;
        let [again, last, done] = [(); 3].map(|()| self.a.label());
        self.a.copy(RSI, RCX);
        self.a.add(RSI, -round);
        self.a.compare(RDX, RSI);
        self.a.jump(JumpCondition::More, done);
        self.half(both, PipelineHalf::First);
        // The last index after which another round fits.
        self.a.add(RSI, -round);
        self.a.compare(RDX, RSI);
        self.a.jump(JumpCondition::More, last);
        self.a.align();
        self.a.place(again);
        for step in &both.steps {
            // The first half is of the next round.
            let begin = if step.half == PipelineHalf::First { chunks } else { 0 };
            self.step(both, step, begin, ChunkKind::Whole);
        }
        self.a.add(RDX, round);
        self.a.compare(RDX, RSI);
        self.a.jump(JumpCondition::AtMost, again);
        self.a.place(last);
        self.half(both, PipelineHalf::Second);
        self.a.add(RDX, round);
        self.a.place(done);
        true
    }

    /// One half of the round at the index.
    fn half(&mut self, both: &AllocatedBody, half: PipelineHalf) {
        both.steps.iter().filter(|step| step.half == half).for_each(|step| self.step(both, step, 0, ChunkKind::Whole));
    }

    /// Writes the steps for the chunk that is `begin` chunks after the index.
    fn chunk(&mut self, allocated: &AllocatedBody, begin: usize, kind: ChunkKind) {
        allocated.steps.iter().for_each(|step| self.step(allocated, step, begin, kind));
    }

    /// Writes one step of a chunk.
    fn step(&mut self, allocated: &AllocatedBody, step: &PlacedInstruction, begin: usize, kind: ChunkKind) {
        let known = self.tables.distances.take();
        match step.form {
            InstructionForm::Load { input, part, copy } => {
                self.transfer(step, step.result, input, (begin + copy, part), kind);
            }
            InstructionForm::Store { output, part, copy } => {
                let operand = self.code.inputs.len() + output;
                let Allocation::Register(from) = step.last else { unreachable!("stored from registers") };
                self.transfer(step, from, operand, (begin + copy, part), kind);
            }
            InstructionForm::Call(number) => self.call_or_branch(step, number, kind),
            InstructionForm::Keep(row) | InstructionForm::Recall(row) => {
                let place = Rm::Memory(slot_memory(allocated.kept + row));
                let operands = match step.last {
                    Allocation::Register(from) if matches!(step.form, InstructionForm::Keep(_)) => {
                        (Writes::Last, from, None, place)
                    }
                    Allocation::Register(_) | Allocation::Slot(_) | Allocation::Pool(_) => {
                        (Writes::Register, step.result, None, place)
                    }
                };
                self.vector(step, operands);
            }
            InstructionForm::Fetch(number) => self.fetch(self.body.once.fetched[number], step.result),
            InstructionForm::Preload(number) => {
                let Allocation::Register(from) = step.last else { unreachable!("read from registers") };
                self.preload(number, from);
            }
            InstructionForm::Rows { table, word, part } => self.rows_of_table(step, known, (table, word, part)),
            InstructionForm::Masks => match step.last {
                Allocation::Register(from) => self.a.mask(step.row, step.result, step.first, from, step.immediate),
                Allocation::Slot(slot) => self.a.mask_in_memory(step.row, step.result, slot_memory(slot)),
                Allocation::Pool(_) => unreachable!("the pool holds vectors"),
            },
            InstructionForm::Plain if step.row == self.body.target.moving(8) && self.is_quad(step.last) => {
                let (Allocation::Pool(number), row) = (step.last, self.body.target.repeating(8)) else {
                    unreachable!("it is in memory")
                };
                let place = Rm::Memory(Memory::Part(self.pool.fixed[number], 8));
                self.vector(&PlacedInstruction { row, ..*step }, (Writes::Register, step.result, None, place));
            }
            InstructionForm::Plain => {
                let writes = if step.row == self.body.target.storing(8) { Writes::Last } else { Writes::Register };
                self.vector(step, (writes, step.result, step.first, self.rm(step)));
            }
            InstructionForm::Digit(digit) => {
                self.vector(step, (Writes::First, digit, Some(step.result), self.rm(step)));
            }
            InstructionForm::ResultLast => {
                let Allocation::Register(from) = step.last else { unreachable!("read from registers") };
                self.vector(step, (Writes::Last, from, None, Rm::Register(step.result)));
            }
        }
    }

    /// Parts of two rows of a table. What the step before read of the same rows is known.
    fn rows_of_table(
        &mut self,
        step: &PlacedInstruction,
        known: Option<([u8; 2], u8)>,
        (table, word, part): (usize, u8, usize),
    ) {
        let (Some(first), Allocation::Register(last)) = (step.first, step.last) else {
            unreachable!("distances are in registers")
        };
        let distances = ([first, last], word);
        if known != Some(distances) {
            self.a.word(RAX, first, word);
            self.a.word(self.tables.second, last, word);
        }
        let offset = ((self.pool.tables[table] - self.pool.tables[0]) * SLOT + part * rows::avx2::HALF) as i32;
        let row = |index: Gpr| Rm::Memory(Memory::At { base: self.tables.base, index: Some((index, 1)), offset });
        let (one, other) = (row(RAX), row(self.tables.second));
        self.a.vector(step.row, VectorBits::Xmm, (Writes::Register, step.result, None, one), None);
        let operands = (Writes::Register, step.result, Some(step.result), other);
        self.a.vector(rows::avx2::INSERT, VectorBits::Ymm, operands, Some(Immediate::Byte(1)));
        self.tables.distances = Some(distances);
    }

    fn vector(&mut self, step: &PlacedInstruction, operands: (Writes, u8, Option<u8>, Rm)) {
        if self.body.target.has_masks() {
            let mask = step.mask.map(|(register, zeroing)| Masking { register, zeroing });
            return self.a.evex(step.row, step.length, operands, mask, step.immediate);
        }
        // A fourth register stands where an immediate would.
        let fourth = step.mask.map(|(register, _)| Immediate::Register(register));
        self.a.vector(step.row, step.length, operands, fourth.or(step.immediate.map(Immediate::Byte)));
    }

    /// An instruction of whole vectors that is not of the body.
    fn whole_vector(&mut self, row: InstructionRow, operands: (Writes, u8, Option<u8>, Rm)) {
        let length = self.body.target.whole();
        match self.body.target.has_masks() {
            true => self.a.evex(row, length, operands, None, None),
            false => self.a.vector(row, length, operands, None),
        }
    }

    /// Whether it is a constant in memory of which eight bytes are all.
    fn is_quad(&self, home: Allocation) -> bool {
        matches!(home, Allocation::Pool(number) if self.body.fixed[number].1.is_each(8))
    }

    /// The last operand. One lane of a constant is loaded sooner than all of it.
    fn rm(&self, step: &PlacedInstruction) -> Rm {
        match step.last {
            Allocation::Register(number) => Rm::Register(number),
            Allocation::Slot(slot) => Rm::Memory(slot_memory(slot)),
            Allocation::Pool(number) => Rm::Memory(match step.row.lane {
                Some(bytes) if self.body.target.has_masks() && self.body.fixed[number].1.is_each(bytes) => {
                    Memory::Lane(self.pool.fixed[number])
                }
                _ => Memory::Pool(self.pool.fixed[number]),
            }),
        }
    }
}

fn slot_memory(slot: usize) -> Memory {
    at(RDI, (slot * SLOT) as i32)
}

fn at(base: Gpr, offset: i32) -> Memory {
    Memory::At { base, index: None, offset }
}
