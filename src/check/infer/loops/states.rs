//! The states that a loop carries. Each state has a beginning, a dtype, a shape, and what comes next.
//!
//! A state keeps its dtype and shape. A weak start takes the dtype that the step gives it: the step is tried with what
//! is known so far ([`super::step`]), and walked for good once that is settled. Where a `while` is an array, states are
//! repeated to its shape.

use super::step::{LoopParts, LoopState, LoopWay, StepWalk, are_open};
use crate::check::infer::Ctx;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::source::Span;
use crate::syntax::ast::LoopExpr;
use crate::types::{DType, Dim, Elem, Kind, shape};

/// The nodes of a state.
pub(super) struct StateNodes {
    pub(super) start: NodeId,
    pub(super) state: NodeId,
    pub(super) next: NodeId,
}

impl Ctx<'_> {
    /// What a loop begins with.
    pub(super) fn starts<'s>(&mut self, it: &'s LoopExpr) -> Option<Vec<LoopState<'s>>> {
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

    /// The states with the dtypes and shapes that the step gives those whose start leaves them open. The answer says,
    /// too, whether a step was tried that gave each state.
    pub(super) fn settled_states<'s>(
        &mut self,
        it: &LoopExpr,
        way: &LoopWay,
        mut states: Vec<LoopState<'s>>,
    ) -> (Vec<LoopState<'s>>, bool) {
        let mut gave_all = false;
        for _ in 0..=states.len() {
            let open = are_open(&states) || it.condition().is_some();
            let Some(tried) = open.then(|| self.tried_step(it, way, &states)).flatten() else { break };
            gave_all = tried.nexts.len() == states.len() && tried.nexts.iter().all(Option::is_some);
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
        (states, gave_all)
    }

    /// The states as nodes: what each begins with, what it is in the step, and what comes next.
    pub(super) fn state_nodes(
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
                self.convert_silently(node, dtype, state.start.span)
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
        self.enter(state.start.origin, &next);
        let node = self.bring(Class::Selection, &next, dtype, Some(&state.start))?;
        Some(self.graph.builder.broadcast(node, &state.shape))
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
