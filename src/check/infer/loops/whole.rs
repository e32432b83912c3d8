//! Loops as a whole. A step with what it goes through and carries becomes nodes, and these become the value of the
//! loop.
//!
//! Where a `while` is an array, elements that are done keep what they have.

use super::states::StateNodes;
use super::step::{LoopState, LoopWay, StepWalk};
use crate::check::infer::Ctx;
use crate::check::infer::found::facts::Subject;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::loops::{OpenLoop, stacked_shape};
use crate::ir::{Fold, NodeId, NodeKind, loops};
use crate::range::carried::{CarriedNodes, StepParams};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::syntax::ast::LoopExpr;
use crate::types::{DType, Dim, Shape};
use std::collections::HashSet;

/// A key that is made of more nodes is not looked into.
const MAX_KEY_NODES: usize = 10_000;

impl Ctx<'_> {
    /// The value of a loop: that of its states, or the rows that its steps give.
    pub(in crate::check) fn loop_value(&mut self, it: &LoopExpr, span: Span) -> Value {
        if self.is_exhausted(span) {
            return Value::Error;
        }
        self.looped(it, span).unwrap_or(Value::Error)
    }

    fn looped(&mut self, it: &LoopExpr, span: Span) -> Option<Value> {
        let way = self.way(it);
        let starts = self.starts(it);
        let (way, starts) = (way?, starts?);
        let (states, gave_all) = self.settled_states(it, &way, starts);
        // A trial asks for types alone, and a step of this loop has given them. Walked again in each trial around it, a
        // loop would take twice the time for each loop that it is in.
        if gave_all && self.calls.depth.is_trial() && matches!(way, LoopWay::Steps { .. }) {
            return Some(self.of_types(&states));
        }
        let (facts, found) = (self.typed.facts.len(), self.findings.count());
        let walk = self.step(it, &way, &states);
        let nodes = walk.as_ref().and_then(|walk| {
            let nodes = self.state_nodes(it, &way, &states, walk)?;
            self.mask_fits(it, &states, walk).then_some(nodes)
        });
        let (Some(walk), Some(nodes)) = (walk, nodes) else {
            // Where a step is wrong nothing is known of what its states become. What is wrong may be a finding.
            if self.findings.has_errors_since(found) {
                self.typed.facts.truncate(facts);
            }
            return None;
        };
        self.same_keys(&way, facts, &walk, &nodes);
        self.find_counter_outside(&way, &walk, states.len());
        self.closed(way, &states, walk, nodes, span)
    }

    /// The loop as nodes, and its value.
    fn closed(
        &mut self,
        way: LoopWay,
        states: &[LoopState],
        walk: StepWalk,
        mut nodes: Vec<StateNodes>,
        span: Span,
    ) -> Option<Value> {
        let StepWalk { mut params, condition, condition_end, gives } = walk;
        condition.into_iter().for_each(|condition| self.graph.guard(condition_end, condition));
        let (mut condition, mut active) = (condition, None);
        if let Some(mask) = condition.filter(|&it| !self.graph.builder.shape(it).is_empty()) {
            let (found, own) = self.one_by_one(mask, &mut nodes)?;
            params.insert(states.len(), (own.state, String::new()));
            nodes.push(own);
            (condition, active) = (None, Some(found));
        }
        let steps = self.steps(&way).filter(|_| condition.is_none() && active.is_none());
        let beside = step_params(&way, &params[nodes.len()..]);
        let counter = beside.counter;
        let carry = |it: &StateNodes| {
            let &StateNodes { start, state, next } = it;
            CarriedNodes { start, state, next, steps, condition, counter }
        };
        let carried: Vec<CarriedNodes> = nodes.iter().map(carry).collect();
        self.graph.ranges.carry(self.graph.builder.program(), &carried, &beside);
        let mut given: Vec<NodeId> = nodes.iter().map(|it| it.next).collect();
        let mut args: Vec<NodeId> = nodes.iter().map(|it| it.start).collect();
        let (over, results) = match way {
            LoopWay::Steps { count, .. } => {
                args.insert(0, count);
                if let Some(active) = active {
                    let axes: Vec<usize> = (0..self.graph.builder.shape(active).len()).collect();
                    given.push(self.graph.builder.fold(Fold::Any, active, &axes));
                }
                let like = |it: &StateNodes| (it.state, self.graph.builder.shape(it.state).clone());
                (loops::LoopOver::Steps, nodes.iter().map(like).collect::<Vec<_>>())
            }
            LoopWay::Rows { arrays, axis, len, reverse } => {
                args.extend(arrays.iter().map(|it| it.node));
                let rows = self.given_rows(&gives[states.len()..], axis, &len, &params)?;
                given.extend(rows.iter().map(|(row, _)| *row));
                (loops::LoopOver::Rows { arrays: arrays.len(), axis: axis as u32, reverse }, rows)
            }
        };
        let open = OpenLoop {
            over: over.clone(),
            params,
            args,
            gives: given,
            states: nodes.len(),
            condition,
            condition_end,
            active,
            columns: Vec::new(),
            span,
        };
        let shown = if over == loops::LoopOver::Steps { states.len() } else { results.len() };
        // What is to be guarded stays a step of its own.
        let outer = self.calls.depth.outermost_loop().filter(|_| !self.settings.checked);
        let short = outer.and_then(|outer| self.graph.builder.written_out(&open, outer));
        let is_loop = short.is_none();
        if !is_loop {
            self.graph.steps.carried.extend(nodes.iter().map(|it| it.next));
        }
        let made = short.unwrap_or_else(|| self.graph.builder.close_loop(open, &results));
        if is_loop {
            let given: Vec<(NodeId, NodeId)> =
                made.iter().zip(&results).map(|(&node, (like, _))| (node, *like)).collect();
            let are_states = over == loops::LoopOver::Steps;
            self.graph.ranges.results(self.graph.builder.program(), &given, are_states);
        }
        let origin = |at: usize| states.get(at).map_or(span, |state| state.start.origin);
        let result = |(at, &node): (usize, &NodeId)| {
            let dtype = self.graph.builder.dtype(node);
            self.computed_value(node, dtype.into(), origin(at))
        };
        Some(one_or_tuple(made[..shown].iter().enumerate().map(result).collect()))
    }

    /// Values of which nothing is known but the types that states have.
    fn of_types(&mut self, states: &[LoopState]) -> Value {
        let value = |state: &LoopState| {
            let dtype = self.settings.harden(state.elem);
            let node = self.graph.builder.param(dtype, state.shape.clone());
            self.computed_value(node, dtype.into(), state.start.origin)
        };
        one_or_tuple(states.iter().map(value).collect())
    }

    /// Marks what is drawn in every step from a key that no step changes.
    fn same_keys(&mut self, way: &LoopWay, facts: usize, walk: &StepWalk, states: &[StateNodes]) {
        let counter = match way {
            LoopWay::Steps { counter, .. } => counter.map(|name| name.span),
            LoopWay::Rows { .. } => None,
        };
        let program = self.graph.builder.program();
        let Some(first) = walk.params.iter().map(|&(param, _)| param).min() else { return };
        let is_kept = |node: NodeId| states.iter().any(|it| it.state == node && it.next == node);
        // A loop in this one has parameters of its own, which may stand for anything.
        let changes = |key: NodeId| {
            let (mut open, mut seen) = (vec![key], HashSet::new());
            while let Some(node) = open.pop() {
                if seen.len() > MAX_KEY_NODES {
                    return true;
                }
                if node < first || !seen.insert(node) {
                    continue;
                }
                if !matches!(program.node(node).kind, NodeKind::Param(_)) {
                    open.extend(program.node(node).operands());
                } else if !is_kept(node) {
                    return true;
                }
            }
            false
        };
        for fact in &mut self.typed.facts[facts..] {
            if let Subject::Drawn(drawn) = &mut fact.about
                && !drawn.stays
                && !changes(drawn.key)
            {
                (drawn.stays, drawn.counter) = (true, counter);
            }
        }
    }

    /// Elements end one by one: which go on, and the mask as a state of its own.
    fn one_by_one(&mut self, mask: NodeId, nodes: &mut [StateNodes]) -> Option<(NodeId, StateNodes)> {
        let shape = self.graph.builder.shape(mask).clone();
        let state = self.graph.builder.param(DType::Bool, shape.clone());
        let mut e = self.graph.expand();
        let active = e.prim(Prim::And, &[state, mask]);
        for it in nodes {
            let own = e.shape(it.state);
            it.next = e.select(active, it.next, it.state);
            // A state that the mask would stretch was reported.
            if e.shape(it.next) != own {
                return None;
            }
        }
        let start = e.0.constant(Scalar { dtype: DType::Bool, bits: 1 });
        let start = e.broadcast(start, &shape);
        Some((active, StateNodes { start, state, next: active }))
    }

    /// The rows that a step gives, and the shapes of the results that they make.
    fn given_rows(
        &mut self,
        rows: &[(Value, Span)],
        axis: usize,
        len: &Dim,
        params: &[(NodeId, String)],
    ) -> Option<Vec<(NodeId, Shape)>> {
        let mut found = Vec::with_capacity(rows.len());
        for (value, at) in rows {
            let row = self.operand(value.clone(), *at)?;
            let node = self.node(&row)?;
            let first = params.iter().map(|(param, _)| param.index()).min().unwrap_or(0);
            let program = self.graph.builder.program();
            let changes = program.lengths_of(&row.shape).any(|length| length.node.index() > first);
            if changes || row.shape.len() < axis {
                self.error(report::unfit_row(&row, axis, changes));
                return None;
            }
            let shape = stacked_shape(&row.shape, axis, len.clone());
            let dtype = self.graph.builder.dtype(node);
            self.extent_fits(&shape, dtype, *at).then_some(())?;
            found.push((node, shape));
        }
        Some(found)
    }
}

/// The value of a loop with one state or several.
fn one_or_tuple(values: Vec<Value>) -> Value {
    match <[Value; 1]>::try_from(values) {
        Ok([value]) => value,
        Err(values) => Value::Tuple(values.into()),
    }
}

/// What a step has besides its states, from the parameters behind those.
fn step_params(way: &LoopWay, params: &[(NodeId, String)]) -> StepParams {
    let mut params = params.iter().map(|&(param, _)| param);
    match way {
        LoopWay::Steps { .. } => StepParams { counter: params.next(), rows: Vec::new() },
        LoopWay::Rows { arrays, .. } => {
            StepParams { counter: None, rows: params.zip(arrays.iter().map(|it| it.node)).collect() }
        }
    }
}
