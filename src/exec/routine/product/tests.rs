//! Products of all tiles, layouts, levels or threads against the bits of three loops.

use super::*;
use crate::exec::machine::{self, Level};
use crate::exec::memory::Meter;
use crate::exec::options::Options;
use crate::exec::routine::{self, StrayFlag, run};
use crate::ir::routine::Routine;
use std::num::NonZeroUsize;

const DTYPES: [DType; 11] = [
    DType::Bool,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::F32,
    DType::F64,
];

/// Elements that a different order would round differently, and now and then a zero or an infinity.
fn elements(dtype: DType, count: usize, mut seed: u64) -> Vec<Scalar> {
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    let element = |bits: u64| match dtype {
        DType::Bool => Scalar { dtype, bits: u128::from(bits.is_multiple_of(5)) },
        dtype if dtype.is_float() => {
            let value = match bits % 97 {
                0 => 0.0,
                1 => -0.0,
                2 if bits.is_multiple_of(7) => f64::INFINITY,
                _ => (bits as f64 / 1e9 - 1.0) * 1.1,
            };
            eval::eval(Prim::Convert, dtype, &[Scalar::of(value)])
        }
        _ => Scalar { dtype, bits: u128::from(bits.wrapping_mul(bits)) & (u128::MAX >> (128 - dtype.bits())) },
    };
    (0..count).map(|_| element(next())).collect()
}

/// A matrix of `rows` rows and `columns` columns. It lies in C order, turned, or as every other element of something
/// larger.
fn matrix(dtype: DType, (rows, columns): (usize, usize), layout: usize, seed: u64) -> Array {
    let size = dtype.size() as isize;
    match layout {
        0 => Array::from_scalars(dtype, &[rows, columns], elements(dtype, rows * columns, seed)),
        1 => {
            let array = Array::from_scalars(dtype, &[columns, rows], elements(dtype, rows * columns, seed));
            let strides = [size, rows as isize * size];
            array.view(vec![rows, columns], strides.to_vec(), 0)
        }
        _ => {
            let array =
                Array::from_scalars(dtype, &[rows, 2 * columns + 1], elements(dtype, rows * (2 * columns + 1), seed));
            let strides = [(2 * columns + 1) as isize * size, 2 * size];
            array.view(vec![rows, columns], strides.to_vec(), dtype.size())
        }
    }
}

fn check(routine: Routine, left: &Array, right: &Array) {
    let (x, y): (Vec<Scalar>, Vec<Scalar>) = (left.scalars().collect(), right.scalars().collect());
    let extent = ProductExtent::of(left.shape(), right.shape());
    let dtype = (routine.row().dtype)(&[left.dtype(), right.dtype()]).unwrap();
    let len = extent.rows * extent.columns;
    let expected = routine::meaning(routine, dtype, &[x, y], &[left.shape(), right.shape()], len);
    for level in Level::ALL.into_iter().filter(|level| level.runs_here()) {
        for threads in [1, 2, 16] {
            let options = Options { threads: NonZeroUsize::new(threads), ..Options::default() };
            let sizes = [extent.rows, extent.columns];
            let args = [left.clone(), right.clone()];
            let (strays, mut meter) = (StrayFlag::default(), Meter::new(None));
            let found =
                machine::held(level, || run(routine, dtype, &args, &sizes, &strays, &mut meter, &options)).unwrap();
            for (at, &expected) in expected.iter().enumerate() {
                let found = found.get(at);
                assert!(
                    found.same(expected),
                    "{routine:?} {extent:?} {level} {threads} at {at}: {found:?} {expected:?}"
                );
            }
        }
    }
}

