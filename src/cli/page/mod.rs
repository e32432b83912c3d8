//! Pages to read: Markdown drawn for a terminal, cut to its width, and through a pager where they are long.

mod markdown;
mod pager;

use super::output;
use super::painted::Painted;
use crate::diagnostic::Outcome;
use crate::diagnostic::wrap;

/// The widest text that is easily read.
const WIDEST: usize = 100;

/// Markdown as it is shown.
pub(super) fn drawn(text: &str) -> Painted {
    markdown::draw(text, output::columns().min(WIDEST), output::colours())
}

/// Lines as they stand, cut between words at a terminal.
pub(super) fn plain(text: &str) -> Painted {
    match output::width() {
        0 => Painted::from(text),
        columns => Painted::from(wrap::text(text, columns, 0).as_str()),
    }
}

/// Shows a page. Returns how that ended.
pub(super) fn show(text: &Painted) -> Outcome {
    if pager::show(text) { Outcome::Done } else { output::show(text).outcome() }
}

/// Shows a page in the pager, if that is to be; false where it is to be printed.
pub(super) fn scrolled(text: &Painted) -> bool {
    pager::show(text)
}
