//! Programs in stages: routines run between kernels, and lengths that data decides are put in.
//!
//! What needs no routine and no length is a program of its own. It runs as kernels and gives the operands of the routines
//! that are ready, and the lengths. Routines run; what was made becomes an input of the rest, in which a length is now a
//! number; and so on until nothing waits:
//!
//! ```text
//! x[x > 0]     1. kernels: the mask, and how many it keeps     2. routine: compress     3. kernels: what uses it
//! ```
//!
//! Results of folds, scans and gathers that later stages need are kept; elementwise values are computed again where they
//! are used, as in kernels, unless they cost much.

use super::continued::Change;
use super::memory::Meter;
use super::options::{Options, RunError};
use super::run::run_metered;
use super::stages::{guarded, has_stages, needed_ids, read_later, waits};
use super::{loops, preflight, routine};
use crate::array::Array;
use crate::ir::loops::LoopRef;
use crate::ir::routine::Routine;
use crate::ir::{NodeId, NodeKind, Program, ProgramInput, ProgramOutput};
use crate::types::{Dim, shape};
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
        shown.inputs.push(ProgramInput {
            name: format!("%{index}"),
            span: Default::default(),
            value: None,
            meaning: None,
        });
        Arc::make_mut(&mut shown.nodes)[index].kind = kind;
    }
    Cow::Owned(shown)
}

/// What runs between kernels.
enum Task {
    Routine(Routine),
    Loop(LoopRef),
}

/// Runs a step of a loop.
fn run_one(program: &Program, options: &Options, meter: &mut Meter) -> Result<Vec<Array>, RunError> {
    match has_stages(program) {
        true => run_within(program, options, true, meter),
        false => run_metered(program, options, &[], meter),
    }
}

/// A program while it runs.
struct StagedRun<'o, 'm> {
    /// What is left: what was made is an input, lengths that are known are numbers.
    left: Program,
    needed: Vec<bool>,
    /// The checks that nothing has looked at, by their place in the program.
    checks: Vec<usize>,
    /// Whether checks speak in their order, as they do where no length follows from what they guard.
    in_order: bool,
    /// Whether it is a step of a loop, in which lengths mostly are others each time.
    is_step: bool,
    meter: &'m mut Meter,
    options: &'o Options<'o>,
}

/// Runs a program.
pub(super) fn run(program: &Program, options: &Options) -> Result<Vec<Array>, RunError> {
    run_within(program, options, false, &mut Meter::new(options.max_memory))
}

fn run_within(program: &Program, options: &Options, is_step: bool, meter: &mut Meter) -> Result<Vec<Array>, RunError> {
    let needed = program.needed();
    preflight::prepare(program, &needed)?;
    let checks = (0..program.checks.len()).collect();
    let in_order = program.lengths.is_empty();
    let mut run = StagedRun { left: program.clone(), needed, checks, in_order, is_step, meter, options };
    loop {
        options.poll()?;
        let blocked = run.blocked();
        if !blocked.contains(&true) {
            let outputs: Vec<NodeId> = program.outputs.iter().map(|output| output.node).collect();
            return run.finish(&outputs, &blocked);
        }
        if !run.stage(&blocked)? {
            return Err(RunError::Internal("what is left of the program waits for itself".to_owned()));
        }
    }
}

impl StagedRun<'_, '_> {
    /// Which nodes wait for a routine, a length or a condition.
    fn blocked(&self) -> Vec<bool> {
        let mut blocked = guarded(&self.left, self.checks.iter().copied());
        for id in needed_ids(&self.needed) {
            let node = self.left.node(id);
            blocked[id.index()] |= waits(node)
                || node.operands().any(|arg| blocked[arg.index()])
                || self.left.lengths_of(&node.shape).next().is_some();
        }
        blocked
    }

    /// The routines and loops whose operands wait for nothing, and whose own lengths will be known.
    fn ready(&self, blocked: &[bool]) -> Vec<(NodeId, Task, Vec<NodeId>)> {
        let routines = needed_ids(&self.needed).filter_map(|id| match &self.left.node(id).kind {
            NodeKind::Routine { routine, args } => Some((id, Task::Routine(*routine), args.to_vec())),
            NodeKind::Loop { of, args, .. } => Some((id, Task::Loop(of.clone()), args.to_vec())),
            _ => None,
        });
        // A loop runs the stage after: its step is that of the program in which its lengths are numbers.
        let known = |id: &NodeId, task: &Task| {
            let mut lengths = self.left.lengths_in(self.left.node(*id));
            match task {
                Task::Routine(_) => lengths.all(|length| !blocked[length.node.index()]),
                Task::Loop(_) => lengths.next().is_none(),
            }
        };
        let waits = |id: &NodeId| self.checks.iter().any(|&check| self.left.checks[check].fault.waiting().contains(id));
        let free = |id: &NodeId, args: &[NodeId]| !waits(id) && args.iter().all(|arg| !blocked[arg.index()]);
        routines.filter(|(id, task, args)| free(id, args) && known(id, task)).collect()
    }

