//! Draws diagnostics for people.
//!
//! The frame, the help and the notes are written here; the source lines with their labels are ariadne's
//! (module `snippet`), from miniatures that hold only what is shown. Whatever a script, a file name or a message
//! contains, the output holds no control characters but line feeds and, if asked for, our own colours.
//!
//! ```
//! use arrlang::diagnostic::{Diagnostic, codes, render};
//! use arrlang::source::{Sources, Span};
//! let mut sources = Sources::new();
//! let id = sources.add("demo.arr", "let x = 1.5\nxx + 1\n");
//! let unknown = Diagnostic::error(&codes::names::UNKNOWN_NAME, Span::new(id, 12, 14), "no `xx` here").help("`x` is near");
//! let style = render::Style { color: false, width: 80 };
//! assert_eq!(render::render_to_string([&unknown], &sources, &style), "\
//! Error[E0201 unknown-name]: no `xx` here
//!    ╭─[ demo.arr:2:1 ]
//!  2 │ xx + 1
//!    │ ──
//!    │ Help: `x` is near
//! ───╯
//! ");
//! ```

mod fold;
mod paint;
mod snippet;
mod window;

use std::io::{self, Write};

use super::place::{Place, PlaceFinder};
use super::visible::visible;
use super::{Diagnostic, Level, machine, wrap};
use crate::source::Sources;
use paint::{Ink, Painter};
use snippet::{DrawnChar, DrawnLabel, DrawnRow};

/// The most diagnostics that are drawn. Of the rest only the number is given.
pub const MAX_DIAGNOSTICS: usize = 100;
/// The most labels of one diagnostic that are drawn.
pub const MAX_LABELS: usize = 8;
/// The widest part of a line that is shown.
pub const MAX_COLUMNS: usize = 200;
/// The narrowest, however narrow the terminal.
const MIN_COLUMNS: usize = 20;

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to use escape sequences for colours.
    pub color: bool,
    /// Columns of the terminal, which long lines are cut to; zero when there is no terminal.
    pub width: usize,
}

/// Draws diagnostics in the order given, a blank line between them.
///
/// # Errors
/// When the stream cannot be written to.
pub fn render<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    sources: &Sources,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut rest = diagnostics.into_iter();
    let mut drawing = Drawing {
        places: PlaceFinder::new(sources),
        painter: Painter { color: style.color },
        style,
        text: String::new(),
    };
    for (index, diagnostic) in rest.by_ref().take(MAX_DIAGNOSTICS).enumerate() {
        if index > 0 {
            drawing.text.push('\n');
        }
        drawing.diagnostic(diagnostic);
        out.write_all(drawing.text.as_bytes())?;
        drawing.text.clear();
    }
    let (mut errors, mut warnings) = (0, 0);
    for diagnostic in rest {
        *if diagnostic.is_error() { &mut errors } else { &mut warnings } += 1;
    }
    if errors + warnings > 0 {
        writeln!(out, "\n… and {} more: {}", errors + warnings, summary(errors, warnings))?;
    }
    Ok(())
}

/// What [`render`] draws, as a string.
///
/// # Panics
/// Never: memory takes all that is written, and only strings are.
pub fn render_to_string<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    sources: &Sources,
    style: &Style,
) -> String {
    let mut out = Vec::new();
    render(diagnostics, sources, style, &mut out).expect("writing to memory does not fail");
    String::from_utf8(out).expect("only strings are written")
}

/// One line for each diagnostic: `demo.arr:2:1: error[E0201 unknown-name]: no xx here`. None is left out.
///
/// # Errors
/// When the stream cannot be written to.
pub fn concise<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    sources: &Sources,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut places = PlaceFinder::new(sources);
    for diagnostic in diagnostics {
        if let Some(place) = diagnostic.span().and_then(|span| places.of(span)) {
            write!(out, "{}: ", position(&place))?;
        }
        let (level, code) = (machine::level(diagnostic.level), diagnostic.code);
        writeln!(out, "{level}[{} {}]: {}", code.id, code.name, visible(&diagnostic.message))?;
    }
    Ok(())
}

/// How many there were: `2 errors, 1 warning`.
pub fn summary(errors: usize, warnings: usize) -> String {
    let count = |number: usize, word: &str| match number {
        0 => None,
        1 => Some(format!("1 {word}")),
        _ => Some(format!("{number} {word}s")),
    };
    match (count(errors, "error"), count(warnings, "warning")) {
        (Some(errors), Some(warnings)) => format!("{errors}, {warnings}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "no errors".to_string(),
    }
}

/// The word that a diagnostic begins with.
fn heading(level: Level) -> (&'static str, Ink) {
    match level {
        Level::Deny => ("Error", Ink::Error),
        Level::Warn => ("Warning", Ink::Warning),
        Level::Allow => ("Note", Ink::Note),
    }
}

/// `demo.arr:2:1`.
fn position(place: &Place<'_>) -> String {
    format!("{}:{}:{}", visible(place.name), place.line, place.column)
}

/// A text that grows by one diagnostic after the other.
struct Drawing<'a> {
    places: PlaceFinder<'a>,
    painter: Painter,
    style: &'a Style,
    text: String,
}

