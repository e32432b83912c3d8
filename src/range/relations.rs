//! Relations between the operands of a sum or a difference. `maximum(a, b) - minimum(a, b)` is never below 0, whatever
//! `a` and `b` are, and `a + minimum(b, 255 - a)` never above 255.
//!
//! Intervals forget this, so it is looked up in the program: a node lies below the operands of its maximum, above those
//! of its minimum, above its own remainder, and so on, a few steps far. A condition tells more where a selection takes
//! an arm: `where(a > b, a - b, b - a)`.

use super::integer::{self, Ends};
use super::prims::ends;
use super::sorted::SortedSlices;
use super::{Interval, Range, arms, lengths};
use crate::ir::{Fold, NodeId, NodeKind, Program, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim};

/// How many nodes are looked at on either side of a comparison.
const MAX_SEARCHED_NODES: usize = 24;
/// How deep conditions joined by `and` and `or` are taken apart.
const DEPTH: usize = 8;

/// A program whose ranges are known up to some node, and what a condition says besides.
pub(super) struct Relations<'p, F> {
    program: &'p Program,
    of: F,
    /// Pairs of which the first is at most the second.
    facts: Vec<(NodeId, NodeId)>,
    /// Pairs that differ.
    apart: Vec<(NodeId, NodeId)>,
}

impl<'p, F: Fn(NodeId) -> Range> Relations<'p, F> {
    /// What holds everywhere.
    pub(super) fn new(program: &'p Program, of: F) -> Self {
        Relations { program, of, facts: Vec::new(), apart: Vec::new() }
    }

    /// What holds besides: pairs of which the first is at most the second.
    pub(super) fn with(mut self, pairs: &[(NodeId, NodeId)]) -> Self {
        self.facts.extend_from_slice(pairs);
        self
    }

    /// The pairs of which the first is at most the second where an assertion holds.
    pub(super) fn order_of_assertion(self, condition: NodeId) -> Vec<(NodeId, NodeId)> {
        let program = self.program;
        let condition = arms::of_elements(program, condition);
        let says = |node: NodeId| arms::is_about(program, condition, node);
        let mut pairs = self.under(condition, true).facts;
        pairs.retain(|&(small, large)| says(small) && says(large));
        pairs
    }

    /// What holds besides where a condition does, or where it does not.
    pub(super) fn under(mut self, condition: NodeId, holds: bool) -> Self {
        let mut left = vec![(condition, holds, DEPTH)];
        while let Some((condition, holds, depth)) = left.pop() {
            let NodeKind::Map(prim, [Some(a), b, _]) = self.program.node(condition).kind else { continue };
            match (prim, b) {
                _ if depth == 0 => {}
                (Prim::Not, _) => left.push((a, !holds, depth - 1)),
                (Prim::And, Some(b)) if holds => left.extend([(a, true, depth - 1), (b, true, depth - 1)]),
                (Prim::Or, Some(b)) if !holds => left.extend([(a, false, depth - 1), (b, false, depth - 1)]),
                (Prim::Lt | Prim::Le, Some(b)) if self.ends(a).is_some() && self.ends(b).is_some() => {
                    let (small, large) = if holds { (a, b) } else { (b, a) };
                    let pair = (self.bare(small), self.bare(large));
                    self.facts.push(pair);
                }
                (Prim::Eq, Some(b)) if !holds => self.apart.push((a, b)),
                (Prim::Ne, Some(b)) if holds => self.apart.push((a, b)),
                _ => {}
            }
        }
        self
    }

    /// Whether the condition says that a node does not have a value.
    pub(super) fn says_differs(&self, node: NodeId, value: i128) -> bool {
        let is_it = |other: NodeId| self.ends(other) == Some((value, value));
        self.apart.iter().any(|&(a, b)| a == node && is_it(b) || b == node && is_it(a))
    }

