//! Tables of text. The tests say what their columns are, what they are read as, and what is wrong with some.

use super::super::table::{ColumnReading, ColumnRequest, ReadUpTo, TableOptions, columns};
use super::super::{Header, IoError, Location, ReadOptions, header, load, read, together};
use super::folder;
use crate::array::Array;
use crate::array::logical::Logical;
use crate::types::dtype::DType;
use std::fs;

fn options() -> ReadOptions {
    ReadOptions { max_bytes: Some(1 << 24), ..ReadOptions::default() }
}

/// What a name in a table of this content is, which its header says too.
pub(super) fn read_as(name: &str, contents: &[u8], options: &ReadOptions) -> Result<Array, IoError> {
    let folder = folder();
    fs::write(folder.path().join(Location::parse(name.as_ref()).path), contents).unwrap();
    let path = folder.path().join(name);
    let array = read(&path, options)?.0;
    let expected = Header { dtype: array.dtype(), shape: array.shape().to_vec() };
    assert_eq!(header(&path, options).unwrap(), expected);
    Ok(array)
}

pub(super) fn read_member(name: &str, contents: &[u8]) -> Result<Array, IoError> {
    read_as(name, contents, &options())
}

fn declared(dtype: DType, column: &str) -> Result<Array, IoError> {
    let options = ReadOptions { dtype: Some(dtype), ..options() };
    let rows: String = column.split('|').map(|cell| format!("{cell},0\n")).collect();
    read_as("t.csv:x", format!("x,y\n{rows}").as_bytes(), &options)
}

pub(super) fn code(result: Result<Array, IoError>) -> &'static str {
    result.unwrap_err().code.name
}

/// What is said after the file's name.
pub(super) fn said(result: Result<Array, IoError>) -> String {
    result.unwrap_err().message.split_once("` ").unwrap().1.to_string()
}

#[test]
fn columns_take_the_dtype_of_their_contents() {
    let table = "\u{feff}n, x ,ok,\"a,b\"\n1,0.5,true,1\n-9223372036854775808,-inf,False,2.5\r\n3,nan,true,1e3\n";
    let column = |name: &str| read_member(&format!("t.csv:{name}"), table.as_bytes()).unwrap();
    assert_eq!(column("n").to_vec::<i64>(), [1, i64::MIN, 3]);
    assert_eq!(column("x"), Array::from_elements(&[3], &[0.5, f64::NEG_INFINITY, f64::NAN]));
    assert_eq!(column("ok").contiguous_bytes(), Some(&[1, 0, 1][..]));
    assert_eq!(column("a,b").to_vec::<f64>(), [1.0, 2.5, 1000.0]);
    assert_eq!(column("4"), column("a,b"), "a place counts from 1");
    assert_eq!(read_member("t.csv:x", b"x\n").unwrap(), Array::from_elements::<f64>(&[0], &[]));
}

/// Floats are written so, and no integer is; in which order cells stand makes no difference.
#[test]
fn a_zero_with_a_minus_sign_is_a_float() {
    for (cells, wanted) in
        [("-0|1|3", [-0.0, 1.0, 3.0]), ("-0|2|1.5", [-0.0, 2.0, 1.5]), ("2.5|-0|-1", [2.5, -0.0, -1.0])]
    {
        let rows: String = cells.split('|').map(|cell| format!("{cell},0\n")).collect();
        let found = read_member("t.csv:x", format!("x,y\n{rows}").as_bytes()).unwrap().to_vec::<f64>();
        assert_eq!(found.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), wanted.map(f64::to_bits), "{cells}");
    }
    assert_eq!(declared(DType::I64, "-0|1").unwrap().to_vec::<i64>(), [0, 1]);
}

