//! Every diagnostic code has a program that raises it and a corrected one. Both are run here. A file of
//! `tests/snapshots/` holds the program, the message as it is drawn, and the program after the fix; where no fix mends
//! it, the corrected program.

use crate::lab;
use crate::shell::{Folder, arr_in};
use arrlang::diagnostic::codes::{self, Row};
use arrlang::diagnostic::{Diagnostic, Level};
use arrlang::promotion::verdict::Mode;
use std::fmt::Write;
use std::path::Path;

/// Rows that no program can show, and why.
const UNSHOWN: &[(&str, &str)] = &[
    ("E0509", "free names are those of `arr eval`; `faults_meaning` shows it"),
    ("E0215", "it takes several files; `library` shows it"),
    ("E0216", "it takes a second file; `library` shows it"),
    ("E0523", "it takes a second file; `config` shows it"),
    ("E0525", "it takes `arr build`; `build_use` shows it"),
    ("E0526", "it takes `arr build` and tools of C that fail; `build_use` shows it"),
    ("E0530", "an interruption comes from outside"),
    ("E0535", "it takes a build without a feature"),
    ("E0536", "it takes a build with a feature; `linear` shows it"),
    ("E0531", "we know of no bug that would show it"),
];

/// Rows whose example does not raise the code when it is simply run, and why.
const STAGED: &[(&str, &str)] =
    &[("E0122", "a string cannot hold such a file; A09 does"), ("E0519", "needs a second writer during the run")];

fn is_in(list: &[(&str, &str)], row: &Row) -> bool {
    list.iter().any(|(id, _)| *id == row.id)
}

/// The loosest mode in which the finding is reported; pedantic ones are asked for in their examples.
fn mode_of(row: &Row) -> Mode {
    Mode::ALL.into_iter().find(|&mode| row.levels[mode as usize] != Level::Allow).unwrap_or(Mode::All)
}

/// What one example leads to: the codes with their levels, and the drawing.
struct Found {
    codes: Vec<(String, bool)>,
    drawing: String,
}

fn try_out(example: &codes::Example, mode: Mode) -> Found {
    if example.args.is_empty() { check(example.script, mode) } else { run(example, mode) }
}

fn check(script: &str, mode: Mode) -> Found {
    let (session, prepared) = lab::check(script, mode);
    let shown: Vec<&Diagnostic> = prepared.diagnostics.iter().collect();
    Found {
        codes: shown.iter().map(|found| (found.code.id.to_owned(), found.is_error())).collect(),
        drawing: lab::drawn(shown, &session.sources),
    }
}

/// An example that needs a command line is run by the command, beside the files that it may name.
fn run(example: &codes::Example, mode: Mode) -> Found {
    let folder = Folder::with(codes::running::FILES);
    folder.write("example.arr", example.script.as_bytes());
    let own_mode = example.args.iter().any(|arg| arg.starts_with("--mode"));
    let mut args = vec!["run", "example.arr", "-v"];
    args.extend(example.args);
    if !own_mode {
        args.extend(["--mode", mode.name()]);
    }
    let output = folder.arr(&args);
    let drawing: String =
        output.stderr.lines().filter(|line| !line.starts_with("parse ")).flat_map(|line| [line, "\n"]).collect();
    let heads = drawing.lines().filter_map(|line| {
        let (level, rest) = line.split_once('[')?;
        let code = rest.split([' ', ']']).next()?;
        ["Error", "Warning"].contains(&level).then(|| (code.to_owned(), level == "Error"))
    });
    Found { codes: heads.collect(), drawing }
}

