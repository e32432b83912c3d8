//! What is no table by its first bytes, where no name says what it is.
//!
//! A table may begin with any text, so only what no header looks like is told: the value that JSON begins with and not
//! its bracket alone, the size of a picture and not its two letters alone.
//!
//! ```text
//! {"p":1.5} → JSON   [x],[y] → a table   P5 512 512 → a picture   P5,P6 → a table   BZh9… → bzip2
//! ```

/// What the first bytes are, in words that follow "is"; nothing where they may be those of a table.
pub(super) fn kind(start: &[u8]) -> Option<&'static str> {
    let text = start.trim_ascii_start();
    let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word.as_bytes()));
    match text {
        [b'{', rest @ ..] if matches!(rest.trim_ascii_start(), [b'"' | b'}', ..]) => Some("JSON"),
        [b'[', rest @ ..] if is_value(rest.trim_ascii_start()) => Some("JSON"),
        [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', ..] => Some("packed by bzip2"),
        [b'P', b'1'..=b'6', rest @ ..] if has_size(rest) => Some("a picture"),
        _ if begins(&["%PDF-"]) => Some("PDF"),
        _ if begins(&["<?xml", "<!DOCTYPE", "<!doctype", "<html"]) => Some("XML or HTML"),
        _ => None,
    }
}

/// Whether a value of JSON begins here, or its list ends.
fn is_value(text: &[u8]) -> bool {
    match text {
        [b'"' | b'[' | b']' | b'{' | b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] => true,
        _ => ["true", "false", "null"].iter().any(|word| text.starts_with(word.as_bytes())),
    }
}

/// Whether a line has two whole numbers, behind a blank or a line's end and lines that begin with `#`.
fn has_size(text: &[u8]) -> bool {
    if !text.first().is_some_and(u8::is_ascii_whitespace) {
        return false;
    }
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).unwrap_or_default();
    let mut words = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let mut is_number = || words.next().is_some_and(|word| word.iter().all(u8::is_ascii_digit));
    is_number() && is_number()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_header_looks_like_is_told_by_its_first_bytes() {
        for (text, what) in [
            ("{\"p\":1.5}\n{\"p\":2.5}\n", "JSON"),
            (" {\n  \"p\": 1}", "JSON"),
            ("[1.5]\n", "JSON"),
            ("[\n  -1, null]", "JSON"),
            ("[]", "JSON"),
            ("BZh91AY&SY", "packed by bzip2"),
            ("P5\n512 512\n255\n\x01", "a picture"),
            ("P2 2 1 255 0 9", "a picture"),
            ("P6\n# made by a program\n4 4\n255\n", "a picture"),
            ("%PDF-1.7\n", "PDF"),
            ("<?xml version=\"1.0\"?>", "XML or HTML"),
        ] {
            assert_eq!(kind(text.as_bytes()), Some(what), "{text}");
        }
        for text in
            ["", "[x],[y]\n1,2\n", "{a}\n1\n", "P5\n512\n3\n", "P1 P2\n1 2\n", "P5,P6\n1,2\n", "BZh9\n1\n", "-1\n2\n"]
        {
            assert_eq!(kind(text.as_bytes()), None, "{text}");
        }
    }
}
