//! Whether it matters that a node wraps: what the program makes of it.
//!
//! It does not where every use does one of four things. It keeps only bits that wrapping leaves alone, as in
//! `u8(a*31 + b)` and `(a + b) & 15`. Or it takes the value only where nothing wraps, as in `where(a > b, a - b, 0)`. Or it mixes
//! the bits of products: `x*p ^ y*q`. Or it asks whether the value wrapped, `s < a` of `s = a + b`, or is guarded by such
//! a question: `where(s < a, 255, s)`.

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

/// How many parts of a condition are looked at.
const PARTS: usize = 16;

/// What selects a value: a condition, and whether the value is taken where it holds.
type Gate = (NodeId, bool);

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

    /// Whether to some users of a node nothing depends on the value that it has where it wraps. Who adds the carry
    /// elsewhere knows that it can wrap.
    pub fn are_indifferent(&self, ranges: &mut Ranges, node: NodeId, users: &[NodeId]) -> bool {
        self.has_carry(node) || self.indifferent(ranges, node, (node, users), true, &mut NEARBY.clone())
    }

    /// Whether some users take a node only where it does not wrap.
    pub fn are_taken_where_it_fits(&self, ranges: &mut Ranges, node: NodeId, users: &[NodeId]) -> bool {
        self.indifferent(ranges, node, (node, users), false, &mut NEARBY.clone())
    }

    /// Whether some users take a quotient only where its divisor is not 0.
    pub fn exclude_zero(&self, ranges: &mut Ranges, quotient: NodeId, divisor: NodeId, users: &[NodeId]) -> bool {
        let mut will_do = |gates: &[Gate]| {
            gates.iter().any(|&(condition, holds)| ranges.is_nonzero_under(self.program, condition, holds, divisor))
        };
        self.take_where((quotient, users), &mut Vec::new(), &mut will_do, &mut NEARBY.clone())
    }

    /// Whether some users take a shift only where its count is one of the places that its bits have.
    pub fn keep_below_width(&self, ranges: &mut Ranges, shift: NodeId, count: NodeId, users: &[NodeId]) -> bool {
        let places = (0, i128::from(self.program.node(shift).dtype.bits()) - 1);
        let mut will_do = |gates: &[Gate]| ranges.is_between_under(self.program, gates, count, places);
        self.take_where((shift, users), &mut Vec::new(), &mut will_do, &mut NEARBY.clone())
    }

    /// Whether there are users of a value, and what they make of it is taken only under conditions that will do
    /// together: `gates`, and those of the users and of their users.
    fn take_where(
        &self,
        (value, users): (NodeId, &[NodeId]),
        gates: &mut Vec<Gate>,
        will_do: &mut dyn FnMut(&[Gate]) -> bool,
        budget: &mut usize,
    ) -> bool {
        if users.is_empty() {
            return false;
        }
        users.iter().all(|&user| {
            if user == value || *budget == 0 || !matches!(self.program.node(user).kind, NodeKind::Map(..)) {
                return false;
            }
            *budget -= 1;
            let known = gates.len();
            gates.extend(self.gate(user, value));
            let taken = gates.len() > known && will_do(gates.as_slice())
                || self.take_where((user, self.all(user)), gates, will_do, budget);
            gates.truncate(known);
            taken
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
            if residue && (self.keeps_low_bits(ranges, user, wrapping) || self.mixes(ranges, user, wrapping)) {
                return true;
            }
            if self.asks(user, wrapping) {
                return true;
            }
            if let Some((condition, holds)) = self.gate(user, value)
                && (self.is_asked(condition, wrapping) || ranges.fits_under(self.program, condition, holds, wrapping))
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

    /// Whether a user mixes a product, or what is added to it, with the bits of another value: what is made so is a
    /// hash, and a hash means to wrap.
    fn mixes(&self, ranges: &mut Ranges, user: NodeId, wrapping: NodeId) -> bool {
        let NodeKind::Map(Prim::Xor, [Some(a), Some(b), _]) = self.program.node(user).kind else { return false };
        let is_product = |node: NodeId| matches!(self.program.node(node).kind, NodeKind::Map(Prim::Mul, _));
        let is_known = |ranges: &mut Ranges, node: NodeId| ranges.of(self.program, node).interval.single().is_some();
        (is_product(wrapping) || self.program.node(wrapping).operands().any(is_product))
            && !is_known(ranges, a)
            && !is_known(ranges, b)
    }

    /// The condition under which a user takes a value: of a selection, of a product with a mask, or the other part of
    /// a condition.
    fn gate(&self, user: NodeId, value: NodeId) -> Option<Gate> {
        let kind = &self.program.node(user).kind;
        if let NodeKind::Map(prim @ (Prim::And | Prim::Or), [Some(a), Some(b), _]) = *kind
            && self.program.node(user).dtype == DType::Bool
            && (a == value) != (b == value)
        {
            return Some((if a == value { b } else { a }, prim == Prim::And));
        }
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

    /// Whether a comparison asks whether a sum wrapped: `s < a` of an unsigned sum `s = a + b`, and `a < d` of a
    /// difference `d = a - b`.
    fn asks(&self, comparison: NodeId, sum: NodeId) -> bool {
        let node = self.program.node(sum);
        let NodeKind::Map(prim @ (Prim::Add | Prim::Sub), [a, b, _]) = node.kind else { return false };
        let asked = [a, if prim == Prim::Add { b } else { a }];
        let NodeKind::Map(Prim::Lt | Prim::Le, [small, large, _]) = self.program.node(comparison).kind else {
            return false;
        };
        let other = match (small == Some(sum), large == Some(sum)) {
            (true, false) => large,
            (false, true) => small,
            _ => return false,
        };
        integers(node.dtype).0 == 0 && asked.contains(&other) && !self.is_guard(comparison)
    }

    /// Whether a condition, or a part of it, asks whether a sum wrapped.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other nodes have no parts that are conditions")]
    fn is_asked(&self, condition: NodeId, sum: NodeId) -> bool {
        let mut parts = vec![condition];
        for _ in 0..PARTS {
            let Some(part) = parts.pop() else { return false };
            if self.asks(part, sum) {
                return true;
            }
            match self.program.node(part).kind {
                NodeKind::View { arg, .. } => parts.push(arg),
                NodeKind::Map(Prim::Not | Prim::And | Prim::Or, args) => parts.extend(args.into_iter().flatten()),
                _ => {}
            }
        }
        false
    }

    /// Whether the answer to whether a sum wrapped becomes a number, as the carry that belongs to the next digit does.
    /// A mask that is multiplied by what is no constant is none.
    fn has_carry(&self, sum: NodeId) -> bool {
        let is_constant = |mut node: NodeId| {
            while let NodeKind::View { arg, .. } | NodeKind::Map(Prim::Convert, [Some(arg), ..]) =
                self.program.node(node).kind
            {
                node = arg;
            }
            matches!(self.program.node(node).kind, NodeKind::Const(_))
        };
        let is_product = |node: NodeId| {
            let of = self.program.node(node);
            matches!(of.kind, NodeKind::Map(Prim::Mul, _)) && !of.operands().any(is_constant)
        };
        let is_number = |node: NodeId| {
            let converts = matches!(self.program.node(node).kind, NodeKind::Map(Prim::Convert, _));
            converts && self.all(node).iter().any(|&user| user == node || !is_product(user))
        };
        self.all(sum).iter().any(|&user| self.asks(user, sum) && self.all(user).iter().any(|&made| is_number(made)))
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
