//! An open table. It knows what parts its fields, the names of its columns, and where its data begins.
//!
//! ```text
//! a,b\n1,2\n → `,`, names `a` and `b`     1,2\n3,4\n → no names: columns 1 and 2     a b\n1 2 (.txt) → blanks
//! ```

use super::blocks::{Blocks, RecordBlock};
use super::fields::{Delimiter, Field, Fields};
use super::packed::{self, START, unpack};
use super::{MAX_FIELDS, bad, cell, foreign, kind_of};
use crate::array::bytes::OutOfMemory;
use crate::diagnostic::codes::running;
use crate::io::error::IoError;
use crate::io::origin::OpenOrigin;
use crate::io::{Format, ReadOptions, Roots};
use std::collections::HashSet;
use std::path::Path;

/// A table of which the first block is read.
pub(super) struct OpenTable<'o> {
    /// The names of the columns; their places, from 1, where the table has no line of names.
    pub(super) names: Vec<String>,
    /// Whether the first line names the columns.
    pub(super) named: bool,
    /// Whether the first line is one field in quotes, which no other delimiter parts.
    pub(super) quoted: bool,
    pub(super) delimiter: Delimiter,
    pub(super) blocks: Blocks<'o>,
    /// The first block, and how many of its bytes are not data.
    pub(super) first: (RecordBlock, usize),
    /// How many bytes the table has, where that is known.
    pub(super) size: Option<u64>,
}

impl<'o> OpenTable<'o> {
    /// Reads the beginning of a table.
    pub(super) fn new(
        origin: &'o OpenOrigin,
        path: &'o Path,
        options: &'o ReadOptions,
    ) -> Result<OpenTable<'o>, IoError> {
        let refused = |error: std::io::Error| super::blocks::unpacking_error(path, false, &error);
        let mut from = unpack(origin.reader()).map_err(refused)?;
        let is_packed = from.packed.is_some();
        let mut start = packed::start(&mut *from.reader, START)
            .map_err(|error| super::blocks::unpacking_error(path, is_packed, &error))?;
        if let Some(what) = packed::other(&start).filter(|_| is_packed) {
            let error = bad(path, format!("holds {what}, and only tables are unpacked"));
            return Err(error.help("`gzip -dc` or `zstd -dc` unpacks it"));
        }
        if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
            return Err(bad(path, "is UTF-16").help("tables are UTF-8: save it so, or `iconv -f UTF-16 -t UTF-8`"));
        }
        if start.starts_with(b"\xef\xbb\xbf") {
            start.drain(..3);
        }
        if let Some(what) = is_guess(path, options).then(|| foreign::kind(&start)).flatten() {
            let error =
                IoError::data(&running::UNKNOWN_FORMAT, path, format!("is {what} by its first bytes, and no table"));
            return Err(error.help("`--format-in csv` reads it as a table all the same"));
        }
        super::blocks::text(path, &start)?;
        let delimiter = delimiter(path, options, &start);
        let mut blocks = Blocks::new(path, options, start, from, delimiter);
        let mut block = RecordBlock::default();
        blocks.next(&mut block)?;
        let skipped = comments(path, options, &block.bytes);
        let (first, behind) = record(path, options, &block.bytes, skipped, delimiter)?;
        let named = options.table.header && !is_data(&first);
        let names = match named {
            true => first.iter().map(|field| name(path, field)).collect::<Result<_, _>>()?,
            false => (1..=first.len()).map(|at| at.to_string()).collect(),
        };
        let quoted = matches!(first[..], [Field { quoted: true, .. }]);
        let behind = if named { behind } else { skipped };
        let size = origin.len().filter(|_| !is_packed);
        Ok(OpenTable { names, named, quoted, delimiter, blocks, first: (block, behind), size })
    }
}

/// Whether nothing says that it is a table: the name of a text may be that of anything.
fn is_guess(path: &Path, options: &ReadOptions) -> bool {
    options.format.is_none() && Format::of(path).is_none_or(|format| format.extension == "txt")
}

/// Whether the names of columns, which are the first line of the file, and words in it may be shown: a text can name a
/// link that leads to whatever else may be read.
pub(super) fn shows_contents(path: &Path, options: &ReadOptions) -> bool {
    let real = |roots: &Roots| roots.whole(path).canonicalize();
    let is_table = |path: &Path| Format::of(path).is_some_and(Format::is_table);
    options.roots.as_ref().is_none_or(|roots| real(roots).is_ok_and(|real| is_table(&real)))
}

