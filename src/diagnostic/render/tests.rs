//! What people see.

use super::*;
use crate::diagnostic::codes::{self, Example};
use crate::diagnostic::{Edit, Fix, Label};
use crate::source::Span;
use insta::assert_snapshot;
use proptest::prelude::*;

static LOSS: codes::Row = codes::Row {
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
    let id = crate::source::SourceId(sources.len() as u32 - 1);
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
    assert_snapshot!(draw(&sources, &diagnostic), @"");
}

#[test]
fn warnings_say_so() {
    let sources = one("a + b");
    let diagnostic = Diagnostic::new(&LOSS, Level::Warn, "lost").label(find(&sources, "+", 0), "");
    assert_snapshot!(draw(&sources, &diagnostic), @"");
}

#[test]
fn without_a_place_there_is_no_frame() {
    let diagnostic = Diagnostic::unlocated(&LOSS, "cannot read\n`a.npy`").help("one\ntwo").note("three");
    assert_snapshot!(draw(&Sources::new(), &diagnostic), @"");
}

#[test]
fn the_mark_is_under_wide_and_narrow_characters() {
    let sources = one("é漢\t😀 e\u{301} x + y");
    assert_snapshot!(draw(&sources, &loss(find(&sources, "x", 0), "here").label(find(&sources, "漢", 0), "")), @"");
}

#[test]
fn the_end_of_a_line_can_be_marked() {
    let sources = one("let x = (1 +\n");
    assert_snapshot!(draw(&sources, &loss(Span::new(Default::default(), 12, 12), "an operand is missing")), @"");
}

#[test]
fn an_empty_source_has_a_line() {
    assert_snapshot!(draw(&one(""), &loss(Span::default(), "nothing here")), @"");
}

#[test]
fn labels_without_words_have_no_arrows() {
    let sources = one("abc + def + ghi\n");
    let diagnostic = loss(find(&sources, "def", 0), "this")
        .label(find(&sources, "abc", 0), "")
        .label(find(&sources, "ghi", 0), "");
    assert_snapshot!(draw(&sources, &diagnostic), @"");
}

#[test]
fn several_lines_of_one_label_are_bracketed() {
    let sources = one("let x = [1,\n  2,\n  3,\n  4]\nx + 1\n");
    let whole = find(&sources, "[", 0).to(find(&sources, "]", 0));
    assert_snapshot!(draw(&sources, &loss(whole, "of length 4").label(find(&sources, "x", 1), "used here")), @"");
}

#[test]
fn inputs_of_a_session_follow_each_other() {
    let mut sources = Sources::new();
    sources.add("<repl:1>", "let a = [1, 2]");
    let first = find(&sources, "a", 0);
    sources.add("<repl:2>", "a * 2.5");
    assert_snapshot!(draw(&sources, &loss(find(&sources, "a", 0), "i32[2]").label(first, "defined here").help("h")), @"");
}

#[test]
fn line_numbers_are_those_of_the_source() {
    let text = format!("let x = 1\n{}x + y\n", "\n".repeat(998_997));
    let sources = one(&text);
    let diagnostic = loss(find(&sources, "y", 0), "i8").label(find(&sources, "x", 0), "i32 from here");
    assert_snapshot!(draw(&sources, &diagnostic), @"");
}

#[test]
fn long_lines_are_cut_around_the_label() {
    let sources = one(&format!("let x = {}bad{}", "1 + ".repeat(100), " + 2".repeat(100)));
    assert_snapshot!(draw(&sources, &loss(find(&sources, "bad", 0), "i8").label(find(&sources, "x", 0), "far")), @"");
}

#[test]
fn control_characters_are_shown() {
    let mut sources = Sources::new();
    sources.add("a\u{1b}[31m\n.arr", "let s = \"\u{1b}]52;c;x\u{7}\u{202e}\u{85}\r\" + x\r\n");
    let diagnostic = loss(find(&sources, "x", 1), "\u{1b}[2J").help("a\u{9b}b").note("\u{200b}");
    assert_snapshot!(draw(&sources, &diagnostic), @"");
}

#[test]
fn only_some_labels_are_drawn() {
    let sources = one(&"x ".repeat(1000));
    let id = Default::default();
    let mut diagnostic = loss(Span::new(id, 0, 1), "zero");
    diagnostic.labels.extend((1..1000).map(|at| Label { span: Span::new(id, 2 * at, 2 * at + 1), message: at.to_string() }));
    assert_snapshot!(draw(&sources, &diagnostic), @"");
}

