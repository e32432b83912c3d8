//! Every `unsafe fn` of our own says what its caller must see to.
//!
//! A section of the docs says it: that of the function, or that of the trait which the function is a method of. A
//! method that implements a trait has nothing to say.

use super::{is_test, sources, texts};

/// How the section begins.
const SECTION: &str = "/// # Safety";

#[test]
fn unsafe_functions_say_what_callers_must_see_to() {
    let mut wrong = Vec::new();
    for (file, text) in texts().into_iter().filter(|(file, _)| !is_test(file)) {
        let lines: Vec<&str> = text.lines().collect();
        for at in (0..lines.len()).filter(|&at| is_unsafe_function(lines[at])) {
            if !has_section(&lines, at) && !owner_says(&lines, at) {
                wrong.push(format!("{file}:{}: {}", at + 1, lines[at].trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "no section `# Safety`: {wrong:#?}");
}

/// The permission of a page holds for its folder, so a file asks for its own.
#[test]
fn unsafe_code_is_expected_by_its_own_file() {
    let begins = ["{", "fn ", "impl", "trait ", "extern "].map(|next| format!("unsafe {next}"));
    let has_some = |code: &str| begins.iter().any(|words| code.contains(words));
    let wrong = sources().into_iter().filter(|(_, text)| has_some(text) && !text.contains("expect(unsafe_code"));
    let wrong: Vec<String> = wrong.map(|(file, _)| file).collect();
    assert!(wrong.is_empty(), "`#![expect(unsafe_code, reason = \"…\")]` says why: {wrong:#?}");
}

fn is_unsafe_function(line: &str) -> bool {
    let line = line.trim();
    let begins = ["unsafe ", "pub ", "pub(", "const "].iter().any(|word| line.starts_with(word));
    begins && (line.contains("unsafe fn ") || line.contains("unsafe extern \"C\" fn "))
}

/// The docs and the attributes of what begins at a line, from the last one up.
fn head<'l>(lines: &[&'l str], at: usize) -> Vec<&'l str> {
    let above = lines[..at].iter().rev().map(|line| line.trim());
    let belongs = |line: &&str| line.starts_with("///") || !line.is_empty() && !line.ends_with(['{', '}', ';']);
    above.take_while(belongs).collect()
}

fn has_section(lines: &[&str], at: usize) -> bool {
    head(lines, at).iter().any(|line| line.starts_with(SECTION))
}

/// Whether that in which a function stands says it: a trait, the trait of an implementation, or whoever uses a macro.
fn owner_says(lines: &[&str], at: usize) -> bool {
    let Some(owner) = owner(lines, at) else { return false };
    let begin = lines[owner..at].join(" ");
    let begin = begin.split('{').next().unwrap_or(&begin).trim();
    if let Some(name) = begin.strip_prefix("macro_rules! ") {
        let has_docs_of_users = head(lines, at).contains(&"$(#[$doc])*");
        return has_docs_of_users && users_say(lines, name.trim());
    }
    if begin.starts_with("impl") || begin.starts_with("unsafe impl") {
        return begin.contains(" for ");
    }
    begin.contains("trait ") && has_section(lines, owner)
}

/// The line that begins what a function stands in.
fn owner(lines: &[&str], at: usize) -> Option<usize> {
    const BEGIN: [&str; 9] =
        ["impl", "unsafe impl", "trait ", "unsafe trait ", "fn ", "unsafe fn ", "mod ", "macro_rules! ", "pub"];
    let indent = |line: &str| line.len() - line.trim_start().len();
    let begins = |line: &str| BEGIN.iter().any(|word| line.trim().starts_with(word));
    (0..at).rev().find(|&above| indent(lines[above]) < indent(lines[at]) && begins(lines[above]))
}

/// Whether the section stands wherever a macro is used in its file.
fn users_say(lines: &[&str], name: &str) -> bool {
    let begin = format!("{name}! {{");
    let mut uses = (0..lines.len()).filter(|&line| lines[line] == begin);
    uses.all(|at| lines[at..].iter().take_while(|line| **line != "}").any(|line| line.trim().starts_with(SECTION)))
}
