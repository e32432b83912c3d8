//! Sorting: stable, not-a-number last, both zeros equal.
//!
//! Elements become keys whose order is that of unsigned words ([`super::keys`]), and keys are sorted digit by digit from
//! the lowest, which keeps equal ones in order. Digits that all keys share cost nothing. Threads sort a part each, and
//! parts are merged in pairs, each merge cut where its halves meet.

use super::keys::{KeyOrder, SortBits, of_scalar};
use super::{LineTask, each, reserved, with_word};
use crate::exec::options::{RunError, Watch};
use crate::scalar::Scalar;
use crate::types::DType;

/// Below so many elements comparing is faster than counting digits.
const FEW: usize = 256;

/// Fewer are not shared by threads.
pub(super) const SHARED: usize = 100_000;

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

/// The same, fast.
pub(super) fn firsts(line: LineTask) -> Result<(), RunError> {
    with_word!(line.dtype.size(), W => {
        let same = |a: W, b: W| match line.dtype.is_complex() {
            true => {
                let key = |word: W| of_scalar(Scalar { dtype: line.dtype, bits: word.bits() });
                key(a) == key(b)
            }
            false => {
                let order = KeyOrder::<W>::of(line.dtype);
                order.key(a) == order.key(b)
            }
        };
        let words = line.args[0].chunks_exact(W::SIZE).map(W::read);
        let before = std::iter::once(None).chain(words.clone().map(Some));
        for ((place, word), before) in line.out.iter_mut().zip(words).zip(before) {
            *place = u8::from(before.is_none_or(|before| !same(before, word)));
        }
    });
    Ok(())
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

fn sorted<W: SortBits>(line: LineTask) -> Result<(), RunError> {
    let order = KeyOrder::<W>::of(line.dtype);
    let words = || line.args[0].chunks_exact(W::SIZE).map(W::read);
    let mut keys = reserved(line.args[0].len() / W::SIZE, line.watch)?;
    keys.extend(words().map(|bits| order.key(bits)));
    let keys = by_key(keys, |&key| key, line.threads, line.watch)?;
    for (place, &key) in line.out.chunks_exact_mut(W::SIZE).zip(&keys) {
        order.element(key).write(place);
    }
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
    Ok(())
}

fn ordered<W: SortBits>(line: LineTask) -> Result<(), RunError> {
    let order = KeyOrder::<W>::of(line.dtype);
    let count = line.args[0].len() / W::SIZE;
    let keys = line.args[0].chunks_exact(W::SIZE).map(|word| order.key(W::read(word)));
    if u32::try_from(count).is_ok() {
        let mut pairs: Vec<(W, u32)> = reserved(count, line.watch)?;
        pairs.extend(keys.zip(0..));
        let pairs = by_key(pairs, |pair| pair.0, line.threads, line.watch)?;
        put_positions(line.out, pairs.iter().map(|pair| i64::from(pair.1)));
    } else {
        let mut pairs: Vec<(W, i64)> = reserved(count, line.watch)?;
        pairs.extend(keys.zip(0..));
        let pairs = by_key(pairs, |pair| pair.0, line.threads, line.watch)?;
        put_positions(line.out, pairs.iter().map(|pair| pair.1));
    }
    Ok(())
}

fn put_positions(out: &mut [u8], positions: impl Iterator<Item = i64>) {
    out.chunks_exact_mut(8).zip(positions).for_each(|(place, at)| place.copy_from_slice(&at.to_le_bytes()));
}

/// Items in the order of their keys; those with equal keys in the order that they have.
fn by_key<T: Copy + Send + Sync, W: SortBits>(
    mut items: Vec<T>,
    key: impl Fn(&T) -> W + Copy + Sync,
    threads: usize,
    watch: Watch,
) -> Result<Vec<T>, RunError> {
    if items.len() <= FEW {
        items.sort_by_key(key);
        return Ok(items);
    }
    let mut scratch = reserved(items.len(), watch)?;
    scratch.extend_from_slice(&items);
    let parts = if items.len() < SHARED { 1 } else { threads.next_power_of_two() };
    let mut run = items.len().div_ceil(parts);
    let halves = items.chunks_mut(run).zip(scratch.chunks_mut(run)).collect();
    each(halves, threads, watch, |(items, scratch): (&mut [T], &mut [T])| by_digits(items, scratch, key, watch))?;
    while run < items.len() {
        merged(&items, &mut scratch, run, key, threads, watch)?;
        std::mem::swap(&mut items, &mut scratch);
        run *= 2;
    }
    Ok(items)
}

/// Sorts digit by digit, from the lowest; the result is in `items`.
fn by_digits<T: Copy, W: SortBits>(
    items: &mut [T],
    scratch: &mut [T],
    key: impl Fn(&T) -> W,
    watch: Watch,
) -> Result<(), RunError> {
    let digit = if W::SIZE <= 2 { 8 } else { 11 };
    let (passes, mask) = ((W::SIZE * 8).div_ceil(digit), (1 << digit) - 1);
    let mut counts = vec![0usize; passes << digit];
    for item in items.iter() {
        let key = key(item);
        for pass in 0..passes {
            counts[(pass << digit) + ((key >> (pass * digit)).low() & mask)] += 1;
        }
    }
    let mut from_items = true;
    for (pass, counts) in counts.chunks_exact_mut(1 << digit).enumerate() {
        if counts.contains(&items.len()) {
            continue;
        }
        watch.poll()?;
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        let (from, to): (&[T], &mut [T]) = if from_items { (items, scratch) } else { (scratch, items) };
        for item in from {
            let place = &mut counts[(key(item) >> (pass * digit)).low() & mask];
            to[*place] = *item;
            *place += 1;
        }
        from_items = !from_items;
    }
    if !from_items {
        items.copy_from_slice(scratch);
    }
    Ok(())
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
