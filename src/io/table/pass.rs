//! One pass over a table: the cells of all wanted columns, read by several threads, in the order of the file.
//!
//! Whoever is free takes the next block ([`super::blocks`]) and reads it. When all blocks before it are read too, its
//! cells move to their places in the columns, so that values, dtypes and messages are the same for any number of
//! threads.
//!
//! ```text
//! block 0 │ block 1 │ block 2 │ …   →   column `a`: part 0, part 1, part 2, …
//! ```

use super::blocks::{Blocks, RecordBlock};
use super::cell::CellFault;
use super::column::{BlockCells, ColumnKind, ColumnReading};
use super::fields::{Delimiter, Fields, QuoteFault};
use super::store::Store;
use super::words::KnownWords;
use crate::io::ReadOptions;
use crate::io::error::IoError;
use crate::locks::{into_inner, lock};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

/// What is to be read.
pub(super) struct ReadPlan<'w> {
    /// The columns, by their place, in its order.
    pub(super) columns: &'w [(usize, ColumnReading)],
    /// How many columns the table has.
    pub(super) width: usize,
    pub(super) delimiter: Delimiter,
    pub(super) keep: bool,
    /// How many bytes the file has, where that is known.
    pub(super) size: Option<u64>,
}

/// What is wrong with a record as such.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RecordFault {
    /// The record has this many fields, and others have another number.
    Ragged(usize),
    /// There is something wrong with the quotes of a field.
    Quotes(QuoteFault),
}

/// What one block holds.
#[derive(Debug)]
pub(super) struct Chunk {
    number: usize,
    pub(super) parts: Vec<BlockCells>,
    /// How many lines end in the block.
    pub(super) lines: usize,
    /// The first broken record: line ends before it, and what it is.
    pub(super) broken: Option<(usize, RecordFault)>,
    pub(super) blanks: Blanks,
}

/// Blank lines of a block, which are no rows: where a table has one column, somebody may have meant one.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Blanks {
    /// Line ends before the first blank line that has a record behind it.
    pub(super) between: Option<usize>,
    /// Line ends before the first one behind the last record.
    pub(super) behind: Option<usize>,
}

impl Blanks {
    /// Notes the blank lines from `from` up to `to`, where a record begins, or the block ends.
    fn note(&mut self, bytes: &[u8], from: usize, to: usize) {
        let place = if to < bytes.len() { &mut self.between } else { &mut self.behind };
        if to > from && bytes[from..to].contains(&b'\n') && place.is_none() {
            *place = Some(lines(&bytes[..from]));
        }
    }
}

/// All chunks in their order, the cells of each column, and why there are no more if that is not the end of the table.
pub(super) struct PassResult {
    pub(super) chunks: Vec<Chunk>,
    pub(super) cells: Vec<Store>,
    pub(super) failed: Option<IoError>,
}

