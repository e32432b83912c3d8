//! Constants of a long loop in memory.
//!
//! Cranelift loads a constant before the loop. If no register is left for it, it is stored on the stack, and loaded
//! from there wherever it is used. Of long formulas in an object that is much code: Black and Scholes in f64 have 74
//! constants at SSE. So if there are that many, they are data of the object, and the instruction that uses one reads it
//! from there. With fewer constants loops would take longer: what is computed of a constant twice is found no more.

use super::bundle::constant_memory;
use super::numbers::plain;
use super::{ClifWriter, Link};
use cranelift_codegen::ir::{
    ExternalName, Function, GlobalValueData, InstBuilder, StackSlot, StackSlotData, StackSlotKind, Type,
    UserExternalName, Value, types,
};
use std::collections::HashMap;

/// Bytes of a constant.
const BYTES: usize = 16;
/// The most constants that are left to Cranelift: four times the registers.
const MAX_PLAIN_CONSTANTS: usize = 64;

/// Constants one after the other in data of a module.
pub(in crate::exec::jit) struct ConstantTable {
    /// The number of the data.
    number: u32,
    places: HashMap<Vec<u8>, i32>,
}

impl ConstantTable {
    /// The table that is the data of a number.
    #[cfg_attr(not(feature = "object"), expect(dead_code, reason = "objects alone have tables"))]
    pub(in crate::exec::jit) fn new(number: u32, data: &[u8]) -> ConstantTable {
        let places = data.chunks_exact(BYTES).zip((0..).step_by(BYTES));
        ConstantTable { number, places: places.map(|(bytes, place)| (bytes.to_vec(), place)).collect() }
    }
}

/// The constants of a function as the data of a table; `None` if there are few.
#[cfg_attr(not(feature = "object"), expect(dead_code, reason = "objects alone have tables"))]
pub(in crate::exec::jit) fn many_constants(function: &Function) -> Option<Vec<u8>> {
    let all = function.dfg.constants.iter().map(|(_, data)| data.as_slice());
    // An instruction makes these out of nothing.
    let is_made = |bytes: &[u8]| [0, 0xff].iter().any(|all| bytes.iter().all(|byte| byte == all));
    let read: Vec<&[u8]> = all.filter(|bytes| bytes.len() == BYTES && !is_made(bytes)).collect();
    (read.len() > MAX_PLAIN_CONSTANTS).then(|| read.concat())
}

/// How a function reads its table.
#[derive(Default)]
pub(super) struct TableReads {
    /// What keeps the address of the table; `None` if there is none.
    kept: Option<StackSlot>,
    /// The address, in the body.
    base: Option<Value>,
    count: i32,
}

impl TableReads {
    /// Whether each use of a constant reads it.
    pub(super) fn are_made(&self) -> bool {
        self.base.is_some()
    }
}

impl ClifWriter<'_, '_> {
    /// Finds the table of constants, before the loop.
    pub(super) fn find_constants(&mut self) {
        let Link::Module { constants: Some(table), .. } = self.link else { return };
        let base = self.data_address(table.number);
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3));
        let place = self.b.ins().stack_addr(types::I64, slot, 0);
        self.b.ins().store(plain(), base, place, 0);
        self.values.reads.kept = Some(slot);
    }

    /// Finds the table once more, in the body. What is read by this address is not read before the loop.
    pub(super) fn find_constants_again(&mut self) {
        if let Some(slot) = self.values.reads.kept {
            let place = self.b.ins().stack_addr(types::I64, slot, 0);
            self.values.reads.base = Some(self.b.ins().load(types::I64, plain(), place, 0));
        }
    }

    /// The address of data of the module.
    pub(super) fn data_address(&mut self, number: u32) -> Value {
        let name = UserExternalName { namespace: 1, index: number };
        let name = ExternalName::user(self.b.func.declare_imported_user_function(name));
        let symbol = GlobalValueData::Symbol { name, offset: 0.into(), colocated: true, tls: false };
        let symbol = self.b.create_global_value(symbol);
        self.b.ins().symbol_value(types::I64, symbol)
    }

    /// A constant of the table, for one use. `None` if it is in no table.
    pub(super) fn constant_of_table(&mut self, ty: Type, bytes: &[u8]) -> Option<Value> {
        let Link::Module { constants: Some(table), .. } = self.link else { return None };
        let (base, place) = (self.values.reads.base?, *table.places.get(bytes)?);
        // Loads from one address become one load, whose result needs a register for long. So each use finds the place
        // in another way. The instruction that uses the constant has the sum of both distances.
        self.values.reads.count += 1;
        let distance = BYTES as i32 * self.values.reads.count;
        let address = self.b.ins().iadd_imm_s(base, i64::from(distance));
        Some(self.b.ins().load(ty, constant_memory(), address, place - distance))
    }
}
