//! The results of prims for ranges of integers, before anything wraps.
//!
//! Ends that 128 bits cannot hold are `i128::MIN` and `i128::MAX`, which stand for no bound.

pub use super::bits::Ends;

use super::{bits, integers};
use crate::scalar::prim::Prim;
use crate::types::DType;
use std::ops::Rem;

/// How many values, or pairs of them, are tried one by one.
const MAX_TRIED_VALUES: i128 = 256;

/// The values that a prim has in unlimited integers; `None` for prims that are no arithmetic of integers of `dtype`.
pub fn exact(prim: Prim, dtype: DType, args: &[Ends]) -> Option<Ends> {
    let bits = i128::from(dtype.bits());
    Some(match (prim, args) {
        (Prim::Add, [a, b]) => (a.0.saturating_add(b.0), a.1.saturating_add(b.1)),
        (Prim::Sub, [a, b]) => (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)),
        (Prim::Mul, [a, b]) => corners(*a, *b, i128::saturating_mul),
        (Prim::FloorDiv, [a, b]) => floor_division(*a, *b),
        (Prim::Rem, [a, b]) => remainder(*a, *b),
        (Prim::Neg, [a]) => (a.1.saturating_neg(), a.0.saturating_neg()),
        (Prim::Abs, [a]) => magnitude(*a),
        (Prim::Min, [a, b]) => (a.0.min(b.0), a.1.min(b.1)),
        (Prim::Max, [a, b]) => (a.0.max(b.0), a.1.max(b.1)),
        (Prim::Pow, [a, b]) => power(*a, *b),
        (Prim::And, [a, b]) => bits::ends(|x, y| x & y, *a, *b),
        (Prim::Or, [a, b]) => bits::ends(|x, y| x | y, *a, *b),
        (Prim::Xor, [a, b]) => bits::ends(|x, y| x ^ y, *a, *b),
        (Prim::Not, [a]) if dtype == DType::Bool => (1 - a.1, 1 - a.0),
        (Prim::Not, [a]) => {
            let (least, most) = integers(dtype);
            (least + most - a.1, least + most - a.0)
        }
        (Prim::Shl, [a, count]) => shift_left(*a, *count, bits),
        (Prim::Shr, [a, count]) => shift_right(*a, *count, bits),
        (Prim::Popcount, [a]) => set_bits(*a, dtype),
        (Prim::Clz, _) => (0, bits),
        (Prim::Gcd, [a, b]) => in_common(*a, *b),
        _ => return None,
    })
}

/// Whether a prim wraps when its exact value does not fit, which is worth a word. Bits that a shift moves out are
/// what shifts are for.
pub fn overflows(prim: Prim) -> bool {
    matches!(prim, Prim::Add | Prim::Sub | Prim::Mul | Prim::Neg | Prim::Abs | Prim::Pow | Prim::FloorDiv | Prim::Gcd)
}

/// The multiple of a positive factor that is nearest to a value, of two the even one.
pub fn nearest_multiple(value: i128, factor: i128) -> i128 {
    let (quotient, over) = (value.div_euclid(factor), value.rem_euclid(factor));
    let short = factor - over;
    let is_up = short < over || short == over && quotient & 1 == 1;
    quotient.saturating_add(i128::from(is_up)).saturating_mul(factor)
}

/// The divisors that two numbers can have in common: that of a number and 0 is its magnitude.
fn in_common(a: Ends, b: Ends) -> Ends {
    if let Some(found) = tried(a, b, divisor) {
        return found;
    }
    let (x, y) = (magnitude(a).1, magnitude(b).1);
    let has_zero = |ends: Ends| ends.0 <= 0 && ends.1 >= 0;
    let with_zero = |other: Ends, size: i128| if has_zero(other) { size } else { 0 };
    let least = i128::from(!(has_zero(a) && has_zero(b)));
    (least, x.min(y).max(with_zero(a, y)).max(with_zero(b, x)))
}

/// The square of a number.
pub(super) fn square(a: Ends) -> Ends {
    let (low, high) = magnitude(a);
    (low.saturating_mul(low), high.saturating_mul(high))
}

/// The least multiples that two numbers have in common: that of a number and 0 is 0.
pub(super) fn multiples(a: Ends, b: Ends) -> Ends {
    if let Some(found) = tried(a, b, |x, y| x.checked_div(divisor(x, y)).unwrap_or(0).saturating_mul(y)) {
        return found;
    }
    let (x, y) = (magnitude(a), magnitude(b));
    let least = if x.0 == 0 || y.0 == 0 { 0 } else { x.0.max(y.0) };
    (least, x.1.saturating_mul(y.1))
}

/// How many values there are.
fn count(a: Ends) -> i128 {
    a.1.saturating_sub(a.0).saturating_add(1)
}

/// How many bits are set.
fn set_bits(a: Ends, dtype: DType) -> Ends {
    let bits = dtype.bits();
    if count(a) > MAX_TRIED_VALUES {
        let most = if a.0 < 0 { bits } else { (128 - a.1.leading_zeros()).min(bits) };
        return (i128::from(a.0 > 0), i128::from(most));
    }
    let mut found = (i128::MAX, i128::MIN);
    for value in a.0..=a.1 {
        let set = i128::from((value as u128 & (u128::MAX >> (128 - bits))).count_ones());
        found = (found.0.min(set), found.1.max(set));
    }
    found
}

/// Between what the results for the magnitudes of two numbers lie, where there are few.
fn tried(a: Ends, b: Ends, f: impl Fn(i128, i128) -> i128) -> Option<Ends> {
    let (a, b) = (magnitude(a), magnitude(b));
    if count(a).saturating_mul(count(b)) > MAX_TRIED_VALUES {
        return None;
    }
    let mut found = (i128::MAX, i128::MIN);
    for x in a.0..=a.1 {
        for y in b.0..=b.1 {
            let value = f(x, y);
            found = (found.0.min(value), found.1.max(value));
        }
    }
    Some(found)
}

