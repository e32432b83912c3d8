//! Instructions of numbers, for all functions that are written for Cranelift.

use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use cranelift_frontend::FunctionBuilder;

/// Memory accesses neither trap nor promise to be aligned.
pub(in crate::exec::jit) fn plain() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

/// Whether integers of a dtype have a sign.
pub(in crate::exec::jit) fn is_signed(dtype: DType) -> bool {
    dtype.kind() == Kind::Signed
}

/// What a comparison of floats asks.
#[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons come here, and `Le` is the one left")]
pub(in crate::exec::jit) fn float_condition(prim: Prim) -> FloatCC {
    match prim {
        Prim::Eq => FloatCC::Equal,
        Prim::Ne => FloatCC::NotEqual,
        Prim::Lt => FloatCC::LessThan,
        _ => FloatCC::LessThanOrEqual,
    }
}

/// What a comparison of integers of a dtype asks.
pub(in crate::exec::jit) fn integer_condition(prim: Prim, dtype: DType) -> IntCC {
    match (prim, is_signed(dtype)) {
        (Prim::Eq, _) => IntCC::Equal,
        (Prim::Ne, _) => IntCC::NotEqual,
        (Prim::Lt, true) => IntCC::SignedLessThan,
        (Prim::Lt, false) => IntCC::UnsignedLessThan,
        (_, true) => IntCC::SignedLessThanOrEqual,
        (_, false) => IntCC::UnsignedLessThanOrEqual,
    }
}

/// The quotient of integers rounded down, or what it leaves; by 0 both are 0. The processor divides by nothing that it
/// would refuse.
pub(in crate::exec::jit) fn divide(b: &mut FunctionBuilder, prim: Prim, signed: bool, x: Value, y: Value) -> Value {
    let ty = b.func.dfg.value_type(x);
    let [zero, one] = [0, 1].map(|number| b.ins().iconst(ty, number));
    let by_zero = b.ins().icmp_imm_s(IntCC::Equal, y, 0);
    if !signed {
        let safe = b.ins().select(by_zero, one, y);
        let quotient = b.ins().udiv(x, safe);
        let whole = b.ins().imul(quotient, safe);
        return if prim == Prim::Rem { b.ins().isub(x, whole) } else { b.ins().select(by_zero, zero, quotient) };
    }
    let by_minus_one = b.ins().icmp_imm_s(IntCC::Equal, y, -1);
    let is_odd = b.ins().bor(by_zero, by_minus_one);
    let safe = b.ins().select(is_odd, one, y);
    let quotient = b.ins().sdiv(x, safe);
    let whole = b.ins().imul(quotient, safe);
    let rest = b.ins().isub(x, whole);
    // Rounded towards zero it was rounded up where what is left has another sign than the divisor.
    let signs = b.ins().bxor(rest, safe);
    let differ = b.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
    let is_left = b.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
    let up = b.ins().band(differ, is_left);
    if prim == Prim::Rem {
        let more = b.ins().select(up, safe, zero);
        return b.ins().iadd(rest, more);
    }
    let one_less = b.ins().isub(quotient, one);
    let floor = b.ins().select(up, one_less, quotient);
    let negated = b.ins().ineg(x);
    let by_others = b.ins().select(by_minus_one, negated, floor);
    b.ins().select(by_zero, zero, by_others)
}
