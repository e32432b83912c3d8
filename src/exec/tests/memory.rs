//! The memory that a run takes: no array-sized copy where none is needed.

use super::{Random, agree, dense, dims, output};
use crate::array::Array;
use crate::exec::Options;
use crate::exec::memory::Meter;
use crate::exec::run::run_metered;
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, Program, Slice, View};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim};

fn at(start: usize, step: i64) -> Slice {
    Slice { start: Dim::Const(start as u64), step }
}

fn input(b: &mut ProgramBuilder, name: &str, shape: &[usize]) -> NodeId {
    let node = b.input(name, Span::default(), DType::F64, dims(shape));
    b.bind(node, dense(&mut Random::new(3), DType::F64, shape));
    node
}

fn one(b: &mut ProgramBuilder) -> NodeId {
    b.constant(Scalar::of(1f64))
}

/// The sizes, in elements of 8 bytes, of the blocks that a run takes; all engines agree on the values.
fn blocks(program: &Program) -> Vec<usize> {
    agree(program);
    let mut meter = Meter::new(None);
    run_metered(program, &Options::default(), &[], &mut meter).unwrap();
    meter.blocks.iter().map(|bytes| bytes / 8).collect()
}

fn blocks_of(build: impl Fn(&mut ProgramBuilder) -> Vec<NodeId>) -> Vec<usize> {
    let mut b = ProgramBuilder::default();
    build(&mut b).into_iter().for_each(|node| b.output(output(node)));
    blocks(&b.finish())
}

#[test]
fn operands_of_any_stride_need_only_the_output() {
    let neighbours = |b: &mut ProgramBuilder| {
        let x = input(b, "x", &[100]);
        let later = b.slice(x, &[at(1, 1)], dims(&[99]));
        let earlier = b.slice(x, &[at(0, 1)], dims(&[99]));
        vec![b.map(Prim::Sub, &[later, earlier])]
    };
    assert_eq!(blocks_of(neighbours), [99]);
    let reversed = |b: &mut ProgramBuilder| {
        let (x, one) = (input(b, "x", &[100]), one(b));
        let back = b.slice(x, &[at(99, -1)], dims(&[100]));
        vec![b.map(Prim::Add, &[back, one])]
    };
    assert_eq!(blocks_of(reversed), [100]);
    let mixed = |b: &mut ProgramBuilder| {
        let (x, y, z) = (input(b, "x", &[20, 30]), input(b, "y", &[30, 20]), input(b, "z", &[20, 1]));
        let turned = b.view(y, View::Transpose(vec![1, 0]), dims(&[20, 30]));
        let sum = b.map(Prim::Add, &[x, turned]);
        let sum = b.map(Prim::Add, &[sum, z]);
        vec![b.slice(sum, &[at(19, -3), at(1, 2)], dims(&[7, 15]))]
    };
    assert_eq!(blocks_of(mixed), [105]);
}

#[test]
fn a_view_of_an_input_is_printed_from_there() {
    let slice = |b: &mut ProgramBuilder| {
        let x = input(b, "x", &[100]);
        vec![b.slice(x, &[at(90, -3)], dims(&[30]))]
    };
    assert_eq!(blocks_of(slice), [0usize; 0]);
}

#[test]
fn a_slice_of_what_is_computed_is_all_that_is_computed() {
    let slice = |b: &mut ProgramBuilder| {
        let (x, one) = (input(b, "x", &[1000]), one(b));
        let more = b.map(Prim::Add, &[x, one]);
        vec![b.slice(more, &[at(5, 1)], dims(&[3]))]
    };
    assert_eq!(blocks_of(slice), [3]);
    let both = |b: &mut ProgramBuilder| {
        let (x, one) = (input(b, "x", &[1000]), one(b));
        let more = b.map(Prim::Add, &[x, one]);
        vec![b.slice(more, &[at(5, 1)], dims(&[3])), more]
    };
    assert_eq!(blocks_of(both), [1000]);
    let stored_anyway = |b: &mut ProgramBuilder| {
        let x = input(b, "x", &[1000]);
        let exp = b.map(Prim::Exp, &[x]);
        let (later, earlier) = (b.slice(exp, &[at(1, 1)], dims(&[999])), b.slice(exp, &[at(0, 1)], dims(&[999])));
        vec![b.map(Prim::Sub, &[later, earlier]), b.slice(exp, &[at(0, 3)], dims(&[300]))]
    };
    assert_eq!(blocks_of(stored_anyway), [1000, 999]);
}

