//! The ranges of what loops carry.
//!
//! A state begins with the range of its first value and takes in what a step makes of it, until nothing is new. After
//! three rounds, a bound that still moves becomes the limit of its dtype, so the search ends. The range that is found
//! holds for any number of steps, and for elements that stop early. Then bounds move back as far as the step allows. A
//! state to which a known number of steps adds something goes no further than all these steps together. Loops inside
//! of one are looked at again with it, as `inner` says.

use super::carried::{CarriedNodes, StepParams};
use super::growth::{AddedRange, ReachedRange, growth, reach};
use super::integer::Ends;
use super::nodes::Ranges;
use super::prims::both;
use super::{Interval, Range, arms, integers};
use crate::ir::{NodeId, NodeKind, Program};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// Rounds before ends that still move go to those of the dtype.
pub(super) const ROUNDS: usize = 3;
/// Rounds in all; ends move once more each, and marks of where they come from are lost one by one.
const MAX_ROUNDS: usize = 64;

/// The range of an integer that steps read, to which each of them adds something.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedRange {
    range: Range,
    /// Whether what a step adds depends on a choice. Then the range is a bound: what the step makes may say more.
    is_chosen: bool,
}

impl CountedRange {
    pub(super) fn new(reached: ReachedRange, added: AddedRange) -> CountedRange {
        CountedRange { range: reached.read, is_chosen: added.is_chosen }
    }

    /// What is known of the integer beside what steps make of it.
    pub(super) fn within(self, made: Range) -> Range {
        if self.is_chosen { arms::meet(made, self.range) } else { self.range }
    }

    /// The range, unless it is a bound alone.
    pub(super) fn fixed(self) -> Option<Range> {
        (!self.is_chosen).then_some(self.range)
    }
}

impl Ranges {
    /// Finds and states the ranges of the states of a loop, and of those of the loops inside.
    pub fn carry(&mut self, program: &Program, carried: &[CarriedNodes], params: &StepParams) {
        let first = carried.iter().map(|it| it.state.index()).min();
        let inside = first.filter(|&first| self.has_inside(first)).map(|first| self.take_exact(first));
        self.carry_any(program, carried);
        self.give_exact(program, inside.unwrap_or_default());
        if let Some(counter) = params.counter {
            self.spare(program, carried, counter);
        }
        self.keep(program, carried, params);
    }

    /// Finds and states ranges that the states have in any step.
    fn carry_any(&mut self, program: &Program, carried: &[CarriedNodes]) {
        let Some(first) = carried.iter().map(|it| it.state.index()).min() else { return };
        if let Some(found) = self.follow(program, carried, first) {
            for it in carried {
                self.reach(program, it, carried);
            }
            return self.suppose(program, carried, &found, first);
        }
        let mut found: Vec<Range> = carried.iter().map(|it| self.of(program, it.start)).collect();
        let counted: Vec<Option<CountedRange>> =
            carried.iter().map(|it| self.counted_up(program, it, carried)).collect();
        let fixed = counted.iter().map(|counted| counted.and_then(CountedRange::fixed));
        found.iter_mut().zip(fixed).for_each(|(found, fixed)| *found = fixed.unwrap_or(*found));
        for round in 0..MAX_ROUNDS {
            self.suppose(program, carried, &found, first);
            let mut settled = true;
            for ((it, range), counted) in carried.iter().zip(&mut found).zip(&counted) {
                let within = |range: Range| counted.map_or(range, |counted| counted.within(range));
                let met = within(both(*range, self.made(program, it)));
                if met != *range {
                    settled = false;
                    let dtype = program.node(it.state).dtype;
                    *range = if round < ROUNDS { met } else { within(widen(*range, met, dtype)) };
                }
            }
            if settled {
                return self.narrow(program, carried, found, &counted, first);
            }
        }
        self.suppose(program, carried, &every(program, carried), first);
    }

    /// The range of what a step makes of a state. There is a step only where the condition of the loop holds.
    pub(super) fn made(&mut self, program: &Program, it: &CarriedNodes) -> Range {
        let Some(condition) = it.condition else { return self.of(program, it.next) };
        self.of(program, it.next.max(condition));
        arms::under(program, condition, true, it.next, &|node: NodeId| self.known[node.index()])
    }

    /// The range of what a loop makes of a state, in any number of steps.
    pub(super) fn after(&mut self, program: &Program, it: &CarriedNodes) -> Range {
        both(self.of(program, it.state), self.made(program, it))
    }

    /// States the ranges of states; what follows from them is found again.
    pub(super) fn suppose(&mut self, program: &Program, carried: &[CarriedNodes], ranges: &[Range], first: usize) {
        self.known.truncate(first);
        for (it, range) in carried.iter().zip(ranges) {
            self.declare(it.state, *range);
        }
        self.settle(program, first);
    }