#[test]
fn what_is_declared_decides_how_text_is_read() {
    assert_eq!(declared(DType::F64, "3|4").unwrap().to_vec::<f64>(), [3.0, 4.0]);
    assert_eq!(declared(DType::I8, "-128|127").unwrap().to_vec::<i8>(), [-128, 127]);
    assert_eq!(declared(DType::Bool, "1|false").unwrap().contiguous_bytes(), Some(&[1, 0][..]));
    assert_eq!(declared(DType::F32, "0.1").unwrap().to_vec::<f32>(), [0.1]);
    assert_eq!(declared(DType::U64, "18446744073709551615").unwrap().to_vec::<u64>(), [u64::MAX]);
    assert_eq!(said(declared(DType::I64, "3|3.5")), "has a number that is not whole in line 3, column `x`");
    assert_eq!(said(declared(DType::U8, "256")), "has a whole number that does not fit in u8 in line 2, column `x`");
    assert_eq!(said(declared(DType::Bool, "2")), "has something that is neither true nor false in line 2, column `x`");
    assert_eq!(said(declared(DType::C64, "1")), "has no complex numbers in line 2, column `x`");
}

#[test]
fn values_that_are_missing_are_nan_in_floats_and_an_error_in_integers() {
    for word in ["", "NA", "N/A", "nan", "NaN", "null", "-"] {
        assert!(declared(DType::F64, &format!("1|{word}")).unwrap().to_vec::<f64>()[1].is_nan(), "{word}");
        let error = declared(DType::I64, &format!("1|{word}")).unwrap_err();
        assert!(error.message.ends_with("has nothing in line 3, column `x`"), "{}", error.message);
        assert!(error.help.unwrap().contains("--missing=-1"));
    }
    let instead = |dtype| {
        let table = TableOptions { missing: Some(-1), ..TableOptions::default() };
        read_as("t.csv:x", b"x,y\n,\n7,\n", &ReadOptions { dtype, table, ..options() })
    };
    assert_eq!(instead(None).unwrap().to_vec::<i64>(), [-1, 7]);
    assert_eq!(instead(Some(DType::I16)).unwrap().to_vec::<i16>(), [-1, 7]);
    assert_eq!(said(instead(Some(DType::U8))), "has nothing in line 2, column `x`");
    // Without a word nothing is guessed without a note.
    let folder = folder();
    fs::write(folder.path().join("t.csv"), "x,y\n,1\n7,1\n").unwrap();
    let loaded = load(&folder.path().join("t.csv:x"), &options()).unwrap();
    assert!(loaded.array.dtype() == DType::F64 && loaded.notes[0].contains("lacks 1 value"), "{:?}", loaded.notes);
}

#[test]
fn words_become_codes_in_order_of_appearance() {
    let words = read_member("t.csv:x", b"x\nb\na\n\"b\"\n7\n").unwrap();
    assert_eq!(words.to_vec::<i32>(), [0, 1, 0, 2]);
    assert_eq!(words.logical(), Some(&Logical::Words(["b", "a", "7"].map(str::to_owned).into())));
    let asked = ReadOptions { cells: ColumnReading::Words, ..options() };
    assert_eq!(read_as("t.csv:x", b"x\n7\na\n07\n", &asked).unwrap().to_vec::<i32>(), [0, 1, 2]);
    assert_eq!(said(read_as("t.csv:x", b"x\n7\n\xff\n", &asked)), "has bytes that are not UTF-8 in line 3, column `x`");
}

#[test]
fn blanks_within_quotes_belong_to_words_and_to_nothing_else() {
    let read = |cells, column: &str| {
        read_as("t.csv:x", format!("x,\" y \"\n{column}\n").as_bytes(), &ReadOptions { cells, ..options() }).unwrap()
    };
    let words = ["a", " a", "\na", "a "].map(str::to_owned);
    for cells in [ColumnReading::Found, ColumnReading::Words] {
        let read = read(cells, "a,1\n\" a\",1\n \"\na\" ,1\n\"a \",1\n a ,1");
        assert_eq!(read.to_vec::<i32>(), [0, 1, 2, 3, 0]);
        assert_eq!(read.logical(), Some(&Logical::Words(words.clone().into())));
    }
    assert_eq!(read(ColumnReading::Found, "\" 1\",1\n\"2\n\",1").to_vec::<i64>(), [1, 2]);
    assert_eq!(read(ColumnReading::Found, "\" 1.5\",1\n2.5,1\n\"3 \",1").to_vec::<f64>(), [1.5, 2.5, 3.0]);
    assert_eq!(read(ColumnReading::Elements(DType::F64), "\" 1\",1").to_vec::<f64>(), [1.0]);
    assert_eq!(read(ColumnReading::Elements(DType::U8), "\" 1\",1").to_vec::<u8>(), [1]);
    assert_eq!(read(ColumnReading::Dates, "\"1970-01-02 \",1").to_vec::<i64>(), [1]);
    assert_eq!(read_member("t.csv:y", b"x,\" y \"\n1,\" \"\n2,3\n").unwrap().to_vec::<f64>()[1], 3.0);
}

