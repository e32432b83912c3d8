//! Pairs of brackets, with the place where a forgotten one should be.
//!
//! This runs before the parser, so that a missing bracket costs one statement and not the rest of the file. What
//! it finds are repairs: closers to insert, closers to leave out. A `(` that is never closed is closed
//!
//! - before a line that begins with `let`, `fn`, `var`, or with `input x` and its like;
//! - before a closer that belongs to a bracket further out;
//! - else at the first line end inside it where one operand ends and another begins; else at the end of the text.

use super::token::{Tok, Token};
use super::{ast::MAX_DEPTH, keywords, report};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{SourceId, Span};

/// A change to the tokens at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repair {
    /// A closer to put before the token.
    Insert(Tok),
    /// The token closes another kind of bracket than it should.
    Replace(Tok),
    /// The token closes nothing.
    Drop,
}

/// Repairs with the index of their token, in order; the length of the tokens is the end of the text.
pub(crate) type Repairs = Vec<(usize, Repair)>;

/// What is wrong with the brackets of a text.
pub(crate) struct BracketFault {
    pub(crate) repairs: Repairs,
    /// The nesting limit, where brackets that are not closed go beyond it. The layout reports the same where it meets
    /// them; where a part of the text is left out before, this is what is wrong with it.
    pub(crate) deep: Vec<Diagnostic>,
}

struct OpenBracket {
    tok: Tok,
    at: usize,
    /// The first line end inside where an operand would follow an operand.
    gap: Option<usize>,
}

/// Matches brackets and reports those that do not match; `flaws` are places after which nothing is reported.
pub(crate) fn repair(
    text: &str,
    tokens: &[Token],
    source: SourceId,
    flaws: &mut Vec<u32>,
    sink: &mut Diagnostics,
) -> BracketFault {
    let known = flaws.len();
    let mut cx = BracketCx {
        tokens,
        source,
        flaws,
        known,
        sink,
        stack: Vec::new(),
        open: [0; 3],
        blocks: Vec::new(),
        repairs: Vec::new(),
        deep: Vec::new(),
    };
    for (at, token) in tokens.iter().enumerate() {
        if token.fresh && !cx.stack.is_empty() {
            cx.line_start(at, text);
        }
        if token.tok.is_opener() {
            cx.push(at, token.tok);
        } else if token.tok.is_closer() {
            cx.close(at, token.tok);
        }
    }
    cx.unclosed_above(0, tokens.len());
    let (mut repairs, deep) = (cx.repairs, cx.deep);
    repairs.sort_by_key(|&(at, repair)| (at, !matches!(repair, Repair::Insert(_))));
    flaws.sort_unstable();
    BracketFault { repairs, deep }
}

struct BracketCx<'a> {
    tokens: &'a [Token],
    source: SourceId,
    flaws: &'a mut Vec<u32>,
    /// How many flaws the lexer found.
    known: usize,
    sink: &'a mut Diagnostics,
    stack: Vec<OpenBracket>,
    /// How many of each kind are open, so that a closer that closes nothing costs no search.
    open: [usize; 3],
    /// Where in the stack the `{` are.
    blocks: Vec<usize>,
    repairs: Repairs,
    deep: Vec<Diagnostic>,
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the only other opener is a brace")]
fn kind(opener: Tok) -> usize {
    match opener {
        Tok::LParen => 0,
        Tok::LBracket => 1,
        _ => 2,
    }
}

