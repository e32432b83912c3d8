//! Prims that are a few others: no common instruction does them, and a call for each chunk costs more.

use super::{Building, VectorOp, Virtual};
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

/// Whether a prim is faster as other steps.
pub(super) fn is_expanded(prim: Prim, from: DType, dtype: DType) -> bool {
    let from_wide = matches!(from, DType::F64 | DType::I32 | DType::U32);
    prim == Prim::Popcount || prim == Prim::Convert && from_wide && dtype.is_small_float()
}

/// Such a prim as other steps.
pub(super) fn expand(building: &mut Building, prim: Prim, x: Virtual, dtype: DType) -> Virtual {
    if prim == Prim::Popcount {
        return Steps { building, dtype }.popcount(x);
    }
    // An integer of 32 bits is an `f64`.
    let is_double = building.body.dtype(x) == DType::F64;
    let x = if is_double { x } else { building.push(VectorOp::Prim(Prim::Convert), DType::F64, &[x]) };
    let odd = Steps { building, dtype: DType::U32 }.rounded_to_odd(x);
    building.push(VectorOp::Prim(Prim::Convert), dtype, &[odd])
}

/// Steps of one dtype.
struct Steps<'b> {
    building: &'b mut Building,
    dtype: DType,
}

impl Steps<'_> {
    fn prim(&mut self, prim: Prim, args: &[Virtual]) -> Virtual {
        self.building.push(VectorOp::Prim(prim), self.dtype, args)
    }

    fn constant(&mut self, bits: u64) -> Virtual {
        let kept = u64::MAX >> (64 - self.dtype.bits());
        self.building.push(VectorOp::Const((bits & kept).into()), self.dtype, &[])
    }

    fn with(&mut self, prim: Prim, x: Virtual, bits: u64) -> Virtual {
        let constant = self.constant(bits);
        self.prim(prim, &[x, constant])
    }

    /// How many bits are 1: the counts of neighbouring fields are added, which have twice the width each time.
    fn popcount(mut self, x: Virtual) -> Virtual {
        let own = self.dtype;
        self.dtype = match own.size() {
            1 => DType::U8,
            2 => DType::U16,
            4 => DType::U32,
            _ => DType::U64,
        };
        let signed = own.kind() == Kind::Signed;
        let x = if signed { self.prim(Prim::Bitcast, &[x]) } else { x };
        let odd = self.with(Prim::Shr, x, 1);
        let odd = self.with(Prim::And, odd, 0x5555_5555_5555_5555);
        let pairs = self.prim(Prim::Sub, &[x, odd]);
        let high = self.with(Prim::Shr, pairs, 2);
        let [high, low] = [high, pairs].map(|half| self.with(Prim::And, half, 0x3333_3333_3333_3333));
        let fours = self.prim(Prim::Add, &[high, low]);
        let high = self.with(Prim::Shr, fours, 4);
        let mut count = self.prim(Prim::Add, &[fours, high]);
        count = self.with(Prim::And, count, 0x0f0f_0f0f_0f0f_0f0f);
        let mut width = 8;
        while width < self.dtype.bits() {
            let high = self.with(Prim::Shr, count, width.into());
            count = self.prim(Prim::Add, &[count, high]);
            width *= 2;
        }
        if width > 8 {
            count = self.with(Prim::And, count, 0x7f);
        }
        self.dtype = own;
        if signed { self.prim(Prim::Bitcast, &[count]) } else { count }
    }

    /// An `f64` as the `f32` next to it towards 0, with the last bit set if that is not exact: rounded once more, to
    /// fewer bits, it gives what one rounding gives.
    fn rounded_to_odd(mut self, x: Virtual) -> Virtual {
        let [bits, truth] = [self.dtype, DType::Bool];
        let convert = VectorOp::Prim(Prim::Convert);
        let near = self.building.push(convert, DType::F32, &[x]);
        let back = self.building.push(convert, DType::F64, &[near]);
        let [size, reached] = [x, back].map(|x| self.building.push(VectorOp::Prim(Prim::Abs), DType::F64, &[x]));
        let beyond = self.building.push(VectorOp::Prim(Prim::Lt), truth, &[size, reached]);
        let inexact = self.building.push(VectorOp::Prim(Prim::Ne), truth, &[x, back]);
        self.dtype = bits;
        let near = self.prim(Prim::Bitcast, &[near]);
        let before = self.with(Prim::Sub, near, 1);
        let towards = self.prim(Prim::Select, &[beyond, before, near]);
        let sticky = self.with(Prim::Or, towards, 1);
        let odd = self.prim(Prim::Select, &[inexact, sticky, towards]);
        self.building.push(VectorOp::Prim(Prim::Bitcast), DType::F32, &[odd])
    }
}
