//! Inputs from a pipe.

use super::AfterInput;
use super::gather::Gather;
use super::line;
use super::shell::Shell;
use crate::diagnostic::Outcome;
use std::io::BufRead;

/// Reads to the end, or until the session ends before. Returns how the session ended.
pub(super) fn read(shell: &mut Shell, input: impl BufRead) -> Outcome {
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
