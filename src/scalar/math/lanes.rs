//! The numbers that functions are written over: one number, or a vector of them.
//!
//! A function over [`Lanes`] is a sequence of operations that are exact or rounded once, each the same for a number and
//! for the lanes of a register. So it has one definition and the same bits everywhere. Over `f32` and `f64` it is the
//! meaning. Over the registers that the engine writes code for it is fast. These have instructions that a compiler does
//! not find for scalar code: tables in registers, scaling by a power of two, the parts of a float.
//!
//! ```
//! use arrlang::scalar::math::lanes::Lanes;
//! assert_eq!((10.0f64.exponent(true), 10.0f64.mantissa(true)), (3.0, 1.25));
//! ```

/// One number or a vector of numbers.
pub trait Lanes: Copy {
    /// `f32` or `f64`.
    type Number: Copy;
    /// The answer to a comparison.
    type Mask: Copy;
    /// The number in every lane.
    fn splat(x: Self::Number) -> Self;
    /// `self + other`.
    fn add(self, other: Self) -> Self;
    /// `self - other`.
    fn sub(self, other: Self) -> Self;
    /// `self * other`.
    fn mul(self, other: Self) -> Self;
    /// `self / other`.
    fn div(self, other: Self) -> Self;
    /// `self * factor + term`, rounded once.
    fn fma(self, factor: Self, term: Self) -> Self;
    /// `term - self * factor`, rounded once.
    fn fnma(self, factor: Self, term: Self) -> Self;
    /// `bound` where it is less, else `self`; not-a-number stays.
    fn at_most(self, bound: Self) -> Self;
    /// `bound` where it is more, else `self`; not-a-number stays.
    fn at_least(self, bound: Self) -> Self;
    /// `low` where `self` is less, `high` where it is more, else `self`; not-a-number stays. An implementation may
    /// leave every number as it is, if its [`Lanes::remainder`] limits what is left of it instead.
    #[inline(always)]
    fn within(self, low: Self::Number, high: Self::Number) -> Self {
        self.at_least(Self::splat(low)).at_most(Self::splat(high))
    }
    /// What is left of a number after it went through [`Lanes::within`] and was reduced. If the number was between the
    /// bounds, `self` is between `-bound` and `bound`, and stays as it is. If it was not, the result may be any number
    /// from `-bound` to `bound`. Where `within` moves numbers between the bounds, nothing is left to do here.
    #[inline(always)]
    fn remainder(self, _bound: Self::Number) -> Self {
        self
    }
    /// Without its sign.
    fn abs(self) -> Self;
    /// Rounded down.
    fn floor(self) -> Self;
    /// Rounded towards zero.
    fn trunc(self) -> Self;
    /// Its square root.
    fn sqrt(self) -> Self;
    /// With the sign of another.
    fn copysign(self, sign: Self) -> Self;
    /// Negated where the bits of `turns` have a 2.
    fn turned(self, turns: Self) -> Self;
    /// Whether the bits have a 1.
    fn odd(self) -> Self::Mask;
    /// Whether it is less.
    fn less(self, other: Self) -> Self::Mask;
    /// Whether it is equal; zeros are.
    fn same(self, other: Self) -> Self::Mask;
    /// Whether both are true.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether at least one of two truth values is true.
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether it is not less; not-a-number is not.
    fn outside(self, bound: Self) -> Self::Mask;
    /// `yes` where the mask says so, else `no`.
    fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// A function of each number.
    fn each(self, f: impl Fn(Self::Number) -> Self::Number) -> Self;
    /// Whether the mask says so anywhere.
    fn any(mask: Self::Mask) -> bool;
    /// `self * 2^floor(n)`, rounded once, for numbers near 1 and `n` up to somewhat more than the exponents of floats;
    /// `n` is shifted with [`Shift::POWERS`].
    fn scale(self, n: ShiftedNumber<Self>) -> Self;
    /// `self * 2^floor(n)` where both are normal; `n` is shifted with [`Shift::WHOLE`] or
    /// [`Shift::PARTS`].
    fn raise(self, n: ShiftedNumber<Self>) -> Self;
    /// `self * 2^-k` for a whole `k`; beyond 100 `self` must be 0.
    fn lowered(self, k: Self) -> Self;
    /// The exponent of a positive finite number. Where `normal` says so it must not be subnormal.
    fn exponent(self, normal: bool) -> Self;
    /// That number without its exponent, from 3/4 up to 3/2.
    fn mantissa(self, normal: bool) -> Self;
    /// The element of a table that the bits from one on say, as many as it takes: tables have 8 or 16 elements.
    fn lookup<const N: usize>(self, from: u32, table: &[Self::Number; N]) -> Self;
    /// `self` where `of` is positive and finite, of which it is the logarithm; else the logarithm of `of`.
    fn logarithm(self, of: Self) -> Self;
}

