//! Compiled loops, kept for the next run.
//!
//! Loops are compared in full, never by their hash alone. The least recently used go first; one that is running is
//! freed by whoever finishes it last.

use super::compile::{Compiled, compile};
use crate::exec::stepping::Loop;
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

/// The most loops kept.
const CAPACITY: usize = 1024;

#[derive(Default)]
struct Cache {
    loops: HashMap<Loop, (Arc<Compiled>, u64)>,
    /// Counts uses.
    clock: u64,
}

thread_local! {
    /// Time that this thread spent compiling since it was last asked.
    static SPENT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The time that this thread spent compiling since the last call.
pub(crate) fn take_compile_time() -> Duration {
    SPENT.take()
}

fn cache() -> MutexGuard<'static, Cache> {
    static CACHE: OnceLock<Mutex<Cache>> = OnceLock::new();
    let lock = CACHE.get_or_init(Mutex::default).lock();
    // A panic elsewhere leaves the map as it was.
    lock.unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The code of a loop, compiled now if it is not known.
pub(super) fn compiled(code: &Loop, verify: bool) -> Result<Arc<Compiled>, String> {
    {
        let mut cache = cache();
        cache.clock += 1;
        let now = cache.clock;
        if let Some((known, used)) = cache.loops.get_mut(code) {
            *used = now;
            return Ok(known.clone());
        }
    }
    // Not under the lock: if two threads compile the same loop, the second one's code is dropped.
    let started = Instant::now();
    let fresh = Arc::new(compile(code, verify)?);
    SPENT.set(SPENT.get() + started.elapsed());
    let mut cache = cache();
    let now = cache.clock;
    if cache.loops.len() >= CAPACITY {
        let oldest = cache.loops.iter().min_by_key(|(_, (_, used))| *used).map(|(code, _)| code.clone());
        oldest.and_then(|oldest| cache.loops.remove(&oldest));
    }
    let (kept, _) = cache.loops.entry(code.clone()).or_insert((fresh, now));
    Ok(kept.clone())
}
