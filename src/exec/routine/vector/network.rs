//! Few words sorted in registers: a bitonic network over up to eight vectors of 512 bits.
//!
//! ```text
//! each vector in itself          one vector with another, reversed      halves of each, down to neighbours
//! 5 1 7 3 → 1 3 5 7              1 3 5 7 │ 8 6 4 2 → 1 3 4 2 │ 8 6 5 7   1 2 3 4 │ 5 6 7 8
//! ```

use super::super::keys::SortBits;
use std::arch::x86_64::*;

/// Most vectors that a network sorts.
pub(super) const VECTORS: usize = 8;

/// Words that vectors of 512 bits hold, and what is done with such vectors.
///
/// # Safety
/// The machine has AVX-512. Pointers are valid for as many words as are said, up to a whole vector.
pub(super) unsafe trait Lanes: SortBits {
    /// How many a vector holds.
    const LANES: usize;
    /// So many words, and the largest behind them.
    unsafe fn load(from: *const Self, count: usize) -> __m512i;
    /// Writes so many words.
    unsafe fn store(to: *mut Self, count: usize, vector: __m512i);
    /// The smaller words.
    unsafe fn smaller(a: __m512i, b: __m512i) -> __m512i;
    /// The larger words.
    unsafe fn larger(a: __m512i, b: __m512i) -> __m512i;
    /// Each word changes places with the one whose number differs in the bits of `X`.
    unsafe fn swapped<const X: usize>(vector: __m512i) -> __m512i;
    /// The words of `b` where their number has the highest bit of `X`, else those of `a`.
    unsafe fn chosen<const X: usize>(a: __m512i, b: __m512i) -> __m512i;
    /// A mask of the words below a pivot, or not above it with `OR_EQUAL`.
    unsafe fn below<const OR_EQUAL: bool>(vector: __m512i, pivot: Self) -> u16;
    /// The words of a mask moved together.
    unsafe fn packed(mask: u16, vector: __m512i) -> __m512i;
}

/// The low bits of a mask of lanes.
pub(super) fn first(count: usize) -> u16 {
    if count >= 16 { u16::MAX } else { (1 << count) - 1 }
}

/// The numbers of lanes with the bits of `x` changed, of eight or sixteen.
const fn others(x: usize, lanes: usize) -> [u32; 16] {
    let mut numbers = [0; 16];
    let mut at = 0;
    while at < 16 {
        // Words of 64 bits have numbers of 64 bits, the low halves of which come first.
        numbers[at] = match lanes {
            16 => (at ^ x) as u32,
            _ if at % 2 == 0 => ((at / 2) ^ x) as u32,
            _ => 0,
        };
        at += 1;
    }
    numbers
}

/// The lanes whose number has the highest bit of `x`.
const fn upper(x: usize) -> u16 {
    let (mut mask, mut at) = (0, 0);
    while at < 16 {
        if at & (1 << x.ilog2()) != 0 {
            mask |= 1 << at;
        }
        at += 1;
    }
    mask
}

macro_rules! lanes {
    ($($W:ident $I:ident $lanes:literal $Mask:ident $splat:ident $load:ident $store:ident $min:ident $max:ident
       $permute:ident $blend:ident $less:ident $at_most:ident $compress:ident;)*) => {$(
        // SAFETY: the operations do what their names say.
        unsafe impl Lanes for $W {
            const LANES: usize = $lanes;
            #[inline(always)]
            unsafe fn load(from: *const Self, count: usize) -> __m512i {
                // SAFETY: the caller's promise; lanes that are masked out are not read.
                unsafe { $load($splat(-1), first(count) as $Mask, from.cast()) }
            }
            #[inline(always)]
            unsafe fn store(to: *mut Self, count: usize, vector: __m512i) {
                // SAFETY: the caller's promise; lanes that are masked out are not written.
                unsafe { $store(to.cast(), first(count) as $Mask, vector) }
            }
            #[inline(always)]
            unsafe fn smaller(a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: the caller's promise.
                unsafe { $min(a, b) }
            }
            #[inline(always)]
            unsafe fn larger(a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: the caller's promise.
                unsafe { $max(a, b) }
            }
            #[inline(always)]
            unsafe fn swapped<const X: usize>(vector: __m512i) -> __m512i {
                let numbers = const { others(X, $lanes) };
                // SAFETY: the caller's promise; the numbers fill a vector.
                unsafe { $permute(_mm512_loadu_epi32(numbers.as_ptr().cast()), vector) }
            }
            #[inline(always)]
            unsafe fn chosen<const X: usize>(a: __m512i, b: __m512i) -> __m512i {
                // SAFETY: the caller's promise.
                unsafe { $blend(const { upper(X) } as $Mask, a, b) }
            }
            #[inline(always)]
            unsafe fn below<const OR_EQUAL: bool>(vector: __m512i, pivot: Self) -> u16 {
                // SAFETY: the caller's promise.
                unsafe {
                    let pivot = $splat(pivot as $I);
                    u16::from(if OR_EQUAL { $at_most(vector, pivot) } else { $less(vector, pivot) })
                }
            }
            #[inline(always)]
            unsafe fn packed(mask: u16, vector: __m512i) -> __m512i {
                // SAFETY: the caller's promise.
                unsafe { $compress(mask as $Mask, vector) }
            }
        }
    )*};
}

