//! Builds programs node by node; equal nodes are shared, so equal work is done once.
//!
//! ```
//! use arrlang::ir::build::ProgramBuilder;
//! use arrlang::scalar::{Scalar, prim::Prim};
//! use arrlang::types::DType;
//! let mut b = ProgramBuilder::default();
//! let x = b.input("x", Default::default(), DType::I32, vec![arrlang::types::Dim::Const(5)]);
//! let two = b.constant(Scalar::of(2i32));
//! let y = b.map(Prim::Mul, &[x, two]);
//! assert_eq!(y, b.map(Prim::Mul, &[x, two]));
//! ```

mod columns;
mod lengths;
mod mark;
mod written_out;

use super::loops::{self, Followers, OpenLoop};
use super::routine::Routine;
use super::{Args, Check, Fold, Node, NodeId, NodeKind, Program, ProgramInput, ProgramOutput, Slice, View};
use crate::array::Array;
use crate::hash::{QuickMap, quick};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::source::Span;
use crate::types::DType;
use crate::types::shape::{self, Dim, Shape};
use lengths::BuiltLengths;
pub use lengths::LengthNames;
pub use mark::Mark;
use std::sync::Arc;

/// A program under construction.
#[derive(Default, Debug, Clone)]
pub struct ProgramBuilder {
    program: Program,
    shared: SharedNodes,
    unfolded: bool,
    conversions: Vec<Conversion>,
    loops: BuiltLoops,
    lengths: BuiltLengths,
}

/// The nodes that are found again.
#[derive(Default, Debug, Clone)]
struct SharedNodes {
    /// By their hashes, or by the next number that is free.
    nodes: QuickMap<u64, NodeId>,
    /// The last array of literals with a hash.
    literals: QuickMap<u64, NodeId>,
}

/// Loops whose steps were built.
#[derive(Default, Debug, Clone)]
struct BuiltLoops {
    /// In the order in which they were complete, each with the first of its results.
    list: Vec<(OpenLoop, Vec<NodeId>)>,
    /// Their parameters, and whether each is a state.
    params: QuickMap<NodeId, bool>,
    /// How many parameters there are, also of loops that are not complete.
    count: u32,
}

/// A conversion that the text does not write and that could change values, as far as its dtypes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The operand.
    pub from: NodeId,
    /// The operand in the dtype that it is computed or stored in.
    pub to: NodeId,
    /// The expression that is converted.
    pub span: Span,
}

impl ProgramBuilder {
    /// Remembers a conversion for those who ask what the checker added.
    pub fn note_conversion(&mut self, conversion: Conversion) {
        self.conversions.push(conversion);
    }

    /// The program so far.
    pub fn program(&self) -> &Program {
        &self.program
    }

    fn nodes(&mut self) -> &mut Vec<Node> {
        Arc::make_mut(&mut self.program.nodes)
    }

    /// The finished program.
    pub fn finish(mut self) -> Program {
        self.close_loops();
        self.program
    }

    /// What loops that are complete carry from step to step.
    pub fn next_states(&self) -> impl Iterator<Item = NodeId> {
        self.loops.list.iter().flat_map(|(open, _)| open.gives[..open.states].iter().copied())
    }

    /// Whether a node is a state in a step: of a loop that is not complete, also its counter or a row.
    pub fn may_be_state(&self, id: NodeId) -> bool {
        matches!(self.program.node(id).kind, NodeKind::Param(_)) && self.loops.params.get(&id) != Some(&false)
    }

    /// The dtype of a node.
    pub fn dtype(&self, id: NodeId) -> DType {
        self.program.node(id).dtype
    }

    /// The shape of a node.
    pub fn shape(&self, id: NodeId) -> &Shape {
        &self.program.node(id).shape
    }

    /// The node's value, if it is a constant.
    pub fn as_constant(&self, id: NodeId) -> Option<Scalar> {
        let NodeKind::Const(scalar) = self.program.node(id).kind else { return None };
        Some(scalar)
    }

    /// Adds a node, or finds the equal one.
    fn add(&mut self, node: Node) -> NodeId {
        match self.known(&node) {
            Ok(known) => known,
            Err(free) => {
                let id = NodeId(self.program.nodes.len() as u32);
                self.nodes().push(node);
                self.shared.nodes.insert(free, id);
                id
            }
        }
    }

