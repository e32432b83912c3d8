//! Texts: scripts from files and pipes, capped and never taken for arrays; pictures and tables that are written.
//!
//! ```
//! let error = arrlang::io::text::read("missing.arr".as_ref()).unwrap_err();
//! assert_eq!(error.exit_code(), 3);
//! ```

use super::Roots;
use super::error::IoError;
use crate::diagnostic::codes::running;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most bytes that a script may have.
pub const MAX_SCRIPT: u64 = 64 << 20;

/// The bytes of a script; `-` is standard input.
///
/// # Errors
/// When the system refuses, or the script is longer than [`MAX_SCRIPT`].
pub fn read(path: &Path) -> Result<Vec<u8>, IoError> {
    let mut bytes = Vec::new();
    let outcome = match path.as_os_str() == "-" {
        true => std::io::stdin().lock().take(MAX_SCRIPT + 1).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(MAX_SCRIPT + 1).read_to_end(&mut bytes)),
    };
    outcome.map_err(|error| IoError::reading(path, &error))?;
    capped(path, bytes)
}

/// The bytes of a file that a script names.
///
/// # Errors
/// As [`read`], and when the script may not read it or it is no regular file.
pub fn read_below(path: &Path, roots: &Roots) -> Result<Vec<u8>, IoError> {
    let mut bytes = Vec::new();
    let outcome = roots.open(path)?.take(MAX_SCRIPT + 1).read_to_end(&mut bytes);
    outcome.map_err(|error| IoError::reading(path, &error))?;
    capped(path, bytes)
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
    super::write::prepare_text(path)?.commit(|out| out.write_all(text.as_bytes()))
}
