//! Commands for the shell itself: help, history, undo, the end.

use super::super::AfterInput;
use super::super::shell::Shell;
use super::{CommandRow, TABLE, find};
use crate::diagnostic::Outcome;
use std::fmt::Write;

/// `:help [COMMAND]`
pub(super) fn help(shell: &mut Shell, word: &str) -> AfterInput {
    if word.is_empty() {
        shell.screen.page(&index().as_str().into());
        return AfterInput::Continue;
    }
    match find(word.trim_start_matches(':')) {
        Ok(row) => shell.screen.answer(&page(row)),
        Err(message) => shell.screen.error(&message),
    }
    AfterInput::Continue
}

/// Every command in a line.
fn index() -> String {
    let width = TABLE.iter().map(|row| row.usage().chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for row in TABLE {
        let _ = writeln!(text, "{:width$}  {}", row.usage(), row.help);
    }
    text.push_str("\n`:help COMMAND` shows examples, `NAME?` is `:doc NAME`, and `:ty` is `:type`.\n");
    text
}

/// A command with its examples.
pub(super) fn page(row: &CommandRow) -> String {
    let mut text = format!("{}\n\n  {}.\n", row.usage(), sentence(row.help));
    if !row.aliases.is_empty() {
        let names: Vec<String> = row.aliases.iter().map(|name| format!(":{name}")).collect();
        let _ = writeln!(text, "  Also {}.", names.join(", "));
    }
    text.push('\n');
    text.extend(examples(row).lines().map(|line| format!("  {line}\n")));
    text
}

/// The examples of a command, each with what it does.
pub(super) fn examples(row: &CommandRow) -> String {
    let width = row.examples.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0);
    let lines = row.examples.iter().map(|(line, what)| format!("{}\n", format!("{line:width$}   {what}").trim_end()));
    lines.collect()
}

pub(super) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// `:history [N]`
pub(super) fn history(shell: &mut Shell, count: &str) -> AfterInput {
    let wanted = match count {
        "" => usize::MAX,
        _ => match count.parse() {
            Ok(wanted) => wanted,
            Err(_) => {
                shell.screen.error(&format!("how many inputs is a number, not `{count}`"));
                return AfterInput::Continue;
            }
        },
    };
    if shell.history.inputs.is_empty() {
        shell.screen.report("nothing was said yet");
        return AfterInput::Continue;
    }
    let first = shell.history.inputs.len().saturating_sub(wanted);
    let width = shell.history.inputs.len().to_string().len();
    let mut text = String::new();
    for (at, input) in shell.history.inputs.iter().enumerate().skip(first) {
        for (line_at, line) in input.lines().enumerate() {
            let number = if line_at == 0 { (at + 1).to_string() } else { String::new() };
            let _ = writeln!(text, "{number:>width$}  {line}");
        }
    }
    shell.screen.answer(&text);
    AfterInput::Continue
}

/// `:undo`
pub(super) fn undo(shell: &mut Shell, _: &str) -> AfterInput {
    let last = shell.history.inputs.last().cloned().unwrap_or_default();
    match shell.undo() {
        true => {
            let line = last.lines().next().unwrap_or_default();
            let more = if last.lines().count() > 1 { " …" } else { "" };
            shell.screen.report(&format!("took back: {line}{more}"));
        }
        false => shell.screen.error("there is nothing to undo"),
    }
    AfterInput::Continue
}

/// `:reset`
pub(super) fn reset(shell: &mut Shell, _: &str) -> AfterInput {
    shell.reset();
    shell.screen.report("every name is forgotten; `:undo` brings them back");
    AfterInput::Continue
}

/// `:quit`
pub(super) fn quit(_: &mut Shell, _: &str) -> AfterInput {
    AfterInput::Leave(Outcome::Done)
}
