//! The origin of an input's bytes: a regular file, standard input, or a pipe that the user names.
//!
//! A text names regular files only: whatever else there is would wait, or mean nothing ([`super::Roots`]). On the
//! command line the user may name a pipe (`<(…)`, a FIFO) and standard input, `-` or `/dev/stdin`; these are read once,
//! in order.
//!
//! ```text
//! x=t.csv → a file   x=- → standard input   x=<(zcat t.gz) → a pipe
//! ```
#![expect(unsafe_code, reason = "the standard library does not wait for a pipe, nor change how it is read")]

use super::error::IoError;
use super::file::OpenFile;
use super::stopped::stop_error;
use super::watch::FileWatch;
use super::{FORMATS, Format, ReadOptions};
use crate::diagnostic::codes::running;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Cursor, Read, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What is open.
#[derive(Debug)]
pub(super) enum OpenOrigin {
    /// A regular file, of which any part can be read.
    Regular(OpenFile),
    /// What can be read once: what was looked at, and the rest.
    Stream(Vec<u8>, File),
}

/// How many bytes of a stream or a file tell its format.
const LOOKED_AT: usize = 16;

/// The most bytes of a stream that are copied at once.
const MAX_PIECE_BYTES: usize = 1 << 20;

/// How long a pipe may be without a writer.
const WRITER_WAIT: Duration = Duration::from_secs(10);

impl OpenOrigin {
    /// Opens what a path names.
    ///
    /// # Errors
    /// When the system refuses, or it is neither a file nor a pipe that may be read.
    pub(super) fn open(path: &Path, options: &ReadOptions) -> Result<OpenOrigin, IoError> {
        let refused = |error: io::Error| IoError::reading(path, &error);
        if options.roots.is_none() && is_standard(path) {
            let path = Path::new(STANDARD_INPUT);
            let refused = |error: io::Error| IoError::reading(path, &error);
            super::standard::has_input().map_err(refused)?;
            let own = io::stdin().as_fd().try_clone_to_owned().map_err(refused)?;
            return OpenOrigin::stream(File::from(own), path);
        }
        if options.roots.is_none() && is_stream(path) {
            let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path).map_err(refused)?;
            return OpenOrigin::stream(wait_for_writer(file, path, options)?, path);
        }
        options.open(path).map(OpenOrigin::Regular)
    }

    /// A stream, the first bytes of which tell its format.
    fn stream(file: File, path: &Path) -> Result<OpenOrigin, IoError> {
        let mut start = Vec::with_capacity(LOOKED_AT);
        let looked = (&file).take(LOOKED_AT as u64).read_to_end(&mut start);
        looked.map_err(|error| IoError::reading(path, &error))?;
        Ok(OpenOrigin::Stream(start, file))
    }

    /// Reads it from its beginning.
    pub(super) fn reader(&self) -> Box<dyn Read + Send + '_> {
        match self {
            OpenOrigin::Regular(source) => Box::new(source.reader(0).take(source.len())),
            OpenOrigin::Stream(start, file) => Box::new(Cursor::new(start).chain(file)),
        }
    }

    /// How many bytes a file has.
    pub(super) fn len(&self) -> Option<u64> {
        match self {
            OpenOrigin::Regular(source) => Some(source.len()),
            OpenOrigin::Stream(..) => None,
        }
    }

    /// What tells later whether it changed.
    pub(super) fn watch(&self) -> Option<FileWatch> {
        match self {
            OpenOrigin::Regular(source) => Some(source.watch()),
            OpenOrigin::Stream(..) => None,
        }
    }
}

