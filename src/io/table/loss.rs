//! Differences of a cell's text from the element made of it: leading zeros, digits, a size that no float has.
//!
//! None of these is looked for where it cannot be: short numbers without a zero in front lose nothing, and that is
//! what the fast paths of [`super::cell`] take.
//!
//! ```text
//! `007` → 7 · `9007199254740993` → 9007199254740992 as f64 · `1e400` → inf · `1e-400` → 0
//! ```

use super::cell;
use crate::scalar::Scalar;
use crate::types::dtype::DType;

/// What is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loss {
    /// Zeros in front, which a code or a postal number needs.
    Zeros,
    /// The last digits of a whole number.
    Digits,
    /// A number that is infinite, or none, in its dtype.
    Beyond,
    /// A number that is 0 in its dtype.
    Vanished,
}

impl Loss {
    pub(super) const ALL: [Loss; 4] = [Loss::Zeros, Loss::Digits, Loss::Beyond, Loss::Vanished];
}

/// Where each kind of loss is met first: line ends before it.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Losses([Option<usize>; Loss::ALL.len()]);

impl Losses {
    /// Notes the first one of a kind.
    pub(super) fn note(&mut self, loss: Option<Loss>, line: &impl Fn() -> usize) {
        if let Some(loss) = loss {
            self.0[loss as usize].get_or_insert_with(line);
        }
    }

    pub(super) fn first(&self, loss: Loss) -> Option<usize> {
        self.0[loss as usize]
    }
}

/// Whether a number begins with a zero that its value does not need.
#[inline]
pub(super) fn has_leading_zero(text: &[u8]) -> bool {
    matches!(text, [b'0', b'0'..=b'9', ..] | [b'-' | b'+', b'0', b'0'..=b'9', ..])
}

/// Whether `f64` holds a whole number as it is.
pub(super) fn is_exact(number: i64) -> bool {
    number as f64 as i128 == i128::from(number)
}

/// What a number loses as these bits of a float dtype.
pub(super) fn of_float(text: &[u8], bits: u64, dtype: DType) -> Option<Loss> {
    of_value(text, Scalar { dtype, bits: bits.into() }.to_f64())
}

/// What a number loses as this value.
#[inline]
pub(super) fn of_value(text: &[u8], value: f64) -> Option<Loss> {
    // A float narrower than f64 rounds what its users know to be rounded; beyond these, numbers are names of something.
    const EXACT: f64 = (1u64 << 53) as f64;
    if !value.is_finite() {
        return text.iter().any(u8::is_ascii_digit).then_some(Loss::Beyond);
    }
    if value == 0.0 {
        let mut digits = text.iter().take_while(|byte| !byte.eq_ignore_ascii_case(&b'e'));
        return digits.any(|byte| (b'1'..=b'9').contains(byte)).then_some(Loss::Vanished);
    }
    let is_lost = value.abs() >= EXACT && cell::is_whole(text) && !says(text, value);
    is_lost.then_some(Loss::Digits)
}

/// Whether all digits of a whole number are those of a value.
fn says(text: &[u8], value: f64) -> bool {
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    if let Some(number) = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u128>().ok()) {
        // Rounded up to 2^128, a value would be cut to the largest number below.
        return value.abs() < 2f64.powi(128) && number == value.abs() as u128;
    }
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    format!("{:.0}", value.abs()).as_bytes() == &digits[zeros..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(text: &str, dtype: DType) -> Option<Loss> {
        of_float(text.as_bytes(), cell::number(text.as_bytes(), dtype).unwrap(), dtype)
    }

    #[test]
    fn a_float_says_all_of_a_number_or_what_it_loses() {
        for (text, loss) in [
            ("9007199254740993", Some(Loss::Digits)),
            ("-9007199254740993", Some(Loss::Digits)),
            ("9007199254740992", None),
            ("+00009007199254740994", None),
            ("100000000000000000000", None),
            ("340282366920938463463374607431768211455", Some(Loss::Digits)),
            ("340282366920938463463374607431768211456", None),
            // Two texts beyond 2^128: 1e40 and the float nearest to it.
            ("10000000000000000000000000000000000000000", Some(Loss::Digits)),
            ("10000000000000000303786028427003666890752", None),
            ("100000000000000000000000", Some(Loss::Digits)),
            // With an exponent or a point nobody writes the number of something.
            ("1e23", None),
            ("9007199254740993.0", None),
            ("0.1", None),
            ("1e400", Some(Loss::Beyond)),
            ("inf", None),
            ("-Infinity", None),
            ("nan", None),
            ("1e-400", Some(Loss::Vanished)),
            ("-0.00e9", None),
            ("0e5", None),
        ] {
            assert_eq!(lost(text, DType::F64), loss, "{text}");
        }
        assert_eq!(lost(&format!("1{}", "0".repeat(400)), DType::F64), Some(Loss::Beyond));
        assert_eq!((lost("1e39", DType::F32), lost("1e-60", DType::F32)), (Some(Loss::Beyond), Some(Loss::Vanished)));
        assert_eq!((lost("16777217", DType::F32), lost("9007199254740993", DType::F32)), (None, Some(Loss::Digits)));
        assert_eq!((lost("65519", DType::F16), lost("65520", DType::F16)), (None, Some(Loss::Beyond)));
    }

    #[test]
    fn zeros_in_front_are_those_before_another_digit() {
        for (text, leading) in [
            ("007", true),
            ("00", true),
            ("-01", true),
            ("+0.5", false),
            ("0", false),
            ("-0", false),
            ("0.07", false),
            ("10", false),
            ("", false),
        ] {
            assert_eq!(has_leading_zero(text.as_bytes()), leading, "{text}");
        }
        assert!(is_exact(1 << 53) && is_exact(i64::MIN) && !is_exact(i64::MAX) && !is_exact((1 << 53) + 1));
    }
}
