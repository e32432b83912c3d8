//! The owner of a file: a text that changes what a program may do is followed only when it is the user's own.
//!
//! ```
//! let file = tempfile::NamedTempFile::new().unwrap();
//! assert_eq!(arrlang::io::owner::stranger(file.path()).unwrap(), None);
//! ```
#![expect(unsafe_code, reason = "the standard library does not say who runs the process")]

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The number of the user to whom a file, or a link to it, belongs, when that is neither who runs this nor the
/// administrator.
///
/// # Errors
/// When the system does not tell.
pub fn stranger(path: &Path) -> io::Result<Option<u32>> {
    // SAFETY: the call reads a number of this process.
    let own = unsafe { libc::geteuid() };
    // Who became the administrator for a command is still the one to whom the files belong.
    let before = std::env::var("SUDO_UID").ok().and_then(|text| text.parse().ok()).filter(|_| own == 0);
    let link = std::fs::symlink_metadata(path)?.uid();
    // A link that leads nowhere belongs to who made it.
    let owners = [link, std::fs::metadata(path).map_or(link, |known| known.uid())];
    Ok(owners.into_iter().find(|&owner| !is_known(owner, own, before)))
}

fn is_known(owner: u32, own: u32, before: Option<u32>) -> bool {
    owner == own || owner == 0 || Some(owner) == before
}

/// Whether a folder is the top of a file system: what is above it is kept elsewhere, perhaps by others.
pub fn tops_a_file_system(folder: &Path) -> bool {
    let device = |folder: &Path| std::fs::metadata(folder).map(|metadata| metadata.dev()).ok();
    folder.parent().is_none_or(|above| device(above) != device(folder))
}

#[cfg(test)]
mod tests {
    use super::is_known;

    #[test]
    fn own_files_and_those_of_the_administrator_are_known() {
        assert!(is_known(1000, 1000, None) && is_known(0, 1000, None) && is_known(1000, 0, Some(1000)));
        assert!(!is_known(1001, 1000, None) && !is_known(1000, 0, None) && !is_known(1001, 0, Some(1000)));
    }
}
