//! Slices whose lengths a step of a loop decides, in what `arr build` makes: `a[:t]` and `a[t:]`.

use crate::build::built;
use crate::shell::{Folder, Ran};

fn run(folder: &Folder, file: &str, values: &[&str]) -> Ran {
    folder.arr(&[&["run", file], values].concat())
}

/// A library of a script, which gives what the script gives, and fails where it fails.
fn as_the_script(script: &str, values: &[&str]) {
    let folder = Folder::new();
    folder.write("k.arr", script.as_bytes());
    built(&folder, &["k.arr", "-o", "libk.so"]);
    for value in values {
        let (wanted, ran) = (run(&folder, "k.arr", &[value]), run(&folder, "libk.so", &[value]));
        assert_eq!(ran.code, wanted.code, "{script} {value}: {}{}", ran.stderr, wanted.stderr);
        assert_eq!(ran.stdout, wanted.stdout, "{script} {value}");
    }
}

/// Vectors of some lengths: none, few, and more than a block of a fold.
const VECTORS: [&str; 6] = [
    "a=[]",
    "a=[-0.0]",
    "a=[3, -1]",
    "a=[inf, 2, nan, 0.1, -inf]",
    "a=cos(arange(40)*3)*7",
    "a=sin(arange(1100)*17)*exp(cos(arange(1100))*9)",
];

#[test]
fn folds_over_the_first_or_last_elements_have_the_bits_of_a_run() {
    for fold in [
        "sum(a[:i])",
        "sum(a[i:])",
        "sum(a[:i+1] * a[i])",
        "sum(a[i::2])",
        "sum(a[:-1-i])",
        "1.0/sum(a[:i])",
        "prod(1 + a[:i]/8)",
        "max(a[:i+1])",
        "min(a[i:])",
        "f64(argmax(a[i:]))",
        "f64(argmin(a[:i+1]))",
        "f64(any(a[:i] > 2)) + 2*f64(all(a[:i] > -1))",
        "mean(a[i:])",
        "f64(len(a[i:]))",
        "a[:i] @ a[:i]",
        "sum(cumsum(a[:i]))",
        "sum(where(a[i:] > 0, a[i:], arange(len(a[i:]))))",
        "f64(sum(i8(a[i:] > 0)))",
        "sum(f32(a[:i]))",
        "sum(f16(a[i:] > 0))",
        "f64(count_nonzero(a[:i] > 0))",
    ] {
        let script = format!("input a: f64[n]\noutput s = repeat n as i with s = 0.5 {{ s/2 + {fold} }}\n");
        as_the_script(&script, &VECTORS);
    }
}

#[test]
fn stores_to_the_first_or_last_elements_leave_the_others() {
    for body in [
        "y[:i] = 0",
        "y[i:] += a[i:]",
        "y[:i] += y[i]*a[:i]",
        "y[i:] *= sum(y[:i])",
        "y[i] -= a[:i] @ y[:i]",
        "y[i:] = a[:n-i]",
        "y[i+1:] = y[i+1:] - y[i]/2",
        // One value for all of them.
        "y[i:] = 1.5",
        "y[i:] = y[i]*2",
        "y[i+1:] = a[i]",
        "y[i::2] = sum(y[:i])",
    ] {
        let script = format!(
            "input a: f64[n]\nlet s = repeat n as i with s = a {{\n  var y = s\n  {body}\n  y\n}}\noutput r = s\noutput t = sum(s)\n"
        );
        as_the_script(&script, &VECTORS);
    }
}

