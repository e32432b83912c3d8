//! Buffer assignment of a kernel: a buffer of its own, or the place of an array that nobody reads afterwards.
//!
//! A store over an array that no later kernel reads happens in that array. The kernel itself may read that array too.
//! Elements that are read where they are written go through a block of scratch. If reads and writes cross, the new
//! elements are made in another buffer, and moved when all of them are there. A map whose operand nobody reads
//! afterwards is made in the operand's place, if each element is read where its result goes.

use super::Origin;
use super::alias::{Relation, relation};
use super::build::PlanBuilder;
use super::loops::Use;
use super::reader::PositionReader;
use super::storage::{Storage, StoredArray};
use crate::array::{Strides, c_strides};
use crate::ir::NodeId;
use crate::kernel::{AxisWalk, Extent, Kernel, KernelSource, Sink};
use smallvec::smallvec;

/// A source, found in storage.
pub(super) struct SourceReading {
    /// `None` for a coordinate.
    pub(super) array: Option<StoredArray>,
    pub(super) origin: Origin,
    pub(super) strides: Strides,
}

impl SourceReading {
    fn is_in(&self, storage: Storage) -> bool {
        self.array.as_ref().is_some_and(|array| array.storage == storage)
    }
}

/// Where a sink's elements go.
pub(super) struct SinkTarget {
    pub(super) origin: Origin,
    pub(super) strides: Strides,
    pub(super) what: Use,
}

/// The distance of a walk's first element from the array's, and how far it moves along each axis of the space.
fn lay(walk: &[AxisWalk], own: &[isize], rank: usize) -> (isize, Strides) {
    let mut strides: Strides = smallvec![0; rank];
    let mut distance = 0isize;
    for (place, &stride) in walk.iter().zip(own) {
        distance = distance.wrapping_add(place.start.wrapping_mul(stride));
        if let Some(axis) = place.axis {
            strides[axis] = place.step.wrapping_mul(stride);
        }
    }
    (distance, strides)
}

