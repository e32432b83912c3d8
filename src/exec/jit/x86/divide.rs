//! Quotients of integers by way of floats, with their remainders.
//!
//! A quotient of integers of 32 bits that is not whole is at least one part in `2^32` away from a whole number. So
//! rounded to an `f64` it has the same floor; likewise those of 16 bits and an `f32`. What is left of the dividend is
//! exact too.
//!
//! With 64 bits a quotient of floats is a little less than the true one after it is made smaller by one part in `2^50`,
//! more than its roundings. What is left is divided again, after which at most one divisor is left.

use super::convert::truncation;
use super::lanes::float_for;
use super::lower::{ChunkValue, Lowering};
use super::masks::Logic;
use super::quotient::{Inverse, inverse_for_whole};
use super::rows;
use super::steps::Reg;
use crate::exec::jit::lower::{VectorBody, Virtual};
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

/// A constant divisor, other than 0, as the bits of a float.
fn known(source: &VectorBody, divisor: Option<Virtual>, float: DType) -> Option<u128> {
    let bits = source.constant(divisor).filter(|bits| *bits != 0)?;
    let divisor = Scalar { dtype: source.dtype(divisor?), bits };
    Some(eval(Prim::Convert, float, &[divisor]).bits)
}

/// One part in `2^50` less than 1.
pub(super) const LESS: f64 = 1.0 - 1.0 / (1u64 << 50) as f64;

