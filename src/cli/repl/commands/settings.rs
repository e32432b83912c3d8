//! `:mode`, `:system`, `:width`, `:checked` and `:set`: under what inputs are checked and run.

use super::super::super::{choose, memory, threads};
use super::super::Flow;
use super::super::shell::Shell;
use super::words;
use crate::diagnostic::{Diagnostics, Level, codes, suggest};
use crate::io;
use crate::promotion::systems;
use crate::promotion::verdict::Mode;
use crate::session::load_system;
use std::fmt::Write;

/// A setting: how it is shown, and how it is changed.
struct Setting {
    name: &'static str,
    values: &'static str,
    summary: &'static str,
    show: fn(&Shell) -> String,
    /// Changes it; a sentence when the value is none for it.
    set: fn(&mut Shell, &str) -> Result<(), String>,
}

/// All settings, in the order of `:set`.
const SETTINGS: &[Setting] = &[
    Setting {
        name: "mode",
        values: "all, safe or none",
        summary: "how strict the check of promotions is",
        show: |shell| shell.session.settings.mode.name().to_owned(),
        set: set_mode,
    },
    Setting {
        name: "system",
        values: "a name or FILE.toml",
        summary: "promotion system",
        show: |shell| shell.session.settings.system.name.to_owned(),
        set: set_system,
    },
    Setting {
        name: "width",
        values: "32, 64 or own",
        summary: "default width of weak values",
        show: |shell| shell.session.settings.width.map_or("own".to_owned(), |width| width.to_string()),
        set: set_width,
    },
    Setting {
        name: "checked",
        values: "on or off",
        summary: "whether integer overflow is an error",
        show: |shell| word(shell.session.settings.checked).to_owned(),
        set: |shell, value| {
            shell.session.settings.checked = truth(value)?;
            Ok(())
        },
    },
    Setting {
        name: "verbose",
        values: "on or off",
        summary: "whether findings are shown in full",
        show: |shell| word(shell.running.verbose).to_owned(),
        set: |shell, value| {
            shell.running.verbose = truth(value)?;
            Ok(())
        },
    },
    Setting {
        name: "threads",
        values: "1, 2, … or own",
        summary: "how many threads compute",
        show: |shell| shell.running.threads.map_or("own".to_owned(), |threads| threads.to_string()),
        set: |shell, value| {
            shell.running.threads = match value {
                "own" => None,
                _ => Some(threads::number(value).map_err(|message| format!("error: {message}"))?),
            };
            Ok(())
        },
    },
    Setting {
        name: "max-mem",
        values: "500M, 2G, … or own",
        summary: "memory that arrays may take",
        show: |shell| match shell.running.max_mem {
            Some(bytes) => io::error::size(bytes as u64),
            None => "own".to_owned(),
        },
        set: set_max_mem,
    },
    Setting {
        name: "digits",
        values: "0 to 17",
        summary: "digits of floats after the point",
        show: |shell| shell.show.digits.to_string(),
        set: |shell, value| {
            shell.show.digits = number(value, 17)?;
            Ok(())
        },
    },
    Setting {
        name: "elements",
        values: "a number",
        summary: "arrays with more elements are cut",
        show: |shell| shell.show.threshold.to_string(),
        set: |shell, value| {
            shell.show.threshold = number(value, 100_000)?;
            Ok(())
        },
    },
    Setting {
        name: "summary",
        values: "on or off",
        summary: "whether `:stats` follows every array",
        show: |shell| word(shell.summary).to_owned(),
        set: |shell, value| {
            shell.summary = truth(value)?;
            Ok(())
        },
    },
];

/// The names of all settings.
#[cfg_attr(not(feature = "repl"), allow(dead_code, reason = "only the line editor asks"))]
pub(in super::super) fn names() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|setting| setting.name)
}

/// `:mode [all|safe|none]`
pub(super) fn mode(shell: &mut Shell, value: &str) -> Flow {
    one(shell, "mode", value)
}

/// `:system [SYSTEM]`
pub(super) fn system(shell: &mut Shell, value: &str) -> Flow {
    one(shell, "system", value)
}

/// `:width [32|64|own]`
pub(super) fn width(shell: &mut Shell, value: &str) -> Flow {
    one(shell, "width", value)
}

/// `:checked [on|off]`
pub(super) fn checked(shell: &mut Shell, value: &str) -> Flow {
    one(shell, "checked", value)
}

/// `:set [SETTING [VALUE]]`
pub(super) fn set(shell: &mut Shell, text: &str) -> Flow {
    let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if name.is_empty() {
        list(shell);
        return Flow::Continue;
    }
    // `:set mode=safe` is as clear.
    let (name, value) = match name.split_once('=') {
        Some((name, value_too)) if value.is_empty() => (name, value_too),
        _ => (name, value.trim().trim_start_matches('=').trim_start()),
    };
    one(shell, name, value)
}

