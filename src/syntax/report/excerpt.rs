//! Excerpts of a text, as messages show them.

/// A text short enough for a message.
pub(crate) fn short(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Each character of a text with its place, and how many brackets are open behind it.
pub(super) fn depths(text: &str) -> impl Iterator<Item = (usize, char, i32)> {
    let mut depth = 0;
    text.char_indices().map(move |(at, c)| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        (at, c, depth)
    })
}
