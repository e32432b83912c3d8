//! Dead store elimination: stores of elements that nobody reads are left out.
//!
//! A chain of updates stores some elements again and again: an interior, then its edges. Where an array is made in
//! pieces, a piece that is stored over before anybody reads it is made for nothing. So are the elements of a kernel
//! that a later one stores. Kernels are looked at from the last to the first, each with the box of its result that is
//! read from there on.
//!
//! ```text
//! y[1:-1, 1:-1] = z; y[:, -1] = y[:, -2]; y[0] = y[1]; y[:, 0] = y[:, 1]; y[-1] = 0
//!
//! read of y from the end back     . . . .      the corners come from elements
//!                                 . z z .      that are stored over, and the
//!                                 . . . .      base is not read at all
//! ```

use super::region::{MAX_PIECED_BYTES, Region, hull, is_dense, part};
use super::{Extent, Kernel, KernelSource, Sink, StoredNodes};
use crate::hash::{QuickMap, QuickSet};
use crate::ir::{NodeId, Program};
use crate::types::shape;
use std::ops::Range;

/// The parts of arrays that later kernels and the program read.
struct ReadBoxes<'p> {
    program: &'p Program,
    stored: StoredNodes,
    /// The smallest box of each array that is read, by the node that is in memory.
    boxes: QuickMap<NodeId, Region>,
    /// The arrays that kernels name, whether or not they read an element.
    named: QuickSet<NodeId>,
    /// How many kernels make some elements of a node.
    makers: QuickMap<NodeId, usize>,
}

/// The fewest elements that may be left of the last axis of a space: shorter rows cost more than they save.
const MIN_ROW_ELEMENTS: usize = 32;

/// The same kernels without the elements that nobody reads, of arrays that are made in pieces.
pub(crate) fn without_unread(program: &Program, kernels: Vec<Kernel>) -> Vec<Kernel> {
    let in_pieces = |sink: &Sink| matches!(sink, Sink::Store { extent: Extent::Part | Extent::Over(_), .. });
    if !kernels.iter().any(|kernel| kernel.sinks.iter().any(in_pieces)) {
        return kernels;
    }
    let stored = StoredNodes::by(program, &kernels);
    let (boxes, mut makers) = (QuickMap::default(), QuickMap::default());
    for sink in kernels.iter().filter(|kernel| !kernel.space.contains(&0)).flat_map(|kernel| &kernel.sinks) {
        *makers.entry(sink.node()).or_default() += 1;
    }
    let mut read = ReadBoxes { program, stored, boxes, named: QuickSet::default(), makers };
    program.given().chain(program.lengths.iter().map(|length| length.node)).for_each(|node| read.all(node));
    let mut kept: Vec<Kernel> = kernels.into_iter().rev().filter_map(|kernel| read.before(kernel)).collect();
    kept.reverse();
    kept
}

