//! The vocabulary in which rows say what an operation does: prims, plus what they mean for complex numbers.
//!
//! A complex value is taken into its parts, computed with in real arithmetic, and put together again, so that no
//! prim and no kernel knows complex numbers. Products are the four real products and their sums, each rounded by
//! itself.

use super::Reduce;
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, View};
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};

/// Builds the nodes of one operation.
#[derive(Debug)]
pub struct Expand<'a>(pub &'a mut ProgramBuilder);

impl Expand<'_> {
    /// The dtype of a value.
    pub fn dtype(&self, x: NodeId) -> DType {
        self.0.dtype(x)
    }

    /// The shape of a value.
    pub fn shape(&self, x: NodeId) -> Shape {
        self.0.shape(x).clone()
    }

    /// A prim of real operands.
    pub fn prim(&mut self, prim: Prim, args: &[NodeId]) -> NodeId {
        self.0.map(prim, args)
    }

    /// The number `value` in the dtype of `like`.
    pub fn number(&mut self, like: NodeId, value: f64) -> NodeId {
        self.of(self.dtype(like), value)
    }

    /// The number `value` in a dtype.
    pub fn of(&mut self, dtype: DType, value: f64) -> NodeId {
        let real = eval(Prim::Convert, dtype.part(), &[Scalar::of(value)]);
        let bits = if dtype.is_complex() { real.bits } else { eval(Prim::Convert, dtype, &[Scalar::of(value)]).bits };
        self.0.constant(Scalar { dtype, bits })
    }

    /// The integer `value`, wrapped into an integer dtype.
    pub fn integer(&mut self, dtype: DType, value: i128) -> NodeId {
        let bits = value as u128 & (u128::MAX >> (128 - dtype.bits()));
        self.0.constant(Scalar { dtype, bits })
    }

    /// The real and the imaginary part.
    pub fn parts(&mut self, z: NodeId) -> (NodeId, NodeId) {
        let re = self.prim(Prim::Real, &[z]);
        let im = self.prim(Prim::Imag, &[z]);
        (re, im)
    }

    /// A complex value of two parts.
    pub fn pair(&mut self, re: NodeId, im: NodeId) -> NodeId {
        self.prim(Prim::Pair, &[re, im])
    }

    fn is_complex(&self, x: NodeId) -> bool {
        self.dtype(x).is_complex()
    }

    /// The same elements in another dtype, by the language's rules for casts. A complex source needs a complex or
    /// `bool` target; the checker refuses others.
    pub fn convert(&mut self, x: NodeId, dtype: DType) -> NodeId {
        let from = self.dtype(x);
        match (from.is_complex(), dtype.is_complex()) {
            (false, false) => self.0.convert(x, dtype),
            (false, true) => {
                let re = self.0.convert(x, dtype.part());
                let im = self.of(dtype.part(), 0.0);
                self.pair(re, im)
            }
            (true, true) if from == dtype => x,
            (true, true) => {
                let (re, im) = self.parts(x);
                let (re, im) = (self.0.convert(re, dtype.part()), self.0.convert(im, dtype.part()));
                self.pair(re, im)
            }
            (true, false) => {
                let (re, im) = self.parts(x);
                let (re, im) = (self.0.convert(re, DType::Bool), self.0.convert(im, DType::Bool));
                let any = self.prim(Prim::Or, &[re, im]);
                self.0.convert(any, dtype)
            }
        }
    }

    /// `x` in the dtype that operations on it are computed in.
    pub fn widen(&mut self, x: NodeId) -> NodeId {
        let wide = self.dtype(x).computed_in();
        self.convert(x, wide)
    }

    /// `x + y`
    pub fn add(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.partwise(Prim::Add, x, y)
    }

    /// `x - y`
    pub fn sub(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.partwise(Prim::Sub, x, y)
    }

    fn partwise(&mut self, prim: Prim, x: NodeId, y: NodeId) -> NodeId {
        if !self.is_complex(x) {
            return self.prim(prim, &[x, y]);
        }
        let ((a, b), (c, d)) = (self.parts(x), self.parts(y));
        let (re, im) = (self.prim(prim, &[a, c]), self.prim(prim, &[b, d]));
        self.pair(re, im)
    }

    /// `x * y`
    pub fn mul(&mut self, x: NodeId, y: NodeId) -> NodeId {
        if !self.is_complex(x) {
            return self.prim(Prim::Mul, &[x, y]);
        }
        let ((a, b), (c, d)) = (self.parts(x), self.parts(y));
        let (ac, bd) = (self.prim(Prim::Mul, &[a, c]), self.prim(Prim::Mul, &[b, d]));
        let (ad, bc) = (self.prim(Prim::Mul, &[a, d]), self.prim(Prim::Mul, &[b, c]));
        let (re, im) = (self.prim(Prim::Sub, &[ac, bd]), self.prim(Prim::Add, &[ad, bc]));
        self.pair(re, im)
    }

    /// `x / y` of floats. Complex division scales by the larger part of the divisor (Smith's method, as NumPy).
    pub fn div(&mut self, x: NodeId, y: NodeId) -> NodeId {
        if !self.is_complex(x) {
            return self.prim(Prim::Div, &[x, y]);
        }
        let ((a, b), (c, d)) = (self.parts(x), self.parts(y));
        let (abs_c, abs_d) = (self.prim(Prim::Abs, &[c]), self.prim(Prim::Abs, &[d]));
        let by_real = self.prim(Prim::Le, &[abs_d, abs_c]);
        let large = self.select(by_real, c, d);
        let small = self.select(by_real, d, c);
        let ratio = self.prim(Prim::Div, &[small, large]);
        let small_ratio = self.prim(Prim::Mul, &[small, ratio]);
        let sum = self.prim(Prim::Add, &[large, small_ratio]);
        let one = self.number(sum, 1.0);
        let scale = self.prim(Prim::Div, &[one, sum]);
        // By the real part: (a + b r, b - a r); by the imaginary part: (a r + b, b r - a); all times the scale.
        let (ar, br) = (self.prim(Prim::Mul, &[a, ratio]), self.prim(Prim::Mul, &[b, ratio]));
        let (re_c, im_c) = (self.prim(Prim::Add, &[a, br]), self.prim(Prim::Sub, &[b, ar]));
        let (re_d, im_d) = (self.prim(Prim::Add, &[ar, b]), self.prim(Prim::Sub, &[br, a]));
        let (re, im) = (self.select(by_real, re_c, re_d), self.select(by_real, im_c, im_d));
        let (re, im) = (self.prim(Prim::Mul, &[re, scale]), self.prim(Prim::Mul, &[im, scale]));
        // A divisor of zero divides each part by its magnitude, which is what gives infinities and NaN.
        let zero = self.number(c, 0.0);
        let none = self.both(Prim::Eq, (abs_c, zero), (abs_d, zero));
        let (re_zero, im_zero) = (self.prim(Prim::Div, &[a, abs_c]), self.prim(Prim::Div, &[b, abs_c]));
        let (re, im) = (self.select(none, re_zero, re), self.select(none, im_zero, im));
        self.pair(re, im)
    }

    fn both(&mut self, test: Prim, first: (NodeId, NodeId), second: (NodeId, NodeId)) -> NodeId {
        let first = self.prim(test, &[first.0, first.1]);
        let second = self.prim(test, &[second.0, second.1]);
        self.prim(Prim::And, &[first, second])
    }

    /// `-x`
    pub fn neg(&mut self, x: NodeId) -> NodeId {
        if !self.is_complex(x) {
            return self.prim(Prim::Neg, &[x]);
        }
        let (re, im) = self.parts(x);
        let (re, im) = (self.prim(Prim::Neg, &[re]), self.prim(Prim::Neg, &[im]));
        self.pair(re, im)
    }

    /// `y` where the condition holds, else `z`.
    pub fn select(&mut self, condition: NodeId, y: NodeId, z: NodeId) -> NodeId {
        if !self.is_complex(y) {
            return self.prim(Prim::Select, &[condition, y, z]);
        }
        let ((a, b), (c, d)) = (self.parts(y), self.parts(z));
        let (re, im) = (self.select(condition, a, c), self.select(condition, b, d));
        self.pair(re, im)
    }

    /// `|x|` of a float or complex number.
    pub fn magnitude(&mut self, x: NodeId) -> NodeId {
        if !self.is_complex(x) {
            return self.prim(Prim::Abs, &[x]);
        }
        let (re, im) = self.parts(x);
        self.prim(Prim::Hypot, &[re, im])
    }

    /// The same bits as another dtype of the same size.
    pub fn bitcast(&mut self, x: NodeId, dtype: DType) -> NodeId {
        self.0.bitcast(x, dtype)
    }

    /// Whether `x != x` in any part.
    pub fn is_nan(&mut self, x: NodeId) -> NodeId {
        if !self.is_complex(x) {
            return self.prim(Prim::Ne, &[x, x]);
        }
        let (re, im) = self.parts(x);
        let (re, im) = (self.is_nan(re), self.is_nan(im));
        self.prim(Prim::Or, &[re, im])
    }

    /// `x == y`, in all parts.
    pub fn equal(&mut self, x: NodeId, y: NodeId) -> NodeId {
        if !self.is_complex(x) {
            return self.prim(Prim::Eq, &[x, y]);
        }
        let ((a, b), (c, d)) = (self.parts(x), self.parts(y));
        self.both(Prim::Eq, (a, c), (b, d))
    }

    /// Not.
    pub fn not(&mut self, x: NodeId) -> NodeId {
        self.prim(Prim::Not, &[x])
    }

    /// `x < 0`; never for unsigned integers.
    pub fn is_negative(&mut self, x: NodeId) -> NodeId {
        let zero = self.number(x, 0.0);
        self.prim(Prim::Lt, &[x, zero])
    }

    /// A reduction of which no axis stays. Complex sums add the parts; complex products are folded as they are.
    pub fn fold(&mut self, fold: Fold, x: NodeId, axes: &[usize]) -> NodeId {
        self.fold_keeping_if(fold, x, axes, false)
    }

    /// As [`Expand::fold`], but the axes stay, with length 1.
    pub fn fold_keeping(&mut self, fold: Fold, x: NodeId, axes: &[usize]) -> NodeId {
        self.fold_keeping_if(fold, x, axes, true)
    }

    /// As [`Expand::fold`], over the axes that a reduction was told, which stay if it was told so.
    pub fn fold_over(&mut self, fold: Fold, x: NodeId, over: &Reduce) -> NodeId {
        self.fold_keeping_if(fold, x, &over.axes, over.keep)
    }

    fn fold_keeping_if(&mut self, fold: Fold, x: NodeId, axes: &[usize], keep: bool) -> NodeId {
        if fold == Fold::Sum {
            self.0.note_summed(x);
        }
        if !self.is_complex(x) || fold == Fold::Prod {
            return self.0.fold_keeping_if(fold, x, axes, keep);
        }
        // A part that is known, such as the zero of a real number, has no shape of its own.
        let shape = self.shape(x);
        let (re, im) = self.parts(x);
        let (re, im) = (self.broadcast(re, &shape), self.broadcast(im, &shape));
        let (re, im) = (self.0.fold_keeping_if(fold, re, axes, keep), self.0.fold_keeping_if(fold, im, axes, keep));
        self.pair(re, im)
    }

    /// A dimension as an `i64`. Named ones are only checked, never run: a sum of ones stands for them.
    pub fn dim(&mut self, dim: &Dim) -> NodeId {
        match dim.known().map(i64::try_from) {
            Some(Ok(size)) => self.0.constant(Scalar::of(size)),
            _ => {
                if let Some(length) = self.0.length_of(dim) {
                    return length.node;
                }
                let one = self.of(DType::I64, 1.0);
                let ones = self.broadcast(one, &vec![dim.clone()]);
                self.0.fold(Fold::Sum, ones, &[0])
            }
        }
    }

    /// The same elements repeated to a larger shape.
    pub fn broadcast(&mut self, x: NodeId, shape: &Shape) -> NodeId {
        self.0.broadcast(x, shape)
    }

    /// The same elements under another shape or order.
    pub fn view(&mut self, x: NodeId, view: View, shape: Shape) -> NodeId {
        self.0.view(x, view, shape)
    }
}
