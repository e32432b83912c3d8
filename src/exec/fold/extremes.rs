//! Extremes of rows of floats, with vectors of AVX-512 or AVX2 spelled out.
//!
//! A comparison of floats says which of two is the lesser unless one is NaN or both are zeros. So a block is compared,
//! and whether it has NaN is seen beside; what has, is reduced once more by its bits, and of zeros the signs are looked
//! at.
#![expect(unsafe_code, reason = "a row is an address, and vectors need their level")]

use super::kinds::{Plain, TermOperands};
use super::simd::{Totals, block_total, blocks_of};
use super::terms::{FoldOp, Total};
use super::vectors::Vector;
use super::wide::VectorFloat;
use crate::exec::machine::Level;
use crate::kernel::BLOCK;

/// Vectors that are compared side by side.
const COMPARED_VECTORS: usize = 4;

/// The extremes of rows on a machine of some level, if it has vectors for them.
pub(super) fn extremes<T: VectorFloat, O: FoldOp>(level: Level) -> Option<Totals<T>> {
    match level {
        Level::Avx512 => Some(avx512::<T, O>),
        Level::Avx2 => Some(avx2::<T, O>),
        Level::Base | Level::Sse => None,
    }
}

/// [`Totals`] with AVX-512.
///
/// # Safety
/// As for [`Totals`]. The machine has AVX-512 with the extensions BW, DQ and VL.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn avx512<T: VectorFloat, O: FoldOp>(
    from: TermOperands,
    to_next: [isize; 2],
    count: usize,
    rows: usize,
    out: *mut T,
) {
    // SAFETY: the caller promises AVX-512, and the terms and the room that [`Totals`] asks for.
    unsafe { extreme_rows::<T::Avx512, O>(Level::Avx512, from, to_next, count, rows, out) }
}

/// [`Totals`] with AVX2.
///
/// # Safety
/// As for [`Totals`]. The machine has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn avx2<T: VectorFloat, O: FoldOp>(
    from: TermOperands,
    to_next: [isize; 2],
    count: usize,
    rows: usize,
    out: *mut T,
) {
    // SAFETY: the caller promises AVX2, and the terms and the room that [`Totals`] asks for.
    unsafe { extreme_rows::<T::Avx2, O>(Level::Avx2, from, to_next, count, rows, out) }
}

/// # Safety
/// As for [`Totals`] and [`Vector`]; the machine has the level.
#[inline(always)]
unsafe fn extreme_rows<V: Vector<T: VectorFloat>, O: FoldOp>(
    level: Level,
    from: TermOperands,
    to_next: [isize; 2],
    count: usize,
    rows: usize,
    mut out: *mut V::T,
) {
    for row in 0..rows {
        let mut at = from[0].wrapping_offset(to_next[0].wrapping_mul(row as isize));
        for block in 0..blocks_of(count) {
            let len = BLOCK.min(count - block * BLOCK);
            // SAFETY: the caller promises the block, which lies in the row, and room for its total. The extreme of
            // vectors is asked for only where there are enough elements.
            unsafe {
                let quick = if len < COMPARED_VECTORS * V::LEN { None } else { extreme::<V, O>(at.cast(), len) };
                *out = match quick {
                    Some(total) => total,
                    None => block_total::<Plain<V::T>, O>(level, [at; 2], len),
                };
                out = out.add(1);
            }
            at = at.wrapping_add(BLOCK * size_of::<V::T>());
        }
    }
}

/// The extreme of at least [`COMPARED_VECTORS`] vectors of elements; `None` if there is NaN among them.
///
/// # Safety
/// As for [`Vector`]. `from` points to `count` elements that can be read, with any alignment, and these are at least
/// [`COMPARED_VECTORS`] vectors.
#[inline(always)]
unsafe fn extreme<V: Vector<T: VectorFloat>, O: FoldOp>(from: *const V::T, count: usize) -> Option<V::T> {
    let step = COMPARED_VECTORS * V::LEN;
    // SAFETY: the caller promises `count` elements, as many as these vectors have; the last ones end with the last.
    unsafe {
        let mut best = [V::splat(O::of_nothing::<V::T>()); COMPARED_VECTORS];
        let mut broken = V::first(0);
        let mut index = 0;
        while index < count {
            let first = from.add(index.min(count - step));
            let mut read = best;
            for part in 0..COMPARED_VECTORS {
                read[part] = V::load(first.add(part * V::LEN));
                best[part] = better::<V, O>(read[part], best[part]);
            }
            for part in 0..COMPARED_VECTORS / 2 {
                broken = read[2 * part].nan_or(read[2 * part + 1], broken);
            }
            index += step;
        }
        if V::is_any(broken) {
            return None;
        }
        let last = better::<V, O>(better::<V, O>(best[0], best[1]), better::<V, O>(best[2], best[3]));
        let total = combined::<V, O>(last);
        Some(if total == V::T::ZERO { zero::<V, O>(from, count) } else { total })
    }
}

/// The zero that is the extreme of some elements. No element lies beyond zero. So for the least, an element with a
/// minus sign is a zero; for the greatest, one with a plus sign is.
///
/// # Safety
/// As for [`Vector`]. `from` points to `count` elements that can be read, with any alignment, and these are at least
/// one vector.
#[inline(always)]
unsafe fn zero<V: Vector<T: VectorFloat>, O: FoldOp>(from: *const V::T, count: usize) -> V::T {
    // SAFETY: the caller promises `count` elements, a vector or more; the last vector ends with the last of them.
    unsafe {
        let mut signs = V::load(from);
        let mut index = V::LEN;
        while index < count {
            let read = V::load(from.add(index.min(count - V::LEN)));
            signs = if is_least::<V, O>() { signs | read } else { signs & read };
            index += V::LEN;
        }
        combined::<V, O>(V::splat(V::T::MINUS_ZERO) & signs)
    }
}

/// Whether the extreme is the least.
#[inline(always)]
fn is_least<V: Vector<T: VectorFloat>, O: FoldOp>() -> bool {
    O::beyond(V::T::ZERO, V::T::ONE)
}

/// The further of each two lanes.
#[inline(always)]
fn better<V: Vector<T: VectorFloat>, O: FoldOp>(a: V, b: V) -> V {
    if is_least::<V, O>() { a.min(b) } else { a.max(b) }
}

/// All lanes into one.
#[inline(always)]
fn combined<V: Vector<T: VectorFloat>, O: FoldOp>(vector: V) -> V::T {
    let mut total = O::of_nothing::<V::T>();
    for &lane in vector.lanes().as_ref() {
        total = O::combine(total, lane);
    }
    total
}
