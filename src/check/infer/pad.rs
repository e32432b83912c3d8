//! Margins around an array: of one value, or of its own elements.
//!
//! Elements in a margin are those at positions that follow from the place alone: before 0 and behind the end an axis
//! goes on by its last element, backwards, or from the other end. Axes are padded one after the other, so corners are
//! margins of margins.

use super::Ctx;
use super::arguments::Given;
use super::operand::Operand;
use super::value::{Computed, Value};
use crate::check::report;
use crate::ir::{Fault, NodeId};
use crate::ops::Op;
use crate::ops::expand::Expand;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Elem, Shape};

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
}

const MODES: [Margin; 5] = [Margin::Constant, Margin::Edge, Margin::Reflect, Margin::Symmetric, Margin::Wrap];
/// Their words.
const WORDS: &[&str] = &["constant", "edge", "reflect", "symmetric", "wrap"];

impl Ctx<'_> {
    /// `pad(x, width, mode, value)`
    pub(in crate::check) fn pad(&mut self, op: &'static Op, given: Vec<Given>, span: Span) -> Value {
        self.padded(op, given, span).unwrap_or(Value::Error)
    }

    fn padded(&mut self, op: &'static Op, given: Vec<Given>, span: Span) -> Option<Value> {
        let [x, width, mode, value]: [Given; 4] = given.try_into().expect("the row has four parameters");
        let operand = self.array_given(x)?;
        let mode = MODES[self.word_given(&op.params[2], mode, WORDS, span)?];
        if let (Some((_, value_span)), false) = (&value, matches!(mode, Margin::Constant)) {
            self.error(report::pad_value(*value_span));
            return None;
        }
        let (width, width_span) = width?;
        let widths = self.widths(&width, operand.shape.len(), width_span)?;
        let mut node = self.node(&operand)?;
        let fill = self.margin(&operand, self.graph.builder.dtype(node), value)?;
        for (axis, (before, after)) in widths.into_iter().enumerate() {
            let mut shape: Shape = self.graph.builder.shape(node).clone();
            let old = shape[axis].clone();
            let len = old.add_scaled(&before, 1).and_then(|len| len.add_scaled(&after, 1));
            let Some(len) = len else { return Some(self.uncounted(&operand, &[old, before, after], span)) };
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
                match margin {
                    None => parts.push(node),
                    Some(Dim::Const(0)) => {}
                    Some(margin) if own => {
                        let positions = self.beyond(mode, &old, margin, is_before);
                        parts.push(self.graph.builder.gather(node, positions, axis));
                    }
                    Some(margin) => {
                        shape[axis] = margin.clone();
                        parts.push(self.graph.builder.broadcast(fill, &shape));
                    }
                }
            }
            node = self.graph.builder.concat(&parts, axis);
        }
        Some(Value::Computed(Computed { node, elem: operand.elem, origin: operand.origin, arms: None }))
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
                let mut e = Expand(&mut self.graph.builder);
                let (value, zero) = (e.dim(len), e.integer(DType::I64, 0));
                let none = e.prim(Prim::Eq, &[value, zero]);
                let text = "an axis of length {value} has no elements to make a margin of";
                self.graph.refuse(none, Fault::Refused { text, value }, at);
                true
            }
        }
    }

    /// Where the elements of a margin are: positions before or behind an axis of some length, brought into it.
    fn beyond(&mut self, mode: Margin, len: &Dim, margin: &Dim, is_before: bool) -> NodeId {
        let places = self.graph.builder.iota(0, vec![margin.clone()]);
        let mut e = Expand(&mut self.graph.builder);
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
            Margin::Constant | Margin::Edge => place,
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

    /// A scalar in the dtype of an operand; nothing is converted but what is exact.
    fn margin(&mut self, x: &Operand, dtype: DType, value: Given) -> Option<NodeId> {
        let Some((value, span)) = value else { return Some(self.graph.builder.constant(Scalar::zero(dtype))) };
        if let Value::Tuple(_) = &value {
            self.error(report::several_margins(self.text(x.span), span));
            return None;
        }
        let fill = self.operand(value, span)?;
        if !fill.shape.is_empty() || !(fill.is_exact() || fill.elem == Elem::Strong(dtype)) {
            self.error(report::fill_differs(&fill, x, dtype));
            return None;
        }
        self.exact(&fill, dtype, Some(x))
    }

    /// Margins before and after each axis: a number, a pair, or a pair for each axis.
    fn widths(&mut self, value: &Value, rank: usize, span: Span) -> Option<Vec<(Dim, Dim)>> {
        let pair = |ctx: &mut Self, value: &Value| -> Option<(Dim, Dim)> {
            let given = if let Value::Tuple(items) = value { &items[..] } else { std::slice::from_ref(value) };
            match given {
                [before, after] => Some((ctx.width(before, span)?, ctx.width(after, span)?)),
                [both] => {
                    let width = ctx.width(both, span)?;
                    Some((width.clone(), width))
                }
                _ => {
                    ctx.error(report::pad_width(rank, span));
                    None
                }
            }
        };
        if let Value::Tuple(items) = value
            && items.iter().any(|item| matches!(item, Value::Tuple(_)))
        {
            if items.len() != rank {
                self.error(report::pad_width(rank, span));
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
