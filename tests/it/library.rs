//! `use "lib.arr"`: what other files share, and what a session keeps of functions.

use crate::shell::Folder;
use arrlang::session::{Input, Session};

/// Runs `main.arr` among these files; answers what it prints and reports.
fn run(files: &[(&str, &str)]) -> (String, i32) {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let ran = Folder::with(&files).arr(&["run", "main.arr"]);
    (format!("{}{}", ran.stdout, ran.stderr), ran.code)
}

#[test]
fn functions_and_constants_of_other_files_are_used() {
    let (text, code) = run(&[
        ("main.arr", "use \"lib/color.arr\"\ngamma([0.25f32, 1])\nbits\n"),
        ("lib/color.arr", "use \"base.arr\"\nlet bits = 8\nlet exponent = 0.5\nfn gamma(x) = power_of(x, exponent)\n"),
        ("lib/base.arr", "fn power_of(x, y) = x ** y\n"),
    ]);
    assert!(text.contains("[0.5 1. ] : f32[2]") && text.contains("8 : i*"), "{text}");
    assert_eq!(code, 0);
}

#[test]
fn what_a_used_file_uses_is_its_own_business() {
    let (text, code) = run(&[
        ("main.arr", "use \"a.arr\"\ninmost(1)\n"),
        ("a.arr", "use \"b.arr\"\nfn outmost(x) = inmost(x)\n"),
        ("b.arr", "fn inmost(x) = x\n"),
    ]);
    assert!(text.contains("E0201") && text.contains("there is no function `inmost`"), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn files_that_use_each_other_are_an_error() {
    let (text, code) = run(&[
        ("main.arr", "use \"a.arr\"\n"),
        ("a.arr", "use \"b.arr\"\nfn f(x) = x\n"),
        ("b.arr", "use \"a.arr\"\nfn g(x) = x\n"),
    ]);
    assert!(text.contains("E0215") && text.contains("a.arr → ") && text.contains("b.arr → "), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn a_used_file_holds_functions_and_constants() {
    for statement in ["input x: f32", "1 + 2", "output y = 1", "var v = 1", "assert true", "let t = arange(5)"] {
        let (text, code) = run(&[("main.arr", "use \"a.arr\"\n"), ("a.arr", &format!("fn f(x) = x\n{statement}\n"))]);
        assert!(
            text.contains("E0216") && text.contains("used here") && text.contains("main.arr"),
            "{statement}: {text}"
        );
        assert_eq!(code, 1);
    }
    let (text, _) = run(&[("main.arr", "use \"a.arr\"\n"), ("a.arr", "promotion numpy\nfn f(x) = x\n")]);
    assert!(text.contains("written for `numpy`"), "{text}");
}

#[test]
fn mistakes_in_a_used_file_are_shown_there_with_what_led_to_them() {
    let (text, code) = run(&[
        ("main.arr", "use \"a.arr\"\nf([1f32, 2])\n"),
        ("a.arr", "fn f(x) = x + [1, 2, 3]\nfn g(x: f32) = x + y\n"),
    ]);
    assert!(text.contains("a.arr:1:13") && text.contains("in this call"), "{text}");
    assert!(text.contains("a.arr:2:20") && text.contains("used here"), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn only_files_below_the_folder_are_used() {
    let (text, code) = run(&[("main.arr", "use \"../../etc/passwd\"\n")]);
    assert!(text.contains("E0521"), "{text}");
    assert_eq!(code, 1);
    let (text, code) = run(&[("main.arr", "use \"missing.arr\"\n")]);
    assert!(text.contains("missing.arr"), "{text}");
    assert_eq!(code, 3);
}

#[test]
fn a_session_keeps_functions_and_variables() {
    let mut session = Session::default();
    let mut say = |text: &str| {
        let reply = session.evaluate(&Input::new("<repl>", text));
        let values: Vec<String> = reply
            .values
            .iter()
            .map(|value| format!("{:?} : {}", value.array.to_vec::<f32>(), value.type_text()))
            .collect();
        (values, reply.diagnostics.iter().map(|found| found.code.id).collect::<Vec<_>>())
    };
    assert_eq!(say("let scale = [2f32, 3] * 2\nfn base(x) = x * scale\nfn f(x, k=1) = base(x) + k"), (vec![], vec![]));
    assert_eq!(say("let scale = 0\nfn base(x) = 0 * x"), (vec![], vec![]));
    assert_eq!(say("f(1f32)").0, ["[5.0, 7.0] : f32[2]"]);
    assert_eq!(say("var total = 1f32").1, [""; 0]);
    assert_eq!(say("total += 2\ntotal").0, ["[3.0] : f32"]);
    // A failed input leaves no trace.
    assert_eq!(say("total += 5\nfn f(x) = x\nnothing").1, ["E0201"]);
    assert_eq!(say("total").0, ["[3.0] : f32"]);
    assert_eq!(say("f(1f32)").0, ["[5.0, 7.0] : f32[2]"]);
    assert_eq!(say("fn g(x) = f(x) + total").1, ["E0212"]);
}

#[test]
fn an_expression_that_comes_again_is_not_compiled_again() {
    let mut session = Session::default();
    let mut compiling = |text: &str| {
        let reply = session.evaluate(&Input::new("<repl>", text));
        assert!(reply.outcome.is_done(), "{text}");
        reply.times.compile
    };
    compiling("let a = f32(arange(1000))\nlet b = a * 2f32 - 7f32");
    assert!(!compiling("sum(a * 3.25f32 + b) - 1f32").is_zero());
    assert!(compiling("sum(a * 3.25f32 + b) - 1f32").is_zero());
    // Other data of the same type, and other names.
    compiling("let c = b + a");
    assert!(compiling("sum(c * 3.25f32 + a) - 1f32").is_zero());
}
