//! Which prims become instructions, and which are block calls: the one place that knows.
//!
//! Instructions are 128-bit vectors of Cranelift that were tested lane by lane against plain arithmetic; what it
//! lacks (division of integers, shifts by vectors, most conversions of 64-bit integers, two-byte floats) or does
//! worse than a block function (transcendental functions) is called.

use crate::exec::stepping::Loop;
use crate::kernel::{Inst, InstOp, Value};
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

/// How a prim is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum How {
    Inline,
    Call,
}

/// How an instruction's prim is computed.
pub(super) fn how(code: &Loop, inst: &Inst) -> How {
    let InstOp::Prim(prim, args) = inst.op else { return How::Inline };
    let arg = |index: usize| args[index].map(|value| code.dtype(value)).expect("a prim has its operands");
    let inline = match prim {
        Prim::Add | Prim::Sub | Prim::Mul | Prim::Neg | Prim::Abs | Prim::Min | Prim::Max => true,
        Prim::Div | Prim::Sqrt | Prim::Floor | Prim::Ceil | Prim::Trunc | Prim::Round | Prim::Copysign | Prim::Fma => {
            true
        }
        Prim::And | Prim::Or | Prim::Xor | Prim::Not | Prim::Select => true,
        Prim::Real | Prim::Imag | Prim::Pair => true,
        // Two-byte floats are compared as numbers, which needs their widening.
        Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le => !arg(0).is_half(),
        // By a constant, or not at all.
        Prim::Shl | Prim::Shr => constant(code, args[1]).is_some(),
        // By a positive power of two, rounding down is a shift and the remainder a mask.
        Prim::FloorDiv | Prim::Rem => arg(0).is_integer() && power_of_two(code, args[1], arg(0)).is_some(),
        Prim::Convert => convert(arg(0), inst.dtype),
        Prim::Bitcast => arg(0) != DType::Bool && inst.dtype != DType::Bool,
        Prim::Pow | Prim::Fmod | Prim::Nextafter | Prim::Exp | Prim::Exp2 | Prim::Expm1 | Prim::Log | Prim::Log2 => {
            false
        }
        Prim::Log10 | Prim::Log1p | Prim::Sin | Prim::Cos | Prim::Tan | Prim::Asin | Prim::Acos | Prim::Atan => false,
        Prim::Atan2 | Prim::Sinh | Prim::Cosh | Prim::Tanh | Prim::Asinh | Prim::Acosh | Prim::Atanh => false,
        Prim::Cbrt | Prim::Hypot | Prim::Erf | Prim::Erfc | Prim::Gamma | Prim::Lgamma => false,
        Prim::Sigmoid | Prim::Gelu => false,
        Prim::Popcount | Prim::Clz | Prim::Gcd => false,
    };
    if inline { How::Inline } else { How::Call }
}

fn convert(from: DType, to: DType) -> bool {
    use DType::{Bf16, F16, F32, F64};
    let integer = |dtype: DType| dtype.is_integer() || dtype == DType::Bool;
    match (from, to) {
        (_, DType::Bool) => true,
        (DType::Bool, _) => true,
        (from, to) if integer(from) && integer(to) => true,
        // 64-bit integers round once to `f64`; through it to `f32` they would round twice.
        (from, F32) if integer(from) => from.size() <= 4,
        (from, F64) => integer(from) || matches!(from, F32 | Bf16),
        (Bf16, F32) | (F64, F32) | (F32, Bf16) => true,
        (F32, to) if integer(to) => to.size() <= 4,
        (from, to) if from == to => true,
        (F16, _) | (_, F16) => false,
        _ => false,
    }
}

/// The bits of a constant value.
pub(super) fn constant(code: &Loop, value: Option<Value>) -> Option<u128> {
    match code.body.insts[value?.0 as usize].op {
        InstOp::Const(bits) => Some(bits),
        _ => None,
    }
}

/// The exponent, if a value is a constant power of two.
pub(super) fn power_of_two(code: &Loop, value: Option<Value>, dtype: DType) -> Option<u32> {
    let bits = constant(code, value)?;
    let negative = dtype.kind() == Kind::Signed && bits >> (dtype.bits() - 1) != 0;
    (bits.is_power_of_two() && !negative).then(|| bits.trailing_zeros())
}

/// Which operand of a minimum or maximum of floats is a number that one comparison bounds the other by, and its bits:
/// not NaN, and no zero that +0 should give way to.
pub(super) fn plain_bound(code: &Loop, values: [Option<Value>; 3], prim: Prim) -> Option<(usize, u128)> {
    (0..2).find_map(|index| {
        let (bits, dtype) = (constant(code, values[index])?, code.dtype(values[index]?));
        let number = match dtype {
            DType::F32 => f64::from(f32::from_bits(bits as u32)),
            DType::F64 => f64::from_bits(bits as u64),
            _ => f64::NAN,
        };
        let lesser_zero = number == 0.0 && number.is_sign_negative() && prim == Prim::Min;
        (!number.is_nan() && !lesser_zero).then_some((index, bits))
    })
}
