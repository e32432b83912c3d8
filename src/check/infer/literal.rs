//! Literals and exact arithmetic on them.

use crate::constant::{Const, Decimal, MAX_BITS, is_zero, to_f64};
use crate::ops::ExactOp;
use crate::scalar::prim::Prim;
use crate::types::{DType, Elem, Kind};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A numeric literal: its value and, if it has a suffix, its dtype.
pub(in crate::check) struct NumberLiteral {
    pub(in crate::check) value: Const,
    pub(in crate::check) suffix: Option<DType>,
}

/// Reads the spelling of a numeric literal that the lexer accepted.
pub(in crate::check) fn number(text: &str) -> NumberLiteral {
    if let Some(value) = short(text) {
        return NumberLiteral { value: Const::Int(value.into()), suffix: None };
    }
    let (digits, suffix) = split_suffix(text);
    let digits = &*digits.replace('_', "");
    let value = if let Some(imaginary) = digits.strip_suffix(['j', 'J']) {
        Const::Complex(0.0, imaginary.parse().unwrap_or(f64::NAN))
    } else {
        real(digits)
    };
    NumberLiteral { value, suffix }
}

/// The value of a few decimal digits and nothing else, as most numbers are.
fn short(text: &str) -> Option<u64> {
    let plain = text.len() < 19 && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.bytes().fold(0, |value, digit| value * 10 + u64::from(digit - b'0')))
}

/// The digits and the dtype behind them. A hexadecimal literal takes integer suffixes only, as `f16` are digits.
fn split_suffix(text: &str) -> (&str, Option<DType>) {
    // Most numbers are digits and no more.
    if !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return (text, None);
    }
    let hex = text.starts_with("0x") || text.starts_with("0X");
    let found =
        DType::ALL.into_iter().filter(|dtype| dtype.is_integer() || ((dtype.is_float() || dtype.is_complex()) && !hex));
    let best = found.filter(|dtype| text.ends_with(dtype.name())).max_by_key(|dtype| dtype.name().len());
    match best {
        Some(dtype) if text.len() > dtype.name().len() => (&text[..text.len() - dtype.name().len()], Some(dtype)),
        _ => (text, None),
    }
}

fn real(digits: &str) -> Const {
    let lower = digits.to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] {
        if let Some(rest) = lower.strip_prefix(prefix) {
            return match BigInt::parse_bytes(rest.as_bytes(), radix) {
                Some(value) => Const::Int(value),
                None => Const::float(hex_float(rest)),
            };
        }
    }
    match lower.bytes().all(|byte| byte.is_ascii_digit()) {
        true => Const::Int(lower.parse().unwrap_or_default()),
        false => Const::Float(Decimal { value: lower.parse().unwrap_or(f64::NAN), text: Some(lower.into()) }),
    }
}

/// Whether a number is written with a digit before its exponent that is not 0.
pub(in crate::check) fn has_nonzero_digit(text: &str) -> bool {
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let marks = if hexadecimal { ['p', 'P'] } else { ['e', 'E'] };
    text.split(marks).next().unwrap_or(text).chars().any(|c| c.is_ascii_hexdigit() && c != '0')
}

/// `1.8p3`: a hexadecimal significand and a power of two.
fn hex_float(text: &str) -> f64 {
    let (significand, exponent) = text.split_once('p').unwrap_or((text, "0"));
    let (whole, fraction) = significand.split_once('.').unwrap_or((significand, ""));
    let digits = BigInt::parse_bytes(format!("{whole}{fraction}").as_bytes(), 16).unwrap_or_default();
    let power = exponent.parse::<i64>().unwrap_or(0).saturating_sub(4 * fraction.len() as i64);
    let power = power.clamp(-20_000, 20_000);
    if power >= 0 {
        to_f64(&(digits << power as u64))
    } else {
        ratio(&digits, &(BigInt::one() << power.unsigned_abs()))
    }
}

/// Why arithmetic on constants has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::check) enum ConstantFault {
    /// Division by zero.
    ZeroDivision,
    /// The integer would have more than [`MAX_BITS`] bits.
    TooBig,
}

/// What an operation makes of constants.
pub(in crate::check) enum Exact {
    /// A constant.
    Value(Const),
    /// A truth value.
    Truth(bool),
}

