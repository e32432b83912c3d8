//! Programs with one idea each.

use super::{Random, agree, dense, dims, output, run_with};
use crate::array::Array;
use crate::exec::{Engine, Options, RunError, run};
use crate::ir::build::ProgramBuilder;
use crate::ir::{Check, Fault, Fold, View};
use crate::kernel::InstOp;
use crate::kernel::fuse::fuse;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::DType;
use std::sync::atomic::AtomicBool;

#[test]
fn a_long_chain_takes_well_under_a_second() {
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), DType::F32, dims(&[5]));
    b.bind(x, Array::from_elements(&[5], &[1f32, 2.0, 3.0, 4.0, 5.0]));
    let half = b.constant(Scalar::of(0.5f32));
    let mut node = x;
    for _ in 0..100_000 {
        node = b.map(Prim::Mul, &[node, half]);
        node = b.map(Prim::Add, &[node, x]);
    }
    b.output(output(node));
    let program = b.finish();
    let begun = std::time::Instant::now();
    let fast = run(&program, &Options::default()).unwrap();
    let took = begun.elapsed();
    assert_eq!(fast, run_with(&program, Engine::Reference).unwrap());
    // Measured at 0.15 s; quadratic work would take minutes.
    assert!(took.as_secs_f64() < 10.0, "{took:?}");
}

#[test]
fn a_shared_node_is_counted_once() {
    // Doubling 40 times is 40 nodes, not 2^40.
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), DType::I64, dims(&[3]));
    b.bind(x, Array::from_elements(&[3], &[1i64, 2, 3]));
    let mut node = x;
    for _ in 0..40 {
        node = b.map(Prim::Add, &[node, node]);
    }
    b.output(output(node));
    let program = b.finish();
    assert_eq!(fuse(&program).unwrap().len(), 1);
    assert_eq!(agree(&program)[0].to_vec::<i64>(), [1 << 40, 2 << 40, 3 << 40]);
}

#[test]
fn hard_arguments_are_met_anywhere() {
    // Chunks go through the code together; one that needs more than its straight line stops all of them.
    for hard in [vec![], vec![0], vec![13, 14], vec![40, 63, 64, 500], vec![998], (200..700).collect()] {
        let mut x: Vec<f64> = (0..999).map(|i| f64::from(i) / 37.0 - 13.0).collect();
        hard.iter().for_each(|&i: &usize| x[i] = if i % 2 == 0 { -1e30 } else { f64::INFINITY });
        let mut b = ProgramBuilder::default();
        let x = {
            let node = b.input("x", Span::default(), DType::F64, dims(&[999]));
            b.bind(node, Array::from_elements(&[999], &x));
            node
        };
        for dtype in [DType::F64, DType::F32] {
            let x = b.convert(x, dtype);
            let (sin, cos) = (b.map(Prim::Sin, &[x]), b.map(Prim::Cos, &[x]));
            let sum = b.map(Prim::Add, &[sin, cos]);
            b.output(output(sum));
        }
        agree(&b.finish());
    }
}

#[test]
fn a_softmax_computes_its_exponentials_once() {
    let mut random = Random::new(5);
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), DType::F32, dims(&[7, 50]));
    b.bind(x, dense(&mut random, DType::F32, &[7, 50]));
    let top = b.fold_keeping(Fold::Max, x, &[1]);
    let centred = b.map(Prim::Sub, &[x, top]);
    let exp = b.map(Prim::Exp, &[centred]);
    let sum = b.fold_keeping(Fold::Sum, exp, &[1]);
    let share = b.map(Prim::Div, &[exp, sum]);
    b.output(output(share));
    let program = b.finish();
    let kernels = fuse(&program).unwrap();
    assert_eq!(kernels.len(), 3, "{}", crate::kernel::print::kernels(&kernels));
    let text = crate::kernel::print::kernels(&kernels);
    assert_eq!(text.matches("= exp").count(), 1, "{text}");
    agree(&program);
}

