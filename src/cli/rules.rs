//! The options that say under what programs are checked, and the settings that they make.

use super::args::Running;
use super::{choose, memory, output};
use crate::check::Settings;
use crate::diagnostic::{Level, codes};
use crate::promotion::systems;
use crate::promotion::verdict::Mode;
use crate::session::Reading;
use clap::Args;
use std::path::{Path, PathBuf};

/// Under what programs are checked.
#[derive(Args, Debug, Default, Clone)]
pub(super) struct Rules {
    /// The promotion system, or a file with one of your own [default: jax]
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub(super) system: Option<String>,
    /// What implicit promotion may do: all, safe or none [default: all]
    #[arg(long, value_name = "MODE")]
    pub(super) mode: Option<String>,
    /// Default width of weak values in bits: 32 or 64 [default: the system's]
    #[arg(long, value_name = "BITS")]
    pub(super) width: Option<u32>,
    /// Make overflow, division by zero and lossy casts of integers errors
    #[arg(long)]
    pub(super) checked: bool,
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
        self.system.iter().filter(|name| systems::find(name).is_none()).map(Path::new)
    }

    /// How files are read.
    pub(super) fn reading(&self, running: Option<&Running>) -> Reading {
        Reading {
            copy: running.is_some_and(|running| running.copy),
            max_bytes: running.and_then(|running| running.max_mem).or_else(memory::ceiling),
            allowed: self.allow_read.clone(),
            stop: None,
            table: running.map(Running::tables).unwrap_or_default(),
            format: running.and_then(|running| running.format_in),
        }
    }

    /// The settings, or the exit code when the options are wrong.
    pub(super) fn settings(&self) -> Result<Settings, u8> {
        self.settings_over(Settings::default())
    }

    /// The settings where others hold otherwise, or the exit code when the options are wrong.
    pub(super) fn settings_over(&self, mut settings: Settings) -> Result<Settings, u8> {
        if let Some(name) = &self.system {
            settings.system = choose::system(name)?;
            settings.fixed.system = true;
        }
        self.set(&mut settings).map_err(|message| output::usage(&message))?;
        Ok(settings)
    }

    /// Everything but the system.
    fn set(&self, settings: &mut Settings) -> Result<(), String> {
        if let Some(name) = &self.mode {
            settings.mode =
                Mode::find(name).ok_or_else(|| format!("there is no mode `{name}`; there is all, safe, none"))?;
            settings.fixed.mode = true;
        }
        match self.width {
            None => {}
            Some(_) if !settings.system.width_option => {
                return Err(format!("the default width of `{}` cannot be changed", settings.system.name));
            }
            Some(width @ (32 | 64)) => {
                settings.width = Some(width);
                settings.fixed.width = true;
            }
            Some(width) => return Err(format!("the width is 32 or 64, not {width}")),
        }
        settings.checked |= self.checked;
        for (names, level) in [(&self.deny, Level::Deny), (&self.warn, Level::Warn), (&self.allow, Level::Allow)] {
            for name in names {
                let row = codes::find(name).filter(|row| row.levels != [Level::Deny; 3]);
                settings.levels.set(row.ok_or_else(|| format!("there is no finding `{name}`"))?, level);
            }
        }
        Ok(())
    }
}
