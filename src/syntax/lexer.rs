//! The way from text to tokens. Whatever the text, there are tokens; what is wrong with it is in the sink.
//!
//! A malformed number, or a string that does not end, still is one token, so that the parser can go on and the
//! mistake is told once. A character without a meaning is left out; [`TokenStream::flaws`] keeps its place, so that
//! the gap it leaves is not reported a second time.

use super::ast::Comment;
use super::ast::MAX_NAME;
use super::characters::{hidden, quoted_length, unfit};
use super::token::{Tok, Token};
use super::{number, report, string};
use crate::diagnostic::Diagnostics;
use crate::source::stop::Stop;
use crate::source::{SourceId, Span};
use logos::Logos;

/// The tokens of a text.
#[derive(Debug, Default)]
pub(crate) struct TokenStream {
    /// Without comments and line ends.
    pub(crate) tokens: Vec<Token>,
    /// In source order.
    pub(crate) comments: Vec<Comment>,
    /// Places in source order where something was left out.
    pub(crate) flaws: Vec<u32>,
}

/// Cuts `text` into tokens.
pub(crate) fn lex(text: &str, source: SourceId, sink: &mut Diagnostics) -> TokenStream {
    lex_until(text, source, sink, Stop::default())
}

/// As [`lex`], unless told to stop.
pub(crate) fn lex_until(text: &str, source: SourceId, sink: &mut Diagnostics, stop: Stop) -> TokenStream {
    let skipped = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut out = TokenStream { tokens: Vec::with_capacity(text.len() / 3 + 1), ..TokenStream::default() };
    let mut cx = LexerCx { text, source, sink, out: &mut out, run: None };
    let mut fresh = true;
    let mut lexer = Tok::lexer(text);
    lexer.bump(skipped);
    while let Some(found) = lexer.next() {
        let start = lexer.span().start;
        let rest = &text[start..];
        let matched = lexer.span().len();
        let (tok, len) = match found {
            Ok(Tok::LineEnd) => {
                fresh = true;
                continue;
            }
            Ok(Tok::Hash) => {
                let len = cx.comment(start);
                lexer.bump(len - matched);
                continue;
            }
            Ok(Tok::Digit) => cx.number(start),
            Ok(Tok::Quote) => cx.string(start),
            Ok(Tok::Name) => (cx.name(start, matched), matched),
            Ok(Tok::AmpAmp) => (cx.c_operator(start, 2, "and", Tok::And), 2),
            Ok(Tok::PipePipe) => (cx.c_operator(start, 2, "or", Tok::Or), 2),
            Ok(Tok::Bang) if cx.is_behind_operand(start, &rest[matched..]) => {
                cx.unknown(start, "!");
                continue;
            }
            Ok(Tok::Bang) => (cx.c_operator(start, 1, "not", Tok::Tilde), 1),
            Ok(tok) => (tok, matched),
            Err(()) => match quoted_length(rest).filter(|&len| len >= matched) {
                Some(len) => (cx.foreign_quotes(start, len), len),
                None => {
                    cx.unknown(start, &rest[..matched]);
                    continue;
                }
            },
        };
        lexer.bump(len - matched);
        if tok == Tok::LParen
            && let Some(before) = cx.out.tokens.last_mut()
            && (before.tok, before.end) == (Tok::Var, start as u32)
        {
            // `var(x)` is the variance; the statement has a blank before whatever follows.
            before.tok = Tok::Name;
        }
        if stop.now_and_then(cx.out.tokens.len()) {
            break;
        }
        cx.out.tokens.push(Token { start: start as u32, end: (start + len) as u32, tok, fresh });
        fresh = false;
    }
    cx.end_run();
    out.flaws.sort_unstable();
    out
}

struct LexerCx<'a> {
    text: &'a str,
    source: SourceId,
    sink: &'a mut Diagnostics,
    out: &'a mut TokenStream,
    /// Equal unknown characters side by side.
    run: Option<(char, usize, usize)>,
}

