//! The lints of the root, which the fuzz targets have too.
//!
//! Lints of a package end at its workspace, and the fuzz targets have one of their own. What the root says stands there
//! once more.

use crate::lab;

/// The lines of the tables of lints in a manifest, without reasons.
fn lints(manifest: &str) -> Vec<String> {
    let text = std::fs::read_to_string(lab::root(manifest)).expect("the manifest is readable");
    let mut tables = Vec::new();
    for table in text.split("\n[").filter(|table| table.starts_with("lints.")) {
        let lines = table.lines().map(|line| line.split(" # ").next().unwrap_or(line).trim());
        tables.extend(lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned));
    }
    tables.sort();
    tables
}

#[test]
fn fuzz_targets_have_the_lints_of_the_root() {
    let root = lints("Cargo.toml");
    assert!(root.len() > 30, "{root:#?}");
    assert_eq!(lints("fuzz/Cargo.toml"), root);
}

/// A lint that is off says why, on its line or on the first of those that are alike.
#[test]
fn a_lint_that_is_off_says_why() {
    let text = std::fs::read_to_string(lab::root("Cargo.toml")).expect("the manifest is readable");
    let off = text.lines().filter(|line| line.ends_with("\"allow\""));
    assert_eq!(off.collect::<Vec<_>>(), Vec::<&str>::new());
}
