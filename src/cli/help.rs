//! `arr help`: of all commands, of one, or of the limits.

use super::args::{Arguments, Help};
use super::{output, reference};
use crate::diagnostic::suggest;
use clap::CommandFactory;

/// `arr help [COMMAND|limits]`
pub(super) fn answer(command: &Help) -> u8 {
    let mut arguments = Arguments::command();
    arguments.build();
    let Some(topic) = command.topic.as_deref() else {
        return output::print(&arguments.render_help().ansi().to_string());
    };
    if topic == "limits" {
        return output::print(&reference::text("limits").expect("it is a chapter"));
    }
    if let Some(found) = arguments.find_subcommand_mut(topic) {
        return output::print(&found.render_help().ansi().to_string());
    }
    let names: Vec<&str> = arguments.get_subcommands().map(clap::Command::get_name).chain(["limits"]).collect();
    let near = suggest::closest(topic, names.iter().copied());
    let hint = near.map_or_else(|| format!("there are {}", names.join(", ")), |near| format!("there is `{near}`"));
    output::usage(&format!("there is no command `{topic}`; {hint}"))
}