    /// The values of integer arithmetic in unlimited integers, for operands with these ranges.
    pub(super) fn exact(&self, prim: Prim, dtype: DType, args: &[NodeId], ranges: &[Range]) -> Option<Ends> {
        let found = integer::exact(prim, dtype, &ends(ranges)?)?;
        let found = match (prim, args) {
            (Prim::Add | Prim::Sub | Prim::Mul, &[a, b]) => {
                self.by_arms(prim, dtype, [a, b]).map_or(found, |it| meet(found, it))
            }
            _ => found,
        };
        Some(match (prim, args) {
            (Prim::Add, &[a, b]) => meet(found, self.sum(a, b)),
            (Prim::Sub, &[a, b]) => meet(found, self.difference(a, b)),
            (Prim::Mul, &[a, b]) if a == b => meet(found, integer::square(self.ends(a)?)),
            (Prim::Mul, &[a, b]) => {
                let multiples = self.multiples(a, b).or_else(|| self.multiples(b, a));
                multiples.map_or(found, |it| meet(found, it))
            }
            _ => found,
        })
    }

    /// What `x + where(x > 200, 0, 55)` is with either arm, each where it is taken; and `x - (x > 0)`, where a truth
    /// value is 1 or 0.
    fn by_arms(&self, prim: Prim, dtype: DType, args: [NodeId; 2]) -> Option<Ends> {
        let args = args.map(|arg| self.bare(arg));
        (0..2).find_map(|place| {
            let node = self.program.node(args[place]);
            let selection = if let NodeKind::Map(Prim::Select, [Some(condition), Some(yes), Some(no)]) = node.kind {
                Some((condition, yes, no))
            } else {
                None
            };
            if selection.is_none() && node.dtype != DType::Bool {
                return None;
            }
            let with = |holds: bool| {
                let (condition, mut args) = (selection.map_or(args[place], |it| it.0), args);
                if let Some((_, yes, no)) = selection {
                    args[place] = if holds { yes } else { no };
                }
                let mut known = args.map(|arg| arms::under(self.program, condition, holds, arg, &self.of));
                if selection.is_none() {
                    known[place] = known[place].with(Interval::Integer { low: holds.into(), high: holds.into() });
                }
                integer::exact(prim, dtype, &ends(&known)?)
            };
            let ((a, b), (c, d)) = (with(true)?, with(false)?);
            Some((a.min(c), b.max(d)))
        })
    }

    /// `abs(x) // gcd(x, y) * abs(y)` is the least common multiple.
    fn multiples(&self, part: NodeId, size: NodeId) -> Option<Ends> {
        let [other, divisor] = self.map(part, Prim::FloorDiv)?;
        let [x, y] = self.map(divisor, Prim::Gcd)?;
        let are_sizes = |x: NodeId, y: NodeId| self.is_size_of(other, x) && self.is_size_of(self.bare(size), y);
        // The magnitude of the smallest number of a dtype wraps.
        let is_exact = [other, size].into_iter().all(|it| self.ends(it).is_some_and(|ends| ends.0 >= 0));
        let is_least = is_exact && (are_sizes(x, y) || are_sizes(y, x));
        is_least.then(|| Some(integer::multiples(self.ends(x)?, self.ends(y)?)))?
    }

    /// Whether a node is the magnitude of another one.
    fn is_size_of(&self, size: NodeId, x: NodeId) -> bool {
        let NodeKind::Map(Prim::Abs, [Some(arg), ..]) = self.program.node(size).kind else {
            let single = |node: NodeId| self.ends(node).filter(|ends| ends.0 == ends.1).map(|ends| ends.0);
            let (size, x) = (single(size), single(x));
            return size.is_some() && size == x.map(i128::saturating_abs);
        };
        self.bare(arg) == x
    }

    /// `(a | b) - ((a ^ b) >> 1)` is between its operands; `a - a // 2` grows with `a`.
    fn difference(&self, a: NodeId, b: NodeId) -> Ends {
        let low = if self.at_most(b, a) { 0 } else { i128::MIN };
        let high = if self.at_most(a, b) { 0 } else { i128::MAX };
        let found = [self.halfway(a, b, Prim::Or), self.all_but_a_share(a, b)];
        found.into_iter().flatten().fold((low, high), meet)
    }

    fn all_but_a_share(&self, a: NodeId, b: NodeId) -> Option<Ends> {
        let ([part, by], is_shift) = match self.map(b, Prim::FloorDiv) {
            Some(parts) => (parts, false),
            None => (self.map(b, Prim::Shr)?, true),
        };
        let by = self.ends(by).filter(|by| by.0 == by.1)?.0;
        let divisor = if is_shift { 1i128.checked_shl(u32::try_from(by).ok()?)? } else { by };
        let (low, high) = self.ends(a).filter(|_| part == self.bare(a) && divisor > 0)?;
        Some((low - low.div_euclid(divisor), high - high.div_euclid(divisor)))
    }

