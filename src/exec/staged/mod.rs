//! Programs in stages. Routines run between kernels, and lengths that data decides are put in.
//!
//! What needs no routine and no length is a program of its own. It runs as kernels and gives the operands of the
//! routines that are ready, and the lengths. Routines run; what was made becomes an input of the rest, in which a
//! length is now a number; and so on until nothing waits:
//!
//! ```text
//! x[x > 0]     1. kernels: the mask, and how many it keeps     2. routine: compress     3. kernels: what uses it
//! ```
//!
//! What happens in which stage is a [`Schedule`], made once for a program. It can be printed ([`print`]) and verified
//! ([`verify`]). The plan of a stage depends on the lengths that are known by then; [`cache`] keeps it for the next run,
//! or for the next step of a loop, that counts the same.
//!
//! Results of folds, scans and gathers that later stages need are kept; elementwise values are computed again where
//! they are used, as in kernels, unless they cost much.

mod answered_checks;
mod cache;
mod print;
mod schedule;
mod verify;

use super::memory::Meter;
use super::options::{Options, RunError};
use super::plan::plan_of;
use super::plan_with_code::PlanWithCode;
use super::routine::StrayFlag;
use super::run::{RunInputs, run_metered, run_planned};
use super::stages::{has_stages, waits};
use super::{loops, preflight, routine};
use crate::array::{Array, Sizes};
use crate::ir::loops::LoopRef;
use crate::ir::routine::Routine;
use crate::ir::{Node, NodeId, NodeKind, Program, ProgramInput, ProgramOutput};
use crate::source::Span;
use crate::types::{DType, Dim, shape};
use cache::{LengthKey, PlannedStage, StageKey};
use schedule::{Schedule, Stage, StageChecks, Task};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;

/// A program as kernels see it: what is made between them is an input.
pub(super) fn without_stages(program: &Program) -> Cow<'_, Program> {
    if !program.nodes.iter().any(waits) {
        return Cow::Borrowed(program);
    }
    let mut shown = program.clone();
    for index in (0..program.nodes.len()).filter(|&index| waits(&program.nodes[index])) {
        let kind = NodeKind::Input(shown.inputs.len() as u32);
        shown.inputs.push(unnamed(None));
        shown.inputs.last_mut().expect("one was added").name = format!("%{index}");
        Arc::make_mut(&mut shown.nodes)[index].kind = kind;
    }
    Cow::Owned(shown)
}

/// An input that is made on the way.
fn unnamed(value: Option<Array>) -> ProgramInput {
    ProgramInput { name: String::new(), span: Span::default(), value, meaning: None }
}

/// What happens in a program, stage by stage, as text.
pub(super) fn text(program: &Program) -> Result<String, RunError> {
    Ok(print::schedule(program, &Schedule::new(program)?))
}

/// Runs a program.
pub(super) fn run(program: &Program, options: &Options) -> Result<Vec<Array>, RunError> {
    run_within(program, options, &mut Meter::new(options.max_memory))
}

/// Runs a step of a loop.
fn run_one(program: &Program, options: &Options, meter: &mut Meter) -> Result<Vec<Array>, RunError> {
    match has_stages(program) {
        true => run_within(program, options, meter),
        false => run_metered(program, options, &[], meter),
    }
}

fn run_within(program: &Program, options: &Options, meter: &mut Meter) -> Result<Vec<Array>, RunError> {
    let (id, schedule) = cache::schedule(program)?;
    if options.verify {
        verify::schedule(program, &schedule).map_err(RunError::Internal)?;
    }
    let lengths = LengthKey::new();
    let mut run = StagedRun { program, schedule: &schedule, id, lengths, made: Vec::new(), meter, options };
    let mut given = Vec::new();
    for (at, stage) in schedule.stages.iter().enumerate() {
        options.poll()?;
        given = run.stage(at as u32, stage, given)?;
    }
    Ok(given)
}

/// A task as it runs: its lengths are numbers.
enum SizedTask {
    Routine(Routine, DType, Sizes),
    Loop(LoopRef),
}

/// A program while it runs.
struct StagedRun<'r, 'o, 'm> {
    program: &'r Program,
    schedule: &'r Schedule,
    /// What its plans are kept by, if they are.
    id: Option<u64>,
    lengths: LengthKey,
    /// What was made, and something still reads.
    made: Vec<Option<Array>>,
    meter: &'m mut Meter,
    options: &'r Options<'o>,
}

