//! `arr help`: of all commands, of one, or of the limits.

use super::args::{Arguments, HelpArgs};
use super::painted::StyledText;
use super::{output, page, reference};
use crate::diagnostic::Outcome;
use crate::diagnostic::suggest;
use clap::CommandFactory;

/// `arr help [COMMAND|limits]`
pub(super) fn answer(command: &HelpArgs) -> Outcome {
    let mut arguments = Arguments::command();
    arguments.build();
    let Some(topic) = command.topic.as_deref() else {
        return output::show(&StyledText::of_the_command_line(&arguments.render_help())).outcome();
    };
    if topic == "limits" {
        return page::show(&page::drawn(&reference::text("limits").expect("it is a chapter")));
    }
    if let Some(found) = arguments.find_subcommand_mut(topic) {
        return output::show(&StyledText::of_the_command_line(&found.render_help())).outcome();
    }
    let names: Vec<&str> = arguments.get_subcommands().map(clap::Command::get_name).chain(["limits"]).collect();
    let near = suggest::closest(topic, names.iter().copied());
    let hint = near.map_or_else(|| format!("there are {}", names.join(", ")), |near| format!("there is `{near}`"));
    output::usage(&format!("there is no command `{topic}`; {hint}"))
}
