//! Slices between places that are computed: `x[lo:hi]`, `a[i, :j]`.
//!
//! Only the run knows how many elements they take: a length of their own, one and the same for the same bounds of the
//! same length, so that `a[i, :j] @ b[:j]` is checked before anything runs. Bounds count and are clipped as in Python.
//! So it is of slices from near one end to near the other, `x[-n:m]`, of which no form says how many elements lie
//! between.
//! Where it is certain that bounds are not clipped, slices of as many elements have one length: `x[k:]` and `x[:n-k]`.

use super::pick::IndexEffect;
use super::span as python;
use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::{Args, NodeId, NodeKind, Slice};
use crate::range::Interval;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::syntax::ast::ExprId;
use crate::types::{Affine, DType, Dim};

/// A bound, and where it stands.
type SliceBound = Option<(ExprId, Value)>;

/// The least and the largest value of a bound.
type BoundEnds = (i128, i128);

/// How many operations of a bound, one below the other, are looked through.
const BOUND_DEPTH: usize = 6;

impl Ctx<'_> {
    /// The run of elements that bounds mean of which one is computed, or that something is wrong with it. It is `None`
    /// where none is computed.
    #[expect(clippy::option_option, reason = "None for an error that was reported, Some(None) for other slices")]
    pub(in crate::check) fn between(
        &mut self,
        operand: &Operand,
        axis: usize,
        bounds: &[SliceBound],
        at: Span,
    ) -> Option<Option<IndexEffect>> {
        let [start, stop, step] = bounds else { return None };
        if ![start, stop].into_iter().any(|bound| self.is_computed(bound)) {
            return None;
        }
        Some(self.computed_run(&operand.shape[axis], [start, stop, step], at))
    }

    /// The run of elements between bounds of which only the run knows where they are.
    pub(super) fn computed_run(
        &mut self,
        len: &Dim,
        [start, stop, step]: [&SliceBound; 3],
        at: Span,
    ) -> Option<IndexEffect> {
        let step = self.bound(step.clone()).ok()?;
        let step = self.slice_step(step.as_ref().map(|(form, _)| form), at)?;
        let (start, stop) = (self.bound_node(start)?, self.bound_node(stop)?);
        let mut e = self.graph.expand();
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
        let distance = self.straight(distance);
        let count = self.steps_within(distance, step);
        let count = self.counted_length(count, at);
        Some(match first == zero && step == 1 {
            true => IndexEffect::Run(Slice::all(), count),
            false => IndexEffect::Window { start: first, len: count, step },
        })
    }

    /// The step of a slice, which is 1 if none is given. A step of 0, or one that is no number, is reported.
    pub(super) fn slice_step(&mut self, step: Option<&Affine>, at: Span) -> Option<i64> {
        let refused = match step.map(Affine::known) {
            None => return Some(1),
            Some(Some(0)) => report::zero_slice_step(at),
            Some(Some(step)) => return Some(step),
            Some(None) => report::symbolic_step(self.text(at), at),
        };
        self.error(refused);
        None
    }

    /// How many steps of `step` places begin within a distance. The distance may be below 0; then none does.
    pub(in crate::check) fn steps_within(&mut self, distance: NodeId, step: i64) -> NodeId {
        let never_below = self.is_never_below_zero(distance);
        let mut e = self.graph.expand();
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
        // A length that is counted from the end is below 0, which no size is.
        if let Value::Dim(dim) = value
            && let Some(form) = dim.form().filter(python::counts_from_end)
        {
            return Some(Some(self.size_node(&form)));
        }
        let bound = self.index_operand(value.clone(), at)?;
        if !bound.shape.is_empty() {
            self.error(report::array_as_bound(at));
            return None;
        }
        let node = match bound.is_exact() {
            true => self.exact(&bound, DType::I64, None)?,
            false => self.node(&bound)?,
        };
        Some(Some(self.long_bound(node)))
    }

    /// An integer as an `i64`; beyond 63 bits it is as long as it can be.
    pub(in crate::check) fn as_long(&mut self, node: NodeId) -> NodeId {
        let mut e = self.graph.expand();
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
        if self.lies_within(bound, highest) {
            return bound;
        }
        let known = self.interval(bound);
        let mut place = bound;
        if !matches!(known, Interval::Integer { low: 0.., .. }) {
            let mut e = self.graph.expand();
            let whole = e.dim(len);
            // From the smallest integer on nothing wraps.
            let mut from_end = e.prim(Prim::Add, &[bound, whole]);
            if !matches!(known, Interval::Integer { high: ..0, .. }) {
                let zero = e.integer(DType::I64, 0);
                let below = e.prim(Prim::Lt, &[bound, zero]);
                from_end = e.select(below, from_end, bound);
            }
            if self.lies_within(from_end, highest) {
                return from_end;
            }
            place = self.graph.builder.map(Prim::Max, &[from_end, lowest]);
        }
        let most = self.graph.builder.as_constant(highest).map(|most| most.bits as i64);
        match (known, most) {
            (Interval::Integer { high, .. }, Some(most)) if high <= i128::from(most) => place,
            _ => self.graph.builder.map(Prim::Min, &[place, highest]),
        }
    }
}

