//! Values combined where labels or positions say: in order, one after the other.
//!
//! The order of each group is the order of the line, whoever computes it. Where the order cannot be seen (integers,
//! bools, the smallest, the largest), each thread has a part of the line and groups of its own, which are combined at
//! the end. Sums and products of floats are one thread's: that it reads each label once takes less time than that two
//! read all of them.

use super::scratch::Scratch;
use super::{LineTask, by_pieces, each, reserved};
use crate::exec::options::{RunError, Watch};
use crate::ir::Fold;
use crate::ir::routine::Scatter;
use crate::scalar::number::Number;
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::types::{DType, Kind};
use crate::with_element;

/// Most groups of which each thread has a table of its own.
const MAX_TABLE_GROUPS: usize = 1 << 20;

/// Most groups of which there are tables side by side: these take half of the first cache.
const MAX_INTERLEAVED_GROUPS: usize = 1 << 10;

/// How many tables of counts a thread has side by side if there are few groups.
const INTERLEAVED_TABLES: usize = 4;

/// How many bytes are copied as if they were one element.
const COPY_BYTES: usize = 64;

/// How many groups of two tables are combined at once, when the tables of threads become one.
const MERGED_GROUPS: usize = 512;

/// Two elements of a dtype combined; small floats as if in `f32`, and rounded.
fn combined(fold: Fold, dtype: DType, a: Scalar, b: Scalar) -> Scalar {
    if dtype.is_small_float() {
        let [a, b] = [a, b].map(|half| eval::eval(Prim::Convert, DType::F32, &[half]));
        return eval::eval(Prim::Convert, dtype, &[combined(fold, DType::F32, a, b)]);
    }
    let prim = match (fold, dtype.kind()) {
        (Fold::Sum | Fold::Max, Kind::Bool) => Prim::Or,
        (Fold::Prod | Fold::Min, Kind::Bool) => Prim::And,
        (Fold::Sum, _) => Prim::Add,
        (Fold::Prod, _) => Prim::Mul,
        (Fold::Min, _) => Prim::Min,
        _ => Prim::Max,
    };
    eval::eval(prim, dtype, &[a, b])
}

/// What a group of nothing is.
pub(in crate::exec) fn identity(fold: Fold, dtype: DType) -> Scalar {
    let convert = |value: f64| eval::eval(Prim::Convert, dtype, &[Scalar::of(value)]);
    let integers = dtype.integer_range();
    let least = |low: bool| match (dtype.kind(), integers) {
        (Kind::Bool, _) => Scalar { dtype, bits: u128::from(!low) },
        (_, Some((smallest, largest))) => {
            let value = if low { smallest } else { largest };
            Scalar { dtype, bits: value as u128 & (u128::MAX >> (128 - dtype.bits())) }
        }
        _ => convert(if low { -dtype.top() } else { dtype.top() }),
    };
    match fold {
        Fold::Min => least(false),
        Fold::Max => least(true),
        Fold::Prod => Scalar::one(dtype),
        Fold::Sum | Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => Scalar::zero(dtype),
    }
}

/// The groups of a line.
pub(super) fn meaning(fold: Fold, dtype: DType, values: &[Scalar], labels: &[Scalar], len: usize) -> Vec<Scalar> {
    let groups = vec![identity(fold, dtype); len];
    let pairs = labels.iter().map(|label| label.bits as u64 as i64).zip(values.iter().copied());
    put(groups, pairs, |old, new| combined(fold, dtype, old, new))
}

/// A line with values at positions.
pub(super) fn scatter_meaning(scatter: Scatter, dtype: DType, args: &[Vec<Scalar>]) -> Vec<Scalar> {
    let pairs = args[1].iter().map(|at| at.bits as u64 as i64).zip(args[2].iter().copied());
    put(args[0].clone(), pairs, |old, new| match scatter {
        Scatter::Set => new,
        Scatter::With(fold) => combined(fold, dtype, old, new),
    })
}

fn put(
    mut places: Vec<Scalar>,
    pairs: impl Iterator<Item = (i64, Scalar)>,
    combine: impl Fn(Scalar, Scalar) -> Scalar,
) -> Vec<Scalar> {
    for (at, value) in pairs {
        if let Some(place) = usize::try_from(at).ok().and_then(|at| places.get_mut(at)) {
            *place = combine(*place, value);
        }
    }
    places
}

