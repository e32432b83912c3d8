//! Drawn messages as people see them.

mod trouble;

use super::*;
use crate::diagnostic::codes::{self, Example};
use crate::source::{SourceId, Span};
use insta::assert_snapshot;

static LOSS: codes::Row = codes::Row {
    about: "",
    id: "E0301",
    name: "precision-loss",
    summary: "",
    levels: codes::LOSS,
    page: "",
    failing: Example { script: "", args: &[] },
    corrected: Example { script: "", args: &[] },
};

const STYLE: Style = Style { color: false, width: 80 };

/// The span of the `nth` occurrence of `word` in the last source.
fn find(sources: &Sources, word: &str, nth: usize) -> Span {
    let id = SourceId(sources.len() as u32 - 1);
    let (at, _) = sources.get(id).text.match_indices(word).nth(nth).expect("the word is there");
    Span::new(id, at, at + word.len())
}

fn one(text: &str) -> Sources {
    let mut sources = Sources::new();
    sources.add("t.arr", text);
    sources
}

fn draw(sources: &Sources, diagnostic: &Diagnostic) -> String {
    render_to_string([diagnostic], sources, &STYLE)
}

fn loss(span: Span, label: &str) -> Diagnostic {
    Diagnostic::new(&LOSS, Level::Deny, "lost").label(span, label)
}

fn energy() -> (Sources, Diagnostic) {
    let mut sources = Sources::new();
    sources.add("energy.arr", "input counts: i32[n]\ninput gain: f32[n]\n\nlet energy = counts * gain\n");
    let message = "i32 and f32 meet as f32, which cannot hold every i32";
    let diagnostic = Diagnostic::new(&LOSS, Level::Deny, message)
        .label(find(&sources, "counts", 1), "i32")
        .label(find(&sources, "*", 0), "above 2^24 not every integer exists in f32")
        .label(find(&sources, "gain", 1), "f32")
        .label(find(&sources, "counts", 0), "i32 from here")
        .label(find(&sources, "gain", 0), "f32 from here")
        .help("`f64(counts) * gain` converts both exactly (the result is f64)")
        .help("`f32(counts) * gain` keeps f32 and says that rounding is meant")
        .note("allowed in mode `all`; `arr explain precision-loss`");
    (sources, diagnostic)
}

