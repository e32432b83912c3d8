//! A cancellation token that asks: a run calls it from time to time, to hear whether to stop.
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
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// How long a run goes on without asking.
const PAUSE: Duration = Duration::from_millis(50);

/// The time between two looks at the clock, unless pieces of work take longer. To look takes as long as a short piece
/// of work.
const CLOCK_INTERVAL: Duration = Duration::from_micros(50);

/// The most pieces of work that go by between two looks at the clock.
const MAX_PIECES_BETWEEN_LOOKS: u32 = 16;

/// Whether a run should stop, asked by the thread that made the question.
pub struct Ask<'a> {
    question: Box<dyn Fn() -> bool + Sync + 'a>,
    here: ThreadId,
    /// When the clock was first looked at: the beginning.
    begun: OnceLock<Instant>,
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
        let (here, begun) = (thread::current().id(), OnceLock::new());
        let next = AtomicU64::new(PAUSE.as_nanos() as u64);
        let (looked, pieces, left) = (AtomicU64::new(0), AtomicU32::new(0), AtomicU32::new(0));
        Ask { question: Box::new(question), here, begun, next, looked, pieces, left, stop: AtomicBool::new(false) }
    }

    /// Whether the answer was, or is now, to stop.
    pub(super) fn says_stop(&self) -> bool {
        self.says_stop_at(|| self.begun.get().map_or_else(|| self.begin(), Instant::elapsed))
    }

    /// Looks at the clock for the first time.
    fn begin(&self) -> Duration {
        self.begun.get_or_init(Instant::now);
        Duration::ZERO
    }

    /// Does what [`Ask::says_stop`] does, by a clock that tells the time since the beginning.
    fn says_stop_at(&self, clock: impl Fn() -> Duration) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return true;
        }
        let left = self.left.load(Ordering::Relaxed);
        if left > 0 {
            self.left.store(left - 1, Ordering::Relaxed);
            return false;
        }
        let now = clock().as_nanos() as u64;
        let short = u128::from(now - self.looked.swap(now, Ordering::Relaxed).min(now)) < CLOCK_INTERVAL.as_nanos();
        let pieces =
            if short { (2 * self.pieces.load(Ordering::Relaxed) + 1).min(MAX_PIECES_BETWEEN_LOOKS) } else { 0 };
        self.pieces.store(pieces, Ordering::Relaxed);
        self.left.store(pieces, Ordering::Relaxed);
        if now < self.next.load(Ordering::Relaxed) || thread::current().id() != self.here {
            return false;
        }
        let answer = (self.question)();
        let next = clock() + PAUSE;
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
        let here = |pauses| ask.says_stop_at(|| PAUSE * pauses);
        let elsewhere = |pauses| thread::scope(|scope| scope.spawn(|| here(pauses)).join().unwrap());
        assert!(!here(0));
        assert!(!elsewhere(1));
        assert_eq!(asked.load(Ordering::Relaxed), 0);
        assert!(!here(2));
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        assert!(here(3));
        assert!(elsewhere(3));
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn short_pieces_go_by_between_looks_at_the_clock() {
        let looks = AtomicU64::new(0);
        let ask = Ask::new(|| false);
        let look = |now: Duration| {
            ask.says_stop_at(|| {
                looks.fetch_add(1, Ordering::Relaxed);
                now
            });
            looks.load(Ordering::Relaxed)
        };
        // Long pieces look each time.
        assert_eq!((1..=3).map(|piece| look(CLOCK_INTERVAL * piece)).collect::<Vec<_>>(), [1, 2, 3]);
        // Of short ones, one goes by after the first look, then three, seven, fifteen and sixteen.
        let seen: Vec<u64> = (0..100).map(|_| look(CLOCK_INTERVAL * 3)).collect();
        let firsts: Vec<usize> = (4..9).map(|look| seen.iter().position(|&seen| seen == look).unwrap()).collect();
        assert_eq!(firsts, [0, 2, 6, 14, 30]);
        assert_eq!(seen[99], 12);
    }
}
