//! The meaning of a session's name, in a few words.

use crate::array::Array;
use crate::check::env::SessionValue;
use crate::check::value::Value;
use crate::source::Sources;
use crate::types::Elem;

/// What a name stands for: `f32[150, 4]`, `fn z(x, m, s)`, `(f32, i64[3])`.
pub(super) fn describe(sources: &Sources, stored: &SessionValue) -> String {
    match stored {
        SessionValue::Array(array, elem, _) => type_text(array, *elem),
        SessionValue::Const(value) => value.elem().to_string(),
        SessionValue::Tuple(items) => {
            let items: Vec<String> = items.iter().map(|item| describe(sources, item)).collect();
            format!("({})", items.join(", "))
        }
        SessionValue::Function(closure) => format!("fn {}", closure.signature(sources)),
        SessionValue::Other(Value::Literal(literal)) => literal.type_text(),
        SessionValue::Other(value) => value.describe().to_owned(),
    }
}

fn type_text(array: &Array, elem: Elem) -> String {
    let sizes: Vec<String> = array.shape().iter().map(usize::to_string).collect();
    if sizes.is_empty() { elem.to_string() } else { format!("{elem}[{}]", sizes.join(", ")) }
}
