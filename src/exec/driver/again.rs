//! A kernel that runs again as it ran: all that is looked up is where its arrays are.

use super::bind::lay;
use super::store::Store;
use crate::array::{Sizes, Strides, c_strides};
use crate::exec::options::RunError;
use crate::exec::space::PerOperand;
use crate::ir::NodeId;
use crate::kernel::{Extent, Kernel, Sink, Source};

/// Where the operands of a kernel are, given its arrays.
pub(super) struct Again {
    sources: PerOperand<From>,
    sinks: PerOperand<Made>,
}

enum From {
    /// A coordinate's first value.
    Count(usize),
    /// At a distance from the first element of an array with these strides.
    Array { node: NodeId, strides: Strides, distance: isize },
}

/// An array that the kernel makes, and the distance of what it writes first.
struct Made {
    node: NodeId,
    sizes: Sizes,
    distance: isize,
}

impl Again {
    /// Of a kernel that is about to run; `None` if its operands depend on more than the strides of arrays: if they are
    /// views that were made for this run, if a result may take the place of an array, or if others make it too.
    pub(super) fn of(kernel: &Kernel, store: &Store) -> Option<Again> {
        let rank = kernel.space.len();
        let sources = kernel.sources.iter().map(|source| match source {
            Source::Coordinate(place) => Some(From::Count(place.start as usize)),
            Source::Array { node, .. } if store.is_dying(*node) => None,
            Source::Array { node, walk } => {
                let strides = Strides::from_slice(store.in_memory(*node)?.strides());
                let (distance, _) = lay(walk, &strides, rank);
                Some(From::Array { node: *node, strides, distance })
            }
        });
        let sinks = kernel.sinks.iter().map(|sink| {
            let node = sink.node();
            let (dtype, sizes) = (store.program.node(node).dtype, store.sizes(node));
            let distance = match sink {
                Sink::Store { extent: Extent::Whole, walk, .. } => lay(walk, &c_strides(&sizes, dtype.size()), rank).0,
                Sink::Fold { .. } | Sink::Scan { .. } => 0,
                Sink::Store { .. } | Sink::Gather { .. } => return None,
            };
            store.is_made_once(node).then_some(Made { node, sizes, distance })
        });
        Some(Again { sources: sources.collect::<Option<_>>()?, sinks: sinks.collect::<Option<_>>()? })
    }

    /// The addresses of the operands, with room for what is made; `None` if an array has other strides than before.
    pub(super) fn place(&self, store: &mut Store) -> Result<Option<PerOperand<usize>>, RunError> {
        let mut addresses = PerOperand::new();
        for source in &self.sources {
            addresses.push(match source {
                From::Count(first) => *first,
                From::Array { node, strides, distance } => match store.in_memory(*node) {
                    Some(array) if array.strides() == &strides[..] => {
                        (array.pointer() as usize).wrapping_add_signed(*distance)
                    }
                    _ => return Ok(None),
                },
            });
        }
        for Made { node, sizes, distance } in &self.sinks {
            // SAFETY: the kernel writes every element before it becomes an array; when it fails, the memory is dropped
            // unread.
            let mut bytes = unsafe { store.room(*node, sizes)? };
            addresses.push((bytes.as_mut_ptr() as usize).wrapping_add_signed(*distance));
            store.begin(*node, bytes);
        }
        Ok(Some(addresses))
    }
}