#[test]
fn what_is_no_table_by_its_first_bytes_is_refused_where_no_name_says_that_it_is_one() {
    assert_eq!(code(read_member("t.txt:1", b"{\"p\":1.5}\n{\"p\":2.5}\n")), "unknown-format");
    assert_eq!(said(read_member("t.txt:1", b"[1.5]\n")), "is JSON by its first bytes, and no table");
    assert_eq!(read_member("t.csv:1", b"[1.5]\n2\n").unwrap().to_vec::<i64>(), [2], "its name says that it is one");
    let format = super::super::Format::of("t.csv".as_ref());
    let read = read_as("t.txt:1", b"[1.5]\n2\n", &ReadOptions { format, ..options() });
    assert_eq!(read.unwrap().to_vec::<i64>(), [2], "the user says so");
    for (name, table) in [
        ("t.txt:[true_rate]", "[true_rate]\n2\n"),
        ("t.txt:[nullable]", "[nullable]\n2\n"),
        ("t.txt:1)", "[0,1)\n1,2\n"),
        ("t.txt:[2]", "[1],[2]\n1,2\n"),
        ("t.txt:b", "[1] b\n1 2\n"),
        ("t.txt:[5][0:]", "[5][0:]\n2\n"),
        ("t.txt:<html_len", "<html_len\n2\n"),
        ("t.txt:3", "P1 10 20\n7 8 2\n"),
        ("t.txt:x - 1", "\"x - 1\"\n2\n"),
        ("t.txt:b", "\"a a\" b\n1 2\n"),
    ] {
        assert_eq!(read_member(name, table.as_bytes()).unwrap().to_vec::<i64>(), [2], "{name}");
    }
}

#[test]
fn whole_numbers_behind_an_empty_cell_are_the_names_that_programs_write_over_labels() {
    let table = b",0,1,2\n0,0.5,0.25,0.125\n1,1.5,1.25,1.125\n";
    assert_eq!(read_member("t.csv:2", table).unwrap().to_vec::<f64>(), [0.125, 1.125], "a name goes before a place");
    assert_eq!(read_member("t.csv:2020", b",2019,2020\nx,1,2\n").unwrap().to_vec::<i64>(), [2]);
    assert_eq!(read_member("t.csv:7", b",,7\na,b,1\n").unwrap().to_vec::<i64>(), [1]);
    // Missing values of data.
    for line in [",0.5,1", ",5,5", ",1,NA", "NA,1,2", "nan,1,2", "1,,2", ",1,"] {
        let table = format!("{line}\n3,4,5\n");
        assert_eq!(read_member("t.csv:1", table.as_bytes()).unwrap().len(), 2, "{line}");
    }
    let folder = folder();
    let notes = |text: &str| {
        fs::write(folder.path().join("t.csv"), text).unwrap();
        load(&folder.path().join("t.csv:2"), &options()).unwrap().notes
    };
    let told = notes(",1,2\n3,4,5\n");
    let [note] = &told[..] else { panic!("{told:?}") };
    assert!(note.ends_with("names columns by numbers: `--no-header` reads its first line as data"), "{note}");
    assert!(notes("a,1,2\n3,4,5\n").is_empty());
}

