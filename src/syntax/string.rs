//! Strings: where they end and what they say.
//!
//! Both quotes begin one, `"` and `'`, and the same one ends it. A string never spans lines, so a forgotten quote costs
//! one line. Escapes: `\n \t \r \0 \\ \" \'`, `\xNN`, `\u{…}`.

use std::ops::Range;

/// The length of the string that `text` begins with, and whether it is closed before the line ends.
pub(crate) fn scan(text: &str) -> (usize, bool) {
    let bytes = text.as_bytes();
    let quote = bytes[0];
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' | b'\r' => return (at, false),
            b'\\' if bytes.get(at + 1).is_some_and(|b| !matches!(b, b'\n' | b'\r')) => at += 1,
            b if b == quote => return (at + 1, true),
            _ => {}
        }
        at += 1;
    }
    (text.len(), false)
}

/// What a closed string says, with its escapes resolved.
pub(crate) fn unescape(text: &str) -> String {
    let body = &text[1..text.len() - 1];
    let mut out = String::with_capacity(body.len());
    for (_, c) in (StringChars { body, at: 0 }) {
        out.extend(c);
    }
    out
}

/// Where a closed string has escapes that mean nothing.
pub(crate) fn unknown_escapes(text: &str) -> Vec<Range<usize>> {
    let pieces = StringChars { body: &text[1..text.len() - 1], at: 0 };
    pieces.filter(|(_, c)| c.is_none()).map(|(range, _)| range.start + 1..range.end + 1).collect()
}

/// The characters of a string's inside; an escape without a meaning has none.
struct StringChars<'a> {
    body: &'a str,
    at: usize,
}

impl Iterator for StringChars<'_> {
    type Item = (Range<usize>, Option<char>);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.body[self.at..];
        let first = rest.chars().next()?;
        let (len, meaning) = if first == '\\' { escape(rest) } else { (first.len_utf8(), Some(first)) };
        let start = self.at;
        self.at += len;
        Some((start..self.at, meaning))
    }
}

/// The length and the meaning of the escape that `text` begins with.
fn escape(text: &str) -> (usize, Option<char>) {
    let Some(letter) = text[1..].chars().next() else { return (1, None) };
    let len = 1 + letter.len_utf8();
    let simple = |c| (len, Some(c));
    match letter {
        'n' => simple('\n'),
        't' => simple('\t'),
        'r' => simple('\r'),
        '0' => simple('\0'),
        '\\' | '"' | '\'' => simple(letter),
        'x' => match text.get(2..4).and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(code) => (4, char::from_u32(code)),
            None => (len, None),
        },
        'u' if text[2..].starts_with('{') => match text.find('}') {
            Some(end) => (end + 1, u32::from_str_radix(&text[3..end], 16).ok().and_then(char::from_u32)),
            None => (len, None),
        },
        _ => (len, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_ends_at_its_quote_or_at_the_line_end() {
        assert_eq!(scan("\"a\\\"b\" + 1"), (6, true));
        assert_eq!(scan("\"abc\r\nx"), (4, false));
        assert_eq!(scan("\"abc\\"), (5, false));
    }

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(unescape(r#""a\n\x41\u{e9}\\""#), "a\nAé\\");
        assert_eq!(unknown_escapes(r#""a\qb\u{zz}""#), [2..4, 5..11]);
    }
}
