//! Words of Python or others at a place where the parser failed.

use super::habits::WordAt;
use super::recover::{FORM, RecoverCx};
use super::report;
use super::token::{Tok, Token};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

impl RecoverCx<'_> {
    /// `with np.errstate(all="ignore"):`, where a colon ends the line; a loop has `with` too.
    fn with_block(&self, at: usize) -> Option<Diagnostic> {
        let first = self.tokens[at];
        if first.tok != Tok::Name || first.text(self.text) != "with" {
            return None;
        }
        let rest = self.tokens[at + 1..].iter().take(FORM).take_while(|token| !token.fresh);
        let is_block = rest.last()?.tok == Tok::Colon;
        // A block that goes on behind the colon: `with np.errstate(all="ignore"): x`.
        let [module, behind] = self.tokens.get(at + 1..at + 3)? else { return None };
        let is_call = module.tok == Tok::Name && matches!(behind.tok, Tok::Dot | Tok::LParen) && !module.fresh;
        (is_block || is_call).then(|| report::with_block(self.span(first)))
    }

    /// The word of Python (or Rust) at the failure, before it, or at the start of its line, as a place among the tokens.
    fn word_place(&self, next: usize, begins: Option<usize>) -> Option<usize> {
        let here = self.tokens.get(next).filter(|token| token.start == self.failure.start).map(|_| next);
        [next.checked_sub(1), here, begins].into_iter().flatten().find(|&at| {
            let token = self.tokens[at];
            token.tok == Tok::Name && report::foreign_word(self.span(token), token.text(self.text)).is_some()
        })
    }

    /// Where the line of a place begins.
    fn line_begin(&self, next: usize) -> Option<usize> {
        (next.saturating_sub(FORM)..next).rev().find(|&at| self.tokens[at].fresh)
    }

    /// The words of which all is said: one of another language, and what a `for` between brackets counts with.
    pub(crate) fn told(&self) -> Vec<String> {
        let next = self.tokens.partition_point(|token| token.end <= self.failure.start);
        if self.is_behind_brace(next) {
            return self.states_before(next);
        }
        let Some(at) = self.word_place(next, self.line_begin(next)) else { return Vec::new() };
        let is_name = |token: &&Token| token.tok == Tok::Name && token.text(self.text) != "in";
        let behind = self.tokens[at + 1..].iter().take(FORM).filter(|token| token.tok != Tok::Comma);
        let counted = behind.take_while(is_name).take(if self.is_comprehension(at) { FORM } else { 0 });
        let word = &self.tokens[at];
        std::iter::once(word).chain(counted).map(|token| token.text(self.text).to_owned()).collect()
    }

    /// The names in the head of the loop whose `}` stands before a place: its body is read as statements of their own.
    fn states_before(&self, next: usize) -> Vec<String> {
        let mut depth = 0usize;
        let from = next.saturating_sub(64 * FORM);
        let opens = self.tokens[from..next].iter().rposition(|token| {
            depth = depth + usize::from(token.tok == Tok::RBrace) - usize::from(token.tok == Tok::LBrace);
            depth == 0
        });
        let Some(opens) = opens.map(|at| from + at) else { return Vec::new() };
        let Some(begins) = self.line_begin(opens) else { return Vec::new() };
        let is_name = |token: &&Token| token.tok == Tok::Name;
        self.tokens[begins..opens].iter().filter(is_name).map(|token| token.text(self.text).to_owned()).collect()
    }

    /// Whether a `for` stands between brackets, behind a value: `[f(k) for k in range(3)]`.
    fn is_comprehension(&self, at: usize) -> bool {
        let before = &self.tokens[at.saturating_sub(FORM)..at];
        let count = |is_one: fn(Tok) -> bool| before.iter().filter(|token| is_one(token.tok)).count();
        let is_behind = before.last().is_some_and(|token| token.tok.ends_operand());
        let is_open = count(Tok::is_opener) > count(Tok::is_closer);
        self.tokens[at].text(self.text) == "for" && is_behind && (is_open || !self.tokens[at].fresh)
    }

    /// What to say of a `for` between brackets.
    fn comprehension(&self, at: usize) -> Option<Diagnostic> {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.text(self.text));
        let is_simple = self.is_comprehension(at) && word(at + 2) == "in";
        is_simple.then(|| report::comprehension(self.span(self.tokens[at]), word(at + 1), word(at + 3) == "range"))
    }

    /// What to say of `a if c else b`.
    fn choice(&self, at: usize) -> Option<Diagnostic> {
        let word = |at: usize| self.tokens[at].text(self.text);
        if word(at) != "if" || self.tokens[at].fresh {
            return None;
        }
        let first = at - value_before(&self.tokens[..at]);
        let end = at + 1 + value_behind(&self.tokens[at + 1..]);
        let other = (at + 1..end).find(|&at| word(at) == "else")?;
        let text = |from: usize, to: usize| {
            let value = &self.tokens[from..to];
            let (first, last) = (value.first()?, value.last()?);
            let is_plain = (from..to).all(|at| !matches!(word(at), "if" | "else" | "for"));
            let count = |is_one: fn(Tok) -> bool| value.iter().filter(|token| is_one(token.tok)).count();
            let is_whole = is_plain && count(Tok::is_opener) == count(Tok::is_closer);
            Some(if is_whole { &self.text[first.start as usize..last.end as usize] } else { "…" })
        };
        let (yes, condition, no) = (text(first, at)?, text(at + 1, other)?, text(other + 1, end)?);
        Some(report::habits::choice(self.span(self.tokens[at]), condition, [yes, no]))
    }

    /// What to say of `lambda a: a*2` where it is an argument.
    fn lambda(&self, at: usize) -> Option<Diagnostic> {
        let opens = |token: &Token| matches!(token.tok, Tok::LParen | Tok::Comma);
        if self.tokens[at].text(self.text) != "lambda" || !self.tokens[..at].last().is_some_and(opens) {
            return None;
        }
        let is_param = |token: &&Token| matches!(token.tok, Tok::Name | Tok::Comma) && !token.fresh;
        let colon = at + 1 + self.tokens[at + 1..].iter().take(FORM).take_while(is_param).count();
        self.tokens.get(colon).filter(|token| token.tok == Tok::Colon)?;
        let end = colon + 1 + value_behind(&self.tokens[colon + 1..]);
        let text = |from: usize, to: usize| {
            let (first, last) = (self.tokens[from..to].first()?, self.tokens[from..to].last()?);
            Some(&self.text[first.start as usize..last.end as usize])
        };
        let params = text(at + 1, colon).unwrap_or_default();
        Some(report::habits::lambda(self.span(self.tokens[at]), params, text(colon + 1, end)?))
    }

    /// Whether the word before the failure is `lambda`: nothing more is said of its line.
    pub(crate) fn is_behind_lambda(&self) -> bool {
        let next = self.tokens.partition_point(|token| token.end <= self.failure.start);
        self.tokens[..next].last().is_some_and(|token| token.text(self.text) == "lambda")
    }

    /// A word of Python (or Rust) at the failure, before it, or at the start of its line; or another form of theirs.
    pub(crate) fn foreign_word(&self, next: usize) -> Option<Diagnostic> {
        let begins = self.line_begin(next);
        if let Some(report) = begins.and_then(|at| self.with_block(at)) {
            return Some(report);
        }
        let word = |at: usize| {
            let token = self.tokens[at];
            let known = self.comprehension(at).or_else(|| self.choice(at)).or_else(|| self.lambda(at));
            known.or_else(|| report::foreign_word(self.span(token), token.text(self.text)))
        };
        self.word_place(next, begins).and_then(word).or_else(|| {
            let &RecoverCx { text, source, tokens, failure } = self;
            let here = Span::new(source, failure.start as usize, failure.end as usize);
            WordAt { text, source, tokens, next, tok: failure.tok, here }.explain()
        })
    }
}

/// Whether a token stands between values, outside of brackets.
fn is_between(token: Token) -> bool {
    token.tok.is_assignment() || matches!(token.tok, Tok::Comma | Tok::Semi)
}

/// How many tokens at the end are those of one value: from the bracket that is open there, or the sign before it.
fn value_before(tokens: &[Token]) -> usize {
    let (mut depth, mut len) = (0i32, 0usize);
    for token in tokens.iter().rev().take(FORM) {
        depth += i32::from(token.tok.is_closer()) - i32::from(token.tok.is_opener());
        if depth < 0 || depth == 0 && is_between(*token) {
            break;
        }
        len += 1;
        if token.fresh {
            break;
        }
    }
    len
}

/// How many tokens at the beginning are those of values and words between them: to the end of the line, or of the bracket
/// that is open there.
fn value_behind(tokens: &[Token]) -> usize {
    let (mut depth, mut len) = (0i32, 0usize);
    for token in tokens.iter().take(FORM) {
        depth += i32::from(token.tok.is_opener()) - i32::from(token.tok.is_closer());
        if depth < 0 || depth == 0 && is_between(*token) || token.fresh {
            break;
        }
        len += 1;
    }
    len
}
