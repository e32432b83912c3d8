//! Factors of matrices, cut out of the one matrix that a library makes.

use super::expand::Expand;
use super::lines::LineCall;
use crate::ir::library::{Library, MatrixFunction};
use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, Slice, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim};

/// All that is found in matrices.
pub(super) fn factor(e: &mut Expand, factor: MatrixFunction, args: &[NodeId], len: Option<Dim>) -> NodeId {
    e.routine(Routine::Library(Library::Matrices(factor)), args, len)
}

/// What stands above a row that says where there is no answer.
pub(super) fn answer(
    e: &mut Expand,
    asked: &mut LineCall,
    of: MatrixFunction,
    args: &[NodeId],
    is: &'static str,
) -> NodeId {
    let found = factor(e, of, args, None);
    let (rows, columns) = sides(e, args[args.len() - 1]);
    let flags = block(e, found, (rows.clone(), Dim::Const(1)), (Dim::Const(0), columns.clone()));
    let flags = real(e, flags);
    let flags = e.convert(flags, DType::Bool);
    let rank = e.shape(flags).len();
    let unfit = e.fold(Fold::Any, flags, &[rank - 2, rank - 1]);
    asked.results.unfit = Some((unfit, is));
    block(e, found, (Dim::Const(0), rows), (Dim::Const(0), columns))
}

/// How many rows and columns.
fn sides(e: &Expand, x: NodeId) -> (Dim, Dim) {
    let shape = e.shape(x);
    (shape[shape.len() - 2].clone(), shape[shape.len() - 1].clone())
}

/// A block of a matrix. `rows` and `columns` say where it begins, and how many rows and columns it has.
fn block(e: &mut Expand, x: NodeId, rows: (Dim, Dim), columns: (Dim, Dim)) -> NodeId {
    let mut shape = e.shape(x);
    let mut region = vec![Slice::all(); shape.len()];
    let at = shape.len() - 2;
    for (axis, (start, len)) in [rows, columns].into_iter().enumerate() {
        region[at + axis] = Slice { start, step: 1 };
        shape[at + axis] = len;
    }
    e.0.slice(x, &region, shape)
}

/// A row as a vector.
pub(super) fn row_of(e: &mut Expand, x: NodeId, row: u64) -> NodeId {
    let (_, columns) = sides(e, x);
    part_of_row(e, x, Dim::Const(row), columns)
}

fn part_of_row(e: &mut Expand, x: NodeId, row: Dim, columns: Dim) -> NodeId {
    let row = block(e, x, (row, Dim::Const(1)), (Dim::Const(0), columns));
    let mut shape = e.shape(row);
    shape.remove(shape.len() - 2);
    e.view(row, View::Reshape, shape)
}

/// One element of the first row.
pub(super) fn cell(e: &mut Expand, x: NodeId, column: u64) -> NodeId {
    let cell = block(e, x, (Dim::Const(0), Dim::Const(1)), (Dim::Const(column), Dim::Const(1)));
    let shape = e.shape(cell);
    e.view(cell, View::Reshape, shape[..shape.len() - 2].to_vec())
}

/// The real part.
pub(super) fn real(e: &mut Expand, x: NodeId) -> NodeId {
    if e.dtype(x).is_complex() { e.parts(x).0 } else { x }
}

fn transposed(e: &mut Expand, x: NodeId) -> NodeId {
    let mut shape = e.shape(x);
    let rank = shape.len();
    shape.swap(rank - 2, rank - 1);
    let mut order: Vec<u32> = (0..rank as u32).collect();
    order.swap(rank - 2, rank - 1);
    e.view(x, View::Transpose(order), shape)
}

/// Transposed and conjugated.
pub(super) fn adjoint(e: &mut Expand, x: NodeId) -> NodeId {
    let x = transposed(e, x);
    if !e.dtype(x).is_complex() {
        return x;
    }
    let (re, im) = e.parts(x);
    let im = e.prim(Prim::Neg, &[im]);
    e.pair(re, im)
}

