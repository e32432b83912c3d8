//! The fields of a record, one after the other, without copying them.
//!
//! A field in quotes may hold delimiters, line ends, and quotes as `""`. A quote elsewhere in a field is a character.
//!
//! ```text
//! 1,"a, ""b""",3\n   →   `1` · `a, "b"` · `3`
//! ```

use super::bad;
use crate::io::error::IoError;
use std::borrow::Cow;
use std::path::Path;

/// What parts fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Delimiter {
    /// One byte.
    Byte(u8),
    /// Blanks and tabs, any number of them, also before the first field and behind the last.
    Blanks,
}

/// A field as it stands in the file, and what ended it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'b> {
    /// Without blanks around it, and without quotes; what stands in quotes is as it is there.
    pub(super) text: &'b [u8],
    /// Whether it stood in quotes, where `""` is a quote.
    pub(super) quoted: bool,
    /// Whether the record ends here.
    pub(super) last: bool,
}

impl<'b> Field<'b> {
    /// Its text without blanks at the ends of what stands in quotes either: those belong to words alone.
    #[inline]
    pub(super) fn bare(&self) -> &'b [u8] {
        trimmed(self.text)
    }

    /// What the field says.
    pub(super) fn said(&self) -> Cow<'b, [u8]> {
        if !self.quoted || memchr::memchr(b'"', self.text).is_none() {
            return Cow::Borrowed(self.text);
        }
        let mut text = Vec::with_capacity(self.text.len());
        let mut bytes = self.text.iter();
        while let Some(&byte) = bytes.next() {
            text.push(byte);
            if byte == b'"' {
                bytes.next();
            }
        }
        Cow::Owned(text)
    }
}

/// What is wrong with a field in quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum QuoteFault {
    /// What follows the quote that ends it is neither a delimiter nor a line's end.
    TextBehind,
    /// No quote ends it.
    Open,
}

impl QuoteFault {
    /// In words, of a field in this line.
    pub(super) fn told(self, path: &Path, line: usize) -> IoError {
        match self {
            QuoteFault::TextBehind => bad(path, format!("has text behind a closing quote in line {line}"))
                .help("a quote within quotes is written twice: `\"\"`"),
            QuoteFault::Open => bad(path, format!("has a quote in line {line} that none closes"))
                .help("a quote at the start of a field goes on up to the next one; as text it is written `\"\"\"\"`"),
        }
    }
}

/// Fields of bytes that end where a record does.
pub(super) struct Fields<'b> {
    bytes: &'b [u8],
    at: usize,
    delimiter: Delimiter,
    fault: Option<QuoteFault>,
}

impl<'b> Fields<'b> {
    pub(super) fn new(bytes: &'b [u8], delimiter: Delimiter) -> Fields<'b> {
        Fields { bytes, at: 0, delimiter, fault: None }
    }

    /// Where the next field begins.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes past lines without anything in them. Returns whether there is another record.
    #[inline]
    pub(super) fn record(&mut self) -> bool {
        loop {
            match &self.bytes[self.at..] {
                [] => return false,
                [b'\n', ..] => self.at += 1,
                [b'\r', b'\n', ..] => self.at += 2,
                [b'\r'] => return false,
                [b' ' | b'\t', ..] if self.delimiter == Delimiter::Blanks => self.at += 1,
                _ => return true,
            }
        }
    }

    /// The next field of the record.
    pub(super) fn next(&mut self) -> Result<Field<'b>, QuoteFault> {
        let field = self.field();
        self.fault().map_or(Ok(field), Err)
    }

