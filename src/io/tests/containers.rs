//! Files that hold several arrays: archives, models, tables.

use super::super::encode::{NamedArray, NumberStyle};
use super::*;
use crate::types::dtype::{DType, F8E4m3};
use std::io::Read;

/// A member of an archive: name, contents, and what to falsify.
struct Member<'a> {
    name: &'a str,
    contents: Vec<u8>,
    deflate: bool,
    flags: u16,
    crc: Option<u32>,
    unpacked: Option<u32>,
}

fn member(name: &str, contents: Vec<u8>) -> Member<'_> {
    Member { name, contents, deflate: false, flags: 0, crc: None, unpacked: None }
}

/// A zip archive, written by the book but for the lies of its members.
fn zip(members: &[Member]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for one in members {
        let mut packed = Vec::new();
        if one.deflate {
            let level = flate2::Compression::best();
            flate2::read::DeflateEncoder::new(&one.contents[..], level).read_to_end(&mut packed).unwrap();
        } else {
            packed.clone_from(&one.contents);
        }
        let mut common = vec![20, 0];
        common.extend(one.flags.to_le_bytes());
        common.extend(if one.deflate { [8, 0] } else { [0, 0] });
        common.extend([0; 4]);
        common.extend(one.crc.unwrap_or_else(|| crc32fast::hash(&one.contents)).to_le_bytes());
        common.extend((packed.len() as u32).to_le_bytes());
        common.extend(one.unpacked.unwrap_or(one.contents.len() as u32).to_le_bytes());
        common.extend((one.name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        let local = out.len() as u32;
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(one.name.as_bytes());
        out.extend(packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(local.to_le_bytes());
        directory.extend(one.name.as_bytes());
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([(members.len() as u16).to_le_bytes(); 2].concat());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

fn bytes_of(array: &Array) -> Vec<u8> {
    let mut out = Vec::new();
    npy::write(&[NamedArray { name: "x", array }], NumberStyle::default(), &mut out).unwrap();
    out
}

/// Reads `name` (such as `a.npz:x`) from a file with these contents.
fn read_member(name: &str, contents: &[u8]) -> Result<Array, IoError> {
    let folder = folder();
    let file = Location::parse(name.as_ref()).path;
    fs::write(folder.path().join(file), contents).unwrap();
    let options = ReadOptions { max_bytes: Some(1 << 24), ..ReadOptions::default() };
    let path = folder.path().join(name);
    let array = read(&path, &options)?.0;
    let expected = Header { dtype: array.dtype(), shape: array.shape().to_vec() };
    assert_eq!(header(&path, &options).unwrap(), expected);
    Ok(array)
}

fn code(result: Result<Array, IoError>) -> &'static str {
    result.unwrap_err().code.name
}

/// What is said after the file's name.
fn said(result: Result<Array, IoError>) -> String {
    result.unwrap_err().message.split_once("` ").unwrap().1.to_string()
}

#[test]
fn c23_members_are_found_by_name_stored_or_deflated() {
    let (x, y) = (ramp::<f64>(20_000), Array::from_elements(&[2], &[1i16, -1]));
    for deflate in [false, true] {
        let members = [
            Member { deflate, ..member("x.npy", bytes_of(&x)) },
            Member { deflate, ..member("sub/y.npy", bytes_of(&y)) },
            member("notes.txt", b"not an array".to_vec()),
        ];
        let archive = zip(&members);
        assert!(read_member("a.npz:x", &archive).unwrap() == x);
        assert!(read_member("a.npz:x.npy", &archive).unwrap() == x);
        assert_eq!(read_member("a.npz:sub/y", &archive).unwrap(), y);
        let error = read_member("a.npz:z", &archive).unwrap_err();
        assert_eq!((error.code.name, error.help.as_deref()), ("unknown-member", Some("it holds `x`, `sub/y`")));
        assert_eq!(code(read_member("a.npz:notes.txt", &archive)), "unknown-member");
        assert_eq!(code(read_member("a.npz", &archive)), "unknown-member");
        let commented = [&archive[..archive.len() - 2], b"\x05\x00hello"].concat();
        assert_eq!(read_member("a.npz:sub/y", &commented).unwrap(), y);
    }
    assert_eq!(read_member("a.npz", &zip(&[member("y.npy", bytes_of(&y))])).unwrap(), y);
}

#[test]
fn c23_archives_that_lie_are_refused() {
    let array = ramp::<f64>(20_000);
    let good = || member("x.npy", bytes_of(&array));
    for deflate in [false, true] {
        let wrong_sum = zip(&[Member { crc: Some(1), deflate, ..good() }]);
        assert_eq!(said(read_member("a.npz:x", &wrong_sum)), "has a checksum that does not match: it is damaged");
        let encrypted = zip(&[Member { flags: 1, deflate, ..good() }]);
        assert_eq!(said(read_member("a.npz:x", &encrypted)), "holds it encrypted");
        let larger = zip(&[Member { unpacked: Some(1 << 31), deflate, ..good() }]);
        assert_eq!(code(read_member("a.npz:x", &larger)), "bad-array-file");
        let smaller = zip(&[Member { unpacked: Some(100_000), deflate, ..good() }]);
        let expected = if deflate { "truncated-file" } else { "bad-array-file" };
        assert_eq!(code(read_member("a.npz:x", &smaller)), expected);
    }
    let twice = zip(&[good(), good()]);
    assert_eq!(said(read_member("a.npz:x", &twice)), "holds two arrays of that name");
    let nested = zip(&[member("x.npz", zip(&[good()]))]);
    assert_eq!(code(read_member("a.npz:x", &nested)), "unknown-member");
    let absolute = zip(&[member("/etc/x.npy", bytes_of(&array)), member("../x.npy", bytes_of(&array))]);
    assert!(read_member("a.npz:../x", &absolute).unwrap() == array, "a name, not a path");
}

#[test]
fn c23_no_archive_cut_anywhere_or_with_any_byte_changed_is_a_crash() {
    let members = [Member { deflate: true, ..member("x.npy", bytes_of(&ramp::<u8>(50))) }, member("y.npy", vec![1; 9])];
    let archive = zip(&members);
    for cut in 0..archive.len() {
        assert!(read_member("a.npz:x", &archive[..cut]).is_err(), "cut at {cut}");
    }
    let folder = folder();
    let path = folder.path().join("a.npz");
    for at in 0..archive.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut changed = archive.clone();
            changed[at] = value;
            fs::write(&path, &changed).unwrap();
            let read = read(&folder.path().join("a.npz:x"), &ReadOptions::default());
            assert!(read.is_err() || read.is_ok_and(|(array, _)| array == ramp::<u8>(50)), "byte {at} to {value}");
        }
    }
}

#[test]
fn c23_bombs_stop_at_the_ceiling_or_at_what_they_declare() {
    let zeros = Array::zeros(DType::U8, &[1 << 25]).unwrap();
    let bomb = zip(&[Member { deflate: true, ..member("x.npy", bytes_of(&zeros)) }]);
    assert!(bomb.len() < 40_000);
    let message = said(read_member("a.npz:x", &bomb));
    assert_eq!(message, "needs 32.0 MiB of memory; the limit is 16.0 MiB");
    let quiet = zip(&[Member { deflate: true, unpacked: Some(1000), ..member("x.npy", bytes_of(&zeros)) }]);
    assert_eq!(code(read_member("a.npz:x", &quiet)), "truncated-file");
}

#[test]
fn c23_a_million_members_are_walked_without_being_kept() {
    let archive = zip(&(0..60_000).map(|_| member("m", Vec::new())).collect::<Vec<_>>());
    assert_eq!(said(read_member("a.npz:x", &archive)), "holds no array named `x`");
    let many = zip(&(0..1500).map(|_| member("m.npy", Vec::new())).collect::<Vec<_>>());
    let help = read_member("a.npz:x", &many).unwrap_err().help.unwrap();
    assert!(help.ends_with(", `m`, 1492 more"), "{help}");
}

fn model(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), data].concat()
}

