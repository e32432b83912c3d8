//! Arrays with elements in a file, whose changes are told.
//!
//! Two things tell that a file became shorter: pages that are gone when they are read ([`super::fault`]), and the
//! file's own length, which also sees the part of a last page that is silently zero. Either one marks the mapping for
//! good.
//!
//! ```
//! use arrlang::{array::Array, io::mapped};
//! assert!(mapped::lost_file_error([&Array::from_elements(&[1], &[1u8])]).is_none());
//! ```

use super::error::{IoError, Warning};
use super::fault::GuardedMapping;
use super::watch::FileWatch;
use crate::array::Array;
use crate::array::mapping::{Mapping, MappingState, ReadAt};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Part of a file.
pub(super) struct MappedFile {
    guarded: GuardedMapping,
    watch: FileWatch,
    /// Where in the file the part ends.
    end: u64,
    /// The file, kept open if it is large enough to be read through windows.
    file: Option<PartOfFile>,
}

impl MappedFile {
    pub(super) fn new(guarded: GuardedMapping, watch: FileWatch, end: u64, file: Option<PartOfFile>) -> MappedFile {
        MappedFile { guarded, watch, end, file }
    }
}

/// An open file, from some place on.
pub(super) struct PartOfFile {
    pub(super) file: File,
    pub(super) offset: u64,
    pub(super) len: usize,
}

impl ReadAt for PartOfFile {
    fn read_at(&self, at: usize, window: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(window, self.offset + at as u64)
    }
}

/// Part of a file that the system does not map: there are not enough addresses. It is only read through windows.
pub(super) struct UnmappedFile {
    part: PartOfFile,
    watch: FileWatch,
    lost: AtomicBool,
}

impl UnmappedFile {
    pub(super) fn new(part: PartOfFile, watch: FileWatch) -> UnmappedFile {
        UnmappedFile { part, watch, lost: AtomicBool::new(false) }
    }
}

impl Mapping for UnmappedFile {
    fn bytes(&self) -> &[u8] {
        &[]
    }

    fn len(&self) -> usize {
        self.part.len
    }

    fn is_mapped(&self) -> bool {
        false
    }

    fn windows(&self) -> Option<&dyn ReadAt> {
        Some(&self.part)
    }

    fn state(&self) -> MappingState {
        let end = self.part.offset + self.part.len as u64;
        if self.watch.len_now().is_some_and(|len| len < end) {
            self.lose();
        }
        match self.lost.load(Ordering::SeqCst) {
            true => MappingState::Lost,
            false if self.watch.has_changed() => MappingState::Changed,
            false => MappingState::Sound,
        }
    }

    fn lose(&self) {
        self.lost.store(true, Ordering::SeqCst);
    }

    fn path(&self) -> &Path {
        self.watch.path()
    }
}

impl Mapping for MappedFile {
    fn bytes(&self) -> &[u8] {
        self.guarded.bytes()
    }

    fn windows(&self) -> Option<&dyn ReadAt> {
        self.file.as_ref().map(|file| file as &dyn ReadAt)
    }

    fn state(&self) -> MappingState {
        if !self.guarded.is_lost() && self.watch.len_now().is_some_and(|len| len < self.end) {
            self.guarded.lose();
        }
        match self.guarded.is_lost() {
            true => MappingState::Lost,
            false if self.watch.has_changed() => MappingState::Changed,
            false => MappingState::Sound,
        }
    }

    fn lose(&self) {
        self.guarded.lose();
    }

    fn path(&self) -> &Path {
        self.watch.path()
    }
}

/// The error when one of these arrays lies in a file that became shorter: whatever was read of it is worthless.
pub fn lost_file_error<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Option<IoError> {
    let mut mappings = arrays.into_iter().filter_map(Array::mapping);
    mappings.find(|mapping| mapping.state() == MappingState::Lost).map(worthless)
}

/// The error about a file that became shorter.
pub(super) fn worthless(mapping: &dyn Mapping) -> IoError {
    IoError::shrunk(mapping.path(), "became shorter while it was in use: what was read of it is worthless")
}

/// The warnings when some of these arrays lie in files that somebody wrote to.
pub fn changed_file_warnings<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Vec<Warning> {
    let mappings = arrays.into_iter().filter_map(Array::mapping);
    mappings
        .filter(|mapping| mapping.state() == MappingState::Changed)
        .map(|mapping| Warning::file_changed(mapping.path()))
        .collect()
}