#[test]
fn every_failing_program_raises_its_code_and_no_other() {
    let mut failures = String::new();
    for row in codes::all().filter(|row| !is_in(UNSHOWN, row)) {
        let found = try_out(&row.failing, mode_of(row));
        // Syntax that means nothing yet may stand in any example; that finding goes away by itself.
        let others: Vec<_> =
            found.codes.iter().filter(|(code, _)| code != row.id && (code != "E0501" || row.id == "E0501")).collect();
        let raised = found.codes.iter().any(|(code, _)| code == row.id);
        if is_in(STAGED, row) {
            if raised && row.id != "E0122" {
                let _ = writeln!(failures, "{} {}: its example works now: take it off the list", row.id, row.name);
            }
        } else if !raised || !others.is_empty() {
            let _ = writeln!(failures, "{} {}: raises {:?}\n{}", row.id, row.name, found.codes, found.drawing);
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn every_corrected_program_raises_no_error() {
    let mut failures = String::new();
    for row in codes::all().filter(|row| !is_in(UNSHOWN, row) && !is_in(STAGED, row)) {
        for mode in [Mode::All, mode_of(row)] {
            let found = try_out(&row.corrected, mode);
            let wrong = |(code, error): &(String, bool)| code == row.id || (*error && code != "E0501");
            if found.codes.iter().any(wrong) {
                let _ = writeln!(failures, "{} {} in {}:\n{}", row.id, row.name, mode.name(), found.drawing);
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn rows_without_a_program_are_known() {
    for row in codes::all() {
        assert_eq!(row.failing.script.is_empty(), is_in(UNSHOWN, row), "{}", row.id);
        assert_eq!(row.corrected.script.is_empty(), is_in(UNSHOWN, row), "{}", row.id);
    }
}

#[test]
fn ids_and_names_are_unique_and_found() {
    let rows: Vec<&Row> = codes::all().collect();
    for (index, row) in rows.iter().enumerate() {
        assert!(rows[..index].iter().all(|other| other.id != row.id), "{} twice", row.id);
        assert!(rows[..index].iter().all(|other| other.name != row.name), "{} twice", row.name);
        assert!(std::ptr::eq(codes::find(row.id).expect("found by id"), *row));
        assert!(std::ptr::eq(codes::find(row.name).expect("found by name"), *row), "{}", row.name);
        assert!(row.id.len() == 5 && row.id.starts_with("E0"), "{}", row.id);
    }
}

#[test]
fn ids_ascend_within_their_families() {
    use codes::{dtypes, inputs, lints, names, running, shapes, syntax, views};
    let families =
        [syntax::ROWS, names::ROWS, dtypes::ROWS, shapes::ROWS, views::ROWS, inputs::ROWS, running::ROWS, lints::ROWS];
    for rows in families {
        assert!(rows.is_sorted_by(|a, b| a.id < b.id), "{:?}", rows.iter().map(|row| row.id).collect::<Vec<_>>());
    }
}

#[test]
fn pages_are_sentences_and_summaries_are_not() {
    for row in codes::all() {
        let end = row.page.trim_end_matches([')', '`']);
        assert!(end.ends_with('.'), "{}: the page ends with a full stop: {}", row.id, row.page);
        assert!(!row.summary.ends_with('.'), "{}: a summary has no full stop", row.id);
        assert!(row.summary.starts_with(|c: char| !c.is_uppercase()), "{}: a summary begins small", row.id);
        assert!(row.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{}", row.name);
        assert!(row.levels.is_sorted(), "{}: a stricter mode is not looser", row.id);
    }
}

#[test]
fn drawings_of_every_code() {
    for row in codes::all().filter(|row| !is_in(UNSHOWN, row) && !is_in(STAGED, row)) {
        let found = try_out(&row.failing, mode_of(row));
        let text = format!("{}\n{}\n{}", program(&row.failing), found.drawing, repair(row));
        insta::with_settings!({ snapshot_path => "../snapshots/codes", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("{}-{}", row.id, row.name), text);
        });
    }
}

/// A program as a snapshot shows it, with its arguments.
fn program(example: &codes::Example) -> String {
    let with = if example.args.is_empty() { String::new() } else { format!("with {}\n", example.args.join(" ")) };
    format!("{}{with}", indented(example.script))
}

/// The program that raises the code no more: after the fix where one mends it, else the corrected one.
fn repair(row: &Row) -> String {
    let mended = [("fixed", &[][..]), ("fixed with --unsafe-fixes", &["--unsafe-fixes"])]
        .into_iter()
        .find_map(|(title, options)| mended(row, options).map(|text| format!("{title}:\n{}", indented(&text))));
    mended.unwrap_or_else(|| format!("corrected:\n{}", program(&row.corrected)))
}

/// What `arr check --fix` makes of the failing program, if the code is gone then.
fn mended(row: &Row, options: &[&str]) -> Option<String> {
    if !row.failing.args.is_empty() {
        return None;
    }
    let mode = mode_of(row);
    let command = [&["check", "-", "--fix", "--mode", mode.name()], options].concat();
    let text = arr_in(Path::new("."), &command, row.failing.script).stdout;
    let still = || check(&text, mode).codes.iter().any(|(code, _)| code == row.id);
    (text != row.failing.script && !still()).then_some(text)
}

/// The lines of a program, set in. Long ones are shortened for reading.
fn indented(script: &str) -> String {
    script.lines().map(|line| format!("    {}\n", cut(line))).collect()
}

/// Long lines of examples, shortened for reading.
fn cut(line: &str) -> String {
    match line.char_indices().nth(100) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