impl ReadBoxes<'_> {
    /// Records that all of a node may be read.
    fn all(&mut self, node: NodeId) {
        let home = self.stored.home(self.program, node);
        self.named.insert(home);
        if let Some(sizes) = shape::sizes(&self.program.node(home).shape) {
            self.boxes.insert(home, sizes.into_iter().map(|size| 0..size).collect());
        }
    }

    /// Records that a box of a node is read; `None` stands for all of the node.
    fn add(&mut self, node: NodeId, region: Option<Region>) {
        let Some(region) = region.filter(|_| self.stored.home(self.program, node) == node) else {
            return self.all(node);
        };
        self.named.insert(node);
        match self.boxes.get_mut(&node) {
            Some(known) => known.iter_mut().zip(region).for_each(|(known, range)| {
                *known = known.start.min(range.start)..known.end.max(range.end);
            }),
            None => _ = self.boxes.insert(node, region),
        }
    }

    /// Shrinks a kernel to the elements that later kernels read, and records what it reads itself. `None` if nobody
    /// reads its results.
    fn before(&mut self, kernel: Kernel) -> Option<Kernel> {
        let kernel = self.wanted(kernel)?;
        if !kernel.sinks.iter().any(|sink| self.named.contains(&sink.node())) {
            return None;
        }
        for sink in &kernel.sinks {
            match sink {
                Sink::Store { node, walk, extent: Extent::Over(base), .. } => {
                    self.named.insert(self.stored.home(self.program, *base));
                    if let Some(read) = self.boxes.get(node).cloned() {
                        let over = hull(walk, &kernel.space).filter(|_| is_dense(walk, &kernel.space));
                        let left = match over {
                            Some(over) => without(read, &over),
                            None => Some(read),
                        };
                        left.into_iter().for_each(|left| self.add(*base, Some(left)));
                    }
                }
                Sink::Gather { arg, .. } => self.all(*arg),
                Sink::Store { .. } | Sink::Fold { .. } | Sink::Scan { .. } => {}
            }
        }
        for source in &kernel.sources {
            match source {
                KernelSource::Array { node, .. } if kernel.space.contains(&0) => {
                    self.named.insert(self.stored.home(self.program, *node));
                }
                KernelSource::Array { node, walk } => self.add(*node, hull(walk, &kernel.space)),
                KernelSource::Coordinate(_) => {}
            }
        }
        Some(kernel)
    }

    /// Shrinks a kernel to the part of its space whose results are read, if it stores a part of one array and nothing
    /// else. `None` if nobody reads its results and other kernels make the rest of the array.
    fn wanted(&mut self, kernel: Kernel) -> Option<Kernel> {
        let [Sink::Store { node, walk, extent: extent @ (Extent::Part | Extent::Over(_)), value }] = &kernel.sinks[..]
        else {
            return Some(kernel);
        };
        let size = kernel.body.dtype(*value).size();
        let sizes = shape::sizes(&self.program.node(*node).shape);
        let bytes = sizes.and_then(|sizes| sizes.iter().try_fold(size, |bytes, &size| bytes.checked_mul(size)));
        let made = hull(walk, &kernel.space).filter(|_| is_dense(walk, &kernel.space));
        let (Some(made), true) = (made, bytes.is_some_and(|bytes| bytes <= MAX_PIECED_BYTES)) else {
            return Some(kernel);
        };
        let read = self.boxes.get(node);
        let both = |(made, read): (&Range<usize>, &Range<usize>)| made.start.max(read.start)..made.end.min(read.end);
        let wanted: Option<Region> = read.map(|read| made.iter().zip(read).map(both).collect());
        let wanted = wanted.filter(|wanted| wanted.iter().all(|range| !range.is_empty()));
        let Some(mut wanted) = wanted else {
            let makers = self.makers.get_mut(node).expect("it was counted");
            let is_needless = *extent == Extent::Part && *makers > 1;
            *makers -= usize::from(is_needless);
            return (!is_needless).then_some(kernel);
        };
        let last = walk.iter().position(|place| kernel.space.len() > 1 && place.axis == Some(kernel.space.len() - 1));
        if let Some(last) = last.filter(|&last| wanted[last].len() < MIN_ROW_ELEMENTS) {
            wanted[last] = made[last].clone();
        }
        if wanted == made {
            return Some(kernel);
        }
        let mut region: Region = kernel.space.iter().map(|&len| 0..len).collect();
        for ((place, made), wanted) in walk.iter().zip(&made).zip(&wanted) {
            let Some(axis) = place.axis else { continue };
            // A walk that goes backwards begins at the last place.
            let before = if place.step < 0 { made.end - wanted.end } else { wanted.start - made.start };
            region[axis] = before..before + wanted.len();
        }
        Some(part(&kernel, &region))
    }
}

/// The smallest box that holds what is left of `all` without `gone`. `None` if nothing is left.
fn without(mut all: Region, gone: &[Range<usize>]) -> Option<Region> {
    let covers = |axis: usize, all: &Region| gone[axis].start <= all[axis].start && all[axis].end <= gone[axis].end;
    let open: Vec<usize> = (0..all.len()).filter(|&axis| !covers(axis, &all)).collect();
    match open[..] {
        [] => return None,
        [axis] if gone[axis].start <= all[axis].start => all[axis].start = all[axis].start.max(gone[axis].end),
        [axis] if all[axis].end <= gone[axis].end => all[axis].end = all[axis].end.min(gone[axis].start),
        _ => {}
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_box_holds_all_that_is_not_gone() {
        let axes = [0..1usize, 0..3, 1..3, 2..3, 0..2, 1..2];
        let every = || axes.iter().flat_map(|a| axes.iter().map(move |b| vec![a.clone(), b.clone()]));
        for (all, gone) in every().flat_map(|all| every().map(move |gone| (all.clone(), gone))) {
            let left = without(all.clone(), &gone);
            let holds =
                |region: &Region, place: [usize; 2]| region[0].contains(&place[0]) && region[1].contains(&place[1]);
            for place in (0..3).flat_map(|row| (0..3).map(move |column| [row, column])) {
                let must = holds(&all, place) && !holds(&gone, place);
                assert!(!must || left.as_ref().is_some_and(|left| holds(left, place)), "{place:?} of {all:?} {gone:?}");
                assert!(left.as_ref().is_none_or(|left| !holds(left, place) || holds(&all, place)));
            }
        }
        assert_eq!(without(vec![0..5, 0..5], &[4..5, 0..9]), Some(vec![0..4, 0..5]));
        assert_eq!(without(vec![0..5, 0..5], &[1..4, 0..5]), Some(vec![0..5, 0..5]), "the middle leaves both ends");
    }
}
