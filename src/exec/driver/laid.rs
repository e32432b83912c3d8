//! How a kernel's loops are laid out, kept with it: its next run is almost always laid out alike.
//!
//! A map runs one loop innermost, the one that moves most operands densely, and walks the others. A kernel that folds
//! runs either a reduced loop innermost (*rows*: blocks of 1024 neighbours of one result) or a kept loop (*columns*:
//! many results side by side), whichever reads memory more densely.

use super::walk::{Bound, Use};
use super::{Ready, columns, map, rows};
use crate::array::Strides;
use crate::exec::space::{Dim, PerOperand, take_inner};
use crate::exec::{Engine, Options};
use std::sync::{Arc, Mutex, MutexGuard};

/// A kernel's loops, with the code of the innermost.
pub(super) enum Laid {
    Map(map::Layout),
    Rows(rows::Layout),
    Columns(columns::Layout),
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

/// The last layout of a kernel, unless its loop is interpreted.
#[derive(Default)]
pub(super) struct Last(Mutex<Option<(Key, Arc<Laid>)>>);

impl Last {
    fn lock(&self) -> MutexGuard<'_, Option<(Key, Arc<Laid>)>> {
        // A panic elsewhere leaves a whole layout, or none.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The layout of a kernel: the last one if it fits, otherwise a new one.
    pub(super) fn layout(&self, bound: &mut Bound, options: &Options) -> Arc<Laid> {
        let keeps = options.engine == Engine::Jit && !options.verify;
        if keeps && let Some((_, last)) = self.lock().as_ref().filter(|(key, _)| key.fits(bound)) {
            return last.clone();
        }
        let fresh = Arc::new(Laid::new(bound, options));
        if keeps && fresh.ready().is_none_or(Ready::is_compiled) {
            *self.lock() = Some((Key::of(bound), fresh.clone()));
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
    fn new(bound: &mut Bound, options: &Options) -> Laid {
        if !bound.reduces() {
            return Laid::Map(map::Layout::new(bound, options));
        }
        let (kept, reduced) = (bound.kept_loops(), bound.reduced_loops());
        let operands = bound.dtypes.len();
        // The price of the innermost loop either way, without what goes through scratch: that is written once.
        let price = |inner: &Dim| -> usize {
            let moved = inner.strides.iter().enumerate().filter(|(operand, _)| !bound.is_scratch(*operand));
            moved.map(|(operand, &stride)| bound.cost(operand, stride)).sum()
        };
        let nothing = reduced.iter().any(|dim| dim.len == 0);
        let (outer, inner) = take_inner(kept.clone(), operands, |operand, stride| bound.cost(operand, stride));
        let along = reduced.last().map_or(0, price);
        let short = reduced.last().is_none_or(|dim| dim.len < 64);
        let better = price(&inner) < along || price(&inner) == along && short;
        if inner.len >= 16 && (better || short && inner.len >= 64) && !nothing {
            Laid::Columns(columns::Layout::new(bound, outer, inner, reduced, options))
        } else {
            Laid::Rows(rows::Layout::new(bound, kept, reduced, options))
        }
    }

    /// The innermost loop, if it has something to compute.
    fn ready(&self) -> Option<&Ready> {
        match self {
            Laid::Map(layout) => Some(&layout.ready),
            Laid::Rows(layout) => layout.ready.as_ref(),
            Laid::Columns(layout) => layout.ready.as_ref(),
        }
    }
}
