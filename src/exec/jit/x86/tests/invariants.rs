//! The same value for a whole row, computed once as for each element.
#![expect(unsafe_code, reason = "compiled code takes the addresses of its operands")]

use super::super::target::InstructionSet;
use super::super::{compile, invariants, lower, rows, steps};
use crate::array::bytes::AlignedBytes;
use crate::exec::block::Interpreter;
use crate::exec::machine::Level;
use crate::exec::stepping::{Code, Loop, LoopInput, LoopOperand, LoopOutput, Step};
use crate::exec::tests::Random;
use crate::kernel::{Body, Inst, InstId, InstOp};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::types::DType;

const ROWS: usize = 3;
const REPEATED: usize = 3;

fn prim(prim: Prim, args: &[usize], dtype: DType) -> Inst {
    let arg = |number: usize| args.get(number).map(|&value| InstId(value as u32));
    Inst { op: InstOp::Prim(prim, [arg(0), arg(1), arg(2)]), dtype }
}

/// Inputs that repeat and one that does not, then values of two or three others each: at first of what repeats alone.
fn mixed(random: &mut Random, dtype: DType, count: usize) -> Loop {
    let mut insts: Vec<Inst> = (0..=REPEATED as u32).map(|input| Inst { op: InstOp::Load(input), dtype }).collect();
    insts.push(Inst { op: InstOp::Const(Scalar::one(dtype).bits), dtype });
    let arithmetic: &[Prim] = match dtype.is_float() {
        true => &[Prim::Add, Prim::Sub, Prim::Mul, Prim::Div, Prim::Sqrt, Prim::Floor, Prim::Neg, Prim::Max],
        false => &[Prim::Add, Prim::Sub, Prim::Mul, Prim::Xor, Prim::And, Prim::Max, Prim::Not],
    };
    for index in 0..count {
        let among = if index < count / 2 { REPEATED } else { insts.len() };
        let mut value = || loop {
            let value = random.below(among);
            // Truth values are no operands.
            if insts[value].dtype == dtype {
                break value;
            }
        };
        let [a, b, c, d] = [value(), value(), value(), value()];
        if random.below(4) == 0 {
            insts.push(prim(random.pick(&[Prim::Lt, Prim::Le, Prim::Eq]), &[a, b], DType::Bool));
            insts.push(prim(Prim::Select, &[insts.len() - 1, c, d], dtype));
            continue;
        }
        let op = random.pick(arithmetic);
        insts.push(prim(op, &[a, b][..op.arity()], dtype));
    }
    // All of them.
    let last = insts.len();
    for value in (0..last).filter(|&value| insts[value].dtype == dtype).collect::<Vec<usize>>() {
        insts.push(prim(Prim::Max, &[value, insts.len() - 1], dtype));
    }
    let mut inputs = vec![LoopInput::Array(dtype, Step::Repeat); REPEATED];
    inputs.push(LoopInput::Array(dtype, Step::Dense));
    let outputs = vec![LoopOutput { value: InstId(insts.len() as u32 - 1), step: Step::Dense }];
    Loop { body: Body { insts }, inputs, outputs }
}

