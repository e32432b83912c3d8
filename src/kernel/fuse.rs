//! Fuses a program into kernels.
//!
//! What must exist in memory are *roots*: outputs, checks, results of folds, and what a real reshape looks at.
//! Everything elementwise between roots is computed inside the loops that need it: the *cone* of a root is
//! everything it needs down to arrays in memory. Views move no data: broadcasts, transposes and reshapes that only
//! add or drop axes of length 1 change which axis of the space an operand walks along.
//!
//! A root is a *wall* when its users must wait for all of it (a fold, a reshape's operand), when its cone has become
//! too long to compile well, or when it is costly and several kernels would compute it again. The *level* of a node
//! is the number of walls below it. Roots of one level over one space share a loop.

use super::{Body, Inst, InstOp, Kernel, Sink, Source, Value};
use crate::ir::{Node, NodeId, NodeKind, Program, View};
use crate::types::shape;
use std::collections::HashMap;

/// The most instructions of one body: compile time is quadratic in it.
pub const MAX_INSTS: usize = 256;

/// A program without data has sizes that are not numbers; it cannot be fused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownSize(pub NodeId);

/// The kernels of a program, each after those whose results it reads.
///
/// # Errors
/// When a size is not known.
pub fn fuse(program: &Program) -> Result<Vec<Kernel>, UnknownSize> {
    let mut plan = Plan::new(program)?;
    plan.cut();
    plan.levels();
    if plan.wall_off_shared_costs() {
        plan.levels();
    }
    let groups = plan.groups();
    let kernels = groups.iter().flat_map(|group| build(&plan, group)).collect();
    Ok(super::merge::merge(program, kernels))
}

/// What is known of each node while planning.
struct Plan<'a> {
    program: &'a Program,
    sizes: Vec<Vec<usize>>,
    needed: Vec<bool>,
    /// Whether a kernel stores the node.
    root: Vec<bool>,
    /// Whether users read the node from memory, in a later kernel.
    wall: Vec<bool>,
    level: Vec<u32>,
}

/// Roots that share a loop.
struct Group {
    /// The lengths of the space and, for each of its axes, the axis of the roots' (or the folds' operands') shape.
    space: Vec<usize>,
    order: Vec<usize>,
    reduced: usize,
    roots: Vec<NodeId>,
}

impl<'a> Plan<'a> {
    fn new(program: &'a Program) -> Result<Plan<'a>, UnknownSize> {
        let count = program.nodes.len();
        let needed = program.needed();
        let mut sizes = Vec::with_capacity(count);
        for (index, node) in program.nodes.iter().enumerate() {
            let known = if needed[index] { shape::sizes(&node.shape) } else { Some(Vec::new()) };
            sizes.push(known.ok_or(UnknownSize(NodeId(index as u32)))?);
        }
        let mut plan =
            Plan { program, sizes, needed, root: vec![false; count], wall: vec![false; count], level: vec![0; count] };
        for output in &program.outputs {
            plan.make_root(output.node, false);
        }
        for check in &program.checks {
            plan.make_root(check.node, false);
        }
        for index in 0..count {
            match &program.nodes[index].kind {
                NodeKind::Fold { .. } if plan.needed[index] => plan.make_root(NodeId(index as u32), true),
                NodeKind::View { arg, .. } if plan.needed[index] && plan.is_source(NodeId(index as u32)) => {
                    plan.make_root(*arg, true);
                }
                _ => {}
            }
        }
        Ok(plan)
    }

    fn node(&self, id: NodeId) -> &'a Node {
        self.program.node(id)
    }

    /// Marks the node below a chain of views as stored.
    fn make_root(&mut self, id: NodeId, wall: bool) {
        let base = base(self.program, id);
        if !matches!(self.node(base).kind, NodeKind::Input(_) | NodeKind::Const(_)) {
            self.root[base.index()] = true;
            self.wall[base.index()] |= wall;
        }
    }

    /// Whether users find the node in memory.
    fn is_source(&self, id: NodeId) -> bool {
        match &self.node(id).kind {
            NodeKind::Input(_) => true,
            NodeKind::Const(_) => false,
            NodeKind::View { arg, view: View::Reshape } => {
                axes_of_length_one_aside(&self.sizes[arg.index()], &self.sizes[id.index()]).is_none()
            }
            _ => self.wall[id.index()],
        }
    }