impl StagedRun<'_, '_, '_> {
    /// Runs a stage, whose tasks are given their operands: what its kernels give.
    fn stage(&mut self, at: u32, stage: &Stage, given: Vec<Array>) -> Result<Vec<Array>, RunError> {
        let key = self.id.map(|schedule| StageKey { schedule, stage: at, lengths: self.lengths.clone() });
        let known = key.as_ref().and_then(cache::stage);
        let mut nodes = None;
        let tasks = match &known {
            Some(known) => known.tasks.clone(),
            None => self.sized_tasks(stage, nodes.insert(self.nodes(stage)))?,
        };
        let strays = StrayFlag::default();
        for (task, sized) in stage.tasks.iter().zip(&*tasks) {
            self.task(task, sized, &given, &strays)?;
        }
        drop(given);
        for &at in &stage.forgotten {
            if let Some(array) = self.made[at].take() {
                self.meter.release(array.dtype(), array.shape());
            }
        }
        // What tasks left out is for the checks to find. That is done once, so its plan is not kept.
        if strays.any() {
            let plan = self.plan(stage, StageChecks::All, nodes.unwrap_or_else(|| self.nodes(stage)))?;
            return self.kernels(stage, StageChecks::All, &plan);
        }
        let plan = match known.filter(|known| known.fits(self.inputs(), self.options)) {
            Some(known) => known.plan.clone(),
            None => {
                let plan =
                    Arc::new(self.plan(stage, StageChecks::Unanswered, nodes.unwrap_or_else(|| self.nodes(stage)))?);
                if let Some(key) = key {
                    cache::keep(key, PlannedStage::new(tasks, plan.clone(), self.options), self.program.nodes.len());
                }
                plan
            }
        };
        self.kernels(stage, StageChecks::Unanswered, &plan)
    }

    fn inputs(&self) -> RunInputs<'_> {
        RunInputs::with(self.program, &self.made)
    }

    /// The nodes of the program, in which the lengths that are known are numbers.
    fn nodes(&self, stage: &Stage) -> Arc<Vec<Node>> {
        let mut sized = Program { nodes: self.program.nodes.clone(), ..Program::default() };
        for (name, size) in self.schedule.lengths[..stage.lengths].iter().zip(&self.lengths) {
            sized.equate_in_nodes(name, &Dim::Const(*size));
        }
        sized.nodes
    }

    /// The tasks of a stage; there is nothing wrong with their sizes.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node is a task")]
    fn sized_tasks(&self, stage: &Stage, nodes: &Arc<Vec<Node>>) -> Result<Arc<Vec<SizedTask>>, RunError> {
        let program = Program { nodes: nodes.clone(), ..Program::default() };
        let sized = |task: &Task| {
            preflight::prepare_node(&program, task.node)?;
            let node = program.node(task.node);
            Ok(match &node.kind {
                NodeKind::Loop { of, .. } => SizedTask::Loop(of.clone()),
                NodeKind::Routine { routine, .. } => {
                    let sizes = shape::sizes(&node.shape).ok_or(RunError::UnknownSize { node: task.node })?;
                    SizedTask::Routine(*routine, node.dtype, Sizes::from_vec(sizes))
                }
                _ => return Err(RunError::Internal(format!("%{} is no task", task.node.0))),
            })
        };
        stage.tasks.iter().map(sized).collect::<Result<_, _>>().map(Arc::new)
    }

    /// Runs a task on what the kernels before gave.
    fn task(&mut self, task: &Task, sized: &SizedTask, given: &[Array], strays: &StrayFlag) -> Result<(), RunError> {
        let args: SmallVec<[Array; 4]> = task.args.iter().map(|&arg| given[arg].clone()).collect();
        match sized {
            SizedTask::Routine(routine, dtype, sizes) => {
                let made = routine::run(*routine, *dtype, &args, sizes, strays, self.meter, self.options)?;
                self.made.push(Some(made));
            }
            SizedTask::Loop(of) => {
                let options = self.options;
                let mut step = |program: &Program, first: bool, meter: &mut Meter| {
                    let inner = Options { on_progress: options.on_progress.filter(|_| first), ..*options };
                    run_one(program, &inner, meter)
                };
                let made = loops::run(&of.0, &args, self.meter, self.options, &mut step)?;
                self.made.extend(task.results.iter().map(|&result| Some(made[result].clone())));
            }
        }
        Ok(())
    }

    /// The plan of a stage's kernels, with the conditions of these checks.
    fn plan(&self, stage: &Stage, which: StageChecks, mut nodes: Arc<Vec<Node>>) -> Result<PlanWithCode, RunError> {
        let first = self.program.inputs.len() as u32;
        for (input, id) in (first..).zip(&self.schedule.made[..stage.made]) {
            Arc::make_mut(&mut nodes)[id.index()].kind = NodeKind::Input(input);
        }
        let mut inputs = self.program.inputs.clone();
        inputs.extend(self.made.iter().cloned().map(unnamed));
        let output = |&node: &NodeId| ProgramOutput { name: None, node, span: Span::default(), weak: false };
        let outputs = stage.outputs_with(which).iter().map(output).collect();
        let program = Program { nodes, inputs, outputs, ..Program::default() };
        plan_of(&program, self.options, &[]).map(PlanWithCode::new)
    }

    /// Runs the kernels of a stage: what they give but for conditions, which hold.
    fn kernels(&mut self, stage: &Stage, which: StageChecks, plan: &PlanWithCode) -> Result<Vec<Array>, RunError> {
        let inputs = RunInputs::with(self.program, &self.made);
        let mut given = run_planned(plan, inputs, self.options, &[], self.meter)?;
        let conditions = given.split_off(stage.outputs.len() - stage.checks.len());
        for (check, array) in stage.checks_in(which).zip(conditions) {
            let fault = array.get(0).bits as i64;
            if fault >= 0 {
                return Err(RunError::CheckFailed { check, index: fault as u64 });
            }
        }
        self.lengths.extend(stage.counted.iter().map(|&at| given[at].get(0).bits as u64));
        self.made.extend(stage.kept.iter().map(|&at| Some(given[at].clone())));
        Ok(given)
    }
}
