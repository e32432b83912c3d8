//! The loops of a kernel, without the addresses that they run over.

use crate::array::{Sizes, Strides};
use crate::exec::space::{LoopDim, PerOperand, coalesce};
use crate::exec::stepping::{Loop, LoopInput, LoopOutput, Step};
use crate::ir::Fold;
use crate::kernel::{Body, Inst, InstId, InstOp, Kernel};
use crate::types::DType;
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// What becomes of an output's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// The loop stores them.
    Store,
    /// The loop reads the array that they go to, so they are stored when a whole block of them is computed.
    Buffered,
    Fold(Fold),
    Scan(Fold),
    /// They are positions to read at, by a reader with this number; each reads some bytes.
    Gather {
        reader: usize,
        bytes: usize,
    },
}

/// A kernel's loops. Operands are the sources, then the sinks.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Loops {
    pub(crate) body: Body,
    /// The dtype of each operand; a coordinate's is the `i64` that it counts in.
    pub(crate) dtypes: PerOperand<DType>,
    /// Whether each operand is a counter instead of an array.
    pub(crate) counts: PerOperand<bool>,
    /// How far each operand moves along each axis of the space; the stride of a fold's result along reduced axes is 0.
    pub(crate) strides: PerOperand<Strides>,
    pub(crate) outputs: SmallVec<[(InstId, Use); 1]>,
    /// The lengths of the space, kept axes first.
    pub(crate) space: Sizes,
    pub(crate) kept: usize,
    /// Whether the loops have too few elements to be compiled.
    pub(crate) short: bool,
    /// Whether no later kernel reads what the loops store.
    pub(crate) is_last: bool,
}

impl Loops {
    /// Copies elements from some strides to others.
    pub(super) fn copy(dtype: DType, sizes: &[usize], from: &[isize], to: &[isize]) -> Loops {
        Loops {
            body: Body { insts: vec![Inst { op: InstOp::Load(0), dtype }] },
            dtypes: smallvec![dtype; 2],
            counts: smallvec![false; 2],
            strides: smallvec![from.into(), to.into()],
            outputs: smallvec![(InstId(0), Use::Store)],
            space: Sizes::from_slice(sizes),
            kept: sizes.len(),
            short: false,
            is_last: false,
        }
    }

    /// A kernel without operands as yet.
    pub(super) fn new(kernel: &Kernel, short: bool) -> Loops {
        Loops {
            body: kernel.body.clone(),
            dtypes: SmallVec::new(),
            counts: SmallVec::new(),
            strides: SmallVec::new(),
            outputs: SmallVec::new(),
            space: Sizes::from_slice(&kernel.space),
            kept: kernel.space.len() - kernel.reduced,
            short,
            is_last: false,
        }
    }

    /// Adds an operand.
    pub(crate) fn operand(&mut self, dtype: DType, counts: bool, strides: Strides) {
        self.dtypes.push(dtype);
        self.counts.push(counts);
        self.strides.push(strides);
    }

    pub(crate) fn inputs(&self) -> usize {
        self.dtypes.len() - self.outputs.len()
    }

    /// Whether there is nothing to make.
    pub(crate) fn is_empty(&self) -> bool {
        let made = if self.reduces() { &self.space[..self.kept] } else { &self.space[..] };
        made.contains(&0)
    }

    /// The bytes of all that is read.
    pub(crate) fn bytes_read(&self) -> f64 {
        let bytes = |operand: usize| {
            let moving = self.space.iter().zip(&self.strides[operand]).filter(|(_, stride)| **stride != 0);
            moving.map(|(&len, _)| len as f64).product::<f64>() * self.dtypes[operand].size() as f64
        };
        (0..self.inputs()).filter(|&operand| !self.counts[operand]).map(bytes).sum()
    }

    /// How bad it is to move an operand by a stride in the innermost loop.
    pub(crate) fn cost(&self, operand: usize, stride: isize) -> usize {
        usize::from(!self.counts[operand] && Step::of(stride, self.dtypes[operand]).is_sparse())
    }

    /// The loops over some axes.
    fn dims(&self, axes: Range<usize>) -> Vec<LoopDim> {
        let strides = |axis: usize| self.strides.iter().map(|strides| strides[axis]).collect();
        coalesce(axes.map(|axis| LoopDim { len: self.space[axis], strides: strides(axis) }).collect())
    }

    /// The loops over all axes.
    pub(crate) fn all(&self) -> Vec<LoopDim> {
        self.dims(0..self.space.len())
    }

    /// The loops over kept axes.
    pub(crate) fn kept_loops(&self) -> Vec<LoopDim> {
        self.dims(0..self.kept)
    }

    /// The loops over reduced axes.
    pub(crate) fn reduced_loops(&self) -> Vec<LoopDim> {
        self.dims(self.kept..self.space.len())
    }

    /// Whether the loops fold or scan.
    pub(crate) fn reduces(&self) -> bool {
        self.outputs.iter().any(|(_, what)| matches!(what, Use::Fold(_) | Use::Scan(_)))
    }

    /// Whether the loop writes an operand to scratch, densely.
    pub(crate) fn is_scratch(&self, operand: usize) -> bool {
        operand.checked_sub(self.inputs()).is_some_and(|output| !matches!(self.outputs[output].1, Use::Store))
    }

    /// The inner loop when `inner` is innermost.
    pub(crate) fn inner_loop(&self, inner: &LoopDim) -> Loop {
        let step = |operand: usize| match (inner.strides[operand], self.dtypes[operand]) {
            _ if self.is_scratch(operand) => Step::Dense,
            (stride, dtype) if operand >= self.inputs() => Step::of_output(stride, dtype),
            (stride, dtype) => Step::of(stride, dtype),
        };
        let inputs = (0..self.inputs()).map(|operand| match self.counts[operand] {
            true => LoopInput::Count,
            false => LoopInput::Array(self.dtypes[operand], step(operand)),
        });
        let outputs = self.outputs.iter().enumerate();
        let outputs =
            outputs.map(|(output, (value, _))| LoopOutput { value: *value, step: step(self.inputs() + output) });
        Loop { body: self.body.clone(), inputs: inputs.collect(), outputs: outputs.collect() }
    }

    /// How far operands move from one element to the next when `inner` is innermost.
    pub(crate) fn moves(&self, inner: &LoopDim) -> PerOperand<isize> {
        let stride = |operand: usize| {
            let is_one = operand >= self.inputs() && inner.strides[operand] == 0;
            match self.is_scratch(operand) || is_one {
                true => self.dtypes[operand].size() as isize,
                false => inner.strides[operand],
            }
        };
        (0..self.dtypes.len()).map(stride).collect()
    }
}
