//! States of which a step changes a few elements. Those are stored where the state lies, and the rest stays.
//!
//! `x[t] = v` says of every other element that it is what it was: as a value, a `select` over the whole array. A loop
//! that takes a step for each element would go through the array as often as it is long. Here such a step makes `v` and
//! the position alone. When the step is done, and so nobody reads the state as it was, the elements are put at their
//! places.
//!
//! ```text
//! %6 = add %1 1         : i64             the state, as it was
//! %9 = eq iota %6       : bool[100]       and aside: %4, to be put at %6
//! %11 = select %9 %4 %0 : f64[100]
//! ```

use super::stores::{StepStore, StoreAxis, StoreFirst, stores};
use crate::array::{Array, Sizes};
use crate::ir::{NodeId, NodeKind, Program, ProgramOutput};
use crate::source::Span;
use crate::types::shape;
use smallvec::SmallVec;

/// A state is patched only if it has at least `MIN_PATCHED_RATIO` times as many elements as are stored in it. A smaller
/// state is made anew as quickly as it is patched.
const MIN_PATCHED_RATIO: usize = 8;

/// A step that gives states as they were, and after all it gave before what is put in them.
pub(super) struct PatchedStep {
    pub(super) step: Program,
    /// In the order in which they are stored.
    pub(super) patches: Vec<Patch>,
}

/// Elements that are stored in a state. Outputs of the step say which, and where.
pub(super) struct Patch {
    pub(super) state: usize,
    pub(super) value: usize,
    /// How many along each axis; the elements repeat to that by the broadcasting rule.
    pub(super) counts: Sizes,
    axes: SmallVec<[PatchAxis; 4]>,
}

/// Where the elements of a patch are along an axis: the first is at `first`, and each further one is `step` places
/// after the one before.
struct PatchAxis {
    first: PatchFirst,
    step: isize,
}

/// The position of the first element of a patch along an axis.
#[derive(Clone, Copy)]
enum PatchFirst {
    Known(isize),
    /// An output of the step says it.
    Made(usize),
}

impl PatchedStep {
    /// A step that changes no more than a few elements of one of its states.
    pub(super) fn of(step: &Program, states: usize) -> Option<PatchedStep> {
        let found = (0..states).filter_map(|state| Some((state, few(step, state)?)));
        let found: Vec<(usize, FewStores)> = found.collect();
        if found.is_empty() {
            return None;
        }
        let mut patched = PatchedStep { step: step.clone(), patches: Vec::new() };
        for (state, FewStores { begin, stores }) in found {
            patched.step.outputs[state].node = begin;
            stores.into_iter().for_each(|(store, counts)| patched.add(state, store, counts));
        }
        Some(patched)
    }

    fn add(&mut self, state: usize, StepStore { value, axes, .. }: StepStore, counts: Sizes) {
        let value = self.output(value);
        let axes = axes.into_iter().map(|StoreAxis { first, step }| {
            let first = match first {
                StoreFirst::At(dim) => PatchFirst::Known(dim.known().expect("few stores have known places") as isize),
                StoreFirst::Made(node) => PatchFirst::Made(self.output(node)),
            };
            PatchAxis { first, step }
        });
        let axes = axes.collect();
        self.patches.push(Patch { state, value, counts, axes });
    }

    /// One more output.
    fn output(&mut self, node: NodeId) -> usize {
        self.step.outputs.push(ProgramOutput { name: None, node, span: Span::default(), weak: false });
        self.step.outputs.len() - 1
    }
}

/// The state as a step finds it, and what the step stores in it with the counts along each axis.
struct FewStores {
    begin: NodeId,
    stores: Vec<(StepStore, Sizes)>,
}

/// What a step stores in a state, if that is all it does to it and little.
fn few(step: &Program, state: usize) -> Option<FewStores> {
    let (begin, stores) = stores(step, step.outputs[state].node);
    if !matches!(step.node(begin).kind, NodeKind::Input(input) if input as usize == state) {
        return None;
    }
    let sizes = shape::sizes(&step.node(begin).shape)?;
    let counted = stores.into_iter().map(|store| shape::sizes(&store.counts).map(|counts| (store, counts.into())));
    let stores = counted.collect::<Option<Vec<(StepStore, Sizes)>>>()?;
    let is_known = |axis: &StoreAxis| !matches!(&axis.first, StoreFirst::At(dim) if dim.known().is_none());
    if !stores.iter().all(|(store, _)| store.axes.iter().all(is_known)) {
        return None;
    }
    let stored: usize = stores.iter().map(|(_, counts)| counts.iter().product::<usize>()).sum();
    let is_little = !stores.is_empty() && stored.saturating_mul(MIN_PATCHED_RATIO) <= sizes.iter().product();
    is_little.then_some(FewStores { begin, stores })
}

