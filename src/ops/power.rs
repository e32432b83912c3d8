//! Powers or shifts by constants, which are exact integers of their own.

use super::expand::Expand;
use super::{ScaledOperation, complex, formula};
use crate::ir::NodeId;
use crate::scalar::by_squaring;
use crate::scalar::prim::Prim;
use crate::types::DType;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// `x ** y` of operands of one dtype. For floats and complex numbers, constant exponents 2, 1, -1, 0.5 and 0 are
/// what they say.
pub(crate) fn power(e: &mut Expand, x: NodeId, y: NodeId) -> NodeId {
    let complex = e.dtype(x).is_complex();
    match exponent(e, y) {
        Some(1.0) => x,
        Some(2.0) => e.mul(x, x),
        Some(-1.0) => under(e, x, x),
        Some(0.5) if complex => formula::complex(e, [x], |[z]| complex::sqrt(z)),
        Some(0.5) => e.prim(Prim::Sqrt, &[x]),
        Some(0.0) => {
            let one = e.number(x, 1.0);
            let shape = e.shape(x);
            e.broadcast(one, &shape)
        }
        Some(count) if complex && count.fract() == 0.0 && count.abs() < 100.0 => {
            let product = product(e, x, count.abs() as u32);
            if count < 0.0 { under(e, x, product) } else { product }
        }
        _ if complex => {
            let general = formula::complex(e, [x, y], complex::power);
            by_products(e, x, y, general)
        }
        _ => e.prim(Prim::Pow, &[x, y]),
    }
}

/// The value of a constant float, or of a constant complex number without an imaginary part.
#[expect(clippy::wildcard_enum_match_arm, reason = "floats are computed in these two alone")]
fn exponent(e: &Expand, y: NodeId) -> Option<f64> {
    let scalar = e.0.as_constant(y)?;
    let part = scalar.dtype.part();
    let float = |bits: u128| match part {
        DType::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        DType::F64 => Some(f64::from_bits(bits as u64)),
        _ => None,
    };
    let imaginary = if scalar.dtype.is_complex() { float(scalar.bits >> part.bits())? } else { 0.0 };
    float(scalar.bits).filter(|_| imaginary == 0.0)
}

fn reciprocal(e: &mut Expand, x: NodeId) -> NodeId {
    let one = e.number(x, 1.0);
    e.div(one, x)
}

/// A negative power of `x`, whose positive one is known. Of a complex 0, which lies in no direction, it is nan, as
/// where exponents are computed.
fn under(e: &mut Expand, x: NodeId, product: NodeId) -> NodeId {
    let quotient = reciprocal(e, product);
    if !e.dtype(x).is_complex() {
        return quotient;
    }
    let (zero, part) = (e.number(x, 0.0), e.parts(x).0);
    let (nowhere, nan) = (e.equal(x, zero), e.number(part, f64::NAN));
    let nan = e.pair(nan, nan);
    e.select(nowhere, nan, quotient)
}

/// A complex number to a positive whole power, by squaring, in NumPy's order.
fn product(e: &mut Expand, x: NodeId, count: u32) -> NodeId {
    if count == 3 {
        let square = e.mul(x, x);
        return e.mul(x, square);
    }
    by_squaring(x, count, |x, y| e.mul(x, y))
}

/// Complex numbers whose exponents are computed: products where the exponent is whole and below 100, as
/// [`product`] would form them, else `general`.
fn by_products(e: &mut Expand, x: NodeId, y: NodeId, general: NodeId) -> NodeId {
    let (re, im) = e.parts(y);
    let (a, b) = e.parts(x);
    let (zero, limit) = (e.number(re, 0.0), e.number(re, 100.0));
    let size = e.prim(Prim::Abs, &[re]);
    let trunc = e.prim(Prim::Trunc, &[re]);
    let base = [(Prim::Ne, a, zero), (Prim::Ne, b, zero)].map(|(prim, a, b)| e.prim(prim, &[a, b]));
    let base = e.prim(Prim::Or, &base);
    let whole = [(Prim::Eq, im, zero), (Prim::Eq, re, trunc), (Prim::Lt, zero, size), (Prim::Lt, size, limit)]
        .map(|(prim, a, b)| e.prim(prim, &[a, b]));
    let whole = whole.into_iter().fold(base, |all, one| e.prim(Prim::And, &[all, one]));

    let count = e.convert(size, DType::I32);
    let none = e.integer(DType::I32, 0);
    let (mut square, mut made) = (x, x);
    for bit in 0..7 {
        if bit > 0 {
            square = e.mul(square, square);
        }
        let (this, below) = (e.integer(DType::I32, 1 << bit), e.integer(DType::I32, (1 << bit) - 1));
        let [this, below] = [this, below].map(|mask| e.prim(Prim::And, &[count, mask]));
        let [this, below] = [this, below].map(|bits| e.prim(Prim::Ne, &[bits, none]));
        let more = e.mul(made, square);
        let next = e.select(below, more, square);
        made = e.select(this, next, made);
    }
    let under = reciprocal(e, made);
    let negative = e.prim(Prim::Lt, &[re, zero]);
    let made = e.select(negative, under, made);
    e.select(whole, made, general)
}

/// An integer raised to, or shifted by, an exact constant. `None` for a negative exponent.
pub(crate) fn by_constant(e: &mut Expand, scaled: ScaledOperation, x: NodeId, count: &BigInt) -> Option<NodeId> {
    let dtype = e.dtype(x);
    let bits = BigInt::from(dtype.bits());
    match scaled {
        ScaledOperation::ShiftLeft | ScaledOperation::ShiftRight => {
            // Every count outside 0..bits does the same as a count of `bits`, which every dtype can hold.
            let outside = count.is_negative() || *count >= bits;
            let count = if outside { bits } else { count.clone() };
            let count = e.integer(dtype, count.to_i128().expect("at most the width"));
            let prim = if scaled == ScaledOperation::ShiftLeft { Prim::Shl } else { Prim::Shr };
            Some(e.prim(prim, &[x, count]))
        }
        ScaledOperation::Power if count.is_negative() => None,
        ScaledOperation::Power if *count < bits => {
            let count = e.integer(dtype, count.to_i128().expect("below the width"));
            Some(e.prim(Prim::Pow, &[x, count]))
        }
        ScaledOperation::Power => {
            // Modulo 2^N an even number to the power N or more is 0; the order of an odd one divides 2^(N-2).
            let order = BigInt::from(1) << (dtype.bits() - 2);
            let rest = (count % &order).to_i128().expect("below 2^62");
            let rest = e.integer(dtype, rest);
            let power = e.prim(Prim::Pow, &[x, rest]);
            let one = e.integer(dtype, 1);
            let zero = e.integer(dtype, 0);
            let low = e.prim(Prim::And, &[x, one]);
            let odd = e.prim(Prim::Eq, &[low, one]);
            Some(e.prim(Prim::Select, &[odd, power, zero]))
        }
    }
}
