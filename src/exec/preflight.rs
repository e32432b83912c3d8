//! What is wrong with a program before anything runs, and what its checks say afterwards.
//!
//! A size that is not known, an input without data and a reduction of nothing are found here, so that nobody else meets
//! them.

use super::fold;
use super::options::RunError;
use crate::array::{Array, extent};
use crate::ir::{NodeId, NodeKind, Program};
use crate::types::{Dim, shape};

/// Finds what is wrong before anything runs: sizes that are unknown, inputs without data, reductions of nothing.
pub(super) fn prepare(program: &Program, needed: &[bool]) -> Result<(), RunError> {
    for (index, node) in program.nodes.iter().enumerate().filter(|(index, _)| needed[*index]) {
        let id = NodeId(index as u32);
        let sizes = shape::sizes(&node.shape).ok_or(RunError::UnknownSize { node: id })?;
        // Also of what is never stored: elements are counted in a word.
        if extent(&sizes, 1).is_none() {
            return Err(RunError::OutOfMemory { needed: None, limit: None });
        }
        match &node.kind {
            NodeKind::Input(_) => same_as_bound(program, id)?,
            NodeKind::Fold { fold, arg, axes, .. } if !fold.has_identity() => {
                let shape = &program.node(*arg).shape;
                if axes.iter().any(|&axis| shape[axis as usize].known() == Some(0)) {
                    return Err(RunError::EmptyReduction { node: id });
                }
            }
            NodeKind::Fold { fold, arg, .. } | NodeKind::Scan { fold, arg, .. }
                if !fold::is_legal(*fold, program.node(*arg).dtype) =>
            {
                let dtype = program.node(*arg).dtype;
                return Err(RunError::Internal(format!("%{index}: there is no {} of {dtype}", fold.name())));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Fails when an input has no data, or other data than its node says.
pub(super) fn same_as_bound(program: &Program, id: NodeId) -> Result<(), RunError> {
    let node = program.node(id);
    let NodeKind::Input(input) = node.kind else { return Ok(()) };
    let bound = program.inputs[input as usize].value.as_ref();
    let same = |array: &Array| {
        let sizes = array.shape().iter().map(|&size| Some(size as u64));
        array.dtype() == node.dtype && node.shape.iter().map(Dim::known).eq(sizes)
    };
    if bound.is_some_and(same) { Ok(()) } else { Err(RunError::Unbound { input: input as usize }) }
}

/// Fails with the first check whose scalar, as `value` gives it, is not -1.
pub(super) fn checks(
    program: &Program,
    mut value: impl FnMut(NodeId) -> Result<Array, RunError>,
) -> Result<(), RunError> {
    for (check, condition) in program.checks.iter().enumerate() {
        let fault = value(condition.node)?.get(0).bits as i64;
        if fault >= 0 {
            return Err(RunError::CheckFailed { check, index: fault as u64 });
        }
    }
    Ok(())
}
