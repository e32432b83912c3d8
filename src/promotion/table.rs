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

use super::systems::{self, InPlace, System};
use super::verdict::{self, Mode};
use super::{Class, Operand, Operation, result};
use crate::types::{DType, Elem, Kind};
use std::fmt::Write;

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
    cell_by(system, operation.into(), operands, &|elem| system.harden(elem))
}

/// The cell of an operation on these operands; `harden` says what weak types are where nothing else decides.
fn cell_by(system: &System, operation: Operation, operands: &[Operand], harden: &dyn Fn(Elem) -> DType) -> Cell {
    let Ok(decision) = result(system, operation, operands) else { return Cell::REFUSED };
    let elems: Vec<Elem> = operands.iter().map(|operand| operand.elem).collect();
    if operation.class == Class::Ordering && elems.iter().any(|elem| elem.kind() == Kind::Complex) {
        return Cell::REFUSED; // complex numbers have no order, whatever a library compares
    }
    let mode = if compares_exactly(operation.class, &elems) {
        Mode::None
    } else if system.checks.inexact && verdict::inexact(&elems, decision.compute, harden) {
        Mode::All
    } else {
        verdict::strictest(&system.effects(operation, &elems, decision.joined, harden))
    };
    Cell { result: Some(decision.result), weak: decision.weak, mode: Some(mode) }
}

/// The cell of `x op= y`, where the first operand is `x`: refused unless the system lets `x` keep its dtype.
pub fn update_of(system: &System, operation: impl Into<Operation>, operands: &[Operand]) -> Cell {
    let operation = operation.into();
    let Some(array) = operands.first().and_then(|operand| operand.elem.strong()) else { return Cell::REFUSED };
    let system = match system.rules.in_place {
        InPlace::Like(other) => systems::find(other).unwrap_or(system),
        InPlace::Exact | InPlace::SameKind | InPlace::Category => system,
    };
    let cell = cell_of(system, operation, operands);
    match cell.result {
        Some(result) if system.rules.in_place.allows(system.harden(result), array) => {
            Cell { result: Some(array.into()), weak: false, ..cell }
        }
        _ => Cell::REFUSED,
    }
}

/// Whether it is a comparison of integers, which is exact in every system.
pub fn compares_exactly(class: Class, elems: &[Elem]) -> bool {
    matches!(class, Class::Equality | Class::Ordering) && elems.iter().all(|elem| !elem.kind().is_inexact())
}

/// How wide a column is at least, without the mark behind what stands in it.
const MIN_WIDTH: usize = 6;

/// The table of an operation in a system: all dtypes and literals against each other.
#[derive(Clone, Debug)]
pub struct Table {
    /// How the operation is written.
    pub op: String,
    /// The system's name.
    pub system: &'static str,
    /// Rows and, for two operands, columns.
    pub elems: Vec<Elem>,
    /// How many operands: one, or two for all that take more.
    pub arity: usize,
    /// Whether the second stands for others behind it, too.
    pub more: bool,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    /// The dtypes that results have where nothing else decides, row by row; `-` where the system refuses.
    pub shown: Vec<&'static str>,
}

/// A piece of a table's text, and the strictest mode of its cell; names and refusals have none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaintedCell {
    /// The text, padded to its column.
    pub text: String,
    /// What colour it has.
    pub mode: Option<Mode>,
}

impl Table {
    /// The table of an operation; operands after the second are as the second.
    pub fn of(system: &'static System, op: &str, operation: impl Into<Operation>, arity: usize) -> Table {
        Table::by(system, (op, operation.into()), arity, &|elem| system.harden(elem))
    }

    /// The table of an operation, with how it is written; `harden` says what weak types are where nothing else decides.
    pub fn by(
        system: &'static System,
        (op, operation): (&str, Operation),
        arity: usize,
        harden: &dyn Fn(Elem) -> DType,
    ) -> Table {
        let elems: Vec<Elem> = Elem::all().collect();
        let operands = |left: Elem, right: Elem| match arity {
            1 => vec![left],
            arity => std::iter::once(left).chain(std::iter::repeat_n(right, arity - 1)).collect(),
        };
        let rows = elems.iter().flat_map(|&left| {
            let columns = if arity == 1 { &elems[..1] } else { &elems[..] };
            columns.iter().map(move |&right| (left, right))
        });
        let cell = |(left, right)| {
            let operands: Vec<Operand> = operands(left, right).into_iter().map(Operand::array).collect();
            let cell = cell_by(system, operation, &operands, harden);
            // A weak `bool` behaves like a strong one.
            Cell { weak: cell.weak && cell.result != Some(Elem::Strong(DType::Bool)), ..cell }
        };
        let cells: Vec<Cell> = rows.map(cell).collect();
        let shown = cells.iter().map(|cell| cell.result.map_or("-", |elem| harden(elem).name())).collect();
        Table { op: op.to_owned(), system: system.name, elems, arity: arity.min(2), more: arity > 2, cells, shown }
    }

    fn columns(&self) -> usize {
        if self.arity == 1 { 1 } else { self.elems.len() }
    }