    /// The equal node, or the number under which this one is to be found from now on.
    fn known(&self, node: &Node) -> Result<NodeId, u64> {
        let mut number = quick(node);
        while let Some(&known) = self.shared.nodes.get(&number) {
            if self.program.node(known) == node {
                return Ok(known);
            }
            number = number.wrapping_add(1);
        }
        Err(number)
    }

    /// Whether prims of constants become constants, as they do at first. Where each prim is to be guarded they stay.
    pub fn fold_constants(&mut self, fold: bool) {
        self.unfolded = !fold;
    }

    /// A new input.
    pub fn input(&mut self, name: &str, span: Span, dtype: DType, shape: Shape) -> NodeId {
        let index = self.program.inputs.len() as u32;
        self.lengths.open |= shape.iter().any(|dim| dim.known().is_none());
        self.program.inputs.push(ProgramInput { name: name.to_owned(), span, value: None, meaning: None });
        self.add(Node { kind: NodeKind::Input(index), dtype, shape })
    }

    /// Says what the integers of an input stand for; other nodes mean what they are made of.
    pub fn means(&mut self, input: NodeId, meaning: crate::array::logical::Logical) {
        if let NodeKind::Input(index) = self.program.node(input).kind {
            self.program.inputs[index as usize].meaning = Some(meaning);
        }
    }

    /// An array that the text says: one input, however often it is said or used, so that equal work on it is done once.
    pub fn literal(&mut self, span: Span, array: Array) -> NodeId {
        let bits = |array: &Array| (0..array.len()).map(|index| array.get(index).bits).collect::<Vec<u128>>();
        let own = bits(&array);
        let place = quick(&(array.dtype(), array.shape(), &own));
        if let Some(&known) = self.shared.literals.get(&place)
            && let NodeKind::Input(index) = self.program.node(known).kind
            && let Some(value) = &self.program.inputs[index as usize].value
            && (value.dtype(), value.shape()) == (array.dtype(), array.shape())
            && bits(value) == own
            && value.logical() == array.logical()
        {
            return known;
        }
        let shape = array.shape().iter().map(|&size| Dim::Const(size as u64)).collect();
        let node = self.input(ProgramInput::LITERAL, span, array.dtype(), shape);
        self.bind(node, array);
        self.shared.literals.insert(place, node);
        node
    }

    /// Gives an input its data.
    pub fn bind(&mut self, input: NodeId, value: Array) {
        if let NodeKind::Input(index) = self.program.node(input).kind {
            self.program.inputs[index as usize].value = Some(value);
        }
    }

    /// A value of the steps of a loop.
    pub fn param(&mut self, dtype: DType, shape: Shape) -> NodeId {
        self.loops.count += 1;
        self.add(Node { kind: NodeKind::Param(self.loops.count), dtype, shape })
    }

    /// Whether a loop that is complete has its step behind a node. Of all loops the last one has its step last.
    pub fn has_loop_behind(&self, node: NodeId) -> bool {
        self.loops.list.last().is_some_and(|(open, _)| open.first(&self.program) > node.index())
    }

    /// The results of a loop whose step was built, with their shapes.
    pub fn close_loop(&mut self, mut open: OpenLoop, results: &[(NodeId, Shape)]) -> Vec<NodeId> {
        open.columns = self.columns(&open);
        let of = open.reference();
        // What the step gives is used, also while it lies among the other nodes.
        let args: Box<[NodeId]> = open.args.iter().chain(&open.gives).chain(&open.condition).copied().collect();
        let made = results.iter().enumerate().map(|(at, (like, shape))| {
            let kind = NodeKind::Loop { of: of.clone(), args: args.clone(), result: at as u32 };
            let dtype = self.dtype(*like);
            self.add(Node { kind, dtype, shape: shape.clone() })
        });
        let made: Vec<NodeId> = made.collect();
        self.loops.params.extend(open.params.iter().enumerate().map(|(at, (param, _))| (*param, at < open.states)));
        self.loops.list.push((open, made.clone()));
        made
    }