impl Lowering<'_> {
    /// A floor quotient or the remainder to it; 0 where the divisor is 0.
    pub(super) fn whole(
        &mut self,
        prim: Prim,
        dtype: DType,
        args: &[ChunkValue],
        divisor: Option<Virtual>,
    ) -> Option<Reg> {
        match float_for(dtype) {
            Some(float) => self.whole_as(float, prim, dtype, args, divisor),
            None => self.whole_of_eight(prim, dtype, args, divisor),
        }
    }

    /// A floor quotient or the remainder to it, of integers all quotients of which the dtype `float` has.
    fn whole_as(
        &mut self,
        float: DType,
        prim: Prim,
        dtype: DType,
        args: &[ChunkValue],
        divisor: Option<Virtual>,
    ) -> Option<Reg> {
        let (bytes, length) = (float.size(), self.length(float.size()));
        let [x, y] = [args[0], args[1]].map(|held| self.convert(held, dtype, float));
        let (x, y) = (x?.vector(), y?.vector());
        let known = known(self.source, divisor, float);
        let ratio = match known.and_then(|bits| inverse_for_whole(float, bits)) {
            Some(inverse) => self.products(float, x, inverse),
            None => self.binary(rows::float(rows::FDIV, bytes), length, x, y),
        };
        let floor = self.unary(rows::float(rows::ROUND, bytes), length, ratio, Some(1 | 8));
        let number = if prim == Prim::FloorDiv {
            floor
        } else {
            self.ternary(rows::float(rows::FNMA213, bytes), length, [floor, y, x], None)
        };
        let cut = truncation(bytes, if dtype == DType::U32 { dtype } else { DType::I32 });
        // Quotients by 0 are not between 0 and the greatest integer, but nobody keeps them.
        let by_word = dtype == DType::U32 && !self.target.has_masks();
        let words = match known {
            Some(_) if by_word => self.word_of_whole(number),
            Some(_) => self.unary(cut, length, number, None),
            None => {
                let nonzero = self.nonzero(args[1].vector(), dtype);
                match by_word {
                    true => {
                        let word = self.word_of_whole(number);
                        self.kept(4, nonzero, word)
                    }
                    false => self.unary_where(cut, length, 4, number, nonzero),
                }
            }
        };
        Some(self.resize(words, Kind::Signed, 4, dtype.size()))
    }

    /// A floor quotient or the remainder to it, of integers of eight bytes.
    fn whole_of_eight(
        &mut self,
        prim: Prim,
        dtype: DType,
        args: &[ChunkValue],
        divisor: Option<Virtual>,
    ) -> Option<Reg> {
        let (a, b) = (args[0].vector(), args[1].vector());
        let signed = dtype.kind() == Kind::Signed;
        if !self.target.has_masks() {
            let constant = self.source.constant(divisor).map(|bits| bits as u64);
            let found = self.divide_quads(prim, signed, [a, b], constant);
            if found.is_some() {
                return found;
            }
        }
        let known = known(self.source, divisor, DType::F64);
        // Towards zero, and never further from it than the quotient.
        let first = self.less_than_quotient(dtype, a, b, known)?;
        let rest = self.less_product(dtype, a, first, b)?;
        let second = self.less_than_quotient(dtype, rest, b, known)?;
        let rest = self.less_product(dtype, rest, second, b)?;
        let quotient = self.of_integers(Prim::Add, dtype, first, second)?;

        // Perhaps the divisor, in the direction of the dividend, is left.
        let [one, minus_one] = [1, u128::MAX].map(|bits| self.constant(8, bits));
        let (step, whole, size_left, size) = if signed {
            let opposite = self.opposite(dtype, a, b);
            let negative = self.integer(Prim::Neg, dtype, &[args[1]])?.vector();
            let [left, size] = [rest, b].map(|x| self.integer(Prim::Abs, dtype, &[ChunkValue::Vector(x)]));
            let (step, whole) = (self.blend(8, opposite, minus_one, one), self.blend(8, opposite, negative, b));
            (step, whole, left?.vector(), size?.vector())
        } else {
            (one, b, rest, b)
        };
        // As sizes: the least integer has one that is positive.
        let over = self.compare(Prim::Le, DType::U64, &[ChunkValue::Vector(size), ChunkValue::Vector(size_left)]);
        let add = rows::of(rows::ADD, 8);
        let mut quotient = self.binary_where(add, 8, over, quotient, [quotient, step]);
        let mut rest = self.binary_where(rows::of(rows::SUB, 8), 8, over, rest, [rest, whole]);
        if signed {
            // What is left has the divisor's sign.
            let (opposite, some) = (self.opposite(dtype, rest, b), self.nonzero(rest, dtype));
            let below = self.logic(Logic::And, opposite, some);
            quotient = self.binary_where(add, 8, below, quotient, [quotient, minus_one]);
            rest = self.binary_where(add, 8, below, rest, [rest, b]);
        }
        let result = if prim == Prim::FloorDiv { quotient } else { rest };
        Some(match known {
            Some(_) => result,
            None => {
                let nonzero = self.nonzero(b, dtype);
                self.kept(8, nonzero, result)
            }
        })
    }

    /// A whole number between 0 and the quotient of integers of eight bytes, next to it but for a few parts in `2^50`.
    fn less_than_quotient(&mut self, dtype: DType, a: Reg, b: Reg, known: Option<u128>) -> Option<Reg> {
        let (length, multiply) = (self.length(8), rows::float(rows::FMUL, 8));
        let x = self.convert(ChunkValue::Vector(a), dtype, DType::F64)?.vector();
        let less = match known {
            Some(bits) => {
                let inverse = self.constant(8, (LESS / f64::from_bits(bits as u64)).to_bits().into());
                self.binary(multiply, length, x, inverse)
            }
            None => {
                let y = self.convert(ChunkValue::Vector(b), dtype, DType::F64)?.vector();
                let ratio = self.binary(rows::float(rows::FDIV, 8), length, x, y);
                let less = self.constant(8, LESS.to_bits().into());
                self.binary(multiply, length, ratio, less)
            }
        };
        Some(match self.target.has_masks() {
            true => self.unary(truncation(8, dtype), length, less, None),
            // Of quotients by 0 nobody keeps what becomes.
            false => self.quad_within(less, dtype.kind() == Kind::Signed),
        })
    }

    /// `a - factor * b`
    fn less_product(&mut self, dtype: DType, a: Reg, factor: Reg, b: Reg) -> Option<Reg> {
        let product = self.of_integers(Prim::Mul, dtype, factor, b)?;
        self.of_integers(Prim::Sub, dtype, a, product)
    }

    fn of_integers(&mut self, prim: Prim, dtype: DType, a: Reg, b: Reg) -> Option<Reg> {
        Some(self.integer(prim, dtype, &[ChunkValue::Vector(a), ChunkValue::Vector(b)])?.vector())
    }

    /// Where signs differ.
    fn opposite(&mut self, dtype: DType, a: Reg, b: Reg) -> Reg {
        let apart = self.binary(rows::XOR, self.length(dtype.size()), a, b);
        let zero = self.constant(dtype.size(), 0);
        self.compare(Prim::Lt, dtype, &[ChunkValue::Vector(apart), ChunkValue::Vector(zero)])
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
