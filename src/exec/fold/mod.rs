//! Reductions, and scans, of blocks that compiled loops have filled.
//!
//! There are two ways to walk. [`Rows`]: the reduced axes are innermost and a block holds neighbours of one result.
//! [`Columns`]: a kept axis is innermost, each row holds one more term for many results, and the same sums are done
//! side by side. Both follow the fixed order that [`super::reference`] describes:
//!
//! ```text
//! block of 1024 -> 32 accumulators by i mod 32 -> halves 16, 8, 4, 2, 1 -> pairs of blocks
//! ```
//!
//! An accumulator begins with its first element, and one that has met none is left out.

mod columns;
mod rows;
mod scan;
mod simd;
mod terms;

use crate::ir::Fold;
use crate::types::DType;
use crate::with_element;
use columns::{ArgColumns, FirstTrueColumns, TotalColumns};
use rows::{ArgRows, FirstTrueRows, TotalRows};
pub(crate) use scan::{scan_columns, scan_rows};
use terms::{Greatest, Least, Op, Plus, Times};

/// Reduces blocks of neighbours into one result at a time.
pub(crate) trait Rows {
    /// Takes the next block: [`crate::kernel::BLOCK`] elements, or fewer if it is the last.
    ///
    /// # Safety
    /// `elements` points to `count` elements, with any alignment.
    unsafe fn block(&mut self, elements: *const u8, count: usize);

    /// Writes the result and begins the next.
    ///
    /// # Safety
    /// `out` has room for an element of the result.
    unsafe fn finish(&mut self, out: *mut u8);
}

/// The most results that are reduced side by side.
pub(crate) const WIDTH: usize = 256;

/// Reduces many results side by side.
pub(crate) trait Columns {
    /// Takes one more term for each of `width` results, at most [`WIDTH`] and always as many until they are finished.
    ///
    /// # Safety
    /// `elements` points to `width` elements, with any alignment.
    unsafe fn row(&mut self, elements: *const u8, width: usize);

    /// Writes the results, one after the other, and begins the next.
    ///
    /// # Safety
    /// `out` has room for `width` elements of the result.
    unsafe fn finish(&mut self, out: *mut u8, width: usize);
}

/// Whether there is such a fold for a dtype.
pub(crate) fn is_legal(fold: Fold, dtype: DType) -> bool {
    match fold {
        Fold::Sum | Fold::Prod => true,
        Fold::Min | Fold::Max | Fold::ArgMin | Fold::ArgMax => !dtype.is_complex(),
        Fold::Any | Fold::All | Fold::FirstTrue => dtype == DType::Bool,
    }
}

/// A reducer of rows; the fold must be legal.
pub(crate) fn rows(fold: Fold, dtype: DType) -> Box<dyn Rows> {
    fn totals<O: Op>(dtype: DType) -> Box<dyn Rows> {
        with_element!(dtype, T => Box::new(TotalRows::<T, O>::new()))
    }
    match fold {
        Fold::Sum => totals::<Plus>(dtype),
        Fold::Prod => totals::<Times>(dtype),
        Fold::Min | Fold::All => totals::<Least>(dtype),
        Fold::Max | Fold::Any => totals::<Greatest>(dtype),
        Fold::ArgMin => with_element!(dtype, T => Box::new(ArgRows::<T, Least>::new())),
        Fold::ArgMax => with_element!(dtype, T => Box::new(ArgRows::<T, Greatest>::new())),
        Fold::FirstTrue => Box::new(FirstTrueRows::default()),
    }
}

/// A reducer of columns; the fold must be legal.
pub(crate) fn columns(fold: Fold, dtype: DType) -> Box<dyn Columns> {
    fn totals<O: Op>(dtype: DType) -> Box<dyn Columns> {
        with_element!(dtype, T => Box::new(TotalColumns::<T, O>::new()))
    }
    match fold {
        Fold::Sum => totals::<Plus>(dtype),
        Fold::Prod => totals::<Times>(dtype),
        Fold::Min | Fold::All => totals::<Least>(dtype),
        Fold::Max | Fold::Any => totals::<Greatest>(dtype),
        Fold::ArgMin => with_element!(dtype, T => Box::new(ArgColumns::<T, Least>::new())),
        Fold::ArgMax => with_element!(dtype, T => Box::new(ArgColumns::<T, Greatest>::new())),
        Fold::FirstTrue => Box::new(FirstTrueColumns::default()),
    }
}
