//! Memory access of bundles.

use super::ClifWriter;
use super::bundle::{Bundle, Lane, constant_memory};
use super::numbers::plain;
use crate::types::DType;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// Where the elements of an operand or of scratch are in the current iteration.
#[derive(Clone, Copy, Debug)]
pub(super) enum ElementCursor {
    /// Elements one after the other from an address.
    Dense(Value),
    /// Elements one before the other from an address; they are only loaded.
    Back(Value),
    /// From an address by a distance.
    Strided(Value, Value),
}

/// Distances of registers in memory.
const REGISTER: i32 = 16;

impl ClifWriter<'_, '_> {
    /// The elements of a chunk.
    pub(super) fn load(&mut self, dtype: DType, place: ElementCursor) -> Bundle {
        let lane = Lane { mask: false, ..Lane::of(dtype) };
        let bundle = match place {
            ElementCursor::Dense(address) => self.load_dense(lane, address),
            ElementCursor::Back(address) => self.load_back(lane, address),
            ElementCursor::Strided(address, stride) => self.load_strided(lane, address, stride),
        };
        // Truth values from outside may be any byte.
        if dtype == DType::Bool { self.nonzero(&bundle) } else { bundle }
    }

    fn load_dense(&mut self, lane: Lane, address: Value) -> Bundle {
        if self.chunk == 1 {
            let element = self.b.ins().load(lane.scalar(), plain(), address, 0);
            return self.splat(lane, element);
        }
        let regs = match self.chunk * lane.bytes {
            4 => {
                let word = self.b.ins().load(types::I32, plain(), address, 0);
                let word = self.b.ins().scalar_to_vector(types::I32X4, word);
                vec![self.cast(lane.vector(), word)]
            }
            8 => {
                let word = self.b.ins().load(types::I64, plain(), address, 0);
                let word = self.b.ins().scalar_to_vector(types::I64X2, word);
                vec![self.cast(lane.vector(), word)]
            }
            bytes => {
                let load = |k: usize| self.b.ins().load(lane.vector(), plain(), address, k as i32 * REGISTER);
                (0..bytes / 16).map(load).collect()
            }
        };
        Bundle { lane, regs }
    }

    /// Loads what lies up to an address, and turns it round.
    fn load_back(&mut self, lane: Lane, address: Value) -> Bundle {
        let bytes = lane.bytes;
        let first = self.b.ins().iadd_imm_s(address, -(((self.chunk - 1) * bytes) as i64));
        let mut bundle = self.load_dense(lane, first);
        bundle.regs.reverse();
        // Lanes of a register that holds fewer than it could stay where they are.
        let lanes = (16 / bytes).min(self.chunk);
        let pick: [u8; 16] = std::array::from_fn(|byte| match byte / bytes {
            at if at < lanes => ((lanes - 1 - at) * bytes + byte % bytes) as u8,
            _ => byte as u8,
        });
        if lanes > 1 {
            for register in &mut bundle.regs {
                *register = self.shuffle(lane.vector(), *register, *register, pick);
            }
        }
        bundle
    }

    fn load_strided(&mut self, lane: Lane, mut address: Value, stride: Value) -> Bundle {
        let per_register = (16 / lane.bytes).min(self.chunk);
        let mut regs = Vec::new();
        for register in 0..self.count(lane) {
            let mut value = None;
            for at in 0..per_register {
                if register + at > 0 {
                    address = self.b.ins().iadd(address, stride);
                }
                if lane.bytes == 16 {
                    value = Some(self.b.ins().load(types::I8X16, plain(), address, 0));
                    continue;
                }
                let element = self.b.ins().load(lane.scalar(), plain(), address, 0);
                value = Some(match value {
                    None if lane.bytes == 1 => self.b.ins().splat(types::I8X16, element),
                    None => self.b.ins().scalar_to_vector(lane.vector(), element),
                    Some(so_far) => self.b.ins().insertlane(so_far, element, at as u8),
                });
            }
            regs.push(value.expect("a register has lanes"));
        }
        Bundle { lane, regs }
    }

    /// Truth values as bytes; everything else as it is.
    fn in_memory(&mut self, value: &Bundle) -> Bundle {
        if value.lane.mask {
            return self.choose_one(value, Lane::integer(1), 1);
        }
        value.clone()
    }

    /// Stores a chunk.
    pub(super) fn store(&mut self, value: &Bundle, place: ElementCursor) {
        let value = self.in_memory(value);
        match place {
            ElementCursor::Dense(address) => self.store_dense(&value, address),
            ElementCursor::Back(_) => unreachable!("outputs that go backwards are strided"),
            ElementCursor::Strided(address, stride) => self.store_strided(&value, address, stride),
        }
    }

    fn store_dense(&mut self, value: &Bundle, address: Value) {
        if self.chunk == 1 && value.lane.bytes < 16 {
            let element = self.b.ins().extractlane(value.regs[0], 0);
            self.b.ins().store(plain(), element, address, 0);
            return;
        }
        let (ty, bytes) = match self.chunk * value.lane.bytes {
            4 => (types::I32X4, 4),
            8 => (types::I64X2, 8),
            bytes => (value.lane.vector(), bytes),
        };
        if bytes < 16 {
            let whole = self.cast(ty, value.regs[0]);
            let word = self.b.ins().extractlane(whole, 0);
            self.b.ins().store(plain(), word, address, 0);
            return;
        }
        for (k, &register) in value.regs.iter().enumerate() {
            self.b.ins().store(plain(), register, address, k as i32 * REGISTER);
        }
    }

    fn store_strided(&mut self, value: &Bundle, mut address: Value, stride: Value) {
        let per_register = (16 / value.lane.bytes).min(self.chunk);
        for (number, &register) in value.regs.iter().enumerate() {
            for at in 0..per_register {
                if number + at > 0 {
                    address = self.b.ins().iadd(address, stride);
                }
                let element = match value.lane.bytes {
                    16 => register,
                    _ => self.b.ins().extractlane(register, at as u8),
                };
                self.b.ins().store(plain(), element, address, 0);
            }
        }
    }

    /// One element in every lane.
    pub(super) fn load_repeated(&mut self, dtype: DType, address: Value) -> Bundle {
        let lane = Lane { mask: false, ..Lane::of(dtype) };
        let element = self.b.ins().load(lane.scalar(), constant_memory(), address, 0);
        let bundle = self.splat(lane, element);
        if dtype == DType::Bool { self.nonzero(&bundle) } else { bundle }
    }
}
