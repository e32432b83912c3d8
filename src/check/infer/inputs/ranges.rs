//! Ranges while inferring: what inputs declare.

use crate::check::infer::Ctx;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::constant::Const;
use crate::ir::NodeId;
use crate::range::{Interval, Range};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use num_traits::ToPrimitive;

impl Ctx<'_> {
    /// The values that a node can have.
    pub(in crate::check) fn interval(&mut self, node: NodeId) -> Interval {
        self.graph.interval(node)
    }

    /// Takes an input's declared range as a fact: data outside of it is refused when it is bound. It is `None` where no
    /// value lies in the range.
    pub(in crate::check) fn declare_range(&mut self, node: NodeId, low: &Operand, high: &Operand) -> Option<()> {
        let (Some(low), Some(high)) = (self.known_bound(low), self.known_bound(high)) else { return Some(()) };
        let dtype = self.graph.builder.dtype(node);
        let interval = match Interval::of_dtype(dtype) {
            Interval::Integer { low: least, high: most } => {
                let low = low.0.unwrap_or_else(|| low.1.ceil() as i128).max(least);
                let high = high.0.unwrap_or_else(|| high.1.floor() as i128).min(most);
                (low <= high).then_some(Interval::Integer { low, high })?
            }
            Interval::Float { .. } => {
                // The data is compared with the bounds as the input's dtype rounds them.
                let room = |value: f64| value.abs() * 2f64.powi(1 - dtype.row().value_bits as i32);
                let (low, high) = (low.1, high.1);
                let is_kept = |value: f64| eval::eval(Prim::Convert, dtype, &[Scalar::of(value)]).to_f64() == value;
                (low <= high).then_some(Interval::Float {
                    low: if is_kept(low) { low } else { low - room(low) },
                    high: if is_kept(high) { high } else { high + room(high) },
                    nan: false,
                    whole: false,
                })?
            }
            Interval::Complex => return Some(()),
        };
        self.graph.ranges.declare(node, Range::stated(interval));
        Some(())
    }

    /// A bound that is known now: as an integer if it is one, and as a float.
    fn known_bound(&self, operand: &Operand) -> Option<(Option<i128>, f64)> {
        match &operand.form {
            OperandForm::Const(Const::Int(value)) => Some((value.to_i128(), crate::constant::to_f64(value))),
            OperandForm::Const(Const::Float(value)) => Some((None, value.value)),
            OperandForm::Node(node, _) => match Interval::of_scalar(self.graph.builder.as_constant(*node)?) {
                Interval::Integer { low, .. } => Some((Some(low), low as f64)),
                Interval::Float { low, high, nan: false, .. } if low == high => Some((None, low)),
                Interval::Float { .. } | Interval::Complex => None,
            },
            OperandForm::Const(_) | OperandForm::Literal(_) => None,
        }
    }

    /// Does something whose findings are nobody's business; errors are reported.
    pub(in crate::check) fn quietly<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.findings.hush();
        let result = f(self);
        self.findings.unhush();
        result
    }
}
