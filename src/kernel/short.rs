//! Folds of a few terms, as part of the bodies that use them.
//!
//! A fold has loops of its own, which cost more than three or four terms do. Where the folded axes have a few elements,
//! the fold is an expression instead: its operand is walked once for each term, and the terms are combined in the order
//! that every fold has.
//!
//! ```text
//! sum(v * v, axis=-1), 3 terms   →   (v[.., 0] * v[.., 0] + v[.., 2] * v[.., 2]) + v[.., 1] * v[.., 1]
//! ```

use super::fusion::Fusion;
use super::walk::Walk;
use super::{AxisWalk, Inst, InstId, InstOp};
use crate::hash::{QuickMap, QuickSet};
use crate::ir::{Fold, NodeId, NodeKind};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// The most terms of such a fold.
const MAX_TERMS: usize = 8;

/// The most instructions that all terms take together.
const MAX_INSTS_OF_TERMS: usize = 96;

/// The most operands in memory that all terms read: each has an address.
const MAX_SOURCES: usize = 16;

/// The fewest results of such a fold: a single result has no body to share.
const MIN_RESULTS: usize = 2;

/// The cost of the terms of a fold.
#[derive(Clone, Copy, Default)]
struct TermsCost {
    insts: usize,
    /// Operands in memory, each walked in its own way.
    sources: usize,
}

impl Fusion<'_> {
    /// Which of the nodes are folds of a few terms.
    pub(super) fn short_folds(&self, ids: &[NodeId]) -> Vec<bool> {
        let mut costs: QuickMap<NodeId, TermsCost> = QuickMap::default();
        for &id in ids {
            let NodeKind::Fold { fold, arg, .. } = &self.node(id).kind else { continue };
            let terms = self.terms(id);
            let combines = (1..=MAX_TERMS).contains(&terms) && is_combined(*fold, self.node(*arg).dtype);
            if !combines || self.elements(id) < MIN_RESULTS {
                continue;
            }
            if let Some(cost) = self.term_cost(*arg, &costs) {
                let cost = TermsCost { insts: terms * (cost.insts + each(*fold)), sources: terms * cost.sources };
                if cost.insts <= MAX_INSTS_OF_TERMS && cost.sources <= MAX_SOURCES {
                    costs.insert(id, cost);
                }
            }
        }
        let mut short = vec![false; self.program.nodes.len()];
        costs.into_keys().for_each(|id| short[id.index()] = true);
        short
    }

    /// The cost of a term, with everything that is computed for it. `None` if the cost is too high, or if the term
    /// needs a costly function.
    fn term_cost(&self, arg: NodeId, known: &QuickMap<NodeId, TermsCost>) -> Option<TermsCost> {
        let mut cost = TermsCost::default();
        let (mut left, mut seen) = (vec![arg], QuickSet::from_iter([arg]));
        while let Some(id) = left.pop() {
            let more = match (&self.node(id).kind, known.get(&id)) {
                (_, Some(short)) => *short,
                (NodeKind::Map(..), _) if self.is_costly(id) => return None,
                _ if self.is_source(id) => TermsCost { insts: 1, sources: 1 },
                (NodeKind::Map(..) | NodeKind::View { .. }, _) => {
                    left.extend(self.node(id).operands().filter(|&arg| seen.insert(arg)));
                    TermsCost { insts: usize::from(matches!(self.node(id).kind, NodeKind::Map(..))), sources: 0 }
                }
                (NodeKind::Const(_) | NodeKind::Iota { .. }, _) => TermsCost { insts: 1, sources: 0 },
                _ => TermsCost { insts: 1, sources: 1 },
            };
            cost = TermsCost { insts: cost.insts + more.insts, sources: cost.sources + more.sources };
            if cost.insts > MAX_INSTS_OF_TERMS || seen.len() > 4 * MAX_INSTS_OF_TERMS {
                return None;
            }
        }
        Some(cost)
    }

    /// Instructions that a node takes by itself, for each way in which it is walked.
    pub(super) fn own_insts(&self, id: NodeId) -> usize {
        match (&self.node(id).kind, self.few_factors(id)) {
            (_, Some(count)) => 2 * count.ilog2() as usize + 1,
            (NodeKind::Fold { fold, .. }, _) if self.is_short(id) => self.terms(id) * each(*fold),
            _ => 1,
        }
    }

    /// How often a node walks its operands: once, or once for each term of a short fold.
    pub(super) fn term_count(&self, id: NodeId) -> usize {
        if self.is_short(id) { self.terms(id) } else { 1 }
    }

    /// How many terms a fold has.
    fn terms(&self, id: NodeId) -> usize {
        let NodeKind::Fold { arg, axes, .. } = &self.node(id).kind else { return 0 };
        axes.iter().map(|&axis| self.sizes[arg.index()][axis as usize]).product()
    }

    /// For each term, the walk of the fold's operand; `walk` is the walk of the fold itself.
    pub(super) fn term_walks(&self, id: NodeId, walk: &[AxisWalk]) -> Vec<Walk> {
        let NodeKind::Fold { arg, axes, keep, .. } = &self.node(id).kind else { return Vec::new() };
        let sizes = &self.sizes[arg.index()];
        let mut own = walk.iter();
        let mut whole: Walk = Vec::with_capacity(sizes.len());
        for axis in 0..sizes.len() as u32 {
            let place = if !axes.contains(&axis) || *keep { own.next() } else { None };
            whole.push(place.copied().filter(|_| !axes.contains(&axis)).unwrap_or(AxisWalk::fixed(0)));
        }
        let place = |mut term: usize| {
            let mut walk = whole.clone();
            for &axis in axes.iter().rev() {
                let len = sizes[axis as usize];
                walk[axis as usize] = AxisWalk::fixed((term % len) as isize);
                term /= len;
            }
            walk
        };
        (0..self.terms(id)).map(place).collect()
    }
}

