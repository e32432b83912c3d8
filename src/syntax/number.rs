//! The reading of a number up to its end.
//!
//! A number takes every digit, letter and `_` that touches it, so that a malformed one is one message:
//! `12abc` is not `12` followed by `abc`. Values are computed by the checker, exactly, from the spelling.
//!
//! ```
//! use arrlang::syntax::number::suffix;
//! assert_eq!(suffix("0xffu8"), Some("u8"));
//! assert_eq!(suffix("1.5e3bf16"), Some("bf16"));
//! assert_eq!(suffix("0x1f32"), None);
//! ```

use super::token::Tok;
use crate::types::{DType, Kind};

/// How many digits a literal may have.
pub const MAX_DIGITS: usize = 10_000;

/// The dtype that may be written at the end of a number.
fn dtype_at_end(word: &str) -> Option<DType> {
    DType::ALL.into_iter().find(|dtype| dtype.name() == word)
}

/// What is wrong with a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// `0x`, `0b`
    NoDigits,
    /// `0b2`: the digit, and what the digits may be.
    Digit(char, &'static str),
    /// `08`
    LeadingZero,
    /// `1__0`, `1_`
    Underscore,
    /// `1e`
    Exponent,
    /// `12abc`
    Suffix(String),
    /// `1.5u8`
    Fraction(String),
    /// `0x1.8p3f32`
    HexSuffix,
    /// `0x1.8`
    HexPoint,
    /// `1.2.3`
    Points,
    /// More digits than [`MAX_DIGITS`].
    Long(usize),
}

/// The dtype at the end of a well-formed number.
pub fn suffix(number: &str) -> Option<&str> {
    let hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    let based = hexadecimal || number.starts_with("0b") || number.starts_with("0o");
    let start = if based { 2 } else { 0 };
    let own = |c: char| if hexadecimal { c.is_ascii_hexdigit() || "pP".contains(c) } else { "eEjJ".contains(c) };
    let at = number.get(start..)?.find(|c: char| c.is_ascii_alphabetic() && !own(c))? + start;
    number.get(at..)
}

/// The length of the number that `text` begins with, and its kind.
pub(crate) fn scan(text: &str) -> (usize, Result<Tok, Flaw>) {
    let mut scan = Scan { text, bytes: text.as_bytes(), at: 0 };
    let outcome = match scan.bytes {
        [b'0', b'x' | b'X', ..] => scan.hexadecimal(),
        [b'0', b'b' | b'B', ..] => scan.based("0 and 1", b'1'),
        [b'0', b'o' | b'O', ..] => scan.based("0 to 7", b'7'),
        _ => scan.decimal(),
    };
    let outcome = match (scan.touching_fraction(), outcome) {
        (true, Ok(_)) => Err(Flaw::Points),
        (_, outcome) => outcome,
    };
    let digits = scan.bytes[..scan.at].iter().filter(|b| b.is_ascii_hexdigit()).count();
    if digits > MAX_DIGITS { (scan.at, Err(Flaw::Long(digits))) } else { (scan.at, outcome) }
}

struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn take(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.at < self.bytes.len() && wanted(self.bytes[self.at]) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn digits(&mut self) -> &'a str {
        self.take(|b| b.is_ascii_digit() || b == b'_')
    }

    /// Letters and digits that touch the number.
    fn word(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// Takes a second `.5` after the number, which cannot belong to it.
    fn touching_fraction(&mut self) -> bool {
        let found = self.peek(0) == b'.' && self.peek(1).is_ascii_digit();
        while self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.word();
        }
        found
    }

    fn hexadecimal(&mut self) -> Result<Tok, Flaw> {
        self.at = 2;
        let whole = self.take(|b| b.is_ascii_hexdigit() || b == b'_');
        let mark = self.at;
        let mut fraction = "";
        if self.peek(0) == b'.' {
            self.at += 1;
            fraction = self.take(|b| b.is_ascii_hexdigit() || b == b'_');
        }
        let signed = usize::from(matches!(self.peek(1), b'+' | b'-'));
        if matches!(self.peek(0), b'p' | b'P') && self.peek(1 + signed).is_ascii_digit() {
            self.at += 1 + signed;
            grouped(self.digits())?;
            let word = self.word();
            if whole.is_empty() && fraction.is_empty() {
                return Err(Flaw::NoDigits);
            }
            grouped(whole.trim_start_matches('_')).and(grouped(fraction))?;
            return if word.is_empty() { Ok(Tok::Float) } else { Err(Flaw::HexSuffix) };
        }
        if self.peek(0) == b'p' && self.at > mark {
            self.word();
            return Err(Flaw::Exponent);
        }
        self.at = mark;
        let point = self.peek(0) == b'.' && self.peek(1).is_ascii_digit();
        let word = self.word();
        if point {
            self.touching_fraction();
            return Err(Flaw::HexPoint);
        }
        self.whole(whole.trim_start_matches('_'), word, "0 to 9 and a to f")
    }

    fn based(&mut self, range: &'static str, last: u8) -> Result<Tok, Flaw> {
        self.at = 2;
        let digits = self.digits();
        let word = self.word();
        match digits.bytes().find(|&b| b != b'_' && b > last) {
            Some(digit) => Err(Flaw::Digit(char::from(digit), range)),
            None => self.whole(digits.trim_start_matches('_'), word, range),
        }
    }

    /// An integer in another base: integer suffixes only.
    fn whole(&self, digits: &str, word: &str, range: &'static str) -> Result<Tok, Flaw> {
        match (digits.is_empty(), word.chars().next()) {
            (true, None) => return Err(Flaw::NoDigits),
            (true, Some(letter)) => return Err(Flaw::Digit(letter, range)),
            _ => grouped(digits)?,
        }
        match word {
            "" => Ok(Tok::Int),
            _ => match dtype_at_end(word) {
                None => Err(Flaw::Suffix(word.to_owned())),
                Some(dtype) if dtype.is_integer() => Ok(Tok::Int),
                Some(_) => Err(Flaw::HexSuffix),
            },
        }
    }

    fn decimal(&mut self) -> Result<Tok, Flaw> {
        let whole = self.digits();
        let mut fractional = false;
        let mut shape = grouped(whole);
        if self.peek(0) == b'.' && (self.peek(1).is_ascii_digit() || (!whole.is_empty() && self.point_belongs())) {
            fractional = true;
            self.at += 1;
            shape = shape.and(grouped(self.digits()));
        }
        if matches!(self.peek(0), b'e' | b'E') {
            let signed = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if self.peek(1 + signed).is_ascii_digit() {
                fractional = true;
                self.at += 1 + signed;
                shape = shape.and(grouped(self.digits()));
            } else if !self.peek(1).is_ascii_alphanumeric() && self.peek(1) != b'_' {
                self.at += 1;
                return Err(Flaw::Exponent);
            }
        }
        let word = self.word();
        shape?;
        let zeros =
            !fractional && whole.len() > 1 && whole.starts_with('0') && whole.bytes().any(|b| b > b'0' && b != b'_');
        match word {
            "j" | "J" => Ok(Tok::Imaginary),
            _ if zeros => Err(Flaw::LeadingZero),
            "" => Ok(if fractional { Tok::Float } else { Tok::Int }),
            _ => match dtype_at_end(word).map(DType::kind) {
                None => Err(Flaw::Suffix(word.to_owned())),
                Some(Kind::Float | Kind::Complex) => Ok(Tok::Float),
                Some(_) if fractional => Err(Flaw::Fraction(word.to_owned())),
                Some(_) => Ok(Tok::Int),
            },
        }
    }

    /// Whether a point after digits is part of the number: unless `.`, a letter or `_` follows, which begins something
    /// else, but for an exponent, `2.e-5`, and the imaginary unit, `3.j`.
    fn point_belongs(&self) -> bool {
        let begins_word = |c: char| c == '_' || c.is_alphanumeric();
        let mut rest = self.text[self.at + 1..].chars();
        match rest.next().unwrap_or(' ') {
            '.' => false,
            'j' | 'J' => !rest.next().is_some_and(begins_word),
            'e' | 'E' => {
                let rest = rest.as_str();
                rest.strip_prefix(['+', '-']).unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit())
            }
            next => !begins_word(next),
        }
    }
}

