//! The terms of a fold: elements as they are, or what a sum can compute of them on the way.
//!
//! `sum(a * b)` needs no block of products: the terms are computed where they are added. Only what is done to one or
//! two values, rounded as it would be alone, is done here.
#![expect(unsafe_code, reason = "terms are loaded from addresses")]

use super::terms::Term;
use crate::exec::stepping::Step;
use crate::ir::Fold;
use crate::kernel::{Body, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;
use std::marker::PhantomData;
use std::ops::{Mul, Sub};

/// How a fold's terms are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TermForm {
    /// The elements themselves.
    Plain,
    /// Products of the elements of two operands.
    Product,
    /// Squares of the differences of the elements of two operands.
    Difference,
    /// Squares of the distances of elements from one number.
    Distance,
    /// Elements of a narrower dtype.
    Wider(DType),
    /// Whether integers of a dtype are none of the `count` from `least` on: positions that an axis does not have.
    Outside { of: DType, least: i64, count: u64 },
}

/// How a fold's terms are made, and of which values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Terms {
    pub(crate) form: TermForm,
    /// Of the terms.
    pub(crate) dtype: DType,
    /// The values that are folded: one, or two.
    pub(crate) of: [Option<InstId>; 2],
}

impl Terms {
    /// The value itself.
    pub(crate) fn plain(body: &Body, value: InstId) -> Terms {
        Terms { form: TermForm::Plain, dtype: body.dtype(value), of: [Some(value), None] }
    }

    /// The shortest way to make the terms of a fold of rows. `step` says how a value lies in memory, if it does.
    pub(crate) fn of(body: &Body, value: InstId, fold: Fold, step: impl Fn(InstId) -> Option<Step>) -> Terms {
        let plain = Terms::plain(body, value);
        let inst = |value: InstId| body.inst(value);
        let InstOp::Prim(prim, [Some(a), b, _]) = inst(value).op else { return plain };
        let dtype = plain.dtype;
        let made = |form, of| Terms { form, dtype, of };
        if let (Fold::FirstTrue, Some((number, form))) = (fold, outside(body, value)) {
            return made(form, [Some(number), None]);
        }
        match (fold, prim, b) {
            (Fold::Sum, Prim::Convert, _) if widens(inst(a).dtype, dtype) => {
                made(TermForm::Wider(inst(a).dtype), [Some(a), None])
            }
            (Fold::Sum, Prim::Mul, Some(b)) if matches!(dtype, DType::F32 | DType::F64) => {
                if a == b
                    && let InstOp::Prim(Prim::Sub, [Some(x), Some(y), _]) = inst(a).op
                    && step(x) == Some(Step::Dense)
                {
                    let both = [Some(x), Some(y)];
                    match step(y) {
                        Some(Step::Dense) => return made(TermForm::Difference, both),
                        Some(Step::Repeat) => return made(TermForm::Distance, both),
                        _ => {}
                    }
                }
                let dense = |value: InstId| step(value) == Some(Step::Dense);
                if a == b || dense(a) && dense(b) {
                    return made(TermForm::Product, [Some(a), Some(b)]);
                }
                plain
            }
            _ => plain,
        }
    }
}

/// The integer that a value is true of when it is outside of a range, and the range.
fn outside(body: &Body, value: InstId) -> Option<(InstId, TermForm)> {
    let inst = |value: InstId| body.inst(value);
    let constant = |value: InstId| body.constant(value);
    let is_zero = |value: InstId| constant(value) == Some(0);
    let (number, least, count) = match inst(value).op {
        // at < 0
        InstOp::Prim(Prim::Lt, [Some(at), Some(zero), _]) if is_zero(zero) => (at, 0, 1 << 63),
        // at < 0 or len <= at
        InstOp::Prim(Prim::Or, [Some(below), Some(above), _]) => match (inst(below).op, inst(above).op) {
            (InstOp::Prim(Prim::Lt, [Some(at), Some(zero), _]), InstOp::Prim(Prim::Le, [Some(len), Some(same), _]))
                if at == same && is_zero(zero) =>
            {
                (at, 0, constant(len).filter(|len| *len <= 1 << 63)?)
            }
            _ => return None,
        },
        // count <= u64(at + end)
        InstOp::Prim(Prim::Le, [Some(count), Some(distance), _]) => {
            let InstOp::Prim(Prim::Bitcast, [Some(distance), ..]) = inst(distance).op else { return None };
            match inst(distance).op {
                InstOp::Prim(Prim::Add, [Some(at), Some(end), _]) => {
                    (at, (constant(end)? as i64).wrapping_neg(), constant(count)?)
                }
                InstOp::Load(_) | InstOp::Iota(_) | InstOp::Const(_) | InstOp::Prim(..) => {
                    (distance, 0, constant(count)?)
                }
            }
        }
        InstOp::Load(_) | InstOp::Iota(_) | InstOp::Const(_) | InstOp::Prim(..) => return None,
    };
    if inst(number).dtype != DType::I64 {
        return None;
    }
    // Narrower integers are read as they are.
    let (number, of) = match inst(number).op {
        InstOp::Prim(Prim::Convert, [Some(narrow), ..]) if inst(narrow).dtype == DType::I32 => (narrow, DType::I32),
        InstOp::Load(_) | InstOp::Iota(_) | InstOp::Const(_) | InstOp::Prim(..) => (number, DType::I64),
    };
    Some((number, TermForm::Outside { of, least, count }))
}

