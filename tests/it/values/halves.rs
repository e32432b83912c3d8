//! A million random inputs, bit for bit: halves and complex numbers in `a*b + c`, roots, casts among all dtypes.
//!
//! The inputs come from a generator that NumPy can run as well; `tests/oracle/values/million.txt` holds a digest of
//! what it gives. `any` inputs are any bits, `near` ones have exponents around 0 (integers: any number of bits).

use super::run;
use crate::oracle;
use arrlang::array::Array;
use arrlang::types::{DType, Kind};
use std::collections::HashMap;

const LEN: usize = 1_000_000;

/// A step of splitmix64: one number for each index.
fn mix(index: u64) -> u64 {
    let mut z = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The widths of the mantissa and of the whole of a float.
fn layout(part: DType) -> (u32, u32) {
    match part {
        DType::F16 => (10, 16),
        DType::Bf16 => (7, 16),
        DType::F32 => (23, 32),
        _ => (52, 64),
    }
}

/// The bits of one part of an element, from a random number.
fn word(part: DType, near: bool, random: u64) -> u64 {
    let bits = part.bits();
    let kept = random >> (64 - bits);
    match part.kind() {
        Kind::Bool => random >> 63,
        Kind::Float if near => {
            let (mantissa, width) = layout(part);
            let bias = (1 << (width - 2 - mantissa)) - 1;
            let exponent = bias - 8 + (random & 15);
            let sign_and_mantissa = kept & (1 << (width - 1) | ((1 << mantissa) - 1));
            sign_and_mantissa | exponent << mantissa
        }
        Kind::Unsigned | Kind::Signed if near => kept >> (random % u64::from(bits)),
        _ => kept,
    }
}

/// Input number `which`.
fn input(dtype: DType, near: bool, which: u64) -> Array {
    let part = dtype.part();
    let parts = if dtype.is_complex() { 2 } else { 1 };
    let words = (0..LEN as u64).map(|index| {
        (0..parts).fold(0, |bits, at| {
            let random = mix((which + 1) << 40 | (index * parts + at));
            bits | u128::from(word(part, near, random)) << (at as u32 * part.bits().min(64))
        })
    });
    Array::from_scalars(dtype, &[LEN], words.map(|bits| arrlang::scalar::Scalar { dtype, bits }))
}

/// A number that changes with every bit of every element; NaNs count as one.
fn digest(array: &Array) -> u64 {
    let part = array.dtype().part();
    let bytes = array.contiguous_bytes().expect("results are contiguous");
    let words = bytes.chunks_exact(part.size()).map(|piece| {
        let mut word = [0; 8];
        word[..piece.len()].copy_from_slice(piece);
        let word = u64::from_le_bytes(word);
        if !part.is_float() {
            return word;
        }
        let (mantissa, width) = layout(part);
        let infinity = ((1 << (width - 1 - mantissa)) - 1) << mantissa;
        let magnitude = word & ((1 << (width - 1)) - 1);
        if magnitude > infinity { u64::MAX } else { word }
    });
    words.enumerate().fold(0, |sum: u64, (at, word)| sum.wrapping_add(mix(word ^ mix(at as u64 + 1))))
}

#[test]
fn a_million_inputs_are_rounded_as_numpy_rounds_them() {
    let mut inputs: HashMap<(DType, bool, u64), Array> = HashMap::new();
    let (mut programs, mut wrong) = (0, Vec::new());
    for line in oracle::read("values/million.txt").lines().filter(|line| !line.starts_with('#')) {
        let [from, range, wanted, text] = line.splitn(4, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let from: DType = from.parse().expect("a dtype");
        let near = range == "near";
        let mut given = Vec::new();
        for (which, name) in ["a", "b", "c"].into_iter().enumerate() {
            if which == 0 || text == "a*b + c" {
                let array = inputs.entry((from, near, which as u64)).or_insert_with(|| input(from, near, which as u64));
                given.push((name, array.clone()));
            }
        }
        let ours = run(text, &given).unwrap_or_else(|codes| panic!("{line}: {codes:?}"));
        programs += 1;
        if format!("{:016x}", digest(&ours)) != wanted {
            wrong.push(line.to_owned());
        }
    }
    println!("{programs} programs of {LEN} inputs each: {} differ from NumPy", wrong.len());
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
