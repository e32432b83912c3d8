//! The function around the body of a recurrence, whose states and whatever no step changes lie in scratch.
//!
//! ```text
//! fn(scratch, operands, _, steps, _, _):
//!   constants go to registers; addresses of what moves from step to step
//!   for each step:
//!     the body, of one chunk of lanes after the other
//!     no more if the condition holds nowhere
//!     what moves goes on
//! ```
//!
//! Chunks depend on nothing of each other, so the processor overlaps them. Behind the operands come as many again, whose
//! strides are the distances from one step to the next.

use super::super::assembler::{Assembler, R8, R9, RAX, RCX, RDI, RDX, RSI, RSP, When};
use super::super::registers::Allocated;
use super::super::steps::{InstructionBody, Preloaded};
use super::{ADDRESSES, CALLER_SAVED, COUNTS, DISTANCE, Emitter, OPERAND, Rounds, SLOT, at};
use crate::exec::stepping::{End, Input, Recurrence, Step};

/// Where a recurrence's operands are in scratch, as a distance from its beginning.
#[derive(Clone, Debug)]
pub(in super::super) struct LaneMemory {
    /// Inputs, then outputs. What is not there lies with the caller.
    pub(in super::super) places: Vec<Option<usize>>,
    /// Bytes of scratch.
    pub(in super::super) scratch: usize,
}

impl LaneMemory {
    /// Places behind so many rows of scratch for so many lanes.
    pub(in super::super) fn new(code: &Recurrence, slots: usize, lanes: usize) -> LaneMemory {
        let step = &code.step;
        let mut memory = LaneMemory { places: Vec::new(), scratch: slots * SLOT };
        for (index, input) in step.inputs.iter().enumerate() {
            let place = match input {
                Input::Array(dtype, Step::Dense) if index < code.states || !code.moves[index] => {
                    Some(memory.room(lanes * dtype.size()))
                }
                Input::Array(..) | Input::Count => None,
            };
            memory.places.push(place);
        }
        for output in 0..step.outputs.len() {
            let is_condition = code.end != End::Never && output + 1 == step.outputs.len();
            let place = match output {
                state if state < code.states => memory.places[state],
                _ if is_condition => Some(memory.room(lanes)),
                _ => None,
            };
            memory.places.push(place);
        }
        memory
    }

    fn room(&mut self, bytes: usize) -> usize {
        let place = self.scratch;
        self.scratch += bytes.next_multiple_of(SLOT);
        place
    }
}

/// Writes the function of a recurrence, of so many chunks of lanes; `None` when it has too many operands.
pub(in super::super) fn emit_turns(
    code: &Recurrence,
    body: &InstructionBody,
    allocated: &Allocated,
    (memory, chunks): (&LaneMemory, usize),
    a: &mut Assembler,
) -> Option<()> {
    let pool = body.fixed.iter().map(|(_, what)| match what {
        Preloaded::Constant(bytes) => a.pooled(*bytes),
        Preloaded::Repeat { .. } => 0,
    });
    let pool = pool.collect();
    let tables = body.tables.iter().map(|table| a.table(table)).collect();
    let mut emitter = Emitter {
        code: &code.step,
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
        in_scratch: memory.places.clone(),
        slow_paths: Vec::new(),
        last_row: 0,
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
    emitter.a.clear(RDX);
    emitter.find_operands();
    emitter.a.clear(RDX);
    emitter.first_table();
    emitter.constants();
    emitter.repeated();
    emitter.turns(code, memory, chunks);
    emitter.a.add(RSP, COUNTS + frame);
    saved.iter().rev().for_each(|&register| emitter.a.pop(register));
    emitter.a.leave();
    emitter.slow_paths();
    Some(())
}

impl Emitter<'_> {
    fn turns(&mut self, code: &Recurrence, memory: &LaneMemory, chunks: usize) {
        let [again, done] = [(); 2].map(|()| self.a.label());
        let operands = self.addresses.len();
        self.a.align();
        self.a.place(again);
        (0..chunks).for_each(|copy| self.chunk(self.allocated, copy, false));
        if let (End::After, Some(&Some(place))) = (code.end, memory.places.last()) {
            // Truth values are bytes of 0 or 1: of few of them the sum is nothing only if all are.
            let words = (self.body.chunk * chunks).div_ceil(DISTANCE as usize) as i32;
            let word = |number: i32| at(RDI, place as i32 + number * DISTANCE);
            self.a.load(RAX, word(0));
            (1..words).for_each(|number| self.a.add_from(RAX, word(number)));
            self.a.add(RAX, 0);
            self.a.jump(When::Equal, done);
        }
        for operand in (0..operands).filter(|&operand| code.moves[operand]) {
            let register = self.addresses[operand].expect("what moves has an address");
            self.a.add_from(register, at(RSI, (operands + operand) as i32 * OPERAND + DISTANCE));
        }
        self.a.add(RCX, -1);
        self.a.jump(When::Differs, again);
        self.a.place(done);
    }
}
