//! Parsers of the values of options.

use crate::exec::MAX_THREADS;
use crate::io::{FORMATS, Format};
use std::num::NonZeroUsize;
use std::time::Duration;

/// `1`, `0.5`
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().ok().filter(|&number| (0.0..=3600.0).contains(&number));
    number.map(Duration::from_secs_f64).ok_or_else(|| "write a number of seconds, at most 3600".to_owned())
}

/// `500M`, `8G`, `1.5GiB`, `1000000`.
pub(super) fn size(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_uppercase();
    let factor = match unit.trim_end_matches("IB").trim_end_matches('B') {
        "" => 1.0,
        "K" => 1024.0,
        "M" => 1024f64.powi(2),
        "G" => 1024f64.powi(3),
        "T" => 1024f64.powi(4),
        _ => return Err("write a number and K, M, G or T, such as 500M".to_owned()),
    };
    match digits.parse::<f64>() {
        Ok(number) if number >= 0.0 && number * factor < 1e18 => Ok((number * factor) as usize),
        _ => Err("write a number and K, M, G or T, such as 500M".to_owned()),
    }
}

/// `3`
pub(super) fn digits(text: &str) -> Result<u8, String> {
    text.parse().ok().filter(|&digits| digits <= 17).ok_or_else(|| "write a number from 0 to 17".to_owned())
}

/// `-1`
pub(super) fn number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "write an integer, such as -1".to_owned())
}

/// `1`
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("write a number from 0 to {}", u64::MAX))
}

/// `;`, `tab`, `blank`
pub(super) fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        b"blank" | b" " => Ok(b' '),
        [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"\"\r\n.+-".contains(byte) => Ok(*byte),
        _ => Err("write one character that no number has, such as `;`, or `tab`, or `blank`".to_owned()),
    }
}

/// `csv`
pub(super) fn format(text: &str) -> Result<&'static Format, String> {
    let readable = || FORMATS.iter().filter(|format| format.can_read());
    let known = || readable().map(|format| format.extension).collect::<Vec<_>>().join(", ");
    readable().find(|format| format.extension == text).ok_or_else(|| format!("known are {}", known()))
}

/// `5000`, `all`
pub(super) fn threshold(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        _ => text.parse().map_err(|_| "write a number of elements, or `all`".to_owned()),
    }
}

/// `0`, `5`.
pub(super) fn rows(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("write a number from 0 to {}", u16::MAX))
}

/// `1`, `16`.
pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let wanted = || format!("write a number from 1 to {MAX_THREADS}");
    let number: NonZeroUsize = text.trim().parse().map_err(|_| wanted())?;
    if number.get() > MAX_THREADS { Err(wanted()) } else { Ok(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_characters_that_no_number_has() {
        assert_eq!([delimiter(";"), delimiter("tab"), delimiter("blank")], [Ok(b';'), Ok(b'\t'), Ok(b' ')]);
        assert!(["", "1", "a", "\"", "ab", "é", "-"].iter().all(|text| delimiter(text).is_err()));
    }

    #[test]
    fn rows_are_counted_from_nothing_on() {
        assert_eq!([rows("0"), rows("65535")], [Ok(0), Ok(65535)]);
        assert!(["-1", "65536", "x", ""].iter().all(|text| rows(text).unwrap_err().contains("from 0 to 65535")));
    }

    #[test]
    fn numbers_of_threads_are_from_one_to_the_ceiling() {
        assert_eq!(threads("1").unwrap().get(), 1);
        assert_eq!(threads(&MAX_THREADS.to_string()).unwrap().get(), MAX_THREADS);
        for text in ["0", "-1", "", "two", "1.5", "99999999999999999999", &(MAX_THREADS + 1).to_string()] {
            assert!(threads(text).unwrap_err().contains("from 1 to 1024"), "{text}");
        }
    }
}
