//! Arrays whose elements lie in a file, and what is to be said when that file did not stay as it was.
//!
//! Two things tell that a file became shorter: pages that are gone when they are read ([`super::fault`]), and the file's
//! own length, which also sees the part of a last page that is silently zero. Either one marks the mapping for good.
//!
//! ```
//! use arrlang::{array::Array, io::mapped};
//! assert!(mapped::lost([&Array::from_elements(&[1], &[1u8])]).is_none());
//! ```

use super::error::{IoError, Warning};
use super::fault::Guarded;
use super::file::Watch;
use crate::array::Array;
use crate::array::mapping::{Mapping, State};
use std::path::Path;

/// Part of a file.
pub(super) struct MappedFile {
    guarded: Guarded,
    watch: Watch,
    /// Where in the file the part ends.
    end: u64,
}

impl MappedFile {
    pub(super) fn new(guarded: Guarded, watch: Watch, end: u64) -> MappedFile {
        MappedFile { guarded, watch, end }
    }
}

impl Mapping for MappedFile {
    fn bytes(&self) -> &[u8] {
        self.guarded.bytes()
    }

    fn state(&self) -> State {
        if !self.guarded.is_lost() && self.watch.len_now().is_some_and(|len| len < self.end) {
            self.guarded.lose();
        }
        match self.guarded.is_lost() {
            true => State::Lost,
            false if self.watch.changed() => State::Changed,
            false => State::Sound,
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
pub fn lost<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Option<IoError> {
    let mut mappings = arrays.into_iter().filter_map(Array::mapping);
    mappings.find(|mapping| mapping.state() == State::Lost).map(worthless)
}

/// The error about a file that became shorter.
pub(super) fn worthless(mapping: &dyn Mapping) -> IoError {
    IoError::shrunk(mapping.path(), "became shorter while it was in use: what was read of it is worthless")
}

/// The warnings when some of these arrays lie in files that somebody wrote to.
pub fn changed<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Vec<Warning> {
    let mappings = arrays.into_iter().filter_map(Array::mapping);
    mappings
        .filter(|mapping| mapping.state() == State::Changed)
        .map(|mapping| Warning::changed(mapping.path()))
        .collect()
}
