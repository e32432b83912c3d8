//! One cell of a table: its text as a number, a truth value, or nothing.
//!
//! The text comes without the blanks around it. Each function answers what the text is, or `None`; nothing is guessed
//! from a part of it.
//!
//! ```text
//! `12` → int 12 · `1.5e3` → float 1500 · `N/A` → missing
//! ```

use crate::array::calendar;
use crate::scalar::Scalar;
use crate::types::dtype::DType;

/// The words for a value that is not there. An empty cell is one too.
const MISSING: &[&[u8]] = &[b"NA", b"N/A", b"nan", b"null", b"-"];

/// Whether a cell says that there is no value.
pub(super) fn is_missing(text: &[u8]) -> bool {
    text.is_empty() || (text.len() <= 4 && MISSING.iter().any(|word| text.eq_ignore_ascii_case(word)))
}

/// A whole number that fits in `i64`.
#[inline]
pub(super) fn int(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    // Sixteen digits cannot overflow.
    if digits.is_empty() || digits.len() > 16 {
        return std::str::from_utf8(text).ok()?.parse().ok();
    }
    let number = number_of(digits)? as i64;
    Some(if negative { -number } else { number })
}

/// A whole number of at most fifteen digits without zeros in front of others: what loses nothing as a float either.
#[inline]
pub(super) fn plain(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'0', _, ..] => return None,
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > 15 || (negative && digits[0] == b'0') {
        return None;
    }
    let number = number_of(digits)? as i64;
    Some(if negative { -number } else { number })
}

/// The bytes of a text of at most eight, the first one lowest, and zeros above them.
#[inline]
pub(super) fn word(text: &[u8]) -> u64 {
    let long = |at: usize| text[at..].first_chunk().map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)));
    match text {
        [] => 0,
        // The first, the middle and the last are all there are.
        [first, .., last] if text.len() < 4 => {
            let middle = text.len() / 2;
            u64::from(*first) | u64::from(text[middle]) << (8 * middle) | u64::from(*last) << (8 * (text.len() - 1))
        }
        [one] => u64::from(*one),
        // Bytes that both halves hold are the same.
        _ => long(0) | long(text.len() - 4) << (8 * (text.len() - 4)),
    }
}

/// The number of at most eight digits; 0 of none. All are taken at once: pairs, then fours, then eight.
#[inline]
fn eight(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return Some(0);
    }
    // Zeros before the first digit change nothing.
    let missing = 8 * (8 - text.len());
    let digits = word(text) << missing ^ (0x3030_3030_3030_3030 << missing);
    let beyond_nine = digits.wrapping_add(0x7676_7676_7676_7676) | digits;
    if beyond_nine & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff)
}

/// The number of at most sixteen digits; 0 of none.
#[inline]
fn number_of(digits: &[u8]) -> Option<u64> {
    match digits.len().checked_sub(8) {
        None | Some(0) => eight(digits),
        Some(first) => Some(eight(&digits[..first])? * 100_000_000 + eight(&digits[first..])?),
    }
}

