//! Under what scripts of a folder are checked: `arr.toml`, then the command line.

use super::args::Running;
use super::output;
use super::rules::Rules;
use crate::check::Settings;
use crate::diagnostic::Diagnostics;
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
        let config = configured(folder, &self.allow_read)?;
        let mut base = Settings::default();
        config.apply(&mut base);
        let mut reading = self.reading(running);
        reading.allowed.extend(config.allow_read);
        Ok(Context { settings: self.settings_over(base)?, reading })
    }
}

/// What the nearest `arr.toml` above a folder says, which may lead to `allowed` folders too; nothing without one.
pub(super) fn configured(folder: Option<&Path>, allowed: &[PathBuf]) -> Result<config::Config, u8> {
    let Some(path) = config::find(folder) else { return Ok(config::Config::default()) };
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    config::Config::read(&path, allowed, &mut sources, &mut found).inspect_err(|_| {
        found.sort();
        output::diagnostics(&found, &sources);
    })
}

/// The contexts of many scripts, found once for each folder.
pub(super) struct Contexts<'a> {
    rules: &'a Rules,
    known: HashMap<PathBuf, Result<Context, u8>>,
}

impl<'a> Contexts<'a> {
    /// None yet.
    pub(super) fn new(rules: &'a Rules) -> Contexts<'a> {
        Contexts { rules, known: HashMap::new() }
    }

    /// The context of a script; what is wrong with a folder's is told once.
    pub(super) fn of(&mut self, script: &Path) -> Result<Context, u8> {
        let folder = script.parent().unwrap_or(Path::new(""));
        let found = self.known.entry(folder.to_path_buf());
        found.or_insert_with(|| self.rules.context(Some(folder), None)).clone()
    }
}
