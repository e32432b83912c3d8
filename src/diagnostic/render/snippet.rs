//! The source lines of a diagnostic, with their labels drawn by ariadne.
//!
//! ariadne gets a miniature: only the lines that carry labels, each cut to a [`CutLine`], with an empty line where
//! lines are left out. So the cost does not depend on the size of the source, nothing reaches it that it would print
//! raw, and every span fits. It draws in colours that are numbers of labels; the rows that come back are read into
//! [`DrawnRow`]s, with the line numbers of the real source.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ariadne::{Cache, Color, Config, Label, Report, ReportKind, Source};

use super::window::{CutLine, MIN_LABEL, measure};
use crate::diagnostic::place::Place;
use crate::diagnostic::visible::visible;
use crate::source::{SourceId, Sources};

/// Stands for an empty message, so that the arrow to nowhere can be recognised. [`visible`] lets it through nowhere.
const NOTHING: char = '\u{ffff}';

/// How far behind the end of a place the words of its label begin.
const ARROW: usize = 3;

/// A label to draw.
pub(super) struct DrawnLabel<'a> {
    /// Where.
    pub(super) place: Place<'a>,
    /// What to say there; may be empty.
    pub(super) message: &'a str,
}

/// A drawn character and the label that it belongs to.
pub(super) type DrawnChar = (char, Option<u8>);

/// A drawn row.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DrawnRow {
    /// The lines of another source begin; with the label whose place names it.
    Heading(usize),
    /// A source line with its one-based number.
    Line(usize, Vec<DrawnChar>),
    /// What is drawn below a line.
    Below(Vec<DrawnChar>),
}

