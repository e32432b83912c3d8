//! Loops whose elements are independent: the space is cut into pieces that threads share.

use super::cost::{Cost, Share};
use super::loops::{Loops, Use};
use super::walk::Bound;
use super::{Ready, Runner, stream};
use crate::array::bytes::AlignedBytes;
use crate::exec::block::copy_strided;
use crate::exec::options::{Options, RunError, Watch};
use crate::exec::space::{Dim, Odometer, PerOperand, take_inner};
use crate::exec::stepping::{Code, Operand};
use crate::exec::threads;
use crate::kernel::BLOCK;
use std::ops::Range;

/// Pieces of a row are cut at multiples of so many elements, so that no two threads write to one cache line.
const STEP: usize = 64;

/// The loops of a map, with the code of the innermost.
pub(super) struct Layout {
    outer: Vec<Dim>,
    inner: Dim,
    /// How far operands move from one element to the next.
    moves: PerOperand<isize>,
    /// Rounds of the outer loops.
    rows: usize,
    pub(super) ready: Ready,
    cost: Cost,
    /// Operands that the loop writes to scratch.
    scratched: Vec<usize>,
    /// Whether stores pass the caches by.
    streams: bool,
    /// The loop that makes such stores itself, where results begin at a line; otherwise they go through scratch.
    past: Option<Ready>,
    /// Elements that are computed at once.
    round: usize,
    /// Elements between two looks at the interrupt flag.
    poll: usize,
}

impl Layout {
    pub(super) fn new(loops: &Loops, options: &Options) -> Layout {
        let operands = loops.dtypes.len();
        let (outer, inner) = take_inner(loops.all(), operands, |operand, stride| loops.cost(operand, stride));
        let code = loops.inner_loop(&inner);
        let cost = Cost::of(loops, &code);
        let rows = outer.iter().map(|dim| dim.len).product();
        let large = is_large(loops, &inner, rows);
        let past = if large { Ready::streaming(&code, options) } else { None };
        // A short row has many lines that it shares with its neighbours, unless each is of whole lines.
        let streams = large && (inner.len >= 4 * BLOCK || past.is_some() && rows_are_lines(loops, &outer));
        let through = |operand: &usize| loops.is_scratch(*operand) || streams && *operand >= loops.inputs();
        let scratched: Vec<usize> = (0..operands).filter(through).collect();
        let poll = cost.poll();
        let block = |&operand: &usize| if streams { stream::block(loops.dtypes[operand]) } else { BLOCK };
        Layout {
            rows,
            moves: loops.moves(&inner),
            outer,
            inner,
            ready: Ready::new(code, loops.short, options),
            cost,
            round: scratched.iter().map(block).min().map_or(poll, |block| block.min(BLOCK)),
            scratched,
            streams,
            past: past.filter(|_| streams),
            poll,
        }
    }

    /// Whether one call of the loop on one thread is all that there is to do.
    fn is_one_call(&self) -> bool {
        self.outer.is_empty() && self.scratched.is_empty() && self.past.is_none() && self.inner.len <= self.poll
    }
}

/// Whether what is stored is dense, and with what is read too much for the caches.
fn is_large(loops: &Loops, inner: &Dim, rows: usize) -> bool {
    let operands = 0..loops.dtypes.len();
    let sizes = operands.filter(|&operand| !loops.counts[operand] && inner.strides[operand] != 0);
    let bytes = sizes.map(|operand| loops.dtypes[operand].size()).sum::<usize>() as f64;
    let enough = if loops.is_last { stream::LAST } else { stream::READ_AGAIN };
    let dense = |output: usize| {
        let operand = loops.inputs() + output;
        let is_store = matches!(loops.outputs[output].1, Use::Store);
        is_store && inner.strides[operand] == loops.dtypes[operand].size() as isize
    };
    bytes * inner.len as f64 * rows as f64 >= enough as f64
        && (0..loops.outputs.len()).all(dense)
        && stream::is_available()
}

/// Whether rows of results begin at lines if the first one does.
fn rows_are_lines(loops: &Loops, outer: &[Dim]) -> bool {
    let distances = outer.iter().flat_map(|dim| &dim.strides[loops.inputs()..]);
    distances.copied().all(stream::is_lines)
}

/// How the rounds of the outer loops, and the inner loops of each, are cut into units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cut {
    rows: usize,
    /// Rounds of the outer loops in a unit; 1 if a row is several units.
    group: usize,
    len: usize,
    /// Elements of a row in a unit.
    piece: usize,
}

