//! Columnar files: those of pyarrow (`tests/tables/write.py`), our own that it reads, wrong ones.

use crate::array::Array;
use crate::array::logical::Logical;
use crate::io::encode::{NamedArray, NumberStyle};
use crate::io::table::{ColumnReading, TableOptions};
use crate::io::{IoError, LoadedArray, ReadOptions, load, members, prepare, stage};
use crate::scalar::Scalar;
use crate::types::dtype::DType;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables")
}

/// The files whose names begin so.
fn files(beginning: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        all.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(beginning)).collect();
    found.sort();
    found
}

fn read(path: &Path, column: &str, options: &ReadOptions) -> Result<LoadedArray, IoError> {
    load(Path::new(&format!("{}:{column}", path.display())), options)
}

fn array(path: &Path, column: &str) -> Array {
    read(path, column, &ReadOptions::default()).unwrap_or_else(|error| panic!("{column}: {}", error.message)).array
}

/// What an error says behind the name of the file.
fn refusal(path: &Path, column: &str, options: &ReadOptions) -> String {
    let message = read(path, column, options).unwrap_err().message;
    message
        .rsplit_once("` ")
        .filter(|_| !message.contains("column"))
        .map_or(message.clone(), |(_, what)| what.to_owned())
}

#[test]
fn every_encoding_packing_and_version_gives_the_same_values() {
    let paths = files("common-");
    assert_eq!(paths.len(), 17);
    for path in &paths {
        let get = |column: &str| array(path, column);
        assert_eq!(get("i8").to_vec::<i8>(), [-128, 127, 0, 1, 1, 1], "{}", path.display());
        assert_eq!(get("u16").to_vec::<u16>(), [0, 65535, 3, 3, 3, 4]);
        assert_eq!(get("i32").to_vec::<i32>(), [i32::MIN, i32::MAX, 5, 6, 7, 8]);
        assert_eq!(get("i64").to_vec::<i64>(), [i64::MIN, i64::MAX, 5, 6, 7, 8]);
        assert_eq!(get("u64").to_vec::<u64>(), [0, u64::MAX, 5, 6, 7, 8]);
        let halves: Vec<u128> = get("f16").scalars().map(|it| it.bits).collect();
        assert_eq!((get("f16").dtype(), halves), (DType::F16, vec![0x3800, 0x8000, 0x7bff, 0x7c00, 0x7e00, 1]));
        assert_eq!(get("f32").to_vec::<f32>().map(f32::to_bits), [0.5, -0.0, 1e38, 2.5, 2.5, 2.5f32].map(f32::to_bits));
        assert_eq!(
            get("f64").to_vec::<f64>().map(f64::to_bits),
            [0.1, -0.0, 1e308, 2.5, 2.5, 2.5f64].map(f64::to_bits)
        );
        let flags: Vec<u128> = get("flag").scalars().map(|it| it.bits).collect();
        assert_eq!((get("flag").dtype(), flags), (DType::Bool, vec![1, 0, 0, 1, 1, 1]));
        let (gaps, count) = (get("gaps").to_vec::<f32>(), get("count").to_vec::<f64>());
        assert_eq!((gaps[0], gaps[2], gaps[5]), (1.5, 2.5, 3.5));
        assert!(gaps[1].is_nan() && gaps[3].is_nan() && gaps[4].is_nan());
        assert!(count[1].is_nan() && count[2..] == [3.0, 4.0, 5.0, 6.0]);
        let word = get("word");
        let words = ["b", "a", "", "ä"].map(str::to_owned).to_vec();
        assert_eq!((word.to_vec::<i32>(), word.logical()), (vec![0, 1, 0, 2, 3, 1], Some(&Logical::Words(words))));
        let (day, time) = (get("day"), get("time"));
        assert_eq!((day.to_vec::<i64>(), day.logical()), (vec![0, 20_779, -1, 3, 3, 20_000], Some(&Logical::Date)));
        assert_eq!((time.to_vec::<i64>(), time.logical()), (vec![0, 1_500_000, -1, 3, 4, 5], Some(&Logical::Time)));
        assert_eq!(members(path).unwrap().len(), 14);
        assert_eq!(get("2").to_vec::<u16>()[1], 65535, "a column by its place");
    }
}

