//! The front end from the outside: what parses, what is reported, what it costs.

mod complete;

use super::ast::*;
use super::{MAX_SCRIPT, is_incomplete, parse, print};
use crate::diagnostic::{Diagnostics, codes};
use crate::source::Sources;
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn read(text: &str) -> (Sources, std::sync::Arc<Script>, Diagnostics) {
    let mut sources = Sources::new();
    let id = sources.add("test.arr", text);
    let mut sink = Diagnostics::new();
    let script = parse(&sources, id, &mut sink);
    sink.sort();
    (sources, script, sink)
}

fn messages(text: &str) -> Vec<String> {
    read(text).2.iter().map(|d| d.message.clone()).collect()
}

/// Every mistake as its code and the text it points at.
fn faults(text: &str) -> Vec<(&'static str, String)> {
    let (sources, _, sink) = read(text);
    sink.iter().map(|d| (d.code.name, d.span().map_or("", |span| sources.text(span)).to_owned())).collect()
}

fn tree(text: &str) -> String {
    let (sources, script, sink) = read(text);
    assert!(sink.is_empty(), "{text}: {:?}", messages(text));
    let printed = print::print(&sources, &script);
    let lines = printed.lines().map(|line| line.rsplit_once(" @").map_or(line, |(line, _)| line));
    lines.collect::<Vec<_>>().join("\n")
}

/// The one expression of a script with every operator in brackets.
fn grouped(text: &str) -> String {
    fn walk(sources: &Sources, script: &Script, id: ExprId) -> String {
        let go = |id| walk(sources, script, id);
        let expr = script.expr(id);
        match &expr.kind {
            ExprKind::Infix(op, a, b) => format!("({} {} {})", go(*a), op.notation, go(*b)),
            ExprKind::Prefix(op, a) => format!("({} {})", op.notation, go(*a)),
            ExprKind::Compare(a, rest) => {
                let rest: String = rest.iter().map(|(op, b)| format!(" {} {}", op.notation, go(*b))).collect();
                format!("({}{rest})", go(*a))
            }
            ExprKind::Attribute(a, name) => format!("{}.{}", go(*a), name.text),
            ExprKind::Paren(a) => go(*a),
            _ => sources.text(expr.span).to_owned(),
        }
    }
    let (sources, script, sink) = read(text);
    assert!(sink.is_empty(), "{text}: {:?}", messages(text));
    match script.stmts[0].kind {
        StmtKind::Expr { value, .. } => walk(&sources, &script, value),
        _ => String::new(),
    }
}

#[test]
fn operators_bind_as_the_language_says() {
    assert_eq!(grouped("-x**2"), "(- (x ** 2))");
    assert_eq!(grouped("2**-1**2"), "(2 ** (- (1 ** 2)))");
    assert_eq!(grouped("2**3**4"), "(2 ** (3 ** 4))");
    assert_eq!(grouped("a - b - c*d"), "((a - b) - (c * d))");
    assert_eq!(grouped("a or b and not c == d"), "(a or (b and (not (c == d))))");
    assert_eq!(grouped("0 <= x < 1"), "(0 <= x < 1)");
    assert_eq!(grouped("a | b ^ c & d << 1 + 2"), "(a | (b ^ (c & (d << (1 + 2)))))");
    assert_eq!(grouped("a & b == c"), "((a & b) == c)");
    assert_eq!(grouped("-a.T @ ~b"), "((- a.T) @ (~ b))");
}

