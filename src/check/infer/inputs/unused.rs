//! Values given from outside that the script never asks for.

use crate::check::BoundName;
use crate::check::infer::Ctx;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::diagnostic::suggest;
use crate::source::Span;
use crate::syntax::ast::{ExprKind, Script};
use crate::types::shape;

impl<'a> Ctx<'a> {
    /// Values given from outside that the script never asked for.
    pub(in crate::check) fn unused_values(&mut self) {
        if self.request.usage.free_names {
            return;
        }
        let bound = self.request.given.bound;
        for (name, (given, at)) in bound {
            if self.typed.used.contains(name) {
                continue;
            }
            let known = self.typed.used.clone();
            let near = suggest::closest(name, known.iter().map(String::as_str));
            let ty = if near.is_none() { self.type_given(given, *at) } else { None };
            self.error(report::no_such_input(name, near, ty.as_deref(), *at));
        }
    }

    /// The type of an input that takes a value: `bool[3, 2]`. It is `None` where the value says none.
    fn type_given(&mut self, given: &'a BoundName, at: Span) -> Option<String> {
        match given {
            BoundName::Data(array) => {
                let sizes: Vec<String> = array.shape().iter().map(usize::to_string).collect();
                let axes = if sizes.is_empty() { String::new() } else { format!("[{}]", sizes.join(", ")) };
                Some(format!("{}{axes}", array.dtype().name()))
            }
            BoundName::Expression(script) if is_written_out(script) => {
                let value = self.foreign(script);
                if !matches!(value, Value::Const(_) | Value::Literal(_) | Value::Computed(_)) {
                    return None;
                }
                let operand = self.operand(value, at)?;
                Some(format!("{}{}", self.settings.harden(operand.elem).name(), shape::show(&operand.shape)))
            }
            BoundName::Expression(_) => None,
        }
    }
}

/// Whether a value is written as numbers, in brackets or alone.
fn is_written_out(script: &Script) -> bool {
    script.exprs.iter().all(|expr| {
        let is_number = matches!(expr.kind, ExprKind::Int | ExprKind::Float | ExprKind::Imaginary | ExprKind::Bool(_));
        is_number || matches!(expr.kind, ExprKind::Array(_) | ExprKind::Prefix(..) | ExprKind::Paren(_))
    })
}
