//! Arguments of builtins: each is what the role of its parameter says.

use super::operands::Operand;
use super::value::Value;
use super::{Ctx, report};
use crate::ops::{Form, Op, Param, Reduce, Role};
use crate::source::Span;
use crate::types::constant::Const;
use crate::types::{DType, Dim, Elem, Shape};
use num_traits::ToPrimitive;

/// The value given for a parameter, with its place.
pub(super) type Given = Option<(Value, Span)>;

impl Ctx<'_, '_> {
    pub(super) fn call_builtin(&mut self, op: &'static Op, given: Vec<Given>, span: Span, at: Span) -> Value {
        if given.iter().flatten().any(|(value, _)| matches!(value, Value::Error)) {
            return Value::Error;
        }
        match op.form {
            Form::Make(make) => self.make(make, given, span),
            Form::Fold(_) => self.call_reduction(op, given, span, at),
            Form::Cast(cast) => self.cast_to_given(op, cast, given, span),
            Form::Map(_) | Form::Tuned(_) | Form::Compare(_) | Form::Scaled(_) => {
                let (mut conditions, mut operands, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
                for (param, given) in op.params.iter().zip(given) {
                    if param.role == Role::Number {
                        let Some(number) = self.number_given(param, given) else { return Value::Error };
                        numbers.push(number);
                        continue;
                    }
                    let Some((value, value_span)) = given else { continue };
                    let Some(operand) = self.operand(value, value_span) else { return Value::Error };
                    match param.role {
                        Role::Condition if operand.elem == Elem::Strong(DType::Bool) => conditions.push(operand),
                        Role::Condition => {
                            let text = self.text(operand.span).to_owned();
                            return self.error(report::condition_not_bool(op, &operand, &text));
                        }
                        _ => operands.push(operand),
                    }
                }
                self.apply(op, conditions, operands, &numbers, span, at)
            }
        }
    }

    fn call_reduction(&mut self, op: &'static Op, given: Vec<Given>, span: Span, at: Span) -> Value {
        let (mut operand, mut axes, mut keep) = (None, None, false);
        for (param, given) in op.params.iter().zip(given) {
            let Some((value, value_span)) = given else { continue };
            match param.role {
                Role::Axes => match self.axes_given(value, value_span) {
                    Some(list) => axes = list.map(|list| (list, value_span)),
                    None => return Value::Error,
                },
                Role::Flag => match self.flag(param, value, value_span) {
                    Some(flag) => keep = flag,
                    None => return Value::Error,
                },
                _ => match self.operand(value, value_span) {
                    Some(found) => operand = Some(found),
                    None => return Value::Error,
                },
            }
        }
        let Some(operand) = operand else { return Value::Error };
        let rank = operand.shape.len();
        let axes = match axes {
            None => (0..rank).collect(),
            Some((list, axes_span)) => match self.resolve_axes(&operand, &list, axes_span) {
                Some(axes) => axes,
                None => return Value::Error,
            },
        };
        if let Some(&axis) = axes.iter().find(|&&axis| operand.shape[axis] == Dim::Const(0))
            && op.class == crate::promotion::Class::Reduction
        {
            return self.error(report::empty_reduction(op, axis, &operand, at));
        }
        self.reduce(op, &operand, &Reduce { axes, keep }, span, at)
    }

    /// `axis=None`, `axis=-1`, `axis=(0, 1)`.
    #[allow(clippy::option_option, reason = "None for an error that was reported, Some(None) for all axes")]
    fn axes_given(&mut self, value: Value, span: Span) -> Option<Option<Vec<i64>>> {
        match value {
            Value::None => Some(None),
            Value::Tuple(items) => {
                let mut axes = Vec::with_capacity(items.len());
                for item in items.iter() {
                    axes.push(self.whole(item, span, "an axis")?);
                }
                Some(Some(axes))
            }
            other => Some(Some(vec![self.whole(&other, span, "an axis")?])),
        }
    }

    fn resolve_axes(&mut self, operand: &Operand, list: &[i64], span: Span) -> Option<Vec<usize>> {
        let rank = operand.shape.len() as i64;
        let mut axes = Vec::with_capacity(list.len());
        for &axis in list {
            let from_start = if axis < 0 { axis + rank } else { axis };
            if !(0..rank).contains(&from_start) {
                self.error(report::axis_out_of_range(axis, operand, span));
                return None;
            }
            axes.push(from_start as usize);
        }
        axes.sort_unstable();
        if axes.windows(2).any(|pair| pair[0] == pair[1]) {
            self.error(report::axis_twice(operand, span));
            return None;
        }
        Some(axes)
    }

    fn flag(&mut self, param: &Param, value: Value, span: Span) -> Option<bool> {
        if let Value::Computed(computed) = &value
            && computed.elem == Elem::Strong(DType::Bool)
            && let Some(scalar) = self.builder.as_constant(computed.node)
        {
            return Some(scalar.bits != 0);
        }
        self.error(report::not_a_flag(param.name, span));
        None
    }

    /// A real number that is known now: the argument, or the default as the row writes it.
    fn number_given(&mut self, param: &Param, given: Given) -> Option<f64> {
        let Some((value, span)) = given else {
            let default = param.default.and_then(|text| text.parse().ok());
            return Some(default.expect("arguments without a default are required"));
        };
        let found = match &value {
            Value::Const(Const::Complex(..)) => None,
            Value::Const(value) => Some(value.parts().0),
            Value::Computed(computed) => self
                .builder
                .as_constant(computed.node)
                .filter(|scalar| !scalar.dtype.is_complex())
                .map(|scalar| crate::scalar::eval::eval(crate::scalar::prim::Prim::Convert, DType::F64, &[scalar]))
                .map(|scalar| f64::from_bits(scalar.bits as u64)),
            _ => None,
        };
        if found.is_none() {
            self.error(report::not_a_known_number(param.name, span));
        }
        found
    }

    /// A whole number that is known now.
    pub(super) fn whole(&mut self, value: &Value, span: Span, what: &str) -> Option<i64> {
        let found = match value {
            Value::Const(Const::Int(value)) => value.to_i64(),
            Value::Dim(Dim::Const(size)) => i64::try_from(*size).ok(),
            Value::Computed(computed) => self
                .builder
                .as_constant(computed.node)
                .filter(|scalar| scalar.dtype.is_integer())
                .map(|scalar| crate::scalar::eval::eval(crate::scalar::prim::Prim::Convert, DType::I64, &[scalar]))
                .map(|scalar| scalar.bits as u64 as i64),
            Value::Error => return None,
            _ => None,
        };
        if found.is_none() {
            self.error(report::not_a_whole_number(what, span));
        }
        found
    }

    /// A size, or a tuple of sizes.
    pub(super) fn shape_given(&mut self, value: Value, span: Span) -> Option<Shape> {
        let items: Vec<Value> = match value {
            Value::Tuple(items) => items.to_vec(),
            single => vec![single],
        };
        let mut shape = Shape::new();
        for item in items {
            match item {
                Value::Dim(dim) => shape.push(dim),
                other => {
                    let size = self.whole(&other, span, "a size")?;
                    match u64::try_from(size) {
                        Ok(size) => shape.push(Dim::Const(size)),
                        Err(_) => {
                            self.error(report::negative_size(size, span));
                            return None;
                        }
                    }
                }
            }
        }
        Some(shape)
    }
}
