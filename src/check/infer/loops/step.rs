//! One step of a loop, walked with parameters in place of what it carries.
//!
//! The nodes of a step lie among those of the program until the program is complete. A step may be tried first: then
//! what was found is forgotten, and nothing uses its nodes.

use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::NodeId;
use crate::range::{Interval, Range};
use crate::source::Span;
use crate::syntax::ast::{ExprKind, LoopExpr, Name};
use crate::types::{DType, Dim, Elem, Shape, shape};

/// A state of a loop.
#[derive(Clone)]
pub(in crate::check) struct LoopState<'s> {
    pub(in crate::check) name: &'s Name,
    pub(in crate::check) start: Operand,
    pub(in crate::check) elem: Elem,
    pub(in crate::check) shape: Shape,
}

/// What a loop goes through.
pub(in crate::check) enum LoopWay<'s> {
    /// `count` steps; the count is an `i64`.
    Steps { count: NodeId, counter: Option<&'s Name> },
    /// The rows of arrays.
    Rows { arrays: Vec<RowSource<'s>>, axis: usize, len: Dim, reverse: bool },
}

/// An array whose rows a loop goes through.
pub(in crate::check) struct RowSource<'s> {
    pub(in crate::check) name: &'s Name,
    pub(in crate::check) array: Operand,
    pub(in crate::check) node: NodeId,
}

/// A loop, what it goes through, and its states.
#[derive(Clone, Copy)]
pub(in crate::check) struct LoopParts<'p, 's> {
    pub(in crate::check) it: &'p LoopExpr,
    pub(in crate::check) way: &'p LoopWay<'s>,
    pub(in crate::check) states: &'p [LoopState<'s>],
}

/// A step that was walked.
pub(in crate::check) struct StepWalk {
    /// The states, then the counter or the rows.
    pub(in crate::check) params: Vec<(NodeId, String)>,
    /// What must hold before a step.
    pub(in crate::check) condition: Option<NodeId>,
    /// How many nodes there were when it was complete.
    pub(in crate::check) condition_end: usize,
    /// The next states, then the rows of results.
    pub(in crate::check) gives: Vec<(Value, Span)>,
}

/// What a step that was tried says of states.
pub(in crate::check) struct TriedStep {
    /// The next states. `None` stands for what is wrong.
    pub(in crate::check) nexts: Vec<Option<(Elem, Shape)>>,
    /// The shape of the condition.
    pub(in crate::check) condition: Shape,
}

