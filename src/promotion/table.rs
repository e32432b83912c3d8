//! A system as a table: one cell for each combination of operands.
//!
//! [`cell`] is what `arr table` prints and what the oracle is compared with: the result, whether it is weak, and the
//! strictest mode that allows it.
//!
//! ```
//! use arrlang::promotion::{Class, systems, table::cell, verdict::Mode};
//! use arrlang::types::{DType, Elem};
//! let sum = cell(systems::default(), Class::Arithmetic, &[DType::U8.into(), DType::I8.into()]);
//! assert_eq!((sum.result, sum.mode), (Some(DType::I16.into()), Some(Mode::All)));
//! ```

use super::join::Join;
use super::systems::{InPlace, System};
use super::verdict::{self, Mode};
use super::{Class, Operand, Operation, result};
use crate::types::{Elem, Kind};

/// What a system makes of some operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The type of the result; nothing where the system refuses.
    pub result: Option<Elem>,
    /// Whether the result is weak.
    pub weak: bool,
    /// The strictest mode that allows it; nothing where the system refuses.
    pub mode: Option<Mode>,
}

impl Cell {
    /// No answer.
    pub const REFUSED: Cell = Cell { result: None, weak: false, mode: None };
}

/// The cell of an operation on arrays of these types; weak types are literals.
pub fn cell(system: &System, operation: impl Into<Operation>, operands: &[Elem]) -> Cell {
    let operands: Vec<Operand> = operands.iter().map(|&elem| Operand::array(elem)).collect();
    cell_of(system, operation, &operands)
}

/// The cell of an operation on these operands.
pub fn cell_of(system: &System, operation: impl Into<Operation>, operands: &[Operand]) -> Cell {
    let operation = operation.into();
    let Ok(decision) = result(system, operation, operands) else { return Cell::REFUSED };
    let elems: Vec<Elem> = operands.iter().map(|operand| operand.elem).collect();
    if operation.class == Class::Ordering && elems.iter().any(|elem| elem.kind() == Kind::Complex) {
        return Cell::REFUSED; // complex numbers have no order, whatever a library compares
    }
    let mode = if compares_exactly(operation.class, &elems) {
        Mode::None
    } else if system.reports_inexact && verdict::inexact(&elems, decision.compute, |elem| system.harden(elem)) {
        Mode::All
    } else {
        verdict::strictest(&system.effects(&elems, decision.joined, |elem| system.harden(elem)))
    };
    Cell { result: Some(decision.result), weak: decision.weak, mode: Some(mode) }
}

/// The cell of `x op= y`, where the first operand is `x`: refused unless the system lets `x` keep its dtype.
pub fn update_of(system: &System, operation: impl Into<Operation>, operands: &[Operand]) -> Cell {
    let operation = operation.into();
    let Some(array) = operands.first().and_then(|operand| operand.elem.strong()) else { return Cell::REFUSED };
    if system.in_place == InPlace::Unconverted
        && Join::Leading.of(operands, |elem| system.harden(elem)).map(|joined| joined.elem) != Ok(array.into())
    {
        return Cell::REFUSED;
    }
    let cell = cell_of(system, operation, operands);
    match cell.result {
        Some(result) if system.in_place.allows(system.harden(result), array) => {
            Cell { result: Some(array.into()), weak: false, ..cell }
        }
        _ => Cell::REFUSED,
    }
}

/// Whether it is a comparison of integers, which is exact in every system.
pub fn compares_exactly(class: Class, elems: &[Elem]) -> bool {
    matches!(class, Class::Equality | Class::Ordering)
        && elems.iter().all(|elem| matches!(elem.kind(), Kind::Bool | Kind::Unsigned | Kind::Signed))
}
