//! Terms of a fold, with the means to combine them. These are accumulators and the operations on them.

use crate::scalar::convert::{ConvertTo, SmallFloat};
use crate::scalar::number::Number;
use crate::types::dtype::{Complex, Element, Flag};
use std::ops::{Add, Mul, Sub};

/// Accumulators of a block.
pub(super) const LANES: usize = 32;

/// An element that is reduced in an accumulator, perhaps a wider one.
pub(super) trait Term: Element {
    /// What accumulates.
    type Total: Total;
    /// As an accumulator.
    fn widen(self) -> Self::Total;
    /// The one rounding at the end.
    fn narrow(total: Self::Total) -> Self;
}

/// An accumulator.
pub(super) trait Total: Copy + PartialEq + Send + 'static {
    const ZERO: Self;
    const ONE: Self;
    /// A zero that even the sign of a zero survives to be added to.
    const MINUS_ZERO: Self;
    /// One, if products with it are exact.
    const EXACT_ONE: Option<Self>;
    /// What every other value is at most.
    const TOP: Self;
    /// What every other value is at least.
    const BOTTOM: Self;
    /// Whether the order of sums matters.
    const ORDERED: bool;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn least(self, other: Self) -> Self;
    fn greatest(self, other: Self) -> Self;
    fn below(self, other: Self) -> bool;
    /// The smallest or the largest of `count` terms.
    #[inline(always)]
    fn extreme<O: FoldOp>(at: impl Fn(usize) -> Self, count: usize) -> Self {
        one_by_one::<Self, O>(at, count)
    }
    /// Whether it is not a number.
    #[inline(always)]
    fn is_nan(self) -> bool {
        #[expect(clippy::eq_op, reason = "only NaN differs from itself")]
        let differs = self != self;
        differs
    }
}

/// How accumulators are combined.
pub(super) trait FoldOp: Copy + Send + 'static {
    /// Whether it gives one of its operands, the smaller or the larger.
    const EXTREME: bool;
    /// The result of nothing.
    fn of_nothing<T: Total>() -> T;
    /// What can be combined with any value and leaves its bits as they are, if there is such a thing.
    fn neutral<T: Total>() -> Option<T>;
    /// Two into one.
    fn combine<T: Total>(a: T, b: T) -> T;
    /// Whether one value is further than another in the direction of this operation.
    fn beyond<T: Total>(a: T, b: T) -> bool;
}

/// Sums; or, of truth values.
#[derive(Clone, Copy)]
pub(super) struct Plus;

impl FoldOp for Plus {
    const EXTREME: bool = false;
    #[inline(always)]
    fn of_nothing<T: Total>() -> T {
        T::ZERO
    }
    #[inline(always)]
    fn neutral<T: Total>() -> Option<T> {
        Some(T::MINUS_ZERO)
    }
    #[inline(always)]
    fn combine<T: Total>(a: T, b: T) -> T {
        a.plus(b)
    }
    #[inline(always)]
    fn beyond<T: Total>(_: T, _: T) -> bool {
        false
    }
}

/// Products; and, of truth values.
#[derive(Clone, Copy)]
pub(super) struct TimesOp;

impl FoldOp for TimesOp {
    const EXTREME: bool = false;
    #[inline(always)]
    fn of_nothing<T: Total>() -> T {
        T::ONE
    }
    #[inline(always)]
    fn neutral<T: Total>() -> Option<T> {
        T::EXACT_ONE
    }
    #[inline(always)]
    fn combine<T: Total>(a: T, b: T) -> T {
        a.times(b)
    }
    #[inline(always)]
    fn beyond<T: Total>(_: T, _: T) -> bool {
        false
    }
}

/// The smallest; all, of truth values.
#[derive(Clone, Copy)]
pub(super) struct Least;

impl FoldOp for Least {
    const EXTREME: bool = true;
    #[inline(always)]
    fn of_nothing<T: Total>() -> T {
        T::TOP
    }
    #[inline(always)]
    fn neutral<T: Total>() -> Option<T> {
        Some(T::TOP)
    }
    #[inline(always)]
    fn combine<T: Total>(a: T, b: T) -> T {
        a.least(b)
    }
    #[inline(always)]
    fn beyond<T: Total>(a: T, b: T) -> bool {
        a.below(b)
    }
}

