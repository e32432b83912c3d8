//! `arr run libnorm.so`: a library that `arr build` made, with inputs and outputs as a script has them.
//!
//! What the library says of its inputs is read as the `input` lines of a script, so values are given, checked and told
//! as for scripts. The file is read and looked at before it is loaded, and what is loaded is what was read.

use super::output;
use crate::diagnostic::Outcome;
use crate::diagnostic::codes::running::{BAD_ARRAY_FILE, UNKNOWN_MEMBER};
use crate::io::{self, error::IoError};
use crate::session::Shown;
use std::path::{Path, PathBuf};

#[cfg(feature = "object")]
use crate::exec::built::{self, CallRefused, ObjectFunction};
#[cfg(feature = "object")]
use crate::types::Elem;

/// A function of a library.
pub(super) struct LibraryFile {
    path: PathBuf,
    #[cfg(feature = "object")]
    bytes: Vec<u8>,
    #[cfg(feature = "object")]
    function: ObjectFunction,
}

/// The file and the function that `libnorm.so:norm` names; nothing where it is no library.
fn parts(file: &Path) -> Option<(PathBuf, Option<String>)> {
    if file.extension().is_some_and(|it| it == "so") {
        return Some((file.to_owned(), None));
    }
    let (path, name) = file.to_str()?.rsplit_once(':')?;
    let path = Path::new(path);
    path.extension().is_some_and(|it| it == "so").then(|| (path.to_owned(), Some(name.to_owned())))
}

#[cfg(feature = "object")]
impl LibraryFile {
    /// The library that a name on the command line means, if it means one.
    ///
    /// # Errors
    /// How it ends, after what is wrong with it was told.
    pub(super) fn named(file: &Path) -> Result<Option<LibraryFile>, Outcome> {
        let Some((path, name)) = parts(file) else { return Ok(None) };
        let bytes = io::text::read(&path).map_err(|error| output::refused(&error))?;
        let functions = built::functions(&bytes);
        let functions = functions.map_err(|what| output::refused(&IoError::data(&BAD_ARRAY_FILE, &path, what)))?;
        let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
        let told = |what: String| {
            let example = format!("say which: `{}:{}`", path.display(), names[0]);
            output::refused(&IoError::data(&UNKNOWN_MEMBER, &path, what).help(example))
        };
        let found = match &name {
            Some(name) => functions.iter().find(|function| function.name == *name),
            None => functions.first().filter(|_| functions.len() == 1),
        };
        let Some(function) = found.cloned() else {
            return Err(told(format!("has the functions {}", names.join(", "))));
        };
        Ok(Some(LibraryFile { path, bytes, function }))
    }

    /// A script that gives what the function takes.
    pub(super) fn script(&self) -> String {
        let names = self.function.inputs.lines().filter_map(|line| line.strip_prefix("input ")?.split(':').next());
        let outputs: String = names.map(|name| format!("{name}\n")).collect();
        format!("{}{outputs}", self.function.inputs)
    }

    /// The results for some values of the inputs.
    ///
    /// # Errors
    /// How it ends, after what is wrong was told.
    pub(super) fn results(&self, inputs: &[Shown]) -> Result<Vec<Shown>, Outcome> {
        let arrays: Vec<_> = inputs.iter().map(|value| value.array.clone()).collect();
        let failed = |error: std::io::Error| output::refused(&IoError::reading(&self.path, &error));
        let folder = tempfile::tempdir().map_err(failed)?;
        let copy = folder.path().join("library.so");
        std::fs::write(&copy, &self.bytes).map_err(failed)?;
        let results = built::call(&copy, &self.function, &arrays);
        let results = results.map_err(|refused| match refused {
            CallRefused::File(what) => output::refused(&IoError::data(&BAD_ARRAY_FILE, &self.path, what)),
            CallRefused::Memory => {
                output::complain(&format!("{}: there is no memory for its results", io::error::shown(&self.path)));
                Outcome::Refused
            }
            CallRefused::Call(code, text) => {
                let (file, name) = (io::error::shown(&self.path), &self.function.name);
                output::complain(&format!("{file}: `{name}` gives code {code}: {text}"));
                Outcome::Refused
            }
        })?;
        let shown = |((name, dtype, _), array): (&(String, _, _), _)| Shown {
            name: Some(name.clone()),
            line: 1,
            text: name.clone(),
            elem: Elem::Strong(*dtype),
            array,
        };
        Ok(self.function.outputs.iter().zip(results).map(shown).collect())
    }
}

#[cfg(not(feature = "object"))]
impl LibraryFile {
    /// Without the feature `object` no library is loaded.
    pub(super) fn named(file: &Path) -> Result<Option<LibraryFile>, Outcome> {
        let Some((path, _)) = parts(file) else { return Ok(None) };
        let what = "is a library, and this arr was installed without the cargo feature `object`";
        Err(output::refused(&IoError::data(&BAD_ARRAY_FILE, &path, what)))
    }

    pub(super) fn script(&self) -> String {
        String::new()
    }

    pub(super) fn results(&self, _: &[Shown]) -> Result<Vec<Shown>, Outcome> {
        Ok(Vec::new())
    }
}
