//! Literals, with exact arithmetic on them.

use crate::constant::{Const, Decimal, MAX_BITS, is_zero, to_f64};
use crate::ops::ExactOp;
use crate::scalar::prim::Prim;
use crate::types::{DType, Elem, Kind};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

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

/// The value of a literal with a minus directly before it.
pub(in crate::check) fn negative_literal(number: &NumberLiteral) -> Const {
    match &number.value {
        // The suffix makes it a float, and floats have two zeros.
        Const::Int(value) if is_zero(value) && number.suffix.is_some_and(|dtype| dtype.kind().is_inexact()) => {
            Const::Float(Decimal { value: -0.0, text: Some("-0".into()), stored: false })
        }
        Const::Int(value) => Const::Int(-value),
        Const::Float(decimal) => Const::Float(negative(decimal)),
        Const::Complex(re, im) => Const::Complex(-re, -im),
    }
}

/// The negative of a float, whose digits stay as they were written.
fn negative(decimal: &Decimal) -> Decimal {
    let text = decimal.text.as_deref().map(|text| match text.strip_prefix('-') {
        Some(positive) => positive.into(),
        None => format!("-{text}").into(),
    });
    Decimal { value: -decimal.value, text, stored: decimal.stored }
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
        false => {
            let value = lower.parse().unwrap_or(f64::NAN);
            Const::Float(Decimal { value, text: Some(lower.into()), stored: false })
        }
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
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::check) enum ConstantFault {
    /// Division by zero.
    ZeroDivision,
    /// The integer would have more than [`MAX_BITS`] bits.
    TooBig,
    /// An integer has to become a float, and is larger than every float. For a real result, this is the value that
    /// comes out when the integer becomes an infinity.
    LargeOperand(Option<f64>),
}

/// What an operation makes of constants.
pub(in crate::check) enum Exact {
    /// A constant.
    Value(Const),
    /// A truth value.
    Truth(bool),
}

/// Exact arithmetic, for the numbers that have it. `None` sends the operation to ordinary evaluation in the default
/// width.
pub(in crate::check) fn apply(op: ExactOp, args: &[&Const]) -> Option<Result<Exact, ConstantFault>> {
    match (args, op) {
        ([x], ExactOp::Real | ExactOp::Imag) => Some(Ok(Exact::Value(part(x, matches!(op, ExactOp::Real))))),
        ([Const::Int(x)], _) => unary(op, x),
        ([Const::Int(x), Const::Int(y)], _) => integers(op, x, y),
        ([Const::Float(x)], ExactOp::Neg) => Some(Ok(Exact::Value(Const::Float(negative(x))))),
        ([x, y], _) if divides_by_zero(op, x, y) => Some(Err(ConstantFault::ZeroDivision)),
        ([x, y], _) if are_real(x, y) => floats(op, x, y),
        ([x, y], ExactOp::Compare(holds)) if !orders(holds) => Some(Ok(Exact::Truth(holds(complex_order(x, y))))),
        ([x, y], ExactOp::Add | ExactOp::Subtract | ExactOp::Multiply | ExactOp::Divide | ExactOp::Power)
            if is_large(x) || is_large(y) =>
        {
            Some(Err(ConstantFault::LargeOperand(None)))
        }
        _ => None,
    }
}

/// Whether an integer is larger than every float.
fn is_large(number: &Const) -> bool {
    matches!(number, Const::Int(_)) && number.parts().0.is_infinite()
}

/// Whether a comparison asks for an order, and not only whether two numbers are equal.
fn orders(holds: fn(Option<Ordering>) -> bool) -> bool {
    holds(Some(Ordering::Less)) != holds(Some(Ordering::Greater))
}

fn are_real(x: &Const, y: &Const) -> bool {
    x.elem() != Elem::WeakComplex && y.elem() != Elem::WeakComplex
}