impl PlanBuilder<'_> {
    /// Finds what a source reads.
    pub(super) fn reading(&mut self, source: &KernelSource, rank: usize) -> SourceReading {
        match source {
            KernelSource::Array { node, walk } => {
                let array = self.location_of(*node);
                let (distance, strides) = lay(walk, &array.strides, rank);
                let origin = Origin::At { storage: array.storage, offset: array.offset.wrapping_add(distance) };
                SourceReading { array: Some(array), origin, strides }
            }
            KernelSource::Coordinate(place) => {
                let mut strides: Strides = smallvec![0; rank];
                if let Some(axis) = place.axis {
                    strides[axis] = place.step;
                }
                SourceReading { array: None, origin: Origin::Count(place.start), strides }
            }
        }
    }

    /// Makes room for the result of a sink, unless an earlier sink did. Returns the node whose buffer it reuses, if it
    /// reuses one.
    pub(super) fn make_room(&mut self, kernel: &Kernel, sink: &Sink, readings: &[SourceReading]) -> Option<NodeId> {
        let node = sink.node();
        if self.has_room(node) {
            return None;
        }
        let base = match sink {
            Sink::Store { extent: Extent::Over(base), .. } => Some(*base),
            Sink::Store { extent: Extent::Whole, walk, .. } if !self.lent.contains(&node) => {
                self.dying_operand(kernel, node, walk, readings)
            }
            Sink::Store { .. } | Sink::Fold { .. } | Sink::Scan { .. } | Sink::Gather { .. } => None,
        };
        // Another sink might read what this one has already written.
        if kernel.sinks.len() == 1
            && let Some(base) = base
            && let Some(buffer) = self.take(base)
        {
            self.begin(node, buffer);
            return Some(base);
        }
        let buffer = match sink {
            Sink::Store { extent: Extent::Over(base), .. } => {
                let array = self.location_of(*base);
                self.copy_of(&array)
            }
            Sink::Store { .. } | Sink::Fold { .. } | Sink::Scan { .. } | Sink::Gather { .. } => self.allocate_for(node),
        };
        self.begin(node, buffer);
        None
    }

    /// An operand of a map that nobody reads after this kernel, and whose elements are read where the results would go.
    fn dying_operand(
        &self,
        kernel: &Kernel,
        result: NodeId,
        written: &[AxisWalk],
        readings: &[SourceReading],
    ) -> Option<NodeId> {
        let size = self.program.node(result).dtype.size();
        let sizes = self.sizes(result);
        let fits = |source: &KernelSource, reading: &SourceReading| match (source, &reading.array) {
            (KernelSource::Array { node, walk }, Some(array)) => {
                self.is_dying(*node)
                    && array.dtype.size() == size
                    && array.sizes == sizes
                    && relation(walk, written, &kernel.space) == Relation::Same
            }
            _ => false,
        };
        let pairs = || kernel.sources.iter().zip(readings);
        let (source, found) = pairs().find(|(source, reading)| fits(source, reading))?;
        // Every other source in the same storage must be read at these places too.
        let storage = found.array.as_ref()?.storage;
        let all = pairs().filter(|(_, reading)| reading.is_in(storage)).all(|(source, reading)| fits(source, reading));
        match source {
            KernelSource::Array { node, .. } if all => Some(*node),
            KernelSource::Array { .. } | KernelSource::Coordinate(_) => None,
        }
    }

    /// How the elements that a kernel reads overlap those that a sink writes in the place of `base`.
    pub(super) fn written_over(
        &self,
        kernel: &Kernel,
        sink: &Sink,
        base: NodeId,
        readings: &[SourceReading],
    ) -> Relation {
        let Sink::Store { walk: written, node: made, .. } = sink else { return Relation::Apart };
        let storage = Storage::Buffer(self.room_of(*made));
        let sources = kernel.sources.iter().zip(readings).filter(|(_, reading)| reading.is_in(storage));
        let mut all = Relation::Apart;
        for (source, _) in sources {
            let one = match source {
                KernelSource::Array { node, walk } if *node == base => relation(walk, written, &kernel.space),
                // A view of the base may show any element anywhere.
                KernelSource::Array { .. } | KernelSource::Coordinate(_) => Relation::Crossing,
            };
            all = match (all, one) {
                (Relation::Crossing, _) | (_, Relation::Crossing) => Relation::Crossing,
                (Relation::Same, _) | (_, Relation::Same) => Relation::Same,
                _ => Relation::Apart,
            };
        }
        all
    }

    /// Where a sink's elements go. A gather takes the next of `arrays`, and adds a reader of it.
    pub(super) fn target<'a>(
        &self,
        kernel: &Kernel,
        sink: &Sink,
        arrays: &mut impl Iterator<Item = &'a StoredArray>,
        readers: &mut Vec<PositionReader>,
    ) -> SinkTarget {
        let (node, rank) = (sink.node(), kernel.space.len());
        let storage = Storage::Buffer(self.room_of(node));
        let size = self.program.node(node).dtype.size();
        let own = c_strides(&self.sizes(node), size);
        let begin = Origin::At { storage, offset: 0 };
        match sink {
            Sink::Store { walk, .. } => {
                let (offset, strides) = lay(walk, &own, rank);
                SinkTarget { origin: Origin::At { storage, offset }, strides, what: Use::Store }
            }
            Sink::Scan { walk, fold, .. } => {
                SinkTarget { origin: begin, strides: lay(walk, &own, rank).1, what: Use::Scan(*fold) }
            }
            Sink::Fold { fold, .. } => {
                let kept = rank - kernel.reduced;
                let mut strides: Strides = smallvec![0; rank];
                strides[..kept].copy_from_slice(&c_strides(&kernel.space[..kept], size));
                SinkTarget { origin: begin, strides, what: Use::Fold(*fold) }
            }
            Sink::Gather { axis, .. } => {
                let array = arrays.next().expect("an array for each gather");
                let reader = PositionReader::new(array, *axis, &own, &kernel.space);
                let what = Use::Gather { reader: readers.len(), bytes: reader.bytes() };
                readers.push(reader);
                SinkTarget { origin: begin, strides: own[*axis..][..rank].into(), what }
            }
        }
    }
}
