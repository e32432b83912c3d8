//! `arr completions`: a script that lets a shell complete `arr` commands.

use super::args::{Arguments, Completions, Shell};
use super::output;
use clap::CommandFactory;
use clap_complete::{generate, shells};

/// Prints the script.
pub(super) fn print(command: &Completions) -> u8 {
    let (mut text, mut arguments) = (Vec::new(), Arguments::command());
    match command.shell {
        Shell::Bash => generate(shells::Bash, &mut arguments, "arr", &mut text),
        Shell::Zsh => generate(shells::Zsh, &mut arguments, "arr", &mut text),
        Shell::Fish => generate(shells::Fish, &mut arguments, "arr", &mut text),
    }
    output::print(&String::from_utf8_lossy(&text))
}
