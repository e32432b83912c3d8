//! Folds of terms made where they are added, or at edges of blocks.

use super::{FOLDS, Random, agree, dense, dims, output};
use crate::array::Array;
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, Program, Slice};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim};

const LENGTHS: [usize; 18] = [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 130, 1023, 1024, 1025, 2100, 5000];

/// Folds what `write` makes of arrays of these dtypes.
fn program(
    fold: Fold,
    dtypes: &[DType],
    shape: &[usize],
    write: impl Fn(&mut ProgramBuilder, &[NodeId]) -> NodeId,
) -> Program {
    let mut random = Random::new(17 + shape[0] as u64);
    let mut b = ProgramBuilder::default();
    let mut inputs = Vec::new();
    for (index, &dtype) in dtypes.iter().enumerate() {
        let node = b.input(&format!("x{index}"), Span::default(), dtype, dims(shape));
        b.bind(node, dense(&mut random, dtype, shape));
        inputs.push(node);
    }
    let value = write(&mut b, &inputs);
    let folded = b.fold(fold, value, &[shape.len() - 1]);
    b.output(output(folded));
    b.finish()
}

#[test]
fn sums_of_products_and_squares_have_the_bits_of_the_reference() {
    for len in LENGTHS {
        for dtype in [DType::F32, DType::F64] {
            for shape in [vec![len], vec![3, len]] {
                agree(&program(Fold::Sum, &[dtype; 2], &shape, |b, x| b.map(Prim::Mul, &[x[0], x[1]])));
                agree(&program(Fold::Sum, &[dtype; 1], &shape, |b, x| b.map(Prim::Mul, &[x[0], x[0]])));
                let distance = |second: fn(&mut ProgramBuilder, NodeId, DType) -> NodeId| {
                    move |b: &mut ProgramBuilder, x: &[NodeId]| {
                        let second = second(b, x[1], dtype);
                        let difference = b.map(Prim::Sub, &[x[0], second]);
                        b.map(Prim::Mul, &[difference, difference])
                    }
                };
                agree(&program(Fold::Sum, &[dtype; 2], &shape, distance(|_, x, _| x)));
                agree(&program(Fold::Sum, &[dtype; 2], &shape, distance(|b, x, _| b.map(Prim::Neg, &[x]))));
                // From the last of each row.
                let last = shape.len() - 1;
                let largest = program(Fold::Sum, &[dtype; 2], &shape, |b, x| {
                    let largest = b.fold_keeping(Fold::Max, x[1], &[last]);
                    let difference = b.map(Prim::Sub, &[x[0], largest]);
                    b.map(Prim::Mul, &[difference, difference])
                });
                agree(&largest);
            }
        }
    }
}

#[test]
fn sums_of_narrow_numbers_have_the_bits_of_the_reference() {
    for len in LENGTHS {
        for from in DType::ALL.into_iter().filter(|dtype| !dtype.is_complex()) {
            for to in [DType::I64, DType::U64, DType::F64, DType::F32] {
                agree(&program(Fold::Sum, &[from], &[len], |b, x| b.convert(x[0], to)));
            }
        }
        agree(&program(Fold::Sum, &[DType::F32; 2], &[len], |b, x| {
            let less = b.map(Prim::Lt, &[x[0], x[1]]);
            b.convert(less, DType::I64)
        }));
    }
}

#[test]
fn several_folds_of_one_product_agree() {
    for len in [5, 1025, 3000] {
        let mut random = Random::new(2);
        let mut b = ProgramBuilder::default();
        let x: Vec<NodeId> = (0..2)
            .map(|index| {
                let node = b.input(&format!("x{index}"), Span::default(), DType::F32, dims(&[len]));
                b.bind(node, dense(&mut random, DType::F32, &[len]));
                node
            })
            .collect();
        let product = b.map(Prim::Mul, &[x[0], x[1]]);
        let folds = [Fold::Sum, Fold::Max, Fold::ArgMin].map(|fold| b.fold(fold, product, &[0]));
        let plain = b.fold(Fold::Sum, x[0], &[0]);
        b.output(output(product));
        folds.into_iter().chain([plain]).for_each(|node| b.output(output(node)));
        agree(&b.finish());
    }
}

#[test]
fn extremes_of_floats_agree_wherever_the_awkward_ones_are() {
    for dtype in [DType::F32, DType::F64, DType::Bf16] {
        for len in [1usize, 2, 63, 64, 65, 1000, 1024, 1030, 3000] {
            for (odd, plain) in [(f64::NAN, 1.0), (-0.0, 0.0), (0.0, -0.0), (f64::INFINITY, -1.0), (-1e300, 1e-310)] {
                for at in [0, len / 2, len - 1] {
                    let element = |index: usize| Scalar::of(if index == at { odd } else { plain });
                    let values: Vec<f64> = (0..len).map(|index| f64::from_bits(element(index).bits as u64)).collect();
                    let mut b = ProgramBuilder::default();
                    let x = b.input("x", Span::default(), DType::F64, dims(&[len]));
                    b.bind(x, Array::from_elements(&[len], &values));
                    let x = b.convert(x, dtype);
                    for fold in [Fold::Min, Fold::Max, Fold::ArgMin, Fold::ArgMax] {
                        let node = b.fold(fold, x, &[0]);
                        b.output(output(node));
                    }
                    agree(&b.finish());
                }
            }
        }
    }
}

