//! Repeated runs of a loop's step: everything has its place before the first run.
//!
//! Each state has two buffers. What one run writes the next one reads, and the other way round; so all loops have two
//! sets of addresses, and a run is nothing but those loops.
//!
//! ```text
//! even runs    read a.0, write a.1        odd runs    read a.1, write a.0
//! ```
//!
//! A state of which a run changes a few elements has one: they are put there when the run has made them.
#![expect(unsafe_code, reason = "a loop gets the addresses of its operands")]

use super::bound::BoundLoops;
use super::call::BoundCall;
use super::memory::{buffer_memory, read_elements, read_truth, read_word};
use super::over;
use crate::array::bytes::AlignedBytes;
use crate::array::{Array, Sizes, Strides};
use crate::exec::memory::Meter;
use crate::exec::options::{Options, RunError};
use crate::exec::patches::Patch;
use crate::exec::plan::{NestKind, Plan, PlanStep, Storage, StoredArray};
use crate::exec::plan_with_code::{PlanWithCode, StepCode};
use crate::ir::Program;
use crate::types::DType;
use smallvec::SmallVec;

/// A program with its plan.
#[derive(Clone, Copy)]
pub(in crate::exec) struct PlannedProgram<'p> {
    pub(in crate::exec) program: &'p Program,
    pub(in crate::exec) plan: &'p PlanWithCode,
}

/// The step of a loop, and the condition on which it goes on, which reads the same inputs.
pub(in crate::exec) struct RepeatedStep<'p> {
    step: Turns<'p>,
    condition: Option<Turns<'p>>,
    places: InputPlaces,
    patches: Vec<BoundPatch<'p>>,
    /// The elements that are put in states.
    aside: Vec<u8>,
    /// How often the step has run.
    runs: usize,
}

/// Where the inputs are that change from run to run.
struct InputPlaces {
    states: Vec<StatePlace>,
    /// The number of the run: the input after the states.
    number: AlignedBytes,
}

/// Where a state is.
enum StatePlace {
    /// The state stays this array.
    Kept(Array),
    /// Runs change elements of it.
    Patched { dtype: DType, sizes: Sizes, bytes: AlignedBytes },
    /// Each run makes it anew, in a buffer of the plan.
    Made { buffer: u32, dtype: DType, sizes: Sizes, bytes: [AlignedBytes; 2] },
}

/// A program in even and in odd runs.
struct Turns<'p> {
    steps: [Vec<BoundStep<'p>>; 2],
    /// Where the output is that says whether to go on.
    answer: [Option<usize>; 2],
    /// What buffers hold that are no states.
    _scratch: Vec<AlignedBytes>,
}

/// One step of a run.
enum BoundStep<'p> {
    Run(BoundLoops<'p>),
    /// Loops that are one call of their code.
    Call(BoundCall<'p>),
    /// The run ends here if the scalar at the address is not -1.
    Check {
        check: usize,
        at: usize,
    },
}

impl<'p> BoundStep<'p> {
    /// Loops in the shortest form that runs them.
    fn of(loops: BoundLoops<'p>, options: &Options) -> Result<BoundStep<'p>, RunError> {
        let nest = loops.nest;
        if nest.nest.kind != NestKind::Map {
            return Ok(BoundStep::Run(loops));
        }
        loops.code.prepare(nest, options);
        let call = loops.call(options)?;
        Ok(call.map_or(BoundStep::Run(loops), BoundStep::Call))
    }
}

/// Elements that a run puts in a state.
struct BoundPatch<'p> {
    patch: &'p Patch,
    /// Where they are, in even and in odd runs, and how they lie.
    value: [usize; 2],
    strides: Strides,
    size: usize,
    /// Where the outputs are that say positions, from the first on.
    outputs: Vec<(usize, [usize; 2])>,
}

impl BoundPatch<'_> {
    fn len(&self) -> usize {
        self.patch.counts.iter().product::<usize>() * self.size
    }

    /// Copies the elements that a run has made.
    fn fetch(&self, turn: usize, to: &mut [u8]) {
        // SAFETY: the output lies there with these strides, and `to` has room for its elements.
        unsafe { read_elements(self.value[turn], &self.patch.counts, &self.strides, self.size, to) };
    }

    /// The first position along each axis in a run.
    fn firsts(&self, turn: usize) -> SmallVec<[isize; 4]> {
        let address = |output: usize| {
            let found = self.outputs.iter().find(|(known, _)| *known == output);
            found.expect("it was bound").1[turn]
        };
        self.patch.firsts(|output| read_word(address(output)))
    }
}

