//! Quotients and remainders of integers, by way of floats.
//!
//! A quotient of integers of 32 bits that is not whole is at least one part in `2^32` away from a whole number, so rounded
//! to an `f64` it has the same floor; likewise those of 16 bits and an `f32`. What is left of the dividend is exact too.
//!
//! With 64 bits a quotient of floats is a little less than the true one after it is made smaller by one part in `2^50`, more
//! than its roundings. What is left is divided again, after which at most one divisor is left.

use super::convert::truncation;
use super::lower::{Held, Lowering};
use super::quotient::{Inverse, inverse_for_whole};
use super::rows;
use super::steps::{Class, Reg, Step};
use crate::exec::jit::support::{constant, power_of_two};
use crate::exec::stepping::Loop;
use crate::kernel::{Inst, InstOp, Value};
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

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

/// One part in `2^50` less than 1.
const LESS: f64 = 1.0 - 1.0 / (1u64 << 50) as f64;

/// What comparisons ask: less; not less.
const IS_LESS: u8 = 1;
const AT_LEAST: u8 = 5;

impl Lowering<'_> {
    /// A floor quotient or the remainder to it; 0 where the divisor is 0.
    pub(super) fn whole(&mut self, prim: Prim, dtype: DType, args: &[Held], divisor: Option<Value>) -> Option<Reg> {
        match float_for(dtype) {
            Some(float) => self.whole_as(float, prim, dtype, args, divisor),
            None => self.whole_of_eight(prim, dtype, args, divisor),
        }
    }

    /// The same of integers all quotients of which a float has.
    fn whole_as(
        &mut self,
        float: DType,
        prim: Prim,
        dtype: DType,
        args: &[Held],
        divisor: Option<Value>,
    ) -> Option<Reg> {
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
                let nonzero = self.nonzero(args[1].vector(), dtype);
                self.unary_where(cut, length, number, nonzero)
            }
        };
        Some(self.resize(words, true, 4, dtype.size()))
    }

    /// The same of integers of eight bytes.
    fn whole_of_eight(&mut self, prim: Prim, dtype: DType, args: &[Held], divisor: Option<Value>) -> Option<Reg> {
        let (a, b) = (args[0].vector(), args[1].vector());
        let signed = dtype.kind() == Kind::Signed;
        let known = known(self.code, divisor, DType::F64);
        // Towards zero, and never further from it than the quotient.
        let first = self.less_than_quotient(dtype, a, b, known)?;
        let rest = self.less_product(a, first, b);
        let second = self.less_than_quotient(dtype, rest, b, known)?;
        let rest = self.less_product(rest, second, b);
        let quotient = self.of_words(rows::ADD, first, second);

        // Perhaps the divisor, in the direction of the dividend, is left.
        let zero = self.constant(8, 0);
        let (one, minus_one) = (self.constant(8, 1), self.constant(8, u128::MAX));
        let (step, whole, size_left, size) = if signed {
            let apart = self.binary(rows::XOR, self.length(8), a, b);
            let opposite = self.ask(rows::CMP_SIGNED, apart, zero, IS_LESS);
            let negative = self.of_words(rows::SUB, zero, b);
            let [left, size] = [rest, b].map(|x| self.unary(rows::of(rows::ABS, 8), self.length(8), x, None));
            (self.blend(8, opposite, minus_one, one), self.blend(8, opposite, negative, b), left, size)
        } else {
            (one, b, rest, b)
        };
        let over = self.ask(rows::CMP_UNSIGNED, size_left, size, AT_LEAST);
        let (mut quotient, mut rest) =
            (self.where_so(rows::ADD, over, quotient, step), self.where_so(rows::SUB, over, rest, whole));
        if signed {
            // What is left has the divisor's sign.
            let apart = self.binary(rows::XOR, self.length(8), rest, b);
            let opposite = self.ask(rows::CMP_SIGNED, apart, zero, IS_LESS);
            let some = self.nonzero(rest, dtype);
            let below = self.masks(rows::KAND, Some(opposite), some);
            quotient = self.where_so(rows::ADD, below, quotient, minus_one);
            rest = self.where_so(rows::ADD, below, rest, b);
        }
        let result = if prim == Prim::FloorDiv { quotient } else { rest };
        Some(match known {
            Some(_) => result,
            None => {
                let nonzero = self.nonzero(b, dtype);
                self.unary_where(rows::of(rows::MOVE, 8), self.length(8), result, nonzero)
            }
        })
    }

    /// A whole number between 0 and the quotient of integers of eight bytes, next to it but for a few parts in `2^50`.
    fn less_than_quotient(&mut self, dtype: DType, a: Reg, b: Reg, known: Option<u128>) -> Option<Reg> {
        let (length, multiply) = (self.length(8), rows::float(rows::FMUL, 8));
        let x = self.convert(Held::Vector(a), dtype, DType::F64)?.vector();
        let less = match known {
            Some(bits) => {
                let inverse = self.constant(8, (LESS / f64::from_bits(bits as u64)).to_bits().into());
                self.binary(multiply, length, x, inverse)
            }
            None => {
                let y = self.convert(Held::Vector(b), dtype, DType::F64)?.vector();
                let ratio = self.binary(rows::float(rows::FDIV, 8), length, x, y);
                let less = self.constant(8, LESS.to_bits().into());
                self.binary(multiply, length, ratio, less)
            }
        };
        Some(self.unary(truncation(8, dtype), length, less, None))
    }

    /// `a - factor * b` of integers of eight bytes.
    fn less_product(&mut self, a: Reg, factor: Reg, b: Reg) -> Reg {
        let product = self.of_words(rows::MUL, factor, b);
        self.of_words(rows::SUB, a, product)
    }

    fn of_words(&mut self, rows: rows::Widths, a: Reg, b: Reg) -> Reg {
        self.binary(rows::of(rows, 8), self.length(8), a, b)
    }

    fn ask(&mut self, rows: rows::Widths, a: Reg, b: Reg, how: u8) -> Reg {
        self.test(rows::of(rows, 8), self.length(8), (a, b), Some(how))
    }

    /// `row(a, b)` of integers of eight bytes where a mask says so, else `a`.
    fn where_so(&mut self, rows: rows::Widths, mask: Reg, a: Reg, b: Reg) -> Reg {
        let row = rows::of(rows, 8);
        let step =
            Step { tied: Some(a), first: Some(a), mask: Some((mask, false)), ..self.blank(row, self.length(8), b) };
        self.step(Class::Vector, step)
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
