//! Operands of an operation: any value that is an array, seen the same way.

use super::Ctx;
use super::value::{Computed, Literal, Value};
use crate::ir::NodeId;
use crate::promotion::{self, Rank};
use crate::source::Span;
use crate::types::constant::Const;
use crate::types::{DType, Dim, Elem, Shape};
use std::sync::Arc;

/// What an array literal is called among a program's inputs; no input can have this name.
pub(in crate::check) const LITERAL: &str = "[literal]";

/// An operand with its place.
#[derive(Clone, Debug)]
pub(in crate::check) struct Operand {
    pub(in crate::check) form: OperandForm,
    pub(in crate::check) elem: Elem,
    pub(in crate::check) shape: Shape,
    /// The characters of the operand.
    pub(in crate::check) span: Span,
    /// Where its dtype was decided.
    pub(in crate::check) origin: Span,
}

/// How the operand's values are known.
#[derive(Clone, Debug)]
pub(in crate::check) enum OperandForm {
    /// One exact value.
    Const(Const),
    /// Exact values.
    Literal(Arc<Literal>),
    /// A node.
    Node(NodeId, Option<Arc<[Const]>>),
}

impl Operand {
    pub(in crate::check) fn constant(&self) -> Option<&Const> {
        match &self.form {
            OperandForm::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Whether its values are exact: a constant or an array literal.
    pub(in crate::check) fn is_exact(&self) -> bool {
        !matches!(self.form, OperandForm::Node(..))
    }

    /// The operand as a system sees it.
    pub(in crate::check) fn asked(&self) -> promotion::Operand<'_> {
        promotion::Operand {
            elem: self.elem,
            rank: if self.shape.is_empty() { Rank::Zero } else { Rank::NonZero },
            constant: self.is_exact() || self.is_open(),
            value: self.constant(),
        }
    }

    /// Whether it is a size that is not known yet, or made of such sizes and literals: with data bound it is a constant.
    pub(in crate::check) fn is_open(&self) -> bool {
        let OperandForm::Node(_, Some(values)) = &self.form else { return false };
        self.elem.is_weak() && values.is_empty()
    }

    /// `f32[3]`, `i*`
    pub(in crate::check) fn describe(&self) -> String {
        format!("{}{}", self.elem, crate::types::shape::show(&self.shape))
    }
}

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
            Value::Computed(Computed { node, elem, origin, arms }) => {
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
                let node = crate::ops::expand::Expand(&mut self.graph.builder).dim(&dim);
                let node = self.graph.builder.convert(node, self.settings.harden(Elem::WeakInt));
                // It will be a constant, which then must fit: no values are known to be wrong.
                (OperandForm::Node(node, Some(Arc::new([]))), Elem::WeakInt, Shape::new(), span)
            }
            other => {
                self.error(crate::check::report::not_an_array(&other, span));
                return None;
            }
        };
        Some(Operand { form, elem, shape, span, origin })
    }

    /// An operand as a node, at its default width when it is weak.
    pub(in crate::check) fn node(&mut self, operand: &Operand) -> Option<NodeId> {
        let dtype = self.settings.harden(operand.elem);
        match &operand.form {
            OperandForm::Node(node, _) => Some(*node),
            _ => self.exact(operand, dtype, None),
        }
    }

    /// Exact values in a dtype that each must fit; `meets` is the operand that decided the dtype.
    pub(in crate::check) fn exact(
        &mut self,
        operand: &Operand,
        dtype: DType,
        meets: Option<&Operand>,
    ) -> Option<NodeId> {
        match &operand.form {
            OperandForm::Const(value) => match value.fit(dtype) {
                Ok(scalar) => {
                    self.lossy_literal(value, scalar, operand, dtype);
                    Some(self.graph.builder.constant(scalar))
                }
                Err(misfit) => {
                    self.error(crate::check::report::misfit(value, misfit, dtype, operand, meets));
                    None
                }
            },
            OperandForm::Literal(literal) => {
                let mut scalars = Vec::with_capacity(literal.consts.len());
                for value in &literal.consts {
                    match value.fit(dtype) {
                        Ok(scalar) => scalars.push(scalar),
                        Err(misfit) => {
                            self.error(crate::check::report::misfit(value, misfit, dtype, operand, meets));
                            return None;
                        }
                    }
                }
                let array = crate::array::Array::from_scalars(dtype, &literal.shape, scalars);
                Some(self.array(array, operand.span))
            }
            OperandForm::Node(node, _) => Some(*node),
        }
    }

    /// An array that is known now, as a node.
    pub(in crate::check) fn array(&mut self, array: crate::array::Array, span: Span) -> NodeId {
        if array.shape().is_empty() {
            return self.graph.builder.constant(array.get(0));
        }
        let shape = array.shape().iter().map(|&size| Dim::Const(size as u64)).collect();
        let node = self.graph.builder.input(LITERAL, span, array.dtype(), shape);
        self.graph.builder.bind(node, array);
        node
    }

    /// Warns when an integer literal is rounded by the float dtype that it meets, or a float literal is subnormal there
    /// and not in `f64`.
    fn lossy_literal(&mut self, value: &Const, scalar: crate::scalar::Scalar, operand: &Operand, dtype: DType) {
        if !dtype.is_float() {
            return;
        }
        let Const::Int(_) = value else {
            let row = dtype.row();
            let smallest_normal = 2f64.powi(row.min_exponent + row.value_bits as i32 - 1);
            let (magnitude, _) = value.parts();
            if magnitude != 0.0 && magnitude.abs() < smallest_normal && dtype != DType::F64 {
                let level = self.level(&crate::diagnostic::codes::dtypes::LOSSY_LITERAL, operand.span);
                let becomes = crate::array::show::scalar_text(scalar);
                self.findings.push(crate::check::report::subnormal_literal(
                    level,
                    value,
                    &becomes,
                    dtype,
                    operand.span,
                ));
            }
            return;
        };
        if !super::costs::rounds(value, scalar) {
            return;
        }
        let level = self.level(&crate::diagnostic::codes::dtypes::LOSSY_LITERAL, operand.span);
        let becomes = crate::array::show::scalar_text(scalar);
        self.findings.push(crate::check::report::lossy_literal(level, value, &becomes, dtype, operand.span));
    }
}