/// The largest; any, of truth values.
#[derive(Clone, Copy)]
pub(super) struct Greatest;

impl FoldOp for Greatest {
    const EXTREME: bool = true;
    #[inline(always)]
    fn of_nothing<T: Total>() -> T {
        T::BOTTOM
    }
    #[inline(always)]
    fn neutral<T: Total>() -> Option<T> {
        Some(T::BOTTOM)
    }
    #[inline(always)]
    fn combine<T: Total>(a: T, b: T) -> T {
        a.greatest(b)
    }
    #[inline(always)]
    fn beyond<T: Total>(a: T, b: T) -> bool {
        b.below(a)
    }
}

/// A float that is compared by integers.
trait FloatKey: Total {
    /// An integer that orders like the value, if it is a number.
    type Key: Total;
    /// The bits without the sign: more than an infinity's if it is not a number.
    type Magnitude: Copy + Ord;
    fn key(self) -> Self::Key;
    fn of_key(key: Self::Key) -> Self;
    fn magnitude(self) -> Self::Magnitude;
    fn of_magnitude(magnitude: Self::Magnitude) -> Self;
}

impl FloatKey for f32 {
    type Key = i32;
    type Magnitude = u32;
    #[inline(always)]
    fn key(self) -> i32 {
        // Of negative numbers the larger magnitude is the lesser.
        let bits = self.to_bits() as i32;
        bits ^ ((bits >> (i32::BITS - 1)) as u32 >> 1) as i32
    }
    #[inline(always)]
    fn of_key(key: i32) -> Self {
        Self::from_bits((key ^ ((key >> (i32::BITS - 1)) as u32 >> 1) as i32) as u32)
    }
    #[inline(always)]
    fn magnitude(self) -> u32 {
        self.to_bits() & (u32::MAX >> 1)
    }
    #[inline(always)]
    fn of_magnitude(magnitude: u32) -> Self {
        Self::from_bits(magnitude)
    }
}

impl FloatKey for f64 {
    type Key = i64;
    type Magnitude = u64;
    #[inline(always)]
    fn key(self) -> i64 {
        // Of negative numbers the larger magnitude is the lesser.
        let bits = self.to_bits() as i64;
        bits ^ ((bits >> (i64::BITS - 1)) as u64 >> 1) as i64
    }
    #[inline(always)]
    fn of_key(key: i64) -> Self {
        Self::from_bits((key ^ ((key >> (i64::BITS - 1)) as u64 >> 1) as i64) as u64)
    }
    #[inline(always)]
    fn magnitude(self) -> u64 {
        self.to_bits() & (u64::MAX >> 1)
    }
    #[inline(always)]
    fn of_magnitude(magnitude: u64) -> Self {
        Self::from_bits(magnitude)
    }
}

/// The extreme of floats, found among integers that order as they do. What is not a number is seen by its magnitude.
#[inline(always)]
fn extreme_by_keys<T: FloatKey, O: FoldOp>(at: impl Fn(usize) -> T, count: usize) -> T {
    let begin = (T::ZERO.magnitude(), O::of_nothing::<T>().key());
    let (magnitude, key) = (0..count).fold(begin, |(magnitude, key), index| {
        let element = at(index);
        (magnitude.max(element.magnitude()), O::combine(key, element.key()))
    });
    if magnitude > T::TOP.magnitude() { T::of_magnitude(magnitude) } else { T::of_key(key) }
}

/// Terms combined one after another.
#[inline(always)]
pub(super) fn one_by_one<T: Total, O: FoldOp>(at: impl Fn(usize) -> T, count: usize) -> T {
    (0..count).fold(O::of_nothing(), |total, index| O::combine(total, at(index)))
}

