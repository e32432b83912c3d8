//! The words of an array's elements, all of one width.
//!
//! Integers are aligned to the right, floats at the point. Floats are written with an exponent when the largest is 1e8
//! or more, the smallest below 1e-4, or the two differ by more than a factor of 1000; otherwise without. Both show the
//! shortest digits that read back, cut after the point, at 8 if nothing else is said: the rule of NumPy, whose readers
//! we have.
//!
//! ```text
//! [1.   2.25]      [1.00e+00 2.25e+09]
//! ```

use super::digits::{DecimalDigits, integer_text, not_finite, parts, shortest, split, value};
use crate::scalar::Scalar;
use crate::types::dtype::{DType, Kind};

/// The text of each element. Floats have at most `most` digits after the point. All texts have one width.
pub(super) fn words(dtype: DType, elements: &[Scalar], most: usize) -> Vec<String> {
    match dtype.kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed => align(elements.iter().map(|&e| integer_text(e)).collect()),
        Kind::Float => {
            let bits: Vec<u128> = elements.iter().map(|e| e.bits).collect();
            floats(&bits, dtype, "", most)
        }
        Kind::Complex => {
            let [re, im] = [0, 1].map(|side| elements.iter().map(|&e| parts(e)[side]).collect::<Vec<u128>>());
            let pairs = floats(&re, dtype.part(), "", most).into_iter().zip(floats(&im, dtype.part(), "+", most));
            pairs.map(|(re, im)| re + &with_unit(&im)).collect()
        }
    }
}

/// Puts the `j` behind the last digit, before the spaces that align.
fn with_unit(imaginary: &str) -> String {
    let end = imaginary.trim_end().len();
    format!("{}j{}", &imaginary[..end], &imaginary[end..])
}

fn align(words: Vec<String>) -> Vec<String> {
    let width = words.iter().map(String::len).max().unwrap_or(0);
    words.into_iter().map(|word| format!("{word:>width$}")).collect()
}

/// What stands before the point, after it, and the exponent.
struct NumberParts {
    whole: String,
    fraction: String,
    exponent: i32,
}

/// A float as it is shown.
enum FloatText {
    Finite(NumberParts),
    /// The word for what is not finite.
    Word(String),
}

/// The text of each float; `plus` stands before those without a minus.
fn floats(bits: &[u128], part: DType, plus: &str, most: usize) -> Vec<String> {
    let scientific = needs_exponent(bits.iter().map(|&bits| value(bits, part)));
    let pieces: Vec<FloatText> = bits.iter().map(|&bits| pieces(bits, part, scientific, plus, most)).collect();
    let finite = || {
        pieces.iter().filter_map(|piece| match piece {
            FloatText::Finite(parts) => Some(parts),
            FloatText::Word(_) => None,
        })
    };
    let fraction = finite().map(|p| p.fraction.len()).max().unwrap_or(0);
    let exponent = finite().map(|p| p.exponent.unsigned_abs().to_string().len()).max().unwrap_or(0).max(2);
    let words = pieces.iter().map(|piece| match piece {
        FloatText::Finite(NumberParts { whole, fraction: digits, .. }) if !scientific => {
            format!("{whole}.{digits:<fraction$}")
        }
        FloatText::Finite(NumberParts { whole, fraction: digits, exponent: power }) => {
            let sign = if *power < 0 { '-' } else { '+' };
            format!("{whole}.{digits:0<fraction$}e{sign}{:0exponent$}", power.unsigned_abs())
        }
        FloatText::Word(word) => word.clone(),
    });
    align(words.collect())
}

fn needs_exponent(values: impl Iterator<Item = f64>) -> bool {
    let sizes = values.filter(|v| v.is_finite() && *v != 0.0).map(f64::abs);
    let (least, most) = sizes.fold((f64::INFINITY, 0.0f64), |(least, most), v| (least.min(v), most.max(v)));
    most > 0.0 && (most >= 1e8 || least < 1e-4 || most / least > 1000.0)
}

/// A finite float in pieces; the word for any other.
fn pieces(bits: u128, part: DType, scientific: bool, plus: &str, most: usize) -> FloatText {
    let exact = value(bits, part);
    let Some(full) = shortest(bits, part) else {
        let word = not_finite(exact);
        return FloatText::Word(if word.starts_with('-') { word.to_string() } else { format!("{plus}{word}") });
    };
    let digits = cut(full, exact, scientific, most);
    let sign = if digits.negative { "-" } else { plus };
    let text = &digits.digits;
    FloatText::Finite(match digits.exponent {
        exponent if scientific => {
            NumberParts { whole: format!("{sign}{}", &text[..1]), fraction: text[1..].into(), exponent }
        }
        exponent if exponent < 0 => {
            let zeros = "0".repeat((-exponent - 1) as usize);
            NumberParts { whole: format!("{sign}0"), fraction: format!("{zeros}{text}"), exponent: 0 }
        }
        exponent => {
            let whole = exponent as usize + 1;
            let padded = format!("{text:0<whole$}");
            NumberParts { whole: format!("{sign}{}", &padded[..whole]), fraction: padded[whole..].into(), exponent: 0 }
        }
    })
}

/// A number with at most `most` digits after the point, rounded from the exact value.
fn cut(full: DecimalDigits, exact: f64, scientific: bool, most: usize) -> DecimalDigits {
    let negative = full.negative;
    let after = full.digits.len() as i32 - 1 - if scientific { 0 } else { full.exponent };
    if after <= most as i32 {
        return full;
    }
    let size = exact.abs();
    if scientific {
        return split(&format!("{size:.most$e}"), negative);
    }
    let fixed = format!("{size:.most$}");
    let whole = fixed.split('.').next().unwrap_or(&fixed);
    if whole != "0" {
        return split(&format!("{fixed}e{}", whole.len() - 1), negative);
    }
    let fraction = fixed.get(2..).unwrap_or_default();
    let zeros = fraction.len() - fraction.trim_start_matches('0').len();
    if zeros == fraction.len() {
        return split("0e0", negative);
    }
    split(&format!("{}e-{}", &fraction[zeros..], zeros + 1), negative)
}