/// As in books: decompositions and substitutions.
#[test]
fn steps_over_the_rest_of_a_matrix_are_built() {
    let matrices =
        ["a=zeros((0, 0))", "a=[[4.0]]", "a=[[4.0, 2], [2, 3]]", "a=eye(40)*90 + reshape(cos(arange(1600)), (40, 40))"];
    for body in [
        // Doolittle.
        "y[i, i:] -= y[i, :i] @ y[:i, i:]\n  y[i+1:, i] = (y[i+1:, i] - y[i+1:, :i] @ y[:i, i]) / y[i, i]",
        // One column after the other, and the rest of the matrix.
        "y[i+1:, i] /= y[i, i]\n  y[i+1:, i+1:] -= y[i+1:, i, None] * y[i, None, i+1:]",
        // Forward substitution of each column.
        "y[i] = (y[i] - y[i, :i] @ y[:i]) / y[i, i]",
        "y[:i, i] = sum(y[:i, i:], axis=1)",
        "y[i:] = y[i]",
        "y[i:, i] = max(abs(y[i:, i:]), axis=1)",
        // One value along two axes.
        "y[i:, i+1:] = 0.5",
        "y[i+1:, i:] = y[i, i]/2",
    ] {
        let script = format!(
            "input a: f64[n, n]\nlet s = repeat n as i with s = a {{\n  var y = s\n  {body}\n  y\n}}\noutput r = s\noutput t = sum(s)\n"
        );
        as_the_script(&script, &matrices);
    }
}

#[test]
fn a_loop_in_a_loop_and_a_condition_have_such_slices_too() {
    let inner = "let t = repeat i as j with t = s { t/2 + sum(a[:j]) }";
    for steps in [
        &format!("repeat n as i with s = 0.0 {{\n  {inner}\n  t + sum(a[i:])\n}}"),
        "repeat n as i while sum(a[:i]) < 3 with s = 0.0 { s + 1 }",
        "repeat n as i while max(a[:i+1]) < 3 with s = 0.0 { s + sum(a[i:]) }",
    ] {
        // As many steps in each step would take long.
        as_the_script(&format!("input a: f64[n]\noutput s = {steps}\n"), &VECTORS[..5]);
    }
}

/// The smallest or largest of nothing is told before a loop begins, even if it takes no step.
#[test]
fn a_fold_of_nothing_in_a_loop_without_steps_is_told() {
    for steps in [
        "repeat c with s = 0.0 { s + max(x + s) }",
        "repeat c with s = 0.0 { s + min(x[3:] * s) }",
        "repeat c with s = 0.0 { s + f64(argmax(x - s)) }",
        "repeat c while max(x + s) > s with s = 0.0 { s + 1 }",
        "repeat c as i with s = 0.0 {\n  let q = repeat i with t = s { t + max(x + t) }\n  s + q\n}",
        "repeat c with s = 0.0 { s + max(x + s, initial=0.5) }",
        "repeat c as i with s = 0.0 { s + max(x[:i+1]) }",
    ] {
        let folder = Folder::new();
        folder.write("k.arr", format!("input x: f64[n]\ninput c: i64\nlet s = {steps}\noutput r = s\n").as_bytes());
        built(&folder, &["k.arr", "-o", "libk.so"]);
        for (x, count) in [("x=[]", "c=0"), ("x=[]", "c=1"), ("x=[1, 2, 3]", "c=0"), ("x=[1, 5, 2, 4]", "c=2")] {
            let by = |file: &str| folder.arr(&["run", file, x, count]);
            let (wanted, ran) = (by("k.arr"), by("libk.so"));
            assert_eq!(ran.code, wanted.code, "{steps} {x} {count}: {}{}", ran.stderr, wanted.stderr);
            assert_eq!(ran.stdout, wanted.stdout, "{steps} {x} {count}");
        }
    }
}

/// Slices whose elements take another order, or whose length data decides, are refused.
#[test]
fn other_slices_of_a_step_are_told() {
    let folder = Folder::new();
    for (step, said) in [
        ("s + sum(sort(a[:i]))", "`sort(where(arange(n) < t, x, inf))`"),
        ("s + sum(concat([a[i:], a[:i]]))", "each step of a loop decides a length"),
        ("s + sum(a[a > s])", "each step of a loop decides a length"),
    ] {
        let script = format!("input a: f64[n]\noutput s = repeat n as i with s = 0.0 {{ {step} }}\n");
        folder.write("k.arr", script.as_bytes());
        let ran = folder.arr(&["build", "k.arr", "-o", "k.o"]);
        assert!(ran.code == 1 && ran.stderr.contains(said), "{step}: {}", ran.stderr);
    }
}
