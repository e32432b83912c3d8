//! Lengths that a script reads, although nothing may need the arrays that have them.
//!
//! `len(pad(x[3:], 1))` is `n - 1`, as long as `x[3:]` has the `n - 3` elements that its type says. Where `n` is below
//! 3 it has none, and a run finds the length 2. So all that a length is made of must be as the types say: no length
//! on the way is below 0, slices lie in what they slice, and there is a window wherever windows are taken. An element at
//! a fixed place, as `x[-1]`, must be there even if only its dtype is read.

use crate::hash::QuickSet;
use crate::ir::{NodeId, NodeKind, Program, Slice, View};
use crate::types::{Affine, Dim};

/// A slice of an axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AxisSlice {
    pub(super) start: Dim,
    pub(super) step: i64,
    pub(super) len: Dim,
    pub(super) whole: Dim,
}

impl AxisSlice {
    fn dims(&self) -> [&Dim; 3] {
        [&self.start, &self.len, &self.whole]
    }

    /// Whether it is known to lie in its axis, if it takes an element.
    fn is_inside(&self) -> bool {
        let ends = || {
            let (start, whole) = (self.start.form()?, self.whole.form()?);
            let steps = self.len.form()?.plus(&Affine::constant(1), -1)?;
            let last = start.plus(&steps, self.step)?;
            let (low, high) = if self.step > 0 { (start, last) } else { (last, start) };
            let room = whole.plus(&high, -1)?.plus(&Affine::constant(1), -1)?;
            Some([low, room])
        };
        ends().is_some_and(|ends| ends.iter().all(Affine::is_never_negative))
    }
}

/// What must hold of arrays that perhaps nothing needs.
#[derive(Clone, Debug, Default)]
pub(super) struct UnmadeLengths {
    /// Lengths that must not be below 0.
    pub(super) lengths: Vec<Dim>,
    /// Slices that must lie in their axes.
    pub(super) slices: Vec<AxisSlice>,
    /// Lengths along which steps of loops take the smallest or largest. None may be 0, even if no step is taken.
    pub(super) folded: Vec<Dim>,
}

impl UnmadeLengths {
    /// What the lengths are made of that a program reads.
    pub(super) fn of(program: &Program) -> UnmadeLengths {
        let mut unmade = UnmadeLengths::default();
        let mut left: Vec<(NodeId, usize)> = Vec::new();
        for read in &program.read {
            unmade.length(&read.dim);
            left.extend(read.of.map(|(node, axis)| (node, axis as usize)));
        }
        let mut seen: QuickSet<(NodeId, usize)> = QuickSet::default();
        while let Some(axis) = left.pop() {
            if seen.insert(axis) {
                unmade.axis(program, axis, &mut left);
            }
        }
        // Elements that are taken are looked at where they are taken.
        let mut taken = Vec::new();
        rooms(program, &program.needed_for(program.outputs.iter().map(|output| output.node)), &mut taken);
        unmade.lengths.retain(|dim| !taken.contains(dim));
        unmade
    }

    /// Takes the lengths along which steps of loops fold what may not be nothing.
    pub(super) fn folds_of_steps(&mut self, program: &Program) {
        for of in program.loops() {
            for part in std::iter::once(&of.step).chain(&of.condition) {
                let nodes = part.nodes.iter().zip(part.needed_nodes()).filter(|(_, needed)| *needed);
                for (node, _) in nodes {
                    let NodeKind::Fold { fold, arg, axes, .. } = &node.kind else { continue };
                    let shape = &part.node(*arg).shape;
                    for dim in axes.iter().map(|&axis| &shape[axis as usize]) {
                        let is_open = dim.known().is_none() && !dim.is_at_least(1);
                        if is_open && !fold.has_identity() && !self.folded.contains(dim) {
                            self.folded.push(dim.clone());
                        }
                    }
                }
                self.folds_of_steps(part);
            }
        }
    }

    /// Those in which every dimension is of some kind.
    pub(super) fn only(&self, is_one: impl Fn(&Dim) -> bool) -> UnmadeLengths {
        let lengths = self.lengths.iter().filter(|&dim| is_one(dim)).cloned();
        let slices = self.slices.iter().filter(|slice| slice.dims().into_iter().all(&is_one)).cloned();
        let folded = self.folded.iter().filter(|&dim| is_one(dim)).cloned();
        UnmadeLengths { lengths: lengths.collect(), slices: slices.collect(), folded: folded.collect() }
    }

