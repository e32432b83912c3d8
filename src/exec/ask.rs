//! A question that a run asks now and then: whether to stop.
//!
//! Some hosts have no flag to set: an interpreter of another language notes signals only when it is asked, and only on
//! the thread that it began on. The question is asked by the thread that made it alone, at most twenty times a second.
//!
//! ```
//! use arrlang::exec::{Ask, Options};
//! let impatient = Ask::new(|| true);
//! let options = Options { ask: Some(&impatient), ..Options::default() };
//! # let _ = options;
//! ```

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// How long a run goes on without asking.
const PAUSE: Duration = Duration::from_millis(50);

/// The time between two looks at the clock, unless pieces of work take longer. To look takes as long as a short piece
/// of work.
const LOOK: Duration = Duration::from_micros(50);

/// The most pieces of work that go by between two looks at the clock.
const PIECES: u32 = 16;

/// Whether a run should stop, asked by the thread that made the question.
pub struct Ask<'a> {
    question: Box<dyn Fn() -> bool + Sync + 'a>,
    here: ThreadId,
    begun: Instant,
    /// When to ask next, in nanoseconds from the beginning.
    next: AtomicU64,
    /// When the clock was looked at, how many pieces may go by from one look to the next, and how many of them are
    /// left.
    looked: AtomicU64,
    pieces: AtomicU32,
    left: AtomicU32,
    stop: AtomicBool,
}

impl<'a> Ask<'a> {
    /// Asks `question`, which answers whether to stop.
    pub fn new(question: impl Fn() -> bool + Sync + 'a) -> Ask<'a> {
        let (here, begun) = (thread::current().id(), Instant::now());
        let next = AtomicU64::new(PAUSE.as_nanos() as u64);
        let (looked, pieces, left) = (AtomicU64::new(0), AtomicU32::new(0), AtomicU32::new(0));
        Ask { question: Box::new(question), here, begun, next, looked, pieces, left, stop: AtomicBool::new(false) }
    }

    /// Whether the answer was, or is now, to stop.
    pub(super) fn says_stop(&self) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return true;
        }
        let left = self.left.load(Ordering::Relaxed);
        if left > 0 {
            self.left.store(left - 1, Ordering::Relaxed);
            return false;
        }
        let now = self.begun.elapsed().as_nanos() as u64;
        let short = u128::from(now - self.looked.swap(now, Ordering::Relaxed).min(now)) < LOOK.as_nanos();
        let pieces = if short { (2 * self.pieces.load(Ordering::Relaxed) + 1).min(PIECES) } else { 0 };
        self.pieces.store(pieces, Ordering::Relaxed);
        self.left.store(pieces, Ordering::Relaxed);
        if now < self.next.load(Ordering::Relaxed) || thread::current().id() != self.here {
            return false;
        }
        let answer = (self.question)();
        let next = self.begun.elapsed() + PAUSE;
        self.next.store(next.as_nanos() as u64, Ordering::Relaxed);
        self.stop.store(answer, Ordering::Relaxed);
        answer
    }
}

impl fmt::Debug for Ask<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a question by {:?}", self.here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_thread_that_made_it_asks_and_all_heed_the_answer() {
        let asked = AtomicU64::new(0);
        let ask = Ask::new(|| asked.fetch_add(1, Ordering::Relaxed) == 1);
        assert!(!ask.says_stop());
        assert_eq!(asked.load(Ordering::Relaxed), 0);
        thread::sleep(PAUSE);
        thread::scope(|scope| assert!(!scope.spawn(|| ask.says_stop()).join().unwrap()));
        assert!(!ask.says_stop());
        thread::sleep(PAUSE);
        assert!(ask.says_stop());
        thread::scope(|scope| assert!(scope.spawn(|| ask.says_stop()).join().unwrap()));
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }
}
