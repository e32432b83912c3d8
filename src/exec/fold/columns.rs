//! Reductions across rows: many results side by side.
#![expect(unsafe_code, reason = "rows of a table are addresses with strides")]

use super::rows::Pairwise;
use super::simd::{accumulate, begin, column_totals, columns_in_any_order, improve};
use super::strips::{MIN_COLUMNS, StripTable};
use super::terms::{FoldOp, LANES, Term, Total};
use super::{Columns, part};
use crate::exec::machine::{Level, level};
use crate::kernel::BLOCK;
use crate::types::dtype::Element;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// Writes results one behind the other, as many as there is room for.
fn write_all<T: Element>(results: impl IntoIterator<Item = T>, to: &mut [MaybeUninit<u8>]) {
    for (place, result) in to.chunks_exact_mut(size_of::<T>()).zip(results) {
        place.write_copy_of_slice(&result.to_bits().to_le_bytes()[..size_of::<T>()]);
    }
}

/// Sums, products, extremes. Row `r` goes to accumulator row `r mod 32` of its block.
pub(super) struct TotalColumns<T: Term, O> {
    level: Level,
    /// Results side by side, at most.
    most: usize,
    /// Rows of accumulators, or scratch for whole blocks of rows. Made when it is first needed.
    totals: Vec<T::Total>,
    /// Rows of the block so far.
    rows: usize,
    blocks: Pairwise<Vec<T::Total>>,
    op: PhantomData<O>,
}

impl<T: Term, O: FoldOp> TotalColumns<T, O> {
    /// Whether the order matters.
    const ORDERED: bool = T::Total::ORDERED && !O::EXTREME;
    /// Rows of accumulators.
    const LANES: usize = if Self::ORDERED { LANES } else { 1 };

    pub(super) fn new(most: usize) -> Self {
        let (level, blocks) = (level(), Pairwise::new());
        TotalColumns { level, most, totals: Vec::new(), rows: 0, blocks, op: PhantomData }
    }

    /// Folds the accumulators of a block in halves. Those that met no row are left out.
    fn end_block(&mut self, width: usize) {
        let used = self.rows.min(Self::LANES);
        for half in [16, 8, 4, 2, 1] {
            for lane in 0..half.min(used.saturating_sub(half)) {
                let (left, right) = self.totals.split_at_mut((lane + half) * self.most);
                combine_rows::<T::Total, O>(&mut left[lane * self.most..][..width], &right[..width]);
            }
        }
        self.blocks.push(self.totals[..width].to_vec(), pair::<T::Total, O>);
        self.rows = 0;
    }
}

fn combine_rows<T: Total, O: FoldOp>(left: &mut [T], right: &[T]) {
    left.iter_mut().zip(right).for_each(|(a, &b)| *a = O::combine(*a, b));
}

fn pair<T: Total, O: FoldOp>(mut left: Vec<T>, right: Vec<T>) -> Vec<T> {
    combine_rows::<T, O>(&mut left, &right);
    left
}

impl<T: Term, O: FoldOp> Columns for TotalColumns<T, O> {
    unsafe fn row(&mut self, elements: *const u8, width: usize) {
        self.totals.resize(Self::LANES * self.most, O::of_nothing());
        let lane = self.rows % Self::LANES;
        let totals = &mut self.totals[lane * self.most..][..width];
        // SAFETY: the caller promises `width` elements. The level is the machine's.
        unsafe {
            match self.rows < Self::LANES {
                true => begin::<T>(totals, elements),
                false => accumulate::<T, O>(self.level, totals, elements),
            }
        }
        self.rows += 1;
        if self.rows == BLOCK {
            self.end_block(width);
        }
    }

    unsafe fn some_rows(&mut self, elements: *const u8, stride: isize, count: usize, width: usize) {
        let dense = width == self.most && stride == (width * size_of::<T>()) as isize;
        if dense && count == Self::LANES && self.rows.is_multiple_of(Self::LANES) {
            // A row for each accumulator, which lie as the rows do.
            self.totals.resize(Self::LANES * self.most, O::of_nothing());
            // SAFETY: the caller promises `count` rows, and they lie one behind the other. The level is the machine's.
            unsafe {
                match self.rows {
                    0 => begin::<T>(&mut self.totals, elements),
                    _ => accumulate::<T, O>(self.level, &mut self.totals, elements),
                }
            }
            self.rows += count;
            if self.rows == BLOCK {
                self.end_block(width);
            }
            return;
        }
        for row in 0..count as isize {
            // SAFETY: the caller promises `width` elements in each of `count` rows.
            unsafe { self.row(elements.wrapping_offset(stride.wrapping_mul(row)), width) };
        }
    }

