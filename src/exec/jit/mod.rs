//! Compiles inner loops to machine code.
//!
//! `lower` writes a loop's body as operations on vectors.
//!
//! Where the processor has AVX2 or AVX-512, `x86` selects instructions for them, on vectors of 256 or 512 bits. For
//! every other processor, and for what `x86` does not take, `clif` writes the same operations on vectors of 128 bits
//! for Cranelift. `compile` owns the code and `cache` keeps it. A recurrence, which runs a step again and again on the
//! same elements, has a frame of its own in both.
//!
//! ```text
//! Loop -> lower -> VectorBody -> x86  -> bytes
//!                             -> clif -> Cranelift -> bytes
//! ```

mod cache;
mod check;
mod clif;
mod compile;
mod isa;
mod lower;
#[cfg(feature = "object")]
pub mod object;
mod packed;
pub(crate) mod scalar;
#[cfg(test)]
pub(crate) mod tests;
mod x86;

use super::machine::level;
use super::stepping::{Code, Loop, LoopInput, LoopOperand, LoopOutput, Recurrence, Step};
use crate::array::bytes::{AlignedBytes, OutOfMemory};
use crate::kernel::{InstOp, Kernel, KernelSource};
pub(crate) use cache::take_compile_time;
use compile::{CompiledLoop, CompiledRecurrence};
use std::cell::Cell;
use std::sync::Arc;
use x86::WideRecurrence;

/// Whether loops are compiled. Where they are not, `absent.rs` stands in the place of this file.
pub(crate) const IS_BUILT: bool = true;

/// A compiled loop with scratch of its own.
pub(crate) struct Instance<'p> {
    code: &'p CompiledLoop,
    scratch: Option<AlignedBytes>,
}

/// The code of a loop, of which every thread makes an instance.
pub(crate) struct PreparedLoop(Arc<CompiledLoop>);

/// The code of a loop, compiled if it is not known.
///
/// # Errors
/// When this machine or the code generator refuses; the reason is for the user.
pub(crate) fn prepare(code: &Loop, verify: bool) -> Result<PreparedLoop, String> {
    cache::compiled_loop(code, verify).map(PreparedLoop)
}

/// A loop with scratch.
pub(crate) fn instance(prepared: &PreparedLoop) -> Result<Instance<'_>, OutOfMemory> {
    Instance::of(&prepared.0)
}

thread_local! {
    /// Scratch that a loop of this thread let go of.
    static IDLE: Cell<Option<AlignedBytes>> = const { Cell::new(None) };
}

/// The most bytes of scratch that a thread keeps.
const MAX_IDLE_BYTES: usize = 64 << 10;

impl<'p> Instance<'p> {
    fn of(code: &'p CompiledLoop) -> Result<Instance<'p>, OutOfMemory> {
        let mut instance = Instance { code, scratch: IDLE.take() };
        match &mut instance.scratch {
            Some(idle) if idle.as_slice().len() >= code.scratch => idle.as_mut_slice()[..code.scratch].fill(0),
            none => *none = Some(AlignedBytes::zeroed(code.scratch)?),
        }
        Ok(instance)
    }

    fn scratch(&mut self) -> *mut u8 {
        self.scratch.as_mut().expect("it is kept when the instance is gone").as_mut_ptr()
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        if self.scratch.as_ref().is_some_and(|scratch| scratch.as_slice().len() <= MAX_IDLE_BYTES) {
            // A thread that ends keeps nothing.
            let _ = IDLE.try_with(|idle| idle.set(self.scratch.take()));
        }
    }
}

#[expect(unsafe_code, reason = "the operands of a loop are addresses with strides, not slices")]
impl Code for Instance<'_> {
    unsafe fn run(&mut self, operands: &[LoopOperand], start: usize, len: usize) {
        // SAFETY: the caller promises elements of the operands; the scratch has the size that the code asks for.
        unsafe { self.code.run(self.scratch(), operands, start, len) }
    }

    unsafe fn rows_at_once(
        &mut self,
        operands: &[LoopOperand],
        elements: (usize, usize),
        rows: usize,
        to_next: &[isize],
    ) -> bool {
        // SAFETY: the caller promises elements of the operands; the scratch has the size that the code asks for.
        unsafe { self.code.rows_at_once(self.scratch(), operands, elements, rows, to_next) }
    }
}

/// The code of a recurrence.
pub(crate) struct PreparedRecurrence(Arc<CompiledRecurrence>);

