//! Writing files so that the old or the new one is always complete.
//!
//! [`prepare`] asks before the computation whether the target can be written. [`Target::commit`] writes a temporary
//! file beside it ([`super::beside`]), makes it durable and renames it into place; whatever fails on the way, or kills
//! the process, the old file stays and the temporary one goes. A reader that has the old file mapped keeps it, so an
//! output may have the name of an input. Links are followed to where they lead; devices and pipes cannot be replaced
//! and are written to directly.
//!
//! ```
//! let error = arrlang::io::prepare("no/such/folder/y.npy".as_ref()).unwrap_err();
//! assert_eq!(error.outcome(), arrlang::diagnostic::Outcome::Unreachable);
//! ```
#![expect(unsafe_code, reason = "the standard library asks for no room on a disk, and starts no writing")]

use super::beside::NewFile;
use super::error::{IoError, escape, printable_path};
use super::stopped::stop_error;
use super::watch::{Identity, identity};
use super::{Format, unknown_format};
use crate::array::Array;
use crate::array::logical::Logical;
use crate::array::mapping::WriteAt;
use crate::diagnostic::codes::running;
use crate::source::stop::Stop;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A place that can be written to.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    format: &'static Format,
    place: WriteTarget,
}

#[derive(Debug)]
enum WriteTarget {
    /// A file in a folder that takes new files; with the permissions of the one that is there.
    Replace { real: PathBuf, folder: PathBuf, mode: Option<u32> },
    /// A device or a pipe.
    Direct,
    /// The standard output, wherever it leads: replacing its file would cut it off.
    Stdout,
    /// The standard error output.
    Stderr,
}

/// Links that are followed before it is called a loop, as in Linux.
const MAX_LINKS: usize = 40;

/// How long a pipe may wait for its reader.
const READER_WAIT: Duration = Duration::from_secs(1);

/// Checks that an array can be written to `path`, without changing anything there.
///
/// # Errors
/// When the name tells no format that can be written, the folder is missing or refuses new files, the file is read-only
/// or a folder, or the path cannot be followed.
pub fn prepare(path: &Path) -> Result<Target, IoError> {
    let writable = || super::FORMATS.iter().filter(|format| format.can_write());
    prepare_as(path, || {
        Format::of(path).filter(|format| format.can_write()).ok_or_else(|| unknown_format(path, writable()))
    })
}

/// Checks that text can be written to `path`, whatever its name.
///
/// # Errors
/// As [`prepare`], but that every name will do.
pub fn prepare_text(path: &Path) -> Result<Target, IoError> {
    prepare_as(path, || Ok(&super::FORMATS[0]))
}

/// A sentence about targets that are one file, standard output included, or that are a file among `kept`: something
/// would be lost.
///
/// ```
/// use arrlang::io::{prepare, write::clash};
/// let path = std::env::temp_dir().join(format!("arr-doc-clash-{}.npy", std::process::id()));
/// let (one, same) = (prepare(&path)?, prepare(&path)?);
/// assert!(clash(&[&one], []).is_none() && clash(&[&one, &same], []).is_some());
/// # Ok::<(), arrlang::io::IoError>(())
/// ```
pub fn clash<'p>(targets: &[&Target], kept: impl IntoIterator<Item = &'p Path>) -> Option<String> {
    for (at, target) in targets.iter().enumerate() {
        let name = printable_path(target.path());
        if let Some(other) = targets[..at].iter().find(|other| target.replaces(other)) {
            let other = printable_path(other.path());
            let names = if other == name { format!("`{name}`") } else { format!("`{other}` and `{name}`, one file") };
            return Some(format!("two results are to be written to {names}: one of them would be lost"));
        }
    }
    let replaced: Vec<&&Target> = targets.iter().filter(|it| matches!(it.place, WriteTarget::Replace { .. })).collect();
    let by = |file: Identity| replaced.iter().find(|target| target.identity() == Some(file));
    if let Some(target) = identity(Path::new("/dev/stdout")).and_then(by) {
        return Some(format!(
            "`{}` is standard output too: what is printed would be lost",
            printable_path(target.path())
        ));
    }
    let mut kept = kept.into_iter().filter_map(|path| Some((path, by(identity(path)?)?)));
    let (path, target) = kept.next()?;
    let (path, name) = (printable_path(path), printable_path(target.path()));
    let names = if path == name { format!("`{name}`") } else { format!("`{name}`, which is `{path}`,") };
    Some(format!("{names} is read by this command: writing there would replace it"))
}

