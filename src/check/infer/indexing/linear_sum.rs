//! Sums of multiples of values. So `n - k` and `n - (k + 1) + 1` are one, and with a `k` of at most `n` it is never
//! below 0.
//!
//! Slices whose bounds are known to lie in their axis are as long as their bounds are apart. As a sum that is written in
//! one way, two lengths that are equal are one. What is taken away from a sum is at most what bounds it: the counter of
//! a loop lies below the count, a minimum is at most its operands, and a script may assert more.

use crate::array::MAX_ELEMENTS;
use crate::check::infer::Ctx;
use crate::ir::{Fold, NodeId, NodeKind, View};
use crate::range::Interval;
use crate::scalar::prim::Prim;
use crate::types::affine::{Affine, Atom};
use crate::types::{DType, Dim};
use std::collections::BTreeMap;

/// The most operations, one below the other, that are looked through.
const MAX_DEPTH: usize = 6;

/// The most times that a node is replaced by what it is at most, one after the other.
const MAX_REPLACEMENTS: usize = 4;

/// The most nodes that are looked at for what they are at most, of all ways together: each assertion may open another
/// way.
const MAX_VISITED_NODES: usize = 24;

/// What a sum comes to at most, on either side of 0, so that neither it nor a part of it wraps in an `i64`.
const MAX_SUM: i128 = 1 << 62;

/// The least and the largest value of a node.
type NodeEnds = (i128, i128);

/// A sum of multiples of nodes, and what is added to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LinearSum {
    /// The nodes, each with its factor, which is never 0.
    pub(super) terms: BTreeMap<NodeId, Affine>,
    /// What is added.
    pub(super) constant: Affine,
}

impl LinearSum {
    fn of_form(form: Affine) -> LinearSum {
        LinearSum { terms: BTreeMap::new(), constant: form }
    }

    fn of_node(node: NodeId) -> LinearSum {
        LinearSum { terms: BTreeMap::from([(node, Affine::constant(1))]), constant: Affine::constant(0) }
    }

    /// `self + factor * other`
    fn plus(mut self, other: &LinearSum, factor: i64) -> Option<LinearSum> {
        for (node, times) in &other.terms {
            let own = self.terms.remove(node).unwrap_or_else(|| Affine::constant(0));
            let sum = own.plus(times, factor)?;
            if sum.known() != Some(0) {
                self.terms.insert(*node, sum);
            }
        }
        self.constant = self.constant.plus(&other.constant, factor)?;
        Some(self)
    }

    /// `factor * self`
    fn scaled(&self, factor: &Affine) -> Option<LinearSum> {
        let mut scaled = LinearSum::of_form(self.constant.multiply(factor)?);
        for (node, times) in &self.terms {
            let times = times.multiply(factor)?;
            if times.known() != Some(0) {
                scaled.terms.insert(*node, times);
            }
        }
        Some(scaled)
    }

    /// Whether it is at least 0, in integers without limits, where its nodes have values between these ends.
    fn is_never_negative(&self, ends: &[NodeEnds]) -> bool {
        let mut least = 0i128;
        for (times, &(low, high)) in self.terms.values().zip(ends) {
            let Some(factor) = times.known() else {
                if low >= 0 && times.is_never_negative() {
                    continue;
                }
                return false;
            };
            let part = i128::from(factor).checked_mul(if factor > 0 { low } else { high });
            let Some(sum) = part.and_then(|part| least.checked_add(part)) else { return false };
            least = sum;
        }
        let least = i64::try_from(least).ok().map(Affine::constant);
        least.and_then(|least| self.constant.plus(&least, 1)).is_some_and(|least| least.is_never_negative())
    }

