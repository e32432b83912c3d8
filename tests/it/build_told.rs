//! What functions that `arr build` made say of their arguments, and what is left of a build that a signal ends.

use crate::build::{built, told, tool};
use crate::shell::{Folder, command};

#[test]
fn a_position_that_does_not_fit_is_told_by_its_line() {
    let folder = Folder::new();
    folder.write(
        "places.arr",
        b"input x: f64[n]\ninput i: i64\ninput j: i64\noutput a = x[i:i+2]\noutput b = x[j:j+2]\noutput c = x[i]\n",
    );
    built(&folder, &["places.arr", "-o", "libplaces.so", "--header", "places.h"]);
    let header = std::fs::read_to_string(folder.path().join("places.h")).unwrap();
    let lines: Vec<&str> = header.lines().filter(|line| line.trim_start().starts_with('1')).collect();
    for (number, said) in [
        (4, "a slice that begins at N does not lie in its axis: `"),
        (5, "a slice that begins at N does not lie in its axis: `"),
        (6, "a position is outside of axis 0: `"),
    ] {
        let place = format!("` in line {number}");
        assert!(lines.iter().any(|line| line.contains(said) && line.ends_with(&place)), "{header}");
    }
    let ran = folder.arr(&["run", "libplaces.so", "x=[1, 2, 3]", "i=0", "j=2"]);
    assert!(ran.code == 1 && ran.stderr.contains("` in line 5"), "{}", ran.stderr);
}

#[test]
fn a_library_for_whose_results_there_is_no_memory_is_told() {
    let folder = Folder::new();
    folder.write("wide.arr", b"input x: f32[n]\noutput y = x[:, None] + x\n");
    built(&folder, &["wide.arr", "-o", "libwide.so"]);
    told(&folder.arr(&["eval", "zeros(1000000, f32)", "-o", "zeros.npy"]));
    let limited = "ulimit -v 600000; exec \"$0\" run libwide.so x=zeros.npy";
    let ran = tool(&folder, "sh", &["-c", limited, env!("CARGO_BIN_EXE_arr")]);
    let said = "Error[E0518 out-of-memory]: `libwide.so` needs more memory for its results than the system gives";
    assert!(ran.code == 1 && ran.stderr.contains(said), "{} {}", ran.code, ran.stderr);
}

/// A program that calls a function of `COUNT` inputs and outputs, each time with another mistake.
const MANY: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include "many.h"

static float from[2 * COUNT][3], to[COUNT + 1][3];
static const int64_t three = 3, two = 2, apart = 8;
static arr_in_f32 x[COUNT];
static arr_out_f32 y[COUNT];
static int64_t lengths[COUNT];

static int call(void) {
    int64_t bytes = many_scratch(INPUTS);
    void *scratch;
    int code;
    if (bytes < 0) return (int)-bytes;
    scratch = malloc((size_t)bytes + 1);
    code = many(INPUTS, OUTPUTS, scratch, NULL);
    free(scratch);
    return code;
}

int main(void) {
    int at, code;
    for (at = 0; at < COUNT; at++) {
        x[at].data = from[2 * at];
        y[at].data = to[at];
        x[at].shape = y[at].shape = &three;
        from[2 * at][1] = (float)at;
    }
    printf("%d ", call());
    for (at = 0; at < COUNT; at++) if (to[at][1] != 2 * at || to[at][2] != at) return 1;
    x[COUNT - 1].strides = &apart;
    from[2 * COUNT - 2][2] = 7;
    printf("%d ", call());
    if (to[COUNT - 1][1] != COUNT + 6) return 2;
    x[COUNT - 1].strides = NULL;
    printf("%d ", many_shape(INPUTS, LENGTHS));
    for (at = 0; at < COUNT; at++) if (lengths[at] != 3) return 3;
    for (at = 0; at < COUNT; at++) {
        x[at].shape = &two;
        if (call() != 1) return 4;
        x[at].shape = &three;
        y[at].shape = &two;
        if (call() != 1) return 5;
        y[at].shape = &three;
        y[at].data = to[at + 1] - 1;
        code = call();
        if (code != (at == COUNT - 1 ? 0 : 2)) return 6;
        y[at].data = from[2 * at];
        if (call() != 2) return 7;
        y[at].data = to[at];
    }
    printf("%d\n", call());
    return 0;
}
"#;

