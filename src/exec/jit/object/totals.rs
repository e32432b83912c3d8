//! Folds of one result whose accumulators stay in registers: 32 of them, then halves until one total is left.
//!
//! On wide vectors, one loop computes the terms and folds them, so nothing is stored between.
//! Elsewhere, terms are in memory and Cranelift adds them up on vectors of 128 bits.

use super::folds::{FoldCode, LANES, dense, inst};
use super::refusal::BuildRefusal;
use super::scalars::scalar_type;
use super::shared::LoopCode;
use super::writer::{CodeWriter, ReturnedValue};
use crate::exec::jit::clif::numbers::plain;
use crate::exec::stepping::{Loop, LoopInput, LoopOutput, Step};
use crate::ir::Fold;
use crate::kernel::{Inst, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Type, Value, types};

/// Bytes of a vector register that every target has.
const REGISTER: i64 = 16;

impl FoldCode {
    /// Whether one instruction combines accumulators, or two vectors of them.
    pub(super) fn is_simple(&self) -> bool {
        let product_of_bytes = self.fold == Fold::Prod && self.dtype.size() == 1;
        matches!(self.fold, Fold::Sum | Fold::Prod | Fold::Min | Fold::Max)
            && !self.dtype.is_complex()
            && self.dtype != DType::Bool
            && !product_of_bytes
    }

    /// Whether totals are single values that instructions combine.
    pub(super) fn is_single(&self) -> bool {
        self.width == 1 && self.is_simple()
    }

    fn prim(&self) -> Prim {
        match self.fold {
            Fold::Prod => Prim::Mul,
            Fold::Min => Prim::Min,
            Fold::Max => Prim::Max,
            Fold::Sum | Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => Prim::Add,
        }
    }

    /// Combines two values, or two vectors, into one.
    pub(super) fn join(&self, w: &mut CodeWriter, a: Value, b: Value) -> Value {
        let (float, signed) = (self.dtype.is_float(), self.dtype.kind() == Kind::Signed);
        let ins = w.b.ins();
        match self.fold {
            Fold::Prod if float => ins.fmul(a, b),
            Fold::Prod => ins.imul(a, b),
            Fold::Min if float => ins.fmin(a, b),
            Fold::Min if signed => ins.smin(a, b),
            Fold::Min => ins.umin(a, b),
            Fold::Max if float => ins.fmax(a, b),
            Fold::Max if signed => ins.smax(a, b),
            Fold::Max => ins.umax(a, b),
            Fold::Sum | Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => {
                if float {
                    ins.fadd(a, b)
                } else {
                    ins.iadd(a, b)
                }
            }
        }
    }

    pub(super) fn load_total(&self, w: &mut CodeWriter, from: Value) -> Value {
        w.b.ins().load(scalar_type(self.dtype), plain(), from, 0)
    }

    pub(super) fn store_total(&self, w: &mut CodeWriter, total: Value, to: Value) {
        w.b.ins().store(plain(), total, to, 0);
    }

    /// The bits of the value that leaves every other value as it is, if it comes first.
    pub(super) fn neutral(&self) -> u64 {
        let bits = 8 * self.size as u32;
        let ones = u64::MAX >> (64 - bits);
        let float = |single: f32| if bits == 32 { single.to_bits().into() } else { f64::from(single).to_bits() };
        match (self.fold, self.dtype.kind()) {
            (Fold::Sum, _) if self.dtype.is_float() => float(-0.0),
            (Fold::Prod, _) if self.dtype.is_float() => float(1.0),
            (Fold::Min, _) if self.dtype.is_float() => float(f32::INFINITY),
            (Fold::Max, _) if self.dtype.is_float() => float(f32::NEG_INFINITY),
            (Fold::Prod, _) => 1,
            (Fold::Min, Kind::Signed) => ones >> 1,
            (Fold::Min, _) => ones,
            (Fold::Max, Kind::Signed) => 1 << (bits - 1),
            _ => 0,
        }
    }

