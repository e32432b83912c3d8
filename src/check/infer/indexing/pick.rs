//! Picks: what an index does to each axis.
//!
//! `select_picked` makes nodes of what picks select, `replace_picked` those of an array in which that is replaced.

use crate::check::infer::values::value::{Literal, Value};
use crate::ir::{NodeId, Slice};
use crate::types::{Dim, Shape, shape};
use std::sync::Arc;

/// What one position of an index does to its axis.
#[derive(Clone, Debug)]
pub(in crate::check) enum IndexEffect {
    /// Takes one element, and the axis away.
    At(Dim),
    /// Takes one element, and the axis away, at a position that is computed: an `i64` scalar that counts from 0.
    Computed(NodeId),
    /// Takes `len` elements from the position `start` on, each `step` places after the one before. `start` is computed:
    /// an `i64` scalar that counts from 0.
    Window { start: NodeId, len: Dim, step: i64 },
    /// Takes a run of elements.
    Run(Slice, Dim),
    /// Adds an axis of length 1.
    New,
}

/// All of an axis.
pub(in crate::check) fn whole(len: Dim) -> IndexEffect {
    IndexEffect::Run(Slice::all(), len)
}

/// The shape of what picks select.
pub(in crate::check) fn kept_shape(picks: &[IndexEffect]) -> Shape {
    let kept = |pick: &IndexEffect| match pick {
        IndexEffect::Run(_, len) | IndexEffect::Window { len, .. } => Some(len.clone()),
        IndexEffect::New => Some(Dim::Const(1)),
        IndexEffect::At(_) | IndexEffect::Computed(_) => None,
    };
    picks.iter().filter_map(kept).collect()
}

/// A slice and a length for each axis: all of those that a computed position will take one element of.
pub(super) fn region(shape: &Shape, picks: &[IndexEffect]) -> (Vec<Slice>, Shape) {
    let axes = picks.iter().filter(|pick| !matches!(pick, IndexEffect::New));
    let of = |(pick, len): (&IndexEffect, &Dim)| match pick {
        IndexEffect::At(start) => (Slice { start: start.clone(), step: 1 }, Dim::Const(1)),
        IndexEffect::Run(slice, len) => (slice.clone(), len.clone()),
        IndexEffect::Computed(_) | IndexEffect::Window { .. } | IndexEffect::New => (Slice::all(), len.clone()),
    };
    axes.zip(shape).map(of).unzip()
}

/// Elements of a literal stay literals.
pub(in crate::check) fn literal_selected(literal: &Literal, picks: &[IndexEffect]) -> Option<Value> {
    let shape: Shape = literal.shape.iter().map(|&size| Dim::Const(size as u64)).collect();
    let (region, lens) = region(&shape, picks);
    if picks.iter().any(|pick| matches!(pick, IndexEffect::Computed(_) | IndexEffect::Window { .. })) {
        return None;
    }
    let lens = shape::sizes(&lens)?;
    let mut consts = Vec::new();
    for flat in 0..lens.iter().product::<usize>() {
        let (mut rest, mut place, mut scale) = (flat, 0, 1);
        for ((slice, len), whole) in region.iter().zip(&lens).zip(&literal.shape).rev() {
            place += scale * usize::try_from(slice.position(rest % len)?).ok()?;
            rest /= len;
            scale *= whole;
        }
        consts.push(literal.consts.get(place)?.clone());
    }
    let shape = shape::sizes(&kept_shape(picks))?;
    match (shape.as_slice(), consts.as_slice()) {
        ([], [only]) => Some(Value::Const(only.clone())),
        _ => Some(Value::Literal(Arc::new(Literal { elem: literal.elem, consts, shape }))),
    }
}
