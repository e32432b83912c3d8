//! What goes to the standard streams: values, diagnostics, summaries.
//!
//! A reader that closes its end early is no error; whatever else goes wrong with standard output is.

use super::args::Format;
use crate::array::json::write_json_pieces;
use crate::array::show::{Show, array_text};
use crate::diagnostic::render::{self, Style};
use crate::diagnostic::{Diagnostic, Diagnostics, Level};
use crate::io::mapped;
use crate::session::Shown;
use crate::source::Sources;
use std::io::{self, Write};

/// Writes to standard output; answers the exit code.
pub(super) fn print(text: &str) -> u8 {
    printed(write(text))
}

fn write(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

fn printed(outcome: io::Result<()>) -> u8 {
    match outcome {
        Ok(()) => 0,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            complain(&format!("cannot write to standard output: {error}"));
            3
        }
    }
}

/// Writes a line to standard error; when that is closed there is nobody to tell.
pub(super) fn complain(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{text}").and_then(|()| err.flush());
}

/// Writes over the line of the terminal on standard error; an empty text clears it.
pub(super) fn over_line(text: &str) {
    let room = columns().saturating_sub(1);
    let text: String = text.chars().take(room).collect();
    let mut err = io::stderr().lock();
    let _ = write!(err, "\r\x1b[K{text}").and_then(|()| err.flush());
}

/// What is worth saying though nothing is wrong.
pub(super) fn notes(notes: &[String]) {
    notes.iter().for_each(|note| complain(&format!("note: {note}")));
}

/// A command line that is wrong: exit code 2.
pub(super) fn usage(text: &str) -> u8 {
    complain(&format!("error: {text}\n\nFor more information, try '--help'."));
    2
}

fn style(color: bool) -> Style {
    Style { color, width: width() }
}

/// Columns of the terminal, or 0 when there is none.
fn width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).or_else(terminal_width).unwrap_or(0)
}

/// Columns for what is drawn on standard output: those of the terminal, or of a terminal of old.
pub(super) fn columns() -> usize {
    match width() {
        0 => 80,
        columns => columns,
    }
}

fn terminal_width() -> Option<usize> {
    use std::io::IsTerminal;
    io::stderr().is_terminal().then(super::interrupt::terminal_size).flatten().map(|(columns, _)| columns)
}

/// Draws diagnostics on standard error.
pub(super) fn diagnostics<'d>(list: impl IntoIterator<Item = &'d Diagnostic>, sources: &Sources) {
    let mut err = anstream::stderr().lock();
    let _ = err.write_all(drawn(list, sources).as_bytes()).and_then(|()| err.flush());
}

/// Diagnostics as text. Colours are always written; the stream strips them where nobody sees them.
pub(super) fn drawn<'d>(list: impl IntoIterator<Item = &'d Diagnostic>, sources: &Sources) -> String {
    let mut text = Vec::new();
    let _ = render::render(list, sources, &style(true), &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// One line for findings that are no errors.
pub(super) fn summary(found: &Diagnostics) {
    let mut names: Vec<&str> = found.iter().filter(|d| d.level == Level::Warn).map(|d| d.code.name).collect();
    if names.is_empty() {
        return;
    }
    let count = names.len();
    names.dedup();
    names.sort_unstable();
    names.dedup();
    let noun = if count == 1 { "warning" } else { "warnings" };
    complain(&format!("{count} {noun} ({}); -v shows them", names.join(", ")));
}

/// So much text is collected before it is written.
const PIECE: usize = 64 << 10;

/// Prints the values of a reply; answers the exit code. Values that lie in a file which became shorter while they were
/// printed are an error.
pub(super) fn values<'v>(values: impl IntoIterator<Item = &'v Shown>, format: Format) -> u8 {
    let mut text = String::new();
    let mut drain = |text: &mut String| {
        let written = if text.is_empty() { Ok(()) } else { write(text) };
        text.clear();
        written
    };
    for value in values {
        let before = text.len();
        let mut written = match format {
            Format::Text => {
                value_text(value, &Show::default(), &mut text);
                Ok(())
            }
            Format::Json => value_json(value, &mut text, &mut drain),
        };
        let lost = mapped::lost([&value.array]);
        if lost.is_some() {
            text.truncate(before);
        }
        if text.len() >= PIECE || lost.is_some() {
            written = written.and_then(|()| drain(&mut text));
        }
        match (written, lost) {
            (Err(error), _) => return printed(Err(error)),
            (Ok(()), Some(error)) => {
                diagnostics([&error.diagnostic()], &Sources::new());
                return error.exit_code();
            }
            (Ok(()), None) => {}
        }
    }
    printed(drain(&mut text))
}

pub(super) fn value_text(value: &Shown, show: &Show, text: &mut String) {
    let shown = array_text(&value.array, show);
    if let Some(name) = &value.name {
        let gap = if shown.contains('\n') { "\n" } else { " " };
        text.push_str(&format!("{name} ={gap}"));
    }
    text.push_str(&format!("{shown} : {}\n", value.type_text()));
}

/// One line of JSON, of which `drain` may take the beginning away.
fn value_json(
    value: &Shown,
    text: &mut String,
    drain: &mut dyn FnMut(&mut String) -> io::Result<()>,
) -> io::Result<()> {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let sizes: Vec<String> = value.array.shape().iter().map(usize::to_string).collect();
    text.push_str(&format!("{{\"line\":{},\"text\":{},", value.line, quoted(&value.text)));
    if let Some(name) = &value.name {
        text.push_str(&format!("\"name\":{},", quoted(name)));
    }
    let dtype = value.array.dtype().name();
    text.push_str(&format!(
        "\"dtype\":\"{dtype}\",\"weak\":{},\"shape\":[{}],\"data\":",
        value.elem.is_weak(),
        sizes.join(",")
    ));
    write_json_pieces(&value.array, text, drain)?;
    text.push_str("}\n");
    Ok(())
}
