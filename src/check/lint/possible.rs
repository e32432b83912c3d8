//! Findings that the program may refute by what it does with a value: `u8(a*31 + b)`, `where(a > b, a - b, 0)`.
//!
//! They are kept until the whole program is there. A cast or a mask straight around a value says that wrapping is
//! meant. The users of a node are asked at the end.

use super::calls::SharedArithmetic;
use super::{Lint, MAX_SEARCHED_EXPRESSIONS};
use crate::check::infer::found::facts::{AppliedOp, Expansion};
use crate::check::infer::found::walk_cause::WalkId;
use crate::check::report;
use crate::diagnostic::codes::Row;
use crate::diagnostic::{Diagnostic, Level};
use crate::hash::QuickSet;
use crate::ir::{Fold, NodeId, NodeKind, Program};
use crate::promotion::Class;
use crate::range::Interval;
use crate::range::mended::MendingRange;
use crate::range::nodes::Ranges;
use crate::range::users::{Users, is_mask, is_residue};
use crate::scalar::prim::Prim;
use crate::source::{Sources, Span};
use crate::types::DType;
use std::collections::HashMap;

/// How many of the latest findings are looked at.
const MAX_SEARCHED_FINDINGS: usize = 256;

/// What says that wrapping is meant.
#[derive(Clone, Copy)]
pub(super) enum WrappingIntent {
    /// A cast or a mask straight around this text.
    Around(Span),
    /// The `dtype=` of the call that has this text. Of a total it says nothing more than the total's own dtype.
    AsAsked(Span),
}

/// A finding that the program may refute by what it does with a value.
pub(super) struct PossibleFinding {
    /// What refutes it.
    pub(super) unless: Refutation,
    /// The expression.
    pub(super) span: Span,
    /// The finding that is reported otherwise.
    pub(super) found: Diagnostic,
    /// The walk that it was found in.
    pub(super) walk: WalkId,
    /// The arithmetic that the finding is about. What mends it in a function mends all calls.
    pub(super) shared: Option<Box<SharedArithmetic>>,
    /// Whether it follows from the values that inputs are given alone: other ones may not bring it.
    by_data: bool,
    /// The expression, or the largest one around it whose low bits depend on low bits alone.
    residue: Span,
    /// The operation that has the value as an operand where it is written, with the nodes that the operation added.
    user: Option<(NodeId, std::ops::Range<usize>)>,
}

impl PossibleFinding {
    pub(super) fn new(unless: Refutation, span: Span, found: Diagnostic, walk: WalkId) -> PossibleFinding {
        PossibleFinding { unless, span, found, walk, shared: None, by_data: false, residue: span, user: None }
    }

    /// A finding about arithmetic.
    pub(super) fn sharing(self, shared: Option<Box<SharedArithmetic>>) -> PossibleFinding {
        PossibleFinding { shared, ..self }
    }

    /// A finding that may follow from the values that inputs are given alone.
    pub(super) fn by_data(self, by_data: bool) -> PossibleFinding {
        PossibleFinding { by_data, ..self }
    }
}

/// Which uses of a value refute a finding about it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Refutation {
    /// Uses that do not depend on whether this node wraps.
    Indifferent(NodeId),
    /// Selections that take this quotient only where the divisor is not 0.
    Nonzero(NodeId, NodeId),
    /// Uses that do not depend on the bits that this shift moves out, and selections that take the shift only where the
    /// count is below the width.
    Below(NodeId, NodeId),
    /// A cast straight around the expression. Its value is known, and its node stands for other values too.
    Cast,
    /// A cast, a mask, or a remainder of a power of two straight around a total of so many bits that keeps no more.
    Total(u32),
    /// Selections that take this node only where it does not wrap.
    Taken(NodeId),
}

impl Lint<'_, '_> {
    /// Keeps a finding that may be refuted.
    pub(super) fn perhaps(&mut self, possible: PossibleFinding) {
        if !self.findings.is_quiet() {
            self.known.possible.push(possible);
        }
    }

