//! Runs `tests/spec/**/*.md` and `docs/language.md`, the language as prose with programs whose values and findings
//! stand beside them, and `tests/corpus/*.md`, small programs for each finding: flagged, not flagged, proven away,
//! suppressed, fixed.
//!
//! The format is described in `tests/spec/README.md`. Everything that a program does must be stated: an unstated
//! value or finding fails just as a missing one.

use crate::lab;
use arrlang::check::Settings;
use arrlang::diagnostic::{Diagnostics, codes};
use arrlang::session::{Input, Preparation, Session};
use arrlang::types::shape;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A fenced block with the place it comes from.
struct Block {
    line: usize,
    heading: String,
    info: Vec<String>,
    text: String,
}

/// What a line of a program states.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Expect {
    /// `# => 3 : i*`
    Value(String),
    /// `# : f32[n]`
    Type(String),
    /// `# error: E0320 words of the message`, and `# warning: …`
    Finding { error: bool, code: String, words: String },
}

impl std::fmt::Display for Expect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expect::Value(text) => write!(f, "=> {text}"),
            Expect::Type(text) => write!(f, ": {text}"),
            Expect::Finding { error, code, words } => {
                write!(f, "{}: {code} {words}", if *error { "error" } else { "warning" })
            }
        }
    }
}

#[test]
fn the_language_does_what_its_chapters_say() {
    let blocks = every_program_does_what_is_stated("tests/spec");
    assert!(blocks > 0, "there are chapters");
}

#[test]
fn findings_are_raised_where_the_corpus_says() {
    let blocks = every_program_does_what_is_stated("tests/corpus");
    assert!(blocks >= 80, "{blocks} programs");
    for path in chapters(&lab::root("tests/corpus")) {
        let text = std::fs::read_to_string(&path).expect("files are readable");
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("names are text");
        assert!(codes::find(name).is_some(), "{name} is a finding");
        for heading in ["## Flagged", "## Not flagged", "## Suppressed", "## Fixed"] {
            assert!(text.contains(&format!("\n{heading}")), "{name} has `{heading}`");
        }
        assert!(text.contains(&format!(": {name}\n")), "{name} is raised");
    }
}

/// Runs the programs in the files of a folder; answers how many there are.
fn every_program_does_what_is_stated(folder: &str) -> usize {
    let (mut blocks, mut statements, mut failures) = (0, 0, Vec::new());
    let mut paths = chapters(&lab::root(folder));
    if folder == "tests/spec" {
        paths.push(lab::root("docs/language.md"));
    }
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("chapters are readable");
        let name = path.strip_prefix(lab::root("")).expect("chapters are in the package").display().to_string();
        for block in programs(&text) {
            blocks += 1;
            statements += expectations(&block.text).values().map(Vec::len).sum::<usize>();
            let found = std::panic::catch_unwind(|| run(&block));
            let found = found.unwrap_or_else(|_| vec![format!("{}: it panics", block.line)]);
            failures.extend(found.iter().map(|failure| format!("{name}:{failure}\n    in `{}`", block.heading)));
        }
    }
    println!("{blocks} programs, {statements} stated values, types and findings");
    assert!(failures.is_empty(), "{} of them fail:\n\n{}\n", failures.len(), failures.join("\n\n"));
    blocks
}

/// The texts of the programs in the files of a folder.
pub(crate) fn texts(folder: &str) -> Vec<String> {
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("chapters are readable");
    let chapters = chapters(&lab::root(folder));
    chapters.iter().flat_map(|path| programs(&read(path))).map(|block| block.text).collect()
}

/// Every `*.md` below a folder except its README, in the order of their names.
fn chapters(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(chapters(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") && !path.ends_with("README.md") {
            found.push(path);
        }
    }
    found
}

/// The blocks fenced as `arr`.
fn programs(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let (mut heading, mut open) = (String::new(), false);
    for (index, line) in text.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                let mut info = lab::words(info);
                open = true;
                if info.first().is_some_and(|first| first == "arr") {
                    info.remove(0);
                    found.push(Block { line: index + 1, heading: heading.clone(), info, text: String::new() });
                } else {
                    panic!("line {}: only ```arr blocks stand in chapters", index + 1);
                }
            }
            None if open => {
                let block = found.last_mut().expect("an open block was begun");
                let escaped = block.info.iter().any(|word| word == "escaped");
                block.text.push_str(&if escaped { unescaped(line) } else { line.to_owned() });
                block.text.push('\n');
            }
            None if line.starts_with('#') => line.trim_start_matches('#').trim().clone_into(&mut heading),
            None => {}
        }
    }
    found
}

