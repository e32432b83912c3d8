//! Runs over arrays in windows against the bits of runs over arrays in memory.

use super::{Random, agree, dense, dims, output};
use crate::array::mapping::{Mapping, ReadAt, WriteAt};
use crate::array::{Array, Buffer};
use crate::exec::{Engine, Flow, Options, RunError, run, run_through};
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, Program};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, shape};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Bytes without addresses.
struct UnmappedBytes(Vec<u8>);

impl Mapping for UnmappedBytes {
    fn bytes(&self) -> &[u8] {
        &[]
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_mapped(&self) -> bool {
        false
    }

    fn windows(&self) -> Option<&dyn ReadAt> {
        Some(self)
    }
}

impl ReadAt for UnmappedBytes {
    fn read_at(&self, at: usize, window: &mut [u8]) -> io::Result<()> {
        window.copy_from_slice(&self.0[at..][..window.len()]);
        Ok(())
    }
}

/// Takes bytes in any order.
struct TakenBytes(Mutex<Vec<Option<u8>>>);

impl WriteAt for TakenBytes {
    fn write_at(&self, at: usize, window: &[u8]) -> io::Result<()> {
        let mut taken = self.0.lock().unwrap();
        taken[at..][..window.len()].iter_mut().zip(window).for_each(|(place, &byte)| *place = Some(byte));
        Ok(())
    }
}

/// The array without addresses, if it is dense.
fn unmapped(array: &Array) -> Array {
    match array.contiguous_bytes().filter(|bytes| !bytes.is_empty()) {
        Some(bytes) => {
            let buffer = Arc::new(Buffer::Mapped(Box::new(UnmappedBytes(bytes.to_vec()))));
            let strides = crate::array::c_strides(array.shape(), array.dtype().size());
            Array::new(array.dtype(), array.shape(), strides, 0, buffer)
        }
        None => array.clone(),
    }
}

/// What a program gives whose dense inputs and whose outputs all pass, if they can; with how many bytes passed of how
/// many.
fn run_windowed(program: &Program, window: usize, options: &Options) -> (Result<Vec<Array>, RunError>, (u64, u64)) {
    let mut program = program.clone();
    program.inputs.iter_mut().for_each(|input| input.value = input.value.as_ref().map(unmapped));
    let sizes = |node: NodeId| shape::sizes(&program.node(node).shape).unwrap();
    let count = |node: NodeId| sizes(node).iter().product::<usize>() * program.node(node).dtype.size();
    let taken = program.outputs.iter().map(|output| TakenBytes(Mutex::new(vec![None; count(output.node)])));
    let taken: Vec<TakenBytes> = taken.collect();
    let passed = Mutex::new((0, 0));
    let progress = |done, total| *passed.lock().unwrap() = (done, total);
    let flow = Flow {
        outputs: taken.iter().map(|taken| Some(taken as &dyn WriteAt)).collect(),
        window: Some(window),
        progress: Some(&progress),
    };
    let given = run_through(&program, options, &flow).map(|given| {
        let arrays = given.into_iter().zip(&taken).zip(&program.outputs).map(|((array, taken), output)| {
            array.unwrap_or_else(|| {
                let bytes: Vec<u8> = taken.0.lock().unwrap().iter().map(|byte| byte.expect("it was written")).collect();
                Array::new(
                    program.node(output.node).dtype,
                    sizes(output.node),
                    crate::array::c_strides(&sizes(output.node), program.node(output.node).dtype.size()),
                    0,
                    Arc::new(Buffer::Mapped(Box::new(bytes))),
                )
            })
        });
        arrays.collect()
    });
    (given, passed.into_inner().unwrap())
}

/// What a program gives through windows, by both engines, if all sizes are known before.
pub(super) fn through(program: &Program, window: usize) -> Option<Result<Vec<Array>, RunError>> {
    let known = |node: NodeId| {
        shape::sizes(&program.node(node).shape).is_some_and(|sizes| sizes.iter().product::<usize>() < 1 << 24)
    };
    if !program.lengths.is_empty() || !program.outputs.iter().all(|output| known(output.node)) {
        return None;
    }
    let options =
        Options { grain: Some(Duration::ZERO), threads: std::num::NonZeroUsize::new(3), ..Options::default() };
    let by = |engine| run_windowed(program, window, &Options { engine, ..options }).0;
    let given = by(Engine::Blocks);
    assert_eq!(by(Engine::Jit), given);
    Some(given)
}

/// A program of one input.
fn of_one(dtype: DType, shape: &[usize], build: impl Fn(&mut ProgramBuilder, NodeId) -> Vec<NodeId>) -> Program {
    let mut b = ProgramBuilder::default();
    let x = b.input("x", Span::default(), dtype, dims(shape));
    b.bind(x, dense(&mut Random::new(7), dtype, shape));
    for node in build(&mut b, x) {
        b.output(output(node));
    }
    b.finish()
}

/// Asserts that a program gives the same bits through windows, and how many bytes pass.
fn passes(program: &Program, window: usize, bytes: usize) {
    let meaning = run(program, &Options { engine: Engine::Reference, ..Options::default() });
    for engine in [Engine::Jit, Engine::Blocks] {
        let (given, passed) = run_windowed(program, window, &Options { engine, ..Options::default() });
        assert_eq!(given, meaning);
        assert_eq!(passed, (bytes as u64, bytes as u64), "{engine:?}");
    }
}

#[test]
fn maps_pass_whatever_their_shape() {
    let twice = |b: &mut ProgramBuilder, x| vec![b.map(Prim::Add, &[x, x])];
    for shape in [&[100_000][..], &[7, 11, 1000], &[30_000, 3], &[3, 30_000]] {
        let bytes = shape.iter().product::<usize>() * 4;
        passes(&of_one(DType::F32, shape, twice), 16 << 10, 2 * bytes);
    }
}

#[test]
fn folds_go_on_from_window_to_window() {
    // Blocks of terms end inside of windows and between them.
    for (fold, dtype) in [
        (Fold::Sum, DType::F32),
        (Fold::Sum, DType::F64),
        (Fold::Prod, DType::F64),
        (Fold::Sum, DType::I16),
        (Fold::Max, DType::F32),
        (Fold::ArgMax, DType::F32),
        (Fold::ArgMin, DType::I8),
    ] {
        for axes in [vec![0], vec![1], vec![0, 1]] {
            for shape in [[4100, 15], [2051, 40], [20_000, 2]] {
                if axes.len() > 1 && matches!(fold, Fold::ArgMax | Fold::ArgMin) {
                    continue;
                }
                let program = of_one(dtype, &shape, |b, x| vec![b.fold(fold, x, &axes)]);
                let results =
                    if axes == [1] { shape[0] * program.node(program.outputs[0].node).dtype.size() } else { 0 };
                passes(&program, 16 << 10, shape[0] * shape[1] * dtype.size() + results);
                let computed = of_one(dtype, &shape, |b, x| {
                    let y = b.map(Prim::Mul, &[x, x]);
                    vec![b.fold(fold, y, &axes)]
                });
                passes(&computed, 16 << 10, shape[0] * shape[1] * dtype.size() + results);
            }
        }
    }
}

#[test]
fn rows_that_fill_a_window_are_folded_one_by_one() {
    let program = of_one(DType::F64, &[40, 3000], |b, x| vec![b.fold(Fold::Sum, x, &[0])]);
    passes(&program, 64 << 10, 40 * 3000 * 8);
}

#[test]
fn what_is_computed_twice_passes_twice() {
    // Each row less the mean of all.
    let program = of_one(DType::F32, &[5000, 40], |b, x| {
        let sum = b.fold(Fold::Sum, x, &[0]);
        let count = b.constant(Scalar::of(5000f32));
        let mean = b.map(Prim::Div, &[sum, count]);
        vec![b.map(Prim::Sub, &[x, mean])]
    });
    passes(&program, 64 << 10, 3 * 5000 * 40 * 4);
}

#[test]
fn elements_that_several_rounds_read_are_in_the_windows_of_each() {
    use crate::ir::View;
    for len in [3, 9, 100] {
        let program = of_one(DType::F64, &[60_000], |b, x| {
            let seen = b.view(x, View::Windows(0), dims(&[60_001 - len, len]));
            vec![b.fold(Fold::Sum, seen, &[1]), b.fold(Fold::Max, seen, &[1])]
        });
        agree(&program);
    }
}

#[test]
fn what_cannot_be_cut_is_held() {
    use crate::ir::View;
    // Two orders of one table: one of them is in memory. The sum of what is given is of what is in memory too.
    let turned = of_one(DType::F32, &[300, 300], |b, x| {
        let turned = b.view(x, View::Transpose(vec![1, 0]), dims(&[300, 300]));
        vec![b.map(Prim::Add, &[x, turned])]
    });
    agree(&turned);
    let again = of_one(DType::F32, &[90_000], |b, x| {
        let y = b.map(Prim::Mul, &[x, x]);
        let total = b.fold(Fold::Sum, y, &[0]);
        vec![y, b.map(Prim::Div, &[y, total])]
    });
    agree(&again);
}

#[test]
fn b22_what_is_held_counts_and_windows_are_small() {
    let twice = of_one(DType::F64, &[100_000], |b, x| vec![b.map(Prim::Add, &[x, x])]);
    let limited = Options { max_memory: Some(100_000), ..Options::default() };
    assert!(run_windowed(&twice, 20_000, &limited).0.is_ok());
    assert_eq!(
        run(&twice, &limited).unwrap_err(),
        RunError::OutOfMemory { needed: Some(800_000), limit: Some(100_000) }
    );
    let turned = of_one(DType::F64, &[300, 300], |b, x| {
        let turned = b.view(x, crate::ir::View::Transpose(vec![1, 0]), dims(&[300, 300]));
        vec![b.map(Prim::Add, &[x, turned])]
    });
    let refused = run_windowed(&turned, 20_000, &limited).0.unwrap_err();
    assert!(matches!(refused, RunError::OutOfMemory { limit: Some(100_000), .. }), "{refused:?}");
}

#[test]
fn a_file_that_ends_and_a_disk_that_is_full_are_errors() {
    struct Refusing;
    impl WriteAt for Refusing {
        fn write_at(&self, at: usize, _: &[u8]) -> io::Result<()> {
            if at > 0 { Err(io::Error::other("full")) } else { Ok(()) }
        }
    }
    impl ReadAt for Refusing {
        fn read_at(&self, _: usize, _: &mut [u8]) -> io::Result<()> {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }
    impl Mapping for Refusing {
        fn bytes(&self) -> &[u8] {
            &[]
        }
        fn len(&self) -> usize {
            400_000
        }
        fn is_mapped(&self) -> bool {
            false
        }
        fn windows(&self) -> Option<&dyn ReadAt> {
            Some(self)
        }
    }
    let mut program = of_one(DType::F32, &[100_000], |b, x| vec![b.map(Prim::Add, &[x, x])]);
    let flow = |taken| Flow { outputs: vec![taken], window: Some(10_000), progress: None };
    let refused = run_through(&program, &Options::default(), &flow(Some(&Refusing as &dyn WriteAt))).unwrap_err();
    assert_eq!(refused, RunError::Unwritable { output: 0, reason: "full".into() });
    let buffer = Arc::new(Buffer::Mapped(Box::new(Refusing)));
    program.inputs[0].value = Some(Array::new(DType::F32, [100_000].as_slice(), [4].as_slice(), 0, buffer));
    let taken = TakenBytes(Mutex::new(vec![None; 400_000]));
    for taken in [None, Some(&taken as &dyn WriteAt)] {
        let refused = run_through(&program, &Options::default(), &flow(taken)).unwrap_err();
        assert!(matches!(refused, RunError::Unreadable { input: 0, .. }), "{refused:?}");
    }
}
