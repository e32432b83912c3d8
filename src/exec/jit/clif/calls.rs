//! Prims that have no instructions: their block functions, of a chunk in memory. The one place that calls.

use super::bundle::{Bundle, Lane};
use super::memory::ElementCursor;
use super::numbers::plain;
use super::{CalledPrim, ClifWriter, Link};
use crate::exec::jit::lower::Virtual;
use crate::exec::vmath::block_fn_for;
use crate::scalar::prim::Prim;
use crate::types::DType;
use cranelift_codegen::ir::{
    BlockArg, ExtFuncData, ExternalName, InstBuilder, StackSlot, StackSlotData, StackSlotKind, UserExternalName, Value,
    types,
};

/// Alignment of what a call reads and writes, as a power of two.
const ALIGNMENT: u8 = 4;

impl ClifWriter<'_, '_> {
    /// A prim of every lane of a chunk.
    pub(super) fn call(&mut self, prim: Prim, operands: &[Virtual], result: DType) -> Bundle {
        let dtypes: Vec<DType> = operands.iter().map(|&operand| self.body.dtype(operand)).collect();
        let zero = self.b.ins().iconst(types::I64, 0);
        let mut pointers = [zero; 4];
        pointers[0] = self.stack_address(0);
        for (index, &operand) in operands.iter().enumerate() {
            let place = self.stack_address(index + 1);
            let bundle = self.get(operand);
            self.store(&bundle, ElementCursor::Dense(place));
            pointers[index + 1] = place;
        }
        let count = self.b.ins().iconst(types::I64, self.chunk as i64);
        let [out, a, b, c] = pointers;
        let arguments = [out, a, b, c, count];
        match self.link {
            Link::Here { level, .. } => {
                let function =
                    block_fn_for(level, prim, &dtypes, result).expect("a verified prim has a block function");
                let address = self.b.ins().iconst(types::I64, function as usize as i64);
                self.b.ins().call_indirect(self.calls.signature, address, &arguments);
            }
            Link::Module { calls, .. } => {
                let index = calls[&CalledPrim { prim, operands: dtypes, result }];
                let name = self.b.func.declare_imported_user_function(UserExternalName { namespace: 0, index });
                let name = ExternalName::user(name);
                let data = ExtFuncData { name, signature: self.calls.signature, colocated: true, patchable: false };
                let function = self.b.import_function(data);
                self.b.ins().call(function, &arguments);
            }
        }
        self.load(result, ElementCursor::Dense(out))
    }

    /// Memory for an operand of a call, or for its result.
    fn stack_address(&mut self, index: usize) -> Value {
        let slot = self.slot(index);
        self.b.ins().stack_addr(types::I64, slot, 0)
    }

    fn slot(&mut self, index: usize) -> StackSlot {
        while self.calls.slots.len() <= index {
            let bytes = (self.chunk * 8).max(16) as u32;
            let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, ALIGNMENT);
            self.calls.slots.push(self.b.create_sized_stack_slot(data));
        }
        self.calls.slots[index]
    }

    /// The result of the fast path, and in the lanes that need it that of a call.
    pub(super) fn slow_path(&mut self, prim: Prim, mask: &Bundle, fast: &Bundle, operands: &[Virtual]) -> Bundle {
        let mask = self.mask_width(mask, fast.lane.bytes);
        let mut any = mask.regs[0];
        for &other in &mask.regs[1..] {
            any = self.b.ins().bor(any, other);
        }
        let any = self.b.ins().vany_true(any);
        let (slow, join) = (self.b.create_block(), self.b.create_block());
        let ty = fast.lane.vector();
        let joined: Vec<Value> = fast.regs.iter().map(|_| self.b.append_block_param(join, ty)).collect();
        let arguments = |regs: &[Value]| regs.iter().map(|&reg| BlockArg::from(reg)).collect::<Vec<BlockArg>>();
        self.b.ins().brif(any, slow, &[], join, &arguments(&fast.regs));
        self.b.set_cold_block(slow);
        self.b.switch_to_block(slow);
        let dtype = if fast.lane.bytes == 8 { DType::F64 } else { DType::F32 };
        let called = self.call(prim, operands, dtype);
        // The other lanes keep their values: a function of `f32` in `f64` has less digits there than that of `f64`.
        let mask = self.map(fast.lane, &mask, |e, mask| e.cast(ty, mask));
        let lanes = mask.regs.iter().zip(&called.regs).zip(&fast.regs);
        let chosen: Vec<Value> =
            lanes.map(|((&mask, &slow), &fast)| self.b.ins().bitselect(mask, slow, fast)).collect();
        self.b.ins().jump(join, &arguments(&chosen));
        self.b.switch_to_block(join);
        Bundle { lane: Lane::of(dtype), regs: joined }
    }

    /// Copies an element.
    pub(super) fn copy_element(&mut self, bytes: usize, from: Value, to: Value) {
        let element = self.b.ins().load(Lane::integer(bytes).scalar(), plain(), from, 0);
        self.b.ins().store(plain(), element, to, 0);
    }
}
