//! Sums of floats along rows, with the vectors of AVX-512 and AVX2 spelled out.
//!
//! Many rows are summed in one call: of a matrix, or the blocks of one long row. They are read as memory likes it: rows
//! of one operand from two places that are far apart, side by side, which takes a quarter less time than from one where
//! memory is the limit; otherwise one after the other, as rows side by side that are close together, or of two operands,
//! take a third longer. Within the caches it does not matter. AVX-512 folds the accumulators of four rows together. The
//! order of each sum is the fixed one; lanes that meet no term hold a zero that leaves every bit as it is.

use super::kinds::{Difference, Distance, Operands, Plain, Product};
use super::simd::{LANES, Level, Totals};
use super::terms::{Term, Total};
use super::vectors::Vector;
use std::arch::x86_64::{__m256, __m256d, __m512, __m512d};

/// The sums of a kind of terms on a machine of some level, if it has vectors for them.
pub(super) fn sums<T: Float, K: Made<T::Avx512> + Made<T::Avx2>>(level: Level) -> Option<Totals<T>> {
    match level {
        Level::Avx512 => Some(T::avx512::<K>),
        Level::Avx2 => Some(T::avx2::<K>),
        Level::Base => None,
    }
}

/// A float that vectors have lanes of.
pub(super) trait Float: Term<Total = Self> + Total {
    type Avx512: Vector<T = Self>;
    type Avx2: Vector<T = Self>;
    /// [`Totals`] with AVX-512.
    ///
    /// # Safety
    /// As said there; the machine has it.
    unsafe fn avx512<K: Made<Self::Avx512>>(
        from: Operands,
        to_next: [isize; 2],
        count: usize,
        rows: usize,
        out: *mut Self,
    );
    /// [`Totals`] with AVX2.
    ///
    /// # Safety
    /// As said there; the machine has it.
    unsafe fn avx2<K: Made<Self::Avx2>>(from: Operands, to_next: [isize; 2], count: usize, rows: usize, out: *mut Self);
}

/// Terms that are made in vectors.
pub(super) trait Made<V: Vector>: 'static {
    /// How many operands they are made of that differ from term to term.
    const OPERANDS: usize;
    /// A vector of terms, from an index on.
    ///
    /// # Safety
    /// As for [`Vector`].
    unsafe fn load(from: Operands, index: usize) -> V;
    /// Some of its lanes only.
    ///
    /// # Safety
    /// As for [`Vector`].
    unsafe fn load_some(from: Operands, index: usize, mask: V::Mask) -> V;
}

macro_rules! made {
    ($($name:ident of $operands:literal, |$load:ident, $from:ident, $V:ident| $term:expr;)*) => {$(
        impl<$V: Vector> Made<$V> for $name<$V::T> {
            const OPERANDS: usize = $operands;
            #[inline(always)]
            unsafe fn load($from: Operands, index: usize) -> $V {
                macro_rules! $load {
                    ($operand:literal) => {
                        $V::load($from[$operand].cast::<$V::T>().wrapping_add(index))
                    };
                }
                // SAFETY: the caller's promise.
                unsafe { $term }
            }
            #[inline(always)]
            unsafe fn load_some($from: Operands, index: usize, mask: $V::Mask) -> $V {
                macro_rules! $load {
                    ($operand:literal) => {
                        $V::load_some($from[$operand].cast::<$V::T>().wrapping_add(index), mask)
                    };
                }
                // SAFETY: the caller's promise.
                unsafe { $term }
            }
        }
    )*};
}

made! {
    Plain of 1, |load, from, V| load!(0);
    Product of 2, |load, from, V| load!(0).mul(load!(1));
    Difference of 2, |load, from, V| square(load!(0).sub(load!(1)));
    Distance of 1, |load, from, V| square(load!(0).sub(V::splat(from[1].cast::<V::T>().read_unaligned())));
}

#[inline(always)]
unsafe fn square<V: Vector>(value: V) -> V {
    // SAFETY: the caller's promise.
    unsafe { value.mul(value) }
}

/// Two places that are so many bytes apart are far apart.
const FAR: usize = 64 << 10;

