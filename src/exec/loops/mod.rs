//! Runners of loops, a step after the other.
//!
//! A step is a program: its inputs are the states, and it gives the next states. Two buffers in turn hold a state,
//! whatever the number of steps. A step is planned once, and if it has nothing but kernels, their addresses are found
//! once ([`kernel_steps`]). A state of which a step changes a few elements stays where it is, and the new elements are
//! put in it ([`super::patches`]). An error in a step keeps the step and its inputs, so that a message can show it.
//!
//! Loops over numbers, and loops whose steps have nothing but operations on elements, are compiled as a whole
//! ([`compiled`]).

#[cfg_attr(not(all(feature = "jit", target_arch = "x86_64")), path = "compiled/absent.rs")]
mod compiled;
mod kernel_steps;

use super::memory::Meter;
use super::options::{Engine, FailedStep, Options, RunError};
use super::patches::{self, Patch, PatchedStep};
use super::run::{copied_metered, copy_of};
use crate::array::bytes::AlignedBytes;
use crate::array::{Array, Sizes, Strides};
use crate::ir::loops::{LoopOver, ProgramLoop};
use crate::ir::{NodeId, Program, ProgramOutput};
use crate::types::{DType, shape};
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// Runs a program whose inputs have their data. The flag is true in the first step. Then inner loops may say how long
/// they take: the outer loop cannot know that yet.
pub(super) type RunStep<'r> = &'r mut dyn FnMut(&Program, bool, &mut Meter) -> Result<Vec<Array>, RunError>;

/// A loop while it runs.
struct RunningLoop<'l, 'o> {
    of: &'l ProgramLoop,
    step: Program,
    condition: Option<Program>,
    /// The elements that a step puts in states; `step` then gives these states as they were.
    patches: Vec<Patch>,
    options: &'l Options<'o>,
    pace: Pace,
}

/// How fast a loop goes.
struct Pace {
    begun: Instant,
    told: bool,
}

/// How long a loop runs before its pace is known.
const PACE_AFTER: Duration = Duration::from_secs(1);
/// Steps between two looks at the clock, after the first ones.
const STEPS_PER_CLOCK_READ: u64 = 64;

impl Pace {
    fn new() -> Pace {
        Pace { begun: Instant::now(), told: false }
    }

    /// Says how long the loop will take, once that is known and long.
    fn note(&mut self, done: u64, count: u64, early: bool, options: &Options) {
        if done < STEPS_PER_CLOCK_READ || done.is_multiple_of(STEPS_PER_CLOCK_READ) {
            self.look(done, count, early, options.on_progress);
        }
    }

    /// Looks at the clock, and says how long the loop will take, once that is known and long.
    fn look(&mut self, done: u64, count: u64, early: bool, on_progress: Option<fn(&str)>) {
        let Some(report) = on_progress.filter(|_| !self.told) else { return };
        let spent = self.begun.elapsed();
        if spent < PACE_AFTER || done == 0 {
            return;
        }
        self.told = true;
        let seconds = spent.as_secs_f64() * (count - done) as f64 / done as f64;
        if seconds > 10.0 {
            let most = if early { "at most about" } else { "about" };
            let time = long(seconds);
            report(&format!(
                "this loop has done {done} of {count} steps and takes {most} {time} more; Ctrl-C stops it"
            ));
        }
    }
}

/// A time in words.
fn long(seconds: f64) -> String {
    let units = [(31_557_600.0, "years"), (86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes")];
    let (unit, name) = units.into_iter().find(|(unit, _)| seconds >= 2.0 * unit).unwrap_or((1.0, "seconds"));
    format!("{:.0} {name}", seconds / unit)
}

/// Whether the states of a loop stay in registers, where its code is compiled.
pub(super) fn is_elementwise(of: &ProgramLoop) -> bool {
    compiled::is_elementwise(of)
}

/// Whether a loop computes numbers one by one, so that it can be compiled as a whole.
pub(super) fn is_of_numbers(of: &ProgramLoop) -> bool {
    compiled::is_of_numbers(of)
}

/// How many steps a loop has at most.
fn steps_of(of: &ProgramLoop, args: &[Array]) -> u64 {
    match of.over {
        LoopOver::Steps => (args[0].get(0).bits as u64 as i64).max(0) as u64,
        LoopOver::Rows { axis, .. } => args[of.states].shape()[axis as usize] as u64,
    }
}

/// Runs a loop. Returns all its results.
pub(super) fn run(
    of: &ProgramLoop,
    args: &[Array],
    meter: &mut Meter,
    options: &Options,
    run_step: RunStep,
) -> Result<Vec<Array>, RunError> {
    let args = &*in_order(of, args, meter, options)?;
    if let Some(results) = compiled::run(of, args, meter, options)? {
        return Ok(results);
    }
    let (step, condition) = (of.step.clone(), of.condition.clone());
    let mut running = RunningLoop { of, step, condition, patches: Vec::new(), options, pace: Pace::new() };
    match of.over {
        LoopOver::Steps => running.steps(args, meter, run_step),
        LoopOver::Rows { arrays, axis, reverse } => {
            running.rows(args, (arrays, axis as usize, reverse), meter, run_step)
        }
    }
}

/// The arguments of a loop, with first states in C order: a step that reads a state at positions may read it as if it
/// were one line.
fn in_order<'a>(
    of: &ProgramLoop,
    args: &'a [Array],
    meter: &mut Meter,
    options: &Options,
) -> Result<Cow<'a, [Array]>, RunError> {
    let mut args = Cow::Borrowed(args);
    for at in of.before_states()..of.before_states() + of.states {
        if !args[at].is_contiguous() {
            args.to_mut()[at] = copied_metered(&args[at], options, meter)?;
        }
    }
    Ok(args)
}

