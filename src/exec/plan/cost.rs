//! The cost of loops, as an estimated time. It says how many threads share them, and how often they look at the
//! interrupt flag.
//!
//! The numbers are what loops over a few hundred thousand elements took on one machine. They need not be right: twice
//! too little or too much moves the size from which on work is shared, and nothing else.

use super::loops::{Loops, Use};
use crate::exec::options::Options;
use crate::exec::stepping::{Loop, LoopInput, Step};
use crate::exec::threads;
use crate::kernel::{BLOCK, InstOp};
use crate::types::DType;
use std::time::Duration;

/// The least work that another thread is given. Until it has begun, and has fetched what it needs to know from another
/// processor, about a microsecond goes by.
const GRAIN: Duration = Duration::from_nanos(1500);

/// Units of work for each thread. More of them make up for a thread that is late, and each costs something.
const UNITS: usize = 8;

/// Units that one grain of work is cut into. With a unit for each grain, the thread that has two of three works twice
/// as long as the other, and nobody can make up for a thread that begins late.
const UNITS_OF_A_GRAIN: usize = 4;

/// Work between two looks at the interrupt flag.
const POLL: Duration = Duration::from_millis(1);

/// The most work of a run that is over soon. The interpreter of another language, which lets its other threads run
/// meanwhile, loses more than they win by less work.
const MAX_BRIEF: Duration = Duration::from_micros(10);

/// Picoseconds of an element: elements that cost less are neighbours in memory. Each of the others may lie on a page of
/// its own. A page that was never touched, or is still on the disk, costs a thousand times more.
const MAX_NEIGHBOUR_PICOSECONDS: f64 = 200.0;

/// The most elements between two looks at the interrupt flag, where they are neighbours.
const MAX_NEIGHBOURS: usize = 1 << 18;

/// The most elements between two looks at the interrupt flag, where each may lie on a page of its own.
const MAX_SCATTERED: usize = 1 << 15;

/// Picoseconds in a nanosecond.
const PICOSECONDS_PER_NANOSECOND: f64 = 1e3;

/// Picoseconds for a byte of an operand whose elements are neighbours. This and the times below were measured on one
/// machine.
const DENSE_BYTE_PICOSECONDS: f64 = 5.0;

/// Picoseconds for a byte of an operand of which a loop takes every second element.
const ALTERNATE_BYTE_PICOSECONDS: f64 = 20.0;

/// Picoseconds that an element takes, besides those of its bytes, if it is no neighbour of the last one.
const STRIDED_PICOSECONDS: f64 = 200.0;

/// Picoseconds for a number that a loop counts up.
const COUNT_PICOSECONDS: f64 = 20.0;

/// Picoseconds for a byte that a fold takes in.
const FOLDED_BYTE_PICOSECONDS: f64 = 6.0;

/// Picoseconds for an element of a scan, which waits for the one before.
const SCANNED_PICOSECONDS: f64 = 600.0;

/// Picoseconds for an element that is read by position, besides those of its bytes.
const GATHERED_PICOSECONDS: f64 = 200.0;

/// Picoseconds for a byte that is read by position.
const GATHERED_BYTE_PICOSECONDS: f64 = 40.0;

/// A cost in picoseconds.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub(crate) struct ElementCost(f64);

/// How work is shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Share {
    /// Threads, as many as make sense.
    pub(crate) threads: usize,
    pub(crate) units: usize,
}

impl ElementCost {
    /// The cost of one element of a loop.
    pub(crate) fn of(loops: &Loops, code: &Loop) -> ElementCost {
        let step = |step: Step, dtype: DType| match step {
            Step::Repeat => 0.0,
            Step::Dense | Step::Back | Step::Stream => DENSE_BYTE_PICOSECONDS * dtype.size() as f64,
            Step::Alternate => ALTERNATE_BYTE_PICOSECONDS * dtype.size() as f64,
            Step::Strided => STRIDED_PICOSECONDS + DENSE_BYTE_PICOSECONDS * dtype.size() as f64,
        };
        let inputs = code.inputs.iter().map(|input| match input {
            LoopInput::Array(dtype, kind) => step(*kind, *dtype),
            LoopInput::Count => COUNT_PICOSECONDS,
        });
        let outputs = code.outputs.iter().zip(&loops.outputs).map(|(output, (_, what))| {
            let dtype = code.dtype(output.value);
            match what {
                Use::Store | Use::Buffered => step(output.step, dtype),
                Use::Fold(_) => FOLDED_BYTE_PICOSECONDS * dtype.size() as f64,
                Use::Scan(_) => SCANNED_PICOSECONDS,
                Use::Gather { bytes, .. } => GATHERED_PICOSECONDS + GATHERED_BYTE_PICOSECONDS * *bytes as f64,
            }
        });
        let mut varies: Vec<bool> = Vec::with_capacity(code.body.insts.len());
        let prims = code.body.insts.iter().map(|inst| {
            // What repeats is read, and computed, once.
            let is_new = match inst.op {
                InstOp::Load(input) => !matches!(code.inputs[input as usize], LoopInput::Array(_, Step::Repeat)),
                InstOp::Iota(_) => true,
                InstOp::Const(_) => false,
                InstOp::Prim(_, args) => args.into_iter().flatten().any(|arg| varies[arg.0 as usize]),
            };
            varies.push(is_new);
            match inst.op {
                InstOp::Prim(op, args) if is_new => {
                    let operand = args[0].map_or(inst.dtype, |arg| code.dtype(arg));
                    let dtype = if operand.size() > inst.dtype.size() { operand } else { inst.dtype };
                    op.cost().picoseconds(dtype.is_small_float()) * dtype.size() as f64
                }
                InstOp::Load(_) | InstOp::Iota(_) | InstOp::Const(_) | InstOp::Prim(..) => 0.0,
            }
        });
        ElementCost(inputs.chain(outputs).chain(prims).sum::<f64>().max(1.0))
    }