fn prepare_as(path: &Path, format: impl FnOnce() -> Result<&'static Format, IoError>) -> Result<Target, IoError> {
    let refused = |error: io::Error| IoError::writing(path, &error);
    if path.as_os_str().as_bytes().contains(&0) {
        return Err(IoError::data(&running::FILE_UNWRITABLE, path, "is no file name: it has a NUL"));
    }
    let npy = &super::FORMATS[0];
    if let Some(place) = standard(path) {
        return Ok(Target { path: path.into(), format: npy, place });
    }
    let there = match std::fs::metadata(path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(refused(error)),
    };
    let is_folder = there.as_ref().is_some_and(Metadata::is_dir) || path.as_os_str().as_bytes().ends_with(b"/");
    if is_folder {
        return Err(refused(io::Error::from_raw_os_error(libc::EISDIR)));
    }
    if there.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return Ok(Target { path: path.into(), format: npy, place: WriteTarget::Direct });
    }
    let format = format()?;
    let place = match there {
        Some(metadata) => replace(path, &metadata),
        None => create(path),
    };
    Ok(Target { path: path.into(), format, place: place.map_err(refused)? })
}

fn standard(path: &Path) -> Option<WriteTarget> {
    match path.to_str()? {
        "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => Some(WriteTarget::Stdout),
        "/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2" => Some(WriteTarget::Stderr),
        _ => None,
    }
}

/// A file that is there: it and its folder must be writable.
fn replace(path: &Path, metadata: &Metadata) -> io::Result<WriteTarget> {
    let real = path.canonicalize()?;
    // Renaming would get past a write-protected file, against the wish of who protected it.
    OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(&real)?;
    place(real, Some(metadata.mode() & 0o777))
}

/// A file that is not there yet, perhaps behind links that lead nowhere.
fn create(path: &Path) -> io::Result<WriteTarget> {
    let mut real = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match std::fs::read_link(&real) {
            Ok(next) => real = real.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return place(real, None),
        }
    }
    Err(io::Error::from_raw_os_error(libc::ELOOP))
}

fn place(real: PathBuf, mode: Option<u32>) -> io::Result<WriteTarget> {
    let name = real.file_name().ok_or_else(|| io::Error::from_raw_os_error(libc::EISDIR))?;
    let folder = match real.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.canonicalize()?,
        _ => Path::new(".").canonicalize()?,
    };
    // Only trying tells: permissions, read-only file systems, quotas. The file is gone again at once.
    drop(NewFile::create(&folder)?);
    Ok(WriteTarget::Replace { real: folder.join(name), folder, mode })
}

impl Target {
    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The format that the name tells; `.npy` for devices.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// Whether it is the standard output.
    pub fn is_standard_output(&self) -> bool {
        matches!(self.place, WriteTarget::Stdout)
    }

    /// A sentence about what the format does not keep of an array that is written there under a name. `None` if it
    /// keeps all.
    pub fn unsaid(&self, name: &str, array: &Array) -> Option<String> {
        let held = match array.logical().filter(|_| !self.format.keeps_meaning())? {
            Logical::Words(words) if words.is_empty() => return None,
            Logical::Words(_) => "codes, without their words",
            Logical::Date => "days since 1970",
            Logical::Time => "microseconds since 1970",
        };
        let (path, name) = (printable_path(&self.path), escape(name));
        Some(format!("`{path}` holds `{name}` as {held}; `.csv` and `.json` keep what they mean"))
    }

    /// The file that is there now, to be compared with the inputs.
    pub fn identity(&self) -> Option<Identity> {
        identity(&self.path)
    }

    /// The file that will be there.
    pub fn real_path(&self) -> &Path {
        match &self.place {
            WriteTarget::Replace { real, .. } => real,
            WriteTarget::Direct | WriteTarget::Stdout | WriteTarget::Stderr => &self.path,
        }
    }

    /// Whether one of two targets takes the place of what the other wrote: they are one file, by whatever names.
    /// Devices and pipes take one after the other.
    pub fn replaces(&self, other: &Target) -> bool {
        let replace = |target: &Target| matches!(target.place, WriteTarget::Replace { .. });
        let one = self.identity().is_some() && self.identity() == other.identity();
        (replace(self) || replace(other)) && (one || self.real_path() == other.real_path())
    }

