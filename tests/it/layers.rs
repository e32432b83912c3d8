//! Imports go one way, each third-party crate has one home, and text for people leaves through the command alone.

mod circles;
mod constants;
mod functions;
mod lints;
mod pages;
mod safety;
mod type_names;

use crate::lab;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The modules in order, each with the modules that it may import; `main` may import `cli` alone.
const LAYERS: &[(&str, &[&str])] = &[
    ("hash", &[]),
    ("locks", &[]),
    ("panics", &[]),
    ("source", &[]),
    ("types", &[]),
    ("scalar", &["types"]),
    ("array", &["locks", "types", "scalar"]),
    ("constant", &["types", "scalar", "array"]),
    ("diagnostic", &["source"]),
    ("promotion", &["types", "constant"]),
    ("syntax", &["source", "types", "diagnostic"]),
    ("ir", &["hash", "source", "types", "scalar", "array"]),
    ("range", &["types", "scalar", "array", "ir"]),
    ("ops", &["hash", "types", "scalar", "promotion", "ir"]),
    (
        "check",
        &[
            "hash",
            "source",
            "types",
            "scalar",
            "array",
            "constant",
            "diagnostic",
            "promotion",
            "syntax",
            "ir",
            "range",
            "ops",
        ],
    ),
    ("kernel", &["hash", "types", "scalar", "array", "ir"]),
    ("exec", &["hash", "locks", "panics", "source", "types", "scalar", "array", "ir", "kernel"]),
    ("io", &["locks", "panics", "source", "types", "scalar", "array", "diagnostic"]),
    (
        "session",
        &[
            "locks",
            "source",
            "types",
            "constant",
            "array",
            "diagnostic",
            "promotion",
            "syntax",
            "check",
            "ir",
            "exec",
            "io",
        ],
    ),
    (
        "cli",
        &[
            "locks",
            "panics",
            "source",
            "types",
            "array",
            "constant",
            "diagnostic",
            "promotion",
            "syntax",
            "check",
            "ir",
            "kernel",
            "ops",
            "exec",
            "io",
            "session",
        ],
    ),
];

/// Where each third-party crate may be named: the beginnings of paths.
const HOMES: &[(&str, &[&str])] = &[
    ("anstream", &["src/cli/args.rs", "src/cli/output.rs", "src/cli/painted.rs"]),
    ("ariadne", &["src/diagnostic/render"]),
    ("arrow_array", &["src/io/columnar/"]),
    ("arrow_buffer", &["src/io/columnar/encode.rs"]),
    ("arrow_data", &["src/io/columnar/encode.rs"]),
    ("arrow_ipc", &["src/io/columnar/"]),
    ("arrow_schema", &["src/io/columnar/"]),
    ("clap", &["src/cli/"]),
    ("clap_complete", &["src/cli/"]),
    ("cranelift_codegen", &["src/exec/jit/"]),
    ("cranelift_frontend", &["src/exec/jit/"]),
    ("cranelift_jit", &["src/exec/jit/"]),
    ("cranelift_module", &["src/exec/jit/"]),
    ("cranelift_native", &["src/exec/jit/"]),
    ("cranelift_object", &["src/exec/jit/object/"]),
    ("crc32fast", &["src/io/encode/", "src/io/npz.rs"]),
    ("faer", &["src/exec/routine/linear/"]),
    ("fast_float2", &["src/io/table/cell.rs"]),
    ("flate2", &["src/io/npz.rs", "src/io/table/packed.rs", "src/io/encode/png.rs"]),
    ("half", &["src/io/columnar/", "src/types/"]),
    ("lalrpop_util", &["src/syntax/"]),
    (
        "libc",
        &["src/array/bytes/block.rs", "src/exec/built.rs", "src/io/", "src/cli/interrupt.rs", "src/cli/streams.rs"],
    ),
    ("libm", &["src/scalar/math"]),
    ("logos", &["src/syntax/"]),
    ("memchr", &["src/io/table/"]),
    ("memmap2", &["src/io/", "src/exec/jit/x86/"]),
    ("num_bigint", &["src/constant.rs", "src/check/", "src/ops/power.rs"]),
    ("num_traits", &["src/constant.rs", "src/check/", "src/ops/power.rs"]),
    ("parquet", &["src/io/columnar/"]),
    ("pulldown_cmark", &["src/cli/page/"]),
    ("realfft", &["src/exec/routine/spectrum.rs"]),
    ("rustfft", &["src/exec/routine/spectrum.rs"]),
    ("rustyline", &["src/cli/repl"]),
    ("ruzstd", &["src/io/table/packed.rs"]),
    (
        "serde_json",
        &["src/diagnostic/", "src/promotion/", "src/cli/", "src/io/safetensors.rs", "src/io/encode/json.rs"],
    ),
    ("shared_bytes", &["src/io/columnar/parquet.rs"]),
    ("smallvec", &["src/array/", "src/exec/"]),
    ("tempfile", &["src/io/"]),
    ("textplots", &["src/cli/repl/commands/plot/"]),
    ("toml", &["src/promotion/user.rs", "src/session/config.rs"]),
    ("unicode_normalization", &["src/io/argument.rs", "src/syntax/"]),
    ("unicode_width", &["src/diagnostic/"]),
];

