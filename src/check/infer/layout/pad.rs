//! Margins around an array: of one value, or of its own elements.
//!
//! Elements in a margin are those at positions that follow from the place alone: before 0 and behind the end an axis
//! goes on by its last element, backwards, or from the other end; or they are computed of the axis. Axes are padded one
//! after the other, so corners are margins of margins.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::{NodeValue, Value};
use crate::check::report;
use crate::diagnostic::Diagnostic;
use crate::ir::{Fault, NodeId};
use crate::ops::Op;
use crate::ops::margins::{self, MarginStatistic};
use crate::promotion::{Class, Refusal};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Elem, Kind, Shape};

/// What an axis goes on by.
#[derive(Clone, Copy)]
enum Margin {
    /// One value.
    Constant,
    /// The element at the end.
    Edge,
    /// Backwards, without the element at the end.
    Reflect,
    /// Backwards, with it.
    Symmetric,
    /// From the other end.
    Wrap,
    /// From a value to the element at the end.
    Ramp,
    /// One number of all elements.
    Statistic(MarginStatistic),
}

const MODES: [Margin; 10] = [
    Margin::Constant,
    Margin::Edge,
    Margin::Reflect,
    Margin::Symmetric,
    Margin::Wrap,
    Margin::Ramp,
    Margin::Statistic(MarginStatistic::Maximum),
    Margin::Statistic(MarginStatistic::Mean),
    Margin::Statistic(MarginStatistic::Median),
    Margin::Statistic(MarginStatistic::Minimum),
];
/// Their words.
const WORDS: &[&str] =
    &["constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "maximum", "mean", "median", "minimum"];

impl Ctx<'_> {
    /// `pad(x, width, mode, value)`
    pub(in crate::check) fn pad(&mut self, op: &'static Op, given: Vec<GivenValue>, span: Span) -> Value {
        self.padded(op, given, span).unwrap_or(Value::Error)
    }

    fn padded(&mut self, op: &'static Op, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let [x, width, mode, value]: [GivenValue; 4] = given.try_into().expect("the row has four parameters");
        let operand = self.array_given(x)?;
        let mode = MODES[self.word_given(&op.params[2], mode, WORDS, span)?];
        if let (Some((_, value_span)), false) = (&value, matches!(mode, Margin::Constant | Margin::Ramp)) {
            self.error(report::pad_value(*value_span));
            return None;
        }
        if matches!(mode, Margin::Statistic(MarginStatistic::Median)) && operand.elem.kind() == Kind::Complex {
            let refusal = Refusal::Unsupported(operand.elem);
            self.report_refusal(refusal, Class::Quantile, "median", std::slice::from_ref(&operand), span);
            return None;
        }
        let (width, width_span) = width?;
        let widths = self.widths(&width, operand.shape.len(), width_span)?;
        let mut node = self.node(&operand)?;
        let fills = self.fills(&operand, self.graph.builder.dtype(node), value)?;
        for (axis, ([before, after], fills)) in widths.into_iter().zip(fills).enumerate() {
            let mut shape: Shape = self.graph.builder.shape(node).clone();
            let old = shape[axis].clone();
            let len = old.add_scaled(&before, 1).and_then(|len| len.add_scaled(&after, 1));
            let Some(len) = len else { return Some(self.report_uncounted(&operand, &[old, before, after], span)) };
            shape[axis] = len;
            if !self.extent_fits(&shape, self.graph.builder.dtype(node), span) {
                return None;
            }
            let none = Dim::Const(0);
            let own = !matches!(mode, Margin::Constant) && (before != none || after != none);
            if own && !self.has_elements(&operand, axis, width_span) {
                return None;
            }
            let mut parts = Vec::with_capacity(3);
            for (is_before, margin) in [(true, Some(&before)), (false, None), (false, Some(&after))] {
                let fill = fills[usize::from(!is_before)];
                match margin {
                    None => parts.push(node),
                    Some(Dim::Const(0)) => {}
                    Some(margin) if own => {
                        parts.push(self.own_margin(mode, (node, fill), axis, (margin, is_before)));
                    }
                    Some(margin) => {
                        shape[axis] = margin.clone();
                        parts.push(self.graph.builder.broadcast(fill, &shape));
                    }
                }
            }
            node = self.graph.builder.concat(&parts, axis);
        }
        Some(Value::Computed(NodeValue { node, elem: operand.elem, origin: operand.origin, arms: None }))
    }

    /// Whether an axis has elements that it can go on by; one whose length the run decides is looked at then.
    fn has_elements(&mut self, operand: &Operand, axis: usize, at: Span) -> bool {
        let len = &operand.shape[axis];
        match len.known() {
            Some(0) => {
                self.error(report::pad_nothing(operand, axis, at));
                false
            }
            Some(_) => true,
            None => {
                let mut e = self.graph.expand();
                let (value, zero) = (e.dim(len), e.integer(DType::I64, 0));
                let none = e.prim(Prim::Eq, &[value, zero]);
                let text = "an axis of length {value} has no elements to make a margin of";
                self.graph.refuse(none, Fault::Refused { text, value }, at);
                true
            }
        }
    }

    /// A margin that is made of the elements of an axis. A slope begins at `fill`.
    fn own_margin(
        &mut self,
        mode: Margin,
        (node, fill): (NodeId, NodeId),
        axis: usize,
        (margin, is_before): (&Dim, bool),
    ) -> NodeId {
        let mut shape: Shape = self.graph.builder.shape(node).clone();
        let old = shape[axis].clone();
        match mode {
            Margin::Statistic(statistic) => {
                shape[axis] = margin.clone();
                let mut e = self.graph.expand();
                let number = margins::statistic(&mut e, node, axis, statistic);
                e.broadcast(number, &shape)
            }
            Margin::Ramp => {
                let at = self.beyond(Margin::Edge, &old, &Dim::Const(1), is_before);
                let edge = self.graph.builder.gather(node, at, axis);
                let mut e = self.graph.expand();
                margins::ramp(&mut e, (edge, fill), axis, (margin, is_before))
            }
            Margin::Constant | Margin::Edge | Margin::Reflect | Margin::Symmetric | Margin::Wrap => {
                let positions = self.beyond(mode, &old, margin, is_before);
                self.graph.builder.gather(node, positions, axis)
            }
        }
    }

    /// Where the elements of a margin are: positions before or behind an axis of some length, brought into it.
    fn beyond(&mut self, mode: Margin, len: &Dim, margin: &Dim, is_before: bool) -> NodeId {
        let places = self.graph.builder.iota(0, vec![margin.clone()]);
        let mut e = self.graph.expand();
        let (n, one, zero) = (e.dim(len), e.integer(DType::I64, 1), e.integer(DType::I64, 0));
        let last = e.sub(n, one);
        let place = match is_before {
            true => {
                let width = e.dim(margin);
                e.sub(places, width)
            }
            false => e.add(places, n),
        };
        let inside = match mode {
            Margin::Constant | Margin::Edge | Margin::Ramp | Margin::Statistic(_) => place,
            Margin::Wrap => e.prim(Prim::Rem, &[place, n]),
            Margin::Reflect | Margin::Symmetric => {
                // There and back again: the way back is counted from the end of the turn.
                let gone = if matches!(mode, Margin::Reflect) { last } else { n };
                let turn = e.add(gone, gone);
                let turn = e.prim(Prim::Max, &[turn, one]);
                let along = e.prim(Prim::Rem, &[place, turn]);
                let start = if matches!(mode, Margin::Reflect) { turn } else { e.sub(turn, one) };
                let back = e.sub(start, along);
                e.prim(Prim::Min, &[along, back])
            }
        };
        // Nothing lies outside of memory, even of an axis without elements.
        let inside = e.prim(Prim::Min, &[inside, last]);
        e.prim(Prim::Max, &[inside, zero])
    }

    /// The values before and after each axis: one, a pair, or a pair for each axis.
    fn fills(&mut self, x: &Operand, dtype: DType, value: GivenValue) -> Option<Vec<[NodeId; 2]>> {
        let rank = x.shape.len();
        let Some((value, span)) = value else {
            let zero = self.graph.builder.constant(Scalar::zero(dtype));
            return Some(vec![[zero, zero]; rank]);
        };
        let one = |ctx: &mut Self, value: &Value| ctx.margin(x, dtype, value.clone(), span);
        self.pairs(&value, (rank, span), one, report::several_margins)
    }

    /// A scalar in the dtype of an operand. Nothing is converted but what is exact.
    fn margin(&mut self, x: &Operand, dtype: DType, value: Value, span: Span) -> Option<NodeId> {
        let fill = self.operand(value, span)?;
        if !fill.shape.is_empty() || !(fill.is_exact() || fill.elem == Elem::Strong(dtype)) {
            self.error(report::fill_differs(&fill, x, dtype));
            return None;
        }
        self.exact(&fill, dtype, Some(x))
    }

    /// Margins before and after each axis: a number, a pair, or a pair for each axis.
    fn widths(&mut self, value: &Value, rank: usize, span: Span) -> Option<Vec<[Dim; 2]>> {
        self.pairs(value, (rank, span), |ctx, value| ctx.width(value, span), report::pad_width)
    }

    /// What stands before and after each axis: one thing, a pair, or a pair for each axis.
    fn pairs<T: Clone>(
        &mut self,
        value: &Value,
        (rank, span): (usize, Span),
        one: impl Fn(&mut Self, &Value) -> Option<T>,
        wrong: fn(usize, Span) -> Diagnostic,
    ) -> Option<Vec<[T; 2]>> {
        let pair = |ctx: &mut Self, value: &Value| -> Option<[T; 2]> {
            let given = if let Value::Tuple(items) = value { &items[..] } else { std::slice::from_ref(value) };
            match given {
                [before, after] => Some([one(ctx, before)?, one(ctx, after)?]),
                [both] => {
                    let both = one(ctx, both)?;
                    Some([both.clone(), both])
                }
                _ => {
                    ctx.error(wrong(rank, span));
                    None
                }
            }
        };
        if let Value::Tuple(items) = value
            && items.iter().any(|item| matches!(item, Value::Tuple(_)))
        {
            if items.len() != rank {
                self.error(wrong(rank, span));
                return None;
            }
            return items.iter().map(|item| pair(self, item)).collect();
        }
        let both = pair(self, value)?;
        Some(vec![both; rank])
    }

    fn width(&mut self, value: &Value, span: Span) -> Option<Dim> {
        if let Value::Dim(dim) = value {
            return Some(dim.clone());
        }
        let width = self.whole(value, span, "a width")?;
        let found = u64::try_from(width).ok().map(Dim::Const);
        if found.is_none() {
            self.error(report::negative_size(width, span));
        }
        found
    }
}
