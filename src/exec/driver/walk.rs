//! Lays out a kernel's loops and runs them.
//!
//! A map runs one loop innermost, the one that moves most operands densely, and walks the others. A kernel that folds
//! runs either a reduced loop innermost (*rows*: blocks of 1024 neighbours of one result) or a kept loop (*columns*:
//! many results side by side), whichever reads memory more densely.

use super::store::Store;
use super::{Runner, results};
use crate::array::Array;
use crate::array::bytes::AlignedBytes;
use crate::exec::space::{Dim, Odometer, coalesce, take_inner};
use crate::exec::stepping::{Code, Input, Loop, Operand, Output, Step};
use crate::exec::{Options, RunError};
use crate::ir::{Fold, NodeId};
use crate::kernel::{Body, Inst, InstOp, Kernel, Sink, Source, Value};
use crate::types::DType;

/// Elements between two looks at the interrupt flag.
pub(super) const POLL: usize = 1 << 18;

/// A kernel whose operands are addresses. Operands are the sources, then the sinks.
pub(super) struct Bound<'k> {
    pub(super) body: &'k Body,
    /// The dtype of each operand; a coordinate's is the `i64` that it counts in.
    pub(super) dtypes: Vec<DType>,
    /// Whether it counts instead of reading.
    counts: Vec<bool>,
    pub(super) addresses: Vec<usize>,
    pub(super) outputs: Vec<(Value, Option<Fold>)>,
    /// The loops, kept ones first; the stride of a fold's result along reduced loops is 0.
    dims: Vec<Dim>,
    kept: usize,
    /// Keeps what is read alive.
    _sources: Vec<Array>,
}

/// Runs a kernel and keeps its results.
pub(super) fn run(kernel: &Kernel, store: &mut Store, options: &Options) -> Result<(), RunError> {
    let mut arrays = Vec::new();
    for source in &kernel.sources {
        if let Source::Array { node, .. } = source {
            arrays.push(store.array(*node, options)?);
        }
    }
    let mut made: Vec<(NodeId, DType, Vec<usize>, AlignedBytes)> = Vec::new();
    for node in results(kernel) {
        let (dtype, sizes) = (store.program.node(node).dtype, store.sizes(node));
        // SAFETY: a kernel writes every element of its results before they are put into the store; when it fails,
        // the memory is dropped unread.
        let bytes = unsafe { store.meter.uninit(dtype, &sizes)? };
        made.push((node, dtype, sizes, bytes));
    }
    let pointers: Vec<usize> = made.iter_mut().map(|(.., bytes)| bytes.as_mut_ptr() as usize).collect();
    bind(kernel, arrays, &pointers, store).run(options)?;
    for (node, dtype, sizes, bytes) in made {
        store.put(node, Array::from_bytes(dtype, sizes, bytes));
    }
    Ok(())
}

/// Copies an array into C order.
pub(super) fn copy(array: &Array, store: &mut Store, options: &Options) -> Result<Array, RunError> {
    let (dtype, sizes) = (array.dtype(), array.shape());
    let body = Body { insts: vec![Inst { op: InstOp::Load(0), dtype }] };
    // SAFETY: the loop writes every element; when it fails, the memory is dropped unread.
    let mut bytes = unsafe { store.meter.uninit(dtype, sizes)? };
    let to = crate::array::c_strides(sizes, dtype.size());
    let dims = (0..sizes.len()).map(|axis| Dim { len: sizes[axis], strides: vec![array.strides()[axis], to[axis]] });
    let bound = Bound {
        body: &body,
        dtypes: vec![dtype; 2],
        counts: vec![false; 2],
        addresses: vec![array.pointer() as usize, bytes.as_mut_ptr() as usize],
        outputs: vec![(Value(0), None)],
        dims: dims.collect(),
        kept: sizes.len(),
        _sources: vec![array.clone()],
    };
    bound.run(options)?;
    Ok(Array::from_bytes(dtype, sizes.to_vec(), bytes))
}

fn bind<'k>(kernel: &'k Kernel, arrays: Vec<Array>, results: &[usize], store: &Store) -> Bound<'k> {
    let rank = kernel.space.len();
    let kept = rank - kernel.reduced;
    let mut bound = Bound {
        body: &kernel.body,
        dtypes: Vec::new(),
        counts: Vec::new(),
        addresses: Vec::new(),
        outputs: Vec::new(),
        dims: kernel.space.iter().map(|&len| Dim { len, strides: Vec::new() }).collect(),
        kept,
        _sources: Vec::new(),
    };
    let mut next = arrays.iter();
    for source in &kernel.sources {
        let strides: Vec<isize> = match source {
            Source::Array { axes, .. } => {
                let array = next.next().expect("an array for each array source");
                bound.operand(array.dtype(), false, array.pointer() as usize);
                axes.iter().map(|axis| axis.map_or(0, |axis| array.strides()[axis])).collect()
            }
            Source::Coordinate { axis } => {
                bound.operand(DType::I64, true, 0);
                (0..rank).map(|other| isize::from(other == *axis)).collect()
            }
        };
        bound.strides(&strides);
    }
    for (sink, &address) in kernel.sinks.iter().zip(results) {
        let mut strides = vec![0; rank];
        let (Sink::Store { value, node, .. } | Sink::Fold { value, node, .. }) = sink;
        let size = store.program.node(*node).dtype.size();
        let fold = match sink {
            Sink::Store { order, .. } => {
                let own = crate::array::c_strides(&store.sizes(*node), size);
                order.iter().zip(own).for_each(|(&axis, stride)| strides[axis] = stride);
                None
            }
            Sink::Fold { fold, .. } => {
                let own = crate::array::c_strides(&kernel.space[..kept], size);
                strides[..kept].copy_from_slice(&own);
                Some(*fold)
            }
        };
        bound.operand(kernel.body.insts[value.0 as usize].dtype, false, address);
        bound.strides(&strides);
        bound.outputs.push((*value, fold));
    }
    bound._sources = arrays;
    bound
}