fn list(shell: &Shell) {
    let shown: Vec<(&Setting, String)> = SETTINGS.iter().map(|setting| (setting, (setting.show)(shell))).collect();
    let names = SETTINGS.iter().map(|setting| setting.name.len()).max().unwrap_or(0);
    let values = shown.iter().map(|(_, value)| value.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (setting, value) in &shown {
        let _ = writeln!(text, "{:names$}   {value:values$}   {}: {}", setting.name, setting.summary, setting.values);
    }
    let levels = &shell.session.settings.levels;
    for row in codes::findings() {
        if let Some(level) = levels.chosen(row) {
            let _ = writeln!(text, "{}   {}", row.name, level_word(level));
        }
    }
    text.push_str("\n`:set NAME VALUE` changes one; so does `:set FINDING allow|warn|deny`.\n");
    shell.screen.answer(&text);
}

/// Shows or changes a setting.
fn one(shell: &mut Shell, name: &str, value: &str) -> Flow {
    match show_or_change(shell, name, value) {
        Err(message) if !message.is_empty() => shell.screen.tell(&message),
        Ok(()) | Err(_) => {}
    }
    Flow::Continue
}

fn show_or_change(shell: &mut Shell, name: &str, value: &str) -> Result<(), String> {
    if let Some(row) = codes::findings().find(|row| row.name == name) {
        let mode = shell.session.settings.mode;
        if value.is_empty() {
            shell.screen.answer(level_word(shell.session.settings.levels.of(row, mode)));
            return Ok(());
        }
        let level = [Level::Allow, Level::Warn, Level::Deny].into_iter().find(|level| level_word(*level) == value);
        let level =
            level.ok_or_else(|| format!("error: the level of a finding is allow, warn or deny, not `{value}`"))?;
        return changed(shell, name, value, |shell| {
            shell.session.settings.levels.set(row, level);
            Ok(())
        });
    }
    let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
        let known: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
        let names = known.iter().copied().chain(codes::findings().map(|row| row.name));
        let near = suggest::closest(name, names).map(|near| format!("; did you mean `{near}`?"));
        let near = near.unwrap_or_else(|| format!("; there is {}", known.join(", ")));
        return Err(format!("error: there is no setting `{name}`{near}"));
    };
    if value.is_empty() {
        shell.screen.answer(&(setting.show)(shell));
        return Ok(());
    }
    changed(shell, name, value, |shell| (setting.set)(shell, value))
}

/// Makes a change that can be undone.
fn changed(
    shell: &mut Shell,
    name: &str,
    value: &str,
    change: impl FnOnce(&mut Shell) -> Result<(), String>,
) -> Result<(), String> {
    let before = shell.present();
    change(shell)?;
    shell.done(before, &format!(":set {name} {value}"));
    Ok(())
}

fn word(truth: bool) -> &'static str {
    if truth { "on" } else { "off" }
}

fn truth(value: &str) -> Result<bool, String> {
    match value {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        _ => Err(format!("error: it is on or off, not `{value}`")),
    }
}

fn number(value: &str, most: usize) -> Result<usize, String> {
    let number = value.parse().ok().filter(|&number| number <= most);
    number.ok_or_else(|| format!("error: it is a number from 0 to {most}, not `{value}`"))
}

fn level_word(level: Level) -> &'static str {
    match level {
        Level::Allow => "allow",
        Level::Warn => "warn",
        Level::Deny => "deny",
    }
}

fn set_mode(shell: &mut Shell, value: &str) -> Result<(), String> {
    let mode = Mode::find(value);
    shell.session.settings.mode =
        mode.ok_or_else(|| format!("error: there is no mode `{value}`; there is all, safe, none"))?;
    Ok(())
}

fn set_system(shell: &mut Shell, value: &str) -> Result<(), String> {
    let system = match systems::find(value) {
        Some(system) => system,
        None if value.ends_with(".toml") || value.contains('/') => {
            let mut found = Diagnostics::new();
            load_system(&words::file(value), &mut shell.session.sources, &mut found).map_err(|_| {
                // They are messages of their own.
                shell.screen.diagnostics(&found, &shell.session.sources);
                String::new()
            })?
        }
        None => return Err(format!("error: {}", choose::no_system(value))),
    };
    let settings = &mut shell.session.settings;
    settings.system = system;
    if settings.width.is_some() && !system.width_option {
        settings.width = None;
        shell.screen.tell(&format!("note: `{}` has a width of its own, so `width` is `own` again", system.name));
    }
    Ok(())
}

fn set_width(shell: &mut Shell, value: &str) -> Result<(), String> {
    let settings = &mut shell.session.settings;
    settings.width = match value {
        "own" => None,
        "32" | "64" if !settings.system.width_option => {
            return Err(format!("error: the default width of `{}` cannot be changed", settings.system.name));
        }
        "32" => Some(32),
        "64" => Some(64),
        _ => return Err(format!("error: the width is 32, 64 or own, not `{value}`")),
    };
    Ok(())
}

fn set_max_mem(shell: &mut Shell, value: &str) -> Result<(), String> {
    let bytes = match value {
        "own" => None,
        _ => Some(super::super::super::args::size(value).map_err(|message| format!("error: {message}"))?),
    };
    shell.running.max_mem = bytes;
    shell.session.reading.max_bytes = bytes.or_else(memory::ceiling);
    Ok(())
}
