//! Counting sort, for keys of which few are different. The occurrences of each are counted, and they are written in
//! runs.
//!
//! A sample says whether that is worth a try, which ends as soon as there are too many different keys.
//!
//! ```text
//! 7 3 7 7 3   →   3: 2, 7: 3   →   3 3 7 7 7
//! ```

use super::keys::SortBits;
use super::scratch::{Scratch, Zeroable};
use super::{PIECE, each};
use crate::exec::options::{RunError, Watch};

/// How many keys of a line are looked at before the line is counted.
const SAMPLE: usize = 1024;

/// A line is counted only if at most `MAX_SAMPLE_KEYS` of those first keys are different.
const MAX_SAMPLE_KEYS: usize = 700;

/// Fewer keys are sorted faster than they are counted.
const MIN_COUNTED_KEYS: usize = 32 * SAMPLE;

/// Places of a table, in bits. Most are free, so that hardly any key finds its place taken: a wrong guess costs more
/// than the second cache.
const BITS: u32 = 14;

/// Most different keys.
const MAX_DIFFERENT_KEYS: usize = 1024;

/// How many keys are counted between two looks at how many are different. If all of them are new, they fit the free
/// places.
const BATCH: usize = 2048;

/// Places of a table.
const SLOTS: usize = 1 << BITS;

/// Keys, and how often each occurs; 0 where a place is free.
struct CountTable<W> {
    keys: Scratch<W>,
    counts: Scratch<u32>,
    /// How many places are taken.
    taken: usize,
}

impl<W: SortBits + Zeroable> CountTable<W> {
    fn new(watch: Watch) -> Result<CountTable<W>, RunError> {
        Ok(CountTable { keys: Scratch::zeroed(SLOTS, watch)?, counts: Scratch::zeroed(SLOTS, watch)?, taken: 0 })
    }

    fn clear(&mut self) {
        self.counts.fill(0);
        self.taken = 0;
    }

    /// Counts a key `count` times more.
    fn add(&mut self, key: W, count: u32) {
        let (keys, counts) = (self.keys.first_chunk_mut(), self.counts.first_chunk_mut());
        let (Some(keys), Some(counts)) = (keys, counts) else { return };
        self.taken += usize::from(counted(keys, counts, key, count));
    }

    /// Counts keys. Where the places are is asked once.
    fn add_all(&mut self, words: &[W]) {
        let (keys, counts) = (self.keys.first_chunk_mut(), self.counts.first_chunk_mut());
        let (Some(keys), Some(counts)) = (keys, counts) else { return };
        self.taken += words.iter().map(|&key| usize::from(counted(keys, counts, key, 1))).sum::<usize>();
    }

    /// The keys, and how often each occurs.
    fn entries(&self) -> impl Iterator<Item = (W, u32)> + '_ {
        self.keys.iter().copied().zip(self.counts.iter().copied()).filter(|entry| entry.1 > 0)
    }
}

/// Counts a key `count` times more. Returns whether the key is new.
#[inline(always)]
fn counted<W: SortBits>(keys: &mut [W; SLOTS], counts: &mut [u32; SLOTS], key: W, count: u32) -> bool {
    let spread = (key.low() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut place = (spread >> (64 - BITS)) as usize;
    loop {
        let (own, times) = (&mut keys[place & (SLOTS - 1)], &mut counts[place & (SLOTS - 1)]);
        let is_new = *times == 0;
        if is_new {
            *own = key;
        } else if *own != key {
            place += 1;
            continue;
        }
        *times += count;
        return is_new;
    }
}

/// The bytes that tables take for a line of `len` elements of `size` bytes. There is a table for each thread and one
/// for all of them.
pub(super) fn scratch(len: usize, size: usize, threads: usize) -> usize {
    if is_counted(len, size) { (threads + 1) * SLOTS * (size + 4) } else { 0 }
}

/// Whether a line is worth a sample, and counts of it fit.
fn is_counted(len: usize, size: usize) -> bool {
    size >= 4 && len >= MIN_COUNTED_KEYS && u32::try_from(len).is_ok()
}

/// Where the keys of a line come from: from the place on, as many as the room holds.
pub(super) trait KeySource<W>: Fn(usize, &mut [W]) + Sync {}

impl<W, F: Fn(usize, &mut [W]) + Sync> KeySource<W> for F {}

/// Sorts words if few of them are different. Returns whether it sorted them.
///
/// # Errors
/// When there is no memory, or someone does not want to wait.
pub(super) fn by_counts<W: SortBits + Zeroable>(
    words: &mut [W],
    threads: usize,
    watch: Watch,
) -> Result<bool, RunError> {
    let source = |at: usize, room: &mut [W]| room.copy_from_slice(&words[at..][..room.len()]);
    let Some(entries) = entries(source, words.len(), threads, watch)? else { return Ok(false) };
    let mut rest = words;
    for (key, count) in entries {
        let (own, after) = rest.split_at_mut(count as usize);
        own.fill(key);
        rest = after;
    }
    Ok(true)
}

/// The different keys of a line in ascending order, and how often each occurs, if they are few.
///
/// # Errors
/// When there is no memory, or someone does not want to wait.
pub(super) fn entries<W: SortBits + Zeroable>(
    source: impl KeySource<W>,
    len: usize,
    threads: usize,
    watch: Watch,
) -> Result<Option<Vec<(W, u32)>>, RunError> {
    if !is_counted(len, W::SIZE) {
        return Ok(None);
    }
    let mut all = CountTable::new(watch)?;
    let mut key = [W::ZERO];
    for at in (0..len).step_by(len / SAMPLE) {
        source(at, &mut key);
        all.add(key[0], 1);
    }
    if all.taken > MAX_SAMPLE_KEYS {
        return Ok(None);
    }
    all.clear();
    let mut tables = Vec::new();
    for _ in 0..threads {
        tables.push(Some(CountTable::new(watch)?));
    }
    let piece = len.div_ceil(threads);
    let work = (0..len).step_by(piece).zip(tables.iter_mut()).collect();
    each(work, threads, watch, |(start, table): (usize, &mut Option<CountTable<W>>)| {
        let mut room = [W::ZERO; BATCH];
        let end = len.min(start + piece);
        for (nth, at) in (start..end).step_by(BATCH).enumerate() {
            if nth > 0 && nth.is_multiple_of(PIECE / BATCH) {
                watch.poll()?;
            }
            let Some(own) = table else { break };
            let words = &mut room[..BATCH.min(end - at)];
            source(at, words);
            own.add_all(words);
            if own.taken > MAX_DIFFERENT_KEYS {
                *table = None;
            }
        }
        Ok(())
    })?;
    for table in tables {
        let Some(table) = table else { return Ok(None) };
        for (key, count) in table.entries() {
            all.add(key, count);
        }
        if all.taken > MAX_DIFFERENT_KEYS {
            return Ok(None);
        }
    }
    let mut entries: Vec<(W, u32)> = all.entries().collect();
    entries.sort_unstable_by_key(|entry| entry.0);
    Ok(Some(entries))
}