#[test]
fn imports_go_one_way() {
    let modules: Vec<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    let mut wrong = BTreeSet::new();
    let all = LAYERS.iter().flat_map(|(name, allowed)| allowed.iter().map(|module| (*name, *module)));
    let mut unused: BTreeSet<(&str, &str)> = all.collect();
    for (file, code) in sources().into_iter().filter(|(file, _)| !is_test(file)) {
        let Some(&(name, allowed)) = LAYERS.iter().find(|(name, _)| *name == module_of(&file)) else { continue };
        for module in modules.iter().filter(|module| **module != name && names(&code, module)) {
            if !allowed.contains(module) {
                wrong.insert(format!("{file}: `{name}` imports `{module}`"));
            }
            unused.remove(&(name, *module));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(unused.is_empty(), "allowed and not done: {unused:#?}");
}

/// Whether code names a module of this crate: `crate::ir`, or `ir` in `use crate::{…}`.
fn names(code: &str, module: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let plain = code.match_indices(&format!("crate::{module}")).any(|(at, found)| ends(&code[at + found.len()..]));
    let grouped = code.split("crate::{").skip(1).any(|group| {
        let group = group.split('}').next().unwrap_or(group);
        group.split(',').any(|item| item.trim().split("::").next() == Some(module))
    });
    plain || grouped
}

#[test]
fn every_module_has_its_place() {
    let folder = std::fs::read_to_string(lab::root("src/lib.rs")).expect("the crate has a root");
    let declared = folder.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let known: BTreeSet<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    assert_eq!(declared.collect::<BTreeSet<_>>(), known);
}

#[test]
fn the_page_of_the_architecture_draws_what_may_be_imported() {
    let page = std::fs::read_to_string(lab::root("docs/architecture.md")).expect("the page is readable");
    let drawing = page.split("## Where things are").nth(1).and_then(|rest| rest.split("```").nth(1));
    let rows: Vec<&str> =
        drawing.expect("there is a drawing").lines().filter_map(|row| Some(row.split_once('│')?.0)).collect();
    let drawn: BTreeSet<&str> = rows.iter().flat_map(|row| row.split_whitespace()).collect();
    assert_eq!(drawn, LAYERS.iter().map(|(name, _)| *name).collect());
    let height = |module: &str| rows.iter().position(|row| row.split_whitespace().any(|word| word == module));
    for (name, allowed) in LAYERS {
        let above = allowed.iter().filter(|module| height(module) <= height(name)).collect::<Vec<_>>();
        assert!(above.is_empty(), "`{name}` imports {above:?}, which do not stand below it");
    }
}

/// A section of the crate's docs, without its title.
fn crate_docs(title: &str) -> String {
    let text = std::fs::read_to_string(lab::root("src/lib.rs")).expect("the crate has a root");
    let lines = text.lines().filter_map(|line| line.strip_prefix("//!")).map(str::trim);
    let section = lines.skip_while(|line| *line != title).skip(1).take_while(|line| !line.starts_with("# "));
    section.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_crate_docs_list_the_modules_from_the_lowest_up() {
    let section = crate_docs("# The modules, a sentence each, lowest first");
    let listed: Vec<&str> = section.lines().filter_map(|row| row.split('`').nth(1)).collect();
    let known: Vec<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed, known);
}

#[test]
fn the_crate_docs_say_what_each_feature_brings() {
    let manifest = std::fs::read_to_string(lab::root("Cargo.toml")).expect("the package has a manifest");
    let features = manifest.split("\n[features]\n").nth(1).expect("there are features");
    let features = features.split("\n[").next().unwrap_or(features);
    let docs = crate_docs("# Features");
    let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let names = features.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).filter(is_name);
    let missing: Vec<&str> = names.filter(|name| *name != "default" && !docs.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn one_file_asks_what_the_processor_can_do() {
    let asks = |(file, code): &(String, String)| {
        let asked = code.contains("is_x86_feature_detected") || code.contains("__cpuid");
        asked && file != "src/exec/machine.rs"
    };
    let wrong: Vec<String> = sources().into_iter().filter(asks).map(|(file, _)| file).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn third_party_crates_have_one_home_each() {
    let mut wrong = BTreeSet::new();
    let mut unused: BTreeSet<(&str, &str)> =
        HOMES.iter().flat_map(|(name, homes)| homes.iter().map(|home| (*name, *home))).collect();
    for (file, code) in sources().into_iter().filter(|(file, _)| !is_test(file)) {
        for (name, homes) in HOMES {
            if !uses_crate(&code, name) && !code.contains(&format!("use {name};")) {
                continue;
            }
            if !homes.iter().any(|home| file.starts_with(home)) {
                wrong.insert(format!("{file} uses {name}"));
            }
            unused.retain(|(known, home)| known != name || !file.starts_with(home));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(unused.is_empty(), "homes of nobody: {unused:#?}");
}

/// Whether `name::` stands in code as a crate, not as the end of `self::csv::` or of a longer name.
fn uses_crate(code: &str, name: &str) -> bool {
    code.match_indices(&format!("{name}::"))
        .any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'))
}

#[test]
fn every_dependency_has_a_home() {
    let manifest = std::fs::read_to_string(lab::root("Cargo.toml")).expect("the package has a manifest");
    let section = manifest.split("[dependencies]").nth(1).expect("there are dependencies");
    let section = section.split("\n[").next().expect("a section has a beginning");
    for line in section.lines().filter(|line| line.contains(" = ")) {
        let name = line.split(" = ").next().expect("a name").replace('-', "_");
        assert!(HOMES.iter().any(|(known, _)| *known == name), "{name} has no home");
        assert!(line.contains(" # "), "{name} has no reason");
    }
}

/// What is handed from function to function while a script is checked.
const CONTEXTS: &[&str] = &["Ctx", "Frame", "Graph", "Calls", "Findings", "WalkResults", "Lint", "LintState", "Guards"];

/// A context that knows more than this is several.
#[test]
fn contexts_of_the_checker_have_at_most_eight_fields() {
    let checker: Vec<_> = sources().into_iter().filter(|(file, _)| file.starts_with("src/check/")).collect();
    for name in CONTEXTS {
        let bodies = checker.iter().flat_map(|(_, code)| code.split("struct ").skip(1)).filter_map(|part| {
            let (head, body) = part.split_once('{')?;
            let is_it = head.trim().split('<').next() == Some(*name);
            is_it.then(|| body.split("\n}").next().unwrap_or(body))
        });
        let counts: Vec<usize> =
            bodies.map(|body| body.lines().filter(|line| line.trim_end().ends_with(',')).count()).collect();
        assert!(matches!(counts[..], [1..=8]), "{name} has {counts:?} fields");
    }
}

/// Where the words may stand by which text gets to a stream, by which a terminal is told what to do, or by which
/// something is set up for the whole process.
const WAYS_OUT: &[(&str, &[&str])] = &[
    ("print!", &[]),
    ("println!", &[]),
    ("eprint", &[]),
    ("dbg!", &[]),
    ("io::stdout", &["src/cli/output.rs", "src/cli/repl/screen.rs", "src/io/standard.rs"]),
    ("io::stderr", &["src/cli/output.rs", "src/cli/repl/screen.rs", "src/io/write.rs"]),
    ("STDOUT_FILENO", &["src/cli/interrupt.rs", "src/cli/streams.rs"]),
    ("STDERR_FILENO", &["src/cli/interrupt.rs"]),
    ("standard::output", &["src/cli/output.rs", "src/io/write.rs"]),
    ("anstream", &["src/cli/output.rs", "src/cli/painted.rs", "src/cli/args.rs"]),
    ("ansi()", &["src/cli/painted.rs"]),
    ("render_to_string", &["src/cli/painted.rs", "src/cli/report.rs", "src/diagnostic/render.rs"]),
    // `wrap` writes none: it counts no columns for them.
    (
        "\\x1b",
        &[
            "src/cli/painted.rs",
            "src/cli/output.rs",
            "src/cli/interrupt.rs",
            "src/diagnostic/render/paint.rs",
            "src/diagnostic/wrap.rs",
        ],
    ),
    ("\\u{1b}", &["src/syntax/characters.rs", "src/diagnostic/render/snippet.rs"]),
    ("process::exit", &[]),
    (".exit()", &[]),
    // What runs before `main` is for the whole process, and so is what follows.
    ("link_section", &["src/main.rs"]),
    ("libc::sigaction(", &["src/io/fault.rs"]),
    ("libc::signal(", &["src/cli/interrupt.rs"]),
    ("set_hook", &["src/cli/mod.rs"]),
    ("atexit(", &[]),
];

/// `cli::output` takes text for people as `StyledText`, in which nothing can be obeyed but our own colours; so it is
/// enough that there is no other way to a stream.
#[test]
fn e20_text_has_one_way_out() {
    let mut wrong = BTreeSet::new();
    let mut unused: BTreeSet<(&str, &str)> =
        WAYS_OUT.iter().flat_map(|(word, homes)| homes.iter().map(|home| (*word, *home))).collect();
    for (file, code) in sources().into_iter().filter(|(file, _)| !is_test(file)) {
        for (word, homes) in WAYS_OUT.iter().filter(|(word, _)| code.contains(word)) {
            if !homes.contains(&file.as_str()) {
                wrong.insert(format!("{file} has {word}"));
            }
            unused.retain(|(known, home)| known != word || file != *home);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(unused.is_empty(), "homes of nobody: {unused:#?}");
}

fn is_test(file: &str) -> bool {
    file.ends_with("/tests.rs") || file.contains("/tests/")
}

fn module_of(file: &str) -> &str {
    let rest = file.strip_prefix("src/").unwrap_or(file);
    rest.split(['/', '.']).next().unwrap_or(rest)
}

/// Every source file with its code: no comments, no strings of documentation, nothing behind `#[cfg(test)]`.
fn sources() -> Vec<(String, String)> {
    let code = |text: &str| {
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n")
    };
    texts().into_iter().map(|(name, text)| (name, code(&text))).collect()
}

/// Every source file with its text, comments too, but for what is behind `#[cfg(test)]`.
fn texts() -> Vec<(String, String)> {
    let mut files = Vec::new();
    collect(&lab::root("src"), &mut files);
    files.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("sources are readable");
        let name = path.strip_prefix(lab::root("")).expect("below the root").display().to_string();
        let shown = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(&text);
        (name, shown.to_owned())
    };
    files.iter().map(read).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
