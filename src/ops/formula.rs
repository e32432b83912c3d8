//! Numbers under construction, as operands of Rust's operators.
//!
//! ```text
//! real(e, [x], |[x]| x.max(x.like(0.0)) + (-x.abs()).exp().log1p())
//! ```
//!
//! A [`Real`] is a node that remembers the program it belongs to. Each operator and method is one prim; nothing is
//! rearranged, so the order in which a formula is written is the order in which it rounds.

use super::expand::Expand;
use crate::ir::NodeId;
use crate::ir::build::ProgramBuilder;
use crate::scalar::prim::Prim;
use crate::types::DType;
use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// The program that the formula becomes part of.
pub(super) struct FormulaBuilder(RefCell<ProgramBuilder>);

/// A real number: a node of `f32` or `f64`.
#[derive(Clone, Copy)]
pub(super) struct Real<'s> {
    sheet: &'s FormulaBuilder,
    id: NodeId,
}

/// A truth value: a node of `bool`.
#[derive(Clone, Copy)]
pub(super) struct Truth<'s>(Real<'s>);

/// A complex number: its two parts.
#[derive(Clone, Copy)]
pub(super) struct ComplexNodes<'s> {
    pub(super) re: Real<'s>,
    pub(super) im: Real<'s>,
}

/// A function of complex numbers.
pub(super) type Analytic = for<'s> fn(ComplexNodes<'s>) -> ComplexNodes<'s>;

/// Builds a formula of real operands.
pub(super) fn real<const N: usize>(
    e: &mut Expand,
    x: [NodeId; N],
    formula: impl for<'s> FnOnce([Real<'s>; N]) -> Real<'s>,
) -> NodeId {
    on_sheet(e, |sheet| formula(x.map(|id| Real { sheet, id })).id)
}

/// Builds a formula of complex operands of one dtype. It computes in `f64`; for `c64` each part is rounded once at
/// the end, which is more accurate than `f32` and spares the formulas its narrow range.
pub(super) fn complex<const N: usize>(
    e: &mut Expand,
    z: [NodeId; N],
    formula: impl for<'s> FnOnce([ComplexNodes<'s>; N]) -> ComplexNodes<'s>,
) -> NodeId {
    let part = e.dtype(z[0]).part();
    let parts = z.map(|z| {
        let (re, im) = e.parts(z);
        [e.convert(re, DType::F64), e.convert(im, DType::F64)]
    });
    let [re, im] = on_sheet(e, |sheet| {
        let w = formula(parts.map(|[re, im]| ComplexNodes { re: Real { sheet, id: re }, im: Real { sheet, id: im } }));
        [w.re.id, w.im.id]
    });
    let (re, im) = (e.convert(re, part), e.convert(im, part));
    e.pair(re, im)
}

/// The numbers of a formula share the program, so it moves behind a cell while they exist.
fn on_sheet<T>(e: &mut Expand, build: impl FnOnce(&FormulaBuilder) -> T) -> T {
    let sheet = FormulaBuilder(RefCell::new(std::mem::take(e.0)));
    let made = build(&sheet);
    *e.0 = sheet.0.into_inner();
    made
}

impl<'s> Real<'s> {
    fn prim(self, prim: Prim, others: &[Real<'s>]) -> Real<'s> {
        let args: Vec<NodeId> = std::iter::once(self.id).chain(others.iter().map(|other| other.id)).collect();
        Real { id: self.sheet.0.borrow_mut().map(prim, &args), ..self }
    }

    /// The constant `value` in the dtype of this number.
    pub(super) fn like(self, value: f64) -> Real<'s> {
        let mut builder = self.sheet.0.borrow_mut();
        Real { id: Expand(&mut builder).number(self.id, value), ..self }
    }

    pub(super) fn fma(self, factor: Real<'s>, term: Real<'s>) -> Real<'s> {
        self.prim(Prim::Fma, &[factor, term])
    }

