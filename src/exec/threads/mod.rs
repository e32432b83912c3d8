//! Work on several threads.
//!
//! Work comes in *units*, numbered from 0, that may be done in any order. [`share`] gives them to the calling thread
//! and to the thread [`pool`]: each takes its own from the front of a [`queue`], and when they are gone those of the
//! thread that has most left. So a thread that starts late or not at all costs nothing but its help. How work is cut
//! into units never depends on which thread does them, and neither does a result.

mod pool;
mod queue;

pub use pool::available;

use super::environment::IeeeDefaults;
use super::options::{RunError, Watch};
use crate::locks::{into_inner, lock};
use queue::WorkQueue;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most threads that a run may ask for.
pub const MAX_THREADS: usize = 1024;

/// The units that are left for a thread.
pub(super) struct TaskHandle<'a>(Units<'a>);

enum Units<'a> {
    /// All units, for the only thread.
    Alone(Cell<Range<usize>>),
    Queued {
        queue: &'a WorkQueue,
        own: usize,
        stopped: &'a AtomicBool,
    },
}

impl TaskHandle<'_> {
    /// The next unit to do. `None` when all are taken, or when another thread has failed.
    pub(super) fn next(&self) -> Option<usize> {
        match &self.0 {
            Units::Alone(units) => {
                let mut left = units.take();
                let next = left.next();
                units.set(left);
                next
            }
            Units::Queued { stopped, .. } if stopped.load(Ordering::Relaxed) => None,
            Units::Queued { queue, own, .. } => queue.next(*own),
        }
    }
}

/// Does `units` units of work on up to `threads` threads. `work` is called once on each of them and takes units until
/// there are none.
///
/// # Errors
/// The first failure; the other threads then stop at their next unit.
///
/// # Panics
/// When `work` panics on any thread, after all of them have ended.
pub(super) fn share(
    units: usize,
    threads: usize,
    watch: Watch,
    work: impl Fn(&TaskHandle) -> Result<(), RunError> + Sync,
) -> Result<(), RunError> {
    let threads = threads.min(units).clamp(1, MAX_THREADS);
    if threads == 1 {
        return work(&TaskHandle(Units::Alone(Cell::new(0..units))));
    }
    let (queue, stopped) = (WorkQueue::new(units, threads), AtomicBool::new(false));
    let failure = Mutex::new(None);
    pool::together(threads, &|own| {
        let _environment = IeeeDefaults::set();
        let outcome =
            watch.poll().and_then(|()| work(&TaskHandle(Units::Queued { queue: &queue, own, stopped: &stopped })));
        if let Err(error) = outcome {
            stopped.store(true, Ordering::Relaxed);
            lock(&failure).get_or_insert(error);
        }
    });
    into_inner(failure).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    const FREE: Watch = Watch { interrupt: None, ask: None, limit: None };

    #[test]
    fn every_unit_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 3, 16] {
            for units in [0, 1, 2, 7, 1000] {
                let done: Vec<AtomicUsize> = (0..units).map(|_| AtomicUsize::new(0)).collect();
                let outcome = share(units, threads, FREE, |task| {
                    while let Some(unit) = task.next() {
                        done[unit].fetch_add(1, Ordering::Relaxed);
                    }
                    Ok(())
                });
                assert_eq!(outcome, Ok(()));
                assert!(done.iter().all(|count| count.load(Ordering::Relaxed) == 1), "{units} by {threads}");
            }
        }
    }

    #[test]
    fn work_may_share_work_of_its_own() {
        let total = AtomicUsize::new(0);
        let each = |count: usize, work: &(dyn Fn(usize) -> Result<(), RunError> + Sync)| {
            share(count, 4, FREE, |task| {
                while let Some(unit) = task.next() {
                    work(unit)?;
                }
                Ok(())
            })
        };
        let outcome = each(8, &|outer| {
            each(8, &|inner| {
                total.fetch_add(outer * 8 + inner, Ordering::Relaxed);
                Ok(())
            })
        });
        assert_eq!((outcome, total.into_inner()), (Ok(()), 63 * 64 / 2));
    }

    #[test]
    fn several_callers_share_at_once() {
        std::thread::scope(|scope| {
            for caller in 0..6 {
                scope.spawn(move || {
                    for round in 0..200 {
                        let total = AtomicUsize::new(0);
                        let outcome = share(50, 3, FREE, |task| {
                            while let Some(unit) = task.next() {
                                total.fetch_add(unit, Ordering::Relaxed);
                            }
                            Ok(())
                        });
                        assert_eq!((outcome, total.into_inner()), (Ok(()), 49 * 50 / 2), "{caller} {round}");
                    }
                });
            }
        });
    }

    #[test]
    fn a_failure_stops_the_others_and_the_next_run_is_whole() {
        let outcome = share(1_000_000, 4, FREE, |task| {
            while let Some(unit) = task.next() {
                if unit == 3 {
                    return Err(RunError::Internal("three".to_owned()));
                }
            }
            Ok(())
        });
        assert_eq!(outcome, Err(RunError::Internal("three".to_owned())));
        let flag = AtomicBool::new(true);
        let interrupted = Watch { interrupt: Some(&flag), ask: None, limit: None };
        assert_eq!(share(10, 4, interrupted, |_| Ok(())), Err(RunError::Interrupted));
    }

    #[test]
    fn b24_a_panic_on_any_thread_reaches_the_caller_and_leaves_the_crew_well() {
        for at in [0, 1, 37, 63] {
            let caught = std::panic::catch_unwind(|| {
                share(64, 4, FREE, |task| {
                    while let Some(unit) = task.next() {
                        if unit == at {
                            // No hook is called, so nothing is printed by this test.
                            std::panic::resume_unwind(Box::new(at));
                        }
                    }
                    Ok(())
                })
            });
            assert_eq!(caught.unwrap_err().downcast_ref(), Some(&at));
            let count = AtomicUsize::new(0);
            let outcome = share(64, 4, FREE, |task| {
                while task.next().is_some() {
                    count.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            });
            assert_eq!((outcome, count.into_inner()), (Ok(()), 64));
        }
    }

    /// Subnormals are kept on every thread, whatever was set there before.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn b15_every_thread_computes_by_the_ieee_defaults() {
        use crate::exec::environment::{control, set_control};
        let before = control();
        let others = AtomicUsize::new(0);
        for _ in 0..200 {
            pool::together(4, &|_| set_control(before | 0x8040));
            let outcome = share(8, 4, FREE, |task| {
                let other = matches!(task.0, Units::Queued { own, .. } if own > 0);
                others.fetch_add(usize::from(other), Ordering::Relaxed);
                while task.next().is_some() {
                    assert!(std::hint::black_box(1e-45f32) * std::hint::black_box(2.0) > 0.0);
                    std::thread::yield_now();
                }
                Ok(())
            });
            assert_eq!(outcome, Ok(()));
            if others.load(Ordering::Relaxed) > 3 {
                break;
            }
        }
        pool::together(4, &|_| set_control(before));
        set_control(before);
    }
}
