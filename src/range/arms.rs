//! Branch refinement: the condition of a selection holds in its arms. `where(x > 0, x, 0)` takes its first arm where
//! `x` is above 0, so the arms are looked at again under the condition, a few steps deep.

use super::prims::{both, decide, range_of_prim};
use super::{Interval, Range};
use crate::ir::{Fold, NodeId, NodeKind, Program, View};
use crate::scalar::prim::Prim;
use std::collections::HashMap;

/// How many nodes of an arm are looked at again.
const ARM_NODES: usize = 48;

/// How deep conditions joined by `and` and `or` are taken apart.
const DEPTH: usize = 8;

/// The range of an arm of a selection where its condition is `holds`.
pub(super) fn under(
    program: &Program,
    condition: NodeId,
    holds: bool,
    arm: NodeId,
    of: &impl Fn(NodeId) -> Range,
) -> Range {
    let mut facts = HashMap::new();
    collect(program, condition, holds, of, &mut facts, DEPTH);
    if facts.is_empty() {
        return of(arm);
    }
    let mut budget = ARM_NODES;
    again(program, arm, &facts, of, &mut budget)
}

/// The range of a selection: that of its arms, each under what the condition says there.
pub(super) fn selection(program: &Program, [condition, yes, no]: [NodeId; 3], of: &impl Fn(NodeId) -> Range) -> Range {
    let arm = |arm: NodeId, holds: bool| under(program, condition, holds, arm, of);
    match (truth(program, condition, of), [yes, no].map(|arm| is_nan(program, arm))) {
        (Some(true), _) => of(yes),
        (Some(false), _) => of(no),
        (None, [true, false]) => or_nan(arm(no, false)),
        (None, [false, true]) => or_nan(arm(yes, true)),
        (None, _) => both(arm(yes, true), arm(no, false)),
    }
}

/// The answer of a condition, if the ranges of what it compares leave only one.
fn truth(program: &Program, condition: NodeId, of: &impl Fn(NodeId) -> Range) -> Option<bool> {
    if let Some(truth) = of(condition).interval.single() {
        return Some(truth != 0);
    }
    let NodeKind::Map(prim, [Some(a), Some(b), None]) = program.node(condition).kind else { return None };
    let (Interval::Float { low, high, nan, .. }, Interval::Float { low: l, high: h, nan: n, .. }) =
        (of(a).interval, of(b).interval)
    else {
        return None;
    };
    let answer = decide(prim, (low, high), (l, h))?;
    // What is not a number is unequal to everything, and neither below nor above it.
    (!(nan || n) || answer == (prim == Prim::Ne)).then_some(answer)
}

/// Whether a node is the constant that is not a number.
fn is_nan(program: &Program, node: NodeId) -> bool {
    let keeps = |kind: &NodeKind| matches!(kind, NodeKind::View { view: View::Broadcast | View::Reshape, .. });
    let node = program.below(node, keeps);
    let NodeKind::Const(scalar) = program.node(node).kind else { return false };
    matches!(Interval::of_scalar(scalar), Interval::Float { nan: true, .. })
}

/// A range of floats, and what is not a number.
fn or_nan(range: Range) -> Range {
    match range.interval {
        Interval::Float { low, high, whole, .. } => range.with(Interval::Float { low, high, nan: true, whole }),
        Interval::Integer { .. } | Interval::Complex => range,
    }
}

/// What a condition says of nodes.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing is learnt from other conditions")]
fn collect(
    program: &Program,
    condition: NodeId,
    holds: bool,
    of: &impl Fn(NodeId) -> Range,
    facts: &mut HashMap<NodeId, Range>,
    depth: usize,
) {
    let node = program.node(condition);
    match node.kind {
        NodeKind::Map(Prim::And, [Some(a), Some(b), _]) if holds && depth > 0 => {
            collect(program, a, true, of, facts, depth - 1);
            collect(program, b, true, of, facts, depth - 1);
        }
        NodeKind::Map(Prim::Or, [Some(a), Some(b), _]) if !holds && depth > 0 => {
            collect(program, a, false, of, facts, depth - 1);
            collect(program, b, false, of, facts, depth - 1);
        }
        NodeKind::Map(Prim::Not, [Some(a), ..]) if depth > 0 => collect(program, a, !holds, of, facts, depth - 1),
        NodeKind::Map(prim @ (Prim::Lt | Prim::Le), [Some(a), Some(b), _]) => {
            // a < b; where it does not hold b <= a, or one of them is not a number.
            let (small, large, strict) = if holds { (a, b, prim == Prim::Lt) } else { (b, a, prim == Prim::Le) };
            let below = bounded(of(small), of(large), ComparedBound { end: MovedEnd::High, strict, holds });
            let above = bounded(of(large), of(small), ComparedBound { end: MovedEnd::Low, strict, holds });
            for (node, fact) in [(small, below), (large, above)] {
                if let Some(fact) = fact {
                    learn(program, node, fact, of, facts);
                }
            }
        }
        NodeKind::Map(Prim::Eq, [Some(a), Some(b), _]) if holds => {
            for (node, other) in [(a, b), (b, a)] {
                if matches!(of(node).interval, Interval::Integer { .. }) {
                    facts.insert(node, meet(of(node), of(other)));
                }
            }
        }
        NodeKind::Map(prim @ (Prim::Eq | Prim::Ne), [Some(a), Some(b), _]) if holds == (prim == Prim::Ne) => {
            for (node, other) in [(a, b), (b, a)] {
                if let Some(fact) = without(of(node), of(other)) {
                    learn(program, node, fact, of, facts);
                }
            }
        }
        _ => {}
    }
}

