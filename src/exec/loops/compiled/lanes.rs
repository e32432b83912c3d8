//! Elementwise loops, compiled: states stay in registers from step to step.
//!
//! Lanes go side by side through all the steps between two looks at the interrupt flag; only then are their states
//! written to memory. Lanes that fill no whole vector run one by one, and so does a loop over scalars.
//!
//! Threads share *units* of lanes. A loop over rows takes all lanes of a unit through a tile of rows, then through the
//! next tile: so elements that lie side by side are read together. Any other loop takes some lanes through all steps,
//! then the next lanes.
#![expect(unsafe_code, reason = "a compiled loop takes the addresses of its states")]

use super::elementwise::Elementwise;
use super::operands::Operands;
use super::wide::{LaneSteps, WideLoop};
use crate::array::Array;
use crate::array::bytes::AlignedBytes;
use crate::exec::jit::{PreparedRecurrence, prepare_recurrence};
use crate::exec::loops::{Pace, steps_of};
use crate::exec::memory::Meter;
use crate::exec::options::{Engine, Options, RunError, Watch};
use crate::exec::plan::{ElementCost, positions};
use crate::exec::space::{LoopDim, Odometer, coalesce, take_inner};
use crate::exec::stepping::{End, Loop, LoopInput, LoopOperand, LoopOutput, Recurrence, Step};
use crate::exec::threads;
use crate::hash::{QuickMap, quick};
use crate::ir::loops::{LoopOver, ProgramLoop};
use crate::locks::lock;
use std::hash::BuildHasherDefault;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The least work that code is compiled for, in picoseconds.
const MIN_COMPILED_PICOSECONDS: f64 = 4e8;
/// The most different steps whose work is remembered. Then all of it is forgotten.
const MAX_REMEMBERED_STEPS: usize = 1 << 12;
/// Picoseconds that a planned step takes at least.
const PLANNED_STEP_PICOSECONDS: f64 = 2e6;
/// Picoseconds between two looks at the interrupt flag.
const POLL_PICOSECONDS: f64 = 2e8;
/// Bytes of a tile of rows.
const TILE_BYTES: usize = 1 << 18;
/// The most calls that are one unit.
const MAX_CALLS_OF_A_UNIT: usize = 64;

/// Runs a loop, if it is elementwise and worth compiling.
pub(super) fn run(
    of: &ProgramLoop,
    args: &[Array],
    meter: &mut Meter,
    options: &Options,
) -> Result<Option<Vec<Array>>, RunError> {
    let steps = steps_of(of, args);
    if options.engine != Engine::Jit || steps == 0 {
        return Ok(None);
    }
    let Some(step) = Elementwise::of(of) else { return Ok(None) };
    let lanes: usize = step.lanes.iter().product();
    let work = steps as f64 * (PLANNED_STEP_PICOSECONDS + lanes as f64 * step.picoseconds());
    // A grain of zero means that all work is shared; then all work is compiled too.
    if work < MIN_COMPILED_PICOSECONDS && options.grain != Some(Duration::ZERO) && !is_warm(&step, work) {
        return Ok(None);
    }
    let held = meter.held_bytes();
    let operands = match Operands::new(of, &step, args, meter, options) {
        // There may still be memory for one step after the other: a scalar state needs no room for each lane then.
        Err(RunError::OutOfMemory { .. }) => {
            meter.hold(held);
            return Ok(None);
        }
        operands => operands?,
    };
    let turning = match LaneLoop::new(of, &step, &operands, steps, options.verify) {
        Ok(turning) => turning,
        Err(reason) => {
            options.note(format!("loops are not compiled: {reason}"));
            meter.hold(held);
            return Ok(None);
        }
    };
    turning.run(ElementCost::of_picoseconds(step.picoseconds()), options)?;
    Ok(Some(operands.values(of, steps, meter)))
}

