//! A user's own promotion system: a file of edges, read and checked before anything uses it.
//!
//! What is wrong with it is a diagnostic at its place in that file, beside those of the program.

use crate::diagnostic::codes::running;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::io;
use crate::promotion::systems::System;
use crate::promotion::user;
use crate::source::{Sources, Span};
use crate::syntax::ast::{Script, StmtKind};
use std::path::Path;

/// Reads the system that a file describes.
///
/// # Errors
/// The exit code, when the file cannot be read or is no lattice; why is in the sink.
pub fn load_system(path: &Path, sources: &mut Sources, sink: &mut Diagnostics) -> Result<&'static System, u8> {
    let (source, text) = super::text::source(path, io::error::shown(path), sources, sink)?;
    match user::from_toml(&text) {
        // It lasts as long as the program, as every other system does; there is one for each file that is named.
        Ok(system) => Ok(Box::leak(Box::new(system))),
        Err(problems) => {
            for problem in problems {
                let span = Span::new(source, problem.span.start, problem.span.end);
                let diagnostic = Diagnostic::error(&running::BAD_SYSTEM_FILE, span, problem.message);
                sink.push(match problem.help {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic,
                });
            }
            Err(1)
        }
    }
}

/// The paths of systems that the `promotion` lines of a script name, as they are written between quotes.
pub(super) fn named_files<'s>(script: &'s Script, sources: &Sources) -> Vec<&'s str> {
    let words = script.stmts.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Promotion(words) => Some(words),
        _ => None,
    });
    let quoted = |span: Span| sources.text(span).starts_with(['"', '\'']);
    words.flatten().filter(|it| quoted(it.word.span)).map(|it| it.word.text.as_str()).collect()
}
