//! The loops of reductions, compiled three times: LLVM vectorises each as wide as it may.
//!
//! The operations and their order are those of the source in every build, so the results are the same.
#![expect(unsafe_code, reason = "functions for a level are called where the machine has it")]

use super::kinds::{TermKind, TermOperands, TotalOf};
use super::strips::{StripTable, any_order_inner, block_inner};
use super::terms::{FoldOp, LANES, Term, Total, one_by_one};
use crate::exec::machine::Level;
use crate::kernel::BLOCK;

/// Defines a function that runs `$inner` in the build for a level.
macro_rules! leveled {
    ($(#[$doc:meta])* $name:ident<$($G:ident: $Bound:ident),*> $inner:ident ($($arg:ident: $Arg:ty),*) $(-> $Out:ty)?) => {
        $(#[$doc])*
        /// The machine has the level.
        #[inline]
        pub(super) unsafe fn $name<$($G: $Bound),*>(level: Level, $($arg: $Arg),*) $(-> $Out)? {
            /// # Safety
            /// As for the function around this one. The machine has AVX-512 with the extensions BW, DQ and VL.
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            unsafe fn avx512<$($G: $Bound),*>($($arg: $Arg),*) $(-> $Out)? {
                // SAFETY: `$inner` asks for what the function around does, which the caller promises.
                unsafe { $inner::<$($G),*>($($arg),*) }
            }
            /// # Safety
            /// As for the function around this one. The machine has AVX2.
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            unsafe fn avx2<$($G: $Bound),*>($($arg: $Arg),*) $(-> $Out)? {
                // SAFETY: `$inner` asks for what the function around does, which the caller promises.
                unsafe { $inner::<$($G),*>($($arg),*) }
            }
            // SAFETY: the caller promises that the machine has the level, and so what its build needs.
            unsafe {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => avx512::<$($G),*>($($arg),*),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => avx2::<$($G),*>($($arg),*),
                    _ => $inner::<$($G),*>($($arg),*),
                }
            }
        }
    };
}

leveled! {
    /// One block in the fixed order.
    ///
    /// # Safety
    /// The operands of `count` terms can be read, with any alignment.
    block_total<K: TermKind, O: FoldOp> block_total_inner(operands: TermOperands, count: usize) -> TotalOf<K>
}

/// How many blocks some terms are, the last perhaps not full; at least one.
pub(super) fn blocks_of(count: usize) -> usize {
    count.div_ceil(BLOCK).max(1)
}

/// Reduces the [blocks](blocks_of) of rows. It takes the operands of the first row, the bytes from a row's to the next
/// row's, the number of terms of a row, which is at least one, and that of rows. The totals of their blocks go to the
/// last, one row after the other.
///
/// # Safety
/// The operands of the terms can be read, with any alignment. The last pointer is aligned and valid for writes of the
/// totals of all blocks of all rows. The machine has the level that the function is for.
pub(super) type Totals<T> = unsafe fn(TermOperands, [isize; 2], usize, usize, *mut T);

leveled! {
    /// Rows one after the other, of at most one block each.
    ///
    /// # Safety
    /// The operands of `count` terms of each row can be read, with any alignment. `out` is aligned and valid for writes
    /// of `rows` totals.
    row_totals<K: TermKind, O: FoldOp> row_totals_inner(
        operands: TermOperands, to_next: [isize; 2], count: usize, rows: usize, out: *mut TotalOf<K>
    )
}

leveled! {
    /// The place of the first element that is a number, or of the first that is none.
    ///
    /// # Safety
    /// `elements` points to `count` elements that can be read, with any alignment.
    position<T: Term> position_inner(elements: *const u8, count: usize, wanted: T::Total) -> Option<usize>
}

leveled! {
    /// The totals of a block of rows, in the fixed order. `neutral` is what leaves every value as it is.
    ///
    /// # Safety
    /// As for [`block_inner`].
    column_totals<T: Term, O: FoldOp> block_inner(
        table: StripTable, neutral: T::Total, totals: &mut [T::Total], scratch: &mut Vec<T::Total>
    )
}

leveled! {
    /// Combines totals with all rows of a table, where the order does not matter.
    ///
    /// # Safety
    /// As for [`any_order_inner`].
    columns_in_any_order<T: Term, O: FoldOp> any_order_inner(table: StripTable, totals: &mut [T::Total])
}

leveled! {
    /// `totals[i] = totals[i] op elements[i]`
    ///
    /// # Safety
    /// `elements` points to as many elements as there are totals. They can be read, with any alignment.
    accumulate<T: Term, O: FoldOp> accumulate_inner(totals: &mut [T::Total], elements: *const u8)
}

leveled! {
    /// Where an element is further than the best so far, it becomes the best, and the row its place.
    ///
    /// # Safety
    /// `elements` points to as many elements as `best` and `places` both have. They can be read, with any alignment.
    improve<T: Term, O: FoldOp> improve_inner(best: &mut [T::Total], places: &mut [i64], elements: *const u8, row: i64)
}

/// The first elements of some totals.
///
/// # Safety
/// `elements` points to as many elements as there are totals. They can be read, with any alignment.
pub(super) unsafe fn begin<T: Term>(totals: &mut [T::Total], elements: *const u8) {
    for (index, total) in totals.iter_mut().enumerate() {
        // SAFETY: the caller promises an element for each total, and `index` is one of theirs; no alignment is needed.
        *total = unsafe { elements.cast::<T>().add(index).read_unaligned() }.widen();
    }
}

/// [`row_totals`], in the build of what it is inlined into.
///
/// # Safety
/// The operands of `count` terms of each row can be read, with any alignment. `out` is aligned and valid for writes of
/// `rows` totals.
#[inline(always)]
unsafe fn row_totals_inner<K: TermKind, O: FoldOp>(
    operands: TermOperands,
    to_next: [isize; 2],
    count: usize,
    rows: usize,
    out: *mut TotalOf<K>,
) {
    for row in 0..rows {
        let at = |operand: usize| operands[operand].wrapping_offset(to_next[operand].wrapping_mul(row as isize));
        // SAFETY: a row that the caller speaks of, and the place of its total.
        unsafe { *out.add(row) = block_total_inner::<K, O>([at(0), at(1)], count) };
    }
}

/// [`block_total`], in the build of what it is inlined into.
///
/// # Safety
/// The operands of `count` terms can be read, with any alignment.
#[inline(always)]
unsafe fn block_total_inner<K: TermKind, O: FoldOp>(operands: TermOperands, count: usize) -> TotalOf<K> {
    // SAFETY: the caller promises `count` terms, and all indices here are below that.
    let at = |index: usize| unsafe { K::term(operands, index) };
    if !TotalOf::<K>::ORDERED {
        // Every order gives the same: the compiler chooses.
        return one_by_one::<TotalOf<K>, O>(at, count);
    }
    if O::EXTREME {
        return TotalOf::<K>::extreme::<O>(at, count);
    }
    let Some(neutral) = O::neutral::<TotalOf<K>>() else { return exact::<TotalOf<K>, O>(at, count) };
    let mut totals = [neutral; LANES];
    let mut row = 0;
    while row + LANES <= count {
        // A copy, so that all accumulators stay in registers.
        let mut next = totals;
        for lane in 0..LANES {
            next[lane] = O::combine(totals[lane], at(row + lane));
        }
        totals = next;
        row += LANES;
    }
    // SAFETY: the caller promises `count` terms; `row` is at most as many.
    unsafe { finish::<K, O>(&mut totals, operands, row, count) }
}

/// Adds the last elements of a block, fewer than accumulators, from `row` on, in runs of constant length; then all
/// accumulators into one. It is a function of its own because the compiler would shape the loop over the other elements
/// after this.
///
/// # Safety
/// The operands of `count` terms can be read, with any alignment, and `row` is at most `count`.
#[inline(never)]
unsafe fn finish<K: TermKind, O: FoldOp>(
    totals: &mut [TotalOf<K>; LANES],
    operands: TermOperands,
    row: usize,
    count: usize,
) -> TotalOf<K> {
    let rest = (row, count - row);
    // SAFETY: the caller promises `count` terms, and each call takes as many lanes as a digit of `count - row` says.
    unsafe {
        let mut lane = take::<K, O, 16>(totals, operands, rest, 0);
        lane = take::<K, O, 8>(totals, operands, rest, lane);
        lane = take::<K, O, 4>(totals, operands, rest, lane);
        lane = take::<K, O, 2>(totals, operands, rest, lane);
        take::<K, O, 1>(totals, operands, rest, lane);
    }
    halved::<TotalOf<K>, O>(*totals)
}

/// Adds `LEN` terms to the accumulators from `lane` on, if the binary digit `LEN` of the number of terms is set. Returns
/// the lane after them.
///
/// # Safety
/// The operands of the terms from `row + lane` on that are added can be read, with any alignment.
#[inline(always)]
unsafe fn take<K: TermKind, O: FoldOp, const LEN: usize>(
    totals: &mut [TotalOf<K>; LANES],
    operands: TermOperands,
    (row, rest): (usize, usize),
    lane: usize,
) -> usize {
    if rest & LEN == 0 {
        return lane;
    }
    for (at, total) in totals[lane..lane + LEN].iter_mut().enumerate() {
        // SAFETY: the caller promises this term.
        *total = O::combine(*total, unsafe { K::term(operands, row + lane + at) });
    }
    lane + LEN
}

/// All accumulators into one, in halves.
#[inline(always)]
fn halved<T: Total, O: FoldOp>(mut totals: [T; LANES]) -> T {
    halve::<T, O, 16>(&mut totals);
    halve::<T, O, 8>(&mut totals);
    halve::<T, O, 4>(&mut totals);
    halve::<T, O, 2>(&mut totals);
    halve::<T, O, 1>(&mut totals);
    totals[0]
}

/// Combines the first `HALF` accumulators with the next as many.
#[inline(always)]
fn halve<T: Total, O: FoldOp, const HALF: usize>(totals: &mut [T; LANES]) {
    let (left, right) = totals.split_at_mut(HALF);
    for (total, other) in left.iter_mut().zip(right) {
        *total = O::combine(*total, *other);
    }
}

/// A block whose accumulators have nothing to begin with but their first elements; those that meet none are left out.
#[inline(always)]
fn exact<T: Total, O: FoldOp>(at: impl Fn(usize) -> T, count: usize) -> T {
    let used = count.min(LANES);
    let mut totals = [O::of_nothing::<T>(); LANES];
    for (lane, total) in totals.iter_mut().enumerate().take(used) {
        *total = at(lane);
    }
    for index in LANES..count.max(LANES) {
        totals[index % LANES] = O::combine(totals[index % LANES], at(index));
    }
    for half in [16, 8, 4, 2, 1] {
        for lane in 0..half.min(used.saturating_sub(half)) {
            totals[lane] = O::combine(totals[lane], totals[lane + half]);
        }
    }
    totals[0]
}

/// [`position`], in the build of what it is inlined into.
///
/// # Safety
/// `elements` points to `count` elements that can be read, with any alignment.
#[inline(always)]
unsafe fn position_inner<T: Term>(elements: *const u8, count: usize, wanted: T::Total) -> Option<usize> {
    const STEP: usize = 64;
    // SAFETY: the caller promises `count` elements, and all indices here are below that.
    let at = |index: usize| unsafe { elements.cast::<T>().add(index).read_unaligned() }.widen();
    let found = |index: usize| (at(index) == wanted) | (wanted.is_nan() & at(index).is_nan());
    let mut start = 0;
    while start + STEP <= count {
        if (start..start + STEP).fold(false, |any, index| any | found(index)) {
            break;
        }
        start += STEP;
    }
    (start..count).find(|&index| found(index))
}

/// [`accumulate`], in the build of what it is inlined into.
///
/// # Safety
/// `elements` points to as many elements as there are totals. They can be read, with any alignment.
#[inline(always)]
unsafe fn accumulate_inner<T: Term, O: FoldOp>(totals: &mut [T::Total], elements: *const u8) {
    for (index, total) in totals.iter_mut().enumerate() {
        // SAFETY: the caller promises as many elements as there are totals.
        let element = unsafe { elements.cast::<T>().add(index).read_unaligned() };
        *total = O::combine(*total, element.widen());
    }
}

/// [`improve`], in the build of what it is inlined into.
///
/// # Safety
/// `elements` points to as many elements as `best` and `places` both have. They can be read, with any alignment.
#[inline(always)]
unsafe fn improve_inner<T: Term, O: FoldOp>(best: &mut [T::Total], places: &mut [i64], elements: *const u8, row: i64) {
    for (index, (best, place)) in best.iter_mut().zip(places).enumerate() {
        // SAFETY: the caller promises as many elements as there are totals.
        let element = unsafe { elements.cast::<T>().add(index).read_unaligned() }.widen();
        let better = !best.is_nan() & (element.is_nan() | O::beyond(element, *best));
        *best = if better { element } else { *best };
        *place = if better { row } else { *place };
    }
}
