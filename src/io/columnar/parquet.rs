//! Parquet: column chunks in groups of rows, and a footer that says where they are.
//!
//! The types that writers of Arrow keep beside those of the format are not read: the format's own say enough.

use super::Fault;
use super::pages;
use crate::io::file::Source;
use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{ChunkReader, Length};
use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, Fields};
use shared_bytes::Bytes;
use std::io::Read;
use std::sync::Arc;

/// So many rows are read at once.
const ROWS: usize = 64 << 10;

/// A file whose footer was read.
pub(super) struct File {
    source: Arc<Source>,
    footer: ArrowReaderMetadata,
}

impl File {
    pub(super) fn open(source: &Arc<Source>) -> Result<File, Fault> {
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let footer = ArrowReaderMetadata::load(&Chunks(source.clone()), options)?;
        Ok(File { source: source.clone(), footer })
    }

    pub(super) fn fields(&self) -> &Fields {
        self.footer.schema().fields()
    }

    /// Gives the parts of a column to `each`, until it wants no more; how many rows the footer promises.
    pub(super) fn each(&self, place: usize, each: &mut dyn FnMut(ArrayRef) -> bool) -> Result<Option<u64>, Fault> {
        let metadata = self.footer.metadata();
        let schema = self.footer.parquet_schema();
        for leaf in (0..schema.num_columns()).filter(|&leaf| schema.get_column_root_idx(leaf) == place) {
            for group in metadata.row_groups() {
                pages::check(&self.source, group.column(leaf))?;
            }
        }
        let reader =
            ParquetRecordBatchReaderBuilder::new_with_metadata(Chunks(self.source.clone()), self.footer.clone());
        let mask = ProjectionMask::roots(schema, [place]);
        for batch in reader.with_projection(mask).with_batch_size(ROWS).build()? {
            if !each(batch?.column(0).clone()) {
                return Ok(None);
            }
        }
        let rows = metadata.row_groups().iter().map(|group| u64::try_from(group.num_rows()));
        rows.sum::<Result<u64, _>>().map(Some).map_err(|_| Fault::Damaged)
    }
}

impl From<ParquetError> for Fault {
    fn from(error: ParquetError) -> Fault {
        match error {
            ParquetError::EOF(_) | ParquetError::NeedMoreData(_) | ParquetError::NeedMoreDataRange(_) => Fault::Short,
            ParquetError::NYI(_) => Fault::Unknown,
            _ => Fault::Damaged,
        }
    }
}

impl From<ArrowError> for Fault {
    fn from(error: ArrowError) -> Fault {
        match error {
            ArrowError::NotYetImplemented(_) => Fault::Unknown,
            ArrowError::IoError(_, error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Fault::Short,
            _ => Fault::Damaged,
        }
    }
}

/// A file as the library asks for its parts: none that the file has not.
struct Chunks(Arc<Source>);

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Chunks {
    type T = Part;

    fn get_read(&self, start: u64) -> Result<Part, ParquetError> {
        Ok(Part { source: self.0.clone(), at: start })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let short = || ParquetError::EOF(String::new());
        if start.checked_add(length as u64).is_none_or(|end| end > self.0.len()) {
            return Err(short());
        }
        let bytes = self.0.up_to(start, length).map_err(|_| ParquetError::General(String::new()))?;
        if bytes.len() == length { Ok(bytes.into()) } else { Err(short()) }
    }
}

/// A file from some place on.
struct Part {
    source: Arc<Source>,
    at: u64,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.source.reader(self.at).read(buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}
