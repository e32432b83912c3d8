//! Values of which something is known that chooses other instructions: the bounds of floats, the bits that are read.

use super::edges::apply;
use super::{Random, agree, dense, dims, output};
use crate::ir::NodeId;
use crate::ir::build::ProgramBuilder;
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::source::Span;
use crate::types::DType;

/// Long enough for every loop, and for last elements.
const LEN: usize = 203;

const FLOATS: [DType; 4] = [DType::F16, DType::Bf16, DType::F32, DType::F64];

fn input(b: &mut ProgramBuilder, random: &mut Random, name: &str, dtype: DType) -> NodeId {
    let node = b.input(name, Span::default(), dtype, dims(&[LEN]));
    b.bind(node, dense(random, dtype, &[LEN]));
    node
}

fn number(b: &mut ProgramBuilder, dtype: DType, value: f64) -> NodeId {
    let bits = u128::from(value.to_bits());
    b.constant(eval::eval(Prim::Convert, dtype, &[Scalar { dtype: DType::F64, bits }]))
}

/// The lesser of two (`least`) or the greater, as a choice, with the operands either way around.
fn choice(b: &mut ProgramBuilder, least: bool, swapped: bool, [x, y]: [NodeId; 2]) -> NodeId {
    let (x, y) = if swapped { (y, x) } else { (x, y) };
    let less = b.map(Prim::Lt, &[x, y]);
    b.map(Prim::Select, &if least { [less, x, y] } else { [less, y, x] })
}

#[test]
fn the_lesser_and_the_greater_as_choices_agree() {
    let mut random = Random::new(11);
    for dtype in DType::ALL.into_iter().filter(|dtype| !dtype.is_complex()) {
        for turn in 0..8 {
            let mut b = ProgramBuilder::default();
            let x = input(&mut b, &mut random, "x", dtype);
            let y = match turn < 4 {
                true => input(&mut b, &mut random, "y", dtype),
                false => b.constant(random.scalar(dtype)),
            };
            let node = choice(&mut b, turn % 2 == 0, turn / 2 % 2 == 0, [x, y]);
            b.output(output(node));
            agree(&b.finish());
        }
    }
}

/// Bounds of every kind before conversions to every integer dtype and to truth values: some fit, some do not, some let NaN through.
#[test]
fn conversions_of_bounded_floats_agree() {
    let mut random = Random::new(12);
    let ends: [f64; 14] =
        [-3e9, -2147483648.5, -32769.0, -1.0, -0.5, 0.0, 0.75, 99.0, 127.5, 255.0, 65535.0, 2147483520.0, 1e15, 9e18];
    for from in FLOATS {
        let float = from.computed_in();
        for to in DType::ALL.into_iter().filter(|to| to.is_integer() || *to == DType::Bool) {
            for turn in 0..12 {
                let mut b = ProgramBuilder::default();
                let x = input(&mut b, &mut random, "x", from);
                let x = b.convert(x, float);
                let (low, high) = (random.pick(&ends), random.pick(&ends));
                let (low, high) = (number(&mut b, float, low.min(high)), number(&mut b, float, low.max(high)));
                let x = if turn % 3 == 0 { b.map(Prim::Floor, &[x]) } else { x };
                let bounded = match turn % 4 {
                    0 => {
                        let x = b.map(Prim::Max, &[x, low]);
                        b.map(Prim::Min, &[x, high])
                    }
                    1 => {
                        let x = choice(&mut b, false, true, [x, low]);
                        choice(&mut b, true, false, [x, high])
                    }
                    2 => {
                        let x = choice(&mut b, false, false, [x, low]);
                        let sum = b.map(Prim::Add, &[x, low]);
                        choice(&mut b, true, turn > 6, [sum, high])
                    }
                    _ => {
                        let size = b.map(Prim::Abs, &[x]);
                        let x = choice(&mut b, true, false, [size, high]);
                        b.map(Prim::Mul, &[x, low])
                    }
                };
                let node = apply(&mut b, Prim::Convert, &[bounded], to);
                b.output(output(node));
                agree(&b.finish());
            }
        }
    }
}

/// Products of 64-bit integers of which a mask, a shift or a conversion reads the lower half.
#[test]
fn products_of_which_half_is_read_agree() {
    let mut random = Random::new(13);
    for dtype in [DType::I64, DType::U64] {
        for turn in 0..24 {
            let mut b = ProgramBuilder::default();
            let (x, y) = (input(&mut b, &mut random, "x", dtype), input(&mut b, &mut random, "y", dtype));
            let product = b.map(Prim::Mul, &[x, y]);
            let sum = b.map([Prim::Add, Prim::Sub, Prim::Xor, Prim::Or][turn % 4], &[product, x]);
            let bits = [0x7fff_ffff, 0xffff_ffff, 0xff, 0x1_ffff_ffff, u64::MAX, 1 << 31][turn / 4];
            let mask = b.constant(Scalar { dtype, bits: u128::from(bits) });
            let masked = b.map(Prim::And, &[sum, mask]);
            let short = b.convert(sum, [DType::I32, DType::U8, DType::U32][turn % 3]);
            let count = b.constant(Scalar { dtype, bits: 32 });
            let shifted = b.map(if turn % 5 == 0 { Prim::Shr } else { Prim::Shl }, &[sum, count]);
            for node in [masked, short, shifted].into_iter().skip(turn % 2).take(1 + turn % 3) {
                b.output(output(node));
            }
            agree(&b.finish());
        }
    }
}