    /// Drops findings inside of a cast to as many bits or fewer, or of a mask, which keeps `kept` low bits: wrapping is
    /// meant there.
    pub(super) fn meant_to_wrap(&mut self, node: NodeId, meant: WrappingIntent, kept: u32) {
        let (WrappingIntent::Around(written) | WrappingIntent::AsAsked(written)) = meant;
        if self.known.possible.is_empty() {
            return;
        }
        let residues = residues(self.graph.builder.program(), node);
        let (walk, findings, sources) = (self.walk, &*self.findings, self.request.sources);
        self.known.possible.retain(|it| {
            // A finding in the library is reported at the call, and a cast straight around the call says what is meant.
            let is_call = it.walk != walk;
            let place = if is_call { findings.out_of_the_library(it.walk) } else { Some((it.span, walk)) };
            let Some((place, _)) = place.filter(|(_, own)| *own == walk) else { return true };
            let reached = match it.unless {
                Refutation::Indifferent(node) | Refutation::Below(node, _) => {
                    residues.contains(&node) || is_call && is_parenthesised(sources, written, place)
                }
                Refutation::Nonzero(..) | Refutation::Taken(_) => false,
                Refutation::Cast => is_parenthesised(sources, written, it.residue),
                Refutation::Total(_) if matches!(meant, WrappingIntent::AsAsked(_)) => false,
                Refutation::Total(own) => kept <= own && is_parenthesised(sources, written, it.residue),
            };
            !(reached && report::covers(written, place))
        });
    }

    /// `(a + b) & 15` and `(a + b) % 16` mean the low bits of the sum.
    pub(super) fn masked_sum(&mut self, made: &AppliedOp) {
        if !matches!(made.op.class, Class::Bitwise | Class::FloorDivision) || self.known.possible.is_empty() {
            return;
        }
        let (Expansion::Row(args, _), &NodeKind::Map(prim @ (Prim::And | Prim::Rem), _)) =
            (&made.how, &self.graph.builder.program().node(made.node).kind)
        else {
            return;
        };
        let dtype = self.graph.builder.dtype(made.node);
        let ([a, b], [x, y]) = (args.as_slice(), made.operands.as_slice()) else { return };
        for (mask, other, written) in [(*a, *b, y.span), (*b, *a, x.span)] {
            // A remainder has its divisor on the right.
            let is_mask = dtype.is_integer() && (prim == Prim::And || mask == *b);
            if let Some(kept) = low_bits(prim, self.interval(mask), dtype).filter(|_| is_mask) {
                self.meant_to_wrap(other, WrappingIntent::Around(written), kept);
            }
        }
    }

    /// Notes which operations use values that may wrap, where these are written.
    pub(super) fn made_of_possible(&mut self, made: &AppliedOp) {
        let (walk, sources) = (self.walk, self.request.sources);
        let keeps_low_bits = matches!(
            made.op.class,
            Class::Arithmetic | Class::Subtraction | Class::Negation | Class::Bitwise | Class::Shift
        ) && self.graph.builder.dtype(made.node).is_integer()
            && !matches!(self.graph.builder.program().node(made.node).kind, NodeKind::Map(Prim::Shr, _));
        // Findings about its operands are the latest ones.
        let is_inside = |it: &&mut PossibleFinding| report::covers(made.span, it.span);
        let found = self.known.possible.iter_mut().rev().take(MAX_SEARCHED_FINDINGS).filter(|it| it.walk == walk);
        for it in found.take_while(is_inside) {
            let is_operand =
                |inner: Span| made.operands.iter().any(|outer| is_parenthesised(sources, outer.span, inner));
            if is_operand(it.span) {
                it.user = Some((made.node, made.nodes.clone()));
            }
            if keeps_low_bits && is_operand(it.residue) {
                it.residue = made.span;
            }
        }
    }

