//! `--statistics`: how often each code was found. It also counts how many `--fix` repairs.

use super::output;
use crate::diagnostic::codes::Row;
use crate::diagnostic::fix::{self, Fixes};
use crate::diagnostic::{Diagnostic, Diagnostics};
use serde_json::json;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How often a code was found.
struct Count {
    row: &'static Row,
    found: usize,
    /// With a fix that keeps values; with a fix of any kind.
    fixable: usize,
    unsafely: usize,
}

/// The most frequent first; equally frequent ones in the order of their codes.
fn counts(found: &Diagnostics) -> Vec<Count> {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for diagnostic in found {
        let row = diagnostic.code;
        let one = counts.entry(row.id).or_insert(Count { row, found: 0, fixable: 0, unsafely: 0 });
        one.found += 1;
        one.fixable += usize::from(has_fix(diagnostic, Fixes::KeepingValues));
        one.unsafely += usize::from(has_fix(diagnostic, Fixes::All));
    }
    let mut counts: Vec<Count> = counts.into_values().collect();
    counts.sort_by_key(|one| Reverse(one.found));
    counts
}

/// Whether `--fix` (with all of them `--unsafe-fixes` too) has something to do for it.
pub(super) fn has_fix(diagnostic: &Diagnostic, which: Fixes) -> bool {
    diagnostic.span().is_some_and(|span| fix::is_fixable(diagnostic, span.source, which))
}

/// One line for each code.
pub(super) fn text(found: &Diagnostics) -> String {
    let counts = counts(found);
    let digits = counts.first().map_or(0, |one| one.found.to_string().len());
    let name = counts.iter().map(|one| one.row.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Count { row, found, fixable, unsafely } in counts {
        let fixes = match (fixable, unsafely - fixable) {
            (0, 0) => String::new(),
            (fixable, 0) => format!(" [{fixable} fixable]"),
            (0, more) => format!(" [{more} with --unsafe-fixes]"),
            (fixable, more) => format!(" [{fixable} fixable, {more} more with --unsafe-fixes]"),
        };
        let _ = writeln!(text, "{found:>digits$}  {}  {:<name$}  {}{fixes}", row.id, row.name, row.summary);
    }
    text
}

/// How often each code was found, as JSON.
pub(super) fn json(found: &Diagnostics) -> String {
    let rows = counts(found).into_iter().map(|Count { row, found, fixable, unsafely }| {
        json!({
            "code": row.id,
            "name": row.name,
            "count": found,
            "fixable": fixable,
            "fixable_unsafely": unsafely,
        })
    });
    output::json_text(&json!({ "version": 1, "statistics": rows.collect::<Vec<_>>() }))
}