/// So many arrays that the functions keep their places in tables.
#[test]
fn functions_of_many_arrays_look_at_all_of_them() {
    const COUNT: usize = 70;
    let folder = Folder::new();
    let all = |one: fn(usize) -> String, between: &str| (0..COUNT).map(one).collect::<Vec<_>>().join(between);
    let inputs = all(|at| format!("input x{at}: f32[n]"), "\n");
    let outputs = all(|at| format!("output y{at} = x{at} + {at}"), "\n");
    folder.write("many.arr", format!("{inputs}\n{outputs}\n").as_bytes());
    built(&folder, &["many.arr", "-o", "many.o", "--header", "many.h"]);
    let main = MANY
        .replace("COUNT", &COUNT.to_string())
        .replace("INPUTS", &all(|at| format!("&x[{at}]"), ", "))
        .replace("OUTPUTS", &all(|at| format!("&y[{at}]"), ", "))
        .replace("LENGTHS", &all(|at| format!("&lengths[{at}]"), ", "));
    folder.write("main.c", main.as_bytes());
    told(&tool(&folder, "cc", &["main.c", "many.o", "-o", "main"]));
    let main = folder.path().join("main");
    let ran = tool(&folder, main.to_str().expect("a path of letters"), &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "0 0 0 0\n"), "{}", ran.stderr);
}

