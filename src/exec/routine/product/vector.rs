//! A matrix times a vector: each element of the matrix is read once, where it lies.
//!
//! Each element of the result is one chain of products, as in every product. Where the chains lie side by side, vectors of
//! them take a product at a time; else some lines of the matrix go side by side, an element at a time.

use super::kernel::{LINES, Lines, LinesArgs, ProductElement, TileArgs};
use super::{Matrix, ProductTarget, SMALL, reserved};
use crate::exec::options::{RunError, Watch};
use crate::exec::threads::share;

/// How many products wide results take before they are put down, so that rows of the matrix are read in order.
const DEEP: usize = 64;
/// How many elements of the result a thread takes at a time, at most.
const UNIT: usize = 2048;

/// The product of a matrix of so many lines and products and a vector, a matrix of one column.
pub(super) fn product<T: ProductElement>(
    (matrix, vector): (Matrix, Matrix),
    (lines, products): (usize, usize),
    target: ProductTarget<T>,
    loops: Lines<T>,
    threads: usize,
    watch: Watch,
) -> Result<(), RunError> {
    let size = size_of::<T>() as isize;
    let mut copied: Vec<T>;
    let vector = if vector.row == size && vector.first.cast::<T>().is_aligned() {
        vector
    } else {
        copied = reserved(products, watch)?;
        // SAFETY: the vector has so many elements.
        copied.extend((0..products).map(|at| unsafe { vector.get::<T>(at, 0) }));
        Matrix { first: copied.as_ptr().cast(), row: size, column: 0 }
    };
    let small = lines.saturating_mul(products) < SMALL;
    let threads = if small { 1 } else { threads };
    let unit = lines.div_ceil(threads * 2).next_multiple_of(loops.across[0].columns).min(UNIT);
    let across = matrix.row == size && matrix.column % size == 0 && matrix.column >= 0;
    let whole = Part { matrix, lines, products, vector, target };
    share(lines.div_ceil(unit), threads, watch, |task| {
        while let Some(index) = task.next() {
            watch.poll()?;
            let part = whole.from(index * unit, unit);
            if across { part.across(&loops) } else { part.along(0, &loops) }
        }
        Ok(())
    })
}

/// Some lines of the matrix.
struct Part<T> {
    matrix: Matrix,
    lines: usize,
    products: usize,
    /// A matrix of one column, whose elements lie one after the other.
    vector: Matrix,
    /// Their elements of the result, one after the other.
    target: ProductTarget<T>,
}

impl<T: ProductElement> Part<T> {
    /// At most `count` of the lines, from one on.
    fn from(&self, line: usize, count: usize) -> Part<T> {
        let first = self.target.first.wrapping_add(line);
        Part {
            matrix: self.matrix.from(line, 0),
            lines: count.min(self.lines - line),
            target: ProductTarget { first, ..self.target },
            ..*self
        }
    }

    /// Vectors of chains, whose lines lie side by side; the last few one by one.
    fn across(&self, loops: &Lines<T>) {
        let right_row = self.matrix.column as usize / size_of::<T>();
        let least = loops.across[loops.across.len() - 1].columns;
        let whole = self.lines - self.lines % least;
        let deep = if whole > loops.across[0].columns { DEEP } else { self.products };
        for start in (0..self.products).step_by(deep) {
            let (count, first) = (deep.min(self.products - start), start == 0);
            let left = self.vector.from(start, 0).first.cast::<T>();
            let mut line = 0;
            for tile in &loops.across {
                while whole - line >= tile.columns {
                    let right = self.matrix.from(line, start).first.cast::<T>();
                    let out = self.target.first.wrapping_add(line);
                    // SAFETY: the matrix has so many lines side by side, `count` times, and the result an element for each.
                    unsafe { tile.run(TileArgs { count, left, right, right_row, out, out_row: 0, first }) };
                    line += tile.columns;
                }
            }
        }
        self.along(whole, loops);
    }

    /// Lines from one on, some at a time.
    fn along(&self, from: usize, loops: &Lines<T>) {
        let (Matrix { row, column, .. }, count) = (self.matrix, self.products);
        for line in (from..self.lines).step_by(LINES) {
            let (lines, first) = (LINES.min(self.lines - line), self.matrix.from(line, 0).first);
            let (vector, out) = (self.vector.first.cast::<T>(), self.target.first.wrapping_add(line));
            // SAFETY: the matrix has these lines of `count` elements, as many as the vector, and the result one for each.
            unsafe { loops.along(LinesArgs { lines, count, first, line: row, step: column, vector, out }) };
        }
    }
}
