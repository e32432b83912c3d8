//! Reading what picks select: views of an array, with gathers along axes whose positions are computed.

use super::pick::{IndexEffect, kept_shape, region};
use crate::check::infer::Ctx;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::infer::values::value::{NodeValue, Value};
use crate::ir::{NodeId, NodeKind, ReadLength, Slice, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};

impl Ctx<'_> {
    /// A view of an operand as a value, which keeps all that is known of the operand's dtype.
    pub(in crate::check) fn view_of(operand: &Operand, node: NodeId) -> Value {
        let arms = match &operand.form {
            OperandForm::Const(value) => Some([value.clone()].into()),
            OperandForm::Literal(literal) => Some(literal.consts.clone().into()),
            OperandForm::Node(_, arms) => arms.clone(),
        };
        let arms = arms.filter(|_| operand.elem.is_weak());
        Value::Computed(NodeValue { node, elem: operand.elem, origin: operand.origin, arms })
    }

    /// The elements that picks select.
    pub(in crate::check) fn select_picked(&mut self, node: NodeId, picks: &[IndexEffect]) -> NodeId {
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

    /// Joins the axes of several indices into one, with the position along it. That needs elements in C order, so the
    /// array must be one that the program makes.
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
            let mut e = self.graph.expand();
            let row = e.dim(dim);
            let begin = e.prim(Prim::Mul, &[position, row]);
            position = e.prim(Prim::Add, &[begin, index]);
        }
        let behind = &shape[axis + indices.len()..];
        let joined: Shape = shape[..axis].iter().chain([&len]).chain(behind).cloned().collect();
        Some((self.graph.builder.view(node, View::Reshape, joined), position))
    }

    /// How far each element of a window is from its first.
    fn far_from_start(&mut self, len: &Dim, step: i64) -> NodeId {
        let each = self.graph.builder.iota(0, vec![len.clone()]);
        if step == 1 {
            return each;
        }
        let step = self.graph.expand().integer(DType::I64, step.into());
        self.graph.builder.map(Prim::Mul, &[each, step])
    }
}
