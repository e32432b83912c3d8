//! One pass over a table: the cells of all wanted columns, read by several threads, in the order of the file.
//!
//! Whoever is free takes the next block ([`super::blocks`]) and reads it; what it found is put in order afterwards, so that
//! values, dtypes and messages are the same for any number of threads.
//!
//! ```text
//! block 0 │ block 1 │ block 2 │ …   →   column `a`: part 0, part 1, part 2, …
//! ```

use super::blocks::{Block, Blocks};
use super::cell::Why;
use super::column::{As, Kind, Part};
use super::fields::{Delimiter, Fields};
use crate::io::ReadOptions;
use crate::io::error::IoError;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What is to be read.
pub(super) struct Wanted<'w> {
    /// The columns, by their place, in its order.
    pub(super) columns: &'w [(usize, As)],
    /// How many columns the table has.
    pub(super) width: usize,
    pub(super) delimiter: Delimiter,
    pub(super) keep: bool,
}

/// What is wrong with a record as such.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Broken {
    /// It has so many fields.
    Ragged(usize),
    /// There is something behind the closing quote of a field.
    BehindQuotes,
}

/// What one block holds.
#[derive(Debug)]
pub(super) struct Chunk {
    number: usize,
    pub(super) parts: Vec<Part>,
    /// Line ends in it.
    pub(super) lines: usize,
    /// The first broken record: line ends before it, and what it is.
    pub(super) broken: Option<(usize, Broken)>,
}

/// All chunks in their order, and why there are no more if that is not the end of the table.
pub(super) struct Read {
    pub(super) chunks: Vec<Chunk>,
    pub(super) failed: Option<IoError>,
}

/// Reads the rest of a table, the first block of which is read already but for `behind` bytes of it.
pub(super) fn pass(
    path: &Path,
    mut blocks: Blocks<'_>,
    first: (Block, usize),
    wanted: &Wanted<'_>,
    options: &ReadOptions,
) -> Read {
    let missing = options.table.missing;
    let begin = |&(_, what): &(usize, As)| Part::new(what, wanted.keep, missing);
    let (mut block, behind) = first;
    let chunk = read(&block, behind, wanted, wanted.columns.iter().map(begin).collect());
    // A column is of words when it begins with one: no later block decides that for itself.
    let kinds: Vec<As> = chunk.parts.iter().zip(wanted.columns).map(|(part, (_, what))| settled(part, *what)).collect();
    let shared = Shared {
        path,
        options,
        held: AtomicUsize::new(0),
        enough: AtomicBool::new(false),
        chunks: Mutex::default(),
        failed: Mutex::default(),
    };
    shared.take(chunk);
    match blocks.next(&mut block) {
        Ok(true) => {}
        Ok(false) => return shared.finish(),
        Err(error) => {
            shared.fail(error);
            return shared.finish();
        }
    }
    let fresh = || kinds.iter().map(|&what| Part::new(what, wanted.keep, missing)).collect::<Vec<_>>();
    let blocks = Mutex::new(blocks);
    // A block that was taken is always read: lines are counted through all blocks before a mistake.
    let work = |mut block: Block, mut there: bool| {
        while there || !shared.enough.load(Ordering::Relaxed) {
            if !there {
                let mut blocks = blocks.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                match blocks.next(&mut block) {
                    Ok(true) => {}
                    Ok(false) => return,
                    Err(error) => return shared.fail(error),
                }
            }
            there = false;
            shared.take(read(&block, 0, wanted, fresh()));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..options.table.threads.max(1) {
            let helper = std::thread::Builder::new().stack_size(256 << 10);
            // Without another thread this one reads all.
            if helper.spawn_scoped(scope, || work(Block::default(), false)).is_err() {
                break;
            }
        }
        work(block, true);
    });
    shared.finish()
}

/// What the blocks behind the first are to be read as.
fn settled(part: &Part, wanted: As) -> As {
    match part.kind {
        Kind::Words => As::Words,
        Kind::Nothing | Kind::Whole | Kind::Huge | Kind::Floats | Kind::Flags | Kind::Declared => wanted,
    }
}

/// What the threads have in common.
struct Shared<'s> {
    path: &'s Path,
    options: &'s ReadOptions,
    held: AtomicUsize,
    enough: AtomicBool,
    chunks: Mutex<Vec<Chunk>>,
    failed: Mutex<Option<IoError>>,
}

impl Shared<'_> {
    fn take(&self, chunk: Chunk) {
        let bytes: usize = chunk.parts.iter().map(Part::held).sum();
        let held = self.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if let Err(error) = self.options.afford(self.path, held) {
            self.fail(error);
        }
        if chunk.broken.is_some() || (!chunk.parts.is_empty() && chunk.parts.iter().all(|part| part.wrong.is_some())) {
            self.enough.store(true, Ordering::Relaxed);
        }
        self.chunks.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(chunk);
    }

    fn fail(&self, error: IoError) {
        self.enough.store(true, Ordering::Relaxed);
        self.failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
    }

    fn finish(self) -> Read {
        let mut chunks = self.chunks.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        chunks.sort_unstable_by_key(|chunk| chunk.number);
        Read { chunks, failed: self.failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) }
    }
}

/// Reads a block from `start` on.
fn read(block: &Block, start: usize, wanted: &Wanted<'_>, mut parts: Vec<Part>) -> Chunk {
    let bytes = &block.bytes[start..];
    let mut fields = Fields::new(bytes, wanted.delimiter);
    let mut broken = None;
    while fields.record() {
        let began = fields.at();
        let line = || lines(&block.bytes[..start + began]);
        if let Err(why) = record(&mut fields, wanted, &mut parts, line) {
            broken = Some((line(), why));
            break;
        }
    }
    parts.iter_mut().for_each(Part::trim);
    Chunk { number: block.number, parts, lines: lines(&block.bytes), broken }
}

/// Reads a record: each wanted column takes its field.
#[inline]
fn record(
    fields: &mut Fields<'_>,
    wanted: &Wanted<'_>,
    parts: &mut [Part],
    line: impl Fn() -> usize,
) -> Result<(), Broken> {
    let (mut at, mut next) = (0, 0);
    loop {
        let field = fields.next().map_err(|_| Broken::BehindQuotes)?;
        while let Some(&(column, _)) = wanted.columns.get(next)
            && column == at
        {
            parts[next].push(field, &line);
            next += 1;
        }
        at += 1;
        if field.last {
            break;
        }
    }
    if at == wanted.width { Ok(()) } else { Err(Broken::Ragged(at)) }
}

/// How many lines end in these bytes.
pub(super) fn lines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

impl Why {
    /// What a message says was found.
    pub(super) fn found(self) -> String {
        match self {
            Why::Missing => "nothing".to_owned(),
            Why::NoNumber => "something that is no number".to_owned(),
            Why::Fraction => "a number that is not whole".to_owned(),
            Why::Unfit(dtype) => format!("a whole number that does not fit in {dtype}"),
            Why::NoFlag => "something that is neither true nor false".to_owned(),
            Why::Mixed => "numbers and truth values mixed".to_owned(),
            Why::Date | Why::Time => "a date".to_owned(),
            Why::NoDate => "no date such as 2026-11-22".to_owned(),
            Why::NoTime => "no time such as 2026-11-22T10:00:00".to_owned(),
            Why::Finer => "a time finer than a microsecond".to_owned(),
            Why::Complex => "no complex numbers".to_owned(),
            Why::NoText => "bytes that are not UTF-8".to_owned(),
            Why::Words => "words".to_owned(),
        }
    }
}
