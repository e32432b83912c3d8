//! Loops of vectors of 128 bits, as Cranelift's intermediate representation: for every processor that Cranelift knows.
//!
//! Each [step](crate::exec::jit::lower) has one arm here. Values live in [`bundle`]s of registers; [`frame`] puts the
//! loop around the body, [`memory`] loads and stores, [`calls`] do what has no instructions.

mod bundle;
mod calls;
mod constants;
mod convert;
mod frame;
mod functions;
mod memory;
pub(super) mod numbers;
mod prims;
mod recurrence;

use super::lower::{VectorBody, VectorOp, VectorStep, Virtual};
use crate::exec::machine::Level;
use crate::exec::stepping::{Loop, LoopInput, Step};
use crate::scalar::prim::Prim;
use crate::types::DType;
use bundle::{Bundle, Lane};
pub(super) use constants::ConstantTable;
use constants::TableReads;
#[cfg(feature = "object")]
pub(super) use constants::many_constants;
use cranelift_codegen::ir::{
    AbiParam, Function, InstBuilder, SigRef, Signature, StackSlot, UserFuncName, Value, types,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use frame::Access;
pub(super) use recurrence::{REPORT, recurrence};
use std::collections::HashMap;

/// A prim that is called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct CalledPrim {
    pub(super) prim: Prim,
    /// The dtypes of its operands.
    pub(super) operands: Vec<DType>,
    pub(super) result: DType,
}

/// How code reaches what is outside of it.
#[derive(Clone, Copy)]
pub(super) enum Link<'l> {
    /// By addresses in this process: of tables, and of the block functions of a level.
    Here { tables: &'l [usize], level: Level },
    /// By numbers in a module: of tables, and of the functions that are called. Its code is `small` where processors
    /// overlap the iterations of long bodies. `constants` are those that uses read from memory.
    #[cfg_attr(not(feature = "object"), expect(dead_code, reason = "objects alone are modules"))]
    Module { tables: &'l [u32], calls: &'l HashMap<CalledPrim, u32>, small: bool, constants: Option<&'l ConstantTable> },
}

/// Writes a loop's body.
struct ClifWriter<'e, 'f> {
    b: &'e mut FunctionBuilder<'f>,
    code: &'e Loop,
    body: &'e VectorBody,
    /// How the function reaches what is outside of it.
    link: Link<'e>,
    /// Elements of an iteration.
    chunk: usize,
    /// Inputs, then outputs, where they are in this iteration.
    accesses: Vec<Access>,
    values: BodyValues,
    calls: BlockCalls,
}

/// The values of a body that are known so far.
struct BodyValues {
    /// The results of steps.
    steps: Vec<Option<Bundle>>,
    /// Elements that repeat, in every lane.
    repeated: Vec<Option<Bundle>>,
    /// Complex inputs as they are in memory.
    pairs: Vec<Option<Bundle>>,
    /// Constants that each use reads from memory.
    reads: TableReads,
}

/// How block functions are called.
struct BlockCalls {
    signature: SigRef,
    /// Memory of their arguments and results.
    slots: Vec<StackSlot>,
}

/// The function of a loop, and how many bytes of scratch it needs. Its tables stay where they are while it runs.
pub(super) fn function(code: &Loop, body: &VectorBody, link: Link, target: TargetFrontendConfig) -> (Function, usize) {
    written(code, body, link, chunk(code, body, link), target, |mut writer| writer.frame())
}

/// A function of four words, written around a loop's body that computes `chunk` elements at once.
fn written<R>(
    code: &Loop,
    body: &VectorBody,
    link: Link,
    chunk: usize,
    target: TargetFrontendConfig,
    write: impl FnOnce(ClifWriter) -> R,
) -> (Function, R) {
    let mut signature = Signature::new(target.default_call_conv);
    signature.params.extend([AbiParam::new(types::I64); 4]);
    let mut function = Function::with_name_signature(UserFuncName::user(0, 0), signature);
    let mut context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut function, &mut context);
    let mut of_block = Signature::new(target.default_call_conv);
    of_block.params.extend([AbiParam::new(types::I64); 5]);
    let signature = b.import_signature(of_block);
    let result = write(ClifWriter {
        b: &mut b,
        code,
        body,
        link,
        chunk,
        accesses: Vec::new(),
        values: BodyValues {
            steps: vec![None; body.steps.len()],
            repeated: vec![None; code.inputs.len()],
            pairs: vec![None; code.inputs.len()],
            reads: TableReads::default(),
        },
        calls: BlockCalls { signature, slots: Vec::new() },
    });
    b.seal_all_blocks();
    b.finalize(target);
    (function, result)
}

/// What the code of a body calls.
#[cfg_attr(not(feature = "object"), expect(dead_code, reason = "objects alone are modules"))]
#[expect(clippy::wildcard_enum_match_arm, reason = "every other step calls nothing")]
pub(super) fn calls(body: &VectorBody) -> Vec<CalledPrim> {
    let called = |step: &VectorStep| {
        let (prim, skipped, result) = match step.op {
            VectorOp::Prim(prim) if prims::has_instructions(body, prim, step) => return None,
            VectorOp::Prim(prim) | VectorOp::Call(prim) => (prim, 0, step.dtype),
            VectorOp::SlowPath(prim) => (prim, 2, step.dtype),
            _ => return None,
        };
        let operands = step.args().skip(skipped).map(|arg| body.dtype(arg)).collect();
        Some(CalledPrim { prim, operands, result })
    };
    body.steps.iter().filter_map(called).collect()
}

