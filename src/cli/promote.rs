//! `arr promote`: what dtypes meet as. It shows the way there, and what each mode says of it.

use super::args::Promote;
use super::formats::FormatRow;
use super::{bindings, choose, context, output};
use crate::check::Settings;
use crate::constant::Const;
use crate::diagnostic::codes::{Row, dtypes};
use crate::diagnostic::{Level, Outcome, suggest};
use crate::io::argument::Argument;
use crate::ops::{Op, elsewhere};
use crate::promotion::explain::{self, Finding, SystemAnswer, Verdict};
use crate::promotion::systems::{self, System};
use crate::promotion::{Operand, Rank, Refusal};
use crate::session::{Input, Session};
use crate::syntax::ast::StmtKind;
use crate::types::Elem;
use serde_json::json;

/// The findings about literals, which do not depend on what the rules of a system cost.
pub(super) static ABOUT_LITERALS: [&Row; 4] =
    [&dtypes::LOSSY_LITERAL, &dtypes::WEAK_DEFAULT, &dtypes::SHIFT_OUT_OF_RANGE, &dtypes::CONSTANT_COMPARISON];

/// A type, a constant or a declared input of the command line.
struct PromoteOperand {
    elem: Elem,
    value: Option<Const>,
    /// An input's own rank, and how it is written: `x:f32[n]`.
    declared: Option<(Rank, String)>,
}

impl PromoteOperand {
    fn of(elem: Elem) -> PromoteOperand {
        PromoteOperand { elem, value: None, declared: None }
    }

    fn written(&self) -> String {
        match (&self.declared, &self.value) {
            (Some((_, written)), _) => written.clone(),
            (None, Some(value)) => value.to_string(),
            (None, None) => self.elem.to_string(),
        }
    }

    fn operand(&self) -> Operand<'_> {
        let operand = Operand { value: self.value.as_ref(), ..Operand::array(self.elem) };
        self.declared.as_ref().map_or(operand, |(rank, _)| Operand { rank: *rank, ..operand })
    }
}

/// `arr promote A B…`
pub(super) fn answer(command: Promote) -> Outcome {
    let asked = choose::operation(&command.op).and_then(|op| Ok((op, operands(&command.types)?)));
    let (op, asked) = match asked {
        Ok(asked) => asked,
        Err(outcome) => return outcome,
    };
    if let Err(message) = counts(op, asked.len()) {
        return output::usage(&message);
    }
    let several = command.all_systems || command.historical;
    let chosen: Vec<&'static System> = if several {
        systems::ALL.iter().copied().filter(|system| system.about.current || command.historical).collect()
    } else {
        match context::system_or_default(command.system.as_deref()) {
            Ok(system) => vec![system],
            Err(outcome) => return outcome,
        }
    };
    // Beside others a system whose width cannot be changed keeps its own.
    let settings = chosen.iter().map(|&system| {
        let width = command.width.as_deref().filter(|_| !several || system.widths.is_option);
        context::of_width(system, width)
    });
    let settings = match settings.collect::<Result<Vec<Settings>, Outcome>>() {
        Ok(settings) => settings,
        Err(outcome) => return outcome,
    };
    let answers: Vec<Vec<SystemAnswer>> = settings.iter().map(|settings| steps(settings, op, &asked)).collect();
    let shown = choose::written(op);
    let text = match command.format {
        FormatRow::Json => {
            let list: Vec<_> = answers.iter().flatten().map(|answer| answer.json(shown)).collect();
            output::json_text(&json!({ "version": 1, "answers": list }))
        }
        FormatRow::Text if several => beside(&answers, &asked, shown),
        FormatRow::Text => answers.iter().flatten().map(|answer| answer.text(shown)).collect(),
    };
    output::print(&text)
}

