//! The part of a source line that is shown, ready to draw.
//!
//! A line may be megabytes long; only a window around the place of interest is looked at, so the cost depends on the
//! width of the terminal alone. The copy holds no tabs and nothing that a terminal would obey, and remembers which
//! of its characters came from which byte: `…rows(é) + b…`.

use std::ops::Range;

use crate::diagnostic::visible::{glyph, width};

/// A label goes on below itself only where at least this many columns are left for it.
pub(super) const MIN_LABEL: usize = 16;

/// Tab stops are this far apart.
const TAB: usize = 4;

/// A cut line.
pub(super) struct CutLine {
    /// The characters to draw.
    pub(super) chars: Vec<char>,
    /// The bytes of the source that they stand for.
    pub(super) bytes: Range<usize>,
    /// For each character of the source its byte and its index in `chars`; at the end, the place after the last.
    map: Vec<(usize, usize)>,
}

/// What a character adds to the width of a window. Marks without width count too: a line may consist of them.
fn cost(c: char) -> usize {
    if c == '\t' { TAB } else { width(c).max(1) }
}

/// The width of `text`, looking no further than `limit`.
pub(super) fn measure(text: &str, limit: usize) -> usize {
    let mut sum = 0;
    for c in text.chars() {
        sum += cost(c);
        if sum > limit {
            break;
        }
    }
    sum
}

/// How many bytes of `chars` fit into `room`, which is lowered by what they take.
fn fit(chars: impl Iterator<Item = char>, room: &mut usize) -> usize {
    let mut bytes = 0;
    for c in chars {
        let Some(left) = room.checked_sub(cost(c)) else { break };
        *room = left;
        bytes += c.len_utf8();
    }
    bytes
}

impl CutLine {
    /// The window of at most `columns` columns of `text[line]` around `focus`, which lies in the line.
    pub(super) fn cut(text: &str, line: Range<usize>, focus: Range<usize>, columns: usize) -> CutLine {
        if measure(&text[line.clone()], columns) <= columns {
            return CutLine::copy(text, line.clone(), line);
        }
        // Two columns are for the marks of the cut; a focus that is too wide is shown from its start.
        let mut room = columns.saturating_sub(2).max(1);
        let mut end = focus.start + fit(text[focus.clone()].chars(), &mut room);
        let mut half = room / 2;
        room -= half;
        let mut start = focus.start - fit(text[line.start..focus.start].chars().rev(), &mut half);
        room += half;
        end += fit(text[end..line.end].chars(), &mut room);
        start -= fit(text[line.start..start].chars().rev(), &mut room);
        CutLine::copy(text, line, start..end)
    }

    fn copy(text: &str, line: Range<usize>, bytes: Range<usize>) -> CutLine {
        let mut window = CutLine { chars: Vec::new(), bytes: bytes.clone(), map: Vec::new() };
        let mut column = 0;
        if bytes.start > line.start {
            window.chars.push('…');
        }
        for (at, c) in text[bytes.clone()].char_indices() {
            window.map.push((bytes.start + at, window.chars.len()));
            match c {
                '\t' => window.chars.extend(std::iter::repeat_n(' ', TAB - column % TAB)),
                '\u{feff}' if bytes.start + at == 0 => {} // the byte order mark of the file
                _ => window.chars.push(glyph(c).unwrap_or(c)),
            }
            column += if c == '\t' { TAB - column % TAB } else { width(c) };
        }
        window.map.push((bytes.end, window.chars.len()));
        if bytes.end < line.end {
            window.chars.push('…');
        }
        window
    }

    /// The characters of the copy that show `range`: at least one column, which may be the one after the end.
    pub(super) fn find(&self, range: Range<usize>) -> Range<usize> {
        let index = |byte: usize| {
            let at = self.map.partition_point(|&(known, _)| known < byte).min(self.map.len() - 1);
            self.map[at].1
        };
        let mut start = index(range.start);
        let end = index(range.end).max(start + 1);
        // A combining mark alone has no column; the letter that carries it has.
        while start > 0 && self.chars.get(start..end).is_some_and(|part| part.iter().all(|&c| width(c) == 0)) {
            start -= 1;
        }
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, focus: Range<usize>, columns: usize) -> (String, String) {
        let window = CutLine::cut(text, 0..text.len(), focus.clone(), columns);
        let found = window.find(focus);
        let marked = window.chars.get(found).unwrap_or(&[]).iter().collect();
        (window.chars.iter().collect(), marked)
    }

    #[test]
    fn short_lines_are_whole() {
        assert_eq!(cut("let é = 漢", 9..12, 40), ("let é = 漢".into(), "漢".into()));
    }

    #[test]
    fn long_lines_keep_the_focus_in_the_middle() {
        let text = format!("{}HERE{}", "a".repeat(500), "b".repeat(500));
        assert_eq!(cut(&text, 500..504, 16), ("…aaaaaHEREbbbbb…".into(), "HERE".into()));
        assert_eq!(cut(&text, 0..1, 10), ("aaaaaaaa…".into(), "a".into()));
        assert_eq!(cut(&text, 1004..1004, 10).0, "…bbbbbbbb");
    }

    #[test]
    fn a_focus_that_is_too_wide_shows_its_start() {
        let (text, marked) = cut(&"x".repeat(100), 10..90, 12);
        assert_eq!((text.as_str(), marked.as_str()), ("…xxxxxxxxxx…", "xxxxxxxxxx"));
    }

    #[test]
    fn tabs_fill_up_to_their_stop() {
        assert_eq!(cut("a\tb\t\tc", 2..3, 40), ("a   b       c".into(), "b".into()));
        assert_eq!(cut("a\tb", 1..2, 40).1, "   ");
    }

    #[test]
    fn marks_without_width_do_not_make_endless_windows() {
        let text = format!("e{}", "\u{301}".repeat(5000));
        let (shown, _) = cut(&text, 0..1, 20);
        assert!(shown.chars().count() <= 20);
        assert_eq!(cut("e\u{301}x", 1..3, 20).1, "e\u{301}");
    }
}
