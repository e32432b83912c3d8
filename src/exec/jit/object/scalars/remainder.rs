//! The remainder of a division whose quotient has more digits than a float.

use super::{ScalarWriter, bits_type, scalar_type};
use crate::types::DType;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

impl ScalarWriter<'_, '_> {
    /// The remainder towards zero: long division in binary, as `fmod_slow` of [`crate::scalar::divide`] has it.
    pub(super) fn remainder(&mut self, dtype: DType, a: Value, b: Value) -> Value {
        let ty = scalar_type(dtype);
        let integer = bits_type(ty);
        let flags = MemFlagsData::new();
        // Digits, and how many more an integer of 64 bits has.
        let (digits, slack) = if ty == types::F32 { (24, 40) } else { (53, 11) };
        let [a_bits, b_bits] = [a, b].map(|value| {
            let bits = self.b.ins().bitcast(integer, flags, value);
            if integer == types::I64 { bits } else { self.b.ins().uextend(types::I64, bits) }
        });
        let width = i64::from(dtype.bits());
        let below_sign = if width == 64 { i64::MAX } else { i64::from(i32::MAX) };
        let sign = self.b.ins().band_imm_s(a_bits, !below_sign);
        let mut parts = |bits: Value| {
            let size = self.b.ins().band_imm_s(bits, below_sign);
            let exponent = self.b.ins().ushr_imm_u(size, digits - 1);
            let fraction = self.b.ins().band_imm_s(size, (1 << (digits - 1)) - 1);
            let whole = self.b.ins().bor_imm_s(fraction, 1 << (digits - 1));
            let subnormal = self.b.ins().icmp_imm_s(IntCC::Equal, exponent, 0);
            let one = self.b.ins().iconst(types::I64, 1);
            (self.b.ins().select(subnormal, one, exponent), self.b.ins().select(subnormal, fraction, whole))
        };
        let (a_exponent, a_digits) = parts(a_bits);
        let (b_exponent, b_digits) = parts(b_bits);
        // A division by zero divides by 1 here. Its result is replaced in the end.
        let [one, zero] = [1, 0].map(|value| self.int(value));
        let by_zero = self.b.ins().icmp_imm_s(IntCC::Equal, b_digits, 0);
        let divisor = self.b.ins().select(by_zero, one, b_digits);
        let first = self.b.ins().urem(a_digits, divisor);
        let steps = self.b.ins().isub(a_exponent, b_exponent);
        // Division, some bits at a time.
        let (head, body, after) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let [rest, left] = [(); 2].map(|()| self.b.append_block_param(head, types::I64));
        self.b.ins().jump(head, &[first.into(), steps.into()]);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0);
        let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
        let again = self.b.ins().band(more, some);
        self.b.ins().brif(again, body, &[], after, &[]);
        self.b.switch_to_block(body);
        let most = self.int(slack);
        let now = self.b.ins().smin(left, most);
        let moved = self.b.ins().ishl(rest, now);
        let next = self.b.ins().urem(moved, divisor);
        let fewer = self.b.ins().isub(left, now);
        self.b.ins().jump(head, &[next.into(), fewer.into()]);
        self.b.switch_to_block(after);
        // Back to a float: the first digit goes to its place, as far as the exponent allows.
        let zeros = self.b.ins().clz(rest);
        let to_place = self.b.ins().iadd_imm_s(zeros, digits - 64);
        let room = self.b.ins().iadd_imm_s(b_exponent, -1);
        let shift = self.b.ins().smin(to_place, room);
        let shift = self.b.ins().smax(shift, zero);
        let digits_there = self.b.ins().ishl(rest, shift);
        let exponent = self.b.ins().isub(b_exponent, shift);
        let top = self.b.ins().ushr_imm_u(digits_there, digits - 1);
        let exponent = self.b.ins().select(top, exponent, zero);
        let field = self.b.ins().ishl_imm_u(exponent, digits - 1);
        let fraction = self.b.ins().band_imm_s(digits_there, (1 << (digits - 1)) - 1);
        let value = self.b.ins().bor(field, fraction);
        let value = self.b.ins().bor(value, sign);
        let nothing = self.b.ins().icmp_imm_s(IntCC::Equal, rest, 0);
        let value = self.b.ins().select(nothing, sign, value);
        let smaller = self.b.ins().icmp(IntCC::SignedLessThan, a_exponent, b_exponent);
        let value = self.b.ins().select(smaller, a_bits, value);
        let value = if integer == types::I64 { value } else { self.b.ins().ireduce(types::I32, value) };
        let value = self.b.ins().bitcast(ty, flags, value);
        let size = self.b.ins().fabs(b);
        let infinity = self.infinity(ty);
        let endless = self.b.ins().fcmp(FloatCC::Equal, size, infinity);
        let value = self.b.ins().select(endless, a, value);
        // The remainder is NaN if infinity is divided, if the divisor is zero, or if an operand is NaN.
        let a_size = self.b.ins().fabs(a);
        let finite = self.b.ins().fcmp(FloatCC::LessThan, a_size, infinity);
        let float_zero = if ty == types::F32 { self.b.ins().f32const(0.0) } else { self.double(0.0) };
        let divides = self.b.ins().fcmp(FloatCC::GreaterThan, size, float_zero);
        let defined = self.b.ins().band(finite, divides);
        let nan = self.b.ins().fdiv(float_zero, float_zero);
        self.b.ins().select(defined, value, nan)
    }
}
