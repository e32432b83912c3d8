//! Prims of which an operand is a constant: some take another way then.
#![expect(unsafe_code, reason = "compiled code takes the addresses of its operands")]

use super::super::{instance, prepare};
use super::single;
use crate::exec::stepping::{Code, LoopOperand, Step};
use crate::exec::tests::Random;
use crate::kernel::{InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// The bits of a number as a float of 4 or 8 bytes.
fn float_bits(dtype: DType, value: f64) -> u128 {
    match dtype {
        DType::F32 => u128::from((value as f32).to_bits()),
        _ => u128::from(value.to_bits()),
    }
}

/// Compares a prim of numbers and a constant, which may come first, with what it means.
fn agrees_with_constant(random: &mut Random, prim: Prim, dtype: DType, constant: f64, first: bool) {
    const LEN: usize = 67;
    let (size, of) = (dtype.size(), |value: f64| float_bits(dtype, value));
    let mut code = single(prim, &[dtype, dtype], dtype, &[Step::Dense; 2], Step::Dense);
    code.body.insts[1].op = InstOp::Const(of(constant));
    code.inputs.pop();
    if first {
        code.body.insts[2].op = InstOp::Prim(prim, [Some(InstId(1)), Some(InstId(0)), None]);
    }
    let prepared = prepare(&code, true).unwrap();
    let mut instance = instance(&prepared).unwrap();
    let mut data: Vec<u8> = Vec::new();
    for element in 0..LEN {
        let zero = of(if element % 2 == 0 { 0.0 } else { -0.0 });
        let bits = if element < 8 { zero } else { random.scalar(dtype).bits };
        data.extend(&bits.to_le_bytes()[..size]);
    }
    let mut out = vec![0u8; LEN * size];
    let place = |bytes: *const u8| LoopOperand { address: bytes as usize, stride: size as isize };
    // SAFETY: both have as many elements.
    unsafe { instance.run(&[place(data.as_ptr()), place(out.as_mut_ptr())], 0, LEN) };
    for (x, fast) in data.chunks(size).zip(out.chunks(size)) {
        let scalar = |bytes: &[u8]| {
            let mut word = [0; 16];
            word[..size].copy_from_slice(bytes);
            crate::scalar::Scalar { dtype, bits: u128::from_le_bytes(word) }
        };
        let constant = crate::scalar::Scalar { dtype, bits: of(constant) };
        let args = if first { [constant, scalar(x)] } else { [scalar(x), constant] };
        let slow = crate::scalar::eval::eval(prim, dtype, &args);
        assert!(scalar(fast).same(slow), "{} {args:?}: {:?} {slow:?}", prim.name(), scalar(fast));
    }
}

/// A bound that is a constant takes another way than one that is loaded.
#[test]
fn bounds_treat_zeros_and_nans_as_ever() {
    let mut random = Random::new(3);
    for (dtype, prim) in [DType::F32, DType::F64].into_iter().flat_map(|d| [(d, Prim::Min), (d, Prim::Max)]) {
        for bound in [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-45] {
            for first in [false, true] {
                agrees_with_constant(&mut random, prim, dtype, bound, first);
            }
        }
    }
}

/// A division by a power of two may be a product.
#[test]
fn divisors_that_are_constants_divide_as_ever() {
    let mut random = Random::new(5);
    let least = f64::from(f32::MIN_POSITIVE);
    let powers = [1.0, 2.0, -4.0, 0.125, 0.5 / least, 1.0 / least, least, least / 4.0, f64::MIN_POSITIVE, 5e-324];
    for dtype in [DType::F32, DType::F64] {
        for divisor in powers.into_iter().chain([0.0, -0.0, 3.0, -0.3, f64::INFINITY, f64::NAN]) {
            for first in [false, true] {
                agrees_with_constant(&mut random, Prim::Div, dtype, divisor, first);
            }
        }
    }
}