#[test]
fn products_are_the_three_loops_bit_for_bit() {
    let sizes =
        [(1, 1, 1), (1, 7, 70), (70, 7, 1), (3, 5, 33), (13, 2, 17), (12, 33, 65), (5, 0, 4), (31, 9, 3), (6, 1, 16)];
    // Of results that are one vector wide, as tall as a tile, less and more.
    let narrow = [(4, 9, 4), (8, 7, 8), (3, 6, 2), (7, 4, 3), (11, 3, 8)];
    for dtype in DTYPES {
        for (index, (rows, products, columns)) in sizes.into_iter().chain(narrow).enumerate() {
            for layouts in [(0, 0), (1, 0), (0, 1), (2, 2)] {
                let left = matrix(dtype, (rows, products), layouts.0, index as u64);
                let right = matrix(dtype, (products, columns), layouts.1, 77);
                check(Routine::Product, &left, &right);
            }
        }
    }
}

#[test]
fn matrices_times_vectors_are_the_three_loops_bit_for_bit() {
    for dtype in DTYPES {
        for (lines, products) in [(1, 1), (3, 9), (8, 16), (19, 5), (77, 131), (300, 64), (2100, 70)] {
            for layouts in [(0, 0), (1, 0), (0, 2), (2, 1), (1, 2)] {
                let whole = matrix(dtype, (lines, products), layouts.0, 5);
                check(Routine::Product, &whole, &matrix(dtype, (products, 1), layouts.1, 6));
                let whole = matrix(dtype, (products, lines), layouts.0, 7);
                check(Routine::Product, &matrix(dtype, (1, products), layouts.1, 8), &whole);
            }
        }
    }
}

#[test]
fn blocks_of_products_go_on_where_the_last_ended() {
    for (dtype, (rows, products, columns)) in [
        (DType::F32, (7, 2 * BLOCK_PRODUCTS + 1, 40)),
        (DType::F64, (29, BLOCK_PRODUCTS + 9, 18)),
        (DType::I32, (9, BLOCK_PRODUCTS + 1, 20)),
        (DType::F32, (60, 63, 70)),
        (DType::F32, (8, 2 * BLOCK_PRODUCTS + 1, 8)),
        (DType::F64, (4, 2 * BLOCK_PRODUCTS + 9, 4)),
        (DType::I32, (6, 2 * BLOCK_PRODUCTS + 1, 16)),
    ] {
        for layouts in [(0, 0), (1, 1), (1, 0)] {
            let left = matrix(dtype, (rows, products), layouts.0, 3);
            let right = matrix(dtype, (products, columns), layouts.1, 4);
            check(Routine::Product, &left, &right);
        }
    }
}

#[test]
fn sums_that_a_dtype_does_not_hold_are_found() {
    for dtype in DTYPES.into_iter().filter(|dtype| dtype.is_integer()) {
        let (least, most) = dtype.integer_range().unwrap();
        let of = |value: i128| Scalar { dtype, bits: value as u128 & (u128::MAX >> (128 - dtype.bits())) };
        let fits = |x: &[i128], y: &[i128]| {
            let left = Array::from_scalars(dtype, &[1, x.len()], x.iter().copied().map(of));
            let right = Array::from_scalars(dtype, &[y.len(), 1], y.iter().copied().map(of));
            check(Routine::ProductFits, &left, &right);
            let scalars = [&left, &right].map(|array| array.scalars().collect::<Vec<_>>());
            fits_meaning(&scalars[0], &scalars[1], ProductExtent::of(left.shape(), right.shape()))[0].bits != 0
        };
        assert!(fits(&[most, 1], &[1, 0]) && fits(&[least, 0], &[1, 1]), "{dtype}");
        assert!(!fits(&[most, 1], &[1, 1]) && !fits(&[most, most], &[most, most]), "{dtype}");
        if least < 0 {
            // Far outside on the way, and back.
            assert!(fits(&[most, most, -1], &[most, -most, 1]) && !fits(&[least, -1], &[1, 1]), "{dtype}");
            assert!(!fits(&[least; 4], &[least; 4]) && !fits(&[least; 4], &[most; 4]), "{dtype}");
        }
    }
}
