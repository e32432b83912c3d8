//! The ranges of routines: those of what goes in, positions, counts.

use super::prims::both;
use super::{Interval, Range, arms, lengths, weighted};
use crate::ir::routine::{Routine, Scatter};
use crate::ir::{Fold, Node, NodeId, Program};
use crate::types::Dim;

/// The range of a routine whose operands have ranges.
pub(super) fn range(
    program: &Program,
    node: &Node,
    routine: Routine,
    args: &[NodeId],
    of: impl Fn(NodeId) -> Range,
) -> Range {
    let longest = |arg: NodeId| lengths::longest_line(program, arg);
    // Nobody states how long a line may be whose length is not known.
    let positions = |arg: NodeId, behind: i128| {
        let is_known = program.node(arg).shape.last().is_some_and(|len| len.known().is_some());
        let high = (longest(arg) - behind).max(0);
        Range { high_stated: is_known, ..Range::stated(Interval::Integer { low: 0, high }) }
    };
    match routine {
        Routine::Sort => of(args[0]),
        // Only elements that fulfil what the mask says are kept.
        Routine::Compress => arms::under(program, args[1], true, args[0], &of),
        Routine::Ranks => ranks(program, args[0], of(args[0])),
        Routine::ArgSort { .. } | Routine::Positions => positions(args[0], 1),
        Routine::SearchLeft | Routine::SearchRight | Routine::Count => positions(args[0], 0),
        Routine::Firsts => Range::of_dtype(node.dtype),
        Routine::Scatter(Scatter::Set | Scatter::With(Fold::Min | Fold::Max)) => both(of(args[0]), of(args[2])),
        Routine::Segment(Fold::Sum) => counts(node, longest(args[0]), of(args[0])),
        Routine::Scatter(Scatter::With(Fold::Sum)) => {
            let found = added(node, longest(args[1]), of(args[0]), of(args[2]));
            let is_known = program.node(args[1]).shape.last().is_some_and(|len| len.known().is_some());
            Range { low_stated: found.low_stated && is_known, high_stated: found.high_stated && is_known, ..found }
        }
        Routine::Product => {
            let (left, right) = (of(args[0]), of(args[1]));
            let found = sums(node, longest(args[0]), left, right);
            let by_terms = weighted::product(program, args, &of);
            by_terms.map_or(found, |ends| found.or_within(both(left, right), ends, node.dtype))
        }
        Routine::Segment(_) | Routine::Scatter(Scatter::With(_)) | Routine::ProductFits | Routine::Library(_) => {
            Range::of_dtype(node.dtype)
        }
    }
}

/// Elements of a line; of nothing there is 0.
fn ranks(program: &Program, line: NodeId, of: Range) -> Range {
    let line = program.node(line);
    let empty = line.shape.last().and_then(Dim::known) == Some(0);
    if empty { Range::of_dtype(line.dtype) } else { of }
}

/// The range of sums of `count` products of integers. It is all of the dtype if a sum may leave the dtype.
fn sums(node: &Node, count: i128, left: Range, right: Range) -> Range {
    let (Interval::Integer { low: a, high: b }, Interval::Integer { low: c, high: d }) =
        (left.interval, right.interval)
    else {
        return Range::of_dtype(node.dtype);
    };
    let ends = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y)?.checked_mul(count));
    let found = ends.into_iter().collect::<Option<Vec<i128>>>();
    let bounds = found.and_then(|ends| Some((*ends.iter().min()?, *ends.iter().max()?)));
    match (bounds, Interval::of_dtype(node.dtype)) {
        (Some((low, high)), Interval::Integer { low: least, high: most }) if least <= low && high <= most => {
            Range { interval: Interval::Integer { low: low.min(0), high: high.max(0) }, ..both(left, right) }
        }
        _ => Range::of_dtype(node.dtype),
    }
}

/// What elements become that up to `count` values are added to. It is all of the dtype if a sum may leave the dtype.
fn added(node: &Node, count: i128, to: Range, values: Range) -> Range {
    let (Interval::Integer { low: a, high: b }, Interval::Integer { low: c, high: d }) = (to.interval, values.interval)
    else {
        return Range::of_dtype(node.dtype);
    };
    let total = |start: i128, most: i128| most.checked_mul(count)?.checked_add(start);
    match (total(a, c.min(0)), total(b, d.max(0)), Interval::of_dtype(node.dtype)) {
        (Some(low), Some(high), Interval::Integer { low: least, high: most }) if least <= low && high <= most => {
            Range { interval: Interval::Integer { low, high }, ..both(to, values) }
        }
        _ => Range::of_dtype(node.dtype),
    }
}

/// Sums of small numbers that are never negative stay small.
fn counts(node: &Node, most: i128, of: Range) -> Range {
    match of.interval {
        Interval::Integer { low: 0.., high } => match (high.checked_mul(most), Interval::of_dtype(node.dtype)) {
            (Some(total), Interval::Integer { high: limit, .. }) if total <= limit => {
                of.with(Interval::Integer { low: 0, high: total.max(1) })
            }
            _ => Range::of_dtype(node.dtype),
        },
        Interval::Integer { .. } | Interval::Float { .. } | Interval::Complex => Range::of_dtype(node.dtype),
    }
}
