//! Inputs from a pipe.

use super::Flow;
use super::gather::Gather;
use super::line;
use super::shell::Shell;
use std::io::BufRead;

/// Reads to the end, or until the session ends before; answers the exit code.
pub(super) fn read(shell: &mut Shell, input: impl BufRead) -> u8 {
    let mut gather = Gather::default();
    for line in input.split(b'\n') {
        let Ok(line) = line else { break };
        if let Some((_, text)) = gather.line(&String::from_utf8_lossy(&line))
            && let Flow::Leave(code) = line::input(shell, &text)
        {
            return code;
        }
    }
    match gather.rest().map(|(_, text)| line::input(shell, &text)) {
        Some(Flow::Leave(code)) => code,
        Some(Flow::Continue) | None => 0,
    }
}
