//! Reductions along the innermost loop.
#![expect(unsafe_code, reason = "rows are addresses with strides")]

use super::kinds::{Plain, TermKind, TermOperands, TotalOf};
use super::simd::{Totals, block_total, blocks_of, position, row_totals};
use super::terms::{FoldOp, Term, Total};
use super::{Rows, part};
use crate::exec::machine::{Level, level};
use crate::kernel::BLOCK;
use crate::types::dtype::Element;
use std::marker::PhantomData;

/// Combines blocks in pairs, by their number: an entry `(level, total)` stands for `2^level` blocks, whose first number
/// is a multiple of that, and an odd one joins the even one before it. What is left at the end is combined from the
/// right, as the tree over an odd number of blocks does. If the first block is not number 0, some entries wait for what
/// comes before them.
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

/// An element of a result.
#[derive(Clone, Copy)]
pub(crate) struct FoldedElement {
    bits: u128,
    size: usize,
}

impl FoldedElement {
    #[inline(always)]
    pub(super) fn of<T: Element>(element: T) -> FoldedElement {
        FoldedElement { bits: element.to_bits(), size: size_of::<T>() }
    }

    /// Writes the element.
    ///
    /// # Safety
    /// `to` is valid for a write of an element of the result, with any alignment.
    #[inline(always)]
    pub(crate) unsafe fn write(self, to: *mut u8) {
        // SAFETY: the caller promises room for an element, which has `size` bytes, at most as many as the bits.
        unsafe { std::ptr::copy_nonoverlapping(self.bits.to_le_bytes().as_ptr(), to, self.size) }
    }
}

/// Blocks that are reduced in one call, at most.
const MAX_CALL_BLOCKS: usize = 512;

/// Terms of a result that is made together with others, at most.
pub(crate) const MAX_GROUPED_TERMS: usize = 16 * BLOCK;

/// Sums, products, extremes.
pub(super) struct TotalRows<K: TermKind, O> {
    level: Level,
    /// What reduces rows, if there is something better than [`row_totals`].
    wide: Option<Totals<TotalOf<K>>>,
    blocks: Pairwise<TotalOf<K>>,
    op: PhantomData<O>,
}

impl<K: TermKind, O: FoldOp> TotalRows<K, O> {
    pub(super) fn new() -> Self {
        Self::of_floats(|_| None)
    }

    /// By a function that a level may have.
    pub(super) fn of_floats(wide: impl Fn(Level) -> Option<Totals<TotalOf<K>>>) -> Self {
        let level = level();
        TotalRows { level, wide: wide(level), blocks: Pairwise::new(), op: PhantomData }
    }

    /// The totals of the blocks of some rows.
    ///
    /// # Safety
    /// The operands of `count` terms of each row can be read, with any alignment. Those of a row are `to_next` bytes
    /// behind those of the row before.
    unsafe fn reduce(
        &self,
        operands: TermOperands,
        to_next: [isize; 2],
        count: usize,
        rows: usize,
        totals: &mut [TotalOf<K>],
    ) {
        let blocks = blocks_of(count);
        assert!(totals.len() >= rows * blocks, "room for the totals");
        // SAFETY: the caller promises the terms of these rows; there is room for the totals, and the level is the
        // machine's.
        unsafe {
            match self.wide {
                Some(wide) => wide(operands, to_next, count, rows, totals.as_mut_ptr()),
                None if blocks == 1 => {
                    row_totals::<K, O>(self.level, operands, to_next, count, rows, totals.as_mut_ptr());
                }
                None => {
                    let at = |row: usize, block: usize| {
                        [0, 1].map(|operand| {
                            let distance = to_next[operand].wrapping_mul(row as isize);
                            operands[operand].wrapping_offset(distance).wrapping_add(block * BLOCK * K::SIZES[operand])
                        })
                    };
                    for (index, total) in totals.iter_mut().enumerate().take(rows * blocks) {
                        let (row, block) = (index / blocks, index % blocks);
                        let len = BLOCK.min(count - block * BLOCK);
                        *total = block_total::<K, O>(self.level, at(row, block), len);
                    }
                }
            }
        }
    }

    /// Takes `2^level` blocks, the number of the first of which is a multiple of that.
    ///
    /// # Safety
    /// The operands of all terms of these blocks can be read, with any alignment.
    unsafe fn blocks(&mut self, level: u32, operands: TermOperands) {
        let mut totals = [O::of_nothing(); MAX_CALL_BLOCKS];
        let mut count = 1 << level;
        // SAFETY: the caller promises the terms of these blocks, which lie one behind the other.
        unsafe { self.reduce(operands, K::SIZES.map(|size| (size * BLOCK) as isize), BLOCK, count, &mut totals) };
        while count > 1 {
            count /= 2;
            for index in 0..count {
                totals[index] = O::combine(totals[2 * index], totals[2 * index + 1]);
            }
        }
        self.blocks.push_many(level, totals[0], O::combine);
    }
}

