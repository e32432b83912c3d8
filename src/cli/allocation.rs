//! Memory that the machine does not give. The command ends with an error that has a code, and leaves no file behind.
//!
//! Arrays and readers ask for their memory and go on when it is refused. Everything else (a tree, a list of findings)
//! cannot: there the standard library aborts. The allocator of the command notes a refusal, so that the handler of the
//! abort, in `interrupt`, ends the process as a signal does, with the words and the exit code of `E0518`.
#![expect(unsafe_code, reason = "an allocator is `unsafe` to write: everything relies on the memory that it gives")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the system refused memory.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// The system's allocator, which notes when it refuses.
#[derive(Debug)]
pub struct NotingAllocator;

fn noted(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        REFUSED.store(true, Ordering::Relaxed);
    }
    memory
}

// SAFETY: each call is the system's, with the arguments as they came.
unsafe impl GlobalAlloc for NotingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the system's allocator asks for what the caller of `alloc` promises: a size that is not 0.
        noted(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the system's allocator asks for what the caller of `alloc_zeroed` promises: a size that is not 0.
        noted(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: all memory here is the system's; the caller promises its layout and a size that is not 0.
        noted(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: all memory here is the system's; the caller promises its layout.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Whether the system has refused memory; may be asked from a signal handler.
pub(super) fn was_refused() -> bool {
    REFUSED.load(Ordering::Relaxed)
}
