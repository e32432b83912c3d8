//! A table in blocks of whole records, for whoever is free to read one.
//!
//! Blocks are made one after the other, which is fast: only quotes and line ends are looked for. What is in them is
//! read by several threads at once. A block grows only while a record does not end, up to a limit.
//!
//! ```text
//! a,b\n1,2\n3,|4\n5,6   →   `a,b\n1,2\n` · `3,4\n5,6`
//! ```

use super::bad;
use super::fields::{Delimiter, whole_records};
use super::packed::{BytesBehind, UnpackedStream};
use crate::array::bytes::OutOfMemory;
use crate::diagnostic::codes::running;
use crate::io::ReadOptions;
use crate::io::error::{IoError, MAX_PACKED, size};
use crate::io::stopped::{is_stopped, stop_error};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Most bytes of a record, whatever memory there is.
pub const MAX_RECORD: usize = 8 << 20;

/// Bytes that are read at once.
const AT_ONCE: usize = 256 << 10;

/// From here on it is asked how well a table was packed.
pub const PACKED_FROM: u64 = 16 << 20;

/// Some records of the table.
#[derive(Debug, Default)]
pub(super) struct RecordBlock {
    /// Which one it is, from 0.
    pub(super) number: usize,
    pub(super) bytes: Vec<u8>,
}

/// A table of which the rest is still to be read.
pub(super) struct Blocks<'r> {
    path: &'r Path,
    options: &'r ReadOptions,
    from: Box<dyn Read + Send + 'r>,
    /// How many packed bytes were used.
    packed: Option<Arc<AtomicU64>>,
    delimiter: Delimiter,
    /// What was read behind the last whole record.
    rest: Vec<u8>,
    read: u64,
    number: usize,
    ended: bool,
}

impl<'r> Blocks<'r> {
    /// The blocks of what was read already and of what a reader still gives.
    pub(super) fn new(
        path: &'r Path,
        options: &'r ReadOptions,
        start: Vec<u8>,
        from: UnpackedStream<'r>,
        delimiter: Delimiter,
    ) -> Blocks<'r> {
        let UnpackedStream { reader, packed } = from;
        let read = start.len() as u64;
        Blocks { path, options, from: reader, packed, delimiter, rest: start, read, number: 0, ended: false }
    }

    /// Reads the next block in place of one that is done. Returns whether there is a next block.
    pub(super) fn next(&mut self, block: &mut RecordBlock) -> Result<bool, IoError> {
        block.bytes.clear();
        block.bytes.append(&mut self.rest);
        let mut wanted = AT_ONCE;
        loop {
            // What was left behind by the block before may be enough already.
            while !self.ended && block.bytes.len() < wanted {
                self.more(&mut block.bytes, wanted)?;
            }
            let whole = if self.ended { block.bytes.len() } else { whole_records(&block.bytes, self.delimiter) };
            if whole > 0 || self.ended {
                self.rest.extend_from_slice(&block.bytes[whole..]);
                block.bytes.truncate(whole);
                block.number = self.number;
                self.number += 1;
                return Ok(whole > 0);
            }
            if block.bytes.len() >= MAX_RECORD {
                let what = format!("has a record of more than {}", size(MAX_RECORD as u64));
                let quotes = "a quote at the start of a field goes on up to the next one";
                return Err(IoError::data(&running::TOO_LARGE, self.path, what).help(quotes));
            }
            wanted = (block.bytes.len() * 2).min(MAX_RECORD);
            // The old room is there until the new one is.
            self.options.afford(self.path, wanted / 2 * 3)?;
        }
    }

    /// Reads on, up to `wanted` bytes in all.
    fn more(&mut self, bytes: &mut Vec<u8>, wanted: usize) -> Result<(), IoError> {
        if self.options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(IoError::reading(self.path, &stop_error()));
        }
        let there = bytes.len();
        let missing = |_| IoError::memory(self.path, OutOfMemory { bytes: wanted });
        bytes.try_reserve_exact(wanted - there).map_err(missing)?;
        bytes.resize(wanted, 0);
        let count = loop {
            match self.from.read(&mut bytes[there..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => break outcome,
            }
        };
        let count = count.map_err(|error| unpacking_error(self.path, self.packed.is_some(), &error))?;
        bytes.truncate(there + count);
        text(self.path, &bytes[there..])?;
        self.ended = count == 0;
        self.read += count as u64;
        match self.packed.as_ref().map(|packed| packed.load(Ordering::Relaxed)) {
            Some(packed) if self.read > PACKED_FROM && self.read / packed.max(1) > MAX_PACKED => {
                Err(IoError::bomb(self.path, PACKED_FROM))
            }
            _ => Ok(()),
        }
    }
}

/// What no text holds: data of another kind would else be words, or names of columns without rows.
pub(super) fn text(path: &Path, bytes: &[u8]) -> Result<(), IoError> {
    match memchr::memchr(0, bytes) {
        Some(_) => Err(bad(path, "has NUL bytes, which no table has").help("a table is text in UTF-8")),
        None => Ok(()),
    }
}

/// What was packed wrongly is the file's fault, not the system's.
pub(super) fn unpacking_error(path: &Path, packed: bool, error: &io::Error) -> IoError {
    if packed && error.raw_os_error().is_none() && !is_stopped(error) {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return IoError::data(&running::TRUNCATED_FILE, path, "is cut short");
        }
        let what = match error.get_ref().is_some_and(|inner| inner.downcast_ref::<BytesBehind>().is_some()) {
            true => "has other bytes behind the end of its packed data",
            false => "cannot be unpacked: its packed data is damaged",
        };
        return IoError::data(&running::BAD_ARRAY_FILE, path, what);
    }
    IoError::reading(path, error)
}
