//! Vectors of AVX-512 or AVX2, as far as folds of rows need them.
//!
//! No closures here and in what uses them: the compiler might call them as functions without vectors.
#![expect(unsafe_code, reason = "intrinsics need their level, and load from addresses")]

#[allow(clippy::wildcard_imports, reason = "most of what stands here are intrinsics")]
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Mul, Sub};

/// Floats side by side, as every processor has them.
///
/// There is a vector only where the machine has its instructions: whoever makes the first one knows that. So what is
/// done with vectors asks for nothing more.
///
/// # Safety
/// Whoever calls a function that makes a vector knows this:
///
/// - The machine has the instructions: AVX-512 with the extensions BW, DQ and VL for vectors of 512 bits, AVX2 for
///   those of 256.
/// - What is loaded can be read, with any alignment: a whole vector.
pub(super) trait FloatVector:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + BitOr<Output = Self> + BitAnd<Output = Self>
{
    type T: Copy + 'static;
    const LEN: usize;
    /// Every lane the same. See the safety of [`FloatVector`].
    unsafe fn splat(element: Self::T) -> Self;
    /// The elements from an address on. See the safety of [`FloatVector`].
    unsafe fn load(from: *const Self::T) -> Self;
    /// The lesser of each two lanes, neither of which is NaN.
    fn min(self, other: Self) -> Self;
    /// The greater of each two lanes, neither of which is NaN.
    fn max(self, other: Self) -> Self;
    /// All lanes, the first first.
    fn lanes(self) -> impl AsRef<[Self::T]>;
}

/// A vector of floats with what AVX-512 and AVX2 do in ways of their own. There is a mask, too, only where the machine
/// has the instructions.
///
/// # Safety
/// As for [`FloatVector`]; what is loaded are the elements of the lanes of a mask.
pub(super) trait Vector: FloatVector {
    /// Which lanes.
    type Mask: Copy;
    /// The first lanes. See the safety of [`Vector`].
    unsafe fn first(lanes: usize) -> Self::Mask;
    /// Loads some lanes only. See the safety of [`Vector`].
    unsafe fn load_some(from: *const Self::T, mask: Self::Mask) -> Self;
    /// Where one of two lanes is NaN, or a mask has a lane already.
    fn nan_or(self, other: Self, mask: Self::Mask) -> Self::Mask;
    /// Whether a mask has a lane.
    fn is_any(mask: Self::Mask) -> bool;
    /// Adds in some lanes only.
    fn add_some(self, other: Self, mask: Self::Mask) -> Self;
    /// All lanes of each into one, in halves.
    fn totals<const R: usize>(rows: [Self; R]) -> [Self::T; R];
}

/// A vector, and what differs between vectors in the names of their instructions alone.
macro_rules! vector {
    ($V:ident($Raw:ident) of $len:literal $T:ident: $splat:ident $load:ident $min:ident $max:ident
        $($Op:ident $name:ident $intrinsic:ident)*) => {
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(super) struct $V($Raw);

        impl FloatVector for $V {
            type T = $T;
            const LEN: usize = $len;
            #[inline(always)]
            unsafe fn splat(element: $T) -> Self {
                // SAFETY: only registers are used, and the caller promises their instructions.
                $V(unsafe { $splat(element) })
            }
            #[inline(always)]
            unsafe fn load(from: *const $T) -> Self {
                // SAFETY: the caller promises the instruction and `LEN` elements to read; no alignment is needed.
                $V(unsafe { $load(from) })
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                // SAFETY: only registers are used; there is a vector, and so there are its instructions.
                $V(unsafe { $min(self.0, other.0) })
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                // SAFETY: only registers are used; there is a vector, and so there are its instructions.
                $V(unsafe { $max(self.0, other.0) })
            }
            #[inline(always)]
            fn lanes(self) -> impl AsRef<[$T]> {
                // SAFETY: a vector has as many bits as its lanes, and any bits are floats.
                unsafe { std::mem::transmute::<$Raw, [$T; $len]>(self.0) }
            }
        }

        $(impl $Op for $V {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                // SAFETY: only registers are used; there is a vector, and so there are its instructions.
                $V(unsafe { $intrinsic(self.0, other.0) })
            }
        })*
    };
}

