//! Messages about settings.

use super::rename;
use crate::check::setting::{SETTINGS, SettingForm};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::names;
use crate::source::Span;

pub(in crate::check) fn unknown_setting(name: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(&names::UNKNOWN_SETTING, span, format!("`{name}` is no promotion system and no mode"));
    match near {
        Some(near) => diagnostic.fix(format!("there is `{near}`"), rename(span, near)),
        None => diagnostic.help("systems are listed by `arr doc systems`; modes are `all`, `safe`, `none`"),
    }
}

/// A sentence about a value behind a setting that takes none.
pub(in crate::check) fn only_valued() -> String {
    let valued = SETTINGS.iter().filter(|setting| setting.form == SettingForm::Value);
    let names: Vec<String> = valued.map(|setting| format!("`{}`", setting.name)).collect();
    match names.as_slice() {
        [one] => format!("only {one} takes a value"),
        several => format!("only {} take a value", several.join(", ")),
    }
}

pub(in crate::check) fn bad_setting(message: &str, span: Span) -> Diagnostic {
    Diagnostic::error(&names::UNKNOWN_SETTING, span, message)
}

pub(in crate::check) fn late_promotion(span: Span) -> Diagnostic {
    bad_setting("`promotion` stands in the first line of a script, before every other statement", span)
        .help("move it to the top of the script, and write all settings in one line")
}