impl Cut {
    fn new(rows: usize, len: usize, share: Share) -> Cut {
        let pieces = share.units.div_ceil(rows).min(len.div_ceil(STEP));
        match pieces {
            0 | 1 => Cut { rows, group: rows.div_ceil(share.units), len, piece: len },
            _ => Cut { rows, group: 1, len, piece: len.div_ceil(pieces).next_multiple_of(STEP) },
        }
    }

    fn units(self) -> usize {
        self.rows.div_ceil(self.group) * self.len.div_ceil(self.piece)
    }

    /// The rounds of a unit, and the elements of each.
    fn unit(self, number: usize) -> (Range<usize>, Range<usize>) {
        let pieces = self.len.div_ceil(self.piece);
        let (row, start) = (number / pieces * self.group, number % pieces * self.piece);
        (row..self.rows.min(row + self.group), start..self.len.min(start + self.piece))
    }
}

/// A map about to run.
struct Map<'m> {
    bound: &'m Bound<'m>,
    layout: &'m Layout,
    cut: Cut,
}

/// What a thread has of its own.
struct Worker<'m> {
    map: &'m Map<'m>,
    runner: Runner<'m>,
    past: Option<Runner<'m>>,
    odometer: Odometer<'m>,
    scratch: Vec<AlignedBytes>,
    operands: PerOperand<Operand>,
    since_poll: usize,
    bytes_read: usize,
    watch: Watch<'m>,
}

impl Bound<'_> {
    pub(super) fn run_map(&self, layout: &Layout, options: &Options) -> Result<(), RunError> {
        let Layout { cost, rows, inner, .. } = layout;
        let share = cost.times(*rows).times(inner.len).share(options);
        if share.threads == 1 && layout.is_one_call() {
            return self.run_at_once(layout, options.watch());
        }
        let map = Map { bound: self, layout, cut: Cut::new(*rows, inner.len, share) };
        let watch = options.watch();
        threads::share(map.cut.units(), share.threads, watch, |hand| {
            let mut worker = None;
            while let Some(unit) = hand.next() {
                let worker = match &mut worker {
                    Some(worker) => worker,
                    none => none.insert(Worker::new(&map, watch)?),
                };
                let (rows, elements) = map.cut.unit(unit);
                worker.run(rows, elements)?;
            }
            if layout.streams {
                stream::fence();
            }
            Ok(())
        })
    }

    /// Runs a map that is one call of its loop.
    fn run_at_once(&self, layout: &Layout, watch: Watch) -> Result<(), RunError> {
        let mut operands = PerOperand::new();
        self.place(&mut operands, &[], &layout.moves);
        // SAFETY: as for longer rows.
        unsafe { layout.ready.runner(watch)?.run(&operands, 0, layout.inner.len) };
        Ok(())
    }
}