/// The operand with the triangle that is asked for below.
pub(super) fn lower(e: &mut Expand, asked: &LineCall) -> NodeId {
    if asked.options.words[0] == 0 { asked.operands.args[0] } else { adjoint(e, asked.operands.args[0]) }
}

/// A row of eigenvalues, and eigenvectors as columns.
pub(super) fn eigen(e: &mut Expand, of: MatrixFunction, x: NodeId) -> (NodeId, NodeId) {
    let found = factor(e, of, &[x], None);
    let (n, _) = sides(e, x);
    let vectors = block(e, found, (Dim::Const(1), n.clone()), (Dim::Const(0), n));
    (row_of(e, found, 0), vectors)
}

/// The smaller of two lengths, or the larger one; of lengths that are not known yet the smaller one is a dimension of
/// its own.
fn smaller(e: &mut Expand, asked: &mut LineCall, one: &Dim, other: &Dim) -> Dim {
    match (one.known(), other.known()) {
        _ if one == other => one.clone(),
        (Some(one), Some(other)) => Dim::Const(one.min(other)),
        _ => {
            let lens = [e.dim(one), e.dim(other)];
            let least = e.prim(Prim::Min, &lens);
            asked.length(e, least)
        }
    }
}

/// As many as the larger of two lengths at least.
fn enough(one: &Dim, other: &Dim) -> Dim {
    match (one.known(), other.known()) {
        _ if one == other => one.clone(),
        (Some(one), Some(other)) => Dim::Const(one.max(other)),
        _ => one.add_scaled(other, 1).unwrap_or_else(|| one.clone()),
    }
}

/// The singular values of matrices.
pub(super) fn singular_values(e: &mut Expand, asked: &mut LineCall, x: NodeId) -> NodeId {
    let (m, n) = sides(e, x);
    let k = smaller(e, asked, &m, &n);
    let found = factor(e, MatrixFunction::SingularValues, &[x], Some(k));
    row_of(e, found, 0)
}

pub(super) fn orthogonal(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let x = asked.operands.args[0];
    let (m, n) = sides(e, x);
    let columns = if asked.options.words[0] == 1 { m.clone() } else { smaller(e, asked, &m, &n) };
    let found = factor(e, MatrixFunction::Qr, &[x], Some(columns.clone()));
    let zero = Dim::Const(0);
    let r = block(e, found, (zero.clone(), columns.clone()), (columns.clone(), n));
    if asked.options.words[0] == 2 {
        return vec![r];
    }
    vec![block(e, found, (zero.clone(), m), (zero, columns)), r]
}

/// Rows in another order, and two triangles.
pub(super) fn triangles(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let x = asked.operands.args[0];
    let (m, n) = sides(e, x);
    let k = smaller(e, asked, &m, &n);
    let found = factor(e, MatrixFunction::Lu, &[x], None);
    let (zero, twice) = (Dim::Const(0), m.add_scaled(&m, 1).unwrap_or(Dim::Const(0)));
    let order = block(e, found, (zero.clone(), m.clone()), (zero.clone(), m.clone()));
    let lower = block(e, found, (zero.clone(), m.clone()), (m, k.clone()));
    vec![order, lower, block(e, found, (zero, k), (twice, n))]
}

pub(super) fn singular(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let x = asked.operands.args[0];
    if !asked.options.flags[1] {
        asked.results.parts = true;
        return vec![singular_values(e, asked, x)];
    }
    let (m, n) = sides(e, x);
    let k = smaller(e, asked, &m, &n);
    let (of, len, [left, right]) = match asked.options.flags[0] {
        true => (MatrixFunction::FullSvd, enough(&m, &n), [m.clone(), n.clone()]),
        false => (MatrixFunction::ThinSvd, k.clone(), [k.clone(), k.clone()]),
    };
    let found = factor(e, of, &[x], Some(len));
    let zero = Dim::Const(0);
    let u = block(e, found, (zero.clone(), m.clone()), (zero.clone(), left));
    let s = part_of_row(e, found, m.clone(), k);
    let below = m.add_scaled(&Dim::Const(1), 1).unwrap_or(zero.clone());
    let v = block(e, found, (below, n), (zero, right));
    vec![u, real(e, s), transposed(e, v)]
}
