//! Routines over masks or labels as code: compression, positions, and counts.

use super::RoutineLine;
use crate::exec::jit::object::refusal::BuildRefusal;
use crate::exec::jit::object::writer::CodeWriter;
use crate::types::DType;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

impl RoutineLine {
    /// Does something with each element of a mask that is true, and its place in the result.
    fn each_kept(
        &self,
        w: &mut CodeWriter,
        mask: usize,
        put: impl FnOnce(&mut CodeWriter, Value, Value),
    ) -> Result<(), BuildRefusal> {
        let (next, zero) = (w.b.declare_var(types::I64), w.int(0));
        w.b.def_var(next, zero);
        w.each(self.args[mask].1, |w, index| {
            let from = self.element(w, mask, index, 1);
            let kept = w.b.ins().uload8(types::I64, MemFlagsData::new().with_notrap(), from, 0);
            let kept = w.is(kept, IntCC::NotEqual, 0);
            let place = w.b.use_var(next);
            let room = w.b.ins().icmp(IntCC::SignedLessThan, place, self.out.1);
            let kept = w.b.ins().band(kept, room);
            w.when(kept, |w| {
                put(w, index, place);
                let following = w.plus(place, 1);
                w.b.def_var(next, following);
                Ok(())
            })
        })
    }

    pub(super) fn compress(&self, w: &mut CodeWriter, size: usize) -> Result<(), BuildRefusal> {
        self.each_kept(w, 1, |w, index, place| {
            let (from, to) = (self.element(w, 0, index, size), self.place(w, place, size));
            w.copy_element(size, from, to);
        })
    }

    pub(super) fn positions(&self, w: &mut CodeWriter) -> Result<(), BuildRefusal> {
        self.each_kept(w, 0, |w, index, place| {
            let to = self.place(w, place, 8);
            w.store(index, to, 0);
        })
    }

    /// Counts, for each position of the result, the labels that are equal to it.
    pub(super) fn count(&self, w: &mut CodeWriter, dtype: DType) -> Result<(), BuildRefusal> {
        w.each(self.out.1, |w, index| {
            let (zero, to) = (w.int(0), self.place(w, index, 8));
            w.store(zero, to, 0);
            Ok::<(), BuildRefusal>(())
        })?;
        w.each(self.args[0].1, |w, index| {
            let from = self.element(w, 0, index, dtype.size());
            let label = if dtype == DType::I32 {
                w.b.ins().sload32(MemFlagsData::new().with_notrap(), from, 0)
            } else {
                w.load(from, 0)
            };
            let inside = w.b.ins().icmp(IntCC::UnsignedLessThan, label, self.out.1);
            w.when(inside, |w| {
                let to = self.place(w, label, 8);
                let sum = w.load(to, 0);
                let sum = w.plus(sum, 1);
                w.store(sum, to, 0);
                Ok(())
            })
        })
    }
}