impl<'m> Worker<'m> {
    fn new(map: &'m Map<'m>, watch: Watch<'m>) -> Result<Worker<'m>, RunError> {
        Ok(Worker {
            map,
            runner: map.layout.ready.runner(watch)?,
            past: map.layout.past.as_ref().map(|past| past.runner(watch)).transpose()?,
            odometer: Odometer::new(&map.layout.outer, map.bound.dtypes.len()),
            scratch: map.bound.scratch(map.layout.scratched.iter().copied(), BLOCK, watch)?,
            operands: PerOperand::new(),
            since_poll: 0,
            bytes_read: 0,
            watch,
        })
    }

    /// Computes some elements of some rows.
    fn run(&mut self, rows: Range<usize>, elements: Range<usize>) -> Result<(), RunError> {
        self.odometer.seek(rows.start);
        if self.map.layout.scratched.is_empty() && elements.len() <= self.map.layout.poll {
            return self.run_short_rows(rows.len(), elements);
        }
        for _ in rows {
            self.run_row(elements.clone())?;
            self.odometer.advance();
        }
        Ok(())
    }

    /// Rows of few elements that go where they belong: as little as possible happens between two of them.
    fn run_short_rows(&mut self, mut left: usize, elements: Range<usize>) -> Result<(), RunError> {
        let Map { bound, layout: Layout { moves, poll, .. }, .. } = self.map;
        let (start, len) = (elements.start, elements.len());
        let between_polls = (poll / len.max(1)).max(1);
        while left > 0 {
            let (count, steps) = self.odometer.ahead(left.min(between_polls));
            bound.place(&mut self.operands, &[self.odometer.offsets()], moves);
            // SAFETY: as for longer rows.
            unsafe { self.runner.run_rows(&mut self.operands, (start, len), count, steps) };
            self.odometer.pass(count);
            left -= count;
            self.watch.poll()?;
        }
        Ok(())
    }

    fn run_row(&mut self, elements: Range<usize>) -> Result<(), RunError> {
        let Map { bound, layout: Layout { moves, scratched, streams, round, poll, .. }, .. } = self.map;
        bound.place(&mut self.operands, &[self.odometer.offsets()], moves);
        if self.begins_at_lines(elements.start)
            && let Some(past) = &mut self.past
        {
            let round = poll.next_multiple_of(STEP);
            for start in elements.clone().step_by(round) {
                // SAFETY: as below; results begin at lines.
                unsafe { past.run(&self.operands, start, round.min(elements.end - start)) };
                self.watch.poll()?;
            }
            return Ok(());
        }
        let mut start = elements.start;
        // So that the rounds after the first begin at a line.
        let mut lead = match scratched[..] {
            [operand, ..] if *streams => {
                let size = bound.dtypes[operand].size();
                stream::to_line(self.operands[operand].address.wrapping_add(start * size)) / size
            }
            _ => 0,
        };
        while start < elements.end {
            let len = if lead > 0 { std::mem::take(&mut lead) } else { *round }.min(elements.end - start);
            for (&operand, bytes) in scratched.iter().zip(&mut self.scratch) {
                let base = bytes.as_mut_ptr() as usize;
                self.operands[operand].address = base.wrapping_sub(start * bound.dtypes[operand].size());
            }
            // SAFETY: the space was made from the shapes of the arrays, so every address is one of their elements;
            // the scratch has room for a round. No two units have an element in common.
            unsafe { self.runner.run(&self.operands, start, len) };
            self.put_away(start, len)?;
            start += len;
            self.since_poll += len;
            if self.since_poll >= *poll {
                self.watch.poll()?;
                self.since_poll = 0;
            }
        }
        Ok(())
    }

    /// Whether each result's element with an index is the first of a line.
    fn begins_at_lines(&self, index: usize) -> bool {
        let bound = self.map.bound;
        (bound.inputs()..bound.dtypes.len()).all(|operand| {
            let distance = index * bound.dtypes[operand].size();
            stream::to_line(self.operands[operand].address.wrapping_add(distance)) == 0
        })
    }

    /// Takes a round of elements from the scratch to where they go, or reads where they say.
    fn put_away(&mut self, start: usize, len: usize) -> Result<(), RunError> {
        let Map { bound, layout: Layout { inner, scratched, .. }, .. } = self.map;
        for (&operand, bytes) in scratched.iter().zip(&mut self.scratch) {
            let (stride, size) = (inner.strides[operand], bound.dtypes[operand].size());
            let distance = self.odometer.offsets()[operand].wrapping_add(stride.wrapping_mul(start as isize));
            let to = bound.addresses[operand].wrapping_add_signed(distance);
            let from = bytes.as_mut_ptr();
            // SAFETY: the round was computed to the scratch; where it goes there is room for it.
            unsafe {
                match &bound.outputs[operand - bound.inputs()].1 {
                    Use::Gather { reader, .. } => {
                        let reader = &bound.readers[*reader];
                        reader.read(from.cast::<i64>(), len, to, stride, &mut self.bytes_read, self.watch)?;
                    }
                    Use::Store => stream::copy(from, to as *mut u8, len * size),
                    _ if stride == size as isize => std::ptr::copy_nonoverlapping(from, to as *mut u8, len * size),
                    _ => copy_strided(size, from, size as isize, to as *mut u8, stride, len),
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_cover_every_element_once() {
        for (rows, len) in [(1, 1), (1, 63), (1, 64), (1, 1000), (3, 1000), (7, 2), (100, 1), (5, 129)] {
            for units in [1, 2, 3, 16, 1000] {
                let cut = Cut::new(rows, len, Share { threads: 2, units });
                let mut seen = vec![0; rows * len];
                for number in 0..cut.units() {
                    let (some, elements) = cut.unit(number);
                    assert!(!some.is_empty() && !elements.is_empty());
                    assert!(elements.start.is_multiple_of(STEP));
                    for row in some {
                        elements.clone().for_each(|element| seen[row * len + element] += 1);
                    }
                }
                assert!(seen.iter().all(|&count| count == 1), "{rows} {len} {units}");
            }
        }
    }
}
