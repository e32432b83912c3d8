//! Sums of floats along rows, with vectors of AVX-512 or AVX2 spelled out.
//!
//! Many rows are summed in one call, a block at a time. If they have one operand, two rows that are far apart in memory
//! are read side by side: that takes a quarter less time where memory is the limit. Otherwise rows are read one after
//! the other: rows that are close together, or that have two operands, take a third longer side by side. Operands that
//! few caches hold are prefetched 3 KiB ahead. On a Zen 4 with 32 MB of cache that takes a fifth off a sum of products
//! of 80 MB and a fifteenth off one of 40 MB. It adds a tenth where a cache does hold them. AVX-512 folds the
//! accumulators of four blocks together. The order of each sum is the fixed one. Lanes that meet no term hold a zero
//! that leaves every bit as it is.
#![expect(unsafe_code, reason = "rows are addresses with strides, and vectors need their level")]

use super::kinds::{Formula, PairTerms, Plain, TermKind, TermOperands};
use super::simd::{Totals, blocks_of};
use super::terms::{LANES, Term, Total};
use super::vectors::{Doubles4, Doubles8, Singles8, Singles16, Vector};
use crate::exec::machine::Level;
use crate::kernel::BLOCK;
use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};

/// The sums of a kind of terms on a machine of some level, if it has vectors for them. `large` operands come from
/// memory.
pub(super) fn sums<T: VectorFloat, K: WideKind<T>>(level: Level, large: bool) -> Option<Totals<T>> {
    match (level, large) {
        (Level::Avx512, false) => Some(T::avx512::<K, false>),
        (Level::Avx512, true) => Some(T::avx512::<K, true>),
        (Level::Avx2, false) => Some(T::avx2::<K, false>),
        (Level::Avx2, true) => Some(T::avx2::<K, true>),
        (Level::Base | Level::Sse, _) => None,
    }
}

/// A float that vectors have lanes of.
pub(super) trait VectorFloat: Term<Total = Self> + Total {
    type Avx512: Vector<T = Self>;
    type Avx2: Vector<T = Self>;
    /// [`Totals`] with AVX-512.
    ///
    /// # Safety
    /// As for [`Totals`]. The machine has AVX-512 with the extensions BW, DQ and VL.
    unsafe fn avx512<K: VectorTerms<Self::Avx512>, const LARGE: bool>(
        from: TermOperands,
        to_next: [isize; 2],
        count: usize,
        rows: usize,
        out: *mut Self,
    );
    /// [`Totals`] with AVX2.
    ///
    /// # Safety
    /// As for [`Totals`]. The machine has AVX2.
    unsafe fn avx2<K: VectorTerms<Self::Avx2>, const LARGE: bool>(
        from: TermOperands,
        to_next: [isize; 2],
        count: usize,
        rows: usize,
        out: *mut Self,
    );
}

/// Terms of floats that are made in vectors of every level that has them.
pub(super) trait WideKind<T: VectorFloat>:
    TermKind<T = T> + VectorTerms<T::Avx512> + VectorTerms<T::Avx2>
{
}

impl<T: VectorFloat, K: TermKind<T = T> + VectorTerms<T::Avx512> + VectorTerms<T::Avx2>> WideKind<T> for K {}

/// Terms that are made in vectors.
pub(super) trait VectorTerms<V: Vector>: 'static {
    /// How many operands they are made of that differ from term to term.
    const OPERANDS: usize;
    /// A vector of terms, from an index on: all its lanes, or those of a mask.
    ///
    /// # Safety
    /// As for `FloatVector::load` or [`Vector::load_some`], from the index on in each operand. Of the number that
    /// distances are from, one element can be read.
    unsafe fn load(from: TermOperands, index: usize, mask: Option<V::Mask>) -> V;
}

/// A vector of the elements of an operand, from an index on: all its lanes, or those of a mask.
///
/// # Safety
/// As for `FloatVector::load` or [`Vector::load_some`], from the index on.
#[inline(always)]
unsafe fn elements<V: Vector>(from: *const u8, index: usize, mask: Option<V::Mask>) -> V {
    let first = from.cast::<V::T>().wrapping_add(index);
    // SAFETY: the caller promises the instructions, and the elements of these lanes.
    unsafe {
        match mask {
            None => V::load(first),
            Some(mask) => V::load_some(first, mask),
        }
    }
}

