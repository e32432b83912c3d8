//! Nests with one fold, whose terms are folded as they are computed: along the innermost loop, or across it.

use super::driver::Driver;
use super::folds::LANES;
use super::form::LinearForm;
use super::loops::reduced_loop;
use super::reduce::{ReductionParts, result_dtype};
use super::refusal::BuildRefusal;
use super::shared::LoopCode;
use super::symbolic::SymbolicNest;
use crate::kernel::BLOCK;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Variable;

/// How often a loop runs, and how far operands move.
type LoopValues = (Value, Vec<Value>);

impl Driver<'_, '_, '_> {
    /// Folds along the innermost loop by code that makes one total of each block.
    pub(super) fn whole_rows(
        &mut self,
        nest: &SymbolicNest<LinearForm>,
        it: &ReductionParts,
        code: LoopCode,
        begins: Vec<Value>,
    ) -> Result<(), BuildRefusal> {
        let (outer, operand, size) = (self.dims(&nest.outer), it.one.operand, it.dtype.size() as i64);
        let len = self.form(&nest.inner.len);
        let mut moves: Vec<Value> = nest.moves.iter().map(|stride| self.form(stride)).collect();
        // The total of a block takes the place of an element, so it moves by the size of one.
        moves[operand] = self.w.int(size);
        let operands = |places: &[Value]| -> Vec<(Value, Value)> {
            let total = (places[operand], moves[operand]);
            let inputs = places[..operand].iter().copied().zip(moves.iter().copied());
            inputs.chain([total, total]).collect()
        };
        let after = match outer.split_last() {
            Some(((rows, to_next), around)) if it.dtype == result_dtype(it) => {
                // Each row is one block, and its total is the result.
                let [some, few] = [(IntCC::SignedGreaterThan, 0), (IntCC::SignedLessThanOrEqual, BLOCK as i64)]
                    .map(|(how, number)| self.w.is(len, how, number));
                let any = self.w.is(*rows, IntCC::SignedGreaterThan, 0);
                let short = self.w.b.ins().band(some, few);
                let short = self.w.b.ins().band(short, any);
                let [short_rows, long, after] = [(); 3].map(|()| self.w.b.create_block());
                self.w.b.ins().brif(short, short_rows, &[], long, &[]);
                self.w.b.switch_to_block(short_rows);
                let to_next = [&to_next[..], &to_next[operand..]].concat();
                self.around(around, begins.clone(), &mut |driver, places| {
                    let zero = driver.w.int(0);
                    driver.w.run_rows(code, &operands(places), (zero, len), *rows, &to_next);
                    Ok(())
                })?;
                self.w.b.ins().jump(after, &[]);
                self.w.b.switch_to_block(long);
                Some(after)
            }
            _ => None,
        };
        self.around(&outer, begins, &mut |driver, places| {
            it.code.begin(driver.w, it.state)?;
            let total = it.code.accumulators(driver.w, it.state);
            let (turn, some) = driver.w.begin_parts(len, BLOCK as i64);
            let distance = driver.w.times(turn.at, size);
            let mut of_block = places.to_vec();
            of_block[operand] = driver.w.sub(total, distance);
            driver.w.run(code, &operands(&of_block), turn.at, some);
            it.code.end_total(driver.w, it.state)?;
            let next = driver.w.plus(turn.at, BLOCK as i64);
            driver.w.end_loop(turn, next);
            let one = driver.w.int(1);
            driver.finish(it, places[operand], one, None)
        })?;
        if let Some(after) = after {
            self.w.end_if(after);
        }
        Ok(())
    }

    /// Writes code that takes a whole block and folds its terms as it computes them, if there is such code. Code that
    /// is written from here up to the returned block handles all other blocks.
    pub(super) fn whole_block(
        &mut self,
        nest: &SymbolicNest<LinearForm>,
        (terms, reducing): (LoopCode, &[ReductionParts]),
        operands: &[(Value, Value)],
        (column, some): (Value, Value),
        first: Variable,
    ) -> Result<Option<Block>, BuildRefusal> {
        let [it] = reducing else { return Ok(None) };
        if nest.folds.len() != 1 || nest.outputs.len() != 1 {
            return Ok(None);
        }
        let Some(code) = it.code.fused_code(self.w, &reduced_loop(nest))? else { return Ok(None) };
        let (fused, other, after) = (self.w.b.create_block(), self.w.b.create_block(), self.w.b.create_block());
        // The last block of a single row counts as whole too.
        let least = if nest.between.is_empty() { LANES } else { BLOCK as i64 };
        let whole = self.w.is(some, IntCC::SignedGreaterThanOrEqual, least);
        self.w.b.ins().brif(whole, fused, &[], other, &[]);
        self.w.b.switch_to_block(fused);
        let rest = self.w.b.ins().band_imm_s(some, LANES - 1);
        let full = self.w.sub(some, rest);
        let inputs = operands[..operands.len() - 1].to_vec();
        it.code.run_fused(self.w, code, it.state, inputs.clone(), (column, full));
        if nest.between.is_empty() {
            let left = self.w.is(rest, IntCC::SignedGreaterThan, 0);
            let after = self.w.begin_if(left);
            let from = self.w.add(column, full);
            let distance = self.w.times(from, it.dtype.size() as i64);
            let place = (self.w.sub(it.block, distance), self.w.int(it.dtype.size() as i64));
            self.w.run(terms, &[inputs, vec![place]].concat(), from, rest);
            let accumulators = it.code.accumulators(self.w, it.state);
            it.code.join_each(self.w, accumulators, it.block, rest);
            self.w.end_if(after);
        }
        it.code.end_lanes(self.w, it.state)?;
        let number = self.w.b.use_var(first);
        let next = self.w.add(number, some);
        self.w.b.def_var(first, next);
        self.w.b.ins().jump(after, &[]);
        self.w.b.switch_to_block(other);
        Ok(Some(after))
    }

    /// Folds all rows at once if they are one block, there are enough of them and of columns, and their totals are the
    /// results. Code that is written from here up to the returned block handles all other cases.
    pub(super) fn columns_at_once(
        &mut self,
        nest: &SymbolicNest<LinearForm>,
        reducing: &[ReductionParts],
        begins: &[Value],
        (outer, between, len): (&[LoopValues], &[LoopValues], Value),
    ) -> Result<Option<Block>, BuildRefusal> {
        let ([it], [(rows, steps)], 1, 1) = (reducing, between, nest.folds.len(), nest.outputs.len()) else {
            return Ok(None);
        };
        let operand = it.one.operand;
        if it.dtype != result_dtype(it) || nest.inner.strides[operand].known() != Some(it.dtype.size() as i64) {
            return Ok(None);
        }
        let Some((code, width)) = it.code.columns(self.w, &reduced_loop(nest))? else { return Ok(None) };
        let [many, few] = [(IntCC::SignedGreaterThanOrEqual, LANES), (IntCC::SignedLessThanOrEqual, BLOCK as i64)]
            .map(|(how, number)| self.w.is(*rows, how, number));
        let wide = self.w.is(len, IntCC::SignedGreaterThanOrEqual, width);
        let fits = self.w.b.ins().band(many, few);
        let fits = self.w.b.ins().band(fits, wide);
        let [at_once, other, after] = [(); 3].map(|()| self.w.b.create_block());
        self.w.b.ins().brif(fits, at_once, &[], other, &[]);
        self.w.b.switch_to_block(at_once);
        let zero = self.w.int(0);
        let steps: Vec<Value> = steps[..operand].iter().copied().chain([zero; 2]).collect();
        let eighths: Vec<Value> = steps.iter().map(|&step| self.w.times(step, 8)).collect();
        self.around(outer, begins.to_vec(), &mut |driver, places| {
            let total = places[operand];
            let places = places[..operand].iter().copied().chain([total; 2]);
            let operands: Vec<(Value, Value)> = places.zip(steps.iter().copied()).collect();
            driver.w.run_rows(code, &operands, (zero, len), *rows, &eighths);
            Ok(())
        })?;
        self.w.b.ins().jump(after, &[]);
        self.w.b.switch_to_block(other);
        Ok(Some(after))
    }

    /// The code that adds the terms of many rows to accumulators, if that is all that there is to do.
    pub(super) fn adding(
        &mut self,
        nest: &SymbolicNest<LinearForm>,
        (terms, reducing): (LoopCode, &[ReductionParts]),
    ) -> Result<Option<LoopCode>, BuildRefusal> {
        let ([it], 1, 1, 1) = (reducing, nest.folds.len(), nest.outputs.len(), nest.between.len()) else {
            return Ok(None);
        };
        let Some(adding) = it.code.adding(&reduced_loop(nest)).filter(|_| terms.has_rows) else { return Ok(None) };
        let adding = self.w.object.loop_code(&adding)?;
        Ok(adding.has_rows.then_some(adding))
    }

    /// Takes all rows of a tile: the first 32 of a block are accumulators, to which the others are added, 32 at a time.
    pub(super) fn column_blocks(
        &mut self,
        it: &ReductionParts,
        [terms, adding]: [LoopCode; 2],
        operands: &[(Value, Value)],
        (start, width): (Value, Value),
        (rows, steps): &(Value, Vec<Value>),
    ) -> Result<(), BuildRefusal> {
        let size = it.dtype.size() as i64;
        let inputs = operands.len() - 1;
        let accumulators = it.code.accumulators(self.w, it.state);
        let distance = self.w.times(start, size);
        let place = (self.w.sub(accumulators, distance), self.w.int(size));
        let apart = self.w.times(width, size);
        let mut to_next = [steps[..inputs].to_vec(), vec![apart]].concat();
        let (block, count) = self.w.begin_parts(*rows, BLOCK as i64);
        let (group, some) = self.w.begin_parts(count, LANES);
        let row = self.w.add(block.at, group.at);
        let mut places = Vec::new();
        for (&(address, stride), &step) in operands[..inputs].iter().zip(steps) {
            let distance = self.w.mul(row, step);
            places.push((self.w.add(address, distance), stride));
        }
        places.push(place);
        let (first, other, after) = (self.w.b.create_block(), self.w.b.create_block(), self.w.b.create_block());
        self.w.b.ins().brif(group.at, other, &[], first, &[]);
        self.w.b.switch_to_block(first);
        self.w.run_rows(terms, &places, (start, width), some, &to_next);
        self.w.b.ins().jump(after, &[]);
        self.w.b.switch_to_block(other);
        places.push(place);
        to_next.push(apart);
        self.w.run_rows(adding, &places, (start, width), some, &to_next);
        self.w.b.ins().jump(after, &[]);
        self.w.b.switch_to_block(after);
        let next = self.w.plus(group.at, LANES);
        self.w.end_loop(group, next);
        let lanes = self.w.int(LANES);
        let met = self.w.least(count, lanes);
        it.code.end_block(self.w, it.state, met, width)?;
        let next = self.w.plus(block.at, BLOCK as i64);
        self.w.end_loop(block, next);
        Ok(())
    }
}