/// What is said of column `x` of a table that is read: warnings with their help, and notes.
fn told(text: &str, cells: ColumnReading) -> Vec<String> {
    let folder = folder();
    fs::write(folder.path().join("t.csv"), text).unwrap();
    let loaded = load(&folder.path().join("t.csv:x"), &ReadOptions { cells, ..options() }).unwrap();
    let of_file = |text: &str| text.split_once("` ").unwrap().1.to_owned();
    let warnings = loaded.warnings.iter().map(|warning| {
        assert_eq!(warning.code.name, "mixed-column");
        let help = warning.help.as_deref().unwrap();
        assert!(help.starts_with("`codes(\"") && help.contains("t.csv:x\")` says that words are meant; "), "{help}");
        of_file(&warning.message)
    });
    warnings.chain(loaded.notes.iter().map(|note| note.replace(&folder.path().display().to_string(), ""))).collect()
}

#[test]
fn a_column_of_words_tells_of_the_first_cell_that_may_be_more_than_a_word() {
    let why = "which is read as codes because it begins with a word";
    for (table, found) in [
        ("x,y\na,1\nb,1\n7,1\n8,1\n", "a number in line 4"),
        ("x,y\na,1\n\"b\nb\",1\n-1e3,1\n", "a number in line 5"),
        ("x,y\na,1\nNA,1\n99999999999999999999,1\n", "a number in line 4"),
        ("x,y\n\"1,234\",1\n\"5\",1\n", "a number that is written for people in line 2"),
        ("x,y\nfree,1\n$5,1\n", "a number that is written for people in line 3"),
        ("x,y\nmaybe,1\ntrue,1\n", "a truth value in line 3"),
        ("x,y\nsoon,1\n2026-11-22,1\n2026-11-22T10:00:00Z,1\n", "a date in line 3"),
    ] {
        assert_eq!(told(table, ColumnReading::Found), [format!("has {found}, column `x`, {why}")], "{table}");
        assert!(told(table, ColumnReading::Words).is_empty(), "{table}");
    }
    for table in ["x,y\na,1\nb,1\n", "x,y\n3M,1\n22.11.2026,1\n", "x,y\n1,1\n2,1\n"] {
        assert!(told(table, ColumnReading::Found).is_empty(), "{table}");
    }
    // In another block than the first word, with any number of threads before it.
    let far = format!("x,y\n{}7,1\n", "word,1\n".repeat(100_000));
    assert_eq!(told(&far, ColumnReading::Found), [format!("has a number in line 100002, column `x`, {why}")]);
}

#[test]
fn values_that_are_missing_among_words_or_everywhere_are_told() {
    let gap = "column `x` of `/t.csv` lacks a value in line 3; as a column of words it has a code for that too";
    assert_eq!(told("x,y\na,1\n,1\nb,1\n", ColumnReading::Found), [gap]);
    assert_eq!(told("x,y\na,1\nNA,1\nb,1\n", ColumnReading::Found), [gap]);
    assert_eq!(
        told("x,y\n,1\n-,1\n", ColumnReading::Found),
        ["column `x` of `/t.csv` has no values: all of it is NaN"]
    );
    assert!(told("x,y\na,1\n,1\nb,1\n", ColumnReading::Words).is_empty());
}

/// A block that ends where a column becomes something else: each block alone is sound.
#[test]
fn e33_blocks_of_nothing_have_no_codes_and_blocks_of_words_no_numbers() {
    let table = |first: &str| format!("x,y\n{}foo,2\nbar,3\n", format!("{first},1\n").repeat(52_428));
    let told = |first: &str| said(read_member("t.csv:x", table(first).as_bytes()));
    assert_eq!(told("NA"), "has something that is no number in line 52430, column `x`");
    assert_eq!(told("12"), "has something that is no number in line 52430, column `x`");
    let flags = format!("x,y\n{}foo,2\n", "true,1\n".repeat(37_449));
    let read = said(read_member("t.csv:x", flags.as_bytes()));
    assert_eq!(read, "has something that is neither true nor false in line 37451, column `x`");
    assert_eq!(said(read_member("t.csv:x", b"x\ntrue\nmaybe\n")), read.replace("37451", "3"));
}