impl Ctx<'_> {
    /// Walks the step of a loop, and forgets what was found. No level of a finding refuses anything in it: what the
    /// states become does not depend on the mode.
    pub(in crate::check) fn tried_step(
        &mut self,
        it: &LoopExpr,
        way: &LoopWay,
        states: &[LoopState],
    ) -> Option<TriedStep> {
        let noted = self.graph.builder.note_counts();
        let (facts, tree, found) = (self.typed.facts.len(), self.typed.record.mark(), self.findings.mark());
        let (dims, disproved) = (self.frame.dims.clone(), self.frame.assertions.disproved.clone());
        let memo = std::mem::take(&mut self.calls.memo);
        let reported = *self.calls.depth.is_reported();
        let stored = self.frame.stored_in_step.len();
        let refused_nothing = self.settings.levels.refuse_nothing(true);
        self.graph.enter();
        self.calls.depth.enter_trial();
        let tried = self.step(it, way, states).map(|walk| {
            let condition = walk.condition.map(|node| self.graph.builder.shape(node).clone()).unwrap_or_default();
            let next =
                |ctx: &mut Self, (value, at): (Value, Span)| ctx.operand(value, at).map(|next| (next.elem, next.shape));
            let nexts = walk.gives.into_iter().take(states.len()).map(|given| next(self, given)).collect();
            TriedStep { nexts, condition }
        });
        self.calls.depth.leave_trial();
        self.settings.levels.refuse_nothing(refused_nothing);
        *self.calls.depth.is_reported() = reported;
        self.calls.memo = memo;
        self.frame.dims = dims;
        self.frame.assertions.disproved = disproved;
        self.frame.stored_in_step.truncate(stored);
        self.findings.back_to(found);
        self.typed.record.back_to(tree);
        self.typed.facts.truncate(facts);
        if self.graph.leave() {
            self.calls.restored.clear();
        }
        self.graph.builder.forget_since(noted);
        // What was said of files that are not there is forgotten.
        self.graph.loads.retain(|_, node| node.is_some());
        tried
    }

    /// Whether a state would keep a shape if it began with it.
    pub(in crate::check) fn keeps_shape(
        &mut self,
        LoopParts { it, way, states }: LoopParts,
        state: &LoopState,
        shape: &Shape,
    ) -> bool {
        let Some(nth) = states.iter().position(|own| own.name.text == state.name.text) else { return false };
        let mut larger = states.to_vec();
        larger[nth].shape.clone_from(shape);
        let tried = self.tried_step(it, way, &larger);
        let next = tried.and_then(|tried| tried.nexts.into_iter().nth(nth).flatten());
        next.is_some_and(|(_, next)| next == *shape)
    }

    /// Walks the step of a loop.
    pub(in crate::check) fn step(&mut self, it: &LoopExpr, way: &LoopWay, states: &[LoopState]) -> Option<StepWalk> {
        self.frame.scope.enter_step(self.request.usage.defines);
        self.calls.depth.enter_loop(self.graph.len());
        let walk = self.walked_step(it, way, states);
        self.calls.depth.leave_loop();
        self.frame.scope.leave_step();
        walk
    }

    fn walked_step(&mut self, it: &LoopExpr, way: &LoopWay, states: &[LoopState]) -> Option<StepWalk> {
        let mut params = Vec::new();
        for state in states {
            let param = self.graph.builder.param(self.settings.harden(state.elem), state.shape.clone());
            params.push((param, state.name.text.clone()));
        }
        self.own_params(way, &mut params);
        for (state, &(param, _)) in states.iter().zip(&params) {
            let value = self.computed_value(param, state.elem, state.start.origin);
            self.frame.scope.define(&state.name.text, value, state.name.span);
        }
        let condition = match it.condition() {
            Some(id) => {
                let at = self.place(id);
                let value = self.infer(id);
                let operand = self.operand(value, at)?;
                if operand.elem != Elem::Strong(DType::Bool) {
                    let text = self.text(at).to_owned();
                    self.error(report::not_a_loop_condition(&operand, &text));
                    return None;
                }
                Some(self.node(&operand)?)
            }
            None => None,
        };
        let condition_end = self.graph.len();
        let (value, at) = self.block(&it.body, false);
        let gives = self.given_by_step(it, value, at, states.len(), matches!(way, LoopWay::Rows { .. }))?;
        Some(StepWalk { params, condition, condition_end, gives })
    }

    /// Whether each state has an element for each of a condition that is an array; where one has not, that is reported.
    pub(in crate::check) fn mask_fits(&mut self, it: &LoopExpr, states: &[LoopState], walk: &StepWalk) -> bool {
        let Some((mask, id)) = walk.condition.zip(it.condition()) else { return true };
        let mask = self.graph.builder.shape(mask).clone();
        let fits = |state: &LoopState| shape::broadcast(&state.shape, &mask).as_ref() == Ok(&state.shape);
        let Some(state) = states.iter().find(|&state| !fits(state)) else { return true };
        let diagnostic = report::unfit_mask(&state.name.text, &state.shape, state.start.span, &mask, self.place(id));
        let diagnostic = self.with_names(diagnostic, state.shape.iter().chain(&mask));
        self.error(diagnostic);
        false
    }

    /// The counter, or the rows, as parameters with their names.
    fn own_params(&mut self, way: &LoopWay, params: &mut Vec<(NodeId, String)>) {
        match way {
            LoopWay::Steps { count, counter } => {
                let param = self.graph.builder.param(DType::I64, Shape::new());
                let range = self.graph.ranges.of(self.graph.builder.program(), *count);
                if let Interval::Integer { high, .. } = range.interval {
                    let interval = Interval::Integer { low: 0, high: high.max(1) - 1 };
                    let counted = Range { interval, low_stated: true, high_stated: range.high_stated, ..range };
                    self.graph.ranges.declare(param, counted);
                }
                self.graph.steps.add_counter(param, *count);
                params.push((param, counter.map_or_else(String::new, |name| name.text.clone())));
                if let Some(name) = counter {
                    // As the counter of a loop in Python it is an integer of no width.
                    let node = self.graph.builder.convert(param, self.settings.harden(Elem::WeakInt));
                    let value = self.computed_value(node, Elem::WeakInt, name.span);
                    self.frame.scope.define(&name.text, value, name.span);
                }
            }
            LoopWay::Rows { arrays, axis, .. } => {
                for it in arrays {
                    let mut shape = it.array.shape.clone();
                    shape.remove(*axis);
                    let dtype = self.graph.builder.dtype(it.node);
                    let param = self.graph.builder.param(dtype, shape);
                    let range = self.graph.ranges.of(self.graph.builder.program(), it.node);
                    self.graph.ranges.declare(param, range);
                    params.push((param, it.name.text.clone()));
                    let value = self.computed_value(param, it.array.elem, it.array.origin);
                    self.frame.scope.define(&it.name.text, value, it.name.span);
                }
            }
        }
    }

    /// What the body gives, each with its place: the next states, and in a scan at least one row.
    fn given_by_step(
        &mut self,
        it: &LoopExpr,
        value: Value,
        at: Span,
        states: usize,
        rows: bool,
    ) -> Option<Vec<(Value, Span)>> {
        let places = |ctx: &Self, at: Span, value: &[Value], written: Option<crate::syntax::ast::ExprId>| {
            let items = written.map(|id| {
                let ExprKind::Tuple(items) = &ctx.frame.script.expr(id).kind else { return Vec::new() };
                items.iter().map(|&item| ctx.place(item)).collect()
            });
            let items: Vec<Span> = items.filter(|items| items.len() == value.len()).unwrap_or_default();
            (0..value.len()).map(|nth| items.get(nth).copied().unwrap_or(at)).collect::<Vec<Span>>()
        };
        if matches!(value, Value::Error) {
            return None;
        }
        let flat = if let Value::Tuple(items) = value {
            let at = places(self, at, &items, it.body.result);
            items.iter().cloned().zip(at).collect::<Vec<_>>()
        } else {
            vec![(value, at)]
        };
        // `((a, b), y)`: the states as one.
        let flat = match flat.first() {
            Some((Value::Tuple(nested), at)) if rows && nested.len() == states => {
                let nested = nested.iter().map(|item| (item.clone(), *at));
                nested.chain(flat[1..].iter().cloned()).collect()
            }
            _ => flat,
        };
        let fits = if rows { flat.len() > states } else { flat.len() == states };
        if !fits {
            let names: Vec<&str> = it.state.iter().map(|(name, _)| name.text.as_str()).collect();
            self.error(report::step_gives(&names, flat.len(), rows, at));
            return None;
        }
        if flat.iter().any(|(value, _)| matches!(value, Value::Error)) {
            return None;
        }
        Some(flat)
    }
}

/// Whether the body may still decide what states are: one of them has no dtype, or, as what one became may change the
/// others, those that began without one differ.
pub(in crate::check) fn are_open(states: &[LoopState]) -> bool {
    let mut begun = states.iter().filter(|state| state.start.elem.is_weak());
    let first = begun.next();
    let differs = |it: &LoopState| first.is_some_and(|first| (it.elem, &it.shape) != (first.elem, &first.shape));
    begun.any(differs) || states.iter().any(|state| state.elem.is_weak())
}
