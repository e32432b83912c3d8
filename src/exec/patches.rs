//! States of which a step changes a few elements: those are stored where the state lies, and the rest stays.
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

use crate::array::{Array, Sizes};
use crate::ir::loops::bare;
use crate::ir::{NodeId, NodeKind, Program, ProgramOutput, Slice, View};
use crate::scalar::prim::Prim;
use crate::types::{Dim, Shape, shape};
use smallvec::SmallVec;

/// A state is patched only if it has at least `FEW` times as many elements as are stored in it. A smaller state is made
/// anew as quickly as it is patched.
const FEW: usize = 8;

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

/// Elements that a node of a step stores in an array. Nodes say which, and where; sizes need not be known.
pub(super) struct StepStore {
    pub(super) value: NodeId,
    /// How many along each axis.
    counts: Shape,
    axes: SmallVec<[StoreAxis; 4]>,
}

/// Where the elements of a store are along an axis, as those of a patch are.
struct StoreAxis {
    first: StoreFirst,
    step: isize,
}

/// The position of the first element of a store along an axis.
pub(super) enum StoreFirst {
    At(Dim),
    Made(NodeId),
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
        self.step.outputs.push(ProgramOutput { name: None, node, span: Default::default(), weak: false });
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
    let is_little = !stores.is_empty() && stored.saturating_mul(FEW) <= sizes.iter().product();
    is_little.then_some(FewStores { begin, stores })
}

impl StepStore {
    /// The position along each axis of the only element, if it is one.
    #[cfg_attr(not(feature = "jit"), allow(dead_code, reason = "compiled loops alone store so"))]
    pub(super) fn place(&self) -> Option<impl Iterator<Item = &StoreFirst>> {
        let is_one = self.counts.iter().all(|count| count.known() == Some(1));
        is_one.then(|| self.axes.iter().map(|axis| &axis.first))
    }
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

/// The array that a node stores elements in, and these, in their order; the node itself where it stores none.
pub(super) fn stores(step: &Program, node: NodeId) -> (NodeId, Vec<StepStore>) {
    let (mut node, mut stores) = (node, Vec::new());
    loop {
        let kind = &step.node(node).kind;
        let (stored, base) = if let NodeKind::Map(Prim::Select, [Some(here), Some(value), Some(old)]) = kind {
            (chosen(step, node, *here, *value), *old)
        } else if let NodeKind::Update { base, region, value } = kind {
            (placed(step, *base, region, *value), *base)
        } else {
            (None, node)
        };
        let Some(stored) = stored else { break };
        stores.push(stored);
        node = base;
    }
    stores.reverse();
    (node, stores)
}

/// What is stored in a region of an array: the value, or what it changes of the elements that are there.
fn placed(step: &Program, base: NodeId, region: &[Slice], value: NodeId) -> Option<StepStore> {
    let mut store = if let NodeKind::Map(Prim::Select, [Some(here), Some(new), Some(old)]) = step.node(value).kind
        && shows(step, old, base, region)
    {
        chosen(step, value, here, new)?
    } else {
        everywhere(step, value)
    };
    let (inside, whole) = (&step.node(value).shape, &step.node(base).shape);
    for (number, (axis, slice)) in store.axes.iter_mut().zip(region).enumerate() {
        let is_whole = matches!(axis.first, StoreFirst::At(Dim::Const(0))) && axis.step == 1;
        match is_whole {
            true => *axis = StoreAxis { first: StoreFirst::At(slice.start.clone()), step: slice.step as isize },
            // A place that the data says may lie behind a region that is a part of the axis.
            false if *slice == Slice::all() && inside[number] == whole[number] => {}
            false => return None,
        }
    }
    Some(store)
}

/// Whether a node shows a region of another.
fn shows(step: &Program, node: NodeId, of: NodeId, wanted: &[Slice]) -> bool {
    matches!(&step.node(node).kind, NodeKind::View { arg, view: View::Slice(region) } if *arg == of && **region == *wanted)
}

/// A value for every place.
fn everywhere(step: &Program, value: NodeId) -> StepStore {
    let counts = step.node(value).shape.clone();
    let axes = counts.iter().map(|_| StoreAxis { first: StoreFirst::At(Dim::Const(0)), step: 1 }).collect();
    StepStore { value, counts, axes }
}

/// What a condition says of an axis.
#[derive(Clone)]
struct AxisCondition {
    /// How many places there are.
    len: Dim,
    /// The condition holds at this place alone.
    at: Option<NodeId>,
    /// The condition holds at no place before this one.
    from: Option<NodeId>,
    /// The condition holds only at places that are fewer than this many places after the node's.
    within: Option<(NodeId, usize)>,
}

/// What a `select` of this shape stores where a condition holds, if that is said by coordinates.
fn chosen(step: &Program, select: NodeId, here: NodeId, value: NodeId) -> Option<StepStore> {
    let mut store = StepStore { value, ..everywhere(step, select) };
    let nothing = |len: &Dim| AxisCondition { len: len.clone(), at: None, from: None, within: None };
    let mut conditions: Vec<AxisCondition> = store.counts.iter().map(nothing).collect();
    conditioned(step, here, &mut conditions)?;
    // The last of the windows is spread last.
    for (axis, condition) in conditions.iter().enumerate().rev() {
        let (first, count) = match *condition {
            AxisCondition { at: Some(at), from: None, within: None, .. } => (at, 1),
            AxisCondition { at: None, from: Some(from), within: Some((start, len)), .. } if from == start => {
                store.value = compact(step, store.value, (&conditions, axis), (start, len))?;
                (start, len)
            }
            AxisCondition { at: None, from: None, within: None, .. } => continue,
            _ => return None,
        };
        store.axes[axis].first = StoreFirst::Made(first);
        store.counts[axis] = Dim::Const(count as u64);
    }
    store.value = one_element(step, bare(step, store.value));
    let own = &step.node(store.value).shape;
    // Another value in each place of an axis of which one is stored would be another value.
    let mut pairs = own.iter().rev().zip(store.counts.iter().rev());
    let fits = own.len() <= store.counts.len() && pairs.all(|(own, count)| own.known() == Some(1) || own == count);
    fits.then_some(store)
}

/// The node under reshapes of one element: what makes it has no axes, as positions have none.
fn one_element(step: &Program, mut node: NodeId) -> NodeId {
    while let NodeKind::View { arg, view: View::Reshape } = step.node(node).kind
        && step.node(arg).shape.is_empty()
    {
        node = arg;
    }
    node
}

/// What a truth value says of coordinates, if it says nothing else.
#[expect(clippy::wildcard_enum_match_arm, reason = "no other node is a condition of coordinates")]
fn conditioned(step: &Program, node: NodeId, conditions: &mut [AxisCondition]) -> Option<()> {
    let known = step.node(node);
    let is_scalar = |node: NodeId| step.node(node).shape.is_empty();
    match known.kind {
        NodeKind::Map(Prim::And, [Some(x), Some(y), None]) => {
            conditioned(step, x, conditions)?;
            conditioned(step, y, conditions)
        }
        NodeKind::Map(Prim::Eq, [Some(x), Some(y), None]) => {
            let (place, at) = if is_scalar(y) { (x, y) } else { (y, x) };
            let condition = axis_of(step, place, conditions).filter(|_| is_scalar(at))?;
            condition.at.replace(at).is_none().then_some(())
        }
        NodeKind::Map(Prim::Le, [Some(zero), Some(own), None]) if constant(step, zero) == Some(0) => {
            let (place, start) = difference(step, own)?;
            axis_of(step, place, conditions)?.from.replace(start).is_none().then_some(())
        }
        NodeKind::Map(Prim::Lt, [Some(own), Some(len), None]) => {
            let (place, start) = difference(step, own)?;
            let len = usize::try_from(constant(step, len)?).ok()?;
            axis_of(step, place, conditions)?.within.replace((start, len)).is_none().then_some(())
        }
        _ => None,
    }
}

/// What is said of the axis that a coordinate is of. One of fewer places is repeated, and says nothing of where.
fn axis_of<'c>(step: &Program, place: NodeId, conditions: &'c mut [AxisCondition]) -> Option<&'c mut AxisCondition> {
    let NodeKind::Iota { axis } = step.node(place).kind else { return None };
    let shape = &step.node(place).shape;
    let missing = conditions.len().checked_sub(shape.len())?;
    let condition = conditions.get_mut(missing + axis as usize)?;
    (shape[axis as usize] == condition.len).then_some(condition)
}

