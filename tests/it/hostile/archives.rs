//! Archives of arrays, `.npz` and `.safetensors`, and `.npy`: headers and directories that lie.

use crate::fuzz_edits::Random;
use crate::fuzz_files::{EXTREME, other_number, overwrite, roughened};
use std::io::Write;

/// An array or an archive of arrays, most with something wrong.
pub(crate) fn made(random: &mut Random) -> Vec<u8> {
    match random.below(3) {
        0 => npy(random),
        1 => npz(random),
        _ => safetensors(random),
    }
}

const DTYPES: [&str; 16] =
    ["<f4", "<f8", ">i2", "|u1", "|b1", "<c16", "<f2", "|V2", "|O", "<U3", "<M8[D]", "<i9", "", "f4'", "=f4", "<f16"];

/// An array as NumPy writes it, with other words and numbers in its header.
pub(crate) fn npy(random: &mut Random) -> Vec<u8> {
    let len = random.below(50);
    let mut parts: Vec<String> = [
        "{",
        "'descr'",
        ": ",
        "'<f4'",
        ", ",
        "'fortran_order'",
        ": ",
        "False",
        ", ",
        "'shape'",
        ": ",
        "(",
        &len.to_string(),
        ",",
        ")",
        ", ",
        "}",
        "\n",
    ]
    .map(str::to_owned)
    .to_vec();
    for _ in 0..random.below(3) {
        let at = random.below(parts.len());
        match random.below(7) {
            0 => parts[3] = format!("'{}'", DTYPES[random.below(DTYPES.len())]),
            1 => parts[12] = EXTREME[random.below(EXTREME.len())].to_string(),
            2 => parts[12] = format!("-{}", random.below(9)),
            3 => {
                let shape = ["", "1, 2, 3", "9", "0, 18446744073709551615", "True"][random.below(5)];
                shape.clone_into(&mut parts[12]);
            }
            4 => drop(parts.remove(at)),
            5 => parts.insert(at, parts[at].clone()),
            _ => parts[at] = "(".repeat(1 + random.below(5000)),
        }
        parts.resize(parts.len().max(18), String::new());
    }
    let header = parts.concat();
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(std::iter::repeat_n(1u8, 4 * len));
    match random.below(6) {
        0 => overwrite(random, &mut bytes, 8, 2),
        1 => bytes[6] = random.below(256) as u8,
        2 => return roughened(random, bytes),
        _ => {}
    }
    bytes
}

/// A number in an archive: where it is, and its bytes.
pub(crate) type Number = (usize, usize);

/// A zip archive of some members, and where its numbers are.
pub(crate) fn zip(members: &[(String, Vec<u8>)], packed: bool, comment: &[u8]) -> (Vec<u8>, Vec<Number>) {
    let (mut bytes, mut directory, mut local, mut central) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (name, data) in members {
        let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(data).expect("memory");
        let body = if packed { packer.finish().expect("memory") } else { data.clone() };
        let (at, sum) = (bytes.len(), crc32fast::hash(data));
        let method = if packed { 8u16 } else { 0 };
        let mut common = [20u16, 0, method, 0, 0].map(u16::to_le_bytes).concat();
        common.extend([sum, body.len() as u32, data.len() as u32].map(u32::to_le_bytes).concat());
        common.extend([name.len() as u16, 0].map(u16::to_le_bytes).concat());
        local.extend(
            [(4, 2), (6, 2), (8, 2), (14, 4), (18, 4), (22, 4), (26, 2), (28, 2)].map(|(from, size)| (at + from, size)),
        );
        bytes.extend([&b"PK\x03\x04"[..], &common, name.as_bytes(), &body].concat());
        let start = directory.len();
        let fields = [(6, 2), (8, 2), (10, 2), (16, 4), (20, 4), (24, 4), (28, 2), (30, 2), (32, 2), (34, 2), (42, 4)];
        central.extend(fields.map(|(from, size)| (start + from, size)));
        let rest = [&[0u8; 10][..], &(at as u32).to_le_bytes()].concat();
        directory.extend([&b"PK\x01\x02\x14\x00"[..], &common, &rest, name.as_bytes()].concat());
    }
    let start = bytes.len();
    local.extend(central.into_iter().map(|(at, size)| (start + at, size)));
    bytes.extend(&directory);
    let end = bytes.len();
    let count = (members.len() as u16).to_le_bytes();
    bytes.extend([&b"PK\x05\x06\0\0\0\0"[..], &count, &count].concat());
    bytes.extend([directory.len() as u32, start as u32].map(u32::to_le_bytes).concat());
    bytes.extend([&(comment.len() as u16).to_le_bytes()[..], comment].concat());
    local.extend([(4, 2), (6, 2), (8, 2), (10, 2), (12, 4), (16, 4), (20, 2)].map(|(from, size)| (end + from, size)));
    (bytes, local)
}

