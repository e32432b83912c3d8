//! Sums of floats along rows, with the vectors of AVX-512 and AVX2 spelled out.
//!
//! Many rows are summed in one call: of a matrix, or the blocks of one long row. They are read one after the other, as
//! memory likes it (four side by side take half as long again where memory is the limit, and gain nothing in the second
//! cache), and AVX-512 folds the accumulators of four rows together. The order of each sum is the fixed one; lanes that
//! meet no term hold a zero that leaves every bit as it is.

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
    /// A vector of terms, from an index on.
    ///
    /// # Safety
    /// As for [`Vector`].
    unsafe fn load(from: Operands, index: usize) -> V;
    /// Its first lanes only.
    ///
    /// # Safety
    /// As for [`Vector`].
    unsafe fn load_first(from: Operands, index: usize, lanes: usize) -> V;
}

macro_rules! made {
    ($($name:ident, |$load:ident, $from:ident, $V:ident| $term:expr;)*) => {$(
        impl<$V: Vector> Made<$V> for $name<$V::T> {
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
            unsafe fn load_first($from: Operands, index: usize, lanes: usize) -> $V {
                macro_rules! $load {
                    ($operand:literal) => {
                        $V::load_first($from[$operand].cast::<$V::T>().wrapping_add(index), lanes)
                    };
                }
                // SAFETY: the caller's promise.
                unsafe { $term }
            }
        }
    )*};
}

made! {
    Plain, |load, from, V| load!(0);
    Product, |load, from, V| load!(0).mul(load!(1));
    Difference, |load, from, V| square(load!(0).sub(load!(1)));
    Distance, |load, from, V| square(load!(0).sub(V::splat(from[1].cast::<V::T>().read_unaligned())));
}

#[inline(always)]
unsafe fn square<V: Vector>(value: V) -> V {
    // SAFETY: the caller's promise.
    unsafe { value.mul(value) }
}

/// Sums rows, in `N` vectors for each, and folds the totals of `R` at a time.
///
/// # Safety
/// As for [`Totals`] and [`Vector`].
#[inline(always)]
unsafe fn sum_rows<V: Vector<T: Total>, K: Made<V>, const R: usize, const N: usize>(
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
    let mut done = 0;
    // SAFETY: the caller's promise.
    unsafe {
        while done + R <= rows {
            let mut some = [V::splat(V::T::ZERO); R];
            for index in 0..R {
                some[index] = lanes::<V, K, N>(row(done + index), count);
            }
            V::totals::<R>(some, out.add(done));
            done += R;
        }
        while done < rows {
            V::totals::<1>([lanes::<V, K, N>(row(done), count)], out.add(done));
            done += 1;
        }
    }
}

/// The accumulators of a row, folded until they fill a vector.
#[inline(always)]
unsafe fn lanes<V: Vector<T: Total>, K: Made<V>, const N: usize>(row: Operands, count: usize) -> V {
    // SAFETY: the caller's promise; indices are below `count`.
    unsafe {
        let mut totals = [V::splat(V::T::MINUS_ZERO); N];
        let mut index = 0;
        while index + LANES <= count {
            for part in 0..N {
                totals[part] = totals[part].add(K::load(row, index + part * V::LEN));
            }
            index += LANES;
        }
        for part in 0..N {
            // Perhaps none.
            let lanes = (count - index).saturating_sub(part * V::LEN).min(V::LEN);
            totals[part] = totals[part].add_first(K::load_first(row, index + part * V::LEN, lanes), lanes);
        }
        let mut half = N / 2;
        while half > 0 {
            for part in 0..half {
                totals[part] = totals[part].add(totals[part + half]);
            }
            half /= 2;
        }
        totals[0]
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
                unsafe { sum_rows::<$Avx512, K, 4, $n512>(from, to_next, count, rows, out) }
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
                unsafe { sum_rows::<$Avx2, K, 1, $n2>(from, to_next, count, rows, out) }
            }
        }
    )*};
}

floats! {
    f32: __m512 in 2, __m256 in 4;
    f64: __m512d in 4, __m256d in 8;
}
