//! From a loop's body to vector instructions.
//!
//! A value of a chunk of elements is one register whose lanes are as wide as its dtype; the chunk is as long as the
//! widest of them allows, so values of narrower dtypes fill half a register, or less. Truth values are mask registers,
//! complex numbers two registers.

use super::assembler::{Length, Row};
use super::steps::{Body, Class, Fixed, Form, Half, Reg, Step};
use super::target::Target;
use super::{divide, rows};
use crate::exec::stepping::{self, Input, Loop};
use crate::kernel::hash::QuickMap;
use crate::kernel::{InstOp, Value};
use crate::scalar::prim::Prim;
use crate::types::DType;
use std::collections::HashSet;

/// A value of a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) enum Held {
    Vector(Reg),
    Mask(Reg),
    Complex(Reg, Reg),
}

impl Held {
    pub(super) fn vector(self) -> Reg {
        match self {
            Held::Vector(reg) => reg,
            other => unreachable!("{other:?} is no vector"),
        }
    }

    pub(super) fn mask(self) -> Reg {
        match self {
            Held::Mask(reg) => reg,
            other => unreachable!("{other:?} is no mask"),
        }
    }
}

pub(super) struct Lowering<'l> {
    pub(super) code: &'l Loop,
    pub(super) body: Body,
    held: Vec<Option<Held>>,
    /// The results of instructions that were chosen before, each without its result.
    known: QuickMap<Step, Reg>,
    /// Two-byte floats that were rounded here, with their `f32`.
    pub(super) words: Vec<(Reg, Reg)>,
    /// `f32` that are NaN only with a lower half of 0.
    pub(super) upper: HashSet<Reg>,
    pub(super) target: Target,
    /// The bytes of the lanes of truth values that are vectors.
    pub(super) truth_bytes: QuickMap<Reg, usize>,
}

/// The instructions of a body; `None` where it needs what is not here.
pub(super) fn lower(code: &Loop, target: Target) -> Option<Body> {
    let used = used(code);
    let mut widest = 1;
    for (inst, _) in code.body.insts.iter().zip(&used).filter(|(_, used)| **used) {
        widest = widest.max(match inst.dtype {
            dtype if dtype.is_complex() => dtype.part().size(),
            // They are computed in `f32`.
            dtype if dtype.is_half() => 4,
            dtype => divide::lane(code, inst).unwrap_or(dtype.size()),
        });
    }
    let body = Body { chunk: target.bytes() / widest, target, ..Body::default() };
    let mut lowering = Lowering {
        code,
        body,
        held: vec![None; code.body.insts.len()],
        words: Vec::new(),
        upper: HashSet::new(),
        target,
        truth_bytes: QuickMap::default(),
        known: QuickMap::default(),
    };
    for index in (0..code.body.insts.len()).filter(|&index| used[index]) {
        let held = lowering.inst(index)?;
        lowering.held[index] = Some(held);
    }
    for (number, output) in code.outputs.iter().enumerate() {
        lowering.store(number, output)?;
    }
    drop_unused(&mut lowering.body);
    let runs = |step: &Step| target.has_masks() || step.row.avx2.is_some() && step.length <= Length::Ymm;
    lowering.body.steps.iter().all(runs).then_some(lowering.body)
}

