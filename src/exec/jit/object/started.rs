//! Folds that start with a value.
//!
//! `max(x, initial=c)` has `c` behind the elements, so that there is always one. An object needs no copy of the elements
//! for that: its fold of nothing is the value that changes no other, and `c` meets what the fold gives.
//!
//! ```text
//! %2 = broadcast %1          : f64[1]
//! %3 = concat %0 %2 axis=0   : f64[n+1]        %3 = max %0 axes=0   : f64
//! %4 = max %3 axes=0         : f64             %4 = max %3 %1       : f64
//! ```

use crate::ir::{Fold, Node, NodeId, NodeKind, Program, View};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// A fold of elements that values stand behind, taken apart.
pub(super) struct StartedFold {
    pub(super) prim: Prim,
    pub(super) elements: NodeId,
    pub(super) values: Vec<NodeId>,
}

impl StartedFold {
    /// What a node is made of, if it is such a fold. Where the elements are folded alone too, nothing is an error, and
    /// the values stay behind them.
    pub(super) fn of(program: &Program, node: &Node) -> Option<StartedFold> {
        let NodeKind::Fold { fold, arg, axes, .. } = &node.kind else { return None };
        let prim = match fold {
            Fold::Min => Prim::Min,
            Fold::Max => Prim::Max,
            Fold::Sum | Fold::Prod | Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => {
                return None;
            }
        };
        if node.dtype == DType::Bool || node.dtype.is_small_float() {
            return None;
        }
        let (mut elements, mut values) = (*arg, Vec::new());
        while let Some((before, value, is_there)) = split_at_constant(program, elements, axes) {
            // A value that may be nowhere counts only where it stands behind them along another axis as well.
            let is_new = !values.contains(&value);
            if is_new && !is_there {
                break;
            }
            if is_new {
                values.push(value);
            }
            elements = before;
        }
        let is_alone = |other: &Node| {
            let NodeKind::Fold { fold: of, arg, axes: along, .. } = &other.kind else { return false };
            of == fold && *arg == elements && along == axes
        };
        let never = values.is_empty() || program.nodes.iter().any(is_alone);
        (!never).then_some(StartedFold { prim, elements, values })
    }
}

/// The elements of an array, the one value that is everywhere behind them along one of some axes, and whether it stands
/// there at least once for all lengths.
fn split_at_constant(program: &Program, id: NodeId, axes: &[u32]) -> Option<(NodeId, NodeId, bool)> {
    let NodeKind::Concat { parts, axis } = &program.node(id).kind else { return None };
    let [elements, last] = parts[..] else { return None };
    let NodeKind::View { arg, view: View::Broadcast } = program.node(last).kind else { return None };
    let shape = &program.node(last).shape;
    let is_there = axes.iter().all(|&axis| shape[axis as usize].is_at_least(1));
    (axes.contains(axis) && program.node(arg).shape.is_empty()).then_some((elements, arg, is_there))
}
