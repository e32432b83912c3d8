//! Reductions along the innermost loop.

use super::Rows;
use super::simd::{Level, block_total};
use super::terms::{Op, Term, Total};
use std::marker::PhantomData;

/// Combines blocks in pairs: entry `(level, total)` stands for `2^level` blocks, and two of one level become one of
/// the next. What is left at the end is combined from the right, as the tree over an odd number of blocks does.
#[derive(Debug)]
pub(super) struct Pairwise<T>(Vec<(u32, T)>);

impl<T> Pairwise<T> {
    pub(super) fn new() -> Pairwise<T> {
        Pairwise(Vec::new())
    }

    /// Adds the next block.
    pub(super) fn push(&mut self, block: T, combine: impl Fn(T, T) -> T) {
        let (mut level, mut total) = (0, block);
        while let Some((_, left)) = self.0.pop_if(|(known, _)| *known == level) {
            total = combine(left, total);
            level += 1;
        }
        self.0.push((level, total));
    }

    /// The total of all blocks, if there were any; begins anew.
    pub(super) fn finish(&mut self, combine: impl Fn(T, T) -> T) -> Option<T> {
        let (_, mut total) = self.0.pop()?;
        while let Some((_, left)) = self.0.pop() {
            total = combine(left, total);
        }
        Some(total)
    }
}

/// Sums, products, extremes.
pub(super) struct TotalRows<T: Term, O> {
    level: Level,
    blocks: Pairwise<T::Total>,
    op: PhantomData<O>,
}

impl<T: Term, O: Op> TotalRows<T, O> {
    pub(super) fn new() -> Self {
        TotalRows { level: Level::detect(), blocks: Pairwise::new(), op: PhantomData }
    }
}

impl<T: Term, O: Op> Rows for TotalRows<T, O> {
    unsafe fn block(&mut self, elements: *const u8, count: usize) {
        // SAFETY: the caller's promise.
        let total = unsafe { block_total::<T, O>(self.level, elements, count) };
        self.blocks.push(total, O::combine);
    }

    unsafe fn finish(&mut self, out: *mut u8) {
        let total = self.blocks.finish(O::combine).unwrap_or(O::of_nothing());
        // SAFETY: the caller's promise.
        unsafe { out.cast::<T>().write_unaligned(T::narrow(total)) };
    }
}

/// The place of the first extreme element, or of the first that is not a number.
pub(super) struct ArgRows<T: Term, O> {
    level: Level,
    seen: usize,
    best: Option<T::Total>,
    place: i64,
    op: PhantomData<O>,
}

impl<T: Term, O: Op> ArgRows<T, O> {
    pub(super) fn new() -> Self {
        ArgRows { level: Level::detect(), seen: 0, best: None, place: -1, op: PhantomData }
    }
}

impl<T: Term, O: Op> Rows for ArgRows<T, O> {
    unsafe fn block(&mut self, elements: *const u8, count: usize) {
        // SAFETY: the caller's promise.
        let extreme = unsafe { block_total::<T, O>(self.level, elements, count) };
        let better = match self.best {
            None => true,
            Some(best) => !best.is_nan() && (extreme.is_nan() || O::beyond(extreme, best)),
        };
        if better {
            // SAFETY: the caller's promise.
            let at = |index: usize| unsafe { elements.cast::<T>().add(index).read_unaligned() }.widen();
            let found = (0..count).find(|&index| at(index) == extreme || extreme.is_nan() && at(index).is_nan());
            self.place = (self.seen + found.expect("the extreme is one of the elements")) as i64;
            self.best = Some(extreme);
        }
        self.seen += count;
    }

    unsafe fn finish(&mut self, out: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { out.cast::<i64>().write_unaligned(self.place) };
        (self.seen, self.best, self.place) = (0, None, -1);
    }
}

/// The place of the first true element, or -1.
#[derive(Default)]
pub(super) struct FirstTrueRows {
    seen: usize,
    found: Option<usize>,
}

impl Rows for FirstTrueRows {
    unsafe fn block(&mut self, elements: *const u8, count: usize) {
        if self.found.is_none() {
            // SAFETY: the caller's promise; truth values are bytes.
            let bytes = unsafe { std::slice::from_raw_parts(elements, count) };
            self.found = bytes.iter().position(|&byte| byte != 0).map(|index| self.seen + index);
        }
        self.seen += count;
    }

    unsafe fn finish(&mut self, out: *mut u8) {
        let place = self.found.map_or(-1, |index| index as i64);
        // SAFETY: the caller's promise.
        unsafe { out.cast::<i64>().write_unaligned(place) };
        *self = FirstTrueRows::default();
    }
}
