//! Writes the kernels of a group: everything that its values need down to arrays in memory, as one body.
//!
//! A node is written once for each way its axes lie in the space, so `x + transpose(x)` loads `x` twice and computes
//! nothing twice. Operands are found on a stack of our own: programs may be deep.

use super::fusion::Fusion;
use super::group::{Group, RootTask, Work};
use super::limits::{MAX_INSTS, MAX_SINKS};
use super::short;
use super::walk::{WalkTable, whole};
use super::{AxisWalk, Body, Extent, Inst, InstId, InstOp, Kernel, KernelSource, Sink};
use crate::hash::QuickMap;
use crate::ir::{NodeId, NodeKind};
use crate::scalar::by_squaring;
use crate::scalar::prim::Prim;

/// Emits one kernel, or several when the values together are too long.
struct ClusterEmitter<'p, 'a> {
    fusion: &'p Fusion<'a>,
    kernel: Kernel,
    walks: WalkTable,
    values: QuickMap<(NodeId, u32), InstId>,
    insts: QuickMap<Inst, InstId>,
}

/// The kernels of a group: one, unless its values together are too long.
pub(super) fn build(fusion: &Fusion, group: &Group) -> Vec<Kernel> {
    let mut kernels = Vec::new();
    let mut emitter = ClusterEmitter::new(fusion, group);
    for task in &group.tasks {
        if emitter.kernel.body.insts.len() >= MAX_INSTS || emitter.kernel.sinks.len() >= MAX_SINKS {
            kernels.push(std::mem::replace(&mut emitter, ClusterEmitter::new(fusion, group)).kernel);
        }
        emitter.task(task, group);
    }
    kernels.push(emitter.kernel);
    kernels
}

impl<'p, 'a> ClusterEmitter<'p, 'a> {
    fn new(fusion: &'p Fusion<'a>, group: &Group) -> ClusterEmitter<'p, 'a> {
        let kernel = Kernel {
            space: group.space.clone(),
            reduced: group.reduced,
            sources: Vec::new(),
            body: Body::default(),
            sinks: Vec::new(),
        };
        ClusterEmitter {
            fusion,
            kernel,
            walks: WalkTable::default(),
            values: QuickMap::default(),
            insts: QuickMap::default(),
        }
    }

    fn task(&mut self, task: &RootTask, group: &Group) {
        // The space's axis for each axis of the value.
        let mut axes = vec![0; group.order.len()];
        group.order.iter().enumerate().for_each(|(axis, &own)| axes[own] = axis);
        let walk = whole(axes.iter().copied(), &self.fusion.sizes[task.value.index()]);
        let key = (task.value, self.walks.intern(walk));
        let value = self.emit(key, matches!(task.work, Work::Make));
        let node = task.node;
        let all = || axes.iter().map(|&axis| AxisWalk::along(axis)).collect();
        self.kernel.sinks.push(match &task.work {
            Work::Make => Sink::Store { value, node, walk: all(), extent: Extent::Whole },
            Work::Part { region, over } => {
                let place =
                    |(&axis, &(start, step)): (&usize, &(isize, isize))| AxisWalk { axis: Some(axis), start, step };
                let extent = over.map_or(Extent::Part, Extent::Over);
                Sink::Store { value, node, walk: axes.iter().zip(region).map(place).collect(), extent }
            }
            Work::Fold(fold) => Sink::Fold { value, fold: *fold, node },
            Work::Scan(fold) => Sink::Scan { value, fold: *fold, node, walk: all() },
            Work::Gather { arg, axis } => Sink::Gather { value, arg: *arg, axis: *axis, node },
        });
    }

    fn inst(&mut self, inst: Inst) -> InstId {
        let body = &mut self.kernel.body;
        *self.insts.entry(inst).or_insert_with(|| body.push(inst.op, inst.dtype))
    }

    /// Emits a cluster, operands first, on a stack of its own: programs may be deep. With `compute`, the root itself is
    /// computed, though its users read it from memory.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is read from memory")]
    fn emit(&mut self, root: (NodeId, u32), compute: bool) -> InstId {
        let mut stack = vec![(root, false)];
        while let Some((key, ready)) = stack.pop() {
            if self.values.contains_key(&key) {
                continue;
            }
            let inside = compute && key == root;
            let node = self.fusion.node(key.0);
            if !ready && (inside || !self.fusion.is_source(key.0)) {
                let operands = self.walks.operands(self.fusion, key);
                if !operands.is_empty() {
                    stack.push((key, true));
                    stack.extend(operands.iter().rev().map(|&operand| (operand, false)));
                    continue;
                }
            }
            let value = match &node.kind {
                _ if !inside && self.fusion.is_source(key.0) => self.load(key),
                NodeKind::Const(scalar) => self.inst(Inst { op: InstOp::Const(scalar.bits), dtype: node.dtype }),
                NodeKind::Iota { axis } => self.count(key, *axis as usize),
                NodeKind::Map(prim, _) => {
                    let mut args = [None; 3];
                    for (slot, operand) in args.iter_mut().zip(self.walks.operands(self.fusion, key)) {
                        *slot = Some(self.values[&operand]);
                    }
                    match (self.fusion.few_factors(key.0), args[0]) {
                        (Some(count), Some(base)) => by_squaring(base, count, |a, b| {
                            let args = [Some(a), Some(b), None];
                            self.inst(Inst { op: InstOp::Prim(Prim::Mul, args), dtype: node.dtype })
                        }),
                        _ => self.inst(Inst { op: InstOp::Prim(*prim, args), dtype: node.dtype }),
                    }
                }
                NodeKind::Fold { fold, arg, .. } if self.fusion.is_short(key.0) => {
                    let terms = self.walks.operands(self.fusion, key);
                    let terms = terms.iter().map(|term| self.values[term]).collect();
                    short::combine(*fold, self.fusion.node(*arg).dtype, terms, &mut |inst| self.inst(inst))
                }
                NodeKind::View { .. } => {
                    let seen = self.walks.operands(self.fusion, key)[0];
                    self.values[&seen]
                }
                _ => self.load(key),
            };
            self.values.insert(key, value);
        }
        self.values[&root]
    }

    fn source(&mut self, source: KernelSource) -> u32 {
        let sources = &mut self.kernel.sources;
        let known = sources.iter().position(|known| *known == source);
        known.unwrap_or_else(|| {
            sources.push(source);
            sources.len() - 1
        }) as u32
    }

    fn load(&mut self, (id, walk): (NodeId, u32)) -> InstId {
        let source = self.source(KernelSource::Array { node: id, walk: self.walks.get(walk).clone() });
        self.inst(Inst { op: InstOp::Load(source), dtype: self.fusion.node(id).dtype })
    }

    fn count(&mut self, (id, walk): (NodeId, u32), axis: usize) -> InstId {
        let dtype = self.fusion.node(id).dtype;
        let place = self.walks.get(walk)[axis];
        let op = match place.axis {
            Some(_) => InstOp::Iota(self.source(KernelSource::Coordinate(place))),
            None => InstOp::Const(u128::from(place.start as u64)),
        };
        self.inst(Inst { op, dtype })
    }
}
