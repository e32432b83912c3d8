//! Runs plans over arrays that pass through windows: inputs are read from files, results written to them, a part at a time.
//!
//! What passes has no address of its own. Operands get the address that their elements would have if all of them lay where
//! the window lies, so loops need not know; they touch nothing but what is in it.

use super::bound::BoundLoops;
use super::columns::CarriedTiles;
use super::memory::RunMemory;
use super::{over, rows};
use crate::array::Array;
use crate::array::bytes::AlignedBytes;
use crate::array::mapping::{Mapping, ReadAt, WriteAt};
use crate::exec::memory::Meter;
use crate::exec::options::{Options, RunError};
use crate::exec::plan::{
    LoopNest, NestKind, Origin, Passing, Plan, PlanStep, Storage, WindowPass, WindowRoom, planned, positions,
};
use crate::exec::ready::Ready;
use crate::exec::space::PerOperand;
use crate::ir::Program;
use std::ops::Range;

/// What results go to, piece by piece, and who is told how far it is.
#[derive(Default)]
pub struct Flow<'a> {
    /// For each output of the program, what takes its bytes in C order; `None` for those that are wanted as arrays.
    pub outputs: Vec<Option<&'a dyn WriteAt>>,
    /// The bytes that windows take where that can be chosen; absent: what was measured to be best.
    pub window: Option<usize>,
    /// Is told how many bytes of how many have passed.
    pub progress: Option<&'a dyn Fn(u64, u64)>,
}

/// The bytes of windows. Half a second-level cache would do for reading; files take larger pieces faster.
const WINDOW: usize = 8 << 20;

/// The most, where rows are long.
const WINDOW_MOST: usize = 48 << 20;

impl Flow<'_> {
    pub(in crate::exec) fn room(&self, limit: Option<usize>) -> WindowRoom {
        let best = self.window.unwrap_or(WINDOW).min(limit.unwrap_or(usize::MAX) / 2);
        let most = if self.window.is_some() { 8 * best } else { WINDOW_MOST };
        WindowRoom { best, most: most.min(limit.unwrap_or(usize::MAX) / 2) }
    }
}

/// Runs a program whose inputs may be read, and whose outputs may be written, through windows: an array for each output
/// that nothing took.
pub(in crate::exec) fn run(program: &Program, options: &Options, flow: &Flow) -> Result<Vec<Option<Array>>, RunError> {
    let plan = planned(program, options, &[])?;
    let inputs = program.inputs.iter().map(|input| windows_of(input.value.as_ref()).is_some()).collect();
    let outputs: Vec<bool> = flow.outputs.iter().map(Option::is_some).collect();
    let passing = Passing::new(&plan, inputs, &outputs, flow.room(options.max_memory));
    let mut meter = Meter::new(options.max_memory);
    let held = held(program, &plan, &passing, &mut meter)?;
    let held = held.as_ref().unwrap_or(program);
    let memory = RunMemory::passing(held, &plan, &passing.buffers, &mut meter)?;
    let total = passing.steps.iter().flatten().map(WindowPass::moved).sum();
    let mut run = WindowedRun { program, plan: &plan, passing: &passing, flow, options, memory, done: 0, total };
    for (step, pass) in plan.steps.iter().zip(&passing.steps) {
        run.step(step, pass.as_ref())?;
    }
    let taken = |at: usize| passing.passes(plan.outputs[at].storage);
    let taken: Vec<bool> = (0..plan.outputs.len()).map(taken).collect();
    let arrays = run.memory.outputs_but(&taken);
    Ok(arrays)
}

/// What reads an array through windows, if it can be read so.
fn windows_of(array: Option<&Array>) -> Option<&dyn ReadAt> {
    let array = array.filter(|array| array.offset() == 0)?;
    array.mapping().and_then(Mapping::windows)
}

/// The program with the inputs read that do not pass and cannot be mapped; `None` if there are none.
fn held(program: &Program, plan: &Plan, passing: &Passing, meter: &mut Meter) -> Result<Option<Program>, RunError> {
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

/// Reads bytes of an input into a window.
fn read(
    array: &Array,
    windows: &dyn ReadAt,
    input: usize,
    bytes: Range<usize>,
    window: &mut [u8],
) -> Result<(), RunError> {
    windows.read_at(bytes.start, &mut window[..bytes.len()]).map_err(|error| {
        if error.kind() == std::io::ErrorKind::UnexpectedEof {
            array.mapping().into_iter().for_each(Mapping::lose);
        }
        RunError::Unreadable { input, reason: error.to_string() }
    })
}

/// A program while it runs.
struct WindowedRun<'r> {
    program: &'r Program,
    plan: &'r Plan,
    passing: &'r Passing,
    flow: &'r Flow<'r>,
    options: &'r Options<'r>,
    memory: RunMemory<'r>,
    /// Bytes that have passed, and of how many.
    done: u64,
    total: u64,
}

/// Folds that go on from part to part.
enum CarriedFolds {
    Nothing,
    Rows(Vec<rows::RowReducers>),
    Columns(CarriedTiles),
}