/// The two sides of `place - start`.
fn difference(step: &Program, node: NodeId) -> Option<(NodeId, NodeId)> {
    let NodeKind::Map(Prim::Sub, [Some(place), Some(start), None]) = step.node(node).kind else { return None };
    Some((place, start))
}

fn constant(step: &Program, node: NodeId) -> Option<i64> {
    if let NodeKind::Const(scalar) = &step.node(node).kind { Some(scalar.bits as u64 as i64) } else { None }
}

/// The elements of a window before they were spread along an axis: `len` elements, the first of which went to the place
/// `start`.
fn compact(
    step: &Program,
    value: NodeId,
    (conditions, axis): (&[AxisCondition], usize),
    (start, len): (NodeId, usize),
) -> Option<NodeId> {
    let value = bare(step, value);
    let NodeKind::Gather { arg, index, axis: own } = step.node(value).kind else { return None };
    let NodeKind::Map(Prim::Max, [Some(least), Some(zero), None]) = step.node(index).kind else { return None };
    let NodeKind::Map(Prim::Min, [Some(far), Some(last), None]) = step.node(least).kind else { return None };
    let (place, from) = difference(step, far)?;
    let is_line = matches!(step.node(place).kind, NodeKind::Iota { axis: 0 })
        && matches!(&step.node(place).shape[..], [places] if *places == conditions[axis].len);
    let is_own = is_line && from == start && own as usize == axis && step.node(value).shape.len() == conditions.len();
    let ends = constant(step, zero) == Some(0) && constant(step, last) == Some(len as i64 - 1);
    let fits = step.node(arg).shape.get(axis)?.known() == Some(len as u64);
    (is_own && ends && fits).then_some(arg)
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
