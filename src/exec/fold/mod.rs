//! Reductions or scans of blocks that compiled loops have filled.
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
//!
//! Rows that lie in memory as they are summed are read many at a time: neighbours by [`wide`], or by [`extremes`]
//! where the least or the largest is wanted, side by side by [`strips`].
#![expect(unsafe_code, reason = "rows and columns are addresses with strides, and vectors need their level")]

mod columns;
#[cfg(target_arch = "x86_64")]
mod extremes;
mod first;
mod kinds;
mod rows;
mod scan;
mod simd;
mod strips;
mod terms;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vectors;
#[cfg(target_arch = "x86_64")]
mod wide;
#[cfg(not(target_arch = "x86_64"))]
mod wide {
    /// There are vectors for no terms: these are all that floats have.
    pub(super) trait FloatKind<T: super::terms::Term>: super::kinds::TermKind<T = T> {}

    impl<K: super::kinds::TermKind> FloatKind<K::T> for K {}

    /// There are no such vectors.
    pub(super) fn sums<T, K>(_: crate::exec::machine::Level, _: bool) -> Option<super::simd::Totals<T>> {
        None
    }
}
#[cfg(not(target_arch = "x86_64"))]
mod extremes {
    /// There are no such vectors.
    pub(super) fn extremes<T, O>(_: crate::exec::machine::Level) -> Option<super::simd::Totals<T>> {
        None
    }
}

use crate::ir::Fold;
use crate::types::DType;
use crate::with_element;
use columns::{ArgColumns, FirstTrueColumns, TotalColumns};
use first::{FirstTrueRows, OutsideRows};
use kinds::{Difference, Distance, Plain, ProductTerms, TermKind, WidenedTerm};
pub(crate) use kinds::{TermForm, Terms};
use rows::{ArgRows, CountRows, FoldedElement, TotalRows};
pub(crate) use rows::{MAX_GROUPED_TERMS, trues};
pub(crate) use scan::{ScanColumns, ScanRows, scan_columns, scan_rows};
use std::any::Any;
use std::mem::MaybeUninit;
use terms::{FoldOp, Greatest, Least, Plus, TimesOp};
#[cfg(not(target_arch = "x86_64"))]
use wide::FloatKind as WideKind;
#[cfg(target_arch = "x86_64")]
use wide::WideKind;

/// Reduces blocks of neighbours into one result at a time.
///
/// A result may be reduced in parts, each by a reducer of its own that is told where it begins, and these be joined.
pub(crate) trait Rows: Any + Send {
    /// Takes the next terms, any number of them from the beginning of a block on; if that is not full, it is the last.
    ///
    /// # Safety
    /// The operands of the terms begin where these point. Of each, `count` elements can be read (of the number that
    /// distances are from, one), with any alignment. Terms of one operand have no second.
    unsafe fn terms(&mut self, operands: [*const u8; 2], count: usize);

    /// Writes results of `count` terms each, at least one and at most [`MAX_GROUPED_TERMS`], as `terms` and `finish`
    /// would. The operands of a result begin `to_next` bytes behind those of the result before, and results are
    /// `out_to_next` bytes apart.
    ///
    /// # Safety
    /// As for [`Rows::terms`] and [`FoldedElement::write`], of each of `results` rows.
    unsafe fn results(
        &mut self,
        operands: [*const u8; 2],
        to_next: [isize; 2],
        count: usize,
        results: usize,
        out: *mut u8,
        out_to_next: isize,
    ) {
        for result in 0..results as isize {
            let at = |operand: usize| operands[operand].wrapping_offset(to_next[operand].wrapping_mul(result));
            // SAFETY: the caller promises the terms of each of `results` rows and room for its result.
            unsafe {
                self.terms([at(0), at(1)], count);
                self.finish().write(out.wrapping_offset(out_to_next.wrapping_mul(result)));
            }
        }
    }

    /// Begins at a block of the result.
    fn begin_at(&mut self, _block: usize) {}

    /// Takes what another reducer of the same kind has made of the next blocks.
    fn join(&mut self, later: Box<dyn Rows>);

    /// The result. Begins the next.
    fn finish(&mut self) -> FoldedElement;
}

/// Results that are reduced side by side from scratch.
pub(crate) const WIDTH: usize = 256;

