//! How a kernel's loops are laid out, kept with it: its next run is almost always laid out alike.
//!
//! A map runs one loop innermost, the one that moves most operands densely, and walks the others. A kernel that folds
//! runs either a reduced loop innermost (*rows*: blocks of 1024 neighbours of one result) or a kept loop (*columns*:
//! many results side by side), whichever reads memory more densely.

use super::again::Again;
use super::loops::Loops;
use super::{Ready, columns, map, rows};
use crate::exec::options::{Engine, Options};
use crate::exec::space::{Dim, take_inner};
use std::sync::{Arc, Mutex, MutexGuard};

/// A kernel's loops, with the code of the innermost.
pub(super) enum Laid {
    Map(map::Layout),
    Rows(rows::Layout),
    Columns(columns::Layout),
}

/// A kernel as it ran.
pub(super) struct Kept {
    /// Its loops before they were laid out.
    asked: Loops,
    /// What runs.
    pub(super) loops: Loops,
    pub(super) laid: Laid,
    /// How to find its operands again.
    pub(super) again: Option<Again>,
}

/// How a kernel ran last, unless its loop was interpreted.
#[derive(Default)]
pub(super) struct Last(Mutex<Option<Arc<Kept>>>);

/// Whether layouts are kept from run to run.
fn keeps(options: &Options) -> bool {
    options.engine == Engine::Jit && !options.verify
}

impl Last {
    fn lock(&self) -> MutexGuard<'_, Option<Arc<Kept>>> {
        // A panic elsewhere leaves a whole layout, or none.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// How it ran last.
    pub(super) fn get(&self, options: &Options) -> Option<Arc<Kept>> {
        if keeps(options) { self.lock().clone() } else { None }
    }

    /// Loops as they were laid out last, if they are the same, otherwise laid out now.
    pub(super) fn kept(&self, asked: Loops, again: Option<Again>, options: &Options) -> Arc<Kept> {
        if let Some(last) = self.get(options).filter(|last| last.asked == asked) {
            return last;
        }
        let mut loops = asked.clone();
        let laid = Laid::new(&mut loops, options);
        let is_compiled = laid.ready().is_none_or(Ready::is_compiled);
        let fresh = Arc::new(Kept { asked, loops, laid, again });
        if keeps(options) && is_compiled {
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
    fn new(loops: &mut Loops, options: &Options) -> Laid {
        if !loops.reduces() {
            return Laid::Map(map::Layout::new(loops, options));
        }
        let (kept, reduced) = (loops.kept_loops(), loops.reduced_loops());
        let operands = loops.dtypes.len();
        // The price of the innermost loop either way, without what goes through scratch: that is written once.
        let price = |inner: &Dim| -> usize {
            let moved = inner.strides.iter().enumerate().filter(|(operand, _)| !loops.is_scratch(*operand));
            moved.map(|(operand, &stride)| loops.cost(operand, stride)).sum()
        };
        let nothing = reduced.iter().any(|dim| dim.len == 0);
        let (outer, inner) = take_inner(kept.clone(), operands, |operand, stride| loops.cost(operand, stride));
        let along = reduced.last().map_or(0, price);
        let short = reduced.last().is_none_or(|dim| dim.len < 64);
        let better = price(&inner) < along || price(&inner) == along && short;
        if inner.len >= 16 && (better || short && inner.len >= 64) && !nothing {
            Laid::Columns(columns::Layout::new(loops, outer, inner, reduced, options))
        } else {
            Laid::Rows(rows::Layout::new(loops, kept, reduced, options))
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