    /// Takes the steps of loops out of the program, inner ones first.
    fn close_loops(&mut self) {
        let loops = std::mem::take(&mut self.loops.list);
        let Some(first) = loops.iter().map(|(open, _)| open.first(&self.program)).min() else { return };
        let mut followers = Followers::of(&self.program, first);
        for (open, results) in loops {
            if results.iter().any(|result| result.index() >= self.program.nodes.len()) {
                continue;
            }
            let open = open.by_columns(&self.program, &followers);
            let (of, args) = open.close(&mut self.program, &results, &followers);
            for result in results {
                if let NodeKind::Loop { of: own, args: own_args, .. } = &mut self.nodes()[result.index()].kind {
                    *own = of.clone();
                    own_args.clone_from(&args);
                }
                followers.add(&self.program, result);
            }
        }
    }

    /// How many nodes, conditions, noted conversions and loops there are.
    pub fn note_counts(&self) -> [usize; 4] {
        [self.program.nodes.len(), self.program.checks.len(), self.conversions.len(), self.loops.list.len()]
    }

    /// Forgets those that were added since, with the lengths that parameters decide which were; nodes stay, and are
    /// nobody's.
    pub fn forget_since(&mut self, [nodes, checks, conversions, loops]: [usize; 4]) {
        self.program.checks.truncate(checks);
        self.conversions.truncate(conversions);
        self.loops.list.truncate(loops);
        loops::forget_lengths(&mut self.program, nodes);
        self.lengths.known.find_again(&self.program.lengths);
    }

    /// A scalar constant.
    pub fn constant(&mut self, scalar: Scalar) -> NodeId {
        self.add(Node { kind: NodeKind::Const(scalar), dtype: scalar.dtype, shape: Shape::new() })
    }

    /// The coordinate along one axis of a shape.
    pub fn iota(&mut self, axis: usize, shape: Shape) -> NodeId {
        self.add(Node { kind: NodeKind::Iota { axis: axis as u32 }, dtype: DType::I64, shape })
    }

    /// A prim whose result has the dtype of its operands (or `bool`, or their part).
    ///
    /// # Panics
    /// When the operands' dtypes are not those that the prim takes, or their shapes do not broadcast: the checker
    /// has made sure of both.
    pub fn map(&mut self, prim: Prim, args: &[NodeId]) -> NodeId {
        self.map_to(prim, args, DType::Bool)
    }

    /// The same elements in another dtype.
    pub fn convert(&mut self, arg: NodeId, dtype: DType) -> NodeId {
        if self.dtype(arg) == dtype {
            return arg;
        }
        self.map_to(Prim::Convert, &[arg], dtype)
    }

    /// The same bits as another dtype of the same size.
    pub fn bitcast(&mut self, arg: NodeId, dtype: DType) -> NodeId {
        if self.dtype(arg) == dtype {
            return arg;
        }
        self.map_to(Prim::Bitcast, &[arg], dtype)
    }

    fn map_to(&mut self, prim: Prim, args: &[NodeId], wanted: DType) -> NodeId {
        let mut dtypes = [DType::Bool; 3];
        for (slot, &arg) in dtypes.iter_mut().zip(args) {
            *slot = self.dtype(arg);
        }
        let dtypes = &dtypes[..args.len()];
        let Some(dtype) = prim.result(dtypes, wanted) else {
            panic!("{} of {dtypes:?} is not in the table of prims", prim.name());
        };
        if let Some(known) = self.simplify(prim, args, dtype) {
            return known;
        }
        let mut shape = Shape::new();
        for &arg in args {
            if *self.shape(arg) != shape {
                shape = shape::broadcast(&shape, self.shape(arg)).expect("the checker made the shapes fit");
            }
        }
        let mut slots: Args = [None; 3];
        for (slot, &arg) in slots.iter_mut().zip(args) {
            *slot = Some(arg);
        }
        self.add(Node { kind: NodeKind::Map(prim, slots), dtype, shape })
    }

    /// Values that need no node: constants of constants, and the parts of a pair.
    fn simplify(&mut self, prim: Prim, args: &[NodeId], dtype: DType) -> Option<NodeId> {
        if let (Prim::Real | Prim::Imag, NodeKind::Map(Prim::Pair, parts)) = (prim, &self.program.node(args[0]).kind) {
            return parts[usize::from(prim == Prim::Imag)];
        }
        if self.unfolded {
            return None;
        }
        let mut scalars = [Scalar::zero(DType::Bool); 3];
        for (slot, &arg) in scalars.iter_mut().zip(args) {
            *slot = self.as_constant(arg)?;
        }
        let value = eval::eval(prim, dtype, &scalars[..args.len()]);
        Some(self.constant(value))
    }