#[test]
fn dates_and_times_are_read_when_they_are_declared() {
    let read = |cells, text: &[u8]| read_as("t.csv:x", text, &ReadOptions { cells, ..options() });
    let days = read(ColumnReading::Dates, b"x\n1970-01-02\n2026-11-22\n").unwrap();
    assert_eq!((days.to_vec::<i64>(), days.logical()), (vec![1, 20_779], Some(&Logical::Date)));
    assert_eq!(read(ColumnReading::Times, b"x\n1970-01-01T00:00:01Z\n").unwrap().to_vec::<i64>(), [1_000_000]);
    assert_eq!(said(read(ColumnReading::Found, b"x\n2026-11-22\n")), "has a date in line 2, column `x`");
    let leap = said(read(ColumnReading::Dates, b"x\n2026-02-29\n"));
    assert_eq!(leap, "has something that is no date like 2026-11-22 in line 2, column `x`");
    let finer = said(read(ColumnReading::Times, b"x\n1970-01-01T00:00:00.0000001\n"));
    assert_eq!(finer, "has a time finer than a microsecond in line 2, column `x`");
}

#[test]
fn mistakes_name_line_and_column_but_not_contents() {
    let table = |text: &str| said(read_member("t.csv:x", text.as_bytes()));
    assert_eq!(table("x\n1\nsecret\n"), "has something that is no number in line 3, column `x`");
    assert_eq!(table("x\n1\ntrue\n"), "has numbers and truth values mixed in line 3, column `x`");
    assert_eq!(table("x\ntrue\n1\n"), "has numbers and truth values mixed in line 3, column `x`");
    assert_eq!(table("x,y\ntrue,2\n,3\n"), "has nothing in line 3, column `x`");
    assert_eq!(table("x,y\n1,2\n1\n"), "has 1 field in line 3, but 2 columns");
    assert_eq!(table("x,y\n\n\"1\n\",2\n1,2,3\n"), "has 3 fields in line 5, but 2 columns");
    assert_eq!(table("x\n\"1\"2\n"), "has text behind a closing quote in line 2");
    let huge = "has a whole number that does not fit in i64 in line 2, column `x`";
    assert_eq!(table("x\n9223372036854775808\n1\n"), huge);
    assert_eq!(table("x\n1\n2\n-9223372036854775809\n"), huge.replace("line 2", "line 4"));
    assert_eq!(table("x,x\n1,2\n"), "is the name of two columns");
    assert_eq!((table("").as_str(), table("\n").as_str()), ("is empty", "has no header line"));
    assert_eq!(table("x\r1\r2\r"), "has lines that end in a carriage return alone");
    assert_eq!(said(read_member("t.csv:x", b"x\n1\n\xff\n")), "has bytes that are not UTF-8 in line 3, column `x`");
    assert_eq!(said(read_member("t.csv:x", b"\xff\xfex\0\n\0")), "is UTF-16");
    for text in [&b"x\n1\n\0\n"[..], b"\0\0\0", &[&b"x\n"[..], &b"1\n".repeat(1 << 18), b"\0\n"].concat()] {
        assert_eq!(said(read_member("t.csv:x", text)), "has NUL bytes, which no table has");
    }
    for name in ["y", "0", "2"] {
        assert_eq!(code(read_member(&format!("t.csv:{name}"), b"x\n1\n")), "unknown-member", "{name}");
    }
    assert_eq!(read_member("t.csv:x", b"x\n1.0\n9223372036854775808\n").unwrap().to_vec::<f64>()[1], 2f64.powi(63));
}

