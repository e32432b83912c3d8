//! An operand: any value that is an array, seen the same way.

use super::value::Literal;
use crate::constant::Const;
use crate::ir::NodeId;
use crate::promotion::{self, Rank};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::source::Span;
use crate::types::{DType, Elem, Shape};
use num_bigint::BigInt;
use num_traits::FromPrimitive;
use std::sync::Arc;

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
            OperandForm::Literal(_) | OperandForm::Node(..) => None,
        }
    }

    /// The node that has its values, if one has.
    pub(in crate::check) fn in_node(&self) -> Option<NodeId> {
        if let OperandForm::Node(node, _) = self.form { Some(node) } else { None }
    }

    /// Whether its values are exact: a constant or an array literal.
    pub(in crate::check) fn is_exact(&self) -> bool {
        !matches!(self.form, OperandForm::Node(..))
    }

    /// Whether it is an integer with a dtype, or a constant float that was computed of such integers.
    pub(in crate::check) fn is_stored(&self) -> bool {
        match &self.form {
            OperandForm::Const(value) => value.is_stored(),
            OperandForm::Literal(_) => false,
            OperandForm::Node(..) => self.elem.strong().is_some_and(DType::is_integer),
        }
    }

    /// The operand as a system sees it.
    pub(in crate::check) fn as_promotion_operand(&self) -> promotion::Operand<'_> {
        promotion::Operand {
            elem: self.elem,
            rank: if self.shape.is_empty() { Rank::Zero } else { Rank::NonZero },
            constant: self.is_exact() || self.is_open(),
            value: self.constant(),
        }
    }

    /// Several of them.
    pub(in crate::check) fn all_asked<'o>(all: impl IntoIterator<Item = &'o Operand>) -> Vec<promotion::Operand<'o>> {
        all.into_iter().map(Operand::as_promotion_operand).collect()
    }

    /// Whether it is a size that is not known yet, or made of such sizes and literals: with data bound it is a
    /// constant.
    pub(in crate::check) fn is_open(&self) -> bool {
        let OperandForm::Node(_, Some(values)) = &self.form else { return false };
        self.elem.is_weak() && values.is_empty()
    }

    /// `f32[3]`, `i*`
    pub(in crate::check) fn describe(&self) -> String {
        format!("{}{}", self.elem, crate::types::shape::show(&self.shape))
    }
}

/// Whether an integer is not itself in the float that it becomes.
pub(in crate::check) fn rounds(value: &Const, scalar: Scalar) -> bool {
    let Const::Int(exact) = value else { return false };
    if !scalar.dtype.is_float() {
        return false;
    }
    let wide = eval::eval(Prim::Convert, DType::F64, &[scalar]);
    let back: Option<BigInt> = FromPrimitive::from_f64(f64::from_bits(wide.bits as u64));
    back.as_ref() != Some(exact)
}
