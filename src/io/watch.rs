//! A watch over an opened file, which knows it again or sees it change.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Which file it is, whatever it is called: device and inode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    fn of(metadata: &Metadata) -> Identity {
        Identity { device: metadata.dev(), inode: metadata.ino() }
    }
}

/// The identity of the file that a path leads to, links followed; `None` when there is none.
pub fn identity(path: &Path) -> Option<Identity> {
    std::fs::metadata(path).ok().map(|metadata| Identity::of(&metadata))
}

/// What a file looked like when it was opened.
#[derive(Clone, Debug)]
pub struct FileWatch {
    path: PathBuf,
    state: FileState,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct FileState {
    identity: Identity,
    len: u64,
    modified: (i64, i64),
}

impl FileState {
    fn of(metadata: &Metadata) -> FileState {
        let modified = (metadata.mtime(), metadata.mtime_nsec());
        FileState { identity: Identity::of(metadata), len: metadata.len(), modified }
    }
}

impl FileWatch {
    /// What a file looks like now; messages call it by the path.
    pub(super) fn new(path: PathBuf, metadata: &Metadata) -> FileWatch {
        FileWatch { path, state: FileState::of(metadata) }
    }

    /// The path the file was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which file it is.
    pub fn identity(&self) -> Identity {
        self.state.identity
    }

    /// Whether the contents may have changed since. A file that was replaced or deleted has not: its mapping lives on.
    pub fn has_changed(&self) -> bool {
        let now = std::fs::metadata(&self.path).map(|metadata| FileState::of(&metadata));
        now.is_ok_and(|now| now.identity == self.state.identity && now != self.state)
    }

    /// The length of the file now, if it is still there under its name.
    pub(super) fn len_now(&self) -> Option<u64> {
        let now = FileState::of(&std::fs::metadata(&self.path).ok()?);
        (now.identity == self.state.identity).then_some(now.len)
    }

    /// The warning to give when [`FileWatch::has_changed`].
    pub fn warning(&self) -> super::error::Warning {
        super::error::Warning::file_changed(&self.path)
    }
}
