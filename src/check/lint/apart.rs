//! Differences of sums in wide unsigned integers: `sum(a) - sum(b)` falls below 0 where `b` adds up to more.
//!
//! Totals of different inputs have nothing to do with each other. Those of one input often have, as in
//! `c[8:] - c[:-8]` of `c = cumsum(x)`, so nothing is told of them. Nor is anything told where the script asserts an
//! order of inputs, `assert all(a >= b)`, or where a sum must be of very many elements to be so large.

use crate::hash::QuickSet;
use crate::ir::{Fold, NodeId, NodeKind, Program};
use crate::range::Interval;
use crate::range::integer::Ends;
use crate::range::nodes::Ranges;
use crate::scalar::prim::Prim;

/// How many nodes are looked at on either side.
const PARTS: usize = 128;

/// The most elements that a sum is taken to have.
const MAX_SUM_ELEMENTS: i128 = 1 << 31;

/// One side of a difference.
#[derive(Default)]
struct TotalsSide {
    /// Whether it adds up elements.
    adds_up: bool,
    /// The most elements that a sum in it can have.
    elements: i128,
    /// What it is computed from, constants left out.
    sources: QuickSet<NodeId>,
}

/// Whether a node is a difference of totals of narrow integers, or of those that somebody stated a range of, and its
/// sides have no source in common and none whose order is asserted.
pub(super) fn is_of_totals_apart(program: &Program, ranges: &mut Ranges, node: NodeId) -> bool {
    let NodeKind::Map(Prim::Sub, [Some(a), Some(b), _]) = program.node(node).kind else { return false };
    let (Some(one), Some(other)) = (side(program, ranges, a, true), side(program, ranges, b, false)) else {
        return false;
    };
    let is_apart = (one.adds_up || other.adds_up) && one.sources.is_disjoint(&other.sources);
    let has_order = ranges.asserts_order(|node| one.sources.contains(&node), |node| other.sources.contains(&node));
    let (low, high) = (ends(program, ranges, a).0, ends(program, ranges, b).1);
    is_apart && !has_order && low < high / (other.elements / MAX_SUM_ELEMENTS).max(1)
}

/// The ends of the integers that a node can be.
fn ends(program: &Program, ranges: &mut Ranges, node: NodeId) -> Ends {
    if let Interval::Integer { low, high } = ranges.of(program, node).interval {
        (low, high)
    } else {
        (i128::MIN, i128::MAX)
    }
}

/// A side that is made of totals and numbers by steps of which the range says how far they reach. Of what is `first`,
/// which something is taken from, only the low end counts: there a share of a total will do.
#[expect(clippy::wildcard_enum_match_arm, reason = "how far other nodes reach the range does not say well enough")]
fn side(program: &Program, ranges: &mut Ranges, node: NodeId, first: bool) -> Option<TotalsSide> {
    let mut side = TotalsSide::default();
    let mut parts = vec![node];
    let mut at = 0;
    while let Some(&part) = parts.get(at) {
        at += 1;
        if at > PARTS {
            return None;
        }
        let of = program.node(part);
        if !of.dtype.is_integer() {
            return None;
        }
        match of.kind {
            NodeKind::Const(_) => {}
            _ if of.dtype.bits() <= 16 => side.comes_from(program, part)?,
            NodeKind::Input(_) if ranges.of(program, part).is_stated() => side.comes_from(program, part)?,
            NodeKind::View { arg, .. } => parts.push(arg),
            NodeKind::Gather { arg, index, .. } => {
                side.comes_from(program, index)?;
                parts.push(arg);
            }
            NodeKind::Fold { fold: fold @ (Fold::Sum | Fold::Min | Fold::Max), arg, .. }
            | NodeKind::Scan { fold: fold @ (Fold::Sum | Fold::Min | Fold::Max), arg, .. } => {
                // A sum of ones is a length.
                if is_constant(program, arg) {
                    return None;
                }
                if fold == Fold::Sum {
                    let (all, each) = (ends(program, ranges, part).1, ends(program, ranges, arg).1);
                    side.adds_up = true;
                    side.elements = side.elements.max(all / each.max(1));
                }
                parts.push(arg);
            }
            NodeKind::Map(Prim::Convert, [Some(arg), ..]) => {
                // What wrapped before can be any value.
                let values = ranges.of(program, arg).interval;
                if !matches!(values, Interval::Integer { .. }) || !values.exists_in(of.dtype) {
                    return None;
                }
                parts.push(arg);
            }
            NodeKind::Map(Prim::Add | Prim::Mul | Prim::Min | Prim::Max, [Some(a), Some(b), _]) => {
                parts.extend([a, b]);
            }
            NodeKind::Map(Prim::FloorDiv | Prim::Shr, [Some(whole), Some(by), _]) if first => {
                side.comes_from(program, by)?;
                parts.push(whole);
            }
            _ => return None,
        }
    }
    Some(side)
}

impl TotalsSide {
    /// Takes note of what a node is computed from; nothing of a state, which the other ones of its loop are made with,
    /// or where that is too much to look at.
    fn comes_from(&mut self, program: &Program, node: NodeId) -> Option<()> {
        let mut left = vec![node];
        while let Some(node) = left.pop() {
            let of = program.node(node);
            if matches!(of.kind, NodeKind::Param(_) | NodeKind::Loop { .. }) || self.sources.len() > PARTS {
                return None;
            }
            if !matches!(of.kind, NodeKind::Const(_) | NodeKind::Iota { .. }) && self.sources.insert(node) {
                left.extend(of.operands());
            }
        }
        Some(())
    }
}

/// Whether a node is a constant, repeated or not.
fn is_constant(program: &Program, node: NodeId) -> bool {
    matches!(program.node(program.below_conversions(node)).kind, NodeKind::Const(_))
}
