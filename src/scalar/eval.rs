//! The meaning of each prim, once. It is a typed function that the reference evaluator applies to one element and the
//! block functions apply to many.
//!
//! [`visit`] leads from a prim and its dtypes to a function without a state, by way of the traits in
//! [`super::number`], [`super::convert`] and [`super::math`].
//!
//! ```
//! use arrlang::scalar::{Scalar, eval::eval, prim::Prim};
//! use arrlang::types::DType;
//! let sum = eval(Prim::Add, DType::U8, &[Scalar::of(250u8), Scalar::of(10u8)]);
//! assert_eq!(sum, Scalar::of(4u8));
//! ```

use super::convert::{ConvertFrom, ConvertTo};
use super::math::lanes::{Function, Function2, Single, apply, apply2, in_double, widened2};
use super::math::{angle, erf, erfc, exp, gamma, hyperbolic, inverse, log, power, sigmoid, trig};
use super::number::{Bits, Float, Integer, Number, OrderedElement};
use super::prim::Prim;
use super::{Scalar, divide};
use crate::types::DType;
use crate::types::dtype::{Complex, Element, Flag};
use crate::with_element;

/// Receives the typed meaning of a prim.
pub trait Visitor {
    /// What the visit gives.
    type Out;
    /// A prim of one operand.
    fn unary<A: Element, R: Element>(self, f: impl Fn(A) -> R + Copy + 'static) -> Self::Out;
    /// A prim of two operands.
    fn binary<A: Element, B: Element, R: Element>(self, f: impl Fn(A, B) -> R + Copy + 'static) -> Self::Out;
    /// A prim of three operands.
    fn ternary<A: Element, B: Element, C: Element, R: Element>(
        self,
        f: impl Fn(A, B, C) -> R + Copy + 'static,
    ) -> Self::Out;
    /// A function of `f32` over lanes.
    fn single<F: Function<f32>>(self, _: F) -> Self::Out
    where
        Self: Sized,
    {
        self.unary(apply::<F, f32, f32>)
    }
    /// A function of `f64` over lanes.
    fn double<F: Function<f64>>(self, _: F) -> Self::Out
    where
        Self: Sized,
    {
        self.unary(apply::<F, f64, f64>)
    }
    /// A function of two `f32` over lanes.
    fn single2<F: Function2<f32>>(self, _: F) -> Self::Out
    where
        Self: Sized,
    {
        self.binary(apply2::<F, f32>)
    }
    /// A function of two `f64` over lanes.
    fn double2<F: Function2<f64>>(self, _: F) -> Self::Out
    where
        Self: Sized,
    {
        self.binary(apply2::<F, f64>)
    }
    /// A function of `f32` that is computed in `f64`, over lanes.
    fn widened<F: Function<f64>>(self, _: F) -> Self::Out
    where
        Self: Sized,
    {
        self.unary(in_double::<F>)
    }
    /// A function of two `f32` that is computed in `f64`, over lanes.
    fn widened2<F: Function2<f64>>(self, _: F) -> Self::Out
    where
        Self: Sized,
    {
        self.binary(widened2::<F>)
    }
}

/// Shows the visitor `v` the meaning of `prim` for operands of these dtypes; `None` when the table of prims refuses them.
pub fn visit<V: Visitor>(prim: Prim, args: &[DType], result: DType, v: V) -> Option<V::Out> {
    if prim.result(args, result) != Some(result) {
        return None;
    }
    let dtype = args[0];
    match prim {
        Prim::Add => with_element!(dtype, T in numbers => v.binary(<T as Number>::add)),
        Prim::Sub => with_element!(dtype, T in numbers => v.binary(<T as Number>::sub)),
        Prim::Mul => with_element!(dtype, T in numbers => v.binary(<T as Number>::mul)),
        Prim::Div => with_element!(dtype, T in floats => v.binary(<T as Float>::div)),
        Prim::FloorDiv if dtype.is_float() => lanes2(dtype, v, divide::FloorDiv),
        Prim::FloorDiv => with_element!(dtype, T in integers => v.binary(<T as Integer>::floordiv)),
        Prim::Rem if dtype.is_float() => lanes2(dtype, v, divide::Rem),
        Prim::Rem => with_element!(dtype, T in integers => v.binary(<T as Integer>::rem)),
        Prim::Neg => with_element!(dtype, T in numbers => v.unary(<T as Number>::neg)),
        Prim::Abs => with_element!(dtype, T in numbers => v.unary(<T as Number>::abs)),
        Prim::Min => with_element!(dtype, T in numbers => v.binary(<T as Number>::min)),
        Prim::Max => with_element!(dtype, T in numbers => v.binary(<T as Number>::max)),
        Prim::Pow if dtype.is_float() => wide2(dtype, v, power::Pow, Single(power::Pow)),
        Prim::Pow => with_element!(dtype, T in integers => v.binary(<T as Integer>::pow)),
        Prim::Sqrt => with_element!(dtype, T in floats => v.unary(<T as Float>::sqrt)),
        Prim::Floor => with_element!(dtype, T in floats => v.unary(<T as Float>::floor)),
        Prim::Ceil => with_element!(dtype, T in floats => v.unary(<T as Float>::ceil)),
        Prim::Trunc => with_element!(dtype, T in floats => v.unary(<T as Float>::trunc)),
        Prim::Round => with_element!(dtype, T in floats => v.unary(<T as Float>::round)),
        Prim::Copysign => with_element!(dtype, T in floats => v.binary(<T as Float>::copysign)),
        Prim::Fma => with_element!(dtype, T in floats => v.ternary(<T as Float>::fma)),
        Prim::Fmod => lanes2(dtype, v, divide::Fmod),
        Prim::Nextafter => with_element!(dtype, T in floats => v.binary(<T as Float>::nextafter)),
        Prim::Exp => lanes(dtype, v, exp::Exp),
        Prim::Exp2 => lanes(dtype, v, exp::Exp2),
        Prim::Expm1 => wide(dtype, v, hyperbolic::Expm1, Single(hyperbolic::Expm1)),
        Prim::Log => lanes(dtype, v, log::Log),
        Prim::Log2 => wide(dtype, v, log::Log2, Single(log::Log2)),
        Prim::Log10 => wide(dtype, v, log::Log10, Single(log::Log10)),
        Prim::Log1p => lanes(dtype, v, log::Log1p),
        Prim::Sin => lanes(dtype, v, trig::Sin),
        Prim::Cos => lanes(dtype, v, trig::Cos),
        Prim::Tan => wide(dtype, v, trig::Tan, Single(trig::Tan)),
        Prim::Asin => wide(dtype, v, angle::Asin, Single(angle::Asin)),
        Prim::Acos => wide(dtype, v, angle::Acos, Single(angle::Acos)),
        Prim::Atan => wide(dtype, v, angle::Atan, Single(angle::Atan)),
        Prim::Atan2 => wide2(dtype, v, angle::Atan2, Single(angle::Atan2)),
        Prim::Sinh => wide(dtype, v, hyperbolic::Sinh, Single(hyperbolic::Sinh)),
        Prim::Cosh => wide(dtype, v, hyperbolic::Cosh, Single(hyperbolic::Cosh)),
        Prim::Tanh => lanes(dtype, v, exp::Tanh),
        Prim::Asinh => wide(dtype, v, inverse::Asinh, Single(inverse::Asinh)),
        Prim::Acosh => wide(dtype, v, inverse::Acosh, Single(inverse::Acosh)),
        Prim::Atanh => wide(dtype, v, inverse::Atanh, Single(inverse::Atanh)),
        Prim::Cbrt => wide(dtype, v, power::Cbrt, Single(power::Cbrt)),
        Prim::Hypot => wide2(dtype, v, power::Hypot, Single(power::Hypot)),
        Prim::Erf => lanes(dtype, v, erf::Erf),
        Prim::Erfc => wide(dtype, v, erfc::Erfc, Single(erfc::Erfc)),
        Prim::Gamma => one_by_one(dtype, v, gamma::gamma),
        Prim::Lgamma => one_by_one(dtype, v, gamma::lgamma),
        Prim::Sigmoid => lanes(dtype, v, sigmoid::Sigmoid),
        Prim::Gelu => wide(dtype, v, erfc::Gelu, Single(erfc::Gelu)),
        Prim::Eq => with_element!(dtype, T in reals => v.binary(<T as OrderedElement>::eq)),
        Prim::Ne => with_element!(dtype, T in reals => v.binary(<T as OrderedElement>::ne)),
        Prim::Lt => with_element!(dtype, T in reals => v.binary(<T as OrderedElement>::lt)),
        Prim::Le => with_element!(dtype, T in reals => v.binary(<T as OrderedElement>::le)),
        Prim::And => with_element!(dtype, T in bits => v.binary(<T as Bits>::and)),
        Prim::Or => with_element!(dtype, T in bits => v.binary(<T as Bits>::or)),
        Prim::Xor => with_element!(dtype, T in bits => v.binary(<T as Bits>::xor)),
        Prim::Not => with_element!(dtype, T in bits => v.unary(<T as Bits>::not)),
        Prim::Shl => with_element!(dtype, T in integers => v.binary(<T as Integer>::shl)),
        Prim::Shr => with_element!(dtype, T in integers => v.binary(<T as Integer>::shr)),
        Prim::Popcount => with_element!(dtype, T in integers => v.unary(<T as Integer>::popcount)),
        Prim::Clz => with_element!(dtype, T in integers => v.unary(<T as Integer>::clz)),
        Prim::Gcd => with_element!(dtype, T in integers => v.binary(<T as Integer>::gcd)),
        Prim::Select => select(result, v),
        Prim::Convert => convert(dtype, result, v),
        Prim::Bitcast => bitcast(dtype, result, v),
        Prim::Real => Some(real(dtype, v)),
        Prim::Imag => Some(imaginary(dtype, v)),
        Prim::Pair => with_element!(dtype, T in floats => v.binary(|re: T, im: T| Complex { re, im })),
    }
}

/// One of two values, as a truth value says.
fn select<V: Visitor>(dtype: DType, visitor: V) -> Option<V::Out> {
    with_element!(dtype, T in reals => visitor.ternary(|c: Flag, a: T, b: T| if c.0 != 0 { a } else { b }))
}

/// The real part of a complex number.
fn real<V: Visitor>(dtype: DType, visitor: V) -> V::Out {
    if dtype == DType::C64 { visitor.unary(|z: Complex<f32>| z.re) } else { visitor.unary(|z: Complex<f64>| z.re) }
}

/// The imaginary part of a complex number.
fn imaginary<V: Visitor>(dtype: DType, visitor: V) -> V::Out {
    if dtype == DType::C64 { visitor.unary(|z: Complex<f32>| z.im) } else { visitor.unary(|z: Complex<f64>| z.im) }
}

/// A function of one `f64`; what it gives is rounded for `f32`.
fn one_by_one<V: Visitor>(dtype: DType, visitor: V, f: impl Fn(f64) -> f64 + Copy + 'static) -> Option<V::Out> {
    by_float(dtype, visitor, |visitor| visitor.unary(move |x: f32| f(f64::from(x)) as f32), |visitor| visitor.unary(f))
}

/// What a visitor gives for `f32`, or for `f64`.
fn by_float<V: Visitor>(
    dtype: DType,
    visitor: V,
    single: impl FnOnce(V) -> V::Out,
    double: impl FnOnce(V) -> V::Out,
) -> Option<V::Out> {
    if dtype == DType::F32 {
        Some(single(visitor))
    } else if dtype == DType::F64 {
        Some(double(visitor))
    } else {
        None
    }
}

/// A function over lanes, of `f32` or `f64`.
fn lanes<V: Visitor>(dtype: DType, visitor: V, f: impl Function<f32> + Function<f64>) -> Option<V::Out> {
    by_float(dtype, visitor, |visitor| visitor.single(f), |visitor| visitor.double(f))
}

/// A function over lanes of `f64`, and what computes it for `f32` there.
fn wide<V: Visitor>(dtype: DType, visitor: V, f: impl Function<f64>, single: impl Function<f64>) -> Option<V::Out> {
    by_float(dtype, visitor, |visitor| visitor.widened(single), |visitor| visitor.double(f))
}

/// A function of two numbers over lanes, of `f32` or `f64`.
fn lanes2<V: Visitor>(dtype: DType, visitor: V, f: impl Function2<f32> + Function2<f64>) -> Option<V::Out> {
    by_float(dtype, visitor, |visitor| visitor.single2(f), |visitor| visitor.double2(f))
}

/// A function of two numbers over lanes of `f64`, and what computes it for `f32` there.
fn wide2<V: Visitor>(dtype: DType, visitor: V, f: impl Function2<f64>, single: impl Function2<f64>) -> Option<V::Out> {
    by_float(dtype, visitor, |visitor| visitor.widened2(single), |visitor| visitor.double2(f))
}

fn convert<V: Visitor>(from: DType, to: DType, visitor: V) -> Option<V::Out> {
    fn from_source<S: ConvertFrom, V: Visitor>(to: DType, visitor: V) -> Option<V::Out> {
        with_element!(to, T in reals => visitor.unary(|x: S| <T as ConvertTo>::of(x)))
    }
    with_element!(from, S in reals => from_source::<S, V>(to, visitor)).flatten()
}

fn bitcast<V: Visitor>(from: DType, to: DType, visitor: V) -> Option<V::Out> {
    fn from_source<S: Element, V: Visitor>(to: DType, visitor: V) -> Option<V::Out> {
        with_element!(to, T in reals => visitor.unary(same_bits::<S, T>))
    }
    with_element!(from, S in reals => from_source::<S, V>(to, visitor)).flatten()
}

#[inline(always)]
fn same_bits<S: Element, T: Element>(x: S) -> T {
    T::from_bits(x.to_bits())
}

impl Scalar {
    /// The value of a real scalar as an `f64`: of a float the exact one.
    pub fn to_f64(self) -> f64 {
        if self.dtype == DType::F64 {
            f64::from_bits(self.bits as u64)
        } else {
            f64::from_bits(eval(Prim::Convert, DType::F64, &[self]).bits as u64)
        }
    }

    /// A number in a real dtype, rounded once.
    pub fn of_f64(dtype: DType, value: f64) -> Scalar {
        eval(Prim::Convert, dtype, &[Scalar::of(value)])
    }
}

/// Applies a prim to scalars.
///
/// # Panics
/// When the operands are not those that the prim takes; programs are verified before they run.
pub fn eval(prim: Prim, result: DType, args: &[Scalar]) -> Scalar {
    let mut dtypes = [DType::Bool; 3];
    for (dtype, arg) in dtypes.iter_mut().zip(args) {
        *dtype = arg.dtype;
    }
    let dtypes = dtypes.get(..args.len()).expect("a prim has at most three operands");
    visit(prim, dtypes, result, Apply(args)).unwrap_or_else(|| panic!("{} of {dtypes:?} is not legal", prim.name()))
}

/// Applies the function it is shown to these operands.
struct Apply<'a>(&'a [Scalar]);

impl Visitor for Apply<'_> {
    type Out = Scalar;

    fn unary<A: Element, R: Element>(self, f: impl Fn(A) -> R + Copy + 'static) -> Scalar {
        Scalar::of(f(A::from_bits(self.0[0].bits)))
    }

    fn binary<A: Element, B: Element, R: Element>(self, f: impl Fn(A, B) -> R + Copy + 'static) -> Scalar {
        Scalar::of(f(A::from_bits(self.0[0].bits), B::from_bits(self.0[1].bits)))
    }

    fn ternary<A: Element, B: Element, C: Element, R: Element>(
        self,
        f: impl Fn(A, B, C) -> R + Copy + 'static,
    ) -> Scalar {
        let [a, b, c] = [0, 1, 2].map(|i| self.0[i].bits);
        Scalar::of(f(A::from_bits(a), B::from_bits(b), C::from_bits(c)))
    }
}
