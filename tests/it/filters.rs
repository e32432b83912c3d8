//! `arr` in pipes, and what it writes: the README's one-liners, every format, several outputs in one file.

use crate::lab;
use crate::shell::{Folder, Ran};
use std::path::Path;
use std::process::Command;

/// Some prices of two stocks.
fn prices() -> Vec<u8> {
    std::fs::read(lab::root("examples/data/prices.csv")).expect("the example is there")
}

/// What a line of shell prints where `arr` is this one.
fn shell(folder: &Path, line: &str) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_arr")).parent().expect("it lies in a folder");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let ran =
        Command::new("bash").args(["-c", line]).current_dir(folder).env("PATH", path).env("COLUMNS", "100").output();
    let ran = ran.expect("there is a shell");
    format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr))
}

#[test]
fn the_one_liners_of_the_readme_print_what_it_says() {
    let readme = std::fs::read_to_string(lab::root("README.md")).expect("there is a README");
    let section = readme.split("\n## In a pipe\n").nth(1).expect("it has the section");
    let block =
        section.split("```console\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block of lines");
    let folder = Folder::with(&[("prices.csv", &prices())]);
    let mut count = 0;
    for part in block.split("$ ").filter(|part| part.contains('\n') && part.contains("arr eval")) {
        let (line, expected) = part.split_once('\n').expect("a line and what it prints");
        assert_eq!(shell(folder.path(), line), expected, "{line}");
        count += 1;
    }
    assert!(count >= 11, "{count}");
}

const SCRIPT: &str =
    "input open: f64[n]\ninput close: f64[n]\noutput up = close > open\noutput gain = close/open - 1\n";

fn run(folder: &Folder, more: &[&str]) -> Ran {
    folder.arr(&[&["run", "s.arr", "*=prices.csv"], more].concat())
}

fn folder() -> Folder {
    Folder::with(&[("prices.csv", &prices()), ("s.arr", SCRIPT.as_bytes())])
}

#[test]
fn outputs_share_archives_and_tables_and_read_back_as_they_were() {
    let folder = folder();
    for file in ["all.npz", "all.safetensors", "all.csv", "all.tsv", "all.csv.gz", "all.tsv.zst"] {
        assert_eq!(run(&folder, &["-o", file]).code, 0, "{file}");
        let one = run(&folder, &["-o", &format!("gain=one-{file}"), "-o", &format!("up=one-{file}")]);
        assert_eq!((one.code, one.stdout.as_str()), (0, ""), "{}", one.stderr);
        for file in [file.to_owned(), format!("one-{file}")] {
            let same = "sum(g == close/open - 1) + sum(u == (close > open))";
            let args = ["eval", same, "*=prices.csv", &format!("g={file}:gain"), &format!("u={file}:up")];
            assert_eq!(folder.arr(&args).stdout, "12 : i64\n", "{file}");
        }
    }
    assert_eq!(run(&folder, &["-o", "all.json"]).code, 0);
    let text = std::fs::read_to_string(folder.path().join("all.json")).expect("it is text");
    let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(json["up"], serde_json::json!([false, false, true, true, false, false]));
}

#[test]
fn words_and_dates_are_written_as_what_they_mean() {
    let folder = folder();
    let csv = |args: &[&str]| folder.arr(&[args, &["--format", "csv"]].concat()).stdout;
    assert_eq!(csv(&["eval", "symbol[:2]", "*=prices.csv"]), "symbol[:2]\nAAPL\nMSFT\n");
    assert_eq!(csv(&["eval", "max(day)", "day:date[n]=prices.csv:date"]), "max(day)\n2024-01-04\n");
    for text in
        ["unique(day)[:1]", "day[day < \"2024-01-03\"][:1]", "sort(day)[:1]", "segment_min(day, zeros_like(day), 1)"]
    {
        assert_eq!(csv(&["eval", text, "day:date[n]=prices.csv:date"]).lines().last(), Some("2024-01-02"), "{text}");
    }
    assert_eq!(csv(&["eval", "[0.1, 1/3]", "--precision", "3"]), "\"[0.1, 1/3]\"\n0.100\n0.333\n");
}