impl WindowedRun<'_> {
    fn step(&mut self, step: &PlanStep, pass: Option<&WindowPass>) -> Result<(), RunError> {
        match step {
            PlanStep::Allocate(buffer) | PlanStep::Release(buffer) if self.passing.passes(Storage::Buffer(*buffer)) => {
            }
            PlanStep::Allocate(buffer) => self.memory.allocate(*buffer)?,
            PlanStep::Release(buffer) => self.memory.release(*buffer),
            PlanStep::Run(nest) => {
                self.options.poll()?;
                match pass {
                    Some(pass) => self.pass(nest, pass)?,
                    None => over(&BoundLoops::new(nest, &self.memory), self.options)?,
                }
            }
            PlanStep::Check { check, at } => {
                let fault = self.memory.first(at);
                if fault >= 0 {
                    return Err(RunError::CheckFailed { check: *check, index: fault as u64 });
                }
            }
        }
        Ok(())
    }

    /// Runs loops a part at a time.
    fn pass(&mut self, nest: &LoopNest, pass: &WindowPass) -> Result<(), RunError> {
        let mut windows = Vec::with_capacity(pass.windows.len());
        for window in &pass.windows {
            let room = AlignedBytes::zeroed(window.bytes(0..pass.part).len());
            windows.push(room.map_err(|_| self.options.watch().refused())?);
        }
        let mut part = nest.part(pass.axis, pass.part);
        let mut carried = None;
        for first in (0..pass.rounds).step_by(pass.part) {
            let rounds = first..pass.rounds.min(first + pass.part);
            if rounds.len() < pass.part {
                let code = std::mem::take(&mut part.code);
                part = nest.part(pass.axis, rounds.len());
                part.code = code;
            }
            self.options.poll()?;
            self.fill(pass, &rounds, &mut windows)?;
            let bound = self.bound(&part, pass, &rounds, &windows);
            let carried = carried.get_or_insert_with(|| CarriedFolds::new(&bound, pass));
            carried.run(&bound, self.options)?;
            self.empty(pass, &rounds, &windows)?;
        }
        if let Some(carried) = carried {
            let last = (pass.rounds - 1) / pass.part * pass.part;
            carried.end(&self.bound(&part, pass, &(last..pass.rounds), &windows));
        }
        Ok(())
    }

    /// Reads what a part needs.
    fn fill(&mut self, pass: &WindowPass, rounds: &Range<usize>, windows: &mut [AlignedBytes]) -> Result<(), RunError> {
        for (window, bytes) in pass.windows.iter().zip(windows) {
            let (Storage::Input(input), false) = (window.storage, window.written) else { continue };
            let array = self.program.inputs[input as usize].value.as_ref().expect("the plan was made for this data");
            let from = windows_of(Some(array)).expect("it passes");
            read(array, from, input as usize, window.bytes(rounds.clone()), bytes.as_mut_slice())?;
        }
        Ok(())
    }

    /// Writes what a part has made, and tells how far it is.
    fn empty(&mut self, pass: &WindowPass, rounds: &Range<usize>, windows: &[AlignedBytes]) -> Result<(), RunError> {
        for (window, bytes) in pass.windows.iter().zip(windows) {
            let place = window.bytes(rounds.clone());
            self.done += place.len() as u64;
            if !window.written {
                continue;
            }
            let output = self.plan.outputs.iter().position(|output| output.storage == window.storage);
            let output = output.expect("what is written is an output");
            let to = self.flow.outputs[output].expect("it passes to something");
            to.write_at(place.start, &bytes.as_slice()[..place.len()])
                .map_err(|error| RunError::Unwritable { output, reason: error.to_string() })?;
        }
        if let Some(progress) = self.flow.progress {
            progress(self.done.min(self.total), self.total);
        }
        Ok(())
    }

    /// Loops with the addresses of a part.
    fn bound<'p>(
        &self,
        part: &'p LoopNest,
        pass: &WindowPass,
        rounds: &Range<usize>,
        windows: &[AlignedBytes],
    ) -> BoundLoops<'p> {
        let strides = part.strides(pass.axis);
        let address = |operand: usize| {
            let moved = strides[operand].wrapping_mul(rounds.start as isize);
            let base = match (pass.of[operand], part.origins[operand]) {
                (Some(window), Origin::At { offset, .. }) => {
                    let bytes = pass.windows[window].bytes(rounds.clone());
                    debug_assert!(part.is_within(operand, moved + offset, &bytes), "an operand stays in its window");
                    let first = bytes.start;
                    (windows[window].as_ptr() as usize).wrapping_sub(first).wrapping_add_signed(offset)
                }
                (_, origin) => self.memory.origin(origin),
            };
            base.wrapping_add_signed(moved)
        };
        let addresses: PerOperand<usize> = (0..part.origins.len()).map(address).collect();
        BoundLoops { nest: part, addresses, tables: self.memory.tables(part) }
    }
}

impl CarriedFolds {
    fn new(bound: &BoundLoops, pass: &WindowPass) -> CarriedFolds {
        match (pass.carries, bound.nest.nest.kind) {
            (true, NestKind::Rows) => {
                let results = positions(&bound.nest.nest.outer);
                CarriedFolds::Rows((0..results).map(|_| rows::reducers(&bound.nest.nest)).collect())
            }
            (true, NestKind::Columns) => CarriedFolds::Columns(CarriedTiles::new(bound, pass.one_by_one)),
            _ => CarriedFolds::Nothing,
        }
    }

    fn run(&mut self, bound: &BoundLoops, options: &Options) -> Result<(), RunError> {
        if let CarriedFolds::Nothing = self {
            return over(bound, options);
        }
        let nest = bound.nest;
        if let Some(code) = &nest.nest.code {
            nest.code.get_or_init(|| Ready::new(code, nest.loops.short, options)).note(options);
        }
        match self {
            CarriedFolds::Nothing => Ok(()),
            CarriedFolds::Rows(results) => bound.run_rows_on(results, options),
            CarriedFolds::Columns(tiles) => tiles.run(bound, options),
        }
    }

    /// Writes results that no more terms come for.
    fn end(self, bound: &BoundLoops) {
        match self {
            CarriedFolds::Nothing => {}
            CarriedFolds::Rows(mut results) => bound.end_rows(&mut results),
            CarriedFolds::Columns(tiles) => tiles.end(bound),
        }
    }
}
