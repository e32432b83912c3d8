//! Instruction selection: from a loop's body to vector instructions.
//!
//! A value of a chunk of elements is one register whose lanes are as wide as its dtype; the chunk is as long as the
//! widest of them allows, so values of narrower dtypes fill half a register, or less. Truth values are mask registers,
//! and a complex number's parts lie apart.

use super::assembler::{InstructionRow, VectorBits};
use super::steps::{Instruction, InstructionBody, InstructionForm, PreloadedValue, Reg, RegClass};
use super::target::InstructionSet;
use super::{lanes, rows};
use crate::exec::jit::lower::{Bounds, VectorBody, VectorOp, VectorStep, Virtual};
use crate::exec::stepping::{self, Loop, LoopInput};
use crate::hash::QuickMap;
use crate::scalar::prim::Prim;
use crate::types::DType;
use std::collections::HashSet;

/// Numbers of quarters of a vector, the last one first.
const REVERSED_QUARTERS: u8 = 0b00_01_10_11;

/// A value of a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) enum ChunkValue {
    Vector(Reg),
    Mask(Reg),
}

impl ChunkValue {
    pub(super) fn vector(self) -> Reg {
        match self {
            ChunkValue::Vector(reg) => reg,
            other @ ChunkValue::Mask(_) => unreachable!("{other:?} is no vector"),
        }
    }

    pub(super) fn mask(self) -> Reg {
        match self {
            ChunkValue::Mask(reg) => reg,
            other @ ChunkValue::Vector(_) => unreachable!("{other:?} is no mask"),
        }
    }
}

pub(super) struct Lowering<'l> {
    pub(super) code: &'l Loop,
    /// What is to be done.
    pub(super) source: &'l VectorBody,
    /// The bounds of each of its values.
    pub(super) bounds: Vec<Bounds>,
    /// The bits of each of its 64-bit integers that are read.
    pub(super) demanded: Vec<u64>,
    pub(super) body: InstructionBody,
    held: Vec<Option<ChunkValue>>,
    /// The results of instructions that were chosen before, each without its result.
    known: QuickMap<Instruction, Reg>,
    /// Two-byte floats that were rounded here, with their `f32`.
    pub(super) words: Vec<(Reg, Reg)>,
    /// `f32` that are NaN only with a lower half of 0.
    pub(super) upper: HashSet<Reg>,
    pub(super) target: InstructionSet,
    /// The bytes of the lanes of truth values that are vectors.
    pub(super) truth_bytes: QuickMap<Reg, usize>,
    /// Elements of tables that were looked up together, by the step that asks for them.
    pub(super) looked_up: QuickMap<usize, Reg>,
}

/// The instructions of a body; `None` where it needs what is not here.
pub(super) fn lower(code: &Loop, source: &VectorBody, target: InstructionSet) -> Option<InstructionBody> {
    let lanes = source.steps.iter().filter_map(|step| lanes::lane_bytes_needed(source, step, target));
    let widest = lanes.fold(source.widest(), usize::max);
    let body = InstructionBody { chunk: target.bytes() / widest, target, ..InstructionBody::default() };
    let mut lowering = Lowering {
        code,
        source,
        bounds: source.bounds(),
        demanded: source.demanded_bits(),
        body,
        held: Vec::with_capacity(source.steps.len()),
        words: Vec::new(),
        upper: HashSet::new(),
        target,
        truth_bytes: QuickMap::default(),
        looked_up: QuickMap::default(),
        known: QuickMap::default(),
    };
    for index in 0..source.steps.len() {
        let held = if let VectorOp::Store { output } = source.steps[index].op {
            lowering.store(output, &source.steps[index]).map(|()| None)?
        } else {
            Some(lowering.value(index)?)
        };
        lowering.held.push(held);
    }
    drop_unused(&mut lowering.body);
    lowering.body.steps.iter().all(|step| step.runs(target)).then_some(lowering.body)
}

/// Leaves out instructions whose result nobody uses.
fn drop_unused(body: &mut InstructionBody) {
    let mut used = vec![false; body.classes.len()];
    let mut needed = Vec::with_capacity(body.steps.len());
    for step in body.steps.iter().rev() {
        let need = step.result.is_none_or(|reg| used[reg.0 as usize]);
        needed.push(need);
        if need {
            step.operands().for_each(|reg| used[reg.0 as usize] = true);
        }
    }
    let mut needed = needed.into_iter().rev();
    body.steps.retain(|_| needed.next().expect("one for each"));
}

