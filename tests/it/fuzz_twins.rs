//! The fuzz targets as property tests: seeds from the corpus, edited at random, through the same bodies. Texts for the
//! pipeline and for objects are edited by their structure, so that most of them are taken. Files are edited byte by
//! byte here; `hostile` makes them by their structure.
//!
//! `ARR_FUZZ_CASES` says how many of each, `ARR_FUZZ_SEED` which.

use crate::fuzz_bodies as bodies;
use crate::fuzz_files;
use crate::lab;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// A change of a seed: cut, repeat, overwrite, insert a word, or take over a piece of another seed.
#[derive(Clone, Debug)]
struct Edit {
    kind: u8,
    at: u16,
    len: u8,
    word: usize,
}

const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    "\n",
    ":",
    "=",
    "==",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "~",
    " and ",
    " or ",
    " not ",
    "let ",
    "fn ",
    "var ",
    "input ",
    "output ",
    "promotion ",
    "repeat ",
    " with ",
    "assert ",
    "use ",
    "true",
    "None",
    "..",
    "...",
    "# ",
    "## ",
    "\"",
    "'",
    "\\",
    "axis=0",
    "keepdims=true",
    "dtype=i8",
    "sum",
    "mean",
    "max",
    "where",
    "clip",
    "f16",
    "bf16",
    "i8",
    "u64",
    "f32(x)",
    "c128",
    "x",
    "y",
    "i",
    "u",
    "h",
    "b",
    "z",
    "0",
    "1",
    "-1",
    "255u8",
    "1e400",
    "1e-8",
    "0x",
    "0b1",
    "2j",
    "1_000",
    "9223372036854775808",
    "nan",
    "inf",
    "\u{feff}",
    "\u{202e}",
    "é",
    "漢",
    "\u{301}",
    "\0",
    "\u{1b}[31m",
    "\r\n",
    "\t",
    ".T",
    ".shape",
    ".real",
    "np.",
    "zeros(",
    "arange(",
    "[None]",
    "[::2]",
    "{'descr': '<f4', ",
    "'fortran_order': True, ",
    "'shape': (",
    "}\n",
    "<f8",
    ">i2",
    "|b1",
    "|O",
    "<c16",
    "PK\u{3}\u{4}",
    "a,b\n",
    "4294967296",
    "x[5]",
    "in [0, 1]",
    "->",
    "@",
    "!=",
    "<=",
];

fn edits() -> impl Strategy<Value = Edit> {
    let edit = (any::<u8>(), any::<u16>(), any::<u8>(), any::<usize>());
    edit.prop_map(|(kind, at, len, word)| Edit { kind, at, len, word })
}

fn edited(seeds: &[Vec<u8>], seed: usize, edits: &[Edit]) -> Vec<u8> {
    let mut bytes = seeds[seed % seeds.len()].clone();
    for edit in edits {
        let at = usize::from(edit.at) % (bytes.len() + 1);
        let end = (at + usize::from(edit.len) % 24).min(bytes.len());
        match edit.kind % 8 {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            2 if at < bytes.len() => bytes[at] = edit.len,
            3 if at < bytes.len() => bytes[at] ^= 1 << (edit.len % 8),
            4 => {
                let other = &seeds[edit.word % seeds.len()];
                let from = usize::from(edit.at) % (other.len() + 1);
                let piece = other[from..(from + usize::from(edit.len)).min(other.len())].to_vec();
                bytes.splice(at..end, piece);
            }
            5 => bytes.truncate(at.max(bytes.len() / 2)),
            _ => drop(bytes.splice(at..at, WORDS[edit.word % WORDS.len()].bytes())),
        }
    }
    bytes
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The files of a corpus; for the front end also the examples. What is stored for others is not stored twice.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folders = match target {
        "front_end" => vec!["fuzz/corpus/front_end", "examples"],
        "columnar" => vec!["tests/tables"],
        "object" => vec!["fuzz/corpus/pipeline"],
        "archives" => vec!["fuzz/corpus/archives", "fuzz/corpus/npy"],
        "npy" => vec!["fuzz/corpus/npy"],
        "pipeline" => vec!["fuzz/corpus/pipeline"],
        "session" => vec!["fuzz/corpus/session"],
        "tables" => vec!["fuzz/corpus/tables"],
        _ => panic!("no target {target}"),
    };
    let mut paths: Vec<_> = folders
        .into_iter()
        .map(lab::root)
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder of seeds").flatten())
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a seed can be read")).collect()
}

