//! Quotients of integers by way of floats, against their definition.
#![expect(unsafe_code, reason = "compiled code takes the addresses of its operands")]

use super::super::compile;
use crate::array::bytes::AlignedBytes;
use crate::exec::machine::Level;
use crate::exec::stepping::{Loop, LoopInput, LoopOperand, LoopOutput, Step};
use crate::exec::tests::Random;
use crate::kernel::{Body, Inst, InstId, InstOp};
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::scalar::prim::Prim;
use crate::types::DType;

const PRIMS: [Prim; 2] = [Prim::FloorDiv, Prim::Rem];

/// Both results, of an array by an array or by a constant.
fn divided(dtype: DType, constant: Option<u128>) -> Loop {
    let inst = |op| Inst { op, dtype };
    let divisor = constant.map_or(InstOp::Load(1), InstOp::Const);
    let mut insts = vec![inst(InstOp::Load(0)), inst(divisor)];
    insts.extend(PRIMS.map(|prim| inst(InstOp::Prim(prim, [Some(InstId(0)), Some(InstId(1)), None]))));
    let outputs = [2, 3].map(|value| LoopOutput { value: InstId(value), step: Step::Dense });
    Loop { body: Body { insts }, inputs: vec![LoopInput::Array(dtype, Step::Dense); 2], outputs: outputs.to_vec() }
}

/// Compiles and runs it, and compares every element.
fn agrees(dtype: DType, dividends: &[u128], divisors: &[u128], constant: Option<u128>) {
    for level in [Level::Avx2, Level::Avx512].into_iter().filter(|level| level.runs_here()) {
        agrees_at(level, dtype, dividends, divisors, constant);
    }
}

fn agrees_at(level: Level, dtype: DType, dividends: &[u128], divisors: &[u128], constant: Option<u128>) {
    let (size, len) = (dtype.size(), dividends.len());
    let routine = compile(&divided(dtype, constant), level).expect("all integers are divided");
    let mut scratch = AlignedBytes::zeroed(routine.scratch).unwrap();
    let bytes = |numbers: &[u128]| numbers.iter().flat_map(|bits| bits.to_le_bytes()[..size].to_vec()).collect();
    let mut arrays: [Vec<u8>; 4] = [bytes(dividends), bytes(divisors), vec![0; len * size], vec![0; len * size]];
    let operands =
        arrays.each_mut().map(|array| LoopOperand { address: array.as_mut_ptr() as usize, stride: size as isize });
    // SAFETY: every operand has `len` elements.
    unsafe { routine.run(scratch.as_mut_ptr(), &operands, 0, len) };
    for (prim, found) in PRIMS.into_iter().zip(&arrays[2..]) {
        for (place, found) in found.chunks(size).enumerate() {
            let args = [dividends[place], constant.unwrap_or(divisors[place])].map(|bits| Scalar { dtype, bits });
            let meant = eval(prim, dtype, &args).bits.to_le_bytes();
            assert_eq!(found, &meant[..size], "{} of {args:?}", prim.name());
        }
    }
}

/// Bits of numbers around the ends of a dtype and around powers of two.
fn edges(dtype: DType) -> Vec<u128> {
    let mask = (1u128 << dtype.bits()) - 1;
    let around = |bits: u128| (0..7).map(move |near| bits.wrapping_add(near).wrapping_sub(3) & mask);
    (0..dtype.bits()).flat_map(|place| around(1 << place).chain(around(1u128.wrapping_neg() << place))).collect()
}

#[test]
fn quotients_of_bytes_are_right_for_all_pairs() {
    for dtype in [DType::I8, DType::U8] {
        let (dividends, divisors): (Vec<u128>, Vec<u128>) =
            (0..1u128 << 16).map(|pair| (pair & 0xff, pair >> 8)).unzip();
        agrees(dtype, &dividends, &divisors, None);
        for constant in 0..=255 {
            agrees(dtype, &dividends[..256], &divisors[..256], Some(constant));
        }
    }
}

#[test]
fn quotients_of_wider_integers_are_right_at_the_edges() {
    let mut random = Random::new(29);
    for dtype in [DType::I16, DType::U16, DType::I32, DType::U32, DType::I64, DType::U64] {
        // Their number grows with the square.
        let edges: Vec<u128> = edges(dtype).into_iter().step_by(dtype.size().div_ceil(3)).collect();
        let pairs = edges.iter().flat_map(|a| edges.iter().map(move |b| (*a, *b)));
        let (mut dividends, mut divisors): (Vec<u128>, Vec<u128>) = pairs.unzip();
        // Just below and just above what a divisor goes into.
        for _ in 0..20_000 {
            let mask = (1u128 << dtype.bits()) - 1;
            let divisor = random.scalar(dtype).bits >> random.below(dtype.bits() as usize);
            let times = u128::from(random.next()) >> (64 - 1 - random.below(dtype.bits() as usize));
            for near in 0..3 {
                dividends.push((divisor * times).wrapping_add(near).wrapping_sub(1) & mask);
                divisors.push(divisor);
            }
        }
        agrees(dtype, &dividends, &divisors, None);
        for &constant in edges.iter().step_by(7).chain([3, 7, 10, 255, 1000].iter()) {
            let dividends: Vec<u128> = dividends.iter().copied().step_by(dividends.len() / 4000).collect();
            agrees(dtype, &dividends, &divisors, Some(constant));
        }
    }
}