    /// Runs what waits for nothing; whether there was anything.
    fn stage(&mut self, blocked: &[bool]) -> Result<bool, RunError> {
        let before = (self.checks.len(), self.left.lengths.len());
        let ready = self.ready(blocked);
        let lengths: Vec<(String, NodeId)> = self.left.lengths.iter().map(|it| (it.name.clone(), it.node)).collect();
        let lengths: Vec<_> = lengths.into_iter().filter(|(_, node)| !blocked[node.index()]).collect();
        let mut wanted = read_later(&self.left, &self.needed, blocked);
        let add = |wanted: &mut Vec<NodeId>, node: NodeId| {
            if !wanted.contains(&node) {
                wanted.push(node);
            }
        };
        ready.iter().flat_map(|(_, _, args)| args).for_each(|&arg| add(&mut wanted, arg));
        lengths.iter().filter(|(_, node)| self.needed[node.index()]).for_each(|(_, node)| add(&mut wanted, *node));
        let made = self.made(&wanted, blocked)?;
        let array = |node: NodeId| wanted.iter().position(|&it| it == node).map(|at| &made[at]);
        let mut counted = Vec::new();
        for (name, node) in lengths {
            if let Some(array) = array(node) {
                counted.push((name.clone(), array.get(0).bits as u64));
            }
            self.left.lengths.retain(|length| length.name != name);
        }
        // What runs now asks for its lengths.
        if !ready.is_empty() {
            self.put(std::mem::take(&mut counted), Vec::new());
        }
        let mut results = Vec::with_capacity(ready.len());
        for (id, task, args) in ready {
            preflight::prepare_node(&self.left, id)?;
            let arrays: Vec<Array> = args.iter().map(|&arg| array(arg).expect("it was asked for").clone()).collect();
            let node = self.left.node(id);
            let sizes = shape::sizes(&node.shape).ok_or(RunError::UnknownSize { node: id })?;
            match task {
                Task::Routine(routine) => {
                    let made = routine::run(routine, node.dtype, &arrays, &sizes, self.meter, self.options)?;
                    results.push((id, made));
                }
                // Its other results are made with the first.
                Task::Loop(_) if results.iter().any(|(known, _)| *known == id) => {}
                Task::Loop(of) => {
                    let options = self.options;
                    let mut step = |program: &Program, first: bool, meter: &mut Meter| {
                        let inner = Options { tell: options.tell.filter(|_| first), ..*options };
                        run_one(program, &inner, meter)
                    };
                    let made = loops::run(&of.0, &arrays, self.meter, self.options, &mut step)?;
                    results.extend(self.same_loop(&of, &args).map(|(id, result)| (id, made[result].clone())));
                }
            }
        }
        let advances = !results.is_empty() || before != (self.checks.len(), self.left.lengths.len());
        self.put(counted, wanted.into_iter().zip(made).chain(results).collect());
        self.forget();
        Ok(advances)
    }

    /// The results of a loop that are needed.
    fn same_loop<'r>(&'r self, of: &'r LoopRef, args: &'r [NodeId]) -> impl Iterator<Item = (NodeId, usize)> + 'r {
        needed_ids(&self.needed).filter_map(move |id| match &self.left.node(id).kind {
            NodeKind::Loop { of: own, args: own_args, result } if own == of && **own_args == *args => {
                Some((id, *result as usize))
            }
            _ => None,
        })
    }

    /// The arrays of some nodes; the checks that wait for nothing hold.
    fn made(&mut self, wanted: &[NodeId], blocked: &[bool]) -> Result<Vec<Array>, RunError> {
        let mut waits = false;
        let (now, later): (Vec<usize>, Vec<usize>) = self.checks.iter().partition(|&&check| {
            waits = blocked[self.left.checks[check].node.index()] || self.in_order && waits;
            !waits
        });
        self.checks = later;
        let conditions = now.iter().map(|&check| self.left.checks[check].node);
        let output = |node: NodeId| ProgramOutput { name: None, node, span: Default::default(), weak: false };
        let outputs = wanted.iter().copied().chain(conditions).map(output).collect();
        let (nodes, inputs) = (self.left.nodes.clone(), self.left.inputs.clone());
        let stage = Program { nodes, inputs, outputs, checks: Vec::new(), lengths: Vec::new() };
        let mut arrays = run_metered(&stage, self.options, &[], self.meter)?;
        for (check, array) in now.into_iter().zip(arrays.split_off(wanted.len())) {
            let fault = array.get(0).bits as i64;
            if fault >= 0 {
                return Err(RunError::CheckFailed { check, index: fault as u64 });
            }
        }
        Ok(arrays)
    }

    /// Puts lengths in what is left, and makes nodes inputs of it.
    fn put(&mut self, counted: Vec<(String, u64)>, mut made: Vec<(NodeId, Array)>) {
        let stays = |kind: &NodeKind| matches!(kind, NodeKind::Input(_) | NodeKind::Const(_) | NodeKind::View { .. });
        made.retain(|(id, _)| !stays(&self.left.node(*id).kind));
        counted.iter().for_each(|(name, size)| self.left.equate_in_checks(name, &Dim::Const(*size)));
        let first = self.left.inputs.len() as u32;
        let change = Change { counted, made: made.iter().map(|(id, _)| *id).collect(), first };
        match self.is_step {
            true => change.apply(&mut self.left),
            false => change.apply_as_before(&mut self.left),
        }
        let input = |(_, array)| ProgramInput {
            name: String::new(),
            span: Default::default(),
            value: Some(array),
            meaning: None,
        };
        self.left.inputs.extend(made.into_iter().map(input));
    }

    /// Lets go of what nothing needs any more.
    fn forget(&mut self) {
        let outputs = self.left.outputs.iter().map(|output| output.node);
        let checks = self.checks.iter().map(|&check| self.left.checks[check].node);
        self.needed = self.left.needed_for(outputs.chain(checks));
        for index in 0..self.left.nodes.len() {
            if let NodeKind::Input(input) = self.left.nodes[index].kind
                && !self.needed[index]
                && self.left.inputs[input as usize].name.is_empty()
                && let Some(array) = self.left.inputs[input as usize].value.take()
            {
                self.meter.release(array.dtype(), array.shape());
            }
        }
    }

    fn finish(mut self, outputs: &[NodeId], blocked: &[bool]) -> Result<Vec<Array>, RunError> {
        self.made(outputs, blocked)
    }
}
