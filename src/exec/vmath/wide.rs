//! Functions over vectors of 512 bits.
//!
//! The lanes of [`F32s`] and [`F64s`] do what `f32` and `f64` do as [`Lanes`], bit for bit, with instructions that no
//! compiler finds for the scalar text. Everything here is inlined into functions that enable AVX-512.

use crate::scalar::math::lanes::{Function, LOGARITHM, Lanes, apply};
use crate::types::dtype::Element;
use std::arch::x86_64::*;

/// A number with a vector of its kind.
pub(super) trait Wide: Element + Lanes<Number = Self> {
    /// The vector.
    type Vector: Vector<Number = Self>;
}

/// A register of numbers in memory.
pub(super) trait Vector: Lanes {
    /// How many.
    const LANES: usize;
    /// Reads the first `count` lanes, of which there are at most [`Vector::LANES`]; the others are 1.
    ///
    /// # Safety
    /// They must be readable, and the machine have AVX-512.
    unsafe fn read(from: *const Self::Number, count: usize) -> Self;
    /// Writes the first `count` lanes.
    ///
    /// # Safety
    /// They must be writable, and the machine have AVX-512.
    unsafe fn write(self, to: *mut Self::Number, count: usize);
}

impl Wide for f32 {
    type Vector = F32s;
}

impl Wide for f64 {
    type Vector = F64s;
}

/// A block function.
///
/// # Safety
/// As [`super::BlockFn`], on a machine with AVX-512.
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe extern "C" fn function<F: Function<T>, T: Wide>(
    out: *mut u8,
    a: *const u8,
    _: *const u8,
    _: *const u8,
    n: usize,
) {
    let (out, a) = (out.cast::<T>(), a.cast::<T>());
    let lanes = T::Vector::LANES;
    let mut at = 0;
    while at < n {
        let count = lanes.min(n - at);
        // SAFETY: the caller promises `n` elements. Each is read before the one in its place is written.
        unsafe {
            let x = T::Vector::read(a.add(at), count);
            apply::<F, T, _>(x).write(out.add(at), count);
        }
        at += lanes;
    }
}

/// A mask of the first lanes.
#[inline(always)]
fn first(count: usize) -> u32 {
    (1 << count) - 1
}

/// A register of `f32`.
#[derive(Clone, Copy)]
pub(super) struct F32s(__m512);

