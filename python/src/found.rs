//! What was found, for Python: drawn as text with and without colours, and in parts as JSON.

use arrlang::diagnostic::render::{Style, render_to_string};
use arrlang::diagnostic::{Diagnostic, Diagnostics, machine};
use arrlang::session::{CallError, Refused};
use arrlang::source::Sources;
use pyo3::prelude::*;

/// What the library calls the texts of types, and what they are here.
const TYPES: [&str; 2] = ["the command line", "the types"];

/// `(JSON, text, text with colours)` of each diagnostic.
pub(crate) fn parts(diagnostics: &Diagnostics, sources: &Sources) -> Vec<(String, String, String)> {
    let own = |text: String| text.replace(TYPES[0], TYPES[1]);
    let draw = |one: &Diagnostic, color: bool| own(render_to_string([one], sources, &Style { color, width: 0 }));
    let json = |one: &Diagnostic| own(machine::json([one], sources)["diagnostics"][0].to_string());
    let named = diagnostics.iter().map(in_python);
    named.map(|one| (json(&one), draw(&one, false), draw(&one, true))).collect()
}

/// A diagnostic whose advice is about calls of Python, where the library's own is about the command.
fn in_python(found: &Diagnostic) -> Diagnostic {
    let mut found = found.clone();
    for help in &mut found.helps {
        let Some(rest) = help.text.strip_prefix("give it a value on the command line: `") else { continue };
        let name = rest.split('=').next().unwrap_or(rest);
        help.text = format!("give it a value, `evaluate(…, {name}=1.5)`, or a type, `compile(…, {name}=\"f32[n]\")`");
    }
    found
}

/// The exception for what was refused; `running` tells data from the text.
pub(crate) fn raised(py: Python<'_>, refused: &Refused, running: bool) -> PyErr {
    let parts = parts(&refused.diagnostics, &refused.sources);
    let made =
        py.import("arrlang._found").and_then(|module| module.getattr("raised")?.call1((parts, running, refused.exit)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The exception for a call that gave nothing.
pub(crate) fn failed(py: Python<'_>, error: CallError) -> PyErr {
    match error {
        CallError::Refused(refused) => raised(py, &refused, true),
        CallError::Misfit { result } => {
            pyo3::exceptions::PyValueError::new_err(format!("`out` has another dtype or shape than result {result}"))
        }
    }
}

/// Warns of what checking found.
pub(crate) fn warn(py: Python<'_>, diagnostics: &Diagnostics, sources: &Sources) -> PyResult<()> {
    if diagnostics.is_empty() {
        return Ok(());
    }
    py.import("arrlang._found")?.getattr("warn")?.call1((parts(diagnostics, sources),))?;
    Ok(())
}
