//! Loops of few steps, followed step by step. `repeat 10 with a = 0u8, b = 1u8 { (b, a + b) }` stays below 90, which no
//! range that holds for any number of steps can say.
//!
//! Before its first step a state is what it begins with; before each other one, what the step makes of the ranges
//! before. What integer arithmetic comes to without wrapping is kept for each node of the step, over all steps, and no
//! further than to the step in which it always wraps. Of loops of more steps the first ones are followed for what wraps
//! in them.
//!
//! Where a step reads the counter, the loop is followed once more for what may wrap: `where(t < 8, s * 10, s)` takes
//! the product in eight steps alone. The steps after the first ones are looked at together.

use super::carried::CarriedNodes;
use super::nodes::Ranges;
use super::prims::both;
use super::{Interval, Range, integer};
use crate::ir::{NodeId, NodeKind, Program};
use crate::scalar::prim::Prim;
use std::collections::HashMap;

/// The most steps that are followed; twice as many where a step is short.
const MAX_STEPS: u64 = 64;
/// The most nodes that are looked at, those of a step once for each step.
const MAX_VISITED_NODES: u64 = 512;
/// The most nodes that are looked at for what wraps in no step that takes it.
const MAX_WRAPPING_VISITS: u64 = 4096;
/// The most of these in all loops of a program.
const MAX_WRAPPING_VISITS_IN_ALL: u64 = 1 << 15;

