//! Inputs from a pipe.

use super::Flow;
use super::gather::Gather;
use super::shell::Shell;
use std::io::BufRead;

/// Reads to the end, or until a command leaves.
pub(super) fn read(shell: &mut Shell, input: impl BufRead) {
    let mut gather = Gather::default();
    for line in input.split(b'\n') {
        let Ok(line) = line else { break };
        if let Some((_, text)) = gather.line(&String::from_utf8_lossy(&line))
            && shell.input(&text) == Flow::Leave
        {
            return;
        }
    }
    if let Some((_, text)) = gather.rest() {
        shell.input(&text);
    }
}
