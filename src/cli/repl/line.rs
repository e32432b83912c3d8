//! A line that was typed, or several that belong together: a command, a habit, or a piece of a script.

use super::super::interrupt;
use super::shell::Shell;
use super::{AfterInput, commands, habits};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// On a pipe, Ctrl-C is for an input only if the input has run at least this long.
const NOTICED: Duration = Duration::from_millis(100);

/// One whole input, which Ctrl-C stops. Nobody reads on when standard output takes no more.
pub(super) fn input(shell: &mut Shell, text: &str) -> AfterInput {
    shell.screen.forget();
    shell.stopped = false;
    let begun = Instant::now();
    interrupt::begin();
    let flow = one(shell, text);
    let asked = interrupt::done();
    if asked && !shell.at_terminal && !(shell.stopped && begun.elapsed() > NOTICED) {
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
        Some(habits::Replacement::Instead(words)) => shell.screen.tell(words),
        None => shell.script(text),
    }
    AfterInput::Continue
}

/// A command. A mistake of ours does not cost the session.
fn command(shell: &mut Shell, line: &str) -> AfterInput {
    let (settings, reading) = (shell.session.settings.clone(), shell.session.reading.clone());
    catch_unwind(AssertUnwindSafe(|| commands::run(shell, line))).unwrap_or_else(|_| {
        (shell.session.settings, shell.session.reading) = (settings, reading);
        AfterInput::Continue
    })
}
