//! Types at the prompt, `:type`, `:why` or `:compare`. They say what dtype an expression has, why, and what it has
//! elsewhere.

use super::super::super::why::CheckedExpr;
use super::super::super::{output, tree};
use super::super::AfterInput;
use super::super::shell::Shell;
use super::expression;
use crate::check::env::SessionValue;
use crate::diagnostic::Diagnostic;
use crate::promotion::systems::{self, System};
use crate::promotion::verdict::Mode;
use crate::session::{Input, Preparation, Session};
use crate::types::shape;
use std::fmt::Write;

/// `:type EXPR`
pub(super) fn type_of(shell: &mut Shell, text: &str) -> AfterInput {
    if let Some((SessionValue::Function(closure), _)) = shell.session.env.get(text) {
        shell.screen.answer(&format!("fn {}", closure.signature(&shell.session.sources)));
        return AfterInput::Continue;
    }
    let Some(prepared) = expression::check_expression(shell, text) else { return AfterInput::Continue };
    let types = types(&prepared);
    let settings = &prepared.checked.settings;
    let mut answer = String::new();
    for (ty, &elem) in types.iter().zip(&prepared.checked.outputs) {
        let weak = if elem.is_weak() {
            format!("   weak: takes the dtype of what it meets; alone it is {}", settings.harden(elem))
        } else {
            String::new()
        };
        let _ = writeln!(answer, "{text} : {ty}{weak}");
    }
    shell.screen.answer(&answer);
    AfterInput::Continue
}

/// The types of the values of a program: `f32[n, 3]`, `i*`.
fn types(prepared: &Preparation) -> Vec<String> {
    let Some(program) = &prepared.checked.program else { return Vec::new() };
    let outputs = program.outputs.iter().zip(&prepared.checked.outputs);
    outputs.map(|(output, elem)| format!("{elem}{}", shape::show(&program.node(output.node).shape))).collect()
}

/// `:why [EXPR]`
pub(super) fn why(shell: &mut Shell, text: &str) -> AfterInput {
    if text.is_empty() {
        last(shell);
        return AfterInput::Continue;
    }
    let name = shell.name();
    let Some(_) = expression::checked_in_mode_all(shell, text) else { return AfterInput::Continue };
    let why = CheckedExpr::new(shell.session.clone(), &[], &name, text);
    shell.screen.answer(&why.text());
    AfterInput::Continue
}

/// What was found in the last input, and the trees of its expressions.
fn last(shell: &Shell) {
    let Some(last) = &shell.latest.piece else {
        shell.screen.error("there was no input yet; `:why EXPR` is about any expression");
        return;
    };
    let found: Vec<&Diagnostic> = shell.latest.found.iter().collect();
    let mut text = output::drawn(found.iter().copied(), &shell.session.sources);
    if !found.is_empty() {
        text.push("\n");
    }
    let (env, settings) = (last.before.env.clone(), last.before.settings.clone());
    let session = Session { env, settings, ..shell.session.clone() };
    let why = CheckedExpr::new(session, &[], &last.name, last.text.as_str());
    if why.prepared.outcome.is_done() && tree::roots(&why.prepared.script).next().is_some() {
        text.push(&why.text());
    } else if found.is_empty() {
        text.push("Nothing was found in the last input, and it has no expression.\n");
    }
    shell.screen.show(text);
}

/// `:compare EXPR`
pub(super) fn compare(shell: &mut Shell, text: &str) -> AfterInput {
    let Some(_) = expression::checked_in_mode_all(shell, text) else { return AfterInput::Continue };
    let name = shell.name();
    let rows: Vec<[String; 3]> = std::iter::once(["system".to_owned(), "type".to_owned(), "strictest mode".to_owned()])
        .chain(systems::ALL.iter().filter(|system| system.about.current).map(|system| row(shell, system, &name, text)))
        .collect();
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let mut answer = String::new();
    for row in &rows {
        let line = format!("{}   {}   {}", tree::pad(&row[0], width(0)), tree::pad(&row[1], width(1)), row[2]);
        let _ = writeln!(answer, "{}", line.trim_end());
    }
    shell.screen.answer(&answer);
    AfterInput::Continue
}

/// A system, what it makes of an expression, and the strictest mode in which it does.
fn row(shell: &Shell, system: &'static System, name: &str, text: &str) -> [String; 3] {
    let options = shell.options();
    let mut session = shell.session.clone();
    session.settings.system = system;
    if !system.widths.is_option {
        session.settings.width = None;
    }
    let mut answer: Option<(String, String)> = None;
    for mode in [Mode::All, Mode::Safe, Mode::None] {
        session.settings.mode = mode;
        let prepared = session.check(&Input { options, ..Input::new(name, text) });
        let errors: Vec<&Diagnostic> = prepared.diagnostics.iter().filter(|it| it.is_error()).collect();
        match (&errors[..], &mut answer) {
            ([], _) => answer = Some((types(&prepared).join(", "), mode.name().to_owned())),
            ([first, ..], None) => return [system.name.to_owned(), "refused".to_owned(), first.message.clone()],
            (_, Some((_, strictest))) => {
                let mut names: Vec<&str> = errors.iter().map(|error| error.code.name).collect();
                names.sort_unstable();
                names.dedup();
                *strictest = format!("{strictest:<5} {} refuses: {}", mode.name(), names.join(", "));
                break;
            }
        }
    }
    let (ty, mode) = answer.unwrap_or_default();
    [system.name.to_owned(), ty, mode]
}