#[test]
fn every_statement_of_the_language_parses() {
    let text = include_str!("sample.arr");
    let (_, script, sink) = read(text);
    assert_eq!(sink.iter().map(|d| &d.message).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(script.stmts.len(), 37);
    assert_eq!(script.stmts[2].doc.len(), 1);
    assert!(script.stmts.iter().enumerate().all(|(at, stmt)| at == 2 || stmt.doc.is_empty()));
}

#[test]
fn the_tree_prints_names_operators_and_spellings() {
    let printed = tree("let x: f32[n] = f(1.50, axis=0)[1:, None] + 1 - y");
    insta_like(
        &printed,
        &[
            "let x",
            "  type f32[]",
            "    name n",
            "  chain",
            "    index",
            "      call",
            "        name f",
            "        float 1.50",
            "        axis=",
            "          int 0",
            "      slice",
            "        from",
            "          int 1",
            "      new axis",
            "    +",
            "    int 1",
            "    -",
            "    name y",
        ],
    );
}

fn insta_like(found: &str, expected: &[&str]) {
    assert_eq!(found, expected.join("\n"));
}

#[test]
fn a_line_end_ends_a_statement_only_where_it_can() {
    assert_eq!(read("let a = 1 +\n  2\nlet b = f(\n1,\n2\n)\n").1.stmts.len(), 2);
    assert_eq!(read("let a = 1\n+ 2").1.stmts.len(), 2);
    assert_eq!(read("a; b;; c\r\n\r\nd").1.stmts.len(), 4);
    assert_eq!(read("").1.stmts.len() + read("# x\n\n").1.stmts.len() + read(";;\n").1.stmts.len(), 0);
}

#[test]
fn a_semicolon_silences_an_expression() {
    let silent = |text| matches!(read(text).1.stmts[0].kind, StmtKind::Expr { silent: true, .. });
    assert!(silent("x;") && silent("x; y") && !silent("x") && !silent("x\n;"));
}

#[test]
fn contextual_keywords_are_names_elsewhere() {
    assert!(messages("let input = 1\ninput = 2\nlet with = input\nuse + in\nrepeat(3)\nassert = 4").is_empty());
    assert_eq!(tree("input in: f32 in [0, 1]").lines().next(), Some("input in"));
    assert_eq!(
        tree("promotion tf-numpy safe, width=32,checked"),
        "promotion\n  setting tf-numpy\n  setting safe\n  setting width = 32\n  setting checked"
    );
}

#[test]
fn each_mistake_is_reported_once_in_words() {
    for (text, code, place) in [
        ("let x = 1 +\nlet y = 2", "missing-value", "+"),
        ("let x = f(a, (b\nlet y = 2", "unclosed-bracket", "("),
        ("let x = (1 + 2\nx * 3", "unclosed-bracket", "("),
        ("let y = [1, 2)", "unmatched-bracket", ")"),
        ("let y = 1)", "unmatched-bracket", ")"),
        ("fn f(x) {\n  let y = x\nfn g(x) = 3", "unclosed-bracket", "{"),
        ("let x = a b", "missing-separator", "b"),
        ("let x = f(a b)", "missing-separator", "b"),
        ("let s = a = 1", "assignment-in-expression", "="),
        ("let s = (a = 1)", "assignment-in-expression", "="),
        ("let s = a[x = 1]", "assignment-in-expression", "="),
        ("let = 3", "unexpected-token", "="),
        ("let s = a[= 1]", "missing-value", "="),
        ("let s = f(a = 1, b)", "positional-after-keyword", "b"),
        ("let s = a && b", "c-operator", "&&"),
        ("let s = !b", "c-operator", "!"),
        ("def f(x):\n  return x", "python-keyword", "def"),
        ("let y = 3 if x else 4", "python-keyword", "if"),
        ("for i in x:\n  i", "python-keyword", "for"),
        ("import numpy as np", "python-keyword", "import"),
        ("let f = lambda x: x", "python-keyword", "lambda"),
        ("let x = $$$ 1", "unknown-character", "$$$"),
        ("let x = 2 × 3", "unknown-character", "×"),
        ("let x = a\u{200b} + 1", "hidden-character", "\u{200b}"),
        ("let x = 1 # \u{202e}", "hidden-character", "\u{202e}"),
        ("let x = 1\rlet y = 2", "hidden-character", "\r"),
        ("let x = 1\u{feff}", "hidden-character", "\u{feff}"),
        ("let x = 12abc", "invalid-number", "12abc"),
        ("let x = load(\"abc)\nlet y = 1", "unterminated-string", "\""),
        ("let x = load('a\")\nlet y = 1", "unterminated-string", "'"),
        ("fn f(x)\nlet y = 1", "missing-body", ""),
        ("f(x) = 3", "invalid-target", "f(x)"),
        ("(a, b) = f()", "invalid-target", "(a, b)"),
        ("let m = {a: 1, b: {2}}\nlet y = 1", "unexpected-token", "{"),
        ("let w = repeat 3 { 1 }", "unexpected-token", "{"),
        ("fn 3(x) {\n  x\n}", "unexpected-token", "3"),
        ("input x = 3", "unexpected-token", "="),
        ("x: f32 = 3", "unexpected-token", ":"),
        ("output 3", "unexpected-token", "3"),
        ("output a*b + c", "unexpected-token", "*"),
        ("output f(x)", "unexpected-token", "("),
        ("output a, b", "unexpected-token", ","),
        ("let a = 1..2", "unexpected-token", ".."),
        ("input x: f32 in [0 1]", "missing-separator", "1"),
        ("x = 2\n  ^ 4", "unexpected-token", "^"),
        ("repeat 3 with p = 1 {\n  let a = )\n  p\n}", "unmatched-bracket", ")"),
        ("fn f(x) {\n  let y = x\n}", "block-without-value", "}"),
        ("fn f(x) {\n  output y = x\n  y\n}", "block-statement", "output y = x"),
    ] {
        assert_eq!(faults(text), [(code, place.to_owned())], "{text}: {:?}", messages(text));
    }
}

#[test]
fn statements_after_a_mistake_are_kept() {
    let (_, script, _) = read("if x > 0 {\n  y\n} else {\n  z\n}\nlet a = {b: 1}\nlet c = 3");
    assert_eq!(script.stmts.len(), 3);
    let (_, script, sink) = read("let a = (1 +\nlet b = ]\nlet 3 = 4\nlet c = f(a b)\nlet d = 1 +");
    assert_eq!(sink.len(), 5);
    let names: Vec<bool> = script.stmts.iter().map(|stmt| matches!(stmt.kind, StmtKind::Let { .. })).collect();
    assert_eq!(names, [true, true, false, true, true]);
}

#[test]
fn messages_use_the_words_of_the_user() {
    assert_eq!(messages("let x = 1 +"), ["expected a value after `+`, found the end of the text"]);
    assert_eq!(messages("let x = f(a b)"), ["expected `,` or `)` between `a` and `b`"]);
    let found = "expected `=` or the end of the statement after `output a`, found `*`";
    assert_eq!(messages("output a*b"), [found]);
    assert_eq!(messages("let let = 1"), ["expected a name after `let`, found `let`"]);
    assert_eq!(messages("let a = 1,\nlet b = 2"), ["expected an operator or the end of the statement, found `,`"]);
}

#[test]
fn a_leading_byte_order_mark_is_skipped_and_spans_stay_right() {
    let (sources, script, sink) = read("\u{feff}let x = 1");
    assert!(sink.is_empty());
    assert_eq!(sources.text(script.stmts[0].span), "let x = 1");
}

#[test]
fn names_are_normalised() {
    assert_eq!(tree("let e\u{301} = 1").lines().next(), Some("let \u{e9}"));
}

#[test]
fn limits_are_errors_past_them_only() {
    assert!(faults(&" ".repeat(MAX_SCRIPT)).is_empty());
    assert_eq!(faults(&" ".repeat(MAX_SCRIPT + 1)), [("text-limit", String::new())]);
    let nested = |n: usize| format!("let x = {}1{}", "(".repeat(n), ")".repeat(n));
    assert!(faults(&nested(256)).is_empty() && faults(&"-".repeat(256)).len() == 1);
    assert_eq!(faults(&nested(257)).len(), 1);
    assert_eq!(faults(&nested(257))[0].0, "nesting-limit");
    assert!(faults(&format!("let {} = 1", "a".repeat(1024))).is_empty());
    assert_eq!(faults(&format!("x + {}", "a".repeat(1025)))[0].0, "text-limit");
    assert_eq!(faults(&format!("x + {}", "7".repeat(10_001)))[0].0, "text-limit");
}

#[expect(clippy::print_stderr, reason = "timings are read with --nocapture")]
fn quick(text: &str, limit: Duration) -> (std::sync::Arc<Script>, Vec<&'static str>) {
    let start = Instant::now();
    let (_, script, sink) = read(text);
    let taken = start.elapsed();
    eprintln!("{:>9} bytes {taken:?}", text.len());
    // Generous: machines differ, and what is guarded against is far slower.
    assert!(taken < limit * if cfg!(debug_assertions) { 60 } else { 20 }, "{taken:?}");
    (script, sink.iter().map(|d| d.code.name).collect())
}

#[test]
fn deep_nesting_is_one_limit_error_at_once() {
    let n = 100_000;
    for text in [
        "(".repeat(n),
        format!("let x = {}1{}", "(".repeat(n), ")".repeat(n)),
        format!("let x = {}1", "f(".repeat(n)),
        format!("let x = {}1{}", "[".repeat(n), "]".repeat(n)),
        format!("x{}", "[0".repeat(n)),
        "-".repeat(n) + "1",
        "not ".repeat(n) + "x",
        "2**".repeat(n) + "1",
        "2**-".repeat(n) + "1",
        format!("x{}", ".T".repeat(n)),
        format!("x{}", "(1)".repeat(n)),
        "1+(".repeat(n),
    ] {
        let (script, faults) = quick(&format!("{text}\nlet y = 1"), Duration::from_millis(50));
        assert_eq!(faults, ["nesting-limit"], "{}", &text[..12]);
        assert_eq!(script.stmts.len(), 2);
    }
}

#[test]
fn long_texts_parse_quickly() {
    let (script, faults) = quick(&format!("let x = 1{}", "+1".repeat(3_000_000)), Duration::from_millis(1500));
    assert_eq!((script.stmts.len(), faults.len()), (1, 0));
    drop(script);
    let lets: String = (0..1_000_000).map(|i| format!("let x{} = 1\n", i % 1000)).collect();
    let (script, faults) = quick(&lets, Duration::from_millis(1200));
    assert_eq!((script.stmts.len(), faults.len()), (1_000_000, 0));
}

#[test]
fn a_hundred_thousand_errors_are_found_quickly() {
    let limit = Duration::from_secs(1);
    assert_eq!(quick(&"let 3 = 4\n".repeat(100_000), limit).1.len(), 100_000);
    assert_eq!(quick(&"x = 1 +;".repeat(100_000), limit).1.len(), 100_000);
    assert_eq!(quick(&format!("[{}0]", "(a b),".repeat(100_000)), limit).1.len(), 100_000);
    quick(&format!("let x = 1 2 {}", "3 ".repeat(1_000_000)), limit);
    quick(&"$ a ".repeat(100_000), limit);
    quick(&")".repeat(100_000), limit);
    quick(&"(]".repeat(100_000), limit);
    quick(&"{".repeat(100_000), limit);
    quick(&"(\n".repeat(300_000), limit);
    quick(&format!("{}{}", "(".repeat(300_000), "]".repeat(300_000)), limit);
    quick(&format!("{}{}", "{(".repeat(100_000), "}".repeat(100_000)), limit);
    quick(&"fn f(x) {\n".repeat(100_000), limit);
    quick(&"let x = (1 +\n".repeat(100_000), limit);
    quick(&"x = \"a\n".repeat(100_000), limit);
    quick(&"## x\n".repeat(300_000), limit);
    quick(&"if x { y }\n".repeat(100_000), limit);
    quick(&"repeat 1 { y }\n".repeat(100_000), limit);
    quick(&"if x { ".repeat(100_000), limit);
    quick(&format!("let x = {}", "a if b ".repeat(100_000)), limit);
    quick(&format!("f({})", "a=1, 2, ".repeat(100_000)), limit);
}

#[test]
fn the_repl_knows_when_to_read_on() {
    for text in ["fn f(x) {", "f(1,", "let x =", "x +", "[1,\n2,", "x and"] {
        assert!(is_incomplete(text), "{text}");
    }
    for text in ["x", "f(1]", "}", "", "load(\"a", "x # ("] {
        assert_eq!(is_incomplete(text), text.starts_with("load"), "{text}");
    }
}

#[test]
fn every_page_has_a_program_that_raises_it_and_one_that_does_not() {
    // The levels of a finding are for the checker to know: it reports `mixed-script`.
    for row in codes::syntax::ROWS.iter().filter(|row| !["invalid-utf8", "mixed-script"].contains(&row.name)) {
        let found: Vec<&str> = faults(row.failing.script).into_iter().map(|(name, _)| name).collect();
        assert!(found.contains(&row.name), "{}: {found:?}", row.name);
        assert!(faults(row.corrected.script).is_empty(), "{}: {:?}", row.name, messages(row.corrected.script));
    }
}

/// Whatever the text, spans lie within it and on characters, and children come before parents.
fn check_spans(text: &str) {
    complete::check(text);
    let (sources, script, sink) = read(text);
    let fits = |span: crate::source::Span| assert!(text.get(span.range()).is_some(), "{span:?} in {text:?}");
    script.exprs.iter().for_each(|expr| fits(expr.span));
    for (at, expr) in (0..).zip(&script.exprs) {
        expr.kind.each_child(&mut |child| assert!(child.0 < at, "a child follows its parent in {text:?}"));
    }
    script.comments.iter().for_each(|comment| fits(comment.span));
    sink.iter().flat_map(|d| &d.labels).for_each(|label| fits(label.span));
    let mut end = 0;
    for stmt in &script.stmts {
        fits(stmt.span);
        assert!(stmt.span.start >= end, "statements overlap in {text:?}");
        end = stmt.span.end;
    }
    assert!(script.exprs.iter().all(|expr| expr.depth <= MAX_DEPTH));
    if script.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Error)) {
        assert!(sink.has_errors(), "a silent error in {text:?}");
    }
    print::print(&sources, &script);
    super::tokens(text);
    is_incomplete(text);
}

