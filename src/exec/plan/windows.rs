//! The arrays that pass through windows, so that a program needs less memory.
//!
//! A file that is larger than memory is read a window at a time, and so is a result written to one. Loops over such
//! arrays run in parts: as many rounds of one of their loops as the windows hold. Folds along that loop go on from part
//! to part, in the same order as without windows, so the bits are the same.
//!
//! ```text
//! 2*a + 3*b      map 1000000        a, b and the result pass, 1024 elements at a time
//! sum(a, axis=0) columns | 9000 30  a passes, some rows at a time; the sums are held
//! ```
//!
//! An array is held whole where no loop can be cut: a table that is read by position, a result that is read again, one
//! of two operands that lie in different orders.

use super::storage::Storage;
use super::{LoopNest, NestKind, Origin, Plan, PlanStep, Use};
use crate::array::extent;
use crate::exec::space::{LoopDim, PerOperand, greatest_divisor};
use crate::kernel::BLOCK;
use std::ops::Range;

/// Where windows of the best size are too small, windows that take `LARGE_WINDOW_FACTOR` times as much memory are
/// tried.
const LARGE_WINDOW_FACTOR: usize = 8;

/// How much memory windows may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowRoom {
    /// The bytes that all windows of a thread should take in a pass, where that can be chosen.
    pub(crate) best: usize,
    /// The most bytes that the windows of all threads may take.
    pub(crate) most: usize,
    /// How many threads there are.
    pub(crate) threads: usize,
}

/// One of the loops of a nest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Axis {
    Outer(usize),
    Between(usize),
    Inner,
}

/// A window, which moves over a storage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) storage: Storage,
    /// Where the bytes of the first round begin.
    first: isize,
    /// The bytes of a round, from its first element to its last.
    spread: usize,
    /// The bytes from one round to the next.
    stride: isize,
    pub(crate) written: bool,
}

impl Window {
    /// The bytes of the storage that some rounds need.
    pub(crate) fn bytes(&self, rounds: Range<usize>) -> Range<usize> {
        let (a, b) = (self.stride * rounds.start as isize, self.stride * (rounds.end as isize - 1));
        let low = self.first + a.min(b);
        low as usize..(self.first + a.max(b)) as usize + self.spread
    }

    /// How many bytes a window needs for `rounds` rounds.
    fn room(&self, rounds: usize) -> usize {
        self.stride.unsigned_abs().saturating_mul(rounds.saturating_sub(1)).saturating_add(self.spread)
    }
}

/// How a nest runs over arrays that pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WindowPass {
    pub(crate) axis: Axis,
    /// How many rounds that loop has.
    pub(crate) rounds: usize,
    /// How many rounds run at once.
    pub(crate) part: usize,
    /// The threads that run parts, each with windows of its own.
    pub(crate) threads: usize,
    pub(crate) windows: Vec<Window>,
    /// The window of each operand that has one.
    pub(crate) of: PerOperand<Option<usize>>,
    /// Whether folds go on from part to part.
    pub(crate) carries: bool,
    /// Whether rows of terms are folded one by one, because windows cannot hold a block of them.
    pub(crate) one_by_one: bool,
}

impl WindowPass {
    /// The bytes that go through its windows.
    pub(crate) fn moved_bytes(&self) -> u64 {
        self.windows.iter().map(|window| window.bytes(0..self.rounds).len() as u64).sum()
    }

    /// The bytes of its windows.
    pub(crate) fn room(&self) -> usize {
        self.threads * self.windows.iter().map(|window| window.room(self.part)).sum::<usize>()
    }
}

/// What passes, and how.
#[derive(Debug)]
pub(crate) struct WindowPlan {
    /// Whether each input passes, and each buffer.
    pub(crate) inputs: Vec<bool>,
    pub(crate) buffers: Vec<bool>,
    /// For each step that runs loops over an array that passes, how it runs.
    pub(crate) steps: Vec<Option<WindowPass>>,
}

impl WindowPlan {
    pub(crate) fn passes(&self, storage: Storage) -> bool {
        match storage {
            Storage::Input(input) => self.inputs[input as usize],
            Storage::Buffer(buffer) => self.buffers[buffer as usize],
            Storage::Constant(_) => false,
        }
    }

