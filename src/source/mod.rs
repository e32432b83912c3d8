//! Source texts, spans into them, their lines, their columns.
//!
//! A span is a half-open range of bytes of one source. Every token, node and diagnostic carries one, so that
//! a message can point at the exact characters, also in an earlier input of a session.
//!
//! ```
//! use arrlang::source::{Sources, Span};
//! let mut sources = Sources::new();
//! let id = sources.add("demo.arr", "let é = 1\nlet b = é + c\n");
//! let c = Span::new(id, 24, 25);
//! assert_eq!(sources.text(c), "c");
//! assert_eq!(sources.line_column(id, c.start), (2, 13));
//! ```

pub mod stop;

use std::fmt;
use std::sync::OnceLock;

/// Which source a span belongs to; an index into [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct SourceId(pub u32);

impl SourceId {
    /// The first one of the library.
    const LIBRARY: u32 = 1 << 31;

    /// The text with this number among those of [`keep_library`].
    pub fn library(number: usize) -> SourceId {
        SourceId(SourceId::LIBRARY + number as u32)
    }

    /// Whether its text came with the language: nobody points at that.
    pub fn is_library(self) -> bool {
        self.0 >= SourceId::LIBRARY
    }
}

/// The texts that came with the language.
static LIBRARY: OnceLock<Vec<Source>> = OnceLock::new();

/// The line of a place in a text that came with the language.
pub fn library_line(place: Span) -> Option<&'static str> {
    let number = place.source.0.checked_sub(SourceId::LIBRARY)?;
    let source = LIBRARY.get()?.get(number as usize)?;
    Some(source.text[source.line_range(source.line_of(place.start))].trim())
}

/// The name of the function whose text a place is in that came with the language.
pub fn library_function(place: Span) -> Option<&'static str> {
    let number = place.source.0.checked_sub(SourceId::LIBRARY)?;
    let source = LIBRARY.get()?.get(number as usize)?;
    Some(source.text.strip_prefix("fn ")?.split_once('(')?.0)
}

/// Keeps the texts that came with the language, once: every list of sources has them.
pub fn keep_library(texts: impl Iterator<Item = String>) {
    LIBRARY.get_or_init(|| texts.map(|text| Source::new("<library>", text)).collect());
}

/// A half-open range of bytes `[start, end)` of one source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The source that the offsets count in.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of bytes `start..end` of `source`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Span {
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { source, start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The smallest span that covers both; they must be of one source.
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span at the end of this one.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// As a range of byte offsets.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.source.0, self.start, self.end)
    }
}

/// One text with the name that messages call it by.
#[derive(Debug, Clone)]
pub struct Source {
    /// A path as the user wrote it, or `<eval>`, `<repl:3>`, `<stdin>`.
    pub name: String,
    /// The text itself, always valid UTF-8.
    pub text: String,
    /// Byte offset of the start of each line.
    lines: Vec<u32>,
}

impl Source {
    fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let starts = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        Source { name: name.into(), text, lines }
    }

    /// The zero-based line that holds byte `at`.
    pub fn line_of(&self, at: u32) -> usize {
        self.lines.partition_point(|&start| start <= at).saturating_sub(1)
    }

    /// The bytes of zero-based line `line`, without its line end.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.lines[line] as usize;
        let end = self.lines.get(line + 1).map_or(self.text.len(), |&next| next as usize);
        let text = &self.text[start..end];
        start..start + text.trim_end_matches(['\n', '\r']).len()
    }
}

/// All sources of a session, in the order in which they came.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    list: Vec<Source>,
}

impl Sources {
    /// No sources yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Keeps `text` under `name` and answers the id that its spans carry.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.list.push(Source::new(name, text));
        SourceId(self.list.len() as u32 - 1)
    }

    /// The source with this id.
    ///
    /// # Panics
    /// When the id is of other sources.
    pub fn get(&self, id: SourceId) -> &Source {
        match id.0.checked_sub(SourceId::LIBRARY) {
            None => &self.list[id.0 as usize],
            Some(number) => &LIBRARY.get().expect("what has a place in the library was kept")[number as usize],
        }
    }

    /// How many sources there are; the next one gets this number.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether no source was added yet.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Forgets the sources added after there were `len` of them.
    pub fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    /// The characters that a span covers; a span that does not fit its source gives the part that does.
    pub fn text(&self, span: Span) -> &str {
        let text = &self.get(span.source).text;
        let end = text.floor_char_boundary(span.end as usize);
        let start = text.floor_char_boundary((span.start as usize).min(end));
        &text[start..end]
    }

    /// One-based line and column of a byte offset; the column counts characters.
    pub fn line_column(&self, id: SourceId, at: u32) -> (usize, usize) {
        let source = self.get(id);
        let line = source.line_of(at);
        let start = source.lines[line] as usize;
        let end = source.text.floor_char_boundary((at as usize).max(start));
        (line + 1, source.text[start..end].chars().count() + 1)
    }
}