impl Lanes for F32s {
    type Number = f32;
    type Mask = __mmask16;
    #[inline(always)]
    fn splat(x: f32) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_set1_ps(x)) }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_add_ps(self.0, other.0)) }
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_sub_ps(self.0, other.0)) }
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_mul_ps(self.0, other.0)) }
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_div_ps(self.0, other.0)) }
    }
    #[inline(always)]
    fn fma(self, factor: Self, term: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_fmadd_ps(self.0, factor.0, term.0)) }
    }
    #[inline(always)]
    fn fnma(self, factor: Self, term: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_fnmadd_ps(self.0, factor.0, term.0)) }
    }
    #[inline(always)]
    fn at_most(self, bound: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_min_ps(bound.0, self.0)) }
    }
    #[inline(always)]
    fn at_least(self, bound: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_max_ps(bound.0, self.0)) }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_abs_ps(self.0)) }
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        // SAFETY: as the module says.
        unsafe {
            let mask = _mm512_set1_epi32(i32::MIN);
            let bits =
                _mm512_ternarylogic_epi32::<0xca>(mask, _mm512_castps_si512(sign.0), _mm512_castps_si512(self.0));
            F32s(_mm512_castsi512_ps(bits))
        }
    }
    #[inline(always)]
    fn turned(self, turns: Self) -> Self {
        // SAFETY: as the module says.
        unsafe {
            let sign = _mm512_slli_epi32::<30>(_mm512_castps_si512(turns.0));
            let sign = _mm512_and_si512(sign, _mm512_set1_epi32(i32::MIN));
            F32s(_mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(self.0), sign)))
        }
    }
    #[inline(always)]
    fn odd(self) -> __mmask16 {
        // SAFETY: as the module says.
        unsafe { _mm512_test_epi32_mask(_mm512_castps_si512(self.0), _mm512_set1_epi32(1)) }
    }
    #[inline(always)]
    fn less(self, other: Self) -> __mmask16 {
        // SAFETY: as the module says.
        unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn outside(self, bound: Self) -> __mmask16 {
        // SAFETY: as the module says.
        unsafe { _mm512_cmp_ps_mask::<_CMP_NLT_UQ>(self.0, bound.0) }
    }
    #[inline(always)]
    fn choose(mask: __mmask16, yes: Self, no: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_mask_mov_ps(no.0, mask, yes.0)) }
    }
    #[inline(always)]
    fn each(self, f: impl Fn(f32) -> f32) -> Self {
        let mut numbers = [0.0; 16];
        // SAFETY: there is room for every lane.
        unsafe {
            _mm512_storeu_ps(numbers.as_mut_ptr(), self.0);
            for x in &mut numbers {
                *x = f(*x);
            }
            F32s(_mm512_loadu_ps(numbers.as_ptr()))
        }
    }
    #[inline(always)]
    fn any(mask: __mmask16) -> bool {
        mask != 0
    }
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_scalef_ps(self.0, n.0)) }
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_getexp_ps(self.0)) }
    }
    #[inline(always)]
    fn mantissa(self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_getmant_ps::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_ZERO>(self.0)) }
    }
    #[inline(always)]
    fn mantissa_near(self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_getmant_ps::<_MM_MANT_NORM_P75_1P5, _MM_MANT_SIGN_ZERO>(self.0)) }
    }
    #[inline(always)]
    fn add_where(self, mask: __mmask16, other: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_mask_add_ps(self.0, mask, self.0, other.0)) }
    }
    #[inline(always)]
    fn logarithm(self, of: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_fixupimm_ps::<0>(self.0, of.0, _mm512_set1_epi32(LOGARITHM as i32))) }
    }
    #[inline(always)]
    fn lookup16(self, table: &[f32; 16]) -> Self {
        // SAFETY: as the module says.
        unsafe { F32s(_mm512_permutexvar_ps(_mm512_castps_si512(self.0), _mm512_loadu_ps(table.as_ptr()))) }
    }
    #[inline(always)]
    fn lookup_fraction(self, table: &[f32; 16]) -> Self {
        // SAFETY: as the module says.
        unsafe {
            let index = _mm512_srli_epi32::<19>(_mm512_castps_si512(self.0));
            F32s(_mm512_permutexvar_ps(index, _mm512_loadu_ps(table.as_ptr())))
        }
    }
    #[inline(always)]
    fn lookup_quarter(self, table: &[f32; 32]) -> Self {
        // SAFETY: as the module says.
        unsafe {
            let index = _mm512_srli_epi32::<21>(_mm512_castps_si512(self.0));
            let (low, high) = (_mm512_loadu_ps(table.as_ptr()), _mm512_loadu_ps(table.as_ptr().add(16)));
            F32s(_mm512_permutex2var_ps(low, index, high))
        }
    }
}

impl Vector for F32s {
    const LANES: usize = 16;
    #[inline(always)]
    unsafe fn read(from: *const f32, count: usize) -> Self {
        // SAFETY: lanes beyond the mask are not read; the rest is the caller's promise.
        unsafe {
            if count == 16 {
                return F32s(_mm512_loadu_ps(from));
            }
            F32s(_mm512_mask_loadu_ps(_mm512_set1_ps(1.0), first(count) as __mmask16, from))
        }
    }
    #[inline(always)]
    unsafe fn write(self, to: *mut f32, count: usize) {
        // SAFETY: lanes beyond the mask are not written; the rest is the caller's promise.
        unsafe {
            if count == 16 {
                return _mm512_storeu_ps(to, self.0);
            }
            _mm512_mask_storeu_ps(to, first(count) as __mmask16, self.0);
        }
    }
}

/// A register of `f64`.
#[derive(Clone, Copy)]
pub(super) struct F64s(__m512d);

