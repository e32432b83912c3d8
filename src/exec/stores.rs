//! Stores of a step in an array: elements, and where they lie.
//!
//! A `select` between new elements and an array, where coordinates are compared with numbers, and an update of a region
//! both say it.
//!
//! ```text
//! %9 = eq iota %6       : bool[100]       %4 is stored in %0, at %6
//! %11 = select %9 %4 %0 : f64[100]
//! ```

use crate::ir::loops::bare;
use crate::ir::{NodeId, NodeKind, Program, Slice, View};
use crate::scalar::prim::Prim;
use crate::types::{Dim, Shape};
use smallvec::SmallVec;

/// Elements that a node of a step stores in an array. Nodes say which, and where; sizes need not be known.
pub(super) struct StepStore {
    pub(super) value: NodeId,
    /// How many along each axis.
    pub(super) counts: Shape,
    pub(super) axes: SmallVec<[StoreAxis; 4]>,
}

/// Where the elements of a store are along an axis: the first is at `first`, and each further one is `step` places after
/// the one before.
pub(super) struct StoreAxis {
    pub(super) first: StoreFirst,
    pub(super) step: isize,
}

/// The position of the first element of a store along an axis.
pub(super) enum StoreFirst {
    At(Dim),
    Made(NodeId),
}

impl StepStore {
    /// The position along each axis of the only element, if it is one.
    #[cfg_attr(not(feature = "jit"), allow(dead_code, reason = "compiled loops alone store so"))]
    pub(super) fn place(&self) -> Option<impl Iterator<Item = &StoreFirst>> {
        let is_one = self.counts.iter().all(|count| count.known() == Some(1));
        is_one.then(|| self.axes.iter().map(|axis| &axis.first))
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
