//! `.json`: the elements of one array as nested lists, or an object of several. Words and dates stand there as what
//! they mean.
//!
//! ```text
//! [1.5, 2]   →   [1.5,2.0]        a, b   →   {"a":[1],"b":[2]}
//! ```

use super::{NamedArray, NumberStyle};
use crate::array::Array;
use crate::array::json::{write_json_pieces, write_nested};
use crate::array::logical::Logical;
use crate::array::show::cell_text;
use std::fmt::Write as _;
use std::io::{self, Write};

pub(in crate::io) fn write(arrays: &[NamedArray<'_>], _: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    let mut drain = |text: &mut String| {
        out.write_all(text.as_bytes())?;
        text.clear();
        Ok::<(), io::Error>(())
    };
    if let [only] = arrays {
        value(only.array, &mut text, &mut drain)?;
    } else {
        text.push('{');
        for (at, NamedArray { name, array }) in arrays.iter().enumerate() {
            let _ = write!(text, "{}{}:", if at == 0 { "" } else { "," }, serde_json::Value::from(*name));
            value(array, &mut text, &mut drain)?;
        }
        text.push('}');
    }
    text.push('\n');
    drain(&mut text)
}

/// An array: numbers, or what its integers mean.
fn value(array: &Array, text: &mut String, drain: &mut dyn FnMut(&mut String) -> io::Result<()>) -> io::Result<()> {
    match array.logical() {
        Some(Logical::Words(words)) if words.is_empty() => write_json_pieces(array, text, drain),
        Some(Logical::Words(_) | Logical::Date | Logical::Time) => write_nested(array, &meaning, text, drain),
        None => write_json_pieces(array, text, drain),
    }
}

/// What an element means, as a text.
fn meaning(array: &Array, at: usize, text: &mut String) {
    text.push_str(&serde_json::Value::from(cell_text(array, at, None)).to_string());
}