    /// Reports values that can wrap, unless the program means that or never takes them.
    pub(super) fn possible_overflows(&mut self) {
        let possible = std::mem::take(&mut self.known.possible);
        if possible.is_empty() {
            return;
        }
        let (program, ranges) = (self.graph.builder.program(), &mut self.graph.ranges);
        let users = Users::of(program);
        let left = possible.into_iter().filter(|it| !refuted(it, program, &users, ranges));
        let mut left: Vec<PossibleFinding> = left.collect();
        // What was forgotten may have been walked after the program.
        let written_out = self.graph.steps.carried.iter().copied().filter(|state| state.index() < self.graph.len());
        let states: Vec<NodeId> = self.graph.builder.next_states().chain(written_out).collect();
        let mut known: HashMap<DType, QuickSet<NodeId>> = HashMap::new();
        let mut is_of_a_state = |program: &Program, node: NodeId| {
            let dtype = program.node(node).dtype;
            let all =
                || -> QuickSet<NodeId> { states.iter().flat_map(|&state| parts_of(program, state, dtype)).collect() };
            known.entry(dtype).or_insert_with(all).contains(&node)
        };
        self.mend_together(&mut left, &mut is_of_a_state);
        for PossibleFinding { mut found, walk, unless, span, by_data, .. } in left {
            if let Refutation::Indifferent(node) = unless
                && is_of_a_state(self.graph.builder.program(), node)
            {
                let (text, dtype) = (self.text(span), self.graph.builder.dtype(node));
                // An update in place is no expression, and a cast that wraps is a cast already.
                let is_cast = text.strip_prefix(dtype.name()).is_some_and(|rest| rest.starts_with('('));
                let can_be_cast = !is_cast && self.nearby(span).any(|expr| expr.span == span);
                report::of_a_state(&mut found, can_be_cast.then_some(text), dtype);
            }
            let row: &'static Row = found.code;
            self.walk = walk;
            found.level = self.level(row, found.span().unwrap_or_default());
            if by_data {
                // A run with other data goes on, and no mode is to stop this one where `arr check` found nothing.
                let is_asked = self.known.settings.levels.chosen(row).is_some();
                found.level = if is_asked { found.level } else { found.level.min(Level::Warn) };
                found = report::of_given_values(found);
            }
            if found.level != Level::Allow {
                self.findings.push_from(walk, found);
            }
        }
    }

    /// Makes what mends arithmetic for what its operands come to when they are mended, and in functions for all calls.
    fn mend_together(&mut self, left: &mut [PossibleFinding], is_of_a_state: &mut dyn FnMut(&Program, NodeId) -> bool) {
        let program = self.graph.builder.program();
        let mut wraps: HashMap<NodeId, Interval> = HashMap::new();
        // No fix mends a state: it keeps its dtype.
        let arithmetic = left.iter().filter_map(|it| it.shared.as_deref());
        for shared in arithmetic.filter(|it| !is_of_a_state(program, it.node)) {
            wraps.entry(shared.node).and_modify(|all| *all = all.union(shared.exact)).or_insert(shared.exact);
        }
        let mended = self.graph.ranges.mend(program, &wraps);
        let mut of_calls: HashMap<Span, MendingRange> = HashMap::new();
        for shared in left.iter().filter_map(|it| it.shared.as_deref()).filter(|it| it.in_function) {
            let room = shared.room(&mended);
            of_calls.entry(shared.at()).and_modify(|all| *all = all.union(room)).or_insert(room);
        }
        for it in left {
            let Some(shared) = it.shared.take() else { continue };
            let own = shared.room(&mended);
            let in_function = of_calls.get(&shared.at()).filter(|_| shared.in_function).copied();
            // Outside of functions most findings are right as they are.
            let is_right = own == MendingRange { exact: shared.exact, later: None };
            if let Some(room) = in_function.or((!is_right).then_some(own)) {
                self.walk = it.walk;
                self.mend_for_all(*shared, room, &mut it.found);
            }
        }
    }

    /// Drops the overflow finding of `node`, because another finding reports it at `place`. If the node is written at
    /// `place`, only the finding there is dropped.
    pub(super) fn told_of(&mut self, node: NodeId, place: Span) {
        let walk = self.walk;
        let is_it =
            |it: &PossibleFinding| it.walk == walk && matches!(it.unless, Refutation::Indifferent(own) if own == node);
        let is_there = |it: &PossibleFinding| report::covers(place, it.span);
        let is_written_there = self.known.possible.iter().any(|it| is_it(it) && is_there(it));
        self.known.possible.retain(|it| !is_it(it) || is_written_there && !is_there(it));
    }
}

