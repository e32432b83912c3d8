//! The options that say under what programs are checked.

use crate::check::setting::{Form, SETTINGS, SYSTEM, Setting};
use crate::promotion::systems;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::path::{Path, PathBuf};

/// Under what programs are checked.
#[derive(Args, Debug, Default, Clone)]
pub(super) struct Rules {
    #[command(flatten)]
    pub(super) set: Given,
    /// A folder that `load` may read besides the script's own; may be given several times
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(super) allow_read: Vec<PathBuf>,
    /// Make a finding an error
    #[arg(long, value_name = "LINT")]
    pub(super) deny: Vec<String>,
    /// Make a finding a warning
    #[arg(long, value_name = "LINT")]
    pub(super) warn: Vec<String>,
    /// Silence a finding
    #[arg(long, value_name = "LINT")]
    pub(super) allow: Vec<String>,
}

impl Rules {
    /// The files that these options name.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        // The name of a system is no file, or none that is meant.
        self.set.value(&SYSTEM).into_iter().filter(|name| systems::find(name).is_none()).map(Path::new)
    }
}

/// The settings that options give, each with its value: an option for each row of [`SETTINGS`].
#[derive(Debug, Default, Clone)]
pub(super) struct Given(Vec<(&'static str, String)>);

impl Given {
    /// These settings, where they have values.
    pub(super) fn of(values: &[(&'static Setting, Option<String>)]) -> Given {
        let given = values.iter().filter_map(|(setting, value)| Some((setting.name, value.clone()?)));
        Given(given.collect())
    }

    /// What a setting was given.
    pub(super) fn value(&self, setting: &Setting) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == setting.name).map(|(_, value)| value.as_str())
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        SETTINGS.iter().fold(command, |command, setting| {
            let option = Arg::new(setting.name).long(setting.name).help(setting.option);
            command.arg(match setting.form {
                Form::Flag => option.action(ArgAction::SetTrue),
                Form::System | Form::Word | Form::Value => option.value_name(setting.placeholder),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Given::augment_args(command)
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given, clap::Error> {
        let value = |setting: &Setting| match setting.form {
            Form::Flag => matches.get_flag(setting.name).then(|| "on".to_owned()),
            Form::System | Form::Word | Form::Value => matches.get_one::<String>(setting.name).cloned(),
        };
        Ok(Given(SETTINGS.iter().filter_map(|setting| Some((setting.name, value(setting)?))).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Given::from_arg_matches(matches)?;
        Ok(())
    }
}