/// Whether a step has run so often that it is worth compiling: in an inner loop, or in a loop that a program asks for
/// again and again.
fn is_warm(step: &Elementwise, work: f64) -> bool {
    static DONE: Mutex<QuickMap<u64, f64>> = Mutex::new(QuickMap::with_hasher(BuildHasherDefault::new()));
    let mut done = lock(&DONE);
    if done.len() >= MAX_REMEMBERED_STEPS {
        done.clear();
    }
    let all = done.entry(quick(&(&step.body, &step.outputs))).or_default();
    *all += work;
    *all >= MIN_COMPILED_PICOSECONDS
}

/// A loop over lanes that is about to run.
struct LaneLoop<'o> {
    operands: &'o Operands,
    /// The axes outside of `inner`, along which lanes lie side by side.
    outer: Vec<LoopDim>,
    inner: LoopDim,
    /// Code for many lanes, for some of the lanes that are left, and for each of the rest.
    wide: Option<WideLoop>,
    side_by_side: Option<PreparedRecurrence>,
    alone: Option<PreparedRecurrence>,
    steps: u64,
    /// Whether lanes may end early.
    early: bool,
    by_rows: bool,
    /// Picoseconds that a call takes for a step.
    step_cost: f64,
}

/// The code of a call.
enum ItemCode<'t> {
    /// Code on wide vectors, and how many lanes the call has.
    Wide(&'t WideLoop, usize),
    Narrow(&'t PreparedRecurrence),
}

/// The kind of step between lanes that code is compiled for.
fn lane_step(stride: isize, size: usize) -> Step {
    match stride {
        0 => Step::Repeat,
        stride if stride == size as isize => Step::Dense,
        _ => Step::Strided,
    }
}

impl<'o> LaneLoop<'o> {
    fn new(
        of: &ProgramLoop,
        step: &Elementwise,
        operands: &'o Operands,
        steps: u64,
        verify: bool,
    ) -> Result<LaneLoop<'o>, String> {
        let dims = step.lanes.iter().enumerate().map(|(axis, &len)| LoopDim {
            len,
            strides: operands.all.iter().map(|place| place.strides[axis]).collect(),
        });
        let sparse = |operand: usize, stride: isize| {
            usize::from(lane_step(stride, operands.all[operand].dtype.size()) == Step::Strided)
        };
        let (outer, inner) = take_inner(coalesce(dims.collect()), operands.all.len(), sparse);
        let code = |alone: bool| recurrence(of, step, operands, &inner, alone);
        let wide = WideLoop::new(of, step, operands, &inner);
        let left = inner.len - wide.as_ref().map_or(0, |wide| inner.len.min(wide.calls(inner.len) * wide.lanes()));
        let side_by_side = if left > 1 { Some(prepare_recurrence(&code(false), verify)?) } else { None };
        let side_by_side = side_by_side.filter(|code| code.lanes() <= left);
        let left = side_by_side.as_ref().map_or(left, |code| left % code.lanes());
        let alone = if left > 0 { Some(prepare_recurrence(&code(true), verify)?) } else { None };
        let narrow = side_by_side.as_ref().map_or(1, PreparedRecurrence::lanes);
        let most = wide.as_ref().map_or(narrow, WideLoop::lanes) as f64;
        Ok(LaneLoop {
            operands,
            outer,
            inner,
            wide,
            side_by_side,
            alone,
            steps,
            early: step.end != End::Never,
            by_rows: of.over != LoopOver::Steps,
            step_cost: 1000.0 + most * step.picoseconds(),
        })
    }

    /// Calls that take all lanes of an inner loop through some steps: side by side, then alone.
    fn items(&self) -> usize {
        let (calls, lanes) = self.wide_calls();
        let left = self.inner.len - lanes;
        calls
            + match &self.side_by_side {
                Some(code) => left / code.lanes() + left % code.lanes(),
                None => left,
            }
    }

    /// How many calls are wide, and how many lanes these take.
    fn wide_calls(&self) -> (usize, usize) {
        self.wide.as_ref().map_or((0, 0), |wide| {
            let calls = wide.calls(self.inner.len);
            (calls, self.inner.len.min(calls * wide.lanes()))
        })
    }

    /// The code of a call, and its first lane.
    fn item(&self, item: usize) -> (ItemCode<'_>, usize) {
        let (calls, lanes) = self.wide_calls();
        if let (Some(wide), true) = (&self.wide, item < calls) {
            let first = item * wide.lanes();
            return (ItemCode::Wide(wide, wide.lanes().min(self.inner.len - first)), first);
        }
        let item = item - calls;
        let narrow = self.side_by_side.as_ref().map_or(0, PreparedRecurrence::lanes);
        let together = (self.inner.len - lanes).checked_div(narrow).unwrap_or(0);
        match (&self.side_by_side, &self.alone) {
            (Some(code), _) if item < together => (ItemCode::Narrow(code), lanes + item * narrow),
            (_, Some(alone)) => (ItemCode::Narrow(alone), lanes + together * narrow + item - together),
            (_, None) => unreachable!("what is left has code"),
        }
    }

    fn run(&self, cost: ElementCost, options: &Options) -> Result<(), RunError> {
        let (around, items) = (positions(&self.outer), self.items());
        let share = cost.times(around * self.inner.len).times(self.steps as usize).share(options);
        let each = items.min((around * items).div_ceil(share.units)).clamp(1, MAX_CALLS_OF_A_UNIT);
        let groups = items.div_ceil(each);
        let pace = LaneProgress::new(self, (around * items) as u64, options.on_progress);
        let watch = options.watch();
        threads::share(around * groups, share.threads, watch, |task| {
            let mut lane_runner = LaneRunner::new(self, watch, &pace)?;
            while let Some(unit) = task.next() {
                lane_runner.position.seek(unit / groups);
                let first = unit % groups * each;
                lane_runner.unit(first..items.min(first + each))?;
            }
            Ok(())
        })
    }
}

