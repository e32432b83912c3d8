//! The place of a project's rules, with their reach.
//!
//! The nearest `arr.toml` upward holds. The search ends with the folder that is a repository's or the user's home, and
//! before another file system: what lies further up belongs to other things. A file that belongs to somebody else, as
//! one in `/tmp` may, is not followed.
//!
//! A stranger's script can be run because it reads only what lies beside it; an `arr.toml` that comes with it must not
//! undo that. So it grants what lies in its own project: below the repository, or where there is none below its own
//! folder. Anything else is for the command line to grant.

use crate::io::owner;
use std::path::{Path, PathBuf};

/// What the file is called.
pub const NAME: &str = "arr.toml";

/// Folders or files that a repository has at its top.
const REPOSITORIES: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

/// The file that holds for scripts in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ProjectFile {
    /// There is none.
    Nothing,
    /// The nearest one.
    File(PathBuf),
    /// The nearest one, which belongs to the user of this number, or the system does not tell whose it is.
    Strange(PathBuf, Option<u32>),
}

/// Looks for the file, from a folder upward.
pub fn find(folder: Option<&Path>) -> ProjectFile {
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(folder) = folder.canonicalize() else { return ProjectFile::Nothing };
    let home = std::env::var_os("HOME").and_then(|home| Path::new(&home).canonicalize().ok());
    for above in folder.ancestors() {
        let path = above.join(NAME);
        // Whatever has this name is meant; what cannot be read is told when it is read.
        if path.symlink_metadata().is_ok() {
            return match owner::stranger(&path) {
                Ok(None) => ProjectFile::File(path),
                Ok(Some(owner)) => ProjectFile::Strange(path, Some(owner)),
                Err(_) => ProjectFile::Strange(path, None),
            };
        }
        if is_repository(above) || home.as_deref() == Some(above) || owner::tops_a_file_system(above) {
            break;
        }
    }
    ProjectFile::Nothing
}

/// The folder below which a file of rules may grant anything.
pub(super) fn root(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    folder.ancestors().find(|above| is_repository(above)).map(Path::to_path_buf).unwrap_or(folder)
}

fn is_repository(folder: &Path) -> bool {
    REPOSITORIES.iter().any(|name| folder.join(name).exists())
}
