//! The shortest decimal digits that give a float back *in its own dtype*.
//!
//! `0.1f32` has the digits `1` with exponent -1, although widened to `f64` it would need `0.10000000149011612`. Rust
//! finds the digits of `f32` and `f64`. Those of the small dtypes are searched here, a digit at a time: the nearest
//! decimal of one digit, of two, and so on, until one lies closer to the value than to its neighbours.
//!
//! ```
//! use arrlang::array::show::scalar_text;
//! use arrlang::scalar::Scalar;
//! assert_eq!(scalar_text(Scalar::of(half::f16::from_f32(0.1))), "0.1");
//! assert_eq!(scalar_text(Scalar::of(0.1f32)), "0.1");
//! ```

use crate::scalar::Scalar;
use crate::types::dtype::{DType, Kind};
use std::fmt::Write;

/// The decimal `0.d₁d₂… × 10^(exponent + 1)` with its sign.
pub(super) struct DecimalDigits {
    /// Whether the sign bit is set; also of zero.
    pub(super) negative: bool,
    /// Digits without trailing zeros; `0` alone for zero.
    pub(super) digits: String,
    /// The power of ten of the first digit.
    pub(super) exponent: i32,
}

/// The value of the low bits of a word as a float of dtype `part`; exact.
pub(super) fn value(bits: u128, part: DType) -> f64 {
    let unused = 128 - part.bits();
    Scalar { dtype: part, bits: bits << unused >> unused }.to_f64()
}

/// The shortest digits of a float of dtype `part`; `None` for NaN and the infinities.
pub(super) fn shortest(bits: u128, part: DType) -> Option<DecimalDigits> {
    let exact = value(bits, part);
    if !exact.is_finite() {
        return None;
    }
    let text = if exact == 0.0 {
        "0e0".to_string()
    } else if part == DType::F32 {
        format!("{:e}", f32::from_bits(bits as u32).abs())
    } else if part.is_small_float() {
        search(bits as u16 & (u16::MAX >> (17 - part.bits())), part)
    } else {
        format!("{:e}", exact.abs())
    };
    Some(split(&text, exact.is_sign_negative()))
}

/// Reads `1.25e-7` apart.
pub(super) fn split(text: &str, negative: bool) -> DecimalDigits {
    let (mantissa, exponent) = text.split_once('e').expect("scientific notation has an exponent");
    let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = all.trim_end_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    DecimalDigits {
        negative,
        digits: digits.to_string(),
        exponent: exponent.parse().expect("an exponent is a small integer"),
    }
}

/// `true`, `-5`, `18446744073709551615`.
pub(super) fn integer_text(scalar: Scalar) -> String {
    match scalar.dtype.kind() {
        Kind::Bool => if scalar.bits == 0 { "false" } else { "true" }.to_string(),
        Kind::Signed => {
            let unused = 128 - scalar.dtype.bits();
            ((scalar.bits as i128) << unused >> unused).to_string()
        }
        Kind::Unsigned | Kind::Float | Kind::Complex => scalar.bits.to_string(),
    }
}

/// The two parts of a complex scalar, real first, as bits of [`DType::part`].
pub(super) fn parts(scalar: Scalar) -> [u128; 2] {
    let width = scalar.dtype.part().bits();
    [scalar.bits & (u128::MAX >> (128 - width)), scalar.bits >> width]
}

/// `nan`, `inf` or `-inf`.
pub(super) fn not_finite(value: f64) -> &'static str {
    match value {
        _ if value.is_nan() => "nan",
        _ if value < 0.0 => "-inf",
        _ => "inf",
    }
}

/// The shortest decimal that is closer to this positive value than to its neighbours.
fn search(magnitude: u16, part: DType) -> String {
    let exact = value(magnitude.into(), part);
    let below = value((magnitude - 1).into(), part);
    let above = value((magnitude + 1).into(), part);
    // Half-way points have two bits more than the dtype, so `f64` holds them. Past the largest value the spacing goes
    // on.
    let low = f64::midpoint(below, exact);
    let high = if above.is_finite() { f64::midpoint(exact, above) } else { exact + (exact - below) / 2.0 };
    // A decimal exactly half-way is read as the even neighbour.
    let even = magnitude.is_multiple_of(2);
    let reads_back = |text: &str| {
        let read: f64 = text.parse().expect("digits and an exponent");
        (low < read && read < high) || (even && (read == low || read == high))
    };
    for places in 0..8 {
        let nearest = format!("{exact:.places$e}");
        let (mantissa, exponent) = nearest.split_once('e').expect("scientific notation has an exponent");
        let whole: i64 = mantissa.replace('.', "").parse().expect("a few digits");
        let exponent: i32 = exponent.parse().expect("an exponent is a small integer");
        // Below a power of two the neighbour is nearer than above it, so the next decimal may do where the nearest does
        // not.
        for candidate in [whole, whole + 1, whole - 1] {
            let text = format!("{candidate}e{}", exponent - places as i32);
            if reads_back(&text) {
                let value: f64 = text.parse().expect("digits and an exponent");
                return format!("{value:e}");
            }
        }
    }
    unreachable!("five digits tell any two small floats apart")
}

/// The digits as Python writes them: `0.1`, `1e-7`, `1e+16`; integers end in `.0` when `dot` says so.
pub(super) fn layout(digits: &DecimalDigits, dot: bool, out: &mut String) {
    if digits.negative {
        out.push('-');
    }
    let (text, exponent) = (digits.digits.as_str(), digits.exponent);
    match exponent {
        0..16 => {
            let whole = exponent as usize + 1;
            if text.len() > whole {
                out.extend([&text[..whole], ".", &text[whole..]]);
            } else {
                out.push_str(text);
                out.extend(std::iter::repeat_n('0', whole - text.len()));
                out.push_str(if dot { ".0" } else { "" });
            }
        }
        -4..0 => {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', (-exponent - 1) as usize));
            out.push_str(text);
        }
        _ => {
            out.push_str(&text[..1]);
            if text.len() > 1 {
                out.extend([".", &text[1..]]);
            }
            let _ = write!(out, "e{exponent:+}");
        }
    }
}
