//! The first sentence of a page names what the file is, in few words.
//!
//! Its subject is a noun, so it begins with no question word. A file of two concepts is two files, so there is no `and`.
//! A colon parts the name of the concept from more about it, which is short too.

use super::texts;
use std::collections::{BTreeMap, BTreeSet};

const QUESTIONS: &[&str] = &["How", "What", "Where", "Which", "Whether", "When", "Why", "Who", "Whose"];

/// The most words up to a colon, a semicolon or the end.
const MAX_NAME_WORDS: usize = 14;
/// The most words of a first sentence.
const MAX_WORDS: usize = 24;

/// Pages whose first sentences say `and` behind the colon, most of them in a list of what the concept has. No page is
/// added.
const LISTS: &[&str] = &[
    "src/array/json.rs",
    "src/array/mod.rs",
    "src/check/infer/along_axes/mod.rs",
    "src/check/infer/along_axes/reduce.rs",
    "src/check/infer/creation/range.rs",
    "src/check/infer/functions/library.rs",
    "src/check/infer/indexing/replace.rs",
    "src/check/infer/layout/block.rs",
    "src/cli/doc.rs",
    "src/cli/laws.rs",
    "src/cli/page/markdown.rs",
    "src/cli/repl/commands/plot/mod.rs",
    "src/diagnostic/codes/dtypes.rs",
    "src/diagnostic/codes/inputs.rs",
    "src/diagnostic/codes/names.rs",
    "src/diagnostic/codes/views.rs",
    "src/exec/jit/object/routines/lines.rs",
    "src/exec/jit/object/whole_axes.rs",
    "src/exec/routine/mod.rs",
    "src/exec/routine/vector/mod.rs",
    "src/exec/stores.rs",
    "src/exec/tests/places.rs",
    "src/ops/quantiles.rs",
    "src/ops/sets.rs",
    "src/ops/spectra.rs",
    "src/scalar/math/angle.rs",
    "src/scalar/mod.rs",
    "src/session/text.rs",
    "src/syntax/string.rs",
];

/// The words of the first sentence of a text's page, up to a full stop or a question mark.
fn first_sentence(text: &str) -> Vec<&str> {
    let page = text.lines().skip_while(|line| !line.starts_with("//!")).map_while(|line| line.strip_prefix("//!"));
    let words = page.take_while(|line| !line.is_empty()).flat_map(str::split_whitespace);
    up_to(&['.', '?'], words)
}

/// Words up to the first that ends in one of the signs.
fn up_to<'t>(signs: &[char], words: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut found = Vec::new();
    for word in words {
        found.push(word);
        if word.ends_with(signs) {
            break;
        }
    }
    found
}

#[test]
fn pages_begin_with_a_noun() {
    let mut wrong = Vec::new();
    for (file, text) in texts() {
        let sentence = first_sentence(&text);
        let name = up_to(&['.', ':', ';', '?'], sentence.iter().copied());
        let is_short = (1..=MAX_NAME_WORDS).contains(&name.len()) && sentence.len() <= MAX_WORDS;
        if !is_short || QUESTIONS.contains(&name[0]) || name.contains(&"and") {
            wrong.push(format!("{file}: {}", sentence.join(" ")));
        }
    }
    assert!(
        wrong.is_empty(),
        "begin with a noun, without `and`, in at most {MAX_NAME_WORDS} words, {MAX_WORDS} with what follows a colon: \
         {wrong:#?}"
    );
}

#[test]
fn pages_name_one_concept() {
    let mut lists: BTreeSet<&str> = LISTS.iter().copied().collect();
    let mut wrong = Vec::new();
    for (file, text) in texts() {
        let sentence = first_sentence(&text);
        if sentence.contains(&"and") && !lists.remove(file.as_str()) {
            wrong.push(format!("{file}: {}", sentence.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "two concepts are two files, or what goes with one is a second sentence: {wrong:#?}");
    assert!(lists.is_empty(), "these have no `and`, so they leave the list: {lists:#?}");
}

#[test]
fn pages_begin_with_different_sentences() {
    let texts = texts();
    let mut pages: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (file, text) in &texts {
        pages.entry(first_sentence(text).join(" ")).or_default().push(file);
    }
    pages.retain(|_, files| files.len() > 1);
    assert!(pages.is_empty(), "what do these files have of their own? {pages:#?}");
}

/// A page with a table of files names all of its folder, and no other. That of `ops` leaves out the files of rows.
#[test]
fn tables_of_files_list_what_is_there() {
    let mut wrong = Vec::new();
    for (file, text) in texts() {
        let rows = text.lines().filter_map(|line| line.strip_prefix("//! | `")?.split(" |").next());
        let listed: BTreeSet<&str> = rows.flat_map(|row| row.split('`').step_by(2)).collect();
        let modules = text.lines().filter_map(|line| line.strip_suffix(';')?.rsplit_once("mod ").map(|(_, name)| name));
        let modules: BTreeSet<&str> = modules.filter(|name| *name != "tests").collect();
        if file.ends_with("/mod.rs") && file != "src/ops/mod.rs" && !listed.is_disjoint(&modules) {
            let page: String = text.lines().filter(|line| line.starts_with("//!")).collect();
            let missing = modules.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect::<Vec<_>>();
            let stale = listed.iter().filter(|name| !text.contains(&format!("mod {name};"))).collect::<Vec<_>>();
            if !missing.is_empty() || !stale.is_empty() {
                wrong.push(format!("{file}: not listed {missing:?}, not there {stale:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
