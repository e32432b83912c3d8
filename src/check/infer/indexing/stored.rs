//! A reading of an array in which elements were stored. It is made of what was stored and of what was there before, and
//! the array itself is not. So a step of a loop that stores a few elements and reads some of them goes through none of
//! the others.
//!
//! ```text
//! y[t, 4] += 1
//! y[t, 5] += y[t, 4]        reads what was stored in y[t, 4], and y[t, 5] as it was
//! ```

use super::pick::{IndexEffect, kept_shape};
use crate::check::infer::Ctx;
use crate::ir::loops::bare;
use crate::ir::{NodeId, NodeKind, Slice, View};
use crate::scalar::prim::Prim;
use crate::types::Dim;

/// A read after more stores than this reads the array that they make, and does not look at each store.
const STORES: usize = 4;

impl Ctx<'_> {
    /// The elements that picks select, where one at least is at a computed position.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node stores elements")]
    pub(super) fn read_after_store(&mut self, node: NodeId, picks: &[IndexEffect]) -> Option<NodeId> {
        let is_known = |pick: &IndexEffect| matches!(pick, IndexEffect::At(Dim::Const(_)) | IndexEffect::Run(..));
        let is_computed = |pick: &IndexEffect| matches!(pick, IndexEffect::Computed(_));
        if picks.len() != self.graph.builder.shape(node).len()
            || !picks.iter().any(is_computed)
            || !picks.iter().all(|pick| is_computed(pick) || is_known(pick))
        {
            return None;
        }
        // Of many stores the array is made: each read would ask of all of them.
        if std::iter::successors(Some(node), |&node| self.before_store(node)).nth(STORES + 1).is_some() {
            return None;
        }
        match self.graph.builder.program().node(node).kind.clone() {
            NodeKind::Map(Prim::Select, [Some(here), Some(value), Some(old)]) => {
                self.after_select(node, here, value, old, picks)
            }
            NodeKind::Update { base, region, value } => self.after_update(base, &region, value, picks),
            _ => None,
        }
    }

    /// The array in which a node stores elements.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node stores elements")]
    fn before_store(&self, node: NodeId) -> Option<NodeId> {
        match self.graph.builder.program().node(node).kind {
            NodeKind::Map(Prim::Select, [_, _, old]) => old,
            NodeKind::Update { base, .. } => Some(base),
            _ => None,
        }
    }

    /// Where a condition on coordinates says what was stored.
    fn after_select(
        &mut self,
        node: NodeId,
        here: NodeId,
        value: NodeId,
        old: NodeId,
        picks: &[IndexEffect],
    ) -> Option<NodeId> {
        if self.graph.builder.shape(old) != self.graph.builder.shape(node) {
            return None;
        }
        let places: Vec<Option<NodeId>> = picks.iter().map(|pick| self.single_place(pick)).collect();
        let here = self.at_places(here, node, &places)?;
        let stored = self.stored_value(value, node, picks, &places)?;
        let old = self.select_picked(old, picks);
        let shape = kept_shape(picks);
        let here = self.graph.builder.broadcast(here, &shape);
        let stored = self.graph.builder.broadcast(stored, &shape);
        Some(self.graph.expand().select(here, stored, old))
    }

    /// The position of a pick of one element.
    fn single_place(&mut self, pick: &IndexEffect) -> Option<NodeId> {
        match pick {
            IndexEffect::At(Dim::Const(place)) => Some(self.graph.expand().whole(i64::try_from(*place).ok()?)),
            IndexEffect::Computed(place) => Some(*place),
            IndexEffect::At(_) | IndexEffect::Window { .. } | IndexEffect::Run(..) | IndexEffect::New => None,
        }
    }

    /// A scalar that is made of coordinates of a node, at single places.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node is made of coordinates")]
    fn at_places(&mut self, made: NodeId, of: NodeId, places: &[Option<NodeId>]) -> Option<NodeId> {
        let program = self.graph.builder.program();
        let known = program.node(made);
        match known.kind.clone() {
            _ if known.shape.is_empty() => Some(made),
            NodeKind::Iota { axis } => {
                // Fewer coordinates are repeated.
                let whole = known.shape == program.node(of).shape;
                places.get(axis as usize).copied().flatten().filter(|_| whole)
            }
            NodeKind::View { arg, view: View::Broadcast } if program.node(arg).shape.is_empty() => Some(arg),
            NodeKind::Map(Prim::And | Prim::Eq | Prim::Le | Prim::Lt | Prim::Sub, [Some(x), Some(y), None]) => {
                let NodeKind::Map(prim, _) = known.kind else { return None };
                let (x, y) = (self.at_places(x, of, places)?, self.at_places(y, of, places)?);
                Some(self.graph.expand().prim(prim, &[x, y]))
            }
            _ => None,
        }
    }

    /// What is stored at single places: of an axis along which the value repeats its only element.
    fn stored_value(
        &mut self,
        value: NodeId,
        of: NodeId,
        picks: &[IndexEffect],
        places: &[Option<NodeId>],
    ) -> Option<NodeId> {
        let program = self.graph.builder.program();
        let value = bare(program, value);
        let (own, whole) = (program.node(value).shape.clone(), program.node(of).shape.clone());
        let missing = whole.len().checked_sub(own.len())?;
        let mut inner = Vec::with_capacity(own.len());
        for (axis, len) in own.iter().enumerate() {
            let pick = &picks[missing + axis];
            inner.push(match (pick, len) {
                (IndexEffect::Run(..), Dim::Const(1)) => IndexEffect::Run(Slice::all(), Dim::Const(1)),
                (_, Dim::Const(1)) => IndexEffect::At(Dim::Const(0)),
                // Another value for each place would be made for all of them.
                _ if places[missing + axis].is_some() || *len != whole[missing + axis] => return None,
                _ => pick.clone(),
            });
        }
        Some(self.select_picked(value, &inner))
    }

    /// Where a region of known places was stored.
    fn after_update(&mut self, base: NodeId, region: &[Slice], value: NodeId, picks: &[IndexEffect]) -> Option<NodeId> {
        let lens = self.graph.builder.shape(value).clone();
        let whole = self.graph.builder.shape(base).clone();
        let mut inner = Vec::with_capacity(picks.len());
        for (axis, pick) in picks.iter().enumerate() {
            let (slice, len) = (region.get(axis)?, lens.get(axis)?);
            inner.push(match pick {
                _ if *slice == Slice::all() && *len == whole[axis] => pick.clone(),
                IndexEffect::At(Dim::Const(place)) => {
                    let place = isize::try_from(*place).ok()?;
                    let count = usize::try_from(len.known()?).ok()?;
                    let mut stored = (0..count).map(|index| slice.position(index));
                    match stored.position(|own| own == Some(place)) {
                        Some(index) => IndexEffect::At(Dim::Const(index as u64)),
                        None => return Some(self.select_picked(base, picks)),
                    }
                }
                IndexEffect::At(_)
                | IndexEffect::Computed(_)
                | IndexEffect::Window { .. }
                | IndexEffect::Run(..)
                | IndexEffect::New => return None,
            });
        }
        Some(self.select_picked(value, &inner))
    }
}
