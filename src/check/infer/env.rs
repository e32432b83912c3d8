//! Names in scope, and the values that a session keeps between inputs.

mod names;

use super::f64_origins::{F64Origin, F64Origins};
pub use super::value::Stored;
use super::value::Value;
use crate::check::RESULT;
use crate::hash::QuickMap;
use crate::source::Span;
use names::Names;
use std::collections::HashSet;

/// Names with the places that define them. Copies share what they have in common, and cost nothing.
#[derive(Clone, Debug, Default)]
pub struct Env {
    names: Names<(Stored, Span)>,
    variables: Names<()>,
    /// By [`place`].
    f64_origins: Names<F64Origin>,
}

impl Env {
    /// Gives a name its value.
    pub fn set(&mut self, name: &str, value: Stored, span: Span) {
        self.names.set(name, (value, span));
    }

    /// Says whether a name is a variable, which may be assigned to.
    pub fn set_variable(&mut self, name: &str, variable: bool) {
        match variable {
            true => self.variables.set(name, ()),
            false => self.variables.remove(name),
        }
    }

    /// Whether a name is a variable.
    pub fn is_variable(&self, name: &str) -> bool {
        self.variables.get(name).is_some()
    }

    /// What a name stands for, and where it was defined.
    pub fn get(&self, name: &str) -> Option<&(Stored, Span)> {
        self.names.get(name)
    }

    /// Gives the last result a name that lasts: `_3` for the third input.
    pub fn number_result(&mut self, number: usize) {
        if let Some((value, span)) = self.names.get(RESULT).cloned() {
            self.set(&format!("{RESULT}{number}"), value, span);
        }
    }

    /// Keeps which f64 nobody asked for.
    pub(crate) fn keep_f64_origins(&mut self, f64_origins: F64Origins) {
        f64_origins.into_iter().for_each(|(origin, f64_origin)| self.f64_origins.set(&place(origin), f64_origin));
    }

    /// Whether the f64 that was decided here is one that nobody asked for.
    pub(in crate::check) fn f64_origin(&self, origin: Span) -> Option<F64Origin> {
        self.f64_origins.get(&place(origin)).copied()
    }

    /// The results that have a number: it, and the value.
    pub fn numbered_results(&self) -> impl Iterator<Item = (usize, &Stored)> {
        let named = self.names.from(RESULT).take_while(|(name, _)| name.starts_with(RESULT));
        named.filter_map(|(name, (value, _))| Some((result_number(name)?, value)))
    }

    /// Forgets a name.
    pub fn remove(&mut self, name: &str) {
        self.names.remove(name);
        self.variables.remove(name);
    }

    /// All names, in alphabetical order.
    pub fn names(&self) -> Vec<&str> {
        self.names.from("").map(|(name, _)| name).collect()
    }

    /// The values of names that have gone in another, or may stand for something else there.
    pub fn lost<'a>(&'a self, now: &'a Env) -> impl Iterator<Item = &'a Stored> {
        // An input that uses a name of an earlier one keeps it anew, where it was defined.
        let kept = |name: &str, span: Span| !now.is_variable(name) && now.get(name).is_some_and(|it| it.1 == span);
        let changed = self.names.changed(&now.names).into_iter();
        changed.filter(move |(name, (_, span))| !kept(name, *span)).map(|(_, (value, _))| value)
    }
}

/// A place as a key.
fn place(span: Span) -> String {
    format!("{:?}:{}:{}", span.source, span.start, span.end)
}

/// The number of a result by its name: 3 for `_3`.
pub fn result_number(name: &str) -> Option<usize> {
    let digits = name.strip_prefix(RESULT)?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// A name in a program under construction.
#[derive(Clone, Debug)]
pub(in crate::check) struct Binding {
    pub(in crate::check) value: Value,
    pub(in crate::check) span: Span,
    /// Whether it is a `var`.
    pub(in crate::check) mutable: bool,
}

/// The names of a script: one scope, later definitions hide earlier ones.
#[derive(Clone, Default, Debug)]
pub(in crate::check) struct Scope {
    names: QuickMap<String, Binding>,
    /// Names outside of the loop whose step is walked: a step gives them no other value.
    sealed: HashSet<String>,
}

impl Scope {
    /// The names that a step of a loop sees.
    pub(in crate::check) fn of_step(&self, defines: bool) -> Scope {
        let outer = self.names.iter().filter(|(_, binding)| binding.mutable || defines);
        let sealed = outer.map(|(name, _)| name.clone()).chain(self.sealed.iter().cloned()).collect();
        Scope { names: self.names.clone(), sealed }
    }

    /// Whether a name keeps its value while a step is walked.
    pub(in crate::check) fn is_sealed(&self, name: &str) -> bool {
        self.sealed.contains(name)
    }

    pub(in crate::check) fn define(&mut self, name: &str, value: Value, span: Span) {
        self.bind(name, Binding { value, span, mutable: false });
    }

    pub(in crate::check) fn define_variable(&mut self, name: &str, value: Value, span: Span) {
        self.bind(name, Binding { value, span, mutable: true });
    }

    fn bind(&mut self, name: &str, binding: Binding) {
        if !self.sealed.is_empty() {
            self.sealed.remove(name);
        }
        match self.names.get_mut(name) {
            Some(known) => *known = binding,
            None => {
                self.names.insert(name.to_owned(), binding);
            }
        }
    }

    /// The variables, in alphabetical order, without those of which nothing is known.
    pub(in crate::check) fn variables(&self) -> Vec<String> {
        let is_known = |binding: &Binding| binding.mutable && !matches!(binding.value, Value::Error);
        let mut found: Vec<String> =
            self.names.iter().filter(|(_, binding)| is_known(binding)).map(|(name, _)| name.clone()).collect();
        found.sort_unstable();
        found
    }

    pub(in crate::check) fn find(&self, name: &str) -> Option<&Binding> {
        self.names.get(name)
    }

    pub(in crate::check) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    pub(in crate::check) fn take(self) -> Vec<(String, Binding)> {
        let mut names: Vec<_> = self.names.into_iter().collect();
        names.sort_by_key(|(_, binding)| binding.span);
        names
    }
}
