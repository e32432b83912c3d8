//! `arr explain 'EXPR'`: the dtype of every part of an expression. It shows how operands met, where the dtype first
//! widened or lost, and the smallest edit that avoids that.

use super::args::Explain;
use super::formats::FormatRow;
use super::rules::{Rules, SettingOptions};
use super::{bindings, output, promote, tree};
use crate::check::Settings;
use crate::check::record::{OperandMeeting, TypedExpr, TypedValue};
use crate::check::setting;
use crate::diagnostic::codes::{Row, dtypes, lints};
use crate::diagnostic::{Diagnostic, Edit, Fix, Help, Level, Outcome, wrap};
use crate::io::argument::Argument;
use crate::promotion::explain::{self, ConversionReport, SystemAnswer, Verdict};
use crate::promotion::verdict::Mode;
use crate::session::{Input, Preparation, Session};
use crate::syntax::ast::{ExprId, ExprKind};
use crate::types::DType;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt::Write;

/// A remark beside an expression is cut into lines if at least this many columns are left for it.
const MIN_REMARK: usize = 24;

/// `arr explain 'x * y' x:f32 y:i64`
pub(super) fn expression(command: &Explain) -> Outcome {
    let set =
        SettingOptions::of(&[(&setting::SYSTEM, command.system.clone()), (&setting::WIDTH, command.width.clone())]);
    let rules = Rules { set, ..Rules::default() };
    let prepared = rules
        .context(None, None)
        .and_then(|context| Ok((context.settings, bindings::with_operands(&command.inputs, &command.name)?)));
    let (settings, arguments) = match prepared {
        Ok(prepared) => prepared,
        Err(code) => return code,
    };
    let session = Session { settings, ..Session::default() };
    let why = CheckedExpr::new(session, &arguments, "<explain>", command.name.as_str());
    if !why.prepared.outcome.is_done() {
        output::diagnostics(why.prepared.diagnostics.iter().filter(|it| it.is_error()), &why.session.sources);
    }
    if why.prepared.checked.record.is_empty() {
        let is_empty = why.prepared.outcome.is_done();
        return if is_empty { output::usage("there is no expression to explain") } else { why.prepared.outcome };
    }
    let text = match command.format {
        FormatRow::Text => why.text(),
        FormatRow::Json => output::json_text(&why.json()),
    };
    output::print(&text).max(why.prepared.outcome)
}

/// A checked expression.
pub(super) struct CheckedExpr<'a> {
    pub(super) session: Session,
    pub(super) prepared: Preparation,
    arguments: &'a [Argument],
    name: &'a str,
    written: Cow<'a, str>,
}

/// What a promotion of operands loses, of which a check tells the worst.
static LOSSES: [&Row; 3] = [&dtypes::KIND_CHANGE, &dtypes::RANGE_LOSS, &dtypes::PRECISION_LOSS];

/// How many names behind names are followed.
const MAX_FOLLOWED_NAMES: usize = 4;

/// A step that costs something, with the diagnostic that says so and offers an edit.
struct CostlyStep<'w> {
    answer: SystemAnswer,
    step: OperandMeeting,
    diagnostic: Option<&'w Diagnostic>,
}

