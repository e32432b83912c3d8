//! Schedules with the plans of their stages, kept for the next run.
//!
//! A program that runs again is known by its nodes, one list in memory; a stage by the lengths that are known when it
//! begins. So a step of a loop that takes slices of `k` elements is planned for each `k`, whoever runs the loop. The
//! first run of a stage records only its key; the second keeps the plan.

use super::SizedTask;
use super::schedule::Schedule;
use crate::exec::options::{Options, RunError};
use crate::exec::plan::Demands;
use crate::exec::plan_with_code::PlanWithCode;
use crate::exec::preflight;
use crate::exec::run::RunInputs;
use crate::hash::QuickMap;
use crate::ir::{Node, NodeId, Program};
use crate::locks::lock;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

/// The most schedules kept, and the most nodes of a program whose schedule is.
const MAX_SCHEDULES: usize = 256;
const MAX_PROGRAM_NODES: usize = 4096;

/// The most nodes of stages that are planned, a name without a plan counted as one.
const MAX_TOTAL_NODES: usize = 64 << 10;

/// The lengths that are known, in the order in which they are counted.
pub(super) type LengthKey = SmallVec<[u64; 4]>;

/// What a planned stage is known by.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct StageKey {
    pub(super) schedule: u64,
    pub(super) stage: u32,
    pub(super) lengths: LengthKey,
}

/// A stage whose lengths are numbers.
pub(super) struct PlannedStage {
    pub(super) tasks: Arc<Vec<SizedTask>>,
    pub(super) plan: Arc<PlanWithCode>,
    demands: Demands,
}

impl PlannedStage {
    pub(super) fn new(tasks: Arc<Vec<SizedTask>>, plan: Arc<PlanWithCode>, options: &Options) -> PlannedStage {
        PlannedStage { tasks, plan, demands: Demands::of(options) }
    }

    /// Whether it is for inputs that lie like this.
    pub(super) fn fits(&self, inputs: RunInputs, options: &Options) -> bool {
        self.demands == Demands::of(options)
            && self.plan.inputs.iter().all(|known| inputs.get(known.input).is_some_and(|array| known.is_of(array)))
    }
}

/// A schedule with what it was made from.
struct KnownSchedule {
    id: u64,
    schedule: Arc<Schedule>,
    nodes: Arc<Vec<Node>>,
    given: Vec<NodeId>,
    checked: Vec<(NodeId, Vec<NodeId>)>,
    lengths: Vec<(String, NodeId)>,
}

/// What a program gives.
fn given(program: &Program) -> impl Iterator<Item = NodeId> {
    program.outputs.iter().map(|output| output.node)
}

/// The conditions that a program checks, each with the nodes that wait for it.
fn checked(program: &Program) -> impl Iterator<Item = (NodeId, &[NodeId])> {
    program.checks.iter().map(|check| (check.node, check.fault.waiting()))
}

impl KnownSchedule {
    fn is_of(&self, program: &Program) -> bool {
        let lengths = program.lengths.iter().map(|length| (&length.name, length.node));
        Arc::ptr_eq(&self.nodes, &program.nodes)
            && self.given.iter().copied().eq(given(program))
            && self.checked.iter().map(|(node, waiting)| (*node, &waiting[..])).eq(checked(program))
            && self.lengths.iter().map(|(name, node)| (name, *node)).eq(lengths)
    }
}

/// The schedule that was used last is at the end.
#[derive(Default)]
struct StageCache {
    schedules: VecDeque<KnownSchedule>,
    /// How many schedules there have been. The last one has this number.
    count: u64,
    /// Stages that were asked for, and their plans from the second time on.
    stages: QuickMap<StageKey, Option<Arc<PlannedStage>>>,
    /// How many nodes the programs of the planned stages have. A stage without a plan counts as one.
    nodes: usize,
}

impl StageCache {
    fn schedule(&mut self, program: &Program) -> Option<(Option<u64>, Arc<Schedule>)> {
        let at = self.schedules.iter().rposition(|known| known.is_of(program))?;
        if at + 1 < self.schedules.len() {
            let known = self.schedules.remove(at)?;
            self.schedules.push_back(known);
        }
        self.schedules.back().map(|known| (Some(known.id), known.schedule.clone()))
    }

    fn keep(&mut self, key: StageKey, planned: PlannedStage, nodes: usize) {
        if self.nodes + nodes > MAX_TOTAL_NODES {
            self.stages = QuickMap::default();
            self.nodes = 0;
        }
        let again = self.stages.contains_key(&key);
        self.nodes += if again { nodes } else { 1 };
        self.stages.insert(key, again.then(|| Arc::new(planned)));
    }
}

