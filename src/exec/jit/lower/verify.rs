//! The rules of every body:
//!
//! 1. Operands are results of earlier steps; a store has no result.
//! 2. No step has complex numbers.
//! 3. A prim, called or not, takes operands of these dtypes and gives the result's; and so do operations.
//! 4. Loads and counts are of inputs of their kind, lookups of tables that there are.
//! 5. Every output is stored once, after all other steps.

use super::{VectorBody, VectorOp, VectorStep, Virtual};
use crate::exec::stepping::{Loop, LoopInput};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// Checks a body of a loop.
///
/// # Errors
/// The first broken rule, with the step.
pub(super) fn body(body: &VectorBody, code: &Loop) -> Result<(), String> {
    for (at, step) in body.steps.iter().enumerate() {
        rule(body, code, at, step).map_err(|rule| format!("v{at}, {:?}: {rule}", step.op))?;
    }
    let outputs = code.outputs.len();
    let last = body.steps.len().checked_sub(outputs).ok_or("an output is not stored")?;
    let stored = body.steps[last..].iter().enumerate();
    match stored.into_iter().all(|(output, step)| step.op == VectorOp::Store { output }) {
        true => Ok(()),
        false => Err("outputs are not stored in order at the end".to_owned()),
    }
}

fn rule(body: &VectorBody, code: &Loop, at: usize, step: &VectorStep) -> Result<(), &'static str> {
    let earlier =
        |arg: Virtual| (arg.0 as usize) < at && !matches!(body.steps[arg.0 as usize].op, VectorOp::Store { .. });
    if !step.args().all(earlier) {
        return Err("an operand is no earlier result");
    }
    if step.dtype.is_complex() {
        return Err("complex numbers are two vectors");
    }
    let dtypes: Vec<DType> = step.args().map(|arg| body.dtype(arg)).collect();
    let holds = match step.op {
        VectorOp::Const(bits) => step.dtype.bits() == 128 || bits >> step.dtype.bits() == 0,
        VectorOp::Load { input, part } => match code.inputs.get(input) {
            Some(LoopInput::Array(dtype, _)) => dtype.part() == step.dtype && (part == 0 || dtype.is_complex()),
            _ => false,
        },
        VectorOp::Count { input } => code.inputs.get(input) == Some(&LoopInput::Count) && step.dtype == DType::I64,
        VectorOp::Store { output } => {
            let stored = code.outputs.get(output).map(|output| code.dtype(output.value));
            stored.is_some_and(|stored| {
                dtypes.len() == 1 + usize::from(stored.is_complex())
                    && dtypes.iter().all(|dtype| *dtype == stored.part())
            })
        }
        VectorOp::Prim(prim) | VectorOp::Call(prim) => gives(prim, &dtypes, step.dtype),
        VectorOp::SlowPath(prim) => match &dtypes[..] {
            [DType::Bool, fast, operands @ ..] => *fast == step.dtype && gives(prim, operands, step.dtype),
            _ => false,
        },
        VectorOp::Scale { .. } => dtypes == [step.dtype; 3] && is_lane(step.dtype),
        VectorOp::Odd => step.dtype == DType::Bool && matches!(dtypes[..], [of] if is_lane(of)),
        VectorOp::NotLess => step.dtype == DType::Bool && matches!(dtypes[..], [a, b] if a == b && is_lane(a)),
        VectorOp::Lookup(_, table) => {
            dtypes == [step.dtype] && body.tables.get(table).is_some_and(|table| table.0 == step.dtype)
        }
        VectorOp::NegatedFma => dtypes == [step.dtype; 3] && is_lane(step.dtype),
        VectorOp::AtMost
        | VectorOp::AtLeast
        | VectorOp::NegateByTurns
        | VectorOp::ScaleDown
        | VectorOp::Limit
        | VectorOp::Logarithm => dtypes == [step.dtype; 2] && is_lane(step.dtype),
        VectorOp::Exponent { .. } | VectorOp::Mantissa { .. } => dtypes == [step.dtype] && is_lane(step.dtype),
    };
    if holds { Ok(()) } else { Err("operands of other dtypes, or what is not there") }
}

fn gives(prim: Prim, operands: &[DType], result: DType) -> bool {
    prim.result(operands, result) == Some(result)
}

/// Tells whether functions over lanes compute in this dtype.
fn is_lane(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F64)
}