    /// Writes what `contents` writes, all or nothing (to a device or pipe: in order).
    ///
    /// # Errors
    /// When the system refuses; the old file is then as it was, and no temporary file stays.
    pub fn commit(&self, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), IoError> {
        self.commit_sized(0, contents)
    }

    /// The standard output, in a format.
    pub fn standard_output(format: &'static Format) -> Target {
        Target { path: "standard output".into(), format, place: WriteTarget::Stdout }
    }

    /// As [`Target::commit`], where at least `bytes` are going to be written: a disk without room for them refuses
    /// before the first one.
    ///
    /// # Errors
    /// As [`Target::commit`].
    pub fn commit_sized(
        &self,
        bytes: u64,
        contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), IoError> {
        self.stage(bytes, contents)?.replace()
    }

    /// Begins a file beside the target: `head` stands first, and after it is room for `bytes` bytes, which come in any
    /// order. `None` for devices and pipes, which take bytes as they come.
    ///
    /// # Errors
    /// As [`Target::commit`].
    pub fn begin(&self, head: &[u8], bytes: u64) -> Result<Option<UnfinishedFile>, IoError> {
        let WriteTarget::Replace { real, folder, mode } = &self.place else { return Ok(None) };
        let begun = NewFile::create(folder).and_then(|new| {
            reserve(new.file(), bytes.saturating_add(head.len() as u64))?;
            new.file().write_all_at(head, 0)?;
            Ok(new)
        });
        let new = begun.map_err(|error| IoError::writing(&self.path, &error))?;
        let (path, place, head) = (self.path.clone(), (real.clone(), folder.clone()), head.len() as u64);
        Ok(Some(UnfinishedFile { path, new, place, mode: *mode, head }))
    }

    /// Writes beside the target (to a device or pipe: to it), and leaves what is there as it is.
    ///
    /// # Errors
    /// As [`Target::commit`].
    pub fn stage(
        &self,
        bytes: u64,
        contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<StagedFile, IoError> {
        let direct = |done: io::Result<()>| done.map(|()| None);
        let done = match &self.place {
            WriteTarget::Replace { folder, mode, .. } => beside(folder, *mode, bytes, contents).map(Some),
            WriteTarget::Direct => direct(open_direct(&self.path).and_then(|mut file| buffered(&mut file, contents))),
            WriteTarget::Stdout => {
                let done = super::standard::output().and_then(|mut out| buffered(&mut out, contents));
                // A reader that has what it wants is no error: `arr eval … -o - | head -c 128`.
                direct(
                    done.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }),
                )
            }
            WriteTarget::Stderr => direct(buffered(&mut io::stderr().lock(), contents)),
        };
        let place = match &self.place {
            WriteTarget::Replace { real, folder, .. } => (real.clone(), folder.clone()),
            WriteTarget::Direct | WriteTarget::Stdout | WriteTarget::Stderr => Default::default(),
        };
        done.map(|new| StagedFile { path: self.path.clone(), new, place })
            .map_err(|error| IoError::writing(&self.path, &error))
    }
}

/// A file that is being written, beside the one whose place it is to take; dropped, it goes.
#[derive(Debug)]
pub struct UnfinishedFile {
    path: PathBuf,
    new: NewFile,
    place: (PathBuf, PathBuf),
    mode: Option<u32>,
    /// What stands before the elements.
    head: u64,
}

impl UnfinishedFile {
    /// The error when the system refuses more of it.
    pub fn refusal(&self, reason: String) -> IoError {
        IoError::writing(&self.path, &io::Error::other(reason))
    }

    /// All is written, and stays.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn finish(self) -> Result<StagedFile, IoError> {
        let UnfinishedFile { path, new, place, mode, .. } = self;
        finish(new.file(), mode).map_err(|error| IoError::writing(&path, &error))?;
        Ok(StagedFile { path, new: Some(new), place })
    }
}

impl WriteAt for UnfinishedFile {
    fn write_at(&self, at: usize, window: &[u8]) -> io::Result<()> {
        let (file, first) = (self.new.file(), self.head + at as u64);
        file.write_all_at(window, first)?;
        on_its_way(file, first, window.len());
        Ok(())
    }
}

/// A file that is written, beside the one whose place it is to take; dropped, it goes.
#[derive(Debug)]
pub struct StagedFile {
    path: PathBuf,
    new: Option<NewFile>,
    /// The file to replace, and its folder.
    place: (PathBuf, PathBuf),
}

