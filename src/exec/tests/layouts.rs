//! Operands seen through views, against contiguous copies of them.

use super::edges::{apply, signatures};
use super::{Random, agree, dense, dims, output, run_by};
use crate::array::Array;
use crate::exec::Engine;
use crate::exec::fold::is_legal;
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, Program, Slice, View};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim};

/// An input and a view of it with this shape.
fn seen(b: &mut ProgramBuilder, random: &mut Random, name: &str, dtype: DType, shape: [usize; 2]) -> NodeId {
    let mut input = |b: &mut ProgramBuilder, shape: &[usize]| {
        let node = b.input(name, Span::default(), dtype, dims(shape));
        b.bind(node, dense(random, dtype, shape));
        node
    };
    let [rows, columns] = shape;
    let at = |start: usize, step: i64| Slice { start: Dim::Const(start as u64), step };
    match input_kind(name, rows, columns) {
        0 => input(b, &shape),
        1 => {
            let x = input(b, &[columns, rows]);
            b.view(x, View::Transpose(vec![1, 0]), dims(&shape))
        }
        2 => {
            let x = input(b, &[rows, 1]);
            b.broadcast(x, &dims(&shape))
        }
        3 => {
            let x = input(b, &[columns]);
            b.broadcast(x, &dims(&shape))
        }
        4 => {
            let x = input(b, &[rows + 2, columns]);
            b.slice(x, &[at(1, 1), at(columns - 1, -1)], dims(&shape))
        }
        5 => {
            let x = input(b, &[2 * rows, 3 * columns + 1]);
            b.slice(x, &[at(2 * rows - 1, -2), at(1, 3)], dims(&shape))
        }
        // Rows that have all but one element in common.
        6 => {
            let x = input(b, &[rows + columns - 1]);
            b.view(x, View::Windows(0), dims(&shape))
        }
        // Backwards through a broadcast axis, and turned.
        _ => {
            let x = input(b, &[columns, 1]);
            let wide = b.broadcast(x, &dims(&[columns, rows + 1]));
            let some = b.slice(wide, &[at(columns - 1, -1), at(rows, -1)], dims(&[columns, rows]));
            b.view(some, View::Transpose(vec![1, 0]), dims(&shape))
        }
    }
}

/// A way to see an input that depends on its name and size alone, so that all come up.
fn input_kind(name: &str, rows: usize, columns: usize) -> usize {
    (name.bytes().map(usize::from).sum::<usize>() + 3 * rows + columns) % 8
}

/// The same program on contiguous copies of what it sees, and what it gives.
fn on_copies(views: &Program, seen: &[NodeId], write: impl Fn(&mut ProgramBuilder, &[NodeId]) -> NodeId) -> Vec<Array> {
    let mut shown = views.clone();
    shown.outputs = seen.iter().map(|&node| output(node)).collect();
    let arrays = super::run_with(&shown, Engine::Reference).unwrap();
    let mut b = ProgramBuilder::default();
    let inputs: Vec<NodeId> = arrays
        .into_iter()
        .enumerate()
        .map(|(index, array)| {
            let array = array.to_contiguous().unwrap();
            let node = b.input(&format!("c{index}"), Span::default(), array.dtype(), dims(array.shape()));
            b.bind(node, array);
            node
        })
        .collect();
    let node = write(&mut b, &inputs);
    b.output(output(node));
    agree(&b.finish())
}

fn same_as_copies(
    random: &mut Random,
    dtypes: &[DType],
    shape: [usize; 2],
    write: impl Fn(&mut ProgramBuilder, &[NodeId]) -> NodeId,
) {
    let mut b = ProgramBuilder::default();
    let salt = random.below(7);
    let views: Vec<NodeId> = dtypes
        .iter()
        .enumerate()
        .map(|(index, &dtype)| seen(&mut b, random, &format!("{}{index}", "x".repeat(salt + 2 * index)), dtype, shape))
        .collect();
    let node = write(&mut b, &views);
    b.output(output(node));
    let program = b.finish();
    let arrays = agree(&program);
    assert_eq!(arrays, on_copies(&program, &views, write), "{}", crate::ir::print::program(&program));
}

#[test]
fn every_prim_gives_the_same_for_any_layout() {
    let mut random = Random::new(4);
    for prim in Prim::ALL {
        for (args, result) in signatures(prim) {
            for shape in [[3, 21], [5, 1], [1, 70], [2, 2]] {
                same_as_copies(&mut random, &args, shape, |b, x| apply(b, prim, x, result));
            }
        }
    }
}

