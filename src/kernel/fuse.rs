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

use super::Kernel;
use super::cone;
use crate::ir::{Node, NodeId, NodeKind, Program, View};
use crate::types::shape;
use std::collections::HashMap;

/// The most instructions of one body: compile time is quadratic in it.
pub const MAX_INSTS: usize = 256;

/// A program without data has sizes that are not numbers; it cannot be fused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownSize(pub NodeId);

/// Whether kernels can be made of all that a program needs.
pub(crate) fn fusible(program: &Program, needed: &[bool]) -> bool {
    let nodes = program.nodes.iter().zip(needed).filter(|(_, needed)| **needed);
    nodes.into_iter().all(|(node, _)| {
        !matches!(
            node.kind,
            NodeKind::Scan { .. }
                | NodeKind::Gather { .. }
                | NodeKind::Concat { .. }
                | NodeKind::Update { .. }
                | NodeKind::View { view: View::Slice(_), .. }
        )
    })
}

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
    let kernels = groups.iter().flat_map(|group| cone::build(&plan, group)).collect();
    Ok(super::merge::merge(program, kernels))
}

/// What is known of each node while planning.
pub(super) struct Plan<'a> {
    program: &'a Program,
    pub(super) sizes: Vec<Vec<usize>>,
    needed: Vec<bool>,
    /// Whether a kernel stores the node.
    root: Vec<bool>,
    /// Whether users read the node from memory, in a later kernel.
    wall: Vec<bool>,
    level: Vec<u32>,
}

/// Roots that share a loop.
pub(super) struct Group {
    /// The lengths of the space and, for each of its axes, the axis of the roots' (or the folds' operands') shape.
    pub(super) space: Vec<usize>,
    pub(super) order: Vec<usize>,
    pub(super) reduced: usize,
    pub(super) roots: Vec<NodeId>,
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

    pub(super) fn node(&self, id: NodeId) -> &'a Node {
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
    pub(super) fn is_source(&self, id: NodeId) -> bool {
        match &self.node(id).kind {
            NodeKind::Input(_) => true,
            NodeKind::Const(_) => false,
            NodeKind::View { arg, view: View::Reshape } => {
                axes_of_length_one_aside(&self.sizes[arg.index()], &self.sizes[id.index()]).is_none()
            }
            _ => self.wall[id.index()],
        }
    }

    fn operands(&self, id: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
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
pub(super) fn axes_of_length_one_aside(from: &[usize], to: &[usize]) -> Option<Vec<Option<usize>>> {
    let long = |sizes: &[usize]| -> Vec<usize> { (0..sizes.len()).filter(|&axis| sizes[axis] != 1).collect() };
    let (theirs, ours) = (long(from), long(to));
    if !theirs.iter().map(|&axis| from[axis]).eq(ours.iter().map(|&axis| to[axis])) {
        return None;
    }
    let mut map = vec![None; to.len()];
    ours.iter().zip(theirs).for_each(|(&own, other)| map[own] = Some(other));
    Some(map)
}