    fn hold(&mut self, storage: Storage) {
        match storage {
            Storage::Input(input) => self.inputs[input as usize] = false,
            Storage::Buffer(buffer) => self.buffers[buffer as usize] = false,
            Storage::Constant(_) => {}
        }
    }

    /// Finds which of the inputs and outputs that may pass can do so.
    pub(crate) fn new(plan: &Plan, inputs: Vec<bool>, outputs: &[bool], room: WindowRoom) -> WindowPlan {
        let mut passing = WindowPlan { inputs, buffers: vec![false; plan.buffers.len()], steps: Vec::new() };
        let bases = |at: usize| plan.outputs.iter().filter(move |other| other.storage == plan.outputs[at].storage);
        for (at, output) in plan.outputs.iter().enumerate() {
            if let (Storage::Buffer(buffer), true) = (output.storage, outputs[at]) {
                let sizes = &plan.buffers[buffer as usize].sizes;
                passing.buffers[buffer as usize] =
                    output.is_whole() && bases(at).count() == 1 && sizes[..] == output.sizes[..];
            }
            if let Storage::Input(_) = output.storage {
                passing.hold(output.storage);
            }
        }
        for nest in nests(plan) {
            passing.hold_read(nest);
        }
        let inputs = (0..passing.inputs.len() as u32).map(Storage::Input);
        let all = inputs.chain((0..plan.buffers.len() as u32).map(Storage::Buffer));
        all.filter(|&storage| bytes_of(plan, storage) < room.best / 4).for_each(|storage| passing.hold(storage));
        // If an array is held for one nest, another nest may be cut in another way.
        'again: loop {
            passing.steps = Vec::with_capacity(plan.steps.len());
            for step in &plan.steps {
                let PlanStep::Run(nest) = step else {
                    passing.steps.push(None);
                    continue;
                };
                let operands = passing.operands(plan, nest);
                if operands.is_empty() {
                    passing.steps.push(None);
                    continue;
                }
                match cut(nest, &operands, room) {
                    Some(pass) => passing.steps.push(Some(pass)),
                    None => {
                        let least = operands.iter().map(|operand| operand.storage);
                        let least = least.min_by_key(|&storage| bytes_of(plan, storage)).expect("there is one");
                        passing.hold(least);
                        continue 'again;
                    }
                }
            }
            return passing;
        }
    }

    /// Keeps arrays whole that a nest reads by position, gathers into, or reads while it writes them. It also keeps
    /// buffers that the nest reads, and all arrays of a nest of one element.
    fn hold_read(&mut self, nest: &LoopNest) {
        nest.readers.iter().for_each(|reader| self.hold(reader.storage));
        for (operand, origin) in nest.origins.iter().enumerate() {
            let Origin::At { storage, .. } = *origin else { continue };
            let what = operand.checked_sub(nest.loops.inputs()).map(|output| nest.loops.outputs[output].1);
            let is_read =
                matches!((storage, what), (Storage::Buffer(_), None) | (_, Some(Use::Buffered | Use::Gather { .. })));
            if is_read || nest.nest.kind == NestKind::Element {
                self.hold(storage);
            }
        }
    }

    /// The operands of a nest that pass.
    fn operands(&self, plan: &Plan, nest: &LoopNest) -> Vec<PassingOperand> {
        let at = |(operand, origin): (usize, &Origin)| match *origin {
            Origin::At { storage, offset } if self.passes(storage) => {
                // The result of a fold may have another dtype than its terms.
                let dtype = match storage {
                    Storage::Buffer(buffer) => plan.buffers[buffer as usize].dtype,
                    Storage::Input(_) | Storage::Constant(_) => nest.loops.dtypes[operand],
                };
                Some(PassingOperand { operand, storage, offset, size: dtype.size() })
            }
            Origin::Count(_) | Origin::At { .. } => None,
        };
        nest.origins.iter().enumerate().filter_map(at).collect()
    }
}

/// An operand that passes.
struct PassingOperand {
    operand: usize,
    storage: Storage,
    offset: isize,
    /// The bytes of an element.
    size: usize,
}