    /// As a number, for people.
    pub(super) fn picoseconds(self) -> u64 {
        self.0 as u64
    }

    /// The cost of an element that takes this long.
    #[cfg_attr(not(feature = "jit"), allow(dead_code, reason = "only compiled loops ask"))]
    pub(crate) fn of_picoseconds(picoseconds: f64) -> ElementCost {
        ElementCost(picoseconds)
    }

    #[cfg(test)]
    pub(crate) fn of_nothing() -> ElementCost {
        ElementCost(1.0)
    }

    /// The cost of `count` such elements.
    pub(crate) fn times(self, count: usize) -> ElementCost {
        ElementCost(self.0 * count as f64)
    }

    /// The cost of several things.
    pub(crate) fn sum(costs: impl Iterator<Item = ElementCost>) -> ElementCost {
        ElementCost(costs.map(|cost| cost.0).sum())
    }

    /// Whether work of this cost is over soon.
    pub(crate) fn is_brief(self) -> bool {
        self.0 <= MAX_BRIEF.as_nanos() as f64 * PICOSECONDS_PER_NANOSECOND
    }

    /// How many of such elements are computed between two looks at the interrupt flag.
    pub(crate) fn poll(self) -> usize {
        let most = if self.0 < MAX_NEIGHBOUR_PICOSECONDS { MAX_NEIGHBOURS } else { MAX_SCATTERED };
        ((POLL.as_nanos() as f64 * PICOSECONDS_PER_NANOSECOND / self.0) as usize).clamp(BLOCK, most)
    }

    /// How work of this cost is shared.
    pub(crate) fn share(self, options: &Options) -> Share {
        let alone = Share { threads: 1, units: 1 };
        // A wide integer takes longer to convert than small work to share.
        let grain = options.grain.unwrap_or(GRAIN).as_nanos() as u64 as f64 * PICOSECONDS_PER_NANOSECOND;
        // Most work is small, and how many threads there are need not be known for it.
        if self.0 < 2.0 * grain || options.threads.is_some_and(|threads| threads.get() == 1) {
            return alone;
        }
        let most = options.threads.map_or_else(threads::available, usize::from).min(threads::MAX_THREADS);
        let shares = if grain > 0.0 { (self.0 / grain) as usize } else { usize::MAX };
        match most.min(shares) {
            0 | 1 => alone,
            threads => {
                // Each thread gets the same number of units.
                let each = shares.saturating_mul(UNITS_OF_A_GRAIN) / threads;
                Share { threads, units: threads * each.clamp(1, UNITS) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroUsize;

    fn share(picoseconds: f64, threads: usize, grain: Option<Duration>) -> (usize, usize) {
        let options = Options { threads: NonZeroUsize::new(threads), grain, ..Options::default() };
        let Share { threads, units } = ElementCost(picoseconds).share(&options);
        (threads, units)
    }

    #[test]
    fn small_work_stays_and_large_work_is_shared_by_all() {
        let grain = GRAIN.as_nanos() as f64 * 1e3;
        assert_eq!(share(1.9 * grain, 16, None), (1, 1));
        assert_eq!(share(3.5 * grain, 16, None), (3, 12));
        assert_eq!(share(5.5 * grain, 2, None), (2, 16));
        assert_eq!(share(1e12, 16, None), (16, 128));
        assert_eq!(share(1e30, 1, None), (1, 1));
        assert_eq!(share(1e30, 2, None), (2, 16));
        assert_eq!(share(1.0, 3, Some(Duration::ZERO)), (3, 24));
    }

    #[test]
    fn dear_elements_are_polled_more_often() {
        assert_eq!(ElementCost(10.0).poll(), 1 << 18);
        assert_eq!(ElementCost(250.0).poll(), 1 << 15);
        assert_eq!(ElementCost(50_000.0).poll(), 20_000);
        assert_eq!(ElementCost(1e9).poll(), BLOCK);
    }
}
