//! The pictures of sessions: recorded at a terminal, drawn as SVG, and kept true by typing them again.
//!
//! `tests/repl/record.sh` types the keys of `tests/repl/*.keys` in tmux and writes what is on the screen, colours
//! included, to `tests/repl/*.screen`. `ARR_UPDATE=1` draws the pictures anew.

use super::pty::{Setting, Terminal};
use crate::lab;
use crate::shell::Folder;
use std::fmt::Write;
use std::path::PathBuf;

/// Every recorded session: its name, its keys, its screen with colours.
fn sessions() -> Vec<(String, String, String)> {
    let entries = std::fs::read_dir(lab::root("tests/repl")).expect("a folder");
    let mut keys: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    keys.retain(|path| path.extension().is_some_and(|extension| extension == "keys"));
    keys.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = |path: PathBuf| std::fs::read_to_string(path).expect("it is text");
        (name, text(path.clone()), text(path.with_extension("screen")))
    };
    keys.into_iter().map(read).collect()
}

#[test]
fn pictures_show_what_is_recorded() {
    assert!(sessions().len() >= 4);
    for (name, keys, screen) in sessions() {
        let columns = keys.split_whitespace().nth(1).and_then(|text| text.parse().ok()).expect("a size comes first");
        let drawn = picture(&screen, columns);
        let path = lab::root(&format!("docs/pictures/repl-{name}.svg"));
        if std::env::var_os("ARR_UPDATE").is_some() {
            std::fs::write(&path, &drawn).expect("the folder is writable");
        }
        assert_eq!(std::fs::read_to_string(&path).expect("a picture"), drawn, "ARR_UPDATE=1 draws {name} anew");
    }
}

#[test]
fn recorded_sessions_are_what_the_keys_lead_to() {
    for (name, keys, screen) in sessions() {
        let home = Folder::new();
        let recorded: Vec<String> = runs(&screen).iter().map(plain).collect();
        assert_eq!(play(&keys, &home), recorded.join("\n"), "tests/repl/record.sh records {name} anew");
    }
}

/// The screen after the keys.
fn play(keys: &str, home: &Folder) -> String {
    let mut lines = keys.lines();
    let size = lines.next().and_then(|line| line.strip_prefix("@size ")).expect("a size comes first");
    let numbers: Vec<u16> = size.split(' ').map(|number| number.parse().expect("a number")).collect();
    let at = |name: &str| home.path().join(name).to_string_lossy().into_owned();
    let (own, state, config) = (at(""), at("state"), at("config"));
    let env = [("HOME", own.as_str()), ("XDG_STATE_HOME", &state), ("XDG_CONFIG_HOME", &config)];
    let setting = Setting { columns: numbers[0], rows: numbers[1], env: &env, ..Setting::default() };
    let mut terminal = Terminal::at_prompt(&lab::root("examples"), &setting);
    for line in lines {
        match line.split_once(' ') {
            Some(("@type", text)) => terminal.keys(text),
            Some(("@key", key)) => terminal.keys(match key {
                "Tab" => "\t",
                "Enter" => "\r",
                "Up" => "\x1b[A",
                "Right" => "\x1b[C",
                "C-c" => "\x03",
                "C-r" => "\x12",
                other => panic!("no key {other}"),
            }),
            Some(("@wait", text)) => terminal.until(text, |screen| screen.line().contains(text)),
            _ => terminal.enter_any(line),
        }
    }
    terminal.settled()
}

/// Pieces of a line with the parameters of their colours.
type Line = Vec<(String, String)>;

/// The lines of a recorded screen. Colours last until they change, also across lines.
fn runs(screen: &str) -> Vec<Line> {
    let mut style = Style::default();
    let mut lines = Vec::new();
    for line in screen.lines() {
        let mut found: Line = Vec::new();
        let mut pieces = line.split("\x1b[");
        let first = pieces.next().unwrap_or_default();
        let mut push = |text: &str, style: &Style| {
            if !text.is_empty() {
                found.push((style.class(), text.to_owned()));
            }
        };
        push(first, &style);
        for piece in pieces {
            let (codes, text) = piece.split_once('m').expect("only colours are recorded");
            style.change(codes);
            push(text, &style);
        }
        lines.push(found);
    }
    lines
}

fn plain(line: &Line) -> String {
    line.iter().map(|(_, text)| text.as_str()).collect::<String>().trim_end().to_owned()
}

/// How characters look.
#[derive(Default, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "as terminals have them")]
struct Style {
    bold: bool,
    faint: bool,
    underlined: bool,
    reversed: bool,
    colour: Option<u16>,
}

impl Style {
    /// Carries out the parameters of an escape sequence.
    fn change(&mut self, codes: &str) {
        let mut codes = codes.split(';').map(|code| code.parse::<u16>().unwrap_or(0));
        while let Some(code) = codes.next() {
            match code {
                0 => *self = Style::default(),
                1 => self.bold = true,
                2 => self.faint = true,
                4 => self.underlined = true,
                7 => self.reversed = true,
                30..=37 => self.colour = Some(code - 30),
                38 => self.colour = codes.nth(1),
                39 => self.colour = None,
                49 => {}
                other => panic!("no style {other}"),
            }
        }
    }

    /// The attributes of a `tspan`.
    fn class(&self) -> String {
        let mut text = String::new();
        let fill = match self.colour {
            Some(1 | 160) => "#ff7b72",
            Some(2 | 28) => "#7ee787",
            Some(5) => "#d2a8ff",
            Some(6) => "#56d4dd",
            Some(33) => "#79c0ff",
            Some(244) => "#8b949e",
            Some(_) => "#e6edf3",
            None if self.faint => "#8b949e",
            None => "",
        };
        if !fill.is_empty() {
            let _ = write!(text, " fill=\"{fill}\"");
        }
        if self.bold || self.reversed {
            text.push_str(" font-weight=\"bold\"");
        }
        if self.underlined || self.reversed {
            text.push_str(" text-decoration=\"underline\"");
        }
        text
    }
}

/// A screen as SVG: a dark card with a line of text for each line. Each piece has a length, so that the columns stand
/// whatever the font.
fn picture(screen: &str, columns: usize) -> String {
    const ADVANCE: f64 = 8.4;
    const LINE: usize = 19;
    const EDGE: usize = 16;
    let lines = runs(screen);
    let (width, height) = ((columns as f64 * ADVANCE) as usize + 2 * EDGE, lines.len() * LINE + 2 * EDGE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#0d1117\"/>\n<g fill=\"#e6edf3\" xml:space=\"preserve\">\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let mut column = 0;
        for (style, text) in line {
            let count = text.chars().count();
            let blank = text.len() - text.trim_start().len();
            let shown = text.trim();
            if !shown.is_empty() {
                let x = EDGE as f64 + (column + blank) as f64 * ADVANCE;
                let (y, length) = (EDGE + row * LINE + 14, shown.chars().count() as f64 * ADVANCE);
                let shown = shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" textLength=\"{length:.1}\"{style}>{shown}</text>");
            }
            column += count;
        }
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

#[test]
fn colours_last_until_they_change() {
    let lines = runs("\x1b[1;35mlet\x1b[0m x\n\x1b[38;5;160ma\nb\x1b[39mc");
    assert_eq!(lines.iter().map(plain).collect::<Vec<_>>(), ["let x", "a", "bc"]);
    assert_eq!(lines[2][0].0, " fill=\"#ff7b72\"");
    assert_eq!(lines[2][1].0, "");
}
