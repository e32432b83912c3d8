//! The call that the cursor stands in.

use crate::ops::elsewhere::modules;
use crate::syntax::{TokenKind, tokens};

/// An open call.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OpenCall<'a> {
    /// What is called.
    pub(super) name: &'a str,
    /// Whether it is written behind a value: `x.sum(`.
    pub(super) method: bool,
    /// How many arguments end before the cursor.
    pub(super) done: usize,
    /// Whether something of the next argument is there.
    pub(super) begun: bool,
}

/// The innermost call that is open at the end of a text.
pub(super) fn open(text: &str) -> Option<OpenCall<'_>> {
    // For each open bracket: where it stands among the tokens, how many commas, and whether something follows the last.
    let mut stack: Vec<(usize, usize, bool)> = Vec::new();
    let found = tokens(text);
    for (at, (kind, range)) in found.iter().enumerate() {
        match &text[range.clone()] {
            "(" | "[" | "{" if *kind == TokenKind::Punctuation => stack.push((at, 0, false)),
            ")" | "]" | "}" if *kind == TokenKind::Punctuation => {
                stack.pop()?;
                stack.iter_mut().last().into_iter().for_each(|call| call.2 = true);
            }
            "," if *kind == TokenKind::Punctuation => {
                stack.iter_mut().last().into_iter().for_each(|call| (call.1, call.2) = (call.1 + 1, false));
            }
            _ => stack.iter_mut().last().into_iter().for_each(|call| call.2 = true),
        }
    }
    let &(at, done, begun) = stack.last()?;
    let (kind, range) = found.get(at.checked_sub(1)?)?;
    let is_call = *kind == TokenKind::Name && text[found[at].1.clone()] == *"(" && range.end == found[at].1.start;
    let before = at.checked_sub(2).and_then(|at| found.get(at)).map(|(_, range)| &text[range.clone()]);
    let receiver = at.checked_sub(3).and_then(|at| found.get(at)).map(|(_, range)| &text[range.clone()]);
    let method = before == Some(".") && !receiver.is_some_and(modules::is_last);
    is_call.then(|| OpenCall { name: &text[range.clone()], method, done, begun })
}

/// The parameters in a signature: `x`, `axis=None` of `sum(x, axis=None) -> f32`.
pub(super) fn params(signature: &str) -> Vec<&str> {
    let Some((_, rest)) = signature.split_once('(') else { return Vec::new() };
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in rest.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' if depth == 0 => {
                found.push(rest[start..at].trim());
                break;
            }
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(rest[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.retain(|param| !param.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_open_call_is_found() {
        let call = |name, method, done, begun| Some(OpenCall { name, method, done, begun });
        assert_eq!(open("sum("), call("sum", false, 0, false));
        assert_eq!(open("1 + clip(x[0, 1], f(2), "), call("clip", false, 2, false));
        assert_eq!(open("clip(x, 1"), call("clip", false, 1, true));
        assert_eq!(open("x.sum("), call("sum", true, 0, false));
        assert_eq!(open("np.sum("), call("sum", false, 0, false));
        assert_eq!(open("sum(x)"), None);
        assert_eq!(open("sum(x["), None);
        assert_eq!(open("(1 + "), None);
    }

    #[test]
    fn signatures_come_apart() {
        assert_eq!(params("f(a, b: f32[n, 2], t=(1, 2)) -> f32"), ["a", "b: f32[n, 2]", "t=(1, 2)"]);
        assert_eq!(params("f()"), Vec::<&str>::new());
    }
}
