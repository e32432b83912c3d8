//! Folds and scans across an innermost loop that is kept: many results side by side, a *tile* of them at a time.

use super::cost::Cost;
use super::loops::Loops;
use super::reduce::{self, Cut, Parts, Reduction, Reductions};
use super::walk::Bound;
use super::{Ready, Runner};
use crate::array::bytes::AlignedBytes;
use crate::exec::block::copy_strided;
use crate::exec::fold::{self, ScanColumns, WIDE, WIDTH};
use crate::exec::options::{Options, RunError, Watch};
use crate::exec::space::{Dim, Odometer, PerOperand};
use crate::exec::stepping::{Code, Operand};
use crate::kernel::BLOCK;
use std::ops::Range;

/// The reducers of a kernel's folds.
type Reducers = Vec<Box<dyn fold::Columns>>;

/// The loops of a kernel that reduces across the innermost of them.
pub(super) struct Layout {
    /// The kept loops but the innermost.
    outer: Vec<Dim>,
    inner: Dim,
    /// How far operands move along it.
    moves: PerOperand<isize>,
    reduced: Vec<Dim>,
    /// The loop, if it has something to compute.
    pub(super) ready: Option<Ready>,
    reductions: Reductions,
    cost: Cost,
    /// Elements between two looks at the interrupt flag.
    poll: usize,
}

impl Layout {
    pub(super) fn new(loops: &Loops, outer: Vec<Dim>, inner: Dim, reduced: Vec<Dim>, options: &Options) -> Layout {
        let code = loops.inner_loop(&inner);
        let cost = Cost::of(loops, &code);
        let reductions = loops.reductions(&inner, true, &[]);
        let ready = (!reductions.idle).then(|| Ready::new(code, loops.short, options));
        Layout { outer, moves: loops.moves(&inner), inner, reduced, ready, reductions, cost, poll: cost.poll() }
    }
}

/// A kernel about to run.
struct Folding<'m> {
    bound: &'m Bound<'m>,
    layout: &'m Layout,
    /// Results of a tile.
    width: usize,
}

/// What a thread has of its own.
struct Worker<'m> {
    folding: &'m Folding<'m>,
    runner: Option<Runner<'m>>,
    reducers: Reducers,
    scanners: Vec<Box<dyn ScanColumns>>,
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
    pub(super) fn run_columns(&self, layout: &Layout, options: &Options) -> Result<(), RunError> {
        let Layout { outer, inner, reduced, reductions, cost, .. } = layout;
        let watch = options.watch();
        let rows: usize = reduced.iter().map(|dim| dim.len).product();
        let around: usize = outer.iter().map(|dim| dim.len).product();
        let share = cost.times(rows).times(inner.len).times(around).share(options);
        // Threads share tiles, or blocks of rows if there are enough of them.
        let wide = share.threads == 1 || rows / BLOCK >= share.units;
        let only_read = reductions.idle && reductions.scans.is_empty() && reduced.len() == 1;
        let width = if wide && only_read { WIDE } else { WIDTH };
        let folding = Folding { bound: self, layout, width };
        let tile = cost.times(width.min(inner.len));
        let cut = Cut::new(around * folding.tiles(), rows, tile, !reductions.scans.is_empty(), options);
        if let Some(parts) = reduce::share(cut, watch, || Worker::new(&folding, watch))? {
            folding.join(parts);
        }
        Ok(())
    }
}

impl Folding<'_> {
    /// Tiles of an inner loop.
    fn tiles(&self) -> usize {
        self.layout.inner.len.div_ceil(self.width)
    }

    /// The first result of a tile along the inner loop, and how many it has.
    fn tile(&self, number: usize) -> (usize, usize) {
        let first = number % self.tiles() * self.width;
        (first, self.width.min(self.layout.inner.len - first))
    }

    fn reducers(&self) -> Reducers {
        self.layout
            .reductions
            .folds
            .iter()
            .map(|one| fold::columns(one.fold, one.dtype, self.width.min(self.layout.inner.len)))
            .collect()
    }

    /// Joins the parts of each tile.
    fn join(&self, parts: Parts<Reducers>) {
        for (tile, mut parts) in parts.results() {
            let (_, width) = self.tile(tile);
            let later = parts.split_off(1);
            let mut whole = parts.pop().expect("a tile has a part");
            for later in later {
                whole.iter_mut().zip(later).for_each(|(reducer, later)| reducer.join(later, width));
            }
            self.finish(&mut whole, tile);
        }
    }

    /// Writes the results of a tile.
    fn finish(&self, reducers: &mut Reducers, tile: usize) {
        let (first, width) = self.tile(tile);
        let mut position = Odometer::new(&self.layout.outer, self.bound.dtypes.len());
        position.seek(tile / self.tiles());
        let mut aside = Vec::new();
        for (&Reduction { operand, fold, dtype, .. }, reducer) in self.layout.reductions.folds.iter().zip(reducers) {
            let size = fold.result(dtype).size();
            let stride = self.layout.inner.strides[operand];
            let start = self.bound.addresses[operand].wrapping_add_signed(position.offsets()[operand]);
            let to = start.wrapping_add_signed(stride * first as isize) as *mut u8;
            if stride == size as isize {
                // SAFETY: the results have room for as many elements.
                unsafe { reducer.finish(to, width) };
                continue;
            }
            // Room for elements of any size.
            aside.resize(width, 0u128);
            let from = aside.as_mut_ptr().cast::<u8>();
            // SAFETY: as many elements are written, and the results have room for them.
            unsafe {
                reducer.finish(from, width);
                copy_strided(size, from, size as isize, to, stride, width);
            }
        }
    }
}

