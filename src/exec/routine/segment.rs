//! Values combined where labels or positions say: in order, one after the other.
//!
//! The order of each group is the order of the line, whoever computes it: a thread has a range of groups to itself and
//! reads all labels.

use super::keys::SortBits;
use super::{LineTask, each, positions, reserved, with_word};
use crate::exec::options::RunError;
use crate::ir::Fold;
use crate::ir::routine::Scatter;
use crate::scalar::number::Number;
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::types::{DType, Kind};

/// Groups that fit a cache together: of fewer a thread is enough.
const GROUPS: usize = 1 << 12;

/// Most groups of which each thread has a table of its own.
const TABLE: usize = 1 << 20;

/// Two elements of a dtype combined; halves as if in `f32`, and rounded.
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
        _ => Scalar::zero(dtype),
    }
}

/// The groups of a line.
pub(super) fn meaning(fold: Fold, dtype: DType, values: &[Scalar], labels: &[Scalar], len: usize) -> Vec<Scalar> {
    let groups = vec![identity(fold, dtype); len];
    let pairs = labels.iter().map(|label| label.bits as u64 as i64).zip(values.iter().copied());
    put(groups, pairs, |old, new| combined(fold, dtype, old, new))
}

/// A line with values at positions.
pub(super) fn scattered(scatter: Scatter, dtype: DType, args: &[Vec<Scalar>]) -> Vec<Scalar> {
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
pub(super) fn counted(labels: &[Scalar], len: usize) -> Vec<Scalar> {
    let ones = vec![Scalar::of(1i64); labels.len()];
    meaning(Fold::Sum, DType::I64, &ones, labels, len)
}

/// The same, fast: each thread counts a part of the labels in a table of its own.
pub(super) fn count(line: LineTask) -> Result<(), RunError> {
    let groups = line.out.len() / 8;
    let tables = if groups > TABLE { 1 } else { line.threads };
    let piece = (line.args[0].len() / 8).div_ceil(tables).max(1);
    let parts: Vec<&[u8]> = line.args[0].chunks(piece * 8).collect();
    let mut own: Vec<Vec<i64>> = Vec::new();
    for _ in 0..parts.len().min(tables) {
        let mut table = reserved(groups, line.watch)?;
        table.resize(groups, 0i64);
        own.push(table);
    }
    let work = parts.into_iter().zip(own.iter_mut()).collect();
    each(work, tables, line.watch, |(labels, table): (&[u8], &mut Vec<i64>)| {
        for label in positions(labels) {
            if let Some(place) = usize::try_from(label).ok().and_then(|at| table.get_mut(at)) {
                *place += 1;
            }
        }
        Ok(())
    })?;
    for (at, place) in line.out.chunks_exact_mut(8).enumerate() {
        let total: i64 = own.iter().map(|table| table[at]).sum();
        place.copy_from_slice(&total.to_le_bytes());
    }
    Ok(())
}

/// Groups, fast.
pub(super) fn segment(line: LineTask, fold: Fold) -> Result<(), RunError> {
    let size = line.dtype.size();
    let empty = identity(fold, line.dtype).bits.to_le_bytes();
    line.out.chunks_exact_mut(size).for_each(|place| place.copy_from_slice(&empty[..size]));
    let LineTask { args, dtype, out, threads, watch } = line;
    let threads = if out.len() / size < GROUPS { 1 } else { threads };
    let piece = (out.len() / size).div_ceil(threads).max(1);
    let parts = out.chunks_mut(piece * size).enumerate().collect();
    each(parts, threads, watch, |(nth, out): (usize, &mut [u8])| {
        combine(fold, dtype, out, (nth * piece) as i64, &args[1], &args[0]);
        Ok(())
    })
}

/// Values combined into a line, fast.
pub(super) fn scatter(line: LineTask, fold: Fold) -> Result<(), RunError> {
    line.out.copy_from_slice(&line.args[0]);
    combine(fold, line.dtype, line.out, 0, &line.args[1], &line.args[2]);
    Ok(())
}

/// Values put into a line, fast.
pub(super) fn set(line: LineTask) -> Result<(), RunError> {
    line.out.copy_from_slice(&line.args[0]);
    with_word!(line.dtype.size(), W => {
        for (at, value) in positions(&line.args[1]).zip(line.args[2].chunks_exact(W::SIZE)) {
            if let Some(place) = placed::<W>(line.out, at) {
                place.copy_from_slice(value);
            }
        }
    });
    Ok(())
}

/// The bytes at a position, if there is one.
#[inline(always)]
fn placed<W: SortBits>(out: &mut [u8], at: i64) -> Option<&mut [u8]> {
    let at = usize::try_from(at).ok()?.checked_mul(W::SIZE)?;
    out.get_mut(at..at.checked_add(W::SIZE)?)
}

fn combine(fold: Fold, dtype: DType, out: &mut [u8], first: i64, labels: &[u8], values: &[u8]) {
    macro_rules! numbers {
        ($($dtype:ident $T:ident $W:ident)*) => {
            match dtype {
                $(DType::$dtype => {
                    let step: fn($T, $T) -> $T = match fold {
                        Fold::Sum => Number::add,
                        Fold::Prod => Number::mul,
                        Fold::Min => Number::min,
                        _ => Number::max,
                    };
                    let read = |bytes: &[u8]| $T::from_le_bytes(bytes.try_into().expect("an element"));
                    match fold {
                        Fold::Sum => steps::<$W, $T>(out, first, labels, values, read, Number::add, |x, place| place.copy_from_slice(&x.to_le_bytes())),
                        _ => steps::<$W, $T>(out, first, labels, values, read, step, |x, place| place.copy_from_slice(&x.to_le_bytes())),
                    }
                })*
                DType::Bool => {
                    let or = matches!(fold, Fold::Sum | Fold::Max);
                    let step = move |a: u8, b: u8| if or { a | b } else { a & b };
                    steps::<u8, u8>(out, first, labels, values, |bytes| bytes[0], step, |x, place| place[0] = x);
                }
                // Small floats; the checker takes complex numbers apart.
                small => match small.size() {
                    1 => small_steps::<u8>(fold, dtype, out, first, labels, values),
                    2 => small_steps::<u16>(fold, dtype, out, first, labels, values),
                    _ => {}
                },
            }
        };
    }
    numbers! { U8 u8 u8 U16 u16 u16 U32 u32 u32 U64 u64 u64 I8 i8 u8 I16 i16 u16 I32 i32 u32 I64 i64 u64 F32 f32 u32 F64 f64 u64 }
}

/// Small floats, which are combined as scalars.
fn small_steps<W: SortBits>(fold: Fold, dtype: DType, out: &mut [u8], first: i64, labels: &[u8], values: &[u8]) {
    let scalar = |word: W| Scalar { dtype, bits: word.bits() };
    let step = |a: W, b: W| W::of(combined(fold, dtype, scalar(a), scalar(b)).bits);
    steps::<W, W>(out, first, labels, values, W::read, step, W::write);
}

#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "where, what, and how an element is read, combined and written")]
fn steps<W: SortBits, T: Copy>(
    out: &mut [u8],
    first: i64,
    labels: &[u8],
    values: &[u8],
    read: impl Fn(&[u8]) -> T,
    step: impl Fn(T, T) -> T,
    write: impl Fn(T, &mut [u8]),
) {
    for (at, value) in positions(labels).zip(values.chunks_exact(W::SIZE)) {
        if let Some(place) = placed::<W>(out, at.wrapping_sub(first)) {
            let new = step(read(place), read(value));
            write(new, place);
        }
    }
}