/// Leaves out instructions whose result nobody uses.
fn drop_unused(body: &mut Body) {
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

/// Which values outputs depend on.
fn used(code: &Loop) -> Vec<bool> {
    let mut used = vec![false; code.body.insts.len()];
    code.outputs.iter().for_each(|output| used[output.value.0 as usize] = true);
    for index in (0..used.len()).rev().filter(|&index| matches!(code.body.insts[index].op, InstOp::Prim(..))) {
        if used[index]
            && let InstOp::Prim(_, args) = code.body.insts[index].op
        {
            args.iter().flatten().for_each(|arg| used[arg.0 as usize] = true);
        }
    }
    used
}

impl Lowering<'_> {
    // ---- Registers

    fn new_reg(&mut self, class: Class) -> Reg {
        self.body.classes.push(class);
        Reg(self.body.classes.len() as u32 - 1)
    }

    /// The vector with these bits in every lane of so many bytes.
    pub(super) fn constant(&mut self, bytes: usize, bits: u128) -> Reg {
        let mut vector = [0; 64];
        vector.chunks_exact_mut(bytes).for_each(|lane| lane.copy_from_slice(&bits.to_le_bytes()[..bytes]));
        self.fixed(Fixed::Constant(vector))
    }

    pub(super) fn fixed(&mut self, what: Fixed) -> Reg {
        if let Some(&(known, _)) = self.body.fixed.iter().find(|(_, known)| *known == what) {
            return known;
        }
        let reg = self.new_reg(Class::Vector);
        self.body.fixed.push((reg, what));
        reg
    }

    /// The length of a vector whose lanes have so many bytes.
    pub(super) fn length(&self, bytes: usize) -> Length {
        Length::of(self.body.chunk * bytes)
    }

    // ---- Instructions

    /// The result of an instruction, which is written once however often it is asked for.
    pub(super) fn step(&mut self, class: Class, step: Step) -> Reg {
        if let Some(&known) = self.known.get(&step) {
            return known;
        }
        let result = self.new_reg(class);
        self.body.steps.push(Step { result: Some(result), ..step });
        self.known.insert(step, result);
        result
    }

    pub(super) fn blank(&self, row: Row, length: Length, last: Reg) -> Step {
        Step {
            row,
            length,
            form: Form::Plain,
            result: None,
            tied: None,
            first: None,
            last: Some(last),
            mask: None,
            immediate: None,
            half: Half::First,
        }
    }

    /// Of one operand.
    pub(super) fn unary(&mut self, row: Row, length: Length, last: Reg, immediate: Option<u8>) -> Reg {
        let step = Step { immediate, ..self.blank(row, length, last) };
        self.step(Class::Vector, step)
    }

    /// Of one operand, to a shorter vector.
    pub(super) fn shorten(&mut self, row: Row, length: Length, last: Reg, immediate: Option<u8>) -> Reg {
        let step = Step { form: Form::ResultLast, immediate, ..self.blank(row, length, last) };
        self.step(Class::Vector, step)
    }

    pub(super) fn binary(&mut self, row: Row, length: Length, first: Reg, last: Reg) -> Reg {
        let step = Step { first: Some(first), ..self.blank(row, length, last) };
        self.step(Class::Vector, step)
    }

    /// Of three operands, the first of which is overwritten.
    pub(super) fn ternary(
        &mut self,
        row: Row,
        length: Length,
        [tied, first, last]: [Reg; 3],
        immediate: Option<u8>,
    ) -> Reg {
        let step = Step { tied: Some(tied), first: Some(first), immediate, ..self.blank(row, length, last) };
        self.step(Class::Vector, step)
    }

    /// A comparison.
    pub(super) fn test(&mut self, row: Row, length: Length, (first, last): (Reg, Reg), immediate: Option<u8>) -> Reg {
        let step = Step { first: Some(first), immediate, ..self.blank(row, length, last) };
        self.step(Class::Mask, step)
    }

    /// A shift by a count less than the width: left, right, or right with the sign.
    pub(super) fn shift(&mut self, bytes: usize, prim: Prim, signed: bool, x: Reg, count: u8) -> Reg {
        let (rows, digit) = match (prim, signed) {
            (Prim::Shl, _) => (rows::SHIFT, 6),
            (_, false) => (rows::SHIFT, 2),
            (_, true) => (rows::SHIFT_SIGNED, 4),
        };
        let row = rows::of(rows, bytes).called(shift_name(digit, bytes));
        let step = Step { form: Form::Digit(digit), immediate: Some(count), ..self.blank(row, self.length(bytes), x) };
        if bytes == 8 && digit == 4 && !self.target.has_masks() {
            return self.shift_signed_quads(x, count);
        }
        self.step(Class::Vector, step)
    }

    // ---- Values

    fn get(&self, value: Value) -> Held {
        self.held[value.0 as usize].expect("operands come first")
    }

    fn inst(&mut self, index: usize) -> Option<Held> {
        let inst = self.code.body.insts[index];
        let dtype = inst.dtype;
        Some(match inst.op {
            InstOp::Const(bits) => self.constant_of(dtype, bits),
            InstOp::Load(input) => match self.code.inputs[input as usize] {
                Input::Array(_, stepping::Step::Dense) => self.load(input as usize, dtype)?,
                Input::Array(_, stepping::Step::Alternate) => self.load_alternate(input as usize, dtype)?,
                Input::Array(_, stepping::Step::Repeat) => self.repeated(input as usize, dtype),
                _ => return None,
            },
            InstOp::Iota(_) => return None,
            InstOp::Prim(prim, values) => {
                let args: Vec<Held> = values.iter().flatten().map(|&value| self.get(value)).collect();
                let from = self.code.dtype(values[0].expect("a prim has operands"));
                self.prim(prim, from, dtype, &args, values)?
            }
        })
    }

    fn constant_of(&mut self, dtype: DType, bits: u128) -> Held {
        if dtype == DType::Bool {
            let vector = self.constant(1, bits);
            return Held::Mask(self.truth(vector));
        }
        if dtype.is_complex() {
            let part = dtype.part().size();
            let re = self.constant(part, bits & ((1 << (8 * part)) - 1));
            return Held::Complex(re, self.constant(part, bits >> (8 * part)));
        }
        Held::Vector(self.constant(dtype.size(), bits))
    }

    /// The mask of bytes that are not 0.
    fn truth(&mut self, bytes: Reg) -> Reg {
        self.common_bits(1, bytes, bytes)
    }

    fn repeated(&mut self, input: usize, dtype: DType) -> Held {
        let mut part = |offset, bytes| self.fixed(Fixed::Repeat { input, offset, bytes });
        if dtype.is_complex() {
            let bytes = dtype.part().size();
            let re = part(0, bytes);
            return Held::Complex(re, part(bytes as i32, bytes));
        }
        let reg = part(0, dtype.size());
        if dtype == DType::Bool { Held::Mask(self.truth(reg)) } else { Held::Vector(reg) }
    }

    fn load(&mut self, input: usize, dtype: DType) -> Option<Held> {
        let bytes = dtype.size();
        if bytes > 8 {
            return None;
        }
        if dtype.is_complex() && !self.target.has_masks() {
            return self.load_complex(input, dtype);
        }
        if dtype.is_complex() {
            let whole = self.body.chunk * bytes;
            let low = self.load_part(input, 0, bytes, Length::of(whole.min(64)));
            let high = if whole > 64 { self.load_part(input, 1, bytes, Length::Zmm) } else { low };
            let re = self.pick(|lane| 2 * lane, low, high);
            return Some(Held::Complex(re, self.pick(|lane| 2 * lane + 1, low, high)));
        }
        let reg = self.load_part(input, 0, bytes, self.length(bytes));
        Some(if dtype == DType::Bool { Held::Mask(self.truth(reg)) } else { Held::Vector(reg) })
    }

    /// A vector of an input's memory.
    pub(super) fn load_part(&mut self, input: usize, part: usize, bytes: usize, length: Length) -> Reg {
        let blank = self.blank(self.target.moving(bytes), length, Reg(0));
        let step = Step { form: Form::Load { input, part, copy: 0 }, last: None, ..blank };
        self.step(Class::Vector, step)
    }

    /// Every second element: from two vectors that have one element in common, so that nothing behind the last one is
    /// read.
    fn load_alternate(&mut self, input: usize, dtype: DType) -> Option<Held> {
        let (bytes, chunk) = (dtype.size(), self.body.chunk as u32);
        let complex = |dtype: DType| dtype.is_complex();
        if !matches!(bytes, 4 | 8) || self.code.body.insts.iter().any(|inst| complex(inst.dtype)) {
            return None;
        }
        let [low, high] = [0, 1].map(|part| self.load_part(input, part, bytes, self.length(bytes)));
        if !self.target.has_masks() {
            return Some(Held::Vector(self.every_second(bytes, low, high)));
        }
        let lanes = 64 / bytes as u32;
        let lane = |at: u32| match 2 * at {
            within if within < chunk => within,
            beyond => beyond - (chunk - 1) + lanes,
        };
        let numbers = self.lanes(bytes, |at| if at < chunk { lane(at) } else { 0 });
        let row = rows::PICK[usize::from(bytes == 8)];
        Some(Held::Vector(self.ternary(row, Length::Zmm, [numbers, low, high], None)))
    }

    /// A vector of numbers of so many bytes.
    pub(super) fn lanes(&mut self, bytes: usize, number: impl Fn(u32) -> u32) -> Reg {
        let mut vector = [0; 64];
        for (at, lane) in vector.chunks_exact_mut(bytes).enumerate() {
            lane[..4].copy_from_slice(&number(at as u32).to_le_bytes());
        }
        self.fixed(Fixed::Constant(vector))
    }

    /// Lanes of 4 bytes from two vectors, by their number in both.
    fn pick(&mut self, lane: impl Fn(u32) -> u32, low: Reg, high: Reg) -> Reg {
        let numbers = self.lanes(4, |at| lane(at) & 31);
        self.ternary(rows::PICK[0], Length::Zmm, [numbers, low, high], None)
    }

    fn store(&mut self, number: usize, output: &stepping::Output) -> Option<()> {
        let dtype = self.code.dtype(output.value);
        let held = self.get(output.value);
        let bytes = dtype.size();
        let whole = self.body.chunk * bytes;
        let row = match output.step {
            stepping::Step::Dense if bytes <= 8 => self.target.storing(bytes),
            stepping::Step::Stream if bytes <= 8 && whole >= Length::Xmm.bytes() => rows::STREAM,
            _ => return None,
        };
        let parts = match held {
            Held::Vector(reg) => vec![reg],
            Held::Mask(mask) => {
                let one = self.constant(1, 1);
                vec![self.kept(1, mask, one)]
            }
            Held::Complex(re, im) if !self.target.has_masks() => self.interleaved(dtype.part().size(), re, im)?,
            Held::Complex(re, im) => {
                let low = self.pick(|lane| lane / 2 + lane % 2 * 16, re, im);
                let rest = (whole > 64).then(|| self.pick(|lane| 8 + lane / 2 + lane % 2 * 16, re, im));
                [low].into_iter().chain(rest).collect()
            }
        };
        for (part, reg) in parts.into_iter().enumerate() {
            let step = Step {
                form: Form::Store { output: number, part, copy: 0 },
                ..self.blank(row, Length::of(whole.min(self.target.bytes())), reg)
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
