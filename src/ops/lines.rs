//! Operations over whole arrays along an axis: sorting, order statistics, groups.
//!
//! A row says how operands become lines, and what is computed from lines. The checker moves the axis to the end and
//! back, so the function of a row sees arrays whose last axis is the line. To add an operation, add a row with its
//! function:
//!
//! ```text
//! Op { ..lines("sort", &[X, AXIS], Class::Reduction, Lines::along(|e, asked| {
//!     let x = asked.operands.args[0];
//!     vec![e.routine(Routine::Sort, &[x], None)]
//! })) }
//! ```

use super::expand::Expand;
use crate::ir::build::LengthNames;
use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, Slice, View};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};

/// An operation over lines.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// How operands become lines.
    pub arrange: LineArrangement,
    /// The dtypes of the results. Results beyond the end of this list have the last one.
    pub results: &'static [ResultDType],
    /// How many dimensions the operation makes whose lengths only data decides.
    pub counts: usize,
    /// The texts that may be given; a call knows them by their places here.
    pub words: &'static [&'static str],
    /// The texts with which the result is one of the elements.
    pub picking: &'static [&'static str],
    /// Whether the operation looks for equal elements, so that their order means nothing.
    pub of_equals: bool,
    /// Writes what is computed from lines: one node for each result.
    pub expand: fn(&mut Expand, &mut LineCall) -> Vec<NodeId>,
}

/// The dtype of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultDType {
    /// The dtype that the class decides; without operands, that of a count.
    Decided,
    /// The real part of the decided dtype.
    Part,
    /// The dtype that the class computes in.
    Computed,
    /// The dtype of the result's node.
    Own,
    /// The dtype of a count.
    Count,
    /// The dtype of a place among elements.
    Place,
}

/// How operands become lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineArrangement {
    /// Lines along an axis become lines there.
    Along,
    /// Each line along axes becomes one element, which goes where the axes were. With several fractions, the elements
    /// of a line lie along a new first axis.
    Reduce,
    /// The operand at the place `values` has any shape and counts as one line, and so does the result. All other
    /// operands are vectors, or with `any` have any shape too.
    Lookup {
        /// The place of the operand whose shape the result has.
        values: usize,
        /// Whether the other operands may have any shape.
        any: bool,
    },
    /// Lines along the first axis, with one label for each place there.
    Groups,
    /// All elements of each operand, and of labels, are one line; results stay as they are.
    Whole,
    /// The last two axes are matrices; results stay as they are.
    Matrices(MatrixShape),
    /// Vectors lie along one axis or along all axes, matrices along two. Each becomes one element.
    Norms,
}

/// Which matrices an operation takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatrixShape {
    /// Any matrices.
    Any,
    /// Square matrices.
    Square,
    /// Square matrices, and vectors or matrices with as many rows.
    System,
}

/// What a call asks for.
#[derive(Debug)]
pub struct LineCall {
    /// Its arrays.
    pub operands: LineOperands,
    /// Its options.
    pub options: LineOptions,
    /// The dtype that the class decides for the result.
    pub decided: DType,
    /// Names for dimensions that data decides, as many as the row counts.
    pub names: LengthNames,
    /// What the row says of its results besides the nodes.
    pub results: LineResults,
}

/// The arrays of a call.
#[derive(Default, Debug)]
pub struct LineOperands {
    /// The operands in the dtype of the computation, then those that take no part in promotion; lines come last.
    pub args: Vec<NodeId>,
    /// Positions and labels as `i64`.
    pub positions: Vec<NodeId>,
    /// Positions and labels as they were given, for messages.
    pub told: Vec<NodeId>,
    /// Fractions: one line of `f64`.
    pub fractions: Option<NodeId>,
    /// Weights in the dtype that the system gives them, one for each element.
    pub weights: Option<NodeId>,
    /// The two ends of an interval, scalars of `f64`.
    pub interval: Option<[NodeId; 2]>,
    /// For operands that are one line each, and for integers that are looked up and meet as floats: the shape of each,
    /// and its elements in their own dtype.
    pub whole: Vec<(Shape, NodeId)>,
}

