//! Recurrences on wide vectors: lanes go through all steps with their states in scratch, some chunks of them at once.
#![expect(unsafe_code, reason = "assembled bytes are an address until they are called as a function")]

use super::assembler::Assembler;
use super::emit::{LaneMemory, emit_turns};
use super::target::InstructionSet;
use super::{EntryPoint, MAX_BODY_INSTS, invariants, lower, registers, steps};
use crate::exec::machine::Level;
use crate::exec::stepping::{End, LoopInput, LoopOperand, Recurrence, Step};
use memmap2::{Mmap, MmapMut};

/// The machine code of a recurrence.
pub(in crate::exec::jit) struct WideRecurrence {
    entry: EntryPoint,
    /// Lanes that go side by side.
    pub(in crate::exec::jit) lanes: usize,
    memory: LaneMemory,
    _code: Mmap,
}

/// Bytes of a row that lanes read at once: eight lines follow each other, and the next row's are fetched meanwhile.
const ROW: usize = 512;

/// Chunks of lanes: as many as hide how long a step waits for the one before; where each step reads a row, as many as
/// read enough of it at once.
fn chunks(code: &Recurrence, instructions: usize, (chunk, bytes): (usize, usize)) -> usize {
    let (enough, row) = match instructions {
        0..=60 => (4, ROW),
        61..=200 => (2, ROW / 2),
        _ => (1, ROW / 4),
    };
    let mut chunks = if code.moves.contains(&true) { row / bytes } else { enough };
    while chunks > 1 && chunks * chunk > code.most {
        chunks /= 2;
    }
    chunks
}

/// Compiles a recurrence; `None` where this way cannot.
pub(in crate::exec::jit) fn compile(code: &Recurrence, level: Level) -> Option<WideRecurrence> {
    let target = InstructionSet::of(level)?;
    let fits = |(index, input): (usize, &LoopInput)| match input {
        LoopInput::Array(dtype, Step::Dense) => code.moves[index] || !dtype.is_complex(),
        LoopInput::Array(_, Step::Repeat) => index >= code.states && !code.moves[index],
        LoopInput::Array(..) | LoopInput::Count => false,
    };
    let dense = code.step.outputs.iter().all(|output| output.step == Step::Dense);
    if !code.step.inputs.iter().enumerate().all(fits) || !dense || code.most == 1 || code.end == End::Before {
        return None;
    }
    let mut body = lower::lower(&code.step, &steps(&code.step, target.abilities()), target)?;
    invariants::hoist(&mut body);
    if body.steps.len() > MAX_BODY_INSTS {
        return None;
    }
    let allocated = registers::allocate(&body);
    let chunks = chunks(code, body.steps.len(), (body.chunk, target.bytes()));
    let lanes = body.chunk * chunks;
    let memory = LaneMemory::new(code, allocated.slots, lanes);
    let mut assembler = Assembler::default();
    emit_turns(code, &body, &allocated, (&memory, chunks), &mut assembler)?;
    let bytes = assembler.finish();
    let mut mapped = MmapMut::map_anon(bytes.len()).ok()?;
    mapped[..bytes.len()].copy_from_slice(&bytes);
    let mapped = mapped.make_exec().ok()?;
    // SAFETY: the code is a function with this signature and lies at the beginning of memory that outlives it.
    let entry = unsafe { std::mem::transmute::<*const u8, EntryPoint>(mapped.as_ptr()) };
    Some(WideRecurrence { entry, lanes, memory, _code: mapped })
}

impl WideRecurrence {
    /// Bytes of scratch that it needs.
    pub(in crate::exec::jit) fn scratch(&self) -> usize {
        self.memory.scratch
    }

    /// Where an operand's lanes are in scratch, inputs first; `None` of what lies with the caller.
    pub(in crate::exec::jit) fn place(&self, operand: usize) -> Option<usize> {
        self.memory.places[operand]
    }

    /// Runs steps, at least one.
    ///
    /// # Safety
    /// `scratch` has as many bytes as the code needs, aligned to 64; operands that lie elsewhere have their lanes there
    /// at each of these steps. Behind the operands come as many again, with the distances between steps.
    pub(in crate::exec::jit) unsafe fn run(&self, scratch: *mut u8, operands: &[LoopOperand], steps: usize) {
        debug_assert!(steps > 0);
        // SAFETY: the code lives as long as `self`; the caller promises operands for these steps, and scratch.
        unsafe { (self.entry)(scratch, operands.as_ptr(), 0, steps, 1, std::ptr::null()) }
    }
}