/// Reads the rest of a table, the first block of which is read already but for `behind` bytes of it.
pub(super) fn pass(
    path: &Path,
    mut blocks: Blocks<'_>,
    first: (RecordBlock, usize),
    wanted: &ReadPlan<'_>,
    options: &ReadOptions,
) -> PassResult {
    let missing = options.table.missing;
    let begin = |&(_, what): &(usize, ColumnReading)| BlockCells::new(what, wanted.keep, missing, Vec::new());
    let (mut block, behind) = first;
    let chunk = read(&block, behind, wanted, wanted.columns.iter().map(begin).collect());
    // A column is of words when it begins with one: no later block decides that for itself.
    let kinds: Vec<(ColumnReading, Option<KnownWords>)> =
        chunk.parts.iter().zip(wanted.columns).map(|(part, (_, what))| (settled(part, *what), part.known())).collect();
    let (cells, failed) = match rooms(path, options, wanted, &chunk, block.bytes.len()) {
        Ok(cells) => (cells, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let shared = PassState {
        path,
        options,
        enough: AtomicBool::new(failed.is_some()),
        ordered: Mutex::new(ReorderQueue { lens: vec![0; cells.len()], ..ReorderQueue::default() }),
        sizes: cells.iter().map(Store::size).collect(),
        cells: cells.into_iter().map(Mutex::new).collect(),
        failed: Mutex::new(failed),
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
    let fresh = || {
        let mut room = shared.room();
        let begin = |(what, known): &(ColumnReading, Option<KnownWords>)| {
            BlockCells::new(*what, wanted.keep, missing, room.pop().unwrap_or_default()).knowing(known.clone())
        };
        kinds.iter().map(begin).collect::<Vec<_>>()
    };
    let blocks = Mutex::new(blocks);
    // A block that was taken is always read: lines are counted through all blocks before a mistake.
    let work = |mut block: RecordBlock, mut there: bool| {
        while there || !shared.enough.load(Ordering::Relaxed) {
            if !there {
                let mut blocks = lock(&blocks);
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
            if helper.spawn_scoped(scope, || work(RecordBlock::default(), false)).is_err() {
                break;
            }
        }
        work(block, true);
    });
    shared.finish()
}

/// What the blocks behind the first are to be read as.
fn settled(part: &BlockCells, wanted: ColumnReading) -> ColumnReading {
    match part.kind {
        ColumnKind::Words => ColumnReading::Words,
        ColumnKind::Nothing
        | ColumnKind::Whole
        | ColumnKind::Huge
        | ColumnKind::Floats
        | ColumnKind::Flags
        | ColumnKind::Declared => wanted,
    }
}

/// Room for the cells of all columns: as many as the file seems to have, by its first block.
fn rooms(
    path: &Path,
    options: &ReadOptions,
    wanted: &ReadPlan<'_>,
    first: &Chunk,
    bytes: usize,
) -> Result<Vec<Store>, IoError> {
    let times = wanted.size.map_or(1.0, |size| 1.02 * size as f64 / bytes.max(1) as f64);
    let expected: Vec<usize> =
        first.parts.iter().map(|part| (part.kept as f64 * times.clamp(1.0, 1e9)) as usize).collect();
    let bytes = first.parts.iter().zip(&expected).map(|(part, expected)| expected.saturating_mul(part.size()));
    let affordable = options.afford(path, bytes.fold(0, usize::saturating_add)).is_ok();
    let store = |(part, expected): (&BlockCells, usize)| {
        let few = || Store::new(part.kept, part.size());
        let store = if affordable { Store::new(expected, part.size()).or_else(|_| few()) } else { few() };
        store.map_err(|error| IoError::memory(path, error))
    };
    first.parts.iter().zip(expected).map(store).collect()
}

/// What the threads have in common.
struct PassState<'s> {
    path: &'s Path,
    options: &'s ReadOptions,
    enough: AtomicBool,
    ordered: Mutex<ReorderQueue>,
    /// The cells of each column, and the bytes of one.
    cells: Vec<Mutex<Store>>,
    sizes: Vec<usize>,
    failed: Mutex<Option<IoError>>,
}

/// What was read, in the order of the file.
#[derive(Default)]
struct ReorderQueue {
    /// The chunks whose cells are where they belong, by number.
    done: BTreeMap<usize, Chunk>,
    /// How many chunks know where their cells belong: those before the first that is not read.
    placed: usize,
    /// How many cells these chunks have in each column.
    lens: Vec<usize>,
    /// The chunks that came before their turn.
    early: BTreeMap<usize, Chunk>,
    /// Memory that cells were in, to be used again.
    rooms: Vec<Vec<Vec<u64>>>,
    /// Bytes that chunks hold besides their cells.
    held: usize,
}

impl ReorderQueue {
    /// Takes a chunk; answers those whose turn it is, with the places of their first cells.
    fn place(&mut self, chunk: Chunk) -> Vec<(Vec<usize>, Chunk)> {
        self.early.insert(chunk.number, chunk);
        let mut ready = Vec::new();
        while let Some(chunk) = self.early.remove(&self.placed) {
            self.placed += 1;
            let places = self.lens.clone();
            self.lens.iter_mut().zip(&chunk.parts).for_each(|(len, part)| *len += part.kept);
            ready.push((places, chunk));
        }
        ready
    }
}

impl PassState<'_> {
    fn ordered(&self) -> MutexGuard<'_, ReorderQueue> {
        lock(&self.ordered)
    }

    /// Room for the cells of a block that others do not need any more.
    fn room(&self) -> Vec<Vec<u64>> {
        self.ordered().rooms.pop().unwrap_or_default()
    }

    fn take(&self, chunk: Chunk) {
        if chunk.broken.is_some()
            || (!chunk.parts.is_empty() && chunk.parts.iter().all(|part| part.firsts.wrong.is_some()))
        {
            self.enough.store(true, Ordering::Relaxed);
        }
        let ready = self.ordered().place(chunk);
        for (places, chunk) in ready {
            if let Err(error) = self.put(&places, chunk) {
                self.fail(error);
            }
        }
    }

    /// Moves the cells of a chunk to their places. Each column is locked alone: another thread can be at the next one.
    fn put(&self, places: &[usize], mut chunk: Chunk) -> Result<(), IoError> {
        let mut room = Vec::with_capacity(chunk.parts.len());
        let mut outcome = Ok(());
        for ((part, cells), &place) in chunk.parts.iter_mut().zip(&self.cells).zip(places) {
            let put = lock(cells).put(place, &part.bits);
            outcome = outcome.and(put.map_err(|error| IoError::memory(self.path, error)));
            part.bits.clear();
            room.push(std::mem::take(&mut part.bits));
        }
        let mut ordered = self.ordered();
        ordered.held += chunk.parts.iter().map(BlockCells::held).sum::<usize>();
        ordered.rooms.push(room);
        ordered.done.insert(chunk.number, chunk);
        let cells = ordered.lens.iter().zip(&self.sizes).map(|(&len, &size)| len.saturating_mul(size));
        let held = cells.fold(ordered.held, usize::saturating_add);
        drop(ordered);
        outcome.and_then(|()| self.options.afford(self.path, held))
    }

    fn fail(&self, error: IoError) {
        self.enough.store(true, Ordering::Relaxed);
        lock(&self.failed).get_or_insert(error);
    }

    fn finish(self) -> PassResult {
        let ReorderQueue { done, .. } = into_inner(self.ordered);
        let cells = self.cells.into_iter().map(into_inner);
        PassResult { chunks: done.into_values().collect(), cells: cells.collect(), failed: into_inner(self.failed) }
    }
}