/// The code that a step needs.
fn recurrence(of: &ProgramLoop, step: &Elementwise, operands: &Operands, inner: &LoopDim, alone: bool) -> Recurrence {
    let lane_step = |operand: usize| match alone {
        true => Step::Dense,
        false => lane_step(inner.strides[operand], operands.all[operand].dtype.size()),
    };
    let inputs = (0..operands.inputs).map(|input| match &operands.all[input] {
        place if place.counts => LoopInput::Count,
        place => LoopInput::Array(place.dtype, lane_step(input)),
    });
    let outputs = step.outputs.iter().enumerate().map(|(output, &value)| {
        let step = match lane_step(operands.inputs + output) {
            Step::Strided => Step::Strided,
            Step::Repeat | Step::Dense | Step::Back | Step::Alternate | Step::Stream => Step::Dense,
        };
        LoopOutput { value, step }
    });
    let step_loop = Loop { body: step.body.clone(), inputs: inputs.collect(), outputs: outputs.collect() };
    let is_result = |operand: usize| operand >= operands.inputs + of.states;
    let moves = operands
        .all
        .iter()
        .enumerate()
        .map(|(operand, place)| place.distance != 0 || of.over != LoopOver::Steps && is_result(operand));
    Recurrence {
        step: step_loop,
        states: of.states,
        moves: moves.collect(),
        end: step.end,
        most: if alone { 1 } else { usize::MAX },
    }
}

/// How far all lanes are.
struct LaneProgress {
    /// Steps of calls that are done, and of all.
    done: AtomicU64,
    all: u64,
    steps: u64,
    early: bool,
    on_progress: Option<fn(&str)>,
    pace: Mutex<Pace>,
}

impl LaneProgress {
    fn new(turning: &LaneLoop, items: u64, on_progress: Option<fn(&str)>) -> LaneProgress {
        let LaneLoop { steps, early, .. } = *turning;
        let all = steps.saturating_mul(items);
        LaneProgress { done: AtomicU64::new(0), all, steps, early, on_progress, pace: Mutex::new(Pace::new()) }
    }

    /// Counts steps.
    fn add(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    /// Says how long the loop takes, if that is worth saying.
    fn report(&self) {
        if let (Some(_), Ok(mut pace)) = (self.on_progress, self.pace.try_lock()) {
            let share = self.done.load(Ordering::Relaxed) as f64 / self.all as f64;
            pace.look((share * self.steps as f64) as u64, self.steps, self.early, self.on_progress);
        }
    }
}

/// A thread that takes lanes through steps.
struct LaneRunner<'r> {
    turning: &'r LaneLoop<'r>,
    position: Odometer<'r>,
    watch: Watch<'r>,
    progress: &'r LaneProgress,
    calls: Vec<LoopOperand>,
    scratch: AlignedBytes,
    since_poll: f64,
}

