//! Loops whose elements are independent: the space is cut into pieces that threads share.
#![expect(unsafe_code, reason = "several threads write parts of one buffer")]

use super::bound::BoundLoops;
use super::gather::Positions;
use super::stream;
use super::worker::Worker;
use crate::exec::block::copy_strided;
use crate::exec::options::{Options, RunError, Watch};
use crate::exec::plan::{PositionSource, Share, Use, positions};
use crate::exec::runnable_loop::{RunnableLoop, Runner};
use crate::exec::space::{LoopDim, PerOperand};
use crate::exec::stepping::{Code, LoopOperand};
use crate::exec::threads;
use crate::kernel::BLOCK;
use std::ops::Range;

/// Pieces of a row begin at multiples of `STEP` elements, so that no two threads write to one cache line.
const STEP: usize = 64;

/// From this many elements of a row on, those before the first line of the caches run on their own.
const WORTH_A_LEAD: usize = 4096;

/// How results leave the loop.
struct Stores<'m> {
    /// Operands that the loop writes to scratch.
    scratched: PerOperand<usize>,
    /// Whether they pass the caches by.
    stream: bool,
    /// The loop that makes such stores itself, where results begin at a line; otherwise they go through scratch.
    past: Option<&'m RunnableLoop>,
    /// Elements that are computed at once.
    round: usize,
}

impl<'m> Stores<'m> {
    fn new(bound: &'m BoundLoops<'m>, options: &Options) -> Stores<'m> {
        let (loops, nest) = (&bound.nest.loops, &bound.nest.nest);
        let large = nest.is_large && stream::is_available();
        let past = if large { bound.code.streaming(bound.nest, options) } else { None };
        // A short row has many lines that it shares with its neighbours, unless each is of whole lines.
        let lines = || past.is_some() && rows_are_lines(&nest.outer, loops.inputs());
        let stream = large && (nest.inner.len >= 4 * BLOCK || lines());
        let outputs = loops.inputs()..loops.dtypes.len();
        // What is stored much of is dense, and so none of it goes through scratch otherwise.
        let scratched = if stream { outputs.collect() } else { nest.scratched.clone() };
        let block = |&operand: &usize| if stream { stream::block(loops.dtypes[operand]) } else { BLOCK };
        let round = scratched.iter().map(block).min().map_or(nest.poll, |block| block.min(BLOCK));
        Stores { scratched, stream, past: past.filter(|_| stream), round }
    }
}

/// Whether rows of results begin at lines if the first one does.
fn rows_are_lines(outer: &[LoopDim], inputs: usize) -> bool {
    let distances = outer.iter().flat_map(|dim| &dim.strides[inputs..]);
    distances.copied().all(stream::is_lines)
}

/// How the rounds of the outer loops, and the inner loops of each, are cut into units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RowCut {
    rows: usize,
    /// Rounds of the outer loops in a unit; 1 if a row is several units.
    group: usize,
    len: usize,
    /// Elements of a row in a unit.
    piece: usize,
}

