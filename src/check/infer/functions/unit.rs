//! The functions of a script. They may use each other in any order, but none may lead back to itself. Each keeps the
//! values that its free names have where it is defined.

use super::closure::{CapturedValue, Closure};
use crate::check::infer::Ctx;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::source::{SourceId, Span};
use crate::syntax::ast::{Script, StmtKind};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How deep calls of functions may nest.
pub const MAX_CALLS: u32 = 200;

/// The functions of the script whose statements are walked.
#[derive(Default, Debug)]
pub(in crate::check) struct Unit {
    /// The script.
    source: Option<SourceId>,
    functions: HashMap<String, Arc<Closure>>,
    /// Names of functions that lead back to themselves or are defined twice.
    broken: HashSet<String>,
    /// Which statements bind a name, ascending: known once a function or a message asks.
    bound_at: OnceCell<HashMap<String, Vec<usize>>>,
    /// The statement that is walked.
    pub(in crate::check) now: usize,
    /// Whether the script is a used file, which sees nothing but its own names.
    pub(in crate::check) library: bool,
    /// Functions that were found to be unusable.
    unusable: HashSet<usize>,
}

/// What a free name of a function stands for.
enum NameSource {
    /// A function of the same script.
    Function(Option<Arc<Closure>>),
    /// What the name stands for now.
    Now,
    /// A name that only this later statement binds.
    Later(usize),
}

impl Unit {
    /// The functions in the order of their definitions.
    pub(in crate::check) fn closures(&self) -> Vec<Arc<Closure>> {
        let mut found: Vec<_> = self.functions.values().cloned().collect();
        found.sort_by_key(|closure| closure.stmt);
        found
    }

    /// The statements of the script that bind a name, ascending.
    fn bound_at(&self, script: &Script, name: &str) -> &[usize] {
        let bound_at = self.bound_at.get_or_init(|| {
            let mut bound_at: HashMap<String, Vec<usize>> = HashMap::new();
            for (at, stmt) in script.stmts.iter().enumerate() {
                for name in stmt.kind.names() {
                    bound_at.entry(name.text.clone()).or_default().push(at);
                }
            }
            bound_at
        });
        bound_at.get(name).map_or(&[], Vec::as_slice)
    }

    /// The statement that binds a name next.
    fn bound_later(&self, script: &Script, name: &str) -> Option<usize> {
        self.bound_at(script, name).iter().copied().find(|&at| at >= self.now)
    }

    /// Whether the script has a function of this name.
    pub(in crate::check) fn has_function(&self, name: &str) -> bool {
        self.functions.contains_key(name) || self.broken.contains(name)
    }

    fn source(&self, script: &Script, name: &str, stmt: usize) -> NameSource {
        let last = self.bound_at(script, name).iter().rfind(|&&at| at < stmt);
        match last {
            Some(&at) if matches!(script.stmts[at].kind, StmtKind::Fn(_)) => self.function(name),
            Some(&at) if at >= self.now && self.now < stmt => NameSource::Later(at),
            Some(_) => NameSource::Now,
            None if self.functions.contains_key(name) || self.broken.contains(name) => self.function(name),
            None => NameSource::Now,
        }
    }

    fn function(&self, name: &str) -> NameSource {
        NameSource::Function(self.functions.get(name).filter(|_| !self.broken.contains(name)).cloned())
    }
}

