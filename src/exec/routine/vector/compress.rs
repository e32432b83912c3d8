//! Selection by a mask, a vector at a time.
#![expect(unsafe_code, reason = "intrinsics need their level, and load from addresses")]

use super::lanes::together;
use crate::exec::machine::Level;
use std::arch::x86_64::{
    __mmask8, __mmask16, _mm_cmpeq_epi8, _mm_loadl_epi64, _mm_loadu_si128, _mm_maskz_loadu_epi8, _mm_movemask_epi8,
    _mm_setzero_si128, _mm_test_epi8_mask, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_loadu_epi32,
    _mm512_loadu_epi64, _mm512_maskz_compress_epi32, _mm512_maskz_compress_epi64, _mm512_storeu_si512,
};

/// Words of which vectors are packed.
///
/// # Safety
/// A type that implements it has elements of `SIZE` bytes, and functions that do what is said.
///
/// Whoever calls a function knows this: the machine has the level of the function's name, AVX-512 with the extensions
/// BW, DQ and VL or AVX2. `from` is valid for reads of 64 bytes, `mask` for reads of a byte for each word of them, and
/// `to` for writes of 64 bytes.
pub(super) unsafe trait PackedElement {
    const SIZE: usize;
    /// Packs a vector of 512 bits. Returns how many words are kept. See the safety of [`PackedElement`].
    unsafe fn pack512(from: *const u8, mask: *const u8, to: *mut u8) -> usize;
    /// Packs two vectors of 256 bits. Returns how many words are kept. See the safety of [`PackedElement`].
    unsafe fn pack256(from: *const u8, mask: *const u8, to: *mut u8) -> usize;
}

macro_rules! packed {
    ($($W:ident $lanes:literal $Mask:ident $load:ident $compress:ident $mask:ident;)*) => {$(
        // SAFETY: the functions do what the trait says.
        unsafe impl PackedElement for $W {
            const SIZE: usize = size_of::<$W>();
            #[inline(always)]
            unsafe fn pack512(from: *const u8, mask: *const u8, to: *mut u8) -> usize {
                // SAFETY: the caller promises AVX-512, 64 bytes at both places, and a byte of the mask for each word.
                unsafe {
                    let bytes = _mm_maskz_loadu_epi8(const { (u16::MAX) >> (16 - $lanes) }, mask.cast());
                    let kept = _mm_test_epi8_mask(bytes, bytes);
                    _mm512_storeu_si512(to.cast(), $compress(kept as $Mask, $load(from.cast())));
                    kept.count_ones() as usize
                }
            }
            #[inline(always)]
            unsafe fn pack256(from: *const u8, mask: *const u8, to: *mut u8) -> usize {
                // SAFETY: the caller promises AVX2, 64 bytes at both places, and a byte of the mask for each word. The
                // mask of what is kept has as many bits as there are lanes.
                unsafe {
                    let bytes = $mask(mask.cast());
                    let none = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
                    let kept = !none as usize & const { (1 << $lanes) - 1 };
                    let (low, high) = (kept & const { (1 << ($lanes / 2)) - 1 }, kept >> ($lanes / 2));
                    let packed = |kept, from: *const u8| together::<{ $lanes / 2 }>(kept, _mm256_loadu_si256(from.cast()));
                    _mm256_storeu_si256(to.cast(), packed(low, from));
                    let behind = to.add(low.count_ones() as usize * size_of::<$W>());
                    _mm256_storeu_si256(behind.cast(), packed(high, from.add(32)));
                    kept.count_ones() as usize
                }
            }
        }
    )*};
}
packed! {
    u32 16 __mmask16 _mm512_loadu_epi32 _mm512_maskz_compress_epi32 _mm_loadu_si128;
    u64 8 __mmask8 _mm512_loadu_epi64 _mm512_maskz_compress_epi64 _mm_loadl_epi64;
}

/// Moves the elements that a mask keeps to the front of `out`, as many as `out` has room for; what is behind them may
/// be anything. Returns how many bytes they take, or nothing where the level has no code for that.
pub(super) fn compress<W: PackedElement>(level: Level, elements: &[u8], mask: &[u8], out: &mut [u8]) -> Option<usize> {
    let (from, to) = match level {
        // SAFETY: a level is only what the machine has.
        Level::Avx512 => unsafe { by512::<W>(elements, mask, out) },
        // SAFETY: a level is only what the machine has.
        Level::Avx2 => unsafe { by256::<W>(elements, mask, out) },
        Level::Base | Level::Sse => return None,
    };
    // The last elements, and what has no room for a vector, one by one.
    let mut to = to;
    for (element, &keep) in elements.chunks_exact(W::SIZE).zip(mask).skip(from) {
        if keep != 0 {
            let Some(place) = out.get_mut(to..to + W::SIZE) else { break };
            place.copy_from_slice(element);
            to += W::SIZE;
        }
    }
    Some(to)
}

/// Goes through vectors of 512 bits. Returns how many elements went through, and how many bytes were written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt")]
fn by512<W: PackedElement>(elements: &[u8], mask: &[u8], out: &mut [u8]) -> (usize, usize) {
    let (lanes, mut from, mut to) = (64 / W::SIZE, 0, 0);
    while from + lanes <= mask.len() && to + 64 <= out.len() && (from + lanes) * W::SIZE <= elements.len() {
        // SAFETY: the machine has these features. As many elements and bytes of the mask are left as 64 bytes have
        // lanes, and there is room for them.
        let kept = unsafe {
            W::pack512(elements.as_ptr().add(from * W::SIZE), mask.as_ptr().add(from), out.as_mut_ptr().add(to))
        };
        from += lanes;
        to += kept * W::SIZE;
    }
    (from, to)
}

/// Goes through vectors of 256 bits, two at a time. Returns how many elements went through, and how many bytes were written.
#[target_feature(enable = "avx2,popcnt")]
fn by256<W: PackedElement>(elements: &[u8], mask: &[u8], out: &mut [u8]) -> (usize, usize) {
    let (lanes, mut from, mut to) = (64 / W::SIZE, 0, 0);
    while from + lanes <= mask.len() && to + 64 <= out.len() && (from + lanes) * W::SIZE <= elements.len() {
        // SAFETY: the machine has these features. As many elements and bytes of the mask are left as 64 bytes have
        // lanes, and there is room for them.
        let kept = unsafe {
            W::pack256(elements.as_ptr().add(from * W::SIZE), mask.as_ptr().add(from), out.as_mut_ptr().add(to))
        };
        from += lanes;
        to += kept * W::SIZE;
    }
    (from, to)
}
