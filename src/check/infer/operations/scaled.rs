//! Powers or shifts by constants.

use super::apply::Application;
use crate::check::infer::Ctx;
use crate::check::infer::found::facts::{AppliedOp, Expansion, Subject};
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ops::expand::Expand;
use crate::ops::{ScaledOperation, power};
use crate::promotion::Operation;
use num_bigint::BigInt;

impl Ctx<'_> {
    /// A power or a shift by a constant, which need not fit the dtype of the first operand.
    pub(super) fn scale_by(
        &mut self,
        asked: Application,
        scaled: ScaledOperation,
        operands: Vec<Operand>,
        count: BigInt,
    ) -> Value {
        let Application { system, op, span, at, .. } = asked;
        let operation = Operation { is_call: asked.is_call, ..op.into() };
        let asked = Operand::all_asked(&operands);
        let Some(decision) = self.decide(system, operation, op.shown(), (&operands, &asked), at) else {
            return Value::Error;
        };
        if self.follows(system) && !self.costs(operation, op.shown(), &operands, decision, at) {
            return Value::Error;
        }
        let dtype = self.settings.harden(decision.compute);
        let Some(base) = self.bring(op.class, &operands[0], dtype, None) else { return Value::Error };
        let before = self.graph.builder.program().nodes.len();
        let node = if dtype.is_integer() {
            let node = self.graph.build_guarded(self.settings.checked, |builder| {
                power::by_constant(&mut Expand(builder), scaled, base, &count)
            });
            match node {
                Some(node) => node,
                None => {
                    let text = self.text(operands[0].span);
                    return self.error(report::negative_exponent(&operands[0], &operands[1], text, at));
                }
            }
        } else {
            let mut e = self.graph.expand();
            let base = e.convert(base, dtype.computed_in());
            let exponent = e.number(base, crate::constant::to_f64(&count));
            let node = power::power(&mut e, base, exponent);
            e.convert(node, dtype)
        };
        if matches!(scaled, ScaledOperation::ShiftLeft | ScaledOperation::ShiftRight) {
            let outside = count < BigInt::from(0) || count >= BigInt::from(dtype.bits());
            if outside {
                self.found(Subject::Shifted { op, operands: operands.clone(), dtype });
            }
        }
        let nodes = before..self.graph.builder.program().nodes.len();
        let arms = self.arms(op, &operands);
        let how = Expansion::Scaled(scaled, base, count);
        self.found(Subject::Applied(AppliedOp { op, operands, how, node, nodes, span, at }));
        self.may_wrap(before, op.shown(), at);
        self.made(node, decision, span, arms)
    }
}