/// Draws the marks; the first is the most important one. Answers the rows and which marks found no room in the
/// windows; nothing if drawing failed.
pub(super) fn draw(marks: &[DrawnLabel<'_>], sources: &Sources, columns: usize) -> Option<(Vec<DrawnRow>, Vec<usize>)> {
    let mut order: Vec<SourceId> = Vec::new();
    for mark in marks {
        if !order.contains(&mark.place.source) {
            order.push(mark.place.source);
        }
    }
    let sheets: Vec<SourceLines> = order.iter().map(|&id| SourceLines::new(id, marks, sources, columns)).collect();
    let mut labels: Vec<FoundLabel> = Vec::new();
    let mut left = Vec::new();
    for (index, mark) in marks.iter().enumerate() {
        let sheet = order.iter().position(|&id| id == mark.place.source)?;
        match sheets[sheet].find(&mark.place, sources) {
            Some(range) => labels.push(FoundLabel { sheet, range, index }),
            None => left.push(index),
        }
    }
    // Downwards, because ariadne begins another frame when a label is above the one before it; in a line from the
    // right, so that no arrow crosses another.
    labels.sort_by_key(|FoundLabel { sheet, range, index }| {
        (*sheet, sheets[*sheet].row_of(range.end - 1), Reverse(usize::midpoint(range.start, range.end)), *index)
    });
    let text = catch_unwind(AssertUnwindSafe(|| write(&labels, marks, &sheets))).ok()??;
    Some((rows(&text, &labels, marks, &sheets), left))
}

/// A label in a miniature.
struct FoundLabel {
    /// The number of the miniature.
    sheet: usize,
    /// Its characters there.
    range: Range<usize>,
    /// Which label it is.
    index: usize,
}

/// A line of a miniature.
struct ShownLine {
    /// The zero-based line of the source.
    line: usize,
    window: CutLine,
    /// The offset of its first character.
    start: usize,
}

/// The lines shown of one source.
struct SourceLines {
    source: SourceId,
    /// What ariadne reads.
    miniature: Source<String>,
    /// The lines of the miniature; empty ones stand for what is left out.
    lines: Vec<Option<ShownLine>>,
}

/// The zero-based first and last line of a place.
fn lines_of(place: &Place<'_>, sources: &Sources) -> (usize, usize) {
    let last = place.range.end.saturating_sub(1).max(place.range.start);
    (place.line - 1, sources.get(place.source).line_of(last as u32))
}

/// The part of a place that lies in a line.
fn within(place: &Place<'_>, line: &Range<usize>) -> Range<usize> {
    let start = place.range.start.clamp(line.start, line.end);
    start..place.range.end.clamp(start, line.end)
}

impl SourceLines {
    fn new(source: SourceId, marks: &[DrawnLabel<'_>], sources: &Sources, columns: usize) -> SourceLines {
        let from = sources.get(source);
        let mut focus: BTreeMap<usize, Range<usize>> = BTreeMap::new();
        for mark in marks.iter().filter(|mark| mark.place.source == source) {
            let (first, last) = lines_of(&mark.place, sources);
            for (line, edge) in [(first, mark.place.range.start), (last, mark.place.range.end)] {
                let range = from.line_range(line);
                let mut wanted = within(&mark.place, &range);
                if first != last {
                    let edge = edge.clamp(range.start, range.end);
                    wanted = edge..edge;
                }
                // Labels share a window while they fit; the first ones have precedence.
                let known = focus.entry(line).or_insert_with(|| wanted.clone());
                let both = known.start.min(wanted.start)..known.end.max(wanted.end);
                if measure(&from.text[both.clone()], columns) <= columns.saturating_sub(2) {
                    *known = both;
                }
            }
        }
        let mut text = String::new();
        let mut count = 0;
        let mut lines = Vec::new();
        let mut next = None;
        for (line, focus) in focus {
            if next.is_some_and(|next| next != line) {
                text.push('\n');
                count += 1;
                lines.push(None);
            }
            next = Some(line + 1);
            let here = |mark: &&DrawnLabel<'_>| mark.place.source == source && lines_of(&mark.place, sources).1 == line;
            let words = marks.iter().filter(here).map(|mark| mark.message.chars().count()).max().unwrap_or(0);
            let window = with_room(&from.text, from.line_range(line), focus, columns, words.min(MIN_LABEL));
            text.extend(window.chars.iter().copied().chain(['\n']));
            let start = count;
            count += window.chars.len() + 1;
            lines.push(Some(ShownLine { line, window, start }));
        }
        SourceLines { source, miniature: Source::from(text), lines }
    }

    /// Where the miniature shows a place; nothing if the window of its line is elsewhere.
    fn find(&self, place: &Place<'_>, sources: &Sources) -> Option<Range<usize>> {
        let (first, last) = lines_of(place, sources);
        let part = |line: usize| {
            let ShownLine { window, start, .. } = self.lines.iter().flatten().find(|shown| shown.line == line)?;
            let range = within(place, &sources.get(self.source).line_range(line));
            let edges = if first == last {
                range.clone()
            } else if line == first {
                range.start..range.start
            } else {
                range.end..range.end
            };
            let seen = edges.start <= window.bytes.end && edges.end >= window.bytes.start;
            let found = window.find(range);
            seen.then(|| start + found.start..start + found.end)
        };
        Some(part(first)?.start..part(last)?.end)
    }

    /// The line of the miniature that holds a character.
    fn row_of(&self, at: usize) -> usize {
        self.lines.iter().rposition(|line| line.as_ref().is_some_and(|line| line.start <= at)).unwrap_or(0)
    }
}

/// The window of a line in which `words` columns are left for labels right of the focus, if it can be moved so far.
fn with_room(text: &str, line: Range<usize>, focus: Range<usize>, columns: usize, words: usize) -> CutLine {
    let window = CutLine::cut(text, line.clone(), focus.clone(), columns);
    let narrow = columns.saturating_sub(words + ARROW);
    let is_wide = window.find(focus.clone()).end > narrow;
    match is_wide && measure(&text[focus.clone()], narrow) + 2 <= narrow {
        true => CutLine::cut(text, line, focus, narrow),
        false => window,
    }
}

/// What ariadne asks for sources: the index of a sheet is their name.
struct Sheets<'a>(&'a [SourceLines]);

impl Cache<usize> for Sheets<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &usize) -> Result<&Source<String>, impl fmt::Debug> {
        Ok::<_, Infallible>(&self.0[*id].miniature)
    }

    fn display<'a>(&self, id: &'a usize) -> Option<impl fmt::Display + 'a> {
        Some(id)
    }
}