    /// Their dimensions.
    pub(super) fn dims(&self) -> impl Iterator<Item = &Dim> {
        let folded = self.folded.iter();
        self.lengths.iter().chain(self.slices.iter().flat_map(AxisSlice::dims)).chain(folded)
    }

    fn length(&mut self, dim: &Dim) {
        if matches!(dim, Dim::Affine(form) if !form.is_never_negative()) && !self.lengths.contains(dim) {
            self.lengths.push(dim.clone());
        }
    }

    /// Notes a slice that must lie in its axis, unless it does for all lengths.
    pub(super) fn slice(&mut self, slice: &Slice, len: &Dim, whole: &Dim) {
        // Of an axis that is shorter than nothing no place is found to be outside.
        self.length(whole);
        let (start, len, whole) = (slice.start.clone(), len.clone(), whole.clone());
        let slice = AxisSlice { start, step: slice.step, len, whole };
        if !slice.is_inside() && !self.slices.contains(&slice) {
            self.slices.push(slice);
        }
    }

    /// What the length of one axis of a node is made of. Adds the axes of operands that it follows from to `left`.
    fn axis(&mut self, program: &Program, (id, axis): (NodeId, usize), left: &mut Vec<(NodeId, usize)>) {
        let node = program.node(id);
        let Some(dim) = node.shape.get(axis) else { return };
        self.length(dim);
        let rank = |arg: NodeId| program.node(arg).shape.len();
        match &node.kind {
            NodeKind::Input(_) | NodeKind::Param(_) | NodeKind::Const(_) | NodeKind::Iota { .. } => {}
            // Axes are aligned at the right.
            NodeKind::Map(..) | NodeKind::View { view: View::Broadcast, .. } => {
                let behind = node.shape.len() - axis;
                left.extend(node.operands().filter_map(|arg| Some((arg, rank(arg).checked_sub(behind)?))));
            }
            NodeKind::View { arg, view: View::Transpose(order) } => left.push((*arg, order[axis] as usize)),
            NodeKind::View { arg, view: View::Slice(region) } => {
                self.slice(&region[axis], dim, &program.node(*arg).shape[axis]);
                left.push((*arg, axis));
            }
            NodeKind::Scan { arg, .. } | NodeKind::Update { base: arg, .. } => left.push((*arg, axis)),
            NodeKind::Concat { parts, .. } => left.extend(parts.iter().map(|part| (*part, axis))),
            NodeKind::Fold { arg, axes, keep, .. } => {
                let stays = |own: &usize| *keep || !axes.contains(&(*own as u32));
                left.extend((0..rank(*arg)).filter(stays).nth(axis).map(|own| (*arg, own)));
            }
            NodeKind::View { arg, view: View::Windows(along) } => {
                // A window has at least one element, and there is at least one place for it.
                let counts = [Some(&node.shape[*along as usize]), node.shape.last()];
                let rooms = counts.into_iter().flatten().filter_map(|dim| dim.add_scaled(&Dim::Const(1), -1));
                rooms.for_each(|room| self.length(&room));
                left.extend((0..rank(*arg)).map(|own| (*arg, own)));
            }
            NodeKind::View { view: View::Reshape, .. }
            | NodeKind::Gather { .. }
            | NodeKind::Routine { .. }
            | NodeKind::Loop { .. } => {
                left.extend(node.operands().flat_map(|arg| (0..rank(arg)).map(move |own| (arg, own))));
            }
        }
    }
}

/// The differences that are not below 0 where the single elements are there that a program takes, also in steps of loops.
fn rooms(program: &Program, needed: &[bool], found: &mut Vec<Dim>) {
    for (node, _) in program.nodes.iter().zip(needed).filter(|(_, needed)| **needed) {
        let NodeKind::View { arg, view: View::Slice(region) } = &node.kind else { continue };
        for ((slice, len), whole) in region.iter().zip(&node.shape).zip(&program.node(*arg).shape) {
            if *len == Dim::Const(1) {
                found.extend(slice.room(whole));
            }
        }
    }
    for of in program.loops() {
        for part in std::iter::once(&of.step).chain(&of.condition) {
            rooms(part, &part.needed_nodes(), found);
        }
    }
}
