//! Nests of folds or scans as code: along the innermost loop, or across it.

use super::driver::{Driver, code};
use super::folds::{self, FoldCode, LANES};
use super::form::LinearForm;
use super::loops::reduced_loop;
use super::refusal::BuildRefusal;
use super::shared::LoopCode;
use super::symbolic::SymbolicNest;
use crate::exec::plan::Reduction;
use crate::exec::stepping::{Loop, LoopInput, LoopOutput, Step};
use crate::kernel::{BLOCK, Body, Inst, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;

/// The most results that are reduced side by side.
pub(super) const MAX_WIDTH: i64 = 256;

/// What a fold or a scan of a nest has.
pub(super) struct ReductionParts<'n> {
    pub(super) one: &'n Reduction,
    pub(super) code: FoldCode,
    /// The place of its elements in the workspace.
    pub(super) block: Value,
    pub(super) state: Value,
    /// The dtype of its elements there.
    pub(super) dtype: DType,
}

impl Driver<'_, '_, '_> {
    /// The folds and scans of a nest, with memory for each.
    fn reducing<'n>(&mut self, nest: &'n SymbolicNest<LinearForm>, width: i64) -> Vec<ReductionParts<'n>> {
        let all = nest.folds.iter().chain(&nest.scans);
        all.map(|one| {
            let dtype = folds::total(one.terms.dtype);
            let code = FoldCode::new(one.fold, dtype, width);
            let state = self.room(folds::state_bytes(one.fold, dtype, width));
            let block = self.room((BLOCK * dtype.size()) as i64);
            ReductionParts { one, code, block, state, dtype }
        })
        .collect()
    }

    /// Writes folds and scans along the innermost loop.
    pub(super) fn rows(&mut self, nest: &SymbolicNest<LinearForm>, begins: Vec<Value>) -> Result<(), BuildRefusal> {
        let reducing = self.reducing(nest, 1);
        if let ([it], 1, 1, true) = (&reducing[..], nest.folds.len(), nest.outputs.len(), nest.between.is_empty())
            && let Some(code) = it.code.whole(self.w, &reduced_loop(nest))?
        {
            return self.whole_rows(nest, it, code, begins);
        }
        let code = self.w.object.loop_code(&reduced_loop(nest))?;
        let (outer, between) = (self.dims(&nest.outer), self.dims(&nest.between));
        let len = self.form(&nest.inner.len);
        let moves: Vec<Value> = nest.moves.iter().map(|stride| self.form(stride)).collect();
        let strides: Vec<Value> = nest.inner.strides.iter().map(|stride| self.form(stride)).collect();
        let [filled, first] = [(); 2].map(|()| self.w.b.declare_var(types::I64));
        let one = self.w.int(1);
        self.around(&outer, begins, &mut |driver, places| {
            let zero = driver.w.int(0);
            driver.w.b.def_var(filled, zero);
            driver.w.b.def_var(first, zero);
            for it in &reducing[..nest.folds.len()] {
                it.code.begin(driver.w, it.state)?;
            }
            reducing[nest.folds.len()..].iter().for_each(|it| it.code.begin_scan(driver.w, it.state));
            driver.around(&between, places.to_vec(), &mut |driver, inner| {
                driver.fill(nest, code, &reducing, (inner, &moves), len, [filled, first], &strides)
            })?;
            let left = driver.w.b.use_var(filled);
            let some = driver.w.is(left, IntCC::SignedGreaterThan, 0);
            let after = driver.w.begin_if(some);
            driver.take(nest, &reducing, places, left, first, &strides)?;
            driver.w.end_if(after);
            for it in &reducing[..nest.folds.len()] {
                driver.finish(it, places[it.one.operand], one, None)?;
            }
            Ok(())
        })
    }

    /// Computes terms along the innermost loop, and takes each block that is full.
    #[expect(clippy::too_many_arguments, reason = "all of a loop's state")]
    fn fill(
        &mut self,
        nest: &SymbolicNest<LinearForm>,
        code: LoopCode,
        reducing: &[ReductionParts],
        (places, moves): (&[Value], &[Value]),
        len: Value,
        [filled, first]: [Variable; 2],
        strides: &[Value],
    ) -> Result<(), BuildRefusal> {
        let zero = self.w.int(0);
        let turn = self.w.begin_loop(zero, len);
        let column = turn.at;
        let there = self.w.b.use_var(filled);
        let block = self.w.int(BLOCK as i64);
        let (room, left) = (self.w.sub(block, there), self.w.sub(len, column));
        let some = self.w.least(room, left);
        let mut operands: Vec<(Value, Value)> = places.iter().copied().zip(moves.iter().copied()).collect();
        let whole = self.whole_block(nest, (code, reducing), &operands, (column, some), first)?;
        for it in reducing {
            // So that element `column` falls on the next free place of the block.
            let size = it.dtype.size() as i64;
            let back = self.w.sub(there, column);
            let distance = self.w.times(back, size);
            operands[it.one.operand] = (self.w.add(it.block, distance), self.w.int(size));
        }
        self.w.run(code, &operands, column, some);
        let now = self.w.add(there, some);
        self.w.b.def_var(filled, now);
        let full = self.w.is(now, IntCC::Equal, BLOCK as i64);
        let go_on = self.w.begin_if(full);
        self.take(nest, reducing, places, block, first, strides)?;
        let zero = self.w.int(0);
        self.w.b.def_var(filled, zero);
        self.w.end_if(go_on);
        if let Some(whole) = whole {
            self.w.end_if(whole);
        }
        let next = self.w.add(column, some);
        self.w.end_loop(turn, next);
        Ok(())
    }

    /// Folds and scans a block of terms.
    fn take(
        &mut self,
        nest: &SymbolicNest<LinearForm>,
        reducing: &[ReductionParts],
        places: &[Value],
        count: Value,
        first: Variable,
        strides: &[Value],
    ) -> Result<(), BuildRefusal> {
        let number = self.w.b.use_var(first);
        for it in &reducing[..nest.folds.len()] {
            it.code.block(self.w, it.state, it.block, count, number)?;
        }
        for it in &reducing[nest.folds.len()..] {
            it.code.scan(self.w, it.state, it.block, count)?;
            let operand = it.one.operand;
            let distance = self.w.mul(number, strides[operand]);
            let to = self.w.add(places[operand], distance);
            self.give(it.dtype, it.one.dtype, it.block, (to, strides[operand]), count)?;
        }
        let next = self.w.add(number, count);
        self.w.b.def_var(first, next);
        Ok(())
    }

    /// Stores totals in the dtype of the result.
    fn give(
        &mut self,
        from: DType,
        to: DType,
        at: Value,
        (place, stride): (Value, Value),
        count: Value,
    ) -> Result<(), BuildRefusal> {
        if from == to {
            let own = self.w.int(from.size() as i64);
            self.w.copy_apart(from.size(), (at, own), (place, stride), count)?;
            return Ok(());
        }
        let mut insts = vec![Inst { op: InstOp::Load(0), dtype: from }];
        insts.push(folds::inst(Prim::Convert, &[InstId(0)], to));
        let value = InstId(insts.len() as u32 - 1);
        let narrow = Loop {
            body: Body { insts },
            inputs: vec![LoopInput::Array(from, Step::Dense)],
            outputs: vec![LoopOutput { value, step: Step::Strided }],
        };
        let code = self.w.object.loop_code(&narrow)?;
        let (zero, size) = (self.w.int(0), self.w.int(from.size() as i64));
        self.w.run(code, &[(at, size), (place, stride)], zero, count);
        Ok(())
    }

    /// Stores the results of a fold. `apart` is the distance between them; a single result needs none.
    pub(super) fn finish(
        &mut self,
        it: &ReductionParts,
        place: Value,
        width: Value,
        apart: Option<Value>,
    ) -> Result<(), BuildRefusal> {
        let fold = it.one.fold;
        let own = self.w.int(fold.result(result_dtype(it)).size() as i64);
        let stride = apart.unwrap_or(own);
        if folds::is_position(fold) {
            let sixteen = self.w.int(16);
            if !fold.has_identity() {
                let known = self.w.load(it.state, 0);
                let none = self.w.is(known, IntCC::SignedLessThan, 0);
                self.fail_if(none, code::EMPTY);
            }
            self.w.copy_strided(8, (it.state, sixteen), (place, stride), width);
            return Ok(());
        }
        let any = it.code.finish(self.w, it.state, width)?;
        let results = it.code.results(self.w, it.state);
        let none = self.w.is(any, IntCC::Equal, 0);
        if it.one.fold.has_identity() || self.starts {
            self.w.when(none, |w| it.code.store_nothing(w, results, width))?;
        } else {
            self.fail_if(none, code::EMPTY);
        }
        if it.code.width == 1 && it.dtype == result_dtype(it) {
            self.w.copy_element(it.dtype.size(), results, place);
            return Ok(());
        }
        self.give(it.dtype, result_dtype(it), results, (place, stride), width)
    }

    /// Writes folds and scans across the innermost loop: tiles of results side by side.
    pub(super) fn columns(&mut self, nest: &SymbolicNest<LinearForm>, begins: Vec<Value>) -> Result<(), BuildRefusal> {
        let code = self.w.object.loop_code(&reduced_loop(nest))?;
        let reducing = self.reducing(nest, MAX_WIDTH);
        let totals: Vec<Value> =
            nest.scans.iter().map(|one| self.room(MAX_WIDTH * folds::total(one.dtype).size() as i64)).collect();
        let (outer, between) = (self.dims(&nest.outer), self.dims(&nest.between));
        let len = self.form(&nest.inner.len);
        let moves: Vec<Value> = nest.moves.iter().map(|stride| self.form(stride)).collect();
        let strides: Vec<Value> = nest.inner.strides.iter().map(|stride| self.form(stride)).collect();
        let row = self.w.b.declare_var(types::I64);
        let adding = self.adding(nest, (code, &reducing[..]))?;
        let at_once = self.columns_at_once(nest, &reducing, &begins, (&outer, &between, len))?;
        self.around(&outer, begins, &mut |driver, places| {
            let (turn, width) = driver.w.begin_parts(len, MAX_WIDTH);
            let start = turn.at;
            let zero = driver.w.int(0);
            driver.w.b.def_var(row, zero);
            for it in &reducing[..nest.folds.len()] {
                it.code.begin(driver.w, it.state)?;
            }
            if let Some(adding) = adding {
                let it = &reducing[0];
                let operands: Vec<(Value, Value)> = places.iter().copied().zip(moves.iter().copied()).collect();
                driver.column_blocks(it, [code, adding], &operands, (start, width), &between[0])?;
                let operand = it.one.operand;
                let distance = driver.w.mul(start, strides[operand]);
                let to = driver.w.add(places[operand], distance);
                driver.finish(it, to, width, Some(strides[operand]))?;
                let next = driver.w.plus(start, MAX_WIDTH);
                driver.w.end_loop(turn, next);
                return Ok(());
            }
            reducing[nest.folds.len()..].iter().for_each(|it| it.code.begin_scan(driver.w, it.state));
            driver.around(&between, places.to_vec(), &mut |driver, inner| {
                let mut operands: Vec<(Value, Value)> = inner.iter().copied().zip(moves.iter().copied()).collect();
                for it in &reducing {
                    let size = it.dtype.size() as i64;
                    let distance = driver.w.times(start, size);
                    operands[it.one.operand] = (driver.w.sub(it.block, distance), driver.w.int(size));
                }
                driver.w.run(code, &operands, start, width);
                let number = driver.w.b.use_var(row);
                let in_block = driver.w.b.ins().band_imm_s(number, BLOCK as i64 - 1);
                for it in &reducing[..nest.folds.len()] {
                    driver.take_row(it, width, number, in_block)?;
                }
                for (it, &totals) in reducing[nest.folds.len()..].iter().zip(&totals) {
                    it.code.accumulate(driver.w, it.state, totals, it.block, width)?;
                    let operand = it.one.operand;
                    let distance = driver.w.mul(start, strides[operand]);
                    let to = driver.w.add(inner[operand], distance);
                    driver.give(it.dtype, it.one.dtype, it.block, (to, strides[operand]), width)?;
                }
                let next = driver.w.plus(number, 1);
                driver.w.b.def_var(row, next);
                Ok(())
            })?;
            let number = driver.w.b.use_var(row);
            let rest = driver.w.b.ins().band_imm_s(number, BLOCK as i64 - 1);
            for it in &reducing[..nest.folds.len()] {
                if !folds::is_position(it.one.fold) {
                    let lanes = driver.w.int(LANES);
                    let met = driver.w.least(rest, lanes);
                    let some = driver.w.is(rest, IntCC::SignedGreaterThan, 0);
                    driver.w.when(some, |w| it.code.end_block(w, it.state, met, width))?;
                }
                let operand = it.one.operand;
                let distance = driver.w.mul(start, strides[operand]);
                let to = driver.w.add(places[operand], distance);
                driver.finish(it, to, width, Some(strides[operand]))?;
            }
            let next = driver.w.plus(start, MAX_WIDTH);
            driver.w.end_loop(turn, next);
            Ok(())
        })?;
        if let Some(after) = at_once {
            self.w.end_if(after);
        }
        Ok(())
    }

    /// Takes one more term for each result of a tile.
    fn take_row(
        &mut self,
        it: &ReductionParts,
        width: Value,
        number: Value,
        in_block: Value,
    ) -> Result<(), BuildRefusal> {
        if folds::is_position(it.one.fold) {
            return it.code.row_positions(self.w, it.state, it.block, width, number);
        }
        it.code.row(self.w, it.state, it.block, width, in_block)?;
        let last = self.w.is(in_block, IntCC::Equal, BLOCK as i64 - 1);
        let lanes = self.w.int(LANES);
        self.w.when(last, |w| it.code.end_block(w, it.state, lanes, width))
    }
}

/// The dtype of the results of a fold, as if they were no positions: the dtype of the terms.
pub(super) fn result_dtype(it: &ReductionParts) -> DType {
    it.one.terms.dtype
}
