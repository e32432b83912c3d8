//! Writes the kernels of a group of roots: everything that they need down to arrays in memory, as one body.
//!
//! A node is written once for each way its axes lie in the space, so `x + transpose(x)` loads `x` twice and computes
//! nothing twice. Operands are found on a stack of our own: programs may be deep.

use super::fuse::{Group, MAX_INSTS, Plan, axes_of_length_one_aside};
use super::{Body, Inst, InstOp, Kernel, Sink, Source, Value};
use crate::ir::{NodeId, NodeKind, View};
use std::collections::HashMap;

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

/// The kernels of a group: one, unless its roots together are too long.
pub(super) fn build(plan: &Plan, group: &Group) -> Vec<Kernel> {
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
                _ => self.load(key),
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
            _ => {}
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