/// A small number and its digits: added to a large one, it leaves what is before the binary point, and `below` digits
/// behind it, in the last bits.
#[derive(Clone, Copy, Debug)]
pub struct ShiftedNumber<L> {
    /// The number.
    pub n: L,
    /// The sum.
    pub bits: L,
    /// Binary digits behind the point.
    pub below: u32,
}

/// What numbers are added to, to be [`ShiftedNumber`].
pub(crate) trait Shift: Sized + Copy {
    /// Leaves an integer in the last bits.
    const WHOLE: Self;
    /// How many binary places more [`Shift::PARTS`] and [`Shift::POWERS`] leave.
    const PLACES: u32;
    /// Leaves [`Shift::PLACES`] binary places too.
    const PARTS: Self;
    /// Leaves [`Shift::PLACES`] binary places too, with twice the bias of exponents added.
    const POWERS: Self;
}

impl Shift for f32 {
    const WHOLE: f32 = 12_582_912.0;
    const PLACES: u32 = 3;
    const PARTS: f32 = Self::WHOLE / 8.0;
    const POWERS: f32 = Self::PARTS + 254.0;
}

impl Shift for f64 {
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    const PLACES: u32 = 4;
    const PARTS: f64 = Self::WHOLE / 16.0;
    const POWERS: f64 = Self::PARTS + 2046.0;
}

impl<L: Lanes> ShiftedNumber<L> {
    /// The number that a sum was made of.
    #[inline(always)]
    pub(crate) fn of(bits: L, with: L::Number, below: u32) -> ShiftedNumber<L> {
        ShiftedNumber { n: bits.sub(L::splat(with)), bits, below }
    }
}

/// [`Lanes::logarithm`] as instructions know it: what becomes of the logarithm of a number by the number's class, four
/// bits for each class. Not-a-number stays (2), of zero comes minus infinity (4), of what is negative not-a-number (3),
/// of infinity infinity (5), and of the others nothing new (0).
#[cfg(feature = "jit")]
pub(crate) const LOGARITHM: u32 = 0x0353_0422;

/// A function of numbers, as a type without values.
pub trait Function<T>: Copy + 'static {
    /// Whether the slow path takes so long, or branches, that a block without it is worth a loop of its own.
    const GUARDED: bool = false;
    /// The fast path. It is right where no lane is [slow](Function::is_slow).
    fn fast<L: Lanes<Number = T>>(x: L) -> L;
    /// Which lanes need the slow path; most functions have none.
    #[inline(always)]
    fn is_slow<L: Lanes<Number = T>>(_: L) -> Option<L::Mask> {
        None
    }
    /// The slow path where it is needed, and elsewhere what the fast path gave.
    #[inline(always)]
    fn patch<L: Lanes<Number = T>>(_: L, fast: L) -> L {
        fast
    }
}

/// Applies a function.
#[inline(always)]
pub fn apply<F: Function<T>, T, L: Lanes<Number = T>>(x: L) -> L {
    let fast = F::fast(x);
    match F::is_slow(x) {
        Some(slow) if L::any(slow) => F::patch(x, fast),
        _ => fast,
    }
}

