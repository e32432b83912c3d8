//! Values as operands, which become nodes.

use super::operand::{Operand, OperandForm, rounds};
use super::value::{NodeValue, Value};
use crate::check::infer::Ctx;
use crate::check::infer::found::facts::Subject;
use crate::check::report;
use crate::constant::{Const, Misfit};
use crate::ir::NodeId;
use crate::promotion::join::Scalars;
use crate::range::{Interval, Range, data};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::source::Span;
use crate::types::{DType, Dim, Elem, Shape};
use std::sync::Arc;

impl Ctx<'_> {
    /// A value as an operand; reports what is none. `None` for errors.
    pub(in crate::check) fn operand(&mut self, value: Value, span: Span) -> Option<Operand> {
        let (form, elem, shape, origin) = match value {
            Value::Const(value) => (OperandForm::Const(value.clone()), value.elem(), Shape::new(), span),
            Value::Literal(literal) => {
                let shape = literal.shape.iter().map(|&size| Dim::Const(size as u64)).collect();
                let elem = literal.elem;
                (OperandForm::Literal(literal), elem, shape, span)
            }
            Value::Computed(NodeValue { node, elem, origin, arms }) => {
                let shape = self.graph.builder.shape(node).clone();
                (OperandForm::Node(node, arms), elem, shape, origin)
            }
            Value::Dim(Dim::Const(size)) => {
                let value = Const::Int(size.into());
                (OperandForm::Const(value), Elem::WeakInt, Shape::new(), span)
            }
            Value::Error => return None,
            Value::Absent(_) => {
                self.present(value, span);
                return None;
            }
            Value::Dim(dim) => {
                let node = self.length_node(&dim);
                let node = self.graph.builder.convert(node, self.settings.harden(Elem::WeakInt));
                // It will be a constant, which then must fit: no values are known to be wrong.
                (OperandForm::Node(node, Some(Arc::new([]))), Elem::WeakInt, Shape::new(), span)
            }
            other @ (Value::Tuple(_)
            | Value::DType(_)
            | Value::None
            | Value::Str(_)
            | Value::Builtin(_)
            | Value::Function(_)) => {
                self.error(report::not_an_array(&other, span));
                return None;
            }
        };
        Some(Operand { form, elem, shape, span, origin })
    }

    /// A size as an `i64`. What is counted may be less than what is taken away: `-y.size`.
    pub(in crate::check) fn length_node(&mut self, dim: &Dim) -> NodeId {
        match dim {
            Dim::Affine(form) if self.is_counted(dim) && !form.is_never_negative() => self.size_node(form),
            Dim::Affine(_) | Dim::Const(_) => self.graph.expand().dim(dim),
        }
    }

    /// An operand as a node, at its default width when it is weak.
    pub(in crate::check) fn node(&mut self, operand: &Operand) -> Option<NodeId> {
        let dtype = self.settings.harden(operand.elem);
        match &operand.form {
            OperandForm::Node(node, _) => Some(*node),
            OperandForm::Const(_) | OperandForm::Literal(_) => self.exact(operand, dtype, None),
        }
    }

    /// Reports an exact value that does not fit a dtype. What is stored in a variable meets it alone.
    fn misfits(&mut self, (value, misfit): (&Const, Misfit), dtype: DType, operand: &Operand, meets: Option<&Operand>) {
        let found = report::misfit(value, misfit, dtype, operand, meets);
        let variable = meets.filter(|meets| meets.span.source == operand.span.source);
        let is_stored = variable.filter(|it| it.span.end <= operand.span.start).is_some_and(|it| {
            let between = self.text(Span { start: it.span.end, end: operand.span.start, ..it.span }).trim();
            between.strip_suffix('=').is_some_and(|sign| sign.chars().all(|c| "+-*/%&|^".contains(c)))
        });
        self.error(if is_stored { report::of_a_variable(found) } else { found });
    }

    /// An exact value in a dtype. Where values choose the dtypes, a value that is too small for its dtype becomes 0.
    fn fitted(&self, value: &Const, dtype: DType) -> Result<Scalar, Misfit> {
        let is_chosen = self.settings.system.weak.scalars == Scalars::ByValue;
        value.fit(dtype).or_else(|misfit| match is_chosen && misfit == Misfit::Underflow {
            true => Ok(value.round_to(dtype)),
            false => Err(misfit),
        })
    }

    /// Exact values in a dtype that each must fit; `meets` is the operand that decided the dtype.
    pub(in crate::check) fn exact(
        &mut self,
        operand: &Operand,
        dtype: DType,
        meets: Option<&Operand>,
    ) -> Option<NodeId> {
        match &operand.form {
            OperandForm::Const(value) => match self.fitted(value, dtype) {
                Ok(scalar) => {
                    self.lossy_literal(value, scalar, operand.span);
                    Some(self.graph.builder.constant(scalar))
                }
                Err(misfit) => {
                    self.misfits((value, misfit), dtype, operand, meets);
                    None
                }
            },
            OperandForm::Literal(literal) => {
                let mut scalars = Vec::with_capacity(literal.consts.len());
                let mut lossy = false;
                for value in &literal.consts {
                    match self.fitted(value, dtype) {
                        Ok(scalar) => {
                            // One of a list is enough.
                            lossy = lossy || self.lossy_literal(value, scalar, operand.span);
                            scalars.push(scalar);
                        }
                        Err(misfit) => {
                            self.misfits((value, misfit), dtype, operand, meets);
                            return None;
                        }
                    }
                }
                let array = crate::array::Array::from_scalars(dtype, &literal.shape, scalars);
                Some(self.numbers(array, operand.span))
            }
            OperandForm::Node(node, _) => Some(*node),
        }
    }

    /// An array that is known now, as a node.
    pub(in crate::check) fn array(&mut self, array: crate::array::Array, span: Span) -> NodeId {
        if array.shape().is_empty() {
            return self.graph.builder.constant(array.get(0));
        }
        self.graph.builder.literal(span, array)
    }

    /// The numbers of a list in a dtype that they did not have in the text: the text states their range.
    pub(in crate::check::infer) fn numbers(&mut self, array: crate::array::Array, span: Span) -> NodeId {
        let (dtype, values) = (array.dtype(), data::values(&array));
        let node = self.array(array, span);
        if let Some(values) = values
            && self.interval(node) == Interval::of_dtype(dtype)
        {
            self.graph.ranges.declare(node, Range::stated(values));
        }
        node
    }

    /// Says where an integer literal is rounded by the float dtype that it meets, or a float literal is subnormal or
    /// infinite there and not in `f64`. Returns whether it is.
    pub(in crate::check::infer) fn lossy_literal(&mut self, value: &Const, becomes: Scalar, span: Span) -> bool {
        let dtype = becomes.dtype.part();
        let is_complex = becomes.dtype.is_complex();
        let becomes = if is_complex { eval::eval(Prim::Real, dtype, &[becomes]) } else { becomes };
        let lossy = match value {
            Const::Int(_) => rounds(value, becomes),
            Const::Float(_) | Const::Complex(..) => {
                let magnitude = value.parts().0.abs();
                let is_small = magnitude != 0.0 && magnitude < dtype.smallest_normal();
                let is_large = magnitude.is_finite() && !becomes.to_f64().is_finite();
                (is_small || is_large) && dtype != DType::F64
            }
        };
        if dtype.is_float() && lossy {
            self.found(Subject::Rounded { value: value.clone(), becomes, span });
        }
        dtype.is_float() && lossy
    }
}
