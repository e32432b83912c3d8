//! Text for a terminal in which the only escape sequences are our own.
//!
//! By construction: whatever is put in as text, from wherever it comes, loses what a terminal would obey
//! ([`crate::diagnostic::visible`]); an escape sequence gets in as a [`TextStyle`] alone. Two kinds of text bring their
//! own colours, the drawings of diagnostics and the help of the command line, and are made of nothing else that could
//! hold any.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::{self, Style as Drawing};
use crate::diagnostic::{visible, wrap};
use crate::source::Sources;
use std::fmt;

/// Styles of the terminal's own palette, chosen to be readable on dark and on light.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextStyle {
    Bold,
    Faint,
    Italic,
    Red,
    Green,
    Blue,
    Yellow,
    Magenta,
    Cyan,
    BoldMagenta,
    BoldCyan,
    BoldReverse,
    UnderlinedRed,
}

impl TextStyle {
    fn sequence(self) -> &'static str {
        match self {
            TextStyle::Bold => "\x1b[1m",
            TextStyle::Faint => "\x1b[2m",
            TextStyle::Italic => "\x1b[3m",
            TextStyle::Red => "\x1b[31m",
            TextStyle::Green => "\x1b[32m",
            TextStyle::Yellow => "\x1b[33m",
            TextStyle::Blue => "\x1b[34m",
            TextStyle::Magenta => "\x1b[35m",
            TextStyle::Cyan => "\x1b[36m",
            TextStyle::BoldMagenta => "\x1b[1;35m",
            TextStyle::BoldCyan => "\x1b[1;36m",
            TextStyle::BoldReverse => "\x1b[1;7m",
            TextStyle::UnderlinedRed => "\x1b[4;31m",
        }
    }
}

const RESET: &str = "\x1b[0m";

/// The text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StyledText(String);

impl StyledText {
    /// Text in a style.
    pub(super) fn styled(style: TextStyle, text: &str) -> StyledText {
        let mut painted = StyledText::default();
        painted.ink(style, text);
        painted
    }

    /// Appends text.
    pub(super) fn push(&mut self, text: &str) {
        self.0.push_str(&visible::page(text));
    }

    /// Appends text in a style; nothing where there is no text.
    pub(super) fn ink(&mut self, style: TextStyle, text: &str) {
        if !text.is_empty() {
            self.0.push_str(style.sequence());
            self.push(text);
            self.0.push_str(RESET);
        }
    }

    /// Appends what is painted already.
    pub(super) fn append(&mut self, other: &StyledText) {
        self.0.push_str(&other.0);
    }

    /// Takes the blanks off the end.
    pub(super) fn trim_end(&mut self) {
        self.0.truncate(self.0.trim_end().len());
    }

    /// The columns that it takes.
    pub(super) fn width(&self) -> usize {
        wrap::width(&self.0)
    }

    /// One line cut between words. No-break spaces hold words together, and are spaces then.
    pub(super) fn lines(&self, columns: usize) -> Vec<StyledText> {
        let lines = wrap::lines(&self.0, columns, columns);
        lines.into_iter().map(|line| StyledText(line.replace('\u{a0}', " "))).collect()
    }

    /// With its escape sequences.
    pub(super) fn with_colours(&self) -> &str {
        &self.0
    }

    /// Without them.
    pub(super) fn plain(&self) -> String {
        anstream::adapter::strip_str(&self.0).to_string()
    }

    /// Diagnostics, whose drawings hold no control characters but our colours.
    pub(super) fn drawn<'d>(
        list: impl IntoIterator<Item = &'d Diagnostic>,
        sources: &Sources,
        width: usize,
    ) -> StyledText {
        StyledText(render::render_to_string(list, sources, &Drawing { color: true, width }))
    }

    /// What `clap` says: its help, and errors about arguments in which nothing is hidden any more.
    pub(super) fn of_the_command_line(text: &clap::builder::StyledStr) -> StyledText {
        StyledText(text.ansi().to_string())
    }
}

impl From<&str> for StyledText {
    fn from(text: &str) -> StyledText {
        let mut painted = StyledText::default();
        painted.push(text);
        painted
    }
}

impl fmt::Write for StyledText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    #[test]
    fn only_our_own_sequences_are_in_it() {
        let mut text = StyledText::default();
        text.push("a\x1b]0;x\x07");
        text.ink(TextStyle::Red, "b\u{9b}2J\x1b[0m");
        let _ = text.write_str("\x1b[8m\n\t\u{202e}");
        assert_eq!(text.with_colours(), "a␛]0;x␇\x1b[31mb�2J␛[0m\x1b[0m␛[8m\n\t�");
        assert_eq!(text.plain(), "a␛]0;x␇b�2J␛[0m␛[8m\n\t�");
    }
}
