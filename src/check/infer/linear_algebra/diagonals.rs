//! Diagonals or triangles of matrices.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::facts::{FoldedAxes, Subject};
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::{Fold, NodeId};
use crate::ops::expand::Expand;
use crate::ops::{Matrices, Op};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{Dim, Shape};

impl Ctx<'_> {
    /// `diagonal(x, offset, axis1, axis2)`, `trace`
    pub(super) fn diagonal_of(
        &mut self,
        op: &'static Op,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let mut given = given.into_iter();
        let operand = self.array_given(given.next().flatten())?;
        let mut numbers = [0, 0, 1];
        for (number, given) in numbers.iter_mut().zip(given) {
            if let Some((value, value_at)) = given {
                *number = self.whole(&value, value_at, "an axis or an offset")?;
            }
        }
        if operand.shape.len() < 2 {
            self.error(report::too_few_axes(op, &operand, "an array with two axes or more", at));
            return None;
        }
        let axes = self.several_axes(&operand, &numbers[1..], at)?;
        self.resolve_axes(&operand, &numbers[1..], at)?;
        let trace = op.class == crate::promotion::Class::Sum;
        let (decision, node) = match trace {
            true => {
                let (decision, nodes) = self.meet_for(op, std::slice::from_ref(&operand), at)?;
                (Some(decision), nodes[0])
            }
            false => (None, self.node(&operand)?),
        };
        let last = operand.shape.len() - 1;
        let second = axes[1] - usize::from(axes[1] > axes[0]);
        let node = self.move_axis_to(node, axes[0], last);
        let node = self.move_axis_to(node, second, last);
        let node = self.diagonal_at(node, numbers[0], &operand, span)?;
        let Some(decision) = decision else { return Some(Self::view_of(&operand, node)) };
        let axis = self.graph.builder.shape(node).len() - 1;
        let axes = vec![axis];
        self.found(Subject::Folded(FoldedAxes { op, operand, node, axes, decision, asked: None, at }));
        let before = self.graph.builder.program().nodes.len();
        let node = self.graph.build_guarded(self.settings.checked, |builder| {
            let mut e = Expand(builder);
            let node = e.widen(node);
            e.fold(Fold::Sum, node, &[axis])
        });
        self.may_wrap(before, op.shown(), at);
        Some(self.made(node, decision, span, None))
    }

    /// A diagonal of the last two axes.
    fn diagonal_at(&mut self, node: NodeId, offset: i64, operand: &Operand, span: Span) -> Option<NodeId> {
        let shape = self.graph.builder.shape(node).clone();
        let [.., rows, columns] = &shape[..] else { return None };
        let (down, right) = (offset.min(0).unsigned_abs(), offset.max(0).unsigned_abs());
        // What the offset leaves out is taken to be there, as by a slice, unless only data decides whether it is.
        let less = |dim: &Dim, by: u64| match dim.known() {
            Some(size) => Some(Dim::Const(size.saturating_sub(by))),
            None if self.is_counted(dim) => {
                let cut = Dim::Const(by).form()?.least(&dim.form()?)?;
                Dim::of(dim.form()?.plus(&cut, -1)?)
            }
            None => dim.add_scaled(&Dim::Const(by), -1),
        };
        let sides = less(rows, down).zip(less(columns, right));
        let len = sides.and_then(|(high, wide)| Dim::of(high.form()?.least(&wide.form()?)?));
        let made = len.and_then(|len| self.graph.expand().diagonal(node, (down, right), len));
        if made.is_none() {
            self.error(report::open_count(operand, span));
        }
        made
    }

    /// `diag(x, k)`
    pub(super) fn diag(&mut self, op: &'static Op, given: Vec<GivenValue>, span: Span, at: Span) -> Option<Value> {
        let (operand, offset) = self.beside_given(given)?;
        let node = self.node(&operand)?;
        let len = match &operand.shape[..] {
            [len] => len.clone(),
            [_, _] => {
                let node = self.diagonal_at(node, offset, &operand, span)?;
                return Some(Self::view_of(&operand, node));
            }
            _ => {
                self.error(report::too_few_axes(op, &operand, "a vector or a matrix", at));
                return None;
            }
        };
        let Some(side) = len.add_scaled(&Dim::Const(offset.unsigned_abs()), 1) else {
            self.error(report::open_count(&operand, span));
            return None;
        };
        let shape: Shape = vec![side.clone(), side];
        if !self.extent_fits(&shape, self.graph.builder.dtype(node), span) {
            return None;
        }
        let mut e = self.graph.expand();
        if len == Dim::Const(0) {
            let zero = e.number(node, 0.0);
            let none = e.broadcast(zero, &shape);
            return Some(Self::view_of(&operand, none));
        }
        // The element for a row on the left of the diagonal, for a column above it.
        let along = e.0.iota(usize::from(offset < 0), shape.clone());
        let (beside, wanted) = (e.beside(&shape), e.whole(offset));
        let on = e.prim(Prim::Eq, &[beside, wanted]);
        let (count, one) = (e.dim(&len), e.whole(1));
        let last = e.prim(Prim::Sub, &[count, one]);
        let along = e.prim(Prim::Min, &[along, last]);
        let found = e.0.gather(node, along, 0);
        let zero = e.number(node, 0.0);
        let node = e.select(on, found, zero);
        Some(Self::view_of(&operand, node))
    }

    fn beside_given(&mut self, given: Vec<GivenValue>) -> Option<(Operand, i64)> {
        let mut given = given.into_iter();
        let operand = self.array_given(given.next().flatten())?;
        let offset = match given.next().flatten() {
            Some((value, value_at)) => self.whole(&value, value_at, "`k`")?,
            None => 0,
        };
        Some((operand, offset))
    }

    /// `tril(x, k)`, `triu(x, k)`
    pub(super) fn triangle(
        &mut self,
        op: &'static Op,
        matrices: Matrices,
        given: Vec<GivenValue>,
        at: Span,
    ) -> Option<Value> {
        let (operand, offset) = self.beside_given(given)?;
        if operand.shape.len() < 2 {
            self.error(report::too_few_axes(op, &operand, "an array with two axes or more", at));
            return None;
        }
        let node = self.node(&operand)?;
        let mut e = self.graph.expand();
        let (beside, wanted) = (e.beside(&operand.shape), e.whole(offset));
        let kept = if matrices == Matrices::Lower {
            e.prim(Prim::Le, &[beside, wanted])
        } else {
            e.prim(Prim::Le, &[wanted, beside])
        };
        let zero = e.number(node, 0.0);
        let node = e.select(kept, node, zero);
        Some(Self::view_of(&operand, node))
    }
}
