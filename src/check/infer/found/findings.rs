//! Findings, each with the calls that led to it.
//!
//! A function is walked for every call, and what is wrong in its body is found as often. It is reported once at each
//! place, with the first calls that led there; what belongs to an argument is reported at each call.

use super::suppress::Suppressions;
use super::walk_cause::{WalkCause, WalkId};
use crate::check::settings::Settings;
use crate::check::{Request, report};
use crate::diagnostic::codes::Row;
use crate::diagnostic::{Diagnostic, Diagnostics, Level};
use crate::source::{Sources, Span};
use crate::types::Elem;
use std::collections::{HashMap, HashSet};

/// How many calls a message shows.
const SHOWN_CALLS: usize = 3;
/// For how many unknown names the one that was meant is looked for: more errors than are shown.
const MAX_SEARCHES: usize = 200;

/// What was found so far.
pub(in crate::check) struct Findings {
    found: Vec<(Diagnostic, WalkId)>,
    walks: WalkList,
    /// The calls of functions that were walked.
    calls: Vec<WalkedCall>,
    /// How many questions are open of which only the errors are anybody's business.
    quiet: u32,
    /// What the comments of the scripts silence.
    pub(in crate::check) suppressed: Suppressions,
    /// Names that were reported as unknown: once is enough.
    pub(in crate::check) reported: HashSet<String>,
    /// For how many unknown names the one that was meant was looked for.
    searches: usize,
    /// Where something first came to nothing; see [`super::unreported`].
    pub(in crate::check) unreported: Option<Span>,
}

/// What was found up to some place.
pub(in crate::check) struct FindingsMark {
    found: usize,
    calls: usize,
    reported: HashSet<String>,
    searches: usize,
    unreported: Option<Span>,
}

/// A function whose body was walked, and the dtypes of what it was given.
struct WalkedCall {
    function: Span,
    dtypes: Vec<Option<Elem>>,
}

/// The walks, each with what led to it and the walk around it.
struct WalkList {
    all: Vec<(WalkCause, WalkId)>,
    now: WalkId,
}

impl Findings {
    pub(in crate::check) fn of(request: &Request) -> Findings {
        Findings {
            found: Vec::new(),
            walks: WalkList { all: vec![(WalkCause::Nothing, WalkId(0))], now: WalkId(0) },
            calls: Vec::new(),
            quiet: 0,
            suppressed: Suppressions::of(request),
            reported: HashSet::new(),
            searches: 0,
            unreported: None,
        }
    }

    /// Reports.
    pub(in crate::check) fn push(&mut self, diagnostic: Diagnostic) {
        self.push_from(self.walks.now, diagnostic);
    }

    /// Reports what was found in a walk.
    pub(in crate::check) fn push_from(&mut self, walk: WalkId, diagnostic: Diagnostic) {
        if self.quiet == 0 || diagnostic.is_error() {
            self.found.push((diagnostic, walk));
        }
    }

    /// Whether the name that was meant by an unknown one is looked for once more.
    pub(in crate::check) fn search(&mut self) -> bool {
        self.searches += 1;
        self.searches <= MAX_SEARCHES
    }

    /// The walk that goes on.
    pub(in crate::check) fn walk(&self) -> WalkId {
        self.walks.now
    }

    /// Begins a walk inside of the one that goes on, and answers the one to go back to.
    pub(in crate::check) fn enter(&mut self, cause: WalkCause) -> WalkId {
        let outer = self.walks.now;
        self.walks.now = WalkId(self.walks.all.len() as u32);
        self.walks.all.push((cause, outer));
        outer
    }

    /// Takes note of the dtypes that a function is called with.
    pub(in crate::check) fn note_call(&mut self, function: Span, dtypes: Vec<Option<Elem>>) {
        self.calls.push(WalkedCall { function, dtypes });
    }

    /// The functions that are called with several dtypes, each with all of them.
    fn of_several_dtypes(&self) -> HashMap<Span, HashSet<Elem>> {
        let mut first: HashMap<Span, &[Option<Elem>]> = HashMap::new();
        let mut several: HashMap<Span, HashSet<Elem>> = HashMap::new();
        for it in &self.calls {
            if *first.entry(it.function).or_insert(&it.dtypes) != it.dtypes.as_slice() {
                several.entry(it.function).or_default();
            }
        }
        for it in &self.calls {
            if let Some(dtypes) = several.get_mut(&it.function) {
                dtypes.extend(it.dtypes.iter().flatten());
            }
        }
        several
    }

    /// Goes on with the walk around one that ended.
    pub(in crate::check) fn leave(&mut self, outer: WalkId) {
        self.walks.now = outer;
    }

    /// Begins a question of which only the errors count.
    pub(in crate::check) fn hush(&mut self) {
        self.quiet += 1;
    }

    /// Ends such a question.
    pub(in crate::check) fn unhush(&mut self) {
        self.quiet -= 1;
    }

    /// Whether only errors count.
    pub(in crate::check) fn is_quiet(&self) -> bool {
        self.quiet > 0
    }

    /// How much a finding of a walk weighs whose primary place is `at`: nothing where a comment silences it. What is
    /// found in the library is told of the call, and the comment stands there.
    pub(in crate::check) fn level(
        &mut self,
        row: &'static Row,
        (at, walk): (Span, WalkId),
        sources: &Sources,
        settings: &Settings,
    ) -> Level {
        let level = settings.level(row);
        let told = if at.source.is_library() {
            let call = self.walks.out_of_the_library(walk).map(|(call, _)| call);
            call.filter(|_| report::is_told_of_calls(row, level))
        } else {
            Some(at)
        };
        match told {
            Some(at) if self.suppressed.silences(row, at, sources) => Level::Allow,
            _ => level,
        }
    }