    /// The code that folds the terms of a loop without storing them, if there is any. Its operands are the loop's
    /// inputs, then accumulators to read and to write.
    pub(super) fn fused_code(&self, w: &mut CodeWriter, terms: &Loop) -> Result<Option<LoopCode>, BuildRefusal> {
        match self.adding(terms) {
            Some(code) => w.object.fold_code(&code, self.neutral(), false),
            None => Ok(None),
        }
    }

    /// The code that folds whole rows of up to a block of terms, if there is any. Its operands are the loop's inputs,
    /// accumulators that nobody reads, and a total.
    pub(super) fn whole(&self, w: &mut CodeWriter, terms: &Loop) -> Result<Option<LoopCode>, BuildRefusal> {
        match self.adding(terms) {
            Some(code) => w.object.fold_code(&code, self.neutral(), true),
            None => Ok(None),
        }
    }

    /// The code that folds at least 32 rows of a block, if there is any, and how many columns there must be. Its
    /// operands are those of [`FoldCode::whole`], with distances from row to row.
    pub(super) fn columns(&self, w: &mut CodeWriter, terms: &Loop) -> Result<Option<(LoopCode, i64)>, BuildRefusal> {
        match self.adding(terms) {
            Some(code) => w.object.column_code(&code, self.neutral()),
            None => Ok(None),
        }
    }

    /// The loop that adds terms to accumulators: its last input, and its output.
    pub(super) fn adding(&self, terms: &Loop) -> Option<Loop> {
        let [LoopOutput { value, step: Step::Dense }] = terms.outputs[..] else { return None };
        if !self.is_simple() {
            return None;
        }
        let mut code = terms.clone();
        let number = code.inputs.len() as u32;
        code.inputs.push(LoopInput::Array(self.dtype, Step::Dense));
        let accumulator = code.body.push(InstOp::Load(number), self.dtype);
        let Inst { op, dtype } = inst(self.prim(), &[accumulator, value], self.dtype);
        let combined = code.body.push(op, dtype);
        code.outputs = vec![LoopOutput { value: combined, step: Step::Dense }];
        Some(code)
    }

    /// Folds `count` elements of a loop from number `start` on. `count` is a multiple of 32, and not 0.
    pub(super) fn run_fused(
        &self,
        w: &mut CodeWriter,
        code: LoopCode,
        state: Value,
        mut operands: Vec<(Value, Value)>,
        (start, count): (Value, Value),
    ) {
        let accumulators = self.accumulators(w, state);
        // Element `start` falls on the first accumulator.
        let distance = w.times(start, self.size);
        let (place, size) = (w.sub(accumulators, distance), w.int(self.size));
        operands.extend([(place, size); 2]);
        w.run(code, &operands, start, count);
    }

    /// The lower of two places becomes the total of both.
    pub(super) fn join_at(&self, w: &mut CodeWriter, to: Value, from: Value) {
        let [a, b] = [to, from].map(|place| self.load_total(w, place));
        let joined = self.join(w, a, b);
        self.store_total(w, joined, to);
    }

    /// Each of `count` neighbours from `to` on becomes the total of itself and the one at the same place from `from`
    /// on.
    pub(super) fn join_each(&self, w: &mut CodeWriter, to: Value, from: Value, count: Value) {
        let done: Result<(), ()> = w.each(count, |w, at| {
            let distance = w.times(at, self.size);
            let (to, from) = (w.add(to, distance), w.add(from, distance));
            self.join_at(w, to, from);
            Ok(())
        });
        done.expect("totals are always written");
    }

