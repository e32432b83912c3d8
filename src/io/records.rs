//! The records of a table: one at a time, each of bounded length.
//!
//! A record ends where its line does, unless quotes are open; a file may have no such place. So its bytes are collected
//! in memory that grows only up to a limit, and only if there is some.
//!
//! ```text
//! a, "b, c"\n  →  `a`, `b, c`
//! ```

use super::ReadOptions;
use super::error::{IoError, size};
use super::file::Source;
use crate::array::bytes::OutOfMemory;
use crate::diagnostic::codes::running;
use csv_core::{ReadRecordResult, Reader};
use std::io::{self, Read};
use std::path::Path;

/// Most bytes of a record, whatever memory there is.
pub const RECORD_MOST: usize = 8 << 20;

/// Most fields of a record.
pub const FIELDS_MOST: usize = 1 << 20;

/// Bytes of the file that are read at once.
const AT_ONCE: usize = 1 << 16;

/// A table being read.
pub(super) struct Records<'s, R> {
    path: &'s Path,
    options: &'s ReadOptions,
    from: R,
    core: Reader,
    input: Vec<u8>,
    /// What of `input` is still to be read.
    rest: std::ops::Range<usize>,
    fields: Vec<u8>,
    /// Where each field ends among `fields`.
    ends: Vec<usize>,
}

/// A record.
pub(super) struct Record<'r> {
    text: &'r str,
    ends: &'r [usize],
    /// The line that it begins in.
    pub(super) line: u64,
}

impl Record<'_> {
    /// How many fields it has.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field, without space around it; an empty one where there is none.
    pub(super) fn get(&self, at: usize) -> &str {
        let Some(&end) = self.ends.get(at) else { return "" };
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.text[start..end].trim()
    }
}

/// The records of a file.
pub(super) fn records<'s>(
    source: &'s Source,
    options: &'s ReadOptions,
) -> Result<Records<'s, impl Read + 's>, IoError> {
    let from = source.reader(0).take(source.len());
    let mut records = Records {
        path: source.path(),
        options,
        from,
        core: Reader::new(),
        input: Vec::new(),
        rest: 0..0,
        fields: Vec::new(),
        ends: Vec::new(),
    };
    enlarge(records.path, &mut records.input, AT_ONCE)?;
    enlarge(records.path, &mut records.fields, 1 << 10)?;
    enlarge(records.path, &mut records.ends, 1 << 6)?;
    Ok(records)
}

impl<R: Read> Records<'_, R> {
    /// The next record; `None` at the end.
    ///
    /// # Errors
    /// When the system refuses, the record is too long, there is no memory for it, or it is not UTF-8.
    pub(super) fn next(&mut self) -> Result<Option<Record<'_>>, IoError> {
        let line = self.core.line();
        let (mut bytes, mut count) = (0, 0);
        loop {
            if self.rest.is_empty() {
                self.rest = 0..self.fill()?;
            }
            let (outcome, used, written, ended) = self.core.read_record(
                &self.input[self.rest.clone()],
                &mut self.fields[bytes..],
                &mut self.ends[count..],
            );
            self.rest.start += used;
            (bytes, count) = (bytes + written, count + ended);
            match outcome {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.grow(line, self.fields.len() * 2, self.ends.len())?,
                ReadRecordResult::OutputEndsFull => self.grow(line, self.fields.len(), self.ends.len() * 2)?,
                ReadRecordResult::Record => break,
                ReadRecordResult::End => return Ok(None),
            }
        }
        let ends = &self.ends[..count];
        match std::str::from_utf8(&self.fields[..bytes]) {
            Ok(text) if ends.iter().all(|&end| text.is_char_boundary(end)) => Ok(Some(Record { text, ends, line })),
            _ => {
                let what = format!("is not UTF-8 in line {line}");
                Err(IoError::data(&running::BAD_ARRAY_FILE, self.path, what))
            }
        }
    }

    /// More of the file; 0 at its end.
    fn fill(&mut self) -> Result<usize, IoError> {
        loop {
            match self.from.read(&mut self.input) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => return outcome.map_err(|error| IoError::reading(self.path, &error)),
            }
        }
    }

    /// Makes room for a record of so many bytes and fields.
    fn grow(&mut self, line: u64, bytes: usize, fields: usize) -> Result<(), IoError> {
        if bytes > RECORD_MOST || fields > FIELDS_MOST {
            let most = size(RECORD_MOST as u64);
            let what = format!("has a record of more than {most} or {FIELDS_MOST} fields in line {line}");
            return Err(IoError::data(&running::TOO_LARGE, self.path, what));
        }
        // The old room is there until the new one is.
        self.options.afford(self.path, (bytes + fields * size_of::<usize>()) / 2 * 3)?;
        enlarge(self.path, &mut self.fields, bytes)?;
        enlarge(self.path, &mut self.ends, fields)
    }
}

/// Gives a buffer a length, if there is memory.
fn enlarge<T: Copy + Default>(path: &Path, buffer: &mut Vec<T>, len: usize) -> Result<(), IoError> {
    let missing = |_| IoError::memory(path, OutOfMemory { bytes: len * size_of::<T>() });
    buffer.try_reserve_exact(len - buffer.len()).map_err(missing)?;
    buffer.resize(len, T::default());
    Ok(())
}