/// What parts fields: what the user says, what the name says, or what the first line has.
fn delimiter(path: &Path, options: &ReadOptions, start: &[u8]) -> Delimiter {
    match (options.table.delimiter, kind_of(path, options)) {
        (Some(b' '), _) => Delimiter::Blanks,
        (Some(byte), _) => Delimiter::Byte(byte),
        (None, Some("csv")) => Delimiter::Byte(b','),
        (None, Some("tsv")) => Delimiter::Byte(b'\t'),
        (None, _) => {
            let mut lines = start.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
            let line = lines.find(|line| !line.starts_with(b"#")).unwrap_or_default().trim_ascii();
            let found = b"\t,;".iter().find(|&&byte| memchr::memchr(byte, line).is_some());
            match found {
                Some(&byte) => Delimiter::Byte(byte),
                None if holds_blank(line) => Delimiter::Blanks,
                None => Delimiter::Byte(b','),
            }
        }
    }
}

/// Whether a line has a blank that does not stand between quotes.
fn holds_blank(line: &[u8]) -> bool {
    let mut quoted = false;
    let found = line.iter().any(|&byte| {
        quoted ^= byte == b'"';
        byte == b' ' && !quoted
    });
    // A quote that nothing closes holds nothing.
    found || (quoted && line.contains(&b' '))
}

/// Whether cells are the names that programs write over rows with labels: first nothing, then whole numbers, each once.
pub(super) fn are_labels<'c>(cells: impl Iterator<Item = &'c [u8]>) -> bool {
    let (mut cells, mut corner, mut known) = (cells.peekable(), false, HashSet::new());
    while cells.next_if(|cell| cell.is_empty()).is_some() {
        corner = true;
    }
    corner && cells.peek().is_some() && cells.all(|cell| cell::is_whole(cell) && known.insert(cell))
}

/// Whether a first record names nothing: its cells are numbers, or say that there is no value, and one is a number.
fn is_data(first: &[Field<'_>]) -> bool {
    if are_labels(first.iter().map(Field::bare)) {
        return false;
    }
    let is_number = |field: &Field<'_>| cell::float(field.bare()).is_some();
    first.iter().any(is_number) && first.iter().all(|field| is_number(field) || cell::is_missing(field.bare()))
}

/// How many bytes at the start of a text are lines that begin with `#`, as NumPy writes them; no table of commas has
/// any.
fn comments(path: &Path, options: &ReadOptions, bytes: &[u8]) -> usize {
    let mut at = 0;
    while kind_of(path, options) == Some("txt") && bytes[at..].starts_with(b"#") {
        at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end + 1);
    }
    at
}

/// The first record from `start` on, and where the next one begins.
fn record<'b>(
    path: &Path,
    options: &ReadOptions,
    bytes: &'b [u8],
    start: usize,
    delimiter: Delimiter,
) -> Result<(Vec<Field<'b>>, usize), IoError> {
    let mut fields = Fields::new(&bytes[start..], delimiter);
    if !fields.record() {
        return Err(bad(path, if bytes.is_empty() { "is empty" } else { "has no header line" }));
    }
    let mut first: Vec<Field<'b>> = Vec::new();
    loop {
        let field = fields.next().map_err(|fault| fault.told(path, 1))?;
        first.push(field);
        if first.len() > MAX_FIELDS {
            let what = format!("has a record of more than {MAX_FIELDS} fields");
            return Err(IoError::data(&running::TOO_LARGE, path, what));
        }
        if first.len() == first.capacity() {
            let bytes = 2 * first.len() * (size_of::<Field<'_>>() + size_of::<String>());
            options.afford(path, bytes)?;
            first.try_reserve(first.len()).map_err(|_| IoError::memory(path, OutOfMemory { bytes }))?;
        }
        if field.last {
            return Ok((first, start + fields.at()));
        }
    }
}

fn name(path: &Path, field: &Field<'_>) -> Result<String, IoError> {
    if memchr::memchr(b'\r', field.text).is_some() && !field.quoted {
        let error = bad(path, "has lines that end in a carriage return alone");
        return Err(error.help("line ends are LF or CR LF: `tr '\\r' '\\n'` makes them so"));
    }
    let bare = Field { text: field.bare(), ..*field };
    String::from_utf8(bare.said().into_owned()).map_err(|_| bad(path, "is not UTF-8 in line 1"))
}
