//! Large blocks that were let go of, for the next result. The first touch of fresh pages costs ten times what most
//! loops do with them.

use super::block::OwnedBlock;
use crate::locks::lock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Smaller blocks are quick to get from the allocator, which gives larger ones back to the system.
const MIN_POOLED_BYTES: usize = 64 << 10;
/// The most bytes kept.
const MAX_KEPT_BYTES: usize = 1 << 30;
/// The most blocks kept: all are looked at for each result.
const MAX_BLOCKS: usize = 256;

/// Blocks that nobody uses, the oldest first.
static IDLE: Mutex<Vec<OwnedBlock>> = Mutex::new(Vec::new());
/// The bytes of all of them. Whoever changes it holds the lock; whoever only wants to know whether there are few does
/// not.
static HELD_BYTES: AtomicUsize = AtomicUsize::new(0);

fn idle() -> MutexGuard<'static, Vec<OwnedBlock>> {
    lock(&IDLE)
}

/// A block for `len` bytes that is not much larger, but for some `slack`.
#[inline]
pub(super) fn take(len: usize, slack: usize) -> Option<OwnedBlock> {
    if len < MIN_POOLED_BYTES { None } else { take_large(len, slack) }
}

fn take_large(len: usize, slack: usize) -> Option<OwnedBlock> {
    let least = len.checked_add(slack)?;
    let most = least.saturating_add(len / 2);
    let mut idle = idle();
    let best = best(&idle, least, most)?;
    let block = idle.remove(best);
    HELD_BYTES.fetch_sub(block.size(), Ordering::Relaxed);
    Some(block)
}

/// The least block of a size; of equal ones that which was let go of last, which caches still have.
fn best(idle: &[OwnedBlock], least: usize, most: usize) -> Option<usize> {
    let fits = |block: &OwnedBlock| (least..=most).contains(&block.size());
    (0..idle.len()).rev().filter(|&index| fits(&idle[index])).min_by_key(|&index| idle[index].size())
}

/// Keeps a block, the oldest making room, or frees it if it is not worth it.
pub(super) fn keep(block: OwnedBlock) {
    if (MIN_POOLED_BYTES..=MAX_KEPT_BYTES).contains(&block.size()) {
        let mut idle = idle();
        shrink(&mut idle, MAX_KEPT_BYTES - block.size());
        HELD_BYTES.fetch_add(block.size(), Ordering::Relaxed);
        idle.push(block);
    }
}

/// Frees the oldest blocks until the others have at most `most` bytes.
fn shrink(idle: &mut Vec<OwnedBlock>, most: usize) {
    let mut held = HELD_BYTES.load(Ordering::Relaxed);
    let mut count = 0;
    while held > most || idle.len() - count >= MAX_BLOCKS {
        held -= idle[count].size();
        count += 1;
    }
    HELD_BYTES.store(held, Ordering::Relaxed);
    idle.drain(..count);
}

/// Gives memory that is kept for the next result back to the system, until at most `most` bytes of it are left.
pub fn trim_idle(most: usize) {
    if HELD_BYTES.load(Ordering::Relaxed) > most {
        shrink(&mut idle(), most);
    }
}

/// Gives all memory that is kept for the next result back to the system.
pub fn release_idle() {
    shrink(&mut idle(), 0);
}

#[cfg(test)]
mod tests {
    use super::{OwnedBlock, best};

    #[test]
    fn the_least_block_that_fits_is_taken_and_of_equal_ones_the_last() {
        let sizes = [300_000, 200_000, 500_000, 200_000, 300_000];
        let idle: Vec<OwnedBlock> = sizes.into_iter().filter_map(OwnedBlock::zeroed).collect();
        assert_eq!(idle.len(), sizes.len());
        assert_eq!(best(&idle, 200_000, 400_000), Some(3));
        assert_eq!(best(&idle, 200_001, 400_000), Some(4));
        assert_eq!(best(&idle, 300_001, 400_000), None);
    }
}
