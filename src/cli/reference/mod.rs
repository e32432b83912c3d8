//! The reference of the language. It is prose with programs, and tables that the rows of the operations write.
//!
//! It is Markdown, for `arr doc language` and for `docs/language.md`. Every program in it is run by the test `spec`.

mod builtins;
mod edges;
mod limits;
mod operators;
mod settings;

/// A chapter: its topic for `arr doc`, and its text.
type Chapter = (&'static str, fn() -> String);

const CHAPTERS: &[Chapter] = &[
    ("literals", || include_str!("literals.md").to_owned()),
    ("types", || include_str!("types.md").to_owned()),
    ("statements", || include_str!("statements.md").to_owned()),
    ("functions", || include_str!("functions.md").to_owned()),
    ("loops", || include_str!("loops.md").to_owned()),
    ("indexing", || include_str!("indexing.md").to_owned()),
    ("random", || include_str!("random.md").to_owned()),
    ("files", || include_str!("files.md").to_owned()),
    ("operators", operators::chapter),
    ("builtins", builtins::chapter),
    ("names", || include_str!("names.md").to_owned()),
    ("settings", settings::chapter),
    ("edges", edges::chapter),
    ("limits", limits::chapter),
];

/// Words of the language and what they are about: the chapter that has them.
const WORDS: &[(&[&str], &str)] = &[
    (&["literal", "weak", "i*", "f*", "c*", "inf", "nan", "pi", "true", "false"], "literals"),
    (&["type", "dtype", "dtypes", "shape", "dimension", "dimensions", "lattice", "mode", "modes"], "types"),
    (
        &["input", "let", "var", "output", "assert", "use", "promotion", "=", "+=", "#!", "statement", "script"],
        "statements",
    ),
    (&["fn", "function"], "functions"),
    (&["repeat", "scan", "loop", "while", "for", "along", "reverse"], "loops"),
    (&["index", "slice", "slices", "None", "..."], "indexing"),
    (
        &[
            "csv",
            ".csv",
            "tsv",
            ".tsv",
            ".txt",
            "npy",
            ".npy",
            "npz",
            ".npz",
            "safetensors",
            ".safetensors",
            "parquet",
            ".parquet",
            "arrow",
            ".arrow",
            "file",
            "formats",
        ],
        "files",
    ),
    (&["key", "keys", "rng", "seed"], "random"),
    (&["operator", "precedence"], "operators"),
    (&["builtin"], "builtins"),
    (&["limit"], "limits"),
    (&["setting", "arr.toml", "checked", "width"], "settings"),
];

/// The names under which `arr doc` shows the reference.
pub(super) fn topics() -> impl Iterator<Item = &'static str> {
    std::iter::once("language").chain(CHAPTERS.iter().map(|(topic, _)| *topic))
}

/// The chapter of a word of the language.
pub(super) fn chapter_of(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(words, _)| words.contains(&word)).map(|(_, chapter)| *chapter)
}

/// The whole reference, or the chapter of a topic or word.
pub(super) fn text(topic: &str) -> Option<String> {
    if topic == "language" {
        let chapters: Vec<String> = CHAPTERS.iter().map(|(_, text)| text().trim_end().to_owned()).collect();
        return Some(format!("{}\n{}\n", include_str!("opening.md"), chapters.join("\n\n")));
    }
    let chapter = chapter_of(topic).unwrap_or(topic);
    CHAPTERS.iter().find(|(name, _)| *name == chapter).map(|(_, text)| text())
}
