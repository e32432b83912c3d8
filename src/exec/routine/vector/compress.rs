//! What a mask keeps, a vector at a time.

use crate::exec::machine::Level;
use std::arch::x86_64::*;

/// Words of which vectors are packed.
///
/// # Safety
/// The machine has the level of the function's name. `from` is valid for a vector, `mask` for a byte for each of its words,
/// and `to` for a vector.
pub(super) unsafe trait PackedElement {
    const SIZE: usize;
    /// Packs a vector of 512 bits; how many words are kept.
    unsafe fn pack512(from: *const u8, mask: *const u8, to: *mut u8) -> usize;
    /// The same of 256 bits.
    unsafe fn pack256(from: *const u8, mask: *const u8, to: *mut u8) -> usize;
}

/// For each mask of eight lanes of 32 bits the lanes that it keeps, moved together; of four lanes of 64 bits their halves.
const fn moves(lanes: usize) -> [[u32; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let (mut mask, half) = (0, 8 / lanes);
    while mask < 1 << lanes {
        let (mut lane, mut at) = (0, 0);
        while lane < lanes {
            if mask & (1 << lane) != 0 {
                let mut part = 0;
                while part < half {
                    table[mask][at] = (lane * half + part) as u32;
                    at += 1;
                    part += 1;
                }
            }
            lane += 1;
        }
        mask += 1;
    }
    table
}

static MOVES: [[[u32; 8]; 256]; 2] = [moves(8), moves(4)];

macro_rules! packed {
    ($($W:ident $lanes:literal $Mask:ident $load:ident $compress:ident $half:ident $halves:literal $table:literal;)*) => {$(
        // SAFETY: the functions do what the trait says.
        unsafe impl PackedElement for $W {
            const SIZE: usize = size_of::<$W>();
            #[inline(always)]
            unsafe fn pack512(from: *const u8, mask: *const u8, to: *mut u8) -> usize {
                // SAFETY: the caller's promise.
                unsafe {
                    let bytes = _mm_maskz_loadu_epi8(const { (u16::MAX) >> (16 - $lanes) }, mask.cast());
                    let kept = _mm_test_epi8_mask(bytes, bytes);
                    _mm512_storeu_si512(to.cast(), $compress(kept as $Mask, $load(from.cast())));
                    kept.count_ones() as usize
                }
            }
            #[inline(always)]
            unsafe fn pack256(from: *const u8, mask: *const u8, to: *mut u8) -> usize {
                // SAFETY: the caller's promise; a mask of so many lanes is a place in the table.
                unsafe {
                    let bytes = mask.cast::<$half>().read_unaligned();
                    let bytes = _mm_cvtsi64_si128(bytes as i64);
                    let none = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
                    let kept = (!none & $halves) as usize;
                    let moves = _mm256_loadu_si256(MOVES[$table][kept].as_ptr().cast());
                    let packed = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(from.cast()), moves);
                    _mm256_storeu_si256(to.cast(), packed);
                    kept.count_ones() as usize
                }
            }
        }
    )*};
}
packed! {
    u32 16 __mmask16 _mm512_loadu_epi32 _mm512_maskz_compress_epi32 u64 0xff 0;
    u64 8 __mmask8 _mm512_loadu_epi64 _mm512_maskz_compress_epi64 u32 0xf 1;
}

/// Moves the elements that a mask keeps to the front of the result, as many as it has room for; whether the level has
/// code for that.
pub(super) fn compress<W: PackedElement>(level: Level, elements: &[u8], mask: &[u8], out: &mut [u8]) -> bool {
    let (from, to) = match level {
        // SAFETY: a level is only what the machine has.
        Level::Avx512 => unsafe { by512::<W>(elements, mask, out) },
        // SAFETY: likewise.
        Level::Avx2 => unsafe { by256::<W>(elements, mask, out) },
        Level::Base | Level::Sse => return false,
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
    true
}

/// How many elements went through, and how many bytes were written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt")]
unsafe fn by512<W: PackedElement>(elements: &[u8], mask: &[u8], out: &mut [u8]) -> (usize, usize) {
    let (lanes, mut from, mut to) = (64 / W::SIZE, 0, 0);
    while from + lanes <= mask.len() && to + 64 <= out.len() && (from + lanes) * W::SIZE <= elements.len() {
        // SAFETY: as many elements and masks as a vector has lanes are left, and room for a vector.
        let kept = unsafe {
            W::pack512(elements.as_ptr().add(from * W::SIZE), mask.as_ptr().add(from), out.as_mut_ptr().add(to))
        };
        from += lanes;
        to += kept * W::SIZE;
    }
    (from, to)
}

/// The same with vectors of 256 bits.
#[target_feature(enable = "avx2,popcnt")]
unsafe fn by256<W: PackedElement>(elements: &[u8], mask: &[u8], out: &mut [u8]) -> (usize, usize) {
    let (lanes, mut from, mut to) = (32 / W::SIZE, 0, 0);
    while from + lanes <= mask.len() && to + 32 <= out.len() && (from + lanes) * W::SIZE <= elements.len() {
        // SAFETY: as many elements and masks as a vector has lanes are left, and room for a vector.
        let kept = unsafe {
            W::pack256(elements.as_ptr().add(from * W::SIZE), mask.as_ptr().add(from), out.as_mut_ptr().add(to))
        };
        from += lanes;
        to += kept * W::SIZE;
    }
    (from, to)
}