#[test]
fn names_and_first_lines_tell_what_parts_fields() {
    assert_eq!(read_member("t.tsv:b", b"a\tb\n1\t2\n").unwrap().to_vec::<i64>(), [2]);
    assert_eq!(read_member("t.txt:b", b"a;b\n1;2\n").unwrap().to_vec::<i64>(), [2]);
    assert_eq!(read_member("t.txt:2", b"# made by a program\n 1.5  2\n 3 4\n").unwrap().to_vec::<i64>(), [2, 4]);
    let all = read_member("t.csv:*", b"a,b\n1,2.5\n3,\n").unwrap();
    assert_eq!(all, Array::from_elements(&[2, 2], &[1.0, 2.5, 3.0, f64::NAN]));
    // A first line of numbers names nothing, and neither does one of numbers and missing values.
    assert_eq!(read_member("t.csv:1", b"1,2\n3,4\n").unwrap().to_vec::<i64>(), [1, 3]);
    for line in ["1,", "1,nan", "1,NA", "1,-", "1,inf", "1,\" \""] {
        let table = format!("{line}\n3,4\n");
        assert_eq!(read_member("t.csv:1", table.as_bytes()).unwrap().to_vec::<i64>(), [1, 3], "{line}");
    }
    assert_eq!(read_member("t.csv:1", b"nan\n1\n").unwrap().to_vec::<f64>().len(), 2);
    assert_eq!(read_member("t.csv:NA", b"NA,-\n1,2\n").unwrap().to_vec::<i64>(), [1], "no number, so these are names");
    let headless = TableOptions { header: false, ..TableOptions::default() };
    let words = read_as("t.csv:1", b"a,2\nb,4\n", &ReadOptions { table: headless, ..options() }).unwrap();
    assert_eq!(words.to_vec::<i32>(), [0, 1]);
    let parted = TableOptions { delimiter: Some(b';'), ..TableOptions::default() };
    let read = read_as("t.csv:b", b"a;b\n1;2\n", &ReadOptions { table: parted, ..options() });
    assert_eq!(read.unwrap().to_vec::<i64>(), [2]);
}

#[test]
fn one_column_whose_name_looks_like_several_is_told() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    for (text, what, option) in
        [("a;b\n1;2\n", "`;`", "';'"), ("a\tb\n1\t2\n", "a tab", "tab"), ("a|b\n1|2\n", "`|`", "'|'")]
    {
        fs::write(&path, text).unwrap();
        let help = format!("`--delimiter {option}` says what parts its fields");
        let warnings = load(&path, &options()).unwrap().warnings;
        let [warning] = &warnings[..] else { panic!("{text}: {warnings:?}") };
        assert!(warning.message.ends_with(&format!("has one column, and {what} in its first line")), "{warning:?}");
        assert_eq!(warning.help.as_deref(), Some(&*help));
        let missing = load(&folder.path().join("t.csv:a"), &options()).unwrap_err();
        assert_eq!((missing.code.name, missing.help.as_deref()), ("unknown-member", Some(&*help)));
    }
    for text in ["ab\n1\n", "\"p,q\"\n1\n2\n", "\"p;q\"\n1\n", "\"clip(x, 1, 2)\"\r\n1.5\r\n"] {
        fs::write(&path, text).unwrap();
        assert!(load(&path, &options()).unwrap().warnings.is_empty(), "{text}");
    }
}

#[test]
fn a_column_that_cannot_be_read_fails_alone() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    fs::write(&path, "a,b,c\n1,2024-01-01,x\n2,2024-01-02,y\n").unwrap();
    let read = columns(&path, &options()).unwrap();
    let ends: Vec<(&str, bool)> = read.iter().map(|(name, column)| (&**name, column.is_ok())).collect();
    assert_eq!(ends, [("a", true), ("b", false), ("c", true)]);
}

/// A table of many blocks, in which each column changes what it is somewhere.
fn long() -> String {
    let row = |at: usize| {
        let half = if at > 70_000 { ".5" } else { "" };
        let gap = if at == 90_000 { String::new() } else { at.to_string() };
        format!("{at}{half},{gap},\"w{}\n\",{}\n", at % 7, at.is_multiple_of(3))
    };
    std::iter::once("x,g,w,t\n".to_owned()).chain((0..100_000).map(row)).collect()
}