/// `Vec::map` for what is compared as bits.
trait Each<T> {
    fn map<U>(self, to: impl Fn(T) -> U) -> Vec<U>;
}

impl<T> Each<T> for Vec<T> {
    fn map<U>(self, to: impl Fn(T) -> U) -> Vec<U> {
        self.into_iter().map(to).collect()
    }
}

#[test]
fn groups_without_rows_and_tables_without_rows() {
    assert_eq!(array(&folder().join("edges.parquet"), "x").to_vec::<i64>(), [1, 2, 3]);
    for path in files("empty") {
        for (column, dtype) in [("i8", DType::I8), ("gaps", DType::F32), ("word", DType::I32), ("day", DType::I64)] {
            let found = array(&path, column);
            assert_eq!((found.dtype(), found.shape()), (dtype, &[0][..]), "{}", path.display());
        }
    }
}

#[test]
fn missing_whole_numbers_are_floats_with_a_note_unless_something_else_is_said() {
    for path in files("common-n").iter().chain(&files("common-zstd")) {
        let loaded = read(path, "count", &ReadOptions::default()).unwrap();
        assert!(
            loaded.notes[0].contains("column `count`") && loaded.notes[0].contains("lacks 1 value and is read as f64")
        );
        let table = TableOptions { missing: Some(-1), ..TableOptions::default() };
        let kept = read(path, "count", &ReadOptions { table, ..ReadOptions::default() }).unwrap();
        assert_eq!((kept.array.to_vec::<i32>(), kept.notes.len()), (vec![1, -1, 3, 4, 5, 6], 0));
        let declared = ReadOptions { dtype: Some(DType::I32), ..ReadOptions::default() };
        assert!(refusal(path, "count", &declared).ends_with("has a missing value in row 2, column `count`"));
        let words = ReadOptions { cells: ColumnReading::Words, ..ReadOptions::default() };
        assert!(refusal(path, "i8", &words).ends_with("has no words in column `i8`"));
        assert!(refusal(path, "nobody", &words).contains("nobody"));
    }
}

#[test]
fn other_types_are_read_as_what_they_mean_or_refused_by_name() {
    for path in files("other") {
        let is_arrow = path.extension().unwrap() == "arrow";
        if is_arrow {
            assert_eq!(array(&path, "seconds").to_vec::<i64>(), [0, 2_000_000]);
            assert_eq!(array(&path, "day64").to_vec::<i64>(), [20_779, -1]);
        }
        assert_eq!(array(&path, "nanos").to_vec::<i64>(), [1, 2]);
        assert_eq!(array(&path, "price").to_vec::<f64>(), [12.1, -0.07]);
        assert_eq!(array(&path, "large").logical(), Some(&Logical::Words(vec!["x".to_owned(), String::new()])));
        assert!(array(&path, "none").to_vec::<f64>().iter().all(|it| it.is_nan()));
        let refused = |column: &str| refusal(&path, column, &ReadOptions::default());
        assert!(refused("finer").contains("row 2, column `finer`"), "{}", refused("finer"));
        assert!(refused("huge").contains("that f64 does not hold"), "{}", refused("huge"));
        assert!(refused("unsure").contains("missing value in row 2"));
        assert!(refused("list").contains("holds lists in column `list`"));
        assert!(refused("bytes").contains("holds bytes"));
        if is_arrow {
            assert!(refused("span").contains("holds spans of time"));
        }
    }
}

#[test]
fn all_columns_are_one_array_of_floats() {
    let found = array(&folder().join("edges.parquet"), "*");
    assert_eq!((found.shape(), found.to_vec::<f64>()), (&[3, 1][..], vec![1.0, 2.0, 3.0]));
    let words = refusal(&folder().join("common-none.parquet"), "*", &ReadOptions::default());
    assert!(words.contains("that f64 does not hold") || words.contains("no numbers"), "{words}");
}