    /// The next field of the record. If something is wrong with its quotes, it is the last one, and [`Fields::fault`]
    /// says what. An answer that is one of several things goes through memory in pieces that overlap, and reading it
    /// takes longer than parting the fields.
    #[inline(always)]
    pub(super) fn field(&mut self) -> Field<'b> {
        match self.delimiter {
            Delimiter::Byte(byte) => self.parted(byte),
            Delimiter::Blanks => self.word(),
        }
    }

    /// What is wrong with the last field.
    #[inline(always)]
    pub(super) fn fault(&self) -> Option<QuoteFault> {
        self.fault
    }

    /// Notes what is wrong with a field.
    fn wrong(&mut self, fault: QuoteFault) -> Field<'b> {
        self.fault = Some(fault);
        Field { text: &[], quoted: true, last: true }
    }

    #[inline(always)]
    fn parted(&mut self, delimiter: u8) -> Field<'b> {
        match self.bytes.get(self.at) {
            Some(b'"') => return self.quoted(delimiter),
            Some(b' ' | b'\t') => {
                let quote = self.at + blanks(&self.bytes[self.at..], delimiter);
                if self.bytes.get(quote) == Some(&b'"') {
                    self.at = quote;
                    return self.quoted(delimiter);
                }
            }
            _ => {}
        }
        let start = self.at;
        let end = find(self.bytes, start, delimiter);
        self.at = (end + 1).min(self.bytes.len());
        let last = self.bytes.get(end) != Some(&delimiter);
        Field { text: trimmed(&self.bytes[start..end]), quoted: false, last }
    }

    /// A field that begins with a quote.
    #[inline(never)]
    fn quoted(&mut self, delimiter: u8) -> Field<'b> {
        let start = self.at + 1;
        let Some(end) = closing(self.bytes, start) else { return self.wrong(QuoteFault::Open) };
        let behind = find(self.bytes, end, delimiter);
        let rest = self.bytes.get(end + 1..behind).unwrap_or_default();
        if !trimmed(rest).is_empty() {
            return self.wrong(QuoteFault::TextBehind);
        }
        self.at = (behind + 1).min(self.bytes.len());
        let last = self.bytes.get(behind) != Some(&delimiter);
        Field { text: &self.bytes[start..end], quoted: true, last }
    }

    #[inline(never)]
    fn word(&mut self) -> Field<'b> {
        let blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r');
        let skip = |from: usize| from + self.bytes[from..].iter().take_while(|&&byte| blank(byte)).count();
        let (start, quoted) = match self.bytes.get(self.at) {
            Some(b'"') => (self.at + 1, true),
            _ => (self.at, false),
        };
        let end = match quoted {
            true => closing(self.bytes, start),
            false => {
                Some(start + self.bytes[start..].iter().take_while(|&&byte| !blank(byte) && byte != b'\n').count())
            }
        };
        let Some(end) = end else { return self.wrong(QuoteFault::Open) };
        let behind = (end + usize::from(quoted)).min(self.bytes.len());
        if quoted && self.bytes.get(behind).is_some_and(|&byte| !blank(byte) && byte != b'\n') {
            return self.wrong(QuoteFault::TextBehind);
        }
        let next = skip(behind);
        let last = matches!(self.bytes.get(next), None | Some(b'\n'));
        self.at = if last { (next + 1).min(self.bytes.len()) } else { next };
        Field { text: &self.bytes[start..end], quoted, last }
    }
}

/// How many blanks come first that delimit nothing.
fn blanks(bytes: &[u8], delimiter: u8) -> usize {
    bytes.iter().take_while(|&&byte| matches!(byte, b' ' | b'\t') && byte != delimiter).count()
}

/// The quote that ends a field which begins at `start`.
fn closing(bytes: &[u8], start: usize) -> Option<usize> {
    let mut from = start;
    while let Some(found) = memchr::memchr(b'"', &bytes[from..]) {
        let at = from + found;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        from = at + 2;
    }
    None
}

/// Where `delimiter` or a line's end is first, from `start`; else the end of the bytes. Fields are short: eight bytes
/// at a time are faster than a search for each that is made for long texts.
#[inline]
fn find(bytes: &[u8], start: usize, delimiter: u8) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    let parts = ONES.wrapping_mul(u64::from(delimiter));
    let ends = ONES * b'\n' as u64;
    let mut at = start;
    while let Some(word) = bytes[at..].first_chunk::<8>() {
        let word = u64::from_le_bytes(*word);
        let (first, second) = (word ^ parts, word ^ ends);
        // The lowest of these bits is at the first byte that is 0, whatever is above it.
        let zeros = (first.wrapping_sub(ONES) & !first | second.wrapping_sub(ONES) & !second) & HIGH;
        if zeros != 0 {
            return at + zeros.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|&&byte| byte != delimiter && byte != b'\n').count()
}

