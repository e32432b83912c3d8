//! `.json`: the elements of one array as nested lists, or an object of several.
//!
//! ```text
//! [1.5, 2]   →   [1.5,2.0]        a, b   →   {"a":[1],"b":[2]}
//! ```

use super::{Named, NumberStyle};
use crate::array::json::write_json_pieces;
use std::io::{self, Write};

pub(in crate::io) fn write(arrays: &[Named<'_>], _: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    let mut drain = |text: &mut String| {
        out.write_all(text.as_bytes())?;
        text.clear();
        Ok::<(), io::Error>(())
    };
    if let [only] = arrays {
        write_json_pieces(only.array, &mut text, &mut drain)?;
    } else {
        text.push('{');
        for (at, Named { name, array }) in arrays.iter().enumerate() {
            text.push_str(&format!("{}{}:", if at == 0 { "" } else { "," }, serde_json::Value::from(*name)));
            write_json_pieces(array, &mut text, &mut drain)?;
        }
        text.push('}');
    }
    text.push('\n');
    drain(&mut text)
}
