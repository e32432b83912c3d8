//! The schedule of an object: a program in parts. Loops and routines run between kernels, as in [`crate::exec`]'s
//! stages, but decided beforehand.
//!
//! Arrays that kernels make for a later part are held in memory of their own. A step of a loop is a program in parts
//! too.
//!
//! ```text
//! sort(2 * x)[0]     kernels: 2 * x -> held 0     routine: sort held 0 -> held 1     kernels: held 1 -> output 0
//! ```

use super::form::LinearForm;
use super::refusal::NotBuilt;
use super::symbolic::{SymbolicPlan, SymbolicStep};
use crate::exec::plan::NestKind;
use crate::exec::stages::{needed_ids, read_later, waiting_nodes, waits};
use crate::ir::loops::{LoopOver, LoopRef, ProgramLoop};
use crate::ir::routine::Routine;
use crate::ir::{Node, NodeId, NodeKind, Program, ProgramInput, ProgramOutput};
use crate::source::Span;
use crate::types::{DType, Shape};
use std::sync::Arc;

/// Where an array is that a part reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PartSource {
    /// An input of the program.
    Input(usize),
    /// An array that an earlier part has made.
    Held(usize),
}

/// Where an array goes that a part makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PartTarget {
    /// An output of the program.
    Output(usize),
    /// Memory that later parts read.
    Held(usize),
}

/// An array in C order.
#[derive(Clone, Debug)]
pub(super) struct ArrayOf {
    pub(super) dtype: DType,
    pub(super) shape: Shape,
}

impl ArrayOf {
    fn of(node: &Node) -> ArrayOf {
        ArrayOf { dtype: node.dtype, shape: node.shape.clone() }
    }

    /// The part of the array at one place of an axis.
    pub(super) fn row(&self, axis: usize) -> ArrayOf {
        let mut shape = self.shape.clone();
        shape.remove(axis);
        ArrayOf { dtype: self.dtype, shape }
    }
}

/// An array that is kept from part to part.
#[derive(Debug)]
pub(super) struct KeptArray {
    pub(super) kind: ArrayOf,
    /// The output in whose memory it is made.
    pub(super) output: Option<usize>,
}

/// Kernels, with their plan.
#[derive(Debug)]
pub(super) struct Kernels {
    pub(super) plan: SymbolicPlan,
    /// The inputs of the plan, by their numbers.
    pub(super) inputs: Vec<PartSource>,
    /// The outputs of the plan.
    pub(super) targets: Vec<PartTarget>,
    /// The node of each output.
    pub(super) nodes: Vec<NodeId>,
    /// Whether targets are written while the kernels run.
    pub(super) lends: bool,
    /// The code of each check.
    pub(super) codes: Vec<i64>,
}

/// A call of a routine: it makes lines or matrices of a result from those of its operands.
#[derive(Debug)]
pub(super) struct RoutineCall {
    pub(super) routine: Routine,
    pub(super) args: Vec<(PartSource, ArrayOf)>,
    pub(super) result: ArrayOf,
    pub(super) to: usize,
}

/// A loop.
#[derive(Debug)]
pub(super) struct LoopPart {
    pub(super) over: LoopOver,
    pub(super) states: usize,
    pub(super) asks: bool,
    /// The loop itself, if it may be compiled as a loop over numbers.
    pub(super) whole: Option<LoopRef>,
    pub(super) args: Vec<(PartSource, ArrayOf)>,
    pub(super) step: StagedProgram,
    pub(super) condition: Option<StagedProgram>,
    /// The dtype and the shape of each result of the step, states first.
    pub(super) gives: Vec<ArrayOf>,
    /// Where each result of the loop is held, if somebody reads it.
    pub(super) results: Vec<Option<usize>>,
}

/// A part of a program. Parts run one after the other.
#[derive(Debug)]
pub(super) enum Part {
    Kernels(Kernels),
    Call(RoutineCall),
    Turning(Box<LoopPart>),
}

/// A program in parts.
#[derive(Debug)]
pub(super) struct StagedProgram {
    pub(super) held: Vec<KeptArray>,
    pub(super) parts: Vec<Part>,
}

/// A program that is being taken apart.
struct Stages<'s> {
    /// The rest of the program. Results of earlier parts are its inputs.
    left: Program,
    needed: Vec<bool>,
    sources: Vec<PartSource>,
    staged: StagedProgram,
    /// The checks that nobody has looked at yet, with their codes.
    checks: Vec<(usize, i64)>,
    /// Nodes whose memory the caller gives.
    lent: Vec<NodeId>,
    codes: &'s mut dyn FnMut(&Program) -> Vec<i64>,
}

