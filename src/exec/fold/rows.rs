//! Reductions along the innermost loop.

use super::kinds::{Kind, Operands, Plain, TotalOf};
use super::simd::{Level, block_total, position};
use super::terms::{Op, Term, Total};
use super::{Rows, part};
use std::marker::PhantomData;

/// Combines blocks in pairs, by their number: an entry `(level, total)` stands for `2^level` blocks, whose first number
/// is a multiple of that, and an odd one joins the even one before it. What is left at the end is combined from the right,
/// as the tree over an odd number of blocks does. If the first block is not number 0, some entries wait for what comes
/// before them.
#[derive(Debug)]
pub(super) struct Pairwise<T> {
    entries: Vec<(u32, T)>,
    /// The number of the next block.
    next: usize,
}

impl<T> Pairwise<T> {
    pub(super) fn new() -> Pairwise<T> {
        Pairwise { entries: Vec::new(), next: 0 }
    }

    /// Begins at a block.
    pub(super) fn begin_at(&mut self, block: usize) {
        self.next = block;
    }

    /// Adds the next block.
    pub(super) fn push(&mut self, block: T, combine: impl Fn(T, T) -> T) {
        self.push_many(0, block, combine);
    }

    /// Adds the next `2^level` blocks.
    fn push_many(&mut self, mut level: u32, mut total: T, combine: impl Fn(T, T) -> T) {
        let number = self.next;
        self.next += 1 << level;
        while number >> level & 1 == 1
            && let Some((_, left)) = self.entries.pop_if(|(known, _)| *known == level)
        {
            total = combine(left, total);
            level += 1;
        }
        self.entries.push((level, total));
    }

    /// Adds the blocks of another that begins where this one ends.
    pub(super) fn join(&mut self, later: Pairwise<T>, combine: impl Fn(T, T) -> T) {
        later.entries.into_iter().for_each(|(level, total)| self.push_many(level, total, &combine));
    }

    /// The total of all blocks, if there were any; begins anew.
    pub(super) fn finish(&mut self, combine: impl Fn(T, T) -> T) -> Option<T> {
        self.next = 0;
        let (_, mut total) = self.entries.pop()?;
        while let Some((_, left)) = self.entries.pop() {
            total = combine(left, total);
        }
        Some(total)
    }
}

/// Sums, products, extremes.
pub(super) struct TotalRows<K: Kind, O> {
    level: Level,
    blocks: Pairwise<TotalOf<K>>,
    op: PhantomData<O>,
}

impl<K: Kind, O: Op> TotalRows<K, O> {
    pub(super) fn new() -> Self {
        TotalRows { level: Level::detect(), blocks: Pairwise::new(), op: PhantomData }
    }
}

impl<K: Kind, O: Op> Rows for TotalRows<K, O> {
    unsafe fn block(&mut self, operands: Operands, count: usize) {
        // SAFETY: the caller's promise.
        let total = unsafe { block_total::<K, O>(self.level, operands, count) };
        self.blocks.push(total, O::combine);
    }

    fn begin_at(&mut self, block: usize) {
        self.blocks.begin_at(block);
    }

    fn join(&mut self, later: Box<dyn Rows>) {
        self.blocks.join(part::<Self>(later).blocks, O::combine);
    }

    unsafe fn finish(&mut self, out: *mut u8) {
        let total = self.blocks.finish(O::combine).unwrap_or(O::of_nothing());
        // SAFETY: the caller's promise.
        unsafe { out.cast::<K::T>().write_unaligned(K::T::narrow(total)) };
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

    /// Whether an extreme that comes later is further than the best so far.
    fn is_better(&self, extreme: T::Total) -> bool {
        match self.best {
            None => true,
            Some(best) => !best.is_nan() && (extreme.is_nan() || O::beyond(extreme, best)),
        }
    }
}

impl<T: Term, O: Op> Rows for ArgRows<T, O> {
    unsafe fn block(&mut self, operands: Operands, count: usize) {
        // SAFETY: the caller's promise.
        let extreme = unsafe { block_total::<Plain<T>, O>(self.level, operands, count) };
        if self.is_better(extreme) {
            // SAFETY: the caller's promise.
            let found = unsafe { position::<T>(self.level, operands[0], count, extreme) };
            self.place = (self.seen + found.expect("the extreme is one of the elements")) as i64;
            self.best = Some(extreme);
        }
        self.seen += count;
    }

    fn join(&mut self, later: Box<dyn Rows>) {
        let later = part::<Self>(later);
        if let Some(extreme) = later.best.filter(|&extreme| self.is_better(extreme)) {
            (self.best, self.place) = (Some(extreme), self.seen as i64 + later.place);
        }
        self.seen += later.seen;
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
    unsafe fn block(&mut self, operands: Operands, count: usize) {
        if self.found.is_none() {
            // SAFETY: the caller's promise; truth values are bytes.
            let bytes = unsafe { std::slice::from_raw_parts(operands[0], count) };
            if bytes.iter().fold(0, |any, byte| any | byte) != 0 {
                self.found = bytes.iter().position(|&byte| byte != 0).map(|index| self.seen + index);
            }
        }
        self.seen += count;
    }

    fn join(&mut self, later: Box<dyn Rows>) {
        let later = part::<Self>(later);
        self.found = self.found.or(later.found.map(|index| self.seen + index));
        self.seen += later.seen;
    }

    unsafe fn finish(&mut self, out: *mut u8) {
        let place = self.found.map_or(-1, |index| index as i64);
        // SAFETY: the caller's promise.
        unsafe { out.cast::<i64>().write_unaligned(place) };
        *self = FirstTrueRows::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_any_length_are_joined_to_the_tree_of_the_whole() {
        let pair = |left: String, right: String| format!("({left}{right})");
        let tree = |blocks: std::ops::Range<usize>| {
            let mut tree = Pairwise::new();
            tree.begin_at(blocks.start);
            blocks.for_each(|block| tree.push(format!("{block},"), pair));
            tree
        };
        for len in 1..40 {
            let whole = tree(0..len).finish(pair).unwrap();
            for (first, second) in (0..=len).flat_map(|first| (first..=len).map(move |second| (first, second))) {
                let mut joined = tree(0..first);
                joined.join(tree(first..second), pair);
                joined.join(tree(second..len), pair);
                assert_eq!(joined.finish(pair).unwrap(), whole, "{first} {second} of {len}");
            }
        }
    }
}
