//! `add(x, y, dtype=f32)`: an operation that goes element by element, in a dtype that the call names.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::{NodeValue, Value};
use crate::check::report;
use crate::constant::Const;
use crate::ops::elsewhere::positional;
use crate::ops::{Form, Op, Role};
use crate::promotion::Class;
use crate::source::Span;
use crate::types::{DType, Elem, Kind};

/// Whether a call may say in which dtype an operation computes: it goes element by element, and takes operands alone.
/// The parts of a number are only taken out.
pub(in crate::check) fn takes_dtype(op: &Op) -> bool {
    matches!(op.form, Form::Map(_) | Form::Scaled(_) | Form::Compare(_))
        && op.class != Class::Part
        && op.params.iter().all(|param| param.role == Role::Operand)
}

/// Whether an operation has `out` in NumPy: it goes element by element, or has a place for it there, as reductions do.
pub(in crate::check) fn takes_out(op: &Op) -> bool {
    takes_dtype(op) || positional::order("np", op.name).is_some_and(|order| order.has("out"))
}

/// Whether a call gives what NumPy may say behind the operands of such an operation: `None`, where the result goes.
pub(in crate::check) fn gives_out_none(op: &Op, given: &[(Value, Span)]) -> bool {
    let last = given.last().filter(|_| given.len() == op.params.len() + 1);
    takes_dtype(op) && last.is_some_and(|(value, _)| matches!(value, Value::None))
}

/// Where a kind stands among those that become another without a cast of somebody.
fn place(kind: Kind) -> u8 {
    match kind {
        Kind::Bool => 0,
        Kind::Unsigned => 1,
        Kind::Signed => 2,
        Kind::Float => 3,
        Kind::Complex => 4,
    }
}

/// Whether NumPy brings an operand to a dtype that is named: one of its kind, also a narrower one, or of a later kind.
pub(in crate::check::infer) fn follows(operand: &Operand, dtype: DType) -> bool {
    match operand.constant() {
        Some(Const::Int(_)) => dtype.kind() != Kind::Bool,
        Some(Const::Float(_) | Const::Complex(..)) | None => place(operand.elem.kind()) <= place(dtype.kind()),
    }
}

impl Ctx<'_> {
    /// A call whose operands become one dtype first, which is that of the result too.
    pub(in crate::check) fn call_computed_in(
        &mut self,
        op: &'static Op,
        given: Vec<GivenValue>,
        (stated, stated_at): (Value, Span),
        span: Span,
        at: Span,
    ) -> Value {
        let is_wrong = |given: &(Value, Span)| matches!(given.0, Value::Error);
        if matches!(stated, Value::Error) || given.iter().flatten().any(is_wrong) {
            return Value::Error;
        }
        if matches!(stated, Value::None) {
            return self.call_builtin(op, given, span, at);
        }
        let Some(dtype) = self.dtype_of(&stated, stated_at) else { return Value::Error };
        // The operands of a question keep their dtypes, and `bool` is that of the answer.
        if op.class.is_question() {
            if dtype == DType::Bool {
                return self.call_builtin(op, given, span, at);
            }
            return self.error(report::computed_in_another(op, Elem::Strong(DType::Bool), dtype, stated_at));
        }
        let mut brought: Vec<GivenValue> = Vec::with_capacity(given.len());
        for (value, value_span) in given.into_iter().flatten() {
            let Some(operand) = self.operand(value.clone(), value_span) else { return Value::Error };
            if !follows(&operand, dtype) {
                let text = self.text(value_span).to_owned();
                return self.error(report::not_computed_in(op, &operand, &text, dtype));
            }
            let value = if operand.elem == Elem::Strong(dtype) {
                value
            } else {
                self.cast(value, value_span, dtype, value_span)
            };
            brought.push(Some((value, value_span)));
        }
        let value = self.call_builtin(op, brought, span, at);
        if let Value::Computed(NodeValue { elem, .. }) = &value
            && *elem != Elem::Strong(dtype)
        {
            return self.error(report::computed_in_another(op, *elem, dtype, stated_at));
        }
        value
    }
}
