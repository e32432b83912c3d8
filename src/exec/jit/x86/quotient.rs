//! Division by a constant as one product, or as two.
//!
//! Let `h + l` be next to `1/c`, where `h` is that rounded towards zero and `l` the rest within two units of its last
//! place. Then `fma(x, h, x*l)` is off by less than `10 * 2^-2p` of the quotient before it is rounded to `p` bits. So
//! it rounds to another number than the quotient only where that lies so near the middle between two numbers. `X/C` for
//! whole numbers of `p` bits is that near `(2M + 1)/2^s` only if `X*2^s - (2M + 1)*C` is one of a few small numbers;
//! for each of them the `X` are the solutions of a congruence. They are tried. (After Brisebarre and Muller, *Correctly
//! rounded multiplication by arbitrary precision constants*, 2008.)
//!
//! That holds while no product is too small for its bits, so the quotient must be known not to be tiny.

use crate::exec::jit::lower::{VectorBody, VectorOp, Virtual};
use crate::scalar::convert::{ConvertFrom, ConvertTo};
use crate::scalar::number::Float;
use crate::scalar::prim::Prim;
use crate::types::DType;

/// How far from the middle a quotient may be taken for another, in the units of the congruence: 20 at most.
const MAX_DISTANCE: i128 = 24;

/// The parts of a constant's inverse, if by them every quotient that is not tiny is right. The constant has an exponent
/// between `-exponents` and `exponents`.
fn inverse_parts<T: Float + PartialOrd + ConvertFrom + ConvertTo>(divisor: T, exponents: f64) -> Option<[T; 2]> {
    let (digits, number) = (T::DTYPE.row().value_bits, T::of::<f64>);
    let (size, scale) = (divisor.abs(), exponents.exp2());
    if !(1.0 / scale..scale).contains(&f64::of(size)) {
        return None;
    }
    let leading = 1 << (digits - 1);
    let whole = size.to_bits() & (leading - 1) | leading;
    let (zero, one, infinity) = (number(0.0), number(1.0), number(f64::INFINITY));
    // What is missing of 1 in the product of a number and the constant.
    let missing = |inverse: T| inverse.neg().fma(size, one);
    let near = one.div(size);
    let high = if missing(near) < zero { near.nextafter(zero) } else { near };
    let rest = missing(high).div(size);
    let right = |low: T, x: u128| {
        let x = number(x as f64);
        x.fma(high, x.mul(low)) == x.div(size)
    };
    // One of these is right almost always.
    let lows = [rest, rest.nextafter(infinity), rest.nextafter(infinity.neg())];
    let is_normal = |low: T| low > zero && low < infinity && low.to_bits() >= leading;
    let is_right = |low: T| critical(whole, digits).all(|x| right(low, x));
    let low = lows.into_iter().find(|&low| is_normal(low) && is_right(low))?;
    Some([high, low].map(|part| part.copysign(divisor)))
}

fn parts_single(divisor: f32) -> Option<[f32; 2]> {
    inverse_parts(divisor, 60.0)
}

fn parts_double(divisor: f64) -> Option<[f64; 2]> {
    inverse_parts(divisor, 400.0)
}

/// The whole numbers of `p` bits whose quotient by one of them could be taken for its neighbour.
fn critical(divisor: u128, p: u32) -> impl Iterator<Item = u128> {
    let twos = divisor.trailing_zeros() + 1;
    let odd = divisor >> (twos - 1);
    let halved = move |x: u128| if x.is_multiple_of(2) { x / 2 } else { x.midpoint(odd) };
    let steps = [p, p + 1].into_iter().flat_map(move |s| {
        // 1 divided by as many twos, modulo the odd factor.
        let power = (twos..s).fold(1 % odd, |power, _| halved(power));
        (-MAX_DISTANCE..=MAX_DISTANCE).map(move |near| (power, near))
    });
    let rests = steps.filter_map(move |(power, near)| {
        let sum = divisor.checked_add_signed(near).expect("a divisor has more bits");
        // Of `X * 2^s = C + near` modulo `2C`, both sides have these factors of 2, or there is no solution.
        (sum.trailing_zeros() >= twos).then(|| (sum >> twos) % odd * power % odd)
    });
    let least = 1u128 << (p - 1);
    rests.flat_map(move |rest| {
        let first = rest + (least.saturating_sub(rest)).div_ceil(odd) * odd;
        (first..2 * least).step_by(odd as usize)
    })
}

/// A constant's inverse, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inverse {
    Exact(u128),
    /// Rounded towards zero, and the rest.
    Parts([u128; 2]),
}

/// The inverse of a power of 2.
fn exact(dtype: DType, bits: u128) -> Option<u128> {
    let is_power = |digits: u32| bits & ((1 << (digits - 1)) - 1) == 0;
    if dtype == DType::F32 {
        let (power, inverse) = (f32::from_bits(bits as u32), 1.0 / f32::from_bits(bits as u32));
        let exact = is_power(f32::MANTISSA_DIGITS) && power.is_normal() && inverse.is_normal();
        exact.then(|| inverse.to_bits().into())
    } else if dtype == DType::F64 {
        let (power, inverse) = (f64::from_bits(bits as u64), 1.0 / f64::from_bits(bits as u64));
        let exact = is_power(f64::MANTISSA_DIGITS) && power.is_normal() && inverse.is_normal();
        exact.then(|| inverse.to_bits().into())
    } else {
        None
    }
}

