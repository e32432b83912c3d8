//! Memory for elements: aligned to 64 bytes and refused politely when there is none.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// The alignment: a cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// Bytes whose first one is aligned to 64.
pub struct AlignedBytes {
    /// What the allocator gave; dangling when `layout` has no bytes.
    block: NonNull<u8>,
    layout: Layout,
    /// The distance from `block` to the first byte.
    skip: usize,
    len: usize,
}

// SAFETY: the block belongs to this value alone.
unsafe impl Send for AlignedBytes {}
// SAFETY: shared references only read.
unsafe impl Sync for AlignedBytes {}

/// The memory is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory {
    /// How many bytes were wanted.
    pub bytes: usize,
}

impl AlignedBytes {
    /// `len` bytes of 0. Large blocks come from the system as zeros and cost nothing until they are touched; that is
    /// why the block is aligned here rather than by the allocator, which would clear it by hand.
    ///
    /// # Errors
    /// When the allocator refuses.
    pub fn zeroed(len: usize) -> Result<AlignedBytes, OutOfMemory> {
        // SAFETY: the layout is not empty.
        AlignedBytes::from_allocator(len, |layout| unsafe { alloc_zeroed(layout) })
    }

    /// `len` bytes that are not initialised.
    ///
    /// # Errors
    /// When the allocator refuses.
    ///
    /// # Safety
    /// Every byte must be written, through [`AlignedBytes::as_mut_ptr`], before a slice of them is taken.
    pub unsafe fn uninit(len: usize) -> Result<AlignedBytes, OutOfMemory> {
        // SAFETY: the layout is not empty.
        AlignedBytes::from_allocator(len, |layout| unsafe { alloc(layout) })
    }

    fn from_allocator(len: usize, allocate: impl Fn(Layout) -> *mut u8) -> Result<AlignedBytes, OutOfMemory> {
        let refused = OutOfMemory { bytes: len };
        if len == 0 {
            return Ok(AlignedBytes { block: NonNull::dangling(), layout: Layout::new::<()>(), skip: 0, len });
        }
        let size = len.checked_add(ALIGNMENT - 1).ok_or(refused)?;
        let layout = Layout::from_size_align(size, 1).map_err(|_| refused)?;
        let block = NonNull::new(allocate(layout)).ok_or(refused)?;
        let skip = block.addr().get().wrapping_neg() % ALIGNMENT;
        Ok(AlignedBytes { block, layout, skip, len })
    }

    /// The address of the first byte, to write through.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.block.as_ptr().wrapping_add(self.skip)
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: `skip + len` bytes are ours and initialised by the contract of the constructors; `u8` has no
        // alignment, and of a dangling block the slice is empty.
        unsafe { std::slice::from_raw_parts(self.block.as_ptr().add(self.skip), self.len) }
    }

    /// The bytes, to be written.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as above, and the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.as_mut_ptr(), self.len) }
    }
}

impl std::fmt::Debug for AlignedBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.len)
    }
}

impl Drop for AlignedBytes {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: allocated with this layout and freed once.
            unsafe { dealloc(self.block.as_ptr(), self.layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_aligned_zeroed_and_as_many_as_asked_for() {
        for len in [0, 1, 63, 64, 65, 1 << 20] {
            let bytes = AlignedBytes::zeroed(len).unwrap();
            assert_eq!(bytes.as_slice().len(), len);
            assert!(bytes.as_slice().iter().all(|&byte| byte == 0));
            assert!(len == 0 || bytes.as_slice().as_ptr().addr() % ALIGNMENT == 0);
        }
        assert!(AlignedBytes::zeroed(usize::MAX - 10).is_err());
    }
}
