//! Settings of a check, with the places that say them.

use crate::check::setting::{SETTINGS, Setting, SettingForm};
use std::fmt::Write;

/// `jax`, `checked`, `width=32`
fn in_a_script(setting: &Setting) -> String {
    let value = setting.example.split(" = ").nth(1).unwrap_or_default().trim_matches('"');
    match setting.form {
        SettingForm::System | SettingForm::Word => value.to_owned(),
        SettingForm::Flag => setting.name.to_owned(),
        SettingForm::Value => format!("{}={value}", setting.name),
    }
}

/// The chapter: a table of the rows.
pub(super) fn chapter() -> String {
    let mut text = "## Settings\n\n\
        A script states what it is checked under in its first line, `promotion jax safe, width=32, checked`. An `arr.toml` states it \
        for the scripts of a folder. The script wins over the file, the command line over both. `checked` can only be added. \
        In the REPL `:set` shows and changes each.\n\n\
        | setting | values | what it is | in a script | in `arr.toml` | option | in the REPL |\n\
        | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for setting in SETTINGS {
        let Setting { name, values, summary, example, placeholder, .. } = setting;
        let option = format!("--{name} {placeholder}");
        let (option, script) = (option.trim_end().replace('|', "\\|"), in_a_script(setting));
        let _ = writeln!(
            text,
            "| `{name}` | {values} | {summary} | `{script}` | `{example}` | `{option}` | `:set {name} …` |"
        );
    }
    text
}
