//! Comparisons of a distance with a number: `hypot(x, y) < c`.
//!
//! The square of the distance decides, unless it is near that of the number: there, and where a part is no number, the
//! function itself is asked.

use super::{Building, VectorOp, Virtual};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// Roundings of the square and of the function take less than this share of the number.
const NEAR: f64 = 32.0 * f64::EPSILON;

/// The operands of a comparison, where a distance is one that compares alike.
pub(super) fn compared(prim: Prim, args: &[Virtual], building: &mut Building) -> Option<[Virtual; 2]> {
    let (&[a, b], Prim::Lt | Prim::Le) = (args, prim) else { return None };
    if let Some(alike) = alike(a, b, building) {
        return Some([alike, b]);
    }
    Some([a, alike(b, a, building)?])
}

/// What compares with a number as a distance does.
fn alike(distance: Virtual, number: Virtual, building: &mut Building) -> Option<Virtual> {
    let step = *building.body.step(distance);
    let c = f64::from_bits(building.body.constant(Some(number))? as u64);
    let (VectorOp::SlowPath(Prim::Hypot), [_, _, Some(x), Some(y), None]) = (step.op, step.operands) else {
        return None;
    };
    // So that squares of what is near it neither overflow nor lose digits.
    if step.dtype != DType::F64 || !(1e-100..1e100).contains(&c) {
        return None;
    }
    let mut prim = |prim: Prim, args: &[Virtual]| building.push(VectorOp::Prim(prim), DType::F64, args);
    let [xx, yy] = [x, y].map(|part| prim(Prim::Mul, &[part, part]));
    let square = prim(Prim::Add, &[xx, yy]);
    let mut constant = |value: f64| building.push(VectorOp::Const(value.to_bits().into()), DType::F64, &[]);
    let (inverse, near) = (constant(1.0 / c), constant(c * NEAR));
    let mut prim = |prim: Prim, args: &[Virtual]| building.push(VectorOp::Prim(prim), DType::F64, args);
    let fast = prim(Prim::Mul, &[square, inverse]);
    let away = prim(Prim::Sub, &[fast, number]);
    let away = prim(Prim::Abs, &[away]);
    let unsure = building.push(VectorOp::Outside, DType::Bool, &[near, away]);
    Some(building.push(VectorOp::SlowPath(Prim::Hypot), DType::F64, &[unsure, fast, x, y]))
}