impl Lanes for F64s {
    type Number = f64;
    type Mask = __mmask8;
    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_set1_pd(x)) }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_add_pd(self.0, other.0)) }
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_sub_pd(self.0, other.0)) }
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_mul_pd(self.0, other.0)) }
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_div_pd(self.0, other.0)) }
    }
    #[inline(always)]
    fn fma(self, factor: Self, term: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_fmadd_pd(self.0, factor.0, term.0)) }
    }
    #[inline(always)]
    fn fnma(self, factor: Self, term: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_fnmadd_pd(self.0, factor.0, term.0)) }
    }
    #[inline(always)]
    fn at_most(self, bound: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_min_pd(bound.0, self.0)) }
    }
    #[inline(always)]
    fn at_least(self, bound: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_max_pd(bound.0, self.0)) }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_abs_pd(self.0)) }
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        // SAFETY: as the module says.
        unsafe {
            let mask = _mm512_set1_epi64(i64::MIN);
            let bits =
                _mm512_ternarylogic_epi64::<0xca>(mask, _mm512_castpd_si512(sign.0), _mm512_castpd_si512(self.0));
            F64s(_mm512_castsi512_pd(bits))
        }
    }
    #[inline(always)]
    fn turned(self, turns: Self) -> Self {
        // SAFETY: as the module says.
        unsafe {
            let sign = _mm512_slli_epi64::<62>(_mm512_castpd_si512(turns.0));
            let sign = _mm512_and_si512(sign, _mm512_set1_epi64(i64::MIN));
            F64s(_mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(self.0), sign)))
        }
    }
    #[inline(always)]
    fn odd(self) -> __mmask8 {
        // SAFETY: as the module says.
        unsafe { _mm512_test_epi64_mask(_mm512_castpd_si512(self.0), _mm512_set1_epi64(1)) }
    }
    #[inline(always)]
    fn less(self, other: Self) -> __mmask8 {
        // SAFETY: as the module says.
        unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn outside(self, bound: Self) -> __mmask8 {
        // SAFETY: as the module says.
        unsafe { _mm512_cmp_pd_mask::<_CMP_NLT_UQ>(self.0, bound.0) }
    }
    #[inline(always)]
    fn choose(mask: __mmask8, yes: Self, no: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_mask_mov_pd(no.0, mask, yes.0)) }
    }
    #[inline(always)]
    fn each(self, f: impl Fn(f64) -> f64) -> Self {
        let mut numbers = [0.0; 8];
        // SAFETY: there is room for every lane.
        unsafe {
            _mm512_storeu_pd(numbers.as_mut_ptr(), self.0);
            for x in &mut numbers {
                *x = f(*x);
            }
            F64s(_mm512_loadu_pd(numbers.as_ptr()))
        }
    }
    #[inline(always)]
    fn any(mask: __mmask8) -> bool {
        mask != 0
    }
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_scalef_pd(self.0, n.0)) }
    }
    #[inline(always)]
    fn exponent(self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_getexp_pd(self.0)) }
    }
    #[inline(always)]
    fn mantissa(self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_ZERO>(self.0)) }
    }
    #[inline(always)]
    fn mantissa_near(self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_getmant_pd::<_MM_MANT_NORM_P75_1P5, _MM_MANT_SIGN_ZERO>(self.0)) }
    }
    #[inline(always)]
    fn add_where(self, mask: __mmask8, other: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_mask_add_pd(self.0, mask, self.0, other.0)) }
    }
    #[inline(always)]
    fn logarithm(self, of: Self) -> Self {
        // SAFETY: as the module says.
        unsafe { F64s(_mm512_fixupimm_pd::<0>(self.0, of.0, _mm512_set1_epi64(i64::from(LOGARITHM)))) }
    }
    #[inline(always)]
    fn lookup16(self, table: &[f64; 16]) -> Self {
        // SAFETY: as the module says.
        unsafe {
            F64s(_mm512_permutex2var_pd(
                _mm512_loadu_pd(table.as_ptr()),
                _mm512_castpd_si512(self.0),
                _mm512_loadu_pd(table.as_ptr().add(8)),
            ))
        }
    }
    #[inline(always)]
    fn lookup_fraction(self, table: &[f64; 16]) -> Self {
        // SAFETY: as the module says.
        unsafe {
            let index = _mm512_srli_epi64::<48>(_mm512_castpd_si512(self.0));
            F64s(_mm512_permutex2var_pd(_mm512_loadu_pd(table.as_ptr()), index, _mm512_loadu_pd(table.as_ptr().add(8))))
        }
    }
    #[inline(always)]
    fn lookup_quarter(self, table: &[f64; 32]) -> Self {
        // SAFETY: as the module says.
        unsafe {
            let index = _mm512_srli_epi64::<50>(_mm512_castpd_si512(self.0));
            let row = |at: usize| _mm512_loadu_pd(table.as_ptr().add(at));
            let low = _mm512_permutex2var_pd(row(0), index, row(8));
            let high = _mm512_permutex2var_pd(row(16), index, row(24));
            let upper = _mm512_test_epi64_mask(index, _mm512_set1_epi64(16));
            F64s(_mm512_mask_mov_pd(low, upper, high))
        }
    }
}

impl Vector for F64s {
    const LANES: usize = 8;
    #[inline(always)]
    unsafe fn read(from: *const f64, count: usize) -> Self {
        // SAFETY: lanes beyond the mask are not read; the rest is the caller's promise.
        unsafe {
            if count == 8 {
                return F64s(_mm512_loadu_pd(from));
            }
            F64s(_mm512_mask_loadu_pd(_mm512_set1_pd(1.0), first(count) as __mmask8, from))
        }
    }
    #[inline(always)]
    unsafe fn write(self, to: *mut f64, count: usize) {
        // SAFETY: lanes beyond the mask are not written; the rest is the caller's promise.
        unsafe {
            if count == 8 {
                return _mm512_storeu_pd(to, self.0);
            }
            _mm512_mask_storeu_pd(to, first(count) as __mmask8, self.0);
        }
    }
}
