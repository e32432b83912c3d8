//! `arr.toml`: the rules of the scripts in a folder. They hold below it too.
//!
//! ```toml
//! system = "jax"              # or "FILE.toml", below this file's folder
//! mode = "safe"
//! width = 32
//! checked = true
//! allow-read = ["data"]       # from this file's folder, in the same project
//!
//! [lints]
//! precision-loss = "deny"
//! ```
//!
//! The nearest file above a script holds ([`super::project`]). The script's own `promotion` line and the command line
//! win over it. It leads no further than a script may: to files below its own folder, and below those that may be read.

use super::lattice::named_system;
use super::project::{self, NAME};
use crate::check::Settings;
use crate::check::setting::{self, SETTINGS, Setting, SettingForm};
use crate::diagnostic::codes::{self, Row, running};
use crate::diagnostic::{Diagnostic, Diagnostics, Edit, Fix, Level, Outcome, suggest};
use crate::io::{self, Roots};
use crate::promotion::systems::{self, System};
use crate::source::{SourceId, Sources, Span};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What such a file says.
#[derive(Debug, Default, Clone)]
pub struct Config {
    system: Option<&'static System>,
    /// The other settings, with their values, in the order of the rows.
    set: Vec<(&'static Setting, String)>,
    levels: Vec<(&'static Row, Level)>,
    /// Folders that scripts may read besides their own.
    pub allow_read: Vec<PathBuf>,
}

impl Config {
    /// Reads a file, which may lead below its own folder and `allowed` ones.
    ///
    /// # Errors
    /// How it ended, when it cannot be read or something in it is wrong; why is in the sink.
    pub fn read(
        path: &Path,
        allowed: &[PathBuf],
        sources: &mut Sources,
        sink: &mut Diagnostics,
    ) -> Result<Config, Outcome> {
        let (folder, name) = (path.parent().unwrap_or(Path::new("")), shown(path));
        let text = super::text::settings(path, &name, Some(&Roots::new(Some(folder), allowed)), sink)?;
        let source = sources.add(name.clone(), text.clone());
        let mut found = Diagnostics::new();
        let mut reader = ConfigReader {
            source,
            folder,
            root: project::root(path),
            allowed,
            sources,
            sink: &mut found,
            outcome: Outcome::Done,
        };
        let mut config = Config::default();
        match DeTable::parse(&text) {
            Ok(table) => reader.read(&table, &mut config),
            Err(error) => {
                let span = error.span().unwrap_or(0..text.len());
                reader.refuse::<()>(&span, error.message());
            }
        }
        let outcome = reader.outcome;
        // A link may lead to a file that is something else: nothing of that is shown.
        if !outcome.is_done() && path.canonicalize().is_ok_and(|real| real.file_name() != Some(NAME.as_ref())) {
            let message = format!("`{name}` leads to a file of another name, and something is wrong with that");
            found = Diagnostics::new();
            let told = Diagnostic::unlocated(&running::BAD_CONFIG_FILE, message).about(&name);
            found.push(told.help(format!("call it `{NAME}` too")));
        }
        sink.append(found);
        if outcome.is_done() { Ok(config) } else { Err(outcome) }
    }

    /// Gives settings what the file says.
    ///
    /// # Panics
    /// Never: each value was tried when the file was read.
    pub fn apply(&self, settings: &mut Settings) {
        settings.system = self.system.unwrap_or(settings.system);
        for (setting, value) in &self.set {
            setting.set(settings, value).expect("it was tried when the file was read");
        }
        for (row, level) in &self.levels {
            settings.levels.set(row, *level);
        }
    }
}

/// A file as messages call it: from the working directory where it lies below that.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).ok();
    let below = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    io::error::printable_path(below.unwrap_or(path))
}

struct ConfigReader<'r> {
    source: SourceId,
    folder: &'r Path,
    allowed: &'r [PathBuf],
    /// Folders outside of it are not for this file to grant.
    root: PathBuf,
    sources: &'r mut Sources,
    sink: &'r mut Diagnostics,
    outcome: Outcome,
}

