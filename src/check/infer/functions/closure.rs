//! Functions as values: a definition with the values of the names that it does not bind itself.
//!
//! A closure never changes once it has captured, and none leads back to itself: cycles are reported where functions
//! are defined. What it captured belongs to the program under construction; a session keeps arrays instead.

use super::free;
use crate::check::infer::values::value::Value;
pub use crate::check::infer::values::value::{CapturedValue, Closure, SessionValue};
use crate::ops::{self, Cast, Form};
use crate::source::{Sources, Span};
use crate::syntax::ast::{Arg, ExprKind, FunctionDefinition, Script, StmtKind};
use std::fmt;
use std::sync::{Arc, OnceLock};

impl Closure {
    /// The function that statement `stmt` of a script defines, if it defines one. Nothing is captured yet.
    pub(in crate::check) fn new(script: &Arc<Script>, stmt: usize) -> Option<Closure> {
        let StmtKind::Fn(function) = &script.stmts[stmt].kind else { return None };
        let free = free::names(script, function);
        Some(Closure { script: script.clone(), stmt, free, captured: OnceLock::new(), depth: OnceLock::new() })
    }

    /// The same function with other values for what it captured.
    pub fn with(&self, captured: Vec<(String, CapturedValue)>) -> Closure {
        Closure {
            script: self.script.clone(),
            stmt: self.stmt,
            free: self.free.clone(),
            captured: captured.into(),
            depth: self.depth.clone(),
        }
    }

    /// The definition.
    pub fn function(&self) -> &FunctionDefinition {
        let StmtKind::Fn(function) = &self.script.stmts[self.stmt].kind else {
            unreachable!("a closure is made of a definition")
        };
        function
    }

    /// Whether an argument of a function of the library stands for an array: these have such names.
    pub(in crate::check) fn takes_array(&self, name: Option<&str>, place: usize) -> bool {
        let params = &self.function().params;
        let param = match name {
            Some(name) => params.iter().find(|param| param.name.text == name),
            None => params.get(place),
        };
        let is_array = param.is_some_and(|param| matches!(param.name.text.as_str(), "x" | "y" | "a" | "b"));
        is_array && self.place().0.source.is_library()
    }

    /// Whether a function of the library casts what it is given for a parameter to a dtype that it is given too, and
    /// does nothing else: `array(x, dtype)`.
    pub(in crate::check) fn casts(&self, param: &str) -> bool {
        let script = &self.script;
        let Some(body) = self.function().body.result else { return false };
        let Some([value, dtype]) = cast_operands(script, &script.expr(body).kind) else { return false };
        let is_param = matches!(&script.expr(value.value).kind, ExprKind::Name(name) if name == param);
        let is_given = matches!(script.expr(dtype.value).kind, ExprKind::Name(_));
        is_param && is_given && script.source.is_library()
    }

    /// Whether a function of the library makes an array of its first argument: it casts the argument to a dtype, or to
    /// the argument's own, as `array(x)` does.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other expression is a dtype")]
    pub(in crate::check) fn makes_an_array(&self) -> bool {
        let script = &self.script;
        let Some(param) = self.function().params.first() else { return false };
        let is_param = |id| matches!(&script.expr(id).kind, ExprKind::Name(name) if *name == param.name.text);
        let is_dtype = |id| match &script.expr(id).kind {
            ExprKind::Name(name) => name == "dtype",
            ExprKind::Attribute(base, name) => is_param(*base) && name.text == "dtype",
            _ => false,
        };
        let mut casts = script.exprs.iter().filter_map(|expr| cast_operands(script, &expr.kind));
        script.source.is_library() && casts.any(|[value, dtype]| is_param(value.value) && is_dtype(dtype.value))
    }

    /// The script with the definition, and where it is there.
    pub fn place(&self) -> (&Arc<Script>, Span) {
        (&self.script, self.script.stmts[self.stmt].span)
    }

    /// What the function captured. There is nothing before its definition was reached.
    pub fn captures(&self) -> &[(String, CapturedValue)] {
        self.captured.get().map_or(&[], Vec::as_slice)
    }

    pub(in crate::check) fn is_defined(&self) -> bool {
        self.captured.get().is_some()
    }

    /// Captures. What was captured once stays.
    pub(in crate::check) fn define(&self, captured: Vec<(String, CapturedValue)>) {
        let _ = self.captured.set(captured);
    }

    /// The functions among what it captured.
    pub(in crate::check) fn needs(&self) -> Vec<Arc<Closure>> {
        let mut found = Vec::new();
        let mut values: Vec<&Value> = Vec::new();
        for (_, captured) in self.captures() {
            if let CapturedValue::Live(value) = captured {
                values.push(value);
            }
            while let Some(value) = values.pop() {
                if let Value::Function(closure) = value {
                    found.push(closure.clone());
                } else if let Value::Tuple(items) = value {
                    values.extend(items.iter());
                }
            }
        }
        found
    }

    /// `blend(a, b: f32[n], t=0.5) -> f32[n]`, as it is written.
    pub fn signature(&self, sources: &Sources) -> String {
        let function = self.function();
        let params = function.params.iter().map(|param| {
            let ty = param.ty.as_ref().map(|ty| format!(": {}", sources.text(ty.span))).unwrap_or_default();
            let gap = if ty.is_empty() { "=" } else { " = " };
            let default = param.default.map(|id| sources.text(self.script.expr(id).span));
            let default = default.map(|text| format!("{gap}{text}")).unwrap_or_default();
            format!("{}{ty}{default}", param.name.text)
        });
        let params = params.collect::<Vec<_>>().join(", ");
        let result = function.result.as_ref().map(|ty| format!(" -> {}", sources.text(ty.span))).unwrap_or_default();
        format!("{}({params}){result}", function.name.text)
    }

    /// The `##` lines above the definition, without their marks.
    pub fn doc(&self, sources: &Sources) -> String {
        self.script.stmts[self.stmt].doc_text(sources)
    }
}

/// What a plain cast is written with: the value, and the dtype.
fn cast_operands<'s>(script: &Script, kind: &'s ExprKind) -> Option<&'s [Arg; 2]> {
    let ExprKind::Call(callee, args) = kind else { return None };
    let ExprKind::Name(name) = &script.expr(*callee).kind else { return None };
    let is_cast = ops::by_name(name).is_some_and(|op| matches!(op.form, Form::Cast(Cast::Plain)));
    <&[Arg; 2]>::try_from(args.as_slice()).ok().filter(|_| is_cast)
}

impl fmt::Debug for Closure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fn {}", self.function().name.text)
    }
}

/// Chains of functions may be long, so they are taken apart one after the other and not one inside the other.
impl Drop for Closure {
    fn drop(&mut self) {
        let mut left = self.captured.take().unwrap_or_default();
        while let Some((_, captured)) = left.pop() {
            if let CapturedValue::Live(Value::Function(closure)) | CapturedValue::Kept(SessionValue::Function(closure)) =
                captured
                && let Some(mut last) = Arc::into_inner(closure)
            {
                left.append(&mut last.captured.take().unwrap_or_default());
            }
        }
    }
}
