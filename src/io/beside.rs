//! Atomic replacement: a new file has no name until it is whole. So a process that is killed leaves nothing behind.
//!
//! File systems that know no such files (`O_TMPFILE`) get one under a temporary name at once, which is removed on the
//! way out and by signals ([`super::pending`]). No call replaces a file by one without a name: it gets a temporary
//! name, and takes the place of the old one in the next moment.
//!
//! ```text
//! open(folder, O_TMPFILE) → write, sync → linkat(.arr-x.tmp) → rename(a.npy)
//! ```
#![expect(unsafe_code, reason = "the standard library gives no name to a file that has none")]

use super::pending::PendingName;
use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use tempfile::NamedTempFile;

/// The permissions that new files get, before the process takes its own away.
const MODE: u32 = 0o666;

/// A file that is being written. It is deleted when this is dropped.
#[derive(Debug)]
pub(super) enum NewFile {
    /// A file without a name. The system deletes it when its last descriptor is closed, however that happens.
    Nameless(File),
    /// A file with a temporary name, which is also kept for signals: they delete the file.
    Named(NamedTempFile, PendingName),
}

impl NewFile {
    /// Makes a file that nobody else has.
    pub(super) fn create(folder: &Path) -> io::Result<NewFile> {
        NewFile::nameless(folder).map_or_else(|| NewFile::with_temporary_name(folder), Ok)
    }

    /// Makes a file without a name, if it can get one later.
    pub(super) fn nameless(folder: &Path) -> Option<NewFile> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).custom_flags(libc::O_TMPFILE).mode(MODE).open(folder).ok()?;
        std::fs::symlink_metadata(by_descriptor(&file)).ok()?;
        Some(NewFile::Nameless(file))
    }

    /// Makes a file with a temporary name.
    pub(super) fn with_temporary_name(folder: &Path) -> io::Result<NewFile> {
        let new = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).mode(MODE).open(path);
        let (file, pending) = under_a_name(folder, new)?;
        Ok(NewFile::Named(file, pending))
    }

    pub(super) fn file(&self) -> &File {
        match self {
            NewFile::Nameless(file) => file,
            NewFile::Named(file, _) => file.as_file(),
        }
    }

    /// Puts the file in the place of what is at `path`, which is in `folder`.
    pub(super) fn rename(self, folder: &Path, path: &Path) -> io::Result<()> {
        let (file, _pending) = match self {
            NewFile::Named(file, pending) => (file, pending),
            NewFile::Nameless(file) => {
                // Nothing can fail behind the link: whatever does would leave the name there.
                let mut file = Some(file);
                under_a_name(folder, |name| {
                    let own = file.take().ok_or_else(|| io::Error::other("the file has a name"))?;
                    match link(&own, name) {
                        Ok(()) => Ok(own),
                        Err(error) => {
                            file = Some(own);
                            Err(error)
                        }
                    }
                })?
            }
        };
        file.persist(path).map(drop).map_err(|failed| failed.error)
    }
}

/// A file under a temporary name that nobody has, and what removes it should the process end at once.
fn under_a_name(
    folder: &Path,
    mut make: impl FnMut(&Path) -> io::Result<File>,
) -> io::Result<(NamedTempFile, PendingName)> {
    let mut pending = None;
    let file = tempfile::Builder::new().prefix(".arr-").suffix(".tmp").make_in(folder, |path| {
        pending = Some(PendingName::new(path));
        make(path).inspect_err(|_| pending = None)
    })?;
    Ok((file, pending.expect("the file was made under some name")))
}

/// Where the system shows an open file.
fn by_descriptor(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Gives a file without a name one that nobody has.
fn link(file: &File, name: &Path) -> io::Result<()> {
    let (from, to) = (CString::new(by_descriptor(file))?, CString::new(name.as_os_str().as_bytes())?);
    // SAFETY: both texts end in a NUL and live through the call, which touches no other memory of ours.
    let outcome =
        unsafe { libc::linkat(libc::AT_FDCWD, from.as_ptr(), libc::AT_FDCWD, to.as_ptr(), libc::AT_SYMLINK_FOLLOW) };
    if outcome == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_with_or_without_a_name_takes_the_place_of_another_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        for (nameless, entries) in [(true, 1), (false, 2)] {
            let make = |folder: &Path| match nameless {
                true => NewFile::nameless(folder),
                false => Some(NewFile::with_temporary_name(folder).unwrap()),
            };
            fs::write(&target, "old").unwrap();
            // Not every file system has files without names.
            let Some(new) = make(folder.path()) else { continue };
            new.file().write_all(b"new").unwrap();
            assert_eq!(names(folder.path()).len(), entries);
            assert_eq!(fs::read_to_string(&target).unwrap(), "old");
            new.rename(folder.path(), &target).unwrap();
            assert_eq!(
                (names(folder.path()), fs::read_to_string(&target).unwrap()),
                (vec!["a".to_owned()], "new".into())
            );
            drop(make(folder.path()));
            fs::remove_file(&target).unwrap();
            fs::create_dir(&target).unwrap();
            make(folder.path()).unwrap().rename(folder.path(), &target).unwrap_err();
            assert_eq!(names(folder.path()), ["a"]);
            fs::remove_dir(&target).unwrap();
        }
        assert!(NewFile::create(&folder.path().join("none")).is_err());
    }
}
