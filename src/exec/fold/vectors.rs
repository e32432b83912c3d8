//! Vectors of AVX-512 and AVX2, as far as sums and extremes of rows need them.
//!
//! No closures here and in what uses them: the compiler might call them as functions without vectors.

use std::arch::x86_64::*;

/// A vector of floats.
///
/// # Safety
/// Whoever calls a function knows this:
///
/// - The machine has the instructions: AVX-512 with the extensions BW, DQ and VL for vectors of 512 bits, AVX2 for
///   those of 256.
/// - What is loaded can be read, with any alignment: `LEN` elements, or those of the lanes of a mask.
/// - The pointer that totals go to is aligned and valid for writes of `R` elements.
pub(super) trait Vector: Copy {
    type T: Copy + 'static;
    /// Which lanes.
    type Mask: Copy;
    const LEN: usize;
    /// The first lanes. See the safety of [`Vector`].
    unsafe fn first(lanes: usize) -> Self::Mask;
    /// Every lane the same. See the safety of [`Vector`].
    unsafe fn splat(element: Self::T) -> Self;
    /// The elements from an address on. See the safety of [`Vector`].
    unsafe fn load(from: *const Self::T) -> Self;
    /// Loads some lanes only. See the safety of [`Vector`].
    unsafe fn load_some(from: *const Self::T, mask: Self::Mask) -> Self;
    /// The sums of each two lanes. See the safety of [`Vector`].
    unsafe fn add(self, other: Self) -> Self;
    /// The differences of each two lanes. See the safety of [`Vector`].
    unsafe fn sub(self, other: Self) -> Self;
    /// The products of each two lanes. See the safety of [`Vector`].
    unsafe fn mul(self, other: Self) -> Self;
    /// The lesser of each two lanes, neither of which is NaN. See the safety of [`Vector`].
    unsafe fn min(self, other: Self) -> Self;
    /// The greater of each two lanes, neither of which is NaN. See the safety of [`Vector`].
    unsafe fn max(self, other: Self) -> Self;
    /// The bits of either. See the safety of [`Vector`].
    unsafe fn or(self, other: Self) -> Self;
    /// The bits of both. See the safety of [`Vector`].
    unsafe fn and(self, other: Self) -> Self;
    /// Where one of two lanes is NaN, or a mask has a lane already. See the safety of [`Vector`].
    unsafe fn nan_or(self, other: Self, mask: Self::Mask) -> Self::Mask;
    /// Whether a mask has a lane. See the safety of [`Vector`].
    unsafe fn is_any(mask: Self::Mask) -> bool;
    /// Adds in some lanes only. See the safety of [`Vector`].
    unsafe fn add_some(self, other: Self, mask: Self::Mask) -> Self;
    /// All lanes of each into one, in halves. See the safety of [`Vector`].
    unsafe fn totals<const R: usize>(rows: [Self; R], out: *mut Self::T);
}

/// The operations that differ between vectors in their names alone.
macro_rules! arithmetic {
    ($($name:ident $intrinsic:ident,)*) => {$(
        /// # Safety
        /// As for [`Vector`].
        #[inline(always)]
        unsafe fn $name(self, other: Self) -> Self {
            // SAFETY: only registers are used, and the caller promises their instructions.
            unsafe { $intrinsic(self, other) }
        }
    )*};
}

