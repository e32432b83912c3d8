//! `--compare`: the dtypes of expressions in several systems, side by side.

use super::args::Explain;
use super::formats::{CheckFormat, FormatRow};
use super::{bindings, choose, output, scripts, tree};
use crate::check::Settings;
use crate::check::record::TypedExpr;
use crate::check::setting;
use crate::diagnostic::{Diagnostic, Outcome};
use crate::io::argument::Argument;
use crate::promotion::systems::System;
use crate::promotion::verdict::Mode;
use crate::session::{Input, Preparation, ReadPolicy, Session};
use crate::syntax::ast::{ExprId, ExprKind, Script};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What stands in the place of a dtype where a system refuses an operation, and above it.
const REFUSED: &str = "refused";
const SILENT: &str = "-";

/// The dtype of a whole statement: also a constant has one.
fn whole_text(typed: &TypedExpr) -> String {
    if typed.exact { format!("{}*", typed.dtype) } else { tree::dtype_text(typed) }
}

/// One program as several systems see it.
struct Views {
    systems: Vec<&'static System>,
    views: Vec<(Session, Preparation)>,
}

/// Under what programs are checked, and which files they may read.
type CompareContext<'a> = (&'a Settings, &'a ReadPolicy);

/// What is compared.
struct CompareJob<'a> {
    name: &'a str,
    text: &'a str,
    arguments: &'a [Argument],
    folder: Option<&'a Path>,
    free_names: bool,
}

impl Views {
    /// Checks a program in each system. Mode `all` refuses least, so that dtypes are seen.
    fn of(job: &CompareJob, (settings, reading): CompareContext, systems: &[&'static System]) -> Views {
        let view = |system: &&'static System| {
            let mut settings = Settings { system, mode: Mode::All, ..settings.clone() };
            settings.fixed.add(&setting::SYSTEM);
            settings.fixed.add(&setting::MODE);
            if !system.widths.is_option {
                settings.width = None;
            }
            let mut session = Session { settings, reading: reading.clone(), ..Session::default() };
            let input = Input {
                arguments: job.arguments,
                folder: job.folder,
                free_names: job.free_names,
                ..Input::new(job.name, job.text)
            };
            let prepared = session.check(&input);
            (session, prepared)
        };
        Views { systems: systems.to_vec(), views: systems.iter().map(view).collect() }
    }

    fn script(&self) -> &Script {
        &self.views[0].1.script
    }

    fn session(&self) -> &Session {
        &self.views[0].0
    }

    /// The dtype of an expression in each system; a whole statement has a dtype also when it is a constant.
    fn dtypes(&self, id: ExprId, whole: bool) -> Vec<String> {
        let script = self.script();
        let of_array = if whole { whole_text } else { tree::dtype_text };
        let dtype = |(_, prepared): &(Session, Preparation)| {
            let record = &prepared.checked.record;
            match record.value(id) {
                Some(value) => tree::value_text(&value, of_array),
                None => {
                    let parts = tree::parts(script, id).into_iter().map(|part| tree::inside(script, part));
                    let fails = |part: ExprId| self.typed(part) && record.value(part).is_none();
                    if parts.into_iter().any(fails) { SILENT.to_owned() } else { REFUSED.to_owned() }
                }
            }
        };
        self.views.iter().map(dtype).collect()
    }

    /// Whether some system gives it a type.
    fn typed(&self, id: ExprId) -> bool {
        self.views.iter().any(|(_, prepared)| prepared.checked.record.value(id).is_some())
            || tree::operates(self.script(), id)
    }

    /// Expressions whose dtype is not the same everywhere, in source order, wholes before their parts.
    fn differences(&self) -> Vec<(ExprId, Vec<String>)> {
        let script = self.script();
        let roots: Vec<ExprId> = tree::roots(script).map(|root| tree::inside(script, root)).collect();
        let all = (0..script.exprs.len() as u32).map(ExprId);
        let compared = all.filter(|&id| {
            // A name differs because what it is bound to does.
            let named = matches!(script.expr(id).kind, ExprKind::Name(_) | ExprKind::Paren(_));
            !named && self.typed(id)
        });
        let mut found: Vec<(ExprId, Vec<String>)> = compared
            .map(|id| (id, self.dtypes(id, roots.contains(&id))))
            .filter(|(_, dtypes)| dtypes.iter().any(|dtype| *dtype != dtypes[0]))
            .collect();
        let place = |id: ExprId| script.expr(id).span;
        found.sort_by_key(|&(id, _)| (place(id).start, std::cmp::Reverse(place(id).end)));
        found
    }

