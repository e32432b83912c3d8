//! Sums of ones: the number of terms, which means divide by.
//!
//! Where lengths are unknown, a sum of ones stands for the number of terms. Such a sum is exact, so it is computed from
//! the lengths. The loops around the other folds are then the same as in a run.

use super::driver::Driver;
use super::form::LinearForm;
use super::refusal::BuildRefusal;
use super::symbolic::{Dimension, SymbolicNest};
use crate::exec::fold::TermForm;
use crate::exec::plan::{NestKind, Reduction};
use crate::ir::Fold;
use crate::kernel::{InstId, InstOp};
use crate::types::DType;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

/// Whether a fold of a nest sums ones.
fn is_count(nest: &SymbolicNest<LinearForm>, one: &Reduction) -> bool {
    let one_bits = u128::from(1f64.to_bits());
    let is_one = |value: InstId| matches!(nest.body.inst(value).op, InstOp::Const(bits) if bits == one_bits);
    one.fold == Fold::Sum
        && (one.dtype, one.terms.dtype, one.terms.form) == (DType::F64, DType::F64, TermForm::Plain)
        && one.terms.of[0].is_some_and(is_one)
}

/// A nest without some of its outputs, which are named by the numbers of their operands.
fn without(nest: &SymbolicNest<LinearForm>, operands: &[usize]) -> SymbolicNest<LinearForm> {
    fn kept<T: Clone>(all: &[T], operands: &[usize], first: usize) -> Vec<T> {
        let is_kept = |at: usize| !operands.contains(&(first + at));
        all.iter().enumerate().filter(|(at, _)| is_kept(*at)).map(|(_, one)| one.clone()).collect()
    }
    let dim =
        |dim: &Dimension<LinearForm>| Dimension { len: dim.len.clone(), strides: kept(&dim.strides, operands, 0) };
    let reductions = |all: &[Reduction]| -> Vec<Reduction> {
        let others = all.iter().filter(|one| !operands.contains(&one.operand));
        let moved = |operand: usize| operand - operands.iter().filter(|&&removed| removed < operand).count();
        others.map(|one| Reduction { operand: moved(one.operand), ..*one }).collect()
    };
    let inputs = nest.dtypes.len() - nest.outputs.len();
    SymbolicNest {
        outer: nest.outer.iter().map(dim).collect(),
        between: nest.between.iter().map(dim).collect(),
        inner: dim(&nest.inner),
        moves: kept(&nest.moves, operands, 0),
        begins: kept(&nest.begins, operands, 0),
        dtypes: kept(&nest.dtypes, operands, 0),
        outputs: kept(&nest.outputs, operands, inputs),
        folds: reductions(&nest.folds),
        scans: reductions(&nest.scans),
        ..nest.clone()
    }
}

impl Driver<'_, '_, '_> {
    /// Stores the results of folds that sum ones. Returns the nest without them; `None` if there are none.
    pub(super) fn counts(
        &mut self,
        nest: &SymbolicNest<LinearForm>,
        begins: &[Value],
    ) -> Result<Option<SymbolicNest<LinearForm>>, BuildRefusal> {
        let counts: Vec<usize> = nest.folds.iter().filter(|one| is_count(nest, one)).map(|one| one.operand).collect();
        if counts.is_empty() {
            return Ok(None);
        }
        let (mut results, mut terms): (Vec<_>, Vec<_>) = (nest.outer.iter().collect(), nest.between.iter().collect());
        if nest.kind == NestKind::Columns { &mut results } else { &mut terms }.push(&nest.inner);
        let mut count = self.w.int(1);
        for dim in terms {
            let len = self.form(&dim.len);
            count = self.w.mul(count, len);
        }
        let count = self.w.b.ins().fcvt_from_sint(types::F64, count);
        for &operand in &counts {
            let mut dims = Vec::new();
            for dim in &results {
                dims.push((self.form(&dim.len), vec![self.form(&dim.strides[operand])]));
            }
            self.around(&dims, vec![begins[operand]], &mut |driver, places| {
                driver.w.b.ins().store(MemFlagsData::new().with_notrap(), count, places[0], 0);
                Ok(())
            })?;
        }
        Ok(Some(without(nest, &counts)))
    }
}
