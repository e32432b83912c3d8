//! The length of arrays that are joined along one axis.
//!
//! Two parts that one cut makes of an axis are as long as the axis, however short that is: `a[:3]` and `a[3:]`, `a[:k]`
//! and `a[k:]`. The length of `a[3:]` is written `n-3`, and that of `a[k:]` has a name of its own: as a sum they would
//! say less.

use crate::check::infer::Ctx;
use crate::ir::{NodeId, NodeKind};
use crate::range::Interval;
use crate::scalar::prim::Prim;
use crate::types::affine::Atom;
use crate::types::{Affine, Dim};

/// Among more parts nobody looks for two of one axis.
const MAX_PARTS: usize = 16;

impl Ctx<'_> {
    /// The length of parts together, if it is shorter to say than their sum: where some are the two parts of an axis.
    pub(in crate::check) fn rejoin(&mut self, mut lens: Vec<Dim>) -> Option<Dim> {
        if lens.len() > MAX_PARTS {
            return None;
        }
        let count = lens.len();
        while let Some((first, second, whole)) = self.two_of_one(&lens) {
            lens.remove(second);
            lens[first] = whole;
        }
        let whole = lens.iter().try_fold(Dim::Const(0), |sum, len| sum.add_scaled(len, 1))?;
        // What a mask keeps and what it leaves are as long as the mask.
        let seen = whole.form().and_then(|form| Dim::of(self.within_counts(form))).filter(|seen| *seen != whole);
        seen.or_else(|| (lens.len() < count).then_some(whole))
    }

    /// Two parts of one axis, the first and the second by their numbers, and the length of the axis.
    fn two_of_one(&mut self, lens: &[Dim]) -> Option<(usize, usize, Dim)> {
        for (second, right) in lens.iter().enumerate() {
            for (first, left) in lens[..second].iter().enumerate() {
                if let Some(whole) = self.cut_apart(left, right).or_else(|| self.cut_apart(right, left)) {
                    return Some((first, second, whole));
                }
            }
        }
        None
    }

    /// The length of the axis of which one part is kept by a slice, and the other is what the slice leaves.
    fn cut_apart(&mut self, kept: &Dim, left: &Dim) -> Option<Dim> {
        let (Dim::Affine(kept), Dim::Affine(left)) = (kept, left) else { return None };
        let (Affine { terms, constant: 0 }, Affine { terms: others, constant }) = (&**kept, &**left) else {
            return None;
        };
        // `min(3, n)` and `max(0, n-3)` are `n`.
        if let [(Atom::Least(low, high), 1)] = terms.as_slice() {
            let before = |cut: &Affine| {
                let whole = left.plus(cut, 1)?;
                if whole.least(cut).as_ref() == Some(&**kept) { Dim::of(whole) } else { None }
            };
            return before(low).or_else(|| before(high));
        }
        match (terms.as_slice(), others.as_slice(), *constant) {
            ([(Atom::Name(kept), 1)], [(Atom::Name(left), 1)], 0) => self.computed_cut(kept, left),
            _ => None,
        }
    }

    /// The length of the axis of which two parts have names, if they meet at one computed place in it.
    fn computed_cut(&mut self, kept: &str, left: &str) -> Option<Dim> {
        let (kept, left) = (self.count_named(kept)?, self.count_named(left)?);
        if let Some(whole) = self.length_together(kept, left) {
            return Some(whole);
        }
        let left = self.above_zero(left).unwrap_or(left);
        let NodeKind::Map(Prim::Sub, [Some(whole), Some(place), None]) = self.graph.builder.program().node(left).kind
        else {
            return None;
        };
        if (kept != place && self.above_zero(kept) != Some(place)) || !self.is_place_in(place, whole) {
            return None;
        }
        let counted = self.graph.builder.length_said_by(whole);
        match counted.map(|length| Dim::name(&length.name)) {
            Some(dim) => Some(self.graph.equal().of(&dim)),
            None => self.form_of(whole).and_then(Dim::of),
        }
    }

    /// The node that says how long a name is.
    fn count_named(&self, name: &str) -> Option<NodeId> {
        self.graph.builder.length_named(name).map(|length| length.node)
    }

    /// What a node is where that is not below 0.
    fn above_zero(&self, node: NodeId) -> Option<NodeId> {
        let NodeKind::Map(Prim::Max, [Some(of), Some(least), None]) = self.graph.builder.program().node(node).kind
        else {
            return None;
        };
        self.graph.builder.as_constant(least).is_some_and(|least| least.bits == 0).then_some(of)
    }

    /// Whether a node lies between 0 and a length, both included.
    fn is_place_in(&mut self, place: NodeId, whole: NodeId) -> bool {
        let Interval::Integer { low: 0.., high } = self.interval(place) else { return false };
        if let NodeKind::Map(Prim::Min, [Some(x), Some(y), None]) = self.graph.builder.program().node(place).kind
            && (x == whole || y == whole)
        {
            return true;
        }
        matches!(self.interval(whole), Interval::Integer { low, .. } if high <= low)
    }
}
