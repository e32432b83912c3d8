//! The words for a place where the parser failed.
//!
//! The parser knows a token that does not fit and the set of those that would. People think in other terms: what
//! stands before, which bracket is open, which word came from another language. [`explain`] looks for the likely
//! mistake first and falls back to the plain set last.

use super::report;
use super::token::{Tok, Token};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{SourceId, Span};
use lalrpop_util::ParseError;
use std::collections::HashSet;
use std::convert::Infallible;

/// What would have fit, in the terms that messages need.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a set of tokens")]
pub(crate) struct ExpectedTokens {
    operand: bool,
    name: bool,
    line_end: bool,
    assign: bool,
    brace: bool,
    comma: bool,
    with: bool,
    closer: Option<&'static str>,
    /// All of it, when it is little.
    few: Vec<String>,
}

impl ExpectedTokens {
    /// Reads the parser's list of terminals.
    pub(crate) fn from_names(names: &[String]) -> ExpectedTokens {
        let has = |wanted: &str| names.iter().any(|name| name.trim_matches('"') == wanted);
        let closer = [")", "]"].into_iter().find(|closer| has(closer));
        let few = if names.len() <= 5 {
            names.iter().map(|name| described(name.trim_matches('"'))).collect()
        } else {
            Vec::new()
        };
        ExpectedTokens {
            operand: has("int") && has("("),
            name: has("name"),
            line_end: has("newline"),
            assign: has("="),
            brace: has("{"),
            comma: has(","),
            with: has("with"),
            closer,
            few,
        }
    }
}

/// A terminal of the grammar in words.
fn described(terminal: &str) -> String {
    match terminal {
        "newline" => "the end of the statement".to_owned(),
        "name" => "a name".to_owned(),
        "string" => "a string".to_owned(),
        "int" | "float" | "imaginary" => "a number".to_owned(),
        _ => format!("`{terminal}`"),
    }
}

/// A place where the parser failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) tok: Tok,
    expected: ExpectedTokens,
}

impl Failure {
    /// Keeps what a message needs of a parse error.
    pub(crate) fn new(error: ParseError<u32, Tok, Infallible>, read: fn(&[String]) -> ExpectedTokens) -> Failure {
        match error {
            ParseError::UnrecognizedToken { token: (start, tok, end), expected } => {
                Failure { start, end, tok, expected: read(&expected) }
            }
            ParseError::UnrecognizedEof { location, expected } => {
                Failure { start: location, end: location, tok: Tok::Nl, expected: read(&expected) }
            }
            ParseError::ExtraToken { token: (start, tok, end) } => {
                Failure { start, end, tok, expected: ExpectedTokens::default() }
            }
            ParseError::InvalidToken { location } => {
                Failure { start: location, end: location, tok: Tok::Broken, expected: ExpectedTokens::default() }
            }
            ParseError::User { error } => match error {},
        }
    }
}

impl Failure {
    /// Whether it is in this part of the text.
    pub(crate) fn is_within(&self, start: u32, end: u32) -> bool {
        (start..end).contains(&self.start)
    }
}

/// Reports the failures, without those in statements where something was reported already. The answer is the words of
/// which all is said.
pub(crate) fn explain(
    text: &str,
    source: SourceId,
    tokens: &[Token],
    failures: &[Failure],
    tainted: &[(u32, u32)],
    sink: &mut Diagnostics,
) -> HashSet<String> {
    let mut words = HashSet::new();
    // What a word of another language was read with: brackets behind it may have been left out with it.
    let mut told = 0..0;
    for failure in failures {
        // The lexer has reported what it could not read.
        if failure.tok == Tok::Broken || covers(tainted, failure.start) || told.contains(&failure.start) {
            continue;
        }
        let cx = RecoverCx { text, source, tokens, failure };
        sink.push(cx.diagnose());
        words.extend(cx.told());
        let here = Span::new(source, failure.start as usize, failure.end as usize);
        let is_foreign = failure.tok == Tok::Name && report::foreign_word(here, &text[here.range()]).is_some();
        if is_foreign || cx.is_behind_lambda() || cx.uses_a_block() {
            told = failure.start..rest_of_line(text, tokens, failure.start);
        }
    }
    words
}