/// The options of a call, each kind in the order of the parameters.
#[derive(Default, Debug)]
pub struct LineOptions {
    /// Flags.
    pub flags: Vec<bool>,
    /// Sizes.
    pub sizes: Vec<Dim>,
    /// Numbers that are known.
    pub numbers: Vec<f64>,
    /// The place of each text among the words.
    pub words: Vec<usize>,
}

/// What a row says of its results.
#[derive(Default, Debug)]
pub struct LineResults {
    /// Whether one result is a tuple of one.
    pub tuple: bool,
    /// Whether the results are the real parts of the decided dtype.
    pub parts: bool,
    /// Which matrices have no answer, and what a message calls them.
    pub unfit: Option<(NodeId, &'static str)>,
    /// Where a fault would be, what the message says, and which values it shows.
    pub faults: Vec<(NodeId, &'static str, NodeId)>,
}

impl LineCall {
    /// A call that asks for nothing yet.
    pub fn new(names: LengthNames) -> LineCall {
        LineCall {
            operands: LineOperands::default(),
            options: LineOptions::default(),
            decided: DType::I64,
            names,
            results: LineResults::default(),
        }
    }

    /// Says that elements where a condition holds are at fault.
    pub fn refuse(&mut self, at: NodeId, text: &'static str, value: NodeId) {
        self.results.faults.push((at, text, value));
    }

    /// The dimension whose length is this `i64` scalar.
    pub fn length(&mut self, e: &mut Expand, count: NodeId) -> Dim {
        e.0.named_length(count, &mut self.names)
    }

    /// How many elements of a line a mask keeps.
    pub fn count(&mut self, e: &mut Expand, mask: NodeId) -> Dim {
        let ones = e.convert(mask, DType::I64);
        let count = e.fold(Fold::Sum, ones, &[0]);
        self.length(e, count)
    }
}

impl Lines {
    /// An operation with one result of the decided dtype.
    pub const fn new(arrange: LineArrangement, expand: fn(&mut Expand, &mut LineCall) -> Vec<NodeId>) -> Lines {
        Lines {
            arrange,
            results: &[ResultDType::Decided],
            counts: 0,
            words: &[],
            picking: &[],
            of_equals: false,
            expand,
        }
    }

    /// The same operation with other results.
    pub const fn giving(self, results: &'static [ResultDType]) -> Lines {
        Lines { results, ..self }
    }

    /// The same operation with dimensions that data decides.
    pub const fn counting(self, counts: usize) -> Lines {
        Lines { counts, ..self }
    }

    /// The same operation, which only looks for equal elements.
    pub const fn of_equals(self) -> Lines {
        Lines { of_equals: true, ..self }
    }

    /// The same operation with texts.
    pub const fn words(self, words: &'static [&'static str]) -> Lines {
        Lines { words, ..self }
    }

    /// The same with texts that make the result one of the elements.
    pub const fn picking(self, picking: &'static [&'static str]) -> Lines {
        Lines { picking, ..self }
    }

    /// Asks for the first of the words that pick an element, where the first word of all, the default, was asked for.
    pub(crate) fn pick(&self, asked: &mut LineCall) {
        let picking = self.words.iter().position(|word| self.picking.contains(word));
        if let (Some(word), Some(picking)) = (asked.options.words.first_mut(), picking)
            && *word == 0
        {
            *word = picking;
        }
    }
}