/// Takes note of the range of a node. Where a product of integers is not 0, neither is a factor, also where it wraps.
fn learn(
    program: &Program,
    node: NodeId,
    fact: Range,
    of: &impl Fn(NodeId) -> Range,
    facts: &mut HashMap<NodeId, Range>,
) {
    let mut note = |node: NodeId, fact: Range| {
        facts.entry(node).and_modify(|known| *known = meet(*known, fact)).or_insert(fact);
    };
    note(node, fact);
    if let NodeKind::Map(Prim::Mul, [Some(a), Some(b), _]) = program.node(node).kind
        && matches!(fact.interval, Interval::Integer { low, high } if low > 0 || high < 0)
    {
        let zero = Range::stated(Interval::Integer { low: 0, high: 0 });
        for factor in [a, b] {
            if let Some(fact) = without(of(factor), zero) {
                note(factor, fact);
            }
        }
    }
}

/// A range of integers without one of its ends.
fn without(range: Range, other: Range) -> Option<Range> {
    let Interval::Integer { low, high } = range.interval else { return None };
    let end = other.interval.single().filter(|_| low < high)?;
    match end {
        end if end == low => Some(Range { low_stated: true, ..range }.with(Interval::Integer { low: low + 1, high })),
        end if end == high => {
            Some(Range { high_stated: true, ..range }.with(Interval::Integer { low, high: high - 1 }))
        }
        _ => None,
    }
}

/// What all elements fulfil where an assertion holds.
pub(super) fn of_elements(program: &Program, mut condition: NodeId) -> NodeId {
    while let NodeKind::Fold { fold: Fold::All, arg, .. }
    | NodeKind::View { arg, view: View::Broadcast | View::Reshape | View::Transpose(_) } =
        &program.node(condition).kind
    {
        condition = *arg;
    }
    condition
}

/// Whether a condition that all elements fulfil says something of a node. Of nothing everything holds: then it says
/// nothing of what is repeated to meet it.
pub(super) fn is_about(program: &Program, condition: NodeId, node: NodeId) -> bool {
    let shape = &program.node(condition).shape;
    let is_some = shape.iter().all(|dim| dim.known().is_some_and(|len| len > 0));
    is_some || program.node(node).shape == *shape
}

/// What an assertion says of the nodes that it compares, for as long as the program goes on.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing is learnt of what other nodes are made of")]
pub(super) fn facts_of_assertion(
    program: &Program,
    condition: NodeId,
    of: &impl Fn(NodeId) -> Range,
) -> Vec<(NodeId, Range)> {
    let mut facts = HashMap::new();
    let condition = of_elements(program, condition);
    let says = |node: NodeId| is_about(program, condition, node);
    collect(program, condition, true, of, &mut facts, DEPTH);
    let mut found: Vec<(NodeId, Range)> = Vec::new();
    for (mut node, fact) in facts.into_iter().filter(|(node, _)| says(*node)) {
        let mut range = meet(of(node), fact);
        loop {
            found.push((node, range));
            // What it is said of shows what is known.
            let (arg, of_arg) = match &program.node(node).kind {
                NodeKind::View { arg, view: View::Broadcast | View::Reshape } => (*arg, range),
                NodeKind::Map(Prim::Convert, [Some(arg), ..])
                    if of(*arg).interval.exists_in(program.node(node).dtype) =>
                {
                    (*arg, meet(of(*arg), range))
                }
                NodeKind::Fold { fold: fold @ (Fold::Min | Fold::Max), arg, .. } => {
                    let (whole, own) = (of(*arg), range);
                    let (Interval::Integer { low, high }, Interval::Integer { low: l, high: h }) =
                        (whole.interval, own.interval)
                    else {
                        break;
                    };
                    let bounded = if *fold == Fold::Max {
                        Range { high_stated: own.high_stated, ..whole }
                            .with(Interval::Integer { low, high: h.min(high) })
                    } else {
                        Range { low_stated: own.low_stated, ..whole }.with(Interval::Integer { low: l.max(low), high })
                    };
                    (*arg, bounded)
                }
                _ => break,
            };
            (node, range) = (arg, of_arg);
        }
    }
    found
}

