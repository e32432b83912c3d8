//! Functions that levels share, around loops of their own.
//!
//! The code around the loops is the same at several levels. It is written once, and finds the loops by a table that
//! each level hands on: it has the distance from the table to each loop. The function of a level is a few bytes that
//! lead to the shared function.

use super::refusal::BuildRefusal;
use cranelift_module::FuncId;
use std::collections::HashMap;

/// Loops in a table have numbers beyond the numbers of all functions.
const FIRST: u32 = 1 << 28;

/// The code of a loop in the object.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopCode {
    /// Its arguments are `(scratch, operands, start, len)`, and on wide vectors `(rows, to_next)` behind these.
    pub(super) function: FuncId,
    /// Bytes of scratch that it needs.
    pub(super) scratch: usize,
    /// Whether the code is on wide vectors.
    pub(super) is_wide: bool,
    /// Whether the code goes from row to row.
    pub(super) has_rows: bool,
}

/// The loops of some kinds of code that the same function runs.
#[derive(Clone, Debug)]
pub(super) struct SharedLoops {
    variants: Vec<usize>,
    /// Whether nothing goes from row to row, so that it does not matter which loops could.
    one_row: bool,
    /// For each number, the loop of each kind of code.
    loops: Vec<Vec<FuncId>>,
    /// Functions that the shared function calls with the same table.
    functions: HashMap<String, FuncId>,
}

impl SharedLoops {
    pub(super) fn new(variants: Vec<usize>, one_row: bool) -> SharedLoops {
        SharedLoops { variants, one_row, loops: Vec::new(), functions: HashMap::new() }
    }

    pub(super) fn variants(&self) -> &[usize] {
        &self.variants
    }

    pub(super) fn known(&self, name: &str) -> Option<FuncId> {
        self.functions.get(name).copied()
    }

    pub(super) fn keep(&mut self, name: String, function: FuncId) {
        self.functions.insert(name, function);
    }

    pub(super) fn has(&self, function: FuncId) -> bool {
        self.functions.values().any(|own| *own == function)
    }

    /// The loops of one of the kinds, as its table has them.
    pub(super) fn of(&self, variant: usize) -> Vec<FuncId> {
        let at = self.variants.iter().position(|own| *own == variant).expect("it is one of them");
        self.loops.iter().map(|each| each[at]).collect()
    }

    /// A loop that stands for the loop of each kind; `None` if no kind has it.
    ///
    /// # Errors
    /// When the loops of the kinds are called in several ways.
    pub(super) fn one_of(&mut self, each: Vec<Option<LoopCode>>) -> Result<Option<LoopCode>, BuildRefusal> {
        let Some(all) = each.iter().copied().collect::<Option<Vec<LoopCode>>>() else {
            return if each.iter().all(Option::is_none) { Ok(None) } else { Err(BuildRefusal::SeveralForms) };
        };
        if all.iter().any(|one| one.has_rows != all[0].has_rows) && !self.one_row {
            return Err(BuildRefusal::SeveralForms);
        }
        let functions: Vec<FuncId> = all.iter().map(|one| one.function).collect();
        let number = self.loops.iter().position(|known| *known == functions).unwrap_or_else(|| {
            self.loops.push(functions);
            self.loops.len() - 1
        });
        Ok(Some(LoopCode {
            function: FuncId::from_u32(FIRST + number as u32),
            scratch: all.iter().map(|one| one.scratch).max().unwrap_or(0),
            // Loops on narrow vectors ignore the arguments behind their own.
            is_wide: all.iter().any(|one| one.is_wide),
            has_rows: all.iter().all(|one| one.has_rows),
        }))
    }
}

/// The place of a loop in the table; `None` for a function that is no such loop.
pub(super) fn place(function: FuncId) -> Option<i32> {
    Some(4 * function.as_u32().checked_sub(FIRST)? as i32)
}
