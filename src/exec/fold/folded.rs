//! Results of folds on their way to memory, which need not be aligned for them.

use crate::types::dtype::Element;
use std::mem::MaybeUninit;

/// An element of a result.
#[derive(Clone, Copy)]
pub(crate) struct FoldedElement {
    bits: u128,
    size: usize,
}

impl FoldedElement {
    #[inline(always)]
    pub(super) fn of<T: Element>(element: T) -> FoldedElement {
        FoldedElement { bits: element.to_bits(), size: size_of::<T>() }
    }

    /// Writes the element.
    ///
    /// # Safety
    /// `to` is valid for a write of an element of the result, with any alignment.
    #[inline(always)]
    pub(crate) unsafe fn write(self, to: *mut u8) {
        // SAFETY: the caller promises room for an element, which has `size` bytes, at most as many as the bits.
        unsafe { std::ptr::copy_nonoverlapping(self.bits.to_le_bytes().as_ptr(), to, self.size) }
    }
}

/// Writes elements one behind the other, as many as there is room for.
pub(super) fn write_all<T: Element>(elements: impl IntoIterator<Item = T>, to: &mut [MaybeUninit<u8>]) {
    for (place, element) in to.chunks_exact_mut(size_of::<T>()).zip(elements) {
        place.write_copy_of_slice(&element.to_bits().to_le_bytes()[..size_of::<T>()]);
    }
}