/// Where the statement, or the line, ends that has something at a place.
fn rest_of_line(text: &str, tokens: &[Token], at: u32) -> u32 {
    let behind = tokens.partition_point(|token| token.start <= at);
    let ends = |token: &&Token| token.fresh || matches!(token.tok, Tok::Semi | Tok::LBrace | Tok::RBrace);
    tokens[behind..].iter().find(ends).map_or(text.len() as u32 + 1, |token| token.start)
}

/// Whether one of the ranges, which are in order, holds `at`; a range holds its end when nothing follows it there.
pub(crate) fn covers(ranges: &[(u32, u32)], at: u32) -> bool {
    let after = ranges.partition_point(|&(start, _)| start <= at);
    after > 0 && ranges[after - 1].1 >= at
}

/// How many tokens of a line are looked at on either side of a mistake: a line may have a million of both.
pub(crate) const FORM: usize = 64;

/// A failure with the text around it.
pub(crate) struct RecoverCx<'a> {
    pub(crate) text: &'a str,
    pub(crate) source: SourceId,
    pub(crate) tokens: &'a [Token],
    pub(crate) failure: &'a Failure,
}

impl<'a> RecoverCx<'a> {
    pub(crate) fn span(&self, token: Token) -> Span {
        Span::new(self.source, token.start as usize, token.end as usize)
    }

    fn diagnose(&self) -> Diagnostic {
        let failure = self.failure;
        let next = self.tokens.partition_point(|token| token.end <= failure.start);
        let previous = next.checked_sub(1).map(|at| self.tokens[at]);
        let here = Span::new(self.source, failure.start as usize, failure.end as usize);
        let found = self.found(next);
        if failure.tok == Tok::While {
            return report::missing_count(here, self.loop_word(next).unwrap_or_default());
        }
        if let Some(report) = self.foreign_word(next) {
            return report;
        }
        if let Some(report) = self.reserved_name(next).or_else(|| self.python_form(next, here)) {
            return report;
        }
        let Some(previous) = previous else { return report::unexpected(here, &found, &failure.expected.few) };
        let before = previous.text(self.text);
        let expected = &failure.expected;
        if expected.few == ["`:`"] {
            return report::missing_type(here, before);
        }
        if expected.with && !failure.tok.ends_operand() {
            return report::missing_with(here, &found, self.loop_word(next).unwrap_or_default());
        }
        // Where no value stands before it, one is missing, or a name.
        if failure.tok == Tok::Eq && !expected.assign && previous.tok.ends_operand() {
            return self.second_target(next, here).unwrap_or_else(|| report::assignment_in_expression(here));
        }
        if let Some(sign) = self.sign_of_body(next) {
            let apart = self.tokens.get(next).is_some_and(|token| token.fresh);
            return report::brace_behind_sign(here, sign, apart);
        }
        if failure.tok == Tok::LBrace {
            let behind = next.checked_sub(2).map_or("", |at| self.tokens[at].text(self.text));
            let is_state = expected.assign && matches!(behind, "with" | ",") && self.loop_word(next).is_some();
            return if is_state { report::missing_start(here, before) } else { report::stray_brace(here) };
        }
        if let Some(report) = self.definition(next, here) {
            return report;
        }
        if failure.tok == Tok::Colon && previous.fresh && previous.tok == Tok::Name {
            return report::annotation_without_let(here, before);
        }
        if expected.brace && expected.assign && failure.tok == Tok::Nl {
            return report::missing_body(self.span(previous).after());
        }
        if expected.operand && expected.line_end && self.tokens.get(next).is_some_and(|token| token.fresh) {
            return report::statement_start(here, &found, failure.tok.is_binary());
        }
        if expected.operand && !previous.tok.ends_operand() {
            let joined = self.operator_pair(previous, next);
            return report::missing_value(self.span(previous), here, before, &found, joined);
        }
        if expected.name && !expected.operand {
            return report::missing_name(here, before, &found, self.is_reserved(failure.tok));
        }
        if let Some(report) = self.bare_keyword(previous, next, here) {
            return report;
        }
        if let Some(report) = self.misplaced_loop(previous, next, here) {
            return report;
        }
        if failure.tok.is_atom() || failure.tok == Tok::Not || self.is_word(failure.tok) {
            let between = (before, &self.text[here.range()]);
            if expected.comma && !expected.line_end {
                return report::missing_comma(here, between, expected.closer);
            }
            if expected.line_end {
                return report::missing_separator(here, between, previous.tok == Tok::Name && failure.tok.is_atom());
            }
        }
        let end = "an operator or the end of the statement".to_owned();
        match expected.closer {
            Some(closer) => report::unexpected(here, &found, &["`,`".to_owned(), format!("`{closer}`")]),
            None if expected.line_end => report::unexpected(here, &found, &[end]),
            None => report::unexpected(here, &found, &expected.few),
        }
    }