#[test]
fn e37_of_several_outputs_none_is_replaced_unless_all_are_written() {
    let folder = folder();
    folder.write("up.npy", b"old");
    let ran = run(&folder, &["-o", "up=up.npy", "-o", "gain=gain.png"]);
    assert!(
        ran.code == 1 && ran.stderr.contains("not of f64") || ran.stderr.contains("a picture is"),
        "{}",
        ran.stderr
    );
    assert_eq!(std::fs::read(folder.path().join("up.npy")).expect("it is there"), b"old");
    let mut names: Vec<String> = std::fs::read_dir(folder.path())
        .expect("it can be listed")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["prices.csv", "s.arr", "up.npy"]);
    // One result may go to several files.
    let ran = run(&folder, &["-o", "up=up.npy", "-o", "up=up.csv"]);
    assert!(ran.code == 0 && folder.path().join("up.csv").exists(), "{}", ran.stderr);
    // Two results in a file that holds one are still refused, and so are columns of different lengths.
    assert_eq!(run(&folder, &["-o", "up=a.npy", "-o", "gain=a.npy"]).code, 2);
    let ragged = folder.arr(&["eval", "x[:2]", "x=prices.csv:open", "-o", "t.csv"]);
    assert_eq!(ragged.code, 0, "{}", ragged.stderr);
}

#[test]
fn standard_input_has_any_format_and_pipes_are_waited_for() {
    let folder = folder();
    for (line, said) in [
        ("arr eval close '*=prices.csv' -o c.npy && arr eval 'max(x)' x=- < c.npy", "370.87 : f64\n"),
        ("arr eval close '*=prices.csv' -o c.npz && arr eval 'max(arr_0)' '*=-' < c.npz", "370.87 : f64\n"),
        ("arr eval 'max(a) - min(b)' a=<(cat prices.csv):open b=<(cat prices.csv):close", "191.95000000000002 : f64\n"),
        (
            "mkfifo p; (sleep 0.1; timeout 9 bash -c 'cat prices.csv > p') & timeout 9 arr eval 'max(open)' '*=@p'; wait",
            "373.86 : f64\n",
        ),
    ] {
        assert_eq!(shell(folder.path(), line), said, "{line}");
    }
    let told = folder.arr(&["eval", "x", "x=/dev/zero", "--format-in", "csv"]);
    assert!(told.code == 1 && told.stderr.contains("is a device"), "{}", told.stderr);
}

#[test]
fn what_a_table_says_reads_back_without_a_header_that_is_data() {
    let folder = Folder::new();
    for (line, said) in [
        ("arr eval 5 --format csv | arr eval 'sum(x)' x=-", "5 : i64\n"),
        ("arr eval '(1, 2)' --format csv", "arr_0,arr_1\n1,2\n"),
        ("arr eval '[1.5]' --format csv | arr eval x x=-", "[1.5] : f64[1]\n"),
        ("arr eval '[5][0:]' --format csv | arr eval x x=-", "[5] : i64[1]\n"),
        ("arr eval '[true]' --format csv | arr eval x x=-", "[true] : bool[1]\n"),
        ("arr eval '[-1]' --format csv | arr eval x x=-", "[-1] : i64[1]\n"),
        ("arr eval '[-1] - 1' --format csv | arr eval x x=-", "[-2] : i64[1]\n"),
        ("printf 'nan,2\\n1,3\\n' | arr eval 'sum(x)' x=-:2 2> notes && cat notes", NO_HEADER),
        ("printf 'hello\\n' | arr eval x x=- 2> notes && cat notes", NO_ROWS),
    ] {
        assert_eq!(shell(folder.path(), line), said, "{line}");
    }
    for text in ["{\"p\":1.5}\n{\"p\":2.5}\n", "[1.5]\n", "BZh91AY&SY", "P2\n2 1\n255\n0 9\n"] {
        let ran = crate::shell::arr_in(folder.path(), &["eval", "x", "x=-"], text);
        assert!(ran.code == 1 && ran.stderr.contains("E0516 unknown-format"), "{text}: {}", ran.stderr);
    }
}

/// What is said of a table whose first line is data.
const NO_HEADER: &str = "5 : i64\nnote: `standard input` names no columns: its first line is data\n";

/// What is said of a table that has a line of names and nothing else.
const NO_ROWS: &str = "[] : f64[0]\nnote: `standard input` has no rows: its first line names its columns\n";