fn divisor(x: i128, y: i128) -> i128 {
    // Division of 128 bits takes ten times as long.
    match (u64::try_from(x), u64::try_from(y)) {
        (Ok(x), Ok(y)) => by_remainders(x, y).into(),
        _ => by_remainders(x, y),
    }
}

fn by_remainders<T: Copy + Default + PartialEq + Rem<Output = T>>(mut x: T, mut y: T) -> T {
    while y != T::default() {
        (x, y) = (y, x % y);
    }
    x
}

fn corners(a: Ends, b: Ends, f: impl Fn(i128, i128) -> i128) -> Ends {
    let all = [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
    all.into_iter().fold((i128::MAX, i128::MIN), |ends, value| (ends.0.min(value), ends.1.max(value)))
}

fn join(a: Option<Ends>, b: Option<Ends>) -> Option<Ends> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

/// The divisors of each sign, and whether 0 is one.
struct Divisors {
    negative: Option<Ends>,
    zero: bool,
    positive: Option<Ends>,
}

fn by_sign(b: Ends) -> Divisors {
    let negative = (b.0 < 0).then(|| (b.0, b.1.min(-1)));
    let positive = (b.1 > 0).then(|| (b.0.max(1), b.1));
    Divisors { negative, zero: b.0 <= 0 && b.1 >= 0, positive }
}

fn floor_division(a: Ends, b: Ends) -> Ends {
    let quotient = |x: i128, y: i128| {
        let truncated = x.checked_div(y).unwrap_or(i128::MAX);
        let down = x.checked_rem(y).unwrap_or(0) != 0 && (x < 0) != (y < 0);
        truncated.saturating_sub(i128::from(down))
    };
    let Divisors { negative, zero, positive } = by_sign(b);
    let of = |divisors: Option<Ends>| divisors.map(|divisors| corners(a, divisors, quotient));
    let zero = zero.then_some((0, 0));
    join(join(of(negative), of(positive)), zero).unwrap_or((0, 0))
}

fn remainder(a: Ends, b: Ends) -> Ends {
    if b.0 == b.1 && b.0 > 0 && a.0.div_euclid(b.0) == a.1.div_euclid(b.0) {
        return (a.0.rem_euclid(b.0), a.1.rem_euclid(b.0));
    }
    let Divisors { negative, zero, positive } = by_sign(b);
    let positive = positive.map(|(least, most)| match a {
        (low, high) if low >= 0 && high < least => a,
        (low, high) if low >= 0 => (0, high.min(most - 1)),
        _ => (0, most - 1),
    });
    let negative = negative.map(|(least, _)| (least.saturating_add(1), 0));
    join(join(negative, positive), zero.then_some((0, 0))).unwrap_or((0, 0))
}

fn magnitude(a: Ends) -> Ends {
    let (low, high) = (a.0.saturating_abs(), a.1.saturating_abs());
    if a.0 <= 0 && a.1 >= 0 { (0, low.max(high)) } else { (low.min(high), low.max(high)) }
}

/// `base ** exponent` in unlimited integers, as far as 128 bits go.
fn raised(base: i128, exponent: i128) -> i128 {
    match (base, exponent) {
        (_, 0) | (1, _) => 1,
        (0, _) => 0,
        (-1, odd) => 1 - 2 * (odd & 1),
        (_, 1..=127) => base.saturating_pow(exponent as u32),
        (..0, odd) if odd & 1 == 1 => i128::MIN,
        _ => i128::MAX,
    }
}

fn power(base: Ends, exponent: Ends) -> Ends {
    if exponent.0 < 0 {
        // Truncated fractions are -1, 0 or 1.
        let rest = if exponent.1 >= 0 { power(base, (0, exponent.1)) } else { (0, 0) };
        return (rest.0.min(-1), rest.1.max(1));
    }
    let ends = corners(base, exponent, raised);
    if exponent.0 == exponent.1 {
        let crosses = base.0 <= 0 && base.1 >= 0;
        return if crosses { (ends.0.min(raised(0, exponent.0)), ends.1.max(raised(0, exponent.0))) } else { ends };
    }
    if exponent.1 == 1 {
        // The exponent is 0 or 1: the power is 1 or the base.
        return (base.0.min(1), base.1.max(1));
    }
    if base.0 >= 1 {
        return ends;
    }
    if base.0 == 0 {
        return (0, ends.1.max(1));
    }
    // Even and odd exponents: as large either way.
    let largest =
        ends.0.saturating_abs().max(ends.1.saturating_abs()).max(raised(magnitude(base).1, exponent.1)).max(1);
    (largest.saturating_neg(), largest)
}

fn shift_left(a: Ends, count: Ends, bits: i128) -> Ends {
    let inside = (count.0.max(0), count.1.min(bits - 1));
    let moved = (inside.0 <= inside.1).then(|| corners(a, inside, |x, n| x.saturating_mul(1 << n)));
    let outside = (count.0 < 0 || count.1 >= bits).then_some((0, 0));
    join(moved, outside).unwrap_or((0, 0))
}

fn shift_right(a: Ends, count: Ends, bits: i128) -> Ends {
    let inside = (count.0.max(0), count.1.min(bits - 1));
    let moved = (inside.0 <= inside.1).then(|| corners(a, inside, |x, n| x >> n));
    let sign = (if a.0 < 0 { -1 } else { 0 }, if a.1 < 0 { -1 } else { 0 });
    let outside = (count.0 < 0 || count.1 >= bits).then_some(sign);
    join(moved, outside).unwrap_or(sign)
}
