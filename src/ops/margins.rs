//! Margins whose elements are computed: an extreme or the mean of an axis, and the way from its end to a value.

use super::Reduce;
use super::expand::Expand;
use super::extremes::extreme;
use super::reduce::mean;
use crate::ir::{Fold, NodeId, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};

/// What an axis goes on by that is one number of all its elements.
#[derive(Clone, Copy)]
pub enum MarginStatistic {
    /// The largest element.
    Maximum,
    /// The mean; of integers the nearest integer, and the even one of two.
    Mean,
    /// The smallest element.
    Minimum,
}

/// The number of each line along an axis, which stays with length 1.
pub fn statistic(e: &mut Expand, x: NodeId, axis: usize, statistic: MarginStatistic) -> NodeId {
    let over = Reduce { axes: vec![axis], keep: true, freedom: 0.0 };
    match statistic {
        MarginStatistic::Maximum => extreme(e, x, Fold::Max, &over),
        MarginStatistic::Minimum => extreme(e, x, Fold::Min, &over),
        MarginStatistic::Mean => {
            let dtype = e.dtype(x);
            let exact = dtype.is_integer() || dtype == DType::Bool;
            let wide = if exact { e.convert(x, DType::F64) } else { e.widened(x) };
            let mean = mean(e, wide, &over, true);
            let mean = if dtype.is_integer() { e.prim(Prim::Round, &[mean]) } else { mean };
            e.convert(mean, dtype)
        }
    }
}

/// Equal steps from `end`, the outermost element, to `edge`, which is the element at the end of an axis and none of the
/// margin. They are computed as `f64` or `c128`, as in NumPy, and integers are rounded down.
pub fn ramp(e: &mut Expand, (edge, end): (NodeId, NodeId), axis: usize, (width, is_before): (&Dim, bool)) -> NodeId {
    let (dtype, lines) = (e.dtype(edge), e.shape(edge));
    let wide = if dtype.is_complex() { DType::C128 } else { DType::F64 };
    let (start, stop) = (e.convert(end, wide), e.convert(edge, wide));
    let (count, one) = (e.dim(width), e.integer(DType::I64, 1));
    let mut place = e.0.iota(0, vec![width.clone()]);
    if !is_before {
        let last = e.prim(Prim::Sub, &[count, one]);
        place = e.prim(Prim::Sub, &[last, place]);
    }
    let mut along: Shape = vec![Dim::Const(1); lines.len()];
    along[axis] = width.clone();
    let place = e.view(place, View::Reshape, along);
    let (place, count) = (e.convert(place, wide), e.convert(count, wide));
    let gap = e.sub(stop, start);
    let step = e.div(gap, count);
    // Where one line has no step, NumPy rounds the others in another order.
    let zero = e.number(step, 0.0);
    let level = e.equal(step, zero);
    let level = e.broadcast(level, &lines);
    let all: Vec<usize> = (0..lines.len()).collect();
    let level = e.fold(Fold::Any, level, &all);
    let share = e.div(place, count);
    let (by_share, by_step) = (e.mul(share, gap), e.mul(place, step));
    let way = e.select(level, by_share, by_step);
    let value = e.add(way, start);
    let value = if dtype.is_integer() { e.prim(Prim::Floor, &[value]) } else { value };
    let value = e.convert(value, dtype);
    let mut shape = lines;
    shape[axis] = width.clone();
    e.broadcast(value, &shape)
}
