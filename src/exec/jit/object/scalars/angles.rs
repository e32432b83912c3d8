//! The reduction of large angles, with integers: as [`crate::scalar::math::trig`] has it.

use super::ScalarWriter;
use crate::scalar::math::trig;
use crate::types::DType;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

const WORD: i64 = 8;

/// The digits of 2/pi, which lie beside the code. The last ones that are read are those of the largest exponent.
pub(super) fn digits() -> Vec<u8> {
    const { assert!(trig::DIGITS.len() > (62 + 2047 - 1075) / 64 + 3) };
    trig::DIGITS.iter().flat_map(|digits| digits.to_le_bytes()).collect()
}

/// A large angle without its whole quarter turns.
pub(super) struct ReducedAngle {
    /// The quarter turns, in the last bits.
    pub(super) turns: Value,
    /// What is left, as a sum.
    pub(super) r: Value,
    pub(super) rest: Value,
}

/// An integer of 128 bits that was rounded to a float.
struct RoundedInteger {
    float: Value,
    /// The words of what the float is as an integer.
    top: Value,
    bottom: Value,
}

impl ScalarWriter<'_, '_> {
    /// The reduction of a large angle. For `f32`, angles below `trig::LIMIT` are reduced with floats instead.
    pub(super) fn angle(&mut self, dtype: DType, x: Value) -> ReducedAngle {
        if dtype == DType::F64 {
            return self.payne_hanek(dtype, x);
        }
        let x = self.b.ins().fpromote(types::F64, x);
        let far = self.payne_hanek(dtype, x);
        let [turn, round, low, high] =
            [std::f64::consts::FRAC_2_PI, trig::ROUND, trig::PI_2[1], trig::PI_2[0]].map(|value| self.double(value));
        let shifted = self.b.ins().fma(x, turn, round);
        let n = self.b.ins().fsub(shifted, round);
        let n = self.b.ins().fneg(n);
        let r = self.b.ins().fma(n, high, x);
        let r = self.b.ins().fma(n, low, r);
        let bits = self.b.ins().bitcast(types::I64, MemFlagsData::new(), shifted);
        let limit = self.double(trig::LIMIT);
        let size = self.b.ins().fabs(x);
        let near = self.b.ins().fcmp(FloatCC::LessThan, size, limit);
        let turns = self.b.ins().select(near, bits, far.turns);
        ReducedAngle { turns, r: self.b.ins().select(near, r, far.r), rest: far.rest }
    }

    /// Word number `at` of 2/pi, from a place of its digits on.
    fn word(&mut self, index: Value, shift: Value, at: i64) -> Value {
        let digit = |scalars: &mut Self, by: i64| {
            let table = scalars.table.expect("functions of angles have the digits");
            let distance = scalars.b.ins().imul_imm_s(index, WORD);
            let place = scalars.b.ins().iadd(table, distance);
            let flags = MemFlagsData::new().with_notrap();
            scalars.b.ins().load(types::I64, flags, place, (WORD * (at + by)) as i32)
        };
        let (first, second) = (digit(self, 0), digit(self, 1));
        self.joined(first, second, shift)
    }

    /// The first word of two that are shifted left by 0 to 63.
    fn joined(&mut self, first: Value, second: Value, by: Value) -> Value {
        let high = self.b.ins().ishl(first, by);
        // By 64 in all if `by` is 0, so that nothing is left.
        let half = self.b.ins().ushr_imm_u(second, 1);
        let back = self.b.ins().bxor_imm_s(by, 63);
        let low = self.b.ins().ushr(half, back);
        self.b.ins().bor(high, low)
    }

