//! Conversions of real dtypes or `bool`, each with at most one rounding.
//!
//! The small floats are reached through `f32`: widening is exact, and narrowing from something wider than `f32`
//! first rounds to odd there, which keeps what the second rounding needs to know. (`half`'s own `from_f64` rounds
//! twice.) All of it is branch-free integer arithmetic, so that it vectorises.
//!
//! ```
//! use arrlang::scalar::convert::ConvertTo;
//! let just_above_a_tie = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
//! assert_eq!(half::f16::of(just_above_a_tie).to_bits(), 0x3c01);
//! assert_eq!(u8::of(-3.7f64), 0);
//! ```

use crate::types::dtype::{DType, Element, F8E4m3, F8E5m2, Flag, ROWS, bf16, f16};

/// What a real element can be converted to.
#[expect(missing_docs, reason = "each converts to the dtype of its name")]
pub trait ConvertFrom: Element {
    fn to_bool(self) -> Flag;
    fn to_u8(self) -> u8;
    fn to_u16(self) -> u16;
    fn to_u32(self) -> u32;
    fn to_u64(self) -> u64;
    fn to_i8(self) -> i8;
    fn to_i16(self) -> i16;
    fn to_i32(self) -> i32;
    fn to_i64(self) -> i64;
    fn to_f32(self) -> f32;
    fn to_f64(self) -> f64;
    /// To `f32`, rounded to odd: exact, or the neighbour with an odd last digit.
    fn to_odd(self) -> f32;
}

/// Where a conversion leads.
pub trait ConvertTo: Element {
    /// Converts.
    fn of<S: ConvertFrom>(source: S) -> Self;
}

macro_rules! integers {
    ($($T:ident $method:ident, |$x:ident| $value:expr, $odd:expr;)*) => {$(
        impl ConvertTo for $T {
            #[inline(always)]
            fn of<S: ConvertFrom>(source: S) -> Self { source.$method() }
        }

        impl ConvertFrom for $T {
            #[inline(always)]
            fn to_bool(self) -> Flag { let $x = self; Flag(u8::from($value != 0)) }
            #[inline(always)]
            fn to_u8(self) -> u8 { let $x = self; $value as u8 }
            #[inline(always)]
            fn to_u16(self) -> u16 { let $x = self; $value as u16 }
            #[inline(always)]
            fn to_u32(self) -> u32 { let $x = self; $value as u32 }
            #[inline(always)]
            fn to_u64(self) -> u64 { let $x = self; $value as u64 }
            #[inline(always)]
            fn to_i8(self) -> i8 { let $x = self; $value as i8 }
            #[inline(always)]
            fn to_i16(self) -> i16 { let $x = self; $value as i16 }
            #[inline(always)]
            fn to_i32(self) -> i32 { let $x = self; $value as i32 }
            #[inline(always)]
            fn to_i64(self) -> i64 { let $x = self; $value as i64 }
            #[inline(always)]
            fn to_f32(self) -> f32 { let $x = self; $value as f32 }
            #[inline(always)]
            fn to_f64(self) -> f64 { let $x = self; $value as f64 }
            #[inline(always)]
            fn to_odd(self) -> f32 { let $x = self; $odd }
        }
    )*};
}

integers! {
    Flag to_bool, |x| x.0, f32::from(x.0);
    u8 to_u8, |x| x, f32::from(x);
    u16 to_u16, |x| x, f32::from(x);
    u32 to_u32, |x| x, odd(f64::from(x));
    // Up to 53 digits an integer is a float; of more, the last eleven become one that says whether they were zero.
    u64 to_u64, |x| x, odd(if x < 1 << 53 { x } else { sticky(x) } as f64);
    i8 to_i8, |x| x, f32::from(x);
    i16 to_i16, |x| x, f32::from(x);
    i32 to_i32, |x| x, odd(f64::from(x));
    i64 to_i64, |x| x, odd(if x.wrapping_add(1 << 53) as u64 <= 1 << 54 { x } else { sticky(x as u64) as i64 } as f64);
}

