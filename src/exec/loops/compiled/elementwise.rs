//! Elementwise steps. Each element of the next states depends on the same element of states and operands only.
//!
//! States have one shape, whose elements are the *lanes*, or are scalars. Values that a step reads and never changes
//! are operands. Views of them are computed once, before the first step. A step with checks, or with lengths that it
//! decides, is not elementwise.

use crate::exec::stepping::End;
use crate::ir::loops::{LoopOver, ProgramLoop};
use crate::ir::{Fold, NodeId, NodeKind, Program, View};
use crate::kernel::{Body, Inst, InstId, InstOp};
use crate::types::shape;

/// What a step reads besides its states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StepSource {
    /// The number of the step.
    Count,
    /// The row of an array.
    Row(usize),
    /// An array from outside, by its number.
    Used(usize),
    /// A node that is computed from such arrays before the first step.
    Made(NodeId),
}

/// An elementwise step.
#[derive(Debug)]
pub(super) struct Elementwise {
    pub(super) body: Body,
    /// The shape of the lanes.
    pub(super) lanes: Vec<usize>,
    /// The sources that are loaded. In the body they come after the states.
    pub(super) sources: Vec<StepSource>,
    /// The next states, results, and the condition if there is one.
    pub(super) outputs: Vec<InstId>,
    pub(super) end: End,
}

impl Elementwise {
    /// The step of a loop, if it is elementwise.
    pub(super) fn of(of: &ProgramLoop) -> Option<Elementwise> {
        let step = &of.step;
        let sure = |program: &Program| program.checks.is_empty() && program.lengths.is_empty();
        if !sure(step) || of.condition.as_ref().is_some_and(|it| !sure(it) || it.nodes != step.nodes) {
            return None;
        }
        let mut roots: Vec<NodeId> = step.outputs.iter().map(|output| output.node).collect();
        let lanes = lanes(of, &roots)?;
        let mut end = End::Never;
        if let Some(condition) = &of.condition {
            roots.push(condition.outputs[0].node);
            end = End::Before;
        }
        if of.asks {
            let NodeKind::Fold { fold: Fold::Any, arg, .. } = step.node(roots.pop()?).kind else { return None };
            roots.push(arg);
            end = End::After;
        }
        let first_used = of.states
            + match of.over {
                LoopOver::Steps => 1,
                LoopOver::Rows { arrays, .. } => arrays,
            };
        let wanted = wanted(step, &roots, first_used, &lanes)?;
        let mut writer = StepWriter::new(of, first_used);
        for index in (0..wanted.len()).filter(|&index| wanted[index]) {
            writer.node(NodeId(index as u32));
        }
        let outputs = roots.iter().map(|root| writer.values[root.index()]).collect::<Option<_>>()?;
        let StepWriter { body, sources, .. } = writer;
        Some(Elementwise { body, lanes, sources, outputs, end })
    }
}

impl Elementwise {
    /// An estimate of what a step takes for a lane.
    pub(super) fn picoseconds(&self) -> f64 {
        let of = |inst: &Inst| match inst.op {
            InstOp::Prim(prim, _) => prim.cost().picoseconds(inst.dtype.is_small_float()) * inst.dtype.size() as f64,
            InstOp::Load(_) | InstOp::Iota(_) | InstOp::Const(_) => 0.0,
        };
        self.body.insts.iter().map(of).sum::<f64>().max(1.0)
    }
}

/// The shape that states and results have, but for states that are scalars.
fn lanes(of: &ProgramLoop, outputs: &[NodeId]) -> Option<Vec<usize>> {
    let results = if of.over == LoopOver::Steps { &[] } else { &outputs[of.states..] };
    let sizes = |node: NodeId| shape::sizes(&of.step.node(node).shape);
    let states = outputs[..of.states].iter().map(|&node| sizes(node)).collect::<Option<Vec<Vec<usize>>>>()?;
    let results = results.iter().map(|&node| sizes(node)).collect::<Option<Vec<Vec<usize>>>>()?;
    let lanes = states.iter().chain(&results).max_by_key(|sizes| sizes.len())?.clone();
    // Where elements end one by one, a scalar would have to wait for the last of them.
    let is_state = |sizes: &Vec<usize>| *sizes == lanes || sizes.is_empty() && !of.asks;
    let fit = states.iter().all(is_state) && results.iter().all(|sizes| *sizes == lanes);
    (fit && !lanes.contains(&0)).then_some(lanes)
}

