//! Measurements; run with `cargo test --release --lib timing -- --ignored --nocapture`.
#![expect(clippy::print_stdout, reason = "it measures")]

use super::{Random, dense, dims, output};
use crate::exec::{Engine, Options, run};
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, Program, Slice};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

fn program(
    dtype: DType,
    shape: &[usize],
    inputs: usize,
    write: impl Fn(&mut ProgramBuilder, &[NodeId]) -> NodeId,
) -> Program {
    let mut random = Random::new(11);
    let mut b = ProgramBuilder::default();
    let nodes: Vec<NodeId> = (0..inputs)
        .map(|index| {
            let node = b.input(&format!("x{index}"), Span::default(), DType::I8, dims(shape));
            b.bind(node, dense(&mut random, DType::I8, shape));
            b.convert(node, dtype)
        })
        .collect();
    // The inputs as arrays of their own.
    nodes.iter().for_each(|&node| b.output(output(node)));
    let arrays = run(&b.finish(), &Options::default()).unwrap();
    let mut b = ProgramBuilder::default();
    let mut nodes = Vec::new();
    for (index, array) in arrays.into_iter().enumerate() {
        let node = b.input(&format!("x{index}"), Span::default(), dtype, dims(shape));
        b.bind(node, array);
        nodes.push(node);
    }
    let node = write(&mut b, &nodes);
    b.output(output(node));
    b.finish()
}

fn time(name: &str, elements: usize, program: &Program) {
    let options = Options { engine: Engine::Jit, ..Options::default() };
    let begun = Instant::now();
    run(program, &options).unwrap();
    let first = begun.elapsed();
    let rounds = (20_000_000 / elements).clamp(3, 2000);
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let begun = Instant::now();
        run(program, &options).unwrap();
        best = best.min(begun.elapsed().as_secs_f64());
    }
    println!(
        "{name:32} first {first:8.1?}   best {:8.2} us   {:.4} ns/element",
        best * 1e6,
        best * 1e9 / elements as f64
    );
}

fn constant(b: &mut ProgramBuilder, dtype: DType, value: f64) -> NodeId {
    b.constant(if dtype == DType::F32 { Scalar::of(value as f32) } else { Scalar::of(value) })
}

