//! Random nodes that move elements, with scans.

use super::{Random, dims};
use crate::array::Array;
use crate::exec::fold::is_legal;
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, Slice, View};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, shape};

/// All of an axis.
fn all() -> Slice {
    Slice::all()
}

fn at(start: usize, step: i64) -> Slice {
    Slice { start: Dim::Const(start as u64), step }
}

/// Some slice of an axis with `len` positions, and how many it takes.
fn some_slice(random: &mut Random, len: usize) -> (Slice, usize) {
    let step: i64 = random.pick(&[1, 1, 2, 3, -1, -2]);
    let apart = step.unsigned_abs() as usize;
    let count = random.below(len.div_ceil(apart) + 1);
    let span = count.saturating_sub(1) * apart;
    let low = random.below((len - span).max(1));
    (at(if step < 0 { low + span } else { low }, step), count)
}

fn region(random: &mut Random, sizes: &[usize]) -> (Vec<Slice>, Vec<usize>) {
    sizes.iter().map(|&len| if random.below(3) == 0 { (all(), len) } else { some_slice(random, len) }).unzip()
}

/// Some values of both, when there is a prim for that.
fn mix(b: &mut ProgramBuilder, x: NodeId, y: NodeId) -> NodeId {
    let dtype = b.dtype(x);
    match dtype {
        DType::Bool => b.map(Prim::Xor, &[x, y]),
        _ if dtype.is_complex() => x,
        _ if dtype.is_small_float() => {
            let (x, y) = (b.convert(x, DType::F32), b.convert(y, DType::F32));
            let difference = b.map(Prim::Sub, &[x, y]);
            b.convert(difference, dtype)
        }
        _ => b.map(Prim::Sub, &[x, y]),
    }
}

/// A node of the shape of `arg`, or of one that broadcasts to it, with elements of `arg` and `other` in other places.
pub(super) fn moved(b: &mut ProgramBuilder, random: &mut Random, arg: NodeId, other: Option<NodeId>) -> NodeId {
    let sizes = shape::sizes(b.shape(arg)).unwrap();
    if sizes.is_empty() {
        return arg;
    }
    let axis = random.below(sizes.len());
    let len = sizes[axis];
    match random.below(9) {
        // Neighbours.
        0 if len > 1 => {
            let take = |b: &mut ProgramBuilder, start: usize, lens: &[usize]| {
                let mut region = vec![all(); sizes.len()];
                region[axis] = at(start, 1);
                b.slice(arg, &region, dims(lens))
            };
            let mut lens = sizes.clone();
            lens[axis] = len - 1;
            let (later, earlier) = (take(b, 1, &lens), take(b, 0, &lens));
            let difference = mix(b, later, earlier);
            lens[axis] = 1;
            let first = take(b, 0, &lens);
            b.concat(&[first, difference], axis)
        }
        // Backwards.
        1 if len > 0 => {
            let mut region = vec![all(); sizes.len()];
            region[axis] = at(len - 1, -1);
            b.slice(arg, &region, dims(&sizes))
        }
        // One of them.
        2 if len > 0 => {
            let (mut region, mut lens) = (vec![all(); sizes.len()], sizes.clone());
            region[axis] = at(random.below(len), 1);
            lens[axis] = 1;
            b.slice(arg, &region, dims(&lens))
        }
        3 => {
            let fold = random.pick(&[Fold::Sum, Fold::Prod, Fold::Min, Fold::Max]);
            if is_legal(fold, b.dtype(arg)) { b.scan(fold, arg, axis) } else { arg }
        }
        // By positions, some of them outside.
        4 => {
            let count = random.pick(&[len, len, 1]);
            let index = if random.below(2) == 0 {
                let number = b.program().inputs.len();
                let index = b.input(&format!("i{number}"), Span::default(), DType::I64, dims(&[count]));
                let positions: Vec<i64> = (0..count).map(|_| random.below(len + 4) as i64 - 2).collect();
                b.bind(index, Array::from_elements(&[count], &positions));
                index
            } else {
                let count = b.iota(0, dims(&[count]));
                let odd = b.constant(Scalar::of(random.pick(&[-1i64, 7, 3])));
                b.map(Prim::Mul, &[count, odd])
            };
            b.gather(arg, index, axis)
        }
        // By one position.
        5 => {
            let positive = is_positive(b, arg);
            let first = b.fold(Fold::FirstTrue, positive, &(0..sizes.len()).collect::<Vec<_>>());
            let one = b.gather(arg, first, axis);
            let mut lens = sizes.clone();
            lens[axis] = 1;
            b.view(one, View::Reshape, dims(&lens))
        }
        // Rolled.
        6 if len > 0 => {
            let cut = random.below(len + 1);
            let part = |b: &mut ProgramBuilder, start: usize, count: usize| {
                let (mut region, mut lens) = (vec![all(); sizes.len()], sizes.clone());
                region[axis] = at(start, 1);
                lens[axis] = count;
                b.slice(arg, &region, dims(&lens))
            };
            let (tail, head) = (part(b, cut, len - cut), part(b, 0, cut));
            b.concat(&[tail, head], axis)
        }
        // Some of it replaced, by its own elements or by others.
        _ => {
            let (place, lens) = region(random, &sizes);
            let from = other.filter(|&other| shape::sizes(b.shape(other)).unwrap() == sizes).unwrap_or(arg);
            let theirs: Vec<Slice> = (0..sizes.len())
                .map(|axis| {
                    let span = lens[axis].max(1) - 1;
                    let low = random.below((sizes[axis] - span.min(sizes[axis])).max(1));
                    if random.below(4) == 0 { at(low + span, -1) } else { at(low, 1) }
                })
                .collect();
            let theirs = if random.below(3) == 0 { place.clone() } else { theirs };
            let value = b.slice(from, &theirs, dims(&lens));
            let old = b.slice(arg, &place, dims(&lens));
            let value = if random.below(2) == 0 { mix(b, value, old) } else { value };
            b.update(arg, &place, value)
        }
    }
}

fn is_positive(b: &mut ProgramBuilder, arg: NodeId) -> NodeId {
    match b.dtype(arg) {
        DType::Bool => arg,
        dtype => {
            let real = if dtype.is_complex() { b.map(Prim::Real, &[arg]) } else { arg };
            let zero = b.constant(Scalar::zero(b.dtype(real)));
            b.map(Prim::Lt, &[zero, real])
        }
    }
}
