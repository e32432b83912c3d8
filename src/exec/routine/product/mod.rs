//! Products of matrices, in one order. Each element begins as 0 and takes the products one after the other.
//!
//! The order is what makes results equal on every machine, so no library does this work. It leaves the usual ways free:
//! parts of both factors are packed so that a [`kernel`] reads them in order, blocks stay in caches, and threads share
//! blocks of the result. Between blocks of products the result is put down and taken up again, which rounds nothing.
//!
//! ```text
//! for columns of the result          (as many as fit a cache, packed by all threads)
//!   for a block of products
//!     for rows of the result         (a thread takes some)
//!       tile by tile
//! ```
#![expect(unsafe_code, reason = "threads write tiles of one matrix, and vectors need their level")]

mod fits;
mod kernel;
mod vector;

pub(super) use fits::{fits, fits_meaning};

use super::{each, reserved};
use crate::array::Array;
use crate::exec::machine::level;
use crate::exec::options::{RunError, Watch};
use crate::exec::threads::share;
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::types::{DType, Kind};
use crate::with_element;
use kernel::{BoolElement, ProductElement, Tile, TileArgs, tile};

/// How many products a block has.
const BLOCK_PRODUCTS: usize = 320;
/// How many bytes of a packed left factor stay in a cache of one processor.
const LEFT_BYTES: usize = 160 << 10;
/// How many bytes of a packed right factor stay in a cache of all.
const RIGHT_BYTES: usize = 2 << 20;
/// So few multiplications are not worth waking another thread.
const MIN_PARALLEL_PRODUCTS: usize = 1 << 17;

/// Rows, products and columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProductExtent {
    pub(super) rows: usize,
    pub(super) products: usize,
    pub(super) columns: usize,
}

impl ProductExtent {
    /// The extent of the product of two matrices.
    pub(super) fn of(left: &[usize], right: &[usize]) -> ProductExtent {
        let (&[.., rows, products], &[.., columns]) = (left, right) else { unreachable!("factors are matrices") };
        ProductExtent { rows, products, columns }
    }
}

/// The product of two matrices in C order.
pub(super) fn meaning(dtype: DType, left: &[Scalar], right: &[Scalar], extent: ProductExtent) -> Vec<Scalar> {
    let ProductExtent { rows, products, columns } = extent;
    let step = |sum: Scalar, x: Scalar, y: Scalar| match dtype.kind() {
        Kind::Bool => {
            let both = eval::eval(Prim::And, dtype, &[x, y]);
            eval::eval(Prim::Or, dtype, &[sum, both])
        }
        Kind::Float => eval::eval(Prim::Fma, dtype, &[x, y, sum]),
        Kind::Unsigned | Kind::Signed | Kind::Complex => {
            let product = eval::eval(Prim::Mul, dtype, &[x, y]);
            eval::eval(Prim::Add, dtype, &[sum, product])
        }
    };
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let element = |(row, column)| {
        (0..products)
            .fold(Scalar::zero(dtype), |sum, at| step(sum, left[row * products + at], right[at * columns + column]))
    };
    places.map(element).collect()
}

/// A matrix that lies anywhere: strides in bytes.
#[derive(Clone, Copy)]
pub(super) struct Matrix {
    first: *const u8,
    row: isize,
    column: isize,
}

// SAFETY: what it points to outlives the product and is not written meanwhile, but for files and foreign memory that
// others write, whose elements are any.
unsafe impl Send for Matrix {}
// SAFETY: what it points to outlives the product and is not written meanwhile, but for files and foreign memory that
// others write, whose elements are any.
unsafe impl Sync for Matrix {}

impl Matrix {
    /// The matrix with this number among those along the axes before the last two.
    pub(super) fn of(array: &Array, index: usize) -> Matrix {
        let (shape, strides) = (array.shape(), array.strides());
        let before = shape.len() - 2;
        let (mut rest, mut start) = (index, 0);
        for (&count, &stride) in shape[..before].iter().zip(strides).rev() {
            start += (rest % count) as isize * stride;
            rest /= count;
        }
        let first = array.pointer().wrapping_offset(start);
        Matrix { first, row: strides[before], column: strides[before + 1] }
    }