/// Whether a step can run so: each state stays as it is, or is made in memory of its own.
pub(in crate::exec) fn can_repeat(plan: &Plan, states: usize) -> bool {
    let outputs = &plan.outputs[..states];
    outputs.iter().enumerate().all(|(state, output)| match output.storage {
        Storage::Input(input) => input as usize == state && is_all_of(plan, state),
        Storage::Buffer(buffer) => {
            output.is_whole()
                && output.sizes == plan.buffers[buffer as usize].sizes
                && outputs[..state].iter().all(|other| other.storage != output.storage)
        }
        Storage::Constant(_) => false,
    })
}

/// Whether a state that is given as it is read is all of it.
fn is_all_of(plan: &Plan, state: usize) -> bool {
    let output = &plan.outputs[state];
    let input = plan.inputs.iter().find(|input| input.input as usize == state);
    input.is_some_and(|input| output.offset == 0 && output.sizes == input.sizes && output.strides == input.strides)
}

impl<'p> RepeatedStep<'p> {
    /// A step that [can run so](can_repeat), and whose states have these values; its program no longer holds them. It
    /// puts elements in them, and says whether to go on, or does not.
    ///
    /// # Errors
    /// The states, when they do not get a second place: for want of memory, or because somebody else reads them.
    pub(in crate::exec) fn new(
        step: PlannedProgram<'p>,
        condition: Option<PlannedProgram<'p>>,
        states: Vec<Array>,
        (patches, asks): (&'p [Patch], bool),
        (options, meter): (&Options, &mut Meter),
    ) -> Result<RepeatedStep<'p>, Vec<Array>> {
        let answer = asks.then_some(states.len());
        let places = InputPlaces::new(step.plan, states, patches, meter)?;
        let made = Turns::new(step, answer, Some((&places.states, patches)), &places, (options, meter));
        let asked =
            condition.map(|condition| Turns::new(condition, Some(0), None, &places, (options, meter))).transpose();
        match (made, asked) {
            (Ok((step, patches)), Ok(condition)) => {
                let condition = condition.map(|(turns, _)| turns);
                let aside = vec![0; patches.iter().map(BoundPatch::len).sum()];
                Ok(RepeatedStep { step, condition, places, patches, aside, runs: 0 })
            }
            _ => Err(places.arrays(0)),
        }
    }

    /// Whether the condition holds for the states as they are, before the run with this number.
    ///
    /// # Errors
    /// What is wrong in the condition.
    pub(in crate::exec) fn holds(&mut self, number: u64, options: &Options) -> Result<bool, RunError> {
        self.places.number.as_mut_slice().copy_from_slice(&number.to_le_bytes());
        self.condition.as_mut().map_or(Ok(true), |condition| condition.run(self.runs % 2, options))
    }

    /// Makes the next states. Returns whether the step says to go on.
    ///
    /// # Errors
    /// What is wrong in the step; the states are as before.
    pub(in crate::exec) fn run(&mut self, options: &Options) -> Result<bool, RunError> {
        let turn = self.runs % 2;
        let goes_on = self.step.run(turn, options)?;
        self.patch(turn);
        self.runs += 1;
        Ok(goes_on)
    }

    /// Puts the elements in states that a run has made for them. All are copied first: some may be of those states.
    fn patch(&mut self, turn: usize) {
        let mut left = &mut self.aside[..];
        for bound in &self.patches {
            let (own, rest) = left.split_at_mut(bound.len());
            bound.fetch(turn, own);
            left = rest;
        }
        let mut begin = 0;
        let firsts: SmallVec<[_; 2]> = self.patches.iter().map(|bound| bound.firsts(turn)).collect();
        for (bound, firsts) in self.patches.iter().zip(firsts) {
            let elements = &self.aside[begin..][..bound.len()];
            begin += elements.len();
            if let StatePlace::Patched { sizes, bytes, .. } = &mut self.places.states[bound.patch.state] {
                bound.patch.put(&firsts, elements, sizes, bytes.as_mut_slice());
            }
        }
    }

