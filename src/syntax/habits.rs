//! Forms of other languages, or misspelt words, where the parser failed: what to write instead.

use super::report::{c_operator, habits as report};
use super::token::{Tok, Token};
use crate::diagnostic::suggest::closest;
use crate::diagnostic::{Diagnostic, HelpTopic};
use crate::source::{SourceId, Span};
use crate::types::DType;

/// How many tokens of a line are looked at on either side of a mistake.
const FORM: usize = 64;

/// How many characters are looked at behind a `//`.
const REMARK: usize = 200;

/// An error, with how comments begin where it stands in words behind a `//`: `x // isn't it`.
pub(crate) fn with_comment(found: Diagnostic, text: &str, source: SourceId, tokens: &[Token]) -> Diagnostic {
    let Some(span) = found.span().filter(|span| span.source == source && found.is_error()) else { return found };
    if found.helps.iter().any(|help| help.topic == Some(HelpTopic::Comments)) {
        return found;
    }
    let next = tokens.partition_point(|token| token.start <= span.start);
    let mut sign: Option<Token> = None;
    for token in tokens[..next].iter().rev().take(FORM) {
        if token.tok == Tok::SlashSlash {
            sign = Some(*token);
        }
        if sign.is_some() || token.fresh {
            break;
        }
    }
    let Some(sign) = sign else { return found };
    let behind: String = text[sign.end as usize..].chars().take(REMARK).take_while(|&c| c != '\n').collect();
    // No quotient begins with the sign.
    let least = if sign.start == span.start { 1 } else { 2 };
    if is_remark(&behind, least) { report::also_comment(found) } else { found }
}

/// Whether a text is of words alone, and of some that are longer than the names of variables often are.
fn is_remark(text: &str, least: usize) -> bool {
    let words = text.trim_start_matches(['/', ' ']).split_whitespace();
    let words = words.map(|word| word.trim_matches(|c: char| "(),.;:!?'\"".contains(c)));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count();
    words.first().is_some_and(|word| word.starts_with(char::is_alphabetic))
        && words.iter().all(|word| word.chars().all(|c| c.is_alphanumeric() || "'-_".contains(c)))
        && words.iter().filter(|word| letters(word) > 1).count() >= least
}

/// A place where the parser failed, among the tokens around it.
pub(crate) struct WordAt<'a> {
    /// The script.
    pub(crate) text: &'a str,
    pub(crate) source: SourceId,
    pub(crate) tokens: &'a [Token],
    /// The first token at or behind the place.
    pub(crate) next: usize,
    /// What failed there; a line end is no token.
    pub(crate) tok: Tok,
    pub(crate) here: Span,
}

impl<'a> WordAt<'a> {
    /// What to say, if the form is a known one.
    pub(crate) fn explain(&self) -> Option<Diagnostic> {
        if let Some(found) = self.comment() {
            return Some(found);
        }
        let previous = self.back(1)?;
        self.operator(previous)
            .or_else(|| self.statement(previous))
            .or_else(|| self.definition())
            .or_else(|| self.conversion(previous))
            .or_else(|| self.dtype(previous))
    }

    fn back(&self, count: usize) -> Option<Token> {
        self.next.checked_sub(count).map(|at| self.tokens[at])
    }

    /// The token at the place, if one is there, and those of its line behind it.
    fn ahead(&self, count: usize) -> Option<Token> {
        let line = self.tokens.get(self.next + 1..self.next + 1 + count).unwrap_or_default();
        let is_line = self.tok != Tok::Nl && line.iter().all(|token| !token.fresh);
        let is_there = self.tokens.get(self.next).is_some_and(|token| token.start == self.here.start);
        self.tokens.get(self.next + count).copied().filter(|_| is_line && is_there)
    }

