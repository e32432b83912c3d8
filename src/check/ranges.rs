//! Ranges while checking: what inputs declare, and the findings that ranges prove.

use super::operands::{Operand, OperandForm};
use super::{Ctx, report};
use crate::diagnostic::Level;
use crate::diagnostic::codes::dtypes;
use crate::ir::{NodeId, NodeKind};
use crate::ops::Op;
use crate::promotion::Class;
use crate::range::{Interval, Range};
use crate::source::Span;
use crate::types::constant::Const;
use num_traits::ToPrimitive;
use std::collections::HashMap;

impl Ctx<'_, '_> {
    /// The values that a node can have.
    pub(super) fn interval(&mut self, node: NodeId) -> Interval {
        self.ranges.of(self.builder.program(), node).interval
    }

    /// The values of operands that are computed.
    fn intervals(&mut self, operands: &[Operand]) -> Vec<Option<Interval>> {
        let interval = |operand: &Operand| match operand.form {
            OperandForm::Node(node, _) => Some(self.interval(node)),
            _ => None,
        };
        operands.iter().map(interval).collect()
    }

    /// Takes an input's declared range as a fact: data outside of it is refused when it is bound.
    pub(super) fn declare_range(&mut self, node: NodeId, low: &Operand, high: &Operand) {
        let (Some(low), Some(high)) = (self.known_bound(low), self.known_bound(high)) else { return };
        let dtype = self.builder.dtype(node);
        let interval = match Interval::of_dtype(dtype) {
            Interval::Integer { low: least, high: most } => {
                let clamped = |value: f64| (value as i128).clamp(least, most);
                let low = low.0.map_or_else(|| clamped(low.1.ceil()), |low| low.clamp(least, most));
                let high = high.0.map_or_else(|| clamped(high.1.floor()), |high| high.clamp(least, most));
                Interval::Integer { low, high }
            }
            Interval::Float { .. } => {
                // The data is compared with the bounds as the input's dtype rounds them.
                let room = |value: f64| value.abs() * 2f64.powi(1 - dtype.row().value_bits as i32);
                let (low, high) = (low.1, high.1);
                let whole =
                    |value: f64| value == value.trunc() && value.abs() < 2f64.powi(dtype.row().value_bits as i32);
                Interval::Float {
                    low: if whole(low) { low } else { low - room(low) },
                    high: if whole(high) { high } else { high + room(high) },
                    nan: false,
                    whole: false,
                }
            }
            Interval::Complex => return,
        };
        let empty = matches!(interval, Interval::Integer { low, high } if low > high);
        if !empty {
            self.ranges.declare(node, Range::stated(interval));
        }
    }

