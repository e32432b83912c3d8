//! Rows of which a step reads single elements at fixed places. A loop goes through columns of the array in their place,
//! and its step is one of numbers.

use super::{NodeId, NodeKind, Program, View};

/// The columns that may stand in the place of rows.
#[derive(Clone, Debug)]
pub struct RowColumns {
    /// The row in a step.
    pub row: NodeId,
    /// Elements of the row, each with its column.
    pub picks: Vec<(NodeId, NodeId)>,
}

impl RowColumns {
    /// Whether nothing else of the row is read; `after` gives what takes a node.
    pub(super) fn are_all<I: Iterator<Item = NodeId>>(&self, program: &Program, after: impl Fn(NodeId) -> I) -> bool {
        let is_pick = |node: NodeId| self.picks.iter().any(|(pick, _)| *pick == node);
        let is_slice = |node: NodeId| matches!(program.node(node).kind, NodeKind::View { view: View::Slice(_), .. });
        let slices: Vec<NodeId> = after(self.row).collect();
        // A check looks at nodes too, and shows some.
        let is_read = |node: &NodeId| *node == self.row || slices.contains(node);
        slices.iter().all(|&slice| is_slice(slice) && after(slice).all(is_pick))
            && !program.checks.iter().any(|check| is_read(&check.node) || check.fault.shown().iter().any(is_read))
    }
}
