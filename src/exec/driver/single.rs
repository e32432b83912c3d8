//! Kernels of one element: computed as the reference does, in less time than it takes to begin a loop.

use super::bind;
use super::store::Store;
use crate::exec::options::{Options, RunError};
use crate::kernel::{Extent, InstOp, Kernel, Place, Sink, Source};
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use smallvec::SmallVec;

/// Runs a kernel if it makes one element of arrays of one, and keeps its results; whether it does.
pub(super) fn run(kernel: &Kernel, store: &mut Store, options: &Options) -> Result<bool, RunError> {
    if kernel.reduced > 0 || kernel.space.iter().any(|&len| len != 1) {
        return Ok(false);
    }
    if !kernel.sinks.iter().all(|sink| matches!(sink, Sink::Store { extent: Extent::Whole, .. })) {
        return Ok(false);
    }
    let mut values: SmallVec<[Scalar; 8]> = SmallVec::new();
    for inst in &kernel.body.insts {
        let dtype = inst.dtype;
        values.push(match inst.op {
            InstOp::Const(bits) => Scalar { dtype, bits },
            InstOp::Load(source) | InstOp::Iota(source) => {
                element(&kernel.sources[source as usize], kernel.space.len(), store, options)?
            }
            InstOp::Prim(prim, args) => {
                let args: SmallVec<[Scalar; 3]> = args.iter().flatten().map(|arg| values[arg.0 as usize]).collect();
                eval(prim, dtype, &args)
            }
        });
    }
    for sink in &kernel.sinks {
        let (node, Scalar { dtype, bits }) = (sink.node(), values[sink.value().0 as usize]);
        // SAFETY: its one element is written at once.
        let mut bytes = unsafe { store.room(node, &store.sizes(node))? };
        let element = &bits.to_le_bytes()[..dtype.size()];
        // SAFETY: there is room for it.
        unsafe { std::ptr::copy_nonoverlapping(element.as_ptr(), bytes.as_mut_ptr(), element.len()) };
        store.begin(node, bytes);
    }
    Ok(true)
}

/// A source's only element.
fn element(source: &Source, rank: usize, store: &mut Store, options: &Options) -> Result<Scalar, RunError> {
    match source {
        Source::Coordinate(Place { start, .. }) => Ok(Scalar::of(*start as i64)),
        Source::Array { node, walk } => {
            let array = bind::seen(*node, store, options)?;
            let (distance, _) = bind::lay(walk, array.strides(), rank);
            Ok(array.element_at(distance))
        }
    }
}
