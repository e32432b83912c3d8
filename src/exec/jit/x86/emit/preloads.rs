//! Values that the body finds in registers or in scratch.
//!
//! They are constants, and elements that repeat throughout a row.

use super::super::assembler::{Memory, RAX, Rm, Writes};
use super::super::registers::PlacedInstruction;
use super::super::steps::{Allocation, InstructionForm, PreloadedValue};
use super::function::description;
use super::{ChunkKind, Emitter, at, slot_memory};

impl Emitter<'_> {
    /// Puts constants where the body looks for them.
    pub(super) fn constants(&mut self) {
        let is_slow = |step: &PlacedInstruction| matches!(step.form, InstructionForm::Call(_)) && step.mask.is_some();
        let has_slow_paths = self.allocated.steps.iter().any(is_slow);
        if !(self.a.is_linked() && has_slow_paths) {
            return self.fetch_constants();
        }
        // Slow paths bring them back, by the same code.
        let label = self.a.label();
        self.a.call_label(label);
        self.pool.constants = Some(label);
    }

    pub(super) fn fetch_constants(&mut self) {
        for number in 0..self.body.fixed.len() {
            if let (what @ PreloadedValue::Constant(_), Allocation::Register(register)) =
                (self.body.fixed[number].1, self.allocated.fixed[number])
            {
                self.fetch(what, register);
            }
        }
    }

    /// The vector registers that hold constants, a bit each.
    pub(super) fn constant_registers(&self) -> u32 {
        let fixed = self.body.fixed.iter().zip(&self.allocated.fixed);
        fixed.fold(0, |registers, ((_, what), home)| match (what, home) {
            (PreloadedValue::Constant(_), Allocation::Register(register)) => registers | 1 << register,
            _ => registers,
        })
    }

    /// Puts elements that repeat throughout a row, and what is made of them, where the body looks for them.
    pub(super) fn bring_repeated(&mut self) {
        for number in 0..self.body.fixed.len() {
            let what @ PreloadedValue::Repeat { .. } = self.body.fixed[number].1 else { continue };
            let [_, spare] = self.body.target.passing();
            let home = self.allocated.fixed[number];
            let register = if let Allocation::Register(register) = home { register } else { spare };
            self.fetch(what, register);
            if let Allocation::Slot(_) = home {
                self.preload(number, register);
            }
        }
        self.allocated.once.iter().for_each(|step| self.step(self.allocated, step, 0, ChunkKind::Whole));
    }

    /// Brings a constant, or an element that repeats, to a register.
    pub(super) fn fetch(&mut self, what: PreloadedValue, register: u8) {
        let (row, place) = match what {
            PreloadedValue::Constant(vector) => {
                let at = self.a.add_to_pool(vector);
                match [4, 8].into_iter().find(|&bytes| what.is_each(bytes)) {
                    Some(bytes) => (self.body.target.repeating(bytes), Memory::Part(at, bytes)),
                    None => (self.body.target.moving(8), Memory::Pool(at)),
                }
            }
            PreloadedValue::Repeat { input, offset, bytes } => {
                debug_assert!(self.is_repeated(input));
                let address = self.places.addresses[input].unwrap_or_else(|| {
                    self.a.load(RAX, description(input));
                    RAX
                });
                (self.body.target.repeating(bytes), at(address, offset))
            }
            PreloadedValue::Made => unreachable!("steps make it"),
        };
        self.whole_vector(row, (Writes::Register, register, None, Rm::Memory(place)));
    }

    /// Puts a vector where the body looks for a fixed value.
    pub(super) fn preload(&mut self, number: usize, from: u8) {
        let target = self.body.target;
        match self.allocated.fixed[number] {
            Allocation::Register(home) => {
                self.whole_vector(target.moving(8), (Writes::Register, home, None, Rm::Register(from)));
            }
            Allocation::Slot(slot) => {
                self.whole_vector(target.storing(8), (Writes::Last, from, None, Rm::Memory(slot_memory(slot))));
            }
            Allocation::Pool(_) => unreachable!("the pool holds constants"),
        }
    }
}