/// Whether the text is a whole number, of any size.
pub(super) fn is_whole(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Whether the text is a 0 with a minus sign and no point: floats are written so, and no integer is.
pub(super) fn is_minus_zero(text: &[u8]) -> bool {
    matches!(text, [b'-', b'0', rest @ ..] if rest.iter().all(|&digit| digit == b'0'))
}

/// The nearest float to a decimal number; `inf` and `nan` in any case.
#[inline]
pub(super) fn float(text: &[u8]) -> Option<f64> {
    short(text).or_else(|| any_float(text))
}

/// As [`float`], for texts that are not short.
pub(super) fn any_float(text: &[u8]) -> Option<f64> {
    fast_float2::parse(text).ok()
}

/// Powers of ten that `f64` holds exactly, as many as fifteen digits need.
const TENS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Powers of ten as whole numbers, as many as fifteen digits need.
const WHOLE_TENS: [u64; 16] = {
    let mut tens = [1; 16];
    let mut at = 1;
    while at < 16 {
        tens[at] = tens[at - 1] * 10;
        at += 1;
    }
    tens
};

/// A number of at most fifteen digits, with a point or without: its digits and the power of ten are floats, so that
/// their quotient is rounded once. Nothing for any other text, and for one with zeros in front of others.
#[inline]
pub(super) fn short(text: &[u8]) -> Option<f64> {
    let (negative, digits) = match text {
        [b'0', b'0'..=b'9', ..] => return None,
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if digits.len() > 16 {
        return None;
    }
    let point = point(digits);
    let behind = digits.get(point + 1..).unwrap_or_default();
    let count = point + behind.len();
    if count == 0 || count > 15 {
        return None;
    }
    let number = number_of(&digits[..point])? * WHOLE_TENS[behind.len()] + number_of(behind)?;
    let value = number as f64 / TENS[behind.len()];
    Some(if negative { -value } else { value })
}

/// Where the first point of at most sixteen bytes is; behind them if there is none.
#[inline]
fn point(text: &[u8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let within = |text: &[u8]| {
        let other = word(text) ^ (ONES * b'.' as u64);
        let zeros = other.wrapping_sub(ONES) & !other & (ONES << 7);
        (zeros.trailing_zeros() as usize / 8).min(text.len())
    };
    match text.split_at_checked(8) {
        None => within(text),
        Some((first, rest)) => match within(first) {
            8 => 8 + within(rest),
            at => at,
        },
    }
}

/// The bits of a number in a dtype, or why it has none.
pub(super) fn number(text: &[u8], dtype: DType) -> Result<u64, CellFault> {
    let whole = |least: i128, most: i128| match std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()) {
        Some(number) if (least..=most).contains(&number) => Ok(number as u64),
        Some(_) => Err(unfit(text, dtype)),
        None if is_whole(text) => Err(unfit(text, dtype)),
        None => Err(match float(text) {
            Some(number) if number.fract() == 0.0 => CellFault::Pointed,
            Some(_) => CellFault::Fraction,
            None => CellFault::NoNumber,
        }),
    };
    match dtype {
        DType::I64 => int(text).map_or_else(|| whole(i64::MIN.into(), i64::MAX.into()), |number| Ok(number as u64)),
        DType::F64 => any_float(text).map(f64::to_bits).ok_or(CellFault::NoNumber),
        // Read as what it is: a rounding to f64 first could end elsewhere.
        DType::F32 => {
            fast_float2::parse::<f32, _>(text).map(|it| u64::from(it.to_bits())).map_err(|_| CellFault::NoNumber)
        }
        DType::I8 => whole(i8::MIN.into(), i8::MAX.into()),
        DType::I16 => whole(i16::MIN.into(), i16::MAX.into()),
        DType::I32 => whole(i32::MIN.into(), i32::MAX.into()),
        DType::U8 => whole(0, u8::MAX.into()),
        DType::U16 => whole(0, u16::MAX.into()),
        DType::U32 => whole(0, u32::MAX.into()),
        DType::U64 => whole(0, u64::MAX.into()),
        DType::Bool => match text {
            b"1" => Ok(1),
            b"0" => Ok(0),
            _ => flag(text).ok_or(CellFault::NoFlag),
        },
        DType::C64 | DType::C128 => Err(CellFault::Complex),
        small @ (DType::F8E4m3 | DType::F8E5m2 | DType::Bf16 | DType::F16) => {
            float(text).map(|it| Scalar::of_f64(small, it).bits as u64).ok_or(CellFault::NoNumber)
        }
    }
}

/// Why a whole number is not in a dtype.
pub(super) fn unfit(text: &[u8], dtype: DType) -> CellFault {
    if any_float(text).is_some_and(f64::is_infinite) {
        return CellFault::Beyond(dtype);
    }
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse::<i128>().ok());
    CellFault::Unfit(dtype, number.and_then(|number| holder(number, dtype)))
}

/// The dtype of integers that holds a number which is not in `dtype`; if there is one, a dtype that holds all of that
/// too.
fn holder(number: i128, dtype: DType) -> Option<DType> {
    let holds = |it: &DType| it.integer_range().is_some_and(|(least, most)| (least..=most).contains(&number));
    let wider = [DType::I16, DType::I32, DType::I64].into_iter().filter(|it| it.size() > dtype.size());
    wider.chain([DType::U64, DType::I64]).find(holds)
}

/// What a cell of a column of words looks like, that is read as a word all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Resemblance {
    /// Nothing, or a word for it.
    Missing,
    /// A number.
    Number,
    /// A number as people write it, and no program reads it.
    Written,
    /// A truth value.
    Flag,
    /// A date, or a date with a time.
    Date,
}