/// Whether elements of one dtype are summed as another without loss.
fn widens(from: DType, to: DType) -> bool {
    use DType::{Bf16, Bool, C64, C128, F8E4m3, F8E5m2, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    match to {
        I64 => matches!(from, Bool | U8 | U16 | U32 | I8 | I16 | I32),
        U64 => matches!(from, U8 | U16 | U32),
        F64 => matches!(from, U8 | U16 | U32 | I8 | I16 | I32),
        Bool | U8 | U16 | U32 | I8 | I16 | I32 | F8E4m3 | F8E5m2 | Bf16 | F16 | F32 | C64 | C128 => false,
    }
}

/// Where the operands of a block's terms begin.
pub(super) type TermOperands = [*const u8; 2];

/// What accumulates terms of a kind.
pub(super) type TotalOf<K> = <<K as TermKind>::T as Term>::Total;

/// A way to make terms.
pub(super) trait TermKind: Copy + Send + 'static {
    /// The result's type.
    type T: Term;
    /// Bytes from an element of each operand to the next.
    const SIZES: [usize; 2];
    /// The term with an index.
    ///
    /// # Safety
    /// Each operand has an element with this index, or the first one where all terms have the same. It can be read,
    /// with any alignment. An operand that this kind does not have is not looked at.
    unsafe fn term(operands: TermOperands, index: usize) -> TotalOf<Self>;
}

/// The element with an index.
///
/// # Safety
/// It can be read, with any alignment, and its bytes are a `T`. All elements before it lie in the same memory.
#[inline(always)]
unsafe fn element<T: Copy>(from: *const u8, index: usize) -> T {
    // SAFETY: the caller promises that this element is a `T` and can be read; no alignment is needed.
    unsafe { from.cast::<T>().add(index).read_unaligned() }
}

/// What is made of two values: of two numbers, or of the lanes of two vectors.
pub(super) trait Formula: Copy + Send + 'static {
    fn of<X: Copy + Sub<Output = X> + Mul<Output = X>>(a: X, b: X) -> X;
}

#[derive(Clone, Copy)]
pub(super) struct ProductFormula;

impl Formula for ProductFormula {
    #[inline(always)]
    fn of<X: Copy + Sub<Output = X> + Mul<Output = X>>(a: X, b: X) -> X {
        a * b
    }
}

#[derive(Clone, Copy)]
pub(super) struct SquaredDifference;

impl Formula for SquaredDifference {
    #[inline(always)]
    fn of<X: Copy + Sub<Output = X> + Mul<Output = X>>(a: X, b: X) -> X {
        let difference = a - b;
        difference * difference
    }
}

/// Terms of the elements of two operands. With `ONE`, the second has one element, which all terms share.
#[derive(Clone, Copy)]
pub(super) struct PairTerms<T, F, const ONE: bool>(PhantomData<(T, F)>);

/// [`TermForm::Product`]
pub(super) type ProductTerms<T> = PairTerms<T, ProductFormula, false>;
/// [`TermForm::Difference`]
pub(super) type Difference<T> = PairTerms<T, SquaredDifference, false>;
/// [`TermForm::Distance`]
pub(super) type Distance<T> = PairTerms<T, SquaredDifference, true>;

impl<T, F: Formula, const ONE: bool> TermKind for PairTerms<T, F, ONE>
where
    T: Term<Total = T> + Mul<Output = T> + Sub<Output = T>,
{
    type T = T;
    const SIZES: [usize; 2] = [size_of::<T>(), if ONE { 0 } else { size_of::<T>() }];
    #[inline(always)]
    unsafe fn term(operands: TermOperands, index: usize) -> T {
        // SAFETY: the caller promises that each operand has this element, or the only one, to read.
        unsafe { F::of(element::<T>(operands[0], index), element::<T>(operands[1], if ONE { 0 } else { index })) }
    }
}

/// [`TermForm::Plain`]
#[derive(Clone, Copy)]
pub(super) struct Plain<T>(PhantomData<T>);

impl<T: Term> TermKind for Plain<T> {
    type T = T;
    const SIZES: [usize; 2] = [size_of::<T>(), 0];
    #[inline(always)]
    unsafe fn term(operands: TermOperands, index: usize) -> T::Total {
        // SAFETY: the caller promises that the operand has this element to read.
        unsafe { element::<T>(operands[0], index) }.widen()
    }
}

/// [`TermForm::Wider`]: numbers that become others without loss.
#[derive(Clone, Copy)]
pub(super) struct WidenedTerm<N, T>(PhantomData<(N, T)>);

impl<N: Copy + Into<T> + Send + 'static, T: Term<Total = T>> TermKind for WidenedTerm<N, T> {
    type T = T;
    const SIZES: [usize; 2] = [size_of::<N>(), 0];
    #[inline(always)]
    unsafe fn term(operands: TermOperands, index: usize) -> T {
        // SAFETY: the caller promises that the operand has this element to read.
        unsafe { element::<N>(operands[0], index) }.into()
    }
}
