//! The settings that a script is checked under: system, mode, default width, levels of findings.

use crate::diagnostic::Level;
use crate::diagnostic::codes::Row;
use crate::promotion::systems::{self, System};
use crate::promotion::verdict::Mode;
use crate::types::{DType, Elem};
use std::collections::BTreeMap;

/// Levels that the user set for single findings. They win over the mode.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    set: Vec<(&'static str, Level)>,
    /// Whether nothing is refused: findings that would be errors are warnings.
    refuse_nothing: bool,
}

impl Levels {
    /// Sets the level of the finding with this row; later calls win.
    pub fn set(&mut self, row: &'static Row, level: Level) {
        self.set.push((row.name, level));
    }

    /// The level of a finding in a mode.
    pub fn of(&self, row: &Row, mode: Mode) -> Level {
        let level = self.chosen(row).unwrap_or(row.levels[mode as usize]);
        if self.refuse_nothing { level.min(Level::Warn) } else { level }
    }

    /// Says whether nothing is refused from now on; answers what was said before.
    pub(in crate::check) fn refuse_nothing(&mut self, nothing: bool) -> bool {
        std::mem::replace(&mut self.refuse_nothing, nothing)
    }

    /// The level of a finding, if the user set one.
    pub fn chosen(&self, row: &Row) -> Option<Level> {
        self.set.iter().rev().find(|(name, _)| *name == row.name).map(|&(_, level)| level)
    }
}

/// The words that were chosen for settings whose rows list them.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Settings with their words.
    chosen: BTreeMap<&'static str, &'static str>,
}

impl Choices {
    /// The word that was chosen for this setting, if one was.
    pub(super) fn of(&self, setting: &str) -> Option<&'static str> {
        self.chosen.get(setting).copied()
    }

    /// Chooses a word; later calls win.
    pub(super) fn choose(&mut self, setting: &'static str, word: &'static str) {
        self.chosen.insert(setting, word);
    }
}

/// System, mode, width and levels.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The promotion system.
    pub system: &'static System,
    /// The mode.
    pub mode: Mode,
    /// The default width in bits, if it is not the system's own.
    pub width: Option<u32>,
    /// Levels set one by one.
    pub levels: Levels,
    /// Whether run-time faults are errors.
    pub checked: bool,
    /// What was chosen of settings whose values are words, and that have no field here.
    pub choices: Choices,
    /// Which came from the command line, and win over the script's own line.
    pub fixed: FixedSettings,
}

/// Which settings the command line has decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixedSettings {
    /// A bit for each of the rows of [`super::setting::SETTINGS`].
    pub(super) rows: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            system: systems::default(),
            mode: Mode::All,
            width: None,
            levels: Levels::default(),
            checked: false,
            choices: Choices::default(),
            fixed: FixedSettings::default(),
        }
    }
}

impl Settings {
    /// The dtype of a type when nothing else decides.
    pub fn harden(&self, elem: Elem) -> DType {
        match (self.width, elem) {
            (_, Elem::Strong(dtype)) => dtype,
            (Some(32), Elem::WeakInt) => DType::I32,
            (Some(32), Elem::WeakFloat) => DType::F32,
            (Some(32), Elem::WeakComplex) => DType::C64,
            (Some(64), Elem::WeakInt) => DType::I64,
            (Some(64), Elem::WeakFloat) => DType::F64,
            (Some(64), Elem::WeakComplex) => DType::C128,
            _ => self.system.harden(elem),
        }
    }

    /// The level of a finding here.
    pub fn level(&self, row: &Row) -> Level {
        self.levels.of(row, self.mode)
    }
}
