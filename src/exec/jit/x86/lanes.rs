//! The width of lanes where a dtype is too narrow for a step's instructions.

use super::target::InstructionSet;
use crate::exec::jit::lower::{VectorBody, VectorOp, VectorStep};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// The bytes of a lane in which a step is done, if its dtype does not say so.
pub(super) fn lane_bytes_needed(source: &VectorBody, step: &VectorStep, target: InstructionSet) -> Option<usize> {
    division_lane(source, step).or_else(|| shift_lane(source, step, target))
}

/// The float that has all quotients of integers; `None` where there is none.
pub(super) fn float_for(dtype: DType) -> Option<DType> {
    match dtype.size() {
        1 | 2 => Some(DType::F32),
        4 => Some(DType::F64),
        _ => None,
    }
}

/// The bytes of a lane in which an instruction divides integers as floats.
fn division_lane(source: &VectorBody, step: &VectorStep) -> Option<usize> {
    if matches!(step.op, VectorOp::Prim(Prim::FloorDiv | Prim::Rem)) && source.power_of_two(step.operands[1]).is_none()
    {
        float_for(step.dtype).map(DType::size)
    } else {
        None
    }
}

/// The bytes of a lane in which integers are shifted by counts of their own, if there are no such shifts of theirs.
fn shift_lane(source: &VectorBody, step: &VectorStep, target: InstructionSet) -> Option<usize> {
    let is_shift =
        matches!(step.op, VectorOp::Prim(Prim::Shl | Prim::Shr)) && source.constant(step.operands[1]).is_none();
    let least = if target.has_masks() { 2 } else { 4 };
    (is_shift && step.dtype.size() < least).then_some(least)
}
