//! A promotion table as a document prints it. It has named rows and columns, and a cell for each pair.
//!
//! ```text
//!       bool   u8     i8     f32    i*     f*
//! u8    u8     u8     i16!   f32    u8     f*
//! ```
//!
//! `-` is a refusal. A cell may say from which mode on the document allows it: `=` in every mode, `!` in ALL only;
//! without a mark SAFE allows it (a table without marks says nothing of modes). A name is that of a dtype or weak type,
//! or a document's own, `Byte=u8`; a weak type of a given width is `f64*`. What has no dtype, like `Cuint`, takes part
//! in the table and its laws alone.

use super::verdict::Mode;
use crate::types::{DType, Elem, Kind};
use std::str::FromStr;

/// A dtype or weak type as a table has it: a weak type may be stored at a width of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridType {
    /// The type.
    pub elem: Elem,
    /// Whether it is weak.
    pub weak: bool,
}

impl From<Elem> for GridType {
    fn from(elem: Elem) -> GridType {
        GridType { elem, weak: elem.is_weak() }
    }
}

/// A table.
#[derive(Clone, Debug)]
pub struct Grid {
    names: Vec<String>,
    nodes: Vec<Option<GridType>>,
    cells: Vec<Option<usize>>,
    modes: Vec<Option<Mode>>,
}

impl Grid {
    /// Reads a table. Weak types of the widths in `defaults` are `i*`, `f*` and `c*`.
    ///
    /// # Errors
    /// A line for the first thing that is wrong.
    pub fn parse(text: &str, defaults: [DType; 3]) -> Result<Grid, String> {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let head: Vec<&str> = lines.next().unwrap_or_default().split_ascii_whitespace().collect();
        let mut grid = Grid { names: Vec::new(), nodes: Vec::new(), cells: Vec::new(), modes: Vec::new() };
        for word in head {
            let (name, dtype) = word.split_once('=').unwrap_or((word, word));
            grid.names.push(name.to_owned());
            grid.nodes.push(node(dtype, defaults));
        }
        for (row, line) in lines.enumerate() {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            if words.len() != grid.names.len() + 1 || grid.names.get(row).is_none_or(|name| name != words[0]) {
                return Err(format!("row {}: expected a name and {} cells: {line}", row + 1, grid.names.len()));
            }
            for word in &words[1..] {
                let (name, mode) = match word.strip_suffix('!') {
                    Some(name) => (name, Some(Mode::All)),
                    None => match word.strip_suffix('=') {
                        Some(name) => (name, Some(Mode::None)),
                        None => (*word, Some(Mode::Safe)),
                    },
                };
                let cell = grid.names.iter().position(|it| it == name);
                if cell.is_none() && name != "-" {
                    return Err(format!("{name} is no row of the table"));
                }
                grid.cells.push(cell);
                grid.modes.push(mode);
            }
        }
        // A table without any mark says nothing of modes.
        if grid.modes.iter().all(|mode| *mode == Some(Mode::Safe)) {
            grid.modes.fill(None);
        }
        match grid.cells.len() == grid.names.len() * grid.names.len() {
            true => Ok(grid),
            false => Err(format!("{} cells in a table of {} names", grid.cells.len(), grid.names.len())),
        }
    }

    /// Rows and columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The cell of two names by their numbers.
    pub fn cell(&self, row: usize, column: usize) -> Option<usize> {
        self.cells[row * self.names.len() + column]
    }

    /// The number of a type's row.
    pub fn find(&self, node: GridType) -> Option<usize> {
        self.nodes.iter().position(|it| *it == Some(node))
    }

    /// What two types are joined to. Weak types that the table does not have go by kind.
    pub fn join(&self, left: GridType, right: GridType) -> Option<GridType> {
        match (self.find(left), self.find(right)) {
            (Some(row), Some(column)) => self.nodes[self.cell(row, column)?],
            _ => by_kind(left.elem, right.elem).map(GridType::from),
        }
    }

    /// The strictest mode in which the document allows two types to meet.
    pub fn mode(&self, left: GridType, right: GridType) -> Option<Mode> {
        let (row, column) = (self.find(left)?, self.find(right)?);
        self.modes[row * self.names.len() + column]
    }
}

fn node(name: &str, defaults: [DType; 3]) -> Option<GridType> {
    if let Ok(elem) = Elem::from_str(name) {
        return Some(elem.into());
    }
    let dtype = name.strip_suffix('*')?.parse::<DType>().ok()?;
    let weak = [Elem::WeakInt, Elem::WeakFloat, Elem::WeakComplex];
    let default = defaults.iter().position(|&default| default == dtype);
    Some(default.map_or(GridType { elem: Elem::Strong(dtype), weak: true }, |at| weak[at].into()))
}

/// A literal takes the dtype it meets unless that is of a lower kind: then it has its default dtype, and a complex
/// literal makes a float complex.
pub fn by_kind(left: Elem, right: Elem) -> Option<Elem> {
    let rank = |elem: Elem| match elem.kind() {
        Kind::Bool => 0,
        Kind::Unsigned | Kind::Signed => 1,
        Kind::Float => 2,
        Kind::Complex => 3,
    };
    let (strong, weak) = match (left.is_weak(), right.is_weak()) {
        (false, true) => (left, right),
        (true, false) => (right, left),
        (true, true) => return Some(if rank(left) >= rank(right) { left } else { right }),
        (false, false) => return (left == right).then_some(left),
    };
    let dtype = strong.strong()?;
    Some(match (rank(strong), rank(weak)) {
        (own, other) if own >= other => strong,
        (2, 3) => Elem::Strong(dtype.complex()),
        _ => weak,
    })
}
