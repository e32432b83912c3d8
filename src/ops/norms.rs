//! Norms of vectors or matrices.

use super::expand::Expand;
use super::factors::singular_values;
use super::lines::LineCall;
use super::power;
use crate::ir::{Fold, NodeId};
use crate::scalar::prim::Prim;
use crate::types::Dim;

/// The norms of matrices that have names.
pub const WORDS: &[&str] = &["fro", "nuc"];

/// The orders that norms of matrices have.
pub const ORDERS: &[f64] = &[1.0, -1.0, 2.0, -2.0, f64::INFINITY, f64::NEG_INFINITY];

/// The norm of what lies along the last axis, or with the flag along the last two: one number for each.
pub(super) fn norm(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let x = asked.operands.args[0];
    let rank = e.shape(x).len();
    let is_matrix = asked.options.flags[0];
    let (rows, columns) = (rank.saturating_sub(2), rank - 1);
    let order = asked.options.numbers.first().copied();
    vec![match (is_matrix, asked.options.words.first(), order) {
        (true, Some(1), _) => {
            let values = singular_values(e, asked, x);
            e.fold(Fold::Sum, values, &[rows])
        }
        (true, _, Some(2.0 | -2.0)) => {
            let values = singular_values(e, asked, x);
            extreme(e, order, values, rows)
        }
        (true, _, Some(order)) => {
            // Sums of columns, or of rows; of them the largest or the smallest.
            let sizes = e.magnitude(x);
            let summed = if order.is_infinite() { columns } else { rows };
            let sums = e.fold(Fold::Sum, sizes, &[summed]);
            extreme(e, Some(order), sums, rows)
        }
        (true, _, None) => root_of_squares(e, x, &[rows, columns]),
        (false, _, None | Some(2.0)) => root_of_squares(e, x, &[columns]),
        (false, _, Some(1.0)) => {
            let sizes = e.magnitude(x);
            e.fold(Fold::Sum, sizes, &[columns])
        }
        (false, _, Some(0.0)) => {
            let sizes = e.magnitude(x);
            let zero = e.number(sizes, 0.0);
            let is = e.prim(Prim::Ne, &[sizes, zero]);
            let ones = e.convert(is, e.dtype(sizes));
            e.fold(Fold::Sum, ones, &[columns])
        }
        (false, _, Some(order)) if order.is_infinite() => {
            let sizes = e.magnitude(x);
            extreme(e, Some(order), sizes, columns)
        }
        (false, _, Some(order)) => {
            let sizes = e.magnitude(x);
            let by = e.number(sizes, order);
            let powers = power::power(e, sizes, by);
            let sum = e.fold(Fold::Sum, powers, &[columns]);
            let back = e.number(sum, 1.0 / order);
            power::power(e, sum, back)
        }
    }]
}

/// The smallest or the largest of magnitudes along an axis; the largest of nothing is 0.
fn extreme(e: &mut Expand, order: Option<f64>, sizes: NodeId, axis: usize) -> NodeId {
    let mut shape = e.shape(sizes);
    let (fold, sizes) = match order {
        Some(order) if order < 0.0 => (Fold::Min, sizes),
        _ if shape[axis].known() == Some(0) => (Fold::Sum, sizes),
        _ if shape[axis].is_at_least(1) => (Fold::Max, sizes),
        // There may be nothing: a 0 behind the others changes no largest one.
        _ => {
            shape[axis] = Dim::Const(1);
            let zero = e.number(sizes, 0.0);
            let zero = e.broadcast(zero, &shape);
            (Fold::Max, e.0.concat(&[sizes, zero], axis))
        }
    };
    e.fold(fold, sizes, &[axis])
}

fn root_of_squares(e: &mut Expand, x: NodeId, axes: &[usize]) -> NodeId {
    let squares = super::reduce::squares(e, x);
    let sum = e.fold(Fold::Sum, squares, axes);
    e.prim(Prim::Sqrt, &[sum])
}