    /// Takes a block of neighbours, at least one.
    pub(super) fn single_block(
        &self,
        w: &mut CodeWriter,
        state: Value,
        from: Value,
        count: Value,
    ) -> Result<(), BuildRefusal> {
        let function = self.function(w, "block", 3, ReturnedValue::Nothing, |w, params| {
            let [state, from, count] = *params else { unreachable!("it has three parameters") };
            let accumulators = self.accumulators(w, state);
            let rest = w.b.ins().band_imm_s(count, LANES - 1);
            let full = w.sub(count, rest);
            let (rows, few) = (w.b.create_block(), w.b.create_block());
            w.b.ins().brif(full, rows, &[], few, &[]);
            w.b.switch_to_block(rows);
            self.whole_rows(w, state, from, full)?;
            let distance = w.times(full, self.size);
            let last = w.add(from, distance);
            self.join_each(w, accumulators, last, rest);
            self.end_lanes(w, state)?;
            w.b.ins().return_(&[]);
            w.b.switch_to_block(few);
            let own = w.int(self.size);
            w.copy_strided(self.size as usize, (from, own), (accumulators, own), count);
            self.halve_few(w, accumulators, count);
            self.end_total(w, state)?;
            w.b.ins().return_(&[]);
            Ok(())
        })?;
        w.call(function, &[state, from, count]);
        Ok(())
    }

    /// Folds whole rows of accumulators.
    fn whole_rows(&self, w: &mut CodeWriter, state: Value, from: Value, count: Value) -> Result<(), BuildRefusal> {
        let load = Inst { op: InstOp::Load(0), dtype: self.dtype };
        let terms = dense(vec![load], &[self.dtype], InstId(0));
        if let Some(code) = self.fused_code(w, &terms)? {
            let (zero, size) = (w.int(0), w.int(self.size));
            self.run_fused(w, code, state, vec![(from, size)], (zero, count));
            return Ok(());
        }
        let accumulators = self.accumulators(w, state);
        for (at, row) in self.rows_in_registers(w, from, count).into_iter().enumerate() {
            w.b.ins().store(plain(), row, accumulators, at as i32 * REGISTER as i32);
        }
        Ok(())
    }

    /// Makes one total of less than 32 accumulators. The upper half joins the lower half, as far as it is there, until
    /// one is left.
    fn halve_few(&self, w: &mut CodeWriter, accumulators: Value, count: Value) {
        let (head, body, after) = (w.b.create_block(), w.b.create_block(), w.b.create_block());
        let [left, half] = [(); 2].map(|()| w.b.append_block_param(head, types::I64));
        let first = w.int(LANES / 2);
        w.b.ins().jump(head, &[count.into(), first.into()]);
        w.b.switch_to_block(head);
        w.b.ins().brif(half, body, &[], after, &[]);
        w.b.switch_to_block(body);
        let over = w.sub(left, half);
        let distance = w.times(half, self.size);
        let upper = w.add(accumulators, distance);
        self.join_each(w, accumulators, upper, over);
        let left = w.least(left, half);
        let half = w.b.ins().ushr_imm_u(half, 1);
        w.b.ins().jump(head, &[left.into(), half.into()]);
        w.b.switch_to_block(after);
    }

    /// Ends a block with 32 accumulators.
    pub(super) fn end_lanes(&self, w: &mut CodeWriter, state: Value) -> Result<(), BuildRefusal> {
        let function = self.function(w, "lanes", 1, ReturnedValue::Nothing, |w, params| {
            let state = params[0];
            let accumulators = self.accumulators(w, state);
            let vector = self.vector();
            let load = |at: usize| w.b.ins().load(vector, plain(), accumulators, at as i32 * REGISTER as i32);
            let registers = (0..self.registers()).map(load).collect();
            let total = self.halved(w, registers);
            let lanes = (0..vector.lane_count() as u8).map(|at| w.b.ins().extractlane(total, at)).collect();
            let total = self.halved(w, lanes);
            self.store_total(w, total, accumulators);
            self.end_total(w, state)?;
            w.b.ins().return_(&[]);
            Ok(())
        })?;
        w.call(function, &[state]);
        Ok(())
    }

    /// Ends a block whose total is the first accumulator.
    pub(super) fn end_total(&self, w: &mut CodeWriter, state: Value) -> Result<(), BuildRefusal> {
        let function = self.function(w, "push", 1, ReturnedValue::Nothing, |w, params| {
            let state = params[0];
            let (accumulators, entries) = (self.accumulators(w, state), self.entries(w, state));
            let one = w.int(1);
            self.push(w, state, accumulators, entries, one)?;
            w.b.ins().return_(&[]);
            Ok(())
        })?;
        w.call(function, &[state]);
        Ok(())
    }