/// Checks that an operation takes `given` operands; a chain of operators takes any number.
fn counts(op: &Op, given: usize) -> Result<(), String> {
    let wanted = op.operand_count();
    let fits = given == wanted || wanted == 2 && op.notation.is_some() && given > 2;
    let types = if wanted == 1 { "one type".to_owned() } else { format!("{wanted} types") };
    let are = if given == 1 { "one is".to_owned() } else { format!("{given} are") };
    if fits { Ok(()) } else { Err(format!("`{}` takes {types}, and {are} given", choose::written(op))) }
}

/// The answer of a system; one for each operator of a chain, from the left.
fn steps(settings: &Settings, op: &Op, asked: &[PromoteOperand]) -> Vec<SystemAnswer> {
    let system = settings.system;
    let harden = |elem: Elem| settings.harden(elem);
    let of = |operands: &[Operand]| {
        let mut answer = explain::promote_by(system, op, operands, &harden);
        if let Some(outside) = op.outside(system, operands) {
            answer.refuse(Refusal::Unsupported(outside), "arr");
        }
        check_literals(settings, choose::written(op), operands, &mut answer);
        answer
    };
    if asked.len() == op.operand_count() {
        let mut answer = of(&asked.iter().map(PromoteOperand::operand).collect::<Vec<_>>());
        answer.written = asked.iter().map(PromoteOperand::written).collect();
        return vec![answer];
    }
    let mut answers: Vec<SystemAnswer> = Vec::new();
    let mut left = asked[0].operand();
    let mut written = asked[0].written();
    for right in &asked[1..] {
        let mut answer = of(&[left, right.operand()]);
        answer.written = vec![written, right.written()];
        let decision = answer.decision;
        answers.push(answer);
        let Ok(decision) = decision else { break };
        let elem = if decision.weak { System::weak_of(decision.result.kind()) } else { harden(decision.result).into() };
        let rank = if left.rank == right.operand().rank { left.rank } else { Rank::NonZero };
        let constant = left.constant && right.value.is_some() && elem.is_weak();
        left = Operand { rank, constant, ..Operand::array(elem) };
        written = elem.to_string();
    }
    answers
}

/// Adds what a check of the operation on inputs of these types finds about the literals among its operands.
fn check_literals(settings: &Settings, shown: &str, operands: &[Operand], answer: &mut SystemAnswer) {
    let is_literal = |operand: &Operand| operand.constant && operand.value.is_some();
    if answer.decision.is_err() || !operands.iter().any(is_literal) {
        return;
    }
    let (mut inputs, mut written) = (Vec::<Argument>::new(), Vec::new());
    for (at, operand) in operands.iter().enumerate() {
        if let Some(value) = operand.value.filter(|_| operand.constant) {
            written.push(format!("({value})"));
            continue;
        }
        // A weak value that was computed cannot be an input, for it has no dtype.
        let Some(dtype) = operand.elem.strong() else { return };
        let name = if inputs.is_empty() { "x".to_owned() } else { format!("x{at}") };
        let axes = if operand.rank == Rank::Zero { "" } else { "[n]" };
        written.push(name.clone());
        inputs.push(Argument { name, type_text: Some(format!("{dtype}{axes}")), value: None });
    }
    if inputs.is_empty() {
        return;
    }
    let call = SystemAnswer { written, ..answer.clone() }.call(shown);
    let mut session = Session { settings: settings.clone(), ..Session::default() };
    let prepared = session.check(&Input { arguments: &inputs, free_names: true, ..Input::new("<promote>", &call) });
    for found in &prepared.diagnostics {
        if let Some(row) = ABOUT_LITERALS.iter().find(|row| row.id == found.code.id) {
            answer.add(finding_of(row), &found.message);
        }
    }
}

/// What the modes do about a finding.
pub(super) fn finding_of(row: &Row) -> Finding {
    let verdicts = row.levels.map(|level| match level {
        Level::Allow => Verdict::Allowed,
        Level::Warn => Verdict::Warned,
        Level::Deny => Verdict::Refused,
    });
    Finding { name: row.name, verdicts }
}

