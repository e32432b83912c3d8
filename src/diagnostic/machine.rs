//! Diagnostics for tools, as JSON.
//!
//! The form is stable: fields are only ever added, and `version` changes if that cannot be kept. Every field is always
//! present; what does not apply is `null` or empty. Where a file is wrong as a whole, only `file` says the place.
//! Offsets count bytes; lines and columns begin at one and columns count characters. `lint` is the name of a finding,
//! as `--deny`, `--warn` and `--allow` take it, and `null` for an error that has no other level.
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

use serde_json::Value;

use super::place::{Place, PlaceFinder};
use super::{Diagnostic, Help, Label, Level};
use crate::source::{Sources, Span};

/// The version of the form that [`json()`] answers.
pub const VERSION: u32 = 1;

/// All diagnostics, in the order given: `{"version": 1, "diagnostics": […]}`.
pub fn json<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>, sources: &Sources) -> Value {
    let mut places = PlaceFinder::new(sources);
    let list = diagnostics.into_iter().map(|one| diagnostic(one, &mut places)).collect();
    object([("version", VERSION.into()), ("diagnostics", Value::Array(list))])
}

/// The word for a level.
pub fn level(level: Level) -> &'static str {
    match level {
        Level::Deny => "error",
        Level::Warn => "warning",
        Level::Allow => "note",
    }
}

/// An object with these fields in this order. (`json!` would copy the values, at every level of nesting.)
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
}

fn diagnostic(diagnostic: &Diagnostic, places: &mut PlaceFinder<'_>) -> Value {
    let place = diagnostic.span().and_then(|span| places.of(span));
    let place = place.as_ref();
    let span = place.map(|place| object([("start", place.range.start.into()), ("end", place.range.end.into())]));
    object([
        ("code", diagnostic.code.id.into()),
        ("name", diagnostic.code.name.into()),
        ("lint", diagnostic.code.lint().into()),
        ("level", level(diagnostic.level).into()),
        ("message", diagnostic.message.as_str().into()),
        ("file", place.map(|place| place.name).or(diagnostic.file.as_deref()).into()),
        ("span", span.into()),
        ("line", place.map(|place| place.line).into()),
        ("column", place.map(|place| place.column).into()),
        ("labels", diagnostic.labels.iter().filter_map(|one| label(one, places)).collect()),
        ("help", diagnostic.helps.iter().map(|one| help(one, places)).collect()),
        ("notes", diagnostic.notes.iter().map(String::as_str).collect()),
    ])
}

fn label(label: &Label, places: &mut PlaceFinder<'_>) -> Option<Value> {
    let Place { name, range, line, column, .. } = places.of(label.span)?;
    Some(object([
        ("file", name.into()),
        ("start", range.start.into()),
        ("end", range.end.into()),
        ("line", line.into()),
        ("column", column.into()),
        ("message", label.message.as_str().into()),
    ]))
}

fn help(help: &Help, places: &mut PlaceFinder<'_>) -> Value {
    let fix = help.fix.as_ref().map(|fix| {
        let edits = fix.edits.iter().filter_map(|edit| replacement(edit.span, &edit.text, places)).collect();
        object([("keeps_values", fix.keeps_values.into()), ("edits", edits)])
    });
    object([("text", help.text.as_str().into()), ("fix", fix.into())])
}

fn replacement(span: Span, text: &str, places: &mut PlaceFinder<'_>) -> Option<Value> {
    let Place { name, range, .. } = places.of(span)?;
    Some(object([
        ("file", name.into()),
        ("start", range.start.into()),
        ("end", range.end.into()),
        ("replacement", text.into()),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Edit, Fix, codes};
    use insta::assert_snapshot;

    #[test]
    fn every_field_is_there() {
        let mut sources = Sources::new();
        let id = sources.add("a.arr", "let é = 1\nxx + é\n");
        let place = Span::new(id, 11, 13);
        let edit = Edit { span: place, text: "é".to_string() };
        let located = Diagnostic::error(&codes::names::UNKNOWN_NAME, place, "no `xx`")
            .label(place, "this")
            .label(Span::new(id, 16, 99), "the end")
            .fix("write `é`", Fix { edits: vec![edit], keeps_values: false })
            .help("or declare it")
            .note("a note");
        let elsewhere = Diagnostic::new(&codes::names::UNKNOWN_NAME, Level::Warn, "no place");
        let text = serde_json::to_string_pretty(&json([&located, &elsewhere], &sources)).unwrap();
        assert_snapshot!(text, @r#"
    {
      "version": 1,
      "diagnostics": [
        {
          "code": "E0201",
          "name": "unknown-name",
          "lint": null,
          "level": "error",
          "message": "no `xx`",
          "file": "a.arr",
          "span": {
            "start": 11,
            "end": 13
          },
          "line": 2,
          "column": 1,
          "labels": [
            {
              "file": "a.arr",
              "start": 11,
              "end": 13,
              "line": 2,
              "column": 1,
              "message": "this"
            },
            {
              "file": "a.arr",
              "start": 16,
              "end": 19,
              "line": 2,
              "column": 6,
              "message": "the end"
            }
          ],
          "help": [
            {
              "text": "write `é`",
              "fix": {
                "keeps_values": false,
                "edits": [
                  {
                    "file": "a.arr",
                    "start": 11,
                    "end": 13,
                    "replacement": "é"
                  }
                ]
              }
            },
            {
              "text": "or declare it",
              "fix": null
            }
          ],
          "notes": [
            "a note"
          ]
        },
        {
          "code": "E0201",
          "name": "unknown-name",
          "lint": null,
          "level": "warning",
          "message": "no place",
          "file": null,
          "span": null,
          "line": null,
          "column": null,
          "labels": [],
          "help": [],
          "notes": []
        }
      ]
    }
    "#);
    }
}
