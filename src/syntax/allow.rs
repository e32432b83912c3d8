//! Comments that silence findings: `# arr: allow(precision-loss, widening)`.
//!
//! ```
//! use arrlang::syntax::allow;
//! let comment = "# both are small  # arr: allow(precision-loss)";
//! let found = allow::names(comment).unwrap().unwrap();
//! assert_eq!(&comment[found[0].clone()], "precision-loss");
//! assert_eq!(allow::with("# sum", &["widening"]), "# sum  # arr: allow(widening)");
//! assert_eq!(allow::without("# arr: allow(a, b)", &["a"]), "# arr: allow(b)");
//! ```

use std::ops::Range;

/// How such a comment begins; what follows is up to the language.
const MARK: &str = "# arr:";
const OPEN: &str = "allow(";

/// Where the mark is, and what stands between the parentheses; or the range of what is malformed.
type AllowParts = Result<(usize, Range<usize>), Range<usize>>;

/// The parts of a comment that wants to silence findings.
fn parts(comment: &str) -> Option<AllowParts> {
    let mark = comment.find(MARK)?;
    let after = mark + MARK.len();
    let start = after + (comment[after..].len() - comment[after..].trim_start().len());
    let malformed = Err(mark..comment.trim_end().len());
    let Some(inner) = comment[start..].strip_prefix(OPEN) else { return Some(malformed) };
    let open = start + OPEN.len();
    Some(match inner.find(')') {
        Some(len) if !inner[..len].trim().is_empty() => Ok((mark, open..open + len)),
        _ => malformed,
    })
}

/// The names that a comment silences, as ranges of its bytes; the range of what looks like a suppression and is none;
/// `None` for every other comment.
pub fn names(comment: &str) -> Option<Result<Vec<Range<usize>>, Range<usize>>> {
    Some(parts(comment)?.map(|(_, inner)| {
        let mut at = inner.start;
        let mut found = Vec::new();
        for part in comment[inner].split(',') {
            let lead = part.len() - part.trim_start().len();
            found.push(at + lead..at + lead + part.trim().len());
            at += part.len() + 1;
        }
        found
    }))
}

/// A comment that silences these names too; the comment may be empty. Of two marks only the first counts, so that it
/// stands before what is malformed.
pub fn with(comment: &str, more: &[&str]) -> String {
    let more = more.join(", ");
    let (before, after) = match parts(comment) {
        Some(Ok((_, inner))) => {
            let kept = comment[..inner.end].trim_end_matches([' ', ',']);
            return format!("{kept}, {more}{}", &comment[inner.end..]);
        }
        Some(Err(malformed)) => comment.split_at(malformed.start),
        None => (comment, ""),
    };
    let before = before.trim_end();
    let blanks = |text: &str| if text.is_empty() { "" } else { "  " };
    format!("{before}{}# arr: allow({more}){}{after}", blanks(before), blanks(after))
}

/// A comment that no longer silences these names; empty when nothing is left of it.
pub fn without(comment: &str, gone: &[&str]) -> String {
    let Some(Ok((mark, inner))) = parts(comment) else { return comment.to_owned() };
    let kept: Vec<&str> = comment[inner.clone()]
        .split(',')
        .map(str::trim)
        .filter(|name| !gone.contains(name) && !name.is_empty())
        .collect();
    let rest = comment.get(inner.end + 1..).unwrap_or_default();
    match (kept.is_empty(), rest.trim().is_empty()) {
        (false, _) => format!("{}{}{}", &comment[..inner.start], kept.join(", "), &comment[inner.end..]),
        (true, true) => comment[..mark].trim_end().to_owned(),
        (true, false) => format!("{}# {}", &comment[..mark], rest.trim_start_matches([' ', '#', '-', ':'])),
    }
}
