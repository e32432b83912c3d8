//! Source text in colour, by the real lexer.
//!
//! Six styles of the terminal's own palette, chosen to be readable on dark and on light: no blue, yellow or white.

use crate::ops;
use crate::syntax::{TokenKind, tokens};
use crate::types::Elem;
use std::str::FromStr;

/// Dtypes, also in answers.
pub(super) const DTYPE: &str = "35";
/// Builtins.
const BUILTIN: &str = "1";
const KEYWORD: &str = "1;35";
const LITERAL: &str = "36";
const STRING: &str = "32";
/// Comments, hints and notes.
pub(super) const FAINT: &str = "2";
/// Commands and the prompt.
pub(super) const COMMAND: &str = "1;36";
const BROKEN: &str = "4;31";
/// The bracket that belongs to the one at the cursor.
const MATCHING: &str = "1;7";

/// Text in a style.
pub(super) fn in_style(style: &str, text: &str) -> String {
    format!("\x1b[{style}m{text}\x1b[0m")
}

/// A piece of a script in colour; the bytes at `brackets` stand out.
#[cfg_attr(not(feature = "repl"), allow(dead_code, reason = "only the line editor paints"))]
pub(super) fn source(text: &str, brackets: &[usize]) -> String {
    let mut painted = String::with_capacity(2 * text.len());
    let mut done = 0;
    for (kind, range) in tokens(text) {
        painted.push_str(&text[done..range.start]);
        let word = &text[range.clone()];
        done = range.end;
        match style(kind, word) {
            _ if brackets.contains(&range.start) => painted.push_str(&in_style(MATCHING, word)),
            // A style ends with its line, so that nothing that follows is touched.
            Some(style) => {
                let lines: Vec<String> = word.split('\n').map(|line| in_style(style, line)).collect();
                painted.push_str(&lines.join("\n"));
            }
            None => painted.push_str(word),
        }
    }
    painted.push_str(&text[done..]);
    painted
}

fn style(kind: TokenKind, word: &str) -> Option<&'static str> {
    match kind {
        TokenKind::Keyword => Some(KEYWORD),
        TokenKind::Name if Elem::from_str(word).is_ok() => Some(DTYPE),
        TokenKind::Name if ops::find(word).is_some() => Some(BUILTIN),
        TokenKind::Literal => Some(LITERAL),
        TokenKind::String => Some(STRING),
        // A string that is still being typed.
        TokenKind::Broken if word.starts_with(['"', '\'']) => Some(STRING),
        TokenKind::Broken => Some(BROKEN),
        TokenKind::Comment => Some(FAINT),
        TokenKind::Name | TokenKind::Operator | TokenKind::Punctuation => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_change_nothing_but_the_colour() {
        let text = "let x = f32(sum([1, 2])) # é\nfn f(x) { \"a\nb\" }";
        let painted = source(text, &[]);
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), text);
        assert!(painted.starts_with("\x1b[1;35mlet\x1b[0m x = \x1b[35mf32\x1b[0m(\x1b[1msum\x1b[0m("), "{painted:?}");
    }

    #[test]
    fn brackets_at_the_cursor_stand_out() {
        assert_eq!(source("(1)", &[0, 2]), "\x1b[1;7m(\x1b[0m\x1b[36m1\x1b[0m\x1b[1;7m)\x1b[0m");
    }
}