/// How many elements an iteration handles: enough for full registers of the widest lanes, and more when there is little
/// to do with each.
fn chunk(code: &Loop, body: &VectorBody, link: Link) -> usize {
    let computed = |step: &&VectorStep| !matches!(step.op, VectorOp::Const(_));
    let is_small = matches!(link, Link::Module { small: true, .. });
    let unroll = match body.steps.iter().filter(computed).count() {
        0..=8 => 4,
        9..=20 => 2,
        21..=40 if !is_small => 2,
        _ => 1,
    };
    let least = if is_small && is_of_quads(code, body) { 2 } else { 4 };
    (unroll * 16 / body.widest()).max(least)
}

/// Whether every value has eight bytes, in memory as well.
fn is_of_quads(code: &Loop, body: &VectorBody) -> bool {
    let is_quad = |dtype: DType| dtype.size() == 8;
    let outputs = code.outputs.iter().map(|output| code.dtype(output.value));
    let in_memory = outputs.chain(code.inputs.iter().filter_map(|input| match *input {
        LoopInput::Array(dtype, _) => Some(dtype),
        LoopInput::Count => None,
    }));
    in_memory.into_iter().all(is_quad) && body.steps.iter().all(|step| is_quad(step.dtype) || step.dtype == DType::Bool)
}

impl ClifWriter<'_, '_> {
    fn get(&mut self, value: Virtual) -> Bundle {
        let step = &self.body.steps[value.0 as usize];
        if let (VectorOp::Const(bits), true) = (step.op, self.values.reads.are_made()) {
            return self.constant(Lane::of(step.dtype), bits);
        }
        self.values.steps[value.0 as usize].clone().expect("operands come first")
    }

    /// The steps, of the chunk that accesses lead to.
    fn steps(&mut self) {
        for index in 0..self.body.steps.len() {
            self.values.steps[index] = self.step(self.body.steps[index]);
        }
    }

    /// The value of a step; a store has none.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other step is an operation of functions over lanes")]
    fn step(&mut self, step: VectorStep) -> Option<Bundle> {
        let args: Vec<Bundle> = step.args().map(|arg| self.get(arg)).collect();
        Some(match step.op {
            // Each use reads it.
            VectorOp::Const(_) if self.values.reads.are_made() => return None,
            VectorOp::Const(bits) => self.constant(Lane::of(step.dtype), bits),
            VectorOp::Load { input, part } => self.element(input, part, step.dtype),
            VectorOp::Count { input } => self.count_from(self.accesses[input]),
            VectorOp::Store { output } => {
                let stored = if let [re, im] = &args[..] { self.pair(re, im) } else { args[0].clone() };
                let place = self.accesses[self.code.inputs.len() + output].place();
                self.store(&stored, place);
                return None;
            }
            VectorOp::Prim(prim) if prims::has_instructions(self.body, prim, &step) => self.prim(prim, &step, &args),
            VectorOp::Prim(prim) | VectorOp::Call(prim) => {
                let operands: Vec<Virtual> = step.args().collect();
                self.call(prim, &operands, step.dtype)
            }
            VectorOp::SlowPath(prim) => {
                let operands: Vec<Virtual> = step.args().skip(2).collect();
                self.slow_path(prim, &args[0], &args[1], &operands)
            }
            op => {
                let dtype = step.operands[0].map_or(step.dtype, |arg| self.body.dtype(arg));
                self.operation(op, if dtype == DType::Bool { step.dtype } else { dtype }, &args)
            }
        })
    }

    /// Elements of an input, or a part of each.
    fn element(&mut self, input: usize, part: usize, dtype: DType) -> Bundle {
        let LoopInput::Array(memory, step) = self.code.inputs[input] else { unreachable!("a count is not loaded") };
        if !memory.is_complex() {
            return self.whole_element(input, memory, step);
        }
        let pairs = match &self.values.pairs[input] {
            Some(pairs) => pairs.clone(),
            None => self.whole_element(input, memory, step),
        };
        self.values.pairs[input] = Some(pairs.clone());
        self.part(&pairs, part == 1, Lane::of(dtype))
    }

    fn whole_element(&mut self, input: usize, dtype: DType, step: Step) -> Bundle {
        match step {
            Step::Repeat => self.values.repeated[input].clone().expect("what repeats is loaded before the loop"),
            Step::Dense | Step::Back | Step::Alternate | Step::Strided | Step::Stream => {
                self.load(dtype, self.accesses[input].place())
            }
        }
    }

    /// The next values of a count.
    fn count_from(&mut self, access: Access) -> Bundle {
        let lane = Lane::of(DType::I64);
        let [first, stride] = [access.address, access.stride].map(|value| self.splat(lane, value).regs[0]);
        let regs = (0..self.count(lane)).map(|k| {
            let mut steps = [0; 16];
            steps[..8].copy_from_slice(&(2 * k as u64).to_le_bytes());
            steps[8..].copy_from_slice(&(2 * k as u64 + 1).to_le_bytes());
            let steps = self.pattern(types::I64X2, &steps);
            let distance = self.b.ins().imul(steps, stride);
            self.b.ins().iadd(first, distance)
        });
        Bundle { lane, regs: regs.collect() }
    }

    fn number(&mut self, value: usize) -> Value {
        self.b.ins().iconst(types::I64, value as i64)
    }
}
