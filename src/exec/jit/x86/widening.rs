//! Loads that widen. What loads narrow elements and makes them wide is one instruction instead of two.
//!
//! ```text
//! vmovdqu xmm0, [r8]      →    vpmovzxbw ymm0, [r8]
//! vpmovzxbw ymm0, xmm0
//! ```
//!
//! From a register to one of twice its size lanes cross between halves. A Zen 3 starts one such instruction in five
//! quarters of a cycle, and two that read memory in one cycle.

use super::rows;
use super::steps::{Instruction, InstructionBody, InstructionForm};

/// Lets loads whose only reader widens them do that themselves. Under the masks of AVX-512 loads stay as they are.
pub(super) fn widen_loads(body: &mut InstructionBody) {
    if body.target.has_masks() {
        return;
    }
    let mut readers = vec![0usize; body.classes.len()];
    body.steps.iter().flat_map(Instruction::operands).for_each(|reg| readers[reg.0 as usize] += 1);
    let mut loads = vec![None; body.classes.len()];
    let mut merged = vec![false; body.steps.len()];
    for at in 0..body.steps.len() {
        let step = body.steps[at];
        if let (InstructionForm::Load { .. }, Some(result)) = (step.form, step.result) {
            loads[result.0 as usize] = Some(at);
        }
        let is_alone = step.operands().count() == 1 && step.immediate.is_none();
        let Some(reg) = step.last.filter(|_| is_alone && step.form == InstructionForm::Plain) else { continue };
        if let (Some(load), 1, true) = (loads[reg.0 as usize], readers[reg.0 as usize], rows::widens(step.row)) {
            body.steps[at] = Instruction { form: body.steps[load].form, last: None, ..step };
            merged[load] = true;
        }
    }
    let mut merged = merged.into_iter();
    body.steps.retain(|_| !merged.next().expect("one for each"));
}
