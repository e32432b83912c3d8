//! Texts beside scripts: lattices and configurations.

use crate::diagnostic::Diagnostics;
use crate::io;
use crate::source::{SourceId, Sources};
use crate::syntax;
use std::path::Path;

/// Reads a text, which diagnostics call `name`, so that diagnostics can point into it.
///
/// # Errors
/// The exit code, when it cannot be read or is not UTF-8; why is in the sink.
pub(super) fn source(
    path: &Path,
    name: String,
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Result<(SourceId, String), u8> {
    let bytes = io::text::read(path).map_err(|error| {
        sink.push(error.diagnostic());
        error.exit_code()
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        sink.push(syntax::report::invalid_utf8(&name, error.utf8_error().valid_up_to()));
        1
    })?;
    Ok((sources.add(name, text.clone()), text))
}