    /// Combines values into one. The upper half joins the lower half, until one is left.
    fn halved(&self, w: &mut CodeWriter, mut values: Vec<Value>) -> Value {
        while values.len() > 1 {
            let half = values.split_off(values.len() / 2);
            values = values.iter().zip(half).map(|(&a, b)| self.join(w, a, b)).collect();
        }
        values[0]
    }

    fn vector(&self) -> Type {
        let lane = scalar_type(self.dtype);
        lane.by(REGISTER as u32 / lane.bytes()).expect("there are such vectors")
    }

    fn registers(&self) -> usize {
        (LANES * self.size / REGISTER) as usize
    }

    /// Folds terms in memory, at least 32 and a multiple of that, into 32 accumulators.
    pub(super) fn rows_in_registers(&self, w: &mut CodeWriter, from: Value, count: Value) -> Vec<Value> {
        let vector = self.vector();
        let load = |w: &mut CodeWriter, from: Value, at: usize| {
            w.b.ins().load(vector, plain(), from, at as i32 * REGISTER as i32)
        };
        let first: Vec<BlockArg> = (0..self.registers()).map(|at| load(w, from, at).into()).collect();
        let (head, body, done) = (w.b.create_block(), w.b.create_block(), w.b.create_block());
        let place = w.b.append_block_param(head, types::I64);
        let totals: Vec<Value> = (0..self.registers()).map(|_| w.b.append_block_param(head, vector)).collect();
        let bytes = w.times(count, self.size);
        let end = w.add(from, bytes);
        let second = w.plus(from, LANES * self.size);
        w.b.ins().jump(head, &[vec![second.into()], first].concat());
        w.b.switch_to_block(head);
        let more = w.b.ins().icmp(IntCC::UnsignedLessThan, place, end);
        w.b.ins().brif(more, body, &[], done, &[]);
        w.b.switch_to_block(body);
        let next = w.plus(place, LANES * self.size);
        let mut arguments = vec![BlockArg::from(next)];
        for (at, &total) in totals.iter().enumerate() {
            let term = load(w, place, at);
            arguments.push(self.join(w, total, term).into());
        }
        w.b.ins().jump(head, &arguments);
        w.b.switch_to_block(done);
        totals
    }

    /// Replaces neighbours of one row, at least one, by their running totals, which go on from those before.
    pub(super) fn scan_single(&self, w: &mut CodeWriter, state: Value, elements: Value, count: Value) {
        let totals = self.accumulators(w, state);
        let begun = w.load(state, 0);
        let (go_on, begin, head) = (w.b.create_block(), w.b.create_block(), w.b.create_block());
        let (body, done) = (w.b.create_block(), w.b.create_block());
        let ty = scalar_type(self.dtype);
        let place = w.b.append_block_param(head, types::I64);
        let total = w.b.append_block_param(head, ty);
        let bytes = w.times(count, self.size);
        let end = w.add(elements, bytes);
        w.b.ins().brif(begun, go_on, &[], begin, &[]);
        w.b.switch_to_block(begin);
        // The first total is the first element.
        let first = self.load_total(w, elements);
        let second = w.plus(elements, self.size);
        w.b.ins().jump(head, &[second.into(), first.into()]);
        w.b.switch_to_block(go_on);
        let known = self.load_total(w, totals);
        w.b.ins().jump(head, &[elements.into(), known.into()]);
        w.b.switch_to_block(head);
        let more = w.b.ins().icmp(IntCC::UnsignedLessThan, place, end);
        w.b.ins().brif(more, body, &[], done, &[]);
        w.b.switch_to_block(body);
        let element = self.load_total(w, place);
        let next = self.join(w, total, element);
        self.store_total(w, next, place);
        let after = w.plus(place, self.size);
        w.b.ins().jump(head, &[after.into(), next.into()]);
        w.b.switch_to_block(done);
        self.store_total(w, total, totals);
        let one = w.int(1);
        w.store(one, state, 0);
    }
}
