//! Words whose codes are taken for numbers.

use super::{Lint, Pass};
use crate::array::logical::Logical;
use crate::check::infer::found::facts::FoldedAxes;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::ops::{Form, Op};
use crate::promotion::Class;
use crate::source::Span;

/// The passes over reductions, scans and sorts.
pub(super) const FOLDED: &[Pass<FoldedAxes>] = &[|lint, it| lint.words_as_numbers(it.op, &it.operand, it.at)];

impl Lint<'_, '_> {
    /// Reports words that are added, averaged or put in order. Extremes are quiet: the largest code says how many words
    /// there are.
    fn words_as_numbers(&mut self, op: &'static Op, operand: &Operand, at: Span) {
        let OperandForm::Node(node, _) = operand.form else { return };
        let adds = matches!(
            op.class,
            Class::Sum | Class::Product | Class::Accumulation | Class::Mean | Class::Variance | Class::Quantile
        );
        let orders = !adds && matches!(op.form, Form::Lines(_));
        let is_words = || matches!(self.graph.builder.program().logical(node), Some(Logical::Words(_)));
        if !(adds || orders) || !is_words() {
            return;
        }
        let level = self.level(&lints::WORDS_AS_NUMBERS, at);
        if level != Level::Allow {
            let text = self.text(operand.span).to_owned();
            self.report(report::words_as_numbers(level, op, orders, &text, operand.span, at));
        }
    }
}
