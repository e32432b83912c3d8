//! Short loops inside of others, written out: a loop of few steps of scalars is what they make one after the other.
//!
//! A loop within a step runs between kernels; what is written out is part of the step, which may then stay in
//! registers.

use super::ProgramBuilder;
use crate::hash::{QuickMap, QuickSet};
use crate::ir::loops::{LoopOver, OpenLoop};
use crate::ir::{NodeId, NodeKind};
use crate::scalar::Scalar;
use std::ops::Range;

/// The most steps that are written out.
const MAX_STEPS: i64 = 16;
/// The most operations of all steps together.
const MAX_OPERATIONS: usize = 512;

impl ProgramBuilder {
    /// The last states of a loop that lies in another one, if it is short. Before the outermost one there were `outer`
    /// nodes.
    pub(crate) fn written_out(&mut self, open: &OpenLoop, outer: usize) -> Option<Vec<NodeId>> {
        let scalar = |node: &NodeId| self.shape(*node).is_empty();
        let first = open.params.iter().map(|(param, _)| param.index()).min()?;
        let ends = open.condition.is_some() || open.active.is_some() || open.over != LoopOver::Steps;
        if ends || !open.params.iter().all(|(param, _)| scalar(param)) {
            return None;
        }
        let count = self.as_constant(open.args[0])?.bits as u64 as i64;
        let inside = self.steps_nodes(open, first)?;
        if !self.is_in_a_loop(open, outer..first) {
            return None;
        }
        // What the step asks for while it runs is asked in a loop.
        let guarded = self.program.checks.iter().any(|check| check.written > first);
        if guarded || !(0..=MAX_STEPS).contains(&count) || inside.len() * count as usize > MAX_OPERATIONS {
            return None;
        }
        let mut states = open.args[1..=open.states].to_vec();
        for number in 0..count {
            let number = self.constant(Scalar::of(number));
            let params = open.params.iter().map(|(param, _)| *param);
            let mut place: QuickMap<NodeId, NodeId> = params.zip(states.iter().copied().chain([number])).collect();
            for &node in &inside {
                let known = self.program.node(node);
                let NodeKind::Map(prim, args) = known.kind else { continue };
                let dtype = known.dtype;
                let args = args.into_iter().flatten().map(|arg| place.get(&arg).copied().unwrap_or(arg));
                let args: Vec<NodeId> = args.collect();
                let made = self.map_to(prim, &args, dtype);
                place.insert(node, made);
            }
            states = open.gives[..open.states].iter().map(|give| place.get(give).copied().unwrap_or(*give)).collect();
        }
        Some(states)
    }

    /// Whether a loop begins with, or uses, what a step of another one makes: of one whose parameters are among some
    /// nodes, and which is not complete.
    fn is_in_a_loop(&self, open: &OpenLoop, nodes: Range<usize>) -> bool {
        let (mut left, mut seen) = (open.args.clone(), QuickSet::default());
        left.extend(&open.gives);
        while let Some(node) = left.pop() {
            if node.index() < nodes.start || !seen.insert(node) {
                continue;
            }
            let known = self.program.node(node);
            let is_param = node.index() < nodes.end && matches!(known.kind, NodeKind::Param(_));
            if is_param && !self.loops.params.contains_key(&node) {
                return true;
            }
            left.extend(known.operands());
        }
        false
    }

    /// What a step makes of its parameters, in order, if that is nothing but operations on scalars.
    fn steps_nodes(&self, open: &OpenLoop, first: usize) -> Option<Vec<NodeId>> {
        let is_param = |node: NodeId| open.params.iter().any(|(param, _)| *param == node);
        let (mut left, mut wanted) = (open.gives.clone(), vec![false; self.program.nodes.len() - first]);
        while let Some(node) = left.pop() {
            if node.index() < first || is_param(node) || std::mem::replace(&mut wanted[node.index() - first], true) {
                continue;
            }
            let known = self.program.node(node);
            if !matches!(known.kind, NodeKind::Map(..) | NodeKind::Const(_) if known.shape.is_empty()) {
                return None;
            }
            left.extend(known.operands());
        }
        let found = (0..wanted.len()).filter(|&at| wanted[at]).map(|at| NodeId((first + at) as u32));
        Some(found.collect())
    }
}
