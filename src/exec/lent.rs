//! Memory of the caller that gets the elements of a result.
#![expect(unsafe_code, reason = "the caller keeps the memory, and only its address comes here")]

use crate::array::bytes::AlignedBytes;
use crate::array::{Array, Sizes, Strides, c_strides, is_dense};
use crate::types::DType;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::NonNull;

/// Memory that gets the elements of a result.
#[derive(Debug)]
pub struct LentMemory<'a> {
    first: NonNull<u8>,
    dtype: DType,
    shape: Sizes,
    strides: Strides,
    _memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: whoever lends memory promises that it may be written from any thread.
unsafe impl Send for LentMemory<'_> {}
// SAFETY: whoever lends memory promises that it may be written from any thread, and a run writes each element once.
unsafe impl Sync for LentMemory<'_> {}

impl<'a> LentMemory<'a> {
    /// Memory by its address: `first` is that of the element with index 0 everywhere, strides are in bytes, and
    /// elements may have any alignment.
    ///
    /// # Safety
    /// For `'a` every element can be read and written, from any thread, and nobody else does. No two elements share a
    /// byte.
    pub unsafe fn new(first: NonNull<u8>, dtype: DType, shape: &[usize], strides: &[isize]) -> LentMemory<'a> {
        let (shape, strides) = (Sizes::from_slice(shape), Strides::from_slice(strides));
        LentMemory { first, dtype, shape, strides, _memory: PhantomData }
    }

    /// A slice that holds the elements in C order.
    ///
    /// # Panics
    /// When it is too short.
    pub fn slice<T: crate::types::dtype::Element>(
        dtype: DType,
        shape: &[usize],
        memory: &'a mut [T],
    ) -> LentMemory<'a> {
        assert!(T::DTYPE == dtype && shape.iter().product::<usize>() <= memory.len(), "as many elements of the dtype");
        // SAFETY: elements in C order lie in the slice, which is borrowed for as long.
        unsafe { LentMemory::new(NonNull::from(memory).cast(), dtype, shape, &c_strides(shape, dtype.size())) }
    }

    /// Whether an array has its dtype and shape.
    pub(super) fn fits(&self, dtype: DType, shape: &[usize]) -> bool {
        dtype == self.dtype && shape == &self.shape[..]
    }

    /// Whether elements of an array lie in the memory, or may.
    pub(super) fn overlaps(&self, array: &Array) -> bool {
        overlap(&self.range(), &range(array.pointer(), array.dtype(), array.shape(), array.strides()))
    }

    /// Whether the memory of another may be the same.
    pub(super) fn overlaps_memory(&self, other: &LentMemory) -> bool {
        overlap(&self.range(), &other.range())
    }

    pub(super) fn first(&self) -> *mut u8 {
        self.first.as_ptr()
    }

    pub(super) fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// The memory of elements that lie in C order.
    pub(super) fn bytes(&self) -> AlignedBytes {
        let len = self.shape.iter().product::<usize>() * self.dtype.size();
        // SAFETY: by the promise of `new`; and a run ends before the memory may be used again.
        unsafe { AlignedBytes::lent(self.first, len) }
    }

    pub(super) fn is_dense(&self) -> bool {
        is_dense(&self.shape, &self.strides, self.dtype.size())
    }

    /// The addresses of its bytes.
    fn range(&self) -> Range<usize> {
        range(self.first.as_ptr(), self.dtype, &self.shape, &self.strides)
    }
}

/// The addresses between the first and the last byte of elements.
fn range(first: *const u8, dtype: DType, shape: &[usize], strides: &[isize]) -> Range<usize> {
    if shape.contains(&0) {
        return 0..0;
    }
    let (mut low, mut high) = (first.addr(), first.addr() + dtype.size());
    for (&len, &stride) in shape.iter().zip(strides) {
        let reach = (len as isize - 1) * stride;
        if reach < 0 {
            low = low.wrapping_add_signed(reach);
        } else {
            high += reach.unsigned_abs();
        }
    }
    low..high
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}