    fn turned(self) -> Matrix {
        Matrix { row: self.column, column: self.row, ..self }
    }

    fn from(self, row: usize, column: usize) -> Matrix {
        let by = row as isize * self.row + column as isize * self.column;
        Matrix { first: self.first.wrapping_offset(by), ..self }
    }

    /// # Safety
    /// The matrix has such an element, which can be read.
    unsafe fn get<T: ProductElement>(self, row: usize, column: usize) -> T {
        // SAFETY: the caller promises that the matrix has this element and that it can be read.
        unsafe { T::read(self.from(row, column).first) }
    }
}

/// The result: strides in elements.
#[derive(Clone, Copy)]
struct ProductTarget<T> {
    first: *mut T,
    row: usize,
    column: usize,
}

// SAFETY: threads write different elements of it.
unsafe impl<T> Send for ProductTarget<T> {}
// SAFETY: threads write different elements of it.
unsafe impl<T> Sync for ProductTarget<T> {}

/// The product of two matrices, into the bytes of the result.
pub(super) fn product(
    dtype: DType,
    factors: (Matrix, Matrix),
    extent: ProductExtent,
    out: &mut [u8],
    threads: usize,
    watch: Watch,
) -> Result<(), RunError> {
    if dtype == DType::Bool {
        return typed::<BoolElement>(factors, extent, out, threads, watch);
    }
    let made = with_element!(dtype, T in numbers => typed::<T>(factors, extent, out, threads, watch));
    // Products of others are made of products of these.
    made.unwrap_or_else(|| Err(RunError::Internal(format!("a product of {dtype}"))))
}

fn typed<T: ProductElement>(
    (left, right): (Matrix, Matrix),
    extent: ProductExtent,
    out: &mut [u8],
    threads: usize,
    watch: Watch,
) -> Result<(), RunError> {
    let ProductExtent { rows, products, columns } = extent;
    if rows == 0 || columns == 0 || products == 0 {
        out.fill(0);
        return Ok(());
    }
    let target = ProductTarget { first: out.as_mut_ptr().cast::<T>(), row: columns, column: 1 };
    if let Some(lines) = T::lines(level())
        && (rows == 1 || columns == 1)
    {
        let (matrix, vector) = if columns == 1 { (left, right) } else { (right.turned(), left.turned()) };
        return vector::product((matrix, vector), (rows.max(columns), products), target, lines, threads, watch);
    }
    // A factor times another is the other times it, so a tall result is computed as a wide one.
    if columns < 8 && columns < rows {
        let turned = ProductExtent { rows: columns, products, columns: rows };
        let target = ProductTarget { row: 1, column: columns, ..target };
        return blocked((right.turned(), left.turned()), turned, target, threads, watch);
    }
    blocked((left, right), extent, target, threads, watch)
}

/// A block of products for some columns of the result.
struct ProductBlock<'b, T> {
    left: Matrix,
    right: Matrix,
    /// How many products it has.
    deep: usize,
    /// How many columns it has.
    wide: usize,
    /// The right factor, packed; or nothing where it is read as it lies.
    packed: &'b [T],
    /// Where its result begins.
    target: ProductTarget<T>,
    first: bool,
    tile: Tile<T>,
}

