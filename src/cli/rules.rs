//! The options that say under what programs are checked.

use crate::check::setting::{SETTINGS, SYSTEM, Setting, SettingForm};
use crate::diagnostic::Level;
use crate::promotion::systems;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::path::{Path, PathBuf};

/// Under what programs are checked.
#[derive(Args, Debug, Default, Clone)]
pub(super) struct Rules {
    #[command(flatten)]
    pub(super) set: SettingOptions,
    /// A folder that `load` may read besides the script's own; may be given several times
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(super) allow_read: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) levels: LevelOptions,
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
pub(super) struct SettingOptions(Vec<(&'static str, String)>);

impl SettingOptions {
    /// Those of these settings that have values.
    pub(super) fn of(values: &[(&'static Setting, Option<String>)]) -> SettingOptions {
        let given = values.iter().filter_map(|(setting, value)| Some((setting.name, value.clone()?)));
        SettingOptions(given.collect())
    }

    /// What a setting was given.
    pub(super) fn value(&self, setting: &Setting) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == setting.name).map(|(_, value)| value.as_str())
    }

    /// The first option that is given, without its dashes.
    pub(super) fn first(&self) -> Option<&'static str> {
        self.0.first().map(|(name, _)| *name)
    }
}

impl Args for SettingOptions {
    fn augment_args(command: Command) -> Command {
        SETTINGS.iter().fold(command, |command, setting| {
            let option = Arg::new(setting.name).long(setting.name).help(setting.option);
            command.arg(match setting.form {
                SettingForm::Flag => option.action(ArgAction::SetTrue),
                SettingForm::System | SettingForm::Word | SettingForm::Value => option.value_name(setting.placeholder),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        SettingOptions::augment_args(command)
    }
}

impl FromArgMatches for SettingOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SettingOptions, clap::Error> {
        let value = |setting: &Setting| match setting.form {
            SettingForm::Flag => matches.get_flag(setting.name).then(|| "on".to_owned()),
            SettingForm::System | SettingForm::Word | SettingForm::Value => {
                matches.get_one::<String>(setting.name).cloned()
            }
        };
        Ok(SettingOptions(SETTINGS.iter().filter_map(|setting| Some((setting.name, value(setting)?))).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SettingOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The levels that options give to findings, in the order in which they are typed. The last one for a finding holds.
#[derive(Debug, Default, Clone)]
pub(super) struct LevelOptions(Vec<(Level, String)>);

/// The options, each with its level and its help.
const LEVEL_OPTIONS: [(&str, Level, &str); 3] = [
    ("deny", Level::Deny, "Make a finding an error"),
    ("warn", Level::Warn, "Make a finding a warning"),
    ("allow", Level::Allow, "Silence a finding"),
];

impl LevelOptions {
    /// The levels and the names of findings, as they are typed.
    pub(super) fn given(&self) -> impl Iterator<Item = (Level, &str)> {
        self.0.iter().map(|(level, name)| (*level, name.as_str()))
    }
}

impl Args for LevelOptions {
    fn augment_args(command: Command) -> Command {
        LEVEL_OPTIONS.iter().fold(command, |command, &(name, _, help)| {
            command.arg(Arg::new(name).long(name).value_name("LINT").action(ArgAction::Append).help(help))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        LevelOptions::augment_args(command)
    }
}

impl FromArgMatches for LevelOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<LevelOptions, clap::Error> {
        let mut given: Vec<(usize, Level, String)> = Vec::new();
        for (name, level, _) in LEVEL_OPTIONS {
            let places = matches.indices_of(name).into_iter().flatten();
            let findings = matches.get_many::<String>(name).into_iter().flatten();
            given.extend(places.zip(findings).map(|(place, finding)| (place, level, finding.clone())));
        }
        given.sort_by_key(|&(place, _, _)| place);
        Ok(LevelOptions(given.into_iter().map(|(_, level, finding)| (level, finding)).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = LevelOptions::from_arg_matches(matches)?;
        Ok(())
    }
}
