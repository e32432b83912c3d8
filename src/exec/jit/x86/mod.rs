//! Loops of vectors of 512 or 256 bits.
//!
//! Cranelift stops at 128 bits. A loop's body is straight-line code, so for machines with AVX-512 or AVX2 its
//! instructions are written here: [`lower`] and [`prims`] choose them, of [`masks`] and of what [`avx2`] has sequences
//! for; [`invariants`] does once what is the same for a row, [`widening`] lets loads convert, [`pipelining`] overlaps
//! rounds of long ones, [`registers`] numbers their registers by what [`operands`] may be in memory, [`emit`] puts the loop around them and [`assembler`]
//! makes bytes of it all. What has no instructions is a [call](calls). Most strides are left to Cranelift, as is every
//! other machine.

mod assembler;
mod avx2;
mod calls;
mod convert;
mod divide;
mod emit;
mod functions;
mod invariants;
mod lanes;
mod lower;
mod masks;
mod operands;
mod pipelining;
mod prims;
mod quotient;
mod recurrence;
mod registers;
mod rows;
mod steps;
mod target;
#[cfg(test)]
mod tests;
mod widening;

use super::lower::lower as steps;
use crate::exec::machine::{Level, is_amd};
use crate::exec::stepping::{Loop, LoopOperand, Recurrence};
#[cfg(feature = "object")]
use crate::scalar::prim::Prim;
#[cfg(feature = "object")]
use crate::types::DType;
use assembler::Assembler;
#[cfg(feature = "object")]
pub(super) use assembler::{ALIGNMENT, CALL_ELSEWHERE, LinkedConstant};
use emit::Rounds;
use memmap2::{Mmap, MmapMut};
pub(super) use recurrence::WideRecurrence;
use steps::CalledFunction;
use target::InstructionSet;

/// `(scratch, operands, start, len, rows, to_next)`
type EntryPoint =
    unsafe extern "C" fn(*mut u8, *const LoopOperand, start: usize, len: usize, rows: usize, to_next: *const isize);

/// The machine code of a loop.
pub(super) struct MachineLoop {
    entry: EntryPoint,
    /// Bytes of scratch that it needs.
    pub(super) scratch: usize,
    /// Whether the code goes from row to row.
    pub(super) has_rows: bool,
    _code: Mmap,
}

/// Bodies of more instructions are left to Cranelift.
const MAX_BODY_INSTS: usize = 4000;
/// Chunks of a body are interleaved only if it has at most this many instructions: caches for instructions hold them.
const MAX_INTERLEAVED_INSTS: usize = 400;

/// How chunks are interleaved on some make of processors.
struct Interleaving {
    /// How many chunks are interleaved: the first of these numbers for which there are enough registers.
    copies: &'static [usize],
    /// Only bodies of more instructions than this are interleaved: they wait for results of their own.
    short: usize,
    /// Whether bodies with quotients are interleaved.
    quotients: bool,
    /// Whether rounds of deep bodies [overlap](pipelining).
    pipelined: bool,
}

/// Measured at 10^5 elements, with AVX-512. On a Zen 4, two chunks instead of four make log 1.45 times as fast and
/// change exp, sin and tanh by nothing. Interleaving gains 8% for gelu in f64, and software pipelining a fifth for
/// softplus. Black-Scholes has too few registers for two chunks; with one it gains 5% by software pipelining. Bodies of
/// 9 to 20 instructions gain up to 8% (a normal density, ten operations of f64, tanh), shorter ones nothing. On a Xeon
/// of 2023 four are better. Quotients one after the other keep everything that waits for them there from making room
/// for the next round. Software pipelining and short bodies were not tried there.
const AMD: Interleaving = Interleaving { copies: &[2, 1], short: 8, quotients: true, pipelined: true };
const OTHER: Interleaving = Interleaving { copies: &[4, 2], short: 20, quotients: false, pipelined: false };

fn interleaving() -> &'static Interleaving {
    if is_amd() { &AMD } else { &OTHER }
}

/// Compiles a loop for a level, which must be one that [runs here](Level::runs_here); `None` where this way cannot.
pub(super) fn compile(code: &Loop, level: Level) -> Option<MachineLoop> {
    compile_as(code, level, interleaving())
}

#[expect(unsafe_code, reason = "assembled bytes are an address until they are called as a function")]
fn compile_as(code: &Loop, level: Level, how: &Interleaving) -> Option<MachineLoop> {
    let (assembler, assembled) = assemble(code, InstructionSet::of(level)?, how, Assembler::default())?;
    let bytes = assembler.finish();
    let mut memory = MmapMut::map_anon(bytes.len()).ok()?;
    memory[..bytes.len()].copy_from_slice(&bytes);
    let memory = memory.make_exec().ok()?;
    // SAFETY: the code is a function with this signature and lies at the beginning of memory that outlives it.
    let entry = unsafe { std::mem::transmute::<*const u8, EntryPoint>(memory.as_ptr()) };
    let LoopAssembly { slots, has_rows, .. } = assembled;
    Some(MachineLoop { entry, scratch: slots * emit::SLOT, has_rows, _code: memory })
}

