//! Slices whose lengths a step of a loop decides, as arrays of whole axes: `a[:t]` and `a[t:]`.
//!
//! Memory is the caller's, so no array of a step has a length that the step decides. It becomes as long as the axis
//! that it is a part of. Behind its elements there are others then, which nothing sees: a fold takes a value in their
//! place that changes no other, and a store leaves what was there. As the others come last, the elements keep their
//! places in the order of a fold, and results have the bits of a run.
//!
//! ```text
//! %1 = slice %0 [0 k +1]   : f64[k]       %1 = iota axis=0         : i64[n]
//! %2 = sum %1 axes=0       : f64          %2 = lt %1 %t            : bool[n]
//!                                         %3 = select %2 %0 -0.0   : f64[n]
//! length k %t                             %4 = sum %3 axes=0       : f64
//! ```
//!
//! A step stays as it is where the others would not come last, or would be seen: where such slices are reversed, joined,
//! sorted, or sliced again.

use crate::exec::routine::identity;
use crate::ir::loops::{LoopRef, ProgramLoop};
use crate::ir::routine::Routine;
use crate::ir::{Fold, Node, NodeId, NodeKind, Program, Slice, View};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};
use std::sync::Arc;

/// The program with whole axes in the steps of its loops, wherever that is possible.
pub(super) fn with_whole_axes(program: &Program) -> Program {
    let mut widened = program.clone();
    let mut loops: Vec<(LoopRef, LoopRef)> = Vec::new();
    for node in Arc::make_mut(&mut widened.nodes) {
        let NodeKind::Loop { of, .. } = &mut node.kind else { continue };
        // The results of a loop go on sharing it.
        let known = loops.iter().find(|(before, _)| before == of).map(|(_, now)| now.clone());
        let now = known.unwrap_or_else(|| {
            let now = LoopRef(Arc::new(in_steps(&of.0)));
            loops.push((of.clone(), now.clone()));
            now
        });
        *of = now;
    }
    widened
}

fn in_steps(of: &ProgramLoop) -> ProgramLoop {
    let part = |part: &Program| {
        let inside = with_whole_axes(part);
        WholeAxes::of(&inside).unwrap_or(inside)
    };
    ProgramLoop { step: part(&of.step), condition: of.condition.as_ref().map(part), ..of.clone() }
}

/// A length that a step decides.
struct PartOfAxis {
    name: Dim,
    /// The length of the axis.
    whole: Dim,
    /// The number of elements.
    count: NodeId,
}

/// A step that is being written with whole axes.
struct WholeAxes<'w> {
    program: &'w Program,
    parts: Vec<PartOfAxis>,
    nodes: Vec<Node>,
    /// Where the nodes of the step are by now.
    places: Vec<Option<NodeId>>,
}

