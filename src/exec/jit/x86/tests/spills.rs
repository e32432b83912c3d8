//! Bodies with more values than there are registers.
#![expect(unsafe_code, reason = "compiled code takes the addresses of its operands")]

use super::super::compile;
use crate::array::bytes::AlignedBytes;
use crate::exec::block::Interpreter;
use crate::exec::machine::Level;
use crate::exec::stepping::{Code, Loop, LoopInput, LoopOperand, LoopOutput, Step};
use crate::exec::tests::Random;
use crate::kernel::{Body, Inst, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;

const LEN: usize = 37;

/// Some hundred values, each of two earlier ones however long ago those were made; the last ones are results.
fn tangled(random: &mut Random, dtype: DType) -> Loop {
    let mut insts: Vec<Inst> = (0..3).map(|input| Inst { op: InstOp::Load(input), dtype }).collect();
    for _ in 0..40 + random.below(60) {
        let [a, b] = [0; 2].map(|_| Some(InstId(random.below(insts.len()) as u32)));
        let prim = random.pick(&[Prim::Add, Prim::Sub, Prim::Xor, Prim::Mul]);
        insts.push(Inst { op: InstOp::Prim(prim, [a, b, None]), dtype });
    }
    // All of them, so that each is alive for a while.
    let count = insts.len();
    for value in 0..count {
        let last = if value == 0 { 1 } else { insts.len() - 1 };
        let operands = [Some(InstId(last as u32)), Some(InstId((value * 7 % count) as u32)), None];
        insts.push(Inst { op: InstOp::Prim(Prim::Xor, operands), dtype });
    }
    let outputs = [1, 2].map(|back| LoopOutput { value: InstId((insts.len() - back) as u32), step: Step::Dense });
    Loop { body: Body { insts }, inputs: vec![LoopInput::Array(dtype, Step::Dense); 3], outputs: outputs.to_vec() }
}

#[test]
fn values_that_registers_have_no_room_for_are_kept() {
    let mut random = Random::new(41);
    let mut spilled = [0; 2];
    for round in 0..60 {
        let dtype = [DType::I32, DType::U64, DType::I16][round % 3];
        let (code, size) = (tangled(&mut random, dtype), dtype.size());
        let inputs: Vec<Vec<u8>> = (0..3).map(|_| (0..LEN * size).map(|_| random.next() as u8).collect()).collect();
        let operands = |outputs: &mut [Vec<u8>; 2]| -> Vec<LoopOperand> {
            let inputs = inputs.iter().map(|bytes| bytes.as_ptr() as usize);
            let outputs = outputs.iter_mut().map(|bytes| bytes.as_mut_ptr() as usize);
            inputs.chain(outputs).map(|address| LoopOperand { address, stride: size as isize }).collect()
        };
        let [mut slow, mut fast] = [0; 2].map(|_| [0; 2].map(|_| vec![0u8; LEN * size]));
        // SAFETY: every operand has as many elements.
        unsafe { Interpreter::new(&code).unwrap().run(&operands(&mut slow), 0, LEN) };
        for level in [Level::Avx2, Level::Avx512].into_iter().filter(|level| level.runs_here()) {
            let routine = compile(&code, level).expect("arithmetic of integers has code");
            let mut scratch = AlignedBytes::zeroed(routine.scratch.max(64)).unwrap();
            // SAFETY: every operand has as many elements.
            unsafe { routine.run(scratch.as_mut_ptr(), &operands(&mut fast), 0, LEN) };
            assert!(fast == slow, "{level} {dtype} in round {round}");
            // One row is for the last elements with AVX2.
            spilled[usize::from(level == Level::Avx512)] += usize::from(routine.scratch > 64);
        }
    }
    assert!(spilled[0] > 20 || !Level::Avx2.runs_here(), "{spilled:?}");
    assert!(spilled[1] > 20 || !Level::Avx512.runs_here(), "{spilled:?}");
}
