//! The threads that help: started when they are first wanted, then kept.
//!
//! After a job a worker looks for the next one for a moment, so that a session's next expression finds it awake, and
//! then sleeps. A job has one owner, who also works; an owner who finds the crew busy, because another thread of the
//! process runs something or because the work itself shares work, does everything alone. A worker who has not begun
//! when the owner has nothing left to do is sent home again: nobody waits for a thread to wake up. That also makes a
//! process after `fork`, where the workers are gone, run alone.

use super::available;
use std::any::Any;
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How long a worker looks for the next job before it sleeps, and an owner for the end of the last one.
const SPIN: Duration = Duration::from_micros(60);

/// Rounds of looking between two looks at the clock.
const ROUNDS: u32 = 32;

/// Stack of a worker. Kernels need little; a small one leaves room where address space is limited.
const STACK: usize = 512 << 10;

/// So many jobs go by after the system refused a thread before it is asked again.
const PATIENCE: u32 = 1000;

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
struct Job<'a> {
    work: &'a (dyn Fn(usize) + Sync),
    owner: Thread,
    /// Whether workers look for a while for the next job: not when there are more of them than can run at once.
    keen: bool,
    /// What the first panic on another thread said.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// A worker's place, alone in its cache lines.
#[repr(align(128))]
struct Seat {
    /// Which of the threads it is; the owner is 0.
    number: usize,
    state: AtomicU32,
    /// The job; valid from `POSTED` until the owner has seen the seat idle again.
    job: AtomicPtr<Job<'static>>,
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

impl Seat {
    fn state_is_not(&self, state: u32) -> bool {
        self.state.load(Ordering::Acquire) != state
    }

    fn change(&self, from: u32, to: u32) -> bool {
        self.state.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// What a worker does all its life.
    fn work(&self) -> ! {
        let mut keen = true;
        loop {
            let found = keen && spin(|| self.state_is_not(IDLE));
            if !found && self.change(IDLE, ASLEEP) {
                while !self.state_is_not(ASLEEP) {
                    thread::park();
                }
            }
            if self.change(POSTED, RUNNING) {
                // SAFETY: a job that has begun is there until its owner has seen it end, which is below.
                let job = unsafe { &*self.job.load(Ordering::Relaxed) };
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (job.work)(self.number))) {
                    job.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
                }
                keen = job.keen;
                let owner = job.owner.clone();
                if self.state.swap(IDLE, Ordering::AcqRel) == AWAITED {
                    owner.unpark();
                }
            }
        }
    }

