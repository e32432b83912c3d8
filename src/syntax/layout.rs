//! The newline filter: which line ends are tokens, which names are keywords, where nesting stops.
//!
//! A line end is passed on only if the innermost open bracket is `{` or there is none, and the token before it does
//! not ask for more (a binary operator, `=`, `,`, `:`, `->`). The filter also carries out the repairs of
//! [`super::brackets`], puts a line end before every `}` and at the end of the text, and joins `jax-strict`.
//!
//! ```text
//! let a = f(1,      →   let a = f ( 1 , 2 ) +  b  NL
//!           2) +
//!   b
//! ```

use super::brackets::{Repair, Repairs};
use super::token::{Tok, Token};
use super::{ast::MAX_DEPTH, keywords, report};
use crate::diagnostic::Diagnostics;
use crate::source::stop::Stop;
use crate::source::{SourceId, Span};
use std::convert::Infallible;

/// The parser's view of a token.
pub(crate) type Item = Result<(u32, Tok, u32), Infallible>;

/// A text and its tokens.
#[derive(Clone, Copy)]
pub(crate) struct TokenizedText<'a> {
    pub(crate) text: &'a str,
    pub(crate) source: SourceId,
    pub(crate) tokens: &'a [Token],
}

/// Filters the tokens of one text.
pub(crate) struct TokenFilter<'a> {
    input: TokenizedText<'a>,
    at: usize,
    repairs: Repairs,
    repaired: usize,
    nesting: OpenBrackets,
    last: LastToken,
    head: WordMeaning,
    statement: StatementFlaws<'a>,
    sink: &'a mut Diagnostics,
    stop: Stop<'a>,
}

/// How deep things are nested at the token at hand.
struct OpenBrackets {
    /// Open brackets that were passed on, with the prefix operators that stand before each.
    stack: Vec<(Tok, u32)>,
    /// Prefix operators and `**` that nest right here, those before the open brackets included.
    run: u32,
    /// Brackets opened since nesting went too deep.
    skipping: Option<usize>,
}

/// What was passed on last, and where it ends.
struct LastToken {
    tok: Tok,
    end: u32,
}

/// What is wrong with the statement at hand.
struct StatementFlaws<'a> {
    /// Where the statement begins.
    begin: u32,
    /// Places, from the statement on, where something was left out.
    flaws: &'a [u32],
    /// Statements in which something was reported already; the parser's complaints there are follow-ups.
    tainted: &'a mut Vec<(u32, u32)>,
    /// Whether something was reported in the statement while it was passed on.
    taint: bool,
}

/// What the words `in` and `with`, and a `{`, mean here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordMeaning {
    Plain,
    Promotion,
    Input,
    Fn,
    /// After `repeat` or `scan`, at this bracket depth.
    Loop(usize),
}