#[test]
#[ignore = "measures"]
fn timing() {
    for dtype in [DType::F32, DType::F64] {
        for n in [1000, 100_000, 10_000_000] {
            let k1 = program(dtype, &[n], 2, |b, x| {
                let (two, three) = (constant(b, dtype, 2.0), constant(b, dtype, 3.0));
                let (a, c) = (b.map(Prim::Mul, &[x[0], two]), b.map(Prim::Mul, &[x[1], three]));
                b.map(Prim::Add, &[a, c])
            });
            time(&format!("2*a+3*b {dtype} {n}"), n, &k1);
            let sum = program(dtype, &[n], 1, |b, x| b.fold(Fold::Sum, x[0], &[0]));
            time(&format!("sum {dtype} {n}"), n, &sum);
            let dot = program(dtype, &[n], 2, |b, x| {
                let product = b.map(Prim::Mul, &[x[0], x[1]]);
                b.fold(Fold::Sum, product, &[0])
            });
            time(&format!("sum(a*b) {dtype} {n}"), n, &dot);
            let gauss = program(dtype, &[n], 1, |b, x| {
                let (half, shift) = (constant(b, dtype, -0.5), constant(b, dtype, 1.0));
                let centred = b.map(Prim::Sub, &[x[0], shift]);
                let square = b.map(Prim::Mul, &[centred, centred]);
                let scaled = b.map(Prim::Mul, &[square, half]);
                b.map(Prim::Exp, &[scaled])
            });
            time(&format!("exp(-0.5*(x-1)^2) {dtype} {n}"), n, &gauss);
        }
    }
    let chain = program(DType::F32, &[5], 1, |b, x| {
        let half = constant(b, DType::F32, 0.5);
        (0..200_000).fold(x[0], |node, step| b.map(if step % 2 == 0 { Prim::Mul } else { Prim::Add }, &[node, half]))
    });
    let begun = Instant::now();
    let kernels = crate::kernel::fuse::fuse(&chain).unwrap();
    println!("first: 200,000 ops fuse into {} kernels in {:?}", kernels.len(), begun.elapsed());
    let begun = Instant::now();
    run(&chain, &Options::default()).unwrap();
    println!("first run of 200,000 ops: {:?}", begun.elapsed());
    for ops in [3, 10, 60, 250] {
        let mut code_times = Vec::new();
        for round in 0..20 {
            let chain = program(DType::F32, &[16], 2, |b, x| {
                let mut node = x[0];
                for step in 0..ops {
                    let value = constant(b, DType::F32, 1.0 + f64::from(step) + f64::from(round) * 0.001);
                    let prim = if step % 2 == 0 { Prim::Mul } else { Prim::Add };
                    node = b.map(prim, &[node, if step % 5 == 0 { x[1] } else { value }]);
                }
                node
            });
            let begun = Instant::now();
            run(&chain, &Options::default()).unwrap();
            code_times.push(begun.elapsed());
        }
        code_times.sort();
        println!("first run of {ops} ops: best {:?} median {:?}", code_times[0], code_times[10]);
    }
    for (name, axes) in [("columns", [0]), ("rows", [1])] {
        let sum = program(DType::F32, &[1000, 1000], 1, |b, x| b.fold(Fold::Sum, x[0], &axes));
        time(&format!("sum of {name} f32 1000x1000"), 1_000_000, &sum);
    }
    let select = program(DType::F32, &[100_000], 2, |b, x| {
        let more = b.map(Prim::Lt, &[x[1], x[0]]);
        let difference = b.map(Prim::Sub, &[x[0], x[1]]);
        let sum = b.map(Prim::Add, &[x[0], x[1]]);
        b.map(Prim::Select, &[more, difference, sum])
    });
    time("where(a>b, a-b, a+b) f32", 100_000, &select);
}

/// The best times of a program by each number of threads, in turns of several runs: data that one thread has used last
/// is slow to reach for another.
fn by_threads(program: &Program, elements: usize, threads: &[usize]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; threads.len()];
    for _ in 0..(4_000_000 / elements).clamp(4, 200) {
        for (&threads, best) in threads.iter().zip(&mut best) {
            let grain = std::env::var("ARR_GRAIN").ok().map(|grain| Duration::from_nanos(grain.parse().unwrap()));
            let options = Options { threads: NonZeroUsize::new(threads), grain, ..Options::default() };
            for _ in 0..(10_000_000 / elements).clamp(5, 20) {
                let begun = Instant::now();
                run(program, &options).unwrap();
                *best = best.min(begun.elapsed().as_secs_f64());
            }
        }
    }
    best
}

/// Two threads against one; `ARR_SIZES` and `ARR_GRAIN`, in nanoseconds, choose others than the usual.
#[test]
#[ignore = "measures"]
fn timing_of_threads() {
    let sizes = std::env::var("ARR_SIZES").unwrap_or("1000,4096,16384,65536,100000,1000000,10000000".to_owned());
    let sizes: Vec<usize> = sizes.split(',').map(|size| size.parse().unwrap()).collect();
    for n in sizes {
        for dtype in [DType::F32, DType::F64] {
            let k1 = program(dtype, &[n], 2, |b, x| {
                let (two, three) = (constant(b, dtype, 2.0), constant(b, dtype, 3.0));
                let (a, c) = (b.map(Prim::Mul, &[x[0], two]), b.map(Prim::Mul, &[x[1], three]));
                b.map(Prim::Add, &[a, c])
            });
            let exp = program(dtype, &[n], 1, |b, x| b.map(Prim::Exp, &[x[0]]));
            let sum = program(dtype, &[n], 1, |b, x| b.fold(Fold::Sum, x[0], &[0]));
            for (name, program) in [("2*a+3*b", &k1), ("exp", &exp), ("sum", &sum)] {
                let best = by_threads(program, n, &[1, 2]);
                let (one, two) = (best[0] * 1e6, best[1] * 1e6);
                println!("{name:8} {dtype} {n:9}: {one:9.2} us by one, {two:9.2} us by two: {:.2}", one / two);
            }
        }
    }
}

