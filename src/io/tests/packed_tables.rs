//! Packed tables: unpacked, damaged, or larger than they seem.

use super::super::ReadOptions;
use super::tables::{code, read_as, read_member, said};
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

#[test]
fn packed_tables_are_unpacked() {
    for (name, packed) in [("t.csv.gz:x", gzip(b"x\n1\n2\n")), ("t.csv.zst:x", zstandard(b"x\n1\n2\n"))] {
        assert_eq!(read_member(name, &packed).unwrap().to_vec::<i64>(), [1, 2], "{name}");
        let twice = [packed.clone(), packed.clone()].concat();
        assert_eq!(code(read_member(name, &twice)), "bad-array-file", "a second header is no number: {name}");
        for cut in 0..packed.len() {
            assert!(read_member(name, &packed[..cut]).is_err() || cut == 0, "{name} cut at {cut}");
        }
        for at in 0..packed.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut changed = packed.clone();
                changed[at] = value;
                // Whatever comes of it, it is no crash.
                let _ = read_member(name, &changed);
            }
        }
    }
}

#[test]
fn the_checksum_of_every_zstandard_frame_is_compared() {
    // As `zstd` packs `a\n1\n3\n-5\n`: one block as it is, then the checksum.
    let mut frame = b"\x28\xb5\x2f\xfd\x04\x58\x49\0\0a\n1\n3\n-5\n\x3c\x68\xe9\xee".to_vec();
    let more = zstandard(b"7\n");
    let read = |frames: &[&[u8]]| read_member("t.csv.zst:a", &frames.concat());
    assert_eq!(read(&[&frame]).unwrap().to_vec::<i64>(), [1, 3, -5]);
    assert_eq!(read(&[&frame, &more, &more]).unwrap().to_vec::<i64>(), [1, 3, -5, 7, 7]);
    let damaged = "cannot be unpacked: its packed data is damaged";
    frame[11] = b'9';
    assert_eq!(said(read(&[&frame])), damaged);
    assert_eq!(said(read(&[&frame, &more])), damaged);
    assert_eq!(said(read(&[&zstandard(b"a\n1\n"), &frame])), damaged);
    // A frame without a checksum is read as it is.
    frame[4] = 0;
    frame.truncate(frame.len() - 4);
    assert_eq!(read(&[&frame]).unwrap().to_vec::<i64>(), [9, 3, -5]);
}

#[test]
fn e32_bombs_in_packed_tables_stop_at_the_ceiling_or_by_how_well_they_are_packed() {
    let lines = gzip(&[b"x\n".as_slice(), &b"1\n".repeat(9 << 20)].concat());
    let read = read_as("t.csv.gz:x", &lines, &ReadOptions::default());
    assert_eq!(said(read), "holds more than 250 times as much as it is long, and more than 16.0 MiB");
    let record = gzip(&vec![b'1'; 12 << 20]);
    assert_eq!(said(read_member("t.csv.gz:x", &record)), "has a record of more than 8.0 MiB");
    let blank = gzip(&[b"x\n".as_slice(), &vec![b'\n'; 18 << 20]].concat());
    assert_eq!(code(read_as("t.csv.gz:x", &blank, &ReadOptions::default())), "too-large");
}

#[test]
fn what_stands_behind_packed_data_and_what_else_is_packed_is_told() {
    let two = [gzip(b"x\n1\n"), gzip(b"2\n")].concat();
    let filled = [two.as_slice(), &[0; 700]].concat();
    for packed in [&two, &filled] {
        assert_eq!(read_member("t.csv.gz:x", packed).unwrap().to_vec::<i64>(), [1, 2]);
    }
    let junk = [two.as_slice(), b"junk"].concat();
    assert_eq!(said(read_member("t.csv.gz:x", &junk)), "has other bytes behind the end of its packed data");
    assert_eq!(said(read_member("t.csv.gz:x", &two[..two.len() - 3])), "is cut short");
    let again = said(read_member("t.csv.gz:x", &gzip(&two)));
    assert_eq!(again, "holds what is packed once more, and only tables are unpacked");
    let array = said(read_member("t.csv.gz:x", &gzip(b"\x93NUMPY\x01\0")));
    assert_eq!(array, "holds `.npy` bytes, and only tables are unpacked");
}
