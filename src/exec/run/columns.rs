//! Folds across an innermost loop that is kept, with scans: many results side by side, a *tile* of them at a time.
#![expect(unsafe_code, reason = "several threads write parts of one buffer")]

use super::bound::BoundLoops;
use super::in_order::Turn;
use super::reduce::{self, ReduceUnits, ReducedParts, TermCut};
use super::worker::Worker;
use crate::exec::block::copy_strided;
use crate::exec::fold::{self, READ_WIDTH, ScanColumns, WIDTH};
use crate::exec::options::{Options, RunError, Watch};
use crate::exec::plan::{Nest, Reduction, positions};
use crate::exec::space::Odometer;
use crate::exec::stepping::Code;
use crate::kernel::BLOCK;
use std::mem::MaybeUninit;
use std::ops::Range;

/// The reducers of a kernel's folds.
pub(super) type Reducers = Vec<Box<dyn fold::Columns>>;

/// Rows that are computed at once: as many as there are accumulators of each result.
const ROWS: usize = 32;

/// How the results along the innermost loop are cut.
struct Tiles<'m> {
    bound: &'m BoundLoops<'m>,
    /// Results of a tile.
    width: usize,
    /// Whether rows are taken one by one, though they are only read.
    one_by_one: bool,
}

/// A thread that folds and scans.
struct TileFolder<'m> {
    tiles: &'m Tiles<'m>,
    worker: Worker<'m>,
    reducers: Reducers,
    scanners: Vec<Box<dyn ScanColumns>>,
}

impl BoundLoops<'_> {
    pub(super) fn run_columns(&self, options: &Options) -> Result<(), RunError> {
        let Nest { outer, between, inner, reductions, cost, .. } = &self.nest.nest;
        let watch = options.watch();
        let (rows, around) = (positions(between), positions(outer));
        let share = cost.times(rows).times(inner.len).times(around).share(options);
        // Threads share tiles, or blocks of rows if there are enough of them.
        let wide = share.threads == 1 || rows / BLOCK >= share.units;
        let only_read = reductions.idle && reductions.scans.is_empty() && between.len() == 1;
        let width = if wide && only_read { READ_WIDTH } else { WIDTH };
        let tiles = Tiles { bound: self, width, one_by_one: false };
        let tile = cost.times(width.min(inner.len));
        let cut = TermCut::new(around * tiles.count(), rows, tile, !reductions.scans.is_empty(), options);
        if let Some(parts) = reduce::share(cut, watch, || TileFolder::new(&tiles, watch))? {
            tiles.join(parts);
        }
        Ok(())
    }
}

/// Folds of many results side by side that go on from part to part: those of each tile, so that parts can be at
/// different tiles.
pub(super) struct CarriedTiles {
    one_by_one: bool,
    tiles: Vec<Turn<Reducers>>,
}

impl CarriedTiles {
    pub(super) fn new(bound: &BoundLoops, one_by_one: bool) -> CarriedTiles {
        let tiles = Tiles { bound, width: WIDTH, one_by_one };
        let count = tiles.count() * positions(&tiles.nest().outer);
        CarriedTiles { one_by_one, tiles: (0..count).map(|_| Turn::new(tiles.reducers())).collect() }
    }

