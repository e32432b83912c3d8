//! Sums of weighted terms. The range is what the terms come to one by one, and holds every sum.

use super::{inside, pick, value, whole};
use crate::array::Array;
use crate::exec::tests::Random;
use crate::exec::{Engine, Options, run};
use crate::ir::build::ProgramBuilder;
use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, ProgramOutput, Slice, View};
use crate::range::nodes::Ranges;
use crate::range::{Interval, Range};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim};

fn bits(b: &mut ProgramBuilder, ranges: &mut Ranges) -> NodeId {
    let bits = b.input("b", Span::default(), DType::I64, vec![Dim::Const(3), Dim::Const(8)]);
    ranges.declare(bits, Range::stated(Interval::Integer { low: 0, high: 1 }));
    bits
}

#[test]
fn bits_with_their_weights_come_to_a_byte() {
    let (mut b, mut ranges) = (ProgramBuilder::default(), Ranges::default());
    let bits = bits(&mut b, &mut ranges);
    let list = b.literal(Span::default(), Array::from_elements(&[8], &[128i64, 64, 32, 16, 8, 4, 2, 1]));
    ranges.declare(list, Range::stated(Interval::Integer { low: 1, high: 128 }));
    let weighted = b.map(Prim::Mul, &[bits, list]);
    let listed = b.fold(Fold::Sum, weighted, &[1]);

    let places = b.iota(0, vec![Dim::Const(8)]);
    let moved = b.map(Prim::Shl, &[bits, places]);
    let moved = b.fold(Fold::Sum, moved, &[1]);

    let [zero, one] = [0i64, 1].map(|value| b.constant(Scalar::of(value)));
    let powers = b.map(Prim::Shl, &[one, places]);
    let is_set = b.map(Prim::Eq, &[bits, one]);
    let chosen = b.map(Prim::Select, &[is_set, powers, zero]);
    let chosen = b.fold(Fold::Sum, chosen, &[1]);

    let column = b.view(powers, View::Reshape, vec![Dim::Const(8), Dim::Const(1)]);
    let product = b.routine(Routine::Product, &[bits, column], None);

    let backwards = b.slice(powers, &[Slice { start: Dim::Const(7), step: -1 }], vec![Dim::Const(8)]);
    let turned = b.map(Prim::Mul, &[bits, backwards]);
    let turned = b.fold(Fold::Sum, turned, &[1]);

    for node in [listed, moved, chosen, product, turned] {
        let found = ranges.of(b.program(), node);
        assert_eq!((found.interval, found.is_stated()), (Interval::Integer { low: 0, high: 255 }, true), "{node:?}");
        assert!(ranges.of(b.program(), node).interval.exists_in(DType::U8));
    }
    let all = b.fold(Fold::Sum, weighted, &[0, 1]);
    assert_eq!(ranges.of(b.program(), all).interval, Interval::Integer { low: 0, high: 3 * 255 });
}

#[test]
fn what_wraps_on_the_way_has_no_weight() {
    let (mut b, mut ranges) = (ProgramBuilder::default(), Ranges::default());
    let bits = b.input("b", Span::default(), DType::U8, vec![Dim::Const(3)]);
    ranges.declare(bits, Range::stated(Interval::Integer { low: 0, high: 3 }));
    let list = b.literal(Span::default(), Array::from_elements(&[3], &[1u8, 2, 100]));
    ranges.declare(list, Range::stated(Interval::Integer { low: 1, high: 100 }));
    let weighted = b.map(Prim::Mul, &[bits, list]);
    let sum = b.fold(Fold::Sum, weighted, &[0]);
    assert_eq!(ranges.of(b.program(), sum).interval, Interval::of_dtype(DType::U8));
}