    fn operands(&self, id: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        self.node(id).operands()
    }

    /// Puts up walls so that no cone is longer than [`MAX_INSTS`]. Cones are counted only when an upper bound, which
    /// counts shared nodes twice, exceeds the limit.
    fn cut(&mut self) {
        let mut bound = vec![0usize; self.program.nodes.len()];
        let mut seen = vec![u32::MAX; self.program.nodes.len()];
        for index in 0..self.program.nodes.len() {
            let id = NodeId(index as u32);
            if !self.needed[index] || matches!(self.node(id).kind, NodeKind::Input(_)) {
                continue;
            }
            if let NodeKind::View { view: View::Reshape, .. } = self.node(id).kind
                && self.is_source(id)
            {
                continue;
            }
            loop {
                let inside = |plan: &Plan, arg: NodeId| !plan.is_source(arg);
                let sum: usize = self.operands(id).filter(|&arg| inside(self, arg)).map(|arg| bound[arg.index()]).sum();
                bound[index] = sum + 1;
                if bound[index] < MAX_INSTS {
                    break;
                }
                bound[index] = self.cone_size(id, &mut seen);
                if bound[index] < MAX_INSTS {
                    break;
                }
                let largest = self
                    .operands(id)
                    .map(|arg| base(self.program, arg))
                    .filter(|&arg| !self.is_source(arg) && !matches!(self.node(arg).kind, NodeKind::Const(_)))
                    .max_by_key(|arg| bound[arg.index()]);
                let Some(largest) = largest else { break };
                self.make_root(largest, true);
                // Views between the new wall and this node cost nothing any more.
                for arg in self.operands(id) {
                    if base(self.program, arg) == largest {
                        bound[arg.index()] = 1;
                    }
                }
            }
        }
    }

    /// How many nodes a cone has, counting no further than the limit.
    fn cone_size(&self, id: NodeId, seen: &mut [u32]) -> usize {
        let mut stack = vec![id];
        let mut count = 0;
        seen[id.index()] = id.0;
        while let Some(node) = stack.pop() {
            count += 1;
            if count >= MAX_INSTS {
                break;
            }
            for arg in self.operands(node).filter(|&arg| !self.is_source(arg)) {
                if seen[arg.index()] != id.0 {
                    seen[arg.index()] = id.0;
                    stack.push(arg);
                }
            }
        }
        count
    }

    fn levels(&mut self) {
        for index in 0..self.program.nodes.len() {
            if self.needed[index] {
                let id = NodeId(index as u32);
                let below = self.operands(id).map(|arg| self.level[arg.index()] + u32::from(self.wall[arg.index()]));
                self.level[index] = below.max().unwrap_or(0);
            }
        }
    }

    /// Whether a cone holds something costly at its own size: what a broadcast repeats is judged on its own.
    fn costly_cones(&self) -> Vec<bool> {
        let mut costly = vec![false; self.program.nodes.len()];
        for index in 0..costly.len() {
            let id = NodeId(index as u32);
            let own = matches!(self.node(id).kind, NodeKind::Map(prim, _) if super::is_costly(prim));
            let below = |arg: NodeId| costly[arg.index()] && !self.is_source(arg) && !self.repeats(id, arg);
            costly[index] = self.needed[index] && (own || self.operands(id).any(below));
        }
        costly
    }

    /// Whether a node uses the elements of an operand several times.
    fn repeats(&self, id: NodeId, arg: NodeId) -> bool {
        let elements = |id: NodeId| self.sizes[id.index()].iter().product::<usize>();
        !matches!(self.node(id).kind, NodeKind::Fold { .. }) && elements(arg) < elements(id)
    }

