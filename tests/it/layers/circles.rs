//! Imports between the files of a module go one way too.
//!
//! A file imports another when a path in its code leads there. A folder's own page may name what lies in the folder: it
//! is the table of contents.

use super::{is_test, sources};
use std::collections::{BTreeMap, BTreeSet};

type Path = Vec<String>;

/// `src/exec/fold/mod.rs` is `exec::fold`.
fn module_path(file: &str) -> Path {
    let inside = file.strip_prefix("src/").and_then(|file| file.strip_suffix(".rs")).unwrap_or(file);
    let inside = inside.strip_suffix("/mod").unwrap_or(inside);
    inside.split('/').map(str::to_owned).collect()
}

/// The paths of a tree of imports: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expand(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, group)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or(tree).trim().to_owned()];
    };
    let group = group.strip_suffix('}').unwrap_or(group);
    let (mut items, mut depth) = (vec![String::new()], 0);
    for c in group.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match items.last_mut() {
            Some(item) if c != ',' || depth > 0 => item.push(c),
            _ => items.push(String::new()),
        }
    }
    let items = items.iter().filter(|item| !item.trim().is_empty());
    items.flat_map(|item| expand(item)).map(|path| format!("{before}{path}")).collect()
}

/// The paths that code names, in imports and elsewhere.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = String::new();
    for (index, part) in code.split("use ").enumerate() {
        let begins = index > 0 && code.contains("use ");
        match part.split_once(';').filter(|_| begins) {
            Some((tree, after)) => {
                found.extend(expand(tree));
                rest.push_str(after);
            }
            None => rest.push_str(part),
        }
    }
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = rest.split(|c: char| !is_path(c)).filter(|word| word.contains("::"));
    found.extend(words.map(str::to_owned));
    found
}

/// The file that a path leads to from another file.
fn target(from: &Path, path: &str, files: &BTreeMap<Path, BTreeSet<Path>>) -> Option<Path> {
    let mut base = from.clone();
    let mut words = path.split("::").map(str::trim).peekable();
    match words.peek().copied() {
        Some("crate") => {
            words.next();
            base.clear();
        }
        Some("self" | "super") => {
            while let Some(word) = words.next_if(|word| ["self", "super"].contains(word)) {
                if word == "super" {
                    base.pop();
                }
            }
        }
        Some(first) => {
            base.push(first.to_owned());
            if !files.contains_key(&base) {
                return None;
            }
            words.next();
        }
        None => return None,
    }
    base.extend(words.map(str::to_owned));
    (1..=base.len()).rev().map(|len| base[..len].to_vec()).find(|path| files.contains_key(path))
}

/// The files that can be reached.
fn reached(from: &Path, files: &BTreeMap<Path, BTreeSet<Path>>) -> BTreeSet<Path> {
    let (mut seen, mut left) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(file) = left.pop() {
        let next = files[&file].iter().filter(|path| seen.insert((*path).clone()));
        left.extend(next.cloned().collect::<Vec<_>>());
    }
    seen
}

/// The circles between files.
fn circles(sources: &[(String, String)]) -> BTreeSet<Vec<String>> {
    let mut files: BTreeMap<Path, BTreeSet<Path>> =
        sources.iter().map(|(file, _)| (module_path(file), BTreeSet::new())).collect();
    for (file, code) in sources {
        let from = module_path(file);
        let leads = paths(code).iter().filter_map(|path| target(&from, path, &files)).collect::<BTreeSet<_>>();
        let ties = leads.into_iter().filter(|to| *to != from && !to.starts_with(&from)).collect();
        files.insert(from, ties);
    }
    let ahead: BTreeMap<&Path, BTreeSet<Path>> = files.keys().map(|file| (file, reached(file, &files))).collect();
    let back = ahead.keys().filter(|file| ahead[**file].contains(**file));
    let circle = |file: &Path| {
        let both = ahead[file].iter().filter(|other| ahead[*other].contains(file));
        both.map(|path| path.join("/")).collect()
    };
    back.map(|file| circle(file)).collect()
}

#[test]
fn imports_between_files_go_one_way() {
    let sources: Vec<_> = sources().into_iter().filter(|(file, _)| !is_test(file)).collect();
    assert_eq!(circles(&sources), BTreeSet::new());
}

#[test]
fn a_circle_is_found_and_a_table_of_contents_is_none() {
    let file = |name: &str, code: &str| (format!("src/exec/{name}.rs"), code.to_owned());
    let page = file("mod", "mod a;\nuse a::A;\npub struct Ground;");
    let apart = [page.clone(), file("a", "use super::Ground;\nuse super::b::{B, C};"), file("b", "struct B;")];
    assert_eq!(circles(&apart), BTreeSet::new());
    let round = [page, file("a", "use super::b::{B, C};"), file("b", "fn b() { crate::exec::a::A }")];
    assert_eq!(circles(&round), BTreeSet::from([vec!["exec/a".to_owned(), "exec/b".to_owned()]]));
}
