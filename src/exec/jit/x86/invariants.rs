//! Loop-invariant code motion. What is made of constants and of elements that repeat alone is made once for each row.
//!
//! In `(x - mean) / sqrt(variance)` the root is the same for all elements of a row. Its instructions go before the
//! loop, and what the loop reads of them becomes a fixed value like a constant.

use super::steps::{Instruction, InstructionBody, InstructionForm, PreloadedValue, Reg, RegClass};
use crate::hash::QuickMap;

/// Moves steps that depend on no element of the loop from a body's steps to [`InstructionBody::once`].
pub(super) fn hoist(body: &mut InstructionBody) {
    let moves = invariant(body);
    if !moves.contains(&true) {
        return;
    }
    let mut moved = moves.iter();
    let (once, steps): (Vec<Instruction>, Vec<Instruction>) =
        std::mem::take(&mut body.steps).into_iter().partition(|_| *moved.next().expect("one for each"));
    let mut read = vec![false; body.classes.len()];
    steps.iter().flat_map(Instruction::operands).for_each(|reg| read[reg.0 as usize] = true);
    let fixed: QuickMap<Reg, PreloadedValue> = body.fixed.iter().copied().collect();
    body.steps = steps;
    body.fixed.retain(|(reg, _)| read[reg.0 as usize]);
    let mut fetched: QuickMap<Reg, Reg> = QuickMap::default();
    for step in once {
        for reg in step.operands() {
            let Some(&what) = fixed.get(&reg) else { continue };
            fetched.entry(reg).or_insert_with(|| body.fetch(what));
        }
        let result = step.result.expect("what is moved has a result");
        body.once.steps.push(step.rename(|reg| fetched.get(&reg).copied().unwrap_or(reg), 0));
        if read[result.0 as usize] {
            body.fixed.push((result, PreloadedValue::Made));
            let preload = body.moving(InstructionForm::Preload(body.fixed.len() - 1));
            body.once.steps.push(Instruction { last: Some(result), ..preload });
        }
    }
}

/// Which steps depend on no element. A mask that the loop reads stays: there are few registers for masks.
fn invariant(body: &InstructionBody) -> Vec<bool> {
    let mut is_known = vec![false; body.classes.len()];
    let mut repeats = is_known.clone();
    for (reg, what) in &body.fixed {
        is_known[reg.0 as usize] = true;
        repeats[reg.0 as usize] = matches!(what, PreloadedValue::Repeat { .. });
    }
    let mut moves: Vec<bool> = Vec::with_capacity(body.steps.len());
    for step in &body.steps {
        use InstructionForm::{Digit, Masks, Plain, ResultLast};
        let is_pure = matches!(step.form, Plain | ResultLast | Digit(_) | Masks);
        // Of constants alone there is little, and what there is takes a register less as it is.
        let is_invariant = is_pure
            && step.operands().all(|reg| is_known[reg.0 as usize])
            && step.operands().any(|reg| repeats[reg.0 as usize]);
        if let (Some(result), true) = (step.result, is_invariant) {
            is_known[result.0 as usize] = true;
            repeats[result.0 as usize] = true;
        }
        moves.push(is_invariant && step.result.is_some());
    }
    // What reads a step that stays, stays; and so on.
    while stays(body, &mut moves) {}
    moves
}

/// Lets masks stay that the loop reads, and what reads a step that stays; answers whether there was any.
fn stays(body: &InstructionBody, moves: &mut [bool]) -> bool {
    let before = moves.iter().filter(|moves| **moves).count();
    let mut read = vec![false; body.classes.len()];
    for (step, moves) in body.steps.iter().zip(moves.iter_mut()).rev() {
        if let Some(result) = step.result {
            *moves &= body.classes[result.0 as usize] == RegClass::Vector || !read[result.0 as usize];
        }
        if !*moves {
            step.operands().for_each(|reg| read[reg.0 as usize] = true);
        }
    }
    let mut made = vec![false; body.classes.len()];
    for (step, moves) in body.steps.iter().zip(moves.iter_mut()) {
        *moves &= step.operands().all(|reg| !made[reg.0 as usize]);
        if let (Some(result), false) = (step.result, *moves) {
            made[result.0 as usize] = true;
        }
    }
    moves.iter().filter(|moves| **moves).count() < before
}

impl InstructionBody {
    /// The register that something is brought to before the loop.
    fn fetch(&mut self, what: PreloadedValue) -> Reg {
        self.classes.push(RegClass::Vector);
        let result = Reg(self.classes.len() as u32 - 1);
        self.once.fetched.push(what);
        let fetch = self.moving(InstructionForm::Fetch(self.once.fetched.len() - 1));
        self.once.steps.push(Instruction { result: Some(result), ..fetch });
        result
    }

    /// A whole vector moves.
    fn moving(&self, form: InstructionForm) -> Instruction {
        Instruction::blank(self.target.moving(8), self.target.whole(), form)
    }
}
