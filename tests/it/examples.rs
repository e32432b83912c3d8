//! Every `examples/NAME.arr` prints exactly `examples/NAME.out`; `NAME.args` holds its arguments, one or more a line.

use crate::lab;
use crate::shell;
use std::path::Path;

#[test]
fn every_example_prints_its_expected_output() {
    let Ok(entries) = std::fs::read_dir(lab::root("examples")) else { return };
    let mut scripts: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    scripts.retain(|path| path.extension().is_some_and(|extension| extension == "arr"));
    scripts.sort();
    let failures: Vec<String> = scripts.iter().filter_map(|script| differs(script)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// What is wrong with an example. Arguments name files as seen from the repository's folder.
fn differs(script: &Path) -> Option<String> {
    let name = script.strip_prefix(lab::root("")).expect("below the root").display().to_string();
    let Ok(wanted) = std::fs::read_to_string(script.with_extension("out")) else {
        return Some(format!("{name} has no expected output: {}", script.with_extension("out").display()));
    };
    let mut command = vec!["run".to_owned(), name.clone()];
    command.extend(std::fs::read_to_string(script.with_extension("args")).iter().flat_map(|text| lab::words(text)));
    let found = shell::arr_in(&lab::root(""), &command, "");
    match found.code == 0 && found.stdout == wanted {
        true => None,
        false => Some(format!("{name} ends with {} and prints\n{}{}", found.code, found.stdout, found.stderr)),
    }
}