/// Arrays of `rows` rows, one of every dtype that the formats have.
fn arrays(rows: usize) -> Vec<(String, Array)> {
    let number = |at: usize| (at as u128).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3;
    let dtypes = [
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
        DType::F32,
        DType::F64,
    ];
    let scalar = |dtype: DType, at| Scalar { dtype, bits: number(at) & (u128::MAX >> (128 - dtype.bits())) };
    let mut found: Vec<(String, Array)> = dtypes
        .into_iter()
        .map(|dtype| (dtype.to_string(), Array::from_scalars(dtype, &[rows], (0..rows).map(|at| scalar(dtype, at)))))
        .collect();
    let codes = Array::from_elements(&[rows], &(0..rows).map(|at| (at % 3) as i32).collect::<Vec<_>>());
    found.push(("word".into(), codes.with_logical(Logical::Words(["x", "y", "zä"].map(str::to_owned).to_vec()))));
    let days = Array::from_elements(&[rows], &(0..rows).map(|at| at as i64 - 5).collect::<Vec<_>>());
    found.push(("time".into(), days.clone().with_logical(Logical::Time)));
    found.push(("day".into(), days.with_logical(Logical::Date)));
    found
}

fn written(folder: &TempDir, end: &str, arrays: &[(String, Array)]) -> PathBuf {
    let path = folder.path().join(format!("t.{end}"));
    let named: Vec<NamedArray> = arrays.iter().map(|(name, array)| NamedArray { name, array }).collect();
    let staged = stage(&prepare(&path).unwrap(), &named, NumberStyle::default(), Default::default());
    staged.unwrap_or_else(|error| panic!("{}", error.message)).replace().unwrap();
    path
}

#[test]
fn what_is_written_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    for rows in [0, 1, 300_000] {
        for end in ["parquet", "arrow", "feather"] {
            let arrays = arrays(rows);
            let path = written(&folder, end, &arrays);
            for (name, array) in &arrays {
                let found = self::array(&path, name);
                assert_eq!((found.dtype(), found.shape()), (array.dtype(), array.shape()), "{name}");
                assert!(found.scalars().zip(array.scalars()).all(|(own, other)| own.same(other)), "{name} of {rows}");
                match name.as_str() {
                    // Words that no row has are not read.
                    "word" => assert!(rows < 3 || found.logical() == array.logical()),
                    _ => assert_eq!(found.logical(), array.logical()),
                }
            }
        }
    }
    let square = [("a".to_owned(), Array::from_elements(&[2, 3], &[1i8, 2, 3, 4, 5, 6]))];
    let path = written(&folder, "parquet", &square);
    assert_eq!(
        (members(&path).unwrap(), array(&path, "a_2").to_vec::<i8>()),
        (["a_1", "a_2", "a_3"].map(str::to_owned).to_vec(), vec![2, 5])
    );
    let pairs = Array::from_scalars(DType::Bf16, &[1], [Scalar::zero(DType::Bf16)]);
    let named = [NamedArray { name: "h", array: &pairs }];
    let refused = stage(&prepare(&path).unwrap(), &named, NumberStyle::default(), Default::default()).unwrap_err();
    assert!(refused.message.ends_with("cannot be written: `h` is bf16, which the format lacks"), "{}", refused.message);
}

