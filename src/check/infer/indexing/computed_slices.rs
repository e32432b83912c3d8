//! Slices between places that are computed: `x[lo:hi]`, `a[i, :j]`.
//!
//! Only the run knows how many elements they take: a length of their own, one and the same for the same bounds of the
//! same length, so that `a[i, :j] @ b[:j]` is checked before anything runs. Bounds count and are clipped as in Python.

use super::pick::Pick;
use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::{NodeId, Slice};
use crate::ops::expand::Expand;
use crate::range::Interval;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::syntax::ast::ExprId;
use crate::types::{DType, Dim};

/// A bound, and where it stands.
type SliceBound = Option<(ExprId, Value)>;

impl Ctx<'_> {
    /// The run of elements that bounds mean of which one is computed, or that something is wrong with it. It is `None`
    /// where none is computed.
    pub(in crate::check) fn between(
        &mut self,
        operand: &Operand,
        axis: usize,
        bounds: &[SliceBound],
        at: Span,
    ) -> Option<Option<Pick>> {
        let [start, stop, step] = bounds else { return None };
        if ![start, stop].into_iter().any(|bound| self.is_computed(bound)) {
            return None;
        }
        Some(self.computed_run(&operand.shape[axis], [start, stop, step], at))
    }

    pub(super) fn computed_run(&mut self, len: &Dim, [start, stop, step]: [&SliceBound; 3], at: Span) -> Option<Pick> {
        let step = match self.bound(step.clone()).ok()?.map(|(form, _)| form.known()) {
            None => 1,
            Some(Some(0)) => {
                self.error(report::zero_slice_step(at));
                return None;
            }
            Some(Some(step)) => step,
            Some(None) => {
                self.error(report::symbolic_step(self.text(at), at));
                return None;
            }
        };
        let (start, stop) = (self.bound_node(start)?, self.bound_node(stop)?);
        let mut e = Expand(&mut self.graph.builder);
        let (whole, zero) = (e.dim(len), e.integer(DType::I64, 0));
        // Where the first place is if no bound says so, and where the last one ends.
        let (lowest, highest) = match step > 0 {
            true => (zero, whole),
            false => {
                let one = e.integer(DType::I64, 1);
                (e.integer(DType::I64, -1), e.prim(Prim::Sub, &[whole, one]))
            }
        };
        let (first, end) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
        let first = start.map_or(first, |bound| self.clipped(bound, len, lowest, highest));
        let end = stop.map_or(end, |bound| self.clipped(bound, len, lowest, highest));
        let distance = match step > 0 {
            true if first == zero => end,
            true => self.graph.builder.map(Prim::Sub, &[end, first]),
            false => self.graph.builder.map(Prim::Sub, &[first, end]),
        };
        let count = self.steps_within(distance, step);
        let count = self.counted_length(count, at);
        Some(match first == zero && step == 1 {
            true => Pick::Run(Slice::all(), count),
            false => Pick::Window { start: first, len: count, step },
        })
    }

    /// How many steps of `step` places begin within a distance. The distance may be below 0; then none does.
    pub(in crate::check) fn steps_within(&mut self, distance: NodeId, step: i64) -> NodeId {
        let never_below = matches!(self.interval(distance), Interval::Integer { low: 0.., .. });
        let mut e = Expand(&mut self.graph.builder);
        let zero = e.integer(DType::I64, 0);
        let distance = if never_below { distance } else { e.prim(Prim::Max, &[distance, zero]) };
        let size = step.unsigned_abs();
        if size == 1 {
            return distance;
        }
        let size = e.integer(DType::I64, size.into());
        let (whole, rest) = (e.prim(Prim::FloorDiv, &[distance, size]), e.prim(Prim::Rem, &[distance, size]));
        let left = e.prim(Prim::Lt, &[zero, rest]);
        let left = e.convert(left, DType::I64);
        e.prim(Prim::Add, &[whole, left])
    }

    /// Whether a bound is an integer that is computed.
    fn is_computed(&self, bound: &SliceBound) -> bool {
        bound.as_ref().is_some_and(|(_, value)| self.computed_integer(value).is_some())
    }

    /// A bound as an `i64`. The inner option is `None` where there is no bound.
    #[expect(clippy::option_option, reason = "None for an error that was reported, Some(None) for no bound")]
    fn bound_node(&mut self, bound: &SliceBound) -> Option<Option<NodeId>> {
        let Some((id, value)) = bound else { return Some(None) };
        if matches!(value, Value::None) {
            return Some(None);
        }
        let at = self.frame.script.expr(*id).span;
        let bound = self.index_operand(value.clone(), at)?;
        if !bound.shape.is_empty() {
            self.error(report::array_as_bound(at));
            return None;
        }
        let node = match bound.is_exact() {
            true => self.exact(&bound, DType::I64, None)?,
            false => self.node(&bound)?,
        };
        Some(Some(self.as_long(node)))
    }

    /// An integer as an `i64`; beyond 63 bits it is as long as it can be.
    pub(in crate::check) fn as_long(&mut self, node: NodeId) -> NodeId {
        let mut e = Expand(&mut self.graph.builder);
        let from = e.dtype(node);
        let wide = e.convert(node, DType::I64);
        if from != DType::U64 {
            return wide;
        }
        let (zero, most) = (e.integer(DType::I64, 0), e.integer(DType::I64, i64::MAX.into()));
        let below = e.prim(Prim::Lt, &[wide, zero]);
        e.select(below, most, wide)
    }

    /// A bound counted from the start, no lower and no higher than an axis allows.
    fn clipped(&mut self, bound: NodeId, len: &Dim, lowest: NodeId, highest: NodeId) -> NodeId {
        let known = self.interval(bound);
        let mut e = Expand(&mut self.graph.builder);
        let mut place = bound;
        if !matches!(known, Interval::Integer { low: 0.., .. }) {
            let (whole, zero) = (e.dim(len), e.integer(DType::I64, 0));
            let below = e.prim(Prim::Lt, &[bound, zero]);
            // From the smallest integer on nothing wraps.
            let from_end = e.prim(Prim::Add, &[bound, whole]);
            let from_end = e.select(below, from_end, bound);
            place = e.prim(Prim::Max, &[from_end, lowest]);
        }
        let most = e.0.as_constant(highest).map(|most| most.bits as i64);
        match (known, most) {
            (Interval::Integer { high, .. }, Some(most)) if high <= i128::from(most) => place,
            _ => e.prim(Prim::Min, &[place, highest]),
        }
    }
}
