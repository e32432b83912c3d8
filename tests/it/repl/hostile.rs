//! Text that a terminal would obey, and signals, at a terminal of the command's own.

use super::pty::{Setting, Terminal};
use crate::shell::Folder;

const TITLE: &str = "\u{1b}]0;PWN\u{7}";

/// Whether the title was set, or the text was bent, by what the command wrote.
fn obeys(raw: &[u8]) -> bool {
    let text = String::from_utf8_lossy(raw);
    text.contains("\u{1b}]") || text.contains(['\u{7}', '\u{202e}', '\u{feff}'])
}

#[test]
fn e20_scripts_are_shown_to_people_as_they_may_see_them() {
    let script = format!("load(  \"{TITLE}\u{202e}\u{feff}\")\n");
    let folder = Folder::with(&[("a.arr", script.as_bytes())]);
    for args in [["fmt", "--diff", "a.arr"].as_slice(), &["check", "--diff", "a.arr"], &["check", "a.arr"]] {
        let mut terminal = Terminal::start(folder.path(), &Setting { args, ..Setting::default() });
        terminal.settled();
        assert!(!obeys(&terminal.raw), "{args:?} {:?}", String::from_utf8_lossy(&terminal.raw));
        if args[0] == "fmt" {
            terminal.until("the change", |screen| screen.text().contains("+load(\"␛]0;PWN␇��\")"));
        }
    }
}

#[test]
fn e20_what_a_file_of_history_holds_is_shown_and_not_obeyed() {
    for env in [[].as_slice(), &[("NO_COLOR", "1")]] {
        let folder = Folder::with(&[("state/arr/history", format!("1 # {TITLE}\u{202e}\n").as_bytes())]);
        let mut terminal = Terminal::at_prompt(folder.path(), &Setting { env, ..Setting::default() });
        terminal.keys("\u{1b}[A");
        terminal.until("the earlier input", |screen| screen.line().contains("1 # ␛]0;PWN␇�"));
        terminal.keys("\u{3}");
        terminal.keys("1");
        terminal.settled();
        assert!(!obeys(&terminal.raw), "{:?}", String::from_utf8_lossy(&terminal.raw));
    }
}

#[test]
fn e20_names_of_files_are_shown_and_not_obeyed() {
    let folder = Folder::with(&[(&format!("x{TITLE}1.npy"), b""), (&format!("x{TITLE}2.npy"), b"")]);
    let mut terminal = Terminal::at_prompt(folder.path(), &Setting::default());
    terminal.keys("load(\"x\t\t");
    terminal.settled();
    assert!(!obeys(&terminal.raw), "{:?}", String::from_utf8_lossy(&terminal.raw));
}

#[test]
fn e23_every_signal_gives_the_terminal_its_mode_back() {
    for signal in [libc::SIGQUIT, libc::SIGTERM, libc::SIGHUP] {
        let folder = Folder::new();
        let mut terminal = Terminal::at_prompt(folder.path(), &Setting::default());
        assert!(!terminal.echoes(), "the editor shows what is typed");
        terminal.signal(signal);
        terminal.settled();
        assert!(terminal.echoes(), "{signal}");
        assert_eq!(terminal.end(), Some(130), "{signal}");
    }
}

#[test]
fn e21_ctrl_c_where_nothing_runs_does_not_end_a_session_at_a_terminal() {
    let folder = Folder::new();
    let mut terminal = Terminal::at_prompt(folder.path(), &Setting::default());
    for _ in 0..10 {
        terminal.signal(libc::SIGINT);
    }
    terminal.settled();
    terminal.enter("1 + 1", 2);
}