macro_rules! totals {
    ($($T:ident $zero:expr, $minus_zero:expr, $one:expr, $top:expr, $bottom:expr, $ordered:expr, $extreme:ident;)*) => {$(
        impl Total for $T {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            const MINUS_ZERO: Self = $minus_zero;
            const EXACT_ONE: Option<Self> = Some($one);
            const TOP: Self = $top;
            const BOTTOM: Self = $bottom;
            const ORDERED: bool = $ordered;
            #[inline(always)]
            fn plus(self, other: Self) -> Self { Number::add(self, other) }
            #[inline(always)]
            fn times(self, other: Self) -> Self { Number::mul(self, other) }
            #[inline(always)]
            fn least(self, other: Self) -> Self { Number::min(self, other) }
            #[inline(always)]
            fn greatest(self, other: Self) -> Self { Number::max(self, other) }
            #[inline(always)]
            fn below(self, other: Self) -> bool { self < other }
            #[inline(always)]
            fn extreme<O: FoldOp>(at: impl Fn(usize) -> Self, count: usize) -> Self { $extreme::<Self, O>(at, count) }
        }
        impl Term for $T {
            type Total = $T;
            #[inline(always)]
            fn widen(self) -> $T { self }
            #[inline(always)]
            fn narrow(total: $T) -> $T { total }
        }
    )*};
}

totals! {
    u8 0, 0, 1, u8::MAX, u8::MIN, false, one_by_one;
    u16 0, 0, 1, u16::MAX, u16::MIN, false, one_by_one;
    u32 0, 0, 1, u32::MAX, u32::MIN, false, one_by_one;
    u64 0, 0, 1, u64::MAX, u64::MIN, false, one_by_one;
    i8 0, 0, 1, i8::MAX, i8::MIN, false, one_by_one;
    i16 0, 0, 1, i16::MAX, i16::MIN, false, one_by_one;
    i32 0, 0, 1, i32::MAX, i32::MIN, false, one_by_one;
    i64 0, 0, 1, i64::MAX, i64::MIN, false, one_by_one;
    f32 0.0, -0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, true, extreme_by_keys;
    f64 0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, true, extreme_by_keys;
}

/// Small floats are folded in `f32`, and rounded once.
impl<T: SmallFloat> Term for T {
    type Total = f32;
    #[inline(always)]
    fn widen(self) -> f32 {
        SmallFloat::widen(self)
    }
    #[inline(always)]
    fn narrow(total: f32) -> Self {
        <Self as ConvertTo>::of(total)
    }
}

impl Term for Flag {
    type Total = Flag;
    #[inline(always)]
    fn widen(self) -> Flag {
        self
    }
    #[inline(always)]
    fn narrow(total: Flag) -> Flag {
        total
    }
}

impl Total for Flag {
    const ZERO: Self = Flag(0);
    const ONE: Self = Flag(1);
    const MINUS_ZERO: Self = Flag(0);
    const EXACT_ONE: Option<Self> = Some(Flag(1));
    const TOP: Self = Flag(1);
    const BOTTOM: Self = Flag(0);
    const ORDERED: bool = false;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Flag(self.0 | other.0)
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Flag(self.0 & other.0)
    }
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        Flag(self.0 & other.0)
    }
    #[inline(always)]
    fn greatest(self, other: Self) -> Self {
        Flag(self.0 | other.0)
    }
    #[inline(always)]
    fn below(self, other: Self) -> bool {
        self.0 < other.0
    }
}

impl<T: Total> Term for Complex<T>
where
    Complex<T>: Element + Total,
{
    type Total = Complex<T>;
    #[inline(always)]
    fn widen(self) -> Self {
        self
    }
    #[inline(always)]
    fn narrow(total: Self) -> Self {
        total
    }
}

impl<T: Total + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Total for Complex<T> {
    const ZERO: Self = Complex { re: T::ZERO, im: T::ZERO };
    const ONE: Self = Complex { re: T::ONE, im: T::ZERO };
    const MINUS_ZERO: Self = Complex { re: T::MINUS_ZERO, im: T::MINUS_ZERO };
    // Infinities times its zero are not numbers.
    const EXACT_ONE: Option<Self> = None;
    // Complex numbers have no order and no such folds.
    const TOP: Self = Self::ZERO;
    const BOTTOM: Self = Self::ZERO;
    const ORDERED: bool = true;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
    #[inline(always)]
    fn least(self, _: Self) -> Self {
        self
    }
    #[inline(always)]
    fn greatest(self, _: Self) -> Self {
        self
    }
    #[inline(always)]
    fn below(self, _: Self) -> bool {
        false
    }
}