/// Without blanks around it.
#[inline]
fn trimmed(text: &[u8]) -> &[u8] {
    match text {
        [b'!'..=0xff, .., b'!'..=0xff] | [b'!'..=0xff] | [] => text,
        _ => text.trim_ascii(),
    }
}

/// How many bytes at the start of `bytes` are whole records. A line's end between quotes is none of a record.
pub(super) fn whole_records(bytes: &[u8], delimiter: Delimiter) -> usize {
    let starts_field = |at: usize| match delimiter {
        Delimiter::Byte(delimiter) => {
            let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t') && *byte != delimiter;
            let before = bytes[..at].iter().rev().find(|byte| !is_blank(byte));
            before.is_none_or(|&byte| byte == b'\n' || byte == delimiter)
        }
        Delimiter::Blanks => at.checked_sub(1).is_none_or(|before| matches!(bytes[before], b'\n' | b' ' | b'\t')),
    };
    let (mut from, mut whole) = (0, 0);
    loop {
        // From `from` on, up to `end`, no quotes are open.
        let mut end = from;
        let opened = loop {
            match memchr::memchr(b'"', &bytes[end..]) {
                Some(found) if starts_field(end + found) => break Some(end + found),
                Some(found) => end += found + 1,
                None => break None,
            }
        };
        let end = opened.unwrap_or(bytes.len());
        if let Some(found) = memchr::memrchr(b'\n', &bytes[from..end]) {
            whole = from + found + 1;
        }
        match opened {
            Some(opened) => match closing(bytes, opened + 1) {
                Some(closed) if closed + 1 < bytes.len() => from = closed + 1,
                _ => return whole,
            },
            None => return whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, delimiter: Delimiter) -> Vec<Vec<String>> {
        let (mut fields, mut records) = (Fields::new(text.as_bytes(), delimiter), Vec::new());
        while fields.record() {
            let mut record = Vec::new();
            loop {
                let field = fields.next().unwrap();
                record.push(String::from_utf8(field.said().into_owned()).unwrap());
                if field.last {
                    break;
                }
            }
            records.push(record);
        }
        records
    }

    #[test]
    fn quotes_hold_what_would_part_fields_and_records() {
        let comma = Delimiter::Byte(b',');
        assert_eq!(
            read("a, b ,c\r\n\r\n1,\"x\n\"\"y\"\" , z\",\n", comma),
            [["a", "b", "c"], ["1", "x\n\"y\" , z", ""]]
        );
        assert_eq!(read("5\" pipe,2", comma), [["5\" pipe", "2"]]);
        assert_eq!(read("\"\",\"\"\"\"", comma), [["", "\""]]);
        assert_eq!(read("123456789,1234567,12345678", comma), [["123456789", "1234567", "12345678"]]);
        assert_eq!(read("  1  2\t3 \n4 \"5 6\" 7\n\n", Delimiter::Blanks), [["1", "2", "3"], ["4", "5 6", "7"]]);
    }

    #[test]
    fn records_are_whole_up_to_their_last_line_end_outside_of_quotes() {
        let comma = Delimiter::Byte(b',');
        for (text, whole) in [
            ("a\nb\nc", 4),
            ("a\n\"b\nc", 2),
            ("a\n\"b\nc\"\nd", 8),
            ("5\" pipe\nx", 8),
            ("\"a\n\"\"b\n", 0),
            ("a,\"\n\"\nb,\"\"\n", 11),
            ("", 0),
        ] {
            assert_eq!(whole_records(text.as_bytes(), comma), whole, "{text:?}");
        }
    }
}
