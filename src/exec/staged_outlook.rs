//! The needs of a run in stages, said before it. Routines and loops take whole arrays, so nothing passes through
//! windows.
//!
//! A length that data decides is as large as it may become where it counts what a mask keeps; what has another one
//! (`bincount`) is left out.

use super::plan::Outlook;
use super::stages::{needed_ids, waits};
use crate::array::{Sizes, extent};
use crate::ir::{Fold, NodeId, NodeKind, Program};
use crate::kernel::fuse::UnknownSize;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, shape};

/// The outlook of a program that runs in stages, and whose arrays of at least `least` bytes are files: these are read
/// into memory, as what goes into a routine or a loop and what comes out of it.
pub(super) fn outlook(program: &Program, least: usize) -> Result<Outlook, UnknownSize> {
    let counted = with_most(program);
    let mut kept: Vec<NodeId> = Vec::new();
    let needed = program.needed_nodes();
    for id in needed_ids(&needed).filter(|id| waits(program.node(*id))) {
        kept.extend(program.node(id).operands().chain([id]));
    }
    kept.extend(program.outputs.iter().map(|output| output.node));
    let is_input = |id: NodeId| matches!(program.node(id).kind, NodeKind::Input(_));
    kept.extend(needed_ids(&needed).filter(|id| is_input(*id)));
    kept.iter_mut().for_each(|id| *id = program.below_views(*id));
    kept.sort_by_key(|id| id.index());
    kept.dedup();
    let mut held: Vec<(DType, Sizes, usize)> = Vec::new();
    for id in kept {
        let node = counted.node(id);
        let Some(sizes) = shape::sizes(&node.shape) else {
            match program.lengths_of(&program.node(id).shape).next() {
                Some(_) => continue,
                None => return Err(UnknownSize(id)),
            }
        };
        let bytes = extent(&sizes, node.dtype.size()).map_or(usize::MAX, |(_, bytes)| bytes);
        // A scalar is in no array, and a smaller file is mapped.
        if !sizes.is_empty() && (!is_input(id) || bytes >= least) {
            held.push((node.dtype, sizes.into(), bytes));
        }
    }
    held.sort_by_key(|(_, _, bytes)| std::cmp::Reverse(*bytes));
    Ok(Outlook {
        inputs: vec![0; program.inputs.len()],
        outputs: vec![false; program.outputs.len()],
        needed: held.iter().fold(0, |sum, (_, _, bytes)| usize::saturating_add(sum, *bytes)),
        held,
        moved: 0,
        staged: true,
    })
}

/// The program with the most that its lengths may come to in their place.
fn with_most(program: &Program) -> Program {
    let mut counted = program.clone();
    for length in &program.lengths {
        let most = counted_elements(program, length.node)
            .and_then(|mask| shape::sizes(&counted.node(mask).shape))
            .and_then(|sizes| extent(&sizes, 1));
        if let Some((elements, _)) = most {
            counted.equate(&length.name, &Dim::Const(elements as u64));
        }
    }
    counted
}

/// The mask whose true elements a length is the number of.
fn counted_elements(program: &Program, length: NodeId) -> Option<NodeId> {
    let NodeKind::Fold { fold: Fold::Sum, arg, .. } = program.node(length).kind else { return None };
    let NodeKind::Map(Prim::Convert, args) = &program.node(arg).kind else { return None };
    args.first().copied().flatten().filter(|mask| program.node(*mask).dtype == DType::Bool)
}
