//! The rules of every program, in the order in which they are checked:
//!
//! 1. Operands come before their users.
//! 2. A constant has the dtype of its scalar and no shape; an input exists and is declared once; the axis of an
//!    iota is one of its own.
//! 3. A map has the operands that its prim takes, the dtype that the prim gives, and the broadcast shape.
//! 4. A fold's axes are ascending axes of its operand; its dtype and shape follow.
//! 5. A view has its operand's dtype. A reshape and a transpose have as many elements; windows end where their axis
//!    does.
//! 6. A scan adds, multiplies or takes extremes along an axis of its operand, and keeps dtype and shape.
//! 7. A gather's positions are `i64`, and their axes replace the one that is read along.
//! 8. Parts of a concatenation have one dtype and, but for the axis, one shape; its length is the sum of theirs.
//! 9. An update has its base's dtype and shape, and its value's dtype; its region lies in the base. So does a
//!    slice's in its operand.
//! 10. Operands of a routine differ in their last axis alone; dtype and length follow from its row.
//! 11. A loop's step is a program that gives each state with the dtype and shape that it takes; its inputs are as many
//!     as the arguments say, and its results exist. No program that is complete has a use for a parameter.
//! 12. Outputs, checks and lengths name nodes; checks and lengths are `i64` scalars.

use super::build::{gathered_shape, reduced_shape};
use super::loops::{LoopOver, ProgramLoop};
use super::routine::Routine;
use super::{Fold, Node, NodeId, NodeKind, Program, Slice, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape, shape};

/// Checks a program.
///
/// # Errors
/// The first broken rule, naming the node.
pub fn program(program: &Program) -> Result<(), String> {
    let mut inputs = vec![false; program.inputs.len()];
    let leftovers = super::loops::leftovers(program);
    for (index, node) in program.nodes.iter().enumerate().filter(|(index, _)| !leftovers[*index]) {
        check(program, index, node, &mut inputs).map_err(|reason| format!("%{index}: {reason}"))?;
    }
    let exists = |id: NodeId| id.index() < program.nodes.len();
    for output in &program.outputs {
        ensure(exists(output.node), "an output names a node")?;
    }
    for check in &program.checks {
        ensure(exists(check.node), "a check names a node")?;
        let node = program.node(check.node);
        ensure(node.dtype == DType::I64 && node.shape.is_empty(), "a check is an i64 scalar")?;
    }
    for length in &program.lengths {
        ensure(exists(length.node), "a length names a node")?;
        let node = program.node(length.node);
        ensure(node.dtype == DType::I64 && node.shape.is_empty(), "a length is an i64 scalar")?;
    }
    Ok(())
}

/// The rule, if it does not hold.
pub(crate) fn ensure(holds: bool, rule: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule.to_owned()) }
}

fn check(program: &Program, index: usize, node: &Node, inputs: &mut [bool]) -> Result<(), String> {
    if let Some(later) = node.operands().find(|operand| operand.index() >= index) {
        return Err(format!("operand %{} does not come before its user", later.0));
    }
    let operands: Vec<&Node> = node.operands().map(|operand| program.node(operand)).collect();
    match &node.kind {
        NodeKind::Const(scalar) => {
            ensure(scalar.dtype == node.dtype && node.shape.is_empty(), "a constant is a scalar of its dtype")
        }
        NodeKind::Input(input) => match inputs.get_mut(*input as usize) {
            Some(seen) if !*seen => {
                *seen = true;
                Ok(())
            }
            _ => Err("an input exists and has one node".to_owned()),
        },
        NodeKind::Iota { axis } => {
            ensure((*axis as usize) < node.shape.len() && node.dtype == DType::I64, "an iota counts an axis in i64")
        }
        NodeKind::Map(prim, _) => map(*prim, &operands, node),
        NodeKind::Fold { fold, axes, keep, .. } => folded(*fold, operands[0], axes, *keep, node),
        NodeKind::View { view, .. } => viewed(operands[0], view, node),
        NodeKind::Scan { fold, axis, .. } => {
            let arg = operands[0];
            let legal = matches!(fold, Fold::Sum | Fold::Prod | Fold::Min | Fold::Max);
            ensure(legal && (*axis as usize) < arg.shape.len(), "a scan goes along an axis of its operand")?;
            ensure(arg.dtype == node.dtype && arg.shape == node.shape, "a scan keeps dtype and shape")
        }
        NodeKind::Gather { axis, .. } => {
            let (arg, index) = (operands[0], operands[1]);
            ensure(index.dtype == DType::I64, "positions are i64")?;
            ensure((*axis as usize) < arg.shape.len() && arg.dtype == node.dtype, "a gather reads its operand")?;
            let shape = gathered_shape(&arg.shape, &index.shape, *axis as usize);
            ensure(shape == node.shape, "the axes of the positions replace the one that is read along")
        }
        NodeKind::Concat { axis, .. } => joined(&operands, *axis as usize, node),
        NodeKind::Update { region, .. } => {
            let (base, value) = (operands[0], operands[1]);
            ensure(base.dtype == node.dtype && base.shape == node.shape, "an update keeps dtype and shape")?;
            ensure(value.dtype == node.dtype, "an update has the dtype of its value")?;
            inside(region, &value.shape, &base.shape)
        }
        NodeKind::Param(_) => Ok(()),
        NodeKind::Loop { of, args, result } => step(&of.0, args.len(), *result as usize),
        NodeKind::Routine { routine, .. } => lines(*routine, &operands, node),
    }
}