#[test]
fn joined_parts_are_computed_where_they_belong() {
    let stacked = |b: &mut ProgramBuilder| {
        let (x, y, one) = (input(b, "x", &[50]), input(b, "y", &[50]), one(b));
        let parts = [b.map(Prim::Add, &[x, y]), b.map(Prim::Sub, &[x, one]), b.map(Prim::Mul, &[y, y])];
        let rows = parts.map(|part| b.view(part, View::Reshape, dims(&[1, 50])));
        vec![b.concat(&rows, 0)]
    };
    assert_eq!(blocks_of(stacked), [150]);
    let columns = |b: &mut ProgramBuilder| {
        let (x, y) = (input(b, "x", &[50]), input(b, "y", &[50]));
        let parts = [b.map(Prim::Add, &[x, y]), b.map(Prim::Mul, &[y, y])];
        let columns = parts.map(|part| b.view(part, View::Reshape, dims(&[50, 1])));
        vec![b.concat(&columns, 1)]
    };
    assert_eq!(blocks_of(columns), [100]);
}

/// A chain of updates of one element each, each with what `value` makes of the array so far.
fn chain(b: &mut ProgramBuilder, len: usize, value: impl Fn(&mut ProgramBuilder, NodeId, usize) -> NodeId) -> NodeId {
    let x = input(b, "x", &[len]);
    let one = one(b);
    let mut array = b.map(Prim::Add, &[x, one]);
    for index in 1..len {
        let element = value(b, array, index);
        array = b.update(array, &[at(index, 1)], element);
    }
    array
}

fn element(b: &mut ProgramBuilder, array: NodeId, index: usize) -> NodeId {
    b.slice(array, &[at(index, 1)], dims(&[1]))
}

#[test]
fn a_chain_of_updates_takes_one_block() {
    let running = |b: &mut ProgramBuilder| {
        vec![chain(b, 200, |b, array, index| {
            let (old, before) = (element(b, array, index), element(b, array, index - 1));
            b.map(Prim::Sub, &[old, before])
        })]
    };
    assert_eq!(blocks_of(running), [200]);
}

#[test]
fn ten_thousand_updates_take_well_under_a_second() {
    let mut b = ProgramBuilder::default();
    let array = chain(&mut b, 10_000, |b, array, index| {
        let before = element(b, array, index - 1);
        let step = b.constant(Scalar::of(index as f64));
        b.map(Prim::Add, &[before, step])
    });
    b.output(output(array));
    let program = b.finish();
    let begun = std::time::Instant::now();
    let mut meter = Meter::new(None);
    let arrays = run_metered(&program, &Options::default(), &[], &mut meter).unwrap();
    let took = begun.elapsed();
    assert_eq!(meter.blocks, [80_000]);
    let first = arrays[0].get(0).bits as u64;
    assert_eq!(arrays[0].to_vec::<f64>()[9_999], f64::from_bits(first) + 49_995_000.0);
    // Quadratic work would be 10^8 elements copied, and compiling each kernel takes 2 s.
    assert!(took.as_secs_f64() < 5.0, "{took:?}");
}

#[test]
fn a_ceiling_of_one_array_is_enough_for_all_its_updates() {
    let mut b = ProgramBuilder::default();
    let array = chain(&mut b, 500, |b, array, index| element(b, array, index - 1));
    b.output(output(array));
    let program = b.finish();
    let run = |max_memory| crate::exec::run(&program, &Options { max_memory, ..Options::default() });
    assert_eq!(run(Some(4000)).unwrap(), run(None).unwrap());
    let refused = crate::exec::RunError::OutOfMemory { needed: Some(4000), limit: Some(3999) };
    assert_eq!(run(Some(3999)), Err(refused));
}

#[test]
fn elements_added_up_while_their_array_changes_keep_one_array() {
    let mut b = ProgramBuilder::default();
    let mut total = b.constant(Scalar::of(0f64));
    let array = chain(&mut b, 300, |b, array, index| {
        let (before, one) = (element(b, array, index - 1), one(b));
        b.map(Prim::Add, &[before, one])
    });
    let mut at_last = array;
    for index in 0..300 {
        let read = element(&mut b, at_last, index);
        let read = b.view(read, View::Reshape, dims(&[]));
        total = b.map(Prim::Add, &[total, read]);
        let half = b.constant(Scalar::of(0.5 + index as f64));
        let half = b.broadcast(half, &dims(&[1]));
        at_last = b.update(at_last, &[at(299 - index, 1)], half);
    }
    b.output(output(at_last));
    b.output(output(total));
    let large: Vec<usize> = blocks(&b.finish()).into_iter().filter(|&len| len > 1).collect();
    assert_eq!(large, [300]);
}