/// How many labels are each group.
pub(super) fn group_counts(labels: &[Scalar], len: usize) -> Vec<Scalar> {
    let ones = vec![Scalar::of(1i64); labels.len()];
    let labels: Vec<Scalar> = labels.iter().map(|&label| eval::eval(Prim::Convert, DType::I64, &[label])).collect();
    meaning(Fold::Sum, DType::I64, &ones, &labels, len)
}

/// How many labels are each group, the fast way: each thread counts a part of the labels in tables of its own.
pub(super) fn count(line: LineTask) -> Result<(), RunError> {
    if line.dtype == DType::I32 {
        count_labels(line, |label| i32::from_le_bytes(label) as usize)
    } else {
        count_labels(line, |label| i64::from_le_bytes(label) as usize)
    }
}

/// Whether there are so few groups that several tables side by side are worth it. Their counts are `u32`.
fn is_abreast(labels: usize, groups: usize, threads: usize) -> bool {
    groups <= MAX_INTERLEAVED_GROUPS && labels >= 16 * groups * threads && u32::try_from(labels).is_ok()
}

/// The bytes that tables of counts take besides the result.
pub(super) fn count_scratch(labels: usize, groups: usize, threads: usize) -> usize {
    let threads = if groups > MAX_TABLE_GROUPS { 1 } else { threads };
    match is_abreast(labels, groups, threads) {
        true => threads * INTERLEAVED_TABLES * groups * size_of::<u32>(),
        false => (threads - 1).saturating_mul(groups).saturating_mul(size_of::<i64>()),
    }
}

fn count_labels<const SIZE: usize>(line: LineTask, group: impl Fn([u8; SIZE]) -> usize + Sync) -> Result<(), RunError> {
    let (out, _) = line.out.as_chunks_mut();
    let (labels, _) = line.args[0].as_chunks();
    let groups = out.len();
    let threads = if groups > MAX_TABLE_GROUPS { 1 } else { line.threads };
    let piece = labels.len().div_ceil(threads).max(1);
    let watch = line.watch;
    out.fill([0; 8]);
    if is_abreast(labels.len(), groups, threads) && groups > 0 {
        let mut counts = Scratch::<u32>::zeroed(threads * INTERLEAVED_TABLES * groups, line.watch)?;
        let work = counts.chunks_mut(INTERLEAVED_TABLES * groups).zip(labels.chunks(piece)).collect();
        each(work, threads, line.watch, |(counts, labels): (&mut [u32], &[[u8; SIZE]])| {
            let mut strays = false;
            by_pieces(labels.len(), watch, |at| strays |= count_abreast(&labels[at], counts, groups, &group))?;
            line.strays.add(strays);
            Ok(())
        })?;
        for table in counts.chunks(groups) {
            for (at, &count) in table.iter().enumerate() {
                plus(out, at, count.into());
            }
        }
        return Ok(());
    }
    let mut own: Vec<Vec<[u8; 8]>> = Vec::new();
    for _ in 1..threads {
        let mut table = reserved(groups, line.watch)?;
        table.resize(groups, [0; 8]);
        own.push(table);
    }
    let places = std::iter::once(&mut *out).chain(own.iter_mut().map(Vec::as_mut_slice));
    let work = places.zip(labels.chunks(piece)).collect();
    each(work, threads, line.watch, |(table, labels): (&mut [[u8; 8]], &[[u8; SIZE]])| {
        let mut strays = false;
        by_pieces(labels.len(), watch, |at| strays |= count_into(&labels[at], table, &group))?;
        line.strays.add(strays);
        Ok(())
    })?;
    for table in own {
        for (at, count) in table.into_iter().enumerate() {
            plus(out, at, i64::from_le_bytes(count));
        }
    }
    Ok(())
}

/// Counts labels; returns whether some were left out. The function is one of its own, so that the table stays in
/// registers.
#[inline(never)]
fn count_into<const SIZE: usize>(
    labels: &[[u8; SIZE]],
    table: &mut [[u8; 8]],
    group: impl Fn([u8; SIZE]) -> usize,
) -> bool {
    labels.iter().fold(false, |strays, &label| strays | plus(table, group(label), 1))
}

