//! The place of the walk: a script, with what names stand for there. A function has a frame of its own.

use super::env::Scope;
use super::uses::CallsOf;
use crate::hash::QuickSet;
use crate::source::{SourceId, Sources, Span};
use crate::syntax::ast::Script;
use crate::types::{Affine, Dim};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// What a script declares to the outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::check) enum Interface {
    Input,
    Output,
}

/// Named dimensions: what each is known to be, and where the name was met first.
pub(in crate::check) type Dims = HashMap<String, (Option<Dim>, Span)>;

/// A script that is walked.
pub(in crate::check) struct Frame<'a> {
    pub(in crate::check) script: &'a Script,
    pub(in crate::check) scope: Scope,
    pub(in crate::check) dims: Dims,
    pub(in crate::check) text_places: TextPlaces,
    pub(in crate::check) on_demand: LazyFacts,
    /// Lengths less what a statement found them to be at least, without data.
    pub(in crate::check) long_enough: Vec<Affine>,
    pub(in crate::check) assertions: Assertions,
    /// The names outside of a loop that its step was to store in. Such stores are refused.
    pub(in crate::check) stored_in_step: Vec<String>,
}

/// What is found once, if something asks.
#[derive(Default)]
pub(in crate::check) struct LazyFacts {
    /// What expressions are used for.
    pub(in crate::check) uses: Option<Arc<CallsOf>>,
    /// Whether names of dimensions have the lengths of the arrays that are given.
    pub(in crate::check) has_input_sizes: bool,
}

/// Where things stand in the text.
#[derive(Default)]
pub(in crate::check) struct TextPlaces {
    /// The items of lists of arrays, by the place of the list.
    pub(in crate::check) listed: HashMap<Span, Vec<Span>>,
    /// The declaration of each input and each output.
    pub(in crate::check) declared: HashMap<(Interface, String), Span>,
}

/// The definitions of the arrays that assertions name.
#[derive(Default)]
pub(in crate::check) struct Assertions {
    /// The places that the assertion at hand names.
    pub(in crate::check) named: Option<Vec<Span>>,
    /// The places that failed assertions name. What follows from them is not reported.
    pub(in crate::check) disproved: HashSet<Span>,
}

impl<'a> Frame<'a> {
    /// The beginning of a script.
    pub(in crate::check) fn of(script: &'a Script) -> Frame<'a> {
        Frame {
            script,
            scope: Scope::default(),
            dims: Dims::new(),
            text_places: TextPlaces::default(),
            on_demand: LazyFacts::default(),
            long_enough: Vec::new(),
            assertions: Assertions::default(),
            stored_in_step: Vec::new(),
        }
    }
}

/// The scripts of functions as the walk looks at them, by their addresses.
pub(in crate::check) struct ScriptStore<'a> {
    scripts: &'a Scripts,
    known: HashMap<usize, &'a Script>,
    words: OnceCell<QuickSet<&'a str>>,
}

impl<'a> ScriptStore<'a> {
    pub(in crate::check) fn new(scripts: &'a Scripts) -> ScriptStore<'a> {
        ScriptStore { scripts, known: HashMap::new(), words: OnceCell::new() }
    }

    /// Looks at a script.
    pub(in crate::check) fn look(&mut self, script: &'a Script) {
        self.known.insert(std::ptr::from_ref(script) as usize, script);
    }

    /// The script of a source, if it is one that was looked at.
    pub(in crate::check) fn of(&self, source: SourceId) -> Option<&'a Script> {
        self.known.values().find(|script| script.source == source).copied()
    }

    /// The words of all texts, which are asked for once a length needs a name that nothing has.
    pub(in crate::check) fn words(&self, sources: &'a Sources) -> &QuickSet<&'a str> {
        self.words.get_or_init(|| written_words(sources))
    }

    /// A script for as long as the walk lasts.
    pub(in crate::check) fn get(&mut self, script: &Arc<Script>) -> &'a Script {
        let (number, scripts) = (self.known.len(), self.scripts);
        self.known.entry(Arc::as_ptr(script) as usize).or_insert_with(|| scripts.keep(number, script))
    }
}

/// The words of all texts. What stands in a comment is none.
fn written_words(sources: &Sources) -> QuickSet<&str> {
    let texts = (0..sources.len()).map(move |at| sources.get(SourceId(at as u32)).text.as_str());
    let lines = texts.flat_map(str::lines).map(|line| match line.split_once('#') {
        Some((code, _)) if !code.contains('"') => code,
        _ => line,
    });
    lines.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_')).collect()
}

/// Scripts that stay where they are for as long as the walk lasts, so that it can look at them and go on. Shelf `n` has
/// room for 2^n of them.
#[derive(Default)]
pub(in crate::check) struct Scripts {
    shelves: [OnceLock<Vec<OnceLock<Arc<Script>>>>; 32],
}

impl Scripts {
    /// Puts the script with this number on its shelf.
    fn keep(&self, number: usize, script: &Arc<Script>) -> &Script {
        let shelf = (number + 1).ilog2();
        let room = || (0..1usize << shelf).map(|_| OnceLock::new()).collect();
        let place = number + 1 - (1 << shelf);
        self.shelves[shelf as usize].get_or_init(room)[place].get_or_init(|| script.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_place_of_its_own() {
        let scripts = Scripts::default();
        let script = Arc::new(Script::default());
        let kept: Vec<&Script> = (0..100).map(|number| scripts.keep(number, &script)).collect();
        assert!(kept.iter().all(|kept| std::ptr::eq(*kept, &raw const *script)));
        assert_eq!(Arc::strong_count(&script), 101);
    }
}