fn blocked<T: ProductElement>(
    (left, right): (Matrix, Matrix),
    extent: ProductExtent,
    target: ProductTarget<T>,
    threads: usize,
    watch: Watch,
) -> Result<(), RunError> {
    let ProductExtent { rows, products, columns } = extent;
    let (size, tile) = (size_of::<T>(), tile::<T>(rows, columns));
    let small = rows.saturating_mul(products).saturating_mul(columns) < MIN_PARALLEL_PRODUCTS;
    let threads = if small { 1 } else { threads };
    let deep = products.min(BLOCK_PRODUCTS * 4 / size.clamp(2, 4).max(size / 2));
    // With few rows, packing costs more than reading as it lies. A truth value from outside may be any byte.
    let direct = T::ANY_BITS
        && rows <= 2 * tile.rows
        && right.column == size as isize
        && right.row % size as isize == 0
        && right.row >= 0;
    let strip = (RIGHT_BYTES / size / deep / tile.columns).max(1) * tile.columns;
    let strip = strip.min(columns.next_multiple_of(tile.columns));
    let room = if direct { tile.columns * deep } else { strip * deep };
    let mut packed: Vec<T> = reserved(room, watch)?;
    packed.resize(room, T::ZERO);
    for from in (0..columns).step_by(strip) {
        let wide = strip.min(columns - from);
        for start in (0..products).step_by(deep) {
            let deep = deep.min(products - start);
            let (left, right) = (left.from(0, start), right.from(start, from));
            pack_right(right, deep, wide, &mut packed, (tile, direct), threads, watch)?;
            let first = target.first.wrapping_add(from * target.column);
            let block = ProductBlock {
                left,
                right,
                deep,
                wide,
                packed: &packed,
                target: ProductTarget { first, ..target },
                first: start == 0,
                tile,
            };
            block.run(rows, direct, threads, watch)?;
        }
    }
    Ok(())
}

/// Packs the right factor: for each tile, row after row. Where it is read as it lies, the last columns alone.
fn pack_right<T: ProductElement>(
    right: Matrix,
    deep: usize,
    wide: usize,
    packed: &mut [T],
    (tile, direct): (Tile<T>, bool),
    threads: usize,
    watch: Watch,
) -> Result<(), RunError> {
    let panel = tile.columns * deep;
    let pack = |place: usize, panel: &mut [T]| {
        let columns = tile.columns.min(wide - place);
        pack(right.from(0, place).turned(), (columns, deep), tile.columns, panel);
    };
    if direct {
        let rest = wide % tile.columns;
        if rest > 0 {
            pack(wide - rest, &mut packed[..panel]);
        }
        return Ok(());
    }
    let panels: Vec<_> = packed[..wide.div_ceil(tile.columns) * panel].chunks_exact_mut(panel).enumerate().collect();
    each(panels, threads, watch, |(at, panel)| {
        pack(at * tile.columns, panel);
        Ok(())
    })
}

/// Packs lines of a matrix side by side, `room` of them, zeros where there are fewer.
fn pack<T: ProductElement>(from: Matrix, (lines, deep): (usize, usize), room: usize, packed: &mut [T]) {
    // A few elements of each line at a time: reads and writes both stay near each other.
    const PACKED_ELEMENTS: usize = 16;
    if from.row == size_of::<T>() as isize {
        for (at, place) in packed.chunks_exact_mut(room).take(deep).enumerate() {
            let (own, rest) = place.split_at_mut(lines);
            let mut first = from.from(0, at).first;
            for place in own {
                // SAFETY: the matrix has `lines` lines of `deep` elements, which lie one after the other.
                *place = unsafe { T::read(first) };
                first = first.wrapping_add(size_of::<T>());
            }
            rest.fill(T::ZERO);
        }
        return;
    }
    for near in (0..deep).step_by(PACKED_ELEMENTS) {
        let last = (near + PACKED_ELEMENTS).min(deep);
        for line in 0..room {
            for at in near..last {
                // SAFETY: the matrix has `lines` lines of `deep` elements.
                packed[at * room + line] = if line < lines { unsafe { from.get(line, at) } } else { T::ZERO };
            }
        }
    }
}

