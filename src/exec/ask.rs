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
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// How long a run goes on without asking.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether a run should stop, asked by the thread that made the question.
pub struct Ask<'a> {
    question: Box<dyn Fn() -> bool + Sync + 'a>,
    here: ThreadId,
    begun: Instant,
    /// When to ask next, in nanoseconds from the beginning.
    next: AtomicU64,
    stop: AtomicBool,
}

impl<'a> Ask<'a> {
    /// Asks `question`, which answers whether to stop.
    pub fn new(question: impl Fn() -> bool + Sync + 'a) -> Ask<'a> {
        let (here, begun) = (thread::current().id(), Instant::now());
        let next = AtomicU64::new(PAUSE.as_nanos() as u64);
        Ask { question: Box::new(question), here, begun, next, stop: AtomicBool::new(false) }
    }

    /// Whether the answer was, or is now, to stop.
    pub(super) fn says_stop(&self) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return true;
        }
        let now = self.begun.elapsed();
        if (now.as_nanos() as u64) < self.next.load(Ordering::Relaxed) || thread::current().id() != self.here {
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
