//! Sorting: stable, not-a-number last, both zeros equal.
//!
//! Elements become keys whose order is that of unsigned words ([`super::keys`]). Keys alone are sorted by vectors where
//! the machine has them ([`super::vector`]), else by digits ([`super::digits`]), which keeps equal ones in order.
//! Threads sort a part each, and parts are merged in pairs, each merge cut where its halves meet.

use super::counts::{self, by_counts};
use super::digits::by_digits;
use super::keys::{KeyOrder, SortBits, of_scalar};
use super::scratch::{Scratch, Zeroable};
use super::vector::{self, InVectors, PlaceRequest};
use super::{LineTask, PIECE, by_pieces, each, pieces, reserved, with_word};
use crate::exec::options::{RunError, Watch};
use crate::scalar::Scalar;
use crate::types::DType;

/// Fewer are not shared by threads.
pub(super) const MIN_SHARED_ITEMS: usize = 100_000;

/// Lines of at most `MAX_STACK_ITEMS` elements are sorted in memory of the stack. Only longer lines are worth the
/// tables that a sort by digits needs.
pub(super) const MAX_STACK_ITEMS: usize = 2048;
/// Lines of at most `MEDIUM_STACK_ITEMS` elements take a part of that room on the stack.
const MEDIUM_STACK_ITEMS: usize = 256;
/// Lines of at most `SMALL_STACK_ITEMS` elements take the least room on the stack.
const SMALL_STACK_ITEMS: usize = 64;

/// Calls `work` with room on the stack for `count` items, which are at most [`MAX_STACK_ITEMS`].
pub(super) fn in_room<T: Copy, R>(count: usize, zero: T, work: impl FnOnce(&mut [T]) -> R) -> R {
    if count <= SMALL_STACK_ITEMS {
        work(&mut [zero; SMALL_STACK_ITEMS][..count])
    } else if count <= MEDIUM_STACK_ITEMS {
        work(&mut [zero; MEDIUM_STACK_ITEMS][..count])
    } else {
        work(&mut [zero; MAX_STACK_ITEMS][..count])
    }
}

/// The positions of elements in ascending order, or in descending order; equal ones keep theirs in both.
pub(super) fn meaning(elements: &[Scalar], descending: bool) -> Vec<usize> {
    let keys: Vec<_> = elements.iter().map(|&element| of_scalar(element)).collect();
    let mut order: Vec<usize> = (0..elements.len()).collect();
    order.sort_by(|&a, &b| if descending { keys[b].cmp(&keys[a]) } else { keys[a].cmp(&keys[b]) });
    order
}