    /// A reduction over `axes` (ascending), which are gone then.
    pub fn fold(&mut self, fold: Fold, arg: NodeId, axes: &[usize]) -> NodeId {
        self.fold_keeping_if(fold, arg, axes, false)
    }

    /// As [`ProgramBuilder::fold`], but the axes stay, with length 1.
    pub fn fold_keeping(&mut self, fold: Fold, arg: NodeId, axes: &[usize]) -> NodeId {
        self.fold_keeping_if(fold, arg, axes, true)
    }

    /// As [`ProgramBuilder::fold`]; the axes stay, with length 1, if `keep`.
    pub fn fold_keeping_if(&mut self, fold: Fold, arg: NodeId, axes: &[usize], keep: bool) -> NodeId {
        let dtype = fold.result(self.dtype(arg));
        if let (Fold::FirstTrue, [], Some(known)) = (fold, axes, self.as_constant(arg)) {
            return self.constant(Scalar::of(known.bits as i64 - 1));
        }
        if let (Fold::Min | Fold::Max, Some(narrow)) = (fold, self.wider_integers(arg)) {
            let narrow = self.fold_keeping_if(fold, narrow, axes, keep);
            return self.convert(narrow, dtype);
        }
        let [shape, other] = [keep, !keep].map(|keep| reduced_shape(self.shape(arg), axes, keep));
        let axes: Vec<u32> = axes.iter().map(|&axis| axis as u32).collect();
        // The same fold that keeps its axes, or does not, has these elements.
        let twin = Node { kind: NodeKind::Fold { fold, arg, axes: axes.clone(), keep: !keep }, dtype, shape: other };
        match self.known(&twin) {
            Ok(twin) => self.view(twin, View::Reshape, shape),
            Err(_) => self.add(Node { kind: NodeKind::Fold { fold, arg, axes, keep }, dtype, shape }),
        }
    }

    /// The integers that a node has in a wider dtype, in the same order: the largest of them is the largest of these.
    pub fn wider_integers(&self, node: NodeId) -> Option<NodeId> {
        let NodeKind::Map(Prim::Convert, [Some(narrow), ..]) = self.program.node(node).kind else { return None };
        let [(least, most), (low, high)] = [self.dtype(narrow).integer_range()?, self.dtype(node).integer_range()?];
        (low <= least && most <= high && self.shape(narrow) == self.shape(node)).then_some(narrow)
    }

    /// The integers whose nearest floats a node has. Rounding keeps their order: the nearest float of the largest of them
    /// is the largest of these.
    pub fn rounded_integers(&self, node: NodeId) -> Option<NodeId> {
        let NodeKind::Map(Prim::Convert, [Some(whole), ..]) = self.program.node(node).kind else { return None };
        let is_rounded = self.dtype(whole).is_integer() && self.dtype(node).is_float();
        (is_rounded && self.shape(whole) == self.shape(node)).then_some(whole)
    }

    /// Running sums, products or extremes along an axis.
    pub fn scan(&mut self, fold: Fold, arg: NodeId, axis: usize) -> NodeId {
        let (dtype, shape) = (self.dtype(arg), self.shape(arg).clone());
        self.add(Node { kind: NodeKind::Scan { fold, arg, axis: axis as u32 }, dtype, shape })
    }

    /// Elements by their positions along an axis.
    pub fn gather(&mut self, arg: NodeId, index: NodeId, axis: usize) -> NodeId {
        let shape = gathered_shape(self.shape(arg), self.shape(index), axis);
        let dtype = self.dtype(arg);
        self.add(Node { kind: NodeKind::Gather { arg, index, axis: axis as u32 }, dtype, shape })
    }

    /// Arrays one after the other along an axis.
    ///
    /// # Panics
    /// Without parts, or when their lengths cannot be added.
    pub fn concat(&mut self, parts: &[NodeId], axis: usize) -> NodeId {
        if let [only] = parts {
            return *only;
        }
        let mut shape = self.shape(parts[0]).clone();
        for &part in &parts[1..] {
            shape[axis] = shape[axis].add_scaled(&self.shape(part)[axis], 1).expect("the checker added the lengths");
        }
        let dtype = self.dtype(parts[0]);
        self.add(Node { kind: NodeKind::Concat { parts: parts.into(), axis: axis as u32 }, dtype, shape })
    }