#[test]
fn threads_and_blocks_change_nothing() {
    let folder = folder();
    let path = folder.path().join("t.csv");
    fs::write(&path, long()).unwrap();
    let all = |threads| {
        let table = TableOptions { threads, ..TableOptions::default() };
        let choose = |names: &[String]| {
            names
                .iter()
                .map(|name| ColumnRequest { member: Some(name.clone()), wanted: ColumnReading::Found })
                .collect()
        };
        let answers =
            together::load(&path, choose, &ReadOptions { table, ..ReadOptions::default() }, ReadUpTo::Elements)
                .unwrap();
        answers.into_iter().map(|answer| answer.unwrap().array.unwrap()).collect::<Vec<_>>()
    };
    let (one, four) = (all(1), all(4));
    assert!(one == four && one.iter().zip(&four).all(|(one, four)| one.logical() == four.logical()));
    assert_eq!(one[0].to_vec::<f64>()[70_001], 70_001.5);
    assert_eq!(one[0].to_vec::<f64>()[3], 3.0);
    assert_eq!(one[1].to_vec::<f64>().iter().filter(|x| x.is_nan()).count(), 1);
    assert_eq!(one[2].logical().unwrap().text(6), "w6\n");
    assert_eq!(one[3].dtype(), DType::Bool);
    // The first mistake is told, wherever the others are.
    let broken = long().replace("\n60000,", "\nsixty,").replace("\n80000.5,", "\neighty,");
    for threads in [1, 4] {
        let table = TableOptions { threads, ..TableOptions::default() };
        let told = said(read_as("t.csv:x", broken.as_bytes(), &ReadOptions { table, ..ReadOptions::default() }));
        assert_eq!(told, "has something that is no number in line 120002, column `x`");
    }
}

#[test]
fn e33_no_table_changed_anywhere_is_a_crash() {
    let table = b"a,\"b\"\n1,\"2\n\"\n\"3\",4\r\n,\n";
    for at in 0..table.len() {
        for value in [0, b'\n', b'\r', b'"', b',', b'-', b'9', 0xff] {
            let mut changed = table.to_vec();
            changed[at] = value;
            for name in ["t.csv:a", "t.csv:2", "t.csv:*", "t.txt:1"] {
                for cells in [
                    ColumnReading::Found,
                    ColumnReading::Words,
                    ColumnReading::Dates,
                    ColumnReading::Elements(DType::U8),
                ] {
                    let _ = read_as(name, &changed, &ReadOptions { cells, ..options() });
                }
            }
        }
    }
}

#[test]
fn advice_for_a_cell_is_what_can_be_done_with_it() {
    let help = |result: Result<Array, IoError>| result.unwrap_err().help.unwrap_or_default();
    let found = |rows: &str| help(read_member("t.csv:x", format!("x,y\n{rows}").as_bytes()));
    assert!(found("true,1\nNA,2\n").contains("`: words[n]` reads all cells as words"));
    assert!(help(declared(DType::Bool, "true|NA")).contains("`: words[n]` reads all cells as words"));
    assert!(help(declared(DType::U8, "1|NA")).contains("`--missing=0` puts a number"));
    let dates = ReadOptions { cells: ColumnReading::Dates, ..options() };
    assert!(help(read_as("t.csv:x", b"x,y\n2026-01-01,1\n,2\n", &dates)).contains("puts a day in its place"));
    assert!(found("18446744073709551615,1\n-1,2\n").contains("`u64`, which has no negative numbers"));
    assert_eq!(found("1111111111111111111111111111111111111111,1\n"), "declare it `f64`, which rounds it");
    assert!(found(&format!("{},1\n", "9".repeat(400))).starts_with("no float holds it either; `: words[n]`"));
    let filled = TableOptions { missing: Some(300), ..TableOptions::default() };
    let filled = ReadOptions { dtype: Some(DType::U8), table: filled, ..options() };
    let filled = read_as("t.csv:x", b"x,y\n1,1\n,1\n", &filled).unwrap_err();
    assert!(filled.message.contains("has nothing in line 3"), "{}", filled.message);
    assert_eq!(filled.help.as_deref(), Some("`--missing=300` does not fit in u8"));
    assert_eq!(help(declared(DType::U8, "-1")), "`i16` holds it");
    assert_eq!(help(declared(DType::U64, "-1")), "`i64` holds it, and no number from 2^63 on");
    assert_eq!(help(declared(DType::U64, "18446744073709551616")), "no dtype of integers holds it; `f64` rounds it");
    let pointed = declared(DType::I64, "1|1e2").unwrap_err();
    assert!(pointed.message.contains("a whole number that is written with a point or an exponent in line 3"));
    let ragged = help(read_member("t.csv:a", b"a\n1\n1,2\n"));
    assert!(!ragged.contains("--delimiter") && ragged.contains("double quotes"), "{ragged}");
    assert!(help(read_member("t.csv", b"a;b\n1;2,5\n")).contains("`--delimiter ';'`"));
}
