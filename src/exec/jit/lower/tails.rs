//! The rest of slow paths when integers have done their part: sequences over lanes, traced like functions.
//!
//! Code that runs where nobody can be called reduces a large angle, or divides in long division, with integers; the
//! rest of the definition in [`crate::scalar`] is over lanes.

use super::trace::TracedNumber;
use super::{BodyBuilder, VectorBody, VectorOp, Virtual, trace};
use crate::scalar::divide;
use crate::scalar::math::trig;
use crate::scalar::prim::Prim;
use crate::types::DType;

/// The body of the rest of a prim's slow path, and its operands: of angles the quarter turns, as the bits of a float,
/// and what is left as a sum; of divisions both operands and the remainder towards zero. `None` where there is no such
/// rest.
pub(in crate::exec::jit) fn tail(prim: Prim, dtype: DType) -> Option<VectorBody> {
    let from = if dtype == DType::F32 && prim != Prim::Sin && prim != Prim::Cos { DType::F32 } else { DType::F64 };
    let mut building = BodyBuilder::default();
    let loads = [0, 1, 2].map(|input| building.push(VectorOp::Load { input, part: 0 }, from, &[]));
    let (result, mut building) = trace::run_traced(building, || match (prim, dtype) {
        (Prim::Sin | Prim::Cos, DType::F64) => {
            let [turns, r, rest] = loads.map(of::<f64>);
            Some(trig::sine_after_turns(turns, r, rest).virtual_())
        }
        (Prim::Sin | Prim::Cos, DType::F32) => {
            let [turns, r, _] = loads.map(of::<f64>);
            Some(trace::convert_traced::<f32, f64>(trig::turned_single(turns, r)).virtual_())
        }
        (Prim::Tan, DType::F64) => {
            let [turns, r, rest] = loads.map(of::<f64>);
            Some(trig::tan_turned(trace::is_odd(turns), r, rest).virtual_())
        }
        (Prim::FloorDiv | Prim::Rem, DType::F64) => {
            let [a, b, rest] = loads.map(of::<f64>);
            let (quotient, rest) = divide::from_rest(a, b, rest);
            Some(if prim == Prim::Rem { rest } else { quotient }.virtual_())
        }
        (Prim::FloorDiv | Prim::Rem, DType::F32) => {
            let [a, b, rest] = loads.map(of::<f32>);
            let (quotient, rest) = divide::from_rest(a, b, rest);
            Some(if prim == Prim::Rem { rest } else { quotient }.virtual_())
        }
        _ => None,
    });
    building.push(VectorOp::Store { output: 0 }, dtype, &[result?]);
    Some(building.body)
}

fn of<T>(value: Virtual) -> TracedNumber<T, false> {
    TracedNumber::at(value)
}
