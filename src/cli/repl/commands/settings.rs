//! Settings from the prompt, `:mode`, `:system`, `:width`, `:checked` or `:set`. They say under what inputs are checked
//! and run.

use super::super::super::{choose, memory, parsers};
use super::super::AfterInput;
use super::super::folders;
use super::super::shell::Shell;
use crate::check::setting::{SETTINGS, Setting, SettingForm, truth, word};
use crate::diagnostic::{Diagnostics, Level, codes, suggest, wrap};
use crate::io;
use crate::promotion::systems;
use crate::session::load_system;
use std::fmt::Write;

/// A setting of the shell itself: how it is shown, and how it is changed.
struct ShellSetting {
    name: &'static str,
    values: &'static str,
    summary: &'static str,
    show: fn(&Shell) -> String,
    /// Changes it, if the value is one for it.
    set: fn(&mut Shell, &str) -> Result<(), NotSet>,
}

/// Why a setting was not changed.
enum NotSet {
    /// A sentence says it.
    Why(String),
    /// Messages about a file have said it.
    Reported,
}

impl From<String> for NotSet {
    fn from(why: String) -> NotSet {
        NotSet::Why(why)
    }
}

/// The settings that scripts know nothing of, in the order of `:set`.
const OWN: &[ShellSetting] = &[
    ShellSetting {
        name: "verbose",
        values: "on or off",
        summary: "whether findings are shown in full",
        show: |shell| word(shell.manner.running.verbose).to_owned(),
        set: |shell, value| {
            shell.manner.running.verbose = truth(value)?;
            Ok(())
        },
    },
    ShellSetting {
        name: "threads",
        values: "1, 2, … or own",
        summary: "how many threads compute",
        show: |shell| shell.manner.running.threads.map_or("own".to_owned(), |threads| threads.to_string()),
        set: |shell, value| {
            shell.manner.running.threads = match value {
                "own" => None,
                _ => Some(parsers::threads(value)?),
            };
            Ok(())
        },
    },
    ShellSetting {
        name: "max-mem",
        values: "500M, 2G, … or own",
        summary: "memory that arrays may take",
        show: |shell| match shell.manner.running.max_mem {
            Some(bytes) => io::error::size(bytes as u64),
            None => "own".to_owned(),
        },
        set: set_max_mem,
    },
    ShellSetting {
        name: "digits",
        values: "0 to 17",
        summary: "digits of floats after the point",
        show: |shell| shell.manner.show.digits.to_string(),
        set: |shell, value| {
            shell.manner.show.digits = number(value, 17)?;
            Ok(())
        },
    },
    ShellSetting {
        name: "elements",
        values: "a number",
        summary: "arrays with more elements are cut",
        show: |shell| shell.manner.show.threshold.to_string(),
        set: |shell, value| {
            shell.manner.show.threshold = number(value, 100_000)?;
            Ok(())
        },
    },
    ShellSetting {
        name: "summary",
        values: "on or off",
        summary: "whether `:stats` follows every array",
        show: |shell| word(shell.manner.summary).to_owned(),
        set: |shell, value| {
            shell.manner.summary = truth(value)?;
            Ok(())
        },
    },
];

/// A setting that `:set` knows.
#[derive(Clone, Copy)]
enum KnownSetting {
    Language(&'static Setting),
    Own(&'static ShellSetting),
}

impl KnownSetting {
    /// All settings, in the order of `:set`.
    fn all() -> impl Iterator<Item = KnownSetting> {
        SETTINGS.iter().map(KnownSetting::Language).chain(OWN.iter().map(KnownSetting::Own))
    }

    fn name(self) -> &'static str {
        match self {
            KnownSetting::Language(row) => row.name,
            KnownSetting::Own(row) => row.name,
        }
    }

    /// `promotion system: a name or FILE.toml`
    fn help(self) -> String {
        match self {
            KnownSetting::Language(row) => format!("{}: {}", row.summary, row.values),
            KnownSetting::Own(row) => format!("{}: {}", row.summary, row.values),
        }
    }

    fn show(self, shell: &Shell) -> String {
        match self {
            KnownSetting::Language(row) => row.show(&shell.session.settings),
            KnownSetting::Own(row) => (row.show)(shell),
        }
    }

    fn set(self, shell: &mut Shell, value: &str) -> Result<(), NotSet> {
        match self {
            KnownSetting::Language(row) => match row.form {
                SettingForm::System => set_system(shell, value),
                SettingForm::Word | SettingForm::Flag | SettingForm::Value => {
                    Ok(row.set(&mut shell.session.settings, value)?)
                }
            },
            KnownSetting::Own(row) => (row.set)(shell, value),
        }
    }
}

/// The names of all settings.
#[cfg_attr(not(feature = "repl"), allow(dead_code, reason = "only the line editor asks"))]
pub(in super::super) fn names() -> impl Iterator<Item = &'static str> {
    KnownSetting::all().map(KnownSetting::name)
}

/// `:mode [all|safe|none]`
pub(super) fn mode(shell: &mut Shell, value: &str) -> AfterInput {
    one(shell, "mode", value)
}

/// `:system [SYSTEM]`
pub(super) fn system(shell: &mut Shell, value: &str) -> AfterInput {
    one(shell, "system", value)
}