    /// Puts up walls at costly cones that several groups would compute, or that a larger space would repeat. Nodes are
    /// visited users first, each knowing whether it is needed by no group yet, by one, or by several.
    fn wall_off_shared_costs(&mut self) -> bool {
        #[derive(Clone, Copy, PartialEq)]
        enum Users {
            None,
            One(u32),
            Several,
        }
        fn join(a: Users, b: Users) -> Users {
            match (a, b) {
                (Users::None, x) | (x, Users::None) => x,
                (Users::One(a), Users::One(b)) if a == b => Users::One(a),
                _ => Users::Several,
            }
        }
        let groups = self.groups();
        let costly = self.costly_cones();
        let mut users = vec![Users::None; self.program.nodes.len()];
        for (number, group) in groups.iter().enumerate() {
            group.roots.iter().for_each(|root| users[root.index()] = Users::One(number as u32));
        }
        let mut fresh = groups.len() as u32;
        let mut changed = false;
        for index in (0..self.program.nodes.len()).rev() {
            let id = NodeId(index as u32);
            if !self.needed[index] || users[index] == Users::None {
                continue;
            }
            let computed = matches!(self.node(id).kind, NodeKind::Map(..));
            if computed && !self.wall[index] && users[index] == Users::Several && costly[index] {
                self.wall[index] = true;
                self.root[index] = true;
                changed = true;
                users[index] = Users::One(fresh);
                fresh += 1;
            }
            for arg in self.operands(id).filter(|&arg| !self.is_source(arg)) {
                let mine = if self.repeats(id, arg) { Users::Several } else { users[index] };
                users[arg.index()] = join(users[arg.index()], mine);
            }
        }
        changed
    }

    /// The roots in order of their levels, those that can sharing a loop.
    fn groups(&self) -> Vec<Group> {
        type Key<'k> = (u32, &'k [usize], Vec<usize>, usize);
        let mut folds: HashMap<Key, usize> = HashMap::new();
        // Where stores over a plain space may join.
        let mut plain: HashMap<(u32, &[usize]), usize> = HashMap::new();
        let mut groups: Vec<(u32, Group)> = Vec::new();
        let roots = || (0..self.program.nodes.len()).filter(|&index| self.root[index] && self.needed[index]);
        for index in roots() {
            let NodeKind::Fold { arg, axes, .. } = &self.program.nodes[index].kind else { continue };
            let sizes: &[usize] = &self.sizes[arg.index()];
            let (kept, reduced): (Vec<usize>, Vec<usize>) =
                (0..sizes.len()).partition(|&axis| !axes.contains(&(axis as u32)));
            let order: Vec<usize> = kept.iter().chain(&reduced).copied().collect();
            let level = self.level[index];
            let in_order = order.is_sorted() && !reduced.is_empty();
            let group = *folds.entry((level, sizes, order.clone(), reduced.len())).or_insert_with(|| {
                let mut space: Vec<usize> = order.iter().map(|&axis| sizes[axis]).collect();
                // A fold over no axes reduces one element at a time.
                if reduced.is_empty() {
                    space.push(1);
                }
                groups.push((level, Group { space, order, reduced: reduced.len().max(1), roots: Vec::new() }));
                groups.len() - 1
            });
            if in_order {
                plain.entry((level, sizes)).or_insert(group);
            }
            groups[group].1.roots.push(NodeId(index as u32));
        }
        for index in roots() {
            if matches!(self.program.nodes[index].kind, NodeKind::Fold { .. }) {
                continue;
            }
            let sizes: &[usize] = &self.sizes[index];
            let level = self.level[index];
            let group = *plain.entry((level, sizes)).or_insert_with(|| {
                let order = (0..sizes.len()).collect();
                groups.push((level, Group { space: sizes.to_vec(), order, reduced: 0, roots: Vec::new() }));
                groups.len() - 1
            });
            groups[group].1.roots.push(NodeId(index as u32));
        }
        groups.sort_by_key(|(level, _)| *level);
        groups.into_iter().map(|(_, group)| group).collect()
    }
}

/// The node whose elements a chain of views shows.
pub fn base(program: &Program, mut id: NodeId) -> NodeId {
    while let NodeKind::View { arg, .. } = program.node(id).kind {
        id = arg;
    }
    id
}

