//! What holds in every kernel, in the order in which it is checked:
//!
//! 1. No more axes are reduced than there are; a kernel that folds reduces some.
//! 2. An array source names, for each axis of the space, an axis of its node of the same length, each at most once;
//!    a coordinate's axis is one of the space.
//! 3. Operands of an instruction come before it; loads name array sources and have their dtype; iotas name
//!    coordinates and are `i64`; constants fit their dtype; a prim has the operands and the dtype of its row.
//! 4. A kernel has sinks, and they name values; a stored node has the dtype of its value and exactly the axes of the
//!    space; a folded node has the dtype of its fold and as many elements as the kept axes.

use super::{InstOp, Kernel, Sink, Source};
use crate::ir::{NodeId, NodeKind, Program};
use crate::types::{DType, shape};

/// Checks a kernel of a program.
///
/// # Errors
/// The first broken rule.
pub fn kernel(program: &Program, kernel: &Kernel) -> Result<(), String> {
    let rank = kernel.space.len();
    let folds = kernel.sinks.iter().any(|sink| matches!(sink, Sink::Fold { .. }));
    ensure(kernel.reduced <= rank && (!folds || kernel.reduced > 0), || "some axes are reduced".to_owned())?;
    for (index, source) in kernel.sources.iter().enumerate() {
        check_source(program, kernel, source).map_err(|reason| format!("s{index}: {reason}"))?;
    }
    for index in 0..kernel.body.insts.len() {
        check_inst(program, kernel, index).map_err(|reason| format!("v{index}: {reason}"))?;
    }
    ensure(!kernel.sinks.is_empty(), || "a kernel has sinks".to_owned())?;
    kernel.sinks.iter().try_for_each(|sink| check_sink(program, kernel, sink))
}

fn ensure(holds: bool, rule: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule()) }
}

fn sizes(program: &Program, node: NodeId) -> Result<Vec<usize>, String> {
    let known = program.nodes.get(node.index()).and_then(|node| shape::sizes(&node.shape));
    known.ok_or_else(|| format!("%{} is a node of known shape", node.0))
}

fn check_source(program: &Program, kernel: &Kernel, source: &Source) -> Result<(), String> {
    match source {
        Source::Coordinate { axis } => ensure(*axis < kernel.space.len(), || "an axis of the space".to_owned()),
        Source::Array { node, axes } => {
            let sizes = sizes(program, *node)?;
            ensure(axes.len() == kernel.space.len(), || "every axis of the space is mapped".to_owned())?;
            let mut seen = vec![false; sizes.len()];
            for (axis, own) in axes.iter().enumerate() {
                let Some(own) = *own else { continue };
                let fresh = seen.get_mut(own).is_some_and(|seen| !std::mem::replace(seen, true));
                ensure(fresh, || "an axis is walked once".to_owned())?;
                ensure(sizes[own] == kernel.space[axis], || format!("axis {own} is as long as the space"))?;
            }
            let rest = seen.iter().zip(&sizes).all(|(seen, len)| *seen || *len == 1);
            ensure(rest, || "an axis that is not walked has length 1".to_owned())
        }
    }
}

fn check_inst(program: &Program, kernel: &Kernel, index: usize) -> Result<(), String> {
    let inst = &kernel.body.insts[index];
    match inst.op {
        InstOp::Load(source) => match kernel.sources.get(source as usize) {
            Some(Source::Array { node, .. }) => {
                ensure(program.node(*node).dtype == inst.dtype, || "a load has its array's dtype".to_owned())
            }
            _ => Err("a load names an array".to_owned()),
        },
        InstOp::Iota(source) => {
            let counts = matches!(kernel.sources.get(source as usize), Some(Source::Coordinate { .. }));
            ensure(counts && inst.dtype == DType::I64, || "an iota counts in i64".to_owned())
        }
        InstOp::Const(bits) => {
            let fits = inst.dtype.bits() == 128 || bits >> inst.dtype.bits() == 0;
            ensure(fits, || "a constant fits its dtype".to_owned())
        }
        InstOp::Prim(prim, args) => {
            let mut dtypes = Vec::new();
            for arg in args.into_iter().flatten() {
                ensure((arg.0 as usize) < index, || "operands come first".to_owned())?;
                dtypes.push(kernel.body.insts[arg.0 as usize].dtype);
            }
            ensure(prim.result(&dtypes, inst.dtype) == Some(inst.dtype), || "a prim has its row's dtype".to_owned())
        }
    }
}

fn check_sink(program: &Program, kernel: &Kernel, sink: &Sink) -> Result<(), String> {
    let (Sink::Store { value, node, .. } | Sink::Fold { value, node, .. }) = sink;
    let inst = kernel.body.insts.get(value.0 as usize).ok_or("a sink names a value")?;
    let sizes = sizes(program, *node)?;
    let dtype = program.node(*node).dtype;
    match sink {
        Sink::Store { order, .. } => {
            ensure(inst.dtype == dtype, || format!("%{} has the stored dtype", node.0))?;
            let mut sorted = order.clone();
            sorted.sort_unstable();
            let lens = order.iter().map(|&axis| kernel.space.get(axis).copied());
            let same = lens.eq(sizes.iter().map(|&len| Some(len))) && sorted.iter().copied().eq(0..kernel.space.len());
            ensure(same, || format!("%{} has the axes of the space", node.0))
        }
        Sink::Fold { fold, .. } => {
            ensure(fold.result(inst.dtype) == dtype, || format!("%{} has the fold's dtype", node.0))?;
            let is_fold = matches!(program.node(*node).kind, NodeKind::Fold { .. });
            let kept = &kernel.space[..kernel.space.len() - kernel.reduced];
            let long = |lens: &[usize]| lens.iter().copied().filter(|&len| len != 1).collect::<Vec<_>>();
            ensure(is_fold && long(kept) == long(&sizes), || format!("%{} has the kept axes", node.0))
        }
    }
}