impl<T: ProductElement> ProductBlock<'_, T> {
    /// All rows, shared by threads: rows first, and columns too where there are few.
    fn run(&self, rows: usize, direct: bool, threads: usize, watch: Watch) -> Result<(), RunError> {
        let tile = self.tile;
        let high = (LEFT_BYTES / size_of::<T>() / self.deep / tile.rows).max(1);
        let tall = rows.div_ceil(tile.rows);
        let high = if threads > 1 { high.min(tall.div_ceil(threads * 2)) } else { high.min(tall) };
        let across = self.wide.div_ceil(tile.columns);
        let bands = tall.div_ceil(high);
        let parts = if threads > 1 { (threads * 2).div_ceil(bands).min(across) } else { 1 };
        let part = across.div_ceil(parts);
        share(bands * parts, threads, watch, |task| {
            let lies = self.lies_packed(rows);
            let room = if lies.is_some() { 0 } else { high * tile.rows * self.deep };
            let mut packed: Vec<T> = reserved(room, watch)?;
            packed.resize(room, T::ZERO);
            let mut edge: Vec<T> = vec![T::ZERO; tile.rows * tile.columns];
            while let Some(unit) = task.next() {
                watch.poll()?;
                let (band, nth) = (unit / parts, unit % parts);
                let from = band * high * tile.rows;
                let count = (high * tile.rows).min(rows - from);
                for (at, panel) in packed.chunks_exact_mut(tile.rows * self.deep).enumerate() {
                    let start = at * tile.rows;
                    if start < count {
                        let lines = tile.rows.min(count - start);
                        pack(self.left.from(from + start, 0), (lines, self.deep), tile.rows, panel);
                    }
                }
                let left = lies.unwrap_or(packed.as_ptr());
                for column in nth * part..((nth + 1) * part).min(across) {
                    self.columns(column * tile.columns, (from, count), left, direct, &mut edge);
                }
            }
            Ok(())
        })
    }

    /// The left factor where all its rows are a tile's, and lie as they would be packed: the matrix `x.T` of a narrow
    /// `x`.
    fn lies_packed(&self, rows: usize) -> Option<*const T> {
        let (size, tile) = (size_of::<T>() as isize, self.tile.rows);
        let first = self.left.first.cast::<T>();
        let lies = self.left.row == size && self.left.column == tile as isize * size && first.is_aligned();
        (lies && rows == tile && T::ANY_BITS).then_some(first)
    }

    /// The tiles of some rows along one strip of columns; `left` is packed for them.
    fn columns(&self, column: usize, (from, count): (usize, usize), left: *const T, direct: bool, edge: &mut [T]) {
        let (tile, deep) = (self.tile, self.deep);
        let columns = tile.columns.min(self.wide - column);
        let full = columns == tile.columns;
        let (right, right_row) = match (direct, full) {
            (true, true) => (self.right.from(0, column).first.cast::<T>(), self.right.row as usize / size_of::<T>()),
            (true, false) => (self.packed.as_ptr(), tile.columns),
            (false, _) => (self.packed[column * deep..].as_ptr(), tile.columns),
        };
        for row in (0..count).step_by(tile.rows) {
            let panel = left.wrapping_add(row * deep);
            let rows = tile.rows.min(count - row);
            let place = (from + row) * self.target.row + column * self.target.column;
            let out = self.target.first.wrapping_add(place);
            let step = TileArgs {
                count: deep,
                left: panel,
                right,
                right_row,
                out,
                out_row: self.target.row,
                first: self.first,
            };
            if full && rows == tile.rows && self.target.column == 1 {
                // SAFETY: the panel has `deep` columns of the tile's rows, the right factor as many rows of its
                // columns, and all of the tile lies in the result, where this thread alone writes these elements.
                unsafe { tile.run(step) };
                continue;
            }
            // What is beyond the result is computed beside it.
            let place = |row: usize, column: usize| {
                self.target.first.wrapping_add(place + row * self.target.row + column * self.target.column)
            };
            if !self.first {
                for row in 0..rows {
                    for column in 0..columns {
                        // SAFETY: an element of the result.
                        edge[row * tile.columns + column] = unsafe { place(row, column).read_unaligned() };
                    }
                }
            }
            // SAFETY: the panel has `deep` columns of the tile's rows, the right factor as many rows of its columns,
            // and the edge has room for a tile.
            unsafe { tile.run(TileArgs { out: edge.as_mut_ptr(), out_row: tile.columns, ..step }) };
            for row in 0..rows {
                for column in 0..columns {
                    // SAFETY: an element of the result, this thread's alone.
                    unsafe { place(row, column).write_unaligned(edge[row * tile.columns + column]) };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
