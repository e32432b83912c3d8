//! Lengths in what `arr build` makes: as numbers they may be below 0, as lengths of arrays they may not.

use crate::build::{built, told};
use crate::shell::{Folder, Ran};

const NUMBERS: &str = "\
input x: f32[n]
input y: f32[m]
output r1 = n - 3
output r2 = x.size - 3
output r3 = sum(x)/(n-3)
output r4 = (n-3)//2
output r5 = f32(n-3)
output r6 = [n-3, n]
output r7 = full(n, n-3)
output r8 = maximum(n-3, 0)
output r9 = where(n-3 > 0, x, -x)
output r10 = where(arange(n) < n-3, x, 0)
output r11 = n - m
output r12 = abs(n-m)
output r13 = -n
output r14 = (n-3)%2
output r15 = x*(m-n)
output r16 = repeat n-3 as t with s = 0.0 { s + 1 }
output r17 = (m-n)//2
output r18 = minimum(n-3, m)
output r19 = x*(n-1)
output r20 = n*(m-3)
output r21 = repeat n-m with s = x { s*2 }
";

/// A library of a script.
fn library(folder: &Folder, script: &str) {
    folder.write("k.arr", script.as_bytes());
    built(folder, &["k.arr", "-o", "libk.so"]);
}

fn run(folder: &Folder, file: &str, values: &[&str]) -> Ran {
    folder.arr(&[&["run", file], values].concat())
}

fn as_the_script(folder: &Folder, values: &[&str]) {
    assert_eq!(told(&run(folder, "libk.so", values)), told(&run(folder, "k.arr", values)), "{values:?}");
}

#[test]
fn a_length_as_a_number_may_be_below_0() {
    let folder = Folder::new();
    library(&folder, NUMBERS);
    for values in
        [["x=[]", "y=[]"], ["x=[]", "y=[1, 2, 3, 4, 5]"], ["x=[1, 2]", "y=[1]"], ["x=[1, 2, 3, 4, 5]", "y=[]"]]
    {
        as_the_script(&folder, &values);
    }
    // A length that an item reads stays read if another item is taken.
    library(&folder, "input x: f32[n]\noutput r = (x * len(x[3:]), len(x[3:]))[0]\n");
    as_the_script(&folder, &["x=[1, 2, 3, 4]"]);
    assert_eq!(run(&folder, "libk.so", &["x=[1]"]).code, 1);
    library(&folder, "input x: f32[n, m]\noutput r = x / x[2:, :].shape[1]\n");
    as_the_script(&folder, &["x=[[1, 2]]"]);
    library(&folder, "input x: f32[n]\nfn f(a) = a*(a.shape[0]-3)\noutput r = f(x) + x[max([n-3, 0])]\n");
    for values in ["x=[1, 2]", "x=[1, 2, 3, 4]"] {
        as_the_script(&folder, &[values]);
    }
}

/// No form says how many elements lie between: the run counts them, however short an axis is.
#[test]
fn slices_from_near_one_end_to_near_the_other_are_counted() {
    let folder = Folder::new();
    let outputs = "output a = x[-2:3]\noutput b = x[-2:m]\noutput c = x[-2:m].size\n";
    library(&folder, &format!("input x: f32[n]\ninput y: f32[m]\n{outputs}"));
    for x in ["x=[]", "x=[1]", "x=[1, 2, 3]", "x=[1, 2, 3, 4, 5, 6]"] {
        for y in ["y=[]", "y=[1]", "y=[1, 2, 3, 4]"] {
            as_the_script(&folder, &[x, y]);
        }
    }
}

#[test]
fn the_length_of_an_array_is_not_below_0() {
    let folder = Folder::new();
    for script in [
        "zeros(n-m) + x[m:]",
        "x[m:]",
        "arange(n-m)",
        "len(x[m:]) + 1",
        "2*x[m:].size",
        // Lengths that do not show in the result.
        "len(x[m:]) + m",
        "zeros(len(x[m:]) + m)",
        "0*x[:, None][m:].shape[0]",
        "own(x[m:])",
        // Ones of the script are no length that is used as a number.
        "sum(ones(n-m, i64))",
        "sum(full(n-m, 1))",
        "sum(broadcast_to(1, [n-m]))",
        "len(ones(n-m, i64)) + 1",
        // A fraction is no integer.
        "2**(n-m)",
        "i32(3)**(n-m)",
    ] {
        let own = "fn own(a: f32[k]) = k - k";
        library(&folder, &format!("input x: f32[n]\ninput y: f32[m]\n{own}\noutput r = {script}\n"));
        as_the_script(&folder, &["x=[1, 2, 3]", "y=[1]"]);
        as_the_script(&folder, &["x=[1, 2]", "y=[1, 2]"]);
        let ran = run(&folder, "libk.so", &["x=[1]", "y=[1, 2]"]);
        assert!(ran.code == 1 && ran.stderr.contains("`k` gives code 1"), "{script}: {} {}", ran.stdout, ran.stderr);
    }
}

