//! Counters at places that lengths decide: `arange(n)[-1]` is the number `n - 1`.
//!
//! A kernel holds the coordinate of one place as a constant, and code for all lengths has no constant that a length
//! decides. So a slice of one place goes through what is made element by element, down to the counters, and a number
//! takes the place of each.
//!
//! ```text
//! %1 = iota axis=0              : i64[n]        %4 = add %2 %3                : i64       with n, and %3 = -1
//! %2 = mul %0 %1                : i64[n]        %5 = slice %0 [n-1 1 +1]      : i64[1]
//! %3 = slice %2 [n-1 1 +1]      : i64[1]        %6 = mul %5 %4                : i64[1]
//! ```

use super::number_writer::NumberWriter;
use super::unmade::UnmadeLengths;
use crate::ir::{Node, NodeId, NodeKind, Program, Slice, View};
use crate::types::{Dim, Shape};

/// How many operations, one below the other, are looked through.
const DEPTH: usize = 8;

/// For each axis of an array, the one place that is taken of it.
type FixedPlaces = Vec<Option<Dim>>;

/// Writes slices of counters as numbers.
pub(super) struct CounterSlices<'c> {
    pub(super) program: &'c Program,
    /// Where the nodes of the program are in the new one.
    pub(super) places: &'c [NodeId],
    pub(super) writer: &'c mut NumberWriter,
    /// Takes the slices that no node has any more.
    pub(super) unmade: &'c mut UnmadeLengths,
}

impl CounterSlices<'_> {
    /// The single places that a slice takes of its axes, if a counter goes along one of them and a length decides where.
    pub(super) fn fixed_places(program: &Program, node: &Node) -> Option<FixedPlaces> {
        let NodeKind::View { arg, view: View::Slice(region) } = &node.kind else { return None };
        let place = |(slice, len): (&Slice, &Dim)| (*len == Dim::Const(1)).then(|| slice.start.clone());
        let places: FixedPlaces = region.iter().zip(&node.shape).map(place).collect();
        let any = places.iter().any(Option::is_some) && has_counter(program, *arg, &places, DEPTH);
        any.then_some(places)
    }

    /// Writes a slice that takes such places.
    pub(super) fn write(&mut self, node: &Node, placed: &[Option<Dim>]) -> NodeId {
        let NodeKind::View { arg, view: View::Slice(region) } = &node.kind else {
            unreachable!("only slices take places")
        };
        let whole = &self.program.node(*arg).shape;
        for ((slice, len), whole) in region.iter().zip(&node.shape).zip(whole) {
            self.unmade.slice(slice, len, whole);
        }
        let seen = self.at(*arg, placed, DEPTH);
        self.rest(seen, region, placed, &node.shape)
    }

    /// What is left of a slice once some places are taken.
    fn rest(&mut self, seen: NodeId, region: &[Slice], placed: &[Option<Dim>], shape: &Shape) -> NodeId {
        let left = |(slice, place): (&Slice, &Option<Dim>)| if place.is_some() { Slice::all() } else { slice.clone() };
        let region: Vec<Slice> = region.iter().zip(placed).map(left).collect();
        self.view(seen, View::Slice(region.into()), shape)
    }

    /// A view, if it shows anything else than what it is of.
    fn view(&mut self, arg: NodeId, view: View, shape: &Shape) -> NodeId {
        let seen = &self.writer.nodes[arg.index()];
        let is_same = match &view {
            View::Broadcast | View::Reshape => seen.shape == *shape,
            View::Slice(region) => seen.shape == *shape && region.iter().all(|slice| *slice == Slice::all()),
            View::Transpose(_) | View::Windows(_) => false,
        };
        if is_same {
            return arg;
        }
        let dtype = seen.dtype;
        self.writer.add(Node { kind: NodeKind::View { arg, view }, dtype, shape: shape.clone() })
    }

    /// A node at places of some of its axes, which have length 1 then.
    fn at(&mut self, id: NodeId, placed: &[Option<Dim>], depth: usize) -> NodeId {
        let node = self.program.node(id);
        if placed.iter().all(Option::is_none) {
            return self.places[id.index()];
        }
        let len = |(place, len): (&Option<Dim>, &Dim)| if place.is_some() { Dim::Const(1) } else { len.clone() };
        let shape: Shape = placed.iter().zip(&node.shape).map(len).collect();
        let count = if let NodeKind::Iota { axis } = node.kind { placed[axis as usize].as_ref() } else { None };
        if let Some(form) = count.and_then(Dim::form) {
            let number = self.writer.number(&form);
            return self.view(number, View::Broadcast, &shape);
        }
        let inside = inner(self.program, node, placed).filter(|_| has_counter(self.program, id, placed, depth));
        let Some(inside) = inside else {
            let slice = |place: &Option<Dim>| match place {
                Some(start) => Slice { start: start.clone(), step: 1 },
                None => Slice::all(),
            };
            let region: Vec<Slice> = placed.iter().map(slice).collect();
            return self.view(self.places[id.index()], View::Slice(region.into()), &shape);
        };
        let mut args = inside.iter().map(|(arg, placed)| self.at(*arg, placed, depth - 1)).collect::<Vec<_>>();
        if let NodeKind::View { arg, view } = &node.kind {
            let seen = args[0];
            let View::Slice(region) = view else { return self.view(seen, view.clone(), &shape) };
            for ((slice, len), whole) in region.iter().zip(&node.shape).zip(&self.program.node(*arg).shape) {
                self.unmade.slice(slice, len, whole);
            }
            return self.rest(seen, region, placed, &shape);
        }
        args.reverse();
        let mut kind = node.kind.clone();
        kind.each_operand(|operand| *operand = args.pop().unwrap_or(*operand));
        self.writer.add(Node { kind, dtype: node.dtype, shape })
    }
}

