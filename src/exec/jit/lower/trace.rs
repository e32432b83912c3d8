//! The operations of a function over lanes, written down instead of done.
//!
//! The definitions of [`crate::scalar::math`] are sequences of operations on [`Lanes`]. Applied to [`TracedNumber`] numbers
//! they leave those operations in the body that is being made, so its code has the definition's bits.

use super::{BodyBuilder, VectorOp, Virtual};
use crate::scalar::eval::{Visitor, visit};
use crate::scalar::math::lanes::{Function, Function2, Lanes, ShiftedNumber};
use crate::scalar::prim::Prim;
use crate::types::DType;
use crate::types::dtype::Element;
use std::cell::RefCell;
use std::marker::PhantomData;

/// What [`VectorOp::Scale`] knows to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scaling {
    /// Exponents up to somewhat more than those of floats.
    Bounded,
    /// Any exponent.
    Any,
}

thread_local! {
    static BODY: RefCell<BodyBuilder> = RefCell::default();
}

/// A number or a truth value in the body. Where it says `ANY`, scaling knows what to do with any exponent.
pub(super) struct TracedNumber<T, const ANY: bool>(Virtual, PhantomData<T>);

impl<T, const ANY: bool> Clone for TracedNumber<T, ANY> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const ANY: bool> Copy for TracedNumber<T, ANY> {}

fn push<T, const ANY: bool>(op: VectorOp, dtype: DType, args: &[Virtual]) -> TracedNumber<T, ANY> {
    TracedNumber(BODY.with_borrow_mut(|body| body.push(op, dtype, args)), PhantomData)
}

/// A truth value.
pub(super) struct Mask;

/// Runs a function over lanes, whose steps are added to a body.
#[cfg(feature = "object")]
pub(super) fn run_traced<R>(building: BodyBuilder, run: impl FnOnce() -> R) -> (R, BodyBuilder) {
    BODY.set(building);
    let result = run();
    (result, BODY.take())
}

/// The numbers in another dtype.
#[cfg(feature = "object")]
pub(super) fn convert_traced<T: Element, F>(x: TracedNumber<F, false>) -> TracedNumber<T, false> {
    TracedNumber::prim(Prim::Convert, &[x.0])
}

/// Whether the bits have a 1.
#[cfg(feature = "object")]
pub(super) fn is_odd(x: TracedNumber<f64, false>) -> TracedNumber<Mask, false> {
    x.odd()
}

#[cfg(feature = "object")]
impl<T, const ANY: bool> TracedNumber<T, ANY> {
    /// The number that a step gives.
    pub(super) fn at(value: Virtual) -> Self {
        TracedNumber(value, PhantomData)
    }

    /// The step that gives it.
    pub(super) fn virtual_(self) -> Virtual {
        self.0
    }
}

impl<T: Element, const ANY: bool> TracedNumber<T, ANY> {
    fn of(op: VectorOp, args: &[Virtual]) -> Self {
        push(op, T::DTYPE, args)
    }

    fn prim(prim: Prim, args: &[Virtual]) -> Self {
        Self::of(VectorOp::Prim(prim), args)
    }

    fn test(op: VectorOp, args: &[Virtual]) -> TracedNumber<Mask, ANY> {
        push(op, DType::Bool, args)
    }

    fn scaled(self, n: ShiftedNumber<Self>, normal: bool) -> Self {
        Self::of(VectorOp::Scale { below: n.below as u8, normal }, &[self.0, n.n.0, n.bits.0])
    }
}