    /// Moves ends back to what the step makes of the ranges, where these hold for the step too.
    fn narrow(
        &mut self,
        program: &Program,
        carried: &[CarriedNodes],
        found: Vec<Range>,
        counted: &[Option<CountedRange>],
        first: usize,
    ) {
        let given = |own: &mut Self, (it, counted): (&CarriedNodes, &Option<CountedRange>)| {
            let given = both(own.of(program, it.start), own.made(program, it));
            counted.map_or(given, |counted| counted.within(given))
        };
        let narrower: Vec<Range> = carried.iter().zip(counted).map(|it| given(self, it)).collect();
        let within = |inner: &Range, outer: &Range| inner.interval.union(outer.interval) == outer.interval;
        if narrower == found || !narrower.iter().zip(&found).all(|(inner, outer)| within(inner, outer)) {
            return;
        }
        self.suppose(program, carried, &narrower, first);
        let holds = carried.iter().zip(counted).zip(&narrower).all(|(it, range)| within(&given(self, it), range));
        if !holds {
            self.suppose(program, carried, &found, first);
        }
    }

    /// Looks how far a state goes that all steps were followed of, if one of them wraps: none was followed further.
    fn reach(&mut self, program: &Program, it: &CarriedNodes, carried: &[CarriedNodes]) {
        let dtype = program.node(it.state).dtype;
        if self.exact.get(&it.next).is_some_and(|exact| !exact.interval.exists_in(dtype)) {
            self.counted_up(program, it, carried);
        }
    }

    /// The range of an integer to which each step of a loop adds something, or from which each step takes something.
    /// `it.steps` is how many steps there are.
    fn counted_up(&mut self, program: &Program, it: &CarriedNodes, carried: &[CarriedNodes]) -> Option<CountedRange> {
        let dtype = program.node(it.state).dtype;
        let steps = it.steps.filter(|_| dtype.is_integer())?;
        let start = self.of(program, it.start);
        self.of(program, it.next);
        growth(program, &self.inner, &self.known, it)?;
        let first = carried.iter().map(|it| it.state.index()).min()?;
        self.suppose(program, carried, &every(program, carried), first);
        self.of(program, it.next);
        let step = growth(program, &self.inner, &self.known, it)?;
        let reached = reach(start, step, steps)?;
        let all = reached.all;
        if all.interval.exists_in(dtype) {
            return Some(CountedRange::new(reached, step));
        }
        let (Interval::Integer { low, high }, Interval::Integer { low: least, high: most }) =
            (start.interval, step.step.interval)
        else {
            return None;
        };
        if all.is_stated() && step.besides.is_none() && !step.is_chosen && is_one_sum(program, it) {
            let reached = until_it_wraps((low, high), (least, most), i128::from(steps), dtype);
            let is_exact = reached == all.interval && it.condition.is_none() && step.step.interval.single().is_some();
            let known = self.exact.entry(it.next).or_insert(all.with(reached));
            if is_exact {
                *known = all.with(reached);
            }
        }
        None
    }
}

/// Whether a step makes a sum of a state itself, or a difference.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other node is no sum")]
fn is_one_sum(program: &Program, it: &CarriedNodes) -> bool {
    match program.node(it.next).kind {
        NodeKind::Map(Prim::Add, [a, b, None]) => a == Some(it.state) || b == Some(it.state),
        NodeKind::Map(Prim::Sub, [a, _, None]) => a == Some(it.state),
        _ => false,
    }
}

/// Every value that states can have.
fn every(program: &Program, carried: &[CarriedNodes]) -> Vec<Range> {
    carried.iter().map(|it| Range::of_dtype(program.node(it.state).dtype)).collect()
}

/// What comes of integers in steps that each add some others, no further than to the step in which it always wraps.
fn until_it_wraps((low, high): Ends, (least, most): Ends, steps: i128, dtype: DType) -> Interval {
    let (smallest, largest) = integers(dtype);
    let wraps = if least > 0 {
        (largest - low) / least + 1
    } else if most < 0 {
        (smallest - high) / most + 1
    } else {
        steps
    };
    let steps = steps.min(wraps);
    Interval::Integer { low: low + (least * steps).min(0), high: high + (most * steps).max(0) }
}

/// The ends that moved, at the ends of the dtype.
pub(super) fn widen(before: Range, met: Range, dtype: DType) -> Range {
    let (mut low_stated, mut high_stated) = (met.low_stated, met.high_stated);
    let interval = match (before.interval, met.interval, Interval::of_dtype(dtype)) {
        (
            Interval::Integer { low, high },
            Interval::Integer { low: l, high: h },
            Interval::Integer { low: least, high: most },
        ) => {
            (low_stated, high_stated) = (low_stated && l == low, high_stated && h == high);
            Interval::Integer { low: if l < low { least } else { low }, high: if h > high { most } else { high } }
        }
        (Interval::Float { low, high, .. }, Interval::Float { low: l, high: h, nan, whole }, _) => {
            (low_stated, high_stated) = (low_stated && l == low, high_stated && h == high);
            let low = if l < low { f64::NEG_INFINITY } else { low };
            let high = if h > high { f64::INFINITY } else { high };
            Interval::Float { low, high, nan, whole }
        }
        (_, _, every) => every,
    };
    Range { interval, low_stated, high_stated, of_data: met.of_data }
}
