//! Folds along the innermost loops, with scans: neighbours of one result at a time.
#![expect(unsafe_code, reason = "several threads write parts of one buffer")]

use super::bound::BoundLoops;
use super::reduce::{self, ReduceUnits, ReducedParts, TermCut};
use super::worker::Worker;
use crate::exec::fold::{self, ScanRows};
use crate::exec::options::{Options, RunError, Watch};
use crate::exec::plan::{Nest, Reduction, positions};
use crate::exec::space::Odometer;
use crate::exec::stepping::{Code, LoopOperand};
use crate::kernel::BLOCK;
use std::ops::Range;

/// The reducers of a kernel's folds.
pub(super) type RowReducers = Vec<Box<dyn fold::Rows>>;

pub(super) fn reducers(nest: &Nest) -> RowReducers {
    let folds = nest.reductions.folds.iter();
    folds.map(|one| fold::rows(one.fold, one.terms.dtype, one.terms.form, nest.is_large)).collect()
}

/// A thread that folds and scans.
struct RowFolder<'m> {
    worker: Worker<'m>,
    reducers: RowReducers,
    scanners: Vec<Box<dyn ScanRows>>,
}

impl BoundLoops<'_> {
    pub(super) fn run_rows(&self, options: &Options) -> Result<(), RunError> {
        let nest = &self.nest.nest;
        let terms = positions(&nest.between) * nest.inner.len;
        let results = positions(&nest.outer);
        let cut = TermCut::new(results, terms, nest.cost, !nest.reductions.scans.is_empty(), options);
        let watch = options.watch();
        if let Some(parts) = reduce::share(cut, watch, || RowFolder::new(self, watch))? {
            self.join_rows(parts);
        }
        Ok(())
    }

    /// Takes further terms of each result, whose reducers go on where they were.
    pub(super) fn run_rows_on(&self, results: &mut [RowReducers], options: &Options) -> Result<(), RunError> {
        let nest = &self.nest.nest;
        let terms = positions(&nest.between) * nest.inner.len;
        let mut folder = RowFolder::new(self, options.watch())?;
        for (result, carried) in results.iter_mut().enumerate() {
            std::mem::swap(&mut folder.reducers, carried);
            folder.reduce(result, 0..terms)?;
            std::mem::swap(&mut folder.reducers, carried);
        }
        Ok(())
    }

    /// Writes results that no more terms come for.
    pub(super) fn end_rows(&self, results: &mut [RowReducers]) {
        let mut position = Odometer::new(&self.nest.nest.outer, self.dtypes.len());
        for (result, carried) in results.iter_mut().enumerate() {
            position.seek(result);
            self.finish_rows(carried, &position);
        }
    }

    /// Joins the parts of each result.
    fn join_rows(&self, parts: ReducedParts<RowReducers>) {
        let mut position = Odometer::new(&self.nest.nest.outer, self.dtypes.len());
        for (result, mut parts) in parts.results() {
            let later = parts.split_off(1);
            let mut whole = parts.pop().expect("a result has a part");
            for later in later {
                whole.iter_mut().zip(later).for_each(|(reducer, later)| reducer.join(later));
            }
            position.seek(result);
            self.finish_rows(&mut whole, &position);
        }
    }

    /// Writes the results at a position.
    fn finish_rows(&self, reducers: &mut RowReducers, position: &Odometer) {
        for (&Reduction { operand, .. }, reducer) in self.nest.nest.reductions.folds.iter().zip(reducers) {
            let result = self.addresses[operand].wrapping_add_signed(position.offsets()[operand]);
            // SAFETY: an element of the result.
            unsafe { reducer.finish().write(result as *mut u8) };
        }
    }
}

