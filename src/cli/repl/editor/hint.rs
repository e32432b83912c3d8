//! The faint hint behind the cursor: the rest of a signature or of an earlier input.

use super::super::commands;
use super::super::gather::is_command;
use super::calls;
use super::complete::open_string;
use super::words::SessionWords;
use rustyline::history::SearchDirection;
use rustyline::{Cmd, ConditionalEventHandler, Context, Event, EventContext, RepeatCount};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Text behind the cursor.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hint {
    text: String,
    /// Whether Right takes it over.
    taken: bool,
}

impl rustyline::hint::Hint for Hint {
    fn display(&self) -> &str {
        &self.text
    }

    fn completion(&self) -> Option<&str> {
        self.taken.then_some(self.text.as_str())
    }
}

/// The hint at the end of a line: in a call its parameters, else the last input that begins like this.
pub(super) fn find(line: &str, words: &SessionWords, ctx: &Context<'_>) -> Option<Hint> {
    if line.trim().is_empty() {
        return None;
    }
    command(line).or_else(|| signature(line, words)).or_else(|| earlier(line, ctx))
}

/// What a command wants.
fn command(line: &str) -> Option<Hint> {
    let word = line.strip_prefix(':')?.strip_suffix(' ')?;
    let row = commands::find(word).ok()?;
    (!row.argument.is_empty()).then(|| Hint { text: row.argument.to_owned(), taken: false })
}

/// The parameters that are still to be given.
fn signature(line: &str, words: &SessionWords) -> Option<Hint> {
    let in_words = is_command(line) && !line.contains('(');
    if in_words || open_string(line).is_some() {
        return None;
    }
    let call = calls::open(line)?;
    let signature = words.signature(call.name)?;
    let params = calls::params(&signature);
    let given = call.done + usize::from(call.method);
    let left = params.get(given + usize::from(call.begun)..).unwrap_or_default().join(", ");
    let text = match (call.begun, left.is_empty()) {
        (_, true) => ")".to_owned(),
        (true, false) => format!(", {left})"),
        (false, false) => {
            let gap = if line.ends_with(',') { " " } else { "" };
            format!("{gap}{left})")
        }
    };
    Some(Hint { text, taken: false })
}

/// The rest of the last input that begins like this, up to the end of its line.
fn earlier(line: &str, ctx: &Context<'_>) -> Option<Hint> {
    let last = ctx.history().len().checked_sub(1)?;
    let found = ctx.history().starts_with(line, last, SearchDirection::Reverse).ok()??;
    let rest = found.entry.get(line.len()..)?.lines().next()?.to_owned();
    (!rest.is_empty()).then_some(Hint { text: rest, taken: true })
}

/// What Ctrl-C does where a hint stands. The editor takes the hint off the screen when a line is entered, and only
/// then: so the line is entered, and the flag says that nobody wants it.
pub(super) struct Abandon(pub(super) Arc<AtomicBool>);

impl ConditionalEventHandler for Abandon {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, ctx: &EventContext) -> Option<Cmd> {
        if !ctx.has_hint() {
            return None;
        }
        self.0.store(true, Ordering::Relaxed);
        Some(Cmd::AcceptLine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustyline::history::{History, MemHistory};

    fn hint(line: &str) -> Option<(String, bool)> {
        let mut history = MemHistory::new();
        history.add("let energy = counts * gain").unwrap();
        find(line, &SessionWords::default(), &Context::new(&history)).map(|hint| (hint.text, hint.taken))
    }

    #[test]
    fn signatures_lose_what_is_given() {
        let rest = |line| hint(line).map(|(text, _)| text);
        assert_eq!(rest("clip("), Some("x, lo=None, hi=None)".into()));
        assert_eq!(rest("clip(x"), Some(", lo=None, hi=None)".into()));
        assert_eq!(rest("clip(x,"), Some(" lo=None, hi=None)".into()));
        assert_eq!(rest("clip(x, 0, 1"), Some(")".into()));
        assert_eq!(rest("x.clip("), Some("lo=None, hi=None)".into()));
        assert_eq!(rest("nope("), None);
        assert_eq!(rest("load(\"dat"), None);
    }

    #[test]
    fn earlier_inputs_can_be_taken_over() {
        assert_eq!(hint("let en"), Some(("ergy = counts * gain".into(), true)));
        assert_eq!(hint("let x"), None);
        assert_eq!(hint(""), None);
    }

    #[test]
    fn commands_say_what_they_want() {
        assert_eq!(hint(":stats "), Some(("EXPR".into(), false)));
        assert_eq!(hint(":quit "), None);
    }
}