impl<'a> TokenFilter<'a> {
    /// A filter over the tokens of `input`; statements with one of the `flaws` in them become `tainted`. It ends early
    /// when told to stop.
    pub(crate) fn new(
        input: TokenizedText<'a>,
        repairs: Repairs,
        flaws: &'a [u32],
        tainted: &'a mut Vec<(u32, u32)>,
        sink: &'a mut Diagnostics,
        stop: Stop<'a>,
    ) -> TokenFilter<'a> {
        TokenFilter {
            input,
            at: 0,
            repairs,
            repaired: 0,
            nesting: OpenBrackets { stack: Vec::new(), run: 0, skipping: None },
            last: LastToken { tok: Tok::Nl, end: 0 },
            head: WordMeaning::Plain,
            statement: StatementFlaws { begin: 0, flaws, tainted, taint: false },
            sink,
            stop,
        }
    }

    fn repair(&self) -> Option<Repair> {
        self.repairs.get(self.repaired).filter(|(at, _)| *at == self.at).map(|&(_, repair)| repair)
    }

    fn in_block(&self) -> bool {
        self.nesting.stack.last().is_none_or(|&(tok, _)| tok == Tok::LBrace)
    }

    fn at_statement_start(&self) -> bool {
        matches!(self.last.tok, Tok::Nl | Tok::Semi | Tok::LBrace)
    }

    /// What is nested before the innermost open bracket.
    fn base(&self) -> u32 {
        self.nesting.stack.last().map_or(0, |&(_, run)| run)
    }

    /// Passes a token on.
    fn emit(&mut self, start: u32, tok: Tok, end: u32) -> (u32, Tok, u32) {
        if tok.is_opener() {
            self.nesting.stack.push((tok, self.nesting.run));
        } else if tok.is_closer() {
            self.nesting.run = self.nesting.stack.pop().map_or(0, |(_, run)| run);
        } else if matches!(tok, Tok::Nl | Tok::Semi) {
            self.nesting.run = self.base();
            let next = self.input.tokens.get(self.at).map_or(self.input.text.len() as u32 + 1, |next| next.start);
            self.end_statement(if tok == Tok::Semi { end } else { next });
        } else if tok == Tok::StarStar || (tok.is_prefix() && !self.last.tok.ends_operand()) {
            self.nesting.run += 1;
        } else if tok.is_binary() || matches!(tok, Tok::Comma | Tok::Colon | Tok::Eq) {
            self.nesting.run = self.base();
        }
        self.last.tok = tok;
        self.last.end = end;
        (start, tok, end)
    }

    /// Everything before byte `limit` belongs to the statement that ends here.
    fn end_statement(&mut self, limit: u32) {
        let passed = self.statement.flaws.partition_point(|&at| at < limit);
        if passed > 0 || self.statement.taint {
            self.statement.flaws = &self.statement.flaws[passed..];
            self.statement.tainted.push((self.statement.begin, limit));
        }
        self.statement.taint = false;
        self.statement.begin = limit;
        self.head = WordMeaning::Plain;
    }

    fn end_line(&mut self) -> (u32, Tok, u32) {
        self.emit(self.last.end, Tok::Nl, self.last.end)
    }

    /// Whether a line end must be passed on before the token at hand.
    fn line_ends(&self, token: Token) -> bool {
        if self.at_statement_start() || !self.in_block() {
            return false;
        }
        if token.tok == Tok::RBrace {
            return true;
        }
        token.fresh
            && (!self.last.tok.continues() || keywords::begins_statement(self.input.text, self.input.tokens, self.at))
    }

    /// The kind that a name has here, and how many tokens it takes.
    #[expect(clippy::wildcard_enum_match_arm, reason = "after every other word a line is read as usual")]
    fn word(&mut self, token: Token) -> (Tok, usize) {
        let starts = self.at_statement_start();
        if starts || self.last.tok == Tok::Eq {
            let found = keywords::contextual(self.input.text, self.input.tokens, self.at);
            if let Some(tok) = found.filter(|&tok| starts || matches!(tok, Tok::Repeat | Tok::Scan)) {
                self.head = match tok {
                    Tok::Promotion => WordMeaning::Promotion,
                    Tok::Input => WordMeaning::Input,
                    Tok::Repeat | Tok::Scan => WordMeaning::Loop(self.nesting.stack.len()),
                    _ => WordMeaning::Plain,
                };
                return (tok, 1);
            }
        }
        match self.head {
            WordMeaning::Promotion => (Tok::Name, self.hyphenated()),
            WordMeaning::Input
                if self.in_block()
                    && !matches!(self.last.tok, Tok::Input | Tok::Colon)
                    && token.text(self.input.text) == "in" =>
            {
                (Tok::In, 1)
            }
            WordMeaning::Loop(depth)
                if self.nesting.stack.len() == depth
                    && (self.last.tok.ends_operand() || matches!(self.last.tok, Tok::Reverse | Tok::Repeat)) =>
            {
                (keywords::of_loop(token.text(self.input.text)).unwrap_or(Tok::Name), 1)
            }
            WordMeaning::Plain | WordMeaning::Input | WordMeaning::Fn | WordMeaning::Loop(_) => (Tok::Name, 1),
        }
    }

    /// How many tokens `jax-strict` or `rfc-draft-1` takes: words and numbers joined by `-` without blanks.
    fn hyphenated(&self) -> usize {
        let mut len = 1;
        while let [last, dash, word, ..] = self.input.tokens[self.at + len - 1..] {
            if dash.tok != Tok::Minus
                || !matches!(word.tok, Tok::Name | Tok::Int)
                || last.end != dash.start
                || dash.end != word.start
            {
                break;
            }
            len += 2;
        }
        len
    }

    /// Whether passing this token on would nest deeper than anything may.
    fn too_deep(&self, tok: Tok) -> bool {
        let nests = tok.is_opener() || tok == Tok::StarStar || (tok.is_prefix() && !self.last.tok.ends_operand());
        nests && self.nesting.stack.len() + self.nesting.run as usize >= usize::from(MAX_DEPTH)
    }

    /// The bracket behind a name that is called, if it nests too deeply: the name alone would be another value.
    fn call_too_deep(&self, tok: Tok) -> Option<Token> {
        let names_function = tok == Tok::Name && self.last.tok != Tok::Dot && !self.last.tok.ends_operand();
        let behind = *self.input.tokens.get(self.at + 1).filter(|_| names_function)?;
        (behind.tok == Tok::LParen && self.too_deep(behind.tok)).then_some(behind)
    }

    /// Leaves out what nests too deeply, with the name before it. A token stands in for it where an operand is
    /// missing.
    fn start_skipping(&mut self, token: Token, deep: Token) -> Option<Item> {
        let span = Span::new(self.input.source, deep.start as usize, deep.end as usize);
        self.sink.push(report::nesting(span));
        self.statement.taint = true;
        self.nesting.skipping = Some(usize::from(token.tok.is_opener()));
        self.at += 1;
        if self.last.tok.ends_operand() { None } else { Some(Ok(self.emit(token.start, Tok::Broken, token.end))) }
    }

    /// Whether the token, or the closer before it, still belongs to what is left out.
    fn skips(&mut self, tok: Tok, fresh: bool) -> bool {
        let Some(nested) = self.nesting.skipping.as_mut() else { return false };
        if tok.is_opener() {
            *nested += 1;
        } else if *nested > 0 {
            *nested -= usize::from(tok.is_closer());
        } else if tok.is_closer() || matches!(tok, Tok::Comma | Tok::Semi) || (fresh && self.in_block()) {
            self.nesting.skipping = None;
            return false;
        }
        true
    }

    /// Skips a `{…}` that is no block, after its `{` was passed on for the parser to complain about.
    fn skip_braces(&mut self) {
        let mut depth = 1;
        while depth > 0 && self.at < self.input.tokens.len() {
            let closing = |repair: &(usize, Repair)| matches!(repair.1, Repair::Insert(Tok::RBrace));
            while self.repairs.get(self.repaired).is_some_and(|&(at, _)| at == self.at) {
                depth -= usize::from(depth > 0 && closing(&self.repairs[self.repaired]));
                self.repaired += 1;
            }
            if depth == 0 {
                return;
            }
            let tok = self.input.tokens[self.at].tok;
            if tok == Tok::LBrace {
                depth += 1;
            } else if tok == Tok::RBrace {
                depth -= 1;
            }
            self.at += 1;
        }
        while depth > 0 && self.repairs.get(self.repaired).is_some_and(|&(at, _)| at == self.at) {
            depth -= usize::from(self.repairs[self.repaired].1 == Repair::Insert(Tok::RBrace));
            self.repaired += 1;
        }
    }

    fn at_brace(&self) -> bool {
        self.input.tokens.get(self.at).is_some_and(|token| token.tok == Tok::LBrace)
    }

    fn opens_block(&self) -> bool {
        self.in_block() && matches!(self.head, WordMeaning::Fn | WordMeaning::Loop(_))
    }

    /// The end of the text: a last line end, when something stands before it.
    fn finish(&mut self) -> Option<Item> {
        self.nesting.skipping = None;
        if matches!(self.last.tok, Tok::Nl | Tok::Semi) { None } else { Some(Ok(self.end_line())) }
    }
}

