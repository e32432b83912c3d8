//! The one canonical formatting of a script: `arr fmt`.
//!
//! Line breaks are the author's; everything between them is not. Products are written tightly beside sums, `2*a + 3*b`;
//! `**` and what stands in an index are always tight. A line is as far in as the brackets around it are deep. Comments
//! at the ends of lines one below the other stand in one column. Of blank lines one is left. Long names of dtypes
//! become short, `np.` goes, names from elsewhere become ours, and `x.f(y)` becomes `f(x, y)`.
//!
//! ```
//! use arrlang::syntax::format::{Spellings, format};
//! let words = Spellings {
//!     short: &|_| None,
//!     function: &|name| (name == "sum").then_some("sum"),
//!     qualified: &|_, _| None,
//!     keyword: &|_, _| None,
//!     spoken: &|_, _| false,
//!     ordered: &|_, _, _| false,
//! };
//! assert_eq!(format("let  y=2 * a.sum( )+b", &words).as_deref(), Some("let y = 2*sum(a) + b\n"));
//! assert_eq!(format("let y = (", &words), None);
//! ```

mod lines;
mod spacing;
mod spelling;

use super::token::Tok;
use super::{ast::Script, brackets, layout, lexer};
use crate::diagnostic::Diagnostics;
use crate::source::stop::Stop;
use crate::source::{SourceId, Sources};

/// What a formatter must know of names.
pub struct Spellings<'a> {
    /// The short name of a dtype that has a long one.
    pub short: &'a dyn Fn(&str) -> Option<&'static str>,
    /// Our name of a builtin function, whatever it is called.
    pub function: &'a dyn Fn(&str) -> Option<&'static str>,
    /// Our name of what stands behind a module, `np.linalg` and `norm`.
    pub qualified: &'a dyn Fn(&str, &str) -> Option<&'static str>,
    /// Our name of a keyword of a function, where it is another.
    pub keyword: &'a dyn Fn(&str, &str) -> Option<&'static str>,
    /// Whether a function that is called with a keyword is that of another library: `x.std(dim=1)`.
    pub spoken: &'a dyn Fn(&str, &str) -> bool,
    /// Whether a function behind a module takes this number of positional arguments in another order than ours.
    pub ordered: &'a dyn Fn(&str, &str, usize) -> bool,
}

impl std::fmt::Debug for Spellings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Spellings")
    }
}

/// A text as it should be written; `None` if it has errors of syntax, or cannot be formatted without becoming another.
pub fn format(text: &str, words: &Spellings) -> Option<String> {
    let mut sources = Sources::new();
    let id = sources.add("", text);
    let mut found = Diagnostics::new();
    let script = super::parse(&sources, id, &mut found);
    if found.has_errors() {
        return None;
    }
    let respelled = spelling::apply(text, &script, words);
    let pieces = ScriptPieces::of(&respelled)?;
    let formatted = lines::write(&respelled, &pieces);
    let again = ScriptPieces::of(&formatted)?;
    pieces.say_the_same(&respelled, &again, &formatted).then_some(formatted)
}

/// A token where it stands.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    tok: Tok,
    /// Whether it begins a statement.
    begins: bool,
}

/// What a text without errors consists of.
struct ScriptPieces {
    tokens: Vec<Piece>,
    /// From the `#` to the end of the line.
    comments: Vec<(usize, usize)>,
}

impl ScriptPieces {
    fn of(text: &str) -> Option<ScriptPieces> {
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
    fn say_the_same(&self, text: &str, other: &ScriptPieces, theirs: &str) -> bool {
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

/// The statements of a script and of all blocks in it, in no order.
pub(super) fn all_statements(script: &Script) -> Vec<&super::ast::Stmt> {
    use super::ast::{ExprKind, StmtKind};
    let mut found: Vec<&super::ast::Stmt> = script.stmts.iter().collect();
    for expr in &script.exprs {
        if let ExprKind::Loop(it) = &expr.kind {
            found.extend(&it.body.stmts);
        }
    }
    let mut at = 0;
    while let Some(stmt) = found.get(at) {
        if let StmtKind::Fn(function) = &stmt.kind {
            found.extend(&function.body.stmts);
        }
        at += 1;
    }
    found
}
