//! The way from the kernels of a program to the steps of a plan.

use super::alias::Relation;
use super::liveness::{Liveness, sizes};
use super::loops::{Loops, Use};
use super::nest::Nest;
use super::storage::{Storage, StoredArray};
use super::{InputLayout, LoopNest, Origin, Plan, PlanStep, PlannedBuffer};
use crate::array::{Array, Sizes, Strides, c_strides};
use crate::exec::space::PerOperand;
use crate::hash::QuickMap;
use crate::ir::{NodeId, NodeKind, Program, View};
use crate::kernel::fuse::{UnknownSize, fuse};
use crate::kernel::trim::trim;
use crate::kernel::unread::without_unread;
use crate::kernel::{Extent, Kernel, Sink};
use crate::types::DType;

/// Kernels of at most `MAX_INTERPRETED_ELEMENTS` elements are interpreted, not compiled, if a program has more than
/// `MAX_COMPILED_KERNELS` kernels: to compile so little work would take longer than to do it.
const MAX_INTERPRETED_ELEMENTS: usize = 64;
/// Of a program with at most this many kernels all are compiled: nobody notices the time that they take.
const MAX_COMPILED_KERNELS: usize = 16;

/// A node that kernels make.
#[derive(Clone, Default)]
struct MadeNode {
    /// The buffer of the node, once elements of it may be written.
    buffer: Option<u32>,
    /// How many stores of it have happened.
    stores: u32,
    /// Whether all of them have happened.
    is_made: bool,
}

/// A copy that a reshape needed.
struct ReshapedCopy {
    /// The reshape.
    node: NodeId,
    /// The node in memory that it shows.
    home: NodeId,
    array: StoredArray,
}

/// A plan that is being made, and where the nodes are by now.
pub(super) struct PlanBuilder<'p> {
    pub(super) program: &'p Program,
    liveness: &'p Liveness,
    plan: Plan,
    constants: QuickMap<NodeId, u32>,
    nodes: Vec<MadeNode>,
    /// The number of this kernel.
    now: u32,
    copies: Vec<ReshapedCopy>,
    /// The nodes that somebody lends memory for.
    pub(super) lent: &'p [NodeId],
}

/// How an input lies; in C order if there is no data yet.
pub(super) fn input_layout(program: &Program, node: NodeId, input: u32) -> InputLayout {
    let (dtype, sizes) = (program.node(node).dtype, sizes(program, node));
    let strides = match &program.inputs[input as usize].value {
        Some(array) => Strides::from_slice(array.strides()),
        None => c_strides(&sizes, dtype.size()),
    };
    InputLayout { input, node, dtype, sizes, strides }
}

/// What becomes of the short loops of a program that has many.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ShortLoops {
    /// They run without code of their own.
    Interpreted,
    /// They are compiled as all others are.
    Compiled,
}

/// The plan of a program whose sizes are known, with memory lent for some nodes.
pub(super) fn build(program: &Program, kernels: &[Kernel], lent: &[NodeId], short_loops: ShortLoops) -> Plan {
    let needed = program.needed_nodes();
    let inputs = (0..program.nodes.len() as u32).map(NodeId).filter(|id| needed[id.index()]);
    let inputs = inputs.filter_map(|id| {
        let NodeKind::Input(input) = program.node(id).kind else { return None };
        Some(input_layout(program, id, input))
    });
    let liveness = Liveness::new(program, kernels);
    let plan = Plan {
        inputs: inputs.collect(),
        buffers: Vec::new(),
        constants: Vec::new(),
        steps: Vec::new(),
        outputs: Vec::new(),
    };
    let nodes = vec![MadeNode::default(); liveness.made];
    let constants = QuickMap::default();
    let mut builder =
        PlanBuilder { program, liveness: &liveness, plan, constants, nodes, now: 0, copies: Vec::new(), lent };
    let interpreted = kernels.len() > MAX_COMPILED_KERNELS && short_loops == ShortLoops::Interpreted;
    for kernel in kernels {
        let elements = kernel.space.iter().try_fold(1usize, |count, &len| count.checked_mul(len));
        let short = interpreted && elements.is_some_and(|count| count <= MAX_INTERPRETED_ELEMENTS);
        builder.kernel(kernel, short);
        builder.end_kernel(kernel);
    }
    for (check, condition) in program.checks.iter().enumerate() {
        let at = builder.location_of(condition.node);
        builder.plan.steps.push(PlanStep::Check { check, at });
    }
    for output in &program.outputs {
        let array = builder.location_of(output.node);
        builder.plan.outputs.push(array);
    }
    builder.plan
}

/// The kernels that a plan is made of.
///
/// # Errors
/// When a size is not known.
pub(crate) fn kernels(program: &Program) -> Result<Vec<Kernel>, UnknownSize> {
    Ok(without_unread(program, trim(fuse(program)?)))
}

/// The plan of a program for some lengths, every loop of which is compiled.
#[cfg(feature = "object")]
pub(crate) fn for_lengths(program: &Program, kernels: &[Kernel], lent: &[NodeId]) -> Plan {
    build(program, kernels, lent, ShortLoops::Compiled)
}

