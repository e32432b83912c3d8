//! Exact values of literals, with arithmetic on them.
//!
//! An expression of weak literals only is a constant: integers are exact, floats are correctly rounded in `f64`,
//! and a lone decimal literal is kept as it was written, so that it is rounded once, to the dtype it meets.

use crate::array::show::scalar_text;
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::scalar::prim::Prim;
use crate::types::{DType, Elem, Kind};
use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive, Zero};
use std::fmt;

/// The most bits an exact integer may have.
pub const MAX_BITS: u64 = 4096;

/// A weak value that is known exactly.
#[derive(Clone, Debug, PartialEq)]
pub enum Const {
    /// `i*`
    Int(BigInt),
    /// `f*`
    Float(Decimal),
    /// `c*`
    Complex(f64, f64),
}

/// A float: its value in `f64`, and its exact decimal digits if it is a lone literal.
#[derive(Clone, Debug, PartialEq)]
pub struct Decimal {
    /// The correctly rounded value.
    pub value: f64,
    /// The digits as written (decimal or hexadecimal, no underscores), if nothing was computed with it.
    pub text: Option<Box<str>>,
    /// Whether it was computed of values with a dtype: then it is no literal, and was stored at the default width.
    pub stored: bool,
}

/// Why a constant cannot be had in a dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// An integer outside the dtype's range.
    Range,
    /// A finite float that becomes infinite.
    Overflow,
    /// A nonzero float that becomes 0.
    Underflow,
    /// A fraction or a complex number for a dtype that has none.
    Kind,
}

impl Const {
    /// A computed float.
    pub fn float(value: f64) -> Const {
        Const::Float(Decimal { value, text: None, stored: false })
    }

    /// Whether it is a float that was computed of values with a dtype.
    pub fn is_stored(&self) -> bool {
        matches!(self, Const::Float(decimal) if decimal.stored)
    }

    /// The same as what was computed of values with a dtype.
    #[must_use]
    pub fn as_stored(self) -> Const {
        match self {
            Const::Float(decimal) => Const::Float(Decimal { stored: true, ..decimal }),
            Const::Int(_) | Const::Complex(..) => self,
        }
    }

    /// The weak type.
    pub fn elem(&self) -> Elem {
        match self {
            Const::Int(_) => Elem::WeakInt,
            Const::Float(_) => Elem::WeakFloat,
            Const::Complex(..) => Elem::WeakComplex,
        }
    }

    /// The real and imaginary part in `f64`.
    pub fn parts(&self) -> (f64, f64) {
        match self {
            Const::Int(value) => (to_f64(value), 0.0),
            Const::Float(decimal) => (decimal.value, 0.0),
            Const::Complex(re, im) => (*re, *im),
        }
    }

    /// The value in a dtype of floats or complex numbers, where what is too large is an infinity; in others, converted.
    pub fn round_to(&self, dtype: DType) -> Scalar {
        let part = dtype.part();
        let rounded = |value: f64| eval(Prim::Convert, part, &[Scalar::of(value)]);
        let (re, im) = self.parts();
        match dtype.is_complex() {
            true => Scalar { dtype, bits: rounded(re).bits | rounded(im).bits << part.bits() },
            false => rounded(re),
        }
    }

    /// The value in a dtype, rounded once.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn fit(&self, dtype: DType) -> Result<Scalar, Misfit> {
        match (self, dtype.kind()) {
            (_, Kind::Bool) => Err(Misfit::Kind),
            (Const::Int(value), Kind::Unsigned | Kind::Signed) => {
                let (low, high) = dtype.integer_range().ok_or(Misfit::Kind)?;
                let value = value.to_i128().filter(|value| (low..=high).contains(value)).ok_or(Misfit::Range)?;
                Ok(Scalar { dtype, bits: value as u128 & (u128::MAX >> (128 - dtype.bits())) })
            }
            (_, Kind::Unsigned | Kind::Signed) => Err(Misfit::Kind),
            (Const::Int(value), Kind::Float) => {
                let rounded = round_int(value, dtype);
                if is_finite(rounded) { Ok(rounded) } else { Err(Misfit::Overflow) }
            }
            (Const::Float(decimal), Kind::Float) => decimal.fit(dtype),
            (Const::Complex(..), Kind::Float) => Err(Misfit::Kind),
            (_, Kind::Complex) => {
                let part = dtype.part();
                let (re, im) = match self {
                    Const::Complex(re, im) => (Const::float(*re).fit(part)?, Const::float(*im).fit(part)?),
                    real @ (Const::Int(_) | Const::Float(_)) => (real.fit(part)?, Scalar::zero(part)),
                };
                Ok(Scalar { dtype, bits: re.bits | im.bits << part.bits() })
            }
        }
    }
}

impl Decimal {
    /// The value in a float dtype, rounded once from its digits.
    fn fit(&self, dtype: DType) -> Result<Scalar, Misfit> {
        let rounded = match (&self.text, dtype) {
            (Some(text), DType::F32) => match text.parse::<f32>() {
                Ok(value) => Scalar::of(value),
                Err(_) => self.convert(dtype),
            },
            (Some(_), small) if small.is_small_float() => self.convert_small(dtype),
            _ => self.convert(dtype),
        };
        // Where there are no infinities, what is too large is not a number, and so is an infinity.
        let exists = self.value.is_finite() || self.value.is_infinite() && !dtype.row().infinities;
        if exists && !is_finite(rounded) {
            return Err(Misfit::Overflow);
        }
        let zero = eval(Prim::Eq, DType::Bool, &[rounded, Scalar::zero(dtype)]).bits == 1;
        let nonzero = self.value != 0.0 || self.text.as_deref().is_some_and(has_nonzero_digit);
        if zero && nonzero { Err(Misfit::Underflow) } else { Ok(rounded) }
    }

