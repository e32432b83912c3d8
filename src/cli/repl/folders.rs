//! The places of a user's own files. One says what to begin with, another what was typed; others are named in
//! commands.

use std::ffi::OsString;
use std::path::PathBuf;

/// `init.arr` in the user's configuration directory.
pub(super) fn init() -> Option<PathBuf> {
    Some(below("XDG_CONFIG_HOME", ".config")?.join("init.arr"))
}

/// The history: what `ARR_HISTORY` names, or a file in the user's state directory. An empty `ARR_HISTORY` means none.
#[cfg(feature = "repl")]
pub(super) fn history() -> Option<PathBuf> {
    match std::env::var_os("ARR_HISTORY") {
        Some(path) => given(Some(path)),
        None => Some(below("XDG_STATE_HOME", ".local/state")?.join("history")),
    }
}

/// `arr` below a directory of the XDG specification, or below its usual place in the user's home. Relative directories
/// do not count, as the specification says.
fn below(variable: &str, usual: &str) -> Option<PathBuf> {
    let absolute = |path: &PathBuf| path.is_absolute();
    let told = given(std::env::var_os(variable)).filter(absolute);
    let home = || given(std::env::var_os("HOME")).filter(absolute).map(|home| home.join(usual));
    Some(told.or_else(home)?.join("arr"))
}

/// A file as the user names it: `~/` is the home folder.
pub(super) fn place(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(path),
    }
}

fn given(text: Option<OsString>) -> Option<PathBuf> {
    text.filter(|text| !text.is_empty()).map(PathBuf::from)
}
