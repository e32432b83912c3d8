//! Parquet files. They have column chunks in groups of rows, and a footer that says where they are.
//!
//! The types that writers of Arrow keep beside those of the format are not read: the format's own say enough.

use super::cursor::ColumnarCursor;
use super::{ColumnarFault, pages};
use crate::io::file::OpenFile;
use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{ChunkReader, Length};
use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, Fields};
use shared_bytes::Bytes;
use std::sync::Arc;

/// The most rows that are read at once.
const MAX_ROWS: usize = 64 << 10;

/// A file whose footer was read.
pub(super) struct ParquetFile {
    source: Arc<OpenFile>,
    footer: ArrowReaderMetadata,
}

impl ParquetFile {
    pub(super) fn open(source: &Arc<OpenFile>) -> Result<ParquetFile, ColumnarFault> {
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let footer = ArrowReaderMetadata::load(&Chunks(source.clone()), options)?;
        Ok(ParquetFile { source: source.clone(), footer })
    }

    pub(super) fn fields(&self) -> &Fields {
        self.footer.schema().fields()
    }

    /// Gives the parts of a column to `each`, until it wants no more. Returns how many rows the footer promises.
    pub(super) fn each(
        &self,
        place: usize,
        each: &mut dyn FnMut(ArrayRef) -> bool,
    ) -> Result<Option<u64>, ColumnarFault> {
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
        for batch in reader.with_projection(mask).with_batch_size(MAX_ROWS).build()? {
            if !each(batch?.column(0).clone()) {
                return Ok(None);
            }
        }
        let rows = metadata.row_groups().iter().map(|group| u64::try_from(group.num_rows()));
        rows.sum::<Result<u64, _>>().map(Some).map_err(|_| ColumnarFault::Damaged)
    }
}

impl From<ParquetError> for ColumnarFault {
    fn from(error: ParquetError) -> ColumnarFault {
        match error {
            ParquetError::EOF(_) | ParquetError::NeedMoreData(_) | ParquetError::NeedMoreDataRange(_) => {
                ColumnarFault::Short
            }
            ParquetError::NYI(_) => ColumnarFault::Unknown,
            _ => ColumnarFault::Damaged,
        }
    }
}

impl From<ArrowError> for ColumnarFault {
    fn from(error: ArrowError) -> ColumnarFault {
        match error {
            ArrowError::NotYetImplemented(_) => ColumnarFault::Unknown,
            ArrowError::IoError(_, error) if error.kind() == std::io::ErrorKind::UnexpectedEof => ColumnarFault::Short,
            _ => ColumnarFault::Damaged,
        }
    }
}

/// A file as the library asks for its parts: none that the file has not.
struct Chunks(Arc<OpenFile>);

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Chunks {
    type T = ColumnarCursor;

    fn get_read(&self, start: u64) -> Result<ColumnarCursor, ParquetError> {
        Ok(ColumnarCursor::new(&self.0, start))
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