impl RowCut {
    fn new(rows: usize, len: usize, share: Share) -> RowCut {
        let pieces = share.units.div_ceil(rows).min(len.div_ceil(STEP));
        match pieces {
            0 | 1 => RowCut { rows, group: rows.div_ceil(share.units), len, piece: len },
            _ => RowCut { rows, group: 1, len, piece: len.div_ceil(pieces).next_multiple_of(STEP) },
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

/// A thread that runs a map.
struct Mapper<'m> {
    worker: Worker<'m>,
    stores: &'m Stores<'m>,
    past: Option<Runner<'m>>,
    /// Bytes that were read by position since the interrupt flag was looked at.
    bytes_read: usize,
}

impl BoundLoops<'_> {
    pub(super) fn run_map(&self, options: &Options) -> Result<(), RunError> {
        if self.run_call(options)? {
            return Ok(());
        }
        let (nest, watch) = (&self.nest.nest, options.watch());
        let (rows, len) = (positions(&nest.outer), nest.inner.len);
        let share = nest.cost.times(rows).times(len).share(options);
        let stores = Stores::new(self, options);
        let cut = RowCut::new(rows, len, share);
        threads::share(cut.units(), share.threads, watch, |task| {
            let mut mapper = None;
            while let Some(unit) = task.next() {
                let mapper = match &mut mapper {
                    Some(mapper) => mapper,
                    none => none.insert(Mapper::new(self, &stores, watch)?),
                };
                let (rows, elements) = cut.unit(unit);
                mapper.run(rows, elements)?;
            }
            if stores.stream {
                stream::fence();
            }
            Ok(())
        })
    }

    /// How many elements after an index the results begin at lines of the caches, if all do so at the same element.
    fn lead(&self, operands: &[LoopOperand], index: usize) -> Option<usize> {
        let mut leads = (self.inputs()..self.dtypes.len()).map(|operand| {
            let size = self.dtypes[operand].size();
            let bytes = stream::to_line(operands[operand].address.wrapping_add(index * size));
            bytes.is_multiple_of(size).then_some(bytes / size)
        });
        let first = leads.next()?;
        if leads.all(|lead| lead == first) { first } else { None }
    }

    /// How many elements run on their own, so that each store of the others touches one line. It is 0 if that is not
    /// worth a call. Memory of NumPy begins 16 bytes after a line.
    pub(super) fn short_lead(&self, operands: &[LoopOperand], start: usize, len: usize) -> usize {
        if len < WORTH_A_LEAD { 0 } else { self.lead(operands, start).unwrap_or(0) }
    }
}

impl<'m> Mapper<'m> {
    fn new(bound: &'m BoundLoops<'m>, stores: &'m Stores<'m>, watch: Watch<'m>) -> Result<Mapper<'m>, RunError> {
        Ok(Mapper {
            worker: Worker::new(bound, stores.scratched.iter().copied(), BLOCK, watch)?,
            stores,
            past: stores.past.map(|past| past.runner(watch)).transpose()?,
            bytes_read: 0,
        })
    }

    /// Computes some elements of some rows.
    fn run(&mut self, rows: Range<usize>, elements: Range<usize>) -> Result<(), RunError> {
        self.worker.position.seek(rows.start);
        if self.stores.scratched.is_empty() && elements.len() <= self.worker.nest().poll {
            return self.run_short_rows(rows.len(), elements);
        }
        for _ in rows {
            self.run_row(elements.clone())?;
            self.worker.position.advance();
        }
        Ok(())
    }

    /// Rows of few elements that go where they belong: as little as possible happens between two of them.
    fn run_short_rows(&mut self, mut left: usize, elements: Range<usize>) -> Result<(), RunError> {
        let worker = &mut self.worker;
        let (start, len) = (elements.start, elements.len());
        let between_polls = (worker.nest().poll / len.max(1)).max(1);
        while left > 0 {
            let (count, steps) = worker.position.ahead(left.min(between_polls));
            worker.place();
            let lead = if count == 1 { worker.bound.short_lead(&worker.operands, start, len) } else { 0 };
            if let Some(runner) = &mut worker.runner {
                // SAFETY: the plan was made from the shapes of the arrays, so every address is one of their elements.
                // No two units have an element in common.
                unsafe {
                    if lead > 0 {
                        runner.run(&worker.operands, start, lead);
                    }
                    runner.run_rows(&mut worker.operands, (start + lead, len - lead), count, steps);
                }
            }
            worker.position.pass(count);
            left -= count;
            worker.watch.poll()?;
        }
        Ok(())
    }

    fn run_row(&mut self, elements: Range<usize>) -> Result<(), RunError> {
        self.worker.place();
        let lead =
            if self.past.is_some() { self.worker.bound.lead(&self.worker.operands, elements.start) } else { None };
        let Some(lead) = lead else { return self.run_through_scratch(elements) };
        let line = elements.end.min(elements.start + lead);
        self.run_through_scratch(elements.start..line)?;
        // The scratch took the place of the results.
        self.worker.place();
        self.run_past(line..elements.end)
    }

    /// Computes elements of a row whose results begin at lines.
    fn run_past(&mut self, elements: Range<usize>) -> Result<(), RunError> {
        let round = self.worker.nest().poll.next_multiple_of(STEP);
        let Some(past) = &mut self.past else { return Ok(()) };
        for start in elements.clone().step_by(round) {
            // SAFETY: the plan was made from the shapes of the arrays, so every address is one of their elements;
            // results begin at lines. No two units have an element in common.
            unsafe { past.run(&self.worker.operands, start, round.min(elements.end - start)) };
            self.worker.watch.poll()?;
        }
        Ok(())
    }

    /// Computes elements of a row in rounds. The results of a round lie in scratch before they go where they belong.
    fn run_through_scratch(&mut self, elements: Range<usize>) -> Result<(), RunError> {
        let mut start = elements.start;
        // So that the rounds after the first begin at a line.
        let mut lead = match self.stores.scratched[..] {
            [operand, ..] if self.stores.stream => {
                let size = self.worker.bound.dtypes[operand].size();
                stream::to_line(self.worker.operands[operand].address.wrapping_add(start * size)) / size
            }
            _ => 0,
        };
        while start < elements.end {
            let len = if lead > 0 { std::mem::take(&mut lead) } else { self.stores.round }.min(elements.end - start);
            for (number, &operand) in self.stores.scratched.iter().enumerate() {
                let at = self.worker.scratch(number);
                self.worker.lay(operand, start, at);
            }
            if let Some(runner) = &mut self.worker.runner {
                // SAFETY: the plan was made from the shapes of the arrays, so every address is one of their elements;
                // the scratch has room for a round. No two units have an element in common.
                unsafe { runner.run(&self.worker.operands, start, len) };
            }
            self.put_away(start, len)?;
            start += len;
            self.worker.poll(len)?;
        }
        Ok(())
    }

    /// Takes a round of elements from the scratch to where they go, or reads where they say.
    fn put_away(&mut self, start: usize, len: usize) -> Result<(), RunError> {
        let worker = &self.worker;
        let (bound, inner) = (worker.bound, &worker.nest().inner);
        for (number, &operand) in self.stores.scratched.iter().enumerate() {
            let (stride, size) = (inner.strides[operand], bound.dtypes[operand].size());
            let distance = worker.position.offsets()[operand].wrapping_add(stride.wrapping_mul(start as isize));
            let to = bound.addresses[operand].wrapping_add_signed(distance);
            let from = worker.scratch(number) as *const u8;
            // SAFETY: the round was computed to the scratch; where it goes there is room for it.
            unsafe {
                match &bound.outputs[operand - bound.inputs()].1 {
                    Use::Gather { reader, .. } => {
                        let (table, reader) = (bound.tables[*reader], &bound.nest.readers[*reader]);
                        let positions = match worker.nest().positions {
                            Some(PositionSource { operand, end }) => {
                                let first = worker.operands[operand].address.wrapping_add(start * size_of::<i64>());
                                Positions { first: first as *const i64, count: len, end }
                            }
                            None => Positions { first: from.cast(), count: len, end: 0 },
                        };
                        reader.read(table, positions, (to, stride), &mut self.bytes_read, worker.watch)?;
                    }
                    Use::Store => stream::copy(from, to as *mut u8, len * size),
                    _ if stride == size as isize => std::ptr::copy_nonoverlapping(from, to as *mut u8, len * size),
                    Use::Buffered | Use::Fold(_) | Use::Scan(_) => {
                        copy_strided(size, from, size as isize, to as *mut u8, stride, len);
                    }
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
                let cut = RowCut::new(rows, len, Share { threads: 2, units });
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