#[expect(unsafe_code, reason = "the operands of a loop are addresses with strides, not slices")]
impl MachineLoop {
    /// Runs elements.
    ///
    /// # Safety
    /// As for [`Code::run`](crate::exec::stepping::Code::run); `scratch` has as many bytes as the code needs, aligned
    /// to 64.
    pub(super) unsafe fn run(&self, scratch: *mut u8, operands: &[LoopOperand], start: usize, len: usize) {
        // SAFETY: the code lives as long as `self`, and nothing moves on from a single row; the caller promises
        // elements of the operands, and scratch.
        unsafe { (self.entry)(scratch, operands.as_ptr(), start, len, 1, std::ptr::null()) }
    }

    /// Runs elements of at least one row.
    ///
    /// # Safety
    /// As for [`Code::rows_at_once`](crate::exec::stepping::Code::rows_at_once); the code has rows, and `scratch` is as
    /// for [`MachineLoop::run`].
    pub(super) unsafe fn run_rows(
        &self,
        scratch: *mut u8,
        operands: &[LoopOperand],
        (start, len): (usize, usize),
        rows: usize,
        to_next: &[isize],
    ) {
        // Nothing moves on from the last row.
        debug_assert!(rows == 1 || rows > 0 && operands.len() == to_next.len());
        // SAFETY: the code lives as long as `self`; the caller promises elements of each row, and scratch.
        unsafe { (self.entry)(scratch, operands.as_ptr(), start, len, rows, to_next.as_ptr()) };
    }
}

/// What a loop's code needs.
struct LoopAssembly {
    /// Rows of scratch.
    slots: usize,
    has_rows: bool,
    /// The functions that it calls.
    #[cfg_attr(not(feature = "object"), expect(dead_code, reason = "objects alone are linked"))]
    calls: Vec<CalledFunction>,
}

/// A prim, the dtypes of operands, and that of the result.
#[cfg(feature = "object")]
type PrimOf = (Prim, Vec<DType>, DType);

/// The machine code of a loop that is linked elsewhere, with a signature like [`EntryPoint`].
#[cfg(feature = "object")]
pub(super) struct LinkedLoop {
    pub(super) bytes: Vec<u8>,
    /// Bytes of scratch that it needs.
    pub(super) scratch: usize,
    /// Whether the code goes from row to row.
    pub(super) has_rows: bool,
    /// Where four bytes wait for the distance to a function: its prim, the dtypes of operands, and that of the result.
    pub(super) calls: Vec<(usize, PrimOf)>,
    /// What it reads of memory that it shares with others.
    pub(super) constants: Vec<LinkedConstant>,
    /// Its instructions, if they are wanted; a call is [`CALL_ELSEWHERE`].
    pub(super) text: String,
}

/// Compiles a loop for every machine of a level; `None` where this way cannot.
#[cfg(feature = "object")]
pub(super) fn compile_linked(code: &Loop, level: Level, listed: bool) -> Option<LinkedLoop> {
    let (assembler, assembled) = assemble(code, InstructionSet::of(level)?, &OTHER, Assembler::for_linking(listed))?;
    let linked = finished(assembler, &assembled.calls, assembled.slots);
    Some(LinkedLoop { has_rows: assembled.has_rows, ..linked })
}

/// Compiles a fold for every machine of a level: a loop whose last input and whose output are 32 accumulators, which
/// begin with something that leaves each value as it is. It takes multiples of 32 elements; or any number, and row
/// after row, if it `ends` in one total. `None` where this way cannot.
#[cfg(feature = "object")]
pub(super) fn linked_fold(code: &Loop, neutral: u64, ends: bool, level: Level, listed: bool) -> Option<LinkedLoop> {
    let target = InstructionSet::of(level)?;
    let mut body = lower::lower(code, &steps(code, target.abilities_of_all()), target)?;
    if !emit::ACCUMULATORS.is_multiple_of(body.chunk) || body.steps.len() > MAX_INTERLEAVED_INSTS {
        return None;
    }
    (body.reserved, body.compact) = (emit::ACCUMULATORS / body.chunk, true);
    let allocated = registers::allocate(&body);
    // With too few registers it is better to compute terms first.
    if body.reserved > target.vectors() / 2 || allocated.slots > 0 {
        return None;
    }
    let mut assembler = Assembler::for_linking(listed);
    emit::emit_fold(code, &body, &allocated, (in_each(code, neutral), ends), &mut assembler)?;
    // Where there are no masks, accumulators lie in scratch for a while.
    let slots = 1 + emit::count_scratch(code) + if ends { emit::ACCUMULATORS / body.chunk } else { 0 };
    Some(LinkedLoop { has_rows: ends, ..finished(assembler, &body.calls, slots) })
}