    /// `a + minimum(b, c - a)` is at most `c`, and so is `a + (c - a) // 2`; `(a & b) + ((a ^ b) >> 1)` is between its
    /// operands; `a*(c - t) + b*t` is a share of each; `a // k * k + a % k` is `a`.
    fn sum(&self, a: NodeId, b: NodeId) -> Ends {
        let pairs = [(a, b), (b, a)];
        let all = pairs.into_iter().flat_map(|(a, b)| {
            let mean = self.halfway(a, b, Prim::And);
            [self.filled_up(a, b), mean, self.blend(a, b), self.put_together(a, b)]
        });
        all.flatten().fold((i128::MIN, i128::MAX), meet)
    }

    fn filled_up(&self, a: NodeId, b: NodeId) -> Option<Ends> {
        let own = self.bare(a);
        let high = self.above(b).into_iter().filter_map(|room| {
            let (whole, taken) = self.rest(room)?;
            (taken == own).then(|| self.ends(whole)).flatten()
        });
        Some((i128::MIN, high.map(|ends| ends.1).min()?))
    }

    /// Half of what differs between two numbers, with what they have in common, or with the bits that either has, is
    /// their mean: in unlimited integers too, where the shift keeps the sign.
    fn halfway(&self, a: NodeId, b: NodeId, common: Prim) -> Option<Ends> {
        let [x, y] = self.map(a, common)?;
        let [odd, one] = self.map(b, Prim::Shr)?;
        let [p, q] = self.map(odd, Prim::Xor)?;
        let same = (x, y) == (p, q) || (x, y) == (q, p);
        let (x, y) = (self.ends(x)?, self.ends(y)?);
        let is_halved = self.ends(one)? == (1, 1);
        (same && is_halved).then_some((x.0.min(y.0), x.1.max(y.1)))
    }

    fn put_together(&self, a: NodeId, b: NodeId) -> Option<Ends> {
        let [p, q] = self.map(a, Prim::Mul)?;
        let [x, by] = self.map(b, Prim::Rem)?;
        let (part, back) = if self.map(p, Prim::FloorDiv).is_some() { (p, q) } else { (q, p) };
        let whole = self.cut_off(self.bare(part), back, Prim::FloorDiv)?;
        (self.bare(whole) == x && self.ends(by)? == self.ends(back)?).then(|| self.ends(x))?
    }

    fn blend(&self, a: NodeId, b: NodeId) -> Option<Ends> {
        let ([p, t], [q, s]) = (self.map(a, Prim::Mul)?, self.map(b, Prim::Mul)?);
        // The weight and its rest, each on either side of its product.
        let orders = [(p, t, q, s), (p, t, s, q), (t, p, q, s), (t, p, s, q)];
        orders.into_iter().find_map(|(p, t, q, s)| {
            let (whole, taken) = self.rest(t)?;
            let (share, rest) = (self.ends(s)?, self.ends(t)?);
            if taken != s || share.0 < 0 || rest.0 < 0 {
                return None;
            }
            let (p, q, whole) = (self.ends(p)?, self.ends(q)?, self.ends(whole)?);
            let (low, high) = (p.0.min(q.0), p.1.max(q.1));
            (low >= 0).then(|| (low.saturating_mul(whole.0), high.saturating_mul(whole.1)))
        })
    }

    /// Whether a node is a sum of what is never below 0, which does not wrap.
    fn grows(&self, node: NodeId) -> bool {
        let (NodeKind::Fold { fold: Fold::Sum, arg, .. } | NodeKind::Scan { fold: Fold::Sum, arg, .. }) =
            self.program.node(node).kind
        else {
            return false;
        };
        self.ends(arg).is_some_and(|(low, high)| low >= 0 && lengths::sum_fits(self.program, node, high))
    }

    /// Whether a value is at most another, element by element.
    fn at_most(&self, small: NodeId, large: NodeId) -> bool {
        let (above, below) = (self.above(small), self.below(large, &self.program.node(small).shape));
        above.iter().any(|small| below.iter().any(|large| small == large || self.ordered(*small, *large)))
    }

