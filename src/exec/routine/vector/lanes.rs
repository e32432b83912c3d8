//! Vectors of words, of 512 bits or of 256, as sorting uses them.
#![expect(unsafe_code, reason = "intrinsics need their level, and load from addresses")]

use super::super::keys::SortBits;
#[allow(clippy::wildcard_imports, reason = "most of what stands here are intrinsics")]
use std::arch::x86_64::*;
use std::marker::PhantomData;

/// A vector of 512 bits. There is one only where the machine has AVX-512 with the extensions BW, DQ and VL: whoever
/// [loads](WordLanes::load) it knows that.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Vector512(__m512i);

/// A vector of 256 bits. There is one only where the machine has AVX2: whoever [loads](WordLanes::load) it knows that.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Vector256(__m256i);

/// Words in vectors of one width, and what is done with such vectors.
///
/// # Safety
/// A type that implements it has `LANES` words in a vector, which are 4, 8 or 16, and functions that do what is said.
///
/// Whoever calls a function that is unsafe knows this: the machine has the level of the width, AVX-512 with the
/// extensions BW, DQ and VL or AVX2. A pointer is valid for `count` words, or for a whole vector if that is less, with
/// any alignment. The two places of [`WordLanes::split`] are as long as each other.
pub(super) unsafe trait WordLanes {
    type Word: SortBits;
    type Vector: Copy;
    /// How many words a vector holds.
    const LANES: usize;
    /// A vector of `count` words, with the largest word in the lanes behind them.
    /// See the safety of [`WordLanes`].
    unsafe fn load(from: *const Self::Word, count: usize) -> Self::Vector;
    /// Writes the first `count` words.
    /// See the safety of [`WordLanes`].
    unsafe fn store(to: *mut Self::Word, count: usize, vector: Self::Vector);
    /// The smaller words.
    fn smaller(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The larger words.
    fn larger(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Each word changes places with the one whose number differs in the bits of `X`.
    fn swapped<const X: usize>(vector: Self::Vector) -> Self::Vector;
    /// The smaller of two words that so change places first.
    fn exchanged<const X: usize>(vector: Self::Vector) -> Self::Vector;
    /// Moves words to the front of another place if they are below a pivot, or not above it with `OR_EQUAL`, else to
    /// its end. Returns how many are at the front. The places are as long as each other.
    /// See the safety of [`WordLanes`].
    unsafe fn split<const OR_EQUAL: bool>(from: &[Self::Word], to: &mut [Self::Word], pivot: Self::Word) -> usize;
}

/// Words of 512 bits at a time.
pub(super) struct Lanes512<W>(PhantomData<W>);

/// Words of 256 bits at a time.
pub(super) struct Lanes256<W>(PhantomData<W>);

/// The low bits of a mask of lanes.
fn first(count: usize) -> u16 {
    if count >= 16 { u16::MAX } else { (1 << count) - 1 }
}

/// For each lane of 32 bits the one that it takes when the bits of `x` are changed in the numbers of words. A vector
/// has `lanes` words.
const fn others<const PARTS: usize>(x: usize, lanes: usize) -> [u32; PARTS] {
    let (mut numbers, mut at, parts) = ([0; PARTS], 0, PARTS / lanes);
    while at < PARTS {
        numbers[at] = (((at / parts) ^ x) * parts + at % parts) as u32;
        at += 1;
    }
    numbers
}

/// For each lane of 32 bits all bits if the number of its word has the highest bit of `x`, else none.
const fn upper<const PARTS: usize>(x: usize, lanes: usize) -> [u32; PARTS] {
    let (mut mask, mut at) = ([0; PARTS], 0);
    while at < PARTS {
        if (at / (PARTS / lanes)) & (1 << x.ilog2()) != 0 {
            mask[at] = u32::MAX;
        }
        at += 1;
    }
    mask
}

macro_rules! lanes512 {
    ($($W:ident $I:ident $lanes:literal $Mask:ident $splat:ident $load:ident $store:ident $min:ident $max:ident
       $less:ident $at_most:ident $compress:ident;)*) => {$(
        // SAFETY: the operations do what their names say.
        unsafe impl WordLanes for Lanes512<$W> {
            type Word = $W;
            type Vector = Vector512;
            const LANES: usize = $lanes;
            #[inline(always)]
            unsafe fn load(from: *const $W, count: usize) -> Vector512 {
                // SAFETY: the caller promises AVX-512 and `count` words; lanes that are masked out are not read.
                Vector512(unsafe { $load($splat(-1), first(count) as $Mask, from.cast()) })
            }
            #[inline(always)]
            unsafe fn store(to: *mut $W, count: usize, vector: Vector512) {
                // SAFETY: the caller promises room for `count` words; lanes that are masked out are not written.
                unsafe { $store(to.cast(), first(count) as $Mask, vector.0) }
            }
            #[inline(always)]
            fn smaller(a: Vector512, b: Vector512) -> Vector512 {
                // SAFETY: only registers are used; there are vectors, and so there is AVX-512.
                Vector512(unsafe { $min(a.0, b.0) })
            }
            #[inline(always)]
            fn larger(a: Vector512, b: Vector512) -> Vector512 {
                // SAFETY: only registers are used; there are vectors, and so there is AVX-512.
                Vector512(unsafe { $max(a.0, b.0) })
            }
            #[inline(always)]
            fn swapped<const X: usize>(vector: Vector512) -> Vector512 {
                let numbers = const { others::<16>(X, $lanes) };
                // SAFETY: there is a vector, and so there is AVX-512; the numbers fill another.
                Vector512(unsafe { _mm512_permutexvar_epi32(_mm512_loadu_epi32(numbers.as_ptr().cast()), vector.0) })
            }
            #[inline(always)]
            fn exchanged<const X: usize>(vector: Vector512) -> Vector512 {
                let upper = const { upper::<16>(X, $lanes) };
                let other = Self::swapped::<X>(vector);
                let (smaller, larger) = (Self::smaller(vector, other).0, Self::larger(vector, other).0);
                // SAFETY: there is a vector, and so there is AVX-512; the mask fills another.
                Vector512(unsafe {
                    _mm512_ternarylogic_epi32::<0xca>(_mm512_loadu_epi32(upper.as_ptr().cast()), larger, smaller)
                })
            }
            #[inline(always)]
            unsafe fn split<const OR_EQUAL: bool>(from: &[$W], to: &mut [$W], pivot: $W) -> usize {
                let (mut front, mut end) = (0, to.len());
                for part in from.chunks($lanes) {
                    let all = first(part.len()) as $Mask;
                    // SAFETY: a part has at most as many words as a vector; front and end never pass each other, for
                    // each word goes to one of them once.
                    unsafe {
                        let vector = $load($splat(-1), all, part.as_ptr().cast());
                        let pivot = $splat(pivot as $I);
                        let below = if OR_EQUAL { $at_most(vector, pivot) } else { $less(vector, pivot) } & all;
                        let count = below.count_ones() as usize;
                        Self::store(to.as_mut_ptr().add(front), count, Vector512($compress(below, vector)));
                        front += count;
                        end -= part.len() - count;
                        let above = Vector512($compress(!below & all, vector));
                        Self::store(to.as_mut_ptr().add(end), part.len() - count, above);
                    }
                }
                front
            }
        }
    )*};
}

lanes512! {
    u32 i32 16 __mmask16 _mm512_set1_epi32 _mm512_mask_loadu_epi32 _mm512_mask_storeu_epi32 _mm512_min_epu32 _mm512_max_epu32
        _mm512_cmplt_epu32_mask _mm512_cmple_epu32_mask _mm512_maskz_compress_epi32;
    u64 i64 8 __mmask8 _mm512_set1_epi64 _mm512_mask_loadu_epi64 _mm512_mask_storeu_epi64 _mm512_min_epu64 _mm512_max_epu64
        _mm512_cmplt_epu64_mask _mm512_cmple_epu64_mask _mm512_maskz_compress_epi64;
}

/// For each mask of `lanes` lanes the lanes that it keeps, moved together, and then the others. Lanes are told as their
/// parts of 32 bits.
const fn moves(lanes: usize) -> [[u32; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let (mut mask, parts) = (0, 8 / lanes);
    while mask < 1 << lanes {
        let (mut pass, mut at) = (0, 0);
        while pass < 2 {
            let mut lane = 0;
            while lane < lanes {
                if (mask & (1 << lane) != 0) == (pass == 0) {
                    let mut part = 0;
                    while part < parts {
                        table[mask][at] = (lane * parts + part) as u32;
                        at += 1;
                        part += 1;
                    }
                }
                lane += 1;
            }
            pass += 1;
        }
        mask += 1;
    }
    table
}

/// Of eight lanes, and of four.
static MOVES: [[[u32; 8]; 256]; 2] = [moves(8), moves(4)];

/// The words that a mask keeps, moved together, and then the others; a vector has four of 64 bits, or eight of 32.
///
/// # Safety
/// The machine has AVX2, and the mask has no more bits than lanes.
#[inline(always)]
pub(super) unsafe fn together<const LANES: usize>(mask: usize, vector: __m256i) -> __m256i {
    // SAFETY: the caller promises AVX2; a mask of `LANES` lanes is a place in the table.
    unsafe {
        let moves = MOVES[usize::from(LANES == 4)].get_unchecked(mask);
        _mm256_permutevar8x32_epi32(vector, _mm256_loadu_si256(moves.as_ptr().cast()))
    }
}

/// All bits in each of the first `count` lanes of 32 bits, and none in the others.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn lanes_before(count: usize) -> __m256i {
    // SAFETY: only registers are used, and the caller promises AVX2.
    unsafe { _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)) }
}

