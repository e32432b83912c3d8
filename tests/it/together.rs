//! Mistakes do not hide each other: two programs that each raise a code raise both in one text, and nothing else.

use crate::lab;
use arrlang::diagnostic::Level;
use arrlang::diagnostic::codes::{self, Row};
use arrlang::promotion::verdict::Mode;
use arrlang::types::DType;
use std::collections::BTreeSet;
use std::str::FromStr;

/// Findings that every error hides, and why.
const UNKNOWN_WITH_ERRORS: &[(&str, &str)] =
    &[("E0219", "with errors nobody knows what a suppression would have silenced")];

/// Codes that hide others when their program stands above, and why.
const HIDDEN_BELOW: &[(&str, &[&str], &str)] = &[
    ("E0112", &["E0401", "E0403"], "its bracket is open, so a line that begins with `[` may belong to it"),
    ("E0115", &["E0401", "E0403"], "its brackets are open, so a line that begins with `[` may belong to them"),
];

/// Whether a program is only checked, and shows its code in the loosest mode. One with a `promotion` line is left out:
/// it must stand first, and sets the system of both.
fn stands_beside_others(row: &Row) -> bool {
    let shows_it = row.failing.args.is_empty() && !row.failing.script.is_empty() && row.id != "E0122";
    shows_it && row.levels[Mode::All as usize] != Level::Allow && !row.failing.script.starts_with("promotion")
}

/// A text in words and what lies between them.
fn pieces(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        found.push(piece);
        rest = behind;
    }
    found
}

/// The names that statements of a program define, the two of a pair among them.
fn defined<'t>(pieces: &[&'t str]) -> BTreeSet<&'t str> {
    let begins = |word: &str| ["let", "var", "fn", "input", "output"].contains(&word);
    let mut names: BTreeSet<&'t str> = BTreeSet::new();
    for at in (0..pieces.len()).filter(|&at| begins(pieces[at])) {
        match pieces.get(at + 1) {
            Some(&" ") => names.extend(pieces.get(at + 2).copied()),
            Some(&" (") => names.extend(pieces[at + 2..].iter().step_by(2).take(2).copied()),
            _ => {}
        }
    }
    names.retain(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_') && DType::from_str(name).is_err());
    names
}

/// A program whose names are its own. Attributes and keywords of calls keep theirs.
fn renamed(text: &str) -> String {
    let pieces = pieces(text);
    let names = defined(&pieces);
    let mut new = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        new.push_str(piece);
        let before = if at > 0 { pieces[at - 1] } else { "" };
        let behind = pieces.get(at + 1).copied().unwrap_or_default();
        let is_keyword = behind.starts_with('=') && !behind.starts_with("==");
        if names.contains(piece) && !before.ends_with('.') && !is_keyword {
            new.push_str("_2");
        }
    }
    new
}

/// Whether any error hides this code, and the other program has one.
fn is_unknown_beside(row: &Row, other: &Row) -> bool {
    other.levels[Mode::All as usize] == Level::Deny && UNKNOWN_WITH_ERRORS.iter().any(|(id, _)| *id == row.id)
}

/// Whether a program above hides the code of one below.
fn is_hidden_below(row: &Row, above: &Row) -> bool {
    HIDDEN_BELOW.iter().any(|(id, others, _)| *id == above.id && others.contains(&row.id))
}

fn found(text: &str) -> BTreeSet<&'static str> {
    let (_, prepared) = lab::check(text, Mode::All);
    lab::ids(&prepared.diagnostics).into_iter().collect()
}

#[test]
fn two_mistakes_are_two_findings() {
    let rows: Vec<&Row> = codes::all().filter(|row| stands_beside_others(row)).collect();
    assert!(rows.len() > 60, "{} programs", rows.len());
    let mut wrong = Vec::new();
    for above in &rows {
        for below in rows.iter().filter(|below| below.id != above.id) {
            let text = format!("{}\n{}\n", above.failing.script, renamed(below.failing.script));
            let mut wanted = BTreeSet::from([above.id, below.id]);
            if is_unknown_beside(above, below) {
                wanted.remove(above.id);
            }
            if is_unknown_beside(below, above) || is_hidden_below(below, above) {
                wanted.remove(below.id);
            }
            let found = found(&text);
            if found != wanted {
                wrong.push(format!("{wanted:?} are there, and {found:?} are found:\n{}", cut(&text)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} pairs:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
}

/// The beginning of a text that is long.
fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(400)]
}