#[test]
fn a_mean_is_subtracted_in_two_kernels() {
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), DType::F64, dims(&[2, 3]));
    b.bind(x, Array::from_elements(&[2, 3], &[1f64, 2.0, 3.0, 4.0, 5.0, 9.0]));
    let sum = b.fold(Fold::Sum, x, &[1]);
    let three = b.constant(Scalar::of(3f64));
    let mean = b.map(Prim::Div, &[sum, three]);
    let column = b.view(mean, View::Reshape, dims(&[2, 1]));
    let centred = b.map(Prim::Sub, &[x, column]);
    b.output(output(centred));
    let program = b.finish();
    assert_eq!(fuse(&program).unwrap().len(), 2);
    assert_eq!(agree(&program)[0].to_vec::<f64>(), [-1.0, 0.0, 1.0, -2.0, -1.0, 3.0]);
}

#[test]
fn outputs_that_share_a_space_share_a_loop() {
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), DType::I32, dims(&[4]));
    b.bind(x, Array::from_elements(&[4], &[1i32, 2, 3, 4]));
    let square = b.map(Prim::Mul, &[x, x]);
    let more = b.map(Prim::Add, &[square, x]);
    let sum = b.fold(Fold::Sum, more, &[0]);
    for node in [square, more, sum, x] {
        b.output(output(node));
    }
    let program = b.finish();
    assert_eq!(fuse(&program).unwrap().len(), 1);
    assert_eq!(agree(&program)[2].to_vec::<i32>(), [40]);
}

#[test]
fn memory_is_refused_before_it_is_touched() {
    let mut b = ProgramBuilder::default();
    let one = b.iota(0, dims(&[1 << 20, 1]));
    let other = b.iota(0, dims(&[1 << 20]));
    let table = b.map(Prim::Mul, &[one, other]);
    b.output(output(table));
    let program = b.finish();
    let options = Options { max_memory: Some(1 << 30), ..Options::default() };
    let refused = RunError::OutOfMemory { needed: Some(1 << 43), limit: Some(1 << 30) };
    assert_eq!(run(&program, &options), Err(refused));
}

#[test]
fn spaces_that_cannot_be_counted_are_refused() {
    let mut b = ProgramBuilder::default();
    let x = b.iota(0, dims(&[1 << 40, 1]));
    let y = b.iota(0, dims(&[1 << 40]));
    let table = b.map(Prim::Mul, &[x, y]);
    let sum = b.fold(Fold::Sum, table, &[0, 1]);
    b.output(output(sum));
    let program = b.finish();
    let refused = run_with(&program, Engine::Jit);
    assert!(matches!(refused, Err(RunError::TooManyElements { .. })), "{refused:?}");
}

#[test]
fn a_reduction_of_nothing_names_its_node() {
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), DType::F32, dims(&[2, 0]));
    b.bind(x, Array::from_elements::<f32>(&[2, 0], &[]));
    let node = b.fold(Fold::Max, x, &[1]);
    b.output(output(node));
    let program = b.finish();
    for engine in [Engine::Reference, Engine::Blocks, Engine::Jit] {
        assert_eq!(run_with(&program, engine), Err(RunError::EmptyReduction { node }));
    }
}

#[test]
fn a_failing_check_says_where() {
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), DType::I32, dims(&[5]));
    b.bind(x, Array::from_elements(&[5], &[1i32, 2, 30, 4, 50]));
    let limit = b.constant(Scalar::of(10i32));
    let above = b.map(Prim::Lt, &[limit, x]);
    let first = b.fold(Fold::FirstTrue, above, &[0]);
    let fault = Fault::OutOfRange { input: "x".into(), range: "[0, 10]".into(), value: x };
    b.check(Check { node: first, written: 0, fault, span: Span::default(), calls: Vec::new() });
    let program = b.finish();
    for engine in [Engine::Reference, Engine::Blocks, Engine::Jit] {
        assert_eq!(run_with(&program, engine), Err(RunError::CheckFailed { check: 0, index: 2 }));
    }
    let found = crate::exec::elements_at(&program, &[x, limit], &[5], 2, &Options::default()).unwrap();
    assert_eq!(found, [Scalar::of(30i32), Scalar::of(10i32)]);
}

