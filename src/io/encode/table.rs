//! `.csv`, `.tsv`: arrays of one length are columns under their names; an array of rank 2 is several of them.
//!
//! Numbers are written so that they read back as the same ones; words and dates as what they mean.
//!
//! ```text
//! a, b   →   a,b\n1,0.5\n2,1.5\n        y: f64[2, 2]   →   y_1,y_2\n1.0,2.0\n3.0,4.0\n
//! ```

use super::{NamedArray, NumberStyle, type_of};
use crate::array::logical::Logical;
use crate::array::show::cell_text;
use std::borrow::Cow;
use std::io::{self, Write};

/// The rows of an array, and its columns.
pub(in crate::io) fn extent(array: &NamedArray<'_>) -> Result<(usize, usize), String> {
    match *array.array.shape() {
        [] => Ok((1, 1)),
        [rows] => Ok((rows, 1)),
        [rows, columns] => Ok((rows, columns)),
        _ => Err(format!("a table has rows and columns, and `{}` is {}", array.name, type_of(array.array))),
    }
}

pub(in crate::io) fn fits(arrays: &[NamedArray<'_>]) -> Result<(), String> {
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

/// As [`fits`], and what is written reads back: there is a column, each has a name of its own, and dates have years of
/// four digits.
pub(in crate::io) fn fits_as_text(arrays: &[NamedArray<'_>]) -> Result<(), String> {
    fits(arrays)?;
    for (at, one) in arrays.iter().enumerate() {
        let (name, array) = (one.name, one.array);
        if extent(one)?.1 == 0 {
            return Err(format!("a table has at least one column, and `{name}` is {}", type_of(array)));
        }
        if let Some(column) = arrays[..at].iter().find_map(|other| shared(one, other)) {
            return Err(format!("two columns would have the name `{column}`"));
        }
        let is_read = |logical: &Logical, at: usize| {
            let text = cell_text(array, at, None);
            logical.number(&text).is_some()
        };
        if let Some(logical @ (Logical::Date | Logical::Time)) = array.logical()
            && (0..array.len()).any(|at| !is_read(logical, at))
        {
            return Err(format!("`{name}` has a {} beyond the years 0 to 9999, which no table reads", logical.name()));
        }
    }
    Ok(())
}

/// The name of the first column of an array.
fn first_name(array: &NamedArray<'_>) -> String {
    match array.array.shape() {
        [_, _] => format!("{}_1", array.name),
        _ => title(array.name).into_owned(),
    }
}

/// Whether an array has a column of this name.
fn has_column(array: &NamedArray<'_>, name: &str) -> bool {
    let [_, columns] = array.array.shape() else { return title(array.name) == name };
    let place = name.strip_prefix(array.name).and_then(|rest| rest.strip_prefix('_'));
    let place = place.and_then(|text| text.parse::<usize>().ok().filter(|place| place.to_string() == text));
    place.is_some_and(|place| (1..=*columns).contains(&place))
}

/// The name of a column that two arrays have.
fn shared(one: &NamedArray<'_>, other: &NamedArray<'_>) -> Option<String> {
    [one, other].map(first_name).into_iter().find(|name| has_column(one, name) && has_column(other, name))
}

/// Whether a title stands in quotes though none of its characters parts fields: without them its first bytes may be
/// those of JSON, and its blanks may part fields, where no name says what the file is.
fn is_quoted(title: &str) -> bool {
    title.starts_with(['[', '{', '<']) || title.contains(char::is_whitespace)
}

/// What a column is called: a name that reads as a number would be data.
fn title(name: &str) -> Cow<'_, str> {
    match name.trim().parse::<f64>() {
        Ok(_) => format!("x_{name}").into(),
        Err(_) => name.into(),
    }
}

pub(in crate::io) fn commas(arrays: &[NamedArray<'_>], style: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    write(arrays, style, ',', out)
}

pub(in crate::io) fn tabs(arrays: &[NamedArray<'_>], style: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    write(arrays, style, '\t', out)
}

/// Bytes of text that are written at once.
const PIECE: usize = 64 << 10;

fn write(arrays: &[NamedArray<'_>], style: NumberStyle, delimiter: char, out: &mut dyn Write) -> io::Result<()> {
    let extents: Vec<(usize, usize)> = arrays.iter().map(extent).collect::<Result<_, _>>().map_err(io::Error::other)?;
    let mut text = String::new();
    let part = |text: &mut String, first: &mut bool, field: &str, asked: bool| {
        if !std::mem::replace(first, false) {
            text.push(delimiter);
        }
        quoted(text, field, delimiter, asked);
    };
    let mut first = true;
    let mut head = |title: &str| part(&mut text, &mut first, title, is_quoted(title));
    for (array, &(_, columns)) in arrays.iter().zip(&extents) {
        match array.array.shape() {
            [_, _] => (1..=columns).for_each(|at| head(&format!("{}_{at}", array.name))),
            _ => head(&title(array.name)),
        }
    }
    text.push('\n');
    for row in 0..extents.first().map_or(0, |&(rows, _)| rows) {
        let mut first = true;
        for (array, &(_, columns)) in arrays.iter().zip(&extents) {
            for column in 0..columns {
                part(&mut text, &mut first, &cell_text(array.array, row * columns + column, style.digits), false);
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

/// A field, in quotes where it needs them, or where they are asked for.
fn quoted(text: &mut String, field: &str, delimiter: char, asked: bool) {
    let blank = field.is_empty() || field.starts_with(char::is_whitespace) || field.ends_with(char::is_whitespace);
    if asked || blank || field.contains([delimiter, '"', '\n', '\r']) {
        text.push('"');
        text.push_str(&field.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(field);
    }
}
