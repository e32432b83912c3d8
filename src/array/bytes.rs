//! Memory for elements: aligned to 64 bytes and refused politely when there is none.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The alignment: a cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// How many bytes a block is longer than the `len` bytes that it is for.
const fn slack(len: usize) -> usize {
    if len < LARGE { ALIGNMENT - 1 } else { PAGE }
}

/// Where blocks begin to be pages of their own.
const LARGE: usize = 64 << 10;
const PAGE: usize = 4096;

/// How far into a block the bytes begin: aligned, and in a large one a quarter of a page further each time. Large blocks
/// all begin at the same place of a page, and a loop that loads where, but for the page, it has just stored waits for
/// its own stores: five times the time.
fn skip(block: NonNull<u8>, len: usize) -> usize {
    static TURN: AtomicUsize = AtomicUsize::new(0);
    let aligned = block.addr().get().wrapping_neg() % ALIGNMENT;
    match len < LARGE {
        true => aligned,
        false => aligned + TURN.fetch_add(1, Ordering::Relaxed) % 4 * (PAGE / 4),
    }
}

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
        if let Some(kept) = pool::take(len) {
            return Ok(kept);
        }
        // SAFETY: the layout is not empty.
        AlignedBytes::from_allocator(len, |layout| unsafe { alloc(layout) }).or_else(|refused| {
            pool::clear();
            // SAFETY: as above.
            AlignedBytes::from_allocator(len, |layout| unsafe { alloc(layout) }).map_err(|_| refused)
        })
    }

    fn from_allocator(len: usize, allocate: impl Fn(Layout) -> *mut u8) -> Result<AlignedBytes, OutOfMemory> {
        let refused = OutOfMemory { bytes: len };
        if len == 0 {
            return Ok(AlignedBytes { block: NonNull::dangling(), layout: Layout::new::<()>(), skip: 0, len });
        }
        let size = len.checked_add(slack(len)).ok_or(refused)?;
        let layout = Layout::from_size_align(size, 1).map_err(|_| refused)?;
        let block = NonNull::new(allocate(layout)).ok_or(refused)?;
        Ok(AlignedBytes { block, layout, skip: skip(block, len), len })
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
        if self.layout.size() > 0 && !pool::keep(self) {
            // SAFETY: allocated with this layout and freed once.
            unsafe { dealloc(self.block.as_ptr(), self.layout) };
        }
    }
}

/// Large blocks that were let go of, for the next result: the first touch of fresh pages costs ten times what most
/// loops do with them.
mod pool {
    use super::{AlignedBytes, skip, slack};
    use std::alloc::Layout;
    use std::ptr::NonNull;
    use std::sync::{Mutex, MutexGuard};

    /// Smaller blocks are quick to get from the allocator.
    const SMALLEST: usize = 256 << 10;
    /// The most bytes kept.
    const CAPACITY: usize = 256 << 20;

    /// A block of the allocator that nobody uses.
    struct Idle(NonNull<u8>, Layout);

    // SAFETY: it belongs to the pool alone.
    unsafe impl Send for Idle {}

    static IDLE: Mutex<Vec<Idle>> = Mutex::new(Vec::new());

    fn idle() -> MutexGuard<'static, Vec<Idle>> {
        IDLE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A block for `len` bytes that is not much larger.
    pub(super) fn take(len: usize) -> Option<AlignedBytes> {
        if len < SMALLEST {
            return None;
        }
        let mut idle = idle();
        let fits = |block: &Idle| (len + slack(len)..=len + len / 2 + slack(len)).contains(&block.1.size());
        let best = (0..idle.len()).filter(|&index| fits(&idle[index])).min_by_key(|&index| idle[index].1.size())?;
        let Idle(block, layout) = idle.swap_remove(best);
        Some(AlignedBytes { block, layout, skip: skip(block, len), len })
    }

    /// Keeps a block, the oldest making room; false if it is not worth it.
    pub(super) fn keep(bytes: &AlignedBytes) -> bool {
        let size = bytes.layout.size();
        if !(SMALLEST..=CAPACITY).contains(&size) {
            return false;
        }
        let mut idle = idle();
        let mut held: usize = idle.iter().map(|block| block.1.size()).sum();
        while held + size > CAPACITY {
            let oldest = idle.remove(0);
            held -= oldest.1.size();
            free(oldest);
        }
        idle.push(Idle(bytes.block, bytes.layout));
        true
    }

    /// Gives everything back to the allocator.
    pub(super) fn clear() {
        std::mem::take(&mut *idle()).into_iter().for_each(free);
    }

    fn free(Idle(block, layout): Idle) {
        // SAFETY: allocated with this layout; the pool was its only owner and lets go of it here.
        unsafe { std::alloc::dealloc(block.as_ptr(), layout) };
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
}
