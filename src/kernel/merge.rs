//! Merges a kernel into the kernel that makes its sources.
//!
//! Materialisation points keep kernels apart that could be one: a costly value that is stored for a later kernel may
//! also be reduced at once, over the same space. A kernel joins the last of the kernels that make its sources, if it
//! reads their results exactly where they are made. A result that nobody else reads is then not stored at all.

use super::limits::{MAX_INSTS, MAX_SINKS};
use super::{Extent, Inst, InstId, InstOp, Kernel, KernelSource, Sink, StoredNodes};
use crate::hash::QuickMap;
use crate::ir::{NodeId, Program};

/// Merges what can be merged; the kernels stay in an order in which they can run.
pub(super) fn merge(program: &Program, kernels: Vec<Kernel>) -> Vec<Kernel> {
    let places = StoredNodes::by(program, &kernels);
    let mut readers = vec![0usize; program.nodes.len()];
    let read = kernels.iter().flat_map(Kernel::reads);
    read.chain(program.given()).for_each(|node| readers[places.home(program, node).index()] += 1);
    let mut maker: QuickMap<NodeId, usize> = QuickMap::default();
    let mut merged: Vec<Kernel> = Vec::new();
    for kernel in kernels {
        let last = kernel.reads().filter_map(|node| maker.get(&places.home(program, node)).copied()).max();
        let home = last.filter(|&home| fits(&merged[home], &kernel, |node| places.home(program, node)));
        let nodes: Vec<NodeId> = kernel.sinks.iter().map(Sink::node).collect();
        let index = home.unwrap_or(merged.len());
        match home {
            Some(home) => join(&mut merged[home], kernel, &mut readers),
            None => merged.push(kernel),
        }
        maker.extend(nodes.into_iter().map(|node| (node, index)));
    }
    merged
}

/// Whether `kernel` reads `home`'s results only at the places where they are made. A kernel that makes a part of an
/// array does not join: it stays after the other parts. No kernel joins one that gathers, and one that gathers joins
/// none.
fn fits(home: &Kernel, kernel: &Kernel, in_memory: impl Fn(NodeId) -> NodeId) -> bool {
    let reduced = [home.reduced, kernel.reduced];
    let moves = |sink: &Sink| match sink {
        Sink::Store { extent, .. } => *extent == Extent::Whole,
        Sink::Fold { .. } | Sink::Scan { .. } => true,
        Sink::Gather { .. } => false,
    };
    home.space == kernel.space
        && (reduced[0] == reduced[1] || reduced.contains(&0))
        && home.body.insts.len() + kernel.body.insts.len() <= MAX_INSTS
        && home.sinks.len() + kernel.sinks.len() <= MAX_SINKS
        && kernel.sinks.iter().all(moves)
        && !home.sinks.iter().any(|sink| matches!(sink, Sink::Gather { .. }))
        && kernel.sources.iter().all(|source| match source {
            KernelSource::Array { node, .. } => {
                let made = |node: NodeId| home.sinks.iter().any(|sink| sink.node() == node);
                !made(in_memory(*node)) || stored(home, source).is_some()
            }
            KernelSource::Coordinate(_) => true,
        })
}

/// The value of `home` that a source reads element by element.
fn stored(home: &Kernel, source: &KernelSource) -> Option<InstId> {
    let KernelSource::Array { node, walk } = source else { return None };
    home.sinks.iter().find_map(|sink| match sink {
        Sink::Store { value, node: made, walk: own, extent: Extent::Whole } if made == node => {
            let one = |axis: Option<usize>| axis.is_some_and(|axis| home.space[axis] == 1);
            let same = walk.iter().zip(own).all(|(read, made)| read == made || one(made.axis));
            same.then_some(*value)
        }
        Sink::Store { .. } | Sink::Fold { .. } | Sink::Scan { .. } | Sink::Gather { .. } => None,
    })
}

fn join(home: &mut Kernel, kernel: Kernel, readers: &mut [usize]) {
    let mut known: QuickMap<Inst, InstId> =
        home.body.insts.iter().enumerate().map(|(index, &inst)| (inst, InstId(index as u32))).collect();
    let mut sources: Vec<Result<u32, InstId>> = Vec::new();
    for source in kernel.sources {
        sources.push(match stored(home, &source) {
            Some(value) => {
                if let KernelSource::Array { node, .. } = source {
                    readers[node.index()] -= 1;
                }
                Err(value)
            }
            None => Ok(match home.sources.iter().position(|known| *known == source) {
                Some(index) => index as u32,
                None => {
                    home.sources.push(source);
                    home.sources.len() as u32 - 1
                }
            }),
        });
    }
    let mut values: Vec<InstId> = Vec::new();
    for mut inst in kernel.body.insts {
        let value = match &mut inst.op {
            InstOp::Load(source) | InstOp::Iota(source) => match sources[*source as usize] {
                Err(value) => Some(value),
                Ok(index) => {
                    *source = index;
                    None
                }
            },
            InstOp::Const(_) => None,
            InstOp::Prim(_, args) => {
                args.iter_mut().flatten().for_each(|arg| *arg = values[arg.0 as usize]);
                None
            }
        };
        let body = &mut home.body;
        values.push(value.unwrap_or_else(|| *known.entry(inst).or_insert_with(|| body.push(inst.op, inst.dtype))));
    }
    for mut sink in kernel.sinks {
        let (Sink::Store { value, .. }
        | Sink::Fold { value, .. }
        | Sink::Scan { value, .. }
        | Sink::Gather { value, .. }) = &mut sink;
        *value = values[value.0 as usize];
        home.sinks.push(sink);
    }
    home.reduced = home.reduced.max(kernel.reduced);
    home.sinks.retain(|sink| match sink {
        Sink::Store { node, extent: Extent::Whole, .. } => readers[node.index()] > 0,
        Sink::Store { .. } | Sink::Fold { .. } | Sink::Scan { .. } | Sink::Gather { .. } => true,
    });
}
