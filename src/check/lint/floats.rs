//! Pedantic findings about floats: equality, an f64 among narrower ones, means of integers.

use super::super::operands::{Operand, OperandForm};
use super::super::{Ctx, report};
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::ops::Op;
use crate::promotion::{Class, Decision};
use crate::range::Interval;
use crate::source::Span;
use crate::syntax::ast::StmtKind;
use crate::types::{DType, Elem, Kind};

impl Ctx<'_, '_> {
    /// Reports floats compared for equality, but for exact questions: is it 0, infinite, itself, a whole number?
    pub(in crate::check) fn float_equality(&mut self, op: &'static Op, operands: &[Operand], at: Span) {
        let fractional = |operand: &Operand| matches!(operand.elem.kind(), Kind::Float | Kind::Complex);
        if op.class != Class::Equality
            || self.settings.level(&lints::FLOAT_EQUALITY) == Level::Allow
            || !operands.iter().any(fractional)
        {
            return;
        }
        let node = |operand: &Operand| match operand.form {
            OperandForm::Node(node, _) => Some(node),
            _ => None,
        };
        let same = operands.len() == 2 && node(&operands[0]).is_some() && node(&operands[0]) == node(&operands[1]);
        if same || operands.iter().any(|operand| self.is_exact_question(operand)) {
            return;
        }
        let level = self.level(&lints::FLOAT_EQUALITY, at);
        let texts: Vec<String> = operands.iter().map(|operand| self.text(operand.span).to_owned()).collect();
        self.sink.push(report::float_equality(level, op, operands, &texts, at));
    }

    fn is_exact_question(&mut self, operand: &Operand) -> bool {
        match &operand.form {
            OperandForm::Const(value) => {
                let (re, im) = value.parts();
                im == 0.0 && (re == 0.0 || re.is_infinite())
            }
            OperandForm::Literal(_) => false,
            OperandForm::Node(node, _) => match self.interval(*node) {
                Interval::Integer { .. } => true,
                Interval::Float { low, high, whole, .. } => whole && low.is_finite() && high.is_finite(),
                Interval::Complex => false,
            },
        }
    }

    /// Keeps the first place where an f64 is made of narrower operands.
    pub(in crate::check) fn f64_made(&mut self, operands: &[Operand], decision: Decision, at: Span) {
        let wide = |dtype: DType| matches!(dtype, DType::F64 | DType::C128);
        let result = self.settings.harden(decision.result);
        if self.first_f64.is_none()
            && wide(result)
            && !decision.weak
            && !self.calls.trial
            && !operands.iter().any(|operand| operand.elem.strong().is_some_and(wide))
        {
            self.first_f64 = Some((at, result));
        }
    }

    /// Reports that place if all floats that come in are narrower, and there are some.
    pub(super) fn report_first_f64(&mut self) {
        let Some((at, dtype)) = self.first_f64 else { return };
        if self.settings.level(&lints::F64_APPEARS) == Level::Allow {
            return;
        }
        let inputs = self.request.script.stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Input { ty, .. } => Some((ty.dtype.text.parse::<DType>().ok(), ty.span)),
            _ => None,
        });
        let (mut first, mut wide) = (None, false);
        for (dtype, span) in inputs {
            wide |= matches!(dtype, None | Some(DType::F64 | DType::C128));
            let float = dtype.filter(|dtype| matches!(dtype.kind(), Kind::Float | Kind::Complex));
            first = first.or(float.map(|dtype| (dtype, span)));
        }
        if let (Some(first), false) = (first, wide) {
            let level = self.level(&lints::F64_APPEARS, at);
            self.sink.push(report::f64_appears(level, dtype, first, at));
        }
    }

    /// Reports a mean of integers.
    pub(in crate::check) fn float_mean_of_int(
        &mut self,
        op: &'static Op,
        operand: &Operand,
        decision: Decision,
        at: Span,
    ) {
        let Elem::Strong(from) = operand.elem else { return };
        let averages = matches!(op.class, Class::Mean | Class::Variance);
        if !averages || !from.is_integer() || self.settings.level(&lints::FLOAT_MEAN_OF_INT) == Level::Allow {
            return;
        }
        let level = self.level(&lints::FLOAT_MEAN_OF_INT, at);
        let to = self.settings.harden(decision.result);
        let text = self.text(operand.span).to_owned();
        self.sink.push(report::float_mean_of_int(level, op, operand, from, to, &text, at));
    }
}