#[test]
fn safetensors_are_read_by_name() {
    let header = r#"{"__metadata__":{"by":"us"},"b":{"dtype":"BF16","shape":[],"data_offsets":[4,6]},
        "a.w":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"ok":{"dtype":"BOOL","shape":[2],"data_offsets":[6,8]},
        "f8":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[8,9]},
        "e8":{"dtype":"F8_E8M0","shape":[1],"data_offsets":[9,10]}}"#;
    let bytes = model(header, &[0, 0, 192, 63, 0x80, 0x3f, 1, 9, 0x3c, 0]);
    assert_eq!(read_member("m.safetensors:a.w", &bytes).unwrap(), Array::from_elements(&[1, 1], &[1.5f32]));
    assert_eq!(read_member("m.safetensors:b", &bytes).unwrap(), Array::from_elements(&[], &[half::bf16::ONE]));
    assert_eq!(read_member("m.safetensors:ok", &bytes).unwrap().contiguous_bytes(), Some(&[1, 1][..]));
    assert_eq!(read_member("m.safetensors:f8", &bytes).unwrap(), Array::from_elements(&[1], &[F8E4m3(0x3c)]));
    assert_eq!(said(read_member("m.safetensors:e8", &bytes)), "holds elements of dtype `F8_E8M0`: not supported");
    assert_eq!(code(read_member("m.safetensors:c", &bytes)), "unknown-member");
    assert_eq!(code(read_member("m.safetensors", &bytes)), "unknown-member");
}

