//! Conversions between integers and floats.
//!
//! The bits of a small integer below those of a power of two, large enough that its last place is 1, are a float that is
//! the sum of both: subtracting the power is exact.

use super::super::lower::Lowering;
use super::super::rows;
use super::super::steps::Reg;
use crate::scalar::prim::Prim;
use crate::types::DType;

/// `2^52`, whose last place is 1, and `2^84`, whose last place is `2^32`.
const UNITS: f64 = (1u64 << 52) as f64;
const WORDS: f64 = UNITS * (1u64 << 32) as f64;
/// What a comparison of floats asks: whether the first is not less.
const NOT_LESS: u8 = 0x15;
/// Rounding towards zero, without an exception.
const TRUNCATE: u8 = 3 | 8;

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
            let wide = self.resize(x, false, 4, 8);
            let sum = self.binary(rows::OR, length, wide, units);
            return self.binary(subtract, length, sum, units);
        }
        // The upper half with its sign bit turned over is that of a number more by 2^63.
        let signed = from == DType::I64;
        let upper = if signed { self.sign_turned(8, x) } else { x };
        let upper = self.shift(8, Prim::Shr, false, upper, 32);
        let words = self.double_constant(WORDS);
        let upper = self.binary(rows::OR, length, upper, words);
        // Exact: multiples of 2^32.
        let excess = self.double_constant(WORDS + UNITS + if signed { (1u64 << 63) as f64 } else { 0.0 });
        let upper = self.binary(subtract, length, upper, excess);
        let half = self.constant(8, 0xffff_ffff);
        let lower = self.binary(rows::AND, length, x, half);
        let lower = self.binary(rows::OR, length, lower, units);
        self.binary(add, length, upper, lower)
    }

    /// `u32` as `f32`, rounded once.
    pub(in super::super) fn single_of_word(&mut self, x: Reg) -> Reg {
        let length = self.length(4);
        let (units, halves) = (self.single_constant(8_388_608.0), self.single_constant(549_755_813_888.0));
        let upper = self.shift(4, Prim::Shr, false, x, 16);
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
        let beyond = self.shift(4, Prim::Shr, true, small, 31);
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
        self.resize(sum, false, 8, 4)
    }
}