    /// Returns when the worker has nothing to do with the job any more.
    fn dismiss(&self) {
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

/// The workers of a process.
pub(super) struct Crew {
    seats: Vec<(&'static Seat, Thread)>,
    /// How many jobs go by before a thread is asked for again.
    patience: u32,
}

/// Sends the workers of a job home, also when its owner panics.
struct Dismissal<'c>(&'c [(&'static Seat, Thread)]);

impl Drop for Dismissal<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|(seat, _)| seat.dismiss());
    }
}

type Spawn = fn(&'static Seat) -> std::io::Result<Thread>;

fn spawn(seat: &'static Seat) -> std::io::Result<Thread> {
    let builder = thread::Builder::new().name("arr".to_owned()).stack_size(STACK);
    Ok(builder.spawn(|| seat.work())?.thread().clone())
}

impl Crew {
    pub(super) const fn new() -> Crew {
        Crew { seats: Vec::new(), patience: 0 }
    }

    /// Starts workers until there are `wanted`, or until the system refuses.
    fn grow(&mut self, wanted: usize, spawn: Spawn) {
        self.patience = self.patience.saturating_sub(1);
        while self.seats.len() < wanted && self.patience == 0 {
            let number = self.seats.len() + 1;
            let seat = Seat { number, state: AtomicU32::new(IDLE), job: AtomicPtr::new(std::ptr::null_mut()) };
            let seat: &'static Seat = Box::leak(Box::new(seat));
            match spawn(seat) {
                Ok(thread) => self.seats.push((seat, thread)),
                Err(_) => {
                    // SAFETY: leaked above, and no thread has it.
                    drop(unsafe { Box::from_raw(std::ptr::from_ref(seat).cast_mut()) });
                    self.patience = PATIENCE;
                }
            }
        }
    }

    /// Calls `work` with 0 on this thread and with 1, 2 … on up to `threads - 1` others.
    fn run(&mut self, threads: usize, work: &(dyn Fn(usize) + Sync), spawn: Spawn) {
        self.grow(threads - 1, spawn);
        let seats = &self.seats[..self.seats.len().min(threads - 1)];
        let job = Job { work, owner: thread::current(), keen: threads <= available(), panic: Mutex::new(None) };
        let dismissal = Dismissal(seats);
        for (seat, thread) in seats {
            seat.job.store(std::ptr::from_ref(&job).cast_mut().cast(), Ordering::Relaxed);
            if seat.state.swap(POSTED, Ordering::AcqRel) == ASLEEP {
                thread.unpark();
            }
        }
        work(0);
        drop(dismissal);
        let panic = job.panic.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

/// Calls `work` with 0 on this thread and, unless the crew is busy, with 1, 2 … on up to `threads - 1` others.
pub(super) fn together(threads: usize, work: &(dyn Fn(usize) + Sync)) {
    static CREW: Mutex<Crew> = Mutex::new(Crew::new());
    match CREW.try_lock() {
        Ok(mut crew) => crew.run(threads, work, spawn),
        // A panic of an earlier job left the crew as it was.
        Err(TryLockError::Poisoned(crew)) => crew.into_inner().run(threads, work, spawn),
        Err(TryLockError::WouldBlock) => work(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn two_at_most(seat: &'static Seat) -> std::io::Result<Thread> {
        if seat.number > 2 { Err(std::io::ErrorKind::WouldBlock.into()) } else { spawn(seat) }
    }

    /// The numbers that work was called with, when every thread waits for all that are to come.
    fn numbers(crew: &mut Crew, threads: usize, come: usize, spawn: Spawn) -> Vec<usize> {
        let (arrived, seen) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = |number| {
            seen.lock().unwrap().push(number);
            arrived.fetch_add(1, Ordering::SeqCst);
            while arrived.load(Ordering::SeqCst) < come {
                thread::yield_now();
            }
        };
        crew.run(threads, &work, spawn);
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        seen
    }

    #[test]
    fn b24_a_refused_thread_leaves_the_run_to_those_there_are() {
        let mut crew = Crew::new();
        assert_eq!(numbers(&mut crew, 5, 3, two_at_most), [0, 1, 2]);
        assert_eq!(crew.patience, PATIENCE);
        // It is not asked for again at once.
        assert_eq!(numbers(&mut crew, 5, 3, |_| unreachable!("not now")), [0, 1, 2]);
        let nobody = |_: &'static Seat| Err(std::io::ErrorKind::WouldBlock.into());
        assert_eq!(numbers(&mut Crew::new(), 5, 1, nobody), [0]);
    }

    #[test]
    fn workers_sleep_and_wake() {
        let mut crew = Crew::new();
        assert_eq!(numbers(&mut crew, 3, 3, spawn), [0, 1, 2]);
        while crew.seats.iter().any(|(seat, _)| seat.state_is_not(ASLEEP)) {
            thread::yield_now();
        }
        assert_eq!(numbers(&mut crew, 3, 3, spawn), [0, 1, 2]);
        // One that is not wanted is left alone.
        assert_eq!(numbers(&mut crew, 2, 2, spawn), [0, 1]);
    }

    #[test]
    fn nobody_waits_for_a_worker_that_has_not_begun() {
        let never = |_: &'static Seat| Ok(thread::current());
        let mut crew = Crew::new();
        for _ in 0..3 {
            assert_eq!(numbers(&mut crew, 4, 1, never), [0]);
        }
    }

    #[test]
    fn an_owner_sleeps_until_a_long_job_ends() {
        let mut crew = Crew::new();
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
        crew.run(2, &work, spawn);
        assert_eq!(ended.into_inner(), 1);
    }
}