/// Results that are reduced side by side where rows are only read: whole rows if they are not very long, so that memory
/// is read in order. For each of 32 rows there is an accumulator of `READ_WIDTH` results; a second cache still holds
/// all of them.
pub(crate) const READ_WIDTH: usize = 4096;

/// Reduces many results side by side, perhaps in parts as [`Rows`] do.
pub(crate) trait Columns: Any + Send {
    /// Takes one more term for each of `width` results, always as many until they are finished.
    ///
    /// # Safety
    /// `elements` points to `width` elements that can be read, with any alignment.
    unsafe fn row(&mut self, elements: *const u8, width: usize);

    /// Takes some terms, one after the other, each `stride` bytes from the last, wherever in a block they are.
    ///
    /// # Safety
    /// As for [`Columns::row`], of each of `count` rows.
    unsafe fn some_rows(&mut self, elements: *const u8, stride: isize, count: usize, width: usize) {
        for row in 0..count as isize {
            // SAFETY: the caller promises `width` elements in each of `count` rows.
            unsafe { self.row(elements.wrapping_offset(stride.wrapping_mul(row)), width) };
        }
    }

    /// Takes several terms, one after the other, each `stride` bytes from the last. The first begins a block, and if
    /// the last does not end one, there are no more. They do not mix with single rows.
    ///
    /// # Safety
    /// As for [`Columns::row`], of each of `count` rows. Since the last results were finished there have been no single
    /// rows, and no rows of another width: the totals that there are must be as many as the columns.
    unsafe fn rows(&mut self, elements: *const u8, stride: isize, count: usize, width: usize) {
        // SAFETY: the caller promises `width` elements in each of `count` rows; `some_rows` asks for no more.
        unsafe { self.some_rows(elements, stride, count, width) };
    }

    /// Begins at a row, the first of a block.
    fn begin_at(&mut self, _row: usize) {}

    /// Takes what another reducer of the same kind has made of the next rows of the same results.
    fn join(&mut self, later: Box<dyn Columns>, width: usize);

    /// Writes the results, one after the other, and begins the next. There is room for as many as the rows were wide.
    fn finish(&mut self, out: &mut [MaybeUninit<u8>]);
}

/// Whether there is such a fold for a dtype.
pub(crate) fn is_legal(fold: Fold, dtype: DType) -> bool {
    match fold {
        Fold::Sum | Fold::Prod => true,
        Fold::Min | Fold::Max | Fold::ArgMin | Fold::ArgMax => !dtype.is_complex(),
        Fold::Any | Fold::All | Fold::FirstTrue => dtype == DType::Bool,
    }
}

/// A part that is joined: of the kind of the reducer that it is joined to.
fn part<T: Any>(later: Box<dyn Any>) -> T {
    *later.downcast().expect("the parts of a result are reduced alike")
}

/// A reducer of rows, whose terms are made in some form; the fold must be legal, and the form one that [`Terms::of`]
/// has chosen for it. `large` operands are more than caches hold.
pub(crate) fn rows(fold: Fold, dtype: DType, form: TermForm, large: bool) -> Box<dyn Rows> {
    fn totals<O: FoldOp>(dtype: DType) -> Box<dyn Rows> {
        with_element!(dtype, T => Box::new(TotalRows::<Plain<T>, O>::new()))
    }
    fn extremes<O: FoldOp>(dtype: DType) -> Box<dyn Rows> {
        if dtype == DType::F32 {
            Box::new(TotalRows::<Plain<f32>, O>::of_floats(extremes::extremes::<f32, O>))
        } else if dtype == DType::F64 {
            Box::new(TotalRows::<Plain<f64>, O>::of_floats(extremes::extremes::<f64, O>))
        } else {
            totals::<O>(dtype)
        }
    }
    match fold {
        Fold::FirstTrue => match form {
            TermForm::Outside { of: DType::I32, least, count } => Box::new(OutsideRows::<i32>::new(least, count)),
            TermForm::Outside { least, count, .. } => Box::new(OutsideRows::<i64>::new(least, count)),
            TermForm::Plain | TermForm::Product | TermForm::Difference | TermForm::Distance | TermForm::Wider(_) => {
                Box::new(FirstTrueRows::default())
            }
        },
        _ if form != TermForm::Plain => sums(dtype, form, large),
        Fold::Sum if matches!(dtype, DType::F32 | DType::F64) => sums(dtype, form, large),
        Fold::Sum => totals::<Plus>(dtype),
        Fold::Prod => totals::<TimesOp>(dtype),
        Fold::Min => extremes::<Least>(dtype),
        Fold::Max => extremes::<Greatest>(dtype),
        Fold::All => totals::<Least>(dtype),
        Fold::Any => totals::<Greatest>(dtype),
        Fold::ArgMin => with_element!(dtype, T => Box::new(ArgRows::<T, Least>::new())),
        Fold::ArgMax => with_element!(dtype, T => Box::new(ArgRows::<T, Greatest>::new())),
    }
}

