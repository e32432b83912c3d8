//! The function of an inner loop: its stages as loops, with calls between them.
//!
//! ```text
//! fn(scratch, operands, start, len):
//!   addresses of operands at `start`; slots that do not change are filled
//!   without calls:  one loop over `len`
//!   with calls:     for each block: for each stage: its loop, its calls
//! ```
//!
//! A loop handles a chunk of elements at a time, then the rest one by one.

use super::bundle::{Bundle, Emitter, Lane, plain};
use super::memory::Place;
use super::stages::{Argument, Result, Stage, Stages};
use crate::exec::stepping::{Input, Loop, Step};
use crate::kernel::InstOp;
use crate::types::DType;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, SigRef, Signature, UserFuncName, Value, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

/// What a compiled loop is called with: `(scratch, operands, start, len)`; it returns 0.
pub(super) type Entry =
    unsafe extern "C" fn(*mut u8, *const crate::exec::stepping::Operand, start: usize, len: usize) -> u32;

/// Bytes of an operand's description.
const OPERAND: i32 = 16;

/// Writes the function of a loop.
pub(super) fn build(code: &Loop, stages: &Stages, target: TargetFrontendConfig) -> Function {
    let mut signature = Signature::new(target.default_call_conv);
    signature.params.extend([AbiParam::new(types::I64); 4]);
    signature.returns.push(AbiParam::new(types::I32));
    let mut function = Function::with_name_signature(UserFuncName::user(0, 0), signature);
    let mut context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut function, &mut context);
    Writer::start(code, stages, &mut b, target.default_call_conv).write();
    b.seal_all_blocks();
    b.finalize(target);
    function
}

/// An operand within the function.
#[derive(Clone, Copy)]
struct Access {
    /// The address of the element at `start`; of a count, its value there.
    base: Value,
    stride: Option<Value>,
    step: Step,
    dtype: DType,
}

struct Writer<'w, 'f> {
    code: &'w Loop,
    plan: &'w Stages,
    b: &'w mut FunctionBuilder<'f>,
    inputs: Vec<Access>,
    outputs: Vec<Access>,
    scratch: Value,
    len: Value,
    block_signature: Option<SigRef>,
}

