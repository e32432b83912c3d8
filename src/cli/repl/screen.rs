//! The streams of a prompt: answers to standard output, everything else to standard error.

use super::super::output::{self, WriteOutcome};
use super::super::painted::StyledText;
use super::super::{interrupt, page};
use super::paint;
use crate::array::Array;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::Outcome;
use crate::io::mapped;
use crate::session::ShownValue;
use crate::source::Sources;
use std::cell::{Cell, RefCell};
use std::io::IsTerminal;

/// The terminal, or the pipes.
pub(super) struct Screen {
    /// Whether a person reads the answers.
    pub(super) terminal: bool,
    /// Whether a line on standard error may be written over: it is a terminal that can do that.
    pub(super) live: bool,
    /// Whether standard output shows colours.
    #[cfg_attr(not(feature = "repl"), allow(dead_code, reason = "only the line editor asks"))]
    pub(super) colour: bool,
    /// The arrays that answers are made of and that lie in files, which may change while the answers are made.
    read: RefCell<Vec<Array>>,
    /// Whether an error was told.
    wrong: Cell<bool>,
    /// Whether a mistake of `arr` was told.
    broken: Cell<bool>,
    /// How the session ends, once standard output takes no more.
    lost: Cell<Option<Outcome>>,
}

impl Screen {
    /// The streams of this process.
    pub(super) fn new() -> Screen {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let out = std::io::stdout();
        Screen {
            terminal: out.is_terminal(),
            live: std::io::stderr().is_terminal() && !dumb,
            colour: output::colours(),
            read: RefCell::default(),
            wrong: Cell::new(false),
            broken: Cell::new(false),
            lost: Cell::new(None),
        }
    }

    /// The next answers are about nothing that was read before.
    pub(super) fn forget(&self) {
        self.read.borrow_mut().clear();
    }

    /// The next answers may be made of these values.
    pub(super) fn reads(&self, values: &[ShownValue]) {
        let arrays = values.iter().map(|value| &value.array).filter(|array| array.mapping().is_some());
        self.read.borrow_mut().extend(arrays.cloned());
    }

    /// Columns that text may take; a window may change while the shell runs.
    pub(super) fn columns(&self) -> usize {
        output::columns()
    }

    /// Rows of the window.
    pub(super) fn rows(&self) -> usize {
        let told = || std::env::var("LINES").ok()?.parse().ok();
        let window = interrupt::terminal_size().map(|(_, rows)| rows);
        window.or_else(told).filter(|&rows| rows > 0).unwrap_or(24)
    }

    /// What was asked for, with the line end that it needs.
    pub(super) fn answer(&self, text: &str) {
        self.show(text.into());
    }

    /// Shows what was asked for in colours, with the line end that it needs. An answer made of values whose file became
    /// shorter meanwhile is an error instead.
    pub(super) fn show(&self, mut text: StyledText) {
        if let Some(error) = mapped::lost_file_error(self.read.borrow().iter()) {
            return self.diagnostics([&error.diagnostic()], &Sources::new());
        }
        if !text.with_colours().is_empty() && !text.with_colours().ends_with('\n') {
            text.push("\n");
        }
        self.wrote(output::show(&text));
    }

    /// Remembers when standard output takes no more.
    pub(super) fn wrote(&self, fate: WriteOutcome) {
        match fate {
            WriteOutcome::Written => {}
            WriteOutcome::Unread => self.lost.set(Some(Outcome::Done)),
            WriteOutcome::Refused => self.lost.set(Some(Outcome::Unreachable)),
        }
    }

    /// How the session ends because nobody can read its answers, if so.
    pub(super) fn lost(&self) -> Option<Outcome> {
        self.lost.get()
    }

    /// As [`Screen::answer`], through the pager where it is long.
    pub(super) fn page(&self, text: &StyledText) {
        if !page::show_in_pager(text) {
            self.show(text.clone());
        }
    }

    /// What is worth a faint line.
    pub(super) fn whisper(&self, text: &str) {
        let mut line = StyledText::styled(paint::FAINT, &output::wrap_for_terminal(text));
        line.push("\n");
        output::err(&line);
    }

    /// What is worth knowing, a line each.
    pub(super) fn report(&self, text: &str) {
        output::report(text);
    }

    /// What went wrong, a line each.
    pub(super) fn error(&self, message: &str) {
        self.wrong.set(true);
        output::report(&format!("error: {message}"));
    }

    /// Draws diagnostics.
    pub(super) fn diagnostics<'d>(&self, list: impl IntoIterator<Item = &'d Diagnostic>, sources: &Sources) {
        let list: Vec<&Diagnostic> = list.into_iter().collect();
        if list.iter().any(|diagnostic| diagnostic.is_error()) {
            self.wrong.set(true);
        }
        output::diagnostics(list, sources);
    }

    /// Remembers whether an input ended in a mistake of `arr`.
    pub(super) fn note_outcome(&self, outcome: Outcome) {
        self.broken.set(self.broken.get() || outcome == Outcome::Broken);
    }

    /// From here on errors count, those before do not.
    pub(super) fn count_errors(&self) {
        self.wrong.set(false);
        self.broken.set(false);
    }

    /// How a session ends whose errors count.
    pub(super) fn outcome(&self) -> Outcome {
        if self.broken.get() { Outcome::Broken } else { Outcome::refused_if(self.wrong.get()) }
    }
}
