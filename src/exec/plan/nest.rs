//! The order of nested loops.
//!
//! A map runs one loop innermost, the one that moves most operands densely, and walks the others. A kernel that folds
//! runs either a reduced loop innermost (*rows*: blocks of 1024 neighbours of one result) or a kept loop (*columns*:
//! many results side by side), whichever reads memory more densely. A kernel of one element has no loops: it is
//! computed as the reference does, in less time than it takes to begin one.

use super::cost::ElementCost;
use super::loops::{Loops, Use};
use super::reductions::Reductions;
use crate::exec::space::{LoopDim, PerOperand, take_inner};
use crate::exec::stepping::Loop;
use crate::kernel::{Inst, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;
use smallvec::smallvec;

/// Bytes of the operands of a fold that few caches hold.
const MIN_LARGE_BYTES: f64 = (32 << 20) as f64;

/// Bytes of operands and results from which on stores may pass the caches by, if no later kernel reads the results.
/// What was measured stands in [`crate::exec::run`]'s `stream`.
const LARGE_RESULT: usize = 32 << 20;

/// Bytes of operands and results from which on stores may pass the caches by, if a later kernel reads the results.
const LARGE_INTERMEDIATE: usize = 64 << 20;

/// Terms of a result: a row with fewer of them is short. The number decides what is fast and nothing else, as the next
/// two do.
const SHORT_ROW: usize = 64;

/// Neighbouring results that a loop across rows needs at least.
const MIN_COLUMNS: usize = 16;

/// Neighbouring results from which on a loop across short rows is worth it, whatever the operands cost to move.
const ENOUGH_COLUMNS: usize = 64;

/// What the loops do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NestKind {
    /// One element, without loops.
    Element,
    /// Each element by itself.
    Map,
    /// Folds and scans along the innermost loop.
    Rows,
    /// Folds and scans across the innermost loop.
    Columns,
}

/// The positions of a map that does nothing but read by position. They lie in memory, and `end` is added to negative
/// ones.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PositionSource {
    pub(crate) operand: usize,
    pub(crate) end: i64,
}

/// Loops in the order in which they run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Nest {
    pub(crate) kind: NestKind,
    /// The outer loops. A map has all but the innermost one here; otherwise these are the loops over results.
    pub(crate) outer: Vec<LoopDim>,
    /// The loops over the terms of a result, without the innermost one.
    pub(crate) between: Vec<LoopDim>,
    pub(crate) inner: LoopDim,
    /// How far operands move from one element of the innermost loop to the next.
    pub(crate) moves: PerOperand<isize>,
    /// The innermost loop, if it has something to compute.
    pub(crate) code: Option<Loop>,
    pub(crate) reductions: Reductions,
    /// The positions of a map that does nothing but read by position. Such a map computes nothing.
    pub(crate) positions: Option<PositionSource>,
    /// The cost of one element.
    pub(crate) cost: ElementCost,
    /// Elements between two looks at the interrupt flag.
    pub(crate) poll: usize,
    /// Operands of a map that the loop writes to scratch.
    pub(crate) scratched: PerOperand<usize>,
    /// Whether caches are too small: for the operands and dense results of a map, or for the operands of a fold.
    pub(crate) is_large: bool,
}

/// How many positions some loops have.
pub(crate) fn positions(dims: &[LoopDim]) -> usize {
    dims.iter().map(|dim| dim.len).product()
}

impl Nest {
    /// The cost of all elements.
    pub(crate) fn work(&self) -> ElementCost {
        self.cost.times(positions(&self.outer)).times(positions(&self.between)).times(self.inner.len)
    }

    /// The nest of a kernel's loops. Loops that fold along rows then compute operands of terms instead of the terms.
    pub(super) fn new(loops: &mut Loops) -> Nest {
        if !loops.reduces() {
            return Nest::map(loops);
        }
        let (kept, reduced) = (loops.kept_loops(), loops.reduced_loops());
        // The price of an innermost loop. Operands in scratch do not count: they are written once either way.
        let price = |inner: &LoopDim| -> usize {
            let moved = inner.strides.iter().enumerate().filter(|(operand, _)| !loops.is_scratch(*operand));
            moved.map(|(operand, &stride)| loops.cost(operand, stride)).sum()
        };
        let nothing = reduced.iter().any(|dim| dim.len == 0);
        let (outer, inner) = loops.take_inner(kept.clone());
        let along = reduced.last().map_or(0, price);
        let short = reduced.last().is_none_or(|dim| dim.len < SHORT_ROW);
        let better = price(&inner) < along || price(&inner) == along && short;
        if inner.len >= MIN_COLUMNS && (better || short && inner.len >= ENOUGH_COLUMNS) && !nothing {
            Nest::columns(loops, outer, inner, reduced)
        } else {
            Nest::rows(loops, kept, reduced)
        }
    }

    /// The nest of a kernel of one element.
    pub(super) fn element(loops: &Loops) -> Nest {
        Nest { kind: NestKind::Element, ..Nest::map(loops) }
    }

