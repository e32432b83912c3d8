//! Arithmetic on two-byte floats: widened, computed in `f32`, rounded back, in one pass.
//!
//! A program says that with three conversions; a loop of its own for each would move four times the bytes.

use super::{BlockFn, Choose};
use crate::exec::machine::{Level, level};
use crate::scalar::convert::{narrow_bf16, narrow_f16, widen_bf16, widen_f16};
use crate::scalar::eval::Visitor;
use crate::scalar::prim::Prim;
use crate::types::DType;
use half::{bf16, f16};

/// The block function of a prim on two operands of a two-byte dtype, with a result of that dtype: what conversion to
/// `f32`, the prim and conversion back give. `None` when there is none.
pub fn half_fn(prim: Prim, dtype: DType) -> Option<BlockFn> {
    half_fn_for(level(), prim, dtype)
}

macro_rules! choose {
    ($level:expr, $prim:expr, $T:ty, $widen:path, $narrow:path) => {{
        let v = Choose($level);
        match $prim {
            Prim::Add => Some(v.binary(|a: $T, b: $T| $narrow($widen(a) + $widen(b)))),
            Prim::Sub => Some(v.binary(|a: $T, b: $T| $narrow($widen(a) - $widen(b)))),
            Prim::Mul => Some(v.binary(|a: $T, b: $T| $narrow($widen(a) * $widen(b)))),
            Prim::Div => Some(v.binary(|a: $T, b: $T| $narrow($widen(a) / $widen(b)))),
            _ => None,
        }
    }};
}

/// The same for a level, which must be one that [runs here](Level::runs_here).
pub fn half_fn_for(level: Level, prim: Prim, dtype: DType) -> Option<BlockFn> {
    #[cfg(target_arch = "x86_64")]
    if level == Level::Avx512 {
        return vectors::function(prim, dtype);
    }
    match dtype {
        DType::F16 => choose!(level, prim, f16, widen_f16, narrow_f16),
        DType::Bf16 => choose!(level, prim, bf16, widen_bf16, narrow_bf16),
        _ => None,
    }
}

/// The loops with vectors of 512 bits.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::super::BlockFn;
    use crate::scalar::prim::Prim;
    use crate::types::DType;
    use std::arch::x86_64::*;

    pub(super) fn function(prim: Prim, dtype: DType) -> Option<BlockFn> {
        match (dtype, prim) {
            (DType::F16, Prim::Add) => Some(f16s::<Add>),
            (DType::F16, Prim::Sub) => Some(f16s::<Sub>),
            (DType::F16, Prim::Mul) => Some(f16s::<Mul>),
            (DType::F16, Prim::Div) => Some(f16s::<Div>),
            (DType::Bf16, Prim::Add) => Some(bf16s::<Add>),
            (DType::Bf16, Prim::Sub) => Some(bf16s::<Sub>),
            (DType::Bf16, Prim::Mul) => Some(bf16s::<Mul>),
            (DType::Bf16, Prim::Div) => Some(bf16s::<Div>),
            _ => None,
        }
    }

    /// An operation on vectors of `f32`.
    trait Operation {
        /// # Safety
        /// The machine has AVX-512.
        unsafe fn of(a: __m512, b: __m512) -> __m512;
    }

    macro_rules! operations {
        ($($name:ident $intrinsic:ident,)*) => {$(
            struct $name;

            impl Operation for $name {
                #[inline(always)]
                unsafe fn of(a: __m512, b: __m512) -> __m512 {
                    // SAFETY: the caller's promise.
                    unsafe { $intrinsic(a, b) }
                }
            }
        )*};
    }

    operations! { Add _mm512_add_ps, Sub _mm512_sub_ps, Mul _mm512_mul_ps, Div _mm512_div_ps, }

    /// A block function.
    ///
    /// # Safety
    /// As [`BlockFn`], on a machine with AVX-512.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
    unsafe extern "C" fn f16s<F: Operation>(out: *mut u8, a: *const u8, b: *const u8, _: *const u8, n: usize) {
        let (out, a, b) = (out.cast::<i16>(), a.cast::<i16>(), b.cast::<i16>());
        // SAFETY: the caller enables AVX-512.
        let value = |a, b| unsafe {
            _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(F::of(_mm512_cvtph_ps(a), _mm512_cvtph_ps(b)))
        };
        let whole = n & !15;
        for at in (0..whole).step_by(16) {
            // SAFETY: these elements are inside, and each is read before it is written.
            unsafe {
                let value = value(_mm256_loadu_si256(a.add(at).cast()), _mm256_loadu_si256(b.add(at).cast()));
                _mm256_storeu_si256(out.add(at).cast(), value);
            }
        }
        if whole < n {
            let mask = (1u16 << (n - whole)) - 1;
            // SAFETY: elements beyond the mask are neither read nor written.
            unsafe {
                let a = _mm256_maskz_loadu_epi16(mask, a.add(whole));
                let b = _mm256_maskz_loadu_epi16(mask, b.add(whole));
                _mm256_mask_storeu_epi16(out.add(whole), mask, value(a, b));
            }
        }
    }

    /// Rounds to the upper halves, ties to even. Operands that were widened give no NaN that this would spoil: its
    /// lower half is zero, as theirs are.
    #[inline(always)]
    unsafe fn rounded(x: __m512) -> __m512i {
        // SAFETY: the caller enables AVX-512.
        unsafe {
            let bits = _mm512_castps_si512(x);
            let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
            _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd)
        }
    }

    /// A block function. Elements with even and odd numbers are the halves of words, and computed apart.
    ///
    /// # Safety
    /// As [`BlockFn`], on a machine with AVX-512.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
    unsafe extern "C" fn bf16s<F: Operation>(out: *mut u8, a: *const u8, b: *const u8, _: *const u8, n: usize) {
        let (out, a, b) = (out.cast::<i16>(), a.cast::<i16>(), b.cast::<i16>());
        // SAFETY: the caller enables AVX-512.
        let value = |a, b| unsafe {
            let even = |x| _mm512_castsi512_ps(_mm512_slli_epi32::<16>(x));
            let odd = |x| _mm512_castsi512_ps(_mm512_and_si512(x, _mm512_set1_epi32(!0xffff)));
            let evens = _mm512_srli_epi32::<16>(rounded(F::of(even(a), even(b))));
            let odds = rounded(F::of(odd(a), odd(b)));
            _mm512_mask_mov_epi16(evens, 0xaaaa_aaaa, odds)
        };
        let whole = n & !31;
        for at in (0..whole).step_by(32) {
            // SAFETY: these elements are inside, and each is read before it is written.
            unsafe {
                let value = value(_mm512_loadu_si512(a.add(at).cast()), _mm512_loadu_si512(b.add(at).cast()));
                _mm512_storeu_si512(out.add(at).cast(), value);
            }
        }
        if whole < n {
            let mask = (1u32 << (n - whole)) - 1;
            // SAFETY: elements beyond the mask are neither read nor written.
            unsafe {
                let a = _mm512_maskz_loadu_epi16(mask, a.add(whole));
                let b = _mm512_maskz_loadu_epi16(mask, b.add(whole));
                _mm512_mask_storeu_epi16(out.add(whole), mask, value(a, b));
            }
        }
    }
}