    /// Takes the rows of a part when it is its turn; false if it never will be, because another one failed.
    pub(super) fn run(&self, part: usize, bound: &BoundLoops, options: &Options) -> Result<bool, RunError> {
        let (tiles, rows) =
            (Tiles { bound, width: WIDTH, one_by_one: self.one_by_one }, positions(&bound.nest.nest.between));
        let mut folder = TileFolder::new(&tiles, options.watch())?;
        for (tile, carried) in self.tiles.iter().enumerate() {
            let goes_on = carried.take(part, |carried| {
                std::mem::swap(&mut folder.reducers, carried);
                let done = folder.reduce(tile, 0..rows);
                std::mem::swap(&mut folder.reducers, carried);
                done
            })?;
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// No turn will come any more.
    pub(super) fn stop(&self) {
        self.tiles.iter().for_each(Turn::stop);
    }

    /// Writes the results.
    pub(super) fn end(self, bound: &BoundLoops) {
        let tiles = Tiles { bound, width: WIDTH, one_by_one: self.one_by_one };
        for (tile, carried) in self.tiles.into_iter().enumerate() {
            tiles.finish(&mut carried.into_inner(), tile);
        }
    }
}

impl Tiles<'_> {
    fn nest(&self) -> &Nest {
        &self.bound.nest.nest
    }

    /// Tiles of an inner loop.
    fn count(&self) -> usize {
        self.nest().inner.len.div_ceil(self.width)
    }

    /// The first result of a tile along the inner loop, and how many it has.
    fn tile(&self, number: usize) -> (usize, usize) {
        let first = number % self.count() * self.width;
        (first, self.width.min(self.nest().inner.len - first))
    }

    fn reducers(&self) -> Reducers {
        let most = self.width.min(self.nest().inner.len);
        self.nest().reductions.folds.iter().map(|one| fold::columns(one.fold, one.dtype, most)).collect()
    }

    /// Joins the parts of each tile.
    fn join(&self, parts: ReducedParts<Reducers>) {
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
        let mut position = Odometer::new(&self.nest().outer, self.bound.dtypes.len());
        position.seek(tile / self.count());
        let mut aside: Vec<MaybeUninit<u8>> = Vec::new();
        for (&Reduction { operand, fold, dtype, .. }, reducer) in self.nest().reductions.folds.iter().zip(reducers) {
            let size = fold.result(dtype).size();
            let stride = self.nest().inner.strides[operand];
            let start = self.bound.addresses[operand].wrapping_add_signed(position.offsets()[operand]);
            let to = start.wrapping_add_signed(stride * first as isize) as *mut u8;
            if stride == size as isize {
                // SAFETY: the results have room for as many elements, one behind the other, and nobody else writes them.
                reducer.finish(unsafe { std::slice::from_raw_parts_mut(to.cast(), width * size) });
                continue;
            }
            aside.resize(width * size, MaybeUninit::uninit());
            reducer.finish(&mut aside);
            // SAFETY: as many elements were written, and the results have room for them.
            unsafe { copy_strided(size, aside.as_ptr().cast(), size as isize, to, stride, width) };
        }
    }
}

impl<'m> TileFolder<'m> {
    fn new(tiles: &'m Tiles<'m>, watch: Watch<'m>) -> Result<TileFolder<'m>, RunError> {
        let reductions = &tiles.nest().reductions;
        let operands = reductions.all().map(|one| one.operand).filter(|_| !reductions.idle);
        Ok(TileFolder {
            tiles,
            worker: Worker::new(tiles.bound, operands, tiles.width.min(tiles.nest().inner.len) * ROWS, watch)?,
            reducers: tiles.reducers(),
            scanners: reductions.scans.iter().map(|one| fold::scan_columns(one.fold, one.dtype)).collect(),
        })
    }

    /// Rows that nothing is computed of: they are only read, one after the other, `along` a loop.
    fn read(&mut self, rows: Range<usize>, (first, width): (usize, usize)) -> Result<(), RunError> {
        let TileFolder { worker, reducers, .. } = self;
        let nest = worker.nest();
        worker.place();
        let step = (nest.poll / width).max(1).next_multiple_of(BLOCK);
        for (done, part) in (0..).step_by(step).zip(rows.clone().step_by(step)) {
            let count = step.min(rows.end - part);
            for (index, (reducer, one)) in reducers.iter_mut().zip(&nest.reductions.folds).enumerate() {
                let [source, _] = nest.reductions.sources(index);
                let stride = nest.between[0].strides[source];
                let from = worker.operands[source].address.wrapping_add(first * one.dtype.size());
                let from = from.wrapping_add_signed(stride.wrapping_mul(done)) as *const u8;
                // SAFETY: the rows lie in the array.
                unsafe { reducer.rows(from, stride, count, width) };
            }
            worker.watch.poll()?;
        }
        Ok(())
    }

    /// Some rows, computed at once.
    fn several(&mut self, (first, width): (usize, usize), rows: usize) {
        let TileFolder { worker, reducers, .. } = self;
        let nest = worker.nest();
        worker.place();
        let mut to_next: Vec<isize> = nest.between[0].strides.to_vec();
        for (number, one) in nest.reductions.all().enumerate() {
            let at = worker.scratch(number);
            worker.lay(one.operand, first, at);
            to_next[one.operand] = (width * one.dtype.size()) as isize;
        }
        let sources = worker.operands.clone();
        if let Some(runner) = &mut worker.runner {
            // SAFETY: the plan was made from the shapes of the arrays, so every address is one of their elements; the
            // scratch has room for the rows.
            unsafe { runner.run_rows(&mut worker.operands, (first, width), rows, &to_next) };
        }
        for (index, (reducer, one)) in reducers.iter_mut().zip(&nest.reductions.folds).enumerate() {
            let (from, stride) = match nest.reductions.direct[index] {
                Some([source, _]) => (sources[source].address + first * one.dtype.size(), to_next[source]),
                None => (worker.scratch(index), to_next[one.operand]),
            };
            // SAFETY: rows were computed to the scratch, or lie in the array.
            unsafe { reducer.some_rows(from as *const u8, stride, rows, width) };
        }
    }

    /// The elements of a row, computed if there is something to compute.
    fn row(&mut self, (first, width): (usize, usize)) {
        let TileFolder { worker, reducers, scanners, .. } = self;
        let (bound, nest) = (worker.bound, worker.nest());
        worker.place();
        if worker.runner.is_some() {
            for (number, one) in nest.reductions.all().enumerate() {
                let at = worker.scratch(number);
                worker.lay(one.operand, first, at);
            }
        }
        if let Some(runner) = &mut worker.runner {
            // SAFETY: the plan was made from the shapes of the arrays, so every address is one of their elements; the
            // scratch has room for a row.
            unsafe { runner.run(&worker.operands, first, width) };
        }
        let elements = |index: usize, one: &Reduction| match nest.reductions.direct[index] {
            Some([source, _]) => (worker.operands[source].address + first * one.dtype.size()) as *const u8,
            None => worker.scratch(index) as *const u8,
        };
        for (index, (reducer, one)) in reducers.iter_mut().zip(&nest.reductions.folds).enumerate() {
            // SAFETY: a row was computed to the scratch, or lies in the array.
            unsafe { reducer.row(elements(index, one), width) };
        }
        for (index, (scanner, one)) in scanners.iter_mut().zip(&nest.reductions.scans).enumerate() {
            let stride = nest.inner.strides[one.operand];
            let offsets = worker.position.offsets()[one.operand] + worker.row.offsets()[one.operand];
            let out = bound.addresses[one.operand].wrapping_add_signed(offsets + stride * first as isize);
            let elements = elements(nest.reductions.folds.len() + index, one);
            // SAFETY: a row was computed to the scratch, or lies in the array; the result has room for the row.
            unsafe { scanner.row(elements, width, out as *mut u8, stride) };
        }
    }
}

impl ReduceUnits for TileFolder<'_> {
    type Made = Reducers;

