//! A line that says how long something has been running, once it takes long.

use super::super::output;
use crate::locks::lock;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work that takes longer shows its time.
const PROGRESS_AFTER: Duration = Duration::from_millis(500);
/// How often the line is written anew.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// Does the work; when `show` says so and it takes long, its time is shown while it runs.
pub(super) fn with_progress<T>(show: bool, work: impl FnOnce() -> T) -> T {
    if !show {
        return work();
    }
    let done = DoneFlag::default();
    std::thread::scope(|scope| {
        scope.spawn(|| done.watch());
        let _end = WorkEnd(&done);
        work()
    })
}

/// Whether the work is done.
#[derive(Default)]
struct DoneFlag {
    flag: Mutex<bool>,
    changed: Condvar,
}

impl DoneFlag {
    /// Waits for the end of the work, and writes the line meanwhile.
    fn watch(&self) {
        let started = Instant::now();
        let mut shown = false;
        let mut wait = PROGRESS_AFTER;
        loop {
            let flag = lock(&self.flag);
            let (flag, _) =
                self.changed.wait_timeout_while(flag, wait, |done| !*done).unwrap_or_else(PoisonError::into_inner);
            if *flag {
                break;
            }
            drop(flag);
            let seconds = started.elapsed().as_secs_f64();
            output::over_line(&format!("running {seconds:.1} s, Ctrl-C stops"));
            (shown, wait) = (true, REDRAW_INTERVAL);
        }
        if shown {
            output::over_line("");
        }
    }
}

/// Tells the end of the work, also when it panics.
struct WorkEnd<'a>(&'a DoneFlag);

impl Drop for WorkEnd<'_> {
    fn drop(&mut self) {
        *lock(&self.0.flag) = true;
        self.0.changed.notify_all();
    }
}
