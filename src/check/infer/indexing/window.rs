//! Slices of constant length from a computed place on: `x[t:t+3]`, `x[4*t:4*(t+1)]`, `x[t:t+h]`, `x[t:t+6:2]`.
//!
//! Both bounds are one sum of values, give or take a number or a dimension; what they differ in is the length. What is
//! out of range is an error when the program runs: to clip would change the length.

use super::pick::IndexEffect;
use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::ir::{Fault, NodeId};
use crate::range::Interval;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::syntax::ast::ExprId;
use crate::types::{Affine, DType, Dim};

impl Ctx<'_> {
    /// The window that bounds mean, or that something is wrong with it. It is `None` for other slices.
    #[expect(clippy::option_option, reason = "None for an error that was reported, Some(None) for other slices")]
    pub(in crate::check) fn window(
        &mut self,
        operand: &Operand,
        axis: usize,
        bounds: &[Option<(ExprId, Value)>],
        at: Span,
    ) -> Option<Option<IndexEffect>> {
        let [Some((_, start)), Some((_, stop)), step] = bounds else { return None };
        let step = match step {
            Some((_, step)) => self.form(step)?.known().filter(|step| *step > 0)?,
            None => 1,
        };
        let (start, stop) = (self.computed_integer(start)?, self.computed_integer(stop)?);
        let (from, to) = (self.linear(start), self.linear(stop));
        if from.terms != to.terms {
            return None;
        }
        let distance = to.constant.plus(&from.constant, -1)?;
        // As of other slices, what is cut off a dimension is taken to be there: `x[t:t+h-1]` has h-1 elements. Where no
        // bound is computed, the run clips them.
        let is_empty = Affine::constant(0).plus(&distance, -1)?.is_never_negative();
        if distance.known().is_none() && (from.terms.is_empty() || is_empty) {
            return None;
        }
        let (mut count, mut reach) = (distance.clone(), distance.clone());
        if step > 1 {
            let steps = (distance.known().filter(|distance| *distance > 0)? - 1) / step;
            (count, reach) = (Affine::constant(steps + 1), Affine::constant(steps * step + 1));
        }
        let [distance, reach] = [Dim::of(distance)?, Dim::of(reach)?];
        let len = operand.shape[axis].clone();
        let start = self.guarded_window(start, [&distance, &reach], &len, at);
        Some(Some(IndexEffect::Window { start, len: Dim::of(count)?, step }))
    }

    /// Where a window begins, as an `i64`; checked when the program runs, unless it is known to lie in its axis. Its
    /// bounds are a distance apart, and of that it reaches to the last place that it takes.
    fn guarded_window(&mut self, start: NodeId, [distance, reach]: [&Dim; 2], len: &Dim, at: Span) -> NodeId {
        let room = len.known().zip(reach.known()).and_then(|(len, reach)| len.checked_sub(reach));
        let last = room.map(|room| room + 1);
        let inside = self.lies_inside(start, last);
        let least = distance.known().map_or(0, |distance| -i128::from(distance));
        let below = Interval::Integer { low: least, high: i128::MAX };
        let ends_below = self.interval(start).union(below) != below;
        let mut e = self.graph.expand();
        let wide = e.convert(start, DType::I64);
        if inside {
            return wide;
        }
        let zero = e.integer(DType::I64, 0);
        // Both bounds below 0 count from the end.
        let wide = match ends_below {
            true => {
                let (whole, own) = (e.dim(len), e.dim(distance));
                let (stop, moved) = (e.prim(Prim::Add, &[wide, own]), e.prim(Prim::Add, &[wide, whole]));
                let from_end = e.prim(Prim::Lt, &[stop, zero]);
                e.select(from_end, moved, wide)
            }
            false => wide,
        };
        let (whole, own) = (e.dim(len), e.dim(reach));
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
