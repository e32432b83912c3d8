//! Loops: what `repeat` and `scan` go through, what they carry, and what comes of it.
//!
//! A state keeps its dtype and shape. A weak start takes the dtype that the step gives it: the step is tried with what
//! is known so far ([`super::step`]), and walked for good once that is settled. Where a `while` is an array, states are
//! repeated to its shape, and elements that are done keep what they have.

use super::Ctx;
use super::facts::Subject;
use super::step::{LoopParts, LoopState, LoopWay, RowSource, StepWalk, are_open};
use super::value::Value;
use crate::check::report;
use crate::ir::loops::{OpenLoop, stacked};
use crate::ir::{Fold, NodeId, NodeKind, loops};
use crate::ops::expand::Expand;
use crate::promotion::Class;
use crate::range::Interval;
use crate::range::loops::Carried;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::syntax::ast::{ExprId, LoopExpr, Name, Over};
use crate::types::{DType, Dim, Elem, Kind, Shape, shape};
use std::collections::HashSet;

/// A key that is made of more nodes is not looked into.
const FEW: usize = 10_000;

/// The nodes of a state.
struct StateNodes {
    start: NodeId,
    state: NodeId,
    next: NodeId,
}

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
        let states = self.settled_states(it, &way, starts);
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

    /// What a loop goes through.
    fn way<'s>(&mut self, it: &'s LoopExpr) -> Option<LoopWay<'s>> {
        match &it.over {
            Over::Steps { count, counter, .. } => {
                let count = self.count(*count)?;
                Some(LoopWay::Steps { count, counter: counter.as_ref() })
            }
            Over::Rows { arrays, axis, reverse } => self.scanned_arrays(arrays, *axis, reverse.is_some()),
        }
    }

    /// The most steps that a loop takes.
    fn steps(&mut self, way: &LoopWay) -> Option<u64> {
        match way {
            LoopWay::Steps { count, .. } => {
                let range = self.graph.ranges.of(self.graph.builder.program(), *count);
                let Interval::Integer { high, .. } = range.interval else { return None };
                u64::try_from(high.max(0)).ok().filter(|_| range.high_stated)
            }
            LoopWay::Rows { len, .. } => len.known(),
        }
    }

    /// How often: an integer, as an `i64`.
    fn count(&mut self, id: ExprId) -> Option<NodeId> {
        let at = self.frame.script.expr(id).span;
        let value = self.infer(id);
        let count = self.operand(value, at)?;
        if !count.shape.is_empty() || !count.elem.kind().is_integer() {
            let text = self.text(at).to_owned();
            self.error(report::not_a_count(&count, &text));
            return None;
        }
        if count.is_exact() {
            return self.exact(&count, DType::I64, None);
        }
        let node = self.node(&count)?;
        Some(self.as_long(node))
    }

    /// The arrays of a scan.
    fn scanned_arrays<'s>(
        &mut self,
        arrays: &'s [(Name, ExprId)],
        axis: Option<ExprId>,
        reverse: bool,
    ) -> Option<LoopWay<'s>> {
        let mut found: Vec<RowSource> = Vec::with_capacity(arrays.len());
        let mut broken = arrays.is_empty();
        for (name, id) in arrays {
            let at = self.frame.script.expr(*id).span;
            let value = self.infer(*id);
            let array = self.operand(value, at);
            let node = array.as_ref().and_then(|array| self.node(array));
            match (array, node) {
                (Some(array), Some(node)) => found.push(RowSource { name, array, node }),
                _ => broken = true,
            }
        }
        let axis = match axis {
            Some(id) => {
                let at = self.frame.script.expr(id).span;
                let value = self.infer(id);
                match self.form(&value).and_then(|form| form.known()) {
                    Some(axis) => Some((axis, at)),
                    None if matches!(value, Value::Error) => return None,
                    None => {
                        self.error(report::open_scan_axis(at));
                        return None;
                    }
                }
            }
            None => None,
        };
        if broken {
            return None;
        }
        let first = &found[0].array;
        let rank = first.shape.len() as i64;
        let (asked, at) = axis.unwrap_or((0, first.span));
        if !(-rank..rank).contains(&asked) {
            self.error(report::no_scan_axis(asked, first, at));
            return None;
        }
        let axis = asked.rem_euclid(rank) as usize;
        let len = first.shape[axis].clone();
        if let Some(other) = found.iter().find(|it| it.array.shape.get(axis) != Some(&len)) {
            let diagnostic = report::scans_differ(&found[0].array, &other.array, axis);
            let dims: Vec<Dim> = [&found[0].array.shape, &other.array.shape].into_iter().flatten().cloned().collect();
            let diagnostic = self.with_names(diagnostic, &dims);
            self.error(diagnostic);
            return None;
        }
        Some(LoopWay::Rows { arrays: found, axis, len, reverse })
    }

    /// What a loop begins with.
    fn starts<'s>(&mut self, it: &'s LoopExpr) -> Option<Vec<LoopState<'s>>> {
        let mut states: Vec<LoopState> = Vec::with_capacity(it.state.len());
        let mut broken = false;
        for (name, id) in &it.state {
            let at = self.place(*id);
            let value = self.infer_open(*id);
            if let Some(other) = states.iter().find(|state| state.name.text == name.text) {
                self.error(report::state_twice(&name.text, other.name.span, name.span));
                broken = true;
            } else if !self.bindable(name) {
                broken = true;
            }
            match self.operand(value, at) {
                Some(start) => {
                    let (elem, shape) = (start.elem, start.shape.clone());
                    states.push(LoopState { name, start, elem, shape });
                }
                None => broken = true,
            }
        }
        (!broken).then_some(states)
    }

    /// The states with the dtypes and shapes that the step gives those whose start leaves them open.
    fn settled_states<'s>(
        &mut self,
        it: &LoopExpr,
        way: &LoopWay,
        mut states: Vec<LoopState<'s>>,
    ) -> Vec<LoopState<'s>> {
        for _ in 0..=states.len() {
            let open = are_open(&states) || it.condition().is_some();
            let Some(tried) = open.then(|| self.tried_step(it, way, &states)).flatten() else { break };
            let mut changed = false;
            for (state, next) in states.iter_mut().zip(tried.nexts) {
                let Some((elem, shape)) = next.filter(|_| state.start.elem.is_weak()) else { continue };
                let met = met(state.elem, elem);
                changed |= met != state.elem;
                state.elem = met;
                if state.start.constant().is_some() && state.shape.is_empty() && !shape.is_empty() {
                    changed = true;
                    state.shape = shape;
                }
            }
            for state in &mut states {
                let both = shape::broadcast(&state.shape, &tried.condition).unwrap_or_else(|_| state.shape.clone());
                changed |= both != state.shape;
                state.shape = both;
            }
            if !changed {
                break;
            }
        }
        for state in &mut states {
            state.elem = self.settings.harden(state.elem).into();
        }
        states
    }

    /// The states as nodes: what each begins with, what it is in the step, and what comes next.
    fn state_nodes(
        &mut self,
        it: &LoopExpr,
        way: &LoopWay,
        states: &[LoopState],
        walk: &StepWalk,
    ) -> Option<Vec<StateNodes>> {
        let mut nodes = Vec::with_capacity(states.len());
        if walk.gives.len() < states.len() {
            return None;
        }
        for ((state, &(param, _)), (value, at)) in states.iter().zip(&walk.params).zip(&walk.gives) {
            let start = self.start_node(state);
            let next = self.next_node(LoopParts { it, way, states }, state, param, (value.clone(), *at));
            if let (Some(start), Some(next)) = (start, next) {
                nodes.push(StateNodes { start, state: param, next });
            }
        }
        (nodes.len() == states.len()).then_some(nodes)
    }

    /// What a state begins with, in the dtype and shape that it has.
    fn start_node(&mut self, state: &LoopState) -> Option<NodeId> {
        let dtype = self.settings.harden(state.elem);
        let node = match state.start.is_exact() {
            true => self.exact(&state.start, dtype, None)?,
            false => {
                let node = self.node(&state.start)?;
                self.converted(node, dtype, state.start.span)
            }
        };
        if shape::broadcast(&state.start.shape, &state.shape).as_ref() != Ok(&state.shape) {
            return None;
        }
        Some(self.graph.builder.broadcast(node, &state.shape))
    }

    /// What comes next, if the state keeps its dtype and shape.
    fn next_node(
        &mut self,
        parts: LoopParts,
        state: &LoopState,
        param: NodeId,
        (value, at): (Value, Span),
    ) -> Option<NodeId> {
        let next = self.operand(value, at)?;
        let dtype = self.settings.harden(state.elem);
        let is_wider = kind_weight(next.elem.kind()) > kind_weight(dtype.kind()) && !next.is_exact();
        if !next.elem.is_weak() && next.elem != Elem::Strong(dtype) || is_wider {
            // The number could not be what holds the values before it knew of the other states.
            let is_open = state.start.elem.is_weak() && state.start.is_exact() && is_wider;
            let (text, begun) = (self.text(at), self.text(state.start.span));
            let wider = is_open.then(|| format!("{}({begun})", self.settings.harden(next.elem)));
            self.error(report::state_dtype(&state.name.text, dtype, &state.start, (&next, text), wider));
            return None;
        }
        // A number stands for as many as the state has. Where elements are done one by one, the state was made as
        // large.
        let repeats = next.is_exact() || next.shape == state.start.shape;
        let fits = shape::broadcast(&next.shape, &state.shape).as_ref() == Ok(&state.shape);
        if !fits || next.shape != state.shape && !repeats {
            // What the step counts comes after its parameters.
            let program = self.graph.builder.program();
            let counted = program.lengths_of(&next.shape).any(|length| length.node.index() > param.index());
            let text = self.text(state.start.span);
            // A shape that grows with that of the state would grow again.
            let grows = next.shape.len() > state.start.shape.len() && !self.keeps_shape(parts, state, &next.shape);
            let start = (&state.start, text);
            let diagnostic = report::state_shape(&state.name.text, &state.shape, start, &next, (counted, grows));
            let dims: Vec<Dim> = state.shape.iter().chain(&next.shape).cloned().collect();
            let diagnostic = self.with_names(diagnostic, &dims);
            self.error(diagnostic);
            return None;
        }
        let node = self.bring(Class::Selection, &next, dtype, Some(&state.start))?;
        Some(self.graph.builder.broadcast(node, &state.shape))
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
        let carry = |it: &StateNodes| Carried { start: it.start, state: it.state, next: it.next, steps, condition };
        let carried: Vec<Carried> = nodes.iter().map(carry).collect();
        let counter = matches!(way, LoopWay::Steps { .. }).then(|| params[states.len()].0);
        self.graph.ranges.carry(self.graph.builder.program(), &carried, counter);
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
        let made = short.unwrap_or_else(|| self.graph.builder.looped(open, &results));
        for (at, (&node, (like, _))) in made.iter().zip(&results).enumerate().filter(|_| is_loop) {
            // A step reads what the one before has made; nobody reads what the last one makes, and that is the result.
            let (program, ranges) = (self.graph.builder.program(), &mut self.graph.ranges);
            let is_state = over == loops::LoopOver::Steps;
            let range = if is_state { ranges.after(program, &carried[at]) } else { ranges.of(program, *like) };
            ranges.declare(node, range);
        }
        let origin = |at: usize| states.get(at).map_or(span, |state| state.start.origin);
        let result = |(at, &node): (usize, &NodeId)| {
            let dtype = self.graph.builder.dtype(node);
            self.computed(node, dtype.into(), origin(at))
        };
        let values: Vec<Value> = made[..shown].iter().enumerate().map(result).collect();
        Some(match <[Value; 1]>::try_from(values) {
            Ok([value]) => value,
            Err(values) => Value::Tuple(values.into()),
        })
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
                if seen.len() > FEW {
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
        let mut e = Expand(&mut self.graph.builder);
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
            let shape = stacked(&row.shape, axis, len.clone());
            let dtype = self.graph.builder.dtype(node);
            self.extent_fits(&shape, dtype, *at).then_some(())?;
            found.push((node, shape));
        }
        Some(found)
    }
}

/// What a state is that began without a dtype, where a step gives the next one: what it was, or what holds more.
fn met(state: Elem, next: Elem) -> Elem {
    let holds = |dtype: DType| (kind_weight(dtype.kind()), dtype.bits());
    let stays = match (state.strong(), next.strong()) {
        (None, None) => weight(next) <= weight(state),
        (None, Some(_)) => false,
        (Some(_), None) => true,
        (Some(own), Some(next)) => holds(next) <= holds(own),
    };
    if stays { state } else { next }
}

/// The order of weak types: an integer becomes a float, never the other way round.
fn weight(elem: Elem) -> u8 {
    match elem {
        Elem::WeakInt => 0,
        Elem::WeakFloat => 1,
        Elem::Strong(_) | Elem::WeakComplex => 2,
    }
}

/// Which kinds hold the values of which.
fn kind_weight(kind: Kind) -> u8 {
    match kind {
        Kind::Bool => 0,
        Kind::Unsigned | Kind::Signed => 1,
        Kind::Float => 2,
        Kind::Complex => 3,
    }
}