/// Counts labels in tables side by side, each with a count for every group. Labels that follow each other are often
/// the same, and here none waits for what the one before wrote.
#[inline(never)]
fn count_abreast<const SIZE: usize>(
    labels: &[[u8; SIZE]],
    counts: &mut [u32],
    groups: usize,
    group: impl Fn([u8; SIZE]) -> usize,
) -> bool {
    let mut tables = counts.chunks_exact_mut(groups);
    let tables: [Option<&mut [u32]>; INTERLEAVED_TABLES] = std::array::from_fn(|_| tables.next());
    let [Some(a), Some(b), Some(c), Some(d)] = tables else { return false };
    // Returns whether it strays.
    let add = |table: &mut [u32], label| match table.get_mut(group(label)) {
        Some(count) => {
            *count += 1;
            false
        }
        None => true,
    };
    let (labels, rest) = labels.as_chunks();
    let mut strays = false;
    for &[i, j, k, l] in labels {
        strays |= add(a, i);
        strays |= add(b, j);
        strays |= add(c, k);
        strays |= add(d, l);
    }
    rest.iter().fold(strays, |strays, &label| strays | add(a, label))
}

/// Adds to the count of a group, if there is one. Returns whether there is none.
#[inline(always)]
fn plus(table: &mut [[u8; 8]], group: usize, count: i64) -> bool {
    match table.get_mut(group) {
        Some(place) => *place = (i64::from_le_bytes(*place) + count).to_le_bytes(),
        None => return true,
    }
    false
}

/// How many threads have groups of their own.
pub(super) fn tables(fold: Fold, dtype: DType, elements: usize, groups: usize, threads: usize) -> usize {
    let any_order = matches!(fold, Fold::Min | Fold::Max) || dtype.is_integer() || dtype == DType::Bool;
    // Groups are filled and combined: that must be less than what it saves.
    let few = groups <= MAX_TABLE_GROUPS && groups.saturating_mul(2 * threads) <= elements;
    if any_order && few { threads } else { 1 }
}

/// Groups, fast.
pub(super) fn segment(line: LineTask, fold: Fold) -> Result<(), RunError> {
    let LineTask { args, dtype, out, threads, strays, watch } = line;
    let (size, values, labels) = (dtype.size(), &args[0], &args[1]);
    let empty = identity(fold, dtype).bits.to_le_bytes();
    by_pieces(out.len() / size, watch, |at| {
        let places = out[at.start * size..at.end * size].chunks_exact_mut(size);
        places.for_each(|place| place.copy_from_slice(&empty[..size]));
    })?;
    let elements = labels.len() / 8;
    let tables = tables(fold, dtype, elements, out.len() / size, threads);
    let piece = elements.div_ceil(tables).max(1);
    let mut own: Vec<Vec<u8>> = Vec::new();
    for _ in 1..tables {
        let mut table = reserved(out.len(), watch)?;
        table.extend_from_slice(out);
        own.push(table);
    }
    let places = std::iter::once(&mut *out).chain(own.iter_mut().map(Vec::as_mut_slice));
    let work = places.zip(labels.chunks(piece * 8).zip(values.chunks(piece * size))).collect();
    each(work, tables, watch, |(table, (labels, values)): (&mut [u8], (&[u8], &[u8]))| {
        let combine = |labels: &[u8], values: &[u8]| combine(fold, dtype, table, labels, values);
        strays.add(pairs(labels, values, size, watch, combine)?);
        Ok(())
    })?;
    let every: Vec<u8> = (0..MERGED_GROUPS as i64).flat_map(i64::to_le_bytes).collect();
    for table in own {
        for (out, table) in out.chunks_mut(MERGED_GROUPS * size).zip(table.chunks(MERGED_GROUPS * size)) {
            combine(fold, dtype, out, &every, table);
        }
    }
    Ok(())
}

/// Values combined into a line, fast.
pub(super) fn scatter(line: LineTask, fold: Fold) -> Result<(), RunError> {
    let LineTask { args, dtype, out, strays, watch, .. } = line;
    copy(&args[0], out, watch)?;
    let combine = |labels: &[u8], values: &[u8]| combine(fold, dtype, out, labels, values);
    strays.add(pairs(&args[1], &args[2], dtype.size(), watch, combine)?);
    Ok(())
}

/// Values put into a line, fast.
pub(super) fn set(line: LineTask) -> Result<(), RunError> {
    let LineTask { args, dtype, out, strays, watch, .. } = line;
    copy(&args[0], out, watch)?;
    let put = match dtype.size() {
        1 => set_values::<1>,
        2 => set_values::<2>,
        4 => set_values::<4>,
        8 => set_values::<8>,
        _ => set_values::<16>,
    };
    strays.add(put(out, &args[1], &args[2], watch)?);
    Ok(())
}

/// Puts values of `SIZE` bytes at their labels. Returns whether labels were left out.
fn set_values<const SIZE: usize>(out: &mut [u8], labels: &[u8], values: &[u8], watch: Watch) -> Result<bool, RunError> {
    pairs(labels, values, SIZE, watch, |labels, values| steps::<SIZE>(out, labels, values, |_, value| value))
}