impl ConfigReader<'_> {
    fn read(&mut self, table: &Spanned<DeTable<'_>>, config: &mut Config) {
        let known = |name: &str| table.get_ref().iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value);
        // What else may be read is known before the system is.
        if let Some(value) = known("allow-read") {
            self.folders(value, &mut config.allow_read);
        }
        for setting in SETTINGS {
            let Some(value) = known(setting.name) else { continue };
            match setting.form {
                SettingForm::System => config.system = self.system(value, &config.allow_read),
                SettingForm::Word | SettingForm::Flag | SettingForm::Value => {
                    let text = self.text(setting, value);
                    config.set.extend(text.map(|text| (setting, text)));
                }
            }
        }
        let mut trial = Settings { system: config.system.unwrap_or_else(systems::default), ..Settings::default() };
        for (setting, text) in &config.set {
            if let (Err(message), Some(value)) = (setting.set(&mut trial, text), known(setting.name)) {
                self.refuse::<()>(&value.span(), &message);
            }
        }
        for (key, value) in table.get_ref() {
            match key.get_ref().as_ref() {
                "allow-read" => {}
                "lints" => self.lints(value, &mut config.levels),
                name if setting::find(name).is_some() => {}
                other => {
                    let keys: Vec<&str> =
                        SETTINGS.iter().map(|setting| setting.name).chain(["allow-read", "lints"]).collect();
                    self.unknown(&key.span(), "key", other, &keys);
                }
            }
        }
    }

    /// The value of a setting as it would be written elsewhere.
    fn text(&mut self, setting: &Setting, value: &Spanned<DeValue<'_>>) -> Option<String> {
        match (setting.form, value.get_ref()) {
            (SettingForm::System | SettingForm::Word, _) => {
                self.word(value, setting.name, &setting.words()).map(str::to_owned)
            }
            (SettingForm::Flag, DeValue::Boolean(truth)) => Some(setting::word(*truth).to_owned()),
            (SettingForm::Flag, _) => self.refuse(&value.span(), &format!("`{}` is true or false", setting.name)),
            (SettingForm::Value, DeValue::Integer(number)) => Some(number.as_str().to_owned()),
            (SettingForm::Value, DeValue::String(text)) => Some(text.to_string()),
            (SettingForm::Value, _) => self.refuse(&value.span(), &format!("`{}` is {}", setting.name, setting.values)),
        }
    }

    fn system(&mut self, value: &Spanned<DeValue<'_>>, allow_read: &[PathBuf]) -> Option<&'static System> {
        let DeValue::String(name) = value.get_ref() else {
            return self.refuse(&value.span(), "`system` is a name or a file between quotes");
        };
        if name.ends_with(".toml") {
            let roots = Roots::new(Some(self.folder), &[self.allowed, allow_read].concat());
            let span = Span::new(self.source, value.span().start, value.span().end);
            let system = named_system(Path::new(name.as_ref()), span, &roots, self.sources, self.sink);
            return system.inspect_err(|outcome| self.outcome = self.outcome.max(*outcome)).ok();
        }
        let known: Vec<&str> = systems::ALL.iter().map(|system| system.name).collect();
        self.word(value, "promotion system", &known).and_then(systems::find)
    }

    fn folders(&mut self, value: &Spanned<DeValue<'_>>, found: &mut Vec<PathBuf>) {
        let DeValue::Array(items) = value.get_ref() else {
            self.refuse::<()>(&value.span(), "`allow-read` is a list of folders: `[\"../data\"]`");
            return;
        };
        for item in items {
            let DeValue::String(path) = item.get_ref() else {
                self.refuse::<()>(&item.span(), "a folder is a text between quotes");
                continue;
            };
            let whole = self.folder.join(path.as_ref());
            match whole.canonicalize() {
                Ok(real) if !real.starts_with(&self.root) => self.outside(&item.span(), &whole),
                _ => found.push(whole),
            }
        }
    }

    fn outside(&mut self, span: &std::ops::Range<usize>, folder: &Path) {
        let message = format!("this folder lies outside of the project `{}`", io::error::printable_path(&self.root));
        let refusal = self.refusal(span, message);
        self.sink.push(
            refusal
                .help(format!("`--allow-read {}` allows it for one run", io::error::printable_path(folder)))
                .note("a file that comes with a stranger's script must not open other folders to it"),
        );
    }

    fn lints(&mut self, value: &Spanned<DeValue<'_>>, levels: &mut Vec<(&'static Row, Level)>) {
        let DeValue::Table(table) = value.get_ref() else {
            self.refuse::<()>(&value.span(), "`lints` is a table: `[lints]`, then `NAME = \"deny\"`");
            return;
        };
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let level = self.word(value, "level", &Level::ALL.map(Level::word));
            let level = level.and_then(|word| Level::ALL.into_iter().find(|level| level.word() == word));
            match codes::find(name).filter(|row| row.lint().is_some()) {
                Some(row) => levels.extend(level.map(|level| (row, level))),
                None => {
                    let known: Vec<&str> = codes::findings().map(|row| row.name).collect();
                    self.unknown(&key.span(), "finding", name, &known);
                }
            }
        }
    }

    /// One of a few words.
    fn word<'w>(&mut self, value: &Spanned<DeValue<'_>>, what: &str, known: &[&'w str]) -> Option<&'w str> {
        let DeValue::String(text) = value.get_ref() else {
            return self.refuse(&value.span(), &format!("the {what} is a word between quotes"));
        };
        let found = known.iter().find(|word| **word == text.as_ref()).copied();
        if found.is_none() {
            // The word without its quotes.
            let span = value.span().start + 1..value.span().end.saturating_sub(1).max(value.span().start + 1);
            self.unknown(&span, what, text, known);
        }
        found
    }

    fn unknown(&mut self, span: &std::ops::Range<usize>, what: &str, word: &str, known: &[&str]) {
        let refusal = self.refusal(span, format!("there is no {what} `{word}`"));
        let span = Span::new(self.source, span.start, span.end);
        self.sink.push(match suggest::closest(word, known.iter().copied()) {
            Some(near) => {
                let fix = Fix { edits: vec![Edit { span, text: near.to_owned() }], keeps_values: false };
                refusal.fix(format!("there is `{near}`"), fix)
            }
            None => refusal.help(format!("there is {}", known.join(", "))),
        });
    }

    fn refuse<T>(&mut self, span: &std::ops::Range<usize>, message: &str) -> Option<T> {
        let refusal = self.refusal(span, message);
        self.sink.push(refusal);
        None
    }

    /// The file is refused. What is said of it, for more to be added.
    fn refusal(&mut self, span: &std::ops::Range<usize>, message: impl Into<String>) -> Diagnostic {
        self.outcome = self.outcome.max(Outcome::Refused);
        Diagnostic::error(&running::BAD_CONFIG_FILE, Span::new(self.source, span.start, span.end), message)
    }
}
