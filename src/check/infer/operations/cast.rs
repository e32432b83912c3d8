//! `f32(x)`, `saturate(x, u8)`: the conversions that somebody wrote.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::facts::{Subject, WrappingPlace};
use crate::check::infer::values::operand::OperandForm;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::constant::{Const, Misfit};
use crate::ir::NodeKind;
use crate::ops::expand::Expand;
use crate::ops::{Cast, Op};
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
        let made = expand(&mut Expand(&mut self.graph.builder), node, dtype);
        // The bits themselves are what is wanted, also where something wrapped.
        if matches!(self.graph.builder.program().node(made).kind, NodeKind::Map(Prim::Bitcast, _)) {
            let before = self.graph.len();
            self.found(Subject::Cast { from: node, to: made, operand, written: value_span, span, made: before });
        }
        self.computed(made, dtype.into(), span)
    }

    /// A value in another dtype, by the rules for casts. Constants must fit, but may be rounded and, on the way to
    /// an integer, lose their fraction: somebody wrote the cast.
    pub(in crate::check) fn cast(&mut self, value: Value, value_span: Span, dtype: DType, span: Span) -> Value {
        let Some(operand) = self.operand(value, value_span) else { return Value::Error };
        if operand.elem.kind() == Kind::Complex && !matches!(dtype.kind(), Kind::Complex | Kind::Bool) {
            return self.error(report::complex_to_real(&operand, dtype, span));
        }
        let node = match &operand.form {
            OperandForm::Node(node, _) => {
                let made = self.graph.len();
                let cast = Expand(&mut self.graph.builder).convert(*node, dtype);
                let (from, written) = (*node, value_span);
                self.found(Subject::Cast { from, to: cast, operand: operand.clone(), written, span, made });
                self.guarded(WrappingPlace::Cast(from, cast), span);
                cast
            }
            OperandForm::Const(constant) => match cast_constant(constant, dtype) {
                Ok(scalar) => self.graph.builder.constant(scalar),
                Err(misfit) => return self.error(report::misfit(constant, misfit, dtype, &operand, None)),
            },
            OperandForm::Literal(literal) => {
                let scalars: Result<Vec<_>, _> = literal
                    .consts
                    .iter()
                    .map(|constant| cast_constant(constant, dtype).map_err(|misfit| (constant.clone(), misfit)))
                    .collect();
                match scalars {
                    Ok(scalars) => {
                        let array = crate::array::Array::from_scalars(dtype, &literal.shape, scalars);
                        self.numbers(array, span)
                    }
                    Err((constant, misfit)) => {
                        return self.error(report::misfit(&constant, misfit, dtype, &operand, None));
                    }
                }
            }
        };
        self.computed(node, dtype.into(), span)
    }
}

fn cast_constant(constant: &Const, dtype: DType) -> Result<crate::scalar::Scalar, Misfit> {
    let (re, im) = constant.parts();
    match (constant, dtype.kind()) {
        (Const::Int(value), Kind::Bool) => {
            let truth = !crate::constant::is_zero(value);
            Ok(crate::scalar::Scalar { dtype, bits: truth.into() })
        }
        (_, Kind::Bool) => Ok(crate::scalar::Scalar { dtype, bits: (re != 0.0 || im != 0.0).into() }),
        (Const::Float(_), Kind::Unsigned | Kind::Signed) if re.is_finite() => {
            let whole = re.trunc();
            let exact = BigInt::from(whole as i128);
            if whole.abs() >= 1e30 { Err(Misfit::Range) } else { Const::Int(exact).fit(dtype) }
        }
        _ => constant.fit(dtype),
    }
}