    fn payne_hanek(&mut self, dtype: DType, x: Value) -> ReducedAngle {
        let flags = MemFlagsData::new();
        let bits = self.b.ins().bitcast(types::I64, flags, x);
        let m = self.b.ins().band_imm_s(bits, 0x000f_ffff_ffff_ffff);
        let m = self.b.ins().bor_imm_s(m, 0x0010_0000_0000_0000);
        let e = self.b.ins().ushr_imm_u(bits, 52);
        let e = self.b.ins().band_imm_s(e, 0x7ff);
        let start = self.b.ins().iadd_imm_s(e, 62 - 1075);
        let zero = self.int(0);
        let start = self.b.ins().smax(start, zero);
        let index = self.b.ins().ushr_imm_u(start, 6);
        let shift = self.b.ins().band_imm_s(start, 63);
        let [first, second, third] = [0, 1, 2].map(|at| self.word(index, shift, at));
        // The last three words of the product.
        let low = self.b.ins().imul(m, third);
        let low_high = self.b.ins().umulhi(m, third);
        let middle = self.b.ins().imul(m, second);
        let middle_high = self.b.ins().umulhi(m, second);
        let sum = self.b.ins().iadd(middle, low_high);
        let carried = self.b.ins().icmp(IntCC::UnsignedLessThan, sum, middle);
        let carried = self.b.ins().uextend(types::I64, carried);
        let middle = sum;
        let middle_high = self.b.ins().iadd(middle_high, carried);
        let high = self.b.ins().imul(m, first);
        let high = self.b.ins().iadd(high, middle_high);
        // Two bits of quarter turns, then the fraction of one.
        let quarters = self.b.ins().ushr_imm_u(high, 62);
        let join = |scalars: &mut Self, above: Value, below: Value| {
            let above = scalars.b.ins().ishl_imm_u(above, 2);
            let below = scalars.b.ins().ushr_imm_u(below, 62);
            scalars.b.ins().bor(above, below)
        };
        let top = join(self, high, middle);
        let bottom = join(self, middle, low);
        let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, top, 0);
        let one_more = self.b.ins().uextend(types::I64, negative);
        let quarters = self.b.ins().iadd(quarters, one_more);
        let (first, second) = self.float_of_fraction(dtype, top, bottom);
        let half_turn = self.double(std::f64::consts::FRAC_PI_2);
        let half_turn_low = self.double(trig::PI_2_LOW);
        let r = self.b.ins().fmul(first, half_turn);
        let minus_r = self.b.ins().fneg(r);
        let lost = self.b.ins().fma(first, half_turn, minus_r);
        let small = self.b.ins().fmul(second, half_turn);
        let small = self.b.ins().fma(first, half_turn_low, small);
        let rest = self.b.ins().fadd(lost, small);
        // A negative angle has the opposite turns and the opposite rest.
        let below = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, bits, 0);
        let opposite = self.b.ins().ineg(quarters);
        let turns = self.b.ins().select(below, opposite, quarters);
        let [r, rest] = [r, rest].map(|value| {
            let opposite = self.b.ins().fneg(value);
            self.b.ins().select(below, opposite, value)
        });
        // A value that is not finite has no angle: the result is NaN.
        let none = self.b.ins().fsub(x, x);
        let r = self.b.ins().fadd(r, none);
        ReducedAngle { turns, r, rest }
    }

    /// A signed fraction of 128 bits as the sum of two floats.
    fn float_of_fraction(&mut self, dtype: DType, top: Value, bottom: Value) -> (Value, Value) {
        // The magnitude of the fraction.
        let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, top, 0);
        let (top, bottom) = self.negated_if(negative, top, bottom);
        let sign = self.b.ins().uextend(types::I64, negative);
        if dtype == DType::F32 {
            // Nothing needs the second float, and then it is no code.
            let (first, rest) = self.leading([top, bottom, sign]);
            return (first, self.leading(rest).0);
        }
        // Both are made by one copy of the code, in two turns.
        let (head, done) = (self.b.create_block(), self.b.create_block());
        let size = [(); 3].map(|()| self.b.append_block_param(head, types::I64));
        let before = self.b.append_block_param(head, types::F64);
        let is_second = self.b.append_block_param(head, types::I64);
        let (none, no, yes) = (self.double(0.0), self.int(0), self.int(1));
        self.b.ins().jump(head, &[top.into(), bottom.into(), sign.into(), none.into(), no.into()]);
        self.b.switch_to_block(head);
        let (float, [top, bottom, sign]) = self.leading(size);
        let next = [top.into(), bottom.into(), sign.into(), float.into(), yes.into()];
        self.b.ins().brif(is_second, done, &[], head, &next);
        self.b.switch_to_block(done);
        (before, float)
    }

    /// The float next to a fraction of 128 bits, of two words and a sign, and what the rounding left.
    fn leading(&mut self, [top, bottom, sign]: [Value; 3]) -> (Value, [Value; 3]) {
        let flags = MemFlagsData::new();
        let rounded = self.rounded(top, bottom);
        // The rest fits a signed integer again.
        let (rest_top, rest_bottom) = self.difference((top, bottom), (rounded.top, rounded.bottom));
        let above = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, rest_top, 0);
        let (rest_top, rest_bottom) = self.negated_if(above, rest_top, rest_bottom);
        let above = self.b.ins().uextend(types::I64, above);
        let rest_sign = self.b.ins().bxor(sign, above);
        let scale = self.double(2f64.powi(-128));
        let sign = self.b.ins().ishl_imm_u(sign, 63);
        let bits = self.b.ins().bitcast(types::I64, flags, rounded.float);
        // Zero gets no sign.
        let plus = self.b.ins().icmp_imm_s(IntCC::Equal, bits, 0);
        let bits_with = self.b.ins().bor(bits, sign);
        let bits = self.b.ins().select(plus, bits, bits_with);
        let value = self.b.ins().bitcast(types::F64, flags, bits);
        (self.b.ins().fmul(value, scale), [rest_top, rest_bottom, rest_sign])
    }

    fn negated_if(&mut self, condition: Value, top: Value, bottom: Value) -> (Value, Value) {
        let other_bottom = self.b.ins().ineg(bottom);
        let borrow = self.b.ins().icmp_imm_s(IntCC::NotEqual, bottom, 0);
        let borrow = self.b.ins().uextend(types::I64, borrow);
        let other_top = self.b.ins().ineg(top);
        let other_top = self.b.ins().isub(other_top, borrow);
        (self.b.ins().select(condition, other_top, top), self.b.ins().select(condition, other_bottom, bottom))
    }

    fn difference(&mut self, (a, a_low): (Value, Value), (b, b_low): (Value, Value)) -> (Value, Value) {
        let low = self.b.ins().isub(a_low, b_low);
        let borrow = self.b.ins().icmp(IntCC::UnsignedLessThan, a_low, b_low);
        let borrow = self.b.ins().uextend(types::I64, borrow);
        let high = self.b.ins().isub(a, b);
        (self.b.ins().isub(high, borrow), low)
    }

    /// An integer of 128 bits as the nearest float, ties to even, and that float as an integer.
    fn rounded(&mut self, top: Value, bottom: Value) -> RoundedInteger {
        // The first 64 digits, the last of which says whether there are more.
        let no_top = self.b.ins().icmp_imm_s(IntCC::Equal, top, 0);
        let zeros_top = self.b.ins().clz(top);
        let sixty_four = self.int(64);
        let zeros_bottom = self.b.ins().clz(bottom);
        let zeros_of_both = self.b.ins().iadd(zeros_bottom, sixty_four);
        let zeros = self.b.ins().select(no_top, zeros_of_both, zeros_top);
        let (head, tail) = self.shifted_left(top, bottom, zeros);
        let more = self.b.ins().icmp_imm_s(IntCC::NotEqual, tail, 0);
        let more = self.b.ins().uextend(types::I64, more);
        let sticky = self.b.ins().bor(head, more);
        // The first digit is 1, so half of it fits a signed integer, and rounds to half as much.
        let half = self.b.ins().ushr_imm_u(sticky, 1);
        let last = self.b.ins().band_imm_s(sticky, 1);
        let half = self.b.ins().bor(half, last);
        let float = self.b.ins().fcvt_from_sint(types::F64, half);
        // The float is multiplied by 2^(65 - zeros).
        let exponent = self.b.ins().iadd_imm_s(zeros, -65);
        let exponent = self.b.ins().ineg(exponent);
        let biased = self.b.ins().iadd_imm_s(exponent, 1023);
        let power = self.b.ins().ishl_imm_u(biased, 52);
        let power = self.b.ins().bitcast(types::F64, MemFlagsData::new(), power);
        let value = self.b.ins().fmul(float, power);
        // Back to an integer: the 53 digits of the float, at their places.
        let bits = self.b.ins().bitcast(types::I64, MemFlagsData::new(), value);
        let is_zero = self.b.ins().icmp_imm_s(IntCC::Equal, bits, 0);
        let fraction = self.b.ins().band_imm_s(bits, 0x000f_ffff_ffff_ffff);
        let whole = self.b.ins().bor_imm_s(fraction, 0x0010_0000_0000_0000);
        let zero = self.int(0);
        let whole = self.b.ins().select(is_zero, zero, whole);
        let place = self.b.ins().ushr_imm_u(bits, 52);
        let place = self.b.ins().iadd_imm_s(place, -1075);
        let (high, low) = self.shifted_left(zero, whole, place);
        // A float below 2^52 has digits behind the point, all zero: the integer was exact.
        let small = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, place, 0);
        let (top, bottom) = (self.b.ins().select(small, top, high), self.b.ins().select(small, bottom, low));
        RoundedInteger { float: value, top, bottom }
    }

    /// A shift by 0 to 127, to two words.
    fn shifted_left(&mut self, top: Value, bottom: Value, by: Value) -> (Value, Value) {
        let rest = self.b.ins().band_imm_s(by, 63);
        let zero = self.int(0);
        let high = self.joined(top, bottom, rest);
        let low = self.b.ins().ishl(bottom, rest);
        let far = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, by, 64);
        (self.b.ins().select(far, low, high), self.b.ins().select(far, zero, low))
    }
}
