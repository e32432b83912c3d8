//! A user's own promotion system: a file of edges. It is read and checked before anything uses it.
//!
//! What is wrong with it is a diagnostic at its place in that file, beside those of the program. A file that is not
//! meant as a system is never shown: a text could name any.

use crate::diagnostic::codes::running;
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::io::{self, Roots};
use crate::promotion::systems::System;
use crate::promotion::user;
use crate::source::{Sources, Span};
use crate::syntax::ast::{Script, StmtKind};
use std::path::Path;

/// Reads the system of a file that the user names, wherever it is.
///
/// # Errors
/// How it ended, when the file cannot be read or is no lattice; why is in the sink.
pub fn load_system(path: &Path, sources: &mut Sources, sink: &mut Diagnostics) -> Result<&'static System, Outcome> {
    read(path, path, None, sources, sink)
}

/// Reads the system of a file that a text names at `span`: one that the text may read.
pub(super) fn named_system(
    path: &Path,
    span: Span,
    roots: &Roots,
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Result<&'static System, Outcome> {
    let mut found = Diagnostics::new();
    let whole = roots.whole(path);
    let system = read(path, whole.strip_prefix(".").unwrap_or(&whole), Some(roots), sources, &mut found);
    for diagnostic in &found {
        let placed = diagnostic.span().is_some();
        sink.push(if placed { diagnostic.clone() } else { diagnostic.clone().label(span, "") });
    }
    system
}

fn read(
    path: &Path,
    whole: &Path,
    roots: Option<&Roots>,
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Result<&'static System, Outcome> {
    let name = io::error::printable_path(whole);
    let text = super::text::settings(path, &name, roots, sink)?;
    let problems = match user::from_toml(&text) {
        // The system lasts as long as the program, as every other does; there is one for each file that is named.
        Ok(system) => return Ok(Box::leak(Box::new(system))),
        Err(problems) => problems,
    };
    if !user::has_edges(&text) {
        // The file may be anything, and it may be private: nothing of it is shown.
        let message = format!("`{name}` describes no promotion system: it has no `edges`");
        let help = "a system is written `edges = [\"u8 -> i16\", \"i8 -> i16\"]`";
        sink.push(Diagnostic::unlocated(&running::BAD_SYSTEM_FILE, message).about(&name).help(help));
        return Err(Outcome::Refused);
    }
    let source = sources.add(name, text);
    for problem in problems {
        let span = Span::new(source, problem.span.start, problem.span.end);
        let diagnostic = Diagnostic::error(&running::BAD_SYSTEM_FILE, span, problem.message);
        sink.push(match problem.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
    }
    Err(Outcome::Refused)
}

/// The paths of systems that the `promotion` lines of a script name, as they are written between quotes, and where.
pub(super) fn named_files<'s>(script: &'s Script, sources: &Sources) -> Vec<(&'s str, Span)> {
    let words = script.stmts.iter().filter_map(|stmt| {
        let StmtKind::Promotion(words) = &stmt.kind else { return None };
        Some(words)
    });
    let quoted = |span: Span| sources.text(span).starts_with(['"', '\'']);
    words.flatten().filter(|it| quoted(it.word.span)).map(|it| (it.word.text.as_str(), it.word.span)).collect()
}
