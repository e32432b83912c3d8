//! Arrow IPC: batches of rows as messages, in a stream or in a file that ends in a list of them.
//!
//! Every message is looked at first: it lies within the file, and no buffer of it promises more bytes than its packing
//! can hold.

use super::ColumnarFault;
use super::cursor::ColumnarCursor;
use crate::io::file::OpenFile;
use arrow_array::ArrayRef;
use arrow_ipc::reader::{FileReaderBuilder, StreamReader};
use arrow_ipc::{Block, CompressionType, RecordBatch, root_as_footer, root_as_message};
use arrow_schema::{Fields, SchemaRef};
use std::io::BufReader;
use std::sync::Arc;

/// Longest footer, and longest message without its buffers.
const MAX_METADATA: u64 = 64 << 20;

/// A file, or a stream in one.
pub(super) struct IpcFile {
    source: Arc<OpenFile>,
    schema: SchemaRef,
    /// Whether it ends in a list of its messages.
    listed: bool,
}

impl IpcFile {
    pub(super) fn open(source: &Arc<OpenFile>, listed: bool) -> Result<IpcFile, ColumnarFault> {
        let check = if listed { check_listed } else { check_stream };
        check(source)?;
        let reader = BufReader::new(ColumnarCursor::new(source, 0));
        let schema = match listed {
            true => FileReaderBuilder::new().build(reader)?.schema(),
            false => StreamReader::try_new(reader, None)?.schema(),
        };
        Ok(IpcFile { source: source.clone(), schema, listed })
    }

    pub(super) fn fields(&self) -> &Fields {
        self.schema.fields()
    }

    /// Gives the parts of a column to `each`, until it wants no more.
    pub(super) fn each(&self, place: usize, each: &mut dyn FnMut(ArrayRef) -> bool) -> Result<(), ColumnarFault> {
        let reader = BufReader::new(ColumnarCursor::new(&self.source, 0));
        let batches: Box<dyn Iterator<Item = _>> = match self.listed {
            true => Box::new(FileReaderBuilder::new().with_projection(vec![place]).build(reader)?),
            false => Box::new(StreamReader::try_new(reader, Some(vec![place]))?),
        };
        for batch in batches {
            if !each(batch?.column(0).clone()) {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Looks at the messages that the end of a file lists.
fn check_listed(source: &OpenFile) -> Result<(), ColumnarFault> {
    let before = source.len().checked_sub(10).ok_or(ColumnarFault::Short)?;
    let end = bytes(source, before, 10)?;
    let [a, b, c, d, magic @ ..] = &end[..] else { return Err(ColumnarFault::Short) };
    let len = u64::try_from(i32::from_le_bytes([*a, *b, *c, *d])).map_err(|_| ColumnarFault::Damaged)?;
    if magic != b"ARROW1" || len > before {
        return Err(ColumnarFault::Short);
    }
    let footer = bytes(source, before - len, len)?;
    let footer = root_as_footer(&footer).map_err(|_| ColumnarFault::Damaged)?;
    let blocks = [footer.dictionaries(), footer.recordBatches()];
    blocks.into_iter().flatten().flat_map(|blocks| blocks.iter().copied().collect::<Vec<Block>>()).try_for_each(
        |block| {
            let at = u64::try_from(block.offset()).map_err(|_| ColumnarFault::Damaged)?;
            let stated = u64::try_from(block.metaDataLength()).map_err(|_| ColumnarFault::Damaged)?;
            let body = u64::try_from(block.bodyLength()).map_err(|_| ColumnarFault::Damaged)?;
            match message(source, at)? {
                Some((metadata, inside)) if metadata == stated && inside == body => Ok(()),
                _ => Err(ColumnarFault::Damaged),
            }
        },
    )
}

/// Looks at the messages of a stream, one after the other.
fn check_stream(source: &OpenFile) -> Result<(), ColumnarFault> {
    let mut at = 0;
    while let Some((metadata, body)) = message(source, at)? {
        at += metadata + body;
    }
    Ok(())
}

/// Looks at a message: the bytes before its buffers, and theirs; `None` at the end of a stream.
fn message(source: &OpenFile, at: u64) -> Result<Option<(u64, u64)>, ColumnarFault> {
    if at == source.len() {
        return Ok(None);
    }
    let start = bytes(source, at, 4)?;
    // Before version 0.15 the length stood first.
    let (prefix, len) = if start == [0xff; 4] { (8, bytes(source, at + 4, 4)?) } else { (4, start) };
    let len = i32::from_le_bytes([len[0], len[1], len[2], len[3]]);
    let len = u64::try_from(len).map_err(|_| ColumnarFault::Damaged)?;
    if len == 0 {
        return Ok(None);
    }
    let metadata = bytes(source, at + prefix, len)?;
    let message = root_as_message(&metadata).map_err(|_| ColumnarFault::Damaged)?;
    let body = u64::try_from(message.bodyLength()).map_err(|_| ColumnarFault::Damaged)?;
    let first = at + prefix + len;
    if first.checked_add(body).is_none_or(|end| end > source.len()) {
        return Err(ColumnarFault::Short);
    }
    let dictionary = message.header_as_dictionary_batch();
    if let Some(batch) = message.header_as_record_batch().or_else(|| dictionary.and_then(|it| it.data())) {
        check_batch(source, &batch, first, body)?;
    }
    Ok(Some((prefix + len, body)))
}

/// How many times longer than its packed form a buffer may be.
fn expansion(packing: CompressionType) -> u64 {
    // A block of 128 KiB that repeats one byte takes four in Zstandard.
    if packing == CompressionType::LZ4_FRAME { 256 } else { 1 << 15 }
}

fn check_batch(source: &OpenFile, batch: &RecordBatch<'_>, first: u64, body: u64) -> Result<(), ColumnarFault> {
    let most = batch.compression().map(|it| expansion(it.codec()));
    for buffer in batch.buffers().into_iter().flatten() {
        let at = u64::try_from(buffer.offset()).map_err(|_| ColumnarFault::Damaged)?;
        let len = u64::try_from(buffer.length()).map_err(|_| ColumnarFault::Damaged)?;
        if at.checked_add(len).is_none_or(|end| end > body) {
            return Err(ColumnarFault::Damaged);
        }
        let Some(most) = most.filter(|_| len > 0) else { continue };
        let stated = bytes(source, first + at, 8)?;
        let stated = i64::from_le_bytes(stated.try_into().map_err(|_| ColumnarFault::Short)?);
        // -1 says that it is not packed.
        if stated != -1 && !u64::try_from(stated).is_ok_and(|stated| stated <= len.saturating_mul(most)) {
            return Err(ColumnarFault::Damaged);
        }
    }
    Ok(())
}

fn bytes(source: &OpenFile, at: u64, len: u64) -> Result<Vec<u8>, ColumnarFault> {
    if at.checked_add(len).is_none_or(|end| end > source.len()) {
        return Err(ColumnarFault::Short);
    }
    if len > MAX_METADATA {
        return Err(ColumnarFault::Unknown);
    }
    let bytes = source.up_to(at, len as usize).map_err(|_| ColumnarFault::Damaged)?;
    if bytes.len() as u64 == len { Ok(bytes) } else { Err(ColumnarFault::Short) }
}
