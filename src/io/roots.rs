//! Opening files below given folders only: what a script may read.
//!
//! Links and `..` are resolved first; the resolved path must lie below a root. It is then opened by the kernel's
//! own rule that no component is a link, so a link put there in between does not help.
//!
//! ```
//! use arrlang::io::{Roots, file::OpenFile};
//! let roots = Roots::new(Some(&std::env::temp_dir()), &[]);
//! let error = OpenFile::open("/dev/null".as_ref(), Some(&roots)).err().unwrap();
//! assert_eq!(error.code.name, "file-not-allowed");
//! ```
#![cfg_attr(target_os = "linux", expect(unsafe_code, reason = "the standard library cannot open files below a folder"))]

use super::error::{IoError, printable_path};
use crate::diagnostic::codes::running;
use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Which files a script may read, and where its relative paths begin.
#[derive(Clone, Debug)]
pub struct Roots {
    base: PathBuf,
    allowed: Vec<PathBuf>,
}

impl Roots {
    /// What a script in this folder may read: whatever lies below it, or below one of `more`. No folder, or an empty
    /// one, is the working directory.
    pub fn new(folder: Option<&Path>, more: &[PathBuf]) -> Roots {
        let base = directory(folder.unwrap_or(Path::new("")));
        let allowed = std::iter::once(base.clone()).chain(more.iter().map(|path| directory(path))).collect();
        Roots { base, allowed }
    }

    /// The same files, with relative paths that begin in another folder: that of a file which the script uses.
    #[must_use]
    pub fn from_folder(&self, folder: &Path) -> Roots {
        Roots { base: directory(folder), allowed: self.allowed.clone() }
    }

    /// A path as the system knows it.
    pub fn whole(&self, path: &Path) -> PathBuf {
        self.base.join(path)
    }

    /// Opens a regular file that may be read.
    ///
    /// # Errors
    /// When it lies elsewhere, is no regular file, or the system refuses.
    pub(super) fn open(&self, path: &Path) -> Result<File, IoError> {
        if path.as_os_str().as_bytes().contains(&0) {
            return Err(IoError::data(&running::FILE_UNREADABLE, path, "is no file name: it has a NUL"));
        }
        let refused = |error: io::Error| IoError::reading(path, &error);
        let whole = self.whole(path);
        let real = match whole.canonicalize() {
            Ok(real) => real,
            Err(error) => {
                // Whether a file outside exists is nobody's business: the folders that do exist decide.
                let known = whole.ancestors().skip(1).find_map(|folder| directory(folder).canonicalize().ok());
                return Err(match known {
                    Some(folder) if self.root_of(&folder)?.is_none() => self.outside(path, None),
                    _ => refused(error),
                });
            }
        };
        let Some(root) = self.root_of(&real)? else { return Err(self.outside(path, Some(&real))) };
        let metadata = std::fs::symlink_metadata(&real).map_err(refused)?;
        super::file::regular(path, metadata.file_type())?;
        let inside = real.strip_prefix(&root).unwrap_or(&real);
        open_inside(&root, inside).map_err(refused)
    }

    /// The root that a resolved path lies below, resolved too.
    fn root_of(&self, real: &Path) -> Result<Option<PathBuf>, IoError> {
        for (index, root) in self.allowed.iter().enumerate() {
            let root = root.canonicalize().map_err(|error| {
                let error = IoError::reading(root, &error);
                if index == 0 { error } else { error.help("`--allow-read` names this folder") }
            })?;
            if real.starts_with(&root) {
                return Ok(Some(root));
            }
        }
        Ok(None)
    }

    /// The error that says which folder to allow: the one that the path names, or where links lead from there.
    fn outside(&self, path: &Path, real: Option<&Path>) -> IoError {
        let whole = self.whole(path);
        let named =
            whole.parent().map(|folder| directory(folder.strip_prefix(".").unwrap_or(folder))).unwrap_or_default();
        let is_allowed =
            |folder: &Path| folder.canonicalize().is_ok_and(|folder| matches!(self.root_of(&folder), Ok(Some(_))));
        let folder = match real.and_then(Path::parent) {
            Some(real) if is_allowed(&named) => real,
            _ => &named,
        };
        IoError::data(&running::FILE_NOT_ALLOWED, path, "lies outside the folders that may be read")
            .help(format!("`--allow-read {}` allows it", word(folder)))
    }
}

/// A folder as a shell takes it.
fn word(folder: &Path) -> String {
    let text = printable_path(folder);
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// The empty path, which is how the folder of `script.arr` is written, is the working directory.
fn directory(path: &Path) -> PathBuf {
    if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_path_buf() }
}

/// Opens a path without links below a folder.
fn open_inside(root: &Path, inside: &Path) -> io::Result<File> {
    let flags = libc::O_RDONLY | libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_CLOEXEC;
    #[cfg(target_os = "linux")]
    {
        let folder = OpenOptions::new().read(true).custom_flags(libc::O_DIRECTORY).open(root)?;
        let name = CString::new(inside.as_os_str().as_bytes())?;
        // SAFETY: `open_how` is plain data, for which zeros are a value.
        let mut how: libc::open_how = unsafe { std::mem::zeroed() };
        how.flags = flags as u64;
        how.resolve = libc::RESOLVE_BENEATH | libc::RESOLVE_NO_SYMLINKS;
        // SAFETY: the folder is open, the name ends in NUL, and `how` has the size that is passed.
        let fd = unsafe {
            libc::syscall(
                libc::SYS_openat2,
                folder.as_raw_fd(),
                name.as_ptr(),
                &raw const how,
                size_of::<libc::open_how>(),
            )
        };
        if let Ok(fd @ 0..) = i32::try_from(fd) {
            // SAFETY: the kernel just gave us this descriptor, and nothing else owns it.
            return Ok(unsafe { File::from_raw_fd(fd) });
        }
        let error = io::Error::last_os_error();
        // Kernels before 5.6 and some sandboxes do not know the call.
        if !matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM)) {
            return Err(error);
        }
    }
    OpenOptions::new().read(true).custom_flags(flags | libc::O_NOFOLLOW).open(root.join(inside))
}