#[test]
fn safetensors_that_lie_are_refused() {
    let one = |dtype: &str, shape: &str, offsets: &str| {
        format!(r#"{{"x":{{"dtype":"{dtype}","shape":{shape},"data_offsets":{offsets}}}}}"#)
    };
    let read = |header: &str, data: &[u8]| code(read_member("m.safetensors:x", &model(header, data)));
    assert!(read_member("m.safetensors:x", &model(&one("F32", "[1]", "[0,4]"), &[0; 4])).is_ok());
    let twice =
        one("F32", "[1]", "[0,4]").replace("}}", r#"}, "x" : {"dtype":"I32","shape":[1],"data_offsets":[0,4]}}"#);
    let spaced = format!(" {} ", one("F32", "[1]", "[0,4]").replace("\"x\":", " \"x\\u0022\" : "));
    assert!(read_member("m.safetensors", &model(&spaced, &[0; 4])).is_ok());
    let bad = [
        (one("F32", "[2]", "[0,4]"), 4),
        (one("F32", "[1]", "[1,5]"), 5),
        (one("F32", "[1]", "[4,0]"), 4),
        (one("F32", "[1]", "[0,4]"), 5),
        (one("F32", "[-1]", "[0,4]"), 4),
        (one("F32", "[1.5]", "[0,4]"), 4),
        (one("F32", "null", "[0,4]"), 4),
        (one("F32", "[1]", "[0]"), 4),
        (twice, 4),
        ("[]".to_string(), 0),
        ("{".to_string(), 0),
        ("[".repeat(100_000), 0),
    ];
    for (header, len) in bad {
        assert_eq!(read(&header, &vec![0; len]), "bad-array-file", "{header:.100}");
    }
    assert_eq!(read(&one("F32", "[2]", "[0,8]"), &[0; 4]), "truncated-file");
    assert_eq!(read(&one("F32", "[4294967296,4294967296]", "[0,8]"), &[0; 8]), "too-large");
    assert_eq!(read(&one("C128", "[1]", "[0,16]"), &[0; 16]), "unsupported-file-dtype");
    for short in [&b""[..], b"1234567", &u64::MAX.to_le_bytes(), &9u64.to_le_bytes()] {
        assert_eq!(code(read_member("m.safetensors:x", short)), "bad-array-file");
    }
}
