//! The settings, a row each. A row says who may set it, of scripts, `arr.toml`, the command line and the REPL, and
//! documents it.
//!
//! A row says how a setting is written and what it does to [`Settings`]; the places where settings are read go through
//! the rows. So one row makes a setting of the language, a key, an option, a line of `:set`, words to complete, and
//! documentation. Where its values are words, the row says them, and whoever heeds the setting asks the row.
//!
//! ```
//! use arrlang::check::{Settings, setting};
//! let mut settings = Settings::default();
//! assert!(setting::MODE.set(&mut settings, "safe").is_ok());
//! assert_eq!(setting::MODE.show(&settings), "safe");
//! assert!(setting::RANDOM.is(&settings, "partitionable"));
//! assert!(setting::WIDTH.set(&mut settings, "48").is_err());
//! ```

use super::settings::{FixedSettings, Settings};
use crate::promotion::systems;
use crate::promotion::verdict::Mode;
use std::fmt;

/// How a setting is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingForm {
    /// In scripts one of its words alone, `jax`; or a file between quotes, which each place looks for by its own rules.
    System,
    /// In scripts it is one of its words alone, `safe`. Elsewhere it is a value.
    Word,
    /// In scripts its name alone, `checked`, which turns it on; on the command line an option without a value.
    Flag,
    /// Its name and a value, `width=32`.
    Value,
}

/// Where the value of a setting lies.
#[derive(Debug)]
pub enum SettingStore {
    /// Among the choices of [`Settings`], as one of these words: the first, unless another one was chosen.
    Choice {
        /// All words.
        words: &'static [&'static str],
        /// How a sentence about another one begins: `keys count as`.
        subject: &'static str,
    },
    /// In a field of [`Settings`].
    Field {
        /// The values that can be listed.
        words: fn() -> Vec<&'static str>,
        /// Its value.
        show: fn(&Settings) -> String,
        /// Gives it a value. If that is none for it, the error is a sentence that says so.
        set: fn(&mut Settings, &str) -> Result<(), String>,
    },
}

/// What is known of a setting.
pub struct Setting {
    /// `width`
    pub name: &'static str,
    /// How it is written.
    pub form: SettingForm,
    /// What stands for the value in the usage of the command.
    pub placeholder: &'static str,
    /// What its option does, for `--help`.
    pub option: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// The values that there are, in words.
    pub values: &'static str,
    /// A line of `arr.toml`.
    pub example: &'static str,
    /// Where its value lies.
    pub store: SettingStore,
}

impl Setting {
    /// The values that can be listed.
    pub fn words(&self) -> Vec<&'static str> {
        match self.store {
            SettingStore::Choice { words, .. } => words.to_vec(),
            SettingStore::Field { words, .. } => words(),
        }
    }

    /// Its value.
    pub fn show(&self, settings: &Settings) -> String {
        match self.store {
            SettingStore::Choice { words, .. } => settings.choices.of(self.name).unwrap_or(words[0]).to_owned(),
            SettingStore::Field { show, .. } => show(settings),
        }
    }

    /// Whether this word is its value.
    pub fn is(&self, settings: &Settings, word: &str) -> bool {
        self.show(settings) == word
    }

    /// Gives it a value.
    ///
    /// # Errors
    /// A sentence when that is none for it.
    pub fn set(&self, settings: &mut Settings, value: &str) -> Result<(), String> {
        match self.store {
            SettingStore::Choice { words, subject } => {
                let value = if self.form == SettingForm::Flag { word(truth(value)?) } else { value };
                let known = words.iter().copied().find(|known| *known == value);
                let known = known.ok_or_else(|| format!("{subject} {}, not `{value}`", self.values))?;
                settings.choices.choose(self.name, known);
                Ok(())
            }
            SettingStore::Field { set, .. } => set(settings, value),
        }
    }
}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Setting").field(&self.name).finish()
    }
}

/// Which dtypes operands meet as.
pub const SYSTEM: Setting = Setting {
    name: "system",
    form: SettingForm::System,
    placeholder: "NAME|FILE.toml",
    option: "The promotion system, or a file with one of your own [default: jax]",
    summary: "promotion system",
    values: "a name or FILE.toml",
    example: "system = \"jax\"",
    store: SettingStore::Field {
        words: || systems::ALL.iter().map(|system| system.name).collect(),
        show: |settings| settings.system.name.to_owned(),
        set: |settings, value| {
            settings.system = systems::find(value).ok_or_else(|| format!("there is no promotion system `{value}`"))?;
            Ok(())
        },
    },
};

/// What implicit promotion may do.
pub const MODE: Setting = Setting {
    name: "mode",
    form: SettingForm::Word,
    placeholder: "MODE",
    option: "What implicit promotion may do: all, safe or none [default: all]",
    summary: "how strict the check of promotions is",
    values: "all, safe or none",
    example: "mode = \"safe\"",
    store: SettingStore::Field {
        words: || Mode::ALL.iter().map(|mode| mode.name()).collect(),
        show: |settings| settings.mode.name().to_owned(),
        set: |settings, value| {
            let mode = Mode::find(value);
            settings.mode = mode.ok_or_else(|| format!("there is no mode `{value}`; there is all, safe, none"))?;
            Ok(())
        },
    },
};

