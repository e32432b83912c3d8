//! Values combined where labels or positions say, as code: in order, one after the other.

use super::RoutineLine;
use crate::exec::jit::object::folds::{combine, dense, inst};
use crate::exec::jit::object::refusal::BuildRefusal;
use crate::exec::jit::object::scalars::scalar_type;
use crate::exec::jit::object::writer::CodeWriter;
use crate::exec::routine::identity;
use crate::exec::stepping::Loop;
use crate::ir::Fold;
use crate::ir::routine::Scatter;
use crate::kernel::{Inst, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};

/// The loop that combines elements: small floats as if in `f32`, and rounded.
fn combination(fold: Fold, dtype: DType) -> Loop {
    if !dtype.is_small_float() {
        return combine(fold, dtype);
    }
    let load = |number| Inst { op: InstOp::Load(number), dtype };
    let wide = |of| inst(Prim::Convert, &[InstId(of)], DType::F32);
    let prim = match fold {
        Fold::Sum => Prim::Add,
        Fold::Prod => Prim::Mul,
        Fold::Min => Prim::Min,
        Fold::Max | Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => Prim::Max,
    };
    let both = inst(prim, &[InstId(2), InstId(3)], DType::F32);
    let narrow = inst(Prim::Convert, &[InstId(4)], dtype);
    dense(vec![load(0), load(1), wide(0), wide(1), both, narrow], &[dtype; 2], InstId(5))
}

/// Combines the element at an address with that at another.
fn combine_into(w: &mut CodeWriter, fold: Fold, dtype: DType, place: Value, value: Value) -> Result<(), BuildRefusal> {
    let plain = matches!(fold, Fold::Sum | Fold::Prod) && !dtype.is_small_float() && !dtype.is_complex();
    if !plain {
        let (one, size) = (w.int(1), dtype.size() as i64);
        return w.run_dense(&combination(fold, dtype), &[(place, size), (value, size), (place, size)], one);
    }
    let (flags, ty) = (MemFlagsData::new().with_notrap(), scalar_type(dtype));
    let [a, b] = [place, value].map(|from| w.b.ins().load(ty, flags, from, 0));
    let combined = match (fold, dtype.kind()) {
        (Fold::Sum, Kind::Bool) => w.b.ins().bor(a, b),
        (_, Kind::Bool) => w.b.ins().band(a, b),
        (Fold::Sum, Kind::Float) => w.b.ins().fadd(a, b),
        (_, Kind::Float) => w.b.ins().fmul(a, b),
        (Fold::Sum, _) => w.b.ins().iadd(a, b),
        _ => w.b.ins().imul(a, b),
    };
    w.b.ins().store(flags, combined, place, 0);
    Ok(())
}

impl RoutineLine {
    /// Calls `put` for each position that the result has, with the place in the result and the address of the value.
    fn each_place(
        &self,
        w: &mut CodeWriter,
        values: usize,
        size: usize,
        put: impl FnOnce(&mut CodeWriter, Value, Value) -> Result<(), BuildRefusal>,
    ) -> Result<(), BuildRefusal> {
        w.each(self.args[1].1, |w, index| {
            let at = self.element(w, 1, index, 8);
            let at = w.load(at, 0);
            let inside = w.b.ins().icmp(IntCC::UnsignedLessThan, at, self.out.1);
            w.when(inside, |w| {
                let (place, value) = (self.place(w, at, size), self.element(w, values, index, size));
                put(w, place, value)
            })
        })
    }

    /// Combines the values of each label.
    pub(super) fn segment(&self, w: &mut CodeWriter, dtype: DType, fold: Fold) -> Result<(), BuildRefusal> {
        let size = dtype.size();
        let empty = w.data(identity(fold, dtype).bits.to_le_bytes()[..size].to_vec())?;
        let (zero, own) = (w.int(0), w.int(size as i64));
        w.copy_strided(size, (empty, zero), (self.out.0, own), self.out.1);
        self.each_place(w, 0, size, |w, place, value| combine_into(w, fold, dtype, place, value))
    }

    /// Writes the first operand, with values put at positions.
    pub(super) fn scatter(&self, w: &mut CodeWriter, dtype: DType, scatter: Scatter) -> Result<(), BuildRefusal> {
        let bytes = w.times(self.out.1, dtype.size() as i64);
        w.copy(self.out.0, self.args[0].0, bytes);
        self.each_place(w, 2, dtype.size(), |w, place, value| match scatter {
            Scatter::Set => {
                w.copy_element(dtype.size(), value, place);
                Ok(())
            }
            Scatter::With(fold) => combine_into(w, fold, dtype, place, value),
        })
    }
}
