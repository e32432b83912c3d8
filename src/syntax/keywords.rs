//! Words that are keywords only where they begin a statement.
//!
//! `input`, `output` and the others are good names for variables, so they are keywords only at the start of a
//! statement and only when what follows could not follow a name: `input x` but not `input = 3`.

use super::token::{Tok, Token};

/// The keyword that the name at `at` is, if it stands at the start of a statement (`repeat`: or after `=`).
pub(crate) fn contextual(text: &str, tokens: &[Token], at: usize) -> Option<Tok> {
    let next = tokens.get(at + 1).filter(|next| !next.fresh)?.tok;
    let tok = match tokens[at].text(text) {
        "promotion" if matches!(next, Tok::Name | Tok::Str) => Tok::Promotion,
        "input" if next == Tok::Name => Tok::Input,
        "output" if next == Tok::Name => Tok::Output,
        "repeat" if matches!(next, Tok::Name | Tok::Int | Tok::Broken) => Tok::Repeat,
        "assert" if next.is_atom() || matches!(next, Tok::LParen | Tok::Not | Tok::Tilde) => Tok::Assert,
        "use" if next == Tok::Str => Tok::Use,
        _ => return None,
    };
    Some(tok)
}

/// Whether the first token of a line can only begin a statement, whatever stands before it.
pub(crate) fn begins_statement(text: &str, tokens: &[Token], at: usize) -> bool {
    match tokens[at].tok {
        Tok::Let | Tok::Fn | Tok::Var => true,
        Tok::Name => match contextual(text, tokens, at) {
            Some(Tok::Assert | Tok::Repeat) => tokens[at + 1].tok.is_atom(),
            found => found.is_some(),
        },
        _ => false,
    }
}

/// Whether it begins a statement that no block may hold.
pub(crate) fn is_top_level(text: &str, tokens: &[Token], at: usize) -> bool {
    match tokens[at].tok {
        Tok::Fn => true,
        Tok::Name => {
            matches!(contextual(text, tokens, at), Some(Tok::Promotion | Tok::Input | Tok::Output | Tok::Use))
        }
        _ => false,
    }
}
