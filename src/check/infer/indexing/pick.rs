//! Picks: what an index does to each axis, and the nodes that show or replace what it selects.

use crate::check::infer::Ctx;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::infer::values::value::{Literal, NodeValue, Value};
use crate::ir::{NodeId, NodeKind, ReadLength, Slice, View};
use crate::ops::expand::Expand;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape, shape};
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

impl Ctx<'_> {
    /// Other elements of an operand, or the same in another place: whatever is known of their dtype stays known.
    pub(in crate::check) fn viewed(operand: &Operand, node: NodeId) -> Value {
        let arms = match &operand.form {
            OperandForm::Const(value) => Some([value.clone()].into()),
            OperandForm::Literal(literal) => Some(literal.consts.clone().into()),
            OperandForm::Node(_, arms) => arms.clone(),
        };
        let arms = arms.filter(|_| operand.elem.is_weak());
        Value::Computed(NodeValue { node, elem: operand.elem, origin: operand.origin, arms })
    }

    /// The elements that picks select.
    pub(in crate::check) fn selected(&mut self, node: NodeId, picks: &[IndexEffect]) -> NodeId {
        if let Some(read) = self.read_after_store(node, picks) {
            return read;
        }
        let (region, lens) = region(self.graph.builder.shape(node), picks);
        self.note_rooms(node, picks, &region);
        let mut node = self.graph.builder.slice(node, &region, lens);
        let own: Vec<&IndexEffect> = picks.iter().filter(|pick| !matches!(pick, IndexEffect::New)).collect();
        // The first axes go first: what is left of an array in C order lies side by side.
        let (mut axis, mut at) = (0, 0);
        while let Some(pick) = own.get(at) {
            match pick {
                IndexEffect::Computed(index) => {
                    let adjacent = own[at..].iter().map_while(|pick| match pick {
                        IndexEffect::Computed(index) => Some(*index),
                        IndexEffect::At(_) | IndexEffect::Window { .. } | IndexEffect::Run(..) | IndexEffect::New => {
                            None
                        }
                    });
                    let indices: Vec<NodeId> = adjacent.collect();
                    let (joined, count) = match self.joined_axes(node, axis, &indices) {
                        Some(joined) => (joined, indices.len()),
                        None => ((node, *index), 1),
                    };
                    node = self.graph.builder.gather(joined.0, joined.1, axis);
                    at += count;
                    continue;
                }
                IndexEffect::Window { start, len, step } => {
                    let from_start = self.far_from_start(len, *step);
                    let index = self.graph.builder.map(Prim::Add, &[from_start, *start]);
                    node = self.graph.builder.gather(node, index, axis);
                }
                IndexEffect::At(_) | IndexEffect::Run(..) | IndexEffect::New => {}
            }
            (axis, at) = (axis + 1, at + 1);
        }
        self.graph.builder.view(node, View::Reshape, kept_shape(picks))
    }

    /// Notes that the elements at fixed places must be there, for perhaps nothing needs them but their dtype.
    fn note_rooms(&mut self, node: NodeId, picks: &[IndexEffect], region: &[Slice]) {
        let axes = picks.iter().filter(|pick| !matches!(pick, IndexEffect::New)).zip(region);
        let wholes = self.graph.builder.shape(node);
        let fixed = axes.zip(wholes).filter(|((pick, _), _)| matches!(pick, IndexEffect::At(_)));
        let rooms: Vec<Dim> = fixed.flat_map(|((_, slice), whole)| slice.room(whole)).collect();
        rooms.into_iter().for_each(|dim| self.graph.builder.note_length(ReadLength { dim, of: None }));
    }

    /// Axes as one, and the position along it, where the elements lie in C order for certain: of what the program
    /// makes.
    fn joined_axes(&mut self, node: NodeId, axis: usize, indices: &[NodeId]) -> Option<(NodeId, NodeId)> {
        let is_made =
            !matches!(self.graph.builder.program().node(node).kind, NodeKind::Input(_) | NodeKind::View { .. });
        if indices.len() < 2 || !is_made {
            return None;
        }
        let shape = self.graph.builder.shape(node).clone();
        let (mut len, mut position) = (shape[axis].clone(), indices[0]);
        for (dim, &index) in shape[axis + 1..].iter().zip(&indices[1..]) {
            len = len.multiply(dim)?;
            let mut e = Expand(&mut self.graph.builder);
            let row = e.dim(dim);
            let begin = e.prim(Prim::Mul, &[position, row]);
            position = e.prim(Prim::Add, &[begin, index]);
        }
        let behind = &shape[axis + indices.len()..];
        let joined: Shape = shape[..axis].iter().chain([&len]).chain(behind).cloned().collect();
        Some((self.graph.builder.view(node, View::Reshape, joined), position))
    }

    /// A base with `value`, which has its dtype, at what picks select; the value is repeated to the region's shape.
    pub(in crate::check) fn replaced(&mut self, base: NodeId, picks: &[IndexEffect], value: NodeId) -> NodeId {
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
            value = Expand(&mut self.graph.builder).select(here, everywhere, old);
            value = self.graph.builder.broadcast(value, &lens);
        }
        self.graph.builder.update(base, &region, value)
    }
}

impl Ctx<'_> {
    /// How far each element of a window is from its first.
    fn far_from_start(&mut self, len: &Dim, step: i64) -> NodeId {
        let each = self.graph.builder.iota(0, vec![len.clone()]);
        if step == 1 {
            return each;
        }
        let step = Expand(&mut self.graph.builder).integer(DType::I64, step.into());
        self.graph.builder.map(Prim::Mul, &[each, step])
    }

    /// Which element of a window each place is, and whether it is that exactly.
    fn own_places(&mut self, places: NodeId, start: NodeId, step: i64) -> (NodeId, Option<NodeId>) {
        let mut e = Expand(&mut self.graph.builder);
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
        let mut e = Expand(&mut self.graph.builder);
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
        let mut e = Expand(&mut self.graph.builder);
        let (zero, one) = (e.integer(DType::I64, 0), e.integer(DType::I64, 1));
        let len = e.dim(len);
        let last = e.prim(Prim::Sub, &[len, one]);
        let own = e.prim(Prim::Min, &[own, last]);
        let own = e.prim(Prim::Max, &[own, zero]);
        self.graph.builder.gather(value, own, axis)
    }
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
fn region(shape: &Shape, picks: &[IndexEffect]) -> (Vec<Slice>, Shape) {
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
