//! Quotients of 64-bit integers, with their remainders.
//!
//! By a constant they are the upper half of a product. By others they come from an inverse in `f64`, in two parts of
//! about 32 bits each: what is left of the dividend after the first is divided again, and at most one divisor is left
//! then.
//!
//! Both count from zero up. A quotient below zero, which is rounded down, is `-1 - q` where `q` is that of the
//! dividend's size less 1, rounded to zero.

use super::super::divide::LESS;
use super::super::lower::Lowering;
use super::super::rows::{self, avx2};
use super::super::steps::Reg;
use super::convert::UNITS;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

/// The place of the first part's last bit: a quotient of numbers up to `2^63` leaves 32 bits above it.
const FIRST: u8 = 31;
/// Rounding down, without an exception.
const FLOOR: u8 = 1 | 8;

impl Lowering<'_> {
    /// A floor quotient or the remainder to it, 0 where the divisor is 0; `None` where floats alone do as well. A
    /// constant divisor is no power of two.
    pub(in super::super) fn divide_quads(
        &mut self,
        prim: Prim,
        signed: bool,
        [a, b]: [Reg; 2],
        constant: Option<u64>,
    ) -> Option<Reg> {
        match constant.filter(|&divisor| divisor != 0 && !(signed && divisor >> 63 != 0)) {
            Some(divisor) => {
                let quotient = self.quads_by_constant(signed, a, divisor);
                if prim == Prim::FloorDiv {
                    return Some(quotient);
                }
                let product = self.multiply_quads(quotient, b);
                Some(self.less(a, product))
            }
            None => signed.then(|| self.signed_quads(prim, a, b)),
        }
    }

    /// The quotient by a number above 2 that is no power of two. (After Granlund and Montgomery, *Division by invariant
    /// integers using multiplication*, 1994.)
    fn quads_by_constant(&mut self, signed: bool, x: Reg, divisor: u64) -> Reg {
        // Of the power of two above the divisor.
        let places = 64 - divisor.leading_zeros();
        let shift = (places - 1) as u8;
        let divisor = u128::from(divisor);
        if signed {
            // Numbers of 63 bits, for which the multiplier has 64.
            let negative = self.negative_quads(x);
            let size = self.binary(rows::XOR, self.length(8), x, negative);
            let product = self.upper_product(size, (1 << (63 + places)) / divisor + 1);
            let quotient = self.shift_right(8, product, shift);
            return self.binary(rows::XOR, self.length(8), quotient, negative);
        }
        // The multiplier has a bit more than this one, for which the number itself is added.
        let product = self.upper_product(x, (((1 << places) - divisor) << 64) / divisor + 1);
        let rest = self.less(x, product);
        let half = self.shift_right(8, rest, 1);
        let sum = self.more(half, product);
        self.shift_right(8, sum, shift)
    }

    /// The upper 64 bits of a product with a constant of 64 bits.
    fn upper_product(&mut self, x: Reg, constant: u128) -> Reg {
        const WORD: u128 = 0xffff_ffff;
        let upper_of = |lowering: &mut Self, x| lowering.shift_right(8, x, 32);
        let [low, high] = [constant & WORD, constant >> 32].map(|half| self.constant(8, half));
        let upper = upper_of(self, x);
        let [lowest, first, second, highest] =
            [(x, low), (upper, low), (x, high), (upper, high)].map(|(x, half)| self.half_product(x, half));
        // No sum is beyond 64 bits: a product of halves leaves room for two of them.
        let carried = upper_of(self, lowest);
        let first = self.more(first, carried);
        let word = self.constant(8, WORD);
        let word = self.binary(rows::AND, self.length(8), first, word);
        let second = self.more(second, word);
        let [first, second] = [first, second].map(|sum| upper_of(self, sum));
        let sum = self.more(highest, first);
        self.more(sum, second)
    }

    fn signed_quads(&mut self, prim: Prim, a: Reg, b: Reg) -> Reg {
        let length = self.length(8);
        let zero = self.constant(8, 0);
        let [negative, negative_divisor] = [a, b].map(|x| self.negative_quads(x));
        let opposite = self.binary(rows::XOR, length, negative, negative_divisor);
        let none = self.binary(rows::of(avx2::EQUAL, 8), length, a, zero);
        // Where the quotient is below zero; the size is less by 1 there.
        let opposite = self.binary(avx2::AND_NOT, length, none, opposite);
        let turned = self.binary(rows::XOR, length, b, negative_divisor);
        let divisor = self.less(turned, negative_divisor);
        let turned = self.binary(rows::XOR, length, a, negative);
        let more = self.less(opposite, negative);
        let size = self.more(turned, more);

        // Each part is a number between 0 and its quotient. A first part other than 0 leaves no bits to the upper half
        // of the divisor.
        let float = self.double_of(divisor, DType::U64);
        let less = self.constant(8, LESS.to_bits().into());
        let inverse = self.binary(rows::float(rows::FDIV, 8), length, less, float);
        let scale = self.constant(8, (1.0 / (1u64 << FIRST) as f64).to_bits().into());
        let scaled = self.binary(rows::float(rows::FMUL, 8), length, inverse, scale);
        let first = self.part_of_quotient(size, scaled);
        let product = self.half_product(first, divisor);
        let product = self.shift_left(8, product, FIRST);
        let rest = self.less(size, product);
        let second = self.part_of_quotient(rest, inverse);
        let upper = self.shift_right(8, divisor, 32);
        let [low, high] = [divisor, upper].map(|half| self.half_product(second, half));
        let high = self.shift_left(8, high, 32);
        let product = self.more(low, high);
        let rest = self.less(rest, product);

        // Below zero unless a divisor is left.
        let beyond = self.less(rest, divisor);
        let result = if prim == Prim::FloorDiv {
            let first = self.shift_left(8, first, FIRST);
            let sum = self.more(first, second);
            // The bits above the second part are those of a power of two.
            let above = self.constant(8, u128::from(UNITS.to_bits() - 1));
            let sum = self.less(sum, above);
            let below = self.negative_quads(beyond);
            let quotient = self.more(sum, below);
            self.binary(rows::XOR, length, quotient, opposite)
        } else {
            let rest = self.blend(8, beyond, rest, beyond);
            let turned = self.binary(rows::XOR, length, rest, opposite);
            let back = self.binary(rows::AND, length, opposite, divisor);
            let rest = self.more(turned, back);
            let turned = self.binary(rows::XOR, length, rest, negative_divisor);
            self.less(turned, negative_divisor)
        };
        let by_zero = self.binary(rows::of(avx2::EQUAL, 8), length, b, zero);
        self.binary(avx2::AND_NOT, length, by_zero, result)
    }

    /// The whole part of the product of an integer and a float, below bits of a power of two: as the low half of a
    /// lane.
    fn part_of_quotient(&mut self, x: Reg, inverse: Reg) -> Reg {
        let length = self.length(8);
        let x = self.double_of(x, DType::U64);
        let product = self.binary(rows::float(rows::FMUL, 8), length, x, inverse);
        let whole = self.unary(rows::float(rows::ROUND, 8), length, product, Some(FLOOR));
        let units = self.constant(8, UNITS.to_bits().into());
        self.binary(rows::float(rows::FADD, 8), length, whole, units)
    }

    /// All ones where an integer is below zero.
    fn negative_quads(&mut self, x: Reg) -> Reg {
        let zero = self.constant(8, 0);
        self.compare_integers(Prim::Lt, Kind::Signed, 8, [x, zero])
    }

    fn half_product(&mut self, a: Reg, b: Reg) -> Reg {
        self.binary(avx2::MULTIPLY_LOW, self.length(8), a, b)
    }

    fn more(&mut self, a: Reg, b: Reg) -> Reg {
        self.binary(rows::of(rows::ADD, 8), self.length(8), a, b)
    }

    fn less(&mut self, a: Reg, b: Reg) -> Reg {
        self.binary(rows::of(rows::SUB, 8), self.length(8), a, b)
    }
}
