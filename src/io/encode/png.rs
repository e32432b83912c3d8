//! `.png`: grey values `u8[y, x]`, or `u8[y, x, 3]` of red, green, blue. A fourth value is for what is seen through. An
//! axis of length 1 behind grey values changes nothing.
//!
//! ```text
//! u8[48, 64, 3] → 64 × 48, 8 bits of each colour
//! ```

use super::{NamedArray, NumberStyle, one, type_of};
use crate::io::gather::each_chunk;
use crate::types::dtype::DType;
use std::io::{self, Write};

/// What the file says of its lines.
struct Picture {
    width: u32,
    height: u32,
    /// The number that PNG has for the colours.
    colours: u8,
}

fn picture(arrays: &[NamedArray<'_>]) -> Result<Picture, String> {
    one(arrays)?;
    let array = arrays[0].array;
    let colours = match array.shape() {
        [_, _] | [_, _, 1] => 0,
        [_, _, 3] => 2,
        [_, _, 4] => 6,
        _ => return Err(format!("a picture is `u8[y, x]`, `u8[y, x, 3]` or `u8[y, x, 4]`, not {}", type_of(array))),
    };
    if array.dtype() != DType::U8 {
        // `clip` needs a dtype that holds 255.
        let help = match (array.dtype(), array.dtype().is_complex()) {
            (DType::Bool, _) => "`u8(x)` converts",
            (DType::I8, _) => "`u8(maximum(x, 0))` converts",
            (_, true) => "`u8(clip(abs(x), 0, 255))` converts its sizes",
            (_, false) => "`u8(clip(x, 0, 255))` converts",
        };
        return Err(format!("a picture is of `u8`, not of {}; {help}", array.dtype()));
    }
    match (u32::try_from(array.shape()[1]), u32::try_from(array.shape()[0])) {
        (Ok(width @ 1..=0x7fff_ffff), Ok(height @ 1..=0x7fff_ffff)) => Ok(Picture { width, height, colours }),
        _ => Err("a picture has at least one pixel, and fewer than 2^31 in a line".to_owned()),
    }
}

pub(in crate::io) fn fits(arrays: &[NamedArray<'_>]) -> Result<(), String> {
    picture(arrays).map(drop)
}

pub(in crate::io) fn write(arrays: &[NamedArray<'_>], _: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    let Picture { width, height, colours } = picture(arrays).map_err(io::Error::other)?;
    out.write_all(b"\x89PNG\r\n\x1a\n")?;
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, colours, 0, 0, 0]);
    chunk(out, *b"IHDR", &header)?;
    let array = arrays[0].array;
    let line = array.len() / height as usize;
    let mut packed =
        flate2::write::ZlibEncoder::new(PackedLines { out, packed: Vec::new() }, flate2::Compression::fast());
    let mut column = 0;
    each_chunk(array, |mut bytes| {
        while !bytes.is_empty() {
            if column == 0 {
                // Every line says how it was filtered: not at all.
                packed.write_all(&[0])?;
            }
            let (these, rest) = bytes.split_at(bytes.len().min(line - column));
            packed.write_all(these)?;
            column = (column + these.len()) % line;
            bytes = rest;
        }
        Ok(())
    })?;
    let PackedLines { out, packed } = packed.finish()?;
    chunk(out, *b"IDAT", &packed)?;
    chunk(out, *b"IEND", &[])
}

/// Packed lines, of which large pieces are chunks of their own.
struct PackedLines<'o> {
    out: &'o mut dyn Write,
    packed: Vec<u8>,
}

const PIECE: usize = 1 << 20;

impl Write for PackedLines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.packed.extend_from_slice(bytes);
        if self.packed.len() >= PIECE {
            chunk(self.out, *b"IDAT", &self.packed)?;
            self.packed.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn chunk(out: &mut dyn Write, name: [u8; 4], bytes: &[u8]) -> io::Result<()> {
    let len = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    let mut crc = crc32fast::Hasher::new();
    crc.update(&name);
    crc.update(bytes);
    out.write_all(&len.to_be_bytes())?;
    out.write_all(&name)?;
    out.write_all(bytes)?;
    out.write_all(&crc.finalize().to_be_bytes())
}
