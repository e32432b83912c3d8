//! `.npz`: named `.npy` files in a zip archive.
//!
//! What `savez` wrote is stored as it is and is mapped like a `.npy` file; what `savez_compressed` wrote is unpacked
//! into memory, exactly as many bytes as its header says. Checksums are verified either way, when the data is read.
//!
//! ```
//! use arrlang::io::{read, ReadOptions};
//! assert_eq!(read("missing.npz:x".as_ref(), &ReadOptions::default()).unwrap_err().outcome(), arrlang::diagnostic::Outcome::Unreachable);
//! ```

use super::error::{IoError, MAX_PACKED, Warning};
use super::file::OpenFile;
use super::npy::{self, START};
use super::zip::{ArchiveEntry, ArchiveFault, Directory, Packing};
use super::{Header, LoadedArray, Location, ReadOptions, no_member};
use crate::array::Buffer;
use crate::array::bytes::AlignedBytes;
use crate::diagnostic::codes::running;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// A member that was found.
struct FoundMember {
    entry: ArchiveEntry,
    data: u64,
    packing: Packing,
}

/// Enough names to choose from; an archive may have a million.
const MAX_NAMES: usize = 1000;

/// Longest name in bytes that is kept to choose from.
const MAX_NAME_BYTES: usize = 1024;

/// A packed member of more bytes than this is refused if it is packed too well.
pub const PACKED_FROM: u64 = 64 << 20;

/// Keeps a name to choose from.
fn note(names: &mut Vec<String>, stem: &[u8]) {
    if names.len() < MAX_NAMES && stem.len() <= MAX_NAME_BYTES {
        names.push(String::from_utf8_lossy(stem).into_owned());
    }
}

/// The members.
pub(super) fn names(source: &OpenFile) -> Result<Vec<String>, IoError> {
    let bad = |fault| bad(fault, source.path());
    let mut names = Vec::new();
    let walked = Directory::find(source).map_err(bad)?.walk(source, |entry| {
        if let Some(stem) = entry.name.strip_suffix(b".npy") {
            note(&mut names, stem);
        }
    });
    walked.map_err(bad)?;
    Ok(names)
}

fn bad(fault: ArchiveFault, path: &Path) -> IoError {
    match fault {
        ArchiveFault::Bad(what) => IoError::data(&running::BAD_ARRAY_FILE, path, what),
        ArchiveFault::Io(error) => IoError::reading(path, &error),
    }
}

/// Dtype and shape of a member.
pub(super) fn header(location: &Location, options: &ReadOptions) -> Result<(Header, Vec<Warning>), IoError> {
    let source = options.open(&location.path)?;
    let found = find(&source, location)?;
    Ok(check(&source, &found, &location.whole(), options)?.told())
}

/// A member.
pub(super) fn read(location: &Location, options: &ReadOptions) -> Result<LoadedArray, IoError> {
    let source = options.open(&location.path)?;
    let found = find(&source, location)?;
    let whole = location.whole();
    let checked = check(&source, &found, &whole, options)?;
    let wrong_sum =
        || IoError::data(&running::BAD_ARRAY_FILE, &whole, "has a checksum that does not match: it is damaged");
    match found.packing {
        Packing::Stored => {
            let sum = checksum(source.reader(found.data).take(found.entry.packed));
            if sum.map_err(|error| IoError::reading(&whole, &error))? != found.entry.crc {
                return Err(wrong_sum());
            }
            checked.load(&source, &whole, found.data, options)
        }
        Packing::Deflated => {
            let (offset, len) = checked.data;
            if found.entry.unpacked > PACKED_FROM && found.entry.unpacked / found.entry.packed.max(1) > MAX_PACKED {
                return Err(IoError::bomb(&whole, PACKED_FROM));
            }
            options.afford(&whole, len)?;
            let mut bytes = AlignedBytes::zeroed(len).map_err(|missing| IoError::memory(&whole, missing))?;
            let sum = unpack(&source, &found, offset, bytes.as_mut_slice()).map_err(|error| damaged(&whole, &error))?;
            if sum != found.entry.crc {
                return Err(wrong_sum());
            }
            checked.finish(Buffer::Owned(bytes), &source, &whole, options)
        }
    }
}

