//! Loops in loops: what the states of inner ones can be follows from what is supposed of the states around them.
//!
//! A loop that is looked at by itself knows nothing of what is around it. So once a loop around it is complete, and
//! ranges are tried for its states, those of all loops inside are found again for each try. They are found together:
//! in a round each state takes in what its loop begins with and what the step makes of it, until nothing is new. So
//! deep nesting costs no more than as many loops beside each other. A state to which steps add something takes in what
//! all steps add, not what one does. What was found first bounds it, and is what is known where too many rounds would
//! be needed.

use super::carried::{CarriedNodes, KnownLoop, KnownResult, KnownRow, ResultOf, StepParams};
use super::growth::{growth, reach};
use super::loops::{CountedRange, ROUNDS, widen};
use super::nodes::Ranges;
use super::prims::both;
use super::steps::is_told;
use super::{Interval, Range, arms};
use crate::ir::{NodeId, Program};

/// The most rounds in all.
const MAX_ROUNDS: usize = 16;
/// The most nodes that are looked at for all rounds of a program.
const MAX_VISITED_NODES: u64 = 1 << 18;

impl Ranges {
    /// Keeps a loop whose ranges were found: a loop around it finds them again.
    pub(super) fn keep(&mut self, program: &Program, carried: &[CarriedNodes], params: &StepParams) {
        let states = carried.iter().map(|it| it.state);
        let all = states.chain(params.counter).chain(params.rows.iter().map(|&(row, _)| row));
        let end = program.nodes.len();
        let first = all.map(NodeId::index).min().unwrap_or(end);
        let states = carried.iter().map(|it| self.of(program, it.state)).collect();
        let rows = params.rows.iter().map(|&(row, array)| KnownRow { row, array, range: self.of(program, row) });
        let rows = rows.collect();
        self.inner.push(KnownLoop { first, end, carried: carried.to_vec(), states, rows, results: Vec::new() });
    }

    /// Finds and states the ranges of what a loop gives, of the one that was carried last. Of a loop that gives its
    /// states these are the results, each with its state; else each comes with the row that it is made of.
    pub fn results(&mut self, program: &Program, results: &[(NodeId, NodeId)], are_states: bool) {
        let Some(mut own) = self.inner.pop() else { return };
        for (at, &(result, like)) in results.iter().enumerate() {
            let of = if are_states { ResultOf::State(at) } else { ResultOf::Row(like) };
            let range = self.given(program, &own, of);
            self.declare(result, range);
            own.results.push(KnownResult { result, of, range });
        }
        own.end = results.iter().map(|(result, _)| result.index()).min().unwrap_or(own.end);
        self.inner.push(own);
    }

    /// The range of a result. A step reads what the one before has made; nobody reads what the last one makes, and that
    /// is the result.
    fn given(&mut self, program: &Program, it: &KnownLoop, of: ResultOf) -> Range {
        match of {
            ResultOf::State(at) => self.after(program, &it.carried[at]),
            ResultOf::Row(row) => self.of(program, row),
        }
    }

    /// Whether there are loops inside of one whose first state is known.
    pub(super) fn has_inside(&self, first: usize) -> bool {
        self.inner.last().is_some_and(|it| it.first > first)
    }

    /// Finds the ranges of the loops inside of one, for what is supposed of its states, of which the first is known.
    pub(super) fn settle(&mut self, program: &Program, first: usize) {
        // Loops are kept in the order in which they end, so those inside are the last ones.
        let from = self.inner.iter().rposition(|it| it.first <= first).map_or(0, |at| at + 1);
        let inside = self.inner.split_off(from);
        if let Some(lowest) = inside.iter().map(|it| it.first).min()
            && !self.is_settled(program, &inside, lowest)
        {
            self.known.truncate(lowest);
            for it in &inside {
                it.carried.iter().zip(&it.states).for_each(|(own, range)| self.declare(own.state, *range));
                it.rows.iter().for_each(|own| self.declare(own.row, own.range));
                it.results.iter().for_each(|own| self.declare(own.result, own.range));
            }
        }
        self.inner.extend(inside);
    }

    /// Finds and states ranges of loops that hold together, and answers whether it did: rounds may be too many.
    fn is_settled(&mut self, program: &Program, inside: &[KnownLoop], lowest: usize) -> bool {
        // Where a step ends comes before where the next one begins, and inner ones end before those around them.
        let begins = inside.iter().enumerate().map(|(at, it)| (it.first, true, at));
        let ends = inside.iter().enumerate().map(|(at, it)| (it.end, false, at));
        let mut events: Vec<(usize, bool, usize)> = begins.chain(ends).collect();
        events.sort_unstable();
        let size = events.last().map_or(0, |(last, ..)| last - lowest) as u64;
        let mut found: Vec<Option<Vec<Range>>> = vec![None; inside.len()];
        for round in 0..MAX_ROUNDS {
            self.inner_work += size;
            if self.inner_work > MAX_VISITED_NODES {
                return false;
            }
            self.known.truncate(lowest);
            let mut settled = true;
            for &(_, begins, at) in &events {
                let (it, before) = (&inside[at], found[at].take());
                let now = match before {
                    _ if begins => self.begun(program, it, before.as_deref(), round),
                    Some(before) => {
                        let now = self.ended(program, inside, it, &before, round);
                        settled &= now == before;
                        now
                    }
                    None => return false,
                };
                found[at] = Some(now);
            }
            if settled {
                return true;
            }
        }
        false
    }

