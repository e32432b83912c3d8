//! Functions that are written in the language: the rows whose form is code. Some names from elsewhere have code here
//! which gives the same whatever the arguments are. Each is a text of its own, which is read when it is called first.
//!
//! ```
//! use arrlang::ops::library;
//! assert!(library::functions().any(|it| it.text.starts_with("fn logsumexp(x, axis=None, keepdims=false) {")));
//! ```

use super::elsewhere::{self, Counterpart};
use super::reduce::KEEP;
use super::{Form, Op, Way};

/// A function of the library.
#[derive(Clone, Debug)]
pub struct LibraryFunction {
    /// The [`key`] of what it is the meaning of.
    pub key: usize,
    /// `fn ptp(x, axis=None) = …`
    pub text: String,
}

/// Stands between the code of a line and the text that says what to write where the line is refused.
pub const NOTE: &str = "  #: ";

/// What a way to call something is known by: it stands in a table that never moves.
pub fn key(way: &'static Way) -> usize {
    std::ptr::from_ref(way) as usize
}

/// All functions of the library.
pub fn functions() -> impl Iterator<Item = LibraryFunction> {
    let own = super::all().flat_map(|op| {
        let ways: &'static [Way] = if let Form::Written(ways) = op.form { ways } else { &[] };
        ways.iter().map(move |way| function(op.name, way, Some(op)))
    });
    let masked = super::masked::ways().map(|(op, way)| function(op.name, way, Some(op)));
    let options = super::options::ways().map(|(op, way)| function(op.name, way, Some(op)));
    own.chain(masked).chain(options).chain(elsewhere::all().flat_map(|row| {
        let ways: &'static [Way] = match row.becomes {
            Counterpart::Code { forms, exact: true, .. } => forms,
            Counterpart::Same(_) | Counterpart::Code { .. } | Counterpart::Missing(_) | Counterpart::Advice(_) => &[],
        };
        let note = if let Counterpart::Code { note, .. } = row.becomes { note } else { "" };
        let name = row.names[0].rsplit('.').next().unwrap_or(row.names[0]);
        ways.iter().map(move |way| {
            let mut function = function(name, way, None);
            if !note.is_empty() {
                function.text.push_str(NOTE);
                function.text.push_str(note);
            }
            function
        })
    }))
}

/// Code that begins with a brace is a block. A function is called by the last word of its name. What may be left out
/// has the default of the row.
fn function(name: &str, way: &'static Way, op: Option<&Op>) -> LibraryFunction {
    let params = way.params().map(|param| match param {
        (name, false) => name.to_owned(),
        (name, true) => {
            let own = op.and_then(|op| op.params.iter().find(|param| param.name == name)?.default);
            let own = way.default(name).or(own);
            format!("{name}={}", own.unwrap_or(if name == KEEP.name { "false" } else { "None" }))
        }
    });
    let name = name.rsplit('.').next().unwrap_or(name);
    let code = way.filled_code();
    let equals = if code.starts_with('{') { "" } else { "= " };
    let text = format!("fn {name}({}) {equals}{code}", params.collect::<Vec<_>>().join(", "));
    LibraryFunction { key: key(way), text }
}
