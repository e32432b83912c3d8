//! Texts beside scripts: lattices and configurations.

use crate::diagnostic::{Diagnostics, Outcome};
use crate::io::{self, Roots};
use crate::syntax;
use std::path::Path;

/// The text of a file that diagnostics call `name`; with `roots`, of one that a text names.
///
/// # Errors
/// How it ended, when it cannot be read or is not UTF-8; why is in the sink.
pub(super) fn settings(
    path: &Path,
    name: &str,
    roots: Option<&Roots>,
    sink: &mut Diagnostics,
) -> Result<String, Outcome> {
    let bytes = io::text::read_settings(path, roots).map_err(|error| {
        sink.push(error.diagnostic().about(name));
        error.outcome()
    })?;
    String::from_utf8(bytes).map_err(|error| {
        sink.push(syntax::report::invalid_utf8(name, "file", error.utf8_error().valid_up_to()));
        Outcome::Refused
    })
}
