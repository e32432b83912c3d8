//! `.csv`, `.tsv`: arrays of one length are columns under their names; an array of rank 2 is several of them.
//!
//! Numbers are written so that they read back as the same ones; words and dates as what they mean.
//!
//! ```text
//! a, b   →   a,b\n1,0.5\n2,1.5\n        y: f64[2, 2]   →   y_1,y_2\n1.0,2.0\n3.0,4.0\n
//! ```

use super::{Named, NumberStyle, type_of};
use crate::array::show::cell_text;
use std::io::{self, Write};

/// The rows of an array, and its columns.
pub(in crate::io) fn extent(array: &Named<'_>) -> Result<(usize, usize), String> {
    match *array.array.shape() {
        [] => Ok((1, 1)),
        [rows] => Ok((rows, 1)),
        [rows, columns] => Ok((rows, columns)),
        _ => Err(format!("a table has rows and columns, and `{}` is {}", array.name, type_of(array.array))),
    }
}

pub(in crate::io) fn fits(arrays: &[Named<'_>]) -> Result<(), String> {
    let mut first: Option<(&str, usize)> = None;
    for array in arrays {
        let (rows, _) = extent(array)?;
        match first {
            Some((name, len)) if len != rows => {
                return Err(format!("columns of a table have one length: `{name}` has {len}, `{}` {rows}", array.name));
            }
            _ => first = Some((array.name, rows)),
        }
    }
    Ok(())
}

pub(in crate::io) fn commas(arrays: &[Named<'_>], style: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    write(arrays, style, ',', out)
}

pub(in crate::io) fn tabs(arrays: &[Named<'_>], style: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    write(arrays, style, '\t', out)
}

/// So much text is written at once.
const PIECE: usize = 64 << 10;

fn write(arrays: &[Named<'_>], style: NumberStyle, delimiter: char, out: &mut dyn Write) -> io::Result<()> {
    let extents: Vec<(usize, usize)> = arrays.iter().map(extent).collect::<Result<_, _>>().map_err(io::Error::other)?;
    let mut text = String::new();
    let part = |text: &mut String, first: &mut bool, field: &str| {
        if !std::mem::replace(first, false) {
            text.push(delimiter);
        }
        quoted(text, field, delimiter);
    };
    let mut first = true;
    for (array, &(_, columns)) in arrays.iter().zip(&extents) {
        match array.array.shape() {
            [_, _] => (1..=columns).for_each(|at| part(&mut text, &mut first, &format!("{}_{at}", array.name))),
            _ => part(&mut text, &mut first, array.name),
        }
    }
    text.push('\n');
    for row in 0..extents.first().map_or(0, |&(rows, _)| rows) {
        let mut first = true;
        for (array, &(_, columns)) in arrays.iter().zip(&extents) {
            for column in 0..columns {
                part(&mut text, &mut first, &cell_text(array.array, row * columns + column, style.digits));
            }
        }
        text.push('\n');
        if text.len() >= PIECE {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
    }
    out.write_all(text.as_bytes())
}

/// A field, in quotes where it needs them.
fn quoted(text: &mut String, field: &str, delimiter: char) {
    let blank = field.is_empty() || field.starts_with(char::is_whitespace) || field.ends_with(char::is_whitespace);
    if blank || field.contains([delimiter, '"', '\n', '\r']) {
        text.push('"');
        text.push_str(&field.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(field);
    }
}