    /// Pairs that are known as such: the extremes of one array, elements of one array that is in order, a running sum
    /// and the whole one, and bits of which one set lies in the other.
    fn ordered(&self, small: NodeId, large: NodeId) -> bool {
        match (&self.program.node(small).kind, &self.program.node(large).kind) {
            (
                NodeKind::Fold { fold: Fold::Min, arg, axes, keep },
                NodeKind::Fold { fold: Fold::Max, arg: other, axes: others, keep: kept },
            ) => (arg, axes, keep) == (other, others, kept),
            (NodeKind::View { .. }, NodeKind::View { .. }) => {
                let (bare, grows) = (|node: NodeId| self.bare(node), |node: NodeId| self.grows(node));
                SortedSlices { program: self.program, bare: &bare, grows: &grows }.at_most(small, large)
            }
            (NodeKind::Scan { arg, axis, .. }, NodeKind::Fold { arg: other, axes, .. }) => {
                let are_same = self.program.node(*arg).shape == self.program.node(*other).shape
                    && self.bare(*arg) == self.bare(*other);
                let is_part = are_same && *axes == [*axis];
                is_part && self.grows(small) && self.grows(large) && self.beside(large).is_some()
            }
            (NodeKind::Map(Prim::Xor, xor), NodeKind::Map(Prim::Or, or)) => {
                let natural = |args: &[Option<NodeId>; 3]| args.iter().flatten().all(|&arg| self.natural(arg));
                natural(xor) && (xor == or || (xor[0], xor[1]) == (or[1], or[0]))
            }
            _ => false,
        }
    }

    /// Nodes that are nowhere below this one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of other nodes only the facts tell something")]
    fn above(&self, node: NodeId) -> Vec<NodeId> {
        self.closure(node, |node, found| {
            match self.program.node(node).kind {
                NodeKind::Map(Prim::Min, [Some(p), Some(q), _]) => found.extend([p, q]),
                NodeKind::Map(Prim::And, [Some(p), Some(q), _]) => {
                    found.extend([p, q].into_iter().filter(|&arg| self.natural(arg)));
                }
                NodeKind::Map(Prim::Rem, [Some(p), Some(q), _]) => {
                    found.extend(self.natural(p).then_some(p));
                    found.extend(self.ends(q).is_some_and(|ends| ends.0 > 0).then_some(q));
                }
                NodeKind::Map(Prim::FloorDiv | Prim::Shr, [Some(p), ..]) if self.natural(p) => found.push(p),
                NodeKind::Map(Prim::Mul, [Some(p), Some(q), _]) => {
                    let cut = self.cut_off(p, q, Prim::FloorDiv).or_else(|| self.cut_off(q, p, Prim::FloorDiv));
                    found.extend(cut);
                }
                NodeKind::Map(Prim::Shl, [Some(p), Some(q), _]) => found.extend(self.cut_off(p, q, Prim::Shr)),
                NodeKind::Fold { fold: Fold::Min, .. } | NodeKind::Scan { fold: Fold::Min, .. } => {
                    found.extend(self.beside(node));
                }
                _ => {}
            }
            found.extend(self.facts.iter().filter(|(small, _)| *small == node).map(|(_, large)| *large));
        })
    }

    /// The `x` of `(x // k) * k` and `(x >> k) << k`.
    fn cut_off(&self, part: NodeId, back: NodeId, prim: Prim) -> Option<NodeId> {
        let [x, by] = self.map(part, prim)?;
        let (by, back) = (self.ends(by)?, self.ends(back)?);
        (by == back && by.0 == by.1 && by.0 > 0 && self.natural(x)).then_some(x)
    }