/// Sums and products of rows with weights of every kind, run: each lies in its range.
#[test]
fn every_weighted_sum_lies_in_its_range() {
    const DTYPES: [DType; 6] = [DType::U8, DType::I8, DType::U16, DType::I16, DType::I32, DType::I64];
    let mut random = Random::new(12);
    let mut sharper = 0;
    for round in 0..1200 {
        let dtype = DTYPES[round % DTYPES.len()];
        let (rows, columns) = (2usize, 5usize);
        let row = vec![Dim::Const(columns as u64)];
        let (mut b, mut ranges) = (ProgramBuilder::default(), Ranges::default());
        let ends = if random.below(3) == 0 { pick(&mut random, dtype) } else { (0, 1 + random.below(3) as i128) };
        let x = b.input("x", Span::default(), dtype, vec![Dim::Const(rows as u64), Dim::Const(columns as u64)]);
        ranges.declare(x, Range::stated(Interval::Integer { low: ends.0, high: ends.1 }));
        let data: Vec<Scalar> = (0..rows * columns).map(|_| whole(dtype, inside(&mut random, ends))).collect();
        b.bind(x, Array::from_scalars(dtype, &[rows, columns], data));

        let places = b.iota(0, row.clone());
        let places = b.convert(places, dtype);
        let one = b.constant(whole(dtype, 1));
        let weights = match random.below(3) {
            0 => {
                let wide = pick(&mut random, dtype);
                let around = if random.below(2) == 0 { wide } else { (0, 9) };
                let list: Vec<Scalar> = (0..columns).map(|_| whole(dtype, inside(&mut random, around))).collect();
                b.literal(Span::default(), Array::from_scalars(dtype, &[columns], list))
            }
            1 => b.map(Prim::Shl, &[one, places]),
            _ => places,
        };
        let weights = match random.below(3) {
            0 => b.slice(weights, &[Slice { start: Dim::Const(columns as u64 - 1), step: -1 }], row.clone()),
            1 => {
                let mut part = |start: u64, len: u64| {
                    b.slice(weights, &[Slice { start: Dim::Const(start), step: 1 }], vec![Dim::Const(len)])
                };
                let (first, rest) = (part(0, 2), part(2, 3));
                b.concat(&[rest, first], 0)
            }
            _ => weights,
        };
        let sum = if random.below(4) == 0 {
            let column = b.view(weights, View::Reshape, vec![Dim::Const(columns as u64), Dim::Const(1)]);
            b.routine(Routine::Product, &[x, column], None)
        } else {
            let prim = random.pick(&[Prim::Mul, Prim::Shl, Prim::Add, Prim::Sub, Prim::Pow, Prim::Select, Prim::And]);
            let terms = if prim == Prim::Select {
                let is_small = b.map(Prim::Lt, &[x, one]);
                b.map(Prim::Select, &[is_small, weights, x])
            } else {
                b.map(prim, &[x, weights])
            };
            let axes: &[usize] = if random.below(3) == 0 { &[0, 1] } else { &[1] };
            if random.below(3) == 0 {
                let turned = vec![Dim::Const(columns as u64), Dim::Const(rows as u64)];
                let terms = b.view(terms, View::Transpose(vec![1, 0]), turned);
                b.fold_keeping_if(Fold::Sum, terms, if axes.len() == 1 { &[0] } else { axes }, random.below(2) == 0)
            } else {
                b.fold(Fold::Sum, terms, axes)
            }
        };
        b.output(ProgramOutput { name: None, node: sum, span: Span::default(), weak: false });
        let found = ranges.of(b.program(), sum).interval;
        sharper += usize::from(found != Interval::of_dtype(dtype));
        let text = format!("{:#?}", b.program().nodes);
        let arrays = run(&b.finish(), &Options { engine: Engine::Reference, ..Options::default() }).expect("it runs");
        let Interval::Integer { low, high } = found else { panic!("integers") };
        for scalar in arrays[0].scalars() {
            let value = value(scalar);
            assert!((low..=high).contains(&value), "{value} outside of {found}, of x in {ends:?}\n{text}");
        }
    }
    assert!(sharper > 200, "something is known of {sharper} sums");
}
