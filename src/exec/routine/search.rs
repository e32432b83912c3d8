//! Where values belong in a line in ascending order.
//!
//! The search halves the line until one place is left, whatever the line holds: of one that is not in order the place is
//! some place, the same everywhere.

use super::keys::{KeyOrder, SortBits, of_scalar};
use super::scratch::Plain;
use super::{LineTask, each, pieces, sort, vector, with_word};
use crate::exec::options::RunError;
use crate::scalar::Scalar;
use std::hint::select_unpredictable;

/// Before how many elements each value comes; with those that are equal to it if `right`.
pub(super) fn meaning(sorted: &[Scalar], values: &[Scalar], right: bool) -> Vec<Scalar> {
    let keys: Vec<_> = sorted.iter().map(|&element| of_scalar(element)).collect();
    values.iter().map(|&value| Scalar::of(place(&keys, of_scalar(value), right) as i64)).collect()
}

/// How many keys are below a key, or not above it, as halving finds them.
fn place<K: Ord + Copy>(keys: &[K], key: K, right: bool) -> usize {
    let (mut low, mut high) = (0, keys.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let before = if right { keys[middle] <= key } else { keys[middle] < key };
        if before { low = middle + 1 } else { high = middle }
    }
    low
}

/// The fast way.
pub(super) fn search(line: LineTask, right: bool) -> Result<(), RunError> {
    with_word!(line.dtype.size(), W => searched::<W>(line, right))
}

fn searched<W: SortBits + Plain>(line: LineTask, right: bool) -> Result<(), RunError> {
    let order = KeyOrder::<W>::of(line.dtype);
    let sorted = sort::keys(&line.args[0], order, line.watch)?;
    let piece = pieces(line.out.len() / 8, line.threads);
    let parts = line.out.chunks_mut(piece * 8).zip(line.args[1].chunks(piece * W::SIZE)).collect();
    each(parts, line.threads, line.watch, |(out, values): (&mut [u8], &[u8])| {
        let mut wanted = [W::ZERO; BLOCK];
        for (out, values) in out.chunks_mut(BLOCK * 8).zip(values.chunks(BLOCK * W::SIZE)) {
            vector::keys(order, values, &mut wanted);
            for (out, wanted) in out.chunks_mut(ABREAST * 8).zip(wanted.as_chunks().0) {
                for (place, found) in out.chunks_exact_mut(8).zip(places(&sorted, wanted, right)) {
                    place.copy_from_slice(&(found as i64).to_le_bytes());
                }
            }
        }
        Ok(())
    })
}

/// So many values become keys at once.
const BLOCK: usize = 512;

/// So many values are searched for at once: while one waits for memory, the others go on.
const ABREAST: usize = 8;

/// [`place`] of several values, without branches that could be guessed wrong.
fn places<K: Ord + Copy>(keys: &[K], values: &[K; ABREAST], right: bool) -> [usize; ABREAST] {
    let (mut low, mut high) = ([0; ABREAST], [keys.len(); ABREAST]);
    let Some(last) = keys.len().checked_sub(1) else { return low };
    for _ in 0..usize::BITS - keys.len().leading_zeros() {
        for lane in 0..ABREAST {
            let middle = low[lane] + (high[lane] - low[lane]) / 2;
            let key = keys[middle.min(last)];
            let before = if right { key <= values[lane] } else { key < values[lane] };
            let before = before & (low[lane] < high[lane]);
            low[lane] = select_unpredictable(before, middle + 1, low[lane]);
            high[lane] = select_unpredictable(before, high[lane], middle);
        }
    }
    low
}
