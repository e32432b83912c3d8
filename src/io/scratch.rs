//! Scratch files or folders for other programs; they are gone when nobody needs them any more.
//!
//! ```
//! let scratch = arrlang::io::scratch::ScratchFile::new("1 + 1").unwrap();
//! assert_eq!(scratch.read().unwrap(), "1 + 1\n");
//! ```

use super::pending::PendingName;
use std::io::{self, Write};
use std::path::Path;

/// The file.
#[derive(Debug)]
pub struct ScratchFile(
    tempfile::NamedTempFile,
    #[expect(dead_code, reason = "it removes the file after a signal")] PendingName,
);

impl ScratchFile {
    /// A file that only this user can read, with a text and the line end that editors expect.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new(text: &str) -> io::Result<ScratchFile> {
        let mut file = tempfile::Builder::new().prefix("arr-").suffix(".arr").tempfile()?;
        let pending = PendingName::new(file.path());
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        file.write_all(format!("{text}{end}").as_bytes())?;
        file.flush()?;
        Ok(ScratchFile(file, pending))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// What the file holds now, also when another program put a new file in its place.
    ///
    /// # Errors
    /// When it cannot be read, or is no text.
    pub fn read(&self) -> io::Result<String> {
        std::fs::read_to_string(self.path())
    }
}

/// A folder for files that other programs read and write.
#[derive(Debug)]
pub struct ScratchFolder(
    tempfile::TempDir,
    #[expect(dead_code, reason = "it removes the folder after a signal")] Vec<PendingName>,
);

impl ScratchFolder {
    /// A folder that only this user can read, for files of these names.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new(names: &[&str]) -> io::Result<ScratchFolder> {
        let folder = tempfile::Builder::new().prefix("arr-").tempdir()?;
        let mut pending = vec![PendingName::new(folder.path())];
        pending.extend(names.iter().map(|name| PendingName::new(&folder.path().join(name))));
        Ok(ScratchFolder(folder, pending))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
