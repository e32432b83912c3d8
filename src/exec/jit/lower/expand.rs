//! Prims that are a few others. No common instruction does them, and a call for each chunk costs more.

use super::{BodyBuilder, OneOrTwo, TargetAbilities, VectorOp, Virtual, of_prim};
use crate::scalar::convert::ByteFloat;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

/// Whether a prim is faster as other steps.
pub(super) fn is_expanded(prim: Prim, from: DType, dtype: DType) -> bool {
    let from_wide = matches!(from, DType::F64 | DType::I32 | DType::U32);
    prim == Prim::Popcount || prim == Prim::Convert && from_wide && dtype.is_small_float()
}

/// Such a prim as other steps.
pub(super) fn expand(building: &mut BodyBuilder, prim: Prim, x: Virtual, dtype: DType) -> Virtual {
    if prim == Prim::Popcount {
        return Steps { building, dtype }.popcount(x);
    }
    // An integer of 32 bits is an `f64`.
    let is_double = building.body.dtype(x) == DType::F64;
    let x = if is_double { x } else { building.push(VectorOp::Prim(Prim::Convert), DType::F64, &[x]) };
    let odd = Steps { building, dtype: DType::U32 }.rounded_to_odd(x);
    building.push(VectorOp::Prim(Prim::Convert), dtype, &[odd])
}

fn is_byte_float(dtype: DType) -> bool {
    dtype.is_float() && dtype.size() == 1
}

/// A comparison or conversion of floats of one byte, by way of `f32`; `None` for other prims and dtypes. No code
/// generator does more with these floats than move them.
#[expect(clippy::wildcard_enum_match_arm, reason = "other prims are not for here, other dtypes fit into an `f32`")]
pub(super) fn of_bytes(
    building: &mut BodyBuilder,
    prim: Prim,
    dtype: DType,
    args: &[Virtual],
    abilities: TargetAbilities,
) -> Option<Virtual> {
    let from = building.body.dtype(args[0]);
    let through = |building: &mut BodyBuilder, prim, dtype, args: &[Virtual]| {
        let args: Vec<OneOrTwo> = args.iter().map(|&arg| OneOrTwo::One(arg)).collect();
        of_prim(prim, dtype, &args, building, abilities).one()
    };
    match prim {
        Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le if is_byte_float(from) => {
            let singles: Vec<Virtual> = args.iter().map(|&arg| widened(building, arg)).collect();
            Some(through(building, prim, dtype, &singles))
        }
        Prim::Convert if is_byte_float(from) => {
            let single = widened(building, args[0]);
            Some(through(building, prim, dtype, &[single]))
        }
        Prim::Convert if is_byte_float(dtype) => match from {
            DType::Bool => None,
            // These have more digits than an `f64`.
            DType::I64 | DType::U64 => Some(building.push(VectorOp::Call(prim), dtype, args)),
            DType::F64 | DType::I32 | DType::U32 => {
                let double = through(building, prim, DType::F64, args);
                let odd = Steps { building, dtype: DType::U32 }.rounded_to_odd(double);
                Some(Steps { building, dtype: DType::I32 }.byte_of(odd, dtype))
            }
            _ => {
                let single = through(building, prim, DType::F32, args);
                Some(Steps { building, dtype: DType::I32 }.byte_of(single, dtype))
            }
        },
        _ => None,
    }
}

/// A float of one byte as an `f32`.
fn widened(building: &mut BodyBuilder, x: Virtual) -> Virtual {
    let float = ByteFloat::of(building.body.dtype(x));
    let byte = building.push(VectorOp::Prim(Prim::Bitcast), DType::U8, &[x]);
    let mut steps = Steps { building, dtype: DType::I32 };
    let word = steps.prim(Prim::Convert, &[byte]);
    let magnitude = steps.with(Prim::And, word, 0x7f);
    let digits = steps.with(Prim::Shl, magnitude, float.dropped_bits().into());
    let small = steps.single(Prim::Bitcast, &[digits]);
    let scale = steps.single_constant(float.scale());
    let number = steps.single(Prim::Mul, &[small, scale]);
    let number = steps.prim(Prim::Bitcast, &[number]);
    let most = steps.constant(float.most.into());
    let is_special = steps.less(most, magnitude);
    let [greatest, none] = [0x7f80_0000, 0].map(|bits| steps.constant(bits));
    let special = steps.prim(Prim::Select, &[is_special, greatest, none]);
    let sign = steps.with(Prim::And, word, 0x80);
    let sign = steps.with(Prim::Shl, sign, 24);
    let bits = steps.prim(Prim::Or, &[number, special]);
    let bits = steps.prim(Prim::Or, &[bits, sign]);
    steps.single(Prim::Bitcast, &[bits])
}

/// Steps of one dtype.
struct Steps<'b> {
    building: &'b mut BodyBuilder,
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

    fn single(&mut self, prim: Prim, args: &[Virtual]) -> Virtual {
        self.building.push(VectorOp::Prim(prim), DType::F32, args)
    }

    fn single_constant(&mut self, bits: u32) -> Virtual {
        self.building.push(VectorOp::Const(bits.into()), DType::F32, &[])
    }

    fn less(&mut self, a: Virtual, b: Virtual) -> Virtual {
        self.building.push(VectorOp::Prim(Prim::Lt), DType::Bool, &[a, b])
    }

    /// An `f32` rounded to a float of one byte, as [`narrow_byte`](crate::scalar::convert::narrow_byte) does.
    fn byte_of(mut self, x: Virtual, dtype: DType) -> Virtual {
        let float = ByteFloat::of(dtype);
        let bits = self.prim(Prim::Bitcast, &[x]);
        let magnitude = self.with(Prim::And, bits, 0x7fff_ffff);
        let odd = self.with(Prim::Shr, magnitude, float.dropped_bits().into());
        let odd = self.with(Prim::And, odd, 1);
        let sum = self.with(Prim::Add, magnitude, (1 << (float.dropped_bits() - 1)) - 1);
        let sum = self.prim(Prim::Add, &[sum, odd]);
        let rounded = self.with(Prim::Shr, sum, float.dropped_bits().into());
        let normal = self.with(Prim::Sub, rounded, ((127 - float.bias) << float.places).into());
        let (size, place) = (self.single(Prim::Bitcast, &[magnitude]), self.single_constant(float.subnormal_place()));
        let placed = self.single(Prim::Add, &[size, place]);
        let placed = self.prim(Prim::Bitcast, &[placed]);
        let subnormal = self.with(Prim::Sub, placed, float.subnormal_place().into());
        let least = self.constant(float.least_normal().into());
        let is_subnormal = self.less(magnitude, least);
        let finite = self.prim(Prim::Select, &[is_subnormal, subnormal, normal]);
        let (most, over) = (self.constant(float.most.into()), self.constant(float.over.into()));
        let is_over = self.less(most, finite);
        let number = self.prim(Prim::Select, &[is_over, over, finite]);
        let (infinity, nan) = (self.constant(0x7f80_0000), self.constant(float.nan.into()));
        let is_nan = self.less(infinity, magnitude);
        let value = self.prim(Prim::Select, &[is_nan, nan, number]);
        let sign = self.prim(Prim::Xor, &[bits, magnitude]);
        let sign = self.with(Prim::Shr, sign, 24);
        let value = self.prim(Prim::Or, &[value, sign]);
        let byte = self.building.push(VectorOp::Prim(Prim::Convert), DType::U8, &[value]);
        self.building.push(VectorOp::Prim(Prim::Bitcast), dtype, &[byte])
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
