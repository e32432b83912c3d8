//! `arr head` and `arr explain FILE:COLUMN`: what is in a file.

use crate::shell::Folder;

const TABLE: &[u8] = b"price,symbol,day,gap\n1.5,AAPL,2026-11-22,1\n2,MSFT,2026-11-23,\n3,AAPL,2026-11-24,3\n";

#[test]
fn a_table_shows_its_columns_and_its_first_rows() {
    let folder = Folder::with(&[("t.csv", TABLE)]);
    let ran = folder.arr(&["head", "t.csv", "-n", "2"]);
    let wanted = "price   f64[3]
symbol  i32[3]  codes of the words AAPL, MSFT
day     -       E0512: `t.csv` has a date in line 2, column `day`; `: date[n]` reads dates as days since 1970
gap     f64[3]

price  symbol  day         gap
1.5    AAPL    2026-11-22  1
2      MSFT    2026-11-23
";
    assert_eq!((ran.code, ran.stdout.as_str()), (0, wanted), "{}", ran.stderr);
    assert!(ran.stderr.contains("lacks 1 value"), "{}", ran.stderr);
    let ran = folder.arr(&["head", "t.csv:price", "-n", "1"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "price  f64[3]\n\nprice\n1.5\n"));
    let ran = folder.arr(&["head", "t.csv", "--names"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "price\nsymbol\nday\ngap\n"));
    let ran = folder.arr(&["head", "t.csv:day"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("E0512"), "{}", ran.stderr);
}

#[test]
fn columns_that_share_a_name_or_have_none_go_by_their_places() {
    let folder = Folder::with(&[("t.csv", b"a,a,,b\n1,2,3,x\n4,5,6,7\n")]);
    let ran = folder.arr(&["head", "t.csv"]);
    let wanted =
        "1  i64[2]\n2  i64[2]\n3  i64[2]\nb  i32[2]  codes of the words x, 7\n\n1  2  3  b\n1  2  3  x\n4  5  6  7\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (0, wanted), "{}", ran.stderr);
    assert!(ran.stderr.contains("has a number in line 3, column `b`"), "{}", ran.stderr);
}

#[test]
fn arrays_show_their_dtypes_shapes_and_elements() {
    let folder = Folder::new();
    folder.write("s.arr", b"output x = arange(12.0).reshape(6, 2)\noutput y = u8([1, 2, 3])\noutput z = 2.5f32\n");
    for name in ["all.npz", "all.safetensors"] {
        let ran = folder.arr(&["run", "s.arr", "-o", name]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let ran = folder.arr(&["head", name, "-n", "2"]);
        let wanted = "x  f64[6, 2]
y  u8[3]
z  f32

x =
[[0. 1.]
 [2. 3.]] ...

y =
[1 2] ...

z =
2.5
";
        assert_eq!((ran.code, ran.stdout.as_str()), (0, wanted), "{name}: {}", ran.stderr);
    }
    folder.arr(&["run", "s.arr", "-o", "x=x.npy", "-o", "y=y.npy", "-o", "z=z.npy"]);
    let ran = folder.arr(&["head", "y.npy"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "u8[3]\n\n[1 2 3]\n"));
    let ran = folder.arr(&["head", "x.npy", "-n", "0", "--format", "json"]);
    assert!(ran.stdout.starts_with("{\n  \"version\": 1,"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\"shape\": [\n        6,\n        2\n      ]"), "{}", ran.stdout);
}

#[test]
fn a_pipe_is_read_once() {
    let folder = Folder::new();
    let ran = folder.pipe(&["head", "-", "--format-in", "csv"], TABLE);
    assert!(ran.stdout.starts_with("price   f64[3]\n"), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("\n2.0    MSFT"), "{}", ran.stdout);
}

#[test]
fn what_is_no_file_of_arrays_is_an_error_with_a_code() {
    let cut = &b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'"[..];
    let files: &[(&str, &[u8], &str)] = &[
        ("cut.npy", cut, "E0512"),
        ("empty.csv", b"", "E0512"),
        ("ragged.csv", b"a,b\n1,2\n3\n", "E0512"),
        ("not.npz", b"PK\x03\x04nothing", "E05"),
        ("x.json", b"{}", "E0516"),
        ("x.bin", b"", "E0516"),
    ];
    for (name, bytes, code) in files {
        let ran = Folder::with(&[(name, bytes)]).arr(&["head", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains(code), "{name}: {}", ran.stderr);
    }
    for missing in ["missing.csv", "missing"] {
        let ran = Folder::new().arr(&["head", missing]);
        assert!(ran.code == 3 && ran.stderr.contains("E0510"), "{}", ran.stderr);
    }
    // Names and cells are shown without what a terminal would obey.
    let folder = Folder::with(&[("t.csv", b"\"a\x1b[2J\n\",b\n1,\"x\x1b[31m\"\n")]);
    let ran = folder.arr(&["head", "t.csv"]);
    assert!(ran.code == 0 && !ran.stdout.contains('\x1b') && ran.stdout.lines().count() == 5, "{}", ran.stdout);
}

#[test]
fn a_column_says_why_it_has_its_dtype() {
    let folder = Folder::with(&[("t.csv", b"x,w\n1,a\n2,1\n2.5,b\nNA,c\n")]);
    let ran = folder.arr(&["explain", "t.csv:x"]);
    let wanted = "`t.csv:x` is f64
  2 cells are whole numbers, the first in line 2: `1`
  1 cell is a number with a point or an exponent, in line 4: `2.5`
  1 cell has no value, in line 5: `NA`
";
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with(wanted), "{}", ran.stdout);
    let ran = folder.arr(&["explain", "t.csv:y"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("E0520"), "{}", ran.stderr);
    let ran = folder.arr(&["explain", "gone.csv:x"]);
    assert!(ran.code != 0 && ran.stderr.contains("E0510") && ran.stderr.contains("gone.csv"), "{}", ran.stderr);
    let ran = folder.arr(&["explain", "t.csv:x", "--format", "json"]);
    assert!(ran.stdout.contains("\"kind\": \"fraction\""), "{}", ran.stdout);
}

#[test]
fn an_array_has_the_dtype_that_its_file_states() {
    let folder = Folder::new();
    folder.write("s.arr", b"output x = [1i8, 2]\n");
    folder.arr(&["run", "s.arr", "-o", "x.npy"]);
    let ran = folder.arr(&["explain", "x.npy"]);
    let wanted = "`x.npy` is i8\nThe file states the dtype of each array in it.\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (0, wanted), "{}", ran.stderr);
    let ran = folder.arr(&["explain", "x.npz:y"]);
    assert!(ran.code == 3 && ran.stderr.contains("x.npz"), "{}", ran.stderr);
}

#[cfg(feature = "tables")]
#[test]
fn columnar_files_show_their_columns_and_their_first_rows() {
    let folder = Folder::new();
    for name in ["common-none.parquet", "common-file.arrow", "edges.parquet", "other.parquet"] {
        folder.write(name, &std::fs::read(crate::lab::root("tests/tables").join(name)).expect("a table"));
    }
    for name in ["common-none.parquet", "common-file.arrow"] {
        let ran = folder.arr(&["head", name, "-n", "1"]);
        let lines: Vec<&str> = ran.stdout.lines().collect();
        assert_eq!((ran.code, lines.len()), (0, 17), "{}{}", ran.stdout, ran.stderr);
        assert_eq!(lines[5..7], ["f16    f16[6]", "f32    f32[6]"]);
        assert_eq!(lines[11..13], ["word   i32[6]   codes of the words b, a, , ä", "day    i64[6]   date"]);
        assert!(
            lines[16].starts_with("-128  0    -2147483648  -9223372036854775808  0    0.5  0.5  0.1  true"),
            "{}",
            lines[16]
        );
        assert!(lines[16].ends_with("b     1970-01-01  1970-01-01T00:00:00"), "{}", lines[16]);
        let ran = folder.arr(&["head", &format!("{name}:word"), "-n", "2"]);
        assert!(ran.stdout.ends_with("\n\nword\nb\na\n"), "{}", ran.stdout);
        let ran = folder.arr(&["explain", &format!("{name}:count")]);
        assert!(ran.stdout.contains(":count` is f64\n") && ran.stdout.contains("lacks 1 value"), "{}", ran.stdout);
        let ran = folder.arr(&["head", name, "--names"]);
        assert_eq!(ran.stdout.lines().count(), 14);
    }
    let ran = folder.arr(&["head", "other.parquet", "-n", "1"]);
    assert!(ran.code == 0 && ran.stdout.contains("list    -  "), "{}", ran.stdout);
    let whole = std::fs::read(folder.path().join("edges.parquet")).expect("a table");
    folder.write("cut.parquet", &whole[..whole.len() / 2]);
    let ran = folder.arr(&["head", "cut.parquet"]);
    assert!(ran.code == 1 && ran.stderr.contains("E0512"), "{}", ran.stderr);
}

#[test]
fn rows_are_as_wide_as_the_terminal_and_say_what_is_left_out() {
    let names: Vec<String> = (1..=20).map(|at| format!("column_{at}")).collect();
    let row = |start: usize| (0..20).map(|at| (start + at).to_string()).collect::<Vec<_>>().join(",");
    let table = format!("{}\n{}\n{}\n", names.join(","), row(1), row(100));
    let folder = Folder::with(&[("t.csv", table.as_bytes())]);
    let shown = |columns: &str| {
        let mut command = crate::shell::command(folder.path(), &["head", "t.csv"]);
        let output = command.env("COLUMNS", columns).output().expect("it runs");
        let text = String::from_utf8(output.stdout).expect("text");
        text.split_once("\n\n").expect("rows below the names").1.to_owned()
    };
    let narrow = shown("80");
    assert!(narrow.lines().all(|line| line.chars().count() <= 80), "{narrow}");
    assert!(narrow.starts_with("column_1  column_2"), "{narrow}");
    assert_eq!(narrow.lines().next().map(|line| line.ends_with("  column_7  …")), Some(true), "{narrow}");
    assert_eq!(narrow.lines().last(), Some("7 of 20 columns"));
    assert!(shown("5").starts_with("column_1  …\n1         …\n"), "{}", shown("5"));
    for wide in ["0", "300"] {
        assert!(!shown(wide).contains('…') && shown(wide).contains("column_20"), "{}", shown(wide));
    }
}

#[test]
fn elements_without_a_name_in_their_file_are_shown_as_what_they_may_be() {
    let folder = Folder::new();
    let text = |dtype: &str| format!("{dtype}([1, 2.5])");
    for (dtype, alike) in [("bf16", "`bf16`"), ("f8_e4m3", "`f8_e4m3`")] {
        folder.arr(&["eval", &text(dtype), "-o", "x.npy"]);
        let ran = folder.arr(&["head", "x.npy"]);
        assert_eq!((ran.code, ran.stdout), (0, format!("{dtype}[2]\n\n[1.  2.5]\n")), "{}", ran.stderr);
        let note = format!("note: `x.npy` has no name for its elements, which may be {alike}\n");
        assert_eq!(ran.stderr, note);
    }
}
