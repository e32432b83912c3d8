//! `block`: arrays put together in rows and columns, as lists of lists say.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::{NodeId, View};
use crate::ops::Op;
use crate::source::Span;
use crate::types::{Dim, Shape};
use std::vec::IntoIter;

/// Arrays that were put together: the first of them with the shape of all, and the node of all.
type BlockPart = (Operand, NodeId);

impl Ctx<'_> {
    /// `block([[a, b], [c, d]])`: those of an inner list are beside each other, those of a list around it below.
    pub(in crate::check) fn in_blocks(
        &mut self,
        op: &'static Op,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        let Some((list, list_span)) = given.into_iter().next().flatten() else { return Value::Error };
        let mut arrays = Vec::new();
        let Some(depth) = depth(&list, &mut arrays) else {
            return self.error(report::uneven_blocks(op, list_span));
        };
        let arrays = Value::Tuple(arrays.into());
        let Some(operands) = self.arrays_given(op, arrays, list_span) else { return Value::Error };
        let Some((decision, nodes)) = self.meet(op.class, op.name, &operands, at) else { return Value::Error };
        let rank = operands.iter().map(|operand| operand.shape.len()).fold(depth, usize::max);
        let mut parts: Vec<BlockPart> = Vec::with_capacity(operands.len());
        for (operand, node) in operands.iter().zip(nodes) {
            let mut shape: Shape = vec![Dim::Const(1); rank - operand.shape.len()];
            shape.extend(operand.shape.iter().cloned());
            let node = self.graph.builder.view(node, View::Reshape, shape.clone());
            parts.push((Operand { shape, ..operand.clone() }, node));
        }
        let made = self.put_together(op, (&list, rank - depth), &mut parts.into_iter(), span);
        let Some((_, node)) = made else { return Value::Error };
        let arms = self.arms(op, &operands);
        self.made(node, decision, span, arms)
    }

    /// What is in a list, along an axis; what is in its lists is along the axes behind it.
    fn put_together(
        &mut self,
        op: &'static Op,
        (list, axis): (&Value, usize),
        parts: &mut IntoIter<BlockPart>,
        span: Span,
    ) -> Option<BlockPart> {
        let Value::Tuple(items) = list else { return parts.next() };
        let (mut wholes, mut nodes) = (Vec::with_capacity(items.len()), Vec::with_capacity(items.len()));
        for item in items.iter() {
            let (whole, node) = self.put_together(op, (item, axis + 1), parts, span)?;
            wholes.push(whole);
            nodes.push(node);
        }
        let shape = self.joined_shape(op, &wholes, axis, span)?;
        if !self.extent_fits(&shape, self.graph.builder.dtype(nodes[0]), span) {
            return None;
        }
        let node = self.graph.builder.concat(&nodes, axis);
        let first = wholes.into_iter().next()?;
        Some((Operand { shape, ..first }, node))
    }
}

/// How many lists are around each array, which are the same for all; the arrays are taken down. A list has an item.
fn depth(list: &Value, arrays: &mut Vec<Value>) -> Option<usize> {
    let Value::Tuple(items) = list else {
        arrays.push(list.clone());
        return Some(0);
    };
    let mut depths = items.iter().map(|item| depth(item, arrays));
    let first = depths.next()??;
    depths.all(|depth| depth == Some(first)).then_some(first + 1)
}
