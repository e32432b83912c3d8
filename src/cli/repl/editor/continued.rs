//! Inputs of several lines: the later lines stand below the first, behind a mark.
//!
//! ```text
//! arr:3> fn twice(x) {
//!   ...>   2 * x
//!   ...> }
//! ```
//!
//! The editor knows one prompt. So Enter begins a later line with as many blanks as the prompt is wide, which are
//! painted as the mark, and are taken away when the input is whole; Backspace takes them at once.

use super::super::gather::is_command;
use super::super::{paint, paste};
use crate::cli::painted::StyledText;
use crate::syntax::is_incomplete;
use rustyline::{CharSearch, Cmd, ConditionalEventHandler, Event, EventContext, Movement, RepeatCount};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The width of the prompt.
#[derive(Clone, Default)]
pub(super) struct PromptWidth(Arc<AtomicUsize>);

impl PromptWidth {
    pub(super) fn set(&self, columns: usize) {
        self.0.store(columns, Ordering::Relaxed);
    }

    /// The end of a line and the blanks below the prompt.
    fn gap(&self) -> String {
        format!("\n{}", " ".repeat(self.0.load(Ordering::Relaxed)))
    }

    /// A text as it is edited.
    pub(super) fn inside(&self, text: &str) -> String {
        text.replace('\n', &self.gap())
    }

    /// A text as it was meant.
    pub(super) fn outside(&self, text: &str) -> String {
        text.replace(&self.gap(), "\n")
    }

    /// A text with the mark in place of the blanks, which are as wide.
    pub(super) fn with_mark(&self, text: &str) -> String {
        self.marked_with(text, |mark| mark)
    }

    /// As [`PromptWidth::with_mark`], of a text that holds colours.
    pub(super) fn marked_in_colour(&self, painted: &str) -> String {
        self.marked_with(painted, |mark| StyledText::styled(paint::FAINT, &mark).with_colours().to_owned())
    }

    fn marked_with(&self, text: &str, coloured: impl FnOnce(String) -> String) -> String {
        let gap = self.gap();
        let mark = format!("{:>width$} ", "...>", width = gap.len().saturating_sub(2));
        if mark.len() + 1 != gap.len() {
            return text.to_owned();
        }
        text.replace(&gap, &format!("\n{}", coloured(mark)))
    }
}

/// Whether more must follow.
pub(super) fn more(text: &str) -> bool {
    let text = paste::without_prompts(text);
    !is_command(&text) && is_incomplete(&text)
}

/// What Enter does: where more must follow, it begins the next line.
pub(super) struct EnterKey(pub(super) PromptWidth);

impl ConditionalEventHandler for EnterKey {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext) -> Option<Cmd> {
        more(ctx.line()).then(|| Cmd::Insert(1, self.0.gap()))
    }
}

/// What Backspace does: right behind the mark, it joins the line to the one before.
pub(super) struct BackspaceKey(pub(super) PromptWidth);

impl ConditionalEventHandler for BackspaceKey {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext) -> Option<Cmd> {
        let gap = self.0.gap();
        let behind = ctx.line().get(..ctx.pos()).is_some_and(|text| text.ends_with(&gap));
        // Back to the line's end, that included: a number of characters would be taken for the number of repetitions.
        behind.then_some(Cmd::Kill(Movement::ViCharSearch(1, CharSearch::Backward('\n'))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_lines_stand_behind_a_mark_that_is_no_part_of_them() {
        let width = PromptWidth::default();
        width.set("arr:12> ".len());
        let text = "fn f(x) {\n  2 * x\n}";
        let edited = width.inside(text);
        assert_eq!(width.outside(&edited), text);
        assert_eq!(width.with_mark(&edited), "fn f(x) {\n   ...>   2 * x\n   ...> }");
        assert_eq!(width.with_mark(&edited).chars().count(), edited.chars().count());
    }
}