    unsafe fn rows(&mut self, elements: *const u8, stride: isize, count: usize, width: usize) {
        let table = StripTable { from: elements, stride, rows: count, width };
        if !Self::ORDERED {
            if self.rows == 0 {
                self.totals.clear();
                self.totals.resize(width, O::of_nothing());
            }
            // SAFETY: the caller promises the rows of the table, whose width is that of the totals. The level is the
            // machine's.
            unsafe { columns_in_any_order::<T, O>(self.level, table, &mut self.totals) };
            self.rows += count;
            return;
        }
        let neutral = O::neutral().filter(|_| width >= MIN_COLUMNS);
        for first in (0..count).step_by(BLOCK) {
            let from = elements.wrapping_offset(stride.wrapping_mul(first as isize));
            let block = StripTable { from, rows: BLOCK.min(count - first), ..table };
            let Some(neutral) = neutral else {
                for row in 0..block.rows as isize {
                    // SAFETY: the caller promises `width` elements in each row of the table.
                    unsafe { self.row(from.wrapping_offset(stride.wrapping_mul(row)), width) };
                }
                continue;
            };
            let mut totals = vec![neutral; width];
            // SAFETY: the caller promises the rows of the table. There is a total for each column, and the columns are
            // at least [`MIN_COLUMNS`]. The level is the machine's.
            unsafe { column_totals::<T, O>(self.level, block, neutral, &mut totals, &mut self.totals) };
            self.blocks.push(totals, pair::<T::Total, O>);
        }
    }

    fn begin_at(&mut self, row: usize) {
        self.blocks.begin_at(row / BLOCK);
    }

    fn join(&mut self, later: Box<dyn Columns>, width: usize) {
        let mut later = part::<Self>(later);
        if later.rows > 0 {
            later.end_block(width);
        }
        self.blocks.join(later.blocks, pair::<T::Total, O>);
    }

    fn finish(&mut self, out: &mut [MaybeUninit<u8>]) {
        let width = out.len() / size_of::<T>();
        if self.rows > 0 {
            self.end_block(width);
        }
        let totals = self.blocks.finish(pair::<T::Total, O>).unwrap_or_else(|| vec![O::of_nothing(); width]);
        write_all(totals.into_iter().map(T::narrow), out);
    }
}

/// The places of first extremes.
pub(super) struct ArgColumns<T: Term, O> {
    level: Level,
    best: Vec<T::Total>,
    places: Vec<i64>,
    rows: i64,
    op: PhantomData<O>,
}

impl<T: Term, O: FoldOp> ArgColumns<T, O> {
    pub(super) fn new(most: usize) -> Self {
        ArgColumns {
            level: level(),
            best: vec![O::of_nothing(); most],
            places: vec![0; most],
            rows: 0,
            op: PhantomData,
        }
    }
}

/// Whether an element that comes later is further than the best so far.
fn is_better<T: Total, O: FoldOp>(element: T, best: T) -> bool {
    !best.is_nan() && (element.is_nan() || O::beyond(element, best))
}

impl<T: Term, O: FoldOp> Columns for ArgColumns<T, O> {
    unsafe fn row(&mut self, elements: *const u8, width: usize) {
        let (best, places) = (&mut self.best[..width], &mut self.places[..width]);
        // SAFETY: the caller promises `width` elements. The level is the machine's.
        unsafe {
            match self.rows {
                0 => {
                    begin::<T>(best, elements);
                    places.fill(0);
                }
                row => improve::<T, O>(self.level, best, places, elements, row),
            }
        }
        self.rows += 1;
    }

    fn join(&mut self, later: Box<dyn Columns>, width: usize) {
        let later = part::<Self>(later);
        for index in 0..width {
            let element = later.best[index];
            if self.rows == 0 || is_better::<T::Total, O>(element, self.best[index]) {
                (self.best[index], self.places[index]) = (element, self.rows + later.places[index]);
            }
        }
        self.rows += later.rows;
    }

    fn finish(&mut self, out: &mut [MaybeUninit<u8>]) {
        write_all(self.places.iter().copied(), out);
        self.rows = 0;
    }
}

/// The places of first true elements, or -1.
pub(super) struct FirstTrueColumns {
    places: Vec<i64>,
    rows: i64,
}

impl FirstTrueColumns {
    pub(super) fn new(most: usize) -> Self {
        FirstTrueColumns { places: vec![-1; most], rows: 0 }
    }
}

impl Columns for FirstTrueColumns {
    unsafe fn row(&mut self, elements: *const u8, width: usize) {
        // SAFETY: the caller promises `width` truth values, which are bytes.
        let bytes = unsafe { std::slice::from_raw_parts(elements, width) };
        for (place, &byte) in self.places.iter_mut().zip(bytes) {
            if byte != 0 && *place < 0 {
                *place = self.rows;
            }
        }
        self.rows += 1;
    }

    fn join(&mut self, later: Box<dyn Columns>, width: usize) {
        let later = part::<Self>(later);
        for (place, &found) in self.places.iter_mut().zip(&later.places).take(width) {
            if *place < 0 && found >= 0 {
                *place = self.rows + found;
            }
        }
        self.rows += later.rows;
    }

    fn finish(&mut self, out: &mut [MaybeUninit<u8>]) {
        write_all(self.places.iter().copied(), out);
        self.places.fill(-1);
        self.rows = 0;
    }
}
