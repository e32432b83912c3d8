//! Agreement of the fast ways to run a program with the reference.

mod bounded;
pub(crate) mod edges;
mod folds;
mod kernels;
mod layouts;
mod memory;
mod movement;
mod places;
mod programs;
pub(crate) mod random;
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
mod threads;
mod timing;
mod windows;

use super::machine::{Level, held, level};
use super::{Engine, Options, RunError, run};
use crate::array::Array;
use crate::ir::{Fold, Node, NodeId, NodeKind, Program, ProgramOutput};
use crate::scalar::Scalar;
use crate::source::Span;
use crate::types::{DType, Dim};
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Every fold.
pub(super) const FOLDS: [Fold; 9] =
    [Fold::Sum, Fold::Prod, Fold::Min, Fold::Max, Fold::Any, Fold::All, Fold::ArgMin, Fold::ArgMax, Fold::FirstTrue];

/// A small random number generator: the tests need the same programs on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A scalar: often an awkward one.
    pub(crate) fn scalar(&mut self, dtype: DType) -> Scalar {
        let part = dtype.part();
        let mut bits = self.real(part);
        if dtype != part {
            bits |= self.real(part) << part.bits();
        }
        Scalar { dtype, bits }
    }

    fn real(&mut self, dtype: DType) -> u128 {
        let width = dtype.bits();
        let mask = u128::MAX >> (128 - width);
        let random = u128::from(self.next()) & mask;
        match dtype {
            DType::Bool => random & 1,
            DType::F32 => match self.below(4) {
                0 => u128::from(self.pick(&AWKWARD_F32).to_bits()),
                1 => random,
                _ => u128::from(((self.next() % 2001) as f32 / 100.0 - 10.0).to_bits()),
            },
            DType::F64 => match self.below(4) {
                0 => u128::from(f64::from(self.pick(&AWKWARD_F32)).to_bits()),
                1 => random,
                _ => u128::from(((self.next() % 2001) as f64 / 100.0 - 10.0).to_bits()),
            },
            DType::F16 | DType::Bf16 => random,
            _ => match self.below(4) {
                // Near the middle between two floats of some width.
                3 => {
                    let [high, low] = [(); 2].map(|()| self.below(width as usize));
                    (1u128 << high | 1 << low).wrapping_add(self.pick(&[0, 1, mask])) & mask
                }
                0 => self.pick(&[0, 1, 2, 7, 31, 64, mask, mask >> 1, (mask >> 1) + 1, mask - 1]) & mask,
                1 => (u128::from(self.next() % 41).wrapping_sub(20)) & mask,
                _ => random,
            },
        }
    }
}

const AWKWARD_F32: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN_POSITIVE,
    1e-45,
    2147483648.0,
    -2147483904.0,
    65504.0,
    1e10,
];

/// An array of random elements, laid out in a random way.
pub(crate) fn random_array(random: &mut Random, dtype: DType, shape: &[usize]) -> Array {
    let rank = shape.len();
    match random.below(4) {
        // A broadcast axis.
        0 if rank > 0 && !shape.contains(&0) => {
            let axis = random.below(rank);
            let mut small = shape.to_vec();
            small[axis] = 1;
            random_array(random, dtype, &small).broadcast_to(shape)
        }
        // Transposed.
        1 if rank > 1 => {
            let turned: Vec<usize> = shape.iter().rev().copied().collect();
            let array = dense(random, dtype, &turned);
            let strides: Vec<isize> = array.strides().iter().rev().copied().collect();
            array.view(shape.to_vec(), strides, 0)
        }
        // Every other element, backwards.
        2 if rank > 0 && !shape.contains(&0) => {
            let axis = random.below(rank);
            let mut larger = shape.to_vec();
            larger[axis] = 2 * shape[axis];
            let array = dense(random, dtype, &larger);
            let mut strides = array.strides().to_vec();
            let offset = (2 * shape[axis] - 1) * strides[axis] as usize;
            strides[axis] *= -2;
            array.view(shape.to_vec(), strides, offset)
        }
        _ => dense(random, dtype, shape),
    }
}

