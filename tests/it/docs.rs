//! Everything that the documentation claims to print is printed.

use crate::lab;
use crate::shell::{self, Folder};
use arrlang::array::show::{Show, array_text};
use arrlang::ops::{self, Form, Notation};
use arrlang::promotion::systems;
use arrlang::promotion::verdict::Mode;
use arrlang::session::Input;

#[test]
fn every_example_of_a_builtin_prints_its_value() {
    let mut failures = Vec::new();
    for op in ops::all() {
        for (expression, value) in op.examples {
            let reply = lab::session(Mode::All).evaluate(&Input::new("example", expression));
            if lab::lacks_a_library(&reply.diagnostics) {
                continue;
            }
            let printed: Vec<String> =
                reply.values.iter().map(|value| array_text(&value.array, &Show::default())).collect();
            // An array is documented as it is written, with commas.
            let written = lab::session(Mode::All).evaluate(&Input::new("value", value));
            let written = written.values.first().map(|value| array_text(&value.array, &Show::default()));
            if printed.join(", ") != *value && (printed.len() != 1 || printed.first() != written.as_ref()) {
                let found = if printed.is_empty() { lab::messages(&reply.diagnostics) } else { printed };
                failures.push(format!("{}: {expression} is {found:?}, and {value} is documented", op.name));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_builtin_is_documented() {
    for op in ops::all() {
        assert!(!op.summary.is_empty() && !op.summary.ends_with('.'), "{}: a summary without a full stop", op.name);
        assert!(!op.special.ends_with('.'), "{}: edges without a full stop", op.name);
        assert!(!op.examples.is_empty(), "{}: at least one example", op.name);
        // What is made of nothing, of NaN or of a misfit is a question that these always raise.
        let whole = matches!(op.form, Form::Fold(_) | Form::Scan(_) | Form::Make(_));
        assert!(!whole || !op.special.is_empty(), "{}: what happens at the edges", op.name);
        let mut names: Vec<&str> = op.params.iter().map(|param| param.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), op.params.len(), "{}: parameters have names of their own", op.name);
        assert!(std::ptr::eq(ops::find(op.name).expect("found by its name"), op), "{} is there twice", op.name);
    }
}

#[test]
fn doc_shows_every_builtin_and_system() {
    let folder = Folder::new();
    let index = folder.arr(&["doc"]);
    assert_eq!(index.code, 0);
    for op in ops::all() {
        assert!(index.stdout.contains(op.summary), "{} is in the index", op.name);
    }
    // A page each: the names are asked for in one go, as starting a process for each would take long.
    let json = folder.arr(&["doc", "--format", "json"]);
    let rows: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let names: Vec<&str> =
        rows["builtins"].as_array().expect("a list").iter().filter_map(|row| row["name"].as_str()).collect();
    assert_eq!(names, ops::all().map(|op| op.name).collect::<Vec<_>>());
    for name in names {
        let page = folder.arr(&["doc", name]);
        assert_eq!(page.code, 0, "arr doc {name}: {}", page.stderr);
        assert!(page.stdout.starts_with(&ops::find(name).expect("a row").signature()), "{}", page.stdout);
    }
    let listed = folder.arr(&["doc", "systems"]).stdout;
    for system in systems::ALL.iter() {
        assert!(listed.contains(system.name));
        assert_eq!(folder.arr(&["doc", system.name]).code, 0);
    }
    let unknown = folder.arr(&["doc", "sqrrt"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (2, ""));
    assert!(unknown.stderr.contains("there is `sqrt`"), "{}", unknown.stderr);
}

/// `docs/language.md` is what `arr doc language --format markdown` prints; `ARR_UPDATE=1` writes it. The test `spec`
/// runs its programs.
#[test]
fn the_reference_is_current_and_whole() {
    let folder = Folder::new();
    let printed = folder.arr(&["doc", "language", "--format", "markdown"]).stdout;
    let path = lab::root("docs/language.md");
    if std::env::var_os("ARR_UPDATE").is_some() {
        std::fs::write(&path, &printed).expect("the reference is written");
    }
    let kept = std::fs::read_to_string(&path).expect("the reference is readable");
    assert!(kept == printed, "docs/language.md is out of date: run the tests with ARR_UPDATE=1");
    for op in ops::all() {
        assert!(printed.contains(&format!("- **`{}`**", op.signature())), "{} has a row", op.name);
        assert!(printed.contains(op.summary) && printed.contains(op.special), "{} is described", op.name);
    }
    let operators = folder.arr(&["doc", "operators", "--format", "markdown"]).stdout;
    for op in ops::all().filter(|op| matches!(op.notation, Some(Notation::Infix(_) | Notation::Prefix(_)))) {
        let row = format!("\n| `{}` |", op.usage().replace('|', "\\|"));
        assert_eq!(operators.matches(&row).count(), 1, "{row}");
    }
    for topic in [
        "literals",
        "types",
        "statements",
        "functions",
        "loops",
        "indexing",
        "files",
        "operators",
        "builtins",
        "edges",
        "limits",
    ] {
        let chapter = folder.arr(&["doc", topic, "--format", "markdown"]);
        assert_eq!(chapter.code, 0, "{}", chapter.stderr);
        assert!(chapter.stdout.starts_with("## ") && printed.contains(chapter.stdout.trim_end()), "{topic}");
        assert!(folder.arr(&["doc"]).stdout.contains(topic), "{topic} is in the index");
    }
}

/// Words of the language have the chapter that they are about, drawn within 80 columns and without marks of Markdown.
#[test]
fn words_of_the_language_have_pages() {
    let folder = Folder::new();
    for (word, says) in [
        ("input", "a value from the command line"),
        ("csv", "The first line of a table names its columns"),
        ("dtypes", "The dtypes are"),
        ("slice", "`low:high:step`"),
        ("@", "Product of two matrices"),
        ("loops", "carries states from step to step"),
        ("repeat", "The word stands in the language too: `arr doc loops`"),
        ("scan", "goes through the rows of arrays"),
        ("language", "A script is a list of statements"),
    ] {
        let page = folder.arr(&["doc", word]);
        let words = page.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.code == 0 && words.contains(says), "{word}: {}", page.stdout);
        let raw = |line: &str| line.starts_with('#') || line.contains("```") || line.contains("| ---");
        assert!(!page.stdout.lines().any(raw), "{word}: {}", page.stdout);
    }
}

/// What is written differently elsewhere is answered by how it is written here.
#[test]
fn likely_slips_have_their_messages() {
    let slips = [
        ("min([1, 2], [3, 4])", "wrong-arguments", "write `minimum(x, y)`"),
        ("let a = [1.5]\nmax(a, 0)", "wrong-arguments", "along an axis write `max(a, axis=0)`"),
        ("let x = [1.5, 2]\nx[len(x)/2]", "not-an-index", "for a quotient of integers write `//`"),
        ("let [a, b] = [1, 2]", "unexpected-token", "several names stand in parentheses: `let (a, b) = …`"),
        ("(x = 2)", "assignment-in-expression", "to compare, write `==`"),
        ("[1.5] ^ 2", "unsupported-dtype", "a power is written `**`"),
        ("2 ^ 3", "xor-as-power", "a power is written `**`"),
        ("let a = [3i32]\na ^ 2", "xor-as-power", "a power is written `**`"),
        ("float([1])", "unknown-dtype", "write `f64(…)`"),
        ("int([1])", "unknown-dtype", "write `i64(…)`"),
        ("double([1])", "unknown-dtype", "write `f64(…)`"),
        ("true && false", "c-operator", "write `and`"),
        ("true || false", "c-operator", "write `or`"),
        ("!true", "c-operator", "write `not`"),
        ("let a = 1\nsum([1, 2], a=1)", "wrong-arguments", "to compare, write `a == …`"),
        ("let a = [1.5]\na > 0 & a > 0", "unsupported-dtype", "`and`"),
        ("let a = [1i32]\na > 0 & a > 0", "bitwise-precedence", "&"),
    ];
    for (text, finding, advice) in slips {
        let reply = lab::session(Mode::All).evaluate(&Input::new("slip", text));
        let found = reply.diagnostics.iter().find(|diagnostic| diagnostic.code.name == finding);
        let found = found.unwrap_or_else(|| panic!("{text}: {:?}", lab::messages(&reply.diagnostics)));
        let shown = format!("{found:?}");
        assert!(shown.contains(advice), "{text}: {shown}");
    }
}

#[test]
fn the_readme_and_the_pages_show_what_the_command_prints() {
    let mut failures = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(lab::root(&page)).expect("the page is readable");
        for (line, command, wanted) in commands(&text) {
            let found = shell::arr_in(&lab::root(""), &command, "");
            let fits = match wanted.strip_prefix("error: ") {
                Some(code) => found.code == 1 && found.stderr.contains(&format!("Error[{}", code.trim())),
                None => found.code == 0 && found.stdout.trim_end() == wanted,
            };
            if !fits {
                failures.push(format!("{page}:{line}: {command:?}\n{wanted}\nfound\n{}{}", found.stdout, found.stderr));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Code stands on the page in part: `…` is what is left out. What asks for a level that this processor lacks is skipped.
#[test]
fn the_page_of_the_architecture_shows_the_code_that_is_made() {
    let page = std::fs::read_to_string(lab::root("docs/architecture.md")).expect("the page is readable");
    let blocks: Vec<&str> = page.split("```text\n").skip(1).filter_map(|rest| rest.split("\n```").next()).collect();
    let shown: Vec<_> = blocks.iter().filter_map(|block| block.strip_prefix("$ ")?.split_once('\n')).collect();
    assert_eq!(shown.len(), 2, "Cranelift's form, and assembly");
    for (line, wanted) in shown {
        let (setting, command) = line.split_once("arr ").expect("it calls `arr`");
        let mut process = shell::command(&lab::root(""), &lab::words(command));
        if let Some((name, value)) = setting.trim().split_once('=') {
            process.env(name, value);
        }
        let found = shell::finish(process, b"");
        assert_eq!(found.code, 0, "{line}: {}", found.stderr);
        if found.stderr.contains("this processor has no") {
            continue;
        }
        let mut rest = found.stdout.as_str();
        for piece in wanted.split('…').map(|piece| piece.trim_matches('\n')).filter(|piece| !piece.is_empty()) {
            let at = rest.find(piece);
            let at = at.unwrap_or_else(|| panic!("{line}\n{piece}\nis not in\n{}", found.stdout));
            rest = &rest[at + piece.len()..];
        }
    }
}

/// Every form that can be printed has a place on the page of the architecture.
#[test]
fn the_page_of_the_architecture_has_every_form() {
    let page = std::fs::read_to_string(lab::root("docs/architecture.md")).expect("the page is readable");
    let help = shell::arr_in(&lab::root(""), &["eval", "--help"], "").stdout;
    let values = help.split("--emit").nth(1).and_then(|rest| rest.split("possible values:").nth(1));
    let values = values.and_then(|rest| rest.split(']').next()).expect("the help lists the forms");
    for form in values.split(',').map(str::trim) {
        assert!(page.contains(&format!("\n| `{form}` |")), "{form} has a row");
        assert!(page.contains(&format!(" --emit {form}\n")), "{form} is shown");
    }
}

/// Links lead to files that are there.
#[test]
fn links_of_the_pages_lead_somewhere() {
    for page in pages().into_iter().chain(["examples/README.md".to_owned()]) {
        let text = std::fs::read_to_string(lab::root(&page)).expect("the page is readable");
        let folder = lab::root(&page).parent().expect("a page is in a folder").to_path_buf();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or(link);
            let elsewhere = path.is_empty() || path.contains("://");
            assert!(elsewhere || folder.join(path).exists(), "{page} links {link}");
        }
    }
}

/// The README and the pages of `docs`.
fn pages() -> Vec<String> {
    let entries = std::fs::read_dir(lab::root("docs")).expect("there are pages");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut pages: Vec<String> =
        names.filter(|name| name.strip_suffix(".md").is_some()).map(|name| format!("docs/{name}")).collect();
    pages.push("README.md".to_owned());
    pages.sort();
    pages
}

/// The commands of blocks of `sh`, `$ arr …`, each with the lines that follow it.
pub(crate) fn commands(text: &str) -> Vec<(usize, Vec<String>, String)> {
    let mut found: Vec<(usize, Vec<String>, String)> = Vec::new();
    let mut block = None;
    for (index, line) in text.lines().enumerate() {
        if let Some(info) = line.strip_prefix("```") {
            block = if block.is_none() { Some(info == "sh") } else { None };
        } else if block == Some(true) {
            if let Some(command) = line.strip_prefix("$ arr ") {
                found.push((index + 1, lab::words(command), String::new()));
            } else if let Some((_, _, wanted)) = found.last_mut().filter(|_| !line.starts_with("cargo")) {
                wanted.push_str(line);
                wanted.push('\n');
            }
        }
    }
    found.iter_mut().for_each(|(_, _, wanted)| wanted.truncate(wanted.trim_end().len()));
    found
}

/// The text of a file, or of the files of a folder.
fn text_of(path: &std::path::Path) -> String {
    if path.is_file() {
        return std::fs::read_to_string(path).expect("sources are readable");
    }
    let entries = std::fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    entries.map(|entry| text_of(&entry.expect("an entry").path())).collect()
}

/// The page of the tests says where each property is searched, and which variable makes the search longer.
#[test]
fn properties_are_searched_where_the_page_says() {
    let page = std::fs::read_to_string(lab::root("tests/README.md")).expect("the page is readable");
    let section = page.split("## What is searched at random").nth(1).and_then(|rest| rest.split("\n## ").next());
    let rows = section.expect("the section is there").lines().filter(|line| line.starts_with("| ")).skip(1);
    let (mut searches, mut wrong) = (0, Vec::new());
    for row in rows.filter(|row| !row.starts_with("| property") && !row.starts_with("| ---")) {
        let quoted: Vec<&str> = row.rsplit(" | ").take(2).flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
        let (variables, files): (Vec<&str>, Vec<&str>) = quoted.into_iter().partition(|word| word.starts_with("ARR_"));
        let files = files.iter().filter(|file| file.contains('/'));
        let text: String = files
            .map(|file| if file.starts_with("it/") { format!("tests/{file}") } else { (*file).to_owned() })
            .map(|file| text_of(&lab::root(&file)))
            .collect();
        searches += usize::from(!text.is_empty());
        wrong.extend(variables.into_iter().filter(|name| !text.contains(&format!("\"{name}\""))).map(str::to_owned));
    }
    assert!(searches >= 12, "{searches} rows name files");
    assert!(wrong.is_empty(), "nobody reads {wrong:?}");
}
