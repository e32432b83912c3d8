//! The directory of a zip archive, with one member of it.
//!
//! Just enough for arrays: names are compared and never used as paths, sizes are compared with the file's before
//! anything is allocated, and the directory is walked without being kept, so a million members cost time but no memory.
//! Members are stored or deflated; encrypted ones are refused.
//!
//! ```text
//! member… | directory: an entry for each member | [end record, 64 bits] | end record, comment
//! ```

use super::file::OpenFile;
use std::io::{self, BufReader, Read};

/// What makes an archive unreadable: the rest of the sentence "`d.npz` …", or an error of the system.
pub(super) enum ArchiveFault {
    /// The archive contradicts itself.
    Bad(String),
    /// The system refuses.
    Io(io::Error),
}

impl From<io::Error> for ArchiveFault {
    fn from(error: io::Error) -> ArchiveFault {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            ArchiveFault::Bad("ends within its directory".to_string())
        } else {
            ArchiveFault::Io(error)
        }
    }
}

fn bad<T>(what: impl Into<String>) -> Result<T, ArchiveFault> {
    Err(ArchiveFault::Bad(what.into()))
}

/// How a member's bytes are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    /// As they are.
    Stored,
    /// By deflate.
    Deflated,
}

/// An entry of the directory.
#[derive(Clone, Debug)]
pub(super) struct ArchiveEntry {
    /// The name as it is written, in bytes.
    pub(super) name: Vec<u8>,
    flags: u16,
    method: u16,
    /// The checksum of the unpacked bytes.
    pub(super) crc: u32,
    /// Bytes in the file.
    pub(super) packed: u64,
    /// Bytes when unpacked, as the archive says.
    pub(super) unpacked: u64,
    local: u64,
}

