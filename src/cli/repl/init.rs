//! `init.arr`: what a user's every session begins with. It shows no values; what is wrong with it is told, and the
//! session begins all the same.

use super::gather::{Gather, is_command};
use super::shell::Shell;
use super::{AfterInput, commands, folders};
use crate::io;
use crate::session::Input;

/// Evaluates the file, if there is one: input by input, so that one mistake does not cost the rest.
pub(super) fn evaluate(shell: &mut Shell) {
    let Some(path) = folders::init().filter(|path| path.exists()) else { return };
    let name = io::error::printable_path(&path);
    let text = match io::text::read_regular(&path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            shell.screen.diagnostics([&error.diagnostic()], &shell.session.sources);
            return;
        }
    };
    let mut gather = Gather::default();
    let mut inputs: Vec<(usize, String)> = text.lines().filter_map(|line| gather.line(line)).collect();
    inputs.extend(gather.rest());
    for (line, text) in inputs {
        match text.trim_start().strip_prefix(':') {
            Some(command) if is_command(&text) => {
                if commands::run(shell, command.trim()) != AfterInput::Continue {
                    return;
                }
            }
            _ => {
                // Lines before it keep the numbers of lines right.
                let text = "\n".repeat(line) + &text;
                let options = shell.options();
                shell.evaluate(&Input { options, folder: path.parent(), defines: true, ..Input::new(&name, &text) });
            }
        }
    }
}