    /// The errors of each system that are not errors in all of them.
    fn refusals(&self) -> impl Iterator<Item = (&'static System, &Diagnostic)> {
        let has = |prepared: &Preparation, it: &Diagnostic| {
            prepared.diagnostics.iter().any(|other| other.code.id == it.code.id && other.span() == it.span())
        };
        let own = move |it: &&Diagnostic| it.is_error() && !self.views.iter().all(|(_, prepared)| has(prepared, it));
        let pairs = self.systems.iter().zip(&self.views);
        pairs.flat_map(move |(system, (_, prepared))| {
            prepared.diagnostics.iter().filter(own).map(move |diagnostic| (*system, diagnostic))
        })
    }

    /// What is wrong in every system is no matter of dtypes: it is reported, and the answer is how the command ends.
    fn wrong_everywhere(&self) -> Outcome {
        let outcome = self.views.iter().map(|(_, prepared)| prepared.outcome).min().unwrap_or(Outcome::Done);
        let (session, prepared) = &self.views[0];
        if !outcome.is_done() {
            output::diagnostics(prepared.diagnostics.iter().filter(|it| it.is_error()), &session.sources);
        }
        outcome
    }

    /// Whether there is anything to compare.
    fn is_empty(&self) -> bool {
        self.views.iter().all(|(_, prepared)| prepared.checked.record.is_empty())
    }

    fn place(&self, id: ExprId) -> (usize, usize) {
        let span = self.script().expr(id).span;
        self.session().sources.line_column(span.source, span.start)
    }

    fn by_system(&self, dtypes: &[String]) -> Map<String, Value> {
        self.systems.iter().zip(dtypes).map(|(system, dtype)| (system.name.to_owned(), json!(dtype))).collect()
    }

    fn json(&self, id: ExprId, dtypes: &[String], file: &str) -> Value {
        let span = self.script().expr(id).span;
        let (line, column) = self.place(id);
        json!({
            "file": file,
            "line": line,
            "column": column,
            "span": { "start": span.start, "end": span.end },
            "text": self.session().sources.text(span),
            "dtypes": self.by_system(dtypes),
        })
    }

    fn refusals_json(&self, file: &str) -> Vec<Value> {
        self.refusals()
            .map(|(system, diagnostic)| {
                json!({ "file": file, "system": system.name, "code": diagnostic.code.id, "message": diagnostic.message })
            })
            .collect()
    }