    /// The square and what rounding took from it.
    pub(super) fn exact_square(self) -> (Real<'s>, Real<'s>) {
        let square = self * self;
        (square, self.fma(self, -square))
    }

    /// The sum and what rounding took from it (Knuth).
    pub(super) fn exact_sum(self, other: Real<'s>) -> (Real<'s>, Real<'s>) {
        let sum = self + other;
        let added = sum - self;
        (sum, (self - (sum - added)) + (other - added))
    }

    pub(super) fn is_zero(self) -> Truth<'s> {
        self.eq(0.0)
    }

    pub(super) fn is_nan(self) -> Truth<'s> {
        Truth(self.prim(Prim::Ne, &[self]))
    }

    pub(super) fn is_infinite(self) -> Truth<'s> {
        self.abs().eq(f64::INFINITY)
    }

    pub(super) fn is_finite(self) -> Truth<'s> {
        self.abs().lt(f64::INFINITY)
    }

    /// This magnitude with the other's sign. A NaN counts as positive: its sign is nothing that results may show.
    pub(super) fn copysign(self, other: Real<'s>) -> Real<'s> {
        let sign = other.is_nan().pick(other.like(1.0), other);
        self.prim(Prim::Copysign, &[sign])
    }

    pub(super) fn eq(self, value: f64) -> Truth<'s> {
        self.same(self.like(value))
    }

    pub(super) fn lt(self, value: f64) -> Truth<'s> {
        Truth(self.prim(Prim::Lt, &[self.like(value)]))
    }

    pub(super) fn gt(self, value: f64) -> Truth<'s> {
        Truth(self.like(value).prim(Prim::Lt, &[self]))
    }

    pub(super) fn same(self, other: Real<'s>) -> Truth<'s> {
        Truth(self.prim(Prim::Eq, &[other]))
    }
}