/// The elements in order.
pub(super) fn sort(line: LineTask) -> Result<(), RunError> {
    match line.dtype.is_complex() {
        true => with_word!(line.dtype.size(), W => {
            let order = order_of_complex::<W>(&line, false)?;
            for (place, at) in line.out.chunks_exact_mut(W::SIZE).zip(order) {
                place.copy_from_slice(&line.args[0][at * W::SIZE..][..W::SIZE]);
            }
            Ok(())
        }),
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

/// The positions of complex numbers in order. They are few: they are compared.
pub(super) fn order_of_complex<W: SortBits>(line: &LineTask, descending: bool) -> Result<Vec<usize>, RunError> {
    let bits = line.args[0].chunks_exact(W::SIZE).map(|word| W::read(word).bits());
    let mut elements = reserved(line.args[0].len() / W::SIZE, line.watch)?;
    elements.extend(bits.map(|bits| Scalar { dtype: line.dtype, bits }));
    Ok(meaning(&elements, descending))
}

/// The keys of elements.
pub(super) fn keys<W: SortBits + Zeroable>(
    elements: &[u8],
    order: KeyOrder<W>,
    watch: Watch,
) -> Result<Scratch<W>, RunError> {
    let mut keys = Scratch::<W>::zeroed(elements.len() / W::SIZE, watch)?;
    by_pieces(elements.len() / W::SIZE, watch, |at| {
        vector::keys(order, &elements[at.start * W::SIZE..at.end * W::SIZE], &mut keys[at]);
    })?;
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
    different_words(words, threads, watch)
}

/// Words in order, of which many are different.
fn different_words<W: SortBits + InVectors + Zeroable>(
    words: Scratch<W>,
    threads: usize,
    watch: Watch,
) -> Result<Scratch<W>, RunError> {
    by_key(
        words,
        |&key| key,
        threads,
        watch,
        |words, scratch| match W::sort(words, scratch, PlaceRequest::All, watch)? {
            true => Ok(()),
            false => by_digits(words, scratch, |&word| word, watch),
        },
    )
}

fn sorted<W: SortBits + InVectors + Zeroable>(line: LineTask) -> Result<(), RunError> {
    let order = KeyOrder::<W>::of(line.dtype);
    let count = line.args[0].len() / W::SIZE;
    if count > MAX_STACK_ITEMS || W::SIZE < 4 && count > SMALL_STACK_ITEMS {
        let source = |at: usize, room: &mut [W]| vector::keys(order, &line.args[0][at * W::SIZE..], room);
        if let Some(entries) = counts::entries(source, count, line.threads, line.watch)? {
            put_in_runs(order, &entries, line);
            return Ok(());
        }
        let keys = keys(&line.args[0], order, line.watch)?;
        let keys = different_words(keys, line.threads, line.watch)?;
        put_in_order(order, &keys, line);
        return Ok(());
    }
    in_room(count, W::ZERO, |keys| {
        vector::keys(order, &line.args[0], keys);
        if !in_room(count, W::ZERO, |scratch| W::sort(keys, scratch, PlaceRequest::All, line.watch))? {
            keys.sort_unstable();
        }
        put_in_order(order, keys, line);
        Ok(())
    })
}

/// Writes the elements of keys in order.
fn put_in_order<W: SortBits>(order: KeyOrder<W>, keys: &[W], line: LineTask) {
    vector::elements(order, keys, line.out);
    if let Some((key, _)) = order.zeros() {
        let first = keys.partition_point(|&other| other < key);
        if keys.get(first) == Some(&key) {
            put_zeros(order, first, line);
        }
    }
}

/// Writes the elements of keys in order, each as often as it occurs.
fn put_in_runs<W: SortBits>(order: KeyOrder<W>, entries: &[(W, u32)], line: LineTask) {
    let (mut places, mut first, mut zeros) = (line.out.chunks_exact_mut(W::SIZE), 0, None);
    for &(key, count) in entries {
        let element = order.element(key);
        places.by_ref().take(count as usize).for_each(|place| element.write(place));
        if order.zeros().is_some_and(|(zero, _)| zero == key) {
            zeros = Some(first);
        }
        first += count as usize;
    }
    if let Some(first) = zeros {
        put_zeros(order, first, line);
    }
}

/// Writes the zeros of a line from a place on. Those of both signs have one key; they come as they came.
fn put_zeros<W: SortBits>(order: KeyOrder<W>, first: usize, line: LineTask) {
    let words = || line.args[0].chunks_exact(W::SIZE).map(W::read);
    let Some((_, negative)) = order.zeros() else { return };
    if words().any(|bits| bits == negative) {
        let zeros = words().filter(|bits| (*bits & !negative) == W::ZERO);
        line.out[first * W::SIZE..].chunks_exact_mut(W::SIZE).zip(zeros).for_each(|(place, zero)| zero.write(place));
    }
}

/// Items in the order of their keys, each part of them sorted by `sort`; those with equal keys in the order that they
/// have.
pub(super) fn by_key<T: Zeroable + Send + Sync, W: SortBits>(
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
    let parts = if items.len() < MIN_SHARED_ITEMS { 1 } else { threads.next_power_of_two() };
    let mut run = items.len().div_ceil(parts);
    let runs = items.chunks_mut(run).zip(scratch.chunks_mut(run)).collect();
    each(runs, threads, watch, |(items, scratch): (&mut [T], &mut [T])| sort(items, scratch))?;
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
        for out in out.chunks_mut(PIECE) {
            watch.poll()?;
            for place in out {
                let first = b == right.len() || a < left.len() && key(&left[a]) <= key(&right[b]);
                *place = if first { left[a] } else { right[b] };
                a += usize::from(first);
                b += usize::from(!first);
            }
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
