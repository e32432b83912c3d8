//! The places of values in a line in ascending order.
//!
//! The search halves the line until one place is left, whatever the line holds: of one that is not in order the place
//! is some place, the same everywhere. Where many values are searched for among keys that lie close together, as labels
//! do, a table has the place of each key between the first and the last.

use super::keys::{KeyOrder, SortBits, of_scalar};
use super::scratch::Zeroable;
use super::{LineTask, PIECE, each, pieces, reserved, sort, vector, with_word};
use crate::exec::options::{RunError, Watch};
use crate::scalar::Scalar;
use std::hint::select_unpredictable;

/// On which side of equal elements a value belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Before how many elements each value comes; on the right side with those that are equal to it.
pub(super) fn meaning(sorted: &[Scalar], values: &[Scalar], side: Side) -> Vec<Scalar> {
    let keys: Vec<_> = sorted.iter().map(|&element| of_scalar(element)).collect();
    values.iter().map(|&value| Scalar::of(place(&keys, of_scalar(value), side) as i64)).collect()
}

/// How many keys are below a key, or not above it, as halving finds them.
fn place<K: Ord + Copy>(keys: &[K], key: K, side: Side) -> usize {
    let (mut low, mut high) = (0, keys.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let before = if side == Side::Right { keys[middle] <= key } else { keys[middle] < key };
        if before { low = middle + 1 } else { high = middle }
    }
    low
}

/// The fast way.
pub(super) fn search(line: LineTask, side: Side) -> Result<(), RunError> {
    with_word!(line.dtype.size(), W => searched::<W>(line, side))
}

fn searched<W: SortBits + Zeroable>(line: LineTask, side: Side) -> Result<(), RunError> {
    let order = KeyOrder::<W>::of(line.dtype);
    let sorted = sort::keys(&line.args[0], order, line.watch)?;
    let count = line.out.len() / 8;
    let close = CloseKeys::of(&sorted, count, side, line.watch)?;
    let piece = pieces(count, line.threads);
    let parts = line.out.chunks_mut(piece * 8).zip(line.args[1].chunks(piece * W::SIZE)).collect();
    let watch = line.watch;
    each(parts, line.threads, watch, |(out, values): (&mut [u8], &[u8])| {
        let mut wanted = [W::ZERO; BLOCK];
        let blocks = out.chunks_mut(BLOCK * 8).zip(values.chunks(BLOCK * W::SIZE));
        for (nth, (out, values)) in blocks.enumerate() {
            if nth > 0 && nth.is_multiple_of(PIECE / BLOCK) {
                watch.poll()?;
            }
            vector::keys(order, values, &mut wanted);
            if let Some(close) = &close {
                for (place, &wanted) in out.chunks_exact_mut(8).zip(&wanted) {
                    place.copy_from_slice(&close.place(wanted).to_le_bytes());
                }
                continue;
            }
            for (out, wanted) in out.chunks_mut(SEARCHED_VALUES * 8).zip(wanted.as_chunks().0) {
                for (place, found) in out.chunks_exact_mut(8).zip(places(&sorted, wanted, side)) {
                    place.copy_from_slice(&(found as i64).to_le_bytes());
                }
            }
        }
        Ok(())
    })
}

/// The most places of a table: these fit the second cache.
const MAX_TABLE_PLACES: usize = 1 << 16;

/// A table is made only if at least `MIN_VALUES_PER_PLACE` values are searched for, for each place that it would have.
const MIN_VALUES_PER_PLACE: usize = 4;

/// The most bytes that a table takes if `values` values are searched for.
pub(super) fn table_bytes(values: usize) -> usize {
    (MAX_TABLE_PLACES.min(values / MIN_VALUES_PER_PLACE) + 1) * size_of::<u32>()
}

/// Keys in order that lie close together.
struct CloseKeys<W> {
    first: W,
    /// For each key from the first to the last, and for what is behind them, how many come before it.
    places: Vec<u32>,
}

impl<W: SortBits> CloseKeys<W> {
    /// The table for a search of `values` values, if making it takes less time than it saves.
    fn of(sorted: &[W], values: usize, side: Side, watch: Watch) -> Result<Option<CloseKeys<W>>, RunError> {
        let (Some(&first), Some(&last)) = (sorted.first(), sorted.last()) else { return Ok(None) };
        let most = MAX_TABLE_PLACES.min(values / MIN_VALUES_PER_PLACE);
        let far = W::SIZE > size_of::<usize>() || last.low().wrapping_sub(first.low()) >= most;
        if far || sorted.len() > most || !sorted.is_sorted() {
            return Ok(None);
        }
        let span = last.low() - first.low() + 1;
        let mut places = reserved(span + 1, watch)?;
        places.resize(span + 1, 0);
        let behind = usize::from(side == Side::Left);
        sorted.iter().for_each(|key| places[key.low() - first.low() + behind] += 1);
        let mut count = 0;
        for place in &mut places {
            count += *place;
            *place = count;
        }
        Ok(Some(CloseKeys { first, places }))
    }

    /// Before how many keys a value comes, or with those that are equal to it.
    #[inline(always)]
    fn place(&self, wanted: W) -> i64 {
        let distance = wanted.low().wrapping_sub(self.first.low()).min(self.places.len() - 1);
        i64::from(select_unpredictable(wanted < self.first, 0, self.places[distance]))
    }
}

/// How many values become keys at once.
const BLOCK: usize = 512;

/// How many values are searched for side by side: while one waits for memory, the others go on.
const SEARCHED_VALUES: usize = 8;

/// [`place`] of several values, without branches that could be guessed wrong.
#[expect(clippy::needless_bitwise_bool, reason = "a branch would be guessed wrong every other time")]
fn places<K: Ord + Copy>(keys: &[K], values: &[K; SEARCHED_VALUES], side: Side) -> [usize; SEARCHED_VALUES] {
    let (mut low, mut high) = ([0; SEARCHED_VALUES], [keys.len(); SEARCHED_VALUES]);
    let Some(last) = keys.len().checked_sub(1) else { return low };
    for _ in 0..usize::BITS - keys.len().leading_zeros() {
        for lane in 0..SEARCHED_VALUES {
            let middle = low[lane] + (high[lane] - low[lane]) / 2;
            let key = keys[middle.min(last)];
            let before = if side == Side::Right { key <= values[lane] } else { key < values[lane] };
            let before = before & (low[lane] < high[lane]);
            low[lane] = select_unpredictable(before, middle + 1, low[lane]);
            high[lane] = select_unpredictable(before, high[lane], middle);
        }
    }
    low
}
