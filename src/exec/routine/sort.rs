//! Sorting: stable, not-a-number last, both zeros equal.
//!
//! Elements become keys whose order is that of unsigned words ([`super::keys`]). Keys alone are sorted by vectors where
//! the machine has them ([`super::vector`]), and so are keys of eight bytes with their positions; else by digits
//! ([`super::digits`]), which keeps equal ones in order. Threads sort a part each, and parts are merged in pairs, each
//! merge cut where its halves meet.

use super::counts::by_counts;
use super::digits::by_digits;
use super::keys::{KeyOrder, SortBits, of_scalar};
use super::scratch::{Scratch, Zeroable};
use super::vector::{self, InVectors, Wanted};
use super::{LineTask, each, pieces, reserved, with_word};
use crate::exec::options::{RunError, Watch};
use crate::scalar::Scalar;
use crate::types::DType;

/// Fewer are not shared by threads.
pub(super) const SHARED: usize = 100_000;

/// Lines of at most `SHORT` elements are sorted in memory of the stack. Only longer lines are worth the tables that a
/// sort by digits needs.
pub(super) const SHORT: usize = 2048;
/// Lines of at most `SHORTER` elements take a part of that room on the stack.
const SHORTER: usize = 256;
/// Lines of at most `SHORTEST` elements take the least room on the stack.
const SHORTEST: usize = 64;

/// Calls `work` with room on the stack for `count` items, which are at most [`SHORT`].
pub(super) fn in_room<T: Copy, R>(count: usize, zero: T, work: impl FnOnce(&mut [T]) -> R) -> R {
    if count <= SHORTEST {
        work(&mut [zero; SHORTEST][..count])
    } else if count <= SHORTER {
        work(&mut [zero; SHORTER][..count])
    } else {
        work(&mut [zero; SHORT][..count])
    }
}

/// The positions of elements in ascending order.
pub(super) fn meaning(elements: &[Scalar]) -> Vec<usize> {
    let keys: Vec<_> = elements.iter().map(|&element| of_scalar(element)).collect();
    let mut order: Vec<usize> = (0..elements.len()).collect();
    order.sort_by_key(|&at| keys[at]);
    order
}

/// The elements in order.
pub(super) fn sort(line: LineTask) -> Result<(), RunError> {
    match line.dtype.is_complex() {
        true => with_word!(line.dtype.size(), W => complex::<W>(line, |line, place, at| {
            place.copy_from_slice(&line[at * W::SIZE..][..W::SIZE]);
        })),
        false => with_word!(line.dtype.size(), W => sorted::<W>(line)),
    }
}

/// Whether each element of a line in order is another than the one before.
pub(super) fn firsts_of(elements: &[Scalar]) -> Vec<Scalar> {
    let keys: Vec<_> = elements.iter().map(|&element| of_scalar(element)).collect();
    let first = |at: usize| at == 0 || keys[at] != keys[at - 1];
    (0..keys.len()).map(|at| Scalar { dtype: DType::Bool, bits: first(at).into() }).collect()
}

/// Whether each element of a line in order is another than the one before, the fast way.
pub(super) fn firsts(line: LineTask) -> Result<(), RunError> {
    let LineTask { args, dtype, out, threads, watch, .. } = line;
    let piece = pieces(out.len(), threads);
    let parts = out.chunks_mut(piece).enumerate().collect();
    with_word!(dtype.size(), W => each(parts, threads, watch, |(nth, out): (usize, &mut [u8])| {
        let start = nth * piece;
        let line = &args[0][start.saturating_sub(1) * W::SIZE..];
        // The first element of all has none before it.
        let out = match (start, out.split_first_mut()) {
            (0, Some((first, rest))) => {
                *first = 1;
                rest
            }
            _ => out,
        };
        if dtype.is_complex() {
            let key = |word: &[u8]| of_scalar(Scalar { dtype, bits: W::read(word).bits() });
            let words = || line.chunks_exact(W::SIZE);
            for ((place, before), word) in out.iter_mut().zip(words()).zip(words().skip(1)) {
                *place = u8::from(key(before) != key(word));
            }
        } else {
            vector::others(KeyOrder::<W>::of(dtype), line, out);
        }
        Ok(())
    }))
}

/// The positions of the elements in order.
pub(super) fn argsort(line: LineTask) -> Result<(), RunError> {
    match line.dtype.is_complex() {
        true => with_word!(line.dtype.size(), W => complex::<W>(line, |_, place, at| {
            place.copy_from_slice(&(at as i64).to_le_bytes());
        })),
        false => with_word!(line.dtype.size(), W => ordered::<W>(line)),
    }
}