/// Whether a counter goes along an axis of which one place is taken, and a length decides which.
fn has_counter(program: &Program, id: NodeId, placed: &[Option<Dim>], depth: usize) -> bool {
    let node = program.node(id);
    if let NodeKind::Iota { axis } = node.kind {
        return placed[axis as usize].as_ref().is_some_and(|place| place.known().is_none());
    }
    let Some(depth) = depth.checked_sub(1) else { return false };
    let inside = inner(program, node, placed).unwrap_or_default();
    inside.iter().any(|(arg, placed)| has_counter(program, *arg, placed, depth))
}

/// The operands of a node that is made element by element, and the places that are taken of their axes.
fn inner(program: &Program, node: &Node, placed: &[Option<Dim>]) -> Option<Vec<(NodeId, FixedPlaces)>> {
    let shape = |arg: NodeId| &program.node(arg).shape;
    // Axes are aligned at the right.
    let aligned = |arg: NodeId| -> (NodeId, FixedPlaces) {
        let missing = node.shape.len() - shape(arg).len();
        let place = |(axis, len): (usize, &Dim)| placed[axis + missing].clone().filter(|_| *len != Dim::Const(1));
        (arg, shape(arg).iter().enumerate().map(place).collect())
    };
    if let NodeKind::Map(..) = &node.kind {
        return Some(node.operands().map(aligned).collect());
    }
    let NodeKind::View { arg, view } = &node.kind else { return None };
    let mut inside: FixedPlaces = vec![None; shape(*arg).len()];
    match view {
        View::Broadcast => return Some(vec![aligned(*arg)]),
        View::Transpose(order) => {
            order.iter().zip(placed).for_each(|(&from, place)| inside[from as usize].clone_from(place));
        }
        View::Slice(region) => {
            for ((slice, place), inside) in region.iter().zip(placed).zip(&mut inside) {
                if let Some(place) = place {
                    *inside = Some(slice.start.add_scaled(place, slice.step)?);
                }
            }
        }
        View::Reshape => {
            // Axes of length 1 come and go.
            let long = |shape: &Shape| -> Vec<usize> {
                (0..shape.len()).filter(|&axis| shape[axis] != Dim::Const(1)).collect()
            };
            let (own, theirs) = (long(&node.shape), long(shape(*arg)));
            let is_same = own.len() == theirs.len()
                && own.iter().zip(&theirs).all(|(&own, &their)| node.shape[own] == shape(*arg)[their]);
            if !is_same {
                return None;
            }
            own.iter().zip(theirs).for_each(|(&own, their)| inside[their].clone_from(&placed[own]));
        }
        View::Windows(_) => return None,
    }
    Some(vec![(*arg, inside)])
}
