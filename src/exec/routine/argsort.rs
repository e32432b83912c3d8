//! The positions of elements in order, all or the first ones.
//!
//! Keys of eight bytes are sorted by vectors with their positions in the same words; others carry theirs beside them.
//! Where few positions are wanted, the line is read once, and only what may be among them is kept and sorted.

use super::digits::by_digits;
use super::keys::{KeyOrder, SortBits};
use super::scratch::{Scratch, Zeroable};
use super::sort::{MAX_STACK_ITEMS, by_key, in_room, keys, order_of_complex, words};
use super::vector::{self, InVectors, PlaceRequest};
use super::{LineTask, PIECE, ranks, with_word};
use crate::exec::options::{RunError, Watch};

/// The positions of the elements in order: of as many as the result has room for.
pub(super) fn argsort(line: LineTask, descending: bool) -> Result<(), RunError> {
    with_word!(line.dtype.size(), W => match line.dtype.is_complex() {
        true => {
            let order = order_of_complex::<W>(&line, descending)?;
            put_positions(line.out, &order, |&at| at as i64, line.watch)
        }
        false => ordered::<W>(line, descending),
    })
}

fn ordered<W: SortBits + Zeroable>(line: LineTask, descending: bool) -> Result<(), RunError> {
    let order = KeyOrder::<W>::of(line.dtype);
    // Keys whose bits are all turned are in descending order.
    let turn = if descending { W::ALL } else { W::ZERO };
    let (count, wanted) = (line.args[0].len() / W::SIZE, line.out.len() / 8);
    if count <= MAX_STACK_ITEMS {
        return in_room(count, (W::ZERO, 0u32), |pairs| {
            let words = line.args[0].chunks_exact(W::SIZE).map(W::read);
            for ((pair, word), position) in pairs.iter_mut().zip(words).zip(0..) {
                *pair = (order.key(word) ^ turn, position);
            }
            // Positions tell equal keys apart.
            pairs.sort_unstable();
            put_positions(line.out, pairs, |pair| i64::from(pair.1), line.watch)
        });
    }
    if !ranks::are_many(wanted, count) {
        let keys = line.args[0].chunks_exact(W::SIZE).map(|word| order.key(W::read(word)) ^ turn);
        let places = ranks::first_places(keys, wanted, line.watch)?;
        return put_positions(line.out, &places, |&place| place as i64, line.watch);
    }
    let mut keys = keys(&line.args[0], order, line.watch)?;
    if descending {
        keys.iter_mut().for_each(|key| *key = *key ^ turn);
    }
    let few = u32::try_from(keys.len()).is_ok();
    if few && W::SIZE == 8 && vector::sorts_words() {
        return put_packed(&keys, line);
    }
    if few {
        let pairs = with_positions(keys, 0u32.., line.threads, line.watch)?;
        put_positions(line.out, &pairs, |pair| i64::from(pair.1), line.watch)
    } else {
        let pairs = with_positions(keys, 0i64.., line.threads, line.watch)?;
        put_positions(line.out, &pairs, |pair| pair.1, line.watch)
    }
}

/// Writes the positions of at most 2^32 keys in order, by words with the highest bits of a key and behind them its
/// position. Keys that differ in other bits alone are put in order afterwards, by words with these.
fn put_packed<W: SortBits>(keys: &[W], line: LineTask) -> Result<(), RunError> {
    let far = |key: W| key.low() as u64;
    let (low, high) = keys.iter().fold((u64::MAX, 0), |(low, high), &key| (low.min(far(key)), high.max(far(key))));
    let bits = |most: u64| u64::BITS - most.leading_zeros();
    let behind = bits(keys.len() as u64 - 1);
    let lost = (bits(high - low) + behind).saturating_sub(u64::BITS);
    let mut packed = Scratch::<u64>::zeroed(keys.len(), line.watch)?;
    let mut places = 0u64..;
    for (packed, keys) in packed.chunks_mut(PIECE).zip(keys.chunks(PIECE)) {
        line.watch.poll()?;
        for ((word, &key), place) in packed.iter_mut().zip(keys).zip(places.by_ref()) {
            *word = (((far(key) - low) >> lost) << behind) | place;
        }
    }
    let mut packed = words(packed, line.threads, line.watch)?;
    let first = |count: u32| (1 << count) - 1;
    let place = |word: u64| word & first(behind);
    if lost > 0 {
        let key = |word: u64| far(keys[place(word) as usize]) - low;
        for same in packed.chunk_by_mut(|a, b| a >> behind == b >> behind) {
            if same.is_sorted_by_key(|&word| key(word)) {
                continue;
            }
            // Less is lost than a position takes.
            same.iter_mut().for_each(|word| *word = ((key(*word) & first(lost)) << behind) | place(*word));
            if same.len() <= MAX_STACK_ITEMS {
                same.sort_unstable();
            } else {
                let mut scratch = Scratch::zeroed(same.len(), line.watch)?;
                u64::sort(same, &mut scratch, PlaceRequest::All, line.watch)?;
            }
        }
    }
    put_positions(line.out, &packed, |&word| place(word) as i64, line.watch)
}

/// Keys in order, with the positions that they had.
fn with_positions<W: SortBits + Zeroable, P: Zeroable + Send + Sync>(
    keys: Scratch<W>,
    mut positions: impl Iterator<Item = P>,
    threads: usize,
    watch: Watch,
) -> Result<Scratch<(W, P)>, RunError> {
    let mut pairs = Scratch::zeroed(keys.len(), watch)?;
    for (pairs, keys) in pairs.chunks_mut(PIECE).zip(keys.chunks(PIECE)) {
        watch.poll()?;
        for ((pair, &key), position) in pairs.iter_mut().zip(keys).zip(positions.by_ref()) {
            *pair = (key, position);
        }
    }
    drop(keys);
    let key = |pair: &(W, P)| pair.0;
    by_key(pairs, key, threads, watch, |pairs, scratch| by_digits(pairs, scratch, key, watch))
}

/// Writes the positions of items, as many as there is room for.
fn put_positions<T>(out: &mut [u8], items: &[T], position: impl Fn(&T) -> i64, watch: Watch) -> Result<(), RunError> {
    for (nth, (out, items)) in out.chunks_mut(PIECE * 8).zip(items.chunks(PIECE)).enumerate() {
        if nth > 0 {
            watch.poll()?;
        }
        for (place, item) in out.chunks_exact_mut(8).zip(items) {
            place.copy_from_slice(&position(item).to_le_bytes());
        }
    }
    Ok(())
}
