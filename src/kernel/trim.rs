//! Dead stores under an update: its base is made only where the update leaves it.
//!
//! An element that is stored over later is stored for nothing. Where a later kernel stores a box of the array, the base
//! is stored around the box: at most two pieces along each axis.
//!
//! This is done only for arrays that caches hold. A larger one may pass through windows, and each piece would be one
//! more pass.
//!
//! ```text
//! y = x; y[1:-1, 1:-1] = z        a a a a
//!                                 c . . d
//!                                 b b b b
//! ```

use super::region::{MAX_PIECED_BYTES, Region, hull, is_dense, part, volume};
use super::{AxisWalk, Extent, Kernel, Sink};
use crate::ir::NodeId;
use std::ops::Range;

/// Elements that are stored in the time that one more kernel takes. A base is made in pieces only if each further
/// kernel saves that many.
const MIN_SAVED_ELEMENTS: usize = 1024;

/// The same kernels, but those that make bases of updates may be split into pieces.
pub(crate) fn trim(kernels: Vec<Kernel>) -> Vec<Kernel> {
    let pieces: Vec<_> = (0..kernels.len()).map(|index| around(&kernels[index], &kernels[index + 1..])).collect();
    let mut trimmed = Vec::with_capacity(kernels.len());
    for (kernel, pieces) in kernels.into_iter().zip(pieces) {
        match pieces {
            Some(pieces) => trimmed.extend(pieces.iter().map(|piece| part(&kernel, piece))),
            None => trimmed.push(kernel),
        }
    }
    trimmed
}

/// The boxes of a kernel's space around the largest box that a later kernel stores, if splitting the kernel is worth
/// it.
fn around(kernel: &Kernel, later: &[Kernel]) -> Option<Vec<Region>> {
    let [Sink::Store { node, walk, extent: Extent::Part, value }] = &kernel.sinks[..] else { return None };
    // Every axis must be walked from its beginning: of all the pieces of an array, at most the first begins there.
    let axes: Vec<usize> = walk.iter().map(whole).collect::<Option<_>>()?;
    let elements = kernel.space.iter().try_fold(1usize, |count, &len| count.checked_mul(len))?;
    if elements.checked_mul(kernel.body.dtype(*value).size())? > MAX_PIECED_BYTES {
        return None;
    }
    let stores = later.iter().flat_map(|later| later.sinks.iter().map(move |sink| (later, sink)));
    let boxes = stores.filter_map(|(later, sink)| stored(kernel, &axes, *node, later, sink));
    let largest = boxes.max_by_key(|region| volume(region))?;
    let pieces = complement(&kernel.space, &largest);
    (volume(&largest) >= MIN_SAVED_ELEMENTS * pieces.len().max(1)).then_some(pieces)
}

/// The axis that a place goes along from its beginning, element by element.
fn whole(place: &AxisWalk) -> Option<usize> {
    place.axis.filter(|&axis| *place == AxisWalk::along(axis))
}

/// The box of `kernel`'s space whose elements of `node` are stored again by a sink of a later kernel. `None` if the
/// sink stores no such box.
fn stored(kernel: &Kernel, axes: &[usize], node: NodeId, later: &Kernel, sink: &Sink) -> Option<Region> {
    let Sink::Store { node: made, walk: own, extent: Extent::Part, .. } = sink else { return None };
    if *made != node {
        return None;
    }
    let made = hull(own, &later.space).filter(|_| is_dense(own, &later.space))?;
    let mut region: Region = kernel.space.iter().map(|&len| 0..len).collect();
    for (&axis, range) in axes.iter().zip(made) {
        region[axis] = range;
    }
    region.iter().zip(&kernel.space).all(|(range, &len)| range.end <= len).then_some(region)
}

/// The space around a box, as boxes. Each axis gives the parts before and behind the box; along earlier axes they are
/// as long as the box.
fn complement(space: &[usize], hole: &[Range<usize>]) -> Vec<Region> {
    let mut pieces = Vec::new();
    for (axis, &len) in space.iter().enumerate() {
        for side in [0..hole[axis].start, hole[axis].end..len] {
            let mut piece: Region = space.iter().map(|&len| 0..len).collect();
            piece[..axis].clone_from_slice(&hole[..axis]);
            piece[axis] = side;
            pieces.push(piece);
        }
    }
    pieces.retain(|piece| piece.iter().all(|range| !range.is_empty()));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_hole_are_the_space() {
        let axes = [0..1usize, 0..3, 1..3, 2..3, 0..2];
        let every = || axes.iter().flat_map(|a| axes.iter().map(move |b| vec![a.clone(), b.clone()]));
        for hole in every() {
            let pieces = complement(&[3, 3], &hole);
            for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
                let holds = |region: &&Region| region[0].contains(&row) && region[1].contains(&column);
                let count = pieces.iter().chain([&hole]).filter(holds).count();
                assert_eq!(count, 1, "{row} {column} around {hole:?}");
            }
        }
    }
}