/// Looks a member up by name; without a name the archive must hold one array only.
fn find(source: &OpenFile, location: &Location) -> Result<FoundMember, IoError> {
    let bad = |fault| bad(fault, &location.path);
    let directory = Directory::find(source).map_err(bad)?;
    let (mut found, mut count, mut total) = (None, 0u64, 0);
    let mut names = Vec::new();
    let wanted = |name: &[u8]| match &location.member {
        Some(member) => name == member.as_bytes(),
        None => true,
    };
    let walked = directory.walk(source, |entry| {
        let Some(stem) = entry.name.strip_suffix(b".npy") else { return };
        total += 1;
        if wanted(stem) || wanted(&entry.name) {
            count += 1;
            found.get_or_insert(entry.clone());
        }
        note(&mut names, stem);
    });
    walked.map_err(bad)?;
    match (found, count) {
        (Some(entry), 1) => {
            let (data, packing) = entry.locate(source, &directory).map_err(bad)?;
            Ok(FoundMember { entry, data, packing })
        }
        (Some(_), _) if location.member.is_some() => {
            let what = "holds two arrays of that name";
            Err(IoError::data(&running::BAD_ARRAY_FILE, &location.whole(), what))
        }
        _ => Err(no_member(location, "array", (&names, total))),
    }
}

/// Reads the header of a member and compares it with the size that the archive states.
fn check(
    source: &OpenFile,
    found: &FoundMember,
    whole: &Path,
    options: &ReadOptions,
) -> Result<npy::CheckedHeader, IoError> {
    let mut start = Vec::new();
    let read = match found.packing {
        Packing::Stored => source.reader(found.data).take(found.entry.packed.min(START as u64)).read_to_end(&mut start),
        Packing::Deflated => inflate(source, found).take(START as u64).read_to_end(&mut start),
    };
    read.map_err(|error| damaged(whole, &error))?;
    npy::check(whole, &start, found.entry.unpacked, options)
}

fn inflate<'a>(source: &'a OpenFile, found: &FoundMember) -> impl Read + use<'a> {
    let packed = source.reader(found.data).take(found.entry.packed);
    flate2::bufread::DeflateDecoder::new(BufReader::with_capacity(1 << 16, packed))
}

/// Unpacks a member: `bytes` receives what stands from `offset` on. Returns the checksum of all of it.
fn unpack(source: &OpenFile, found: &FoundMember, offset: u64, bytes: &mut [u8]) -> io::Result<u32> {
    let mut hasher = crc32fast::Hasher::new();
    // Never more than the archive states, whatever the packed bytes make.
    let mut reader = inflate(source, found).take(found.entry.unpacked + 1);
    let mut start = vec![0; offset as usize];
    reader.read_exact(&mut start)?;
    hasher.update(&start);
    reader.read_exact(bytes)?;
    hasher.update(bytes);
    let mut rest = [0; 4096];
    let mut total = offset + bytes.len() as u64;
    loop {
        match reader.read(&mut rest)? {
            0 => break,
            count => {
                total += count as u64;
                hasher.update(&rest[..count]);
            }
        }
    }
    if total == found.entry.unpacked { Ok(hasher.finalize()) } else { Err(io::ErrorKind::InvalidData.into()) }
}

fn checksum(mut reader: impl Read) -> io::Result<u32> {
    let mut hasher = crc32fast::Hasher::new();
    let mut piece = vec![0; 1 << 18];
    loop {
        match reader.read(&mut piece)? {
            0 => return Ok(hasher.finalize()),
            count => hasher.update(&piece[..count]),
        }
    }
}

/// The decoder's own errors mean damaged data; others come from the system.
fn damaged(whole: &Path, error: &io::Error) -> IoError {
    match error.raw_os_error() {
        Some(_) => IoError::reading(whole, error),
        None => IoError::data(&running::BAD_ARRAY_FILE, whole, "is damaged: it cannot be unpacked as the archive says"),
    }
}
