//! Regular files, opened, then known again.
//!
//! Only regular files are read: opening a pipe nobody writes to would wait for ever, and mapping a device means
//! nothing. The descriptor is closed as soon as the contents are mapped, so ten thousand inputs need no more
//! descriptors than one.
//!
//! ```
//! use arrlang::{diagnostic::Outcome, io::file::OpenFile};
//! let error = OpenFile::open("/dev/null".as_ref(), None).unwrap_err();
//! assert_eq!((error.outcome(), &*error.message), (Outcome::Refused, "`/dev/null` is a device, not a regular file"));
//! ```

use super::error::IoError;
use super::fault::GuardedMapping;
use super::mapped::{MappedFile, PartOfFile, UnmappedFile};
use super::stopped::stop_error;
use super::watch::FileWatch;
use super::{ReadOptions, Roots};
use crate::array::Buffer;
use crate::array::bytes::{AlignedBytes, OutOfMemory};
use crate::diagnostic::codes::running;
use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Files smaller than this are read: a mapping costs a page and a system call more.
const MAP_FROM: usize = 64 * 1024;

/// A regular file, open for reading.
#[derive(Debug)]
pub struct OpenFile {
    path: PathBuf,
    file: File,
    len: u64,
    watch: FileWatch,
    stop: Option<&'static AtomicBool>,
}

/// The most bytes that are read at once.
const MAX_READ_BYTES: usize = 16 << 20;

impl OpenFile {
    /// Opens a regular file; with `roots`, only one that they allow.
    ///
    /// # Errors
    /// When the system refuses, the path leads elsewhere, or it is no regular file.
    pub fn open(path: &Path, roots: Option<&Roots>) -> Result<OpenFile, IoError> {
        let refused = |error: io::Error| {
            if error.kind() == io::ErrorKind::InvalidInput {
                // The only path that std refuses to ask about holds a NUL.
                IoError::data(&running::FILE_UNREADABLE, path, "is no file name: it has a NUL")
            } else {
                IoError::reading(path, &error)
            }
        };
        // Asked first, because opening a device can have effects; asked again, because a path can change its meaning.
        if roots.is_none() {
            regular(path, std::fs::metadata(path).map_err(refused)?.file_type())?;
        }
        let file = match roots {
            Some(roots) => roots.open(path)?,
            // Non-blocking: a pipe that took the file's place must not hang the program.
            None => OpenOptions::new()
                .read(true)
                .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
                .open(path)
                .map_err(refused)?,
        };
        let metadata = file.metadata().map_err(refused)?;
        regular(path, metadata.file_type())?;
        let watched = roots.map_or_else(|| path.to_path_buf(), |roots| roots.whole(path));
        let watched = watched.strip_prefix(".").map(Path::to_path_buf).unwrap_or(watched);
        let watch = FileWatch::new(watched, &metadata);
        Ok(OpenFile { path: path.to_path_buf(), file, len: metadata.len(), watch, stop: None })
    }

    /// A file that is open already and has no name of its own; messages call it by the one that is given.
    ///
    /// # Errors
    /// When the system refuses.
    pub(super) fn unnamed(file: &File, path: &Path) -> Result<OpenFile, IoError> {
        let refused = |error: io::Error| IoError::reading(path, &error);
        let metadata = file.metadata().map_err(refused)?;
        let watch = FileWatch::new(path.to_path_buf(), &metadata);
        let file = file.try_clone().map_err(refused)?;
        Ok(OpenFile { path: path.to_path_buf(), file, len: metadata.len(), watch, stop: None })
    }

    /// The same file, of which nothing more is read once `stop` is true.
    pub fn until(mut self, stop: Option<&'static AtomicBool>) -> OpenFile {
        self.stop = stop;
        self
    }

    /// The path it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length in bytes when it was opened.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What tells later whether it changed.
    pub fn watch(&self) -> FileWatch {
        self.watch.clone()
    }