impl RunningLoop<'_, '_> {
    /// Binds the inputs from number `from` on to values.
    fn bind(&mut self, from: usize, values: &[Array]) {
        for program in std::iter::once(&mut self.step).chain(&mut self.condition) {
            for (input, value) in program.inputs[from..].iter_mut().zip(values) {
                input.value = Some(value.clone());
            }
        }
    }

    /// Runs a part of the step with this number.
    fn part(
        &self,
        program: &Program,
        number: u64,
        meter: &mut Meter,
        run_step: &mut RunStep,
    ) -> Result<Vec<Array>, RunError> {
        run_step(program, number == 0, meter).map_err(|error| in_step(self.of, program, number, error))
    }

    /// Runs a step and binds the next states. Returns what else the step gives. Memory of states that are gone is given
    /// back.
    fn advance(
        &mut self,
        number: u64,
        held: usize,
        meter: &mut Meter,
        run_step: &mut RunStep,
    ) -> Result<Vec<Array>, RunError> {
        let mut given = self.part(&self.step, number, meter, run_step)?;
        let mut more = given.split_off(self.of.states);
        if !self.patches.is_empty() {
            self.patch(&mut given, &mut more)?;
        }
        self.bind(0, &given);
        let bytes: usize = given.iter().map(|state| state.len() * state.dtype().size()).sum();
        meter.hold(held.saturating_add(bytes));
        Ok(more)
    }

    /// Whether each step runs as it is written, so that the other ways can be compared with it.
    fn is_reference(&self) -> bool {
        self.options.engine == Engine::Reference
    }

    /// If a step changes a few elements of a state, the state stays where it is from now on, in memory of its own. The
    /// first states are copied for that, which takes less time than a step that makes all of them. Returns the number
    /// of the first step whose states nobody else has.
    fn settle(&mut self, count: u64, meter: &mut Meter) -> Result<u64, RunError> {
        if count <= kernel_steps::FIRST || self.is_reference() {
            return Ok(kernel_steps::FIRST);
        }
        let Some(PatchedStep { step, patches }) = PatchedStep::of(&self.step, self.of.states) else {
            return Ok(kernel_steps::FIRST);
        };
        let mut own = self.states();
        for state in &mut own {
            *state = copied_metered(state, self.options, meter)?;
        }
        (self.step, self.patches) = (step, patches);
        self.bind(0, &own);
        Ok(0)
    }

    /// Puts the elements that a step stores into its states, and drops them from what the step gives.
    fn patch(&mut self, states: &mut [Array], more: &mut Vec<Array>) -> Result<(), RunError> {
        let given = self.of.step.outputs.len();
        let output = |output: usize| &more[output - self.of.states];
        let stored = self.patches.iter().map(|patch| {
            let firsts = patch.firsts(|said| output(said).get(0).bits as u64 as i64);
            (patch, firsts, patches::elements(output(patch.value), &patch.counts))
        });
        let stored: Vec<_> = stored.collect();
        more.truncate(given - self.of.states);
        for (patch, firsts, elements) in stored {
            for program in std::iter::once(&mut self.step).chain(&mut self.condition) {
                program.inputs[patch.state].value = None;
            }
            let state = &mut states[patch.state];
            let (dtype, sizes) = (state.dtype(), Sizes::from_slice(state.shape()));
            let nothing = Array::from_elements::<i64>(&[0], &[]);
            let mut bytes = match std::mem::replace(state, nothing).into_bytes() {
                Ok(bytes) => bytes,
                Err(shared) => {
                    let copy = copy_of(&shared, self.options)?;
                    copy.into_bytes().map_err(|_| RunError::Internal("a copy is somebody else's".to_owned()))?
                }
            };
            patch.put(&firsts, &elements, &sizes, bytes.as_mut_slice());
            *state = Array::from_bytes(dtype, sizes, bytes);
        }
        Ok(())
    }

    fn states(&self) -> Vec<Array> {
        let states = self.step.inputs[..self.of.states].iter();
        states.map(|input| input.value.clone().expect("states are bound")).collect()
    }

