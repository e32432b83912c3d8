//! The ranges of what loops carry.
//!
//! A state begins with the range of its first value and takes in what a step makes of it, until nothing is new. After
//! three rounds an end that still moves goes to that of its dtype, so that it ends: what is found holds for any number of
//! steps, and for elements that stop early.

use super::nodes::Ranges;
use super::prims::both;
use super::{Interval, Range};
use crate::ir::{NodeId, Program};

/// Rounds before ends that still move go to those of the dtype.
const ROUNDS: usize = 3;
/// Rounds in all; ends move once more each, and marks of where they come from are lost one by one.
const MOST: usize = 64;

/// What a loop carries, as nodes.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// What it begins with.
    pub start: NodeId,
    /// The state in a step.
    pub state: NodeId,
    /// What the step makes of it.
    pub next: NodeId,
}

impl Ranges {
    /// Finds and states the ranges of the states of a loop.
    pub fn carry(&mut self, program: &Program, carried: &[Carried]) {
        let Some(first) = carried.iter().map(|it| it.state.index()).min() else { return };
        let mut found: Vec<Range> = carried.iter().map(|it| self.of(program, it.start)).collect();
        for round in 0..MOST {
            self.known.truncate(first);
            for (it, range) in carried.iter().zip(&found) {
                self.declare(it.state, *range);
            }
            let mut settled = true;
            for (it, range) in carried.iter().zip(&mut found) {
                let met = both(*range, self.of(program, it.next));
                if met != *range {
                    settled = false;
                    *range = if round < ROUNDS { met } else { widened(*range, met, program.node(it.state).dtype) };
                }
            }
            if settled {
                return;
            }
        }
        self.known.truncate(first);
        for it in carried {
            self.declare(it.state, Range::of_dtype(program.node(it.state).dtype));
        }
    }
}

/// The ends that moved, at the ends of the dtype.
fn widened(before: Range, met: Range, dtype: crate::types::DType) -> Range {
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
