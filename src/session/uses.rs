//! The files that `use` statements name. They are read, parsed once each, and put in order before anything is checked.

use super::bound_inputs::BoundInputs;
use crate::check::library::UsedFiles;
use crate::diagnostic::codes::{names, running};
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::io::{self, IoError, Roots};
use crate::source::{SourceId, Sources, Span};
use crate::syntax;
use crate::syntax::ast::{Script, StmtKind};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file with the statements by which it uses others.
struct UsingFile {
    script: Arc<Script>,
    /// The statement that named it first.
    used: Span,
    roots: Roots,
    /// Where each file that it uses is in the list, and by which statement.
    uses: Vec<(usize, Span)>,
}

/// Reads the files that a script uses, those that they use, and so on.
pub(super) fn read(
    script: &Arc<Script>,
    roots: &Roots,
    sources: &mut Sources,
    given: &mut BoundInputs,
    sink: &mut Diagnostics,
) -> (UsedFiles, Vec<(Arc<Script>, Roots)>) {
    let mut library = UsedFiles::default();
    let mut files =
        vec![UsingFile { script: script.clone(), used: Span::default(), roots: roots.clone(), uses: Vec::new() }];
    let mut known: HashMap<PathBuf, Option<usize>> = HashMap::new();
    let mut next = 0;
    while next < files.len() {
        let (script, roots) = (files[next].script.clone(), files[next].roots.clone());
        for (path, span) in uses(&script) {
            let whole = roots.whole(Path::new(path));
            let real = whole.canonicalize().unwrap_or(whole);
            let at = match known.get(&real) {
                Some(&at) => at,
                None => {
                    let found = parsed(path, &real, &roots, span, sources, given, sink);
                    let at = found.map(|file| {
                        files.push(file);
                        files.len() - 1
                    });
                    known.insert(real, at);
                    at
                }
            };
            let found = at.map(|at| files[at].script.clone());
            library.named.insert((script.source, path.to_owned()), found);
            files[next].uses.extend(at.map(|at| (at, span)));
        }
        next += 1;
    }
    in_order(&files, sources, &mut library, given, sink);
    (library, files.into_iter().skip(1).map(|file| (file.script, file.roots)).collect())
}

/// The paths that a script uses.
fn uses(script: &Script) -> impl Iterator<Item = (&str, Span)> {
    script.stmts.iter().filter_map(|stmt| {
        let StmtKind::Use { path, path_span } = &stmt.kind else { return None };
        Some((path.as_str(), *path_span))
    })
}

fn parsed(
    path: &str,
    real: &Path,
    roots: &Roots,
    span: Span,
    sources: &mut Sources,
    given: &mut BoundInputs,
    sink: &mut Diagnostics,
) -> Option<UsingFile> {
    let name = io::error::printable_path(&roots.whole(Path::new(path)));
    given.named.push(real.to_path_buf());
    let bytes = match io::text::read_below(Path::new(path), roots) {
        Ok(bytes) => bytes,
        Err(error) => {
            given.refuse(&error, span, sink);
            return None;
        }
    };
    // What is wrong with a script is shown, line by line: it must be one, wherever links lead.
    let is_script = |path: &Path| path.extension().is_some_and(|extension| extension == "arr");
    if !is_script(Path::new(path)) || !is_script(real) {
        let error = IoError::data(&running::UNKNOWN_FORMAT, Path::new(path), "is no script: its name does not say so");
        given.refuse(&error.help("scripts that others use end in `.arr`, also where links lead"), span, sink);
        return None;
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            sink.push(syntax::report::invalid_utf8(&name, "script", at).label(span, "used here"));
            given.outcome = given.outcome.max(Outcome::Refused);
            return None;
        }
    };
    let source = sources.add(name, text);
    let mut found = Diagnostics::new();
    let script = syntax::parse(sources, source, &mut found);
    found.sort();
    for diagnostic in &found {
        sink.push(diagnostic.clone().label(span, "used here"));
    }
    let roots = roots.from_folder(real.parent().unwrap_or(Path::new("")));
    Some(UsingFile { script, used: span, roots, uses: Vec::new() })
}

/// Lists every file after those that it uses; reports files that use each other.
fn in_order(
    files: &[UsingFile],
    sources: &Sources,
    library: &mut UsedFiles,
    given: &mut BoundInputs,
    sink: &mut Diagnostics,
) {
    let mut done: HashSet<usize> = HashSet::new();
    // The files on the way, each with the number of the next one that it uses.
    let mut path: Vec<(usize, usize)> = vec![(0, 0)];
    while let Some(&mut (file, ref mut next)) = path.last_mut() {
        let Some(&(to, _)) = files[file].uses.get(*next) else {
            path.pop();
            if done.insert(file) && file != 0 {
                library.files.push((files[file].script.clone(), files[file].used));
            }
            continue;
        };
        *next += 1;
        if let Some(from) = path.iter().position(|&(file, _)| file == to) {
            let cycle: Vec<(SourceId, Span)> = path[from..]
                .iter()
                .map(|&(file, next)| (files[file].script.source, files[file].uses[next - 1].1))
                .collect();
            sink.push(cycle_of_files(&cycle, sources));
            given.outcome = given.outcome.max(Outcome::Refused);
        } else if !done.contains(&to) {
            path.push((to, 0));
        }
    }
}

/// Files that use each other: each with the statement that names the next.
fn cycle_of_files(cycle: &[(SourceId, Span)], sources: &Sources) -> Diagnostic {
    let mut shown: Vec<&str> = cycle.iter().map(|(source, _)| sources.get(*source).name.as_str()).collect();
    shown.push(shown[0]);
    let message = format!("`{}` uses itself: {}", shown[0], shown.join(" → "));
    let mut diagnostic = Diagnostic::error(&names::FILE_CYCLE, cycle[0].1, message);
    for (index, (_, span)) in cycle.iter().enumerate().take(8) {
        diagnostic = diagnostic.label(*span, format!("uses `{}`", shown[index + 1]));
    }
    diagnostic.help("move what both need into a file of its own")
}