/// A map of its operands.
fn map(prim: Prim, args: &[&Node], node: &Node) -> Result<(), String> {
    let dtypes: Vec<DType> = args.iter().map(|arg| arg.dtype).collect();
    ensure(prim.result(&dtypes, node.dtype) == Some(node.dtype), "a map has its prim's dtype")?;
    let mut shape = Shape::new();
    for arg in args {
        shape = shape::broadcast(&shape, &arg.shape).map_err(|reason| reason.to_string())?;
    }
    ensure(shape == node.shape, "a map has the broadcast shape")
}

/// A fold of its operand.
fn folded(fold: Fold, arg: &Node, axes: &[u32], keep: bool, node: &Node) -> Result<(), String> {
    let axes: Vec<usize> = axes.iter().map(|&axis| axis as usize).collect();
    let legal = axes.is_sorted_by(|a, b| a < b) && axes.iter().all(|&axis| axis < arg.shape.len());
    ensure(legal, "a fold's axes are ascending axes of its operand")?;
    ensure(node.dtype == fold.result(arg.dtype), "a fold has its own dtype")?;
    ensure(node.shape == reduced_shape(&arg.shape, &axes, keep), "a fold has the reduced shape")
}

/// A view of its operand.
fn viewed(arg: &Node, view: &View, node: &Node) -> Result<(), String> {
    ensure(arg.dtype == node.dtype, "a view keeps the dtype")?;
    match view {
        View::Broadcast => ensure(
            shape::broadcast(&arg.shape, &node.shape).as_ref() == Ok(&node.shape),
            "a broadcast repeats its operand",
        ),
        View::Transpose(order) => {
            let permuted: Option<Vec<_>> = order.iter().map(|&from| arg.shape.get(from as usize)).collect();
            ensure(permuted.is_some_and(|dims| dims.into_iter().eq(&node.shape)), "a transpose permutes the axes")
        }
        View::Reshape => match (shape::sizes(&arg.shape), shape::sizes(&node.shape)) {
            (Some(from), Some(to)) => {
                let same = from.iter().product::<usize>() == to.iter().product::<usize>();
                ensure(same, "a reshape keeps the number of elements")
            }
            _ => Ok(()),
        },
        View::Slice(region) => inside(region, &node.shape, &arg.shape),
        View::Windows(axis) => {
            let axis = *axis as usize;
            let (len, places) = node.shape.split_last().ok_or("windows have an axis of their own")?;
            let others = places.iter().zip(&arg.shape).enumerate().all(|(at, (own, whole))| at == axis || own == whole);
            ensure(places.len() == arg.shape.len() && axis < places.len() && others, "windows keep the other axes")?;
            let reach = places[axis].add_scaled(len, 1).and_then(|end| end.add_scaled(&Dim::Const(1), -1));
            ensure(reach.as_ref() == Some(&arg.shape[axis]), "windows end where their axis does")
        }
    }
}