impl WholeAxes<'_> {
    /// A step with whole axes in place of its own lengths; `None` where it has none, or that is not possible.
    fn of(program: &Program) -> Option<Program> {
        // What waits for a condition on lengths would be the axis itself.
        let waits = program.checks.iter().any(|check| !check.fault.waiting().is_empty());
        if program.lengths.is_empty() || waits {
            return None;
        }
        let program = &with_single_values(program);
        let shown = program.checks.iter().flat_map(|check| check.fault.shown().iter().copied());
        let needed = program.needed_for(program.given().chain(shown));
        let needed: Vec<NodeId> = (0..program.nodes.len() as u32).map(NodeId).filter(|id| needed[id.index()]).collect();
        let mut parts = Vec::new();
        for length in &program.lengths {
            if needed.iter().any(|&id| program.lengths_in(program.node(id)).any(|own| own.name == length.name)) {
                let name = Dim::name(&length.name);
                let whole = axis_of(program, &needed, &name)?;
                parts.push(PartOfAxis { name, whole, count: length.node });
            }
        }
        let places = vec![None; program.nodes.len()];
        let mut writer = WholeAxes { program, parts, nodes: Vec::new(), places };
        if program.given().any(|id| program.node(id).shape.iter().any(|dim| writer.is_part(dim))) {
            return None;
        }
        for id in needed {
            let place = writer.node(id)?;
            writer.places[id.index()] = Some(place);
        }
        let WholeAxes { parts, nodes, places, .. } = writer;
        let mut whole = Program { nodes: Arc::new(nodes), lengths: Vec::new(), read: Vec::new(), ..program.clone() };
        let place = |node: &mut NodeId| places[node.index()].map(|place| *node = place);
        for output in &mut whole.outputs {
            place(&mut output.node)?;
        }
        for check in &mut whole.checks {
            place(&mut check.node)?;
            check.fault.nodes().iter_mut().try_for_each(place)?;
        }
        for PartOfAxis { name, whole: axis, .. } in &parts {
            name.names(&mut |name| whole.equate(name, axis));
        }
        Some(whole)
    }

    /// Whether a length, or what it is made of, is one that the step decides.
    fn is_part(&self, dim: &Dim) -> bool {
        let mut found = false;
        dim.names(&mut |name| found |= self.program.lengths.iter().any(|length| length.name == name));
        found
    }

    fn part(&self, dim: &Dim) -> Option<&PartOfAxis> {
        self.parts.iter().find(|part| part.name == *dim)
    }

    /// A length in the new step.
    fn dim(&self, dim: &Dim) -> Option<Dim> {
        match self.part(dim) {
            Some(part) => Some(part.whole.clone()),
            None => Some(dim.clone()).filter(|dim| !self.is_part(dim)),
        }
    }

    fn shape(&self, shape: &Shape) -> Option<Shape> {
        shape.iter().map(|dim| self.dim(dim)).collect()
    }

    /// The shape of a node before.
    fn before(&self, id: NodeId) -> &Shape {
        &self.program.node(id).shape
    }

    fn add(&mut self, kind: NodeKind, dtype: DType, shape: Shape) -> NodeId {
        self.nodes.push(Node { kind, dtype, shape });
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn constant(&mut self, scalar: Scalar) -> NodeId {
        self.add(NodeKind::Const(scalar), scalar.dtype, Shape::new())
    }

    fn view(&mut self, arg: NodeId, view: View, shape: Shape) -> NodeId {
        let seen = &self.nodes[arg.index()];
        let is_whole = |region: &[Slice]| region.iter().all(|slice| *slice == Slice::all());
        let is_same = match &view {
            View::Broadcast | View::Reshape => true,
            View::Slice(region) => is_whole(region),
            View::Transpose(_) | View::Windows(_) => false,
        };
        if is_same && seen.shape == shape {
            return arg;
        }
        let dtype = seen.dtype;
        self.add(NodeKind::View { arg, view }, dtype, shape)
    }

    /// Writes a node.
    fn node(&mut self, id: NodeId) -> Option<NodeId> {
        let program = self.program;
        let node = program.node(id);
        let shape = self.shape(&node.shape)?;
        match &node.kind {
            NodeKind::Input(_)
            | NodeKind::Param(_)
            | NodeKind::Const(_)
            | NodeKind::Iota { .. }
            | NodeKind::Map(..)
            | NodeKind::Scan { .. }
            | NodeKind::Gather { .. }
            | NodeKind::View { view: View::Broadcast | View::Transpose(_), .. } => self.same(node, shape),
            NodeKind::Fold { .. } => self.fold(node, shape),
            NodeKind::View { arg, view: View::Slice(region) } => {
                let region = self.region(region, &node.shape, self.before(*arg))?;
                let place = self.places[arg.index()]?;
                Some(self.view(place, View::Slice(region.into()), shape))
            }
            NodeKind::View { arg, view: View::Reshape } => {
                // Axes of length 1 come and go.
                let is_long = |dim: &&Dim| **dim != Dim::Const(1);
                let is_part = node.shape.iter().chain(self.before(*arg)).any(|dim| self.is_part(dim));
                let stays = node.shape.iter().filter(is_long).eq(self.before(*arg).iter().filter(is_long));
                let place = self.places[arg.index()].filter(|_| stays || !is_part)?;
                Some(self.view(place, View::Reshape, shape))
            }
            NodeKind::Update { base, region, value } => self.update(*base, region, *value, shape),
            NodeKind::Routine { routine: Routine::Product | Routine::ProductFits, args, .. } => {
                self.product(node, args, shape)
            }
            NodeKind::Concat { parts, axis } => {
                let moves = parts.iter().any(|part| self.is_part(&self.before(*part)[*axis as usize]));
                if moves { None } else { self.same(node, shape) }
            }
            NodeKind::View { view: View::Windows(_), .. } | NodeKind::Routine { .. } | NodeKind::Loop { .. } => {
                let mut all = node.operands().chain([id]).flat_map(|id| self.before(id));
                let is_open = all.any(|dim| self.is_part(dim)) || program.lengths_in(node).next().is_some();
                if is_open { None } else { self.same(node, shape) }
            }
        }
    }

    /// The same operation on arrays of whole axes.
    fn same(&mut self, node: &Node, shape: Shape) -> Option<NodeId> {
        let mut kind = node.kind.clone();
        let mut is_made = true;
        kind.each_operand(|operand| match self.places[operand.index()] {
            Some(place) => *operand = place,
            None => is_made = false,
        });
        is_made.then(|| self.add(kind, node.dtype, shape))
    }

    /// Which places of some axes have elements.
    fn held(&mut self, before: &Shape, axes: &[usize]) -> Option<NodeId> {
        let shape = self.shape(before)?;
        let mut held: Option<NodeId> = None;
        for &axis in axes {
            let count = self.part(&before[axis])?.count;
            let count = self.places[count.index()];
            let iota = self.add(NodeKind::Iota { axis: axis as u32 }, DType::I64, shape.clone());
            let is = self.add(NodeKind::Map(Prim::Lt, [Some(iota), Some(count?), None]), DType::Bool, shape.clone());
            held = Some(match held {
                Some(held) => {
                    let both = NodeKind::Map(Prim::And, [Some(held), Some(is), None]);
                    self.add(both, DType::Bool, shape.clone())
                }
                None => is,
            });
        }
        held
    }

    /// An array with a value in place of what is behind its elements along some axes.
    fn filled(&mut self, id: NodeId, axes: &[usize], value: Scalar) -> Option<NodeId> {
        let place = self.places[id.index()]?;
        let Node { dtype, shape: before, .. } = self.program.node(id);
        let (held, value) = (self.held(before, axes)?, self.constant(value));
        let shape = self.shape(before)?;
        Some(self.add(NodeKind::Map(Prim::Select, [Some(held), Some(place), Some(value)]), *dtype, shape))
    }

    fn fold(&mut self, node: &Node, shape: Shape) -> Option<NodeId> {
        let NodeKind::Fold { fold, arg, axes, keep } = &node.kind else { return None };
        let Node { dtype, shape: before, .. } = self.program.node(*arg);
        let own: Vec<usize> =
            axes.iter().map(|&axis| axis as usize).filter(|&axis| self.is_part(&before[axis])).collect();
        let &[first, ..] = own.as_slice() else { return self.same(node, shape) };
        let (is_total, is_float) = (matches!(fold, Fold::Sum | Fold::Prod), dtype.is_float());
        let is_position = matches!(fold, Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue);
        // The others come last only along the first axis.
        let is_last = own.len() == 1 && axes.first() == Some(&(first as u32));
        if dtype.is_complex() || is_position && axes.len() > 1 || is_total && is_float && !is_last {
            return None;
        }
        let filled = self.filled(*arg, &own, neutral(*fold, *dtype))?;
        let kind = NodeKind::Fold { fold: *fold, arg: filled, axes: axes.clone(), keep: *keep };
        let made = self.add(kind, node.dtype, shape.clone());
        if *fold != Fold::Sum || !is_float {
            return Some(made);
        }
        // The sum of nothing is 0, and not -0.
        let count = self.part(&before[first])?.count;
        let (count, zero) = (self.places[count.index()], self.constant(Scalar::of(0i64)));
        let none = self.add(NodeKind::Map(Prim::Eq, [Some(count?), Some(zero), None]), DType::Bool, Shape::new());
        let nothing = self.constant(Scalar::zero(node.dtype));
        let chosen = NodeKind::Map(Prim::Select, [Some(none), Some(nothing), Some(made)]);
        Some(self.add(chosen, node.dtype, shape))
    }

    /// A product of matrices. Where the step decides how many products an element is made of, those behind are -0.
    fn product(&mut self, node: &Node, args: &[NodeId], shape: Shape) -> Option<NodeId> {
        let &[left, right] = args else { return None };
        let Node { dtype, shape: before, .. } = self.program.node(left);
        let (columns, rows) = (before.len() - 1, self.before(right).len() - 2);
        let mut kind = node.kind.clone();
        if !self.is_part(&before[columns]) {
            return self.same(node, shape);
        }
        if dtype.is_complex() {
            return None;
        }
        let mut filled = vec![
            self.filled(right, &[rows], Scalar::zero(*dtype))?,
            self.filled(left, &[columns], neutral(Fold::Sum, *dtype))?,
        ];
        kind.each_operand(|operand| *operand = filled.pop().unwrap_or(*operand));
        Some(self.add(kind, node.dtype, shape))
    }

    /// A region of whole axes, where only the first elements of an axis are taken.
    fn region(&self, region: &[Slice], inner: &Shape, outer: &Shape) -> Option<Vec<Slice>> {
        let axes = region.iter().zip(inner).zip(outer);
        axes.map(|((slice, len), whole)| {
            if self.is_part(&slice.start) {
                return None;
            }
            let is_whole = *slice == Slice::all() && self.dim(len)? == self.dim(whole)?;
            let is_fixed = !self.is_part(len) && !self.is_part(whole);
            (is_whole || is_fixed).then(|| slice.clone())
        })
        .collect()
    }

    /// A store of the first elements of an axis leaves the others.
    fn update(&mut self, base: NodeId, region: &[Slice], value: NodeId, shape: Shape) -> Option<NodeId> {
        let program = self.program;
        let (inner, outer) = (&program.node(value).shape, &program.node(base).shape);
        let region = self.region(region, inner, outer)?;
        let (before, mut stored) = (self.places[base.index()]?, self.places[value.index()]?);
        let is_some = |axis: &usize| self.is_part(&inner[*axis]) && inner[*axis] != outer[*axis];
        let some: Vec<usize> = (0..inner.len()).filter(is_some).collect();
        let (dtype, whole) = (program.node(base).dtype, self.shape(inner)?);
        if !some.is_empty() {
            let there = self.view(before, View::Slice(region.clone().into()), whole.clone());
            let held = self.held(inner, &some)?;
            let chosen = NodeKind::Map(Prim::Select, [Some(held), Some(stored), Some(there)]);
            stored = self.add(chosen, dtype, whole.clone());
        }
        if whole == shape && region.iter().all(|slice| *slice == Slice::all()) {
            return Some(stored);
        }
        Some(self.add(NodeKind::Update { base: before, region: region.into(), value: stored }, dtype, shape))
    }
}