impl<'a> CheckedExpr<'a> {
    /// What a session would make of a text. Every loss is reported and nothing is refused, so that the tree is whole.
    pub(super) fn new(
        mut session: Session,
        arguments: &'a [Argument],
        name: &'a str,
        written: impl Into<Cow<'a, str>>,
    ) -> CheckedExpr<'a> {
        let written = written.into();
        session.settings.mode = Mode::All;
        session.settings.fixed.add(&setting::MODE);
        for row in LOSSES.into_iter().chain([&dtypes::WIDENING, &dtypes::INEXACT_CONVERSION]) {
            session.settings.levels.set(row, Level::Warn);
        }
        // What wraps has the dtype that it has: it is told only where nothing else is.
        session.settings.levels.set(&dtypes::INTEGER_OVERFLOW, Level::Warn);
        session.settings.levels.set(&lints::DIVISION_BY_ZERO, Level::Allow);
        let input = Input { arguments, free_names: true, ..Input::new(name, &written) };
        let prepared = session.check(&input);
        CheckedExpr { session, prepared, arguments, name, written }
    }

    fn settings(&self) -> &Settings {
        &self.prepared.checked.settings
    }

    fn typed(&self, id: ExprId) -> Option<TypedExpr> {
        self.prepared.checked.record.of(id)
    }

    fn value(&self, id: ExprId) -> Option<TypedValue> {
        self.prepared.checked.record.value(id)
    }

    fn kept(&self, id: ExprId) -> bool {
        self.value(id).is_some() || tree::operates(&self.prepared.script, id)
    }

    fn answer(&self, step: &OperandMeeting) -> SystemAnswer {
        let settings = self.settings();
        let operands: Vec<_> = step.operands.iter().map(|part| part.operand()).collect();
        // The check knows ranges. It tells one loss of each step that has any; in other scripts it need not.
        let is_own = step.at.source == self.prepared.script.source;
        let is_told = |names: &[&str]| {
            let mut found = self.prepared.diagnostics.iter().filter(|it| it.span() == Some(step.at));
            found.any(|it| names.contains(&it.code.name))
        };
        let losses = LOSSES.map(|row| row.name);
        let loses = !is_own || is_told(&losses);
        let own = [dtypes::WIDENING.name, explain::INEXACT.name];
        let is_inexact = loses || !settings.system.checks.inexact || is_told(&own);
        let may = |name: &str| match losses.contains(&name) {
            true => loses,
            false => name != explain::INEXACT.name || is_inexact,
        };
        let harden = |elem| settings.harden(elem);
        let mut answer = explain::promote_where(settings.system, step.operation, &operands, &harden, &may);
        for found in self.prepared.diagnostics.iter().filter(|it| self.is_about_weak(it, step)) {
            answer.add(promote::finding_of(found.code), &found.message);
        }
        answer
    }

    /// The steps of one expression; the comparisons of a chain are several.
    fn steps(&self, id: ExprId) -> Vec<OperandMeeting> {
        let places = tree::places(&self.prepared.script, id);
        let record = &self.prepared.checked.record;
        places.iter().filter_map(|&at| record.at(at, &self.session.sources)).collect()
    }

    fn all_steps(&self) -> impl Iterator<Item = OperandMeeting> + '_ {
        self.prepared.checked.record.steps(&self.session.sources)
    }

    /// The first step, in the order of computation, that widened, lost, or is warned about.
    fn first(&self) -> Option<CostlyStep<'_>> {
        self.all_steps().find_map(|step| {
            let told = |it: &&Diagnostic| {
                let is_own = it.span() == Some(step.at) && it.code.id != dtypes::INTEGER_OVERFLOW.id;
                is_own || self.is_about_literal(it, &step) || self.is_about_weak(it, &step)
            };
            let diagnostic = self.prepared.diagnostics.iter().find(told);
            let answer = self.answer(&step);
            let costs = answer.findings.iter().any(|finding| finding.name != dtypes::IMPLICIT_PROMOTION.name);
            (costs || diagnostic.is_some()).then_some(CostlyStep { answer, step, diagnostic })
        })
    }

    /// Whether a finding is about a literal among the operands of a step.
    fn is_about_literal(&self, found: &Diagnostic, step: &OperandMeeting) -> bool {
        let script = &self.prepared.script;
        let stands_at = |id: ExprId| found.span() == Some(script.expr(tree::inside(script, id)).span);
        promote::ABOUT_LITERALS.iter().any(|row| row.id == found.code.id)
            && self.place(step).is_some_and(|id| stands_at(id) || tree::parts(script, id).into_iter().any(stands_at))
    }

    /// Whether a finding is about a computed weak value among the operands of a step.
    fn is_about_weak(&self, found: &Diagnostic, step: &OperandMeeting) -> bool {
        let script = &self.prepared.script;
        let stands_at = |id: ExprId| found.span() == Some(script.expr(tree::inside(script, id)).span);
        found.code.id == dtypes::WEAK_NARROWING.id
            && self.place(step).is_some_and(|id| tree::parts(script, id).into_iter().any(stands_at))
    }

    fn type_text(&self, id: ExprId) -> String {
        self.value(id).map_or_else(|| "error".to_owned(), |value| tree::value_text(&value, tree::type_text))
    }

    /// The tree and what it costs, for people. A name is followed to the operation that decided its dtype, also where
    /// that is in an earlier input.
    pub(super) fn text(&self) -> String {
        output::wrap_for_terminal(&self.told(MAX_FOLLOWED_NAMES))
    }

    fn told(&self, depth: usize) -> String {
        let trees = self.trees();
        let behind = if depth > 0 && self.first().is_none() { self.behind() } else { None };
        match behind {
            Some((name, why)) => format!("{trees}{name} comes from this:\n\n{}", why.told(depth - 1)),
            None => trees + &self.verdict(),
        }
    }

    /// The first name that has the dtype of the whole from an operation in an earlier input, and that operation.
    fn behind(&self) -> Option<(String, CheckedExpr<'_>)> {
        let script = &self.prepared.script;
        let root = self.typed(tree::inside(script, tree::roots(script).last()?))?;
        let names = self.prepared.checked.record.types().filter(|typed| {
            matches!(script.exprs.get(typed.id.0 as usize).map(|expr| &expr.kind), Some(ExprKind::Name(_)))
        });
        names.filter(|typed| typed.dtype == root.dtype).find_map(|typed| {
            let origin = typed.origin.filter(|origin| origin.source != script.source)?;
            let name = self.session.sources.text(script.expr(typed.id).span).to_owned();
            let written = self.session.sources.text(origin);
            let why = CheckedExpr::new(self.session.clone(), self.arguments, self.name, written);
            let last = tree::roots(&why.prepared.script).last()?;
            let last = tree::inside(&why.prepared.script, last);
            let same = why.prepared.outcome.is_done() && why.typed(last).is_some_and(|it| it.dtype == typed.dtype);
            // A name alone is asked about for this; in an expression it is worth a word where it costs something.
            let told = script.exprs.len() == 1 || why.first().is_some();
            (same && told && tree::operates(&why.prepared.script, last)).then_some((name, why))
        })
    }

    fn trees(&self) -> String {
        let (script, sources) = (&self.prepared.script, &self.session.sources);
        let mut text = String::new();
        for root in tree::roots(script) {
            let whole = sources.text(script.expr(root).span);
            let _ = match self.value(root) {
                Some(_) => writeln!(text, "{whole} is {} in {}\n", self.type_text(root), self.settings().system.name),
                None => writeln!(text, "{whole} has no type: something in it is wrong\n"),
            };
            let rows = tree::rows(script, root, |id| self.kept(id));
            let cells: Vec<[String; 3]> = rows
                .iter()
                .map(|row| {
                    let cut = if row.cut { " …" } else { "" };
                    let part = format!("{}{}{cut}", row.branch, tree::text(script, sources, row.id));
                    [part, self.type_text(row.id), self.remark(row.id)]
                })
                .collect();
            let width = |at: usize| cells.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
            for row in &cells {
                let line = format!("  {}   {}   ", tree::pad(&row[0], width(0)), tree::pad(&row[1], width(1)));
                // A long remark goes on below itself, where there is room for words.
                let room = output::width().saturating_sub(wrap::width(&line));
                let remark = if room >= MIN_REMARK { wrap::lines(&row[2], room, room) } else { vec![row[2].clone()] };
                let indent = format!("\n{}", " ".repeat(wrap::width(&line)));
                let _ = writeln!(text, "{}", format!("{line}{}", remark.join(&indent)).trim_end());
            }
            text.push('\n');
        }
        text
    }

    /// How the operands of an expression met: `i8 → i16 ← u8, widens to 16 bits`.
    fn remark(&self, id: ExprId) -> String {
        let remarks = self.steps(id).into_iter().map(|step| {
            let answer = self.answer(&step);
            let moved = answer.path.contains(['→', '←', ',']);
            let path = if moved { answer.path.clone() } else { String::new() };
            let costly = !answer.findings.is_empty() && answer.words.iter().any(|word| word != "every value is kept");
            let words = if costly { answer.words.join("; ") } else { String::new() };
            [path, words].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("   ")
        });
        let remarks = remarks.filter(|it| !it.is_empty()).collect::<Vec<_>>().join("; ");
        if remarks.is_empty() { self.made_by(id).unwrap_or_default() } else { remarks }
    }

    /// The operation that a name's dtype comes from, as it is written.
    fn made_by(&self, id: ExprId) -> Option<String> {
        let expr = self.prepared.script.expr(id);
        let origin = self.typed(id)?.origin.filter(|_| matches!(expr.kind, ExprKind::Name(_)))?;
        let text = self.session.sources.text(origin).split_whitespace().collect::<Vec<_>>().join(" ");
        // The type of an input says nothing that the column of types does not.
        let stated = text.split('[').next().is_some_and(|dtype| dtype.parse::<DType>().is_ok() || dtype == "_");
        (!stated && origin != expr.span && text.chars().count() <= 60).then(|| format!("from `{text}`"))
    }

    /// What is first wrong, what the modes say of it, and the edit.
    fn verdict(&self) -> String {
        let Some(found) = self.first() else {
            return if self.prepared.outcome.is_done() {
                format!("{}\n", self.nothing_costly())
            } else {
                String::new()
            };
        };
        let mut text = format!("{}: `{}`\n  {}\n", found.title(), self.place_text(&found.step), found.words());
        for mode in Mode::ALL {
            let (verdict, names) = found.verdict(mode);
            let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
            let _ = writeln!(text, "  {:<6}{}{names}", mode.name(), verdict.name());
        }
        let Some(help) = found.help() else { return text };
        match help.fix.as_ref().and_then(|fix| self.edited(fix)) {
            Some((edited, ty)) => text + &format!("Instead: {edited}   is {ty}\n  {}\n", help.text),
            None => text + &format!("Instead: {}\n", help.text),
        }
    }

    /// What there is to say where no step costs anything; a value that wraps keeps its dtype, and is told with it.
    fn nothing_costly(&self) -> String {
        let mut wraps = self.prepared.diagnostics.iter().filter(|it| it.code.id == dtypes::INTEGER_OVERFLOW.id);
        match wraps.next() {
            Some(found) => format!("{}\nNot every value fits: {}.", self.conversions(""), found.message),
            None => self.conversions(" or lost"),
        }
    }

    /// What conversions do where no step costs anything. `lost` says that nothing else loses either.
    fn conversions(&self, lost: &str) -> String {
        let answers: Vec<SystemAnswer> = self.all_steps().map(|step| self.answer(&step)).collect();
        if answers.iter().any(|answer| !answer.findings.is_empty()) {
            return format!("Nothing is widened{lost}; mode `none` would refuse the conversion.");
        }
        let said = match answers.iter().map(|answer| answer.converts).max().unwrap_or(ConversionReport::Nothing) {
            ConversionReport::Nothing if lost.is_empty() => "Nothing is converted or widened.",
            ConversionReport::Nothing => "Nothing is converted, widened or lost.",
            ConversionReport::Exactly => "What is converted keeps every value.",
            ConversionReport::Inexactly => {
                "The system allows every conversion, also of values that the result does not hold."
            }
        };
        said.to_owned()
    }

    /// The expression that a step belongs to.
    fn place(&self, step: &OperandMeeting) -> Option<ExprId> {
        let script = &self.prepared.script;
        let mut ids = (0..script.exprs.len() as u32).map(ExprId);
        ids.find(|&id| tree::places(script, id).contains(&step.at))
    }

    /// The expression that a step belongs to, as it is written.
    fn place_text(&self, step: &OperandMeeting) -> String {
        let text = |id| tree::text(&self.prepared.script, &self.session.sources, id);
        self.place(step).map_or_else(|| step.shown.to_owned(), text)
    }

    /// The text after the edit, and its type then.
    fn edited(&self, fix: &Fix) -> Option<(String, String)> {
        let mut edits: Vec<_> = fix.edits.iter().collect();
        edits.sort_by_key(|edit| edit.span.start);
        let mut text = self.written.trim_end().to_owned();
        for edit in edits.iter().rev().filter(|edit| edit.span.source == self.prepared.script.source) {
            text.replace_range(edit.span.range(), &edit.text);
        }
        if text == self.written.trim_end() {
            return None; // the edit is in the declaration of an input
        }
        let again = CheckedExpr::new(self.session.clone(), self.arguments, self.name, text.as_str());
        let last = tree::roots(&again.prepared.script).last()?;
        let ty = again.type_text(last);
        Some((text, ty))
    }

    fn json(&self) -> Value {
        let script = &self.prepared.script;
        let trees: Vec<Value> = tree::roots(script).map(|root| self.tree(root, 0)).collect();
        let first = self.first().map(|found| {
            let modes = Mode::ALL.map(|mode| {
                let (verdict, findings) = found.verdict(mode);
                (mode.name().to_owned(), json!({ "verdict": verdict.name(), "findings": findings }))
            });
            let edit = found.help().map(|help| self.edit_json(help));
            let at = self.place(&found.step).map_or(found.step.at, |id| self.prepared.script.expr(id).span);
            json!({
                "start": at.start,
                "end": at.end,
                "text": self.place_text(&found.step),
                "words": found.words(),
                "modes": modes.into_iter().collect::<serde_json::Map<_, _>>(),
                "edit": edit,
            })
        });
        json!({
            "version": 1,
            "system": self.settings().system.name,
            "expression": self.written,
            "trees": trees,
            "first": first,
        })
    }

    /// What to write instead: the edits of a fix, or edits that only write out what happens anyway. The latter are no
    /// safe fix, for they hide the finding.
    fn edit_json(&self, help: &Help) -> Value {
        let fix = help.fix.as_ref().or(help.restates.as_ref());
        let edit = |edit: &Edit| json!({ "start": edit.span.start, "end": edit.span.end, "replacement": edit.text });
        let edits: Vec<Value> = fix.iter().flat_map(|fix| &fix.edits).map(edit).collect();
        let edited = fix.and_then(|fix| self.edited(fix));
        json!({
            "help": help.text,
            "keeps_values": help.fix.as_ref().is_some_and(|fix| fix.keeps_values),
            "edits": edits,
            "text": edited.as_ref().map(|it| &it.0),
            "type": edited.as_ref().map(|it| &it.1),
        })
    }

    fn tree(&self, id: ExprId, depth: usize) -> Value {
        let script = &self.prepared.script;
        let id = tree::inside(script, id);
        let span = script.expr(id).span;
        let (typed, parts_of_value) = match self.value(id) {
            Some(TypedValue::Array(typed)) => (Some(typed), None),
            Some(TypedValue::Tuple(parts)) => (None, Some(parts)),
            None => (None, None),
        };
        let items = parts_of_value.map(|parts| parts.iter().map(item_json).collect::<Vec<_>>());
        let steps: Vec<Value> = self.steps(id).into_iter().map(|step| self.answer(&step).json(step.shown)).collect();
        let parts = tree::parts(script, id).into_iter().map(|part| tree::inside(script, part));
        let parts: Vec<Value> = match depth {
            0..=200 => parts.filter(|&part| self.kept(part)).map(|part| self.tree(part, depth + 1)).collect(),
            _ => Vec::new(),
        };
        json!({
            "text": self.session.sources.text(span),
            "start": span.start,
            "end": span.end,
            "type": self.type_text(id),
            "dtype": typed.as_ref().map(|typed| typed.dtype.name()),
            "weak": typed.as_ref().is_some_and(|typed| typed.elem.is_weak()),
            "constant": typed.is_some_and(|typed| typed.exact),
            "items": items,
            "steps": steps,
            "operands": parts,
        })
    }
}