pub(super) fn dense(random: &mut Random, dtype: DType, shape: &[usize]) -> Array {
    let count: usize = shape.iter().product();
    let elements: Vec<Scalar> = (0..count).map(|_| random.scalar(dtype)).collect();
    Array::from_scalars(dtype, shape, elements)
}

pub(super) fn dims(shape: &[usize]) -> Vec<Dim> {
    shape.iter().map(|&len| Dim::Const(len as u64)).collect()
}

pub(super) fn output(node: NodeId) -> ProgramOutput {
    ProgramOutput { name: None, node, span: Span::default(), weak: false }
}

pub(super) fn run_with(program: &Program, engine: Engine) -> Result<Vec<Array>, RunError> {
    run_by(program, engine, 1)
}

/// Runs a program by `threads` threads. If there are several, even the smallest array is shared by all of them.
pub(super) fn run_by(program: &Program, engine: Engine, threads: usize) -> Result<Vec<Array>, RunError> {
    let notes = std::cell::RefCell::default();
    let threads = NonZeroUsize::new(threads);
    let grain = Some(Duration::ZERO);
    let options = Options { engine, verify: true, threads, grain, notes: Some(&notes), ..Options::default() };
    let result = run(program, &options);
    assert!(notes.borrow().is_empty(), "{notes:?}");
    result
}

/// Asserts that all engines agree, by one thread and by some number of threads, at the machine's level and in turns at
/// each lower one.
pub(super) fn agree(program: &Program) -> Vec<Array> {
    static TURN: AtomicUsize = AtomicUsize::new(0);
    let turn = TURN.fetch_add(1, Ordering::Relaxed);
    let many = 2 + turn % 15;
    let meaning = run_with(program, Engine::Reference);
    let best = level();
    let lower: Vec<Level> = [Level::Avx2, Level::Sse].into_iter().filter(|level| *level < best).collect();
    let lower = lower.get(turn % lower.len().max(1)).copied().unwrap_or(best);
    let ways =
        [(Engine::Blocks, many, best), (Engine::Jit, 1, best), (Engine::Jit, many, best), (Engine::Jit, 1, lower)];
    for (engine, threads, level) in ways {
        let fast = held(level, || run_by(program, engine, threads));
        if fast != meaning {
            let kernels = crate::kernel::fuse::fuse(program).unwrap();
            panic!(
                "{engine:?} by {threads} threads at {level} differs\n{}\n{}\n{}",
                crate::ir::print::program(program),
                crate::kernel::print::kernels(&kernels),
                difference(&fast, &meaning, program)
            );
        }
    }
    if let Some(through) = windows::through(program, 64 << (turn % 8)) {
        assert_eq!(through, meaning, "through windows\n{}", crate::ir::print::program(program));
    }
    meaning.unwrap_or_default()
}

fn difference(
    fast: &Result<Vec<Array>, RunError>,
    meaning: &Result<Vec<Array>, RunError>,
    program: &Program,
) -> String {
    let (Ok(fast), Ok(meaning)) = (fast, meaning) else { return format!("{fast:?}\nshould be\n{meaning:?}") };
    for (number, (fast, meaning)) in fast.iter().zip(meaning).enumerate() {
        for flat in 0..meaning.len() {
            if !fast.get(flat).same(meaning.get(flat)) {
                let operands = operands_at(program, program.outputs[number].node, flat);
                return format!(
                    "output {number} element {flat}: {:?} should be {:?} ({operands})",
                    fast.get(flat),
                    meaning.get(flat)
                );
            }
        }
    }
    "shapes or dtypes differ".to_owned()
}

/// The operands of a map of inputs, to see what went wrong.
fn operands_at(program: &Program, id: NodeId, flat: usize) -> String {
    let node: &Node = program.node(id);
    let shape: Vec<usize> = crate::types::shape::sizes(&node.shape).unwrap();
    let mut text = String::new();
    for operand in node.operands() {
        if let NodeKind::Input(input) = program.node(operand).kind {
            let array = program.inputs[input as usize].value.as_ref().unwrap();
            if array.shape().len() <= shape.len() && matches!(node.kind, NodeKind::Map(..)) {
                let _ = write!(text, "{:?} ", array.broadcast_to(&shape).get(flat));
            }
        }
    }
    text
}
