//! Loops that fold: along rows or across columns.

use super::Runner;
use super::walk::{Bound, POLL, Use};
use crate::array::bytes::AlignedBytes;
use crate::exec::fold::{self, WIDTH};
use crate::exec::space::{Dim, Odometer};
use crate::exec::stepping::Code;
use crate::exec::{Options, RunError};
use crate::ir::Fold;
use crate::kernel::{BLOCK, Inst, InstOp};
use crate::types::DType;

/// A fold or a scan.
#[derive(Clone, Copy)]
struct Reduction {
    operand: usize,
    fold: Fold,
    /// Of the elements.
    dtype: DType,
}

impl Bound<'_> {
    /// The folds and scans among the outputs: operand, fold, dtype of the elements.
    fn reductions(&self, scans: bool) -> Vec<Reduction> {
        let outputs = self.outputs.iter().enumerate();
        outputs
            .filter_map(|(output, (_, what))| {
                let operand = self.inputs() + output;
                let fold = match what {
                    Use::Fold(fold) if !scans => *fold,
                    Use::Scan(fold) if scans => *fold,
                    _ => return None,
                };
                Some(Reduction { operand, fold, dtype: self.dtypes[operand] })
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
        let mut runner = Runner::new(&code, self.short, options)?;
        let (folds, scans) = (self.reductions(false), self.reductions(true));
        let mut reducers: Vec<_> = folds.iter().map(|one| fold::rows(one.fold, one.dtype)).collect();
        let mut scanners: Vec<_> = scans.iter().map(|one| fold::scan_rows(one.fold, one.dtype)).collect();
        let all: Vec<Reduction> = folds.iter().chain(&scans).copied().collect();
        let mut scratch = self.scratch(all.iter().map(|one| one.operand), BLOCK, options)?;
        let bases: Vec<usize> = scratch.iter_mut().map(|bytes| bytes.as_mut_ptr() as usize).collect();
        // Values that lie densely in memory already are folded from there.
        let direct: Vec<Option<usize>> = match outer.is_empty() && inner.len == count {
            true => all.iter().map(|one| self.dense_source(one.operand, inner)).collect(),
            false => vec![None; all.len()],
        };
        let idle = all.len() == self.outputs.len() && direct.iter().all(Option::is_some);

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
                    for (&Reduction { operand, dtype, .. }, &base) in all.iter().zip(&bases) {
                        // So that element `column` falls on the next free place of the scratch.
                        let place = (filled as isize - column as isize) * dtype.size() as isize;
                        operands[operand].address = base.wrapping_add_signed(place);
                    }
                    // SAFETY: as for maps; the scratch has room for a block.
                    unsafe { runner.run(&operands, column, len) };
                    filled += len;
                    column += len;
                }
                let elements = |index: usize| match direct[index] {
                    Some(source) => (operands[source].address + first * all[index].dtype.size()) as *const u8,
                    None => bases[index] as *const u8,
                };
                for (index, reducer) in reducers.iter_mut().enumerate() {
                    // SAFETY: a block was computed to the scratch, or lies in the array.
                    unsafe { reducer.block(elements(index), block) };
                }
                for (index, (scanner, one)) in scanners.iter_mut().zip(&scans).enumerate() {
                    let stride = inner.strides[one.operand];
                    let distance = position.offsets()[one.operand] + stride * first as isize;
                    let out = self.addresses[one.operand].wrapping_add_signed(distance) as *mut u8;
                    // SAFETY: likewise; a scan has one reduced axis, and its result is as long.
                    unsafe { scanner.block(elements(folds.len() + index), block, out, stride) };
                }
                since_poll += block;
                if since_poll >= POLL {
                    options.poll()?;
                    since_poll = 0;
                }
            }
            for (&Reduction { operand, .. }, reducer) in folds.iter().zip(&mut reducers) {
                let result = self.addresses[operand].wrapping_add_signed(position.offsets()[operand]);
                // SAFETY: an element of the result.
                unsafe { reducer.finish(result as *mut u8) };
            }
            scanners.iter_mut().for_each(|scanner| scanner.finish());
            if !position.advance() {
                return Ok(());
            }
        }
    }

    /// The source whose elements a fold takes as they are, if they lie densely along `inner`. Truth values from
    /// outside may be any byte and are not taken.
    fn dense_source(&self, operand: usize, inner: &Dim) -> Option<usize> {
        let (value, _) = &self.outputs[operand - self.inputs()];
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
        let mut runner = Runner::new(&code, self.short, options)?;
        let (folds, scans) = (self.reductions(false), self.reductions(true));
        let mut reducers: Vec<_> = folds.iter().map(|one| fold::columns(one.fold, one.dtype)).collect();
        let mut scanners: Vec<_> = scans.iter().map(|one| fold::scan_columns(one.fold, one.dtype)).collect();
        let all: Vec<Reduction> = folds.iter().chain(&scans).copied().collect();
        let mut scratch = self.scratch(all.iter().map(|one| one.operand), WIDTH, options)?;
        let bases: Vec<usize> = scratch.iter_mut().map(|bytes| bytes.as_mut_ptr() as usize).collect();
        let mut results = AlignedBytes::zeroed(WIDTH * 16).map_err(|_| refused(options))?;
        let direct: Vec<Option<usize>> = all.iter().map(|one| self.dense_source(one.operand, inner)).collect();
        let idle = all.len() == self.outputs.len() && direct.iter().all(Option::is_some);

        let mut position = Odometer::new(outer, self.dtypes.len());
        let mut since_poll = 0;
        loop {
            for first in (0..inner.len).step_by(WIDTH) {
                let width = WIDTH.min(inner.len - first);
                let mut rows = Odometer::new(reduced, self.dtypes.len());
                loop {
                    let mut operands = self.operands(&[position.offsets(), rows.offsets()], inner);
                    for (&Reduction { operand, dtype, .. }, &base) in all.iter().zip(&bases) {
                        operands[operand].address = base.wrapping_sub(first * dtype.size());
                    }
                    if !idle {
                        // SAFETY: as for maps; the scratch has room for a row.
                        unsafe { runner.run(&operands, first, width) };
                    }
                    let elements = |index: usize| match direct[index] {
                        Some(source) => (operands[source].address + first * all[index].dtype.size()) as *const u8,
                        None => bases[index] as *const u8,
                    };
                    for (index, reducer) in reducers.iter_mut().enumerate() {
                        // SAFETY: a row was computed to the scratch, or lies in the array.
                        unsafe { reducer.row(elements(index), width) };
                    }
                    for (index, (scanner, one)) in scanners.iter_mut().zip(&scans).enumerate() {
                        let stride = inner.strides[one.operand];
                        let offsets = position.offsets()[one.operand] + rows.offsets()[one.operand];
                        let distance = offsets + stride * first as isize;
                        let out = self.addresses[one.operand].wrapping_add_signed(distance) as *mut u8;
                        // SAFETY: likewise; the result has room for the row.
                        unsafe { scanner.row(elements(folds.len() + index), width, out, stride) };
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
                scanners.iter_mut().for_each(|scanner| scanner.finish());
                for (&Reduction { operand, fold, dtype }, reducer) in folds.iter().zip(&mut reducers) {
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

fn refused(options: &Options) -> RunError {
    RunError::OutOfMemory { needed: None, limit: options.max_memory }
}