/// `:width [32|64|own]`
pub(super) fn width(shell: &mut Shell, value: &str) -> AfterInput {
    one(shell, "width", value)
}

/// `:checked [on|off]`
pub(super) fn set_checked(shell: &mut Shell, value: &str) -> AfterInput {
    one(shell, "checked", value)
}

/// `:set [SETTING [VALUE]]`
pub(super) fn set(shell: &mut Shell, text: &str) -> AfterInput {
    let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if name.is_empty() {
        list(shell);
        return AfterInput::Continue;
    }
    // `:set mode=safe` is as clear.
    let (name, value) = match name.split_once('=') {
        Some((name, value_too)) if value.is_empty() => (name, value_too),
        _ => (name, value.trim().trim_start_matches('=').trim_start()),
    };
    one(shell, name, value)
}

/// The least columns that the purpose of a setting takes, however narrow the window is.
const MIN_ROOM: usize = 20;

fn list(shell: &Shell) {
    let shown: Vec<(KnownSetting, String)> =
        KnownSetting::all().map(|setting| (setting, setting.show(shell))).collect();
    let names = names().map(str::len).max().unwrap_or(0);
    let values = shown.iter().map(|(_, value)| value.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (setting, value) in &shown {
        let room = shell.screen.columns().saturating_sub(names + values + 6).max(MIN_ROOM);
        let help = wrap::lines(&setting.help(), room, room).join(&format!("\n{}", " ".repeat(names + values + 6)));
        let _ = writeln!(text, "{:names$}   {value:values$}   {help}", setting.name());
    }
    let levels = &shell.session.settings.levels;
    for row in codes::findings() {
        if let Some(level) = levels.chosen(row) {
            let _ = writeln!(text, "{}   {}", row.name, level.word());
        }
    }
    text.push_str("\n`:set NAME VALUE` changes one; so does `:set FINDING allow|warn|deny`.\n");
    shell.screen.answer(&text);
}

/// Shows or changes a setting.
fn one(shell: &mut Shell, name: &str, value: &str) -> AfterInput {
    match show_or_change(shell, name, value) {
        Err(NotSet::Why(message)) => shell.screen.error(&message),
        Ok(()) | Err(NotSet::Reported) => {}
    }
    AfterInput::Continue
}

fn show_or_change(shell: &mut Shell, name: &str, value: &str) -> Result<(), NotSet> {
    if let Some(row) = codes::findings().find(|row| row.name == name) {
        let mode = shell.session.settings.mode;
        if value.is_empty() {
            shell.screen.answer(shell.session.settings.levels.of(row, mode).word());
            return Ok(());
        }
        let level = Level::ALL.into_iter().find(|level| level.word() == value);
        let level = level.ok_or_else(|| format!("the level of a finding is allow, warn or deny, not `{value}`"))?;
        return changed(shell, name, value, |shell| {
            shell.session.settings.levels.set(row, level);
            Ok(())
        });
    }
    let Some(setting) = KnownSetting::all().find(|setting| setting.name() == name) else {
        let known: Vec<&str> = names().collect();
        let all = known.iter().copied().chain(codes::findings().map(|row| row.name));
        let near = suggest::closest(name, all).map(|near| format!("; did you mean `{near}`?"));
        let near = near.unwrap_or_else(|| format!("; there is {}, or a finding's name", known.join(", ")));
        return Err(format!("there is no setting `{name}`{near}").into());
    };
    if value.is_empty() {
        shell.screen.answer(&setting.show(shell));
        return Ok(());
    }
    changed(shell, name, value, |shell| setting.set(shell, value))
}

/// Makes a change that can be undone.
fn changed(
    shell: &mut Shell,
    name: &str,
    value: &str,
    change: impl FnOnce(&mut Shell) -> Result<(), NotSet>,
) -> Result<(), NotSet> {
    let before = shell.present();
    change(shell)?;
    shell.done(before, &format!(":set {name} {value}"));
    Ok(())
}

fn number(value: &str, most: usize) -> Result<usize, String> {
    let number = value.parse().ok().filter(|&number| number <= most);
    number.ok_or_else(|| format!("it is a number from 0 to {most}, not `{value}`"))
}

fn set_system(shell: &mut Shell, value: &str) -> Result<(), NotSet> {
    let system = match systems::find(value) {
        Some(system) => system,
        None if choose::names_file(value) => {
            let mut found = Diagnostics::new();
            load_system(&folders::place(value), &mut shell.session.sources, &mut found).map_err(|_| {
                // They are messages of their own.
                shell.screen.diagnostics(&found, &shell.session.sources);
                NotSet::Reported
            })?
        }
        None => return Err(choose::no_system(value).into()),
    };
    let settings = &mut shell.session.settings;
    settings.system = system;
    if settings.width.is_some() && !system.widths.is_option {
        settings.width = None;
        shell.screen.report(&format!("note: `{}` has a width of its own, so `width` is `own` again", system.name));
    }
    Ok(())
}

fn set_max_mem(shell: &mut Shell, value: &str) -> Result<(), NotSet> {
    let bytes = match value {
        "own" => None,
        _ => Some(parsers::size(value)?),
    };
    shell.manner.running.max_mem = bytes;
    shell.session.reading.max_bytes = bytes.or_else(memory::ceiling);
    Ok(())
}