lanes! {
    u32 i32 16 __mmask16 _mm512_set1_epi32 _mm512_mask_loadu_epi32 _mm512_mask_storeu_epi32 _mm512_min_epu32 _mm512_max_epu32
        _mm512_permutexvar_epi32 _mm512_mask_blend_epi32 _mm512_cmplt_epu32_mask _mm512_cmple_epu32_mask _mm512_maskz_compress_epi32;
    u64 i64 8 __mmask8 _mm512_set1_epi64 _mm512_mask_loadu_epi64 _mm512_mask_storeu_epi64 _mm512_min_epu64 _mm512_max_epu64
        _mm512_permutexvar_epi64 _mm512_mask_blend_epi64 _mm512_cmplt_epu64_mask _mm512_cmple_epu64_mask _mm512_maskz_compress_epi64;
}

/// Sorts up to [`VECTORS`] vectors of words into a place, which may be where they are.
///
/// # Safety
/// Both are valid for so many words, and the machine has AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) unsafe fn sort<W: Lanes>(from: *const W, to: *mut W, count: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        match count.div_ceil(W::LANES) {
            0 | 1 => sort_of::<W, 1>(from, to, count),
            2 => sort_of::<W, 2>(from, to, count),
            3 | 4 => sort_of::<W, 4>(from, to, count),
            _ => sort_of::<W, VECTORS>(from, to, count),
        }
    }
}

#[inline(always)]
unsafe fn sort_of<W: Lanes, const K: usize>(from: *const W, to: *mut W, count: usize) {
    // SAFETY: the caller's promise: each vector reads and writes what is left of the words.
    unsafe {
        let start = |nth: usize| (nth * W::LANES).min(count);
        let mut vectors = [W::load(from, count); K];
        for (nth, vector) in vectors.iter_mut().enumerate() {
            *vector = sorted::<W>(W::load(from.add(start(nth)), count - start(nth)));
        }
        let mut width = 1;
        while width < K {
            for at in (0..K).step_by(2 * width) {
                merge::<W, K>(&mut vectors, at, width);
            }
            width *= 2;
        }
        for (nth, vector) in vectors.into_iter().enumerate() {
            W::store(to.add(start(nth)), count - start(nth), vector);
        }
    }
}

/// Merges `width` vectors in order from `at` on with as many behind them.
#[inline(always)]
unsafe fn merge<W: Lanes, const K: usize>(vectors: &mut [__m512i; K], at: usize, width: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let before = *vectors;
        for nth in 0..width {
            let (low, high) = (before[at + nth], before[at + 2 * width - 1 - nth]);
            let high = if W::LANES == 16 { W::swapped::<15>(high) } else { W::swapped::<7>(high) };
            vectors[at + nth] = W::smaller(low, high);
            vectors[at + width + nth] = W::larger(low, high);
        }
        let mut step = width / 2;
        while step > 0 {
            for group in (at..at + 2 * width).step_by(2 * step) {
                for nth in group..group + step {
                    let (low, high) = (vectors[nth], vectors[nth + step]);
                    vectors[nth] = W::smaller(low, high);
                    vectors[nth + step] = W::larger(low, high);
                }
            }
            step /= 2;
        }
        for vector in &mut vectors[at..at + 2 * width] {
            *vector = halves::<W>(*vector);
        }
    }
}

/// Puts the smaller of two words that change places first.
#[inline(always)]
unsafe fn exchanged<W: Lanes, const X: usize>(vector: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        let other = W::swapped::<X>(vector);
        W::chosen::<X>(W::smaller(vector, other), W::larger(vector, other))
    }
}

/// A vector in order.
#[inline(always)]
unsafe fn sorted<W: Lanes>(mut vector: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        vector = exchanged::<W, 1>(vector);
        vector = exchanged::<W, 1>(exchanged::<W, 3>(vector));
        vector = exchanged::<W, 1>(exchanged::<W, 2>(exchanged::<W, 7>(vector)));
        if W::LANES == 16 {
            vector = exchanged::<W, 4>(exchanged::<W, 15>(vector));
            vector = exchanged::<W, 1>(exchanged::<W, 2>(vector));
        }
        vector
    }
}

/// A vector in order that rises and then falls.
#[inline(always)]
unsafe fn halves<W: Lanes>(mut vector: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        if W::LANES == 16 {
            vector = exchanged::<W, 8>(vector);
        }
        exchanged::<W, 1>(exchanged::<W, 2>(exchanged::<W, 4>(vector)))
    }
}
