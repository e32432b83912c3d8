//! Opening files below given folders only: what `load` in a script may read.
//!
//! Links and `..` are resolved first; the resolved path must lie below a root. It is then opened by the kernel's
//! own rule that no component is a link, so a link put there in between does not help.
//!
//! ```
//! use arrlang::io::file::Source;
//! let roots = [std::env::temp_dir()];
//! let error = Source::open("/dev/null".as_ref(), Some(&roots)).err().unwrap();
//! assert_eq!(error.code.name, "file-not-allowed");
//! ```

use super::error::{IoError, shown};
use crate::diagnostic::codes::running;
use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Opens `path`, relative to the first root if it is relative, provided it lies below one of the roots.
///
/// # Errors
/// When it does not, or the system refuses.
pub(super) fn open(path: &Path, roots: &[PathBuf]) -> Result<File, IoError> {
    if path.as_os_str().as_bytes().contains(&0) {
        return Err(IoError::data(&running::FILE_UNREADABLE, path, "is no file name: it has a NUL"));
    }
    let refused = |error: io::Error| IoError::reading(path, &error);
    let first = roots.first().ok_or_else(|| outside(path))?;
    let real = match first.join(path).canonicalize() {
        Ok(real) => real,
        // Whether a file outside exists is nobody's business.
        Err(_) if leaves(path) => return Err(outside(path)),
        Err(error) => return Err(refused(error)),
    };
    for root in roots {
        let root = root.canonicalize().map_err(|error| IoError::reading(root, &error))?;
        if let Ok(inside) = real.strip_prefix(&root) {
            let metadata = std::fs::symlink_metadata(&real).map_err(refused)?;
            super::file::regular(path, metadata.file_type())?;
            return open_inside(&root, inside).map_err(refused);
        }
    }
    Err(outside(path))
}

/// Whether the words of a path alone lead out of the folder.
fn leaves(path: &Path) -> bool {
    use std::path::Component::{Normal, ParentDir, Prefix, RootDir};
    let depth = path.components().try_fold(0usize, |depth, component| match component {
        RootDir | Prefix(_) => None,
        ParentDir => depth.checked_sub(1),
        Normal(_) => Some(depth + 1),
        std::path::Component::CurDir => Some(depth),
    });
    depth.is_none()
}

fn outside(path: &Path) -> IoError {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    IoError::data(&running::FILE_NOT_ALLOWED, path, "lies outside the folders that `load` may read")
        .help(format!("`--allow-read {}` allows it", shown(folder)))
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
