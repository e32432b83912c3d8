//! The functions of the array API standard 2025.12, `tests/numpy/array_api.txt`, and the 390 functions of NumPy,
//! `functions.txt`: what each becomes here, which `functions.md` says line by line (`ARR_UPDATE=1` writes it).

use crate::lab;
use arrlang::ops;
use arrlang::ops::elsewhere::{self, Counterpart};
use arrlang::promotion::verdict::Mode;
use std::fmt::Write;

const ARRAYS: &str = "let x = [0.5f64, 2.0]
let y = [1.0f64, 4.0]
let u = [0.5f64, -0.5]
let m = [[1.0f64, 2.0], [3.0, 4.0]]
let i = [0, 1]
let b = [true, false]
let z = [1 + 2j, 3 - 1j]
";

fn file(name: &str) -> String {
    std::fs::read_to_string(lab::root("tests/numpy").join(name)).expect("the file is there")
}

#[test]
fn every_function_of_the_array_api_runs() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for line in file("array_api.txt").lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let (name, call) = (columns[1], columns[2]);
        let reply = lab::run(&format!("{ARRAYS}{call}\n"), Mode::All);
        count += 1;
        // A build without a library says so, and nothing else.
        let not_built = columns[0] == "linalg" && !cfg!(feature = "linalg");
        let errors: Vec<&str> = reply.diagnostics.iter().filter(|it| it.is_error()).map(|it| it.code.name).collect();
        if errors != if not_built { vec!["not-built"] } else { Vec::new() } {
            wrong.push(format!("{call}: {:?}", lab::messages(&reply.diagnostics)));
        }
        let named = ops::find(name).is_some() || elsewhere::find(name).is_some() || name == "astype";
        assert!(named, "{name}");
    }
    assert_eq!(count, 174);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a name of NumPy becomes, as a sentence, and whether it can be called.
fn becomes(name: &str) -> Option<(String, bool)> {
    if ops::by_name(name).is_some() {
        return Some(("is there".to_owned(), true));
    }
    let becomes = elsewhere::find(name)?.becomes;
    let callable = matches!(becomes, Counterpart::Same(_) | Counterpart::Code { exact: true, .. });
    let sentence = match becomes {
        Counterpart::Same(ours) => format!("is `{ours}`"),
        Counterpart::Code { forms, exact: true, .. } => {
            let ways: Vec<String> = forms.iter().map(|form| format!("`{}`", form.plain())).collect();
            format!("is a function: {}", ways.join(", "))
        }
        Counterpart::Code { .. } | Counterpart::Missing(_) | Counterpart::Advice(_) => {
            let (_, prepared) = lab::check(&format!("let x = [1.5, 2.5]\nnp.{name}(x)"), Mode::All);
            let found = prepared.diagnostics.iter().find(|found| found.is_error())?;
            let helps: Vec<&str> = found.helps.iter().map(|help| help.text.as_str()).collect();
            assert!(!helps.is_empty(), "{name}: {}", found.message);
            format!("{}: {}", found.message, helps.join("; "))
        }
    };
    Some((sentence, callable))
}

#[test]
fn every_function_of_numpy_exists_or_its_message_says_what_to_write() {
    let names = file("functions.txt");
    let mut text = "# What the functions of NumPy become\n\n".to_owned();
    let mut there = 0;
    for name in names.lines() {
        let (said, callable) = becomes(name).unwrap_or_else(|| panic!("nothing is known of numpy.{name}"));
        there += usize::from(callable);
        let _ = writeln!(text, "- `{name}` {said}");
    }
    assert_eq!(names.lines().count(), 390);
    let _ = writeln!(text, "\n{there} of 390 can be called.");
    let path = lab::root("tests/numpy/functions.md");
    if std::env::var_os("ARR_UPDATE").is_some() {
        std::fs::write(&path, &text).expect("the file can be written");
    }
    assert!(file("functions.md") == text, "tests/numpy/functions.md is out of date: run the tests with ARR_UPDATE=1");
}