/// Reads a block from `start` on.
fn read(block: &RecordBlock, start: usize, wanted: &ReadPlan<'_>, mut parts: Vec<BlockCells>) -> Chunk {
    let bytes = &block.bytes[start..];
    let mut fields = Fields::new(bytes, wanted.delimiter);
    let (mut broken, mut blanks) = (None, Blanks::default());
    loop {
        let ended = fields.at();
        let is_record = fields.record();
        let began = fields.at();
        if wanted.width == 1 && began > ended {
            blanks.note(&block.bytes, start + ended, start + began);
        }
        if !is_record {
            break;
        }
        let line = || lines(&block.bytes[..start + began]);
        if let Err(why) = record(&mut fields, wanted, &mut parts, line) {
            broken = Some((line(), why));
            break;
        }
    }
    parts.iter_mut().for_each(BlockCells::trim);
    Chunk { number: block.number, parts, lines: lines(&block.bytes), broken, blanks }
}

/// Reads a record: each wanted column takes its field.
#[inline]
fn record(
    fields: &mut Fields<'_>,
    wanted: &ReadPlan<'_>,
    parts: &mut [BlockCells],
    line: impl Fn() -> usize,
) -> Result<(), RecordFault> {
    let (mut at, mut next) = (0, 0);
    loop {
        let field = fields.field();
        if let (true, Some(fault)) = (field.last, fields.fault()) {
            return Err(RecordFault::Quotes(fault));
        }
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
    if at == wanted.width { Ok(()) } else { Err(RecordFault::Ragged(at)) }
}

/// The first blank line before a record, of chunks that begin in these lines. Those at the end of a table are nothing.
pub(super) fn blank_line(chunks: &[Chunk], lines: &[usize]) -> Option<usize> {
    let mut open = None;
    for (chunk, &first) in chunks.iter().zip(lines) {
        let has_records = chunk.parts.iter().any(|part| part.len > 0);
        if let Some(line) = open.filter(|_| has_records).or(chunk.blanks.between.map(|behind| first + behind)) {
            return Some(line);
        }
        open = open.or(chunk.blanks.behind.map(|behind| first + behind));
    }
    None
}

/// How many lines end in these bytes.
pub(super) fn lines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

impl CellFault {
    /// What a message says was found.
    pub(super) fn found(self) -> String {
        match self {
            CellFault::Missing | CellFault::Filler(..) => "nothing".to_owned(),
            CellFault::NoNumber => "something that is no number".to_owned(),
            CellFault::Fraction => "a number that is not whole".to_owned(),
            CellFault::Pointed => "a whole number that is written with a point or an exponent".to_owned(),
            CellFault::Unfit(dtype, _) | CellFault::Beyond(dtype) => {
                format!("a whole number that does not fit in {dtype}")
            }
            CellFault::NoFlag => "something that is neither true nor false".to_owned(),
            CellFault::Mixed => "numbers and truth values mixed".to_owned(),
            CellFault::Date | CellFault::Time => "a date".to_owned(),
            CellFault::NoDate => "something that is no date like 2026-11-22".to_owned(),
            CellFault::NoTime => "something that is no time like 2026-11-22T10:00:00".to_owned(),
            CellFault::Finer => "a time finer than a microsecond".to_owned(),
            CellFault::Complex => "no complex numbers".to_owned(),
            CellFault::NoText => "bytes that are not UTF-8".to_owned(),
            CellFault::Words => "words".to_owned(),
        }
    }
}