/// The loops of a plan.
fn nests(plan: &Plan) -> impl Iterator<Item = &LoopNest> {
    plan.steps.iter().filter_map(|step| match step {
        PlanStep::Run(nest) => Some(&**nest),
        PlanStep::Allocate(_) | PlanStep::Release(_) | PlanStep::Check { .. } => None,
    })
}

/// How many bytes an input or a buffer has.
pub(crate) fn bytes_of(plan: &Plan, storage: Storage) -> usize {
    let of = |sizes: &[usize], size: usize| extent(sizes, size).map_or(usize::MAX, |(_, bytes)| bytes);
    match storage {
        Storage::Input(input) => {
            let known = plan.inputs.iter().find(|known| known.input == input);
            known.map_or(0, |known| of(&known.sizes, known.dtype.size()))
        }
        Storage::Buffer(buffer) => {
            let known = &plan.buffers[buffer as usize];
            of(&known.sizes, known.dtype.size())
        }
        Storage::Constant(_) => 0,
    }
}

impl LoopNest {
    fn dim(&self, axis: Axis) -> &LoopDim {
        match axis {
            Axis::Outer(at) => &self.nest.outer[at],
            Axis::Between(at) => &self.nest.between[at],
            Axis::Inner => &self.nest.inner,
        }
    }

    /// How far operands move along a loop.
    pub(crate) fn strides(&self, axis: Axis) -> &[isize] {
        &self.dim(axis).strides
    }

    /// The same loops, but with `rounds` rounds of one of them, to be run over windows.
    pub(crate) fn part(&self, axis: Axis, rounds: usize) -> LoopNest {
        let mut nest = self.nest.clone();
        match axis {
            Axis::Outer(at) => nest.outer[at].len = rounds,
            Axis::Between(at) => nest.between[at].len = rounds,
            Axis::Inner => nest.inner.len = rounds,
        }
        // A window is in the caches, and its elements are needed at once.
        nest.is_large = false;
        LoopNest { loops: self.loops.clone(), origins: self.origins.clone(), readers: self.readers.clone(), nest }
    }

    /// Whether an operand that begins at `first` in its storage touches no bytes but these.
    pub(crate) fn is_within(&self, operand: usize, first: isize, bytes: &Range<usize>) -> bool {
        let (mut low, mut high) = (first, first);
        for dim in self.nest.outer.iter().chain(&self.nest.between).chain([&self.nest.inner]) {
            let reach = dim.strides[operand] * (dim.len as isize - 1);
            if reach < 0 { low += reach } else { high += reach }
        }
        low >= bytes.start as isize && high < bytes.end as isize
    }

    /// The loops along which the nest can be cut, and whether folds then go on from part to part.
    fn axes(&self) -> Vec<(Axis, bool)> {
        let nest = &self.nest;
        let mut axes: Vec<(Axis, bool)> = (0..nest.outer.len()).map(|at| (Axis::Outer(at), false)).collect();
        let goes_on = nest.reductions.scans.is_empty();
        match nest.kind {
            NestKind::Element => {}
            NestKind::Map => axes.push((Axis::Inner, false)),
            NestKind::Columns => {
                axes.push((Axis::Inner, false));
                axes.extend((goes_on && !nest.between.is_empty()).then_some((Axis::Between(0), true)));
            }
            NestKind::Rows if goes_on => {
                axes.push((if nest.between.is_empty() { Axis::Inner } else { Axis::Between(0) }, true));
            }
            NestKind::Rows => {}
        }
        axes
    }

    /// How many rounds make a part. A part may also have a multiple of them.
    fn step(&self, axis: Axis, carries: bool) -> usize {
        let nest = &self.nest;
        let rest: usize = nest.between.iter().skip(1).map(|dim| dim.len).product();
        let terms = match (nest.kind, axis) {
            (NestKind::Rows, Axis::Between(_)) => rest * nest.inner.len,
            (NestKind::Rows, _) => 1,
            // Rows that are folded without computing are read a block at a time; other rows are counted one by one.
            _ if nest.reductions.idle && nest.between.len() == 1 => 1,
            _ => BLOCK,
        };
        match carries {
            true => BLOCK / greatest_divisor(BLOCK, terms.max(1)),
            false => 1,
        }
    }
}

