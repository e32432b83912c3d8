//! Fixes of arithmetic that hold for all calls of a function.
//!
//! A fix in the body of a function is made for all calls: they share the body.
//!
//! The body is looked at for each call, with the values of that call. A cast that is enough for one call may lose the
//! values of another. So the values of all calls are kept for each operand, and what mends arithmetic holds them all.
//!
//! Arithmetic of arithmetic that wraps is looked at with what its operands come to when they are mended.

use super::Lint;
use crate::check::infer::found::facts::AppliedOp;
use crate::check::infer::found::walk_cause::WalkId;
use crate::check::infer::values::operand::OperandForm;
use crate::check::report;
use crate::check::settings::Settings;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::lints;
use crate::ir::NodeId;
use crate::range::Interval;
use crate::range::mended::{MendedRanges, MendingRange};
use crate::source::Span;

/// Arithmetic that can wrap: in a function in one call.
pub(super) struct SharedArithmetic {
    made: AppliedOp,
    /// The node that wraps.
    pub(super) node: NodeId,
    /// What the node would give in this call if it did not wrap.
    pub(super) exact: Interval,
    /// Whether a function is around it.
    pub(super) in_function: bool,
    settings: Settings,
}

impl SharedArithmetic {
    /// The operator, or the name of the function.
    pub(super) fn at(&self) -> Span {
        self.made.at
    }

    /// What a dtype that mends it holds.
    pub(super) fn room(&self, mended: &MendedRanges) -> MendingRange {
        mended.room(self.node, self.exact)
    }
}

impl Lint<'_, '_> {
    /// Takes note of what an operation in a function is given.
    pub(super) fn given_in_a_call(&mut self, made: &AppliedOp) {
        if self.walk == WalkId(0) || self.findings.is_quiet() || made.at.source.is_library() {
            return;
        }
        let values = self.intervals(&made.operands);
        for (operand, values) in made.operands.iter().zip(values) {
            // What is exact takes the dtype that it meets, and a cast would give it one.
            let values = values.unwrap_or(Interval::Complex);
            self.known.given.entry(operand.span).and_modify(|all| *all = all.union(values)).or_insert(values);
        }
    }

    /// What is kept of arithmetic that wraps. Of what the library does nothing is kept.
    pub(super) fn shared_arithmetic(
        &self,
        node: NodeId,
        exact: Interval,
        made: &AppliedOp,
    ) -> Option<Box<SharedArithmetic>> {
        (!made.at.source.is_library()).then(|| {
            let (settings, in_function) = (self.known.settings.clone(), self.walk != WalkId(0));
            Box::new(SharedArithmetic { made: made.clone(), node, exact, in_function, settings })
        })
    }

    /// Makes what mends arithmetic for all that its dtype is to hold, in a function for the values of all calls. Where
    /// no dtype holds them, nothing mends it.
    pub(super) fn mend_for_all(&mut self, shared: SharedArithmetic, room: MendingRange, found: &mut Diagnostic) {
        let SharedArithmetic { made, node, exact: own, in_function, settings } = shared;
        let mut others = vec![room.exact];
        let computed = made.operands.iter().filter(|operand| matches!(operand.form, OperandForm::Node(..)));
        others.extend(computed.filter_map(|operand| self.known.given.get(&operand.span)));
        // What is not computed in integers in other calls is judged by its dtype.
        if !others.iter().all(|values| matches!(values, Interval::Integer { .. })) {
            return;
        }
        let had = std::mem::replace(&mut self.known.settings, settings);
        let again = if found.code.id == lints::UNSIGNED_NEGATION.id {
            self.negative(&made, found.level, &others)
        } else {
            Some(self.wrapping_node(node, own, &made, (&others, room.later)))
        };
        self.known.settings = had;
        match again {
            Some(again) if has_fix(&again) || !has_fix(found) => *found = again,
            Some(again) if !in_function => {
                *found = report::held_by_no_dtype(again, self.text(made.span), self.graph.builder.dtype(node));
            }
            _ => report::wrong_for_other_calls(found),
        }
    }
}

fn has_fix(found: &Diagnostic) -> bool {
    found.helps.iter().any(|help| help.fix.is_some())
}