    /// Nodes that are nowhere above this one, where it meets a value of a shape.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of other nodes only the facts tell something")]
    fn below(&self, node: NodeId, met: &[Dim]) -> Vec<NodeId> {
        self.closure(node, |node, found| {
            match self.program.node(node).kind {
                NodeKind::Map(Prim::Max, [Some(p), Some(q), _]) => found.extend([p, q]),
                NodeKind::Map(Prim::Or, [Some(p), Some(q), _]) if self.natural(p) && self.natural(q) => {
                    found.extend([p, q]);
                }
                NodeKind::Fold { fold: Fold::Max, .. } | NodeKind::Scan { fold: Fold::Max, .. } => {
                    found.extend(self.beside(node));
                }
                NodeKind::Fold { fold: Fold::Sum, .. } | NodeKind::Scan { fold: Fold::Sum, .. }
                    if self.grows(node) && self.adds_some(node, met) =>
                {
                    found.extend(self.beside(node));
                }
                _ => {}
            }
            found.extend(self.facts.iter().filter(|(_, large)| *large == node).map(|(small, _)| *small));
        })
    }

    /// Whether a sum that meets a value of a shape adds up some elements. A sum of nothing is 0, also below what was
    /// repeated to meet the nothing.
    fn adds_some(&self, node: NodeId, met: &[Dim]) -> bool {
        let NodeKind::Fold { arg, axes, .. } = &self.program.node(node).kind else { return true };
        let shape = &self.program.node(*arg).shape;
        // Where nothing is added up, what is compared has no elements either.
        let is_beside = met.ends_with(shape);
        is_beside || axes.iter().all(|&axis| shape[axis as usize].known().is_some_and(|len| len > 0))
    }

    /// What an extreme was taken of, where the two broadcast so that each element meets the extreme of its own row.
    fn beside(&self, node: NodeId) -> Option<NodeId> {
        let kind = &self.program.node(node).kind;
        if let NodeKind::Scan { arg, .. } = kind {
            return Some(*arg);
        }
        let NodeKind::Fold { arg, axes, keep, .. } = kind else { return None };
        let leading = axes.iter().enumerate().all(|(at, &axis)| at == axis as usize);
        (*keep || leading).then_some(*arg)
    }

    fn closure(&self, node: NodeId, step: impl Fn(NodeId, &mut Vec<NodeId>)) -> Vec<NodeId> {
        let mut found = vec![self.bare(node)];
        let mut at = 0;
        while at < found.len() && found.len() < MAX_SEARCHED_NODES {
            let mut next = Vec::new();
            step(found[at], &mut next);
            for node in next {
                let node = self.bare(node);
                if !found.contains(&node) {
                    found.push(node);
                }
            }
            at += 1;
        }
        found
    }

    /// The value under conversions that change none, repeated or not.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is the value itself")]
    fn bare(&self, mut node: NodeId) -> NodeId {
        loop {
            node = match &self.program.node(node).kind {
                NodeKind::View { arg, view: View::Broadcast } => *arg,
                NodeKind::Map(Prim::Convert, [Some(arg), ..])
                    if self.ends(*arg).is_some()
                        && (self.of)(*arg).interval.exists_in(self.program.node(node).dtype) =>
                {
                    *arg
                }
                _ => return node,
            }
        }
    }

    /// The operands of a prim.
    fn map(&self, node: NodeId, wanted: Prim) -> Option<[NodeId; 2]> {
        let NodeKind::Map(prim, [Some(a), Some(b), None]) = self.program.node(self.bare(node)).kind else {
            return None;
        };
        (prim == wanted).then(|| [self.bare(a), self.bare(b)])
    }

    /// `c - x`, where it does not wrap: the whole and what is taken from it.
    fn rest(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        let node = self.bare(node);
        let [whole, taken] = self.map(node, Prim::Sub)?;
        let (whole_ends, taken_ends) = (self.ends(whole)?, self.ends(taken)?);
        let exact = integer::exact(Prim::Sub, self.program.node(node).dtype, &[whole_ends, taken_ends])?;
        let (low, high) = meet(exact, self.difference(whole, taken));
        Interval::Integer { low, high }.exists_in(self.program.node(node).dtype).then_some((whole, taken))
    }

    fn ends(&self, node: NodeId) -> Option<Ends> {
        (self.of)(node).interval.integer_ends()
    }

    fn natural(&self, node: NodeId) -> bool {
        self.ends(node).is_some_and(|ends| ends.0 >= 0)
    }
}

/// What two intervals have in common; the first where that is nothing.
fn meet(a: Ends, b: Ends) -> Ends {
    let both = (a.0.max(b.0), a.1.min(b.1));
    if both.0 <= both.1 { both } else { a }
}
