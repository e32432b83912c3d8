//! A kernel's loops over addresses: what they are made of, and running them as they are laid out.

use super::gather::Reader;
use super::laid::{Laid, Last};
use crate::array::bytes::AlignedBytes;
use crate::array::{Array, Strides, c_strides};
use crate::exec::memory::Meter;
use crate::exec::space::{Dim, PerOperand, coalesce};
use crate::exec::stepping::{Input, Loop, Operand, Output, Step};
use crate::exec::{Options, RunError, Watch};
use crate::ir::Fold;
use crate::kernel::{Body, Inst, InstOp, Kernel, Value};
use crate::types::DType;
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// What becomes of an output's elements.
#[derive(Debug)]
pub(super) enum Use {
    /// The loop stores them.
    Store,
    /// They are stored when a block of them is computed: the loop reads from where they go.
    Buffered,
    Fold(Fold),
    Scan(Fold),
    /// They are positions to read at.
    Gather(Box<Reader>),
}

/// A kernel whose operands are addresses. Operands are the sources, then the sinks.
pub(super) struct Bound<'k> {
    pub(super) body: &'k Body,
    /// The dtype of each operand; a coordinate's is the `i64` that it counts in.
    pub(super) dtypes: PerOperand<DType>,
    /// Whether it counts instead of reading.
    pub(super) counts: PerOperand<bool>,
    pub(super) addresses: PerOperand<usize>,
    /// How far each operand moves along each axis of the space; the stride of a fold's result along reduced axes is 0.
    pub(super) strides: PerOperand<Strides>,
    pub(super) outputs: SmallVec<[(Value, Use); 1]>,
    /// The lengths of the space, kept axes first.
    space: &'k [usize],
    kept: usize,
    /// Whether it has too few elements to be compiled.
    pub(super) short: bool,
    /// Whether no later kernel reads what it stores.
    pub(super) is_last: bool,
}

/// Elements copied into C order.
pub(super) fn copied(array: &Array, meter: &mut Meter, options: &Options) -> Result<AlignedBytes, RunError> {
    // SAFETY: the loop writes every element; when it fails, the memory is dropped unread.
    let mut bytes = unsafe { meter.uninit(array.dtype(), array.shape())? };
    let strides = c_strides(array.shape(), array.dtype().size());
    copy_to(array, bytes.as_mut_ptr() as usize, &strides, options)?;
    Ok(bytes)
}

/// Copies elements to an address and strides where there is room for them.
pub(super) fn copy_to(array: &Array, to: usize, strides: &[isize], options: &Options) -> Result<(), RunError> {
    let (dtype, sizes) = (array.dtype(), array.shape());
    let body = Body { insts: vec![Inst { op: InstOp::Load(0), dtype }] };
    let bound = Bound {
        body: &body,
        dtypes: smallvec![dtype; 2],
        counts: smallvec![false; 2],
        addresses: smallvec![array.pointer() as usize, to],
        strides: smallvec![array.strides().into(), strides.into()],
        outputs: smallvec![(Value(0), Use::Store)],
        space: sizes,
        kept: sizes.len(),
        short: false,
        is_last: false,
    };
    bound.run(&Last::default(), options)
}