/// Whether somebody might have meant something else than a word.
pub(super) fn odd(text: &[u8]) -> Option<Resemblance> {
    match text {
        _ if is_missing(text) => Some(Resemblance::Missing),
        _ if float(text).is_some() => Some(Resemblance::Number),
        _ if flag(text).is_some() => Some(Resemblance::Flag),
        _ if calendar::date(text).is_some() || calendar::time(text).is_ok() => Some(Resemblance::Date),
        _ if is_written(text) => Some(Resemblance::Written),
        _ => None,
    }
}

/// Whether a text is a number as people write it: `1,234.5`, `1 234`, `1_000`, `1,5`, `$5`, `12%`, `0x1F`.
fn is_written(text: &[u8]) -> bool {
    const SIGNS: [char; 5] = ['$', '€', '£', '¥', '%'];
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    let bare = text.trim_start_matches(SIGNS).trim_end_matches(SIGNS).trim();
    if bare.len() < text.len() && !bare.is_empty() && float(bare.as_bytes()).is_some() {
        return true;
    }
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = |text: &str, between: char| {
        let mut groups = text.split(between);
        let first = groups.next().is_some_and(|first| is_digits(first) && first.len() <= 3);
        first && text.contains(between) && groups.all(|group| is_digits(group) && group.len() == 3)
    };
    let ends =
        |point: char| bare.rsplit_once(point).filter(|(_, behind)| is_digits(behind)).map_or(bare, |(whole, _)| whole);
    let english = [',', '_', ' ', '\''].into_iter().any(|between| grouped(ends('.'), between));
    let other = ['.', ' ', '\''].into_iter().any(|between| grouped(ends(','), between));
    english || other || bare.split_once(',').is_some_and(|(whole, behind)| is_digits(whole) && is_digits(behind))
}

/// Why a cell is not what its column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellFault {
    /// A missing value where the dtype has no room for one.
    Missing,
    /// No number.
    NoNumber,
    /// A number that is not whole.
    Fraction,
    /// A whole number that is written with a point or an exponent.
    Pointed,
    /// A whole number outside of a dtype, and the dtype of integers that holds it.
    Unfit(DType, Option<DType>),
    /// A whole number outside of a dtype that no float holds either.
    Beyond(DType),
    /// A missing value, and what is to stand in its place is outside of the dtype.
    Filler(i64, DType),
    /// No truth value.
    NoFlag,
    /// Numbers and truth values in one column.
    Mixed,
    /// A date where nothing says that dates are meant.
    Date,
    /// A date and a time where nothing says so.
    Time,
    /// No date.
    NoDate,
    /// No date with a time.
    NoTime,
    /// A time beyond the microsecond.
    Finer,
    /// A complex dtype.
    Complex,
    /// No UTF-8.
    NoText,
    /// Words where nothing may be shown.
    Words,
}