#[test]
fn standard_output_takes_what_it_was_given_and_nothing_behind_it() {
    let folder = folder();
    for (args, told) in [
        (&["-o", "up=-"][..], "standard output takes `up`, and `gain` would be printed behind it"),
        (&["-o", "up=-", "--format", "json"], "standard output takes `up`, and `gain` would be printed behind it"),
        (&["-o", "up=-", "-o", "gain=-"], "two results are to be written to standard output"),
        (&["-o", "up=-", "-o", "gain=up.csv", "--format", "text"], "`-o -` writes npy, csv or json"),
    ] {
        let ran = run(&folder, args);
        assert!(ran.code == 2 && ran.stdout.is_empty() && ran.stderr.contains(told), "{args:?}: {}", ran.stderr);
    }
    // A bare expression has no name to give a file to, and nothing is computed before this is told.
    folder.write("bare.arr", b"input x: i64[n]\noutput a = x\nx[sum(x)]\n");
    folder.write("x.csv", b"x\n1\n2\n");
    let bare = folder.arr(&["run", "bare.arr", "x=x.csv", "-o", "a=-"]);
    let told = "standard output takes `a`, and `x[sum(x)]` would be printed behind it: name it, `output y = …`";
    assert!(bare.code == 2 && bare.stdout.is_empty() && bare.stderr.contains(told), "{}", bare.stderr);
    let both = run(&folder, &["-o", "gain=-", "-o", "up=-", "--format", "csv"]);
    assert!(
        both.code == 0 && both.stdout.starts_with("gain,up\n") && both.stdout.lines().count() == 7,
        "{}",
        both.stderr
    );
}

#[test]
fn files_without_words_are_told_of_and_json_has_them() {
    let folder = folder();
    let eval = |args: &[&str]| folder.arr(&[&["eval"][..], args, &["*=prices.csv"]].concat());
    for (file, said) in [
        (
            "s.npy",
            "note: `s.npy` holds `symbol` as codes, without their words; `.csv` and `.json` keep what they mean\n",
        ),
        ("s.csv", ""),
        ("s.json", ""),
    ] {
        let ran = eval(&["symbol", "-o", file]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, said), "{file}");
    }
    let json = std::fs::read_to_string(folder.path().join("s.json")).expect("it is text");
    assert!(json.starts_with("[\"AAPL\",\"MSFT\","), "{json}");
    let day = folder.arr(&["eval", "day[:1]", "day:date[n]=prices.csv:date", "-o", "-", "--format", "json"]);
    assert_eq!(day.stdout, "[\"2024-01-02\"]\n", "{}", day.stderr);
}

