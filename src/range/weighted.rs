//! Sums of terms that have weights: bits that are put together, `sum(b * [4, 2, 1])`, `b @ (1 << arange(8))`.
//!
//! Where weights are known at each position of an axis (those of a list, of `arange`, and of what is made of them), the
//! bounds of the terms are added up one by one. The greatest term as often as there are terms is far beyond.

use super::integer::{self, Ends};
use super::{Interval, Range, integers};
use crate::ir::{Node, NodeId, NodeKind, Program, View};
use crate::scalar::prim::Prim;
use crate::types::{Dim, Shape};

/// The most terms that are looked at one by one.
const MAX_TERMS: usize = 256;
/// The most nodes that are looked at for one sum.
const MAX_NODES: usize = 24;
/// The most elements of a list that are read.
const MAX_LIST_ELEMENTS: usize = 4096;

/// What is looked up: a program, and what is known of its nodes.
struct TermBounds<'p> {
    program: &'p Program,
    of: &'p dyn Fn(NodeId) -> Range,
    /// How many nodes may still be looked at.
    left: usize,
    /// Whether there is arithmetic. A list or an `arange` by itself has no weights.
    weighs: bool,
}

/// Between what the sums of a node's elements over some axes lie. `None` where they differ along no axis as far as is
/// known, and where more than their range is not known.
pub(super) fn sum(program: &Program, arg: NodeId, axes: &[u32], of: &dyn Fn(NodeId) -> Range) -> Option<Ends> {
    let shape = &program.node(arg).shape;
    let mut bounds = TermBounds { program, of, left: MAX_NODES, weighs: false };
    axes.iter().find_map(|&axis| {
        let others = axes.iter().filter(|&&other| other != axis);
        let count = others
            .map(|&other| shape[other as usize].known())
            .try_fold(1i128, |count, len| count.checked_mul(i128::from(len?)))?;
        let terms = bounds.along(arg, axis as usize).filter(|_| bounds.weighs)?;
        let (low, high) = added_up(terms.into_iter().map(Some))?;
        Some((low.checked_mul(count)?, high.checked_mul(count)?))
    })
}

/// The same of the elements of a product of two matrices.
pub(super) fn product(program: &Program, args: &[NodeId], of: &dyn Fn(NodeId) -> Range) -> Option<Ends> {
    let &[left, right] = args else { return None };
    let axis = |node: NodeId, behind: usize| program.node(node).shape.len().checked_sub(behind);
    let (own, its) = (of(left).interval.integer_ends()?, of(right).interval.integer_ends()?);
    let mut bounds = TermBounds { program, of, left: MAX_NODES, weighs: false };
    let (rows, columns) = (bounds.along(left, axis(left, 1)?), bounds.along(right, axis(right, 2)?));
    let len = rows.as_ref().or(columns.as_ref())?.len();
    let at = |line: &Option<Vec<Ends>>, own: Ends, at: usize| line.as_ref().map_or(Some(own), |it| it.get(at).copied());
    added_up((0..len).map(|place| {
        let ((a, b), (c, d)) = (at(&rows, own, place)?, at(&columns, its, place)?);
        let corners = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
        Some((*corners.iter().min()?, *corners.iter().max()?))
    }))
}

fn added_up(mut terms: impl Iterator<Item = Option<Ends>>) -> Option<Ends> {
    terms.try_fold((0i128, 0i128), |(low, high), term| {
        let (least, most) = term?;
        Some((low.checked_add(least)?, high.checked_add(most)?))
    })
}