impl<'m> RowFolder<'m> {
    fn new(bound: &'m BoundLoops<'m>, watch: Watch<'m>) -> Result<RowFolder<'m>, RunError> {
        let reductions = &bound.nest.nest.reductions;
        let operands = reductions.all().map(|one| one.operand).filter(|_| !reductions.idle);
        Ok(RowFolder {
            worker: Worker::new(bound, operands, BLOCK, watch)?,
            reducers: reducers(&bound.nest.nest),
            scanners: reductions.scans.iter().map(|one| fold::scan_rows(one.fold, one.dtype)).collect(),
        })
    }

    /// Whether the terms of folds are read from the arrays, and nothing else is to do.
    fn is_idle(&self) -> bool {
        self.worker.nest().reductions.idle && self.scanners.is_empty()
    }

    /// Makes whole results of few terms each, along the innermost kept loop.
    fn short(&mut self, results: Range<usize>, count: usize) -> Result<(), RunError> {
        let RowFolder { worker, reducers, .. } = self;
        let (bound, nest) = (worker.bound, worker.nest());
        let inner = nest.outer.last();
        let along = |operand: usize| inner.map_or(0, |dim| dim.strides[operand]);
        let len = inner.map_or(1, |dim| dim.len);
        let mut result = results.start;
        while result < results.end {
            let many = (len - result % len).min(results.end - result).min((nest.poll / count).max(1));
            worker.position.seek(result);
            let offsets = worker.position.offsets();
            let place = |operand: usize| bound.addresses[operand].wrapping_add_signed(offsets[operand]) as *mut u8;
            for (index, (reducer, one)) in reducers.iter_mut().zip(&nest.reductions.folds).enumerate() {
                let sources = nest.reductions.sources(index);
                let (from, to_next) = (sources.map(|source| place(source).cast_const()), sources.map(along));
                // SAFETY: the terms lie in the arrays, and the results have room.
                unsafe { reducer.results(from, to_next, count, many, place(one.operand), along(one.operand)) };
            }
            result += many;
            worker.watch.poll()?;
        }
        Ok(())
    }

    /// Takes some terms of a result, which lie in the arrays and begin at a block.
    fn read(&mut self, terms: Range<usize>) -> Result<(), RunError> {
        let RowFolder { worker, reducers, .. } = self;
        let (bound, nest) = (worker.bound, worker.nest());
        let step = nest.poll.next_multiple_of(BLOCK);
        for first in terms.clone().step_by(step) {
            let offsets = worker.position.offsets();
            let place = |source: usize| {
                let distance = offsets[source].wrapping_add(nest.inner.strides[source].wrapping_mul(first as isize));
                bound.addresses[source].wrapping_add_signed(distance) as *const u8
            };
            for (index, reducer) in reducers.iter_mut().enumerate() {
                // SAFETY: the terms lie in the arrays.
                unsafe { reducer.terms(nest.reductions.sources(index).map(place), step.min(terms.end - first)) };
            }
            worker.watch.poll()?;
        }
        Ok(())
    }

    fn terms(&mut self, terms: Range<usize>) -> Result<(), RunError> {
        if self.is_idle() {
            return self.read(terms);
        }
        let len = self.worker.nest().inner.len.max(1);
        self.worker.row.seek(terms.start / len);
        self.worker.place();
        let mut column = terms.start % len;
        for first in terms.clone().step_by(BLOCK) {
            let count = BLOCK.min(terms.end - first);
            column = self.fill(column, count);
            self.take_block(first, count);
            self.worker.poll(count)?;
        }
        Ok(())
    }

    /// Computes the next block of terms to the scratch, from a column of the innermost loop on; the column after it.
    fn fill(&mut self, mut column: usize, block: usize) -> usize {
        let worker = &mut self.worker;
        let (nest, len) = (worker.nest(), worker.nest().inner.len);
        let mut filled = 0;
        while filled < block && worker.runner.is_some() {
            if column == len {
                worker.row.advance();
                worker.place();
                column = 0;
            }
            let some = (block - filled).min(len - column);
            for (number, one) in nest.reductions.all().enumerate() {
                // So that element `column` falls on the next free place of the scratch.
                let at = worker.scratch(number) + filled * one.dtype.size();
                worker.lay(one.operand, column, at);
            }
            if let Some(runner) = &mut worker.runner {
                // SAFETY: the plan was made from the shapes of the arrays, so every address is one of their elements;
                // the scratch has room for a block.
                unsafe { runner.run(&worker.operands, column, some) };
            }
            filled += some;
            column += some;
        }
        column
    }

    /// Folds and scans a block of terms, the first of which has a number.
    fn take_block(&mut self, first: usize, count: usize) {
        let RowFolder { worker, reducers, scanners } = self;
        let (bound, nest) = (worker.bound, worker.nest());
        let elements = |index: usize| match nest.reductions.direct[index] {
            Some(sources) => sources.map(|source| {
                let LoopOperand { address, stride } = worker.operands[source];
                address.wrapping_add_signed(first as isize * stride) as *const u8
            }),
            None => [worker.scratch(index) as *const u8; 2],
        };
        for (index, reducer) in reducers.iter_mut().enumerate() {
            // SAFETY: a block was computed to the scratch, or lies in the array.
            unsafe { reducer.terms(elements(index), count) };
        }
        for (index, (scanner, one)) in scanners.iter_mut().zip(&nest.reductions.scans).enumerate() {
            let stride = nest.inner.strides[one.operand];
            let distance = worker.position.offsets()[one.operand] + stride * first as isize;
            let out = bound.addresses[one.operand].wrapping_add_signed(distance) as *mut u8;
            // SAFETY: a block was computed to the scratch, or lies in the array. A scan has one reduced axis, and its
            // result is as long.
            unsafe { scanner.block(elements(nest.reductions.folds.len() + index)[0], count, out, stride) };
        }
    }
}

impl ReduceUnits for RowFolder<'_> {
    type Made = RowReducers;

    fn whole(&mut self, results: Range<usize>, terms: Range<usize>) -> Result<(), RunError> {
        if self.is_idle() && (1..=fold::MAX_GROUPED_TERMS).contains(&terms.len()) {
            return self.short(results, terms.len());
        }
        self.worker.position.seek(results.start);
        for _ in results {
            self.terms(terms.clone())?;
            self.worker.bound.finish_rows(&mut self.reducers, &self.worker.position);
            self.scanners.iter_mut().for_each(|scanner| scanner.finish());
            self.worker.position.advance();
        }
        Ok(())
    }

    fn begin_at(&mut self, term: usize) {
        self.reducers.iter_mut().for_each(|reducer| reducer.begin_at(term / BLOCK));
    }

    fn reduce(&mut self, result: usize, terms: Range<usize>) -> Result<(), RunError> {
        self.worker.position.seek(result);
        self.terms(terms)
    }

    fn made(&mut self) -> RowReducers {
        std::mem::replace(&mut self.reducers, reducers(self.worker.nest()))
    }
}