    fn whole(&mut self, tiles: Range<usize>, rows: Range<usize>) -> Result<(), RunError> {
        for tile in tiles {
            self.reduce(tile, rows.clone())?;
            self.tiles.finish(&mut self.reducers, tile);
        }
        Ok(())
    }

    fn begin_at(&mut self, row: usize) {
        self.reducers.iter_mut().for_each(|reducer| reducer.begin_at(row));
    }

    fn reduce(&mut self, tile: usize, rows: Range<usize>) -> Result<(), RunError> {
        let results = self.tiles.tile(tile);
        let worker = &mut self.worker;
        worker.position.seek(tile / self.tiles.count());
        worker.row.seek(rows.start);
        let nest = worker.nest();
        if nest.between.len() == 1 && nest.reductions.idle && self.scanners.is_empty() && !self.tiles.one_by_one {
            return self.read(rows, results);
        }
        if nest.between.len() == 1 && self.worker.runner.is_some() && self.scanners.is_empty() {
            for begin in rows.clone().step_by(ROWS) {
                let count = ROWS.min(rows.end - begin);
                self.worker.row.seek(begin);
                self.several(results, count);
                self.worker.poll(results.1 * count)?;
            }
            return Ok(());
        }
        for _ in rows {
            self.row(results);
            self.worker.poll(results.1)?;
            self.worker.row.advance();
        }
        self.scanners.iter_mut().for_each(|scanner| scanner.finish());
        Ok(())
    }

    fn made(&mut self) -> Reducers {
        std::mem::replace(&mut self.reducers, self.tiles.reducers())
    }
}