    fn convert(&self, dtype: DType) -> Scalar {
        eval(Prim::Convert, dtype, &[Scalar::of(self.value)])
    }

    /// Rounds the digits once. `f64` is odd-rounded when it is not exact, which makes the second rounding harmless.
    fn convert_small(&self, dtype: DType) -> Scalar {
        let Some(text) = &self.text else { return self.convert(dtype) };
        let value = match exact_order(text, self.value) {
            std::cmp::Ordering::Equal => self.value,
            order @ (std::cmp::Ordering::Less | std::cmp::Ordering::Greater) => odd(self.value, order),
        };
        eval(Prim::Convert, dtype, &[Scalar::of(value)])
    }
}

fn has_nonzero_digit(text: &str) -> bool {
    let mantissa = text.split(['e', 'E', 'p', 'P']).next().unwrap_or(text);
    let mantissa = mantissa.strip_prefix("0x").unwrap_or(mantissa);
    mantissa.chars().any(|c| c.is_ascii_hexdigit() && c != '0')
}

/// The `f64` next to the exact value with an odd significand: `order` says on which side of `value` it lies.
fn odd(value: f64, order: std::cmp::Ordering) -> f64 {
    if value.to_bits() & 1 == 1 || !value.is_finite() {
        return value;
    }
    match (order, value.is_sign_negative()) {
        (std::cmp::Ordering::Greater, false) | (std::cmp::Ordering::Less, true) => f64::from_bits(value.to_bits() + 1),
        _ if value == 0.0 => value,
        _ => f64::from_bits(value.to_bits() - 1),
    }
}

/// How the number that `text` spells compares with `value`.
fn exact_order(text: &str, value: f64) -> std::cmp::Ordering {
    let (digits, exponent) = split_decimal(text);
    if !value.is_finite() || exponent.abs() > 2000 {
        return std::cmp::Ordering::Equal;
    }
    // text = digits * 10^exponent and value = mantissa * 2^power, both scaled to integers.
    let (mantissa, power) = decode(value);
    let ten = |n: i64| BigInt::from(10).pow(n.unsigned_abs() as u32);
    let (mut left, mut right) = (digits, BigInt::from(mantissa));
    if exponent >= 0 {
        left *= ten(exponent);
    } else {
        right *= ten(exponent);
    }
    if power >= 0 {
        right <<= power as u64;
    } else {
        left <<= power.unsigned_abs();
    }
    left.cmp(&right)
}

fn split_decimal(text: &str) -> (BigInt, i64) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}").parse().unwrap_or_default();
    (digits, exponent.parse::<i64>().unwrap_or(0).saturating_sub(fraction.len() as i64))
}

/// `value = mantissa * 2^power`.
fn decode(value: f64) -> (i64, i32) {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, power) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    (if value.is_sign_negative() { -mantissa } else { mantissa }, power)
}

/// Whether a scalar of a float dtype is finite.
fn is_finite(scalar: Scalar) -> bool {
    scalar.to_f64().is_finite()
}

/// An integer in `f64`, rounded to nearest even.
pub fn to_f64(value: &BigInt) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

/// An integer in a float dtype, rounded once: the bits that do not matter are folded into the lowest kept one.
fn round_int(value: &BigInt, dtype: DType) -> Scalar {
    let excess = value.bits().saturating_sub(60);
    let kept: BigInt = value.abs() >> excess;
    let sticky = &kept << excess != value.abs();
    let kept = kept.to_i64().expect("60 bits fit") | i64::from(sticky);
    let kept = if value.sign() == Sign::Minus { -kept } else { kept };
    if excess == 0 {
        return eval(Prim::Convert, dtype, &[Scalar::of(kept)]);
    }
    // Rounded at 60 bits or above and then scaled by a power of two, which is exact below overflow.
    let Some(exponent) = i32::try_from(excess).ok().filter(|&excess| excess < 1000) else {
        return eval(
            Prim::Convert,
            dtype,
            &[Scalar::of(if value.is_negative() { f64::NEG_INFINITY } else { f64::INFINITY })],
        );
    };
    let scale = 2f64.powi(exponent);
    if dtype == DType::F64 {
        Scalar::of(kept as f64 * scale)
    } else if dtype == DType::F32 {
        Scalar::of((f64::from(kept as f32) * scale) as f32)
    } else {
        let rounded = eval(Prim::Convert, dtype, &[Scalar::of(kept)]);
        Scalar::of_f64(dtype, rounded.to_f64() * scale)
    }
}

impl fmt::Display for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Const::Int(value) => {
                let text = value.to_string();
                if text.len() > 40 {
                    write!(f, "{}…({} digits)", &text[..16], text.len())
                } else {
                    f.write_str(&text)
                }
            }
            Const::Float(decimal) => f.write_str(&scalar_text(Scalar::of(decimal.value))),
            Const::Complex(re, im) => {
                let value = crate::types::dtype::Complex { re: *re, im: *im };
                f.write_str(&scalar_text(Scalar::of(value)))
            }
        }
    }
}

/// Whether an exact integer is 0.
pub fn is_zero(value: &BigInt) -> bool {
    value.is_zero()
}
