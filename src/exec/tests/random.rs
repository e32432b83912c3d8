//! Random programs.

use super::edges::{apply, signatures};
use super::movement::moved;
use super::{Random, agree, dims, output, random_array};
use crate::ir::build::ProgramBuilder;
use crate::ir::{Check, Fault, Fold, NodeId, Program, Slice, View};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, shape};

/// A program of `size` random nodes over a few shapes that broadcast with each other.
pub(crate) fn random_program(random: &mut Random, size: usize) -> Program {
    let (rows, columns) = (1 + random.below(5), random.pick(&[1, 3, 17, 70, 300, 1500]));
    let shapes = [vec![], vec![columns], vec![rows, 1], vec![rows, columns]];
    let few = [DType::F32, DType::F64, DType::I32, DType::Bool, DType::U8];
    let mut b = ProgramBuilder::default();
    let mut nodes: Vec<NodeId> = Vec::new();
    for index in 0..4 {
        let dtype = if random.below(2) == 0 { random.pick(&few) } else { random.pick(&DType::ALL) };
        let shape = &shapes[random.below(4)];
        let node = b.input(&format!("x{index}"), Span::default(), dtype, dims(shape));
        b.bind(node, random_array(random, dtype, shape));
        nodes.push(node);
    }
    nodes.push(b.iota(0, dims(&[columns])));
    nodes.push(b.iota(0, dims(&[rows, 1])));
    for _ in 0..size {
        let arg = random.pick(&nodes);
        let sizes = shape::sizes(b.shape(arg)).unwrap();
        let node = match random.below(16) {
            0 if !sizes.is_empty() => {
                let fold = random.pick(&[Fold::Sum, Fold::Prod, Fold::Max, Fold::ArgMin, Fold::Min, Fold::All]);
                if !crate::exec::fold::is_legal(fold, b.dtype(arg)) {
                    continue;
                }
                let axes: Vec<usize> = (0..sizes.len()).filter(|_| random.below(2) == 0).collect();
                b.fold_keeping(fold, arg, &axes)
            }
            1 if sizes.len() == 2 => {
                // There and back, so that shapes go on fitting.
                let turned = b.view(arg, View::Transpose(vec![1, 0]), dims(&[sizes[1], sizes[0]]));
                let more = if b.dtype(turned).is_integer() { b.map(Prim::Not, &[turned]) } else { turned };
                b.view(more, View::Transpose(vec![1, 0]), dims(&sizes))
            }
            2 => {
                let flat = b.view(arg, View::Reshape, dims(&[sizes.iter().product()]));
                let more = if b.dtype(flat).is_integer() { b.map(Prim::Neg, &[flat]) } else { flat };
                b.view(more, View::Reshape, dims(&sizes))
            }
            3 => {
                let target = random.pick(&DType::ALL);
                if b.dtype(arg).is_complex() || target.is_complex() {
                    continue;
                }
                b.convert(arg, target)
            }
            5..=8 => {
                let like: Vec<NodeId> = nodes.iter().copied().filter(|&node| b.dtype(node) == b.dtype(arg)).collect();
                let other = random.pick(&like);
                moved(&mut b, random, arg, Some(other))
            }
            9 if sizes.len() == 1 && sizes[0] >= 2 => {
                // The largest of each three neighbours, round the end.
                if !crate::exec::fold::is_legal(Fold::Max, b.dtype(arg)) {
                    continue;
                }
                let twice = b.concat(&[arg, arg], 0);
                let more = b.slice(twice, &[Slice::all()], dims(&[sizes[0] + 2]));
                let windows = b.view(more, View::Windows(0), dims(&[sizes[0], 3]));
                b.fold(Fold::Max, windows, &[1])
            }
            4 if sizes.len() == 1 => b.broadcast(arg, &dims(&[rows, sizes[0]])),
            _ => {
                let prim = random.pick(&Prim::ALL);
                let fitting: Vec<_> =
                    signatures(prim).into_iter().filter(|(args, _)| args[args.len() - 1] == b.dtype(arg)).collect();
                if fitting.is_empty() {
                    continue;
                }
                let (args, result) = &fitting[random.below(fitting.len())];
                let operands = operands_of(&mut b, random, (prim, args), &nodes);
                apply(&mut b, prim, &operands, *result)
            }
        };
        nodes.push(node);
    }
    for _ in 0..3 {
        let node = random.pick(&nodes);
        b.output(output(node));
    }
    b.output(output(*nodes.last().unwrap()));
    if let Some(&node) = nodes.iter().rev().find(|&&node| b.dtype(node) == DType::Bool) {
        let rank = b.shape(node).len();
        let first = b.fold(Fold::FirstTrue, node, &(0..rank).collect::<Vec<usize>>());
        if random.below(4) == 0 {
            let fault = Fault::LossyCast { value: node, dtype: DType::I8 };
            b.check(Check { node: first, written: 0, fault, span: Span::default(), calls: Vec::new() });
        } else {
            b.output(output(first));
        }
    }
    b.finish()
}

/// Operands of these dtypes: nodes that there are, or constants.
fn operands_of(
    b: &mut ProgramBuilder,
    random: &mut Random,
    (prim, args): (Prim, &[DType]),
    nodes: &[NodeId],
) -> Vec<NodeId> {
    let operands = args.iter().map(|&dtype| {
        let known: Vec<NodeId> = nodes.iter().copied().filter(|&node| b.dtype(node) == dtype).collect();
        if known.is_empty() || random.below(6) == 0 { b.constant(random.scalar(dtype)) } else { random.pick(&known) }
    });
    let operands: Vec<NodeId> = operands.collect();
    match prim {
        Prim::Copysign | Prim::Bitcast => operands.iter().map(|&node| unsigned_nan(b, node)).collect(),
        _ => operands,
    }
}

/// The elements of a node, with one NaN for all NaNs: engines need not agree on the sign and payload of a NaN.
fn unsigned_nan(b: &mut ProgramBuilder, node: NodeId) -> NodeId {
    let dtype = b.dtype(node);
    if !dtype.is_float() {
        return node;
    }
    let nan = b.constant(crate::scalar::Scalar::of(f32::NAN));
    let nan = b.convert(nan, dtype);
    let is_nan = b.map(Prim::Ne, &[node, node]);
    b.map(Prim::Select, &[is_nan, nan, node])
}

#[test]
fn random_programs_agree() {
    let count = std::env::var("ARR_RANDOM_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(1500);
    for seed in 0..count {
        let mut random = Random::new(seed + 1);
        let size = 2 + random.below(40);
        let program = random_program(&mut random, size);
        let agreed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| agree(&program)));
        assert!(agreed.is_ok(), "seed {seed}");
    }
}