impl StagedProgram {
    /// Whether every loop is the only one of its nest, and folds nothing.
    pub(super) fn is_flat(&self) -> bool {
        let is_flat = |step: &SymbolicStep<LinearForm>| match step {
            SymbolicStep::Run(nest) => {
                matches!(nest.kind, NestKind::Map | NestKind::Element)
                    && nest.outer.is_empty()
                    && nest.folds.is_empty()
                    && nest.scans.is_empty()
            }
            SymbolicStep::Check { .. } => true,
        };
        self.parts.iter().all(|part| matches!(part, Part::Kernels(of) if of.plan.plan.steps.iter().all(is_flat)))
    }

    /// Takes a program apart, whose checks have these codes. `lends` says whether outputs are written before the checks
    /// have been looked at. `codes` gives the codes of the checks of a step.
    ///
    /// # Errors
    /// When there is no one plan for all lengths.
    pub(super) fn new(
        (program, own): (&Program, Vec<i64>),
        lends: bool,
        codes: &mut dyn FnMut(&Program) -> Vec<i64>,
    ) -> Result<StagedProgram, NotBuilt> {
        let outputs: Vec<NodeId> = program.outputs.iter().map(|output| output.node).collect();
        let mut left = program.clone();
        // Inputs lie in C order, whatever values they have here.
        left.inputs.iter_mut().for_each(|input| input.value = None);
        let mut stages = Stages {
            left,
            needed: program.needed_nodes(),
            sources: (0..program.inputs.len()).map(PartSource::Input).collect(),
            staged: StagedProgram { held: Vec::new(), parts: Vec::new() },
            checks: own.into_iter().enumerate().collect(),
            lent: if lends { outputs.clone() } else { Vec::new() },
            codes,
        };
        loop {
            let blocked = stages.blocked();
            if !blocked.contains(&true) {
                let targets = (0..outputs.len()).map(PartTarget::Output).collect();
                stages.kernels(outputs, targets, &blocked, lends)?;
                return Ok(stages.staged);
            }
            stages.stage(&blocked)?;
        }
    }
}

