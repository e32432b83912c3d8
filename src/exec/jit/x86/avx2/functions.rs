//! The steps of functions of floats on AVX2: parts of floats, powers of two, tables.
//!
//! What AVX-512 has instructions for is arithmetic on the bits here, step for step as
//! [`Lanes`](crate::scalar::math::lanes::Lanes) defines it for one number.

use super::super::lower::{ChunkValue, Lowering};
use super::super::rows::{self, avx2};
use super::super::steps::{PreloadedValue, Reg};
use crate::exec::jit::lower::{VectorOp, float_bits};
use crate::scalar::math::lanes::Shift;
use crate::types::DType;

/// What comparisons ask: equal; less; at most; not less.
const EQUAL: u8 = 0;
const LESS: u8 = 0x11;
const NOT_LESS: u8 = 0x15;

/// A format's numbers that sequences need, as bits.
struct FloatFormat {
    bytes: usize,
    /// Bits of the fraction.
    fraction: u8,
    one: u128,
    /// The number that leaves an integer in the last bits when it is added.
    whole: u128,
    /// 100: a larger exponent is cut to it.
    max_scale_down: u128,
    infinity: u128,
    nan: u128,
    least_normal: u128,
    /// 3/4.
    three_quarters: u128,
    /// The distance from the bits of 3/4 to the bits of 1.
    quarter: u128,
    /// Two to the number of bits of the fraction: its last place is 1.
    units: u128,
    /// `units + bias`, and `units + bias + fraction`.
    biased: [u128; 2],
}

impl FloatFormat {
    /// The numbers of `f32`, or those of `f64`.
    const fn new(is_single: bool) -> FloatFormat {
        let (digits, bias, least_normal, whole, nan) = if is_single {
            let (least, whole) = (f32::MIN_POSITIVE as f64, <f32 as Shift>::WHOLE as f64);
            (f32::MANTISSA_DIGITS, 127.0, least, whole, (-f32::NAN).to_bits() as u128)
        } else {
            (f64::MANTISSA_DIGITS, 1023.0, f64::MIN_POSITIVE, <f64 as Shift>::WHOLE, (-f64::NAN).to_bits() as u128)
        };
        let fraction = digits - 1;
        let units = (1u64 << fraction) as f64;
        let (one, three_quarters) = (float_bits(1.0, is_single), float_bits(0.75, is_single));
        FloatFormat {
            bytes: if is_single { 4 } else { 8 },
            fraction: fraction as u8,
            one,
            whole: float_bits(whole, is_single),
            max_scale_down: float_bits(100.0, is_single),
            infinity: float_bits(f64::INFINITY, is_single),
            nan,
            least_normal: float_bits(least_normal, is_single),
            three_quarters,
            quarter: one - three_quarters,
            units: float_bits(units, is_single),
            biased: [float_bits(units + bias, is_single), float_bits(units + bias + fraction as f64, is_single)],
        }
    }
}

const SINGLE: FloatFormat = FloatFormat::new(true);
const DOUBLE: FloatFormat = FloatFormat::new(false);