/// Parts of what rows compute from lines.
impl Expand<'_> {
    /// The length of the lines of an array.
    pub fn line(&self, x: NodeId) -> Dim {
        self.0.shape(x).last().cloned().unwrap_or(Dim::Const(1))
    }

    /// A routine of lines.
    pub fn routine(&mut self, routine: Routine, args: &[NodeId], len: Option<Dim>) -> NodeId {
        self.0.routine(routine, args, len)
    }

    /// The positions of the elements of lines in ascending order.
    pub fn order(&mut self, x: NodeId) -> NodeId {
        let len = self.line(x);
        self.routine(Routine::ArgSort { descending: false }, &[x], Some(len))
    }

    /// The positions of the first elements of lines in ascending or descending order, `len` of each.
    pub fn first_in_order(&mut self, x: NodeId, descending: bool, len: Dim) -> NodeId {
        self.routine(Routine::ArgSort { descending }, &[x], Some(len))
    }

    /// An `i64` constant.
    pub fn whole(&mut self, value: i64) -> NodeId {
        self.0.constant(Scalar::of(value))
    }

    /// Lines backwards.
    pub fn backwards(&mut self, x: NodeId) -> NodeId {
        let shape = self.shape(x);
        let mut region = vec![Slice::all(); shape.len()];
        if let (Some(last), Some(len)) = (region.last_mut(), shape.last())
            && !matches!(len, Dim::Const(0 | 1))
        {
            let start = len.add_scaled(&Dim::Const(1), -1).unwrap_or(Dim::Const(0));
            *last = Slice { start, step: -1 };
        }
        self.0.slice(x, &region, shape)
    }

    /// The elements of lines from a place on, `len` of them.
    pub fn part(&mut self, x: NodeId, from: u64, len: Dim) -> NodeId {
        self.piece(x, Dim::Const(from), len)
    }

    /// The elements of lines from the place `start` on, `len` of them. Both may be lengths of arrays.
    pub fn piece(&mut self, x: NodeId, start: Dim, len: Dim) -> NodeId {
        let mut shape = self.shape(x);
        let mut region = vec![Slice::all(); shape.len()];
        if let (Some(last), Some(own)) = (region.last_mut(), shape.last_mut()) {
            *last = Slice { start, step: 1 };
            *own = len;
        }
        self.0.slice(x, &region, shape)
    }

    /// The elements of every line at the same positions.
    pub fn at(&mut self, x: NodeId, positions: NodeId) -> NodeId {
        let axis = self.0.shape(x).len() - 1;
        self.0.gather(x, positions, axis)
    }

    /// The elements of each line at positions of its own. The two arrays differ in their last axis alone.
    pub fn along(&mut self, x: NodeId, positions: NodeId) -> Option<NodeId> {
        let (shape, wanted) = (self.shape(x), self.shape(positions));
        if shape.len() == 1 {
            return Some(self.0.gather(x, positions, 0));
        }
        let place = self.place_in_lines(positions, shape.last()?)?;
        let count = shape.iter().try_fold(Dim::Const(1), |count, dim| count.multiply(dim))?;
        let flat = self.view(x, View::Reshape, vec![count]);
        let found = self.0.gather(flat, place, 0);
        Some(self.view(found, View::Reshape, wanted))
    }

    /// Positions in lines of a length as positions among all elements.
    pub fn place_in_lines(&mut self, positions: NodeId, len: &Dim) -> Option<NodeId> {
        let wanted = self.shape(positions);
        let mut step = len.clone();
        let mut place = positions;
        for axis in (0..wanted.len() - 1).rev() {
            let (count, scale) = (self.0.iota(axis, wanted.clone()), self.dim(&step));
            let before = self.prim(Prim::Mul, &[count, scale]);
            place = self.prim(Prim::Add, &[place, before]);
            step = step.multiply(&wanted[axis])?;
        }
        Some(place)
    }

    /// The array, repeated to the shape `like` with a last axis of length `len`.
    pub fn lines_of(&mut self, x: NodeId, like: &Shape, len: Dim) -> NodeId {
        let mut shape = like.clone();
        shape.pop();
        shape.push(len);
        self.broadcast(x, &shape)
    }
}
