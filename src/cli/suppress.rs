//! `arr check --add-suppressions`: comments at the ends of the lines that have findings.

use super::output;
use crate::diagnostic::Outcome;
use crate::diagnostic::codes::{ERROR, lints};
use crate::io;
use crate::io::argument::Argument;
use crate::session::{Input, Session};
use crate::source::{Source, Sources};
use crate::syntax::allow;
use crate::syntax::ast::Comment;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A finding that is silenced may bring another to light; more rounds than there are kinds are not needed.
const MAX_ROUNDS: usize = 32;

/// The text of a script with its findings silenced, written where it came from when something changed. If that fails,
/// the error is how the command ends. `session` makes a new session for each look at it.
pub(super) fn add(
    path: &Path,
    name: &str,
    text: String,
    arguments: &[Argument],
    session: impl Fn() -> Session,
) -> Result<String, Outcome> {
    let mut silenced = text.clone();
    for _ in 0..MAX_ROUNDS {
        let mut session = session();
        let input = Input { arguments, folder: path.parent(), whole: true, ..Input::new(name, &silenced) };
        let prepared = session.check(&input);
        let mut lines: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        for diagnostic in prepared.diagnostics.iter().filter(|it| it.code.levels != ERROR) {
            let Some(span) = diagnostic.span().filter(|span| span.source == prepared.script.source) else { continue };
            if diagnostic.code.name != lints::UNUSED_SUPPRESSION.name {
                let line = session.sources.get(span.source).line_of(span.start);
                lines.entry(line).or_default().insert(diagnostic.code.name);
            }
        }
        let next = with(session.sources.get(prepared.script.source), &prepared.script.comments, &lines);
        if next == silenced {
            break;
        }
        silenced = next;
    }
    if silenced != text {
        io::text::write(path, &silenced).map_err(|error| {
            output::diagnostics([&error.diagnostic()], &Sources::new());
            error.outcome()
        })?;
    }
    Ok(silenced)
}

/// A source whose lines silence these findings; all other bytes stay.
fn with(source: &Source, comments: &[Comment], lines: &BTreeMap<usize, BTreeSet<&str>>) -> String {
    let mut text = String::with_capacity(source.text.len());
    let mut copied = 0;
    for (&line, names) in lines {
        let range = source.line_range(line);
        // A comment reaches to the end of its line, so that a line has one at most.
        let next = comments.partition_point(|comment| (comment.span.start as usize) < range.start);
        let starts = comments.get(next).map(|comment| comment.span.start as usize).filter(|start| *start < range.end);
        let (code, old) = source.text[range.clone()].split_at(starts.unwrap_or(range.end) - range.start);
        let silent = |name: &str| {
            let known = allow::names(old).and_then(Result::ok).unwrap_or_default();
            known.into_iter().any(|known| &old[known] == name)
        };
        let names: Vec<&str> = names.iter().copied().filter(|name| !silent(name)).collect();
        text.push_str(&source.text[copied..range.start]);
        text.push_str(if old.is_empty() && !names.is_empty() { code.trim_end() } else { code });
        if names.is_empty() {
            text.push_str(old);
        } else {
            text.push_str(if old.is_empty() { "  " } else { "" });
            text.push_str(&allow::with(old, &names));
        }
        copied = range.end;
    }
    text.push_str(&source.text[copied..]);
    text
}
