//! Every prim for every dtype, over awkward values in lines of awkward lengths.

use super::{FOLDS, Random, agree, dense, dims, output, random_array};
use crate::array::Array;
use crate::ir::NodeId;
use crate::ir::build::ProgramBuilder;
use crate::scalar::Scalar;
use crate::scalar::prim::{Prim, PrimRow, PrimSignature};
use crate::source::Span;
use crate::types::{DType, Kind};

/// The dtypes of operands, and of the result, that a prim takes.
pub(crate) fn signatures(prim: Prim) -> Vec<(Vec<DType>, DType)> {
    let PrimRow { arity, signature: shape, .. } = prim.row();
    let mut found = Vec::new();
    for first in DType::ALL {
        let mut args = vec![first; arity];
        if shape == PrimSignature::Choice {
            args[0] = DType::Bool;
        }
        let wanted: &[DType] = if shape == PrimSignature::Free { &DType::ALL } else { &[DType::Bool] };
        for &wanted in wanted {
            if let Some(result) = prim.result(&args, wanted) {
                if matches!(prim, Prim::Convert | Prim::Bitcast) && first == wanted {
                    continue;
                }
                found.push((args.clone(), result));
            }
        }
    }
    found
}

/// Adds a map of these operands with this result.
pub(super) fn apply(b: &mut ProgramBuilder, prim: Prim, args: &[NodeId], result: DType) -> NodeId {
    match prim {
        Prim::Convert => b.convert(args[0], result),
        Prim::Bitcast => b.bitcast(args[0], result),
        _ => b.map(prim, args),
    }
}

#[test]
fn every_prim_of_every_dtype_agrees_at_awkward_lengths() {
    let mut random = Random::new(1);
    for prim in Prim::ALL {
        for (args, result) in signatures(prim) {
            for len in [0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 35, 64, 67, 131, 1025] {
                let mut b = ProgramBuilder::default();
                let operands: Vec<NodeId> = args
                    .iter()
                    .enumerate()
                    .map(|(index, &dtype)| {
                        let node = b.input(&format!("x{index}"), Span::default(), dtype, dims(&[len]));
                        b.bind(node, dense(&mut random, dtype, &[len]));
                        node
                    })
                    .collect();
                let node = apply(&mut b, prim, &operands, result);
                b.output(output(node));
                agree(&b.finish());
            }
        }
    }
}

/// All integers of two bits, and those beside them: among them are all middles between two floats of any width.
#[test]
fn integers_between_two_floats_are_rounded_once() {
    for from in DType::ALL.into_iter().filter(|from| from.is_integer()) {
        let mask = u128::MAX >> (128 - from.bits());
        let pairs = (0..from.bits()).flat_map(|high| (0..=high).map(move |low| 1u128 << high | 1 << low));
        let scalars: Vec<Scalar> = pairs
            .flat_map(|bits| [bits, bits + 1, bits - 1])
            .flat_map(|bits| [bits, bits.wrapping_neg()])
            .map(|bits| Scalar { dtype: from, bits: bits & mask })
            .collect();
        let len = scalars.len();
        let array = Array::from_scalars(from, &[len], scalars);
        for to in DType::ALL.into_iter().filter(|to| to.is_float()) {
            let mut b = ProgramBuilder::default();
            let node = b.input("x", Span::default(), from, dims(&[len]));
            b.bind(node, array.clone());
            let node = b.convert(node, to);
            b.output(output(node));
            agree(&b.finish());
        }
    }
}

#[test]
fn every_prim_agrees_with_constant_repeated_and_strided_operands() {
    let mut random = Random::new(2);
    for prim in Prim::ALL {
        for (args, result) in signatures(prim) {
            for _ in 0..3 {
                let shape = [3, 21];
                let mut b = ProgramBuilder::default();
                let operands: Vec<NodeId> = args
                    .iter()
                    .enumerate()
                    .map(|(index, &dtype)| {
                        let small =
                            [if random.below(3) == 0 { 1 } else { 3 }, if random.below(4) == 0 { 1 } else { 21 }];
                        if index > 0 && dtype.kind() != Kind::Complex && random.below(4) == 0 {
                            return b.constant(random.scalar(dtype));
                        }
                        let node = b.input(&format!("x{index}"), Span::default(), dtype, dims(&small));
                        b.bind(node, random_array(&mut random, dtype, &small));
                        node
                    })
                    .collect();
                let node = apply(&mut b, prim, &operands, result);
                let node = b.broadcast(node, &dims(&shape));
                b.output(output(node));
                agree(&b.finish());
            }
        }
    }
}

#[test]
fn every_fold_of_every_dtype_agrees_at_awkward_lengths() {
    let mut random = Random::new(3);
    for fold in FOLDS {
        for dtype in DType::ALL.into_iter().filter(|&dtype| crate::exec::fold::is_legal(fold, dtype)) {
            for len in [0, 1, 2, 31, 32, 33, 100, 1023, 1024, 1025, 2049, 5000] {
                let mut b = ProgramBuilder::default();
                let x = b.input("x", Span::default(), dtype, dims(&[len]));
                b.bind(x, random_array(&mut random, dtype, &[len]));
                let all = b.fold(fold, x, &[0]);
                b.output(output(all));
                agree(&b.finish());
            }
            for shape in [[3, 40, 5], [40, 3, 17], [1, 70, 1], [2, 0, 3], [5, 1100, 2]] {
                for axes in [&[0][..], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2], &[]] {
                    let mut b = ProgramBuilder::default();
                    let x = b.input("x", Span::default(), dtype, dims(&shape));
                    b.bind(x, random_array(&mut random, dtype, &shape));
                    let keep = random.below(2) == 0;
                    let some = b.fold_keeping_if(fold, x, axes, keep);
                    b.output(output(some));
                    agree(&b.finish());
                }
            }
        }
    }
}
