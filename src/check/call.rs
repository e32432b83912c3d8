//! Calls: which function is meant, and which argument belongs to which parameter.

use super::arguments::Given;
use super::closure::Closure;
use super::value::Value;
use super::{Ctx, report};
use crate::diagnostic::suggest;
use crate::ops::{self, Op};
use crate::source::Span;
use crate::syntax::ast::{Arg, ExprId, ExprKind, Name};
use std::sync::Arc;

/// A function as calls see it: its name and its parameters, each with whether it may be left out.
pub(super) struct Head {
    pub(super) name: String,
    pub(super) signature: String,
    pub(super) params: Vec<(String, bool)>,
}

impl Head {
    fn of_builtin(op: &Op) -> Head {
        let params = op.params.iter().map(|param| (param.name.to_owned(), param.default.is_some()));
        Head { name: op.name.to_owned(), signature: op.signature(), params: params.collect() }
    }
}

/// Arguments as they are written: positional ones, then those with keywords.
#[derive(Default)]
struct Arguments<'s> {
    positional: Vec<(Value, Span)>,
    named: Vec<(&'s Name, (Value, Span))>,
}

impl Ctx<'_, '_> {
    pub(super) fn call(&mut self, callee: ExprId, args: &[Arg], span: Span) -> Value {
        let script = self.script;
        let callee_expr = script.expr(callee);
        let at = callee_expr.span;
        // `x.f(args)` is `f(x, args)`.
        if let ExprKind::Attribute(base, name) = &callee_expr.kind
            && !self.is_module(*base)
        {
            return self.method(*base, name, args, span);
        }
        if let ExprKind::Name(name) = &callee_expr.kind
            && let Some(diagnostic) = self.slip(name, args, at)
        {
            return self.error(diagnostic);
        }
        let function = self.infer(callee);
        self.call_value(function, None, args, span, at)
    }

    fn is_module(&self, base: ExprId) -> bool {
        matches!(&self.script.expr(base).kind, ExprKind::Name(name)
            if matches!(name.as_str(), "np" | "jnp") && self.scope.find(name).is_none())
    }

    fn method(&mut self, base: ExprId, name: &Name, args: &[Arg], span: Span) -> Value {
        let function = match self.defined(&name.text, name.span) {
            Some(function @ (Value::Function(_) | Value::Builtin(_) | Value::Error)) => function,
            _ => match ops::find(&name.text) {
                Some(op) => Value::Builtin(op),
                None => {
                    let known = report::name_of_elsewhere(&name.text, name.span);
                    return self.error(known.unwrap_or_else(|| report::unknown_method(&name.text, name.span)));
                }
            },
        };
        self.call_value(function, Some(base), args, span, name.span)
    }

    fn call_value(&mut self, function: Value, first: Option<ExprId>, args: &[Arg], span: Span, at: Span) -> Value {
        let open = matches!(function, Value::Function(_));
        let mut given = Arguments::default();
        for (name, id) in
            first.map(|id| (None, id)).into_iter().chain(args.iter().map(|arg| (arg.name.as_ref(), arg.value)))
        {
            let value = match open {
                true => self.infer_open(id),
                false => self.argument(&function, name, given.positional.len(), id),
            };
            let value = (value, self.script.expr(id).span);
            match name {
                Some(name) => given.named.push((name, value)),
                None => given.positional.push(value),
            }
        }
        match function {
            Value::Error => Value::Error,
            Value::DType(dtype) => {
                let mut positional = given.positional.into_iter();
                match (positional.next(), positional.next(), given.named.first()) {
                    (Some((value, value_span)), None, None) => self.cast(value, value_span, dtype, span),
                    _ => self.error(report::cast_arguments(dtype, span)),
                }
            }
            Value::Builtin(op) => {
                given.positional = super::list::gathered(op, given.positional);
                match self.match_arguments(&Head::of_builtin(op), given, span, at) {
                    Some(given) => self.call_builtin(op, given, span, at),
                    None => Value::Error,
                }
            }
            Value::Function(closure) => {
                let head = self.head_of(&closure);
                let Some(mut given) = self.match_arguments(&head, given, span, at) else { return Value::Error };
                // An annotation may decide the dtype of an array literal; nothing else does.
                for (param, given) in closure.function().params.iter().zip(&mut given) {
                    if let (None, Some((value, value_span))) = (&param.ty, given) {
                        *value = self.settled(std::mem::replace(value, Value::Error), *value_span);
                    }
                }
                self.call_function(&closure, given, span, at)
            }
            other => self.error(report::not_a_function(&other, self.text(at), at)),
        }
    }

    fn head_of(&self, closure: &Arc<Closure>) -> Head {
        let function = closure.function();
        let params = function.params.iter().map(|param| (param.name.text.clone(), param.default.is_some()));
        let signature = closure.signature(self.sources);
        Head { name: function.name.text.clone(), signature, params: params.collect() }
    }

    /// One value for each parameter, in the order of the parameters.
    fn match_arguments(&mut self, head: &Head, arguments: Arguments, span: Span, at: Span) -> Option<Vec<Given>> {
        let Arguments { positional, named } = arguments;
        let mut given: Vec<Given> = vec![None; head.params.len()];
        if positional.len() > head.params.len() {
            let extra = positional[head.params.len()].1;
            self.error(report::too_many_arguments(head, positional.len(), extra));
            return None;
        }
        for (slot, value) in given.iter_mut().zip(positional) {
            *slot = Some(value);
        }
        for (name, value) in named {
            let Some(index) = head.params.iter().position(|(param, _)| *param == name.text) else {
                let variable = self.scope.find(&name.text).is_some();
                let near = suggest::closest(&name.text, head.params.iter().map(|(param, _)| param.as_str()));
                self.error(report::unknown_keyword(head, &name.text, near, variable, name.span));
                return None;
            };
            if given[index].is_some() {
                self.error(report::repeated_argument(head, &name.text, name.span));
                return None;
            }
            given[index] = Some(value);
        }
        let missing = head.params.iter().zip(&given).find(|((_, optional), given)| !optional && given.is_none());
        if let Some(((param, _), _)) = missing {
            self.error(report::missing_argument(head, param, span, at));
            return None;
        }
        Some(given)
    }

    /// Likely slips that deserve words of their own.
    fn slip(&self, name: &str, args: &[Arg], at: Span) -> Option<crate::diagnostic::Diagnostic> {
        if self.scope.find(name).is_some() {
            return None;
        }
        let positional = args.iter().filter(|arg| arg.name.is_none()).count();
        match (name, positional) {
            ("min" | "max", 2..) => Some(report::reduction_of_two(name, at)),
            ("len", 1) => Some(report::length_asked(self.text(self.script.expr(args[0].value).span), at)),
            ("float" | "int" | "double" | "complex", _) => Some(report::foreign_dtype(name, at)),
            _ => None,
        }
    }
}
