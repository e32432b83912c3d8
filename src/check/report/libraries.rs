//! Messages about files that `use` names.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::names;
use crate::source::Span;
use crate::syntax::ast::StmtKind;

fn bad_library(message: String, span: Span) -> Diagnostic {
    Diagnostic::error(&names::BAD_LIBRARY, span, message)
}

pub(in crate::check) fn statement_in_library(kind: &StmtKind, span: Span) -> Diagnostic {
    let what = match kind.word() {
        Some(word) => format!("`{word}`"),
        None if matches!(kind, StmtKind::Assign { .. }) => "an assignment".to_owned(),
        None => "an expression that is printed".to_owned(),
    };
    bad_library(format!("a file that is used by another holds functions and constants, not {what}"), span)
        .label(span, "part of a program of its own")
        .help("move it into the script that uses this file, or into a function")
}

pub(in crate::check) fn computed_in_library(name: &str, span: Span) -> Diagnostic {
    bad_library(format!("`{name}` is computed when a program runs, and a used file holds constants"), span)
        .label(span, "not known before")
        .help(format!("make it a function: `fn {name}() = …`"))
}

pub(in crate::check) fn other_system(own: &str, program: &str, span: Span) -> Diagnostic {
    bad_library(format!("this file is written for `{own}`, and the program that uses it for `{program}`"), span)
        .label(span, "another system")
        .note("a program has one promotion system; what is used is checked under it")
}
