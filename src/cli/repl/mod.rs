//! The REPL: a thin shell over the session that `run` uses.
//!
//! Text comes from a terminal ([`editor`]) or a pipe ([`pipe`]); [`shell::Shell`] takes whole inputs; lines that begin
//! with `:` are commands, the rows of [`commands`].

mod answer;
mod commands;
mod describe;
#[cfg(feature = "repl")]
mod editor;
mod folders;
mod gather;
mod habits;
mod init;
mod line;
pub(super) mod paint;
mod past;
#[cfg(feature = "repl")]
mod paste;
mod pipe;
mod progress;
mod screen;
mod shell;
mod stats;
#[cfg(test)]
mod tests;

use super::args::Repl;
use super::interrupt::{self, Manner};
use crate::diagnostic::Outcome;
use shell::Shell;
use std::io::IsTerminal;

/// What happens after an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AfterInput {
    Continue,
    /// The session ends in this way.
    Leave(Outcome),
}

/// What `arr doc repl` prints.
pub(super) fn reference() -> String {
    commands::chapter()
}

/// `arr repl`
pub(super) fn start(command: Repl) -> Outcome {
    let init: Option<fn(&mut Shell)> = if command.no_init { None } else { Some(init::evaluate) };
    let mut shell = match Shell::new(command, init) {
        Ok(shell) => shell,
        Err(outcome) => return outcome,
    };
    let terminal = std::io::stdin().is_terminal();
    interrupt::session(if terminal { Manner::Terminal } else { Manner::Pipe });
    #[cfg(feature = "repl")]
    if terminal && let Some(outcome) = editor::talk(&mut shell) {
        return outcome;
    }
    pipe::read(&mut shell, std::io::stdin().lock())
}
