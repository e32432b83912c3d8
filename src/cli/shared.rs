//! The options that all commands take. Those that a command has no use for are accepted there, and stand in no help.
//!
//! Whoever writes `arr $OPTIONS COMMAND` for several commands need not know which of them reads which option.

use super::{choose, parsers};
use crate::check::Settings;
use crate::check::setting::{MODE, SYSTEM, Setting, WIDTH};
use crate::promotion::systems;
use clap::builder::ValueParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use std::path::Path;

/// The last part of the arguments of a command: the shared options that none of its other parts has.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct UnheededOptions;

/// A shared option where nothing heeds it.
struct SharedOption {
    name: &'static str,
    /// The name of the argument, which is no other option's.
    id: &'static str,
    placeholder: &'static str,
    parser: ValueParser,
}

fn shared() -> [SharedOption; 4] {
    let option = |name, id, placeholder, parser| SharedOption { name, id, placeholder, parser };
    let mode = ValueParser::new(|text: &str| value(&MODE, text));
    let width = ValueParser::new(|text: &str| value(&WIDTH, text));
    let threads = ValueParser::new(|text: &str| parsers::threads(text).map(drop));
    [
        option(SYSTEM.name, "unheeded-system", SYSTEM.placeholder, ValueParser::new(system)),
        option(MODE.name, "unheeded-mode", MODE.placeholder, mode),
        option(WIDTH.name, "unheeded-width", WIDTH.placeholder, width),
        option("threads", "unheeded-threads", "N", threads),
    ]
}

/// A system by its name, or a file that is there. Nothing reads it.
fn system(text: &str) -> Result<(), String> {
    match systems::find(text).is_some() || Path::new(text).is_file() {
        true => Ok(()),
        false => Err(choose::no_system(text)),
    }
}

fn value(setting: &Setting, text: &str) -> Result<(), String> {
    setting.set(&mut Settings::default(), text)
}

impl Args for UnheededOptions {
    fn augment_args(command: Command) -> Command {
        shared().into_iter().fold(command, |command, SharedOption { name, id, placeholder, parser }| {
            let heeded = command.get_arguments().any(|known| known.get_long() == Some(name));
            if heeded {
                return command;
            }
            command.arg(Arg::new(id).long(name).value_name(placeholder).value_parser(parser).hide(true))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        UnheededOptions::augment_args(command)
    }
}

impl FromArgMatches for UnheededOptions {
    fn from_arg_matches(_: &ArgMatches) -> Result<UnheededOptions, clap::Error> {
        Ok(UnheededOptions)
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> Result<(), clap::Error> {
        Ok(())
    }
}