/// A step that stores one value at places without an array of as many: every element of such an array is the value,
/// whatever its position.
fn with_single_values(program: &Program) -> Program {
    let mut single = program.clone();
    for index in 0..program.nodes.len() {
        let node = &program.nodes[index];
        let NodeKind::Gather { arg, axis, .. } = node.kind else { continue };
        // Positions along an axis before may have been taken already.
        let repeated = single.node(arg);
        let NodeKind::View { arg: value, view: View::Broadcast } = repeated.kind else { continue };
        // The value has axes behind that of the positions alone.
        if program.node(value).shape.len() + (axis as usize) < repeated.shape.len() {
            let kind = NodeKind::View { arg: value, view: View::Broadcast };
            Arc::make_mut(&mut single.nodes)[index] = Node { kind, ..node.clone() };
        }
    }
    single
}

/// The value that changes no other in a fold, if it comes last.
fn neutral(fold: Fold, dtype: DType) -> Scalar {
    match fold {
        Fold::Sum if dtype.is_float() => Scalar::of_f64(dtype, -0.0),
        Fold::All => Scalar::one(dtype),
        Fold::ArgMin => identity(Fold::Min, dtype),
        Fold::ArgMax => identity(Fold::Max, dtype),
        Fold::Sum | Fold::Prod | Fold::Min | Fold::Max | Fold::Any | Fold::FirstTrue => identity(fold, dtype),
    }
}

