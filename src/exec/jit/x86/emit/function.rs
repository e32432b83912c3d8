//! The frame of every function around its body: where it finds operands, what it saves, how it ends.

use super::super::assembler::{Assembler, Gpr, Memory, R8, R9, RAX, RDX, RSI, RSP};
use super::super::registers::{AllocatedBody, PlacedInstruction};
use super::super::steps::{InstructionBody, InstructionForm, PreloadedValue};
use super::{COUNTS, Emitter, OPERAND, OperandPlaces, PoolPlaces, Rounds, TableRegisters, at};
use crate::exec::stepping::{Loop, LoopInput, Step};
use crate::types::DType;

/// Registers for the addresses of operands; the callee keeps all but the first four.
pub(super) static ADDRESSES: [Gpr; 10] =
    [Gpr(8), Gpr(9), Gpr(10), Gpr(11), Gpr(3), Gpr(5), Gpr(12), Gpr(13), Gpr(14), Gpr(15)];
pub(super) const CALLER_SAVED: usize = 4;

/// What a function has on the stack.
pub(super) struct StackFrame {
    /// Registers of the caller, in the order in which they were saved.
    saved: &'static [Gpr],
    /// Bytes for calls, below them.
    bytes: i32,
}

/// The registers that the callee keeps, among those of the first `used` addresses.
pub(super) fn callee_saved(used: usize) -> &'static [Gpr] {
    &ADDRESSES[CALLER_SAVED.min(used)..used]
}

impl<'e> Emitter<'e> {
    /// Of a loop of single chunks, whose operands all have addresses.
    pub(super) fn new(
        code: &'e Loop,
        body: &'e InstructionBody,
        allocated: &'e AllocatedBody,
        a: &'e mut Assembler,
    ) -> Emitter<'e> {
        let fixed = body.fixed.iter().map(|(_, what)| match what {
            PreloadedValue::Constant(bytes) => a.add_to_pool(*bytes),
            PreloadedValue::Repeat { .. } | PreloadedValue::Made => 0,
        });
        let fixed = fixed.collect();
        let tables = body.tables.iter().map(|table| a.table(table)).collect();
        Emitter {
            code,
            body,
            allocated,
            rounds: Rounds::Plain,
            a,
            pool: PoolPlaces { fixed, tables, choices: None, constants: None },
            tables: TableRegisters { base: RAX, second: RAX, distances: None },
            places: OperandPlaces::default(),
            slow_paths: Vec::new(),
        }
    }

    /// Saves registers, and makes room for calls. How many rows there are, and how far operands move to the next, is
    /// pushed, too: addresses take their registers.
    pub(super) fn enter(&mut self, used: usize) -> StackFrame {
        let saved = callee_saved(used);
        saved.iter().for_each(|&register| self.a.push(register));
        let bytes = self.frame(saved.len());
        if bytes > 0 {
            self.a.add(RSP, -bytes);
        }
        [R9, R8].into_iter().for_each(|argument| self.a.push(argument));
        StackFrame { saved, bytes }
    }

    /// Undoes [`Emitter::enter`], and ends the function; slow paths lie behind it.
    pub(super) fn leave(&mut self, frame: StackFrame) {
        self.a.add(RSP, COUNTS + frame.bytes);
        frame.saved.iter().rev().for_each(|&register| self.a.pop(register));
        self.a.leave();
        self.slow_paths();
    }

    /// Chooses which register holds which operand's address. Returns how many registers are used.
    pub(super) fn choose_addresses(&mut self) -> Option<usize> {
        let mut free = ADDRESSES.into_iter();
        let moving: Vec<bool> = (0..self.code.inputs.len())
            .map(|input| {
                let loads =
                    |placed: &PlacedInstruction| matches!(placed.form, InstructionForm::Load { input: of, .. } if of == input);
                self.allocated.steps.iter().any(loads)
            })
            .chain(self.code.outputs.iter().map(|_| true))
            .collect();
        for (operand, &moves) in moving.iter().enumerate() {
            let needs_one = moves && self.scratch_place(operand).is_none();
            self.places.addresses.push(if needs_one { Some(free.next()?) } else { None });
        }
        if !self.pool.tables.is_empty() {
            self.tables.base = free.next()?;
            self.tables.second = free.next()?;
        }
        // What is read once in a row gets what is left.
        for operand in 0..self.places.addresses.len() {
            if self.places.addresses[operand].is_none() && self.scratch_place(operand).is_none() {
                self.places.addresses[operand] = free.next();
            }
        }
        Some(ADDRESSES.len() - free.len())
    }

    pub(super) fn operand_dtype(&self, operand: usize) -> DType {
        match operand.checked_sub(self.code.inputs.len()) {
            Some(output) => self.code.dtype(self.code.outputs[output].value),
            None => match self.code.inputs[operand] {
                LoopInput::Array(dtype, _) => dtype,
                LoopInput::Count => DType::I64,
            },
        }
    }

    pub(super) fn find_operands(&mut self) {
        for operand in 0..self.places.addresses.len() {
            let Some(register) = self.places.addresses[operand] else { continue };
            self.a.load(register, description(operand));
            if self.is_repeated(operand) {
                continue;
            }
            if self.is_count(operand) {
                self.find_count(operand, register);
                continue;
            }
            let index = self.scaled_index(operand);
            self.a.address(register, Memory::At { base: register, index: Some(index), offset: 0 });
        }
    }

    /// Whether one element of an operand is read for a whole row.
    pub(super) fn is_repeated(&self, operand: usize) -> bool {
        matches!(self.code.inputs.get(operand), Some(LoopInput::Array(_, Step::Repeat)))
    }

    /// Whether an operand's every second element is read.
    pub(super) fn is_alternate(&self, operand: usize) -> bool {
        matches!(self.code.inputs.get(operand), Some(LoopInput::Array(_, Step::Alternate)))
    }

    /// Whether an operand's elements lie backwards.
    pub(super) fn is_back(&self, operand: usize) -> bool {
        matches!(self.code.inputs.get(operand), Some(LoopInput::Array(_, Step::Back)))
    }

    /// The register and the scale that give the distance of an operand's element at the index. It may be `RAX`.
    pub(super) fn scaled_index(&mut self, operand: usize) -> (Gpr, u8) {
        if self.is_back(operand) {
            self.a.copy(RAX, RDX);
            self.a.negate(RAX);
            return (RAX, self.operand_dtype(operand).size() as u8);
        }
        let apart = self.operand_dtype(operand).size() * if self.is_alternate(operand) { 2 } else { 1 };
        if apart <= 8 {
            return (RDX, apart as u8);
        }
        self.a.address(RAX, Memory::At { base: RDX, index: Some((RDX, 1)), offset: 0 });
        (RAX, (apart / 2) as u8)
    }
}

/// Where an operand's address is.
pub(super) fn description(operand: usize) -> Memory {
    at(RSI, operand as i32 * OPERAND)
}
