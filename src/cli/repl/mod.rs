//! The REPL: a thin shell over the session that `run` uses.
//!
//! Text comes from a terminal ([`editor`]) or a pipe ([`pipe`]); [`shell::Shell`] takes whole inputs; lines that begin
//! with `:` are commands, the rows of [`commands`].

mod answer;
mod commands;
#[cfg(feature = "repl")]
mod editor;
mod folders;
mod gather;
mod init;
mod paint;
mod past;
#[cfg(feature = "repl")]
mod paste;
mod pipe;
mod progress;
mod screen;
mod shell;
mod stats;

use super::args::Repl;
use shell::Shell;
use std::io::IsTerminal;

/// What happens after an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    Continue,
    Leave,
}

/// What `arr doc repl` prints.
pub(super) fn reference() -> String {
    commands::chapter()
}

/// `arr repl`
pub(super) fn start(command: Repl) -> u8 {
    let mut shell = match Shell::new(command) {
        Ok(shell) => shell,
        Err(code) => return code,
    };
    #[cfg(feature = "repl")]
    if std::io::stdin().is_terminal() && editor::talk(&mut shell) {
        return 0;
    }
    pipe::read(&mut shell, std::io::stdin().lock());
    0
}