impl BracketCx<'_> {
    fn span(&self, at: usize) -> Span {
        let token = self.tokens[at];
        Span::new(self.source, token.start as usize, token.end as usize)
    }

    /// Just behind the token before `at`.
    fn behind(&self, at: usize) -> Span {
        if at == 0 { Span::new(self.source, 0, 0) } else { self.span(at - 1).after() }
    }

    fn push(&mut self, at: usize, tok: Tok) {
        self.open[kind(tok)] += 1;
        if tok == Tok::LBrace {
            self.blocks.push(self.stack.len());
        }
        self.stack.push(OpenBracket { tok, at, gap: None });
    }

    fn pop(&mut self) -> Option<OpenBracket> {
        let open = self.stack.pop()?;
        self.open[kind(open.tok)] -= 1;
        if open.tok == Tok::LBrace {
            self.blocks.pop();
        }
        Some(open)
    }

    fn line_start(&mut self, at: usize, text: &str) {
        let block = self.blocks.last().copied();
        let indented = self.tokens[at].start > 0 && !text[..self.tokens[at].start as usize].ends_with('\n');
        if !indented && block.is_some() && keywords::is_top_level(text, self.tokens, at) {
            self.unclosed_above(0, at);
        } else if self.stack.len() > block.map_or(0, |block| block + 1) {
            if keywords::begins_statement(text, self.tokens, at) {
                self.unclosed_above(block.map_or(0, |block| block + 1), at);
            } else if self.tokens[at].tok.is_atom()
                && self.tokens[at - 1].tok.ends_operand()
                && let Some(open) = self.stack.last_mut()
            {
                open.gap.get_or_insert(at);
            }
        }
    }

    fn close(&mut self, at: usize, tok: Tok) {
        let opener = [Tok::LParen, Tok::LBracket, Tok::LBrace].into_iter().find(|open| open.closer() == tok);
        let known = opener.filter(|&opener| self.open[kind(opener)] > 0);
        match known.and_then(|opener| self.stack.iter().rposition(|open| open.tok == opener)) {
            Some(depth) => {
                self.unclosed_above(depth + 1, at);
                self.pop();
            }
            None => self.mismatch(at),
        }
    }

    fn mismatch(&mut self, at: usize) {
        let quiet = self.follows_flaw(at.saturating_sub(1), at);
        let found = self.tokens[at].tok;
        // A `)` among the statements of a block is a slip of its own; a `}` is too far away to be meant.
        let open = if self.stack.last().is_some_and(|open| open.tok != Tok::LBrace) { self.pop() } else { None };
        let (repair, report) = match open {
            Some(open) => {
                let report = report::mismatched_bracket(self.span(at), found, self.span(open.at), open.tok);
                (Repair::Replace(open.tok.closer()), report)
            }
            None => (Repair::Drop, report::stray_closer(self.span(at), found)),
        };
        if !quiet {
            self.sink.push(report);
        }
        self.repairs.push((at, repair));
        self.flaws.push(self.tokens[at].start);
    }

    /// Closes what is open above `depth`, at the latest before token `at`: one report, about the innermost.
    fn unclosed_above(&mut self, depth: usize, at: usize) {
        let Some(innermost) = self.stack.last().filter(|_| self.stack.len() > depth) else { return };
        let mut gap = at;
        let first = innermost.at;
        let place = innermost.gap.unwrap_or(at);
        if !self.follows_flaw(first, place) {
            let outer = &self.stack[depth..self.stack.len() - 1];
            let others: Vec<Span> = outer.iter().rev().take(3).map(|open| self.span(open.at)).collect();
            let (opener, behind) = (self.span(first), self.behind(place));
            let report = report::unclosed_bracket(opener, innermost.tok, behind, &others, outer.len());
            match self.stack.get(usize::from(MAX_DEPTH)) {
                None => self.sink.push(report),
                Some(beyond) => self.deep.push(report::nesting(self.span(beyond.at))),
            }
        }
        while self.stack.len() > depth
            && let Some(open) = self.pop()
        {
            gap = gap.min(open.gap.unwrap_or(at));
            self.repairs.push((gap, Repair::Insert(open.tok.closer())));
        }
        self.flaws.push(self.tokens[first].start);
        self.flaws.push(self.behind(gap).start);
    }

    /// Whether the lexer found something wrong between two tokens, such as a string that swallowed the closer.
    fn follows_flaw(&self, from: usize, to: usize) -> bool {
        let (start, end) = (self.tokens[from].start, self.behind(to).start);
        let lexical = &self.flaws[..self.known];
        let next = lexical.partition_point(|&at| at < start);
        lexical.get(next).is_some_and(|&at| at < end)
    }
}
