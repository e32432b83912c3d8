//! What remains different from the libraries, as rules with their reasons.

use arrlang::ops::Op;
use arrlang::promotion::systems::System;

/// A difference that is known: whose it is, and why it stays.
pub(super) struct Rule {
    systems: &'static str,
    ops: &'static str,
    reason: &'static str,
    holds: fn(operands: &[String], theirs: &str, ours: &str) -> bool,
}

/// All of them.
pub(super) static ALL: &[Rule] = &[];

/// The rule that a difference falls under.
pub(super) fn explain(system: &System, op: &Op, operands: &[String], theirs: &str, ours: &str) -> Option<&'static str> {
    let named = |list: &str, name: &str| list.split(' ').any(|it| it == name);
    ALL.iter()
        .find(|rule| {
            named(rule.systems, system.name) && named(rule.ops, op.name) && (rule.holds)(operands, theirs, ours)
        })
        .map(|rule| rule.reason)
}