impl<K: TermKind, O: FoldOp> Rows for TotalRows<K, O> {
    unsafe fn terms(&mut self, mut operands: TermOperands, count: usize) {
        let mut full = count / BLOCK;
        while full > 0 {
            // As many as the tree has together.
            let level = self.blocks.next.trailing_zeros().min(full.ilog2()).min(MAX_CALL_BLOCKS.ilog2());
            // SAFETY: `2^level` full blocks are left of what the caller speaks of.
            unsafe { self.blocks(level, operands) };
            full -= 1 << level;
            for (operand, size) in operands.iter_mut().zip(K::SIZES) {
                *operand = operand.wrapping_add((size * BLOCK) << level);
            }
        }
        let rest = count % BLOCK;
        if rest > 0 {
            let mut total = [O::of_nothing()];
            // SAFETY: `rest` terms are left of what the caller speaks of.
            unsafe { self.reduce(operands, [0; 2], rest, 1, &mut total) };
            self.blocks.push(total[0], O::combine);
        }
    }

    unsafe fn results(
        &mut self,
        operands: TermOperands,
        to_next: [isize; 2],
        count: usize,
        results: usize,
        out: *mut u8,
        out_to_next: isize,
    ) {
        let blocks = blocks_of(count);
        let (together, mut totals) = (MAX_CALL_BLOCKS / blocks, [O::of_nothing(); MAX_CALL_BLOCKS]);
        for first in (0..results).step_by(together) {
            let some = together.min(results - first);
            let at = |operand: usize| operands[operand].wrapping_offset(to_next[operand].wrapping_mul(first as isize));
            // SAFETY: some of the rows that the caller speaks of.
            unsafe { self.reduce([at(0), at(1)], to_next, count, some, &mut totals) };
            for (index, row) in totals.chunks(blocks).enumerate().take(some) {
                let total = match *row {
                    [only] => only,
                    _ => {
                        row.iter().for_each(|&block| self.blocks.push(block, O::combine));
                        self.blocks.finish(O::combine).unwrap_or(O::of_nothing())
                    }
                };
                let out = out.wrapping_offset(out_to_next.wrapping_mul((first + index) as isize));
                // SAFETY: the caller promises room for each result, `out_to_next` bytes apart; no alignment is needed.
                unsafe { out.cast::<K::T>().write_unaligned(K::T::narrow(total)) };
            }
        }
    }

    fn begin_at(&mut self, block: usize) {
        self.blocks.begin_at(block);
    }

    fn join(&mut self, later: Box<dyn Rows>) {
        self.blocks.join(part::<Self>(later).blocks, O::combine);
    }

    fn finish(&mut self) -> FoldedElement {
        let total = self.blocks.finish(O::combine).unwrap_or(O::of_nothing());
        FoldedElement::of(K::T::narrow(total))
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

impl<T: Term, O: FoldOp> ArgRows<T, O> {
    pub(super) fn new() -> Self {
        ArgRows { level: level(), seen: 0, best: None, place: -1, op: PhantomData }
    }

    /// Whether an extreme that comes later is further than the best so far.
    fn is_better(&self, extreme: T::Total) -> bool {
        match self.best {
            None => true,
            Some(best) => !best.is_nan() && (extreme.is_nan() || O::beyond(extreme, best)),
        }
    }
}

impl<T: Term, O: FoldOp> Rows for ArgRows<T, O> {
    unsafe fn terms(&mut self, operands: TermOperands, count: usize) {
        for first in (0..count).step_by(BLOCK) {
            let (begin, len) = (operands[0].wrapping_add(first * size_of::<T>()), BLOCK.min(count - first));
            // SAFETY: a block of the elements that the caller speaks of; the level is the machine's.
            let extreme = unsafe { block_total::<Plain<T>, O>(self.level, [begin; 2], len) };
            if self.is_better(extreme) {
                // SAFETY: a block of the elements that the caller speaks of; the level is the machine's.
                let found = unsafe { position::<T>(self.level, begin, len, extreme) };
                // A mapped file may change between the two looks; then any place of the block is as good as another,
                // and who has the file mapped tells that it changed.
                self.place = (self.seen + first + found.unwrap_or(0)) as i64;
                self.best = Some(extreme);
            }
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

    fn finish(&mut self) -> FoldedElement {
        let place = FoldedElement::of(self.place);
        (self.seen, self.best, self.place) = (0, None, -1);
        place
    }
}

/// How many elements are true.
#[derive(Default)]
pub(super) struct CountRows {
    count: i64,
}

/// How many truth values are added up in one byte, which they cannot overflow.
const IN_A_BYTE: usize = 128;

/// How many truth values are true.
pub(crate) fn trues(bytes: &[u8]) -> usize {
    let (parts, rest) = bytes.as_chunks::<IN_A_BYTE>();
    let in_a_byte = |part: &[u8]| usize::from(part.iter().map(|&byte| u8::from(byte != 0)).sum::<u8>());
    parts.iter().map(|part| in_a_byte(part)).sum::<usize>() + in_a_byte(rest)
}

impl Rows for CountRows {
    unsafe fn terms(&mut self, operands: TermOperands, count: usize) {
        // SAFETY: the caller promises `count` truth values, which are bytes.
        let bytes = unsafe { std::slice::from_raw_parts(operands[0], count) };
        self.count += trues(bytes) as i64;
    }

    fn join(&mut self, later: Box<dyn Rows>) {
        self.count += part::<Self>(later).count;
    }

    fn finish(&mut self) -> FoldedElement {
        FoldedElement::of(std::mem::take(self).count)
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