    /// A bound that is known now: as an integer if it is one, and as a float.
    fn known_bound(&self, operand: &Operand) -> Option<(Option<i128>, f64)> {
        match &operand.form {
            OperandForm::Const(Const::Int(value)) => Some((value.to_i128(), crate::types::constant::to_f64(value))),
            OperandForm::Const(Const::Float(value)) => Some((None, value.value)),
            OperandForm::Node(node, _) => match Interval::of_scalar(self.builder.as_constant(*node)?) {
                Interval::Integer { low, .. } => Some((Some(low), low as f64)),
                Interval::Float { low, high, nan: false, .. } if low == high => Some((None, low)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Reports integer arithmetic that wraps: for every value, or for some where ranges are stated. Looks at the nodes
    /// that were added since there were `before` of them; answers whether one of them wraps.
    pub(super) fn overflow(
        &mut self,
        op: &'static Op,
        before: usize,
        operands: &[Operand],
        span: Span,
        at: Span,
    ) -> bool {
        let arithmetic = matches!(
            op.class,
            Class::Arithmetic
                | Class::Subtraction
                | Class::Power
                | Class::Magnitude
                | Class::Square
                | Class::FloorDivision
                | Class::Negation
        );
        let level = self.settings.level(&dtypes::INTEGER_OVERFLOW);
        if !arithmetic || level == Level::Allow {
            return false;
        }
        let added = before..self.builder.program().nodes.len();
        added.into_iter().any(|index| self.wraps(NodeId(index as u32), op.shown(), operands, span, at))
    }

    /// Reports a cast between integers that wraps.
    pub(super) fn cast_overflow(&mut self, node: NodeId, operand: &Operand, span: Span) {
        if self.settings.level(&dtypes::INTEGER_OVERFLOW) != Level::Allow {
            let name = self.builder.dtype(node).name();
            self.wraps(node, name, std::slice::from_ref(operand), span, span);
        }
    }

    fn wraps(&mut self, node: NodeId, shown: &str, operands: &[Operand], span: Span, at: Span) -> bool {
        let Some(exact) = self.ranges.unwrapped(self.builder.program(), node) else { return false };
        let dtype = self.builder.dtype(node);
        let (Interval::Integer { low, high }, Interval::Integer { low: least, high: most }) =
            (exact.interval, Interval::of_dtype(dtype))
        else {
            return false;
        };
        let always = low > most || high < least;
        let possible = high > most && exact.high_stated || low < least && exact.low_stated;
        if !always && !possible {
            return false;
        }
        let ranges = self.intervals(operands);
        let level = self.settings.level(&dtypes::INTEGER_OVERFLOW);
        let text = self.text(span).to_owned();
        let mut found = report::integer_overflow(level, &text, shown, exact.interval, dtype, operands, &ranges, at);
        match always {
            true => {
                found.level = self.level(&dtypes::INTEGER_OVERFLOW, at);
                self.sink.push(found);
            }
            false => self.possible.push((node, found)),
        }
        true
    }

    /// Reports what can wrap, but for what only selections use that do not take it where it does:
    /// `where(x < 100, u8(x), 99)`.
    pub(super) fn possible_overflows(&mut self) {
        let possible = std::mem::take(&mut self.possible);
        if possible.is_empty() {
            return;
        }
        let program = self.builder.program();
        // How many use a node, and how many of them are such selections.
        let mut uses: HashMap<NodeId, (usize, usize)> = possible.iter().map(|(node, _)| (*node, (0, 0))).collect();
        for output in &program.outputs {
            uses.entry(output.node).and_modify(|(all, _)| *all += 1);
        }
        for (index, user) in program.nodes.iter().enumerate() {
            for arg in user.operands() {
                if let Some((all, guarded)) = uses.get_mut(&arg) {
                    *all += 1;
                    *guarded += usize::from(self.ranges.fits_where_taken(program, NodeId(index as u32), arg));
                }
            }
        }
        for (node, mut found) in possible {
            let (all, guarded) = uses[&node];
            if all == 0 || guarded < all {
                found.level = self.level(found.code, found.span().unwrap_or_default());
                self.sink.push(found);
            }
        }
    }

    /// Does something whose findings are nobody's business; errors are reported.
    pub(super) fn quietly<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::take(self.sink);
        let result = f(self);
        let found = std::mem::replace(self.sink, before);
        found.iter().filter(|diagnostic| diagnostic.is_error()).for_each(|error| self.sink.push(error.clone()));
        result
    }

    /// Reports a comparison of integers that ranges decide.
    pub(super) fn decided(&mut self, op: &'static Op, node: NodeId, operands: &[Operand], span: Span) {
        let allowed = self.settings.level(&dtypes::CONSTANT_COMPARISON) == Level::Allow;
        let known = operands.iter().all(|operand| match operand.form {
            OperandForm::Node(node, _) => self.builder.as_constant(node).is_some(),
            _ => true,
        });
        if known || allowed || !matches!(self.builder.program().node(node).kind, NodeKind::Map(..)) {
            return;
        }
        let Some(truth) = self.interval(node).single() else { return };
        let ranges = self.intervals(operands);
        let level = self.level(&dtypes::CONSTANT_COMPARISON, span);
        self.sink.push(report::decided_comparison(level, op, truth != 0, operands, &ranges, span));
    }
}
