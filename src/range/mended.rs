//! Exact values of arithmetic that wraps, as dtypes that hold them compute it.
//!
//! Ranges say what a program computes: after `a + c` of u16 has wrapped, `b * (a + c)` lies below 2^32. Who mends the
//! sum makes the product larger. So a dtype that mends the product holds what it is then. One that mends the sum may
//! have to hold the product too, as it is computed in the same dtype.

use super::nodes::Ranges;
use super::relations::Relations;
use super::{Interval, Range, integer};
use crate::ir::{Fold, NodeId, NodeKind, Program};
use crate::scalar::prim::Prim;
use std::cmp::Reverse;
use std::collections::HashMap;

/// What a dtype that mends arithmetic is to hold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MendingRange {
    /// The results.
    pub exact: Interval,
    /// What is made of them in 8 and 16 bits, if there is something: it follows to the dtype that mends them.
    pub later: Option<Interval>,
}

impl MendingRange {
    /// Room for both.
    #[must_use]
    pub fn union(self, other: MendingRange) -> MendingRange {
        let later = match (self.later, other.later) {
            (Some(one), Some(other)) => Some(one.union(other)),
            (one, other) => one.or(other),
        };
        MendingRange { exact: self.exact.union(other.exact), later }
    }
}

/// The values of arithmetic that is mended, and of what is made of it.
#[derive(Clone, Debug, Default)]
pub struct MendedRanges {
    /// Of nodes that have other values then.
    exact: HashMap<NodeId, Range>,
    /// Of what is made of them in 8 and 16 bits.
    later: HashMap<NodeId, Interval>,
}

impl MendedRanges {
    /// What a dtype is to hold that mends a node with these exact values.
    pub fn room(&self, node: NodeId, exact: Interval) -> MendingRange {
        let exact = self.exact.get(&node).map_or(exact, |mended| mended.interval.union(exact));
        MendingRange { exact, later: self.later.get(&node).copied() }
    }

    /// Looks from each node at what is made of it.
    fn look_ahead(&mut self, program: &Program) {
        let is_narrow = |node: NodeId| program.node(node).dtype.bits() <= 16;
        let mut made: Vec<NodeId> = self.exact.keys().copied().filter(|&node| is_narrow(node)).collect();
        made.sort_unstable_by_key(|node| Reverse(node.index()));
        for node in made {
            let own = self.exact[&node].interval;
            let all = self.later.get(&node).map_or(own, |later| later.union(own));
            for part in parts(program, node) {
                if self.exact.contains_key(&part) && is_narrow(part) {
                    self.later.entry(part).and_modify(|later| *later = later.union(all)).or_insert(all);
                }
            }
        }
    }
}

impl Ranges {
    /// What values come to once these nodes are mended, each of which has exact values that its dtype does not hold.
    pub fn mend(&mut self, program: &Program, wraps: &HashMap<NodeId, Interval>) -> MendedRanges {
        let mut mended = MendedRanges::default();
        let Some(first) = wraps.keys().map(|node| node.index()).min() else { return mended };
        for index in first..program.nodes.len() {
            let node = NodeId(index as u32);
            if let Some(range) = self.once_mended(program, node, &mended.exact, wraps.get(&node)) {
                mended.exact.insert(node, range);
            }
        }
        mended.look_ahead(program);
        mended
    }

    /// The values of a node, if it is among those that are mended, or some of what it is made of has other values.
    fn once_mended(
        &mut self,
        program: &Program,
        node: NodeId,
        mended: &HashMap<NodeId, Range>,
        wraps: Option<&Interval>,
    ) -> Option<Range> {
        let dtype = program.node(node).dtype;
        let is_made_of_mended = dtype.is_integer() && program.node(node).operands().any(|it| mended.contains_key(&it));
        if wraps.is_none() && !is_made_of_mended {
            return None;
        }
        let own = self.of(program, node);
        let alone = wraps.map(|exact| own.with(*exact));
        let parts = if is_made_of_mended { parts(program, node) } else { Vec::new() };
        // What wraps anyhow and is not among them is meant to.
        let is_meant =
            wraps.is_none() && self.exact_range(program, node).is_some_and(|exact| !exact.interval.exists_in(dtype));
        if is_meant || !parts.iter().any(|part| mended.contains_key(part)) {
            return alone;
        }
        let of = |part: NodeId| mended.get(&part).copied().unwrap_or(self.known[part.index()]);
        let ranges: Vec<Range> = parts.iter().map(|&part| of(part)).collect();
        let found = if let NodeKind::Map(prim, _) = program.node(node).kind
            && is_arithmetic(prim)
        {
            let ends = Relations::new(program, of).exact(prim, dtype, &parts, &ranges);
            ends.map(|(low, high)| Interval::Integer { low, high })
        } else {
            ranges.iter().map(|range| range.interval).reduce(Interval::union)
        };
        let Some(found) = found else { return alone };
        let all = wraps.map_or(found, |exact| exact.union(found));
        (wraps.is_some() || all != own.interval).then_some(own.with(all))
    }
}

/// The operands that give a node its values, and its dtype.
#[expect(clippy::wildcard_enum_match_arm, reason = "what other nodes give is bounded by itself")]
fn parts(program: &Program, node: NodeId) -> Vec<NodeId> {
    match &program.node(node).kind {
        NodeKind::View { arg, .. }
        | NodeKind::Gather { arg, .. }
        | NodeKind::Fold { fold: Fold::Min | Fold::Max, arg, .. }
        | NodeKind::Map(Prim::Convert, [Some(arg), ..]) => vec![*arg],
        NodeKind::Concat { parts, .. } => parts.to_vec(),
        NodeKind::Map(Prim::Select, [_, Some(yes), Some(no)]) => vec![*yes, *no],
        NodeKind::Map(prim, args) if is_arithmetic(*prim) => args.iter().flatten().copied().collect(),
        _ => Vec::new(),
    }
}

/// Whether a prim computes with integers, whatever their dtype.
fn is_arithmetic(prim: Prim) -> bool {
    integer::overflows(prim) || matches!(prim, Prim::Min | Prim::Max | Prim::Rem)
}