    /// The call that led into the library, and the walk that it stands in, where a walk is of the library.
    pub(in crate::check) fn out_of_the_library(&self, walk: WalkId) -> Option<(Span, WalkId)> {
        self.walks.out_of_the_library(walk)
    }

    /// The calls that led to a place in a walk, the outermost first, then the place; each with the walk that it stands
    /// in. Of what the library does the call is all.
    pub(in crate::check) fn path(&self, walk: WalkId, at: Span) -> Vec<(Span, WalkId)> {
        let mut path = vec![(at, walk)];
        let mut walk = walk;
        while walk != WalkId(0) {
            let (cause, outer) = self.walks.all[walk.0 as usize];
            if let WalkCause::Call(call) | WalkCause::Written(call) = cause {
                path.push((call, outer));
            }
            walk = outer;
        }
        path.retain(|(place, _)| !place.source.is_library());
        path.reverse();
        path
    }

    /// Whether the last finding says the same of the same place, as of an update that reads and writes it.
    pub(in crate::check) fn repeats(&self, diagnostic: &Diagnostic) -> bool {
        self.found.last().is_some_and(|(last, _)| {
            (last.code.id, last.span(), &last.message) == (diagnostic.code.id, diagnostic.span(), &diagnostic.message)
        })
    }

    pub(in crate::check) fn has_errors(&self) -> bool {
        self.has_errors_since(0)
    }

    /// How much was found.
    pub(in crate::check) fn count(&self) -> usize {
        self.found.len()
    }

    /// Whether there is an error among what was found after the first `count` findings.
    pub(in crate::check) fn has_errors_since(&self, count: usize) -> bool {
        self.found[count..].iter().any(|(diagnostic, _)| diagnostic.is_error())
    }

    /// What was found so far, to go back to.
    pub(in crate::check) fn mark(&self) -> FindingsMark {
        FindingsMark {
            found: self.found.len(),
            calls: self.calls.len(),
            reported: self.reported.clone(),
            searches: self.searches,
            unreported: self.unreported,
        }
    }

    /// Forgets what was found since.
    pub(in crate::check) fn back_to(&mut self, mark: FindingsMark) {
        self.found.truncate(mark.found);
        self.calls.truncate(mark.calls);
        self.reported = mark.reported;
        self.searches = mark.searches;
        self.unreported = mark.unreported;
    }

    /// What is to be reported, taken from here: each place once, with the calls that led there.
    pub(in crate::check) fn take(&mut self) -> Diagnostics {
        let (mut told, mut told_of_calls) = (HashSet::new(), HashSet::new());
        let several = self.of_several_dtypes();
        self.calls.clear();
        let wraps: Vec<Span> = match several.is_empty() {
            true => Vec::new(),
            false => self.found.iter().filter_map(|(found, _)| report::wraps_at(found)).collect(),
        };
        let mut taken = Diagnostics::new();
        for (mut diagnostic, mut walk) in std::mem::take(&mut self.found) {
            if let Some((call, outer)) = self.walks.out_of_the_library(walk) {
                let own = report::told_of_call(diagnostic, call);
                let Some(own) = own.filter(|own| told_of_calls.insert((own.is_error(), call, outer))) else { continue };
                (diagnostic, walk) = (own, outer);
            }
            if let Some(mut diagnostic) = self.walks.passed_on(diagnostic, walk, &mut told) {
                if walk != WalkId(0) {
                    report::for_one_call(&mut diagnostic, &several, &wraps);
                }
                taken.push(diagnostic);
            }
        }
        taken
    }
}

impl WalkList {
    /// The call that led into the library, and the walk that it stands in, where a walk is of the library.
    fn out_of_the_library(&self, mut walk: WalkId) -> Option<(Span, WalkId)> {
        loop {
            match self.all[walk.0 as usize] {
                (WalkCause::Written(call), outer) if !call.source.is_library() => return Some((call, outer)),
                (WalkCause::Written(_), outer) => walk = outer,
                _ => return None,
            }
        }
    }

    /// A finding with the calls that led to it, unless one of its kind was told of the same place.
    fn passed_on(
        &self,
        mut diagnostic: Diagnostic,
        mut walk: WalkId,
        told: &mut HashSet<(&'static str, Span)>,
    ) -> Option<Diagnostic> {
        let place = diagnostic.span().unwrap_or_default();
        let mut calls = 0;
        while walk != WalkId(0) {
            let (cause, outer) = self.all[walk.0 as usize];
            walk = outer;
            if let WalkCause::File(_) = cause {
                diagnostic = report::caused_here(diagnostic, cause);
                continue;
            }
            if matches!(cause, WalkCause::Call(call) if report::covers(call, place)) {
                continue;
            }
            if calls == 0 && !told.insert((diagnostic.code.id, place)) {
                return None;
            }
            // What keeps the values of this call may change those of others: they share the body.
            for fix in diagnostic.helps.iter_mut().filter_map(|help| help.fix.as_mut()) {
                fix.keeps_values = false;
            }
            if calls < SHOWN_CALLS {
                diagnostic = report::caused_here(diagnostic, cause);
                calls += usize::from(matches!(cause, WalkCause::Call(_)));
            }
        }
        Some(diagnostic)
    }
}
