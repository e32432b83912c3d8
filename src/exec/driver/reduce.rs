//! Loops that fold: along rows or across columns.

use super::Runner;
use super::walk::{Bound, POLL};
use crate::array::bytes::AlignedBytes;
use crate::exec::fold::{self, WIDTH};
use crate::exec::space::{Dim, Odometer};
use crate::exec::stepping::Code;
use crate::exec::{Options, RunError};
use crate::ir::Fold;
use crate::kernel::{BLOCK, Inst, InstOp};
use crate::types::DType;

impl Bound<'_> {
    /// The folds among the outputs: operand, fold, dtype of the elements.
    fn folds(&self) -> Vec<(usize, Fold, DType)> {
        let outputs = self.outputs.iter().enumerate();
        outputs
            .filter_map(|(output, &(_, fold))| {
                let operand = self.inputs() + output;
                fold.map(|fold| (operand, fold, self.dtypes[operand]))
            })
            .collect()
    }

    /// Neighbours of one result at a time.
    pub(super) fn run_rows(
        &self,
        kept: &[Dim],
        reduced: &[Dim],
        count: usize,
        options: &Options,
    ) -> Result<(), RunError> {
        let one = Dim { len: 1, strides: vec![0; self.dtypes.len()] };
        let (inner, outer) = reduced.split_last().unwrap_or((&one, &[]));
        let code = self.inner_loop(inner);
        let mut runner = Runner::new(&code, options)?;
        let folds = self.folds();
        let mut reducers: Vec<_> = folds.iter().map(|&(_, fold, dtype)| fold::rows(fold, dtype)).collect();
        let mut scratch = scratch(&folds, BLOCK, options)?;
        let bases: Vec<usize> = scratch.iter_mut().map(|bytes| bytes.as_mut_ptr() as usize).collect();
        // Values that lie densely in memory already are folded from there.
        let direct: Vec<Option<usize>> = match outer.is_empty() && inner.len == count {
            true => folds.iter().map(|&(operand, ..)| self.dense_source(operand, inner)).collect(),
            false => vec![None; folds.len()],
        };
        let idle = folds.len() == self.outputs.len() && direct.iter().all(Option::is_some);

        let mut position = Odometer::new(kept, self.dtypes.len());
        let mut since_poll = 0;
        loop {
            let mut rows = Odometer::new(outer, self.dtypes.len());
            let mut operands = self.operands(&[position.offsets(), rows.offsets()], inner);
            let mut column = 0;
            for first in (0..count).step_by(BLOCK) {
                let block = BLOCK.min(count - first);
                let mut filled = 0;
                while filled < block && !idle {
                    if column == inner.len {
                        rows.advance();
                        operands = self.operands(&[position.offsets(), rows.offsets()], inner);
                        column = 0;
                    }
                    let len = (block - filled).min(inner.len - column);
                    for (&(operand, _, dtype), &base) in folds.iter().zip(&bases) {
                        // So that element `column` falls on the next free place of the scratch.
                        let place = (filled as isize - column as isize) * dtype.size() as isize;
                        operands[operand].address = base.wrapping_add_signed(place);
                    }
                    // SAFETY: as for maps; the scratch has room for a block.
                    unsafe { runner.run(&operands, column, len) };
                    filled += len;
                    column += len;
                }
                for (index, reducer) in reducers.iter_mut().enumerate() {
                    let elements = match direct[index] {
                        Some(source) => operands[source].address + first * folds[index].2.size(),
                        None => bases[index],
                    };
                    // SAFETY: a block was computed to the scratch, or lies in the array.
                    unsafe { reducer.block(elements as *const u8, block) };
                }
                since_poll += block;
                if since_poll >= POLL {
                    options.poll()?;
                    since_poll = 0;
                }
            }
            for (&(operand, ..), reducer) in folds.iter().zip(&mut reducers) {
                let result = self.addresses[operand].wrapping_add_signed(position.offsets()[operand]);
                // SAFETY: an element of the result.
                unsafe { reducer.finish(result as *mut u8) };
            }
            if !position.advance() {
                return Ok(());
            }
        }
    }

    /// The source whose elements a fold takes as they are, if they lie densely along `inner`. Truth values from
    /// outside may be any byte and are not taken.
    fn dense_source(&self, operand: usize, inner: &Dim) -> Option<usize> {
        let (value, _) = self.outputs[operand - self.inputs()];
        match self.body.insts[value.0 as usize] {
            Inst { op: InstOp::Load(source), dtype } if dtype != DType::Bool => {
                let source = source as usize;
                (inner.strides[source] == dtype.size() as isize).then_some(source)
            }
            _ => None,
        }
    }

    /// Many results side by side.
    pub(super) fn run_columns(
        &self,
        outer: &[Dim],
        inner: &Dim,
        reduced: &[Dim],
        options: &Options,
    ) -> Result<(), RunError> {
        let code = self.inner_loop(inner);
        let mut runner = Runner::new(&code, options)?;
        let folds = self.folds();
        let mut reducers: Vec<_> = folds.iter().map(|&(_, fold, dtype)| fold::columns(fold, dtype)).collect();
        let mut scratch = scratch(&folds, WIDTH, options)?;
        let bases: Vec<usize> = scratch.iter_mut().map(|bytes| bytes.as_mut_ptr() as usize).collect();
        let mut results = AlignedBytes::zeroed(WIDTH * 16).map_err(|_| refused(options))?;
        let direct: Vec<Option<usize>> = folds.iter().map(|&(operand, ..)| self.dense_source(operand, inner)).collect();
        let idle = folds.len() == self.outputs.len() && direct.iter().all(Option::is_some);

        let mut position = Odometer::new(outer, self.dtypes.len());
        let mut since_poll = 0;
        loop {
            for first in (0..inner.len).step_by(WIDTH) {
                let width = WIDTH.min(inner.len - first);
                let mut rows = Odometer::new(reduced, self.dtypes.len());
                loop {
                    let mut operands = self.operands(&[position.offsets(), rows.offsets()], inner);
                    for (&(operand, _, dtype), &base) in folds.iter().zip(&bases) {
                        operands[operand].address = base.wrapping_sub(first * dtype.size());
                    }
                    if !idle {
                        // SAFETY: as for maps; the scratch has room for a row.
                        unsafe { runner.run(&operands, first, width) };
                    }
                    for (index, reducer) in reducers.iter_mut().enumerate() {
                        let elements = match direct[index] {
                            Some(source) => operands[source].address + first * folds[index].2.size(),
                            None => bases[index],
                        };
                        // SAFETY: a row was computed to the scratch, or lies in the array.
                        unsafe { reducer.row(elements as *const u8, width) };
                    }
                    since_poll += width;
                    if since_poll >= POLL {
                        options.poll()?;
                        since_poll = 0;
                    }
                    if !rows.advance() {
                        break;
                    }
                }
                for (&(operand, fold, dtype), reducer) in folds.iter().zip(&mut reducers) {
                    // SAFETY: room for `WIDTH` elements of any size.
                    unsafe { reducer.finish(results.as_mut_ptr(), width) };
                    let size = fold.result(dtype).size();
                    let stride = inner.strides[operand];
                    let start = self.addresses[operand].wrapping_add_signed(position.offsets()[operand]);
                    for (at, element) in results.as_slice()[..width * size].chunks_exact(size).enumerate() {
                        let place = start.wrapping_add_signed(stride * (first + at) as isize) as *mut u8;
                        // SAFETY: an element of the result.
                        unsafe { std::ptr::copy_nonoverlapping(element.as_ptr(), place, size) };
                    }
                }
            }
            if !position.advance() {
                return Ok(());
            }
        }
    }
}

/// Scratch for `count` elements of each fold.
fn scratch(folds: &[(usize, Fold, DType)], count: usize, options: &Options) -> Result<Vec<AlignedBytes>, RunError> {
    let bytes = folds.iter().map(|(.., dtype)| AlignedBytes::zeroed(count * dtype.size()));
    bytes.collect::<Result<_, _>>().map_err(|_| refused(options))
}

fn refused(options: &Options) -> RunError {
    RunError::OutOfMemory { needed: None, limit: options.max_memory }
}
