//! Positions that are outside of their axis whatever the data.
//!
//! Two kinds of positions are known before the program runs: those whose range is known, and counted ones, as in
//! `x[arange(10)]`, `x[-arange(10)]`, or in `x[i]` with the counter of a loop.

use crate::check::infer::Ctx;
use crate::check::infer::loops::step::{LoopWay, StepWalk};
use crate::check::report;
use crate::diagnostic::Diagnostic;
use crate::ir::{Fault, NodeId, NodeKind, Program, View};
use crate::range::{Interval, integers};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::Dim;

/// How many nested operations on counted positions are followed.
const MAX_NESTED_OPERATIONS: usize = 6;

/// The positions `start`, `start + step` and so on.
struct CountedPositions {
    start: i128,
    step: i128,
}

impl Ctx<'_> {
    /// Reports a position that is outside of its axis, whether one of several or all of them. A program that is run
    /// reports the position itself, with its value. Positions in a loop are left alone, for the loop may take no step.
    pub(in crate::check) fn find_outside(&mut self, index: NodeId, axis: usize, len: &Dim, at: Span) {
        let Some(len) = len.known().filter(|_| !self.request.usage.needs_data) else { return };
        let shape = self.graph.builder.shape(index);
        let is_there = shape.iter().all(|dim| dim.known().is_some_and(|count| count > 0));
        if !is_there || self.calls.depth.is_in_loop() {
            return;
        }
        if let Some((place, value)) = first_outside(self.graph.builder.program(), index, len.into()) {
            self.tell_outside(report::position_outside(value, Some(place), axis, len, at));
            return;
        }
        let range = self.graph.ranges.of(self.graph.builder.program(), index);
        let Interval::Integer { low, high } = range.interval else { return };
        let end = i128::from(len);
        if !range.of_data && low <= high && (low >= end || high < -end) {
            self.tell_outside(report::positions_outside((low, high), axis, len, at));
        }
    }

    fn tell_outside(&mut self, diagnostic: Diagnostic) {
        if !self.findings.repeats(&diagnostic) {
            self.error(diagnostic);
        }
    }

    /// Reports positions that are the counter of a loop, if the counter surely goes beyond their axis. Loops with a
    /// loop inside are left alone, for the inner loop may take no step.
    pub(in crate::check) fn find_counter_outside(&mut self, way: &LoopWay, walk: &StepWalk, states: usize) {
        let LoopWay::Steps { count, .. } = way else { return };
        let Some((counter, _)) = walk.params.get(states) else { return };
        let is_plain = walk.condition.is_none() && !self.graph.builder.has_loop_behind(*counter);
        if !is_plain || self.calls.depth.is_in_loop() || self.request.usage.needs_data {
            return;
        }
        let range = self.graph.ranges.of(self.graph.builder.program(), *count);
        let Interval::Integer { low: steps, .. } = range.interval else { return };
        if range.of_data {
            return;
        }
        let program = self.graph.builder.program();
        let mut found: Vec<Diagnostic> = Vec::new();
        let of_step = program.checks.iter().rev().take_while(|check| check.written > counter.index());
        for check in of_step {
            let Fault::Index { index, axis, len } = &check.fault else { continue };
            let Some(len) = len.known().filter(|len| i128::from(*len) < steps) else { continue };
            // A cast to fewer bits wraps before the counter reaches the length.
            let holds = integers(program.node(*index).dtype).1;
            if i128::from(len) <= holds && is_counter(program, *index, *counter) {
                found.push(report::position_outside(len.into(), None, *axis as usize, len, check.span));
            }
        }
        for diagnostic in found.into_iter().rev() {
            self.error(diagnostic);
        }
    }
}

/// Whether a node is the counter of a loop, in whatever dtype.
fn is_counter(program: &Program, node: NodeId, counter: NodeId) -> bool {
    if let NodeKind::Map(Prim::Convert, [Some(of), ..]) = program.node(node).kind {
        return of == counter;
    }
    node == counter
}

/// The first counted position that is outside of an axis: where it stands among the others, and its value.
fn first_outside(program: &Program, index: NodeId, len: i128) -> Option<(i128, i128)> {
    let [count] = program.node(index).shape.as_slice() else { return None };
    let count = i128::from(count.known()?);
    let CountedPositions { start, step } = counted(program, index, count, MAX_NESTED_OPERATIONS)?;
    let place = match step.signum() {
        _ if start >= len || start < -len => 0,
        1 => (len - start + step - 1) / step,
        -1 => (start + len) / -step + 1,
        _ => return None,
    };
    (place < count).then_some((place, start + step * place))
}

/// A vector as counted positions, if none of them wraps.
fn counted(program: &Program, node: NodeId, count: i128, depth: usize) -> Option<CountedPositions> {
    let depth = depth.checked_sub(1)?;
    let of = |arg: NodeId| counted(program, arg, count, depth);
    let found = program.node(node);
    let made = if let NodeKind::Iota { .. } = found.kind {
        let [len] = found.shape.as_slice() else { return None };
        (len.known().map(i128::from) == Some(count)).then_some(CountedPositions { start: 0, step: 1 })?
    } else if let NodeKind::Const(scalar) = found.kind {
        CountedPositions { start: Interval::of_scalar(scalar).single()?, step: 0 }
    } else if let NodeKind::View { arg, view: View::Slice(region) } = &found.kind
        && let ([slice], [len]) = (&region[..], program.node(*arg).shape.as_slice())
    {
        let of = counted(program, *arg, len.known()?.into(), depth)?;
        let first = i128::from(slice.start.known()?);
        CountedPositions { start: of.start + first * of.step, step: of.step * i128::from(slice.step) }
    } else if let NodeKind::View { arg, .. } = found.kind {
        // A view of one repeated number has that number everywhere.
        of(arg).filter(|it| it.step == 0)?
    } else if let NodeKind::Map(Prim::Convert, [Some(arg), ..]) = found.kind {
        of(arg)?
    } else if let NodeKind::Map(Prim::Neg, [Some(arg), ..]) = found.kind {
        let CountedPositions { start, step } = of(arg)?;
        CountedPositions { start: -start, step: -step }
    } else if let NodeKind::Map(prim @ (Prim::Add | Prim::Sub | Prim::Mul), [Some(left), Some(right), _]) = found.kind {
        let (left, right) = (of(left)?, of(right)?);
        let sign = if prim == Prim::Sub { -1 } else { 1 };
        if prim != Prim::Mul {
            CountedPositions { start: left.start + sign * right.start, step: left.step + sign * right.step }
        } else if left.step == 0 || right.step == 0 {
            let steps = [left.step.saturating_mul(right.start), right.step.saturating_mul(left.start)];
            CountedPositions { start: left.start.saturating_mul(right.start), step: steps[0] + steps[1] }
        } else {
            return None;
        }
    } else {
        return None;
    };
    let (low, high) = integers(found.dtype);
    let ends = [made.start, made.start.saturating_add(made.step.saturating_mul(count.max(2) - 1))];
    (found.dtype.is_integer() && ends.iter().all(|end| (low..=high).contains(end))).then_some(made)
}