impl Bound<'_> {
    fn operand(&mut self, dtype: DType, counts: bool, address: usize) {
        self.dtypes.push(dtype);
        self.counts.push(counts);
        self.addresses.push(address);
    }

    fn strides(&mut self, strides: &[isize]) {
        self.dims.iter_mut().zip(strides).for_each(|(dim, &stride)| dim.strides.push(stride));
    }

    pub(super) fn inputs(&self) -> usize {
        self.dtypes.len() - self.outputs.len()
    }

    /// How bad it is to move an operand by a stride in the innermost loop.
    fn cost(&self, operand: usize, stride: isize) -> usize {
        usize::from(!self.counts[operand] && Step::of(stride, self.dtypes[operand]) == Step::Strided)
    }

    fn run(mut self, options: &Options) -> Result<(), RunError> {
        let reduced = coalesce(self.dims.split_off(self.kept));
        let kept = coalesce(std::mem::take(&mut self.dims));
        if kept.iter().any(|dim| dim.len == 0) {
            return Ok(());
        }
        if self.outputs.iter().all(|(_, fold)| fold.is_none()) {
            let all = coalesce(kept.into_iter().chain(reduced).collect());
            return self.run_map(all, options);
        }
        let operands = self.dtypes.len();
        // The price of the innermost loop either way, without the results of folds: those are written once.
        let price = |inner: &Dim| -> usize {
            let moved = inner.strides.iter().enumerate().filter(|(operand, _)| !self.is_fold(*operand));
            moved.map(|(operand, &stride)| self.cost(operand, stride)).sum()
        };
        let count: usize = reduced.iter().map(|dim| dim.len).product();
        let (kept_outer, kept_inner) = take_inner(kept.clone(), operands, |operand, stride| self.cost(operand, stride));
        let along = reduced.last().map_or(0, price);
        let short = reduced.last().is_none_or(|dim| dim.len < 64);
        let better = price(&kept_inner) < along || price(&kept_inner) == along && short;
        if kept_inner.len >= 16 && (better || short && kept_inner.len >= 64) && count > 0 {
            self.run_columns(&kept_outer, &kept_inner, &reduced, options)
        } else {
            self.run_rows(&kept, &reduced, count, options)
        }
    }

    /// Whether an operand is the result of a fold.
    fn is_fold(&self, operand: usize) -> bool {
        operand.checked_sub(self.inputs()).is_some_and(|output| self.outputs[output].1.is_some())
    }

    /// The inner loop when `inner` is innermost; results of folds go to scratch, densely.
    pub(super) fn inner_loop(&self, inner: &Dim) -> Loop {
        let step = |operand: usize| match Step::of(inner.strides[operand], self.dtypes[operand]) {
            _ if self.is_fold(operand) => Step::Dense,
            // One element may be called dense: it does not matter how its address would move.
            Step::Repeat if operand >= self.inputs() => Step::Dense,
            step => step,
        };
        let inputs = (0..self.inputs()).map(|operand| match self.counts[operand] {
            true => Input::Count,
            false => Input::Array(self.dtypes[operand], step(operand)),
        });
        let outputs = self.outputs.iter().enumerate();
        let outputs = outputs.map(|(output, &(value, _))| Output { value, step: step(self.inputs() + output) });
        Loop { body: self.body.clone(), inputs: inputs.collect(), outputs: outputs.collect() }
    }

    /// The operands at some distance from their beginning, moving along `inner`.
    pub(super) fn operands(&self, offsets: &[&[isize]], inner: &Dim) -> Vec<Operand> {
        let at = |operand: usize| {
            let distance = offsets.iter().map(|offsets| offsets[operand]).fold(0, isize::wrapping_add);
            let address = self.addresses[operand].wrapping_add_signed(distance);
            let stride = if self.is_fold(operand) || operand >= self.inputs() && inner.strides[operand] == 0 {
                self.dtypes[operand].size() as isize
            } else {
                inner.strides[operand]
            };
            Operand { address, stride }
        };
        (0..self.dtypes.len()).map(at).collect()
    }

    fn run_map(&self, dims: Vec<Dim>, options: &Options) -> Result<(), RunError> {
        if dims.iter().any(|dim| dim.len == 0) {
            return Ok(());
        }
        let (outer, inner) = take_inner(dims, self.dtypes.len(), |operand, stride| self.cost(operand, stride));
        let code = self.inner_loop(&inner);
        let mut runner = Runner::new(&code, options)?;
        let mut odometer = Odometer::new(&outer, self.dtypes.len());
        let mut since_poll = 0;
        loop {
            let operands = self.operands(&[odometer.offsets()], &inner);
            for start in (0..inner.len).step_by(POLL) {
                let len = POLL.min(inner.len - start);
                // SAFETY: the space was made from the shapes of the arrays, so every address is one of their elements.
                unsafe { runner.run(&operands, start, len) };
                since_poll += len;
                if since_poll >= POLL {
                    options.poll()?;
                    since_poll = 0;
                }
            }
            if !odometer.advance() {
                return Ok(());
            }
        }
    }
}