/// The code of a recurrence, compiled if it is not known.
///
/// # Errors
/// As for [`prepare`].
pub(crate) fn prepare_recurrence(code: &Recurrence, verify: bool) -> Result<PreparedRecurrence, String> {
    cache::compiled_recurrence(code, verify).map(PreparedRecurrence)
}

#[expect(unsafe_code, reason = "the operands of a loop are addresses with strides, not slices")]
impl PreparedRecurrence {
    /// Elements side by side.
    pub(crate) fn lanes(&self) -> usize {
        self.0.lanes
    }

    /// Runs `len` steps from the one with the number `start` on. Returns whether the condition lets the loop go on.
    /// Behind the operands come as many again, with the distances between steps.
    ///
    /// # Safety
    /// At each of these steps the lanes of operands can be read, and of states and results written.
    pub(crate) unsafe fn run(&self, operands: &[LoopOperand], start: u64, len: u64) -> bool {
        let mut report = 0u64;
        // SAFETY: the caller promises lanes of the operands; the report has the size that the code asks for.
        unsafe { self.0.code.run((&raw mut report).cast(), operands, start as usize, len as usize) };
        report != 0
    }
}

/// The code of a recurrence on wide vectors.
pub(crate) struct PreparedWide(Arc<Option<WideRecurrence>>);

/// The code of a recurrence on wide vectors, compiled if it is not known; `None` where there is none.
pub(crate) fn prepare_wide(code: &Recurrence) -> Option<PreparedWide> {
    let code = cache::wide_recurrence(code);
    code.is_some().then_some(PreparedWide(code))
}

#[expect(unsafe_code, reason = "the operands of a loop are addresses with strides, not slices")]
impl PreparedWide {
    fn code(&self) -> &WideRecurrence {
        self.0.as_ref().as_ref().expect("there is code")
    }

    /// Elements side by side.
    pub(crate) fn lanes(&self) -> usize {
        self.code().lanes
    }

    /// Bytes of scratch that it needs.
    pub(crate) fn scratch(&self) -> usize {
        self.code().scratch()
    }

    /// Where the lanes of an operand are in scratch, inputs first; `None` of what lies elsewhere.
    pub(crate) fn place(&self, operand: usize) -> Option<usize> {
        self.code().place(operand)
    }

    /// Runs steps, at least one. Behind the operands come as many again, with the distances between steps.
    ///
    /// # Safety
    /// At each of these steps the lanes of operands that are not in scratch can be read, and of results written;
    /// `scratch` has as many bytes as the code needs, aligned to 64.
    pub(crate) unsafe fn run(&self, scratch: *mut u8, operands: &[LoopOperand], steps: usize) {
        // SAFETY: the caller promises operands for all steps, and scratch of the size that the code asks for.
        unsafe { self.code().run(scratch, operands, steps) }
    }
}

/// Which text of a kernel's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// Operations on vectors, the same for every processor.
    Body,
    /// Cranelift's intermediate representation.
    Clif,
    /// Assembly.
    Asm,
}

/// The code of a kernel as text, for dense arrays: the innermost axis of the space is the inner loop.
pub fn emit_text(kernel: &Kernel, form: Listing) -> String {
    let innermost = kernel.space.len().checked_sub(1);
    let dtype_of = |source: usize| {
        let loads = |inst: &&crate::kernel::Inst| inst.op == InstOp::Load(source as u32);
        kernel.body.insts.iter().find(loads).map(|inst| inst.dtype)
    };
    let inputs = kernel.sources.iter().enumerate().map(|(index, source)| match source {
        KernelSource::Coordinate(_) => LoopInput::Count,
        KernelSource::Array { walk, .. } => {
            let innermost = walk.iter().find(|place| place.axis.is_some() && place.axis == innermost);
            let step = match innermost.map(|place| place.step) {
                None => Step::Repeat,
                Some(1) => Step::Dense,
                Some(-1) => Step::Back,
                Some(2) => Step::Alternate,
                Some(_) => Step::Strided,
            };
            LoopInput::Array(dtype_of(index).unwrap_or(crate::types::DType::U8), step)
        }
    });
    let outputs = kernel.sinks.iter().map(|sink| LoopOutput { value: sink.value(), step: Step::Dense });
    let code = Loop { body: kernel.body.clone(), inputs: inputs.collect(), outputs: outputs.collect() };
    if form == Listing::Body {
        return lower::lower(&code, lower::TargetAbilities::default()).to_string();
    }
    match compile::text(&code, level(), form == Listing::Asm) {
        Ok(text) => text,
        Err(reason) => format!("; not compiled: {reason}\n"),
    }
}
