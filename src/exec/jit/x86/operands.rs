//! The operand of an instruction that is in memory.
//!
//! Only the last may be. Where a constant that has no register stands first, it would have to pass through one. But a
//! sum has no first operand, and a product with a sum has forms that differ in which of the three is the last.

use super::rows;
use super::steps::{Allocation, Instruction, InstructionBody, PreloadedValue, Reg};

/// The instruction with a constant in memory as its last operand, if it has such a constant and that changes no bit.
pub(super) fn with_constant_last(
    step: &Instruction,
    body: &InstructionBody,
    home: impl Fn(Reg) -> Allocation,
) -> Instruction {
    let (Some(first), Some(last), None) = (step.first, step.last, step.mask) else { return *step };
    let Allocation::Pool(number) = home(first) else { return *step };
    let constant = body.fixed[number].1;
    let is_free = matches!(home(last), Allocation::Register(_));
    if is_free && body.compact && !body.target.has_masks() && [4, 8].into_iter().any(|bytes| constant.is_each(bytes)) {
        return *step;
    }
    let swapped = Instruction { first: Some(last), last: Some(first), ..*step };
    match step.tied {
        Some(_) if is_free => rows::with_factor_last(step.row).map_or(*step, |row| Instruction { row, ..swapped }),
        // All but one are in memory: the constant goes to the register of the result.
        Some(tied) if rows::with_factor_last(step.row).is_some() && is_number(constant) => {
            Instruction { tied: Some(first), first: Some(tied), ..*step }
        }
        None if is_free && rows::commutes_as_bits(step.row) => swapped,
        None if is_free && rows::commutes(step.row) && is_number(constant) => swapped,
        _ => *step,
    }
}

/// Whether no lane is NaN: of two the first operand's would be the result.
fn is_number(what: PreloadedValue) -> bool {
    let PreloadedValue::Constant(vector) = what else { return false };
    let single = |lane: &[u8; 4]| !f32::from_le_bytes(*lane).is_nan();
    let double = |lane: &[u8; 8]| !f64::from_le_bytes(*lane).is_nan();
    vector.as_chunks().0.iter().all(single) && vector.as_chunks().0.iter().all(double)
}
