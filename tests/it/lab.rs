//! What the tests share: a session with settings, arguments read as the command line reads them, and folders of
//! the repository.

use arrlang::check::Settings;
use arrlang::diagnostic::Level;
use arrlang::diagnostic::codes;
use arrlang::diagnostic::render::{self, Style};
use arrlang::diagnostic::{Diagnostic, Diagnostics};
use arrlang::io::argument::Argument;
use arrlang::promotion::systems;
use arrlang::promotion::verdict::Mode;
use arrlang::session::{Input, Preparation, Reply, Session};
use arrlang::source::Sources;
use std::path::PathBuf;

/// A path below the package's folder.
pub(crate) fn root(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A session in a mode of the default system.
pub(crate) fn session(mode: Mode) -> Session {
    Session { settings: Settings { mode, ..Settings::default() }, ..Session::default() }
}

/// Sets one option as the command line writes it, `("mode", "safe")`; answers whether there is such an option.
pub(crate) fn set(settings: &mut Settings, option: &str, value: &str) -> bool {
    let level = match option {
        "system" => {
            settings.system = systems::find(value).unwrap_or_else(|| panic!("no system `{value}`"));
            return true;
        }
        "mode" => {
            settings.mode = Mode::find(value).unwrap_or_else(|| panic!("no mode `{value}`"));
            return true;
        }
        "width" => {
            settings.width = Some(value.parse().expect("a width is a number"));
            return true;
        }
        "allow" => Level::Allow,
        "warn" => Level::Warn,
        "deny" => Level::Deny,
        _ => return false,
    };
    settings.levels.set(codes::find(value).unwrap_or_else(|| panic!("no finding `{value}`")), level);
    true
}

/// Bindings of the command line.
pub(crate) fn arguments<'t>(texts: impl IntoIterator<Item = &'t str>) -> Vec<Argument> {
    texts.into_iter().map(|text| Argument::parse(text.as_ref()).unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// Runs a text without arguments in a fresh session of the default system.
pub(crate) fn run(text: &str, mode: Mode) -> Reply {
    session(mode).evaluate(&Input::new("test.arr", text))
}

/// Whether a text asked for a library that this build does not have.
pub(crate) fn lacks_a_library(found: &Diagnostics) -> bool {
    found.iter().any(|it| it.code.name == "not-built")
}

/// Checks a text without data.
pub(crate) fn check(text: &str, mode: Mode) -> (Session, Preparation) {
    let mut session = session(mode);
    let prepared = session.check(&Input::new("test.arr", text));
    (session, prepared)
}

/// The values of a text that must run, as they are printed: `3 : i*`.
pub(crate) fn values(text: &str, mode: Mode) -> Vec<String> {
    let reply = run(text, mode);
    assert!(!reply.diagnostics.has_errors(), "{text}\n{:#?}", messages(&reply.diagnostics));
    reply.values.iter().map(|value| format!("{} : {}", shown(value), value.type_text())).collect()
}

/// A value as it is printed, on one line.
pub(crate) fn shown(value: &arrlang::session::ShownValue) -> String {
    one_line(&arrlang::array::show::array_text(&value.array, &arrlang::array::show::Show::default()))
}

/// Line breaks and alignment taken out of a printed array.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("[ ", "[").replace(" ]", "]")
}

/// The codes of everything that was reported, in order.
pub(crate) fn ids(found: &Diagnostics) -> Vec<&'static str> {
    found.iter().map(|diagnostic| diagnostic.code.id).collect()
}

/// `E0201 no `x` here`, for failure messages.
pub(crate) fn messages(found: &Diagnostics) -> Vec<String> {
    found.iter().map(|diagnostic| format!("{} {}", diagnostic.code.id, diagnostic.message)).collect()
}

/// Diagnostics as the terminal shows them, without colours.
pub(crate) fn drawn<'d>(found: impl IntoIterator<Item = &'d Diagnostic>, sources: &Sources) -> String {
    let mut text = Vec::new();
    render::render(found, sources, &Style { color: false, width: 0 }, &mut text).expect("a vector takes everything");
    String::from_utf8(text).expect("diagnostics are text")
}

/// Words at blanks; single quotes keep blanks together.
pub(crate) fn words(text: &str) -> Vec<String> {
    let (mut found, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '\'' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => found.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    found.push(word);
    found.retain(|word| !word.is_empty());
    found
}
