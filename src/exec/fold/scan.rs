//! The loops of scans: along rows, one running total; across columns, many side by side.
#![expect(unsafe_code, reason = "lines are addresses with strides")]

use super::WIDTH;
use super::simd::{accumulate, begin};
use super::terms::{FoldOp, Greatest, Least, Plus, Term, TimesOp};
use crate::exec::machine::{Level, level};
use crate::ir::Fold;
use crate::types::DType;
use crate::with_element;
use std::marker::PhantomData;

/// Scans neighbours of one row, block after block.
pub(crate) trait ScanRows {
    /// Takes the next block and writes its totals so far, `stride` bytes apart.
    ///
    /// # Safety
    /// `elements` points to `count` elements that can be read. `out` is valid for writes of as many, each `stride`
    /// bytes behind the last. Both have any alignment.
    unsafe fn block(&mut self, elements: *const u8, count: usize, out: *mut u8, stride: isize);

    /// Begins the next row.
    fn finish(&mut self);
}

/// Scans many rows side by side.
pub(crate) trait ScanColumns {
    /// Takes one more element of each of `width` rows, at most [`WIDTH`], and writes their totals so far.
    ///
    /// # Safety
    /// `elements` points to `width` elements that can be read. `out` is valid for writes of as many, each `stride`
    /// bytes behind the last. Both have any alignment.
    unsafe fn row(&mut self, elements: *const u8, width: usize, out: *mut u8, stride: isize);

    /// Begins the next rows.
    fn finish(&mut self);
}

/// A scanner of rows; the fold must be a legal one of a scan.
pub(crate) fn scan_rows(fold: Fold, dtype: DType) -> Box<dyn ScanRows> {
    fn totals<O: FoldOp>(dtype: DType) -> Box<dyn ScanRows> {
        with_element!(dtype, T => Box::new(ScanRowTotals::<T, O> { total: None, op: PhantomData }))
    }
    match fold {
        Fold::Prod => totals::<TimesOp>(dtype),
        Fold::Min => totals::<Least>(dtype),
        Fold::Max => totals::<Greatest>(dtype),
        Fold::Sum | Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => totals::<Plus>(dtype),
    }
}

/// A scanner of columns; the fold must be a legal one of a scan.
pub(crate) fn scan_columns(fold: Fold, dtype: DType) -> Box<dyn ScanColumns> {
    fn totals<O: FoldOp>(dtype: DType) -> Box<dyn ScanColumns> {
        with_element!(dtype, T => Box::new(ScanColumnTotals::<T, O> {
            level: level(),
            totals: vec![O::of_nothing(); WIDTH],
            begun: false,
            op: PhantomData,
        }))
    }
    match fold {
        Fold::Prod => totals::<TimesOp>(dtype),
        Fold::Min => totals::<Least>(dtype),
        Fold::Max => totals::<Greatest>(dtype),
        Fold::Sum | Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => totals::<Plus>(dtype),
    }
}

struct ScanRowTotals<T: Term, O> {
    total: Option<T::Total>,
    op: PhantomData<O>,
}

impl<T: Term, O: FoldOp> ScanRows for ScanRowTotals<T, O> {
    unsafe fn block(&mut self, elements: *const u8, count: usize, out: *mut u8, stride: isize) {
        // SAFETY: the caller promises an element for each index below `count`, which all indices here are.
        let at = |index: usize| unsafe { elements.cast::<T>().add(index).read_unaligned() }.widen();
        // SAFETY: the caller promises a place for each index below `count`, which all places here are.
        let write = |place: *mut u8, total| unsafe { place.cast::<T>().write_unaligned(T::narrow(total)) };
        if count == 0 {
            return;
        }
        let mut total = match self.total {
            Some(total) => O::combine(total, at(0)),
            None => at(0),
        };
        write(out, total);
        if stride == size_of::<T>() as isize {
            for index in 1..count {
                total = O::combine(total, at(index));
                write(out.wrapping_add(index * size_of::<T>()), total);
            }
        } else {
            for index in 1..count {
                total = O::combine(total, at(index));
                write(out.wrapping_offset(stride.wrapping_mul(index as isize)), total);
            }
        }
        self.total = Some(total);
    }

    fn finish(&mut self) {
        self.total = None;
    }
}

struct ScanColumnTotals<T: Term, O> {
    level: Level,
    totals: Vec<T::Total>,
    begun: bool,
    op: PhantomData<O>,
}

impl<T: Term, O: FoldOp> ScanColumns for ScanColumnTotals<T, O> {
    unsafe fn row(&mut self, elements: *const u8, width: usize, out: *mut u8, stride: isize) {
        let totals = &mut self.totals[..width];
        // SAFETY: the caller promises `width` elements. The level is the machine's.
        unsafe {
            match self.begun {
                false => begin::<T>(totals, elements),
                true => accumulate::<T, O>(self.level, totals, elements),
            }
        }
        self.begun = true;
        // SAFETY: the caller promises room for `width` results, `stride` bytes apart; no alignment is needed.
        unsafe {
            if stride == size_of::<T>() as isize {
                for (index, &total) in totals.iter().enumerate() {
                    out.cast::<T>().add(index).write_unaligned(T::narrow(total));
                }
            } else {
                for (index, &total) in totals.iter().enumerate() {
                    let place = out.wrapping_offset(stride.wrapping_mul(index as isize));
                    place.cast::<T>().write_unaligned(T::narrow(total));
                }
            }
        }
    }

    fn finish(&mut self) {
        self.begun = false;
    }
}
