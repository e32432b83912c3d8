//! Lines of a call from any axes, with its results put back in place.

use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::report;
use crate::ir::{NodeId, View};
use crate::ops::Op;
use crate::ops::lines::{LineArrangement, LineCall};
use crate::source::Span;
use crate::types::{DType, Dim, Shape};

/// Where the lines of the first operand were.
pub(in crate::check::infer) struct LineAxes {
    /// The shape without the axes of the lines.
    pub(in crate::check::infer) others: Shape,
    /// Which axes they were.
    pub(in crate::check::infer) axes: Vec<usize>,
}

impl Ctx<'_> {
    /// An array with some axes together as its last one. They are all of them if none are named.
    pub(in crate::check::infer) fn lines_along(
        &mut self,
        operand: &Operand,
        node: NodeId,
        axes: Option<Vec<usize>>,
        span: Span,
    ) -> Option<(NodeId, LineAxes)> {
        let rank = operand.shape.len();
        let axes = axes.unwrap_or_else(|| (0..rank).collect());
        let others: Vec<usize> = (0..rank).filter(|axis| !axes.contains(axis)).collect();
        let kept: Shape = others.iter().map(|&axis| operand.shape[axis].clone()).collect();
        let shape = operand.shape.clone();
        let order: Vec<u32> = others.iter().chain(&axes).map(|&axis| axis as u32).collect();
        let turned: Shape = order.iter().map(|&axis| shape[axis as usize].clone()).collect();
        let node = self.graph.builder.view(node, View::Transpose(order), turned);
        let lens = axes.iter().map(|&axis| shape[axis].clone());
        let len = lens.into_iter().try_fold(Dim::Const(1), |count, dim| count.multiply(&dim));
        let Some(len) = len else {
            self.error(report::open_count(operand, span));
            return None;
        };
        let lines: Shape = kept.iter().cloned().chain([len]).collect();
        let node = self.graph.builder.view(node, View::Reshape, lines);
        Some((node, LineAxes { others: kept, axes }))
    }

    /// The operand at the place `values`, of any shape, as one line. The other operands are vectors, or with `any` have
    /// any shape too.
    pub(super) fn lines_of_lookup(
        &mut self,
        op: &'static Op,
        (values, any): (usize, bool),
        operands: &[Operand],
        nodes: Vec<NodeId>,
        asked: &mut LineCall,
        at: Span,
    ) -> Option<LineAxes> {
        for (index, operand) in operands.iter().enumerate().filter(|(index, _)| *index != values) {
            if operand.shape.len() != 1 && !any {
                self.error(report::not_a_vector(op, op.params[index].name, operand));
                return None;
            }
        }
        if let [_, xp, fp] = operands
            && xp.shape != fp.shape
        {
            let counted = self.any_counted([&xp.shape[..], &fp.shape]);
            self.error(report::lengths_differ(op, xp, fp, counted, at));
            return None;
        }
        let integers = operands.iter().all(|operand| operand.elem.strong().is_some_and(DType::is_integer));
        for (operand, node) in operands.iter().zip(nodes) {
            let count = self.known_count(operand, at)?;
            if integers && self.graph.builder.dtype(node).is_float() {
                let own = self.node(operand)?;
                let own = self.graph.builder.view(own, View::Reshape, vec![count.clone()]);
                asked.operands.whole.push((operand.shape.clone(), own));
            }
            asked.operands.args.push(self.graph.builder.view(node, View::Reshape, vec![count]));
        }
        Some(LineAxes { others: operands[values].shape.clone(), axes: Vec::new() })
    }

    /// The first axis last, and a label for each place along it.
    pub(super) fn lines_of_groups(
        &mut self,
        op: &'static Op,
        operands: &[Operand],
        nodes: Vec<NodeId>,
        positions: &[Operand],
        asked: &mut LineCall,
        at: Span,
    ) -> Option<LineAxes> {
        let labels = &positions[0];
        if labels.shape.len() != 1 {
            self.error(report::not_a_vector(op, "labels", labels));
            return None;
        }
        let [x] = operands else { return Some(LineAxes { others: Shape::new(), axes: Vec::new() }) };
        if x.shape.first() != labels.shape.first() {
            let counted = self.any_counted([&x.shape[..], &labels.shape]);
            self.error(report::lengths_differ(op, x, labels, counted, at));
            return None;
        }
        let rank = x.shape.len();
        let order: Vec<u32> = (1..rank as u32).chain([0]).collect();
        let turned: Shape = order.iter().map(|&axis| x.shape[axis as usize].clone()).collect();
        asked.operands.args = vec![self.graph.builder.view(nodes[0], View::Transpose(order), turned)];
        Some(LineAxes { others: x.shape[1..].to_vec(), axes: vec![0] })
    }

    /// A result back in its place.
    pub(super) fn back(
        &mut self,
        arrange: LineArrangement,
        node: NodeId,
        moved: &LineAxes,
        keep: bool,
        several: bool,
        span: Span,
    ) -> Option<NodeId> {
        let shape = self.graph.builder.shape(node).clone();
        let rank = shape.len();
        let dtype = self.graph.builder.dtype(node);
        let to = match arrange {
            LineArrangement::Lookup { .. } => {
                return self
                    .extent_fits(&moved.others, dtype, span)
                    .then(|| self.graph.builder.view(node, View::Reshape, moved.others.clone()));
            }
            LineArrangement::Reduce | LineArrangement::Norms => {
                let mut kept = moved.others.clone();
                if keep {
                    moved.axes.iter().for_each(|&axis| kept.insert(axis, Dim::Const(1)));
                }
                if !several {
                    return Some(self.graph.builder.view(node, View::Reshape, kept));
                }
                let front = self.move_axis_to(node, rank - 1, 0);
                let shape: Shape = shape.last().cloned().into_iter().chain(kept).collect();
                return self
                    .extent_fits(&shape, dtype, span)
                    .then(|| self.graph.builder.view(front, View::Reshape, shape));
            }
            LineArrangement::Along => match moved.axes.as_slice() {
                [axis] => *axis,
                // All axes became one.
                _ => 0,
            },
            LineArrangement::Groups => 0,
            LineArrangement::Whole => return self.extent_fits(&shape, dtype, span).then_some(node),
            LineArrangement::Matrices(_) => {
                let fits = self.extent_fits(&shape, dtype, span);
                return match moved.axes.is_empty() {
                    true => fits.then_some(node),
                    false => fits.then(|| self.graph.builder.view(node, View::Reshape, shape[..rank - 1].to_vec())),
                };
            }
        };
        self.extent_fits(&shape, dtype, span).then(|| self.move_axis_to(node, rank - 1, to))
    }

    /// One axis in another place.
    pub(in crate::check) fn move_axis_to(&mut self, node: NodeId, from: usize, to: usize) -> NodeId {
        let shape = self.graph.builder.shape(node).clone();
        let mut order: Vec<usize> = (0..shape.len()).collect();
        let axis = order.remove(from);
        order.insert(to, axis);
        let turned = order.iter().map(|&axis| shape[axis].clone()).collect();
        self.graph.builder.view(node, View::Transpose(order.into_iter().map(|axis| axis as u32).collect()), turned)
    }
}
