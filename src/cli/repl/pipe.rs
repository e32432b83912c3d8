//! Inputs from a pipe.

use super::AfterInput;
use super::gather::Gather;
use super::line;
use super::shell::Shell;
use crate::diagnostic::Outcome;
use std::io::BufRead;

/// Reads to the end, or until the session ends before. Returns how the session ended: where nobody types, nobody looks
/// at errors while it goes on, so they count at its end.
pub(super) fn read(shell: &mut Shell, input: impl BufRead) -> Outcome {
    // What is wrong with the user's own file is no error of this input.
    shell.screen.count_errors();
    let outcome = inputs(shell, input);
    if shell.at_terminal { outcome } else { outcome.max(shell.screen.outcome()) }
}

fn inputs(shell: &mut Shell, input: impl BufRead) -> Outcome {
    let mut gather = Gather::default();
    for line in input.split(b'\n') {
        let Ok(line) = line else { break };
        if let Some((_, text)) = gather.line(&String::from_utf8_lossy(&line))
            && let AfterInput::Leave(outcome) = line::input(shell, &text)
        {
            return outcome;
        }
    }
    match gather.rest().map(|(_, text)| line::input(shell, &text)) {
        Some(AfterInput::Leave(outcome)) => outcome,
        Some(AfterInput::Continue) | None => Outcome::Done,
    }
}
