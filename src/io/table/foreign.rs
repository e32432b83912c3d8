//! Files that are no tables by their first bytes, where no name says so.
//!
//! A table may begin with any text, so only what no header looks like is told: a whole list of JSON and not its bracket
//! alone, the lines of a picture's size and not its two letters alone.
//!
//! ```text
//! {"p":1.5} → JSON   [1.5]\n → JSON   [1.5]\n2\n → a table
//! P5\n9 9\n255\n → a picture   P5 9 9 → a table   BZh9… → bzip2
//! ```

use super::cell;
use super::packed::START;

/// What the first bytes are, in words that follow "is". `None` where they may be those of a table.
pub(super) fn kind(start: &[u8]) -> Option<&'static str> {
    let text = start.trim_ascii_start();
    let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word.as_bytes()));
    match text {
        [b'{', rest @ ..] if is_member(rest.trim_ascii_start()) => Some("JSON"),
        [b'[', ..] if is_list(text) => Some("JSON"),
        [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', ..] => Some("packed by bzip2"),
        [b'P', digit @ b'1'..=b'6', rest @ ..] if has_size(*digit, rest) => Some("a picture"),
        _ if begins(&["%PDF-"]) => Some("PDF"),
        _ if begins(&["<?xml", "<!DOCTYPE", "<!doctype"]) || is_page(text) => Some("XML or HTML"),
        _ => None,
    }
}

/// Whether a page of HTML begins here.
fn is_page(text: &[u8]) -> bool {
    let behind = text.strip_prefix(b"<html").and_then(<[u8]>::first);
    behind.is_some_and(|&byte| byte == b'>' || byte.is_ascii_whitespace())
}

/// Whether the first member of an object of JSON begins here, or an object without any ends.
fn is_member(text: &[u8]) -> bool {
    match text {
        [b'}', rest @ ..] => is_end(rest),
        [b'"', ..] => string(text).is_some_and(|len| text[len..].trim_ascii_start().starts_with(b":")),
        _ => false,
    }
}

/// Whether all of a list of JSON is here, or so much of it that it goes on behind what was looked at.
fn is_list(text: &[u8]) -> bool {
    let (mut at, mut depth) = (0, 0);
    while at < text.len() {
        let Some(len) = token(&text[at..]) else { return false };
        match text[at] {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += len;
        if depth == 0 {
            return is_end(&text[at..]);
        }
    }
    text.len() > START / 2
}

/// Whether a line ends here, and behind it is nothing, or one more value of JSON.
fn is_end(text: &[u8]) -> bool {
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    text[..end].trim_ascii().is_empty() && matches!(text[end..].trim_ascii_start(), [] | [b'[' | b'{', ..])
}

/// How long a sign, a string, a number or a word of JSON is. `None` where there is none.
fn token(text: &[u8]) -> Option<usize> {
    let first = *text.first()?;
    if first == b'"' {
        return string(text);
    }
    if b"[]{},:".contains(&first) || first.is_ascii_whitespace() {
        return Some(1);
    }
    let len = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(byte)).count();
    let word = &text[..len];
    let is_number = matches!(first, b'-' | b'0'..=b'9') && cell::float(word).is_some();
    let is_word = matches!(word, b"true" | b"false" | b"null" | b"NaN" | b"Infinity");
    // What is cut off may be any of them.
    (is_number || is_word || len == text.len()).then_some(len)
}

/// How long a string of JSON is that begins here. `None` where its line ends in it.
fn string(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return Some(at + 1),
            b'\n' => return None,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    Some(text.len())
}

/// Whether the letters of a picture stand alone in their line, and the size and the greatest value follow, behind lines
/// that begin with `#`. Pictures of two colours have no greatest value.
fn has_size(digit: u8, text: &[u8]) -> bool {
    let is_number = |word: Option<&[u8]>| word.is_some_and(|word| word.iter().all(u8::is_ascii_digit));
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.next().unwrap_or_default();
    if !first.is_empty() && !first.starts_with(b"#") {
        return false;
    }
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    let mut size = words(lines.next().unwrap_or_default());
    if !is_number(size.next()) || !is_number(size.next()) {
        return false;
    }
    match (digit, size.next()) {
        (b'1' | b'4', more) => more.is_none(),
        (_, Some(most)) => is_number(Some(most)),
        (_, None) => is_number(words(lines.next().unwrap_or_default()).next()),
    }
}

/// What stands between blanks.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
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
            ("[1]\n[2]\n", "JSON"),
            ("[[1, 2],\r\n [true, null]]\r\n", "JSON"),
            ("[\"a\\\"]\", {\"b\": NaN}]", "JSON"),
            ("{ }\n", "JSON"),
            ("BZh91AY&SY", "packed by bzip2"),
            ("P5\n512 512\n255\n\x01", "a picture"),
            ("P2\r\n2 1 255\r\n0 9\r\n", "a picture"),
            ("P1\n2 1\n1 0\n", "a picture"),
            ("P6\n# made by a program\n4 4\n255\n", "a picture"),
            ("%PDF-1.7\n", "PDF"),
            ("<?xml version=\"1.0\"?>", "XML or HTML"),
            ("<html lang=\"en\">", "XML or HTML"),
            ("<html>\n", "XML or HTML"),
        ] {
            assert_eq!(kind(text.as_bytes()), Some(what), "{text}");
        }
        for text in [
            "",
            "[x],[y]\n1,2\n",
            "[true_rate]\n1\n",
            "[nullable]\n1\n",
            "[0,1)\n1,2\n",
            "[1],[2]\n1,2\n",
            "[1] b\n1 2\n",
            "[1.5]\n1.5\n",
            "[5][0:]\n5\n",
            "[0,1\n2,3\n",
            "[\"a\"],b\n1,2\n",
            "{a}\n1\n",
            "{\"a\"}\n1\n",
            "{}\n1\n",
            "<html_len\n1\n",
            "P5\n512\n3\n",
            "P5\n512 512\n",
            "P1 P2\n1 2\n",
            "P1 10 20\n1 2 3\n",
            "P2 2 1 255\n1 2 3 4\n",
            "P5,P6\n1,2\n",
            "BZh9\n1\n",
            "-1\n2\n",
        ] {
            assert_eq!(kind(text.as_bytes()), None, "{text}");
        }
        let long = format!("[{}", "1.5,\n".repeat(START / 5));
        assert_eq!(kind(&long.as_bytes()[..START]), Some("JSON"), "its end was not looked at");
    }
}