impl PlanBuilder<'_> {
    /// Lets a kernel make its results.
    fn kernel(&mut self, kernel: &Kernel, short: bool) {
        let rank = kernel.space.len();
        let readings: Vec<_> = kernel.sources.iter().map(|source| self.reading(source, rank)).collect();
        let gathered = kernel.sinks.iter().filter_map(|sink| match sink {
            Sink::Gather { arg, .. } => Some(*arg),
            Sink::Store { .. } | Sink::Fold { .. } | Sink::Scan { .. } => None,
        });
        let gathered: Vec<StoredArray> =
            gathered.collect::<Vec<_>>().into_iter().map(|arg| self.location_of(arg)).collect();
        let mut over = None;
        for sink in &kernel.sinks {
            over = self.make_room(kernel, sink, &readings).or(over);
        }
        let (mut loops, mut origins) = (Loops::new(kernel, short), PerOperand::new());
        for reading in &readings {
            let dtype = reading.array.as_ref().map_or(DType::I64, |array| array.dtype);
            loops.operand(dtype, reading.array.is_none(), reading.strides.clone());
            origins.push(reading.origin);
        }
        let (mut aside, mut readers) = (None, Vec::new());
        let mut arrays = gathered.iter();
        for sink in &kernel.sinks {
            let mut target = self.target(kernel, sink, &mut arrays, &mut readers);
            let dtype = kernel.body.dtype(sink.value());
            match over.map_or(Relation::Apart, |base| self.written_over(kernel, sink, base, &readings)) {
                Relation::Apart => {}
                Relation::Same => target.what = Use::Buffered,
                Relation::Crossing => {
                    let space = Sizes::from_slice(&kernel.space);
                    let buffer = self.allocate(dtype, space.clone());
                    let there = StoredArray::whole(Storage::Buffer(buffer), dtype, space);
                    let strides = std::mem::replace(&mut target.strides, there.strides.clone());
                    let origin = Origin::At { storage: there.storage, offset: 0 };
                    aside = Some((buffer, there, std::mem::replace(&mut target.origin, origin), strides));
                }
            }
            loops.operand(dtype, false, target.strides);
            origins.push(target.origin);
            loops.outputs.push((sink.value(), target.what));
        }
        loops.is_last = aside.is_none() && kernel.sinks.iter().all(|sink| !self.is_read_later(sink.node()));
        let is_element = is_element(kernel);
        if is_element || !loops.is_empty() {
            let nest = if is_element { Nest::element(&loops) } else { Nest::new(&mut loops) };
            self.plan.steps.push(PlanStep::Run(Box::new(LoopNest { loops, origins, readers, nest })));
        }
        if let Some((buffer, made, origin, strides)) = aside {
            self.copy(&made, origin, &strides);
            self.plan.steps.push(PlanStep::Release(buffer));
        }
    }

    /// Copies elements to a place that has room for them.
    fn copy(&mut self, from: &StoredArray, to: Origin, strides: &[isize]) {
        if from.is_empty() {
            return;
        }
        self.plan.steps.push(PlanStep::Run(Box::new(LoopNest::copy(from, to, strides))));
    }

    /// A buffer with the elements of an array in C order.
    pub(super) fn copy_of(&mut self, array: &StoredArray) -> u32 {
        let buffer = self.allocate(array.dtype, array.sizes.clone());
        let strides = c_strides(&array.sizes, array.dtype.size());
        self.copy(array, Origin::At { storage: Storage::Buffer(buffer), offset: 0 }, &strides);
        buffer
    }

    /// A new buffer. Nothing is written to it yet.
    pub(super) fn allocate(&mut self, dtype: DType, sizes: Sizes) -> u32 {
        let buffer = self.plan.buffers.len() as u32;
        self.plan.buffers.push(PlannedBuffer { dtype, sizes, lent: None });
        self.plan.steps.push(PlanStep::Allocate(buffer));
        buffer
    }

    /// A new buffer for a node, whose memory somebody may lend.
    pub(super) fn allocate_for(&mut self, node: NodeId) -> u32 {
        let buffer = self.allocate(self.program.node(node).dtype, self.sizes(node));
        self.plan.buffers[buffer as usize].lent = Some(node).filter(|node| self.lent.contains(node));
        buffer
    }

    /// The sizes of a node's shape.
    pub(super) fn sizes(&self, node: NodeId) -> Sizes {
        match self.liveness.place(node) {
            Some(place) => self.liveness.sizes[place].clone(),
            None => sizes(self.program, node),
        }
    }

    fn made(&self, node: NodeId) -> Option<&MadeNode> {
        self.liveness.place(node).map(|place| &self.nodes[place])
    }

    fn making(&mut self, node: NodeId) -> &mut MadeNode {
        let place = self.liveness.place(node).expect("kernels make it");
        &mut self.nodes[place]
    }

    /// Whether elements of a node may be written.
    pub(super) fn has_room(&self, node: NodeId) -> bool {
        self.made(node).is_some_and(|made| made.buffer.is_some())
    }

    /// The buffer in which a node is made.
    pub(super) fn room_of(&self, node: NodeId) -> u32 {
        self.made(node).and_then(|made| made.buffer).expect("room was made")
    }

    /// Begins to make a node in a buffer.
    pub(super) fn begin(&mut self, node: NodeId, buffer: u32) {
        self.making(node).buffer = Some(buffer);
    }

    /// Whether a node was made by an earlier kernel and is read by none after this one, nor given by the program.
    pub(super) fn is_dying(&self, node: NodeId) -> bool {
        self.liveness.last[node.index()] == self.now && self.made(node).is_some_and(|made| made.is_made)
    }

    /// Whether a later kernel reads a node.
    fn is_read_later(&self, node: NodeId) -> bool {
        self.liveness.read[node.index()].is_some_and(|last| last > self.now)
    }

    /// The buffer of a node that this kernel is the last to read, for something else.
    pub(super) fn take(&mut self, node: NodeId) -> Option<u32> {
        if !self.is_dying(node) {
            return None;
        }
        std::mem::take(self.making(node)).buffer
    }

    /// Ends a kernel: notes which nodes are made now, and releases those that no later kernel reads.
    fn end_kernel(&mut self, kernel: &Kernel) {
        for sink in &kernel.sinks {
            let stores = self.liveness.stores[sink.node().index()];
            let node = self.making(sink.node());
            node.stores += 1;
            node.is_made = node.stores == stores;
        }
        let liveness = self.liveness;
        liveness.ending[self.now as usize].iter().for_each(|&home| self.forget(home));
        self.now += 1;
    }

    /// Releases a node in memory, and copies of it.
    fn forget(&mut self, home: NodeId) {
        let steps = &mut self.plan.steps;
        if let Some(place) = self.liveness.place(home)
            && self.nodes[place].is_made
            && let Some(buffer) = std::mem::take(&mut self.nodes[place]).buffer
        {
            steps.push(PlanStep::Release(buffer));
        }
        self.copies.retain(|copy| {
            if let (Storage::Buffer(buffer), true) = (copy.array.storage, copy.home == home) {
                steps.push(PlanStep::Release(buffer));
            }
            copy.home != home
        });
    }

    /// The location of a node's array. The array is stored, or a view of a stored one, or a copy if a reshape cannot be
    /// a view.
    pub(super) fn location_of(&mut self, node: NodeId) -> StoredArray {
        let mut chain = Vec::new();
        let mut base = node;
        let mut found = None;
        while let Some(arg) = self.liveness.stored.argument(self.program, base) {
            found = self.copies.iter().find(|copy| copy.node == base).map(|copy| copy.array.clone());
            if found.is_some() {
                break;
            }
            chain.push(base);
            base = arg;
        }
        let mut array = found.unwrap_or_else(|| self.stored(base));
        for view in chain.into_iter().rev() {
            array = self.view(array, view);
        }
        array
    }

    /// The location of a node that is not a view, or is stored itself.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is made in a buffer")]
    fn stored(&mut self, node: NodeId) -> StoredArray {
        let sizes = self.sizes(node);
        let known = self.program.node(node);
        match &known.kind {
            NodeKind::Input(input) => {
                let strides = input_layout(self.program, node, *input).strides;
                StoredArray { storage: Storage::Input(*input), dtype: known.dtype, sizes, strides, offset: 0 }
            }
            NodeKind::Const(scalar) => {
                let constants = &mut self.plan.constants;
                let constant = *self.constants.entry(node).or_insert_with(|| {
                    constants.push(Array::from_scalar(*scalar));
                    constants.len() as u32 - 1
                });
                StoredArray::whole(Storage::Constant(constant), known.dtype, sizes)
            }
            _ => StoredArray::whole(Storage::Buffer(self.room_of(node)), known.dtype, sizes),
        }
    }

    fn view(&mut self, array: StoredArray, node: NodeId) -> StoredArray {
        let sizes = self.sizes(node);
        let NodeKind::View { view, .. } = &self.program.node(node).kind else { return array };
        match view {
            View::Broadcast => array.broadcast(sizes),
            View::Transpose(order) => array.transpose(order, sizes),
            View::Slice(region) => array.slice(region, sizes),
            View::Windows(axis) => array.windows(*axis, sizes),
            View::Reshape => match array.reshape(&sizes) {
                Some(seen) => seen,
                None => {
                    let storage = Storage::Buffer(self.copy_of(&array));
                    let copy = StoredArray::whole(storage, array.dtype, sizes);
                    let home = self.liveness.stored.home(self.program, node);
                    self.copies.push(ReshapedCopy { node, home, array: copy.clone() });
                    copy
                }
            },
        }
    }
}

/// Whether a kernel makes one element of arrays of one, or reads at one position.
fn is_element(kernel: &Kernel) -> bool {
    let whole = |sink: &Sink| matches!(sink, Sink::Store { extent: Extent::Whole, .. } | Sink::Gather { .. });
    kernel.reduced == 0 && kernel.space.iter().all(|&len| len == 1) && kernel.sinks.iter().all(whole)
}
