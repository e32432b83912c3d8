//! The function around the body of a recurrence, whose states lie in scratch.
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
//! Chunks depend on nothing of each other, so the processor overlaps them. Behind the operands come as many again,
//! whose strides are the distances from one step to the next.

use super::super::assembler::{Assembler, JumpCondition, RAX, RCX, RDI, RDX, RSI};
use super::super::registers::AllocatedBody;
use super::super::steps::InstructionBody;
use super::{ChunkKind, DISTANCE, Emitter, OPERAND, OperandPlaces, SLOT, at};
use crate::exec::stepping::{End, LoopInput, Recurrence, Step};

/// Where a recurrence's operands are in scratch, as a distance from its beginning.
#[derive(Clone, Debug)]
pub(in super::super) struct LaneMemory {
    /// Inputs, then outputs. What is not there lies with the caller.
    pub(in super::super) places: Vec<Option<usize>>,
    /// Bytes of scratch.
    pub(in super::super) scratch: usize,
}

impl LaneMemory {
    /// Places for `lanes` lanes, behind the `slots` rows of scratch that are taken.
    pub(in super::super) fn new(code: &Recurrence, slots: usize, lanes: usize) -> LaneMemory {
        let step = &code.step;
        let mut memory = LaneMemory { places: Vec::new(), scratch: slots * SLOT };
        for (index, input) in step.inputs.iter().enumerate() {
            let place = match input {
                LoopInput::Array(dtype, Step::Dense) if index < code.states || !code.moves[index] => {
                    Some(memory.room(lanes * dtype.size()))
                }
                LoopInput::Array(..) | LoopInput::Count => None,
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

/// Writes the function of a recurrence for `chunks` chunks of lanes; `None` when it has too many operands.
pub(in super::super) fn emit_turns(
    code: &Recurrence,
    body: &InstructionBody,
    allocated: &AllocatedBody,
    (memory, chunks): (&LaneMemory, usize),
    a: &mut Assembler,
) -> Option<()> {
    let in_scratch = memory.places.clone();
    let places = OperandPlaces { in_scratch, ..OperandPlaces::default() };
    let mut emitter = Emitter { places, ..Emitter::new(&code.step, body, allocated, a) };
    let used = emitter.choose_addresses()?;
    let frame = emitter.enter(used);
    emitter.a.clear(RDX);
    emitter.find_operands();
    emitter.a.clear(RDX);
    emitter.first_table();
    emitter.constants();
    emitter.bring_repeated();
    emitter.turns(code, memory, chunks);
    emitter.leave(frame);
    Some(())
}

impl Emitter<'_> {
    fn turns(&mut self, code: &Recurrence, memory: &LaneMemory, chunks: usize) {
        let [again, done] = [(); 2].map(|()| self.a.label());
        let operands = self.places.addresses.len();
        self.a.align();
        self.a.place(again);
        (0..chunks).for_each(|copy| self.chunk(self.allocated, copy, ChunkKind::Whole));
        if let (End::After, Some(&Some(place))) = (code.end, memory.places.last()) {
            // Truth values are bytes of 0 or 1: of few of them the sum is nothing only if all are.
            let words = (self.body.chunk * chunks).div_ceil(DISTANCE as usize) as i32;
            let word = |number: i32| at(RDI, place as i32 + number * DISTANCE);
            self.a.load(RAX, word(0));
            (1..words).for_each(|number| self.a.add_from(RAX, word(number)));
            self.a.add(RAX, 0);
            self.a.jump(JumpCondition::Equal, done);
        }
        for operand in (0..operands).filter(|&operand| code.moves[operand]) {
            let register = self.places.addresses[operand].expect("what moves has an address");
            self.a.add_from(register, at(RSI, (operands + operand) as i32 * OPERAND + DISTANCE));
        }
        self.a.add(RCX, -1);
        self.a.jump(JumpCondition::Differs, again);
        self.a.place(done);
    }
}
