//! Slices that begin at a computed place and have a constant length: `x[t:t+3]`, `x[t-1:t+2]`, `x[4*t:4*(t+1)]`.
//!
//! Both bounds are one sum of values, give or take a number; the difference of the numbers is the length. What is out
//! of range is an error when the program runs: to clip would change the length.

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
use std::collections::BTreeMap;

/// How many operations, one below the other, are looked through.
const DEPTH: usize = 6;

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
        let ((terms, from), (others, to)) = (self.linear(start, DEPTH), self.linear(stop, DEPTH));
        let count = u64::try_from(to.checked_sub(from)?).ok().filter(|_| terms == others)?;
        let len = operand.shape[axis].clone();
        let start = self.guarded_window(start, count, &len, at);
        Some(Some(Pick::Window { start, len: Dim::Const(count), step: 1 }))
    }

    /// A node as a sum of multiples of others, and a number: `(k + 1)*4` is 4 times k and 4.
    fn linear(&self, node: NodeId, depth: usize) -> (BTreeMap<NodeId, i128>, i128) {
        let alone = || (BTreeMap::from([(node, 1)]), 0);
        let number =
            |node: NodeId| self.graph.builder.as_constant(node).and_then(|it| Interval::of_scalar(it).single());
        if let Some(number) = number(node) {
            return (BTreeMap::new(), number);
        }
        let NodeKind::Map(prim, [Some(x), Some(y), None]) = self.graph.builder.program().node(node).kind else {
            return alone();
        };
        let (of, factor, other) = match (prim, number(x), number(y)) {
            _ if depth == 0 => return alone(),
            (Prim::Mul, _, Some(factor)) => (x, factor, None),
            (Prim::Mul, Some(factor), _) => (y, factor, None),
            (Prim::Add, ..) => (x, 1, Some((y, 1))),
            (Prim::Sub, ..) => (x, 1, Some((y, -1))),
            _ => return alone(),
        };
        let (mut terms, mut constant) = (BTreeMap::new(), 0i128);
        for (part, factor) in std::iter::once((of, factor)).chain(other) {
            let (own, added) = self.linear(part, depth - 1);
            for (atom, times) in own {
                let sum: &mut i128 = terms.entry(atom).or_default();
                *sum = sum.saturating_add(times.saturating_mul(factor));
            }
            constant = constant.saturating_add(added.saturating_mul(factor));
        }
        terms.retain(|_, times| *times != 0);
        (terms, constant)
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
