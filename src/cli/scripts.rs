//! The scripts that a command line names. They are files as they are named, and those in folders.
//!
//! In a folder only regular files are scripts. A pipe there would be waited for, and a link that leads out of the
//! folder would have somebody else's file shown or rewritten: both are left out, which is told. Who wants them names
//! them.

use super::output::{self, report_refusal};
use crate::diagnostic::codes::running::BAD_ARRAY_FILE;
use crate::diagnostic::{Diagnostic, Outcome};
use crate::io::{self, error::IoError};
use crate::source::Sources;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// Scripts, and every `*.arr` below folders, in the order of their names; each once, however often it is named.
///
/// # Errors
/// How the command ends, when a folder cannot be read, which was told.
pub(super) fn collect(named: &[OsString]) -> Result<Vec<PathBuf>, Outcome> {
    let mut scripts = Vec::new();
    for path in named.iter().map(Path::new) {
        if !path.is_dir() {
            scripts.push(path.to_path_buf());
            continue;
        }
        let root = path.canonicalize().map_err(|error| report_refusal(&IoError::reading(path, &error)))?;
        below(path, &root, &mut scripts)?;
    }
    if named.len() > 1 {
        let mut known = HashSet::new();
        // What cannot be found is told when it is read.
        scripts.retain(|path| path.canonicalize().ok().is_none_or(|real| known.insert(real)));
    }
    Ok(scripts)
}

fn below(folder: &Path, root: &Path, scripts: &mut Vec<PathBuf>) -> Result<(), Outcome> {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = entries.map_err(|error| report_refusal(&IoError::reading(folder, &error)))?;
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            below(&path, root, scripts)?;
        } else if path.extension().is_some_and(|extension| extension == "arr") {
            // What is no link lies where it is found.
            let regular = entry.file_type().is_ok_and(|kind| kind.is_file());
            match if regular { None } else { left_out(&path, root) } {
                Some(why) => output::notes(&[format!("{} {why}; it is left out", display_name(&path))]),
                None => scripts.push(path),
            }
        }
    }
    Ok(())
}

/// Why a file is no script of a folder. One that is not there, behind a link, is told when it is read.
fn left_out(path: &Path, root: &Path) -> Option<&'static str> {
    let real = path.canonicalize().ok()?;
    if !real.starts_with(root) {
        return Some("leads out of the folder");
    }
    (!real.is_file()).then_some("is no regular file")
}

/// What diagnostics call a script.
pub(super) fn display_name(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { io::error::printable_path(path) }
}

/// What reports for programs call a script: its path as it is, where that is text.
pub(super) fn exact(path: &Path) -> String {
    path.to_str().filter(|text| *text != "-").map_or_else(|| display_name(path), str::to_owned)
}

/// A script's text, with a message when it cannot be had.
pub(super) fn read_script(path: &Path, name: &str) -> Result<String, Outcome> {
    script_text(path, name).map_err(|(found, outcome)| {
        output::diagnostics([&*found], &Sources::new());
        outcome
    })
}

/// A script's text, or why it cannot be had.
pub(super) fn script_text(path: &Path, name: &str) -> Result<String, (Box<Diagnostic>, Outcome)> {
    let told = |error: IoError| (Box::new(error.diagnostic().about(name)), error.outcome());
    let bytes = io::text::read(path).map_err(told)?;
    if let Some(kind) = io::text::machine_code(&bytes) {
        return Err(told(
            IoError::data(&BAD_ARRAY_FILE, path, format!("is {kind}, and no script"))
                .help("`arr run` runs a shared library that `arr build` made"),
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        (Box::new(crate::syntax::report::invalid_utf8(name, "script", at)), Outcome::Refused)
    })
}