impl Stages<'_> {
    /// Which nodes wait for a condition.
    fn guarded(&self) -> Vec<bool> {
        waiting_nodes(&self.left, self.checks.iter().map(|(check, _)| *check))
    }

    /// Which nodes wait for a routine, a loop or a condition.
    fn blocked(&self) -> Vec<bool> {
        let mut blocked = self.guarded();
        for id in needed_ids(&self.needed) {
            let node = self.left.node(id);
            blocked[id.index()] |= waits(node) || node.operands().any(|arg| blocked[arg.index()]);
        }
        blocked
    }

    /// Adds the kernels of a stage, then the routines and loops that wait for nothing else.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else waits")]
    fn stage(&mut self, blocked: &[bool]) -> Result<(), NotBuilt> {
        let guarded = self.guarded();
        let ready = needed_ids(&self.needed).filter(|&id| {
            let node = self.left.node(id);
            waits(node) && !guarded[id.index()] && node.operands().all(|arg| !blocked[arg.index()])
        });
        let ready: Vec<NodeId> = ready.collect();
        let mut wanted = read_later(&self.left, &self.needed, blocked);
        for arg in ready.iter().flat_map(|&id| self.left.node(id).operands().collect::<Vec<_>>()) {
            let is_input = matches!(self.left.node(arg).kind, NodeKind::Input(_));
            if !is_input && !wanted.contains(&arg) {
                wanted.push(arg);
            }
        }
        let places: Vec<usize> = wanted.iter().map(|&node| self.hold(node)).collect();
        let targets = places.iter().map(|&at| PartTarget::Held(at)).collect();
        self.kernels(wanted.clone(), targets, blocked, true)?;
        let mut made: Vec<(NodeId, usize)> = wanted.iter().copied().zip(places).collect();
        let source = |stages: &Self, arg: NodeId| {
            if let NodeKind::Input(input) = stages.left.node(arg).kind {
                return stages.sources[input as usize];
            }
            let found = wanted.iter().position(|&it| it == arg).expect("operands are made");
            PartSource::Held(made[found].1)
        };
        let mut results = Vec::new();
        for &id in &ready {
            let node = self.left.node(id).clone();
            let args = node.operands().map(|arg| (source(self, arg), ArrayOf::of(self.left.node(arg)))).collect();
            match &node.kind {
                NodeKind::Routine { routine, .. } => {
                    let to = self.hold(id);
                    results.push((id, to));
                    let call = RoutineCall { routine: *routine, args, result: ArrayOf::of(&node), to };
                    self.staged.parts.push(Part::Call(call));
                }
                // The other results of a loop are made with the first.
                NodeKind::Loop { .. } if results.iter().any(|(known, _)| *known == id) => {}
                NodeKind::Loop { of, args: nodes, .. } => {
                    let turning = self.turning(
                        of,
                        args,
                        |kind| {
                            let NodeKind::Loop { of: own, args, result } = kind else { return None };
                            (own == of && args == nodes).then_some(*result as usize)
                        },
                        &mut results,
                    )?;
                    self.staged.parts.push(Part::Turning(Box::new(turning)));
                }
                _ => unreachable!("nothing else waits"),
            }
        }
        made.extend(results);
        made.into_iter().for_each(|(node, place)| self.keep(node, place));
        self.forget();
        Ok(())
    }

    fn turning(
        &mut self,
        LoopRef(of): &LoopRef,
        args: Vec<(PartSource, ArrayOf)>,
        result_of: impl Fn(&NodeKind) -> Option<usize>,
        made: &mut Vec<(NodeId, usize)>,
    ) -> Result<LoopPart, NotBuilt> {
        let codes = (self.codes)(&of.step);
        let step = StagedProgram::new((&of.step, codes), true, self.codes)?;
        let mut condition = None;
        if let Some(of) = &of.condition {
            let codes = (self.codes)(of);
            condition = Some(StagedProgram::new((of, codes), true, self.codes)?);
        }
        let count = match of.over {
            LoopOver::Steps => of.states,
            LoopOver::Rows { .. } => of.step.outputs.len() - of.states,
        };
        let mut results = vec![None; count];
        for id in needed_ids(&self.needed) {
            if let Some(result) = result_of(&self.left.node(id).kind) {
                let place = self.hold(id);
                results[result] = Some(place);
                made.push((id, place));
            }
        }
        let gives = of.step.outputs.iter().map(|output| ArrayOf::of(of.step.node(output.node))).collect();
        let ProgramLoop { over, states, asks, .. } = &**of;
        let whole = (*over == LoopOver::Steps && !asks).then(|| LoopRef(of.clone()));
        Ok(LoopPart { over: over.clone(), states: *states, asks: *asks, whole, args, step, condition, gives, results })
    }

    /// Memory for a node: that of an output, if the node is one.
    fn hold(&mut self, node: NodeId) -> usize {
        let output = self.lent.iter().position(|&lent| lent == node);
        let output = output.filter(|&output| self.staged.held.iter().all(|held| held.output != Some(output)));
        self.staged.held.push(KeptArray { kind: ArrayOf::of(self.left.node(node)), output });
        self.staged.held.len() - 1
    }

    /// Adds kernels that make some nodes, and the checks that wait for nothing, in their order.
    fn kernels(
        &mut self,
        nodes: Vec<NodeId>,
        targets: Vec<PartTarget>,
        blocked: &[bool],
        lends: bool,
    ) -> Result<(), NotBuilt> {
        let waiting = self.checks.iter().position(|(check, _)| blocked[self.left.checks[*check].node.index()]);
        let later = self.checks.split_off(waiting.unwrap_or(self.checks.len()));
        let now = std::mem::replace(&mut self.checks, later);
        if nodes.is_empty() && now.is_empty() {
            return Ok(());
        }
        let output = |&node: &NodeId| ProgramOutput { name: None, node, span: Span::default(), weak: false };
        let checks = now.iter().map(|(check, _)| self.left.checks[*check].clone()).collect();
        let outputs = nodes.iter().map(output).collect();
        let stage = Program { outputs, checks, lengths: Vec::new(), ..self.left.clone() };
        let plan = SymbolicPlan::new(&stage, if lends { &nodes } else { &[] })?;
        let (inputs, codes) = (self.sources.clone(), now.into_iter().map(|(_, code)| code).collect());
        self.staged.parts.push(Part::Kernels(Kernels { plan, inputs, targets, nodes, lends, codes }));
        Ok(())
    }

    /// Makes a node an input of the rest of the program.
    fn keep(&mut self, id: NodeId, place: usize) {
        let node = self.left.node(id).clone();
        if matches!(node.kind, NodeKind::Input(_) | NodeKind::Const(_) | NodeKind::View { .. }) {
            return;
        }
        let input = self.left.inputs.len() as u32;
        Arc::make_mut(&mut self.left.nodes)[id.index()] = Node { kind: NodeKind::Input(input), ..node };
        self.left.inputs.push(ProgramInput { name: String::new(), span: Span::default(), value: None, meaning: None });
        self.sources.push(PartSource::Held(place));
    }

    /// Forgets the nodes that nothing needs any more.
    fn forget(&mut self) {
        let rest = self.checks.iter().map(|(check, _)| self.left.checks[*check].clone()).collect();
        self.needed = Program { checks: rest, ..self.left.clone() }.needed_nodes();
    }
}
