//! The history of inputs, in a file that only its user can read: the newest last, nothing twice.
//!
//! Each line of the file is an input, its own line ends as `\n` and backslashes as `\\`. A session adds to the file
//! as it goes, so that several at once lose nothing. What goes wrong with the file is no reason not to work: the
//! history then lasts as long as the session.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The most inputs that are kept.
pub(super) const MAX_INPUTS: usize = 10_000;
/// Longer inputs are not kept.
const MAX_INPUT_BYTES: usize = 100_000;
/// A larger file is not ours.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// The history with its file.
pub(super) struct HistoryFile {
    path: Option<PathBuf>,
    entries: Vec<String>,
}

impl HistoryFile {
    /// Reads the file, which need not be there.
    pub(super) fn open(path: Option<PathBuf>) -> HistoryFile {
        let Some(path) = path.filter(|path| usable(path)) else {
            return HistoryFile { path: None, entries: Vec::new() };
        };
        let text = match fs::read(&path).map(String::from_utf8) {
            Ok(Ok(text)) => text,
            Ok(Err(_)) => {
                // What is no text is put aside, not overwritten.
                let aside = path.with_extension("damaged");
                let path = fs::rename(&path, aside).is_ok().then_some(path);
                return HistoryFile { path, entries: Vec::new() };
            }
            Err(_) => String::new(),
        };
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        let entries = last_of_each(text.lines().map(unescaped));
        let mut file = HistoryFile { path: Some(path), entries };
        if lines > 2 * file.entries.len().max(MAX_INPUTS / 10) || lines > 2 * MAX_INPUTS {
            file.rewrite();
        }
        file
    }

    /// The inputs, oldest first.
    pub(super) fn entries(&self) -> &[String] {
        &self.entries
    }

    /// Adds an input; false when it is too long to be kept.
    pub(super) fn add(&mut self, text: &str) -> bool {
        if text.len() > MAX_INPUT_BYTES || text.trim().is_empty() {
            return false;
        }
        if self.entries.last().is_some_and(|last| last == text) {
            return true;
        }
        self.entries.retain(|entry| entry != text);
        self.entries.push(text.to_owned());
        if self.entries.len() > MAX_INPUTS {
            self.entries.remove(0);
        }
        if let Some(path) = &self.path {
            let added = private().append(true).open(path);
            let _ = added.and_then(|mut file| file.write_all(format!("{}\n", escaped(text)).as_bytes()));
        }
        true
    }

    /// Writes the file anew, without what it holds twice.
    fn rewrite(&mut self) {
        let Some(path) = &self.path else { return };
        let text: String = self.entries.iter().map(|entry| format!("{}\n", escaped(entry))).collect();
        let beside = path.with_extension(format!("{}.tmp", std::process::id()));
        let written = private().create_new(true).open(&beside).and_then(|mut file| file.write_all(text.as_bytes()));
        if written.and_then(|()| fs::rename(&beside, path)).is_err() {
            let _ = fs::remove_file(&beside);
        }
    }
}

/// Whether a history can be there: a plain file, or none yet. It and its folder become private.
fn usable(path: &Path) -> bool {
    if let Ok(about) = fs::metadata(path) {
        let ours = about.is_file() && about.len() <= MAX_FILE_BYTES;
        if ours && about.permissions().mode() & 0o077 != 0 {
            let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o600));
        }
        return ours;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.is_none_or(|folder| fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).is_ok())
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).mode(0o600);
    options
}

/// Each text once, where it came last; the last [`MAX_INPUTS`] of them.
fn last_of_each(texts: impl DoubleEndedIterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let mut found: Vec<String> =
        texts.rev().filter(|text| !text.trim().is_empty() && seen.insert(text.clone())).take(MAX_INPUTS).collect();
    found.reverse();
    found
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some(other) => text.push(other),
                None => {}
            },
            (c, false) => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn inputs_last_and_none_is_there_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/arr/history");
        let mut first = HistoryFile::open(Some(path.clone()));
        for text in ["1", "fn f(x) {\n  \"a\\n\"\n}", "2", "1"] {
            assert!(first.add(text));
        }
        assert_eq!(first.entries().last().map(String::as_str), Some("1"));
        let second = HistoryFile::open(Some(path.clone()));
        assert_eq!(second.entries(), ["fn f(x) {\n  \"a\\n\"\n}", "2", "1"]);
        assert_eq!(second.entries(), first.entries());
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    }

    #[test]
    fn the_file_becomes_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        fs::write(&path, "1\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        HistoryFile::open(Some(path.clone()));
        assert_eq!(mode(&path), 0o600);
    }

    #[test]
    fn long_files_are_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history");
        fs::write(&path, "1\n2\n".repeat(MAX_INPUTS)).unwrap();
        assert_eq!(HistoryFile::open(Some(path.clone())).entries(), ["1", "2"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "1\n2\n");
    }

    #[test]
    fn what_cannot_be_a_history_does_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        let damaged = folder.path().join("history");
        fs::write(&damaged, b"\xff\xfe").unwrap();
        assert!(HistoryFile::open(Some(damaged.clone())).add("1"));
        assert_eq!(fs::read(damaged.with_extension("damaged")).unwrap(), b"\xff\xfe");
        assert_eq!(fs::read_to_string(&damaged).unwrap(), "1\n");
        for path in [Some(folder.path().to_path_buf()), Some("/proc/nowhere/history".into()), None] {
            let mut file = HistoryFile::open(path);
            assert!(file.add("1") && file.entries().len() == 1);
        }
    }
}
