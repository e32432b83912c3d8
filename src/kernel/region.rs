//! Boxes: parts of a space, or of the array of a node.

use super::{AxisWalk, Kernel, KernelSource, Sink};
use std::ops::Range;

/// A range along each axis.
pub(super) type Region = Vec<Range<usize>>;

/// The most bytes of an array that is made in pieces. Caches hold it; a larger one may pass through windows, and each
/// piece would be one more pass.
pub(super) const MAX_PIECED_BYTES: usize = 32 << 20;

/// How many elements a box has.
pub(super) fn volume(region: &[Range<usize>]) -> usize {
    region.iter().map(Range::len).product()
}

/// The smallest box that holds all places of a walk. `None` if the walk is empty or has a negative position.
pub(super) fn hull(walk: &[AxisWalk], space: &[usize]) -> Option<Region> {
    let range = |place: &AxisWalk| {
        let last = place.axis.map_or(1, |axis| space[axis]).checked_sub(1)?;
        let [first, last] = [place.position(0), place.position(last)].map(|end| usize::try_from(end).ok());
        Some(first?.min(last?)..first?.max(last?) + 1)
    };
    walk.iter().map(range).collect()
}

/// Whether a walk goes through every place of its hull.
pub(super) fn is_dense(walk: &[AxisWalk], space: &[usize]) -> bool {
    walk.iter().all(|place| place.axis.is_none_or(|axis| space[axis] == 1) || place.step.unsigned_abs() == 1)
}

/// A kernel over a part of its space.
pub(super) fn part(kernel: &Kernel, region: &[Range<usize>]) -> Kernel {
    let mut part = kernel.clone();
    let shift = |place: &mut AxisWalk| {
        if let Some(axis) = place.axis {
            place.start = place.position(region[axis].start);
        }
    };
    part.space = region.iter().map(Range::len).collect();
    for source in &mut part.sources {
        match source {
            KernelSource::Array { walk, .. } => walk.iter_mut().for_each(shift),
            KernelSource::Coordinate(place) => shift(place),
        }
    }
    for sink in &mut part.sinks {
        if let Sink::Store { walk, .. } | Sink::Scan { walk, .. } = sink {
            walk.iter_mut().for_each(shift);
        }
    }
    part
}
