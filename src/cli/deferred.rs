//! Arguments of a command, described only when that command is meant.
//!
//! All commands together have hundreds of arguments, and describing them takes longer than to check a line.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Id};

/// The arguments of a command.
#[derive(Debug)]
pub(super) struct DeferredArgs<T>(pub(super) T);

/// Describes a command, which keeps its summary: arguments that it has in common with others come with one of their
/// own.
fn with_its_summary(command: Command, describe: fn(Command) -> Command) -> Command {
    let summary = command.get_about().cloned();
    let described = describe(command);
    match summary {
        Some(summary) => described.about(summary),
        None => described,
    }
}

impl<T: Args> Args for DeferredArgs<T> {
    fn group_id() -> Option<Id> {
        T::group_id()
    }

    fn augment_args(command: Command) -> Command {
        command.defer(|command| with_its_summary(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| with_its_summary(command, T::augment_args_for_update))
    }
}

impl<T: FromArgMatches> FromArgMatches for DeferredArgs<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(DeferredArgs)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(DeferredArgs)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
