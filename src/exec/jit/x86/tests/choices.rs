//! Instructions that what is known of a value spares.

use super::super::target::InstructionSet;
use super::super::{lower, steps};
use crate::exec::machine::Level;
use crate::exec::stepping::{Loop, LoopInput, LoopOutput, Step};
use crate::kernel::{Body, Inst, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// The names of a loop's instructions at AVX2, without loads and stores.
fn instructions(insts: Vec<Inst>, input: DType) -> Vec<&'static str> {
    let outputs = vec![LoopOutput { value: InstId(insts.len() as u32 - 1), step: Step::Dense }];
    let code = Loop { body: Body { insts }, inputs: vec![LoopInput::Array(input, Step::Dense)], outputs };
    let target = InstructionSet::of(Level::Avx2).unwrap();
    let body = lower::lower(&code, &steps(&code, target.abilities_of_all()), target).unwrap();
    let named = body.steps.iter().map(|step| step.row.avx2.expect("AVX2 has it"));
    named.filter(|name| !name.starts_with("vmov")).collect()
}

fn load(dtype: DType) -> Inst {
    Inst { op: InstOp::Load(0), dtype }
}

fn number(dtype: DType, value: f64) -> Inst {
    let bits = if dtype == DType::F32 { (value as f32).to_bits().into() } else { value.to_bits().into() };
    Inst { op: InstOp::Const(bits), dtype }
}

fn whole(value: u64) -> Inst {
    Inst { op: InstOp::Const(value.into()), dtype: DType::I64 }
}

fn prim(prim: Prim, args: &[u32], dtype: DType) -> Inst {
    let mut operands = [None; 3];
    operands.iter_mut().zip(args).for_each(|(operand, &arg)| *operand = Some(InstId(arg)));
    Inst { op: InstOp::Prim(prim, operands), dtype }
}

/// `where(0 < x, x, 0)`, and its lesser beside 255 as `u8`.
#[test]
fn the_lesser_of_two_is_one_instruction_and_a_bounded_float_fits() {
    let float = DType::F32;
    let insts = vec![
        load(float),
        number(float, 0.0),
        number(float, 255.0),
        prim(Prim::Lt, &[1, 0], DType::Bool),
        prim(Prim::Select, &[3, 0, 1], float),
        prim(Prim::Lt, &[4, 2], DType::Bool),
        prim(Prim::Select, &[5, 4, 2], float),
        prim(Prim::Convert, &[6], DType::I32),
    ];
    assert_eq!(instructions(insts, float), ["vmaxps", "vminps", "vcvttps2dq"]);
}

/// A bounded `f64` as `i64`, which AVX2 has no instruction for.
#[test]
fn whole_floats_that_are_bounded_become_integers_by_a_sum() {
    let float = DType::F64;
    let insts = vec![
        load(float),
        number(float, 0.0),
        number(float, 1e6),
        prim(Prim::Floor, &[0], float),
        prim(Prim::Lt, &[1, 3], DType::Bool),
        prim(Prim::Select, &[4, 3, 1], float),
        prim(Prim::Lt, &[5, 2], DType::Bool),
        prim(Prim::Select, &[6, 5, 2], float),
        prim(Prim::Convert, &[7], DType::I64),
    ];
    assert_eq!(instructions(insts, float), ["vroundpd", "vmaxpd", "vminpd", "vaddpd", "vpsubq"]);
}

/// `(x*1103515245 + 12345) & 2147483647`
#[test]
fn a_product_of_which_the_lower_half_is_read_is_one_instruction() {
    let dtype = DType::I64;
    let product = |mask: u64| {
        let insts = vec![
            load(dtype),
            whole(1_103_515_245),
            whole(12345),
            whole(mask),
            prim(Prim::Mul, &[0, 1], dtype),
            prim(Prim::Add, &[4, 2], dtype),
            prim(Prim::And, &[5, 3], dtype),
        ];
        instructions(insts, dtype)
    };
    assert_eq!(product(0x7fff_ffff), ["vpmuludq", "vpaddq", "vpand"]);
    assert!(product(0x1_7fff_ffff).len() > 3);
}