vector! {
    Singles16(__m512) of 16 f32: _mm512_set1_ps _mm512_loadu_ps _mm512_min_ps _mm512_max_ps
    Add add _mm512_add_ps Sub sub _mm512_sub_ps Mul mul _mm512_mul_ps
    BitOr bitor _mm512_or_ps BitAnd bitand _mm512_and_ps
}
vector! {
    Doubles8(__m512d) of 8 f64: _mm512_set1_pd _mm512_loadu_pd _mm512_min_pd _mm512_max_pd
    Add add _mm512_add_pd Sub sub _mm512_sub_pd Mul mul _mm512_mul_pd
    BitOr bitor _mm512_or_pd BitAnd bitand _mm512_and_pd
}
vector! {
    Singles8(__m256) of 8 f32: _mm256_set1_ps _mm256_loadu_ps _mm256_min_ps _mm256_max_ps
    Add add _mm256_add_ps Sub sub _mm256_sub_ps Mul mul _mm256_mul_ps
    BitOr bitor _mm256_or_ps BitAnd bitand _mm256_and_ps
}
vector! {
    Doubles4(__m256d) of 4 f64: _mm256_set1_pd _mm256_loadu_pd _mm256_min_pd _mm256_max_pd
    Add add _mm256_add_pd Sub sub _mm256_sub_pd Mul mul _mm256_mul_pd
    BitOr bitor _mm256_or_pd BitAnd bitand _mm256_and_pd
}

macro_rules! avx512 {
    ($V:ident of $T:ident, $Mask:ident: $load_some:ident $add_some:ident $cmp:ident,
        |$rows:ident| $totals:expr, |$row:ident| $total:expr) => {
        impl Vector for $V {
            type Mask = $Mask;
            #[inline(always)]
            unsafe fn first(lanes: usize) -> $Mask {
                ((1u32 << lanes) - 1) as $Mask
            }
            #[inline(always)]
            unsafe fn load_some(from: *const $T, mask: $Mask) -> Self {
                // SAFETY: the caller promises the elements of the mask's lanes; other lanes are not read.
                $V(unsafe { $load_some(mask, from) })
            }
            #[inline(always)]
            fn nan_or(self, other: Self, mask: $Mask) -> $Mask {
                // SAFETY: only registers are used; there is a vector, and so there are its instructions.
                mask | unsafe { $cmp::<_CMP_UNORD_Q>(self.0, other.0) }
            }
            #[inline(always)]
            fn is_any(mask: $Mask) -> bool {
                mask != 0
            }
            #[inline(always)]
            fn add_some(self, other: Self, mask: $Mask) -> Self {
                // SAFETY: only registers are used; there is a vector, and so there are its instructions.
                $V(unsafe { $add_some(self.0, mask, self.0, other.0) })
            }
            #[inline(always)]
            #[allow(clippy::needless_range_loop, reason = "a loop of constant length")]
            fn totals<const R: usize>(rows: [Self; R]) -> [$T; R] {
                let mut all = [0.0; R];
                // SAFETY: only registers are used; there are vectors, and so there are their instructions.
                unsafe {
                    if R == 4 {
                        let $rows = [rows[0].0, rows[1 % R].0, rows[2 % R].0, rows[3 % R].0];
                        let four: [$T; 4] = $totals;
                        all.copy_from_slice(&four);
                        return all;
                    }
                    for index in 0..R {
                        let $row = rows[index].0;
                        all[index] = $total;
                    }
                }
                all
            }
        }
    };
}

