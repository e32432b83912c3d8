//! Hashes: products whose bits are mixed, so that they mean to wrap.
//!
//! Nothing but bits may be made of such a value afterwards. It is masked, reduced, mixed again, or told apart from
//! others. A state of a loop that is multiplied by a large odd number is a generator of random numbers.

use super::nodes::Ranges;
use super::users::{MAX_SEARCHED_NODES, Users};
use crate::ir::routine::Routine;
use crate::ir::{Args, NodeId, NodeKind};
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

impl Users<'_> {
    /// Whether a user takes the high half of a product that spreads bits, or less, or that of what is added to one.
    pub(super) fn takes_high_bits(&self, ranges: &mut Ranges, user: NodeId, wrapping: NodeId) -> bool {
        let NodeKind::Map(Prim::Shr, [_, Some(count), _]) = self.program.node(user).kind else { return false };
        let (node, count) = (self.program.node(wrapping), ranges.of(self.program, count).interval.single());
        let width = node.dtype.bits();
        let mut products = std::iter::once(wrapping).chain(node.operands());
        count.is_some_and(|count| count >= i128::from(width / 2))
            && products.any(|it| self.spread(ranges, it, width * 3 / 4).is_some())
    }

    /// Whether a state of a loop is multiplied by a large odd number: a generator of random numbers means to wrap. So
    /// does a hash, `(h ^ byte) * 16777619`, of which nothing but bits is made.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else mixes bits into a state")]
    pub(super) fn is_generator(&self, ranges: &mut Ranges, product: NodeId) -> bool {
        let half = self.program.node(product).dtype.bits() / 2;
        let is_state = |node: NodeId| matches!(self.program.node(node).kind, NodeKind::Param(_));
        self.spread(ranges, product, half).is_some_and(|state| match self.program.node(state).kind {
            NodeKind::Map(Prim::Xor, [Some(a), Some(b), _]) => {
                (is_state(a) || is_state(b)) && self.stays_bits(product, true, &mut MAX_SEARCHED_NODES.clone())
            }
            _ => is_state(state),
        })
    }

    /// What is multiplied by an odd number of more than `bits` bits in 32 unsigned bits or more: that spreads its bits
    /// over the dtype.
    fn spread(&self, ranges: &mut Ranges, product: NodeId, bits: u32) -> Option<NodeId> {
        let node = self.program.node(product);
        let NodeKind::Map(Prim::Mul, [Some(a), Some(b), _]) = node.kind else { return None };
        let is_wide = node.dtype.kind() == Kind::Unsigned && node.dtype.bits() >= 32;
        let mut is_large = |factor: NodeId| {
            let factor = ranges.of(self.program, factor).interval.single();
            factor.is_some_and(|factor| factor & 1 == 1 && factor >= 1i128 << bits)
        };
        [(a, b), (b, a)].into_iter().find(|&(_, factor)| is_wide && is_large(factor)).map(|(value, _)| value)
    }

    /// Whether a user mixes a product, or what is added to it, with the bits of another value, and what is made so
    /// stays bits: then it is a hash, and a hash means to wrap. In `h ^ (h >> 15)` the shift mixes too.
    pub(super) fn mixes(&self, ranges: &mut Ranges, user: NodeId, wrapping: NodeId) -> bool {
        let is_known = |ranges: &mut Ranges, node: NodeId| ranges.of(self.program, node).interval.single().is_some();
        if let NodeKind::Map(Prim::Shr, [whole @ Some(_), Some(count), _]) = self.program.node(user).kind {
            let users = self.all(user);
            let joint = [[whole, Some(user), None], [Some(user), whole, None]].map(|it| NodeKind::Map(Prim::Xor, it));
            return is_known(ranges, count)
                && !users.is_empty()
                && users
                    .iter()
                    .all(|&it| joint.contains(&self.program.node(it).kind) && self.mixes(ranges, it, wrapping));
        }
        let NodeKind::Map(Prim::Xor, [Some(a), Some(b), _]) = self.program.node(user).kind else { return false };
        let is_product = |node: NodeId| matches!(self.program.node(node).kind, NodeKind::Map(Prim::Mul, _));
        (is_product(wrapping) || self.program.node(wrapping).operands().any(is_product))
            && !is_known(ranges, a)
            && !is_known(ranges, b)
            && self.stays_bits(user, true, &mut MAX_SEARCHED_NODES.clone())
    }

    /// Whether only bits are made of a value: they are masked, reduced by `%`, mixed again, or kept. What `>>` leaves
    /// of narrow or signed integers is not `kept` as it is: it must be mixed first.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other nodes hold the bits as they are")]
    fn stays_bits(&self, value: NodeId, kept: bool, budget: &mut usize) -> bool {
        let users = self.all(value);
        if users.is_empty() {
            return kept;
        }
        users.iter().all(|&user| {
            if user == value {
                return kept;
            }
            if *budget == 0 {
                return true;
            }
            *budget -= 1;
            match self.program.node(user).kind {
                NodeKind::Map(prim, args) => self.makes_bits(prim, args, (value, user), kept, budget),
                NodeKind::Fold { .. } | NodeKind::Scan { .. } => false,
                NodeKind::Gather { index, .. } if index == value => false,
                NodeKind::Routine { routine, .. } if orders(routine) => kept && self.is_told_apart(value, routine),
                NodeKind::View { .. } | NodeKind::Gather { .. } | NodeKind::Concat { .. } | NodeKind::Update { .. } => {
                    self.stays_bits(user, kept, budget)
                }
                _ => kept,
            }
        })
    }

    /// Whether a value is put in order, or searched, to find which elements are equal.
    fn is_told_apart(&self, value: NodeId, by: Routine) -> bool {
        let routine = |node: NodeId| {
            if let NodeKind::Routine { routine, .. } = self.program.node(node).kind { Some(routine) } else { None }
        };
        let is_compared = |node: NodeId| {
            self.all(node).iter().any(|&user| matches!(self.program.node(user).kind, NodeKind::Map(Prim::Eq, _)))
        };
        let is_found = |user: NodeId| {
            let is_gather = matches!(self.program.node(user).kind, NodeKind::Gather { .. });
            routine(user) == Some(Routine::Firsts) || is_gather && is_compared(user)
        };
        let mut sorted = self.all(value).iter().filter(|&&user| routine(user) == Some(Routine::Sort));
        sorted.any(|&line| self.all(line).iter().any(|&user| is_found(user)))
            || matches!(by, Routine::SearchLeft | Routine::SearchRight) && is_compared(value)
    }

    /// Whether a prim, whose node is `user`, makes only bits of a value.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what other prims give is a number")]
    fn makes_bits(
        &self,
        prim: Prim,
        args: Args,
        (value, user): (NodeId, NodeId),
        kept: bool,
        budget: &mut usize,
    ) -> bool {
        let (own, made) = (self.program.node(value).dtype, self.program.node(user).dtype);
        let is_wide = own.kind() == Kind::Unsigned && own.bits() >= 32;
        let is_first = args[0] == Some(value);
        match prim {
            Prim::And | Prim::Eq | Prim::Ne | Prim::Bitcast | Prim::Popcount => true,
            Prim::Rem => is_first,
            Prim::Xor | Prim::Or | Prim::Add | Prim::Sub | Prim::Mul => self.stays_bits(user, true, budget),
            Prim::Not | Prim::Neg | Prim::Select => self.stays_bits(user, kept, budget),
            Prim::Shl => is_first && self.stays_bits(user, kept, budget),
            Prim::Abs => self.stays_bits(user, false, budget),
            Prim::Shr => is_first && self.stays_bits(user, kept && is_wide, budget),
            Prim::Convert if made == DType::Bool => true,
            Prim::Convert if made.is_integer() => made.bits() <= own.bits() || self.stays_bits(user, kept, budget),
            // A number in [0, 1) of a hash.
            Prim::Convert => is_wide,
            _ => false,
        }
    }
}

/// Whether a routine takes the values of its lines for numbers, which are in order or are added up.
fn orders(routine: Routine) -> bool {
    matches!(
        routine,
        Routine::Sort
            | Routine::ArgSort { .. }
            | Routine::SearchLeft
            | Routine::SearchRight
            | Routine::Segment(_)
            | Routine::Product
    )
}