/// Underscores stand between two digits.
fn grouped(digits: &str) -> Result<(), Flaw> {
    let wrong = digits.starts_with('_') || digits.ends_with('_') || digits.contains("__");
    if wrong { Err(Flaw::Underscore) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_number_is_one_token() {
        for (text, kind) in [
            ("7", Tok::Int),
            ("1_000", Tok::Int),
            ("0xff", Tok::Int),
            ("0b101i16", Tok::Int),
            ("0o17", Tok::Int),
            ("255u8", Tok::Int),
            ("0xffu8", Tok::Int),
            ("1bool", Tok::Int),
            ("1.", Tok::Float),
            (".5", Tok::Float),
            ("255.", Tok::Float),
            ("1e-3", Tok::Float),
            ("0x1.8p3", Tok::Float),
            ("0x1p-3", Tok::Float),
            ("1.5f16", Tok::Float),
            ("0.1bf16", Tok::Float),
            ("1f32", Tok::Float),
            ("08.5", Tok::Float),
            ("2j", Tok::Imaginary),
            ("1.5j", Tok::Imaginary),
            ("3.j", Tok::Imaginary),
            ("2.e-5", Tok::Float),
            ("2.e5j", Tok::Imaginary),
            ("1.E5f32", Tok::Float),
            ("0x1f32", Tok::Int),
            ("00", Tok::Int),
        ] {
            assert_eq!(scan(text), (text.len(), Ok(kind)), "{text}");
        }
    }

    #[test]
    fn a_malformed_number_is_one_token_with_one_flaw() {
        for (text, flaw) in [
            ("0x", Flaw::NoDigits),
            ("0xg", Flaw::Digit('g', "0 to 9 and a to f")),
            ("0b2", Flaw::Digit('2', "0 and 1")),
            ("08", Flaw::LeadingZero),
            ("1__0", Flaw::Underscore),
            ("1_", Flaw::Underscore),
            ("1e", Flaw::Exponent),
            ("12abc", Flaw::Suffix("abc".into())),
            ("1.5u9", Flaw::Suffix("u9".into())),
            ("1.5u8", Flaw::Fraction("u8".into())),
            ("0x1.8p3f32", Flaw::HexSuffix),
            ("0x1.8", Flaw::HexPoint),
            ("1.2.3", Flaw::Points),
            ("0b1f32", Flaw::HexSuffix),
            ("2é", Flaw::Suffix("é".into())),
        ] {
            assert_eq!(scan(text), (text.len(), Err(flaw)), "{text}");
        }
    }

    #[test]
    fn a_point_before_a_point_or_a_name_is_not_part_of_the_number() {
        assert_eq!(scan("1..2"), (1, Ok(Tok::Int)));
        assert_eq!(scan("1.T"), (1, Ok(Tok::Int)));
        assert_eq!(scan("1.exp()"), (1, Ok(Tok::Int)));
        assert_eq!(scan("1.e-x"), (1, Ok(Tok::Int)));
        assert_eq!(scan("1.j_()"), (1, Ok(Tok::Int)));
        assert_eq!(scan("1.]"), (2, Ok(Tok::Float)));
        assert_eq!(scan("1e+x"), (2, Err(Flaw::Exponent)));
    }

    #[test]
    fn ten_thousand_digits_are_the_limit() {
        assert_eq!(scan(&"7".repeat(MAX_DIGITS)).1, Ok(Tok::Int));
        assert_eq!(scan(&"7".repeat(MAX_DIGITS + 1)).1, Err(Flaw::Long(MAX_DIGITS + 1)));
    }
}
