//! The findings of `arr check`, in the formats or places that were asked for.

use super::formats::CheckFormat;
use super::target::{ReportTarget, counts};
use super::{output, statistics};
use crate::diagnostic::render::{self, Style};
use crate::diagnostic::{Diagnostics, Outcome, github, machine, sarif, visible};
use crate::io;
use crate::source::Sources;
use std::path::Path;

/// Why the targets do not go together, in words.
pub(super) fn conflict(targets: &[ReportTarget], counted: bool) -> Option<String> {
    if targets.iter().filter(|target| target.prints()).count() > 1 {
        return Some(
            "only one format goes to standard output; give the others a file: `--format sarif=FILE`".to_owned(),
        );
    }
    (counted && !targets.iter().all(|target| counts(target.format)))
        .then(|| "`--statistics` is written as text, concise or json".to_owned())
}

/// The files of the targets, each where it can be written.
pub(super) struct ReportFiles(Vec<Option<io::write::Target>>);

impl ReportFiles {
    /// Tries every file. If one cannot be written, that is told, and the error is how the command ends.
    pub(super) fn prepare(targets: &[ReportTarget]) -> Result<ReportFiles, Outcome> {
        let prepared = targets.iter().map(|target| target.file.as_deref().map(io::write::prepare_text).transpose());
        prepared.collect::<Result<_, _>>().map(ReportFiles).map_err(|error| output::report_refusal(&error))
    }

    /// Checks that each file is no other of them, and none among `kept`. If one is, that is told, and the error is how
    /// the command ends.
    pub(super) fn clash<'p>(&self, kept: impl IntoIterator<Item = &'p Path>) -> Result<(), Outcome> {
        let files: Vec<&io::write::Target> = self.0.iter().flatten().collect();
        io::write::clash(&files, kept).map_or(Ok(()), |message| Err(output::usage(&message)))
    }
}

/// Writes everything; answers how the command ended, `outcome` when nothing goes wrong. Text is for standard
/// output, unless that is `taken`.
pub(super) fn write(
    found: &Diagnostics,
    sources: &Sources,
    (targets, files): (&[ReportTarget], &ReportFiles),
    counted: bool,
    taken: bool,
    outcome: Outcome,
) -> Outcome {
    let mut worst = outcome;
    let taken = taken || targets.iter().any(ReportTarget::prints);
    for (target, file) in targets.iter().zip(&files.0) {
        if target.file.is_none() && target.format == CheckFormat::Text && !counted {
            worst = worst.max(draw(found, sources, taken, outcome));
            continue;
        }
        let text = match (counted, target.format) {
            (true, CheckFormat::Json) => statistics::json(found),
            (true, _) => statistics::text(found),
            (false, format) => formatted(found, sources, format, outcome),
        };
        worst = worst.max(match file {
            None => output::print(&text),
            Some(file) => {
                io::text::commit(file, &text).map_or_else(|error| output::report_refusal(&error), |()| Outcome::Done)
            }
        });
    }
    worst
}

/// For people. That nothing was found is worth a line to those who watch.
fn draw(found: &Diagnostics, sources: &Sources, taken: bool, outcome: Outcome) -> Outcome {
    if found.is_empty() {
        let watched = !taken && outcome.is_done() && output::is_watched();
        return if watched { output::print("All checks passed\n") } else { Outcome::Done };
    }
    let summary = render::summary(found.error_count(), found.len() - found.error_count());
    if taken {
        output::diagnostics(found, sources);
        output::report(&summary);
        return Outcome::Done;
    }
    let mut text = output::drawn(found, sources);
    text.push(&format!("{summary}\n"));
    output::show(&text).outcome()
}

fn formatted(found: &Diagnostics, sources: &Sources, format: CheckFormat, outcome: Outcome) -> String {
    match format {
        CheckFormat::Text => render::render_to_string(found, sources, &Style { color: false, width: 0 }),
        CheckFormat::Concise => {
            let mut text = Vec::new();
            let _ = render::concise(found, sources, &mut text);
            String::from_utf8_lossy(&text).into_owned()
        }
        CheckFormat::Json => output::json_text(&machine::json(found, sources)),
        CheckFormat::Github => github::commands(found, sources),
        CheckFormat::Sarif => {
            let folder = std::env::current_dir().unwrap_or_default();
            let root = io::error::printable_path(&folder);
            visible::json(&format!(
                "{}\n",
                sarif::log(found, sources, &sarif::Invocation { root: &root, exit: super::status(outcome) })
            ))
            .into_owned()
        }
    }
}
