//! What the integers of a node stand for: what those of its input do, as long as they are only moved.
//!
//! ```text
//! x = codes("t.csv:symbol")   x[2:], x[mask], take(x, i) → words   x + 1 → numbers   max(day), sort(day) → dates
//! ```

use super::routine::Routine;
use super::{Fold, NodeId, NodeKind, Program, ProgramInput};
use crate::array::logical::Logical;

impl Program {
    /// The meaning of a node's elements, where its data or its type says that they mean anything but themselves.
    pub fn logical(&self, node: NodeId) -> Option<&Logical> {
        let mut node = node;
        loop {
            node = match &self.node(node).kind {
                NodeKind::Input(index) => {
                    let input = &self.inputs[*index as usize];
                    let said = input.value.as_ref().and_then(|array| array.logical());
                    return said.or(input.meaning.as_ref());
                }
                NodeKind::View { arg, .. } | NodeKind::Gather { arg, .. } => *arg,
                NodeKind::Routine { routine: Routine::Sort | Routine::Compress, args } => args[0],
                // The first and the last day are days; words have no order.
                NodeKind::Fold { fold: Fold::Min | Fold::Max, arg, .. } => return self.ordered(*arg),
                NodeKind::Routine { routine: Routine::Segment(Fold::Min | Fold::Max), args } => {
                    return self.ordered(args[0]);
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

    /// A word that the text compares with, whose code only the data of a column decides; its name is in quotes.
    pub fn open_word(&self) -> Option<&ProgramInput> {
        let is_word = |input: &&ProgramInput| {
            let of_words = matches!(input.meaning, Some(Logical::Words(_)));
            of_words && input.value.is_none() && input.name.starts_with('"')
        };
        self.inputs.iter().find(is_word)
    }

    /// The meaning where it has an order.
    fn ordered(&self, node: NodeId) -> Option<&Logical> {
        self.logical(node).filter(|logical| !matches!(logical, Logical::Words(_)))
    }
}
