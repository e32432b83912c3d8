//! Other programs: where they are.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// The program of this name in the folders of `PATH`.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let runs = |path: &PathBuf| path.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0);
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(runs)
}
