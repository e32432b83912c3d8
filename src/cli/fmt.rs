//! `arr fmt`: scripts as they should be written.

use super::args::Fmt;
use super::scripts::{self, collect, display_name};
use super::{diff, fix_run, output};
use crate::diagnostic::{Diagnostics, Outcome};
use crate::ops::{self, elsewhere};
use crate::source::Sources;
use crate::syntax;
use crate::syntax::format::{Spellings, format};
use crate::types::DType;
use std::path::Path;

/// `arr fmt FILE…`
pub(super) fn files(command: &Fmt) -> Outcome {
    let scripts = match collect(&command.files) {
        Ok(scripts) => scripts,
        Err(outcome) => return outcome,
    };
    if scripts.is_empty() {
        return output::usage("there is no script to format");
    }
    let (mut outcome, mut changed) = (Outcome::Done, 0);
    for path in &scripts {
        match one(path, command) {
            Ok(true) => changed += 1,
            Ok(false) => {}
            Err(failed) => outcome = outcome.max(failed),
        }
    }
    let only_shown = command.check || command.diff;
    if only_shown || changed > 0 && scripts.iter().all(|path| path.as_os_str() != "-") {
        report(changed, scripts.len(), only_shown);
    }
    if only_shown && changed > 0 { outcome.max(Outcome::Refused) } else { outcome }
}

/// Formats one script. Returns whether that changes the script.
fn one(path: &Path, command: &Fmt) -> Result<bool, Outcome> {
    let name = display_name(path);
    let text = scripts::read_script(path, &name)?;
    let Some(formatted) = format(&text, &words()) else { return Err(refused(&name, &text)) };
    let changed = formatted != text;
    let outcome = match (command, path.as_os_str() == "-") {
        (Fmt { check: true, .. }, _) if changed => output::print(&format!("{name}\n")),
        (Fmt { check: true, .. }, _) => Outcome::Done,
        (Fmt { diff: true, .. }, _) => output::script(&diff::unified_diff(&name, &text, &formatted)),
        (_, true) => output::script(&formatted),
        (_, false) if changed => fix_run::replace(path, &text, &formatted),
        (_, false) => Outcome::Done,
    };
    if outcome.is_done() { Ok(changed) } else { Err(outcome) }
}

fn words() -> Spellings<'static> {
    Spellings {
        short: &|name| {
            DType::ALL.into_iter().map(DType::row).find(|row| row.long == name && row.name != name).map(|row| row.name)
        },
        function: &|name| ops::find(name).map(|op| op.name),
        qualified: &elsewhere::modules::ours,
        keyword: &elsewhere::keyword_of,
        spoken: &|name, keyword| elsewhere::spoken(name, keyword).is_some(),
        ordered: &|path, name, given| {
            elsewhere::positional::order(path, name).is_some_and(|order| given > order.agreeing())
        },
    }
}

/// Shows why a script cannot be formatted.
fn refused(name: &str, text: &str) -> Outcome {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let id = sources.add(name, text);
    syntax::parse(&sources, id, &mut found);
    output::diagnostics(found.iter().filter(|it| it.is_error()), &sources);
    if !found.has_errors() {
        output::report(&format!("{name} would not mean the same; this is a bug in arr, and the file stays as it is"));
        return Outcome::Broken;
    }
    Outcome::Refused
}

/// One line: `formatted 2 of 5 files`.
fn report(changed: usize, all: usize, only_shown: bool) {
    let files = if all == 1 { "file" } else { "files" };
    let verb = if only_shown { "would format" } else { "formatted" };
    output::report(&format!("{verb} {changed} of {all} {files}"));
}
