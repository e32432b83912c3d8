//! The bracket at the cursor with its partner.

use crate::syntax::{TokenKind, tokens};

/// The places of the bracket at or just before `pos` and of its partner; brackets in strings and comments are none.
pub(super) fn pair(text: &str, pos: usize) -> Option<[usize; 2]> {
    let is_bracket = |at: usize| text.as_bytes().get(at).is_some_and(|byte| b"()[]{}".contains(byte));
    if !is_bracket(pos) && !pos.checked_sub(1).is_some_and(is_bracket) {
        return None;
    }
    let mut open: Vec<usize> = Vec::new();
    let mut pairs = Vec::new();
    for (kind, range) in tokens(text) {
        match &text[range.clone()] {
            _ if kind != TokenKind::Punctuation => {}
            "(" | "[" | "{" => open.push(range.start),
            word @ (")" | "]" | "}") => {
                let start = open.pop()?;
                if !matches!((&text[start..=start], word), ("(", ")") | ("[", "]") | ("{", "}")) {
                    return None;
                }
                pairs.push([start, range.start]);
            }
            _ => {}
        }
    }
    let holds = |at: usize| pairs.iter().copied().find(|pair| pair.contains(&at));
    holds(pos).or_else(|| holds(pos.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partners_are_found_at_and_before_the_cursor() {
        let text = "f(x[1], \")\")";
        assert_eq!(pair(text, 1), Some([1, 11]));
        assert_eq!(pair(text, text.len()), Some([1, 11]));
        assert_eq!(pair(text, 3), Some([3, 5]));
        assert_eq!(pair(text, 0), None);
        assert_eq!(pair("(]", 0), None);
        assert_eq!(pair("(", 1), None);
    }
}