macro_rules! avx512 {
    ($V:ident of $len:literal $T:ident, $Mask:ident: $splat:ident $load:ident $load_some:ident $add_some:ident $cmp:ident,
        { $($binary:tt)* }, |$rows:ident| $totals:expr, |$row:ident| $total:expr) => {
        impl Vector for $V {
            type T = $T;
            type Mask = $Mask;
            const LEN: usize = $len;
            arithmetic!($($binary)*);
            #[inline(always)]
            unsafe fn nan_or(self, other: Self, mask: $Mask) -> $Mask {
                // SAFETY: only registers are used, and the caller promises their instructions.
                mask | unsafe { $cmp::<_CMP_UNORD_Q>(self, other) }
            }
            #[inline(always)]
            unsafe fn is_any(mask: $Mask) -> bool {
                mask != 0
            }
            #[inline(always)]
            unsafe fn first(lanes: usize) -> $Mask {
                ((1u32 << lanes) - 1) as $Mask
            }
            #[inline(always)]
            unsafe fn splat(element: $T) -> Self {
                // SAFETY: only registers are used, and the caller promises their instructions.
                unsafe { $splat(element) }
            }
            #[inline(always)]
            unsafe fn load(from: *const $T) -> Self {
                // SAFETY: the caller promises the instruction and `LEN` elements to read; no alignment is needed.
                unsafe { $load(from) }
            }
            #[inline(always)]
            unsafe fn load_some(from: *const $T, mask: $Mask) -> Self {
                // SAFETY: the caller's promise; other lanes are not read.
                unsafe { $load_some(mask, from) }
            }
            #[inline(always)]
            unsafe fn add_some(self, other: Self, mask: $Mask) -> Self {
                // SAFETY: only registers are used, and the caller promises their instructions.
                unsafe { $add_some(self, mask, self, other) }
            }
            #[inline(always)]
            unsafe fn totals<const R: usize>(rows: [Self; R], out: *mut $T) {
                // SAFETY: the caller promises the instructions, and aligned room for `R` elements at `out`.
                unsafe {
                    if R == 4 {
                        let $rows = [rows[0], rows[1 % R], rows[2 % R], rows[3 % R]];
                        out.cast::<[$T; 4]>().write_unaligned($totals);
                        return;
                    }
                    for index in 0..R {
                        let $row = rows[index];
                        *out.add(index) = $total;
                    }
                }
            }
        }
    };
}

avx512! {
    __m512 of 16 f32, __mmask16: _mm512_set1_ps _mm512_loadu_ps _mm512_maskz_loadu_ps _mm512_mask_add_ps
        _mm512_cmp_ps_mask,
    {
        add _mm512_add_ps, sub _mm512_sub_ps, mul _mm512_mul_ps, min _mm512_min_ps, max _mm512_max_ps, or _mm512_or_ps,
        and _mm512_and_ps,
    },
    |rows| {
        // The upper half of each row on the lower, two rows in a vector; then quarters, four rows in a vector.
        macro_rules! two {
            ($a:expr, $b:expr) => {
                _mm512_add_ps(_mm512_shuffle_f32x4::<0x44>($a, $b), _mm512_shuffle_f32x4::<0xee>($a, $b))
            };
        }
        let (a, b) = (two!(rows[0], rows[1]), two!(rows[2], rows[3]));
        let four = _mm512_add_ps(_mm512_shuffle_f32x4::<0x88>(a, b), _mm512_shuffle_f32x4::<0xdd>(a, b));
        let pairs = _mm512_add_ps(four, _mm512_permute_ps::<0x4e>(four));
        let totals = _mm512_add_ps(pairs, _mm512_movehdup_ps(pairs));
        let places = _mm512_setr_epi32(0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        std::mem::transmute::<__m128, [f32; 4]>(_mm512_castps512_ps128(_mm512_permutexvar_ps(places, totals)))
    },
    |row| total_f32(_mm256_add_ps(_mm512_castps512_ps256(row), _mm512_extractf32x8_ps::<1>(row)))
}

avx512! {
    __m512d of 8 f64, __mmask8: _mm512_set1_pd _mm512_loadu_pd _mm512_maskz_loadu_pd _mm512_mask_add_pd
        _mm512_cmp_pd_mask,
    {
        add _mm512_add_pd, sub _mm512_sub_pd, mul _mm512_mul_pd, min _mm512_min_pd, max _mm512_max_pd, or _mm512_or_pd,
        and _mm512_and_pd,
    },
    |rows| {
        macro_rules! two {
            ($a:expr, $b:expr) => {
                _mm512_add_pd(_mm512_shuffle_f64x2::<0x44>($a, $b), _mm512_shuffle_f64x2::<0xee>($a, $b))
            };
        }
        let (a, b) = (two!(rows[0], rows[1]), two!(rows[2], rows[3]));
        let four = _mm512_add_pd(_mm512_shuffle_f64x2::<0x88>(a, b), _mm512_shuffle_f64x2::<0xdd>(a, b));
        let totals = _mm512_add_pd(four, _mm512_permute_pd::<0x55>(four));
        let places = _mm512_setr_epi64(0, 2, 4, 6, 0, 0, 0, 0);
        std::mem::transmute::<__m256d, [f64; 4]>(_mm512_castpd512_pd256(_mm512_permutexvar_pd(places, totals)))
    },
    |row| total_f64(_mm256_add_pd(_mm512_castpd512_pd256(row), _mm512_extractf64x4_pd::<1>(row)))
}

/// All lanes into one, in halves.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn total_f32(row: __m256) -> f32 {
    // SAFETY: AVX2 is there, says the caller.
    unsafe {
        let four = _mm_add_ps(_mm256_castps256_ps128(row), _mm256_extractf128_ps::<1>(row));
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
    }
}

