//! The name of a type means one thing in the whole crate, and is a noun.

use super::{is_test, sources};
use std::collections::{BTreeMap, BTreeSet};

/// Names that two files give to types of their own, and why.
const SHARED: &[(&str, &str)] = &[
    ("Level", "one is how much a finding weighs, the other which instructions a processor has; no file names both"),
    ("Operand", "that of `promotion` is what a system knows of the checker's, which names it by its path"),
];

/// The name of the type that a line at the left margin defines.
fn defined(line: &str) -> Option<&str> {
    if line.starts_with(' ') {
        return None;
    }
    let rest = line.strip_prefix("pub").map_or(line, |rest| match rest.strip_prefix('(') {
        Some(inside) => inside.split_once(')').map_or(rest, |(_, rest)| rest),
        None => rest,
    });
    let rest = rest.trim_start_matches(' ').trim_start_matches("unsafe ");
    let (kind, rest) = rest.split_once(' ')?;
    let is_type = ["struct", "enum", "union", "trait", "type"].contains(&kind);
    is_type.then(|| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(rest))
}

#[test]
fn a_type_name_means_one_thing() {
    let sources = sources();
    let mut files: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (file, code) in sources.iter().filter(|(file, _)| !is_test(file)) {
        for name in code.lines().filter_map(defined) {
            files.entry(name).or_default().insert(file);
        }
    }
    files.retain(|_, files| files.len() > 1);
    let unused: Vec<&str> = SHARED.iter().map(|(name, _)| *name).filter(|name| !files.contains_key(name)).collect();
    files.retain(|name, _| !SHARED.iter().any(|(known, _)| known == name));
    assert!(files.is_empty(), "{files:#?}");
    assert!(unused.is_empty(), "names of one type: {unused:#?}");
}

/// Words of which no type has its name: they say how something is, and not what.
const RIDDLES: &str = "
    As Asking Back Behind Beside Built Elsewhere Enter Free Given Half Inside Keep Known Lent Made Make Meeting Met
    Noting Over Pick Put Reading Running Shown Spot Strays Taken Told Under Wider Within
";

#[test]
fn types_have_nouns_for_names() {
    let riddles: Vec<&str> = RIDDLES.split_whitespace().collect();
    let mut wrong = Vec::new();
    for (file, code) in sources().iter().filter(|(file, _)| !is_test(file)) {
        for name in code.lines().filter_map(defined) {
            let words = name.chars().filter(char::is_ascii_uppercase).count();
            // `Unaligned<T>` is an element with a property, as `Wrapping<T>` is.
            let is_participle = words == 1 && name.ends_with("ed") && name != "Unaligned";
            if is_participle || riddles.contains(&name) {
                wrong.push(format!("{file}: {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
