//! Whether it matters that a node wraps: what the program makes of it.
//!
//! It does not where every use does one of three things. It keeps only bits that wrapping leaves alone, as in `u8(a*31
//! + b)` and `(a + b) & 15`. Or it takes the value only where nothing wraps, as in `where(a > b, a - b, 0)`. Or it asks
//! whether something wrapped: `s < a` of `s = a + b`.

use super::nodes::Ranges;
use super::{Interval, integers};
use crate::ir::{Fault, NodeId, NodeKind, Program};
use crate::scalar::prim::Prim;
use crate::types::DType;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// How many nodes are looked at from one on.
const NEARBY: usize = 64;

/// Who uses which node of a program.
#[derive(Debug)]
pub struct Users<'p> {
    program: &'p Program,
    users: HashMap<NodeId, Vec<NodeId>>,
}

impl<'p> Users<'p> {
    /// The users of all nodes; outputs use a node too, and nothing is known of what becomes of it.
    pub fn of(program: &'p Program) -> Users<'p> {
        let mut users: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for (index, node) in program.nodes.iter().enumerate() {
            node.operands().for_each(|operand| users.entry(operand).or_default().push(NodeId(index as u32)));
        }
        for output in &program.outputs {
            users.entry(output.node).or_default().push(output.node);
        }
        Users { program, users }
    }

    /// The users of a node that belong to an operation, or are among the nodes that it added; all where none is, or
    /// where no operation is known.
    pub fn at(&self, node: NodeId, operation: Option<&(NodeId, Range<usize>)>) -> Cow<'_, [NodeId]> {
        let all = self.all(node);
        let Some((made, added)) = operation else { return Cow::Borrowed(all) };
        let is_own = |user: &&NodeId| *user == made || added.contains(&user.index());
        let own: Vec<NodeId> = all.iter().filter(is_own).copied().collect();
        if own.is_empty() { Cow::Borrowed(all) } else { Cow::Owned(own) }
    }

