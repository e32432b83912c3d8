//! Names in scope, and the values that a session keeps between inputs.

use super::RESULT;
use super::closure::Closure;
use super::lint::unasked::{Birth, Births};
use super::value::Value;
use crate::array::Array;
use crate::source::Span;
use crate::types::Elem;
use crate::types::constant::Const;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What a name stands for between the inputs of a session.
#[derive(Clone, Debug)]
pub enum Stored {
    /// An array that was computed, with its type as the language sees it (weak or not) and where that came from.
    Array(Array, Elem, Span),
    /// A constant.
    Const(Const),
    /// Several values.
    Tuple(Vec<Stored>),
    /// A function; what it captured is kept with it.
    Function(Arc<Closure>),
    /// A value of compile time only.
    Other(Value),
}

/// Names with the places that define them.
#[derive(Clone, Debug, Default)]
pub struct Env {
    names: HashMap<String, (Stored, Span)>,
    variables: HashSet<String>,
    births: Births,
}

impl Env {
    /// Gives a name its value.
    pub fn set(&mut self, name: &str, value: Stored, span: Span) {
        self.names.insert(name.to_owned(), (value, span));
    }

    /// Says whether a name is a variable, which may be assigned to.
    pub fn set_variable(&mut self, name: &str, variable: bool) {
        match variable {
            true => self.variables.insert(name.to_owned()),
            false => self.variables.remove(name),
        };
    }

    /// Whether a name is a variable.
    pub fn is_variable(&self, name: &str) -> bool {
        self.variables.contains(name)
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
    pub(crate) fn keep_births(&mut self, births: Births) {
        self.births.extend(births);
    }

    /// Whether the f64 that was decided here is one that nobody asked for.
    pub(super) fn birth(&self, origin: Span) -> Option<Birth> {
        self.births.get(&origin).copied()
    }

    /// Forgets a name.
    pub fn remove(&mut self, name: &str) {
        self.names.remove(name);
        self.variables.remove(name);
    }

    /// All names, in alphabetical order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.names.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }
}

/// A name in a program under construction.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub(super) value: Value,
    pub(super) span: Span,
    /// Whether it is a `var`.
    pub(super) mutable: bool,
}

/// The names of a script: one scope, later definitions hide earlier ones.
#[derive(Default, Debug)]
pub(super) struct Scope {
    names: HashMap<String, Binding>,
}

impl Scope {
    pub(super) fn define(&mut self, name: &str, value: Value, span: Span) {
        self.names.insert(name.to_owned(), Binding { value, span, mutable: false });
    }

    pub(super) fn define_variable(&mut self, name: &str, value: Value, span: Span) {
        self.names.insert(name.to_owned(), Binding { value, span, mutable: true });
    }

    /// The variables, in alphabetical order.
    pub(super) fn variables(&self) -> Vec<String> {
        let mut found: Vec<String> =
            self.names.iter().filter(|(_, binding)| binding.mutable).map(|(name, _)| name.clone()).collect();
        found.sort_unstable();
        found
    }

    pub(super) fn find(&self, name: &str) -> Option<&Binding> {
        self.names.get(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    pub(super) fn take(self) -> Vec<(String, Binding)> {
        let mut names: Vec<_> = self.names.into_iter().collect();
        names.sort_by_key(|(_, binding)| binding.span);
        names
    }
}