fn known() -> MutexGuard<'static, StageCache> {
    static KNOWN: LazyLock<Mutex<StageCache>> = LazyLock::new(Mutex::default);
    lock(&KNOWN)
}

/// The schedule of a program that may run, and its number, where its stages are kept.
///
/// # Errors
/// What is wrong before anything runs.
pub(super) fn schedule(program: &Program) -> Result<(Option<u64>, Arc<Schedule>), RunError> {
    if let Some(found) = known().schedule(program) {
        return Ok(found);
    }
    preflight::prepare(program, &program.needed_nodes())?;
    let schedule = Arc::new(Schedule::new(program)?);
    if program.nodes.len() > MAX_PROGRAM_NODES {
        return Ok((None, schedule));
    }
    let mut known = known();
    known.count += 1;
    let id = known.count;
    if known.schedules.len() == MAX_SCHEDULES {
        known.schedules.pop_front();
    }
    let lengths = program.lengths.iter().map(|length| (length.name.clone(), length.node)).collect();
    let (nodes, given) = (program.nodes.clone(), given(program).collect());
    let checked = checked(program).map(|(node, waiting)| (node, waiting.to_vec())).collect();
    known.schedules.push_back(KnownSchedule { id, schedule: schedule.clone(), nodes, given, checked, lengths });
    Ok((Some(id), schedule))
}

/// A stage that was planned before.
pub(super) fn stage(key: &StageKey) -> Option<Arc<PlannedStage>> {
    known().stages.get(key)?.clone()
}

/// Keeps the plan of a stage whose program has `nodes` nodes. The plan is kept from the second time on; the first time
/// only the key is noted.
pub(super) fn keep(key: StageKey, planned: PlannedStage, nodes: usize) {
    known().keep(key, planned, nodes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Array;
    use crate::ir::build::ProgramBuilder;
    use crate::ir::{Check, Fault, Fold, Length, ProgramOutput};
    use crate::source::Span;
    use crate::types::{DType, Dim};

    /// The sum of the first `k` elements of five.
    fn program(k: i64) -> Program {
        let mut b = ProgramBuilder::default();
        let x = b.input("x", Span::default(), DType::F64, vec![Dim::Const(5)]);
        b.bind(x, Array::from_elements(&[5], &[1.0f64; 5]));
        let count = b.input("k", Span::default(), DType::I64, vec![]);
        b.bind(count, Array::from_elements(&[], &[k]));
        let first = b.slice(x, &[crate::ir::Slice::all()], vec![Dim::name("k")]);
        let sum = b.fold(Fold::Sum, first, &[0]);
        b.output(ProgramOutput { name: None, node: sum, span: Span::default(), weak: false });
        let mut program = b.finish();
        program.lengths.push(Length { name: "k".to_owned(), node: count, span: Span::default(), call: None });
        program
    }

    #[test]
    fn a_program_has_one_schedule_and_another_is_not_mistaken_for_it() {
        let first = program(3);
        let (id, known) = schedule(&first).unwrap();
        assert_eq!(known.stages.len(), 2);
        assert_eq!(schedule(&first.clone()).unwrap().0, id);
        // Of the same nodes other results, or nodes that only look the same.
        let mut other = first.clone();
        let given = other.outputs.pop().unwrap();
        assert_ne!(schedule(&other).unwrap().0, id);
        // What is checked is not given.
        let fault = Fault::Asserted { op: None, operands: Vec::new(), said: None, parts: None };
        other.checks.push(Check { node: given.node, written: 0, fault, span: Span::default(), calls: Vec::new() });
        assert_ne!(schedule(&other).unwrap().0, id);
        assert_ne!(schedule(&program(3)).unwrap().0, id);
    }

    #[test]
    fn a_stage_is_kept_for_lengths_that_come_again_and_its_room_has_an_end() {
        let (options, plan) = (
            Options::default(),
            Arc::new(PlanWithCode::new(super::super::plan_of(&Program::default(), &Options::default(), &[]).unwrap())),
        );
        let mut cache = StageCache::default();
        let key = |length: u64| StageKey { schedule: 1, stage: 1, lengths: LengthKey::from_slice(&[length]) };
        let mut keep = |length| {
            cache.keep(key(length), PlannedStage::new(Arc::default(), plan.clone(), &options), 10);
            (cache.stages.get(&key(length)).is_some_and(Option::is_some), cache.nodes)
        };
        assert_eq!(keep(3), (false, 1));
        assert_eq!(keep(4), (false, 2));
        assert_eq!(keep(3), (true, 12));
        (0..2 * MAX_TOTAL_NODES as u64).for_each(|length| assert!(keep(length).1 <= MAX_TOTAL_NODES));
    }
}
