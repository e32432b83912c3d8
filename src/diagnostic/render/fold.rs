//! Labels that are longer than the terminal is wide go on below themselves.
//!
//! ```text
//!  1 │ a + b
//!    │ ┬ ┬
//!    │ │ ╰── the first words of a label
//!    │ │     and the others
//!    │ ╰── f32
//! ```

use super::super::wrap;
use super::snippet::{DrawnChar, DrawnRow};
use super::window::MIN_LABEL;

/// The rows, folded: no row that holds a label is wider than `columns` columns, where the label can be folded.
pub(super) fn fold(rows: Vec<DrawnRow>, columns: usize) -> Vec<DrawnRow> {
    let mut folded = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        let parts = match row {
            DrawnRow::Below(cells) if cells.len() > columns => parts(cells, rows.get(at + 1), columns),
            DrawnRow::Heading(_) | DrawnRow::Line(..) | DrawnRow::Below(_) => None,
        };
        match parts {
            Some(parts) => folded.extend(parts.into_iter().map(DrawnRow::Below)),
            None => folded.push(match row {
                DrawnRow::Heading(mark) => DrawnRow::Heading(*mark),
                DrawnRow::Line(number, cells) => DrawnRow::Line(*number, cells.clone()),
                DrawnRow::Below(cells) => DrawnRow::Below(cells.clone()),
            }),
        }
    }
    folded
}

/// A label's rows; the arrows of labels that come later go on beside it.
fn parts(cells: &[DrawnChar], next: Option<&DrawnRow>, columns: usize) -> Option<Vec<Vec<DrawnChar>>> {
    let corner = cells.iter().position(|(c, _)| *c == '╰')?;
    let start = corner + cells[corner..].windows(2).position(|pair| pair[0].0 == '─' && pair[1].0 == ' ')? + 2;
    let room = columns.checked_sub(start).filter(|&room| room >= MIN_LABEL)?;
    let (text, label) = (cells.get(start..)?, cells.get(start)?.1);
    let words: String = text.iter().map(|(c, _)| c).collect();
    let below = match next {
        Some(DrawnRow::Below(below)) => below.get(..corner.min(below.len())).unwrap_or_default(),
        _ => &[],
    };
    let beside = (0..start).map(|at| match below.get(at) {
        Some(&('│' | '┆' | '╰' | '├', label)) => ('│', label),
        _ => (' ', None),
    });
    let beside: Vec<DrawnChar> = beside.collect();
    let lines = wrap::lines(&words, room, room);
    let line = |(at, line): (usize, String)| {
        let before = if at == 0 { &cells[..start] } else { &beside[..] };
        before.iter().copied().chain(line.chars().map(|c| (c, label))).collect()
    };
    Some(lines.into_iter().enumerate().map(line).collect())
}
