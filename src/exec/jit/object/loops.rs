//! The innermost loop of a nest. The strides of its operands may be known or not.

use super::folds;
use super::form::LinearForm;
use super::symbolic::{OperandStart, OutputUse, SymbolicNest};
use crate::exec::fold::TermForm;
use crate::exec::plan::Reduction;
use crate::exec::stepping::{Loop, LoopInput, LoopOutput, Step};
use crate::kernel::{Body, Inst, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// How an input moves along the innermost loop.
fn inputs(nest: &SymbolicNest<LinearForm>) -> Vec<LoopInput> {
    let count = nest.dtypes.len() - nest.outputs.len();
    let input = |operand: usize| match nest.begins[operand] {
        OperandStart::Count(_) => LoopInput::Count,
        OperandStart::At { .. } => {
            let dtype = nest.dtypes[operand];
            let stride = nest.inner.strides[operand].known();
            LoopInput::Array(dtype, stride.map_or(Step::Strided, |stride| Step::of(stride as isize, dtype)))
        }
    };
    (0..count).map(input).collect()
}

/// A value that the loop stores where it belongs.
fn stored(nest: &SymbolicNest<LinearForm>, operand: usize, value: InstId) -> LoopOutput {
    let stride = nest.inner.strides[operand].known();
    let step = stride.map_or(Step::Strided, |stride| Step::of_output(stride as isize, nest.dtypes[operand]));
    LoopOutput { value, step }
}

/// The innermost loop of a map.
pub(super) fn map_loop(nest: &SymbolicNest<LinearForm>) -> Loop {
    let inputs = inputs(nest);
    let outputs = nest.outputs.iter().enumerate().map(|(output, (value, kept))| match kept {
        OutputUse::Store => stored(nest, inputs.len() + output, *value),
        OutputUse::Buffered | OutputUse::Reduced | OutputUse::Gather(_) => {
            LoopOutput { value: *value, step: Step::Dense }
        }
    });
    let outputs = outputs.collect();
    Loop { body: nest.body.clone(), inputs, outputs }
}

/// The innermost loop of folds and scans: the terms, in the dtype that accumulates.
pub(super) fn reduced_loop(nest: &SymbolicNest<LinearForm>) -> Loop {
    let (mut body, inputs) = (nest.body.clone(), inputs(nest));
    let all: Vec<&Reduction> = nest.folds.iter().chain(&nest.scans).collect();
    let mut outputs = Vec::new();
    for output in 0..nest.outputs.len() {
        let operand = inputs.len() + output;
        let reduced = all.iter().find(|one| one.operand == operand);
        outputs.push(match reduced {
            Some(one) => LoopOutput { value: terms(&mut body, one), step: Step::Dense },
            None => stored(nest, operand, nest.outputs[output].0),
        });
    }
    Loop { body, inputs, outputs }
}

/// Adds the instructions that make the terms of a fold to a body. Returns the terms.
fn terms(body: &mut Body, one: &Reduction) -> InstId {
    let dtype = one.terms.dtype;
    let mut add = |inst: Inst| body.push(inst.op, inst.dtype);
    let prim = folds::inst;
    let [first, second] = one.terms.of;
    let first = first.expect("terms are made of something");
    let value = match (one.terms.form, second) {
        (TermForm::Product, Some(second)) => add(prim(Prim::Mul, &[first, second], dtype)),
        (TermForm::Difference | TermForm::Distance, Some(second)) => {
            let difference = add(prim(Prim::Sub, &[first, second], dtype));
            add(prim(Prim::Mul, &[difference, difference], dtype))
        }
        (TermForm::Wider(_), _) => add(prim(Prim::Convert, &[first], dtype)),
        (TermForm::Outside { of, least, count }, _) => {
            let first = if of == DType::I64 { first } else { add(prim(Prim::Convert, &[first], DType::I64)) };
            let least = add(Inst { op: InstOp::Const(least as u64 as u128), dtype: DType::I64 });
            let count = add(Inst { op: InstOp::Const(count.into()), dtype: DType::U64 });
            let distance = add(prim(Prim::Sub, &[first, least], DType::I64));
            let distance = add(prim(Prim::Bitcast, &[distance], DType::U64));
            add(prim(Prim::Le, &[count, distance], dtype))
        }
        _ => first,
    };
    if folds::total(dtype) == dtype { value } else { add(prim(Prim::Convert, &[value], folds::total(dtype))) }
}
