//! The porting guide, `examples/porting`: it shows what the command prints, and what it advises works.

use crate::{docs, lab, shell};

const SYSTEMS: [&str; 2] = ["numpy", "jax"];

/// The scripts of a folder, in the order of their names.
fn scripts(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(lab::root(folder)).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("names are text"));
    let mut found: Vec<String> = names.filter(|name| name.strip_suffix(".arr").is_some()).collect();
    found.sort();
    found
}

#[test]
fn the_guide_shows_what_the_command_prints() {
    let text = std::fs::read_to_string(lab::root("examples/porting/README.md")).expect("the guide is there");
    let commands = docs::commands(&text);
    assert!(commands.len() >= 2 * scripts("examples/porting").len());
    for (line, command, wanted) in commands {
        let found = shell::arr_in(&lab::root(""), &command, "");
        assert!(found.code <= 1, "{command:?} ends with {}", found.code);
        assert_eq!(found.stdout.trim_end(), wanted, "line {line}: {command:?}\n{}", found.stderr);
    }
}

#[test]
fn every_program_changes_until_it_is_ported() {
    let names = scripts("examples/porting");
    assert!(names.len() == 5 && names == scripts("examples/porting/ported"), "{names:?}");
    for name in names {
        let compare = |folder: &str| {
            let path = format!("{folder}/{name}");
            let found = shell::arr_in(&lab::root(""), &["check", "--compare", "numpy,jax", &path], "");
            assert_eq!((found.code, found.stderr.as_str()), (0, ""), "{path}");
            found.stdout
        };
        assert!(compare("examples/porting").lines().count() > 4, "{name}");
        assert!(compare("examples/porting/ported").contains("every expression has the same dtype"), "{name}");
        for system in SYSTEMS {
            let path = format!("examples/porting/ported/{name}");
            let check = ["check", "--system", system, "--mode", "safe", &path];
            let found = shell::arr_in(&lab::root(""), &check, "");
            assert_eq!((found.code, found.stderr.as_str()), (0, ""), "{path} under {system}");
        }
    }
}
