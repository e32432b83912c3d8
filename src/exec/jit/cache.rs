//! Compiled loops, kept for the next run.
//!
//! Loops are compared in full, never by their hash alone. The least recently used go first; one that is running is
//! freed by whoever finishes it last.

use super::compile::{Compiled, compile};
use crate::exec::stepping::Loop;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// The most loops kept.
const CAPACITY: usize = 1024;

#[derive(Default)]
struct Cache {
    loops: HashMap<Loop, (Arc<Compiled>, u64)>,
    /// Counts uses.
    clock: u64,
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
    let fresh = Arc::new(compile(code, verify)?);
    let mut cache = cache();
    let now = cache.clock;
    if cache.loops.len() >= CAPACITY {
        let oldest = cache.loops.iter().min_by_key(|(_, (_, used))| *used).map(|(code, _)| code.clone());
        oldest.and_then(|oldest| cache.loops.remove(&oldest));
    }
    let (kept, _) = cache.loops.entry(code.clone()).or_insert((fresh, now));
    Ok(kept.clone())
}
