//! No token is left out without a word: where nothing is reported, the tree holds all of the text.

use super::super::ast::{ExprKind, StmtKind};
use super::super::format::all_statements;
use super::super::token::Tok;
use super::super::{brackets, layout, lexer};
use super::read;
use crate::diagnostic::Diagnostics;
use crate::source::SourceId;
use crate::source::stop::Stop;
use proptest::prelude::*;

/// Fails when a text without errors is not in its tree as a whole.
pub(super) fn check(text: &str) {
    let (_, script, sink) = read(text);
    if sink.has_errors() {
        return;
    }
    let broken = all_statements(&script).iter().any(|stmt| matches!(stmt.kind, StmtKind::Error))
        || script.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::Error));
    assert!(!broken, "{text:?} has parts that were not understood, and no error");
    let mut found = Diagnostics::new();
    let lexer::TokenStream { tokens, mut flaws, .. } = lexer::lex(text, SourceId(0), &mut found);
    let brackets::BracketFault { repairs, deep } = brackets::repair(text, &tokens, SourceId(0), &mut flaws, &mut found);
    assert!(repairs.is_empty() && deep.is_empty() && flaws.is_empty(), "{text:?} was repaired without an error");
    let mut tainted = Vec::new();
    let input = layout::TokenizedText { text, source: SourceId(0), tokens: &tokens };
    let filter = layout::TokenFilter::new(input, repairs, &flaws, &mut tainted, &mut found, Stop::default());
    let passed: Vec<(u32, u32)> = filter.map(|Ok((start, _, end))| (start, end)).collect();
    for token in &tokens {
        let at = passed.partition_point(|&(start, _)| start <= token.start);
        let kept = passed[..at].iter().rev().any(|&(_, end)| end >= token.end);
        assert!(kept, "{text:?}: the parser never saw what stands at {}", token.start);
        let inside = script.stmts.iter().any(|stmt| stmt.span.start <= token.start && token.end <= stmt.span.end);
        assert!(inside || token.tok == Tok::Semi, "{text:?}: no statement holds what stands at {}", token.start);
    }
}

#[test]
fn brackets_that_are_deeper_than_any_limit_are_errors_wherever_they_stand() {
    for count in [1, 2, 255, 256, 257, 258, 300, 600] {
        for bracket in ["{", "(", "[", "({", "{(", "[{", "fn f(x) {"] {
            for (before, after) in [("", ""), ("output a = 1\n", "\noutput b = 2"), ("let x = ", "\n3"), ("f(", ")\n1")]
            {
                let text = format!("{before}{}{after}", bracket.repeat(count));
                let (_, _, sink) = read(&text);
                let told = |id: &str| sink.iter().any(|found| found.code.id == id);
                assert!(sink.has_errors(), "{text:?}");
                assert!(told("E0115") || told("E0107") || told("E0113") || count < 3, "{text:?}");
                assert_eq!(crate::syntax::format::format(&text, &words()), None);
            }
        }
    }
}

fn words() -> crate::syntax::format::Spellings<'static> {
    crate::syntax::format::Spellings {
        short: &|_| None,
        function: &|_| None,
        qualified: &|_, _| None,
        keyword: &|_, _| None,
        spoken: &|_, _| false,
        ordered: &|_, _, _| false,
    }
}

const PIECES: [&str; 30] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "{",
    "let a = 1",
    "output b = 2",
    "fn f(x) {",
    "fn g(x) = ",
    "repeat 3 with a = 1 {",
    "x",
    "+",
    ",",
    "\n",
    "\n",
    "\n",
    ";",
    "=",
    "1",
    "-",
    "**",
    "not ",
    "input c: f32[n]",
    "in [0, 1]",
    ":",
    "promotion jax",
    "# c\n",
    "\"s\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn without_an_error_the_tree_holds_every_token(
        soup in prop::collection::vec((prop::sample::select(&PIECES[..]), prop::sample::select(&[1usize, 1, 1, 1, 1, 1, 1, 1, 256, 257][..])), 0..12)
    ) {
        let text: String = soup.iter().map(|(piece, count)| format!("{} ", piece.repeat(*count))).collect();
        check(&text);
        let (_, _, sink) = read(&text);
        let formatted = crate::syntax::format::format(&text, &words());
        prop_assert_eq!(formatted.is_some(), !sink.has_errors(), "{}", text);
    }
}