    /// Up to `most` bytes from `offset`; fewer only at the end of the file.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn up_to(&self, offset: u64, most: usize) -> Result<Vec<u8>, IoError> {
        let known = self.len.saturating_sub(offset);
        let mut bytes = Vec::new();
        let room = most.min(usize::try_from(known).unwrap_or(usize::MAX));
        let missing = |_| IoError::memory(&self.path, OutOfMemory { bytes: room });
        bytes.try_reserve_exact(room).map_err(missing)?;
        self.reader(offset).take(most as u64).read_to_end(&mut bytes).map_err(|e| IoError::reading(&self.path, &e))?;
        Ok(bytes)
    }

    /// Reads on from `offset` without moving a shared position.
    pub fn reader(&self, offset: u64) -> impl Read + '_ {
        FileCursor { file: &self.file, offset, stop: self.stop }
    }

    /// `len` bytes from `offset` in memory of our own.
    ///
    /// # Errors
    /// When there is no memory, the system refuses, or the file became shorter.
    pub fn read(&self, offset: u64, len: usize) -> Result<AlignedBytes, IoError> {
        let mut bytes = AlignedBytes::zeroed(len).map_err(|missing| IoError::memory(&self.path, missing))?;
        let mut reader = self.reader(offset);
        let read = bytes.as_mut_slice().chunks_mut(MAX_READ_BYTES).try_for_each(|chunk| reader.read_exact(chunk));
        drop(reader);
        read.map_err(|error| {
            if error.kind() == io::ErrorKind::UnexpectedEof {
                IoError::shrunk(&self.path, "became shorter while it was being read")
            } else {
                IoError::reading(&self.path, &error)
            }
        })?;
        Ok(bytes)
    }

    /// `len` bytes from `offset`, to be read through windows.
    fn part(&self, offset: u64, len: usize) -> Result<PartOfFile, IoError> {
        let file = self.file.try_clone().map_err(|error| IoError::reading(&self.path, &error))?;
        Ok(PartOfFile { file, offset, len })
    }

    /// `len` bytes from `offset`, mapped when that is worth it. The caller has compared them with the length. From so
    /// many bytes on as `windows` says, the file stays open to be read through windows, mapped or not.
    ///
    /// # Errors
    /// As [`OpenFile::read`].
    pub fn map(
        &self,
        offset: u64,
        len: usize,
        windows: Option<usize>,
        options: &ReadOptions,
    ) -> Result<Buffer, IoError> {
        if len >= MAP_FROM {
            let part = if windows.is_some_and(|least| len >= least) { Some(self.part(offset, len)?) } else { None };
            match (GuardedMapping::map(&self.file, offset, len), part) {
                (Ok(Some(guarded)), part) => {
                    let file = MappedFile::new(guarded, self.watch(), offset + len as u64, part);
                    return Ok(Buffer::Mapped(Box::new(file)));
                }
                (Err(error), Some(part)) if error.raw_os_error() == Some(libc::ENOMEM) => {
                    return Ok(Buffer::Mapped(Box::new(UnmappedFile::new(part, self.watch()))));
                }
                // Too many mappings, or a file system that cannot map: read.
                (Ok(None), _) => {}
                (Err(error), _) if matches!(error.raw_os_error(), Some(libc::ENODEV | libc::ENOMEM)) => {}
                (Err(error), _) => return Err(IoError::reading(&self.path, &error)),
            }
            options.afford(&self.path, len)?;
        }
        self.read(offset, len).map(Buffer::Owned)
    }
}

/// Whether there is memory for what is read piece by piece, by code that does not ask: it is asked for, and given back.
///
/// # Errors
/// When there is none.
pub(super) fn spare(path: &Path, bytes: usize) -> Result<(), IoError> {
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| IoError::memory(path, OutOfMemory { bytes }))
}

/// Refuses all but regular files.
pub(super) fn regular(path: &Path, kind: FileType) -> Result<(), IoError> {
    let what = match kind {
        _ if kind.is_file() => return Ok(()),
        _ if kind.is_dir() => "is a folder",
        _ if kind.is_fifo() => "is a pipe, not a regular file",
        _ if kind.is_socket() => "is a socket, not a regular file",
        _ => "is a device, not a regular file",
    };
    Err(IoError::data(&running::FILE_UNREADABLE, path, what))
}

/// A reader at a position of its own.
struct FileCursor<'a> {
    file: &'a File,
    offset: u64,
    stop: Option<&'static AtomicBool>,
}

impl Read for FileCursor<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(stop_error());
        }
        let count = self.file.read_at(buffer, self.offset)?;
        self.offset += count as u64;
        Ok(count)
    }
}
