//! Arrays put together by `stack`, `concat` or computed array literals. Other calls are made of such pieces: `roll`,
//! `diff`.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::indexing::span as python;
use crate::check::infer::operations::computed_in::follows;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::{NodeId, Slice, View};
use crate::ops::expand::Expand;
use crate::ops::{Op, Placement};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{Affine, DType, Dim, Elem, Shape};

/// An axis of any length is shifted this far by moving as many positions, or all there are: the only position of an
/// axis stays where it is.
const SHORT_SHIFT: u64 = 2;

/// How often differences may be taken of differences.
const MAX_DIFF: i64 = 64;

impl Ctx<'_> {
    pub(in crate::check) fn stack(&mut self, op: &'static Op, given: Vec<GivenValue>, span: Span, at: Span) -> Value {
        let Some((operands, axis)) = self.list_and_axis(op, given) else { return Value::Error };
        if let Some(other) = operands.iter().find(|operand| operand.shape != operands[0].shape) {
            let counted = self.any_counted([&operands[0].shape[..], &other.shape]);
            let diagnostic = report::unequal_parts(op, (&operands[0], other), None, counted);
            return self.error_among(diagnostic, &operands[0], other);
        }
        let axis = match axis {
            None => 0,
            Some((axis, axis_span)) => match self.new_axes(&operands[0], &[axis], axis_span) {
                Some(axes) => axes[0],
                None => return Value::Error,
            },
        };
        let Some((decision, nodes)) = self.meet(op.class, op.name, &operands, at) else { return Value::Error };
        let Some(node) = self.side_by_side(&nodes, axis, span) else { return Value::Error };
        let arms = self.arms(op, &operands);
        self.made(node, decision, span, arms)
    }

    /// Nodes of one shape along a new axis.
    pub(in crate::check) fn side_by_side(&mut self, nodes: &[NodeId], axis: usize, span: Span) -> Option<NodeId> {
        let dtype = self.graph.builder.dtype(nodes[0]);
        let mut shape = self.graph.builder.shape(nodes[0]).clone();
        shape.insert(axis, Dim::Const(nodes.len() as u64));
        if !self.extent_fits(&shape, dtype, span) {
            return None;
        }
        shape[axis] = Dim::Const(1);
        let parts: Vec<NodeId> =
            nodes.iter().map(|&node| self.graph.builder.view(node, View::Reshape, shape.clone())).collect();
        Some(self.graph.builder.concat(&parts, axis))
    }

    pub(in crate::check) fn concat(&mut self, op: &'static Op, given: Vec<GivenValue>, span: Span, at: Span) -> Value {
        let flat = matches!(given.get(1), Some(Some((Value::None, _))));
        let Some((mut operands, axis)) = self.list_and_axis(op, given) else { return Value::Error };
        if flat {
            for operand in &mut operands {
                let Some(flat) = self.flatten(operand, span) else { return Value::Error };
                *operand = flat;
            }
        }
        if let Some(scalar) = operands.iter().find(|operand| operand.shape.is_empty()) {
            return self.error(report::scalar_part(op, scalar));
        }
        let axis = match axis {
            None => 0,
            Some((axis, axis_span)) => match self.resolve_axes(&operands[0], &[axis], axis_span) {
                Some(axes) => axes[0],
                None => return Value::Error,
            },
        };
        self.joined(op, &operands, axis, span, at)
    }

    /// `hstack([x, y])`: the axis goes by the number of axes, of which some may be missing.
    pub(in crate::check) fn beside(
        &mut self,
        op: &'static Op,
        how: Placement,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        let Some((list, list_span)) = given.into_iter().next().flatten() else { return Value::Error };
        let Some(operands) = self.arrays_given(op, list, list_span) else { return Value::Error };
        let one = || Dim::Const(1);
        let mut raised = Vec::with_capacity(operands.len());
        for operand in &operands {
            let dims = operand.shape.as_slice();
            let shape: Shape = match (how, dims) {
                (_, []) => {
                    vec![one(); if how == Placement::Behind { 3 } else { 1 + usize::from(how != Placement::Across) }]
                }
                (Placement::Below, [len]) => vec![one(), len.clone()],
                (Placement::Columns, [len]) => vec![len.clone(), one()],
                (Placement::Behind, [len]) => vec![one(), len.clone(), one()],
                (Placement::Behind, [rows, columns]) => vec![rows.clone(), columns.clone(), one()],
                _ => dims.to_vec(),
            };
            let Some(node) = self.node(operand) else { return Value::Error };
            let node = if shape == operand.shape { node } else { self.graph.builder.view(node, View::Reshape, shape) };
            let Some(operand) = self.operand(Self::view_of(operand, node), operand.span) else { return Value::Error };
            raised.push(operand);
        }
        let axis = match how {
            Placement::Across => usize::from(raised[0].shape.len() > 1),
            Placement::Below => 0,
            Placement::Columns => 1,
            Placement::Behind => 2,
        };
        self.joined(op, &raised, axis, span, at)
    }

    /// Arrays one after the other along an axis that all have.
    fn joined(&mut self, op: &'static Op, operands: &[Operand], axis: usize, span: Span, at: Span) -> Value {
        let Some(mut shape) = self.joined_shape(op, operands, axis, span) else { return Value::Error };
        let Some((decision, nodes)) = self.meet(op.class, op.name, operands, at) else { return Value::Error };
        if !self.extent_fits(&shape, self.graph.builder.dtype(nodes[0]), span) {
            return Value::Error;
        }
        let mut node = self.graph.builder.concat(&nodes, axis);
        if let Some(len) = self.rejoin(operands.iter().map(|operand| operand.shape[axis].clone()).collect()) {
            shape[axis] = len;
            node = self.graph.builder.view(node, View::Reshape, shape);
        }
        let arms = self.arms(op, operands);
        self.made(node, decision, span, arms)
    }

    /// The shape of arrays one after the other along an axis, if they fit.
    pub(super) fn joined_shape(
        &mut self,
        op: &'static Op,
        operands: &[Operand],
        axis: usize,
        span: Span,
    ) -> Option<Shape> {
        let mut shape = operands[0].shape.clone();
        for other in &operands[1..] {
            let equal = |(place, (left, right)): (usize, (&Dim, &Dim))| place == axis || left == right;
            let fits = other.shape.len() == shape.len() && shape.iter().zip(&other.shape).enumerate().all(equal);
            if !fits {
                if other.shape.len() == shape.len() {
                    let pairs = shape.iter().zip(&other.shape).enumerate().filter(|(place, _)| *place != axis);
                    pairs.for_each(|(_, (left, right))| self.typed.single_axes.misfit(left, right));
                }
                let counted = self.any_counted([&operands[0].shape[..], &other.shape]);
                let diagnostic = report::unequal_parts(op, (&operands[0], other), Some(axis), counted);
                self.error_among(diagnostic, &operands[0], other);
                return None;
            }
            let Some(len) = shape[axis].add_scaled(&other.shape[axis], 1) else {
                self.error(report::open_count(other, span));
                return None;
            };
            shape[axis] = len;
        }
        Some(shape)
    }

    /// Reports shapes that do not fit, with the names that may be the reason.
    fn error_among(&mut self, diagnostic: crate::diagnostic::Diagnostic, left: &Operand, right: &Operand) -> Value {
        let diagnostic = self.with_names(diagnostic, left.shape.iter().chain(&right.shape));
        self.error(diagnostic)
    }

    #[expect(clippy::type_complexity, reason = "the operands, and the axis with its place if one was given")]
    fn list_and_axis(
        &mut self,
        op: &'static Op,
        given: Vec<GivenValue>,
    ) -> Option<(Vec<Operand>, Option<(i64, Span)>)> {
        let mut given = given.into_iter();
        let (value, list_span) = given.next().flatten()?;
        let operands = self.arrays_given(op, value, list_span)?;
        let (axis, dtype) = (given.next().flatten(), given.next().flatten());
        let whole = axis.as_ref().is_some_and(|(value, _)| self.form(value).is_some());
        let axis = match axis {
            None | Some((Value::None, _)) => None,
            // `concat(a, b)`: the second array in the place of the axis.
            Some((Value::Literal(_) | Value::Computed(_), axis_span)) if !whole => {
                let text = format!("{}, {}", self.text(list_span), self.text(axis_span));
                self.error(report::arrays_in_a_list(op, &text, axis_span));
                return None;
            }
            Some((axis, axis_span)) => Some((self.whole(&axis, axis_span, "an axis")?, axis_span)),
        };
        let operands = match dtype {
            None | Some((Value::None, _)) => operands,
            Some((dtype, dtype_span)) => {
                let dtype = self.dtype_of(&dtype, dtype_span)?;
                operands.into_iter().map(|operand| self.as_asked(op, operand, dtype)).collect::<Option<_>>()?
            }
        };
        Some((operands, axis))
    }

    /// An operand in the dtype that a call names, unless that is of a lower kind.
    fn as_asked(&mut self, op: &'static Op, operand: Operand, dtype: DType) -> Option<Operand> {
        if operand.elem == Elem::Strong(dtype) {
            return Some(operand);
        }
        let span = operand.span;
        if !follows(&operand, dtype) {
            let text = self.text(span).to_owned();
            self.error(report::not_computed_in(op, &operand, &text, dtype));
            return None;
        }
        let value = self.cast(operand.into_value(), span, dtype, span);
        self.operand(value, span)
    }

    /// The elements of an operand along one axis.
    pub(in crate::check) fn flatten(&mut self, operand: &Operand, span: Span) -> Option<Operand> {
        let count = self.known_count(operand, span)?;
        let node = self.node(operand)?;
        let node = self.graph.builder.view(node, View::Reshape, vec![count]);
        self.operand(Self::view_of(operand, node), operand.span)
    }

    /// Some positions of one axis.
    pub(in crate::check) fn part(&mut self, node: NodeId, axis: usize, start: Dim, len: Dim) -> NodeId {
        let mut lens = self.graph.builder.shape(node).clone();
        let mut region = vec![Slice::all(); lens.len()];
        let start = if len == Dim::Const(0) { Dim::Const(0) } else { start };
        (region[axis], lens[axis]) = (Slice { start, step: 1 }, len);
        self.graph.builder.slice(node, &region, lens)
    }

    /// Shifts one axis by an `i64` scalar.
    pub(in crate::check) fn rolled_by(&mut self, node: NodeId, axis: usize, shift: NodeId) -> NodeId {
        let len = self.graph.builder.shape(node)[axis].clone();
        let mut e = self.graph.expand();
        let places = e.0.iota(0, vec![len.clone()]);
        let count = e.dim(&len);
        let shift = e.prim(Prim::Rem, &[shift, count]);
        let moved = e.sub(places, shift);
        // A remainder of each position would take long.
        let (zero, around) = (e.whole(0), e.add(moved, count));
        let is_before = e.prim(Prim::Lt, &[moved, zero]);
        let from = e.select(is_before, around, moved);
        e.0.gather(node, from, axis)
    }

    /// Shifts one axis; what leaves at one end comes in at the other.
    pub(in crate::check) fn roll_axis(&mut self, node: NodeId, axis: usize, shift: i64) -> Option<NodeId> {
        let len = self.graph.builder.shape(node)[axis].clone();
        let distance = shift.unsigned_abs();
        if len.known().is_none() && (self.is_counted(&len) || distance > SHORT_SHIFT && !len.is_at_least(distance)) {
            // It may be shorter than the shift.
            let shift = self.graph.expand().whole(shift);
            return Some(self.rolled_by(node, axis, shift));
        }
        let first = match len.known() {
            Some(0) => return Some(node),
            Some(known) => Dim::Const(i128::from(shift).rem_euclid(i128::from(known)) as u64),
            None => {
                let moved = Dim::of(len.form()?.least(&Dim::Const(distance).form()?)?)?;
                if shift < 0 { len.add_scaled(&moved, -1)? } else { moved }
            }
        };
        if first == Dim::Const(0) || first == len {
            return Some(node);
        }
        let rest = len.add_scaled(&first, -1)?;
        let end = self.part(node, axis, rest.clone(), first);
        let start = self.part(node, axis, Dim::Const(0), rest);
        Some(self.graph.builder.concat(&[end, start], axis))
    }

    /// `diff(x, n, axis)`
    pub(in crate::check) fn diff(&mut self, op: &'static Op, given: Vec<GivenValue>, span: Span, at: Span) -> Value {
        // With something before or behind x the row is written in the language.
        let [x, times, axis, ..]: [GivenValue; 5] = given.try_into().expect("the row has five parameters");
        let Some(operand) = self.array_given(x) else { return Value::Error };
        let times = match times {
            None => 1,
            Some((value, times_span)) => match self.whole(&value, times_span, "`n`") {
                Some(times) if (0..=MAX_DIFF).contains(&times) => times,
                Some(times) => return self.error(report::diff_count(times, MAX_DIFF, times_span)),
                None => return Value::Error,
            },
        };
        let (axis, axis_span) = match axis {
            None => (-1, at),
            Some((value, axis_span)) => match self.whole(&value, axis_span, "an axis") {
                Some(axis) => (axis, axis_span),
                None => return Value::Error,
            },
        };
        let Some(axes) = self.resolve_axes(&operand, &[axis], axis_span) else { return Value::Error };
        let Some((decision, nodes)) = self.meet(op.class, op.name, std::slice::from_ref(&operand), at) else {
            return Value::Error;
        };
        let (mut node, axis) = (nodes[0], axes[0]);
        let before = self.graph.builder.program().nodes.len();
        for _ in 0..times {
            let len = self.graph.builder.shape(node)[axis].clone();
            let one = Affine::constant(1);
            let counted = self.is_counted(&len);
            let (first, count) = match (len.known(), len.form()) {
                (Some(known), _) => (Dim::Const(1), Dim::Const(known.saturating_sub(1))),
                (None, Some(form)) => match python::symbolic(Some(&one), None, 1, &form, counted) {
                    Some((first, count)) => {
                        (Dim::of(first).unwrap_or(Dim::Const(1)), Dim::of(count).unwrap_or(Dim::Const(0)))
                    }
                    None => return self.error(report::open_count(&operand, span)),
                },
                (None, None) => return self.error(report::open_count(&operand, span)),
            };
            let (low, high) =
                (self.part(node, axis, Dim::Const(0), count.clone()), self.part(node, axis, first, count));
            node =
                self.graph.build_guarded(self.settings.checked, |builder| difference(&mut Expand(builder), high, low));
        }
        if times > 0 {
            self.made_inside((op, "-"), std::slice::from_ref(&operand), node, before, (span, at));
        }
        self.made(node, decision, span, None)
    }
}

/// `high - low` of neighbours: of truth values whether they differ; small floats are rounded once.
fn difference(e: &mut Expand, high: NodeId, low: NodeId) -> NodeId {
    let dtype = e.dtype(high);
    if dtype == DType::Bool {
        e.prim(Prim::Xor, &[high, low])
    } else if dtype.is_small_float() {
        let (high, low) = (e.widen(high), e.widen(low));
        let difference = e.sub(high, low);
        e.convert(difference, dtype)
    } else {
        e.sub(high, low)
    }
}