#[test]
fn places_of_extremes_agree_along_every_axis() {
    for dtype in [DType::F32, DType::F64, DType::I32, DType::U8, DType::F16] {
        for shape in [[1, 300], [40, 70], [1100, 33]] {
            for axis in 0..2 {
                let mut random = Random::new(4);
                let mut b = ProgramBuilder::default();
                let x = b.input("x", Span::default(), dtype, dims(&shape));
                b.bind(x, dense(&mut random, dtype, &shape));
                for fold in [Fold::ArgMin, Fold::ArgMax, Fold::Max] {
                    let node = b.fold(fold, x, &[axis]);
                    b.output(output(node));
                }
                agree(&b.finish());
            }
        }
    }
}

#[test]
fn short_rows_and_wide_ones_agree_along_every_axis() {
    for dtype in [DType::F32, DType::F64, DType::F16, DType::I32, DType::C64] {
        for shape in [[100, 1], [5, 31], [70, 33], [9, 250], [37, 1030], [1100, 40], [2050, 17], [151, 290], [67, 2500]]
        {
            for axis in 0..2 {
                let mut random = Random::new(4);
                let mut b = ProgramBuilder::default();
                let x = b.input("x", Span::default(), dtype, dims(&shape));
                b.bind(x, dense(&mut random, dtype, &shape));
                for fold in [Fold::Sum, Fold::Prod, Fold::Max] {
                    if crate::exec::fold::is_legal(fold, dtype) {
                        let node = b.fold(fold, x, &[axis]);
                        b.output(output(node));
                    }
                }
                agree(&b.finish());
            }
        }
    }
}

#[test]
fn some_columns_of_rows_that_are_far_apart_agree() {
    for dtype in [DType::F32, DType::F64] {
        let mut random = Random::new(5);
        let mut b = ProgramBuilder::default();
        let x = b.input("x", Span::default(), dtype, dims(&[310, 1200]));
        b.bind(x, dense(&mut random, dtype, &[310, 1200]));
        let some = Slice { start: Dim::Const(5), step: 1 };
        let seen = b.slice(x, &[Slice { start: Dim::Const(309), step: -1 }, some], dims(&[310, 70]));
        let node = b.fold(Fold::Sum, seen, &[0]);
        b.output(output(node));
        agree(&b.finish());
    }
}

#[test]
fn folds_of_few_terms_agree_wherever_they_are_used() {
    for (dtype, fold) in DType::ALL.iter().flat_map(|&dtype| FOLDS.map(|fold| (dtype, fold))) {
        if !crate::exec::fold::is_legal(fold, dtype) {
            continue;
        }
        for terms in 1..=9 {
            for (shape, axes) in [
                (vec![67, terms], vec![1]),
                (vec![terms, 130], vec![0]),
                (vec![5, terms, 21], vec![1]),
                (vec![2, 40, terms], vec![0, 2]),
            ] {
                let mut random = Random::new(terms as u64);
                let mut b = ProgramBuilder::default();
                let x = b.input("x", Span::default(), dtype, dims(&shape));
                b.bind(x, dense(&mut random, dtype, &shape));
                let alone = b.fold(fold, x, &axes);
                let kept = b.fold_keeping(fold, x, &axes);
                let mut given = vec![alone];
                let is_computed = dtype != DType::Bool && !dtype.is_complex() && dtype.computed_in() == dtype;
                if is_computed && fold.result(dtype) == dtype {
                    // Beside each of its terms, over terms that are made, and of a fold.
                    given.push(b.map(Prim::Sub, &[x, kept]));
                    let squares = b.map(Prim::Mul, &[x, x]);
                    given.push(b.fold(fold, squares, &axes));
                    let last = shape.len() - 1 - axes.len();
                    given.push(b.fold(Fold::Max, alone, &[last]));
                }
                given.into_iter().for_each(|node| b.output(output(node)));
                agree(&b.finish());
            }
        }
    }
}

#[test]
fn a_fold_of_few_terms_has_no_loop_of_its_own() {
    let kernels = |terms: usize, prim: Prim| {
        let made = program(Fold::Sum, &[DType::F64; 2], &[50, terms], |b, x| {
            let difference = b.map(Prim::Sub, &[x[0], x[1]]);
            b.map(prim, &[difference])
        });
        crate::kernel::fuse::fuse(&made).unwrap()
    };
    // Many terms, and functions, are left to loops.
    for (terms, prim, reduced) in [(3, Prim::Neg, 0), (8, Prim::Abs, 0), (9, Prim::Neg, 1), (3, Prim::Exp, 1)] {
        let kernels = kernels(terms, prim);
        assert_eq!(kernels.iter().map(|kernel| kernel.reduced).collect::<Vec<_>>(), [reduced], "{terms} {prim:?}");
    }
}