const PIECES: [&str; 64] = [
    "let ",
    "fn ",
    "var ",
    "true",
    "None",
    " and ",
    " or ",
    "not ",
    "input ",
    "output ",
    "promotion ",
    "repeat ",
    "assert ",
    "use ",
    " in ",
    " with ",
    "x",
    "y ",
    "f32",
    "f(",
    "1",
    "1.5",
    "0x",
    "08",
    "2j",
    "\"s\"",
    "\"",
    "'",
    "+",
    "-",
    "**",
    "//",
    "@",
    "~",
    "==",
    "<",
    "=",
    "+=",
    "&&",
    "!",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ";",
    ".",
    "..",
    "...",
    "->",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "# c\n",
    "## d\n",
    "$",
    "é",
    "\u{202e}",
    "\u{feff}",
    "if ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn token_soup_always_gives_a_tree(soup in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        check_spans(&soup.concat());
    }

    #[test]
    fn random_text_always_gives_a_tree(text in any::<Vec<u8>>()) {
        check_spans(&String::from_utf8_lossy(&text));
    }

    #[test]
    fn a_broken_sample_always_gives_a_tree(at in 0usize..1500, len in 0usize..60, piece in prop::sample::select(&PIECES[..])) {
        let sample = include_str!("sample.arr");
        let (at, end) = (sample.floor_char_boundary(at), sample.floor_char_boundary(at + len));
        check_spans(&format!("{}{piece}{}", &sample[..at], &sample[end..]));
    }
}