impl Drawing<'_> {
    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        let (word, ink) = heading(diagnostic.level);
        let code = diagnostic.code;
        let title = format!("{word}[{} {}]", code.id, code.name);
        self.put(ink, &title);
        let text = self.wrapped(&format!(": {}", visible(&diagnostic.message)), title.len(), 2);
        self.put(Ink::Plain, &text.join("\n  "));
        self.text.push('\n');
        let labels = diagnostic.labels.iter().take(MAX_LABELS);
        let marks: Vec<DrawnLabel> = labels
            .filter_map(|label| Some(DrawnLabel { place: self.places.of(label.span)?, message: &label.message }))
            .collect();
        // The frame's left edge is after the widest line number.
        let margin = marks.iter().map(|mark| self.last_line(&mark.place).to_string().len()).max().unwrap_or(0) + 1;
        let width = if self.style.width == 0 { MAX_COLUMNS } else { self.style.width.saturating_sub(margin + 3) };
        let columns = width.clamp(MIN_COLUMNS, MAX_COLUMNS);
        let (rows, left) = snippet::draw(&marks, self.places.sources, columns)
            .unwrap_or_else(|| (Vec::new(), (0..marks.len()).collect()));
        let rows = if self.style.width == 0 { rows } else { fold::fold(rows, columns) };
        for (index, row) in rows.iter().enumerate() {
            let corner = if index == 0 { '╭' } else { '├' };
            self.row(row, &marks, (margin, corner), ink);
        }
        let edge = if rows.is_empty() { "  ".to_string() } else { format!("{} │ ", " ".repeat(margin)) };
        for mark in left.iter().map(|&index| &marks[index]) {
            let colon = if mark.message.is_empty() { "" } else { ": " };
            self.below(&edge, (Ink::Frame, "At"), &format!("{}{colon}{}", position(&mark.place), mark.message));
        }
        if diagnostic.labels.len() > MAX_LABELS {
            let more = diagnostic.labels.len() - MAX_LABELS;
            self.below(
                &edge,
                (Ink::Note, "Note"),
                &format!("and {more} more place{}", if more == 1 { "" } else { "s" }),
            );
        }
        for help in &diagnostic.helps {
            self.below(&edge, (Ink::Help, "Help"), &help.text);
        }
        for note in &diagnostic.notes {
            self.below(&edge, (Ink::Note, "Note"), note);
        }
        if !rows.is_empty() {
            self.put(Ink::Frame, &format!("{}╯\n", "─".repeat(margin + 1)));
        }
    }

    /// The one-based line where a place ends.
    fn last_line(&self, place: &Place<'_>) -> usize {
        let last = place.range.end.saturating_sub(1).max(place.range.start);
        self.places.sources.get(place.source).line_of(last as u32) + 1
    }

    /// A line of words cut to the terminal: before the first line there are `first` columns, before later ones `next`.
    fn wrapped(&self, text: &str, first: usize, next: usize) -> Vec<String> {
        let room = |taken: usize| self.style.width.saturating_sub(taken).max(MIN_COLUMNS);
        match self.style.width {
            0 => vec![text.to_owned()],
            _ => wrap::lines(text, room(first), room(next)),
        }
    }

    fn put(&mut self, ink: Ink, text: &str) {
        self.painter.write(&mut self.text, ink, text);
    }

    fn row(&mut self, row: &DrawnRow, marks: &[DrawnLabel<'_>], (margin, corner): (usize, char), first: Ink) {
        match row {
            DrawnRow::Heading(mark) => {
                self.put(Ink::Frame, &format!("{} {corner}─[ ", " ".repeat(margin)));
                self.put(Ink::Plain, &position(&marks[*mark].place));
                self.put(Ink::Frame, " ]");
            }
            DrawnRow::Line(number, cells) => {
                self.put(Ink::Frame, &format!("{number:>margin$} │"));
                self.cells(cells, first);
            }
            DrawnRow::Below(cells) => {
                self.put(Ink::Frame, &format!("{} │", " ".repeat(margin)));
                self.cells(cells, first);
            }
        }
        self.text.push('\n');
    }

    /// Cells of one label after the other are written together, so that a coloured row has few escape sequences.
    fn cells(&mut self, cells: &[DrawnChar], first: Ink) {
        if !cells.is_empty() {
            self.text.push(' ');
        }
        for run in cells.chunk_by(|a, b| a.1 == b.1) {
            let ink = match run[0].1 {
                None => Ink::Plain,
                Some(0) => first,
                Some(label) => Ink::Label(usize::from(label) - 1),
            };
            self.put(ink, &run.iter().map(|(c, _)| c).collect::<String>());
        }
    }

    /// A line of help or a note, inside the frame when there is one; further lines are indented below the first.
    fn below(&mut self, edge: &str, (ink, word): (Ink, &str), text: &str) {
        let indent = edge.chars().count() + word.len() + 2;
        let lines = text.lines().flat_map(|line| self.wrapped(&visible(line), indent, indent));
        for (index, line) in lines.collect::<Vec<_>>().iter().enumerate() {
            self.put(Ink::Frame, edge);
            if index == 0 {
                self.put(ink, word);
                self.put(Ink::Plain, ": ");
            } else {
                self.put(Ink::Plain, &" ".repeat(word.len() + 2));
            }
            self.put(Ink::Plain, line);
            self.text.push('\n');
        }
    }
}

#[cfg(test)]
mod tests;
