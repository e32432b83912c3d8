//! The location of an array. It is a file, with the name of an array where a file holds several.

use super::{FORMATS, Format, IoError, ReadOptions, error, origin, unknown_format};
use crate::diagnostic::codes::running;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Which array: a file, and within it a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub path: PathBuf,
    /// The array's name in a file that holds several.
    pub member: Option<String>,
}

impl Location {
    /// Reads `d.npz:x` apart; a colon counts only behind the extension of a format that holds several arrays.
    ///
    /// ```
    /// use arrlang::io::Location;
    /// assert_eq!(Location::parse("a:b.npy".as_ref()).member, None);
    /// ```
    pub fn parse(text: &OsStr) -> Location {
        let bytes = text.as_bytes();
        for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b':') {
            let path = Path::new(OsStr::from_bytes(&bytes[..at]));
            if Format::of(path).is_some_and(|format| format.members) || origin::is_standard(path) || is_descriptor(path)
            {
                let member = String::from_utf8_lossy(&bytes[at + 1..]).into_owned();
                return Location { path: path.to_path_buf(), member: Some(member) };
            }
        }
        Location { path: text.into(), member: None }
    }

    /// As [`Location::parse`], for a file that the user names. `data.dat:x` is a column too, if the user or the first
    /// bytes say that the file has a format with columns, and so is `pipe:x`.
    pub fn named_by_user(text: &OsStr, options: &ReadOptions) -> Location {
        let known = Location::parse(text);
        if known.member.is_some() || is_by_script(options) || Path::new(text).exists() {
            return known;
        }
        let has_members = |path: &Path| {
            let told = options.format.or_else(|| origin::format_of_file(path, options).ok().flatten());
            told.is_some_and(|format| format.members)
        };
        let bytes = text.as_bytes();
        for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b':') {
            let path = Path::new(OsStr::from_bytes(&bytes[..at]));
            let is_file = Format::of(path).is_none() && path.is_file() && has_members(path);
            if is_file || origin::is_stream(path) {
                let member = String::from_utf8_lossy(&bytes[at + 1..]).into_owned();
                return Location { path: path.to_path_buf(), member: Some(member) };
            }
        }
        known
    }

    /// What the user wrote: `d.npz:x`.
    pub(super) fn whole(&self) -> PathBuf {
        let mut whole = self.path.clone().into_os_string();
        if let Some(member) = &self.member {
            whole.push(":");
            whole.push(member);
        }
        whole.into()
    }

    /// The format that the name tells, or else the user, or the first bytes of a file that the user names. A file that
    /// may not be read is refused, whatever its name is.
    pub(crate) fn format(&self, options: &ReadOptions) -> Result<&'static Format, IoError> {
        if let Some(format) = Format::of(&self.path).or(options.format) {
            return Ok(format);
        }
        if let Some(roots) = &options.roots {
            roots.open(&self.path)?;
        }
        if error::is_quotient(&error::printable_path(&self.path))
            && let Err(refused) = std::fs::metadata(&self.path)
        {
            return Err(IoError::reading(&self.path, &refused));
        }
        let unknown = unknown_format(&self.path, FORMATS.iter().filter(|it| it.can_read()));
        if is_by_script(options) {
            return Err(unknown);
        }
        match origin::format_of_file(&self.path, options) {
            Ok(Some(format)) => Ok(format),
            // Where the name has no ending to blame, the reason of the system says more.
            Err(refused) if self.path.extension().is_none() => Err(refused),
            Ok(None) | Err(_) => {
                let known = unknown.help.as_deref().unwrap_or_default();
                let help = format!("{known}; `--format-in FORMAT` names the format of other files");
                Err(unknown.help(help))
            }
        }
    }
}

/// Whether a script names the file, and not the user.
fn is_by_script(options: &ReadOptions) -> bool {
    options.roots.is_some() && !options.by_user
}

/// The error for a member that is not there, or not named; `names` are those to choose from, or the first of so many.
pub(super) fn no_member(location: &Location, what: &str, (names, total): (&[String], usize)) -> IoError {
    const MAX_LISTED_NAMES: usize = 8;
    let mut list: Vec<String> = names
        .iter()
        .take(MAX_LISTED_NAMES)
        .map(|name| format!("`{}`", error::printable_path(Path::new(name))))
        .collect();
    if total > list.len() {
        list.push(format!("{} more", total - list.len()));
    }
    let (path, holds) = (&location.path, list.join(", "));
    match &location.member {
        Some(name) => {
            let name = error::printable_path(Path::new(name));
            let error = IoError::data(&running::UNKNOWN_MEMBER, path, format!("holds no {what} named `{name}`"));
            if names.is_empty() { error } else { error.help(format!("it holds {holds}")) }
        }
        None if names.is_empty() => IoError::data(&running::UNKNOWN_MEMBER, path, format!("holds no {what}")),
        None => IoError::data(&running::UNKNOWN_MEMBER, path, format!("holds several of them: say which {what}"))
            .help(format!("`{}:NAME`, where NAME is one of {holds}", address(path))),
    }
}

/// A file as the command line names it.
fn address(path: &Path) -> String {
    if path == Path::new(origin::STANDARD_INPUT) { "-".to_owned() } else { error::printable_path(path) }
}

/// Whether a path is how a shell names a pipe of its own: `/dev/fd/63`.
fn is_descriptor(path: &Path) -> bool {
    let number = path.to_str().and_then(|path| path.strip_prefix("/dev/fd/"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether text is by its form a file: it has a `/` or ends in a known extension, `d.npz:x` included. What holds a text
/// is an expression, `sum(load("d.npz:x"))`, unless there is such a file.
pub(crate) fn is_file_name(text: &OsStr) -> bool {
    let (bytes, path) = (text.as_bytes(), Location::parse(text).path);
    let has_form = bytes.contains(&b'/') || Format::of(&path).is_some();
    has_form && (!holds_text(bytes) || path.exists())
}

/// Whether a text in quotes begins and ends here: `"a"`, `('a')`.
fn holds_text(bytes: &[u8]) -> bool {
    let behind = |opening: &[u8]| {
        let at = bytes.windows(opening.len()).position(|window| window == opening)?;
        Some(&bytes[at + opening.len()..])
    };
    behind(b"\"").is_some_and(|rest| rest.contains(&b'"')) || behind(b"('").is_some_and(|rest| rest.contains(&b'\''))
}
