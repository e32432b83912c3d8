//! What a function over lanes does, written down instead of done.
//!
//! The definitions of [`crate::scalar::math`] are sequences of operations on [`Lanes`]. Applied to a [`Traced`] number
//! they leave those operations on a tape, from which [`super::functions`] makes instructions: so the code has the
//! definition's bits.

use super::target::Target;
use crate::scalar::eval::{Visitor, visit};
use crate::scalar::math::lanes::{Function, Lanes};
use crate::scalar::prim::Prim;
use crate::types::DType;
use crate::types::dtype::Element;
use std::cell::RefCell;
use std::marker::PhantomData;

/// The place of a result on the tape.
pub(super) type At = u32;

/// An operation of [`Lanes`]; numbers are bits.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Argument,
    Splat(u64),
    Unary(Unary, At),
    Binary(Binary, At, At),
    /// `a * b + c`, or `c - a * b`.
    Fma {
        negated: bool,
        operands: [At; 3],
    },
    Test(Test, At, At),
    /// `b + c` where the mask `a` says so, else `b`.
    AddWhere(At, At, At),
    /// The first as the logarithm of the second.
    Logarithm(At, At),
    Choose(At, At, At),
    Lookup(Lookup, At, Vec<u64>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unary {
    Abs,
    Exponent,
    Mantissa,
    MantissaNear,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    AtMost,
    AtLeast,
    Copysign,
    Turned,
    Scale,
    /// The first operand's sign, and the size of the smaller.
    Limit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Test {
    Less,
    Outside,
    /// Of the first operand alone.
    Odd,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lookup {
    Sixteen,
    Fraction,
    Quarter,
}

/// A function as operations.
#[derive(Clone, Debug, Default)]
pub(super) struct Tape {
    pub(super) ops: Vec<Op>,
    pub(super) result: At,
    /// The mask of the arguments for which the result does not hold.
    pub(super) hard: Option<At>,
}

thread_local! {
    static OPS: RefCell<Vec<Op>> = const { RefCell::new(Vec::new()) };
}

/// A number or a mask that is on the tape. Where it says `ANY`, scaling knows what to do with any exponent.
pub(super) struct Traced<T, const ANY: bool>(At, PhantomData<T>);

impl<T, const ANY: bool> Clone for Traced<T, ANY> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const ANY: bool> Copy for Traced<T, ANY> {}

fn push<T, const ANY: bool>(op: Op) -> Traced<T, ANY> {
    OPS.with_borrow_mut(|ops| {
        ops.push(op);
        Traced(ops.len() as At - 1, PhantomData)
    })
}

/// A truth value on the tape.
pub(super) struct Mask;

impl<T: Element, const ANY: bool> Traced<T, ANY> {
    fn unary(self, op: Unary) -> Self {
        push(Op::Unary(op, self.0))
    }

    fn binary(self, op: Binary, other: Self) -> Self {
        push(Op::Binary(op, self.0, other.0))
    }

    fn test(self, op: Test, other: Self) -> Traced<Mask, ANY> {
        push(Op::Test(op, self.0, other.0))
    }

    fn lookup(self, how: Lookup, table: &[T]) -> Self {
        push(Op::Lookup(how, self.0, table.iter().map(|x| x.to_bits() as u64).collect()))
    }
}

impl<T: Element + Copy, const ANY: bool> Lanes for Traced<T, ANY> {
    type Number = T;
    type Mask = Traced<Mask, ANY>;
    fn splat(x: T) -> Self {
        push(Op::Splat(x.to_bits() as u64))
    }
    fn add(self, other: Self) -> Self {
        self.binary(Binary::Add, other)
    }
    fn sub(self, other: Self) -> Self {
        self.binary(Binary::Sub, other)
    }
    fn mul(self, other: Self) -> Self {
        self.binary(Binary::Mul, other)
    }
    fn div(self, other: Self) -> Self {
        self.binary(Binary::Div, other)
    }
    fn fma(self, factor: Self, term: Self) -> Self {
        push(Op::Fma { negated: false, operands: [self.0, factor.0, term.0] })
    }
    fn fnma(self, factor: Self, term: Self) -> Self {
        push(Op::Fma { negated: true, operands: [self.0, factor.0, term.0] })
    }
    fn at_most(self, bound: Self) -> Self {
        self.binary(Binary::AtMost, bound)
    }
    fn at_least(self, bound: Self) -> Self {
        self.binary(Binary::AtLeast, bound)
    }
    // One instruction takes the place of two.
    fn within(self, low: T, high: T) -> Self {
        if ANY { self } else { self.at_least(Self::splat(low)).at_most(Self::splat(high)) }
    }
    fn remainder(self, bound: T) -> Self {
        if ANY { self.binary(Binary::Limit, Self::splat(bound)) } else { self }
    }
    fn abs(self) -> Self {
        self.unary(Unary::Abs)
    }
    fn copysign(self, sign: Self) -> Self {
        self.binary(Binary::Copysign, sign)
    }
    fn turned(self, turns: Self) -> Self {
        self.binary(Binary::Turned, turns)
    }
    fn odd(self) -> Traced<Mask, ANY> {
        self.test(Test::Odd, self)
    }
    fn less(self, other: Self) -> Traced<Mask, ANY> {
        self.test(Test::Less, other)
    }
    fn outside(self, bound: Self) -> Traced<Mask, ANY> {
        self.test(Test::Outside, bound)
    }
    fn choose(mask: Traced<Mask, ANY>, yes: Self, no: Self) -> Self {
        push(Op::Choose(mask.0, yes.0, no.0))
    }
    fn each(self, _: impl Fn(T) -> T) -> Self {
        unreachable!("what branches is not traced")
    }
    fn any(_: Traced<Mask, ANY>) -> bool {
        unreachable!("what branches is not traced")
    }
    fn scale(self, n: Self) -> Self {
        self.binary(Binary::Scale, n)
    }
    fn exponent(self) -> Self {
        self.unary(Unary::Exponent)
    }
    fn mantissa(self) -> Self {
        self.unary(Unary::Mantissa)
    }
    fn mantissa_near(self) -> Self {
        self.unary(Unary::MantissaNear)
    }
    fn add_where(self, mask: Traced<Mask, ANY>, other: Self) -> Self {
        push(Op::AddWhere(mask.0, self.0, other.0))
    }
    fn logarithm(self, of: Self) -> Self {
        push(Op::Logarithm(self.0, of.0))
    }
    fn lookup16(self, table: &[T; 16]) -> Self {
        self.lookup(Lookup::Sixteen, table)
    }
    fn lookup_fraction(self, table: &[T; 16]) -> Self {
        self.lookup(Lookup::Fraction, table)
    }
    fn lookup_quarter(self, table: &[T; 32]) -> Self {
        self.lookup(Lookup::Quarter, table)
    }
}

/// The operations of a prim of one operand; `None` where it has no definition over lanes.
pub(super) fn trace(prim: Prim, dtype: DType, target: Target) -> Option<Tape> {
    match target {
        Target::Avx2 => visit(prim, &[dtype], dtype, Trace::<false>).flatten(),
        Target::Avx512 => visit(prim, &[dtype], dtype, Trace::<true>).flatten(),
    }
}

/// Traces the function that it is shown.
struct Trace<const ANY: bool>;

impl<const ANY: bool> Trace<ANY> {
    fn function<F: Function<T>, T: Element>(self) -> Option<Tape> {
        OPS.with_borrow_mut(Vec::clear);
        let x = push::<T, ANY>(Op::Argument);
        let easy = F::easy(x);
        let (result, hard) = match F::GUARDED {
            true => (easy, F::hard(x).map(|mask| mask.0)),
            // A choice between values.
            false => (F::mend(x, easy), None),
        };
        Some(Tape { ops: OPS.take(), result: result.0, hard })
    }
}

impl<const ANY: bool> Visitor for Trace<ANY> {
    type Out = Option<Tape>;

    fn unary<A: Element, R: Element>(self, _: impl Fn(A) -> R + Copy + 'static) -> Option<Tape> {
        None
    }

    fn binary<A: Element, B: Element, R: Element>(self, _: impl Fn(A, B) -> R + Copy + 'static) -> Option<Tape> {
        None
    }

    fn ternary<A: Element, B: Element, C: Element, R: Element>(
        self,
        _: impl Fn(A, B, C) -> R + Copy + 'static,
    ) -> Option<Tape> {
        None
    }

    fn single<F: Function<f32>>(self, _: F) -> Option<Tape> {
        self.function::<F, f32>()
    }

    fn double<F: Function<f64>>(self, _: F) -> Option<Tape> {
        self.function::<F, f64>()
    }
}