#[test]
fn an_update_of_what_others_see_is_made_in_a_copy() {
    let seen = |b: &mut ProgramBuilder| {
        let (x, one) = (input(b, "x", &[40]), one(b));
        let sums = b.scan(Fold::Sum, x, 0);
        let ones = b.broadcast(one, &dims(&[5]));
        let changed = b.update(sums, &[at(3, 2)], ones);
        let again = b.update(changed, &[at(0, 1)], ones);
        vec![sums, again]
    };
    assert_eq!(blocks_of(seen), [40, 40]);
    let of_an_input = |b: &mut ProgramBuilder| {
        let (x, one) = (input(b, "x", &[40]), one(b));
        let ones = b.broadcast(one, &dims(&[5]));
        vec![b.update(x, &[at(3, 2)], ones), x]
    };
    assert_eq!(blocks_of(of_an_input), [40]);
}

#[test]
fn an_update_with_its_own_neighbours_makes_them_aside() {
    let shifted = |b: &mut ProgramBuilder| {
        let x = input(b, "x", &[2000]);
        let sums = b.scan(Fold::Max, x, 0);
        let earlier = b.slice(sums, &[at(0, 1)], dims(&[1500]));
        let changed = b.update(sums, &[at(1, 1)], earlier);
        let back = b.slice(changed, &[at(1999, -1)], dims(&[2000]));
        let two = b.constant(Scalar::of(2f64));
        let doubled = b.map(Prim::Mul, &[back, two]);
        let few = b.slice(doubled, &[at(0, 1)], dims(&[1900]));
        vec![b.update(changed, &[at(100, 1)], few)]
    };
    assert_eq!(blocks_of(shifted), [2000, 1500, 1900]);
    let where_it_is = |b: &mut ProgramBuilder| {
        let x = input(b, "x", &[3000]);
        let sums = b.scan(Fold::Max, x, 0);
        let some = b.slice(sums, &[at(2, 2)], dims(&[1400]));
        let exp = b.map(Prim::Exp, &[some]);
        let both = b.map(Prim::Add, &[exp, some]);
        vec![b.update(sums, &[at(2, 2)], both)]
    };
    assert_eq!(blocks_of(where_it_is), [3000]);
}

#[test]
fn an_element_by_its_position_copies_no_more() {
    let picked = |b: &mut ProgramBuilder| {
        let x = input(b, "x", &[100, 30]);
        let y = input(b, "y", &[100]);
        let place = b.fold(Fold::ArgMax, y, &[0]);
        vec![b.gather(x, place, 0)]
    };
    assert_eq!(blocks_of(picked), [1, 30]);
}

#[test]
fn a_scan_takes_its_producer_along() {
    for axis in [0, 1] {
        let scanned = |b: &mut ProgramBuilder| {
            let (x, one) = (input(b, "x", &[30, 40]), one(b));
            let more = b.map(Prim::Add, &[x, one]);
            vec![b.scan(Fold::Sum, more, axis)]
        };
        assert_eq!(blocks_of(scanned), [1200]);
    }
}

#[test]
fn halves_of_halves_stay_linear() {
    let mut b = ProgramBuilder::default();
    let len = 1 << 20;
    let x = b.input("x", Span::default(), DType::I32, dims(&[len]));
    b.bind(x, Array::from_elements(&[len], &(0..len as i32).collect::<Vec<i32>>()));
    let mut y = x;
    for level in 1..=20 {
        let half = dims(&[len >> level]);
        let (even, odd) = (b.slice(y, &[at(0, 2)], half.clone()), b.slice(y, &[at(1, 2)], half));
        y = b.map(Prim::Add, &[even, odd]);
    }
    b.output(output(y));
    let program = b.finish();
    let kernels = crate::kernel::fuse::fuse(&program).unwrap();
    assert!(kernels.iter().all(|kernel| kernel.body.insts.len() < crate::kernel::fuse::MAX_INSTS));
    let arrays = crate::exec::run(&program, &Options::default()).unwrap();
    assert_eq!(arrays[0].to_vec::<i32>(), [(0..len as i32).fold(0i32, i32::wrapping_add)]);
}

#[test]
fn stencils_of_stencils_stay_linear() {
    let mut b = ProgramBuilder::default();
    let x = input(&mut b, "x", &[500]);
    let mut y = x;
    for step in 1..=100 {
        let lens = dims(&[500 - step]);
        let (later, earlier) = (b.slice(y, &[at(1, 1)], lens.clone()), b.slice(y, &[at(0, 1)], lens));
        y = b.map(Prim::Sub, &[later, earlier]);
    }
    b.output(output(y));
    let program = b.finish();
    let kernels = crate::kernel::fuse::fuse(&program).unwrap();
    let insts: usize = kernels.iter().map(|kernel| kernel.body.insts.len()).sum();
    assert!(insts < 100 * 10, "{insts}");
    agree(&program);
}