/// A function of two numbers.
pub trait Function2<T>: Copy + 'static {
    /// The fast path. It is right where no lane is [slow](Function2::is_slow).
    fn fast<L: Lanes<Number = T>>(x: L, y: L) -> L;
    /// Which lanes need the slow path, which branches; most functions have none.
    #[inline(always)]
    fn is_slow<L: Lanes<Number = T>>(_: L, _: L) -> Option<L::Mask> {
        None
    }
    /// The slow path.
    #[inline(always)]
    fn slow(x: T, _: T) -> T {
        x
    }
}

/// Applies a function of two numbers.
#[inline(always)]
pub fn apply2<F: Function2<T>, T: Lanes<Number = T, Mask = bool>>(x: T, y: T) -> T {
    if F::is_slow(x, y) == Some(true) { F::slow(x, y) } else { F::fast(x, y) }
}

/// What computes a function of `f32` in `f64`, to some digits more than `f32` has.
#[derive(Clone, Copy, Debug)]
pub struct Single<F>(pub F);

/// A function of `f32` that is computed in `f64`.
#[inline(always)]
pub fn in_double<F: Function<f64>>(x: f32) -> f32 {
    apply::<F, f64, f64>(x.into()) as f32
}

/// A function of two numbers in `f32` that is computed in `f64`.
#[inline(always)]
pub fn widened2<F: Function2<f64>>(x: f32, y: f32) -> f32 {
    apply2::<F, f64>(x.into(), y.into()) as f32
}

macro_rules! lanes {
    ($($T:ident: $fraction:literal, $bias:literal;)*) => {$(
        impl Lanes for $T {
            type Number = $T;
            type Mask = bool;
            #[inline(always)]
            fn splat(x: $T) -> Self { x }
            #[inline(always)]
            fn add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self - other }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self * other }
            #[inline(always)]
            fn div(self, other: Self) -> Self { self / other }
            #[inline(always)]
            fn fma(self, factor: Self, term: Self) -> Self { self.mul_add(factor, term) }
            #[inline(always)]
            fn fnma(self, factor: Self, term: Self) -> Self { (-self).mul_add(factor, term) }
            #[inline(always)]
            fn at_most(self, bound: Self) -> Self { if bound < self { bound } else { self } }
            #[inline(always)]
            fn at_least(self, bound: Self) -> Self { if bound > self { bound } else { self } }
            #[inline(always)]
            fn abs(self) -> Self { $T::abs(self) }
            #[inline(always)]
            fn floor(self) -> Self { $T::floor(self) }
            #[inline(always)]
            fn trunc(self) -> Self { $T::trunc(self) }
            #[inline(always)]
            fn sqrt(self) -> Self { $T::sqrt(self) }
            #[inline(always)]
            fn same(self, other: Self) -> bool { self == other }
            #[inline(always)]
            fn both(a: bool, b: bool) -> bool { a & b }
            #[inline(always)]
            fn either(a: bool, b: bool) -> bool { a | b }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self { $T::copysign(self, sign) }
            #[inline(always)]
            fn turned(self, turns: Self) -> Self {
                $T::from_bits(self.to_bits() ^ (turns.to_bits() & 2) << (8 * size_of::<$T>() - 2))
            }
            #[inline(always)]
            fn odd(self) -> bool { self.to_bits() & 1 != 0 }
            #[inline(always)]
            fn less(self, other: Self) -> bool { self < other }
            #[inline(always)]
            #[expect(clippy::neg_cmp_op_on_partial_ord, reason = "not-a-number is outside")]
            fn outside(self, bound: Self) -> bool { !(self < bound) }
            #[inline(always)]
            fn choose(mask: bool, yes: Self, no: Self) -> Self { if mask { yes } else { no } }
            #[inline(always)]
            fn each(self, f: impl Fn($T) -> $T) -> Self { f(self) }
            #[inline(always)]
            fn any(mask: bool) -> bool { mask }
            #[inline(always)]
            fn scale(self, n: ShiftedNumber<Self>) -> Self {
                // By two factors, as one could be subnormal or too large; the first product is exact.
                let bits = n.bits.to_bits();
                let half = bits << ($fraction - 1 - n.below) & $T::INFINITY.to_bits();
                let whole = (bits >> n.below) << $fraction;
                self * $T::from_bits(half) * $T::from_bits(whole.wrapping_sub(half))
            }
            #[inline(always)]
            fn raise(self, n: ShiftedNumber<Self>) -> Self {
                $T::from_bits(self.to_bits().wrapping_add((n.bits.to_bits() >> n.below) << $fraction))
            }
            #[inline(always)]
            fn lowered(self, k: Self) -> Self {
                let bits = <$T>::WHOLE - k.at_most(100.0);
                self * (1.0 as $T).raise(ShiftedNumber { n: bits, bits, below: 0 })
            }
            #[inline(always)]
            fn exponent(self, normal: bool) -> Self {
                let subnormal = !normal && self < $T::MIN_POSITIVE;
                let x = if subnormal { self * ((1u64 << $fraction) as $T) } else { self };
                // Where the bits of 3/4 go beyond a power of two, the next exponent begins.
                let above = x.to_bits().wrapping_sub((0.75 as $T).to_bits()).wrapping_add((1.0 as $T).to_bits());
                let exponent = (above >> $fraction) as i32 as $T;
                exponent - if subnormal { $bias + $fraction as $T } else { $bias }
            }
            #[inline(always)]
            fn mantissa(self, normal: bool) -> Self {
                let subnormal = !normal && self < $T::MIN_POSITIVE;
                let x = if subnormal { self * ((1u64 << $fraction) as $T) } else { self };
                let near = (0.75 as $T).to_bits();
                $T::from_bits((x.to_bits().wrapping_sub(near) & ((1 << $fraction) - 1)).wrapping_add(near))
            }
            #[inline(always)]
            fn logarithm(self, of: Self) -> Self {
                // The one that processors give, whose sign is set.
                let edge = if of == 0.0 { $T::NEG_INFINITY } else { -$T::NAN };
                let edge = if of == $T::INFINITY { of } else { edge };
                if of > 0.0 && of < $T::INFINITY { self } else { edge }
            }
            #[inline(always)]
            fn lookup<const N: usize>(self, from: u32, table: &[$T; N]) -> Self {
                table[(self.to_bits() >> from) as usize % N]
            }
        }
    )*};
}

