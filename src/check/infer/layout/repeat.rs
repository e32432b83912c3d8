//! `repeat(x, 3)`, or `repeat(x, counts)`: every element several times; `sliding_window_view(x, n)`: in several
//! windows.
//!
//! One number says how long the result is; of counts only the run knows, and the sum of them is a dimension of its own.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::routine::Routine;
use crate::ir::{Fault, Fold, NodeId, View};
use crate::ops::Op;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Shape};

/// The most elements that an array can have.
const MAX_ELEMENTS: f64 = (1u64 << 48) as f64;

impl Ctx<'_> {
    pub(super) fn each_repeated(
        &mut self,
        op: &'static Op,
        operand: &Operand,
        given: Vec<GivenValue>,
        span: Span,
    ) -> Option<Value> {
        let mut given = given.into_iter();
        let (repeats, at) = given.next().flatten()?;
        let (operand, axis) = match given.next().flatten() {
            None | Some((Value::None, _)) => (self.flatten(operand, span)?, 0),
            axis => (operand.clone(), self.one_axis(operand, axis, 0)?),
        };
        let counts = if let Value::Computed(computed) = &repeats {
            self.now(computed.node).is_none()
        } else {
            matches!(repeats, Value::Literal(_))
        };
        if counts {
            return self.repeated_by(op, &operand, axis, (repeats, at));
        }
        let count = self.size_given(repeats, at)?;
        let Some(length) = operand.shape[axis].multiply(&count) else {
            return Some(self.report_uncounted(&operand, &[operand.shape[axis].clone(), count], span));
        };
        let with = |dim: Dim| {
            let mut shape = operand.shape.clone();
            shape.insert(axis + 1, dim);
            shape
        };
        let mut shape = operand.shape.clone();
        shape[axis] = length;
        self.several_times(&operand, [with(Dim::Const(1)), with(count), shape], span)
    }

    /// Each element as many times as its count says.
    fn repeated_by(
        &mut self,
        op: &'static Op,
        operand: &Operand,
        axis: usize,
        (counts, at): (Value, Span),
    ) -> Option<Value> {
        let counts = self.operand(counts, at)?;
        if !counts.elem.kind().is_integer() {
            self.error(report::not_counts(&counts));
            return None;
        }
        let len = operand.shape[axis].clone();
        match &counts.shape[..] {
            [] => {}
            [own] if *own == len || *own == Dim::Const(1) => {}
            [_] => {
                let diagnostic = report::counts_differ(operand, axis, &counts);
                let diagnostic = self.with_names(diagnostic, counts.shape.iter().chain([&len]));
                self.error(diagnostic);
                return None;
            }
            _ => {
                self.error(report::not_a_vector(op, op.params[1].name, &counts));
                return None;
            }
        }
        let node = self.node(&counts)?;
        let ends = self.ends_of(node, &len, at);
        let total = self.graph.builder.fold(Fold::Sum, ends.counts, &[0]);
        let total = self.counted_length(total, at);
        let each = self.graph.builder.iota(0, vec![total]);
        let positions = self.graph.builder.routine(Routine::SearchRight, &[ends.ends, each], None);
        let node = self.node(operand)?;
        let node = self.graph.builder.gather(node, positions, axis);
        Some(Self::view_of(operand, node))
    }

    /// Counts for each position of an axis, and behind how many elements of the result each ends. The run checks that
    /// they are counts.
    fn ends_of(&mut self, counts: NodeId, len: &Dim, at: Span) -> Repeats {
        let mut e = self.graph.expand();
        let wide = e.convert(counts, DType::I64);
        let zero = e.integer(DType::I64, 0);
        let negative = e.prim(Prim::Lt, &[wide, zero]);
        let count = e.prim(Prim::Max, &[wide, zero]);
        let count = e.broadcast(count, &vec![len.clone()]);
        let rough = e.convert(count, DType::F64);
        let rough = e.0.fold(Fold::Sum, rough, &[0]);
        let most = e.0.constant(crate::scalar::Scalar::of(MAX_ELEMENTS));
        let many = e.prim(Prim::Lt, &[most, rough]);
        let below = "an element cannot be repeated {value} times";
        let above = "{value} elements are more than an array can have";
        for (condition, text, value) in [(negative, below, counts), (many, above, rough)] {
            self.graph.refuse(condition, Fault::Refused { text, value }, at);
        }
        let ends = self.graph.builder.scan(Fold::Sum, count, 0);
        Repeats { counts: count, ends }
    }

    /// Windows along axes, one behind each position where it fits; their own axes come last.
    pub(in crate::check::infer) fn windows(
        &mut self,
        operand: &Operand,
        given: Vec<GivenValue>,
        span: Span,
    ) -> Option<Value> {
        let mut given = given.into_iter();
        let (lens, lens_at) = given.next().flatten()?;
        let lens = self.shape_given(lens, lens_at)?;
        let axes = match given.next().flatten() {
            None | Some((Value::None, _)) => (0..operand.shape.len()).collect(),
            Some((axes, axes_at)) => {
                let list = if let Value::Tuple(items) = &axes { items.to_vec() } else { vec![axes.clone()] };
                let list = list.iter().map(|it| self.whole(it, axes_at, "an axis")).collect::<Option<Vec<i64>>>()?;
                self.ordered_axes(operand, &list, axes_at)?
            }
        };
        if axes.len() != lens.len() {
            self.error(report::axes_do_not_pair(lens.len(), axes.len(), lens_at));
            return None;
        }
        let mut shape: Shape = operand.shape.clone();
        let mut counts = Vec::with_capacity(axes.len());
        for (&axis, len) in axes.iter().zip(&lens) {
            let count = shape[axis].add_scaled(len, -1).and_then(|rest| rest.add_scaled(&Dim::Const(1), 1));
            let Some(count) = count.filter(|_| *len != Dim::Const(0)) else {
                let diagnostic = report::no_window(operand, axis, len, lens_at);
                let diagnostic = self.with_names(diagnostic, [len, &shape[axis]]);
                self.error(diagnostic);
                return None;
            };
            shape[axis] = count.clone();
            counts.push(count);
        }
        shape.extend(lens.iter().cloned());
        if !self.extent_fits(&shape, self.settings.harden(operand.elem), span) {
            return None;
        }
        let mut node = self.node(operand)?;
        for ((&axis, len), count) in axes.iter().zip(&lens).zip(counts) {
            let builder = &mut self.graph.builder;
            let mut shape = builder.shape(node).clone();
            shape[axis] = count;
            shape.push(len.clone());
            node = builder.view(node, View::Windows(axis as u32), shape);
        }
        Some(Self::view_of(operand, node))
    }
}

/// How often elements are repeated, and where they end.
struct Repeats {
    counts: NodeId,
    ends: NodeId,
}
