//! Texts of people, as files. Scripts come from files and pipes, capped and never taken for arrays; pictures and tables
//! are written.
//!
//! ```
//! let error = arrlang::io::text::read("missing.arr".as_ref()).unwrap_err();
//! assert_eq!(error.outcome(), arrlang::diagnostic::Outcome::Unreachable);
//! ```

use super::Roots;
use super::error::IoError;
use super::file::OpenFile;
use super::origin::STANDARD_INPUT;
use super::write::{Target, prepare_text};
use crate::diagnostic::codes::running;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most bytes that a script may have.
pub const MAX_SCRIPT: u64 = 64 << 20;

/// The most bytes that settings may have: an `arr.toml`, a promotion system. Their trees are many times larger.
pub const MAX_SETTINGS: usize = 64 << 10;

/// The bytes of a script that the user names; `-` is standard input, and a pipe is waited for.
///
/// # Errors
/// When the system refuses, or the script is longer than [`MAX_SCRIPT`].
pub fn read(path: &Path) -> Result<Vec<u8>, IoError> {
    let mut bytes = Vec::new();
    let is_standard = path.as_os_str() == "-";
    let path = if is_standard { Path::new(STANDARD_INPUT) } else { path };
    let outcome = match is_standard {
        true => super::standard::has_input()
            .and_then(|()| std::io::stdin().lock().take(MAX_SCRIPT + 1).read_to_end(&mut bytes)),
        false => File::open(path).and_then(|file| {
            // Room for the end too, which is looked for behind the last byte. Where there is none, reading says so.
            let length = file.metadata().map_or(0, |known| known.len());
            let _ = bytes.try_reserve_exact(length.min(MAX_SCRIPT) as usize + 64);
            file.take(MAX_SCRIPT + 1).read_to_end(&mut bytes)
        }),
    };
    outcome.map_err(|error| IoError::reading(path, &error))?;
    capped(path, bytes)
}

/// The bytes of a script that nobody names: where it is no regular file, it is not waited for.
///
/// # Errors
/// As [`read`], and when it is no regular file.
pub fn read_regular(path: &Path) -> Result<Vec<u8>, IoError> {
    capped(path, OpenFile::open(path, None)?.up_to(0, MAX_SCRIPT as usize + 1)?)
}

/// What a file of machine code is, by its first bytes. `None` for another file.
#[must_use]
pub fn machine_code(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"!<arch>\n") {
        return Some("an archive of objects");
    }
    let kind = match bytes.get(16) {
        Some(1) => "an object",
        Some(3) => "a shared library",
        _ => "a program",
    };
    bytes.starts_with(b"\x7fELF").then_some(kind)
}

/// Whether a file begins as one of machine code does. Of a pipe nothing is read.
#[must_use]
pub fn is_machine_code(path: &Path) -> bool {
    if path.as_os_str() == "-" || !std::fs::metadata(path).is_ok_and(|known| known.is_file()) {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(32).read_to_end(&mut head));
    read.is_ok() && machine_code(&head).is_some()
}

/// The bytes of a script that another one names.
///
/// # Errors
/// As [`read`], and when the other may not read it or it is no regular file.
pub fn read_below(path: &Path, roots: &Roots) -> Result<Vec<u8>, IoError> {
    let mut bytes = Vec::new();
    let outcome = roots.open(path)?.take(MAX_SCRIPT + 1).read_to_end(&mut bytes);
    outcome.map_err(|error| IoError::reading(path, &error))?;
    capped(path, bytes)
}

/// The bytes of settings: those that the user names, or with `roots` those that a text names.
///
/// # Errors
/// When it is no regular file, lies elsewhere than the roots allow, is longer than [`MAX_SETTINGS`], or the system
/// refuses.
pub fn read_settings(path: &Path, roots: Option<&Roots>) -> Result<Vec<u8>, IoError> {
    let bytes = OpenFile::open(path, roots)?.up_to(0, MAX_SETTINGS + 1)?;
    if bytes.len() > MAX_SETTINGS {
        return Err(IoError::data(&running::TOO_LARGE, path, "is longer than 64 KiB, the limit for settings"));
    }
    Ok(bytes)
}

fn capped(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, IoError> {
    if bytes.len() as u64 > MAX_SCRIPT {
        return Err(IoError::data(&running::TOO_LARGE, path, "is longer than 64 MiB, the limit for scripts"));
    }
    Ok(bytes)
}

/// Writes a text so that the old or the new file is always complete.
///
/// # Errors
/// When the folder is missing or refuses new files, or the disk does not take it.
pub fn write(path: &Path, text: &str) -> Result<(), IoError> {
    commit(&prepare_text(path)?, text)
}

/// Writes a text to a prepared target, likewise.
///
/// # Errors
/// When the system refuses.
pub fn commit(target: &Target, text: &str) -> Result<(), IoError> {
    target.commit(|out| out.write_all(text.as_bytes()))
}