impl Ranges {
    /// The ranges that integers have before any of their steps, where these are few and something is known of what they
    /// begin with.
    pub(super) fn follow(&mut self, program: &Program, carried: &[CarriedNodes], first: usize) -> Option<Vec<Range>> {
        let steps = carried.first()?.steps?;
        let last = carried.iter().map(|it| it.next.index()).max()?;
        let mut now: Vec<Range> = carried.iter().map(|it| self.of(program, it.start)).collect();
        let is_known = |(it, range): (&CarriedNodes, &Range)| {
            let dtype = program.node(it.state).dtype;
            dtype.is_integer() && range.interval != Interval::of_dtype(dtype)
        };
        let size = (last + 1).saturating_sub(first) as u64;
        let followed = steps.min((MAX_VISITED_NODES / size.max(1)).clamp(MAX_STEPS, 2 * MAX_STEPS));
        if steps == 0 || size * followed > MAX_VISITED_NODES || !carried.iter().zip(&now).any(is_known) {
            return None;
        }
        let (mut all, mut exact) = (now.clone(), HashMap::new());
        for step in 0..followed {
            self.suppose(program, carried, &now, first);
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

    /// Takes note of arithmetic that may wrap, but does so in no step that takes it, as the counter says.
    pub(super) fn spare(&mut self, program: &Program, carried: &[CarriedNodes], counter: NodeId) {
        let Some(first) = carried.iter().map(|it| it.state.index()).min() else { return };
        let Some(steps) = carried[0].steps.filter(|steps| *steps > 0) else { return };
        let nodes = &program.nodes[first..];
        let followed = steps.min(MAX_STEPS);
        let size = nodes.len() as u64;
        let is_counted = || nodes.iter().any(|node| node.operands().any(|operand| operand == counter));
        if size * followed > MAX_WRAPPING_VISITS
            || self.spared_work + size > MAX_WRAPPING_VISITS_IN_ALL
            || !is_counted()
        {
            return;
        }
        let all = (first..program.nodes.len()).map(|index| NodeId(index as u32));
        let mut open: Vec<NodeId> = all.filter(|&node| self.may_wrap(program, node)).collect();
        if open.is_empty() {
            return;
        }
        let counted = self.of(program, counter);
        let settled: Vec<Range> = carried.iter().map(|it| self.of(program, it.state)).collect();
        let mut exact: Vec<(NodeId, Range)> = Vec::new();
        for &node in &open {
            exact.extend(self.exact.remove(&node).map(|range| (node, range)));
        }
        let mut now: Vec<Range> = carried.iter().map(|it| self.of(program, it.start)).collect();
        for step in 0..followed {
            self.spared_work += size;
            if self.spared_work > MAX_WRAPPING_VISITS_IN_ALL {
                open.clear();
            }
            if open.is_empty() {
                break;
            }
            let step = i128::from(step);
            self.declare(counter, counted.with(Interval::Integer { low: step, high: step }));
            self.suppose(program, carried, &now, first);
            self.retain_fitting(program, carried, first, &mut open);
            now = carried.iter().map(|it| self.of(program, it.next)).collect();
        }
        if steps > followed && !open.is_empty() {
            let rest = Interval::Integer { low: i128::from(followed), high: i128::from(steps - 1) };
            self.declare(counter, counted.with(rest));
            self.suppose_any(program, carried, &mut now, first);
            self.retain_fitting(program, carried, first, &mut open);
        }
        self.declare(counter, counted);
        self.suppose(program, carried, &settled, first);
        self.exact.extend(exact);
        self.spared.extend(open);
    }

    /// States ranges that states keep in any number of steps. Of a state that leaves its own nothing is known.
    fn suppose_any(&mut self, program: &Program, carried: &[CarriedNodes], now: &mut [Range], first: usize) {
        loop {
            self.suppose(program, carried, now, first);
            let next: Vec<Range> = carried.iter().map(|it| self.of(program, it.next)).collect();
            let mut moved = false;
            for ((it, now), next) in carried.iter().zip(now.iter_mut()).zip(next) {
                let every = Range::of_dtype(program.node(it.state).dtype);
                if *now != every && now.interval.union(next.interval) != now.interval {
                    (*now, moved) = (every, true);
                }
            }
            if !moved {
                return;
            }
        }
    }

    /// Whether arithmetic may wrap so that somebody may be told.
    fn may_wrap(&mut self, program: &Program, node: NodeId) -> bool {
        let dtype = program.node(node).dtype;
        self.exact_range(program, node).is_some_and(|range| {
            let is_told = dtype.bits() <= 16 || range.low_stated || range.high_stated;
            is_told && !range.interval.exists_in(dtype)
        })
    }

    /// Drops the nodes that may wrap with the ranges that are known now, unless nothing takes them.
    fn retain_fitting(&mut self, program: &Program, carried: &[CarriedNodes], first: usize, open: &mut Vec<NodeId>) {
        let taken = self.taken(program, carried, first);
        open.retain(|&node| {
            let dtype = program.node(node).dtype;
            let fits = |exact: Range| exact.interval.exists_in(dtype);
            !taken[node.index() - first] || self.exact_range(program, node).is_some_and(fits)
        });
    }

    /// Whether something takes each of the nodes from one on: a selection takes one arm where its condition is known.
    fn taken(&mut self, program: &Program, carried: &[CarriedNodes], first: usize) -> Vec<bool> {
        let end = program.nodes.len();
        let own = |node: NodeId| node.index().checked_sub(first);
        let (mut used, mut taken) = (vec![false; end - first], vec![false; end - first]);
        carried.iter().filter_map(|it| own(it.next)).for_each(|at| taken[at] = true);
        for index in (first..end).rev() {
            let node = &program.nodes[index];
            node.operands().filter_map(own).for_each(|at| used[at] = true);
            if !taken[index - first] && used[index - first] {
                continue;
            }
            taken[index - first] = true;
            if let NodeKind::Map(Prim::Select, [Some(condition), Some(yes), Some(no)]) = node.kind
                && let Some(truth) = self.of(program, condition).interval.single()
            {
                let arm = if truth == 0 { no } else { yes };
                [condition, arm].into_iter().filter_map(own).for_each(|at| taken[at] = true);
            } else {
                node.operands().filter_map(own).for_each(|at| taken[at] = true);
            }
        }
        taken
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
            let Some(range) = self.exact_range(program, node) else { continue };
            let met = before.map_or(range, |before| both(before, range));
            // The end that it reaches in this step is one that somebody wrote, whatever is known of the others.
            let always = !range.of_data && is_apart(range, every);
            exact.insert(node, if always { Range::stated(met.interval) } else { met });
        }
    }
}

/// Whether some values are not among others, as somebody wrote.
pub(super) fn is_told(range: Range, every: Interval) -> bool {
    range.high_stated && range.interval.union(every) != every
}

/// Whether no value is among others.
fn is_apart(range: Range, every: Interval) -> bool {
    match (range.interval, every) {
        (Interval::Integer { low, high }, Interval::Integer { low: least, high: most }) => low > most || high < least,
        _ => false,
    }
}
