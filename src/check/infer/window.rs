//! Slices that begin at a computed place and have a constant length: `x[t:t+3]`, `x[t-1:t+2]`.
//!
//! Both bounds are one value, give or take a number; the difference of the numbers is the length. What is out of range is an
//! error when the program runs: to clip would change the length.

use super::Ctx;
use super::operand::Operand;
use super::pick::Pick;
use super::value::Value;
use crate::ir::{Fault, NodeId, NodeKind};
use crate::ops::expand::Expand;
use crate::range::Interval;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::syntax::ast::ExprId;
use crate::types::{DType, Dim};

impl Ctx<'_> {
    /// The window that bounds mean, or that something is wrong with it; nothing for other slices.
    pub(in crate::check) fn window(
        &mut self,
        operand: &Operand,
        axis: usize,
        bounds: &[Option<(ExprId, Value)>],
        at: Span,
    ) -> Option<Option<Pick>> {
        let [Some((_, start)), Some((_, stop)), step] = bounds else { return None };
        let whole = step.as_ref().is_none_or(|(_, step)| self.form(step).is_some_and(|step| step.known() == Some(1)));
        if !whole {
            return None;
        }
        let (start, stop) = (self.computed_integer(start)?, self.computed_integer(stop)?);
        let ((base, from), (other, to)) = (self.offset(start), self.offset(stop));
        let count = u64::try_from(to.checked_sub(from)?).ok().filter(|_| base == other)?;
        let len = operand.shape[axis].clone();
        let start = self.guarded_window(start, count, &len, at);
        Some(Some(Pick::Window { start, len: Dim::Const(count), step: 1 }))
    }

    /// A node as another one and a number.
    fn offset(&self, node: NodeId) -> (NodeId, i128) {
        let (mut node, mut offset) = (node, 0i128);
        loop {
            let NodeKind::Map(prim @ (Prim::Add | Prim::Sub), [Some(a), Some(b), _]) =
                self.graph.builder.program().node(node).kind
            else {
                return (node, offset);
            };
            let number =
                |node: NodeId| self.graph.builder.as_constant(node).and_then(|it| Interval::of_scalar(it).single());
            match (prim, number(a), number(b)) {
                (Prim::Add, _, Some(number)) => (node, offset) = (a, offset + number),
                (Prim::Add, Some(number), _) => (node, offset) = (b, offset + number),
                (Prim::Sub, _, Some(number)) => (node, offset) = (a, offset - number),
                _ => return (node, offset),
            }
        }
    }

    /// Where a window begins, as an `i64`; checked when the program runs, unless it is known to lie in its axis.
    fn guarded_window(&mut self, start: NodeId, count: u64, len: &Dim, at: Span) -> NodeId {
        let last = len.known().and_then(|len| len.checked_sub(count)).map(|room| room + 1);
        let inside = self.lies_inside(start, last);
        let below = Interval::Integer { low: i128::from(count).saturating_neg(), high: i128::MAX };
        let ends_below = self.interval(start).union(below) != below;
        let mut e = Expand(&mut self.graph.builder);
        let wide = e.convert(start, DType::I64);
        if inside {
            return wide;
        }
        let zero = e.integer(DType::I64, 0);
        // Both bounds below 0 count from the end.
        let wide = match ends_below {
            true => {
                let (whole, own) = (e.dim(len), e.integer(DType::I64, count.into()));
                let (stop, moved) = (e.prim(Prim::Add, &[wide, own]), e.prim(Prim::Add, &[wide, whole]));
                let from_end = e.prim(Prim::Lt, &[stop, zero]);
                e.select(from_end, moved, wide)
            }
            false => wide,
        };
        let (whole, own) = (e.dim(len), e.integer(DType::I64, count.into()));
        let room = e.prim(Prim::Sub, &[whole, own]);
        let (low, high) = (e.prim(Prim::Lt, &[wide, zero]), e.prim(Prim::Lt, &[room, wide]));
        let outside = e.prim(Prim::Or, &[low, high]);
        let text = "a slice that begins at {value} does not lie in its axis";
        self.graph.refuse(outside, Fault::Refused { text, value: start }, at);
        wide
    }

    /// Whether positions are known to lie between 0 and a length.
    pub(in crate::check) fn lies_inside(&mut self, index: NodeId, len: Option<u64>) -> bool {
        let Some(len) = len else { return false };
        matches!(self.interval(index), Interval::Integer { low: 0.., high } if high < i128::from(len))
    }
}
