//! Products of two arrays whose axes have labels, as one routine: what each label means decides where its axis goes.
//!
//! ```text
//! both, and in the result   a place for each product     before the last two axes
//! left alone                rows                          one axis of them all
//! both, not in the result   what is summed over           one axis of them all
//! right alone               columns                       one axis of them all
//! ```

use super::expand::Expand;
use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, NodeKind, Slice, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};

/// An array with a label for each axis.
#[derive(Clone, Debug)]
pub struct LabelledArray {
    /// The array.
    pub node: NodeId,
    /// Its labels.
    pub labels: Vec<u32>,
}

impl Expand<'_> {
    /// The product of two arrays, summed over the labels that nobody wants; `None` where lengths have no product that
    /// can be counted. Labels of both have one length, and each array has a label once.
    pub fn contract(&mut self, left: LabelledArray, right: LabelledArray, wanted: &[u32]) -> Option<LabelledArray> {
        let left = self.without(left, |label| wanted.contains(&label) || right.labels.contains(&label));
        let right = self.without(right, |label| wanted.contains(&label) || left.labels.contains(&label));
        let in_both = |label: &&u32| right.labels.contains(label);
        let (shared, rows): (Vec<u32>, Vec<u32>) = left.labels.iter().partition(in_both);
        let (places, summed): (Vec<u32>, Vec<u32>) = shared.iter().partition(|label| wanted.contains(label));
        let columns: Vec<u32> = right.labels.iter().copied().filter(|label| !shared.contains(label)).collect();
        let labels = [places.clone(), rows.clone(), columns.clone()].concat();
        if summed.is_empty() || rows.is_empty() && columns.is_empty() {
            let all = [labels.clone(), summed.clone()].concat();
            let (x, y) = (self.spread(&left, &all), self.spread(&right, &all));
            let node = self.summed_products(x, y, labels.len(), summed.len());
            return Some(LabelledArray { node, labels });
        }
        let lengths = |e: &Self, of: &LabelledArray, labels: &[u32]| -> Shape {
            labels.iter().map(|label| e.shape(of.node)[place(&of.labels, *label)].clone()).collect()
        };
        let before = lengths(self, &left, &places);
        let (high, wide) = (lengths(self, &left, &rows), lengths(self, &right, &columns));
        let x = self.grouped(&left, [&places, &rows, &summed])?;
        let y = self.grouped(&right, [&places, &summed, &columns])?;
        let node = self.product(x, y)?;
        let node = self.view(node, View::Reshape, [before, high, wide].concat());
        Some(LabelledArray { node, labels })
    }

    /// Products element by element, summed over the last axes.
    fn summed_products(&mut self, x: NodeId, y: NodeId, kept: usize, summed: usize) -> NodeId {
        let axes: Vec<usize> = (kept..kept + summed).collect();
        let product = if self.dtype(x) == DType::Bool { self.prim(Prim::And, &[x, y]) } else { self.mul(x, y) };
        match (axes.is_empty(), self.dtype(x)) {
            (true, _) => product,
            (false, DType::Bool) => self.fold(Fold::Any, product, &axes),
            (false, _) => self.fold(Fold::Sum, product, &axes),
        }
    }

    /// An array summed over the labels that are not kept.
    pub fn without(&mut self, of: LabelledArray, keep: impl Fn(u32) -> bool) -> LabelledArray {
        let axes: Vec<usize> = (0..of.labels.len()).filter(|&axis| !keep(of.labels[axis])).collect();
        if axes.is_empty() {
            return of;
        }
        let fold = if self.dtype(of.node) == DType::Bool { Fold::Any } else { Fold::Sum };
        let node = self.fold(fold, of.node, &axes);
        LabelledArray { node, labels: of.labels.into_iter().filter(|&label| keep(label)).collect() }
    }

    /// An array with its axes in the order of labels.
    pub fn in_order(&mut self, of: &LabelledArray, labels: &[u32]) -> NodeId {
        let order: Vec<u32> = labels.iter().map(|&label| place(&of.labels, label) as u32).collect();
        let own = self.shape(of.node);
        let shape = order.iter().map(|&axis| own[axis as usize].clone()).collect();
        self.view(of.node, View::Transpose(order), shape)
    }

    /// An array with its axes in the order of labels, and with axes of length 1 for the labels that it does not have.
    fn spread(&mut self, of: &LabelledArray, labels: &[u32]) -> NodeId {
        let own: Vec<u32> = labels.iter().copied().filter(|label| of.labels.contains(label)).collect();
        let node = self.in_order(of, &own);
        let mut lengths = self.shape(node).into_iter();
        let length = |label: &u32| of.labels.contains(label).then(|| lengths.next()).flatten().unwrap_or(Dim::Const(1));
        let shape = labels.iter().map(length).collect();
        self.view(node, View::Reshape, shape)
    }

    /// An array with the axes of some labels, then one axis for each of two groups.
    fn grouped(&mut self, of: &LabelledArray, [places, first, second]: [&[u32]; 3]) -> Option<NodeId> {
        let node = self.in_order(of, &[places, first, second].concat());
        let own = self.shape(node);
        let count = |dims: &[Dim]| dims.iter().try_fold(Dim::Const(1), |count, dim| count.multiply(dim));
        let at = places.len() + first.len();
        let mut shape = own[..places.len()].to_vec();
        shape.push(count(&own[places.len()..at])?);
        shape.push(count(&own[at..])?);
        Some(self.view(node, View::Reshape, shape))
    }

    /// The product of matrices with the same axes before them.
    pub fn product(&mut self, x: NodeId, y: NodeId) -> Option<NodeId> {
        let [x, y] = [x, y].map(|factor| self.windows_of_converted(factor));
        if !self.dtype(x).is_complex() {
            return Some(self.0.routine(Routine::Product, &[x, y], None));
        }
        // Each complex product is two real ones, in the order of the parts.
        let ((a, b), (c, d)) = (self.both_parts(x), self.both_parts(y));
        let minus = self.prim(Prim::Neg, &[b]);
        let (re, im) = (self.by_turns(a, minus, 0)?, self.by_turns(a, b, 0)?);
        let (down, crossed) = (self.by_turns(c, d, 1)?, self.by_turns(d, c, 1)?);
        let re = self.0.routine(Routine::Product, &[re, down], None);
        let im = self.0.routine(Routine::Product, &[im, crossed], None);
        Some(self.pair(re, im))
    }

    /// Instead of windows whose elements are converted, windows of what was converted: they have elements in common,
    /// and a product reads them where they lie.
    fn windows_of_converted(&mut self, factor: NodeId) -> NodeId {
        let program = self.0.program();
        let NodeKind::Map(Prim::Convert, [Some(windows), ..]) = program.node(factor).kind else { return factor };
        let NodeKind::View { arg: whole, view: View::Windows(axis) } = program.node(windows).kind else {
            return factor;
        };
        let (dtype, shape) = (self.dtype(factor), self.shape(factor));
        let whole = self.convert(whole, dtype);
        self.view(whole, View::Windows(axis), shape)
    }

    /// The parts, each with the shape of the whole.
    fn both_parts(&mut self, z: NodeId) -> (NodeId, NodeId) {
        let shape = self.shape(z);
        let (re, im) = self.parts(z);
        (self.broadcast(re, &shape), self.broadcast(im, &shape))
    }

    /// The elements of two arrays by turns along an axis, which is counted from the end.
    fn by_turns(&mut self, x: NodeId, y: NodeId, from_end: usize) -> Option<NodeId> {
        let shape = self.shape(x);
        let axis = shape.len() - 1 - from_end;
        let mut single = shape.clone();
        single.insert(axis + 1, Dim::Const(1));
        let (x, y) = (self.view(x, View::Reshape, single.clone()), self.view(y, View::Reshape, single));
        let both = self.0.concat(&[x, y], axis + 1);
        let mut twice = shape;
        twice[axis] = twice[axis].multiply(&Dim::Const(2))?;
        Some(self.view(both, View::Reshape, twice))
    }

    /// The elements of a diagonal of the last two axes, `len` of them from a row and a column on.
    pub fn diagonal(&mut self, x: NodeId, (row, column): (u64, u64), len: Dim) -> Option<NodeId> {
        let shape = self.shape(x);
        let (before, [rows, columns]) = (shape[..shape.len() - 2].to_vec(), &shape[shape.len() - 2..]) else {
            return None;
        };
        if *rows == Dim::Const(0) || *columns == Dim::Const(0) || len == Dim::Const(0) {
            let mut region = vec![Slice::all(); shape.len()];
            region.iter_mut().skip(before.len()).for_each(|slice| *slice = Slice { start: Dim::Const(0), step: 1 });
            let none = [before.clone(), vec![Dim::Const(0), Dim::Const(0)]].concat();
            let node = self.0.slice(x, &region, none);
            return Some(self.view(node, View::Reshape, [before, vec![Dim::Const(0)]].concat()));
        }
        let flat = [before, vec![rows.multiply(columns)?]].concat();
        let axis = flat.len() - 1;
        let (count, wide) = (self.0.iota(0, vec![len]), self.dim(columns));
        let one = self.whole(1);
        let step = self.prim(Prim::Add, &[wide, one]);
        let place = self.prim(Prim::Mul, &[count, step]);
        let (down, across) = (self.whole(row as i64), self.whole(column as i64));
        let above = self.prim(Prim::Mul, &[down, wide]);
        let first = self.prim(Prim::Add, &[above, across]);
        let place = self.prim(Prim::Add, &[place, first]);
        let node = self.view(x, View::Reshape, flat);
        Some(self.0.gather(node, place, axis))
    }

    /// The column less the row of each element of the last two axes.
    pub fn beside(&mut self, shape: &Shape) -> NodeId {
        let last = shape[shape.len() - 2..].to_vec();
        let (row, column) = (self.0.iota(0, last.clone()), self.0.iota(1, last));
        self.prim(Prim::Sub, &[column, row])
    }
}

fn place(labels: &[u32], label: u32) -> usize {
    labels.iter().position(|&own| own == label).expect("the array has the label")
}