/// The parts of a constant's inverse, if by them every quotient that is not tiny is right.
fn parts(dtype: DType, bits: u128) -> Option<Inverse> {
    Some(Inverse::Parts(if dtype == DType::F32 {
        parts_single(f32::from_bits(bits as u32))?.map(|part| part.to_bits().into())
    } else {
        parts_double(f64::from_bits(bits as u64))?.map(|part| part.to_bits().into())
    }))
}

/// The inverse of a constant, if a whole number's quotient by it is what products with it say.
pub(super) fn inverse_for_whole(dtype: DType, bits: u128) -> Option<Inverse> {
    exact(dtype, bits).map(Inverse::Exact).or_else(|| parts(dtype, bits))
}

/// The inverse of a constant, if a value's quotient by it is what products with it say.
pub(super) fn inverse(source: &VectorBody, dtype: DType, value: Virtual, divisor: Virtual) -> Option<Inverse> {
    let bits = source.constant(Some(divisor))?;
    if let Some(inverse) = exact(dtype, bits) {
        return Some(Inverse::Exact(inverse));
    }
    // Of quotients, half of the exponents of products that keep their bits.
    let (least, of) = if dtype == DType::F32 {
        (-100, exponent(f64::from(f32::from_bits(bits as u32)))?)
    } else if dtype == DType::F64 {
        (-960, exponent(f64::from_bits(bits as u64))?)
    } else {
        return None;
    };
    if least_exponent(source, value, 8)? - of - 1 < least {
        return None;
    }
    parts(dtype, bits)
}

/// The exponent of a number that has one, as a normal `f64`.
fn exponent(x: f64) -> Option<i32> {
    x.is_normal().then(|| (x.to_bits() >> 52 & 0x7ff) as i32 - 1023)
}

/// An exponent that a float has at least, unless it is zero or not finite. It is found from what the float is computed
/// from, at most `depth` steps back.
fn least_exponent(source: &VectorBody, value: Virtual, depth: u32) -> Option<i32> {
    let dtype = source.dtype(value);
    let precision = if dtype == DType::F64 { 53 } else { 24 };
    let of_constant = |value: Virtual| {
        let bits = source.constant(Some(value))?;
        exponent(if dtype == DType::F64 { f64::from_bits(bits as u64) } else { f32::from_bits(bits as u32).into() })
    };
    let of = |value: Virtual| least_exponent(source, value, depth.checked_sub(1)?);
    let step = source.step(value);
    let (VectorOp::Prim(prim), [Some(first), second, third, ..]) = (step.op, step.operands) else { return None };
    match (prim, second) {
        // What is not next to the constant is half as large as it; and what is next to it has no smaller bits.
        (Prim::Add | Prim::Sub, Some(second)) => Some(of_constant(second).or_else(|| of_constant(first))? - precision),
        (Prim::Neg | Prim::Abs | Prim::Copysign, _) => of(first),
        (Prim::Min | Prim::Max, Some(second)) => Some(of(first)?.min(of(second)?)),
        (Prim::Select, Some(second)) => Some(of(second)?.min(of(third?)?)),
        (Prim::Convert, _) => match source.dtype(first) {
            from if from.is_integer() || from == DType::Bool => Some(0),
            // The least subnormal number.
            from if from.is_small_float() || dtype == DType::F64 => Some(from.row().min_exponent),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::tests::Random;

    /// All dividends of a few divisors, and random ones of many.
    #[test]
    fn quotients_by_products_are_those_by_division() {
        let divisors = [1.7f32, -0.3, 3.0, 10.0, 255.0, 0.1, 1.0000001, 1.9999999, 7.0 / 3.0, 1e-5, 65535.0];
        let mut taken = 0;
        for divisor in divisors {
            let Some([high, low]) = parts_single(divisor) else { continue };
            taken += 1;
            for bits in 0x3f80_0000..0x4000_0000 {
                let x = f32::from_bits(bits);
                let (ours, theirs) = (x.mul_add(high, x * low), x / divisor);
                assert_eq!(ours.to_bits(), theirs.to_bits(), "{x} / {divisor}");
            }
        }
        assert!(taken >= 9, "{taken}");
        let mut random = Random::new(17);
        let mut number = || 1.0 + (random.next() >> 12) as f64 * f64::EPSILON;
        let divisors: Vec<f64> = (0..300).map(|_| number()).collect();
        for divisor in divisors.into_iter().chain([1.7, 0.229, 3.0, 10.0, 255.0]) {
            let Some([high, low]) = parts_double(divisor) else { continue };
            taken += 1;
            for x in (0..300).map(|_| number()).chain([0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1e-280]) {
                assert_eq!(x.mul_add(high, x * low).to_bits(), (x / divisor).to_bits(), "{x} / {divisor}");
            }
        }
        assert!(taken >= 300, "{taken}");
    }

    /// With few bits all can be tried: what the congruences do not name is right.
    #[test]
    fn the_critical_dividends_are_all() {
        for divisor in 128..256u128 {
            let named: Vec<u128> = critical(divisor, 8).collect();
            for x in 128..256u128 {
                let near = |s: u32| {
                    // The distance to the next odd multiple of the divisor.
                    let rest = ((x << s) + divisor) % (2 * divisor);
                    rest.min(2 * divisor - rest) <= MAX_DISTANCE as u128
                };
                assert_eq!(near(8) || near(9), named.contains(&x), "{x} / {divisor}");
            }
        }
    }

    #[test]
    fn powers_of_two_and_extremes_are_left_to_others() {
        for divisor in [1.0f32, 0.5, 0.0, f32::INFINITY, f32::NAN, 1e30, 1e-30] {
            assert_eq!(parts_single(divisor), None, "{divisor}");
        }
    }
}