    /// Where the statement of a place begins: with its line, or behind a `;` or a brace that is open.
    fn begin(&self, next: usize) -> Option<usize> {
        let mut closed = 0usize;
        for at in (next.saturating_sub(FORM)..next).rev() {
            let token = self.tokens[at];
            let opens = token.tok == Tok::LBrace;
            if closed == 0 && (opens || token.tok == Tok::Semi) {
                return (at + 1 < next).then_some(at + 1);
            }
            closed = closed + usize::from(token.tok == Tok::RBrace) - usize::from(opens);
            if token.fresh {
                return Some(at);
            }
        }
        None
    }

    /// The `=` of a function's head, and the blanks before it, where a `{` stands directly behind it.
    fn sign_of_body(&self, next: usize) -> Option<Span> {
        let from = self.begin(next)?;
        let statement = &self.tokens[from..next];
        let (&[.., before, sign], Tok::LBrace) = (statement, self.failure.tok) else { return None };
        let is_head = statement[0].tok == Tok::Fn
            && sign.tok == Tok::Eq
            && assignment(statement.iter().map(|token| token.tok)) == Some(statement.len() - 1);
        is_head.then(|| Span::new(self.source, before.end as usize, sign.end as usize))
    }

    /// `let f(x)` and `let a, b`: a function, or several names, after a word for one name; `output a*b`: an expression.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other token is one of these mistakes")]
    fn definition(&self, next: usize, here: Span) -> Option<Diagnostic> {
        if let Some(report) = self.second_name(next, here) {
            return Some(report);
        }
        let &[word, name] = &self.tokens[self.begin(next)?..next] else { return None };
        let text = name.text(self.text);
        if name.tok != Tok::Name {
            return None;
        }
        if word.text(self.text) == "output" {
            let goes_on = self.failure.tok.is_binary()
                || matches!(self.failure.tok, Tok::LParen | Tok::LBracket | Tok::Dot | Tok::Comma);
            return goes_on.then(|| report::nameless_output(here, text, &self.found(next)));
        }
        if !matches!(word.tok, Tok::Let | Tok::Var) {
            return None;
        }
        match self.failure.tok {
            Tok::LParen => Some(report::function_after_let(here, text, self.span(word), word.text(self.text))),
            Tok::Comma => {
                let line = self.text[name.start as usize..].lines().next().unwrap_or_default();
                Some(report::bare_tuple(here, text, word.text(self.text), line))
            }
            _ => None,
        }
    }

    /// `let s = 0.0, m = 0.0`
    fn second_name(&self, next: usize, here: Span) -> Option<Diagnostic> {
        let statement = &self.tokens[self.begin(next)?..next];
        let first = statement[0];
        let Some([name, sign]) = self.tokens.get(next + 1..next + 3) else { return None };
        let is_second = matches!(first.tok, Tok::Let | Tok::Var)
            && self.failure.tok == Tok::Comma
            && (name.tok, sign.tok) == (Tok::Name, Tok::Eq)
            && !name.fresh
            && statement.iter().any(|token| token.tok == Tok::Eq);
        is_second.then(|| report::habits::second_name(here, first.text(self.text), name.text(self.text)))
    }

