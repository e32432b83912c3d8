//! Tables of text: cells, quotes, line ends and names that nobody expects, also packed.

use crate::fuzz_edits::Random;
use crate::fuzz_files::{other_number, overwrite, roughened};
use std::io::Write;

/// A table of text, perhaps packed, most with something wrong.
pub(crate) fn made(random: &mut Random) -> Vec<u8> {
    let delimiter = [b',', b'\t'][random.below(2)];
    let table = mutated(random, delimiter);
    match random.below(4) {
        0 => gzip(random, &table),
        1 => zstandard(random, &table),
        _ => table,
    }
}

const CELLS: [&[u8]; 34] = [
    b"",
    b"-",
    b"NA",
    b"nan",
    b"1e400",
    b"-1e-400",
    b"9223372036854775807",
    b"9223372036854775808",
    b"-9223372036854775809",
    b"0x1F",
    b"1_000",
    b"1,5",
    b"+",
    b".",
    b"e",
    b"1e",
    b"infinity",
    b"true",
    b"False",
    b"2026-02-30",
    b"2026-11-22",
    b"2026-11-22T10:00:00.123456789Z",
    b"\"",
    b"\"\"",
    b"\"a\"\"b\"",
    b"\"a\nb\"",
    b"\"a\"b",
    b"a\"b",
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\x1b[2J",
    "漢\u{202e}".as_bytes(),
    b" 1 ",
];

/// A table as it is written: rows of cells, and what stands between them.
struct Table {
    rows: Vec<Vec<Vec<u8>>>,
    delimiter: Vec<u8>,
    end: Vec<u8>,
    start: Vec<u8>,
    behind: Vec<u8>,
}

impl Table {
    /// Numbers, words, dates and truth values, in columns of each.
    fn new(random: &mut Random, delimiter: u8) -> Table {
        let (rows, columns) = (1 + random.below(40), 1 + random.below(8));
        let mut cells = vec![(0..columns).map(|at| format!("c{at}").into_bytes()).collect::<Vec<_>>()];
        for row in 0..rows {
            let cell = |at: usize| match at % 5 {
                0 => row.to_string(),
                1 => format!("{}.25", row * 3),
                2 => ["AAPL", "MSFT", "a b"][row % 3].to_owned(),
                3 => format!("2026-11-{:02}", 1 + row % 28),
                _ => (row % 2 == 0).to_string(),
            };
            cells.push((0..columns).map(|at| cell(at).into_bytes()).collect());
        }
        Table { rows: cells, delimiter: vec![delimiter], end: b"\n".to_vec(), start: vec![], behind: b"\n".to_vec() }
    }

    fn mutate(&mut self, random: &mut Random) {
        let row = random.below(self.rows.len());
        let at = random.below(self.rows[row].len());
        let cell = || CELLS[at % CELLS.len()].to_vec();
        match random.below(16) {
            0..=4 => self.rows[row][at] = CELLS[random.below(CELLS.len())].to_vec(),
            5 => self.rows[row][at] = [b"9", b"0", b"a", b"\"", b" "][random.below(5)].repeat(1 + random.below(70_000)),
            6 if self.rows[row].len() > 1 => drop(self.rows[row].remove(at)),
            7 => self.rows[row].insert(at, cell()),
            8 if self.rows.len() > 1 => drop(self.rows.remove(row)),
            9 => {
                let same = self.rows[row].clone();
                self.rows.splice(row..row, std::iter::repeat_n(same, random.below(2000)));
            }
            10 => self.end = [&b"\r\n"[..], b"\r", b"\n\n", b"\n\r", b" \n", b""][random.below(6)].to_vec(),
            11 => {
                self.start =
                    [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\n\n", b"# a\n", b"\0", b"\""][random.below(6)].to_vec();
            }
            12 => self.behind = [&b""[..], b"\"", b"\n\n\n", b"\0", b"1", b",,,"][random.below(6)].to_vec(),
            13 => self.delimiter = [&b";"[..], b"\t", b"|", b",,", b" ", b"\n"][random.below(6)].to_vec(),
            14 => self.rows[row] = vec![cell(); 1 + random.below(5000)],
            _ => {
                let column: Vec<u8> = CELLS[random.below(CELLS.len())].to_vec();
                self.rows.iter_mut().filter(|row| row.len() > at).for_each(|row| row[at].clone_from(&column));
            }
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let rows: Vec<Vec<u8>> = self.rows.iter().map(|row| row.join(&self.delimiter[..])).collect();
        [&self.start[..], &rows.join(&self.end[..]), &self.behind].concat()
    }
}

pub(crate) fn mutated(random: &mut Random, delimiter: u8) -> Vec<u8> {
    let mut table = Table::new(random, delimiter);
    for _ in 0..random.below(4) {
        table.mutate(random);
        if table.rows.is_empty() || table.rows.iter().any(Vec::is_empty) {
            break;
        }
    }
    let mut bytes = table.bytes();
    // Long cells in many rows would only make the search slow.
    bytes.truncate(1 << 20);
    if random.below(4) == 0 { roughened(random, bytes) } else { bytes }
}

/// As gzip packs it, with other numbers in its frame.
pub(crate) fn gzip(random: &mut Random, table: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(random.below(10) as u32));
    packer.write_all(table).expect("memory");
    let mut bytes = packer.finish().expect("memory");
    let end = bytes.len();
    match random.below(10) {
        0 => bytes[2] = random.below(256) as u8,
        1 => bytes[3] = random.below(256) as u8,
        2 => overwrite(random, &mut bytes, 4, 4),
        3 => overwrite(random, &mut bytes, end - 8, 4),
        4 => overwrite(random, &mut bytes, end - 4, 4),
        // The first block: its kind, and its length where it is stored.
        5 => bytes[10] = random.below(256) as u8,
        6 => overwrite(random, &mut bytes, 11, 2),
        7 => {
            // An extra field that is longer than the file.
            bytes[3] = 4;
            let length = (other_number(random, 0) as u16).to_le_bytes();
            bytes.splice(10..10, length);
        }
        8 => bytes.extend([&bytes.clone()[..], b"\x1f\x8b"].concat()),
        _ => bytes.extend_from_slice(&[0; 100][..random.below(100)]),
    }
    bytes
}

/// As Zstandard packs it, with other numbers in its frame and blocks.
pub(crate) fn zstandard(random: &mut Random, table: &[u8]) -> Vec<u8> {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    let level = [CompressionLevel::Uncompressed, CompressionLevel::Fastest][random.below(2)];
    let mut bytes = compress_to_vec(table, level);
    match random.below(10) {
        0 => bytes[3] = random.below(256) as u8,
        // What the frame says of itself, and how far back it looks.
        1 | 2 => bytes[4] = random.below(256) as u8,
        3 | 4 => bytes[5] = random.below(256) as u8,
        5 => {
            let size = 1 + random.below(8);
            overwrite(random, &mut bytes, 6, size);
        }
        // The first block: whether it is the last, its kind and length.
        6 => {
            let at = 5 + random.below(8);
            overwrite(random, &mut bytes, at, 3);
        }
        7 => {
            let length = (other_number(random, 4) as u32).to_le_bytes();
            let skipped = [&[0x50 + random.below(16) as u8, 0x2a, 0x4d, 0x18][..], &length, b"skip"].concat();
            let at = if random.below(2) == 0 { 0 } else { bytes.len() };
            bytes.splice(at..at, skipped);
        }
        8 => bytes.extend(bytes.clone()),
        _ => bytes.extend_from_slice(&[0x28, 0xb5, 0x2f, 0xfd][..random.below(5)]),
    }
    bytes
}
