//! The stages of a run: each node is made in one.
//!
//! A stage ends where something runs between kernels, or where a length is counted that data decides. The checks of a
//! stage speak before anything of the next one is made, in their order.

use crate::ir::{Node, NodeId, NodeKind, Program};

/// Whether a program needs more than kernels.
pub(super) fn has_stages(program: &Program) -> bool {
    !program.lengths.is_empty() || program.nodes.iter().any(waits)
}

/// Whether a node is made between kernels.
pub(super) fn waits(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Routine { .. } | NodeKind::Loop { .. })
}

/// The stage of each node, from 0 on.
pub(super) fn stages(program: &Program) -> Vec<usize> {
    let mut stages = vec![0; program.nodes.len()];
    // What waits for a condition may stand before it; each condition may wait for those before.
    let mut least = stages.clone();
    for _ in 0..=program.checks.len() {
        for (index, node) in program.nodes.iter().enumerate() {
            let operands = node.operands().map(|operand| stages[operand.index()]).max().unwrap_or(0);
            let lengths = program.lengths_in(node).map(|length| stages[length.node.index()] + 1).max().unwrap_or(0);
            stages[index] = lengths.max(operands + usize::from(waits(node))).max(least[index]);
        }
        let mut changed = false;
        for check in &program.checks {
            let after = stages[check.node.index()] + 1;
            for node in check.fault.waiting() {
                changed |= stages[node.index()] < after;
                least[node.index()] = after.max(least[node.index()]);
            }
        }
        if !changed {
            break;
        }
    }
    stages
}

/// Which nodes wait for one of some conditions, which nobody has looked at.
pub(super) fn waiting_nodes(program: &Program, checks: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let mut guarded = vec![false; program.nodes.len()];
    let waiting = checks.into_iter().flat_map(|check| program.checks[check].fault.waiting());
    waiting.for_each(|node| guarded[node.index()] = true);
    guarded
}

/// The nodes that are needed, in their order.
pub(super) fn needed_ids(needed: &[bool]) -> impl Iterator<Item = NodeId> + use<> {
    let ids: Vec<NodeId> = (0..needed.len()).filter(|&at| needed[at]).map(|at| NodeId(at as u32)).collect();
    ids.into_iter()
}

/// What a stage makes that a later one reads, besides the operands of routines: elementwise values are computed again
/// where they are used, unless they cost much. `blocked` says which nodes a later stage makes.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other node is kept")]
pub(super) fn read_later(program: &Program, needed: &[bool], blocked: &[bool]) -> Vec<NodeId> {
    let (mut kept, mut seen) = (Vec::new(), vec![false; program.nodes.len()]);
    for id in needed_ids(needed).filter(|id| blocked[id.index()]) {
        let mut below: Vec<NodeId> = program.node(id).operands().filter(|arg| !blocked[arg.index()]).collect();
        while let Some(arg) = below.pop() {
            // A value that is read in many places is looked at once: the paths to it may be without number.
            if std::mem::replace(&mut seen[arg.index()], true) {
                continue;
            }
            let node = program.node(arg);
            match node.kind {
                NodeKind::Input(_) | NodeKind::Const(_) | NodeKind::Iota { .. } => {}
                NodeKind::View { .. } => below.extend(node.operands()),
                NodeKind::Map(prim, _) if !prim.is_costly() => below.extend(node.operands()),
                _ => kept.push(arg),
            }
        }
    }
    kept
}