/// The length of the axis of which slices take as many elements as a length says, if it is one and the same.
fn axis_of(program: &Program, needed: &[NodeId], name: &Dim) -> Option<Dim> {
    let mut axes: Vec<&Dim> = Vec::new();
    for &id in needed {
        let node = program.node(id);
        let shape = |id: NodeId| &program.node(id).shape;
        if let NodeKind::View { arg, view: View::Slice(_) } = &node.kind {
            axes.extend(node.shape.iter().zip(shape(*arg)).filter(|(len, _)| *len == name).map(|(_, whole)| whole));
        } else if let NodeKind::Update { base, value, .. } = &node.kind {
            axes.extend(shape(*value).iter().zip(shape(*base)).filter(|(len, _)| *len == name).map(|(_, whole)| whole));
        } else if let NodeKind::Gather { arg, index, axis } = &node.kind
            && is_window(program, *index, name)
        {
            axes.push(&shape(*arg)[*axis as usize]);
        }
    }
    axes.retain(|axis| *axis != name);
    let (whole, others) = axes.split_first()?;
    let mut is_own = others.iter().any(|other| other != whole);
    whole.names(&mut |name| is_own |= program.lengths.iter().any(|length| length.name == name));
    (!is_own).then(|| (*whole).clone())
}

/// Whether positions are those of a window of some length: its places, or multiples of them, behind its start.
fn is_window(program: &Program, index: NodeId, name: &Dim) -> bool {
    let node = program.node(index);
    let NodeKind::Map(Prim::Add, [Some(mut places), Some(start), None]) = node.kind else { return false };
    if let NodeKind::Map(Prim::Mul, [Some(counted), Some(_), None]) = program.node(places).kind {
        places = counted;
    }
    let counts = matches!(program.node(places).kind, NodeKind::Iota { .. });
    counts && node.shape == [name.clone()] && program.node(start).shape.is_empty()
}
