//! The text on the standard streams: values, diagnostics, summaries.
//!
//! Every character passes here, and nothing else in `cli` writes to a stream. Text for people is [`StyledText`], which
//! holds no escape sequences but ours. JSON has its own escapes. The text of scripts passes byte for byte, but not to a
//! terminal. A reader that closes its end early is no error; whatever else goes wrong with standard output is.

use super::formats::ValueFormat;
use super::interrupt;
use super::painted::StyledText;
use crate::array::json::write_json_pieces;
use crate::array::logical::Logical;
use crate::array::show::{Show, array_text, words_text};
use crate::diagnostic::{Diagnostic, Diagnostics, Level, Outcome, visible, wrap};
use crate::io::error::IoError;
use crate::io::{mapped, standard};
use crate::session::ShownValue;
use crate::source::Sources;
use anstream::{AutoStream, ColorChoice};
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// What became of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WriteOutcome {
    /// It was written; or a person wanted no more of it.
    Written,
    /// Nobody reads any more.
    Unread,
    /// It cannot be written, which was told.
    Refused,
}

impl WriteOutcome {
    /// How a command ends that wrote it.
    pub(super) fn outcome(self) -> Outcome {
        if self == WriteOutcome::Refused { Outcome::Unreachable } else { Outcome::Done }
    }
}

/// Writes text for people to standard output; answers how it ended.
pub(super) fn print(text: &str) -> Outcome {
    show(&StyledText::from(text)).outcome()
}

/// Writes text in colours, where they are seen.
pub(super) fn show(text: &StyledText) -> WriteOutcome {
    told(match colours() {
        true => put(text.with_colours()),
        false => put(&text.plain()),
    })
}

/// Writes the text of a script, or what changes it: byte for byte, but for people as they may see it.
pub(super) fn script(text: &str) -> Outcome {
    let text = if io::stdout().is_terminal() { visible::page(text) } else { text.into() };
    told(put(&text)).outcome()
}

/// Writes JSON.
pub(super) fn json(value: &serde_json::Value) -> Outcome {
    print(&json_text(value))
}

/// JSON with a line end, which a terminal shows as it is.
pub(super) fn json_text(value: &serde_json::Value) -> String {
    visible::json(&format!("{value:#}\n")).into_owned()
}

/// Whether standard output shows colours.
pub(super) fn colours() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Whether somebody watches standard output.
pub(super) fn is_watched() -> bool {
    io::stdout().is_terminal()
}

/// Whether somebody watches standard error.
pub(super) fn errors_are_watched() -> bool {
    io::stderr().is_terminal()
}

/// Bytes of text that are written at once.
const PIECE: usize = 64 << 10;

/// Writes what went through one of the functions above; between two pieces of it a person may have had enough.
fn put(text: &str) -> io::Result<()> {
    let mut out = standard::output()?;
    for piece in text.as_bytes().chunks(PIECE) {
        if interrupt::stop_flag().load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        out.write_all(piece).and_then(|()| out.flush())?;
    }
    Ok(())
}

fn told(outcome: io::Result<()>) -> WriteOutcome {
    match outcome.map_err(|error| (error.kind(), error)) {
        Ok(()) | Err((io::ErrorKind::Interrupted, _)) => WriteOutcome::Written,
        Err((io::ErrorKind::BrokenPipe, _)) => WriteOutcome::Unread,
        Err((_, error)) => {
            report_refusal(&IoError::writing(Path::new("standard output"), &error));
            WriteOutcome::Refused
        }
    }
}

/// The lines of a message after its first stand this many columns further right.
const HANG: usize = 2;

/// Writes a message to standard error, cut between words at a terminal. When standard error is closed nobody reads it.
pub(super) fn report(text: &str) {
    err(&StyledText::from(format!("{}\n", wrap_for_terminal(text)).as_str()));
}

/// A text cut between words at a terminal; elsewhere as it is.
pub(super) fn wrap_for_terminal(text: &str) -> String {
    match width() {
        0 => text.to_owned(),
        columns => wrap::text(text, columns, HANG),
    }
}

/// Writes text in colours to standard error.
pub(super) fn err(text: &StyledText) {
    let mut err = io::stderr().lock();
    let text = match AutoStream::choice(&err) {
        ColorChoice::Never => text.plain(),
        ColorChoice::Auto | ColorChoice::AlwaysAnsi | ColorChoice::Always => text.with_colours().to_owned(),
    };
    let clear = if OVER_LINE.swap(false, Ordering::Relaxed) { CLEAR } else { "" };
    let _ = write!(err, "{clear}{text}").and_then(|()| err.flush());
}

/// Takes the line of the terminal off the screen.
const CLEAR: &str = "\r\x1b[K";

/// Whether the line of the terminal holds what the next text writes over. It changes while standard error is locked.
static OVER_LINE: AtomicBool = AtomicBool::new(false);

/// Writes over the line of the terminal on standard error; an empty text clears it. Whatever else is written there
/// clears it too.
pub(super) fn over_line(text: &str) {
    let room = columns().saturating_sub(1);
    let text: String = visible::visible(text).chars().take(room).collect();
    let mut err = io::stderr().lock();
    OVER_LINE.store(!text.is_empty(), Ordering::Relaxed);
    let _ = write!(err, "{CLEAR}{text}").and_then(|()| err.flush());
}