impl Ctx<'_> {
    /// An integer as an `i64`, as [`Ctx::as_long`] makes it. Arithmetic that is known not to wrap is the same
    /// arithmetic in `i64`, without conversions between, so that a bound and a length meet in one dtype.
    pub(in crate::check) fn long_bound(&mut self, node: NodeId) -> NodeId {
        match self.lengthened(node, BOUND_DEPTH) {
            Some((long, _)) => long,
            None => self.as_long(node),
        }
    }

    /// An integer as an `i64`, and the ends of its values. It is `None` where an `i64` may not hold it.
    fn lengthened(&mut self, node: NodeId, depth: usize) -> Option<(NodeId, BoundEnds)> {
        let Interval::Integer { low, high } = self.interval(node) else { return None };
        let dtype = self.graph.builder.dtype(node);
        let (least, most) = dtype.integer_range()?;
        if let NodeKind::Map(prim, args) = self.graph.builder.program().node(node).kind
            && let Some(depth) = depth.checked_sub(1)
        {
            // A length is a constant in a run, which then must fit.
            if let (Prim::Convert, Some(arg)) = (prim, args[0])
                && (self.form_of(node).is_some() || self.interval(arg).exists_in(dtype))
                && let Some((long, (low, high))) = self.lengthened(arg, depth)
            {
                return Some((long, (low.max(least), high.min(most))));
            }
            if dtype != DType::U64
                && let Some((long, (low, high))) = self.lengthened_operation(prim, args, depth)
                && least <= low
                && high <= most
            {
                return Some((long, (low, high)));
            }
        }
        // What an unsigned integer of 64 bits holds may be more.
        (dtype != DType::U64).then(|| (self.graph.builder.convert(node, DType::I64), (low, high)))
    }

    /// A sum, a difference or a product in `i64`, and the ends of its values if it does not wrap.
    fn lengthened_operation(&mut self, prim: Prim, [x, y, _]: Args, depth: usize) -> Option<(NodeId, BoundEnds)> {
        if ![Prim::Add, Prim::Sub, Prim::Mul].contains(&prim) {
            return None;
        }
        let (x, (x_low, x_high)) = self.lengthened(x?, depth)?;
        let (y, (y_low, y_high)) = self.lengthened(y?, depth)?;
        let ends = if prim == Prim::Add {
            (x_low.checked_add(y_low)?, x_high.checked_add(y_high)?)
        } else if prim == Prim::Sub {
            (x_low.checked_sub(y_high)?, x_high.checked_sub(y_low)?)
        } else {
            let corners = [(x_low, y_low), (x_low, y_high), (x_high, y_low), (x_high, y_high)];
            let [a, b, c, d] = corners.map(|(x, y)| x.checked_mul(y));
            let (a, b, c, d) = (a?, b?, c?, d?);
            (a.min(b).min(c).min(d), a.max(b).max(c).max(d))
        };
        Some((self.graph.builder.map(prim, &[x, y]), ends))
    }
}
