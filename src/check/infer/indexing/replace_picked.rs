//! Replacing what picks select: an array with a value at their places.
//!
//! A computed position is no place of a region. There the whole axis is replaced, by the value where the position is
//! and by what was there elsewhere.

use super::pick::{IndexEffect, kept_shape, region};
use crate::check::infer::Ctx;
use crate::ir::{NodeId, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};

impl Ctx<'_> {
    /// A base with `value`, which has its dtype, at what picks select; the value is repeated to the region's shape.
    pub(in crate::check) fn replace_picked(&mut self, base: NodeId, picks: &[IndexEffect], value: NodeId) -> NodeId {
        let (region, lens) = region(self.graph.builder.shape(base), picks);
        let value = self.graph.builder.broadcast(value, &kept_shape(picks));
        let axes = || picks.iter().filter(|pick| !matches!(pick, IndexEffect::New));
        let single = |(pick, len): (&IndexEffect, &Dim)| match pick {
            IndexEffect::Computed(_) => Dim::Const(1),
            IndexEffect::Window { len, .. } => len.clone(),
            IndexEffect::At(_) | IndexEffect::Run(..) | IndexEffect::New => len.clone(),
        };
        let narrow: Shape = axes().zip(&lens).map(single).collect();
        let mut value = self.graph.builder.view(value, View::Reshape, narrow);
        // A computed position cannot be a place of a region: the axis keeps its elements everywhere else.
        let mut here: Option<NodeId> = None;
        for (axis, pick) in axes().enumerate() {
            let is = match pick {
                IndexEffect::Computed(index) => {
                    let iota = self.graph.builder.iota(axis, lens.clone());
                    self.graph.builder.map(Prim::Eq, &[iota, *index])
                }
                IndexEffect::Window { start, len, step } => {
                    value = self.spread_window(value, axis, *start, len, *step, &lens[axis]);
                    self.in_window(axis, *start, len, *step, &lens)
                }
                IndexEffect::At(_) | IndexEffect::Run(..) | IndexEffect::New => continue,
            };
            here = Some(here.map_or(is, |before| self.graph.builder.map(Prim::And, &[before, is])));
        }
        if let Some(here) = here {
            let old = self.graph.builder.slice(base, &region, lens.clone());
            let everywhere = self.graph.builder.broadcast(value, &lens);
            value = self.graph.expand().select(here, everywhere, old);
            value = self.graph.builder.broadcast(value, &lens);
        }
        self.graph.builder.update(base, &region, value)
    }

    /// The number of the window's element at each place. If the step is not 1, also whether the place is one of the
    /// window's.
    fn own_places(&mut self, places: NodeId, start: NodeId, step: i64) -> (NodeId, Option<NodeId>) {
        let mut e = self.graph.expand();
        let far = e.prim(Prim::Sub, &[places, start]);
        if step == 1 {
            return (far, None);
        }
        let (step, zero) = (e.integer(DType::I64, step.into()), e.integer(DType::I64, 0));
        let rest = e.prim(Prim::Rem, &[far, step]);
        (e.prim(Prim::FloorDiv, &[far, step]), Some(e.prim(Prim::Eq, &[rest, zero])))
    }

    /// Which places along an axis lie in a window.
    fn in_window(&mut self, axis: usize, start: NodeId, len: &Dim, step: i64, lens: &Shape) -> NodeId {
        let iota = self.graph.builder.iota(axis, lens.clone());
        let (own, exact) = self.own_places(iota, start, step);
        let mut e = self.graph.expand();
        let (len, zero) = (e.dim(len), e.integer(DType::I64, 0));
        let (from, to) = (e.prim(Prim::Le, &[zero, own]), e.prim(Prim::Lt, &[own, len]));
        let inside = e.prim(Prim::And, &[from, to]);
        exact.map_or(inside, |exact| e.prim(Prim::And, &[inside, exact]))
    }

    /// The elements of a window at their places along the whole axis, and any others elsewhere.
    fn spread_window(
        &mut self,
        value: NodeId,
        axis: usize,
        start: NodeId,
        len: &Dim,
        step: i64,
        whole: &Dim,
    ) -> NodeId {
        let places = self.graph.builder.iota(0, vec![whole.clone()]);
        let (own, _) = self.own_places(places, start, step);
        let mut e = self.graph.expand();
        let (zero, one) = (e.integer(DType::I64, 0), e.integer(DType::I64, 1));
        let len = e.dim(len);
        let last = e.prim(Prim::Sub, &[len, one]);
        let own = e.prim(Prim::Min, &[own, last]);
        let own = e.prim(Prim::Max, &[own, zero]);
        self.graph.builder.gather(value, own, axis)
    }
}