#[test]
fn a_signal_leaves_no_parts() {
    let folder = Folder::with(&[
        ("fine.arr", b"input x: f32[n]\noutput y = x + 1\n"),
        ("slow.sh", b"touch started\nexec sleep 5\n"),
    ]);
    let parts = folder.path().join("parts");
    std::fs::create_dir(&parts).unwrap();
    let mut slow = command(folder.path(), &["build", "fine.arr", "-o", "libslow.so"]);
    let mut child = slow.env("CC", "sh slow.sh").env("TMPDIR", &parts).spawn().unwrap();
    let names = || std::fs::read_dir(&parts).unwrap().count();
    for _ in 0..2000 {
        if folder.path().join("started").exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(names(), 1);
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(names(), 0);
    assert!(!folder.path().join("libslow.so").exists());
}

#[test]
fn a_length_that_each_step_of_a_loop_decides_is_told() {
    let script = b"input x: f64[9]\noutput r = repeat 3 as t with s = 0.0 { s + median(x[:t+1]) }\n";
    let folder = Folder::with(&[("steps.arr", script)]);
    let ran = folder.arr(&["build", "steps.arr", "-o", "steps.o"]);
    assert!(ran.code == 1 && ran.stderr.contains("each step of a loop decides a length"), "{}", ran.stderr);
    assert!(ran.stderr.contains("as in `sort(where(arange(n) < t, x, inf))`"), "{}", ran.stderr);
}

/// What is advised for elements that data selects can be built.
#[test]
fn a_selection_that_is_reduced_is_told_how_to_reduce_it() {
    for (refused, said, built) in [
        ("max(x[x > 0])", "`max(x, where=x > 0, initial=-inf)`", "max(x, where=x > 0, initial=-inf)"),
        ("mean(x[x > 0])", "`mean(x, where=x > 0)`", "mean(x, where=x > 0)"),
        ("x[x > 0]", "as in `where(x > 0, x, 0)`", "where(x > 0, x, 0)"),
        ("bincount(k)", "as in `bincount(k, length=5)`", "bincount(k, length=5)"),
    ] {
        let script = |code: &str| format!("input x: f64[n]\ninput k: i64[m] in [0, 4]\noutput r = {code}\n");
        let folder = Folder::with(&[("a.arr", script(refused).as_bytes()), ("b.arr", script(built).as_bytes())]);
        let ran = folder.arr(&["build", "a.arr", "-o", "a.o"]);
        assert!(ran.code == 1 && ran.stderr.contains(said), "{refused}: {}", ran.stderr);
        let ran = folder.arr(&["build", "b.arr", "-o", "b.o"]);
        assert!(ran.code == 0, "{built}: {}", ran.stderr);
    }
}

#[test]
fn a_length_that_the_library_counts_is_told_at_its_call() {
    let constant = "np.triu_indices(n, 1)[0]";
    let of_data = "np.compress(s > 0, s)";
    for (call, said) in [(constant, "the length of this is counted when it runs"), (of_data, "data decides a length")] {
        let script = format!("input s: f64[n]\nlet i = {call}\nlet t = f64(i) * 2\noutput slope = np.median(t)\n");
        let folder = Folder::with(&[("k.arr", script.as_bytes())]);
        let ran = folder.arr(&["build", "k.arr", "-o", "k.o"]);
        assert!(ran.code == 1 && ran.stderr.contains(said) && ran.stderr.contains("k.arr:2:9"), "{}", ran.stderr);
    }
    let folder = Folder::with(&[("k.arr", b"input s: f64[n]\ninput t: f64[m]\noutput r = s[:min([n, m])]\n")]);
    let ran = folder.arr(&["build", "k.arr", "-o", "k.o"]);
    assert!(ran.code == 1 && ran.stderr.contains("it is made with `+`, `-`, `*`, `//`, `minimum`"), "{}", ran.stderr);
}

#[test]
fn each_assertion_about_a_length_has_a_code_in_its_order() {
    let folder = Folder::new();
    folder.write(
        "range.arr",
        b"input y: f64[n]\nassert n >= 2\nassert all(y > 0)\nassert n <= 4\nassert n % 2 == 0\noutput s = y[:2] * 2\n",
    );
    built(&folder, &["range.arr", "-o", "librange.so"]);
    for (values, said) in [
        ("y=[1]", "16: line 2 asserts `n >= 2`"),
        ("y=[1, -1]", "17: line 3 asserts `all(y > 0)`"),
        ("y=[1, 2, 3, 4, 5]", "18: line 4 asserts `n <= 4`"),
        ("y=[1, 2, 3]", "19: line 5 asserts `n % 2 == 0`"),
    ] {
        let ran = folder.arr(&["run", "librange.so", values]);
        assert!(ran.code == 1 && ran.stderr.contains(said), "{values}: {}", ran.stderr);
    }
    assert_eq!(told(&folder.arr(&["run", "librange.so", "y=[1, 2]"])), "s = [2. 4.] : f64[2]\n");
    let refused = folder.arr(&["build", "range.arr", "-o", "r.o", "--at", "y:f64[6]"]);
    let said = "that is n, and the script says that it is at least 2 and at most 4 and a multiple of 2";
    assert!(refused.code == 2 && refused.stderr.contains(said), "{}", refused.stderr);
    // What `topk` needs is not what the assertion says.
    folder.write("top.arr", b"input x: f64[n]\noutput t = topk(x, 3)[0]\nassert n % 2 == 0\noutput s = sum(x)\n");
    built(&folder, &["top.arr", "-o", "libtop.so"]);
    for (values, said) in [("x=[1, 2]", "1: an input"), ("x=[1, 2, 3]", "16: line 3 asserts `n % 2 == 0`")] {
        let ran = folder.arr(&["run", "libtop.so", values]);
        assert!(ran.code == 1 && ran.stderr.contains(said), "{values}: {}", ran.stderr);
    }
}

/// Calls a function with arrays of other lengths, and prints the codes.
const LENGTHS: &str = r#"
#include <stdio.h>
#include "sums.h"

static double from[8], to[8];
static char scratch[1 << 16];

static int call(int64_t n, int64_t m, int64_t k) {
    arr_in_f64 x = {from, &n, 0}, y = {from, &m, 0}, w = {from, &k, 0};
    arr_out_f64 s = {to, &m};
    return sums(&x, &y, &w, &s, scratch, 0);
}

int main(void) {
    printf("%d %d %d", call(5, 4, 4), call(4, 3, 4), call(5, 4, 6));
    printf(" %d %d %d\n", call(4, 4, 4), call(5, 4, 7), call(5, 4, 0));
    return 0;
}
"#;

/// One input says what a length is, and another one does not fit.
#[test]
fn an_assertion_is_not_to_blame_for_a_wrong_length() {
    let folder = Folder::new();
    folder.write(
        "sums.arr",
        b"input x: f64[n+1]\ninput y: f64[n]\ninput w: f64[2*k]\nassert n % 2 == 0 and k % 2 == 0\noutput s = sum(x) + sum(w) + y\n",
    );
    built(&folder, &["sums.arr", "-o", "sums.o", "--header", "sums.h"]);
    folder.write("main.c", LENGTHS.as_bytes());
    told(&tool(&folder, "cc", &["main.c", "sums.o", "-o", "main"]));
    let main = folder.path().join("main");
    assert_eq!(told(&tool(&folder, main.to_str().expect("a path of letters"), &[])), "0 16 17 1 1 0\n");
}
