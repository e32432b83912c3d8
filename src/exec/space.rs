//! Spaces: nested loops with a stride for every operand.
//!
//! The outermost loops are walked by an [`Odometer`]; the innermost one is left to compiled code. Loops that together
//! walk every operand as one long loop would are merged first ([`coalesce`]), which makes most spaces one loop.

use smallvec::{SmallVec, smallvec};

/// Something for each operand of a loop; of few operands without memory of its own.
pub(crate) type PerOperand<T> = SmallVec<[T; 8]>;

/// A loop: how often, and how far each operand moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LoopDim {
    pub(crate) len: usize,
    pub(crate) strides: PerOperand<isize>,
}

/// Merges neighbouring loops, outermost first, and drops those of one round.
pub(crate) fn coalesce(dims: Vec<LoopDim>) -> Vec<LoopDim> {
    let mut merged: Vec<LoopDim> = Vec::with_capacity(dims.len());
    for dim in dims.into_iter().filter(|dim| dim.len != 1) {
        match merged.last_mut() {
            Some(outer) if continues(outer, &dim) => {
                *outer = LoopDim { len: outer.len * dim.len, strides: dim.strides }
            }
            _ => merged.push(dim),
        }
    }
    merged
}

/// Whether one step of the outer loop is where the inner one would go next, for every operand.
fn continues(outer: &LoopDim, inner: &LoopDim) -> bool {
    let reach = |stride: isize| stride.checked_mul(inner.len as isize);
    outer.strides.iter().zip(&inner.strides).all(|(&outer, &inner)| Some(outer) == reach(inner))
}

/// Takes the loop that is best run innermost, and the rest in order; no loops are one round that moves nothing.
/// `cost` says how bad a stride is for an operand.
pub(crate) fn take_inner(
    mut dims: Vec<LoopDim>,
    operands: usize,
    cost: impl Fn(usize, isize) -> usize,
) -> (Vec<LoopDim>, LoopDim) {
    // Starting a loop costs as much as some strided elements.
    const START: f64 = 24.0;
    let price = |dim: &LoopDim| {
        let strided: usize = dim.strides.iter().enumerate().map(|(operand, &stride)| cost(operand, stride)).sum();
        strided as f64 + START / dim.len.max(1) as f64
    };
    let best = (0..dims.len()).rev().min_by(|&a, &b| price(&dims[a]).total_cmp(&price(&dims[b])));
    match best {
        Some(axis) => {
            let inner = dims.remove(axis);
            (dims, inner)
        }
        None => (dims, LoopDim { len: 1, strides: smallvec![0; operands] }),
    }
}

/// Walks outer loops in C order, keeping the distance of each operand from where it began.
#[derive(Debug)]
pub(crate) struct Odometer<'a> {
    dims: &'a [LoopDim],
    index: SmallVec<[usize; 4]>,
    offsets: PerOperand<isize>,
}

impl<'a> Odometer<'a> {
    pub(crate) fn new(dims: &'a [LoopDim], operands: usize) -> Odometer<'a> {
        Odometer { dims, index: smallvec![0; dims.len()], offsets: smallvec![0; operands] }
    }

    /// The distance of each operand from its beginning.
    pub(crate) fn offsets(&self) -> &[isize] {
        &self.offsets
    }

    /// Goes to a position by its number in C order; of loops that go nowhere, the beginning.
    pub(crate) fn seek(&mut self, mut number: usize) {
        self.offsets.fill(0);
        for (axis, dim) in self.dims.iter().enumerate().rev() {
            self.index[axis] = number % dim.len.max(1);
            number /= dim.len.max(1);
            for (offset, stride) in self.offsets.iter_mut().zip(&dim.strides) {
                *offset = offset.wrapping_add(stride.wrapping_mul(self.index[axis] as isize));
            }
        }
    }

    /// How many positions of the innermost of these loops begin here, at most `most`, and how far they are apart.
    pub(crate) fn ahead(&self, most: usize) -> (usize, &'a [isize]) {
        match self.dims.last() {
            Some(dim) => (most.min(dim.len - self.index[self.dims.len() - 1]), &dim.strides),
            None => (most.min(1), &[]),
        }
    }

    /// Passes by `count` of the positions that are [`Odometer::ahead`].
    pub(crate) fn pass(&mut self, count: usize) {
        let Some(dim) = self.dims.last().filter(|_| count > 0) else { return };
        self.index[self.dims.len() - 1] += count - 1;
        for (offset, stride) in self.offsets.iter_mut().zip(&dim.strides) {
            *offset = offset.wrapping_add(stride.wrapping_mul(count as isize - 1));
        }
        self.advance();
    }

    /// Goes to the next position; false, and back at the beginning, after the last.
    pub(crate) fn advance(&mut self) -> bool {
        for (axis, dim) in self.dims.iter().enumerate().rev() {
            self.index[axis] += 1;
            let wrapped = self.index[axis] == dim.len;
            let steps = if wrapped { 1 - dim.len as isize } else { 1 };
            for (offset, stride) in self.offsets.iter_mut().zip(&dim.strides) {
                *offset = offset.wrapping_add(stride.wrapping_mul(steps));
            }
            if !wrapped {
                return true;
            }
            self.index[axis] = 0;
        }
        false
    }
}

/// The greatest number that divides both.
pub(super) fn greatest_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dim(len: usize, strides: &[isize]) -> LoopDim {
        LoopDim { len, strides: strides.into() }
    }

    #[test]
    fn contiguous_loops_become_one_and_broadcasts_do_not() {
        assert_eq!(coalesce(vec![dim(2, &[24]), dim(1, &[99]), dim(3, &[8])]), [dim(6, &[8])]);
        let apart = vec![dim(2, &[24, 0]), dim(3, &[8, 8])];
        assert_eq!(coalesce(apart.clone()), apart);
        assert_eq!(coalesce(vec![dim(2, &[0]), dim(3, &[0])]), [dim(6, &[0])]);
    }

    #[test]
    fn an_odometer_visits_every_position_and_returns() {
        let dims = [dim(2, &[10]), dim(3, &[1])];
        let mut odometer = Odometer::new(&dims, 1);
        let mut seen = vec![odometer.offsets()[0]];
        while odometer.advance() {
            seen.push(odometer.offsets()[0]);
        }
        assert_eq!(seen, [0, 1, 2, 10, 11, 12]);
        assert_eq!(odometer.offsets()[0], 0);
        for (number, &place) in seen.iter().enumerate() {
            odometer.seek(number);
            assert_eq!(odometer.offsets()[0], place);
        }
    }

    #[test]
    fn positions_ahead_are_those_that_follow() {
        let dims = [dim(2, &[10]), dim(5, &[1])];
        let mut odometer = Odometer::new(&dims, 1);
        odometer.seek(2);
        assert_eq!(odometer.ahead(9), (3, &[1][..]));
        assert_eq!(odometer.ahead(2).0, 2);
        odometer.pass(2);
        assert_eq!((odometer.offsets()[0], odometer.ahead(9).0), (4, 1));
        odometer.pass(1);
        assert_eq!((odometer.offsets()[0], odometer.ahead(9).0), (10, 5));
        assert_eq!(Odometer::new(&[], 1).ahead(9), (1, &[][..]));
    }

    #[test]
    fn a_tiny_last_loop_is_not_run_innermost() {
        let (outer, inner) = take_inner(vec![dim(1000, &[12]), dim(3, &[4])], 1, |_, stride| usize::from(stride != 4));
        assert_eq!((outer, inner), (vec![dim(3, &[4])], dim(1000, &[12])));
    }
}
