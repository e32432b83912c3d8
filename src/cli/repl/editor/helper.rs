//! The answers to the line editor: colours, whether an input is whole, what may follow.

use super::super::gather::is_command;
use super::super::paint;
use super::continued::{PromptWidth, more};
use super::words::SessionWords;
use super::{brackets, complete, hint};
use crate::cli::painted::StyledText;
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Context, Result};
use std::borrow::Cow;
use std::cell::Cell;

/// Longer texts are not coloured: it would be felt at every key.
const MAX_PAINTED_BYTES: usize = 20_000;

/// Knows the names of the session.
pub(super) struct Helper {
    pub(super) words: SessionWords,
    colour: bool,
    width: PromptWidth,
    /// Whether the line is being left: nothing stands out any more.
    leaving: Cell<bool>,
}

impl Helper {
    /// A helper that knows no names yet.
    pub(super) fn new(colour: bool, width: PromptWidth) -> Helper {
        Helper { words: SessionWords::default(), colour, width, leaving: Cell::new(false) }
    }
}

impl rustyline::Helper for Helper {}

impl Validator for Helper {
    fn validate(&self, ctx: &mut ValidationContext) -> Result<ValidationResult> {
        Ok(if more(ctx.input()) { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Highlighter for Helper {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        if line.len() > MAX_PAINTED_BYTES {
            return Cow::Owned(StyledText::from(line).plain());
        }
        if !self.colour {
            return Cow::Owned(self.width.with_mark(&StyledText::from(line).plain()));
        }
        if is_command(line) {
            let colon = line.len() - line.trim_start().len();
            let end = line[colon..].find(char::is_whitespace).map_or(line.len(), |at| colon + at);
            let mut painted = StyledText::from(&line[..colon]);
            painted.ink(paint::COMMAND, &line[colon..end]);
            painted.append(&paint::source(&line[end..], &[]));
            return Cow::Owned(painted.with_colours().to_owned());
        }
        let pair = if self.leaving.get() { None } else { brackets::pair(line, pos) };
        let painted = paint::source(line, pair.as_ref().map_or(&[], |pair| pair.as_slice()));
        Cow::Owned(self.width.marked_in_colour(painted.with_colours()))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        let hint = StyledText::styled(paint::FAINT, hint);
        Cow::Owned(if self.colour { hint.with_colours().to_owned() } else { hint.plain() })
    }

    fn highlight_candidate<'c>(&self, candidate: &'c str, _: CompletionType) -> Cow<'c, str> {
        Cow::Owned(StyledText::from(candidate).plain())
    }

    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        self.leaving.set(kind == CmdKind::ForcedRefresh);
        // Drawn anew without colours too: what the editor takes off the screen by itself is within one line.
        line.len() <= MAX_PAINTED_BYTES
    }
}

impl Hinter for Helper {
    type Hint = hint::Hint;

    fn hint(&self, line: &str, pos: usize, ctx: &Context<'_>) -> Option<hint::Hint> {
        if pos < line.len() || line.len() > MAX_PAINTED_BYTES {
            return None;
        }
        hint::find(line, &self.words, ctx)
    }
}

impl Completer for Helper {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        Ok(complete::find(line, pos, &self.words))
    }
}