    /// Whether neither it nor a part of it wraps in an `i64`, where its nodes have values between these ends.
    fn is_near(&self, ends: &[NodeEnds]) -> bool {
        let part = |(times, &(low, high)): (&Affine, &NodeEnds)| {
            farthest(times)?.checked_mul(low.checked_abs()?.max(high.checked_abs()?))
        };
        let mut parts = self.terms.values().zip(ends).map(part).chain([farthest(&self.constant)]);
        parts.try_fold(0i128, |sum, part| sum.checked_add(part?)).is_some_and(|sum| sum <= MAX_SUM)
    }
}

/// How far from 0 a form and each part of it can be, if that is known. A name is the length of an array.
fn farthest(form: &Affine) -> Option<i128> {
    form.terms.iter().try_fold(i128::from(form.constant).abs(), |sum, (atom, times)| {
        let most = match atom {
            Atom::Name(_) => MAX_ELEMENTS as i128,
            Atom::Quotient(dividend, _) => farthest(dividend)?.checked_add(1)?,
            Atom::Least(left, right) => farthest(left)?.max(farthest(right)?),
            Atom::Product(_) => return None,
        };
        sum.checked_add(most.checked_mul(i128::from(*times).abs())?)
    })
}

impl Ctx<'_> {
    /// A node as a sum of multiples of others, and a number or a dimension: `(k + 1)*4` is 4 times k and 4. The sum may
    /// wrap as the dtype of the node does.
    pub(super) fn linear(&self, node: NodeId) -> LinearSum {
        self.linear_within(node, MAX_DEPTH)
    }

    fn linear_within(&self, node: NodeId, depth: usize) -> LinearSum {
        self.sum_of(node, depth).unwrap_or_else(|| LinearSum::of_node(node))
    }

    /// What a node is the sum of. It is `None` where the node is no sum.
    fn sum_of(&self, node: NodeId, depth: usize) -> Option<LinearSum> {
        if let Some(form) = self.form_of(node) {
            return Some(LinearSum::of_form(form));
        }
        let depth = depth.checked_sub(1)?;
        let NodeKind::Map(prim, [Some(x), y, None]) = self.graph.builder.program().node(node).kind else { return None };
        if prim == Prim::Neg {
            return self.linear_within(x, depth).scaled(&Affine::constant(-1));
        }
        let y = y?;
        if prim == Prim::Mul {
            let (of, factor) = match (self.form_of(x), self.form_of(y)) {
                (_, Some(factor)) => (x, factor),
                (Some(factor), None) => (y, factor),
                (None, None) => return None,
            };
            return self.linear_within(of, depth).scaled(&factor);
        }
        let sign = match prim == Prim::Sub {
            true => -1,
            false if prim == Prim::Add => 1,
            false => return None,
        };
        self.linear_within(x, depth).plus(&self.linear_within(y, depth), sign)
    }

    /// A number, or a dimension as [`Expand::dim`](crate::ops::expand::Expand::dim) makes a node of it, in a dtype that
    /// holds it. One that only data decide is a value like any other.
    pub(in crate::check) fn form_of(&self, node: NodeId) -> Option<Affine> {
        let number =
            |node: NodeId| self.graph.builder.as_constant(node).and_then(|it| Interval::of_scalar(it).single());
        if let Some(number) = number(node) {
            return i64::try_from(number).ok().map(Affine::constant);
        }
        let program = self.graph.builder.program();
        let mut sum = node;
        if let NodeKind::Map(Prim::Convert, [Some(arg), ..]) = program.node(node).kind
            && program.node(node).dtype.bits() >= 32
        {
            sum = arg;
        }
        let NodeKind::Fold { fold: Fold::Sum, arg, .. } = program.node(sum).kind else { return None };
        let NodeKind::View { arg: one, view: View::Broadcast } = program.node(arg).kind else { return None };
        let [dim] = program.node(arg).shape.as_slice() else { return None };
        // A sum in a narrower dtype may wrap.
        let is_wide = program.node(sum).dtype == DType::I64;
        if !is_wide || number(one) != Some(1) || self.is_counted(dim) {
            return None;
        }
        dim.form()
    }

    /// Whether an `i64` is known to lie between 0 and another, both included.
    pub(super) fn lies_within(&mut self, place: NodeId, most: NodeId) -> bool {
        let (place, most) = (self.linear(place), self.linear(most));
        let Some(room) = most.clone().plus(&place, -1) else { return false };
        [&place, &most].into_iter().all(|sum| self.is_near(sum))
            && [&place, &room].into_iter().all(|sum| self.is_natural(sum))
    }

    /// Whether an `i64` is known to be never below 0.
    pub(super) fn is_never_below_zero(&mut self, node: NodeId) -> bool {
        if matches!(self.interval(node), Interval::Integer { low: 0.., .. }) {
            return true;
        }
        let sum = self.linear(node);
        self.is_near(&sum) && self.is_natural(&sum)
    }

    /// An `i64` that is never below 0 as a sum that is written in one way: equal sums are one node. What is not known to
    /// be a sum of that kind is left as it is.
    pub(in crate::check) fn straight(&mut self, node: NodeId) -> NodeId {
        let sum = self.linear(node);
        match self.is_near(&sum) && self.is_natural(&sum) {
            true => self.sum_node(&sum),
            false => node,
        }
    }

    /// The length of two parts together, of which nodes say how long they are: of `k` and `n - k` it is `n`.
    pub(in crate::check) fn length_together(&mut self, one: NodeId, other: NodeId) -> Option<Dim> {
        let sum = self.linear(one).plus(&self.linear(other), 1)?;
        if !self.is_near(&sum) {
            return None;
        }
        let whole = if sum.terms.is_empty() {
            Dim::of(sum.constant)?
        } else {
            let lengths = &self.graph.builder.program().lengths;
            Dim::name(&lengths.iter().find(|length| self.linear(length.node) == sum)?.name)
        };
        Some(self.graph.equal().of(&whole))
    }

    /// The node of a sum: lengths first, then what is added, then what is taken away.
    fn sum_node(&mut self, sum: &LinearSum) -> NodeId {
        let minus = |times: &Affine| times.known().is_some_and(|times| times < 0);
        let (taken, added): (Vec<_>, Vec<_>) = sum.terms.iter().partition(|(_, times)| minus(times));
        let number = sum.constant.known();
        let mut found = number.is_none().then(|| self.form_node(&sum.constant));
        for (node, times) in added {
            let part = self.multiple(*node, times);
            found = Some(found.map_or(part, |found| self.graph.builder.map(Prim::Add, &[found, part])));
        }
        let number = number.filter(|number| *number != 0 || found.is_none());
        if let Some(number) = number {
            found = Some(match found {
                Some(found) => {
                    let prim = if number < 0 { Prim::Sub } else { Prim::Add };
                    let number = self.form_node(&Affine::constant(number.saturating_abs()));
                    self.graph.builder.map(prim, &[found, number])
                }
                None => self.form_node(&Affine::constant(number)),
            });
        }
        let mut found = found.unwrap_or_else(|| self.form_node(&Affine::constant(0)));
        for (node, times) in taken {
            let times = Affine::constant(times.known().unwrap_or(0).saturating_abs());
            let part = self.multiple(*node, &times);
            found = self.graph.builder.map(Prim::Sub, &[found, part]);
        }
        found
    }

    fn multiple(&mut self, node: NodeId, times: &Affine) -> NodeId {
        if times.known() == Some(1) {
            return node;
        }
        let times = self.form_node(times);
        self.graph.builder.map(Prim::Mul, &[node, times])
    }

    /// A number, or a size, as an `i64`.
    fn form_node(&mut self, form: &Affine) -> NodeId {
        if let Some(number) = form.known() {
            return self.graph.expand().integer(DType::I64, number.into());
        }
        match Dim::of(form.clone()).filter(|_| form.is_never_negative()) {
            Some(dim) => self.graph.expand().dim(&dim),
            None => self.size_node(form),
        }
    }

    fn is_near(&mut self, sum: &LinearSum) -> bool {
        let ends = self.sum_ends(sum);
        sum.is_near(&ends)
    }

    fn is_natural(&mut self, sum: &LinearSum) -> bool {
        let mut tries = MAX_VISITED_NODES;
        self.is_natural_within(sum, MAX_REPLACEMENTS, &mut tries)
    }

    /// Whether a sum is never below 0, in integers without limits. Where the ranges of its nodes do not say so, what is
    /// taken away is replaced by what it is at most.
    fn is_natural_within(&mut self, sum: &LinearSum, depth: usize, tries: &mut usize) -> bool {
        let ends = self.sum_ends(sum);
        if sum.is_never_negative(&ends) {
            return true;
        }
        let Some(depth) = depth.checked_sub(1) else { return false };
        let factor = |(node, times): (&NodeId, &Affine)| Some((*node, times.known().filter(|times| *times < 0)?));
        let taken: Vec<(NodeId, i64)> = sum.terms.iter().filter_map(factor).collect();
        taken.into_iter().any(|(node, times)| {
            let Some(left) = tries.checked_sub(1) else { return false };
            *tries = left;
            self.upper_sums(node).into_iter().any(|most| {
                let gap = most.plus(&LinearSum::of_node(node), -1);
                let least = gap.and_then(|gap| sum.clone().plus(&gap, times));
                least.is_some_and(|least| self.is_natural_within(&least, depth, tries))
            })
        })
    }

    /// Sums that a node is at most, in integers without limits.
    fn upper_sums(&mut self, node: NodeId) -> Vec<LinearSum> {
        let mut found = Vec::new();
        if let Some(count) = self.graph.steps.count(node) {
            // There is a step only where the counter lies below the count.
            let count = self.exact_sum(count);
            found.extend(count.and_then(|count| count.plus(&LinearSum::of_form(Affine::constant(1)), -1)));
        }
        if let NodeKind::Map(Prim::Min, [Some(a), Some(b), None]) = self.graph.builder.program().node(node).kind {
            found.extend(self.exact_sum(a));
            found.extend(self.exact_sum(b));
        }
        for (small, large) in self.graph.ranges.orders().to_vec() {
            let Some(small) = self.exact_sum(small) else { continue };
            let is_own = small.terms.len() == 1 && small.terms.get(&node).and_then(Affine::known) == Some(1);
            if is_own && let Some(large) = self.exact_sum(large) {
                found.extend(large.plus(&LinearSum::of_form(small.constant), -1));
            }
        }
        found
    }

    /// An `i64` as a sum, if neither the sum nor a part of it wraps.
    fn exact_sum(&mut self, node: NodeId) -> Option<LinearSum> {
        let known = self.graph.builder.program().node(node);
        if known.dtype != DType::I64 || !known.shape.is_empty() {
            return None;
        }
        let sum = self.linear(node);
        (sum == LinearSum::of_node(node) || self.is_near(&sum)).then_some(sum)
    }

    fn sum_ends(&mut self, sum: &LinearSum) -> Vec<NodeEnds> {
        let ends = |node: &NodeId| match self.interval(*node) {
            Interval::Integer { low, high } => (low, high),
            Interval::Float { .. } | Interval::Complex => (i128::MIN, i128::MAX),
        };
        sum.terms.keys().map(ends).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two nodes with factors, some lengths `n`, and a number.
    fn sum(factors: [i64; 2], lengths: i64, number: i64) -> LinearSum {
        let terms = [0, 1].map(NodeId).into_iter().zip(factors).filter(|(_, times)| *times != 0);
        let terms = terms.map(|(node, times)| (node, Affine::constant(times))).collect();
        let constant = Affine::constant(number).plus(&Affine::name("n"), lengths).expect("a form");
        LinearSum { terms, constant }
    }

    /// The ends of the nodes that stand in a sum.
    fn own_ends(sum: &LinearSum, ends: [NodeEnds; 2]) -> Vec<NodeEnds> {
        sum.terms.keys().map(|node| ends[node.index()]).collect()
    }

    fn each(mut check: impl FnMut([i64; 2], i64, i64)) {
        for a in -2..=2 {
            for b in -2..=2 {
                for lengths in -1..=2 {
                    (-3..=3).for_each(|number| check([a, b], lengths, number));
                }
            }
        }
    }

    #[test]
    fn what_is_never_negative_is_so_for_all_values() {
        let all = || (-2..=2i64).flat_map(|low| (low..=low + 2).map(move |high| [low, high]));
        let mut found = 0;
        each(|[a, b], lengths, number| {
            let sum = sum([a, b], lengths, number);
            for (x, y) in all().flat_map(|x| all().map(move |y| (x, y))) {
                let ends = [x, y].map(|[low, high]| (i128::from(low), i128::from(high)));
                let corners = x.iter().flat_map(|x| y.iter().map(move |y| a * x + b * y));
                let least = corners.min().expect("corners") + number;
                // A length may be anything from 0 on.
                let holds = lengths >= 0 && least >= 0;
                found += usize::from(holds);
                let own = own_ends(&sum, ends);
                assert_eq!(sum.is_never_negative(&own), holds, "{sum:?} of {x:?} and {y:?}");
                assert!(sum.is_near(&own));
            }
        });
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn sums_of_sums_have_the_sum_of_their_values() {
        let values = [5i64, 7];
        let value = |sum: &LinearSum| {
            let parts = sum.terms.iter().map(|(node, times)| times.known().expect("a number") * values[node.index()]);
            parts.sum::<i64>() + sum.constant.evaluate(&|_| Some(11)).expect("a number")
        };
        let others = [sum([1, -1], 1, 2), sum([0, 2], 0, -1), sum([-2, 0], -1, 0)];
        each(|factors, lengths, number| {
            let one = sum(factors, lengths, number);
            for (other, times) in others.iter().flat_map(|other| [-1, 1, 2].map(|times| (other, times))) {
                let both = one.clone().plus(other, times).expect("a sum");
                assert_eq!(value(&both), value(&one) + times * value(other));
                assert!(both.terms.values().all(|times| times.known() != Some(0)), "{both:?}");
            }
            for factor in -2..=2 {
                let scaled = one.scaled(&Affine::constant(factor)).expect("a sum");
                assert_eq!(value(&scaled), factor * value(&one));
                assert!(scaled.terms.values().all(|times| times.known() != Some(0)), "{scaled:?}");
            }
        });
    }

    /// What may wrap in an `i64` says nothing of integers without limits.
    #[test]
    fn what_may_wrap_is_not_near() {
        let whole = (i128::from(i64::MIN), i128::from(i64::MAX));
        let none = (i128::MIN, i128::MAX);
        let small = (0, 9);
        for (ends, near) in [(small, true), (whole, false), (none, false)] {
            let sum = sum([1, 0], 1, 0);
            assert_eq!(sum.is_near(&[ends]), near, "{ends:?}");
        }
        assert!(!sum([1, 0], 0, i64::MAX).is_near(&[small]));
        assert!(!sum([0, 0], i64::MAX, 0).is_near(&[]));
        let names = Affine::name("m").multiply(&Affine::name("n")).expect("a form");
        assert!(!LinearSum::of_form(names).is_near(&[]));
        let both = LinearSum::of_node(NodeId(0)).scaled(&Affine::name("n")).expect("a sum");
        assert!(both.is_near(&[small]), "{both:?}");
        assert!(both.is_never_negative(&[small]) && !both.is_never_negative(&[(-1, 9)]));
        assert!(!sum([1, -1], 0, 0).is_never_negative(&[none, none]));
    }
}