/// What each line states. A line of nothing but statements speaks of the code above it.
fn expectations(text: &str) -> BTreeMap<usize, Vec<Expect>> {
    let mut found: BTreeMap<usize, Vec<Expect>> = BTreeMap::new();
    let mut code_line = 0;
    for (index, line) in text.lines().enumerate() {
        let marks = ["# => ", "# : ", "# error: ", "# warning: "];
        let starts: Vec<usize> = line
            .match_indices("# ")
            .map(|(at, _)| at)
            .filter(|&at| marks.iter().any(|m| line[at..].starts_with(m)))
            .collect();
        if starts.first().is_none_or(|&at| !line[..at].trim().is_empty()) {
            code_line = index + 1;
        }
        for (nth, &at) in starts.iter().enumerate() {
            let end = starts.get(nth + 1).copied().unwrap_or(line.len());
            found.entry(code_line).or_default().push(expectation(line[at..end].trim()));
        }
    }
    found
}

fn expectation(text: &str) -> Expect {
    if let Some(value) = text.strip_prefix("# => ") {
        return Expect::Value(lab::one_line(value));
    }
    if let Some(ty) = text.strip_prefix("# : ") {
        return Expect::Type(ty.trim().to_owned());
    }
    let error = text.starts_with("# error: ");
    let rest = text.split_once(": ").expect("the marks end so").1;
    let (code, words) = rest.split_once(' ').unwrap_or((rest, ""));
    assert!(codes::find(code).is_some(), "there is no code or finding `{code}`");
    Expect::Finding { error, code: code.to_owned(), words: words.trim().to_owned() }
}

/// `\r`, `\t`, `\0` and `\u{…}` in a block that says `escaped`.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let (c, length) = match rest.as_bytes().first() {
            Some(b'r') => ('\r', 1),
            Some(b't') => ('\t', 1),
            Some(b'0') => ('\0', 1),
            Some(b'u') => {
                let end = rest.find('}').expect("an escape is closed");
                let code = u32::from_str_radix(&rest[2..end], 16).expect("an escape is hexadecimal");
                (char::from_u32(code).expect("an escape is a character"), end + 1)
            }
            _ => ('\\', 0),
        };
        out.push(c);
        rest = &rest[length..];
    }
    out + rest
}

/// Runs one block; answers what differs, each as `LINE: what was stated, what was found`.
fn run(block: &Block) -> Vec<String> {
    let mut settings = Settings::default();
    let (mut only_check, mut whole, mut bindings) = (false, false, Vec::new());
    for word in &block.info {
        match word.split_once('=') {
            None if word == "check" => only_check = true,
            None if word == "linalg" => only_check = !cfg!(feature = "linalg"),
            None if word == "script" => whole = true,
            None if word == "escaped" => {}
            Some((option, value)) if lab::set(&mut settings, option, value) => {}
            _ => bindings.push(word.as_str()),
        }
    }
    let arguments = lab::arguments(bindings);
    let input = Input { arguments: &arguments, whole, ..Input::new("spec.arr", &block.text) };
    if let Some(failure) = broken_tree(block, &input, settings.clone()) {
        return vec![failure];
    }
    let mut session = Session { settings, ..Session::default() };
    let (values, diagnostics) = if only_check {
        let prepared = session.check(&input);
        (static_types(&prepared, &session), prepared.diagnostics)
    } else {
        let reply = session.evaluate(&input);
        let found = |value: &arrlang::session::ShownValue| (value.line, lab::shown(value), value.type_text());
        (reply.values.iter().map(found).collect(), reply.diagnostics)
    };
    compare(block, values, &diagnostics, &session)
}

/// Which rule of typed trees does not hold in that of a program, whatever is wrong with the program.
fn broken_tree(block: &Block, input: &Input, settings: Settings) -> Option<String> {
    let prepared = Session { settings, ..Session::default() }.check(input);
    let broken = prepared.checked.record.verify(&prepared.script, prepared.checked.program.as_ref());
    broken.err().map(|reason| format!("{}: {reason}", block.line))
}

