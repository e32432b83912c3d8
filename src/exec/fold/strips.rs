//! Sums, products or extremes of many rows, side by side: a *strip* of columns at a time, whose totals stay in
//! registers.
//!
//! Rows that are close together are read strip by strip, each from the first row to the last. Rows that fill more than
//! a cache are read from their first column to the last, eight of one accumulator, `l`, `l + 32`, `l + 64`..., at a
//! time. Eight streams that go through memory side by side are as fast as memory allows, if rows are long.
#![expect(unsafe_code, reason = "strips of a table are addresses with strides")]

use super::terms::{FoldOp, LANES, Term, Total};

/// Some columns of some rows.
#[derive(Clone, Copy)]
pub(super) struct StripTable {
    /// The first element.
    pub(super) from: *const u8,
    /// Bytes from a row to the next.
    pub(super) stride: isize,
    pub(super) rows: usize,
    /// Elements of a row.
    pub(super) width: usize,
}

/// The fewest columns of a table.
pub(super) const MIN_COLUMNS: usize = 16;

/// The bytes that rows lie within if they are close together.
const MAX_NEAR_BYTES: usize = 1 << 20;

/// Rows of one accumulator that are read side by side.
const STREAMS: usize = 8;

/// Rows that are combined at once where the order does not matter.
const AT_ONCE: usize = 16;

impl StripTable {
    /// The element of a row at a column.
    #[inline(always)]
    fn at<T>(self, row: usize, column: usize) -> *const u8 {
        self.from.wrapping_offset(self.stride.wrapping_mul(row as isize)).wrapping_add(column * size_of::<T>())
    }

    /// The first columns of strips. The last one begins sooner than the one before ends if they do not go up.
    #[inline(always)]
    fn strips<const S: usize>(self) -> impl Iterator<Item = usize> {
        (0..self.width).step_by(S).map(move |column| column.min(self.width - S))
    }

    fn is_near(self) -> bool {
        self.stride.unsigned_abs().saturating_mul(self.rows) <= MAX_NEAR_BYTES
    }
}

/// The totals of a strip.
type Strip<T, const S: usize> = [T; S];

/// The elements of a strip.
///
/// # Safety
/// From `from` on, `S` elements of `T` can be read, with any alignment.
#[inline(always)]
unsafe fn load<T: Term, const S: usize>(from: *const u8) -> Strip<T::Total, S> {
    let mut strip = [T::Total::ZERO; S];
    for (index, total) in strip.iter_mut().enumerate() {
        // SAFETY: the caller promises `S` elements, and this is one of them.
        *total = unsafe { from.cast::<T>().add(index).read_unaligned() }.widen();
    }
    strip
}

#[inline(always)]
fn combine<T: Total, O: FoldOp, const S: usize>(a: Strip<T, S>, b: Strip<T, S>) -> Strip<T, S> {
    let mut strip = a;
    for index in 0..S {
        strip[index] = O::combine(a[index], b[index]);
    }
    strip
}

/// Combines a strip with the elements of a row.
///
/// # Safety
/// As for [`load`].
#[inline(always)]
unsafe fn with<T: Term, O: FoldOp, const S: usize>(total: Strip<T::Total, S>, from: *const u8) -> Strip<T::Total, S> {
    // SAFETY: the caller promises `S` elements that can be read.
    combine::<_, O, S>(total, unsafe { load::<T, S>(from) })
}

/// Puts a strip in its place.
#[inline(always)]
fn put<T: Total, const S: usize>(totals: &mut [T], column: usize, strip: Strip<T, S>) {
    totals[column..column + S].copy_from_slice(&strip);
}

/// Adds rows of one accumulator, `first` and every 32nd after that, to what it holds of a strip.
///
/// # Safety
/// The table has `rows` such rows, and `S` columns from `column` on. Its elements can be read, with any alignment.
#[inline(always)]
unsafe fn lane<T: Term, O: FoldOp, const S: usize>(
    table: StripTable,
    (first, rows): (usize, usize),
    column: usize,
    mut total: Strip<T::Total, S>,
) -> Strip<T::Total, S> {
    let mut from = table.at::<T>(first, column);
    for _ in 0..rows {
        // SAFETY: the caller promises `S` elements of this row of the table.
        total = unsafe { with::<T, O, S>(total, from) };
        from = from.wrapping_offset(table.stride.wrapping_mul(LANES as isize));
    }
    total
}

