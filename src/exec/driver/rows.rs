//! Folds and scans along the innermost loops: neighbours of one result at a time.

use super::cost::Cost;
use super::loops::Loops;
use super::reduce::{self, Cut, Parts, Reduction, Reductions};
use super::walk::Bound;
use super::{Ready, Runner};
use crate::array::bytes::AlignedBytes;
use crate::exec::fold::{self, ScanRows};
use crate::exec::options::{Options, RunError, Watch};
use crate::exec::space::{Dim, Odometer, PerOperand};
use crate::exec::stepping::{Code, Operand};
use crate::kernel::BLOCK;
use smallvec::smallvec;
use std::ops::Range;

/// Bytes that few caches hold.
const LARGE: f64 = (32 << 20) as f64;

/// The reducers of a kernel's folds.
type Reducers = Vec<Box<dyn fold::Rows>>;

/// The loops of a kernel that reduces along the innermost of them.
pub(super) struct Layout {
    kept: Vec<Dim>,
    /// The reduced loops but the innermost.
    outer: Vec<Dim>,
    inner: Dim,
    /// How far operands move along it.
    moves: PerOperand<isize>,
    /// Terms of a result.
    count: usize,
    /// The loop, if it has something to compute.
    pub(super) ready: Option<Ready>,
    reductions: Reductions,
    /// Whether more is read than caches hold.
    large: bool,
    cost: Cost,
    /// Elements between two looks at the interrupt flag.
    poll: usize,
}

impl Layout {
    pub(super) fn new(loops: &mut Loops, kept: Vec<Dim>, mut outer: Vec<Dim>, options: &Options) -> Layout {
        let count = outer.iter().map(|dim| dim.len).product();
        let terms = loops.terms(&outer, count);
        loops.compute(&terms);
        let one = || Dim { len: 1, strides: smallvec![0; loops.dtypes.len()] };
        let inner = outer.pop().unwrap_or_else(one);
        let code = loops.inner_loop(&inner);
        let cost = Cost::of(loops, &code);
        let reductions = loops.reductions(&inner, outer.is_empty() && inner.len == count, &terms);
        let ready = (!reductions.idle).then(|| Ready::new(code, loops.short, options));
        let (moves, large, poll) = (loops.moves(&inner), loops.bytes_read() >= LARGE, cost.poll());
        Layout { kept, outer, inner, moves, count, ready, reductions, large, cost, poll }
    }
}

/// A kernel about to run.
struct Folding<'m> {
    bound: &'m Bound<'m>,
    layout: &'m Layout,
}

/// What a thread has of its own.
struct Worker<'m> {
    folding: &'m Folding<'m>,
    runner: Option<Runner<'m>>,
    reducers: Reducers,
    scanners: Vec<Box<dyn ScanRows>>,
    position: Odometer<'m>,
    rows: Odometer<'m>,
    operands: PerOperand<Operand>,
    /// Where the scratch of each reduction begins.
    bases: Vec<usize>,
    _scratch: Vec<AlignedBytes>,
    since_poll: usize,
    watch: Watch<'m>,
}

impl Bound<'_> {
    pub(super) fn run_rows(&self, layout: &Layout, options: &Options) -> Result<(), RunError> {
        let Layout { kept, count, reductions, cost, .. } = layout;
        let folding = Folding { bound: self, layout };
        let results = kept.iter().map(|dim| dim.len).product();
        let cut = Cut::new(results, *count, *cost, !reductions.scans.is_empty(), options);
        let watch = options.watch();
        if let Some(parts) = reduce::share(cut, watch, || Worker::new(&folding, watch))? {
            folding.join(parts);
        }
        Ok(())
    }
}

