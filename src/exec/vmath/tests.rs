//! Every block function of every level gives what `eval` gives.
#![expect(unsafe_code, reason = "what is tested takes addresses")]

use super::*;
use crate::scalar::Scalar;
use crate::scalar::eval::eval;

/// Bits at the edges of a dtype, and some in between.
fn awkward(dtype: DType) -> Vec<u128> {
    if dtype == DType::Bool {
        return vec![0, 1];
    }
    if dtype.is_complex() {
        let parts = awkward(dtype.part());
        let width = dtype.part().bits();
        return parts.iter().zip(parts.iter().rev()).map(|(re, im)| re | im << width).collect();
    }
    let bits = dtype.bits();
    let mask = u128::MAX >> (128 - bits);
    let mut values = vec![0, 1, 2, 3, 7, 10, 63, 64, 127, 128, mask, mask - 1, mask - 6, mask >> 1, (mask >> 1) + 1];
    values.extend([mask / 3, mask / 5, mask / 7 * 3, 0x5bd1_e995_9e37_79b9 & mask, 0x9e37_79b9_7f4a_7c15 & mask]);
    if dtype.is_float() {
        for x in [
            0.1,
            0.5,
            1.0,
            1.5,
            2.0,
            2.5,
            3.7,
            10.0,
            22.0,
            88.8,
            89.0,
            150.0,
            700.5,
            709.9,
            745.2,
            1e3,
            1e5,
            1e10,
            1e22,
            1e38,
            1e300,
            1e-3,
            1e-10,
            1e-30,
            1e-39,
            1e-44,
            1e-300,
            5e-324,
            0.999_999,
            1.000_001,
            4_503_599_627_370_497.5,
            std::f64::consts::PI,
            std::f64::consts::FRAC_PI_2,
            f64::INFINITY,
            f64::NAN,
        ] {
            for x in [x, -x] {
                values.push(eval(Prim::Convert, dtype, &[Scalar::of(x)]).bits);
            }
        }
    }
    values.sort_unstable();
    values.dedup();
    values
}

/// The levels with functions of their own that run here.
fn levels() -> impl Iterator<Item = Level> {
    [Level::Base, Level::Avx2, Level::Avx512].into_iter().filter(|level| level.runs_here())
}

fn bytes_of(dtype: DType, elements: impl Iterator<Item = u128>) -> Vec<u8> {
    // One byte of padding in front, so that nothing is aligned.
    let mut bytes = vec![0];
    elements.for_each(|bits| bytes.extend(&bits.to_le_bytes()[..dtype.size()]));
    bytes
}

fn element(dtype: DType, bytes: &[u8], index: usize) -> Scalar {
    let mut word = [0; 16];
    word[..dtype.size()].copy_from_slice(&bytes[1 + index * dtype.size()..][..dtype.size()]);
    Scalar { dtype, bits: u128::from_le_bytes(word) }
}

/// Every combination of awkward operands, thinned out for three.
fn operands(dtypes: &[DType]) -> Vec<Vec<u128>> {
    let mut rows: Vec<Vec<u128>> = vec![vec![]];
    for (index, &dtype) in dtypes.iter().enumerate() {
        let mut values = awkward(dtype);
        if index == 2 {
            values = values.into_iter().step_by(9).collect();
        }
        rows = rows.iter().flat_map(|row| values.iter().map(|&v| [&row[..], &[v]].concat())).collect();
    }
    rows
}

