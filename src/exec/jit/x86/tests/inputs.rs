//! Every input there is. These are all dtypes of two bytes, and where `ARR_ALL_SINGLES` is set `f32` for the functions
//! that have code of their own.
#![expect(unsafe_code, reason = "compiled code takes the addresses of its operands")]

use super::super::compile;
use crate::array::bytes::AlignedBytes;
use crate::exec::block::Interpreter;
use crate::exec::jit::lower::{TargetAbilities, VectorOp, lower};
use crate::exec::machine::Level;
use crate::exec::stepping::{Code, Loop, LoopInput, LoopOperand, LoopOutput, Step};
use crate::exec::vmath::block_fn;
use crate::kernel::{Body, Inst, InstId, InstOp};
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::scalar::prim::Prim;
use crate::types::DType;

const COUNT: usize = 1 << 16;

/// Prims of one operand, one after the other, with the dtypes of their results.
fn chain(from: DType, prims: &[(Prim, DType)]) -> Loop {
    let mut insts = vec![Inst { op: InstOp::Load(0), dtype: from }];
    for &(prim, dtype) in prims {
        let last = InstId(insts.len() as u32 - 1);
        insts.push(Inst { op: InstOp::Prim(prim, [Some(last), None, None]), dtype });
    }
    let outputs = vec![LoopOutput { value: InstId(insts.len() as u32 - 1), step: Step::Dense }];
    Loop { body: Body { insts }, inputs: vec![LoopInput::Array(from, Step::Dense)], outputs }
}

fn levels() -> impl Iterator<Item = Level> {
    [Level::Avx2, Level::Avx512].into_iter().filter(|level| level.runs_here())
}

/// Compares what each level makes of all inputs of two bytes with what the interpreter makes of them. Returns how many
/// levels have code.
fn agrees(from: DType, prims: &[(Prim, DType)]) -> usize {
    let code = chain(from, prims);
    let to = prims.last().expect("a prim").1;
    let input: Vec<u8> = (0..COUNT).flat_map(|bits| (bits as u16).to_le_bytes()).collect();
    let (mut fast, mut slow) = (vec![0u8; COUNT * to.size()], vec![0u8; COUNT * to.size()]);
    let operands = |out: &mut Vec<u8>| {
        let operand = |address: usize, dtype: DType| LoopOperand { address, stride: dtype.size() as isize };
        [operand(input.as_ptr() as usize, from), operand(out.as_mut_ptr() as usize, to)]
    };
    let mut interpreter = Interpreter::new(&code).unwrap();
    // SAFETY: both operands have as many elements.
    unsafe { interpreter.run(&operands(&mut slow), 0, COUNT) };
    let mut compiled = 0;
    for level in levels() {
        let Some(routine) = compile(&code, level) else { continue };
        compiled += 1;
        let mut scratch = AlignedBytes::zeroed(routine.scratch.max(64)).unwrap();
        // SAFETY: both operands have as many elements.
        unsafe { routine.run(scratch.as_mut_ptr(), &operands(&mut fast), 0, COUNT) };
        for (bits, (fast, slow)) in fast.chunks(to.size()).zip(slow.chunks(to.size())).enumerate() {
            let [fast, slow] = [fast, slow].map(|bytes| {
                let mut word = [0; 16];
                word[..bytes.len()].copy_from_slice(bytes);
                Scalar { dtype: to, bits: u128::from_le_bytes(word) }
            });
            assert!(fast.same(slow), "{level} {prims:?} of {from} {bits:x}: {fast:?} {slow:?}");
        }
    }
    compiled
}

#[test]
fn every_input_of_two_bytes_gives_what_the_interpreter_gives() {
    let mut compiled = 0;
    for from in [DType::F16, DType::Bf16, DType::I16, DType::U16] {
        for to in DType::ALL.into_iter().filter(|&to| to != from && !to.is_complex()) {
            compiled += agrees(from, &[(Prim::Convert, to)]);
        }
        for prim in Prim::ALL.into_iter().filter(|prim| prim.arity() == 1) {
            if from.is_small_float() && prim.result(&[DType::F32], DType::F32) == Some(DType::F32) {
                let steps = [(Prim::Convert, DType::F32), (prim, DType::F32), (Prim::Convert, from)];
                compiled += agrees(from, &steps);
            } else if !from.is_small_float() && prim.result(&[from], from) == Some(from) {
                compiled += agrees(from, &[(prim, from)]);
            }
        }
    }
    assert!(compiled > 60 || levels().count() < 2, "{compiled}");
}

