//! Every `examples/NAME.arr` prints exactly `examples/NAME.out`, from whatever folder it is run: its inputs have files
//! beside it as their defaults.
//! What `examples/README.md` says of it is its first line. Twenty of them are programs that NumPy knows too: `numpy`
//! compares values.

mod numpy;

use crate::lab;
use crate::shell;
use std::path::{Path, PathBuf};

#[test]
fn every_example_prints_its_expected_output() {
    let failures: Vec<String> = scripts().iter().filter_map(|script| differs(script)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Without data too, and where a script says `safe`, not even with a warning.
#[test]
fn every_example_checks_without_data() {
    for script in scripts() {
        let found = shell::arr_in(&lab::root(""), &["check", &named(&script)], "");
        let safe = text(&script).lines().any(|line| line.starts_with("promotion") && line.ends_with(" safe"));
        assert_eq!(found.code, 0, "{}\n{}", named(&script), found.stderr);
        assert!(!safe || found.said().is_empty(), "{}\n{}", named(&script), found.said());
    }
}

#[test]
fn the_list_of_examples_has_every_one_by_its_first_line() {
    let list = std::fs::read_to_string(lab::root("examples/README.md")).expect("the examples have a list");
    let listed: Vec<&str> = list.lines().filter(|line| line.starts_with("- [`")).collect();
    let first =
        |script: &PathBuf| text(script).lines().next().expect("a first line").trim_start_matches("# ").to_owned();
    let wanted = scripts().into_iter().map(|script| {
        let path = named(&script);
        let name = path.trim_start_matches("examples/");
        format!("- [`{name}`]({name}): {}", first(&script))
    });
    assert_eq!(listed, wanted.collect::<Vec<_>>());
}

/// The scripts of the folder, in order.
fn scripts() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(lab::root("examples")) else { return Vec::new() };
    let mut scripts: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    scripts.retain(|path| path.extension().is_some_and(|extension| extension == "arr"));
    scripts.sort();
    scripts
}

/// `examples/NAME.arr`
fn named(script: &Path) -> String {
    script.strip_prefix(lab::root("")).expect("below the root").display().to_string()
}

fn text(script: &Path) -> String {
    std::fs::read_to_string(script).expect("the script is there")
}

/// What is wrong with an example.
fn differs(script: &Path) -> Option<String> {
    let name = named(script);
    let Ok(wanted) = std::fs::read_to_string(script.with_extension("out")) else {
        return Some(format!("{name} has no expected output: {}", script.with_extension("out").display()));
    };
    let elsewhere = shell::Folder::new();
    let found = elsewhere.arr(&[&script.to_string_lossy()]);
    match found.code == 0 && found.stdout == wanted {
        true => None,
        false => Some(format!("{name} ends with {} and prints\n{}{}", found.code, found.stdout, found.stderr)),
    }
}