/// What is worth saying though nothing is wrong, a line each.
pub(super) fn notes(notes: &[String]) {
    notes.iter().for_each(|text| note(text));
}

/// Writes one note for the user.
pub(super) fn note(text: &str) {
    report(&format!("note: {}", visible::visible(text)));
}

/// A command line that is wrong: exit code 2.
pub(super) fn usage(text: &str) -> Outcome {
    report(&format!("error: {text}\n\nFor more information, try '--help'."));
    Outcome::Misused
}

/// Columns of the terminal, or 0 when there is none.
pub(super) fn width() -> usize {
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
    io::stderr().is_terminal().then(interrupt::terminal_size).flatten().map(|(columns, _)| columns)
}

/// Draws diagnostics on standard error.
pub(super) fn diagnostics<'d>(list: impl IntoIterator<Item = &'d Diagnostic>, sources: &Sources) {
    err(&drawn(list, sources));
}

/// Diagnostics as text.
pub(super) fn drawn<'d>(list: impl IntoIterator<Item = &'d Diagnostic>, sources: &Sources) -> StyledText {
    StyledText::drawn(list, sources, width())
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
    report(&format!("{count} {noun} ({}); -v shows them", names.join(", ")));
}

/// Prints the values of a reply; answers how it ended. Values that lie in a file which became shorter while they were
/// printed are an error.
pub(super) fn values<'v>(
    values: impl IntoIterator<Item = &'v ShownValue>,
    format: ValueFormat,
    show: &Show,
) -> Result<WriteOutcome, IoError> {
    let mut text = String::new();
    let mut drain = |text: &mut String| {
        let written = if text.is_empty() { Ok(()) } else { put(&visible::page(text)) };
        text.clear();
        written
    };
    for value in values {
        let before = text.len();
        let mut written = match format {
            ValueFormat::Text | ValueFormat::Csv | ValueFormat::Npy => {
                value_text(value, show, &mut text);
                Ok(())
            }
            ValueFormat::Json => value_json(value, &mut text, &mut drain),
        };
        let lost = mapped::lost_file_error([&value.array]);
        if lost.is_some() {
            text.truncate(before);
        }
        if text.len() >= PIECE || lost.is_some() {
            written = written.and_then(|()| drain(&mut text));
        }
        match (written, lost) {
            (Err(error), _) => return Ok(told(Err(error))),
            (Ok(()), Some(error)) => return Err(error),
            (Ok(()), None) => {}
        }
    }
    Ok(told(drain(&mut text)))
}

pub(super) fn value_text(value: &ShownValue, show: &Show, text: &mut String) {
    let shown = array_text(&value.array, show);
    if let Some(name) = &value.name {
        let gap = if shown.contains('\n') { "\n" } else { " " };
        let _ = write!(text, "{name} ={gap}");
    }
    let words = words_text(&value.array).map(|words| format!(", where {words}")).unwrap_or_default();
    let _ = writeln!(text, "{shown} : {}{words}", value.type_text());
}

/// One line of JSON, of which `drain` may take the beginning away.
fn value_json(
    value: &ShownValue,
    text: &mut String,
    drain: &mut dyn FnMut(&mut String) -> io::Result<()>,
) -> io::Result<()> {
    let quoted = |text: &str| visible::json(&serde_json::Value::from(text).to_string()).into_owned();
    let sizes: Vec<String> = value.array.shape().iter().map(usize::to_string).collect();
    let _ = write!(text, "{{\"line\":{},\"text\":{},", value.line, quoted(&value.text));
    if let Some(name) = &value.name {
        let _ = write!(text, "\"name\":{},", quoted(name));
    }
    let dtype = value.array.dtype().name();
    let _ = write!(
        text,
        "\"dtype\":\"{dtype}\",\"weak\":{},\"shape\":[{}],\"data\":",
        value.elem.is_weak(),
        sizes.join(",")
    );
    write_json_pieces(&value.array, text, drain)?;
    match value.array.logical() {
        Some(Logical::Words(words)) => {
            let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            let _ = write!(text, ",\"labels\":[{}]", words.join(","));
        }
        Some(other) => {
            let _ = write!(text, ",\"logical\":\"{}\"", other.name());
        }
        None => {}
    }
    text.push_str("}\n");
    Ok(())
}

/// Errors in full; other findings in full when asked for, else as one line.
pub(super) fn findings(found: &Diagnostics, sources: &Sources, verbose: bool) {
    if found.has_errors() || verbose {
        let shown: Vec<_> = found.iter().filter(|diagnostic| verbose || diagnostic.is_error()).collect();
        diagnostics(shown, sources);
    } else {
        summary(found);
    }
}

/// Tells why a file cannot be used; answers how it ended.
pub(super) fn report_refusal(error: &IoError) -> Outcome {
    diagnostics([&error.diagnostic()], &Sources::new());
    error.outcome()
}
