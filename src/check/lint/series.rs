//! Totals of integers that the program itself holds. They are those of array literals, and of numbers in equal steps,
//! as `arange` gives.

use super::Lint;
use crate::ir::loops::bare;
use crate::ir::{Fold, NodeId, NodeKind, Program, Slice, View};
use crate::range::integer::Ends;
use crate::range::{Interval, Range};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// The most elements that are added or multiplied one by one.
const MAX_FOLDED_ELEMENTS: u64 = 1 << 16;

impl Lint<'_, '_> {
    /// The exact sum or product that a node is, of a vector of integers that the program itself holds.
    pub(super) fn known_fold(&mut self, node: NodeId) -> Option<Ends> {
        let of = self.graph.builder.program().node(node);
        let NodeKind::Fold { fold: fold @ (Fold::Sum | Fold::Prod), arg, .. } = of.kind else { return None };
        let (dtype, is_product) = (of.dtype, fold == Fold::Prod);
        let total = self.known_total(arg, is_product, false)?;
        let (low, high) = total;
        Interval::Integer { low, high }.exists_in(dtype).then_some(total)
    }

    /// Whether a node is a sum of the differences of neighbours, or a running one, and a dtype holds every result.
    pub(super) fn is_of_neighbours(&mut self, node: NodeId, dtype: DType) -> bool {
        let kind = &self.graph.builder.program().node(node).kind;
        let (arg, axes) = if let NodeKind::Fold { fold: Fold::Sum, arg, axes, .. } = kind {
            (*arg, axes.iter().map(|&axis| axis as usize).collect())
        } else if let NodeKind::Scan { fold: Fold::Sum, arg, axis } = kind {
            (*arg, vec![*axis as usize])
        } else {
            return false;
        };
        self.telescopes(arg, &axes, dtype)
    }

    /// Whether a sum along an axis, or a running one, is of the differences of neighbours: it is the difference of two
    /// elements, which the dtype holds as it holds those of neighbours.
    pub(super) fn telescopes(&mut self, mut node: NodeId, axes: &[usize], dtype: DType) -> bool {
        let (program, ranges) = (self.graph.builder.program(), &mut self.graph.ranges);
        let mut held_by = vec![dtype];
        while let NodeKind::Map(Prim::Convert, [Some(arg), ..]) = program.node(node).kind {
            held_by.push(program.node(node).dtype);
            node = arg;
        }
        held_by.push(program.node(node).dtype);
        let (NodeKind::Map(Prim::Sub, [Some(a), Some(b), _]), [axis]) = (&program.node(node).kind, axes) else {
            return false;
        };
        // Conversions that change nothing are looked through.
        let mut bare = |mut node: NodeId| {
            while let NodeKind::Map(Prim::Convert, [Some(arg), ..]) = program.node(node).kind
                && ranges.of(program, arg).interval.exists_in(program.node(node).dtype)
            {
                node = arg;
            }
            program.node(node)
        };
        let (one, next) = (bare(*a), bare(*b));
        let (
            NodeKind::View { arg, view: View::Slice(region) },
            NodeKind::View { arg: other, view: View::Slice(regions) },
        ) = (&one.kind, &next.kind)
        else {
            return false;
        };
        let is_of_neighbours = arg == other && one.shape == next.shape && is_beside(region, regions, *axis);
        let exact = ranges.exact_range(program, node);
        let fits = |exact: Range| held_by.iter().all(|it| it.is_integer() && exact.interval.exists_in(*it));
        is_of_neighbours && exact.is_some_and(fits)
    }