    fn map(loops: &Loops) -> Nest {
        let (outer, inner) = loops.take_inner(loops.all());
        let code = loops.inner_loop(&inner);
        let cost = ElementCost::of(loops, &code);
        let positions = loops.position_source(&inner);
        Nest {
            kind: NestKind::Map,
            moves: loops.moves(&inner),
            cost,
            poll: cost.poll(),
            scratched: (0..loops.dtypes.len()).filter(|&operand| loops.is_scratch(operand)).collect(),
            is_large: loops.stores_much(&inner, self::positions(&outer)),
            code: positions.is_none().then_some(code),
            reductions: Reductions::default(),
            positions,
            between: Vec::new(),
            outer,
            inner,
        }
    }

    fn rows(loops: &mut Loops, outer: Vec<LoopDim>, mut between: Vec<LoopDim>) -> Nest {
        let count = positions(&between);
        let terms = loops.terms(&between, count);
        loops.compute(&terms);
        let one = || LoopDim { len: 1, strides: smallvec![0; loops.dtypes.len()] };
        let inner = between.pop().unwrap_or_else(one);
        let code = loops.inner_loop(&inner);
        let reductions = loops.reductions(&inner, between.is_empty() && inner.len == count, &terms);
        let cost = ElementCost::of(loops, &code);
        Nest {
            kind: NestKind::Rows,
            moves: loops.moves(&inner),
            cost,
            poll: cost.poll(),
            scratched: PerOperand::new(),
            is_large: loops.bytes_read() >= MIN_LARGE_BYTES,
            code: (!reductions.idle).then_some(code),
            reductions,
            positions: None,
            between,
            outer,
            inner,
        }
    }

    fn columns(loops: &Loops, outer: Vec<LoopDim>, inner: LoopDim, between: Vec<LoopDim>) -> Nest {
        let code = loops.inner_loop(&inner);
        let reductions = loops.reductions(&inner, true, &[]);
        let cost = ElementCost::of(loops, &code);
        Nest {
            kind: NestKind::Columns,
            moves: loops.moves(&inner),
            cost,
            poll: cost.poll(),
            scratched: PerOperand::new(),
            is_large: loops.bytes_read() >= MIN_LARGE_BYTES,
            code: (!reductions.idle).then_some(code),
            reductions,
            positions: None,
            between,
            outer,
            inner,
        }
    }
}

impl Loops {
    /// The loop that is best run innermost, and the others.
    fn take_inner(&self, dims: Vec<LoopDim>) -> (Vec<LoopDim>, LoopDim) {
        take_inner(dims, self.dtypes.len(), |operand, stride| self.cost(operand, stride))
    }

    /// The positions, if reading by position is all that the loops do and the positions lie densely in memory. They are
    /// the elements that are loaded, or `select(at < 0, at + end, at)`.
    fn position_source(&self, inner: &LoopDim) -> Option<PositionSource> {
        let [(value, Use::Gather { .. })] = self.outputs[..] else { return None };
        let inst = |value: InstId| *self.body.inst(value);
        let constant = |value: InstId| self.body.constant(value).map(u64::cast_signed);
        let (at, end) = match inst(value).op {
            InstOp::Prim(Prim::Select, [Some(test), Some(moved), Some(at)]) => {
                let InstOp::Prim(Prim::Lt, [Some(tested), Some(zero), _]) = inst(test).op else { return None };
                let InstOp::Prim(Prim::Add, [Some(from), Some(end), _]) = inst(moved).op else { return None };
                if (tested, from, constant(zero)?) != (at, at, 0) {
                    return None;
                }
                (at, constant(end)?)
            }
            InstOp::Load(_) | InstOp::Iota(_) | InstOp::Const(_) | InstOp::Prim(..) => (value, 0),
        };
        let Inst { op: InstOp::Load(operand), dtype: DType::I64 } = inst(at) else { return None };
        let operand = operand as usize;
        let is_dense = inner.strides[operand] == size_of::<i64>() as isize;
        is_dense.then_some(PositionSource { operand, end })
    }

    /// Whether all results are dense, and too large for the caches together with the operands.
    fn stores_much(&self, inner: &LoopDim, rows: usize) -> bool {
        let moving = (0..self.dtypes.len()).filter(|&operand| !self.counts[operand] && inner.strides[operand] != 0);
        let bytes = moving.map(|operand| self.dtypes[operand].size()).sum::<usize>() as f64;
        let enough = if self.is_last { LARGE_RESULT } else { LARGE_INTERMEDIATE };
        let dense = |output: usize| {
            let operand = self.inputs() + output;
            let is_store = matches!(self.outputs[output].1, Use::Store);
            is_store && inner.strides[operand] == self.dtypes[operand].size() as isize
        };
        bytes * inner.len as f64 * rows as f64 >= enough as f64 && (0..self.outputs.len()).all(dense)
    }
}
