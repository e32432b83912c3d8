//! Blocks on every level that this machine has, against the fixed order spelled out.
#![expect(unsafe_code, reason = "what is tested takes addresses")]

use super::kinds::{Difference, Distance, Plain, ProductTerms, TermKind};
use super::simd::{Totals, blocks_of, column_totals, columns_in_any_order, row_totals};
use super::strips::StripTable;
use super::terms::{FoldOp, Greatest, LANES, Plus, Term, TimesOp, Total};
use super::wide;
use crate::exec::machine::Level;
use crate::kernel::BLOCK;

fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.into_iter().filter(|level| level.runs_here())
}

/// A block's total as the reference has it.
fn block<T: Total, O: FoldOp>(terms: &[T]) -> T {
    let (first, more) = terms.split_at(terms.len().min(LANES));
    let mut totals = first.to_vec();
    for row in more.chunks(LANES) {
        totals.iter_mut().zip(row).for_each(|(total, &term)| *total = O::combine(*total, term));
    }
    for half in [16, 8, 4, 2, 1] {
        for lane in 0..half.min(totals.len().saturating_sub(half)) {
            totals[lane] = O::combine(totals[lane], totals[lane + half]);
        }
    }
    totals[0]
}

/// Numbers of many magnitudes, and zeros of both signs.
fn numbers(count: usize) -> Vec<f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let number = |index: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (state >> 11) as f64 / (1u64 << 50) as f64 - 4.0;
        if index.is_multiple_of(5) { -0.0 } else { number * f64::from(1 << (state % 7)) }
    };
    (0..count).map(number).collect()
}

const LENGTHS: [usize; 17] = [1, 2, 5, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 100, 250, 1023, 1024];

fn check_rows<const STRIDE: usize, K: TermKind<T = T>, T: Term<Total = T> + Total + std::fmt::Debug>(
    wide: impl Fn(Level) -> Option<Totals<T>>,
    of: impl Fn(f64) -> T,
) {
    let values: Vec<T> = numbers(8 * STRIDE).into_iter().map(of).collect();
    let start = |operand: usize| values.as_ptr().wrapping_add(7 * operand).cast::<u8>();
    let from = [start(0), start(1)];
    let to_next = K::SIZES.map(|size| (size * STRIDE) as isize);
    for count in LENGTHS.into_iter().chain([1025, 2048, 2055]) {
        for rows in 1..8 {
            let expected: Vec<T> = (0..rows as isize)
                .flat_map(|row| {
                    let from = [0, 1].map(|operand| from[operand].wrapping_offset(to_next[operand] * row));
                    // SAFETY: the terms of a row lie among the numbers.
                    let terms: Vec<T> = (0..count).map(|index| unsafe { K::term(from, index) }).collect();
                    terms.chunks(BLOCK).map(block::<T, Plus>).collect::<Vec<T>>()
                })
                .collect();
            for level in levels() {
                let mut totals = vec![T::ONE; rows * blocks_of(count)];
                if count <= BLOCK {
                    // SAFETY: the terms of all rows lie among the numbers; there are as many totals as rows.
                    unsafe { row_totals::<K, Plus>(level, from, to_next, count, rows, totals.as_mut_ptr()) };
                    assert_eq!(format!("{totals:?}"), format!("{expected:?}"), "{count} {level:?}");
                }
                if let Some(wide) = wide(level) {
                    totals.fill(T::ONE);
                    // SAFETY: the terms of all rows lie among the numbers; there are as many totals as blocks of all
                    // rows.
                    unsafe { wide(from, to_next, count, rows, totals.as_mut_ptr()) };
                    assert_eq!(format!("{totals:?}"), format!("{expected:?}"), "{count} {level:?}");
                }
            }
        }
    }
}

#[test]
fn rows_of_any_length_have_the_same_sums_on_every_level() {
    macro_rules! check {
        ($($TermKind:ident)*) => {$(
            for large in [false, true] {
                let single = |level| wide::sums::<f32, $TermKind<f32>>(level, large);
                let double = |level| wide::sums::<f64, $TermKind<f64>>(level, large);
                check_rows::<1031, $TermKind<f32>, f32>(single, |number| number as f32);
                check_rows::<1031, $TermKind<f64>, f64>(double, |number| number);
                // So far apart that some are read side by side.
                check_rows::<20_011, $TermKind<f32>, f32>(single, |number| number as f32);
                check_rows::<20_011, $TermKind<f64>, f64>(double, |number| number);
            }
        )*};
    }
    check!(Plain ProductTerms Difference Distance);
}

fn check_columns<T: Term<Total: std::fmt::Debug>, O: FoldOp>(of: impl Fn(f64) -> T) {
    let values: Vec<T> = numbers(1 << 20).into_iter().map(of).collect();
    let mut far = Vec::new();
    for width in [16, 17, 31, 32, 33, 50, 250] {
        for (stride, rows) in [(251, &LENGTHS[..]), (3001, &[3, 30, 100, 200, 256, 300])] {
            for &rows in rows {
                let from = values.as_ptr().cast::<u8>();
                let table = StripTable { from, stride: (stride * size_of::<T>()) as isize, rows, width };
                let column = |column: usize| -> Vec<T::Total> {
                    (0..rows).map(|row| values[row * stride + column].widen()).collect()
                };
                let expected: Vec<T::Total> = (0..width).map(|index| block::<_, O>(&column(index))).collect();
                for level in levels() {
                    let mut totals = vec![O::of_nothing(); width];
                    if T::Total::ORDERED && !O::EXTREME {
                        let neutral = O::neutral().expect("there is one");
                        // SAFETY: the table lies among the numbers.
                        unsafe { column_totals::<T, O>(level, table, neutral, &mut totals, &mut far) };
                    } else {
                        // SAFETY: the table lies among the numbers.
                        unsafe { columns_in_any_order::<T, O>(level, table, &mut totals) };
                    }
                    assert_eq!(format!("{totals:?}"), format!("{expected:?}"), "{rows} rows of {width}, {level:?}");
                }
            }
        }
    }
}

#[test]
fn columns_of_any_length_have_the_same_totals_on_every_level() {
    check_columns::<f32, Plus>(|number| number as f32);
    check_columns::<f64, Plus>(|number| number);
    check_columns::<f64, TimesOp>(|number| number.signum() + number / 1024.0);
    check_columns::<half::f16, Plus>(half::f16::from_f64);
    check_columns::<f32, Greatest>(|number| number as f32);
    check_columns::<i32, Plus>(|number| (number * 1e6) as i32);
    check_columns::<u8, TimesOp>(|number| (number * 10.0) as u8);
}