    fn all(&self, node: NodeId) -> &[NodeId] {
        self.users.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Whether to some users of a node nothing depends on the value that it has where it wraps. Who asks anywhere
    /// whether it did knows that it can.
    pub fn are_indifferent(&self, ranges: &mut Ranges, node: NodeId, users: &[NodeId]) -> bool {
        self.asks_whether_it_wrapped(node) || self.indifferent(ranges, node, (node, users), true, &mut NEARBY.clone())
    }

    /// Whether some users take a node only where it does not wrap.
    pub fn are_taken_where_it_fits(&self, ranges: &mut Ranges, node: NodeId, users: &[NodeId]) -> bool {
        self.indifferent(ranges, node, (node, users), false, &mut NEARBY.clone())
    }

    /// Whether some users take a quotient only where its divisor is not 0.
    pub fn exclude_zero(&self, ranges: &mut Ranges, quotient: NodeId, divisor: NodeId, users: &[NodeId]) -> bool {
        self.take_where(quotient, users, |condition, holds| {
            ranges.is_nonzero_under(self.program, condition, holds, divisor)
        })
    }

    /// Whether some users take a shift only where its count is one of the places that its bits have.
    pub fn keep_below_width(&self, ranges: &mut Ranges, shift: NodeId, count: NodeId, users: &[NodeId]) -> bool {
        let places = (0, i128::from(self.program.node(shift).dtype.bits()) - 1);
        self.take_where(shift, users, |condition, holds| {
            ranges.is_between_under(self.program, condition, holds, count, places)
        })
    }

    /// Whether there are users, and all take a value only under conditions that will do.
    fn take_where(&self, value: NodeId, users: &[NodeId], mut will_do: impl FnMut(NodeId, bool) -> bool) -> bool {
        !users.is_empty()
            && users.iter().all(|&user| {
                user != value && self.gate(user, value).is_some_and(|(condition, holds)| will_do(condition, holds))
            })
    }

    /// `value`, which has these users, is made of `wrapping`; `residue` says whether only by steps that keep the low
    /// bits right.
    fn indifferent(
        &self,
        ranges: &mut Ranges,
        wrapping: NodeId,
        (value, users): (NodeId, &[NodeId]),
        residue: bool,
        budget: &mut usize,
    ) -> bool {
        if users.is_empty() {
            return false;
        }
        users.iter().all(|&user| {
            if user == value || *budget == 0 {
                return false;
            }
            *budget -= 1;
            let NodeKind::Map(prim, _) = self.program.node(user).kind else { return false };
            if residue && self.keeps_low_bits(ranges, user, wrapping) {
                return true;
            }
            if let Some((condition, holds)) = self.gate(user, value)
                && ranges.fits_under(self.program, condition, holds, wrapping)
            {
                return true;
            }
            self.indifferent(ranges, wrapping, (user, self.all(user)), residue && is_residue(prim), budget)
        })
    }

    /// Whether a user keeps no more bits than the wrapping node has.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other nodes may keep any bit")]
    fn keeps_low_bits(&self, ranges: &mut Ranges, user: NodeId, wrapping: NodeId) -> bool {
        let (node, own) = (self.program.node(user), self.program.node(wrapping).dtype);
        match node.kind {
            NodeKind::Map(Prim::Convert, _) => node.dtype.is_integer() && node.dtype.bits() <= own.bits(),
            NodeKind::Map(Prim::Bitcast, _) => true,
            NodeKind::Map(Prim::And, [Some(a), Some(b), _]) => {
                [a, b].into_iter().any(|mask| is_mask(ranges.of(self.program, mask).interval, own))
            }
            NodeKind::Map(Prim::Rem, [_, Some(by), _]) => {
                // The remainder of a power of two is the low bits; `fmod` of negative numbers is not.
                let by = ranges.of(self.program, by).interval.single();
                let exact = ranges.unwrapped(self.program, wrapping).map(|exact| exact.interval);
                let is_positive = matches!(exact, Some(Interval::Integer { low, .. }) if low >= 0);
                is_positive && by.is_some_and(|by| by > 0 && by & (by - 1) == 0)
            }
            _ => false,
        }
    }

    /// The condition under which a user takes a value: of a selection, or of a product with a mask.
    fn gate(&self, user: NodeId, value: NodeId) -> Option<(NodeId, bool)> {
        let kind = &self.program.node(user).kind;
        if let NodeKind::Map(Prim::Select, [Some(condition), Some(yes), Some(no)]) = *kind
            && condition != value
            && (yes == value) != (no == value)
        {
            return Some((condition, yes == value));
        }
        let NodeKind::Map(Prim::Mul, [Some(a), Some(b), _]) = *kind else { return None };
        let mask = if a == value { b } else { a };
        let NodeKind::Map(Prim::Convert, [Some(truth), ..]) = self.program.node(mask).kind else { return None };
        (self.program.node(truth).dtype == DType::Bool).then_some((truth, true))
    }

    /// `s < a` of an unsigned sum `s = a + b`, and `a < d` of a difference `d = a - b`.
    fn asks_whether_it_wrapped(&self, sum: NodeId) -> bool {
        let node = self.program.node(sum);
        let NodeKind::Map(prim @ (Prim::Add | Prim::Sub), [a, b, _]) = node.kind else { return false };
        let asked = [a, if prim == Prim::Add { b } else { a }];
        integers(node.dtype).0 == 0
            && self.all(sum).iter().any(|&user| {
                let NodeKind::Map(Prim::Lt | Prim::Le, [a, b, _]) = self.program.node(user).kind else { return false };
                let other = if a == Some(sum) { b } else { a };
                user != sum && other != Some(sum) && asked.contains(&other) && !self.is_guard(user)
            })
    }

    /// Whether only the guards of `--checked` use a comparison: then the program itself does not ask.
    fn is_guard(&self, comparison: NodeId) -> bool {
        let users = self.all(comparison);
        let guards = |user: NodeId| {
            let mut checks = self.program.checks.iter();
            checks.any(|check| check.node == user && matches!(check.fault, Fault::Overflow { .. }))
        };
        // Of a scalar the comparison is the condition itself.
        (guards(comparison) || !users.is_empty()) && users.iter().all(|&user| user != comparison && guards(user))
    }
}

/// Whether the low bits of a prim's result depend on the low bits of its operands alone.
pub fn is_residue(prim: Prim) -> bool {
    matches!(
        prim,
        Prim::Add | Prim::Sub | Prim::Mul | Prim::Neg | Prim::And | Prim::Or | Prim::Xor | Prim::Not | Prim::Shl
    )
}

/// Whether only values of a mask's bits pass it: `& 15`.
pub fn is_mask(mask: Interval, dtype: DType) -> bool {
    matches!(mask, Interval::Integer { low, high } if low >= 0 && low == high && high <= integers(dtype).1)
}