    /// `lhs,rhs,result,weak,mode`, `first,others,result,weak,mode` or `arg,result,weak,mode`, a line for each cell.
    pub fn csv(&self) -> String {
        let operands = match self.arity {
            1 => "arg",
            _ if self.more => "first,others",
            _ => "lhs,rhs",
        };
        let mut csv = format!("{operands},result,weak,mode\n");
        for (at, (cell, shown)) in self.cells.iter().zip(&self.shown).enumerate() {
            let _ = write!(csv, "{}", self.elems[at / self.columns()]);
            if self.arity == 2 {
                let _ = write!(csv, ",{}", self.elems[at % self.columns()]);
            }
            let _ = writeln!(csv, ",{shown},{},{}", cell.weak, cell.mode.map_or("-", Mode::name));
        }
        csv
    }

    /// A Markdown table; what only mode `all` allows is emphasised, weak results have a star.
    pub fn markdown(&self) -> String {
        let head = if self.arity == 1 { vec![""] } else { self.elems.iter().map(|elem| elem.name()).collect() };
        let mut text = format!("| `{}` |", self.op);
        for name in &head {
            let _ = write!(text, " {} |", if name.is_empty() { String::new() } else { format!("`{name}`") });
        }
        let _ = writeln!(text, "\n|---|{}", "---|".repeat(head.len()));
        for (row, elem) in self.elems.iter().enumerate() {
            let _ = write!(text, "| `{elem}` |");
            for column in 0..self.columns() {
                let at = row * self.columns() + column;
                let star = if self.cells[at].weak { "\\*" } else { "" };
                let _ = match self.cells[at].mode {
                    Some(Mode::All) => write!(text, " *{}{star}* |", self.shown[at]),
                    _ => write!(text, " {}{star} |", self.shown[at]),
                };
            }
            text.push('\n');
        }
        text
    }

    /// The table in lines of painted pieces; a weak result has a star.
    pub fn lines(&self) -> Vec<Vec<PaintedCell>> {
        let columns = self.columns();
        let star = |cell: &Cell| if cell.weak { "*" } else { "" };
        let texts: Vec<String> =
            self.shown.iter().zip(&self.cells).map(|(shown, cell)| format!("{shown}{}", star(cell))).collect();
        let head = |at: usize| if self.arity == 2 { self.elems[at].name() } else { "" };
        let width = |at: usize| {
            let cells = texts.iter().skip(at).step_by(columns).map(String::len);
            cells.chain([head(at).len()]).max().map_or(MIN_WIDTH, |widest| MIN_WIDTH.max(widest + 1))
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let names = self.elems.iter().map(|elem| elem.name().len() + 1).max().map_or(MIN_WIDTH, |it| it.max(MIN_WIDTH));
        let plain = |text: &str, width: usize| PaintedCell { text: format!("{text:<width$}"), mode: None };
        let mut lines = Vec::new();
        if self.arity == 2 {
            // A name that is wider than a column would push the others aside.
            let corner = if self.op.len() >= names { "" } else { &self.op };
            let mut line = vec![plain(corner, names)];
            line.extend((0..columns).map(|at| plain(head(at), widths[at])));
            lines.push(line);
        }
        for (row, elem) in self.elems.iter().enumerate() {
            let mut line = vec![plain(elem.name(), names)];
            for (column, &width) in widths.iter().enumerate() {
                let at = row * columns + column;
                line.push(PaintedCell { text: format!("{:<width$}", texts[at]), mode: self.cells[at].mode });
            }
            lines.push(line);
        }
        lines
    }

    /// The table as plain text, with a mark for the mode: `=` in every mode, nothing in safe and all, `!` in all only.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for line in self.lines() {
            for PaintedCell { text: piece, mode } in line {
                let mark = match mode {
                    Some(Mode::None) => "=",
                    Some(Mode::All) => "!",
                    Some(Mode::Safe) | None => "",
                };
                let width = piece.len() + 1;
                let _ = write!(text, "{:<width$}", format!("{}{mark}", piece.trim_end()));
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promotion::systems;

    #[test]
    fn csv_has_a_line_for_each_cell() {
        let jax = systems::default();
        let csv = Table::of(jax, "+", Class::Arithmetic, 2).csv();
        assert_eq!(csv.lines().count(), 1 + Elem::COUNT * Elem::COUNT);
        assert!(csv.contains("\nu8,i8,i16,false,all\n") && csv.contains("\nbool,i*,i64,true,none\n"), "{csv}");
        assert!(!Table::of(jax, "<", Class::Ordering, 2).csv().contains(",true,"), "a weak bool is like a strong one");
        let csv = Table::of(jax, "-", Class::Negation, 1).csv();
        assert!(csv.starts_with("arg,result,weak,mode\nbool,-,false,-\nu8,u8,false,none\n"), "{csv}");
        let csv = Table::of(jax, "clip", Class::Arithmetic, 3).csv();
        assert!(csv.starts_with("first,others,result,weak,mode\n"), "{csv}");
    }

    #[test]
    fn the_text_marks_modes_as_the_documents_do() {
        let rfc = systems::find("rfc").expect("a system");
        let text = Table::of(rfc, "+", Class::Arithmetic, 2).text();
        assert!(text.contains("\nu8       u8     u8=    u16    u32    u64    i16!"), "{text}");
    }
}