impl Patch {
    /// The first position along each axis, where an output says it by this function.
    pub(super) fn firsts(&self, said: impl Fn(usize) -> i64) -> SmallVec<[isize; 4]> {
        let first = |axis: &PatchAxis| match axis.first {
            PatchFirst::Known(first) => first,
            PatchFirst::Made(output) => said(output) as isize,
        };
        self.axes.iter().map(first).collect()
    }

    /// The outputs that say positions.
    pub(super) fn outputs(&self) -> impl Iterator<Item = usize> {
        self.axes.iter().filter_map(|axis| match axis.first {
            PatchFirst::Known(_) => None,
            PatchFirst::Made(output) => Some(output),
        })
    }

    /// Puts elements, in C order, in an array of such sizes. A position outside is none of its places.
    pub(super) fn put(&self, firsts: &[isize], elements: &[u8], sizes: &[usize], into: &mut [u8]) {
        let lines = self.axes.iter().zip(firsts).zip(&self.counts).zip(sizes);
        let axes: SmallVec<[PatchLine; 4]> =
            lines.map(|(((axis, &first), &count), &len)| PatchLine { first, step: axis.step, count, len }).collect();
        put(&axes, elements, into);
    }
}

/// What is stored along an axis.
#[derive(Clone, Copy)]
struct PatchLine {
    first: isize,
    step: isize,
    count: usize,
    len: usize,
}

impl PatchLine {
    fn is_whole(&self) -> bool {
        self.first == 0 && self.step == 1 && self.count == self.len
    }
}

fn put(axes: &[PatchLine], elements: &[u8], into: &mut [u8]) {
    let Some((line, inner)) = axes.split_first().filter(|_| !axes.iter().all(PatchLine::is_whole)) else {
        into.copy_from_slice(elements);
        return;
    };
    if line.count == 0 || line.len == 0 {
        return;
    }
    let (part, room) = (elements.len() / line.count, into.len() / line.len);
    if let Ok(first) = usize::try_from(line.first)
        && line.step == 1
        && first.checked_add(line.count).is_some_and(|end| end <= line.len)
        && inner.iter().all(PatchLine::is_whole)
    {
        into[first * room..][..elements.len()].copy_from_slice(elements);
        return;
    }
    for index in 0..line.count {
        let place = line.first.wrapping_add(line.step.wrapping_mul(index as isize));
        let Some(place) = usize::try_from(place).ok().filter(|place| *place < line.len) else { continue };
        put(inner, &elements[index * part..][..part], &mut into[place * room..][..room]);
    }
}

/// The elements of an array, repeated to larger sizes, in C order.
pub(super) fn elements(array: &Array, sizes: &[usize]) -> Vec<u8> {
    let size = array.dtype().size();
    if let (true, Some(bytes)) = (array.shape() == sizes, array.contiguous_bytes()) {
        return bytes.to_vec();
    }
    let repeated = array.broadcast_to(sizes);
    repeated.scalars().flat_map(|scalar| scalar.bits.to_le_bytes().into_iter().take(size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_outside_are_left_out() {
        let patch = |axes: Vec<PatchAxis>, counts: &[usize]| Patch {
            state: 0,
            value: 0,
            counts: Sizes::from_slice(counts),
            axes: axes.into(),
        };
        let axis = |step| PatchAxis { first: PatchFirst::Made(0), step };
        let of = patch(vec![axis(1), axis(2)], &[2, 2]);
        let mut into = [0; 12];
        of.put(&[2, 1], &[1, 2, 3, 4], &[3, 4], &mut into);
        assert_eq!(into, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2]);
        of.put(&[-1, 3], &[5, 6, 7, 8], &[3, 4], &mut into);
        assert_eq!(into, [0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 0, 2]);
        patch(Vec::new(), &[]).put(&[], &[9], &[], &mut into[..1]);
        assert_eq!(into[0], 9);
    }
}