    fn steps(&mut self, args: &[Array], meter: &mut Meter, mut run_step: RunStep) -> Result<Vec<Array>, RunError> {
        let states = self.of.states;
        let count = steps_of(self.of, args);
        self.bind(0, &args[1..=states]);
        self.bind(states, &[Array::from_elements(&[], &[0i64])]);
        self.bind(states + 1, &args[states + 1..]);
        let held = meter.held_bytes();
        let early = self.condition.is_some() || self.of.asks;
        let first = self.settle(count, meter)?;
        for number in 0..count {
            if number == first
                && !self.is_reference()
                && let Some(states) = self.kernel_steps(number..count, early, meter)?
            {
                return Ok(states);
            }
            self.options.poll()?;
            self.pace.note(number, count, early, self.options);
            self.bind(states, &[Array::from_elements(&[], &[number as i64])]);
            if let Some(condition) = &self.condition {
                let holds = self.part(condition, number, meter, &mut run_step)?;
                if holds[0].get(0).bits == 0 {
                    break;
                }
            }
            let more = self.advance(number, held, meter, &mut run_step)?;
            if self.of.asks && more[0].get(0).bits == 0 {
                break;
            }
        }
        Ok(self.states())
    }

    fn rows(
        &mut self,
        args: &[Array],
        (arrays, axis, reverse): (usize, usize, bool),
        meter: &mut Meter,
        mut run_step: RunStep,
    ) -> Result<Vec<Array>, RunError> {
        let states = self.of.states;
        let (whole, used) = args[states..].split_at(arrays);
        self.bind(0, &args[..states]);
        self.bind(states + arrays, used);
        let len = whole[0].shape()[axis];
        let mut results = Vec::new();
        for output in &self.of.step.outputs[states..] {
            results.push(Stack::new(&self.of.step, output, axis, len, meter)?);
        }
        let held = meter.held_bytes();
        self.settle(len as u64, meter)?;
        for number in 0..len {
            self.options.poll()?;
            self.pace.note(number as u64, len as u64, false, self.options);
            let at = if reverse { len - 1 - number } else { number };
            let mut rows: Vec<Array> = whole.iter().map(|array| row(array, axis, at)).collect();
            for row in rows.iter_mut().filter(|row| row.shape().len() > 1 && !row.is_contiguous()) {
                *row = copy_of(row, self.options)?;
            }
            self.bind(states, &rows);
            let given = self.advance(number as u64, held, meter, &mut run_step)?;
            results.iter_mut().zip(&given).for_each(|(stack, row)| stack.put(at, row));
        }
        Ok(results.into_iter().map(Stack::finish).collect())
    }
}

/// The error of the step with this number, with the inputs of the step. Errors that do not come from a step stay as
/// they are.
fn in_step(of: &ProgramLoop, program: &Program, number: u64, error: RunError) -> RunError {
    let is_of_step = matches!(
        error,
        RunError::CheckFailed { .. }
            | RunError::Step(_)
            | RunError::TooShort { .. }
            | RunError::TooManyElements { .. }
            | RunError::UnknownSize { .. }
            | RunError::EmptyReduction { .. }
    );
    if !is_of_step {
        return error;
    }
    let counter = program.inputs.get(of.states).filter(|input| of.over == LoopOver::Steps && !input.name.is_empty());
    let counter = counter.map(|input| input.name.clone());
    RunError::Step(Box::new(FailedStep { program: program.clone(), number, counter, error }))
}

/// One row of an array, where it lies.
fn row(array: &Array, axis: usize, at: usize) -> Array {
    let others = (0..array.shape().len()).filter(|&other| other != axis);
    let (sizes, strides): (Vec<usize>, Vec<isize>) =
        others.map(|other| (array.shape()[other], array.strides()[other])).unzip();
    let offset = array.offset() as isize + at as isize * array.strides()[axis];
    array.view(Sizes::from_slice(&sizes), Strides::from_slice(&strides), offset as usize)
}

/// Rows that become an array.
struct Stack {
    dtype: DType,
    sizes: Vec<usize>,
    axis: usize,
    bytes: AlignedBytes,
}

impl Stack {
    fn new(
        step: &Program,
        output: &ProgramOutput,
        axis: usize,
        len: usize,
        meter: &mut Meter,
    ) -> Result<Stack, RunError> {
        let node = step.node(output.node);
        let mut sizes = shape::sizes(&node.shape).ok_or(RunError::UnknownSize { node: NodeId(0) })?;
        sizes.insert(axis, len);
        let bytes = meter.zeroed(node.dtype, &sizes)?;
        Ok(Stack { dtype: node.dtype, sizes: sizes.clone(), axis, bytes })
    }

    fn put(&mut self, at: usize, row: &Array) {
        let size = self.dtype.size();
        let inner: usize = self.sizes[self.axis + 1..].iter().product();
        let len = self.sizes[self.axis];
        for flat in 0..row.len() {
            let place = ((flat / inner * len + at) * inner + flat % inner) * size;
            let bytes = row.get(flat).bits.to_le_bytes();
            self.bytes.as_mut_slice()[place..place + size].copy_from_slice(&bytes[..size]);
        }
    }

    fn finish(self) -> Array {
        Array::from_bytes(self.dtype, Sizes::from_slice(&self.sizes), self.bytes)
    }
}
