//! A matrix times a vector: each element of the matrix is read once, where it lies.
//!
//! Each element of the result is one chain of products, as in every product. Where the chains lie side by side, vectors
//! of them take a product at a time; else some lines of the matrix go side by side, an element at a time.
#![expect(unsafe_code, reason = "tiles take the addresses of their lines")]

use super::kernel::{LinesArgs, LinesKernel, MAX_LINES, ProductElement, TileArgs};
use super::{MIN_PARALLEL_PRODUCTS, Matrix, ProductTarget, reserved};
use crate::exec::options::{RunError, Watch};
use crate::exec::threads::share;
use std::ops::Range;

/// How many products wide results take before they are put down, so that rows of the matrix are read in order.
const WIDE_PRODUCTS: usize = 64;
/// How many multiplications there are between two looks at the interrupt flag, about.
const POLL: usize = 1 << 20;
/// The most elements of the result that a thread takes at a time.
const MAX_UNIT_ELEMENTS: usize = 2048;

/// The product of a matrix and a vector. The matrix has `lines` lines of `products` elements; the vector is a matrix of
/// one column.
pub(super) fn product<T: ProductElement>(
    (matrix, vector): (Matrix, Matrix),
    (lines, products): (usize, usize),
    target: ProductTarget<T>,
    loops: LinesKernel<T>,
    threads: usize,
    watch: Watch,
) -> Result<(), RunError> {
    let size = size_of::<T>() as isize;
    let mut copied: Vec<T>;
    let vector = if vector.row == size && vector.first.cast::<T>().is_aligned() {
        vector
    } else {
        copied = reserved(products, watch)?;
        // SAFETY: the vector has `products` elements.
        copied.extend((0..products).map(|at| unsafe { vector.get::<T>(at, 0) }));
        Matrix { first: copied.as_ptr().cast(), row: size, column: 0 }
    };
    let small = lines.saturating_mul(products) < MIN_PARALLEL_PRODUCTS;
    let threads = if small { 1 } else { threads };
    let unit = lines.div_ceil(threads * 2).next_multiple_of(loops.across[0].columns).min(MAX_UNIT_ELEMENTS);
    let across = matrix.row == size && matrix.column % size == 0 && matrix.column >= 0;
    let wide = across && lines > loops.across[0].columns;
    let deep = if wide { WIDE_PRODUCTS } else { (POLL / unit.min(lines)).max(WIDE_PRODUCTS) };
    let whole = LineRange { matrix, lines, vector, target };
    share(lines.div_ceil(unit), threads, watch, |task| {
        while let Some(index) = task.next() {
            let part = whole.from(index * unit, unit);
            for start in (0..products).step_by(deep) {
                watch.poll()?;
                let some = start..products.min(start + deep);
                if across { part.across(some, &loops) } else { part.along(0, some, &loops) }
            }
        }
        Ok(())
    })
}

/// Some lines of the matrix.
struct LineRange<T> {
    matrix: Matrix,
    lines: usize,
    /// A matrix of one column, whose elements lie one after the other.
    vector: Matrix,
    /// Their elements of the result, one after the other.
    target: ProductTarget<T>,
}

impl<T: ProductElement> LineRange<T> {
    /// At most `count` of the lines, from one on.
    fn from(&self, line: usize, count: usize) -> LineRange<T> {
        let first = self.target.first.wrapping_add(line);
        LineRange {
            matrix: self.matrix.from(line, 0),
            lines: count.min(self.lines - line),
            target: ProductTarget { first, ..self.target },
            ..*self
        }
    }

    /// Some products of vectors of chains, whose lines lie side by side; the last few one by one.
    fn across(&self, products: Range<usize>, loops: &LinesKernel<T>) {
        let right_row = self.matrix.column as usize / size_of::<T>();
        let (count, first) = (products.len(), products.start == 0);
        let left = self.vector.from(products.start, 0).first.cast::<T>();
        let mut line = 0;
        for tile in &loops.across {
            while self.lines - line >= tile.columns {
                let right = self.matrix.from(line, products.start).first.cast::<T>();
                let out = self.target.first.wrapping_add(line);
                // SAFETY: the matrix has `tile.columns` lines side by side, `count` times, and the result has an
                // element for each line.
                unsafe { tile.run(TileArgs { count, left, right, right_row, out, out_row: 0, first }) };
                line += tile.columns;
            }
        }
        self.along(line, products, loops);
    }

    /// Some products of the lines from one on, some lines at a time.
    fn along(&self, from: usize, products: Range<usize>, loops: &LinesKernel<T>) {
        let (Matrix { row, column, .. }, count, goes_on) = (self.matrix, products.len(), products.start > 0);
        let vector = self.vector.from(products.start, 0).first.cast::<T>();
        for line in (from..self.lines).step_by(MAX_LINES) {
            let lines = MAX_LINES.min(self.lines - line);
            let first = self.matrix.from(line, products.start).first;
            let out = self.target.first.wrapping_add(line);
            // SAFETY: the matrix has these lines of `count` elements, as many as the vector, and the result one for
            // each.
            unsafe { loops.along(LinesArgs { lines, count, first, line: row, step: column, vector, out, goes_on }) };
        }
    }
}
