//! Selection, as quickselect does it: elements by their place in the order, without sorting the rest. Keys are
//! partitioned until the places that are asked for are reached.

use super::keys::{KeyOrder, SortBits, of_scalar};
use super::scratch::{Scratch, Zeroable};
use super::vector::{self, InVectors, PlaceRequest};
use super::{LineTask, PIECE, positions, reserved, sort, with_word};
use crate::exec::options::{RunError, Watch};
use crate::scalar::Scalar;
use crate::types::DType;

/// The whole line is sorted if more than one of every `MIN_PLACES_PER_RANK` places is wanted.
const MIN_PLACES_PER_RANK: usize = 64;

/// Lines of at most `MAX_SORTED_ELEMENTS` elements are always sorted as a whole.
const MAX_SORTED_ELEMENTS: usize = 32;

/// The elements that would be at positions in ascending order.
pub(super) fn meaning(dtype: DType, line: &[Scalar], places: &[Scalar]) -> Vec<Scalar> {
    let order = sort::meaning(line, false);
    let at = |place: &Scalar| usize::try_from(place.bits as u64 as i64).ok().and_then(|place| order.get(place));
    places.iter().map(|place| at(place).map_or(Scalar::zero(dtype), |&at| line[at])).collect()
}

/// The fast way.
pub(super) fn ranks(line: LineTask) -> Result<(), RunError> {
    with_word!(line.dtype.size(), W => match line.dtype.is_complex() {
        true => of_complex::<W>(line),
        false => ranked::<W>(line),
    })
}

/// Complex numbers are few: they are compared.
fn of_complex<W: SortBits>(line: LineTask) -> Result<(), RunError> {
    let mut elements: Vec<Scalar> = reserved(line.args[0].len() / W::SIZE, line.watch)?;
    let words = line.args[0].chunks_exact(W::SIZE).map(|word| W::read(word).bits());
    elements.extend(words.map(|bits| Scalar { dtype: line.dtype, bits }));
    elements.sort_by_key(|&element| of_scalar(element));
    for (place, at) in line.out.chunks_exact_mut(W::SIZE).zip(positions(&line.args[1])) {
        let found = usize::try_from(at).ok().and_then(|at| elements.get(at));
        W::of(found.map_or(0, |found| found.bits)).write(place);
    }
    Ok(())
}

fn ranked<W: SortBits + InVectors + Zeroable>(line: LineTask) -> Result<(), RunError> {
    let order = KeyOrder::<W>::of(line.dtype);
    let count = line.args[0].len() / W::SIZE;
    if count <= MAX_SORTED_ELEMENTS {
        return of_few(line);
    }
    let mut wanted: Vec<usize> =
        positions(&line.args[1]).filter_map(|at| usize::try_from(at).ok()).filter(|&at| at < count).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let found = if count <= sort::MAX_STACK_ITEMS {
        sort::in_room(count, W::ZERO, |keys| {
            vector::keys(order, &line.args[0], keys);
            sort::in_room(count, W::ZERO, |scratch| at_places(keys, scratch, &wanted, line.watch))
        })?
    } else {
        let mut keys = sort::keys(&line.args[0], order, line.watch)?;
        if are_many(wanted.len(), count) {
            let keys = sort::words(keys, line.threads, line.watch)?;
            wanted.iter().map(|&at| keys[at]).collect()
        } else {
            let mut scratch = Scratch::zeroed(if vector::sorts_words() { count } else { 0 }, line.watch)?;
            at_places(&mut keys, &mut scratch, &wanted, line.watch)?
        }
    };
    let zeros = Zeros::of(&line.args[0], order, &found, line.watch)?;
    for (place, at) in line.out.chunks_exact_mut(W::SIZE).zip(positions(&line.args[1])) {
        let nth = usize::try_from(at).ok().and_then(|at| wanted.binary_search(&at).ok());
        let element = |nth: usize| zeros.at(wanted[nth], found[nth]).unwrap_or_else(|| order.element(found[nth]));
        nth.map_or(W::ZERO, element).write(place);
    }
    Ok(())
}

/// Whether so much of a line is wanted that the whole line is sorted. The line has `count` elements.
pub(super) fn are_many(wanted: usize, count: usize) -> bool {
    wanted.saturating_mul(MIN_PLACES_PER_RANK) > count
}

