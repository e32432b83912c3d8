//! Routines: operations over whole lines or matrices that no loop over single elements can do.
//!
//! A line is what lies along the last axis of an array, a matrix along the last two. Every operand of a routine has the
//! same axes before them, and each line of the result is made of the lines at the same place. Sorting is a routine of
//! one line, `searchsorted` one of two, a product one of two matrices. A row here says what goes in and what comes out;
//! `exec::routine` has the meaning and the fast code. To add one, add a variant, its row, and its two functions there.
//!
//! ```text
//! %3 = sort %2                       : f32[n]
//! %4 = segment_sum %1 %2             : f32[groups]
//! %5 = product %1 %2                 : f64[m, n]
//! ```

use super::Fold;
use super::library::Library;
use crate::types::{DType, Dim, Shape};

/// What happens to lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Routine {
    /// Puts a line in ascending order. Equal elements keep their order, not-a-number comes last, `-0` equals `+0`.
    Sort,
    /// Gives the positions of the elements in that order, or in descending order with not-a-number first: those of the
    /// first elements, as many as the node says. Equal elements keep their order in both.
    ArgSort {
        /// Whether the largest come first.
        descending: bool,
    },
    /// Takes a line and a line of positions, and gives the elements that would stand there in ascending order. A
    /// position outside of the line gets 0.
    Ranks,
    /// Takes a line in ascending order and a line of values, and counts for each value the elements that are less than
    /// it: its position, before those that are equal to it.
    SearchLeft,
    /// As [`Routine::SearchLeft`], behind the elements that are equal to the value.
    SearchRight,
    /// Takes a line of values and a line of labels, and combines the values of each label in order. Labels that name no
    /// position of the result are left out. A label that nothing has gets the identity: 0, 1, the largest or the
    /// smallest value.
    Segment(Fold),
    /// Takes a line, a line of positions and a line of values, and puts the values into the first at the positions, one
    /// after the other. Positions outside are left out.
    Scatter(Scatter),
    /// Takes a line and a mask, and gives the elements where the mask is true.
    Compress,
    /// Takes a mask, and gives the positions where it is true.
    Positions,
    /// Takes a line in ascending order, and tells of each element whether it differs from the one before.
    Firsts,
    /// Takes a line of labels, and counts how many name each position of the result. Labels that name none are left
    /// out.
    Count,
    /// Multiplies two matrices, rows by columns. Each element begins as 0 and goes through the products in order, each
    /// added with one rounding. Integers wrap; of `bool` it is whether any pair is true.
    Product,
    /// Takes two matrices of integers, and tells which elements of their product the dtype holds.
    ProductFits,
    /// What a library does.
    Library(Library),
}

/// What becomes of an element that a value is scattered to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scatter {
    /// The element becomes the value; the last value stays.
    Set,
    /// The value is combined with it: sum, product, smaller, larger.
    With(Fold),
}

/// How long a line of the result is, or how large a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineLength {
    /// As long as this operand.
    Of(usize),
    /// As the node says.
    Own,
    /// As many rows as the first operand, as many columns as the second.
    Product,
    /// As the library says.
    Library(Library),
}

/// What a routine takes and gives.
#[derive(Clone, Copy, Debug)]
pub struct RoutineRow {
    /// The name in printed programs.
    pub name: &'static str,
    /// The dtype of the result for these of the operands, as many as it takes.
    pub dtype: fn(&[DType]) -> Option<DType>,
    /// How long a line of the result is.
    pub length: LineLength,
    /// How many axes are its own: 1 for lines, 2 for matrices.
    pub axes: usize,
}

const fn row(name: &'static str, dtype: fn(&[DType]) -> Option<DType>, length: LineLength) -> RoutineRow {
    RoutineRow { name, dtype, length, axes: 1 }
}

const fn of_matrices(name: &'static str, dtype: fn(&[DType]) -> Option<DType>, length: LineLength) -> RoutineRow {
    RoutineRow { axes: 2, ..row(name, dtype, length) }
}

fn kept(dtypes: &[DType]) -> Option<DType> {
    if let [only] = dtypes { Some(*only) } else { None }
}

fn order(dtypes: &[DType]) -> Option<DType> {
    (dtypes.len() == 1).then_some(DType::I64)
}

fn search(dtypes: &[DType]) -> Option<DType> {
    matches!(dtypes, [sorted, values] if sorted == values).then_some(DType::I64)
}

fn positioned(dtypes: &[DType]) -> Option<DType> {
    matches!(dtypes, [_, DType::I64]).then(|| dtypes[0])
}

