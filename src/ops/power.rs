//! Powers and shifts, where a constant second operand is an exact integer of its own.

use super::Scaled;
use super::expand::Expand;
use crate::ir::NodeId;
use crate::scalar::prim::Prim;
use crate::types::DType;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// `x ** y` of operands of one dtype. For floats, constant exponents 2, 1, -1, 0.5 and 0 are what they say.
pub(crate) fn power(e: &mut Expand, x: NodeId, y: NodeId) -> NodeId {
    let dtype = e.dtype(x);
    let constant = e.0.as_constant(y).filter(|_| dtype.is_float());
    let exponent = constant.map(|scalar| match dtype {
        DType::F32 => f64::from(f32::from_bits(scalar.bits as u32)),
        _ => f64::from_bits(scalar.bits as u64),
    });
    match exponent {
        Some(2.0) => e.mul(x, x),
        Some(1.0) => x,
        Some(-1.0) => {
            let one = e.number(x, 1.0);
            e.div(one, x)
        }
        Some(0.5) => e.prim(Prim::Sqrt, &[x]),
        Some(0.0) => {
            let one = e.number(x, 1.0);
            let shape = e.shape(x);
            e.broadcast(one, &shape)
        }
        _ => e.prim(Prim::Pow, &[x, y]),
    }
}

/// An integer raised to, or shifted by, an exact constant. `None` for a negative exponent.
pub(crate) fn by_constant(e: &mut Expand, scaled: Scaled, x: NodeId, count: &BigInt) -> Option<NodeId> {
    let dtype = e.dtype(x);
    let bits = BigInt::from(dtype.bits());
    match scaled {
        Scaled::ShiftLeft | Scaled::ShiftRight => {
            // Every count outside 0..bits does the same as a count of `bits`, which every dtype can hold.
            let outside = count.is_negative() || *count >= bits;
            let count = if outside { bits } else { count.clone() };
            let count = e.integer(dtype, count.to_i128().expect("at most the width"));
            let prim = if scaled == Scaled::ShiftLeft { Prim::Shl } else { Prim::Shr };
            Some(e.prim(prim, &[x, count]))
        }
        Scaled::Power if count.is_negative() => None,
        Scaled::Power if *count < bits => {
            let count = e.integer(dtype, count.to_i128().expect("below the width"));
            Some(e.prim(Prim::Pow, &[x, count]))
        }
        Scaled::Power => {
            // Modulo 2^N an even number to the power N or more is 0; the order of an odd one divides 2^(N-2).
            let order = BigInt::from(1) << (dtype.bits() - 2);
            let rest = (count % &order).to_i128().expect("below 2^62");
            let rest = e.integer(dtype, rest);
            let power = e.prim(Prim::Pow, &[x, rest]);
            let one = e.integer(dtype, 1);
            let zero = e.integer(dtype, 0);
            let low = e.prim(Prim::And, &[x, one]);
            let odd = e.prim(Prim::Eq, &[low, one]);
            Some(e.prim(Prim::Select, &[odd, power, zero]))
        }
    }
}