/// The loop that is best cut, with the windows.
fn cut(nest: &LoopNest, operands: &[PassingOperand], room: WindowRoom) -> Option<WindowPass> {
    let passes = nest.axes().into_iter().filter_map(|(axis, carries)| along(nest, (axis, carries), operands, room));
    passes.min_by_key(|pass| pass.windows.iter().map(|window| window.room(1)).sum::<usize>())
}

/// How a nest is cut along a loop. `None` if windows would be too large, would have too much in common, or would leave
/// gaps in an array that is written.
fn along(
    nest: &LoopNest,
    (axis, carries): (Axis, bool),
    operands: &[PassingOperand],
    room: WindowRoom,
) -> Option<WindowPass> {
    let dims = || nest.nest.outer.iter().chain(&nest.nest.between).chain([&nest.nest.inner]);
    let (dim, rounds) = (nest.dim(axis), nest.dim(axis).len);
    let mut windows: Vec<Window> = Vec::new();
    let mut of: PerOperand<Option<usize>> = nest.origins.iter().map(|_| None).collect();
    for &PassingOperand { operand, storage, offset, size } in operands {
        let stride = dim.strides[operand];
        let (mut low, mut high, mut elements) = (0isize, size as isize, 1usize);
        let written = operand >= nest.loops.inputs();
        let folds = written && matches!(nest.loops.outputs[operand - nest.loops.inputs()].1, Use::Fold(_));
        for other in dims().filter(|other| !std::ptr::eq(*other, dim)) {
            let reach = other.strides[operand].checked_mul(other.len as isize - 1)?;
            if reach < 0 {
                low += reach;
            } else {
                high += reach;
            }
            if !folds || other.strides[operand] != 0 {
                elements = elements.saturating_mul(other.len);
            }
        }
        let spread = (high - low) as usize;
        let window = Window { storage, first: offset + low, spread, stride, written };
        let dense = stride == spread as isize && spread == elements.saturating_mul(size);
        if written && !dense {
            return None;
        }
        let near = |known: &Window| {
            let apart = known.first.abs_diff(window.first);
            !written && !known.written && known.storage == storage && known.stride == stride && apart <= room.best / 8
        };
        of[operand] = Some(match windows.iter().position(near) {
            Some(at) => {
                let known = &mut windows[at];
                let end = (known.first + known.spread as isize).max(window.first + spread as isize);
                known.first = known.first.min(window.first);
                known.spread = (end - known.first) as usize;
                at
            }
            None => {
                windows.push(window);
                windows.len() - 1
            }
        });
    }
    if rounds == 0 {
        return None;
    }
    let blocks = nest.step(axis, carries);
    let needed = |rounds: usize| windows.iter().map(|window| window.room(rounds)).fold(0, usize::saturating_add);
    let moved: usize = windows.iter().map(|window| window.stride.unsigned_abs()).sum();
    // Where windows have much in common with the next ones, larger ones read less of it twice.
    [room.best, room.best.saturating_mul(LARGE_WINDOW_FACTOR)].into_iter().find_map(|wanted| {
        let one_by_one = carries && nest.nest.kind == NestKind::Columns && needed(blocks) > wanted;
        let step = if one_by_one { 1 } else { blocks };
        let best = wanted.saturating_sub(needed(1)).checked_div(moved).map_or(rounds, |more| 1 + more);
        // If a part has a multiple of 1024 rounds, its rows of results begin at cache lines.
        let whole = if best >= 2 * BLOCK { step.next_multiple_of(BLOCK) } else { step };
        let part = (best / whole * whole).max(step).min(rounds);
        let parts = rounds.div_ceil(part);
        let once = |window: &Window| window.spread.saturating_mul(parts) <= window.room(rounds).saturating_mul(2);
        let threads = (room.most / needed(part).max(1)).min(parts).min(room.threads);
        let (windows, of) = (windows.clone(), of.clone());
        let fits = threads > 0 && windows.iter().all(once);
        fits.then_some(WindowPass { axis, rounds, part, threads, windows, of, carries, one_by_one })
    })
}