/// ariadne's drawing; the colour of a label is its index.
fn write(labels: &[FoundLabel], marks: &[DrawnLabel<'_>], sheets: &[SourceLines]) -> Option<String> {
    let FoundLabel { sheet, range, .. } = labels.first()?;
    let mut report =
        Report::build(ReportKind::Custom("", Color::Primary), (*sheet, range.clone())).with_config(Config::default());
    for (FoundLabel { sheet, range, index }, order) in labels.iter().zip(0..) {
        let inline = sheets[*sheet].row_of(range.start) == sheets[*sheet].row_of(range.end - 1);
        let message = match marks[*index].message {
            "" if inline => NOTHING.to_string(),
            message => visible(message),
        };
        let color = Color::Fixed(u8::try_from(*index).ok()?);
        let label = Label::new((*sheet, range.clone())).with_order(order);
        report.add_label(label.with_message(message).with_color(color));
    }
    let mut out = Vec::new();
    report.finish().write(Sheets(sheets), &mut out).ok()?;
    String::from_utf8(out).ok()
}

/// Reads a drawn row: escape sequences become the numbers of labels.
fn cells(row: &str, labels: usize) -> Vec<DrawnChar> {
    let mut cells = Vec::new();
    let mut label = None;
    let mut rest = row;
    while let Some(c) = rest.chars().next() {
        if let Some((code, after)) = rest.strip_prefix("\u{1b}[").and_then(|rest| rest.split_once('m')) {
            let number = code.strip_prefix("38;5;").and_then(|number| number.parse().ok());
            label = number.filter(|&number: &u8| usize::from(number) < labels);
            rest = after;
        } else {
            cells.push((c, label));
            rest = &rest[c.len_utf8()..];
        }
    }
    cells
}

/// The rows of a drawing, without its frame.
fn rows(text: &str, labels: &[FoundLabel], marks: &[DrawnLabel<'_>], sheets: &[SourceLines]) -> Vec<DrawnRow> {
    let mut rows = Vec::new();
    let mut shown: Vec<usize> = labels.iter().map(|label| label.sheet).collect();
    shown.dedup();
    let mut shown = shown.into_iter();
    let mut sheet = 0;
    for row in text.lines().skip(1) {
        let mut row = cells(row, marks.len());
        let Some(bar) = row.iter().position(|(c, _)| "╭├│┆─".contains(*c)) else { continue };
        let number: String = row[..bar].iter().map(|(c, _)| c).filter(|c| c.is_ascii_digit()).collect();
        let kind = row[bar].0;
        row.drain(..(bar + 2).min(row.len()));
        let end = row.iter().rposition(|(c, _)| !c.is_whitespace()).map_or(0, |last| last + 1);
        row.truncate(end);
        match kind {
            '╭' | '├' => {
                sheet = shown.next().unwrap_or(sheet);
                let named = labels.iter().filter(|label| label.sheet == sheet).map(|label| label.index).min();
                rows.push(DrawnRow::Heading(named.unwrap_or(0)));
            }
            '─' => {}
            _ => match number.parse::<usize>() {
                Ok(number) => {
                    let line = sheets[sheet].lines.get(number.wrapping_sub(1)).and_then(Option::as_ref);
                    rows.push(DrawnRow::Line(line.map_or(0, |shown| shown.line + 1), row));
                }
                Err(_) => rows.extend(below(row, marks).map(DrawnRow::Below)),
            },
        }
    }
    rows
}

/// A row below a source line, without the arrows of labels that say nothing; nothing when it only leads on to the
/// next row.
fn below(mut row: Vec<DrawnChar>, marks: &[DrawnLabel<'_>]) -> Option<Vec<DrawnChar>> {
    if row.iter().any(|&(c, _)| c == NOTHING) {
        return None;
    }
    for (c, label) in &mut row {
        if label.is_some_and(|label| marks[usize::from(label)].message.is_empty()) {
            match *c {
                '┬' => *c = '─',
                '│' => *c = ' ',
                _ => {}
            }
        }
    }
    let end = row.iter().rposition(|(c, _)| !c.is_whitespace())? + 1;
    row.truncate(end);
    Some(row).filter(|row| !row.iter().all(|&(c, _)| c == '│' || c == ' '))
}