impl<'k> Bound<'k> {
    /// A kernel without operands as yet.
    pub(super) fn new(kernel: &'k Kernel, short: bool) -> Bound<'k> {
        Bound {
            body: &kernel.body,
            dtypes: SmallVec::new(),
            counts: SmallVec::new(),
            addresses: SmallVec::new(),
            strides: SmallVec::new(),
            outputs: SmallVec::new(),
            space: &kernel.space,
            kept: kernel.space.len() - kernel.reduced,
            short,
            is_last: false,
        }
    }

    pub(super) fn inputs(&self) -> usize {
        self.dtypes.len() - self.outputs.len()
    }

    /// How bad it is to move an operand by a stride in the innermost loop.
    pub(super) fn cost(&self, operand: usize, stride: isize) -> usize {
        usize::from(!self.counts[operand] && Step::of(stride, self.dtypes[operand]).is_sparse())
    }

    /// The loops over some axes.
    fn dims(&self, axes: Range<usize>) -> Vec<Dim> {
        let strides = |axis: usize| self.strides.iter().map(|strides| strides[axis]).collect();
        coalesce(axes.map(|axis| Dim { len: self.space[axis], strides: strides(axis) }).collect())
    }

    /// All loops.
    pub(super) fn loops(&self) -> Vec<Dim> {
        self.dims(0..self.space.len())
    }

    /// The loops over kept axes.
    pub(super) fn kept_loops(&self) -> Vec<Dim> {
        self.dims(0..self.kept)
    }

    /// The loops over reduced axes.
    pub(super) fn reduced_loops(&self) -> Vec<Dim> {
        self.dims(self.kept..self.space.len())
    }

    pub(super) fn run(mut self, last: &Last, options: &Options) -> Result<(), RunError> {
        if self.space[..self.kept].contains(&0) {
            return Ok(());
        }
        if self.space.contains(&0) && !self.reduces() {
            return Ok(());
        }
        match &*last.layout(&mut self, options) {
            Laid::Map(layout) => self.run_map(layout, options),
            Laid::Rows(layout) => self.run_rows(layout, options),
            Laid::Columns(layout) => self.run_columns(layout, options),
        }
    }

    /// Whether it folds or scans.
    pub(super) fn reduces(&self) -> bool {
        self.outputs.iter().any(|(_, what)| matches!(what, Use::Fold(_) | Use::Scan(_)))
    }

    /// Whether the loop writes an operand to scratch, densely.
    pub(super) fn is_scratch(&self, operand: usize) -> bool {
        operand.checked_sub(self.inputs()).is_some_and(|output| !matches!(self.outputs[output].1, Use::Store))
    }

    /// The inner loop when `inner` is innermost.
    pub(super) fn inner_loop(&self, inner: &Dim) -> Loop {
        let step = |operand: usize| match (inner.strides[operand], self.dtypes[operand]) {
            _ if self.is_scratch(operand) => Step::Dense,
            (stride, dtype) if operand >= self.inputs() => Step::of_output(stride, dtype),
            (stride, dtype) => Step::of(stride, dtype),
        };
        let inputs = (0..self.inputs()).map(|operand| match self.counts[operand] {
            true => Input::Count,
            false => Input::Array(self.dtypes[operand], step(operand)),
        });
        let outputs = self.outputs.iter().enumerate();
        let outputs = outputs.map(|(output, (value, _))| Output { value: *value, step: step(self.inputs() + output) });
        Loop { body: self.body.clone(), inputs: inputs.collect(), outputs: outputs.collect() }
    }

    /// Places the operands at some distance from their beginning, moving along `inner`.
    pub(super) fn place(&self, operands: &mut PerOperand<Operand>, offsets: &[&[isize]], inner: &Dim) {
        let at = |operand: usize| {
            let distance = offsets.iter().map(|offsets| offsets[operand]).fold(0, isize::wrapping_add);
            let address = self.addresses[operand].wrapping_add_signed(distance);
            let stride = if self.is_scratch(operand) || operand >= self.inputs() && inner.strides[operand] == 0 {
                self.dtypes[operand].size() as isize
            } else {
                inner.strides[operand]
            };
            Operand { address, stride }
        };
        operands.clear();
        operands.extend((0..self.dtypes.len()).map(at));
    }

    /// Scratch for `count` elements of each of some operands.
    pub(super) fn scratch(
        &self,
        operands: impl Iterator<Item = usize>,
        count: usize,
        watch: Watch,
    ) -> Result<Vec<AlignedBytes>, RunError> {
        let bytes = operands.map(|operand| AlignedBytes::zeroed(count * self.dtypes[operand].size()));
        bytes.collect::<Result<_, _>>().map_err(|_| watch.refused())
    }
}