/// A part of a tuple.
fn item_json(value: &TypedValue) -> Value {
    let (typed, parts) = match value {
        TypedValue::Array(typed) => (Some(typed), None),
        TypedValue::Tuple(parts) => (None, Some(parts)),
    };
    json!({
        "type": tree::value_text(value, tree::type_text),
        "dtype": typed.map(|typed| typed.dtype.name()),
        "weak": typed.is_some_and(|typed| typed.elem.is_weak()),
        "constant": typed.is_some_and(|typed| typed.exact),
        "items": parts.map(|parts| parts.iter().map(item_json).collect::<Vec<_>>()),
    })
}

impl CostlyStep<'_> {
    /// What kind of step it is.
    fn title(&self) -> &'static str {
        let has = |name: &str| self.answer.findings.iter().any(|finding| finding.name == name);
        match (has(dtypes::WIDENING.name), self.answer.findings.iter().any(|it| it.verdicts[0] > Verdict::Allowed)) {
            (_, true) => "First step that loses",
            (true, false) => "First step that widens",
            (false, false) => "First step with a warning",
        }
    }

    /// What is reported at the step and no finding of the system's rules.
    fn besides(&self) -> Option<&Diagnostic> {
        self.diagnostic.filter(|found| self.answer.findings.iter().all(|finding| finding.name != found.code.name))
    }

    /// What it does: the system's words, or the message where those see nothing.
    fn words(&self) -> String {
        self.besides().map_or_else(|| self.answer.words.join("; "), |found| found.message.clone())
    }

    fn verdict(&self, mode: Mode) -> (Verdict, Vec<&'static str>) {
        let (verdict, mut names) = self.answer.verdict(mode);
        let Some(found) = self.besides() else { return (verdict, names) };
        let own = match found.code.levels[mode as usize] {
            Level::Allow => Verdict::Allowed,
            Level::Warn => Verdict::Warned,
            Level::Deny => Verdict::Refused,
        };
        if own != Verdict::Allowed {
            names.push(found.code.name);
        }
        (if own > verdict { own } else { verdict }, names)
    }

    /// What is offered: the first edit that changes something, else the first sentence.
    fn help(&self) -> Option<&Help> {
        let helps = &self.diagnostic?.helps;
        helps.iter().find(|help| help.fix.is_some()).or_else(|| helps.first())
    }
}
