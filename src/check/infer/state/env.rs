//! Names in scope, with the values that a session keeps between inputs.

mod names;

use crate::check::RESULT;
use crate::check::infer::found::f64_origins::{F64Origin, F64Origins};
pub use crate::check::infer::values::value::SessionValue;
use crate::check::infer::values::value::Value;
use crate::hash::QuickMap;
use crate::source::Span;
use names::Names;

/// Names with the places that define them. Copies share what they have in common, and cost nothing.
#[derive(Clone, Debug, Default)]
pub struct Env {
    names: Names<(SessionValue, Span)>,
    variables: Names<()>,
    /// By [`place`].
    f64_origins: Names<F64Origin>,
}

impl Env {
    /// Gives a name its value.
    pub fn set(&mut self, name: &str, value: SessionValue, span: Span) {
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
    pub fn get(&self, name: &str) -> Option<&(SessionValue, Span)> {
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
        for (origin, f64_origin) in f64_origins {
            match f64_origin {
                Some(f64_origin) => self.f64_origins.set(&place(origin), f64_origin),
                None => self.f64_origins.remove(&place(origin)),
            }
        }
    }

    /// Whether the f64 that was decided here is one that nobody asked for.
    pub(in crate::check) fn f64_origin(&self, origin: Span) -> Option<F64Origin> {
        self.f64_origins.get(&place(origin)).copied()
    }

    /// The results that have a number: it, and the value.
    pub fn numbered_results(&self) -> impl Iterator<Item = (usize, &SessionValue)> {
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
    pub fn lost<'a>(&'a self, now: &'a Env) -> impl Iterator<Item = &'a SessionValue> {
        // An input that uses a name of an earlier one keeps it anew, where it was defined.
        let kept = |name: &str, span: Span| !now.is_variable(name) && now.get(name).is_some_and(|it| it.1 == span);
        let changed = self.names.differences(&now.names).into_iter();
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
    /// Whether nothing is known of what it holds, since a store in it was wrong. Its dtype and shape stay.
    pub(in crate::check) doubted: bool,
}

/// The names of a script: one scope, later definitions hide earlier ones.
#[derive(Clone, Default, Debug)]
pub(in crate::check) struct Scope {
    names: QuickMap<String, Binding>,
    /// What is outside of the loop whose step is walked.
    outer: Option<Box<OuterScope>>,
}

/// What a step of a loop sees of the names outside of it.
#[derive(Clone, Debug)]
struct OuterScope {
    scope: Scope,
    /// Whether a step may give none of the names another value. If it is false, the step may give none to variables.
    defines: bool,
}

impl Scope {
    /// Into the step of a loop, which sees these names and has its own.
    pub(in crate::check) fn enter_step(&mut self, defines: bool) {
        let scope = std::mem::take(self);
        self.outer = Some(Box::new(OuterScope { scope, defines }));
    }

    /// Out of the step of a loop, whose names are forgotten.
    pub(in crate::check) fn leave_step(&mut self) {
        if let Some(outer) = self.outer.take() {
            *self = outer.scope;
        }
    }

    /// Whether this is the scope of a step.
    pub(in crate::check) fn is_step(&self) -> bool {
        self.outer.is_some()
    }

    /// Whether a name keeps its value while a step is walked.
    pub(in crate::check) fn is_sealed(&self, name: &str) -> bool {
        let is_fixed = |it: &OuterScope| {
            it.scope.is_sealed(name) || it.scope.find(name).is_some_and(|binding| binding.mutable || it.defines)
        };
        !self.names.contains_key(name) && self.outer.as_deref().is_some_and(is_fixed)
    }

    pub(in crate::check) fn define(&mut self, name: &str, value: Value, span: Span) {
        self.bind(name, Binding { value, span, mutable: false, doubted: false });
    }

    pub(in crate::check) fn define_variable(&mut self, name: &str, value: Value, span: Span) {
        self.bind(name, Binding { value, span, mutable: true, doubted: false });
    }

    /// Nothing is known of what a name holds.
    pub(in crate::check) fn doubt(&mut self, name: &str) {
        if let Some(binding) = self.names.get_mut(name) {
            binding.doubted = true;
        }
    }

    fn bind(&mut self, name: &str, binding: Binding) {
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
        let is_variable = |name: &&str| self.find(name).is_some_and(is_known);
        let mut found: Vec<String> = self.names().filter(is_variable).map(str::to_owned).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    pub(in crate::check) fn find(&self, name: &str) -> Option<&Binding> {
        self.scopes().find_map(|scope| scope.names.get(name))
    }

    /// The names, those outside of a step behind its own; one that hides another stands twice.
    pub(in crate::check) fn names(&self) -> impl Iterator<Item = &str> {
        self.scopes().flat_map(|scope| scope.names.keys()).map(String::as_str)
    }

    /// This scope, and those outside of the steps that are walked.
    fn scopes(&self) -> impl Iterator<Item = &Scope> {
        std::iter::successors(Some(self), |scope| scope.outer.as_ref().map(|outer| &outer.scope))
    }

    pub(in crate::check) fn take(self) -> Vec<(String, Binding)> {
        let mut names: Vec<_> = self.names.into_iter().collect();
        names.sort_by_key(|(_, binding)| binding.span);
        names
    }
}
