//! Names of half-written files, which a process removes when it ends at once. The folders of such files are among them.
//!
//! A temporary file goes away when its value is dropped, but a signal that ends the process drops nothing. Each name is
//! therefore kept, before the file is made, in a slot that a signal handler may read: [`abandon`] allocates nothing and
//! takes no lock. Whoever takes a name out of its slot owns it.
#![expect(unsafe_code, reason = "a signal handler may take no lock: names are shared by their addresses")]

use std::ffi::{CString, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// How many files can be on the way at once; of more than these, a signal may leave the last ones.
const SLOTS: usize = 16;

static NAMES: [AtomicPtr<c_char>; SLOTS] = [const { AtomicPtr::new(null_mut()) }; SLOTS];

/// A name that is kept until this is dropped.
#[derive(Debug)]
pub(super) struct PendingName {
    slot: Option<&'static AtomicPtr<c_char>>,
}

impl PendingName {
    /// Keeps the name of a file that is about to be made, or of a folder for such files.
    pub(super) fn new(path: &Path) -> PendingName {
        let Ok(name) = CString::new(path.as_os_str().as_bytes()) else { return PendingName { slot: None } };
        let name = name.into_raw();
        let free =
            |slot: &&AtomicPtr<_>| slot.compare_exchange(null_mut(), name, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        let slot = NAMES.iter().find(free);
        if slot.is_none() {
            // SAFETY: the pointer comes from `into_raw` above, and no slot has it.
            drop(unsafe { CString::from_raw(name) });
        }
        PendingName { slot }
    }
}

impl Drop for PendingName {
    fn drop(&mut self) {
        let Some(slot) = self.slot else { return };
        let name = slot.swap(null_mut(), Ordering::AcqRel);
        if !name.is_null() {
            // SAFETY: the pointer comes from `into_raw`, and the swap made it ours alone.
            drop(unsafe { CString::from_raw(name) });
        }
    }
}

/// Removes the files that are half written, for a process that ends at once; may be called from a signal handler.
pub fn abandon() {
    let mut left: [*mut c_char; SLOTS] = [null_mut(); SLOTS];
    for (slot, left) in NAMES.iter().zip(&mut left) {
        let name = slot.swap(null_mut(), Ordering::AcqRel);
        if name.is_null() {
            continue;
        }
        // SAFETY: the swap made the text ours, it ends in a NUL, and `unlink` may be called from a signal handler.
        // It is not freed: that may not be done there, and the process ends.
        let outcome = unsafe { libc::unlink(name) };
        if outcome != 0 {
            *left = name;
        }
    }
    // Folders are empty now.
    for name in left {
        if !name.is_null() {
            // SAFETY: as above, and `rmdir` may be called from a signal handler too.
            unsafe { libc::rmdir(name) };
        }
    }
}
