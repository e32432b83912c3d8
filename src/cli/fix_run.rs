//! Fixes of many files, for `--fix` or `--diff`. They are written, and the end tells of all of them.

use super::output::{self, report_refusal};
use super::scripts::display_name;
use super::{diff, fix, statistics};
use crate::diagnostic::fix::Fixes;
use crate::diagnostic::{Diagnostics, Outcome};
use crate::io;
use std::path::Path;

/// What `--fix` has done so far.
#[derive(Default)]
pub(super) struct FixRun {
    /// Whether fixes that may change values are carried out too.
    pub(super) all: bool,
    /// Whether changes are shown and not made.
    pub(super) diff: bool,
    pub(super) fixed: usize,
    pub(super) files: usize,
    /// Whether a new text could not be written.
    pub(super) unwritten: bool,
}

impl FixRun {
    /// Fixes one script where it stands, or on standard output, or shows how. Returns its new text.
    pub(super) fn fix(&mut self, path: &Path, job: &fix::FixJob) -> Result<String, Outcome> {
        let fixed = fix::apply_all(job);
        let changed = fixed.text != job.text;
        let outcome = match (self.diff, path.as_os_str() == "-") {
            (true, _) => output::script(&diff::unified_diff(job.name, job.text, &fixed.text)),
            (false, true) => output::script(&fixed.text),
            (false, false) if changed => replace(path, job.text, &fixed.text),
            (false, false) => Outcome::Done,
        };
        if !outcome.is_done() {
            self.unwritten = true;
            return Err(outcome);
        }
        self.fixed += fixed.count;
        self.files += usize::from(changed);
        Ok(fixed.text)
    }

    /// Writes one line: `fixed 3 in 2 files, 1 remains`.
    pub(super) fn report(&self, remaining: &Diagnostics) {
        let verb = if self.diff { "would fix" } else { "fixed" };
        let files = match self.files {
            0 => String::new(),
            1 => " in 1 file".to_owned(),
            files => format!(" in {files} files"),
        };
        let remain = if remaining.len() == 1 { "remains" } else { "remain" };
        let count = |which| remaining.iter().filter(|it| statistics::has_fix(it, which)).count();
        let wanted = if self.all { Fixes::All } else { Fixes::KeepingValues };
        let unwritten = if self.unwritten { count(wanted) } else { 0 };
        let unsafely = if self.all { 0 } else { count(Fixes::All) - unwritten };
        let fixes = [(unwritten, "was not written"), (unsafely, "may change values: --unsafe-fixes")];
        let fixes = fixes.into_iter().filter(|&(count, _)| count > 0);
        let told: Vec<String> = fixes.map(|(count, what)| format!("{count} with a fix that {what}")).collect();
        let more = if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) };
        output::report(&format!("{verb} {}{files}, {} {remain}{more}", self.fixed, remaining.len()));
    }
}

/// Writes a script anew, unless somebody else did so in the meantime.
pub(super) fn replace(path: &Path, old: &str, new: &str) -> Outcome {
    match io::text::read(path) {
        Ok(bytes) if bytes == old.as_bytes() => {}
        Ok(_) => {
            output::report(&format!("{} was changed in the meantime; it stays as it is", display_name(path)));
            return Outcome::Unreachable;
        }
        Err(error) => return report_refusal(&error),
    }
    io::text::write(path, new).map_or_else(|error| report_refusal(&error), |()| Outcome::Done)
}