/// `1.5 * 2^52`: added to an integer it leaves its digits in the last bits.
const PLACE: f64 = 6_755_399_441_055_744.0;

/// Truncates to an integer of up to 32 bits between `low` and `high`, in two's complement; not-a-number is 0.
///
/// This and the next do what `as` does, which compiles to one element at a time.
#[inline(always)]
fn short(x: f64, low: f64, high: f64) -> u32 {
    let x = if x > low { x } else { low };
    let x = if x < high { x } else { high };
    (x.trunc() + PLACE).to_bits() as u32
}

/// Truncates a number within `-2^63..2^64` to 64 bits: 32 at a time.
#[inline(always)]
fn long(x: f64) -> u64 {
    let whole = x.trunc();
    let high = (whole * (1.0 / 4_294_967_296.0)).floor();
    let low = whole - high * 4_294_967_296.0;
    ((high + PLACE).to_bits() << 32) | u64::from((low + PLACE).to_bits() as u32)
}

/// The number, or 0 for not-a-number: what integers are made of.
#[inline(always)]
fn or_zero(x: f64) -> f64 {
    if x.is_nan() { 0.0 } else { x }
}

/// A float as the wider ones that conversions start from.
pub trait WidenedFloat: Element {
    /// Its exact value.
    fn exact(self) -> f64;
    /// The nearest `f32`.
    fn nearest(self) -> f32;
    /// As `f32`, rounded to odd.
    fn odd(self) -> f32;
}

impl WidenedFloat for f64 {
    #[inline(always)]
    fn exact(self) -> f64 {
        self
    }
    #[inline(always)]
    fn nearest(self) -> f32 {
        self as f32
    }
    #[inline(always)]
    fn odd(self) -> f32 {
        odd(self)
    }
}

