//! Sessions at a terminal: each test types what a person would, and looks at the screen.

use super::pty::{Setting, Terminal};
use crate::shell::Folder;

const UP: &str = "\x1b[A";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const CTRL_R: &str = "\x12";

fn begin(folder: &Folder) -> Terminal {
    Terminal::at_prompt(folder.path(), &Setting::default())
}

/// The last lines of the screen, up to the prompt.
fn answer(terminal: &Terminal) -> String {
    let text = terminal.screen.text();
    let lines: Vec<&str> = text.lines().collect();
    let before = &lines[..lines.len() - 1];
    let start = before.iter().rposition(|line| line.starts_with("arr:")).map_or(0, |at| at + 1);
    before[start..].join("\n")
}

#[test]
fn a_session_greets_in_one_line_and_ctrl_d_leaves() {
    let folder = Folder::new();
    let mut terminal = begin(&folder);
    assert_eq!(terminal.screen.text().lines().count(), 2, "{}", terminal.screen.text());
    terminal.keys(CTRL_D);
    assert_eq!(terminal.end(), Some(0));
    let mut terminal = begin(&folder);
    terminal.keys(":q\r");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn values_come_with_types_and_results_have_names() {
    let folder = Folder::new();
    let mut terminal = begin(&folder);
    terminal.enter("1 + 0.5", 2);
    assert_eq!(answer(&terminal), "1.5 : f*");
    terminal.enter("[1, 2, 3] * _", 3);
    assert_eq!(answer(&terminal), "[1.5 3.  4.5] : f*[3]");
    terminal.enter("_1 + 1;", 4);
    assert_eq!(answer(&terminal), "");
    terminal.enter("_", 5);
    assert_eq!(answer(&terminal), "2.5 : f*");
    terminal.enter("[1i32] * [2f32]", 6);
    assert_eq!(answer(&terminal), "1 warning: precision-loss; :why shows it\n[2.] : f32[1]");
}

#[test]
fn blocks_and_brackets_continue_on_the_next_line() {
    let folder = Folder::new();
    let mut terminal = begin(&folder);
    terminal.keys("fn twice(x) {\r");
    terminal.keys("  let y = x +\r");
    terminal.keys("    x\r");
    terminal.keys("  y\r");
    terminal.enter("}", 2);
    terminal.enter("twice([1,\r2])", 3);
    assert!(terminal.screen.text().contains("  ...> 2])\n[2 4] : i*[2]"), "{}", terminal.screen.text());
    assert!(
        terminal.screen.text().contains("arr:1> fn twice(x) {\n  ...>   let y = x +\n"),
        "{}",
        terminal.screen.text()
    );
    // An input of several lines comes back as one.
    terminal.keys(UP);
    terminal.until("the whole input", |screen| screen.text().ends_with("arr:3> twice([1,\n  ...> 2])"));
    terminal.enter("", 4);
}

#[test]
fn the_mark_of_later_lines_is_no_part_of_them() {
    let folder = Folder::new();
    let mut terminal = Terminal::at_prompt(folder.path(), &Setting { env: &[("NO_COLOR", "1")], ..Setting::default() });
    terminal.keys("[1,\r");
    terminal.until("the mark, without colours too", |screen| screen.line() == "  ...>");
    // Backspace behind the mark joins the lines.
    terminal.keys("\x7f");
    terminal.until("one line", |screen| screen.line() == "arr:1> [1,");
    terminal.keys("\r2");
    terminal.enter("]", 2);
    assert_eq!(answer(&terminal), "  ...> 2]\n[1 2] : i*[2]");
    let history = std::fs::read_to_string(folder.path().join("state/arr/history")).expect("a history");
    assert_eq!(history, "[1,\\n2]\n");
}

#[test]
fn definitions_show_their_types() {
    let folder = Folder::new();
    let mut terminal = begin(&folder);
    terminal.enter("x = [1f32, 2]", 2);
    assert_eq!(answer(&terminal), "x : f32[2]");
    assert!(String::from_utf8_lossy(&terminal.raw).contains("\x1b[2mx : f32[2]\x1b[0m"));
    terminal.enter("let (lo, hi) = (min(x), 3); let k = 1;", 3);
    assert_eq!(answer(&terminal), "");
    terminal.enter("let (lo, hi) = (min(x), 3)", 4);
    assert_eq!(answer(&terminal), "lo : f32, hi : i*");
    terminal.enter("fn f(x) = x", 5);
    assert_eq!(answer(&terminal), "");
}

#[test]
fn long_pages_go_through_the_pager_and_exit_leaves() {
    let folder = Folder::new();
    let setting = Setting { env: &[("PAGER", "sed 's/^/| /'")], ..Setting::default() };
    let mut terminal = Terminal::at_prompt(folder.path(), &setting);
    terminal.enter(":help :type", 1);
    assert!(answer(&terminal).starts_with(":type EXPR"), "short ones are printed: {}", answer(&terminal));
    terminal.enter(":help", 1);
    assert!(answer(&terminal).contains("\n| :quit"), "{}", answer(&terminal));
    terminal.keys("exit\r");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn words_have_the_colours_of_their_kinds() {
    let folder = Folder::new();
    let mut terminal = begin(&folder);
    terminal.enter("let x = f32(sum([1, 2])) # \"s\"", 2);
    let raw = String::from_utf8_lossy(&terminal.raw).into_owned();
    for piece in ["\x1b[1;35mlet", "\x1b[35mf32", "\x1b[1msum", "\x1b[36m1", "\x1b[2m# \"s\""] {
        assert!(raw.contains(piece), "{piece:?} in {raw:?}");
    }
    // The bracket that belongs to the one at the cursor stands out while the cursor is there.
    terminal.keys("(1)");
    terminal.until("the input", |screen| screen.line() == "arr:2> (1)");
    let raw = String::from_utf8_lossy(&terminal.raw).into_owned();
    assert!(raw.contains("\x1b[1;7m("), "{raw:?}");
}

#[test]
fn no_colour_means_none() {
    let folder = Folder::new();
    for setting in [
        Setting { env: &[("NO_COLOR", "1")], ..Setting::default() },
        Setting { args: &["repl", "--color", "never"], ..Setting::default() },
    ] {
        let mut terminal = Terminal::at_prompt(folder.path(), &setting);
        terminal.enter("let x = 1", 2);
        terminal.enter("nope", 2);
        let raw = String::from_utf8_lossy(&terminal.raw).into_owned();
        assert!(!raw.contains("\x1b[3") && !raw.contains("\x1b[1m"), "{raw:?}");
    }
}

#[test]
fn tab_completes_names_builtins_commands_and_files() {
    let folder = Folder::with(&[("table.csv", b"time,volts\n1,2\n2,3\n")]);
    let mut terminal = begin(&folder);
    terminal.enter("let energy = [1f32, 2]", 2);
    terminal.keys("ener\t");
    terminal.until("the name", |screen| screen.line() == "arr:2> energy");
    terminal.keys(".cumpr\t");
    terminal.until("the method", |screen| screen.line().starts_with("arr:2> energy.cumprod("));
    terminal.keys(CTRL_C);
    terminal.until("a fresh line", |screen| screen.line() == "arr:2>");
    terminal.keys("load(\"ta\tv\t\")");
    terminal.until("the column", |screen| screen.line() == "arr:2> load(\"table.csv:volts\")");
    terminal.enter("", 3);
    assert_eq!(answer(&terminal), "[2 3] : i64[2]");
    terminal.keys("hypot\t");
    terminal.until("the signature", |screen| screen.line() == "arr:3> hypot(x, y)");
    terminal.keys(CTRL_C);
    terminal.until("a fresh line", |screen| screen.line() == "arr:3>");
    terminal.keys(":sta\t");
    terminal.until("the command and what it wants", |screen| screen.line() == "arr:3> :stats EXPR");
    terminal.enter("[1.5, nan]", 3);
    assert_eq!(answer(&terminal), "f*[2]: min 1.5, mean 1.5, max 1.5, 1 of 2 nan");
}

#[test]
fn what_was_typed_is_remembered_and_found_again() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let mut first = begin(&folder);
    first.enter("let alpha = 1", 2);
    first.enter("let beta = 2", 3);
    first.keys(CTRL_D);
    assert_eq!(first.end(), Some(0));
    let mut second = begin(&folder);
    second.keys(CTRL_R);
    second.keys("alp");
    second.until("the found input", |screen| screen.line().ends_with("let alpha = 1"));
    second.enter("", 2);
    second.keys("let be");
    second.until("the rest of the earlier input", |screen| screen.line() == "arr:2> let beta = 2");
    second.keys("\x1b[C");
    second.enter("", 3);
    second.enter("alpha + beta", 4);
    assert_eq!(answer(&second), "3 : i*");
    let file = folder.path().join("state/arr/history");
    let text = std::fs::read_to_string(&file).expect("there is a history");
    assert_eq!(text.lines().filter(|line| *line == "let alpha = 1").count(), 2, "{text}");
    assert_eq!(std::fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_pasted_block_is_one_input_without_its_prompts() {
    let folder = Folder::new();
    let mut terminal = begin(&folder);
    terminal.keys("\x1b[200~>>> let x = [1,\r...          2]\r>>> sum(x)\r3\r\x1b[201~");
    terminal.until("the paste", |screen| screen.text().contains("\n3"));
    terminal.enter("", 2);
    assert_eq!(answer(&terminal).lines().last(), Some("3 : i64"));
    terminal.keys("\x1b[200~In [7]: let y = x * 2\r\rIn [8]: y\rOut[8]: array([2, 4])\x1b[201~");
    terminal.enter("", 3);
    assert_eq!(answer(&terminal).lines().last(), Some("[2 4] : i*[2]"));
    terminal.enter("_1 + y", 4);
    assert_eq!(answer(&terminal), "[5 7] : i64[2]");
}

#[test]
fn errors_point_into_earlier_inputs_and_leave_no_trace() {
    let folder = Folder::new();
    let mut terminal = begin(&folder);
    terminal.enter("fn shift(x) = x + [1, 2]", 2);
    terminal.enter("let energy = [1, 2, 3]", 3);
    terminal.enter("let volts = 1; shift(energy)", 3);
    let text = answer(&terminal);
    assert!(text.contains("<repl:1>:1:17") && text.contains("<repl:3>:1:16"), "{text}");
    terminal.enter("volts", 3);
    assert!(answer(&terminal).contains("`volts` is not defined"), "{}", answer(&terminal));
    terminal.enter("enrgy", 3);
    assert!(answer(&terminal).contains("`energy`"), "{}", answer(&terminal));
    terminal.enter(":hlep", 3);
    assert_eq!(answer(&terminal), "error: there is no command `:hlep`; did you mean `:help`?");
}

#[test]
fn ctrl_c_stops_what_runs_and_clears_what_is_typed() {
    let folder = Folder::new();
    let mut terminal = begin(&folder);
    terminal.enter("let x = 41", 2);
    terminal.keys("sum(sin(zeros((100000, 1)) + arange(1000000)))\r");
    terminal.until("the time that it runs", |screen| screen.line().starts_with("running "));
    terminal.keys(CTRL_C);
    terminal.until("the prompt", |screen| screen.line() == "arr:2>");
    assert!(
        !answer(&terminal).contains("running") && answer(&terminal).contains("interrupted"),
        "{}",
        answer(&terminal)
    );
    terminal.keys("half an inp");
    terminal.until("the keys", |screen| screen.line() == "arr:2> half an inp");
    terminal.keys(CTRL_C);
    terminal.until("a fresh line", |screen| screen.line() == "arr:2>");
    terminal.enter("x + 1", 3);
    assert_eq!(answer(&terminal), "42 : i*");
}

#[test]
fn ctrl_c_takes_the_hint_off_the_screen() {
    let folder = Folder::new();
    let mut terminal = begin(&folder);
    terminal.keys("hypot(");
    terminal.until("the parameters", |screen| screen.line() == "arr:1> hypot(x, y)");
    terminal.keys(CTRL_C);
    terminal.until("a fresh line", |screen| screen.line() == "arr:1>");
    assert!(terminal.screen.text().ends_with("\narr:1> hypot(\narr:1>"), "{}", terminal.screen.text());
    terminal.enter("1 + 1", 2);
    assert_eq!(answer(&terminal), "2 : i*");
}

/// A note while something runs does not share its line with the time that it runs.
#[test]
fn notes_of_what_runs_stand_on_lines_of_their_own() {
    let folder = Folder::new();
    let mut terminal = begin(&folder);
    terminal.keys("repeat 1000000000 as i with x = zeros(100000) { sin(x + i) }\r");
    terminal.until("the note", |screen| screen.text().contains("this loop has done"));
    terminal.until("the time that it runs", |screen| screen.line().starts_with("running "));
    terminal.keys(CTRL_C);
    terminal.until("the prompt", |screen| screen.line() == "arr:1>");
    let text = terminal.screen.text();
    assert!(text.contains("\nnote: this loop has done"), "{text}");
}

#[test]
fn being_asked_to_end_ends_it_at_once() {
    let folder = Folder::new();
    for busy in [false, true] {
        let mut terminal = begin(&folder);
        if busy {
            terminal.keys("sum(sin(zeros((100000, 1)) + arange(1000000)))\r");
            terminal.until("the time that it runs", |screen| screen.line().starts_with("running "));
        }
        terminal.signal(libc::SIGTERM);
        assert_eq!(terminal.end(), Some(130));
    }
}

#[test]
fn a_narrow_window_is_respected() {
    let folder = Folder::new();
    let setting = Setting { columns: 40, rows: 16, ..Setting::default() };
    let mut terminal = Terminal::at_prompt(folder.path(), &setting);
    assert_eq!(terminal.screen.text().lines().count(), 2, "{}", terminal.screen.text());
    terminal.enter("reshape(arange(6000), (60, 100)) / 7", 2);
    let text = answer(&terminal);
    assert!(text.lines().count() < 14 && text.contains("..."), "{text}");
    assert!(text.ends_with(": f64[60, 100]"), "{text}");
    terminal.enter("reshape(arange(120), (60, 2))", 3);
    assert!(answer(&terminal).lines().count() < 14, "{}", answer(&terminal));
}

#[test]
fn a_session_begins_with_the_users_own_file() {
    let script = "## Twice as much.\nfn twice(x) = 2 * x\nlet broken = nope\npromotion jax safe\n[1, 2]\n:reste\n";
    let folder = Folder::with(&[("config/arr/init.arr", script.as_bytes())]);
    let mut terminal = begin(&folder);
    let greeting = terminal.screen.text();
    assert!(greeting.contains("init.arr:3:14") && greeting.contains("did you mean `:reset`"), "{greeting}");
    assert!(!greeting.contains("[1 2]") && greeting.contains("mode safe"), "{greeting}");
    terminal.enter("twice(4)", 2);
    assert_eq!(answer(&terminal), "8 : i*");
    let setting = Setting { args: &["repl", "--no-init"], ..Setting::default() };
    let mut terminal = Terminal::at_prompt(folder.path(), &setting);
    terminal.enter("twice(4)", 1);
    assert!(answer(&terminal).contains("no function `twice`"), "{}", answer(&terminal));
}

#[test]
fn a_terminal_that_can_do_nothing_still_talks() {
    let folder = Folder::new();
    let setting = Setting { env: &[("TERM", "dumb"), ("CI", "true")], ..Setting::default() };
    let mut terminal = Terminal::at_prompt(folder.path(), &setting);
    terminal.enter("let x = (1 +\r 2)", 2);
    terminal.enter("x", 3);
    assert!(!terminal.raw.contains(&27), "{:?}", String::from_utf8_lossy(&terminal.raw));
    assert!(answer(&terminal).ends_with("3 : i*"), "{}", answer(&terminal));
}
