//! How a map's loops are laid out, kept with its kernel: the next run of the kernel is almost always laid out alike.

use super::cost::Cost;
use super::walk::{Bound, Use};
use super::{Ready, stream};
use crate::array::Strides;
use crate::exec::space::{Dim, PerOperand, take_inner};
use crate::exec::{Engine, Options};
use crate::kernel::BLOCK;
use std::sync::{Arc, Mutex, MutexGuard};

/// A map's loops, with the code of the innermost.
pub(super) struct Laid {
    key: Key,
    pub(super) outer: Vec<Dim>,
    pub(super) inner: Dim,
    /// Rounds of the outer loops.
    pub(super) rows: usize,
    pub(super) ready: Ready,
    pub(super) cost: Cost,
    /// Operands that the loop writes to scratch.
    pub(super) scratched: Vec<usize>,
    /// Whether stores pass the caches by.
    pub(super) streams: bool,
    /// Elements that are computed at once.
    pub(super) round: usize,
    /// Elements between two looks at the interrupt flag.
    pub(super) poll: usize,
}

/// What may differ between two runs of a kernel, but for addresses.
#[derive(PartialEq)]
struct Key {
    strides: PerOperand<Strides>,
    /// The outputs that are stored a block at a time.
    buffered: PerOperand<bool>,
    is_last: bool,
}

fn buffered(bound: &Bound) -> impl Iterator<Item = bool> {
    bound.outputs.iter().map(|(_, what)| matches!(what, Use::Buffered))
}

impl Key {
    fn of(bound: &Bound) -> Key {
        Key { strides: bound.strides.clone(), buffered: buffered(bound).collect(), is_last: bound.is_last }
    }

    fn fits(&self, bound: &Bound) -> bool {
        self.is_last == bound.is_last
            && self.strides == bound.strides
            && self.buffered.iter().copied().eq(buffered(bound))
    }
}

/// The last layout of a kernel that was compiled.
#[derive(Default)]
pub(super) struct Last(Mutex<Option<Arc<Laid>>>);

impl Last {
    fn lock(&self) -> MutexGuard<'_, Option<Arc<Laid>>> {
        // A panic elsewhere leaves a whole layout, or none.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The layout of a map: the last one if it fits, otherwise a new one.
    pub(super) fn layout(&self, bound: &Bound, options: &Options) -> Arc<Laid> {
        let keeps = options.engine == Engine::Jit && !options.verify;
        if keeps && let Some(last) = self.lock().as_ref().filter(|last| last.key.fits(bound)) {
            return last.clone();
        }
        let fresh = Arc::new(Laid::new(bound, options));
        if keeps && fresh.ready.is_compiled() {
            *self.lock() = Some(fresh.clone());
        }
        fresh
    }
}

impl std::fmt::Debug for Last {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", if self.lock().is_some() { "laid out" } else { "not laid out" })
    }
}

impl Laid {
    fn new(bound: &Bound, options: &Options) -> Laid {
        let operands = bound.dtypes.len();
        let (outer, inner) = take_inner(bound.loops(), operands, |operand, stride| bound.cost(operand, stride));
        let code = bound.inner_loop(&inner);
        let cost = Cost::of(bound, &code);
        let rows = outer.iter().map(|dim| dim.len).product();
        let streams = streams(bound, &inner, rows);
        let through = |operand: &usize| bound.is_scratch(*operand) || streams && *operand >= bound.inputs();
        let scratched: Vec<usize> = (0..operands).filter(through).collect();
        let poll = cost.poll();
        let block = |&operand: &usize| if streams { stream::block(bound.dtypes[operand]) } else { BLOCK };
        Laid {
            key: Key::of(bound),
            rows,
            outer,
            inner,
            ready: Ready::new(code, bound.short, options),
            cost,
            round: scratched.iter().map(block).min().map_or(poll, |block| block.min(BLOCK)),
            scratched,
            streams,
            poll,
        }
    }
}

/// Whether what is stored should pass the caches by: if it is dense, and with what is read too much for them.
fn streams(bound: &Bound, inner: &Dim, rows: usize) -> bool {
    let operands = 0..bound.dtypes.len();
    let sizes = operands.filter(|&operand| !bound.counts[operand] && inner.strides[operand] != 0);
    let bytes = sizes.map(|operand| bound.dtypes[operand].size()).sum::<usize>() as f64;
    let enough = if bound.is_last { stream::LAST } else { stream::READ_AGAIN };
    let dense = |output: usize| {
        let operand = bound.inputs() + output;
        let is_store = matches!(bound.outputs[output].1, Use::Store);
        is_store && inner.strides[operand] == bound.dtypes[operand].size() as isize
    };
    // A short row has many lines that it shares with its neighbours.
    bytes * inner.len as f64 * rows as f64 >= enough as f64
        && inner.len >= 4 * BLOCK
        && (0..bound.outputs.len()).all(dense)
        && stream::is_available()
}
