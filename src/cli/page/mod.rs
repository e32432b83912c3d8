//! Pages to read: Markdown drawn for a terminal. It is cut to the terminal's width, and goes through a pager where it
//! is long.

mod markdown;
mod pager;

use super::output;
use super::painted::StyledText;
use crate::diagnostic::Outcome;
use crate::diagnostic::wrap;

/// The widest text that is easily read.
const MAX_TEXT_COLUMNS: usize = 100;

/// Markdown as it is shown.
pub(super) fn drawn(text: &str) -> StyledText {
    markdown::draw(text, output::columns().min(MAX_TEXT_COLUMNS), output::colours())
}

/// Lines as they stand, cut between words at a terminal.
pub(super) fn plain(text: &str) -> StyledText {
    match output::width() {
        0 => StyledText::from(text),
        columns => StyledText::from(wrap::text(text, columns, 0).as_str()),
    }
}

/// Shows a page. Returns how that ended.
pub(super) fn show(text: &StyledText) -> Outcome {
    if pager::show(text) { Outcome::Done } else { output::show(text).outcome() }
}

/// Shows a page in the pager, if that is to be; false where it is to be printed.
pub(super) fn show_in_pager(text: &StyledText) -> bool {
    pager::show(text)
}