/// Four accumulators, `first` and every eighth after that, as one: what halves of 16 and 8 make of them.
///
/// # Safety
/// `first` is less than 8, and the table has `S` columns from `column` on. Its elements can be read, with any
/// alignment.
#[inline(always)]
unsafe fn four_lanes<T: Term, O: FoldOp, const S: usize>(
    table: StripTable,
    first: usize,
    column: usize,
    neutral: T::Total,
) -> Strip<T::Total, S> {
    let (mut a, mut b, mut c, mut d) = ([neutral; S], [neutral; S], [neutral; S], [neutral; S]);
    let mut from = table.at::<T>(first, column);
    let eight = table.stride.wrapping_mul(8);
    let (sixteen, twenty_four) = (eight.wrapping_mul(2), eight.wrapping_mul(3));
    let last = table.rows % LANES;
    // SAFETY: each row is below the number of rows; the caller promises `S` columns of it from `column` on.
    unsafe {
        for _ in 0..table.rows / LANES {
            a = with::<T, O, S>(a, from);
            b = with::<T, O, S>(b, from.wrapping_offset(eight));
            c = with::<T, O, S>(c, from.wrapping_offset(sixteen));
            d = with::<T, O, S>(d, from.wrapping_offset(twenty_four));
            from = from.wrapping_offset(eight.wrapping_mul(4));
        }
        if first < last {
            a = with::<T, O, S>(a, from);
        }
        if first + 8 < last {
            b = with::<T, O, S>(b, from.wrapping_offset(eight));
        }
        if first + 16 < last {
            c = with::<T, O, S>(c, from.wrapping_offset(sixteen));
        }
        if first + 24 < last {
            d = with::<T, O, S>(d, from.wrapping_offset(twenty_four));
        }
    }
    combine::<_, O, S>(combine::<_, O, S>(a, c), combine::<_, O, S>(b, d))
}

/// Folds the accumulators of a strip in halves. Each accumulator is `strips` strips behind the one before. Only the
/// first `used` accumulators have met a row; the others are left out.
#[inline(always)]
fn tree_total<T: Total, O: FoldOp, const S: usize>(
    lanes: &mut [Strip<T, S>],
    (strip, strips): (usize, usize),
    used: usize,
    mut half: usize,
) -> Strip<T, S> {
    let at = |lane: usize| strip + lane * strips;
    while half > 0 {
        for lane in 0..half.min(used.saturating_sub(half)) {
            lanes[at(lane)] = combine::<T, O, S>(lanes[at(lane)], lanes[at(lane + half)]);
        }
        half /= 2;
    }
    lanes[strip]
}

/// The totals of a block, in the fixed order.
///
/// # Safety
/// The table has at least `S` columns. Its elements can be read, with any alignment.
#[inline(always)]
unsafe fn block<T: Term, O: FoldOp, const S: usize>(
    table: StripTable,
    neutral: T::Total,
    totals: &mut [T::Total],
    scratch: &mut Vec<T::Total>,
) {
    let near = table.is_near();
    let most = if near { 8 } else { LANES };
    let used = table.rows.min(most);
    let strips = table.width.div_ceil(S);
    scratch.clear();
    scratch.resize(strips * S * most, neutral);
    let (lanes, _) = scratch.as_chunks_mut::<S>();
    // SAFETY: the caller promises the table. There are at most 8 accumulators of rows that are near, the rows of one
    // accumulator end with the last row of the table, and no strip goes beyond the last column.
    unsafe {
        if near {
            for first in 0..used {
                for (column, total) in table.strips::<S>().zip(&mut lanes[first * strips..]) {
                    *total = four_lanes::<T, O, S>(table, first, column, neutral);
                }
            }
        } else {
            for begin in (0..table.rows).step_by(STREAMS * LANES) {
                for first in begin..table.rows.min(begin + LANES) {
                    let rows = (table.rows - first).div_ceil(LANES).min(STREAMS);
                    for (column, total) in table.strips::<S>().zip(&mut lanes[(first - begin) * strips..]) {
                        *total = match rows {
                            STREAMS => lane::<T, O, S>(table, (first, STREAMS), column, *total),
                            _ => lane::<T, O, S>(table, (first, rows), column, *total),
                        };
                    }
                }
            }
        }
    }
    for (strip, column) in table.strips::<S>().enumerate() {
        put(totals, column, tree_total::<_, O, S>(lanes, (strip, strips), used, most / 2));
    }
}