    /// The states.
    pub(in crate::exec) fn states(self) -> Vec<Array> {
        self.places.arrays(self.runs % 2)
    }
}

impl InputPlaces {
    fn new(plan: &Plan, states: Vec<Array>, patches: &[Patch], meter: &mut Meter) -> Result<InputPlaces, Vec<Array>> {
        let second = |state: usize| match plan.outputs[state].storage {
            Storage::Buffer(buffer) => {
                buffer_memory(&plan.buffers[buffer as usize], meter).map(|bytes| Some((buffer, bytes)))
            }
            Storage::Input(_) | Storage::Constant(_) => Ok(None),
        };
        let seconds: Result<Vec<_>, RunError> = (0..states.len()).map(second).collect();
        let (Ok(seconds), Ok(number)) = (seconds, AlignedBytes::zeroed(size_of::<i64>())) else { return Err(states) };
        let mut shared = false;
        let placed = states.into_iter().zip(seconds).enumerate().map(|(state, (array, second))| {
            if second.is_none() && patches.iter().all(|patch| patch.state != state) {
                return StatePlace::Kept(array);
            }
            let (dtype, sizes) = (array.dtype(), Sizes::from_slice(array.shape()));
            match (array.into_bytes(), second) {
                (Ok(first), Some((buffer, second))) => {
                    StatePlace::Made { buffer, dtype, sizes, bytes: [first, second] }
                }
                (Ok(bytes), None) => StatePlace::Patched { dtype, sizes, bytes },
                (Err(array), _) => {
                    shared = true;
                    StatePlace::Kept(array)
                }
            }
        });
        let places = InputPlaces { states: placed.collect(), number };
        if shared { Err(places.arrays(0)) } else { Ok(places) }
    }

    /// The states before an even run, or before an odd one.
    fn arrays(self, turn: usize) -> Vec<Array> {
        let array = |state| match state {
            StatePlace::Kept(array) => array,
            StatePlace::Patched { dtype, sizes, bytes } => Array::from_bytes(dtype, sizes, bytes),
            StatePlace::Made { dtype, sizes, bytes: [even, odd], .. } => {
                Array::from_bytes(dtype, sizes, if turn == 0 { even } else { odd })
            }
        };
        self.states.into_iter().map(array).collect()
    }

    /// The address of an input's first element in a run.
    fn input(&self, program: &Program, input: usize, turn: usize) -> usize {
        let first = match self.states.get(input) {
            Some(StatePlace::Kept(array)) => array.pointer(),
            Some(StatePlace::Patched { bytes, .. }) => bytes.as_ptr(),
            Some(StatePlace::Made { bytes, .. }) => bytes[turn].as_ptr(),
            None if input == self.states.len() => self.number.as_ptr(),
            None => program.inputs[input].value.as_ref().expect("the plan was made for this data").pointer(),
        };
        first as usize
    }
}