#[test]
fn labels_help_and_notes_share_a_frame() {
    let (sources, diagnostic) = energy();
    assert_snapshot!(draw(&sources, &diagnostic), @"
    Error[E0301 precision-loss]: i32 and f32 meet as f32, which cannot hold every
      i32
       ╭─[ energy.arr:4:14 ]
     1 │ input counts: i32[n]
       │       ───┬──
       │          ╰──── i32 from here
     2 │ input gain: f32[n]
       │       ──┬─
       │         ╰─── f32 from here
     4 │ let energy = counts * gain
       │              ───┬── ┬ ──┬─
       │                 │   │   ╰─── f32
       │                 │   ╰─────── above 2^24 not every integer exists in f32
       │                 ╰─────────── i32
       │ Help: `f64(counts) * gain` converts both exactly (the result is f64)
       │ Help: `f32(counts) * gain` keeps f32 and says that rounding is meant
       │ Note: allowed in mode `all`; `arr explain precision-loss`
    ───╯
    ");
}

#[test]
fn what_is_wider_than_the_terminal_is_cut_between_words() {
    let sources = one("a + b");
    let diagnostic = Diagnostic::new(&LOSS, Level::Deny, "i32 and f32 meet as f32, which cannot hold every i32")
        .label(find(&sources, "b", 0), "the dtype of an input that was declared elsewhere")
        .label(find(&sources, "a", 0), "i32")
        .help("write `f64(a) + b`, which converts both of them exactly");
    let style = Style { width: 40, ..STYLE };
    assert_snapshot!(render_to_string([&diagnostic], &sources, &style), @"
    Error[E0301 precision-loss]: i32 and f32 meet
      as f32, which cannot hold every i32
       ╭─[ t.arr:1:5 ]
     1 │ a + b
       │ ┬   ┬
       │ │   ╰── the dtype of an input that
       │ │       was declared elsewhere
       │ ╰────── i32
       │ Help: write `f64(a) + b`, which
       │       converts both of them exactly
    ───╯
    ");
}

#[test]
fn warnings_say_so() {
    let sources = one("a + b");
    let diagnostic = Diagnostic::new(&LOSS, Level::Warn, "lost").label(find(&sources, "+", 0), "");
    assert_snapshot!(draw(&sources, &diagnostic), @"
    Warning[E0301 precision-loss]: lost
       ╭─[ t.arr:1:3 ]
     1 │ a + b
       │   ─
    ───╯
    ");
}

#[test]
fn without_a_place_there_is_no_frame() {
    let diagnostic = Diagnostic::unlocated(&LOSS, "cannot read\n`a.npy`").help("one\ntwo").note("three");
    assert_snapshot!(draw(&Sources::new(), &diagnostic), @"
    Error[E0301 precision-loss]: cannot read␊`a.npy`
      Help: one
            two
      Note: three
    ");
}

#[test]
#[expect(clippy::unicode_not_nfc, reason = "the accent is a character of its own")]
fn the_mark_is_under_wide_and_narrow_characters() {
    let sources = one("é漢\t😀 e\u{301} x + y");
    assert_snapshot!(draw(&sources, &loss(find(&sources, "x", 0), "here").label(find(&sources, "漢", 0), "")), @"
    Error[E0301 precision-loss]: lost
       ╭─[ t.arr:1:9 ]
     1 │ é漢 😀 é x + y
       │  ──      ┬
       │          ╰── here
    ───╯
    ");
}

#[test]
fn the_end_of_a_line_can_be_marked() {
    let sources = one("let x = (1 +\n");
    assert_snapshot!(draw(&sources, &loss(Span::new(SourceId::default(), 12, 12), "an operand is missing")), @"
    Error[E0301 precision-loss]: lost
       ╭─[ t.arr:1:13 ]
     1 │ let x = (1 +
       │             ┬
       │             ╰── an operand is missing
    ───╯
    ");
}

#[test]
fn an_empty_source_has_a_line() {
    assert_snapshot!(draw(&one(""), &loss(Span::default(), "nothing here")), @"
    Error[E0301 precision-loss]: lost
       ╭─[ t.arr:1:1 ]
     1 │
       │ ┬
       │ ╰── nothing here
    ───╯
    ");
}

#[test]
fn labels_without_words_have_no_arrows() {
    let sources = one("abc + def + ghi\n");
    let diagnostic =
        loss(find(&sources, "def", 0), "this").label(find(&sources, "abc", 0), "").label(find(&sources, "ghi", 0), "");
    assert_snapshot!(draw(&sources, &diagnostic), @"
    Error[E0301 precision-loss]: lost
       ╭─[ t.arr:1:7 ]
     1 │ abc + def + ghi
       │ ───   ─┬─   ───
       │        ╰───────── this
    ───╯
    ");
}

#[test]
fn several_lines_of_one_label_are_bracketed() {
    let sources = one("let x = [1,\n  2,\n  3,\n  4]\nx + 1\n");
    let whole = find(&sources, "[", 0).to(find(&sources, "]", 0));
    assert_snapshot!(draw(&sources, &loss(whole, "of length 4").label(find(&sources, "x", 1), "used here")), @"
    Error[E0301 precision-loss]: lost
       ╭─[ t.arr:1:9 ]
     1 │ ╭─▶ let x = [1,
       │ ┆
     4 │ ├─▶   4]
       │ ╰────────── of length 4
     5 │     x + 1
       │     ┬
       │     ╰── used here
    ───╯
    ");
}

#[test]
fn nested_brackets_and_marks_in_them() {
    let sources = one("f(g(1,\n  x),\n\n  y\n)\n");
    let outer = find(&sources, "f", 0).to(Span::new(SourceId::default(), 20, 21));
    let inner = find(&sources, "g", 0).to(find(&sources, ")", 0));
    let diagnostic =
        loss(inner, "inner").label(outer, "outer").label(find(&sources, "x", 0), "x").label(find(&sources, "1", 0), "");
    assert_snapshot!(draw(&sources, &diagnostic), @"
    Error[E0301 precision-loss]: lost
       ╭─[ t.arr:1:3 ]
     1 │ ╭───▶ f(g(1,
       │ │       ▲ ─
       │ │ ╭─────╯
     2 │ │ ├─▶   x),
       │ │ │     ┬
       │ │ │     ╰───── x
       │ │ ╰─────────── inner
       │ ┆
     5 │ ├───▶ )
       │ ╰───────── outer
    ───╯
    ");
}

#[test]
fn inputs_of_a_session_follow_each_other() {
    let mut sources = Sources::new();
    sources.add("<repl:1>", "let a = [1, 2]");
    let first = find(&sources, "a", 0);
    sources.add("<repl:2>", "a * 2.5");
    assert_snapshot!(draw(&sources, &loss(find(&sources, "a", 0), "i32[2]").label(first, "defined here").help("h")), @"
    Error[E0301 precision-loss]: lost
       ╭─[ <repl:2>:1:1 ]
     1 │ a * 2.5
       │ ┬
       │ ╰── i32[2]
       ├─[ <repl:1>:1:5 ]
     1 │ let a = [1, 2]
       │     ┬
       │     ╰── defined here
       │ Help: h
    ───╯
    ");
}

#[test]
fn line_numbers_are_those_of_the_source() {
    let text = format!("let x = 1\n{}x + y\n", "\n".repeat(998_997));
    let sources = one(&text);
    let diagnostic = loss(find(&sources, "y", 0), "i8").label(find(&sources, "x", 0), "i32 from here");
    assert_snapshot!(draw(&sources, &diagnostic), @"
    Error[E0301 precision-loss]: lost
            ╭─[ t.arr:998999:5 ]
          1 │ let x = 1
            │     ┬
            │     ╰── i32 from here
     998999 │ x + y
            │     ┬
            │     ╰── i8
    ────────╯
    ");
}

#[test]
fn concise_is_one_line_each() {
    let (sources, diagnostic) = energy();
    let warning = Diagnostic::new(&LOSS, Level::Warn, "no\nplace");
    let mut out = Vec::new();
    concise([&diagnostic, &warning], &sources, &mut out).unwrap();
    assert_snapshot!(String::from_utf8(out).unwrap(), @"
    energy.arr:4:14: error[E0301 precision-loss]: i32 and f32 meet as f32, which cannot hold every i32
    warning[E0301 precision-loss]: no␊place
    ");
}

#[test]
fn summaries_count_in_words() {
    let pairs = [(0, 0), (1, 0), (2, 1), (0, 3)].map(|(errors, warnings)| summary(errors, warnings));
    assert_eq!(pairs, ["no errors", "1 error", "2 errors, 1 warning", "3 warnings"]);
}

#[test]
fn colours_only_add_escape_sequences() {
    let (sources, diagnostic) = energy();
    let coloured = render_to_string([&diagnostic], &sources, &Style { color: true, ..STYLE });
    let mut plain = String::new();
    for (index, part) in coloured.split("\u{1b}[").enumerate() {
        plain.push_str(if index == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert!(coloured.contains("\u{1b}[1;38;5;160mError"));
    assert_eq!(plain, draw(&sources, &diagnostic));
}
