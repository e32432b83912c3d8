//! Runs by several threads. They stay within their operands, also at once, and can be stopped.
#![expect(unsafe_code, reason = "elements lie between closed pages, at addresses")]
#![expect(clippy::print_stdout, reason = "how soon a run stops is worth knowing")]

use super::{Random, agree, dense, dims, output, run_by};
use crate::array::{Array, Buffer};
use crate::exec::jit::tests::GuardedMemory;
use crate::exec::{Engine, Options, RunError, run};
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, Program};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::DType;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A copy of an array's elements, `step` elements apart, that begins right behind a closed page or ends right before
/// one.
fn guarded(array: &Array, step: isize, behind: bool) -> Array {
    let size = array.dtype().size();
    let (len, apart) = (array.len(), step.unsigned_abs().max(1));
    let used = if len == 0 { 0 } else { ((len - 1) * apart + 1) * size };
    let guard = GuardedMemory::new();
    let first = guard.place(used, behind);
    let offset = if step < 0 { used - size * usize::from(len > 0) } else { 0 };
    for index in 0..len {
        let at = (offset as isize + index as isize * step * size as isize) as usize;
        let bits = array.get(index).bits.to_le_bytes();
        // SAFETY: an element of those that were asked for.
        unsafe { std::ptr::copy_nonoverlapping(bits.as_ptr(), first.add(at), size) };
    }
    let before = first.addr() - guard.open().as_ptr().addr();
    let buffer = Arc::new(Buffer::Mapped(Box::new(guard)));
    Array::new(array.dtype(), vec![len], vec![step * size as isize], before + offset, buffer)
}

#[test]
fn b08_threads_stay_within_their_operands() {
    let mut random = Random::new(77);
    for dtype in DType::ALL {
        // Four iterations of the widest loop, and all that may be left over.
        let most = 4 * (64 / dtype.size()).max(4) + 3;
        for len in 0..=most {
            let elements = dense(&mut random, dtype, &[len]);
            for (step, behind) in [(1, false), (1, true), (-1, false), (-1, true), (2, true), (-3, false), (0, true)] {
                let mut b = ProgramBuilder::default();
                let x = b.input("x", Span::default(), dtype, dims(&[len]));
                b.bind(x, guarded(&elements, step, behind));
                let joined = b.concat(&[x, x], 0);
                let computed = if dtype.is_complex() { b.map(Prim::Imag, &[x]) } else { b.map(Prim::Ne, &[x, x]) };
                let sum = b.fold(Fold::Sum, x, &[0]);
                [joined, computed, sum].into_iter().for_each(|node| b.output(output(node)));
                agree(&b.finish());
            }
        }
    }
}

#[test]
fn parts_of_long_reductions_are_joined_in_the_fixed_order() {
    let mut random = Random::new(78);
    for dtype in DType::ALL {
        for len in [4096, 9 * 1024 + 5, 40 * 1024 + 31] {
            let x = dense(&mut random, dtype, &[len]);
            for (shape, axis) in [([len, 1], 0), ([len, 3], 0), ([1, len], 1)] {
                let mut b = ProgramBuilder::default();
                let column = b.input("x", Span::default(), dtype, dims(&[len, 1]));
                b.bind(column, x.view(vec![len, 1], vec![dtype.size() as isize, 0], 0));
                let column = if axis == 1 {
                    b.view(column, crate::ir::View::Transpose(vec![1, 0]), dims(&[1, len]))
                } else {
                    b.broadcast(column, &dims(&shape))
                };
                for fold in [Fold::Sum, Fold::Prod, Fold::Min, Fold::ArgMin, Fold::ArgMax] {
                    if crate::exec::fold::is_legal(fold, dtype) {
                        let node = b.fold(fold, column, &[axis]);
                        b.output(output(node));
                    }
                }
                agree(&b.finish());
            }
        }
    }
}

/// `sum(sqrt(x * x + 1))` of some thousand elements.
fn some_program(seed: u64) -> Program {
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), DType::F32, dims(&[20_000]));
    b.bind(x, dense(&mut Random::new(seed), DType::F32, &[20_000]));
    let one = b.constant(Scalar::of(1f32));
    let square = b.map(Prim::Mul, &[x, x]);
    let more = b.map(Prim::Add, &[square, one]);
    let root = b.map(Prim::Sqrt, &[more]);
    let sum = b.fold(Fold::Sum, root, &[0]);
    b.output(output(sum));
    b.output(output(root));
    b.finish()
}

#[test]
fn several_sessions_run_at_once() {
    std::thread::scope(|scope| {
        for session in 0..5 {
            scope.spawn(move || {
                let program = some_program(session);
                let meaning = run_by(&program, Engine::Reference, 1);
                for round in 0..60 {
                    assert_eq!(run_by(&program, Engine::Jit, 2 + round % 4), meaning);
                }
            });
        }
    });
}

/// Programs that take minutes, one for each way to walk.
fn long_programs() -> Vec<(&'static str, Program)> {
    type Write = fn(&mut ProgramBuilder) -> NodeId;
    fn count(b: &mut ProgramBuilder, shape: &[usize], axis: usize) -> NodeId {
        let count = b.iota(axis, dims(shape));
        b.convert(count, DType::F64)
    }
    let rows: [(&str, Write); 6] = [
        ("gamma, stored", |b| {
            let x = count(b, &[1 << 29], 0);
            let gamma = b.map(Prim::Gamma, &[x]);
            b.convert(gamma, DType::U8)
        }),
        ("gamma, along rows", |b| {
            let x = count(b, &[1 << 40], 0);
            let gamma = b.map(Prim::Gamma, &[x]);
            b.fold(Fold::Sum, gamma, &[0])
        }),
        ("a sum, along rows", |b| {
            let x = count(b, &[1 << 40], 0);
            b.fold(Fold::Sum, x, &[0])
        }),
        ("many sums, along rows", |b| {
            let x = count(b, &[1 << 20, 1 << 20], 1);
            b.fold(Fold::Max, x, &[1])
        }),
        ("powers, across columns", |b| {
            let (x, y) = (count(b, &[1 << 22, 1 << 16], 0), count(b, &[1 << 22, 1 << 16], 1));
            let power = b.map(Prim::Pow, &[y, x]);
            b.fold(Fold::ArgMax, power, &[0])
        }),
        ("one column of powers", |b| {
            let (x, y) = (count(b, &[1 << 40, 16], 0), count(b, &[1 << 40, 16], 1));
            let power = b.map(Prim::Pow, &[y, x]);
            b.fold(Fold::Min, power, &[0])
        }),
    ];
    let program = |write: Write| {
        let mut b = ProgramBuilder::default();
        let node = write(&mut b);
        b.output(output(node));
        b.finish()
    };
    rows.into_iter().map(|(name, write)| (name, program(write))).collect()
}

#[test]
fn d13_every_way_to_walk_stops_when_asked() {
    for (name, program) in long_programs() {
        for threads in [1, 3] {
            let flag = AtomicBool::new(false);
            let asked = std::thread::scope(|scope| {
                let asking = scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(30));
                    flag.store(true, Ordering::Relaxed);
                    Instant::now()
                });
                let threads = NonZeroUsize::new(threads);
                let outcome = run(&program, &Options { threads, interrupt: Some(&flag), ..Options::default() });
                assert_eq!(outcome, Err(RunError::Interrupted), "{name}");
                asking.join().expect("it asked")
            });
            let taken = asked.elapsed();
            println!("{name} by {threads}: {taken:?}");
            // Measured well below 0.1 s; a busy machine may need more.
            assert!(taken < Duration::from_secs(30), "{name}: {taken:?}");
        }
    }
}
