//! Calls that combine elements along axes: reductions and scans.

use super::masked::AfterReduction;
use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::facts::{FoldedAxes, Subject};
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::{NodeValue, Value};
use crate::check::report;
use crate::ir::{Fold, NodeId, View};
use crate::ops::expand::Expand;
use crate::ops::{Form, Op, Reduce, Role};
use crate::promotion::{Class, Decision};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, shape};

/// What the arguments of a reduction or a scan say.
struct AxisArguments {
    operand: Operand,
    /// `None` for all axes.
    axes: Option<Vec<usize>>,
    keep: bool,
    /// With its place when it was given.
    freedom: (f64, Option<Span>),
}

impl Ctx<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other parameter is the operand")]
    fn along(&mut self, op: &'static Op, given: Vec<GivenValue>) -> Option<AxisArguments> {
        let (mut operand, mut axes, mut keep, mut freedom) = (None, None, false, (0.0, None));
        for (param, given) in op.params.iter().zip(given) {
            let Some((value, value_span)) = given else { continue };
            match param.role {
                Role::Axes => axes = self.axes_given(value, value_span)?.map(|list| (list, value_span)),
                Role::Axis => axes = self.axis_given(op, value, value_span)?.map(|list| (list, value_span)),
                Role::Flag | Role::Keep => keep = self.flag(param, value, value_span)?,
                Role::Freedom => {
                    let number = self.number_given(param, Some((value, value_span)))?;
                    if !(number >= 0.0 && number.is_finite()) {
                        self.error(report::negative_freedom(param, value_span));
                        return None;
                    }
                    freedom = (number, Some(value_span));
                }
                _ => operand = Some(self.operand(value, value_span)?),
            }
        }
        let operand = operand?;
        let axes = match axes {
            None => None,
            Some((list, axes_span)) => Some(self.resolve_axes(&operand, &list, axes_span)?),
        };
        Some(AxisArguments { operand, axes, keep, freedom })
    }

    pub(in crate::check) fn call_reduction(
        &mut self,
        op: &'static Op,
        mut given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        let after = match self.before_reduction(op, &mut given, span, at) {
            Ok(after) => after,
            Err(value) => return value,
        };
        let result = self.reduced(op, given, &after, span, at);
        self.after_reduction(op, after, result, span, at)
    }

    /// A reduction of what is left of its arguments.
    fn reduced(
        &mut self,
        op: &'static Op,
        given: Vec<GivenValue>,
        after: &AfterReduction,
        span: Span,
        at: Span,
    ) -> Value {
        let Some(AxisArguments { mut operand, axes, keep, freedom }) = self.along(op, given) else {
            return Value::Error;
        };
        let initial = after.initial.as_ref();
        let axes = axes.unwrap_or_else(|| (0..operand.shape.len()).collect());
        if let Some(&axis) = axes.iter().find(|&&axis| operand.shape[axis] == Dim::Const(0))
            && matches!(op.class, Class::Reduction | Class::ArgIndex)
        {
            let Some(initial) = initial else { return self.error(report::empty_reduction(op, axis, &operand, at)) };
            let Some(alone) = self.initial_alone(&operand, &axes, initial) else { return Value::Error };
            operand = alone;
        }
        if matches!(op.class, Class::Reduction | Class::ArgIndex) {
            match initial {
                Some(initial) => match self.behind(&operand, &axes, initial) {
                    Some(more) => operand = more,
                    None => return Value::Error,
                },
                None => self.refuse_nothing(op, &operand, &axes, at),
            }
        }
        let (freedom, freedom_span) = freedom;
        let reduced: Vec<Dim> = axes.iter().map(|&axis| operand.shape[axis].clone()).collect();
        if let (Some(freedom_span), Some(sizes)) = (freedom_span, shape::sizes(&reduced)) {
            let count: f64 = sizes.iter().map(|&size| size as f64).product();
            if count > 0.0 && freedom >= count {
                return self.error(report::no_freedom(op, freedom, count, &operand, freedom_span));
            }
        }
        self.reduce(op, &operand, &Reduce { axes, keep, freedom }, (after.dtype, span), at)
    }

    /// A reduction, of which a dtype was asked or not.
    fn reduce(
        &mut self,
        op: &'static Op,
        operand: &Operand,
        over: &Reduce,
        (asked, span): (Option<(DType, Span)>, Span),
        at: Span,
    ) -> Value {
        let Form::Fold(fold) = op.form else { unreachable!("only reductions are reduced") };
        let Some((decision, node)) = self.in_accumulator(op, operand, at) else { return Value::Error };
        let (own, axes) = (operand.clone(), over.axes.clone());
        self.found(Subject::Folded(FoldedAxes { op, operand: own, node, axes, decision, asked, at }));
        let before = self.graph.builder.program().nodes.len();
        let node = self.graph.build_guarded(self.settings.checked, |builder| {
            let mut e = Expand(builder);
            let arg = e.widen(node);
            fold(&mut e, arg, over)
        });
        self.made_inside((op, op.shown()), std::slice::from_ref(operand), node, before, (span, at));
        self.made(node, decision, span, None)
    }

    /// An operand with what a reduction starts with behind it, along each axis that may have no elements: then there is
    /// something to reduce.
    fn behind(&mut self, operand: &Operand, axes: &[usize], initial: &(Value, Span)) -> Option<Operand> {
        let mut operand = operand.clone();
        for &axis in axes {
            if operand.shape[axis].is_at_least(1) {
                continue;
            }
            let last = self.initial_alone(&operand, &[axis], initial)?;
            let [all, last] = [self.node(&operand)?, self.node(&last)?];
            let mut e = self.graph.expand();
            let all = e.convert(all, e.dtype(last));
            let node = e.0.concat(&[all, last], axis);
            let elem = if operand.elem.is_weak() { e.dtype(node).into() } else { operand.elem };
            let more = NodeValue { node, elem, origin: operand.origin, arms: None };
            operand = self.operand(Value::Computed(more), initial.1)?;
        }
        Some(operand)
    }

    /// What only data counts may be nothing, and an extreme of nothing is an error of the run.
    pub(in crate::check::infer) fn refuse_nothing(
        &mut self,
        op: &'static Op,
        operand: &Operand,
        axes: &[usize],
        at: Span,
    ) {
        for &axis in axes {
            let dim = &operand.shape[axis];
            let Some(node) = self.graph.builder.length_of(dim).map(|it| it.node) else { continue };
            let mut e = self.graph.expand();
            let zero = e.whole(0);
            let nothing = e.prim(Prim::Eq, &[node, zero]);
            let fault = crate::ir::Fault::Nothing { function: op.name, axis: axis as u32 };
            self.graph.refuse(nothing, fault, at);
        }
    }

    /// The operand in the dtype that its elements are combined in. Integers are averaged in `f64`, which holds their
    /// sums exactly, also where a system makes `f32` of the average.
    pub(super) fn in_accumulator(
        &mut self,
        op: &'static Op,
        operand: &Operand,
        at: Span,
    ) -> Option<(Decision, NodeId)> {
        let (decision, nodes) = self.meet_for(op, std::slice::from_ref(operand), at)?;
        let integer = !operand.elem.kind().is_inexact();
        let narrow = self.graph.builder.dtype(nodes[0]) != DType::F64;
        let node = if integer && narrow && matches!(op.class, Class::Mean | Class::Variance | Class::Quantile) {
            let node = self.exact(operand, DType::F64, None)?;
            self.graph.expand().convert(node, DType::F64)
        } else {
            nodes[0]
        };
        Some((decision, node))
    }

    pub(in crate::check) fn call_scan(
        &mut self,
        op: &'static Op,
        fold: Fold,
        mut given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        let after = match self.before_reduction(op, &mut given, span, at) {
            Ok(after) => after,
            Err(value) => return value,
        };
        let result = self.scanned(op, fold, given, (after.dtype, span), at);
        self.after_reduction(op, after, result, span, at)
    }

    /// A scan of what is left of its arguments. What is kept of a scan is its first value, before any element.
    fn scanned(
        &mut self,
        op: &'static Op,
        fold: Fold,
        given: Vec<GivenValue>,
        (asked, span): (Option<(DType, Span)>, Span),
        at: Span,
    ) -> Value {
        let Some(AxisArguments { operand, axes, keep, .. }) = self.along(op, given) else { return Value::Error };
        let Some((decision, nodes)) = self.meet_for(op, std::slice::from_ref(&operand), at) else {
            return Value::Error;
        };
        let mut node = nodes[0];
        let axis = match axes {
            Some(axes) => axes[0],
            None if operand.shape.len() == 1 => 0,
            None => {
                let Some(count) = Self::element_count(&operand.shape) else {
                    return self.error(report::axis_needed(op, &operand, at));
                };
                node = self.graph.builder.view(node, View::Reshape, vec![count]);
                0
            }
        };
        self.found(Subject::Folded(FoldedAxes { op, operand, node, axes: vec![axis], decision, asked, at }));
        let before = self.graph.builder.program().nodes.len();
        let mut node = self.graph.builder.scan(fold, node, axis);
        self.may_wrap(before, op.shown(), at);
        if keep {
            let mut e = self.graph.expand();
            let first = e.of(e.dtype(node), if fold == Fold::Prod { 1.0 } else { 0.0 });
            let mut shape = e.shape(node);
            shape[axis] = Dim::Const(1);
            let first = e.broadcast(first, &shape);
            node = self.graph.builder.concat(&[first, node], axis);
        }
        self.made(node, decision, span, None)
    }
}