#[test]
fn a_run_stops_when_asked_to() {
    let mut b = ProgramBuilder::default();
    let one = b.iota(0, dims(&[1 << 23, 1]));
    let other = b.iota(0, dims(&[1 << 23]));
    let product = b.map(Prim::Mul, &[one, other]);
    let sum = b.fold(Fold::Sum, product, &[0, 1]);
    stops(b, sum);
    let mut b = ProgramBuilder::default();
    let count = b.iota(0, dims(&[1 << 31]));
    let small = b.convert(count, DType::I8);
    let scan = b.scan(Fold::Max, small, 0);
    stops(b, scan);
    let mut b = ProgramBuilder::default();
    let table = b.input("x", Span::default(), DType::I8, dims(&[1000]));
    b.bind(table, Array::from_elements(&[1000], &[7i8; 1000]));
    let count = b.iota(0, dims(&[1 << 31]));
    let picked = b.gather(table, count, 0);
    stops(b, picked);
}

/// A program that would run for a second or more stops when it is asked to.
fn stops(mut b: ProgramBuilder, node: crate::ir::NodeId) {
    b.output(output(node));
    let program = b.finish();
    let flag = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let options = Options { interrupt: Some(&flag), ..Options::default() };
        assert_eq!(run(&program, &options), Err(RunError::Interrupted));
    });
}

#[test]
fn subnormals_survive_and_inputs_of_any_byte_are_truth_values() {
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), DType::F32, dims(&[2]));
    b.bind(x, Array::from_elements(&[2], &[1e-39f32, 1e-45]));
    let one = b.constant(Scalar::of(1f32));
    let same = b.map(Prim::Mul, &[x, one]);
    b.output(output(same));
    assert_eq!(agree(&b.finish())[0].to_vec::<f32>(), [1e-39, 1e-45]);

    let mut b = ProgramBuilder::default();
    let bytes = Array::from_elements(&[40], &[0u8, 1, 2, 255].repeat(10));
    let flags = Array::new(DType::Bool, vec![40], vec![1], 0, bytes.buffer().clone());
    let x = b.input("x", Span::default(), DType::Bool, dims(&[40]));
    b.bind(x, flags);
    let not = b.map(Prim::Not, &[x]);
    let number = b.convert(x, DType::I32);
    let log = b.convert(x, DType::F64);
    let log = b.map(Prim::Log1p, &[log]);
    let sum = b.fold(Fold::Sum, x, &[0]);
    [not, number, log, sum, x].into_iter().for_each(|node| b.output(output(node)));
    agree(&b.finish());
}

#[test]
fn integers_to_a_constant_power_agree_and_are_products_of_few_factors() {
    for dtype in DType::ALL.into_iter().filter(|dtype| dtype.is_integer()) {
        for count in 0..20u32 {
            let mut b = ProgramBuilder::default();
            let x = b.input("x", Span::default(), dtype, dims(&[1000]));
            b.bind(x, dense(&mut Random::new(9), dtype, &[1000]));
            let exponent = b.constant(Scalar { dtype, bits: count.into() });
            let power = b.map(Prim::Pow, &[x, exponent]);
            b.output(output(power));
            let program = b.finish();
            let is_pow = |inst: &crate::kernel::Inst| matches!(inst.op, InstOp::Prim(Prim::Pow, _));
            let few = (1..=16).contains(&count);
            assert_eq!(fuse(&program).unwrap()[0].body.insts.iter().any(is_pow), !few, "{dtype} {count}");
            agree(&program);
        }
    }
}
