//! The rules of every kernel, in the order in which they are checked:
//!
//! 1. No more axes are reduced than there are; a kernel that folds reduces some.
//! 2. An array source names a place for each axis of its node, within its length at every element of the space, along
//!    an axis of the space that no other place names; a coordinate's axis is one of the space.
//! 3. Operands of an instruction come before it; loads name array sources and have their dtype; iotas name
//!    coordinates and are `i64`; constants fit their dtype; a prim has the operands and the dtype of its row.
//! 4. A kernel has sinks, and they name values. A stored node has the dtype of its value. It is walked along every
//!    axis of the space, all of it unless the store makes a part. A folded node has the dtype of its fold and as many
//!    elements as the kept axes. A scan goes along the one reduced axis. A gather's positions are `i64`, nothing is
//!    reduced meanwhile, and the space takes the place of the axis.

use super::{AxisWalk, Extent, InstOp, Kernel, KernelSource, Sink};
use crate::ir::{NodeId, NodeKind, Program};
use crate::types::{DType, shape};

/// Checks a kernel of a program.
///
/// # Errors
/// The first broken rule.
pub fn kernel(program: &Program, kernel: &Kernel) -> Result<(), String> {
    let rank = kernel.space.len();
    let folds = kernel.sinks.iter().any(|sink| matches!(sink, Sink::Fold { .. } | Sink::Scan { .. }));
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

fn check_source(program: &Program, kernel: &Kernel, source: &KernelSource) -> Result<(), String> {
    match source {
        KernelSource::Coordinate(place) => {
            let exists = place.axis.is_some_and(|axis| axis < kernel.space.len());
            ensure(exists, || "an axis of the space".to_owned())
        }
        KernelSource::Array { node, walk } => check_walk(kernel, walk, &sizes(program, *node)?),
    }
}

/// Whether every element of the space has a place in an array.
fn check_walk(kernel: &Kernel, walk: &[AxisWalk], sizes: &[usize]) -> Result<(), String> {
    ensure(walk.len() == sizes.len(), || "every axis has a place".to_owned())?;
    let mut seen = vec![false; kernel.space.len()];
    let empty = kernel.space.contains(&0);
    for (own, (place, &len)) in walk.iter().zip(sizes).enumerate() {
        let mut count = 1;
        if let Some(axis) = place.axis {
            let fresh = seen.get_mut(axis).is_some_and(|seen| !std::mem::replace(seen, true));
            ensure(fresh, || "an axis of the space is walked once".to_owned())?;
            count = kernel.space[axis];
        }
        let exists = |index: usize| usize::try_from(place.position(index)).is_ok_and(|position| position < len);
        let inside = empty || exists(0) && exists(count - 1);
        ensure(inside, || format!("places along axis {own} exist"))?;
    }
    Ok(())
}

fn check_inst(program: &Program, kernel: &Kernel, index: usize) -> Result<(), String> {
    let inst = &kernel.body.insts[index];
    match inst.op {
        InstOp::Load(source) => match kernel.sources.get(source as usize) {
            Some(KernelSource::Array { node, .. }) => {
                ensure(program.node(*node).dtype == inst.dtype, || "a load has its array's dtype".to_owned())
            }
            _ => Err("a load names an array".to_owned()),
        },
        InstOp::Iota(source) => {
            let counts = matches!(kernel.sources.get(source as usize), Some(KernelSource::Coordinate { .. }));
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
                dtypes.push(kernel.body.dtype(arg));
            }
            ensure(prim.result(&dtypes, inst.dtype) == Some(inst.dtype), || "a prim has its row's dtype".to_owned())
        }
    }
}

fn check_sink(program: &Program, kernel: &Kernel, sink: &Sink) -> Result<(), String> {
    let node = program.nodes.get(sink.node().index()).ok_or("a sink makes a node")?;
    let name = sink.node().0;
    let inst = kernel.body.insts.get(sink.value().0 as usize).ok_or("a sink names a value")?;
    let sizes = sizes(program, sink.node())?;
    let dtype = node.dtype;
    let long = |lens: &[usize]| lens.iter().copied().filter(|&len| len != 1).collect::<Vec<_>>();
    match sink {
        Sink::Store { walk, extent, .. } => {
            ensure(inst.dtype == dtype, || format!("%{name} has the stored dtype"))?;
            check_walk(kernel, walk, &sizes)?;
            let mut axes: Vec<Option<usize>> = walk.iter().map(|place| place.axis).collect();
            axes.sort_unstable();
            ensure(axes.into_iter().eq((0..kernel.space.len()).map(Some)), || {
                format!("%{name} is walked along the space")
            })?;
            match extent {
                Extent::Whole => check_whole(kernel, walk, &sizes),
                Extent::Part => Ok(()),
                Extent::Over(base) => {
                    let like = program.nodes.get(base.index());
                    let same = like.is_some_and(|base| base.dtype == dtype && base.shape == node.shape);
                    ensure(same, || format!("%{name} is like what it is stored over"))
                }
            }
        }
        Sink::Fold { fold, .. } => {
            ensure(fold.result(inst.dtype) == dtype, || format!("%{name} has the fold's dtype"))?;
            let is_fold = matches!(node.kind, NodeKind::Fold { .. });
            let kept = &kernel.space[..kernel.space.len() - kernel.reduced];
            ensure(is_fold && long(kept) == long(&sizes), || format!("%{name} has the kept axes"))
        }
        Sink::Scan { walk, .. } => {
            ensure(inst.dtype == dtype, || format!("%{name} has the scanned dtype"))?;
            check_walk(kernel, walk, &sizes)?;
            check_whole(kernel, walk, &sizes)?;
            let NodeKind::Scan { axis, .. } = node.kind else { return Err(format!("%{name} is a scan")) };
            let along = walk.get(axis as usize).and_then(|place| place.axis);
            let last = kernel.reduced == 1 && along == Some(kernel.space.len() - 1);
            ensure(last, || format!("%{name} is scanned along the reduced axis"))
        }
        Sink::Gather { arg, axis, .. } => {
            ensure(inst.dtype == DType::I64 && kernel.reduced == 0, || "positions are i64".to_owned())?;
            let theirs = self::sizes(program, *arg)?;
            ensure(*axis < theirs.len() && program.node(*arg).dtype == dtype, || format!("%{name} reads its operand"))?;
            let shape: Vec<usize> =
                theirs[..*axis].iter().chain(&kernel.space).chain(&theirs[axis + 1..]).copied().collect();
            ensure(shape == sizes, || format!("%{name} has the space in place of the axis"))
        }
    }
}

fn check_whole(kernel: &Kernel, walk: &[AxisWalk], sizes: &[usize]) -> Result<(), String> {
    let all = |(place, &len): (&AxisWalk, &usize)| {
        place.axis.is_some_and(|axis| *place == AxisWalk::along(axis) && kernel.space[axis] == len)
    };
    ensure(walk.iter().zip(sizes).all(all), || "all of the node is made".to_owned())
}
