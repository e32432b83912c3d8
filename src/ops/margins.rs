//! Margins whose elements are computed. They are an extreme, the mean or the median of an axis, or the way from its end
//! to a value.

use super::Reduce;
use super::expand::Expand;
use super::extremes::extreme;
use super::quantiles::middle;
use super::reduce::mean;
use crate::ir::{Fold, NodeId, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};

/// What an axis goes on by that is one number of all its elements.
#[derive(Clone, Copy, Debug)]
pub enum MarginStatistic {
    /// The largest element.
    Maximum,
    /// The mean; of integers the nearest integer, and the even one of two.
    Mean,
    /// The element in the middle in order, or the mean of two; rounded as the mean is. Complex numbers have none.
    Median,
    /// The smallest element.
    Minimum,
}

/// The number of each line along an axis, which stays with length 1.
pub fn statistic(e: &mut Expand, x: NodeId, axis: usize, statistic: MarginStatistic) -> NodeId {
    let over = Reduce { axes: vec![axis], keep: true, freedom: 0.0 };
    match statistic {
        MarginStatistic::Maximum => extreme(e, x, Fold::Max, &over),
        MarginStatistic::Minimum => extreme(e, x, Fold::Min, &over),
        MarginStatistic::Mean => rounded(e, x, |e, wide| mean(e, wide, &over, true)),
        MarginStatistic::Median => rounded(e, x, |e, wide| median(e, wide, axis)),
    }
}

/// What is computed in floats, in the dtype of x; of integers the nearest integer, and the even one of two.
fn rounded(e: &mut Expand, x: NodeId, of: impl FnOnce(&mut Expand, NodeId) -> NodeId) -> NodeId {
    let dtype = e.dtype(x);
    let exact = dtype.is_integer() || dtype == DType::Bool;
    let wide = if exact { e.convert(x, DType::F64) } else { e.widen(x) };
    let value = of(e, wide);
    let value = if dtype.is_integer() { e.prim(Prim::Round, &[value]) } else { value };
    e.convert(value, dtype)
}

/// The median of each line along an axis, which stays with length 1.
fn median(e: &mut Expand, x: NodeId, axis: usize) -> NodeId {
    let mut shape = e.shape(x);
    let order: Vec<usize> = (0..shape.len()).filter(|&other| other != axis).chain([axis]).collect();
    let lines: Shape = order.iter().map(|&from| shape[from].clone()).collect();
    let x = e.view(x, View::Transpose(order.into_iter().map(|from| from as u32).collect()), lines);
    let middle = middle(e, x);
    shape[axis] = Dim::Const(1);
    e.view(middle, View::Reshape, shape)
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
