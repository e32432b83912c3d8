//! Source text in colour, by the real lexer.
//!
//! Six styles of the terminal's own palette, chosen to be readable on dark and on light: no blue, yellow or white.

use super::super::painted::{StyledText, TextStyle};
use crate::ops;
use crate::syntax::{TokenKind, tokens};
use crate::types::Elem;
use std::str::FromStr;

/// Dtypes, also in answers.
pub(in crate::cli) const DTYPE: TextStyle = TextStyle::Magenta;
/// Builtins.
const BUILTIN: TextStyle = TextStyle::Bold;
const KEYWORD: TextStyle = TextStyle::BoldMagenta;
const LITERAL: TextStyle = TextStyle::Cyan;
const STRING: TextStyle = TextStyle::Green;
/// Comments, hints and notes.
pub(in crate::cli) const FAINT: TextStyle = TextStyle::Faint;
/// Commands and the prompt.
pub(in crate::cli) const COMMAND: TextStyle = TextStyle::BoldCyan;
const BROKEN: TextStyle = TextStyle::UnderlinedRed;
/// The bracket that belongs to the one at the cursor.
const MATCHING: TextStyle = TextStyle::BoldReverse;

/// A piece of a script in colour; the bytes at `brackets` stand out.
pub(in crate::cli) fn source(text: &str, brackets: &[usize]) -> StyledText {
    let mut painted = StyledText::default();
    let mut done = 0;
    for (kind, range) in tokens(text) {
        painted.push(&text[done..range.start]);
        let word = &text[range.clone()];
        done = range.end;
        match style(kind, word) {
            _ if brackets.contains(&range.start) => painted.ink(MATCHING, word),
            // A style ends with its line, so that nothing that follows is touched.
            Some(style) => {
                for line in word.split_inclusive('\n') {
                    painted.ink(style, line.trim_end_matches('\n'));
                    painted.push(&line[line.trim_end_matches('\n').len()..]);
                }
            }
            None => painted.push(word),
        }
    }
    painted.push(&text[done..]);
    painted
}

fn style(kind: TokenKind, word: &str) -> Option<TextStyle> {
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
        assert_eq!(painted.plain(), text);
        let painted = painted.with_colours();
        assert!(painted.starts_with("\x1b[1;35mlet\x1b[0m x = \x1b[35mf32\x1b[0m(\x1b[1msum\x1b[0m("), "{painted:?}");
    }

    #[test]
    fn brackets_at_the_cursor_stand_out() {
        assert_eq!(source("(1)", &[0, 2]).with_colours(), "\x1b[1;7m(\x1b[0m\x1b[36m1\x1b[0m\x1b[1;7m)\x1b[0m");
    }
}