impl Lowering<'_> {
    // ---- Registers

    fn new_reg(&mut self, class: RegClass) -> Reg {
        self.body.classes.push(class);
        Reg(self.body.classes.len() as u32 - 1)
    }

    /// The vector with these bits in every lane of `bytes` bytes.
    pub(super) fn constant(&mut self, bytes: usize, bits: u128) -> Reg {
        let mut vector = [0; 64];
        vector.chunks_exact_mut(bytes).for_each(|lane| lane.copy_from_slice(&bits.to_le_bytes()[..bytes]));
        self.preload(PreloadedValue::Constant(vector))
    }

    pub(super) fn preload(&mut self, what: PreloadedValue) -> Reg {
        if let Some(&(known, _)) = self.body.fixed.iter().find(|(_, known)| *known == what) {
            return known;
        }
        let reg = self.new_reg(RegClass::Vector);
        self.body.fixed.push((reg, what));
        reg
    }

    /// The length of a vector that has a lane of `bytes` bytes for each element of a chunk.
    pub(super) fn length(&self, bytes: usize) -> VectorBits {
        VectorBits::of(self.body.chunk * bytes)
    }

    // ---- Instructions

    /// The result of an instruction, which is written once however often it is asked for.
    pub(super) fn step(&mut self, class: RegClass, step: Instruction) -> Reg {
        if let Some(&known) = self.known.get(&step) {
            return known;
        }
        let result = self.new_reg(class);
        self.body.steps.push(Instruction { result: Some(result), ..step });
        self.known.insert(step, result);
        result
    }

    pub(super) fn blank(&self, row: InstructionRow, length: VectorBits, last: Reg) -> Instruction {
        Instruction { last: Some(last), ..Instruction::blank(row, length, InstructionForm::Plain) }
    }

    /// Of one operand.
    pub(super) fn unary(&mut self, row: InstructionRow, length: VectorBits, last: Reg, immediate: Option<u8>) -> Reg {
        let step = Instruction { immediate, ..self.blank(row, length, last) };
        self.step(RegClass::Vector, step)
    }

    /// Of one operand, to a shorter vector.
    pub(super) fn shorten(&mut self, row: InstructionRow, length: VectorBits, last: Reg, immediate: Option<u8>) -> Reg {
        let step = Instruction { form: InstructionForm::ResultLast, immediate, ..self.blank(row, length, last) };
        self.step(RegClass::Vector, step)
    }

    pub(super) fn binary(&mut self, row: InstructionRow, length: VectorBits, first: Reg, last: Reg) -> Reg {
        let step = Instruction { first: Some(first), ..self.blank(row, length, last) };
        self.step(RegClass::Vector, step)
    }

    /// Of three operands, the first of which is overwritten.
    pub(super) fn ternary(
        &mut self,
        row: InstructionRow,
        length: VectorBits,
        [tied, first, last]: [Reg; 3],
        immediate: Option<u8>,
    ) -> Reg {
        let step = Instruction { tied: Some(tied), first: Some(first), immediate, ..self.blank(row, length, last) };
        self.step(RegClass::Vector, step)
    }

    /// A comparison.
    pub(super) fn test(
        &mut self,
        row: InstructionRow,
        length: VectorBits,
        (first, last): (Reg, Reg),
        immediate: Option<u8>,
    ) -> Reg {
        let step = Instruction { first: Some(first), immediate, ..self.blank(row, length, last) };
        self.step(RegClass::Mask, step)
    }

    /// A shift to the left, by a count less than the width.
    pub(super) fn shift_left(&mut self, bytes: usize, x: Reg, count: u8) -> Reg {
        self.shift(rows::SHIFT, 6, bytes, x, count)
    }

    /// A shift to the right that brings zeros, by a count less than the width.
    pub(super) fn shift_right(&mut self, bytes: usize, x: Reg, count: u8) -> Reg {
        self.shift(rows::SHIFT, 2, bytes, x, count)
    }

    /// A shift to the right that brings the sign, by a count less than the width.
    pub(super) fn shift_right_signed(&mut self, bytes: usize, x: Reg, count: u8) -> Reg {
        if bytes == 8 && !self.target.has_masks() {
            return self.shift_signed_quads(x, count);
        }
        self.shift(rows::SHIFT_SIGNED, 4, bytes, x, count)
    }

    fn shift(&mut self, rows: [InstructionRow; 4], digit: u8, bytes: usize, x: Reg, count: u8) -> Reg {
        let row = rows::of(rows, bytes).with_name(shift_name(digit, bytes));
        let step = Instruction {
            form: InstructionForm::Digit(digit),
            immediate: Some(count),
            ..self.blank(row, self.length(bytes), x)
        };
        self.step(RegClass::Vector, step)
    }

    // ---- Values

    pub(super) fn get(&self, value: Virtual) -> ChunkValue {
        self.held[value.0 as usize].expect("operands come first")
    }

    /// The value of a step.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other step is an operation of functions over lanes")]
    fn value(&mut self, index: usize) -> Option<ChunkValue> {
        let step = self.source.steps[index];
        let args: Vec<ChunkValue> = step.args().map(|arg| self.get(arg)).collect();
        Some(match step.op {
            VectorOp::Const(bits) if step.dtype == DType::Bool => {
                let vector = self.constant(1, bits);
                ChunkValue::Mask(self.truth(vector))
            }
            VectorOp::Const(bits) => ChunkValue::Vector(self.constant(step.dtype.size(), bits)),
            VectorOp::Load { input, part } => match self.code.inputs[input] {
                LoopInput::Array(dtype, stepping::Step::Dense) => self.load(input, dtype, part),
                LoopInput::Array(dtype, stepping::Step::Alternate) => self.load_alternate(input, dtype)?,
                LoopInput::Array(dtype, stepping::Step::Back) => self.load_back(input, dtype)?,
                LoopInput::Array(_, stepping::Step::Repeat) => self.repeated(input, step.dtype, part),
                LoopInput::Array(..) | LoopInput::Count => return None,
            },
            VectorOp::Prim(prim) => match self.instructions(prim, index, &args) {
                Some(held) => held,
                None => self.call(prim, &step, &args),
            },
            VectorOp::SlowPath(prim) => {
                let (mask, fast) = (args[0].mask(), args[1].vector());
                ChunkValue::Vector(self.slow_path(prim, mask, fast, (&step, &args[2..])))
            }
            VectorOp::Count { input } => ChunkValue::Vector(self.load_part(input, 0, 8, self.length(8))),
            VectorOp::Call(prim) => self.call(prim, &step, &args),
            VectorOp::Store { .. } => unreachable!("a store has no value"),
            op => self.operation(index, op, step.dtype, &args)?,
        })
    }

    /// A prim as instructions that the target has.
    fn instructions(&mut self, prim: Prim, index: usize, args: &[ChunkValue]) -> Option<ChunkValue> {
        let (steps, regs) = (self.body.steps.len(), self.body.classes.len());
        let held = self.prim(prim, index, args);
        if held.is_some() && self.body.steps[steps..].iter().all(|step| step.runs(self.target)) {
            return held;
        }
        self.body.steps.truncate(steps);
        self.known.retain(|_, reg| (reg.0 as usize) < regs);
        None
    }

    /// The mask of bytes that are not 0.
    pub(super) fn truth(&mut self, bytes: Reg) -> Reg {
        self.common_bits(1, bytes, bytes)
    }

    fn repeated(&mut self, input: usize, dtype: DType, part: usize) -> ChunkValue {
        let bytes = dtype.size();
        let reg = self.preload(PreloadedValue::Repeat { input, offset: (part * bytes) as i32, bytes });
        if dtype == DType::Bool { ChunkValue::Mask(self.truth(reg)) } else { ChunkValue::Vector(reg) }
    }

    fn load(&mut self, input: usize, dtype: DType, part: usize) -> ChunkValue {
        let bytes = dtype.size();
        if dtype.is_complex() {
            // Two vectors, or one.
            let (whole, vector) = (self.body.chunk * bytes, self.target.bytes());
            let low = self.load_part(input, 0, 8, VectorBits::of(whole.min(vector)));
            let high = if whole > vector { self.load_part(input, 1, 8, self.target.whole()) } else { low };
            return ChunkValue::Vector(match self.target.has_masks() {
                true => self.pick(bytes / 2, |lane| 2 * lane + part as u32, low, high),
                false => self.part_of(bytes / 2, [low, high], part),
            });
        }
        let reg = self.load_part(input, 0, bytes, self.length(bytes));
        if dtype == DType::Bool { ChunkValue::Mask(self.truth(reg)) } else { ChunkValue::Vector(reg) }
    }

    /// A vector of an input's memory.
    pub(super) fn load_part(&mut self, input: usize, part: usize, bytes: usize, length: VectorBits) -> Reg {
        let blank = self.blank(self.target.moving(bytes), length, Reg(0));
        let step = Instruction { form: InstructionForm::Load { input, part, copy: 0 }, last: None, ..blank };
        self.step(RegClass::Vector, step)
    }

    /// Every second element: from two vectors that have one element in common, so that nothing behind the last one is
    /// read.
    fn load_alternate(&mut self, input: usize, dtype: DType) -> Option<ChunkValue> {
        let (bytes, chunk) = (dtype.size(), self.body.chunk as u32);
        // Masks of the last elements are of one kind.
        let inputs =
            self.code.inputs.iter().map(|input| matches!(input, LoopInput::Array(dtype, _) if dtype.is_complex()));
        let outputs = self.code.outputs.iter().map(|output| self.code.dtype(output.value).is_complex());
        if !matches!(bytes, 4 | 8) || inputs.chain(outputs).any(|is_complex| is_complex) {
            return None;
        }
        let [low, high] = [0, 1].map(|part| self.load_part(input, part, bytes, self.length(bytes)));
        if !self.target.has_masks() {
            return Some(ChunkValue::Vector(self.every_second(bytes, low, high)));
        }
        let lanes = 64 / bytes as u32;
        let lane = |at: u32| match 2 * at {
            within if within < chunk => within,
            beyond => beyond - (chunk - 1) + lanes,
        };
        let numbers = self.lanes(bytes, |at| if at < chunk { lane(at) } else { 0 });
        let row = rows::PICK[usize::from(bytes == 8)];
        Some(ChunkValue::Vector(self.ternary(row, VectorBits::Zmm, [numbers, low, high], None)))
    }

    /// Elements that lie backwards: a vector that ends with the first one, turned around.
    fn load_back(&mut self, input: usize, dtype: DType) -> Option<ChunkValue> {
        let (bytes, chunk) = (dtype.size(), self.body.chunk);
        if !matches!(bytes, 4 | 8) || dtype.is_complex() || chunk * bytes < VectorBits::Xmm.bytes() {
            return None;
        }
        let x = self.load_part(input, 0, bytes, self.length(bytes));
        if bytes == 8 && !self.target.has_masks() {
            return Some(ChunkValue::Vector(self.unary(
                rows::avx2::PERMUTE_QUADS,
                VectorBits::Ymm,
                x,
                Some(REVERSED_QUARTERS),
            )));
        }
        let numbers = self.lanes(bytes, |at| (chunk as u32 - 1).saturating_sub(at));
        Some(ChunkValue::Vector(self.binary(rows::float(rows::PERMUTE, bytes), self.target.whole(), numbers, x)))
    }

    /// The vector that has in each lane, of `bytes` bytes, what `number` says of it.
    pub(super) fn lanes(&mut self, bytes: usize, number: impl Fn(u32) -> u32) -> Reg {
        let mut vector = [0; 64];
        for (at, lane) in vector.chunks_exact_mut(bytes).enumerate() {
            lane[..4].copy_from_slice(&number(at as u32).to_le_bytes());
        }
        self.preload(PreloadedValue::Constant(vector))
    }

    /// Lanes of 4 or 8 bytes from two vectors, by their number in both.
    fn pick(&mut self, bytes: usize, lane: impl Fn(u32) -> u32, low: Reg, high: Reg) -> Reg {
        let last = 2 * 64 / bytes as u32 - 1;
        let numbers = self.lanes(bytes, |at| lane(at) & last);
        self.ternary(rows::float(rows::PICK, bytes), VectorBits::Zmm, [numbers, low, high], None)
    }

    fn store(&mut self, number: usize, step: &VectorStep) -> Option<()> {
        let output = self.code.outputs[number];
        let bytes = self.code.dtype(output.value).size();
        let whole = self.body.chunk * bytes;
        let row = match output.step {
            stepping::Step::Dense => self.target.storing(bytes.min(8)),
            stepping::Step::Stream if whole >= VectorBits::Xmm.bytes() => rows::STREAM,
            stepping::Step::Repeat
            | stepping::Step::Back
            | stepping::Step::Alternate
            | stepping::Step::Strided
            | stepping::Step::Stream => return None,
        };
        let held: Vec<ChunkValue> = step.args().map(|arg| self.get(arg)).collect();
        let parts = match held[..] {
            [ChunkValue::Mask(mask)] => {
                let one = self.constant(1, 1);
                vec![self.kept(1, mask, one)]
            }
            [ChunkValue::Vector(re), ChunkValue::Vector(im)] if !self.target.has_masks() => {
                self.interleave_parts(step.dtype.size(), re, im)
            }
            [ChunkValue::Vector(re), ChunkValue::Vector(im)] => {
                let (bytes, lanes) = (step.dtype.size(), 64 / step.dtype.size() as u32);
                let low = self.pick(bytes, |lane| lane / 2 + lane % 2 * lanes, re, im);
                let rest = || self.pick(bytes, |lane| lanes / 2 + lane / 2 + lane % 2 * lanes, re, im);
                let rest = (whole > 64).then(rest);
                [low].into_iter().chain(rest).collect()
            }
            _ => vec![held[0].vector()],
        };
        for (part, reg) in parts.into_iter().enumerate() {
            let step = Instruction {
                form: InstructionForm::Store { output: number, part, copy: 0 },
                ..self.blank(row, VectorBits::of(whole.min(self.target.bytes())), reg)
            };
            self.body.steps.push(step);
        }
        Some(())
    }
}

pub(super) fn shift_name(digit: u8, bytes: usize) -> &'static str {
    let names = match digit {
        6 => ["vpsllw", "vpslld", "vpsllq"],
        2 => ["vpsrlw", "vpsrld", "vpsrlq"],
        _ => ["vpsraw", "vpsrad", "vpsraq"],
    };
    names[bytes.trailing_zeros() as usize - 1]
}