impl Ctx<'_> {
    /// Finds the functions of a script before its statements are walked.
    pub(in crate::check) fn collect_functions(&mut self, script: &Arc<Script>) {
        let mut unit = Unit { source: Some(script.source), ..Unit::default() };
        for (at, stmt) in script.stmts.iter().enumerate() {
            let StmtKind::Fn(function) = &stmt.kind else { continue };
            let Some(closure) = Closure::new(script, at) else { continue };
            let name = &function.name;
            if let Some(before) = unit.functions.get(&name.text) {
                let before = before.function().name.span;
                self.error(report::function_twice(&name.text, before, name.span));
                continue;
            }
            if !self.sound_head(function) {
                unit.broken.insert(name.text.clone());
            }
            unit.functions.insert(name.text.clone(), Arc::new(closure));
        }
        self.calls.unit = unit;
        self.find_cycles(script);
    }

    /// Whether the parameters of a function have names of their own, those without default first.
    fn sound_head(&mut self, function: &crate::syntax::ast::FunctionDefinition) -> bool {
        let mut sound = self.bindable(&function.name);
        let mut default_before = None;
        for (at, param) in function.params.iter().enumerate() {
            sound &= self.bindable(&param.name);
            if let Some(first) = function.params[..at].iter().find(|first| first.name.text == param.name.text) {
                self.error(report::parameter_twice(&param.name.text, first.name.span, param.name.span));
                sound = false;
            }
            match (param.default, &default_before) {
                (None, Some(before)) => {
                    self.error(report::default_before(&param.name.text, *before, param.name.span));
                    sound = false;
                }
                (Some(_), None) => default_before = Some(param.name.span),
                _ => {}
            }
        }
        sound
    }

    /// Reports functions that lead back to themselves, each cycle once.
    fn find_cycles(&mut self, script: &Script) {
        let unit = &self.calls.unit;
        let mut edges: HashMap<String, Vec<(String, Span)>> = HashMap::new();
        for (name, closure) in &unit.functions {
            let functions = closure
                .free
                .iter()
                .filter(|free| matches!(unit.source(script, &free.name, closure.stmt), NameSource::Function(Some(_))));
            edges.insert(name.clone(), functions.map(|free| (free.name.clone(), free.span)).collect());
        }
        let order: Vec<String> = unit.closures().iter().map(|closure| closure.function().name.text.clone()).collect();
        let mut done: HashSet<&str> = HashSet::new();
        let mut broken = Vec::new();
        let mut found = Vec::new();
        for root in &order {
            // The functions on the way, each with the number of the next edge; where each is on the way.
            let mut path: Vec<(&str, usize)> = Vec::new();
            let mut place: HashMap<&str, usize> = HashMap::new();
            if !done.contains(root.as_str()) {
                place.insert(root, 0);
                path.push((root, 0));
            }
            while let Some((name, next)) = path.last_mut() {
                let name = *name;
                let Some((to, _)) = edges.get(name).and_then(|edges| edges.get(*next)) else {
                    done.insert(name);
                    place.remove(name);
                    path.pop();
                    continue;
                };
                *next += 1;
                if let Some(&from) = place.get(to.as_str()) {
                    let cycle: Vec<(&str, Span)> =
                        path[from..].iter().map(|&(name, next)| (name, edges[name][next - 1].1)).collect();
                    if cycle.iter().all(|(name, _)| !broken.contains(name)) {
                        found.push(report::function_cycle(&cycle));
                        broken.extend(cycle.iter().map(|(name, _)| *name));
                    }
                } else if !done.contains(to.as_str()) {
                    place.insert(to, path.len());
                    path.push((to, 0));
                }
            }
        }
        let broken: Vec<String> = broken.into_iter().map(str::to_owned).collect();
        self.calls.unit.broken.extend(broken);
        for diagnostic in found {
            self.error(diagnostic);
        }
    }

    /// A function of this script by its name, also before its definition.
    pub(in crate::check) fn own_function(&mut self, name: &str, span: Span) -> Option<Value> {
        let unit = &self.calls.unit;
        if unit.broken.contains(name) {
            return Some(Value::Error);
        }
        let closure = unit.functions.get(name)?.clone();
        Some(self.ready(&closure, span))
    }

    /// `fn f(…) = …`: from here on the name stands for the function.
    pub(in crate::check) fn define_function(&mut self, name: &str, span: Span) {
        let unit = &self.calls.unit;
        let closure = unit.functions.get(name).filter(|closure| closure.stmt == unit.now).cloned();
        let Some(closure) = closure.filter(|_| !unit.broken.contains(name)) else {
            // A definition that was reported, or the second one of a name.
            if unit.broken.contains(name) {
                self.frame.scope.define(name, Value::Error, span);
            }
            return;
        };
        if !closure.is_defined() {
            let _ = self.capture(&closure, span);
        }
        self.frame.scope.define(name, Value::Function(closure), span);
    }

    /// Gives a function the values of its free names as they are now.
    fn capture(&mut self, closure: &Arc<Closure>, used: Span) -> Result<(), ()> {
        let mut captured = Vec::new();
        for free in &closure.free {
            let value = match self.calls.unit.source(&closure.script, &free.name, closure.stmt) {
                NameSource::Function(None) => Some(Value::Error),
                NameSource::Function(Some(function)) => Some(Value::Function(function)),
                NameSource::Later(stmt) => {
                    let defined = closure.script.stmts[stmt].span;
                    let name = &closure.function().name.text;
                    self.error(report::used_before(name, &free.name, free.span, defined, used));
                    return Err(());
                }
                NameSource::Now => {
                    let value = self.visible(&free.name);
                    match self.frame.scope.find(&free.name) {
                        Some(binding) if binding.mutable => {
                            let declared = binding.span;
                            Some(self.error(report::captured_variable(&free.name, free.span, declared)))
                        }
                        _ => value,
                    }
                }
            };
            captured.extend(value.map(|value| (free.name.clone(), CapturedValue::Live(value))));
        }
        closure.define(captured);
        Ok(())
    }

    /// Where a name that is not there yet is defined further down.
    pub(in crate::check) fn defined_below(&self, name: &str) -> Option<Span> {
        if let Some(binding) = self.calls.outside.find(name).filter(|_| self.calls.inside()) {
            return Some(binding.span);
        }
        if self.calls.unit.source != Some(self.frame.script.source) {
            return None;
        }
        let stmt = self.calls.unit.bound_later(self.frame.script, name)?;
        self.frame.script.stmts.get(stmt).map(|stmt| stmt.span)
    }

    /// A function that the session keeps, with its values as part of this program.
    pub(in crate::check) fn restore_function(&mut self, kept: &Arc<Closure>, defined: Span) -> Arc<Closure> {
        let address = Arc::as_ptr(kept) as usize;
        if let Some(function) = self.calls.restored.get(&address) {
            return function.clone();
        }
        let captured = kept.captures().iter().map(|(name, captured)| {
            let live = match captured {
                CapturedValue::Kept(stored) => self.restore(name, stored.clone(), defined),
                CapturedValue::Live(value) => value.clone(),
            };
            (name.clone(), CapturedValue::Live(live))
        });
        let captured = captured.collect();
        let function = Arc::new(kept.with(captured));
        self.calls.restored.insert(address, function.clone());
        function
    }

    /// A function with everything that it needs, or the error that something is not there yet; `span` is where it
    /// is used.
    pub(in crate::check) fn ready(&mut self, closure: &Arc<Closure>, span: Span) -> Value {
        let address = |closure: &Arc<Closure>| Arc::as_ptr(closure) as usize;
        let mut path: Vec<(Arc<Closure>, Vec<Arc<Closure>>, u32)> = Vec::new();
        let mut next = Some(closure.clone());
        loop {
            if let Some(function) = next.take() {
                if let Some(&depth) = function.depth.get() {
                    match path.last_mut() {
                        Some((_, _, deepest)) => *deepest = depth.max(*deepest),
                        None => return Value::Function(function),
                    }
                } else {
                    let unusable = self.calls.unit.unusable.contains(&address(&function));
                    if unusable || (!function.is_defined() && self.capture(&function, span).is_err()) {
                        self.calls.unit.unusable.extend(path.iter().map(|(function, ..)| address(function)));
                        self.calls.unit.unusable.insert(address(&function));
                        return Value::Error;
                    }
                    let needs = function.needs();
                    path.push((function, needs, 0));
                }
            }
            let Some((_, needs, _)) = path.last_mut() else { return Value::Function(closure.clone()) };
            next = needs.pop();
            if next.is_none()
                && let Some((function, _, deepest)) = path.pop()
            {
                let depth = deepest + 1;
                if depth > MAX_CALLS {
                    let name = &function.function().name;
                    self.error(report::call_depth(&name.text, MAX_CALLS, name.span));
                    self.calls.unit.unusable.extend(path.iter().map(|(function, ..)| address(function)));
                    self.calls.unit.unusable.insert(address(&function));
                    return Value::Error;
                }
                let _ = function.depth.set(depth);
                next = Some(function);
            }
        }
    }
}
