//! Loops of few steps, followed step by step: `repeat 10 with a = 0u8, b = 1u8 { (b, a + b) }` stays below 90, which no
//! range that holds for any number of steps can say.
//!
//! Before its first step a state is what it begins with; before each other one, what the step makes of the ranges
//! before. What integer arithmetic comes to without wrapping is kept for each node of the step, over all steps, and no
//! further than to the step in which it always wraps. Of loops of more steps the first ones are followed for what wraps
//! in them.

use super::loops::Carried;
use super::nodes::Ranges;
use super::prims::both;
use super::{Interval, Range, integer};
use crate::ir::{NodeId, NodeKind, Program};
use std::collections::HashMap;

/// The most steps that are followed.
const STEPS: u64 = 64;
/// The most nodes that are looked at, those of a step once for each step.
const WORK: u64 = 512;

impl Ranges {
    /// The ranges that integers have before any of their steps, where these are few and something is known of what they
    /// begin with.
    pub(super) fn followed(&mut self, program: &Program, carried: &[Carried], first: usize) -> Option<Vec<Range>> {
        let steps = carried.first()?.steps?;
        let last = carried.iter().map(|it| it.next.index()).max()?;
        let mut now: Vec<Range> = carried.iter().map(|it| self.of(program, it.start)).collect();
        let is_known = |(it, range): (&Carried, &Range)| {
            let dtype = program.node(it.state).dtype;
            dtype.is_integer() && range.interval != Interval::of_dtype(dtype)
        };
        let size = (last + 1).saturating_sub(first) as u64;
        let followed = steps.min(STEPS);
        if steps == 0 || size * followed > WORK || !carried.iter().zip(&now).any(is_known) {
            return None;
        }
        let (mut all, mut exact) = (now.clone(), HashMap::new());
        for step in 0..followed {
            self.suppose(carried, &now, first);
            let next: Vec<Range> = carried.iter().map(|it| self.of(program, it.next)).collect();
            self.keep_exact(program, first..last + 1, &mut exact);
            if next == now || step + 1 == followed {
                break;
            }
            all.iter_mut().zip(&next).for_each(|(all, next)| *all = both(*all, *next));
            now = next;
        }
        if steps > followed {
            exact.retain(|&node, range| is_told(*range, Interval::of_dtype(program.node(node).dtype)));
        }
        self.exact.extend(exact);
        (steps == followed).then_some(all)
    }

    /// Takes note of what the arithmetic of a step comes to. What always wraps here is not followed further.
    fn keep_exact(&mut self, program: &Program, nodes: std::ops::Range<usize>, exact: &mut HashMap<NodeId, Range>) {
        for node in nodes.map(|index| NodeId(index as u32)) {
            let NodeKind::Map(prim, _) = program.node(node).kind else { continue };
            let every = Interval::of_dtype(program.node(node).dtype);
            let before = exact.get(&node).copied();
            if !integer::overflows(prim) || before.is_some_and(|range| is_told(range, every)) {
                continue;
            }
            let Some(range) = self.unwrapped(program, node) else { continue };
            let met = before.map_or(range, |before| both(before, range));
            // The end that it reaches in this step is one that somebody wrote, whatever is known of the others.
            let always = !range.of_data && is_apart(range, every);
            exact.insert(node, if always { Range::stated(met.interval) } else { met });
        }
    }
}

/// Whether some values are not among others, as somebody wrote.
fn is_told(range: Range, every: Interval) -> bool {
    range.high_stated && range.interval.union(every) != every
}

/// Whether no value is among others.
fn is_apart(range: Range, every: Interval) -> bool {
    match (range.interval, every) {
        (Interval::Integer { low, high }, Interval::Integer { low: least, high: most }) => low > most || high < least,
        _ => false,
    }
}