/// Copies a line, some of it at a time.
fn copy(from: &[u8], to: &mut [u8], watch: Watch) -> Result<(), RunError> {
    by_pieces(from.len().div_ceil(COPY_BYTES), watch, |at| {
        let bytes = at.start * COPY_BYTES..from.len().min(at.end * COPY_BYTES);
        to[bytes.clone()].copy_from_slice(&from[bytes]);
    })
}

/// Does something with labels and the values that they are of, some at a time. Returns whether any of it says so.
fn pairs(
    labels: &[u8],
    values: &[u8],
    size: usize,
    watch: Watch,
    mut work: impl FnMut(&[u8], &[u8]) -> bool,
) -> Result<bool, RunError> {
    let (count, mut any) = ((labels.len() / 8).min(values.len() / size), false);
    by_pieces(count, watch, |at| {
        any |= work(&labels[at.start * 8..at.end * 8], &values[at.start * size..at.end * size]);
    })?;
    Ok(any)
}

/// Combines values with what is at their labels. Returns whether labels were left out.
fn combine(fold: Fold, dtype: DType, out: &mut [u8], labels: &[u8], values: &[u8]) -> bool {
    let numbers = with_element!(dtype, T in numbers => {
        const SIZE: usize = size_of::<T>();
        let read = T::from_le_bytes;
        // Sums are most of all: theirs is inlined.
        if fold == Fold::Sum {
            return steps(out, labels, values, |a: [u8; SIZE], b| Number::add(read(a), read(b)).to_le_bytes());
        }
        let step: fn(T, T) -> T = match fold {
            Fold::Prod => Number::mul,
            Fold::Min => Number::min,
            Fold::Sum | Fold::Max | Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => Number::max,
        };
        steps(out, labels, values, |a: [u8; SIZE], b| step(read(a), read(b)).to_le_bytes())
    });
    numbers.unwrap_or_else(|| combine_others(fold, dtype, out, labels, values))
}

/// [`combine`] of truth values and of small floats; the checker takes complex numbers apart.
fn combine_others(fold: Fold, dtype: DType, out: &mut [u8], labels: &[u8], values: &[u8]) -> bool {
    let step = |a, b| small_step(fold, dtype, a, b);
    match dtype.size() {
        _ if dtype == DType::Bool => {
            let or = matches!(fold, Fold::Sum | Fold::Max);
            steps(out, labels, values, |[a], [b]| [if or { a | b } else { a & b }])
        }
        1 => steps(out, labels, values, |[a], [b]| [step(a.into(), b.into()) as u8]),
        2 => steps(out, labels, values, |a, b| {
            let [a, b] = [a, b].map(|half| u16::from_le_bytes(half).into());
            (step(a, b) as u16).to_le_bytes()
        }),
        _ => false,
    }
}

/// Small floats, which are combined as scalars.
fn small_step(fold: Fold, dtype: DType, a: u128, b: u128) -> u128 {
    combined(fold, dtype, Scalar { dtype, bits: a }, Scalar { dtype, bits: b }).bits
}

/// How many elements a loop takes at once: so it counts and jumps less often.
const UNROLLED_LABELS: usize = 4;

/// Combines each value with what is at its label, in order: as many as there are of both. Each step has a function of
/// its own, and so all registers. Returns whether labels were left out.
#[inline(never)]
fn steps<const SIZE: usize>(
    out: &mut [u8],
    labels: &[u8],
    values: &[u8],
    step: impl Fn([u8; SIZE], [u8; SIZE]) -> [u8; SIZE],
) -> bool {
    let (out, _) = out.as_chunks_mut();
    // Returns whether it strays.
    let mut add = |label: &[u8; 8], value: &[u8; SIZE]| match out.get_mut(i64::from_le_bytes(*label) as usize) {
        Some(place) => {
            *place = step(*place, *value);
            false
        }
        None => true,
    };
    let (labels, values) = (labels.as_chunks().0, values.as_chunks().0);
    let count = labels.len().min(values.len());
    let (labels, last_labels) = labels[..count].as_chunks::<UNROLLED_LABELS>();
    let (values, last_values) = values[..count].as_chunks::<UNROLLED_LABELS>();
    let mut strays = false;
    for (labels, values) in labels.iter().zip(values) {
        for (label, value) in labels.iter().zip(values) {
            strays |= add(label, value);
        }
    }
    for (label, value) in last_labels.iter().zip(last_values) {
        strays |= add(label, value);
    }
    strays
}
