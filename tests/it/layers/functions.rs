//! The name of a function that other files call says what it does: `draw`, `open_file`, `length_of`.
//!
//! A participle hides it: `drawn` may print, `opened` may fail. Constructors of something with a property may have one.

use super::{is_test, sources};
use std::collections::BTreeSet;

/// Words with the ending of a participle that name functions, each in one file or several. None is added.
const PARTICIPLES: &str = "
    fixed interrupted seed stated styled uncalled unexpected unexplained unlocated unnamed unsigned zeroed
";

/// The name of the function that a line defines for other files.
fn public(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (visibility, after) = line.split_once("fn ")?;
    let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    visibility.starts_with("pub").then_some(name)
}

#[test]
fn functions_say_what_they_do() {
    let known: BTreeSet<&str> = PARTICIPLES.split_whitespace().collect();
    let (mut wrong, mut unused) = (Vec::new(), known.clone());
    for (file, code) in sources().iter().filter(|(file, _)| !is_test(file)) {
        for name in code.lines().filter_map(public).filter(|name| name.ends_with("ed") && !name.contains('_')) {
            if !known.contains(name) {
                wrong.push(format!("{file}: {name}"));
            }
            unused.remove(name);
        }
    }
    assert!(wrong.is_empty(), "a verb, or a noun for what is given: {wrong:#?}");
    assert!(unused.is_empty(), "no function is called so: {unused:#?}");
}
