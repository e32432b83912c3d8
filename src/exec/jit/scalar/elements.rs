//! The elements of a step's nodes. They are numbers in registers, and elements of arrays where they are read.

use super::prims::of_bits;
use super::writer::{ArrayVersion, InputValue, Writer, is_one, register};
use crate::exec::jit::clif::numbers::plain;
use crate::ir::{Fold, Node, NodeId, NodeKind, Slice, View};
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// Once the code has more instructions than this, no further element is computed in it: the step is no matter of a few
/// numbers.
const MAX_STEP_INSTS: usize = 4000;

/// Of which power of two a node is the number, if it is of one.
fn power_of_two(node: &Node) -> Option<u32> {
    let NodeKind::Const(number) = node.kind else { return None };
    let is_power = node.dtype.is_integer() && number.bits.is_power_of_two();
    let power = number.bits.trailing_zeros();
    (is_power && power + 1 < node.dtype.bits()).then_some(power)
}

impl Writer<'_, '_, '_> {
    /// Where a node lies in memory as it is now.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node lies in memory")]
    pub(super) fn held(&self, depth: usize, node: NodeId) -> Option<ArrayVersion> {
        let step = &self.steps[depth];
        let held = match step.program.node(node).kind {
            NodeKind::Input(input) => match step.given[input as usize] {
                InputValue::Array(held) => held,
                InputValue::Number(_) | InputValue::Outer(_) => return None,
            },
            NodeKind::Loop { .. } => *step.left.get(&node)?,
            _ => return None,
        };
        (self.buffers[held.0].version == held.1).then_some(held)
    }

    pub(super) fn number(&mut self, node: NodeId) -> Option<Value> {
        self.number_at(self.depth(), node)
    }

    /// The only element of a node.
    pub(super) fn number_at(&mut self, depth: usize, node: NodeId) -> Option<Value> {
        if let Some(value) = self.steps[depth].numbers.get(&node) {
            return Some(*value);
        }
        let shape = self.shape(depth, node);
        if !is_one(shape) {
            return None;
        }
        let zero = self.b.ins().iconst(types::I64, 0);
        let value = self.computed(depth, node, &vec![zero; shape.len()])?;
        // What a loop within computes of the step around it is not known behind that loop.
        if depth == self.depth() {
            self.steps[depth].numbers.insert(node, value);
        }
        Some(value)
    }

    /// The element of a node at a position: one for each axis.
    fn element(&mut self, depth: usize, node: NodeId, at: &[Value]) -> Option<Value> {
        if is_one(self.shape(depth, node)) {
            return self.number_at(depth, node);
        }
        self.computed(depth, node, at)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the code of a step computes no other node")]
    fn computed(&mut self, depth: usize, id: NodeId, at: &[Value]) -> Option<Value> {
        if self.b.func.dfg.num_insts() - self.before > MAX_STEP_INSTS {
            return None;
        }
        let program = self.program(depth);
        let node = program.node(id);
        register(node.dtype)?;
        if self.held(depth, id).is_some() {
            let flat = self.flat(at, &node.shape)?;
            return self.loaded(depth, id, flat);
        }
        match &node.kind {
            NodeKind::Input(input) => match self.steps[depth].given[*input as usize] {
                InputValue::Number(value) => Some(value),
                InputValue::Outer(outer) => self.element(depth.checked_sub(1)?, outer, at),
                InputValue::Array(_) => None,
            },
            NodeKind::Const(scalar) => {
                let bits = self.b.ins().iconst(types::I64, scalar.bits as u64 as i64);
                Some(of_bits(self.b, bits, node.dtype))
            }
            NodeKind::Iota { axis } => at.get(*axis as usize).copied(),
            NodeKind::Map(prim, args) => {
                let (mut values, mut dtypes) = (Vec::new(), Vec::new());
                for &arg in args.iter().flatten() {
                    values.push(self.broadcast_element(depth, arg, at)?);
                    dtypes.push(program.node(arg).dtype);
                }
                match args[1].and_then(|divisor| power_of_two(program.node(divisor))) {
                    Some(power) if matches!(prim, Prim::FloorDiv | Prim::Rem) => {
                        Some(self.divided_by_power(*prim, node.dtype, values[0], power))
                    }
                    _ => self.prim(*prim, &dtypes, node.dtype, &values),
                }
            }
            NodeKind::Fold { fold, arg, .. } if is_one(&program.node(*arg).shape) => {
                self.fold_of_one(*fold, depth, *arg)
            }
            NodeKind::View { arg, view } => self.viewed(depth, *arg, view, &node.shape, at),
            NodeKind::Update { base, region, value } => self.updated(depth, *base, region, *value, at),
            NodeKind::Gather { arg, index, axis } => self.gathered(depth, *arg, *index, *axis as usize, at),
            _ => None,
        }
    }

    /// The element with this number, in C order, of a node that lies in memory.
    fn loaded(&mut self, depth: usize, node: NodeId, flat: Value) -> Option<Value> {
        let (buffer, _) = self.held(depth, node)?;
        let dtype = self.program(depth).node(node).dtype;
        let address = self.address(buffer, dtype, flat);
        Some(self.b.ins().load(register(dtype)?, plain(), address, 0))
    }

    /// The element that the broadcasting rule puts at a position.
    fn broadcast_element(&mut self, depth: usize, arg: NodeId, at: &[Value]) -> Option<Value> {
        let shape = self.shape(depth, arg);
        let missing = at.len().checked_sub(shape.len())?;
        let zero = self.b.ins().iconst(types::I64, 0);
        let own = shape.iter().zip(&at[missing..]).map(|(dim, at)| if dim.known() == Some(1) { zero } else { *at });
        let own: Vec<Value> = own.collect();
        self.element(depth, arg, &own)
    }

    fn fold_of_one(&mut self, fold: Fold, depth: usize, arg: NodeId) -> Option<Value> {
        let value = self.number_at(depth, arg)?;
        match fold {
            Fold::Any | Fold::All => Some(value),
            Fold::FirstTrue => {
                let [first, none] = [0, -1].map(|place| self.b.ins().iconst(types::I64, place));
                Some(self.b.ins().select(value, first, none))
            }
            Fold::Sum | Fold::Prod | Fold::Min | Fold::Max | Fold::ArgMin | Fold::ArgMax => None,
        }
    }

    fn viewed(&mut self, depth: usize, arg: NodeId, view: &View, shape: &[Dim], at: &[Value]) -> Option<Value> {
        let own = self.shape(depth, arg);
        let zero = self.b.ins().iconst(types::I64, 0);
        let place: Vec<Value> = match view {
            View::Broadcast => return self.broadcast_element(depth, arg, at),
            View::Transpose(order) => {
                let mut place = vec![zero; own.len()];
                for (axis, &from) in order.iter().enumerate() {
                    *place.get_mut(from as usize)? = *at.get(axis)?;
                }
                place
            }
            View::Reshape if is_one(own) => vec![zero; own.len()],
            View::Reshape if own.len() == 1 => vec![self.flat(at, shape)?],
            View::Reshape if self.held(depth, arg).is_some() => {
                let flat = self.flat(at, shape)?;
                return self.loaded(depth, arg, flat);
            }
            View::Reshape => {
                let is_long = |dim: &Dim| dim.known() != Some(1);
                if !own.iter().filter(|dim| is_long(dim)).eq(shape.iter().filter(|dim| is_long(dim))) {
                    return None;
                }
                let mut moved = shape.iter().zip(at).filter(|(dim, _)| is_long(dim)).map(|(_, at)| *at);
                own.iter().map(|dim| if is_long(dim) { moved.next() } else { Some(zero) }).collect::<Option<_>>()?
            }
            View::Slice(slices) => {
                let mut place = Vec::with_capacity(at.len());
                for (slice, &at) in slices.iter().zip(at) {
                    let start = self.length(&slice.start)?;
                    let step = self.b.ins().iconst(types::I64, slice.step);
                    let way = self.b.ins().imul(at, step);
                    place.push(self.b.ins().iadd(start, way));
                }
                place
            }
            View::Windows(axis) => {
                let (&within, outer) = at.split_last()?;
                let mut place = outer.to_vec();
                let along = place.get_mut(*axis as usize)?;
                *along = self.b.ins().iadd(*along, within);
                place
            }
        };
        self.element(depth, arg, &place)
    }

    /// The element of an array in which one element is another.
    fn updated(&mut self, depth: usize, base: NodeId, region: &[Slice], value: NodeId, at: &[Value]) -> Option<Value> {
        if !is_one(self.shape(depth, value)) {
            return None;
        }
        let (old, new) = (self.element(depth, base, at)?, self.number_at(depth, value)?);
        let mut here = self.b.ins().iconst(types::I8, 1);
        for (slice, &at) in region.iter().zip(at) {
            let start = self.length(&slice.start)?;
            let is_there = self.b.ins().icmp(IntCC::Equal, at, start);
            here = self.b.ins().band(here, is_there);
        }
        Some(self.b.ins().select(here, new, old))
    }

    fn gathered(&mut self, depth: usize, arg: NodeId, index: NodeId, axis: usize, at: &[Value]) -> Option<Value> {
        let own = self.shape(depth, arg).get(axis)?;
        let axes = self.shape(depth, index).len();
        if own.known() == Some(0) {
            return None;
        }
        let position = self.element(depth, index, at.get(axis..axis + axes)?)?;
        let length = self.length(own)?;
        let (least, last) = (self.b.ins().iconst(types::I64, 0), self.b.ins().iadd_imm_s(length, -1));
        let position = self.b.ins().smax(position, least);
        let position = self.b.ins().smin(position, last);
        let place: Vec<Value> =
            at[..axis].iter().copied().chain([position]).chain(at[axis + axes..].iter().copied()).collect();
        self.element(depth, arg, &place)
    }

    /// The number of an element in C order.
    pub(super) fn flat(&mut self, at: &[Value], shape: &[Dim]) -> Option<Value> {
        let mut flat = None;
        // How far the elements along an axis are from each other: lengths that are numbers, and the others.
        let (mut known, mut distance) = (1, None);
        for (&at, dim) in at.iter().zip(shape).rev() {
            if dim.known() != Some(1) {
                let way = match distance {
                    Some(distance) => self.b.ins().imul(at, distance),
                    None => at,
                };
                let way = if known == 1 { way } else { self.b.ins().imul_imm_s(way, known) };
                flat = Some(match flat {
                    Some(flat) => self.b.ins().iadd(flat, way),
                    None => way,
                });
            }
            match (dim.known(), distance) {
                (Some(size), _) => known *= size as i64,
                (None, None) => distance = Some(self.length(dim)?),
                (None, Some(inner)) => {
                    let length = self.length(dim)?;
                    distance = Some(self.b.ins().imul(inner, length));
                }
            }
        }
        Some(flat.unwrap_or_else(|| self.b.ins().iconst(types::I64, 0)))
    }

    pub(super) fn address(&mut self, buffer: usize, dtype: DType, flat: Value) -> Value {
        let size = self.b.ins().iconst(types::I64, dtype.size() as i64);
        let way = self.b.ins().imul(flat, size);
        self.b.ins().iadd(self.buffers[buffer].base, way)
    }
}