#[test]
fn pyarrow_reads_what_is_written() {
    let python = std::env::var("ARR_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let ran = Command::new(&python).args(["-c", "import pyarrow.parquet, pyarrow.feather"]).output();
    if !ran.is_ok_and(|ran| ran.status.success()) {
        println!("pyarrow is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let code = "import sys, pyarrow.parquet as pq, pyarrow.feather as f\n\
                t = pq.read_table(sys.argv[1]) if sys.argv[1].endswith('parquet') else f.read_table(sys.argv[1])\n\
                for n in t.column_names: print(n, t[n].type, t[n].to_pylist()[:4] if n not in ('day', 'time') else t[n].cast('int32' if n == 'day' else 'int64').to_pylist()[:4])";
    for end in ["parquet", "arrow"] {
        let arrays = arrays(6);
        let path = written(&folder, end, &arrays);
        let ran = Command::new(&python).args(["-c", code]).arg(&path).output().unwrap();
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let integers: Vec<i64> = arrays[3].1.to_vec::<i64>()[..4].to_vec();
        for line in [
            format!("i64 int64 {integers:?}"),
            "word dictionary<values=string, indices=int32, ordered=0> ['x', 'y', 'zä', 'x']".to_owned(),
            "day date32[day] [-5, -4, -3, -2]".to_owned(),
            "time timestamp[us] [-5, -4, -3, -2]".to_owned(),
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}

/// Reads all columns of bytes as a file; each is an array or a message, and soon.
fn survives(folder: &TempDir, like: &Path, bytes: &[u8], what: &str) -> bool {
    let path = folder.path().join(like.file_name().unwrap());
    std::fs::write(&path, bytes).unwrap();
    let begun = Instant::now();
    let fine = members(&path).is_ok_and(|names| {
        names.iter().take(4).fold(true, |fine, name| read(&path, name, &ReadOptions::default()).is_ok() && fine)
    });
    assert!(begun.elapsed() < Duration::from_secs(20), "{}: {what} took {:?}", like.display(), begun.elapsed());
    fine
}

#[test]
fn e115_a_table_that_is_cut_short_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for like in ["edges.parquet", "common-old.parquet", "common-stream.arrow", "other.arrow"]
        .map(|name| self::folder().join(name))
    {
        let bytes = std::fs::read(&like).unwrap();
        // A stream may end behind any of its messages.
        let is_stream = !bytes.starts_with(b"PAR1") && !bytes.starts_with(b"ARROW1");
        for len in (0..bytes.len()).step_by(13) {
            let fine = survives(&folder, &like, &bytes[..len], &format!("cut at {len}"));
            assert!(!fine || is_stream, "{}: cut at {len}", like.display());
        }
    }
}

#[test]
fn e116_a_table_with_other_bytes_is_a_table_or_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for like in files("common-snappy")
        .iter()
        .chain(&files("common-delta"))
        .chain(&files("common-zstd"))
        .chain(&files("common-file"))
    {
        let whole = std::fs::read(like).unwrap();
        for round in 0..60 {
            let mut bytes = whole.clone();
            for _ in 0..=random(4) {
                let at = random(bytes.len());
                bytes[at] = [0, 0xff, 0x7f, 0x80, random(256) as u8][random(5)];
            }
            survives(&folder, like, &bytes, &format!("round {round}"));
        }
    }
}

#[test]
fn e117_sizes_that_lie_are_told_before_memory_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for like in ["common-lz4.arrow", "common-stream.arrow"].map(|name| self::folder().join(name)) {
        let whole = std::fs::read(&like).unwrap();
        for at in (0..whole.len() - 8).step_by(8) {
            let mut bytes = whole.clone();
            bytes[at..at + 8].copy_from_slice(&(1u64 << 45).to_le_bytes());
            survives(&folder, &like, &bytes, &format!("2^45 at {at}"));
        }
    }
    // The first page of a column begins with its kind and its bytes unpacked, 40,000 for these numbers.
    let numbers: Vec<i64> = (0..5000).map(|at: i64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64)).collect();
    let path = written(&folder, "parquet", &[("x".into(), Array::from_elements(&[5000], &numbers))]);
    let mut bytes = std::fs::read(&path).unwrap();
    assert!(survives(&folder, &path, &bytes, "nothing"));
    assert_eq!((bytes[4], bytes[6], bytes[9] < 0x80), (0x15, 0x15, true), "a page stands here");
    bytes[7..10].copy_from_slice(&[0xfe, 0xff, 0x7f]);
    // Within what Snappy can do, and more than there is: the elements are those that are there, or it is told.
    survives(&folder, &path, &bytes, "a page of a megabyte");
}