/// What follows from the length of an array that is shorter than its type says.
#[test]
fn a_length_that_is_read_is_that_of_a_run_or_has_a_code() {
    let folder = Folder::new();
    for script in [
        "len(pad(x[3:], 1))",
        "len(x[n-2:])",
        "len(x[n-2:, None].T[0])",
        "len(x[n-2:][1:])",
        "len(concat([x[n-2:], x]))",
        "len(x[n-2:] + x[n-1])",
        "len(sum(x[n-2:] * x[:, None], axis=0))",
        "len(sort(x[n-2:]))",
        "len(cumsum(x[n-2:]))",
        "len(where(x[n-2:] > 0, 1, 2))",
        "zeros(len(x[n-2:]))",
        "ones_like(x[n-2:])",
        "zeros_like(pad(x[3:], 1))",
        "own(x[n-2:])",
        "own(pad(x[3:], 1))",
        "repeat 3 as i with s = 0.0 { s + len(x[n-2:]) }",
    ] {
        library(&folder, &format!("input x: f32[n]\nfn own(a: f32[k]) = k\noutput r = {script}\n"));
        for values in ["x=[1, 2, 3]", "x=[1, 2, 3, 4]"] {
            as_the_script(&folder, &[values]);
        }
        let ran = run(&folder, "libk.so", &["x=[1]"]);
        assert!(ran.code == 1 && ran.stderr.contains("`k` gives code 1"), "{script}: {} {}", ran.stdout, ran.stderr);
    }
    // The length of one axis does not follow from those of others.
    for script in ["x[:, None][n-2:].shape[1]", "sum(x[:, None][n-2:], axis=0).shape[0]", "len(x[:, None][n-2:].T)"] {
        library(&folder, &format!("input x: f32[n]\noutput r = {script}\n"));
        as_the_script(&folder, &["x=[1]"]);
    }
}

