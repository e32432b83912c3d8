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
