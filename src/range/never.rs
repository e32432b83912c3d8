//! Excluded values, which an integer never has, though its range has them inside. `where(d != 0, d, 1)` and `k | 1` are
//! never 0, `where(m, 2, -2)` is never -1.

use super::nodes::Ranges;
use super::{Interval, Range};
use crate::ir::{NodeId, NodeKind, Program};
use crate::scalar::prim::Prim;

/// How many nodes are looked at.
const NODES: usize = 24;

impl Ranges {
    /// Whether a node is known to have a value nowhere.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of other nodes the range says all that is known")]
    pub fn is_never(&mut self, program: &Program, node: NodeId, value: i128) -> bool {
        let mut left = vec![(node, value)];
        for _ in 0..NODES {
            let Some((node, value)) = left.pop() else { return true };
            if is_apart(self.of(program, node), value) {
                continue;
            }
            match program.node(node).kind {
                NodeKind::View { arg, .. } => left.push((arg, value)),
                NodeKind::Map(Prim::Convert | Prim::Neg | Prim::Abs, _) => match self.made_of(program, node, value) {
                    Some(part) => left.push(part),
                    None => return false,
                },
                NodeKind::Map(Prim::Or, [Some(a), Some(b), _]) => {
                    let has_bits = is_apart(self.of(program, a), 0) || is_apart(self.of(program, b), 0);
                    if value != 0 || !has_bits {
                        return false;
                    }
                }
                NodeKind::Map(Prim::Select, [Some(condition), Some(yes), Some(no)]) => {
                    for (arm, holds) in [(yes, true), (no, false)] {
                        let (arm, value) = self.made_of(program, arm, value).unwrap_or((arm, value));
                        if !self.differs_under(program, condition, holds, (arm, value)) {
                            left.push((arm, value));
                        }
                    }
                }
                _ => return false,
            }
        }
        false
    }

    /// What a node is made of, and the value of it that alone gives a value of the node.
    fn made_of(&mut self, program: &Program, node: NodeId, value: i128) -> Option<(NodeId, i128)> {
        let NodeKind::Map(prim, [Some(arg), ..]) = program.node(node).kind else { return None };
        let range = self.of(program, arg).interval;
        let is_integer = matches!(range, Interval::Integer { .. });
        let is_same = prim == Prim::Convert && range.exists_in(program.node(node).dtype);
        let has_same_zeros = matches!(prim, Prim::Neg | Prim::Abs) && value == 0;
        (is_integer && (is_same || has_same_zeros)).then_some((arg, value))
    }
}

/// Whether a value is none of a range of integers.
fn is_apart(range: Range, value: i128) -> bool {
    matches!(range.interval, Interval::Integer { low, high } if low > value || high < value)
}
