//! The threads that help: started when they are first wanted, then kept.
//!
//! After a job a worker looks for the next one for a moment, so that a session's next expression finds it awake, and
//! then sleeps. A job has one owner, who also works; an owner who finds the pool busy, because another thread of the
//! process runs something or because the work itself shares work, does everything alone. A worker that has not begun
//! when the owner has nothing left to do is cancelled: nobody waits for a thread to wake up. That also makes a
//! process after `fork`, where the workers are gone, run alone.
#![expect(unsafe_code, reason = "a worker that stays borrows jobs that end before it does")]

use crate::locks::{into_inner, lock};
use std::any::Any;
use std::hint::spin_loop;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, TryLockError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// As many threads as this process may run at once, by its affinity and its control group.
pub fn available() -> usize {
    static AVAILABLE: OnceLock<usize> = OnceLock::new();
    *AVAILABLE.get_or_init(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

/// How long a worker looks for the next job before it sleeps, and an owner for the end of the last one.
const SPIN: Duration = Duration::from_micros(60);

/// Rounds of looking between two looks at the clock.
const ROUNDS: u32 = 32;

/// Stack of a worker. Kernels need little; a small one leaves room where address space is limited.
const STACK: usize = 512 << 10;

/// How many jobs go by, after the system refused a thread, before it is asked for a thread again.
const JOBS_BEFORE_RETRY: u32 = 1000;

/// Nothing to do, and awake.
const IDLE: u32 = 0;
/// Nothing to do, and asleep.
const ASLEEP: u32 = 1;
/// There is a job that has not begun.
const POSTED: u32 = 2;
/// The job has begun.
const RUNNING: u32 = 3;
/// The job has begun, and its owner sleeps until it ends.
const AWAITED: u32 = 4;

/// What an owner wants done.
struct PoolJob<'a> {
    work: &'a (dyn Fn(usize) + Sync),
    owner: Thread,
    /// Whether workers look for a while for the next job: not when there are more of them than can run at once.
    spins: bool,
    /// What the first panic on another thread said.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// A worker's place, alone in its cache lines.
#[repr(align(128))]
struct WorkerSlot {
    /// Which of the threads it is; the owner is 0.
    number: usize,
    state: AtomicU32,
    /// The job; valid from `POSTED` until the owner has seen the slot idle again.
    job: AtomicPtr<PoolJob<'static>>,
}

/// Whether something is done within a while.
fn spin(mut done: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    loop {
        for _ in 0..ROUNDS {
            if done() {
                return true;
            }
            spin_loop();
        }
        if begun.elapsed() > SPIN {
            return false;
        }
    }
}

impl WorkerSlot {
    fn state_is_not(&self, state: u32) -> bool {
        self.state.load(Ordering::Acquire) != state
    }

    fn change(&self, from: u32, to: u32) -> bool {
        self.state.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// What a worker does all its life.
    fn work(&self) -> ! {
        let mut spins = true;
        loop {
            let found = spins && spin(|| self.state_is_not(IDLE));
            if !found && self.change(IDLE, ASLEEP) {
                while !self.state_is_not(ASLEEP) {
                    thread::park();
                }
            }
            if self.change(POSTED, RUNNING) {
                // SAFETY: a job that has begun is there until its owner has seen it end, which is below.
                let job = unsafe { &*self.job.load(Ordering::Relaxed) };
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (job.work)(self.number))) {
                    lock(&job.panic).get_or_insert(panic);
                }
                spins = job.spins;
                let owner = job.owner.clone();
                if self.state.swap(IDLE, Ordering::AcqRel) == AWAITED {
                    owner.unpark();
                }
            }
        }
    }

    /// Returns when the worker has nothing to do with the job any more.
    fn cancel(&self) {
        if self.change(POSTED, IDLE) {
            return;
        }
        let ended = || matches!(self.state.load(Ordering::Acquire), IDLE | ASLEEP);
        if !spin(ended) && self.change(RUNNING, AWAITED) {
            while !self.state_is_not(AWAITED) {
                thread::park();
            }
        }
    }
}

/// The thread pool of a process: its workers.
pub(super) struct ThreadPool {
    slots: Vec<(&'static WorkerSlot, Thread)>,
    /// How many jobs go by before a thread is asked for again.
    patience: u32,
}

/// Cancels the workers of a job that have not begun and waits for the others, also when its owner panics.
struct Cancellation<'c>(&'c [(&'static WorkerSlot, Thread)]);

impl Drop for Cancellation<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|(slot, _)| slot.cancel());
    }
}

type Spawn = fn(&'static WorkerSlot) -> std::io::Result<Thread>;

fn spawn(slot: &'static WorkerSlot) -> std::io::Result<Thread> {
    let builder = thread::Builder::new().name("arr".to_owned()).stack_size(STACK);
    Ok(builder.spawn(|| slot.work())?.thread().clone())
}

impl ThreadPool {
    pub(super) const fn new() -> ThreadPool {
        ThreadPool { slots: Vec::new(), patience: 0 }
    }

    /// Starts workers until there are `wanted`, or until the system refuses.
    fn grow(&mut self, wanted: usize, spawn: Spawn) {
        self.patience = self.patience.saturating_sub(1);
        while self.slots.len() < wanted && self.patience == 0 {
            let number = self.slots.len() + 1;
            let slot = WorkerSlot { number, state: AtomicU32::new(IDLE), job: AtomicPtr::new(std::ptr::null_mut()) };
            let slot: &'static WorkerSlot = Box::leak(Box::new(slot));
            match spawn(slot) {
                Ok(thread) => self.slots.push((slot, thread)),
                Err(_) => {
                    // SAFETY: leaked above, and no thread has it.
                    drop(unsafe { Box::from_raw(std::ptr::from_ref(slot).cast_mut()) });
                    self.patience = JOBS_BEFORE_RETRY;
                }
            }
        }
    }

    /// Calls `work` with 0 on this thread and with 1, 2 … on up to `threads - 1` others.
    fn run(&mut self, threads: usize, work: &(dyn Fn(usize) + Sync), spawn: Spawn) {
        self.grow(threads - 1, spawn);
        let slots = &self.slots[..self.slots.len().min(threads - 1)];
        let job = PoolJob { work, owner: thread::current(), spins: threads <= available(), panic: Mutex::new(None) };
        let cancellation = Cancellation(slots);
        for (slot, thread) in slots {
            slot.job.store(std::ptr::from_ref(&job).cast_mut().cast(), Ordering::Relaxed);
            if slot.state.swap(POSTED, Ordering::AcqRel) == ASLEEP {
                thread.unpark();
            }
        }
        work(0);
        drop(cancellation);
        let panic = into_inner(job.panic);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

/// Calls `work` with 0 on this thread and, unless the pool is busy, with 1, 2 … on up to `threads - 1` others.
pub(super) fn together(threads: usize, work: &(dyn Fn(usize) + Sync)) {
    static POOL: Mutex<ThreadPool> = Mutex::new(ThreadPool::new());
    match POOL.try_lock() {
        Ok(mut pool) => pool.run(threads, work, spawn),
        // A panic of an earlier job left the pool as it was.
        Err(TryLockError::Poisoned(pool)) => pool.into_inner().run(threads, work, spawn),
        Err(TryLockError::WouldBlock) => work(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn two_at_most(slot: &'static WorkerSlot) -> std::io::Result<Thread> {
        if slot.number > 2 { Err(std::io::ErrorKind::WouldBlock.into()) } else { spawn(slot) }
    }

    /// The numbers that work was called with, when every thread waits for all that are to come.
    fn numbers(pool: &mut ThreadPool, threads: usize, come: usize, spawn: Spawn) -> Vec<usize> {
        let (arrived, seen) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = |number| {
            seen.lock().unwrap().push(number);
            arrived.fetch_add(1, Ordering::SeqCst);
            while arrived.load(Ordering::SeqCst) < come {
                thread::yield_now();
            }
        };
        pool.run(threads, &work, spawn);
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        seen
    }

    #[test]
    fn b24_a_refused_thread_leaves_the_run_to_those_there_are() {
        let mut pool = ThreadPool::new();
        assert_eq!(numbers(&mut pool, 5, 3, two_at_most), [0, 1, 2]);
        assert_eq!(pool.patience, JOBS_BEFORE_RETRY);
        // It is not asked for again at once.
        assert_eq!(numbers(&mut pool, 5, 3, |_| unreachable!("not now")), [0, 1, 2]);
        let nobody = |_: &'static WorkerSlot| Err(std::io::ErrorKind::WouldBlock.into());
        assert_eq!(numbers(&mut ThreadPool::new(), 5, 1, nobody), [0]);
    }

    #[test]
    fn workers_sleep_and_wake() {
        let mut pool = ThreadPool::new();
        assert_eq!(numbers(&mut pool, 3, 3, spawn), [0, 1, 2]);
        while pool.slots.iter().any(|(slot, _)| slot.state_is_not(ASLEEP)) {
            thread::yield_now();
        }
        assert_eq!(numbers(&mut pool, 3, 3, spawn), [0, 1, 2]);
        // One that is not wanted is left alone.
        assert_eq!(numbers(&mut pool, 2, 2, spawn), [0, 1]);
    }

    #[test]
    fn nobody_waits_for_a_worker_that_has_not_begun() {
        let never = |_: &'static WorkerSlot| Ok(thread::current());
        let mut pool = ThreadPool::new();
        for _ in 0..3 {
            assert_eq!(numbers(&mut pool, 4, 1, never), [0]);
        }
    }

    #[test]
    fn an_owner_sleeps_until_a_long_job_ends() {
        let mut pool = ThreadPool::new();
        let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |number| {
            begun.fetch_add(1, Ordering::SeqCst);
            while begun.load(Ordering::SeqCst) < 2 {
                thread::yield_now();
            }
            if number == 1 {
                thread::sleep(Duration::from_millis(20));
                ended.fetch_add(1, Ordering::SeqCst);
            }
        };
        pool.run(2, &work, spawn);
        assert_eq!(ended.into_inner(), 1);
    }
}