/// The functions that formulas are written with, a prim each.
impl<'s> Real<'s> {
    pub(super) fn abs(self) -> Real<'s> {
        self.prim(Prim::Abs, &[])
    }

    pub(super) fn sqrt(self) -> Real<'s> {
        self.prim(Prim::Sqrt, &[])
    }

    pub(super) fn exp(self) -> Real<'s> {
        self.prim(Prim::Exp, &[])
    }

    pub(super) fn exp2(self) -> Real<'s> {
        self.prim(Prim::Exp2, &[])
    }

    pub(super) fn expm1(self) -> Real<'s> {
        self.prim(Prim::Expm1, &[])
    }

    pub(super) fn log(self) -> Real<'s> {
        self.prim(Prim::Log, &[])
    }

    pub(super) fn log2(self) -> Real<'s> {
        self.prim(Prim::Log2, &[])
    }

    pub(super) fn log10(self) -> Real<'s> {
        self.prim(Prim::Log10, &[])
    }

    pub(super) fn log1p(self) -> Real<'s> {
        self.prim(Prim::Log1p, &[])
    }

    pub(super) fn sin(self) -> Real<'s> {
        self.prim(Prim::Sin, &[])
    }

    pub(super) fn cos(self) -> Real<'s> {
        self.prim(Prim::Cos, &[])
    }

    pub(super) fn tan(self) -> Real<'s> {
        self.prim(Prim::Tan, &[])
    }

    pub(super) fn sinh(self) -> Real<'s> {
        self.prim(Prim::Sinh, &[])
    }

    pub(super) fn cosh(self) -> Real<'s> {
        self.prim(Prim::Cosh, &[])
    }

    pub(super) fn asinh(self) -> Real<'s> {
        self.prim(Prim::Asinh, &[])
    }

    pub(super) fn max(self, other: Real<'s>) -> Real<'s> {
        self.prim(Prim::Max, &[other])
    }

    pub(super) fn hypot(self, other: Real<'s>) -> Real<'s> {
        self.prim(Prim::Hypot, &[other])
    }

    pub(super) fn atan2(self, other: Real<'s>) -> Real<'s> {
        self.prim(Prim::Atan2, &[other])
    }
}

impl<'s> Truth<'s> {
    /// `yes` where it holds, else `no`.
    pub(super) fn pick(self, yes: Real<'s>, no: Real<'s>) -> Real<'s> {
        self.0.prim(Prim::Select, &[yes, no])
    }
}

impl<'s> BitAnd for Truth<'s> {
    type Output = Truth<'s>;
    fn bitand(self, other: Truth<'s>) -> Truth<'s> {
        Truth(self.0.prim(Prim::And, &[other.0]))
    }
}

impl<'s> BitOr for Truth<'s> {
    type Output = Truth<'s>;
    fn bitor(self, other: Truth<'s>) -> Truth<'s> {
        Truth(self.0.prim(Prim::Or, &[other.0]))
    }
}

impl<'s> Not for Truth<'s> {
    type Output = Truth<'s>;
    fn not(self) -> Truth<'s> {
        Truth(self.0.prim(Prim::Not, &[]))
    }
}

/// What stands on the right of an operator: a number of the formula, or a constant in the dtype of the left one.
pub(super) trait RightOperand<'s> {
    fn beside(self, left: Real<'s>) -> Real<'s>;
}

impl<'s> RightOperand<'s> for Real<'s> {
    fn beside(self, _: Real<'s>) -> Real<'s> {
        self
    }
}

impl<'s> RightOperand<'s> for f64 {
    fn beside(self, left: Real<'s>) -> Real<'s> {
        left.like(self)
    }
}

impl<'s, R: RightOperand<'s>> Add<R> for Real<'s> {
    type Output = Real<'s>;
    fn add(self, other: R) -> Real<'s> {
        self.prim(Prim::Add, &[other.beside(self)])
    }
}

impl<'s> Add<Real<'s>> for f64 {
    type Output = Real<'s>;
    fn add(self, other: Real<'s>) -> Real<'s> {
        other.like(self) + other
    }
}

impl<'s, R: RightOperand<'s>> Sub<R> for Real<'s> {
    type Output = Real<'s>;
    fn sub(self, other: R) -> Real<'s> {
        self.prim(Prim::Sub, &[other.beside(self)])
    }
}

impl<'s> Sub<Real<'s>> for f64 {
    type Output = Real<'s>;
    fn sub(self, other: Real<'s>) -> Real<'s> {
        other.like(self) - other
    }
}

impl<'s, R: RightOperand<'s>> Mul<R> for Real<'s> {
    type Output = Real<'s>;
    fn mul(self, other: R) -> Real<'s> {
        self.prim(Prim::Mul, &[other.beside(self)])
    }
}

impl<'s> Mul<Real<'s>> for f64 {
    type Output = Real<'s>;
    fn mul(self, other: Real<'s>) -> Real<'s> {
        other.like(self) * other
    }
}

impl<'s, R: RightOperand<'s>> Div<R> for Real<'s> {
    type Output = Real<'s>;
    fn div(self, other: R) -> Real<'s> {
        self.prim(Prim::Div, &[other.beside(self)])
    }
}

impl<'s> Div<Real<'s>> for f64 {
    type Output = Real<'s>;
    fn div(self, other: Real<'s>) -> Real<'s> {
        other.like(self) / other
    }
}

impl<'s> Neg for Real<'s> {
    type Output = Real<'s>;
    fn neg(self) -> Real<'s> {
        self.prim(Prim::Neg, &[])
    }
}

impl<'s> ComplexNodes<'s> {
    /// `i z`
    pub(super) fn times_i(self) -> ComplexNodes<'s> {
        ComplexNodes { re: -self.im, im: self.re }
    }

    /// `-i z`
    pub(super) fn over_i(self) -> ComplexNodes<'s> {
        ComplexNodes { re: self.im, im: -self.re }
    }
}