/// Whether an operation divides by zero, as Python sees it.
fn divides_by_zero(op: ExactOp, x: &Const, y: &Const) -> bool {
    let is_zero = |it: &Const| it.parts() == (0.0, 0.0);
    if matches!(op, ExactOp::Power) {
        let (re, im) = y.parts();
        return is_zero(x) && (re.is_finite() && re < 0.0 || im != 0.0);
    }
    let divides = matches!(op, ExactOp::Divide)
        || are_real(x, y) && matches!(op, ExactOp::FloorDivide | ExactOp::Remainder | ExactOp::TruncatedRemainder);
    divides && is_zero(y)
}

/// How two real numbers compare. The value of an integer counts, and not what a float makes of it, as in Python.
fn order(x: &Const, y: &Const) -> Option<Ordering> {
    match (x, y) {
        (Const::Int(x), Const::Float(y)) => order_of_integer(x, y.value),
        (Const::Float(x), Const::Int(y)) => order_of_integer(y, x.value).map(Ordering::reverse),
        (x, y) => x.parts().0.partial_cmp(&y.parts().0),
    }
}

/// How two numbers compare if one of them is complex. They have an order only if their imaginary parts are equal.
fn complex_order(x: &Const, y: &Const) -> Option<Ordering> {
    let same = x.parts().1 == y.parts().1;
    if same { order(&part(x, true), &part(y, true)) } else { None }
}

fn order_of_integer(x: &BigInt, y: f64) -> Option<Ordering> {
    if y.is_nan() {
        return None;
    }
    let floor = y.floor();
    let fraction = if y > floor { Ordering::Less } else { Ordering::Equal };
    Some(match BigInt::from_f64(floor) {
        Some(whole) => x.cmp(&whole).then(fraction),
        None if y > 0.0 => Ordering::Less,
        None => Ordering::Greater,
    })
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
        ExactOp::FloorDivide | ExactOp::Remainder | ExactOp::TruncatedRemainder | ExactOp::Divide if is_zero(y) => {
            Err(ConstantFault::ZeroDivision)
        }
        ExactOp::FloorDivide => Ok(floor_divide(x, y)),
        ExactOp::Remainder => Ok(x - floor_divide(x, y) * y),
        ExactOp::TruncatedRemainder => Ok(x % y),
        ExactOp::Divide => {
            let quotient = ratio(x, y);
            return Some(match quotient.is_finite() {
                true => Ok(Exact::Value(Const::float(quotient))),
                false => Err(ConstantFault::LargeOperand(Some(quotient))),
            });
        }
        // As in Python, where both are numbers of the text.
        ExactOp::Power if y.is_negative() && is_zero(x) => Err(ConstantFault::ZeroDivision),
        ExactOp::Power if y.is_negative() => {
            let (base, exponent) = (to_f64(x), to_f64(y));
            let value = base.powf(exponent);
            return Some(match base.is_finite() && exponent.is_finite() {
                true => Ok(Exact::Value(Const::float(value))),
                false => Err(ConstantFault::LargeOperand(Some(value))),
            });
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
    if x.is_negative() == y.is_negative() { magnitude } else { -magnitude }
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
fn floats(op: ExactOp, x: &Const, y: &Const) -> Option<Result<Exact, ConstantFault>> {
    let (a, b) = (x.parts().0, y.parts().0);
    let large = is_large(x) || is_large(y);
    let value = match op {
        ExactOp::Compare(holds) => return Some(Ok(Exact::Truth(holds(order(x, y))))),
        ExactOp::Add => a + b,
        ExactOp::Subtract => a - b,
        ExactOp::Multiply => a * b,
        ExactOp::Divide => a / b,
        // Where a power is a float, it is computed as all powers are.
        ExactOp::Power if large => a.powf(b),
        _ => return None,
    };
    Some(if large { Err(ConstantFault::LargeOperand(Some(value))) } else { Ok(Exact::Value(Const::float(value))) })
}

/// The exact value of a scalar that was computed at a default width.
pub(in crate::check) fn weak_constant(scalar: crate::scalar::Scalar) -> Const {
    use crate::scalar::eval::eval;
    match scalar.dtype.kind() {
        Kind::Unsigned => Const::Int((eval(Prim::Convert, DType::U64, &[scalar]).bits as u64).into()),
        Kind::Bool | Kind::Signed => {
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
