//! Conversions of integers to floats or back.
//!
//! The bits of a small integer below those of a power of two, large enough that its last place is 1, are a float that
//! is the sum of both: subtracting the power is exact.

use super::super::lower::Lowering;
use super::super::rows::{self, avx2};
use super::super::steps::{Instruction, Reg, RegClass};
use crate::exec::jit::lower::Bounds;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

/// `2^52`, whose last place is 1, and `2^84`, whose last place is `2^32`.
pub(super) const UNITS: f64 = (1u64 << 52) as f64;
const WORDS: f64 = UNITS * (1u64 << 32) as f64;
/// `2^32`.
const WORD: f64 = (1u64 << 32) as f64;
/// What a comparison of floats asks: whether the first is not less, whether it is at least the second, whether both are
/// numbers.
const NOT_LESS: u8 = 0x15;
const AT_LEAST: u8 = 0x1d;
const ORDERED: u8 = 7;
/// Rounding towards zero or down, without an exception.
const TRUNCATE: u8 = 3 | 8;
const FLOOR: u8 = 1 | 8;
/// Of lanes of four bytes, the second of each two.
const UPPER_WORDS: u8 = 0b1010_1010;

impl Lowering<'_> {
    fn double_constant(&mut self, value: f64) -> Reg {
        self.constant(8, value.to_bits().into())
    }

    fn single_constant(&mut self, value: f32) -> Reg {
        self.constant(4, value.to_bits().into())
    }

    /// `u32`, `u64` or `i64` as `f64`, rounded once.
    pub(in super::super) fn double_of(&mut self, x: Reg, from: DType) -> Reg {
        let length = self.length(8);
        let (add, subtract) = (rows::float(rows::FADD, 8), rows::float(rows::FSUB, 8));
        let units = self.double_constant(UNITS);
        if from == DType::U32 {
            let wide = self.resize(x, Kind::Unsigned, 4, 8);
            let sum = self.binary(rows::OR, length, wide, units);
            return self.binary(subtract, length, sum, units);
        }
        // The upper half with its sign bit turned over is that of a number more by 2^63.
        let signed = from == DType::I64;
        let upper = if signed { self.sign_turned(8, x) } else { x };
        let upper = self.shift_right(8, upper, 32);
        let words = self.double_constant(WORDS);
        let upper = self.binary(rows::OR, length, upper, words);
        // Exact: multiples of 2^32.
        let excess = self.double_constant(WORDS + UNITS + if signed { (1u64 << 63) as f64 } else { 0.0 });
        let upper = self.binary(subtract, length, upper, excess);
        let lower = self.words(x, units);
        self.binary(add, length, upper, lower)
    }

    /// `u64` or `i64` as `f32`, rounded once: what an `f64` has no room for becomes one bit, so that it is exact.
    pub(in super::super) fn single_of_quad(&mut self, x: Reg, from: DType) -> Reg {
        let length = self.length(8);
        let (and, zero) = (rows::AND, self.constant(8, 0));
        // Those below 2^53 in size are as they are; moved up by as much, if there are negative ones.
        let (moved, bits) = if from == DType::I64 {
            let limit = self.constant(8, 1 << 53);
            (self.binary(rows::of(rows::ADD, 8), length, x, limit), 54)
        } else {
            (x, 53)
        };
        let beyond = self.shift_right(8, moved, bits);
        let is_small = self.compare_integers(Prim::Eq, Kind::Unsigned, 8, [beyond, zero]);
        let [rest, upper, bit] = [0x7ff, !0x7ff, 0x800].map(|bits| self.constant(8, bits));
        let rest = self.binary(and, length, x, rest);
        let is_whole = self.compare_integers(Prim::Eq, Kind::Unsigned, 8, [rest, zero]);
        let bit = self.binary(avx2::AND_NOT, length, is_whole, bit);
        let upper = self.binary(and, length, x, upper);
        let rounded = self.binary(rows::OR, length, upper, bit);
        let exact = self.blend(8, is_small, x, rounded);
        let double = self.double_of(exact, from);
        self.unary(rows::F32_OF_F64, self.target.whole(), double, None)
    }

    /// `f64` as `u64` or `i64`: truncated, saturated, NaN is 0.
    pub(in super::super) fn quad_of(&mut self, x: Reg, signed: bool) -> Reg {
        let length = self.length(8);
        let least = self.double_constant(if signed { i64::MIN as f64 } else { 0.0 });
        let beyond =
            self.double_constant(if signed { 9_223_372_036_854_775_808.0 } else { 18_446_744_073_709_551_616.0 });
        let above = self.compare_floats(8, (x, beyond), AT_LEAST);
        // What is no number becomes the least one, the second operand.
        let bounded = self.binary(rows::float(rows::FMAX, 8), length, x, least);
        let quad = self.quad_within(bounded, signed);
        let greatest = self.constant(8, if signed { i64::MAX as u128 } else { u64::MAX.into() });
        let quad = self.blend(8, above, greatest, quad);
        if !signed {
            return quad;
        }
        let number = self.compare_floats(8, (x, x), ORDERED);
        self.kept(8, number, quad)
    }

    /// `f64` as `u64` or `i64`, truncated, where bounds say that the dtype has every truncated number.
    pub(in super::super) fn quad_between(&mut self, x: Reg, signed: bool, bounds: Bounds) -> Reg {
        if bounds.size() >= UNITS / 2.0 {
            return self.quad_within(x, signed);
        }
        let length = self.length(8);
        let whole = match bounds.is_whole {
            true => x,
            false => self.unary(rows::float(rows::ROUND, 8), length, x, Some(TRUNCATE)),
        };
        // The bits of a sum with a float whose last place is 1 are those of that float and the number.
        let units = self.double_constant(UNITS * 1.5);
        let sum = self.binary(rows::float(rows::FADD, 8), length, whole, units);
        self.binary(rows::of(rows::SUB, 8), length, sum, units)
    }

    /// `f64` as `u64` or `i64`, truncated, where the dtype has the truncated number. Of other numbers the result is
    /// anything.
    pub(in super::super) fn quad_within(&mut self, x: Reg, signed: bool) -> Reg {
        let length = self.length(8);
        let whole = self.unary(rows::float(rows::ROUND, 8), length, x, Some(TRUNCATE));
        // Words of 32 bits, each exact; the upper one has the sign.
        let [word, inverse] = [WORD, 1.0 / WORD].map(|value| self.double_constant(value));
        let upper = self.binary(rows::float(rows::FMUL, 8), length, whole, inverse);
        let upper = self.unary(rows::float(rows::ROUND, 8), length, upper, Some(FLOOR));
        let lower = self.ternary(rows::float(rows::FNMA213, 8), length, [upper, word, whole], None);
        // The bits above an integer are shifted out, or masked.
        let units = self.double_constant(UNITS);
        let offset = self.double_constant(UNITS + if signed { UNITS / 2.0 } else { 0.0 });
        let upper = self.binary(rows::float(rows::FADD, 8), length, upper, offset);
        let upper = self.shift_left(8, upper, 32);
        let lower = self.binary(rows::float(rows::FADD, 8), length, lower, units);
        self.words(lower, upper)
    }

    /// The lower halves of lanes of eight bytes, and the upper halves of others.
    fn words(&mut self, lower: Reg, upper: Reg) -> Reg {
        let blank = self.blank(avx2::BLEND_WORDS, self.length(8), upper);
        self.step(RegClass::Vector, Instruction { first: Some(lower), immediate: Some(UPPER_WORDS), ..blank })
    }

    /// `u32` as `f32`, rounded once.
    pub(in super::super) fn single_of_word(&mut self, x: Reg) -> Reg {
        let length = self.length(4);
        let (units, halves) = (self.single_constant(8_388_608.0), self.single_constant(549_755_813_888.0));
        let upper = self.shift_right(4, x, 16);
        let upper = self.binary(rows::OR, length, upper, halves);
        let excess = self.single_constant(549_755_813_888.0 + 8_388_608.0);
        let upper = self.binary(rows::float(rows::FSUB, 4), length, upper, excess);
        let mask = self.constant(4, 0xffff);
        let lower = self.binary(rows::AND, length, x, mask);
        let lower = self.binary(rows::OR, length, lower, units);
        self.binary(rows::float(rows::FADD, 4), length, upper, lower)
    }

    /// Floats that are not negative as `u32`: truncated, and saturated.
    pub(in super::super) fn word_of(&mut self, bytes: usize, x: Reg) -> Reg {
        let length = self.length(bytes);
        if bytes == 8 {
            let greatest = self.double_constant(f64::from(u32::MAX));
            let least = self.binary(rows::float(rows::FMIN, 8), length, x, greatest);
            let whole = self.unary(rows::float(rows::ROUND, 8), length, least, Some(TRUNCATE));
            return self.word_of_whole(whole);
        }
        // What does not fit a signed integer is the least of them; then the rest above it is added.
        let small = self.unary(rows::I32_OF_F32, length, x, None);
        let half = self.single_constant(2_147_483_648.0);
        let rest = self.binary(rows::float(rows::FSUB, 4), length, x, half);
        let rest = self.unary(rows::I32_OF_F32, length, rest, None);
        let beyond = self.shift_right_signed(4, small, 31);
        let rest = self.binary(rows::AND, length, rest, beyond);
        let word = self.binary(rows::OR, length, small, rest);
        let limit = self.single_constant(4_294_967_296.0);
        let above = self.compare_floats(4, (x, limit), NOT_LESS);
        self.binary(rows::OR, length, word, above)
    }

    /// Whole `f64` from 0 below `2^32` as `u32`.
    pub(in super::super) fn word_of_whole(&mut self, x: Reg) -> Reg {
        let units = self.double_constant(UNITS);
        let sum = self.binary(rows::float(rows::FADD, 8), self.length(8), x, units);
        self.resize(sum, Kind::Unsigned, 8, 4)
    }
}
