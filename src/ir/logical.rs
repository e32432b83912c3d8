//! What the integers of a node stand for: what those of its input do, as long as they are only moved.
//!
//! ```text
//! x = codes("t.csv:symbol")   x[2:], x[::-1], take(x, i) → words   x + 1 → numbers   max(day) → a date
//! ```

use super::{Fold, NodeId, NodeKind, Program};
use crate::array::logical::Logical;

impl Program {
    /// The meaning of a node's elements, when its data is bound and they mean anything but themselves.
    pub fn logical(&self, node: NodeId) -> Option<&Logical> {
        let mut node = node;
        loop {
            node = match &self.node(node).kind {
                NodeKind::Input(index) => return self.inputs[*index as usize].value.as_ref()?.logical(),
                NodeKind::View { arg, .. } | NodeKind::Gather { arg, .. } => *arg,
                // The first and the last day are days; words have no order.
                NodeKind::Fold { fold: Fold::Min | Fold::Max, arg, .. } => {
                    return self.logical(*arg).filter(|logical| !matches!(logical, Logical::Words(_)));
                }
                NodeKind::Const(_)
                | NodeKind::Iota { .. }
                | NodeKind::Map(..)
                | NodeKind::Fold { .. }
                | NodeKind::Scan { .. }
                | NodeKind::Concat { .. }
                | NodeKind::Update { .. }
                | NodeKind::Param(_)
                | NodeKind::Loop { .. }
                | NodeKind::Routine { .. } => return None,
            };
        }
    }
}
