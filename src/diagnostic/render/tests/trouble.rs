//! Troublesome texts, names or spans, very large ones among them.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::diagnostic::{Edit, Fix, Label, visible};

#[test]
fn long_lines_are_cut_around_the_label() {
    let sources = one(&format!("let x = {}bad{}", "1 + ".repeat(100), " + 2".repeat(100)));
    assert_snapshot!(draw(&sources, &loss(find(&sources, "bad", 0), "i8").label(find(&sources, "x", 0), "far")), @"
    Error[E0301 precision-loss]: lost
       ╭─[ t.arr:1:409 ]
     1 │ … + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + bad + 2 + 2 + 2 + 2 + 2 + 2 + 2 + 2 + …
       │                                     ─┬─
       │                                      ╰─── i8
       │ At: t.arr:1:5: far
    ───╯
    ");
}

#[test]
fn labels_at_the_end_of_a_line_have_room() {
    for length in [15, 16, 17, 30, 100] {
        let sources = one(&format!("let x = {}bad", "1 + ".repeat(length)));
        for words in ["i8", "declared elsewhere", "a label of so many words that it goes on below itself"] {
            let text = draw(&sources, &loss(find(&sources, "bad", 0), words));
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            assert!(text.contains("bad\n"), "{text}");
        }
    }
}

#[test]
fn control_characters_are_shown() {
    let mut sources = Sources::new();
    sources.add("a\u{1b}[31m\n.arr", "let s = \"\u{1b}]52;c;x\u{7}\u{202e}\u{85}\r\" + x\r\n");
    let diagnostic = loss(find(&sources, "x", 1), "\u{1b}[2J").help("a\u{9b}b").note("\u{200b}");
    assert_snapshot!(draw(&sources, &diagnostic), @r#"
    Error[E0301 precision-loss]: lost
       ╭─[ a␛[31m␊.arr:1:26 ]
     1 │ let s = "␛]52;c;x␇��␍" + x
       │                          ┬
       │                          ╰── ␛[2J
       │ Help: a�b
       │ Note: �
    ───╯
    "#);
}

#[test]
fn only_some_labels_are_drawn() {
    let sources = one(&"x ".repeat(1000));
    let id = SourceId::default();
    let mut diagnostic = loss(Span::new(id, 0, 1), "zero");
    diagnostic
        .labels
        .extend((1..1000).map(|at| Label { span: Span::new(id, 2 * at, 2 * at + 1), message: at.to_string() }));
    assert_snapshot!(draw(&sources, &diagnostic), @"
    Error[E0301 precision-loss]: lost
       ╭─[ t.arr:1:1 ]
     1 │ x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x…
       │ ┬ ┬ ┬ ┬ ┬ ┬ ┬ ┬
       │ │ │ │ │ │ │ │ ╰── 7
       │ │ │ │ │ │ │ ╰──── 6
       │ │ │ │ │ │ ╰────── 5
       │ │ │ │ │ ╰──────── 4
       │ │ │ │ ╰────────── 3
       │ │ │ ╰──────────── 2
       │ │ ╰────────────── 1
       │ ╰──────────────── zero
       │ Note: and 992 more places
    ───╯
    ");
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

/// The bounds are many times what is measured, for slow and busy machines.
fn within(limit: u64, start: Instant) {
    assert!(start.elapsed() < 10 * Duration::from_millis(limit), "took {:?}", start.elapsed());
}

#[test]
fn a_million_lines_are_drawn_quickly() {
    let mut text = String::from("input x: i32\n");
    text.push_str(&"let y = 1 + x\n".repeat(1_000_000));
    let sources = one(&text);
    let declared = find(&sources, "x", 0);
    let used = |line: usize| Span::new(SourceId::default(), 13 + 14 * line + 12, 13 + 14 * line + 13);
    let all: Vec<Diagnostic> = (0..100).map(|index| loss(used(index * 10_000), "f32").label(declared, "i32")).collect();
    let start = Instant::now();
    let text = render_to_string(&all, &sources, &STYLE);
    within(100, start);
    assert_eq!(text.matches("990002 │ let y = 1 + x").count(), 1);
}

#[test]
fn a_line_of_ten_megabytes_is_drawn_quickly() {
    let sources = one(&format!("{}bad", "漢 + 12 ".repeat(1 << 20)));
    let last = find(&sources, "bad", 0);
    let start = Instant::now();
    let text = draw(&sources, &loss(last, "here"));
    within(50, start);
    assert!(text.len() < 2000 && text.contains("t.arr:1:7340033 ]"), "{text}");

    let all = vec![loss(last, "here"); 10_000];
    let start = Instant::now();
    let value = machine::json(&all, &sources);
    within(1000, start);
    assert_eq!(value["diagnostics"][9_999]["column"], 7_340_033);
}

/// Text with everything that makes trouble.
fn trouble() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "\u{1b}[31m",
        "\u{9b}",
        "\r",
        "\r\n",
        "\n",
        "\n\n",
        "\t",
        "\0",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "\u{202e}",
        "\u{feff}",
        "\u{200d}",
        "\u{ffff}",
        "漢",
        "é",
        "e\u{301}",
        "\u{301}",
        "👨\u{200d}👩",
        "א",
        "│",
        "╭─",
        "\u{3000}",
        "x + y",
    ]);
    let piece =
        prop_oneof![4 => odd.prop_map(str::to_string), 2 => any::<char>().prop_map(String::from), 1 => "[ -~]{0,80}"];
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
            diagnostic.labels.push(Label { span: Span { source: SourceId(source), start, end }, message });
        }
        let edits = diagnostic.labels.iter().map(|label| Edit { span: label.span, text: message.clone() }).collect();
        diagnostic = diagnostic.fix("the fix", Fix { edits, keeps_values: true });
        let text = render_to_string([&diagnostic], &sources, &Style { color: false, width });
        prop_assert!(text.chars().all(|c| c == '\n' || visible::glyph(c).is_none()), "{text:?}");
        prop_assert!(text.contains("Help: the fix\n") && text.contains("Note: the note\n"));
        let drawn: Vec<Place> = {
            let mut places = PlaceFinder::new(&sources);
            diagnostic.labels.iter().take(MAX_LABELS).filter_map(|label| places.of(label.span)).collect()
        };
        if let Some(first) = drawn.first() {
            prop_assert!(text.contains(&format!("╭─[ {} ]\n", position(first))), "{text}");
            prop_assert!(text.ends_with("╯\n"));
        }
        let coloured = render_to_string([&diagnostic], &sources, &Style { color: true, width });
        prop_assert!(coloured.len() >= text.len());
        let value = machine::json([&diagnostic], &sources);
        prop_assert_eq!(value["diagnostics"][0]["help"].as_array().map(Vec::len), Some(2));
    }
}