/// Sums rows, in `N` vectors for each.
///
/// # Safety
/// As for [`Totals`] and [`Vector`].
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "a loop of constant length")]
unsafe fn sum_rows<V: Vector<T: Total>, K: Made<V>, const N: usize>(
    from: Operands,
    to_next: [isize; 2],
    count: usize,
    rows: usize,
    out: *mut V::T,
) {
    const { assert!(N * V::LEN == LANES) };
    let row = |number: usize| -> Operands {
        let at = |operand: usize| from[operand].wrapping_offset(to_next[operand].wrapping_mul(number as isize));
        [at(0), at(1)]
    };
    // SAFETY: the caller's promise.
    let terms = unsafe { Count::new(count) };
    let half = rows / 2;
    let paired = K::OPERANDS == 1 && to_next[0].unsigned_abs().saturating_mul(half) >= FAR;
    // As many of the first and of the second half.
    let mut done = 0;
    // SAFETY: the caller's promise.
    unsafe {
        if paired {
            while done + 2 <= half {
                let [a, c] = lanes::<V, K, 2, N>([row(done), row(half + done)], terms);
                let [b, d] = lanes::<V, K, 2, N>([row(done + 1), row(half + done + 1)], terms);
                let mut totals = [V::T::ZERO; 4];
                V::totals::<4>([a, b, c, d], totals.as_mut_ptr());
                out.add(done).cast::<[V::T; 2]>().write_unaligned([totals[0], totals[1]]);
                out.add(half + done).cast::<[V::T; 2]>().write_unaligned([totals[2], totals[3]]);
                done += 2;
            }
            if done < half {
                let mut totals = [V::T::ZERO; 2];
                V::totals::<2>(lanes::<V, K, 2, N>([row(done), row(half + done)], terms), totals.as_mut_ptr());
                *out.add(done) = totals[0];
                *out.add(half + done) = totals[1];
            }
            done = 2 * half;
        }
        while done + 4 <= rows {
            let mut some = [V::splat(V::T::ZERO); 4];
            for index in 0..4 {
                [some[index]] = lanes::<V, K, 1, N>([row(done + index)], terms);
            }
            V::totals::<4>(some, out.add(done));
            done += 4;
        }
        while done < rows {
            V::totals::<1>(lanes::<V, K, 1, N>([row(done)], terms), out.add(done));
            done += 1;
        }
    }
}

/// How many terms a row has.
#[derive(Clone, Copy)]
struct Count<V: Vector, const N: usize> {
    /// Those that fill all accumulators.
    whole: usize,
    /// How many of the accumulators the others reach, and which lanes of each.
    reached: usize,
    lanes: [V::Mask; N],
}

impl<V: Vector, const N: usize> Count<V, N> {
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    unsafe fn new(count: usize) -> Self {
        let (whole, rest) = (count / LANES * LANES, count % LANES);
        // SAFETY: the caller's promise.
        let mut lanes = unsafe { [V::first(0); N] };
        for (part, mask) in lanes.iter_mut().enumerate() {
            // SAFETY: the caller's promise.
            *mask = unsafe { V::first(rest.saturating_sub(part * V::LEN).min(V::LEN)) };
        }
        Count { whole, reached: rest.div_ceil(V::LEN), lanes }
    }
}

/// The accumulators of some rows, side by side, folded until they fill a vector for each.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "parts of several rows, in loops of constant length")]
unsafe fn lanes<V: Vector<T: Total>, K: Made<V>, const R: usize, const N: usize>(
    rows: [Operands; R],
    count: Count<V, N>,
) -> [V; R] {
    // SAFETY: the caller's promise; indices are below the number of terms.
    unsafe {
        let mut totals = [[V::splat(V::T::MINUS_ZERO); N]; R];
        let mut index = 0;
        while index < count.whole {
            for row in 0..R {
                for part in 0..N {
                    totals[row][part] = totals[row][part].add(K::load(rows[row], index + part * V::LEN));
                }
            }
            index += LANES;
        }
        for part in 0..N {
            if part == count.reached {
                break;
            }
            for row in 0..R {
                let terms = K::load_some(rows[row], index + part * V::LEN, count.lanes[part]);
                totals[row][part] = totals[row][part].add_some(terms, count.lanes[part]);
            }
        }
        let mut folded = [totals[0][0]; R];
        for row in 0..R {
            let mut half = N / 2;
            while half > 0 {
                for part in 0..half {
                    totals[row][part] = totals[row][part].add(totals[row][part + half]);
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
        impl Float for $T {
            type Avx512 = $Avx512;
            type Avx2 = $Avx2;
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            unsafe fn avx512<K: Made<$Avx512>>(
                from: Operands,
                to_next: [isize; 2],
                count: usize,
                rows: usize,
                out: *mut $T,
            ) {
                // SAFETY: the caller's promise.
                unsafe { sum_rows::<$Avx512, K, $n512>(from, to_next, count, rows, out) }
            }
            #[target_feature(enable = "avx2")]
            unsafe fn avx2<K: Made<$Avx2>>(
                from: Operands,
                to_next: [isize; 2],
                count: usize,
                rows: usize,
                out: *mut $T,
            ) {
                // SAFETY: the caller's promise.
                unsafe { sum_rows::<$Avx2, K, $n2>(from, to_next, count, rows, out) }
            }
        }
    )*};
}

floats! {
    f32: __m512 in 2, __m256 in 4;
    f64: __m512d in 4, __m256d in 8;
}