/// The bits of an accumulator in every lane of a vector.
#[cfg(feature = "object")]
fn in_each(code: &Loop, bits: u64) -> [u8; 64] {
    let bytes = code.dtype(code.outputs[0].value).size();
    let mut vector = [0; 64];
    vector.chunks_exact_mut(bytes).for_each(|lane| lane.copy_from_slice(&bits.to_le_bytes()[..bytes]));
    vector
}

/// Compiles a fold of rows for every machine of a level, as [`linked_fold`] is one of neighbours; with how many columns
/// are folded at once, of which there must be as many. `None` where this way cannot.
#[cfg(feature = "object")]
pub(super) fn linked_columns(code: &Loop, neutral: u64, level: Level, listed: bool) -> Option<(LinkedLoop, usize)> {
    let target = InstructionSet::of(level)?;
    let mut body = lower::lower(code, &steps(code, target.abilities_of_all()), target)?;
    (body.reserved, body.compact) = (emit::RESERVED_COLUMNS, true);
    let allocated = registers::allocate(&body);
    if body.steps.len() > emit::MAX_COLUMN_STEPS || allocated.slots > 0 {
        return None;
    }
    let mut assembler = Assembler::for_linking(listed);
    let width = emit::emit_columns(code, &body, &allocated, in_each(code, neutral), &mut assembler)?;
    Some((finished(assembler, &body.calls, emit::column_scratch(code)), width))
}

/// Linked code with `slots` rows of scratch.
#[cfg(feature = "object")]
fn finished(mut assembler: Assembler, calls: &[CalledFunction], slots: usize) -> LinkedLoop {
    let called = |&(at, number): &(usize, usize)| {
        let CalledFunction { prim, operands, result, .. } = calls[number].clone();
        (at, (prim, operands, result))
    };
    assembler.shorten();
    let calls = assembler.take_links().iter().map(called).collect();
    let (constants, text) = (assembler.take_constants(), assembler.text().to_owned());
    LinkedLoop { bytes: assembler.finish(), scratch: slots * emit::SLOT, has_rows: false, calls, constants, text }
}

/// Compiles a recurrence for a level; `None` where this way cannot.
pub(super) fn compile_recurrence(code: &Recurrence, level: Level) -> Option<WideRecurrence> {
    recurrence::compile(code, level)
}

/// The instructions of a loop as text.
pub(super) fn text(code: &Loop, level: Level) -> Option<String> {
    let (assembler, _) = assemble(code, InstructionSet::of(level)?, interleaving(), Assembler::listing())?;
    Some(assembler.text().to_owned())
}

fn assemble(
    code: &Loop,
    target: InstructionSet,
    how: &Interleaving,
    mut assembler: Assembler,
) -> Option<(Assembler, LoopAssembly)> {
    let abilities = if assembler.is_linked() { target.abilities_of_all() } else { target.abilities() };
    let mut body = lower::lower(code, &steps(code, abilities), target)?;
    body.compact = assembler.is_linked();
    invariants::hoist(&mut body);
    widening::widen_loads(&mut body);
    if body.steps.len() > MAX_BODY_INSTS {
        return None;
    }
    let Interleaving { copies, short, quotients, pipelined } = how;
    let divides = body.steps.iter().any(|step| rows::FDIV.contains(&step.row) || rows::FSQRT.contains(&step.row));
    let waits = body.steps.len() > *short && body.steps.len() <= MAX_INTERLEAVED_INSTS && (*quotients || !divides);
    let overlapping = |copies: usize| {
        let round = if *pipelined { pipelining::pipeline(&body, copies)? } else { return None };
        Some((copies, true, registers::allocate_both(&round.both, round.kept, &body)?))
    };
    let interleaved =
        |copies: usize| Some((copies, false, registers::allocate_both(&body.interleave(copies), 0, &body)?));
    // In an object there is one copy of a body with calls: what they save takes room, and interleaving gains 2%.
    let is_rolled = assembler.is_linked() && !body.calls.is_empty();
    let ways = || copies.iter().copied().filter(|_| waits && !is_rolled);
    // One chunk beside no other is what a plain round has.
    let found = ways().find_map(overlapping).or_else(|| ways().filter(|&copies| copies > 1).find_map(interleaved));
    let (slots, emitted) = match &found {
        Some((copies, overlap, [rounds, plain])) => {
            let slots = rounds.slots.max(plain.slots);
            let rounds = if *overlap { Rounds::Pipelined(*copies, rounds) } else { Rounds::Together(*copies, rounds) };
            (slots, emit::emit(code, &body, plain, (rounds, slots), &mut assembler))
        }
        None => {
            let allocated = registers::allocate(&body);
            (allocated.slots, emit::emit(code, &body, &allocated, (Rounds::Plain, allocated.slots), &mut assembler))
        }
    };
    // More rows of scratch: for counts, and for the last elements where no masks exist for them.
    let round = body.chunk * found.as_ref().map_or(1, |(copies, ..)| *copies);
    let slots = slots + 1 + emit::count_scratch(code) + emit::last_scratch(code, round);
    let has_rows = emitted?;
    Some((assembler, LoopAssembly { slots, has_rows, calls: body.calls }))
}
