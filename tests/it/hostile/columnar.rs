//! Parquet and Arrow IPC: the numbers of their metadata, each found where the format has it.

use crate::fuzz_edits::Random;
use crate::fuzz_files::{other_number, overwrite, roughened};
use std::path::Path;

/// The files of a folder that pyarrow wrote and whose names end so.
pub(crate) fn seeds(folder: &Path, ends: &[&str]) -> Vec<Vec<u8>> {
    let all = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = all.filter(|path| ends.iter().any(|end| path.to_string_lossy().ends_with(end))).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a seed can be read")).collect()
}

/// Where the numbers of a value in Thrift's compact protocol are, and where it ends.
struct Thrift<'b> {
    bytes: &'b [u8],
    at: usize,
    numbers: Vec<(usize, usize)>,
    /// The numbers of the outermost structure, by the field they are.
    fields: Vec<(i64, u64)>,
}

impl Thrift<'_> {
    fn new(bytes: &[u8], at: usize) -> Thrift<'_> {
        Thrift { bytes, at, numbers: Vec::new(), fields: Vec::new() }
    }

    fn byte(&mut self) -> Option<u8> {
        self.at += 1;
        self.bytes.get(self.at - 1).copied()
    }

    fn number(&mut self) -> Option<u64> {
        let (start, mut value) = (self.at, 0u64);
        loop {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(7 * (self.at - start - 1) as u32).unwrap_or(0);
            if byte < 0x80 {
                self.numbers.push((start, self.at));
                return Some(value);
            }
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            1 | 2 => {}
            3 => drop(self.byte()?),
            4..=6 => drop(self.number()?),
            7 => self.at += 8,
            8 => self.at += self.number()? as usize,
            9 | 10 => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.number()? } else { u64::from(head >> 4) };
                for _ in 0..count {
                    self.value(head & 15, depth + 1)?;
                }
            }
            12 => self.structure(depth + 1)?,
            _ => return None,
        }
        Some(())
    }

    fn structure(&mut self, depth: usize) -> Option<()> {
        let mut field = 0;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            field += i64::from(head >> 4);
            if head >> 4 == 0 {
                self.number()?;
            }
            let before = self.numbers.len();
            self.value(head & 15, depth)?;
            if depth == 0 && self.numbers.len() == before + 1 {
                let (from, to) = self.numbers[before];
                let bits = self.bytes[from..to].iter().rev().fold(0, |bits, byte| bits << 7 | u64::from(byte & 0x7f));
                self.fields.push((field, bits >> 1));
            }
        }
    }
}

/// A number as the protocol writes it, in `size` bytes if what follows is to stay where it is.
fn written(mut number: u64, size: Option<usize>) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let last = size.map_or(number < 0x80, |size| bytes.len() + 1 == size) || bytes.len() == 9;
        bytes.push((number & 0x7f) as u8 | if last { 0 } else { 0x80 });
        number >>= 7;
        if last {
            return bytes;
        }
    }
}

pub(crate) fn parquet(random: &mut Random, whole: &[u8]) -> Vec<u8> {
    let size = u32::from_le_bytes(*whole[whole.len() - 8..].first_chunk().expect("four bytes")) as usize;
    let start = whole.len() - 8 - size;
    let mut meta = Thrift::new(whole, start);
    meta.structure(0).expect("the metadata of pyarrow");
    assert_eq!(meta.at, whole.len() - 8, "all of the metadata is read");
    // Pages stand one behind the other; the size of each is the third field of its header.
    let (mut pages, mut at) = (Vec::new(), 4);
    while at < start {
        let mut page = Thrift::new(&whole[..start], at);
        if page.structure(0).is_none() {
            break;
        }
        at = page.at + page.fields.iter().find(|field| field.0 == 3).map_or(start, |field| field.1 as usize);
        pages.extend(page.numbers);
    }
    let mut bytes = whole.to_vec();
    for _ in 0..1 + random.below(3) {
        let numbers = if random.below(3) == 0 { &pages } else { &meta.numbers };
        let (from, to) = numbers[random.below(numbers.len())];
        // Signed numbers are written as twice themselves.
        let other = other_number(random, whole[from].into());
        let other = if random.below(2) == 0 { other << 1 } else { other };
        bytes.splice(from..to, written(other, Some(to - from)));
    }
    match random.below(10) {
        0 => {
            let (from, to) = meta.numbers[random.below(meta.numbers.len())];
            bytes.splice(from..to, written(other_number(random, 1), None));
            let end = bytes.len();
            let longer = ((end - 8 - start) as u32).to_le_bytes();
            bytes[end - 8..end - 4].copy_from_slice(&longer);
        }
        1 => {
            let end = bytes.len();
            overwrite(random, &mut bytes, end - 8, 4);
        }
        2 => return roughened(random, bytes),
        _ => {}
    }
    bytes
}

/// Where the messages of Arrow say what follows, and the end of a file says where they are.
fn messages(bytes: &[u8]) -> Vec<(usize, usize)> {
    let long = |at: usize| bytes[at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word)) as usize;
    let mut found = Vec::new();
    for at in (0..bytes.len().saturating_sub(8)).step_by(8) {
        let size = long(at + 4);
        if long(at) == u32::MAX as usize && size > 0 && at + 8 + size <= bytes.len() {
            found.push((at, at + 8 + size));
        }
    }
    if bytes.ends_with(b"ARROW1") {
        let end = bytes.len() - 10;
        found.push((end.saturating_sub(long(end)), bytes.len() - 6));
    }
    found
}

pub(crate) fn arrow(random: &mut Random, whole: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let messages = messages(whole);
    for _ in 0..1 + random.below(3) {
        let (from, to) = messages[random.below(messages.len())];
        let size = [2, 4, 4, 8][random.below(4)];
        let at = from + random.below((to - from) / size) * size;
        overwrite(random, &mut bytes, at, size);
    }
    if random.below(8) == 0 { roughened(random, bytes) } else { bytes }
}