/// `exp(x - max(x)) / sum(exp(x - max(x)))`
fn softmax(b: &mut ProgramBuilder, x: NodeId) -> NodeId {
    let most = b.fold(Fold::Max, x, &[0]);
    let less = b.map(Prim::Sub, &[x, most]);
    let exp = b.map(Prim::Exp, &[less]);
    let sum = b.fold(Fold::Sum, exp, &[0]);
    b.map(Prim::Div, &[exp, sum])
}

#[test]
fn a_map_is_made_in_the_place_of_an_operand_that_nobody_reads_again() {
    let once = |b: &mut ProgramBuilder| {
        let x = input(b, "x", &[3000]);
        vec![softmax(b, x)]
    };
    assert_eq!(blocks_of(once), [1, 3000, 1]);
    // Scanned twice: the sums of the sums are no longer needed when they are turned into integers of the same size.
    let integers = |b: &mut ProgramBuilder| {
        let x = input(b, "x", &[50, 40]);
        let sums = b.scan(Fold::Sum, x, 0);
        let mean = b.fold(Fold::Max, sums, &[0, 1]);
        let less = b.map(Prim::Sub, &[sums, mean]);
        vec![b.convert(less, DType::I64)]
    };
    assert_eq!(blocks_of(integers), [2000, 1]);
}

#[test]
fn an_operand_that_is_given_or_read_elsewhere_stays() {
    let given = |b: &mut ProgramBuilder| {
        let x = input(b, "x", &[3000]);
        let sums = b.scan(Fold::Sum, x, 0);
        let one = one(b);
        vec![b.map(Prim::Add, &[sums, one]), sums]
    };
    assert_eq!(blocks_of(given), [3000, 3000]);
    let reversed = |b: &mut ProgramBuilder| {
        let x = input(b, "x", &[3000]);
        let sums = b.scan(Fold::Sum, x, 0);
        let back = b.slice(sums, &[at(2999, -1)], dims(&[3000]));
        vec![b.map(Prim::Add, &[sums, back])]
    };
    assert_eq!(blocks_of(reversed), [3000, 3000]);
    let narrower = |b: &mut ProgramBuilder| {
        let x = input(b, "x", &[3000]);
        let sums = b.scan(Fold::Sum, x, 0);
        vec![b.convert(sums, DType::F32)]
    };
    assert_eq!(blocks_of(narrower), [3000, 1500]);
    let input_itself = |b: &mut ProgramBuilder| {
        let (x, one) = (input(b, "x", &[3000]), one(b));
        vec![b.map(Prim::Add, &[x, one])]
    };
    assert_eq!(blocks_of(input_itself), [3000]);
}

/// More than the caches hold, so that the stores pass them by; in rows that begin anywhere.
#[test]
fn large_results_are_those_of_small_ones() {
    let len = 4_500_001;
    let elements: Vec<f32> = (0..len).map(|index| (index % 1999) as f32 - 700.5).collect();
    for (start, used) in [(0usize, len), (3, len - 5)] {
        let mut b = ProgramBuilder::default();
        let x = b.input("x", Span::default(), DType::F32, dims(&[len]));
        b.bind(x, Array::from_elements(&[len], &elements));
        let (two, part) = (b.constant(Scalar::of(2f32)), b.slice(x, &[at(start, 1)], dims(&[used])));
        let (doubled, exp) = (b.map(Prim::Mul, &[part, two]), b.map(Prim::Exp, &[part]));
        let joined = b.concat(&[doubled, exp], 0);
        b.output(output(joined));
        b.output(output(exp));
        let program = b.finish();
        let run = |threads| {
            let threads = std::num::NonZeroUsize::new(threads);
            crate::exec::run(&program, &Options { threads, ..Options::default() }).unwrap()
        };
        let one = run(1);
        assert_eq!(one, run(3));
        for (index, &element) in elements[start..start + used].iter().enumerate().step_by(997) {
            assert_eq!(one[0].get(index), Scalar::of(2.0 * element));
            assert_eq!(one[0].get(used + index), one[1].get(index));
        }
        let doubled = one[0].to_vec::<f32>();
        assert!(doubled[..used].iter().zip(&elements[start..]).all(|(&doubled, &element)| doubled == 2.0 * element));
        let one = one[1].to_vec::<f32>();
        assert!(doubled[used..].iter().zip(&one).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
}
