//! The growth of a state in the steps of a loop: as many times what one step adds as there are steps. A loop inside of
//! a step adds what all steps of its own add.
//!
//! What steps add to a state in turn may be the counts of one array, `total + hist[t]`: together they are no more than
//! what was counted.
//!
//! A step may add to some elements alone, `where(x > t, s + 1, s)` and `s[x > t] += 1`, and may put other values in the
//! place of some, `where(x > t, s + 1, 0)`. An element is then what it began with, or what took its place, and all that
//! was added.
//!
//! Integers wrap, so a state is what it begins with and all that was added, wherever that fits the dtype: also where
//! something between wraps.

use super::carried::{CarriedNodes, KnownLoop, ResultOf};
use super::integer::Ends;
use super::prims::both;
use super::{Interval, Range, arms, lengths};
use crate::ir::routine::{Routine, Scatter};
use crate::ir::{Fold, NodeId, NodeKind, Program};
use crate::scalar::prim::Prim;
use std::collections::HashMap;

/// The most nodes that are looked at from what a step makes to the state.
const MAX_VISITED_NODES: usize = 48;

/// What is added where nothing is.
const NOTHING: Range =
    Range { interval: Interval::Integer { low: 0, high: 0 }, low_stated: true, high_stated: true, of_data: false };

/// Where a state goes to in all steps of a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReachedRange {
    /// What it begins with, what steps read, and what the last one makes.
    pub(super) all: Range,
    /// The same without what the last step makes.
    pub(super) read: Range,
}

/// What the steps of a loop add to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct AddedRange {
    /// What each step adds.
    pub(super) step: Range,
    /// What all steps add besides, together.
    pub(super) besides: Option<Ends>,
    /// What takes the place of elements.
    pub(super) replaced: Option<Range>,
    /// Whether what a step adds depends on a choice: what it makes may say more of the state than the sum of all steps.
    pub(super) is_chosen: bool,
}

/// Where a state goes to that begins with one range and to which the steps add something. `None` where that is beyond
/// what can be reckoned.
pub(super) fn reach(start: Range, growth: AddedRange, steps: u64) -> Option<ReachedRange> {
    let AddedRange { step: growth, besides, replaced, .. } = growth;
    let start = replaced.map_or(start, |replaced| both(start, replaced));
    let start = match besides {
        // Some steps have added some of it: no end is nearer than where it begins.
        Some((low, high)) => {
            let all =
                Range { high_stated: false, ..start }.with(Interval::Integer { low: low.min(0), high: high.max(0) });
            sum(start, all)?
        }
        None => start,
    };
    let after = |steps: u64| sum(start, times(growth, steps)?);
    // The last step reads what the others have made.
    let (all, read) = (after(steps)?, after(steps.saturating_sub(1))?);
    let low_stated = start.low_stated && growth.is_stated();
    let high_stated = start.high_stated && growth.is_stated();
    let stated = |range: Range| Range { low_stated, high_stated, ..range };
    Some(ReachedRange { all: stated(all), read: stated(read) })
}

/// What a step adds to a state, with the ranges that are known of nodes, up to what the step makes of it, and with the
/// loops inside. `None` where it does more than to add and to take away.
pub(super) fn growth(
    program: &Program,
    inside: &[KnownLoop],
    known: &[Range],
    it: &CarriedNodes,
) -> Option<AddedRange> {
    let counter = it.counter.zip(it.steps);
    let mut way = WayBack {
        program,
        inside,
        known,
        counter,
        besides: None,
        replaced: None,
        is_chosen: false,
        found: HashMap::new(),
        budget: MAX_VISITED_NODES,
    };
    let step = way.added(it.next, it.state)?;
    let WayBack { besides, replaced, is_chosen, .. } = way;
    Some(AddedRange { step, besides, replaced, is_chosen })
}

/// A way from what a step makes back to the state.
struct WayBack<'a> {
    program: &'a Program,
    inside: &'a [KnownLoop],
    known: &'a [Range],
    /// What counts the steps, and how many there are at most; not inside of other loops.
    counter: Option<(NodeId, u64)>,
    /// What all steps add together, beside what each of them does.
    besides: Option<Ends>,
    /// What takes the place of elements.
    replaced: Option<Range>,
    is_chosen: bool,
    /// What was found of nodes, each with the state that it was asked for.
    found: HashMap<(NodeId, NodeId), Option<Range>>,
    budget: usize,
}

