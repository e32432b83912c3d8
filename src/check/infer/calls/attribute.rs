//! Attributes: what an array says of itself. Some are views.

use crate::check::infer::Ctx;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::View;
use crate::ops::attributes::{self, Attribute};
use crate::ops::elsewhere::modules::Meaning;
use crate::ops::{self, Op, Role};
use crate::source::Span;
use crate::syntax::ast::{ExprId, Name};
use crate::types::Affine;

impl Ctx<'_> {
    /// `base.name`
    pub(in crate::check) fn attribute(&mut self, base: ExprId, name: &Name, span: Span) -> Value {
        match self.meaning_of_path(base, &name.text) {
            None => {}
            // `np.sum` is ours, whatever the program calls `sum`.
            Some(Meaning::Plain) => {
                return Self::own(&name.text).unwrap_or_else(|| self.name(&name.text, name.span));
            }
            Some(Meaning::Row(row)) => return self.foreign_value(row, self.text(span).to_owned().as_str(), span),
            Some(Meaning::Unknown(module)) => return self.error(report::not_in_module(module, &name.text, span)),
        }
        let base_span = self.frame.script.expr(base).span;
        let value = self.infer(base);
        if let Value::DType(dtype) = value {
            return self.dtype_attribute(dtype, &name.text, name.span);
        }
        let Some(operand) = self.operand(value.clone(), base_span) else { return Value::Error };
        if let Some(op) = attributes::operation(&name.text) {
            return self.apply_notation(op, vec![operand], span, name.span);
        }
        match attributes::find(&name.text) {
            Some(Attribute::Shape) => {
                self.graph.builder.note_read(operand.in_node(), &operand.shape);
                Value::Tuple(operand.shape.into_iter().map(Value::Dim).collect())
            }
            Some(Attribute::DType) => Value::DType(self.settings.harden(operand.elem)),
            Some(Attribute::Rank) => Self::form_value(Affine::constant(operand.shape.len() as i64)),
            Some(Attribute::Count) => {
                self.graph.builder.note_read(operand.in_node(), &operand.shape);
                match Self::element_count(&operand.shape) {
                    Some(dim) => Value::Dim(dim),
                    None => self.error(report::open_count(&operand, span)),
                }
            }
            Some(Attribute::Transpose) => {
                let Some(node) = self.node(&operand) else { return Value::Error };
                let order = (0..operand.shape.len() as u32).rev().collect();
                let shape = operand.shape.iter().rev().cloned().collect();
                let node = self.graph.builder.view(node, View::Transpose(order), shape);
                Self::view_of(&operand, node)
            }
            None => match self.foreign_attribute((base, value), &name.text, span, name.span) {
                Some(value) => value,
                None => {
                    let takes_it = |op: &Op| op.params.first().is_some_and(|first| matches!(first.role, Role::Operand));
                    let is_method = ops::find(&name.text).is_some_and(takes_it);
                    self.error(report::unknown_attribute(&name.text, is_method, name.span))
                }
            },
        }
    }
}
