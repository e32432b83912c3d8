//! Text that is safe to show.
//!
//! A script, a file name or a message made from them may hold escape sequences, direction overrides and other
//! characters that a terminal obeys instead of showing. Each is replaced by one visible glyph of one column: `␛` for
//! escape, `�` where Unicode has no picture. Combining marks stay; they belong to the letter before them.
//!
//! This is the one place that knows these characters. A message goes through [`visible`], whole text through [`page`],
//! JSON through [`json`]; what a comment may not hold, and what a file name is shown without, is decided here too.
//!
//! `visible("a\u{1b}[2J")` is `a␛[2J`.

use std::borrow::Cow;
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// Longest text shown of one message, name or note, in characters.
const MAX_SHOWN_CHARS: usize = 10_000;

/// What to draw for a character that must not reach the terminal.
pub fn glyph(c: char) -> Option<char> {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32),
        '\u{7f}' => Some('␡'),
        '\u{80}'..='\u{9f}' => Some('�'),
        _ if is_hidden(c) => Some('�'),
        _ => None,
    }
}

/// Characters that show nothing, or move what is beside them: the default ignorable ones, direction and line
/// controls, and code points that are no characters.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
        || c as u32 & 0xfffe == 0xfffe
}

/// Columns that a character takes once [`glyph`] had its say.
pub fn width(c: char) -> usize {
    if glyph(c).is_some() { 1 } else { c.width().unwrap_or(1) }
}

/// One line of text with everything dangerous replaced; a tab becomes a space, and far too long texts are cut.
pub fn visible(text: &str) -> String {
    let mut shown: String =
        text.chars().take(MAX_SHOWN_CHARS).map(|c| if c == '\t' { ' ' } else { glyph(c).unwrap_or(c) }).collect();
    if text.char_indices().nth(MAX_SHOWN_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

/// Whether a character stays in text of many lines.
fn stays(c: char) -> bool {
    matches!(c, '\n' | '\t') || glyph(c).is_none()
}

/// Text of many lines with everything dangerous replaced; line feeds and tabs stay.
pub fn page(text: &str) -> Cow<'_, str> {
    replaced(text, |out, c| out.extend(glyph(c)))
}

/// JSON text in which what is dangerous is escaped, so that it says what it said.
///
/// `json("{\"name\": \"\u{202e}\"}")` is `{"name": "\u202e"}`.
pub fn json(text: &str) -> Cow<'_, str> {
    replaced(text, |out, c| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

fn replaced(text: &str, instead: impl Fn(&mut String, char)) -> Cow<'_, str> {
    // Nearly all text is plain.
    let plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(plain) || text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if stays(c) { out.push(c) } else { instead(&mut out, c) }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_keep_their_lines() {
        assert_eq!(page("a\tb\nc\u{1b}]0;x\u{7}\r\n"), "a\tb\nc␛]0;x␇␍\n");
        assert!(matches!(page("é 漢\n\t~"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_says_what_it_said() {
        let text = "\u{202e}\u{7f}\u{9b}\u{e0001} é\n";
        let value = serde_json::Value::from(text);
        let written = json(&value.to_string()).into_owned();
        assert!(written.chars().all(|c| glyph(c).is_none()), "{written}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), value);
    }

    #[test]
    fn controls_become_pictures() {
        assert_eq!(visible("a\u{1b}]52;c;x\u{7}\r\n\0\u{7f}"), "a␛]52;c;x␇␍␊␀␡");
        assert_eq!(visible("\u{9b}2J\u{202e}\u{2066}\u{200f}\u{2028}\u{feff}\u{200d}\u{ffff}"), "�2J�������");
    }

    #[test]
    fn letters_stay() {
        assert_eq!(visible("é漢😀 e\u{301} ñ\tx"), "é漢😀 e\u{301} ñ x");
    }

    #[test]
    fn endless_texts_are_cut() {
        assert_eq!(visible(&"é".repeat(MAX_SHOWN_CHARS)).chars().count(), MAX_SHOWN_CHARS);
        assert!(visible(&"é".repeat(MAX_SHOWN_CHARS + 1)).ends_with("é…"));
    }
}
