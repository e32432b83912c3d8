//! The colours of drawn diagnostics.
//!
//! The numbers are of the 256-colour palette and chosen so that each can be read on black and on white; a test
//! computes the contrast. Nothing is said by colour alone.
//!
//! `Painter { color: true }.write(&mut text, Ink::Help, "Help")` wraps the word in an escape sequence, which nothing
//! else here writes.

use std::fmt::Write;

/// What a piece of text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ink {
    /// Text in the terminal's own colour.
    Plain,
    /// The frame and the line numbers.
    Frame,
    /// The word `Error`, and the first label of an error.
    Error,
    /// The word `Warning`, and the first label of a warning.
    Warning,
    /// Further labels.
    Label(usize),
    /// The word `Help`.
    Help,
    /// The word `Note`.
    Note,
}

/// Colours of the labels after the first.
const LABELS: [u8; 7] = [33, 28, 163, 30, 99, 100, 131];

impl Ink {
    fn color(self) -> Option<u8> {
        match self {
            Ink::Plain => None,
            Ink::Frame => Some(244),
            Ink::Error => Some(160),
            Ink::Warning => Some(166),
            Ink::Label(index) => Some(LABELS[index % LABELS.len()]),
            Ink::Help => Some(28),
            Ink::Note => Some(33),
        }
    }

    fn bold(self) -> &'static str {
        if matches!(self, Ink::Error | Ink::Warning | Ink::Help | Ink::Note) { "1;" } else { "" }
    }
}

/// Writes text with or without colours.
#[derive(Clone, Copy)]
pub(super) struct Painter {
    /// Whether to use escape sequences.
    pub(super) color: bool,
}

impl Painter {
    /// Appends `text` to `out`.
    pub(super) fn write(self, out: &mut String, ink: Ink, text: &str) {
        match ink.color().filter(|_| self.color && !text.trim().is_empty()) {
            Some(color) => {
                let _ = write!(out, "\x1b[{}38;5;{color}m{text}\x1b[0m", ink.bold());
            }
            None => out.push_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as in WCAG 2.
    fn luminance(color: u8) -> f64 {
        let rgb = if color >= 232 {
            [8 + 10 * (u32::from(color) - 232); 3]
        } else {
            let at = u32::from(color) - 16;
            [at / 36, at / 6 % 6, at % 6].map(|step| if step == 0 { 0 } else { 55 + 40 * step })
        };
        let linear = rgb.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn every_colour_can_be_read_on_black_and_on_white() {
        let labels = (0..LABELS.len()).map(Ink::Label);
        for ink in [Ink::Frame, Ink::Error, Ink::Warning, Ink::Help, Ink::Note].into_iter().chain(labels) {
            let light = luminance(ink.color().expect("only plain text has none"));
            assert!((light + 0.05) / 0.05 >= 3.0, "{ink:?} on black");
            assert!(1.05 / (light + 0.05) >= 3.0, "{ink:?} on white");
        }
    }

    #[test]
    fn without_colour_there_are_no_escapes() {
        let mut out = String::new();
        Painter { color: false }.write(&mut out, Ink::Error, "Error");
        assert_eq!(out, "Error");
    }
}