impl Iterator for TokenFilter<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.stop.now_and_then(self.at) {
            return None;
        }
        loop {
            let repair = self.repair();
            if let Some(Repair::Insert(closer)) = repair {
                if self.skips(closer, false) {
                    self.repaired += 1;
                    continue;
                }
                if closer == Tok::RBrace && !self.at_statement_start() {
                    return Some(Ok(self.end_line()));
                }
                self.repaired += 1;
                return Some(Ok(self.emit(self.last.end, closer, self.last.end)));
            }
            let Some(&token) = self.input.tokens.get(self.at) else { return self.finish() };
            let tok = match repair {
                Some(Repair::Replace(closer)) => closer,
                _ => token.tok,
            };
            if repair == Some(Repair::Drop) || self.skips(tok, token.fresh) {
                self.repaired += usize::from(repair.is_some());
                self.at += 1;
                continue;
            }
            if self.line_ends(Token { tok, ..token }) {
                return Some(Ok(self.end_line()));
            }
            self.repaired += usize::from(repair.is_some());
            let deep = if self.too_deep(tok) { Some(token) } else { self.call_too_deep(tok) };
            if let Some(deep) = deep {
                match self.start_skipping(token, deep) {
                    None => continue,
                    item => return item,
                }
            }
            return Some(Ok(self.pass(token, tok)));
        }
    }
}

impl TokenFilter<'_> {
    /// Passes the token at hand on, as what it is here.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other token leaves the head of the line as it is")]
    fn pass(&mut self, token: Token, tok: Tok) -> (u32, Tok, u32) {
        let (tok, len) = if tok == Tok::Name { self.word(token) } else { (tok, 1) };
        let end = self.input.tokens[self.at + len - 1].end;
        self.at += len;
        match tok {
            Tok::Fn => self.head = WordMeaning::Fn,
            // The braces of `fn f(x) = { … }` are meant to be a body, and the parser complains about them as one.
            Tok::Eq if self.in_block() && self.head == WordMeaning::Fn && self.at_brace() => {}
            Tok::Eq if self.in_block() && matches!(self.head, WordMeaning::Input | WordMeaning::Fn) => {
                self.head = WordMeaning::Plain;
            }
            Tok::LBrace if !self.opens_block() => {
                self.skip_braces();
                self.last.tok = Tok::RBrace;
                self.last.end = self.input.tokens[self.at - 1].end;
                return (token.start, tok, end);
            }
            Tok::LBrace => self.head = WordMeaning::Plain,
            _ => {}
        }
        self.emit(token.start, tok, end)
    }
}