impl TermBounds<'_> {
    /// Between what the elements of a node lie at each position of an axis. `None` where more than their range is not
    /// known.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of other nodes no weights are known")]
    fn along(&mut self, node: NodeId, axis: usize) -> Option<Vec<Ends>> {
        self.left = self.left.checked_sub(1)?;
        let found = self.program.node(node);
        let own = (self.of)(node).interval.integer_ends()?;
        let len = usize::try_from(found.shape.get(axis)?.known()?).ok().filter(|len| *len <= MAX_TERMS)?;
        let line: Vec<Ends> = match &found.kind {
            NodeKind::Iota { axis: counted } if *counted as usize == axis => {
                (0..len).map(|at| (at as i128, at as i128)).collect()
            }
            NodeKind::Input(input) => self.listed(*input, axis)?,
            NodeKind::Map(prim, args) => self.mapped(found, *prim, args.iter().flatten().copied(), (axis, len))?,
            NodeKind::View { arg, view } => self.seen(found, *arg, view, (axis, len))?,
            NodeKind::Concat { parts, axis: joined } if *joined as usize == axis => self.joined(parts, axis)?,
            _ => return None,
        };
        let inside =
            |(low, high): Ends| if low.max(own.0) <= high.min(own.1) { (low.max(own.0), high.min(own.1)) } else { own };
        (line.len() == len).then(|| line.into_iter().map(inside).collect())
    }

    /// The elements of a list that the text says.
    fn listed(&self, input: u32, axis: usize) -> Option<Vec<Ends>> {
        let input = self.program.inputs.get(input as usize).filter(|input| input.is_literal())?;
        let array = input.value.as_ref().filter(|array| !array.is_empty() && array.len() <= MAX_LIST_ELEMENTS)?;
        let len = *array.shape().get(axis)?;
        let inner: usize = array.shape()[axis + 1..].iter().product();
        let mut line = vec![(i128::MAX, i128::MIN); len];
        for (flat, scalar) in array.scalars().enumerate() {
            let Interval::Integer { low, high } = Interval::of_scalar(scalar) else { return None };
            let found = &mut line[flat / inner % len];
            *found = (found.0.min(low), found.1.max(high));
        }
        Some(line)
    }

    /// What a prim makes of operands of which one has weights.
    fn mapped(
        &mut self,
        node: &Node,
        prim: Prim,
        args: impl Iterator<Item = NodeId>,
        (axis, len): (usize, usize),
    ) -> Option<Vec<Ends>> {
        let args: Vec<NodeId> = args.collect();
        let own: Vec<Ends> = args.iter().map(|&arg| (self.of)(arg).interval.integer_ends()).collect::<Option<_>>()?;
        let lines: Vec<Option<Vec<Ends>>> = args.iter().map(|&arg| self.repeated(&node.shape, arg, axis)).collect();
        if lines.iter().all(Option::is_none) {
            return None;
        }
        self.weighs |= prim != Prim::Convert;
        let (least, most) = integers(node.dtype);
        let one = |at: usize| {
            let args: Vec<Ends> =
                lines.iter().zip(&own).map(|(line, own)| line.as_ref().map_or(*own, |it| it[at])).collect();
            let found = match (prim, args.as_slice()) {
                (Prim::Select, [_, yes, no]) => Some((yes.0.min(no.0), yes.1.max(no.1))),
                (Prim::Convert, [value]) => Some(*value),
                _ => integer::exact(prim, node.dtype, &args),
            };
            found.filter(|&(low, high)| least <= low && high <= most).unwrap_or((least, most))
        };
        Some((0..len).map(one).collect())
    }

    /// The elements of an operand that is repeated to a shape.
    fn repeated(&mut self, shape: &Shape, arg: NodeId, axis: usize) -> Option<Vec<Ends>> {
        let inner = &self.program.node(arg).shape;
        let own = (axis + inner.len()).checked_sub(shape.len())?;
        if inner[own] == shape[axis] { self.along(arg, own) } else { None }
    }

    fn seen(&mut self, node: &Node, arg: NodeId, view: &View, (axis, len): (usize, usize)) -> Option<Vec<Ends>> {
        match view {
            View::Broadcast => self.repeated(&node.shape, arg, axis),
            View::Transpose(order) => self.along(arg, *order.get(axis)? as usize),
            View::Reshape => {
                let inner = &self.program.node(arg).shape;
                let (own, its) = (long_axes(&node.shape), long_axes(inner));
                let are_same = own.len() == its.len() && own.iter().zip(&its).all(|(&a, &b)| node.shape[a] == inner[b]);
                let at = own.iter().position(|own| *own == axis).filter(|_| are_same)?;
                self.along(arg, its[at])
            }
            View::Slice(region) => {
                let (line, taken) = (self.along(arg, axis)?, region.get(axis)?);
                let one = |at: usize| line.get(usize::try_from(taken.position(at)?).ok()?).copied();
                (0..len).map(one).collect()
            }
            View::Windows(_) => None,
        }
    }

    /// The elements of arrays one after the other, as far as one of them has weights.
    fn joined(&mut self, parts: &[NodeId], axis: usize) -> Option<Vec<Ends>> {
        let mut line = Vec::new();
        for &part in parts {
            let len = usize::try_from(self.program.node(part).shape.get(axis)?.known()?).ok()?;
            if line.len() + len > MAX_TERMS {
                return None;
            }
            let own = (self.of)(part).interval.integer_ends()?;
            line.extend(self.along(part, axis).unwrap_or_else(|| vec![own; len]));
        }
        Some(line)
    }
}

/// The axes along which there may be more than one element.
fn long_axes(shape: &Shape) -> Vec<usize> {
    (0..shape.len()).filter(|&axis| shape[axis] != Dim::Const(1)).collect()
}