/// All lanes into one, in halves.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn total_f64(row: __m256d) -> f64 {
    // SAFETY: AVX2 is there, says the caller.
    unsafe {
        let two = _mm_add_pd(_mm256_castpd256_pd128(row), _mm256_extractf128_pd::<1>(row));
        _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
    }
}

macro_rules! avx2 {
    ($V:ident of $len:literal $T:ident, $first:ident: $splat:ident $load:ident $load_some:ident $select:ident $cast:ident
        $cmp:ident $uncast:ident, { add $add:ident, $($binary:tt)* }, $total:ident) => {
        impl Vector for $V {
            type T = $T;
            type Mask = __m256i;
            const LEN: usize = $len;
            arithmetic!(add $add, $($binary)*);
            #[inline(always)]
            unsafe fn nan_or(self, other: Self, mask: __m256i) -> __m256i {
                // SAFETY: only registers are used, and the caller promises their instructions.
                unsafe { _mm256_or_si256(mask, $uncast($cmp::<_CMP_UNORD_Q>(self, other))) }
            }
            #[inline(always)]
            unsafe fn is_any(mask: __m256i) -> bool {
                // SAFETY: only registers are used, and the caller promises their instructions.
                unsafe { _mm256_testz_si256(mask, mask) == 0 }
            }
            #[inline(always)]
            unsafe fn first(lanes: usize) -> __m256i {
                // SAFETY: only registers are used, and the caller promises their instructions.
                unsafe { $first(lanes) }
            }
            #[inline(always)]
            unsafe fn splat(element: $T) -> Self {
                // SAFETY: only registers are used, and the caller promises their instructions.
                unsafe { $splat(element) }
            }
            #[inline(always)]
            unsafe fn load(from: *const $T) -> Self {
                // SAFETY: the caller promises the instruction and `LEN` elements to read; no alignment is needed.
                unsafe { $load(from) }
            }
            #[inline(always)]
            unsafe fn load_some(from: *const $T, mask: __m256i) -> Self {
                // SAFETY: the caller's promise; other lanes are not read.
                unsafe { $load_some(from, mask) }
            }
            #[inline(always)]
            unsafe fn add_some(self, other: Self, mask: __m256i) -> Self {
                // SAFETY: only registers are used, and the caller promises their instructions.
                unsafe { $select(self, $add(self, other), $cast(mask)) }
            }
            #[inline(always)]
            unsafe fn totals<const R: usize>(rows: [Self; R], out: *mut $T) {
                for index in 0..R {
                    // SAFETY: the caller promises the instructions, and aligned room for `R` elements at `out`.
                    unsafe { *out.add(index) = $total(rows[index]) };
                }
            }
        }
    };
}

avx2! {
    __m256 of 8 f32, first_f32: _mm256_set1_ps _mm256_loadu_ps _mm256_maskload_ps _mm256_blendv_ps _mm256_castsi256_ps
        _mm256_cmp_ps _mm256_castps_si256,
    {
        add _mm256_add_ps, sub _mm256_sub_ps, mul _mm256_mul_ps, min _mm256_min_ps, max _mm256_max_ps, or _mm256_or_ps,
        and _mm256_and_ps,
    },
    total_f32
}

avx2! {
    __m256d of 4 f64, first_f64: _mm256_set1_pd _mm256_loadu_pd _mm256_maskload_pd _mm256_blendv_pd _mm256_castsi256_pd
        _mm256_cmp_pd _mm256_castpd_si256,
    {
        add _mm256_add_pd, sub _mm256_sub_pd, mul _mm256_mul_pd, min _mm256_min_pd, max _mm256_max_pd, or _mm256_or_pd,
        and _mm256_and_pd,
    },
    total_f64
}

/// All ones in the first lanes, zeros in the others.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn first_f32(lanes: usize) -> __m256i {
    // SAFETY: AVX2 is there, says the caller.
    unsafe { _mm256_cmpgt_epi32(_mm256_set1_epi32(lanes as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)) }
}

/// All ones in the first lanes, zeros in the others.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
unsafe fn first_f64(lanes: usize) -> __m256i {
    // SAFETY: AVX2 is there, says the caller.
    unsafe { _mm256_cmpgt_epi64(_mm256_set1_epi64x(lanes as i64), _mm256_setr_epi64x(0, 1, 2, 3)) }
}
