//! A line that was typed, or several that belong together: a command, a habit, or a piece of a script.

use super::super::interrupt;
use super::shell::Shell;
use super::{AfterInput, commands, habits};
use crate::diagnostic::Outcome;
use crate::ops;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// On a pipe, Ctrl-C is for an input only if the input has run at least this long.
const MIN_INTERRUPTED_TIME: Duration = Duration::from_millis(100);

/// One whole input, which Ctrl-C stops. Nobody reads on when standard output takes no more.
pub(super) fn input(shell: &mut Shell, text: &str) -> AfterInput {
    shell.screen.forget();
    shell.latest.stopped = false;
    let begun = Instant::now();
    interrupt::begin();
    let flow = one(shell, text);
    let asked = interrupt::done();
    if asked && !shell.at_terminal && !(shell.latest.stopped && begun.elapsed() > MIN_INTERRUPTED_TIME) {
        // Nothing ran that anybody could have meant, but the session itself.
        interrupt::end();
    }
    shell.screen.lost().map_or(flow, AfterInput::Leave)
}

/// A command or a piece of a script.
fn one(shell: &mut Shell, text: &str) -> AfterInput {
    if let Some(line) = text.trim_start().strip_prefix(':') {
        return command(shell, line.trim());
    }
    match habits::find(&shell.session.env, text) {
        Some(habits::Replacement::Command(line)) => return command(shell, &line),
        Some(habits::Replacement::Instead(words)) => shell.screen.report(words),
        None => match without_colon(text, |name| shell.session.env.get(name).is_some()) {
            Some(message) => shell.screen.error(&message),
            None => shell.script(text),
        },
    }
    AfterInput::Continue
}

/// What to write for a command without its colon, `plot x`, where that is no expression of a name that there is.
fn without_colon(text: &str, is_name: impl Fn(&str) -> bool) -> Option<String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let row = commands::TABLE.iter().find(|row| row.name == word)?;
    if text.contains('\n') || is_name(word) {
        return None;
    }
    let argument = rest.trim_start();
    let apart = argument.len() < rest.len();
    let next = argument.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    // Two values side by side are no expression, whatever they are.
    let side_by_side = apart
        && argument.starts_with(|c: char| c.is_alphanumeric() || "_\"'".contains(c))
        && !["and", "or", "if", "else", "in", "is", "not"].contains(&next);
    let sign = argument.strip_prefix(['-', '~', '(', '[', '.']);
    let signed = apart && sign.is_some_and(|value| value.starts_with(|c: char| !c.is_whitespace() && c != '='));
    let about = side_by_side || (signed && ops::by_name(word).is_none());
    let alone = matches!(rest.trim(), "" | ";") && ops::by_name(word).is_none();
    let line = if row.argument.is_empty() { word } else { text.trim_end_matches(';').trim_end() };
    (alone || about).then(|| format!("`{word}` is a command: write `:{line}`"))
}

/// A command. A mistake of ours does not cost the session.
fn command(shell: &mut Shell, line: &str) -> AfterInput {
    let (settings, reading) = (shell.session.settings.clone(), shell.session.reading.clone());
    catch_unwind(AssertUnwindSafe(|| commands::run(shell, line))).unwrap_or_else(|_| {
        (shell.session.settings, shell.session.reading) = (settings, reading);
        shell.screen.note_outcome(Outcome::Broken);
        AfterInput::Continue
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_without_their_colon_are_told() {
        let told = |text: &str| without_colon(text, |name| name == "time");
        for text in ["plot x", "type x + 1", "bits -5i8", "type (x)", "mode", "mode safe", "load y.npy", "hist x"] {
            let command = text.split(' ').next().unwrap();
            assert_eq!(told(text), Some(format!("`{command}` is a command: write `:{text}`")), "{text}");
        }
        assert_eq!(told("vars x"), Some("`vars` is a command: write `:vars`".to_owned()));
        for text in [
            "time x",
            "plotted x",
            "sum(x)",
            "bits = 3",
            "bits - 5",
            "bits and 1",
            "load(\"y.npy\")",
            "load [1]",
            "let x = 1",
            "output x",
            "mode\n1",
            "x plot",
            "",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
