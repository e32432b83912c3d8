//! The schedule of a program's stages.
//!
//! Nothing here asks for data, nor for a length that data decides: lengths are names. So a schedule is made once for a
//! program, however often the program runs.

use super::answered_checks::routines_that_answer;
use crate::exec::options::RunError;
use crate::exec::stages::{needed_ids, read_later, waiting_nodes, waits};
use crate::ir::loops::LoopRef;
use crate::ir::{NodeId, NodeKind, Program};
use std::sync::Arc;

/// What happens in a program, stage by stage.
pub(super) struct Schedule {
    /// The nodes that are inputs once they are made, in the order of these inputs.
    pub(super) made: Vec<NodeId>,
    /// The names of the lengths, in the order in which they are counted.
    pub(super) lengths: Vec<String>,
    pub(super) stages: Vec<Stage>,
}

/// Routines and loops, then kernels.
pub(super) struct Stage {
    /// What runs on arrays that the kernels of the stage before gave.
    pub(super) tasks: Vec<Task>,
    /// How many nodes are made when the kernels of the stage run.
    pub(super) made: usize,
    /// How many lengths are known when the stage begins.
    pub(super) lengths: usize,
    /// The made nodes that nothing reads any more when the kernels run.
    pub(super) forgotten: Vec<usize>,
    /// What the kernels give: at last the conditions of the checks.
    pub(super) outputs: Vec<NodeId>,
    /// The outputs that are made thereby, and are inputs from now on.
    pub(super) kept: Vec<usize>,
    /// The outputs that are lengths.
    pub(super) counted: Vec<usize>,
    /// The checks that are looked at, by their place in the program.
    pub(super) checks: Vec<usize>,
    /// Which of the checks the tasks answer. If the tasks left nothing out, the conditions need not be computed.
    pub(super) answered: Vec<bool>,
}

/// Which checks of a stage its kernels look at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StageChecks {
    All,
    /// Those that no task answers.
    Unanswered,
}

impl Stage {
    /// What the kernels give but for conditions.
    pub(super) fn outputs_without_checks(&self) -> &[NodeId] {
        &self.outputs[..self.outputs.len() - self.checks.len()]
    }

    /// What the kernels give, with the conditions of these checks.
    pub(super) fn outputs_with(&self, which: StageChecks) -> Vec<NodeId> {
        let all = which == StageChecks::All;
        let (given, conditions) = self.outputs.split_at(self.outputs_without_checks().len());
        let conditions = conditions.iter().zip(&self.answered).filter(|(_, answered)| all || !**answered);
        given.iter().chain(conditions.map(|(condition, _)| condition)).copied().collect()
    }

    /// The checks, by their place in the program.
    pub(super) fn checks_in(&self, which: StageChecks) -> impl Iterator<Item = usize> {
        let all = which == StageChecks::All;
        let checks = self.checks.iter().zip(&self.answered).filter(move |(_, answered)| all || !**answered);
        checks.map(|(check, _)| *check)
    }
}

/// A routine or a loop.
pub(super) struct Task {
    pub(super) node: NodeId,
    /// Its operands, as outputs of the stage before.
    pub(super) args: Vec<usize>,
    /// Which results of a loop are made, in their order.
    pub(super) results: Vec<usize>,
}

/// A program while its schedule is made.
struct ScheduleBuilder {
    /// What is left of the program: made nodes are inputs, and known lengths are none of its lengths any more.
    left: Program,
    needed: Vec<bool>,
    /// The checks that nothing has looked at.
    checks: Vec<usize>,
    /// Whether checks speak in their order, as they do where no length follows from what they guard.
    in_order: bool,
    /// The routine that answers each check of the program, if one does.
    answered: Vec<Option<NodeId>>,
    schedule: Schedule,
    tasks: Vec<Task>,
    /// Which of the made nodes something still reads, and which nothing reads any more since the last stage.
    held: Vec<bool>,
    forgotten: Vec<usize>,
}

impl Schedule {
    /// The schedule of a program.
    ///
    /// # Errors
    /// When what is left of the program waits for itself.
    pub(super) fn new(program: &Program) -> Result<Schedule, RunError> {
        let mut scheduling = ScheduleBuilder {
            left: program.clone(),
            needed: program.needed_nodes(),
            checks: (0..program.checks.len()).collect(),
            in_order: program.lengths.is_empty(),
            answered: routines_that_answer(program),
            schedule: Schedule { made: Vec::new(), lengths: Vec::new(), stages: Vec::new() },
            tasks: Vec::new(),
            held: Vec::new(),
            forgotten: Vec::new(),
        };
        loop {
            let blocked = scheduling.blocked();
            if !blocked.contains(&true) {
                let outputs = program.outputs.iter().map(|output| output.node).collect();
                scheduling.kernels(outputs, &blocked);
                return Ok(scheduling.schedule);
            }
            if !scheduling.stage(&blocked) {
                return Err(RunError::Internal("what is left of the program waits for itself".to_owned()));
            }
        }
    }
}

impl ScheduleBuilder {
    /// Which nodes wait for a routine, a length or a condition.
    fn blocked(&self) -> Vec<bool> {
        let mut blocked = waiting_nodes(&self.left, self.checks.iter().copied());
        for id in needed_ids(&self.needed) {
            let node = self.left.node(id);
            blocked[id.index()] |=
                waits(node) || node.operands().any(|arg| blocked[arg.index()]) || self.left.is_open(node);
        }
        blocked
    }

