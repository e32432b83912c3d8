//! Non-temporal stores, which pass the caches by.
//!
//! A store to memory that is in no cache first reads what is there. For results that are much larger than the caches
//! that is a third of the traffic of `2*a + 3*b`, and for nothing. Loops of vectors of 256 bits or more make such
//! stores themselves, where results begin at lines. The others write a block to scratch in the first-level cache, which
//! is then copied.
//!
//! Measured for `2*a + 3*b` in f32 with 120 MB of operands and result together, against plain stores. On an EPYC of
//! 2022 (Zen 4) such stores are 1.4 times as fast from within the loop, and 1.0 to 1.1 times through scratch. On
//! another machine they are 1.3 times as fast through scratch; there 12 MB were 1.2 times as fast and 1 MB 1.0. Two
//! threads that others keep from memory lost a third with 24 MB, which the last-level cache of that machine holds. What
//! was stored so is in no cache afterwards; therefore it begins above what such a cache keeps, and later for results
//! that the next kernel reads. Blocks of 8 KiB are slower than blocks of 4.
#![expect(unsafe_code, reason = "stores that pass the caches by need their level, and an address")]

use crate::exec::machine::{Level, level};
use crate::types::DType;

/// Bytes that are computed before they are copied.
const BLOCK: usize = 4 << 10;

/// Elements of a dtype in a block.
pub(super) fn block(dtype: DType) -> usize {
    BLOCK / dtype.size()
}

/// Whether this machine has stores that are worth it.
pub(super) fn is_available() -> bool {
    level() >= Level::Avx2
}

/// A line of the caches.
const LINE: usize = 64;

/// The bytes from an address to the next line.
pub(super) fn to_line(address: usize) -> usize {
    address.wrapping_neg() % LINE
}

/// Whether a distance leads from one line to the beginning of another.
pub(super) fn is_lines(distance: isize) -> bool {
    distance.unsigned_abs().is_multiple_of(LINE)
}

/// Copies bytes so that they do not stay in the caches; [`fence`] must come before another thread is told of them.
///
/// # Safety
/// `from` can be read and `to` written for `len` bytes, and they do not overlap. [`is_available`].
pub(super) unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    let head = to_line(to.addr()).min(len);
    let lines = (len - head) / LINE * LINE;
    // SAFETY: parts of what the caller speaks of; whole lines begin at one.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, head);
        copy_lines(from.add(head), to.add(head), lines);
        let done = head + lines;
        std::ptr::copy_nonoverlapping(from.add(done), to.add(done), len - done);
    }
}

/// # Safety
/// As for `copy`; `to` is aligned to a line, and `len` is a multiple of one.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[expect(clippy::cast_ptr_alignment, reason = "loads take any alignment; stores have that of a line")]
unsafe fn copy_lines(from: *const u8, to: *mut u8, len: usize) {
    use std::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_stream_si256};
    for at in (0..len).step_by(LINE) {
        // SAFETY: both halves of a line.
        unsafe {
            let (from, to) = (from.add(at).cast::<__m256i>(), to.add(at).cast::<__m256i>());
            let (low, high) = (_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1)));
            _mm256_stream_si256(to, low);
            _mm256_stream_si256(to.add(1), high);
        }
    }
}

/// # Safety
/// As for `copy`.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn copy_lines(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: the caller promises `len` bytes to read and to write that do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(from, to, len) };
}

/// Orders the copies of this thread before what it stores next.
pub(super) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has it.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_length_at_any_place_is_copied_and_nothing_else() {
        if !is_available() {
            return;
        }
        let from: Vec<u8> = (0..400).map(|byte| (byte % 251) as u8).collect();
        for start in [0, 1, 7, 33, 63, 64, 65] {
            for len in 0..300 {
                let mut to = vec![255u8; 512];
                // SAFETY: within both vectors.
                unsafe { copy(from.as_ptr(), to.as_mut_ptr().add(start), len) };
                fence();
                assert_eq!(to[start..start + len], from[..len]);
                assert!(to[..start].iter().chain(&to[start + len..]).all(|&byte| byte == 255));
            }
        }
    }
}