#[test]
fn values_of_what_repeats_are_as_in_a_loop() {
    let mut random = Random::new(53);
    let (mut hoisted, mut ran) = (0, 0);
    for round in 0..200 {
        let dtype = [DType::F32, DType::F64, DType::I32, DType::U64, DType::I16][round % 5];
        let (count, len) = (3 + random.below(40), random.below(70));
        let (code, size) = (mixed(&mut random, dtype, count), dtype.size());
        let value = |random: &mut Random| {
            let number = random.below(9) as f64 - 4.0;
            let number = if number == 4.0 && dtype.is_float() { f64::NAN } else { number };
            crate::scalar::eval::eval(Prim::Convert, dtype, &[Scalar::of(number)]).bits.to_le_bytes()[..size].to_vec()
        };
        let once: Vec<u8> = (0..ROWS * REPEATED).flat_map(|_| value(&mut random)).collect();
        let dense: Vec<u8> = (0..ROWS * len).flat_map(|_| value(&mut random)).collect();
        let operands = |out: &mut Vec<u8>, row: usize| -> Vec<LoopOperand> {
            let repeated = (0..REPEATED).map(|input| (once.as_ptr() as usize + (row * REPEATED + input) * size, 0));
            let others = [dense.as_ptr(), out.as_ptr()].map(|of| (of as usize + row * len * size, size as isize));
            repeated.chain(others).map(|(address, stride)| LoopOperand { address, stride }).collect()
        };
        let mut slow = vec![0u8; ROWS * len * size];
        let mut interpreter = Interpreter::new(&code).unwrap();
        for row in 0..ROWS {
            // SAFETY: every operand has as many elements.
            unsafe { interpreter.run(&operands(&mut slow, row), 0, len) };
        }
        for level in [Level::Avx2, Level::Avx512].into_iter().filter(|level| level.runs_here()) {
            let target = InstructionSet::of(level).expect("a level with code");
            let mut body = lower::lower(&code, &steps(&code, target.abilities()), target).expect("arithmetic has code");
            invariants::hoist(&mut body);
            hoisted += body.once.steps.len();
            let routine = compile(&code, level).expect("arithmetic has code");
            let mut scratch = AlignedBytes::zeroed(routine.scratch.max(64)).unwrap();
            let mut fast = vec![0u8; ROWS * len * size];
            let to_next: Vec<isize> =
                [(REPEATED * size) as isize; REPEATED].into_iter().chain([(len * size) as isize; 2]).collect();
            // SAFETY: every operand has as many elements in each row.
            unsafe {
                if routine.has_rows {
                    routine.run_rows(scratch.as_mut_ptr(), &operands(&mut fast, 0), (0, len), ROWS, &to_next);
                } else {
                    (0..ROWS).for_each(|row| routine.run(scratch.as_mut_ptr(), &operands(&mut fast, row), 0, len));
                }
            }
            for (at, (fast, slow)) in fast.chunks(size).zip(slow.chunks(size)).enumerate() {
                let [fast, slow] = [fast, slow].map(|bytes| {
                    let mut word = [0; 16];
                    word[..size].copy_from_slice(bytes);
                    Scalar { dtype, bits: u128::from_le_bytes(word) }
                });
                assert!(fast.same(slow), "{level} {dtype} in round {round}, element {at} of {len}: {fast:?} {slow:?}");
            }
            ran += 1;
        }
    }
    assert!(ran == 0 || hoisted > 10 * ran, "{hoisted} of {ran}");
}

/// `x / sqrt(a)`: one root for a row.
#[test]
fn no_root_of_what_repeats_is_left_in_the_loop() {
    let insts = vec![
        Inst { op: InstOp::Load(0), dtype: DType::F64 },
        Inst { op: InstOp::Load(1), dtype: DType::F64 },
        prim(Prim::Sqrt, &[1], DType::F64),
        prim(Prim::Div, &[0, 2], DType::F64),
    ];
    let inputs = vec![LoopInput::Array(DType::F64, Step::Dense), LoopInput::Array(DType::F64, Step::Repeat)];
    let outputs = vec![LoopOutput { value: InstId(3), step: Step::Dense }];
    let code = Loop { body: Body { insts }, inputs, outputs };
    for target in [InstructionSet::Avx2, InstructionSet::Avx512] {
        let mut body = lower::lower(&code, &steps(&code, target.abilities_of_all()), target).expect("it has code");
        invariants::hoist(&mut body);
        let roots = |steps: &[steps::Instruction]| steps.iter().filter(|step| rows::FSQRT.contains(&step.row)).count();
        assert_eq!((roots(&body.steps), roots(&body.once.steps)), (0, 1));
        // What the root is of has no register in the loop.
        assert_eq!(body.fixed.len(), 1);
    }
}

/// `where(a > b, sqrt(a), b)*x + where(a > b, x, a)`: the mask that the loop reads stays, and so does what reads it.
#[test]
fn what_reads_a_mask_of_the_loop_stays_with_it() {
    let load = |input| Inst { op: InstOp::Load(input), dtype: DType::F64 };
    let insts = vec![
        load(0),
        load(1),
        load(2),
        prim(Prim::Lt, &[1, 0], DType::Bool),
        prim(Prim::Sqrt, &[0], DType::F64),
        prim(Prim::Select, &[3, 4, 1], DType::F64),
        prim(Prim::Mul, &[5, 2], DType::F64),
        prim(Prim::Select, &[3, 2, 0], DType::F64),
        prim(Prim::Add, &[6, 7], DType::F64),
    ];
    let repeated = LoopInput::Array(DType::F64, Step::Repeat);
    let inputs = vec![repeated, repeated, LoopInput::Array(DType::F64, Step::Dense)];
    let outputs = vec![LoopOutput { value: InstId(8), step: Step::Dense }];
    let code = Loop { body: Body { insts }, inputs, outputs };
    for target in [InstructionSet::Avx2, InstructionSet::Avx512] {
        let mut body = lower::lower(&code, &steps(&code, target.abilities_of_all()), target).expect("it has code");
        invariants::hoist(&mut body);
        // Everything that the steps before the loop read is made there.
        let mut made = vec![false; body.classes.len()];
        for step in &body.once.steps {
            assert!(step.operands().all(|reg| made[reg.0 as usize]), "{step:?}");
            step.result.into_iter().for_each(|reg| made[reg.0 as usize] = true);
        }
        assert!(!body.once.steps.is_empty());
    }
}
