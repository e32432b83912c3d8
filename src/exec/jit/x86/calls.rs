//! Prims without instructions, or slow paths: functions of a chunk's elements in memory.

use super::lower::{ChunkValue, Lowering};
use super::rows;
use super::steps::{CalledFunction, Instruction, InstructionForm, Reg, RegClass};
use crate::exec::jit::lower::VectorStep;
use crate::scalar::prim::Prim;
use crate::types::DType;

impl Lowering<'_> {
    /// A prim of every lane.
    pub(super) fn call(&mut self, prim: Prim, step: &VectorStep, args: &[ChunkValue]) -> ChunkValue {
        let operands: Vec<Reg> = args.iter().map(|&arg| self.in_lanes(arg)).collect();
        let form = self.called(prim, step.args().map(|arg| self.source.dtype(arg)).collect(), step.dtype);
        let (first, last) = if let [only] = operands[..] { (None, only) } else { (Some(operands[0]), operands[1]) };
        let blank = self.blank(self.target.moving(8), self.target.whole(), last);
        let result = self.step(RegClass::Vector, Instruction { form, first, tied: operands.get(2).copied(), ..blank });
        if step.dtype == DType::Bool { ChunkValue::Mask(self.truth(result)) } else { ChunkValue::Vector(result) }
    }

    /// The result of the fast path, and where the mask says so that of the function.
    pub(super) fn slow_path(
        &mut self,
        prim: Prim,
        mask: Reg,
        fast: Reg,
        (step, args): (&VectorStep, &[ChunkValue]),
    ) -> Reg {
        let row = if self.target.has_masks() { rows::KORTEST } else { rows::avx2::ANY };
        let bytes = step.dtype.size();
        let mask = self.truths_in(bytes, mask);
        let operands: Vec<Reg> = args.iter().map(|&arg| self.in_lanes(arg)).collect();
        let form = self.called(prim, step.args().skip(2).map(|arg| self.source.dtype(arg)).collect(), step.dtype);
        let (first, last) = if let [only] = operands[..] { (None, only) } else { (Some(operands[0]), operands[1]) };
        let blank = self.blank(row, self.length(bytes), last);
        self.step(RegClass::Vector, Instruction { form, first, tied: Some(fast), mask: Some((mask, false)), ..blank })
    }

    /// A value as its elements are in memory.
    fn in_lanes(&mut self, held: ChunkValue) -> Reg {
        match held {
            ChunkValue::Vector(reg) => reg,
            ChunkValue::Mask(mask) => {
                let one = self.constant(1, 1);
                self.kept(1, mask, one)
            }
        }
    }

    fn called(&mut self, prim: Prim, operands: Vec<DType>, result: DType) -> InstructionForm {
        let called = CalledFunction { prim, operands, result, chunk: self.body.chunk };
        let known = self.body.calls.iter().position(|known| *known == called);
        InstructionForm::Call(known.unwrap_or_else(|| {
            self.body.calls.push(called);
            self.body.calls.len() - 1
        }))
    }
}