impl<V: Vector> VectorTerms<V> for Plain<V::T> {
    const OPERANDS: usize = 1;
    #[inline(always)]
    unsafe fn load(from: TermOperands, index: usize, mask: Option<V::Mask>) -> V {
        // SAFETY: the caller promises the elements of these lanes of the operand.
        unsafe { elements::<V>(from[0], index, mask) }
    }
}

impl<V: Vector, F: Formula, const ONE: bool> VectorTerms<V> for PairTerms<V::T, F, ONE> {
    const OPERANDS: usize = if ONE { 1 } else { 2 };
    #[inline(always)]
    unsafe fn load(from: TermOperands, index: usize, mask: Option<V::Mask>) -> V {
        // SAFETY: the caller promises the elements of these lanes of both operands, or the one element of the second.
        unsafe {
            let first = elements::<V>(from[0], index, mask);
            let second = match ONE {
                true => V::splat(from[1].cast::<V::T>().read_unaligned()),
                false => elements::<V>(from[1], index, mask),
            };
            F::of(first, second)
        }
    }
}

/// Rows of the first and of the second half are summed side by side if the halves are at least this many bytes apart.
const MIN_PAIRED_BYTES: usize = 64 << 10;

/// Bytes between what is summed and what is asked for from memory.
const PREFETCH_BYTES: usize = 3 << 10;
/// Bytes that memory gives at once.
const LINE: usize = 64;

/// Sums the blocks of rows, in `N` vectors for each; `LARGE` rows are asked for in advance.
///
/// # Safety
/// As for [`Totals`] and [`Vector`].
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "a loop of constant length")]
unsafe fn sum_rows<V: Vector<T: Total>, K: VectorTerms<V>, const N: usize, const LARGE: bool>(
    from: TermOperands,
    to_next: [isize; 2],
    count: usize,
    rows: usize,
    out: *mut V::T,
) {
    const { assert!(N * V::LEN == LANES) };
    let in_row = blocks_of(count);
    // A block by its number, and whether it is the last of its row.
    let block = |number: usize| -> (TermOperands, bool) {
        let (row, block) = if in_row == 1 { (number, 0) } else { (number / in_row, number % in_row) };
        let at = |operand: usize| {
            let begin = if operand < K::OPERANDS { block * BLOCK * size_of::<V::T>() } else { 0 };
            from[operand].wrapping_offset(to_next[operand].wrapping_mul(row as isize)).wrapping_add(begin)
        };
        ([at(0), at(1)], block + 1 == in_row)
    };
    // SAFETY: only registers are used, and the caller promises their instructions.
    let (whole, last) = unsafe { (TermCount::new(count.min(BLOCK)), TermCount::new(count - (in_row - 1) * BLOCK)) };
    let (half, blocks) = (rows / 2 * in_row, rows * in_row);
    let paired = K::OPERANDS == 1 && to_next[0].unsigned_abs().saturating_mul(rows / 2) >= MIN_PAIRED_BYTES;
    // As many of the first and of the second half.
    let mut done = 0;
    // SAFETY: every block has a number below `blocks`. The caller promises its terms and the place of its total.
    unsafe {
        if paired {
            while done < half {
                let two = half.min(done + 2) - done;
                let mut some = [V::splat(V::T::ZERO); 4];
                for index in 0..2 {
                    if index < two {
                        let ((near, is_last), (far, _)) = (block(done + index), block(half + done + index));
                        let terms = if is_last { last } else { whole };
                        [some[index], some[2 + index]] = lanes::<V, K, 2, N, LARGE>([near, far], terms);
                    }
                }
                let totals = V::totals(some);
                for index in 0..two {
                    *out.add(done + index) = totals[index];
                    *out.add(half + done + index) = totals[2 + index];
                }
                done += two;
            }
            done = 2 * half;
        }
        while done + 4 <= blocks {
            let mut some = [V::splat(V::T::ZERO); 4];
            for index in 0..4 {
                let (begin, is_last) = block(done + index);
                [some[index]] = lanes::<V, K, 1, N, LARGE>([begin], if is_last { last } else { whole });
            }
            out.add(done).cast::<[V::T; 4]>().write(V::totals(some));
            done += 4;
        }
        while done < blocks {
            let (begin, is_last) = block(done);
            let terms = if is_last { last } else { whole };
            out.add(done).cast::<[V::T; 1]>().write(V::totals(lanes::<V, K, 1, N, LARGE>([begin], terms)));
            done += 1;
        }
    }
}