    /// `a = b = 1`, `let a = b = 1`, at the second sign.
    fn second_target(&self, next: usize, here: Span) -> Option<Diagnostic> {
        let statement = &self.tokens[self.begin(next)?..next];
        let word = if matches!(statement[0].tok, Tok::Let | Tok::Var) { statement[0].text(self.text) } else { "" };
        let is_target = !word.is_empty() || statement[0].tok == Tok::Name;
        let sign = assignment(statement.iter().map(|token| token.tok))?;
        let behind = &statement[sign + 1..];
        let count = |is_one: fn(Tok) -> bool| behind.iter().filter(|token| is_one(token.tok)).count();
        let is_outside = count(Tok::is_opener) == count(Tok::is_closer);
        // A name, or a part of an array.
        let is_second = match behind {
            [name] => name.tok == Tok::Name,
            [name, opener, .., closer] => {
                name.tok == Tok::Name && opener.tok == Tok::LBracket && closer.tok == Tok::RBracket
            }
            _ => false,
        };
        let is_plain = statement[sign].tok == Tok::Eq && is_outside && self.loop_word(next).is_none();
        if !is_target || !is_second || !is_plain {
            return None;
        }
        let text = |tokens: &[Token]| {
            let (first, last) = (tokens.first()?, tokens.last()?);
            Some(&self.text[first.start as usize..last.end as usize])
        };
        let first = text(&statement[usize::from(!word.is_empty())..sign])?;
        Some(report::habits::second_target(here, word, first, text(behind)?))
    }

