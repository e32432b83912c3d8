//! Operations of literals. Operators and attributes are Python's, which knows no dtypes: whatever the system, they give
//! literals, so that `x * 2**0.5` keeps the dtype of `x`. Functions of literals are what the system makes of them.

use super::apply::Application;
use crate::check::infer::Ctx;
use crate::check::infer::found::facts::Subject;
use crate::check::infer::values::literal;
use crate::check::infer::values::literal::ConstantFault;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::infer::values::value::{NodeValue, Value};
use crate::check::report;
use crate::constant::Const;
use crate::ops::Op;
use crate::promotion::systems::{self, System};
use crate::promotion::{self, Class, Operation, Rank};
use crate::source::Span;
use crate::types::{DType, Elem};

impl Ctx<'_> {
    /// An operator or an attribute.
    pub(in crate::check) fn apply_notation(
        &mut self,
        op: &'static Op,
        mut operands: Vec<Operand>,
        span: Span,
        at: Span,
    ) -> Value {
        self.count_truths(op, &mut operands);
        let (system, weak) = self.asked_by_notation(op, &operands);
        let asked = Application { system, op, called: op, span, at, weak, is_call: false };
        let value = self.apply_to(asked, &[], operands, &[]);
        let Value::Computed(it) = value else { return value };
        if !it.elem.is_weak() || self.follows(system) {
            return Value::Computed(it);
        }
        // What is no constant yet has a width, that of the program.
        let dtype = self.settings.harden(it.elem);
        let node = self.graph.expand().convert(it.node, dtype);
        Value::Computed(NodeValue { node, ..it })
    }

    /// Beside a number, `true` and `false` count as 1 and 0, as they do in Python.
    fn count_truths(&self, op: &'static Op, operands: &mut [Operand]) {
        use Class::{Arithmetic, Bitwise, Division, FloorDivision, Power, Shift, Subtraction};
        let counts = matches!(op.class, Arithmetic | Subtraction | Division | FloorDivision | Power | Bitwise | Shift);
        if !counts || !operands.iter().any(|it| it.constant().is_some()) {
            return;
        }
        let truths: Vec<Option<bool>> = operands.iter().map(|it| self.written_truth(it)).collect();
        if operands.iter().zip(&truths).any(|(it, truth)| it.constant().is_none() && truth.is_none()) {
            return;
        }
        for (operand, truth) in operands.iter_mut().zip(truths) {
            if let Some(truth) = truth {
                operand.form = OperandForm::Const(Const::Int(u8::from(truth).into()));
                operand.elem = Elem::WeakInt;
            }
        }
    }

    /// The truth of an operand that is `true` or `false`, or a name for one of them.
    fn written_truth(&self, operand: &Operand) -> Option<bool> {
        let OperandForm::Node(node, _) = &operand.form else { return None };
        let is_bool = operand.elem == Elem::Strong(DType::Bool) && operand.shape.is_empty();
        let is_written = is_bool && matches!(self.text(operand.origin), "true" | "false" | "True" | "False");
        let scalar = self.graph.builder.as_constant(*node).filter(|_| is_written)?;
        Some(scalar.bits != 0)
    }

    /// Who decides: between literals Python, which says whether the result is weak, else the system.
    fn asked_by_notation(&self, op: &'static Op, operands: &[Operand]) -> (&'static System, Option<bool>) {
        let literal = |it: promotion::Operand| it.constant && it.elem.is_weak() && it.rank == Rank::Zero;
        if !operands.iter().map(Operand::as_promotion_operand).all(literal) {
            return (self.settings.system, None);
        }
        let asked = Operand::all_asked(operands);
        let python = systems::literals();
        match promotion::result(python, op, &asked) {
            Ok(decision) => (python, Some(decision.weak)),
            Err(_) => (self.settings.system, None),
        }
    }

    /// Whether this is the system of the program. Operators between literals follow Python's instead.
    pub(in crate::check) fn follows(&self, system: &'static System) -> bool {
        std::ptr::eq(system, self.settings.system)
    }

    /// The exact value of an operation of literals. What a system makes strong is computed in its dtype instead.
    pub(in crate::check) fn exact_value(&mut self, asked: Application, operands: &[Operand]) -> Option<Value> {
        let Application { system, op, span, at, weak, .. } = asked;
        let operation = Operation { is_call: asked.is_call, ..op.into() };
        let constants: Vec<&Const> = operands.iter().map(Operand::constant).collect::<Option<_>>()?;
        let exact = literal::apply(op.exact?, &constants)?;
        let weak = || {
            weak.unwrap_or_else(|| {
                let asked = Operand::all_asked(operands);
                promotion::result(system, operation, &asked).is_ok_and(|decision| decision.weak)
            })
        };
        match exact {
            Ok(literal::Exact::Truth(truth)) => {
                let node =
                    self.graph.builder.constant(crate::scalar::Scalar { dtype: DType::Bool, bits: truth.into() });
                Some(self.computed_value(node, DType::Bool.into(), span))
            }
            Err(fault @ ConstantFault::ZeroDivision) => {
                Some(self.error(report::constant_fault(fault, op, operands, span, at)))
            }
            _ if !weak() => None,
            // A function may be given any numbers, so its results may overflow, as they do where its arguments are no
            // constants.
            Err(ConstantFault::LargeOperand(value)) if self.calls.inside() => {
                value.map(|value| Value::Const(Const::float(value)))
            }
            Ok(literal::Exact::Value(value)) => {
                if matches!(op.class, Class::Bitwise | Class::Shift) {
                    self.found(Subject::BitsOfConstants { op, operands: operands.to_vec(), at });
                }
                let is_stored = constants.iter().any(|constant| constant.is_stored());
                Some(Value::Const(if is_stored { value.as_stored() } else { value }))
            }
            Err(fault) => Some(self.error(report::constant_fault(fault, op, operands, span, at))),
        }
    }
}
