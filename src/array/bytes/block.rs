//! Blocks of memory from the allocator. Large blocks are pages of the system's.
//!
//! A fresh page costs a fault when it is first touched. Pages of 2 MiB make 512 times fewer of them, for a fault that
//! is dearer. On one machine 4 MiB are touched for the first time in 80 µs instead of 1,300, and a megabyte in 39
//! instead of 318. So blocks of a megabyte and more begin where such a page may, and ask for them.
#![expect(unsafe_code, reason = "the block is memory of the allocator, with its own alignment")]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Memory that belongs to this value alone.
pub(super) struct OwnedBlock {
    address: NonNull<u8>,
    size: usize,
    /// The beginning and the length of the pages that it lies in, if they are its own.
    pages: Option<(NonNull<u8>, usize)>,
    /// Whether all bytes were values from the beginning.
    initialised: bool,
}

// SAFETY: the memory belongs to this value alone.
unsafe impl Send for OwnedBlock {}
// SAFETY: shared references only tell the address.
unsafe impl Sync for OwnedBlock {}

/// A block of at least this many bytes is pages of its own.
#[cfg(target_os = "linux")]
const PAGES: usize = 1 << 20;

/// A large page. The last one of a block is asked for only if a quarter of it is used.
#[cfg(target_os = "linux")]
const HUGE_PAGE_BYTES: usize = 2 << 20;

impl OwnedBlock {
    /// A block of zeros.
    pub(super) fn zeroed(size: usize) -> Option<OwnedBlock> {
        // SAFETY: blocks have bytes.
        let zeros = || OwnedBlock::from_allocator(size, |layout| unsafe { alloc_zeroed(layout) });
        OwnedBlock::pages(size).or_else(|| {
            let mut block = zeros()?;
            block.initialised = true;
            Some(block)
        })
    }

    /// A block whose bytes are not initialised.
    #[inline]
    pub(super) fn uninit(size: usize) -> Option<OwnedBlock> {
        // SAFETY: blocks have bytes.
        OwnedBlock::pages(size).or_else(|| OwnedBlock::from_allocator(size, |layout| unsafe { alloc(layout) }))
    }

    #[inline]
    fn from_allocator(size: usize, allocate: impl Fn(Layout) -> *mut u8) -> Option<OwnedBlock> {
        let address = NonNull::new(allocate(layout(size)?))?;
        Some(OwnedBlock { address, size, pages: None, initialised: false })
    }

    #[cfg(target_os = "linux")]
    #[inline]
    fn pages(size: usize) -> Option<OwnedBlock> {
        if size < PAGES { None } else { OwnedBlock::mapped(size) }
    }

    #[cfg(target_os = "linux")]
    fn mapped(size: usize) -> Option<OwnedBlock> {
        let whole = size.checked_next_multiple_of(HUGE_PAGE_BYTES)?;
        let mapped = whole.checked_add(HUGE_PAGE_BYTES).filter(|&mapped| isize::try_from(mapped).is_ok())?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: asks for fresh pages anywhere.
        let first = unsafe { libc::mmap(std::ptr::null_mut(), mapped, access, kind, -1, 0) };
        if first == libc::MAP_FAILED {
            return None;
        }
        let first = first.cast::<u8>();
        let address = first.wrapping_add(first.addr().wrapping_neg() % HUGE_PAGE_BYTES);
        let huge = if whole - size > HUGE_PAGE_BYTES / 4 * 3 { whole - HUGE_PAGE_BYTES } else { whole };
        // SAFETY: within the pages that were mapped. Where the kernel has no large ones, nothing is lost.
        unsafe { libc::madvise(address.cast(), huge, libc::MADV_HUGEPAGE) };
        let pages = Some((NonNull::new(first)?, mapped));
        Some(OwnedBlock { address: NonNull::new(address)?, size, pages, initialised: true })
    }

    #[cfg(not(target_os = "linux"))]
    fn pages(_: usize) -> Option<OwnedBlock> {
        None
    }

    /// Where it begins.
    #[inline]
    pub(super) fn address(&self) -> *mut u8 {
        self.address.as_ptr()
    }

    /// Makes values of its bytes, if some may be none yet.
    pub(super) fn initialise(&mut self) {
        if !self.initialised {
            // SAFETY: all bytes of the block.
            unsafe { self.address.as_ptr().write_bytes(0, self.size) };
            self.initialised = true;
        }
    }

    /// Its bytes.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.size
    }
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size, 1).ok()
}

impl Drop for OwnedBlock {
    fn drop(&mut self) {
        match self.pages {
            #[cfg(target_os = "linux")]
            // SAFETY: mapped with this length, and unmapped once.
            Some((first, mapped)) => unsafe {
                libc::munmap(first.as_ptr().cast(), mapped);
            },
            // SAFETY: allocated with this layout, and freed once.
            _ => unsafe { dealloc(self.address.as_ptr(), layout(self.size).expect("it had a layout")) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_any_size_can_be_written_to_its_last_byte() {
        for size in [1, 4096, (1 << 20) - 1, 1 << 20, (2 << 20) + 1, (3 << 20) + 4097] {
            for block in [OwnedBlock::zeroed(size).unwrap(), OwnedBlock::uninit(size).unwrap()] {
                // SAFETY: the first and the last byte of the block.
                unsafe {
                    block.address().write(1);
                    block.address().add(size - 1).write(2);
                }
                assert_eq!(block.size(), size);
            }
        }
        // SAFETY: fresh pages, all of them zeros.
        let bytes = |block: &OwnedBlock| unsafe { std::slice::from_raw_parts(block.address(), block.size()) }.to_vec();
        assert!(bytes(&OwnedBlock::zeroed(3 << 20).unwrap()).iter().all(|&byte| byte == 0));
        assert!(OwnedBlock::uninit(isize::MAX as usize).is_none() && OwnedBlock::zeroed(usize::MAX).is_none());
    }
}