/// If two shapes differ in axes of length 1 alone: for each axis of `to` the axis of `from`, if it is not new.
fn axes_of_length_one_aside(from: &[usize], to: &[usize]) -> Option<Vec<Option<usize>>> {
    let long = |sizes: &[usize]| -> Vec<usize> { (0..sizes.len()).filter(|&axis| sizes[axis] != 1).collect() };
    let (theirs, ours) = (long(from), long(to));
    if !theirs.iter().map(|&axis| from[axis]).eq(ours.iter().map(|&axis| to[axis])) {
        return None;
    }
    let mut map = vec![None; to.len()];
    ours.iter().zip(theirs).for_each(|(&own, other)| map[own] = Some(other));
    Some(map)
}

/// Which axis of the space each axis of a node walks along; `None` for an axis of length 1.
type Axes = Vec<Option<usize>>;

/// Emits one kernel, or several when the roots together are too long.
struct Emitter<'p, 'a> {
    plan: &'p Plan<'a>,
    kernel: Kernel,
    /// Axes in use, so that (node, axes) is a small key.
    axes: Vec<Axes>,
    axes_known: HashMap<Axes, u32>,
    values: HashMap<(NodeId, u32), Value>,
    insts: HashMap<Inst, Value>,
}

fn build(plan: &Plan, group: &Group) -> Vec<Kernel> {
    let mut kernels = Vec::new();
    let mut emitter = Emitter::new(plan, group);
    for &root in &group.roots {
        if emitter.kernel.body.insts.len() >= MAX_INSTS {
            kernels.push(std::mem::replace(&mut emitter, Emitter::new(plan, group)).kernel);
        }
        emitter.root(root, group);
    }
    kernels.push(emitter.kernel);
    kernels
}

impl<'p, 'a> Emitter<'p, 'a> {
    fn new(plan: &'p Plan<'a>, group: &Group) -> Emitter<'p, 'a> {
        let kernel = Kernel {
            space: group.space.clone(),
            reduced: group.reduced,
            sources: Vec::new(),
            body: Body::default(),
            sinks: Vec::new(),
        };
        let (axes, axes_known) = (Vec::new(), HashMap::new());
        Emitter { plan, kernel, axes, axes_known, values: HashMap::new(), insts: HashMap::new() }
    }

    fn root(&mut self, root: NodeId, group: &Group) {
        // The space's axis for each axis of the group's shape.
        let mut place = vec![0; group.order.len()];
        group.order.iter().enumerate().for_each(|(axis, &own)| place[own] = axis);
        let whole = |sizes: &[usize]| -> Axes {
            place.iter().zip(sizes).map(|(&axis, &len)| (len != 1).then_some(axis)).collect()
        };
        match &self.plan.node(root).kind {
            NodeKind::Fold { fold, arg, .. } => {
                let axes = whole(&self.plan.sizes[arg.index()]);
                let value = self.value(*arg, axes);
                self.kernel.sinks.push(Sink::Fold { value, fold: *fold, node: root });
            }
            _ => {
                let axes = whole(&self.plan.sizes[root.index()]);
                let value = self.computed(root, axes);
                self.kernel.sinks.push(Sink::Store { value, node: root, order: place });
            }
        }
    }

    fn intern(&mut self, axes: Axes) -> u32 {
        let fresh = self.axes.len() as u32;
        *self.axes_known.entry(axes).or_insert_with_key(|axes| {
            self.axes.push(axes.clone());
            fresh
        })
    }

    fn inst(&mut self, inst: Inst) -> Value {
        let insts = &mut self.kernel.body.insts;
        *self.insts.entry(inst).or_insert_with(|| {
            insts.push(inst);
            Value(insts.len() as u32 - 1)
        })
    }

    /// The value of a node as its users see it: read from memory if it is there.
    fn value(&mut self, id: NodeId, axes: Axes) -> Value {
        let key = (id, self.intern(axes));
        self.emit(key, false)
    }

    /// The value of a root, computed here.
    fn computed(&mut self, id: NodeId, axes: Axes) -> Value {
        let key = (id, self.intern(axes));
        self.emit(key, true)
    }