    /// `x in y`, `assert x, "text"`, `1, 2, 3`.
    fn python_form(&self, next: usize, here: Span) -> Option<Diagnostic> {
        let from = self.begin(next)?;
        let first = self.tokens[from];
        let ends = self.tokens[from..next].last().is_some_and(|token| token.tok.ends_operand());
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.text(self.text));
        let begins = first.text(self.text);
        if ends && begins != "input" && (word(next) == "in" || word(next) == "not" && word(next + 1) == "in") {
            return Some(report::membership(here));
        }
        if self.failure.tok != Tok::Comma || !self.failure.expected.line_end {
            return None;
        }
        let mut depth = 0i32;
        let in_statement = |token: &&Token| {
            depth += i32::from(token.tok == Tok::LBrace) - i32::from(token.tok == Tok::RBrace);
            !token.fresh && depth >= 0 && (token.tok != Tok::Semi || depth > 0)
        };
        let behind: Vec<&Token> = self.tokens[next..].iter().take(FORM).take_while(in_statement).collect();
        let last = behind.last()?;
        match begins {
            "assert" => {
                let is_last = self.tokens.get(next + behind.len()).is_none_or(|token| token.fresh);
                Some(report::assertion_text(here, is_last))
            }
            "let" | "var" | "output" => {
                // What stands side by side begins after the sign.
                let sign = self.tokens[from..next].iter().position(|token| token.tok == Tok::Eq)?;
                let first = self.tokens.get(from + sign + 1)?;
                let count = |is_one: fn(Tok) -> bool| behind.iter().filter(|token| is_one(token.tok)).count();
                let is_whole = count(Tok::is_opener) == count(Tok::is_closer);
                let is_spread = behind.windows(2).any(|pair| pair[0].tok == Tok::Comma && pair[1].tok == Tok::Star);
                let is_list = behind.len() > 1 && is_whole && !is_spread;
                let is_list = is_list && behind.iter().all(|token| token.tok != Tok::Eq);
                is_list.then(|| report::bare_list(here, &self.text[first.start as usize..last.end as usize]))
            }
            "fn" | "input" | "use" | "promotion" => None,
            _ => {
                let sign = assignment(self.tokens[from..next].iter().map(|token| token.tok));
                let behind_sign = sign.and_then(|sign| self.tokens.get(from + sign + 1));
                let text = |from: Token| &self.text[from.start as usize..last.end as usize];
                Some(match assignment(behind.iter().map(|token| token.tok)).is_some() {
                    true => report::several_targets(here, text(first)),
                    false => report::bare_list(here, text(behind_sign.copied().unwrap_or(first))),
                })
            }
        }
    }

    /// `output 3`: a word that would begin a statement if a name followed.
    fn bare_keyword(&self, previous: Token, next: usize, here: Span) -> Option<Diagnostic> {
        let word = previous.text(self.text);
        let wanted = match word {
            "input" | "output" => "a name",
            "use" => "a string",
            "promotion" => "the name of a system",
            "repeat" => "a number or a name",
            _ => return None,
        };
        // `output var = 3`
        let binds = self.tokens.get(next + 1).is_some_and(|token| matches!(token.tok, Tok::Eq | Tok::Colon));
        let report = || match binds && wanted == "a name" && self.is_reserved(self.failure.tok) {
            true => report::missing_name(here, word, &self.found(next), true),
            false => report::bare_keyword(here, word, wanted),
        };
        (previous.fresh && previous.tok == Tok::Name).then(report)
    }

    /// The word that begins a loop, before a place in its head.
    fn loop_word(&self, next: usize) -> Option<&'a str> {
        self.loop_word_token(next).map(|token| token.text(self.text))
    }

    /// A loop inside of an expression, or what is done with its value at once.
    fn misplaced_loop(&self, previous: Token, next: usize, here: Span) -> Option<Diagnostic> {
        let before = previous.text(self.text);
        if matches!(before, "repeat" | "scan") && self.failure.tok.is_atom() {
            return Some(report::loop_in_expression(self.span(previous), before));
        }
        if &self.text[here.range()] == "with"
            && let Some(word) = self.loop_word_token(next)
        {
            return Some(report::loop_in_expression(self.span(word), word.text(self.text)));
        }
        self.is_behind_brace(next).then(|| report::behind_brace(here, self.failure.tok.notation()))
    }

    /// Whether the failure is behind the brace of a block whose value is used at once.
    fn uses_a_block(&self) -> bool {
        self.is_behind_brace(self.tokens.partition_point(|token| token.end <= self.failure.start))
    }

    /// Whether the value of a block or a loop is used at once: `{ … }[0]`, `{ … }.T`.
    pub(crate) fn is_behind_brace(&self, next: usize) -> bool {
        let previous = next.checked_sub(1).map(|at| self.tokens[at].tok);
        previous == Some(Tok::RBrace) && matches!(self.failure.tok, Tok::LBracket | Tok::Dot)
    }

    fn loop_word_token(&self, next: usize) -> Option<Token> {
        for &token in self.tokens[next.saturating_sub(FORM)..next].iter().rev() {
            if matches!(token.text(self.text), "repeat" | "scan") {
                return Some(token);
            }
            if token.fresh || matches!(token.tok, Tok::LBrace | Tok::RBrace | Tok::Semi) {
                return None;
            }
        }
        None
    }

    fn is_word(&self, tok: Tok) -> bool {
        !tok.is_atom() && tok.notation().starts_with(|c: char| c.is_ascii_alphabetic())
    }

    /// Whether a token is a word that no name can be.
    fn is_reserved(&self, tok: Tok) -> bool {
        self.is_word(tok) || matches!(tok, Tok::True | Tok::False | Tok::None)
    }

    /// `output and = 3`: an operator of letters where a name is wanted.
    fn reserved_name(&self, next: usize) -> Option<Diagnostic> {
        let &[first, word] = &self.tokens[self.begin(next)?..next] else { return None };
        let begins = first.text(self.text);
        let is_name = matches!(word.tok, Tok::And | Tok::Or)
            && matches!(begins, "input" | "output")
            && matches!(self.failure.tok, Tok::Eq | Tok::Colon);
        let found = format!("`{}`", word.text(self.text));
        is_name.then(|| report::missing_name(self.span(word), begins, &found, true))
    }

    /// `x++`: two operators of which no operand stands between.
    fn operator_pair(&self, previous: Token, next: usize) -> bool {
        next >= 2 && {
            let first = self.tokens[next - 2];
            first.tok == previous.tok && first.end == previous.start && matches!(first.tok, Tok::Plus | Tok::Minus)
        }
    }

    /// What stands at the failure, in words.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other token is shown as it is written")]
    fn found(&self, next: usize) -> String {
        let text = &self.text[self.failure.start as usize..self.failure.end as usize];
        match self.failure.tok {
            Tok::Nl if next >= self.tokens.len() => "the end of the text".to_owned(),
            Tok::Nl if self.tokens[next].tok == Tok::RBrace => "`}`".to_owned(),
            Tok::Nl => "the end of the line".to_owned(),
            Tok::Str => "a string".to_owned(),
            tok if text.is_empty() => format!("`{}`", tok.notation()),
            _ => format!("`{}`", report::short(text)),
        }
    }
}

/// Where the first sign of an assignment stands that is in no brackets.
fn assignment(tokens: impl Iterator<Item = Tok>) -> Option<usize> {
    let mut depth = 0;
    tokens.enumerate().find_map(|(at, tok)| {
        depth += i32::from(tok.is_opener()) - i32::from(tok.is_closer());
        (depth == 0 && tok.is_assignment()).then_some(at)
    })
}
