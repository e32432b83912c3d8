//! Totals of integers that the program itself holds: of array literals, and of numbers in equal steps, as `arange`
//! gives.

use super::Lint;
use crate::check::infer::operand::LITERAL;
use crate::ir::{NodeId, NodeKind, Program, View};
use crate::range::Interval;
use crate::range::integer::Ends;
use crate::scalar::prim::Prim;

/// The most elements that are added or multiplied one by one.
const MOST: u64 = 1 << 16;

impl Lint<'_, '_> {
    /// The exact sum or product of the integers of a vector, or the ends of its running totals; nothing where they are
    /// not known, or too many.
    pub(super) fn known_total(&mut self, node: NodeId, is_product: bool, is_running: bool) -> Option<Ends> {
        let program = self.graph.builder.program();
        let [dim] = program.node(node).shape.as_slice() else { return None };
        let count = dim.known()?;
        if let NodeKind::Input(input) = program.node(node).kind {
            let input = program.inputs.get(input as usize).filter(|input| input.name == LITERAL)?;
            let array = input.value.as_ref().filter(|array| array.len() as u64 <= MOST)?;
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
        if count <= MOST { folded(values, is_product, is_running) } else { None }
    }
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
fn number(program: &Program, mut node: NodeId) -> Option<i128> {
    while let NodeKind::View { arg, view: View::Broadcast } = program.node(node).kind {
        node = arg;
    }
    let NodeKind::Const(value) = program.node(node).kind else { return None };
    Interval::of_scalar(value).single()
}
