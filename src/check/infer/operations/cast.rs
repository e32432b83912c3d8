//! `f32(x)`, `saturate(x, u8)`: the conversions that somebody wrote.

use crate::array::Array;
use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::facts::{Subject, WrappingPlace};
use crate::check::infer::values::operand::OperandForm;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::constant::{self, Const, Misfit};
use crate::ir::NodeKind;
use crate::ops::{Cast, Op};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Kind};
use num_bigint::BigInt;

impl Ctx<'_> {
    /// A cast whose dtype is an argument.
    pub(in crate::check) fn cast_to_given(
        &mut self,
        op: &'static Op,
        cast: Cast,
        given: Vec<GivenValue>,
        span: Span,
    ) -> Value {
        let mut given = given.into_iter().flatten();
        let (Some((value, value_span)), Some((dtype, at))) = (given.next(), given.next()) else { return Value::Error };
        let Some(dtype) = self.dtype_of(&dtype, at) else { return Value::Error };
        let Cast::Own { refuses, expand } = cast else { return self.cast(value, value_span, dtype, span) };
        let Some(operand) = self.operand(value, value_span) else { return Value::Error };
        if let Some(why) = refuses(self.settings.harden(operand.elem), dtype) {
            return self.error(report::no_cast(op, &operand, dtype, why, span));
        }
        let Some(node) = self.node(&operand) else { return Value::Error };
        let made = expand(&mut self.graph.expand(), node, dtype);
        // The bits themselves are what is wanted, also where something wrapped.
        if matches!(self.graph.builder.program().node(made).kind, NodeKind::Map(Prim::Bitcast, _)) {
            let before = self.graph.len();
            self.found(Subject::Cast { from: node, to: made, operand, written: value_span, span, made: before });
        }
        self.computed_value(made, dtype.into(), span)
    }

    /// A value in another dtype, by the rules for casts. Constants must fit, but may be rounded and, on the way to
    /// an integer, lose their fraction: somebody wrote the cast.
    pub(in crate::check) fn cast(&mut self, value: Value, value_span: Span, dtype: DType, span: Span) -> Value {
        let Some(operand) = self.operand(value, value_span) else { return Value::Error };
        if operand.elem.kind() == Kind::Complex && !matches!(dtype.kind(), Kind::Complex | Kind::Bool) {
            return self.error(report::complex_to_real(&operand, dtype, span));
        }
        let scalar = |constant: &Const| {
            let fitted = cast_constant(constant, dtype);
            fitted.map_err(|misfit| Box::new(report::misfit(constant, misfit, dtype, &operand, None)))
        };
        let node = match &operand.form {
            OperandForm::Node(node, _) => {
                let made = self.graph.len();
                let cast = self.graph.expand().convert(*node, dtype);
                let (from, written) = (*node, value_span);
                self.found(Subject::Cast { from, to: cast, operand: operand.clone(), written, span, made });
                self.note_guard(WrappingPlace::Cast(from, cast), span);
                cast
            }
            OperandForm::Const(constant) => match scalar(constant) {
                Ok(scalar) => self.graph.builder.constant(scalar),
                Err(misfit) => return self.error(*misfit),
            },
            OperandForm::Literal(literal) => match literal.consts.iter().map(scalar).collect::<Result<Vec<_>, _>>() {
                Ok(scalars) => self.numbers(Array::from_scalars(dtype, &literal.shape, scalars), span),
                Err(misfit) => return self.error(*misfit),
            },
        };
        self.computed_value(node, dtype.into(), span)
    }
}

/// More than a `u64` and an `i64` hold, and less than an `i128` does.
const BEYOND_INTEGERS: f64 = 1e30;

/// A constant in a dtype that somebody wrote. On the way to an integer it loses its fraction.
fn cast_constant(constant: &Const, dtype: DType) -> Result<Scalar, Misfit> {
    let (re, im) = constant.parts();
    match (constant, dtype.kind()) {
        (Const::Int(value), Kind::Bool) => {
            let truth = !constant::is_zero(value);
            Ok(Scalar { dtype, bits: truth.into() })
        }
        (_, Kind::Bool) => Ok(Scalar { dtype, bits: (re != 0.0 || im != 0.0).into() }),
        (Const::Float(_), Kind::Unsigned | Kind::Signed) if re.is_finite() => {
            let whole = re.trunc();
            if whole.abs() >= BEYOND_INTEGERS {
                return Err(Misfit::Range);
            }
            Const::Int(BigInt::from(whole as i128)).fit(dtype)
        }
        _ => constant.fit(dtype),
    }
}