/// `true` and `false` as programs write them.
#[inline]
pub(super) fn flag(text: &[u8]) -> Option<u64> {
    match text {
        b"true" | b"True" | b"TRUE" => Some(1),
        b"false" | b"False" | b"FALSE" => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_up_to_their_ends() {
        for (text, number) in [("0", 0), ("-0", 0), ("+7", 7), ("999999999999999999", 999_999_999_999_999_999)] {
            assert_eq!(int(text.as_bytes()), Some(number), "{text}");
        }
        assert_eq!(int(b"-9223372036854775808"), Some(i64::MIN));
        assert_eq!(int(b"00000000000000000000000012"), Some(12));
        for text in ["", "-", "+", "1.0", "1e3", "9223372036854775808", " 1", "1_000", "0x1"] {
            assert_eq!(int(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn plain_numbers_are_whole_ones_that_lose_nothing() {
        for number in [0, 7, -1, 10, -999_999_999_999_999, 999_999_999_999_999] {
            assert_eq!(plain(number.to_string().as_bytes()), Some(number));
        }
        for text in
            ["", "-", "+7", "007", "00", "-01", "-0", "1.0", "1e3", "1234567890123456", " 1", "1_0", "0x1", "--1"]
        {
            assert_eq!(plain(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn short_numbers_are_those_of_any_length() {
        let texts =
            ["0", "-0", "-0.0", "1.", ".5", "-12.25", "0.1", "999999999999999", "123456789.123456", "0.00000000000001"];
        for text in texts {
            let any: f64 = fast_float2::parse(text).unwrap();
            assert_eq!(short(text.as_bytes()).map(f64::to_bits), Some(any.to_bits()), "{text}");
        }
        for mut number in (0..20_000u64).map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 14) {
            number %= 10u64.pow((number % 16) as u32);
            let digits = number.to_string();
            let (before, behind) = digits.split_at(number as usize % (digits.len() + 1));
            let text = format!("{before}.{behind}");
            let any: f64 = fast_float2::parse(&text).unwrap();
            assert_eq!(float(text.as_bytes()).map(f64::to_bits), Some(any.to_bits()), "{text}");
        }
        for text in ["", "-", ".", "+1", "1e5", "1.2.3", "1_0", "1234567890123456", "inf", " 1", "007", "00.5"] {
            assert_eq!(short(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn words_that_look_like_something_else_are_told_apart() {
        for text in [
            "1,234",
            "-1,234.5",
            "1.234,5",
            "1 234",
            "1_000",
            "1'000",
            "1,5",
            "$5",
            "12%",
            "12 %",
            "€1.50",
            "0x1F",
            "1,234,567",
        ] {
            assert_eq!(odd(text.as_bytes()), Some(Resemblance::Written), "{text}");
        }
        for text in [
            "AAPL",
            "3M",
            "1.2.3",
            "22.11.2026",
            "10:30",
            "2nd",
            "1-2",
            ",",
            "%",
            "$",
            "0x",
            "a,b",
            "1,2,3",
            "123,4567,8",
            "x1",
            "\u{fe0f}",
        ] {
            assert_eq!(odd(text.as_bytes()), None, "{text}");
        }
        assert_eq!(odd(b"9223372036854775808"), Some(Resemblance::Number));
        assert_eq!(
            (odd(b"NA"), odd(b""), odd(b"True")),
            (Some(Resemblance::Missing), Some(Resemblance::Missing), Some(Resemblance::Flag))
        );
        assert_eq!((odd(b"2026-11-22"), odd(b"\xff")), (Some(Resemblance::Date), None));
    }

    #[test]
    fn a_dtype_takes_what_it_holds() {
        assert_eq!(number(b"-128", DType::I8), Ok(-128i64 as u64));
        assert_eq!(number(b"128", DType::I8), Err(CellFault::Unfit(DType::I8, Some(DType::I16))));
        assert_eq!(number(b"18446744073709551615", DType::U64), Ok(u64::MAX));
        assert_eq!(number(b"-1", DType::U64), Err(CellFault::Unfit(DType::U64, Some(DType::I64))));
        assert_eq!(number(&[b'9'; 60], DType::I64), Err(CellFault::Unfit(DType::I64, None)));
        assert_eq!(number(&[b'9'; 400], DType::I64), Err(CellFault::Beyond(DType::I64)));
        assert_eq!(number(b"-1", DType::U8), Err(CellFault::Unfit(DType::U8, Some(DType::I16))));
        assert_eq!(number(b"18446744073709551616", DType::U64), Err(CellFault::Unfit(DType::U64, None)));
        assert_eq!(number(b"3.5", DType::I64), Err(CellFault::Fraction));
        assert_eq!(
            (number(b"1.0", DType::I64), number(b"1e2", DType::U8)),
            (Err(CellFault::Pointed), Err(CellFault::Pointed))
        );
        assert_eq!(number(b"x", DType::U8), Err(CellFault::NoNumber));
        // Halfway between two f32 by the f64 nearest to it, above by its digits.
        let text = b"1.00000005960464477539062500000000000000001";
        assert_eq!(number(text, DType::F32), Ok(u64::from(f32::from_bits(0x3f80_0001).to_bits())));
        assert_eq!(number(b"0", DType::Bool), Ok(0));
    }
}
