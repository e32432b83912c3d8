//! Loops over numbers, compiled: [`crate::exec::jit::scalar`] says which.
//!
//! States that are arrays are copied once, and the copies change in place. When a check in a step fails, the copies are
//! dropped, and the loop runs again without compiled code: that run says what was wrong.
#![expect(unsafe_code, reason = "a compiled loop takes addresses, and asks its caller through one")]

use crate::array::bytes::AlignedBytes;
use crate::array::{Array, Sizes};
use crate::exec::jit::scalar::{ArgumentKind, AskedBy, LoopEnd, ScalarLoop, compile};
use crate::exec::loops::{Pace, steps_of};
use crate::exec::machine::{Level, level};
use crate::exec::memory::Meter;
use crate::exec::options::{Engine, Options, RunError};
use crate::exec::run::copied_metered;
use crate::ir::loops::{LoopOver, ProgramLoop};
use crate::ir::{Node, NodeId, NodeKind, Program};
use crate::locks::lock;
use crate::scalar::Scalar;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// A loop is compiled when it has run `COMPILE_AFTER_STEPS` steps, in all its runs together.
const COMPILE_AFTER_STEPS: u64 = 1000;
/// A step with a loop inside counts for as many steps as this.
const NESTED_STEP_WEIGHT: u64 = 64;
/// A loop of fewer steps is soon done without being compiled. If there is a loop inside, two steps are enough to
/// compile it.
const MIN_COMPILED_STEPS: u64 = 16;
/// The most elements for each step that an array has which is copied for a loop.
const MAX_COPIED_PER_STEP: u64 = 16;
/// The most loops whose code is kept.
const MAX_LOOPS: usize = 64;
/// How long steps run between two looks at the clock.
const CLOCK_INTERVAL: Duration = Duration::from_millis(10);

/// What code is compiled for: the nodes of a step, which are known by their address, and the arguments of the step.
#[derive(Clone)]
struct CodeKey {
    nodes: Arc<Vec<Node>>,
    /// The nodes that the step and its condition give or check.
    roots: Vec<NodeId>,
    kinds: Vec<ArgumentKind>,
    level: Level,
}

impl PartialEq for CodeKey {
    fn eq(&self, other: &CodeKey) -> bool {
        Arc::ptr_eq(&self.nodes, &other.nodes)
            && (&self.roots, &self.kinds, self.level) == (&other.roots, &other.kinds, other.level)
    }
}

impl Eq for CodeKey {}

impl Hash for CodeKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (Arc::as_ptr(&self.nodes) as usize, &self.roots, &self.kinds, self.level).hash(state);
    }
}

/// A loop that was asked for: how many steps in all, and its code once these are worth it.
#[derive(Default)]
struct AskedLoop {
    steps: AtomicU64,
    code: OnceLock<Option<ScalarLoop>>,
}

/// What is known of a loop. When there are too many loops, the one with the fewest steps is forgotten.
fn known(key: CodeKey) -> Arc<AskedLoop> {
    static ALL: LazyLock<Mutex<HashMap<CodeKey, Arc<AskedLoop>>>> = LazyLock::new(Mutex::default);
    let mut all = lock(&ALL);
    if all.len() >= MAX_LOOPS && !all.contains_key(&key) {
        let steps = |known: &AskedLoop| known.steps.load(Ordering::Relaxed);
        let least = all.iter().min_by_key(|(_, known)| steps(known)).map(|(key, _)| key.clone());
        least.and_then(|least| all.remove(&least));
    }
    all.entry(key).or_default().clone()
}

/// Runs a loop, if it computes numbers and is worth compiling.
pub(super) fn run(
    of: &ProgramLoop,
    args: &[Array],
    meter: &mut Meter,
    options: &Options,
) -> Result<Option<Vec<Array>>, RunError> {
    if options.engine != Engine::Jit || of.over != LoopOver::Steps || of.asks {
        return Ok(None);
    }
    let count = steps_of(of, args);
    let is_nested = of.step.nodes.iter().any(|node| matches!(node.kind, NodeKind::Loop { .. }));
    // A grain of zero means that all work is shared; then all work is compiled too.
    let always = options.grain == Some(Duration::ZERO);
    if count == 0 || !always && count < if is_nested { 2 } else { MIN_COMPILED_STEPS } {
        return Ok(None);
    }
    let given = &args[1..];
    let kind = |array: &Array| (array.dtype(), Sizes::from_slice(array.shape()));
    let kinds: Vec<ArgumentKind> = given.iter().map(kind).collect();
    let programs = || std::iter::once(&of.step).chain(&of.condition);
    let (nodes, roots) = (of.step.nodes.clone(), programs().flat_map(Program::given).collect());
    let known = known(CodeKey { nodes, roots, kinds: kinds.clone(), level: level() });
    let steps = count.saturating_mul(if is_nested { NESTED_STEP_WEIGHT } else { 1 });
    let before = known.steps.fetch_add(steps.min(COMPILE_AFTER_STEPS), Ordering::Relaxed);
    if before.saturating_add(steps) < COMPILE_AFTER_STEPS && !always {
        return Ok(None);
    }
    let code = known.code.get_or_init(|| {
        compile(of, &kinds, level(), options.verify).unwrap_or_else(|reason| {
            options.note(format!("loops are not compiled: {reason}"));
            None
        })
    });
    let Some(code) = code else { return Ok(None) };
    let held = meter.held_bytes();
    let Some(mut arguments) = LoopOperands::new(of, (given, count), meter, options)? else {
        meter.hold(held);
        return Ok(None);
    };
    match run_steps(code, &mut arguments, count, of.condition.is_some(), options)? {
        true => {
            let states = arguments.states();
            let bytes: usize = states.iter().map(|state| state.len() * state.dtype().size()).sum();
            meter.hold(held.saturating_add(bytes));
            Ok(Some(states))
        }
        false => {
            meter.hold(held);
            Ok(None)
        }
    }
}