lanes! {
    f32: 23, 127.0;
    f64: 52, 1023.0;
}

/// A number that `f32` and `f64` have, in every lane.
#[inline(always)]
pub(crate) fn constant<L: Lanes<Number: From<f32>>>(x: f32) -> L {
    L::splat(L::Number::from(x))
}

/// The polynomial with these coefficients, the constant first.
#[inline(always)]
pub(super) fn polynomial<L: Lanes, const N: usize>(x: L, coefficients: &[L::Number; N]) -> L {
    let mut value = L::splat(coefficients[N - 1]);
    for i in (0..N - 1).rev() {
        value = value.fma(x, L::splat(coefficients[i]));
    }
    value
}

/// The polynomial with these coefficients, the constant first, as two polynomials in the square, for the even and the
/// odd powers: half as many steps wait for each other.
#[inline(always)]
pub(super) fn even_odd_polynomial<L: Lanes, const N: usize>(x: L, square: L, coefficients: &[L::Number; N]) -> L {
    let one = every_other(square, coefficients, N - 1);
    let other = every_other(square, coefficients, N - 2);
    if N % 2 == 1 { other.fma(x, one) } else { one.fma(x, other) }
}

/// The polynomial with the coefficient at `last` and every other one before it.
#[inline(always)]
fn every_other<L: Lanes, const N: usize>(square: L, coefficients: &[L::Number; N], last: usize) -> L {
    let mut value = L::splat(coefficients[last]);
    for i in (0..last / 2).rev() {
        value = value.fma(square, L::splat(coefficients[2 * i + last % 2]));
    }
    value
}
