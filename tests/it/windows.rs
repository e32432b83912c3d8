//! Files that are larger than the memory of the run: they pass through windows (E96), and a run that ends in the middle
//! leaves the old result (E97).

use crate::shell::{Folder, command};
use arrlang::array::Array;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::{Duration, Instant};

const ROWS: usize = 60_000;
const COLUMNS: usize = 50;

/// `a.npy` and `b.npy`, 24 MB each.
fn folder() -> Folder {
    let folder = Folder::new();
    for (name, step) in [("a.npy", 7usize), ("b.npy", 13)] {
        let elements: Vec<f64> = (0..ROWS * COLUMNS).map(|at| (at * step % 10_007) as f64 / 64.0 - 50.0).collect();
        let target = arrlang::io::prepare(&folder.path().join(name)).expect("the folder is writable");
        arrlang::io::write(&target, &Array::from_elements(&[ROWS, COLUMNS], &elements)).expect("it has room");
    }
    folder
}

/// Runs the command with too few addresses for both files and a result.
fn limited(folder: &Folder, args: &[&str]) -> (Option<i32>, String) {
    let script = "ulimit -v 150000; exec \"$0\" \"$@\" --threads 1";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_arr")]).args(args);
    let output = shell.current_dir(folder.path()).output().expect("there is a shell");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).expect("messages are text"))
}

const TEXTS: [(&str, &[&str]); 3] = [
    ("2*a + 3*b", &["a=a.npy", "b=b.npy"]),
    ("(a - mean(a, axis=0)) / std(a, axis=0)", &["a=a.npy"]),
    ("sum(a * b, axis=1) + max(b)", &["a=a.npy", "b=b.npy"]),
];

#[test]
fn e96_results_through_windows_are_those_of_memory_bit_for_bit() {
    let folder = folder();
    for (text, inputs) in TEXTS {
        let whole = [&["eval", text, "-o", "whole.npy"], inputs].concat();
        let ran = folder.arr(&whole);
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{text}");
        let windows = [&["eval", text, "-o", "windows.npy", "--max-mem", "8M"], inputs].concat();
        let (code, said) = limited(&folder, &windows);
        assert_eq!((code, &*said), (Some(0), ""), "{text}");
        let read = |name: &str| std::fs::read(folder.path().join(name)).expect("it was written");
        assert!(read("whole.npy") == read("windows.npy"), "{text}");
    }
    // An output may have the name of an input: that is replaced when all of it is read.
    let (code, said) = limited(&folder, &["eval", "a + 1", "a=a.npy", "-o", "a.npy", "--max-mem", "8M"]);
    assert_eq!((code, &*said), (Some(0), ""));
    let (first, _): (Array, _) =
        arrlang::io::read(&folder.path().join("a.npy"), &arrlang::io::ReadOptions::default()).expect("an array");
    assert_eq!(first.get(0).bits as u64, (-49.0f64).to_bits());
}

#[test]
fn e96_what_must_be_held_is_refused_and_told_before() {
    let folder = folder();
    folder.write("scale.arr", b"input a: f64[n, k]\noutput y = (a - mean(a, axis=0)) / std(a, axis=0)\n");
    let ran = folder.arr(&["check", "--plan", "scale.arr", "a=a.npy", "--max-mem", "8M"]);
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    let lines: Vec<&str> = ran.stdout.lines().map(str::trim).collect();
    assert_eq!(
        lines[..3],
        [
            "scale.arr",
            "a  f64[60000, 50]  22.9 MiB  read 3 times in pieces",
            "y  f64[60000, 50]  22.9 MiB  written in pieces"
        ]
    );
    assert!(lines[4].ends_with("reads and writes 91.6 MiB"), "{}", ran.stdout);
    folder.write("turned.arr", b"input a: f64[n, k]\noutput y = cumsum(a, axis=0) + a[::-1]\n");
    let ran = folder.arr(&["check", "--plan", "turned.arr", "a=a.npy", "--max-mem", "8M"]);
    assert!(ran.stdout.contains("that is more than it may have: 8.0 MiB; `--max-mem SIZE` raises"), "{}", ran.stdout);
    let (code, said) = limited(&folder, &["run", "turned.arr", "a=a.npy", "-o", "y.npy", "--max-mem", "8M"]);
    assert!(code == Some(1) && said.contains("E0518") && !folder.path().join("y.npy").exists(), "{said}");
}