fn refuted(possible: &PossibleFinding, program: &Program, users: &Users, ranges: &mut Ranges) -> bool {
    let at = |node: NodeId| users.at(node, possible.user.as_ref());
    match possible.unless {
        Refutation::Indifferent(node) => {
            let own = at(node);
            let others: Vec<NodeId> = own.iter().copied().filter(|&it| !asks_for_equality(program, node, it)).collect();
            !own.is_empty() && others.is_empty() || users.are_indifferent(ranges, node, &others)
        }
        Refutation::Nonzero(node, divisor) => users.exclude_zero(ranges, node, divisor, &at(node)),
        Refutation::Below(node, count) => users.keep_below_width(ranges, node, count, &at(node)),
        Refutation::Taken(node) => users.are_taken_where_it_fits(ranges, node, &at(node)),
        Refutation::Cast | Refutation::Total(_) => false,
    }
}

/// Whether a user only asks whether a difference is 0: it is 0 for equal operands alone, also where it wraps.
fn asks_for_equality(program: &Program, node: NodeId, user: NodeId) -> bool {
    let is_zero = |node: NodeId| {
        let node = program.node(program.below_conversions(node));
        matches!(node.kind, NodeKind::Const(value) if value.bits == 0)
    };
    let is_difference = matches!(program.node(node).kind, NodeKind::Map(Prim::Sub, _));
    if let NodeKind::Map(Prim::Eq | Prim::Ne, [Some(a), Some(b), _]) = program.node(user).kind {
        is_difference && (a == node && is_zero(b) || b == node && is_zero(a))
    } else {
        false
    }
}

/// How many low bits a mask leaves, or a remainder of a power of two. It is `None` for other values.
fn low_bits(prim: Prim, values: Interval, dtype: DType) -> Option<u32> {
    let mask = values.single().filter(|_| is_mask(values, dtype))?;
    if prim == Prim::And {
        return Some(i128::BITS - mask.leading_zeros());
    }
    (mask > 0 && mask & (mask - 1) == 0).then(|| mask.trailing_zeros())
}

/// Whether one place is another one with nothing but parentheses around it.
fn is_parenthesised(sources: &Sources, outer: Span, inner: Span) -> bool {
    report::covers(outer, inner) && {
        let (text, start) = (sources.text(outer), outer.range().start);
        let (before, behind) = (&text[..inner.range().start - start], &text[inner.range().end - start..]);
        before.chars().chain(behind.chars()).all(|c| matches!(c, '(' | ')') || c.is_whitespace())
    }
}

/// A state, what it is a view or a conversion of, and what it is computed from in a dtype. A wider one would be that of
/// the state.
#[expect(clippy::wildcard_enum_match_arm, reason = "only views and maps are looked through")]
fn parts_of(program: &Program, state: NodeId, dtype: DType) -> Vec<NodeId> {
    let mut found = vec![state];
    let mut at = 0;
    while let Some(&made) = found.get(at).filter(|_| found.len() < MAX_SEARCHED_EXPRESSIONS) {
        at += 1;
        match program.node(made).kind {
            NodeKind::View { arg, .. } | NodeKind::Map(Prim::Convert, [Some(arg), ..]) => found.push(arg),
            NodeKind::Map(_, args) => {
                let args = args.into_iter().flatten().filter(|&arg| program.node(arg).dtype == dtype);
                args.for_each(|arg| {
                    if !found.contains(&arg) {
                        found.push(arg);
                    }
                });
            }
            _ => {}
        }
    }
    found.truncate(at);
    found
}

/// A node, and the nodes that it is computed from by steps whose low bits depend on low bits alone, or that only move
/// elements.
#[expect(clippy::wildcard_enum_match_arm, reason = "what other nodes give may depend on any bit")]
fn residues(program: &Program, node: NodeId) -> Vec<NodeId> {
    let mut residues = vec![node];
    let mut at = 0;
    while let Some(&node) = residues.get(at) {
        at += 1;
        if residues.len() >= 256 {
            break;
        }
        match &program.node(node).kind {
            NodeKind::Map(prim, args) if is_residue(*prim) => residues.extend(args.iter().flatten()),
            NodeKind::View { arg, .. } => residues.push(*arg),
            NodeKind::Fold { fold: Fold::Sum | Fold::Prod, arg, .. }
            | NodeKind::Scan { fold: Fold::Sum | Fold::Prod, arg, .. } => residues.push(*arg),
            NodeKind::Concat { parts, .. } => residues.extend(parts.iter()),
            _ => {}
        }
    }
    residues
}