impl WidenedFloat for f32 {
    #[inline(always)]
    fn exact(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn nearest(self) -> f32 {
        self
    }
    #[inline(always)]
    fn odd(self) -> f32 {
        self
    }
}

impl<T: SmallFloat> WidenedFloat for T {
    #[inline(always)]
    fn exact(self) -> f64 {
        f64::from(self.widen())
    }
    #[inline(always)]
    fn nearest(self) -> f32 {
        self.widen()
    }
    #[inline(always)]
    fn odd(self) -> f32 {
        self.widen()
    }
}

impl<T: WidenedFloat> ConvertFrom for T {
    #[inline(always)]
    fn to_bool(self) -> Flag {
        Flag(u8::from(self.exact() != 0.0))
    }
    #[inline(always)]
    fn to_u8(self) -> u8 {
        short(or_zero(self.exact()), 0.0, u8::MAX.into()) as u8
    }
    #[inline(always)]
    fn to_u16(self) -> u16 {
        short(or_zero(self.exact()), 0.0, u16::MAX.into()) as u16
    }
    #[inline(always)]
    fn to_u32(self) -> u32 {
        short(or_zero(self.exact()), 0.0, u32::MAX.into())
    }
    #[inline(always)]
    fn to_u64(self) -> u64 {
        let x = or_zero(self.exact());
        let inside = long(if x > 0.0 { x } else { 0.0 });
        if x < 18_446_744_073_709_551_616.0 { inside } else { u64::MAX }
    }
    #[inline(always)]
    fn to_i8(self) -> i8 {
        short(or_zero(self.exact()), i8::MIN.into(), i8::MAX.into()) as i8
    }
    #[inline(always)]
    fn to_i16(self) -> i16 {
        short(or_zero(self.exact()), i16::MIN.into(), i16::MAX.into()) as i16
    }
    #[inline(always)]
    fn to_i32(self) -> i32 {
        short(or_zero(self.exact()), i32::MIN.into(), i32::MAX.into()) as i32
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        let x = or_zero(self.exact());
        let least = -9_223_372_036_854_775_808.0;
        let inside = long(if x > least { x } else { least }) as i64;
        if x < -least { inside } else { i64::MAX }
    }
    #[inline(always)]
    fn to_f32(self) -> f32 {
        self.nearest()
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self.exact()
    }
    #[inline(always)]
    fn to_odd(self) -> f32 {
        self.odd()
    }
}

impl ConvertTo for f32 {
    #[inline(always)]
    fn of<S: ConvertFrom>(source: S) -> f32 {
        source.to_f32()
    }
}

impl ConvertTo for f64 {
    #[inline(always)]
    fn of<S: ConvertFrom>(source: S) -> f64 {
        source.to_f64()
    }
}

/// A float that is computed in `f32`.
pub trait SmallFloat: Element {
    /// Its exact value.
    fn widen(self) -> f32;
    /// The nearest of them, ties to even.
    fn narrow(x: f32) -> Self;
}

impl<T: SmallFloat> ConvertTo for T {
    #[inline(always)]
    fn of<S: ConvertFrom>(source: S) -> T {
        T::narrow(source.to_odd())
    }
}

impl SmallFloat for F8E4m3 {
    #[inline(always)]
    fn widen(self) -> f32 {
        widen_byte(self)
    }
    #[inline(always)]
    fn narrow(x: f32) -> F8E4m3 {
        narrow_byte(x)
    }
}

impl SmallFloat for F8E5m2 {
    #[inline(always)]
    fn widen(self) -> f32 {
        widen_byte(self)
    }
    #[inline(always)]
    fn narrow(x: f32) -> F8E5m2 {
        narrow_byte(x)
    }
}

/// Replaces the last eleven digits by one, in the place above them, that is set if any was.
#[inline(always)]
fn sticky(x: u64) -> u64 {
    (x & !0x7ff) | u64::from(x & 0x7ff != 0) << 11
}

/// Rounds to odd: an inexact result is the neighbour, above or below, whose last digit is 1.
#[inline(always)]
fn odd(x: f64) -> f32 {
    let nearest = x as f32;
    let back = f64::from(nearest);
    let bits = nearest.to_bits();
    // Towards zero, then odd. Not-a-number equals nothing, but has no neighbours to go to.
    let below = if back.abs() > x.abs() { bits.wrapping_sub(1) } else { bits };
    f32::from_bits(if back == x || x.is_nan() { bits } else { below | 1 })
}

/// The upper half of an `f32`.
impl SmallFloat for bf16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }
    #[inline(always)]
    fn narrow(x: f32) -> bf16 {
        let bits = x.to_bits();
        let kept = bits >> 16;
        let rounded = bits.wrapping_add(0x7fff).wrapping_add(kept & 1) >> 16;
        bf16::from_bits(if x.is_nan() { kept | 0x40 } else { rounded } as u16)
    }
}

impl SmallFloat for f16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        let bits = u32::from(self.to_bits());
        let (sign, magnitude) = ((bits & 0x8000) << 16, (bits & 0x7fff) << 13);
        // The exponent's bias grows by 112, and once more for infinities and NaNs.
        let rebias = if magnitude >= 0x7c00 << 13 { 2 * 0x3800_0000 } else { 0x3800_0000 };
        let normal = magnitude.wrapping_add(rebias);
        // A subnormal is the fraction of a number in [2^-14, 2^-13), which the subtraction leaves.
        let subnormal = f32::from_bits(magnitude + 0x3880_0000) - f32::from_bits(0x3880_0000);
        let value = if magnitude < 0x0080_0000 { subnormal.to_bits() } else { normal };
        f32::from_bits(value | sign)
    }
    #[inline(always)]
    fn narrow(x: f32) -> f16 {
        let bits = x.to_bits();
        let magnitude = bits & 0x7fff_ffff;
        let sign = (bits ^ magnitude) >> 16;
        let kept = magnitude >> 13;
        // Adding 0.5 rounds what is below 2^-14 to multiples of 2^-24.
        let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
        let normal = magnitude.wrapping_add(0xc800_0fff).wrapping_add(kept & 1) >> 13;
        let finite = if magnitude < 0x3880_0000 { subnormal } else { normal };
        let number = if magnitude > 0x477f_ffff { 0x7c00 } else { finite };
        let value = if magnitude > 0x7f80_0000 { kept & 0x3ff | 0x7e00 } else { number };
        f16::from_bits((value | sign) as u16)
    }
}

