//! The pieces of a text: its tokens with their statements, then its comments.

use super::super::token::Tok;
use super::super::{brackets, layout, lexer};
use crate::diagnostic::Diagnostics;
use crate::source::SourceId;
use crate::source::stop::Stop;

/// A token where it stands.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) tok: Tok,
    /// Whether it begins a statement.
    pub(super) begins: bool,
}

/// What a text without errors consists of.
pub(super) struct ScriptPieces {
    pub(super) tokens: Vec<Piece>,
    /// From the `#` to the end of the line.
    pub(super) comments: Vec<(usize, usize)>,
}

impl ScriptPieces {
    pub(super) fn of(text: &str) -> Option<ScriptPieces> {
        let (id, mut found) = (SourceId(0), Diagnostics::new());
        let lexer::TokenStream { tokens, comments, mut flaws } = lexer::lex(text, id, &mut found);
        let brackets::BracketFault { repairs, deep } = brackets::repair(text, &tokens, id, &mut flaws, &mut found);
        let mut tainted = Vec::new();
        let input = layout::TokenizedText { text, source: id, tokens: &tokens };
        let filter = layout::TokenFilter::new(input, repairs, &flaws, &mut tainted, &mut found, Stop::default());
        let (mut pieces, mut begins) = (Vec::new(), true);
        for item in filter {
            let Ok((start, tok, end)) = item;
            if tok == Tok::Nl {
                begins = true;
                continue;
            }
            pieces.push(Piece { start: start as usize, end: end as usize, tok, begins });
            begins = matches!(tok, Tok::Semi | Tok::LBrace);
        }
        let comments = comments.iter().map(|comment| (comment.span.start as usize, comment.span.end as usize));
        (!found.has_errors() && deep.is_empty()).then(|| ScriptPieces { tokens: pieces, comments: comments.collect() })
    }

    /// Whether another text has the same tokens, statements and comments.
    pub(super) fn say_the_same(&self, text: &str, other: &ScriptPieces, theirs: &str) -> bool {
        let token = |text: &str, piece: &Piece| (piece.tok, piece.begins, text[piece.start..piece.end].to_owned());
        let comment = |text: &str, (start, end): &(usize, usize)| text[*start..*end].trim_end().to_owned();
        let ours =
            (self.tokens.iter().map(|piece| token(text, piece)), self.comments.iter().map(|it| comment(text, it)));
        let others = (
            other.tokens.iter().map(|piece| token(theirs, piece)),
            other.comments.iter().map(|it| comment(theirs, it)),
        );
        ours.0.eq(others.0) && ours.1.eq(others.1)
    }
}
