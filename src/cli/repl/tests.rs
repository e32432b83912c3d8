//! One row makes a setting of the whole command: `lenient`, a row that only tests have.

use super::super::args::{Arguments, Command, Repl};
use super::super::deferred::DeferredArgs;
use super::super::reference;
use super::commands::settings;
use super::line;
use super::screen::Screen;
use super::shell::Shell;
use crate::check::Settings;
use crate::check::setting::{self, tests::LENIENT};
use crate::diagnostic::{Diagnostics, Outcome};
use crate::session::config::Config;
use crate::session::{Input, Session};
use crate::source::Sources;
use clap::Parser;

/// A script that loses precision.
const LOSSY: &str = "input n: i64\ninput x: f32\nn * x\n";

fn findings(settings: Settings, text: &str) -> usize {
    let mut session = Session { settings, ..Session::default() };
    session.check(&Input { whole: true, ..Input::new("x.arr", text) }).diagnostics.len()
}

fn shown(settings: &Settings) -> String {
    LENIENT.show(settings)
}

#[test]
fn a_row_makes_a_setting_of_scripts_files_options_the_shell_and_the_docs() {
    assert_eq!(findings(Settings::default(), LOSSY), 1);
    assert_eq!(findings(Settings::default(), &format!("promotion jax lenient\n{LOSSY}")), 0);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arr.toml");
    let read = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let mut found = Diagnostics::new();
        let config = Config::read(&path, &[], &mut Sources::new(), &mut found);
        (config, found)
    };
    let mut settings = Settings::default();
    read("lenient = true\n").0.unwrap().apply(&mut settings);
    assert_eq!((shown(&settings).as_str(), findings(settings, LOSSY)), ("on", 0));
    let (refused, found) = read("lenient = 3\n");
    assert!(refused.is_err() && found.iter().any(|it| it.message == "`lenient` is true or false"));

    let arguments = Arguments::try_parse_from(["arr", "check", "--lenient", "x.arr"]).unwrap();
    let Some(Command::Check(DeferredArgs(command))) = arguments.command else { panic!("`check` is a command") };
    let settings = command.rules.settings().unwrap();
    assert!(settings.fixed.has(&LENIENT) && !settings.fixed.has(&setting::MODE));
    assert_eq!(findings(settings, LOSSY), 0);

    let mut shell = Shell::new(Repl { no_init: true, ..Repl::default() }, None).unwrap();
    line::input(&mut shell, ":set lenient on");
    assert_eq!(shown(&shell.session.settings), "on");
    line::input(&mut shell, ":undo");
    assert_eq!(shown(&shell.session.settings), "off");

    assert!(settings::names().any(|name| name == "lenient"), "`:set` completes it");
    assert!(setting::words().any(|word| word == "lenient"), "a `promotion` line completes it");
    let chapter = reference::text("settings").unwrap();
    assert!(chapter.contains("| `lenient` | on or off | whether lost precision is nothing to mention |"), "{chapter}");
}

#[test]
fn a_mistake_of_ours_counts_at_the_end_as_errors_do() {
    let screen = Screen::new();
    screen.note_outcome(Outcome::Refused);
    assert_eq!(screen.outcome(), Outcome::Done, "what was told counts, and nothing was");
    screen.error("no");
    assert_eq!(screen.outcome(), Outcome::Refused);
    screen.note_outcome(Outcome::Broken);
    screen.note_outcome(Outcome::Done);
    assert_eq!(screen.outcome(), Outcome::Broken);
    screen.count_errors();
    assert_eq!(screen.outcome(), Outcome::Done);
}
