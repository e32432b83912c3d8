//! In which stage of a run each node is made.
//!
//! A stage ends where something runs between kernels, or where a length is counted that data decides. The checks of a stage
//! speak before anything of the next one is made, in their order.

use crate::ir::{Node, NodeKind, Program};

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
    for (index, node) in program.nodes.iter().enumerate() {
        let operands = node.operands().map(|operand| stages[operand.index()]).max().unwrap_or(0);
        let lengths = program.lengths_of(&node.shape).map(|length| stages[length.node.index()] + 1).max().unwrap_or(0);
        stages[index] = lengths.max(operands + usize::from(waits(node)));
    }
    stages
}
