//! The files that scripts name, each opened once.

use crate::check::load::{Files, LoadedFile};
use crate::diagnostic::Outcome;
use std::collections::HashMap;
use std::path::PathBuf;

/// The files that scripts name, by the name the system knows them by and whether words are wanted, so that each is
/// opened once.
#[derive(Default)]
pub(super) struct OpenedFiles {
    pub(super) files: HashMap<(PathBuf, bool), LoadedFile>,
    /// For the checker.
    pub(super) loaded: Files,
    /// How it ends if a file that could not be read is an error.
    pub(super) outcome: Outcome,
}