/// Parts that are joined along an axis.
fn joined(parts: &[&Node], axis: usize, node: &Node) -> Result<(), String> {
    ensure(!parts.is_empty() && axis < node.shape.len(), "parts are joined along an axis")?;
    let mut len = Dim::Const(0);
    for part in parts {
        ensure(part.dtype == node.dtype, "parts have one dtype")?;
        let mut dims = part.shape.iter().zip(&node.shape).enumerate();
        let fits = part.shape.len() == node.shape.len() && dims.all(|(at, (own, whole))| at == axis || own == whole);
        ensure(fits, "parts have one shape but for the axis")?;
        len = len.add_scaled(&part.shape[axis], 1).ok_or("a length that can be counted")?;
    }
    ensure(len == node.shape[axis], "the parts fill the axis")
}

/// A routine over lines of its operands.
fn lines(routine: Routine, args: &[&Node], node: &Node) -> Result<(), String> {
    let row = routine.row();
    let dtypes: Vec<DType> = args.iter().map(|arg| arg.dtype).collect();
    ensure((row.dtype)(&dtypes) == Some(node.dtype), "a routine has its row's dtype")?;
    let cut = |node: &Node| node.shape.len().checked_sub(row.axes).map(|at| (node.shape.clone(), at));
    let (shape, at) = cut(node).ok_or("a routine has the axes of its row")?;
    let cuts: Option<Vec<(Shape, usize)>> = args.iter().map(|arg| cut(arg)).collect();
    let args = cuts.ok_or("operands of a routine have the axes of its row")?;
    let alike = args.iter().all(|(own, cut)| own[..*cut] == shape[..at]);
    ensure(alike, "operands of a routine differ in its own axes")?;
    let own: Vec<&[Dim]> = args.iter().map(|(own, cut)| &own[*cut..]).collect();
    ensure(routine.takes(&own), "operands of a routine go together")?;
    let as_said = routine.lengths(&own).is_none_or(|own| own == shape[at..]);
    ensure(as_said, "a routine's lines are as long as its row says")
}

/// Checks a loop that has `args` arguments and gives the result with the number `result`.
fn step(of: &ProgramLoop, args: usize, result: usize) -> Result<(), String> {
    program(&of.step).map_err(|reason| format!("in the step: {reason}"))?;
    let (used, rows) = match of.over {
        // The count outside, the counter inside.
        LoopOver::Steps => (args, 0),
        LoopOver::Rows { .. } => (args, of.step.outputs.len().saturating_sub(of.states)),
    };
    ensure(of.step.inputs.len() == used, "a step has an input for every argument")?;
    let more = match of.over {
        LoopOver::Steps => usize::from(of.asks),
        LoopOver::Rows { .. } => rows,
    };
    ensure(of.step.outputs.len() == of.states + more, "a step gives every state")?;
    let results = if of.over == LoopOver::Steps { of.states } else { rows };
    ensure(result < results, "a result of a loop exists")?;
    for state in 0..of.states {
        let (given, taken) = (of.step.node(of.step.outputs[state].node), of.step.node(NodeId(state as u32)));
        ensure(given.dtype == taken.dtype && given.shape == taken.shape, "a state keeps its dtype and shape")?;
    }
    match &of.condition {
        Some(condition) => program(condition),
        None => Ok(()),
    }
}

/// Whether the positions of a region of known sizes exist in a shape.
fn inside(region: &[Slice], lens: &[Dim], whole: &[Dim]) -> Result<(), String> {
    ensure(region.len() == whole.len() && lens.len() == whole.len(), "a region names every axis")?;
    for ((slice, len), whole) in region.iter().zip(lens).zip(whole) {
        ensure(slice.step != 0, "a step is not 0")?;
        if let (Some(len), Some(whole), Some(_)) = (len.known(), whole.known(), slice.start.known())
            && len > 0
        {
            let exists =
                |index: u64| slice.position(index as usize).is_some_and(|at| (0..whole as isize).contains(&at));
            ensure(exists(0) && exists(len - 1), "a region lies in its operand")?;
        }
    }
    Ok(())
}
