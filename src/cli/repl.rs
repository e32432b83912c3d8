//! The REPL: a thin loop over the session that `run` uses.
//!
//! On a terminal it edits lines and keeps a history; on a pipe it reads lines, prints values to standard output and
//! diagnostics to standard error, and a failed input does not end it.

use super::args::Repl;
use super::context::Context;
use super::{interrupt, memory, output, run};
use crate::exec;
use crate::session::{Input, Session};
use crate::syntax::is_incomplete;
use std::io::{BufRead, IsTerminal};

/// `arr repl`
pub(super) fn start(command: Repl) -> u8 {
    let Context { settings, reading } = match command.rules.context(None, Some(&command.running)) {
        Ok(context) => context,
        Err(code) => return code,
    };
    let mut session = Session { settings, reading, ..Session::default() };
    let mut shell = Shell { command, count: 0 };
    match std::io::stdin().is_terminal() {
        true => shell.terminal(&mut session),
        false => shell.pipe(&mut session),
    }
}

struct Shell {
    command: Repl,
    count: usize,
}

impl Shell {
    /// One whole input.
    fn input(&mut self, session: &mut Session, text: &str) {
        self.count += 1;
        let name = format!("<repl:{}>", self.count);
        let options = exec::Options {
            verify: self.command.running.verify,
            max_memory: self.command.running.max_mem.or_else(memory::ceiling),
            interrupt: Some(interrupt::flag()),
            ..exec::Options::default()
        };
        let reply = session.evaluate(&Input { options, ..Input::new(&name, text) });
        output::notes(&reply.notes);
        run::report(&reply.diagnostics, &session.sources, self.command.running.verbose);
        output::values(&reply.values, self.command.running.format);
    }

    fn pipe(&mut self, session: &mut Session) -> u8 {
        let mut pending = String::new();
        for line in std::io::stdin().lock().split(b'\n') {
            let Ok(line) = line else { break };
            pending.push_str(&String::from_utf8_lossy(&line));
            pending.push('\n');
            if !is_incomplete(&pending) {
                self.input(session, &std::mem::take(&mut pending));
            }
        }
        if !pending.trim().is_empty() {
            self.input(session, &pending);
        }
        0
    }

    /// Without the line editor a terminal is read like a pipe.
    #[cfg(not(feature = "repl"))]
    fn terminal(&mut self, session: &mut Session) -> u8 {
        self.pipe(session)
    }

    #[cfg(feature = "repl")]
    fn terminal(&mut self, session: &mut Session) -> u8 {
        use rustyline::error::ReadlineError;
        let mut editor = match rustyline::DefaultEditor::new() {
            Ok(editor) => editor,
            Err(_) => return self.pipe(session),
        };
        output::complain(&format!("arr {}: Ctrl-D leaves, `arr doc` lists the builtins", env!("CARGO_PKG_VERSION")));
        let mut pending = String::new();
        loop {
            let prompt = if pending.is_empty() { "arr> " } else { "...> " };
            match editor.readline(prompt) {
                Ok(line) => {
                    pending.push_str(&line);
                    pending.push('\n');
                    if is_incomplete(&pending) {
                        continue;
                    }
                    let text = std::mem::take(&mut pending);
                    if !text.trim().is_empty() {
                        let _ = editor.add_history_entry(text.trim_end());
                        self.input(session, &text);
                    }
                }
                Err(ReadlineError::Interrupted) => pending.clear(),
                Err(_) => return 0,
            }
        }
    }
}
