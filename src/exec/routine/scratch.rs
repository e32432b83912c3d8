//! Scratch memory of a routine: it comes from what earlier runs let go of.
#![expect(unsafe_code, reason = "memory of bytes is seen as items of a type whose zeros are a value")]

use crate::array::bytes::AlignedBytes;
use crate::exec::options::{RunError, Watch};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Items whose bytes may all be 0.
///
/// # Safety
/// Zeros are a value, which needs no more than 64 bytes of alignment and no drop.
pub(super) unsafe trait Zeroable: Copy {}

// SAFETY: a number of one byte may be 0, has an alignment of at most 1, and needs no drop.
unsafe impl Zeroable for u8 {}
// SAFETY: a number of two bytes may be 0, has an alignment of at most 2, and needs no drop.
unsafe impl Zeroable for u16 {}
// SAFETY: a number of four bytes may be 0, has an alignment of at most 4, and needs no drop.
unsafe impl Zeroable for u32 {}
// SAFETY: a number of eight bytes may be 0, has an alignment of at most 8, and needs no drop.
unsafe impl Zeroable for u64 {}
// SAFETY: a number of sixteen bytes may be 0, has an alignment of at most 16, and needs no drop.
unsafe impl Zeroable for u128 {}
// SAFETY: a number of eight bytes with a sign may be 0, has an alignment of at most 8, and needs no drop.
unsafe impl Zeroable for i64 {}

// SAFETY: both parts may be 0 and need no drop. A pair has the alignment of one of them.
unsafe impl<A: Zeroable, B: Zeroable> Zeroable for (A, B) {}

/// A line of items.
pub(super) struct Scratch<T> {
    bytes: AlignedBytes,
    len: usize,
    items: PhantomData<T>,
}

impl<T: Zeroable> Scratch<T> {
    /// Scratch of `len` zeros.
    pub(super) fn zeroed(len: usize, watch: Watch) -> Result<Scratch<T>, RunError> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| watch.out_of_memory())?;
        let bytes = AlignedBytes::zeroed(bytes).map_err(|_| watch.out_of_memory())?;
        Ok(Scratch { bytes, len, items: PhantomData })
    }
}

impl<T: Zeroable> Deref for Scratch<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the bytes are `len` items, aligned to 64, and zeros or what was written through a reference to items.
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr().cast(), self.len) }
    }
}

impl<T: Zeroable> DerefMut for Scratch<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: the bytes are `len` items, aligned to 64, and zeros or what was written through a reference to items.
        // The borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.bytes.as_mut_ptr().cast(), self.len) }
    }
}
