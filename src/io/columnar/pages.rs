//! The pages of a Parquet column before a library reads them: no page may promise more bytes than its packing can hold.
//!
//! A page begins with a struct of Thrift's compact protocol, of which three fields matter:
//!
//! ```text
//! 1: kind of page   2: bytes when unpacked   3: bytes in the file   …   stop | the bytes
//! ```

use super::ColumnarFault;
use crate::io::file::OpenFile;
use ::parquet::basic::Compression;
use ::parquet::file::metadata::ColumnChunkMetaData;

/// Longest header of a page that is looked at: statistics in it may be long.
const MAX_HEADER: usize = 1 << 20;

/// How many times longer than its packed form a page may be.
fn expansion(packing: Compression) -> u64 {
    match packing {
        Compression::UNCOMPRESSED => 1,
        Compression::SNAPPY => 32,
        Compression::LZ4 | Compression::LZ4_RAW => 256,
        Compression::GZIP(_) | Compression::LZO => 1100,
        // A block of 128 KiB that repeats one byte takes four.
        Compression::ZSTD(_) => 1 << 15,
        Compression::BROTLI(_) => 1 << 20,
    }
}

/// Walks over the pages of a chunk.
pub(super) fn check(source: &OpenFile, chunk: &ColumnChunkMetaData) -> Result<(), ColumnarFault> {
    let whole = |number: i64| u64::try_from(number).map_err(|_| ColumnarFault::Damaged);
    // Where the library begins: a chunk without rows may have a dictionary and no page of data.
    let first = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    let (mut at, len) = (whole(first)?, whole(chunk.compressed_size())?);
    let end = at.checked_add(len).filter(|&end| end <= source.len()).ok_or(ColumnarFault::Short)?;
    let packing = chunk.compression();
    while at < end {
        let room = usize::try_from(end - at).unwrap_or(usize::MAX).min(MAX_HEADER);
        let short = source.up_to(at, room.min(256)).map_err(|_| ColumnarFault::Damaged)?;
        let page = match page(&short) {
            None if room > 256 => page(&source.up_to(at, room).map_err(|_| ColumnarFault::Damaged)?),
            known => known,
        };
        let PageSizes { header, unpacked, packed } = page.ok_or(ColumnarFault::Damaged)?;
        at += header as u64 + packed;
        if at > end || !holds(packed, unpacked, packing) {
            return Err(ColumnarFault::Damaged);
        }
    }
    Ok(())
}

/// Whether `packed` bytes can hold `unpacked` bytes.
fn holds(packed: u64, unpacked: u64, packing: Compression) -> bool {
    unpacked <= packed.saturating_mul(expansion(packing)).saturating_add(64)
}

/// What a page says of its sizes.
struct PageSizes {
    header: usize,
    unpacked: u64,
    packed: u64,
}

/// Reads the header of a page; `None` when it is none, or longer than what is there.
fn page(bytes: &[u8]) -> Option<PageSizes> {
    let mut input = Compact(bytes);
    let (mut field, mut sizes) = (0, [None; 2]);
    while let Some(kind) = input.field(&mut field)? {
        match (field, kind) {
            (2 | 3, 5) => sizes[usize::from(field == 3)] = Some(u64::try_from(input.zigzag()?).ok()?),
            (_, kind) => input.skip(kind, 0)?,
        }
    }
    let [Some(unpacked), Some(packed)] = sizes else { return None };
    Some(PageSizes { header: bytes.len() - input.0.len(), unpacked, packed })
}

/// Bytes of Thrift's compact protocol.
struct Compact<'a>(&'a [u8]);

impl Compact<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The kind of the next field, whose number `field` becomes; no kind at the end of a struct.
    fn field(&mut self, field: &mut i64) -> Option<Option<u8>> {
        let byte = self.byte()?;
        let kind = byte & 15;
        if kind == 0 {
            return Some(None);
        }
        *field = match byte >> 4 {
            0 => self.zigzag()?,
            step => field.checked_add(i64::from(step))?,
        };
        Some(Some(kind))
    }

    fn skip(&mut self, kind: u8, depth: u8) -> Option<()> {
        if depth > 16 {
            return None;
        }
        match kind {
            1 | 2 => {}
            3 => drop(self.byte()?),
            4..=6 => drop(self.varint()?),
            7 => self.over(8)?,
            8 => {
                let len = usize::try_from(self.varint()?).ok()?;
                self.over(len)?;
            }
            9 | 10 => {
                let byte = self.byte()?;
                let count = if byte >> 4 == 15 { self.varint()? } else { u64::from(byte >> 4) };
                // Truth values in a list have a byte each.
                let element = if matches!(byte & 15, 1 | 2) { 3 } else { byte & 15 };
                (0..count).try_for_each(|_| self.skip(element, depth + 1))?;
            }
            12 => {
                let mut field = 0;
                while let Some(kind) = self.field(&mut field)? {
                    self.skip(kind, depth + 1)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn over(&mut self, len: usize) -> Option<()> {
        self.0 = self.0.get(len..)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e117_a_page_that_promises_more_than_its_packing_can_hold_is_refused() {
        assert!(holds(2000, 40_000, Compression::SNAPPY) && !holds(2000, 1 << 20, Compression::SNAPPY));
        assert!(holds(40, 1 << 20, Compression::ZSTD(Default::default())) && holds(8, 8, Compression::UNCOMPRESSED));
        assert!(!holds(1 << 10, i32::MAX as u64, Compression::GZIP(Default::default())));
    }

    #[test]
    fn a_header_is_read_up_to_its_end_and_no_further() {
        // 1: i32 0, 2: i32 100, 3: i32 40, 5: struct { 1: i32 7, 5: struct { 1: binary "ab" } }, stop, data.
        let header = [0x15, 0, 0x15, 200, 1, 0x15, 80, 0x2c, 0x15, 14, 0x4c, 0x18, 2, b'a', b'b', 0, 0, 0];
        let whole = [&header[..], &[9, 9, 9]].concat();
        let found = page(&whole).unwrap();
        assert_eq!((found.header, found.unpacked, found.packed), (header.len(), 100, 40));
        for len in 0..header.len() {
            assert!(page(&header[..len]).is_none(), "{len}");
        }
        assert!(page(&[0x15, 0, 0x15, 1, 0x15, 80, 0]).is_none(), "a negative size");
    }
}