/// Instructions that a term takes to be combined.
fn each(fold: Fold) -> usize {
    match fold {
        Fold::ArgMin | Fold::ArgMax => 7,
        Fold::Sum | Fold::Prod | Fold::Min | Fold::Max | Fold::Any | Fold::All | Fold::FirstTrue => 1,
    }
}

/// Whether terms of a dtype are combined by instructions alone.
fn is_combined(fold: Fold, dtype: DType) -> bool {
    match fold {
        Fold::Any | Fold::All => dtype == DType::Bool,
        Fold::FirstTrue => false,
        Fold::Sum | Fold::Prod | Fold::Min | Fold::Max | Fold::ArgMin | Fold::ArgMax => {
            dtype != DType::Bool && !dtype.is_complex() && dtype.computed_in() == dtype
        }
    }
}

/// Combines the terms of a fold.
pub(super) fn combine(fold: Fold, dtype: DType, terms: Vec<InstId>, inst: &mut impl FnMut(Inst) -> InstId) -> InstId {
    let prim = match fold {
        Fold::Sum => Prim::Add,
        Fold::Prod => Prim::Mul,
        Fold::Min => Prim::Min,
        Fold::Max => Prim::Max,
        Fold::Any => Prim::Or,
        Fold::All => Prim::And,
        Fold::ArgMin | Fold::ArgMax => {
            let constant = |position| Inst { op: InstOp::Const(position as u128), dtype: DType::I64 };
            let positions: Vec<InstId> = (0..terms.len()).map(|position| inst(constant(position))).collect();
            return extreme(fold == Fold::ArgMax, dtype, (&terms, &positions), inst);
        }
        Fold::FirstTrue => unreachable!("these are not short"),
    };
    // The terms are combined in halves, as accumulators are.
    let mut terms = terms;
    let mut half = MAX_TERMS.next_power_of_two() / 2;
    while half > 0 {
        for index in (0..half).filter(|index| index + half < terms.len()).collect::<Vec<_>>() {
            let args = [Some(terms[index]), Some(terms[index + half]), None];
            terms[index] = inst(Inst { op: InstOp::Prim(prim, args), dtype });
        }
        terms.truncate(half);
        half /= 2;
    }
    terms[0]
}

/// The position of the first extreme term. The first NaN counts as extreme. Comparisons with a NaN are false, so a NaN
/// takes over; and it stays, because it is not equal to itself.
fn extreme(
    greatest: bool,
    dtype: DType,
    (terms, positions): (&[InstId], &[InstId]),
    inst: &mut impl FnMut(Inst) -> InstId,
) -> InstId {
    let mut prim = |prim, dtype, args: [InstId; 3], count: usize| {
        let mut operands = args.map(Some);
        operands[count..].fill(None);
        inst(Inst { op: InstOp::Prim(prim, operands), dtype })
    };
    let (mut best, mut at) = (terms[0], positions[0]);
    for (&term, &position) in terms.iter().zip(positions).skip(1) {
        let [less, more] = if greatest { [term, best] } else { [best, term] };
        let mut stays = prim(Prim::Le, DType::Bool, [less, more, more], 2);
        if dtype.is_float() {
            let is_none = prim(Prim::Ne, DType::Bool, [best; 3], 2);
            stays = prim(Prim::Or, DType::Bool, [stays, is_none, is_none], 2);
        }
        best = prim(Prim::Select, dtype, [stays, best, term], 3);
        at = prim(Prim::Select, DType::I64, [stays, at, position], 3);
    }
    at
}
