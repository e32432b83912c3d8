//! Radix sort: items in the order of their keys, digit by digit.
//!
//! The distance of each key from the smallest counts, so that keys which lie together have few digits. The highest
//! three digits are sorted from their lowest to their highest; rarely are two keys the same in all three, and those are
//! few that stand beside each other. What does not fit a cache is split by its highest bits before.
//!
//! ```text
//! key - smallest    0 … 0  10110011 │ digit digit digit │ the rest
//!                          split      sorted              insertion
//! ```

use super::PIECE;
use super::keys::SortBits;
use crate::exec::options::{RunError, Watch};

/// Bits of a digit: their counts, and a line of memory for each, fit a cache.
const DIGIT: usize = 11;

/// Bits of a digit where there are few items: counts cost too.
const SMALL_DIGIT: usize = 8;

/// The most items that are sorted by digits of `SMALL_DIGIT` bits.
const MAX_SMALL_DIGIT_ITEMS: usize = 1 << 12;

/// Bits that digits sort.
const SORTED: usize = 3 * DIGIT;

/// Bits that split what does not fit a cache.
const SPLIT: usize = 8;

/// Bytes that fit a cache, with as much scratch.
const CACHE: usize = 1 << 20;

/// At most `MAX_INSERTED_ITEMS` items are sorted by insertion, not by digits.
const MAX_INSERTED_ITEMS: usize = 32;

/// Sorts items by their keys, with scratch for as many; those with equal keys keep their order.
///
/// # Errors
/// When someone does not want to wait.
pub(super) fn by_digits<T: Copy, W: SortBits>(
    items: &mut [T],
    scratch: &mut [T],
    key: impl Fn(&T) -> W,
    watch: Watch,
) -> Result<(), RunError> {
    let (low, high) = items.iter().fold((u64::MAX, 0), |(low, high), item| {
        let key = key(item).low() as u64;
        (low.min(key), high.max(key))
    });
    let key = |item: &T| (key(item).low() as u64).wrapping_sub(low);
    let bits = (u64::BITS - high.saturating_sub(low).leading_zeros()) as usize;
    if size_of_val(items) <= CACHE || bits <= DIGIT {
        if by_key(items, scratch, key, bits, watch)? {
            items.copy_from_slice(scratch);
        }
        return Ok(());
    }
    let shift = bits - SPLIT;
    let mut starts = [0; 1 << SPLIT];
    for item in items.iter() {
        starts[(key(item) >> shift) as usize & ((1 << SPLIT) - 1)] += 1;
    }
    positions(&mut starts);
    let mut ends = starts;
    move_to(items, scratch, &mut ends, |item| (key(item) >> shift) as usize & ((1 << SPLIT) - 1), watch)?;
    for (start, end) in starts.into_iter().zip(ends) {
        let (from, to) = (&mut scratch[start..end], &mut items[start..end]);
        if !by_key(from, to, key, shift, watch)? {
            to.copy_from_slice(from);
        }
    }
    Ok(())
}

/// Counts become the positions where their items begin.
fn positions(counts: &mut [usize]) {
    let mut start = 0;
    for count in counts {
        start += std::mem::replace(count, start);
    }
}

/// Moves each item to the next place of its digit.
#[inline(always)]
fn move_to<T: Copy>(
    from: &[T],
    to: &mut [T],
    places: &mut [usize],
    digit: impl Fn(&T) -> usize,
    watch: Watch,
) -> Result<(), RunError> {
    for piece in from.chunks(PIECE) {
        watch.poll()?;
        for item in piece {
            let place = &mut places[digit(item)];
            to[*place] = *item;
            *place += 1;
        }
    }
    Ok(())
}

/// Sorts items by the low `bits` bits of their keys, which differ in no other bits. Returns whether the result is in
/// `b`; otherwise it is in `a`.
fn by_key<T: Copy>(
    a: &mut [T],
    b: &mut [T],
    key: impl Fn(&T) -> u64,
    bits: usize,
    watch: Watch,
) -> Result<bool, RunError> {
    if a.len() <= MAX_INSERTED_ITEMS {
        insert(a, &key);
        return Ok(false);
    }
    let rest = bits.saturating_sub(SORTED);
    let digit = if a.len() <= MAX_SMALL_DIGIT_ITEMS { SMALL_DIGIT } else { DIGIT };
    let (passes, mask) = ((bits - rest).div_ceil(digit), (1 << digit) - 1);
    let of_pass = |item: &T, pass: usize| (key(item) >> rest >> (pass * digit)) as usize & mask;
    let mut counts = vec![0usize; passes << digit];
    for item in a.iter() {
        for pass in 0..passes {
            counts[(pass << digit) + of_pass(item, pass)] += 1;
        }
    }
    let mut in_b = false;
    for (pass, counts) in counts.chunks_exact_mut(1 << digit).enumerate() {
        if counts.contains(&a.len()) {
            continue;
        }
        positions(counts);
        let (from, to): (&[T], &mut [T]) = if in_b { (b, a) } else { (a, b) };
        move_to(from, to, counts, |item| of_pass(item, pass), watch)?;
        in_b = !in_b;
    }
    if rest > 0 {
        finish(if in_b { b } else { a }, &key, rest);
    }
    Ok(in_b)
}

/// Sorts items that are in order but for the low `rest` bits of their keys.
fn finish<T: Copy>(items: &mut [T], key: &impl Fn(&T) -> u64, rest: usize) {
    let mut at = 1;
    while at < items.len() {
        if key(&items[at - 1]) <= key(&items[at]) {
            at += 1;
            continue;
        }
        let high = key(&items[at]) >> rest;
        let same = |item: &&T| key(item) >> rest == high;
        let start = at - items[..at].iter().rev().take_while(same).count();
        let end = at + items[at..].iter().take_while(same).count();
        match &mut items[start..end] {
            few if few.len() <= MAX_INSERTED_ITEMS => insert(few, key),
            many => many.sort_by_key(key),
        }
        at = end;
    }
}

/// Sorts few items: each moves down until the one before is not larger.
fn insert<T: Copy>(items: &mut [T], key: &impl Fn(&T) -> u64) {
    for end in 1..items.len() {
        let (item, own) = (items[end], key(&items[end]));
        let mut at = end;
        while at > 0 && key(&items[at - 1]) > own {
            items[at] = items[at - 1];
            at -= 1;
        }
        items[at] = item;
    }
}