    /// The routines and loops whose operands wait for nothing, and whose own lengths will be known.
    fn ready(&self, blocked: &[bool]) -> Vec<NodeId> {
        // A loop runs the stage after: its step is that of the program in which its lengths are numbers.
        let is_known = |id: NodeId, kind: &NodeKind| {
            let mut lengths = self.left.lengths_in(self.left.node(id));
            if matches!(kind, NodeKind::Loop { .. }) {
                return lengths.next().is_none();
            }
            matches!(kind, NodeKind::Routine { .. }) && lengths.all(|length| !blocked[length.node.index()])
        };
        let waits = |id: NodeId| self.checks.iter().any(|&check| self.left.checks[check].fault.waiting().contains(&id));
        let is_ready = |&id: &NodeId| {
            let node = self.left.node(id);
            is_known(id, &node.kind) && !waits(id) && node.operands().all(|arg| !blocked[arg.index()])
        };
        needed_ids(&self.needed).filter(is_ready).collect()
    }

    /// Adds a stage of the nodes that wait for nothing. Returns whether there are such nodes.
    fn stage(&mut self, blocked: &[bool]) -> bool {
        let before = (self.checks.len(), self.left.lengths.len());
        let ready = self.ready(blocked);
        let is_counted = |node: NodeId| !blocked[node.index()];
        let mut wanted = read_later(&self.left, &self.needed, blocked);
        let operands = ready.iter().flat_map(|&id| self.left.node(id).operands());
        let lengths = self.left.lengths.iter().map(|length| length.node);
        let lengths = lengths.filter(|&node| is_counted(node) && self.needed[node.index()]);
        for node in operands.chain(lengths).collect::<Vec<_>>() {
            if !wanted.contains(&node) {
                wanted.push(node);
            }
        }
        let place = |node: NodeId| wanted.iter().position(|&it| it == node);
        let mut counted = Vec::new();
        for length in self.left.lengths.extract_if(.., |length| is_counted(length.node)) {
            if let Some(at) = place(length.node) {
                counted.push((length.name, at));
            }
        }
        let mut tasks: Vec<Task> = Vec::new();
        let mut results = Vec::new();
        for id in ready {
            // The other results of a loop are made with the first.
            if results.contains(&id) {
                continue;
            }
            let args = self.left.node(id).operands().map(|arg| place(arg).expect("it is wanted")).collect();
            let same: Vec<(NodeId, usize)> = if let NodeKind::Loop { of, args, .. } = &self.left.node(id).kind {
                self.same_loop(of, args).collect()
            } else {
                vec![(id, 0)]
            };
            results.extend(same.iter().map(|(node, _)| *node));
            tasks.push(Task { node: id, args, results: same.into_iter().map(|(_, result)| result).collect() });
        }
        let stays = |kind: &NodeKind| matches!(kind, NodeKind::Input(_) | NodeKind::Const(_) | NodeKind::View { .. });
        let kept: Vec<usize> = (0..wanted.len()).filter(|&at| !stays(&self.left.node(wanted[at]).kind)).collect();
        let made: Vec<NodeId> = kept.iter().map(|&at| wanted[at]).chain(results).collect();
        self.kernels(wanted, blocked);
        let (names, counted) = counted.into_iter().unzip();
        if let Some(stage) = self.schedule.stages.last_mut() {
            (stage.kept, stage.counted) = (kept, counted);
        }
        self.schedule.lengths.extend::<Vec<String>>(names);
        let advances = !tasks.is_empty() || before != (self.checks.len(), self.left.lengths.len());
        self.tasks = tasks;
        for node in made {
            let input = (self.left.inputs.len() + self.schedule.made.len()) as u32;
            Arc::make_mut(&mut self.left.nodes)[node.index()].kind = NodeKind::Input(input);
            self.schedule.made.push(node);
            self.held.push(true);
        }
        self.forget();
        advances
    }

    /// The results of a loop that are needed.
    fn same_loop(&self, of: &LoopRef, args: &[NodeId]) -> impl Iterator<Item = (NodeId, usize)> {
        needed_ids(&self.needed).filter_map(move |id| {
            let NodeKind::Loop { of: own, args: own_args, result } = &self.left.node(id).kind else { return None };
            (own == of && **own_args == *args).then_some((id, *result as usize))
        })
    }

    /// Adds the kernels that give these nodes, and what the checks ask that wait for nothing.
    fn kernels(&mut self, mut outputs: Vec<NodeId>, blocked: &[bool]) {
        let mut waits = false;
        let (checks, later): (Vec<usize>, Vec<usize>) = self.checks.iter().partition(|&&check| {
            let unanswered = self.answered[check].is_some_and(|routine| blocked[routine.index()]);
            waits = unanswered || blocked[self.left.checks[check].node.index()] || self.in_order && waits;
            !waits
        });
        self.checks = later;
        outputs.extend(checks.iter().map(|&check| self.left.checks[check].node));
        let tasks = std::mem::take(&mut self.tasks);
        let is_answered = |&check: &usize| tasks.iter().any(|task| self.answered[check] == Some(task.node));
        let answered = checks.iter().map(is_answered).collect();
        self.schedule.stages.push(Stage {
            tasks,
            made: self.schedule.made.len(),
            lengths: self.schedule.lengths.len(),
            forgotten: std::mem::take(&mut self.forgotten),
            outputs,
            kept: Vec::new(),
            counted: Vec::new(),
            checks,
            answered,
        });
    }

    /// Finds what was made and nothing needs any more.
    fn forget(&mut self) {
        let outputs = self.left.outputs.iter().map(|output| output.node);
        let checks = self.checks.iter().map(|&check| self.left.checks[check].node);
        self.needed = self.left.needed_for(outputs.chain(checks));
        for (at, node) in self.schedule.made.iter().enumerate() {
            if self.held[at] && !self.needed[node.index()] {
                self.held[at] = false;
                self.forgotten.push(at);
            }
        }
    }
}