fn at(start: usize, step: i64) -> Slice {
    Slice { start: Dim::Const(start as u64), step }
}

#[test]
#[ignore = "measures"]
fn timing_of_places() {
    for dtype in [DType::F32, DType::F64] {
        for n in [100_000, 10_000_000] {
            let neighbours = program(dtype, &[n], 1, |b, x| {
                let later = b.slice(x[0], &[at(1, 1)], dims(&[n - 1]));
                let earlier = b.slice(x[0], &[at(0, 1)], dims(&[n - 1]));
                b.map(Prim::Sub, &[later, earlier])
            });
            time(&format!("x[1:] - x[:-1] {dtype} {n}"), n, &neighbours);
            let every_other = program(dtype, &[n], 2, |b, x| {
                let even = b.slice(x[0], &[at(0, 2)], dims(&[n / 2]));
                let first = b.slice(x[1], &[at(0, 1)], dims(&[n / 2]));
                let two = constant(b, dtype, 2.0);
                let doubled = b.map(Prim::Mul, &[even, two]);
                b.map(Prim::Add, &[doubled, first])
            });
            time(&format!("a[::2]*2+b {dtype} {n}/2"), n / 2, &every_other);
            let reversed = program(dtype, &[n], 1, |b, x| {
                let (back, one) = (b.slice(x[0], &[at(n - 1, -1)], dims(&[n])), constant(b, dtype, 1.0));
                b.map(Prim::Add, &[back, one])
            });
            time(&format!("x[::-1]+1 {dtype} {n}"), n, &reversed);
            let scan = program(dtype, &[n], 1, |b, x| b.scan(Fold::Sum, x[0], 0));
            time(&format!("cumsum {dtype} {n}"), n, &scan);
        }
    }
    for axis in [0, 1] {
        for dtype in [DType::F64, DType::F32, DType::I32] {
            let scan = program(dtype, &[1000, 1000], 1, |b, x| b.scan(Fold::Sum, x[0], axis));
            time(&format!("cumsum {dtype} 1000x1000 axis {axis}"), 1_000_000, &scan);
        }
    }
    let take = program(DType::F64, &[1_000_000], 1, |b, x| {
        let (count, odd) = (b.iota(0, dims(&[1_000_000])), b.constant(Scalar::of(1023i64)));
        let place = b.map(Prim::And, &[count, odd]);
        b.gather(x[0], place, 0)
    });
    time("take f64 1e6", 1_000_000, &take);
    let joined = program(DType::F64, &[1_000_000], 2, |b, x| {
        let sum = b.map(Prim::Add, &[x[0], x[1]]);
        b.concat(&[sum, x[0]], 0)
    });
    time("concat([a+b, a]) f64 2e6", 2_000_000, &joined);
    let interior = program(DType::F64, &[1000, 1000], 1, |b, x| {
        let inner = dims(&[998, 998]);
        let part = |b: &mut ProgramBuilder, row: usize, column: usize| {
            b.slice(x[0], &[at(row, 1), at(column, 1)], inner.clone())
        };
        let parts = [part(b, 0, 1), part(b, 2, 1), part(b, 1, 0), part(b, 1, 2)];
        let sum = parts[1..].iter().fold(parts[0], |sum, &part| b.map(Prim::Add, &[sum, part]));
        let quarter = b.constant(Scalar::of(0.25));
        let mean = b.map(Prim::Mul, &[sum, quarter]);
        b.update(x[0], &[at(1, 1), at(1, 1)], mean)
    });
    time("five points f64 1000x1000", 1_000_000, &interior);
}
