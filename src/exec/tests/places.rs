//! Nodes that move elements: slices, gathers, concatenations, updates; and scans.

use crate::exec::{Engine, Options, run};
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, ProgramOutput, Slice};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::Dim;

fn at(start: u64, step: i64) -> Slice {
    Slice { start: Dim::Const(start), step }
}

fn values(build: impl Fn(&mut ProgramBuilder) -> NodeId) -> Vec<i64> {
    let mut b = ProgramBuilder::default();
    let node = build(&mut b);
    b.output(ProgramOutput { name: None, node, span: Span::default(), weak: false });
    let program = b.finish();
    let by = |engine| run(&program, &Options { engine, verify: true, ..Options::default() }).unwrap()[0].to_vec();
    let reference = by(Engine::Reference);
    assert_eq!(by(Engine::Jit), reference);
    assert_eq!(by(Engine::Blocks), reference);
    reference
}

/// `[[0, 1, 2], [10, 11, 12]]`
fn table(b: &mut ProgramBuilder) -> NodeId {
    let shape = vec![Dim::Const(2), Dim::Const(3)];
    let (row, column) = (b.iota(0, shape.clone()), b.iota(1, shape));
    let ten = b.constant(Scalar::of(10i64));
    let tens = b.map(Prim::Mul, &[row, ten]);
    b.map(Prim::Add, &[tens, column])
}

#[test]
fn a_slice_takes_every_step_th_element_also_backwards() {
    let reversed = |b: &mut ProgramBuilder| {
        let x = table(b);
        b.slice(x, &[at(1, -1), at(0, 2)], vec![Dim::Const(2), Dim::Const(2)])
    };
    assert_eq!(values(reversed), [10, 12, 0, 2]);
    assert_eq!(
        values(|b| {
            let x = table(b);
            b.slice(x, &[at(0, 1), at(3, 1)], vec![Dim::Const(2), Dim::Const(0)])
        }),
        [0i64; 0]
    );
}

#[test]
fn a_scan_goes_along_its_axis() {
    let scan = |fold, axis| {
        values(|b| {
            let x = table(b);
            b.scan(fold, x, axis)
        })
    };
    assert_eq!(scan(Fold::Sum, 1), [0, 1, 3, 10, 21, 33]);
    assert_eq!(scan(Fold::Prod, 0), [0, 1, 2, 0, 11, 24]);
    assert_eq!(scan(Fold::Min, 0), [0, 1, 2, 0, 1, 2]);
}

#[test]
fn a_gather_reads_by_position_and_never_outside() {
    let gather = |axis: usize, positions: &'static [i64]| {
        values(move |b| {
            let x = table(b);
            let index = crate::array::Array::from_elements(&[positions.len()], positions);
            let input =
                b.input("i", Span::default(), crate::types::DType::I64, vec![Dim::Const(positions.len() as u64)]);
            b.bind(input, index);
            b.gather(x, input, axis)
        })
    };
    assert_eq!(gather(1, &[2, 0, 2, 1]), [2, 0, 2, 1, 12, 10, 12, 11]);
    assert_eq!(gather(0, &[1]), [10, 11, 12]);
    assert_eq!(gather(0, &[99, -99]), [10, 11, 12, 0, 1, 2]);
}

#[test]
fn concatenated_parts_follow_each_other() {
    let twice = |axis| {
        values(move |b| {
            let x = table(b);
            b.concat(&[x, x], axis)
        })
    };
    assert_eq!(twice(0), [0, 1, 2, 10, 11, 12, 0, 1, 2, 10, 11, 12]);
    assert_eq!(twice(1), [0, 1, 2, 0, 1, 2, 10, 11, 12, 10, 11, 12]);
}

#[test]
fn an_update_leaves_its_base_alone() {
    let updated = |b: &mut ProgramBuilder| {
        let x = table(b);
        let seven = b.constant(Scalar::of(7i64));
        let column = b.broadcast(seven, &[Dim::Const(2), Dim::Const(1)].to_vec());
        let changed = b.update(x, &[at(1, -1), at(2, 1)], column);
        b.map(Prim::Sub, &[changed, x])
    };
    assert_eq!(values(updated), [0, 0, 5, 0, 0, -5]);
}