fn scatter(dtypes: &[DType]) -> Option<DType> {
    matches!(dtypes, [base, DType::I64, value] if base == value).then(|| dtypes[0])
}

fn compress(dtypes: &[DType]) -> Option<DType> {
    matches!(dtypes, [_, DType::Bool]).then(|| dtypes[0])
}

fn positions(dtypes: &[DType]) -> Option<DType> {
    (dtypes == [DType::Bool]).then_some(DType::I64)
}

fn firsts(dtypes: &[DType]) -> Option<DType> {
    (dtypes.len() == 1).then_some(DType::Bool)
}

fn count(dtypes: &[DType]) -> Option<DType> {
    matches!(dtypes, [DType::I32 | DType::I64]).then_some(DType::I64)
}

/// Halves and complex numbers are computed by the product of others.
fn product(dtypes: &[DType]) -> Option<DType> {
    match dtypes {
        [x, y] if x == y && x.computed_in() == *x && !x.is_complex() => Some(*x),
        _ => None,
    }
}

fn product_fits(dtypes: &[DType]) -> Option<DType> {
    product(dtypes).filter(|dtype| dtype.is_integer()).map(|_| DType::Bool)
}

impl Routine {
    /// Its row.
    pub fn row(self) -> RoutineRow {
        match self {
            Routine::Sort => row("sort", kept, LineLength::Of(0)),
            Routine::ArgSort { descending: false } => row("argsort", order, LineLength::Own),
            Routine::ArgSort { descending: true } => row("argsort_descending", order, LineLength::Own),
            Routine::Ranks => row("ranks", positioned, LineLength::Of(1)),
            Routine::SearchLeft => row("search", search, LineLength::Of(1)),
            Routine::SearchRight => row("search_right", search, LineLength::Of(1)),
            Routine::Segment(fold) => row(by_fold(fold, SEGMENTS), positioned, LineLength::Own),
            Routine::Scatter(Scatter::Set) => row("scatter", scatter, LineLength::Of(0)),
            Routine::Scatter(Scatter::With(fold)) => row(by_fold(fold, SCATTERS), scatter, LineLength::Of(0)),
            Routine::Compress => row("compress", compress, LineLength::Own),
            Routine::Positions => row("positions", positions, LineLength::Own),
            Routine::Firsts => row("firsts", firsts, LineLength::Of(0)),
            Routine::Count => row("count", count, LineLength::Own),
            Routine::Product => of_matrices("product", product, LineLength::Product),
            Routine::ProductFits => of_matrices("product_fits", product_fits, LineLength::Product),
            Routine::Library(library) => {
                let own = library.row();
                RoutineRow { axes: own.axes, ..row(own.name, own.dtype, LineLength::Library(library)) }
            }
        }
    }

    /// The own axes of the result for those of the operands, unless the node says them.
    pub fn lengths(self, operands: &[&[Dim]]) -> Option<Shape> {
        match self.row().length {
            LineLength::Of(operand) => operands.get(operand).map(|own| own.to_vec()),
            LineLength::Own => None,
            LineLength::Product => Some(vec![operands.first()?.first()?.clone(), operands.get(1)?.last()?.clone()]),
            LineLength::Library(library) => library.lengths(operands),
        }
    }

    /// The own axes of the result where the node says that a length is `len`.
    pub fn given(self, operands: &[&[Dim]], len: Dim) -> Option<Shape> {
        match self.row().length {
            LineLength::Library(library) => library.given(operands, len),
            LineLength::Of(_) | LineLength::Own | LineLength::Product => Some(vec![len]),
        }
    }

    /// Whether operands with these own axes go together.
    pub fn takes(self, operands: &[&[Dim]]) -> bool {
        match (self.row().length, operands) {
            (LineLength::Product, [[_, columns], [rows, _]]) => columns == rows,
            (LineLength::Product, _) => false,
            (LineLength::Of(_) | LineLength::Own | LineLength::Library(_), _) => true,
        }
    }
}

/// A name for each of the folds that have one of their own, in the order of [`by_fold`], and one for all others.
const SEGMENTS: [&str; 5] = ["segment_sum", "segment_prod", "segment_min", "segment_max", "segment"];
const SCATTERS: [&str; 5] = ["scatter_add", "scatter_multiply", "scatter_min", "scatter_max", "scatter_with"];

fn by_fold(fold: Fold, [sum, prod, min, max, other]: [&'static str; 5]) -> &'static str {
    match fold {
        Fold::Sum => sum,
        Fold::Prod => prod,
        Fold::Min => min,
        Fold::Max => max,
        Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => other,
    }
}