impl OpenOrigin {
    /// The format that the first bytes of a stream tell; `None` for a table, or for what is a file.
    pub(super) fn format(&self) -> Option<&'static Format> {
        let OpenOrigin::Stream(start, _) = self else { return None };
        told_by(start)
    }

    /// How many bytes of a stream are still to be read, where it is a file after all: `arr … < x.npy`.
    fn rest(&self) -> Option<u64> {
        let OpenOrigin::Stream(_, file) = self else { return None };
        let size = file.metadata().ok().filter(Metadata::is_file)?.len();
        let mut file: &File = file;
        size.checked_sub(file.stream_position().ok()?)
    }

    /// All of a stream in a file without a name, so that any part of it can be read.
    ///
    /// # Errors
    /// When it is larger than the ceiling, or the system refuses.
    pub(super) fn spool(&self, path: &Path, options: &ReadOptions) -> Result<File, IoError> {
        let refused = |error: io::Error| IoError::reading(path, &error);
        if let (OpenOrigin::Stream(start, _), Some(rest)) = (self, self.rest()) {
            options.afford(path, start.len().saturating_add(usize::try_from(rest).unwrap_or(usize::MAX)))?;
        }
        // How much else there is nobody knows.
        let more = |error: IoError| {
            let message = error.message.replacen("` needs ", "` needs more than ", 1);
            IoError { message, ..error }
        };
        let mut file = tempfile::tempfile().map_err(refused)?;
        let (mut from, mut piece, mut len) = (self.reader(), vec![0; MAX_PIECE_BYTES], 0);
        loop {
            if options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(refused(stop_error()));
            }
            let count = match from.read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                outcome => outcome.map_err(refused)?,
            };
            if count == 0 {
                return Ok(file);
            }
            len += count;
            options.afford(path, len).map_err(more)?;
            file.write_all(&piece[..count]).map_err(refused)?;
        }
    }
}

/// The format that first bytes tell; `None` for a table, which has none of its own.
fn told_by(start: &[u8]) -> Option<&'static Format> {
    let named = |extension: &str| FORMATS.iter().find(|format| format.extension == extension);
    match start {
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => named("npy"),
        [b'P', b'K', 3 | 5, 4 | 6, ..] => named("npz"),
        [b'P', b'A', b'R', b'1', ..] => named("parquet"),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] | [0xff, 0xff, 0xff, 0xff, ..] => named("arrow"),
        [_, _, _, _, 0, 0, 0, 0, b'{', ..] => named("safetensors"),
        _ => None,
    }
}

/// The format that the first bytes of a file tell.
///
/// # Errors
/// When it cannot be opened or read, or is no regular file.
pub(super) fn format_of_file(path: &Path, options: &ReadOptions) -> Result<Option<&'static Format>, IoError> {
    let file = options.open(path)?;
    let mut start = Vec::with_capacity(LOOKED_AT);
    let looked = file.reader(0).take(LOOKED_AT as u64).read_to_end(&mut start);
    looked.map_err(|error| IoError::reading(path, &error))?;
    Ok(told_by(&start))
}

/// Whether a path, named by the user, leads to what is read once.
pub fn is_stream(path: &Path) -> bool {
    is_standard(path) || std::fs::metadata(path).is_ok_and(|it| it.file_type().is_fifo())
}

/// What messages call the standard input.
pub(super) const STANDARD_INPUT: &str = "standard input";

/// Whether a path means standard input.
pub(super) fn is_standard(path: &Path) -> bool {
    matches!(path.to_str(), Some("-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0"))
}

/// A pipe nobody writes to yet has no end: it is waited for, for a while.
fn wait_for_writer(file: File, path: &Path, options: &ReadOptions) -> Result<File, IoError> {
    use std::os::fd::AsRawFd;
    let begun = Instant::now();
    loop {
        let mut poll = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one valid structure, whose descriptor `file` keeps open.
        let ready = unsafe { libc::poll(&raw mut poll, 1, 50) };
        if ready > 0 {
            break;
        }
        if options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(IoError::reading(path, &stop_error()));
        }
        if begun.elapsed() > WRITER_WAIT {
            return Err(IoError::data(&running::FILE_UNREADABLE, path, "is a pipe that nobody writes to"));
        }
    }
    // From here on reading waits, as it should.
    // SAFETY: both calls only change flags of an open descriptor.
    let cleared = unsafe {
        let flags = libc::fcntl(file.as_raw_fd(), libc::F_GETFL);
        libc::fcntl(file.as_raw_fd(), libc::F_SETFL, flags & !libc::O_NONBLOCK)
    };
    match cleared {
        0.. => Ok(file),
        _ => Err(IoError::reading(path, &io::Error::last_os_error())),
    }
}
