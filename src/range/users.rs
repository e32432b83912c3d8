//! Users of a node, asked whether it matters to them that it wraps.
//!
//! It does not where every use does one of four things. It keeps only bits that wrapping leaves alone, as in
//! `u8(a*31 + b)` and `(a + b) & 15`. Or it takes the value only where nothing wraps, as in
//! `where(a > b, a - b, 0)`. Or it mixes the bits of products, and what is made of them stays bits: `x*p ^ y*q`; so it
//! does where it keeps only the high bits of a product with a large odd number, `x*p >> 24`. Or it asks whether the
//! value wrapped, `s < a` of `s = a + b`, or is guarded by such a question: `where(s < a, 255, s)`. Where the answer is
//! that it wrapped, only what is put right is taken: `where(s < a, s + 1, s)`. A carry that is added elsewhere excuses
//! every use.

use super::nodes::Ranges;
use super::{Interval, integers};
use crate::ir::{Fault, NodeId, NodeKind, Program};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::types::DType;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// How many nodes are looked at from one on.
pub(super) const MAX_SEARCHED_NODES: usize = 64;

/// How many parts of a condition are looked at.
const PARTS: usize = 16;

/// What selects a value: a condition, and whether the value is taken where it holds.
type Gate = (NodeId, bool);

/// Who uses which node of a program.
#[derive(Debug)]
pub struct Users<'p> {
    pub(super) program: &'p Program,
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

    /// The users of a node that belong to an operation, are among the nodes that it added, or convert the node for it;
    /// all where none is, or where no operation is known.
    pub fn at(&self, node: NodeId, operation: Option<&(NodeId, Range<usize>)>) -> Cow<'_, [NodeId]> {
        let all = self.all(node);
        let Some((made, added)) = operation else { return Cow::Borrowed(all) };
        let converts = |user: NodeId| {
            matches!(self.program.node(user).kind, NodeKind::Map(Prim::Convert, _))
                && self.program.node(*made).operands().any(|it| it == user)
        };
        let is_own = |user: &&NodeId| *user == made || added.contains(&user.index()) || converts(**user);
        let own: Vec<NodeId> = all.iter().filter(is_own).copied().collect();
        if own.is_empty() { Cow::Borrowed(all) } else { Cow::Owned(own) }
    }

    pub(super) fn all(&self, node: NodeId) -> &[NodeId] {
        self.users.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Whether to some users of a node nothing depends on the value that it has where it wraps. Who adds the carry
    /// elsewhere knows that it can wrap.
    pub fn are_indifferent(&self, ranges: &mut Ranges, node: NodeId, users: &[NodeId]) -> bool {
        self.has_carry(node)
            || self.is_generator(ranges, node)
            || ranges.fits_where_taken(node)
            || self.indifferent(ranges, node, (node, users), true, &mut MAX_SEARCHED_NODES.clone())
    }

    /// Whether some users take a node only where it does not wrap.
    pub fn are_taken_where_it_fits(&self, ranges: &mut Ranges, node: NodeId, users: &[NodeId]) -> bool {
        self.indifferent(ranges, node, (node, users), false, &mut MAX_SEARCHED_NODES.clone())
    }

    /// Whether some users take a quotient only where its divisor is not 0.
    pub fn exclude_zero(&self, ranges: &mut Ranges, quotient: NodeId, divisor: NodeId, users: &[NodeId]) -> bool {
        let mut will_do = |gates: &[Gate]| {
            gates.iter().any(|&(condition, holds)| ranges.is_nonzero_under(self.program, condition, holds, divisor))
        };
        self.take_where((quotient, users), &mut Vec::new(), &mut will_do, &mut MAX_SEARCHED_NODES.clone())
    }

    /// Whether some users take a shift only where its count is one of the places that its bits have.
    pub fn keep_below_width(&self, ranges: &mut Ranges, shift: NodeId, count: NodeId, users: &[NodeId]) -> bool {
        let places = (0, i128::from(self.program.node(shift).dtype.bits()) - 1);
        let mut will_do = |gates: &[Gate]| ranges.is_between_under(self.program, gates, count, places);
        self.take_where((shift, users), &mut Vec::new(), &mut will_do, &mut MAX_SEARCHED_NODES.clone())
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
            let takes_bits = |ranges: &mut Ranges| {
                self.keeps_low_bits(ranges, user, wrapping)
                    || self.takes_high_bits(ranges, user, wrapping)
                    || self.mixes(ranges, user, wrapping)
            };
            if residue && takes_bits(ranges) {
                return true;
            }
            if self.asks(user, wrapping).is_some() {
                return true;
            }
            if let Some((condition, holds)) = self.gate(user, value)
                && (self.is_asked(condition, wrapping, Some(holds))
                    || self.is_put_right(value, wrapping) && self.is_asked(condition, wrapping, None)
                    || ranges.fits_under(self.program, condition, holds, wrapping))
            {
                return true;
            }
            self.indifferent(ranges, wrapping, (user, self.all(user)), residue && is_residue(prim), budget)
        })
    }

    /// Whether a user keeps no more bits than the wrapping node has; `x & (x - 1)` has none but those of `x`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other nodes may keep any bit")]
    fn keeps_low_bits(&self, ranges: &mut Ranges, user: NodeId, wrapping: NodeId) -> bool {
        let (node, own) = (self.program.node(user), self.program.node(wrapping).dtype);
        match node.kind {
            NodeKind::Map(Prim::Convert, _) => node.dtype.is_integer() && node.dtype.bits() <= own.bits(),
            NodeKind::Map(Prim::Bitcast, _) => true,
            NodeKind::Map(Prim::And, [Some(a), Some(b), _]) => {
                let is_part = |mask: NodeId| self.program.node(wrapping).operands().any(|it| it == mask);
                let is_natural = |values: Interval| matches!(values, Interval::Integer { low: 0.., .. });
                let values = [a, b].map(|mask| (mask, ranges.of(self.program, mask).interval));
                values.into_iter().any(|(mask, it)| is_mask(it, own) || is_part(mask) && is_natural(it))
            }
            NodeKind::Map(Prim::Rem, [_, Some(by), _]) => {
                // The remainder of a power of two is the low bits; `fmod` of negative numbers is not.
                let by = ranges.of(self.program, by).interval.single();
                let exact = ranges.exact_range(self.program, wrapping).map(|exact| exact.interval);
                let is_positive = matches!(exact, Some(Interval::Integer { low, .. }) if low >= 0);
                is_positive && by.is_some_and(|by| by > 0 && by & (by - 1) == 0)
            }
            _ => false,
        }
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

    /// If a comparison asks whether a sum wrapped, whether it did not where the comparison holds. `s < a` of an
    /// unsigned sum `s = a + b`, and `a < d` of a difference `d = a - b`, say that it did.
    fn asks(&self, comparison: NodeId, sum: NodeId) -> Option<bool> {
        let node = self.program.node(sum);
        let NodeKind::Map(prim @ (Prim::Add | Prim::Sub), [a, b, _]) = node.kind else { return None };
        let asked = [a, if prim == Prim::Add { b } else { a }];
        let NodeKind::Map(Prim::Lt | Prim::Le, [small, large, _]) = self.program.node(comparison).kind else {
            return None;
        };
        let (other, is_small) = match (small == Some(sum), large == Some(sum)) {
            (true, false) => (large, true),
            (false, true) => (small, false),
            _ => return None,
        };
        let asks = integers(node.dtype).0 == 0 && asked.contains(&other) && !self.is_guard(comparison);
        asks.then_some(is_small == (prim == Prim::Sub))
    }

    /// Whether a condition, or a part of it, asks whether a sum wrapped; with `holds`, whether the sum did not wrap
    /// where the condition holds, or where it does not.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other nodes have no parts that are conditions")]
    fn is_asked(&self, condition: NodeId, sum: NodeId, holds: Option<bool>) -> bool {
        let mut parts = vec![(condition, holds)];
        for _ in 0..PARTS {
            let Some((part, holds)) = parts.pop() else { return false };
            if self.asks(part, sum).is_some_and(|fits| holds.is_none_or(|holds| holds == fits)) {
                return true;
            }
            match self.program.node(part).kind {
                NodeKind::View { arg, .. } => parts.push((arg, holds)),
                NodeKind::Map(Prim::Not, [Some(arg), ..]) => parts.push((arg, holds.map(|holds| !holds))),
                // `(s < a) == true` asks what `s < a` asks, and `(s < a) == false` the opposite.
                NodeKind::Map(prim @ (Prim::Eq | Prim::Ne), [Some(a), Some(b), _]) => {
                    for (asked, other) in [(a, b), (b, a)] {
                        let truth = self.constant(other).and_then(|value| Interval::of_scalar(value).single());
                        if let (Some(asked), Some(truth @ (0 | 1))) = (self.truth_of(asked), truth) {
                            let is_same = (truth == 1) == (prim == Prim::Eq);
                            parts.push((asked, holds.map(|holds| holds == is_same)));
                        }
                    }
                }
                NodeKind::Map(prim @ (Prim::And | Prim::Or), [Some(a), Some(b), _])
                    if holds != Some(prim == Prim::Or) =>
                {
                    parts.extend([(a, holds), (b, holds)]);
                }
                _ => {}
            }
        }
        false
    }

    /// Whether a value that is taken under such a question adds something to a sum that may have wrapped, or takes
    /// something from it: `s - m` of numbers modulo `m`.
    fn is_put_right(&self, value: NodeId, sum: NodeId) -> bool {
        value != sum && matches!(self.program.node(value).kind, NodeKind::Map(Prim::Add | Prim::Sub, _))
    }

    /// Whether the answer to whether a sum wrapped becomes a number that is added to something, as the carry that
    /// belongs to the next digit is: `i32(s < a) * 256 + i32(s)`, `where(s < a, 256, 0) | i32(s)`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what other nodes give is no carry")]
    fn has_carry(&self, sum: NodeId) -> bool {
        let number = |node: NodeId| self.constant(node).and_then(|value| Interval::of_scalar(value).single());
        // A digit of bits has a weight that is a power of two.
        let is_carry = |made: NodeId, question: NodeId, fits: bool| match self.program.node(made).kind {
            NodeKind::Map(Prim::Convert, _) => !fits,
            NodeKind::Map(Prim::Select, [Some(condition), Some(yes), Some(no)]) => {
                let (weight, nothing) = if fits { (no, yes) } else { (yes, no) };
                let is_power = number(weight).is_some_and(|weight| weight.unsigned_abs().is_power_of_two());
                condition == question && is_power && number(nothing) == Some(0)
            }
            _ => false,
        };
        self.all(sum).iter().any(|&question| {
            let Some(fits) = self.asks(question, sum) else { return false };
            let mut made = self.all(question).iter();
            made.any(|&made| is_carry(made, question, fits) && self.is_added(made, &mut MAX_SEARCHED_NODES.clone()))
        })
    }

    /// Whether a number, or it times a constant, is added to what is no constant, taken from it, or put beside its
    /// bits.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what other nodes give is another number")]
    fn is_added(&self, number: NodeId, budget: &mut usize) -> bool {
        self.all(number).iter().any(|&user| {
            if user == number || *budget == 0 {
                return false;
            }
            *budget -= 1;
            match self.program.node(user).kind {
                NodeKind::Map(Prim::Add | Prim::Sub | Prim::Or | Prim::Xor, [Some(a), Some(b), _]) => {
                    a != b && self.constant(if a == number { b } else { a }).is_none()
                }
                NodeKind::Map(Prim::Mul, [Some(a), Some(b), _]) => {
                    self.constant(if a == number { b } else { a }).is_some() && self.is_added(user, budget)
                }
                NodeKind::Map(Prim::Shl, [Some(first), ..]) => first == number && self.is_added(user, budget),
                NodeKind::Map(Prim::Convert | Prim::Neg, _) | NodeKind::View { .. } => self.is_added(user, budget),
                _ => false,
            }
        })
    }

    /// The truth value that a number is made of, or the node itself if it is one.
    fn truth_of(&self, mut node: NodeId) -> Option<NodeId> {
        while self.program.node(node).dtype != DType::Bool {
            let (NodeKind::View { arg, .. } | NodeKind::Map(Prim::Convert, [Some(arg), ..])) =
                self.program.node(node).kind
            else {
                return None;
            };
            node = arg;
        }
        Some(node)
    }

    /// The constant that a node is everywhere, before it is converted.
    fn constant(&self, node: NodeId) -> Option<Scalar> {
        let node = self.program.below_conversions(node);
        if let NodeKind::Const(value) = self.program.node(node).kind { Some(value) } else { None }
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
