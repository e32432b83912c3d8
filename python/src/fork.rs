//! What runs without the interpreter's lock, and `fork`, which waits until nothing does.
//!
//! A child of `fork` has one thread. A lock that another one held stays held there, and a job that it had begun never
//! ends. So a fork waits for the calls of other threads, and calls that come meanwhile wait for the fork. Whoever
//! computes for longer than [`PATIENCE`] is in a loop over elements, where no lock is held, and is not waited for.

use pyo3::marker::Ungil;
use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// How long a fork waits for what runs.
const PATIENCE: Duration = Duration::from_secs(3);

/// How often it looks.
const LOOK: Duration = Duration::from_micros(100);

/// How much runs in all threads.
static RUNNING: AtomicUsize = AtomicUsize::new(0);
/// How many forks wait, or are under way.
static FORKS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// How much of it runs on this thread: a handler of a signal may fork in the middle of a call.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

/// Something that runs, until it is dropped.
struct Run;

impl Run {
    fn begin(py: Python<'_>) -> Run {
        RUNNING.fetch_add(1, SeqCst);
        while FORKS.load(SeqCst) > 0 && OWN.get() == 0 {
            RUNNING.fetch_sub(1, SeqCst);
            py.detach(|| std::thread::sleep(LOOK));
            RUNNING.fetch_add(1, SeqCst);
        }
        OWN.set(OWN.get() + 1);
        Run
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        OWN.set(OWN.get() - 1);
        RUNNING.fetch_sub(1, SeqCst);
    }
}

/// Does something without the interpreter's lock.
pub(crate) fn detached<T: Ungil>(py: Python<'_>, work: impl FnOnce() -> T + Ungil) -> T {
    let _run = Run::begin(py);
    py.detach(work)
}

/// Waits until no other thread runs anything.
#[pyfunction]
pub(crate) fn before_fork(py: Python<'_>) {
    FORKS.fetch_add(1, SeqCst);
    let own = OWN.get();
    py.detach(|| {
        let begun = Instant::now();
        while RUNNING.load(SeqCst) > own && begun.elapsed() < PATIENCE {
            std::thread::sleep(LOOK);
        }
    });
}

/// Lets others go on.
#[pyfunction]
pub(crate) fn after_fork_in_parent() {
    FORKS.fetch_sub(1, SeqCst);
}

/// Forgets the threads that the parent has.
#[pyfunction]
pub(crate) fn after_fork_in_child() {
    FORKS.store(0, SeqCst);
    RUNNING.store(OWN.get(), SeqCst);
}
