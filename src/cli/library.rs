//! `arr run libnorm.so`: a library that `arr build` made. Its inputs and outputs are given as those of a script.
//!
//! What the library says of its inputs is read as the `input` lines of a script, so values are given, checked and told
//! as for scripts. The file is read and looked at before it is loaded, and what is loaded is what was read.

use super::output;
use crate::diagnostic::codes::running::{BAD_ARRAY_FILE, UNKNOWN_MEMBER};
use crate::diagnostic::{Diagnostic, Outcome};
use crate::io::argument::Argument;
use crate::io::{self, error::IoError};
use crate::session::ShownValue;
use std::path::{Path, PathBuf};

#[cfg(feature = "object")]
use crate::diagnostic::codes::{
    inputs::NO_SUCH_INPUT,
    running::{OUT_OF_MEMORY, TOO_LARGE},
};
#[cfg(feature = "object")]
use crate::exec::built::{self, CallRefused, ObjectFunction, ObjectOutput};
#[cfg(feature = "object")]
use crate::io::{argument::EVERY, scratch::ScratchFolder};
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
    if is_library(file) {
        return Some((file.to_owned(), None));
    }
    let (path, name) = file.to_str()?.rsplit_once(':')?;
    let path = Path::new(path);
    is_library(path).then(|| (path.to_owned(), Some(name.to_owned())))
}

/// Whether a file has the name of a library, or is machine code under another one.
fn is_library(file: &Path) -> bool {
    file.extension().is_some_and(|it| it == "so") || io::text::is_machine_code(file)
}

/// The line of an input with names in place of the numbers among its lengths, so that one element does not fill them.
/// The function looks at what is given.
#[cfg(feature = "object")]
fn open_lengths(line: &str, name: &str) -> String {
    let Some((head, (lengths, tail))) =
        line.split_once('[').and_then(|(head, rest)| Some((head, rest.split_once(']')?)))
    else {
        return format!("{line}\n");
    };
    let open = |(axis, length): (usize, &str)| match length.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("of_{name}_{axis}"),
        false => length.to_owned(),
    };
    let lengths: Vec<String> = lengths.split(", ").enumerate().map(open).collect();
    format!("{head}[{}]{tail}\n", lengths.join(", "))
}

#[cfg(feature = "object")]
impl LibraryFile {
    /// The library that a name on the command line means, if it means one.
    ///
    /// # Errors
    /// How it ends, after what is wrong with it was told.
    pub(super) fn find_library(file: &Path) -> Result<Option<LibraryFile>, Outcome> {
        let Some((path, name)) = parts(file) else { return Ok(None) };
        let bytes = io::text::read(&path).map_err(|error| output::report_refusal(&error))?;
        let functions = built::functions(&bytes);
        let functions =
            functions.map_err(|what| output::report_refusal(&IoError::data(&BAD_ARRAY_FILE, &path, what)))?;
        let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
        let told = |what: String| {
            let example = format!("say which: `{}:{}`", path.display(), names[0]);
            output::report_refusal(&IoError::data(&UNKNOWN_MEMBER, &path, what).help(example))
        };
        let found = match &name {
            Some(name) => functions.iter().find(|function| function.name == *name),
            None => functions.first().filter(|_| functions.len() == 1),
        };
        let Some(function) = found.cloned() else {
            return Err(told(format!("has the functions {}", names.join(", "))));
        };
        let arrays = function.inputs.lines().count() + function.outputs.len();
        if arrays > built::MAX_ARRAYS {
            let most = built::MAX_ARRAYS;
            let what =
                format!("has {arrays} inputs and outputs in `{}`: `arr run` calls with at most {most}", function.name);
            let told = IoError::data(&TOO_LARGE, &path, what);
            return Err(output::report_refusal(&told.help("run its script, or call it from another program")));
        }
        Ok(Some(LibraryFile { path, bytes, function }))
    }

    /// The names of the inputs.
    fn inputs(&self) -> Vec<&str> {
        self.function.inputs.lines().filter_map(|line| line.strip_prefix("input ")?.split(':').next()).collect()
    }

    /// A script that gives what the function takes.
    pub(super) fn script(&self) -> String {
        let outputs: String = self.inputs().iter().map(|name| format!("{name}\n")).collect();
        let is_exact = |name: &&str| self.function.exact.iter().any(|exact| exact == name);
        let declared = self.function.inputs.lines().zip(self.inputs());
        let line = |(line, name): (&str, &str)| match Some(name).filter(is_exact) {
            Some(name) => open_lengths(line, name),
            None => format!("{line}\n"),
        };
        declared.map(line).chain([outputs]).collect()
    }

    /// That a value is given for an input that the function does not have.
    pub(super) fn unknown_input(&self, arguments: &[Argument]) -> Option<Diagnostic> {
        let names = self.inputs();
        let is_unknown = |of: &&Argument| of.name != EVERY && !names.contains(&of.name.as_str());
        let unknown = arguments.iter().find(is_unknown)?;
        let told = format!("`{}` of the library has no input `{}`", self.function.name, unknown.name);
        Some(Diagnostic::unlocated(&NO_SUCH_INPUT, told).help(match names.as_slice() {
            [] => "it has none".to_owned(),
            names => format!("it has {}", names.join(", ")),
        }))
    }

    /// The results for some values of the inputs.
    ///
    /// # Errors
    /// How it ends, after what is wrong was told.
    pub(super) fn results(&self, inputs: &[ShownValue]) -> Result<Vec<ShownValue>, Outcome> {
        let arrays: Vec<_> = inputs.iter().map(|value| value.array.clone()).collect();
        let failed = |error: std::io::Error| output::report_refusal(&IoError::reading(&self.path, &error));
        let folder = ScratchFolder::new(&["library.so"]).map_err(failed)?;
        let copy = folder.path().join("library.so");
        std::fs::write(&copy, &self.bytes).map_err(failed)?;
        let results = built::call(&copy, &self.function, &arrays, || drop(folder));
        let results = results.map_err(|refused| match refused {
            CallRefused::File(what) => output::report_refusal(&IoError::data(&BAD_ARRAY_FILE, &self.path, what)),
            CallRefused::Memory => {
                let what = "needs more memory for its results than the system gives";
                output::report_refusal(&IoError::data(&OUT_OF_MEMORY, &self.path, what))
            }
            CallRefused::Call(code, text) => {
                let (file, name) = (io::error::printable_path(&self.path), &self.function.name);
                output::report(&format!("{file}: `{name}` gives code {code}: {text}"));
                Outcome::Refused
            }
        })?;
        let shown = |(output, array): (&ObjectOutput, _)| ShownValue {
            name: Some(output.name.clone()),
            line: 1,
            text: output.name.clone(),
            elem: Elem::Strong(output.dtype),
            array,
        };
        Ok(self.function.outputs.iter().zip(results).map(shown).collect())
    }
}

#[cfg(not(feature = "object"))]
impl LibraryFile {
    /// Without the feature `object` no library is loaded.
    pub(super) fn find_library(file: &Path) -> Result<Option<LibraryFile>, Outcome> {
        let Some((path, _)) = parts(file) else { return Ok(None) };
        let what = "is a library, and this arr was installed without the cargo feature `object`";
        Err(output::report_refusal(&IoError::data(&BAD_ARRAY_FILE, &path, what)))
    }

    pub(super) fn script(&self) -> String {
        String::new()
    }

    pub(super) fn unknown_input(&self, _: &[Argument]) -> Option<Diagnostic> {
        None
    }

    pub(super) fn results(&self, _: &[ShownValue]) -> Result<Vec<ShownValue>, Outcome> {
        Ok(Vec::new())
    }
}