/// The dtypes of literals that nothing else decides.
pub const WIDTH: Setting = Setting {
    name: "width",
    form: SettingForm::Value,
    placeholder: "BITS",
    option: "Default width of weak values in bits: 32 or 64 [default: the system's]",
    summary: "default width of weak values",
    values: "32, 64 or own",
    example: "width = 32",
    store: SettingStore::Field {
        words: || vec!["32", "64", "own"],
        show: |settings| settings.width.map_or("own".to_owned(), |width| width.to_string()),
        set: |settings, value| {
            let width = match value {
                "own" => None,
                "32" => Some(32),
                "64" => Some(64),
                _ => return Err(format!("the width is 32, 64 or own, not `{value}`")),
            };
            if width.is_some() && !settings.system.widths.is_option {
                return Err(format!("the default width of `{}` cannot be changed", settings.system.name));
            }
            settings.width = width;
            Ok(())
        },
    },
};

/// What integers do that do not fit.
pub const CHECKED: Setting = Setting {
    name: "checked",
    form: SettingForm::Flag,
    placeholder: "",
    option: "Make overflow, division by zero and lossy casts of integers errors",
    summary: "whether integer overflow is an error",
    values: "on or off",
    example: "checked = true",
    store: SettingStore::Field {
        words: || vec!["on", "off"],
        show: |settings| word(settings.checked).to_owned(),
        set: |settings, value| {
            settings.checked = truth(value)?;
            Ok(())
        },
    },
};

/// Which bits random numbers have.
pub const RANDOM: Setting = Setting {
    name: "random",
    form: SettingForm::Value,
    placeholder: "COUNTING",
    option: "How keys count: partitionable, or original, the bits of JAX before 0.5 [default: partitionable]",
    summary: "which bits random numbers have",
    values: "partitionable or original",
    example: "random = \"original\"",
    store: SettingStore::Choice { words: &["partitionable", "original"], subject: "keys count as" },
};

/// All settings. Those that others depend on come first: the system says whether there is a width.
pub static SETTINGS: &[Setting] = &[
    SYSTEM,
    MODE,
    WIDTH,
    CHECKED,
    RANDOM,
    #[cfg(test)]
    tests::LENIENT,
];

/// The setting of this name.
pub fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// The setting that a word of a `promotion` line sets by itself, and to what.
pub fn of_word(word: &str) -> Option<(&'static Setting, &'static str)> {
    SETTINGS.iter().find_map(|setting| match setting.form {
        SettingForm::System | SettingForm::Word => {
            setting.words().into_iter().find(|known| *known == word).map(|known| (setting, known))
        }
        SettingForm::Flag => (setting.name == word).then_some((setting, "on")),
        SettingForm::Value => None,
    })
}

/// What may stand in a `promotion` line.
pub fn words() -> impl Iterator<Item = String> {
    SETTINGS.iter().flat_map(|setting| match setting.form {
        SettingForm::System | SettingForm::Word => setting.words().into_iter().map(str::to_owned).collect(),
        SettingForm::Flag => vec![setting.name.to_owned()],
        SettingForm::Value => vec![format!("{}=", setting.name)],
    })
}

/// `on` or `off`
pub fn word(truth: bool) -> &'static str {
    if truth { "on" } else { "off" }
}

/// Reads what turns something on or off.
///
/// # Errors
/// A sentence about any other word.
pub fn truth(value: &str) -> Result<bool, String> {
    match value {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        _ => Err(format!("it is on or off, not `{value}`")),
    }
}

impl FixedSettings {
    /// Whether the command line gave this setting.
    pub fn has(self, setting: &Setting) -> bool {
        self.rows & bit(setting) != 0
    }

    /// The command line gave this setting: scripts do not change it any more.
    pub fn add(&mut self, setting: &Setting) {
        self.rows |= bit(setting);
    }
}

fn bit(setting: &Setting) -> u32 {
    SETTINGS.iter().position(|row| row.name == setting.name).map_or(0, |at| 1 << at)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::diagnostic::Level;
    use crate::diagnostic::codes::dtypes::PRECISION_LOSS;

    /// A setting that the language does not have: what this row brings with it is what any row does.
    pub(crate) const LENIENT: Setting = Setting {
        name: "lenient",
        form: SettingForm::Flag,
        placeholder: "",
        option: "Say nothing about lost precision",
        summary: "whether lost precision is nothing to mention",
        values: "on or off",
        example: "lenient = true",
        store: SettingStore::Field {
            words: || vec!["on", "off"],
            show: |settings| word(settings.levels.chosen(&PRECISION_LOSS) == Some(Level::Allow)).to_owned(),
            set: |settings, value| {
                let level = if truth(value)? { Level::Allow } else { Level::Warn };
                settings.levels.set(&PRECISION_LOSS, level);
                Ok(())
            },
        },
    };

    #[test]
    fn every_row_shows_what_it_was_given() {
        for setting in SETTINGS {
            for value in setting.words() {
                let mut settings = Settings::default();
                setting.set(&mut settings, value).unwrap();
                assert_eq!(setting.show(&settings), value, "{}", setting.name);
            }
            assert!(setting.set(&mut Settings::default(), "no such value").is_err(), "{}", setting.name);
        }
    }

    #[test]
    fn a_row_of_words_needs_no_field() {
        let flag =
            Setting { store: SettingStore::Choice { words: &["off", "on"], subject: "" }, name: "quick", ..LENIENT };
        let mut settings = Settings::default();
        assert!(flag.is(&settings, "off"));
        flag.set(&mut settings, "yes").unwrap();
        assert!(flag.is(&settings, "on") && RANDOM.is(&settings, "partitionable"));
        assert_eq!(flag.set(&mut settings, "maybe").unwrap_err(), "it is on or off, not `maybe`");
        RANDOM.set(&mut settings, "original").unwrap();
        assert!(flag.is(&settings, "on") && RANDOM.is(&settings, "original"));
        let refused = RANDOM.set(&mut settings, "new").unwrap_err();
        assert_eq!(refused, "keys count as partitionable or original, not `new`");
    }
}