/// Exact arithmetic, for the numbers that have it; `None` sends the operation to ordinary evaluation in the default
/// width.
pub(in crate::check) fn apply(op: ExactOp, args: &[&Const]) -> Option<Result<Exact, ConstantFault>> {
    match (args, op) {
        ([x], ExactOp::Real | ExactOp::Imag) => Some(Ok(Exact::Value(part(x, matches!(op, ExactOp::Real))))),
        ([Const::Int(x)], _) => unary(op, x),
        ([Const::Int(x), Const::Int(y)], _) => integers(op, x, y),
        ([Const::Float(x)], ExactOp::Neg) => {
            let text = x.text.as_deref().map(|text| match text.strip_prefix('-') {
                Some(positive) => positive.into(),
                None => format!("-{text}").into(),
            });
            Some(Ok(Exact::Value(Const::Float(Decimal { value: -x.value, text }))))
        }
        ([x, y], _) if x.elem() != Elem::WeakComplex && y.elem() != Elem::WeakComplex => {
            floats(op, x.parts().0, y.parts().0)
        }
        _ => None,
    }
}

/// The real or the imaginary part.
fn part(x: &Const, real: bool) -> Const {
    match (x, real) {
        (Const::Complex(re, _), true) => Const::float(*re),
        (Const::Complex(_, im), false) => Const::float(*im),
        (number, true) => number.clone(),
        (Const::Int(_), false) => Const::Int(BigInt::zero()),
        (Const::Float(_), false) => Const::float(0.0),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the others take two operands")]
fn unary(op: ExactOp, x: &BigInt) -> Option<Result<Exact, ConstantFault>> {
    let value = match op {
        ExactOp::Neg => -x,
        ExactOp::Positive => x.clone(),
        ExactOp::Abs => x.abs(),
        ExactOp::Invert => !x,
        ExactOp::Square => return integers(ExactOp::Multiply, x, x),
        _ => return None,
    };
    Some(Ok(Exact::Value(Const::Int(value))))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the others take one operand")]
fn integers(op: ExactOp, x: &BigInt, y: &BigInt) -> Option<Result<Exact, ConstantFault>> {
    let value = match op {
        ExactOp::Compare(holds) => return Some(Ok(Exact::Truth(holds(Some(x.cmp(y)))))),
        ExactOp::Add => Ok(x + y),
        ExactOp::Subtract => Ok(x - y),
        ExactOp::Multiply if x.bits() + y.bits() > MAX_BITS + 1 => Err(ConstantFault::TooBig),
        ExactOp::Multiply => Ok(x * y),
        ExactOp::FloorDivide | ExactOp::Remainder | ExactOp::Divide if is_zero(y) => Err(ConstantFault::ZeroDivision),
        ExactOp::FloorDivide => Ok(floor_divide(x, y)),
        ExactOp::Remainder => Ok(x - floor_divide(x, y) * y),
        ExactOp::Divide => return Some(Ok(Exact::Value(Const::float(ratio(x, y))))),
        // As in Python, where both are numbers of the text.
        ExactOp::Power if y.is_negative() && is_zero(x) => Err(ConstantFault::ZeroDivision),
        ExactOp::Power if y.is_negative() => {
            return Some(Ok(Exact::Value(Const::float(to_f64(x).powf(to_f64(y))))));
        }
        ExactOp::Power => power(x, y),
        ExactOp::And => Ok(x & y),
        ExactOp::Or => Ok(x | y),
        ExactOp::Xor => Ok(x ^ y),
        ExactOp::Minimum => Ok(x.min(y).clone()),
        ExactOp::Maximum => Ok(x.max(y).clone()),
        ExactOp::ShiftLeft | ExactOp::ShiftRight if y.is_negative() => Ok(BigInt::zero()),
        ExactOp::ShiftLeft => match y.to_u64().filter(|count| x.bits() + count <= MAX_BITS) {
            Some(count) => Ok(x << count),
            None if is_zero(x) => Ok(BigInt::zero()),
            None => Err(ConstantFault::TooBig),
        },
        ExactOp::ShiftRight => Ok(x >> y.to_u64().unwrap_or(u64::MAX).min(2 * MAX_BITS)),
        _ => return None,
    };
    Some(value.and_then(|value| match value.bits() > MAX_BITS {
        true => Err(ConstantFault::TooBig),
        false => Ok(Exact::Value(Const::Int(value))),
    }))
}

fn floor_divide(x: &BigInt, y: &BigInt) -> BigInt {
    let quotient = x / y;
    let inexact = &quotient * y != *x;
    if inexact && x.is_negative() != y.is_negative() { quotient - 1 } else { quotient }
}

fn power(x: &BigInt, y: &BigInt) -> Result<BigInt, ConstantFault> {
    if x.bits() <= 1 {
        // 0, 1 and -1 stay small whatever the exponent.
        let odd = y.bit(0);
        return Ok(match () {
            () if is_zero(y) => BigInt::one(),
            () if x.is_negative() && !odd => BigInt::one(),
            () => x.clone(),
        });
    }
    let exponent = y.to_u32().filter(|&exponent| u64::from(exponent) * (x.bits() - 1) <= MAX_BITS);
    exponent.map(|exponent| x.pow(exponent)).ok_or(ConstantFault::TooBig)
}

/// The correctly rounded quotient of two integers.
fn ratio(x: &BigInt, y: &BigInt) -> f64 {
    // 66 significant bits of the quotient and one that is set when the rest is not 0 decide the rounding.
    let shift = 66 + y.bits() as i64 - x.bits() as i64;
    let (x_scaled, y_scaled) =
        if shift >= 0 { (x.abs() << shift as u64, y.abs()) } else { (x.abs(), y.abs() << shift.unsigned_abs()) };
    let quotient = &x_scaled / &y_scaled;
    let sticky = &quotient * &y_scaled != x_scaled;
    let quotient: BigInt = (quotient << 1) + i32::from(sticky);
    let magnitude = scale(&quotient, -(shift + 1));
    if x.is_negative() != y.is_negative() { -magnitude } else { magnitude }
}

/// `value * 2^power`, rounded once, also where the result is subnormal.
fn scale(value: &BigInt, power: i64) -> f64 {
    let lowest = -1074 - power;
    let keep = 60.min(value.bits() as i64 - lowest).max(1);
    let drop = value.bits() as i64 - keep;
    if drop > 0 && lowest > value.bits() as i64 - 54 {
        // Subnormal: cut to the last representable bit plus two, with the rest folded into the lowest.
        let cut = (lowest - 2).max(0) as u64;
        let kept: BigInt = value >> cut;
        let sticky = (&kept << cut) != *value;
        let kept = to_f64(&((kept << 1) + i32::from(sticky)));
        return kept * 2f64.powi(-500) * 2f64.powi((power + cut as i64 - 1 + 500) as i32);
    }
    let half = (power / 2) as i32;
    to_f64(value) * 2f64.powi(half) * 2f64.powi(power as i32 - half)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the others are computed in the default width")]
fn floats(op: ExactOp, x: f64, y: f64) -> Option<Result<Exact, ConstantFault>> {
    let value = match op {
        ExactOp::Add => x + y,
        ExactOp::Subtract => x - y,
        ExactOp::Multiply => x * y,
        ExactOp::Divide | ExactOp::FloorDivide | ExactOp::Remainder if y == 0.0 => {
            return Some(Err(ConstantFault::ZeroDivision));
        }
        ExactOp::Divide => x / y,
        ExactOp::Compare(holds) => return Some(Ok(Exact::Truth(holds(x.partial_cmp(&y))))),
        _ => return None,
    };
    Some(Ok(Exact::Value(Const::float(value))))
}

/// The exact value of a scalar that was computed at a default width.
pub(in crate::check) fn weak_constant(scalar: crate::scalar::Scalar) -> Const {
    use crate::scalar::eval::eval;
    match scalar.dtype.kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed => {
            let wide = eval(Prim::Convert, DType::I64, &[scalar]);
            Const::Int((wide.bits as u64 as i64).into())
        }
        Kind::Float => Const::float(f64::from_bits(eval(Prim::Convert, DType::F64, &[scalar]).bits as u64)),
        Kind::Complex => {
            let part = |prim| {
                let part = eval(prim, scalar.dtype.part(), &[scalar]);
                f64::from_bits(eval(Prim::Convert, DType::F64, &[part]).bits as u64)
            };
            Const::Complex(part(Prim::Real), part(Prim::Imag))
        }
    }
}