impl Folding<'_> {
    fn reducers(&self) -> Reducers {
        self.layout
            .reductions
            .folds
            .iter()
            .map(|one| fold::rows(one.fold, one.terms.dtype, one.terms.form, self.layout.large))
            .collect()
    }

    /// Joins the parts of each result.
    fn join(&self, parts: Parts<Reducers>) {
        let mut position = Odometer::new(&self.layout.kept, self.bound.dtypes.len());
        for (result, mut parts) in parts.results() {
            let later = parts.split_off(1);
            let mut whole = parts.pop().expect("a result has a part");
            for later in later {
                whole.iter_mut().zip(later).for_each(|(reducer, later)| reducer.join(later));
            }
            position.seek(result);
            self.finish(&mut whole, &position);
        }
    }

    /// Writes the results at a position.
    fn finish(&self, reducers: &mut Reducers, position: &Odometer) {
        for (&Reduction { operand, .. }, reducer) in self.layout.reductions.folds.iter().zip(reducers) {
            let result = self.bound.addresses[operand].wrapping_add_signed(position.offsets()[operand]);
            // SAFETY: an element of the result.
            unsafe { reducer.finish(result as *mut u8) };
        }
    }
}

impl<'m> Worker<'m> {
    fn new(folding: &'m Folding<'m>, watch: Watch<'m>) -> Result<Worker<'m>, RunError> {
        let Folding { bound, layout } = folding;
        let reductions = &layout.reductions;
        let operands = reductions.all().map(|one| one.operand).filter(|_| !reductions.idle);
        let mut scratch = bound.scratch(operands, BLOCK, watch)?;
        Ok(Worker {
            folding,
            runner: layout.ready.as_ref().map(|ready| ready.runner(watch)).transpose()?,
            reducers: folding.reducers(),
            scanners: reductions.scans.iter().map(|one| fold::scan_rows(one.fold, one.dtype)).collect(),
            position: Odometer::new(&layout.kept, bound.dtypes.len()),
            rows: Odometer::new(&layout.outer, bound.dtypes.len()),
            operands: PerOperand::new(),
            bases: scratch.iter_mut().map(|bytes| bytes.as_mut_ptr() as usize).collect(),
            _scratch: scratch,
            since_poll: 0,
            watch,
        })
    }

    /// Whether the terms of folds are read from the arrays, and nothing else is to do.
    fn is_idle(&self) -> bool {
        self.folding.layout.reductions.idle && self.scanners.is_empty()
    }

    /// Makes whole results of few terms each, along the innermost kept loop.
    fn short(&mut self, results: Range<usize>, count: usize) -> Result<(), RunError> {
        let Folding { bound, layout: Layout { kept, reductions, poll, .. } } = self.folding;
        let inner = kept.last();
        let along = |operand: usize| inner.map_or(0, |dim| dim.strides[operand]);
        let len = inner.map_or(1, |dim| dim.len);
        let mut result = results.start;
        while result < results.end {
            let many = (len - result % len).min(results.end - result).min((poll / count).max(1));
            self.position.seek(result);
            let offsets = self.position.offsets();
            let place = |operand: usize| bound.addresses[operand].wrapping_add_signed(offsets[operand]) as *mut u8;
            for (index, (reducer, one)) in self.reducers.iter_mut().zip(&reductions.folds).enumerate() {
                let sources = reductions.sources(index);
                let (from, to_next) = (sources.map(|source| place(source).cast_const()), sources.map(along));
                // SAFETY: the terms lie in the arrays, and the results have room.
                unsafe { reducer.results(from, to_next, count, many, place(one.operand), along(one.operand)) };
            }
            result += many;
            self.watch.poll()?;
        }
        Ok(())
    }

    /// Takes some terms of a result, which lie in the arrays and begin at a block.
    fn read(&mut self, terms: Range<usize>) -> Result<(), RunError> {
        let Folding { bound, layout: Layout { inner, reductions, poll, .. } } = self.folding;
        let step = poll.next_multiple_of(BLOCK);
        for first in terms.clone().step_by(step) {
            let offsets = self.position.offsets();
            let place = |source: usize| {
                let distance = offsets[source].wrapping_add(inner.strides[source].wrapping_mul(first as isize));
                bound.addresses[source].wrapping_add_signed(distance) as *const u8
            };
            for (index, reducer) in self.reducers.iter_mut().enumerate() {
                // SAFETY: the terms lie in the arrays.
                unsafe { reducer.terms(reductions.sources(index).map(place), step.min(terms.end - first)) };
            }
            self.watch.poll()?;
        }
        Ok(())
    }

    fn terms(&mut self, terms: Range<usize>) -> Result<(), RunError> {
        if self.is_idle() {
            return self.read(terms);
        }
        let Folding { bound, layout: Layout { inner, moves, reductions, poll, .. } } = self.folding;
        let bases = &self.bases[..];
        self.rows.seek(terms.start / inner.len.max(1));
        let operands = &mut self.operands;
        bound.place(operands, &[self.position.offsets(), self.rows.offsets()], moves);
        let mut column = terms.start % inner.len.max(1);
        for first in terms.clone().step_by(BLOCK) {
            let block = BLOCK.min(terms.end - first);
            let mut filled = 0;
            while filled < block
                && let Some(runner) = &mut self.runner
            {
                if column == inner.len {
                    self.rows.advance();
                    bound.place(operands, &[self.position.offsets(), self.rows.offsets()], moves);
                    column = 0;
                }
                let len = (block - filled).min(inner.len - column);
                for (&Reduction { operand, dtype, .. }, &base) in reductions.all().zip(bases) {
                    // So that element `column` falls on the next free place of the scratch.
                    let place = (filled as isize - column as isize) * dtype.size() as isize;
                    operands[operand].address = base.wrapping_add_signed(place);
                }
                // SAFETY: as for maps; the scratch has room for a block.
                unsafe { runner.run(operands, column, len) };
                filled += len;
                column += len;
            }
            let elements = |index: usize| match reductions.direct[index] {
                Some(sources) => sources.map(|source| {
                    let Operand { address, stride } = operands[source];
                    address.wrapping_add_signed(first as isize * stride) as *const u8
                }),
                None => [bases[index] as *const u8; 2],
            };
            for (index, reducer) in self.reducers.iter_mut().enumerate() {
                // SAFETY: a block was computed to the scratch, or lies in the array.
                unsafe { reducer.terms(elements(index), block) };
            }
            for (index, (scanner, one)) in self.scanners.iter_mut().zip(&reductions.scans).enumerate() {
                let stride = inner.strides[one.operand];
                let distance = self.position.offsets()[one.operand] + stride * first as isize;
                let out = bound.addresses[one.operand].wrapping_add_signed(distance) as *mut u8;
                // SAFETY: likewise; a scan has one reduced axis, and its result is as long.
                unsafe { scanner.block(elements(reductions.folds.len() + index)[0], block, out, stride) };
            }
            self.since_poll += block;
            if self.since_poll >= *poll {
                self.watch.poll()?;
                self.since_poll = 0;
            }
        }
        Ok(())
    }
}

impl reduce::Worker for Worker<'_> {
    type Made = Reducers;

    fn whole(&mut self, results: Range<usize>, terms: Range<usize>) -> Result<(), RunError> {
        if self.is_idle() && (1..=fold::SHORT).contains(&terms.len()) {
            return self.short(results, terms.len());
        }
        self.position.seek(results.start);
        for _ in results {
            self.terms(terms.clone())?;
            self.folding.finish(&mut self.reducers, &self.position);
            self.scanners.iter_mut().for_each(|scanner| scanner.finish());
            self.position.advance();
        }
        Ok(())
    }

    fn begin_at(&mut self, term: usize) {
        self.reducers.iter_mut().for_each(|reducer| reducer.begin_at(term / BLOCK));
    }

    fn reduce(&mut self, result: usize, terms: Range<usize>) -> Result<(), RunError> {
        self.position.seek(result);
        self.terms(terms)
    }

    fn made(&mut self) -> Reducers {
        std::mem::replace(&mut self.reducers, self.folding.reducers())
    }
}
