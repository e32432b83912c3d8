//! `--fix`: fixes are carried out until nothing is left to fix. The text is checked again after each round.
//!
//! A step that leaves more findings than there were, or breaks the syntax, is taken back. So is one after which a cast
//! that a fix wrote loses values, or a cast to a wider integer: it was written for what stood there before. What is
//! answered is the best text on the way, which parses; a second run finds nothing to do.

use super::fix_order::ready;
use super::written_casts::{self, WrittenCast};
use crate::check::Settings;
use crate::check::record::TypedTree;
use crate::diagnostic::fix::{self, Fixes};
use crate::diagnostic::{Diagnostics, Fix};
use crate::io::argument::Argument;
use crate::session::{Input, Preparation, ReadPolicy, Session};
use crate::source::SourceId;
use crate::syntax::ast::Script;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// The most times that a text is changed and checked again.
const MAX_ROUNDS: usize = 64;
/// The most fixes that are tried one by one where all at once do not help.
const MAX_SINGLE_FIXES: usize = 16;
/// The script is the first source of its session.
const SCRIPT: SourceId = SourceId(0);

/// A text to fix, and under what it is checked.
pub(super) struct FixJob<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
    pub(super) folder: Option<&'a Path>,
    pub(super) arguments: &'a [Argument],
    pub(super) settings: &'a Settings,
    pub(super) reading: &'a ReadPolicy,
    /// Whether fixes that may change values are carried out too.
    pub(super) all: bool,
}

/// The text afterwards, and how many fixes went into it.
pub(super) struct FixedText {
    pub(super) text: String,
    pub(super) count: usize,
}

/// A text on the way.
struct FixState {
    text: String,
    script: Arc<Script>,
    record: TypedTree,
    found: Diagnostics,
    fixed: usize,
    /// The casts that fixes wrote so far.
    casts: Vec<WrittenCast>,
    /// Errors of syntax, all errors, all findings: less is better, in this order.
    faults: (usize, usize, usize),
}

/// Carries out what can be carried out.
pub(super) fn apply_all(job: &FixJob) -> FixedText {
    let mut now = job.state(job.text.to_owned(), 0, Vec::new());
    let (mut best, mut least) = (FixedText { text: now.text.clone(), count: 0 }, now.faults);
    let mut seen = HashSet::from([now.text.clone()]);
    for _ in 0..MAX_ROUNDS {
        let Some(next) = job.step(&now, &seen) else { break };
        if next.faults < least && next.faults.0 == 0 {
            least = next.faults;
            best = FixedText { text: next.text.clone(), count: next.fixed };
        }
        seen.insert(next.text.clone());
        now = next;
    }
    best
}

impl FixJob<'_> {
    /// Checks a text, in a session of its own.
    fn state(&self, text: String, fixed: usize, casts: Vec<WrittenCast>) -> FixState {
        let mut session =
            Session { settings: self.settings.clone(), reading: self.reading.clone(), ..Session::default() };
        let input = input(self.name, &text, self.folder, self.arguments);
        let Preparation { script, checked, diagnostics: found, .. } = session.check(&input);
        let syntax = found.iter().filter(|it| it.code.is_syntax()).count();
        let faults = (syntax, found.error_count(), found.len());
        FixState { text, script, record: checked.record, found, fixed, casts, faults }
    }

    /// All fixes at once, but for those that wait for others; where that does not help, the first that does. Those of
    /// errors come first: what else is found may follow from them.
    fn step(&self, now: &FixState, seen: &HashSet<String>) -> Option<FixState> {
        let which = if self.all { Fixes::All } else { Fixes::KeepingValues };
        let errors = fix::chosen(now.found.iter().filter(|it| it.is_error()), SCRIPT, which);
        let all = fix::chosen(&now.found, SCRIPT, which);
        [errors, all].into_iter().filter(|fixes| !fixes.is_empty()).find_map(|fixes| {
            let alone = fixes.iter().take(if fixes.len() > 1 { MAX_SINGLE_FIXES } else { 0 }).map(std::slice::from_ref);
            let ready = ready(&now.script, &fixes);
            std::iter::once(ready.as_slice()).chain(alone).find_map(|fixes| self.apply(now, fixes, seen))
        })
    }

    fn apply(&self, now: &FixState, fixes: &[&Fix], seen: &HashSet<String>) -> Option<FixState> {
        let text = fix::apply(&now.text, fixes).filter(|text| !seen.contains(text))?;
        let standing = written_casts::standing(&now.casts, &now.script, &now.record);
        let casts = written_casts::after(&standing, fixes, (now.script.as_ref(), &now.record));
        let next = self.state(text, now.fixed + fixes.len(), casts);
        let loses = written_casts::lose(&next.casts, &next.script, &next.record);
        (next.faults <= now.faults && !loses).then_some(next)
    }
}

/// A script as it is checked.
pub(super) fn input<'a>(
    name: &'a str,
    text: &'a str,
    folder: Option<&'a Path>,
    arguments: &'a [Argument],
) -> Input<'a> {
    Input { arguments, folder, whole: true, ..Input::new(name, text) }
}
