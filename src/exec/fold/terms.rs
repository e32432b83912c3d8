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
    /// An integer that orders like the value, if it is a number.
    type Key: Total;
    /// The bits without the sign: more than an infinity's if it is not a number.
    type Magnitude: Copy + Ord;
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
    fn key(self) -> Self::Key;
    fn of_key(key: Self::Key) -> Self;
    fn magnitude(self) -> Self::Magnitude;
    fn of_magnitude(magnitude: Self::Magnitude) -> Self;
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

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident, $extreme:literal, $identity:ident, $neutral:expr, $combine:ident, |$a:ident, $b:ident| $beyond:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name;
        impl FoldOp for $name {
            const EXTREME: bool = $extreme;
            #[inline(always)]
            fn of_nothing<T: Total>() -> T { T::$identity }
            #[inline(always)]
            fn neutral<T: Total>() -> Option<T> { $neutral }
            #[inline(always)]
            fn combine<T: Total>(a: T, b: T) -> T { a.$combine(b) }
            #[inline(always)]
            fn beyond<T: Total>($a: T, $b: T) -> bool { $beyond }
        }
    )*};
}

ops! {
    /// Sums; or, of truth values.
    Plus, false, ZERO, Some(T::MINUS_ZERO), plus, |_a, _b| false;
    /// Products; and, of truth values.
    Times, false, ONE, T::EXACT_ONE, times, |_a, _b| false;
    /// The smallest; all, of truth values.
    Least, true, TOP, Some(T::TOP), least, |a, b| a.below(b);
    /// The largest; any, of truth values.
    Greatest, true, BOTTOM, Some(T::BOTTOM), greatest, |a, b| b.below(a);
}

macro_rules! float_keys {
    ($Key:ident, $Bits:ident) => {
        type Key = $Key;
        type Magnitude = $Bits;
        #[inline(always)]
        fn key(self) -> $Key {
            // Of negative numbers the larger magnitude is the lesser.
            let bits = self.to_bits() as $Key;
            bits ^ ((bits >> ($Key::BITS - 1)) as $Bits >> 1) as $Key
        }
        #[inline(always)]
        fn of_key(key: $Key) -> Self {
            Self::from_bits((key ^ ((key >> ($Key::BITS - 1)) as $Bits >> 1) as $Key) as $Bits)
        }
        #[inline(always)]
        fn magnitude(self) -> $Bits {
            self.to_bits() & ($Bits::MAX >> 1)
        }
        #[inline(always)]
        fn of_magnitude(magnitude: $Bits) -> Self {
            Self::from_bits(magnitude)
        }
    };
}

/// Key functions of types that never use keys: integers compare as they are, and complex numbers have no order.
macro_rules! no_keys {
    () => {
        type Key = u8;
        type Magnitude = ();
        #[inline(always)]
        fn key(self) -> u8 {
            0
        }
        #[inline(always)]
        fn of_key(_: u8) -> Self {
            Self::ZERO
        }
        #[inline(always)]
        fn magnitude(self) {}
        #[inline(always)]
        fn of_magnitude((): ()) -> Self {
            Self::ZERO
        }
    };
}

macro_rules! totals {
    ($($T:ident $zero:expr, $minus_zero:expr, $one:expr, $top:expr, $bottom:expr, $ordered:expr, $keys:ident!($($key:tt)*);)*) => {$(
        impl Total for $T {
            $keys!($($key)*);
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

macro_rules! integer_totals {
    ($($T:ident)*) => { totals! { $($T 0, 0, 1, $T::MAX, $T::MIN, false, no_keys!();)* } };
}

integer_totals! { u8 u16 u32 u64 i8 i16 i32 i64 }
totals! {
    f32 0.0, -0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, true, float_keys!(i32, u32);
    f64 0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, true, float_keys!(i64, u64);
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
    no_keys!();
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
    no_keys!();
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
