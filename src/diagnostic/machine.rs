//! Diagnostics for tools, as JSON.
//!
//! The form is stable: fields are only ever added, and `version` changes if that cannot be kept. Every field is always
//! present; what does not apply is `null` or empty. Offsets count bytes; lines and columns begin at one and columns
//! count characters.
//!
//! ```
//! use arrlang::diagnostic::{Diagnostic, codes, machine};
//! use arrlang::source::{Sources, Span};
//! let mut sources = Sources::new();
//! let id = sources.add("demo.arr", "let é = 1\nxx + é\n");
//! let unknown = Diagnostic::error(&codes::names::UNKNOWN_NAME, Span::new(id, 11, 13), "no `xx` here");
//! let value = machine::json([&unknown], &sources);
//! assert_eq!(value["diagnostics"][0]["code"], "E0201");
//! assert_eq!(value["diagnostics"][0]["line"], 2);
//! ```

use serde_json::{Value, json};

use super::place::{Place, Places};
use super::{Diagnostic, Help, Label, Level};
use crate::source::{Sources, Span};

/// The version of the form that [`json`] answers.
pub const VERSION: u32 = 1;

/// All diagnostics, in the order given: `{"version": 1, "diagnostics": […]}`.
pub fn json<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>, sources: &Sources) -> Value {
    let mut places = Places::new(sources);
    let list: Vec<Value> = diagnostics.into_iter().map(|one| diagnostic(one, &mut places)).collect();
    json!({ "version": VERSION, "diagnostics": list })
}

/// The word for a level.
pub fn level(level: Level) -> &'static str {
    match level {
        Level::Deny => "error",
        Level::Warn => "warning",
        Level::Allow => "note",
    }
}

fn diagnostic(diagnostic: &Diagnostic, places: &mut Places<'_>) -> Value {
    let place = diagnostic.span().and_then(|span| places.of(span));
    let place = place.as_ref();
    let span = place.map(|place| json!({ "start": place.range.start, "end": place.range.end }));
    let labels: Vec<Value> = diagnostic.labels.iter().filter_map(|one| label(one, places)).collect();
    let helps: Vec<Value> = diagnostic.helps.iter().map(|one| help(one, places)).collect();
    json!({
        "code": diagnostic.code.id,
        "name": diagnostic.code.name,
        "level": level(diagnostic.level),
        "message": diagnostic.message,
        "file": place.map(|place| place.name),
        "span": span,
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
        "labels": labels,
        "help": helps,
        "notes": diagnostic.notes,
    })
}

fn label(label: &Label, places: &mut Places<'_>) -> Option<Value> {
    let Place { name, range, line, column, .. } = places.of(label.span)?;
    let (start, end) = (range.start, range.end);
    Some(json!({ "file": name, "start": start, "end": end, "line": line, "column": column, "message": label.message }))
}

fn help(help: &Help, places: &mut Places<'_>) -> Value {
    let fix = help.fix.as_ref().map(|fix| {
        let edits: Vec<Value> = fix.edits.iter().filter_map(|edit| replacement(edit.span, &edit.text, places)).collect();
        json!({ "keeps_values": fix.keeps_values, "edits": edits })
    });
    json!({ "text": help.text, "fix": fix })
}

fn replacement(span: Span, text: &str, places: &mut Places<'_>) -> Option<Value> {
    let Place { name, range, .. } = places.of(span)?;
    Some(json!({ "file": name, "start": range.start, "end": range.end, "replacement": text }))
}