impl LexerCx<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }

    fn comment(&mut self, start: usize) -> usize {
        let rest = &self.text[start..];
        let line = rest.find('\n').unwrap_or(rest.len());
        let len = rest[..line].strip_suffix('\r').map_or(line, str::len);
        if let Some((at, c)) = rest[..len].char_indices().find(|&(_, c)| unfit(c)) {
            let span = self.span(start + at, start + at + c.len_utf8());
            self.sink.push(report::hidden_character_in_comment(span, c));
        }
        let span = self.span(start, start + len);
        self.out.comments.push(Comment { span, doc: rest.starts_with("##") });
        len
    }

    fn number(&mut self, start: usize) -> (Tok, usize) {
        let (len, outcome) = number::scan(&self.text[start..]);
        let tok = outcome.unwrap_or_else(|flaw| {
            let span = self.span(start, start + len);
            self.sink.push(report::number(span, &self.text[start..start + len], &flaw));
            Tok::Broken
        });
        (tok, len)
    }

    fn string(&mut self, start: usize) -> (Tok, usize) {
        let (len, closed) = string::scan(&self.text[start..]);
        let text = &self.text[start..start + len];
        let span = self.span(start, start + len);
        if !closed {
            let is_value = |c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | '.');
            let is_behind = self.text[..start].ends_with(is_value);
            let opener = self.span(start, start + 1);
            self.sink.push(report::unterminated_string(&text[..1], is_behind, opener, span.after()));
            self.out.flaws.push(start as u32);
            return (Tok::Broken, len);
        }
        for at in string::unknown_escapes(text) {
            self.sink.push(report::invalid_escape(self.span(start + at.start, start + at.end), &text[at]));
        }
        (Tok::Str, len)
    }

    fn name(&mut self, start: usize, len: usize) -> Tok {
        let text = &self.text[start..start + len];
        if len > MAX_NAME {
            self.sink.push(report::long_name(self.span(start, start + len), len));
            return Tok::Broken;
        }
        if !text.is_ascii() {
            for (at, c) in text.char_indices().filter(|&(_, c)| hidden(c).is_some()) {
                let at = start + at;
                self.sink.push(report::hidden_character(self.span(at, at + c.len_utf8()), c));
            }
        }
        Tok::Name
    }

    fn c_operator(&mut self, start: usize, len: usize, word: &str, tok: Tok) -> Tok {
        let span = self.span(start, start + len);
        self.sink.push(report::c_operator(span, &self.text[start..start + len], word));
        tok
    }

    /// Whether an operand ends where this begins, and none follows: `x!`.
    fn is_behind_operand(&self, start: usize, after: &str) -> bool {
        let ends = self.out.tokens.last().is_some_and(|token| token.tok.ends_operand() && token.end as usize == start);
        ends && !after.starts_with(|c: char| c.is_alphanumeric() || "_(!".contains(c))
    }

    fn foreign_quotes(&mut self, start: usize, len: usize) -> Tok {
        let span = self.span(start, start + len);
        self.sink.push(report::foreign_quotes(span, &self.text[start..start + len]));
        self.out.flaws.push(start as u32);
        Tok::Broken
    }

    fn unknown(&mut self, start: usize, text: &str) {
        for (at, c) in text.char_indices() {
            let (from, to) = (start + at, start + at + c.len_utf8());
            match &mut self.run {
                Some((known, _, end)) if *known == c && *end == from => *end = to,
                _ => {
                    self.end_run();
                    self.run = Some((c, from, to));
                }
            }
        }
    }

    fn end_run(&mut self) {
        if let Some((c, start, end)) = self.run.take() {
            let span = self.span(start, end);
            let report = match hidden(c) {
                Some(_) => report::hidden_character(span, c),
                None => report::unknown_character(span, c),
            };
            self.sink.push(report);
            self.out.flaws.push(start as u32);
        }
    }
}