/// The arguments as code takes them.
struct LoopOperands {
    states: Vec<OwnState>,
    /// The arrays that steps read, kept alive.
    _used: Vec<Array>,
    pointers: Vec<*mut u8>,
    scalars: Vec<u64>,
}

/// A state: its number among the scalars, or its own memory.
enum OwnState {
    Number(ArgumentKind, usize),
    Array(ArgumentKind, AlignedBytes),
}

impl LoopOperands {
    /// `None` if there is no memory for copies of states: without compiled code, steps may need less. `None` also if
    /// another array would be copied for few steps.
    fn new(
        of: &ProgramLoop,
        (given, count): (&[Array], u64),
        meter: &mut Meter,
        options: &Options,
    ) -> Result<Option<LoopOperands>, RunError> {
        let (first, used) = given.split_at(of.states);
        let (mut pointers, mut scalars) = (Vec::new(), Vec::new());
        let mut states = Vec::with_capacity(first.len());
        for array in first {
            let kind = (array.dtype(), Sizes::from_slice(array.shape()));
            if array.len() == 1 {
                states.push(OwnState::Number(kind, scalars.len()));
                scalars.push(array.get(0).bits as u64);
                continue;
            }
            let Some(Ok(mut bytes)) = copy_of(array, meter, options)?.map(Array::into_bytes) else { return Ok(None) };
            pointers.push(bytes.as_mut_ptr());
            states.push(OwnState::Array(kind, bytes));
        }
        let mut kept = Vec::new();
        for array in used {
            if array.len() == 1 {
                scalars.push(array.get(0).bits as u64);
                continue;
            }
            let in_order = match array.is_contiguous() {
                true => array.clone(),
                false if array.len() as u64 > count.saturating_mul(MAX_COPIED_PER_STEP) => return Ok(None),
                false => match copy_of(array, meter, options)? {
                    Some(copy) => copy,
                    None => return Ok(None),
                },
            };
            pointers.push(in_order.pointer().cast_mut());
            kept.push(in_order);
        }
        Ok(Some(LoopOperands { states, _used: kept, pointers, scalars }))
    }

    /// The states as they are now.
    fn states(self) -> Vec<Array> {
        let scalars = self.scalars;
        let array = |state| match state {
            OwnState::Number((dtype, sizes), place) => {
                let bits = scalars[place].into();
                Array::from_scalars(dtype, &sizes, [Scalar { dtype, bits }])
            }
            OwnState::Array((dtype, sizes), bytes) => Array::from_bytes(dtype, sizes, bytes),
        };
        self.states.into_iter().map(array).collect()
    }
}

/// A copy in C order, if there is memory for one.
fn copy_of(array: &Array, meter: &mut Meter, options: &Options) -> Result<Option<Array>, RunError> {
    match copied_metered(array, options, meter) {
        Err(RunError::OutOfMemory { .. }) => Ok(None),
        copy => copy.map(Some),
    }
}

/// What is asked for an inner loop while it runs.
struct LoopQuestion<'r, 'o> {
    options: &'r Options<'o>,
    /// In the first step loops within say how long they take.
    first: bool,
    pace: Pace,
}

/// Returns 1 if the loop is to stop, and else 0. In the first step it also tells how many steps are done.
///
/// # Safety
/// `context` points to a [`LoopQuestion`] that lives as long as this runs, and that nobody else uses meanwhile.
#[expect(clippy::cast_ptr_alignment, reason = "it was a pointer to a question before it became bytes")]
unsafe extern "C" fn ask(context: *mut u8, done: i64, count: i64) -> i64 {
    // SAFETY: `context` is what the code was given: a `LoopQuestion` of the caller of the code, who does not use it
    // meanwhile.
    let asking = unsafe { &mut *context.cast::<LoopQuestion>() };
    if asking.first {
        asking.pace.look(done as u64, count as u64, false, asking.options.on_progress);
    }
    i64::from(asking.options.poll().is_err())
}

/// Runs all steps. Returns whether none of them failed.
fn run_steps(
    code: &ScalarLoop,
    arguments: &mut LoopOperands,
    count: u64,
    early: bool,
    options: &Options,
) -> Result<bool, RunError> {
    let mut asking = LoopQuestion { options, first: true, pace: Pace::new() };
    let mut pace = Pace::new();
    let (mut done, mut at_once) = (0, 1);
    while done < count {
        options.poll()?;
        let to = count.min(done.saturating_add(at_once));
        asking.first = done == 0;
        let asked = AskedBy { ask, context: (&raw mut asking).cast() };
        let begun = Instant::now();
        // SAFETY: the arguments are those that the code was compiled for, and states have memory of their own.
        let ended = unsafe { code.run(&asked, &arguments.pointers, &mut arguments.scalars, (done, to)) };
        match ended {
            LoopEnd::Done => done = to,
            LoopEnd::Before => return Ok(true),
            LoopEnd::Fault => return Ok(false),
            LoopEnd::Stopped => return Err(RunError::Interrupted),
        }
        if begun.elapsed() < CLOCK_INTERVAL {
            at_once = at_once.saturating_mul(2);
        }
        pace.look(done, count, early, options.on_progress);
    }
    Ok(true)
}