    /// An operation over the lines or matrices of operands with the same axes before them; `len` is the length of its
    /// lines where the routine does not say it.
    ///
    /// # Panics
    /// When the routine does not take operands of these dtypes: the checker has made sure.
    pub fn routine(&mut self, routine: Routine, args: &[NodeId], len: Option<Dim>) -> NodeId {
        let dtypes: Vec<DType> = args.iter().map(|&arg| self.dtype(arg)).collect();
        let row = routine.row();
        let Some(dtype) = (row.dtype)(&dtypes) else { panic!("{} does not take {dtypes:?}", row.name) };
        let before = self.shape(args[0]).len().checked_sub(row.axes).expect("operands of routines have their axes");
        let own: Vec<&[Dim]> = args.iter().map(|&arg| &self.shape(arg)[before..]).collect();
        let own = routine.lengths(&own).or_else(|| routine.given(&own, len?)).expect("the length is known or given");
        let shape = self.shape(args[0])[..before].iter().cloned().chain(own).collect();
        self.add(Node { kind: NodeKind::Routine { routine, args: args.into() }, dtype, shape })
    }

    /// Some elements of each axis: one slice and one length for each.
    pub fn slice(&mut self, arg: NodeId, region: &[Slice], lens: Shape) -> NodeId {
        self.view(arg, View::Slice(region.into()), lens)
    }

    /// An array with `value` at the positions of a region; `value` has the region's shape.
    pub fn update(&mut self, base: NodeId, region: &[Slice], value: NodeId) -> NodeId {
        let (dtype, shape) = (self.dtype(base), self.shape(base).clone());
        if *self.shape(value) == shape && region.iter().all(|slice| *slice == Slice::all()) {
            return value;
        }
        self.add(Node { kind: NodeKind::Update { base, region: region.into(), value }, dtype, shape })
    }

    /// The elements repeated to a larger shape.
    pub fn broadcast(&mut self, arg: NodeId, shape: &Shape) -> NodeId {
        self.view(arg, View::Broadcast, shape.clone())
    }

    /// The same elements under another shape or order.
    pub fn view(&mut self, arg: NodeId, view: View, shape: Shape) -> NodeId {
        let unchanged = match &view {
            View::Broadcast | View::Reshape => *self.shape(arg) == shape,
            View::Transpose(order) => order.iter().enumerate().all(|(axis, &from)| axis as u32 == from),
            View::Slice(region) => *self.shape(arg) == shape && region.iter().all(|slice| *slice == Slice::all()),
            View::Windows(_) => false,
        };
        if unchanged {
            return arg;
        }
        let dtype = self.dtype(arg);
        self.add(Node { kind: NodeKind::View { arg, view }, dtype, shape })
    }

    /// Adds something that the program gives.
    pub fn output(&mut self, output: ProgramOutput) {
        self.program.outputs.push(output);
    }

    /// Adds a condition that must hold at run time, before those from `place` on.
    pub fn check_at(&mut self, place: usize, check: Check) {
        self.program.checks.insert(place, check);
    }

    /// Says that the conditions from the one with this number on are about a call, and that the lengths from another
    /// number on are counted in it.
    pub fn locate(&mut self, checks: usize, lengths: usize, call: Span) {
        self.program.checks[checks..].iter_mut().for_each(|check| check.span = call);
        self.program.lengths.iter_mut().skip(lengths).for_each(|length| length.call = Some(call));
    }

    /// Adds a condition that must hold at run time; it is about what stands here.
    pub fn check(&mut self, check: Check) {
        let written = self.program.nodes.len();
        self.program.checks.push(Check { written, ..check });
    }
}

/// The shape after a reduction.
pub fn reduced_shape(shape: &[Dim], axes: &[usize], keep: bool) -> Shape {
    let dims = shape.iter().enumerate();
    dims.filter_map(|(axis, dim)| match (axes.contains(&axis), keep) {
        (false, _) => Some(dim.clone()),
        (true, true) => Some(Dim::Const(1)),
        (true, false) => None,
    })
    .collect()
}

/// The shape of a gather: the axes of the positions in place of the one that is read along.
pub fn gathered_shape(shape: &[Dim], index: &[Dim], axis: usize) -> Shape {
    shape[..axis].iter().chain(index).chain(&shape[axis + 1..]).cloned().collect()
}
