//! Memory for elements, aligned to 64 bytes. It is refused politely when there is none.
#![expect(unsafe_code, reason = "the elements of arrays lie in memory that this file gets and gives back")]

mod block;
mod pool;

use block::OwnedBlock;
pub use pool::{release_idle, trim_idle};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The alignment: a cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// How many bytes a block is longer than the `len` bytes that it is for.
const fn slack(len: usize) -> usize {
    if len < MIN_PAGED_BYTES { ALIGNMENT - 1 } else { PAGE }
}

/// Where blocks begin to be pages of their own.
const MIN_PAGED_BYTES: usize = 64 << 10;
const PAGE: usize = 4096;

/// How far into a block the bytes begin: aligned, and in a large one a quarter of a page further each time. Large
/// blocks all begin at the same place of a page, and a loop that loads where, but for the page, it has just stored
/// waits for its own stores: five times the time.
#[inline]
fn skip(block: &OwnedBlock, len: usize) -> usize {
    static TURN: AtomicUsize = AtomicUsize::new(0);
    let aligned = block.address().addr().wrapping_neg() % ALIGNMENT;
    match len < MIN_PAGED_BYTES {
        true => aligned,
        false => aligned + TURN.fetch_add(1, Ordering::Relaxed) % 4 * (PAGE / 4),
    }
}

/// Bytes whose first one is aligned to 64, but for memory that somebody [lent](AlignedBytes::is_lent).
pub struct AlignedBytes {
    /// What the allocator gave; `None` for no bytes, for memory that was lent, and when it went to the pool.
    block: Option<OwnedBlock>,
    /// Memory of somebody else instead.
    lent: Option<NonNull<u8>>,
    /// The distance from the block's beginning to the first byte.
    skip: usize,
    len: usize,
}

// SAFETY: memory of our own is this value's alone, and whoever lent some has promised the same.
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
    /// `len` bytes of 0: a block that somebody let go of is cleared, which costs less than pages that nobody has
    /// touched. Other large blocks come from the system as zeros; that is why the block is aligned here rather than by
    /// the allocator, which would clear it by hand.
    ///
    /// # Errors
    /// When the allocator refuses.
    pub fn zeroed(len: usize) -> Result<AlignedBytes, OutOfMemory> {
        if let Some(block) = pool::take(len, slack(len)) {
            let bytes = AlignedBytes::within(block, len);
            // SAFETY: the block has room for `len` bytes behind what is skipped.
            unsafe { bytes.first().write_bytes(0, len) };
            return Ok(bytes);
        }
        AlignedBytes::allocated(len, OwnedBlock::zeroed)
    }

    /// `len` bytes of any value, for what writes all of them: those of a block that somebody let go of, or zeros.
    ///
    /// # Errors
    /// When the allocator refuses.
    pub fn any(len: usize) -> Result<AlignedBytes, OutOfMemory> {
        let Some(mut block) = pool::take(len, slack(len)) else {
            return AlignedBytes::allocated(len, OwnedBlock::zeroed);
        };
        block.initialise();
        Ok(AlignedBytes::within(block, len))
    }

    /// `len` bytes that are not initialised.
    ///
    /// # Errors
    /// When the allocator refuses.
    ///
    /// # Safety
    /// Every byte must be written, through [`AlignedBytes::as_mut_ptr`], before a slice of them is taken.
    #[inline]
    pub unsafe fn uninit(len: usize) -> Result<AlignedBytes, OutOfMemory> {
        if let Some(block) = pool::take(len, slack(len)) {
            return Ok(AlignedBytes::within(block, len));
        }
        AlignedBytes::allocated(len, OwnedBlock::uninit)
    }

    /// The first `len` bytes; the others stay allocated as long as they do.
    ///
    /// # Panics
    /// When there are fewer.
    pub(crate) fn shorten(mut self, len: usize) -> AlignedBytes {
        assert!(len <= self.len, "there are {} bytes", self.len);
        self.len = len;
        self
    }

    /// Memory of somebody else, who gets the bytes that are written to it. It has any alignment.
    ///
    /// # Safety
    /// The `len` bytes can be read and written, by nobody else, as long as this value lives; as for
    /// [`AlignedBytes::uninit`] they are written before a slice of them is taken.
    pub(crate) unsafe fn lent(first: NonNull<u8>, len: usize) -> AlignedBytes {
        AlignedBytes { block: None, lent: Some(first), skip: 0, len }
    }

    /// Whether somebody else gets the bytes.
    #[inline]
    pub fn is_lent(&self) -> bool {
        self.lent.is_some()
    }

    #[inline]
    fn allocated(len: usize, allocate: impl Fn(usize) -> Option<OwnedBlock>) -> Result<AlignedBytes, OutOfMemory> {
        let refused = OutOfMemory { bytes: len };
        if len == 0 {
            return Ok(AlignedBytes { block: None, lent: None, skip: 0, len });
        }
        let size = len.checked_add(slack(len)).ok_or(refused)?;
        let again = || {
            release_idle();
            allocate(size)
        };
        Ok(AlignedBytes::within(allocate(size).or_else(again).ok_or(refused)?, len))
    }

    /// The bytes of a block that is as long as they and their slack.
    #[inline]
    fn within(block: OwnedBlock, len: usize) -> AlignedBytes {
        let skip = skip(&block, len);
        AlignedBytes { block: Some(block), lent: None, skip, len }
    }

    /// The first byte; dangling if there are none of our own.
    #[inline]
    fn first(&self) -> *mut u8 {
        match &self.block {
            Some(block) => block.address().wrapping_add(self.skip),
            None => self.lent.map_or(std::ptr::dangling_mut(), NonNull::as_ptr),
        }
    }

    /// The address of the first byte.
    #[inline]
    pub fn as_ptr(&self) -> *const u8 {
        self.first()
    }

    /// The address of the first byte, to write through.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.first()
    }

    /// The bytes.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: `skip + len` bytes are ours and initialised by the contract of the constructors; `u8` has no
        // alignment, and of a dangling block the slice is empty.
        unsafe { std::slice::from_raw_parts(self.first(), self.len) }
    }

    /// The bytes, to be written.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: `skip + len` bytes are ours and initialised by the contract of the constructors; `u8` has no
        // alignment, and of a dangling block the slice is empty. The borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(self.first(), self.len) }
    }
}

impl std::fmt::Debug for AlignedBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.len)
    }
}

impl Drop for AlignedBytes {
    fn drop(&mut self) {
        if let Some(block) = self.block.take() {
            pool::keep(block);
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
            assert!(len == 0 || bytes.as_slice().as_ptr().addr().is_multiple_of(ALIGNMENT));
        }
        assert!(AlignedBytes::zeroed(usize::MAX - 10).is_err());
    }

    #[test]
    fn a_length_beyond_all_memory_takes_no_idle_block() {
        for len in [usize::MAX - 10, usize::MAX - PAGE, usize::MAX / 2 + 1, usize::MAX / 3 * 2] {
            drop(AlignedBytes::zeroed(1 << 20).unwrap());
            assert!(AlignedBytes::zeroed(len).is_err(), "{len}");
        }
    }
}
