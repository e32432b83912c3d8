//! Quotients and remainders of integers, by way of floats.
//!
//! A quotient of integers that is not whole is at least one part in `2^32` away from a whole number, or in `2^16` if they
//! have 16 bits, so rounded to an `f64` or `f32` it has the same floor. What is left of the dividend is exact too.

use super::convert::truncation;
use super::lower::{Held, Lowering};
use super::quotient::{Inverse, inverse_for_whole};
use super::rows;
use super::steps::Reg;
use crate::exec::jit::support::{constant, power_of_two};
use crate::exec::stepping::Loop;
use crate::kernel::{Inst, InstOp, Value};
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::scalar::prim::Prim;
use crate::types::DType;

/// The float that has all quotients of integers; `None` where there is none.
fn float_for(dtype: DType) -> Option<DType> {
    match dtype.size() {
        1 | 2 => Some(DType::F32),
        4 => Some(DType::F64),
        _ => None,
    }
}

/// The bytes of a lane in which an instruction divides integers as floats.
pub(super) fn lane(code: &Loop, inst: &Inst) -> Option<usize> {
    match inst.op {
        InstOp::Prim(Prim::FloorDiv | Prim::Rem, [_, divisor, _])
            if inst.dtype.is_integer() && power_of_two(code, divisor, inst.dtype).is_none() =>
        {
            float_for(inst.dtype).map(DType::size)
        }
        _ => None,
    }
}

/// A constant divisor, other than 0, as the bits of a float.
fn known(code: &Loop, divisor: Option<Value>, float: DType) -> Option<u128> {
    let bits = constant(code, divisor).filter(|bits| *bits != 0)?;
    let divisor = Scalar { dtype: code.dtype(divisor?), bits };
    Some(eval(Prim::Convert, float, &[divisor]).bits)
}

impl Lowering<'_> {
    /// A floor quotient or the remainder to it; 0 where the divisor is 0.
    pub(super) fn whole(&mut self, prim: Prim, dtype: DType, args: &[Held], divisor: Option<Value>) -> Option<Reg> {
        let float = float_for(dtype)?;
        let (bytes, length) = (float.size(), self.length(float.size()));
        let [x, y] = [args[0], args[1]].map(|held| self.convert(held, dtype, float));
        let (x, y) = (x?.vector(), y?.vector());
        let known = known(self.code, divisor, float);
        let ratio = match known.and_then(|bits| inverse_for_whole(float, bits)) {
            Some(inverse) => self.products(float, x, inverse),
            None => self.binary(rows::float(rows::FDIV, bytes), length, x, y),
        };
        let floor = self.unary(rows::float(rows::ROUND, bytes), length, ratio, Some(1 | 8));
        let number = match prim {
            Prim::FloorDiv => floor,
            _ => self.ternary(rows::float(rows::FNMA213, bytes), length, [floor, y, x], None),
        };
        let cut = truncation(bytes, if dtype == DType::U32 { dtype } else { DType::I32 });
        let words = match known {
            Some(_) => self.unary(cut, length, number, None),
            None => {
                let b = args[1].vector();
                let nonzero = self.test(rows::of(rows::TEST, dtype.size()), self.length(dtype.size()), (b, b), None);
                self.unary_where(cut, length, number, nonzero)
            }
        };
        Some(self.resize(words, true, 4, dtype.size()))
    }

    /// A float divided by a constant, by products.
    pub(super) fn products(&mut self, dtype: DType, x: Reg, inverse: Inverse) -> Reg {
        let (bytes, length) = (dtype.size(), self.length(dtype.size()));
        let multiply = rows::float(rows::FMUL, bytes);
        match inverse {
            Inverse::Exact(inverse) => {
                let inverse = self.constant(bytes, inverse);
                self.binary(multiply, length, x, inverse)
            }
            Inverse::Parts(parts) => {
                let [high, low] = parts.map(|part| self.constant(bytes, part));
                let rest = self.binary(multiply, length, x, low);
                self.ternary(rows::float(rows::FMA231, bytes), length, [rest, x, high], None)
            }
        }
    }
}