impl<T: Element + Copy, const ANY: bool> Lanes for TracedNumber<T, ANY> {
    type Number = T;
    type Mask = TracedNumber<Mask, ANY>;
    fn splat(x: T) -> Self {
        Self::of(VectorOp::Const(x.to_bits()), &[])
    }
    fn add(self, other: Self) -> Self {
        Self::prim(Prim::Add, &[self.0, other.0])
    }
    fn sub(self, other: Self) -> Self {
        Self::prim(Prim::Sub, &[self.0, other.0])
    }
    fn mul(self, other: Self) -> Self {
        Self::prim(Prim::Mul, &[self.0, other.0])
    }
    fn div(self, other: Self) -> Self {
        Self::prim(Prim::Div, &[self.0, other.0])
    }
    fn fma(self, factor: Self, term: Self) -> Self {
        Self::prim(Prim::Fma, &[self.0, factor.0, term.0])
    }
    fn fnma(self, factor: Self, term: Self) -> Self {
        Self::of(VectorOp::NegatedFma, &[self.0, factor.0, term.0])
    }
    fn at_most(self, bound: Self) -> Self {
        Self::of(VectorOp::AtMost, &[self.0, bound.0])
    }
    fn at_least(self, bound: Self) -> Self {
        Self::of(VectorOp::AtLeast, &[self.0, bound.0])
    }
    // One instruction takes the place of two.
    fn within(self, low: T, high: T) -> Self {
        if ANY { self } else { self.at_least(Self::splat(low)).at_most(Self::splat(high)) }
    }
    fn remainder(self, bound: T) -> Self {
        if ANY { Self::of(VectorOp::Limit, &[self.0, Self::splat(bound).0]) } else { self }
    }
    fn abs(self) -> Self {
        Self::prim(Prim::Abs, &[self.0])
    }
    fn floor(self) -> Self {
        Self::prim(Prim::Floor, &[self.0])
    }
    fn trunc(self) -> Self {
        Self::prim(Prim::Trunc, &[self.0])
    }
    fn sqrt(self) -> Self {
        Self::prim(Prim::Sqrt, &[self.0])
    }
    fn same(self, other: Self) -> TracedNumber<Mask, ANY> {
        Self::test(VectorOp::Prim(Prim::Eq), &[self.0, other.0])
    }
    fn both(a: TracedNumber<Mask, ANY>, b: TracedNumber<Mask, ANY>) -> TracedNumber<Mask, ANY> {
        Self::test(VectorOp::Prim(Prim::And), &[a.0, b.0])
    }
    fn either(a: TracedNumber<Mask, ANY>, b: TracedNumber<Mask, ANY>) -> TracedNumber<Mask, ANY> {
        Self::test(VectorOp::Prim(Prim::Or), &[a.0, b.0])
    }
    fn copysign(self, sign: Self) -> Self {
        Self::prim(Prim::Copysign, &[self.0, sign.0])
    }
    fn turned(self, turns: Self) -> Self {
        Self::of(VectorOp::NegateByTurns, &[self.0, turns.0])
    }
    fn odd(self) -> TracedNumber<Mask, ANY> {
        Self::test(VectorOp::Odd, &[self.0])
    }
    fn less(self, other: Self) -> TracedNumber<Mask, ANY> {
        Self::test(VectorOp::Prim(Prim::Lt), &[self.0, other.0])
    }
    fn outside(self, bound: Self) -> TracedNumber<Mask, ANY> {
        Self::test(VectorOp::NotLess, &[self.0, bound.0])
    }
    fn choose(mask: TracedNumber<Mask, ANY>, yes: Self, no: Self) -> Self {
        Self::prim(Prim::Select, &[mask.0, yes.0, no.0])
    }
    fn each(self, _: impl Fn(T) -> T) -> Self {
        unreachable!("what branches is not traced")
    }
    fn any(_: TracedNumber<Mask, ANY>) -> bool {
        unreachable!("what branches is not traced")
    }
    fn scale(self, n: ShiftedNumber<Self>) -> Self {
        self.scaled(n, false)
    }
    fn raise(self, n: ShiftedNumber<Self>) -> Self {
        self.scaled(n, true)
    }
    fn lowered(self, k: Self) -> Self {
        Self::of(VectorOp::ScaleDown, &[self.0, k.0])
    }
    fn exponent(self, normal: bool) -> Self {
        Self::of(VectorOp::Exponent { normal }, &[self.0])
    }
    fn mantissa(self, normal: bool) -> Self {
        Self::of(VectorOp::Mantissa { normal }, &[self.0])
    }
    fn logarithm(self, of: Self) -> Self {
        Self::of(VectorOp::Logarithm, &[self.0, of.0])
    }
    fn lookup<const N: usize>(self, from: u32, table: &[T; N]) -> Self {
        let bits = table.iter().map(|x| x.to_bits() as u64).collect();
        let table = BODY.with_borrow_mut(|body| body.table((T::DTYPE, bits)));
        Self::of(VectorOp::Lookup(from as u8, table), &[self.0])
    }
}