impl<'p> Turns<'p> {
    /// A program, whose output `answer` says whether to go on, if there is one. It makes these states, with elements
    /// for some of them, or none.
    fn new(
        of: PlannedProgram<'p>,
        answer: Option<usize>,
        made: Option<(&[StatePlace], &'p [Patch])>,
        places: &InputPlaces,
        (options, meter): (&Options, &mut Meter),
    ) -> Result<(Turns<'p>, Vec<BoundPatch<'p>>), RunError> {
        let plan = of.plan;
        let (states, patches) = made.unwrap_or((&[], &[]));
        let state_in = |wanted: u32| {
            states.iter().find_map(|state| match state {
                StatePlace::Made { buffer, bytes, .. } => (*buffer == wanted).then_some(bytes),
                StatePlace::Kept(_) | StatePlace::Patched { .. } => None,
            })
        };
        let (scratch, held) = scratch(plan, |buffer| state_in(buffer).is_some(), meter)?;
        let address = |storage: Storage, turn: usize| match storage {
            Storage::Input(input) => places.input(of.program, input as usize, turn),
            Storage::Constant(constant) => plan.constants[constant as usize].pointer() as usize,
            Storage::Buffer(buffer) => match state_in(buffer) {
                Some(bytes) => bytes[1 - turn].as_ptr() as usize,
                None => scratch[held[buffer as usize]].as_ptr() as usize,
            },
        };
        let bound = |(step, code): (&'p PlanStep, &'p StepCode), turn: usize| match step {
            PlanStep::Allocate(_) | PlanStep::Release(_) => Ok(None),
            PlanStep::Run(nest) => {
                let loops = BoundLoops::new(nest, code, |storage| address(storage, turn));
                BoundStep::of(loops, options).map(Some)
            }
            PlanStep::Check { check, at } => {
                let first = address(at.storage, turn).wrapping_add_signed(at.offset);
                Ok(Some(BoundStep::Check { check: *check, at: first }))
            }
        };
        let turn = |turn: usize| {
            let steps = plan.coded_steps().filter_map(|step| bound(step, turn).transpose());
            steps.collect::<Result<Vec<_>, RunError>>()
        };
        let steps = [turn(0)?, turn(1)?];
        let begins =
            |output: &StoredArray| [0, 1].map(|turn| address(output.storage, turn).wrapping_add_signed(output.offset));
        let asks = answer.map(|answer| begins(&plan.outputs[answer]));
        let bound = |patch: &'p Patch| {
            let value = &plan.outputs[patch.value];
            let outputs = patch.outputs().map(|output| (output, begins(&plan.outputs[output]))).collect();
            let strides = value.clone().broadcast(patch.counts.clone()).strides;
            BoundPatch { patch, value: begins(value), strides, size: value.dtype.size(), outputs }
        };
        let patches = patches.iter().map(bound).collect();
        let answer = [0, 1].map(|turn| asks.map(|addresses| addresses[turn]));
        Ok((Turns { steps, answer, _scratch: scratch }, patches))
    }

    /// Runs the program once. Returns whether the program says to go on.
    fn run(&mut self, turn: usize, options: &Options) -> Result<bool, RunError> {
        for step in &mut self.steps[turn] {
            match step {
                BoundStep::Run(bound) => {
                    options.poll()?;
                    over(bound, options)?;
                }
                BoundStep::Call(call) => {
                    options.poll()?;
                    call.run();
                }
                BoundStep::Check { check, at } => {
                    let fault = read_word(*at);
                    if fault >= 0 {
                        return Err(RunError::CheckFailed { check: *check, index: fault as u64 });
                    }
                }
            }
        }
        Ok(self.answer[turn].is_none_or(read_truth))
    }
}

/// Memory for the buffers that hold no states, and which of it each has. What a buffer lets go of the next of its size
/// takes.
fn scratch(
    plan: &Plan,
    is_state: impl Fn(u32) -> bool,
    meter: &mut Meter,
) -> Result<(Vec<AlignedBytes>, Vec<usize>), RunError> {
    let (mut scratch, mut held) = (Vec::new(), vec![usize::MAX; plan.buffers.len()]);
    let mut idle: SmallVec<[(usize, usize); 4]> = SmallVec::new();
    let bytes = |buffer: u32| {
        let planned = &plan.buffers[buffer as usize];
        planned.sizes.iter().product::<usize>() * planned.dtype.size()
    };
    for step in &plan.steps {
        match step {
            PlanStep::Allocate(buffer) if !is_state(*buffer) => {
                let known = idle.iter().position(|(size, _)| *size == bytes(*buffer));
                held[*buffer as usize] = match known {
                    Some(known) => idle.swap_remove(known).1,
                    None => {
                        scratch.push(buffer_memory(&plan.buffers[*buffer as usize], meter)?);
                        scratch.len() - 1
                    }
                };
            }
            PlanStep::Release(buffer) if !is_state(*buffer) => idle.push((bytes(*buffer), held[*buffer as usize])),
            PlanStep::Allocate(_) | PlanStep::Release(_) | PlanStep::Run(_) | PlanStep::Check { .. } => {}
        }
    }
    Ok((scratch, held))
}