    /// Lines of cells under the names of the systems, then why some refuse.
    fn lines(&self, first: &str, rows: &[(String, Vec<String>)]) -> String {
        let head = self.systems.iter().map(|system| system.name.to_owned()).collect();
        let header = (first.to_owned(), head);
        let all: Vec<&(String, Vec<String>)> = std::iter::once(&header).chain(rows).collect();
        let width = all.iter().map(|row| row.0.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.systems.len())
            .map(|at| all.iter().map(|row| row.1[at].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for (part, dtypes) in all {
            let cells: Vec<String> =
                dtypes.iter().zip(&widths).map(|(dtype, &width)| tree::pad(dtype, width)).collect();
            let line = format!("{}   {}", tree::pad(part, width), cells.join("  "));
            let _ = writeln!(text, "{}", line.trim_end());
        }
        for system in &self.systems {
            let reasons: Vec<&Diagnostic> =
                self.refusals().filter(|(own, _)| own.name == system.name).map(|(_, diagnostic)| diagnostic).collect();
            let more = match reasons.len() {
                0 => continue,
                1 => String::new(),
                count => format!(" (and {} more)", count - 1),
            };
            let _ = writeln!(text, "{}: {}{more}", system.name, reasons[0].message);
        }
        text
    }
}

/// `arr check --compare SYSTEM,… FILE…`
pub(super) fn scripts(
    texts: &[(&PathBuf, String)],
    arguments: &[Argument],
    context: CompareContext,
    systems: &[&'static System],
    format: CheckFormat,
) -> Outcome {
    let (mut text, mut outcome) = (String::new(), Outcome::Done);
    let (mut differences, mut refusals) = (Vec::new(), Vec::new());
    for (path, script) in texts {
        let name = scripts::display_name(path);
        let job = CompareJob { name: &name, text: script, arguments, folder: path.parent(), free_names: false };
        let views = Views::of(&job, context, systems);
        let wrong = views.wrong_everywhere();
        outcome = outcome.max(wrong);
        if !wrong.is_done() && views.is_empty() {
            continue;
        }
        let found = views.differences();
        match format {
            CheckFormat::Json => {
                differences.extend(found.iter().map(|(id, dtypes)| views.json(*id, dtypes, &name)));
                refusals.extend(views.refusals_json(&name));
            }
            CheckFormat::Concise => {
                for (id, dtypes) in &found {
                    let (line, column) = views.place(*id);
                    let each = systems.iter().zip(dtypes).map(|(system, dtype)| format!("{} {dtype}", system.name));
                    let part = tree::text(views.script(), &views.session().sources, *id);
                    let _ = writeln!(text, "{name}:{line}:{column}: {part}: {}", each.collect::<Vec<_>>().join(", "));
                }
            }
            // A script with errors may have expressions whose dtype is unknown.
            _ if found.is_empty() && !wrong.is_done() => {}
            // The caller lets no other format through.
            _ if found.is_empty() => {
                let _ = writeln!(text, "{name}: every expression has the same dtype in each system");
            }
            CheckFormat::Text | CheckFormat::Github | CheckFormat::Sarif => {
                let rows = found.into_iter().map(|(id, dtypes)| {
                    let (line, column) = views.place(id);
                    let part = tree::text(views.script(), &views.session().sources, id);
                    (format!("{:<7}{part}", format!("{line}:{column}")), dtypes)
                });
                text += &views.lines(&name, &rows.collect::<Vec<_>>());
            }
        }
    }
    if format == CheckFormat::Json {
        let names: Vec<&str> = systems.iter().map(|system| system.name).collect();
        let all = json!({ "version": 1, "systems": names, "differences": differences, "refusals": refusals });
        text = format!("{all:#}\n");
    }
    if text.is_empty() { outcome } else { output::print(&text).max(outcome) }
}

/// `arr explain 'EXPR' --compare SYSTEM,…`
pub(super) fn expression(command: &Explain) -> Outcome {
    let chosen = choose::systems(&command.compare)
        .and_then(|systems| Ok((systems, bindings::with_operands(&command.inputs, &command.name)?)));
    let (systems, arguments) = match chosen {
        Ok(chosen) => chosen,
        Err(outcome) => return outcome,
    };
    let job =
        CompareJob { name: "<explain>", text: &command.name, arguments: &arguments, folder: None, free_names: true };
    let mut settings = Settings::default();
    if let Some(width) = &command.width
        && let Err(message) = setting::WIDTH.set(&mut settings, width)
    {
        return output::usage(&message);
    }
    let views = Views::of(&job, (&settings, &ReadPolicy::default()), &systems);
    let outcome = views.wrong_everywhere();
    if !outcome.is_done() && views.is_empty() {
        return outcome;
    }
    let script = views.script();
    let mut rows = Vec::new();
    for root in tree::roots(script) {
        rows.extend(tree::rows(script, root, |id| views.typed(id)));
    }
    let dtypes = |row: &tree::TreeRow| views.dtypes(row.id, row.depth == 0);
    let text = match command.format {
        FormatRow::Text => {
            let cells = rows.iter().map(|row| {
                (format!("{}{}", row.branch, tree::text(script, &views.session().sources, row.id)), dtypes(row))
            });
            views.lines("", &cells.collect::<Vec<_>>())
        }
        FormatRow::Json => {
            let parts: Vec<Value> = rows.iter().map(|row| views.json(row.id, &dtypes(row), "<explain>")).collect();
            let names: Vec<&str> = systems.iter().map(|system| system.name).collect();
            let refusals = views.refusals_json("<explain>");
            output::json_text(&json!({ "version": 1, "systems": names, "parts": parts, "refusals": refusals }))
        }
    };
    output::print(&text).max(outcome)
}