#[test]
fn folds_scans_and_places_give_the_same_for_any_layout() {
    let mut random = Random::new(5);
    for dtype in DType::ALL {
        for shape in [[3, 21], [40, 3], [1, 1100], [33, 70]] {
            for fold in [Fold::Sum, Fold::Prod, Fold::Min, Fold::Max] {
                if !is_legal(fold, dtype) {
                    continue;
                }
                for axis in [0, 1] {
                    same_as_copies(&mut random, &[dtype], shape, |b, x| b.fold(fold, x[0], &[axis]));
                    same_as_copies(&mut random, &[dtype], shape, |b, x| b.scan(fold, x[0], axis));
                }
            }
            for axis in [0, 1] {
                same_as_copies(&mut random, &[dtype, DType::I64], shape, |b, x| {
                    let row = b.slice(x[1], &[Slice::all(), Slice::all()], dims(&[shape[0], 1]));
                    b.gather(x[0], row, axis)
                });
                same_as_copies(&mut random, &[dtype, dtype], shape, |b, x| b.concat(x, axis));
            }
            same_as_copies(&mut random, &[dtype, dtype], shape, |b, x| {
                let one = Slice { start: Dim::Const(shape[0] as u64 - 1), step: -1 };
                let region = [one, Slice::all()];
                let lens = dims(&[shape[0], 1]);
                let value = b.slice(x[1], &[Slice::all(), Slice::all()], lens);
                b.update(x[0], &region, value)
            });
        }
    }
}

/// Results that fill more than the caches pass them by: whole, as a part that begins anywhere, and in rows of any
/// length.
#[test]
fn results_larger_than_the_caches_agree() {
    const LEN: usize = 9 << 20;
    let bytes: Vec<u8> = (0..LEN).map(|index| (index * 7 + index / 251) as u8).collect();
    let whole = Array::from_elements(&[LEN], &bytes);
    let twice_more = |shape: &[usize], shown: &Array| {
        let mut b = ProgramBuilder::default();
        let x = b.input("x", Span::default(), DType::U8, dims(shape));
        b.bind(x, shown.clone());
        let (wide, two) = (b.convert(x, DType::F32), b.constant(Scalar::of(2f32)));
        let node = b.map(Prim::Mul, &[wide, two]);
        b.output(output(node));
        b.finish()
    };
    let expected: Vec<f32> = bytes.iter().map(|&byte| f32::from(byte) * 2.0).collect();
    let rows = [LEN / 9437, 9437];
    for (shape, count) in [(&[LEN][..], LEN), (&rows[..], rows[0] * rows[1])] {
        let strides = if shape.len() == 1 { vec![1] } else { vec![rows[1] as isize, 1] };
        let program = twice_more(shape, &whole.view(shape.to_vec(), strides, 0));
        for (engine, threads) in [(Engine::Jit, 1), (Engine::Jit, 3), (Engine::Blocks, 2)] {
            let made = run_by(&program, engine, threads).unwrap();
            assert!(made[0].to_vec::<f32>() == expected[..count], "{engine:?} {threads} {shape:?}");
        }
    }
    // In an array of which one element is left as it was.
    for begin in [0, 1, 3] {
        let mut b = ProgramBuilder::default();
        let x = b.input("x", Span::default(), DType::U8, dims(&[LEN - 3]));
        b.bind(x, whole.view(vec![LEN - 3], vec![1], 0));
        let (wide, one) = (b.convert(x, DType::F32), b.constant(Scalar::of(1f32)));
        let base = b.iota(0, dims(&[LEN]));
        let base = b.convert(base, DType::F32);
        let more = b.map(Prim::Add, &[wide, one]);
        let node = b.update(base, &[Slice { start: Dim::Const(begin as u64), step: 1 }], more);
        b.output(output(node));
        let made = run_by(&b.finish(), Engine::Jit, 2).unwrap()[0].to_vec::<f32>();
        for (index, &element) in made.iter().enumerate() {
            let inside = index.checked_sub(begin).and_then(|at| bytes[..LEN - 3].get(at));
            let expected = inside.map_or(index as f32, |&byte| f32::from(byte) + 1.0);
            assert!(element == expected, "{index} after {begin}: {element} {expected}");
        }
    }
}