    /// The exact sum or product of the integers of a vector, or the ends of its running totals. It is `None` where they
    /// are not known, or too many.
    pub(super) fn known_total(&mut self, node: NodeId, is_product: bool, is_running: bool) -> Option<Ends> {
        let program = self.graph.builder.program();
        let [dim] = program.node(node).shape.as_slice() else { return None };
        let count = dim.known()?;
        if let NodeKind::Input(input) = program.node(node).kind {
            let input = program.inputs.get(input as usize).filter(|input| input.is_literal())?;
            let array = input.value.as_ref().filter(|array| array.len() as u64 <= MAX_FOLDED_ELEMENTS)?;
            let values = array.scalars().map(|value| Interval::of_scalar(value).single());
            return folded(values.collect::<Option<Vec<i128>>>()?.into_iter(), is_product, is_running);
        }
        let (first, step) = steps(program, node)?;
        // Where a step wraps, the range is every value of the dtype.
        if !self.graph.ranges.of(self.graph.builder.program(), node).is_stated() {
            return None;
        }
        if !is_product && !is_running {
            let count = i128::from(count);
            let pairs = count.checked_mul(count - 1)? / 2;
            let total = count.checked_mul(first)?.checked_add(step.checked_mul(pairs)?)?;
            return Some((total, total));
        }
        let values = (0..count).map(|index| first.saturating_add(step.saturating_mul(index.into())));
        if count <= MAX_FOLDED_ELEMENTS { folded(values, is_product, is_running) } else { None }
    }
}

/// Whether one region of an array is another one, further by one place along an axis.
fn is_beside(one: &[Slice], other: &[Slice], along: usize) -> bool {
    one.iter().zip(other).enumerate().all(|(axis, (one, other))| {
        if axis != along {
            return one == other;
        }
        let (first, second) = (one.start.known(), other.start.known());
        let is_apart = first.zip(second).is_some_and(|(first, second)| first.abs_diff(second) == 1);
        one.step == 1 && other.step == 1 && is_apart
    })
}

/// The total of some integers, or the ends of their running totals. What 128 bits cannot hold is no bound.
fn folded(values: impl Iterator<Item = i128>, is_product: bool, is_running: bool) -> Option<Ends> {
    let mut total = i128::from(is_product);
    let mut ends: Option<Ends> = None;
    for value in values {
        total = if is_product { total.saturating_mul(value) } else { total.saturating_add(value) };
        ends = ends.map(|(low, high)| (low.min(total), high.max(total))).or(Some((total, total)));
    }
    if is_running { ends } else { Some((total, total)) }
}

/// The first number and the step of a vector of integers in equal steps, if nothing in it wraps.
#[expect(clippy::wildcard_enum_match_arm, reason = "what other nodes give is not in equal steps")]
fn steps(program: &Program, mut node: NodeId) -> Option<(i128, i128)> {
    let (mut offset, mut scale) = (0i128, 1i128);
    loop {
        if !program.node(node).dtype.is_integer() {
            return None;
        }
        node = match program.node(node).kind {
            NodeKind::Iota { .. } => return Some((offset, scale)),
            NodeKind::Map(Prim::Convert, [Some(arg), ..]) => arg,
            NodeKind::Map(Prim::Neg, [Some(arg), ..]) => {
                scale = scale.checked_neg()?;
                arg
            }
            NodeKind::Map(prim @ (Prim::Add | Prim::Sub | Prim::Mul), [Some(a), Some(b), _]) => {
                let (is_left, known, other) = match (number(program, a), number(program, b)) {
                    (Some(known), _) => (true, known, b),
                    (None, Some(known)) => (false, known, a),
                    (None, None) => return None,
                };
                match prim {
                    Prim::Mul => scale = scale.checked_mul(known)?,
                    Prim::Sub if is_left => {
                        offset = offset.checked_add(scale.checked_mul(known)?)?;
                        scale = scale.checked_neg()?;
                    }
                    Prim::Sub => offset = offset.checked_sub(scale.checked_mul(known)?)?,
                    _ => offset = offset.checked_add(scale.checked_mul(known)?)?,
                }
                other
            }
            _ => return None,
        };
    }
}

/// The integer that a node is everywhere, if it is a constant.
fn number(program: &Program, node: NodeId) -> Option<i128> {
    let NodeKind::Const(value) = program.node(bare(program, node)).kind else { return None };
    Interval::of_scalar(value).single()
}