pub(crate) fn npz(random: &mut Random) -> Vec<u8> {
    const NAMES: [&str; 8] = ["x.npy", "y.npy", "x.npy", "", "a/b.npy", "\u{202e}.npy", "x", "../x.npy"];
    let name = |random: &mut Random| match random.below(4) {
        0 => NAMES[random.below(NAMES.len())].to_owned(),
        _ => format!("x{}.npy", random.below(9)),
    };
    let members: Vec<_> = (0..random.below(4)).map(|_| (name(random), npy(random))).collect();
    let (mut bytes, numbers) = zip(&members, random.below(2) == 0, &b"PK\x05\x06 comment"[..random.below(12)]);
    for _ in 0..random.below(3) {
        let (at, size) = numbers[random.below(numbers.len())];
        overwrite(random, &mut bytes, at, size);
    }
    if random.below(4) == 0 { roughened(random, bytes) } else { bytes }
}

pub(crate) fn safetensors(random: &mut Random) -> Vec<u8> {
    const KINDS: [&str; 12] = ["F32", "F64", "I64", "U8", "BOOL", "BF16", "F16", "C64", "F8_E4M3", "X", "", "f32"];
    let (mut entries, mut at) = (Vec::new(), 0u64);
    for index in 0..random.below(4) {
        let len = random.below(20) as u64;
        let mut numbers = [len, at, at + 4 * len];
        at += 4 * len;
        if random.below(3) == 0 {
            let one = random.below(3);
            numbers[one] = other_number(random, numbers[one]);
        }
        let kind = if random.below(4) == 0 { KINDS[random.below(KINDS.len())] } else { "F32" };
        let [len, from, to] = numbers;
        let name = if random.below(5) == 0 { "x".to_owned() } else { format!("x{index}") };
        let shape = match random.below(6) {
            0 => format!("{len},18446744073709551615"),
            1 => format!("-{len}"),
            2 => vec!["1"; random.below(3000)].join(","),
            _ => len.to_string(),
        };
        entries.push(format!("\"{name}\":{{\"dtype\":\"{kind}\",\"shape\":[{shape}],\"data_offsets\":[{from},{to}]}}"));
    }
    if random.below(6) == 0 {
        let wrong = [
            "\"__metadata__\":{\"a\":\"b\"}".to_owned(),
            "\"__metadata__\":[1]".to_owned(),
            format!("\"deep\":{}{}", "[".repeat(5000), "]".repeat(5000)),
            "\"x\":null".to_owned(),
            "\"x\":{\"dtype\":\"F32\"}".to_owned(),
            format!("\"{}\":1", "k".repeat(60_000)),
        ];
        entries.push(wrong[random.below(wrong.len())].clone());
    }
    let mut header = format!("{{{}}}", entries.join(","));
    if random.below(3) == 0 {
        header.push_str(&" ".repeat(random.below(9)));
    }
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(std::iter::repeat_n(1u8, at as usize));
    if random.below(6) == 0 {
        overwrite(random, &mut bytes, 0, 8);
    }
    if random.below(4) == 0 { roughened(random, bytes) } else { bytes }
}