/// Runs the seeds, then `edit`ed ones of those that `body` takes; what fails is made smaller by leaving edits out.
fn twin<E: std::fmt::Debug + Clone>(
    target: &str,
    default: u64,
    edits: impl Strategy<Value = E>,
    edit: impl Fn(&[Vec<u8>], usize, &[E]) -> Vec<u8>,
    body: impl Fn(&[u8]) -> bool,
) {
    // What is refused as it is gives nothing but refusals when it is edited.
    let seeds: Vec<Vec<u8>> = seeds(target).into_iter().filter(|seed| body(seed)).collect();
    let cases = number("ARR_FUZZ_CASES", default);
    let mut state = [0; 32];
    state[..8].copy_from_slice(&number("ARR_FUZZ_SEED", 1).to_le_bytes());
    let config = Config { cases: cases as u32, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &state));
    let started = std::time::Instant::now();
    let outcome = runner.run(&(any::<usize>(), prop::collection::vec(edits, 0..12)), |(seed, edits)| {
        let _ = body(&edit(&seeds, seed, &edits));
        Ok(())
    });
    if let Err(error) = outcome {
        let proptest::test_runner::TestError::Fail(reason, (seed, edits)) = error else { panic!("{error}") };
        let bytes = edit(&seeds, seed, &edits);
        panic!("{reason}\n{:?}", String::from_utf8_lossy(&bytes));
    }
    println!("{target}: {cases} cases, {:.0}/s", cases as f64 / started.elapsed().as_secs_f64());
}

#[test]
fn every_target_has_a_row_a_command_and_a_twin() {
    let [manifest, page, twins] = ["fuzz/Cargo.toml", "fuzz/README.md", "tests/it/fuzz_twins.rs"]
        .map(|file| std::fs::read_to_string(lab::root(file)).expect("the file is there"));
    let commands = || page.lines().filter_map(|line| line.strip_prefix("cargo fuzz run -s none "));
    let made: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("mkdir -p ")).collect();
    let names = manifest.split("[[bin]]").skip(1).map(|bin| bin.split('"').nth(1).expect("a name in quotes"));
    for name in names {
        assert!(page.contains(&format!("| `{name}` |")), "{name} has no row");
        assert!(commands().any(|line| line.split(' ').any(|word| word == name)), "{name} has no command");
        assert!(twins.contains(&format!("\nfn {name}() {{")), "{name} has no twin");
        assert!(!seeds(name).is_empty(), "{name} has no seeds");
    }
    let folders = commands().flat_map(|line| line.split(" -- ").next().unwrap_or(line).split(' '));
    for folder in folders.filter(|word| word.contains('/')) {
        let is_made = made.iter().any(|line| line.split(' ').any(|word| word == folder));
        assert!(is_made || lab::root("fuzz").join(folder).is_dir(), "nobody makes {folder}");
    }
}

#[test]
fn front_end() {
    plain_twin("front_end", 4_000, bodies::front_end);
}

#[test]
fn npy() {
    plain_twin("npy", 4_000, bodies::npy);
}

/// The twin of a target that takes any bytes.
fn plain_twin(target: &str, default: u64, body: fn(&[u8])) {
    twin(target, default, edits(), edited, |bytes| {
        body(bytes);
        true
    });
}

#[test]
fn tables() {
    plain_twin("tables", 1_000, fuzz_files::table);
}

#[test]
fn archives() {
    plain_twin("archives", 1_000, fuzz_files::archive);
}

#[cfg(feature = "tables")]
#[test]
fn columnar() {
    plain_twin("columnar", 1_000, fuzz_files::columns);
}

#[test]
fn session() {
    plain_twin("session", 500, bodies::session);
}

/// A text after edits that keep its structure.
fn edited_text(seeds: &[Vec<u8>], seed: usize, edits: &[u64]) -> Vec<u8> {
    let text = String::from_utf8_lossy(&seeds[seed % seeds.len()]).into_owned();
    edits.iter().fold(text, |text, &edit| bodies::edited(&text, edit)).into_bytes()
}

#[cfg(all(feature = "object", target_arch = "x86_64"))]
#[test]
fn object() {
    twin("object", 100, any::<u64>(), edited_text, bodies::object);
}

#[test]
fn pipeline() {
    twin("pipeline", 2_000, any::<u64>(), edited_text, bodies::pipeline);
    let (texts, ran) = bodies::share();
    println!("pipeline: {ran} of {texts} texts ran compiled and by the reference, {} %", 100 * ran / texts);
    assert!(2 * ran >= texts, "most texts run: {ran} of {texts}");
}
