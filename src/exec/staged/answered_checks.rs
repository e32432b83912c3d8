//! Checks that a routine answers while it runs.
//!
//! A sum of groups leaves out labels that are none of its groups, and tells whether there were any. If there were none,
//! the check that says so beforehand need not be made: labels are read once and not twice.
//!
//! ```text
//! %4 = lt labels 0    %5 = le n labels    %6 = or %4 %5    %7 = firsttrue %6    check %7
//! %8 = segment_sum x labels : f32[n]      tells that no label is outside, so that %7 is -1
//! ```

use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, NodeKind, Program};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim};

/// For each check the routine that answers it, if one does.
pub(super) fn routines_that_answer(program: &Program) -> Vec<Option<NodeId>> {
    let mut answers = vec![None; program.checks.len()];
    // What a loop does may take long, and what waits for a condition may not run before it.
    let is_loop = |kind: &NodeKind| matches!(kind, NodeKind::Loop { .. });
    let waits = program.checks.iter().any(|check| !check.fault.waiting().is_empty());
    if program.checks.is_empty() || waits || program.nodes.iter().any(|node| is_loop(&node.kind)) {
        return answers;
    }
    let needed = program.needed_nodes();
    for (check, answer) in program.checks.iter().zip(&mut answers) {
        if let Some((labels, groups)) = outside(program, check.node) {
            *answer = (0..program.nodes.len())
                .filter(|&at| needed[at])
                .map(|at| NodeId(at as u32))
                .find(|&id| combines(program, id, labels, groups));
        }
    }
    answers
}

/// The labels that a check finds where they are below zero, or at least as large as what is second.
fn outside(program: &Program, check: NodeId) -> Option<(NodeId, Option<NodeId>)> {
    let NodeKind::Fold { fold: Fold::FirstTrue, arg, .. } = program.node(check).kind else { return None };
    let operands = |id: NodeId, wanted: Prim| {
        let NodeKind::Map(prim, [Some(a), Some(b), None]) = program.node(id).kind else { return None };
        (prim == wanted).then_some((a, b))
    };
    let (below, above) = match operands(arg, Prim::Or) {
        Some((below, above)) => (below, Some(operands(above, Prim::Le)?)),
        None => (arg, None),
    };
    let (labels, zero) = operands(below, Prim::Lt)?;
    let is_same = above.is_none_or(|(_, own)| own == labels);
    (is_same && whole(program, zero) == Some(0)).then_some((labels, above.map(|(groups, _)| groups)))
}

/// Whether a node is a routine of these labels that leaves out what belongs to none of `groups` groups.
fn combines(program: &Program, id: NodeId, labels: NodeId, groups: Option<NodeId>) -> bool {
    let node = program.node(id);
    let NodeKind::Routine { routine: Routine::Count | Routine::Segment(_), args, .. } = &node.kind else {
        return false;
    };
    // Labels are the last operand of both.
    let own = args[args.len() - 1];
    let len = node.shape.last();
    let is_length = |groups: NodeId| match len.and_then(Dim::known) {
        Some(len) => whole(program, groups).is_some_and(|groups| u64::try_from(groups) == Ok(len)),
        None => program.lengths.iter().any(|length| length.node == groups && len == Some(&Dim::name(&length.name))),
    };
    own == labels && groups.is_none_or(is_length)
}

/// The integer that a node is.
#[expect(clippy::wildcard_enum_match_arm, reason = "labels and their number have no other dtype")]
fn whole(program: &Program, id: NodeId) -> Option<i64> {
    let NodeKind::Const(value) = program.node(id).kind else { return None };
    match value.dtype {
        DType::I64 => Some(value.bits as i64),
        DType::I32 => Some(i64::from(value.bits as i32)),
        _ => None,
    }
}
