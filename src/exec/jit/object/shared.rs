//! Functions that levels share, around loops of their own.
//!
//! What is done around the loops is the same at several levels. It is written once, and finds the loops by a table that
//! each level hands on: of the distances from the table to each. The function of a level is a few bytes that lead
//! there.

use cranelift_module::FuncId;
use std::collections::HashMap;

/// Loops that a table leads to have numbers beyond those of all functions.
const FIRST: u32 = 1 << 28;

/// The code of a loop in the object.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopCode {
    /// `(scratch, operands, start, len)`; of wide vectors with `(rows, to_next)` behind.
    pub(super) function: FuncId,
    /// Bytes of scratch that it needs.
    pub(super) scratch: usize,
    /// Whether it is of wide vectors.
    pub(super) is_wide: bool,
    /// Whether it goes from row to row.
    pub(super) has_rows: bool,
}

/// The loops of some kinds of code that the same function runs.
#[derive(Clone, Debug)]
pub(super) struct SharedLoops {
    variants: Vec<usize>,
    /// Whether nothing goes from row to row, so that it does not matter which loops could.
    one_row: bool,
    /// Of each number, the loop of each kind.
    loops: Vec<Vec<FuncId>>,
    /// Functions that are called by it, with the same table.
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

    /// One that stands for the loop of each kind; nothing if no kind has it.
    ///
    /// # Errors
    /// When they are called in several ways.
    pub(super) fn one_of(&mut self, each: Vec<Option<LoopCode>>) -> Result<Option<LoopCode>, String> {
        let Some(all) = each.iter().copied().collect::<Option<Vec<LoopCode>>>() else {
            return if each.iter().all(Option::is_none) { Ok(None) } else { Err(apart()) };
        };
        if all.iter().any(|one| one.has_rows != all[0].has_rows) && !self.one_row {
            return Err(apart());
        }
        let functions: Vec<FuncId> = all.iter().map(|one| one.function).collect();
        let number = self.loops.iter().position(|known| *known == functions).unwrap_or_else(|| {
            self.loops.push(functions);
            self.loops.len() - 1
        });
        Ok(Some(LoopCode {
            function: FuncId::from_u32(FIRST + number as u32),
            scratch: all.iter().map(|one| one.scratch).max().unwrap_or(0),
            // Others leave the arguments behind theirs alone.
            is_wide: all.iter().any(|one| one.is_wide),
            has_rows: all.iter().all(|one| one.has_rows),
        }))
    }
}

/// Where the table has a loop, if it is one of those.
pub(super) fn place(function: FuncId) -> Option<i32> {
    Some(4 * function.as_u32().checked_sub(FIRST)? as i32)
}

/// Why something is written for each level.
pub(super) fn apart() -> String {
    "levels have loops of several forms".to_owned()
}
