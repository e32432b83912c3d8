//! Files as the fuzz targets and the tests of `hostile` read them, and the changes of bytes that both make.
//!
//! Each body takes any bytes. It panics when something is wrong.

use super::fuzz_edits::Random;
use arrlang::io::{IoError, ReadOptions, load, members};
use std::path::Path;

/// Reads bytes as a table of text, packed or not.
pub(crate) fn table(bytes: &[u8]) {
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or(bytes);
    read_as(
        match bytes {
            [0x1f, 0x8b, ..] => "t.csv.gz",
            [0x28, 0xb5, 0x2f, 0xfd, ..] => "t.csv.zst",
            _ if first.contains(&b'\t') => "t.tsv",
            _ => "t.csv",
        },
        bytes,
    );
}

/// Reads bytes as an array or an archive of arrays.
pub(crate) fn archive(bytes: &[u8]) {
    read_as(
        match bytes {
            [0x93, ..] => "x.npy",
            [b'P', b'K', ..] => "all.npz",
            _ => "all.safetensors",
        },
        bytes,
    );
}

/// Reads bytes as columns: Parquet, or Arrow as a file or a stream.
#[cfg(feature = "tables")]
pub(crate) fn columns(bytes: &[u8]) {
    read_as(if bytes.starts_with(b"PAR1") { "t.parquet" } else { "t.arrow" }, bytes);
}

/// Reads bytes as a file of this name: arrays or a message.
fn read_as(name: &str, bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("the folder is writable");
    let _ = read(&path);
}

/// Numbers that are wrong in the place of most.
pub(crate) const EXTREME: [u64; 14] =
    [0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 1 << 40, i64::MAX as u64, u64::MAX];

/// A number in the place of `own`.
pub(crate) fn other_number(random: &mut Random, own: u64) -> u64 {
    match random.below(4) {
        0 => own.wrapping_add(1 << random.below(8)),
        1 => own.wrapping_sub(1 << random.below(8)),
        _ => EXTREME[random.below(EXTREME.len())],
    }
}

/// Puts another number into the field of `size` bytes at `at`, whose lowest byte is first.
pub(crate) fn overwrite(random: &mut Random, bytes: &mut [u8], at: usize, size: usize) {
    let Some(field) = bytes.get_mut(at..at + size) else { return };
    let mut own = [0; 8];
    own[..size].copy_from_slice(field);
    let other = other_number(random, u64::from_le_bytes(own)).to_le_bytes();
    field.copy_from_slice(&other[..size]);
}

/// Cuts, repeats or changes some bytes anywhere.
pub(crate) fn roughened(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.is_empty() {
        return bytes;
    }
    let at = random.below(bytes.len());
    let end = (at + 1 + random.below(40)).min(bytes.len());
    match random.below(4) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
        _ => bytes[at] = [0, 0xff, 0x7f, 0x80, b'"', b'\n', random.below(256) as u8][random.below(7)],
    }
    bytes
}

/// Reads what is in a file: its names, some of its arrays alone, and all columns as one.
pub(crate) fn read(path: &Path) -> Result<(), IoError> {
    let options = ReadOptions::default();
    let names = members(path);
    let some = names.iter().flatten().take(3).cloned().chain(["*".to_owned(), "2".to_owned()]);
    let mut outcome = load(path, &options).map(drop);
    for name in some {
        let mut location = path.as_os_str().to_owned();
        location.push(":");
        location.push(&name);
        outcome = load(Path::new(&location), &options).map(drop).or(outcome);
    }
    outcome.inspect_err(is_message)
}

/// Asserts that an error has something to say, and not too much.
pub(crate) fn is_message(error: &IoError) {
    assert!(!error.message.is_empty() && error.message.len() < 4096, "a message of {}", error.message.len());
    assert!(!error.message.to_lowercase().contains("panic"), "{}", error.message);
}