/// Line and type of everything that a checked program would print.
fn static_types(prepared: &Preparation, session: &Session) -> Vec<(usize, String, String)> {
    let Some(program) = &prepared.checked.program else { return Vec::new() };
    let outputs = program.outputs.iter().zip(&prepared.checked.outputs);
    outputs
        .map(|(output, elem)| {
            let (line, _) = session.sources.line_column(output.span.source, output.span.start);
            (line, String::new(), format!("{elem}{}", shape::show(&program.node(output.node).shape)))
        })
        .collect()
}

fn compare(
    block: &Block,
    values: Vec<(usize, String, String)>,
    diagnostics: &Diagnostics,
    session: &Session,
) -> Vec<String> {
    let mut stated = expectations(&block.text);
    let mut failures = Vec::new();
    let at = |line: usize| block.line + line;
    for (line, value, ty) in values {
        let printed = Expect::Value(format!("{value} : {ty}"));
        let unseen = value.is_empty() && block.info.iter().any(|word| word == "linalg");
        let ends = format!(" : {ty}");
        let typed = Expect::Type(ty);
        if !take(&mut stated, line, |expect| {
            let stands = matches!(expect, Expect::Value(text) if text.ends_with(&ends));
            *expect == printed || *expect == typed || unseen && stands
        }) {
            let next = take_first(&mut stated, line, |expect| !matches!(expect, Expect::Finding { .. }));
            let wanted = next.map_or("nothing".to_owned(), |expect| expect.to_string());
            failures.push(format!("{}: stated {wanted}\n    found  {printed}", at(line)));
        }
    }
    for diagnostic in diagnostics {
        let place = diagnostic.span().map(|span| session.sources.line_column(span.source, span.start).0);
        let line = place.unwrap_or(0);
        let fits = |expect: &Expect| match expect {
            Expect::Finding { error, code, words } => {
                *error == diagnostic.is_error()
                    && (code == diagnostic.code.id || code == diagnostic.code.name)
                    && diagnostic.message.contains(words.as_str())
            }
            _ => false,
        };
        // Findings about values given from outside stand in a source of their own: any line may state them.
        let lines: Vec<usize> = stated.keys().copied().collect();
        let own = diagnostic.span().is_none_or(|span| session.sources.get(span.source).name == "spec.arr");
        let found =
            take(&mut stated, line, fits) || (!own && lines.iter().any(|&other| take(&mut stated, other, fits)));
        if !found {
            let kind = if diagnostic.is_error() { "error" } else { "warning" };
            let (code, message) = (diagnostic.code, &diagnostic.message);
            failures.push(format!("{}: unstated {kind}: {} {}: {message}", at(line), code.id, code.name));
        }
    }
    for (line, expects) in stated {
        failures.extend(expects.iter().map(|expect| format!("{}: stated {expect}\n    found  nothing", at(line))));
    }
    failures
}

/// Takes the first expectation of a line that fits.
fn take_first(
    stated: &mut BTreeMap<usize, Vec<Expect>>,
    line: usize,
    fits: impl Fn(&Expect) -> bool,
) -> Option<Expect> {
    let expects = stated.get_mut(&line)?;
    let index = expects.iter().position(fits)?;
    Some(expects.remove(index))
}

fn take(stated: &mut BTreeMap<usize, Vec<Expect>>, line: usize, fits: impl Fn(&Expect) -> bool) -> bool {
    take_first(stated, line, fits).is_some()
}

#[test]
fn statements_beside_programs_are_read_as_documented() {
    let found = expectations("1 # => 1 : i*\n(1, 2) # => 1 : i* # => 2 : i*\nx\n# error: E0201 no\n");
    assert_eq!(found[&1], [Expect::Value("1 : i*".to_owned())]);
    assert_eq!(found[&2].len(), 2);
    assert_eq!(found[&3][0].to_string(), "error: E0201 no");
    assert_eq!(lab::words("arr mode=safe 'x=[1, 2]'"), ["arr", "mode=safe", "x=[1, 2]"]);
    assert_eq!(unescaped("a\\u{feff}\\rb\\n"), "a\u{feff}\rb\\n");
}