#[test]
fn the_rest_is_counted() {
    let sources = one("x");
    let mut all = vec![loss(Span::default(), ""); 102];
    all.push(Diagnostic::new(&LOSS, Level::Warn, "w"));
    let text = render_to_string(&all, &sources, &STYLE);
    assert_eq!(text.matches("Error[").count(), 100);
    assert!(text.ends_with("───╯\n\n… and 3 more: 2 errors, 1 warning\n"));
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

#[test]
fn big_sources_are_drawn_quickly() {
    let mut text = String::from("input x: i32\n");
    text.push_str(&"let y = 1 + x\n".repeat(1_000_000));
    let sources = one(&text);
    let use_of = |line: usize| Span::new(Default::default(), 13 + 14 * line + 12, 13 + 14 * line + 13);
    let all: Vec<Diagnostic> =
        (0..100).map(|index| loss(use_of(index * 10_000), "f32").label(Span::new(Default::default(), 6, 7), "i32")).collect();
    let start = std::time::Instant::now();
    let text = render_to_string(&all, &sources, &STYLE);
    eprintln!("100 diagnostics in 14 MB: {:?}", start.elapsed());
    assert_eq!(text.matches("990002 │ let y = 1 + x").count(), 1);
    assert!(start.elapsed().as_millis() < 1000);

    let sources = one(&format!("{}bad", "漢 + ".repeat(10 << 20 >> 3)));
    let last = find(&sources, "bad", 0);
    let start = std::time::Instant::now();
    let text = draw(&sources, &loss(last, "here"));
    eprintln!("one diagnostic in a line of 10 MB: {:?}", start.elapsed());
    assert!(text.len() < 2000 && text.contains("t.arr:1:5242881"));
    let all = vec![loss(last, "here"); 10_000];
    let start = std::time::Instant::now();
    let count = crate::diagnostic::machine::json(&all, &sources)["diagnostics"].as_array().map(Vec::len);
    eprintln!("10 000 diagnostics in that line as JSON: {:?}", start.elapsed());
    assert_eq!(count, Some(10_000));
}

/// Text with everything that makes trouble.
fn trouble() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "\u{1b}[31m", "\u{9b}", "\r", "\r\n", "\n", "\n\n", "\t", "\0", "\u{7f}", "\u{85}", "\u{2028}", "\u{202e}", "\u{feff}",
        "\u{200d}", "\u{ffff}", "漢", "é", "e\u{301}", "\u{301}", "👨\u{200d}👩", "א", "│", "╭─", "\u{3000}", "x + y",
    ]);
    let piece = prop_oneof![4 => odd.prop_map(str::to_string), 2 => any::<char>().prop_map(String::from), 1 => "[ -~]{0,80}"];
    prop::collection::vec(piece, 0..25).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_the_drawing_is_whole_and_clean(
        texts in prop::collection::vec((trouble(), trouble()), 1..3),
        labels in prop::collection::vec((0u32..3, 0u32..150, 0u32..150, trouble()), 0..12),
        message in trouble(),
        width in 0usize..300,
    ) {
        let mut sources = Sources::new();
        for (name, text) in &texts {
            sources.add(name.as_str(), text.as_str());
        }
        let mut diagnostic = Diagnostic::new(&LOSS, Level::Warn, message.as_str()).help(format!("h{message}")).note("the note");
        for (source, start, end, message) in labels {
            diagnostic.labels.push(Label { span: Span { source: crate::source::SourceId(source), start, end }, message });
        }
        let edits = diagnostic.labels.iter().map(|label| Edit { span: label.span, text: message.clone() }).collect();
        diagnostic = diagnostic.fix("the fix", Fix { edits, keeps_values: true });
        let text = render_to_string([&diagnostic], &sources, &Style { color: false, width });
        prop_assert!(text.chars().all(|c| c == '\n' || visible::glyph(c).is_none()), "{text:?}");
        prop_assert!(text.contains("Help: the fix\n") && text.contains("Note: the note\n"));
        let drawn: Vec<Place> = {
            let mut places = Places::new(&sources);
            diagnostic.labels.iter().take(MOST_LABELS).filter_map(|label| places.of(label.span)).collect()
        };
        if let Some(first) = drawn.first() {
            prop_assert!(text.contains(&format!("╭─[ {} ]\n", position(first))), "{text}");
            // Every line shown has the number and the beginning of a line of the source.
            prop_assert!(text.ends_with("╯\n"));
        }
        let coloured = render_to_string([&diagnostic], &sources, &Style { color: true, width });
        prop_assert!(coloured.len() >= text.len());
        let value = crate::diagnostic::machine::json([&diagnostic], &sources);
        prop_assert_eq!(value["diagnostics"][0]["help"].as_array().map(Vec::len), Some(2));
    }
}