/// A sum of floats, or of terms that are made where they are added.
fn sums(dtype: DType, form: TermForm, large: bool) -> Box<dyn Rows> {
    use DType::{Bool, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    fn of<K: TermKind>() -> Box<dyn Rows> {
        Box::new(TotalRows::<K, Plus>::new())
    }
    fn floats<S: WideKind<f32>, D: WideKind<f64>>(dtype: DType, large: bool) -> Box<dyn Rows> {
        if dtype == F32 {
            return Box::new(TotalRows::<S, Plus>::of_floats(|level| wide::sums::<f32, S>(level, large)));
        }
        Box::new(TotalRows::<D, Plus>::of_floats(|level| wide::sums::<f64, D>(level, large)))
    }
    match (form, dtype) {
        (TermForm::Plain, F32 | F64) => floats::<Plain<f32>, Plain<f64>>(dtype, large),
        (TermForm::Product, F32 | F64) => floats::<ProductTerms<f32>, ProductTerms<f64>>(dtype, large),
        (TermForm::Difference, F32 | F64) => floats::<Difference<f32>, Difference<f64>>(dtype, large),
        (TermForm::Distance, F32 | F64) => floats::<Distance<f32>, Distance<f64>>(dtype, large),
        (TermForm::Wider(Bool), I64) => Box::new(CountRows::default()),
        (TermForm::Wider(U8), I64) => of::<WidenedTerm<u8, i64>>(),
        (TermForm::Wider(U16), I64) => of::<WidenedTerm<u16, i64>>(),
        (TermForm::Wider(U32), I64) => of::<WidenedTerm<u32, i64>>(),
        (TermForm::Wider(I8), I64) => of::<WidenedTerm<i8, i64>>(),
        (TermForm::Wider(I16), I64) => of::<WidenedTerm<i16, i64>>(),
        (TermForm::Wider(I32), I64) => of::<WidenedTerm<i32, i64>>(),
        (TermForm::Wider(U8), U64) => of::<WidenedTerm<u8, u64>>(),
        (TermForm::Wider(U16), U64) => of::<WidenedTerm<u16, u64>>(),
        (TermForm::Wider(U32), U64) => of::<WidenedTerm<u32, u64>>(),
        (TermForm::Wider(U8), F64) => of::<WidenedTerm<u8, f64>>(),
        (TermForm::Wider(U16), F64) => of::<WidenedTerm<u16, f64>>(),
        (TermForm::Wider(U32), F64) => of::<WidenedTerm<u32, f64>>(),
        (TermForm::Wider(I8), F64) => of::<WidenedTerm<i8, f64>>(),
        (TermForm::Wider(I16), F64) => of::<WidenedTerm<i16, f64>>(),
        (TermForm::Wider(I32), F64) => of::<WidenedTerm<i32, f64>>(),
        _ => unreachable!("{form:?} of {dtype} is never chosen"),
    }
}

/// A reducer of at most `most` columns; the fold must be legal.
pub(crate) fn columns(fold: Fold, dtype: DType, most: usize) -> Box<dyn Columns> {
    fn totals<O: FoldOp>(dtype: DType, most: usize) -> Box<dyn Columns> {
        with_element!(dtype, T => Box::new(TotalColumns::<T, O>::new(most)))
    }
    match fold {
        Fold::Sum => totals::<Plus>(dtype, most),
        Fold::Prod => totals::<TimesOp>(dtype, most),
        Fold::Min | Fold::All => totals::<Least>(dtype, most),
        Fold::Max | Fold::Any => totals::<Greatest>(dtype, most),
        Fold::ArgMin => with_element!(dtype, T => Box::new(ArgColumns::<T, Least>::new(most))),
        Fold::ArgMax => with_element!(dtype, T => Box::new(ArgColumns::<T, Greatest>::new(most))),
        Fold::FirstTrue => Box::new(FirstTrueColumns::new(most)),
    }
}
