//! Differences of a table's text from its arrays. They are told once for each column, with its line and what to write.

use super::super::table::ColumnReading;
use super::super::{ReadOptions, load};
use super::folder;
use crate::types::dtype::DType;
use std::fs;

/// The warnings of an array of a table: what follows the file's name, and the help.
fn told_of(member: &str, text: &[u8], options: &ReadOptions) -> Vec<(String, String)> {
    let folder = folder();
    let path = folder.path().join(member);
    fs::write(folder.path().join(member.split(':').next().unwrap()), text).unwrap();
    let options = ReadOptions { max_bytes: Some(1 << 26), ..options.clone() };
    let loaded = load(&path, &options).unwrap();
    let warnings = loaded.warnings.into_iter().map(|warning| {
        assert_eq!(warning.code.name, "lossy-column");
        let help = warning.help.unwrap().replace(&format!("{}/", folder.path().display()), "");
        (warning.message.split_once("` ").unwrap().1.to_owned(), help)
    });
    warnings.collect()
}

fn told(text: &str, options: &ReadOptions) -> Vec<String> {
    told_of("t.csv:x", text.as_bytes(), options).into_iter().map(|(what, _)| what).collect()
}

fn declared(dtype: DType) -> ReadOptions {
    ReadOptions { dtype: Some(dtype), ..ReadOptions::default() }
}

#[test]
fn zeros_in_front_are_told_unless_numbers_are_declared() {
    let found = ReadOptions::default();
    let (what, help) = told_of("t.csv:x", b"x,y\n12,1\n007,1\n08,1\n", &found).remove(0);
    assert_eq!(what, "has a number with zeros in front in line 3, column `x`, which `i64` does not keep");
    assert_eq!(help, "`codes(\"t.csv:x\")` keeps them as words; declared as `i64[n]` numbers are meant");
    for (cells, line) in [("-01|2", 2), ("1.5|007", 3), ("00.5|1", 2), ("1|NA|00", 4)] {
        let rows: String = cells.split('|').map(|cell| format!("{cell},0\n")).collect();
        let told = told(&format!("x,y\n{rows}"), &found);
        assert!(told.len() == 1 && told[0].contains(&format!("zeros in front in line {line},")), "{cells}: {told:?}");
    }
    assert!(told("x,y\n0,1\n0.5,1\n-0.5,1\n10,1\n", &found).is_empty());
    for dtype in [DType::I64, DType::F64, DType::U8] {
        assert!(told("x,y\n007,1\n", &declared(dtype)).is_empty(), "{dtype}");
    }
    assert!(told("x,y\n007,1\n", &ReadOptions { cells: ColumnReading::Words, ..found.clone() }).is_empty());
    // Columns by their places, and all of them.
    assert_eq!(told_of("t.csv:1", b"007\n008\n", &found)[0].1.split(' ').next(), Some("`codes(\"t.csv:1\")`"));
    assert!(told_of("t.csv:*", b"x,y\n007,1\n", &found).is_empty());
}

#[test]
fn digits_that_a_float_does_not_keep_are_told() {
    let found = ReadOptions::default();
    let digits = "of which `f64` does not keep all digits";
    for (text, line) in [
        ("x,y\n9007199254740993,1\n0.5,1\n", 2),
        ("x,y\n0.5,1\n1,1\n9007199254740993,1\n9007199254740995,1\n", 4),
        ("x,y\n1,1\n9007199254740993,1\n,1\n", 3),
        ("x,y\n0.5,1\n99999999999999999999,1\n", 3),
    ] {
        let expected = format!("has a whole number in line {line}, column `x`, {digits}");
        assert_eq!(told(text, &found), [expected], "{text}");
    }
    let help = |text: &str, options| told_of("t.csv:x", text.as_bytes(), options).remove(0).1;
    assert!(help("x,y\n1,1\n9007199254740993,1\n,1\n", &found).contains("`--missing=-1` keeps i64"));
    assert!(help("x,y\n9007199254740993,1\n0.5,1\n", &found).contains("not all of its numbers are whole"));
    let ids = "x,y\n1700000000000000001,1\n1700000000000000002,1\n";
    assert!(told(ids, &found).is_empty() && told(ids, &declared(DType::I64)).is_empty());
    assert!(help(ids, &declared(DType::F64)).contains("declared as `i64[n]`"));
    assert!(told_of("t.csv:*", ids.as_bytes(), &found)[0].0.contains("line 2, column `x`"));
    // A narrow float rounds; what is beyond is told.
    assert!(told("x,y\n16777217,1\n", &declared(DType::F32)).is_empty());
    assert_eq!(told(ids, &declared(DType::F32)).len(), 1);
    // Numbers with a point are measured, not counted.
    assert!(told("x,y\n0.1234567890123456789,1\n9007199254740993.5,1\n", &found).is_empty());
}

