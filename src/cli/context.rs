//! Under what scripts of a folder are checked: `arr.toml`, then the command line.

use super::args::Running;
use super::output;
use super::rules::Rules;
use crate::check::Settings;
use crate::diagnostic::Diagnostics;
use crate::io;
use crate::session::project::{self, Found};
use crate::session::{Reading, config};
use crate::source::Sources;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Settings, and which files may be read.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) settings: Settings,
    pub(super) reading: Reading,
}

impl Rules {
    /// The context of scripts in a folder; without one, of text that is in no file. The exit code when something in the
    /// options or in `arr.toml` is wrong, which was told.
    pub(super) fn context(&self, folder: Option<&Path>, running: Option<&Running>) -> Result<Context, u8> {
        running.map_or(Ok(()), Running::check_environment)?;
        self.context_under(configured(folder, &self.allow_read)?, running)
    }

    /// The context under what an `arr.toml` says.
    fn context_under(&self, config: config::Config, running: Option<&Running>) -> Result<Context, u8> {
        let mut base = Settings::default();
        config.apply(&mut base);
        let mut reading = self.reading(running);
        reading.allowed.extend(config.allow_read);
        Ok(Context { settings: self.settings_over(base)?, reading })
    }
}

/// Which `arr.toml` holds for a folder: the one that `ARR_CONFIG` names, or the nearest one.
fn found(folder: Option<&Path>) -> Found {
    match std::env::var_os("ARR_CONFIG") {
        Some(name) if name.is_empty() => Found::Nothing,
        Some(name) => Found::File(name.into()),
        None => project::find(folder),
    }
}

/// The file with the rules of a folder, followed or not.
pub(super) fn rules_file(folder: Option<&Path>) -> Option<PathBuf> {
    match found(folder) {
        Found::File(path) | Found::Strange(path, _) => Some(path),
        Found::Nothing => None,
    }
}

/// What the nearest `arr.toml` above a folder says, or the file that `ARR_CONFIG` names; it may lead to `allowed`
/// folders too. Nothing without one.
pub(super) fn configured(folder: Option<&Path>, allowed: &[PathBuf]) -> Result<config::Config, u8> {
    let (mut sources, mut sink) = (Sources::new(), Diagnostics::new());
    read(folder, allowed, &mut sources, &mut sink).inspect_err(|_| output::diagnostics(&sink, &sources))
}

/// The same; what is wrong with the file is in the sink.
fn read(
    folder: Option<&Path>,
    allowed: &[PathBuf],
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Result<config::Config, u8> {
    let path = match found(folder) {
        Found::Nothing => return Ok(config::Config::default()),
        Found::File(path) => path,
        Found::Strange(path, owner) => {
            let owner = owner.map_or_else(|| "somebody else".to_owned(), |owner| format!("user {owner}"));
            let name = io::error::shown(&path);
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
    known: HashMap<Option<PathBuf>, Result<Context, u8>>,
}

impl<'a> Contexts<'a> {
    /// None yet.
    pub(super) fn new(rules: &'a Rules) -> Contexts<'a> {
        Contexts { rules, known: HashMap::new() }
    }

    /// The context of a script; what is wrong with its `arr.toml` is put with the findings, once.
    pub(super) fn of(&mut self, script: &Path, sources: &mut Sources, sink: &mut Diagnostics) -> Result<Context, u8> {
        let (rules, folder) = (self.rules, script.parent());
        let known = self.known.entry(rules_file(folder));
        let new = || rules.context_under(read(folder, &rules.allow_read, sources, sink)?, None);
        known.or_insert_with(new).clone()
    }
}