    fn word(&self, token: Token) -> &'a str {
        token.text(self.text)
    }

    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.source, start as usize, end as usize)
    }

    /// What is left of the line from a token on.
    fn rest(&self, from: usize) -> &'a str {
        let tokens = self.tokens.get(from..).unwrap_or_default();
        let behind = tokens.iter().skip(1).take(FORM).take_while(|token| !token.fresh);
        let end = behind.last().or(tokens.first()).map_or(0, |token| token.end);
        tokens.first().map_or("", |first| &self.text[first.start as usize..end as usize])
    }

    /// What is left of the statement from a token on; `…` where a bracket does not close on the line.
    fn value(&self, from: usize) -> &'a str {
        let tokens = self.tokens.get(from..).unwrap_or_default();
        let (mut depth, mut end) = (0i32, None);
        for (nth, token) in tokens.iter().enumerate().take(FORM) {
            let is_outside = depth == 0 && (token.tok == Tok::Semi || token.tok.is_closer());
            if is_outside || token.fresh && nth > 0 {
                break;
            }
            depth += i32::from(token.tok.is_opener()) - i32::from(token.tok.is_closer());
            end = Some(token.end);
        }
        match (tokens.first(), end) {
            (Some(first), Some(end)) if depth == 0 => &self.text[first.start as usize..end as usize],
            _ => "…",
        }
    }

    /// `// words`, `/* words */`, `-- words`.
    fn comment(&self) -> Option<Diagnostic> {
        let here = self.ahead(0)?;
        let is_star = here.tok == Tok::Slash && self.ahead(1).is_some_and(|star| star.tok == Tok::Star);
        if here.fresh && (here.tok == Tok::SlashSlash || is_star) {
            let sign = if here.tok == Tok::Slash { "/*" } else { "//" };
            return Some(report::comment(self.here, sign, self.next > 0 && sign == "//"));
        }
        let is_word = |token: Token| self.word(token).starts_with(char::is_alphabetic);
        let is_text = |token: Token| token.tok.is_atom() || is_word(token);
        // `// TODO: later`
        if here.fresh || !(is_text(here) || here.tok == Tok::Colon) {
            return None;
        }
        let near = &self.tokens[self.next.saturating_sub(FORM)..self.next];
        let words = near.iter().rev().take_while(|token| is_text(**token) && !token.fresh).count();
        let (last, sign) = (self.back(1)?, self.back(words + 1)?);
        let is_dashes = sign.tok == Tok::Minus
            && self.back(words + 2).is_some_and(|dash| dash.tok == Tok::Minus && dash.end == sign.start);
        let sign = match sign.tok == Tok::SlashSlash {
            true => "//",
            false if is_dashes => "--",
            false => return None,
        };
        (words > 0).then(|| report::comment_behind(self.here, (self.word(last), self.word(here)), sign))
    }

    /// `1 <> 2`, `3 |> sqrt`, `5 mod 3`, `x @= y`.
    fn operator(&self, previous: Token) -> Option<Diagnostic> {
        let here = self.ahead(0)?;
        if here.tok == Tok::Gt && previous.end == here.start {
            let span = self.span(previous.start, here.end);
            if previous.tok == Tok::Lt {
                return Some(c_operator(span, "<>", "!="));
            }
            if previous.tok == Tok::Pipe {
                let function = self.ahead(1).filter(|token| token.tok == Tok::Name).map_or("f", |name| self.word(name));
                let value = self.back(2).filter(|token| token.fresh && token.tok.is_atom());
                return Some(report::pipe(span, function, value.map_or("…", |value| self.word(value))));
            }
        }
        if here.tok == Tok::Eq
            && previous.tok == Tok::At
            && previous.end == here.start
            && let Some(name) = self.back(2).filter(|token| token.fresh && token.tok == Tok::Name)
        {
            let span = self.span(previous.start, here.end);
            return Some(report::product_update(span, self.word(name), self.value(self.next + 1)));
        }
        // `a ~= b`, `x.^2`, `x.*y` and `1:10` of MATLAB.
        let joined = self.span(previous.start, here.end);
        let behind = self.ahead(1).filter(|token| !here.fresh && !token.fresh);
        let is_sign = behind.is_some_and(|sign| sign.tok == Tok::Eq && sign.start == here.end);
        if here.tok == Tok::Tilde && is_sign && previous.tok.ends_operand() {
            return Some(c_operator(self.span(here.start, here.end + 1), "~=", "!="));
        }
        if previous.tok == Tok::Dot && previous.end == here.start {
            let (found, operator) = match self.word(here) {
                "^" => (".^", "**"),
                "*" => (".*", "*"),
                "/" => ("./", "/"),
                _ => return None,
            };
            return Some(c_operator(joined, found, operator));
        }
        if here.tok == Tok::Colon && behind.is_some() && self.is_number_outside(previous) {
            return Some(report::colon_range(self.here));
        }
        if !previous.tok.ends_operand() || here.fresh || self.ahead(1).is_none() {
            return None;
        }
        let operator = match self.word(here) {
            "mod" => "%",
            "div" => "//",
            "xor" => "^",
            _ => return None,
        };
        Some(report::operator_word(self.here, self.word(here), operator))
    }

    /// Whether a token is a number with which a value begins, in no brackets of its line: `1` of `x = 1:10`. In the head
    /// of a loop a `:` stands in place of a brace.
    fn is_number_outside(&self, token: Token) -> bool {
        let near = &self.tokens[self.next.saturating_sub(FORM)..self.next];
        let begins = near.iter().rposition(|token| token.fresh).unwrap_or(0);
        let line = &near[begins..];
        let is_loop = line.iter().any(|token| matches!(self.word(*token), "repeat" | "scan"));
        let count = |is_one: fn(Tok) -> bool| line.iter().filter(|token| is_one(token.tok)).count();
        let before = line.iter().rev().skip(1).find(|token| token.tok != Tok::Minus);
        matches!(token.tok, Tok::Int | Tok::Float)
            && !is_loop
            && before.is_none_or(|token| token.tok.is_assignment())
            && count(Tok::is_opener) == count(Tok::is_closer)
    }

    /// `ouput x = 3`, `float32 x = 3`, `y := 3`.
    fn statement(&self, previous: Token) -> Option<Diagnostic> {
        let (here, sign) = (self.ahead(0)?, self.ahead(1)?);
        let is_walrus = here.tok == Tok::Colon && sign.tok == Tok::Eq && here.end == sign.start;
        if is_walrus && previous.tok == Tok::Name && !previous.fresh {
            return Some(report::walrus_inside(self.span(here.start, sign.end), self.word(previous)));
        }
        if !previous.fresh || previous.tok != Tok::Name {
            return None;
        }
        let word = self.word(previous);
        if is_walrus {
            let value = self.rest(self.next + 2);
            return Some(report::walrus(self.here, word, value));
        }
        if here.tok != Tok::Name || here.fresh || !matches!(sign.tok, Tok::Eq | Tok::Colon) {
            return None;
        }
        let span = self.span(previous.start, previous.end);
        if let Some(dtype) = dtype_of(word).filter(|_| sign.tok == Tok::Eq) {
            return Some(report::type_first(span, word, dtype, self.word(here)));
        }
        let keyword = closest(word, ["let", "var", "input", "output"])?;
        Some(report::misspelt(span, word, keyword, self.rest(self.next)))
    }

    /// `fn f(x) -> x + 1`, `fn f(x): x + 1`, `fn f(x) => x`.
    fn definition(&self) -> Option<Diagnostic> {
        let near = self.next.saturating_sub(FORM);
        let first = self.tokens[near..self.next].iter().rfind(|token| token.fresh)?;
        if first.tok != Tok::Fn {
            return None;
        }
        let (previous, here) = (self.back(1)?, self.ahead(0));
        let tok = here.map_or(Tok::Nl, |token| token.tok);
        // Where the sign stands, and where the body begins.
        let (sign, body) = if previous.tok == Tok::RParen && tok == Tok::Colon {
            (self.next, self.next + 1)
        } else if previous.tok == Tok::Eq && tok == Tok::Gt {
            (self.next - 1, self.next + 1)
        } else if previous.tok == Tok::Arrow && here.is_some() {
            (self.next - 1, self.next)
        } else {
            let name = self.word(previous);
            let is_type = name.starts_with(|c: char| c == '_' || c.is_uppercase()) || dtype_of(name).is_some();
            let arrow = self.back(2).filter(|token| token.tok == Tok::Arrow && !is_type)?;
            let is_body = arrow.start > first.start && (tok == Tok::Nl || tok.is_binary());
            is_body.then_some((self.next - 2, self.next - 1))?
        };
        let span = self.span(self.tokens[sign].start, self.tokens[body - 1].end);
        let head = self.text[first.start as usize..self.tokens[sign].start as usize].trim_end();
        let is_there = self.tokens.get(body).is_some_and(|token| !token.fresh);
        let body = if is_there { self.rest(body) } else { "…" };
        let text = self.word(self.tokens[sign]);
        (text != "->" || !body.contains(" = ")).then(|| report::sign_of_body(span, text, head, body))
    }

    /// `x as f32`, `(f32)x`, `f"{n}"`.
    fn conversion(&self, previous: Token) -> Option<Diagnostic> {
        let here = self.ahead(0)?;
        if here.fresh {
            return None;
        }
        if here.tok == Tok::Str && previous.tok == Tok::Name && previous.end == here.start {
            let letters = self.word(previous);
            let is_prefix = letters.len() <= 2 && letters.chars().all(|c| "fFrRbBuU".contains(c));
            return is_prefix.then(|| report::string_prefix(self.span(previous.start, here.end), letters));
        }
        if self.word(here) == "as" && previous.tok.ends_operand() {
            let dtype = dtype_of(self.word(self.ahead(1)?))?;
            return Some(report::cast(self.here, "as", dtype));
        }
        let (open, name) = (self.back(3)?, self.back(2)?);
        if previous.tok != Tok::RParen || open.tok != Tok::LParen || !here.tok.is_atom() {
            return None;
        }
        let dtype = dtype_of(self.word(name))?;
        let text = &self.text[open.start as usize..previous.end as usize];
        Some(report::cast(self.span(open.start, previous.end), text, dtype))
    }

    /// `x: np.float32[n]`
    fn dtype(&self, module: Token) -> Option<Diagnostic> {
        let (point, name, before) = (self.ahead(0)?, self.ahead(1)?, self.back(2)?);
        let is_type = point.tok == Tok::Dot && matches!(before.tok, Tok::Colon | Tok::Arrow);
        let is_module = matches!(self.word(module), "np" | "numpy" | "jnp" | "jax" | "torch" | "tf" | "xp");
        let dtype = dtype_of(self.word(name)).filter(|_| is_type && is_module)?;
        Some(report::module_of_dtype(self.span(module.start, name.end), self.word(module), dtype))
    }
}

/// What a dtype of another language is here.
fn dtype_of(word: &str) -> Option<DType> {
    let name = match word {
        "int" | "long" => "i64",
        "float" | "double" => "f64",
        "complex" => "c128",
        "bool_" => "bool",
        _ => word.strip_suffix("_t").unwrap_or(word),
    };
    name.parse().ok()
}
