//! Powers, the cube root and the length of a vector.
//!
//! `x^y = exp(y log x)` needs eleven bits of the logarithm beyond a float, so here it is a sum of two; the special
//! values are those of C's Annex F.
//!
//! ```
//! use arrlang::scalar::math::power::{cbrt, hypot, pow};
//! assert_eq!((pow(-2.0, 3.0), pow(f64::NAN, 0.0)), (-8.0, 1.0));
//! assert_eq!((cbrt(-27.0), hypot(3e200, 0.0)), (-3.0, 3e200));
//! ```

use super::exp::{LN2, exp_of_sum};
use super::{horner, log};

/// 2/3 as a sum.
const TWO_THIRDS: [f64; 2] = [2.0 / 3.0, 3.700743415417188e-17];
/// `((log((1 + s) / (1 - s)) - 2 s) / s^3 - 2/3) / s^2` in `s^2`, to 2^-65 of the logarithm. Chebyshev nodes.
const R: [f64; 10] = [
    0.4,
    0.2857142857142857,
    0.22222222222222157,
    0.18181818181846662,
    0.15384615378345778,
    0.13333334125205898,
    0.11764645091937322,
    0.10529196320037043,
    0.09441761483063758,
    0.09972581444945576,
];

/// The natural logarithm of a positive finite number as a sum, to about 2^-65.
#[inline(always)]
pub(super) fn log_sum(x: f64) -> (f64, f64) {
    let (k, f) = log::split(x);
    let sum = 2.0 + f;
    let sum_low = f - (sum - 2.0);
    let inverse = 1.0 / sum;
    let s = f * inverse;
    let s_low = inverse * (-s).mul_add(sum_low, (-s).mul_add(sum, f));
    let z = s * s;
    let z_low = s.mul_add(s, -z) + 2.0 * s * s_low;
    let t = z * horner(z, &R);
    let b = TWO_THIRDS[0] + t;
    let b_low = (TWO_THIRDS[0] - b) + t + TWO_THIRDS[1];
    let r = z * b;
    let r_low = z.mul_add(b, -r) + z.mul_add(b_low, z_low * b);
    let p = s * r;
    let p_low = s.mul_add(r, -p) + s.mul_add(r_low, s_low * r);
    let high = 2.0 * s + p;
    let low = (2.0 * s - high) + p + (2.0 * s_low + p_low);
    let base = k * LN2[0];
    let total = base + high;
    let rest = (base - total) + high + k.mul_add(LN2[1], low);
    let sum = total + rest;
    (sum, (total - sum) + rest)
}

/// The result of a power from that of `|x|`, by C's Annex F.
#[inline(always)]
fn special(x: f64, y: f64, value: f64) -> f64 {
    let size = x.abs();
    let integer = y.trunc() == y;
    let odd = integer && (0.5 * y).trunc() != 0.5 * y;
    let of_zero = if y < 0.0 { f64::INFINITY } else { 0.0 };
    let of_infinity = if y < 0.0 { 0.0 } else { f64::INFINITY };
    let value = if size == 0.0 { of_zero } else { value };
    let value = if size == f64::INFINITY { of_infinity } else { value };
    let growing = if (size > 1.0) == (y > 0.0) { f64::INFINITY } else { 0.0 };
    let to_infinity = if size == 1.0 { 1.0 } else { growing };
    let value = if y.abs() == f64::INFINITY { to_infinity } else { value };
    let value = if x.is_sign_negative() && odd { -value } else { value };
    let root = x < 0.0 && size < f64::INFINITY && !integer;
    let value = if root || x.is_nan() || y.is_nan() { f64::NAN } else { value };
    if y == 0.0 || x == 1.0 { 1.0 } else { value }
}

/// `x` to the power of `y`.
#[inline(always)]
pub fn pow(x: f64, y: f64) -> f64 {
    let (high, low) = log_sum(x.abs());
    let product = y * high;
    let rest = y.mul_add(high, -product) + y * low;
    special(x, y, exp_of_sum(product, rest))
}

/// `x` to the power of `y`.
#[inline(always)]
pub fn powf(x: f32, y: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    special(x, y, super::exp::exp_single(y * log::log_medium(x.abs()))) as f32
}

/// `m^(-1/3)` for `m` in 1..2, to 2^-17.2. Chebyshev nodes.
const INVERSE_ROOT: [f64; 6] = [
    1.7776471684890054,
    -1.5540274077106597,
    1.2271496200207155,
    -0.5865141615889806,
    0.15224956438221762,
    -0.016511679091286462,
];

