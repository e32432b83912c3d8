//! Noise is counted. Every example, every program of the porting guide and thirty programs as a careful engineer writes
//! them are checked in mode `all`. Each finding in them is on the list below, with the reason why it is right.

use crate::lab;
use arrlang::diagnostic::Level;
use arrlang::promotion::verdict::Mode;
use arrlang::session::Input;
use std::path::PathBuf;

/// What is found: the file, the finding, and what is wrong there. The programs of `examples/porting` are there to show
/// what changes between libraries, and `promotions` what each system makes of the same operands.
const FOUND: &[(&str, &str, &str)] = &[
    ("examples/promotions.arr", "kind-change", "the example is about u64 with i64"),
    ("examples/promotions.arr", "precision-loss", "and about i32 with f32"),
    ("examples/promotions.arr", "range-loss", "and about i64 with f16"),
    ("examples/promotions.arr", "inexact-conversion", "and about i32 divided"),
    ("examples/promotions.arr", "weak-default", "and about i32 with 1.5"),
    ("examples/promotions.arr", "weak-default", "and about i8 with 200.0"),
    ("examples/porting/envelope.arr", "integer-overflow", "abs(-32768) is -32768 in i16"),
    ("examples/porting/envelope.arr", "integer-overflow", "and 32767 minus that wraps once more"),
    ("examples/porting/exposure.arr", "integer-overflow", "image + 40 wraps above 215"),
    ("examples/porting/exposure.arr", "weak-default", "0.299 * image is f64"),
    ("examples/porting/exposure.arr", "integer-overflow", "image - dark leaves i16 where dark is below -32512"),
    ("examples/porting/inference.arr", "precision-loss", "i32 with f32"),
    ("examples/porting/survey.arr", "precision-loss", "i32 ages with their f32 mean"),
    ("examples/porting/survey.arr", "inexact-conversion", "the mean of i32 in f32"),
    ("examples/porting/survey.arr", "inexact-conversion", "the deviation of i32 in f32"),
    ("examples/porting/survey.arr", "inexact-conversion", "i64 divided by i64"),
    ("examples/porting/survey.arr", "precision-loss", "f32 weights with i32 ages"),
    ("examples/porting/survey.arr", "f64-appears", "a quotient of i64 is f64, and so is the f32 that it multiplies"),
    ("examples/porting/thermometer.arr", "weak-default", "counts * 5.0 is f64"),
    ("examples/porting/thermometer.arr", "inexact-conversion", "u64 ticks divided"),
];

/// The folders whose scripts are checked.
const FOLDERS: [&str; 4] = ["examples", "examples/porting", "examples/porting/ported", "tests/quiet"];

fn scripts() -> Vec<String> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let Ok(entries) = std::fs::read_dir(lab::root(folder)) else { continue };
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "arr"));
        paths.sort();
        found.extend(
            paths.iter().filter_map(|path| path.file_name()).map(|name| format!("{folder}/{}", name.display())),
        );
    }
    found
}

fn findings(script: &str) -> Vec<(&'static str, Level, String)> {
    let path = lab::root(script);
    let text = std::fs::read_to_string(&path).expect("the script is there");
    let mut session = lab::session(Mode::All);
    session.settings.fixed.add(&arrlang::check::setting::MODE);
    let input = Input { folder: path.parent(), whole: true, ..Input::new(script, &text) };
    let prepared = session.check(&input);
    let place = |found: &arrlang::diagnostic::Diagnostic| {
        let span = found.span().unwrap_or_default();
        let (line, column) = session.sources.line_column(span.source, span.start);
        format!("{script}:{line}:{column}: {}", found.message)
    };
    prepared.diagnostics.iter().map(|found| (found.code.name, found.level, place(found))).collect()
}

#[test]
fn only_what_is_wrong_is_found_in_correct_programs() {
    let scripts = scripts();
    let own = scripts.iter().filter(|script| script.starts_with("tests/quiet")).count();
    assert!(own >= 30 && scripts.len() >= own + 24, "{own} of {}", scripts.len());
    let mut left: Vec<(&str, &str)> = FOUND.iter().map(|&(script, name, _)| (script, name)).collect();
    let mut unknown = Vec::new();
    for script in &scripts {
        for (name, level, place) in findings(script) {
            assert_eq!(level, Level::Warn, "{place}");
            match left.iter().position(|wanted| *wanted == (script, name)) {
                Some(at) => drop(left.remove(at)),
                None => unknown.push(format!("{place} [{name}]")),
            }
        }
    }
    assert!(unknown.is_empty() && left.is_empty(), "not on the list:\n{}\nnot found: {left:?}", unknown.join("\n"));
}
