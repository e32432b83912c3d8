//! Runs of plans over arrays that pass through windows: inputs are read from files, results written to them, a part at
//! a time.
//!
//! An array that passes through a window is never whole in memory. Its operands get the address that its elements would
//! have if all of them lay where the window lies. So loops need not know about windows; they touch only elements that
//! are in one. [`super::parts`] runs the parts.

use super::bound::BoundLoops;
use super::memory::{RunInputs, RunMemory};
use super::over;
use super::parts::{ByteProgress, PassContext, PassRun, read, windows_of};
use crate::array::Array;
use crate::array::mapping::WriteAt;
use crate::exec::memory::Meter;
use crate::exec::options::{Options, RunError};
use crate::exec::plan::{Plan, PlanStep, Storage, WindowPass, WindowPlan, WindowRoom, plan_with_code};
use crate::exec::threads;
use crate::ir::Program;
use std::num::NonZeroUsize;

/// What results go to, piece by piece, and who is told how far it is.
#[derive(Default)]
pub struct Flow<'a> {
    /// For each output of the program, what takes its bytes in C order; `None` for those that are wanted as arrays.
    pub outputs: Vec<Option<&'a dyn WriteAt>>,
    /// The bytes that the windows of a thread take where that can be chosen; absent: what was measured to be best.
    pub window: Option<usize>,
    /// Is told how many bytes of how many have passed, by one thread at a time.
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
}

impl std::fmt::Debug for Flow<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let taken: Vec<bool> = self.outputs.iter().map(Option::is_some).collect();
        f.debug_struct("Flow").field("outputs", &taken).field("window", &self.window).finish_non_exhaustive()
    }
}

/// The bytes of a thread's windows: what is read is still in its second-level cache when it is computed with, and what
/// is made when it is written.
const WINDOW: usize = 1 << 20;

/// The most of all threads, where rows are long.
const MAX_WINDOW_BYTES: usize = 48 << 20;

/// The most threads that have windows.
const MAX_WINDOW_THREADS: usize = 16;

impl Flow<'_> {
    pub(in crate::exec) fn room(&self, options: &Options) -> WindowRoom {
        let limit = options.max_memory.unwrap_or(usize::MAX) / 2;
        let threads = options.threads.map_or_else(threads::available, NonZeroUsize::get).min(MAX_WINDOW_THREADS);
        let best = self.window.unwrap_or(WINDOW).min(limit / threads);
        let most = if self.window.is_some() { 8 * best * threads } else { MAX_WINDOW_BYTES };
        WindowRoom { best, most: most.min(limit), threads }
    }
}

/// Runs a program whose inputs may be read, and whose outputs may be written, through windows: an array for each output
/// that nothing took.
pub(in crate::exec) fn run(program: &Program, options: &Options, flow: &Flow) -> Result<Vec<Option<Array>>, RunError> {
    let plan = plan_with_code(program, options, &[])?;
    let inputs = program.inputs.iter().map(|input| windows_of(input.value.as_ref()).is_some()).collect();
    let outputs: Vec<bool> = flow.outputs.iter().map(Option::is_some).collect();
    let passing = WindowPlan::new(&plan, inputs, &outputs, flow.room(options));
    let mut meter = Meter::new(options.max_memory);
    let held = held(program, &plan, &passing, &mut meter)?;
    let held = held.as_ref().unwrap_or(program);
    let mut memory = RunMemory::passing(RunInputs::of(held), &plan, &passing.buffers, &mut meter)?;
    let total = passing.steps.iter().flatten().map(WindowPass::moved_bytes).sum();
    let flowing = ByteProgress::new(total, flow.progress);
    for ((step, code), pass) in plan.coded_steps().zip(&passing.steps) {
        match step {
            PlanStep::Allocate(buffer) | PlanStep::Release(buffer) if passing.passes(Storage::Buffer(*buffer)) => {}
            PlanStep::Allocate(buffer) => memory.allocate(*buffer)?,
            PlanStep::Release(buffer) => memory.release(*buffer),
            PlanStep::Run(nest) => {
                options.poll()?;
                match pass {
                    Some(pass) => {
                        let given = PassContext { program, plan: &plan, outputs: &flow.outputs, flowing: &flowing };
                        PassRun::new(nest, pass, given, &memory).run(options)?;
                    }
                    None => over(&BoundLoops::new(nest, code, |storage| memory.address(storage)), options)?,
                }
            }
            PlanStep::Check { check, at } => {
                let fault = memory.fault(at);
                if fault >= 0 {
                    return Err(RunError::CheckFailed { check: *check, index: fault as u64 });
                }
            }
        }
    }
    let taken = |at: usize| passing.passes(plan.outputs[at].storage);
    let taken: Vec<bool> = (0..plan.outputs.len()).map(taken).collect();
    Ok(memory.outputs_but(&taken))
}

/// The program with the inputs read that do not pass and cannot be mapped; `None` if there are none.
fn held(program: &Program, plan: &Plan, passing: &WindowPlan, meter: &mut Meter) -> Result<Option<Program>, RunError> {
    let needs = |input: u32| {
        let array = program.inputs[input as usize].value.as_ref();
        !passing.passes(Storage::Input(input)) && array.is_some_and(|array| !array.has_addresses())
    };
    let inputs: Vec<u32> = plan.inputs.iter().map(|known| known.input).filter(|&input| needs(input)).collect();
    if inputs.is_empty() {
        return Ok(None);
    }
    let mut program = program.clone();
    for input in inputs {
        let value = &mut program.inputs[input as usize].value;
        let array = value.as_ref().expect("it has data");
        *value = Some(whole(array, input as usize, meter)?);
    }
    Ok(Some(program))
}

/// The same array in memory.
pub(in crate::exec) fn whole(array: &Array, input: usize, meter: &mut Meter) -> Result<Array, RunError> {
    let windows = windows_of(Some(array)).ok_or(RunError::OutOfMemory { needed: None, limit: None })?;
    let mut bytes = meter.zeroed(array.dtype(), array.shape())?;
    let len = bytes.as_slice().len();
    read(array, windows, input, 0..len, bytes.as_mut_slice())?;
    let buffer = crate::array::Buffer::Owned(bytes);
    Ok(Array::new(array.dtype(), array.shape(), array.strides(), 0, std::sync::Arc::new(buffer)))
}