/// The positions of the first keys in ascending order, `wanted` of them, which are few: only keys that come before all
/// that are left are looked at twice.
pub(super) fn first_places<W: SortBits>(
    keys: impl Iterator<Item = W>,
    wanted: usize,
    watch: Watch,
) -> Result<Vec<usize>, RunError> {
    let Some(last) = wanted.checked_sub(1) else { return Ok(Vec::new()) };
    let room = wanted.saturating_mul(2).max(1024);
    let mut found: Vec<(W, usize)> = reserved(room, watch)?;
    let mut most = None;
    for (place, key) in keys.enumerate() {
        if place.is_multiple_of(PIECE) {
            watch.poll()?;
        }
        // A key that is equal to the last one left comes after it.
        if most.is_some_and(|most| key >= most) {
            continue;
        }
        found.push((key, place));
        if found.len() == room {
            let (_, &mut (key, _), _) = found.select_nth_unstable(last);
            most = Some(key);
            found.truncate(wanted);
        }
    }
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, place)| place).take(wanted).collect())
}

/// The keys that would be at these places, which ascend, in ascending order.
fn at_places<W: SortBits + InVectors>(
    keys: &mut [W],
    scratch: &mut [W],
    wanted: &[usize],
    watch: Watch,
) -> Result<Vec<W>, RunError> {
    if !W::sort(keys, scratch, PlaceRequest::Places(wanted, 0), watch)? {
        if !are_many(wanted.len(), keys.len()) {
            let mut found = Vec::with_capacity(wanted.len());
            select(keys, 0, wanted, &mut found, watch)?;
            return Ok(found);
        }
        keys.sort_unstable();
    }
    Ok(wanted.iter().map(|&at| keys[at]).collect())
}

/// Places of a line of few elements: all of them are sorted.
fn of_few(line: LineTask) -> Result<(), RunError> {
    let (size, mut room) = (line.dtype.size(), [0; MAX_SORTED_ELEMENTS * size_of::<u64>()]);
    let sorted = &mut room[..line.args[0].len()];
    sort::sort(LineTask { args: &line.args[..1], out: sorted, threads: 1, ..line })?;
    for (place, at) in line.out.chunks_exact_mut(size).zip(positions(&line.args[1])) {
        match usize::try_from(at).ok().and_then(|at| sorted.chunks_exact(size).nth(at)) {
            Some(found) => place.copy_from_slice(found),
            None => place.fill(0),
        }
    }
    Ok(())
}

/// The keys at places in ascending order; the first of `keys` would be at `first`.
fn select<W: SortBits>(
    keys: &mut [W],
    first: usize,
    wanted: &[usize],
    found: &mut Vec<W>,
    watch: Watch,
) -> Result<(), RunError> {
    let Some(&middle) = wanted.get(wanted.len() / 2) else { return Ok(()) };
    watch.poll()?;
    let (below, &mut key, above) = keys.select_nth_unstable(middle - first);
    let (before, after) = wanted.split_at(wanted.len() / 2);
    select(below, first, before, found, watch)?;
    found.push(key);
    select(above, middle + 1, &after[1..], found, watch)
}

/// Zeros of both signs have one key; they come as they came.
struct Zeros<W> {
    key: Option<W>,
    /// The place of the first one, and the zeros in their order.
    first: usize,
    elements: Vec<W>,
}

impl<W: SortBits> Zeros<W> {
    fn of(line: &[u8], order: KeyOrder<W>, found: &[W], watch: Watch) -> Result<Zeros<W>, RunError> {
        let Some((key, negative)) = order.zeros().filter(|(key, _)| found.contains(key)) else {
            return Ok(Zeros { key: None, first: 0, elements: Vec::new() });
        };
        let words = || line.chunks_exact(W::SIZE).map(W::read);
        let first = words().filter(|&word| order.key(word) < key).count();
        let zero = |word: &W| (*word & !negative) == W::ZERO;
        let mut elements = reserved(words().filter(zero).count(), watch)?;
        elements.extend(words().filter(zero));
        Ok(Zeros { key: Some(key), first, elements })
    }

    /// The zero at a place, if one is there.
    fn at(&self, place: usize, key: W) -> Option<W> {
        if Some(key) == self.key { self.elements.get(place.checked_sub(self.first)?).copied() } else { None }
    }
}