impl WayBack<'_> {
    /// What was added to a state on the way to a node.
    fn added(&mut self, node: NodeId, state: NodeId) -> Option<Range> {
        if node == state {
            return Some(NOTHING);
        }
        // What is made of a state comes behind it.
        if node < state {
            return None;
        }
        if let Some(found) = self.found.get(&(node, state)) {
            return *found;
        }
        self.budget = self.budget.checked_sub(1)?;
        let found = self.added_by(node, state);
        self.found.insert((node, state), found);
        found
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node does more than to add and to choose")]
    fn added_by(&mut self, node: NodeId, state: NodeId) -> Option<Range> {
        let program = self.program;
        match &program.node(node).kind {
            NodeKind::Map(Prim::Add, [Some(a), Some(b), None]) => {
                let (first, second) = if *b == state { (*b, *a) } else { (*a, *b) };
                let (before, more) = match self.added(first, state) {
                    Some(before) => (before, second),
                    None => (self.added(second, state)?, first),
                };
                if self.adds_shares(more) { Some(before) } else { sum(before, self.range(more)) }
            }
            NodeKind::Map(Prim::Sub, [Some(a), Some(b), None]) => {
                let before = self.added(*a, state)?;
                let taken = self.range(*b);
                let (low, high) = taken.interval.integer_ends()?;
                let taken = taken.with(Interval::Integer { low: high.checked_neg()?, high: low.checked_neg()? });
                sum(before, taken)
            }
            NodeKind::Map(Prim::Select, [Some(condition), Some(yes), Some(no)]) => {
                let [yes, no] = [(*yes, Some((*condition, true))), (*no, Some((*condition, false)))];
                self.added_to_one(&[yes, no], state)
            }
            NodeKind::Map(Prim::Min | Prim::Max, [Some(a), Some(b), None])
            | NodeKind::Update { base: a, value: b, .. } => self.added_to_one(&[(*a, None), (*b, None)], state),
            NodeKind::Routine {
                routine: Routine::Scatter(Scatter::Set | Scatter::With(Fold::Min | Fold::Max)),
                args,
            } => self.added_to_one(&[(args[0], None), (args[2], None)], state),
            NodeKind::View { arg, .. } => self.added(*arg, state),
            NodeKind::Routine { routine: Routine::Compress, args } => self.added(args[0], state),
            NodeKind::Gather { arg, .. } => {
                let before = self.added(*arg, state)?;
                let (read, whole) = (&program.node(*arg).shape, &program.node(state).shape);
                // A state without elements has none that is read.
                if read != whole && read.iter().any(|dim| dim.known().is_none_or(|len| len == 0)) {
                    self.replace_by(NOTHING);
                }
                Some(before)
            }
            NodeKind::Loop { .. } => self.added_in(node, state),
            _ => None,
        }
    }

    /// What was added to a state on the way to a node each of whose elements is one of these nodes, some of them where
    /// a condition holds or does not. What is not made of the state takes the place of elements.
    fn added_to_one(&mut self, parts: &[(NodeId, Option<(NodeId, bool)>)], state: NodeId) -> Option<Range> {
        let added: Vec<Option<Range>> = parts.iter().map(|&(part, _)| self.added(part, state)).collect();
        let mut all = added.iter().flatten().copied().reduce(both)?;
        for (&(part, condition), _) in parts.iter().zip(&added).filter(|(_, added)| added.is_none()) {
            let own = match condition {
                Some((condition, holds)) => {
                    arms::under(self.program, condition, holds, part, &|node: NodeId| self.range(node))
                }
                None => self.range(part),
            };
            own.interval.integer_ends()?;
            self.replace_by(own);
            all = both(all, NOTHING);
        }
        self.is_chosen = true;
        Some(all)
    }

    fn replace_by(&mut self, range: Range) {
        self.replaced = Some(self.replaced.map_or(range, |replaced| both(replaced, range)));
        self.is_chosen = true;
    }

    /// What was added to a state by a loop and before it, on the way to a result of the loop.
    fn added_in(&mut self, result: NodeId, state: NodeId) -> Option<Range> {
        let of_state = |it: &KnownLoop| {
            let found = it.results.iter().find(|own| own.result == result)?;
            match found.of {
                ResultOf::State(at) => it.carried.get(at).copied(),
                ResultOf::Row(_) => None,
            }
        };
        let own = self.inside.iter().find_map(of_state)?;
        let before = self.added(own.start, state)?;
        // A step inside adds as often as it is taken.
        let counter = self.counter.take();
        let step = self.added(own.next, own.state)?;
        self.counter = counter;
        sum(before, times(step, own.steps?)?)
    }

    /// Takes note of what all steps add together, if a node is the share that the counter says.
    fn adds_shares(&mut self, node: NodeId) -> bool {
        let of = |node: NodeId| self.range(node);
        let found = self.counter.and_then(|counter| lengths::counted_shares(self.program, node, counter, &of));
        let Some((low, high)) = found else { return false };
        let (least, most) = self.besides.unwrap_or((0, 0));
        let Some(all) = least.checked_add(low).zip(most.checked_add(high)) else { return false };
        self.besides = Some(all);
        true
    }

    fn range(&self, node: NodeId) -> Range {
        self.known.get(node.index()).copied().unwrap_or_else(|| Range::of_dtype(self.program.node(node).dtype))
    }
}

/// The sum of two ranges. Its ends are stated where all of theirs are.
fn sum(a: Range, b: Range) -> Option<Range> {
    let ((low, high), (l, h)) = (a.interval.integer_ends()?, b.interval.integer_ends()?);
    let interval = Interval::Integer { low: low.checked_add(l)?, high: high.checked_add(h)? };
    let is_stated = a.is_stated() && b.is_stated();
    Some(Range { interval, low_stated: is_stated, high_stated: is_stated, of_data: a.of_data || b.of_data })
}

/// What comes together in at most as many steps, in each of which it is added.
fn times(range: Range, steps: u64) -> Option<Range> {
    let (low, high) = range.interval.integer_ends()?;
    let far = |end: i128| end.checked_mul(i128::from(steps));
    Some(range.with(Interval::Integer { low: far(low.min(0))?, high: far(high.max(0))? }))
}
