//! Loops whose elements are independent: the space is cut into pieces that threads share.

use super::cost::Share;
use super::laid::{Laid, Last};
use super::walk::{Bound, Use};
use super::{Runner, stream};
use crate::array::bytes::AlignedBytes;
use crate::exec::block::copy_strided;
use crate::exec::space::{Odometer, PerOperand};
use crate::exec::stepping::{Code, Operand};
use crate::exec::{Options, RunError, Watch, threads};
use crate::kernel::BLOCK;
use std::ops::Range;

/// Pieces of a row are cut at multiples of so many elements, so that no two threads write to one cache line.
const STEP: usize = 64;

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
    laid: &'m Laid,
    cut: Cut,
}

/// What a thread has of its own.
struct Worker<'m> {
    map: &'m Map<'m>,
    runner: Runner<'m>,
    odometer: Odometer<'m>,
    scratch: Vec<AlignedBytes>,
    operands: PerOperand<Operand>,
    since_poll: usize,
    bytes_read: usize,
    watch: Watch<'m>,
}

impl Bound<'_> {
    /// Runs a map, laid out as it was last if it still may be.
    pub(super) fn run_map(&self, last: &Last, options: &Options) -> Result<(), RunError> {
        let laid = &*last.layout(self, options);
        let share = laid.cost.times(laid.rows).times(laid.inner.len).share(options);
        let map = Map { bound: self, laid, cut: Cut::new(laid.rows, laid.inner.len, share) };
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
            if laid.streams {
                stream::fence();
            }
            Ok(())
        })
    }
}

impl<'m> Worker<'m> {
    fn new(map: &'m Map<'m>, watch: Watch<'m>) -> Result<Worker<'m>, RunError> {
        Ok(Worker {
            map,
            runner: map.laid.ready.runner(watch)?,
            odometer: Odometer::new(&map.laid.outer, map.bound.dtypes.len()),
            scratch: map.bound.scratch(map.laid.scratched.iter().copied(), BLOCK, watch)?,
            operands: PerOperand::new(),
            since_poll: 0,
            bytes_read: 0,
            watch,
        })
    }

    /// Computes some elements of some rows.
    fn run(&mut self, rows: Range<usize>, elements: Range<usize>) -> Result<(), RunError> {
        self.odometer.seek(rows.start);
        if self.map.laid.scratched.is_empty() && elements.len() <= self.map.laid.poll {
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
        let Map { bound, laid: Laid { inner, poll, .. }, .. } = self.map;
        let (start, len) = (elements.start, elements.len());
        let between_polls = (poll / len.max(1)).max(1);
        while left > 0 {
            let (count, steps) = self.odometer.ahead(left.min(between_polls));
            bound.place(&mut self.operands, &[self.odometer.offsets()], inner);
            for _ in 0..count {
                // SAFETY: as for longer rows.
                unsafe { self.runner.run(&self.operands, start, len) };
                for (operand, &step) in self.operands.iter_mut().zip(steps) {
                    operand.address = operand.address.wrapping_add_signed(step);
                }
            }
            self.odometer.pass(count);
            left -= count;
            self.watch.poll()?;
        }
        Ok(())
    }

    fn run_row(&mut self, elements: Range<usize>) -> Result<(), RunError> {
        let Map { bound, laid: Laid { inner, scratched, streams, round, poll, .. }, .. } = self.map;
        bound.place(&mut self.operands, &[self.odometer.offsets()], inner);
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

    /// Takes a round of elements from the scratch to where they go, or reads where they say.
    fn put_away(&mut self, start: usize, len: usize) -> Result<(), RunError> {
        let Map { bound, laid: Laid { inner, scratched, .. }, .. } = self.map;
        for (&operand, bytes) in scratched.iter().zip(&mut self.scratch) {
            let (stride, size) = (inner.strides[operand], bound.dtypes[operand].size());
            let distance = self.odometer.offsets()[operand].wrapping_add(stride.wrapping_mul(start as isize));
            let to = bound.addresses[operand].wrapping_add_signed(distance);
            let from = bytes.as_mut_ptr();
            // SAFETY: the round was computed to the scratch; where it goes there is room for it.
            unsafe {
                match &bound.outputs[operand - bound.inputs()].1 {
                    Use::Gather(reader) => {
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