impl<'m> Worker<'m> {
    fn new(folding: &'m Folding<'m>, watch: Watch<'m>) -> Result<Worker<'m>, RunError> {
        let Folding { bound, layout, width } = folding;
        let reductions = &layout.reductions;
        let operands = reductions.all().map(|one| one.operand).filter(|_| !reductions.idle);
        let mut scratch = bound.scratch(operands, *width, watch)?;
        Ok(Worker {
            folding,
            runner: layout.ready.as_ref().map(|ready| ready.runner(watch)).transpose()?,
            reducers: folding.reducers(),
            scanners: reductions.scans.iter().map(|one| fold::scan_columns(one.fold, one.dtype)).collect(),
            position: Odometer::new(&layout.outer, bound.dtypes.len()),
            rows: Odometer::new(&layout.reduced, bound.dtypes.len()),
            operands: PerOperand::new(),
            bases: scratch.iter_mut().map(|bytes| bytes.as_mut_ptr() as usize).collect(),
            _scratch: scratch,
            since_poll: 0,
            watch,
        })
    }
}

impl reduce::Worker for Worker<'_> {
    type Made = Reducers;

    fn whole(&mut self, tiles: Range<usize>, rows: Range<usize>) -> Result<(), RunError> {
        for tile in tiles {
            self.reduce(tile, rows.clone())?;
            self.folding.finish(&mut self.reducers, tile);
        }
        Ok(())
    }

    fn begin_at(&mut self, row: usize) {
        self.reducers.iter_mut().for_each(|reducer| reducer.begin_at(row));
    }

    fn reduce(&mut self, tile: usize, rows: Range<usize>) -> Result<(), RunError> {
        let Folding { bound, layout: Layout { inner, moves, reduced, reductions, poll, .. }, .. } = self.folding;
        let (first, width) = self.folding.tile(tile);
        self.position.seek(tile / self.folding.tiles());
        self.rows.seek(rows.start);
        let operands = &mut self.operands;
        if let ([along], true, []) = (&reduced[..], reductions.idle, &self.scanners[..]) {
            // Nothing is computed, so the rows are only read, one after the other.
            bound.place(operands, &[self.position.offsets(), self.rows.offsets()], moves);
            let step = (*poll / width).max(1).next_multiple_of(BLOCK);
            for (done, part) in (0..).step_by(step).zip(rows.clone().step_by(step)) {
                let count = step.min(rows.end - part);
                for (index, (reducer, one)) in self.reducers.iter_mut().zip(&reductions.folds).enumerate() {
                    let [source, _] = reductions.sources(index);
                    let stride = along.strides[source];
                    let from = operands[source].address.wrapping_add(first * one.dtype.size());
                    let from = from.wrapping_add_signed(stride.wrapping_mul(done)) as *const u8;
                    // SAFETY: the rows lie in the array.
                    unsafe { reducer.rows(from, stride, count, width) };
                }
                self.watch.poll()?;
            }
            return Ok(());
        }
        for _ in rows {
            bound.place(operands, &[self.position.offsets(), self.rows.offsets()], moves);
            for (&Reduction { operand, dtype, .. }, &base) in reductions.all().zip(&self.bases) {
                operands[operand].address = base.wrapping_sub(first * dtype.size());
            }
            if let Some(runner) = &mut self.runner {
                // SAFETY: as for maps; the scratch has room for a row.
                unsafe { runner.run(operands, first, width) };
            }
            let elements = |index: usize, one: &Reduction| match reductions.direct[index] {
                Some([source, _]) => (operands[source].address + first * one.dtype.size()) as *const u8,
                None => self.bases[index] as *const u8,
            };
            for (index, (reducer, one)) in self.reducers.iter_mut().zip(&reductions.folds).enumerate() {
                // SAFETY: a row was computed to the scratch, or lies in the array.
                unsafe { reducer.row(elements(index, one), width) };
            }
            for (index, (scanner, one)) in self.scanners.iter_mut().zip(&reductions.scans).enumerate() {
                let stride = inner.strides[one.operand];
                let offsets = self.position.offsets()[one.operand] + self.rows.offsets()[one.operand];
                let out = bound.addresses[one.operand].wrapping_add_signed(offsets + stride * first as isize);
                // SAFETY: likewise; the result has room for the row.
                unsafe { scanner.row(elements(reductions.folds.len() + index, one), width, out as *mut u8, stride) };
            }
            self.since_poll += width;
            if self.since_poll >= *poll {
                self.watch.poll()?;
                self.since_poll = 0;
            }
            self.rows.advance();
        }
        self.scanners.iter_mut().for_each(|scanner| scanner.finish());
        Ok(())
    }

    fn made(&mut self) -> Reducers {
        std::mem::replace(&mut self.reducers, self.folding.reducers())
    }
}
