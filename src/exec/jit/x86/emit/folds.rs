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
//! copied to the register that the body reads, and back: such copies cost next to nothing.

use super::super::assembler::{Assembler, Memory, R8, R9, RAX, RCX, RDX, RSP, Rm, When, Writes};
use super::super::registers::{Allocated, Allocation, Placed};
use super::super::steps::{InstructionBody, InstructionForm, Preloaded};
use super::{ADDRESSES, CALLER_SAVED, COUNTS, Emitter, Rounds};
use crate::exec::stepping::Loop;

/// Terms that are accumulated side by side.
pub(in super::super) const ACCUMULATORS: usize = 32;

/// Writes the function; `None` when it has too many operands.
pub(in super::super) fn emit_fold(
    code: &Loop,
    body: &InstructionBody,
    allocated: &Allocated,
    neutral: [u8; 64],
    a: &mut Assembler,
) -> Option<()> {
    let pool = body.fixed.iter().map(|(_, what)| match what {
        Preloaded::Constant(bytes) => a.pooled(*bytes),
        Preloaded::Repeat { .. } => 0,
    });
    let pool = pool.collect();
    let tables = body.tables.iter().map(|table| a.table(table)).collect();
    // The accumulators that the body reads have no address.
    let in_scratch = (1..=code.inputs.len()).map(|count| (count == code.inputs.len()).then_some(0)).collect();
    let mut emitter = Emitter {
        code,
        body,
        allocated,
        rounds: Rounds::Plain,
        a,
        pool,
        tables,
        base: RAX,
        second: RAX,
        distances: None,
        addresses: Vec::new(),
        in_scratch,
        slow_paths: Vec::new(),
        last_row: allocated.slots,
    };
    let used = emitter.choose_addresses()?;
    let saved = &ADDRESSES[CALLER_SAVED.min(used)..used];
    saved.iter().for_each(|&register| emitter.a.push(register));
    let frame = emitter.frame(saved.len());
    if frame > 0 {
        emitter.a.add(RSP, -frame);
    }
    // As loops over rows have it; nobody reads them.
    [R9, R8].into_iter().for_each(|argument| emitter.a.push(argument));
    emitter.find_operands();
    emitter.first_table();
    emitter.constants();
    emitter.repeated();
    emitter.fold(neutral);
    emitter.a.add(RSP, COUNTS + frame);
    saved.iter().rev().for_each(|&register| emitter.a.pop(register));
    emitter.a.leave();
    emitter.slow_paths();
    Some(())
}

impl Emitter<'_> {
    fn fold(&mut self, neutral: [u8; 64]) {
        let neutral = Rm::Memory(Memory::Pool(self.a.pooled(neutral)));
        let chunks = ACCUMULATORS / self.body.chunk;
        for accumulator in 0..chunks as u8 {
            self.whole_vector(self.body.target.moving(8), (Writes::Register, accumulator, None, neutral));
        }
        self.a.clear(RDX);
        let again = self.a.label();
        self.a.align();
        self.a.place(again);
        (0..chunks).for_each(|chunk| self.accumulate(chunk));
        self.a.add(RDX, ACCUMULATORS as i32);
        self.a.compare(RDX, RCX);
        self.a.jump(When::Differs, again);
        self.a.clear(RDX);
        let stores = self.allocated.steps.iter().filter(|step| matches!(step.form, InstructionForm::Store { .. }));
        for store in stores {
            for chunk in 0..chunks {
                self.transfer(store, chunk as u8, self.code.inputs.len(), (chunk, 0), false);
            }
        }
    }

    /// The body, of one chunk and its accumulators.
    fn accumulate(&mut self, chunk: usize) {
        let accumulator = chunk as u8;
        for step in &self.allocated.steps {
            match step.form {
                InstructionForm::Load { input, .. } if input + 1 == self.code.inputs.len() => {
                    self.move_vector(step.result, accumulator)
                }
                InstructionForm::Store { .. } => {
                    let Allocation::Register(from) = step.last else { unreachable!("stored from registers") };
                    self.move_vector(accumulator, from);
                }
                _ => {
                    let step: &Placed = step;
                    self.step(self.allocated, step, chunk, false);
                }
            }
        }
    }

    fn move_vector(&mut self, to: u8, from: u8) {
        self.whole_vector(self.body.target.moving(8), (Writes::Register, to, None, Rm::Register(from)));
    }
}