/// Against the block functions, which are compared with the definitions elsewhere.
#[test]
fn every_single_gives_what_the_block_functions_give() {
    let bits = if std::env::var_os("ARR_ALL_SINGLES").is_some() { 1u64 << 32 } else { 1 << 18 };
    // An odd factor goes through all numbers, and through some of every size before.
    let number = |place: u64| (place as u32).wrapping_mul(0x9e37_79b1);
    let over_lanes = |prim: &Prim| {
        let steps = || {
            lower(&chain(DType::F32, &[(*prim, DType::F32)]), TargetAbilities { any_scale: true, popcount: true }).steps
        };
        let whole = [VectorOp::Prim(*prim), VectorOp::Call(*prim)];
        prim.result(&[DType::F32], DType::F32) == Some(DType::F32)
            && steps().iter().all(|step| !whole.contains(&step.op))
    };
    let functions: Vec<Prim> = Prim::ALL.into_iter().filter(over_lanes).collect();
    assert!(functions.len() >= 8, "{functions:?}");
    for prim in functions {
        let code = chain(DType::F32, &[(prim, DType::F32)]);
        let function = block_fn(prim, &[DType::F32], DType::F32).expect("a function of f32");
        for level in levels() {
            let routine = compile(&code, level).expect("functions over lanes have code");
            let mut scratch = AlignedBytes::zeroed(routine.scratch.max(64)).unwrap();
            for block in 0..bits / COUNT as u64 {
                let places = (0..COUNT as u64).map(|place| block * COUNT as u64 + place);
                let input: Vec<f32> = places.map(|place| f32::from_bits(number(place))).collect();
                let (mut fast, mut slow) = (vec![0f32; COUNT], vec![0f32; COUNT]);
                let operands = [input.as_ptr() as usize, fast.as_mut_ptr() as usize];
                // SAFETY: all have as many elements.
                unsafe {
                    routine.run(
                        scratch.as_mut_ptr(),
                        &operands.map(|address| LoopOperand { address, stride: 4 }),
                        0,
                        COUNT,
                    );
                    function(
                        slow.as_mut_ptr().cast(),
                        input.as_ptr().cast(),
                        std::ptr::null(),
                        std::ptr::null(),
                        COUNT,
                    );
                }
                for ((x, fast), slow) in input.iter().zip(&fast).zip(&slow) {
                    let same = fast.to_bits() == slow.to_bits() || fast.is_nan() && slow.is_nan();
                    assert!(same, "{level} {} of {x} ({:x}): {fast} {slow}", prim.name(), x.to_bits());
                }
            }
        }
    }
}

/// Numbers that functions of two numbers treat apart, and some of every size.
fn awkward(dtype: DType) -> Vec<Scalar> {
    let plain = [
        0.0,
        0.5,
        1.0,
        1.5,
        2.0,
        3.0,
        0.3,
        7.75,
        1e-5,
        1e5,
        1e-30,
        1e30,
        1e-300,
        1e300,
        5e-324,
        f64::INFINITY,
        f64::NAN,
    ];
    let mut numbers: Vec<f64> = plain.into_iter().flat_map(|x| [x, -x]).collect();
    let mut state = 1u64;
    for place in 0..100 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let unit = (state >> 11) as f64 * 2f64.powi(-52) - 1.0;
        numbers.push(unit * 2f64.powi(place / 4 - 12));
        numbers.push(f64::from_bits(state));
    }
    numbers.into_iter().map(|x| eval(Prim::Convert, dtype, &[Scalar::of(x)])).collect()
}

#[test]
fn functions_of_two_numbers_give_what_the_interpreter_gives() {
    let mut compiled = 0;
    for dtype in [DType::F32, DType::F64] {
        let numbers = awkward(dtype);
        let pairs: Vec<(Scalar, Scalar)> = numbers.iter().flat_map(|&x| numbers.iter().map(move |&y| (x, y))).collect();
        let bytes = |number: fn(&(Scalar, Scalar)) -> Scalar| -> Vec<u8> {
            pairs.iter().flat_map(|pair| number(pair).bits.to_le_bytes()[..dtype.size()].to_vec()).collect()
        };
        let (x, y) = (bytes(|pair| pair.0), bytes(|pair| pair.1));
        for prim in [Prim::Pow, Prim::Hypot, Prim::Atan2, Prim::FloorDiv, Prim::Rem, Prim::Fmod] {
            let load = |input| Inst { op: InstOp::Load(input), dtype };
            let of = Inst { op: InstOp::Prim(prim, [Some(InstId(0)), Some(InstId(1)), None]), dtype };
            let code = Loop {
                body: Body { insts: vec![load(0), load(1), of] },
                inputs: vec![LoopInput::Array(dtype, Step::Dense); 2],
                outputs: vec![LoopOutput { value: InstId(2), step: Step::Dense }],
            };
            for level in levels() {
                let routine = compile(&code, level).expect("functions over lanes have code");
                compiled += 1;
                let mut scratch = AlignedBytes::zeroed(routine.scratch.max(64)).unwrap();
                let mut out = vec![0u8; x.len()];
                let stride = dtype.size() as isize;
                let operands = [x.as_ptr() as usize, y.as_ptr() as usize, out.as_mut_ptr() as usize];
                // SAFETY: all operands have as many elements.
                unsafe {
                    let operands = operands.map(|address| LoopOperand { address, stride });
                    routine.run(scratch.as_mut_ptr(), &operands, 0, pairs.len());
                }
                for (pair, bytes) in pairs.iter().zip(out.chunks(dtype.size())) {
                    let mut word = [0; 16];
                    word[..bytes.len()].copy_from_slice(bytes);
                    let got = Scalar { dtype, bits: u128::from_le_bytes(word) };
                    let expected = eval(prim, dtype, &[pair.0, pair.1]);
                    assert!(got.same(expected), "{level} {} {pair:?}: {got:?} {expected:?}", prim.name());
                }
            }
        }
    }
    assert!(compiled == 12 * levels().count(), "{compiled}");
}