avx512! {
    Singles16 of f32, __mmask16: _mm512_maskz_loadu_ps _mm512_mask_add_ps _mm512_cmp_ps_mask,
    |rows| {
        // The upper half of each row on the lower, two rows in a vector; then quarters, four rows in a vector.
        let [a, b, c, d] = rows;
        let ab = _mm512_add_ps(_mm512_shuffle_f32x4::<0x44>(a, b), _mm512_shuffle_f32x4::<0xee>(a, b));
        let cd = _mm512_add_ps(_mm512_shuffle_f32x4::<0x44>(c, d), _mm512_shuffle_f32x4::<0xee>(c, d));
        let four = _mm512_add_ps(_mm512_shuffle_f32x4::<0x88>(ab, cd), _mm512_shuffle_f32x4::<0xdd>(ab, cd));
        let pairs = _mm512_add_ps(four, _mm512_permute_ps::<0x4e>(four));
        let totals = _mm512_add_ps(pairs, _mm512_movehdup_ps(pairs));
        let places = _mm512_setr_epi32(0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        std::mem::transmute::<__m128, [f32; 4]>(_mm512_castps512_ps128(_mm512_permutexvar_ps(places, totals)))
    },
    |row| total_f32(_mm256_add_ps(_mm512_castps512_ps256(row), _mm512_extractf32x8_ps::<1>(row)))
}

avx512! {
    Doubles8 of f64, __mmask8: _mm512_maskz_loadu_pd _mm512_mask_add_pd _mm512_cmp_pd_mask,
    |rows| {
        let [a, b, c, d] = rows;
        let ab = _mm512_add_pd(_mm512_shuffle_f64x2::<0x44>(a, b), _mm512_shuffle_f64x2::<0xee>(a, b));
        let cd = _mm512_add_pd(_mm512_shuffle_f64x2::<0x44>(c, d), _mm512_shuffle_f64x2::<0xee>(c, d));
        let four = _mm512_add_pd(_mm512_shuffle_f64x2::<0x88>(ab, cd), _mm512_shuffle_f64x2::<0xdd>(ab, cd));
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
    // SAFETY: only registers are used, and the caller promises AVX2.
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
    // SAFETY: only registers are used, and the caller promises AVX2.
    unsafe {
        let two = _mm_add_pd(_mm256_castpd256_pd128(row), _mm256_extractf128_pd::<1>(row));
        _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
    }
}

/// The lanes of a mask for vectors of 256 bits: all ones, and zeros in the others.
#[derive(Clone, Copy)]
pub(super) struct Mask256(__m256i);

macro_rules! avx2 {
    ($V:ident of $T:ident: $load_some:ident $select:ident $cast:ident $cmp:ident $uncast:ident,
        |$lanes:ident| $first:expr, $total:ident) => {
        impl Vector for $V {
            type Mask = Mask256;
            #[inline(always)]
            unsafe fn first(lanes: usize) -> Mask256 {
                let $lanes = lanes;
                // SAFETY: only registers are used, and the caller promises their instructions.
                Mask256(unsafe { $first })
            }
            #[inline(always)]
            unsafe fn load_some(from: *const $T, mask: Mask256) -> Self {
                // SAFETY: the caller promises the elements of the mask's lanes; other lanes are not read.
                $V(unsafe { $load_some(from, mask.0) })
            }
            #[inline(always)]
            fn nan_or(self, other: Self, mask: Mask256) -> Mask256 {
                // SAFETY: only registers are used; there is a vector, and so there are its instructions.
                Mask256(unsafe { _mm256_or_si256(mask.0, $uncast($cmp::<_CMP_UNORD_Q>(self.0, other.0))) })
            }
            #[inline(always)]
            fn is_any(mask: Mask256) -> bool {
                // SAFETY: only registers are used; there is a mask, and so there are its instructions.
                unsafe { _mm256_testz_si256(mask.0, mask.0) == 0 }
            }
            #[inline(always)]
            fn add_some(self, other: Self, mask: Mask256) -> Self {
                // SAFETY: only registers are used; there is a vector, and so there are its instructions.
                $V(unsafe { $select(self.0, (self + other).0, $cast(mask.0)) })
            }
            #[inline(always)]
            #[allow(clippy::needless_range_loop, reason = "a loop of constant length")]
            fn totals<const R: usize>(rows: [Self; R]) -> [$T; R] {
                let mut all = [0.0; R];
                for index in 0..R {
                    // SAFETY: only registers are used; there are vectors, and so there are their instructions.
                    all[index] = unsafe { $total(rows[index].0) };
                }
                all
            }
        }
    };
}

avx2! {
    Singles8 of f32: _mm256_maskload_ps _mm256_blendv_ps _mm256_castsi256_ps _mm256_cmp_ps _mm256_castps_si256,
    |lanes| _mm256_cmpgt_epi32(_mm256_set1_epi32(lanes as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)),
    total_f32
}

avx2! {
    Doubles4 of f64: _mm256_maskload_pd _mm256_blendv_pd _mm256_castsi256_pd _mm256_cmp_pd _mm256_castpd_si256,
    |lanes| _mm256_cmpgt_epi64(_mm256_set1_epi64x(lanes as i64), _mm256_setr_epi64x(0, 1, 2, 3)),
    total_f64
}
