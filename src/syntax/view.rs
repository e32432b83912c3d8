//! Tokens for those who do not want a tree. They highlight, and tell whether the REPL should read another line.

use super::keywords;
use super::lexer::lex;
use super::token::Tok;
use crate::diagnostic::Diagnostics;
use crate::source::SourceId;
use std::ops::Range;

/// What a piece of text is, for colouring it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum TokenKind {
    /// `let`, `input` at the start of a statement, `and`, …
    Keyword,
    /// A variable, function, dtype or attribute.
    Name,
    /// A number, `true`, `None`.
    Literal,
    /// A string.
    String,
    /// `+`, `=`, `->`, …
    Operator,
    /// Brackets, `,`, `:`, `;`, `.`.
    Punctuation,
    /// From `#` to the end of the line.
    Comment,
    /// Something malformed.
    Broken,
}

/// The tokens and comments of a text, in order; blanks are what lies between.
pub fn tokens(text: &str) -> Vec<(TokenKind, Range<usize>)> {
    let lexed = lex(text, SourceId(0), &mut Diagnostics::new());
    let mut out = Vec::with_capacity(lexed.tokens.len() + lexed.comments.len());
    let mut starts = true;
    for (at, token) in lexed.tokens.iter().enumerate() {
        starts |= token.fresh;
        let keyword = starts && token.tok == Tok::Name && keywords::contextual(text, &lexed.tokens, at).is_some();
        let kind = if keyword { TokenKind::Keyword } else { kind(token.tok) };
        out.push((kind, token.start as usize..token.end as usize));
        starts = matches!(token.tok, Tok::Semi | Tok::LBrace | Tok::Eq);
    }
    out.extend(lexed.comments.iter().map(|comment| (TokenKind::Comment, comment.span.range())));
    out.sort_by_key(|(_, range)| range.start);
    out
}

#[expect(clippy::wildcard_enum_match_arm, reason = "what is no punctuation and no word is an operator")]
fn kind(tok: Tok) -> TokenKind {
    match tok {
        Tok::Name => TokenKind::Name,
        Tok::Int | Tok::Float | Tok::Imaginary | Tok::True | Tok::False | Tok::None => TokenKind::Literal,
        Tok::Str => TokenKind::String,
        Tok::Broken => TokenKind::Broken,
        Tok::Comma | Tok::Colon | Tok::Semi | Tok::Dot | Tok::DotDot | Tok::Ellipsis => TokenKind::Punctuation,
        tok if tok.is_opener() || tok.is_closer() => TokenKind::Punctuation,
        tok if tok.notation().starts_with(|c: char| c.is_ascii_alphabetic()) => TokenKind::Keyword,
        _ => TokenKind::Operator,
    }
}

/// Whether the text asks for another line: a bracket or block is open, or the last token wants an operand.
///
/// ```
/// use arrlang::syntax::is_incomplete;
/// assert!(is_incomplete("fn f(x) {"));
/// assert!(is_incomplete("let y = 1 +"));
/// assert!(!is_incomplete("let y = (1 + 2]"));
/// ```
pub fn is_incomplete(text: &str) -> bool {
    let mut lines = PendingLines::default();
    lines.add(text);
    lines.ask_for_more()
}

/// What is open behind lines that come one after the other. No token goes on in another line, so each is read once.
#[derive(Debug, Default)]
pub(crate) struct PendingLines {
    /// The closers of the brackets that are open.
    open: Vec<Tok>,
    /// Whether a closer closed something else.
    mismatched: bool,
    /// The last token.
    last: Option<Tok>,
}

impl PendingLines {
    /// Reads the next lines.
    pub(crate) fn add(&mut self, text: &str) {
        for token in lex(text, SourceId(0), &mut Diagnostics::new()).tokens {
            if token.tok.is_opener() {
                self.open.push(token.tok.closer());
            } else if token.tok.is_closer() && self.open.pop() != Some(token.tok) {
                self.mismatched = true;
            }
            self.last = Some(token.tok);
        }
    }

    /// Whether they ask for another line.
    pub(crate) fn ask_for_more(&self) -> bool {
        !self.mismatched && (!self.open.is_empty() || self.last.is_some_and(Tok::continues))
    }
}
