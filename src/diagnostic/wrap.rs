//! Lines cut between words.
//!
//! Words are parted by blanks; what stands between backquotes is one word where it fits on a line, so that code can be
//! copied whole. Our own colours have no width, and neither a word that is too long nor blanks within a line change.
//!
//! ```
//! use arrlang::diagnostic::wrap::lines;
//! assert_eq!(lines("one `two three` four", 10, 12), ["one", "`two three`", "four"]);
//! ```

use unicode_width::UnicodeWidthChar;

/// The lines of one line of text: the first within `first` columns, the others within `next`.
pub fn lines(text: &str, first: usize, next: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let (mut used, mut room) = (0, first);
    for (gap, word) in pieces(text, next) {
        let columns = width(word);
        let begun = lines.last().is_some_and(|line| !line.trim().is_empty());
        if begun && used + gap + columns > room {
            lines.push(String::new());
            (used, room) = (0, next);
        } else if let Some(line) = lines.last_mut() {
            line.push_str(&" ".repeat(gap));
            used += gap;
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
            used += columns;
        }
    }
    lines
}

/// Texts of several lines, each cut; what is cut off stands `hang` columns further right than its line begins.
pub fn text(text: &str, columns: usize, hang: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let indent = line.len() - line.trim_start().len() + hang;
        let parts = match width(line) > columns {
            true => lines(line, columns, columns.saturating_sub(indent).max(1)),
            false => vec![line.to_owned()],
        };
        wrapped += &parts.join(&format!("\n{}", " ".repeat(indent)));
        wrapped += end;
    }
    wrapped
}

/// The words, each with the number of blanks before it.
fn pieces(text: &str, most: usize) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let word = rest.trim_start_matches(' ');
        let gap = rest.len() - word.len();
        let plain = word.find(' ').unwrap_or(word.len());
        // A quotation goes on to its end, and the word that it is in to the next blank.
        let quoted = |end: usize| word[..end].matches('`').count() % 2 == 1;
        let whole = quoted(plain).then(|| {
            let close = plain + word[plain..].find('`')? + 1;
            Some(close + word[close..].find(' ').unwrap_or(word.len() - close))
        });
        let end = whole.flatten().filter(|&end| !quoted(end) && width(&word[..end]) <= most).unwrap_or(plain);
        if end > 0 {
            found.push((gap, &word[..end]));
        }
        at += gap + end;
    }
    found
}

/// Columns that a text takes; escape sequences of colours take none.
pub fn width(text: &str) -> usize {
    let mut columns = 0;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' => drop(chars.by_ref().find(char::is_ascii_alphabetic)),
            _ => columns += c.width().unwrap_or(0),
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words() {
        assert_eq!(lines("a bc def ghij", 6, 4), ["a bc", "def", "ghij"]);
        assert_eq!(lines("  indented  and wide", 14, 8), ["  indented", "and wide"]);
        assert_eq!(lines("", 5, 5), [""]);
        assert_eq!(lines("endlessly x", 4, 4), ["endlessly", "x"]);
    }

    #[test]
    fn code_stays_whole_where_it_fits() {
        assert_eq!(lines("see `a + b`, then", 9, 9), ["see", "`a + b`,", "then"]);
        assert_eq!(lines("see `a + b`", 5, 5), ["see", "`a +", "b`"]);
        assert_eq!(lines("an odd ` here", 8, 8), ["an odd `", "here"]);
    }

    #[test]
    fn colours_have_no_width() {
        assert_eq!(width("\x1b[1;38;5;160mé漢\x1b[0m"), 3);
        assert_eq!(lines("\x1b[1mab\x1b[0m cd", 5, 5).len(), 1);
    }

    #[test]
    fn what_is_cut_off_is_indented() {
        assert_eq!(text("error: one two\n  three four\n", 10, 2), "error: one\n  two\n  three\n    four\n");
        assert_eq!(text("short", 10, 2), "short");
    }
}
