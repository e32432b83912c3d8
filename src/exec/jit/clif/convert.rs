//! Conversions as instructions.

use super::ClifWriter;
use super::bundle::{Bundle, Lane};
use crate::scalar::Scalar;
use crate::types::{DType, Kind};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// The high half of a register, as the low half.
const HIGH: [u8; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
/// The low halves of two registers.
const LOWS: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

impl ClifWriter<'_, '_> {
    /// The elements in another dtype.
    pub(super) fn convert(&mut self, a: &Bundle, from: DType, to: DType) -> Bundle {
        use DType::{Bf16, Bool, F16, F32, F64};
        match (from, to) {
            (from, to) if from == to => a.clone(),
            (Bool, to) => self.choose_one(a, Lane::of(to), Scalar::one(to).bits),
            (from, Bool) => self.bool_of(a, from),
            (from, to) if from.is_small_float() => {
                let single = self.single(a, from);
                self.convert(&single, F32, to)
            }
            (F32, Bf16) => self.narrow_bf16(a),
            (F32, F16) => self.narrow_f16(a),
            (from, to) if to.is_small_float() => {
                let single = self.convert(a, from, F32);
                self.convert(&single, F32, to)
            }
            (F32, F64) => self.promote(a),
            (F64, F32) => self.demote(a),
            (from, F32) => self.f32_of(a, from),
            (from, F64) => self.f64_of(a, from),
            (F32, to) => self.integer_of_f32(a, to),
            (from, to) => self.resize(a, from.kind(), to.size()),
        }
    }

    /// Whether elements are not 0; NaN is not.
    fn bool_of(&mut self, a: &Bundle, from: DType) -> Bundle {
        if matches!(from, DType::F32 | DType::F64) {
            let zero = self.constant(a.lane, 0);
            let lane = Lane::mask(a.lane.bytes);
            return self.zip(lane, a, &zero, |e, a, zero| e.b.ins().fcmp(FloatCC::NotEqual, a, zero));
        }
        if from.is_small_float() {
            let magnitude = self.constant(a.lane, 0x7fff);
            let magnitude = self.zip(a.lane, a, &magnitude, |e, a, mask| e.b.ins().band(a, mask));
            return self.nonzero(&magnitude);
        }
        self.nonzero(a)
    }

    /// Integers of at most 32 bits.
    fn f32_of(&mut self, a: &Bundle, from: DType) -> Bundle {
        let wide = self.resize(a, from.kind(), 4);
        let lane = Lane::of(DType::F32);
        let ty = lane.vector();
        self.map(lane, &wide, |e, a| {
            let ins = e.b.ins();
            if from == DType::U32 { ins.fcvt_from_uint(ty, a) } else { ins.fcvt_from_sint(ty, a) }
        })
    }

    /// Integers.
    fn f64_of(&mut self, a: &Bundle, from: DType) -> Bundle {
        let lane = Lane::of(DType::F64);
        let ty = lane.vector();
        let unsigned = matches!(from, DType::U32 | DType::U64);
        if from.size() == 8 {
            let wide = self.resize(a, from.kind(), from.size().max(4));
            return self.map(lane, &wide, |e, a| match unsigned {
                true => e.b.ins().fcvt_from_uint(ty, a),
                false => e.b.ins().fcvt_from_sint(ty, a),
            });
        }
        let wide = self.resize(a, from.kind(), 4);
        self.widened(&wide, lane, |e, half| match unsigned {
            true => {
                let half = e.b.ins().uwiden_low(half);
                e.b.ins().fcvt_from_uint(ty, half)
            }
            false => {
                let half = e.b.ins().swiden_low(half);
                e.b.ins().fcvt_from_sint(ty, half)
            }
        })
    }

    /// Lanes of twice the width, each register from the low half of one.
    fn widened(&mut self, a: &Bundle, lane: Lane, mut f: impl FnMut(&mut Self, Value) -> Value) -> Bundle {
        let ty = a.lane.vector();
        let regs = (0..self.count(lane)).map(|k| {
            let whole = a.regs[k / 2];
            let half = if k % 2 == 0 { whole } else { self.shuffle(ty, whole, whole, HIGH) };
            f(self, half)
        });
        Bundle { lane, regs: regs.collect() }
    }

    fn promote(&mut self, a: &Bundle) -> Bundle {
        let lane = Lane::of(DType::F64);
        self.widened(a, lane, |e, half| e.b.ins().fvpromote_low(half))
    }

    fn demote(&mut self, a: &Bundle) -> Bundle {
        let lane = Lane::of(DType::F32);
        let regs = (0..self.count(lane)).map(|k| {
            let low = self.b.ins().fvdemote(a.regs[2 * k]);
            match a.regs.get(2 * k + 1) {
                Some(&high) => {
                    let high = self.b.ins().fvdemote(high);
                    self.shuffle(types::F32X4, low, high, LOWS)
                }
                None => low,
            }
        });
        Bundle { lane, regs: regs.collect() }
    }

    /// To integers of at most 32 bits: truncated, saturated, NaN is 0.
    fn integer_of_f32(&mut self, a: &Bundle, to: DType) -> Bundle {
        let lane = Lane::integer(4);
        let ty = lane.vector();
        let words = self.map(lane, a, |e, a| {
            let ins = e.b.ins();
            if to == DType::U32 { ins.fcvt_to_uint_sat(ty, a) } else { ins.fcvt_to_sint_sat(ty, a) }
        });
        if to.size() == 4 {
            return words;
        }
        let (low, high) = to.integer_range().expect("an integer dtype");
        let (low, high) = (self.constant(lane, low as u32 as u128), self.constant(lane, high as u32 as u128));
        let words = self.zip(lane, &words, &low, |e, a, low| e.b.ins().smax(a, low));
        let words = self.zip(lane, &words, &high, |e, a, high| e.b.ins().smin(a, high));
        self.resize(&words, Kind::Signed, to.size())
    }

    /// Floats of up to four bytes as `f32`; wider ones as they are.
    pub(super) fn single(&mut self, a: &Bundle, from: DType) -> Bundle {
        if from == DType::F16 {
            self.widen_f16(a)
        } else if from == DType::Bf16 {
            self.widen_bf16(a)
        } else {
            a.clone()
        }
    }

    /// The bits as those of an `f32` with a smaller exponent, made larger; what had the greatest exponent keeps it.
    fn widen_f16(&mut self, a: &Bundle) -> Bundle {
        let wide = self.resize(a, Kind::Unsigned, 4);
        let (word, lane) = (Lane::integer(4), Lane::of(DType::F32));
        let [digits, sign, finite, greatest, scale] =
            [0x7fff, 0x8000, 0x0f7f_ffff, 0x7f80_0000, 0x7780_0000].map(|bits| self.constant_register(word, bits));
        self.map(lane, &wide, |e, a| {
            let digits = e.b.ins().band(a, digits);
            let digits = e.b.ins().ishl_imm_u(digits, 13);
            let special = e.b.ins().icmp(IntCC::SignedGreaterThan, digits, finite);
            let special = e.b.ins().band(special, greatest);
            let (small, scale) = (e.cast(types::F32X4, digits), e.cast(types::F32X4, scale));
            let number = e.b.ins().fmul(small, scale);
            let number = e.cast(types::I32X4, number);
            let sign = e.b.ins().band(a, sign);
            let sign = e.b.ins().ishl_imm_u(sign, 16);
            let bits = e.b.ins().bor(number, special);
            let bits = e.b.ins().bor(bits, sign);
            e.cast(types::F32X4, bits)
        })
    }

    /// Rounded to nearest even: of normal numbers the bits are, of subnormal ones a sum whose last place is theirs
    /// does.
    fn narrow_f16(&mut self, a: &Bundle) -> Bundle {
        let word = Lane::integer(4);
        let [sign, infinity, quiet, beyond, least, magic, one, excess] =
            [0x8000_0000, 0x7c00, 0x7e00, 0x477f_ffff, 0x3880_0000, 0x3f00_0000, 1, 0xc800_0fff]
                .map(|bits| self.constant_register(word, bits));
        let greatest = self.constant_register(word, 0x7f80_0000);
        let bits16 = self.map(word, a, |e, a| {
            let bits = e.cast(types::I32X4, a);
            let sign = e.b.ins().band(bits, sign);
            let size = e.b.ins().bxor(bits, sign);
            let (float, shift) = (e.cast(types::F32X4, size), e.cast(types::F32X4, magic));
            let small = e.b.ins().fadd(float, shift);
            let small = e.cast(types::I32X4, small);
            let small = e.b.ins().isub(small, magic);
            let odd = e.b.ins().ushr_imm_u(size, 13);
            let odd = e.b.ins().band(odd, one);
            let normal = e.b.ins().iadd(size, excess);
            let normal = e.b.ins().iadd(normal, odd);
            let normal = e.b.ins().ushr_imm_u(normal, 13);
            let is_nan = e.b.ins().icmp(IntCC::SignedGreaterThan, size, greatest);
            let special = e.b.ins().bitselect(is_nan, quiet, infinity);
            let is_small = e.b.ins().icmp(IntCC::SignedLessThan, size, least);
            let half = e.b.ins().bitselect(is_small, small, normal);
            let is_beyond = e.b.ins().icmp(IntCC::SignedGreaterThan, size, beyond);
            let half = e.b.ins().bitselect(is_beyond, special, half);
            let sign = e.b.ins().ushr_imm_u(sign, 16);
            e.b.ins().bor(half, sign)
        });
        self.resize(&bits16, Kind::Unsigned, 2)
    }

    /// The upper half of an `f32`.
    fn widen_bf16(&mut self, a: &Bundle) -> Bundle {
        let wide = self.resize(a, Kind::Unsigned, 4);
        let lane = Lane::of(DType::F32);
        let ty = lane.vector();
        self.map(lane, &wide, |e, a| {
            let bits = e.b.ins().ishl_imm_u(a, 16);
            e.cast(ty, bits)
        })
    }

    /// The upper half, rounded to nearest even; NaN stays one.
    fn narrow_bf16(&mut self, a: &Bundle) -> Bundle {
        let lane = Lane::integer(4);
        let ty = lane.vector();
        let one = self.constant_register(lane, 1);
        let below_half = self.constant_register(lane, 0x7fff);
        let quiet = self.constant_register(lane, 0x40);
        let rounded = self.map(lane, a, |e, a| {
            let bits = e.cast(ty, a);
            let upper = e.b.ins().ushr_imm_u(bits, 16);
            let odd = e.b.ins().band(upper, one);
            let sum = e.b.ins().iadd(bits, below_half);
            let sum = e.b.ins().iadd(sum, odd);
            let number = e.b.ins().ushr_imm_u(sum, 16);
            let nan = e.b.ins().bor(upper, quiet);
            let is_number = e.b.ins().fcmp(FloatCC::Equal, a, a);
            e.b.ins().bitselect(is_number, number, nan)
        });
        self.resize(&rounded, Kind::Unsigned, 2)
    }
}
