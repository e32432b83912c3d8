//! Writing `.npz`: each array as a `.npy` in an archive, as it is, so that it can be mapped again.
//!
//! ```text
//! header a.npy, data | header b.npy, data | directory | its end
//! ```

use super::{NamedArray, NumberStyle, distinct};
use crate::io::gather::each_chunk;
use crate::io::npy;
use std::io::{self, Write};

/// Members have names that no path is made of.
pub(in crate::io) fn fits(arrays: &[NamedArray<'_>]) -> Result<(), String> {
    distinct(arrays)
}

/// A member that was written.
struct Member {
    name: String,
    crc: u32,
    len: u64,
    at: u64,
}

pub(in crate::io) fn write(arrays: &[NamedArray<'_>], _: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    let (mut at, mut members) = (0u64, Vec::with_capacity(arrays.len()));
    for NamedArray { name, array } in arrays {
        let start = npy::preamble(array.dtype(), array.shape());
        let mut crc = crc32fast::Hasher::new();
        crc.update(&start);
        each_chunk(array, |bytes| {
            crc.update(bytes);
            Ok(())
        })?;
        let len = start.len() as u64 + array.len() as u64 * array.dtype().size() as u64;
        let mut member = Member { name: format!("{name}.npy"), crc: crc.finalize(), len, at };
        // What stands before the data is as long as it takes for the data to begin at a multiple of 64.
        let local = member.local(at);
        out.write_all(&local)?;
        out.write_all(&start)?;
        each_chunk(array, |bytes| out.write_all(bytes))?;
        member.at = at;
        at += local.len() as u64 + len;
        members.push(member);
    }
    let directory: Vec<u8> = members.iter().flat_map(Member::entry).collect();
    out.write_all(&directory)?;
    out.write_all(&end(members.len() as u64, directory.len() as u64, at))
}

/// Sizes of 4 GiB and more stand in a field of their own; so do all of them here, because that is always right.
const ELSEWHERE: [u8; 4] = [0xff; 4];

/// The version that knows such fields, without flags but that names are UTF-8, stored, on the first day there is.
fn common(member: &Member) -> Vec<u8> {
    let mut bytes = vec![45, 0, 0, 8, 0, 0, 0, 0, 0x21, 0];
    bytes.extend(member.crc.to_le_bytes());
    bytes.extend([ELSEWHERE, ELSEWHERE].concat());
    bytes.extend((member.name.len() as u16).to_le_bytes());
    bytes
}

impl Member {
    /// The header that stands before the data, if it begins at `at`.
    fn local(&self, at: u64) -> Vec<u8> {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.extend(common(self));
        let unpadded = at + 30 + self.name.len() as u64 + 20 + 4;
        let padding = unpadded.next_multiple_of(64) - unpadded;
        bytes.extend((20 + 4 + padding as u16).to_le_bytes());
        bytes.extend(self.name.as_bytes());
        bytes.extend([1, 0, 16, 0]);
        bytes.extend([self.len.to_le_bytes(), self.len.to_le_bytes()].concat());
        // A field that nobody knows, of zeros.
        bytes.extend([0xaa, 0x77]);
        bytes.extend((padding as u16).to_le_bytes());
        bytes.extend(std::iter::repeat_n(0, padding as usize));
        bytes
    }

    /// Its entry in the directory.
    fn entry(&self) -> Vec<u8> {
        let mut bytes = b"PK\x01\x02\x2d\x03".to_vec();
        bytes.extend(common(self));
        bytes.extend([28, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([0, 0, 0xa4, 0x81]);
        bytes.extend(ELSEWHERE);
        bytes.extend(self.name.as_bytes());
        bytes.extend([1, 0, 24, 0]);
        bytes.extend([self.len, self.len, self.at].map(u64::to_le_bytes).concat());
        bytes
    }
}

/// What stands behind a directory of `members` members and `len` bytes that begins at `at`.
fn end(members: u64, len: u64, at: u64) -> Vec<u8> {
    let mut bytes = b"PK\x06\x06".to_vec();
    bytes.extend(44u64.to_le_bytes());
    bytes.extend([45, 3, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([members, members, len, at].map(u64::to_le_bytes).concat());
    bytes.extend(b"PK\x06\x07\0\0\0\0");
    bytes.extend((at + len).to_le_bytes());
    bytes.extend(1u32.to_le_bytes());
    let few = |number: u64| u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes();
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([few(members), few(members)].concat());
    bytes.extend([small(len), small(at)].concat());
    bytes.extend([0, 0]);
    bytes
}
