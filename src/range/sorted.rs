//! Order along an axis. In an ascending array nothing that stands further on is smaller. So `s[1:] - s[:-1]` is never
//! below 0 for `s = sort(x)`, and neither is it for the running sum of numbers that are not negative.

use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, NodeKind, Program, Slice, View};
use crate::types::{Affine, Dim};

/// The most views that are looked through.
const MAX_VIEWS: usize = 8;

/// What is looked up: a program, and what is known of its nodes. `bare` gives the value under conversions and
/// repetitions that change none.
#[derive(Clone, Copy)]
pub(super) struct SortedSlices<'p> {
    pub(super) program: &'p Program,
    pub(super) bare: &'p dyn Fn(NodeId) -> NodeId,
    /// Whether a node is a sum that nothing makes smaller.
    pub(super) grows: &'p dyn Fn(NodeId) -> bool,
}

impl SortedSlices<'_> {
    /// Whether two views take elements of one array that is in order, and the first takes none that is larger than its
    /// counterpart.
    pub(super) fn at_most(self, mut small: NodeId, mut large: NodeId) -> bool {
        for _ in 0..MAX_VIEWS {
            let (one, other) = (self.program.node(small), self.program.node(large));
            let (NodeKind::View { arg, view }, NodeKind::View { arg: base, view: its }) = (&one.kind, &other.kind)
            else {
                return false;
            };
            if one.shape != other.shape {
                return false;
            }
            if let (View::Slice(region), View::Slice(others)) = (view, its)
                && arg == base
            {
                return self.stands_before(*arg, region, others);
            }
            if view != its {
                return false;
            }
            (small, large) = (*arg, *base);
        }
        false
    }

    /// Whether the elements of one region of an array are nowhere above those of another.
    fn stands_before(self, array: NodeId, small: &[Slice], large: &[Slice]) -> bool {
        let Some((sorted, ascends)) = self.sorted_axis(array, MAX_VIEWS) else { return false };
        let len = &self.program.node(array).shape[sorted];
        small.iter().zip(large).enumerate().all(|(axis, (one, other))| {
            let (first, second) = if ascends { (one, other) } else { (other, one) };
            one.step == other.step
                && if axis == sorted { is_later(&first.start, &second.start, len) } else { one == other }
        })
    }

    /// The axis along which an array is in order, and whether it ascends there.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other nodes are in no order that is known")]
    fn sorted_axis(self, array: NodeId, depth: usize) -> Option<(usize, bool)> {
        let bare = (self.bare)(array);
        let found = self.program.node(bare);
        let inner = |arg: NodeId| self.sorted_axis(arg, depth.checked_sub(1)?);
        let last = found.shape.len().checked_sub(1)?;
        let (axis, ascends) = match &found.kind {
            NodeKind::Routine { routine: Routine::Sort, .. } => (last, true),
            // What is left out leaves the others in order.
            NodeKind::Routine { routine: Routine::Compress, args } => {
                inner(args[0]).filter(|&(axis, _)| axis == last)?
            }
            NodeKind::Scan { fold: Fold::Max, axis, .. } => (*axis as usize, true),
            NodeKind::Scan { fold: Fold::Min, axis, .. } => (*axis as usize, false),
            NodeKind::Scan { fold: Fold::Sum, axis, .. } if (self.grows)(bare) => (*axis as usize, true),
            NodeKind::View { arg, view: View::Transpose(order) } => {
                let (axis, ascends) = inner(*arg)?;
                (order.iter().position(|&from| from as usize == axis)?, ascends)
            }
            NodeKind::View { arg, view: View::Slice(region) } => {
                let (axis, ascends) = inner(*arg)?;
                (axis, ascends == (region.get(axis)?.step > 0))
            }
            _ => return None,
        };
        // Axes that repeat come first.
        Some((axis + self.program.node(array).shape.len().checked_sub(found.shape.len())?, ascends))
    }
}

/// Whether a position in an axis of `len` elements is not before another one, where there are elements at all.
fn is_later(first: &Dim, second: &Dim, len: &Dim) -> bool {
    let gap = || second.form()?.plus(&first.form()?, -1);
    let beyond = || gap()?.plus(&len.form()?, -1)?.plus(&Affine::constant(1), 1);
    gap().is_some_and(|gap| gap.is_never_negative()) || beyond().is_some_and(|gap| gap.is_never_negative())
}