    /// Emits a cone, operands first, on a stack of its own: programs may be deep.
    fn emit(&mut self, root: (NodeId, u32), compute: bool) -> Value {
        let mut stack = vec![(root, false)];
        while let Some((key, ready)) = stack.pop() {
            if self.values.contains_key(&key) {
                continue;
            }
            let inside = compute && key == root;
            let node = self.plan.node(key.0);
            if !ready && (inside || !self.plan.is_source(key.0)) {
                let operands = self.operand_keys(key);
                if !operands.is_empty() {
                    stack.push((key, true));
                    stack.extend(operands.iter().rev().map(|&operand| (operand, false)));
                    continue;
                }
            }
            let value = match &node.kind {
                _ if !inside && self.plan.is_source(key.0) => self.load(key),
                NodeKind::Const(scalar) => self.inst(Inst { op: InstOp::Const(scalar.bits), dtype: node.dtype }),
                NodeKind::Iota { axis } => self.count(key, *axis as usize),
                NodeKind::Map(prim, _) => {
                    let mut args = [None; 3];
                    for (slot, operand) in args.iter_mut().zip(self.operand_keys(key)) {
                        *slot = Some(self.values[&operand]);
                    }
                    self.inst(Inst { op: InstOp::Prim(*prim, args), dtype: node.dtype })
                }
                NodeKind::View { .. } => {
                    let seen = self.operand_keys(key)[0];
                    self.values[&seen]
                }
                NodeKind::Input(_) | NodeKind::Fold { .. } => self.load(key),
            };
            self.values.insert(key, value);
        }
        self.values[&root]
    }

    /// The operands of a node inside the cone, with the axes they walk along.
    fn operand_keys(&mut self, (id, axes): (NodeId, u32)) -> Vec<(NodeId, u32)> {
        let plan = self.plan;
        let axes = self.axes[axes as usize].clone();
        let sizes = |id: NodeId| &plan.sizes[id.index()];
        let aligned = |arg: NodeId| -> Axes {
            let theirs = sizes(arg);
            let missing = axes.len() - theirs.len();
            (0..theirs.len()).map(|axis| axes[axis + missing].filter(|_| theirs[axis] != 1)).collect()
        };
        let mut operands = Vec::new();
        match &plan.node(id).kind {
            NodeKind::Map(_, args) => {
                operands.extend(args.iter().flatten().map(|&arg| (arg, aligned(arg))));
            }
            NodeKind::View { arg, view: View::Broadcast } => operands.push((*arg, aligned(*arg))),
            NodeKind::View { arg, view: View::Transpose(order) } => {
                let mut theirs = vec![None; order.len()];
                order.iter().zip(&axes).for_each(|(&from, &axis)| theirs[from as usize] = axis);
                operands.push((*arg, theirs));
            }
            NodeKind::View { arg, view: View::Reshape } => {
                let map = axes_of_length_one_aside(sizes(*arg), sizes(id)).expect("other reshapes are sources");
                let mut theirs = vec![None; sizes(*arg).len()];
                map.iter().zip(&axes).for_each(|(own, &axis)| {
                    if let Some(own) = own {
                        theirs[*own] = axis;
                    }
                });
                operands.push((*arg, theirs));
            }
            NodeKind::Input(_) | NodeKind::Const(_) | NodeKind::Iota { .. } | NodeKind::Fold { .. } => {}
        }
        operands.into_iter().map(|(arg, axes)| (arg, self.intern(axes))).collect()
    }

    fn source(&mut self, source: Source) -> u32 {
        let sources = &mut self.kernel.sources;
        let known = sources.iter().position(|known| *known == source);
        known.unwrap_or_else(|| {
            sources.push(source);
            sources.len() - 1
        }) as u32
    }

    fn load(&mut self, (id, axes): (NodeId, u32)) -> Value {
        let mut walks = vec![None; self.kernel.space.len()];
        for (own, axis) in self.axes[axes as usize].iter().enumerate() {
            if let Some(axis) = axis {
                walks[*axis] = Some(own);
            }
        }
        let source = self.source(Source::Array { node: id, axes: walks });
        self.inst(Inst { op: InstOp::Load(source), dtype: self.plan.node(id).dtype })
    }

    fn count(&mut self, (id, axes): (NodeId, u32), axis: usize) -> Value {
        let dtype = self.plan.node(id).dtype;
        match self.axes[axes as usize][axis] {
            Some(axis) => {
                let source = self.source(Source::Coordinate { axis });
                self.inst(Inst { op: InstOp::Iota(source), dtype })
            }
            None => self.inst(Inst { op: InstOp::Const(0), dtype }),
        }
    }
}
