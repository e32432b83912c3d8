//! Tables that are packed by gzip or Zstandard. They are told by their first bytes when they are read, by the end of
//! the file's name when they are written.
//!
//! ```text
//! 1f 8b … → gzip   28 b5 2f fd … → Zstandard   else as it is
//! ```

use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The first bytes of what gzip and Zstandard pack.
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Bytes that are looked at first.
pub(super) const START: usize = 64 << 10;

/// How many packed bytes are read at once.
const AT_ONCE: usize = 64 << 10;

/// What was found at the start, and the reader of all of it.
pub(super) struct UnpackedStream<'r> {
    pub(super) reader: Box<dyn Read + Send + 'r>,
    /// How many packed bytes were used so far.
    pub(super) packed: Option<Arc<AtomicU64>>,
}

/// Unpacks what needs it.
pub(super) fn unpack<'r>(mut from: Box<dyn Read + Send + 'r>) -> io::Result<UnpackedStream<'r>> {
    let start = start(&mut *from, 4)?;
    let kind = start.as_slice();
    let (is_gzip, is_zstandard) = (kind.starts_with(GZIP), kind.starts_with(ZSTANDARD));
    let whole = Box::new(Cursor::new(start).chain(from));
    if !is_gzip && !is_zstandard {
        return Ok(UnpackedStream { reader: whole, packed: None });
    }
    let used = Arc::new(AtomicU64::new(0));
    let counted = BufReader::with_capacity(AT_ONCE, CountingReader { from: whole, used: used.clone() });
    let reader: Box<dyn Read + Send + 'r> = match is_gzip {
        true => Box::new(GzipMembers::Between(counted)),
        false => Box::new(ZstandardFrames::Between(counted)),
    };
    Ok(UnpackedStream { reader, packed: Some(used) })
}

/// What is packed, where its first bytes say that it is no table.
pub(super) fn other(start: &[u8]) -> Option<&'static str> {
    match start {
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Some("`.npy` bytes"),
        [b'P', b'K', 3 | 5, 4 | 6, ..] => Some("a zip archive"),
        [b'P', b'A', b'R', b'1', ..] => Some("Parquet"),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] => Some("Arrow"),
        _ if start.starts_with(GZIP) || start.starts_with(ZSTANDARD) => Some("what is packed once more"),
        _ => None,
    }
}

/// A file in gzip has other bytes behind its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct BytesBehind;

impl std::fmt::Display for BytesBehind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("bytes behind the end")
    }
}

impl std::error::Error for BytesBehind {}

/// The first bytes: fewer than `most` only at the end.
pub(super) fn start(from: &mut dyn Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(most);
    from.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes what `contents` writes, packed as the end of the file's name says.
pub(in crate::io) fn write_through(
    path: &Path,
    out: &mut dyn Write,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let ends = |packed: &str| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(packed));
    if ends("gz") {
        let mut packed = flate2::write::GzEncoder::new(out, flate2::Compression::default());
        contents(&mut packed)?;
        packed.finish()?;
    } else if ends("zst") {
        let mut frames = ZstandardWriter { out, piece: Vec::new() };
        contents(&mut frames)?;
        frames.frame()?;
    } else {
        contents(out)?;
    }
    Ok(())
}

/// Bytes of a frame before they are packed.
const FRAME: usize = 4 << 20;

/// Packs one frame after the other. What packs a frame cannot be told that the system refuses, so each is packed in
/// memory.
struct ZstandardWriter<'o> {
    out: &'o mut dyn Write,
    piece: Vec<u8>,
}

impl ZstandardWriter<'_> {
    fn frame(&mut self) -> io::Result<()> {
        if !self.piece.is_empty() {
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            self.out.write_all(&ruzstd::encoding::compress_to_vec(self.piece.as_slice(), level))?;
            self.piece.clear();
        }
        Ok(())
    }
}

impl Write for ZstandardWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= FRAME {
            self.frame()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct CountingReader<R> {
    from: R,
    used: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(buffer)?;
        self.used.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The members of a file in gzip, one after the other. Zeros may stand behind them, as tapes and `dd` fill blocks.
enum GzipMembers<R: BufRead> {
    Within(Box<flate2::bufread::GzDecoder<R>>),
    Between(R),
    Ended,
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(self, GzipMembers::Ended) {
                GzipMembers::Ended => return Ok(0),
                GzipMembers::Between(mut from) => {
                    let first = from.fill_buf().map(|bytes| bytes.first().copied());
                    match first {
                        Ok(None) => return Ok(0),
                        Ok(Some(0)) => {
                            from.consume(1);
                            *self = GzipMembers::Between(from);
                        }
                        Ok(Some(byte)) if byte == GZIP[0] => {
                            *self = GzipMembers::Within(Box::new(flate2::bufread::GzDecoder::new(from)));
                        }
                        Ok(Some(_)) => return Err(io::Error::other(BytesBehind)),
                        Err(error) => {
                            *self = GzipMembers::Between(from);
                            return Err(error);
                        }
                    }
                }
                GzipMembers::Within(mut member) => match member.read(buffer) {
                    Ok(0) if !buffer.is_empty() => *self = GzipMembers::Between(member.into_inner()),
                    outcome => {
                        *self = GzipMembers::Within(member);
                        return outcome;
                    }
                },
            }
        }
    }
}

/// The frames of a file in Zstandard, one after the other.
enum ZstandardFrames<R: Read> {
    Within(Box<ruzstd::decoding::StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>),
    Between(R),
    Ended,
}

/// Whether the contents of a frame that was read to its end are those that were packed. A frame need not say.
fn has_its_checksum(frame: &ruzstd::decoding::FrameDecoder) -> bool {
    frame.get_checksum_from_data().is_none_or(|packed| frame.get_calculated_checksum() == Some(packed))
}

impl<R: BufRead> Read for ZstandardFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(self, ZstandardFrames::Ended) {
                ZstandardFrames::Ended => return Ok(0),
                ZstandardFrames::Between(mut from) => {
                    if from.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    let frame = ruzstd::decoding::StreamingDecoder::new(from);
                    *self =
                        ZstandardFrames::Within(Box::new(frame.map_err(|error| io::Error::other(error.to_string()))?));
                }
                ZstandardFrames::Within(mut frame) => {
                    let count = frame.read(buffer)?;
                    let ended = count == 0 && !buffer.is_empty();
                    if ended && !has_its_checksum(&frame.decoder) {
                        return Err(io::Error::other("the checksum is another one"));
                    }
                    *self = if ended {
                        ZstandardFrames::Between(frame.into_parts().0)
                    } else {
                        ZstandardFrames::Within(frame)
                    };
                    if !ended {
                        return Ok(count);
                    }
                }
            }
        }
    }
}