    /// States what the step of a loop begins with: the states as they were found so far, with what they begin with now.
    fn begun(&mut self, program: &Program, it: &KnownLoop, before: Option<&[Range]>, round: usize) -> Vec<Range> {
        let rows: Vec<Range> = it.rows.iter().map(|own| arms::meet(self.of(program, own.array), own.range)).collect();
        let starts: Vec<Range> = it.carried.iter().map(|own| self.of(program, own.start)).collect();
        let now = match before {
            Some(before) => grown(program, it, before, &starts, round),
            None => starts.iter().zip(&it.states).map(|(start, known)| arms::meet(*start, *known)).collect(),
        };
        // What a state begins with may be a node behind it.
        self.known.truncate(it.first);
        it.rows.iter().zip(rows).for_each(|(own, range)| self.declare(own.row, range));
        it.carried.iter().zip(&now).for_each(|(own, range)| self.declare(own.state, *range));
        now
    }

    /// The states with what the step makes of them. States what the loop gives.
    fn ended(
        &mut self,
        program: &Program,
        inside: &[KnownLoop],
        it: &KnownLoop,
        before: &[Range],
        round: usize,
    ) -> Vec<Range> {
        let mut made: Vec<Range> = it.carried.iter().map(|own| self.made(program, own)).collect();
        let counted: Vec<Option<CountedRange>> =
            it.carried.iter().map(|own| self.counted(program, inside, own)).collect();
        let fixed = counted.iter().map(|counted| counted.and_then(CountedRange::fixed));
        made.iter_mut().zip(fixed).for_each(|(made, fixed)| *made = fixed.unwrap_or(*made));
        for own in &it.results {
            let range = self.given(program, it, own.of);
            self.declare(own.result, arms::meet(range, own.range));
        }
        let mut now = grown(program, it, before, &made, round);
        for (now, counted) in now.iter_mut().zip(&counted) {
            *now = counted.filter(|counted| counted.fixed().is_none()).map_or(*now, |bound| bound.within(*now));
        }
        now
    }

    /// The range that steps read of an integer to which each step adds something. It holds as long as the ranges do with
    /// which the step was looked at: each step adds what they say, so the next one begins within them.
    fn counted(&mut self, program: &Program, inside: &[KnownLoop], it: &CarriedNodes) -> Option<CountedRange> {
        let dtype = program.node(it.state).dtype;
        let steps = it.steps.filter(|_| dtype.is_integer())?;
        let start = self.of(program, it.start);
        self.of(program, it.next);
        let step = growth(program, inside, &self.known, it)?;
        let reached = reach(start, step, steps).filter(|it| it.all.interval.exists_in(dtype))?;
        Some(CountedRange::new(reached, step))
    }

    /// Takes what was said of arithmetic in the loops inside of one: it was found without what is around them.
    pub(super) fn take_exact(&mut self, first: usize) -> Vec<(NodeId, Range)> {
        let mut taken = Vec::new();
        self.exact.retain(|&node, range| {
            let is_inside = node.index() > first;
            if is_inside {
                taken.push((node, *range));
            }
            !is_inside
        });
        taken
    }

    /// Says again of arithmetic in the loops inside what still holds: what wraps for certain does so, unless nothing
    /// wraps for what is around it.
    pub(super) fn give_exact(&mut self, program: &Program, taken: Vec<(NodeId, Range)>) {
        for (node, old) in taken {
            let dtype = program.node(node).dtype;
            let every = Interval::of_dtype(dtype);
            let Some(new) = self.exact_range(program, node) else {
                self.exact.insert(node, old);
                continue;
            };
            if new.interval.exists_in(dtype) {
                continue;
            }
            if is_told(old, every) {
                self.exact.insert(node, old);
            } else if !is_told(new, every) {
                self.exact.insert(node, arms::meet(new, old));
            }
        }
    }
}

/// The states of a loop with what they become, within what is known of them. After some rounds, an end that still
/// moves becomes that of the dtype.
fn grown(program: &Program, it: &KnownLoop, before: &[Range], new: &[Range], round: usize) -> Vec<Range> {
    let states = it.carried.iter().zip(before).zip(new.iter().zip(&it.states));
    let grow = |((own, before), (new, known)): ((&CarriedNodes, &Range), (&Range, &Range))| {
        let met = arms::meet(both(*before, *new), *known);
        let dtype = program.node(own.state).dtype;
        if met == *before || round < ROUNDS { met } else { arms::meet(widen(*before, met, dtype), *known) }
    };
    states.map(grow).collect()
}