/// The result of a prim, by the operations of its definition; `None` where it has none over lanes.
pub(super) fn trace(prim: Prim, args: &[Virtual], building: &mut BodyBuilder, scaling: Scaling) -> Option<Virtual> {
    let dtypes: Vec<DType> = args.iter().map(|&arg| building.body.dtype(arg)).collect();
    BODY.set(std::mem::take(building));
    let result = match scaling {
        Scaling::Bounded => visit(prim, &dtypes, dtypes[0], Trace::<false> { prim, args }),
        Scaling::Any => visit(prim, &dtypes, dtypes[0], Trace::<true> { prim, args }),
    };
    *building = BODY.take();
    result.flatten()
}

/// Traces the function that it is shown.
struct Trace<'a, const ANY: bool> {
    prim: Prim,
    args: &'a [Virtual],
}

impl<const ANY: bool> Trace<'_, ANY> {
    fn function<F: Function<T>, T: Element>(&self, x: TracedNumber<T, ANY>) -> TracedNumber<T, ANY> {
        let fast = F::fast(x);
        if !F::GUARDED {
            // A choice between values.
            return F::patch(x, fast);
        }
        match F::is_slow(x) {
            Some(slow) => TracedNumber::of(VectorOp::SlowPath(self.prim), &[slow.0, fast.0, x.0]),
            None => fast,
        }
    }

    fn function2<F: Function2<T>, T: Element>(&self, [x, y]: [TracedNumber<T, ANY>; 2]) -> TracedNumber<T, ANY> {
        let fast = F::fast(x, y);
        match F::is_slow(x, y) {
            Some(slow) => TracedNumber::of(VectorOp::SlowPath(self.prim), &[slow.0, fast.0, x.0, y.0]),
            None => fast,
        }
    }

    fn operand<T>(&self, index: usize) -> TracedNumber<T, ANY> {
        TracedNumber(self.args[index], PhantomData)
    }

    /// An operand of `f32` as `f64`.
    fn wide(&self, index: usize) -> TracedNumber<f64, ANY> {
        TracedNumber::prim(Prim::Convert, &[self.args[index]])
    }
}

impl<const ANY: bool> Visitor for Trace<'_, ANY> {
    type Out = Option<Virtual>;

    fn unary<A: Element, R: Element>(self, _: impl Fn(A) -> R + Copy + 'static) -> Option<Virtual> {
        None
    }

    fn binary<A: Element, B: Element, R: Element>(self, _: impl Fn(A, B) -> R + Copy + 'static) -> Option<Virtual> {
        None
    }

    fn ternary<A: Element, B: Element, C: Element, R: Element>(
        self,
        _: impl Fn(A, B, C) -> R + Copy + 'static,
    ) -> Option<Virtual> {
        None
    }

    fn single<F: Function<f32>>(self, _: F) -> Option<Virtual> {
        let x = self.operand(0);
        Some(self.function::<F, f32>(x).0)
    }

    fn double<F: Function<f64>>(self, _: F) -> Option<Virtual> {
        let x = self.operand(0);
        Some(self.function::<F, f64>(x).0)
    }

    fn single2<F: Function2<f32>>(self, _: F) -> Option<Virtual> {
        let operands = [0, 1].map(|index| self.operand(index));
        Some(self.function2::<F, f32>(operands).0)
    }

    fn double2<F: Function2<f64>>(self, _: F) -> Option<Virtual> {
        let operands = [0, 1].map(|index| self.operand(index));
        Some(self.function2::<F, f64>(operands).0)
    }

    fn widened<F: Function<f64>>(self, _: F) -> Option<Virtual> {
        let x = self.wide(0);
        Some(TracedNumber::<f32, ANY>::prim(Prim::Convert, &[self.function::<F, f64>(x).0]).0)
    }

    fn widened2<F: Function2<f64>>(self, _: F) -> Option<Virtual> {
        let operands = [0, 1].map(|index| self.wide(index));
        Some(TracedNumber::<f32, ANY>::prim(Prim::Convert, &[self.function2::<F, f64>(operands).0]).0)
    }
}
