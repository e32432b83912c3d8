//! The meaning of a node's integers: what those of its input do, as long as they are only moved.
//!
//! ```text
//! x = codes("t.csv:symbol")   x[2:], x[mask], concat((x, y)) → words   x + 1 → numbers   max(day), sort(day) → dates
//! ```

use super::routine::{Routine, Scatter};
use super::{Fold, Node, NodeId, NodeKind, Program, ProgramInput};
use crate::array::logical::Logical;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use std::cell::Cell;

/// What is made of more nodes than these means numbers: it is asked for often.
const MAX_SEARCHED_NODES: usize = 128;

/// The most nodes that are looked at in all, with those below sums.
const MAX_VISITED_NODES: usize = 1024;

impl Program {
    /// The meaning of a node's elements, where its data or its type says that they mean anything but themselves.
    /// Elements of several nodes beside each other mean what all of them do; constants mean what is beside them.
    pub fn logical(&self, node: NodeId) -> Option<&Logical> {
        self.logical_within(node, &Cell::new(MAX_VISITED_NODES))
    }

    /// The meaning of a node's elements, as [`Program::logical`] says, found without looking at more nodes than
    /// `left_nodes`.
    fn logical_within(&self, node: NodeId, left_nodes: &Cell<usize>) -> Option<&Logical> {
        let mut found: Option<&Logical> = None;
        // The largest code is no word: the order of codes says when a word came first. Nor is a number, but for what
        // says that a word is missing.
        let mut numbers = false;
        if !self.node(node).dtype.is_integer() {
            return None;
        }
        let (mut left, mut seen) = (vec![node], vec![node]);
        while let Some(node) = left.pop() {
            left_nodes.set(left_nodes.get().checked_sub(1)?);
            let kind = &self.node(node).kind;
            if let NodeKind::Input(index) = kind {
                let input = &self.inputs[*index as usize];
                let said = input.value.as_ref().and_then(|array| array.logical());
                let own = said.or(input.meaning.as_ref())?;
                found = Some(found.map_or(Some(own), |found| found.join(own))?);
            }
            let is_number = |scalar: &Scalar| scalar.bits != u128::MAX >> (128 - scalar.dtype.bits());
            if let NodeKind::Map(Prim::Add | Prim::Sub, _) = kind {
                let date = self.moved_date(kind, left_nodes)?;
                found = Some(found.map_or(Some(date), |found| found.join(date))?);
                continue;
            }
            numbers |= is_ordered(kind) || matches!(kind, NodeKind::Const(scalar) if is_number(scalar));
            if seen.len() > MAX_SEARCHED_NODES {
                return None;
            }
            for arg in moved(self.node(node))? {
                if !seen.contains(&arg) {
                    seen.push(arg);
                    left.push(arg);
                }
            }
        }
        found.filter(|meaning| !(numbers && matches!(meaning, Logical::Words(_))))
    }

    /// The meaning of a date or time with a number of units added to it, or taken from it. The difference of two dates
    /// is a number.
    fn moved_date(&self, kind: &NodeKind, left_nodes: &Cell<usize>) -> Option<&Logical> {
        let NodeKind::Map(prim, [Some(left), Some(right), ..]) = kind else { return None };
        let date = |node: NodeId| {
            let found = self.logical_within(node, left_nodes);
            found.filter(|meaning| matches!(meaning, Logical::Date | Logical::Time))
        };
        match (date(*left), date(*right), prim) {
            (Some(date), None, _) => Some(date),
            (None, Some(date), Prim::Add) => Some(date),
            _ => None,
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
}

/// Whose elements a node gives, unchanged; `None` where it makes others.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other node makes elements of its own")]
fn moved(node: &Node) -> Option<Vec<NodeId>> {
    Some(match &node.kind {
        NodeKind::Input(_)
        | NodeKind::Const(_)
        | NodeKind::View { .. }
        | NodeKind::Concat { .. }
        | NodeKind::Update { .. }
        | NodeKind::Map(Prim::Min | Prim::Max, _)
        | NodeKind::Fold { fold: Fold::Min | Fold::Max, .. }
        | NodeKind::Scan { fold: Fold::Min | Fold::Max, .. } => node.operands().collect(),
        NodeKind::Gather { arg, .. } => vec![*arg],
        NodeKind::Map(Prim::Select, args) => args[1..].iter().flatten().copied().collect(),
        NodeKind::Routine {
            routine: Routine::Sort | Routine::Compress | Routine::Segment(Fold::Min | Fold::Max),
            args,
        } => vec![args[0]],
        NodeKind::Routine { routine: Routine::Scatter(Scatter::Set), args } => vec![args[0], args[2]],
        _ => return None,
    })
}

/// Whether a node asks which element is larger. Sorting is among what moves: words next to each other stay words.
fn is_ordered(kind: &NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Map(Prim::Min | Prim::Max, _)
            | NodeKind::Routine { routine: Routine::Segment(_), .. }
            | NodeKind::Fold { .. }
            | NodeKind::Scan { .. }
    )
}