/// Where the directory lies.
pub(super) struct Directory {
    start: u64,
    size: u64,
    entries: u64,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

fn exactly<const N: usize>(mut reader: impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

impl Directory {
    /// Finds the directory from the end of the file.
    pub(super) fn find(source: &OpenFile) -> Result<Directory, ArchiveFault> {
        const END: usize = 22;
        let tail_len = source.len().min((END + usize::from(u16::MAX)) as u64);
        let tail_at = source.len() - tail_len;
        let mut tail = vec![0; tail_len as usize];
        source.reader(tail_at).read_exact(&mut tail)?;
        let ends_here = |at: &usize| {
            tail[*at..].starts_with(b"PK\x05\x06") && at + END + usize::from(u16_at(&tail, at + 20)) == tail.len()
        };
        let Some(at) = (0..(tail.len() + 1).saturating_sub(END)).rev().find(ends_here) else {
            return bad("is no zip archive, or one that is cut short");
        };
        let end = &tail[at..];
        let end_at = tail_at + at as u64;
        let plain =
            Directory { start: u32_at(end, 16).into(), size: u32_at(end, 12).into(), entries: u16_at(end, 10).into() };
        if u16_at(end, 4) != 0 && u16_at(end, 4) != u16::MAX {
            return bad("is one part of an archive in several files");
        }
        let wide = plain.entries == 0xffff || plain.size == 0xffff_ffff || plain.start == 0xffff_ffff;
        let (directory, limit) = if wide { Directory::wide(source, end_at)? } else { (plain, end_at) };
        match directory.start.checked_add(directory.size) {
            Some(end) if end <= limit => Ok(directory),
            _ => bad("says that its directory lies outside the file"),
        }
    }

    /// The end record with 64 bits, and where it begins.
    fn wide(source: &OpenFile, end_at: u64) -> Result<(Directory, u64), ArchiveFault> {
        let Some(at) = end_at.checked_sub(20) else {
            return bad("ends within its directory");
        };
        let locator: [u8; 20] = exactly(source.reader(at))?;
        let record_at = u64_at(&locator, 8);
        if !locator.starts_with(b"PK\x06\x07") || record_at.checked_add(56).is_none_or(|end| end > at) {
            return bad("has a damaged directory");
        }
        let record: [u8; 56] = exactly(source.reader(record_at))?;
        if !record.starts_with(b"PK\x06\x06") {
            return bad("has a damaged directory");
        }
        let [entries, size, start] = [32, 40, 48].map(|at| u64_at(&record, at));
        Ok((Directory { start, size, entries }, record_at))
    }

    /// Calls `each` for every entry.
    pub(super) fn walk(&self, source: &OpenFile, mut each: impl FnMut(ArchiveEntry)) -> Result<(), ArchiveFault> {
        let mut reader = BufReader::with_capacity(1 << 16, source.reader(self.start).take(self.size));
        for _ in 0..self.entries {
            let fixed: [u8; 46] = exactly(&mut reader)?;
            if !fixed.starts_with(b"PK\x01\x02") {
                return bad("has a damaged directory");
            }
            let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(u16_at(&fixed, at)));
            let mut variable = vec![0; name + extra + comment];
            reader.read_exact(&mut variable)?;
            let mut entry = ArchiveEntry {
                name: variable[..name].to_vec(),
                flags: u16_at(&fixed, 8),
                method: u16_at(&fixed, 10),
                crc: u32_at(&fixed, 16),
                packed: u32_at(&fixed, 20).into(),
                unpacked: u32_at(&fixed, 24).into(),
                local: u32_at(&fixed, 42).into(),
            };
            entry.widen(&variable[name..name + extra])?;
            each(entry);
        }
        Ok(())
    }
}

impl ArchiveEntry {
    /// Replaces numbers that did not fit in 32 bits by those of the extra field.
    fn widen(&mut self, mut extra: &[u8]) -> Result<(), ArchiveFault> {
        let narrow = [&mut self.unpacked, &mut self.packed, &mut self.local];
        let mut wanted = narrow.into_iter().filter(|number| **number == 0xffff_ffff).peekable();
        while wanted.peek().is_some() {
            if extra.len() < 4 || extra.len() < 4 + usize::from(u16_at(extra, 2)) {
                return bad("has a damaged directory");
            }
            let (field, rest) = extra[4..].split_at(usize::from(u16_at(extra, 2)));
            if u16_at(extra, 0) == 1 {
                let mut numbers = field.chunks_exact(8);
                for number in wanted {
                    *number =
                        u64_at(numbers.next().ok_or_else(|| ArchiveFault::Bad("has a damaged directory".into()))?, 0);
                }
                return Ok(());
            }
            extra = rest;
        }
        Ok(())
    }

    /// Where the member's bytes begin, checked against the file, and how they are packed.
    pub(super) fn locate(&self, source: &OpenFile, directory: &Directory) -> Result<(u64, Packing), ArchiveFault> {
        // Encrypted, patched or masked.
        if self.flags & (1 | 1 << 5 | 1 << 6 | 1 << 13) != 0 {
            return bad("holds it encrypted");
        }
        let packing = match self.method {
            0 => Packing::Stored,
            8 => Packing::Deflated,
            other => return bad(format!("holds it packed by method {other}; only stored and deflated are read")),
        };
        let local: [u8; 30] = exactly(source.reader(self.local))?;
        let mut name = vec![0; u16_at(&local, 26).into()];
        source.reader(self.local + 30).read_exact(&mut name)?;
        if !local.starts_with(b"PK\x03\x04") || name != self.name {
            return bad("has a directory that does not agree with its members");
        }
        let data = self.local + 30 + u64::from(u16_at(&local, 26)) + u64::from(u16_at(&local, 28));
        // Deflate makes at most 1032 bytes from one.
        let possible = match packing {
            Packing::Stored => self.unpacked == self.packed,
            Packing::Deflated => self.unpacked / 1032 <= self.packed,
        };
        match data.checked_add(self.packed) {
            Some(end) if end <= directory.start && possible => Ok((data, packing)),
            _ => bad("states a size that cannot be true"),
        }
    }
}