/// Complex numbers are few: they are compared.
fn complex<W: SortBits>(line: LineTask, put: impl Fn(&[u8], &mut [u8], usize)) -> Result<(), RunError> {
    let bits = line.args[0].chunks_exact(W::SIZE).map(|word| W::read(word).bits());
    let mut elements = reserved(line.args[0].len() / W::SIZE, line.watch)?;
    elements.extend(bits.map(|bits| Scalar { dtype: line.dtype, bits }));
    let size = line.out.len() / elements.len().max(1);
    for (place, at) in line.out.chunks_exact_mut(size).zip(meaning(&elements)) {
        put(&line.args[0], place, at);
    }
    Ok(())
}

/// The keys of elements.
pub(super) fn keys<W: SortBits + Zeroable>(
    elements: &[u8],
    order: KeyOrder<W>,
    watch: Watch,
) -> Result<Scratch<W>, RunError> {
    let mut keys = Scratch::zeroed(elements.len() / W::SIZE, watch)?;
    vector::keys(order, elements, &mut keys);
    Ok(keys)
}

/// Words in order.
pub(super) fn words<W: SortBits + InVectors + Zeroable>(
    mut words: Scratch<W>,
    threads: usize,
    watch: Watch,
) -> Result<Scratch<W>, RunError> {
    if by_counts(&mut words, threads, watch)? {
        return Ok(words);
    }
    by_key(
        words,
        |&key| key,
        threads,
        watch,
        |words, scratch| match W::sort(words, scratch, Wanted::All, watch)? {
            true => Ok(()),
            false => by_digits(words, scratch, |&word| word, watch),
        },
    )
}

fn sorted<W: SortBits + InVectors + Zeroable>(line: LineTask) -> Result<(), RunError> {
    let order = KeyOrder::<W>::of(line.dtype);
    let count = line.args[0].len() / W::SIZE;
    if count > SHORT || W::SIZE < 4 && count > SHORTEST {
        let keys = keys(&line.args[0], order, line.watch)?;
        let keys = self::words(keys, line.threads, line.watch)?;
        put_in_order(order, &keys, line);
        return Ok(());
    }
    in_room(count, W::ZERO, |keys| {
        vector::keys(order, &line.args[0], keys);
        if !in_room(count, W::ZERO, |scratch| W::sort(keys, scratch, Wanted::All, line.watch))? {
            keys.sort_unstable();
        }
        put_in_order(order, keys, line);
        Ok(())
    })
}

/// Writes the elements of keys in order.
fn put_in_order<W: SortBits>(order: KeyOrder<W>, keys: &[W], line: LineTask) {
    let words = || line.args[0].chunks_exact(W::SIZE).map(W::read);
    vector::elements(order, keys, line.out);
    // Zeros of both signs have one key; they come as they came.
    if let Some((key, negative)) = order.zeros() {
        let first = keys.partition_point(|&other| other < key);
        if keys.get(first) == Some(&key) && words().any(|bits| bits == negative) {
            let zeros = words().filter(|bits| (*bits & !negative) == W::ZERO);
            line.out[first * W::SIZE..]
                .chunks_exact_mut(W::SIZE)
                .zip(zeros)
                .for_each(|(place, zero)| zero.write(place));
        }
    }
}

fn ordered<W: SortBits + Zeroable>(line: LineTask) -> Result<(), RunError>
where
    (W, u32): Zeroable,
    (W, i64): Zeroable,
{
    let order = KeyOrder::<W>::of(line.dtype);
    let count = line.args[0].len() / W::SIZE;
    if count <= SHORT {
        in_room(count, (W::ZERO, 0u32), |pairs| {
            let words = line.args[0].chunks_exact(W::SIZE).map(W::read);
            for ((pair, word), position) in pairs.iter_mut().zip(words).zip(0..) {
                *pair = (order.key(word), position);
            }
            // Positions tell equal keys apart.
            pairs.sort_unstable();
            put_positions(line.out, pairs.iter().map(|pair| i64::from(pair.1)));
        });
        return Ok(());
    }
    let keys = keys(&line.args[0], order, line.watch)?;
    let few = u32::try_from(keys.len()).is_ok();
    if few && W::SIZE == 8 && vector::sorts_words() {
        return put_packed(&keys, line);
    }
    if few {
        let pairs = with_positions(keys, 0u32.., line.threads, line.watch)?;
        put_positions(line.out, pairs.iter().map(|pair| i64::from(pair.1)));
    } else {
        let pairs = with_positions(keys, 0i64.., line.threads, line.watch)?;
        put_positions(line.out, pairs.iter().map(|pair| pair.1));
    }
    Ok(())
}