#[test]
fn numbers_that_become_infinite_or_nothing_are_told() {
    let found = ReadOptions::default();
    let both = told("x,y\n1e400,1\n-1e400,1\n1e-400,1\n", &found);
    assert_eq!(
        both,
        [
            "has a number in line 2, column `x`, that is beyond `f64` and no finite number there",
            "has a number in line 4, column `x`, that is too small for `f64` and 0 there",
        ]
    );
    assert!(told("x,y\n1e300,1\ninf,1\n-Infinity,1\nnan,1\n0e9,1\n0.0,1\n", &found).is_empty());
    let narrow = told_of("t.csv:x", b"x,y\n1e39,1\n", &declared(DType::F32)).remove(0);
    assert!(narrow.0.contains("beyond `f32`") && narrow.1.contains("`f64[n]`"), "{narrow:?}");
}

#[test]
fn blank_lines_in_a_table_of_one_column_are_told_unless_they_end_it() {
    let found = ReadOptions::default();
    for (text, line) in [("x\n1\n\n2\n", 3), ("x\n\n1\n", 2), ("x\r\n1\r\n\r\n\r\n2\r\n", 3), ("x\n\"a\nb\"\n\nc\n", 4)]
    {
        assert_eq!(told(text, &found), [format!("has nothing in line {line}, which is no row")], "{text:?}");
    }
    for text in ["x\n1\n2\n\n\n", "x\n1\nNA\n\"\"\n", "\n\nx\n1\n", "x,y\n1,1\n\n2,2\n", "x\n1\n \n2\n"] {
        assert!(told(text, &found).is_empty(), "{text:?}");
    }
    assert!(told_of("t.txt:a", b"a b\n1 2\n\n 3 4\n", &found).is_empty());
}

/// Blocks are of 256 KiB, and whoever is free reads the next one.
#[test]
fn losses_behind_the_first_block_have_their_lines_with_any_number_of_threads() {
    const ROWS: usize = 200_000;
    let table = |cell: &str, last: &str| {
        let text = format!("x,y\n{}{cell},1\n{}{last},1\n", "12,1\n".repeat(ROWS), "13,1\n".repeat(ROWS));
        text.into_bytes()
    };
    let line = ROWS + 2;
    let digits = format!("has a whole number in line {line}, column `x`, of which `f64` does not keep all digits");
    let zeros = format!("has a number with zeros in front in line {line}, column `x`, which `i64` does not keep");
    let single = format!("x\n{}\n{}\n\n", "12\n".repeat(ROWS), "13\n".repeat(ROWS));
    for threads in [1, 2, 5] {
        let mut options = ReadOptions::default();
        options.table.threads = threads;
        let first = |text: Vec<u8>| told_of("t.csv:x", &text, &options).remove(0).0;
        assert_eq!(first(table("9007199254740993", "0.5")), digits);
        assert_eq!(first(table("007", "008")), zeros);
        assert_eq!(first(single.clone().into_bytes()), format!("has nothing in line {line}, which is no row"));
        // The point comes first; and the blank lines end one block and begin the next.
        let blanks = format!("x\n{}{}{}", "1\n".repeat(1 << 16), "\n".repeat(1 << 20), "1\n".repeat(1 << 16));
        assert_eq!(first(blanks.into_bytes()), format!("has nothing in line {}, which is no row", (1 << 16) + 2));
    }
}

#[test]
fn losses_of_packed_tables_have_the_lines_of_what_is_packed() {
    let table = format!("x,y\n{}007,1\n", "12,1\n".repeat(100_000));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packed, table.as_bytes()).unwrap();
    let gz = packed.finish().unwrap();
    let zst = ruzstd::encoding::compress_to_vec(table.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    for (name, bytes) in [("t.csv.gz:x", gz), ("t.csv.zst:x", zst)] {
        let (what, help) = told_of(name, &bytes, &ReadOptions::default()).remove(0);
        assert!(what.contains("zeros in front in line 100002, column `x`"), "{what}");
        assert!(help.starts_with(&format!("`codes(\"{name}\")`")), "{help}");
    }
}