/// The nodes that each lane computes. `None` if the step does anything else.
fn wanted(step: &Program, roots: &[NodeId], first_used: usize, lanes: &[usize]) -> Option<Vec<bool>> {
    let mut changes = vec![false; step.nodes.len()];
    for (index, node) in step.nodes.iter().enumerate() {
        changes[index] = if let NodeKind::Input(input) = node.kind {
            (input as usize) < first_used
        } else {
            node.operands().any(|arg| changes[arg.index()])
        };
    }
    let mut wanted = vec![false; step.nodes.len()];
    roots.iter().for_each(|root| wanted[root.index()] = true);
    for index in (0..wanted.len()).rev() {
        if !wanted[index] {
            continue;
        }
        let node = &step.nodes[index];
        if !repeats_to(&shape::sizes(&node.shape)?, lanes) {
            return None;
        }
        if matches!(node.kind, NodeKind::Map(..) | NodeKind::View { view: View::Broadcast, .. }) {
            node.operands().for_each(|arg| wanted[arg.index()] = true);
        } else if !matches!(node.kind, NodeKind::Input(_) | NodeKind::Const(_)) && changes[index] {
            return None;
        }
    }
    Some(wanted)
}

/// Whether a shape broadcasts to another.
fn repeats_to(own: &[usize], to: &[usize]) -> bool {
    own.len() <= to.len() && own.iter().rev().zip(to.iter().rev()).all(|(own, to)| own == to || *own == 1)
}

/// Writes the body of a step.
struct StepWriter<'l> {
    of: &'l ProgramLoop,
    /// The first input that no step changes.
    first_used: usize,
    body: Body,
    sources: Vec<StepSource>,
    /// The values of nodes.
    values: Vec<Option<InstId>>,
}

impl<'l> StepWriter<'l> {
    fn new(of: &'l ProgramLoop, first_used: usize) -> StepWriter<'l> {
        let values = vec![None; of.step.nodes.len()];
        StepWriter { of, first_used, body: Body::default(), sources: Vec::new(), values }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is made before the first step")]
    fn node(&mut self, id: NodeId) {
        let node = self.of.step.node(id);
        let states = self.of.states;
        let op = match &node.kind {
            NodeKind::View { arg, view: View::Broadcast } => {
                self.values[id.index()] = self.values[arg.index()];
                return;
            }
            NodeKind::Const(scalar) => InstOp::Const(scalar.bits),
            NodeKind::Map(prim, args) => {
                InstOp::Prim(*prim, args.map(|arg| arg.and_then(|arg| self.values[arg.index()])))
            }
            NodeKind::Input(input) => match (*input as usize, &self.of.over) {
                (input, _) if input < states => InstOp::Load(input as u32),
                (input, _) if input >= self.first_used => self.load(StepSource::Used(input - self.first_used)),
                (_, LoopOver::Steps) => InstOp::Iota(self.source(StepSource::Count)),
                (input, LoopOver::Rows { .. }) => self.load(StepSource::Row(input - states)),
            },
            _ => self.load(StepSource::Made(id)),
        };
        self.values[id.index()] = Some(self.body.push(op, node.dtype));
    }

    fn load(&mut self, source: StepSource) -> InstOp {
        InstOp::Load(self.source(source))
    }

    /// The number of an operand.
    fn source(&mut self, source: StepSource) -> u32 {
        self.sources.push(source);
        (self.of.states + self.sources.len() - 1) as u32
    }
}
