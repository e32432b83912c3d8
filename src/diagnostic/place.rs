//! The place of a span, as people count. It has a name, a line and a column.
//!
//! Spans come from many places and may be wrong; here they are clamped to their source and to whole characters, so
//! that nothing downstream has to look. Counting the columns of a line of ten megabytes takes a millisecond, and a
//! hundred thousand diagnostics may point into it: the counts of long lines are remembered at regular distances.
//!
//! `Places::new(&sources).of(span)` answers the place, or nothing when the span's source is gone.

use std::collections::HashMap;
use std::ops::Range;

use crate::source::{SourceId, Sources, Span};

/// Distance in bytes between the remembered counts of a long line.
const STEP: usize = 4096;

/// A span that fits its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// The source.
    pub(super) source: SourceId,
    /// The name of the source, as the user wrote it.
    pub(super) name: &'a str,
    /// The bytes, at boundaries of characters.
    pub(super) range: Range<usize>,
    /// One-based line of the first byte.
    pub(super) line: usize,
    /// One-based column of the first byte, in characters.
    pub(super) column: usize,
}

/// Finds places, quickly also when many are asked for.
pub(super) struct PlaceFinder<'a> {
    pub(super) sources: &'a Sources,
    /// For a long line the number of characters before each multiple of [`STEP`] bytes.
    counts: HashMap<(SourceId, usize), Vec<usize>>,
}

impl<'a> PlaceFinder<'a> {
    /// Places in these sources.
    pub(super) fn new(sources: &'a Sources) -> PlaceFinder<'a> {
        PlaceFinder { sources, counts: HashMap::new() }
    }

    /// Where `span` is; nothing when there is no such source.
    pub(super) fn of(&mut self, span: Span) -> Option<Place<'a>> {
        if span.source.0 as usize >= self.sources.len() {
            return None;
        }
        let source = self.sources.get(span.source);
        let start = source.text.floor_char_boundary(span.start as usize);
        let end = source.text.floor_char_boundary(span.end as usize).max(start);
        let line = source.line_of(start as u32);
        let column = self.characters(span.source, line, start) + 1;
        Some(Place { source: span.source, name: &source.name, range: start..end, line: line + 1, column })
    }

    /// How many characters of zero-based line `line` are before byte `at`. A byte order mark at the very start is
    /// not counted: no editor shows it.
    fn characters(&mut self, id: SourceId, line: usize, at: usize) -> usize {
        let source = self.sources.get(id);
        let text = source.text.as_str();
        let all = source.line_range(line);
        let start = if line == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { all.start };
        if at.saturating_sub(start) < STEP {
            return text.get(start..at).map_or(0, |before| before.chars().count());
        }
        let mark = |index: usize| text.floor_char_boundary(start + index * STEP);
        let counts = self.counts.entry((id, line)).or_insert_with(|| {
            let mut counts = vec![0];
            for index in 0..all.len() / STEP {
                counts.push(counts[index] + text[mark(index)..mark(index + 1)].chars().count());
            }
            counts
        });
        let index = ((at - start) / STEP).min(counts.len() - 1);
        counts[index] + text[mark(index)..at].chars().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, start: usize, end: usize) -> (usize, usize, Range<usize>) {
        let mut sources = Sources::new();
        let id = sources.add("t", text);
        let place = PlaceFinder::new(&sources).of(Span::new(id, start, end)).expect("the source is there");
        (place.line, place.column, place.range)
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(place("é漢\n😀x", 5, 6), (1, 3, 5..6));
        assert_eq!(place("é漢\n😀x", 10, 11), (2, 2, 10..11));
    }

    #[test]
    fn wrong_spans_are_clamped() {
        assert_eq!(place("é", 1, 1), (1, 1, 0..0));
        assert_eq!(place("a\nb", 90, 99), (2, 2, 3..3));
        let backwards = Span { source: SourceId(0), start: 2, end: 1 };
        let mut sources = Sources::new();
        sources.add("t", "abc");
        assert_eq!(PlaceFinder::new(&sources).of(backwards).map(|p| p.range), Some(2..2));
        assert_eq!(PlaceFinder::new(&sources).of(Span::new(SourceId(7), 0, 1)), None);
    }

    #[test]
    fn the_byte_order_mark_has_no_column() {
        assert_eq!(place("\u{feff}ab", 4, 5), (1, 2, 4..5));
    }

    #[test]
    fn long_lines_count_the_same() {
        let text = format!("x\n{}\ny", "aé漢😀".repeat(3000));
        let mut sources = Sources::new();
        let id = sources.add("t", text.as_str());
        let mut places = PlaceFinder::new(&sources);
        for at in (0..=text.len()).step_by(97).filter(|&at| text.is_char_boundary(at)) {
            let place = places.of(Span::new(id, at, at)).expect("the source is there");
            assert_eq!((place.line, place.column), sources.line_column(id, at as u32), "byte {at}");
        }
    }
}