impl<'w, 'f> Writer<'w, 'f> {
    fn start(code: &'w Loop, plan: &'w Stages, b: &'w mut FunctionBuilder<'f>, calls: CallConv) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let params: Vec<Value> = b.block_params(entry).to_vec();
        let block_signature = plan.has_calls().then(|| {
            let mut signature = Signature::new(calls);
            signature.params.extend([AbiParam::new(types::I64); 5]);
            b.import_signature(signature)
        });
        let (scratch, len) = (params[0], params[3]);
        let mut writer =
            Writer { code, plan, b, inputs: Vec::new(), outputs: Vec::new(), scratch, len, block_signature };
        for (index, &input) in code.inputs.iter().enumerate() {
            let (dtype, step) = match input {
                Input::Array(dtype, step) => (dtype, step),
                Input::Count => (DType::I64, Step::Strided),
            };
            let access = writer.access(index, dtype, step, params[1], params[2]);
            writer.inputs.push(access);
        }
        for (index, output) in code.outputs.iter().enumerate() {
            let dtype = code.dtype(output.value);
            let access = writer.access(code.inputs.len() + index, dtype, output.step, params[1], params[2]);
            writer.outputs.push(access);
        }
        writer
    }

    fn access(&mut self, index: usize, dtype: DType, step: Step, operands: Value, start: Value) -> Access {
        let at = index as i32 * OPERAND;
        let address = self.b.ins().load(types::I64, plain(), operands, at);
        let stride = step.is_sparse().then(|| self.b.ins().load(types::I64, plain(), operands, at + 8));
        let base = self.moved(Access { base: address, stride, step, dtype }, start);
        Access { base, stride, step, dtype }
    }

    /// The address of an operand's element.
    fn moved(&mut self, access: Access, index: Value) -> Value {
        let distance = match (access.step, access.stride) {
            (Step::Repeat, _) => return access.base,
            (Step::Back, _) => {
                let distance = self.scaled(index, access.dtype.size());
                return self.b.ins().isub(access.base, distance);
            }
            (_, Some(stride)) => self.b.ins().imul(index, stride),
            (_, None) => self.scaled(index, access.dtype.size()),
        };
        self.b.ins().iadd(access.base, distance)
    }

    fn scaled(&mut self, index: Value, size: usize) -> Value {
        match size {
            1 => index,
            size => self.b.ins().ishl_imm_u(index, i64::from(size.trailing_zeros())),
        }
    }

    fn write(mut self) {
        let zero = self.b.ins().iconst(types::I64, 0);
        if !self.plan.has_calls() {
            self.stage(&self.plan.stages[0], zero, self.len);
        } else {
            self.fill_fixed_slots();
            self.blocks(zero);
        }
        let status = self.b.ins().iconst(types::I32, 0);
        self.b.ins().return_(&[status]);
    }

    /// Runs the stages for one block after another.
    fn blocks(&mut self, zero: Value) {
        let (head, done) = (self.b.create_block(), self.b.create_block());
        let position = self.b.append_block_param(head, types::I64);
        self.b.ins().jump(head, &[zero.into()]);
        self.b.switch_to_block(head);
        let left = self.b.ins().isub(self.len, position);
        let block = self.b.ins().iconst(types::I64, self.plan.block as i64);
        let count = self.b.ins().umin(left, block);
        for stage in &self.plan.stages {
            if !stage.insts.is_empty() || !stage.keep.is_empty() || !stage.outputs.is_empty() {
                self.stage(stage, position, count);
            }
            for call in &stage.calls {
                let signature = self.block_signature.expect("functions with calls have their signature");
                let function = self.b.ins().iconst(types::I64, call.function as usize as i64);
                let mut operands = vec![match call.result {
                    Result::Slot(slot) => self.slot(slot),
                    Result::Output(output) => self.moved(self.outputs[output], position),
                }];
                for argument in call.args {
                    operands.push(match argument {
                        Argument::Slot(slot) => self.slot(slot),
                        Argument::Input(input) => self.moved(self.inputs[input], position),
                        Argument::None => zero,
                    });
                }
                operands.push(count);
                self.b.ins().call_indirect(signature, function, &operands);
            }
        }
        let next = self.b.ins().iadd(position, count);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, self.len);
        self.b.ins().brif(more, head, &[next.into()], done, &[]);
        self.b.switch_to_block(done);
    }

    fn slot(&mut self, slot: usize) -> Value {
        self.b.ins().iadd_imm_s(self.scratch, self.plan.slots[slot].offset as i64)
    }

    /// Fills the slots of constants and repeated elements, as far as a block will read them.
    fn fill_fixed_slots(&mut self) {
        for number in 0..self.plan.slots.len() {
            let slot = self.plan.slots[number];
            let Some(value) = slot.fixed else { continue };
            let address = self.slot(number);
            let block = self.b.ins().iconst(types::I64, self.plan.block as i64);
            let count = self.b.ins().umin(self.len, block);
            let bytes = self.scaled(count, slot.dtype.size());
            // A whole register's worth of elements; the row is longer than the block by more than that.
            let chunk = (16 / slot.dtype.size()).max(2);
            let mut emitter = Emitter { b: self.b, chunk };
            let bundle = match self.code.body.insts[value].op {
                InstOp::Const(bits) => emitter.constant(Lane::of(slot.dtype), bits),
                InstOp::Load(source) => emitter.load_repeated(slot.dtype, self.inputs[source as usize].base),
                InstOp::Iota(_) | InstOp::Prim(..) => unreachable!("these change"),
            };
            let bundle = Bundle { regs: vec![bundle.regs[0]], ..bundle };
            let (head, done) = (self.b.create_block(), self.b.create_block());
            let offset = self.b.append_block_param(head, types::I64);
            let zero = self.b.ins().iconst(types::I64, 0);
            self.b.ins().jump(head, &[zero.into()]);
            self.b.switch_to_block(head);
            let place = self.b.ins().iadd(address, offset);
            let chunk = 16 / slot.dtype.size();
            Emitter { b: self.b, chunk: chunk.max(2) }.store(&bundle, Place::Dense(place));
            let next = self.b.ins().iadd_imm_s(offset, 16);
            let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, bytes);
            self.b.ins().brif(more, head, &[next.into()], done, &[]);
            self.b.switch_to_block(done);
        }
    }

    /// How many elements an iteration handles: enough for full registers of the widest dtype, and more when there is
    /// little to do with each.
    fn chunk(&self, stage: &Stage) -> usize {
        let unroll = if stage.insts.len() <= 4 { 4 } else { 2 };
        let insts = &self.code.body.insts;
        let touched = stage.insts.iter().flat_map(|&index| {
            let args = match insts[index].op {
                InstOp::Prim(_, args) => args,
                _ => [None; 3],
            };
            args.into_iter().flatten().map(|value| value.0 as usize).chain([index])
        });
        let kept = stage.keep.iter().chain(&stage.outputs).map(|&(value, _)| value);
        let widest = touched.chain(kept).map(|index| insts[index].dtype.size()).max().unwrap_or(1);
        (unroll * 16 / widest).max(4)
    }

    /// The loop of a stage over `count` elements from `position`.
    fn stage(&mut self, stage: &Stage, position: Value, count: Value) {
        let chunk = self.chunk(stage);
        let inputs: Vec<Access> = (0..self.inputs.len()).map(|index| self.at(self.inputs[index], position)).collect();
        let outputs: Vec<Access> =
            (0..self.outputs.len()).map(|index| self.at(self.outputs[index], position)).collect();
        let (body, rest) = (self.b.create_block(), self.b.create_block());
        let (one, done) = (self.b.create_block(), self.b.create_block());
        let [at, from, last] = [body, rest, one].map(|block| self.b.append_block_param(block, types::I64));
        let zero = self.b.ins().iconst(types::I64, 0);
        // The first index at which a whole chunk no longer fits; perhaps negative.
        let limit = self.b.ins().iadd_imm_s(count, 1 - chunk as i64);
        let fits = self.b.ins().icmp(IntCC::SignedGreaterThan, limit, zero);
        self.b.ins().brif(fits, body, &[zero.into()], rest, &[zero.into()]);

        self.b.switch_to_block(body);
        self.iteration(stage, chunk, at, &inputs, &outputs);
        let next = self.b.ins().iadd_imm_s(at, chunk as i64);
        let fits = self.b.ins().icmp(IntCC::SignedLessThan, next, limit);
        self.b.ins().brif(fits, body, &[next.into()], rest, &[next.into()]);

        self.b.switch_to_block(rest);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, from, count);
        self.b.ins().brif(more, one, &[from.into()], done, &[]);

        self.b.switch_to_block(one);
        self.iteration(stage, 1, last, &inputs, &outputs);
        let next = self.b.ins().iadd_imm_s(last, 1);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, count);
        self.b.ins().brif(more, one, &[next.into()], done, &[]);
        self.b.switch_to_block(done);
    }

    fn at(&mut self, access: Access, position: Value) -> Access {
        Access { base: self.moved(access, position), ..access }
    }

    fn iteration(&mut self, stage: &Stage, chunk: usize, at: Value, inputs: &[Access], outputs: &[Access]) {
        let mut known: Vec<Option<Bundle>> = vec![None; self.code.body.insts.len()];
        for &index in &stage.insts {
            let inst = self.code.body.insts[index];
            let InstOp::Prim(_, args) = inst.op else { unreachable!("stages list prims") };
            let args: Vec<Bundle> =
                args.iter().flatten().map(|arg| self.fetch(arg.0 as usize, chunk, at, inputs, &mut known)).collect();
            known[index] = Some(Emitter { b: self.b, chunk }.prim(self.code, &inst, &args));
        }
        for &(value, slot) in &stage.keep {
            let bundle = self.fetch_fresh(value, chunk, at, inputs, &mut known);
            let size = self.plan.slots[slot].dtype.size();
            let base = self.slot(slot);
            let distance = self.scaled(at, size);
            let address = self.b.ins().iadd(base, distance);
            Emitter { b: self.b, chunk }.store(&bundle, Place::Dense(address));
        }
        for &(value, output) in &stage.outputs {
            let bundle = self.fetch(value, chunk, at, inputs, &mut known);
            let place = self.place(outputs[output], at);
            Emitter { b: self.b, chunk }.store(&bundle, place);
        }
    }

    fn place(&mut self, access: Access, at: Value) -> Place {
        let address = self.moved(access, at);
        match access.stride {
            Some(stride) => Place::Strided(address, stride),
            None if access.step == Step::Back => Place::Back(address),
            None => Place::Dense(address),
        }
    }

    /// A value that this stage computes, loads, or finds in its slot.
    fn fetch(
        &mut self,
        index: usize,
        chunk: usize,
        at: Value,
        inputs: &[Access],
        known: &mut [Option<Bundle>],
    ) -> Bundle {
        if let Some(bundle) = &known[index] {
            return bundle.clone();
        }
        let is_prim = matches!(self.code.body.insts[index].op, InstOp::Prim(..));
        if !is_prim {
            return self.fetch_fresh(index, chunk, at, inputs, known);
        }
        let slot = self.plan.slot_of[index].expect("values of earlier stages have slots");
        let dtype = self.plan.slots[slot].dtype;
        let base = self.slot(slot);
        let distance = self.scaled(at, dtype.size());
        let address = self.b.ins().iadd(base, distance);
        let bundle = Emitter { b: self.b, chunk }.load(dtype, Place::Dense(address));
        known[index] = Some(bundle.clone());
        bundle
    }

    /// A value that is made in this stage.
    fn fetch_fresh(
        &mut self,
        index: usize,
        chunk: usize,
        at: Value,
        inputs: &[Access],
        known: &mut [Option<Bundle>],
    ) -> Bundle {
        if let Some(bundle) = &known[index] {
            return bundle.clone();
        }
        let inst = self.code.body.insts[index];
        let bundle = match inst.op {
            InstOp::Const(bits) => Emitter { b: self.b, chunk }.constant(Lane::of(inst.dtype), bits),
            InstOp::Load(source) => {
                let access = inputs[source as usize];
                if access.step == Step::Repeat {
                    Emitter { b: self.b, chunk }.load_repeated(inst.dtype, access.base)
                } else {
                    let place = self.place(access, at);
                    Emitter { b: self.b, chunk }.load(inst.dtype, place)
                }
            }
            InstOp::Iota(source) => self.count(inputs[source as usize], chunk, at),
            InstOp::Prim(..) => unreachable!("prims are computed before they are fetched"),
        };
        known[index] = Some(bundle.clone());
        bundle
    }

    /// The next values of a count.
    fn count(&mut self, access: Access, chunk: usize, at: Value) -> Bundle {
        let stride = access.stride.expect("a count has a stride");
        let first = self.moved(access, at);
        let lane = Lane::of(DType::I64);
        let mut emitter = Emitter { b: self.b, chunk };
        let firsts = emitter.splat(lane, first);
        if chunk == 1 {
            return firsts;
        }
        let strides = emitter.splat(lane, stride);
        let regs = (0..firsts.regs.len()).map(|k| {
            let mut steps = [0; 16];
            steps[..8].copy_from_slice(&(2 * k as u64).to_le_bytes());
            steps[8..].copy_from_slice(&(2 * k as u64 + 1).to_le_bytes());
            let steps = emitter.pattern(types::I64X2, &steps);
            let distance = emitter.b.ins().imul(steps, strides.regs[0]);
            emitter.b.ins().iadd(firsts.regs[0], distance)
        });
        Bundle { lane, regs: regs.collect() }
    }
}
