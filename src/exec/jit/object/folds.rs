//! Folds in the one fixed order, with scans.
//!
//! Terms are in the dtype that accumulates. A fold's state is memory:
//!
//! ```text
//! depth, number of the next block, levels of the entries     512 bytes
//! 32 accumulators of each result side by side                32 * width elements
//! entries: totals of 2^level blocks                          MAX_ENTRIES * width elements
//! ```
//!
//! A block's accumulators become one total in halves, and blocks are combined in pairs by their number: an entry waits
//! for the blocks that it is combined with.

use super::module::ObjectCode;
use super::refusal::BuildRefusal;
use super::writer::{CodeWriter, ReturnedValue, helper};
use crate::exec::stepping::{Loop, LoopInput, LoopOutput, Step};
use crate::ir::Fold;
use crate::kernel::{Body, Inst, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cranelift_module::FuncId;

/// Terms that are accumulated side by side.
pub(super) const LANES: i64 = 32;
/// The most entries of a state: the number of a block has fewer bits.
const MAX_ENTRIES: i64 = 48;
/// Bytes of a state before the accumulators.
pub(super) const HEAD: i64 = 512;
const LEVELS: i32 = 16;

/// The dtype that accumulates elements of a dtype.
pub(super) fn total(dtype: DType) -> DType {
    if dtype.is_small_float() { DType::F32 } else { dtype }
}

/// Whether a fold keeps the position of an element instead of a total.
pub(super) fn is_position(fold: Fold) -> bool {
    matches!(fold, Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue)
}

/// Bytes of the state of a fold of results side by side.
pub(super) fn state_bytes(fold: Fold, dtype: DType, width: i64) -> i64 {
    match is_position(fold) {
        true => width * 16 + 64,
        false => HEAD + (LANES + MAX_ENTRIES) * width * total(dtype).size() as i64 + 64,
    }
}

/// A loop of dense operands.
pub(super) fn dense(insts: Vec<Inst>, inputs: &[DType], result: InstId) -> Loop {
    Loop {
        body: Body { insts },
        inputs: inputs.iter().map(|&dtype| LoopInput::Array(dtype, Step::Dense)).collect(),
        outputs: vec![LoopOutput { value: result, step: Step::Dense }],
    }
}

/// A prim as an instruction.
pub(super) fn inst(prim: Prim, args: &[InstId], dtype: DType) -> Inst {
    let mut operands = [None; 3];
    operands.iter_mut().zip(args).for_each(|(operand, &arg)| *operand = Some(arg));
    Inst { op: InstOp::Prim(prim, operands), dtype }
}

/// The loop that combines two arrays of accumulators.
pub(super) fn combine(fold: Fold, dtype: DType) -> Loop {
    let load = |number| Inst { op: InstOp::Load(number), dtype };
    let mut insts = vec![load(0), load(1)];
    let (a, b) = (InstId(0), InstId(1));
    let prim = match (fold, dtype) {
        (Fold::Sum | Fold::Max | Fold::Any, DType::Bool) => Prim::Or,
        (_, DType::Bool) => Prim::And,
        (Fold::Prod, _) => Prim::Mul,
        (Fold::Min | Fold::All, _) => Prim::Min,
        (Fold::Max | Fold::Any, _) => Prim::Max,
        _ => Prim::Add,
    };
    if !dtype.is_complex() {
        insts.push(inst(prim, &[a, b], dtype));
        return dense(insts, &[dtype; 2], InstId(2));
    }
    let part = dtype.part();
    let mut push = |prim, args: &[InstId], dtype| {
        insts.push(inst(prim, args, dtype));
        InstId(insts.len() as u32 - 1)
    };
    let [ar, br] = [a, b].map(|value| push(Prim::Real, &[value], part));
    let [ai, bi] = [a, b].map(|value| push(Prim::Imag, &[value], part));
    let (re, im) = if prim == Prim::Mul {
        let (rr, ii) = (push(Prim::Mul, &[ar, br], part), push(Prim::Mul, &[ai, bi], part));
        let (ri, ir) = (push(Prim::Mul, &[ar, bi], part), push(Prim::Mul, &[ai, br], part));
        (push(Prim::Sub, &[rr, ii], part), push(Prim::Add, &[ri, ir], part))
    } else {
        (push(Prim::Add, &[ar, br], part), push(Prim::Add, &[ai, bi], part))
    };
    let result = push(Prim::Pair, &[re, im], dtype);
    dense(insts, &[dtype; 2], result)
}

/// A fold of some dtype in an object.
#[derive(Clone, Debug)]
pub(super) struct FoldCode {
    pub(super) fold: Fold,
    /// The dtype of the accumulators.
    pub(super) dtype: DType,
    pub(super) size: i64,
    pub(super) combine: Loop,
    /// The most results side by side.
    pub(super) width: i64,
}

impl FoldCode {
    pub(super) fn new(fold: Fold, dtype: DType, width: i64) -> FoldCode {
        let dtype = total(dtype);
        let size = dtype.size() as i64;
        FoldCode { fold, dtype, size, combine: combine(fold, dtype), width }
    }

    /// Begins a fold anew.
    pub(super) fn begin(&self, w: &mut CodeWriter, state: Value) -> Result<(), BuildRefusal> {
        let zero = w.int(0);
        if is_position(self.fold) {
            let none = w.int(-1);
            let width = w.int(self.width);
            return w.each(width, |w, at| {
                let place = self.position(w, state, at);
                w.store(none, place, 0);
                Ok(())
            });
        }
        w.store(zero, state, 0);
        w.store(zero, state, 8);
        Ok(())
    }

    pub(super) fn position(&self, w: &mut CodeWriter, state: Value, at: Value) -> Value {
        let distance = w.times(at, 16);
        w.add(state, distance)
    }

    pub(super) fn accumulators(&self, w: &mut CodeWriter, state: Value) -> Value {
        w.plus(state, HEAD)
    }

    pub(super) fn entries(&self, w: &mut CodeWriter, state: Value) -> Value {
        w.plus(state, HEAD + LANES * self.width * self.size)
    }

    /// Where the results are when a fold has [finished](FoldCode::finish).
    pub(super) fn results(&self, w: &mut CodeWriter, state: Value) -> Value {
        self.entries(w, state)
    }

    pub(super) fn function(
        &self,
        w: &mut CodeWriter,
        what: &str,
        params: usize,
        returned: ReturnedValue,
        write: impl FnOnce(&mut CodeWriter, &[Value]) -> Result<(), BuildRefusal>,
    ) -> Result<FuncId, BuildRefusal> {
        let name = format!("{what} {:?} {} {}", self.fold, self.dtype, self.width);
        let make = |object: &mut ObjectCode| helper(object, name, (params, returned), write);
        // Functions that take blocks have code of each level. With single totals, all others have none, so levels share
        // them.
        match self.is_single() && what != "block" {
            true => w.object.in_variant(0, make),
            false => make(w.object),
        }
    }

    pub(super) fn combine_states(
        &self,
        w: &mut CodeWriter,
        a: Value,
        b: Value,
        len: Value,
    ) -> Result<(), BuildRefusal> {
        let size = self.size;
        w.run_dense(&self.combine, &[(a, size), (b, size), (a, size)], len)
    }

    /// Takes a block of neighbours of one result. `first` is the number of the first of them.
    pub(super) fn block(
        &self,
        w: &mut CodeWriter,
        state: Value,
        from: Value,
        count: Value,
        first: Value,
    ) -> Result<(), BuildRefusal> {
        if is_position(self.fold) {
            return self.positions(w, state, from, count, first);
        }
        if self.is_single() {
            return self.single_block(w, state, from, count);
        }
        let function = self.function(w, "block", 3, ReturnedValue::Nothing, |w, params| {
            let [state, from, count] = *params else { unreachable!("it has three parameters") };
            let size = self.size;
            let accumulators = self.accumulators(w, state);
            let lanes = w.int(LANES);
            let met = w.least(count, lanes);
            let bytes = w.times(met, size);
            w.copy(accumulators, from, bytes);
            let full = w.b.ins().ushr_imm_u(count, 5);
            let one = w.int(1);
            w.through(one, full, 1, |w, row| {
                let distance = w.times(row, LANES * size);
                let terms = w.add(from, distance);
                self.combine_states(w, accumulators, terms, lanes)
            })?;
            let rest = w.b.ins().band_imm_s(count, LANES - 1);
            let some = w.is(full, IntCC::SignedGreaterThan, 0);
            w.when(some, |w| {
                let distance = w.times(full, LANES * size);
                let terms = w.add(from, distance);
                self.combine_states(w, accumulators, terms, rest)
            })?;
            self.end_block(w, state, met, one)?;
            w.b.ins().return_(&[]);
            Ok(())
        })?;
        w.call(function, &[state, from, count]);
        Ok(())
    }

    /// Takes one more term for each of `width` results: each is the term number `in_block` of its block.
    pub(super) fn row(
        &self,
        w: &mut CodeWriter,
        state: Value,
        from: Value,
        width: Value,
        in_block: Value,
    ) -> Result<(), BuildRefusal> {
        let accumulators = self.accumulators(w, state);
        let lane = w.b.ins().band_imm_s(in_block, LANES - 1);
        let distance = w.mul(lane, width);
        let distance = w.times(distance, self.size);
        let place = w.add(accumulators, distance);
        let first = w.is(in_block, IntCC::SignedLessThan, LANES);
        let (copy, add, after) = (w.b.create_block(), w.b.create_block(), w.b.create_block());
        w.b.ins().brif(first, copy, &[], add, &[]);
        w.b.switch_to_block(copy);
        let bytes = w.times(width, self.size);
        w.copy(place, from, bytes);
        w.b.ins().jump(after, &[]);
        w.b.switch_to_block(add);
        self.combine_states(w, place, from, width)?;
        w.b.ins().jump(after, &[]);
        w.b.switch_to_block(after);
        Ok(())
    }

    /// Ends a block in which the first `met` accumulators of each result have met a term.
    pub(super) fn end_block(
        &self,
        w: &mut CodeWriter,
        state: Value,
        met: Value,
        width: Value,
    ) -> Result<(), BuildRefusal> {
        let function = self.function(w, "end", 3, ReturnedValue::Nothing, |w, params| {
            let [state, met, width] = *params else { unreachable!("it has three parameters") };
            let accumulators = self.accumulators(w, state);
            let entries = self.entries(w, state);
            let (head, inside, done) = (w.b.create_block(), w.b.create_block(), w.b.create_block());
            let [left, half] = [(); 2].map(|()| w.b.append_block_param(head, types::I64));
            let first = w.int(LANES / 2);
            w.b.ins().jump(head, &[met.into(), first.into()]);
            w.b.switch_to_block(head);
            w.b.ins().brif(half, inside, &[], done, &[]);
            w.b.switch_to_block(inside);
            let over = w.sub(left, half);
            let some = w.is(over, IntCC::SignedGreaterThan, 0);
            w.when(some, |w| {
                let len = w.mul(over, width);
                let distance = w.mul(width, half);
                let distance = w.times(distance, self.size);
                let upper = w.add(accumulators, distance);
                self.combine_states(w, accumulators, upper, len)
            })?;
            let left = w.least(left, half);
            let half = w.b.ins().ushr_imm_u(half, 1);
            w.b.ins().jump(head, &[left.into(), half.into()]);
            w.b.switch_to_block(done);
            self.push(w, state, accumulators, entries, width)?;
            w.b.ins().return_(&[]);
            Ok(())
        })?;
        w.call(function, &[state, met, width]);
        Ok(())
    }

    fn entry(&self, w: &mut CodeWriter, entries: Value, index: Value) -> Value {
        let distance = w.times(index, self.width * self.size);
        w.add(entries, distance)
    }

    /// Adds the totals of the next block.
    pub(super) fn push(
        &self,
        w: &mut CodeWriter,
        state: Value,
        totals: Value,
        entries: Value,
        width: Value,
    ) -> Result<(), BuildRefusal> {
        let (depth, number) = (w.load(state, 0), w.load(state, 8));
        let next = w.plus(number, 1);
        w.store(next, state, 8);
        let (head, test, join, after) =
            (w.b.create_block(), w.b.create_block(), w.b.create_block(), w.b.create_block());
        let [level, depth_now] = [(); 2].map(|()| w.b.append_block_param(head, types::I64));
        let zero = w.int(0);
        w.b.ins().jump(head, &[zero.into(), depth.into()]);
        w.b.switch_to_block(head);
        let bit = w.b.ins().ushr(number, level);
        let bit = w.b.ins().band_imm_s(bit, 1);
        w.b.ins().brif(bit, test, &[], after, &[]);
        w.b.switch_to_block(test);
        let some = w.is(depth_now, IntCC::SignedGreaterThan, 0);
        w.b.ins().brif(some, join, &[], after, &[]);
        w.b.switch_to_block(join);
        // The entry on top has this level: blocks come one after the other from the first.
        let below = w.plus(depth_now, -1);
        let left = self.entry(w, entries, below);
        if self.is_single() {
            self.join_at(w, left, totals);
            let joined = self.load_total(w, left);
            self.store_total(w, joined, totals);
        } else {
            self.combine_states(w, left, totals, width)?;
            let bytes = w.times(width, self.size);
            w.copy(totals, left, bytes);
        }
        let level_up = w.plus(level, 1);
        w.b.ins().jump(head, &[level_up.into(), below.into()]);
        w.b.switch_to_block(after);
        let to = self.entry(w, entries, depth_now);
        if self.is_single() {
            let total = self.load_total(w, totals);
            self.store_total(w, total, to);
        } else {
            let bytes = w.times(width, self.size);
            w.copy(to, totals, bytes);
        }
        let distance = w.times(depth_now, 8);
        let place = w.add(state, distance);
        w.store(level, place, LEVELS);
        let deeper = w.plus(depth_now, 1);
        w.store(deeper, state, 0);
        Ok(())
    }

    /// Combines the entries that are left. Returns a value that is 1 if there were any terms, else 0.
    pub(super) fn finish(&self, w: &mut CodeWriter, state: Value, width: Value) -> Result<Value, BuildRefusal> {
        let function = self.function(w, "finish", 2, ReturnedValue::Word, |w, params| {
            let [state, width] = *params else { unreachable!("it has two parameters") };
            let entries = self.entries(w, state);
            let depth = w.load(state, 0);
            let (head, body, done) = (w.b.create_block(), w.b.create_block(), w.b.create_block());
            let left = w.b.append_block_param(head, types::I64);
            w.b.ins().jump(head, &[depth.into()]);
            w.b.switch_to_block(head);
            let more = w.is(left, IntCC::SignedGreaterThan, 1);
            w.b.ins().brif(more, body, &[], done, &[]);
            w.b.switch_to_block(body);
            let (below, last) = (w.plus(left, -2), w.plus(left, -1));
            let (a, b) = (self.entry(w, entries, below), self.entry(w, entries, last));
            match self.is_single() {
                true => self.join_at(w, a, b),
                false => self.combine_states(w, a, b, width)?,
            }
            w.b.ins().jump(head, &[last.into()]);
            w.b.switch_to_block(done);
            let any = w.is(depth, IntCC::SignedGreaterThan, 0);
            let any = w.b.ins().uextend(types::I64, any);
            w.b.ins().return_(&[any]);
            Ok(())
        })?;
        Ok(w.call(function, &[state, width])[0])
    }

    /// Stores `width` results of folds over no terms.
    pub(super) fn store_nothing(&self, w: &mut CodeWriter, to: Value, width: Value) -> Result<(), BuildRefusal> {
        let bits = match (self.fold, self.dtype) {
            (Fold::Prod | Fold::All, dtype) => crate::scalar::Scalar::one(dtype).bits,
            (Fold::Min | Fold::Max, dtype) if dtype != DType::Bool => self.neutral().into(),
            _ => 0,
        };
        if self.is_single() {
            let ty = types::Type::int(8 * self.size as u16).expect("totals have 1, 2, 4 or 8 bytes");
            let bits = w.b.ins().iconst(ty, bits as u64 as i64);
            w.b.ins().store(MemFlagsData::new().with_notrap(), bits, to, 0);
            return Ok(());
        }
        let nothing = dense(vec![Inst { op: InstOp::Const(bits), dtype: self.dtype }], &[], InstId(0));
        w.run_dense(&nothing, &[(to, self.size)], width)
    }
}