fn check(prim: Prim, dtypes: &[DType], result: DType) {
    let rows = operands(dtypes);
    let scalars = |row: &[u128]| -> Vec<Scalar> {
        row.iter().zip(dtypes).map(|(&bits, &dtype)| Scalar { dtype, bits }).collect()
    };
    let expected: Vec<Scalar> = rows.iter().map(|row| eval(prim, result, &scalars(row))).collect();
    let columns: Vec<Vec<u8>> =
        dtypes.iter().enumerate().map(|(i, &dtype)| bytes_of(dtype, rows.iter().map(|row| row[i]))).collect();
    for level in levels() {
        let f = block_fn_for(level, prim, dtypes, result).expect("a legal prim");
        // The last operand may be overwritten by the result where the sizes agree.
        for in_place in [None, Some(0), Some(dtypes.len() - 1)] {
            if in_place.is_some_and(|i| dtypes[i].size() != result.size()) {
                continue;
            }
            let mut out = match in_place {
                Some(i) => columns[i].clone(),
                None => vec![0; rows.len() * result.size() + 1],
            };
            let out_at = out.as_mut_ptr().wrapping_add(1);
            let mut pointers = [std::ptr::null(); 3];
            for (i, column) in columns.iter().enumerate() {
                pointers[i] = if in_place == Some(i) { out_at.cast_const() } else { column[1..].as_ptr() };
            }
            // SAFETY: every column holds `rows.len()` elements after its first byte, and so does the result.
            unsafe { f(out_at, pointers[0], pointers[1], pointers[2], rows.len()) };
            for (i, &expected) in expected.iter().enumerate() {
                let got = element(result, &out, i);
                let args = scalars(&rows[i]);
                assert!(got.same(expected), "{} {args:x?} -> {result} {level:?}: {got:x?}, {expected:x?}", prim.name());
            }
        }
    }
}

#[test]
fn b21_every_block_function_agrees_with_eval() {
    for prim in Prim::ALL {
        let mut legal = 0;
        for first in DType::ALL {
            let dtypes = match prim {
                Prim::Select => vec![DType::Bool, first, first],
                _ => vec![first; prim.arity()],
            };
            for result in DType::ALL {
                if prim.result(&dtypes, result) == Some(result) {
                    check(prim, &dtypes, result);
                    legal += 1;
                } else {
                    assert!(block_fn(prim, &dtypes, result).is_none());
                }
            }
        }
        assert!(legal > 0, "{prim:?}");
    }
}

#[test]
fn no_elements_are_no_work() {
    let f = block_fn(Prim::Sin, &[DType::F64], DType::F64).expect("sin takes f64");
    let mut none = [0u8; 0];
    // SAFETY: no element is read or written.
    unsafe { f(none.as_mut_ptr(), std::ptr::dangling(), std::ptr::null(), std::ptr::null(), 0) };
}

/// SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[test]
fn b21_functions_agree_with_eval_on_all_sizes_of_numbers() {
    const COUNT: usize = 20_000;
    let mut state = 5;
    for prim in Prim::ALL.into_iter().filter(|prim| prim.arity() == 1) {
        for dtype in [DType::F32, DType::F64].into_iter().filter(|&d| prim.result(&[d], d) == Some(d)) {
            // Any bits, and numbers of the sizes that functions change at.
            let bits = |state: &mut u64, index: usize| match index % 3 {
                0 => u128::from(random(state)) & u128::MAX >> (128 - dtype.bits()),
                _ => {
                    let unit = (random(state) >> 11) as f64 * 2f64.powi(-53) - 0.5;
                    let size = [0.2, 3.0, 40.0, 250.0, 1600.0, 3e5][random(state) as usize % 6];
                    eval(Prim::Convert, dtype, &[Scalar::of(unit * size)]).bits
                }
            };
            let column: Vec<u128> = (0..COUNT).map(|index| bits(&mut state, index)).collect();
            let bytes = bytes_of(dtype, column.iter().copied());
            let expected: Vec<Scalar> =
                column.iter().map(|&bits| eval(prim, dtype, &[Scalar { dtype, bits }])).collect();
            for level in levels() {
                let f = block_fn_for(level, prim, &[dtype], dtype).expect("a legal prim");
                let mut out = vec![0; bytes.len()];
                let (to, from) = (out[1..].as_mut_ptr(), bytes[1..].as_ptr());
                // SAFETY: both hold `COUNT` elements after their first byte.
                unsafe { f(to, from, std::ptr::null(), std::ptr::null(), COUNT) };
                for (i, &expected) in expected.iter().enumerate() {
                    let got = element(dtype, &out, i);
                    assert!(got.same(expected), "{} {:x}: {got:x?}, {expected:x?} {level:?}", prim.name(), column[i]);
                }
            }
        }
    }
}
