//! The lengths that arrays of inputs give to names of dimensions. A number fills a shape whose names another input
//! binds, even an input that is declared further down.

use crate::check::BoundName;
use crate::check::infer::Ctx;
use crate::check::infer::values::value::Value;
use crate::syntax::ast::{DimsExpr, ExprId, ExprKind, Script, StmtKind};
use crate::types::Dim;

impl Ctx<'_> {
    /// Finds the lengths that a number may have to fill.
    pub(in crate::check) fn bind_if_number(&mut self, value: &Value) {
        let is_number = self.shape_of(value).is_some_and(|shape| shape.is_empty());
        if is_number && !std::mem::replace(&mut self.frame.on_demand.has_input_sizes, is_number) {
            self.bind_input_sizes();
        }
    }

    /// Gives names of dimensions the lengths of the arrays that are given for inputs, or are their defaults.
    fn bind_input_sizes(&mut self) {
        let script = self.frame.script;
        for stmt in &script.stmts {
            let StmtKind::Input { name, ty, default, .. } = &stmt.kind else { continue };
            let DimsExpr::List(list) = &ty.dims else { continue };
            let sizes = match self.request.given.bound.get(&name.text) {
                Some((BoundName::Data(array), _)) => Some(array.shape().to_vec()),
                Some((BoundName::Expression(given), _)) => written_value(given).and_then(|id| written_shape(given, id)),
                None => default.and_then(|id| written_shape(script, id)),
            };
            let Some(sizes) = sizes.filter(|sizes| sizes.len() == list.len()) else { continue };
            for (&dim, size) in list.iter().zip(sizes) {
                let dim = script.expr(dim);
                if let ExprKind::Name(name) = &dim.kind {
                    let entry = self.frame.dims.entry(name.clone()).or_insert((None, dim.span));
                    entry.0.get_or_insert(Dim::Const(size as u64));
                }
            }
        }
    }
}

/// The expression of a script that is one expression.
fn written_value(script: &Script) -> Option<ExprId> {
    let StmtKind::Expr { value, .. } = &script.stmts.first()?.kind else { return None };
    Some(*value)
}

/// The shape of an array that is written out, or of a number.
fn written_shape(script: &Script, id: ExprId) -> Option<Vec<usize>> {
    let kind = &script.expr(id).kind;
    if let ExprKind::Array(items) = kind {
        let mut shape = vec![items.len()];
        shape.extend(written_shape(script, *items.first()?)?);
        return Some(shape);
    }
    if let ExprKind::Prefix(_, inner) = kind {
        return written_shape(script, *inner);
    }
    matches!(kind, ExprKind::Int | ExprKind::Float | ExprKind::Imaginary | ExprKind::Bool(_)).then(Vec::new)
}