#[test]
fn an_extreme_of_nothing_is_what_it_starts_with() {
    let folder = Folder::new();
    let outputs = [
        "max(x, initial=0.5)",
        "min(x, initial=f32(-0.0))",
        "max(x, where=x > 2, initial=-1)",
        "max(i32(x), initial=-9)",
        "max(x[:, None] * x, initial=0.5)",
        "max(x[:, None] * x, axis=0, initial=0.5)",
        "min(x[:, None] * y, axis=0, initial=0.5)",
        "min(x[:, None] * y, axis=1, keepdims=true, initial=0.5)",
        "max(f16(x), initial=1)",
        "max(x[1:], initial=nan)",
        "max(x > 2, initial=false)",
        "logsumexp(x)",
        "logsumexp(x[:, None] * y, axis=0)",
        "linalg.norm(x, inf)",
        "linalg.norm(x[:, None] * y, 1)",
        "max(x*2, initial=0.5) + max(concat([x*2, [7]]))",
        // What stands behind the elements may be nothing.
        "max(concat([f32(arange(n + 1)) - 9, full(m, f32(0.5))]))",
        "max(concat([y, full(n + 1, f32(0.5))]))",
        // In the steps of a loop.
        "repeat 3 as k with s = 0.0 { s + max(x*k, initial=0.5) }",
    ];
    for script in outputs {
        library(&folder, &format!("input x: f32[n]\ninput y: f32[m]\noutput r = {script}\n"));
        for values in [["x=[]", "y=[]"], ["x=[]", "y=[1, 2]"], ["x=[3]", "y=[]"], ["x=[-1, 4, -2]", "y=[1, 3]"]] {
            let ran = run(&folder, "libk.so", &values);
            let is_shorter = script.contains("x[1:]") && values[0] == "x=[]";
            if !(is_shorter && ran.code == 1) {
                as_the_script(&folder, &values);
            }
        }
    }
    library(&folder, "input x: f32[n]\noutput r = max(x, initial=0.5) + max(x)\n");
    as_the_script(&folder, &["x=[3]"]);
    let ran = run(&folder, "libk.so", &["x=[]"]);
    assert!(ran.code == 1 && ran.stderr.contains("`k` gives code 3"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn an_axis_may_be_shorter_than_a_shift() {
    let folder = Folder::new();
    let of = |shift: i64| format!("output a = roll(x, {shift})\noutput b = roll(x[:, None] * x, {shift})\n");
    let axes = "output a = roll(x[:, None] * y, (1, -2), axis=(0, 1))\n\
                output b = repeat 2 with s = x { roll(s, 1) + roll(s, -3) }\n";
    let lengths = "output a = roll(concat([x, [1, 2, 3]]), 3)\n\
                   output b = roll(x, n//2) - roll(x, n-1)\n\
                   output c = roll(x[:, None] * y, -m, axis=0)\n";
    let shifts = [-7, -3, -2, -1, 0, 1, 2, 3, 7].map(of);
    for outputs in shifts.iter().map(String::as_str).chain([axes, lengths]) {
        library(&folder, &format!("input x: f32[n]\ninput y: f32[m]\n{outputs}"));
        for values in [
            ["x=[]", "y=[]"],
            ["x=[]", "y=[1, 2]"],
            ["x=[3]", "y=[4]"],
            ["x=[3, 4]", "y=[]"],
            ["x=[1, 2, 3]", "y=[1, 2]"],
            ["x=[1, 2, 3, 4, 5, 6, 7, 8]", "y=[1, 2, 3]"],
        ] {
            as_the_script(&folder, &values);
        }
    }
}

/// A bound may be 0, and counts from another end than its type says then.
#[test]
fn a_slice_is_that_of_a_run_or_has_a_code() {
    let folder = Folder::new();
    for (script, has_value) in [
        ("x[-m:]", true),
        ("x[:-m]", true),
        ("len(x[:-m])", true),
        ("x[:-(m//2)]", true),
        ("x[-m:-1]", true),
        ("x[:m-1:2]", true),
        ("x[m-1::-1]", true),
        ("x[m:m-1]", true),
        ("x[-m::-1]", false),
        ("x[:-m:-1]", false),
    ] {
        library(&folder, &format!("input x: f32[n]\ninput y: f32[m]\noutput r = {script}\n"));
        let longest = ["x=[1, 2, 3, 4]", "y=[1, 2]"];
        if has_value {
            as_the_script(&folder, &longest);
        }
        let shorter = [["x=[1, 2, 3]", "y=[]"], ["x=[1, 2, 3]", "y=[1]"], ["x=[1]", "y=[1]"], ["x=[]", "y=[]"]];
        for values in [&shorter[..], &[longest]].concat() {
            let ran = run(&folder, "libk.so", &values);
            let has_code = ran.code == 1 && ran.stderr.contains("`k` gives code 1");
            let wanted = run(&folder, "k.arr", &values);
            assert!(has_code || ran.stdout == told(&wanted), "{script} {values:?}: {}{}", ran.stdout, ran.stderr);
        }
    }
}

#[test]
fn a_length_less_another_is_built() {
    let folder = Folder::new();
    for script in ["zeros(n//2-m)", "x[m-1:m+1]", "x[m:m+3]", "sum(x[m:m+3] * 2)", "concat([x, x])[m:n+m]", "w"] {
        let inputs = "input x: f32[n]\ninput y: f32[m]\nvar w = x * 3\nw[m:m+2] = 7";
        library(&folder, &format!("{inputs}\noutput r = {script}\n"));
        for values in [["x=[1, 2, 3, 4]", "y=[1]"], ["x=[1, 2, 3, 4, 5]", "y=[1, 2]"], ["x=[1, 2, 3]", "y=[1]"]] {
            as_the_script(&folder, &values);
        }
        let ran = run(&folder, "libk.so", &["x=[1]", "y=[1, 2, 3, 4]"]);
        assert!(ran.code == 1 && ran.stderr.contains("`k` gives code 1"), "{script}: {} {}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_length_that_others_decide_is_built() {
    let folder = Folder::new();
    for script in [
        "x[:minimum(n, m)]",
        "x[minimum(n, m):]",
        "x[:maximum(n-2, 0)]",
        "x[maximum(n-2, 0):]",
        "sum(x[maximum(n-3, m):])",
        "zeros(minimum(n, m) * 2)",
        "zeros(abs(n-m))",
        "repeat 2 with s = x[:minimum(n, m)] { s * 2 }",
    ] {
        library(&folder, &format!("input x: f32[n]\ninput y: f32[m]\noutput r = {script}\n"));
        for values in [["x=[1, 2, 3, 4]", "y=[1]"], ["x=[1]", "y=[1, 2, 3]"], ["x=[]", "y=[1]"], ["x=[1, 2]", "y=[]"]] {
            as_the_script(&folder, &values);
        }
    }
    // What is taken for a length must be one.
    library(&folder, "input x: f32[n]\ninput y: f32[m]\noutput r = x[n - 2 + minimum(n, m):]\n");
    as_the_script(&folder, &["x=[1, 2, 3]", "y=[1]"]);
    let ran = run(&folder, "libk.so", &["x=[1]", "y=[]"]);
    assert!(ran.code == 1 && ran.stderr.contains("`k` gives code 1"), "{} {}", ran.stdout, ran.stderr);
}

/// What is counted in what the script says is counted while building.
#[test]
fn a_length_that_the_script_alone_decides_is_built() {
    let folder = Folder::new();
    for script in [
        "let (i, j) = triu_indices(4, 1)\noutput r = x[i, j]",
        "let (i, j) = tril_indices(4)\noutput r = x[i, j] * 2",
        "output r = x[0, [true, false, true, true]]",
        "output r = x[:, unique([2, 0, 2])]",
        "output r = len(flatnonzero(arange(5) % 2 == 0)) + x[0]",
        "output r = x[flatnonzero(tri(2)[1]), 0]",
        "output r = x[0, arange(4) > 8]",
    ] {
        library(&folder, &format!("input x: f32[4, 4]\n{script}\n"));
        as_the_script(&folder, &["x=[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]]"]);
    }
    for script in ["x[triu_indices(n, 1)[0], 0]", "triu_indices(2000, 1)[0]"] {
        folder.write("k.arr", format!("input x: f32[n, n]\noutput r = {script}\n").as_bytes());
        let ran = folder.arr(&["build", "k.arr", "-o", "k.o"]);
        assert!(ran.code == 1 && ran.stderr.contains("is counted when it runs"), "{script}: {}", ran.stderr);
    }
}

/// A coordinate at one place is a number of lengths, not a constant of a kernel.
#[test]
fn a_counter_at_a_place_that_a_length_decides_is_a_number() {
    let folder = Folder::new();
    for script in [
        "delete(x, -1)",
        "delete(x, 0)",
        "delete(x[:, None], -1, axis=0)",
        "arange(n)[-1]",
        "x * arange(n)[n//2]",
        "linspace(0, 1, n)[-1]",
        "(x[:, None] + arange(n))[:, -1]",
        "(x[:, None] + arange(n))[-1, -1]",
        "eye(n)[-1]",
        "tri(n)[-1, -1] + x",
        "(arange(n)[:, None] * x).T[-1]",
        "x + arange(n)[1:][-1]",
        "arange(n)[::-1][-1] - x",
        "f32(arange(n)*2)[-2:][1] * x",
        "where(arange(n) > 1, x, 2)[-1]",
        "take(x, arange(n)[-1])",
    ] {
        library(&folder, &format!("input x: f32[n]\noutput r = {script}\n"));
        for values in ["x=[1, 2]", "x=[1, 2, 3, 4, 5]"] {
            as_the_script(&folder, &[values]);
        }
        let ran = run(&folder, "libk.so", &["x=[]"]);
        assert!(ran.code == 1 && ran.stderr.contains("`k` gives code 1"), "{script}: {} {}", ran.stdout, ran.stderr);
        assert_eq!(run(&folder, "k.arr", &["x=[]"]).code, 1, "{script}");
    }
}

/// An element of which only the dtype is read must be there, and a window must lie in its axis.
#[test]
fn what_is_taken_at_a_fixed_place_is_there_or_has_a_code() {
    let folder = Folder::new();
    for script in [
        "polyval(x, 2.0f32)",
        "polyval(x, y)",
        "zeros(2, (x[0]*2).dtype)",
        "zeros(2, x[-1].dtype)",
        "repeat 0 with s = y { s + x[0] }",
        "sliding_window_view(y, n)",
        "sum(sliding_window_view(y, n), axis=-1)",
        "len(sliding_window_view(y, n))",
        "len(sliding_window_view(x, 1))",
        "zeros_like(sliding_window_view(x, 1)[:, 0])",
    ] {
        library(&folder, &format!("input x: f32[n]\ninput y: f32[m]\noutput r = {script}\n"));
        for values in [["x=[1, 2]", "y=[1, 2, 3]"], ["x=[3]", "y=[4]"]] {
            as_the_script(&folder, &values);
        }
        let ran = run(&folder, "libk.so", &["x=[]", "y=[1, 2]"]);
        assert!(ran.code == 1 && ran.stderr.contains("`k` gives code 1"), "{script}: {} {}", ran.stdout, ran.stderr);
        assert_eq!(run(&folder, "k.arr", &["x=[]", "y=[1, 2]"]).code, 1, "{script}");
    }
    library(&folder, "input x: f32[n]\nlet last = x[-3]\noutput r = len(sliding_window_view(x, 2))\n");
    as_the_script(&folder, &["x=[1, 2, 3]"]);
    for values in ["x=[1]", "x=[1, 2]"] {
        assert_eq!(
            (run(&folder, "libk.so", &[values]).code, run(&folder, "k.arr", &[values]).code),
            (1, 1),
            "{values}"
        );
    }
    let refused = folder.arr(&["build", "k.arr", "-o", "k.o", "--at", "x:f32[2]"]);
    assert!(refused.code == 2 && refused.stderr.contains("would be below 0"), "{}", refused.stderr);
}

/// An assertion or `--at` may say how long an axis is whose type has a name.
#[test]
fn one_element_fills_only_lengths_that_the_type_says() {
    let folder = Folder::new();
    for script in ["assert n == 3\noutput r = x * 2", "output r = cross(x, x)"] {
        library(&folder, &format!("input x: f32[n]\n{script}\n"));
        as_the_script(&folder, &["x=[1, 2, 3]"]);
        for values in ["x=[1]", "x=1", "x=[1, 2]"] {
            let codes = ["libk.so", "k.arr"].map(|file| run(&folder, file, &[values]).code);
            assert_eq!(codes, [1, 1], "{script} {values}");
        }
    }
    library(&folder, "input x: f32[3]\noutput r = x * 2\n");
    for values in ["x=[1, 2, 3]", "x=[1]", "x=1"] {
        as_the_script(&folder, &[values]);
    }
    folder.write("k.arr", b"input x: f32[n, 2]\noutput r = x * 2\n");
    built(&folder, &["k.arr", "-o", "libk.so", "--at", "x:f32[3, 2]"]);
    as_the_script(&folder, &["x=[[1, 2], [3, 4], [5, 6]]"]);
    assert_eq!(run(&folder, "libk.so", &["x=[[1, 2]]"]).code, 1);
}

#[test]
fn a_length_that_nothing_reads_is_not_checked() {
    let folder = Folder::new();
    for script in [
        "let tail = x[3:]\noutput r = sum(x)/(n+1)",
        "let (a, b) = (x[:1], x[2:])\noutput r = sum(a)/(n+2)",
        "fn f(a) = (sum(a), a[3:])\nlet (s, t) = f(x)\noutput r = s/(n+1)",
        "let ramp = arange(n-3)\noutput r = x*(n-3)",
        "let tail = x[:, None][3:]\noutput r = tail.shape[1] + n - 3",
        "output r = 2.0**(n-3) + x**(n-3)",
    ] {
        library(&folder, &format!("input x: f32[n]\n{script}\n"));
        for values in ["x=[1, 2]", "x=[1, 2, 3, 4]"] {
            as_the_script(&folder, &[values]);
        }
    }
}

#[test]
fn a_length_that_is_mostly_below_0_is_told_by_its_line() {
    let folder = Folder::with(&[("k.arr", b"input x: f32[n]\noutput a = sum(x)\noutput b = arange(n, 2)\n")]);
    let ran = folder.arr(&["build", "k.arr", "-o", "k.o"]);
    let said = "E0525 no-object]: the length -n+2 is below 0 or too large for some inputs: give the lengths of inputs \
                as numbers, as in `--at 'x:f32[2]'`\n   ╭─[ k.arr:3:";
    assert!(ran.code == 1 && ran.stderr.contains(said), "{}", ran.stderr);
    built(&folder, &["k.arr", "-o", "libk.so", "--at", "x:f32[2]"]);
    as_the_script(&folder, &["x=[1, 2]"]);
    folder.write("k.arr", b"input x: f32[n]\ninput y: f32[m]\noutput a = x[:-m]\n");
    let ran = folder.arr(&["build", "k.arr", "-o", "k.o", "--at", "y:f32[0]"]);
    let said = "`--at` says 0 for a length of `y` that is m: m-1 would be below 0";
    assert!(ran.code == 2 && ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn what_was_fixed_when_a_library_was_built_is_no_option() {
    let folder = Folder::new();
    library(&folder, "input x: f32[n]\noutput r = x * 2\n");
    for option in [&["--system", "torch"][..], &["--mode", "safe"], &["--width", "64"], &["--checked"]] {
        let ran = run(&folder, "libk.so", &[&["x=[1, 2]"], option].concat());
        let said = format!("`{}` is fixed when a library is built: give it to `arr build`", option[0]);
        assert!(ran.code == 2 && ran.stderr.contains(&said), "{option:?}: {} {}", ran.code, ran.stderr);
    }
    // Findings about the given values are reported by the run of the library.
    as_the_script(&folder, &["x=[0.1]", "--allow", "lossy-literal"]);
}