#[test]
fn one_name_of_two_columns_is_that_of_the_one_that_is_called_so() {
    let folder = Folder::with(&[("one.csv", b"a b,a_b\n1,2\n"), ("two.csv", b"a b,a.b,c\n1,2,3\n")]);
    assert_eq!(folder.arr(&["eval", "a_b", "*=one.csv"]).stdout, "[2] : i64[1]\n");
    assert_eq!(folder.arr(&["eval", "c", "*=two.csv"]).stdout, "[3] : i64[1]\n");
    let ran = folder.arr(&["eval", "a_b", "*=two.csv"]);
    assert!(
        ran.code == 1 && ran.stderr.contains("`two.csv` holds `a b` and `a.b`, and both would be `a_b`"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("`'a_b=two.csv:a b'`"), "{}", ran.stderr);
    let loaded = crate::shell::arr_in(folder.path(), &["repl"], ":load one.csv\na_b\n:load two.csv\na_b\n");
    assert_eq!(loaded.stdout, "[2] : i64[1]\n[1] : i64[1]\n", "{}", loaded.stderr);
    assert!(loaded.stderr.contains("left out: `one.csv:a b`, because another one is `a_b`"), "{}", loaded.stderr);
    assert!(loaded.stderr.contains("left out: `two.csv:a.b`, because another one is `a_b`"), "{}", loaded.stderr);
}

#[test]
fn a_session_reads_tables_as_options_say() {
    let folder = Folder::with(&[("t.csv", b"a;b\n1;2\n3;\n"), ("bare.csv", b"1,2\n3,4\n")]);
    let text = ":load t.csv --delimiter ; --missing -1\nb\n:load bare.csv --no-header\nx_1\n";
    let loaded = crate::shell::arr_in(folder.path(), &["repl"], text);
    assert_eq!(loaded.stdout, "[ 2 -1] : i64[2]\n[1 3] : i64[2]\n", "{}", loaded.stderr);
    // The options of the session say which columns there are.
    let loaded = crate::shell::arr_in(folder.path(), &["repl", "--delimiter", ";"], ":load t.csv --missing=0\na\n");
    assert_eq!(loaded.stdout, "[1 3] : i64[2]\n", "{}", loaded.stderr);
}

#[test]
fn a_session_reads_columns_of_files_of_any_name() {
    let folder = Folder::with(&[("t.dat", b"a;b\n1;2\n3;4\n")]);
    for text in [
        ":load t.dat --format-in csv --delimiter ;\nb\n",
        ":load t.dat:b --format-in csv --delimiter ;\nb\n",
        ":load t.dat:b as b --format-in csv --delimiter ;\nb\n",
    ] {
        let loaded = crate::shell::arr_in(folder.path(), &["repl"], text);
        assert_eq!(loaded.stdout, "[2 4] : i64[2]\n", "{text}: {}", loaded.stderr);
    }
    // A script says no format: what it names is a file.
    let told = crate::shell::arr_in(folder.path(), &["repl", "--format-in", "csv"], "load(\"t.dat:b\")\n");
    assert!(told.code == 1 && told.stdout.is_empty(), "{}", told.stderr);
}

#[test]
fn files_of_any_name_have_columns_where_the_user_says_their_format() {
    let folder = Folder::with(&[("data.dat", b"a,b\n1,2\n"), ("t.csv", b"a,b\nx,2\ny,3\n")]);
    for name in ["q\"q.csv", "f('s).csv", "q\"q\".csv", "f('s').csv"] {
        folder.write(name, b"a\n1\n");
        let ran = folder.arr(&["eval", "x", &format!("x=./{name}:a")]);
        assert_eq!(ran.stdout, "[1] : i64[1]\n", "{name}: {}", ran.stderr);
    }
    assert_eq!(folder.arr(&["eval", "x", "x=@data.dat:b", "--format-in", "csv"]).stdout, "[2] : i64[1]\n");
    assert_eq!(folder.arr(&["head", "data.dat:b", "--format-in", "csv"]).stdout, "b  i64[1]\n\nb\n2\n");
    let line = "mkfifo p; (timeout 9 bash -c 'cat t.csv > p') & timeout 9 arr eval 'sum(x)' x=@p:b; wait";
    assert_eq!(shell(folder.path(), line), "5 : i64\n");
    // First bytes tell the format of arrays, but not of tables of text.
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let made = "arr eval '[1, 2]' -o a.npy; arr eval 'y * 2' y=a.npy -o b.npz";
    let line = &format!("{made}; cp a.npy a.raw; mv a.npy sub/a; mv b.npz b");
    assert_eq!(shell(folder.path(), line), "");
    for file in ["@a.raw", "sub/a", "./sub/a"] {
        let ran = folder.arr(&["eval", "sum(x)", &format!("x={file}")]);
        assert_eq!(ran.stdout, "3 : i64\n", "{file}: {}", ran.stderr);
    }
    assert_eq!(folder.arr(&["eval", "sum(x)", "x=@b:arr_0"]).stdout, "6 : i64\n");
    assert_eq!(folder.arr(&["head", "b", "--names"]).stdout, "arr_0\n");
    assert!(folder.arr(&["head", "sub/a"]).stdout.starts_with("i64[2]"));
    let table = folder.arr(&["eval", "x", "x=@data.dat"]);
    assert!(table.code == 1 && table.stderr.contains("`--format-in FORMAT` names"), "{}", table.stderr);
    let missing = folder.arr(&["eval", "x", "x=@missing"]);
    assert!(missing.code == 3 && missing.stderr.contains("E0510"), "{}", missing.stderr);
    // What holds the name of a file between quotes is an expression.
    assert_eq!(folder.arr(&["eval", "x + 0", "x=codes(\"t.csv:a\")"]).stdout, "[0 1] : i32[2]\n");
    assert_eq!(folder.arr(&["eval", "x", "x=sum(load(\"./t.csv:b\"))"]).stdout, "5 : i64\n");
}

#[test]
fn what_is_said_of_standard_input_can_be_written() {
    let folder = Folder::with(&[("t.csv", b"a,b\n1,2\n")]);
    let said = |line: &str| shell(folder.path(), line);
    assert!(said("arr eval x x=- < t.csv").contains("`-:NAME`, where NAME is one of `a`, `b`"));
    assert_eq!(said("arr eval x x=-:a < t.csv"), "[1] : i64[1]\n");
    assert!(said("arr eval x x=- < /dev/null").contains("`standard input` is empty"));
    assert!(said("printf PAR1aaaaaaaaaaaa | arr eval x x=- 2>&1").lines().all(|line| !line.contains("by its name")));
    said("arr eval 'zeros(1000000)' -o x.npy");
    let whole = said("arr eval 'sum(x)' x=- --max-mem 1M < x.npy");
    assert!(whole.contains("needs 7.6 MiB of memory; the limit is 1.0 MiB"), "{whole}");
    let piped = said("cat x.npy | arr eval 'sum(x)' x=- --max-mem 1M");
    assert!(piped.contains("needs more than "), "{piped}");
    let negative = said("arr eval 1 --threshold -1");
    assert!(negative.contains("write a number of elements, or `all`"), "{negative}");
}