/// The end of a range that a comparison moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MovedEnd {
    Low,
    High,
}

/// What a comparison says of one of its operands.
#[derive(Clone, Copy)]
struct ComparedBound {
    /// The end that the other operand gives: the high one if the operand lies below the other.
    end: MovedEnd,
    /// Whether the operand is not equal to the other one either.
    strict: bool,
    /// Whether the comparison holds. Not-a-number makes every comparison false. So it is excluded on both sides where
    /// one holds, and where one does not hold, a node that is compared with what may be not a number can be anything.
    holds: bool,
}

/// A range with an end that another range gives, if that is a narrower one.
fn bounded(range: Range, other: Range, ComparedBound { end, strict, holds }: ComparedBound) -> Option<Range> {
    let step = i128::from(strict);
    let limit = |at: f64, whole: bool| if strict { next_float(at, end, whole) } else { at };
    if !holds && matches!(other.interval, Interval::Float { nan: true, .. }) {
        return None;
    }
    let interval = match (range.interval, other.interval, end) {
        (Interval::Integer { low, high }, Interval::Integer { high: most, .. }, MovedEnd::High) => {
            let most = most - step;
            (most < high).then_some(Interval::Integer { low, high: most })
        }
        (Interval::Integer { low, high }, Interval::Integer { low: least, .. }, MovedEnd::Low) => {
            let least = least + step;
            (least > low).then_some(Interval::Integer { low: least, high })
        }
        (Interval::Float { low, high, nan, whole }, Interval::Float { high: most, .. }, MovedEnd::High) => {
            let (most, nan) = (limit(most, whole), nan && !holds);
            (most < high).then_some(Interval::Float { low, high: most, nan, whole })
        }
        (Interval::Float { low, high, nan, whole }, Interval::Float { low: least, .. }, MovedEnd::Low) => {
            let (least, nan) = (limit(least, whole), nan && !holds);
            (least > low).then_some(Interval::Float { low: least, high, nan, whole })
        }
        _ => None,
    };
    let stated = match end {
        MovedEnd::High => Range { high_stated: other.high_stated, ..range },
        MovedEnd::Low => Range { low_stated: other.low_stated, ..range },
    };
    interval.map(|interval| stated.with(interval))
}

/// The float next to a number that is excluded, below it for the high end of a range, else above it; among whole
/// numbers the next one. Closer to 0 than 1 it is the number itself: what is next to 0 here is 0 in a narrower dtype.
fn next_float(at: f64, end: MovedEnd, whole: bool) -> f64 {
    let next = match end {
        MovedEnd::High => at.next_down(),
        MovedEnd::Low => at.next_up(),
    };
    match (whole, end) {
        (true, MovedEnd::High) => next.floor(),
        (true, MovedEnd::Low) => next.ceil(),
        (false, _) if at.abs() < 1.0 => at,
        (false, _) => next,
    }
}

/// What two ranges of one node have in common; the first where that is nothing.
pub(super) fn meet(a: Range, b: Range) -> Range {
    match (a.interval, b.interval) {
        (Interval::Integer { low, high }, Interval::Integer { low: l, high: h }) if low.max(l) <= high.min(h) => {
            Range {
                interval: Interval::Integer { low: low.max(l), high: high.min(h) },
                low_stated: if low >= l { a.low_stated } else { b.low_stated },
                high_stated: if high <= h { a.high_stated } else { b.high_stated },
                of_data: a.of_data || b.of_data,
            }
        }
        (Interval::Float { low, high, nan, whole }, Interval::Float { low: l, high: h, nan: n, whole: w })
            if low.max(l) <= high.min(h) =>
        {
            Range {
                interval: Interval::Float { low: low.max(l), high: high.min(h), nan: nan && n, whole: whole || w },
                low_stated: if low >= l { a.low_stated } else { b.low_stated },
                high_stated: if high <= h { a.high_stated } else { b.high_stated },
                of_data: a.of_data || b.of_data,
            }
        }
        _ => a,
    }
}

/// The range of a node where some nodes are known better.
fn again(
    program: &Program,
    node: NodeId,
    facts: &HashMap<NodeId, Range>,
    of: &impl Fn(NodeId) -> Range,
    budget: &mut usize,
) -> Range {
    if let Some(fact) = facts.get(&node) {
        return meet(of(node), *fact);
    }
    let NodeKind::Map(prim, args) = program.node(node).kind else { return of(node) };
    if *budget == 0 || prim == Prim::Select {
        return of(node);
    }
    *budget -= 1;
    let args: Vec<NodeId> = args.iter().flatten().copied().collect();
    let ranges: Vec<Range> = args.iter().map(|&arg| again(program, arg, facts, of, budget)).collect();
    if args.iter().zip(&ranges).all(|(&arg, range)| of(arg) == *range) {
        return of(node);
    }
    meet(of(node), range_of_prim(prim, program.node(args[0]).dtype, program.node(node).dtype, &ranges))
}
