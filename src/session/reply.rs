//! The reply to an input. It has its values and what is said about it, or says why there are none.

use crate::array::Array;
use crate::check::CheckedScript;
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::io;
use crate::syntax::ast::Script;
use crate::types::Elem;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A value that an input gave.
#[derive(Clone, Debug)]
pub struct ShownValue {
    /// The name of an output. It is `None` for a bare expression.
    pub name: Option<String>,
    /// One-based line of the statement.
    pub line: usize,
    /// The statement as it was written.
    pub text: String,
    /// The type as the language sees it.
    pub elem: Elem,
    /// The value.
    pub array: Array,
}

impl ShownValue {
    /// `f32[150, 4]`, `i*`
    pub fn type_text(&self) -> String {
        let sizes: Vec<String> = self.array.shape().iter().map(usize::to_string).collect();
        if sizes.is_empty() { self.elem.to_string() } else { format!("{}[{}]", self.elem, sizes.join(", ")) }
    }
}

/// How long each phase took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Reading data, or its headers.
    pub load: Duration,
    /// From text to tree.
    pub parse: Duration,
    /// From tree to program.
    pub check: Duration,
    /// Compiling kernels.
    pub compile: Duration,
    /// From program to results, without compiling.
    pub run: Duration,
}

/// What became of an input.
#[derive(Debug, Default)]
pub struct Reply {
    /// The values, in source order. The list is empty when something failed.
    pub values: Vec<ShownValue>,
    /// Everything that was reported.
    pub diagnostics: Diagnostics,
    /// The values that are in files beside their places, by their number; of such a value only the type is known here.
    pub written: Vec<(usize, io::write::StagedFile)>,
    /// What else the user should know, a sentence each.
    pub notes: Vec<String>,
    /// Why the destinations of the results make no sense, in words.
    pub misused: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took.
    pub times: Times,
}

impl Reply {
    /// Nothing but why.
    pub(super) fn fail(self, mut diagnostics: Diagnostics, why: Option<(Diagnostic, Outcome)>) -> Reply {
        let outcome = why.as_ref().map_or(Outcome::Refused, |(_, outcome)| *outcome);
        why.into_iter().for_each(|(diagnostic, _)| diagnostics.push(diagnostic));
        Reply { values: Vec::new(), diagnostics, outcome, ..self }
    }

    /// Nothing, because the command line asks for what makes no sense.
    pub(super) fn misuse(self, diagnostics: Diagnostics, why: String) -> Reply {
        Reply { misused: Some(why), diagnostics, outcome: Outcome::Misused, ..self }
    }
}

/// A program with what is needed to talk about it.
#[derive(Debug)]
pub struct Preparation {
    /// The tree.
    pub script: Arc<Script>,
    /// What checking found.
    pub checked: CheckedScript,
    /// Everything that was reported so far.
    pub diagnostics: Diagnostics,
    /// What else the user should know, a sentence each.
    pub notes: Vec<String>,
    /// How it ended so far: done, unless a phase failed or was interrupted.
    pub outcome: Outcome,
    /// Times so far.
    pub times: Times,
    /// The files that the text names, and those that they name, whether they could be read or not.
    pub files: Vec<PathBuf>,
    pub(super) watches: Vec<io::watch::FileWatch>,
}