/// A line for each system.
fn beside(answers: &[Vec<SystemAnswer>], asked: &[PromoteOperand], shown: &str) -> String {
    let lines = answers.iter().filter_map(|steps| steps.last()).map(|answer| format!("{}\n", answer.line()));
    let call = match answers.first().and_then(|steps| steps.first()) {
        Some(answer) if answers.iter().all(|steps| steps.len() == 1) => answer.call(shown),
        _ => {
            let written = asked.iter().map(PromoteOperand::written);
            written.collect::<Vec<_>>().join(&format!(" {shown} "))
        }
    };
    format!("{call}\n{}", lines.collect::<String>())
}

fn operands(texts: &[String]) -> Result<Vec<PromoteOperand>, Outcome> {
    texts.iter().map(|text| operand(text)).collect()
}

/// A dtype, a weak type, or the value of a constant expression.
fn operand(text: &str) -> Result<PromoteOperand, Outcome> {
    if let Ok(elem) = text.parse::<Elem>() {
        return Ok(PromoteOperand::of(elem));
    }
    if let Some(elem) = python_name(text).or_else(|| library_name(text)) {
        return Ok(PromoteOperand::of(elem));
    }
    // `x:f32[n]` is an input, asked for by its name.
    let declared = text.contains(':').then(|| bindings::arguments(&[text.into()])).transpose()?.unwrap_or_default();
    let asked = declared.first().map_or(text, |argument| &argument.name);
    let looks_like_a_name = declared.is_empty() && text.starts_with(char::is_alphabetic);
    let mut session = Session::default();
    let input = Input { arguments: &declared, free_names: true, ..Input::new("<promote>", asked) };
    let prepared = session.check(&input);
    if !prepared.outcome.is_done() && looks_like_a_name {
        let near = suggest::closest(text, Elem::all().map(Elem::name)).map(|near| format!("; there is `{near}`"));
        let names: Vec<&str> = Elem::all().map(Elem::name).collect();
        return Err(output::usage(&format!(
            "`{text}` is no dtype{}\n  help: the types are {}; constants such as 300 or 1.5 are taken too",
            near.unwrap_or_default(),
            names.join(" ")
        )));
    }
    let found = prepared.script.stmts.first().and_then(|stmt| {
        let StmtKind::Expr { value, .. } = stmt.kind else { return None };
        let record = &prepared.checked.record;
        let constant = record.constant(value, &prepared.script, &session.sources);
        record.of(value).map(|typed| {
            let rank = if typed.shape.is_empty() { Rank::Zero } else { Rank::NonZero };
            // A number with a dtype is a scalar of a known value.
            let is_number =
                declared.is_empty() && text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
            let digits = text.strip_suffix(typed.elem.name()).filter(|_| is_number);
            let number = digits.and_then(|digits| operand(digits).ok()?.value);
            let is_scalar = !declared.is_empty() || number.is_some();
            let declared = is_scalar.then(|| (rank, text.to_owned()));
            PromoteOperand { elem: typed.elem, value: constant.or(number), declared }
        })
    });
    match found {
        Some(asked) => Ok(asked),
        None if prepared.diagnostics.is_empty() => Err(output::usage(&format!("`{text}` is no dtype and no constant"))),
        None => {
            output::diagnostics(&prepared.diagnostics, &session.sources);
            Err(Outcome::Misused)
        }
    }
}

/// What an array library calls a dtype: `np.float64`, `torch.bool`, `int_`.
fn library_name(text: &str) -> Option<Elem> {
    let (module, name) = text.rsplit_once('.').unwrap_or(("", text));
    elsewhere::modules::ours(module, name)?.parse().ok().map(Elem::Strong)
}

/// Python's types are what its literals have.
fn python_name(text: &str) -> Option<Elem> {
    match text {
        "int" => Some(Elem::WeakInt),
        "float" => Some(Elem::WeakFloat),
        "complex" => Some(Elem::WeakComplex),
        _ => None,
    }
}
