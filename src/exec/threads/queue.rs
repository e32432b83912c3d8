//! A work-stealing queue. Each thread has neighbouring units, and takes from the others when it has none left.

use smallvec::SmallVec;
use std::sync::atomic::{AtomicU64, Ordering};

/// The numbers that a thread still has, `first..end`, as two halves of a word; alone in its cache line.
#[repr(align(128))]
struct UnitRange(AtomicU64);

fn pack(first: u32, end: u32) -> u64 {
    u64::from(first) << 32 | u64::from(end)
}

fn unpack(word: u64) -> (u32, u32) {
    ((word >> 32) as u32, word as u32)
}

impl UnitRange {
    /// Takes a number from the front, or from the back.
    fn take(&self, front: bool) -> Option<u32> {
        let mut known = self.0.load(Ordering::Relaxed);
        loop {
            let (first, end) = unpack(known);
            if first >= end {
                return None;
            }
            let (taken, left) = if front { (first, pack(first + 1, end)) } else { (end - 1, pack(first, end - 1)) };
            match self.0.compare_exchange_weak(known, left, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(taken),
                Err(now) => known = now,
            }
        }
    }

    fn left(&self) -> u32 {
        let (first, end) = unpack(self.0.load(Ordering::Relaxed));
        end.saturating_sub(first)
    }
}

/// Neighbouring numbers for each of some threads.
pub(super) struct WorkQueue(SmallVec<[UnitRange; 1]>);

impl WorkQueue {
    /// # Panics
    /// When there are more numbers than fit in 32 bits.
    pub(super) fn new(count: usize, threads: usize) -> WorkQueue {
        let count = u32::try_from(count).expect("work is cut into few units") as usize;
        let start = |thread: usize| (count * thread / threads) as u32;
        WorkQueue(
            (0..threads).map(|thread| UnitRange(AtomicU64::new(pack(start(thread), start(thread + 1))))).collect(),
        )
    }

    /// The next number for a thread: its own, or the last of the thread that has most.
    pub(super) fn next(&self, own: usize) -> Option<usize> {
        let mut taken = self.0[own].take(true);
        while taken.is_none() {
            let fullest = self.0.iter().max_by_key(|range| range.left()).filter(|range| range.left() > 0)?;
            taken = fullest.take(false);
        }
        taken.map(|number| number as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_takes_its_own_first_and_then_the_last_of_the_others() {
        let queue = WorkQueue::new(7, 2);
        let order: Vec<usize> = std::iter::from_fn(|| queue.next(0)).collect();
        assert_eq!(order, [0, 1, 2, 6, 5, 4, 3]);
        assert_eq!(queue.next(1), None);
        assert_eq!(WorkQueue::new(0, 3).next(2), None);
        assert_eq!(WorkQueue::new(1, 3).next(0), Some(0));
    }
}
