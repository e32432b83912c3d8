//! Blanks between two tokens of a line.

use super::super::token::Tok;
use super::pieces::Piece;

/// What an open bracket is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bracket {
    Block,
    /// Of a call, of parameters, or around an expression.
    Parens,
    /// Of an index or a shape.
    Index,
    /// Of an array literal.
    Literal,
}

/// What is known of a token before lines are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenSpacing {
    /// The innermost bracket around it; of a bracket, the one around that.
    inside: Option<Bracket>,
    /// For an operator, what it is here.
    role: TokenRole,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TokenRole {
    None,
    /// A sign, `~`.
    Prefix,
    /// Between two operands, without blanks, or with.
    Tight,
    Loose,
}

/// A bracket that is not closed yet, or the whole line.
struct OpenGroup {
    bracket: Option<Bracket>,
    /// Products that wait until it is known whether a sum or a comparison stands beside them.
    products: Vec<usize>,
    /// Whether one does.
    loose: bool,
}

/// `* / // % @`
fn is_product(tok: Tok) -> bool {
    matches!(tok, Tok::Star | Tok::Slash | Tok::SlashSlash | Tok::Percent | Tok::At)
}

/// What each token is.
#[expect(clippy::wildcard_enum_match_arm, reason = "the only other opener is `[`")]
pub(super) fn places(tokens: &[Piece]) -> Vec<TokenSpacing> {
    let mut places: Vec<TokenSpacing> = Vec::with_capacity(tokens.len());
    let mut open = vec![OpenGroup { bracket: None, products: Vec::new(), loose: false }];
    let mut before = Tok::Nl;
    let mut settings = false;
    for (at, piece) in tokens.iter().enumerate() {
        if piece.begins {
            settings = piece.tok == Tok::Promotion;
            before = Tok::Nl;
            settle(&mut open, &mut places);
        }
        let inside = open.last().and_then(|open| open.bracket);
        let tok = piece.tok;
        let mut role = TokenRole::None;
        if tok.is_binary() && before.ends_operand() {
            let indexed = inside == Some(Bracket::Index) && (is_product(tok) || matches!(tok, Tok::Plus | Tok::Minus));
            role = if tok == Tok::StarStar || indexed { TokenRole::Tight } else { TokenRole::Loose };
            if let Some(OpenGroup { products, loose, .. }) = open.last_mut() {
                match is_product(tok) {
                    true => products.push(at),
                    false => *loose |= tok != Tok::StarStar,
                }
            }
        } else if tok.is_prefix() && tok != Tok::Not {
            role = TokenRole::Prefix;
        } else if tok == Tok::Eq && (settings || inside == Some(Bracket::Parens)) {
            role = TokenRole::Tight;
        }
        if matches!(tok, Tok::Comma | Tok::Colon | Tok::Eq | Tok::Arrow) || tok.without_assignment().is_some() {
            settle(&mut open, &mut places);
        }
        if tok.is_closer() {
            settle(&mut open, &mut places);
            if open.len() > 1 {
                open.pop();
            }
        }
        let inside = if tok.is_closer() { open.last().and_then(|open| open.bracket) } else { inside };
        places.push(TokenSpacing { inside, role });
        if tok.is_opener() {
            let bracket = match tok {
                Tok::LBrace => Bracket::Block,
                Tok::LParen => Bracket::Parens,
                _ if before.ends_operand() => Bracket::Index,
                _ => Bracket::Literal,
            };
            open.push(OpenGroup { bracket: Some(bracket), products: Vec::new(), loose: false });
        }
        before = tok;
    }
    settle(&mut open, &mut places);
    places
}

/// An expression ends: its products are tight if something looser stands beside them.
fn settle(open: &mut [OpenGroup], places: &mut [TokenSpacing]) {
    let Some(OpenGroup { products, loose, .. }) = open.last_mut() else { return };
    for at in std::mem::take(products) {
        if *loose && let Some(place) = places.get_mut(at) {
            place.role = TokenRole::Tight;
        }
    }
    *loose = false;
}

/// Whether a blank stands between two tokens of a line.
pub(super) fn is_apart((prev, before): (Tok, TokenSpacing), (next, after): (Tok, TokenSpacing)) -> bool {
    if matches!(next, Tok::Comma | Tok::Semi | Tok::RParen | Tok::RBracket) || prev == Tok::Dot {
        return false;
    }
    if next == Tok::Dot {
        // `2.real` would be another number.
        return prev == Tok::Int;
    }
    if matches!(prev, Tok::LParen | Tok::LBracket) {
        return false;
    }
    if matches!(prev, Tok::Comma | Tok::Semi) {
        return true;
    }
    if next == Tok::Colon {
        return false;
    }
    if prev == Tok::Colon {
        return before.inside != Some(Bracket::Index);
    }
    match (before.role, after.role) {
        (TokenRole::Prefix | TokenRole::Tight, _) | (_, TokenRole::Tight) => false,
        (TokenRole::Loose, _) | (_, TokenRole::Loose) => true,
        _ => !(matches!(next, Tok::LParen | Tok::LBracket) && prev.ends_operand()),
    }
}