macro_rules! lanes256 {
    ($($W:ident $I:ident $lanes:literal $parts:literal $splat:ident $greater:ident $moved_mask:ident $cast:ident,
       |$a:ident, $b:ident| $min:expr, $max:expr;)*) => {$(
        impl Lanes256<$W> {
            /// Words whose order is that of signed integers, or back: the level compares no others.
            #[inline(always)]
            fn flipped(vector: Vector256) -> Vector256 {
                // SAFETY: only registers are used; there is a vector, and so there is AVX2.
                Vector256(unsafe { _mm256_xor_si256(vector.0, $splat($I::MIN)) })
            }
        }
        // SAFETY: the operations do what their names say.
        unsafe impl WordLanes for Lanes256<$W> {
            type Word = $W;
            /// Of flipped words.
            type Vector = Vector256;
            const LANES: usize = $lanes;
            #[inline(always)]
            unsafe fn load(from: *const $W, count: usize) -> Vector256 {
                // SAFETY: the caller promises AVX2 and `count` words; lanes that are masked out are not read.
                let vector = unsafe {
                    if count >= $lanes {
                        _mm256_loadu_si256(from.cast())
                    } else {
                        let read = lanes_before(count * $parts);
                        let rest = _mm256_xor_si256(read, _mm256_set1_epi32(-1));
                        _mm256_or_si256(_mm256_maskload_epi32(from.cast(), read), rest)
                    }
                };
                Self::flipped(Vector256(vector))
            }
            #[inline(always)]
            unsafe fn store(to: *mut $W, count: usize, vector: Vector256) {
                let vector = Self::flipped(vector).0;
                // SAFETY: the caller promises room for `count` words; lanes that are masked out are not written.
                unsafe {
                    if count >= $lanes {
                        _mm256_storeu_si256(to.cast(), vector);
                    } else if count > 0 {
                        _mm256_maskstore_epi32(to.cast(), lanes_before(count * $parts), vector);
                    }
                }
            }
            #[inline(always)]
            fn smaller(a: Vector256, b: Vector256) -> Vector256 {
                let ($a, $b) = (a.0, b.0);
                // SAFETY: only registers are used; there are vectors, and so there is AVX2.
                Vector256(unsafe { $min })
            }
            #[inline(always)]
            fn larger(a: Vector256, b: Vector256) -> Vector256 {
                let ($a, $b) = (a.0, b.0);
                // SAFETY: only registers are used; there are vectors, and so there is AVX2.
                Vector256(unsafe { $max })
            }
            #[inline(always)]
            fn swapped<const X: usize>(vector: Vector256) -> Vector256 {
                let numbers = const { others::<8>(X, $lanes) };
                // SAFETY: there is a vector, and so there is AVX2; the numbers fill another.
                Vector256(unsafe {
                    _mm256_permutevar8x32_epi32(vector.0, _mm256_loadu_si256(numbers.as_ptr().cast()))
                })
            }
            #[inline(always)]
            fn exchanged<const X: usize>(vector: Vector256) -> Vector256 {
                let upper = const { upper::<8>(X, $lanes) };
                let (vector, other) = (vector.0, Self::swapped::<X>(vector).0);
                // SAFETY: there is a vector, and so there is AVX2; the mask fills another.
                Vector256(unsafe {
                    // The upper one keeps the larger word; which of two equal ones it keeps does not matter.
                    let takes = _mm256_xor_si256($greater(vector, other), _mm256_loadu_si256(upper.as_ptr().cast()));
                    _mm256_blendv_epi8(vector, other, takes)
                })
            }
            #[inline(always)]
            unsafe fn split<const OR_EQUAL: bool>(from: &[$W], to: &mut [$W], pivot: $W) -> usize {
                let (mut front, mut end, mut at) = (0, to.len(), 0);
                // Both ends get a whole vector, the front its words below and the end its other words, so that there is
                // room for two.
                while at + 2 * $lanes <= from.len() {
                    // SAFETY: as many places are free between front and end as words are left.
                    unsafe {
                        let vector = _mm256_loadu_si256(from.as_ptr().add(at).cast());
                        let word = Self::flipped(Vector256(vector)).0;
                        let pivot = Self::flipped(Vector256($splat(pivot as $I))).0;
                        let apart = if OR_EQUAL { $greater(word, pivot) } else { $greater(pivot, word) };
                        let mask = $moved_mask($cast(apart)) as usize;
                        let below = if OR_EQUAL { mask ^ ((1 << $lanes) - 1) } else { mask };
                        let parted = together::<$lanes>(below, vector);
                        _mm256_storeu_si256(to.as_mut_ptr().add(front).cast(), parted);
                        _mm256_storeu_si256(to.as_mut_ptr().add(end - $lanes).cast(), parted);
                        let count = below.count_ones() as usize;
                        front += count;
                        end -= $lanes - count;
                        at += $lanes;
                    }
                }
                for &word in &from[at..] {
                    let below = if OR_EQUAL { word <= pivot } else { word < pivot };
                    // SAFETY: a place is free for each word that is left.
                    unsafe {
                        *to.get_unchecked_mut(front) = word;
                        *to.get_unchecked_mut(end - 1) = word;
                    }
                    front += usize::from(below);
                    end -= usize::from(!below);
                }
                front
            }
        }
    )*};
}

lanes256! {
    u32 i32 8 1 _mm256_set1_epi32 _mm256_cmpgt_epi32 _mm256_movemask_ps _mm256_castsi256_ps,
        |a, b| _mm256_min_epi32(a, b), _mm256_max_epi32(a, b);
    // The level has no instruction for the smaller and the larger of signed words of 64 bits.
    u64 i64 4 2 _mm256_set1_epi64x _mm256_cmpgt_epi64 _mm256_movemask_pd _mm256_castsi256_pd,
        |a, b| _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b)), _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b));
}
