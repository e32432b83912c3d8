//! The rules of a check of scripts: `arr.toml`, then the command line.

use super::args::ExecutionArgs;
use super::rules::Rules;
use super::{choose, memory, output};
use crate::check::Settings;
use crate::check::setting::{SETTINGS, SettingForm, WIDTH};
use crate::diagnostic::{Diagnostics, Level, Outcome, codes, suggest};
use crate::io;
use crate::promotion::systems::System;
use crate::session::project::{self, ProjectFile};
use crate::session::{ReadPolicy, config};
use crate::source::Sources;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Settings, and which files may be read.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) settings: Settings,
    pub(super) reading: ReadPolicy,
}

impl Rules {
    /// The context of scripts in a folder; without one, of text that is in no file. If something in the options or in
    /// `arr.toml` is wrong, that is told, and the error is how the command ends.
    pub(super) fn context(&self, folder: Option<&Path>, running: Option<&ExecutionArgs>) -> Result<Context, Outcome> {
        running.map_or(Ok(()), ExecutionArgs::check_environment)?;
        self.context_under(configuration(folder, &self.allow_read)?, running)
    }

    /// The context under what an `arr.toml` says.
    fn context_under(&self, config: config::Config, running: Option<&ExecutionArgs>) -> Result<Context, Outcome> {
        let mut base = Settings::default();
        config.apply(&mut base);
        let mut reading = self.reading(running);
        reading.allowed.extend(config.allow_read);
        Ok(Context { settings: self.settings_over(base)?, reading })
    }
}

impl Rules {
    /// How files are read.
    pub(super) fn reading(&self, running: Option<&ExecutionArgs>) -> ReadPolicy {
        ReadPolicy {
            copy: running.is_some_and(|running| running.copy),
            max_bytes: running.and_then(|running| running.max_mem).or_else(memory::ceiling),
            allowed: self.allow_read.clone(),
            by_user: false,
            stop: None,
            windows: None,
            table: running.map(ExecutionArgs::tables).unwrap_or_default(),
            format: running.and_then(|running| running.format_in),
        }
    }

    /// The settings. If the options are wrong, the error is how the command ends.
    pub(super) fn settings(&self) -> Result<Settings, Outcome> {
        self.settings_over(Settings::default())
    }

    /// The settings where `settings` hold otherwise. If the options are wrong, the error is how the command ends.
    pub(super) fn settings_over(&self, mut settings: Settings) -> Result<Settings, Outcome> {
        for setting in SETTINGS {
            let Some(value) = self.set.value(setting) else { continue };
            match setting.form {
                SettingForm::System => settings.system = choose::system(value)?,
                SettingForm::Word | SettingForm::Flag | SettingForm::Value => {
                    setting.set(&mut settings, value).map_err(|message| output::usage(&message))?;
                }
            }
            settings.fixed.add(setting);
        }
        self.set_levels(&mut settings).map_err(|message| output::usage(&message))?;
        Ok(settings)
    }

    fn set_levels(&self, settings: &mut Settings) -> Result<(), String> {
        for (level, name) in self.levels.given() {
            let row = codes::find(name).filter(|row| row.levels != [Level::Deny; 3]);
            settings.levels.set(row.ok_or_else(|| no_finding(name))?, level);
        }
        Ok(())
    }
}

/// What is said of a name that no finding has.
fn no_finding(name: &str) -> String {
    match suggest::closest(name, codes::findings().map(|row| row.name)) {
        Some(near) => format!("there is no finding `{name}`; there is `{near}`"),
        None => format!("there is no finding `{name}`"),
    }
}

/// Which `arr.toml` holds for a folder: the one that `ARR_CONFIG` names, or the nearest one.
fn found(folder: Option<&Path>) -> ProjectFile {
    match std::env::var_os("ARR_CONFIG") {
        Some(name) if name.is_empty() => ProjectFile::Nothing,
        Some(name) => ProjectFile::File(name.into()),
        None => project::find(folder),
    }
}

/// What the nearest `arr.toml` above a folder says, or the file that `ARR_CONFIG` names; it may lead to `allowed`
/// folders too. Nothing without one.
pub(super) fn configuration(folder: Option<&Path>, allowed: &[PathBuf]) -> Result<config::Config, Outcome> {
    let (mut sources, mut sink) = (Sources::new(), Diagnostics::new());
    read(found(folder), allowed, &mut sources, &mut sink).inspect_err(|_| output::diagnostics(&sink, &sources))
}

/// What a file says; what is wrong with it is in the sink.
fn read(
    file: ProjectFile,
    allowed: &[PathBuf],
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Result<config::Config, Outcome> {
    let path = match file {
        ProjectFile::Nothing => return Ok(config::Config::default()),
        ProjectFile::File(path) => path,
        ProjectFile::Strange(path, owner) => {
            let owner = owner.map_or_else(|| "somebody else".to_owned(), |owner| format!("user {owner}"));
            let name = io::error::printable_path(&path);
            output::notes(&[format!("{name} belongs to {owner} and is not followed; `ARR_CONFIG={name}` follows it")]);
            return Ok(config::Config::default());
        }
    };
    let mut found = Diagnostics::new();
    let config = config::Config::read(&path, allowed, sources, &mut found);
    found.sort();
    sink.append(found);
    config
}

/// The contexts of many scripts, found once for each `arr.toml`.
pub(super) struct Contexts<'a> {
    rules: &'a Rules,
    /// The `arr.toml` of each folder.
    files: HashMap<Option<PathBuf>, ProjectFile>,
    known: HashMap<ProjectFile, Result<Context, Outcome>>,
}

impl<'a> Contexts<'a> {
    /// None yet.
    pub(super) fn new(rules: &'a Rules) -> Contexts<'a> {
        Contexts { rules, files: HashMap::new(), known: HashMap::new() }
    }

    /// The context of a script; what is wrong with its `arr.toml` is put with the findings, once.
    pub(super) fn of(
        &mut self,
        script: &Path,
        sources: &mut Sources,
        sink: &mut Diagnostics,
    ) -> Result<Context, Outcome> {
        let rules = self.rules;
        let file = self.file(script.parent()).clone();
        let new = || rules.context_under(read(file.clone(), &rules.allow_read, sources, sink)?, None);
        self.known.entry(file.clone()).or_insert_with(new).clone()
    }

    fn file(&mut self, folder: Option<&Path>) -> &ProjectFile {
        self.files.entry(folder.map(Path::to_path_buf)).or_insert_with(|| found(folder))
    }

    /// The file with the rules of a folder, followed or not.
    pub(super) fn rules_file(&mut self, folder: Option<&Path>) -> Option<PathBuf> {
        match self.file(folder) {
            ProjectFile::File(path) | ProjectFile::Strange(path, _) => Some(path.clone()),
            ProjectFile::Nothing => None,
        }
    }
}

/// The system that an option names, that of `arr.toml`, or the default.
pub(super) fn system_or_default(name: Option<&str>) -> Result<&'static System, Outcome> {
    match name {
        Some(name) => choose::system(name),
        None => {
            let mut settings = Settings::default();
            configuration(None, &[])?.apply(&mut settings);
            Ok(settings.system)
        }
    }
}

/// A system with a default width. If the system does not let it be changed, that is told, and the error is how the
/// command ends.
pub(super) fn of_width(system: &'static System, width: Option<&str>) -> Result<Settings, Outcome> {
    let mut settings = Settings { system, ..Settings::default() };
    let set = width.map_or(Ok(()), |width| WIDTH.set(&mut settings, width));
    set.map(|()| settings).map_err(|message| output::usage(&message))
}
