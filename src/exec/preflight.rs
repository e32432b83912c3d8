//! The checks of a program, before it runs or afterwards.
//!
//! A size that is not known, an input without data and a reduction of nothing are found here, so that nobody else meets
//! them.

use super::fold;
use super::options::RunError;
use crate::array::{Array, extent};
use crate::ir::routine::Routine;
use crate::ir::{NodeId, NodeKind, Program, Slice, View};
use crate::types::{Dim, shape};

/// Finds what is wrong before anything runs: sizes that are unknown, inputs without data, reductions of nothing.
pub(super) fn prepare(program: &Program, needed: &[bool]) -> Result<(), RunError> {
    let waits = |id: NodeId| {
        let mut nodes = std::iter::once(id).chain(program.node(id).operands());
        nodes.any(|id| program.is_open(program.node(id)))
    };
    let ids = (0..program.nodes.len()).filter(|&index| needed[index]).map(|index| NodeId(index as u32));
    // What waits for a length is looked at when it is known.
    ids.filter(|&id| program.lengths.is_empty() || !waits(id)).try_for_each(|id| prepare_node(program, id))
}

/// Finds what is wrong with one node before anything runs. Its sizes, and those of its operands, wait for nothing.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing can be wrong with any other node")]
pub(super) fn prepare_node(program: &Program, id: NodeId) -> Result<(), RunError> {
    let node = program.node(id);
    let sizes = shape::sizes(&node.shape).ok_or(RunError::UnknownSize { node: id })?;
    // Also of what is never stored: elements are counted in a word.
    if extent(&sizes, 1).is_none() {
        return Err(RunError::TooManyElements { node: id });
    }
    match &node.kind {
        NodeKind::Input(_) => same_as_bound(program, id)?,
        NodeKind::View { view: View::Slice(region), arg }
            if !inside(region, &node.shape, &program.node(*arg).shape) =>
        {
            return Err(RunError::TooShort { node: id });
        }
        // Without a window there is no place for one.
        NodeKind::View { view: View::Windows(axis), .. } if sizes[*axis as usize] == 0 => {
            return Err(RunError::TooShort { node: id });
        }
        NodeKind::Update { base, region, value }
            if !inside(region, &program.node(*value).shape, &program.node(*base).shape) =>
        {
            return Err(RunError::TooShort { node: id });
        }
        // Those that come first are among those that are there.
        NodeKind::Routine { routine: Routine::ArgSort { .. }, args }
            if sizes.last().map(|&len| len as u64) > program.node(args[0]).shape.last().and_then(Dim::known) =>
        {
            return Err(RunError::TooShort { node: id });
        }
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
            return Err(RunError::Internal(format!("%{}: there is no {} of {dtype}", id.0, fold.name())));
        }
        _ => {}
    }
    Ok(())
}

/// Whether a region with these lengths lies in an array.
fn inside(region: &[Slice], lens: &[Dim], whole: &[Dim]) -> bool {
    region.iter().zip(lens).zip(whole).all(|((slice, len), whole)| {
        let (Some(len), Some(whole)) = (len.known(), whole.known()) else { return false };
        let Some(last) = len.checked_sub(1) else { return true };
        let Some(start) = slice.start.known() else { return false };
        let end = i128::from(start) + i128::from(slice.step) * i128::from(last);
        start < whole && (0..i128::from(whole)).contains(&end)
    })
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

/// Fails with the first check whose scalar is there and is not -1.
pub(super) fn checks(program: &Program, value: impl Fn(NodeId) -> Option<Array>) -> Result<(), RunError> {
    for (check, condition) in program.checks.iter().enumerate() {
        let fault = value(condition.node).map_or(-1, |value| value.get(0).bits as i64);
        if fault >= 0 {
            return Err(RunError::CheckFailed { check, index: fault as u64 });
        }
    }
    Ok(())
}
