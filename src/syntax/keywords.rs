//! Words that are keywords only where they begin a statement.
//!
//! `input`, `output` and the others are good names for variables, so they are keywords only at the start of a
//! statement and only when what follows could not follow a name: `input x` but not `input = 3`. For `assert` blanks
//! decide about a sign or a bracket: `assert -1 < x` but not `assert - 1`.

use super::token::{Tok, Token};

/// The keyword that the name at `at` is, if it stands at the start of a statement (`repeat`, `scan`: or after `=`).
pub(crate) fn contextual(text: &str, tokens: &[Token], at: usize) -> Option<Tok> {
    let next = tokens.get(at + 1).filter(|next| !next.fresh)?.tok;
    let tok = match tokens[at].text(text) {
        "promotion" if matches!(next, Tok::Name | Tok::Str) => Tok::Promotion,
        "input" if next == Tok::Name => Tok::Input,
        "output" if next == Tok::Name => Tok::Output,
        "repeat" if matches!(next, Tok::Name | Tok::Int | Tok::Float | Tok::Broken) => Tok::Repeat,
        // `repeat(x, 3)` is a call.
        "repeat" if next == Tok::LParen && goes_on(text, tokens, at + 1) => Tok::Repeat,
        "repeat" if stands_before_operand(tokens, at + 1) && goes_on(text, tokens, at + 1) => Tok::Repeat,
        "scan" if matches!(next, Tok::Name | Tok::Broken) => Tok::Scan,
        "scan" if next.is_opener() && goes_on(text, tokens, at + 1) => Tok::Scan,
        "assert" if next.is_atom() || matches!(next, Tok::LParen | Tok::Not | Tok::Tilde) => Tok::Assert,
        // `assert - x` is a difference, and `assert[0]` an element.
        "assert" if stands_before_operand(tokens, at + 1) => Tok::Assert,
        "use" if next == Tok::Str => Tok::Use,
        _ => return None,
    };
    Some(tok)
}

/// Whether a sign or a bracket is set as one that begins an operand: ` -x` and ` [0]`, but not ` - x` and `[0]`.
fn stands_before_operand(tokens: &[Token], at: usize) -> bool {
    let [before, token, behind, ..] = tokens[at - 1..] else { return false };
    let sign = matches!(token.tok, Tok::Minus | Tok::Plus) && token.end == behind.start;
    before.end < token.start && (sign || token.tok == Tok::LBracket)
}

/// What follows the count of a loop.
pub(crate) fn of_loop(word: &str) -> Option<Tok> {
    Some(match word {
        "as" => Tok::As,
        "while" => Tok::While,
        "along" => Tok::Along,
        "reverse" => Tok::Reverse,
        "with" => Tok::With,
        _ => return None,
    })
}

/// Whether the sign or the bracket at `at` is the beginning of a count: a word of loops, or an operator and then one,
/// follows it on its line.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other token may stand between the parentheses and the word")]
fn goes_on(text: &str, tokens: &[Token], at: usize) -> bool {
    let mut open = 0usize;
    for token in &tokens[at..] {
        match token.tok {
            tok if tok.is_opener() => open += 1,
            tok if tok.is_closer() => open = open.saturating_sub(1),
            Tok::Name if open == 0 && !token.fresh && of_loop(token.text(text)).is_some() => return true,
            Tok::LineEnd | Tok::Nl | Tok::Semi | Tok::Eq if open == 0 => return false,
            _ if open == 0 && token.fresh => return false,
            _ => {}
        }
    }
    false
}

/// Whether the first token of a line can only begin a statement, whatever stands before it.
pub(crate) fn begins_statement(text: &str, tokens: &[Token], at: usize) -> bool {
    let tok = tokens[at].tok;
    if tok != Tok::Name {
        return matches!(tok, Tok::Let | Tok::Fn | Tok::Var);
    }
    match contextual(text, tokens, at) {
        Some(Tok::Assert | Tok::Repeat | Tok::Scan) => tokens[at + 1].tok.is_atom(),
        found => found.is_some(),
    }
}

/// Whether it begins a statement that no block may hold.
pub(crate) fn is_top_level(text: &str, tokens: &[Token], at: usize) -> bool {
    let tok = tokens[at].tok;
    if tok != Tok::Name {
        return tok == Tok::Fn;
    }
    matches!(contextual(text, tokens, at), Some(Tok::Promotion | Tok::Input | Tok::Output | Tok::Use))
}
