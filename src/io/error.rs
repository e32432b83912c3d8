//! Errors of files, as values.
//!
//! The sentence is complete and safe to print: names are escaped, contents are never repeated. [`IoError::outcome`]
//! tells a system that refuses (3) from data that is wrong (1).
//!
//! ```
//! use arrlang::io::{read, ReadOptions};
//! let error = read("missing.npy".as_ref(), &ReadOptions::default()).unwrap_err();
//! assert_eq!(error.outcome(), arrlang::diagnostic::Outcome::Unreachable);
//! assert_eq!(error.message, "cannot read `missing.npy`: no such file or directory");
//! ```

use crate::array::bytes::OutOfMemory;
use crate::diagnostic::codes::{Row, running};
use crate::diagnostic::{Diagnostic, Level, Outcome, visible};
use std::borrow::Cow;
use std::fmt::Write;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Who is at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultOwner {
    /// The system refused to open, read, write or rename.
    Io(io::ErrorKind),
    /// The file, its contents or its name is wrong, or a limit is exceeded.
    Data,
}

/// A file that could not be read or written.
#[derive(Clone, Debug)]
pub struct IoError {
    /// The file, escaped for display.
    pub path: String,
    /// Who is at fault.
    pub kind: FaultOwner,
    /// The page.
    pub code: &'static Row,
    /// A sentence that names the file.
    pub message: String,
    /// What to do instead.
    pub help: Option<String>,
}

/// A file that was read, with something to say about it.
#[derive(Clone, Debug)]
pub struct Warning {
    /// The page.
    pub code: &'static Row,
    /// A sentence that names the file.
    pub message: String,
    /// What to write so that it is not said.
    pub help: Option<String>,
}

impl IoError {
    /// Something is wrong with the file itself: "`a.npy` …".
    pub fn data(code: &'static Row, path: &Path, what: impl AsRef<str>) -> IoError {
        let path = printable_path(path);
        IoError { message: format!("`{path}` {}", what.as_ref()), path, kind: FaultOwner::Data, code, help: None }
    }

    /// The system refused to read.
    pub fn reading(path: &Path, error: &io::Error) -> IoError {
        if error.kind() == io::ErrorKind::OutOfMemory {
            return IoError::data(&running::OUT_OF_MEMORY, path, "does not fit in memory");
        }
        IoError::system(&running::FILE_UNREADABLE, "read", path, error)
    }

    /// The system refused to write.
    pub fn writing(path: &Path, error: &io::Error) -> IoError {
        IoError::system(&running::FILE_UNWRITABLE, "write", path, error)
    }

    fn system(code: &'static Row, verb: &str, path: &Path, error: &io::Error) -> IoError {
        let path = printable_path(path);
        let missing = error.kind() == io::ErrorKind::NotFound;
        let help = if missing && (path.starts_with('~') || path.contains('$')) {
            Some("`~` and `$NAME` are not expanded here; write the path out or let the shell do it".to_string())
        } else if missing && is_quotient(&path) {
            Some("a value with `/` is taken for a file; write a quotient as its value, such as `0.5`".to_string())
        } else {
            None
        };
        let message = format!("cannot {verb} `{path}`: {}", reason(error));
        IoError { message, path, kind: FaultOwner::Io(error.kind()), code, help }
    }

    /// It became shorter while it was open: the system has no more of it.
    pub fn shrunk(path: &Path, what: impl AsRef<str>) -> IoError {
        let error = IoError::data(&running::TRUNCATED_FILE, path, what);
        let kind = FaultOwner::Io(io::ErrorKind::UnexpectedEof);
        IoError { kind, ..error }
            .help("write a new file and rename it over the old one; who has that open keeps it as it is")
    }

    /// There is no memory for the contents.
    pub fn memory(path: &Path, missing: OutOfMemory) -> IoError {
        let what = format!("does not fit in memory: it needs {}", size(missing.bytes as u64));
        IoError::data(&running::OUT_OF_MEMORY, path, what)
    }

    /// What is packed so well only wants to fill memory.
    pub fn bomb(path: &Path, from: u64) -> IoError {
        let what = format!("holds more than {MAX_PACKED} times as much as it is long, and more than {}", size(from));
        IoError::data(&running::TOO_LARGE, path, what).help("unpack it first if that is meant")
    }

    /// Adds what to do instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> IoError {
        self.help = Some(help.into());
        self
    }

    /// 3 where the system refused, 1 where the data is wrong.
    pub fn outcome(&self) -> Outcome {
        match self.kind {
            FaultOwner::Io(_) => Outcome::Unreachable,
            FaultOwner::Data => Outcome::Refused,
        }
    }

    /// The diagnostic, without a place in a source; callers add labels.
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::unlocated(self.code, self.message.clone());
        match &self.help {
            Some(help) => diagnostic.help(help.clone()),
            None => diagnostic,
        }
    }
}

impl Warning {
    /// "`a.npy` …".
    pub fn new(code: &'static Row, path: &Path, what: impl AsRef<str>) -> Warning {
        Warning { code, message: format!("`{}` {}", printable_path(path), what.as_ref()), help: None }
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Warning {
        Warning { help: Some(help.into()), ..self }
    }

    /// Somebody wrote to a file that is in use.
    pub fn file_changed(path: &Path) -> Warning {
        Warning::new(&running::FILE_CHANGED, path, "was modified while it was in use: its elements may be old or new")
    }

    /// The diagnostic, without a place in a source.
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.code, Level::Warn, self.message.clone());
        match &self.help {
            Some(help) => diagnostic.help(help.clone()),
            None => diagnostic,
        }
    }
}

impl std::fmt::Display for IoError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for IoError {}

/// The system's reason without the number that Rust appends: `no such file or directory`.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    // "No space left" begins small in the middle of a sentence; "I/O error" does not.
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => first.to_lowercase().chain(chars).collect(),
        _ => text.to_string(),
    }
}

/// Whether a path is a quotient of numbers, which somebody meant as a value.
pub(super) fn is_quotient(path: &str) -> bool {
    path.contains('/') && path.chars().all(|c| c.is_ascii_digit() || "./*+-() ".contains(c))
}

/// Tables and arrays may be at most this many times as large as they are packed.
pub const MAX_PACKED: u64 = 250;

/// The longest path in a message, in characters.
const MAX_PATH_CHARS: usize = 200;

/// A path that is safe to print: what a terminal could obey is escaped, and a very long one loses its middle.
///
/// ```
/// assert_eq!(arrlang::io::error::printable_path("a\u{1b}[2Jb\n".as_ref()), r"a\u{1b}[2Jb\n");
/// ```
pub fn printable_path(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        text.push_str(&escape(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    let count = text.chars().count();
    if count <= MAX_PATH_CHARS {
        return text;
    }
    let head: String = text.chars().take(MAX_PATH_CHARS / 2).collect();
    let tail: String = text.chars().skip(count - MAX_PATH_CHARS / 2).collect();
    format!("{head}…{tail}")
}

/// Text with control and invisible characters escaped; the same text if it has none.
pub fn escape(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| visible::glyph(c).is_some();
    if !text.chars().any(hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for c in text.chars() {
        if hidden(c) { out.push_str(&c.escape_debug().to_string()) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// A number of bytes for people: `12 bytes`, `12.3 GiB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    match bytes {
        1 => "1 byte".to_string(),
        0..10_240 => format!("{bytes} bytes"),
        _ => {
            let power = (bytes.ilog2() / 10) as usize;
            format!("{:.1} {}", bytes as f64 / 1024f64.powi(power as i32), UNITS[power - 1])
        }
    }
}