/// Combines totals with all rows, in any order, a strip at a time as long as there is one. Returns where the rest
/// begins.
///
/// # Safety
/// The totals are at most as many as the table is wide. Its elements can be read, with any alignment.
#[inline(always)]
unsafe fn any_order<T: Term, O: FoldOp, const S: usize>(
    table: StripTable,
    totals: &mut [T::Total],
    begin: usize,
) -> usize {
    let (strips, _) = totals[begin..].as_chunks_mut::<S>();
    for (number, strip) in strips.iter_mut().enumerate() {
        let mut total = *strip;
        for row in 0..table.rows {
            // SAFETY: a row of the table, which has a column for each total.
            total = unsafe { with::<T, O, S>(total, table.at::<T>(row, begin + number * S)) };
        }
        *strip = total;
    }
    begin + strips.len() * S
}

/// Combines totals with all rows, each as a whole: elements of a byte fill a vector sooner than a strip.
///
/// # Safety
/// The totals are at most as many as the table is wide. Its elements can be read, with any alignment.
#[inline(always)]
unsafe fn whole_rows<T: Term, O: FoldOp>(table: StripTable, totals: &mut [T::Total]) {
    for row in 0..table.rows {
        let from = table.at::<T>(row, 0).cast::<T>();
        for (column, total) in totals.iter_mut().enumerate() {
            // SAFETY: the caller promises the table, which has a column for each total.
            *total = O::combine(*total, unsafe { from.add(column).read_unaligned() }.widen());
        }
    }
}

/// The totals of a block of rows, in the fixed order.
///
/// # Safety
/// The table's elements can be read, with any alignment; `totals` are as many as it is wide, and no fewer than
/// [`MIN_COLUMNS`].
#[inline(always)]
pub(super) unsafe fn block_inner<T: Term, O: FoldOp>(
    table: StripTable,
    neutral: T::Total,
    totals: &mut [T::Total],
    scratch: &mut Vec<T::Total>,
) {
    // SAFETY: the caller promises the table, and that it has columns enough for a strip.
    unsafe {
        match size_of::<T::Total>() == 4 && table.width >= 2 * MIN_COLUMNS {
            true => block::<T, O, { 2 * MIN_COLUMNS }>(table, neutral, totals, scratch),
            false => block::<T, O, MIN_COLUMNS>(table, neutral, totals, scratch),
        }
    }
}

/// Combines totals with all rows of a table, where the order does not matter.
///
/// # Safety
/// The table's elements can be read, with any alignment; `totals` are as many as it is wide.
#[inline(always)]
pub(super) unsafe fn any_order_inner<T: Term, O: FoldOp>(table: StripTable, totals: &mut [T::Total]) {
    if size_of::<T>() == 1 {
        // SAFETY: the caller promises elements to read for as many columns as there are totals.
        return unsafe { whole_rows::<T, O>(table, totals) };
    }
    for first in (0..table.rows).step_by(AT_ONCE) {
        let rows = AT_ONCE.min(table.rows - first);
        let part = StripTable { from: table.at::<T>(first, 0), rows, ..table };
        // SAFETY: some rows of the table that the caller speaks of.
        unsafe {
            let rest = any_order::<T, O, 32>(part, totals, 0);
            let rest = any_order::<T, O, 8>(part, totals, rest);
            any_order::<T, O, 1>(part, totals, rest);
        }
    }
}
