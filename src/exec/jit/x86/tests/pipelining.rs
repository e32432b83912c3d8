//! Tests of pipelined bodies. Deep ones are pipelined, and rounds which overlap compute what they should.
#![expect(unsafe_code, reason = "compiled code takes the addresses of its operands")]

use super::super::lower::lower as select;
use super::super::pipelining::pipeline;
use super::super::target::InstructionSet;
use super::super::{AMD, Interleaving, compile_as};
use crate::array::bytes::AlignedBytes;
use crate::exec::block::Interpreter;
use crate::exec::jit::lower::lower as steps;
use crate::exec::jit::tests::GuardedMemory;
use crate::exec::machine::Level;
use crate::exec::stepping::{Code, Loop, LoopInput, LoopOperand, LoopOutput, Step};
use crate::exec::tests::Random;
use crate::kernel::{Body, Inst, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// Bits of 0.75.
fn three_quarters(dtype: DType) -> u128 {
    if dtype == DType::F32 { u128::from(0.75f32.to_bits()) } else { u128::from(0.75f64.to_bits()) }
}

/// `where(x < 0.75, log(exp(log(exp(x) + y)) + y), x)`: what is loaded, and what is compared, is needed at both ends.
fn deep(dtype: DType) -> Loop {
    let mut insts = vec![
        Inst { op: InstOp::Load(0), dtype },
        Inst { op: InstOp::Load(1), dtype },
        Inst { op: InstOp::Const(three_quarters(dtype)), dtype },
    ];
    let mut prim = |prim, args: &[usize], dtype| {
        let mut operands = [None; 3];
        args.iter().zip(&mut operands).for_each(|(&arg, place)| *place = Some(InstId(arg as u32)));
        insts.push(Inst { op: InstOp::Prim(prim, operands), dtype });
        insts.len() - 1
    };
    let less = prim(Prim::Lt, &[0, 2], DType::Bool);
    let mut value = 0;
    for _ in 0..2 {
        let power = prim(Prim::Exp, &[value], dtype);
        let sum = prim(Prim::Add, &[power, 1], dtype);
        value = prim(Prim::Log, &[sum], dtype);
    }
    let chosen = prim(Prim::Select, &[less, value, 0], dtype);
    Loop {
        body: Body { insts },
        inputs: vec![LoopInput::Array(dtype, Step::Dense); 2],
        outputs: vec![LoopOutput { value: InstId(chosen as u32), step: Step::Dense }],
    }
}

/// `exp(x) - log(y)`
fn shallow(dtype: DType) -> Loop {
    let inst = |op| Inst { op, dtype };
    let insts = vec![
        inst(InstOp::Load(0)),
        inst(InstOp::Load(1)),
        inst(InstOp::Prim(Prim::Exp, [Some(InstId(0)), None, None])),
        inst(InstOp::Prim(Prim::Log, [Some(InstId(1)), None, None])),
        inst(InstOp::Prim(Prim::Sub, [Some(InstId(2)), Some(InstId(3)), None])),
    ];
    let outputs = vec![LoopOutput { value: InstId(4), step: Step::Dense }];
    Loop { body: Body { insts }, inputs: vec![LoopInput::Array(dtype, Step::Dense); 2], outputs }
}

fn body(code: &Loop) -> crate::exec::jit::x86::steps::InstructionBody {
    select(code, &steps(code, InstructionSet::Avx512.abilities()), InstructionSet::Avx512).unwrap()
}

#[test]
fn one_long_chain_is_cut_and_two_side_by_side_are_not() {
    for dtype in [DType::F32, DType::F64] {
        let cut = pipeline(&body(&deep(dtype)), 2).unwrap();
        assert!((2..=6).contains(&cut.kept), "{}", cut.kept);
        assert_eq!(cut.both.chunk, 2 * 64 / dtype.size());
        assert!(pipeline(&body(&shallow(dtype)), 2).is_none());
    }
}

#[test]
fn b08_rounds_that_overlap_stay_within_their_operands_and_give_the_same_bits() {
    let mut random = Random::new(13);
    let guards: Vec<GuardedMemory> = (0..4).map(|_| GuardedMemory::new()).collect();
    let levels = [Level::Avx2, Level::Avx512].into_iter().filter(|level| level.runs_here());
    let cases = levels.flat_map(|level| {
        [(level, DType::F32, 1), (level, DType::F32, 2), (level, DType::F64, 1), (level, DType::F64, 2)]
    });
    for (level, dtype, copies) in cases {
        let how = Interleaving { copies: [&[1], &[2]][copies - 1], ..AMD };
        let (code, size) = (deep(dtype), dtype.size());
        let routine = compile_as(&code, level, &how).unwrap();
        let mut scratch = AlignedBytes::zeroed(routine.scratch.max(64)).unwrap();
        let mut interpreter = Interpreter::new(&code).unwrap();
        // Up to four rounds of two chunks.
        for len in 0..=4 * 2 * 64 / size + 3 {
            let behind = random.below(2) == 0;
            let place = |guard: &GuardedMemory| guard.place(len * size, behind);
            let operand = |guard: &GuardedMemory| LoopOperand { address: place(guard) as usize, stride: size as isize };
            for guard in &guards[..2] {
                for element in 0..len {
                    let bits = random.scalar(dtype).bits.to_le_bytes();
                    // SAFETY: an element between the pages.
                    unsafe { std::ptr::copy_nonoverlapping(bits.as_ptr(), place(guard).add(element * size), size) };
                }
            }
            let [x, y, fast, slow] = [0, 1, 2, 3].map(|number: usize| operand(&guards[number]));
            // SAFETY: the operands lie between the pages; `fast` and `slow` are no longer than they.
            let read =
                |of: LoopOperand| unsafe { std::slice::from_raw_parts(of.address as *const u8, len * size) }.to_vec();
            // SAFETY: the operands lie between the pages, and have as many elements; at last the result takes the place
            // of an operand.
            unsafe {
                interpreter.run(&[x, y, slow], 0, len);
                routine.run(scratch.as_mut_ptr(), &[x, y, fast], 0, len);
                routine.run(scratch.as_mut_ptr(), &[x, y, x], 0, len);
            }
            let elements = |of: LoopOperand| {
                let scalar = |bytes: &[u8]| {
                    let mut word = [0; 16];
                    word[..size].copy_from_slice(bytes);
                    crate::scalar::Scalar { dtype, bits: u128::from_le_bytes(word) }
                };
                read(of).chunks(size).map(scalar).collect::<Vec<_>>()
            };
            let (meant, found, in_place) = (elements(slow), elements(fast), elements(x));
            for element in 0..len {
                let (meant, found, in_place) = (meant[element], found[element], in_place[element]);
                assert!(
                    found.same(meant) && in_place.same(meant),
                    "{element} of {len}: {found:?} {in_place:?} {meant:?}"
                );
            }
        }
    }
}
