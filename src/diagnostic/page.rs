//! The page of a code, as `arr explain CODE` prints it.
//!
//! A page says what the code is about, how much it weighs in each mode, why, and shows a program that raises it
//! beside one that does not. `page(&codes::names::UNKNOWN_NAME)` begins with `E0201 unknown-name: a name that nothing
//! defines`.

use serde_json::{Value, json};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

use super::Level;
use super::codes::{ERROR, Example, Row};

/// Prose is wrapped to this many columns.
const COLUMNS: usize = 80;
/// The modes, in the order of [`Row::levels`].
const MODES: [&str; 3] = ["all", "safe", "none"];

/// The page as text, ending in a line feed.
pub fn page(row: &Row) -> String {
    let mut text = format!("{} {}: {}\n\n", row.id, row.name, row.summary);
    if row.levels != ERROR {
        text.push_str(&levels(row.levels));
        text.push_str("\n\n");
    }
    for paragraph in row.page.split("\n\n") {
        text.push_str(&wrap(paragraph, COLUMNS));
        text.push_str("\n\n");
    }
    let (failing, corrected) = (&row.failing, &row.corrected);
    if failing.script == corrected.script && !failing.script.is_empty() && !corrected.args.is_empty() {
        text.push_str(&program("This raises it", failing));
        let _ = writeln!(text, "\nIt does not, run with {}.", arguments(corrected.args));
    } else {
        let programs = [("This raises it", failing), ("This does not", corrected)];
        let shown = programs.iter().filter(|(_, example)| !example.script.is_empty());
        text.push_str(&shown.map(|(title, example)| program(title, example)).collect::<Vec<_>>().join("\n"));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The page as data, with the same parts.
pub fn json(row: &Row) -> Value {
    let levels: serde_json::Map<String, Value> =
        MODES.iter().zip(row.levels).map(|(mode, level)| (mode.to_string(), level.word().into())).collect();
    let example = |example: &Example| json!({ "script": example.script, "args": example.args });
    json!({
        "version": super::machine::VERSION,
        "code": row.id,
        "name": row.name,
        "summary": row.summary,
        "levels": levels,
        "page": row.page,
        "failing": example(&row.failing),
        "corrected": example(&row.corrected),
    })
}

/// One line that says how much a finding weighs in each mode.
fn levels(levels: [Level; 3]) -> String {
    if let [first, ..] = levels
        && levels == [first; 3]
    {
        return format!("Level in every mode: {}.", first.word());
    }
    let each: Vec<String> =
        MODES.iter().zip(levels).map(|(mode, level)| format!("{} in `{mode}`", level.word())).collect();
    format!("Levels: {}.", each.join(", "))
}

fn program(title: &str, example: &Example) -> String {
    let mut text = match example.args {
        [] => format!("{title}:\n\n"),
        args => format!("{title}, run with {}:\n\n", arguments(args)),
    };
    for line in example.script.lines() {
        text.push_str(format!("    {line}").trim_end());
        text.push('\n');
    }
    text
}

/// Arguments as a shell wants them.
fn arguments(args: &[&str]) -> String {
    args.iter().map(|arg| quote(arg)).collect::<Vec<_>>().join(" ")
}

/// An argument as a shell wants it.
fn quote(arg: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:@,+%".contains(c);
    if !arg.is_empty() && arg.chars().all(plain) {
        arg.to_string()
    } else {
        format!("'{}'", arg.replace('\'', r"'\''"))
    }
}

/// Breaks text at blanks into lines of at most `columns`; longer words stand alone. A text that begins with four
/// blanks is a listing and stays as it is.
pub fn wrap(text: &str, columns: usize) -> String {
    if text.starts_with("    ") {
        return text.to_string();
    }
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::codes::{self, WARNING, names::UNKNOWN_NAME};
    use insta::assert_snapshot;

    #[test]
    fn an_error_has_no_levels() {
        assert_snapshot!(page(&UNKNOWN_NAME), @"
    E0201 unknown-name: a name that nothing defines

    A name is defined by `input`, `let`, `output`, or is a builtin. Names are looked
    up where they are used: a definition further down does not count.

    This raises it:

        let x = 1.5
        xx + 1

    This does not:

        let x = 1.5
        x + 1
    ");
    }

    static FINDING: Row = Row {
        about: "",
        id: "E0301",
        name: "precision-loss",
        summary: "the result cannot hold every value of an operand",
        levels: codes::LOSS,
        page: "First.\n\n    a listing  stays\n\nLast.",
        failing: Example { script: "input x: i32[n]\n\nx + 1.5", args: &["x=[1, 2]", "-o", "it's.npy"] },
        corrected: Example { script: "f64(x) + 1.5", args: &[] },
    };

    #[test]
    fn a_finding_has_levels_and_arguments() {
        assert_snapshot!(page(&FINDING), @r"
    E0301 precision-loss: the result cannot hold every value of an operand

    Levels: warn in `all`, deny in `safe`, deny in `none`.

    First.

        a listing  stays

    Last.

    This raises it, run with 'x=[1, 2]' -o 'it'\''s.npy':

        input x: i32[n]

        x + 1.5

    This does not:

        f64(x) + 1.5
    ");
        assert_eq!(levels(WARNING), "Level in every mode: warn.");
    }

    #[test]
    fn data_has_the_same_parts() {
        assert_snapshot!(serde_json::to_string_pretty(&json(&FINDING)).unwrap(), @r#"
    {
      "version": 1,
      "code": "E0301",
      "name": "precision-loss",
      "summary": "the result cannot hold every value of an operand",
      "levels": {
        "all": "warn",
        "safe": "deny",
        "none": "deny"
      },
      "page": "First.\n\n    a listing  stays\n\nLast.",
      "failing": {
        "script": "input x: i32[n]\n\nx + 1.5",
        "args": [
          "x=[1, 2]",
          "-o",
          "it's.npy"
        ]
      },
      "corrected": {
        "script": "f64(x) + 1.5",
        "args": []
      }
    }
    "#);
    }

    #[test]
    fn prose_breaks_at_blanks() {
        assert_eq!(wrap("aa bb  cc\ndddddddd e", 5), "aa bb\ncc\ndddddddd\ne");
        assert_eq!(wrap("漢漢 漢", 5), "漢漢\n漢");
        assert_eq!(wrap("", 5), "");
    }

    #[test]
    fn every_page_fits_the_width() {
        for row in codes::all() {
            assert!(
                page(row).lines().filter(|line| !line.starts_with("    ")).skip(1).all(|line| line.width() <= COLUMNS)
            );
        }
    }
}
