//! Compiled loops, for all plans. A plan is kept with the code of its loops, and what is kept here is how another plan
//! with an equal loop finds it.
//!
//! Loops are compared in full, never by their hash alone. The least recently used go first; one that is running is
//! freed by whoever finishes it last.

use super::compile::{CompiledLoop, CompiledRecurrence, compile, compile_recurrence};
use super::isa::GENERATOR;
use super::x86::{self, WideRecurrence};
use crate::exec::machine::{Level, level};
use crate::exec::stepping::{Loop, Recurrence};
use crate::hash::WordHasher;
use crate::locks::lock;
use crate::panics::catch_failure;
use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The most loops kept.
const MAX_LOOPS: usize = 1024;

/// Loops with their code.
pub(super) struct Cache<K, V, S = BuildHasherDefault<WordHasher>> {
    loops: HashMap<K, (Arc<V>, u64), S>,
    /// Counts uses.
    clock: u64,
    capacity: usize,
}

impl<K: Clone + Eq + Hash, V, S: BuildHasher + Default> Cache<K, V, S> {
    pub(super) fn new(capacity: usize) -> Cache<K, V, S> {
        Cache { loops: HashMap::default(), clock: 0, capacity }
    }

    /// The code of a loop that is known.
    pub(super) fn get(&mut self, code: &K) -> Option<Arc<V>> {
        self.clock += 1;
        let (known, used) = self.loops.get_mut(code)?;
        *used = self.clock;
        Some(known.clone())
    }

    /// Keeps code, and answers what is kept: if the loop is known by now, its code.
    pub(super) fn insert(&mut self, code: &K, fresh: Arc<V>) -> Arc<V> {
        if let Some(known) = self.get(code) {
            return known;
        }
        if self.loops.len() >= self.capacity {
            let oldest = self.loops.iter().min_by_key(|(_, (_, used))| *used).map(|(code, _)| code.clone());
            oldest.and_then(|oldest| self.loops.remove(&oldest));
        }
        self.loops.insert(code.clone(), (fresh.clone(), self.clock));
        fresh
    }
}

thread_local! {
    /// Time that this thread spent compiling since it was last asked.
    static SPENT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The time that this thread spent compiling since the last call.
pub(crate) fn take_compile_time() -> Duration {
    SPENT.take()
}

/// Does what counts as compiling.
pub(super) fn count_as_compiling<R>(work: impl FnOnce() -> R) -> R {
    let started = Instant::now();
    let made = work();
    SPENT.set(SPENT.get() + started.elapsed());
    made
}

/// What is kept for each level.
type PerLevel<K, V> = [LazyLock<Mutex<Cache<K, V>>>; Level::ALL.len()];

static LOOPS: PerLevel<Loop, CompiledLoop> =
    [const { LazyLock::new(|| Mutex::new(Cache::new(MAX_LOOPS))) }; Level::ALL.len()];
static RECURRENCES: PerLevel<Recurrence, CompiledRecurrence> =
    [const { LazyLock::new(|| Mutex::new(Cache::new(MAX_LOOPS))) }; Level::ALL.len()];
static WIDE: PerLevel<Recurrence, Option<WideRecurrence>> =
    [const { LazyLock::new(|| Mutex::new(Cache::new(MAX_LOOPS))) }; Level::ALL.len()];

/// The code for a level.
fn cache<K, V>(levels: &'static PerLevel<K, V>, level: Level) -> MutexGuard<'static, Cache<K, V>> {
    // A panic elsewhere leaves the map as it was.
    lock(&levels[level as usize])
}

/// The code of a loop, compiled now if it is not known.
pub(super) fn compiled_loop(code: &Loop, verify: bool) -> Result<Arc<CompiledLoop>, String> {
    known_or_compiled(&LOOPS, code, |level| compile(code, level, verify))
}

/// The code of a recurrence, compiled now if it is not known.
pub(super) fn compiled_recurrence(code: &Recurrence, verify: bool) -> Result<Arc<CompiledRecurrence>, String> {
    known_or_compiled(&RECURRENCES, code, |level| compile_recurrence(code, level, verify))
}

/// The code of a recurrence on wide vectors, compiled now if it is not known. There is none where wide vectors do not
/// take the recurrence.
pub(super) fn wide_recurrence(code: &Recurrence) -> Arc<Option<WideRecurrence>> {
    let compile = |level| catch_failure(GENERATOR, || Ok(x86::compile_recurrence(code, level))).or(Ok(None));
    known_or_compiled(&WIDE, code, compile).unwrap_or_default()
}

fn known_or_compiled<K: Clone + Eq + Hash, V>(
    levels: &'static PerLevel<K, V>,
    code: &K,
    compile: impl FnOnce(Level) -> Result<V, String>,
) -> Result<Arc<V>, String> {
    let level = level();
    if let Some(known) = cache(levels, level).get(code) {
        return Ok(known);
    }
    // Not under the lock: if two threads compile the same loop, the second one's code is dropped.
    let fresh = Arc::new(count_as_compiling(|| compile(level))?);
    Ok(cache(levels, level).insert(code, fresh))
}