/// How many terms a row has.
#[derive(Clone, Copy)]
struct TermCount<V: Vector, const N: usize> {
    /// The terms that fill all accumulators.
    whole: usize,
    /// How many of the accumulators the others reach, and which lanes of each.
    reached: usize,
    lanes: [V::Mask; N],
}

impl<V: Vector, const N: usize> TermCount<V, N> {
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    unsafe fn new(count: usize) -> Self {
        let (whole, rest) = (count / LANES * LANES, count % LANES);
        // SAFETY: only registers are used, and the caller promises their instructions.
        let mut lanes = unsafe { [V::first(0); N] };
        for (part, mask) in lanes.iter_mut().enumerate() {
            // SAFETY: only registers are used, and the caller promises their instructions.
            *mask = unsafe { V::first(rest.saturating_sub(part * V::LEN).min(V::LEN)) };
        }
        TermCount { whole, reached: rest.div_ceil(V::LEN), lanes }
    }
}

/// The accumulators of some rows, side by side, folded until they fill a vector for each.
///
/// # Safety
/// As for [`Vector`]. Each row has as many terms as `count` says, whose operands can be read, with any alignment.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "parts of several rows, in loops of constant length")]
unsafe fn lanes<V: Vector<T: Total>, K: VectorTerms<V>, const R: usize, const N: usize, const LARGE: bool>(
    rows: [TermOperands; R],
    count: TermCount<V, N>,
) -> [V; R] {
    // SAFETY: the caller promises the instructions and the terms of each row; indices are below their number.
    unsafe {
        let mut totals = [[V::splat(V::T::MINUS_ZERO); N]; R];
        let mut index = 0;
        while index < count.whole {
            for row in 0..R {
                for part in 0..N {
                    let first = index + part * V::LEN;
                    if LARGE && (part * V::LEN).is_multiple_of(LINE / size_of::<V::T>()) {
                        for operand in 0..K::OPERANDS {
                            let begin = rows[row][operand].wrapping_add(first * size_of::<V::T>());
                            _mm_prefetch::<_MM_HINT_T1>(begin.wrapping_add(PREFETCH_BYTES).cast());
                        }
                    }
                    totals[row][part] = totals[row][part] + K::load(rows[row], first, None);
                }
            }
            index += LANES;
        }
        for part in 0..N {
            if part == count.reached {
                break;
            }
            for row in 0..R {
                let terms = K::load(rows[row], index + part * V::LEN, Some(count.lanes[part]));
                totals[row][part] = totals[row][part].add_some(terms, count.lanes[part]);
            }
        }
        let mut folded = [totals[0][0]; R];
        for row in 0..R {
            let mut half = N / 2;
            while half > 0 {
                for part in 0..half {
                    totals[row][part] = totals[row][part] + totals[row][part + half];
                }
                half /= 2;
            }
            folded[row] = totals[row][0];
        }
        folded
    }
}

macro_rules! floats {
    ($($T:ident: $Avx512:ident in $n512:literal, $Avx2:ident in $n2:literal;)*) => {$(
        impl VectorFloat for $T {
            type Avx512 = $Avx512;
            type Avx2 = $Avx2;
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            unsafe fn avx512<K: VectorTerms<$Avx512>, const LARGE: bool>(
                from: TermOperands,
                to_next: [isize; 2],
                count: usize,
                rows: usize,
                out: *mut $T,
            ) {
                // SAFETY: the caller promises AVX-512, and the terms and the room that [`Totals`] asks for.
                unsafe { sum_rows::<$Avx512, K, $n512, LARGE>(from, to_next, count, rows, out) }
            }
            #[target_feature(enable = "avx2")]
            unsafe fn avx2<K: VectorTerms<$Avx2>, const LARGE: bool>(
                from: TermOperands,
                to_next: [isize; 2],
                count: usize,
                rows: usize,
                out: *mut $T,
            ) {
                // SAFETY: the caller promises AVX2, and the terms and the room that [`Totals`] asks for.
                unsafe { sum_rows::<$Avx2, K, $n2, LARGE>(from, to_next, count, rows, out) }
            }
        }
    )*};
}

floats! {
    f32: Singles16 in 2, Singles8 in 4;
    f64: Doubles8 in 4, Doubles4 in 8;
}
