//! Loops whose elements are independent: the space is cut into pieces that threads share.

use super::cost::{Cost, Share};
use super::walk::{Bound, Use};
use super::{Ready, Runner, stream};
use crate::array::bytes::AlignedBytes;
use crate::exec::block::copy_strided;
use crate::exec::space::{Dim, Odometer, take_inner};
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

/// A map, laid out.
struct Map<'m> {
    bound: &'m Bound<'m>,
    outer: &'m [Dim],
    inner: &'m Dim,
    ready: Ready<'m>,
    cut: Cut,
    /// Operands that the loop writes to scratch.
    scratched: Vec<usize>,
    /// Whether stores pass the caches by.
    streams: bool,
    /// Elements that are computed at once.
    round: usize,
    /// Elements between two looks at the interrupt flag.
    poll: usize,
}

/// What a thread has of its own.
struct Worker<'m> {
    map: &'m Map<'m>,
    runner: Runner<'m>,
    odometer: Odometer<'m>,
    scratch: Vec<AlignedBytes>,
    operands: Vec<Operand>,
    since_poll: usize,
    bytes_read: usize,
    watch: Watch<'m>,
}

impl Bound<'_> {
    pub(super) fn run_map(&self, dims: Vec<Dim>, options: &Options) -> Result<(), RunError> {
        if dims.iter().any(|dim| dim.len == 0) {
            return Ok(());
        }
        let (outer, inner) = take_inner(dims, self.dtypes.len(), |operand, stride| self.cost(operand, stride));
        let code = self.inner_loop(&inner);
        let cost = Cost::of(self, &code);
        let rows = outer.iter().map(|dim| dim.len).product();
        let share = cost.times(rows).times(inner.len).share(options);
        let streams = self.streams(&inner, rows);
        let through = |operand: &usize| self.is_scratch(*operand) || streams && *operand >= self.inputs();
        let scratched: Vec<usize> = (0..self.dtypes.len()).filter(through).collect();
        let poll = cost.poll();
        let block = |&operand: &usize| if streams { stream::block(self.dtypes[operand]) } else { BLOCK };
        let map = Map {
            bound: self,
            outer: &outer,
            inner: &inner,
            ready: Ready::new(&code, self.short, options),
            cut: Cut::new(rows, inner.len, share),
            round: scratched.iter().map(block).min().map_or(poll, |block| block.min(BLOCK)),
            scratched,
            streams,
            poll,
        };
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
            if map.streams {
                stream::fence();
            }
            Ok(())
        })
    }

    /// Whether what is stored should pass the caches by: if it is dense, and with what is read too much for them.
    fn streams(&self, inner: &Dim, rows: usize) -> bool {
        let sizes = (0..self.dtypes.len()).filter(|&operand| !self.counts[operand] && inner.strides[operand] != 0);
        let bytes = sizes.map(|operand| self.dtypes[operand].size()).sum::<usize>() as f64;
        let enough = if self.is_last { stream::LAST } else { stream::READ_AGAIN };
        let dense = |output: usize| {
            let operand = self.inputs() + output;
            let is_store = matches!(self.outputs[output].1, Use::Store);
            is_store && inner.strides[operand] == self.dtypes[operand].size() as isize
        };
        // A short row has many lines that it shares with its neighbours.
        bytes * inner.len as f64 * rows as f64 >= enough as f64
            && inner.len >= 4 * BLOCK
            && (0..self.outputs.len()).all(dense)
            && stream::is_available()
    }
}

impl<'m> Worker<'m> {
    fn new(map: &'m Map<'m>, watch: Watch<'m>) -> Result<Worker<'m>, RunError> {
        Ok(Worker {
            map,
            runner: map.ready.runner(watch)?,
            odometer: Odometer::new(map.outer, map.bound.dtypes.len()),
            scratch: map.bound.scratch(map.scratched.iter().copied(), BLOCK, watch)?,
            operands: Vec::with_capacity(map.bound.dtypes.len()),
            since_poll: 0,
            bytes_read: 0,
            watch,
        })
    }

    /// Computes some elements of some rows.
    fn run(&mut self, rows: Range<usize>, elements: Range<usize>) -> Result<(), RunError> {
        self.odometer.seek(rows.start);
        for _ in rows {
            self.run_row(elements.clone())?;
            self.odometer.advance();
        }
        Ok(())
    }

    fn run_row(&mut self, elements: Range<usize>) -> Result<(), RunError> {
        let Map { bound, inner, scratched, streams, round, .. } = self.map;
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
            if self.since_poll >= self.map.poll {
                self.watch.poll()?;
                self.since_poll = 0;
            }
        }
        Ok(())
    }

    /// Takes a round of elements from the scratch to where they go, or reads where they say.
    fn put_away(&mut self, start: usize, len: usize) -> Result<(), RunError> {
        let Map { bound, inner, scratched, .. } = self.map;
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