impl<'r> LaneRunner<'r> {
    fn new(
        turning: &'r LaneLoop<'r>,
        watch: Watch<'r>,
        progress: &'r LaneProgress,
    ) -> Result<LaneRunner<'r>, RunError> {
        let operands = turning.operands.all.len();
        let position = Odometer::new(&turning.outer, operands);
        let calls = vec![LoopOperand { address: 0, stride: 0 }; 2 * operands];
        let none = || AlignedBytes::zeroed(0).map_err(|_| watch.out_of_memory());
        let scratch = turning.wide.as_ref().map_or_else(none, |wide| wide.scratch(watch))?;
        Ok(LaneRunner { turning, position, watch, progress, calls, scratch, since_poll: 0.0 })
    }

    /// Takes the lanes of some calls through all steps.
    fn unit(&mut self, items: Range<usize>) -> Result<(), RunError> {
        let LaneLoop { steps, by_rows, step_cost, .. } = *self.turning;
        let most = ((POLL_PICOSECONDS / step_cost) as u64).clamp(1, 1 << 20);
        if !by_rows {
            for item in items {
                self.lanes(item, most)?;
            }
            return Ok(());
        }
        let narrow = self.turning.side_by_side.as_ref().map_or(1, PreparedRecurrence::lanes);
        let wide = self.turning.wide.as_ref().map_or(narrow, WideLoop::lanes);
        let row: usize = self
            .turning
            .operands
            .all
            .iter()
            .map(|place| if place.distance == 0 { 0 } else { place.dtype.size() })
            .sum();
        let tile = (TILE_BYTES / (row * wide * items.len()).max(1)).max(64) as u64;
        let tile = if items.len() == 1 { most } else { tile.min(most) };
        let mut start = 0;
        while start < steps {
            let len = tile.min(steps - start);
            for item in items.clone() {
                self.call(item, start, len)?;
            }
            start += len;
        }
        Ok(())
    }

    /// Takes the lanes of a call through all steps, or to their end.
    fn lanes(&mut self, item: usize, most: u64) -> Result<(), RunError> {
        let steps = self.turning.steps;
        let mut start = 0;
        while start < steps {
            let len = most.min(steps - start);
            if !self.call(item, start, len)? {
                self.progress.add(steps - start - len);
                break;
            }
            start += len;
        }
        Ok(())
    }

    /// Takes the lanes of a call through some steps. Returns whether the lanes go on after these steps.
    fn call(&mut self, item: usize, start: u64, len: u64) -> Result<bool, RunError> {
        let (code, lane) = self.turning.item(item);
        let all = &self.turning.operands.all;
        let (here, there) = self.calls.split_at_mut(all.len());
        for (operand, place) in all.iter().enumerate() {
            let stride = self.turning.inner.strides[operand];
            let distance = place.distance.wrapping_mul(start as isize);
            let offset = self.position.offsets()[operand].wrapping_add(stride.wrapping_mul(lane as isize));
            let address = place.address.wrapping_add_signed(offset.wrapping_add(distance));
            here[operand] = LoopOperand { address, stride };
            there[operand] = LoopOperand { address: 0, stride: place.distance };
        }
        // SAFETY: operands have the shapes that their strides were taken from, the lanes are among theirs and the steps
        // among those of the loop. No two calls have a lane in common.
        let on = unsafe {
            match code {
                ItemCode::Wide(wide, lanes) => {
                    wide.run(&mut self.scratch, &self.calls, LaneSteps { lanes, start, steps: len })
                }
                ItemCode::Narrow(code) => code.run(&self.calls, start, len),
            }
        };
        self.progress.add(len);
        self.since_poll += len as f64 * self.turning.step_cost;
        if self.since_poll >= POLL_PICOSECONDS {
            self.since_poll = 0.0;
            self.progress.report();
            self.watch.poll()?;
        }
        Ok(on)
    }
}