#[test]
fn what_takes_whole_arrays_is_told_before() {
    let folder = folder();
    let plan = |text: &str, more: &[&str]| {
        folder.write("p.arr", text.as_bytes());
        let ran = folder.arr(&[&["check", "--plan", "p.arr"], more].concat());
        (ran.code, ran.stdout, ran.stderr)
    };
    let (code, out, err) = plan("input a: f64[n, k]\noutput y = sort(2*a, axis=0)\n", &["a=a.npy", "--max-mem", "8M"]);
    assert_eq!((code, &*err), (0, ""));
    assert!(
        out.contains("a  f64[60000, 50]  22.9 MiB  whole") && out.contains("y  f64[60000, 50]  22.9 MiB  held"),
        "{out}"
    );
    assert!(
        out.contains("nothing passes in pieces") && out.contains("that is more than it may have: 8.0 MiB"),
        "{out}"
    );
    // The most that a mask may keep.
    let (code, out, err) = plan("input a: f64[n]\noutput y = a[a > 0]\n", &["a:f64[1000000]"]);
    assert_eq!((code, &*err), (0, ""));
    assert!(out.contains("y  f64[k]") && out.contains("the largest f64[1000000] of 7.6 MiB"), "{out}");
    let (code, out, _) = plan("input a: f64[n]\noutput y = bincount(i64(a))\noutput z = a @ a\n", &["a:f64[1000]"]);
    assert_eq!(code, 0, "{out}");
    // Sizes are those of a type where there is no data.
    let (code, out, _) = plan("input a: f32[n, c]\noutput y = 2*a\n", &["a:f32[1000000000, 2]"]);
    assert!(code == 0 && out.contains("a  f32[1000000000, 2]  7.5 GiB  read once in pieces"), "{out}");
    let (code, _, err) = plan("input a: f32[n, 2]\noutput y = 2*a\n", &[]);
    assert!(code == 2 && err.contains("or a type with numbers in place of names, as `a:f32[1000, 2]`"), "{err}");
    let text = "input a: f32[n]\ninput b: f32[n]\noutput y = a + b\n";
    let (code, _, err) = plan(text, &["a:f32[10]", "b:f32[20]"]);
    assert!(code == 2 && err.contains("says 20 for a length of `b` that is 10"), "{err}");
}

/// Starts a run that takes some time, and ends it; the time that a whole one takes.
fn begin(folder: &Path) -> std::process::Child {
    let args = ["eval", TEXTS[1].0, "a=a.npy", "-o", "y.npy", "--max-mem", "8M"];
    command(folder, &args).spawn().expect("the command starts")
}

#[test]
fn e97_a_run_that_is_killed_leaves_the_old_file_or_the_new_one() {
    let folder = folder();
    let begun = Instant::now();
    assert!(begin(folder.path()).wait().expect("it ends").success());
    let (took, path) = (begun.elapsed(), folder.path().join("y.npy"));
    let new = std::fs::read(&path).expect("it was written");
    let (mut olds, mut killed) = (0, 0);
    for round in 0..20u32 {
        std::fs::write(&path, b"old").expect("the folder is writable");
        let mut child = begin(folder.path());
        std::thread::sleep(Duration::from_micros(took.as_micros() as u64 * u64::from(round * 7 % 20) / 18));
        let _ = child.kill();
        killed += u32::from(child.wait().expect("it ends").signal() == Some(9));
        let now = std::fs::read(&path).expect("there always is one");
        assert!(now == b"old" || now == new, "{} bytes of {}", now.len(), new.len());
        olds += u32::from(now == b"old");
    }
    println!("{killed} of 20 runs were killed in time, {olds} left the old file");
    assert!(killed > 0 && olds > 0);
}

#[test]
fn e97_a_full_disk_leaves_the_old_file_and_nothing_beside_it() {
    let folder = folder();
    folder.write("y.npy", b"old");
    let script = "ulimit -f 20000; exec \"$0\" eval '2*a + 1' a=a.npy -o y.npy --max-mem 8M";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_arr")]).current_dir(folder.path());
    let output = shell.output().expect("there is a shell");
    let said = String::from_utf8(output.stderr).expect("messages are text");
    assert!(output.status.code() == Some(3) && said.contains("E0511") && said.contains("y.npy"), "{said}");
    let mut names: Vec<String> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["a.npy", "b.npy", "y.npy"]);
    assert_eq!(std::fs::read(folder.path().join("y.npy")).expect("it is there"), b"old");
}