/// What the conversions of a float of one byte need to know, from its row.
#[derive(Clone, Copy, Debug)]
pub struct ByteFloat {
    /// Bits of the fraction.
    pub places: u32,
    /// What is added to an exponent.
    pub bias: u32,
    /// The bits of the largest number.
    pub most: u8,
    /// What a larger one becomes.
    pub over: u8,
    /// Not-a-number.
    pub nan: u8,
}

impl ByteFloat {
    /// The conversions of a dtype of one byte.
    pub const fn of(dtype: DType) -> ByteFloat {
        let row = &ROWS[dtype as usize];
        let places = row.value_bits - 1;
        let bias = (1 << (6 - places)) - 1;
        let infinity = 0x7f >> places << places;
        match row.infinities {
            true => ByteFloat { places, bias, most: infinity - 1, over: infinity, nan: infinity | 1 << (places - 1) },
            false => ByteFloat { places, bias, most: 0x7e, over: 0x7f, nan: 0x7f },
        }
    }

    /// How many bits of an `f32`'s fraction it has not.
    pub const fn dropped_bits(self) -> u32 {
        23 - self.places
    }

    /// The bits of the `f32` by which exponents of `f32` are larger.
    pub const fn scale(self) -> u32 {
        (254 - self.bias) << 23
    }

    /// The bits of the least `f32` that has all digits here.
    pub const fn least_normal(self) -> u32 {
        (128 - self.bias) << 23
    }

    /// The bits of the `f32` whose last place is that of the subnormal numbers here.
    pub const fn subnormal_place(self) -> u32 {
        (151 - self.bias - self.places) << 23
    }
}

/// The exact value of a float of one byte: its digits as those of a small `f32`, made larger.
#[inline(always)]
pub fn widen_byte<T: Element>(x: T) -> f32 {
    let float = const { ByteFloat::of(T::DTYPE) };
    let bits = x.to_bits() as u32;
    let magnitude = bits & 0x7f;
    let number = f32::from_bits(magnitude << float.dropped_bits()) * f32::from_bits(float.scale());
    let special = if magnitude > u32::from(float.most) { 0x7f80_0000 } else { 0 };
    f32::from_bits(number.to_bits() | special | (bits & 0x80) << 24)
}

/// Rounds to the nearest float of one byte, ties to even.
#[inline(always)]
pub fn narrow_byte<T: Element>(x: f32) -> T {
    let float = const { ByteFloat::of(T::DTYPE) };
    let bits = x.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let odd = magnitude >> float.dropped_bits() & 1;
    let rounded =
        magnitude.wrapping_add((1 << (float.dropped_bits() - 1)) - 1).wrapping_add(odd) >> float.dropped_bits();
    let normal = rounded.wrapping_sub((127 - float.bias) << float.places);
    let place = float.subnormal_place();
    let subnormal = (f32::from_bits(magnitude) + f32::from_bits(place)).to_bits().wrapping_sub(place);
    let finite = if magnitude < float.least_normal() { subnormal } else { normal };
    let number = if finite > u32::from(float.most) { float.over.into() } else { finite };
    let value = if magnitude > 0x7f80_0000 { float.nan.into() } else { number };
    T::from_bits((value | bits >> 24 & 0x80).into())
}
