//! Fixes carried out. Those that go together make a new text.
//!
//! Nothing is read or written here: a text and diagnostics about it go in, another text comes out. The same
//! diagnostics always choose the same fixes.
//!
//! ```
//! use arrlang::diagnostic::{Diagnostic, Diagnostics, Edit, Fix, codes, fix};
//! use arrlang::source::{SourceId, Span};
//! let place = Span::new(SourceId(0), 4, 6);
//! let edit = Edit { span: place, text: "and".to_owned() };
//! let mut found = Diagnostics::new();
//! let one = Diagnostic::error(&codes::syntax::C_OPERATOR, place, "`&&` is written `and`");
//! found.push(one.fix("write `and`", Fix { edits: vec![edit], keeps_values: true }));
//! let fixes = fix::chosen(&found, SourceId(0), fix::Fixes::KeepingValues);
//! assert_eq!(fix::apply("a > && b", &fixes).as_deref(), Some("a > and b"));
//! ```

use super::{Diagnostic, Edit, Fix};
use crate::source::SourceId;
use std::cmp::Reverse;

/// Which fixes are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixes {
    /// The fixes that keep values.
    KeepingValues,
    /// Also the fixes that may change values.
    All,
}

/// The fixes of one source that can be carried out at once: of every diagnostic the first that applies, and where two
/// touch, the one that ends first. So of an expression and a part of it the part is mended: what is to be done about
/// the rest may depend on it.
pub fn chosen<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    source: SourceId,
    which: Fixes,
) -> Vec<&'d Fix> {
    let mut fixes: Vec<FittingFix> =
        diagnostics.into_iter().filter_map(|diagnostic| first(diagnostic, source, which)).collect();
    fixes.sort_by_key(|fitting| (fitting.end, Reverse(fitting.start)));
    let mut free = None;
    fixes.retain(|&FittingFix { start, end, .. }| {
        let apart = free.is_none_or(|free| start > free);
        if apart {
            free = Some(end);
        }
        apart
    });
    fixes.into_iter().map(|fitting| fitting.fix).collect()
}

/// Whether a diagnostic has a fix that changes this source alone.
pub fn is_fixable(diagnostic: &Diagnostic, source: SourceId, which: Fixes) -> bool {
    first(diagnostic, source, which).is_some()
}

/// A fix that can be carried out, with the bytes from its first edit to its last.
struct FittingFix<'d> {
    start: u32,
    end: u32,
    fix: &'d Fix,
}

/// The first fix that changes nothing but this source.
fn first(diagnostic: &Diagnostic, source: SourceId, which: Fixes) -> Option<FittingFix<'_>> {
    let fixes = diagnostic.helps.iter().filter_map(|help| help.fix.as_ref());
    let mut fitting = fixes
        .filter(|fix| {
            (which == Fixes::All || fix.keeps_values) && fix.edits.iter().all(|edit| edit.span.source == source)
        })
        .filter_map(|fix| {
            let start = fix.edits.iter().map(|edit| edit.span.start).min()?;
            let end = fix.edits.iter().map(|edit| edit.span.end).max()?;
            Some(FittingFix { start, end, fix })
        });
    fitting.next()
}

/// The edits of fixes in the order of their places. Insertions at one place keep their order.
pub fn in_order<'f>(fixes: &[&'f Fix]) -> Vec<&'f Edit> {
    let mut edits: Vec<&Edit> = fixes.iter().flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits
}

/// The text with these fixes carried out; nothing when their edits overlap or do not lie in it. Line ends in
/// replacements are those of the text.
pub fn apply(text: &str, fixes: &[&Fix]) -> Option<String> {
    let edits = in_order(fixes);
    let returns = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
    let mut new = String::with_capacity(text.len() + 16 * edits.len());
    let mut done = 0;
    for edit in edits {
        let range = edit.span.range();
        new.push_str(text.get(done..range.start)?);
        text.get(range.clone())?;
        match returns {
            true => new.push_str(&edit.text.replace("\r\n", "\n").replace('\n', "\r\n")),
            false => new.push_str(&edit.text),
        }
        done = range.end;
    }
    new.push_str(text.get(done..)?);
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::codes;
    use crate::source::Span;

    fn fix(edits: &[(usize, usize, &str)]) -> Fix {
        let edit = |&(start, end, text): &(usize, usize, &str)| Edit {
            span: Span::new(SourceId(0), start, end),
            text: text.to_owned(),
        };
        Fix { edits: edits.iter().map(edit).collect(), keeps_values: true }
    }

    fn with(fixes: Vec<Fix>) -> Diagnostic {
        let bare = Diagnostic::unlocated(&codes::names::UNKNOWN_NAME, "one");
        fixes.into_iter().fold(bare, |diagnostic, fix| diagnostic.fix("do it", fix))
    }

    #[test]
    fn edits_are_carried_out_in_order() {
        let cast = fix(&[(4, 5, ")"), (0, 0, "f64("), (1, 1, "")]);
        assert_eq!(apply("abcde", &[&cast]).as_deref(), Some("f64(abcd)"));
        assert_eq!(apply("é", &[&fix(&[(1, 2, "x")])]), None, "half a character");
        assert_eq!(apply("é", &[&fix(&[(0, 9, "x")])]), None, "beyond the end");
        let (one, two) = (fix(&[(0, 3, "x")]), fix(&[(2, 4, "y")]));
        assert_eq!(apply("abcde", &[&one, &two]), None, "overlapping");
    }

    #[test]
    fn line_ends_are_those_of_the_text() {
        let new = fix(&[(0, 0, "let a = 1\n")]);
        assert_eq!(apply("b\r\nc", &[&new]).as_deref(), Some("let a = 1\r\nb\r\nc"));
        assert_eq!(apply("b\nc", &[&new]).as_deref(), Some("let a = 1\nb\nc"));
    }

    #[test]
    fn of_touching_fixes_the_inner_is_taken() {
        let outer = with(vec![fix(&[(0, 0, "("), (9, 9, ")")])]);
        let inner = with(vec![fix(&[(0, 0, "f64("), (1, 1, ")")])]);
        let apart = with(vec![fix(&[(10, 11, "x")])]);
        let all = [&apart, &outer, &inner];
        let taken = chosen(all, SourceId(0), Fixes::KeepingValues);
        assert_eq!(taken.iter().map(|fix| fix.edits[0].span.start).collect::<Vec<_>>(), [0, 10]);
        assert_eq!(taken[0].edits[0].text, "f64(");
    }

    #[test]
    fn the_first_fitting_fix_of_a_diagnostic_is_taken() {
        let both = with(vec![Fix { keeps_values: false, ..fix(&[(0, 1, "new")]) }, fix(&[(0, 1, "same")])]);
        assert_eq!(chosen([&both], SourceId(0), Fixes::KeepingValues)[0].edits[0].text, "same");
        assert_eq!(chosen([&both], SourceId(0), Fixes::All)[0].edits[0].text, "new");
        assert!(chosen([&both], SourceId(1), Fixes::All).is_empty(), "another file");
        assert!(is_fixable(&both, SourceId(0), Fixes::KeepingValues));
        assert!(!is_fixable(&with(Vec::new()), SourceId(0), Fixes::All));
    }
}
