//! The reference of the language: prose with programs, and tables that the rows of the operations write.
//!
//! It is Markdown, for `arr doc language` and for `docs/language.md`. Every program in it is run by the test `spec`.

mod builtins;
mod edges;
mod limits;
mod operators;

/// A chapter: its topic for `arr doc`, and its text.
type Chapter = (&'static str, fn() -> String);

const CHAPTERS: &[Chapter] = &[
    ("literals", || include_str!("literals.md").to_owned()),
    ("types", || include_str!("types.md").to_owned()),
    ("statements", || include_str!("statements.md").to_owned()),
    ("functions", || include_str!("functions.md").to_owned()),
    ("indexing", || include_str!("indexing.md").to_owned()),
    ("operators", operators::chapter),
    ("builtins", builtins::chapter),
    ("edges", edges::chapter),
    ("limits", limits::chapter),
];

/// The names under which `arr doc` shows the reference.
pub(super) fn topics() -> impl Iterator<Item = &'static str> {
    std::iter::once("language").chain(CHAPTERS.iter().map(|(topic, _)| *topic))
}

/// The whole reference, or one chapter.
pub(super) fn text(topic: &str) -> Option<String> {
    if topic == "language" {
        let chapters: Vec<String> = CHAPTERS.iter().map(|(_, text)| text().trim_end().to_owned()).collect();
        return Some(format!("{}\n{}\n", include_str!("opening.md"), chapters.join("\n\n")));
    }
    CHAPTERS.iter().find(|(name, _)| *name == topic).map(|(_, text)| text())
}