/// The cube root of a positive normal number, its power of 2 apart.
#[inline(always)]
fn cbrt_parts(x: f64) -> (f64, f64, f64) {
    let bits = x.to_bits();
    let exponent = f64::from_bits(bits >> 52 | 0x4330_0000_0000_0000) - 4_503_599_627_370_496.0;
    // The biased exponent is three times this and 0, 1 or 2; its bias is 3 * 341.
    let third = (exponent - 1.0).mul_add(1.0 / 3.0, 6_755_399_441_055_744.0 + 682.0);
    let rest = (third - (6_755_399_441_055_744.0 + 682.0)).mul_add(-3.0, exponent);
    let scale = f64::from_bits((third.to_bits() & 0x7ff) << 52);
    let m = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    let factor = if rest == 1.0 { 0.793_700_525_984_099_8 } else { 1.0 };
    let factor = if rest == 2.0 { 0.629_960_524_947_436_6 } else { factor };
    let whole = if rest == 1.0 { 2.0 * m } else { m };
    let whole = if rest == 2.0 { 4.0 * m } else { whole };
    (whole, factor * horner(m, &INVERSE_ROOT), scale)
}

/// The cube root.
#[inline(always)]
pub fn cbrt(x: f64) -> f64 {
    let size = x.abs();
    let subnormal = size < f64::MIN_POSITIVE;
    let (m, y, scale) = cbrt_parts(if subnormal { size * 2f64.powi(54) } else { size });
    // One step for the inverse root with a remainder of the fourth order, then one for the root, in double precision.
    let e = (-m * y).mul_add(y * y, 1.0);
    let y = (y * e).mul_add((14.0f64 / 81.0).mul_add(e, 2.0 / 9.0).mul_add(e, 1.0 / 3.0), y);
    let square = y * y;
    let root = m * square;
    let rr = root * root;
    let rr_low = root.mul_add(root, -rr);
    let rest = (-rr_low).mul_add(root, (-rr).mul_add(root, m));
    let root = rest.mul_add(square * (1.0 / 3.0), root);
    let scale = if subnormal { scale * 2f64.powi(-18) } else { scale };
    let value = (root * scale).copysign(x);
    if x == 0.0 || !size.is_finite() { x } else { value }
}

/// The cube root.
#[inline(always)]
pub fn cbrtf(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let (m, y, scale) = cbrt_parts(size);
    let e = (-m * y).mul_add(y * y, 1.0);
    let y = (y * e).mul_add((2.0f64 / 9.0).mul_add(e, 1.0 / 3.0), y);
    let value = ((m * (y * y) * scale) as f32).copysign(x);
    if x == 0.0 || !size.is_finite() { x } else { value }
}

/// The length of a vector.
#[inline(always)]
pub fn hypot(x: f64, y: f64) -> f64 {
    let (x, y) = (x.abs(), y.abs());
    let (a, b) = if x < y { (y, x) } else { (x, y) };
    // Squares of what is scaled neither overflow nor vanish where they matter.
    let (up, down) = (2f64.powi(600), 2f64.powi(-600));
    let scale = if a > 2f64.powi(500) { down } else { 1.0 };
    let scale = if a < 2f64.powi(-450) { up } else { scale };
    let back = if a > 2f64.powi(500) { up } else { 1.0 };
    let back = if a < 2f64.powi(-450) { down } else { back };
    let (a, b) = (a * scale, b * scale);
    let (aa, bb) = (a * a, b * b);
    let (aa_low, bb_low) = (a.mul_add(a, -aa), b.mul_add(b, -bb));
    let sum = aa + bb;
    let rest = (aa - sum) + bb + (aa_low + bb_low);
    let root = sum.sqrt();
    let residue = (-root).mul_add(root, sum) + rest;
    let value = (root + residue * (0.5 / root)) * back;
    let value = if a == 0.0 { 0.0 } else { value };
    let value = if x.is_nan() || y.is_nan() { f64::NAN } else { value };
    if x == f64::INFINITY || y == f64::INFINITY { f64::INFINITY } else { value }
}

/// The length of a vector.
#[inline(always)]
pub fn hypotf(x: f32, y: f32) -> f32 {
    let (a, b) = (f64::from(x), f64::from(y));
    let value = a.mul_add(a, b * b).sqrt() as f32;
    if a.abs() == f64::INFINITY || b.abs() == f64::INFINITY { f32::INFINITY } else { value }
}
