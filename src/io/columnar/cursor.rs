//! A place in a file, from which libraries read on.

use crate::io::file::OpenFile;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// A file with a position of its own.
pub(super) struct ColumnarCursor {
    source: Arc<OpenFile>,
    at: u64,
}

impl ColumnarCursor {
    pub(super) fn new(source: &Arc<OpenFile>, at: u64) -> ColumnarCursor {
        ColumnarCursor { source: source.clone(), at }
    }
}

impl Read for ColumnarCursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.reader(self.at).read(buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for ColumnarCursor {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let from = |begin: u64, step: i64| begin.checked_add_signed(step).ok_or(io::ErrorKind::InvalidInput);
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(step) => from(self.source.len(), step)?,
            SeekFrom::Current(step) => from(self.at, step)?,
        };
        Ok(self.at)
    }
}