impl Lowering<'_> {
    /// An operation that AVX2 has no instruction for; `None` where it has one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "AVX2 has an instruction for every other operation")]
    pub(in super::super) fn by_bits(&mut self, op: VectorOp, dtype: DType, args: &[ChunkValue]) -> Option<Reg> {
        let format = if dtype == DType::F64 { &DOUBLE } else { &SINGLE };
        let vector = |index: usize| args[index].vector();
        Some(match op {
            VectorOp::Exponent { normal } => self.exponent(format, vector(0), normal),
            VectorOp::Mantissa { normal } => self.mantissa(format, vector(0), normal),
            VectorOp::Scale { below, normal: true } => self.raise(format, vector(0), vector(2), below),
            VectorOp::Scale { below, normal: false } => self.scale(format, vector(0), vector(2), below),
            VectorOp::ScaleDown => self.lowered(format, vector(0), vector(1)),
            VectorOp::Logarithm => self.logarithm(format, vector(0), vector(1)),
            _ => return None,
        })
    }

    fn bits(&mut self, format: &FloatFormat, bits: u128) -> Reg {
        self.constant(format.bytes, bits)
    }

    /// A mask of the subnormal numbers among positive ones, and all numbers with the subnormal ones multiplied until
    /// they are normal.
    fn normal(&mut self, format: &FloatFormat, x: Reg) -> (Reg, Reg) {
        let bytes = format.bytes;
        let (least, units) = (self.bits(format, format.least_normal), self.bits(format, format.units));
        let subnormal = self.compare_floats(bytes, (x, least), LESS);
        let larger = self.binary(rows::float(rows::FMUL, bytes), self.length(bytes), x, units);
        (subnormal, self.blend(bytes, subnormal, larger, x))
    }

    /// The bits of a normal number moved so that an exponent begins at 3/4 of a power of two.
    fn moved(&mut self, format: &FloatFormat, x: Reg) -> Reg {
        let quarter = self.bits(format, format.quarter);
        self.binary(rows::of(rows::ADD, format.bytes), self.length(format.bytes), x, quarter)
    }

    fn exponent(&mut self, format: &FloatFormat, x: Reg, normal: bool) -> Reg {
        let (bytes, length) = (format.bytes, self.length(format.bytes));
        let [least, larger] = format.biased.map(|bits| self.bits(format, bits));
        let (x, bias) = match normal {
            true => (x, least),
            false => {
                let (subnormal, x) = self.normal(format, x);
                (x, self.blend(bytes, subnormal, larger, least))
            }
        };
        let moved = self.moved(format, x);
        let exponent = self.shift_right(bytes, moved, format.fraction);
        let units = self.bits(format, format.units);
        let number = self.binary(rows::OR, length, exponent, units);
        self.binary(rows::float(rows::FSUB, bytes), length, number, bias)
    }

    fn mantissa(&mut self, format: &FloatFormat, x: Reg, normal: bool) -> Reg {
        let (bytes, length) = (format.bytes, self.length(format.bytes));
        let x = if normal { x } else { self.normal(format, x).1 };
        let moved = self.moved(format, x);
        let mask = self.bits(format, (1 << format.fraction) - 1);
        let fraction = self.binary(rows::AND, length, moved, mask);
        let three_quarters = self.bits(format, format.three_quarters);
        self.binary(rows::of(rows::ADD, bytes), length, fraction, three_quarters)
    }

    /// The integer before the last `below` digits of `bits`, where a float has its exponent.
    fn as_exponent(&mut self, format: &FloatFormat, bits: Reg, below: u8) -> Reg {
        let exponent = self.shift_left(format.bytes, bits, format.fraction - below);
        if below == 0 {
            return exponent;
        }
        let exponents = self.bits(format, u128::MAX << format.fraction);
        self.binary(rows::AND, self.length(format.bytes), exponent, exponents)
    }

    /// By two powers of two, whose biased exponents are the halves of a sum.
    fn scale(&mut self, format: &FloatFormat, x: Reg, bits: Reg, below: u8) -> Reg {
        let (bytes, length) = (format.bytes, self.length(format.bytes));
        let multiply = rows::float(rows::FMUL, bytes);
        let half = self.shift_left(bytes, bits, format.fraction - 1 - below);
        let exponents = self.bits(format, format.infinity);
        let half = self.binary(rows::AND, length, half, exponents);
        let whole = self.as_exponent(format, bits, below);
        let other = self.binary(rows::of(rows::SUB, bytes), length, whole, half);
        let product = self.binary(multiply, length, x, half);
        self.binary(multiply, length, product, other)
    }

    /// What is normal before and after has its exponent moved.
    fn raise(&mut self, format: &FloatFormat, x: Reg, bits: Reg, below: u8) -> Reg {
        let exponent = self.as_exponent(format, bits, below);
        self.binary(rows::of(rows::ADD, format.bytes), self.length(format.bytes), x, exponent)
    }

    /// By a power of two whose negated exponent is a number.
    fn lowered(&mut self, format: &FloatFormat, x: Reg, k: Reg) -> Reg {
        let (bytes, length) = (format.bytes, self.length(format.bytes));
        let [max_scale_down, whole, one] =
            [format.max_scale_down, format.whole, format.one].map(|bits| self.bits(format, bits));
        let k = self.binary(rows::float(rows::FMIN, bytes), length, max_scale_down, k);
        let shifted = self.binary(rows::float(rows::FSUB, bytes), length, whole, k);
        let power = self.raise(format, one, shifted, 0);
        self.binary(rows::float(rows::FMUL, bytes), length, x, power)
    }

    /// What is no positive finite number has another logarithm than was computed.
    fn logarithm(&mut self, format: &FloatFormat, value: Reg, of: Reg) -> Reg {
        let bytes = format.bytes;
        let [infinity, zero, nan] = [format.infinity, 0, format.nan].map(|bits| self.bits(format, bits));
        let beyond = self.compare_floats(bytes, (of, infinity), NOT_LESS);
        let value = self.blend(bytes, beyond, of, value);
        // A choice looks at the sign, which numbers have where masks do.
        let value = self.blend(bytes, of, nan, value);
        let lowest = self.bits(format, format.infinity | 1 << (8 * bytes - 1));
        let is_zero = self.compare_floats(bytes, (of, zero), EQUAL);
        self.blend(bytes, is_zero, lowest, value)
    }

    /// Elements of a table by the last bits of numbers: of each vector of the table, then of one among these.
    pub(in super::super) fn look_up_parts(&mut self, bytes: usize, index: Reg, table: &[u64]) -> Option<Reg> {
        let whole = self.target.whole();
        let within = match bytes {
            4 => index,
            _ => self.pairs(index),
        };
        let lanes = self.target.bytes() / bytes;
        let parts: Vec<Reg> = table.chunks(lanes).map(|part| self.table(bytes, part)).collect();
        let mut picked: Vec<Reg> =
            parts.into_iter().map(|part| self.binary(rows::PERMUTE[0], whole, within, part)).collect();
        // A choice looks at the sign, where one bit after the other comes.
        let mut bit = lanes.trailing_zeros() as usize;
        while picked.len() > 1 {
            let place = self.shift_left(bytes, index, (8 * bytes - 1 - bit) as u8);
            picked = picked.chunks(2).map(|pair| self.blend(bytes, place, pair[1], pair[0])).collect();
            bit += 1;
        }
        picked.pop()
    }

    /// The numbers of the two halves of each lane of eight bytes, by its number.
    fn pairs(&mut self, index: Reg) -> Reg {
        let whole = self.target.whole();
        let twice = self.unary(avx2::SHUFFLE_WORDS, whole, index, Some(0b10_10_00_00));
        let even = self.binary(rows::of(rows::ADD, 4), whole, twice, twice);
        let odd_lanes = self.lanes(4, |lane| lane & 1);
        self.binary(rows::OR, whole, even, odd_lanes)
    }

    /// A vector of a table.
    fn table(&mut self, bytes: usize, part: &[u64]) -> Reg {
        let mut vector = [0; 64];
        for (lane, bits) in vector.chunks_exact_mut(bytes).zip(part) {
            lane.copy_from_slice(&bits.to_le_bytes()[..bytes]);
        }
        self.preload(PreloadedValue::Constant(vector))
    }
}