impl StagedFile {
    /// Takes the old file's place.
    ///
    /// # Errors
    /// When the system refuses; the old file is then as it was.
    pub fn replace(self) -> Result<(), IoError> {
        let Some(new) = self.new else { return Ok(()) };
        let (real, folder) = self.place;
        let done = new.rename(&folder, &real).and_then(|()| durable(&File::open(folder)?));
        done.map_err(|error| IoError::writing(&self.path, &error))
    }
}

/// Gives a new file the permissions of the old one, and waits until the disk has it.
fn finish(file: &File, mode: Option<u32>) -> io::Result<()> {
    if let Some(mode) = mode {
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    durable(file)
}

/// Writes a whole new file into a folder.
fn beside(
    folder: &Path,
    mode: Option<u32>,
    bytes: u64,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<NewFile> {
    // Dropping the new file on any way out removes it.
    let new = NewFile::create(folder)?;
    reserve(new.file(), bytes)?;
    buffered(&mut new.file(), contents)?;
    finish(new.file(), mode)?;
    Ok(new)
}

/// Asks for room on the disk; file systems that cannot promise any are taken as they are.
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    let bytes = libc::off_t::try_from(bytes).map_err(|_| io::Error::from_raw_os_error(libc::EFBIG))?;
    // SAFETY: the descriptor is open as long as `file` is; the call touches no memory of ours.
    let outcome =
        unsafe { libc::fallocate(std::os::fd::AsRawFd::as_raw_fd(file), libc::FALLOC_FL_KEEP_SIZE, 0, bytes) };
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        _ if outcome == 0 => Ok(()),
        Some(libc::EOPNOTSUPP | libc::ENOSYS | libc::EINVAL) => Ok(()),
        _ => Err(error),
    }
}

/// Lets the system write bytes to the disk while more of them are made: [`durable`] then has less to wait for. A piece
/// of a page is left for the next one.
fn on_its_way(file: &File, first: u64, bytes: usize) {
    const PAGE: u64 = 4096;
    let (from, to) = (first / PAGE * PAGE, (first + bytes as u64) / PAGE * PAGE);
    if let (Ok(from), Ok(count @ 1..)) = (libc::off64_t::try_from(from), libc::off64_t::try_from(to - from)) {
        // SAFETY: the descriptor is open as long as `file` is; the call touches no memory of ours. What it does not do
        // is done later.
        unsafe {
            libc::sync_file_range(std::os::fd::AsRawFd::as_raw_fd(file), from, count, libc::SYNC_FILE_RANGE_WRITE)
        };
    }
}

/// Waits until the disk has it; file systems that know no such thing are taken as they are.
fn durable(file: &File) -> io::Result<()> {
    file.sync_all().or_else(|error| match error.raw_os_error() {
        Some(libc::EINVAL | libc::ENOTSUP | libc::EROFS) => Ok(()),
        _ => Err(error),
    })
}

/// Small pieces are collected; large ones go straight through.
fn buffered(out: &mut dyn Write, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut buffer = BufWriter::with_capacity(64 * 1024, out);
    contents(&mut buffer)?;
    buffer.flush()
}

/// What is written in pieces, between which it may be stopped.
pub(super) struct StoppableWriter<'a> {
    pub(super) out: &'a mut dyn Write,
    pub(super) stop: Stop<'a>,
}

/// The most bytes that are written at once.
const MAX_PIECE_BYTES: usize = 4 << 20;

impl Write for StoppableWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.now() {
            return Err(stop_error());
        }
        self.out.write(&bytes[..bytes.len().min(MAX_PIECE_BYTES)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Opens a device or a pipe for writing.
fn open_direct(path: &Path) -> io::Result<File> {
    let blocking = || OpenOptions::new().write(true).custom_flags(libc::O_NOCTTY).open(path);
    if !std::fs::metadata(path)?.file_type().is_fifo() {
        return blocking();
    }
    // Opening a pipe without a reader would wait for ever; with one open already, the second does not wait.
    let begun = std::time::Instant::now();
    loop {
        match OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path) {
            Ok(_reader_is_there) => return blocking(),
            Err(error) if error.raw_os_error() == Some(libc::ENXIO) && begun.elapsed() < READER_WAIT => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(error) if error.raw_os_error() == Some(libc::ENXIO) => {
                return Err(io::Error::other("nobody reads from this pipe"));
            }
            Err(error) => return Err(error),
        }
    }
}