/// Writes the positions of at most 2^32 keys in order, by words with the highest bits of a key and behind them its
/// position. Keys that differ in other bits alone are put in order afterwards, by words with these.
fn put_packed<W: SortBits>(keys: &[W], line: LineTask) -> Result<(), RunError> {
    let far = |key: W| key.low() as u64;
    let (low, high) = keys.iter().fold((u64::MAX, 0), |(low, high), &key| (low.min(far(key)), high.max(far(key))));
    let bits = |most: u64| u64::BITS - most.leading_zeros();
    let behind = bits(keys.len() as u64 - 1);
    let lost = (bits(high - low) + behind).saturating_sub(u64::BITS);
    let mut packed = Scratch::zeroed(keys.len(), line.watch)?;
    for ((word, &key), place) in packed.iter_mut().zip(keys).zip(0..) {
        *word = (((far(key) - low) >> lost) << behind) | place;
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
            if same.len() <= SHORT {
                same.sort_unstable();
            } else {
                let mut scratch = Scratch::zeroed(same.len(), line.watch)?;
                u64::sort(same, &mut scratch, Wanted::All, line.watch)?;
            }
        }
    }
    put_positions(line.out, packed.iter().map(|&word| place(word) as i64));
    Ok(())
}

/// Keys in order, with the positions that they had.
fn with_positions<W: SortBits + Zeroable, P: Copy + Send + Sync>(
    keys: Scratch<W>,
    positions: impl Iterator<Item = P>,
    threads: usize,
    watch: Watch,
) -> Result<Scratch<(W, P)>, RunError>
where
    (W, P): Zeroable,
{
    let mut pairs = Scratch::zeroed(keys.len(), watch)?;
    for ((pair, &key), position) in pairs.iter_mut().zip(keys.iter()).zip(positions) {
        *pair = (key, position);
    }
    drop(keys);
    let key = |pair: &(W, P)| pair.0;
    by_key(pairs, key, threads, watch, |pairs, scratch| by_digits(pairs, scratch, key, watch))
}

fn put_positions(out: &mut [u8], positions: impl Iterator<Item = i64>) {
    out.chunks_exact_mut(8).zip(positions).for_each(|(place, at)| place.copy_from_slice(&at.to_le_bytes()));
}

/// Items in the order of their keys, each part of them sorted by `sort`; those with equal keys in the order that they
/// have.
fn by_key<T: Zeroable + Send + Sync, W: SortBits>(
    mut items: Scratch<T>,
    key: impl Fn(&T) -> W + Copy + Sync,
    threads: usize,
    watch: Watch,
    sort: impl Fn(&mut [T], &mut [T]) -> Result<(), RunError> + Sync,
) -> Result<Scratch<T>, RunError> {
    if items.is_empty() {
        return Ok(items);
    }
    let mut scratch = Scratch::zeroed(items.len(), watch)?;
    let parts = if items.len() < SHARED { 1 } else { threads.next_power_of_two() };
    let mut run = items.len().div_ceil(parts);
    let halves = items.chunks_mut(run).zip(scratch.chunks_mut(run)).collect();
    each(halves, threads, watch, |(items, scratch): (&mut [T], &mut [T])| sort(items, scratch))?;
    while run < items.len() {
        merged(&items, &mut scratch, run, key, threads, watch)?;
        std::mem::swap(&mut items, &mut scratch);
        run *= 2;
    }
    Ok(items)
}

/// Merges neighbouring runs of sorted items.
fn merged<T: Copy + Send + Sync, W: SortBits>(
    items: &[T],
    out: &mut [T],
    run: usize,
    key: impl Fn(&T) -> W + Copy + Sync,
    threads: usize,
    watch: Watch,
) -> Result<(), RunError> {
    let pairs = items.len().div_ceil(2 * run);
    let cuts = threads.div_ceil(pairs).max(1);
    let mut work = Vec::new();
    for (pair, out) in items.chunks(2 * run).zip(out.chunks_mut(2 * run)) {
        let (left, right) = pair.split_at(run.min(pair.len()));
        let piece = pair.len().div_ceil(cuts).max(1);
        for (nth, out) in out.chunks_mut(piece).enumerate() {
            let (from, to) = (nth * piece, nth * piece + out.len());
            let (a, b) = (taken(left, right, from, key), taken(left, right, to, key));
            work.push((&left[a..b], &right[from - a..to - b], out));
        }
    }
    each(work, threads, watch, |(left, right, out): (&[T], &[T], &mut [T])| {
        let (mut a, mut b) = (0, 0);
        for place in out {
            let first = b == right.len() || a < left.len() && key(&left[a]) <= key(&right[b]);
            *place = if first { left[a] } else { right[b] };
            a += usize::from(first);
            b += usize::from(!first);
        }
        Ok(())
    })
}

/// How many of the first `count` items of a merge come from the left.
fn taken<T, W: SortBits>(left: &[T], right: &[T], count: usize, key: impl Fn(&T) -> W) -> usize {
    let (mut low, mut high) = (count.saturating_sub(right.len()), count.min(left.len()));
    while low < high {
        let middle = low + (high - low) / 2;
        // The left one comes first where they are equal.
        if key(&left[middle]) <= key(&right[count - middle - 1]) { low = middle + 1 } else { high = middle }
    }
    low
}
